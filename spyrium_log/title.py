"""The door: what a title (a game one can buy) gives the rest of the house, and the words both sides share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from msgspec import Meta, MsgspecError, Struct, convert, json, structs

from spyrium_log.checks import check_type, check_word, near, refused, shown
from spyrium_log.errors import Breach, UnknownTitleError
from spyrium_log.sheet import Sheet

# Bounds on the wire, so that a hostile number never reaches a fixed-width column or an array index.
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
MOST_AMOUNT = 99_999
Amount: TypeAlias = Annotated[int, Meta(ge=-MOST_AMOUNT, le=MOST_AMOUNT)]
Text: TypeAlias = Annotated[str, Meta(max_length=500)]
Word: TypeAlias = Annotated[str, Meta(max_length=60)]

SharedCause: TypeAlias = Literal["start", "unseen", "table", "adjusted"]

Verb: TypeAlias = Literal[
    "deal", "place", "earn", "hire", "build", "learn", "use", "event", "pass", "choose", "final", "state"
]

State = TypeVar("State")
Act = TypeVar("Act")
FactType = TypeVar("FactType")
What = TypeVar("What", covariant=True)
Why = TypeVar("Why", covariant=True)
Where = TypeVar("Where", covariant=True)


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


# What a log holds never refers back to itself, so the collector need not look at it (`gc=False`): reading many logs is
# a fifth faster.

# --- options -------------------------------------------------------------------------------------


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """How a table reads the rules where they leave a choice. Titles make their options of this one.

    An option is called as in the log: `options["crane-discount"]`, `dict(options)`.
    """

    def __getitem__(self, option: str) -> str:
        fields = option_fields(type(self))
        check_word(option, "an option", list(fields))
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


def options_of(kind: type[Options], words: Mapping[str, str] | Options | None) -> Options:
    """The options that these words come to: `{"crane-discount": "site"}`; the title's own where they say nothing."""
    if words is None:
        return kind()
    if isinstance(words, Options):
        check_type(words, kind, "options of this title")
        return words
    check_type(words, Mapping, "options by name")
    known = option_words(kind)
    chosen: dict[str, str] = {}
    for name, word in words.items():
        check_word(name, "an option", list(known))
        if word not in known[name]:
            raise refused(f"{' or '.join(known[name])} for '{name}'", word, near(word, known[name]))
        # on the wire a default is left out only where it is the very same string
        if word != option_fields(kind)[name].default:
            chosen[name] = word
    return convert(chosen, kind)


# --- acts that every title has -------------------------------------------------------------------


class FinalCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="final_count"):
    """The table counted the end of the game."""


class Counted(
    Struct,
    Generic[What],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="act",
    tag="counted",
):
    """Somebody counted what lies there. Moves nothing, is audited."""

    held: Annotated[tuple[Holding[What], ...], Meta(max_length=64)]


class Adjusted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="adjusted"):
    """A number that belongs to no decision was ruled; the postings say which."""

    who: Text
    why: Text


class Resynced(
    Struct,
    Generic[Where],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="act",
    tag="resynced",
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
    """What the wire calls acts of this type."""
    return str(kind.__struct_config__.tag)


# Fields of these names hold a seat, in every title.
SEAT_FIELDS = frozenset(("seat", "who", "first", "last"))


def reseated(value: Any, seats: Mapping[int, int]) -> Any:
    """An act, a posting or a fact with other numbers for the seats; one that is not named keeps its own."""
    if isinstance(value, tuple):
        return tuple(reseated(each, seats) for each in value)
    if not isinstance(value, Struct):
        return value
    said = {}
    for name in value.__struct_fields__:
        had = getattr(value, name)
        said[name] = seats.get(had, had) if name in SEAT_FIELDS and isinstance(had, int) else reseated(had, seats)
    return structs.replace(value, **said)


# --- what the rules answer -----------------------------------------------------------------------


class Effects(NamedTuple):
    """What the rules make of an act."""

    moved: Sequence[AnyPosting] = ()
    facts: Sequence[Any] = ()


NOTHING = Effects()


class Awaited(Struct, frozen=True):
    """What comes next. A `choice` is a decision that a rule forces before the next turn."""

    kind: Literal["decision", "choice", "deal", "final", "over"]
    seat: int = 0


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


class Score(Struct, frozen=True):
    """A seat's score: what it has, what the final count still adds, and where that puts it."""

    seat: int
    points: int
    final: tuple[tuple[str, int], ...]
    total: int
    place: int


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wire:
    """The title's types on the wire, from which log/codec.py builds one decoder and keeps it by this very object."""

    decision: Any
    deal: Any
    fact: Any
    position: Any
    resource: Any
    cause: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation(Generic[State, Act]):
    """The text form of the title's own acts: decisions, deals, positions, the final count.

    `read` raises NotationError, `write` is its inverse, and `spell` what it writes of whoever is to act, for an archive
    knows at every event who that is; `grammar` is the short help. Seats are `@1`, `@2`: who sits
    there is the transcript's to say, as is everything that all titles share. `letters` says what an amount is of, in
    counts and postings: a letter for each resource, the one that is written first.
    """

    read: Callable[[State, str], Act]
    write: Callable[[State, Act], str]
    spell: Callable[[State, Act], str]
    letters: Mapping[str, str]
    grammar: str


# What a string in quotes looks like; whether it is one, `unquoted` says.
QUOTED = r'"(?:[^"\\\x00-\x1f]|\\.)*"'


def quoted(text: str) -> str:
    """The text in quotes, as in JSON: nothing in it ends a line, a word or a terminal's patience."""
    spelt = json.encode(text).decode()
    return "".join(char if char.isprintable() else _escaped(char) for char in spelt)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def unquoted(word: str) -> str:
    """What a word in quotes says; ValueError where it says nothing."""
    try:
        return json.decode(word.encode(), type=str)
    except MsgspecError as error:
        raise ValueError(str(error)) from None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Shorthand(Generic[State, Act]):
    """What a scribe types at the table, shorter than notation, for notation must be read by people without the board.

    `steps` says any legal act or deal in keys; `deal` reads half-typed ones, with names of one language, and raises
    NotationError. `codes` are what components are called, `naming` are the acts that say what an unseen one is,
    `tried` are moves that somebody may type and no piece or no rule allows now, so that the rule can be told,
    `relied` is the printed number that the act rests on, `printed` are the numbers on the spaces along which a resource
    is counted by place (none where an amount is just an amount), `grammar` says all of it.
    """

    steps: Callable[[State, Act], Sequence[Step]]
    rank: Callable[[State, Act], Rank]
    deal: Callable[[State, str, str], Dealing]
    codes: Mapping[str, str]
    naming: Callable[[State, str], Sequence[Act]]
    tried: Callable[[State], Sequence[Act]]
    relied: Callable[[State, Act], tuple[str, str] | None]
    printed: Callable[[State, str], Sequence[int]]
    grammar: str


class Edition(NamedTuple):
    """One rulebook of a title: what it is, and the options on which it says something, each with what it says."""

    name: str
    readings: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards(Generic[State, Act]):
    """What an archive asks of a title's cards.

    `kinds` says of what kind each is, `lasting` which kinds stay before whoever takes them. `credited` is the card
    that a change of this deed and cause comes from ('' for none), `tableau` what lies before a seat, kind by kind and
    in order; `unseen` counts the cards that nobody had time to look at.
    """

    kinds: Mapping[str, str]
    lasting: frozenset[str]
    deed: Callable[[State, Act], Deed]
    credited: Callable[[Deed, str], str]
    tableau: Callable[[State, int], Sequence[Piece]]
    unseen: Callable[[State], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Title(Generic[State, Act, FactType]):
    """One title as a value of functions. None of them has a default: a missing one is a type error that names it.

    `against`: what speaks against facts that a person ruled, and no rule gave. `offers`: the market as a seat finds it
    whose turn it is. `worth`: what a seat's position comes to
    in points at the end, as a player would guess it: no rule, and only players ask. `words` are tables of them in a
    language: what is awaited, resources, causes, facts, and what findings say; the keys are the same in all.
    """

    key: str
    name: str
    rules_version: str
    title_format: int
    upcasts: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
    wire: Wire
    options: type[Options]
    editions: Mapping[str, Edition]
    colours: Sequence[str]
    seats: range
    start: Sequence[tuple[str, int]]
    sheet: Callable[[], Sheet]
    setup: Callable[[Table], State]
    copy: Callable[[State], State]
    evolve: Callable[[State, Act, Sequence[AnyPosting], Sequence[FactType]], None]
    held: Callable[[State], Iterable[Holding[str]]]
    awaits: Callable[[State], Awaited]
    round: Callable[[State], int]
    phase: Callable[[State, int], str]
    deal: Callable[[State, Draw], Act]
    breaches: Callable[[State, Act], Sequence[Breach]]
    effects: Callable[[State, Act], Effects | None]
    against: Callable[[State, Sequence[FactType]], Sequence[Breach]]
    legal: Callable[[State], Sequence[Act]]
    offers: Callable[[State, int], Offers]
    nearest: Callable[[State, Act], Sequence[Act]]
    score: Callable[[State], Sequence[Score]]
    worth: Callable[[State, int], float]
    rests_on: Callable[[State], Iterable[str]]
    rules: Mapping[str, str]
    causes: Mapping[str, str]
    facts: Mapping[str, str]
    verb: Callable[[Act], Verb]
    cards: Cards[State, Act]
    describe: Callable[[State, Act, Sequence[AnyPosting], Sequence[FactType], Sequence[str], str], str]
    languages: Sequence[str]
    words: Callable[[str], Mapping[str, Mapping[str, str]]]
    notation: Notation[State, Act]
    shorthand: Shorthand[State, Act]
    view: Callable[[State], Struct]
    seen_by: Callable[[State, int], Struct]


AnyTitle: TypeAlias = Title[Any, Any, Any]


class Shelf(dict[str, AnyTitle]):
    """Titles by key; a key that none has is answered with those that there are."""

    def __missing__(self, key: object) -> AnyTitle:
        raise UnknownTitleError(f"expected a title of {', '.join(self)}, found {shown(key)}{near(key, self)}")
