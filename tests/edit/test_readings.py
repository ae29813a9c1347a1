"""Readings of a log on their way into a sheet of one's own."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import structs

from spyrium_log.edit.readings import readings, taken
from spyrium_log.log.lines import ReadOff, Withdrawn
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet, differences
from spyrium_log.titles import TITLES
from tests.games import log_of
from tests.scribe import Scribe
from tests.stories import opening

FIRST = Printed("mine-1", "price", 3, "read", "Anna", "2026-11-18")
SECOND = Printed("mine-1", "price", 4, "read", "Bob", "2026-11-18")
POINTS = Printed("mine-1", "points", 2, "read", "Anna", "2026-11-18")


def read_off(*rows: Printed) -> Scribe:
    scribe = opening().play("p12")
    for row in rows:
        scribe.aside(ReadOff, value=row)
    return scribe


def test_of_one_value_the_last_reading_counts() -> None:
    assert readings(read_off(FIRST, POINTS, SECOND).log()) == (SECOND, POINTS)


def test_who_wrote_the_line_read_the_value_unless_it_says_who() -> None:
    scribe = read_off(Printed("mine-1", "price", 3, "read"))
    line = structs.replace(scribe.table.log.lines[-1], by="Cleo", at=datetime(2026, 11, 18, 20, tzinfo=UTC))
    log = log_of(scribe.title, [*scribe.table.log.lines[:-1], line])
    assert readings(log) == (Printed("mine-1", "price", 3, "read", "Cleo", "2026-11-18"),)


def test_a_reading_withdrawn_is_none() -> None:
    scribe = read_off(FIRST, POINTS)
    assert readings(scribe.aside(Withdrawn, line=scribe.next - 2, why="another box").log()) == (POINTS,)


def test_it_is_taken_over_what_the_sheet_had_and_that_is_said_before() -> None:
    own = Sheet(name="ours", printed=(SECOND,))
    after = taken(own, read_off(FIRST, POINTS).log())
    assert after == Sheet(name="ours", printed=(FIRST, POINTS))
    assert [(each.what, each.kind) for each in differences(own, after)] == [("price", "value"), ("points", "added")]


def test_an_old_log_says_what_it_said_whatever_the_sheet_becomes() -> None:
    log = read_off(FIRST).log()
    before = replay(log)
    TITLES["spyrium"].sheet().owned(taken(Sheet(name="ours", printed=()), log))
    assert replay(log).ledger == before.ledger
