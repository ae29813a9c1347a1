"""A second, tiny title: every law runs on it too, so that none of them knows Spyrium.

Each of two rounds turns up a heap. Players take one or two pebbles in turn; whoever takes the last has the heap, and
may keep a star or give it away. At the end each full three pebbles are a star. Pebbles pay, stars count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from spyrium_log import title
from spyrium_log.errors import Breach, NotationError
from spyrium_log.messages import message_maker, number_message, seat_message, unexpected_message
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.shown import QUOTED, quote, unquote
from spyrium_log.title import (
    AnyPosting,
    Awaited,
    Deed,
    Draw,
    Edition,
    Effects,
    Fact,
    FinalCount,
    Holding,
    Offers,
    PartialDeal,
    Piece,
    Posting,
    PostingKey,
    Rank,
    Recorder,
    Resynced,
    Score,
    Screens,
    Seat,
    SheetCheck,
    Step,
    Table,
    Tables,
    Title,
    Verb,
    Wire,
    Words,
)

Pebble: TypeAlias = Literal["pebbles", "stars"]
Cause: TypeAlias = Literal["taken", "last", "final:threes"]
LARGEST = 20
Heap: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]


class Take(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="take"):
    seat: Seat
    n: Annotated[int, Meta(ge=1, le=3)]


class Keep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="keep"):
    seat: Seat
    keep: bool


class HeapDealt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="heap_dealt"):
    heap: Heap


class Emptied(Fact, frozen=True, kw_only=True, tag="emptied"):
    seat: Seat


class Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    heap: Heap


class Options(title.Options, frozen=True, kw_only=True):
    threes: Literal["count", "ignore"] = "count"


class State:
    __slots__ = ("counted", "due", "emptied", "heap", "held", "last", "options", "round", "seats")

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.options = options
        self.round = self.heap = self.last = self.due = 0
        self.counted = False
        self.emptied = [0] * 10
        self.held = {(seat, what): 0 for seat in range(seats + 1) for what in ("pebbles", "stars")}


def setup(table: Table) -> State:
    state = State(table.seats, table.options)
    state.last = table.first - 1
    for seat, start in enumerate(table.start, 1):
        for what, n in start:
            state.held[seat, what] = n
    return state


def copy(state: State) -> State:
    twin = State(state.seats, state.options)
    for name in State.__slots__:
        setattr(twin, name, getattr(state, name))
    twin.held = dict(state.held)
    twin.emptied = state.emptied.copy()
    return twin


Act: TypeAlias = Take | Keep | HeapDealt | FinalCount | Resynced[Place]


def evolve(state: State, act: object, moved: Sequence[AnyPosting], facts: Sequence[Emptied]) -> None:
    if isinstance(act, Take):
        state.heap -= act.n
        state.last = act.seat
    elif isinstance(act, Keep):
        state.due = 0
    elif isinstance(act, HeapDealt):
        state.heap = act.heap
        state.round += 1
    elif isinstance(act, Resynced):
        state.heap = act.position.heap
    elif isinstance(act, FinalCount):
        state.counted = True
    for posting in moved:
        state.held[posting.who if posting.who <= state.seats else 0, posting.what] += posting.n
    for fact in facts:
        state.due = fact.seat
        state.emptied[fact.seat] += 1


def held(state: State) -> Iterable[Holding[str]]:
    return [Holding(who, what, n) for (who, what), n in state.held.items()]


def awaits(state: State) -> Awaited:
    if state.counted:
        return Awaited("over")
    if 0 < state.due <= state.seats:
        return Awaited("choice", (state.due,))
    if state.heap > 0:
        return Awaited("decision", (state.last % state.seats + 1,))
    return Awaited("deal") if state.round < 2 else Awaited("final")


def deal(_state: State, draw: Draw) -> HeapDealt:
    return HeapDealt(heap=draw(range(3, 8), 1)[0])


RULES = {"take.turn": "P-1", "take.heap": "P-2", "keep.due": "P-3", "heap.due": "P-4", "heap.size": "P-4"}
CAUSES = dict.fromkeys(("start", "unseen", "table", "adjusted", "taken", "last", "final:threes"), "P-5")


def breaches(state: State, act: object) -> Sequence[Breach]:
    awaited = awaits(state)
    if isinstance(act, Take):
        if awaited != Awaited("decision", (act.seat,)):
            return [Breach("take.turn", "P-1", seat_message(awaited.seat), seat_message(act.seat))]
        if not 1 <= act.n <= min(2, state.heap):
            return [Breach("take.heap", "P-2", phrase("at-most", n=min(2, state.heap)), number_message(act.n))]
    elif isinstance(act, Keep):
        if awaited != Awaited("choice", (act.seat,)):
            return [Breach("keep.due", "P-3", phrase("no-choice"), phrase("choice"))]
    elif isinstance(act, HeapDealt | FinalCount) and awaited.kind not in ("deal", "final"):
        return [Breach("heap.due", "P-4", phrase(awaited.kind), phrase("deal"))]
    elif isinstance(act, HeapDealt) and not 0 <= act.heap <= LARGEST:
        return [Breach("heap.size", "P-4", phrase("heaps", n=LARGEST), number_message(act.heap))]
    return []


def effects(state: State, act: object) -> Effects | None:
    if isinstance(act, Take):
        facts = [Emptied(seat=act.seat)] if act.n == state.heap else []
        return Effects([Posting(act.seat, "pebbles", act.n, "taken")], facts)
    if isinstance(act, Keep):
        to = act.seat if act.keep else act.seat % state.seats + 1
        return Effects([Posting(to, "stars", 1, "last")])
    if isinstance(act, FinalCount):
        return Effects(_threes(state))
    return Effects()


def _threes(state: State) -> list[AnyPosting]:
    if state.options.threes == "ignore":
        return []
    many = {seat: state.held[seat, "pebbles"] // 3 for seat in range(1, state.seats + 1)}
    return [Posting(seat, "stars", n, "final:threes") for seat, n in many.items() if n > 0]


def legal(state: State) -> Sequence[Act]:
    awaited = awaits(state)
    if awaited.kind == "choice":
        return [Keep(seat=awaited.seat, keep=keep) for keep in (True, False)]
    if awaited.kind == "decision":
        return [Take(seat=awaited.seat, n=n) for n in range(1, min(2, state.heap) + 1)]
    return []


def score(state: State) -> Sequence[Score]:
    final = {} if state.counted else {posting.who: posting.n for posting in _threes(state)}
    totals = [state.held[seat, "stars"] + final.get(seat, 0) for seat in range(1, state.seats + 1)]
    return [
        Score(
            seat=seat,
            points=state.held[seat, "stars"],
            final=(("final:threes", final[seat]),) if seat in final else (),
            total=total,
            place=1 + sum(other > total for other in totals),
        )
        for seat, total in enumerate(totals, 1)
    ]


def worth(state: State, seat: int) -> float:
    """Points, and a third of one for each pebble."""
    if not 0 < seat <= state.seats:
        return 0.0
    threes = state.options.threes == "count" and not state.counted
    return state.held[seat, "stars"] + state.held[seat, "pebbles"] / 3 * threes


VERBS: dict[type, Verb] = {Take: "place", Keep: "choose", HeapDealt: "deal", FinalCount: "final"}


def verb(act: object) -> Verb:
    return VERBS.get(type(act), "state")


def offers(state: State, _seat: int) -> Offers:
    """The heap is whoever's takes the last pebble, and it costs nothing."""
    within_reach = state.heap <= 2
    return Offers((1,), ("heap",), (1,), (within_reach,), (0 if within_reach else None,))


def deed(state: State, act: object) -> Deed:
    takes_all = isinstance(act, Take) and act.n == state.heap
    return Deed(verb(act), "heap", 1) if takes_all else Deed(verb(act))


def tableau(state: State, seat: int) -> list[Piece]:
    return [Piece("heap")] * (state.emptied[seat] if 0 < seat <= state.seats else 0)


def describe(
    _state: State,
    act: object,
    _moved: Sequence[AnyPosting],
    _facts: Sequence[object],
    _players: Sequence[str],
    _language: str,
    _assumed: AbstractSet[PostingKey],
) -> str:
    return type(act).__name__.lower()


_WORDS = re.compile(rf"{QUOTED}|[^\s\"]+|\"")


def read(state: State, text: str) -> Act:
    words = [(match[0], match.start() + 1) for match in _WORDS.finditer(text)]
    seat = awaits(state).seat
    if words and re.fullmatch("@[1-9]", words[0][0]):
        seat = int(words[0][0][1])
        words = words[1:]
    word, column = words[0] if words else ("", len(text) + 1)
    rest = [each for each, _ in words[1:]]
    if re.fullmatch("[1-3]", word) and seat and not rest:
        return Take(seat=seat, n=int(word))
    if word in ("keep", "give") and seat and not rest:
        return Keep(seat=seat, keep=word == "keep")
    if word == "final" and not rest:
        return FinalCount()
    if word in ("deal", "position") and rest and re.fullmatch("1?[0-9]|20", rest[0]):
        if word == "deal" and len(rest) == 1:
            return HeapDealt(heap=int(rest[0]))
        if word == "position" and len(rest) == 2 and rest[1].startswith('"'):
            return Resynced(position=Place(heap=int(rest[0])), why=_why(rest[1], text))
    raise NotationError(unexpected_message(phrase("move"), word), text, column)


def _why(word: str, text: str) -> str:
    try:
        return unquote(word)
    except ValueError:
        raise NotationError(phrase("why"), text, 1) from None


def write(state: State, act: Act) -> str:
    if isinstance(act, Take | Keep) and awaits(state).seat != act.seat:
        return f"@{act.seat} {spell(state, act)}"
    return spell(state, act)


def spell(_state: State, act: Act) -> str:
    if isinstance(act, Take | Keep):
        return str(act.n) if isinstance(act, Take) else "keep" if act.keep else "give"
    if isinstance(act, HeapDealt):
        return f"deal {act.heap}"
    if isinstance(act, Resynced):
        return f"position {act.position.heap} {quote(act.why)}"
    return "final"


def steps(_state: State, act: Act) -> list[Step]:
    if isinstance(act, Take):
        return [Step("pebbles", str(act.n))]
    if isinstance(act, Keep):
        return [Step("star", "k" if act.keep else "g")]
    return [Step("heap", str(act.heap) if isinstance(act, HeapDealt) else "f")]


def rank(_state: State, act: Act) -> Rank:
    """Nobody gives a point away."""
    if isinstance(act, Keep):
        return Rank(waste=not act.keep, order=(0,))
    return Rank(waste=False, order=(act.n if isinstance(act, Take) else 0,))


def half_dealt(_state: State, text: str, _language: str) -> PartialDeal:
    if not text:
        return PartialDeal(None, (), "the heap", [(str(n), "") for n in range(3, 8)])
    if not text.isdecimal() or int(text) > 20:
        raise NotationError(phrase("typed-heap"), text, 1)
    return PartialDeal(HeapDealt(heap=int(text)), (text,), "", ())


class View(Struct, frozen=True):
    heap: int
    held: tuple[tuple[int, str, int], ...]


def view(state: State) -> View:
    return View(state.heap, tuple((who, what, n) for (who, what), n in state.held.items()))


def old_take(line: dict[str, object]) -> dict[str, object]:
    """Format 1 said `pick` where format 2 says `take`."""
    act = line.get("do")
    if isinstance(act, dict) and act.get("act") == "pick":
        line = {**line, "do": {**act, "act": "take"}}
    return {**line, "title_format": 2} if line.get("kind") == "header" else line


WORDS: dict[str, dict[str, str]] = {
    "awaits": {
        "decision": "{player} is to take",
        "choice": "{player} is to choose",
        "deal": "a heap is to be dealt",
        "final": "the final count is next",
        "over": "the game is over",
    },
    "resources": {"pebbles": "pebbles", "stars": "stars"},
    "one": {"pebbles": "pebble", "stars": "star"},
    "causes": {cause: cause for cause in CAUSES},
    "findings": {
        "at-most": "at most {n}",
        "choice": "a choice",
        "no-choice": "no choice",
        "decision": "a decision",
        "deal": "a deal",
        "final": "the final count",
        "over": "nothing more",
        "heaps": "a heap of 0 to {n}",
        "move": '1, 2, keep, give, deal 5, position 5 "why" or final',
        "why": "expected why in quotes",
        "no-size": "nobody knows how large a heap may be",
        "typed-heap": "expected a heap of at most 20",
    },
    **{table: {} for table in ("cards", "events", "kinds", "choices", "fields", "facts")},
}


def vocabulary(_language: str) -> dict[str, dict[str, str]]:
    return WORDS


phrase = message_maker(vocabulary, "findings")


def check_sheet(sheet: Sheet) -> SheetCheck:
    """A sheet says how large a heap may be, and nothing larger than there are pebbles."""
    row = sheet.rows_by_key().get(("heap", "most"))
    if row is None:
        return SheetCheck(remarks=(phrase("no-size"),))
    too_large = isinstance(row.value, str) or row.value > LARGEST
    return SheetCheck(flaws=(phrase("typed-heap"),) if too_large else ())


PEBBLES: Title[State, Act, Emptied] = Title(
    key="pebbles",
    name="Pebbles",
    bgg_id=0,
    rules_version="1",
    title_format=2,
    upcasts={1: old_take},
    wire=Wire(decision=Take | Keep, deal=HeapDealt, fact=Emptied, position=Place, resource=Pebble, cause=Cause),
    options=Options,
    editions={"ignoring": Edition("a rulebook that counts no threes", {"threes": "ignore"})},
    colours=("grey", "white", "brown", "pink", "purple", "orange", "clear"),
    seats=range(1, 8),
    start=(("pebbles", 1),),
    money="pebbles",
    score_resource="stars",
    sheets={"none": lambda: Sheet(name="none", printed=(Printed("heap", "most", 7, "rulebook"),))},
    check=check_sheet,
    values_of=None,
    setup=setup,
    copy=copy,
    evolve=evolve,
    held=held,
    awaits=awaits,
    round=lambda state: state.round,
    phase=lambda _state, _seat: "I",
    deal=deal,
    breaches=breaches,
    effects=effects,
    assumed=lambda _state, _act: frozenset(),
    against=lambda _state, _facts: (),
    legal=legal,
    score=score,
    worth=worth,
    rules=RULES,
    causes=CAUSES,
    facts={"emptied": "P-3"},
    words=Words(
        languages=("en",),
        vocabulary=vocabulary,
        describe=describe,
        component=lambda component, _language: component,
        read=read,
        write=write,
        spell=spell,
        letters={"b": "pebbles", "t": "stars"},
        grammar='    1  2  keep  give  deal 5  position 5 "why"  final',
    ),
    recorder=Recorder(
        steps=steps,
        rank=rank,
        deal=half_dealt,
        codes=lambda _state, _language: {"h": "heap"},
        typed=lambda _state, _text: (),
        hint=lambda _state, _act, _rules, _language: "",
        nearest=lambda state, _act: legal(state),
        relied=lambda _state, act: ("heap", "most") if isinstance(act, HeapDealt) else None,
        questions=lambda _state, _act: (),
        printed=lambda _state, _what: (),
        grammar=lambda _language: "    1  2  k  g",
    ),
    tables=Tables(
        verb=verb,
        deed=deed,
        credited=lambda _deed, why: "heap" if why == "last" else "",
        tableau=tableau,
        unseen=lambda _state: 0,
        kinds=lambda _sheet: {"heap": "stones"},
        lasting=frozenset(("stones",)),
        tracked=(),
        offers=offers,
        rests_on=lambda _state: ("heap",),
        macros=str,
        reports=dict,
    ),
    screens=Screens(colour=lambda _state, _seat: "", view=view, seen_by=lambda state, _seat: view(state), drawing=None),
)
