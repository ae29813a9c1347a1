"""The types of a log that all titles share, or make their own from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import Meta, Struct, structs

# A field whose type bears this mark holds the number of a seat.
_SEAT = "seat"
# Bounds on the wire, so that a hostile number never reaches a fixed-width column or an array index.
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=9), _SEAT]
SeatOrNone: TypeAlias = Annotated[int, Meta(ge=0, le=9), _SEAT]
MOST_AMOUNT = 99_999
Amount: TypeAlias = Annotated[int, Meta(ge=-MOST_AMOUNT, le=MOST_AMOUNT)]
Text: TypeAlias = Annotated[str, Meta(max_length=500)]
Word: TypeAlias = Annotated[str, Meta(max_length=60)]

SharedCause: TypeAlias = Literal["start", "unseen", "table", "adjusted"]

What = TypeVar("What", covariant=True)
Why = TypeVar("Why", covariant=True)
Where = TypeVar("Where", covariant=True)

# What a log holds never refers back to itself, so the collector need not look at it (`gc=False`): reading many logs is
# a fifth faster.


class Seen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person says that it went this way, whatever the rules give."""

    who: Text
    why: Text


class Posting(Struct, Generic[What, Why], frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Who, what, how much, why. Positional, because rules write it more often than anything else."""

    who: Seat
    what: What
    n: Amount
    why: Why
    seen: Seen | None = None


AnyPosting: TypeAlias = Posting[str, str]


class Fact(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="fact"
):
    """What a move does not say by itself. Titles make their facts of this one."""

    seen: Seen | None = None


class Holding(Struct, Generic[What], frozen=True, forbid_unknown_fields=True):
    """So much of one thing in one seat's hands."""

    who: Seat
    what: What
    n: Amount


class FinalCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="final_count"):
    """The table counted the end of the game."""


class Counted(
    Struct, Generic[What], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="counted"
):
    """Somebody counted what lies there. Moves nothing, is audited."""

    held: Annotated[tuple[Holding[What], ...], Meta(max_length=64)]


class Adjusted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="adjusted"):
    """A number that belongs to no decision was ruled; the postings say which."""

    who: Text
    why: Text


class Resynced(
    Struct, Generic[Where], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="resynced"
):
    """Moves were missed, or the recording begins in mid-game: this is what lies on the table now."""

    position: Where
    why: Text


class Paused(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="paused"):
    """The table stopped for a while."""


class Continued(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="continued"):
    """The table went on."""


class Conceded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="conceded"):
    """One seat plays no further."""

    seat: Seat


class Abandoned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="abandoned"):
    """The game ends here, unfinished."""

    why: Text


@cache
def tag_of(kind: type[Struct]) -> str:
    """The name on the wire of acts of this type: `place_worker`."""
    return str(kind.__struct_config__.tag)


def seat_of(act: object) -> int:
    """The seat that acts; 0 where an act is nobody's."""
    return getattr(act, "seat", 0)


@cache
def seat_fields(kind: type[Struct]) -> frozenset[str]:
    """The fields of a type that hold a seat."""
    return frozenset(field.name for field in structs.fields(kind) if _is_seat(field.type))


def _is_seat(kind: Any) -> bool:
    """Whether a type, or a part of a union, bears the mark of a seat."""
    return any(_SEAT in getattr(part, "__metadata__", ()) for part in (kind, *get_args(kind)))


def with_seats(value: Any, seats: Mapping[int, int]) -> Any:
    """An act, a posting or a fact with other numbers for the seats; one that is not named keeps its own."""
    if isinstance(value, tuple):
        return tuple(with_seats(each, seats) for each in value)
    if not isinstance(value, Struct):
        return value
    marked = seat_fields(type(value))
    fields = {}
    for name in value.__struct_fields__:
        field = getattr(value, name)
        fields[name] = seats.get(field, field) if name in marked else with_seats(field, seats)
    return structs.replace(value, **fields)


class Wire(Struct, frozen=True, kw_only=True, eq=False):
    """The title's types on the wire, from which log/codec.py builds one decoder and keeps it by this very object."""

    decision: Any
    deal: Any
    fact: Any
    position: Any
    resource: Any
    cause: Any
