"""Offers in the table against a count over everything legal; the full list of alternatives, on demand.

`python -m tests.readmodel.test_offers 200` does it for so many games.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.event_rows import alternatives
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.replay import Replay, replay
from spyrium_log.titles.spyrium.moves import ActivateCard
from tests.games import game, raw_of
from tests.pebbles import Take
from tests.readmodel.archive import Archive

SHARE = 6


class Counted(NamedTuple):
    """What a table of take rates says of one card."""

    offered: int = 0
    reachable: int = 0
    affordable: int = 0
    taken: int = 0

    def __add__(self, other: tuple[object, ...]) -> Counted:
        return Counted(*(a + b for a, b in zip(self, other, strict=True) if isinstance(b, int)))


def seen_at(one: Replay) -> Iterator[tuple[str, str, Counted]]:
    """Decision by decision and card by card, from nothing but the table, `legal` and what was done."""
    title = one.title
    state = title.copy(one.snapshots[0])
    for event in one.events:
        if title.awaits(state).kind == "decision":
            seat, act = title.awaits(state).seat, event.do
            assert act.seat == seat
            legal = title.legal(state)
            if title.key == "pebbles":
                can = any(isinstance(other, Take) and other.n == state.heap for other in legal)
                yield "pebbles", "heap", Counted(1, 1, can, act.n == state.heap)
            else:
                # workers stand in gaps, and a gap lies beside the spaces that its digits name
                gaps = [gap for gap in map(int, GAPS) if state.placed[GAPS.index(str(gap)) * 10 + seat] > 0]
                beside = {space for gap in gaps for space in divmod(gap, 10)}
                within = {other.space for other in legal if isinstance(other, ActivateCard)}
                taken = act.space if isinstance(act, ActivateCard) else 0
                for space, card in enumerate(state.market):
                    if card:
                        found = Counted(1, space in beside, space in within, space == taken)
                        yield "spyrium", card, Counted(*map(int, found))
        title.evolve(state, event.do, event.moved, event.facts)


GAPS = "12 23 45 56 78 89 14 25 36 47 58 69".split()  # noqa: SIM905 - as the rulebook's picture names them


def compare(index: Path, seeds: Iterable[int], counts: Counter[str]) -> None:
    """The denominators of every take rate of these games, counted twice."""
    logs = [game("pebbles" if seed % 4 == 0 else "spyrium", seed) for seed in seeds]
    archive = Archive({f"{log.header.game}-{log.header.title}": raw_of(log) for log in logs})
    assert bring_up_to_date(index, archive.sources()).unusable == ()
    expected: dict[tuple[str, int, str], Counted] = {}
    decisions = 0
    for log in logs:
        one = replay(log, audit=False)
        for title, card, seen in seen_at(one):
            key = (title, len(one.players), card)
            expected[key] = expected.get(key, Counted()) + seen
            decisions += 1
    figures = "SELECT title, $n, card, offered, reachable, affordable, taken FROM take_rates(of_players := $n)"
    asked = [row for n in range(1, 10) for row in query(index, figures, {"n": n}).rows]
    assert {row[:3]: Counted(*row[3:]) for row in asked} == expected
    bad = "SELECT count(*) FROM offer WHERE affordable AND NOT reachable OR taken AND NOT affordable OR price < 0"
    assert query(index, bad).rows == [(0,)]
    counts["games whose offers were counted over legal"] += len(logs)
    counts["offers counted over legal"] += decisions


def test_the_denominators_of_take_rates_are_a_count_over_legal(tmp_path: Path, counts: Counter[str]) -> None:
    compare(tmp_path / "index.duckdb", range(1, SHARE + 1), counts)
    assert counts["offers counted over legal"] > 1000


def test_what_was_taken_is_what_the_decision_says(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    compare(index, range(4), Counter())
    off = """
        SELECT * FROM decision FULL JOIN (FROM offer WHERE taken) AS offer USING (game, n, i)
        WHERE decision.space IS DISTINCT FROM offer.space OR decision.card != offer.card OR decision.seat != offer.seat
    """
    assert query(index, f"SELECT count(*) FROM ({off}) WHERE space IS NOT NULL").rows == [(0,)]  # noqa: S608 - ours
    taken = "SELECT count(*) FILTER (verb IN ('build', 'learn', 'hire')) FROM decision JOIN game USING (game)"
    assert (
        query(index, f"{taken} WHERE title = 'spyrium'").rows
        == query(index, "SELECT count(*) FROM offer JOIN game USING (game) WHERE taken AND title = 'spyrium'").rows
    )


def test_alternatives_are_all_that_was_legal_with_what_was_done_among_it(counts: Counter[str]) -> None:
    one = replay(game("spyrium", 3), audit=False)
    found = list(alternatives(one))
    chosen = [(each.n, each.i) for each in found if each.chosen]
    assert len(chosen) == len(set(chosen)) == sum(hasattr(event.do, "seat") for event in one.events)
    assert len(found) > 3 * len(chosen)
    some = found[len(found) // 2]
    assert list(alternatives(one, some.n)) == [each for each in found if each.n == some.n]
    state = one.state_at(one.index_of(some.n) - 1)
    assert [each.notation for each in found if each.n == some.n] == [
        one.title.words.write(state, act) for act in one.title.legal(state)
    ]
    counts["legal alternatives listed"] += len(found)


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder) / "index.duckdb", range(1, int(sys.argv[1]) + 1), counted)
    for said, n in counted.items():
        print(f"{n:9,}  {said}")
