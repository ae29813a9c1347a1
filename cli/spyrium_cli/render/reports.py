"""Answers of reports: with charts for people; one object, rows, or one table for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from rich.cells import cell_len

from spyrium_cli.complaint import Complaint, call_message
from spyrium_cli.render.charts import chart_lines
from spyrium_cli.render.paper import close_listing, console, draw, grid, text
from spyrium_cli.render.rows import FOLDED, row_objects, write, write_json, write_object
from spyrium_cli.render.surface import is_screen, say
from spyrium_cli.render.text import escape_markdown
from spyrium_cli.session import FOR_PEOPLE
from spyrium_cli.terminal import write_line
from spyrium_log.analysis.figures import Figure, Reported, drop_dust
from spyrium_log.analysis.readable import MISSING, ReadableColumn, notes_text, readable_columns, readable_text
from spyrium_log.analysis.sentences import kept_text, left_out_text, multiplicity_text, selection_text, undrawn_text
from spyrium_log.analysis.translation import FindingTexts, translate_report
from spyrium_log.analysis.words import fill, head_text
from spyrium_log.catalogue import ENGLISH

# What a screen shows; a pipe and every other format get all.
MOST_ROWS = 60
LONGEST_CELL = 90
# What a cell ends in that is cut.
CUT = "…"
# The width of a table beside its columns, and between two of them.
EDGES = 1
GAP = 2


def write_report(
    reported: Reported,
    form: str,
    only: str | None,
    *,
    wide: bool = False,
    language: str = ENGLISH,
    findings: FindingTexts | None = None,
) -> None:
    """Write all figures, or the one of that name. CSV has one table: the first, if none is named.

    `wide`: all columns on a screen, too; every other form has them anyway. `language`: of formats for people, and of
    notes beside the others. `findings` as in `translate_report`.
    """
    shown = translate_report(reported, language, findings) if form in FOR_PEOPLE else reported
    figures = [_find_figure(shown, only)] if only else list(shown.figures)
    about_games = (selection_text(reported, language), kept_text(reported, language), left_out_text(reported, language))
    if form in {"csv", "jsonl"}:
        # rows alone do not say which games they are of
        for sentence in filter(None, about_games):
            say(sentence)
    if form == "json":
        write_object(_report_object(reported, figures), "jsonl")
    elif form == "jsonl":
        rows = ((figure, row) for figure in figures for row in row_objects(figure.columns, figure.rows))
        write_json(({"figure": figure.name, **row} for figure, row in rows), form)
    elif form == "csv":
        write(figures[0].columns, figures[0].rows, form)
    elif form == "md":
        _write_markdown(shown, about_games, figures)
    else:
        _draw_report(shown, about_games, figures, wide=wide)


def _find_figure(reported: Reported, name: str) -> Figure:
    """The figure of a report with that name; Complaint where there is none."""
    figures = {figure.name: figure for figure in reported.figures}
    if name not in figures:
        raise Complaint(call_message("figure", known=", ".join(figures), found=name, report=reported.name))
    return figures[name]


def _draw_report(reported: Reported, about_games: Sequence[str], figures: list[Figure], *, wide: bool) -> None:
    """Each chart, then its numbers, which are exact. A pipe gets no charts.

    `about_games`: what the tables are of, then how many games count for that, and how many do not.
    """
    draw(text(reported.heading, "bold"))
    if is_screen():
        _draw_paragraphs(reported.explanation)
    filters, *games = about_games
    _draw_paragraphs(filters)
    for sentence in filter(None, games):
        draw(text(sentence))
    for figure in figures:
        write_line()
        draw(text(figure.title, "bold"))
        if is_screen():
            _draw_paragraphs(figure.explanation)
            _draw_chart(figure)
        if not figure.rows:
            draw(text(fill("sentences.nothing", figure.language)))
        elif is_screen():
            _draw_table(figure, wide=wide)
        else:
            write(_heads(figure), _readable_rows(figure), "table", null="-")


def _heads(figure: Figure) -> Sequence[str]:
    """The heads of a table in a pipe or of Markdown: in English the names of the columns."""
    if figure.language == ENGLISH:
        return figure.columns
    return [head_text(name, figure.language, figure.name) for name in figure.columns]


def _draw_paragraphs(paragraphs: str) -> None:
    """Draw each paragraph of an explanation, dimmed: it is not data."""
    for paragraph in filter(None, paragraphs.split("\n\n")):
        draw(text(paragraph, "dim"))


def _draw_chart(figure: Figure) -> None:
    """Draw the chart of a figure, if it has one, and name what is missing in it."""
    lines = chart_lines(figure, console().width)
    if lines:
        draw(text(""), *map(text, lines))
    for sentence in filter(None, (undrawn_text(figure), multiplicity_text(figure))):
        draw(text(sentence, "dim"))


def _draw_table(figure: Figure, *, wide: bool) -> None:
    """Draw the columns that people read first, as many as have room; `wide`: all. Names what is left out."""
    shown_figure = msgspec.structs.replace(figure, rows=figure.rows[:MOST_ROWS])
    columns = [_cut_column(column) for column in readable_columns(shown_figure, wide=wide)]
    width = console().width
    shown = fitting_columns(columns, width)
    if wide and len(shown) < len(columns):
        _draw_row_by_row(columns)
        shown = columns
    else:
        _draw_side_by_side(shown, width)
    names = {name for column in shown for name in column.names}
    if notes := notes_text(shown_figure, names):
        draw(text(notes, "dim", keep="\n"))
    if missing := _missing_text(figure, shown, names):
        draw(text(missing, "dim"))


def _missing_text(figure: Figure, shown: Sequence[ReadableColumn], names: Collection[str]) -> str:
    """What a screen does not show of a figure, and how to see it; `names`: the columns that `shown` shows."""
    language = figure.language
    hidden = [head for head, name in zip(_heads(figure), figure.columns, strict=True) if name not in names]
    cut = [column.head for column in shown if any(cell.endswith(CUT) for cell in column.cells)]
    rows = len(figure.rows) - MOST_ROWS
    missing = [fill("sentences.more-rows", language, n=rows)] if rows > 0 else []
    missing += [fill("sentences.columns", language, names=", ".join(hidden))] if hidden else []
    missing += [fill("sentences.rest", language, head=head) for head in cut]
    if not missing:
        return ""
    options = f"{fill('sentences.wide', language)} " if hidden else ""
    return fill("sentences.not-shown", language, what="; ".join(missing), options=options, figure=figure.name)


def _cut_column(column: ReadableColumn) -> ReadableColumn:
    """The column; a text that is too long for a table on a screen is cut."""
    return column._replace(
        cells=[f"{cell[:LONGEST_CELL]}{CUT}" if len(cell) > LONGEST_CELL else cell for cell in column.cells]
    )


def _draw_row_by_row(columns: Sequence[ReadableColumn]) -> None:
    """Each row as lines of head and value, for a table that is wider than the screen."""
    for number, cells in enumerate(zip(*(column.cells for column in columns), strict=True), 1):
        table = grid("left", "left")
        for column, cell in zip(columns, cells, strict=True):
            table.add_row(text(column.head, "bold"), text(cell.strip()))
        draw(text(f"— {number} —", "dim"), table)


def _draw_side_by_side(columns: Sequence[ReadableColumn], width: int) -> None:
    """The columns beside each other, with heads of several lines where the cells below are narrow."""
    free = width - EDGES - sum(map(_least_width, columns))
    widths = []
    for column in columns:
        least = _least_width(column) - GAP
        more = min(free, max(map(cell_len, column.cells), default=0) - least)
        widths.append(least + max(0, more))
        free -= max(0, more)
    heads = ["\n".join(_head_lines(column.head, width)) for column, width in zip(columns, widths, strict=True)]
    table = close_listing(heads, [column.is_number for column in columns], widths)
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    draw(table)


def _head_lines(head: str, width: int) -> list[str]:
    """The words of a head in lines that are no wider than the column, if its words allow that."""
    return textwrap.wrap(head, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]


def _least_width(column: ReadableColumn) -> int:
    """The least width of a column, with the gap after it: of its longest word, and of its cells unless they fold."""
    widest = max(map(cell_len, column.cells), default=0)
    if not column.is_number:
        widest = min(widest, FOLDED)
    return max(widest, *map(cell_len, column.head.split() or [""])) + GAP


def fitting_columns(columns: Sequence[ReadableColumn], width: int) -> list[ReadableColumn]:
    """The columns that fit beside each other, the first of them at any rate; empty ones are the last to be taken."""
    by_need = sorted(columns, key=lambda column: not any(cell.strip() not in {"", MISSING} for cell in column.cells))
    free = width - EDGES
    chosen: list[ReadableColumn] = []
    for column in by_need:
        needed = _least_width(column)
        if needed <= free or not chosen:
            chosen.append(column)
            free -= needed
    return [column for column in columns if column in chosen]


def _readable_rows(figure: Figure) -> list[list[Any]]:
    """The rows with each value as people read it. Numbers stay numbers, for their columns."""
    return [[_readable_value(value, figure.language) for value in row] for row in figure.rows]


def _readable_value(value: Any, language: str) -> Any:
    """A value for a column of a table in a pipe or of Markdown; what is missing stays None."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    return drop_dust(value) if isinstance(value, float) else readable_text(value, language)


def _write_markdown(reported: Reported, about_games: Sequence[str], figures: list[Figure]) -> None:
    """Write a heading with the question, then a heading and a table for each figure. Charts are for screens."""
    write_line(f"# {reported.heading}")
    if reported.explanation:
        _write_paragraph(reported.explanation)
    for sentence in filter(None, about_games):
        _write_paragraph(escape_markdown(sentence))
    for figure in figures:
        _write_paragraph(f"## {figure.title}")
        if figure.explanation:
            _write_paragraph(figure.explanation)
        write_line()
        if figure.rows:
            write(_heads(figure), _readable_rows(figure), "md", null="")
        else:
            write_line(fill("sentences.nothing-here", figure.language))


def _write_paragraph(words: str) -> None:
    """Write a paragraph of Markdown, with the empty line that begins it."""
    write_line(f"\n{words}", keep="\n")


def _report_object(reported: Reported, figures: list[Figure]) -> dict[str, Any]:
    """The report as one JSON object. Its keys never change: programs read them."""
    return {
        "report": reported.name,
        "question": reported.question,
        "simulated": reported.simulated,
        "needs": reported.needs,
        "games_kept": reported.kept and reported.kept.games,
        "games_asked": reported.kept and reported.kept.asked,
        "games_assumed": reported.kept and reported.kept.assumed,
        "assumed_share": reported.kept and reported.kept.assumed_share,
        "options": dict(reported.options),
        "figures": [
            {
                "figure": figure.name,
                "title": figure.title,
                "explanation": figure.explanation,
                "rows": list(row_objects(figure.columns, figure.rows)),
            }
            for figure in figures
        ],
    }
