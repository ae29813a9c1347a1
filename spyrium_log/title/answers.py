"""What the functions of a title take and answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from spyrium_log.sheet import Sheet
from spyrium_log.title.wire import AnyPosting

Verb: TypeAlias = Literal[
    "deal",
    "draft",
    "place",
    "earn",
    "trade",
    "hire",
    "build",
    "learn",
    "use",
    "event",
    "vote",
    "pass",
    "choose",
    "final",
    "state",
]


class Effects(NamedTuple):
    """What the rules make of an act."""

    moved: Sequence[AnyPosting] = ()
    facts: Sequence[Any] = ()


NOTHING = Effects()


class Awaited(Struct, frozen=True):
    """What comes next, and the seats that may act.

    A `choice` is a decision that a rule forces before the next turn.
    """

    kind: Literal["decision", "choice", "deal", "final", "over"]
    seats: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        """The seat that acts, the first of several; 0 where nobody does."""
        return self.seats[0] if self.seats else 0


class Offers(Struct, frozen=True, gc=False):
    """The cards on offer at one decision: the denominator of a take rate.

    `where` they lie, and which `cards`; then which of these spaces are `reachable`, and of each of those whether its
    card is affordable and at which price. In columns: an archive asks at every decision, and loads them fastest.
    """

    where: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    reachable: tuple[int, ...] = ()
    affordable: tuple[bool, ...] = ()
    prices: tuple[int | None, ...] = ()


class Deed(NamedTuple):
    """What an act does, on the table before it. Spaces and pieces count from 1; 0 is none.

    `card` is the one it is about, `space` where that card is taken from. `over` and `used` are pieces of the acting
    seat, counted within their kind: the one that the card replaces, and the `tool` that is used.
    """

    verb: Verb
    card: str = ""
    space: int = 0
    over: int = 0
    tool: str = ""
    used: int = 0


class Piece(NamedTuple):
    """A card that lies before a seat, and what the final count gives for it as things stand."""

    card: str
    points: int = 0


class Score(Struct, frozen=True, omit_defaults=True):
    """A seat's score: its points, what the final count would add by cause, the total and the place.

    `lost`: whatever its place, the seat cannot win (a game alone that ended before its time).
    """

    seat: int
    points: int
    final: tuple[tuple[str, int], ...]
    total: int
    place: int
    lost: bool = False

    @property
    def won(self) -> bool:
        return self.place == 1 and not self.lost


class Table(Struct, frozen=True, kw_only=True):
    """What a title lays out a table from: the part of a log's header that rules may know."""

    start: tuple[tuple[tuple[str, int], ...], ...]
    first: int
    options: Any
    sheet: Sheet

    @property
    def seats(self) -> int:
        return len(self.start)


# Draws so many of a pool by chance; it comes from the caller.
Draw: TypeAlias = Callable[[Sequence[Any], int], list[Any]]


class Step(NamedTuple):
    """One choice within an act, as a scribe types it: what it is about, and its keys.

    An `optional` one may be left out and is then guessed by rank.
    """

    name: str
    key: str
    optional: bool = False


class Rank(NamedTuple):
    """How likely an act is: the least rank is likeliest. A `waste` is an act that nobody does who has another one."""

    waste: bool
    order: tuple[int, ...]


class PartialDeal(NamedTuple):
    """A deal as far as it is typed: its words, the act once it is whole, else the next question and the answers to it.

    `codes` are the answers, each with the name of its component. An answer replaces `begun`, the end of the text: half
    a code, or the beginning of a name.
    """

    act: Any
    words: Sequence[str]
    question: str
    codes: Sequence[tuple[str, str]]
    begun: str = ""


class Edition(NamedTuple):
    """One rulebook of a title, and how it reads the options on which it is clear."""

    name: str
    readings: Mapping[str, str]
