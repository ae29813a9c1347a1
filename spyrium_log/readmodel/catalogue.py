"""The named reports: one SQL file each. Needs no database to be listed.

A file begins with a comment: the question in its first line, then what is counted and how, then the report's own
options as `$name = default: what it does` or `$name needed: what it is`. Every figure begins with `-- ## name: title`;
the comment under that explains its table, `chart: kind label value … | axis` what is drawn
of it and what the axis counts, `first: column …` which columns a person needs first where not all have room, and
`made by: name` which computation of the analysis makes its table from what SQL finds. A figure
without SQL has that of the figure before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from itertools import pairwise, takewhile

import msgspec
from msgspec import Struct

from spyrium_log.errors import ReadModelError
from spyrium_log.titles import TITLES

_OPTION = re.compile(r"\$(\w+) (?:= (\S+?)|needed): +(.+)")
_FIGURE = re.compile(r"^-- ## [a-z-]+: .+$")
_HINT = re.compile(r"^(chart|first|made by): (.+)$")
OPTION_IN_SQL = re.compile(r"\$([a-z_]+)\b")


class Option(Struct, frozen=True):
    """An option of a report: its default, and what it does."""

    name: str
    default: object
    help: str
    needed: bool = False


# What reports choose their games by. A report takes those that its SQL names.
CHOICES: Mapping[str, Option] = {
    option.name: option
    for option in (
        Option("title", None, "only games of this title"),
        Option("players", None, "only games of so many players"),
        Option("player", None, "only this player"),
        Option("card", None, "only this card, by its id"),
        Option("since", None, "only games played on this day or later"),
        Option("until", None, "only games played on this day or earlier"),
        Option(
            "grade",
            "clean",
            "which games count: clean, open (open findings too), exact (no rulings, all seen), "
            "invented (on invented sets too)",
        ),
        Option("as_recorded", default=False, help="games as they were recorded, before anybody amended them"),
        Option("least", 10, "groups of fewer games are listed, not ranked"),
    )
}


class FigureQuery(Struct, frozen=True):
    """One table of a report: its SQL, the columns that are drawn, and those that are needed first."""

    name: str
    title: str
    explanation: str
    sql: str
    options: tuple[str, ...]
    chart: tuple[str, ...] = ()
    maker: str = ""
    first: tuple[str, ...] = ()


class Report(Struct, frozen=True):
    """A question with a name, and the tables that answer it."""

    name: str
    question: str
    explanation: str
    options: tuple[Option, ...]
    figures: tuple[FigureQuery, ...]


@cache
def reports(title: str | None = None) -> tuple[Report, ...]:
    """The named reports, by name: those for every title, and those of this title's own (None: of any title).

    A report of a title's own is about games of that title by default.
    """
    by_name = {
        name: read_report(name, text, own_title)
        for own_title in reversed([*TITLES])
        if title in {None, own_title}
        for name, text in TITLES[own_title].tables.reports().items()
    }
    for file in resources.files(__package__).joinpath("queries").iterdir():
        name, _, extension = file.name.rpartition(".")
        if extension == "sql":
            by_name[name] = read_report(name, file.read_text(encoding="utf-8"))
    return tuple(by_name[name] for name in sorted(by_name))


def find_report(name: str, title: str | None = None) -> Report:
    """The report of this name; ReadModelError names all there are."""
    for report in reports(title):
        if report.name == name:
            return report
    known = [report.name for report in reports(title)]
    if close := get_close_matches(name, known, n=1):
        raise ReadModelError("similar-report", found=name, word=close[0])
    raise ReadModelError("unknown-report", known=", ".join(known), found=name)


def read_report(name: str, text: str, title: str | None = None) -> Report:
    """A report from its text, which needs no heading for a single figure. `title`: the one whose own report it is."""
    lines = text.splitlines()
    starts = [index for index, line in enumerate(lines) if _FIGURE.match(line)]
    if not starts:
        # A question of one table needs no heading.
        starts = [len(_comment_lines(lines))]
        lines.insert(starts[0], f"-- ## rows: {name}")
    comment = _comment_lines(lines[: starts[0]])
    own = {
        match[1]: Option(match[1], msgspec.json.decode(match[2] or "null"), match[3], match[2] is None)
        for match in map(_OPTION.match, comment)
        if match
    }
    figures: list[FigureQuery] = []
    for start, end in pairwise([*starts, len(lines)]):
        figures.append(_read_figure(lines[start:end], figures[-1].sql if figures else ""))
    if title is not None:
        own["title"] = msgspec.structs.replace(CHOICES["title"], default=title)
    used = dict.fromkeys(option for figure in figures for option in figure.options)
    options = tuple(
        own.get(option) or CHOICES.get(option) or Option(option, None, "its value", needed=True) for option in used
    )
    question, *rest = [line for line in comment if not _OPTION.match(line)] or [name]
    return Report(name, question, _join_paragraphs(rest), options, tuple(figures))


def _read_figure(lines: Sequence[str], sql_before: str) -> FigureQuery:
    """One figure: a heading, its comment with hints on how to draw it, its SQL, or none where it is that before it."""
    name, _, title = lines[0].removeprefix("-- ## ").partition(": ")
    comment = _comment_lines(lines[1:])
    sql = "\n".join(lines[1 + len(comment) :]).strip().removesuffix(";") or sql_before
    hints = {hint[1]: hint[2] for hint in map(_HINT.match, comment) if hint}
    return FigureQuery(
        name,
        title,
        _join_paragraphs([line for line in comment if not _HINT.match(line)]),
        sql,
        tuple(dict.fromkeys(OPTION_IN_SQL.findall(sql))),
        tuple(hints.get("chart", "").split()),
        hints.get("made by", ""),
        tuple(hints.get("first", "").split()),
    )


def _comment_lines(lines: Sequence[str]) -> list[str]:
    """The comment that the lines begin with, without its dashes."""
    return [line[2:].strip() for line in takewhile(lambda line: line.startswith("--"), lines)]


def _join_paragraphs(lines: Sequence[str]) -> str:
    """The lines joined; an empty line begins another paragraph."""
    return "\n\n".join(filter(None, (" ".join(part.split("\n")).strip() for part in "\n".join(lines).split("\n\n"))))
