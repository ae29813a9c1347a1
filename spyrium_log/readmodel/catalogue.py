"""The named reports: one SQL file each. Needs no database to be listed.

A file begins with a comment: the question in its first line, then what is counted and how, then the report's own
options as `$name = default: what it does` or `$name needed: what it is`; `needs: aspect` says what of a game it rests
on (`aspects.py`). Every figure begins with `-- ## name: title`; the comment under that explains its table, and hints in
it say how people see it:

- `chart: kind label value … | axis`: what is drawn of it and what the axis counts; `n: column` of how many it is and
  `colour: column` in what colour;
- `first: column …`: which columns people are shown unless they ask for all, those that are needed most at the front;
- `percent: column …` and `signed: column …`: which are rates and which differences;
- `intervals: value low high | …`: which columns bound a value;
- `made by: name`: which computation of the analysis makes its table from what SQL finds.

A figure without SQL has that of the figure before it.

That is English. The words in other languages are in a page of all reports, `locales/reports.LANGUAGE.txt`, a title's
own in its folder: the same comments without dashes, each report below `# name: question`; of its hints `chart: | axis`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise, takewhile

import msgspec
from msgspec import Struct

from spyrium_log.catalogue import read_page
from spyrium_log.checks import nearest_word
from spyrium_log.errors import ReadModelError
from spyrium_log.messages import Reader
from spyrium_log.titles import TITLES

_OPTION = re.compile(r"\$(\w+) (?:= (\S+?)|needed): +(.+)")
_FIGURE = re.compile(r"^-- ## [a-z-]+: .+$")
_NEEDS = re.compile(r"needs: ([a-z]+)$")
_HINT = re.compile(r"^(chart|n|colour|first|percent|signed|intervals|made by): (.+)$")
# Where the words of a report begin in a page.
_SECTION = re.compile(r"^# ", re.MULTILINE)
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
        Option(
            "source",
            "real",
            "where games come from: table, notation, service, scoresheet, simulated; "
            "real: all but simulated ones, which are asked where there are no others",
        ),
        Option("repeated", default=False, help="score sheets of one day with the same players and scores count each"),
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
    percent: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    intervals: tuple[tuple[str, str, str], ...] = ()
    n: str = ""
    colour: str = ""


class Report(Struct, frozen=True):
    """A question with a name, and the tables that answer it. `needs`: the aspect of a game that it rests on."""

    name: str
    question: str
    explanation: str
    options: tuple[Option, ...]
    figures: tuple[FigureQuery, ...]
    needs: str = ""


@cache
def reports(title: str | None = None) -> tuple[Report, ...]:
    """The named reports: those for every title, and a title's own (None: of any), which by default are of its games."""
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
    """The report of this name; ReadModelError names the one that was meant, or all there are."""
    by_name = {report.name: report for report in reports(title)}
    if name in by_name:
        return by_name[name]
    if near := nearest_word(name, list(by_name)):
        raise ReadModelError("similar-report", found=name, word=near)
    raise ReadModelError("unknown-report", known=", ".join(by_name), found=name)


@cache
def report_texts(language: str) -> Mapping[str, Report]:
    """The words of reports in a language, by name, as reports without SQL; none in English, which stands in the SQL."""
    pages = [TITLES[title].tables.report_texts(language) for title in reversed([*TITLES])]
    pages.append(read_page(__package__, "reports", language))
    texts: dict[str, Report] = {}
    for page in pages:
        for section in _SECTION.split(page)[1:]:
            name, _, words = section.partition(": ")
            texts[name] = read_report(name, "\n".join(f"-- {line}".rstrip() for line in words.splitlines()))
    return texts


class OptionHelp(Struct, frozen=True):
    """What an option of a report is, as an argument of a message."""

    report: str
    option: Option

    def text_for(self, reader: Reader) -> str:
        """The help in the reader's language, English where the report has no words for it."""
        texts = report_texts(reader.language).get(self.report)
        known = {option.name: option.help for option in texts.options} if texts else {}
        return known.get(self.option.name, self.option.help)


def question_text(report: Report, language: str) -> str:
    """The question of a report in a language, English where it has no words for it."""
    text = report_texts(language).get(report.name)
    return text.question if text else report.question


def read_report(name: str, text: str, title: str | None = None) -> Report:
    """The report in this text, which needs no heading for a single figure; `title`: the one whose own report it is."""
    lines = text.splitlines()
    starts = [index for index, line in enumerate(lines) if _FIGURE.match(line)]
    if not starts:
        # as in a question that a person saved
        starts = [len(_comment_lines(lines))]
        lines.insert(starts[0], f"-- ## rows: {name}")
    comment = _comment_lines(lines[: starts[0]])
    figures: list[FigureQuery] = []
    for start, end in pairwise([*starts, len(lines)]):
        figures.append(_read_figure(lines[start:end], figures[-1].sql if figures else ""))
    # a question that a person saved may say nothing of itself
    question, *explanation = [line for line in comment if not _OPTION.match(line) and not _NEEDS.match(line)] or [name]
    options = _list_options(figures, _read_options(comment), title)
    needs = "".join(match[1] for match in map(_NEEDS.match, comment) if match)
    return Report(name, question, _join_paragraphs(explanation), options, tuple(figures), needs)


def _list_options(figures: Sequence[FigureQuery], own: Mapping[str, Option], title: str | None) -> tuple[Option, ...]:
    """The options that the SQL of these figures names: a report's `own`, general ones, or needed ones of no comment."""
    known = {**CHOICES, **own}
    if title is not None:
        known["title"] = msgspec.structs.replace(CHOICES["title"], default=title)
    # a page of words has options, and no SQL that names them
    names = dict.fromkeys([*(option for figure in figures for option in figure.options), *own])
    return tuple(known.get(name) or Option(name, None, "its value", needed=True) for name in names)


def _read_options(comment: Sequence[str]) -> dict[str, Option]:
    """The report's own options in its comment, by name; a default is JSON, and one without it is needed."""
    matches = filter(None, map(_OPTION.match, comment))
    return {
        name: Option(name, msgspec.json.decode(default or "null"), explanation, needed=default is None)
        for name, default, explanation in (match.groups() for match in matches)
    }


def _read_figure(lines: Sequence[str], sql_before: str) -> FigureQuery:
    """The figure of these lines: heading, comment with hints on how to draw it, SQL (else that of the one before)."""
    name, _, title = lines[0].removeprefix("-- ## ").partition(": ")
    comment = _comment_lines(lines[1:])
    sql = "\n".join(lines[1 + len(comment) :]).strip().removesuffix(";") or sql_before
    hints = {hint[1]: hint[2] for hint in map(_HINT.match, comment) if hint}
    return FigureQuery(
        name=name,
        title=title,
        explanation=_join_paragraphs([line for line in comment if not _HINT.match(line)]),
        sql=sql,
        options=tuple(dict.fromkeys(OPTION_IN_SQL.findall(sql))),
        chart=tuple(hints.get("chart", "").split()),
        maker=hints.get("made by", ""),
        first=tuple(hints.get("first", "").split()),
        percent=tuple(hints.get("percent", "").split()),
        signed=tuple(hints.get("signed", "").split()),
        n=hints.get("n", ""),
        colour=hints.get("colour", ""),
        intervals=tuple(map(_read_interval, filter(None, hints.get("intervals", "").split("|")))),
    )


def _read_interval(hint: str) -> tuple[str, str, str]:
    """The columns of a value and of the two ends around it: `mean low high`."""
    value, low, high = hint.split()
    return value, low, high


def _comment_lines(lines: Sequence[str]) -> list[str]:
    """The lines of the comment that a report or a figure begins with, without their dashes."""
    return [line[2:].strip() for line in takewhile(lambda line: line.startswith("--"), lines)]


def _join_paragraphs(lines: Sequence[str]) -> str:
    """The lines of a comment as text: an empty line begins another paragraph, any other goes on."""
    paragraphs = "\n".join(lines).split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ").strip() for paragraph in paragraphs if paragraph.strip())
