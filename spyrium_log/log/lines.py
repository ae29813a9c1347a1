"""A Struct for each kind of line. `prev` and `hash` are restated in each, so that they stay last."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Raw, Struct

from spyrium_log.sheet import Printed
from spyrium_log.title import Amount, Seat, Text, Word

Number: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Hash: TypeAlias = Annotated[str, Meta(min_length=32, max_length=32)]
FullHash: TypeAlias = Annotated[str, Meta(min_length=64, max_length=64)]
Key: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Signature: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
When: TypeAlias = Annotated[datetime, Meta(tz=True)]
# An event's name: the number of its line, or n.i for the i-th event that amendment n inserted.
Ref: TypeAlias = Annotated[str, Meta(max_length=11, pattern=r"^(0|[1-9][0-9]{0,6})(\.[1-9][0-9]{0,2})?$(?!\n)")]
LONGEST_ID = 64
_GAME_ID = rf"[0-9a-z][0-9a-z-]{{3,{LONGEST_ID - 1}}}"
GameId: TypeAlias = Annotated[str, Meta(pattern=rf"^{_GAME_ID}$(?!\n)")]

Source: TypeAlias = Literal["table", "notation", "service", "simulated", "scoresheet"]

A = TypeVar("A", covariant=True)
P = TypeVar("P", covariant=True)
F = TypeVar("F", covariant=True)
O = TypeVar("O", covariant=True)  # noqa: E741 - a type variable for options
W = TypeVar("W", covariant=True)

FORMAT = 1


def is_game_id(text: object) -> bool:
    """Whether this can be a game's id, which is also the name of its file."""
    return isinstance(text, str) and re.fullmatch(_GAME_ID, text) is not None


class Head(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"
):
    """The fields of every line: its number, who recorded it, when, and the id of the command that made it."""

    n: Number
    by: Word
    at: When | None = None
    cmd: Word | None = None


class SeatAt(Struct, Generic[W], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One seat: who sits there, in which colour, and what they start with."""

    player: Word
    colour: Word
    start: Annotated[tuple[tuple[W, Amount], ...], Meta(max_length=16)]


class Header(
    Head, Generic[W, O], frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag="header"
):
    """The first line: which game of which title, who plays, under which readings of the rules, with which sheet.

    `edition` names the rulebook that the options were chosen from; only the options count. The sheet is kept as bytes:
    thousands of logs carry the same one, and it is decoded once (`codec.decode_sheet`).
    """

    format: int
    title: Word
    title_format: int
    game: GameId
    rules: Word
    options: O
    edition: Word | None = None
    seats: Annotated[tuple[SeatAt[W], ...], Meta(min_length=1, max_length=9)]
    first: Seat
    played: Word | None = None
    place: Text | None = None
    source: Source = "table"
    sheet_digest: Hash
    sheet: Raw
    prev: Hash
    hash: Hash


class EventLine(Head, Generic[A, P, F], frozen=True, kw_only=True):
    """A line on the timeline: the act, the postings it caused, and the facts that the act does not say by itself."""

    do: A
    moved: tuple[P, ...] = ()
    facts: tuple[F, ...] = ()
    prev: Hash
    hash: Hash


class Decided(EventLine[A, P, F], Generic[A, P, F], frozen=True, kw_only=True, tag="decision"):
    """A decision of a player."""


class Dealt(EventLine[A, P, F], Generic[A, P, F], frozen=True, kw_only=True, tag="deal"):
    """What the table turned up."""


class Finished(EventLine[A, P, F], Generic[A, P, F], frozen=True, kw_only=True, tag="final"):
    """The final count."""


class Stated(EventLine[A, P, F], Generic[A, P, F], frozen=True, kw_only=True, tag="statement"):
    """A statement: somebody counted, ruled, paused."""


class Undone(Head, frozen=True, kw_only=True, tag="undo"):
    """The timeline is again what it was after line `to`. This is also how an undo or an amendment is taken back."""

    to: Number
    why: Text | None = None
    prev: Hash
    hash: Hash


class EventBody(
    Struct, Generic[A, P, F], frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An event without a line of its own."""

    do: A
    moved: tuple[P, ...] = ()
    facts: tuple[F, ...] = ()


class Edit(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, tag_field="edit"):
    """One change of the timeline, at the event it names."""

    at: Ref


class Replace(Edit, Generic[A, P, F], frozen=True, kw_only=True, tag="replace"):
    """The event was this instead; it keeps its name."""

    event: EventBody[A, P, F]


class Drop(Edit, frozen=True, kw_only=True, tag="drop"):
    """The event never happened."""


class InsertAfter(Edit, Generic[A, P, F], frozen=True, kw_only=True, tag="insert_after"):
    """Another event happened right after the one named; `0` is the beginning."""

    event: EventBody[A, P, F]


class Rederived(
    Struct, Generic[P, F], frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The effects of an event, computed anew because something before it was corrected."""

    at: Ref
    moved: tuple[P, ...] = ()
    facts: tuple[F, ...] = ()


Mode: TypeAlias = Literal["misplayed", "misrecorded"]


class Amended(Head, Generic[A, P, F], frozen=True, kw_only=True, tag="amendment"):
    """Edits of the timeline: the table played so (`misplayed`), or the scribe slipped (`misrecorded`).

    After a slip every effect was computed from it, so `effects` holds those that come to something else.
    """

    mode: Mode
    edits: Annotated[tuple[Replace[A, P, F] | Drop | InsertAfter[A, P, F], ...], Meta(min_length=1, max_length=100)]
    effects: tuple[Rederived[P, F], ...] = ()
    why: Text
    prev: Hash
    hash: Hash


class Corrected(Head, frozen=True, kw_only=True, tag="correction"):
    """A correction of the header: a player, a colour, the first player, the date or the place."""

    seat: Seat | None = None
    player: Word | None = None
    colour: Word | None = None
    first: Seat | None = None
    played: Word | None = None
    place: Text | None = None
    why: Text
    prev: Hash
    hash: Hash


class ReadOff(Head, frozen=True, kw_only=True, tag="reading"):
    """A printed value, read off the component. It corrects the sheet for the whole game, and never what moved."""

    value: Printed
    prev: Hash
    hash: Hash


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The points that the table declared for a seat."""

    seat: Seat
    points: Amount


class Declared(Head, frozen=True, kw_only=True, tag="declared"):
    """The final result as the table declared it. It moves no points; the audit compares it."""

    results: Annotated[tuple[Result, ...], Meta(min_length=1, max_length=9)]
    prev: Hash
    hash: Hash


class Accepted(Head, frozen=True, kw_only=True, tag="accepted"):
    """The table accepts a finding on line `line`, or on the inserted event `line.i`."""

    line: Number
    i: Annotated[int, Meta(ge=0, le=999)] = 0
    rule: Word
    expected: Text | None = None
    who: Text
    why: Text
    prev: Hash
    hash: Hash


class Withdrawn(Head, frozen=True, kw_only=True, tag="withdrawn"):
    """A line off the timeline is withdrawn."""

    line: Number
    why: Text
    prev: Hash
    hash: Hash


class Signed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An Ed25519 signature and its public key, both in hex."""

    key: Key
    signature: Signature


class Sealed(Head, frozen=True, kw_only=True, tag="seal"):
    """How many lines stand before this one, and the full hash of the last; signed, if somebody vouches for it."""

    count: Number
    final: FullHash
    signed: Signed | None = None
    prev: Hash
    hash: Hash


AnyHeader: TypeAlias = Header[str, Any]
Event: TypeAlias = EventLine[Any, Any, Any]
AnyEventBody: TypeAlias = EventBody[Any, Any, Any]
AnyRederived: TypeAlias = Rederived[Any, Any]
AnyEdit: TypeAlias = Replace[Any, Any, Any] | Drop | InsertAfter[Any, Any, Any]
Amendment: TypeAlias = Amended[Any, Any, Any]
Aside: TypeAlias = Corrected | ReadOff | Declared | Accepted | Withdrawn | Sealed
Line: TypeAlias = AnyHeader | Event | Undone | Amendment | Aside
