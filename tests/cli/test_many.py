"""export and import of many games, and of games under other names."""

from __future__ import annotations

import csv
import io
import json
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from spyrium_cli.exporting.forms import FORMS
from spyrium_cli.main import cli
from spyrium_log.replay import replay
from spyrium_log.sheet import Sheet
from spyrium_log.store import Folder, read_bytes
from tests.build import begin, header
from tests.cli.conftest import Run
from tests.log.test_notes import note
from tests.packs import read_pack
from tests.stories import EXAMPLES

NAMES = ("Anna", "Bob", "Cleo")


@pytest.fixture
def club(archive: Path) -> Folder:
    """Two games and a score sheet, one of them with a note."""
    folder = Folder(archive)
    for name in ("whole-game-2-players", "whole-game-3-players", "scores-only"):
        folder.write_whole((EXAMPLES / f"{name}.jsonl").read_bytes())
    with folder.open_notes_writer("game-scores") as writer:
        writer.append(note(text="Anna said why?"))
    return folder


@pytest.fixture
def other(archive: Path) -> Folder:
    """Another archive."""
    return Folder(archive.parent / "other")


def files(folder: Folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.path.iterdir()}


def test_a_log_whose_sheet_lacks_a_value_hides_no_other(run: Run, club: Folder) -> None:
    begin(club, header("game-sheetless", sheet=Sheet(name="empty", printed=())))
    path = club.path / "game-sheetless.jsonl"
    lacking = "expected a value for every card, found none for the symbols of 'mine-1'"
    result = run("validate", club.path, code=2)
    assert result.stderr.endswith("3 clean, 1 unusable\n")
    assert f"{path}\n  line 1: sheet: {lacking}" in result.stdout
    result = run("export", "--format", "scores", code=1)
    assert f"left out: sheet: {lacking} at {path}:1\n" in result.stderr
    assert result.stderr.endswith("3 games, 1 left out\n")
    assert len(result.stdout.splitlines()) > 1


def test_a_game_that_nobody_could_read_hides_no_other_of_its_pack(
    run: Run, club: Folder, other: Folder, tmp_path: Path
) -> None:
    begin(club, header("game-0000", sheet=Sheet(name="empty", printed=())))
    pack = tmp_path / "club.jsonl.zst"
    run("export", "--to", pack, "--format", "pack")
    result = run("import", pack, "--archive", other.path, code=2)
    assert f"sheet: expected a value for every card, found none for the symbols of 'mine-1' at {pack}#game-0000:1" in (
        result.stdout
    )
    assert result.stderr.endswith("3 new, 1 unusable\n")
    assert [*other.list_names()] == [name for name in club.list_names() if name != "game-0000"]


# --- packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["club.jsonl.zst", "club.jsonl"])
def test_an_archive_goes_through_a_pack_byte_for_byte(
    run: Run, club: Folder, other: Folder, tmp_path: Path, name: str
) -> None:
    pack = tmp_path / name
    assert run("export", "--to", pack, "--format", "pack").stderr == f"3 games at {pack}\n"
    result = run("import", pack, "--archive", other.path)
    assert result.stderr == "1 new note on game-scores\n3 new\n"
    assert files(other) == files(club)


def test_an_import_that_comes_again_writes_nothing(run: Run, club: Folder, other: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "club.jsonl.zst"
    run("export", "--to", pack)
    run("import", pack, "--archive", other.path)
    before = files(other)
    assert run("import", pack, "--archive", other.path).stderr == "3 there\n"
    assert files(other) == before == files(club)


def test_a_dry_run_of_a_pack(run: Run, club: Folder, other: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    run("export", "--to", tmp_path / "club.jsonl.zst")
    result = run("import", tmp_path / "club.jsonl.zst", "--archive", other.path, "--dry-run")
    assert result.stderr == "3 new (nothing was written)\n"
    assert not other.path.exists()


def test_a_pack_through_a_pipe(run: Run, club: Folder, other: Folder) -> None:
    pack = run("export", "--format", "pack.zst").stdout_bytes
    run("import", "-", "--archive", other.path, stdin=pack)
    assert other.list_names() == club.list_names()
    again = run("export", "-", "--format", "pack.zst", stdin=pack)
    assert again.stdout_bytes == pack


def test_a_folder_of_packs_comes_in(run: Run, club: Folder, other: Folder, tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    run("export", "--to", tmp_path / "packs" / "club.jsonl.zst")
    assert run("import", tmp_path / "packs", "--archive", other.path).stderr.endswith("3 new\n")
    assert other.list_names() == club.list_names()


def test_games_that_are_named_and_no_others(run: Run, club: Folder, tmp_path: Path) -> None:
    game = club.list_names()[0]
    run("export", game, EXAMPLES / "wrong-price.jsonl", "--to", tmp_path / "two.jsonl.zst")
    assert [json.loads(one.log.partition(b"\n")[0])["game"] for one in read_pack(tmp_path / "two.jsonl.zst")] == [
        game,
        "game-opening",
    ]


def test_a_damaged_game_is_left_out_and_takes_no_other_with_it(run: Run, club: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "club.jsonl"
    result = run("export", club.path, EXAMPLES / "flipped-bit.jsonl", "--to", pack, "--format", "pack", code=2)
    assert result.stderr.startswith("Warning: left out: ")
    assert result.stderr.endswith(f"3 games at {pack}, 1 left out\n")
    assert len(list(read_pack(pack))) == 3


def test_a_pack_that_was_cut_brings_what_is_whole(run: Run, club: Folder, other: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "club.jsonl"
    run("export", "--to", pack, "--format", "pack")
    pack.write_bytes(pack.read_bytes()[:-100])
    result = run("import", pack, "--archive", other.path, code=2)
    assert "2 new, 1 unusable" in result.stderr
    assert other.list_names() == club.list_names()[:2]


@pytest.mark.parametrize("raw", [b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd" + b"\0" * 99, b'{"kind":"sheet"}\n'])
def test_a_pack_that_is_none(run: Run, archive: Path, tmp_path: Path, raw: bytes) -> None:
    pack = tmp_path / "x.jsonl.zst"
    pack.write_bytes(raw)
    assert run("import", pack, code=2).stderr == "1 unusable\n"
    assert "found none: nothing was written" in run("export", pack, "--format", "pack", code=2).stderr
    assert "1 unusable" in run("validate", pack, code=2).stderr
    assert not archive.exists()


def test_no_game_makes_no_file(run: Run, archive: Path, tmp_path: Path) -> None:
    archive.mkdir()
    assert "found none: nothing was written" in run("export", "--to", tmp_path / "x.jsonl.zst", code=1).stderr
    assert not (tmp_path / "x.jsonl.zst").exists()


def test_a_pack_is_not_written_over(run: Run, club: Folder, tmp_path: Path) -> None:
    pack = tmp_path / "x.jsonl.zst"
    pack.write_bytes(b"mine")
    assert club.list_names()
    assert "--force" in run("export", "--to", pack, code=1).stderr
    run("export", "--to", pack, "--force")
    assert len(list(read_pack(pack))) == 3


def test_nothing_compressed_onto_a_terminal(club: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert club.list_names()
    with pytest.raises(Exception, match="found a terminal"):
        cli.main(["export", "--format", "pack.zst"], prog_name="spyrium", standalone_mode=False)


def test_one_game_for_what_holds_one(run: Run, club: Folder) -> None:
    assert "found 2" in run("export", *club.list_names()[:2], "--format", "html", code=2).stderr
    last = run("export", "@last", "--format", "jsonl").stdout
    assert run("export", "--format", "jsonl").stdout == last


# --- scores --------------------------------------------------------------------------------------


def test_final_scores_are_what_the_library_says(run: Run, club: Folder) -> None:
    rows = list(csv.DictReader(io.StringIO(run("export", "--format", "scores").stdout)))
    for game in club.list_names():
        scores = [int(row["score"]) for row in rows if row["game"] == game]
        assert scores == [score.total for score in replay(club.read_log(game)).scores()]


def test_an_unfinished_game_has_none(run: Run, club: Folder) -> None:
    result = run("export", *club.list_names(), EXAMPLES / "first-round.jsonl", "--format", "scores", code=1)
    assert "expected a final score for each player" in result.stderr
    assert result.stderr.endswith("left out of scores: moves and notes; a pack keeps them\n3 games, 1 left out\n")


def test_a_score_sheet_says_of_nobody_that_he_began(run: Run, club: Folder) -> None:
    run("score", "Anna 3, Bob 4")
    began = {
        row["game"] for row in csv.DictReader(io.StringIO(run("export", "--format", "scores").stdout)) if row["first"]
    }
    assert began == {name for name in club.list_names() if club.read_log(name).header.source != "scoresheet"}
    sheets = "SELECT count(*) FROM seat JOIN game USING (game) WHERE source = 'scoresheet' AND turn IS NOT NULL"
    assert run("query", sheets, "--format", "csv").stdout.split() == ["count_star()", "0"]


def test_what_goes_out_as_scores_is_here_when_it_comes_in(run: Run) -> None:
    run("score", "Anna 3, Bob 4")
    table = run("export", "--format", "scores").stdout
    assert run("import", "-", "--as", "csv", stdin=table).stderr == "1 there\n"


def test_plays_for_bg_stats_need_a_day(run: Run, club: Folder, tmp_path: Path) -> None:
    file = tmp_path / "club.bgsplay"
    result = run("export", "--to", file, code=1)
    assert result.stderr.count("expected the day it was played, found none") == 2
    assert len(json.loads(file.read_bytes())["plays"]) == 1
    assert run("import", file).stderr == "1 there\n"
    assert len(club.list_names()) == 3


def test_the_link_is_data_and_the_code_is_talk(run: Run, club: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert club.list_names()
    plain = run("export", "game-scores", "--format", "bgstats-link")
    assert plain.stdout.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    assert "█" not in plain.output
    monkeypatch.setattr("spyrium_cli.exporting.forms.is_stderr_terminal", lambda: True)
    result = run("export", "game-scores", "--format", "bgstats-link")
    assert result.stdout == plain.stdout
    assert "█" in result.stderr


def test_a_link_that_fits_no_code_is_still_a_link(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spyrium_cli.exporting.forms.is_stderr_terminal", lambda: True)
    names = [f"{letter}{'é' * 58}" for letter in "ABCDE"]
    game = run("score", ", ".join(f"{name} 3" for name in names), "--place", "ü" * 400).stdout.strip()
    result = run("export", game, "--format", "bgstats-link")
    assert result.stdout.startswith("https://")
    assert "expected a link that fits a QR code" in result.stderr


def test_the_code_of_a_link_is_written_into_a_file(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    link = run("export", "game-scores", "--format", "bgstats-link").stdout
    assert run("export", "game-scores", "--qr", tmp_path / "code.svg").stdout == link
    assert (tmp_path / "code.svg").read_text(encoding="utf-8").startswith("<svg xmlns=")
    run("export", "game-scores", "--format", "bgstats-link", "--qr", tmp_path / "code.png")
    assert (tmp_path / "code.png").read_bytes().startswith(b"\x89PNG")
    assert "--force" in run("export", "game-scores", "--qr", tmp_path / "code.svg", code=1).stderr
    for words in (("--qr", tmp_path / "code.gif"), ("--format", "txt", "--qr", tmp_path / "other.svg")):
        assert "expected --qr with bgstats-link" in run("export", "game-scores", *words, code=2).stderr
    other = run("score", "Anna 3, Bob 4", "--exact").stdout.strip()
    for games, message in (
        (["game-scores", other], "expected one game for a QR code"),
        (["game-0042"], "expected a game, found none"),
    ):
        assert message in run("export", *games, "--qr", tmp_path / "many.svg", code=1).stderr
    assert not (tmp_path / "many.svg").exists()


# --- under other names ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_hidden_game_names_anybody(run: Run, club: Folder, form: str) -> None:
    result = run("export", "game-scores", "--format", form, "--anonymise")
    for name in NAMES:
        assert name not in result.stdout
    assert "2014-03-08" not in result.stdout
    assert "the chain is new" in result.stderr
    assert club.list_names()


def test_a_hidden_pack_is_the_same_games(run: Run, club: Folder) -> None:
    result = run("export", "--format", "pack", "--anonymise")
    assert "3 games and " in result.stderr
    assert "notes left out" in result.stderr
    again = run("export", "-", "--format", "scores", stdin=result.stdout_bytes)
    scores = [row["score"] for row in csv.DictReader(io.StringIO(again.stdout))]
    open_ = run("export", "--format", "scores")
    assert scores == [row["score"] for row in csv.DictReader(io.StringIO(open_.stdout))]
    for name in (*NAMES, *club.list_names()):
        assert name.encode() not in result.stdout_bytes


def test_a_hidden_dataset_says_where_it_is_and_nothing_of_the_way(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    said = run("export", "--format", "dataset", "--anonymise", "--to", tmp_path / "data").stderr
    assert f"tables at {tmp_path / 'data'}" in said
    assert ".jsonl.zst" not in said


def test_the_salt_is_made_once_for_its_owner_alone(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    first = run("export", "game-scores", "--format", "jsonl", "--anonymise")
    (salt,) = (path for path in tmp_path.rglob("salt") if path.is_file())
    assert stat.S_IMODE(salt.stat().st_mode) == 0o600
    assert str(salt) in first.stderr
    again = run("export", "game-scores", "--format", "jsonl", "--anonymise")
    assert again.stdout == first.stdout
    assert str(salt) not in again.stderr
    given = tmp_path / "other-salt"
    given.write_bytes(b"another salt, long enough")
    assert run("export", "game-scores", "--format", "jsonl", "--anonymise", "--salt", given).stdout != first.stdout


def test_a_hidden_game_reads_as_the_original_does(run: Run, club: Folder) -> None:
    name = club.list_names()[0]
    copy = read_bytes(run("export", name, "--format", "jsonl", "--anonymise").stdout_bytes, "copy")
    assert replay(copy).verdict == "clean"
    assert replay(copy).scores() == replay(club.read_log(name)).scores()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "bgstats", "--anonymise"), "a form that needs no names"),
        (("--format", "pack", "--salt", __file__), "expected --anonymise with --salt"),
        (("--format", "exe"), "exe"),
        (("--to", "game.exe"), "found 'game.exe'"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in run("export", "game-scores", *words, code=2).stderr


def test_a_salt_that_is_too_short_and_a_damaged_game(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    salt = tmp_path / "short"
    salt.write_bytes(b"short")
    said = run("export", "game-scores", "--format", "jsonl", "--anonymise", "--salt", salt, code=2).stderr
    assert "expected a salt of at least 16 bytes" in said
    flipped = EXAMPLES / "flipped-bit.jsonl"
    assert run("export", flipped, "--format", "jsonl", "--anonymise", code=2).stdout == ""


def test_ones_own_salt_that_was_cut_is_not_used(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    run("export", "game-scores", "--format", "jsonl", "--anonymise")
    (salt,) = (path for path in tmp_path.rglob("salt") if path.is_file())
    salt.write_bytes(b"")
    result = CliRunner().invoke(cli, ["export", "game-scores", "--format", "jsonl", "--anonymise"])
    assert result.exit_code == 2
    assert "expected a salt of 32 bytes, found 0" in result.stderr


def test_a_folder_that_is_not_there_is_one_sentence(run: Run, club: Folder, tmp_path: Path) -> None:
    assert club.list_names()
    file = tmp_path / "no" / "x.jsonl.zst"
    assert run("export", "--to", file, code=2).stderr.endswith(
        f"expected to write a file, found no such file, at {file}\n"
    )
