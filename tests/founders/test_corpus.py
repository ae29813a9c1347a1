"""Every row of the opponent's corpus, and that the corpus leaves no rule out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from spyrium_log.audit import audit_event
from spyrium_log.log.lines import Decided
from spyrium_log.play import OPEN
from spyrium_log.titles.founders import FOUNDERS
from tests.founders import (
    corpus_building,
    corpus_cards,
    corpus_doubtful,
    corpus_ends,
    corpus_rows,
    corpus_setup,
    corpus_turns,
    corpus_votes,
)
from tests.founders.corpus import Row
from tests.founders.corpus_wild import PHANTOMS, WILD, Phantom, Wild

MODULES = (
    corpus_setup,
    corpus_rows,
    corpus_turns,
    corpus_building,
    corpus_cards,
    corpus_votes,
    corpus_ends,
    corpus_doubtful,
)
ROWS: list[tuple[str, Row]] = [
    (f"{group}: {row.name}", row) for module in MODULES for group, rows in module.GROUPS.items() for row in rows
]


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[name for name, _ in ROWS])
def test_the_primary_breach(row: Row) -> None:
    breaches = FOUNDERS.breaches(row.at.state(), row.act)
    if row.rule is None:
        assert not breaches
        return
    assert breaches
    first = breaches[0]
    assert (first.rule, first.number, first.on) == (row.rule, FOUNDERS.rules[row.rule], row.on)


def test_every_row_has_its_own_name() -> None:
    assert not [name for name, n in Counter(name for name, _ in ROWS).items() if n > 1]


def test_every_rule_is_primary_somewhere() -> None:
    """By what the rows expect; that the rules agree is each row's own test."""
    assert {row.rule for _, row in ROWS} - {None} == set(FOUNDERS.rules)


@pytest.mark.parametrize("phantom", PHANTOMS, ids=[phantom.name for phantom in PHANTOMS])
def test_what_does_not_exist_is_said_and_no_error(phantom: Phantom) -> None:
    state = phantom.at.state()
    event: Decided[Any, Any, Any] = Decided(n=1, by="scribe", do=phantom.act, prev=OPEN, hash=OPEN)
    findings = audit_event(FOUNDERS, state, event)
    assert findings[0].rule == phantom.rule
    assert ("phantom" in {finding.kind for finding in findings}) == phantom.is_gone
    FOUNDERS.evolve(state, phantom.act, (), ())


@pytest.mark.parametrize("wild", WILD, ids=[wild.name for wild in WILD])
def test_what_no_table_has_breaks_a_rule_and_is_no_error(wild: Wild) -> None:
    state = wild.at.state()
    assert [breach for breach in FOUNDERS.breaches(state, wild.act) if breach.on == "record"]
    effects = FOUNDERS.effects(state, wild.act)
    FOUNDERS.evolve(state, wild.act, effects.moved if effects else (), effects.facts if effects else ())
