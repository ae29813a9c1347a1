"""What holds for every title, whatever happens: a law per invariant, over random events and random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect, structs

from spyrium_log.audit import audit_event
from spyrium_log.header import make_table
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import Event, EventLine, Undone
from spyrium_log.play import OPEN
from spyrium_log.replay import Replay, replay
from spyrium_log.title import AnyPosting, AnyTitle, Posting, Seen
from spyrium_log.titles import TITLES
from tests.anything import class_of, info, survives, value_of
from tests.games import ALL_TITLES, game, log_of, moves, raw_of, read, start
from tests.shares import part

T = TypeVar("T")

GAMES = st.integers(min_value=0, max_value=9_999)
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
FEW = settings(SLOW, max_examples=part(12, 2))

# What the setup froze into a state for the rules: shared by every copy on purpose.
FROZEN = ("printed", "options")

# Of a game with more events, or a decision with more legal acts, the laws try so many. Spyrium never has as many; a
# busy board of Founders has 1,400 legal acts.
MOST_EVENTS = 200
MOST_ACTS = part(120, 3)
# Events of any kind on one state.
MANY_EVENTS = part(100_000, 5)

every_title = pytest.mark.parametrize("title", ALL_TITLES.values(), ids=ALL_TITLES.keys())
on_the_shelf = pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())


def some(values: Sequence[T], seed: int, most: int) -> list[T]:
    """The values in order; of more than so many those that chance chooses."""
    if len(values) <= most:
        return list(values)
    chosen = set(random.Random(seed).sample(range(len(values)), most))
    return [value for index, value in enumerate(values) if index in chosen]


def attributes(value: Any) -> list[str]:
    """What a class has in the place of a dict: slots, or what the compiled build makes of them."""
    kind = type(value)
    return sorted(getattr(kind, "__slots__", ()) or getattr(kind, "__mypyc_attrs__", ()))


def fingerprint(value: Any) -> Any:
    """Everything a state holds, as something that compares."""
    if isinstance(value, dict):
        return tuple(sorted((repr(key), fingerprint(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return tuple(fingerprint(each) for each in value)
    names = attributes(value)
    if names and not isinstance(value, str | bytes) and type(value).__module__ != "builtins":
        return tuple((name, fingerprint(getattr(value, name))) for name in names if name not in FROZEN)
    return value


def mutable_parts(value: Any) -> set[int]:
    """The identities of everything in a state that somebody could change."""
    if isinstance(value, dict):
        return {id(value)}.union(*(mutable_parts(each) for each in value.values()))
    if isinstance(value, list):
        return {id(value)}.union(*(mutable_parts(each) for each in value))
    if isinstance(value, tuple):
        return set().union(*(mutable_parts(each) for each in value))
    names = attributes(value)
    if names and type(value).__module__.split(".")[0] in ("spyrium_log", "tests"):
        parts = (mutable_parts(getattr(value, name)) for name in names if name not in FROZEN)
        return {id(value)}.union(*parts)
    return set()


def new_state(title: AnyTitle, seed: int) -> Any:
    log = start(title, seed).log
    return title.setup(make_table(log.header, log.sheet))


def any_events(title: AnyTitle, seed: int, n: int, *, wild: bool = False) -> list[Event]:
    """Events that the decoder would take, in any order, about anything; or their `wild` kin, which no log can hold."""
    rng = random.Random(seed)
    union = info(line_type(title))
    assert isinstance(union, inspect.UnionType)
    kinds = [
        kind for kind in union.types if isinstance(kind, inspect.StructType) and issubclass(class_of(kind), EventLine)
    ]
    fields = [{field.name: field.type for field in kind.fields} for kind in kinds]
    events = []
    for number in range(n):
        which = rng.randrange(len(kinds))
        said = {name: value_of(fields[which][name], rng, wild=wild) for name in ("do", "moved", "facts")}
        events.append(class_of(kinds[which])(n=number, by="x", prev=OPEN, hash=OPEN, **said))
    return events


@every_title
def test_what_the_laws_call_anything_is_well_typed(title: AnyTitle) -> None:
    for event in any_events(title, 1, 300):
        assert survives(line_type(title), event)


@every_title
@settings(SLOW, max_examples=part(220, 4))
@given(seed=st.integers(0, 2**32), n=st.integers(1, 500))
def test_evolve_never_raises(title: AnyTitle, counts: Counter[str], seed: int, n: int) -> None:
    state = new_state(title, seed % 7)
    for event in any_events(title, seed, n):
        title.evolve(state, event.do, event.moved, event.facts)
        counts[f"events of any kind folded: {title.key}"] += 1


@every_title
def test_evolve_takes_very_many_events_on_one_state(title: AnyTitle, counts: Counter[str]) -> None:
    state = new_state(title, 3)
    folded = 0
    for event in any_events(title, 3, MANY_EVENTS):
        title.evolve(state, event.do, event.moved, event.facts)
        folded += 1
    counts[f"events of any kind folded: {title.key}"] += folded
    assert folded == MANY_EVENTS


@every_title
@settings(SLOW, max_examples=part(40, 3))
@given(seed=st.integers(0, 2**32), n=st.integers(1, 40))
def test_nothing_that_only_reads_raises_or_changes_a_state(
    title: AnyTitle, counts: Counter[str], seed: int, n: int
) -> None:
    state = new_state(title, seed % 7)
    for event in any_events(title, seed, n):
        before = fingerprint(state)
        audit_event(title, state, event)
        title.breaches(state, event.do)
        title.effects(state, event.do)
        title.legal(state)
        title.tables.offers(state, 1)
        title.recorder.nearest(state, event.do)
        assert all(isfinite(title.worth(state, score.seat)) for score in title.score(state))
        title.awaits(state)
        title.screens.view(state)
        title.screens.seen_by(state, 1)
        title.tables.verb(event.do)
        title.words.describe(state, event.do, event.moved, event.facts, ("Anna", "Bob"), "en", frozenset())
        assert fingerprint(state) == before
        title.evolve(state, event.do, event.moved, event.facts)
        counts[f"positions only read: {title.key}"] += 1


ANY_SEATS = (-99, -1, 0, 1, 5, 9, 10, 99)


@every_title
@settings(SLOW, max_examples=part(60, 4))
@given(seed=st.integers(0, 2**32), n=st.integers(1, 40))
def test_the_rules_take_numbers_that_are_on_no_table(title: AnyTitle, counts: Counter[str], seed: int, n: int) -> None:
    """Fields of the right type are enough: a gap 99 breaks a rule, and raises nothing."""
    state = new_state(title, seed % 7)
    for event, other in zip(any_events(title, seed, n), any_events(title, seed + 1, n, wild=True), strict=True):
        title.evolve(state, event.do, event.moved, event.facts)
        before = fingerprint(state)
        act = other.do
        broken = title.breaches(state, act)
        given_ = title.effects(state, act)
        title.recorder.nearest(state, act)
        title.against(state, other.facts)
        title.tables.verb(act)
        title.tables.deed(state, act)
        for moved, facts in ((other.moved, other.facts), given_ or ((), ())):
            title.words.describe(state, act, moved, facts, ("Anna", "Bob"), "en", frozenset())
        for seat in ANY_SEATS:
            title.tables.offers(state, seat)
            title.worth(state, seat)
            title.screens.seen_by(state, seat)
            title.phase(state, seat)
            title.tables.tableau(state, seat)
        assert fingerprint(state) == before
        if not survives(type(act), act) and isinstance(act, title.wire.decision | title.wire.deal):
            assert any(breach.on == "record" for breach in broken), act
            counts[f"acts that no log can hold, each against a rule: {title.key}"] += 1
        counts[f"acts with any numbers asked about: {title.key}"] += 1


@every_title
@FEW
@given(seed=GAMES)
def test_a_copy_is_equal_and_shares_nothing_mutable(title: AnyTitle, seed: int) -> None:
    play = start(title, seed)
    for _ in moves(play, seed, most=60):
        copy = title.copy(play.state)
        assert fingerprint(copy) == fingerprint(play.state)
        assert not mutable_parts(copy) & mutable_parts(play.state)


@on_the_shelf
def test_evolve_does_not_know_the_sheet_or_the_options(title: AnyTitle) -> None:
    log = game(title.key, 5)
    laid_out = title.setup(make_table(log.header, log.sheet))
    # what was never set cannot be looked at
    state = type(laid_out)()
    for name in attributes(laid_out):
        if name not in FROZEN:
            setattr(state, name, getattr(laid_out, name))
    for event in (*replay(log, audit=False).events, *any_events(title, 9, 3_000)):
        title.evolve(state, event.do, event.moved, event.facts)


@every_title
@FEW
@given(seed=GAMES)
def test_folding_twice_is_the_same(title: AnyTitle, seed: int) -> None:
    log = game(title.key, seed)
    one, other = replay(log), replay(log)
    assert fingerprint(one.state_at(len(one.events))) == fingerprint(other.state_at(len(other.events)))
    assert one.ledger == other.ledger


@every_title
@FEW
@given(seed=GAMES)
def test_what_is_read_and_written_again_is_the_same_bytes(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    raw = raw_of(game(title.key, seed))
    assert raw_of(read(raw, title)) == raw
    counts[f"lines written as they were read: {title.key}"] += raw.count(b"\n")


@every_title
@settings(SLOW, max_examples=part(4, 2))
@given(seed=GAMES)
def test_any_prefix_that_holds_the_header_is_a_log(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    lines = raw_of(game(title.key, seed)).splitlines(keepends=True)
    for n in some(range(1, len(lines) + 1), seed, part(MOST_EVENTS, 4)):
        log = read(b"".join(lines[:n]), title)
        assert log.complaint is None
        assert len(log.lines) == n
        assert replay(log).verdict == "clean"
        counts[f"prefixes read: {title.key}"] += 1


def sums(done: Replay, n: int) -> Counter[tuple[int, str]]:
    total: Counter[tuple[int, str]] = Counter()
    for entry in done.ledger:
        if entry.n <= n:
            total[entry.who, entry.what] += entry.amount
    return total


@every_title
@FEW
@given(seed=GAMES)
def test_the_ledger_sums_to_every_resource_after_every_event(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(game(title.key, seed))
    for n in some(range(len(done.log.lines)), seed, MOST_EVENTS):
        total = sums(done, n)
        for has in title.held(done.state_after(n)):
            assert total[has.who, has.what] == has.n
            counts[f"holdings balanced: {title.key}"] += 1


@every_title
@FEW
@given(seed=GAMES, n=st.integers(1, 60))
def test_the_ledger_sums_up_whatever_is_recorded(title: AnyTitle, seed: int, n: int) -> None:
    log = start(title, seed % 7).log
    events = [structs.replace(event, n=number) for number, event in enumerate(any_events(title, seed, n), 1)]
    done = replay(log_of(title, [log.header, *events]))
    total = sums(done, n)
    assert all(total[has.who, has.what] == has.n for has in title.held(done.state_after(n)))


@every_title
@FEW
@given(seed=GAMES)
def test_score_parts_sum_to_the_final_score(title: AnyTitle, seed: int) -> None:
    done = replay(game(title.key, seed))
    for score in done.scores():
        assert sum(done.sum_score_parts(score.seat).values()) == score.total


@every_title
@FEW
@given(seed=GAMES)
def test_what_the_rules_play_audits_clean(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(game(title.key, seed))
    assert done.findings == []
    assert title.awaits(done.state_at(len(done.events))).kind == "over"
    counts[f"events audited clean: {title.key}"] += len(done.events)


def altered(
    title: AnyTitle, moved: tuple[AnyPosting, ...], at: int, rng: random.Random
) -> dict[str, tuple[AnyPosting, ...]]:
    """The same postings with one of them wrong, in every way a scribe can be."""
    posting = moved[at]
    causes = [why for why in title.causes if why != posting.why]
    before, after = moved[:at], moved[at + 1 :]
    seen = Seen(who="Bob", why="something else")
    return {
        "altered": (*before, structs.replace(posting, n=posting.n + rng.choice((-1, 1, -50))), *after),
        "dropped": (*before, *after),
        "doubled": (*moved, posting),
        "another cause": (*before, structs.replace(posting, why=rng.choice(causes)), *after),
        "another seat": (*before, structs.replace(posting, who=posting.who % 9 + 1), *after),
        "one more": (*moved, Posting(1, posting.what, 1, "adjusted")),
        "one of nothing": (*moved, structs.replace(posting, n=0)),
        "altered beside a ruling": (
            *before,
            structs.replace(posting, n=posting.n * 2),
            structs.replace(posting, n=1, seen=seen),
            *after,
        ),
    }


@every_title
@FEW
@given(seed=GAMES)
def test_every_wrong_posting_is_found(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(game(title.key, seed))
    rng = random.Random(seed)
    state = done.state_at(0)
    chosen = {event.n for event in some(done.events, seed, MOST_EVENTS)}
    for event in done.events:
        for at in range(len(event.moved) if event.n in chosen else 0):
            for how, moved in altered(title, event.moved, at, rng).items():
                findings = audit_event(title, state, structs.replace(event, moved=moved))
                assert any(finding.is_open for finding in findings), how
                counts[f"wrong postings found: {title.key}"] += 1
        title.evolve(state, event.do, event.moved, event.facts)


@every_title
@FEW
@given(seed=GAMES)
def test_what_a_person_saw_instead_is_ruled(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    """A posting in place of the rules' own, with who and why, is listed and is no open finding."""
    done = replay(game(title.key, seed))
    seen = Seen(who="Bob", why="the table counted it so")
    for event in done.events:
        sole = [
            p for p in event.moved if sum((o.who, o.what, o.why) == (p.who, p.what, p.why) for o in event.moved) == 1
        ]
        for posting in sole[:1]:
            instead = structs.replace(posting, n=posting.n + 1, seen=seen)
            moved = tuple(instead if each is posting else each for each in event.moved)
            findings = audit_event(title, done.state_after(event.n - 1), structs.replace(event, moved=moved))
            assert [finding.status for finding in findings] == ["ruled"]
            counts[f"rulings listed: {title.key}"] += 1


@every_title
@FEW
@given(seed=GAMES)
def test_every_missing_or_invented_fact_is_found(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(game(title.key, seed))
    rng = random.Random(seed)
    state = done.state_at(0)
    chosen = {event.n for event in some(done.events, seed, MOST_EVENTS)}
    for event in done.events:
        if event.n not in chosen:
            title.evolve(state, event.do, event.moved, event.facts)
            continue
        invented = structs.replace(value_of(info(title.wire.fact), rng), seen=None)
        wrong = [(*event.facts, invented)]
        wrong += [(*event.facts[:at], *event.facts[at + 1 :]) for at in range(len(event.facts))]
        for facts in wrong:
            findings = audit_event(title, state, structs.replace(event, facts=facts))
            assert any(finding.is_open for finding in findings)
            counts[f"wrong facts found: {title.key}"] += 1
        title.evolve(state, event.do, event.moved, event.facts)


@every_title
@FEW
@given(seed=GAMES)
def test_legal_decisions_have_no_breach_and_survive_notation(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    play = start(title, seed)
    for _ in moves(play, seed, most=70):
        for act in some(title.legal(play.state), seed, MOST_ACTS):
            assert not title.breaches(play.state, act)
            assert title.words.read(play.state, title.words.write(play.state, act)) == act
            counts[f"legal decisions tried: {title.key}"] += 1


@every_title
@FEW
@given(seed=GAMES)
def test_a_state_handed_out_never_changes(title: AnyTitle, seed: int) -> None:
    done = replay(game(title.key, seed))
    middle = len(done.events) // 2
    state = done.state_at(middle)
    before = fingerprint(state)
    for index in range(len(done.events) + 1):
        done.state_at(index)
    assert fingerprint(state) == before == fingerprint(done.state_at(middle))


@every_title
@FEW
@given(seed=GAMES, where=st.floats(0, 1))
def test_undo_and_redo(title: AnyTitle, seed: int, where: float) -> None:
    """Undo to a line gives the timeline of that line; undo to the line before the undo gives it back."""
    lines = game(title.key, seed).lines
    to = int(where * (len(lines) - 1))
    undone = [*lines, Undone(n=len(lines), by="x", to=to, prev=OPEN, hash=OPEN)]
    redone = [*undone, Undone(n=len(undone), by="x", to=len(lines) - 1, prev=OPEN, hash=OPEN)]
    back = replay(log_of(title, undone))
    assert [event.n for event in back.events] == list(range(1, to + 1))
    then = replay(log_of(title, lines), until=to)
    assert fingerprint(back.state_at(to)) == fingerprint(then.state_at(to))
    again = replay(log_of(title, redone))
    assert [event.n for event in again.events] == list(range(1, len(lines)))


def test_undo_of_the_last_event_and_undo_of_that() -> None:
    play = start(ALL_TITLES["pebbles"], 4)
    for _ in moves(play, 4, most=5):
        pass
    heap = play.state.heap
    for expected in (4, 3):
        play.undo(by="x")
        assert len(play.list_events()) == expected
    play.undo(5, by="x")
    assert play.state.heap == heap
    assert replay(log_of(play.title, play.log.lines)).state_at(5).heap == heap


# --- the long run --------------------------------------------------------------------------------


def run_laws(laws: Iterable[Any], cases: Iterable[tuple[AnyTitle, int]]) -> int:
    """Laws on titles and seeds, without the search for the smallest that fails; 1 where nothing was executed."""
    counts: Counter[str] = Counter()
    for title, seed in cases:
        for law in laws:
            law.hypothesis.inner_test(title, counts, seed)
    for name, n in sorted(counts.items()):
        print(f"{n:>12,}  {name}")
    return 0 if counts else 1
