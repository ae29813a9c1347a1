"""Pictures and pages of every report, of people with hostile names: their numbers are the table's, and nothing runs."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from spyrium_cli.main import cli
from spyrium_cli.render.charts import chart_lines
from spyrium_cli.render.reports import fitting_columns
from spyrium_log.analysis import page as page_module
from spyrium_log.analysis.figures import MOST_BARS, MOST_SERIES, Chart, Figure, Reported, list_bars, list_series
from spyrium_log.analysis.page import MOST_ROWS, report_page
from spyrium_log.analysis.readable import readable_columns
from spyrium_log.analysis.reports import run_report
from spyrium_log.analysis.sentences import undrawn_text
from spyrium_log.analysis.words import head_text
from spyrium_log.errors import ReadModelError
from spyrium_log.exchange.html import SEAT_COLOURS, seat_style
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.shown import plain
from spyrium_log.titles import TITLES
from tests.analysis.test_oracle import NAMES, archive

NEEDED: dict[str, dict[str, object]] = {
    "player": {"player": NAMES[5]},
    "head-to-head": {"player": NAMES[4], "against": NAMES[5]},
    "game": {"game": "game-0002"},
}
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "index.duckdb"
    bring_up_to_date(path, archive(20, seed=1).sources())
    return path


@pytest.fixture(scope="module")
def answers(index: Path) -> list[Reported]:
    return answered(index)


def answered(index: Path) -> list[Reported]:
    """Every report, with what it needs and nothing too thin to be drawn."""
    least: dict[str, object] = {"least": 1}
    return [
        run_report(
            index,
            report.name,
            NEEDED.get(report.name, {}) | (least if any(o.name == "least" for o in report.options) else {}),
        )
        for report in reports()
    ]


def figures(answers: list[Reported]) -> Iterator[Figure]:
    for reported in answers:
        yield from reported.figures


# --- pages ---------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a browser makes of it: elements, attributes, and the cells of its tables."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.tables: list[list[list[str]]] = []
        self._is_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in {"td", "th"}:
            self.tables[-1][-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._is_cell = self._is_cell and tag not in {"td", "th"}

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self.tables[-1][-1][-1] += data


def read(reported: Reported) -> Page:
    page = Page()
    page.feed(report_page(reported).decode())
    return page


def test_a_page_has_all_tables_and_runs_nothing_but_its_own(answers: list[Reported], counts: Counter[str]) -> None:
    for reported in answers:
        page = read(reported)
        assert (page.tags["script"], page.tags["style"], page.tags["img"]) == (1, 1, 0)
        assert not any(name.startswith("on") for name in page.attributes)
        assert not page.tags.keys() & {"b", "iframe", "object", "form", "a"}
        filled = [figure for figure in reported.figures if figure.rows]
        for figure, (head, *body) in zip(filled, page.tables, strict=True):
            ends = {end for _, *pair in figure.intervals for end in pair}
            heads = {name: head_text(name, figure=figure.name) for name in figure.columns if name not in ends}
            assert sorted(head) == sorted(heads.values())
            for interval in figure.intervals:
                shown = [row[head.index(heads[interval[0]])] for row in body]
                for cell, low, high in zip(shown, *map(figure.values, interval[1:]), strict=True):
                    assert_interval(cell, low, high, is_rate=interval[0] in figure.percent)
                    counts["intervals in pages"] += low is not None
            assert len(body) == len(figure.rows)
            for name in {"player", "card", "game"} & {*head}:
                shown = [row[head.index(name)] for row in body]
                assert shown == [plain(str(row[figure.columns.index(name)])) for row in figure.rows]
            counts["tables in pages"] += 1


def assert_interval(cell: str, low: float | None, high: float | None, *, is_rate: bool) -> None:
    """Behind the value, both ends as exact as their last digit; no brackets where there is no interval."""
    found = re.search(r"\[(.+), (.+)\]$", cell)
    assert (found is None) == (low is None or high is None)
    for text, end in zip(found.groups() if found else (), (low, high), strict=False):
        assert end is not None
        number = float(text.replace("\u2212", "-").replace(",", ""))
        unit = 10.0 ** -len(text.partition(".")[2])
        assert number == pytest.approx(100 * end if is_rate else end, abs=unit / 2 + 1e-9)


def test_columns_in_which_nothing_stands_wait_until_all_are_wanted() -> None:
    figure = Figure(name="f", title="t", columns=("who", "n", "note"), rows=[("a", 1, None)], sql="")
    made = report_page(Reported(name="n", question="q?", explanation="", options={}, figures=(figure,))).decode()
    assert re.findall(r'<th scope="col" class="([^"]*)">(\w+)', made) == [
        ("", "who"),
        ("number", "seats"),
        (" extra", "note"),
    ]
    assert 'class="all"' in made


def test_what_is_wider_than_half_a_phone_has_a_line_of_its_own() -> None:
    rows = [("a", 1.5, -100.0, 100.0, 3)]
    columns, interval = ("who", "difference", "low", "high", "seats_without"), ("difference", "low", "high")
    figure = Figure(name="f", title="t", columns=columns, rows=rows, sql="", intervals=(interval,))
    made = report_page(Reported(name="n", question="q?", explanation="", options={}, figures=(figure,))).decode()
    assert re.findall(r'<td class="([^"]*)" data-head="([^"]+)"', made) == [
        ("", "who"),
        ("number wide", "difference"),
        ("number", "seats without"),
    ]


def test_a_browser_is_told_to_run_nothing_else_and_to_ask_no_network() -> None:
    page = report_page(Reported(name="r", question="What?", explanation="", options={}, figures=())).decode()
    policy = page.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    directives = unescape(policy).split("; ")
    said = {name: values for name, *values in (directive.split() for directive in directives)}
    rules = {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert said.keys() == {*rules, "require-trusted-types-for"}
    assert said["default-src"] == said["base-uri"] == said["form-action"] == ["'none'"]
    for tag, values in (("script", said["script-src"]), ("style", said["style-src"])):
        inside = page.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        assert inside
        assert values == [f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'"]
    assert "prefers-color-scheme: dark" in page


def test_words_from_outside_stay_words() -> None:
    rows = [(HOSTILE, 1.5, {"a<b": 1}), ("b\u202ec\x1b[2J", None, None)]
    figure = Figure(
        name="f",
        title=HOSTILE,
        columns=("who", "n", HOSTILE),
        rows=rows,
        sql=f"SELECT '{HOSTILE}'",
        explanation=f"`{HOSTILE}`",
        chart=Chart(kind="bars", label="who", value="n"),
    )
    reported = Reported(
        name=HOSTILE, question=HOSTILE, explanation=HOSTILE, options={HOSTILE: HOSTILE}, figures=(figure,)
    )
    page = read(reported)
    assert (page.tags["script"], page.tags["img"]) == (1, 0)
    assert page.tables[0][1][0] == HOSTILE
    assert "\u202e" not in report_page(reported).decode()
    assert "\x1b" not in report_page(reported).decode()


def test_the_sql_beside_a_figure_gives_that_figure_as_it_stands(
    index: Path, answers: list[Reported], counts: Counter[str]
) -> None:
    """A name full of quotes is among the options; what is computed from rows says so."""
    asked = [*answers, *(run_report(index, name, NEEDED[name] | {"players": 3}) for name in ("player", "head-to-head"))]
    for reported in asked:
        page = Shown()
        page.feed(report_page(reported).decode())
        for figure, sql in zip(reported.figures, page.preformatted, strict=True):
            answer = query(index, sql)
            if figure.maker:
                assert answer.columns == ("title", "game", "player", "place", "least")
            else:
                assert answer.columns == figure.columns
                for again, row in zip(answer.rows, figure.rows, strict=True):
                    assert [about(value) for value in again] == [about(value) for value in row]
            counts["figures asked again by their SQL"] += 1
        assert page.text.count("computed, game by game") == sum(bool(figure.maker) for figure in reported.figures)


def about(value: object) -> object:
    """Threads add in another order each time."""
    return round(value, 6) if isinstance(value, float) else value


class Shown(HTMLParser):
    """What a reader copies from a page."""

    def __init__(self) -> None:
        super().__init__()
        self.preformatted: list[str] = []
        self.text = ""
        self._is_pre = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "pre":
            self.preformatted.append("")
        self._is_pre = self._is_pre or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self._is_pre = self._is_pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._is_pre:
            self.preformatted[-1] += data


def test_a_long_cell_is_folded_and_loses_nothing() -> None:
    files = ", ".join(f"a-game-with-a-name-{n}" for n in range(20))
    figure = Figure(name="f", title="t", columns=("files",), rows=[(files,), ("one",)], sql="")
    reported = Reported(name="n", question="q?", explanation="", options={}, figures=(figure,))
    page = read(reported)
    assert page.tables[0][1:] == [[files], ["one"]]
    assert page.tags["details"] == 1
    assert b"<summary>a-game-with-a-name-0, a-game-with-a-name-1,</summary>" in report_page(reported)


def test_lines_of_a_page_are_told_apart() -> None:
    """By their colours, too: on light and on dark paper, from each other and from the paper."""
    style = (Path(page_module.__file__).parent / "report.css").read_text(encoding="utf-8")
    papers = [
        dict(re.findall(r"--(s\d|card): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root {(.+?)}", style, re.DOTALL)
    ]
    assert len(papers) == 2
    for colours in papers:
        paper = colours.pop("card")
        assert len(colours) == MOST_SERIES
        assert all(contrast(colour, paper) >= 4.5 for colour in colours.values())
        assert min(math.dist(lab(one), lab(other)) for one, other in combinations(colours.values(), 2)) > 30


def test_a_sign_can_be_read_on_the_colour_of_its_seat() -> None:
    """Of a line without a colour of a seat, too; the paper is that of the report."""
    style = (Path(page_module.__file__).parent / "report.css").read_text(encoding="utf-8")
    papers, seats = map(root_colours, (style, seat_style()))
    for paper, colours in zip(papers, seats, strict=True):
        sign = colours.pop("on-piece").replace("#fff", "#ffffff")
        assert len(colours) == len(SEAT_COLOURS) + 1
        lines = [colour for name, colour in paper.items() if re.fullmatch(r"s\d", name)]
        assert all(contrast(sign, colour) >= 4.5 for colour in (*colours.values(), *lines))
        assert all(contrast(colour, paper["card"]) >= 4.5 for colour in colours.values())


def test_colours_of_the_seats_of_a_title_are_told_apart() -> None:
    for colours in root_colours(seat_style()):
        colours["green"] = colours.pop("player-green")
        for title in TITLES.values():
            pairs = combinations([lab(colours[name]) for name in title.colours], 2)
            assert min(math.dist(one, other) for one, other in pairs) > 20


def root_colours(style: str) -> list[dict[str, str]]:
    """The colours of a style by name, on light paper and on dark paper."""
    blocks = re.findall(r":root {(.+?)}", style, re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block)) for block in blocks]


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    dark, light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str) -> tuple[float, float, float]:
    """CIE's L*a*b* of 1976, in which equal distances look about alike."""
    red, green, blue = linear(colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def test_a_long_table_is_cut_on_a_page_and_says_so() -> None:
    rows = [(f"p{n}", n) for n in range(30_000)]
    chart = Chart(kind="bars", label="who", value="n")
    figure = Figure(name="f", title="t", columns=("who", "n"), rows=rows, sql="", chart=chart)
    raw = report_page(Reported(name="n", question="q?", explanation="", options={}, figures=(figure,)))
    assert len(raw) < 300_000
    assert b"29,000 more rows are left out" in raw
    assert f"first {MOST_BARS} of 30000".encode() in raw
    assert raw.count(b"<tr>") == MOST_ROWS + 1
    assert len(chart_lines(figure, 80)) == MOST_BARS + 2


# --- pictures of what is alike -------------------------------------------------------------------


def pictured(kind: Any, columns: str, *rows: tuple[Any, ...], **axes: str) -> Figure:
    chart = Chart(kind=kind, **axes)
    return Figure(name="f", title="t", columns=tuple(columns.split()), rows=rows, sql="", chart=chart)


def test_what_would_be_called_alike_is_told_apart() -> None:
    two = pictured("bars", "title players card n", ("a", 2, "x", 1), ("a", 3, "x", 2), label="card", value="n")
    assert [bar.label for bar in list_bars(two)] == ["players 2, x", "players 3, x"]
    four = structs.replace(two, rows=[("a", n, name, n) for n in (2, 3) for name in "xy"])
    assert [(bar.group, bar.label) for bar in list_bars(four)] == [
        ("players 2", "x"),
        ("players 2", "y"),
        ("players 3", "x"),
        ("players 3", "y"),
    ]
    mixed = structs.replace(four, rows=[four.rows[at] for at in (0, 2, 1, 3)])
    assert [bar.label for bar in list_bars(mixed)] == ["players 2, x", "players 3, x", "players 2, y", "players 3, y"]
    ranked = pictured("bars", "title rank who n", ("a", 1, "x", 9), ("b", 1, "x", 8), label="who", value="n")
    assert [bar.label for bar in list_bars(ranked)] == ["a, x", "b, x"]
    one = structs.replace(two, rows=[("a", 2, "x", 1), ("b", 3, "y", 2)])
    assert [bar.label for bar in list_bars(one)] == ["x", "y"]
    rows = [(0, 1, "Anna", 1), (0, 2, "Anna", 2), (1, 1, "Anna", 3), (1, 2, "Anna", 4)]
    lines = pictured("lines", "round seat player n", *rows, label="player", x="round", value="n")
    assert [(one.label, list(one.points)) for one in list_series(lines)] == [
        ("seat 1, Anna", [(0, 1), (1, 3)]),
        ("seat 2, Anna", [(0, 2), (1, 4)]),
    ]


def test_what_is_not_ranked_is_not_drawn_beside_what_is() -> None:
    figure = pictured("bars", "card n note", ("x", 1, None), ("y", 9, "few"), label="card", value="n")
    assert [bar.label for bar in list_bars(figure)] == ["x"]
    assert undrawn_text(figure) == "Not drawn: 1 of too few games."
    assert undrawn_text(structs.replace(figure, rows=[("y", 9, "few")])) == "Too few games for a picture."
    lines = pictured("lines", "who x n note", ("a", 1, 1, None), ("a", 2, 9, "few"), label="who", x="x", value="n")
    assert undrawn_text(lines) == "Of too few games to go by: 1 of the 2 points."


def test_what_sums_of_floats_leave_of_nothing_is_nothing() -> None:
    figure = pictured("bars", "card n", ("x", -6.3e-17), ("y", 2.0), label="card", value="n")
    assert [bar.value for bar in list_bars(figure)] == [0, 2]
    reported = Reported(name="n", question="q?", explanation="", options={}, figures=(figure,))
    assert [row[1] for row in read(reported).tables[0][1:]] == ["0", "2"]


def test_columns_that_have_no_room_are_left_out_and_never_one_end_of_an_interval() -> None:
    names = ("title", "card", "empty", "low", "mean", "high", "n")
    interval = (("mean", "low", "high"),)
    row = ("t", "c", None, 1.0, 1.5, 2.0, 3)
    figure = Figure(name="f", title="t", columns=names, rows=[row], sql="", first=("card",), intervals=interval)
    columns = readable_columns(figure)
    assert [column.head for column in columns] == ["card", "title", "empty", "mean", "seats"]
    everything = next(width for width in range(200) if len(fitting_columns(columns, width)) == len(columns))
    assert "empty" not in [column.head for column in fitting_columns(columns, everything - 1)]
    for width in range(10, everything):
        found = {name for column in fitting_columns(columns, width) for name in column.names}
        assert "card" in found
        assert ("low" in found) == ("high" in found) == ("mean" in found)


def test_first_columns_are_columns(answers: list[Reported]) -> None:
    for figure in figures(answers):
        assert {*figure.first} <= {*figure.columns}, figure.name
        assert {*figure.percent, *figure.signed} <= {*figure.columns}, figure.name
        assert {name for interval in figure.intervals for name in interval} <= {*figure.columns}, figure.name


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", "3"),
        ("players", 0),
        ("players", True),
        ("least", 2.5),
        ("least", -1),
        ("grade", "dirty"),
        ("since", 2020),
        ("since", "last week"),
        ("until", "2020-1-1"),
        ("title", 7),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused(tmp_path: Path, option: str, value: object) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    with pytest.raises(ReadModelError, match=f"expected {option} to be .*, found '.*', in report 'scores'"):
        run_report(index, "scores", {option: value})


@pytest.mark.parametrize(
    ("since", "until"), [("2026", "2025-12-31"), ("2025-04-02", "2025-04-01"), ("2025-04", "2024")]
)
def test_a_time_that_ends_before_it_begins_is_refused(tmp_path: Path, since: str, until: str) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    run_report(index, "scores", {"since": until, "until": since})
    with pytest.raises(ReadModelError, match=f"expected until not before since .{since}., found {until}"):
        run_report(index, "scores", {"since": since, "until": until})
    run_report(index, "scores", {"since": "2025-04-02", "until": "2025-04"})


def test_the_report_of_one_game_is_of_one(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, archive(12, seed=1).sources())
    with pytest.raises(ReadModelError, match=r"beginning of one game's id, found 'game-', which game-.* have"):
        run_report(index, "game", {"game": "game-"})
    with pytest.raises(ReadModelError, match="expected the beginning of one game's id, found '%'"):
        run_report(index, "game", {"game": "%"})
    assert run_report(index, "game", {"game": "game-0002"}).figures[0].rows


def test_the_command_says_what_is_wrong_with_an_option(tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["--archive", str(tmp_path), "report", "scores", "--since", "yesterday"])
    assert said.exit_code != 0
    assert "expected since to be a day such as 2026-11-18, a month or a year, found 'yesterday'" in said.output
