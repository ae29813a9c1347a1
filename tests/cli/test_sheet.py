"""sheet: what is shown, what is written, and that every answer is on the disk at once."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from spyrium_cli.main import cli
from spyrium_cli.sheets.readings import Signature, Verification
from spyrium_log.messages import Reader
from spyrium_log.sheet import Printed
from spyrium_log.store import Folder, read_sheet
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.stories import EXAMPLES

SHIPPED = TITLES["spyrium"].sheet()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own" / "sheet.toml"
    monkeypatch.setenv("SPYRIUM_SHEET", str(path))
    return path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def taken(own: Path) -> list[tuple[str, str, int | str, str, str]]:
    sheet = read_sheet(own)
    return [(row.of, row.what, row.value, row.source, row.by) for row in sheet.printed] if sheet else []


# --- show and diff -------------------------------------------------------------------------------


def test_what_is_assumed_is_never_shown_as_a_fact(run: Run, own: Path) -> None:
    shown = run("sheet", "show", "--format", "md").stdout
    for row in rows(run("sheet", "show", "--format", "csv").stdout):
        told = f"| {row['card']} | {row['name']} | {row['what']} |"
        value = next(line for line in shown.splitlines() if line.startswith(told)).split("|")[4].strip()
        assert value.startswith("~") == (row["source"] == "assumed"), row
    assert not own.exists()


def test_all_values_or_those_of_a_card(run: Run, own: Path) -> None:
    assert not own.exists()
    result = run("sheet", "show", "--format", "jsonl")
    assert len(result.stdout.splitlines()) == len(SHIPPED.printed)
    assert result.stderr.startswith(f"{len(SHIPPED.printed)} values: ")
    mines = {row["card"] for row in rows(run("sheet", "show", "mine", "--format", "csv").stdout)}
    assert mines == {"mine-1", "mine-2", "mine-3", "miner"}
    assert {row["card"] for row in rows(run("sheet", "show", "miner", "--format", "csv").stdout)} == {"miner"}


def test_a_card_nobody_knows_is_answered_with_one_that_is_like_it(run: Run) -> None:
    assert "found 'mine1': did you mean 'mine-1'?" in run("sheet", "show", "mine1", code=2).stderr
    assert "found ''" in run("sheet", "show", "", code=2).stderr


def test_a_name_in_the_language_asked_for(run: Run) -> None:
    assert "Dźwig" in run("sheet", "show", "crane", "--lang", "pl", "--format", "md").stdout
    told = json.loads(run("sheet", "show", "crane", "--lang", "pl", "--format", "json").stdout)
    assert told[0]["name"] == "Crane"


def test_diff_says_what_ones_own_sheet_changes(run: Run, own: Path) -> None:
    assert run("sheet", "diff").stderr == "the same\n"
    run("sheet", "edit", "mine-1", "price", 4, "--by", "Anna", "--date", "2026-11-18")
    result = run("sheet", "diff", code=1)
    assert result.stdout.splitlines()[1].split(None, 3) == ["mine-1", "price", "~2", "4 (Anna, 2026-11-18)"]
    assert result.stderr == "1 with another value\n"
    (row,) = json.loads(run("sheet", "diff", "shipped", own, "--format", "json", code=1).stdout)
    assert (row["kind"], row["before"], row["after"], row["by"]) == ("value", 2, 4, "Anna")


def test_diff_knows_what_a_game_was_played_with(run: Run) -> None:
    game = EXAMPLES / "reading-of-a-price.jsonl"
    assert "with another value" in run("sheet", "diff", "shipped", game, code=1).stderr
    assert run("sheet", "diff", game, game).stdout == ""
    assert run("sheet", "diff", "shipped", "no-such-game", code=2).stdout == ""


# --- set -----------------------------------------------------------------------------------------


def test_edit_writes_who_read_what(run: Run, own: Path) -> None:
    assert (
        "~2 is now 4 (Anna, 2026-11-18)"
        in run("sheet", "edit", "mine-1", "price", "4", "--by", "Anna", "--date", "2026-11-18").stderr
    )
    assert taken(own) == [("mine-1", "price", 4, "read", "Anna")]


@pytest.mark.parametrize(("what", "value"), [("symbols", "mine+research"), ("symbols", "-"), ("token", "yes")])
def test_words_are_values_too(run: Run, own: Path, what: str, value: str) -> None:
    run("sheet", "edit", "mine-1", what, "--", value)
    assert taken(own)[0][2] == value.replace("-", "")


def test_the_track_may_be_longer(run: Run, own: Path) -> None:
    run("sheet", "edit", "residence-track", "space-6", "9")
    assert taken(own)[0][:3] == ("residence-track", "space-6", 9)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mine1", "price", "4"), "did you mean 'mine-1'?"),
        (("mine-1", "prise", "4"), "did you mean 'price'?"),
        (("crane", "points", "4"), "found 'points'"),
        (("mine-1", "space-1", "4"), "found 'space-1'"),
        (("mine-1", "price", "four"), "expected a number for the price of 'mine-1', found 'four'"),
        (("mine-1", "price", "1234567"), "expected a number"),
        (("mine-1", "symbols", "gold"), "expected factory or mine or research"),
        (("mine-1", "price", "99999"), "expected"),
        (("mine-1", "price", "4", "--date", "yesterday"), "expected a day"),
        (("mine-1", "price", "4", "--by", "x" * 61), "at most 60 characters"),
    ],
)
def test_what_no_card_can_say_is_refused(run: Run, own: Path, words: tuple[str, ...], said: str) -> None:
    assert said in run("sheet", "edit", *words, code=2).stderr
    assert taken(own) == []


def test_a_sheet_that_cannot_be_read_is_one_sentence(run: Run, own: Path) -> None:
    own.parent.mkdir()
    for raw in (b"[mine-1]\nprice = 4\n", b"\xff", b"[" * 90_000, b'name="x"\n["mine-9"]\nprice=[4,"read"]\n'):
        own.write_bytes(raw)
        assert run("sheet", "edit", "mine-1", "price", "4", code=2).stderr.startswith("Error: expected ")
        assert own.read_bytes() == raw


def test_a_new_game_starts_from_ones_own(run: Run, archive: Path) -> None:
    """Without a setting, too: it is where `sheet` says it is."""
    said = run("sheet", "edit", "mine-1", "price", "4").stderr
    game = run("new", "--players", "A,B").stdout.strip()
    assert Folder(archive).read_log(game).sheet.rows_by_key()["mine-1", "price"].value == 4
    assert said.strip().endswith("sheet-spyrium.toml")


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An editor that does this to the file it is given."""
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)


def test_a_sheet_is_edited_in_ones_own_editor(
    run: Run, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = SHIPPED.rows_by_key()["mine-1", "price"]
    assert was.source == "assumed"
    editor(tmp_path, monkeypatch, f"sed -i 's/^price = .{was.value},/price = [9,/' \"$1\"")
    result = run("sheet", "edit", "mine-1", "--by", "Anna", "--date", "2026-11-18")
    assert taken(own) == [("mine-1", "price", 9, "read", "Anna")]
    assert "1 value changed" in result.stderr
    assert "9 (Anna, 2026-11-18)" in result.stdout
    editor(tmp_path, monkeypatch, "true")
    assert run("sheet", "edit").stderr == "nothing was changed\n"
    # who says that somebody else read it is not contradicted
    editor(tmp_path, monkeypatch, """sed -i 's/^price = .*/price = [8, "read", "Bob", "2025-01-01"]/' "$1\"""")
    run("sheet", "edit", "mine-1")
    assert taken(own) == [("mine-1", "price", 8, "read", "Bob")]
    assert not list(tmp_path.glob("spyrium-sheet-*"))


def test_what_was_typed_in_the_editor_and_cannot_be_read_is_kept(
    run: Run, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, 'echo "price = [" >> "$1"')
    said = run("sheet", "edit", "mine-1", code=1).stderr
    (kept,) = tmp_path.glob("spyrium-sheet-*")
    assert "expected a sheet written as TOML" in said
    assert f"nothing was written; what you typed is at {kept}" in said
    assert kept.read_text(encoding="utf-8").endswith("price = [\n")
    assert not own.exists()
    monkeypatch.delenv("EDITOR")
    assert "found nobody at a terminal to edit a sheet" in run("sheet", "edit", code=2).stderr
    assert "expected a value for the price of 'mine-1'" in run("sheet", "edit", "mine-1", "price", code=2).stderr


# --- verify --------------------------------------------------------------------------------------


def test_lines_answer_value_by_value(run: Run, own: Path) -> None:
    result = run("sheet", "verify", "mine-1", "--by", "Bob", stdin="\n5\ns\nno\nq\n7\n")
    assert taken(own) == [
        ("mine-1", "price", 2, "read", "Bob"),
        ("mine-1", "points", 5, "read", "Bob"),
        ("mine-1", "token", "no", "read", "Bob"),
    ]
    assert result.stdout == "mine-1 price 2\nmine-1 points 5\nmine-1 token no\n"
    assert result.stderr.startswith("2 as shown, 1 corrected, 1 skipped; ")


def test_what_was_read_is_not_asked_again(run: Run, own: Path) -> None:
    run("sheet", "verify", "crane", stdin="\n\n\n\n")
    assert [row[:2] for row in taken(own)] == [(row.of, row.what) for row in SHIPPED.printed if row.of == "crane"]
    assert "every value was read" in run("sheet", "verify", "crane", stdin="9\n").stderr
    run("sheet", "verify", "crane", "--all", stdin="9\n")
    assert taken(own)[0][2] == 9


def test_a_line_that_answers_nothing_ends_it_and_keeps_what_was_said(run: Run, own: Path) -> None:
    result = run("sheet", "verify", "mine-1", stdin="3\nfour\n5\n", code=2)
    assert "found 'four', at <stdin>:2" in result.stderr
    assert [row[2] for row in taken(own)] == [3]


def test_the_end_of_the_input_is_enough(run: Run, own: Path) -> None:
    result = run("sheet", "verify", stdin="")
    assert result.stdout == ""
    hint = "stdin has no answers; at a terminal, each value is asked for"
    assert result.stderr == f"nothing was verified: {hint}\n"
    assert run("sheet", "verify", stdin="s\n").stderr == ""
    assert not own.exists()


def test_each_answer_is_written_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Printed] = []
    seen: list[int] = []
    answers = iter(["\n", "s\n", "mine\n", ""])

    def readline(_most: int) -> str:
        seen.append(len(written))
        return next(answers)

    keyboard = io.StringIO()
    monkeypatch.setattr(keyboard, "readline", readline)
    monkeypatch.setattr(sys, "stdin", keyboard)
    Verification(
        TITLES["spyrium"], SHIPPED, written.append, Signature("read", "Anna", "2026-11-18"), str, Reader()
    ).run(SHIPPED.printed)
    assert seen == [0, 1, 1, 2]


def test_a_person_who_slips_is_asked_again(
    own: Path, archive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard = io.StringIO("four\n4\nq\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    cli.main(["sheet", "verify", "mine-1"], prog_name="spyrium", standalone_mode=False)
    said = capsys.readouterr()
    assert "Mine I (mine-1), 1 of 1\n  price     ~2 " in said.err
    assert "found 'four'" in said.err
    assert taken(own) == [("mine-1", "price", 4, "read", "tester")]
    assert not archive.exists()


# --- check ---------------------------------------------------------------------------------------


def test_what_is_wrong_with_a_sheet_is_said_and_what_it_lacks(run: Run, own: Path) -> None:
    whole = run("sheet", "check")
    assumed = sum(row.source == "assumed" for row in SHIPPED.printed)
    message = f"nobody has checked these values, which every game uses: {assumed}"
    assert whole.stdout.splitlines()[1].split(None, 1) == ["missing", message]
    assert whole.stderr == f"{SHIPPED.name}: 0 wrong, 1 missing\n"
    for _ in range(2):
        run("sheet", "edit", "mine-1", "copies-a", "9", "--by", "Anna")
    result = run("sheet", "check", "--format", "json", code=1)
    assert json.loads(result.stdout)[0] == {"kind": "wrong", "message": "expected 30 cards of period a, found 36"}
    assert result.stderr == "Anna's own: 1 wrong, 1 missing\n"
    assert own.exists()
    assert "карт периода a должно быть 30" in run("sheet", "check", "--lang", "ru", code=1).stdout


def test_a_sheet_that_ships_is_checked_by_its_name(run: Run, own: Path) -> None:
    run("sheet", "edit", "mine-1", "copies-a", "9")
    assert run("sheet", "check", "official-partial").stdout == run("sheet", "check", "shipped").stdout
    assert own.exists()


def test_a_file_is_checked_over_the_sheet_that_ships(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text('name = "ours"\nsource = "read"\nmine-1 = { copies-a = 4 }\n', encoding="utf-8")
    assert "expected 30 cards of period a, found 31" in run("sheet", "check", path, code=1).stdout


def test_a_sheet_with_nothing_to_say_of_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.toml"
    text = run("sheet", "export", "shipped", "--format", "toml").stdout
    path.write_text(text.replace('"assumed"', '"read"'), encoding="utf-8")
    result = run("sheet", "check", path)
    assert (result.stdout, result.stderr) == ("", f"{SHIPPED.name}: whole, and nothing wrong\n")
    assert run("sheet", "check", path, "--format", "json").stdout.strip() == "[]"


def test_a_title_may_have_cards_of_ones_own(run: Run, own: Path) -> None:
    founders = ("--title", "founders", "--by", "Anna")
    run("sheet", "edit", "my-adviser", "kind", "adviser", *founders)
    run("sheet", "edit", "my-adviser", "needs", "gems", *founders)
    run("sheet", "edit", "my-adviser", "level", "2", *founders)
    assert [row[:3] for row in taken(own)] == [
        ("my-adviser", "kind", "adviser"),
        ("my-adviser", "needs", "gems"),
        ("my-adviser", "level", 2),
    ]
    for words, said in (
        (("my-adviser", "price", "2"), "expected one of kind, level, category, needs, points, does"),
        (("my-adviser", "level", "two"), "expected a number for the level of 'my-adviser', found 'two'"),
        (("trade", "price", "2"), "expected a component of Founders of Gloomhaven, found 'trade'"),
    ):
        assert said in run("sheet", "edit", *words, *founders, code=2).stderr
    verified = run("sheet", "verify", "my-adviser", "--all", *founders, stdin="\nbooks\nq\n")
    assert verified.stdout == "my-adviser kind adviser\nmy-adviser needs books\n"
    checked = run("sheet", "check", "--title", "founders", "--format", "jsonl")
    assert "no game on the thematic side: its map is not known" in checked.stdout


def test_a_whole_set_of_ones_own_is_imported(run: Run, own: Path, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    practice = run("sheet", "export", "practice-1", "--title", "founders", "--format", "toml").stdout
    path.write_text(practice.replace('"invented"', '"read"').replace('["drover"]', '["my-drover"]'), encoding="utf-8")
    run("sheet", "import", path, "--title", "founders")
    assert ("my-drover", "needs", "livestock") in [row[:3] for row in taken(own)]
    assert run("sheet", "check", "--title", "founders").stderr.endswith(": whole, and nothing wrong\n")
    game = run("new", "--title", "founders", "--players", "A,B").stdout.strip()
    assert "invented" not in run("show", game).stdout
    path.write_text(practice.replace('["drover"]\nkind', '["drover"]\nkid'), encoding="utf-8")
    assert "found 'kid'" in run("sheet", "import", path, "--title", "founders", code=2).stderr


def test_a_set_without_a_board_refuses_a_game_and_names_one_that_has_it(run: Run, archive: Path) -> None:
    refused = run("new", "--title", "founders", "--players", "A,B", code=2).stderr
    assert "expected a set with the thematic side of the board" in refused
    assert "(the set 'practice-1' has one)" in refused
    game = run("new", "--title", "founders", "--players", "A,B", "--sheet", "practice-1").stdout.strip()
    assert Folder(archive).read_log(game).sheet == TITLES["founders"].sheet("practice-1")
    assert run("sheet", "check", "practice-1", "--title", "founders").stdout == ""


# --- one sheet a title, and sheets by name -------------------------------------------------------


def test_the_path_of_ones_own_sheet_may_hold_the_title(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPYRIUM_SHEET", str(tmp_path / "{title}.toml"))
    run("sheet", "edit", "mine-1", "price", "4")
    assert [row[:3] for row in taken(tmp_path / "spyrium.toml")] == [("mine-1", "price", 4)]


def test_a_game_is_begun_on_a_sheet_that_ships(run: Run, own: Path, archive: Path) -> None:
    run("sheet", "edit", "mine-1", "price", "4")
    game = run("new", "--players", "A,B", "--sheet", "official-partial").stdout.strip()
    assert Folder(archive).read_log(game).sheet == SHIPPED
    assert own.exists()
    assert "No such file" in run("new", "--players", "A,B", "--sheet", "practice-9", code=2).stderr


# --- import and export ---------------------------------------------------------------------------


def test_out_to_a_spreadsheet_and_in_again(run: Run, own: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    said = run("sheet", "export").stdout
    table.write_text(said.replace("mine-1,price,2,assumed,,", "mine-1,price,4,read,Cy,"), encoding="utf-8")
    assert "mine-1,price,2,assumed,," in said
    dry = run("sheet", "import", table, "--dry-run")
    assert "(nothing was written)" in dry.stderr
    assert not own.exists()
    result = run("sheet", "import", table)
    assert result.stdout == dry.stdout
    assert result.stderr.startswith(f"1 value taken, {len(SHIPPED.printed) - 1} as they were")
    assert taken(own) == [("mine-1", "price", 4, "read", "Cy")]
    assert run("sheet", "import", table).stderr.startswith("0 values taken")


def test_toml_is_what_a_new_game_takes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.toml"
    path.write_text(run("sheet", "export", "shipped", "--format", "toml").stdout, encoding="utf-8")
    run("new", "--players", "A,B", "--sheet", path)
    assert run("sheet", "diff", "shipped", path).stdout == ""


@pytest.mark.parametrize("raw", [b"", b"of,what\n", b"\xff", b"of,what,value,source\nmine-1,price,x,read\n"])
def test_a_table_that_is_none_is_refused(run: Run, own: Path, tmp_path: Path, raw: bytes) -> None:
    table = tmp_path / "cards.csv"
    table.write_bytes(raw)
    assert run("sheet", "import", table, code=2).stderr.startswith("Error: expected ")
    assert not own.exists()


# --- affects -------------------------------------------------------------------------------------


def test_which_games_hang_on_a_value(run: Run, whole: str, own: Path) -> None:
    assert run("sheet", "affects").stdout == ""
    for value in ("9", "0"):
        run("sheet", "edit", "mine-1", "price", value)
    run("sheet", "edit", "apprentice", "price", "9")
    (told,) = json.loads(run("sheet", "affects", "--format", "json").stdout)
    assert told["game"] == whole
    assert "apprentice price" in told["rests_on"]
    result = run("sheet", "affects")
    assert "1 game tried: 1 would read differently" in result.stderr
    assert "rests on" in result.stdout
    assert own.exists()


# --- an invented set -----------------------------------------------------------------------------


@pytest.fixture
def invented(run: Run, tmp_path: Path) -> str:
    """A game on a set whose values are invented."""
    path = tmp_path / "practice-9.toml"
    text = run("sheet", "export", "shipped", "--format", "toml").stdout
    path.write_text(text.replace(SHIPPED.name, "practice-9").replace('"assumed"', '"invented"'), encoding="utf-8")
    return run("new", "--players", "A,B", "--sheet", path).stdout.strip()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "the set practice-9 is invented"), ("pl", "zestaw practice-9 jest zmyślony"), ("ru", "набор practice-9")],
)
def test_screens_say_that_a_set_is_invented(run: Run, invented: str, language: str, said: str) -> None:
    assert said in run("show", invented, "--lang", language).stdout
    assert said in run("validate", invented, "--lang", language).stdout


def test_pages_and_exports_say_that_a_set_is_invented(run: Run, invented: str, whole: str) -> None:
    sheet = json.loads(run("export", invented, "--format", "json").stdout)["sheet"]
    assert sheet == {"name": "practice-9", "invented": True}
    page = run("export", invented, "--format", "html").stdout
    assert "Played on the set “practice-9”, whose values are invented" in page
    assert ", invented" in page
    assert json.loads(run("export", whole, "--format", "json").stdout)["sheet"]["invented"] is False
    assert "are invented" not in run("export", whole, "--format", "html").stdout
    assert "invented" not in run("show", whole).stdout
