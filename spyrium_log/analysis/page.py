"""A report as one HTML page that needs nothing else: pictures, real tables that can be sorted, the SQL of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from spyrium_log.analysis.figures import (
    Figure,
    Reported,
    axis_text,
    kept_text,
    left_out_text,
    multiplicity_text,
    undrawn_text,
)
from spyrium_log.analysis.pictures import draw_picture, format_number, list_line_keys, read_resource, read_template
from spyrium_log.exchange.html import security_policy
from spyrium_log.shown import plain

# A page of more is slow to open on a phone; `--format csv` has all.
MOST_ROWS = 1000
# A taller table scrolls in a window of its own, so that what comes below it is found.
TALL = 100
# A longer cell may be broken into lines.
LONGEST_LINE = 50
# Of a longer cell only the beginning is shown until it is unfolded.
LONGEST_CELL = 160


class Column(NamedTuple):
    position: int
    name: str
    is_number: bool


class Cell(NamedTuple):
    """`value` is sorted by, with all its digits; `rest` is unfolded."""

    text: str
    rest: str
    value: object
    is_long: bool


class Drawn(NamedTuple):
    """A figure with everything that the page prints of it."""

    figure: Figure
    picture: str
    axis: str
    keys: Sequence[tuple[int, str, str]]
    paragraphs: Sequence[Sequence[str]]
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    sql: Markup

    @property
    def is_tall(self) -> bool:
        """Whether the table is so long that it scrolls by itself."""
        return len(self.figure.rows) > TALL

    @property
    def left_out(self) -> int:
        """Rows that are not on the page."""
        return len(self.figure.rows) - len(self.rows)


def report_page(reported: Reported) -> bytes:
    """The page of one report."""
    style, script = read_resource("report.css"), read_resource("report.js")
    page = read_template("report.html").render(
        policy=security_policy(script, style),
        style=style,
        script=script,
        reported=reported,
        paragraphs=_split_paragraphs(reported.explanation),
        options={name: _format_value(value) for name, value in reported.chosen.items()},
        kept=kept_text(reported),
        left_out=left_out_text(reported),
        figures=map(_draw_figure, reported.figures),
    )
    return page.encode()


def _draw_figure(figure: Figure) -> Drawn:
    """Everything that the page prints of a figure."""
    columns = [
        Column(index, figure.columns[index], _is_number(figure, index))
        for index in sorted(range(len(figure.columns)), key=lambda index: _column_order(figure, index))
    ]
    drawing = draw_picture(figure)
    return Drawn(
        figure=figure,
        picture=drawing,
        axis=axis_text(figure) if drawing else "",
        keys=list_line_keys(figure),
        paragraphs=_split_paragraphs(
            "\n\n".join((figure.explanation, undrawn_text(figure), multiplicity_text(figure)))
        ),
        columns=columns,
        rows=[[_table_cell(row[column.position]) for column in columns] for row in figure.rows[:MOST_ROWS]],
        # its lines are kept, unlike those of any other text
        sql=Markup(plain(figure.sql, keep="\n").replace("&", "&amp;").replace("<", "&lt;")),  # noqa: S704 - escaped
    )


def _column_order(figure: Figure, index: int) -> int:
    """The place of a column on the page: those that the report wants first are seen without scrolling."""
    name = figure.columns[index]
    return figure.first.index(name) if name in figure.first else len(figure.first) + index


def _is_number(figure: Figure, index: int) -> bool:
    """Whether a column holds numbers alone, and is set to the right."""
    values = [row[index] for row in figure.rows if row[index] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _table_cell(value: Any) -> Cell:
    """A cell of the table; a long text is cut at a comma, and what follows is unfolded."""
    text = _format_value(value)
    end = len(text)
    if end > LONGEST_CELL:
        end = text.rfind(", ", 0, LONGEST_LINE) + 1 or LONGEST_LINE
    return Cell(text[:end], text[end:], value, len(text) > LONGEST_LINE)


def _format_value(value: Any) -> str:
    """A value as people read it: `yes`, `1 234`, `coal 2, gold 1`; nothing of None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_format_value(item)}" for name, item in value.items())
    return str(value)


def _split_paragraphs(text: str) -> Sequence[Sequence[str]]:
    """Each paragraph split at its backticks: every second part is the name of a column."""
    return [part.split("`") for part in text.split("\n\n") if part]
