"""Amendments one fact at a time, on games small enough to see it."""

from __future__ import annotations

from msgspec import structs

from spyrium_log.edit.amend import compute_consequences
from spyrium_log.log.lines import Amended, Drop, InsertAfter, Replace
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import replay
from spyrium_log.title import Posting, Seen
from tests.games import ALL_TITLES
from tests.scribe import Scribe
from tests.stories import FIRST_DEAL

PEBBLES = ALL_TITLES["pebbles"]


def heap(n: int = 5) -> Scribe:
    scribe = Scribe("game-heap", seats=2, title=PEBBLES)
    return scribe.act(PEBBLES.wire.deal(heap=n))


def opening() -> Scribe:
    return Scribe("game-amend").play(FIRST_DEAL)


def named(scribe: Scribe) -> list[str]:
    return [ref_of(event) for event in scribe.table.list_events()]


def test_inserts_after_one_event_follow_it_in_the_order_they_are_written_in() -> None:
    scribe = heap(9).play("1", "1")
    first, second = scribe.told("2", "2"), scribe.told("2", "1")
    scribe.amend("misplayed", InsertAfter(at="2", event=first), InsertAfter(at="2", event=second), why="")
    assert named(scribe) == ["1", "2", "4.1", "4.2", "3"]
    scribe.amend("misplayed", InsertAfter(at="2", event=first), InsertAfter(at="5.1", event=second), why="")
    assert named(scribe) == ["1", "2", "5.1", "5.2", "4.1", "4.2", "3"]


def test_an_insert_after_nothing_comes_first() -> None:
    scribe = heap().play("1")
    scribe.amend("misplayed", InsertAfter(at="0", event=scribe.told("1", "1")), why="")
    assert named(scribe) == ["3.1", "1", "2"]
    assert scribe.replay().numbers == [0, 1, 2]


def test_a_line_number_takes_what_was_inserted_after_it_along_and_a_name_does_not() -> None:
    scribe = heap(9).play("1", "1")
    scribe.amend("misplayed", InsertAfter(at="2", event=scribe.told("2", "2")), why="")
    done = scribe.replay()
    assert [done.index_of(where) for where in (0, 1, 2, 3, 4)] == [0, 1, 3, 4, 4]
    assert [done.index_of(where) for where in ("0", "1", "2", "4.1", "3", "4")] == [0, 1, 2, 3, 4, 4]
    assert [done.state_after(where).heap for where in (2, "2", "4.1", 4)] == [6, 8, 6, 5]


def test_an_event_keeps_who_wrote_it_down_and_says_which_amendment_tells_it() -> None:
    scribe = heap().play("1")
    scribe.amend("misplayed", Replace(at="2", event=scribe.told("1", "2")), why="")
    event = scribe.table.list_events()[1]
    line = scribe.table.log.lines[2]
    assert (event.n, event.by, event.hash) == (line.n, line.by, line.hash)
    assert getattr(event, "line", None) == 3


def test_what_was_recorded_is_there_beside_what_stands() -> None:
    scribe = heap(9).play("1", "1", "1")
    scribe.amend("misplayed", Drop(at="2"), InsertAfter(at="3", event=scribe.told("3", "2")), why="")
    scribe.undo(3).amend("misplayed", Replace(at="3", event=scribe.told("2", "3")), why="")
    log = scribe.log()
    stands, recorded = replay(log), replay(log, amended=False)
    assert stands.events[:2] == recorded.events[:2] == log.lines[1:3]
    assert (stands.events[2].do.n, recorded.events[2].do.n) == (3, 1)
    assert (stands.state_after("3").heap, recorded.state_after("3").heap) == (5, 7)
    assert replay(log, until=3).events == recorded.events


def test_what_an_amendment_named_in_vain_is_forgotten_when_it_is_undone() -> None:
    scribe = heap().play("1")
    drop = Drop(at="7")
    scribe.aside(Amended, mode="misplayed", edits=(drop,), why="")
    assert [(finding.ref, finding.kind) for finding in scribe.replay().findings] == [("3", "phantom")]
    scribe.undo(2)
    assert scribe.replay().findings == []
    scribe.undo(3)
    assert [finding.ref for finding in scribe.replay().findings] == ["3"]


def test_undo_without_a_line_takes_back_the_last_event_or_amendment_that_counts() -> None:
    scribe = heap(9).play("1", "1")
    scribe.amend("misplayed", Replace(at="2", event=scribe.told("1", "2")), why="")
    scribe.play("1")
    assert scribe.table.line_before_last() == 4
    scribe.undo(4)
    assert scribe.table.line_before_last() == 3
    scribe.undo(3)
    assert scribe.table.line_before_last() == 2


def test_an_unexplained_difference_is_not_swept_away_by_an_amendment_elsewhere() -> None:
    """What the rules make of it did not change, so nothing says that it was computed on top of the slip."""
    scribe = opening().play("p12", "p36", "p12")
    act = scribe.title.words.read(scribe.state, ">g12.1")
    scribe.act(act, moved=[Posting(1, "money", 3, "gain")])
    before = scribe.replay().findings
    scribe.amend("misrecorded", Replace(at="3", event=scribe.told("2", "p69")), why="")
    assert scribe.replay().findings == before
    assert [finding.rule for finding in before] == ["posting.gain"]


def test_what_an_edit_tells_is_left_as_it_was_told() -> None:
    scribe = opening().play("p12", "p12", "p45", ">g12.1")
    paid = scribe.told("4", ">a12.1", Posting(1, "money", -1, "price"))
    scribe.amend("misrecorded", Replace(at="5", event=paid), why="")
    assert scribe.table.list_events()[-1].moved == paid.moved
    assert {finding.ref for finding in scribe.replay().findings} == {"5"}


def test_a_fact_that_somebody_saw_in_the_place_of_another_stays_there() -> None:
    seen = Seen(who="Anna", why="so it was")
    scribe = heap(3).play("1")
    emptied = PEBBLES.wire.fact(seat=1, seen=seen)
    scribe.act(PEBBLES.words.read(scribe.state, "1"), facts=[emptied])
    assert scribe.state.heap == 1
    # with two taken before, the rules say who emptied the heap
    scribe.amend("misrecorded", Replace(at="2", event=scribe.told("1", "2")), why="")
    assert scribe.table.list_events()[-1].facts == (emptied,)


def test_a_posting_for_a_known_total_stays() -> None:
    """No rule derives the cause `table`: somebody knew what was paid in all, and wrote the difference down."""
    scribe = opening().play("p12", "p12", "p12")
    given = scribe.told("4", ">g12.1")
    total = Posting(1, "money", 1, "table")
    scribe.act(given.do, moved=(*given.moved, total))
    scribe.amend("misrecorded", Replace(at="3", event=scribe.told("2", "p69")), why="")
    assert given.moved == (Posting(1, "money", 2, "gain"),)
    assert scribe.table.list_events()[-1].moved == (Posting(1, "money", 1, "gain"), total)


def test_what_either_mode_would_change_is_said_before_anything_is_written() -> None:
    scribe = opening().play("p12", "p12", "p45", ">g12.1")
    log = scribe.log()
    edit = Replace(at="3", event=scribe.told("2", "p69"))
    played, recorded = (compute_consequences(log, [edit], mode) for mode in ("misplayed", "misrecorded"))
    assert [(finding.ref, finding.rule, str(finding.expected)) for finding in played.came] == [
        ("5", "posting.gain", "nothing for seat 1 money (gain)")
    ]
    assert played.amounts == ()
    assert recorded.came == played.went == recorded.went == ()
    assert [structs.astuple(amount) for amount in recorded.amounts] == [(5, 0, 1, "money", "gain", 1, 0)]
    assert recorded.amounts[0].ref == "5"
    assert len(log.lines) == 6


def test_a_finding_of_an_inserted_event_goes_by_its_name() -> None:
    scribe = opening().play("p12")
    said = compute_consequences(scribe.log(), [InsertAfter(at="2", event=scribe.told("2", "@3 p12"))], "misplayed")
    assert [finding.ref for finding in said.came] == ["3.1"]
