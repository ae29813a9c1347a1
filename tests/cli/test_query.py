"""query beside its five forms: values, limits, files, questions that are kept, and the shell."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from spyrium_cli.sql.shell import PROMPT, Shell
from tests.cli.conftest import Run

NUMBERS = "SELECT range AS n FROM range(2500)"


def test_a_value_stands_for_its_name(run: Run, whole: str) -> None:
    assert whole
    asked = "SELECT player, $n + 1 AS n FROM seat WHERE player = $who OR player = $other ORDER BY ALL"
    said = run("query", asked, "--param", "who=Anna", "--param", "n=2", "--param", "other=null", "--format", "csv")
    assert said.stdout == "player,n\nAnna,3\n"
    assert "expected --param NAME=VALUE, found 'who'" in run("query", asked, "--param", "who", code=2).stderr


def test_sql_from_a_file(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    file = tmp_path / "question.sql"
    file.write_text("SELECT 7 AS n", encoding="utf-8")
    assert run("query", "--file", file, "--format", "csv").stdout == "n\n7\n"
    run("query", "SELECT 1", "--file", file, code=2)


def test_a_limit_is_told_and_a_pipe_gets_everything(run: Run, game: str) -> None:
    assert game
    assert len(run("query", NUMBERS, "--format", "csv").stdout.splitlines()) == 2501
    few = run("query", NUMBERS, "--limit", 3, "--format", "csv")
    assert few.stdout == "n\n0\n1\n2\n"
    assert few.stderr == "the first 3 rows; --limit 0 shows all\n"
    assert run("query", NUMBERS, "--limit", 2500, "--format", "csv").stderr == ""
    assert " rows in " in run("query", NUMBERS, "--timing").stderr


def test_rows_as_a_parquet_file(run: Run, whole: str, tmp_path: Path) -> None:
    assert whole
    file = tmp_path / "it's.parquet"
    asked = "SELECT player, total, $x AS x FROM seat ORDER BY seat -- all;"
    said = run("query", asked, "--param", "x=1.5", "--to", file)
    assert said.stdout == ""
    assert said.stderr.startswith("3 rows at ")
    connection = duckdb.connect()
    read = connection.execute("SELECT * FROM read_parquet(?)", [str(file)]).fetchall()
    connection.close()
    assert [row[0] for row in read] == ["Anna", "Bob", "Cy"]
    assert {row[2] for row in read} == {1.5}
    assert [one.name for one in tmp_path.iterdir() if "parquet" in one.name] == [file.name]


def test_what_is_asked_cannot_write_elsewhere(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    elsewhere = tmp_path / "elsewhere.csv"
    for asked in (f"SELECT 1) TO '{elsewhere}' --", f"COPY game TO '{elsewhere}'", "FROM read_text('/etc/passwd')"):
        run("query", asked, "--to", tmp_path / "rows.parquet", code=2)
    assert not elsewhere.exists()
    assert not (tmp_path / "rows.parquet").exists()


def test_parquet_goes_through_a_pipe(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    piped = tmp_path / "piped.parquet"
    done = run("query", "FROM seat ORDER BY ALL", "--format", "parquet", "--timing")
    piped.write_bytes(done.stdout_bytes)
    assert "3 rows in" in done.stderr
    run("query", "FROM seat ORDER BY ALL", "--to", tmp_path / "put.parquet")
    assert rows_of(piped) == rows_of(tmp_path / "put.parquet") != []


def rows_of(file: Path) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        return connection.execute("FROM read_parquet(?)", [str(file)]).fetchall()


def test_parquet_is_for_no_terminal(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    asked = ("query", "SELECT 1", "--format", "parquet")
    assert "expected --to FILE for parquet, found a terminal" in run(*asked, code=2).stderr


def test_what_parquet_cannot_say_is_refused(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    assert "found parquet" in run("query", "--list", "--format", "parquet", code=2).stderr
    for words in (("--format", "parquet"), ("--to", tmp_path / "x.parquet")):
        assert "expected LIMIT in the SQL" in run("query", "FROM seat", "--limit", 2, *words, code=2).stderr


def test_a_file_is_written_over_only_when_it_is_said(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    rows = tmp_path / "rows.parquet"
    rows.write_bytes(b"mine")
    assert "--force writes over it" in run("query", "FROM seat", "--to", rows, code=1).stderr
    assert rows.read_bytes() == b"mine"
    run("query", "FROM seat", "--to", rows, "--force")
    assert len(rows_of(rows)) == 3


def test_what_would_be_ignored_is_refused(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    assert "found '" in run("query", "FROM seat", "--to", tmp_path / "x.parquet", "--format", "csv", code=2).stderr
    said = run("query", "SELECT $n", "--param", "n=1", "--save", "mine", code=2).stderr
    assert "expected --param with the query itself" in said


def test_help_of_the_shell_is_lines(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game
    monkeypatch.setattr("spyrium_cli.commands.ask.query.is_terminal", lambda: True)
    said = run("query", stdin=".help\n").stderr
    assert "\\n" not in said
    assert len(said.splitlines()) > 8


def test_a_file_needs_a_form(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    assert "ends in .parquet or .arrow" in run("query", "SELECT 1", "--to", tmp_path / "x.xls", code=2).stderr


def test_files_only_when_it_is_said(run: Run, game: str, tmp_path: Path) -> None:
    assert game
    file = tmp_path / "n.csv"
    file.write_text("n\n4\n", encoding="utf-8")
    asked = f"SELECT n FROM read_csv('{file}')"  # noqa: S608 - ours
    run("query", asked, code=2)
    assert run("query", asked, "--unsafe", "--format", "csv").stdout == "n\n4\n"
    for words in (("--to", tmp_path / "rows.parquet"), ("--format", "parquet")):
        run("query", asked, "--unsafe", *words)
    written = f"SELECT n FROM read_parquet('{tmp_path}/rows.parquet')"  # noqa: S608 - ours
    assert run("query", written, "--unsafe", "--format", "csv").stdout == "n\n4\n"
    run("query", "DROP TABLE game", "--unsafe", code=2)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user's own folder of settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_a_question_is_kept_and_asked_again(run: Run, whole: str, own: Path) -> None:
    assert whole
    asked = "SELECT player FROM seat WHERE total > $above ORDER BY player"
    run("query", asked, "--save", "good", "--about", "Who had more?")
    assert (own / "config/spyrium/queries/good.sql").read_text(encoding="utf-8") == f"-- Who had more?\n{asked}\n"
    assert "expected --param above=" in run("query", "@good", code=2).stderr
    assert run("query", "@good", "--param", "above=-100", "--format", "csv").stdout == "player\nAnna\nBob\nCy\n"
    listed = run("query", "--list", "--format", "csv").stdout.splitlines()
    assert "good,yours,Who had more?" in listed
    assert any(line.startswith("ratings,report,") for line in listed)
    assert "--force writes over it" in run("query", "SELECT 1", "--save", "good", code=2).stderr
    run("query", "SELECT 1 AS n", "--save", "good", "--force")
    assert run("query", "@good", "--format", "csv").stdout == "n\n1\n"


@pytest.mark.usefixtures("own")
def test_names_of_reports_are_taken(run: Run, game: str) -> None:
    assert game
    assert "which is a report" in run("query", "SELECT 1", "--save", "ratings", code=2).stderr
    assert "small letters" in run("query", "SELECT 1", "--save", "../evil", code=2).stderr
    assert "expected a question of" in run("query", "@nothing", code=2).stderr
    assert run("query", "@ratings").stdout


# --- the shell -----------------------------------------------------------------------------------


@pytest.fixture
def shell(run: Run, whole: str, archive: Path, own: Path) -> Shell:
    assert whole
    assert own.is_dir()
    run("query", "SELECT 1")
    return Shell(archive / "index.duckdb")


def fed(shell: Shell, capsys: pytest.CaptureFixture[str], *lines: str) -> tuple[str, str]:
    capsys.readouterr()
    assert all(shell.feed(line) for line in lines)
    said = capsys.readouterr()
    return said.out, said.err


def test_a_question_goes_over_lines_until_its_semicolon(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert fed(shell, capsys, ".mode csv", "SELECT player", "", "FROM seat ORDER BY 1") == ("", "")
    assert fed(shell, capsys, "LIMIT 1;") == ("player\nAnna\n", "")


@pytest.mark.parametrize("word", [".quit", "quit", "exit", "quit;", "exit ;", "QUIT;"])
def test_a_word_that_leaves_may_end_like_sql(shell: Shell, capsys: pytest.CaptureFixture[str], word: str) -> None:
    assert not shell.feed(word)
    assert capsys.readouterr() == ("", "")
    # in the middle of a question it is a word of it
    assert shell.feed("SELECT 1 AS")
    assert shell.feed(word if word.endswith(";") else f"{word};")


def test_a_mistake_ends_nothing(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert fed(shell, capsys, "SELEC 1;")[1].startswith("Error: ")
    assert fed(shell, capsys, ".moed csv")[1].startswith("Error: expected one of .tables, ")
    assert fed(shell, capsys, ".limit many")[1] == "Error: expected a number of rows, found 'many'\n"
    assert fed(shell, capsys, ".mode csv", "SELECT 1 AS n;")[0] == "n\n1\n"


def test_tables_say_what_they_are(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    tables, _ = fed(shell, capsys, ".tables")
    assert "One row a seat of a game" in tables
    columns, _ = fed(shell, capsys, ".schema seat")
    assert "The name as the log has it" in columns
    assert "found 'nothing'" in fed(shell, capsys, ".schema nothing")[1]


def test_rows_shown_and_time_taken(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    rows, said = fed(shell, capsys, ".mode csv", ".limit 2", ".timer on", f"{NUMBERS};")
    assert rows == "n\n0\n1\n"
    assert said.startswith("the first 2 rows; .limit 0 shows all\n2 rows in ")


def test_a_question_is_kept_in_the_shell(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert "found none yet" in fed(shell, capsys, ".save mine")[1]
    fed(shell, capsys, "SELECT 5 AS n;", ".save mine", ".mode csv")
    assert fed(shell, capsys, ".run mine")[0] == "n\n5\n"
    assert "mine" in fed(shell, capsys, ".saved")[0]


def test_tab_knows_tables_columns_macros_and_words(shell: Shell) -> None:
    offered = {text: shell.complete(text, 0) for text in ("led", "tota", "card_sc", "SEL", ".ta")}
    assert offered == {"led": "ledger", "tota": "total", "card_sc": "card_scores(", "SEL": "SELECT", ".ta": ".tables"}
    assert shell.complete("zzz", 0) is None


@pytest.mark.usefixtures("interrupts")
def test_a_person_at_a_terminal(run: Run, whole: str, archive: Path, own: Path) -> None:
    """Asks, interrupts a question that would take for ever, asks again, leaves."""
    assert whole
    run("query", "SELECT 1")
    env = {**os.environ, "SPYRIUM_ARCHIVE": str(archive), "HOME": str(own), "TERM": "dumb", "NO_COLOR": "1"}
    here, there = pty.openpty()
    argv = [sys.executable, "-m", "spyrium_cli", "query"]
    with subprocess.Popen(argv, stdin=there, stdout=there, stderr=there, env=env, start_new_session=True) as process:
        os.close(there)
        seen = _read_until(here, PROMPT.encode())
        os.write(here, b"SELECT 40 + 2 AS n;\n")
        seen += _read_until(here, b"42")
        os.write(here, b"SELECT count(*) FROM range(1000000000000) a, range(1000) b;\n")
        time.sleep(0.5)
        os.killpg(process.pid, 2)
        seen += _read_until(here, b"stopped")
        os.write(here, b"SELECT 80 + 8 AS m;\n")
        seen += _read_until(here, b"88")
        os.write(here, b".quit\n")
        assert process.wait(20) == 0
    os.close(here)
    assert b"Traceback" not in seen


def _read_until(file: int, wanted: bytes, seconds: float = 30) -> bytes:
    seen, until = b"", time.monotonic() + seconds
    while wanted not in seen:
        assert time.monotonic() < until, seen
        seen += os.read(file, 4096)
    return seen


@pytest.mark.parametrize(("flags", "cell"), [([], "'=HYPERLINK(1)"), (["--raw"], "=HYPERLINK(1)")])
def test_csv_guards_text_and_no_numbers(run: Run, flags: list[str], cell: str) -> None:
    run("new", "--players", "Anna,Bob")
    sql = "SELECT '=HYPERLINK(1)' AS text, -3 AS number"
    assert run("query", *flags, "--format", "csv", sql).stdout == f"text,number\n{cell},-3\n"
