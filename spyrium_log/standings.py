"""What each seat has in the end: its score, what of it is assumed, and what the table declared instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from spyrium_log.ledger import Holdings
from spyrium_log.log.lines import Result
from spyrium_log.title import AnyTitle, FinalCount, Score


class Standing(NamedTuple):
    """A seat's score, and whether its points and its total rest on printed values that nobody has checked."""

    score: Score
    are_points_assumed: bool = False
    is_total_assumed: bool = False

    @property
    def points(self) -> str:
        """The points so far, with the sign `~` where they rest on assumed values."""
        return f"{'~' if self.are_points_assumed else ''}{self.score.points}"

    @property
    def total(self) -> str:
        """The total, with the sign `~` where it rests on assumed values."""
        return f"{'~' if self.is_total_assumed else ''}{self.score.total}"


def list_standings(title: AnyTitle, state: Any, assumed: Holdings) -> list[Standing]:
    """The score of each seat in a state; `assumed` are the amounts that rest on unchecked values there."""
    unit, to_come = title.score_resource, title.assumed(state, FinalCount())
    standings = []
    for score in title.score(state):
        is_assumed = (score.seat, unit) in assumed
        has_assumed_part = any((score.seat, unit, part) in to_come for part, _ in score.final)
        standings.append(Standing(score, is_assumed, is_assumed or has_assumed_part))
    return standings


def make_sheet_scores(seats: int, declared: Iterable[Result]) -> list[Score]:
    """Scores of a mere score sheet: places by total, ties shared, all points of no known cause."""
    points = {result.seat: result.points for result in declared}
    totals = [points.get(seat, 0) for seat in range(1, seats + 1)]
    return [
        Score(seat, 0, (("declared", total),), total, 1 + sum(other > total for other in totals))
        for seat, total in enumerate(totals, 1)
    ]


def with_declared(scores: Sequence[Score], declared: Sequence[Result]) -> Sequence[Score]:
    """The scores with what the table declared in the place of what the log adds up to.

    What it declared otherwise is a part of its own, `declared`. Who is level stays apart where both were level before,
    by the title's own order.
    """
    totals = {score.seat: score.total for score in scores}
    totals |= {result.seat: result.points for result in declared if result.seat in totals}
    if all(totals[score.seat] == score.total for score in scores):
        return scores

    def is_before(other: Score, score: Score) -> bool:
        """Whether the other seat has a better place."""
        if totals[other.seat] != totals[score.seat]:
            return totals[other.seat] > totals[score.seat]
        return other.total == score.total and other.place < score.place

    return [
        structs.replace(
            score,
            total=totals[score.seat],
            place=1 + sum(is_before(other, score) for other in scores),
            final=(*score.final, ("declared", totals[score.seat] - score.total))
            if totals[score.seat] != score.total
            else score.final,
        )
        for score in scores
    ]
