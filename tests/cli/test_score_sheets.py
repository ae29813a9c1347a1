"""A score sheet needs no board: results of any title are recorded, read and exchanged with its usual set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spyrium_log.store import Folder
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run

every_title_on_the_shelf = pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
RESULT = "Anna 63, Bob 58"
BGG = """\
<plays><play id="7" date="2026-11-18" quantity="1" length="90" incomplete="0" location="">
<item name="{name}" objecttype="thing" objectid="{number}"/>
<players><player username="" userid="0" name="Anna" color="" score="63" win="1"/>
<player username="" userid="0" name="Bob" color="" score="58" win="0"/></players></play></plays>
"""


def record(run: Run, title: AnyTitle) -> str:
    return run("score", "--title", title.key, RESULT, "--date", "2026-11-18").stdout.strip()


@every_title_on_the_shelf
def test_a_score_sheet_is_read_by_every_command(run: Run, title: AnyTitle) -> None:
    game = record(run, title)
    assert "1. Anna 63" in run("show", game).stdout
    assert json.loads(run("show", game, "--format", "json").stdout)["title"] == title.key
    assert f"2026-11-18  {title.key}" in run("games").stdout
    assert run("validate", game).stdout.startswith("clean")
    asked = run("query", "select title, player, total from scored order by total", "--format", "jsonl").stdout
    assert [json.loads(line) for line in asked.splitlines()] == [
        {"title": title.key, "player": "Bob", "total": 58},
        {"title": title.key, "player": "Anna", "total": 63},
    ]
    assert "1 game" in run("report", "scores", "--title", title.key, "--least", "1").stdout
    assert "of which only the scores are known" in run("record", game, "--plain", stdin="", code=1).stderr


@every_title_on_the_shelf
@pytest.mark.parametrize("file", ["results.csv", "results.bgsplay", "game.txt", "game.json", "game.html", "game.jsonl"])
def test_what_is_exported_is_imported(run: Run, archive: Path, tmp_path: Path, title: AnyTitle, file: str) -> None:
    game = record(run, title)
    form = ("--format", "scores") if file.endswith(".csv") else ()
    named = () if file.startswith("results") else (game,)
    run("export", *named, "--to", tmp_path / file, *form)
    (archive / f"{game}.jsonl").unlink()
    run("import", tmp_path / file)
    (path,) = archive.glob("*.jsonl")
    assert "1. Anna 63" in run("show", path).stdout
    assert Folder(archive).read_log(path).header.title == title.key


@every_title_on_the_shelf
def test_plays_of_boardgamegeek_are_imported(run: Run, archive: Path, tmp_path: Path, title: AnyTitle) -> None:
    plays = tmp_path / "plays.xml"
    plays.write_text(BGG.format(name=title.name, number=title.bgg_id), encoding="utf-8")
    run("import", plays)
    (path,) = archive.glob("*.jsonl")
    assert "1. Anna 63" in run("show", path).stdout
    log = Folder(archive).read_log(path)
    assert (log.header.title, log.sheet) == (title.key, title.sheet())


def test_a_game_that_is_to_be_played_still_needs_a_board(run: Run, archive: Path) -> None:
    record(run, TITLES["founders"])
    refused = run("new", "--title", "founders", "--players", "A,B", code=2).stderr
    assert refused == (
        "Error: expected a set with the thematic side of the board, found none in 'official-partial' "
        "(the set 'practice-1' has one)\n"
    )
    assert len([*archive.glob("*.jsonl")]) == 1
