"""What nobody has typed is asked at the table: a half-known set lasts for an evening, and the next one asks less."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from spyrium_log.sheet import Printed
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.effects import Completed, Delivered
from spyrium_log.titles.founders.sets import read_practice
from tests.founders.evening import Evening, acts_of, half_known_set, readings_of, spend_evening

# By seed and players: none takes more than a few seconds, and between them everything happens that is asked about.
EVENINGS = ((0, 3), (0, 2), (0, 4))


@cache
def spend_evenings() -> tuple[Evening, ...]:
    """Three evenings, each on what the ones before taught."""
    evenings: list[Evening] = []
    known: list[Printed] = []
    for seed, seats in EVENINGS:
        evenings.append(spend_evening(seed, seats, known, achievements="with"))
        known += readings_of(evenings[-1].recorded)
    return tuple(evenings)


@pytest.mark.parametrize("at", range(len(EVENINGS)))
def test_an_evening_on_a_half_known_set_audits_clean_and_comes_to_the_same(at: int) -> None:
    evening = spend_evenings()[at]
    game = evening.recorded.replay()
    assert game.findings == []
    assert evening.recorded.awaits().kind == "over"
    assert acts_of(evening.recorded) == acts_of(evening.truth)
    assert game.scores() == evening.truth.replay().scores()


def test_the_first_evening_has_everything_that_a_game_has() -> None:
    acts = spend_evenings()[0].recorded.list_events()
    done = Counter(type(event.do) for event in acts)
    facts = Counter(type(fact) for event in acts for fact in event.facts)
    for kind in (moves.Recruit, moves.BuildTile, moves.BuildBase, moves.BuyAccess, moves.UseWorker, moves.Decline):
        assert done[kind], kind
    assert done[moves.CallVote] >= 6
    assert done[moves.PlacePrestige] >= 6
    assert facts[Delivered] > 10
    assert facts[Completed] >= 6


def test_nothing_is_asked_that_is_known_or_was_asked_before() -> None:
    known = {(row.of, row.what) for row in half_known_set().printed}
    for evening in spend_evenings():
        for question in evening.asked:
            assert (question.of, question.what) not in known
            known.add((question.of, question.what))


def test_what_was_read_off_is_not_asked_on_the_next_evenings() -> None:
    first, *others = (len(evening.asked) for evening in spend_evenings())
    assert first > 100
    assert all(0 < asked < first / 5 for asked in others)


def test_an_evening_on_a_whole_set_asks_nothing() -> None:
    seed, seats = EVENINGS[0]
    assert spend_evening(seed, seats, read_practice().printed, achievements="with").asked == []
