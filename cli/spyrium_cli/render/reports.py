"""Answers of reports: with charts for people; one object, rows, or one table for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.charts import chart_of
from spyrium_cli.render.paper import console, draw, text
from spyrium_cli.render.rows import Rows, least_width, write, write_json
from spyrium_cli.render.surface import is_screen, say
from spyrium_cli.render.text import markdown, plain
from spyrium_cli.terminal import write_line
from spyrium_log.analysis.figures import Figure, Reported, games_left_out, settled, undrawn


def write_report(reported: Reported, form: str, only: str | None) -> None:
    """Write all figures, or the one of that name. CSV has one table: the first, if none is named."""
    figures = [_figure_named(reported, only)] if only else list(reported.figures)
    if form in {"csv", "jsonl"}:
        # rows alone do not say which games they are of
        for sentence in filter(None, (_filters_sentence(reported), games_left_out(reported))):
            say(sentence)
    if form == "json":
        write_json([_report_object(reported, figures)], "jsonl")
    elif form == "jsonl":
        write_json(({"figure": figure.name, **row} for figure in figures for row in _row_objects(figure)), form)
    elif form == "csv":
        write(figures[0].columns, figures[0].rows, form)
    elif form == "md":
        _write_markdown(reported, figures)
    else:
        _draw_report(reported, figures)


def _figure_named(reported: Reported, name: str) -> Figure:
    """The figure of a report with that name; Complaint where there is none."""
    for figure in reported.figures:
        if figure.name == name:
            return figure
    known = ", ".join(figure.name for figure in reported.figures)
    raise Complaint(f"expected a figure of {known}, found '{name}', in report '{reported.name}'")


def _draw_report(reported: Reported, figures: list[Figure]) -> None:
    """Each chart, then its numbers, which are exact. A pipe gets no charts."""
    draw(text(reported.question, "bold"))
    if is_screen():
        _draw_paragraphs(reported.explanation)
    _draw_paragraphs(_filters_sentence(reported))
    if left_out := games_left_out(reported):
        draw(text(left_out))
    for figure in figures:
        write_line()
        draw(text(figure.title, "bold"))
        if is_screen():
            _draw_paragraphs(figure.explanation)
            _draw_chart(figure)
        if not figure.rows:
            draw(text("nothing to list"))
        elif is_screen():
            _draw_table(figure)
        else:
            write(figure.columns, _readable_rows(figure.rows), "table", null="-")


def _filters_sentence(reported: Reported) -> str:
    """Such as `Asked with player Anna, least 3`."""
    filters = [f"{name} {plain(str(value))}" for name, value in reported.chosen.items()]
    return f"Asked with {', '.join(filters)}." if filters else ""


def _draw_paragraphs(paragraphs: str) -> None:
    """Draw each paragraph of an explanation, dimmed: it is not data."""
    for paragraph in filter(None, paragraphs.split("\n\n")):
        draw(text(paragraph, "dim"))


def _draw_chart(figure: Figure) -> None:
    """The chart of a figure, if it has one, and what is missing in it."""
    lines = chart_of(figure, console().width)
    if lines:
        draw(text(""), *map(text, lines))
    if missing := undrawn(figure):
        draw(text(missing, "dim"))


# What a screen shows; a pipe and every other format get all.
MOST_ROWS = 60
LONGEST_CELL = 90


def _draw_table(figure: Figure) -> None:
    """As many columns as have room, and what is left out."""
    rows = _readable_rows(figure.rows[:MOST_ROWS])
    cut_columns = {figure.columns[i] for row in rows for i, value in enumerate(row) if _is_long(value)}
    rows = [[f"{value[:LONGEST_CELL]}…" if _is_long(value) else value for value in row] for row in rows]
    shown = fitting_columns(figure, rows, console().width)
    write([figure.columns[i] for i in shown], [[row[i] for i in shown] for row in rows], "table", null="-")
    hidden = [name for i, name in enumerate(figure.columns) if i not in shown]
    missing = [f"{len(figure.rows) - MOST_ROWS:,} more rows"] if len(figure.rows) > MOST_ROWS else []
    missing += [f"columns {', '.join(hidden)}"] if hidden else []
    missing += [f"the rest of {name}" for name in figure.columns if name in cut_columns and name not in hidden]
    if missing:
        draw(text(f"not shown: {'; '.join(missing)}  (--figure {figure.name} --format csv)", "dim"))


def _is_long(value: Any) -> bool:
    """Whether a cell is a text that a table on a screen cuts."""
    return isinstance(value, str) and len(value) > LONGEST_CELL


def fitting_columns(figure: Figure, rows: Rows, width: int) -> list[int]:
    """The places of the columns that fit: those that the figure needs first, empty ones last.

    Both ends of an interval are shown, or none.
    """
    names_by_need = [*figure.first, *(name for name in figure.columns if name not in figure.first)]
    names_by_need.sort(key=lambda name: all(row[figure.columns.index(name)] is None for row in rows))
    free = width - EDGES
    chosen: list[str] = []
    for name in names_by_need:
        interval = [each for each in (name, _other_end_of_interval(name)) if each in names_by_need]
        width_needed = sum(least_width(each, [row[figure.columns.index(each)] for row in rows]) for each in interval)
        if name not in chosen and (width_needed <= free or not chosen):
            chosen += interval
            free -= width_needed
    return sorted(map(figure.columns.index, chosen))


# The width of a table beside its columns.
EDGES = 2


def _other_end_of_interval(name: str) -> str:
    """`high` of `low`, `win_low` of `win_high`."""
    for end, other in (("low", "high"), ("high", "low")):
        if name == end or name.endswith(f"_{end}"):
            return name.removesuffix(end) + other
    return ""


def _readable_rows(rows: Rows) -> list[list[Any]]:
    """The rows with each value as people read it."""
    return [[readable_value(value) for value in row] for row in rows]


def readable_value(value: Any) -> Any:
    """A value for people: a list or a map as words. Numbers stay numbers, for their columns."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {readable_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(readable_value(each)) for each in value)
    if isinstance(value, float):
        return settled(value)
    return plain(value) if isinstance(value, str) else value


def _write_markdown(reported: Reported, figures: list[Figure]) -> None:
    """The report as a page of Markdown."""
    write_line(f"# {reported.question}")
    if reported.explanation:
        _write_paragraph(reported.explanation)
    for sentence in filter(None, (_filters_sentence(reported), games_left_out(reported))):
        _write_paragraph(markdown(sentence))
    for figure in figures:
        _write_paragraph(f"## {figure.title}")
        if figure.explanation:
            _write_paragraph(figure.explanation)
        write_line()
        if figure.rows:
            write(figure.columns, _readable_rows(figure.rows), "md", null="")
        else:
            write_line("Nothing to list.")


def _write_paragraph(words: str) -> None:
    """Write a paragraph of Markdown, with the empty line that begins it."""
    write_line(f"\n{words}", keep="\n")


def _report_object(reported: Reported, figures: list[Figure]) -> dict[str, Any]:
    """The report as one JSON object. Its keys never change: programs read them."""
    return {
        "report": reported.name,
        "question": reported.question,
        "options": dict(reported.options),
        "figures": [
            {
                "figure": figure.name,
                "title": figure.title,
                "explanation": figure.explanation,
                "rows": list(_row_objects(figure)),
            }
            for figure in figures
        ],
    }


def _row_objects(figure: Figure) -> Iterator[dict[str, Any]]:
    """Each row as an object with the columns as keys."""
    return (dict(zip(figure.columns, row, strict=True)) for row in figure.rows)
