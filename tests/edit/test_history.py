"""Both histories: every line is told once, and what became of it is what the timeline says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from spyrium_log.edit.amend import make_amendment
from spyrium_log.edit.history import HistoryLine, list_history
from spyrium_log.log.lines import (
    Accepted,
    AnyEdit,
    Corrected,
    Declared,
    Drop,
    EventBody,
    Line,
    ReadOff,
    Replace,
    Result,
    Undone,
    Withdrawn,
)
from spyrium_log.log.timeline import timeline
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed
from spyrium_log.store import read_bytes
from spyrium_log.title import AnyTitle
from tests.build import chained, header, place, undo
from tests.edit.test_amend_laws import SOME, corrected_game
from tests.games import every_quick_title, game, log_of

COUNTS = ("stands", "amended")


@every_quick_title
@SOME
@given(seed=st.integers(0, 9_999))
def test_what_stands_in_the_history_is_the_timeline(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    done = replay(log, audit=False)
    told = list(list_history(log))
    lines = [one for one in told if one.kind != "inserted"]
    assert [one.n for one in lines] == list(range(len(log.lines)))
    events = {one.ref for one in told if one.kind != "amendment" and one.status in COUNTS}
    assert events == done.position_by_name.keys()
    now = {done.name_of(event): sentence for event, sentence in done.describe_events()}
    for one in told:
        counts[f"lines of a history: {one.status}"] += 1
        if one.status == "undone":
            assert isinstance(log.lines[one.through or 0], Undone)
            assert (one.through or 0) > one.n
        if one.kind != "inserted":
            assert (one.now is not None) == (one.status == "amended")
            assert one.now in {None, now.get(one.ref)}


def taken_back(lines: Sequence[Line]) -> dict[int, int]:
    """Which line is not on the timeline, and the last undo after which it was no more, by the definition."""
    found: dict[int, int] = {}
    before: set[int] = set()
    for n in range(len(lines)):
        now = {event.n for event in timeline(lines[: n + 1])}
        found = {line: by for line, by in found.items() if line not in now} | dict.fromkeys(before - now, n)
        before = now
    return found


@given(steps=st.lists(st.integers(0, 1_000_000), max_size=60))
def test_a_line_was_taken_back_by_the_last_undo_after_which_it_did_not_stand(steps: list[int]) -> None:
    lines = [header(), *(undo(n, step // 3 % n) if step % 3 else place(n) for n, step in enumerate(steps, 1))]
    log = read_bytes(b"".join(chained(*lines)), "undone")
    told = {one.n: one.through for one in list_history(log) if one.status == "undone"}
    assert told == taken_back(log.lines)


@pytest.mark.parametrize("seed", range(3))
def test_without_corrections_it_is_the_replay(seed: int) -> None:
    log = game("spyrium", seed)
    done = replay(log, audit=False)
    told = list(list_history(log))
    assert [one.sentence for one in told[1:]] == [sentence for _, sentence in done.describe_events()]
    assert {one.status for one in told[1:]} == {"stands"}
    assert (told[0].kind, told[0].status) == ("header", "aside")
    assert len(told) > 50


def with_lines(*more: Line, most: int = 6) -> list[HistoryLine]:
    """A game of so many lines, and behind them others, numbered on."""
    lines: list[Line] = list(game("spyrium", 1).lines[:most])
    for line in more:
        lines.append(structs.replace(line, n=len(lines)))
    return list(list_history(log_of(game("spyrium", 1).title, lines)))


def test_every_line_off_the_timeline_has_words() -> None:
    head: dict[str, Any] = {"n": 0, "by": "x", "prev": OPEN, "hash": OPEN}
    told = with_lines(
        Corrected(**head, seat=1, player="Ana", first=2, played="2026", place="here", why="a slip"),
        Corrected(**head, seat=9, colour="red", why="nobody"),
        ReadOff(**head, value=Printed("mine-1", "price", 3, "read")),
        Declared(**head, results=(Result(seat=1, points=7),)),
        Accepted(**head, line=3, rule="turn.order", who="Anna", why="so be it"),
        Accepted(**head, line=3, i=1, rule="turn.order", who="Anna", why="so be it"),
        Withdrawn(**head, line=6, why="it was right"),
    )
    assert [(one.status, one.through) for one in told[6:]] == [("withdrawn", 12), *[("aside", None)] * 6]
    assert [one.sentence for one in told[6:]] == [
        "header corrected: Anna is Ana, seat 2 begins, played 2026, at here: a slip",
        "header corrected: seat 9 is red: nobody",
        "read off mine-1: price is 3",
        "declared: Anna 7",
        "accepted: turn.order of event 3, says Anna: so be it",
        "accepted: turn.order of event 3.1, says Anna: so be it",
        "withdrawn: line 6: it was right",
    ]


def test_a_seal_an_undo_and_amendments_have_words() -> None:
    play = Play(log_of(game("spyrium", 1).title, game("spyrium", 1).lines[:6]))
    log = play.log
    play.seal(by="x")
    play.undo(4, by="x", why="too early")
    event = replay(log, audit=False).events[1]
    edits: list[AnyEdit] = [Drop(at="3"), Replace(at="2", event=EventBody(do=event.do))]
    play.append(make_amendment(log, edits, "misplayed", by="x", why="seen on a photo"))
    told = list(list_history(log))
    assert told[6].sentence.startswith("sealed: 6 lines that end in ")
    assert told[7].sentence == "undo: as it was after line 4: too early"
    assert told[8].sentence == "amendment (misplayed): drops 3, replaces 2: seen on a photo"
    assert [(one.status, one.through) for one in told[1:6]] == [
        ("stands", None),
        ("amended", 8),
        ("dropped", 8),
        ("stands", None),
        ("undone", 7),
    ]
