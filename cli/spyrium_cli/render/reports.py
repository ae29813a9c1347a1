"""Answers to named questions: for people with pictures, for programs as one object, rows, or one table."""

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


def tell(reported: Reported, form: str, only: str | None) -> None:
    """All figures, or the one of that name. CSV is one table: the first, if none is named."""
    figures = [_named(reported, only)] if only else list(reported.figures)
    if form in {"csv", "jsonl"}:
        # Rows alone do not say which games they are of.
        for told in filter(None, (_chosen(reported), games_left_out(reported))):
            say(told)
    if form == "json":
        write_json([_object(reported, figures)], "jsonl")
    elif form == "jsonl":
        write_json(({"figure": figure.name, **row} for figure in figures for row in _objects(figure)), form)
    elif form == "csv":
        write(figures[0].columns, figures[0].rows, form)
    elif form == "md":
        _tell_markdown(reported, figures)
    else:
        _tell(reported, figures)


def _named(reported: Reported, name: str) -> Figure:
    for figure in reported.figures:
        if figure.name == name:
            return figure
    known = ", ".join(figure.name for figure in reported.figures)
    raise Complaint(f"expected a figure of {known}, found '{name}', in report '{reported.name}'")


def _tell(reported: Reported, figures: list[Figure]) -> None:
    """The picture first, then its numbers: all of them, for a picture rounds. A pipe gets no picture."""
    draw(text(reported.question, "bold"))
    if is_screen():
        _say(reported.said)
    _say(_chosen(reported))
    if left := games_left_out(reported):
        draw(text(left))
    for figure in figures:
        write_line()
        draw(text(figure.title, "bold"))
        if is_screen():
            _say(figure.said)
            _picture(figure)
        if not figure.rows:
            draw(text("nothing to list"))
        elif is_screen():
            _fit(figure)
        else:
            write(figure.columns, _told(figure.rows), "table", null="-")


def _chosen(reported: Reported) -> str:
    """Which games the answer is of, and from how many on something is ranked."""
    said = [f"{name} {plain(str(value))}" for name, value in reported.chosen.items()]
    return f"Asked with {', '.join(said)}." if said else ""


def _say(paragraphs: str) -> None:
    for paragraph in filter(None, paragraphs.split("\n\n")):
        draw(text(paragraph, "dim"))


def _picture(figure: Figure) -> None:
    lines = chart_of(figure, console().width)
    if lines:
        draw(text(""), *map(text, lines))
    if left := undrawn(figure):
        draw(text(left, "dim"))


# A screen shows no more rows and no more columns than a person reads; a pipe and every other format get all.
MOST_ROWS = 60
LONGEST_CELL = 90


def _fit(figure: Figure) -> None:
    """The columns that are needed first, as many as have room, and what is left out."""
    rows = _told(figure.rows[:MOST_ROWS])
    cut = {figure.columns[i] for row in rows for i, value in enumerate(row) if _is_long(value)}
    rows = [[f"{value[:LONGEST_CELL]}…" if _is_long(value) else value for value in row] for row in rows]
    places = fitting(figure, rows, console().width)
    write([figure.columns[i] for i in places], [[row[i] for i in places] for row in rows], "table", null="-")
    left = [name for i, name in enumerate(figure.columns) if i not in places]
    said = [f"{len(figure.rows) - MOST_ROWS:,} more rows"] if len(figure.rows) > MOST_ROWS else []
    said += [f"columns {', '.join(left)}"] if left else []
    said += [f"the rest of {name}" for name in figure.columns if name in cut and name not in left]
    if said:
        draw(text(f"not shown: {'; '.join(said)}  (--figure {figure.name} --format csv)", "dim"))


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_CELL


def fitting(figure: Figure, rows: Rows, width: int) -> list[int]:
    """The places of the columns that have room, in their order: those that are needed first go first, empty ones last.

    One end of an interval without the other would mislead.
    """
    names = [*figure.first, *(name for name in figure.columns if name not in figure.first)]
    names.sort(key=lambda name: all(row[figure.columns.index(name)] is None for row in rows))
    free = width - EDGES
    found: list[str] = []
    for name in names:
        unit = [each for each in (name, _other_end(name)) if each in names]
        needs = sum(least_width(each, [row[figure.columns.index(each)] for row in rows]) for each in unit)
        if name not in found and (needs <= free or not found):
            found += unit
            free -= needs
    return sorted(map(figure.columns.index, found))


# What a table takes beside its columns.
EDGES = 2


def _other_end(name: str) -> str:
    """`low` and `high`, `win_low` and `win_high`."""
    for end, other in (("low", "high"), ("high", "low")):
        if name == end or name.endswith(f"_{end}"):
            return name.removesuffix(end) + other
    return ""


def _told(rows: Rows) -> list[list[Any]]:
    """Values as people say them."""
    return [[said(value) for value in row] for row in rows]


def said(value: Any) -> Any:
    """A list or a map as words; numbers stay numbers, so that they stand below each other."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {said(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(said(one)) for one in value)
    if isinstance(value, float):
        return settled(value)
    return plain(value) if isinstance(value, str) else value


def _tell_markdown(reported: Reported, figures: list[Figure]) -> None:
    write_line(f"# {reported.question}")
    if reported.said:
        _write_paragraph(reported.said)
    if chosen := _chosen(reported):
        _write_paragraph(markdown(chosen))
    if left := games_left_out(reported):
        _write_paragraph(markdown(left))
    for figure in figures:
        _write_paragraph(f"## {figure.title}")
        if figure.said:
            _write_paragraph(figure.said)
        write_line()
        if figure.rows:
            write(figure.columns, _told(figure.rows), "md", null="")
        else:
            write_line("Nothing to list.")


def _write_paragraph(words: str) -> None:
    write_line(f"\n{words}", keep="\n")


def _object(reported: Reported, figures: list[Figure]) -> dict[str, Any]:
    return {
        "report": reported.name,
        "question": reported.question,
        "options": dict(reported.options),
        "figures": [
            {"figure": figure.name, "title": figure.title, "said": figure.said, "rows": list(_objects(figure))}
            for figure in figures
        ],
    }


def _objects(figure: Figure) -> Iterator[dict[str, Any]]:
    return (dict(zip(figure.columns, row, strict=True)) for row in figure.rows)
