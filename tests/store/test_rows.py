"""Logs in a row in one stream, as `cat` hands them on."""

from __future__ import annotations

import io

import pytest

from spyrium_log.log.pack import MAX_GAME
from spyrium_log.store import read_games
from tests.stories import EXAMPLES

NAMES = ("counted", "whole-game-2-players", "flipped-bit", "misplayed")
LOGS = [(EXAMPLES / f"{name}.jsonl").read_bytes() for name in NAMES]


def test_each_log_of_a_row_is_a_game_with_its_own_bytes() -> None:
    found = list(read_games(io.BytesIO(b"".join(LOGS)).read, "<stdin>"))
    assert [game.raw().log for game in found] == LOGS
    assert [game.name for game in found] == [
        "<stdin>",
        "<stdin>#game-0042",
        "<stdin>#game-opening",
        "<stdin>#game-opening",
    ]
    # what is wrong with one of them is wrong with that one alone
    assert [game.log().complaint is None for game in found] == [True, True, False, True]


def test_only_those_that_are_asked_for() -> None:
    (game,) = read_games(io.BytesIO(b"".join(LOGS)).read, "<stdin>", begins="game-0")
    assert game.raw().log == LOGS[1]


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_however_the_bytes_come(size: int) -> None:
    stream = io.BytesIO(LOGS[0] + LOGS[3])
    found = list(read_games(lambda n: stream.read(min(n, size)), "<stdin>"))
    assert [game.raw().log for game in found] == [LOGS[0], LOGS[3]]


def test_what_is_no_log_hides_none_that_comes_behind() -> None:
    found = list(read_games(io.BytesIO(b"{}\n" + LOGS[0]).read, "<stdin>"))
    assert len(found) == 2
    assert found[1].log().complaint is None


def test_an_endless_line_is_not_read_to_its_end() -> None:
    read = 0

    def endless(size: int) -> bytes:
        nonlocal read
        read += size
        return b"x" * size

    assert len(list(read_games(endless, "<stdin>"))) == 1
    assert read < 2 * MAX_GAME
