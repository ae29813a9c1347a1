"""The opponent's corpus: events that break a rule, and events that only look as if they did.

What is expected comes from the text of the rules (S-1 to S-11), never from running the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import structs

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Abandoned, Conceded, Fact, FinalCount, Posting, Resynced, Table
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.effects import (
    BonusDue,
    BonusTaken,
    CardNamed,
    EventTokenTaken,
    TokenKept,
    TokensReturned,
    WorkersFreed,
    WorkersSent,
)
from spyrium_log.titles.spyrium.moves import BuildingAt, MatAt, Pass, Position, TakeBonus
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.state import State
from tests.scribe import market, mat, workers

Say: TypeAlias = Callable[[State], Any]


# What the corpus expects rests on the rules: prices, symbols and the track are certain unless a row says otherwise.
PRICES_READ = SPYRIUM.sheet().with_readings(
    *(
        structs.replace(row, source="read")
        for row in SPYRIUM.sheet().printed
        if row.what in {"price", "symbols"} or row.of == "residence-track"
    )
)


# --- positions -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class At:
    """A table: what lies there, and the lines played from there before the event in question."""

    seats: int = 3
    options: Options = field(default_factory=Options)
    sheet: Sheet = PRICES_READ
    positions: tuple[Position, ...] = ()
    before: tuple[str | Say, ...] = ()

    def state(self) -> State:
        start = (tuple(SPYRIUM.start),) * self.seats
        state = SPYRIUM.setup(Table(start=start, first=1, options=self.options, sheet=self.sheet))
        for position in self.positions:
            SPYRIUM.evolve(state, Resynced(position=position, why="corpus"), (), ())
        for event in self.before:
            act = said(state, event)
            broken = [b for b in SPYRIUM.breaches(state, act) if b.on == "record"]
            assert not broken, (event, broken)
            given = SPYRIUM.effects(state, act)
            assert given is not None
            SPYRIUM.evolve(state, act, given.moved, given.facts)
        return state


def said(state: State, event: str | Say | Any) -> Any:
    """The act that a row names: notation, a function of the table, or the act itself."""
    if isinstance(event, str):
        return SPYRIUM.words.read(state, event)
    return event(state) if callable(event) else event


# Spaces 5, 7 and 8 are empty, so gaps 58 and 78 lie between two empty spaces.
GRID = market("mine-1", "apprentice", "crane", "university-1:2", "-", "miner:13", "-", "-", "mansion")
BARE = market("mine-1", "apprentice", "crane")


def at(
    *mats: MatAt,
    seats: int = 3,
    options: Options | None = None,
    sheet: Sheet | None = None,
    before: Sequence[str | Say] = (),
    **position: Any,
) -> At:
    """Round 2, seat 1 first and to act, the exchange as the event, one worker of seat 1 in gap 12."""
    lies: dict[str, Any] = {"round": 2, "first": 1, "last": 0, "event": "exchange", "next_event": "estate"}
    lies |= {"market": GRID, "workers": workers(g12="1")}
    return At(
        seats=seats,
        options=options or Options(),
        sheet=sheet or PRICES_READ,
        positions=(Position(mats=mats, **{**lies, **position}),),
        before=tuple(before),
    )


def you(**own: Any) -> MatAt:
    """Seat 1 in phase II, two workers on the Start card, £8 and two Spyrium."""
    return mat(1, **{"active": 2, **own})


def buildings(*cards: str) -> tuple[BuildingAt, ...]:
    """`mine-2` upright, `mine-2/` inclined, `mine-2/1` inclined with a worker on it."""
    parts = [card.partition("/") for card in cards]
    return tuple(BuildingAt(card=card, inclined=bool(slash), workers=int(n or 0)) for card, slash, n in parts)


def done(*mats: MatAt, **position: Any) -> At:
    """Everybody has passed and nobody stands in the market: the next round is due."""
    seats = position.get("seats", 3)
    own = {each.seat: each for each in mats}
    passed = [structs.replace(own.get(seat, MatAt(seat=seat)), phase=2, passed=True) for seat in range(1, seats + 1)]
    return at(*passed, **{"workers": (), "market": BARE, **position})


def new(**said: Any) -> At:
    """A game just set up."""
    return At(**said)


def deal(text: str, **changed: Any) -> Say:
    """A deal in notation, with fields that the notation counts for itself said otherwise."""
    return lambda state: structs.replace(SPYRIUM.words.read(state, f"deal {text}"), **changed)


def all_pass(seats: int = 3) -> list[str | Say]:
    return [">x"] * seats


def changed(text: str, **fields: Any) -> Say:
    """An act in notation with numbers that no notation says."""
    return lambda state: structs.replace(SPYRIUM.words.read(state, text), **fields)


# All characters of period A, for three players.
CHARACTERS = (
    "deal exchange estate miner:12 miner:12 apprentice apprentice bureaucrat:12 bureaucrat:12 banker:12"
    " architect:33 architect:33"
)

# Nine cards of period A without a token, of which no design comes too often.
NINE = "mine-1 mine-2 workshop-1 laboratory-1 neighbourhood-1 residence-1 apprentice crane automation"
EIGHT = "mine-2 workshop-1 laboratory-1 neighbourhood-1 residence-1 apprentice automation luxury-home"
# The same from round 2 on, after BARE.
NEXT = "estate investment"


# --- rows ----------------------------------------------------------------------------------------


class Row(NamedTuple):
    """`rule` is the primary breach, None where there must be none."""

    name: str
    at: At
    event: str | Say | Any
    rule: str | None
    on: Literal["record", "sheet"] = "record"


EVENT_CARDS: dict[str, dict[str, Any]] = {
    "windfall": {"event": "windfall", "event_token": 2},
    **{event: {"event": event} for event in ("estate", "investment", "exchange", "overtime")},
    **{event: {"event": event} for event in ("recruitment", "latecomer")},
}


def on_event(event: str, *mats: MatAt, **said: Any) -> At:
    next_event = "exchange" if event == "estate" else "estate"
    return at(*(mats or (you(),)), **{"next_event": next_event, **EVENT_CARDS[event], **said})


COMPONENTS = (
    Row("a seat beyond the table takes a turn", at(), "@7 p12", "seat.exists"),
    Row("a seat beyond the table passes", at(seats=2), "@3 >x", "seat.exists"),
    Row("a seat beyond the table takes a bonus", at(), "@4 bw", "seat.exists"),
    Row("a seat beyond the table concedes", at(), Conceded(seat=5), "seat.exists"),
    Row("seat 0 concedes", at(), Conceded(seat=0), "seat.exists"),
    Row("a seat that no box has a colour for passes", at(), Pass(seat=99, enter=True), "seat.exists"),
    Row("a worker in a gap that is not on the board", at(), changed("p12", gap=99), "gap.exists"),
    Row("money gained in a gap that is not on the board", at(you()), changed("g12.1", gap=15), "gap.exists"),
    Row("a card activated from no gap of the board", at(you()), changed("a12.1", gap=-1), "gap.exists"),
    Row("money gained beside a tenth space", at(you()), changed("g12.1", space=10), "space.exists"),
    Row("a card activated on space 12", at(you()), changed("a12.1", space=12), "space.exists"),
    Row("a card activated on space 0", at(you()), changed("a12.1", space=0), "space.exists"),
    Row("a token of value 4 in a deal", new(), deal(f"exchange estate {NINE}", event_token=4), "tokens.composition"),
    Row(
        "a ninth token of value 3 in one deal",
        new(seats=5),
        f"deal exchange estate miner:3333 miner:3333 university-1:3 {' '.join(NINE.split()[:6])}",
        "tokens.composition",
    ),
    Row(
        "a token of value 3 although all eight are kept",
        done(MatAt(seat=1, kept=(3,) * 7), MatAt(seat=2, kept=(3,)), market=BARE),
        f"deal {NEXT} university-1:3 {EIGHT}",
        "tokens.composition",
    ),
    Row(
        "the Crane twice in one market",
        new(),
        f"deal exchange estate crane crane {' '.join(NINE.split()[:7])}",
        "cards.composition",
    ),
    Row("the Crane again in a later round", done(), f"deal {NEXT} crane {EIGHT}", "cards.composition"),
    Row(
        "an eighteenth character",
        new(before=[CHARACTERS, *all_pass()]),
        "deal estate investment geologist geologist engineer engineer adviser adviser"
        " financier:12 architect:12 apprentice",
        "cards.composition",
    ),
    Row(
        "an unseen card turns out to be a technique that lies there already",
        at(you(), market=market("?", "apprentice", "crane")),
        "a12.1 =crane",
        "cards.composition",
    ),
    Row(
        "an unseen card turns out to be no card of the game",
        at(you(), market=market("?", "apprentice")),
        "a12.1 =castle",
        "activate.card",
    ),
    Row(
        "a card in the market that is no card of the game",
        new(),
        f"deal exchange estate castle {EIGHT}",
        "cards.composition",
    ),
)

ROUNDS = (
    Row("the third round after the first", done(round=1), deal(f"{NEXT} mine-1 {EIGHT}", round=3), "round.number"),
    Row("the second round first", new(), deal(f"exchange estate {NINE}", round=2), "round.number"),
    Row("the same round again", done(), deal(f"{NEXT} mine-1 {EIGHT}", round=2), "round.number"),
    Row("a seventh round", done(round=6), f"deal {NEXT} mine-1 {EIGHT}", "round.number"),
    Row("an event that was not the visible one", done(), f"deal investment overtime mine-1 {EIGHT}", "event.follows"),
    Row(
        "an event card seen before lies under the pile", done(), f"deal estate exchange mine-1 {EIGHT}", "event.unique"
    ),
    Row("one event card twice", new(), f"deal exchange exchange {NINE}", "event.unique"),
    Row(
        "the visible event card is the round's and stays visible",
        done(),
        f"deal estate estate mine-1 {EIGHT}",
        "event.unique",
    ),
    Row("a windfall without a token", new(), f"deal windfall estate {NINE}", "event.token"),
    Row("a visible windfall without a token", new(), f"deal exchange windfall {NINE}", "event.token"),
    Row("a token on an event without the symbol", new(), f"deal exchange:2 estate {NINE}", "event.token"),
    Row("a token on a visible event without the symbol", new(), f"deal exchange estate:1 {NINE}", "event.token"),
    Row(
        "the windfall's token changed on the way to the round's space",
        done(next_event="windfall", next_token=2),
        f"deal windfall:3 estate mine-1 {EIGHT}",
        "event.token",
    ),
    Row(
        "the windfall keeps its token",
        done(next_event="windfall", next_token=2),
        f"deal windfall:2 estate mine-1 {EIGHT}",
        None,
    ),
    Row("eight cards", new(), f"deal exchange estate {' '.join(NINE.split()[:8])}", "market.size"),
    Row("a University without a token", new(), f"deal exchange estate university-1 {EIGHT}", "market.tokens"),
    Row("two tokens on a University", new(), f"deal exchange estate university-1:12 {EIGHT}", "market.tokens"),
    Row("a token on the smallest Mine", new(), f"deal exchange estate mine-1:1 {EIGHT}", "market.tokens"),
    Row("a token on a technique", new(), f"deal exchange estate crane:1 {EIGHT}", "market.tokens"),
    Row("one token on a Miner with three players", new(), f"deal exchange estate miner:1 {EIGHT}", "market.tokens"),
    Row(
        "three tokens on a Miner with three players", new(), f"deal exchange estate miner:111 {EIGHT}", "market.tokens"
    ),
    Row(
        "two tokens on a Miner with two players",
        new(seats=2),
        f"deal exchange estate miner:12 {EIGHT}",
        "market.tokens",
    ),
    Row("one token on a Miner with two players", new(seats=2), f"deal exchange estate miner:1 {EIGHT}", None),
    Row("four tokens on a Miner with five players", new(seats=5), f"deal exchange estate miner:1233 {EIGHT}", None),
)

# Reserve: one 3. Discard: three 1s. Everything else is kept by somebody.
KEPT = (MatAt(seat=1, kept=(3,) * 7), MatAt(seat=2, kept=(1,) * 5 + (2,) * 8))
SCARCE: dict[str, Any] = {"discard": (1,) * 3}
# Reserve: one 2 and one 3.
TWO_LEFT = (MatAt(seat=1, kept=(3,) * 7), MatAt(seat=2, kept=(1,) * 8 + (2,) * 7))

DRAWS = (
    Row(
        "a draw that the reserve does not hold",
        done(*KEPT, **SCARCE),
        f"deal {NEXT} university-1:1 {EIGHT}",
        "tokens.reserve",
    ),
    Row(
        "two draws that leave the reserve's last token there",
        done(*KEPT, **SCARCE),
        f"deal {NEXT} university-1:1 university-1:1 {' '.join(EIGHT.split()[:7])}",
        "tokens.reserve",
    ),
    Row(
        "the reserve's last token, and then from the discard",
        done(*KEPT, **SCARCE),
        f"deal {NEXT} university-1:1 university-1:3 {' '.join(EIGHT.split()[:7])}",
        None,
    ),
    Row(
        "the visible event draws first, and only a 3 is there",
        done(*KEPT, **SCARCE, next_event="estate"),
        f"deal estate windfall:1 university-1:3 {EIGHT}",
        "tokens.reserve",
    ),
    Row(
        "the visible event draws the 3, the market what was discarded",
        done(*KEPT, **SCARCE),
        f"deal estate windfall:3 university-1:1 {EIGHT}",
        None,
    ),
    Row(
        "tokens left in the market are discarded before the draw",
        done(MatAt(seat=1, kept=(3,) * 8), MatAt(seat=2, kept=(1,) * 8 + (2,) * 7), market=market("university-1:2")),
        f"deal {NEXT} university-1:2 {EIGHT} ",
        None,
    ),
    Row(
        "as many tokens as there are",
        done(*TWO_LEFT, market=BARE),
        f"deal {NEXT} miner:23 university-1 {' '.join(EIGHT.split()[:7])}",
        None,
    ),
    Row(
        "a token held back although the reserve has one",
        done(*TWO_LEFT, market=BARE),
        f"deal {NEXT} miner:2 university-1 {' '.join(EIGHT.split()[:7])}",
        "market.tokens",
    ),
)

READ_MINE = PRICES_READ.with_readings(
    *(
        Printed(of="mine-1", what=f"copies-{period}", value=n, source="read")
        for period, n in zip("abc", (3, 0, 0), strict=True)
    )
)

DECKS = (
    Row(
        "a fourth small Mine",
        new(),
        f"deal exchange estate mine-1 mine-1 mine-1 mine-1 {' '.join(NINE.split()[1:6])}",
        "cards.deck",
        "sheet",
    ),
    Row(
        "a fourth small Mine, three lay in the round before",
        done(market=market("mine-1", "mine-1", "mine-1")),
        f"deal {NEXT} mine-1 {EIGHT}",
        "cards.deck",
        "sheet",
    ),
    Row("the Palace in the first period", new(), f"deal exchange estate palace {EIGHT}", "cards.deck", "sheet"),
    Row(
        "a small Mine in the second period",
        done(round=3, market=market("luxury-home")),
        f"deal {NEXT} mine-1 workshop-2 workshop-2 mine-3:1 mine-3:1 factory-1 factory-1 mansion engineer",
        "cards.deck",
        "sheet",
    ),
    Row(
        "a fourth small Mine, the copies read off the cards",
        new(sheet=READ_MINE),
        f"deal exchange estate mine-1 mine-1 mine-1 mine-1 {' '.join(NINE.split()[1:6])}",
        "cards.deck",
    ),
    Row("a card nobody had time to look at", new(), f"deal exchange estate ? {EIGHT}", None),
    Row(
        "an unseen card turns out to be one that there can be",
        at(you(), market=market("?", "apprentice")),
        "a12.1 =mine-2",
        None,
    ),
    Row(
        "an unseen card turns out to be one that is too dear",
        at(you(), market=market("?", "apprentice")),
        "a12.1 =palace",
        "activate.money",
    ),
    Row(
        "an unseen card may have had the reserve's last token",
        done(
            *KEPT,
            **SCARCE,
            round=1,
            market=market("crane"),
            before=[
                f"deal {NEXT} ? mine-1 mine-1 mine-2 workshop-1 workshop-1 laboratory-1 apprentice commerce",
                *all_pass(),
            ],
        ),
        f"deal investment overtime university-1:1 {EIGHT}",
        None,
    ),
)

TURNS = (
    Row("seat 2 before seat 1", at(mat(2)), "@2 p12", "turn.order"),
    Row("seat 1 twice in a row", at(last=1), "@1 p12", "turn.order"),
    Row("counter-clockwise", at(first=2, last=2), "@1 p12", "turn.order"),
    Row("first after last", at(last=3), "p12", None),
    Row("a player who has passed", at(you(passed=True)), "@1 x", "turn.order"),
    Row("a player who has passed is skipped", at(mat(2, passed=True), last=1), "@3 p12", None),
    Row("a player who has conceded", at(before=[lambda _: Conceded(seat=1)]), "@1 p12", "turn.order"),
    Row("a turn before the first deal", new(), "@1 p12", "turn.order"),
    Row("a turn after everybody has passed", done(), "@1 p12", "turn.order"),
    Row("a turn after the count", done(round=6, before=["final"]), "@1 x", "turn.order"),
    Row("a turn after the game was abandoned", at(before=[lambda _: Abandoned(why="late")]), "@1 p12", "turn.order"),
    Row(
        "a deal while somebody has still to pass",
        at(mat(1, passed=True), mat(2, passed=True)),
        f"deal {NEXT} mine-1 {EIGHT}",
        "turn.order",
    ),
    Row("out of turn, in the wrong phase, without a worker", at(mat(2, active=0)), "@2 p58", "turn.order"),
    Row("a worker placed in phase II", at(you()), "p12", "turn.phase"),
    Row("money gained in phase I", at(), "g12.1", "turn.phase"),
    Row("a card activated in phase I", at(), "a12.1", "turn.phase"),
    Row("a building used in phase I", at(you(phase=1, buildings=buildings("mine-2"))), "u1.1", "turn.phase"),
    Row(
        "a building reused in phase I",
        at(you(phase=1, techniques=("taylorism",), buildings=buildings("mine-2/"))),
        "r1.1",
        "turn.phase",
    ),
    Row("a pass in phase I", at(workers=()), "x", "turn.phase"),
    Row("phase II entered from phase II", at(you()), ">g12.1", "turn.phase"),
    Row("phase II entered a second time with the event", at(you()), ">e n1", "turn.phase"),
    Row("phase II entered with the event", at(), ">e n1", None),
    Row("phase II entered with a pass", at(workers=()), ">x", None),
    Row("the event in phase I", at(), "e n1", None),
    Row("in phase I, without a worker, without money", at(you(phase=1, money=0), workers=()), "a12.1", "turn.phase"),
)

PLACING = (
    Row("no active worker left", at(you(phase=1, active=0)), "p12", "worker.active"),
    Row("between two empty spaces", at(), "p58", "market.gap"),
    Row("between two other empty spaces", at(), "p78", "market.gap"),
    Row("between a card and an empty space", at(), "p45", None),
    Row("a fifth worker in one gap", at(workers=workers(g12="2233")), "p12", None),
    Row("no worker, and nowhere", at(you(phase=1, active=0)), "p58", "worker.active"),
    Row("the latecomer without a worker", on_event("latecomer", you(active=0)), "e p12", "worker.active"),
    Row("the latecomer between two empty spaces", on_event("latecomer"), "e p58", "market.gap"),
)

EVENTS = (
    Row("the event a second time", at(you(used_event=True)), "e n1", "event.once"),
    Row(
        "the event in phase I, and again in phase II",
        at(you(phase=1), mat(2, passed=True), mat(3, passed=True), before=["e n1"]),
        ">e n1",
        "event.once",
    ),
    Row("no effect wanted", at(you()), "e no", "event.effect"),
    Row("the latecomer without saying where", on_event("latecomer"), "e", "market.gap"),
    Row("the windfall without saying of what", on_event("windfall"), "e", "windfall.gain"),
    Row("the windfall whose token is gone", on_event("windfall", event_token=None), "e money", "event.effect"),
    Row("the estate without Spyrium", on_event("estate", you(spyrium=0)), "e rm", "estate.spyrium"),
    Row("the estate without saying which", on_event("estate"), "e", "residence.choice"),
    Row("the estate at the end of the track", on_event("estate", you(residence=5)), "e rm", "residence.choice"),
    Row("the estate scored at the end of the track", on_event("estate", you(residence=5)), "e rs", None),
    Row("the investment of £6 with £5", on_event("investment", you(money=5)), "e n2", "investment.choice"),
    Row("the investment of £3 with £2", on_event("investment", you(money=2)), "e n1", "investment.choice"),
    Row("a third investment", on_event("investment", you(money=30)), "e n3", "investment.choice"),
    Row("the investment without saying which", on_event("investment"), "e", "investment.choice"),
    Row("the exchange of three Spyrium with two", at(you()), "e n2", "exchange.choice"),
    Row("the exchange of one Spyrium with none", at(you(spyrium=0)), "e n1", "exchange.choice"),
    Row("a third exchange", at(you(spyrium=9)), "e n3", "exchange.choice"),
    Row(
        "overtime without £1",
        on_event("overtime", you(money=0, buildings=buildings("mine-2/"))),
        "e u1.1",
        "overtime.money",
    ),
    Row(
        "overtime on an upright building",
        on_event("overtime", you(buildings=buildings("mine-2"))),
        "e u1.1",
        "reuse.inclined",
    ),
    Row(
        "overtime in phase I, where nothing is inclined",
        on_event("overtime", you(phase=1, buildings=buildings("mine-2"))),
        "e u1.1",
        "reuse.inclined",
    ),
    Row(
        "overtime on a building that is not there",
        on_event("overtime", you(buildings=buildings("mine-2/"))),
        "e u2.1",
        "building.use",
    ),
    Row(
        "overtime with an effect the building has not",
        on_event("overtime", you(buildings=buildings("mine-2/"))),
        "e u1.3",
        "building.effect",
    ),
    Row(
        "overtime without the building's worker",
        on_event("overtime", you(active=0, buildings=buildings("workshop-1/1"))),
        "e u1.1",
        "building.workers",
    ),
    Row(
        "overtime without the building's Spyrium",
        on_event("overtime", you(spyrium=0, buildings=buildings("workshop-1/1"))),
        "e u1.1",
        "building.spyrium",
    ),
    Row(
        "overtime with the last £1", on_event("overtime", you(money=1, buildings=buildings("mine-2/"))), "e u1.2", None
    ),
    Row("recruitment for £2 with three workers", on_event("recruitment", you(money=2)), "e", "recruitment.money"),
    Row("recruitment for £3 with three workers", on_event("recruitment", you(money=3)), "e", None),
    Row(
        "recruitment with four workers for £3",
        on_event("recruitment", you(money=3, workers=4)),
        "e",
        "recruitment.money",
    ),
    Row("an eighth worker", on_event("recruitment", you(money=30, workers=7, active=6)), "e", "recruitment.worker"),
    Row("the latecomer in phase I", on_event("latecomer", you(phase=1)), "e p12", "latecomer.phase"),
    Row("the latecomer while entering phase II", on_event("latecomer", you(phase=1)), ">e p12", None),
)

LONG = market("mine-1", "apprentice", "crane", "miner:13", "-", "geologist", "banker:23", "-", "residence-1")

ACTIVATION = (
    Row("money with a worker that is not there", at(you()), "g23.2", "gain.worker"),
    Row("money with somebody else's worker", at(you(), workers=workers(g12="1", g23="2")), "g23.2", "gain.worker"),
    Row("money with a card further off", at(you()), "g12.3", "gain.card"),
    Row("money with a space without a card", at(you(), workers=workers(g45="1")), "g45.5", "gain.card"),
    Row("money with no card although one is there", at(you(), workers=workers(g45="1")), "g45", "gain.card"),
    Row("money with a card where both spaces are empty", at(you(), workers=workers(g58="1")), "g58.5", "gain.card"),
    Row("money with no card between two empty spaces", at(you(), workers=workers(g58="1")), "g58", None),
    Row("no worker, and no card", at(you()), "g45.5", "gain.worker"),
    Row("a card without a worker beside it", at(you()), "a23.2", "activate.worker"),
    Row("a card with somebody else's worker", at(you(), workers=workers(g12="1", g23="2")), "a23.2", "activate.worker"),
    Row("a card further off", at(you()), "a12.3", "activate.card"),
    Row("a space without a card", at(you(), workers=workers(g45="1")), "a45.5", "activate.card"),
    Row(
        "a card that was taken",
        at(you(), workers=workers(g12="112"), before=["a12.1", "@2 p23", "@3 p23"]),
        "a12.1",
        "activate.card",
    ),
    Row(
        "an unseen card without saying what it is",
        at(you(), market=market("?", "apprentice")),
        "a12.1",
        "activate.card",
    ),
    Row("no worker, no card, no money", at(you(money=0)), "a45.5", "activate.worker"),
    Row("the printed price", at(you(money=1)), "a12.1", "activate.money"),
    Row("the printed price, paid with the last coin", at(you(money=2)), "a12.1", None),
    Row("the crowd around the card", at(you(money=3), workers=workers(g12="12", g14="3")), "a12.1", "activate.money"),
    Row(
        "the crowd counts one's own other workers",
        at(you(money=2), workers=workers(g12="11")),
        "a12.1",
        "activate.money",
    ),
    Row(
        "the crowd elsewhere does not count",
        at(you(money=2), workers=workers(g12="1", g23="23", g25="2")),
        "a12.1",
        None,
    ),
    Row("the site of a second building", at(you(money=2, buildings=buildings("mansion"))), "a12.1", "activate.money"),
    Row("no site over an old building", at(you(money=2, buildings=buildings("mansion"))), "a12.1 o1", None),
    Row("no site over an inclined building", at(you(money=2, buildings=buildings("mansion/"))), "a12.1 o1", None),
    Row(
        "£3 off over a building with the symbol, not below 0",
        at(you(money=0, buildings=buildings("mine-1"))),
        "a12.1 o1",
        None,
    ),
    Row(
        "£3 off never comes off the crowd cost",
        at(you(money=0, buildings=buildings("mine-1")), workers=workers(g12="12")),
        "a12.1 o1",
        "activate.money",
    ),
    Row(
        "one £3 however many symbols match",
        at(you(money=2, buildings=buildings("laboratory-1")), market=market("laboratory-2")),
        "a12.1 o1",
        "activate.money",
    ),
    Row(
        "no £3 off without a shared symbol",
        at(you(money=1, buildings=buildings("workshop-1"))),
        "a12.1 o1",
        "activate.money",
    ),
    Row(
        "the value of the Banker's token",
        at(you(money=3), market=LONG, workers=workers(g47="1")),
        "a47.7 t3",
        "activate.money",
    ),
    Row("the Banker's smaller token", at(you(money=3), market=LONG, workers=workers(g47="1")), "a47.7 t2", None),
    Row(
        "the bonus of £5 does not pay for what brings it",
        at(you(money=2, points=7), market=LONG, workers=workers(g47="1")),
        "a47.7 t2",
        "activate.money",
    ),
    Row("the Apprentice's Spyrium", at(you(spyrium=0)), "a12.2", "activate.spyrium"),
    Row(
        "no money for the Apprentice's crowd, and no Spyrium",
        at(you(money=0, spyrium=0), workers=workers(g12="12")),
        "a12.2",
        "activate.money",
    ),
    Row("the Miner without choosing a token", at(you(), workers=workers(g36="1")), "a36.6", "character.token"),
    Row("a token that does not lie on the Miner", at(you(), workers=workers(g36="1")), "a36.6 t2", "character.token"),
    Row("a Miner without tokens", at(you(), market=market("miner")), "a12.1", "character.token"),
    Row("a Miner without tokens, one named", at(you(), market=market("miner")), "a12.1 t1", "character.token"),
    Row("money with a Miner without tokens", at(you(), market=market("miner")), "g12.1", None),
    Row("a character's effect not wanted", at(you()), "a12.2 no", "character.effect"),
    Row("over a building that is not there", at(you(buildings=buildings("mansion"))), "a12.1 o2", "building.over"),
    Row("the Architect without saying which", at(you(), market=market("architect:12")), "a12.1 t1", "residence.choice"),
    Row(
        "the Architect at the end of the track",
        at(you(residence=5), market=market("architect:12")),
        "a12.1 t1 rm",
        "residence.choice",
    ),
    Row(
        "a Residence without saying which",
        at(you(), market=LONG, workers=workers(g69="1")),
        "a69.9",
        "residence.choice",
    ),
)

BUILDINGS = (
    Row("a building that is not there", at(you(buildings=buildings("mine-2"))), "u2.1", "building.use"),
    Row("a building without an effect", at(you(buildings=buildings("mansion"))), "u1.1", "building.effect"),
    Row("a Residence used", at(you(buildings=buildings("residence-1"))), "u1.1", "building.effect"),
    Row("a Neighborhood used", at(you(buildings=buildings("neighbourhood-2"))), "u1.1", "building.effect"),
    Row("a building twice", at(you(buildings=buildings("mine-2/1"))), "u1.1", "building.upright"),
    Row("an effect that the building has not", at(you(buildings=buildings("workshop-1"))), "u1.2", "building.effect"),
    Row("a third effect of the Mine", at(you(buildings=buildings("mine-2"))), "u1.3", "building.effect"),
    Row("a worker that is not active", at(you(active=0, buildings=buildings("mine-1"))), "u1.1", "building.workers"),
    Row(
        "one worker for an effect with two",
        at(you(active=1, spyrium=9, buildings=buildings("factory-1"))),
        "u1.2",
        "building.workers",
    ),
    Row(
        "a Mine without a worker with Automation",
        at(you(active=0, techniques=("automation",), buildings=buildings("mine-1"))),
        "u1.1",
        None,
    ),
    Row(
        "a University without a worker, Automation or not",
        at(you(active=0, techniques=("automation",), buildings=buildings("university-1"))),
        "u1.1",
        "building.workers",
    ),
    Row("Spyrium that is not there", at(you(spyrium=0, buildings=buildings("workshop-1"))), "u1.1", "building.spyrium"),
    Row(
        "neither worker nor Spyrium",
        at(you(active=0, spyrium=0, buildings=buildings("workshop-1"))),
        "u1.1",
        "building.workers",
    ),
    Row("inclined, and no worker", at(you(active=0, buildings=buildings("workshop-1/1"))), "u1.1", "building.upright"),
    Row("a pass with a worker in the market", at(you()), "x", "pass.workers"),
    Row("a pass with a worker between two empty spaces", at(you(), workers=workers(g58="1")), "x", "pass.workers"),
    Row("a pass with everybody else's workers in the market", at(you(), workers=workers(g12="23")), "x", None),
    Row("the first player card stays", done(), deal(f"{NEXT} mine-1 {EIGHT}", first=1), "first.left"),
    Row("the first player card moves to the right", done(), deal(f"{NEXT} mine-1 {EIGHT}", first=3), "first.left"),
    Row("the first round begun by somebody else", new(), deal(f"exchange estate {NINE}", first=2), "first.left"),
)

BONUSES = (
    Row("a turn before the bonus is chosen", at(you(points=9, bonus_due=True), last=1), "@2 p12", "bonus.pending"),
    Row("one's own turn before the bonus is chosen", at(you(points=9, bonus_due=True)), "g12.1", "bonus.pending"),
    Row(
        "the second player's bonus before the first's",
        at(you(bonus_due=True), mat(2, bonus_due=True)),
        "@2 b5",
        "bonus.pending",
    ),
    Row(
        "a turn out of order before the bonus is chosen",
        at(you(points=9, bonus_due=True), last=1),
        "@3 p12",
        "turn.order",
    ),
    Row("the first player's bonus first", at(you(bonus_due=True), mat(2, bonus_due=True)), "@1 b5", None),
    Row(
        "the first player's bonus comes first, whoever is seat 1",
        at(you(bonus_due=True), mat(3, bonus_due=True), first=3),
        "@1 bw",
        "bonus.pending",
    ),
    Row(
        "a deal before the bonus is chosen",
        done(MatAt(seat=2, points=9, bonus_due=True)),
        f"deal {NEXT} mine-1 {EIGHT}",
        "bonus.pending",
    ),
    Row(
        "the count before the bonus is chosen",
        done(MatAt(seat=2, points=9, bonus_due=True), round=6),
        "final",
        "bonus.pending",
    ),
    Row("a bonus nobody owes", at(you(points=9)), TakeBonus(seat=1, bonus="money"), "bonus.pending"),
    Row("a bonus that was taken", at(you(bonus_due=True, bonuses=("money",))), "@1 bw", "bonus.choice"),
    Row("the bonus that is left", at(you(bonus_due=True, bonuses=("money",))), "@1 b5", None),
    Row("the worker although seven are owned", at(you(bonus_due=True, workers=7, active=6)), "@1 bw", None),
)

LOBBIES = {"techniques": ("lobbying",)}
TRADES = {"techniques": ("commerce",)}
WORKS = {"techniques": ("taylorism",)}
CROWDED = workers(g12="12")

TECHNIQUES = (
    Row("Lobbying without the technique", at(you(), workers=CROWDED), "a12.1 lob", "lobbying.once"),
    Row(
        "Lobbying for the second time",
        at(you(tilted=("lobbying",), **LOBBIES), workers=CROWDED),
        "a12.1 lob",
        "lobbying.once",
    ),
    Row("Lobbying pays the crowd", at(you(money=2, **LOBBIES), workers=CROWDED), "a12.1 lob", None),
    Row(
        "Lobbying that is not declared pays nothing",
        at(you(money=2, **LOBBIES), workers=CROWDED),
        "a12.1",
        "activate.money",
    ),
    Row("Lobbying declared where nobody else stands", at(you(**LOBBIES)), "a12.1 lob", None),
    Row(
        "Lobbying while it is bought",
        at(you(), market=market("lobbying"), workers=CROWDED),
        "a12.1 lob",
        "lobbying.once",
    ),
    Row("Taylorism without the technique", at(you(buildings=buildings("mine-2/"))), "r1.1", "taylorism.once"),
    Row(
        "Taylorism for the second time",
        at(you(tilted=("taylorism",), buildings=buildings("mine-2/"), **WORKS)),
        "r1.1",
        "taylorism.once",
    ),
    Row("Taylorism on an upright building", at(you(buildings=buildings("mine-2"), **WORKS)), "r1.1", "reuse.inclined"),
    Row("Taylorism on a building that is not there", at(you(**WORKS)), "r1.1", "building.use"),
    Row(
        "Taylorism on a building without an effect",
        at(you(buildings=buildings("mansion/"), **WORKS)),
        "r1.1",
        "building.effect",
    ),
    Row(
        "Taylorism without the building's worker",
        at(you(active=0, buildings=buildings("mine-1/1"), **WORKS)),
        "r1.1",
        "building.workers",
    ),
    Row(
        "Taylorism without the building's Spyrium",
        at(you(spyrium=0, buildings=buildings("workshop-1/1"), **WORKS)),
        "r1.1",
        "building.spyrium",
    ),
    Row(
        "Taylorism with an effect the building has not",
        at(you(buildings=buildings("mine-1/1"), **WORKS)),
        "r1.2",
        "building.effect",
    ),
    Row(
        "Taylorism and overtime on one building in a round",
        on_event("overtime", you(active=3, tilted=("taylorism",), buildings=buildings("mine-2/"), **WORKS)),
        "e u1.1",
        None,
    ),
    Row(
        "Commerce without the technique",
        at(you(), market=LONG, workers=workers(g47="1")),
        "a47.7 t3 c1",
        "commerce.once",
    ),
    Row(
        "Commerce for the second time",
        at(you(tilted=("commerce",), **TRADES), market=LONG, workers=workers(g47="1")),
        "a47.7 t3 c1",
        "commerce.once",
    ),
    Row(
        "Commerce on the event after Commerce on a card",
        on_event("windfall", you(tilted=("commerce",), **TRADES)),
        "e money c3",
        "commerce.once",
    ),
    Row("Commerce on a card without a token", at(you(**TRADES)), "a12.1 c3", "commerce.value"),
    Row("Commerce on an event without a token", at(you(**TRADES)), "e n1 c3", "commerce.value"),
    Row(
        "Commerce pays £1 for a token of value 3",
        at(you(money=2, **TRADES), market=LONG, workers=workers(g47="1")),
        "a47.7 t3 c1",
        None,
    ),
    Row(
        "Commerce to £3 for a token of value 2",
        at(you(money=3, **TRADES), market=LONG, workers=workers(g47="1")),
        "a47.7 t2 c3",
        "activate.money",
    ),
    Row(
        "Commerce that leaves the value as it is",
        at(you(**TRADES), market=LONG, workers=workers(g47="1")),
        "a47.7 t2 c2",
        None,
    ),
    Row(
        "Commerce on a token that is not there",
        at(you(**TRADES), market=LONG, workers=workers(g47="1")),
        "a47.7 t1 c1",
        "character.token",
    ),
    Row("Commerce on the University's token", at(you(**TRADES), workers=workers(g14="1")), "a14.4 c3", None),
)

ENDS = (
    Row("the count in the fifth round", done(round=5), FinalCount(), "final.due"),
    Row("the count while somebody plays", at(round=6), FinalCount(), "final.due"),
    Row("the count a second time", done(round=6, before=["final"]), FinalCount(), "final.due"),
    Row("the count before the first deal", new(), FinalCount(), "final.due"),
    Row("the count when it is due", done(round=6), FinalCount(), None),
)

STRAYS = (
    Row(
        "an event declined and a choice made",
        at(you(), options=Options(event_effect="may-fizzle")),
        "e no n1",
        "choice.stray",
    ),
    Row("a token named for the Mine", at(you()), "a12.1 t1", "choice.stray"),
    Row(
        "a token named for the Geologist", at(you(), market=LONG, workers=workers(g56="1")), "a56.6 t1", "choice.stray"
    ),
    Row("the Apprentice over a building", at(you(buildings=buildings("mansion"))), "a12.2 o1", "choice.stray"),
    Row(
        "the Crane over a building",
        at(you(buildings=buildings("mansion")), workers=workers(g23="1")),
        "a23.3 o1",
        "choice.stray",
    ),
    Row("a residence action with the Mine", at(you()), "a12.1 rs", "choice.stray"),
    Row("a Mine's effect not wanted", at(you()), "a12.1 no", "choice.stray"),
    Row("a name for a card that everybody sees", at(you()), "a12.1 =mansion", "choice.stray"),
    Row("money of the exchange", at(you()), "e n1 money", "choice.stray"),
    Row("a gap for the exchange", at(you()), "e n1 p12", "choice.stray"),
    Row("a building for the exchange", at(you(buildings=buildings("mine-2/"))), "e n1 u1.1", "choice.stray"),
    Row("a choice with recruitment", on_event("recruitment"), "e n1", "choice.stray"),
    Row("a residence action with the windfall", on_event("windfall"), "e money rs", "choice.stray"),
)


# Two rules are broken at once: the one that stands first in the rulebook comes first.
ORDER = (
    Row(
        "the latecomer in phase I without a worker",
        on_event("latecomer", you(phase=1, active=0)),
        "e p12",
        "worker.active",
    ),
    Row(
        "overtime without £1 on an upright building",
        on_event("overtime", you(money=0, buildings=buildings("mine-2"))),
        "e u1.1",
        "reuse.inclined",
    ),
    Row(
        "overtime without £1 and without the building's worker",
        on_event("overtime", you(money=0, active=0, buildings=buildings("workshop-1/1"))),
        "e u1.1",
        "building.workers",
    ),
    Row(
        "the estate without Spyrium at the end of the track",
        on_event("estate", you(spyrium=0, residence=5)),
        "e rm",
        "residence.choice",
    ),
    Row(
        "Taylorism without the technique on an upright building",
        at(you(buildings=buildings("mine-2"))),
        "r1.1",
        "reuse.inclined",
    ),
    Row(
        "another round's number, the visible event not followed, eight cards",
        done(),
        deal(f"investment overtime {EIGHT}", round=5),
        "round.number",
    ),
    # a deal that comes too early says that and nothing else: the rest only follows from it
    Row("eight cards while somebody has still to pass", at(), f"deal {NEXT} {EIGHT}", "turn.order"),
    Row(
        "Commerce without the technique, and the money missing",
        at(you(money=0), market=LONG, workers=workers(g47="1")),
        "a47.7 t3 c1",
        "activate.money",
    ),
)

# A misplayed game can leave somebody below zero: what costs nothing can still be done.
DEBTS = (
    Row("money for Spyrium with a debt", at(you(money=-1)), "e n1", None),
    Row("points for money with a debt of Spyrium", on_event("investment", you(spyrium=-1)), "e n1", None),
    Row("a free character with a debt", at(you(money=-1)), "a12.2", None),
    Row("a Mine built with a debt of Spyrium", at(you(spyrium=-1)), "a12.1", None),
    Row("a Mine used with a debt of Spyrium", at(you(spyrium=-1, buildings=buildings("mine-1"))), "u1.1", None),
    Row(
        "a Mine without a worker, one too many was placed",
        at(you(active=-1, buildings=buildings("mine-2"))),
        "u1.1",
        None,
    ),
)

UNKNOWN = (
    Row(
        "the visible event that nobody looked at",
        new(before=[f"deal exchange ? {NINE}", *all_pass()]),
        f"deal investment estate mine-1 {EIGHT.replace('automation', 'commerce')}",
        None,
    ),
    Row(
        "the visible event that a position does not tell",
        done(next_event=None),
        f"deal investment overtime mine-1 {EIGHT}",
        None,
    ),
    Row(
        "an unseen card turns out to be one of the third period",
        at(you(money=20), market=market("?", "apprentice")),
        "a12.1 =palace",
        "cards.deck",
        "sheet",
    ),
)

# The Architect's copies are read off for the second period only.
READ_ARCHITECT = PRICES_READ.with_readings(Printed(of="architect", what="copies-b", value=1, source="read"))

# As it ships: nearly every price is assumed, and the end of the track; the Apprentice's price is certain.
SHIPPED = SPYRIUM.sheet()
ONE_POUND_MINE = SHIPPED.with_readings(Printed(of="mine-1", what="price", value=1, source="read"))

SECOND_PERIOD = "workshop-2 workshop-2 mine-3:1 factory-1 factory-1 mansion engineer adviser"

CERTAINTY = (
    Row("a price that nobody read", at(you(money=1), sheet=SHIPPED), "a12.1", "activate.money", "sheet"),
    Row("a price that somebody read", at(you(money=0), sheet=ONE_POUND_MINE), "a12.1", "activate.money"),
    Row(
        "a price that nobody read, and more workers around than money",
        at(you(money=1), sheet=SHIPPED, workers=workers(g12="123")),
        "a12.1",
        "activate.money",
    ),
    Row(
        "a price that nobody read, and as many workers around as money",
        at(you(money=2), sheet=SHIPPED, workers=workers(g12="123")),
        "a12.1",
        "activate.money",
        "sheet",
    ),
    Row(
        "the certain price of the Apprentice",
        at(you(money=0), sheet=SHIPPED, workers=workers(g12="12")),
        "a12.2",
        "activate.money",
    ),
    Row(
        "a price that nobody read, and nothing left for the second site",
        at(you(money=0, buildings=buildings("mansion")), sheet=SHIPPED),
        "a12.1",
        "activate.money",
    ),
    Row(
        "a price that was read, over a building of which nobody read the symbols",
        at(you(money=0, buildings=buildings("mansion")), sheet=ONE_POUND_MINE),
        "a12.1 o1",
        "activate.money",
        "sheet",
    ),
    Row(
        "a price that was read, over a building whose symbols are certain",
        at(you(money=0, buildings=buildings("workshop-1")), sheet=ONE_POUND_MINE),
        "a12.1 o1",
        "activate.money",
    ),
    Row(
        "a step behind the last space of the track that anybody knows of",
        on_event("estate", you(residence=5), sheet=SHIPPED),
        "e rm",
        "residence.choice",
        "sheet",
    ),
    Row(
        "no choice at the end of the track, wherever it ends",
        on_event("estate", you(residence=5), sheet=SHIPPED),
        "e",
        "residence.choice",
    ),
    Row(
        "a step behind it without a Spyrium to pay with",
        on_event("estate", you(residence=5, spyrium=0), sheet=SHIPPED),
        "e rm",
        "estate.spyrium",
    ),
    Row(
        "a fourth Architect in all, three of them in a period nobody has read",
        done(round=3, sheet=READ_ARCHITECT, market=market("architect:12", "architect:12", "architect:12")),
        f"deal {NEXT} architect:12 {SECOND_PERIOD}",
        "cards.deck",
        "sheet",
    ),
    Row(
        "a second Architect of the second period, whose number somebody has read",
        done(round=3, sheet=READ_ARCHITECT),
        f"deal {NEXT} architect:12 architect:12 {SECOND_PERIOD.replace(' adviser', '')}",
        "cards.deck",
    ),
    Row(
        "a technique that somebody had when the recording began",
        done(MatAt(seat=2, techniques=("lobbying",)), round=3),
        f"deal {NEXT} lobbying {SECOND_PERIOD}",
        "cards.composition",
    ),
    Row(
        "nine characters in one market",
        new(before=[CHARACTERS, *all_pass()]),
        "deal estate investment mine-1 mine-1 mine-1 mine-2 mine-2 workshop-1 workshop-1 crane commerce",
        None,
    ),
)


# --- options of S-11: the same event under both readings -----------------------------------------


def both(name: str, event: str | Say | Any, rule: str, /, *, no: Options, yes: Options, **position: Any) -> list[Row]:
    """Refused under one reading, legal under the other."""
    made = position.pop("made", at)
    mats = position.pop("mats", (you(),))
    return [
        Row(f"{name}: refused", made(*mats, options=no, **position), event, rule),
        Row(f"{name}: legal", made(*mats, options=yes, **position), event, None),
    ]


TAYLOR = (you(active=3, buildings=buildings("mine-2"), **WORKS),)
TAYLOR_USED = (you(active=3, buildings=buildings("mine-2/"), **WORKS),)
ALONE = (mat(2, passed=True), mat(3, passed=True))

# Seat 1 holds seven tokens, the Banker the only other one that nobody keeps.
LAST_TOKEN: dict[str, Any] = {
    "mats": (you(kept=(1,) * 7, **TRADES), mat(2, passed=True, kept=(1, *(2,) * 8, *(3,) * 7)), mat(3, passed=True)),
    "market": market("banker:3"),
    "before": ["a12.1 t3", "x"],
}
CHAINED = Options(taylorism_action="chained")
FIZZLES = Options(event_effect="may-fizzle")
DECLINES = Options(character_effect="may-decline")

READINGS = (
    Row(
        "chained Taylorism without the technique",
        at(you(buildings=buildings("mine-2")), options=CHAINED),
        "u1.1.1",
        "taylorism.once",
    ),
    Row(
        "chained Taylorism for the second time",
        at(you(tilted=("taylorism",), buildings=buildings("mine-2"), **WORKS), options=CHAINED),
        "u1.1.1",
        "taylorism.once",
    ),
    Row(
        "chained Taylorism with one worker for two uses",
        at(you(active=1, buildings=buildings("mine-1"), **WORKS), options=CHAINED),
        "u1.1.1",
        "building.workers",
    ),
    Row(
        "chained Taylorism with one Spyrium for two uses",
        at(you(spyrium=1, buildings=buildings("workshop-1"), **WORKS), options=CHAINED),
        "u1.1.1",
        "building.spyrium",
    ),
    Row(
        "chained Taylorism with an effect the building has not",
        at(you(buildings=buildings("mine-1"), **WORKS), options=CHAINED),
        "u1.1.2",
        "building.effect",
    ),
    Row(
        "chained Taylorism with the worker of the bonus that the first use brings",
        at(you(points=6, active=1, buildings=buildings("workshop-1"), **WORKS), options=CHAINED),
        "u1.1.1",
        None,
    ),
    Row(
        "chained Taylorism whose first use stays short of the bonus",
        at(you(points=4, active=1, buildings=buildings("workshop-1"), **WORKS), options=CHAINED),
        "u1.1.1",
        "building.workers",
    ),
    Row(
        "a residence action declined where nothing asks for one",
        at(you(), options=Options(residence_action="may-decline")),
        "a12.1 rk",
        "choice.stray",
    ),
    Row(
        "a residence action neither taken nor declined",
        at(you(), options=Options(residence_action="may-decline"), market=market("residence-1")),
        "a12.1",
        "residence.choice",
    ),
    Row(
        "a character without tokens, its effect declined",
        at(you(), options=DECLINES, market=market("miner")),
        "a12.1 no",
        "character.token",
    ),
    Row("a character that takes Spyrium, its effect declined", at(you(spyrium=0), options=DECLINES), "a12.2 no", None),
    Row("a building's effect declined", at(you(), options=DECLINES), "a12.1 no", "choice.stray"),
    Row("an event that takes Spyrium, its effect declined", at(you(spyrium=0), options=FIZZLES), "e no", None),
    *both(
        "taylorism-action, own-use against chained: a reuse in the first use",
        "u1.1.1",
        "taylorism.once",
        no=Options(),
        yes=Options(taylorism_action="chained"),
        mats=TAYLOR,
    ),
    *both(
        "taylorism-action, own-use against either: a reuse in the first use",
        "u1.1.2",
        "taylorism.once",
        no=Options(),
        yes=Options(taylorism_action="either"),
        mats=TAYLOR,
    ),
    *both(
        "taylorism-action, chained against own-use: a reuse of its own",
        "r1.1",
        "taylorism.once",
        no=Options(taylorism_action="chained"),
        yes=Options(),
        mats=TAYLOR_USED,
    ),
    *both(
        "taylorism-action, chained against either: a reuse of its own",
        "r1.1",
        "taylorism.once",
        no=Options(taylorism_action="chained"),
        yes=Options(taylorism_action="either"),
        mats=TAYLOR_USED,
    ),
    *both(
        "token-reshuffle: a token discarded since the reserve ran out",
        f"deal investment overtime university-1:3 {EIGHT}",
        "tokens.reserve",
        no=Options(token_reshuffle="when-empty"),
        yes=Options(),
        made=done,
        mats=KEPT,
        round=1,
        market=market("crane"),
        discard=(1,) * 3,
        before=[
            f"deal {NEXT} university-1:3 mine-1 mine-1 mine-2 workshop-1 workshop-1 laboratory-1 apprentice commerce",
            *all_pass(),
        ],
    ),
    *both(
        "event-effect: an event without its effect",
        "e no",
        "event.effect",
        no=Options(),
        yes=Options(event_effect="may-fizzle"),
    ),
    *both(
        "character-effect: a character without the effect",
        "a12.2 no",
        "character.effect",
        no=Options(),
        yes=Options(character_effect="may-decline"),
    ),
    *both(
        "replaced-workers: a worker of the replaced building works again",
        "u2.1",
        "building.workers",
        no=Options(),
        yes=Options(replaced_workers="active"),
        mats=(you(active=0, buildings=buildings("workshop-1/1", "mine-1")), *ALONE),
        before=["a12.1 o1"],
    ),
    *both(
        "building-count: the site after a replacement",
        "a23.3",
        "activate.money",
        no=Options(building_count="ever-built"),
        yes=Options(),
        mats=(you(money=4, buildings=buildings("mine-1")), *ALONE),
        market=market("mine-1", "-", "workshop-1"),
        workers=workers(g12="1", g23="1"),
        before=["a12.1 o1"],
    ),
    *both(
        "crane-scores: points of the count for a building that was replaced bring a bonus",
        "@1 b5",
        "bonus.pending",
        no=Options(bonus_in_final_scoring="yes"),
        yes=Options(bonus_in_final_scoring="yes", crane_scores="built"),
        mats=(you(points=5, techniques=("crane",), buildings=buildings("mine-1")), *ALONE),
        round=6,
        before=["a12.1 o1", "x", "final"],
    ),
    *both(
        "residence-action: a residence action declined",
        "a12.1 rk",
        "residence.choice",
        no=Options(),
        yes=Options(residence_action="may-decline"),
        market=market("residence-1"),
    ),
    *both(
        "crane-discount: £3 off the price too",
        "a12.1",
        "activate.money",
        no=Options(),
        yes=Options(crane_discount="whole-cost"),
        mats=(you(money=0, techniques=("crane",)),),
    ),
    *both(
        "commerce-event-token: the windfall after the token was taken",
        "@2 e points",
        "event.effect",
        no=Options(commerce_event_token="taken"),
        yes=Options(),
        mats=(you(**TRADES), mat(2)),
        event="windfall",
        event_token=2,
        before=["e money"],
    ),
    *both(
        "empty-gap-capitalization: £2 that pay for the Mine",
        "a12.1",
        "activate.money",
        no=Options(empty_gap_capitalization="nothing"),
        yes=Options(),
        mats=(you(money=0, techniques=("capitalization",)), *ALONE),
        workers=workers(g12="1", g58="1"),
        before=["g58"],
    ),
    *both(
        "bonus-in-final-scoring: a bonus after the count",
        "@1 b5",
        "bonus.pending",
        no=Options(),
        yes=Options(bonus_in_final_scoring="yes"),
        made=done,
        mats=(MatAt(seat=1, points=6, buildings=buildings("luxury-home")),),
        round=6,
        before=["final"],
    ),
    *both(
        "bonus-worker-at-seven: £5 that pay for the Mine",
        "a12.1",
        "activate.money",
        no=Options(),
        yes=Options(bonus_worker_at_seven="five-pounds"),
        mats=(you(money=0, workers=7, active=6, bonus_due=True), *ALONE),
        before=["@1 bw"],
    ),
    *both(
        "taylorism-scores: points at the end of the round bring a bonus",
        "@1 b5",
        "bonus.pending",
        no=Options(),
        yes=Options(taylorism_scores="end-of-round"),
        made=done,
        mats=(MatAt(seat=1, points=7, techniques=("taylorism",)),),
        before=[f"deal {NEXT} mine-1 {EIGHT}"],
    ),
    *both(
        "engineering-scores: points of the count that bring a bonus",
        "@1 b5",
        "bonus.pending",
        no=Options(bonus_in_final_scoring="yes", engineering_scores="count"),
        yes=Options(bonus_in_final_scoring="yes"),
        made=done,
        mats=(MatAt(seat=1, points=0, techniques=("engineering",), buildings=buildings("factory-1")),),
        round=6,
        before=["final"],
    ),
    *both(
        "commerce-limit: the eighth token was discarded and is drawn again",
        f"deal {NEXT} university-1:3 {EIGHT}",
        "tokens.composition",
        no=Options(commerce_limit="seven-points"),
        yes=Options(),
        **LAST_TOKEN,
    ),
    *both(
        "commerce-limit: the eighth token is kept and no token is left",
        f"deal {NEXT} university-1 {EIGHT}",
        "market.tokens",
        no=Options(),
        yes=Options(commerce_limit="seven-points"),
        **LAST_TOKEN,
    ),
)

ROWS: tuple[Row, ...] = (
    *COMPONENTS,
    *ROUNDS,
    *DRAWS,
    *DECKS,
    *TURNS,
    *PLACING,
    *EVENTS,
    *ACTIVATION,
    *BUILDINGS,
    *BONUSES,
    *TECHNIQUES,
    *ENDS,
    *STRAYS,
    *ORDER,
    *DEBTS,
    *UNKNOWN,
    *CERTAINTY,
    *READINGS,
)


# --- effects: what moves, counted by hand, and which cause a scribe then gets wrong ----------------


class Wrong(NamedTuple):
    """What an event moves by the rules, and one cause of it that is left out: found under that cause's rule."""

    name: str
    at: At
    event: str | Say | Any
    moved: str
    left_out: str
    number: str
    facts: tuple[Fact, ...] = ()


def postings(text: str) -> tuple[Posting[str, str], ...]:
    """`money -2 price` is seat 1's, `3 money +2 revenue` another seat's."""
    return tuple(_posting(*part.split()) for part in text.split(", ") if part)


def _posting(*words: str) -> Posting[str, str]:
    who, what, n, why = ("1", *words) if len(words) == 3 else words
    return Posting(int(who), what, int(n), why)


def tech(*names: str, **own: Any) -> MatAt:
    return you(bonuses=(), **{"techniques": names, **own})


def final(*cards: str, **own: Any) -> At:
    return done(MatAt(seat=1, points=0, money=0, spyrium=0, bonuses=(), buildings=buildings(*cards), **own), round=6)


REVENUE = "money +2 revenue, 2 money +2 revenue, 3 money +2 revenue"
FOUR = buildings("palace", "mansion", "luxury-home", "residence-1")

WRONG: tuple[Wrong, ...] = (
    Wrong("revenue", done(), f"deal {NEXT} mine-1 {EIGHT}", REVENUE, "revenue", "S-4.1"),
    Wrong(
        "revenue after moves along the track",
        done(MatAt(seat=1, residence=3)),
        f"deal {NEXT} mine-1 {EIGHT}",
        "money +4 revenue, 2 money +2 revenue, 3 money +2 revenue",
        "revenue",
        "S-4.1",
    ),
    Wrong(
        "money for the others around the card",
        at(you(), workers=workers(g12="112", g14="3", g23="2")),
        "g12.1",
        "money +3 gain",
        "gain",
        "S-5.5",
    ),
    Wrong("the printed price", at(you()), "a12.1", "money -2 price", "price", "S-5.6.1"),
    Wrong(
        "the crowd",
        at(you(), workers=workers(g12="122")),
        "a12.1",
        "money -2 price, money -2 crowd",
        "crowd",
        "S-5.6.1",
    ),
    Wrong(
        "the site of a third building",
        at(you(buildings=buildings("mansion", "palace"))),
        "a12.1",
        "money -2 price, money -2 site",
        "site",
        "S-5.6.4",
    ),
    Wrong(
        "the symbol's discount, not below 0",
        at(you(buildings=buildings("mine-2/1"))),
        "a12.1 o1",
        "money -2 price, money +2 symbol",
        "symbol",
        "S-5.6.4",
    ),
    Wrong(
        "one symbol's discount where two match",
        at(you(buildings=buildings("laboratory-1")), market=market("laboratory-2")),
        "a12.1 o1",
        "money -6 price, money +3 symbol",
        "symbol",
        "S-5.6.4",
    ),
    Wrong("the Miner's token", at(you(), workers=workers(g36="1")), "a36.6 t3", "spyrium +3 token", "token", "S-7.1"),
    Wrong(
        "the Bureaucrat's token",
        at(you(), market=market("bureaucrat:12")),
        "a12.1 t2",
        "money -1 price, points +2 token",
        "token",
        "S-7.1",
    ),
    Wrong(
        "the Banker's token",
        at(you(), market=LONG, workers=workers(g47="1")),
        "a47.7 t2",
        "money -1 price, money -2 token, points +4 effect",
        "token",
        "S-7.1",
    ),
    Wrong(
        "the Banker's points",
        at(you(), market=LONG, workers=workers(g47="1")),
        "a47.7 t2",
        "money -1 price, money -2 token, points +4 effect",
        "effect",
        "S-9",
    ),
    Wrong(
        "the University's token",
        at(you(), workers=workers(g14="1")),
        "a14.4",
        "money -4 price, points +2 token",
        "token",
        "S-7.1",
    ),
    Wrong(
        "the big Mine's token",
        at(you(), market=market("mine-3:3")),
        "a12.1",
        "money -5 price, spyrium +3 token",
        "token",
        "S-7.1",
    ),
    Wrong("the windfall's token", on_event("windfall"), "e money", "money +2 token", "token", "S-7.1"),
    Wrong("the Apprentice", at(you()), "a12.2", "spyrium -1 effect, points +3 effect", "effect", "S-9"),
    Wrong(
        "the Geologist",
        at(you(), market=LONG, workers=workers(g56="1")),
        "a56.6",
        "money -1 price, spyrium +2 effect",
        "effect",
        "S-9",
    ),
    Wrong(
        "a Residence scored on the third space",
        at(you(residence=3), market=LONG, workers=workers(g69="1")),
        "a69.9 rs",
        "money -3 price, points +4 effect",
        "effect",
        "S-9",
    ),
    Wrong(
        "a Residence that moves the disc",
        at(you(), market=LONG, workers=workers(g69="1")),
        "a69.9 rm",
        "money -3 price, residence +1 effect",
        "effect",
        "S-9",
    ),
    Wrong(
        "two new workers, one in the reserve",
        at(you(workers=6, active=5), market=market("neighbourhood-2")),
        "a12.1",
        "money -6 price, workers +1 effect",
        "effect",
        "S-9",
    ),
    Wrong("recruitment", on_event("recruitment"), "e", "money -3 event, workers +1 event", "event", "S-8"),
    Wrong(
        "recruitment, a worker for each pound",
        on_event("recruitment", options=Options(recruitment_count="one-per-pound")),
        "e",
        "money -3 event, workers +3 event",
        "event",
        "S-8",
    ),
    Wrong(
        "recruitment, a worker for each pound, one in the reserve",
        on_event("recruitment", you(workers=6, active=5), options=Options(recruitment_count="one-per-pound")),
        "e",
        "money -6 event, workers +1 event",
        "event",
        "S-8",
    ),
    Wrong("the exchange of three", at(you(spyrium=3)), "e n2", "spyrium -3 event, money +6 event", "event", "S-8"),
    Wrong("the investment of six", on_event("investment"), "e n2", "money -6 event, points +5 event", "event", "S-8"),
    Wrong(
        "overtime",
        on_event("overtime", you(buildings=buildings("mine-2/"))),
        "e u1.1",
        "money -1 event, spyrium +1 effect",
        "event",
        "S-8",
    ),
    Wrong(
        "the second bonus by itself",
        at(you(points=18, bonuses=("money",)), market=market("adviser")),
        "a12.1",
        "money -2 price, points +3 effect, money +5 bonus",
        "bonus",
        "S-7.3",
        (BonusTaken(seat=1, bonus="money"),),
    ),
    Wrong(
        "no bonus short of 20",
        at(you(points=16, bonuses=("money",)), market=market("adviser")),
        "a12.1",
        "money -2 price, points +3 effect",
        "price",
        "S-5.6.1",
    ),
    Wrong("the bonus of £5", at(you(points=8, bonus_due=True)), "b5", "money +5 bonus", "bonus", "S-7.3"),
    Wrong(
        "both bonuses after one gain",
        at(you(points=22, bonus_due=True)),
        "bw",
        "workers +1 bonus, money +5 bonus",
        "bonus",
        "S-7.3",
        (BonusTaken(seat=1, bonus="money"),),
    ),
    Wrong(
        "the worker's bonus at seven, £5 instead",
        at(you(points=8, bonus_due=True, workers=7, active=6), options=Options(bonus_worker_at_seven="five-pounds")),
        "bw",
        "money +5 bonus",
        "bonus",
        "S-7.3",
    ),
    Wrong(
        "Capitalization",
        at(tech("capitalization"), workers=workers(g12="12")),
        "g12.1",
        "money +1 gain, money +2 capitalization",
        "capitalization",
        "S-9.3.2",
    ),
    Wrong(
        "Capitalization where nobody else stands",
        at(tech("capitalization")),
        "g12.1",
        "money +2 capitalization",
        "capitalization",
        "S-9.3.2",
    ),
    Wrong(
        "Capitalization between two empty spaces",
        at(tech("capitalization"), workers=workers(g58="1")),
        "g58",
        "money +2 capitalization",
        "capitalization",
        "S-9.3.2",
    ),
    Wrong(
        "Engineering with two workers",
        at(tech("engineering", spyrium=3, buildings=buildings("factory-1"))),
        "u1.2",
        "spyrium -3 effect, points +10 effect, points +2 engineering",
        "engineering",
        "S-9.3.3",
        (WorkersSent(seat=1, slot=1, n=2),),
    ),
    Wrong(
        "Engineering in a laboratory reused",
        on_event("overtime", tech("engineering", buildings=buildings("laboratory-1/1"))),
        "e u1.1",
        "money -1 event, spyrium -1 effect, points +4 effect, points +1 engineering",
        "engineering",
        "S-9.3.3",
        (WorkersSent(seat=1, slot=1, n=1),),
    ),
    Wrong(
        "Lobbying",
        at(tech("lobbying"), workers=workers(g12="123")),
        "a12.1 lob",
        "money -2 price, money -2 crowd, money +2 lobbying",
        "lobbying",
        "S-9.3.4",
    ),
    Wrong(
        "the Crane on the fifth site",
        at(tech("crane", buildings=FOUR)),
        "a12.1",
        "money -2 price, money -4 site, money +3 crane",
        "crane",
        "S-9.3.5",
    ),
    Wrong(
        "the Crane on the third site",
        at(tech("crane", buildings=FOUR[:2])),
        "a12.1",
        "money -2 price, money -2 site, money +2 crane",
        "crane",
        "S-9.3.5",
    ),
    Wrong(
        "the Crane off the whole cost",
        at(tech("crane"), options=Options(crane_discount="whole-cost")),
        "a12.1",
        "money -2 price, money +2 crane",
        "crane",
        "S-9.3.5",
    ),
    Wrong(
        "Taylorism at the end of a round",
        done(MatAt(seat=1, techniques=("taylorism",), workers=4), options=Options(taylorism_scores="end-of-round")),
        f"deal {NEXT} mine-1 {EIGHT}",
        f"points +4 taylorism, {REVENUE}",
        "taylorism",
        "S-9.3.6",
    ),
    Wrong(
        "Commerce on the Banker",
        at(tech("commerce"), market=LONG, workers=workers(g47="1")),
        "a47.7 t3 c1",
        "money -1 price, money -3 token, money +2 commerce, points +4 effect",
        "commerce",
        "S-9.3.7",
        (TokenKept(seat=1, value=3),),
    ),
    Wrong(
        "Commerce on the windfall",
        on_event("windfall", tech("commerce")),
        "e points c3",
        "points +2 token, points +1 commerce",
        "commerce",
        "S-9.3.7",
    ),
    Wrong(
        "printed points", final("mansion", "mine-1"), "final", "points +10 final:buildings", "final:buildings", "S-10.1"
    ),
    Wrong(
        "Automation, at most seven",
        done(MatAt(seat=1, spyrium=8, techniques=("automation",), bonuses=()), round=6),
        "final",
        "points +7 final:automation",
        "final:automation",
        "S-9.3.1",
    ),
    Wrong(
        "Capitalization, each full £2",
        done(MatAt(seat=1, money=9, techniques=("capitalization",), bonuses=()), round=6),
        "final",
        "points +4 final:capitalization",
        "final:capitalization",
        "S-9.3.2",
    ),
    Wrong(
        "Engineering, the printed points",
        final("factory-1", "mine-1", techniques=("engineering",)),
        "final",
        "points +6 final:buildings, points +5 final:engineering",
        "final:engineering",
        "S-9.3.3",
    ),
    Wrong(
        "Lobbying, the residence space",
        final(techniques=("lobbying",), residence=3),
        "final",
        "points +4 final:lobbying",
        "final:lobbying",
        "S-9.3.4",
    ),
    Wrong(
        "the Crane, one each",
        final("mine-1", "mine-2", "palace", techniques=("crane",)),
        "final",
        "points +15 final:buildings, points +3 final:crane",
        "final:crane",
        "S-9.3.5",
    ),
    Wrong(
        "Taylorism, one each",
        final(techniques=("taylorism",), workers=5),
        "final",
        "points +5 final:taylorism",
        "final:taylorism",
        "S-9.3.6",
    ),
    Wrong(
        "Commerce, one each",
        final(techniques=("commerce",), kept=(1, 3, 3)),
        "final",
        "points +3 final:commerce",
        "final:commerce",
        "S-9.3.7",
    ),
)


class Invented(NamedTuple):
    """What an event moves by the rules, and something more that a scribe says of it."""

    name: str
    at: At
    event: str
    moved: str
    extra: Posting[str, str] | Fact


INVENTED = (
    *(
        Invented(f"a cause that no decision has: {why}", at(), "p12", "", Posting(1, "money", 1, why))
        for why in ("start", "unseen", "table", "adjusted")
    ),
    Invented("a bonus that is not due", at(), "p12", "", BonusDue(seat=1)),
    Invented("a bonus taken by nobody", at(), "p12", "", BonusTaken(seat=1, bonus="money")),
    Invented(
        "the discard pile returned with a reserve there",
        done(),
        f"deal {NEXT} mine-1 {EIGHT}",
        REVENUE,
        TokensReturned(),
    ),
    Invented(
        "a token kept without Commerce",
        at(you(), workers=workers(g36="1")),
        "a36.6 t3",
        "spyrium +3 token",
        TokenKept(seat=1, value=3),
    ),
    Invented(
        "an eighth token kept",
        at(tech("commerce", kept=(1,) * 7), workers=workers(g36="1")),
        "a36.6 t3",
        "spyrium +3 token",
        TokenKept(seat=1, value=3),
    ),
    Invented(
        "the event's token taken",
        on_event("windfall", tech("commerce")),
        "e money",
        "money +2 token",
        EventTokenTaken(seat=1),
    ),
    Invented(
        "the event's token taken as the eighth",
        on_event("windfall", tech("commerce", kept=(1,) * 7), options=Options(commerce_event_token="taken")),
        "e money",
        "money +2 token",
        EventTokenTaken(seat=1),
    ),
    Invented(
        "a worker sent to a Mine that takes none",
        at(tech("automation", buildings=buildings("mine-1"))),
        "u1.1",
        "spyrium +1 effect",
        WorkersSent(seat=1, slot=1, n=1),
    ),
    Invented(
        "the worker of a replaced building active again",
        at(you(buildings=buildings("mine-1/1"))),
        "a12.1 o1",
        "money -2 price, money +2 symbol",
        WorkersFreed(seat=1, n=1),
    ),
    Invented("a name for a card in a placement", at(), "p12", "", CardNamed(space=1, card="mine-2")),
)


class Missing(NamedTuple):
    """What an event moves by the rules, and the fact that it must say besides."""

    name: str
    at: At
    event: str
    moved: str
    fact: Fact


MISSING: tuple[Missing, ...] = (
    Missing(
        "a bonus that is due",
        at(you(points=6), market=market("adviser")),
        "a12.1",
        "money -2 price, points +3 effect",
        BonusDue(seat=1),
    ),
    Missing(
        "one bonus due for both thresholds",
        at(you(points=18), market=market("adviser")),
        "a12.1",
        "money -2 price, points +3 effect",
        BonusDue(seat=1),
    ),
    Missing(
        "the second bonus",
        at(you(points=18, bonuses=("worker",)), market=market("adviser")),
        "a12.1",
        "money -2 price, points +3 effect, workers +1 bonus",
        BonusTaken(seat=1, bonus="worker"),
    ),
    Missing(
        "the discard pile returned",
        done(*KEPT, **SCARCE),
        f"deal {NEXT} university-1:1 university-1:3 {' '.join(EIGHT.split()[:7])}",
        REVENUE,
        TokensReturned(),
    ),
    Missing(
        "the discard pile returned as soon as the reserve is empty",
        done(*KEPT, **SCARCE, options=Options(token_reshuffle="when-empty")),
        f"deal {NEXT} university-1:3 {EIGHT}",
        REVENUE,
        TokensReturned(),
    ),
    Missing(
        "a token kept",
        at(tech("commerce"), workers=workers(g36="1")),
        "a36.6 t3",
        "spyrium +3 token",
        TokenKept(seat=1, value=3),
    ),
    Missing(
        "an eighth token kept",
        at(tech("commerce", kept=(1,) * 7), workers=workers(g36="1"), options=Options(commerce_limit="seven-points")),
        "a36.6 t3",
        "spyrium +3 token",
        TokenKept(seat=1, value=3),
    ),
    Missing(
        "the event's token taken",
        on_event("windfall", tech("commerce"), options=Options(commerce_event_token="taken")),
        "e money",
        "money +2 token",
        EventTokenTaken(seat=1),
    ),
    Missing(
        "a worker sent",
        at(you(buildings=buildings("mine-1"))),
        "u1.1",
        "spyrium +1 effect",
        WorkersSent(seat=1, slot=1, n=1),
    ),
    Missing(
        "workers of a replaced building active again",
        at(you(buildings=buildings("mine-2/1")), options=Options(replaced_workers="active")),
        "a12.1 o1",
        "money -2 price, money +2 symbol",
        WorkersFreed(seat=1, n=1),
    ),
)
