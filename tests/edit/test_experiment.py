"""Games under other options and sheets. `python -m tests.edit.test_experiment 500` counts what they would change."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from msgspec import structs

from spyrium_log import title as door
from spyrium_log.edit.experiment import Experiment, Reading, find_winners, replay_same_decisions, run_experiment
from spyrium_log.errors import SheetError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import ReadOff
from spyrium_log.play import Play, make_scoresheet
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet, compare_sheets
from spyrium_log.title import AnyTitle, Posting, Seen
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.options import Options
from tests.edit.test_amend_laws import SEEDS, SLOW, SOME, corrected_game, known
from tests.games import QUICK_TITLES, draw_options, every_quick_title, game, log_of, moves, new_header, raw_of, start
from tests.greedy import greedy_game
from tests.scribe import Scribe
from tests.shares import part
from tests.stories import FIRST_DEAL
from tests.test_laws import run_laws

SPYRIUM = TITLES["spyrium"]


def other_options(title: AnyTitle) -> Iterator[tuple[str, door.Options]]:
    """Every option read each other way, the rest as they come: `name=value`."""
    for field in structs.fields(title.options):
        for value in get_args(field.type):
            if value != field.default:
                yield f"{field.encode_name}={value}", title.options(**{field.name: value})


def some_sheet(title: AnyTitle, rng: random.Random, many: int = 3) -> Sheet:
    """The title's sheet with other numbers in a few places."""
    rows = [row for row in title.sheet().printed if isinstance(row.value, int)]
    picked = rng.sample(rows, min(many, len(rows)))
    return title.sheet().with_readings(
        *(structs.replace(row, value=rng.randint(0, 9), source="read") for row in picked)
    )


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_under_its_own_options_and_sheet_nothing_changes(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log = corrected_game(title, seed)
    own = replay(log)
    raw = raw_of(log)
    for said in (run_experiment(log), run_experiment(log, options=own.header.options, sheet=own.sheet)):
        assert said.is_without_effect
        assert (said.options, said.sheet, said.rests_on) == ((), (), ())
        assert said.changes_scores is said.changes_winners is False
    assert known(replay_same_decisions(own, replay(log, sheet=own.sheet)).events) == known(own.events)
    assert raw_of(log) == raw
    counts[f"games under their own rules: {title.key}"] += 1


def recorded_under(title: AnyTitle, log: Log, options: door.Options) -> Log:
    """The same decisions written down by a table that reads the rules this way."""
    header = structs.replace(log.header, options=options)
    table = Play(log_of(title, [header]))
    for event in replay(log, audit=False).events:
        line = table.propose(event.do, by="scribe", anyway=True).event
        table.append(line)
    return log_of(title, table.log.lines)


def under(title: AnyTitle, seed: int, options: door.Options) -> Log:
    play = start(title, seed, options=options)
    for _ in moves(play, seed):
        pass
    return log_of(title, play.log.lines)


@every_quick_title
@settings(SLOW, max_examples=part(25, 3))
@given(seed=SEEDS)
def test_derived_anew_is_what_the_other_rules_give(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    """A game under B, its decisions recorded under A: derived anew under B it is the game under B again."""
    rng = random.Random(seed)
    one, other = draw_options(title.options, rng), draw_options(title.options, rng)
    right = under(title, seed % 500, other)
    recorded = recorded_under(title, right, one)
    again = replay_same_decisions(replay(recorded), replay(recorded, options=other))
    assert known(again.events) == known(replay(right).events)
    assert again.findings == []
    said = run_experiment(recorded, options=other)
    assert said.after == tuple(replay(right).scores())
    assert said.breaches == ()
    assert {reading.option for reading in said.options} == {
        field.encode_name
        for field in structs.fields(title.options)
        if getattr(one, field.name) != getattr(other, field.name)
    }
    counts[f"games derived anew: {title.key}"] += 1
    counts[f"sums that were others: {title.key}"] += len(said.amounts)


@every_quick_title
@settings(SLOW, max_examples=part(25, 3))
@given(seed=SEEDS)
def test_what_is_derived_anew_differs_from_the_rules_by_breaches_only(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    rng = random.Random(seed)
    log = game(title.key, seed % 500)
    other = replay(log, options=draw_options(title.options, rng), sheet=some_sheet(title, rng))
    done = replay_same_decisions(replay(log), other)
    assert {finding.kind for finding in done.findings} <= {"breach", "phantom"}
    counts[f"events that agree with other rules: {title.key}"] += len(done.events)


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_an_experiment_takes_any_game(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    log = corrected_game(title, seed)
    said = run_experiment(log, options=draw_options(title.options, rng), sheet=some_sheet(title, rng))
    before = replay(log)
    assert said.before == tuple(before.scores())
    held = Counter({(has.who, has.what): has.n for has in before.title.held(before.state_at(len(before.events)))})
    for amount in said.amounts:
        held[amount.who, amount.what] += amount.after - amount.before
    points = {score.seat: score.points for score in said.after}
    assert all(held[seat, title.score_resource] == n for seat, n in points.items())
    counts[f"corrected games under other rules: {title.key}"] += 1


@every_quick_title
@settings(SLOW, max_examples=part(60, 4))
@given(seed=SEEDS)
def test_a_game_that_does_not_rest_on_a_changed_value_is_without_effect(
    title: AnyTitle, counts: Counter[str], seed: int
) -> None:
    rng = random.Random(seed)
    said = run_experiment(corrected_game(title, seed, most=12, lines=2), sheet=some_sheet(title, rng, many=1))
    counts[f"games on another sheet: {title.key}"] += 1
    if not said.rests_on:
        assert said.is_without_effect
        counts[f"games that do not rest on what changed: {title.key}"] += 1


# --- one fact at a time --------------------------------------------------------------------------


def bought(*, read: bool = False) -> Scribe:
    """Anna buys the Mine of space 1 for its £2 and £1 of crowd."""
    scribe = Scribe("game-bought").play(FIRST_DEAL, "p12", "p12", "p45", ">a12.1")
    if read:
        scribe.aside(ReadOff, value=Printed("mine-1", "price", 3, "read", "Anna"))
    return scribe


DEARER = SPYRIUM.sheet().with_readings(
    Printed("mine-1", "price", 5, "read", "Bob"), Printed("palace", "price", 1, "read")
)


def test_as_it_was_played_and_as_it_would_have_gone() -> None:
    said = run_experiment(bought().log(), sheet=DEARER)
    assert [(finding.ref, finding.rule, str(finding.expected)) for finding in said.came] == [
        ("5", "posting.price", "seat 1 money -5 (price)")
    ]
    assert said.went == said.breaches == ()
    assert [structs.astuple(amount) for amount in said.amounts] == [(5, 0, 1, "money", "price", -2, -5)]
    assert [(each.of, each.what) for each in said.sheet] == [("mine-1", "price"), ("palace", "price")]
    assert [each.of for each in said.rests_on] == ["mine-1"]
    assert not said.is_over


def test_what_could_not_have_been_paid_is_a_breach() -> None:
    sheet = SPYRIUM.sheet().with_readings(Printed("mine-1", "price", 40, "read"))
    said = run_experiment(bought().log(), sheet=sheet)
    assert [(finding.ref, finding.rule) for finding in said.breaches] == [("5", "activate.money")]


def test_a_reading_of_the_game_is_of_its_own_sheet() -> None:
    """What Anna read at that table counts as the game's own; the experiment asks what another sheet says instead."""
    log = bought(read=True).log()
    said = run_experiment(log, sheet=DEARER)
    assert [(each.what, each.before and each.before.value) for each in said.rests_on] == [("price", 3)]
    assert [str(finding.expected) for finding in said.went] == ["seat 1 money -3 (price)"]
    assert run_experiment(log).is_without_effect


def test_what_was_seen_stays() -> None:
    scribe = Scribe("game-seen").play(FIRST_DEAL, "p12", "p12", "p45")
    seen = Seen(who="Bob", why="a gift")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    scribe.act(act, moved=[Posting(1, "money", 0, "price", seen), Posting(1, "money", -1, "crowd")])
    assert run_experiment(scribe.log(), sheet=DEARER).amounts == ()


def test_it_says_which_reading_is_compared_with_which() -> None:
    log = log_of(SPYRIUM, [new_header(SPYRIUM, 1, options=Options(crane_discount="whole-cost"))])
    said = run_experiment(log, options=Options(engineering_scores="count"))
    assert said.options == (
        Reading(option="engineering-scores", before="printed-vp", after="count"),
        Reading(option="crane-discount", before="whole-cost", after="site"),
    )


def test_a_sheet_that_the_rules_cannot_read_is_refused() -> None:
    with pytest.raises(SheetError):
        run_experiment(bought().log(), sheet=Sheet(name="x", printed=()))


def test_another_winner_is_said() -> None:
    """Of whole games of greedy players some would have another winner if the dearest buildings scored nothing."""
    rows = [row for row in SPYRIUM.sheet().printed if row.what == "points"]
    sheet = SPYRIUM.sheet().with_readings(*(structs.replace(row, value=0, source="read") for row in rows))
    said = [run_experiment(greedy_game(seed, 4), sheet=sheet) for seed in range(40, 44)]
    assert all(each.is_over and each.changes_scores for each in said)
    assert {each.changes_winners for each in said} == {
        find_winners(each.before) != find_winners(each.after) for each in said
    }
    assert compare_sheets(SPYRIUM.sheet(), sheet)


def test_the_scores_of_an_unfinished_game_are_not_judged() -> None:
    """The same game is judged when it was counted; and a mere score sheet never is."""
    rows = [row for row in SPYRIUM.sheet().printed if row.what == "points"]
    sheet = SPYRIUM.sheet().with_readings(*(structs.replace(row, value=0, source="read") for row in rows))
    whole = greedy_game(40, 4)
    said = run_experiment(whole, sheet=sheet)
    assert (said.unjudged, said.changes_scores) == (None, True)
    unfinished = run_experiment(log_of(SPYRIUM, whole.lines[:-1]), sheet=sheet)
    assert [score.total for score in unfinished.before] != [score.total for score in unfinished.after]
    assert (unfinished.unjudged, unfinished.changes_scores, unfinished.changes_winners) == ("unfinished", False, False)
    assert unfinished.wins == ((), (), ())
    scores = make_scoresheet(SPYRIUM, game="game-scores", scores=(("Anna", 40), ("Bob", 39)))
    assert run_experiment(log_of(SPYRIUM, scores), sheet=sheet).unjudged == "scoresheet"


# --- what the options come to --------------------------------------------------------------------


def counted(title: AnyTitle, logs: list[Log]) -> Iterator[tuple[str, Counter[str]]]:
    """Of these games, how many each option read otherwise would change, and how."""
    for name, options in other_options(title):
        said = [run_experiment(log, options=options) for log in logs]
        yield name, Counter(word for each in said for word in _words(each))


def _words(said: Experiment) -> Iterator[str]:
    yield "games"
    for word, holds in (
        ("changed", not said.is_without_effect),
        ("found otherwise", bool(said.came or said.went)),
        ("breaking a rule", bool(said.breaches)),
        ("other scores", said.changes_scores),
        ("other winners", said.changes_winners),
    ):
        if holds:
            yield word


@every_quick_title
def test_every_option_is_counted(title: AnyTitle, counts: Counter[str]) -> None:
    logs = [game(title.key, seed) for seed in range(3)]
    said = dict(counted(title, logs))
    assert set(said) == {name for name, _ in other_options(title)}
    assert all(words["games"] == len(logs) for words in said.values())
    counts[f"games under each option: {title.key}"] += sum(words["games"] for words in said.values())


LAWS: tuple[Any, ...] = (
    test_under_its_own_options_and_sheet_nothing_changes,
    test_derived_anew_is_what_the_other_rules_give,
    test_what_is_derived_anew_differs_from_the_rules_by_breaches_only,
    test_an_experiment_takes_any_game,
    test_a_game_that_does_not_rest_on_a_changed_value_is_without_effect,
)

COLUMNS = ("games", "changed", "found otherwise", "breaking a rule", "other scores", "other winners")


def main(games: int) -> int:
    executed = 0
    for title in TITLES.values():
        logs = [game(title.key, seed) for seed in range(games)]
        print(f"{title.key:<36}" + "".join(f"{column:>17}" for column in COLUMNS))
        for name, words in counted(title, logs):
            print(f"  {name:<34}" + "".join(f"{words[column]:>17,}" for column in COLUMNS), flush=True)
            executed += words["games"]
    print(f"{executed:,} experiments")
    failed = run_laws(LAWS, ((title, seed) for seed in range(games) for title in QUICK_TITLES.values()))
    return failed if executed else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
