"""What a finding speaks against: a wrong price in round 2 says nothing against the final scores. Pure.

An aspect is what a report rests on. `scores`: the final scores, and who sat where. `cards`: who had which card.
`openings`: what was taken in the first round, in order. `amounts`: every posting, its cause and its round. `offers`:
what could have been taken at each decision. `time`: how long decisions took.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from spyrium_log.audit import Finding
from spyrium_log.messages import Amount, Term

Aspect: TypeAlias = Literal["scores", "cards", "openings", "amounts", "offers", "time"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
# What is different in a game that was not played or recorded by the rules, whatever became of it.
_TOUCHED: Mapping[str, frozenset[Aspect]] = {
    # a move that the rules do not allow was made all the same
    "breach": frozenset(("offers",)),
    # an amount or a fact is not what the rules give
    "difference": frozenset(("amounts", "offers")),
    # a piece is named that is not there: something before is missing
    "phantom": frozenset(("cards", "amounts", "offers")),
    # somebody counted something else: an amount before is wrong
    "count": frozenset(("amounts", "offers")),
    # the declared result is the one that counts; where its points come from is not known
    "result": frozenset(("amounts",)),
    # somebody else may have written the log
    "seal": frozenset(ASPECTS),
}
_OF_MOVES = frozenset(("breach", "phantom"))


def touched_aspects(
    findings: Iterable[Finding], round_by_event: Mapping[str, int], score_resource: str
) -> list[Aspect]:
    """What the open findings of a game speak against. `round_by_event`: by the names of its events."""
    touched: set[Aspect] = set()
    for finding in findings:
        if finding.is_open:
            touched |= _touched_by(finding, round_by_event.get(finding.ref), score_resource)
    return [aspect for aspect in ASPECTS if aspect in touched]


def _touched_by(finding: Finding, round_: int | None, score_resource: str) -> frozenset[Aspect]:
    """What one finding speaks against; of an event that does not stand nobody knows the round."""
    touched = _TOUCHED[finding.kind]
    if finding.kind in {"difference", "count"} and score_resource in _resources(finding):
        touched |= {"scores"}
    is_of_move = finding.kind in _OF_MOVES or finding.rule.startswith("fact.")
    if is_of_move and (round_ is None or round_ <= 1):
        touched |= {"openings"}
    return touched


def _resources(finding: Finding) -> frozenset[str]:
    """The resources that a finding is about."""
    values = finding.expected.arguments.values()
    named = {value.key for value in values if isinstance(value, Term) and value.table == "resources"}
    return frozenset(named | {value.resource for value in values if isinstance(value, Amount)})


# What a report may ask for: games of a grade, for what it rests on; None: for everything.
AskedGrade: TypeAlias = Literal["clean", "open", "exact", "invented"]
Purpose: TypeAlias = Aspect | Literal["seats"] | None
# What is asked with the final scores that it comes to, or of them.
_RESTS_ON: Final[Mapping[Purpose, frozenset[Aspect]]] = {
    None: frozenset(ASPECTS),
    "scores": frozenset(("scores",)),
    "seats": frozenset(("scores",)),
    "cards": frozenset(("scores", "cards")),
    "openings": frozenset(("scores", "openings")),
    "amounts": frozenset(("amounts",)),
    "offers": frozenset(("offers",)),
    "time": frozenset(("time",)),
}
GRADES_ASKED: Final[tuple[AskedGrade, ...]] = get_args(AskedGrade)
PURPOSES: Final[tuple[Purpose, ...]] = tuple(_RESTS_ON)


def which_bit(grade: AskedGrade, purpose: Purpose) -> int:
    """The bit of game.counts_for that says whether a game counts; `does_count` of views.sql has the same."""
    return 1 << (len(PURPOSES) * GRADES_ASKED.index(grade) + PURPOSES.index(purpose))


@lru_cache(maxsize=4096)
def sum_counted_bits(reason: str | None, grades: AbstractSet[str], touched: AbstractSet[Aspect]) -> int:
    """game.counts_for of a game, from its other columns. Cached, because few combinations occur."""
    return sum(
        which_bit(grade, purpose)
        for grade in GRADES_ASKED
        for purpose in PURPOSES
        if _does_count(reason, grades, touched, grade, purpose)
    )


def _does_count(
    reason: str | None, grades: AbstractSet[str], touched: AbstractSet[Aspect], asked: AskedGrade, purpose: Purpose
) -> bool:
    """Whether a game counts for a report: by its reason, or in spite of it where the report rests on something else."""
    is_touched = purpose is None or not touched.isdisjoint(_RESTS_ON[purpose])
    # old score sheets and games with gaps have scores, and nothing else
    has_gap = "gaps" in grades and purpose != "scores"
    if asked == "invented" and reason == "invented set":
        # like any other: what else speaks against it is in its grades
        if "scores-only" in grades:
            return purpose == "scores"
        return "complete" in grades and not ("findings" in grades and is_touched) and not has_gap
    match reason:
        case None:
            return asked != "exact" or grades.isdisjoint(("rulings", "unseen"))
        case "scores only" | "gaps":
            return purpose == "scores" and asked != "exact"
        case "open findings":
            return (asked == "open" or (asked == "clean" and not is_touched)) and not has_gap
        case _:
            return False
