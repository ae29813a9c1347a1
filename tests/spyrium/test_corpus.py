"""Every row of the opponent's corpus, and that the corpus leaves no rule and no cause out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import pytest
from msgspec import structs

from spyrium_log.audit import Finding, audit_event
from spyrium_log.log.lines import Decided
from spyrium_log.play import OPEN
from spyrium_log.sheet import Printed
from spyrium_log.title import Fact, Posting, SharedCause
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.effects import Cause, SpyriumFact
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.state import State
from tests.scribe import market
from tests.spyrium.corpus import (
    INVENTED,
    MISSING,
    READINGS,
    ROWS,
    WRONG,
    Invented,
    Missing,
    Row,
    Wrong,
    at,
    postings,
    said,
    you,
)

# Readings that change what a count or a gain comes to, and only by way of money or a bonus what is legal.
SETTLED = {"tie", "recruitment_count"}


def found(state: State, act: Any, moved: Sequence[Posting[str, str]], facts: Sequence[Fact]) -> list[Finding]:
    return audit_event(SPYRIUM, state, _event(act, moved, facts))


def tag(fact: Fact) -> str:
    return str(type(fact).__struct_config__.tag)


def _event(act: Any, moved: Sequence[Posting[str, str]], facts: Sequence[Fact]) -> Decided[Any, Any, Any]:
    return Decided(n=1, by="scribe", do=act, moved=tuple(moved), facts=tuple(facts), prev=OPEN, hash=OPEN)


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_the_primary_breach(row: Row) -> None:
    state = row.at.state()
    breaches = SPYRIUM.breaches(state, said(state, row.event))
    if row.rule is None:
        assert not breaches
        return
    assert breaches
    first = breaches[0]
    assert (first.rule, first.number, first.on) == (row.rule, SPYRIUM.rules[row.rule], row.on)


def test_every_row_has_its_own_name() -> None:
    assert not [name for name, n in Counter(row.name for row in ROWS).items() if n > 1]


def test_every_rule_is_primary_somewhere() -> None:
    """By what the rows expect; that the rules agree is each row's own test."""
    assert {row.rule for row in ROWS} - {None} == set(SPYRIUM.rules)


def test_every_numbered_rule_that_an_event_can_break_is_broken() -> None:
    """S-1 to S-10 except what sets up, what is only added up, and what S-6 clears away."""
    chapters = {SPYRIUM.rules[row.rule].split(".")[0] for row in ROWS if row.rule is not None}
    assert chapters == {"S-1", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-9", "S-10"}


def test_every_option_is_shown_both_ways() -> None:
    shown = {(name, getattr(row.at.options, name)) for row in READINGS for name in Options.__struct_fields__}
    differing = {name for name in Options.__struct_fields__ if len({v for n, v in shown if n == name}) > 1}
    assert differing == set(Options.__struct_fields__) - SETTLED


@pytest.mark.parametrize("row", WRONG, ids=[row.name for row in WRONG])
def test_a_cause_left_out_is_found_under_its_rule(row: Wrong) -> None:
    state = row.at.state()
    act = said(state, row.event)
    moved = postings(row.moved)
    assert found(state, act, moved, row.facts) == []
    rule = f"posting.{row.left_out}"
    left = [posting for posting in moved if posting.why != row.left_out]
    assert {(f.rule, f.number) for f in found(state, act, left, row.facts)} == {(rule, row.number)}
    more = [structs.replace(p, n=p.n + 1) if p.why == row.left_out else p for p in moved]
    assert {(f.rule, f.number) for f in found(state, act, more, row.facts)} == {(rule, row.number)}


def test_every_cause_is_left_out_or_invented() -> None:
    assert {row.left_out for row in WRONG} == set(get_args(Cause))
    assert {row.extra.why for row in INVENTED if isinstance(row.extra, Posting)} == set(get_args(SharedCause))


@pytest.mark.parametrize("row", MISSING, ids=[row.name for row in MISSING])
def test_a_fact_left_out_is_found(row: Missing) -> None:
    state = row.at.state()
    act = said(state, row.event)
    moved = postings(row.moved)
    assert found(state, act, moved, [row.fact]) == []
    assert [finding.rule for finding in found(state, act, moved, [])] == [f"fact.{tag(row.fact)}"]


@pytest.mark.parametrize("row", INVENTED, ids=[row.name for row in INVENTED])
def test_something_invented_is_found(row: Invented) -> None:
    state = row.at.state()
    act = said(state, row.event)
    moved = list(postings(row.moved))
    facts: list[Fact] = []
    assert found(state, act, moved, facts) == []
    if isinstance(row.extra, Posting):
        moved.append(row.extra)
        rule = f"posting.{row.extra.why}"
    else:
        facts.append(row.extra)
        rule = f"fact.{tag(row.extra)}"
    assert [finding.rule for finding in found(state, act, moved, facts)] == [rule]


def test_every_fact_is_left_out_and_invented() -> None:
    every = {kind.__struct_config__.tag for kind in get_args(SpyriumFact)}
    assert {tag(row.extra) for row in INVENTED if isinstance(row.extra, Fact)} == every
    assert {tag(row.fact) for row in MISSING} == every - {"card_named"}


def test_a_residence_space_worth_nothing_moves_nothing() -> None:
    """A sheet may say that nothing is printed there, and an event without a movement says none."""
    nothing = SPYRIUM.sheet().with_readings(Printed("residence-track", "space-1", 0, "read"))
    state = at(you(), market=market("residence-1"), sheet=nothing).state()
    act = said(state, "a12.1 rs")
    given = SPYRIUM.effects(state, act)
    assert given is not None
    assert {posting.why for posting in given.moved} == {"price"}
    assert found(state, act, given.moved, given.facts) == []
