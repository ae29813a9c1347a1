"""The table after each line, made from the nearest one at hand, is the one of a whole replay up to that line."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spyrium_log import course as courses
from spyrium_log.course import Course
from spyrium_log.errors import LogError
from spyrium_log.log import timeline
from spyrium_log.log.codec import Log
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay, replay
from spyrium_log.store import read_bytes
from spyrium_log.title import AnyTitle
from tests.build import chained, header, place, undo
from tests.cli.work import subject
from tests.edit.test_amend_laws import SOME, corrected_game
from tests.games import every_quick_title


def course_of(log: Log) -> Course:
    start = replay(log, until=0, audit=False)
    return Course(log.title, lambda: start.state_at(0), log.file)


def until(log: Log, n: int) -> Replay:
    """As it stood then, under the header and the sheet that it began with."""
    return replay(log, until=n, audit=False, sheet=log.sheet)


def table(title: AnyTitle, state: Any) -> Any:
    return title.screens.view(state)


@every_quick_title
@SOME
@given(seed=st.integers(0, 9_999))
def test_each_table_is_that_of_a_replay(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    course = course_of(log)
    for line in log.lines[1:]:
        course.add(line)
        done = until(log, line.n)
        if line.n % 7:
            assert table(title, course.current_state()) == table(title, done.state_at(len(done.events)))
        assert [ref_of(event) for event in course.events()] == [ref_of(event) for event in done.events]
    for n in reversed(range(len(log.lines))):
        done = until(log, n)
        state = course.state_after(n)
        assert table(title, state) == table(title, done.state_at(len(done.events)))
        counts["tables after a line"] += 1


@given(steps=st.lists(st.integers(0, 1_000_000), min_size=1, max_size=80), every=st.integers(1, 5))
def test_whatever_was_undone_and_whatever_is_kept(steps: list[int], every: int) -> None:
    lines = [header(), *(undo(n, step // 3 % n) if step % 3 == 0 else place(n) for n, step in enumerate(steps, 1))]
    log = read_bytes(b"".join(chained(*lines)), "undone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(courses, "KEPT_EVERY", every)
        patch.setattr(courses, "KEPT_LATEST", every)
        patch.setattr(courses, "KEPT_MOST", 3)
        course = course_of(log)
        for line in log.lines[1:]:
            course.add(line)
            # after some of the lines only: what lies between is made later
            if line.n % every == 0:
                course.current_state()
        for n in range(len(log.lines)):
            done = until(log, n)
            assert table(log.title, course.state_after(n)) == table(log.title, done.state_at(len(done.events)))


def test_a_log_that_asks_for_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    log = read_bytes(subject("amendment", 100).log, "amended")
    monkeypatch.setattr(timeline, "MAX_REFOLDED", 1_000)
    course = course_of(log)
    for line in log.lines[1:80]:
        course.add(line)
        if line.n < 70:
            course.state_after()
    with pytest.raises(LogError, match="too-many-corrections: expected at most 1000 events"):
        list(map(course.state_after, range(80)))
