"""Any well-typed value of a wire type, by chance: what the decoder could hand to the fold.

A `wild` one has fields of the right type in Python, and bounds that no decoder lets through: what a program could hand
to the rules.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any, get_origin

import msgspec
from msgspec import inspect

SPYRIUM_WORDS = ("mine-1", "mine-3", "apprentice", "banker", "architect", "crane", "commerce", "windfall", "estate")
CELLS = ("d4", "d5", "e4", "e5", "f10", "a1", "k9", "l10", "z40")
RESOURCES = ("gems", "metal", "knowledge", "machinery", "cloth")
CARDS = ("trade", "call", "scholar", "race", "human", "university")
WORDS = ("", "?", *SPYRIUM_WORDS, *CELLS, *RESOURCES, *CARDS)


WILD_NUMBERS = (-1_000_000, -99, -12, -1, 0, 10, 12, 13, 41, 99, 990, 10**9)
WILD_WORDS = ("", "no such word", "x" * 600)


@cache
def info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def anything(kind: Any, rng: random.Random) -> Any:
    """A value that the decoder accepts for this type."""
    return value_of(info(kind), rng)


def value_of(kind: inspect.Type, rng: random.Random, *, wild: bool = False) -> Any:
    if wild and (value := _wild(kind, rng)) is not None:
        return value
    match kind:
        case inspect.UnionType(types=types):
            return value_of(rng.choice(types), rng, wild=wild)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType(ge=low, le=high):
            low = -9 if low is None else low
            high = 9 if high is None else high
            # mostly small numbers, which meet pieces, and now and then a bound
            return rng.choice((low, high)) if rng.random() < 0.05 else rng.randint(max(low, -9), min(high, 9))
        case inspect.StrType(max_length=most):
            return rng.choice([word for word in WORDS if most is None or len(word) <= most])
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            most = (high or 4) + 3 if wild else min(high or 4, max(low or 0, 4))
            return tuple(value_of(item, rng, wild=wild) for _ in range(rng.randint(0 if wild else low or 0, most)))
        case inspect.StructType():
            return _struct(kind, rng, wild=wild)
        case _:
            raise TypeError(f"no values known for {kind}")


def _wild(kind: inspect.Type, rng: random.Random) -> Any:
    """In a third of the places a number or word beyond what the type allows; None elsewhere."""
    is_word = isinstance(kind, inspect.StrType)
    if isinstance(kind, inspect.LiteralType):
        is_word = isinstance(kind.values[0], str)
    elif not isinstance(kind, inspect.IntType | inspect.StrType):
        return None
    return rng.choice(WILD_WORDS if is_word else WILD_NUMBERS) if rng.random() < 1 / 3 else None


def _struct(kind: inspect.StructType, rng: random.Random, *, wild: bool) -> Any:
    fields = {}
    for field in kind.fields:
        optional = not field.required
        if optional and rng.random() < 0.5:
            continue
        fields[field.name] = value_of(field.type, rng, wild=wild)
    return class_of(kind)(**fields)


def class_of(kind: inspect.StructType) -> type[Any]:
    """The class itself, where the type is a generic one with its parameters filled in."""
    cls: type[Any] = get_origin(kind.cls) or kind.cls
    return cls


def survives(kind: Any, value: Any) -> bool:
    """Whether the decoder takes the value back: what `anything` makes must be well typed."""
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(value), type=kind) == value)
    except msgspec.ValidationError:
        return False
