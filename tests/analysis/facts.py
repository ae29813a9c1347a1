"""What one log says, for the reports' oracle: from states, events, ledger and findings, and from no table.

Nothing of the read model is used here, so that what both say alike is true or both are wrong in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from spyrium_log.log.lines import Event
from spyrium_log.replay import Replay
from spyrium_log.title import Adjusted, FinalCount, Paused, Resynced
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    GainMoney,
    PlaceWorker,
    ReuseBuilding,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.moves import Pass as PassOn
from tests.analysis.tableaus import Held, Tableaus
from tests.pebbles import Keep, Take

# What goes into the price of an activation; a saving is posted the other way round.
PRICE = frozenset(("price", "symbol", "crowd", "site", "crane"))
VERBS: dict[type, str] = {
    PlaceWorker: "place",
    GainMoney: "earn",
    UseEvent: "event",
    UseBuilding: "use",
    ReuseBuilding: "use",
    PassOn: "pass",
    TakeBonus: "choose",
    Take: "place",
    Keep: "choose",
}
KINDS_OF_VERB = {"building": "build", "technique": "learn"}


class SeatFacts(Struct, kw_only=True):
    """One seat and all that came of it."""

    seat: int
    player: str
    colour: str
    turn: int | None
    points: int | None
    total: int
    place: int
    won: bool | None
    parts: dict[str, int]
    had: set[str]


class Choice(NamedTuple):
    """One decision that stands."""

    seat: int
    round: int
    phase: str
    verb: str
    card: str | None
    seconds: float | None
    crowd: int


class Chance(NamedTuple):
    """One card of the market at one decision."""

    seat: int
    card: str
    reachable: bool
    affordable: bool
    price: int | None
    taken: bool


class Facts(Struct, kw_only=True):
    """One game."""

    game: str
    title: str
    kinds: dict[str, str]
    file: str
    played: str | None
    source: str
    verdict: str
    final: bool
    scores_only: bool
    invented: bool
    rulings: bool
    gaps: bool
    unseen: bool
    assumed: int
    seconds: int | None
    seats: list[SeatFacts]
    choices: list[Choice]
    chances: list[Chance]
    # By round and seat: what the final count would give after it, and what lies on the board.
    standings: dict[tuple[int, int], tuple[int, int]]
    income: dict[tuple[int, int], int]
    findings: list[tuple[int, int, tuple[Any, ...]]]
    grades: list[str]
    # What the open findings speak against, and whether it is a score sheet of what another game says already.
    touched: set[str]
    repeats: bool
    held: list[tuple[int, Held]]

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def open_findings(self) -> int:
        return sum(row[-1] == "open" and row[-2] == "record" for _, _, row in self.findings)


def facts_of(one: Replay, file: str, *, market: bool = True) -> Facts:
    """Without the market nothing is tried that was legal, which takes by far the longest."""
    title, state = one.title, one.state_at(len(one.events))
    final = any(isinstance(event.do, FinalCount) for event in one.events)
    waits = list(_waits(one.events))
    told = [seconds for seconds in waits if seconds is not None]
    mended = one.log.damage is not None and one.log.damage.is_mendable
    found = any(finding.status == "open" and finding.on == "record" for finding in one.findings)
    facts = Facts(
        game=one.header.game,
        title=title.key,
        # Tables know the cards of the titles on the shelf.
        kinds=dict(title.tables.kinds(title.sheet())),
        file=file,
        played=one.header.played,
        source=one.header.source,
        verdict="unusable" if one.complaint and not mended else "findings" if found or one.complaint else "clean",
        final=final,
        scores_only=one.is_scores_only,
        invented=one.sheet.is_invented,
        rulings=any(finding.status != "open" for finding in one.findings)
        or any(isinstance(event.do, Adjusted) for event in one.events),
        gaps=any(isinstance(event.do, Resynced) for event in one.events),
        unseen=title.key == "spyrium" and any(card == "?" for _, card in state.dealt),
        assumed=one.assumed_value_count,
        seconds=round(sum(told)) if told else None,
        seats=_seats(one, final=final),
        choices=[],
        chances=[],
        standings={},
        income=defaultdict(int),
        findings=[
            (f.n, f.i, (f.n, f.rule, f.number, str(f.expected), str(f.found), f.on, f.status)) for f in one.findings
        ],
        grades=[],
        touched=set(),
        repeats=False,
        held=[],
    )
    facts.grades = list(_grades(facts))
    for finding in one.findings:
        if finding.status == "open" and finding.on == "record":
            facts.touched |= _touched(one, finding)
    _walk(one, facts, waits, market=market)
    return facts


def _touched(one: Replay, finding: Any) -> set[str]:
    """A breach leaves amounts alone, an amount leaves moves alone, and only points touch the score."""
    rule = finding.rule
    at = one.position_by_name.get(finding.ref)
    early = at is None or one.title.round(one.state_at(at)) <= 1
    if rule.startswith("seal"):
        return {"scores", "cards", "openings", "amounts", "offers", "time"}
    if rule == "result":
        return {"amounts"}
    if rule.startswith(("posting.", "count.")):
        is_of_points = one.title.score_resource in str(finding.expected).split()
        return {"amounts", "offers", "scores"} if is_of_points else {"amounts", "offers"}
    touched = {"offers", "openings"} if early else {"offers"}
    if rule == "phantom":
        touched |= {"cards", "amounts"}
    if rule.startswith("fact."):
        touched |= {"amounts"}
    return touched


def _results(one: Replay, *, final: bool) -> list[tuple[int, int, dict[str, int]]]:
    """Total, place and parts of each seat; what the table declared in the place of what the log adds up to."""
    scores = one.scores()
    declared = {result.seat: result.points for result in one.declared} if final else {}
    totals = [declared.get(score.seat, score.total) for score in scores]
    found = []
    for score, total in zip(scores, totals, strict=True):
        level = [
            other for other, its in zip(scores, totals, strict=True) if its == total and other.total == score.total
        ]
        place = 1 + sum(its > total for its in totals) + sum(other.place < score.place for other in level)
        place = place if totals != [each.total for each in scores] else score.place
        parts = one.sum_score_parts(score.seat)
        if total != score.total:
            parts = parts | {"declared": parts.get("declared", 0) + total - score.total}
        found.append((total, place, parts))
    return found


def _grades(facts: Facts) -> Iterator[str]:
    """How far the game went, then what speaks for it and against it."""
    if facts.verdict == "unusable":
        yield "unusable"
    elif facts.scores_only:
        yield "scores-only"
    else:
        yield "complete" if facts.final else "unfinished"
    reasons = {
        "clean": facts.verdict == "clean",
        "findings": facts.open_findings > 0,
        "gaps": facts.gaps,
        "rulings": facts.rulings,
        "assumed": facts.assumed > 0,
        "unseen": facts.unseen,
        "invented": facts.invented,
    }
    yield from (name for name, is_so in reasons.items() if is_so)


def _seats(one: Replay, *, final: bool) -> list[SeatFacts]:
    results = _results(one, final=final)
    totals = [total for total, _, _ in results]
    places = [place for _, place, _ in results]
    seats = len(totals)
    return [
        SeatFacts(
            seat=seat,
            player=at.player,
            colour=at.colour,
            turn=None if one.is_scores_only and one.header.first == 1 else 1 + (seat - one.header.first) % seats,
            points=None if one.is_scores_only else _points(one, len(one.events))[seat],
            total=totals[seat - 1],
            place=places[seat - 1],
            won=places[seat - 1] == 1 if final or one.is_scores_only else None,
            parts=results[seat - 1][2],
            had=set(),
        )
        for seat, at in enumerate(one.header.seats, 1)
    ]


def _points(one: Replay, index: int) -> dict[int, int]:
    return {held.who: held.n for held in one.title.held(one.state_at(index)) if held.what == one.title.score_resource}


def _waits(events: list[Event]) -> Iterator[float | None]:
    for nth, event in enumerate(events):
        before = events[nth - 1] if nth else event
        inserted = any(getattr(each, "i", 0) for each in (before, event))
        if before is event or before.at is None or event.at is None or inserted or isinstance(before.do, Paused):
            yield None
        else:
            seconds = (event.at - before.at).total_seconds()
            yield seconds if seconds >= 0 else None


def _walk(one: Replay, facts: Facts, waits: list[float | None], *, market: bool) -> None:
    title, seats = one.title, len(one.header.seats)
    state = title.copy(one.snapshots[0])
    tableaus = Tableaus(one)
    if not one.is_scores_only:
        _look(facts, title, state)
    for event, seconds in zip(one.events, waits, strict=True):
        act = event.do
        if type(act) in VERBS or isinstance(act, ActivateCard):
            _choice(facts, title, state, event, seconds, seats)
            if market:
                _chances(facts, title, state, act)
        tableaus.see(state, event)
        title.evolve(state, act, event.moved, event.facts)
        tableaus.settle(state)
        net: dict[int, int] = defaultdict(int)
        for posting in event.moved:
            if posting.what == title.money and posting.who <= seats:
                net[posting.who] += posting.n
        for who, n in net.items():
            facts.income[title.round(state), who] += max(0, n)
        if isinstance(act, Resynced):
            _lying(facts, title, state)
        if market:
            _look(facts, title, state)
    _lying(facts, title, state)
    tableaus.end()
    facts.held = list(tableaus.rows())
    for seat in facts.seats:
        if title.key == "spyrium":
            # techniques count as they are held at the end
            seat.had |= set(state.mats[seat.seat].techniques)
        elif state.emptied[seat.seat]:
            seat.had.add("heap")


def _look(facts: Facts, title: Any, state: Any) -> None:
    """The last look at a round is its end."""
    points = {held.who: held.n for held in title.held(state) if held.what == title.score_resource}
    for score in title.score(state):
        facts.standings[title.round(state), score.seat] = (score.total, points[score.seat])


def _lying(facts: Facts, title: Any, state: Any) -> None:
    if title.key == "spyrium":
        for seat in facts.seats:
            seat.had |= {built.card for built in state.mats[seat.seat].buildings}


def _choice(facts: Facts, title: Any, state: Any, event: Event, seconds: float | None, seats: int) -> None:
    act = event.do
    seat = act.seat if act.seat <= seats else 0
    card, verb = None, VERBS.get(type(act), "")
    if isinstance(act, ActivateCard):
        card = act.named or state.market[act.space] or None
        kind = title.tables.kinds(title.sheet()).get(card or "", "")
        verb = KINDS_OF_VERB.get(kind, "hire")
        if seat and card and kind == "building":
            facts.seats[seat - 1].had.add(card)
        if seat and kind == "character":
            facts.seats[seat - 1].had.add(str(card))
    if isinstance(act, Take) and act.n == state.heap:
        card = "heap"
    phase = "I" if title.key == "pebbles" else {2: "II"}.get(state.mat(act.seat).phase, "I")
    crowd = sum(p.n for p in event.moved if p.what == "money" and p.why in {"crowd", "lobbying"})
    facts.choices.append(Choice(seat, title.round(state), phase, verb, card, seconds, -crowd))


# Gaps are named by the two spaces beside them.
GAPS = (12, 23, 45, 56, 78, 89, 14, 25, 36, 47, 58, 69)


def _chances(facts: Facts, title: Any, state: Any, act: Any) -> None:
    """The market at one decision, by trying everything that is legal."""
    awaited = title.awaits(state)
    if awaited.kind != "decision" or awaited.seat != act.seat:
        return
    legal = title.legal(state)
    if title.key == "pebbles":
        can = any(isinstance(other, Take) and other.n == state.heap for other in legal)
        taken = isinstance(act, Take) and act.n == state.heap
        facts.chances.append(
            Chance(act.seat, "heap", reachable=True, affordable=can, price=0 if can else None, taken=taken)
        )
        return
    beside = {space for at, gap in enumerate(GAPS) if state.placed[at * 10 + act.seat] > 0 for space in divmod(gap, 10)}
    ways: dict[int, list[int | None]] = defaultdict(list)
    for other in legal:
        if isinstance(other, ActivateCard):
            ways[other.space].append(_price(title, state, other))
    for space, card in enumerate(state.market):
        if card:
            prices = [price for price in ways[space] if price is not None]
            facts.chances.append(
                Chance(
                    act.seat,
                    card,
                    space in beside,
                    bool(ways[space]),
                    min(prices, default=None),
                    isinstance(act, ActivateCard) and act.space == space,
                )
            )


def _price(title: Any, state: Any, act: ActivateCard) -> int | None:
    if act.lobbying or act.commerce is not None:
        return None
    moved = title.effects(state, act).moved
    price: int = sum(
        posting.n
        for posting in moved
        if posting.what == "money"
        and posting.who == act.seat
        and (posting.why in PRICE or (posting.why == "token" and posting.n < 0))
    )
    return -price
