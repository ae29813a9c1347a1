"""What the functions of a title take and answer, and the options by which a table reads the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Struct, convert, structs

from spyrium_log.checks import check_type, check_word, refused
from spyrium_log.messages import Alternatives, argument_message
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


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """How a table reads the rules where they leave a choice. Titles make their options of this one.

    An option is called as in the log: `options["crane-discount"]`, `dict(options)`.
    """

    def __getitem__(self, option: str) -> str:
        fields = option_fields(type(self))
        check_word(option, "option", list(fields))
        return str(getattr(self, fields[option].name))

    def keys(self) -> Sequence[str]:
        """The names of the options."""
        return list(option_fields(type(self)))


@cache
def option_fields(kind: type[Options]) -> Mapping[str, structs.FieldInfo]:
    """The fields by what the log calls them."""
    return {field.encode_name: field for field in structs.fields(kind)}


def option_words(kind: type[Options]) -> dict[str, list[str]]:
    """Each option with the words that it may say."""
    return {name: [str(word) for word in get_args(field.type)] for name, field in option_fields(kind).items()}


def make_options(kind: type[Options], words: Mapping[str, str] | Options | None) -> Options:
    """The options that these words name, as in `{"crane-discount": "site"}`; the title's own for the others."""
    if words is None:
        return kind()
    if isinstance(words, Options):
        check_type(words, kind, "options-of-title")
        return words
    check_type(words, Mapping, "options-by-name")
    known = option_words(kind)
    chosen: dict[str, str] = {}
    for name, word in words.items():
        check_word(name, "option", list(known))
        if word not in known[name]:
            expected = argument_message("option-word", known=Alternatives(tuple(known[name])), option=name)
            raise refused(expected, word, known[name])
        # on the wire a default is left out only where it is the very same string
        if word != option_fields(kind)[name].default:
            chosen[name] = word
    return convert(chosen, kind)
