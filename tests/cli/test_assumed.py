"""Wherever an amount can stand it says what is assumed, and on a sheet that somebody verified nothing does."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from spyrium_log.sheet import Sheet, format_sheet, parse_sheet
from spyrium_log.titles.spyrium import SPYRIUM
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

# Whatever has the sign: an amount, a price, a number of the ledger.
MARKED = re.compile(r"~[£−-]*\d")


def _is_marked_in(field: str) -> Callable[[str], bool]:
    """Whether any object of a JSON has something under this name."""
    return lambda text: re.search(rf'"{field}": *(true|\[[^]]*(true|"|{{))', text) is not None


def _is_marked_in_csv(text: str) -> bool:
    """Whether the column `assumed` of a CSV says yes anywhere."""
    return any("True" in row["assumed"] for row in csv.DictReader(io.StringIO(text)))


# Call, and how its output says that an amount is assumed.
OUTPUTS: dict[str, tuple[tuple[str, ...], Callable[[str], object]]] = {
    "board": (("show", "{game}"), MARKED.search),
    "board in mid-game": (("show", "{game}", "--at", "30"), MARKED.search),
    "board as Markdown": (("show", "{game}", "--format", "md"), re.compile("yes").search),
    "board as CSV": (("show", "{game}", "--format", "csv"), _is_marked_in_csv),
    "board as JSON": (("show", "{game}", "--format", "json"), _is_marked_in("assumed")),
    "legal acts": (("show", "{game}", "--at", "40", "--legal"), MARKED.search),
    "lines of the log": (("show", "{game}", "--log"), MARKED.search),
    "replay": (("replay", "{game}"), MARKED.search),
    "replay as JSON": (("replay", "{game}", "--format", "json"), MARKED.search),
    "games": (("games",), MARKED.search),
    "games as CSV": (("games", "--format", "csv"), _is_marked_in_csv),
    "games as JSON": (("games", "--format", "json"), _is_marked_in("assumed")),
    "page": (("export", "{game}", "--to", "-", "--format", "html"), MARKED.search),
    "game as JSON": (("export", "{game}", "--to", "-", "--format", "json"), _is_marked_in("assumed_parts")),
    "ledger as CSV": (("export", "{game}", "--to", "-", "--format", "csv"), _is_marked_in_csv),
    "table ledger": (
        ("query", "SELECT count(*) AS n FROM ledger WHERE assumed HAVING n > 0"),
        re.compile(r"\d").search,
    ),
    "table seat": (("query", "SELECT count(*) AS n FROM seat WHERE assumed HAVING n > 0"), re.compile(r"\d").search),
    "table score_part": (("query", "SELECT sum(assumed) AS n FROM score_part HAVING n > 0"), re.compile(r"\d").search),
    "cards": (("sheet", "cards"), MARKED.search),
    "printed values": (("sheet", "show"), MARKED.search),
    "report": (("report", "scores"), re.compile("values that nobody has checked: [1-9]").search),
    "report as JSON": (("report", "scores", "--format", "json"), re.compile(r'"games_assumed": *1').search),
    "verdict": (("validate", "{game}"), re.compile("rests on [1-9]").search),
}
# What speaks of sheets as such, not of this game.
OF_SHEETS = {"cards", "printed values"}


@pytest.fixture(scope="module")
def checked_sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sheet of which somebody read every value."""
    shipped = SPYRIUM.sheet()
    rows = tuple(structs.replace(row, source="read", by="Anna", at="2026-11-20") for row in shipped.printed)
    path = tmp_path_factory.mktemp("sheets") / "checked.toml"
    path.write_text(format_sheet(Sheet(name="checked", printed=rows)), encoding="utf-8")
    return path


def record(run: Run, *options: object) -> str:
    game = run("new", "--players", "Anna,Bob,Cy", *options).stdout.strip()
    run("play", game, "--quiet", "--file", DEMO)
    return game


def test_every_output_says_what_is_assumed(run: Run) -> None:
    game = record(run)
    unmarked = []
    for name, (call, is_marked) in OUTPUTS.items():
        out = run(*(word.replace("{game}", game) for word in call)).stdout
        if not is_marked(out):
            unmarked.append(name)
    assert not unmarked


def test_on_a_verified_sheet_nothing_has_the_sign(run: Run, checked_sheet: Path) -> None:
    game = record(run, "--sheet", checked_sheet)
    marked = []
    for name, (call, is_marked) in OUTPUTS.items():
        if name not in OF_SHEETS:
            out = run(*(word.replace("{game}", game) for word in call)).stdout
            if is_marked(out):
                marked.append(name)
    assert not marked
    assert "rests on 0 assumed values" in run("validate", game).stdout


def test_a_count_settles_an_amount(run: Run) -> None:
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    run("play", game, "--deal", "--seed", 3)
    run("play", game, "p89", "p23", "p89", "p69", "p69", "p56", ">a89.9")
    held = {(row["seat"], row["what"]) for row in json.loads(run("show", game, "--format", "json").stdout)["assumed"]}
    assert held == {(1, "money")}
    run("play", game, "count Anna £2")
    assert json.loads(run("show", game, "--format", "json").stdout)["assumed"] == []


def test_counted_points_are_certain_wherever_a_total_stands(run: Run) -> None:
    game = record(run)
    run("play", game, "count Anna p27")
    score, scores = r"(~?\d+)", r"Anna (~?\d+) · Bob (~?\d+) · Cy (~?\d+)"
    seats = json.loads(run("query", "SELECT * FROM seat ORDER BY seat", "--format", "json").stdout)
    page = run("export", game, "--to", "-", "--format", "html").stdout
    totals = {
        "replay": re.findall(scores, run("replay", game).stdout)[-1],
        "games": re.findall(f"Anna {score}★?, Bob {score}★?, Cy {score}", run("games").stdout)[-1],
        "show": tuple(re.findall(rf"[A-C]  \w+ +~?\d+ +\d+ +{score} ", run("show", game).stdout)),
        "page": tuple(sorted(re.findall(r'<b class="total">([^<]*)</b>', page), key=lambda total: total.strip("~"))),
        "table seat": tuple(f"{'~' * row['assumed']}{row['total']}" for row in seats),
    }
    assert totals == dict.fromkeys(totals, ("27", "~36", "~42"))


def test_a_move_that_only_an_assumed_price_forbids_is_recorded(run: Run) -> None:
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    run("play", game, "--deal", "--seed", 3)
    run("play", game, "p89", "p23", "p56", "p69", "p69", "p56", ">a89.9", ">a23.3")
    result = run("play", game, "a56.5 rm")
    assert "Anna constructs Residence I" in result.stdout
    assert "activate.money (S-5.6.1)" in result.stderr
    assert "[assumed: residence-1 price (spyrium fix reading residence-1 price 2)]" in result.stderr
    assert "open, on the sheet" in run("validate", game).stdout
    run("fix", "reading", game, "residence-1", "price", 4)
    assert "refused" not in run("validate", game, code=1).stdout


def test_values_read_in_a_game_can_be_taken_over(run: Run) -> None:
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    result = run("record", game, "--plain", stdin="=crane price 3\n")
    assert "read in this game: Crane price 3" in result.stderr
    assert "`spyrium sheet import` with the game keeps them" in result.stderr
    run("sheet", "import", game)
    assert "3" in run("sheet", "show", "crane").stdout
    assert "read in this game" not in run("record", game, "--plain", stdin="board\n").stderr


def test_two_readings_of_one_value_wait_for_a_person(run: Run, tmp_path: Path) -> None:
    run("sheet", "edit", "crane", "price", 3, "--by", "Anna", "--date", "2026-11-18")
    theirs = tmp_path / "theirs.toml"
    theirs.write_text('name = "theirs"\n[crane]\nprice = [5, "read", "Bob", "2026-11-19"]\n', encoding="utf-8")
    kept = run("sheet", "import", theirs)
    assert "crane price: 3 (Anna, 2026-11-18) in your sheet, 5 (Bob, 2026-11-19) there" in kept.stderr
    assert "0 values taken" in kept.stderr
    assert "1 value taken" in run("sheet", "import", theirs, "--force").stderr


def test_an_assumed_value_takes_the_place_of_no_certain_one() -> None:
    base = SPYRIUM.sheet()
    own = parse_sheet('name = "own"\n[palace]\npoints = [9, "assumed"]\nprice = [11, "assumed"]\n')
    values = {(row.of, row.what): row.value for row in base.with_own_values(own).printed}
    assert values["palace", "points"] == 12
    assert values["palace", "price"] == 11
