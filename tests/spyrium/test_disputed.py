"""The disputed places: what the books' words come to, what the oracle makes of them, and what the project does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from spyrium_log.title import Adjusted, Posting
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.options import EDITIONS, Options
from tests.spyrium.corpus import postings, said
from tests.spyrium.disputed import DISPUTED, Disputed
from tests.spyrium.oracle import Table
from tests.spyrium.test_oracle import told

LEAST = 40


def play(row: Disputed) -> tuple[Any, Table, Any]:
    """The table of a row, by the project and by the oracle, and the act in question."""
    place = row.at
    state = replace_before(row).state()
    start = dict(SPYRIUM.start)
    oracle = Table(seats=place.seats, first=1, options=place.options, sheet=place.sheet.rows_by_key(), start=start)
    oracle.lay(*place.positions)
    for event in place.before:
        act = said(state, event)
        assert oracle.allows(act), act
        oracle.play(act)
        moved, facts = SPYRIUM.effects(state, act) or ((), ())
        SPYRIUM.evolve(state, act, moved, facts)
    if row.corrected:
        oracle.correct(1, row.corrected)
        moved = (Posting(1, "points", row.corrected, "adjusted"),)
        SPYRIUM.evolve(state, Adjusted(who="Anna", why="miscounted"), moved, ())
    return state, oracle, said(state, row.act)


def replace_before(row: Disputed) -> Any:
    """The position alone, for what was played from there is played on both tables."""
    return type(row.at)(seats=row.at.seats, options=row.at.options, sheet=row.at.sheet, positions=row.at.positions)


@pytest.mark.parametrize("row", DISPUTED, ids=[row.name for row in DISPUTED])
def test_books_oracle_and_project_say_the_same(row: Disputed) -> None:
    state, oracle, act = play(row)
    broken = [breach for breach in SPYRIUM.breaches(state, act) if breach.on == "record"]
    assert oracle.allows(act) == (row.moved is not None) == (not broken), broken
    if row.moved is None:
        return
    expected = Counter[tuple[int, str, str]]()
    for posting in postings(row.moved):
        expected[posting.who, posting.what, posting.why] += posting.n
    expected_facts = Counter(row.facts)
    assert told(SPYRIUM.effects(state, act)) == (dict(expected), expected_facts)
    assert oracle.play(act) == (dict(expected), expected_facts)


def test_there_are_enough_of_them_and_no_name_comes_twice() -> None:
    assert len(DISPUTED) >= LEAST
    assert len({row.name for row in DISPUTED}) == len(DISPUTED)


def test_every_reading_in_doubt_is_shown_both_ways() -> None:
    """All but `tie`, which has one reading, and the worker at seven, which the corpus shows."""
    shown = {(name, getattr(row.at.options, name)) for row in DISPUTED for name in Options.__struct_fields__}
    both = {name for name in Options.__struct_fields__ if len({value for n, value in shown if n == name}) > 1}
    assert set(Options.__struct_fields__) - both == {"tie", "bonus_worker_at_seven"}


def test_every_edition_decides_some() -> None:
    presets = {edition: dict(EDITIONS[edition].readings) for edition in EDITIONS}
    used = {
        edition
        for edition, readings in presets.items()
        for row in DISPUTED
        if all(row.at.options[name] == reading for name, reading in readings.items())
    }
    assert used == set(EDITIONS)
