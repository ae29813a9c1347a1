"""Answers of reports: with charts for people; one object, rows, or one table for programs."""

from __future__ import annotations

from typing import Any

from spyrium_cli.complaint import Complaint, call_message
from spyrium_cli.render.charts import chart_lines
from spyrium_cli.render.paper import console, draw, text
from spyrium_cli.render.rows import Rows, least_width, row_objects, write, write_json, write_object
from spyrium_cli.render.surface import is_screen, say
from spyrium_cli.render.text import escape_markdown, plain
from spyrium_cli.terminal import write_line
from spyrium_log.analysis.figures import Figure, Reported, drop_dust, left_out_text, undrawn_text

# What a screen shows; a pipe and every other format get all.
MOST_ROWS = 60
LONGEST_CELL = 90
# The width of a table beside its columns.
EDGES = 2


def write_report(reported: Reported, form: str, only: str | None) -> None:
    """Write all figures, or the one of that name. CSV has one table: the first, if none is named."""
    figures = [_find_figure(reported, only)] if only else list(reported.figures)
    if form in {"csv", "jsonl"}:
        # rows alone do not say which games they are of
        for sentence in filter(None, (_explain_selection(reported), left_out_text(reported))):
            say(sentence)
    if form == "json":
        write_object(_report_object(reported, figures), "jsonl")
    elif form == "jsonl":
        rows = ((figure, row) for figure in figures for row in row_objects(figure.columns, figure.rows))
        write_json(({"figure": figure.name, **row} for figure, row in rows), form)
    elif form == "csv":
        write(figures[0].columns, figures[0].rows, form)
    elif form == "md":
        _write_markdown(reported, figures)
    else:
        _draw_report(reported, figures)


def _find_figure(reported: Reported, name: str) -> Figure:
    """The figure of a report with that name; Complaint where there is none."""
    figures = {figure.name: figure for figure in reported.figures}
    if name not in figures:
        raise Complaint(call_message("figure", known=", ".join(figures), found=name, report=reported.name))
    return figures[name]


def _draw_report(reported: Reported, figures: list[Figure]) -> None:
    """Each chart, then its numbers, which are exact. A pipe gets no charts."""
    draw(text(reported.question, "bold"))
    if is_screen():
        _draw_paragraphs(reported.explanation)
    _draw_paragraphs(_explain_selection(reported))
    if left_out := left_out_text(reported):
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


def _explain_selection(reported: Reported) -> str:
    """What the tables are of, as `Filters: player Anna, least 3.`, and what `low` and `high` are if they have them."""
    filters = ", ".join(f"{name} {plain(str(value))}" for name, value in reported.chosen.items())
    sentences = [f"Filters: {filters}."] if filters else []
    if any("low" in figure.columns for figure in reported.figures):
        sentences.append("low and high: a 95 % interval.")
    return " ".join(sentences)


def _draw_paragraphs(paragraphs: str) -> None:
    """Draw each paragraph of an explanation, dimmed: it is not data."""
    for paragraph in filter(None, paragraphs.split("\n\n")):
        draw(text(paragraph, "dim"))


def _draw_chart(figure: Figure) -> None:
    """Draw the chart of a figure, if it has one, and name what is missing in it."""
    lines = chart_lines(figure, console().width)
    if lines:
        draw(text(""), *map(text, lines))
    if missing := undrawn_text(figure):
        draw(text(missing, "dim"))


def _draw_table(figure: Figure) -> None:
    """Draw as many columns of a figure as have room, and name what is left out."""
    rows = _readable_rows(figure.rows[:MOST_ROWS])
    columns = dict(zip(figure.columns, zip(*rows, strict=True), strict=True))
    shown = fitting_columns(figure, rows, console().width)
    cut = {name: [_cut_cell(value) for value in values] for name, values in columns.items() if name in shown}
    write(shown, list(zip(*cut.values(), strict=True)), "table", null="-")
    hidden = [name for name in figure.columns if name not in shown]
    missing = [f"{len(figure.rows) - MOST_ROWS:,} more rows"] if len(figure.rows) > MOST_ROWS else []
    missing += [f"columns {', '.join(hidden)}"] if hidden else []
    missing += [f"the rest of {name}" for name, values in cut.items() if values != list(columns[name])]
    if missing:
        draw(text(f"not shown: {'; '.join(missing)}  (--figure {figure.name} --format csv)", "dim"))


def _cut_cell(value: Any) -> Any:
    """The value; a text that is too long for a table on a screen is cut."""
    is_long = isinstance(value, str) and len(value) > LONGEST_CELL
    return f"{value[:LONGEST_CELL]}…" if is_long else value


def fitting_columns(figure: Figure, rows: Rows, width: int) -> list[str]:
    """The columns that fit, in their order: `figure.first` are taken first, empty ones last; an interval as a whole."""
    columns = dict(zip(figure.columns, zip(*rows, strict=True), strict=True))
    names_by_need = [*figure.first, *(name for name in figure.columns if name not in figure.first)]
    names_by_need.sort(key=lambda name: all(value is None for value in columns[name]))
    free = width - EDGES
    chosen: list[str] = []
    for name in names_by_need:
        interval = [end for end in (name, _other_end_of_interval(name)) if end in columns]
        width_needed = sum(least_width(end, columns[end]) for end in interval)
        if name not in chosen and (width_needed <= free or not chosen):
            chosen += interval
            free -= width_needed
    return [name for name in figure.columns if name in chosen]


def _other_end_of_interval(name: str) -> str:
    """`high` of `low`, `win_low` of `win_high`; empty for a column that is no end of an interval."""
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
        return ", ".join(f"{name} {readable_value(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(readable_value(part)) for part in value)
    if isinstance(value, float):
        return drop_dust(value)
    return plain(value) if isinstance(value, str) else value


def _write_markdown(reported: Reported, figures: list[Figure]) -> None:
    """Write a heading with the question, then a heading and a table for each figure. Charts are for screens."""
    write_line(f"# {reported.question}")
    if reported.explanation:
        _write_paragraph(reported.explanation)
    for sentence in filter(None, (_explain_selection(reported), left_out_text(reported))):
        _write_paragraph(escape_markdown(sentence))
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
                "rows": list(row_objects(figure.columns, figure.rows)),
            }
            for figure in figures
        ],
    }
