"""The door: what a title (a game one can buy) gives the rest of the house, and the words both sides share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from msgspec import Struct, convert, structs

from spyrium_log.checks import argument_error, check_type, check_word
from spyrium_log.errors import Breach, SheetError
from spyrium_log.messages import Alternatives, Message, argument_message
from spyrium_log.sheet import Sheet
from spyrium_log.title.wire import (
    MOST_AMOUNT,
    Abandoned,
    Adjusted,
    Amount,
    AnyPosting,
    Conceded,
    Continued,
    Counted,
    Fact,
    FinalCount,
    Holding,
    Paused,
    Posting,
    Resynced,
    Seat,
    SeatOrNone,
    Seen,
    SharedCause,
    Text,
    Wire,
    Word,
    seat_of,
    tag_of,
    with_seats,
)

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


# By which amounts are compared and looked up: seat, resource and cause.
PostingKey: TypeAlias = tuple[int, str, str]


def posting_key(posting: AnyPosting) -> PostingKey:
    """Whose, of what and why: of postings with the same key a correction replaces the one by the other."""
    return posting.who, posting.what, posting.why


class Effects(NamedTuple):
    """What the rules make of an act."""

    moved: Sequence[AnyPosting] = ()
    facts: Sequence[Any] = ()


NOTHING = Effects()


class Awaited(Struct, frozen=True):
    """What comes next, and the seats that may act. A `choice` is a decision that a rule forces before the next turn."""

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
        """Whether the seat won, alone or with others who share the first place."""
        return self.place == 1 and not self.lost


class Table(Struct, frozen=True, kw_only=True):
    """What a title lays out a table from: the part of a log's header that rules may know.

    `is_played`: whether moves are made on it. For a mere score sheet a set will do that no game can be played with.
    """

    start: tuple[tuple[tuple[str, int], ...], ...]
    first: int
    options: Any
    sheet: Sheet
    is_played: bool = True

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.start)


# Draws so many of a pool by chance; it comes from the caller.
Draw: TypeAlias = Callable[[Sequence[Any], int], list[Any]]


class Step(NamedTuple):
    """One choice within an act, as typed: what it is about, and its keys. Left out, an `optional` one is guessed."""

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


class Question(NamedTuple):
    """A printed value that an act rests on and the sheet lacks; `likely`: what it is, where the act shows that."""

    of: str
    what: str
    likely: int | str | None = None


class Edition(NamedTuple):
    """One rulebook of a title, and how it reads the options on which it is clear."""

    name: str
    readings: Mapping[str, str]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """How a table reads the rules where they leave a choice. Titles make their options of this one.

    An option is called as in the log: `options["crane-discount"]`, `dict(options)`.
    """

    def __getitem__(self, option: str) -> str:
        """The reading chosen for an option, by the option's name in logs, as `crane-discount`."""
        fields = option_fields(type(self))
        check_word(option, "option", list(fields))
        return str(getattr(self, fields[option].name))

    def keys(self) -> Sequence[str]:
        """The names of the options: with `__getitem__`, all that `dict(options)` and `**options` ask for."""
        return list(option_fields(type(self)))


@cache
def option_fields(kind: type[Options]) -> Mapping[str, structs.FieldInfo]:
    """The fields by what the log calls them: `crane-discount`."""
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
            raise argument_error(expected, word, known[name])
        # on the wire a default is left out only where it is the very same string
        if word != option_fields(kind)[name].default:
            chosen[name] = word
    return convert(chosen, kind)


State = TypeVar("State")
Act = TypeVar("Act")
FactType = TypeVar("FactType")


class Words(Struct, Generic[State, Act, FactType], frozen=True, kw_only=True):
    """How people read and write the game, and the text form ("notation") of the title's own acts.

    `vocabulary` gives the words of a language in tables: what is awaited, resources, causes, facts, and what findings
    say; the keys are the same in all languages. `describe` puts an event into a sentence, from the state before it.
    `component` is the name of a component in a language: its id where it has none.

    `read` turns notation into an act and raises NotationError; `write` is its inverse, and `spell` is what it writes of
    an act of the seat to act. Seats are `@1`, `@2`: the transcript knows the names, and writes the acts that all titles
    share. `letters` are the resources by the letter of an amount, the one that is written first. `grammar` is the short
    help.
    """

    languages: Sequence[str]
    vocabulary: Callable[[str], Mapping[str, Mapping[str, str]]]
    describe: Callable[
        [State, Act, Sequence[AnyPosting], Sequence[FactType], Sequence[str], str, AbstractSet[PostingKey]], str
    ]
    component: Callable[[str, str], str]
    read: Callable[[State, str], Act]
    write: Callable[[State, Act], str]
    spell: Callable[[State, Act], str]
    letters: Mapping[str, str]
    grammar: str


def _as_typed(text: str, _language: str) -> str:
    """A line of notation as it was typed."""
    return text


def _no_detail(_state: object, _act: object, _language: str) -> str:
    """What the sentences of a title leave out that say all."""
    return ""


class Recorder(Struct, Generic[State, Act], frozen=True, kw_only=True):
    """What a scribe types at the table: shorter than notation, which people must read without the board.

    `steps`: the keys of a legal act or deal. `rank`: how likely a legal act is. `deal` reads a half-typed deal, with
    card names of one language, and raises NotationError. `codes`: the components by what is typed for them in a
    language. `with_ids`: a line of notation with ids for the names of components in a language. `typed`: the acts that
    keys may mean whether or not a piece or rule allows them, so that the refusal names the rule: one where the keys
    name it, what they leave out being guessed, several while they are only begun. `hint`: what a scribe may have
    meant by an act that breaks these rules, in a language ('' for nothing). `detail`: which of several like pieces
    an act takes, where its sentence leaves that out. `nearest`: legal acts that resemble an illegal one. `relied`:
    the component and the printed value that an act rests on. `questions`: the values that it rests on and the sheet
    does not have, which must be read before it. `printed`: the numbers along a track of this resource (none where
    an amount is just an amount). `grammar`: the short help in a language.
    """

    steps: Callable[[State, Act], Sequence[Step]]
    rank: Callable[[State, Act], Rank]
    deal: Callable[[State, str, str], PartialDeal]
    codes: Callable[[State, str], Mapping[str, str]]
    with_ids: Callable[[str, str], str] = _as_typed
    typed: Callable[[State, str], Sequence[Act]]
    hint: Callable[[State, Act, Sequence[str], str], str]
    detail: Callable[[State, Act, str], str] = _no_detail
    nearest: Callable[[State, Act], Sequence[Act]]
    relied: Callable[[State, Act], tuple[str, str] | None]
    questions: Callable[[State, Act], Sequence[Question]]
    printed: Callable[[State, str], Sequence[int]]
    grammar: Callable[[str], str]


def _no_text(_language: str) -> str:
    """The words of a title without reports of its own."""
    return ""


class Tables(Struct, Generic[State, Act], frozen=True, kw_only=True):
    """What the tables of an archive hold besides postings.

    `verb`: the act in the vocabulary that all titles share. `deed`: what an act does, and with which card. `credited`:
    the card that a change of this deed and cause comes from ('' for none). `tableau`: the cards before a seat, kind by
    kind. `unseen`: how many cards nobody had time to look at. `kinds`: the cards that a sheet knows, each with its
    kind. `lasting`: the kinds that stay before whoever takes them. `offers`: the cards that a seat may choose from.
    `rests_on`: the components whose printed values had a say in this game. `tracked`: the cards, at most 63, of which
    the row of a seat says whether it has them at the end. `macros`: the SQL of the title's own macros. `reports`: the
    SQL of its own reports, by name. `report_texts`: their words in a language, one below the other.
    """

    verb: Callable[[Act], Verb]
    deed: Callable[[State, Act], Deed]
    credited: Callable[[Deed, str], str]
    tableau: Callable[[State, int], Sequence[Piece]]
    unseen: Callable[[State], int]
    kinds: Callable[[Sheet], Mapping[str, str]]
    lasting: frozenset[str]
    tracked: Sequence[str]
    offers: Callable[[State, int], Offers]
    rests_on: Callable[[State], Iterable[str]]
    macros: Callable[[], str]
    reports: Callable[[], Mapping[str, str]]
    report_texts: Callable[[str], str] = _no_text


class Drawing(Struct, Generic[State], frozen=True, kw_only=True):
    """How the HTML page of a game draws the board.

    `script` defines `draw(table, before)`; `template` is the same in Jinja, for readers without scripts; `style` is
    CSS. `words` are names by table and key: resources, causes, cards and what else the two look up.
    """

    template: Callable[[], str]
    script: Callable[[], str]
    style: Callable[[], str]
    words: Callable[[str], Mapping[str, Mapping[str, str]]]


class Screens(Struct, Generic[State], frozen=True, kw_only=True):
    """What a screen draws.

    `view`: the board as plain data; `seen_by`: as much of it as a seat may see. `colour`: the colour that a seat has
    chosen in the game, '' where the log's header decides. `drawing`: how an HTML page draws the view; without one, the
    page has a table of what everybody holds.
    """

    colour: Callable[[State, int], str]
    view: Callable[[State], Struct]
    seen_by: Callable[[State, int], Struct]
    drawing: Drawing[State] | None


class SheetCheck(NamedTuple):
    """What is to say of a component sheet: what is wrong in it, and what it lacks for which game."""

    flaws: Sequence[Message] = ()
    remarks: Sequence[Message] = ()


ValueKind: TypeAlias = Literal["number", "text"]


class Title(Struct, Generic[State, Act, FactType], frozen=True, kw_only=True):
    """One title as a value of functions. None of them has a default: a missing one is a type error that names it.

    `bgg_id`: the game's number on boardgamegeek.com (two games may have one name, but not one number; 0 where it has
    none). `sheets`: the component sheets that ship, by name, the usual one first. `check`: what is wrong with a sheet,
    or missing in it. `values_of`: the values that a component of this name could have in a sheet, by name, none where
    it is no component; None where a title has only the components that ship. `setup` lays out a table, and raises
    SheetError for a sheet that no game can be played with, if one is to be played. `money`: the resource that prices
    are paid in; `score_resource`: the one that the score counts. `assumed`: the amounts that the effects of an act take
    from printed values which nobody has checked. `against`: what speaks against facts that a person ruled, and no rule
    gave. `worth`: a player's guess at what a seat's position is worth in points at the end; only players ask it.
    `rules`, `causes` and `facts` give the number of the rule that a finding, a posting and a fact refer to.
    """

    key: str
    name: str
    bgg_id: int
    rules_version: str
    title_format: int
    upcasts: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
    wire: Wire
    options: type[Options]
    editions: Mapping[str, Edition]
    colours: Sequence[str]
    seats: range
    start: Sequence[tuple[str, int]]
    money: str
    score_resource: str
    sheets: Mapping[str, Callable[[], Sheet]]
    check: Callable[[Sheet], SheetCheck]
    values_of: Callable[[Sheet, str], Mapping[str, ValueKind]] | None
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
    assumed: Callable[[State, Act], AbstractSet[PostingKey]]
    against: Callable[[State, Sequence[FactType]], Sequence[Breach]]
    legal: Callable[[State], Sequence[Act]]
    score: Callable[[State], Sequence[Score]]
    worth: Callable[[State, int], float]
    rules: Mapping[str, str]
    causes: Mapping[str, str]
    facts: Mapping[str, str]
    words: Words[State, Act, FactType]
    recorder: Recorder[State, Act]
    tables: Tables[State, Act]
    screens: Screens[State]

    def sheet(self, name: str = "") -> Sheet:
        """The component sheet of this name; the usual one without a name."""
        check_word(name or next(iter(self.sheets)), "sheet", list(self.sheets))
        return self.sheets[name or next(iter(self.sheets))]()

    def with_own_values(self, own: Sheet, over: Sheet | None = None) -> Sheet:
        """The usual sheet, or another, with somebody's own values; an assumed one gives way to one that is certain.

        A value that no component could have is refused.
        """
        before = over or self.sheet()
        if self.values_of is None:
            return before.with_own_values(own)
        check_type(own, Sheet, "sheet")
        sheet = before.with_readings(*before.drop_weaker(*own.printed), name=own.name)
        for row in own.printed:
            known = self.values_of(sheet, row.of)
            if not known:
                raise SheetError("component", sheet=before.name, found=row.of, own=own.name)
            if row.what not in known:
                raise SheetError("value-name", known=", ".join(known), what=row.what, of=row.of, own=own.name)
        return sheet

    def list_sheets(self) -> list[Sheet]:
        """The component sheets that ship."""
        return [make_sheet() for make_sheet in self.sheets.values()]

    def playable_sheet(self) -> Sheet:
        """The first of the sheets that ship with which a game can be played: a partial one lacks what it needs."""
        for sheet in self.list_sheets():
            start = (tuple(self.start),) * self.seats[0]
            table = Table(start=start, first=1, options=self.options(), sheet=sheet)
            try:
                self.setup(table)
            except SheetError:
                continue
            return sheet
        return self.sheet()


AnyTitle: TypeAlias = Title[Any, Any, Any]
