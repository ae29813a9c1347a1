"""Answers to named questions: for people with pictures, for programs as one object, rows, or one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.charts import chart_of
from spyrium_cli.render.paper import console, draw, is_screen, text
from spyrium_cli.render.rows import write, write_json
from spyrium_log.analysis.figures import Figure, Reported


def tell(reported: Reported, form: str, only: str | None) -> None:
    """All figures, or the one of that name. CSV is one table: the first, if none is named."""
    figures = [_named(reported, only)] if only else list(reported.figures)
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
    if reported.said and is_screen():
        draw(text(reported.said, "dim"))
    for figure in figures:
        click.echo()
        draw(text(figure.title, "bold"))
        if figure.said and is_screen():
            draw(text(figure.said, "dim"))
        if is_screen():
            draw(*(text(line) for line in ["", *chart_of(figure, console().width)] if line or figure.chart))
        if figure.rows:
            write(figure.columns, figure.rows, "table", null="-")
        else:
            draw(text("nothing to list"))


def _tell_markdown(reported: Reported, figures: list[Figure]) -> None:
    click.echo(f"# {reported.question}")
    if reported.said:
        click.echo(f"\n{reported.said}")
    for figure in figures:
        click.echo(f"\n## {figure.title}\n")
        if figure.said:
            click.echo(f"{figure.said}\n")
        if figure.rows:
            write(figure.columns, figure.rows, "md", null="")
        else:
            click.echo("Nothing to list.")


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
