"""Mistakes leave logs that can be read, with the findings that each is there for."""

from __future__ import annotations

from collections import Counter

import pytest

from spyrium_log.players.policies import make_dice
from spyrium_log.replay import replay
from spyrium_log.store import read_bytes
from spyrium_log.store.writer import read_notes_bytes
from tests.anything import survives
from tests.games import ALL_TITLES, QUICK_TITLES, choose, read, start
from tests.mistakes import asides, recorder
from tests.mistakes.recorder import MISTAKES
from tests.mistakes.simulation import mistaken
from tests.mistakes.variation import varied

GAMES = 3


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_leaves_what_it_says(name: str, monkeypatch: pytest.MonkeyPatch, counts: Counter[str]) -> None:
    monkeypatch.setattr(recorder, "MISTAKES", {name: MISTAKES[name]})
    monkeypatch.setattr(recorder, "ASIDES", {})
    made = 0
    for number in range(GAMES):
        game = mistaken("spyrium", "random", seats=[2, 3], mistakes=0.3).mistaken_game(number)
        done = replay(read(game.game.log))
        if game.mistakes[name]:
            made += game.mistakes[name]
            expected = {"either": {"clean", "findings"}}.get(MISTAKES[name].leaves, {MISTAKES[name].leaves})
            assert done.verdict in expected, done.findings
    assert made
    counts[f"mistakes: {name}"] += made


def test_what_is_written_when_a_game_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MISTAKES", {"misplayed": MISTAKES["misplayed"]})
    made: Counter[str] = Counter()
    for number in range(8):
        game = mistaken("spyrium", "random", seats=[2], mistakes=0.5, seed=3).mistaken_game(number)
        made += game.mistakes
        log = read_bytes(game.game.log, "log")
        assert log.complaint is None
        if game.mistakes["seal"]:
            assert [seal.standing for seal in replay(log).seals] == ["unsigned"]
        notes = read_notes_bytes(game.game.notes, "notes")
        assert notes.complaint is None
        assert bool(notes.lines) == bool(game.mistakes["notes"])
    assert set(made) >= {*asides.ASIDES, "seal", "notes", "misplayed"}


@pytest.mark.parametrize("title", QUICK_TITLES)
def test_games_with_mistakes_can_be_read_and_end(title: str, counts: Counter[str]) -> None:
    made: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for number in range(12):
        game = mistaken(title, "random", mistakes=0.2, vary_options=True).mistaken_game(number)
        log = read(game.game.log)
        assert log.complaint is None
        done = replay(log)
        verdicts[done.verdict] += 1
        assert done.is_scores_only or done.title.awaits(done.state_at(len(done.events))).kind == "over"
        made += game.mistakes
    assert verdicts["findings"]
    assert not verdicts["unusable"]
    counts[f"mistakes: in whole games of {title}"] += made.total()


@pytest.mark.parametrize("title", QUICK_TITLES)
def test_what_is_said_otherwise_is_still_well_typed(title: str, counts: Counter[str]) -> None:
    play = start(ALL_TITLES[title], 4)
    dice = make_dice("otherwise", title)
    words = ["?", "mine-1", "banker", "windfall"]
    for _ in range(60):
        act = choose(play, dice)
        if act is None:
            break
        wire = play.title.wire
        kind = wire.deal if isinstance(act, wire.deal) else wire.decision
        if isinstance(act, kind):
            for _ in range(10):
                other = varied(act, dice, words)
                assert survives(kind, other)
                counts["mistakes: acts varied"] += other != act
        line = play.propose(act, by="chance").event
        play.append(line)
