"""A game going on, in memory and in a file: each line has a number of its own, and counts once it is written."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from spyrium_log import TITLES, ConflictError, Folder, IllegalError, LockedError, Play, StoreError, read_log, replay_log
from spyrium_log.log import codec
from spyrium_log.title import AnyTitle
from spyrium_log.titles.spyrium.moves import PlaceWorker
from tests.games import choose, every_quick_title, raw_of, read
from tests.test_laws import FEW, GAMES, fingerprint

SPYRIUM = TITLES["spyrium"]
DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:1 luxury-home mine-2"


def begun(game: str = "game-play", **said: Any) -> Play:
    return Play.new(SPYRIUM, game=game, players=("Anna", "Bob"), **said)


def dealt(game: str = "game-play") -> Play:
    play = begun(game)
    play.do(DEAL, by="Anna")
    return play


@every_quick_title
@FEW
@given(seed=GAMES, undone=st.integers(2, 5))
def test_what_is_done_is_what_a_reader_finds(title: AnyTitle, counts: Counter[str], seed: int, undone: int) -> None:
    """Acts, undo and a seal, one after another: a log without a complaint, and the table of its replay."""
    rng = random.Random(seed)
    play = Play.new(title, game="game-law", players=("Anna", "Bob"))
    for n in range(40):
        act = choose(play, rng)
        if act is None:
            break
        play.do(act, by="chance")
        if n % undone == 0:
            play.undo(by="chance")
    play.seal(by="chance")
    log = read(play.encode(), title)
    assert log.complaint is None
    assert [line.n for line in log.lines] == list(range(len(log.lines)))
    assert (log.lines, log.last_digest) == (play.log.lines, play.log.last_digest)
    done = replay_log(log)
    assert done.verdict == "clean"
    assert fingerprint(done.state_at(len(done.events))) == fingerprint(play.state)
    counts[f"lines recorded in memory: {title.key}"] += len(log.lines)


def test_a_play_of_a_log_leaves_the_log_as_it_is() -> None:
    log = dealt().log
    before = raw_of(log)
    Play(log).do("p12", by="Anna")
    assert raw_of(log) == before


def test_what_is_refused_leaves_no_trace() -> None:
    play = dealt()
    before, state = play.encode(), fingerprint(play.state)
    with pytest.raises(IllegalError) as refusal:
        play.do(structs.replace(PlaceWorker(seat=1, gap=12), gap=99), by="Anna")
    assert [breach.rule for breach in refusal.value.breaches] == ["gap.exists"]
    assert refusal.value.nearest
    assert (play.encode(), fingerprint(play.state)) == (before, state)


def test_what_the_table_did_against_the_rules_is_recorded() -> None:
    play = dealt()
    play.do("@2 p12", by="Anna", anyway=True)
    assert [finding.rule for finding in play.replay().findings] == ["turn.order"]


def test_an_edition_gives_its_readings_and_options_go_before_them() -> None:
    russian = begun(edition="ru").header
    readings = SPYRIUM.editions["ru"].readings
    assert {name: russian.options[name] for name in readings} == dict(readings)
    other = next(word for word in ("site", "whole-cost") if word != readings["crane-discount"])
    changed = begun(edition="ru", options={"crane-discount": other}).header
    assert (changed.edition, changed.options["crane-discount"]) == ("ru", other)


def test_a_file_has_every_line_before_it_counts(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    play = dealt()
    path = tmp_path / "game-play.jsonl"
    with folder.create(play) as same:
        assert same is play
        for text in ("p12", "p45"):
            play.do(text, by="Anna")
            assert path.read_bytes() == play.encode()
        with pytest.raises(LockedError):
            folder.open_play("game-play")
    with pytest.raises(StoreError, match="found a closed one"):
        play.do("p12", by="Anna")
    with folder.open_play("@last") as again:
        assert fingerprint(again.state) == fingerprint(play.state)
        again.undo(by="Bob")
        again.seal(by="Bob")
    log = read_log(path.read_bytes())
    assert [str(line.__struct_config__.tag) for line in log.lines[-2:]] == ["undo", "seal"]
    assert log.complaint is None


class Broken:
    """A file that takes no line."""

    def __init__(self, log: codec.Log) -> None:
        self.log = log

    def append(self, line: Any) -> Any:
        raise StoreError("refused", task=f"to write line {line.n}", reason="a full disk", place="game.jsonl")

    def close(self) -> None:
        """Nothing is open."""


def test_a_line_that_was_not_written_did_not_happen() -> None:
    play = dealt()
    play.attach(Broken(play.log))
    before = play.encode(), fingerprint(play.state)
    for act in (lambda: play.do("p12", by="Anna"), lambda: play.undo(by="Anna"), lambda: play.seal(by="Anna")):
        with pytest.raises(StoreError, match="found a full disk"):
            act()
        assert (play.encode(), fingerprint(play.state)) == before


def test_a_command_that_came_before_happens_once(tmp_path: Path) -> None:
    with Folder(tmp_path).create(dealt()) as play:
        line = play.propose("p12", by="Anna", cmd="one").event
        play.append(line)
        state, lines = fingerprint(play.state), len(play.log.lines)
        assert play.append(line) == play.log.lines[-1]
        assert (fingerprint(play.state), len(play.log.lines)) == (state, lines)
        with pytest.raises(ConflictError, match="expected command 'one' to be new"):
            play.do("p45", by="Anna", cmd="one")
