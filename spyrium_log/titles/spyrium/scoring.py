"""The end of the game (S-10, S-9.3): the final count, and the places."""

from __future__ import annotations

from typing import Final

from spyrium_log.title import AnyPosting, Posting, Score
from spyrium_log.titles.spyrium.state import Mat, State

TECHNIQUE_CAP: Final = 7


def final_postings(state: State) -> list[AnyPosting]:
    """The postings of the final count: the printed points of buildings, and each technique up to its cap."""
    return [
        Posting(seat, "points", points, part)
        for seat in range(1, state.seats + 1)
        for part, points in final_parts(state, state.mats[seat])
        if points
    ]


def final_parts(state: State, mat: Mat) -> list[tuple[str, int]]:
    """The points of the final count for one seat, each part with its cause; parts of 0 points are among them."""
    designs = state.printed.designs
    parts = [("final:buildings", sum([designs[b.card].points for b in mat.buildings if b.card in designs]))]
    parts += [(f"final:{name}", min(TECHNIQUE_CAP, _score_technique(state, mat, name))) for name in mat.techniques]
    return parts


def _score_technique(state: State, mat: Mat, technique: str) -> int:
    """What a technique counts at the end, before its cap (S-9.3): a point for each Spyrium, for every £2, and so on."""
    if technique == "automation":
        return max(0, mat.spyrium)
    if technique == "capitalization":
        return max(0, mat.money // 2)
    if technique == "engineering":
        designs = [state.printed.designs.get(built.card) for built in mat.buildings]
        points = [design.points for design in designs if design and "factory" in design.symbols]
        return len(points) if state.options.engineering_scores == "count" else sum(points)
    if technique == "lobbying":
        return state.printed.residence(mat.residence)
    if technique == "crane":
        return len(mat.buildings) if state.options.crane_scores == "owned" else mat.built
    if technique == "taylorism":
        return max(0, mat.workers)
    return len(mat.kept) if technique == "commerce" else 0


def compute_scores(state: State) -> list[Score]:
    """The score of each seat: points, the parts of a final count still to come, total and place; ties share a place."""
    final: dict[int, tuple[tuple[str, int], ...]] = {}
    totals: dict[int, int] = {}
    for seat in range(1, state.seats + 1):
        mat = state.mats[seat]
        final[seat] = () if state.counted else tuple([part for part in final_parts(state, mat) if part[1]])
        totals[seat] = mat.points + sum([n for _, n in final[seat]])
    return [
        Score(
            seat=seat,
            points=state.mats[seat].points,
            final=parts,
            total=totals[seat],
            place=1 + sum([other > totals[seat] for other in totals.values()]),
        )
        for seat, parts in final.items()
    ]
