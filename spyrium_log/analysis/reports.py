"""Running a named report: the SQL of its figures with the chosen options, and what SQL cannot compute."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias, get_args

from spyrium_log.analysis.figures import Chart, Figure, Kind, Reported
from spyrium_log.analysis.ratings import Rated, course_table, rated_by_title, ratings_table
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.answers import Answer, queries
from spyrium_log.readmodel.answers import query as query_rows
from spyrium_log.readmodel.catalogue import CHOICES, FigureQuery, Option, Report, report_named
from spyrium_log.store import fold_name

Maker: TypeAlias = Callable[[Rated, Mapping[str, Any]], Answer]
# Makes a table from the rows of its SQL, where that is a computation along the games and no sum over them.
MAKERS: Mapping[str, Maker] = {"ratings": ratings_table, "course": course_table}


def ask(database: Path, name: str, options: Mapping[str, object] | None = None, title: str | None = None) -> Reported:
    """The answer to a report, with these options in place of their defaults.

    `title`: whose own reports there are besides the general ones, by its key (default: those of all titles).
    """
    report = report_named(name, title)
    chosen = _chosen_options(report, options or {})
    if "game" in chosen:
        chosen["game"] = _game_of_prefix(database, str(chosen["game"]))
    for option, what in _NAMED_BY_OPTION.items():
        if chosen.get(option) is not None:
            if what == "player":
                chosen[option] = _player_of_spelling(database, str(chosen[option]))
            _check_known(database, what, str(chosen[option]))
    # Two tables may be made from one answer.
    options_of = {figure.sql: figure.options for figure in report.figures}
    found = queries(database, [(sql, {name: chosen[name] for name in names}) for sql, names in options_of.items()])
    answers = dict(zip(options_of, found, strict=True))
    rated = {sql: rated_by_title(answers[sql]) for sql in {figure.sql for figure in report.figures if figure.maker}}
    return Reported(
        name=name,
        question=report.question,
        explanation=report.explanation,
        options=chosen,
        figures=tuple(
            _figure(each, MAKERS[each.maker](rated[each.sql], chosen) if each.maker else answers[each.sql], chosen)
            for each in report.figures
        ),
        held=any(answer.held for answer in found),
    )


def _chosen_options(report: Report, options: Mapping[str, object]) -> dict[str, object]:
    """All options of a report with their values, checked; ReadModelError for one that it does not have."""
    known = {option.name: option.default for option in report.options}
    unknown = sorted(options.keys() - known.keys())
    if unknown:
        takes = f"an option of {', '.join(sorted(known))}" if known else "no option"
        raise ReadModelError(f"expected {takes}, found '{unknown[0]}', in report '{report.name}'")
    chosen = {**known, **options}
    for option in report.options:
        if option.needed and chosen[option.name] is None:
            raise ReadModelError(f"expected {option.name} ({option.help}), found nothing, in report '{report.name}'")
        _check_option(report, option, chosen[option.name])
    _check_days(report, chosen)
    return chosen


GRADES = ("clean", "open", "exact")
# A year, a month or a day: they are compared as they are written, and so must be written alike.
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


def _check_days(report: Report, chosen: Mapping[str, object]) -> None:
    """Check that the days are in order; a month includes all of its days."""
    since, until = chosen.get("since"), chosen.get("until")
    if isinstance(since, str) and isinstance(until, str) and since[: len(until)] > until:
        raise ReadModelError(f"expected until not before since ({since}), found {until}, in report '{report.name}'")


def _check_option(report: Report, option: Option, value: object) -> None:
    """Check the value of a general option, for SQL would take any. A person's own report may define it otherwise."""
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
_NAMED_BY_OPTION = {"title": "title", "player": "player", "against": "player", "card": "card"}
_KNOWN_NAMES_SQL = {
    "title": "SELECT title FROM game UNION SELECT title FROM card",
    "player": "SELECT player FROM seat",
    "card": "SELECT card FROM card UNION SELECT card FROM holding",
}


def _player_of_spelling(database: Path, name: str) -> str:
    """The person of this name or spelling."""
    rows = query_rows(
        database, "SELECT player FROM alias WHERE spelling = $spelling", {"spelling": fold_name(name)}
    ).rows
    return str(rows[0][0]) if rows else name


def _check_known(database: Path, what: str, name: str) -> None:
    """Refuse a name that nobody has, for which a report would be empty."""
    known = {row[0] for row in query_rows(database, f"SELECT DISTINCT * FROM ({_KNOWN_NAMES_SQL[what]})").rows}  # noqa: S608 - ours
    if known and name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f": did you mean '{near[0]}'?" if near else ""
        raise ReadModelError(f"expected a {what} that the archive knows, found '{name}'{hint}")


# The most games that are named where the beginning of an id is ambiguous.
MOST_NAMED = 5


def _game_of_prefix(database: Path, prefix: str) -> str:
    """The id that is this, or the only one that begins so."""
    sql = "SELECT game FROM game WHERE starts_with(game, $prefix) ORDER BY game LIMIT $most"
    games = [game for (game,) in query_rows(database, sql, {"prefix": prefix, "most": MOST_NAMED + 1}).rows]
    if prefix in games or len(games) == 1:
        return prefix if prefix in games else str(games[0])
    several = ", ".join(games[:MOST_NAMED]) + (" …" if len(games) > MOST_NAMED else "")
    raise ReadModelError(
        f"expected the beginning of one game's id, found '{prefix}'" + (f", which {several} have" if several else "")
    )


def _figure(query: FigureQuery, answer: Answer, chosen: Mapping[str, object]) -> Figure:
    """An answer with what the report says of it: title, explanation, chart."""
    return Figure(
        name=query.name,
        title=query.title,
        columns=answer.columns,
        rows=answer.rows,
        sql=_with_options(query.sql, chosen),
        explanation=query.explanation,
        chart=_chart_of(query, answer),
        first=query.first,
        maker=query.maker,
    )


_OPTION = re.compile(r"\$([a-z_]+)\b")


def _with_options(sql: str, chosen: Mapping[str, object]) -> str:
    """The SQL with its options filled in, so that it can be run again as it stands."""
    return _OPTION.sub(lambda match: _sql_literal(chosen[match[1]]), sql)


def _sql_literal(value: object) -> str:
    """A value as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


def _chart_of(query: FigureQuery, answer: Answer) -> Chart | None:
    """`means label value low high`, `bars label value` or `lines label x value`, then `|` and what the axis counts."""
    if not query.chart:
        return None
    drawn, _, axis = " ".join(query.chart).partition(" | ")
    kind, *columns = drawn.split()
    if kind not in get_args(Kind) or not set(columns) <= set(answer.columns):
        known = ", ".join(answer.columns)
        raise ReadModelError(f"expected a chart of {known}, found '{drawn}', in figure '{query.name}'")
    names: dict[str, Any] = dict(zip(_AXES[kind], columns, strict=True))
    return Chart(kind=kind, axis=axis, **names)  # type: ignore[arg-type]  # one of the kinds, as was just checked


_AXES = {"bars": ("label", "value"), "means": ("label", "value", "low", "high"), "lines": ("label", "x", "value")}
