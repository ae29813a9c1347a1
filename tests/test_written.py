"""The evening as the scribe saw it go by: the table after each line is the one that a reader saw then."""

import pytest

from spyrium_log.replay import amendment_of, replay, walk_recorded_lines
from spyrium_log.store import read_bytes
from tests.stories import EXAMPLES

CORRECTED = ("slip-carried-through", "correction-of-a-correction", "undone-and-redone", "amendment-undone-and-redone")


@pytest.mark.parametrize("name", [*CORRECTED, "whole-game-2-players", "reading-of-a-price"])
def test_the_table_after_each_line_is_that_of_a_replay_until_it(name: str) -> None:
    log = read_bytes((EXAMPLES / f"{name}.jsonl").read_bytes(), name)
    done = replay(log)
    view = done.title.screens.view
    seen = [done.state_at(0)]
    for line, course in walk_recorded_lines(done):
        after = course.state_after(line.n)
        assert view(course.state_after(line.n - 1)) == view(seen[-1])
        until = replay(log, until=line.n, audit=False)
        # a printed value read off later holds from the start, as everywhere
        if name != "reading-of-a-price":
            assert view(after) == view(until.state_at(len(until.events)))
        seen.append(after)
    assert len(seen) == len(log.lines)


def test_an_event_knows_the_amendment_that_tells_it() -> None:
    log = read_bytes((EXAMPLES / "slip-carried-through.jsonl").read_bytes(), "slip")
    assert [amendment_of(event) for event in replay(log).events] == [0, 9, 9, 9, 9, 9, 9, 9]
    assert not any(amendment_of(event) for event in replay(log, until=8).events)
