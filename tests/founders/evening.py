"""Whole evenings on a half-known set: what is printed on the cards is the practice set, and nobody has typed it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from spyrium_log.edit.amend import record_reading
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import ReadOff
from spyrium_log.play import Play
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Question
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.sets import read_practice
from tests.games import PLAYERS, choose

BY = "Anna"
# What is printed on the table's cards, by component and value.
TRUTH = {key: row.value for key, row in read_practice().rows_by_key().items()}


class Evening(NamedTuple):
    """A game as it was recorded on a half-known set, the same on the set that the cards are, and what was asked."""

    recorded: Play
    truth: Play
    asked: list[Question]


def half_known_set(*more: Printed) -> Sheet:
    """What is known of the printed game, a board of one's own, and what was read off on earlier evenings."""
    board = [row for row in read_practice().printed if row.of.startswith("board-")]
    own = Sheet(name="our box", printed=tuple(Printed(row.of, row.what, row.value, "read", BY) for row in board))
    return FOUNDERS.with_own_values(own).with_readings(*more)


@cache
def true_game(seed: int, seats: int, **options: str) -> Log:
    """A game by chance among people who know what is printed."""
    play = begin(read_practice(), seed, seats, options)
    rng = random.Random(seed)
    while (act := choose(play, rng)) is not None:
        play.do(act, by=BY)
    return play.log


def begin(sheet: Sheet, seed: int, seats: int, options: dict[str, str]) -> Play:
    return Play.new(
        FOUNDERS, game=f"evening-{seed}", players=PLAYERS[:seats], first=1, by=BY, options=options, sheet=sheet
    )


def spend_evening(seed: int, seats: int, known: Iterable[Printed] = (), **options: str) -> Evening:
    """Record the acts of a game on a half-known set: each value that an act rests on is read off before it."""
    truth = Play(true_game(seed, seats, **options))
    recorded = begin(half_known_set(*known), seed, seats, options)
    asked: list[Question] = []
    for event in truth.list_events():
        while questions := FOUNDERS.recorder.questions(recorded.state, event.do):
            for question in questions:
                answer(recorded, question)
            asked += questions
        recorded.do(event.do, by=BY)
    return Evening(recorded, truth, asked)


def answer(play: Play, question: Question) -> None:
    """Read a value off the card that lies there."""
    value = TRUTH[question.of, question.what]
    assert question.likely in {None, value}
    play.append(record_reading(play.log, Printed(question.of, question.what, value, "read", BY), by=BY))


def readings_of(play: Play) -> list[Printed]:
    """The values that were read off in a game."""
    return [line.value for line in play.log.lines if isinstance(line, ReadOff)]


def acts_of(play: Play) -> list[tuple[Any, ...]]:
    """What was done and what it came to."""
    return [(event.do, list(event.moved), list(event.facts)) for event in play.list_events()]
