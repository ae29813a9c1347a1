"""The record of functions that a title is: its core, and a group for each room that asks more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from spyrium_log.checks import check_word, refused
from spyrium_log.errors import Breach, UnknownTitleError
from spyrium_log.messages import argument_message
from spyrium_log.sheet import Sheet
from spyrium_log.title.answers import (
    Awaited,
    Deed,
    Draw,
    Edition,
    Effects,
    Offers,
    Options,
    PartialDeal,
    Piece,
    Rank,
    Score,
    Step,
    Table,
    Verb,
)
from spyrium_log.title.wire import AnyPosting, Holding, Wire

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
    describe: Callable[[State, Act, Sequence[AnyPosting], Sequence[FactType], Sequence[str], str], str]
    component: Callable[[str, str], str]
    read: Callable[[State, str], Act]
    write: Callable[[State, Act], str]
    spell: Callable[[State, Act], str]
    letters: Mapping[str, str]
    grammar: str


class Recorder(Struct, Generic[State, Act], frozen=True, kw_only=True):
    """What a scribe types at the table: shorter than notation, which people must read without the board.

    `steps`: the keys of a legal act or deal. `rank`: how likely a legal act is. `deal` reads a half-typed deal, with
    card names of one language, and raises NotationError. `codes`: what to type for a component. `naming`: the acts
    that name a card nobody had seen. `tried`: moves that somebody may type although no piece or rule allows them now,
    so that the refusal names the rule. `hint`: what a scribe may have meant by an act that breaks these rules, in a
    language ('' for nothing). `nearest`: legal acts that resemble an illegal one. `relied`: the component and
    the printed value that an act rests on. `printed`: the numbers along a track of this resource (none where an amount
    is just an amount). `grammar`: the short help.
    """

    steps: Callable[[State, Act], Sequence[Step]]
    rank: Callable[[State, Act], Rank]
    deal: Callable[[State, str, str], PartialDeal]
    codes: Mapping[str, str]
    naming: Callable[[State, str], Sequence[Act]]
    tried: Callable[[State], Sequence[Act]]
    hint: Callable[[State, Act, Sequence[str], str], str]
    nearest: Callable[[State, Act], Sequence[Act]]
    relied: Callable[[State, Act], tuple[str, str] | None]
    printed: Callable[[State, str], Sequence[int]]
    grammar: str


class Tables(Struct, Generic[State, Act], frozen=True, kw_only=True):
    """What the tables of an archive hold besides postings.

    `verb`: the act in the vocabulary that all titles share. `deed`: what an act does, and with which card. `credited`:
    the card that a change of this deed and cause comes from ('' for none). `tableau`: the cards before a seat, kind by
    kind. `unseen`: how many cards nobody had time to look at. `kinds`: the cards that a sheet knows, each with its
    kind. `lasting`: the kinds that stay before whoever takes them. `offers`: the cards that a seat may choose from.
    `rests_on`: the components whose printed values had a say in this game. `tracked`: the cards, at most 63, of which
    the row of a seat says whether it has them at the end. `macros`: the SQL of the title's own macros. `reports`: the
    SQL of its own reports, by name.
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


class Drawing(Struct, Generic[State], frozen=True, kw_only=True):
    """How the HTML page of a game draws the board.

    `script` defines `draw(table, before)`; `template` is the same in Jinja, for readers without scripts; `style` is
    CSS. `words` are names by table and key: resources, causes, cards and what else the two look up. `assumed` are the
    causes of a seat's final score that rest on printed values which nobody has checked.
    """

    template: Callable[[], str]
    script: Callable[[], str]
    style: Callable[[], str]
    words: Callable[[str], Mapping[str, Mapping[str, str]]]
    assumed: Callable[[Sheet, State, int], Collection[str]]


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


class Title(Struct, Generic[State, Act, FactType], frozen=True, kw_only=True):
    """One title as a value of functions. None of them has a default: a missing one is a type error that names it.

    `bgg_id`: the game's number on boardgamegeek.com (two games may have one name, but not one number; 0 where it has
    none). `sheets`: the component sheets that ship, by name, the usual one first. `setup` lays out a table, and raises
    SheetError for a sheet that no game can be played with. `money`: the resource that prices are paid in;
    `score_resource`: the one that the score counts. `against`: what speaks against facts that a person ruled, and no
    rule gave. `worth`: a player's guess at what a seat's position is worth in points at the end; only players ask it.
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


AnyTitle: TypeAlias = Title[Any, Any, Any]


class Shelf(dict[str, AnyTitle]):
    """Titles by key; a key that none has is answered with those that there are."""

    def __missing__(self, key: object) -> AnyTitle:
        expected = argument_message("one-of", what=argument_message("title-key"), known=", ".join(self))
        raise UnknownTitleError(refused(expected, key, self).message)
