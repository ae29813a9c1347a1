"""Pictures of every report, read back: labels, numbers and places in SVG and in letters are those of the table's rows.

Nothing here asks what a picture draws; it is read from the columns that the chart names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len

from spyrium_cli.render.charts import LETTERS, chart_lines, line_letters
from spyrium_log.analysis.figures import MOST_BARS, MOST_SERIES, Chart, Figure, list_series, split_count
from spyrium_log.analysis.pictures import draw_picture, list_line_keys
from spyrium_log.analysis.sentences import undrawn_text
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.shown import plain
from tests.analysis.test_oracle import archive
from tests.analysis.test_pages import answered

# A picture says three digits at most, but for large whole numbers.
MOST_DIGITS = 3
BLOCKS = "▏▎▍▌▋▊▉█"
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


class Drawn(NamedTuple):
    """What a row of the table has to look like."""

    label: str
    value: float
    low: float | None
    high: float | None


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Figure, Chart]]:
    index = tmp_path_factory.mktemp("pictures") / "index.duckdb"
    bring_up_to_date(index, archive(20, seed=1).sources())
    return [(one, one.chart) for reported in answered(index) for one in reported.figures if one.chart and one.rows]


def objects(figure: Figure) -> Iterator[dict[str, Any]]:
    return (dict(zip(figure.columns, row, strict=True)) for row in figure.rows)


def expected_bars(figure: Figure, chart: Chart) -> list[Drawn]:
    """What can be drawn of the table, in its order."""
    drawn = [
        Drawn(
            f"{row[chart.label]} ({row[chart.n]})" if chart.n else str(row[chart.label]),
            row[chart.value],
            row.get(chart.low),
            row.get(chart.high),
        )
        for row in objects(figure)
        if row[chart.value] is not None and row.get("note") is None
    ]
    return drawn[:MOST_BARS]


def expected_lines(figure: Figure, chart: Chart) -> list[list[tuple[float, float]]]:
    """The points of each line. Two of a name are told apart by what stands before it: title, seat."""
    before = [name for name in ("title", "seat") if name in figure.columns]
    found: dict[tuple[Any, ...], list[tuple[float, float]]] = defaultdict(list)
    for row in objects(figure):
        if row[chart.value] is not None:
            found[*(row[name] for name in before), row[chart.label]].append((row[chart.x], row[chart.value]))
    return list(found.values())[:MOST_SERIES]


def said(text: str) -> float:
    number = float(text.removesuffix(" %").replace(",", "").replace("\u2212", "-"))
    return number / 100 if text.endswith("%") else number


def is_said(text: str, value: float) -> bool:
    """As exact as its last digit, and in no more digits than people read."""
    number = text.removesuffix(" %")
    digits = re.sub(r"[^0-9]", "", number).lstrip("0")
    unit = 10.0 ** -len(number.partition(".")[2]) / (100 if text.endswith("%") else 1)
    assert len(digits) <= MOST_DIGITS or "." not in number, text
    return abs(said(text) - value) <= unit / 2 + 1e-9


def ends_in(label: str, name: str) -> bool:
    """The name, or as much of it as there is room for, and behind it of how many it is."""
    name, count = split_count(plain(name))
    assert label.endswith(count)
    label = label.removesuffix(count)
    return label.endswith(name) or (label.endswith("…") and plain(label[:-1]).strip()[-3:] in name)


def places(parts: Sequence[tuple[float, str]]) -> tuple[float, float]:
    """From where two numbers of an axis stand to where any does: value = a + b · place."""
    (x1, said1), *_, (x2, said2) = parts
    slope = (said(said2) - said(said1)) / (x2 - x1)
    return said(said1) - slope * x1, slope


# --- SVG -----------------------------------------------------------------------------------------


def drawing(figure: Figure) -> ET.Element | None:
    written = draw_picture(figure)
    return ET.fromstring(written) if written else None  # noqa: S314 - ours, and it has to be whole


def share(mark: ET.Element, name: str) -> float:
    """Of a hundred parts of the plot, which is as wide as the page has room for."""
    number, sign, rest = mark.attrib[name].partition("%")
    assert (sign, rest) == ("%", "")
    return float(number)


def test_bars_of_a_page_are_the_rows(figures: list[tuple[Figure, Chart]], counts: Counter[str]) -> None:
    for figure, chart in figures:
        svg, rows = drawing(figure), expected_bars(figure, chart)
        if chart.kind == "lines":
            continue
        assert (svg is None) == (not rows)
        if svg is None:
            continue
        numbers = [str(cell.text) for cell in svg.iter("div") if cell.get("class") == "number"]
        labels = ["".join(cell.itertext()) for cell in svg.iter("div") if cell.get("class") == "name"]
        start, slope = places([(share(text, "x"), str(text.text)) for text in svg.iter("text")])
        marks = list(svg.iter("circle" if chart.kind == "means" else "rect"))
        intervals = svg.iter("g")
        for row, number, label, mark in zip(rows, numbers, labels, marks, strict=True):
            assert is_said(number, row.value)
            # all of it: there is always another line for what is long
            assert label.endswith(plain(row.label))
            if chart.kind == "means":
                assert start + slope * share(mark, "cx") == pytest.approx(row.value, abs=0.027 * slope)
            else:
                left, wide = share(mark, "x"), share(mark, "width")
                # what is nothing is a pixel wide
                end = left if row.value < 0 else left + wide
                assert start + slope * end == pytest.approx(row.value, abs=0.3 * slope)
            if row.low is not None and row.high is not None:
                whole, *ends = next(intervals).iter("line")
                low, high = share(whole, "x1"), share(whole, "x2")
                assert start + slope * low == pytest.approx(row.low, abs=0.027 * slope)
                assert start + slope * high == pytest.approx(row.high, abs=0.027 * slope)
                assert [(share(end, "x1"), share(end, "x2")) for end in ends] == [(low, low), (high, high)]
            counts["bars of pages read back"] += 1
        assert next(intervals, None) is None


def test_lines_of_a_page_are_the_rows(figures: list[tuple[Figure, Chart]], counts: Counter[str]) -> None:
    for figure, chart in figures:
        svg = drawing(figure)
        if svg is None or chart.kind != "lines":
            continue
        labels = [text for text in svg.iter("text") if text.get("class") == "label"]
        across = places([(share(at, "x"), str(at.text)) for at in labels if at.get("text-anchor") == "middle"])
        up = places([(float(at.attrib["y"]) - 4, str(at.text)) for at in labels if at.get("text-anchor") == "end"])
        for row, line in zip(expected_lines(figure, chart), svg.iter("polyline"), strict=True):
            for (x, y), said_ in zip(row, line.attrib["points"].split(), strict=True):
                # the lines are drawn a thousand wide, and stretched
                at_x, at_y = (float(part) / unit for part, unit in zip(said_.split(","), (10, 1), strict=True))
                assert across[0] + across[1] * at_x == pytest.approx(x, abs=0.11 * abs(across[1]))
                assert up[0] + up[1] * at_y == pytest.approx(y, abs=0.11 * abs(up[1]))
                counts["points of pages read back"] += 1
            if len(row) == 1:
                dots = [(10 * share(dot, "cx"), float(dot.attrib["cy"])) for dot in svg.iter("circle")]
                assert tuple(map(float, line.attrib["points"].split(","))) in dots


# --- letters -------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 120])
def test_bars_of_a_terminal_are_the_rows(figures: list[tuple[Figure, Chart]], width: int, counts: Counter[str]) -> None:
    for figure, chart in figures:
        lines, rows = chart_lines(figure, width), expected_bars(figure, chart)
        assert (not lines) == (chart.kind != "lines" and not rows)
        assert all(cell_len(line) <= width for line in lines[:-1]), figure.name
        if chart.kind == "lines" or not rows:
            continue
        *drawn, _axis, _says = lines
        # a group has a line of its own, without a number
        found = [match for line in drawn if (match := re.match(r"(.*?) {2,}(−?[\d.,]+(?: %)?)(?:  (.*))?$", line))]
        columns: list[tuple[float, float]] = []
        for row, match in zip(rows, found, strict=True):
            assert is_said(match[2], row.value)
            assert ends_in(match[1].strip(), row.label.strip())
            picture_ = match[3] or ""
            if chart.kind == "means":
                columns.append((row.value, picture_.index("●")))
                # the point hides an end that lies in the same column
                columns += [(row.low, picture_.index("├"))] if row.low is not None and "├" in picture_ else []
                columns += [(row.high, picture_.index("┤"))] if row.high is not None and "┤" in picture_ else []
            elif "│" in picture_:
                sign = -1 if row.value < 0 else 1
                columns.append((row.value, sign * sum(letter in BLOCKS for letter in picture_)))
            else:
                columns.append((row.value, sum(BLOCKS.index(letter) + 1 for letter in picture_.strip()) / 8))
            counts["bars of terminals read back"] += 1
        (least, first), (most, last) = min(columns), max(columns)
        for value, column in columns:
            share = (value - least) / (most - least) if most > least else 0
            assert column == pytest.approx(first + share * (last - first), abs=1.6)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_of_a_terminal_are_the_rows(
    figures: list[tuple[Figure, Chart]], width: int, counts: Counter[str]
) -> None:
    for figure, chart in figures:
        if chart.kind != "lines":
            continue
        lines = chart_lines(figure, width)
        drawn = [line for line in lines if "┤" in line]
        axis = lines[len(drawn)]
        left = drawn[0].index("┤") + 1
        up = places([(4 * at + 1, line.split("┤")[0]) for at, line in enumerate(drawn) if line.split("┤")[0].strip()])
        ticks = [float(tick) for tick in axis.split()]
        rows = expected_lines(figure, chart)
        known = "".join(line_letters(figure, list_series(figure)))
        assert known == LETTERS[: len(rows)] or chart.colour
        at_end = re.compile(f" ([{re.escape(known)}]+)$")
        letters = [match[1] if (match := at_end.search(line)) else "" for line in drawn]
        assert sorted("".join(letters)) == sorted(known)
        last = left + max(len(line.rstrip(f"{known} ")) - left for line in drawn)
        room = (width - left - 1 - max(map(len, letters))) * 2
        assert last <= width
        for row in rows:
            for x, y in row:
                at_x = round((x - ticks[0]) / (ticks[-1] - ticks[0]) * (room - 1))
                at_y = round((y - up[0]) / up[1])
                assert is_dotted(drawn, left, at_x, at_y), (figure.name, x, y)
                counts["points of terminals read back"] += 1


def is_dotted(drawn: Sequence[str], left: int, x: int, y: int) -> bool:
    """There, or a dot beside it: what is rounded once and what is rounded twice differ."""
    return any(
        DOTS[(y + dy) % 4][(x + dx) % 2] & (ord(f"{drawn[(y + dy) // 4]:<400}"[left + (x + dx) // 2]) - 0x2800)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if 0 <= y + dy < 4 * len(drawn) and x + dx >= 0 and f"{drawn[(y + dy) // 4]:<400}"[left + (x + dx) // 2] != " "
    )


# --- names of all kinds --------------------------------------------------------------------------


WIDE = "田中さくらと佐藤花子と鈴木一郎の三人組"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_letters_that_are_two_columns_wide_move_nothing(width: int) -> None:
    rows = [(WIDE, 3.5, 1.0, 6.0), ("Ann", -1.5, -2.0, -1.0), ("e\u0301" * 40, 2.5, 2.0, 3.0)]
    chart = Chart(kind="means", label="who", value="n", low="low", high="high")
    figure = Figure(name="f", title="t", columns=("who", "n", "low", "high"), rows=rows, sql="", chart=chart)
    *drawn, axis, _says = chart_lines(figure, width)
    assert max(map(cell_len, [*drawn, axis])) <= width
    starts = {cell_len(line[: line.index("│")]) for line in drawn[1:]}
    assert len(starts) == 1
    assert all(re.search(r" −?\d+(\.\d+)?  ", line) for line in drawn)


def test_a_name_that_is_cut_leaves_room_for_the_picture() -> None:
    rows = [("x" * 60, 1), ("y" * 60, 2)]
    figure = Figure(
        name="f", title="t", columns=("who", "n"), rows=rows, sql="", chart=Chart(kind="bars", label="who", value="n")
    )
    for width in (40, 60, 80):
        one, two, *_ = chart_lines(figure, width)
        assert cell_len(two) <= width
        assert two.count("█") >= 20
        assert two.count("█") == pytest.approx(2 * one.count("█"), abs=1)


@pytest.mark.parametrize("kind", ["means", "lines"])
def test_of_how_many_it_is_stands_there_however_long_the_name_is(kind: Literal["means", "lines"]) -> None:
    names = (WIDE * 3, "Christopher-Alexander von Habsburg-Lothringen", "Ann")
    rows = [(name, x, 1.5 * x, 12345) for name in names for x in (1, 2)]
    chart = Chart(kind=kind, label="who", x="x", value="mean", n="n")
    figure = Figure(name="f", title="t", columns=("who", "x", "mean", "n"), rows=rows, sql="", chart=chart)
    svg = drawing(figure)
    assert svg is not None
    texts = ["".join(one.itertext()) for one in svg.iter() if one.get("class", "").split()[:1] in (["name"], ["end"])]
    assert len(texts) == (3 if kind == "lines" else 6)
    assert all(text.endswith(" (12345)") for text in texts)
    for width in (40, 60, 80):
        lines = chart_lines(figure, width)
        assert sum(line.count("(12345)") for line in lines) == len(texts)
        assert max(map(cell_len, lines[:-1])) <= width


def test_a_line_of_a_seat_has_its_colour_and_its_sign() -> None:
    rows = [(name, x, x, colour) for name, colour in (("Anna", "blue"), ("Amos", "white")) for x in (1, 2)]
    chart = Chart(kind="lines", label="who", x="x", value="n", colour="colour")
    figure = Figure(name="f", title="t", columns=("who", "x", "n", "colour"), rows=rows, sql="", chart=chart)
    svg = drawing(figure)
    assert svg is not None
    assert [line.get("class") for line in svg.iter("polyline")] == ["line c-blue", "line c-white"]
    assert [text.text for text in svg.iter("text") if text.get("class") == "sign"] == ["An", "Am"]
    keys = list_line_keys(figure)
    assert [(style, sign, name) for style, _, sign, name in keys] == [
        ("c-blue", "An", "Anna"),
        ("c-white", "Am", "Amos"),
    ]


@pytest.mark.parametrize(
    ("names", "letters"), [(("Cleo", "Anna", "Bob"), "CAB"), (("Bo", "Bea"), "AB"), (("田中さくら", "Ann"), "AB")]
)
def test_a_seat_has_its_letter_in_the_curve_of_a_terminal(names: tuple[str, ...], letters: str) -> None:
    chart = Chart(kind="lines", label="who", x="x", value="n", colour="colour")
    rows = [(name, x, x * (nth + 1), "blue") for nth, name in enumerate(names) for x in (1, 2)]
    figure = Figure(name="f", title="t", columns=("who", "x", "n", "colour"), rows=rows, sql="", chart=chart)
    *drawn, legend, _says = chart_lines(figure, 80)
    assert legend == "  ".join(f"{letter} {name}" for letter, name in zip(letters, names, strict=True))
    # the highest first
    ends = [line[-1] for line in drawn if re.search(" [A-Z]$", line)]
    assert "".join(reversed(ends)) == letters


def test_a_single_point_of_a_line_is_seen() -> None:
    chart = Chart(kind="lines", label="who", x="x", value="n")
    rows = [("a", 1, 2.5), ("b", 2, 3.5)]
    figure = Figure(name="f", title="t", columns=("who", "x", "n"), rows=rows, sql="", chart=chart)
    svg = drawing(figure)
    assert svg is not None
    assert len(list(svg.iter("circle"))) == 2
    assert sum(0x2800 < ord(letter) < 0x2900 for line in chart_lines(figure, 80) for letter in line) == 2


# --- ticks ---------------------------------------------------------------------------------------


def test_between_two_rounds_there_is_no_tick() -> None:
    chart = Chart(kind="lines", label="who", x="round", value="n")
    for rounds in range(1, 14):
        rows = [("a", at, at / 7) for at in range(1, rounds + 1)]
        figure = Figure(name="f", title="t", columns=("who", "round", "n"), rows=rows, sql="", chart=chart)
        svg = drawing(figure)
        assert svg is not None
        ticks = [str(at.text) for at in svg.iter("text") if at.get("text-anchor") == "middle"]
        assert all(said(tick).is_integer() for tick in ticks)
        axis = chart_lines(figure, 80)[-3]
        assert all(float(tick).is_integer() for tick in axis.split())


def test_ticks_of_a_terminal_are_as_far_from_each_other() -> None:
    chart = Chart(kind="lines", label="who", x="x", value="n")
    for most in (1.0, 1.1, 2.5, 3.3, 4.4, 5.5, 60.0, 77.0, 1234.5):
        figure = Figure(
            name="f", title="t", columns=("who", "x", "n"), rows=[("a", 0, 0.0), ("a", 1, most)], sql="", chart=chart
        )
        rows = [at for at, line in enumerate(chart_lines(figure, 80)) if re.match(r" *[\d.]+ ┤", line)]
        assert len({after - before for before, after in pairwise(rows)}) == 1
        assert len(rows) > 1


# --- what is said beside a picture ---------------------------------------------------------------


def test_every_picture_says_what_it_counts(figures: list[tuple[Figure, Chart]]) -> None:
    units = {"points", "£", "money", "seconds", "share", "Elo", "Plackett-Luce's"}
    for figure, chart in figures:
        assert chart.axis.replace(",", " ").split()[0] in units, figure.name
        drawn = chart_lines(figure, 80)
        assert drawn[-1].endswith(chart.axis) if drawn else undrawn_text(figure)
        if chart.kind == "means":
            assert "interval" in chart.axis or "deviations" in chart.axis
