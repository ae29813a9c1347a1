"""A game on a half-known set through the commands: what nobody typed is asked, kept, and not asked again."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from spyrium_cli.recording.recorder import Recorder
from spyrium_cli.tui.recorder import RecorderScreen
from spyrium_log.sheet import format_sheet
from spyrium_log.store import Folder, read_sheet
from tests.cli.conftest import Run
from tests.cli.test_recording import played, shown, typed
from tests.founders.evening import half_known_set

FOUNDERS = ("--title", "founders")
DEAL = "deal table scholar huckster foreman carpenter proposals north-watchtower west-watchtower ghost-fortress"
LEVELS = [f"level of {adviser}, such as 1? (? if nobody can read it)" for adviser in DEAL.split()[2:6]]
BASE = "base of inox, such as wood? (? if nobody can read it)"


@pytest.fixture
def own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One's own set with a board; `{title}` in its path is the title."""
    monkeypatch.setenv("SPYRIUM_SHEET", str(tmp_path / "{title}.toml"))
    board = tmp_path / "board.toml"
    board.write_text(format_sheet(half_known_set()), encoding="utf-8")
    run("sheet", "import", board, *FOUNDERS)
    return tmp_path / "founders.toml"


def begin(run: Run) -> str:
    return run("new", *FOUNDERS, "--players", "Anna,Bob").stdout.strip()


def questions(said: str) -> list[str]:
    return [line for line in said.splitlines() if "if nobody can read it" in line]


def test_what_is_asked_and_kept_is_not_asked_in_the_next_game(run: Run, own: Path) -> None:
    first = begin(run)
    said = run("record", first, "--plain", stdin=f"{DEAL}\n1\n1\n1\n1\nrace inox\nlivestock\n")
    assert questions(said.stderr) == [*LEVELS, BASE]
    assert "   7  Anna takes the race Inox: Anna gets livestock" in said.stdout
    assert run("validate", first).stdout.startswith("clean")

    taken = run("sheet", "import", first, *FOUNDERS)
    assert taken.stderr.startswith("5 values taken, 0 as they were")
    sheet = read_sheet(own)
    assert sheet is not None
    assert sheet.rows_by_key()["inox", "base"].value == "livestock"

    said = run("record", begin(run), "--plain", stdin=f"{DEAL}\nrace inox\nforbids\n", code=1)
    assert questions(said.stderr) == []
    assert run("sheet", "import", first, *FOUNDERS).stderr.startswith("0 values taken, 5 as they were")


def test_a_wrong_answer_is_refused_and_the_question_stays(run: Run, own: Path) -> None:
    assert own.exists()
    said = run(
        "record", begin(run), "--plain", stdin=f"{DEAL}\nlow\n7\n1\n?\n?\n?\nrace inox\n\nrace inox\n?\n", code=1
    )
    assert questions(said.stderr) == [LEVELS[0]] * 3 + LEVELS[1:] + [BASE] * 2
    assert "not recorded: 'low': " in said.stderr
    assert "not recorded: '7': " in said.stderr
    assert "not recorded: 'race inox': expected the base of inox, such as wood" in said.stderr
    assert said.stdout.splitlines()[-1].startswith("   3  Anna takes the race Inox")


def test_the_screen_asks_too(run: Run, own: Path, archive: Path) -> None:
    assert own.exists()
    begin(run)
    (path,) = archive.glob("*.jsonl")

    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, ["space" if key == " " else key for key in DEAL])
        await typed(pilot, ["enter"])
        assert "level of scholar, such as 1?" in shown(app)
        await typed(pilot, ["x", "enter"])
        assert "expected a number" in shown(app)
        await typed(pilot, ["backspace", "1"])
        assert "level of scholar is printed as 1" in shown(app)
        await typed(pilot, ["enter", "1", "enter", "1", "enter"])
        assert "level of carpenter, such as 1?" in shown(app)
        assert len(app.recorder.play.log.lines) == 4
        await typed(pilot, ["1", "enter"])
        assert "Anna is to act" in shown(app)
        assert len(app.recorder.play.list_events()) == 1

    with Recorder(Folder(archive), path, by="tester", language="en") as recorder:
        played(recorder, story, (120, 40))


def test_play_says_what_is_not_known(run: Run, own: Path, archive: Path) -> None:
    assert own.exists()
    game = begin(run)
    said = run("play", game, DEAL, "anna: race inox")
    assert "not known: level of scholar; what it comes to is left out (spyrium fix reading)" in said.stderr
    assert "not known: base of inox; " in said.stderr
    run("fix", "reading", game, "inox", "base", "livestock", "--keep")
    assert len(Folder(archive).read_log(game).lines) == 4
    assert "base_got Anna, base livestock" in run("validate", game, code=1).stdout


def test_the_readings_of_a_game_of_another_title_are_refused(run: Run, own: Path) -> None:
    assert own.exists()
    game = begin(run)
    assert "Founders of Gloomhaven" in run("sheet", "import", game, code=2).stderr
    assert "no-such-game" in run("sheet", "import", "no-such-game", code=2).stderr
