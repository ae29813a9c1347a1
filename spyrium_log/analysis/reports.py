"""Named reports, asked: the SQL of their figures with the options of whoever asks, and what SQL cannot say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias, get_args

from spyrium_log.analysis.figures import Chart, Figure, Kind, Reported
from spyrium_log.analysis.ratings import Rated, course_table, rated_by_title, ratings_table
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel import CHOICES, Answer, Asked, Option, Report, queries, query, report_named
from spyrium_log.store import folded

Maker: TypeAlias = Callable[[Rated, Mapping[str, Any]], Answer]
# From what a table says to what is shown of it, where that is a computation along the games and no sum over them.
MAKERS: Mapping[str, Maker] = {"ratings": ratings_table, "course": course_table}


def ask(database: Path, name: str, options: Mapping[str, object] | None = None, title: str | None = None) -> Reported:
    """The answer to a named question, with its options in place of their defaults.

    `title`: whose own reports there are besides the general ones, by its key (default: those of all titles).
    """
    report = report_named(name, title)
    chosen = _chosen(report, options or {})
    if "game" in chosen:
        chosen["game"] = _one_game(database, str(chosen["game"]))
    for option, what in _NAMES.items():
        if chosen.get(option) is not None:
            if what == "player":
                chosen[option] = _person(database, str(chosen[option]))
            _look_up(database, what, str(chosen[option]))
    # Two tables may be made from one answer.
    options_of = {asked.sql: asked.options for asked in report.figures}
    found = queries(database, [(sql, {name: chosen[name] for name in names}) for sql, names in options_of.items()])
    answers = dict(zip(options_of, found, strict=True))
    rated = {sql: rated_by_title(answers[sql]) for sql in {asked.sql for asked in report.figures if asked.maker}}
    return Reported(
        name=name,
        question=report.question,
        said=report.said,
        options=chosen,
        figures=tuple(
            _figure(asked, MAKERS[asked.maker](rated[asked.sql], chosen) if asked.maker else answers[asked.sql], chosen)
            for asked in report.figures
        ),
        held=any(answer.held for answer in found),
    )


def _chosen(report: Report, options: Mapping[str, object]) -> dict[str, object]:
    known = {option.name: option.default for option in report.options}
    unknown = sorted(options.keys() - known.keys())
    if unknown:
        takes = f"an option of {', '.join(sorted(known))}" if known else "no option"
        raise ReadModelError(f"expected {takes}, found '{unknown[0]}', in report '{report.name}'")
    chosen = {**known, **options}
    for option in report.options:
        if option.needed and chosen[option.name] is None:
            raise ReadModelError(f"expected {option.name} ({option.help}), found nothing, in report '{report.name}'")
        _check(report, option, chosen[option.name])
    _check_days(report, chosen)
    return chosen


GRADES = ("clean", "open", "exact")
# A year, a month or a day: they are compared as they are written, and so must be written alike.
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


def _check_days(report: Report, chosen: Mapping[str, object]) -> None:
    """A month holds all of its days, so that `since` may be one of those of `until`."""
    since, until = chosen.get("since"), chosen.get("until")
    if isinstance(since, str) and isinstance(until, str) and since[: len(until)] > until:
        raise ReadModelError(f"expected until not before since ({since}), found {until}, in report '{report.name}'")


def _check(report: Report, option: Option, value: object) -> None:
    """SQL would take it, and answer another question than was asked. A question of one's own has its own options."""
    if value is None or option != CHOICES.get(option.name):
        return
    if option.name in {"players", "least"}:
        wanted = "" if type(value) is int and value > 0 else "a number from 1 on"
    elif option.name == "as_recorded":
        wanted = "" if isinstance(value, bool) else "true or false"
    elif option.name == "grade":
        wanted = "" if value in GRADES else f"one of {', '.join(GRADES)}"
    elif option.name in {"since", "until"}:
        is_day = isinstance(value, str) and _DAY.fullmatch(value)
        wanted = "" if is_day else "a day such as 2026-11-18, a month or a year"
    else:
        wanted = "" if isinstance(value, str) else "a text"
    if wanted:
        raise ReadModelError(f"expected {option.name} to be {wanted}, found '{value}', in report '{report.name}'")


# Options that are a name of something, and where it has to stand for a report to say anything of it.
_NAMES = {"title": "title", "player": "player", "against": "player", "card": "card"}
_KNOWN = {
    "title": "SELECT title FROM game UNION SELECT title FROM card",
    "player": "SELECT player FROM seat",
    "card": "SELECT card FROM card UNION SELECT card FROM holding",
}


def _person(database: Path, said: str) -> str:
    """Whom a name means: another spelling of a person answers for the person."""
    rows = query(database, "SELECT player FROM alias WHERE spelling = $said", {"said": folded(said)}).rows
    return str(rows[0][0]) if rows else said


def _look_up(database: Path, what: str, said: str) -> None:
    """A name that nobody has would be answered with nothing."""
    known = {name for (name,) in query(database, f"SELECT DISTINCT * FROM ({_KNOWN[what]})").rows}  # noqa: S608 - ours
    if known and said not in known:
        near = get_close_matches(said, known, n=1)
        meant = f": did you mean '{near[0]}'?" if near else ""
        raise ReadModelError(f"expected a {what} that the archive knows, found '{said}'{meant}")


# So many are named where one was wanted.
MOST_NAMED = 5


def _one_game(database: Path, said: str) -> str:
    """The id that this is, or the beginning of; a report on two games at once would be one on none."""
    sql = "SELECT game FROM game WHERE starts_with(game, $said) ORDER BY game LIMIT $most"
    found = [game for (game,) in query(database, sql, {"said": said, "most": MOST_NAMED + 1}).rows]
    if said in found or len(found) == 1:
        return said if said in found else str(found[0])
    many = ", ".join(found[:MOST_NAMED]) + (" …" if len(found) > MOST_NAMED else "")
    raise ReadModelError(
        f"expected the beginning of one game's id, found '{said}'" + (f", which {many} have" if many else "")
    )


def _figure(asked: Asked, made: Answer, chosen: Mapping[str, object]) -> Figure:
    return Figure(
        name=asked.name,
        title=asked.title,
        columns=made.columns,
        rows=made.rows,
        sql=_spelt(asked.sql, chosen),
        said=asked.said,
        chart=_chart(asked, made),
        first=asked.first,
        made=asked.maker,
    )


_OPTION = re.compile(r"\$([a-z_]+)\b")


def _spelt(sql: str, chosen: Mapping[str, object]) -> str:
    """The question with its options as they were chosen, so that it can be asked again as it stands."""
    return _OPTION.sub(lambda found: _literal(chosen[found[1]]), sql)


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


def _chart(asked: Asked, answer: Answer) -> Chart | None:
    """`means label value low high`, `bars label value` or `lines label x value`, then `|` and what the axis counts."""
    if not asked.chart:
        return None
    drawn, _, says = " ".join(asked.chart).partition(" | ")
    kind, *columns = drawn.split()
    if kind not in get_args(Kind) or not set(columns) <= set(answer.columns):
        known = ", ".join(answer.columns)
        raise ReadModelError(f"expected a chart of {known}, found '{drawn}', in figure '{asked.name}'")
    names: dict[str, Any] = dict(zip(_AXES[kind], columns, strict=True))
    return Chart(kind=kind, says=says, **names)  # type: ignore[arg-type]  # one of the kinds, as was just asked


_AXES = {"bars": ("label", "value"), "means": ("label", "value", "low", "high"), "lines": ("label", "x", "value")}
