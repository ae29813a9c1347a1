"""Scores of tables that no game comes to by itself."""

from __future__ import annotations

from spyrium_log.title import Effects, FinalCount
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.state import Built
from tests.test_laws import new_state


def test_engineering_counts_no_building_that_nobody_saw() -> None:
    state = new_state(SPYRIUM, 1)
    mat = state.mats[1]
    mat.techniques = ("engineering",)
    mat.buildings = [Built("?"), Built("factory-1"), Built("no such card")]
    printed = state.printed.designs["factory-1"].points
    assert SPYRIUM.score(state)[0].final == (("final:buildings", printed), ("final:engineering", printed))
    assert isinstance(SPYRIUM.effects(state, FinalCount()), Effects)
