"""Pictures of figures: every number of the table is in them, at its place, and nothing else."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from msgspec import structs

from spyrium_cli.render.charts import LETTERS, chart_lines
from spyrium_log.analysis.figures import Chart, Figure, Reported, make_scale
from spyrium_log.analysis.page import report_page
from spyrium_log.analysis.pictures import draw_picture
from spyrium_log.analysis.readable import column_texts, format_number, interval_texts
from spyrium_log.analysis.sentences import left_out_text

MEANS = Figure(
    name="techniques",
    title="Score with and without",
    columns=("technique", "difference", "low", "high", "n"),
    rows=[("Commerce", 6.25, 3.5, 9.0, 40), ("Automation <b>", -1.5, -5.0, 2.0, 12), ("Crane", None, None, None, 1)],
    sql="SELECT 1 < 2",
    explanation="What the interval is of.",
    chart=Chart(kind="means", label="technique", value="difference", low="low", high="high"),
)
LINES = Figure(
    name="curve",
    title="Points by round",
    columns=("player", "round", "points"),
    rows=[("Anna", 1, 0), ("Anna", 2, 10), ("Bob", 1, 5), ("Bob", 2, 5)],
    sql="",
    chart=Chart(kind="lines", label="player", x="round", value="points"),
)


LEFT_OUT = Figure(
    name="left-out",
    title="Games left out, and why",
    columns=("title", "reason", "games"),
    rows=[("spyrium", "no day", 1), ("pebbles", "open findings", 1200), ("pebbles", "no day", 2)],
    sql="",
)


def test_the_head_says_how_many_games_do_not_count() -> None:
    report = Reported(name="r", question="What?", explanation="", options={}, figures=(MEANS, LEFT_OUT))
    assert left_out_text(report) == "1,203 games do not count: no day 3, open findings 1,200."
    assert "<p>1,203 games do not count: no day" in report_page(report).decode()
    part = structs.replace(
        LEFT_OUT,
        columns=("reason", "counts", "games"),
        rows=[("gaps", "for scores", 2), ("scores only", "for scores", 1), ("no day", "not", 1)],
    )
    assert left_out_text(structs.replace(report, figures=(part,))) == (
        "1 game does not count: no day 1. 3 games count for scores alone: gaps 2, scores only 1."
    )
    one = structs.replace(LEFT_OUT, rows=[("spyrium", "no day", 1)])
    assert left_out_text(structs.replace(report, figures=(one,))) == "1 game does not count: no day 1."
    for figures in ((MEANS,), (MEANS, structs.replace(LEFT_OUT, rows=[]))):
        assert left_out_text(structs.replace(report, figures=figures)) == ""


def test_a_mean_stands_between_the_ends_of_its_interval() -> None:
    rows = chart_lines(MEANS, 80)[:2]
    for row in rows:
        assert row.index("├") < row.index("●") < row.index("┤")
    assert "6.25" in rows[0]
    assert "−1.5" in rows[1]


def test_means_over_nought_stand_right_of_it() -> None:
    over, under = chart_lines(MEANS, 80)[:2]
    assert under.index("●") < over.index("●")
    assert over.index("│") < over.index("├")


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_paper(width: int) -> None:
    for figure in (MEANS, LINES):
        assert max(map(len, chart_lines(figure, width))) <= width


def test_bars_are_as_long_as_their_numbers() -> None:
    """A law over random bars: lengths differ from the right ones by less than an eighth of a letter."""
    dice = random.Random(3)
    looked = 0
    for _ in range(50):
        values = [dice.choice([0, 1, dice.uniform(0, 10), dice.uniform(0, 1000)]) for _ in range(dice.randint(1, 8))]
        figure = Figure(
            name="bars",
            title="",
            columns=("what", "n"),
            rows=[(f"row {place}", value) for place, value in enumerate(values)],
            sql="",
            chart=Chart(kind="bars", label="what", value="n"),
        )
        *rows, _axis, _says = chart_lines(figure, 100)
        lengths = [sum("▏▎▍▌▋▊▉█".index(sign) + 1 for sign in row if sign in "▏▎▍▌▋▊▉█") for row in rows]
        scale = max(values) and max(lengths) / max(values)
        for value, length in zip(values, lengths, strict=True):
            assert abs(length - value * scale) <= 1
            looked += 1
    assert looked > 100


def test_every_line_ends_in_its_letter_and_is_explained() -> None:
    *drawn, legend, _says = chart_lines(LINES, 80)
    for letter, name in zip(LETTERS, ("Anna", "Bob"), strict=False):
        assert sum(row.endswith(letter) for row in drawn) == 1
        assert f"{letter} {name}" in legend
    anna, bob = (next(at for at, row in enumerate(drawn) if row.endswith(letter)) for letter in "AB")
    assert anna < bob


@pytest.mark.parametrize("values", [(0, 1), (0.3, 0.31), (-5, 1234), (7, 7), (0, 0), (1e9, 2e9), (-1e-7, 1e-7)])
@pytest.mark.parametrize("nought", [True, False])
def test_a_scale_holds_its_values_and_its_steps_are_even(values: tuple[float, float], *, nought: bool) -> None:
    scale = make_scale(values, nought=nought)
    assert scale.least <= min(values)
    assert scale.most >= max(values)
    steps = [after - before for before, after in pairwise(scale.ticks)]
    assert steps
    assert steps == pytest.approx([steps[0]] * len(steps))


def test_a_figure_without_rows_is_no_picture() -> None:
    empty = Figure(name="n", title="", columns=LINES.columns, rows=[], sql="", chart=LINES.chart)
    assert chart_lines(empty, 80) == []
    assert draw_picture(empty) == ""


def test_the_drawing_has_the_numbers_of_the_table() -> None:
    drawing = draw_picture(MEANS)
    assert re.findall(r'class="number"[^>]*>([^<]*)<', drawing) == ["6.25", "−1.50"]
    assert "Automation &lt;b&gt;" in drawing
    assert len(re.findall("<circle", drawing)) == 2


def test_points_of_a_line_lie_as_high_as_their_values() -> None:
    drawing = draw_picture(LINES)
    lines = re.findall(r'polyline class="line s\d" stroke-dasharray="([^"]*)" points="([^"]*)"', drawing)
    assert len({dash for dash, _ in lines}) == len(lines) == 2
    heights = [[float(point.split(",")[1]) for point in points.split()] for _, points in lines]
    (low, high), (middle, same) = heights
    assert middle == same == pytest.approx((low + high) / 2)


class _Cells(HTMLParser):
    """What a browser would read in the cells of a page, and which elements it has."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[str] = []
        self._in = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.tags.append(tag)
        self._in = tag == "td"
        if self._in:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = self._in and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._in:
            self.cells[-1] += data


def test_a_page_has_the_whole_table_and_the_question() -> None:
    reported = Reported(
        name="technique-scores",
        question="What is it worth?",
        explanation="",
        options={"players": 3},
        figures=(MEANS, LINES),
    )
    page = report_page(reported).decode()
    reader = _Cells()
    reader.feed(page)
    assert reader.cells[:5] == ["Commerce", "6.25", "3.50", "9", "40"]
    assert len(reader.cells) == sum(len(figure.rows) * len(figure.columns) for figure in (MEANS, LINES))
    assert "b" not in reader.tags
    # a plot for each bar, drawn in its middle, and their axis; lines between two axes and a key for each of the two
    assert reader.tags.count("svg") == 2 * 2 + 1 + 4 + 2
    assert page.count('role="img" aria-label=') == 2
    assert "SELECT 1 &lt; 2" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_lines_that_end_together_leave_room_for_their_letters() -> None:
    rows = [(name, x, x) for name in "abcdefghi" for x in range(5)]
    chart = Chart(kind="lines", label="who", x="x", value="n")
    figure = Figure(name="f", title="t", columns=("who", "x", "n"), rows=rows, sql="", chart=chart)
    lines = chart_lines(figure, 80)
    assert lines[0].endswith("⠉ ABCDEFGHI") or lines[0].endswith(" ABCDEFGHI")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(("language", "shown"), [("en", "12,345.6"), ("pl", "12\u00a0345,6"), ("ru", "12\u00a0345,6")])
def test_a_number_is_written_as_in_its_language(language: str, shown: str) -> None:
    assert format_number(12345.6, 1, language) == shown


def test_an_interval_of_numbers_with_commas_has_a_semicolon() -> None:
    figure = structs.replace(MEANS, language="pl", intervals=(("difference", "low", "high"),))
    assert column_texts(figure, "difference") == ["6,25", "−1,50", ""]
    assert interval_texts(figure, "difference") == ["[ 3,50; 9,00]", "[−5,00; 2,00]", "             "]
