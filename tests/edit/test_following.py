"""Which differences of two recordings stand on their own, and which only follow from another."""

from __future__ import annotations

from collections import Counter

from spyrium_log.edit.amend import make_amendment
from spyrium_log.edit.compare import compare_logs, make_edits
from spyrium_log.title import Posting
from spyrium_log.titles.spyrium.moves import WorkersAt
from tests.edit import planted
from tests.edit.test_compare import opening
from tests.games import log_of
from tests.greedy import SPYRIUM
from tests.scribe import Scribe, mat
from tests.stories import FIRST_DEAL


def numbered(a: Scribe, b: Scribe) -> list[tuple[tuple[str, ...], tuple[str, ...], int, int]]:
    hunks = compare_logs(a.log(), b.log()).hunks
    return [(hunk.a, hunk.b, hunk.number, hunk.follows_from) for hunk in hunks if hunk.number]


def test_a_price_that_another_gap_makes_follows_from_the_gap() -> None:
    """Bob stands beside Anna's card in the one recording, and elsewhere in the other: her crowd is £1 more."""
    one, other = opening("p12", "p12", "p45", ">a12.1"), opening("p12", "p36", "p45", ">a12.1")
    assert numbered(one, other) == [(("3",), ("3",), 1, 0), (("5",), ("5",), 2, 1)]
    assert numbered(other, one) == [(("3",), ("3",), 1, 0), (("5",), ("5",), 2, 1)]
    line = make_amendment(one.log(), make_edits(one.log(), other.log(), ["3"]), "misrecorded", by="x", why="")
    assert compare_logs(log_of(SPYRIUM, [*one.log().lines, line]), other.log()).is_same


def test_a_price_that_somebody_saw_stands_on_its_own() -> None:
    one, other = opening("p12", "p12", "p45", ">a12.1"), opening("p12", "p36", "p45")
    act = other.title.words.read(other.state, ">a12.1")
    other.act(act, moved=[Posting(1, "money", -1, "price")])
    assert numbered(one, other) == [(("3",), ("3",), 1, 0), (("5",), ("5",), 2, 0)]


def test_the_use_of_a_worker_follows_from_where_he_stands() -> None:
    one, other = opening("p12", "p45", "p36", ">g12.1"), opening("p14", "p45", "p36", ">g14.1")
    assert [row[2:] for row in numbered(one, other)] == [(1, 0), (2, 1)]


def test_a_choice_that_falls_due_in_one_recording_only_follows() -> None:
    """In the one Anna's gain takes her to 8 points; in the other somebody saw that she took nothing."""
    mats = (mat(1, points=6, active=1), mat(2, active=1), mat(3, active=1))
    one, other = (
        Scribe("game-due").play(FIRST_DEAL).resync("the middle", workers=(WorkersAt(gap=12, seat=1, n=1),), mats=mats)
        for _ in range(2)
    )
    act = other.title.words.read(other.state, "a12.2")
    other.act(act, moved=[Posting(1, "spyrium", -1, "effect")], facts=[])
    assert [row[2:] for row in numbered(one.play("a12.2", "b5"), other)] == [(1, 0), (2, 1)]


def test_as_many_differences_are_told_as_there_were_slips(counts: Counter[str]) -> None:
    right = 0
    for seed in range(1, 13):
        case = planted.planted(seed)
        if case is not None:
            own, follow = planted.told(case, seed)
            right += len(own) == case.slips
            counts["recordings with planted slips"] += 1
            counts["differences that only follow"] += len(follow)
    assert right >= planted.SHARE * counts["recordings with planted slips"]
    assert counts["differences that only follow"]
