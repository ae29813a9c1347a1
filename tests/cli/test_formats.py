"""Every command that answers with data answers in every format, plain into a pipe, and in colour only where asked."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from spyrium_cli.commands.check.validate import junit_xml
from spyrium_cli.games.verdict import CheckedFinding, Verdict
from spyrium_cli.main import cli
from spyrium_cli.render import surface
from spyrium_cli.render.paper import draw_listing
from spyrium_cli.render.rows import FORMATS
from spyrium_cli.render.text import plain
from spyrium_cli.tree import COMMANDS
from spyrium_log.log.pack import Game
from spyrium_log.messages import finding_message, number_message
from tests.cli.conftest import Run
from tests.cli.test_read import BOXES, ESCAPE
from tests.packs import write_pack
from tests.reference import commands
from tests.stories import EXAMPLES

READING = (
    ("fix", "amend", "@last", "2", "p12", "--dry-run"),
    ("fix", "locate", "@last"),
    ("annotate", "@last"),
    ("show", "@last"),
    ("show", "@last", "--at", "8", "--legal"),
    ("replay", "@last"),
    ("show", "--log", "@last"),
    ("validate",),
    ("query", "SELECT * FROM seat"),
    ("report",),
    ("tables",),
    ("tables", "seat"),
    ("sheet", "cards"),
    ("games",),
    ("games", "away"),
    ("config", "paths"),
    ("config", "show", "--origin"),
    ("doctor",),
    ("sheet", "show", "mine-1"),
    ("sheet", "diff"),
    ("sheet", "check"),
    ("whatif", "--option", "engineering-scores=count"),
)

FOUND = CheckedFinding(
    n=1,
    i=0,
    ref="1",
    line=2,
    kind="breach",
    rule="x.y",
    number="S-1",
    expected=number_message(1),
    found=number_message(2),
    on="record",
    status="open",
)


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_every_format_of_every_reading_command(
    run: Run, whole: str, arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whole
    # Others write to this disk meanwhile.
    usage = shutil.disk_usage("/")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    said = {form: run(*arguments, "--format", form).stdout for form in FORMATS}
    assert run(*arguments).stdout == said["table"]
    for text in said.values():
        assert not ESCAPE.search(text)
        assert not BOXES.search(text)
    objects = json.loads(said["json"])
    lines = [json.loads(line) for line in said["jsonl"].splitlines()]
    assert lines == (objects if isinstance(objects, list) else [objects])
    rows = list(csv.reader(io.StringIO(said["csv"])))
    assert {len(row) for row in rows} == {len(rows[0])}
    marked = said["md"].splitlines()
    assert len(marked) == len(rows) + 1
    assert all(row.startswith("| ") and row.endswith(" |") for row in (marked[0], *marked[2:]))


def test_no_command_with_a_format_is_forgotten() -> None:
    """Whoever adds a command that answers with data adds it above."""
    found = {
        ctx.command_path.removeprefix("spyrium ")
        for ctx in commands(cli, "spyrium")
        if any(
            isinstance(param.type, click.Choice) and set(FORMATS) <= {*param.type.choices}
            for param in ctx.command.params
        )
    }
    tried = {" ".join(words) for words in (*((one[0],) for one in READING), *(one[:2] for one in READING))}
    # What was brought in is an answer too, but it needs a file, and a comparison needs two: their own tests have them.
    assert found - tried <= {"compare", "import", "sheet import"}
    assert len(found) >= 10


def test_the_list_of_verbs_is_whole() -> None:
    assert {ctx.info_name for ctx in commands(cli, "spyrium")} >= COMMANDS.keys()


# --- colour --------------------------------------------------------------------------------------


def test_colour_in_a_pipe_only_where_it_is_asked_for(
    run: Run, whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whole
    settled = tmp_path / ".config/spyrium/spyrium.toml"
    settled.parent.mkdir(parents=True)
    plain = run("validate").stdout
    assert ESCAPE.search(run("validate", "--color", "always").stdout)
    assert ESCAPE.sub("", run("--color", "always", "validate").stdout) == plain
    settled.write_text('color = "always"\n', encoding="utf-8")
    assert ESCAPE.search(run("validate").stdout)
    assert run("--color", "never", "validate").stdout == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("validate").stdout == plain
    assert ESCAPE.search(run("validate", "--color", "always").stdout)
    monkeypatch.delenv("NO_COLOR")
    settled.unlink()
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert ESCAPE.search(run("validate").stdout)
    monkeypatch.setenv("SPYRIUM_COLOR", "never")
    assert run("validate").stdout == plain


def test_never_is_never_on_a_screen(whole: str, screen: Callable[..., str]) -> None:
    assert ESCAPE.search(screen("show", whole))
    assert not ESCAPE.search(screen("--color", "never", "show", whole))


# --- a club's archive in git ---------------------------------------------------------------------


@pytest.fixture
def club(run: Run, archive: Path, whole: str) -> Path:
    """A clean game, one with a breach and with a ruling, one that cannot be read, one in a folder, one put away."""
    game = run("new", "--players", "Anna,B&<b>").stdout.strip()
    run("play", game, "--anyway", "final")
    (archive / "a bad.jsonl").write_bytes(b"{}\n")
    (archive / "2025").mkdir()
    (archive / "2025/old.jsonl").write_bytes((archive / f"{whole}.jsonl").read_bytes())
    away = run("new", "--players", "A,B").stdout.strip()
    run("games", "put-away", away)
    return archive


def test_a_breach_has_the_nearest_legal_moves_in_notation(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", game, "deal latecomer exchange " + " ".join(["mine-1"] * 9), "p12", "--anyway")
    run("play", game, "cy: p36", "--anyway")
    found = json.loads(run("validate", game, "--format", "json", code=1).stdout)[0]["findings"]
    (turn,) = [one for one in found if one["rule"] == "turn.order"]
    assert "p36" in turn["nearest"]
    assert f"    nearest legal: {'; '.join(turn['nearest'])}\n" in run("validate", game, code=1).stdout
    run("undo", game)
    assert run("play", game, f"bob: {turn['nearest'][0]}").exit_code == 0
    for _ in range(3):
        run("play", game, "@9 p12", "--anyway")
    monkeypatch.setattr("spyrium_cli.games.verdict.MOST_NEAREST", 2)
    found = json.loads(run("validate", game, "--format", "json", code=1).stdout)[0]["findings"]
    assert len({one["ref"] for one in found if one["nearest"]}) == 2


@pytest.mark.parametrize("end", ["jsonl", "jsonl.zst"])
def test_a_game_in_a_pack_is_a_place_in_its_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.chdir(tmp_path)
    raw = (EXAMPLES / "misplayed.jsonl").read_bytes()
    pack = Path(f"our club.{end}")
    write_pack(pack, [Game(raw)])
    case = ET.fromstring(run("validate", pack, "--format", "junit", code=1).stdout).find(".//testcase")  # noqa: S314 - our own
    assert case is not None
    assert case.get("file") == str(pack)


def test_a_row_says_what_the_rules_make_of_the_move_and_what_the_game_rests_on(run: Run) -> None:
    said = run(
        "validate", EXAMPLES / "wrong-price.jsonl", EXAMPLES / "sealed-and-signed.jsonl", "--format", "csv", code=1
    ).stdout
    rows = list(csv.DictReader(io.StringIO(said)))
    assert rows[0]["ruled"] == "Anna money (price) -2, recorded -2; Anna money (crowd) -2, recorded -1"
    assert {row["chain"] for row in rows} == {"ok"}
    assert all(int(row["assumed"]) for row in rows)
    assert rows[-1]["seal"]


def test_junit(run: Run, club: Path) -> None:
    said = run("validate", "-r", club, "--format", "junit", code=2).stdout
    top = ET.fromstring(said)  # noqa: S314 - our own
    assert (top.tag, top.get("tests"), top.get("failures"), top.get("errors")) == ("testsuites", "4", "1", "1")
    cases = top.findall("testsuite/testcase")
    assert [[child.tag for child in case] for case in cases].count([]) == 2
    (failure,) = [case for case in cases if case.find("failure") is not None]
    assert "(Anna, B&<b>)" in failure.get("name", "")
    fault = failure.find("failure")
    assert fault is not None
    assert "(S-10)" in (fault.text or "")
    (error,) = top.iter("error")
    assert "a bad.jsonl:1: missing-field: " in (error.text or "")


def test_findings_that_do_not_count_are_output() -> None:
    found = replace(FOUND, found=finding_message("not-standing", word="\x00\ud800\ufffe"), status="ruled")
    top = ET.fromstring(junit_xml([Verdict(file="f", verdict="clean", findings=[found])]))  # noqa: S314 - our own
    (output,) = top.iter("system-out")
    assert (
        output.text
        == "f:2: x.y (S-1): event 1: expected 1, found \\x00\\ud800\ufffd, which does not [ruled, on the record]"
    )
    assert not list(top.iter("failure"))


def test_folders_in_folders_count_when_asked_but_not_what_was_put_away(run: Run, club: Path) -> None:
    assert run("validate", club, code=2).stderr == "1 clean, 1 with findings (1 open), 1 unusable\n"
    assert run("validate", "-r", club, code=2).stderr == "2 clean, 1 with findings (1 open), 1 unusable\n"
    assert run("validate", "-q", club, code=2).stderr == ""
    rows = list(csv.DictReader(io.StringIO(run("validate", club, "--format", "csv", code=2).stdout)))
    assert sorted(row["verdict"] for row in rows) == ["clean", "findings", "unusable"]
    assert [row["rule"] for row in rows if row["verdict"] == "unusable"] == ["log.missing-field"]


# --- how far it is -------------------------------------------------------------------------------


def test_long_work_says_how_far_it_is(run: Run, whole: str, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (archive / "copy.jsonl").write_bytes((archive / f"{whole}.jsonl").read_bytes())
    monkeypatch.setattr("spyrium_cli.render.surface.BETWEEN_LINES", 0.0)
    said = run("validate", "--format", "csv").stderr.splitlines()
    assert said[0].startswith("validated 0, ")
    assert re.fullmatch(r"validated 1, \d+ a second", said[1])
    assert run("validate", "--format", "csv", "-q").stderr == ""


def test_where_nobody_knows_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(surface, "BETWEEN_LINES", 0.0)
    assert list(surface.with_progress("ab", None, "read")) == ["a", "b"]
    assert re.fullmatch(r"read 0, \d+ a second\nread 1, \d+ a second\n", capsys.readouterr().err)


def test_a_bar_for_whoever_looks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(surface, "PATIENCE", 60.0)
    assert list(surface.with_progress("abc", 3, "read")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(surface, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    assert list(surface.with_progress("abc", 3, "read")) == ["a", "b", "c"]
    out, err = capsys.readouterr()
    assert out == ""
    assert "3/3" in err


PIECES = ("a", "b c", "é", "漢字", "か", "🎲", "e\u0301", "|", "~", "−12")
WORDS = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.tuples(
        st.lists(WORDS, min_size=width, max_size=width),
        st.lists(st.booleans(), min_size=width, max_size=width),
        st.lists(st.lists(WORDS, min_size=width, max_size=width), max_size=6),
    )
)


@given(TABLES)
def test_a_table_is_as_wide_in_a_pipe_as_rich_draws_it(table: tuple[list[str], list[bool], list[list[str]]]) -> None:
    columns, rights, rows = table
    by_rich = Table(box=None, pad_edge=False)
    for column, is_right in zip(columns, rights, strict=True):
        by_rich.add_column(plain(column), justify="right" if is_right else "left")
    for row in rows:
        by_rich.add_row(*map(plain, row))
    console = Console(width=1000, highlight=False, markup=False, emoji=False, color_system=None)
    with console.capture() as drawn:
        console.print(by_rich)
    with redirect_stdout(io.StringIO()) as out:
        draw_listing(columns, rights, rows)
    assert [line.rstrip() for line in out.getvalue().splitlines()] == [
        line.rstrip() for line in drawn.get().splitlines()
    ]
