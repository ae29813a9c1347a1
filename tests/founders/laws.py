"""The laws of Founders: what holds after every event of a game, computed once more without the rules' code.

Each law takes a moment, raises AssertionError with a sentence, and returns how many things it looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Stated
from spyrium_log.replay import replay
from tests.founders.laws_cards import (
    check_action_cards,
    check_advisers,
    check_bases,
    check_call,
    check_claims,
    check_proposals,
    check_rows,
    check_workers,
)
from tests.founders.laws_ground import (
    check_apart,
    check_cells,
    check_choices,
    check_deliveries,
    check_joined,
    check_networks,
    check_owners,
    check_roads,
    check_sections,
    check_shapes,
    check_supply,
    check_terrain,
)
from tests.founders.laws_moment import Moment, Past
from tests.founders.laws_points import (
    check_cascades,
    check_completions,
    check_final_count,
    check_goals,
    check_income,
    check_printed_points,
    check_purses,
)
from tests.founders.laws_turns import check_buildings, check_end, check_token, check_vote, check_winner

Law: TypeAlias = Callable[[Moment], int]

# What holds whatever a table states.
LAWS_OF_A_STATEMENT: Mapping[str, Law] = MappingProxyType({"networks are flood fills": check_networks})
# What hangs on nothing but the board, and need not be asked again while that is as it was.
LAWS_OF_THE_BOARD: Mapping[str, Law] = MappingProxyType(
    {
        **LAWS_OF_A_STATEMENT,
        "one thing a cell": check_cells,
        "terrain": check_terrain,
        "shapes and sites": check_shapes,
        "one of a kind a section": check_sections,
        "structures apart": check_apart,
        "structures joined": check_joined,
        "owners and inputs": check_owners,
        "supply": check_supply,
        "deliveries": check_deliveries,
    }
)
# What holds of an event wherever it happens, on a board that a table stated as well.
LAWS_OF_AN_EVENT: Mapping[str, Law] = MappingProxyType(
    {
        **LAWS_OF_A_STATEMENT,
        "points are those printed": check_printed_points,
        "credits and losses sum up": check_cascades,
        "completions": check_completions,
        "achievements": check_goals,
        "influence after a vote": check_vote,
        "who wins a vote": check_winner,
        "calls": check_call,
        "chosen deliveries": check_choices,
        "final counts": check_final_count,
    }
)
# What holds of a table that was played from the beginning.
LAWS_OF_A_GAME: Mapping[str, Law] = MappingProxyType(
    {
        **LAWS_OF_THE_BOARD,
        "roads joined": check_roads,
        "income": check_income,
        "nothing negative": check_purses,
        "action cards": check_action_cards,
        "advisers": check_advisers,
        "proposals": check_proposals,
        "base cards": check_bases,
        "workers": check_workers,
        "claims": check_claims,
        "rows": check_rows,
        "buildings and votes": check_buildings,
        "turns": check_token,
        "ends": check_end,
    }
)
LAWS: Mapping[str, Law] = MappingProxyType({**LAWS_OF_AN_EVENT, **LAWS_OF_A_GAME})


def list_moments(log: Log) -> Iterator[tuple[Moment, Mapping[str, Law]]]:
    """The events of a log that the rules agree with, and the laws that hold of each.

    Once a table stated something, or something was found against it, what lies there need not come of the rules. All
    moments share one past, so each is to be looked at before the next.
    """
    done = replay(log)
    found = {finding.n for finding in done.findings}
    after, past, is_played = done.state_at(0), Past(), True
    for event in done.events:
        before = after
        after = done.state_after(event.n)
        past.add(before, event.do)
        is_played = is_played and event.n not in found and not isinstance(event, Stated)
        if event.n not in found:
            laws = LAWS if is_played else LAWS_OF_A_STATEMENT if isinstance(event, Stated) else LAWS_OF_AN_EVENT
            yield Moment(before, event.do, event.moved, event.facts, after, past), laws


def check_laws(moment: Moment, counts: Counter[str], laws: Mapping[str, Law] = LAWS) -> None:
    """Every law on one moment; counts what each looked at."""
    is_new = moment.changes_board()
    for name, law in laws.items():
        if is_new or name not in LAWS_OF_THE_BOARD:
            counts[name] += law(moment)
