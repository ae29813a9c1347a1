"""A report as one HTML page that needs nothing else: pictures, real tables that can be sorted, the SQL of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from msgspec import structs

from spyrium_log.analysis.figures import Figure, Reported
from spyrium_log.analysis.pictures import draw_picture, list_line_keys, read_resource, read_template
from spyrium_log.analysis.readable import are_numbers, column_texts, interval_texts
from spyrium_log.analysis.sentences import (
    axis_text,
    filter_texts,
    kept_text,
    left_out_text,
    multiplicity_text,
    undrawn_text,
)
from spyrium_log.analysis.translation import FindingTexts, translate_report
from spyrium_log.analysis.words import fill, head_text, word
from spyrium_log.catalogue import ENGLISH
from spyrium_log.exchange.html import seat_style, security_policy
from spyrium_log.shown import plain

# A page of more is slow to open on a phone; `--format csv` has all.
MOST_ROWS = 1000
# A taller table scrolls in a window of its own, so that what comes below it is found.
TALL = 100
# A longer cell may be broken into lines.
LONGEST_LINE = 24
# As wide as a digit, and as a dot: behind values without an interval, or with a short one, so that all stand below
# each other.
FIGURE_SPACE, PUNCTUATION_SPACE = "\u2007", "\u2008"
# A value that is longer, with its head, does not stand beside another one on a phone.
LONGEST_HALF = 16
# Of a longer cell only the beginning is shown until it is unfolded: so much at most.
LONGEST_CELL, LONGEST_BEGINNING = 160, 50


class Column(NamedTuple):
    """`is_extra`: hidden until the reader wants all columns. `is_wide`: takes the whole width of a phone."""

    head: str
    is_number: bool
    is_extra: bool
    is_wide: bool


class Cell(NamedTuple):
    """`value` is sorted by, with all its digits; the interval stands behind the text; `rest` is unfolded."""

    text: str
    pad: str
    interval: str
    rest: str
    value: object
    is_long: bool


class Drawn(NamedTuple):
    """A figure with everything that the page prints of it."""

    figure: Figure
    picture: str
    axis: str
    keys: Sequence[tuple[str, str, str, str]]
    paragraphs: Sequence[Sequence[str]]
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    sql: Markup

    @property
    def is_tall(self) -> bool:
        """Whether the table is so long that it scrolls by itself."""
        return len(self.figure.rows) > TALL

    @property
    def has_extra(self) -> bool:
        """Whether columns are hidden until the reader wants all."""
        return any(column.is_extra for column in self.columns)

    @property
    def left_out(self) -> str:
        """How many rows are not on the page, as a sentence; empty where all are."""
        missing = len(self.figure.rows) - len(self.rows)
        return fill("page.left-out", self.figure.language, n=missing, shown=len(self.rows)) if missing else ""

    @property
    def computed(self) -> str:
        """What is computed from the rows of the SQL, as a sentence; empty where they are the table."""
        maker, language = self.figure.maker, self.figure.language
        return fill("page.computed", language, maker=word("makers", maker, language)) if maker else ""


def report_page(reported: Reported, language: str = ENGLISH, findings: FindingTexts | None = None) -> bytes:
    """The page of one report in a language; `findings` as in `translate_report`."""
    style, script = seat_style() + read_resource("report.css"), read_resource("report.js")
    shown = translate_report(reported, language, findings)
    page = read_template("report.html").render(
        policy=security_policy(script, style),
        style=style,
        script=script,
        # an edition is no language of its own to a browser
        language=language.partition("-")[0],
        reported=shown,
        paragraphs=_split_paragraphs(shown.explanation),
        options=filter_texts(reported, language),
        kept=kept_text(reported, language),
        left_out=left_out_text(reported, language),
        all_columns=fill("page.all-columns", language),
        nothing=fill("sentences.nothing-here", language),
        figures=map(_draw_figure, shown.figures),
    )
    return page.encode()


def _draw_figure(figure: Figure) -> Drawn:
    """Everything that the page prints of a figure."""
    shown = structs.replace(figure, rows=figure.rows[:MOST_ROWS])
    ends = {end for _, *pair in figure.intervals for end in pair}
    order = [*figure.first, *(name for name in figure.columns if name not in figure.first)]
    names = [name for name in order if name not in ends]
    cells = [_column_cells(shown, name) for name in names]
    columns = [_make_column(shown, name, cells_of) for name, cells_of in zip(names, cells, strict=True)]
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
        rows=list(zip(*cells, strict=True)) if cells else [],
        # its lines are kept, unlike those of any other text
        sql=Markup(plain(figure.sql, keep="\n").replace("&", "&amp;").replace("<", "&lt;")),  # noqa: S704 - escaped
    )


def _make_column(figure: Figure, name: str, cells: Sequence[Cell]) -> Column:
    """The head of a column. Those that are not needed first, or in which nothing stands, wait until all are wanted."""
    values = figure.values(name)
    is_empty = all(value is None for value in values)
    is_needed = not figure.first or name in figure.first
    head = head_text(name, figure.language, figure.name)
    is_wide = any(len(head + cell.text + cell.interval) > LONGEST_HALF for cell in cells)
    return Column(head, are_numbers(values), is_empty or not is_needed, is_wide)


def _column_cells(figure: Figure, name: str) -> list[Cell]:
    """The cells of a column; a long text is cut at a comma, and what follows is unfolded."""
    intervals = [" ".join(text.split()).replace("[ ", "[") for text in interval_texts(figure, name)]
    widest = max(intervals, key=len, default="")
    cells = []
    for text, interval, value in zip(column_texts(figure, name), intervals, figure.values(name), strict=True):
        end = len(text)
        if end > LONGEST_CELL:
            end = text.rfind(", ", 0, LONGEST_BEGINNING) + 1 or LONGEST_BEGINNING
        pad = FIGURE_SPACE * (len(widest) - len(interval)) if interval else _blank(f" {widest}".rstrip(" "))
        cells.append(Cell(text[:end], pad, interval, text[end:], value, len(text) > LONGEST_LINE))
    return cells


def _blank(text: str) -> str:
    """What takes as much room as a text of numbers, and shows nothing."""
    return "".join(FIGURE_SPACE if sign.isdigit() or sign == "\u2212" else PUNCTUATION_SPACE for sign in text)


def _split_paragraphs(text: str) -> Sequence[Sequence[str]]:
    """Each paragraph split at its backticks: every second part is the name of a column."""
    return [part.split("`") for part in text.split("\n\n") if part]
