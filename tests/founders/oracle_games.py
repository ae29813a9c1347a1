"""Random games on two tables: the project's and the oracle's, compared at every decision.

`python -m tests.founders.oracle_games GAMES SEED EVENTS` runs a long campaign, each game for at most so many events,
and prints what it has compared.
"""

from __future__ import annotations

import random
import sys
import time
import typing
from collections import Counter
from collections.abc import Sequence
from typing import Any

from spyrium_log.title import Effects, FinalCount
from spyrium_log.title import Table as Setting
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.ground import cells_in, name_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.options import Options
from tests.founders.oracle import Table
from tests.founders.oracle_acts import Player, find_candidates
from tests.founders.oracle_points import Fact
from tests.founders.oracle_steps import TooLongError

CHOICES = {name: typing.get_args(kind) for name, kind in typing.get_type_hints(Options).items()}
MOST_EVENTS = 400
PRACTICE = "practice-1"


class DisagreementError(AssertionError):
    """The project and the oracle tell one event in two ways."""


def choose_options(rng: random.Random) -> Options:
    """The usual readings with other variants, or all by chance."""
    plain = rng.random() < 0.5
    names = ("side", "workers", "achievements") if plain else tuple(CHOICES)
    return Options(**{name: rng.choice(CHOICES[name]) for name in names})


def read_effects(effects: Effects | None) -> tuple[dict[tuple[int, str, str], int], Counter[Fact]]:
    """What the project says, in the oracle's words."""
    assert effects is not None
    sums: Counter[tuple[int, str, str]] = Counter()
    for posting in effects.moved:
        sums[posting.who, posting.what, posting.why] += posting.n
    facts = Counter(
        (
            type(fact).__name__,
            frozenset((name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "seen"),
        )
        for fact in effects.facts
    )
    return {key: n for key, n in sums.items() if n}, facts


class Game:
    """One random game on two tables."""

    def __init__(self, seed: int, counts: Counter[str], notes: dict[str, str], *, curiosity: float = 0.15) -> None:
        self.rng = rng = random.Random(seed)
        self.name = f"game {seed}"
        self.counts = counts
        self.notes = notes
        self.curiosity = curiosity
        self.options = choose_options(rng)
        seats, money = rng.choice((1, 2, 2, 3, 4)), rng.choice((7, 7, 25, 60))
        first = rng.randint(1, seats)
        start = tuple((name, money if name == FOUNDERS.money else n) for name, n in FOUNDERS.start)
        self.state = FOUNDERS.setup(
            Setting(start=(start,) * seats, first=first, options=self.options, sheet=FOUNDERS.sheet(PRACTICE))
        )
        self.oracle = Table(seats=seats, first=first, options=self.options, printed=self.state.printed, money=money)
        self.player = Player(rng)
        self.events = 0
        counts[f"games of {seats}"] += 1

    def draw(self, pool: Sequence[Any], k: int) -> list[Any]:
        return self.rng.sample(list(pool), k)

    def play(self, most_events: int = MOST_EVENTS) -> None:
        while self.events < most_events:
            if self.oracle.has_run_out():
                self.counts["games that ran out of buildings"] += 1
                break
            awaited = FOUNDERS.awaits(self.state)
            self.compare("what is awaited", self.oracle.awaited(), (awaited.kind, awaited.seats), None)
            if awaited.kind == "over":
                break
            self.step(self._next(awaited.kind))
        self.compare_scores("scores where the game stopped")

    def _next(self, kind: str) -> Any:
        if kind == "deal":
            act = FOUNDERS.deal(self.state, self.draw)
            self.compare_legality([act])
            return act
        if kind == "final":
            self.compare_scores("scores before the final count")
            return FinalCount()
        legal = list(FOUNDERS.legal(self.state))
        if not legal:
            self.complain("nothing is legal", self.oracle.awaited(), kind, None)
        self.counts["decisions"] += 1
        curious = self.rng.random() < self.curiosity
        some = self.rng.sample(legal, min(len(legal), 12 if curious else 3))
        self.compare_legality(some)
        if curious:
            self.compare_candidates(legal)
            for act in some[:3]:
                self.compare_effects("effects of an act not played", self.oracle.twin(), act)
        act = self.player.choose(legal, self.oracle, lambda act: FOUNDERS.effects(self.state, act))
        return self._hide(act)

    def _hide(self, act: Any) -> Any:
        """Now and then nobody sees which card is played face-down."""
        if not getattr(act, "down", False) or self.rng.random() > 0.05:
            return act
        hidden = type(act)(**{name: getattr(act, name) for name in act.__struct_fields__} | {"card": UNSEEN})
        self.compare_legality([hidden])
        if self.oracle.reasons(hidden):
            return act
        self.counts["cards played unseen"] += 1
        return hidden

    def compare_candidates(self, legal: Sequence[Any]) -> None:
        """Acts that resemble legal ones, and acts made up: both sides take or refuse each."""
        candidates = find_candidates(self.rng, legal, self.oracle)
        self.compare_legality(candidates.values_of_any_form)
        known = set(legal)
        for act in candidates.as_offered:
            if act not in known and not FOUNDERS.breaches(self.state, act):
                self.note("a legal act is not offered", [], [], act)

    def compare_legality(self, acts: Sequence[Any]) -> None:
        for act in acts:
            breaches = [f"{breach.rule} {breach.number}" for breach in FOUNDERS.breaches(self.state, act)]
            try:
                reasons = self.oracle.reasons(act)
            except TooLongError:
                self.counts["acts that take too long to judge"] += 1
                continue
            self.counts["acts judged by both"] += 1
            self.counts["acts refused by both"] += bool(reasons and breaches)
            if bool(reasons) != bool(breaches):
                self.note("legality", reasons, breaches, act)

    def compare_effects(self, what: str, table: Any, act: Any) -> Effects:
        effects = FOUNDERS.effects(self.state, act)
        moved, facts = read_effects(effects)
        expected, said = table.apply(act)
        self.compare(f"{what}: postings", expected, moved, act)
        self.compare(f"{what}: facts", Counter(said), facts, act)
        self.counts["effects compared"] += 1
        assert effects is not None
        return effects

    def step(self, act: Any) -> None:
        self.counts[f"act {type(act).__name__}"] += 1
        effects = self.compare_effects("effects", self.oracle, act)
        FOUNDERS.evolve(self.state, act, effects.moved, effects.facts)
        self.events += 1
        for fact in effects.facts:
            self.counts[f"fact {type(fact).__name__}"] += 1
        for posting in effects.moved:
            self.counts[f"cause {posting.why}"] += 1
        self.compare_tables(act)

    def compare_tables(self, act: Any) -> None:
        self.compare("the board", self.oracle.board_summary(), self._board(), act)
        for seat in self.oracle.seats:
            self.compare(
                f"seat {seat}", self._purse(self.oracle.seat_summary(seat)), self._purse(self._seat(seat)), act
            )
        row = (*self.state.row, "", "", "", "")[: len(self.oracle.row)]
        self.compare("the row of advisers", tuple(self.oracle.row), row, act)
        # What is left over from a vote with which the game ends is not looked at again.
        if self.oracle.is_in_a_vote() or self.oracle.awaited()[0] in {"final", "over"}:
            return
        self.compare("proposals", self.oracle.proposals, [*self.state.proposals], act)
        # A card that leaves with its building is discarded by the rules, not by a move.
        if self.options.no_workers_card == "leaves":
            self.compare("discarded proposals", sorted(self.oracle.spent), sorted(self.state.spent), act)

    def _purse(self, summary: dict[str, object]) -> dict[str, object]:
        """Without the cards as long as an action goes on: when they change places then, nothing hangs on it."""
        moving = {"hand", "discard", "unknown", "used"} if self.oracle.is_in_an_action() else set()
        return {name: value for name, value in summary.items() if name not in moving}

    def _seat(self, seat: int) -> dict[str, object]:
        mat = self.state.mats[seat]
        purse = {name: getattr(mat, name) for name in ("money", "fleeting", "lasting", "income", "points")}
        cards = {"hand": sorted(mat.hand), "discard": sorted(mat.discard)}
        return purse | cards | {"unknown": mat.unknown, "used": sorted(mat.used)}

    def _board(self) -> dict[str, object]:
        def names(cells: Sequence[int]) -> tuple[str, ...]:
            return tuple(name_of(cell) for cell in sorted(cells))

        state = self.state
        seats = self.oracle.seats
        pieces = [piece for piece in state.structures if piece.kind in {"house", "bridge"}]
        tiles = [piece for piece in state.structures if piece.kind not in {"house", "bridge"}]
        return {
            "roads": sorted(name_of(cell) for cell in cells_in(state.roads)),
            "tiles": sorted(
                (tile.kind, tile.owner, names(tile.cells), tuple(seat for seat in seats if tile.has_access(seat)))
                for tile in tiles
            ),
            "pieces": sorted((piece.kind, piece.owner, names(piece.cells)) for piece in pieces),
            "buildings": [
                (one.card, names(one.cells), sorted(one.delivered), one.complete, one.claim) for one in state.buildings
            ],
        }

    def compare_scores(self, when: str) -> None:
        totals, places = self.oracle.totals(), self.oracle.places()
        for score in FOUNDERS.score(self.state):
            seat = score.seat
            expected = (self.oracle.held(seat, "points"), totals[seat], places[seat], self.oracle.lost)
            self.compare(when, expected, (score.points, score.total, score.place, score.lost), seat)
        self.counts["final scores compared"] += self.oracle.is_counted

    def note(self, what: str, reasons: list[str], breaches: list[str], act: Any) -> None:
        """A disagreement about one act, after which the game can go on."""
        sign = f"{what}: {type(act).__name__}: {[reason[:40] for reason in reasons]} / {breaches}"
        self.counts[f"DISAGREE {sign}"] += 1
        if sign not in self.notes:
            self.notes[sign] = self.describe(what, reasons, breaches, act)

    def compare(self, what: str, expected: object, found: object, act: object) -> None:
        if expected != found:
            self.complain(what, expected, found, act)

    def complain(self, what: str, expected: object, found: object, act: object) -> None:
        raise DisagreementError(self.describe(what, expected, found, act))

    def describe(self, what: str, expected: object, found: object, act: object) -> str:
        changed = {name: value for name, value in dict(self.options).items() if Options()[name] != value}
        return (
            f"{self.name} of {len(self.oracle.seats)}, event {self.events + 1}, {what}\n  act      {act}\n"
            f"  expected {expected}\n  found    {found}\n  options  {changed}"
        )


def campaign(games: int, seed: int = 0, most_events: int = MOST_EVENTS) -> tuple[Counter[str], list[str]]:
    """So many games: what was compared, and the disagreements, each kind of verdict once; others end their game."""
    counts: Counter[str] = Counter()
    notes: dict[str, str] = {}
    disagreements = []
    for n in range(games):
        try:
            Game(seed + n, counts, notes).play(most_events)
        except DisagreementError as found:
            disagreements.append(str(found))
    counts["games"] = games
    return counts, [*notes.values(), *disagreements]


def main() -> int:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    most_events = int(sys.argv[3]) if len(sys.argv) > 3 else MOST_EVENTS
    began = time.perf_counter()
    counts, disagreements = campaign(games, seed, most_events)
    for name, n in sorted(counts.items()):
        print(f"{n:9,}  {name}")
    for found in disagreements:
        print(found)
    print(f"{len(disagreements)} disagreements in {games} games, {time.perf_counter() - began:.0f} s")
    return bool(disagreements)


if __name__ == "__main__":
    sys.exit(main())
