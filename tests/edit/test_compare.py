"""Two recordings of one evening. `python -m tests.edit.test_compare 2000` compares so many games."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec import structs

from spyrium_log.edit import compare
from spyrium_log.edit.amend import MOST_EDITS, compute_consequences, make_amendment
from spyrium_log.edit.compare import Comparison, HeaderDifference, Hunk, SeatMatch, compare_logs, make_edits
from spyrium_log.errors import AmendmentError, ComparisonError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Dealt, Decided, Event, Finished, Line, ReadOff, Stated
from spyrium_log.log.timeline import ref_of
from spyrium_log.play import OPEN
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle, FinalCount, Posting, with_seats
from spyrium_log.titles import TITLES
from tests.edit.test_amend_laws import MODES, SEEDS, SLOW, SOME, corrected_game, some_edits
from tests.games import every_quick_title, game, log_of
from tests.scribe import Scribe
from tests.stories import FIRST_DEAL
from tests.test_laws import run_laws

SPYRIUM = TITLES["spyrium"]


# --- somebody else's recording -------------------------------------------------------------------


def turned(seats: int, by: int) -> dict[int, int]:
    """The same table counted from another seat on."""
    return {seat: (seat - 1 + by) % seats + 1 for seat in range(1, seats + 1)}


def recorded_by(header: AnyHeader, events: Sequence[Event], seats: Mapping[int, int], title: AnyTitle) -> Log:
    """The events as somebody writes them down who gives the seats these numbers."""
    places = {now: header.seats[was - 1] for was, now in seats.items()}
    own = structs.replace(
        header,
        game=f"{header.game}-too",
        by="somebody else",
        first=seats[header.first],
        seats=tuple(structs.replace(at, player=at.player.upper()) for _, at in sorted(places.items())),
    )
    lines: list[Line] = [own]
    for event in events:
        do, moved, facts = (with_seats(each, seats) for each in (event.do, event.moved, event.facts))
        kind = kind_of(title, do)
        lines.append(kind(n=len(lines), by="x", do=do, moved=moved, facts=facts, prev=OPEN, hash=OPEN))
    return log_of(title, lines)


def kind_of(title: AnyTitle, act: Any) -> type[Event]:
    if isinstance(act, FinalCount):
        return Finished
    if isinstance(act, title.wire.deal):
        return Dealt
    return Decided if isinstance(act, title.wire.decision) else Stated


def told_again(log: Log, rng: random.Random) -> tuple[Log, dict[int, int]]:
    """The same game by another hand that slips here and there, from another seat on; and the seats it gave."""
    done = replay(log, audit=False)
    for _ in range(rng.randrange(3)):
        if made := some_edits(done, rng):
            line = make_amendment(log, made, "misplayed", by="x", why="")
            log = log_of(log.title, [*log.lines, line])
            done = replay(log, audit=False)
    seats = turned(len(done.header.seats), rng.randrange(len(done.header.seats)))
    return recorded_by(done.header, done.events, seats, log.title), seats


Known = list[tuple[Any, Counter[Any], Counter[Any]]]


def known(done: Replay, seats: Mapping[int, int] | None = None) -> Known:
    """What was done and what came of it, in any order, with other numbers for the seats."""
    found = []
    for event in done.events:
        do, moved, facts = (with_seats(each, seats or {}) for each in (event.do, event.moved, event.facts))
        found.append((do, Counter(moved), Counter(facts)))
    return found


def back(seats: Mapping[int, int]) -> dict[int, int]:
    return {now: was for was, now in seats.items()}


# --- laws ----------------------------------------------------------------------------------------


@every_quick_title
@settings(SLOW, max_examples=15)
@given(seed=SEEDS)
def test_a_table_counted_from_another_seat_on_is_the_same_game(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    """Whoever adds a field that holds a seat gives it the type `Seat`."""
    log = game(title.key, seed % 500)
    done = replay(log)
    seats = turned(len(done.header.seats), seed % len(done.header.seats))
    too = replay(recorded_by(done.header, done.events, seats, title))
    assert too.findings == []
    assert {seats[score.seat]: score.total for score in done.scores()} == {
        score.seat: score.total for score in too.scores()
    }
    said = compare_logs(log, too.log)
    assert said.is_same
    assert {match.a: match.b for match in said.seats} == seats
    counts[f"tables counted from another seat on: {title.key}"] += 1


def every_hunk(said: Comparison) -> list[Hunk]:
    return [hunk for hunk in said.hunks if hunk.kind != "same"]


@every_quick_title
@settings(SLOW, max_examples=25)
@given(seed=SEEDS)
def test_each_event_is_in_one_hunk_in_its_order(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    other, _ = told_again(log, random.Random(seed))
    said = compare_logs(log, other)
    assert [ref for hunk in said.hunks for ref in hunk.a] == [ref_of(event) for event in replay(log).events]
    assert [ref for hunk in said.hunks for ref in hunk.b] == [ref_of(event) for event in replay(other).events]
    for hunk in said.hunks:
        lengths = {"same": len(hunk.a), "a": 0, "b": len(hunk.b), "otherwise": 1}
        assert len(hunk.b) == lengths[hunk.kind]
        assert bool(hunk.what) == (hunk.kind == "otherwise")
        counts[f"hunks: {title.key}"] += 1
    assert compare_logs(log, log).is_same
    assert compare_logs(other, log).is_same == said.is_same


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_everything_picked_is_the_other_timeline(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    log = corrected_game(title, seed)
    other, seats = told_again(log if rng.random() < 0.7 else corrected_game(title, seed, lines=6), rng)
    said = compare_logs(log, other)
    picks = every_hunk(said)
    # slips may say who is who otherwise than the names do, but nobody's name was changed
    assert {match.b: match.a for match in said.seats} == back(seats)
    if not picks:
        with pytest.raises(AmendmentError, match="found 0"):
            make_amendment(log, make_edits(log, other, picks), "misrecorded", by="x", why="")
        return
    line = make_amendment(log, make_edits(log, other, picks), "misplayed", by="x", why="")
    done = replay(log_of(title, [*log.lines, line]))
    assert known(done) == known(replay(other, audit=False), back(seats))
    assert not [finding for finding in done.findings if (finding.kind, finding.ref) == ("phantom", str(line.n))]
    assert compare_logs(done.log, other).is_same
    counts[f"recordings merged: {title.key}"] += 1
    counts[f"events taken over: {title.key}"] += len(line.edits)


@every_quick_title
@settings(SLOW, max_examples=25)
@given(seed=SEEDS)
def test_any_picks_make_an_amendment_that_audits(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    log = corrected_game(title, seed)
    other, _ = told_again(log, rng)
    hunks = every_hunk(compare_logs(log, other))
    picks: list[Hunk | str] = [hunk for hunk in hunks if rng.random() < 0.6]
    picks += [ref for hunk in hunks for ref in hunk.b if rng.random() < 0.3]
    made = make_edits(log, other, picks)
    if made:
        mode = rng.choice(MODES)
        said = compute_consequences(log, made, mode)
        line = make_amendment(log, make_edits(log, other, picks), mode, by="x", why="")
        done = replay(log_of(title, [*log.lines, line]))
        assert tuple(done.scores()) == said.after
        counts[f"picks merged: {title.key}"] += len(picks)
    counts[f"picks made: {title.key}"] += 1


@every_quick_title
@settings(SLOW, max_examples=15)
@given(seed=SEEDS)
def test_a_slip_that_the_other_did_not_make_is_put_right_by_it(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    """One scribe left out some lines of a clean game: with the other's, as a slip, it is clean again."""
    rng = random.Random(seed)
    right = game(title.key, seed % 500)
    done = replay(right)
    left_out = set(rng.sample(range(len(done.events)), min(len(done.events), rng.randint(1, 6))))
    events = [event for at, event in enumerate(done.events) if at not in left_out]
    seats = turned(len(done.header.seats), rng.randrange(len(done.header.seats)))
    wrong = recorded_by(done.header, events, seats, title)
    said = compare_logs(wrong, right)
    assert sum(len(hunk.b) for hunk in said.hunks if hunk.kind == "b") == len(left_out)
    line = make_amendment(
        wrong, make_edits(wrong, right, [ref for hunk in said.hunks for ref in hunk.b]), "misrecorded", by="x", why=""
    )
    again = replay(log_of(title, [*wrong.lines, line]))
    assert again.findings == []
    assert known(again, back(seats)) == known(done)
    counts[f"lines left out and taken from the other: {title.key}"] += len(left_out)


# --- who is who ----------------------------------------------------------------------------------


def named(*players: str, colours: Sequence[str] = ("blue", "red", "yellow"), **said: Any) -> Log:
    header = Scribe("game-named").table.log.header
    seats = tuple(
        structs.replace(seat, player=player, colour=colour)
        for seat, player, colour in zip(header.seats, players, colours, strict=True)
    )
    return log_of(SPYRIUM, [structs.replace(header, seats=seats, **said)])


@pytest.mark.parametrize(
    ("players", "colours", "matches"),
    [
        (("Anna", "Bob", "Cleo"), ("blue", "red", "yellow"), "1=1 name, 2=2 name, 3=3 name"),
        (("cleo ", "ANNA", "bob"), ("blue", "red", "yellow"), "1=2 name, 2=3 name, 3=1 name"),
        (("Bobby", "Cleopatra", "Ana"), ("blue", "red", "yellow"), "1=3 spelling, 2=1 spelling, 3=2 spelling"),
        (("C", "B", "A"), ("blue", "red", "yellow"), "1=3 spelling, 2=2 spelling, 3=1 spelling"),
        (("x", "y", "Bob"), ("yellow", "blue", "red"), "1=2 colour, 2=3 name, 3=1 colour"),
        (("x", "y", "z"), ("green", "black", "red"), "1=1 order, 2=3 colour, 3=2 order"),
        (("Bob", "Bob", "Anna"), ("green", "black", "white"), "1=3 name, 2=1 spelling, 3=2 order"),
    ],
)
def test_who_is_who(players: Sequence[str], colours: Sequence[str], matches: str) -> None:
    said = compare_logs(named("Anna", "Bob", "Cleo"), named(*players, colours=colours))
    assert ", ".join(f"{match.a}={match.b} {match.how}" for match in said.seats) == matches


def test_somebody_may_know_better_who_is_who() -> None:
    one, other = named("Anna", "Bob", "Cleo"), named("Anna", "Bob", "Cleo")
    said = compare_logs(one, other, {1: 3, 2: 2, 3: 1})
    assert [(match.a, match.b, match.how) for match in said.seats] == [(1, 3, "said"), (2, 2, "said"), (3, 1, "said")]
    for wrong in ({1: 1}, {1: 1, 2: 2, 3: 2}, {1: 1, 2: 2, 4: 3}):
        with pytest.raises(ComparisonError, match="each seat from 1 to 3 once"):
            compare_logs(one, other, wrong)


def test_what_is_taken_over_goes_to_the_seat_that_somebody_said() -> None:
    one, other = opening("p12", "p45"), opening("p12", "p45", "p36")
    line = make_amendment(
        one.log(), make_edits(one.log(), other.log(), ["4"], {1: 1, 2: 3, 3: 2}), "misplayed", by="x", why=""
    )
    act = one.write(line).table.list_events()[-1].do
    assert (act.seat, act.gap) == (2, 36)


def test_what_the_headers_say_otherwise() -> None:
    one = named("Anna", "Bob", "Cleo", first=1, place="here")
    other = named("Cleo", "Anna", "Bobby", colours=("red", "blue", "green"), first=2, played="2026-11-18")
    options = structs.replace(other.header.options, crane_discount="whole-cost")
    other = log_of(SPYRIUM, [structs.replace(other.header, options=options)])
    reading = ReadOff(n=1, by="x", value=Printed("mine-1", "price", 3, "read"), prev=OPEN, hash=OPEN)
    said = compare_logs(one, log_of(SPYRIUM, [*other.lines, reading]))
    assert said.header == tuple(
        HeaderDifference(what=what, a=a, b=b)
        for what, a, b in (
            ("order", "Anna, Bob, Cleo", "Cleo, Anna, Bobby"),
            ("seat 2 player", "Bob", "Bobby"),
            ("seat 2 colour", "red", "green"),
            ("seat 3 colour", "yellow", "red"),
            ("played", "", "2026-11-18"),
            ("place", "here", ""),
            ("crane-discount", "site", "whole-cost"),
        )
    )
    assert [(each.of, each.what, each.kind) for each in said.sheet] == [("mine-1", "price", "value")]
    assert said.seats[0] == SeatMatch(a=1, b=2, how="name")


def test_other_games_are_not_compared() -> None:
    with pytest.raises(ComparisonError, match="another game of 'spyrium', found 'pebbles'"):
        compare_logs(named("Anna", "Bob", "Cleo"), game("pebbles", 1))
    with pytest.raises(ComparisonError, match="a game of 3 players, found 2"):
        compare_logs(named("Anna", "Bob", "Cleo"), game("spyrium", 1, seats=2))


# --- one fact at a time --------------------------------------------------------------------------


def opening(*texts: str) -> Scribe:
    return Scribe("game-two-hands").play(FIRST_DEAL, *texts)


def said_of(a: Scribe, b: Scribe) -> list[str]:
    return [
        f"{hunk.kind}{':' if hunk.what else ''}{hunk.what} {' '.join(hunk.a)} | {' '.join(hunk.b)}"
        for hunk in compare_logs(a.log(), b.log()).hunks
    ]


def test_an_event_that_only_one_has() -> None:
    one, other = opening("p12", "p45", "p45", "p36"), opening("p12").play("@3 p45", "@1 p36", anyway=True)
    assert said_of(one, other) == ["same 1 2 | 1 2", "a 3 | ", "same 4 5 | 3 4"]
    assert said_of(other, one) == ["same 1 2 | 1 2", "b  | 3", "same 3 4 | 4 5"]


def test_another_act_in_the_same_place() -> None:
    assert said_of(opening("p12", "p45", "p36"), opening("p12", "p25", "p36")) == [
        "same 1 2 | 1 2",
        "otherwise:act 3 | 3",
        "same 4 | 4",
    ]


def test_another_amount_for_the_same_act() -> None:
    one, other = opening("p12", "p12", "p45", ">g12.1"), opening("p12", "p12", "p45")
    act = other.title.words.read(other.state, ">g12.1")
    other.act(act, moved=[Posting(1, "money", 4, "gain")])
    assert said_of(one, other) == ["same 1 2 3 4 | 1 2 3 4", "otherwise:effects 5 | 5"]
    line = make_amendment(one.log(), make_edits(one.log(), other.log(), ["5"]), "misrecorded", by="x", why="")
    assert one.write(line).table.list_events()[-1].moved == (Posting(1, "money", 4, "gain"),)


def test_the_order_of_effects_is_no_difference() -> None:
    one, other = opening("p12", "p12", "p45", ">a12.1"), opening("p12", "p12", "p45", ">a12.1")
    last = other.table.log.lines[-1]
    assert isinstance(last, Decided)
    other.table.log.lines[-1] = structs.replace(last, moved=last.moved[::-1])
    assert last.moved != last.moved[::-1]
    assert compare_logs(one.log(), other.log()).is_same


def test_a_pass_is_not_taken_for_the_one_of_another_round() -> None:
    """Bob came late and has the second round only."""
    pebbles = game("pebbles", 7)
    done = replay(pebbles)
    deals = [at for at, event in enumerate(done.events) if isinstance(event, Dealt)]
    seats = turned(len(done.header.seats), 0)
    late = recorded_by(done.header, done.events[deals[1] :], seats, pebbles.title)
    kinds = [(hunk.kind, len(hunk.a)) for hunk in compare_logs(pebbles, late).hunks]
    assert kinds == [("a", deals[1]), ("same", len(done.events) - deals[1])]


def test_an_event_that_the_other_has_not_is_refused() -> None:
    one, other = opening("p12", "p45"), opening("p12", "p25")
    with pytest.raises(AmendmentError, match="expected an event that stands, found '99', at <bytes>"):
        make_edits(one.log(), other.log(), ["99"])
    with pytest.raises(AmendmentError, match="found '7'"):
        make_edits(one.log(), other.log(), [Hunk(kind="a", a=("7",))])


@pytest.mark.parametrize("picks", [[], ["1"], [Hunk(kind="same", a=("1",), b=("1",))]])
def test_picks_of_nothing_are_refused(picks: list[Hunk | str]) -> None:
    one, other = opening("p12", "p45"), opening("p12", "p25")
    with pytest.raises(AmendmentError, match=f"expected 1 to {MOST_EDITS} edits, found 0"):
        make_amendment(one.log(), make_edits(one.log(), other.log(), picks), "misrecorded", by="x", why="")


def test_more_than_one_line_holds_is_taken_over_in_several() -> None:
    """Pick, append, compare again: what was taken is the same by then."""
    whole = game("spyrium", 3)
    log, other = log_of(SPYRIUM, whole.lines[:1]), whole
    hunks = every_hunk(compare_logs(log, other))
    refs = [ref for hunk in hunks for ref in hunk.b]
    with pytest.raises(AmendmentError, match=f"expected 1 to {MOST_EDITS} edits, found {len(refs)}"):
        make_amendment(log, make_edits(log, other, hunks), "misrecorded", by="x", why="")
    lines = 0
    while refs := [ref for hunk in every_hunk(compare_logs(log, other)) for ref in hunk.b]:
        line = make_amendment(log, make_edits(log, other, refs[:MOST_EDITS]), "misrecorded", by="x", why="")
        log = log_of(SPYRIUM, [*log.lines, line])
        lines += 1
    assert lines > 1
    assert compare_logs(log, other).is_same
    assert replay(log).findings == []


def test_what_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "MOST_CELLS", 3)
    one, other = opening("p12", "p45"), opening("p36", "p25")
    with pytest.raises(ComparisonError, match="found 2 and 2 events between those in common"):
        compare_logs(one.log(), other.log())


# --- the long run --------------------------------------------------------------------------------

LAWS: tuple[Any, ...] = (
    test_a_table_counted_from_another_seat_on_is_the_same_game,
    test_each_event_is_in_one_hunk_in_its_order,
    test_everything_picked_is_the_other_timeline,
    test_any_picks_make_an_amendment_that_audits,
    test_a_slip_that_the_other_did_not_make_is_put_right_by_it,
)


def main(games: int) -> int:
    titles = (SPYRIUM, game("pebbles", 1).title)
    return run_laws(LAWS, ((title, seed) for seed in range(games) for title in titles))


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
