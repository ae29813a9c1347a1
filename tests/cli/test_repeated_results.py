"""`import` says which new games have the day, the players and the scores of another one; nothing is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HEAD = "game,title,played,player,score\n"


def sheet(folder: Path, *games: tuple[str, str, str]) -> Path:
    """A table of scores: of each game its id, its day, and `Anna 63, Bob 58`."""
    rows = [
        f"{game},Spyrium,{day},{seat.rpartition(' ')[0].strip()},{seat.rpartition(' ')[2]}\n"
        for game, day, result in games
        for seat in result.split(",")
    ]
    path = folder / f"{len(list(folder.iterdir()))}.csv"
    path.write_text(HEAD + "".join(rows), encoding="utf-8")
    return path


def told(stderr: str) -> list[tuple[str, str]]:
    """For each line about a game: the number of the file's line, and which game it repeats."""
    return re.findall(r"^\S+?:(\d+): .*: the same day, players and scores as (\S+)$", stderr, re.MULTILINE)


def lines(stderr: str) -> list[int]:
    """The lines of the file at which games begin that repeat one."""
    return [int(line) for line, _ in told(stderr)]


def test_a_game_that_repeats_one_of_the_archive_or_of_its_file_is_named(run: Run, tmp_path: Path) -> None:
    score = run("score", "Anna 63, Bob 58", "--date", "2026-11-18").stdout.strip()
    table = sheet(
        tmp_path,
        ("game-again", "2026-11-18", "Bob 58,Anna 63"),
        ("game-other", "2026-11-18", "Anna 63,Bob 57"),
        ("game-third", "2026-11-18", "Anna 63,Bob 57"),
        ("game-later", "2026-11-19", "Anna 63,Bob 58"),
        ("game-alone", "2026-11-18", "Anna 63,Cy 58"),
    )
    for more in (("--dry-run",), ()):
        result = run("import", table, *more)
        assert lines(result.stderr) == [2, 6]
        assert told(result.stderr)[0] == ("2", score)
        assert f"{table}:2: Bob 58, Anna 63, 2026-11-18: the same day" in result.stderr
        assert "2 games with the result of another game of that day: reports count one of the two" in result.stderr
        assert "5 new" in result.stderr
    # what is there already repeats nothing
    assert told(run("import", table).stderr) == []
    assert len(run("games", "--format", "csv").stdout.splitlines()) == 1 + 6


def test_without_a_day_nobody_knows(run: Run, tmp_path: Path) -> None:
    run("score", "Anna 63, Bob 58", "--date", "unknown")
    table = sheet(tmp_path, ("game-one", "", "Anna 63,Bob 58"), ("game-two", "", "Anna 63,Bob 58"))
    assert told(run("import", table).stderr) == []


def test_spellings_of_one_person_are_one_person(run: Run, tmp_path: Path) -> None:
    table = sheet(tmp_path, ("game-one", "2026-11-18", "Ann 63,Bob 58"), ("game-two", "2026-11-18", "ANNA 63,Bob 58"))
    assert lines(run("import", table, "--dry-run").stderr) == []
    assert lines(run("import", table, "--alias", "Ann=Anna").stderr) == [4]


def test_a_pack_of_score_sheets_is_looked_at_too(run: Run, tmp_path: Path) -> None:
    first = run("score", "Anna 63, Bob 58", "--date", "2026-11-18").stdout.strip()
    pack = tmp_path / "first.jsonl.zst"
    run("export", first, "--format", "pack", "--to", pack)
    run("games", "put-away", first)
    second = run("score", "Anna 63, Bob 58", "--date", "2026-11-18").stdout.strip()
    assert f"the same day, players and scores as {second}\n" in run("import", pack).stderr
    assert first in run("games", "--format", "csv").stdout


def test_many_are_counted(run: Run, tmp_path: Path) -> None:
    games = [(f"game-{n:03}", "2026-11-18", "Anna 63,Bob 58") for n in range(30)]
    result = run("import", sheet(tmp_path, *games))
    assert len(told(result.stderr)) == 20
    assert "29 games with the result of another game of that day" in result.stderr


@pytest.mark.parametrize("language", ["pl", "ru", "ru-desktopgames"])
def test_it_is_said_in_the_language_of_the_call(run: Run, tmp_path: Path, language: str) -> None:
    table = sheet(tmp_path, ("game-one", "2026-11-18", "Anna 63,Bob 58"), ("game-two", "2026-11-18", "Anna 63,Bob 58"))
    said = run("import", table, "--lang", language).stderr
    own = (
        "ten sam dzie\u0144, gracze i wyniki co"
        if language == "pl"
        else "\u0442\u043e\u0442 \u0436\u0435 \u0434\u0435\u043d\u044c"
    )
    assert f"{table}:4: Anna 63, Bob 58, 2026-11-18: {own}" in said
    assert "result of" not in said
