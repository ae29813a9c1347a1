"""query and report: the tables of the archive, in five forms."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown_it import MarkdownIt

from spyrium_cli.render.rows import write
from spyrium_log.readmodel import connections, reading
from spyrium_log.store import Folder
from tests.cli.conftest import Run

TOTALS = "SELECT player, total FROM seat ORDER BY seat"


def test_record_validate_replay_query_agree(run: Run, whole: str) -> None:
    run("validate", whole)
    told = run("replay", whole).stdout.splitlines()[-2].strip()
    asked = json.loads(run("query", TOTALS, "--format", "json").stdout)
    assert told == " · ".join(f"{row['player']} ~{row['total']}" for row in asked)
    sums = "SELECT sum(amount)::INT AS points FROM ledger WHERE what = 'points' GROUP BY seat ORDER BY seat"
    points = [json.loads(line)["points"] for line in run("query", sums, "--format", "jsonl").stdout.splitlines()]
    assert points == [row["total"] for row in asked]


def test_every_form(run: Run, whole: str) -> None:
    assert whole
    rows = list(csv.reader(io.StringIO(run("query", TOTALS, "--format", "csv").stdout)))
    assert rows[0] == ["player", "total"]
    assert [row[0] for row in rows[1:]] == ["Anna", "Bob", "Cy"]
    markdown = run("query", TOTALS, "--format", "md").stdout.splitlines()
    assert markdown[:2] == ["| player | total |", "|---|---:|"]
    assert run("query", TOTALS).stdout.splitlines()[0] == "player  total"
    assert run("query", "-", stdin=TOTALS).stdout == run("query", TOTALS).stdout


def test_a_question_sees_what_was_just_recorded(run: Run, game: str) -> None:
    count = "SELECT events FROM game"
    assert run("query", count, "--format", "csv").stdout == "events\n0\n"
    run("play", "--deal", game, "--seed", 1)
    assert run("query", count, "--format", "csv").stdout == "events\n1\n"
    run("undo", game)
    assert run("query", count, "--format", "csv").stdout == "events\n0\n"


def test_a_question_that_is_wrong_is_one_sentence(run: Run, game: str, archive: Path) -> None:
    assert game
    said = run("query", "SELEC 1", code=2).stderr
    assert said.startswith("Error: ")
    assert len(said.splitlines()) == 1
    assert "at line 1 column 8" in run("query", "SELECT nobody FROM game", code=2).stderr
    assert "expected one statement, found 2" in run("query", "SELECT 1; SELECT 2", code=2).stderr
    run("query", "DROP TABLE game", code=2)
    assert archive.is_dir()


def test_a_log_that_cannot_be_read_is_left_out_aloud(run: Run, whole: str, archive: Path) -> None:
    (archive / "bad.jsonl").write_bytes(b"{}\n")
    result = run("query", "SELECT count(*) AS games FROM game", "--format", "csv")
    assert result.stdout == "games\n1\n"
    assert "left out: " in result.stderr
    assert result.stderr.count(f"{archive}/bad.jsonl") == 1
    (archive / "copy.jsonl").write_bytes((archive / f"{whole}.jsonl").read_bytes())
    said = run("query", "SELECT 1").stderr
    assert re.search(rf"^Warning: left out: {archive}/\S+.jsonl: expected a game of its own", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("gme", "does not exist; did you mean 'game'?, at line 1"),
        ("players", "; the tables are game, seat, event, ledger, decision, "),
    ],
)
def test_only_tables_of_ours_are_proposed(run: Run, whole: str, table: str, said: str) -> None:
    assert whole
    assert said in run("query", f"SELECT * FROM {table}", code=2).stderr  # noqa: S608 - that is what is asked


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("SELECT avg(score) FROM seat", "seat.total"),
        ("SELECT seat.score FROM seat", "seat.total"),
        ("SELECT technique, avg(total) FROM result GROUP BY ALL", "technique_averages()"),
        ("SELECT player_name FROM seat", "seat.player"),
        ("SELECT winner FROM game", "seat.won"),
        ("SELECT * FROM technique", "technique_averages()"),
        ("SELECT * FROM player", "seat.player"),
    ],
)
def test_a_natural_guess_is_answered_with_the_right_name(run: Run, whole: str, asked: str, right: str) -> None:
    """DuckDB proposed `shared` and `colour` for a score, and nothing for a technique."""
    assert whole
    said = run("query", asked, code=2).stderr
    assert "; here it is called " in said
    assert right in said.partition("here it is called ")[2]
    assert "candidate bindings" not in said


def test_no_archive_is_said(run: Run, archive: Path) -> None:
    assert f"found none, at {archive}" in run("query", "SELECT 1", code=2).stderr
    assert not archive.exists()


def test_an_index_in_use_answers_what_it_said_before(run: Run, whole: str, archive: Path) -> None:
    assert whole
    run("query", TOTALS)
    assert (archive / "index.duckdb").exists()
    assert Folder(archive).list_names() == [whole]


def test_reports_are_listed_and_answered(run: Run, whole: str) -> None:
    assert whole
    listed = run("report").stdout
    assert "scores" in listed
    answer = json.loads(run("report", "scores", "--format", "json").stdout)
    assert [figure["figure"] for figure in answer["figures"]] == ["totals", "causes", "left-out"]
    for form in ("table", "md"):
        people = run("report", "scores", "--format", form).stdout
        assert people.splitlines()[0].removeprefix("# ") == answer["question"]
        assert "NULL" not in people
        assert "None" not in people
    assert "expected a report of" in run("report", "nothing", code=2).stderr


def test_every_form_of_a_report(run: Run, whole: str) -> None:
    """As one object it is all that a page says; as lines it is the rows of all its tables; as CSV it is one table."""
    assert whole
    answer = json.loads(run("report", "scores", "--format", "json").stdout)
    lines = [json.loads(line) for line in run("report", "scores", "--format", "jsonl").stdout.splitlines()]
    assert lines == [{"figure": one["figure"], **row} for one in answer["figures"] for row in one["rows"]]
    for figure in answer["figures"]:
        table = list(
            csv.reader(io.StringIO(run("report", "scores", "--figure", figure["figure"], "--format", "csv").stdout))
        )
        assert len(table) == len(figure["rows"]) + 1
        assert all([*row] == table[0] for row in figure["rows"])
    marked = run("report", "scores", "--format", "md").stdout
    assert [f"## {one['title']}" for one in answer["figures"]] == re.findall(r"^## .*", marked, re.MULTILINE)


def test_wide_answers_on_a_screen_are_told_row_by_row(run: Run, whole: str, screen: Callable[..., str]) -> None:
    run("validate", whole)
    assert "— 1 —" in screen("query", "FROM game")
    assert "— 1 —" not in screen("query", TOTALS)


def test_wide_reports_on_a_screen_lose_columns_and_in_a_pipe_nothing(
    run: Run, whole: str, screen: Callable[..., str]
) -> None:
    run("validate", whole)
    shown = plainly(screen("report", "technique-scores"))
    assert "— 1 —" not in shown
    assert "not shown: columns" in shown
    assert "--figure scores --format csv" in " ".join(shown.split())
    piped = run("report", "technique-scores").stdout
    assert "not shown" not in piped
    for column in ("adjusted_low", "sum_without", "won_with", "note"):
        assert column in piped


HEADLINE = ("card", "mean with", "mean without", "difference", "wins with", "wins without", "seats with")


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_the_average_score_by_technique_is_whole_on_any_screen(
    run: Run, archive: Path, screen: Callable[..., str], columns: int
) -> None:
    """The question that this tool is known for: its averages came after what fills 120 columns."""
    run("simulate", "-n", 12, "--seats", 3, "--seed", 7, "--to", archive)
    lines = plainly(screen("report", "technique-scores", "--least", 2, columns=columns)).splitlines()
    rule = next(at for at, line in enumerate(lines) if line.startswith("───"))
    assert max(map(len, lines)) <= columns
    heads = " ".join(lines[rule - 2 : rule]).split()
    assert all(heads.count(word) for head in HEADLINE for word in head.split())
    rows = [line.split() for line in lines[rule + 1 : rule + 8]]
    answer = json.loads(run("report", "technique-scores", "--least", 2, "--format", "json").stdout)
    for shown, row in zip(rows, answer["figures"][0]["rows"], strict=True):
        assert shown[0] == row["card"]
        assert shown[1] == f"{row['mean_with']:.1f}"
        assert shown[2] == f"{row['mean_without']:.1f}"
        assert f"{row['win_with']:.0%}".removesuffix("%") in shown
    wide = plainly(screen("report", "technique-scores", "--least", 2, "--wide", columns=columns))
    for head in ("sum without", "won with", "games compared"):
        assert head in wide
        assert head not in " ".join(heads)


def test_columns_may_have_one_name_and_cells_anything(run: Run, game: str) -> None:
    assert game
    asked = "SELECT 1 AS a, 2 AS a, NULL AS b, 0.1 + 0.2 AS c, 'x|y' || chr(10) || chr(27) AS d, [1, 2] AS e"
    (row,) = json.loads(run("query", asked, "--format", "json").stdout)
    assert row == {"a": 1, "a_2": 2, "b": None, "c": 0.3, "d": "x|y\n\x1b", "e": [1, 2]}
    assert run("query", asked, "--format", "md").stdout.splitlines()[2].startswith("| 1 | 2 | NULL | 0.3 | x\\|y<br>")
    assert "\x1b" not in run("query", asked).stdout
    assert run("query", asked, "--format", "csv").stdout.startswith("a,a,b,c,d,e\n1,2,,0.3,")


def test_no_rows_is_an_answer(run: Run, game: str, capsys: object) -> None:
    assert game
    assert capsys
    none = "SELECT game FROM game WHERE false"
    forms = {"table": "game\n", "csv": "game\n", "json": "[]\n", "jsonl": "", "md": "| game |\n|---|\n"}
    for form, said in forms.items():
        assert run("query", none, "--format", form).stdout == said
    write((), [], "table")


@contextmanager
def held(archive: Path) -> Iterator[None]:
    """Another process has the index open, to write it."""
    hold = (
        "import duckdb, sys; connection = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read(); "
        "connection.close()"
    )
    command = [sys.executable, "-c", hold, str(archive / "index.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        yield
        holder.communicate(b"")


def test_an_index_that_another_process_has_open_answers_and_says_so(
    run: Run, whole: str, archive: Path, tmp_path: Path
) -> None:
    assert whole
    run("query", TOTALS)
    asked = (
        ("query", TOTALS),
        ("query", TOTALS, "--to", str(tmp_path / "rows.parquet")),
        ("report", "ratings"),
        ("export", "--format", "dataset", "--to", str(tmp_path / "data")),
    )
    with held(archive):
        # at once: each of them waits a while for the index to be free
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "spyrium_cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for words in asked
        ]
        results = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * len(asked)
    assert [said.count("another process has the index open") for _, said in results] == [1] * len(asked)
    assert [found.count("Cy") for found, _ in results] == [1, 0, 2, 0]
    assert (tmp_path / "rows.parquet").is_file()
    assert (tmp_path / "data" / "README.md").is_file()


def test_an_index_that_is_taken_after_it_was_brought_up_to_date_says_so(
    run: Run, whole: str, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whole
    run("query", TOTALS)
    held_said = "another process has the index open: this is what it said before\n"
    rows, data = tmp_path / "rows.parquet", tmp_path / "data"
    asked: tuple[tuple[tuple[object, ...], str | None, str], ...] = (
        (("query", TOTALS), None, ""),
        (("query",), f"{TOTALS};\n", ".help lists the commands, .quit leaves\n"),
        (("report", "ratings"), None, ""),
        (("games",), None, ""),
        (("query", TOTALS, "--to", rows, "--force"), None, f"3 rows at {rows}\n"),
        (("export", "--format", "dataset", "--to", data), None, f"tables at {data}\n"),
    )
    monkeypatch.setattr("spyrium_cli.sql.index.update_index", lambda _session, _path: None)
    # the shell is for people only
    monkeypatch.setattr("spyrium_cli.commands.ask.query.is_terminal", lambda: True)
    # each look at the clock is a second later, so that nobody waits long for the index to be free
    for module in (connections, reading):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=count().__next__, sleep=time.sleep))
    with held(archive):
        for words, stdin, also in asked:
            result = run(*words, stdin=stdin)
            assert result.stderr.count(held_said) == 1, words
            assert also in result.stderr
            assert also or "Cy" in result.stdout
    assert (rows.is_file(), data.is_dir()) == (True, True)
    for words, stdin, _ in asked[:5]:
        assert held_said not in run(*words, stdin=stdin).stderr


# --- what a report says of itself ------------------------------------------------------------------


def test_a_report_says_what_it_was_asked_with(run: Run, whole: str, screen: Callable[..., str]) -> None:
    run("validate", whole)
    assert "\nFilters: players 3, grade clean, least 10. low and high: a 95 %" in plainly(
        screen("report", "scores", "--seats", 3)
    )
    assert (
        "\nFilters: grade clean, least 2. low and high: a 95 % interval."
        in run("report", "scores", "--least", 2, "--format", "md").stdout
    )


def test_a_screen_shows_the_beginning_of_a_long_list_and_says_so(
    run: Run, archive: Path, screen: Callable[..., str]
) -> None:
    games = sorted(run("new", "--players", "Anna,Bob").stdout.strip() for _ in range(6))
    assert archive.is_dir()
    shown = plainly(screen("report", "scores", columns=120))
    assert games[0] in shown
    assert games[-1] not in shown
    assert "not shown: the rest of files (--figure left-out --format csv)" in " ".join(shown.split())
    for form in ("table", "md", "csv"):
        assert games[-1] in run("report", "scores", "--figure", "left-out", "--format", form).stdout


def test_names_in_markdown_are_names(run: Run, game: str) -> None:
    assert game
    names = ("<b>Zo</b>", "*x*", "_y_", "a_b", "w|v", "q\\", "r\\|s", "t\\u", "~2")
    asked = "SELECT " + ", ".join(f"'{name}' AS a" for name in names)
    row = run("query", asked, "--format", "md").stdout.splitlines()[2]
    assert row == r"| \<b>Zo\</b> | \*x\* | \_y\_ | a_b | w\|v | q\\ | r\\\|s | t\u | ~2 |"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "[x](http://e.vil)",
            "![i](http://e.vil)",
            "[a][b]",
            "<http://e.vil>",
            "http://e.vil",
            "www.e.vil/x",
            "a@b.co",
        ),
        *(
            "&lt;b&gt;",
            "&#60;",
            "<img src=x onerror=y>",
            "`c`",
            "``c",
            "*b*",
            "**b**",
            "_b_",
            "__b__",
            "a_b",
            "~~s~~",
            "~s~",
        ),
        *("a|b", "a\\|b", "a\\", "\\[x](y)", "x\ny", "x\\\ny", "# h", "- l", "1. l", "> q", "$x$", "\\`c\\`", "[^1]"),
    ],
)
def test_markdown_says_what_a_name_looks_like_and_no_more(run: Run, game: str, name: str) -> None:
    """As a parser of GitHub's Markdown reads the table: text alone, but for the break of a line."""
    assert game
    asked = ("query", "SELECT $name AS a, 1 AS b", "--param", f"name={json.dumps(name)}", "--format", "md")
    reader = MarkdownIt("gfm-like")
    assert reader.linkify is not None
    reader.linkify.set({"fuzzy_link": False})
    inline = [token for token in reader.parse(run(*asked).stdout) if token.type == "inline"]
    assert [token.content for token in inline[:2]] == ["a", "b"]
    assert len(inline) == 4
    parts = inline[2].children or []
    assert {part.type for part in parts} <= {"text", "html_inline"}
    assert "".join("\n" if part.type == "html_inline" else part.content for part in parts) == name


def test_csv_is_no_formula(run: Run, game: str) -> None:
    assert game
    asked = ("query", "SELECT '=1+1' AS a, -3 AS b, '-3' AS c, ['=1'] AS d, 'x' AS \"=e\"", "--format", "csv")
    assert run(*asked).stdout == "a,b,c,d,'=e\n'=1+1,-3,'-3,['=1'],x\n"
    assert run(*asked, "--raw").stdout == "a,b,c,d,=e\n=1+1,-3,-3,['=1'],x\n"


def test_csv_of_every_command_goes_through_one_guard(run: Run, archive: Path) -> None:
    game = run("new", "--players", "=Anna,+Bob,@Cy", "--place", "-1").stdout.strip()
    run("play", "--deal", game, "--seed", 7)
    assert archive.is_dir()
    seen = 0
    for words in (
        ("games",),
        ("show", game),
        ("replay", game),
        ("export", game),
        ("report", "scores", "--grade", "open"),
        ("query", "FROM seat"),
    ):
        guarded = run(*words, "--format", "csv").stdout
        cells = [cell for row in csv.reader(io.StringIO(guarded)) for cell in row]
        assert [cell for cell in cells if cell[:1] in {"=", "+", "@"}] == []
        raw = run(*words, "--format", "csv", "--raw").stdout
        seen += guarded != raw
    assert seen >= 4


def plainly(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)
