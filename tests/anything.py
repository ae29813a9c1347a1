"""Any well-typed value of a wire type, by chance: what the decoder could hand to the fold."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, get_origin

import msgspec
from msgspec import inspect

WORDS = ("", "?", "mine-1", "mine-3", "apprentice", "banker", "architect", "crane", "commerce", "windfall", "estate")


@cache
def info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def anything(kind: Any, rng: random.Random) -> Any:
    """A value that the decoder accepts for this type."""
    return value_of(info(kind), rng)


def value_of(kind: inspect.Type, rng: random.Random) -> Any:
    match kind:
        case inspect.UnionType(types=types):
            return value_of(rng.choice(types), rng)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType(ge=low, le=high):
            low = -9 if low is None else low
            high = 9 if high is None else high
            # mostly small numbers, which meet pieces, and now and then a bound
            return rng.choice((low, high)) if rng.random() < 0.05 else rng.randint(max(low, -9), min(high, 9))
        case inspect.StrType():
            return rng.choice(WORDS)
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            return tuple(value_of(item, rng) for _ in range(rng.randint(low or 0, min(high or 4, max(low or 0, 4)))))
        case inspect.StructType():
            return _struct(kind, rng)
        case _:
            raise TypeError(f"no values known for {kind}")


def _struct(kind: inspect.StructType, rng: random.Random) -> Any:
    fields = {}
    for field in kind.fields:
        optional = not field.required
        if optional and rng.random() < 0.5:
            continue
        fields[field.name] = value_of(field.type, rng)
    return class_of(kind)(**fields)


def class_of(kind: inspect.StructType) -> type[Any]:
    """The class itself, where the type is a generic one with its parameters filled in."""
    cls: type[Any] = get_origin(kind.cls) or kind.cls
    return cls


def survives(kind: Any, value: Any) -> bool:
    """Whether the decoder takes the value back: what `anything` makes must be well typed."""
    return bool(msgspec.json.decode(msgspec.json.encode(value), type=kind) == value)
