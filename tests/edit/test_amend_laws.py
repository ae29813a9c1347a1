"""Amendments, whatever they say of whatever game. `python -m tests.edit.test_amend_laws 5000` tries so many games."""

from __future__ import annotations

import io
import random
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from spyrium_log.edit.amend import compute_consequences, make_amendment, make_event_body
from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import (
    Amended,
    Amendment,
    AnyEdit,
    Drop,
    Event,
    EventBody,
    EventLine,
    InsertAfter,
    Line,
    Mode,
    Rederived,
    Replace,
    Undone,
)
from spyrium_log.log.notes import Noted, Notes, find_anchors
from spyrium_log.log.pack import Game, pack_games, unpack
from spyrium_log.log.timeline import Edited, ref_of, timeline
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import Replay, replay
from spyrium_log.title import AnyPosting, AnyTitle, Seen
from tests.anything import info, survives, value_of
from tests.games import ALL_TITLES, QUICK_TITLES, every_quick_title, game, log_of, raw_of, read
from tests.shares import part
from tests.test_laws import any_events, fingerprint, run_laws

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
SOME = settings(SLOW, max_examples=part(40, 3))
SEEDS = st.integers(0, 9_999)

MODES: tuple[Mode, Mode] = ("misplayed", "misrecorded")


# --- random games with random amendments ---------------------------------------------------------


def some_told(done: Replay, index: int, rng: random.Random) -> EventBody[Any, Any, Any]:
    """A legal act at that place with its effects, or one of the game's own, or anything at all."""
    title, state = done.title, done.state_at(index)
    legal = title.legal(state)
    chance = rng.random()
    if legal and chance < 0.6:
        return make_event_body(title, state, rng.choice(legal))
    if done.events and chance < 0.8:
        event = rng.choice(done.events)
        return EventBody(do=event.do, moved=event.moved, facts=event.facts)
    event = any_events(title, rng.randrange(2**32), 1)[0]
    return EventBody(do=event.do, moved=event.moved, facts=event.facts)


def some_edits(done: Replay, rng: random.Random) -> list[AnyEdit]:
    """Edits of different events, so that each of them finds its own."""
    many = min(len(done.events), rng.choice((1, 1, 1, 2, 3)))
    edits: list[AnyEdit] = []
    for index in rng.sample(range(len(done.events)), many):
        at = ref_of(done.events[index])
        edits.append(
            rng.choice(
                (
                    Drop(at=at),
                    Replace(at=at, event=some_told(done, index, rng)),
                    InsertAfter(at=at, event=some_told(done, index + 1, rng)),
                    InsertAfter(at="0", event=some_told(done, 0, rng)),
                )
            )
        )
    return edits


def some_line(title: AnyTitle, lines: list[Line], rng: random.Random) -> Line | None:
    """An amendment, or an undo of anything, corrections included; now and then the game goes on."""
    log = Log("<made>", title, lines[0], title.sheet(), lines)  # type: ignore[arg-type]
    done = replay(log, audit=False)
    chance = rng.random()
    if chance < 0.2:
        return Undone(n=len(lines), by="x", to=rng.randrange(len(lines)), prev=OPEN, hash=OPEN)
    if chance < 0.35:
        play = Play(log)
        legal = title.legal(play.state)
        return play.propose(rng.choice(legal), by="x", anyway=True).event if legal else None
    edits = some_edits(done, rng)
    return make_amendment(log, edits, rng.choice(MODES), by="x", why="") if edits else None


def corrected_game(title: AnyTitle, seed: int, *, most: int = 45, lines: int = 4) -> Log:
    """The beginning of a random game, corrected at random."""
    rng = random.Random(seed)
    made: list[Line] = list(game(title.key, seed % 500).lines[: rng.randint(3, most)])
    for _ in range(lines):
        line = some_line(title, made, rng)
        if line is not None:
            made.append(line)
    return log_of(title, made)


def known(events: list[Event]) -> list[tuple[str, Any, Any, Any]]:
    return [(ref_of(event), event.do, event.moved, event.facts) for event in events]


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_undo_then_redo_is_the_same_timeline(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    lines = corrected_game(title, seed).lines
    to = seed % len(lines)
    undone = [*lines, Undone(n=len(lines), by="x", to=to, prev=OPEN, hash=OPEN)]
    redone = [*undone, Undone(n=len(undone), by="x", to=len(lines) - 1, prev=OPEN, hash=OPEN)]
    assert timeline(undone) == timeline(lines[: to + 1]) == timeline(redone[: to + 1])
    assert timeline(redone) == timeline(lines)
    counts[f"corrected games undone and redone: {title.key}"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_an_amendment_undone_leaves_everything_as_before(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    lines, rng = log.lines, random.Random(seed)
    edits = some_edits(replay(log, audit=False), rng)
    if edits:
        amended = [*lines, make_amendment(log, edits, rng.choice(MODES), by="x", why="")]
        undone = [*amended, Undone(n=len(amended), by="x", to=len(lines) - 1, prev=OPEN, hash=OPEN)]
        before, after = replay(log), replay(log_of(title, undone))
        assert known(after.events) == known(before.events)
        assert after.findings == before.findings
        assert fingerprint(after.state_at(len(after.events))) == fingerprint(before.state_at(len(before.events)))
        assert after.ledger == before.ledger
        counts[f"amendments undone: {title.key}"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_as_recorded_is_what_stood_before_the_amendment(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    for n in range(len(log.lines)):
        then = replay(log, until=n, audit=False)
        assert known(then.events) == known(timeline(log.lines[: n + 1]))
        counts[f"moments of corrected games: {title.key}"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_what_was_recorded_is_its_own_lines(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    recorded = replay(log, amended=False)
    assert all(event is log.lines[event.n] for event in recorded.events)
    assert recorded.numbers == sorted({event.n for event in recorded.events})
    counts[f"events as they were recorded: {title.key}"] += len(recorded.events)


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_the_ledger_sums_to_every_holding_on_every_timeline(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(corrected_game(title, seed))
    order = {"0": 0} | {ref_of(event): place for place, event in enumerate(done.events, 1)}
    for index in range(len(done.events) + 1):
        sums: Counter[tuple[int, str]] = Counter()
        for entry in done.ledger:
            if order[entry.ref] <= index:
                sums[entry.who, entry.what] += entry.amount
        assert all(sums[has.who, has.what] == has.n for has in title.held(done.state_at(index)))
        counts[f"places of corrected games balanced: {title.key}"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_corrected_games_are_written_as_they_were_read(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    raw = raw_of(log)
    assert log.complaint is None
    assert raw_of(read(raw, title)) == raw
    counts[f"corrections written as they were read: {title.key}"] += sum(type(line) is Amended for line in log.lines)


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_corrected_games_come_out_of_a_pack_as_they_went_in(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    raws = [raw_of(corrected_game(title, seed + other, most=12)) for other in (0, 1)]
    assert [one.log for one in unpack(io.BytesIO(b"".join(pack_games(map(Game, raws)))))] == raws
    counts[f"corrected games packed and unpacked: {title.key}"] += len(raws)


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_notes_survive_whatever_is_corrected(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    before = corrected_game(title, seed)
    written = remarks(before)
    lines, rng = list(before.lines), random.Random(seed)
    for _ in range(4):
        line = some_line(title, lines, rng)
        lines += [] if line is None else [line]
    # what derives a number beyond all bounds is no line, and nothing after it
    after = log_of(title, lines)
    lines = after.lines
    undone = Undone(n=len(lines), by="x", to=len(before.lines) - 1, prev=OPEN, hash=OPEN)
    then, now = ({ref_of(e): e for e in timeline(log.lines)} for log in (before, after))
    fates = find_anchors(written, after)
    assert fates == {
        f"note-{ref.replace('.', '-')}": "stands" if now.get(ref) == then[ref] else "moved" for ref in then
    }
    # what was said of the table as it stood stands again when it stands so again
    assert set(find_anchors(written, log_of(title, [*lines, undone])).values()) <= {"stands"}
    counts.update(f"notes that a correction left {fate}: {title.key}" for fate in fates.values())


def remarks(log: Log) -> Notes:
    """A note on every event that stands, as the log's last line left it."""
    game_, line = log.header.game, log.lines[-1].hash
    return Notes.from_lines(
        Noted(id=f"note-{ref_of(event).replace('.', '-')}", by="x", game=game_, on=ref_of(event), line=line, hash=OPEN)
        for event in timeline(log.lines)
    )


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_names_and_line_numbers_lead_to_the_same_places(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    done = replay(corrected_game(title, seed), audit=False)
    assert len({ref_of(event) for event in done.events}) == len(done.events)
    assert done.numbers == sorted(done.numbers)
    for place, event in enumerate(done.events, 1):
        assert done.index_of(ref_of(event)) == place
        is_last = place == len(done.events) or not is_inserted(done.events[place])
        if not is_inserted(event) and is_last:
            assert done.index_of(event.n) == place
        counts[f"events found by name: {title.key}"] += 1


def is_inserted(event: Event) -> bool:
    return isinstance(event, Edited) and event.i > 0


# --- a scribe's slip -----------------------------------------------------------------------------


def slipped(log: Log, rng: random.Random) -> tuple[Log, EventLine[Any, Any, Any]] | None:
    """The same game with another act written down in one place, and everything after it computed on top of that."""
    title = log.title
    right = replay(log, audit=False)
    index = rng.randrange(len(right.events))
    true = right.events[index]
    others = [act for act in title.legal(right.state_at(index)) if act != true.do]
    if not others:
        return None
    table = Play(log_of(title, log.lines[: true.n]))
    for event in right.events[index:]:
        act = rng.choice(others) if event is true else event.do
        line = table.propose(act, by="scribe", anyway=True).event
        table.append(line)
    return log_of(title, table.log.lines), true


@every_quick_title
@settings(SLOW, max_examples=part(150, 4))
@given(seed=SEEDS)
def test_a_slip_put_right_is_the_game_that_was_recorded_rightly(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    log = game(title.key, seed % 500)
    made = slipped(log, random.Random(seed))
    if made is None:
        return
    wrong, true = made
    event = EventBody(do=true.do, moved=true.moved, facts=true.facts)
    line = make_amendment(wrong, [Replace(at=str(true.n), event=event)], "misrecorded", by="x", why="")
    right, put_right = replay(log), replay(log_of(title, [*wrong.lines, line]))
    assert put_right.findings == []
    # the same acts in another order may move the same in another order: that is no difference
    assert [unordered(event) for event in put_right.events] == [unordered(event) for event in right.events]
    assert Counter(put_right.ledger) == Counter(right.ledger)
    for place in (true.n, len(right.events)):
        assert fingerprint(put_right.state_at(place)) == fingerprint(right.state_at(place))
    counts[f"slips put right: {title.key}"] += 1
    counts[f"effects that a slip had carried: {title.key}"] += len(line.effects)


def unordered(event: Event) -> tuple[str, Any, Counter[AnyPosting], Counter[Any]]:
    return ref_of(event), event.do, Counter(event.moved), Counter(event.facts)


def with_seen(log: Log, rng: random.Random) -> Log:
    """The same log where somebody saw something else, here and there."""
    seen = Seen(who="Bob", why="so it was")
    lines: list[Line] = []
    for line in log.lines:
        if isinstance(line, EventLine) and line.moved and rng.random() < 0.3:
            first, *rest = line.moved
            beside = rng.random() < 0.5
            added = structs.replace(first, n=rng.randint(-2, 2), seen=seen)
            lines.append(structs.replace(line, moved=(*((first,) if beside else ()), *rest, added)))
        elif isinstance(line, EventLine) and line.facts and rng.random() < 0.3:
            lines.append(structs.replace(line, facts=(*line.facts[1:], structs.replace(line.facts[0], seen=seen))))
        else:
            lines.append(line)
    return log_of(log.title, lines)


def seen_in(event: Event) -> tuple[list[AnyPosting], list[Any]]:
    return [each for each in event.moved if each.seen], [each for each in event.facts if each.seen]


@every_quick_title
@settings(SLOW, max_examples=part(80, 4))
@given(seed=SEEDS)
def test_what_was_seen_never_changes(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    log = with_seen(game(title.key, seed % 500), rng)
    before = replay(log, audit=False)
    edits = some_edits(before, rng)
    line = make_amendment(log, edits, "misrecorded", by="x", why="")
    after = replay(log_of(title, [*log.lines, line]), audit=False)
    edited = {edit.at for edit in edits}
    had = {ref_of(event): event for event in before.events}
    for event in after.events:
        old = had.get(ref_of(event))
        if old is None or ref_of(event) in edited:
            continue
        assert event.do == old.do
        assert seen_in(event) == seen_in(old)
        counts[f"seen effects kept: {title.key}"] += sum(map(len, seen_in(event)))
        if (event.moved, event.facts) != (old.moved, old.facts):
            postings, facts = seen_in(old)
            sole = {key(each) for each in postings} - {key(each) for each in old.moved if not each.seen}
            assert not sole & {key(each) for each in event.moved if not each.seen}
            instead = {type(each) for each in facts} - {type(each) for each in old.facts if not each.seen}
            assert not instead & {type(each) for each in event.facts if not each.seen}
            counts[f"events derived anew: {title.key}"] += 1


def key(posting: AnyPosting) -> tuple[int, str, str]:
    return posting.who, posting.what, posting.why


# --- what they would change ----------------------------------------------------------------------


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_consequences_are_what_then_happens(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    mode = MODES[seed % 2]
    log = corrected_game(title, seed, lines=2)
    before = replay(log)
    edits = some_edits(before, random.Random(seed))
    if not edits:
        return
    raw = raw_of(log)
    said = compute_consequences(log, edits, mode)
    assert raw_of(log) == raw
    after = replay(log_of(title, [*log.lines, make_amendment(log, edits, mode, by="x", why="")]))
    assert Counter(before.findings) - Counter(said.went) + Counter(said.came) == Counter(after.findings)
    assert (said.before, said.after) == (tuple(before.scores()), tuple(after.scores()))
    changed: Counter[tuple[int, str]] = Counter()
    for amount in said.amounts:
        assert amount.before != amount.after
        changed[amount.who, amount.what] += amount.after - amount.before
    had = {(has.who, has.what): has.n for has in title.held(before.state_at(len(before.events)))}
    for has in title.held(after.state_at(len(after.events))):
        assert has.n - had[has.who, has.what] == changed[has.who, has.what]
    counts[f"amounts foretold: {title.key}"] += len(said.amounts)


# --- whatever the decoder takes ------------------------------------------------------------------


def any_amendment(title: AnyTitle, n: int, refs: list[str], rng: random.Random) -> Amendment:
    """Edits of anything by anything, names of nothing among them."""

    def at() -> str:
        return rng.choice((*refs, "0", str(rng.randrange(99)), f"{rng.randrange(99)}.{rng.randint(1, 3)}"))

    def event() -> EventBody[Any, Any, Any]:
        made = any_events(title, rng.randrange(2**32), 1)[0]
        return EventBody(do=made.do, moved=made.moved, facts=made.facts)

    edits: tuple[AnyEdit, ...] = tuple(
        rng.choice((Drop(at=at()), Replace(at=at(), event=event()), InsertAfter(at=at(), event=event())))
        for _ in range(rng.randint(1, 6))
    )
    facts = [value_of(info(title.wire.fact), rng)]
    effects = tuple(Rederived(at=at(), moved=event().moved, facts=tuple(facts)) for _ in range(rng.randint(0, 3)))
    mode = rng.choice(MODES)
    return Amended(n=n, by="x", mode=mode, edits=edits, effects=effects, why="", prev=OPEN, hash=OPEN)


@every_quick_title
@settings(SLOW, max_examples=part(60, 3))
@given(seed=SEEDS)
def test_no_amendment_breaks_a_replay(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    lines: list[Line] = list(game(title.key, seed % 500).lines[: rng.randint(1, 20)])
    for _ in range(6):
        refs = [ref_of(event) for event in timeline(lines)]
        line = any_amendment(title, len(lines), refs, rng)
        assert survives(line_type(title), line)
        lines.append(line)
        before = known(timeline(lines[:-1]))
        done = replay(log_of(title, lines))
        done.scores()
        lost = [f for f in done.findings if f.kind == "phantom" and f.ref == str(line.n)]
        if len(lost) == len(line.edits) + len(line.effects):
            assert known(done.events) == before
        counts[f"amendments of anything folded: {title.key}"] += 1


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "expected 1 to 100 edits, found 0"),
        ([Drop(at="1")] * 101, "expected 1 to 100 edits, found 101"),
        ([Drop(at="99")], "expected an event that stands, found '99'"),
        ([Drop(at="0")], "expected an event that stands, found '0'"),
        ([Drop(at="1.1")], "expected an event that stands, found '1.1'"),
        ([Drop(at="1"), Drop(at="1")], "expected an event that stands, found '1'"),
    ],
)
def test_an_amendment_of_nothing_is_refused(edits: list[AnyEdit], expected: str) -> None:
    log = log_of(ALL_TITLES["pebbles"], game("pebbles", 1).lines[:4])
    for mode in MODES:
        with pytest.raises(AmendmentError, match=expected):
            make_amendment(log, edits, mode, by="x", why="")


# --- the long run --------------------------------------------------------------------------------

LAWS: tuple[Any, ...] = (
    test_undo_then_redo_is_the_same_timeline,
    test_an_amendment_undone_leaves_everything_as_before,
    test_as_recorded_is_what_stood_before_the_amendment,
    test_what_was_recorded_is_its_own_lines,
    test_the_ledger_sums_to_every_holding_on_every_timeline,
    test_corrected_games_are_written_as_they_were_read,
    test_corrected_games_come_out_of_a_pack_as_they_went_in,
    test_notes_survive_whatever_is_corrected,
    test_names_and_line_numbers_lead_to_the_same_places,
    test_a_slip_put_right_is_the_game_that_was_recorded_rightly,
    test_what_was_seen_never_changes,
    test_consequences_are_what_then_happens,
    test_no_amendment_breaks_a_replay,
)


def main(games: int) -> int:
    titles = list(QUICK_TITLES.values())
    return run_laws(LAWS, ((titles[seed % len(titles)], seed) for seed in range(games)))


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
