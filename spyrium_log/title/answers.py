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
    """The cards of the market at one decision, so that a take rate has a true denominator.

    `where` they lie, and which `cards`; then which of these spaces are `reachable`, and of each of those whether the
    card is affordable and at which price. Column by column: an archive asks at every decision, and takes no other form
    as fast.
    """

    where: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    reachable: tuple[int, ...] = ()
    affordable: tuple[bool, ...] = ()
    prices: tuple[int | None, ...] = ()


class Deed(NamedTuple):
    """What an act comes to on the table before it. Places and pieces count from 1; 0 is none.

    `card` is the one it is about, `space` the place of the market that it takes that card from. `over` and `used` are
    pieces of the seat that acts, counted within their kind: the one that the card replaces, and the `tool` it uses.
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
    """A seat's score: what it has, what the final count still adds, and where that puts it.

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
    """What a title is set up from: the part of a log's header that rules may know."""

    start: tuple[tuple[tuple[str, int], ...], ...]
    first: int
    options: Any
    sheet: Sheet

    @property
    def seats(self) -> int:
        return len(self.start)


Draw: TypeAlias = Callable[[Sequence[Any], int], list[Any]]


class Step(NamedTuple):
    """One choice within an act, as a scribe types it: what is asked, and its keys.

    One that may be `left` out is guessed by rank; any other is asked where there is something to choose.
    """

    of: str
    key: str
    left: bool = False


class Rank(NamedTuple):
    """How likely an act is; the least is likeliest. What is a `waste` nobody does who has another choice."""

    waste: bool
    order: tuple[int, ...]


class Dealing(NamedTuple):
    """A half-typed deal: the act once it is whole, the words said so far, what is asked next and what may answer.

    `begun` is the end of the text that an answer takes the place of: half a code, or the beginning of a name.
    """

    act: Any
    said: Sequence[str]
    asked: str
    codes: Sequence[tuple[str, str]]
    begun: str = ""


class Edition(NamedTuple):
    """One rulebook of a title: what it is, and the options on which it says something, each with what it says."""

    name: str
    readings: Mapping[str, str]
