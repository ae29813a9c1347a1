"""Whole games from a seed: the same bytes, balanced seats, clean logs."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import convert, to_builtins

from spyrium_log.errors import PolicyError
from spyrium_log.players import Simulation
from spyrium_log.replay import replay
from spyrium_log.title import Abandoned
from spyrium_log.titles.spyrium.options import Options
from tests.games import ALL_TITLES, QUICK_TITLES, read
from tests.mistakes.simulation import mistaken
from tests.players.runs import simulation


@pytest.mark.parametrize("title", QUICK_TITLES)
def test_a_game_is_the_same_whenever_it_is_made(title: str) -> None:
    games = mistaken(title, "random", "greedy", mistakes=0.1)
    again = mistaken(title, "random", "greedy", mistakes=0.1)
    assert [games.make_game(number) for number in range(4)] == [again.make_game(number) for number in (0, 1, 2, 3)]
    assert again.make_game(1) == games.make_game(1)
    assert len({games.make_game(number).log for number in range(4)}) == 4


@pytest.mark.parametrize("title", QUICK_TITLES)
def test_without_mistakes_it_is_clean_and_over(title: str, counts: Counter[str]) -> None:
    for number in range(6):
        made = simulation(title, "random", "greedy", vary_options=True).make_game(number)
        done = replay(read(made.log))
        assert (done.verdict, done.findings) == ("clean", [])
        assert done.title.awaits(done.state_at(len(done.events))).kind == "over"
        assert done.header.source == "simulated"
        assert all(line.at is None for line in done.log.lines)
        counts[f"players: events of {title}"] += len(done.events)


def test_a_long_game_is_the_same_whenever_it_is_made() -> None:
    """Alone, because a game of several takes ten seconds and more."""
    games, again = (simulation("founders", "random", "greedy", seats=[1], vary_options=True) for _ in range(2))
    made = [games.make_game(number) for number in range(3)]
    assert [again.make_game(number) for number in (2, 0)] == [made[2], made[0]]
    assert len({game.log for game in made}) == 3
    for game in made:
        done = replay(read(game.log))
        assert (done.verdict, done.findings) == ("clean", [])
        assert done.title.awaits(done.state_at(len(done.events))).kind == "over"


def test_a_game_that_goes_on_for_ever_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spyrium_log.players.simulation.MOST_EVENTS", 20)
    done = replay(read(simulation("founders", "random", seats=[4]).make_game(0).log))
    assert isinstance(done.events[-1].do, Abandoned)
    assert len(done.events) == 21
    assert (done.verdict, done.findings) == ("clean", [])


def test_any_number_plays_with_a_sheet_that_has_what_a_game_needs() -> None:
    title = ALL_TITLES["founders"]
    games = simulation("founders", "random", vary_options=True)
    headers = [games.begin_game(number)[0].header for number in range(8)]
    assert [len(header.seats) for header in headers] == [*title.seats, *title.seats]
    assert {header.sheet_digest for header in headers} == {title.playable_sheet().digest()}
    assert len({str(to_builtins(header.options)) for header in headers}) == 8


def test_ids_sort_as_the_games_are_numbered_and_follow_from_everything_said() -> None:
    games = simulation("spyrium", "random")
    ids = [games.game_id(number) for number in (0, 1, 9, 10, 70_000)]
    assert ids == sorted(set(ids))
    others = (
        simulation("spyrium", "random", seed=2),
        simulation("spyrium", "greedy"),
        simulation("spyrium", "random", seats=[3]),
        mistaken("spyrium", "random", mistakes=0.5),
        simulation("spyrium", "random", vary_options=True),
        simulation("spyrium", "random", options=Options(event_effect="may-fizzle")),
        simulation("pebbles", "random"),
    )
    assert len({each.game_id(0) for each in (games, *others)}) == 1 + len(others)


def test_everybody_sits_everywhere_and_begins_as_often() -> None:
    """Over policies × seats games of one size, each policy had each place in the order of turns equally often."""
    seen: Counter[tuple[str, int]] = Counter()
    games = simulation("spyrium", "random", "greedy", "search:1", seats=[2, 3])
    for number in range(2 * 9):
        play, seated = games.begin_game(number)
        head = play.header
        if len(seated) == 3:
            for seat, each in enumerate(seated, 1):
                assert head.seats[seat - 1].player == each.name
                seen[each.name, (seat - head.first) % 3] += 1
    assert set(seen.values()) == {3}
    assert len(seen) == 9


def test_who_chooses_alike_is_numbered() -> None:
    play, _ = simulation("spyrium", "greedy", "random", seats=[5]).begin_game(0)
    assert play.players == ["greedy-1", "random-1", "greedy-2", "random-2", "greedy-3"]


def test_what_is_said_of_the_options_stays_when_the_others_vary() -> None:
    said = convert({"tie": "shared", "event-effect": "may-fizzle"}, Options)
    games = simulation("spyrium", "random", vary_options=True, options=said, fixed_options=frozenset({"event-effect"}))
    drawn = [to_builtins(games.begin_game(number)[0].header.options) for number in range(40)]
    assert {each["event-effect"] for each in drawn} == {"may-fizzle"}
    assert len({str(each) for each in drawn}) > 30


@pytest.mark.parametrize(("said", "found"), [({"seats": [1]}, "found 1"), ({"seats": [2, 6]}, "found 6")])
def test_a_run_that_cannot_be_is_refused(said: dict[str, object], found: str) -> None:
    with pytest.raises(PolicyError, match=found):
        simulation("spyrium", "greedy", **said)  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="expected a policy, found none"):
        Simulation(
            title=ALL_TITLES["spyrium"],
            seed=1,
            policies=(),
            seats=(2,),
            options=Options(),
            sheet=ALL_TITLES["spyrium"].sheet(),
        )
