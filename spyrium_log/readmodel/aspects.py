"""What a finding speaks against: a wrong price in round 2 says nothing against the final scores. Pure.

An aspect is what a report rests on. `scores`: the final scores, and who sat where. `cards`: who had which card.
`openings`: what was taken in the first round, in order. `amounts`: every posting, its cause and its round. `offers`:
what could have been taken at each decision. `time`: how long decisions took.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

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
