"""Acts with one field changed, still well typed: the decoder takes them, whatever the rules say."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from typing import Any, cast, get_origin

from msgspec import Struct, inspect, structs

from spyrium_log.players.policies import Dice

# What a scribe writes for a card that nobody old time to look at.
UNSEEN = "?"
# Numbers that meet pieces are small.
SMALL = 9
# How often an optional field is filled.
FILLED = 0.2


@cache
def type_of(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def varied(act: Any, dice: Dice, words: Sequence[str]) -> Any:
    """The act with one thing changed; the same where there is nothing to change. `words` are what cards are called."""
    fields = _fields(type(act))
    for field in dice.sample(fields, len(fields)):
        old = getattr(act, field.name)
        new = _other(field.type, old, dice, words)
        if new != old:
            return structs.replace(act, **{field.name: new})
    return act


def _fields(kind: type[Any]) -> Sequence[inspect.Field]:
    # mypy takes a class of anything for one without a hash
    info = type_of(cast("Hashable", kind))
    return info.fields if isinstance(info, inspect.StructType) else ()


def _other(kind: inspect.Type, old: Any, dice: Dice, words: Sequence[str]) -> Any:
    match kind:
        case inspect.UnionType(types=types):
            return _of_several(types, old, dice, words)
        case inspect.BoolType():
            return not old
        case inspect.IntType(ge=low, le=high):
            near = old + dice.choice((-2, -1, 1, 2))
            low, high = _bounds(low, high)
            return near if low <= near <= high else dice.randint(low, high)
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            return _other_many(item, old, dice, words, low or 0, high or SMALL)
        case inspect.StructType():
            return varied(old, dice, words)
        case _:
            return fresh(kind, dice, words)


def _of_several(types: Sequence[inspect.Type], old: Any, dice: Dice, words: Sequence[str]) -> Any:
    """Something in place of nothing, nothing in place of something, or something else."""
    some = [kind for kind in types if not isinstance(kind, inspect.NoneType)]
    if old is not None and len(some) < len(types) and dice.random() < 0.5:
        return None
    if isinstance(old, Struct):
        return varied(old, dice, words)
    return fresh(dice.choice(some), dice, words)


def _other_many(
    item: inspect.Type, old: tuple[Any, ...], dice: Dice, words: Sequence[str], low: int, high: int
) -> tuple[Any, ...]:
    """One left out, one more, one of them otherwise, or one of them as often as there is room."""
    index = dice.randrange(len(old) + 1)
    change = dice.choice(("drop", "add", "change", "repeat"))
    if change == "drop" and len(old) > low and index < len(old):
        return old[:index] + old[index + 1 :]
    if change == "add" and len(old) < high:
        return (*old[:index], fresh(item, dice, words), *old[index:])
    if change == "repeat" and index < len(old):
        return (*old[:index], *[old[index]] * (high - len(old)), *old[index:])
    if index < len(old):
        return (*old[:index], _other(item, old[index], dice, words), *old[index + 1 :])
    return old


def fresh(kind: inspect.Type, dice: Dice, words: Sequence[str]) -> Any:
    """Any value of a type."""
    match kind:
        case inspect.UnionType(types=types):
            return fresh(dice.choice(types), dice, words)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return dice.random() < 0.5
        case inspect.IntType(ge=low, le=high):
            return dice.randint(*_bounds(low, high))
        case inspect.StrType():
            return dice.choice(words)
        case inspect.LiteralType(values=values):
            return dice.choice(values)
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            many = dice.randint(low or 0, max(low or 0, min(high or 2, 2)))
            return tuple(fresh(item, dice, words) for _ in range(many))
        case inspect.StructType(fields=fields, cls=cls):
            chosen = [field for field in fields if field.required or dice.random() < FILLED]
            # of a generic type the class itself makes the value
            maker: Any = get_origin(cls) or cls
            return maker(**{field.name: fresh(field.type, dice, words) for field in chosen})
        case _:
            raise TypeError(f"expected a type that acts are made of, found {kind}")


def _bounds(low: int | None, high: int | None) -> tuple[int, int]:
    least = 0 if low is None else max(low, 0)
    return least, SMALL if high is None else max(least, min(high, SMALL))


# --- cards ---------------------------------------------------------------------------------------


def words_in(value: Any) -> Iterator[str]:
    """Everything that the value calls by a name of its own."""
    if isinstance(value, tuple):
        for each in value:
            yield from words_in(each)
    elif isinstance(value, Struct):
        for field in _fields(type(value)):
            if isinstance(field.type, inspect.StrType):
                yield getattr(value, field.name)
            else:
                yield from words_in(getattr(value, field.name))


def without_word(value: Any, word: str) -> Any:
    """The value with that card unseen, wherever it is named."""
    if isinstance(value, tuple):
        return tuple(without_word(each, word) for each in value)
    if not isinstance(value, Struct):
        return value
    fields = {}
    for field in _fields(type(value)):
        old = getattr(value, field.name)
        fields[field.name] = (
            UNSEEN if isinstance(field.type, inspect.StrType) and old == word else without_word(old, word)
        )
    return structs.replace(value, **fields)
