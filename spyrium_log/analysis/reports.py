"""Running a named report: the SQL of its figures with the chosen options, and what SQL cannot compute."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias, get_args

from spyrium_log.analysis.figures import REAL, SIMULATED, Chart, Figure, Kept, Kind, Reported
from spyrium_log.analysis.ratings import Rated, make_course_table, make_ratings_table, rate_titles
from spyrium_log.analysis.sentences import LEFT_OUT
from spyrium_log.catalogue import shared_words
from spyrium_log.errors import ReadModelError
from spyrium_log.messages import Message
from spyrium_log.readmodel.answers import Answer, query, query_together
from spyrium_log.readmodel.catalogue import CHOICES, OPTION_IN_SQL, FigureQuery, OptionHelp, Report, find_report
from spyrium_log.store import fold_name, kinds

Maker: TypeAlias = Callable[[Rated, Mapping[str, Any]], Answer]
# Make a table from the rows of its SQL, where that is a computation along the games and no sum over them.
MAKERS: Mapping[str, Maker] = {"ratings": make_ratings_table, "course": make_course_table}


def run_report(
    database: Path, name: str, options: Mapping[str, object] | None = None, title: str | None = None
) -> Reported:
    """Answer a report, with these options in place of their defaults.

    `title`: whose own reports there are besides the general ones, by its key (default: those of all titles).
    """
    report = find_report(name, title)
    chosen = _resolve_names(database, _check_options(report, options or {}))
    # Two figures may be made from one answer.
    options_of = {figure.sql: figure.options for figure in report.figures}
    statements = [(sql, {option: chosen[option] for option in used}) for sql, used in options_of.items()]
    answers = dict(zip(options_of, query_together(database, statements), strict=True))
    rated = {sql: rate_titles(answers[sql]) for sql in {figure.sql for figure in report.figures if figure.maker}}
    tables = [
        MAKERS[figure.maker](rated[figure.sql], chosen) if figure.maker else answers[figure.sql]
        for figure in report.figures
    ]
    figures = tuple(_make_figure(figure, table, chosen) for figure, table in zip(report.figures, tables, strict=True))
    return Reported(
        name=name,
        question=report.question,
        explanation=report.explanation,
        options=chosen,
        figures=figures,
        held=any(answer.held for answer in answers.values()),
        simulated=_is_simulated(database, chosen),
        needs=report.needs,
        kept=_count_kept_games(database, report.needs, chosen, _count_left_out(figures)),
        title=_find_title(database, chosen),
        set_names=_read_set_names(database),
    )


# The parameters of chosen(), by the options that choose games.
_PARAMETERS = {
    "title": "of_title",
    "players": "of_players",
    "since": "since",
    "until": "until",
    "grade": "of_grade",
    "source": "of_source",
    "player": "of_player",
    "repeated": "of_repeated",
    "as_recorded": "as_recorded",
}


def _count_kept_games(database: Path, needs: str, chosen: Mapping[str, object], left_out: int) -> Kept | None:
    """How many games count for what a report rests on, and how much of their points is assumed.

    `left_out`: how many the report says do not count; those are more where it has reasons of its own.
    """
    if not needs:
        return None
    values = {option: chosen[option] for option in _PARAMETERS if option in chosen}
    arguments = ", ".join(f"{_PARAMETERS[option]} := ${option}" for option in values)
    sql = _KEPT_SQL.replace("{arguments}", arguments)
    kept = Kept(*query(database, sql, {**values, "needs": needs}).rows[0])
    games = min(kept.games, kept.asked - left_out)
    return kept._replace(games=games, assumed=min(kept.assumed, games))


def _count_left_out(figures: Iterable[Figure]) -> int:
    """How many games count for nothing in a report, as it says itself."""
    return sum(
        row["games"]
        for figure in figures
        if figure.name == LEFT_OUT
        for row in (dict(zip(figure.columns, row, strict=True)) for row in figure.rows)
        if row.get("counts", "not") == "not"
    )


_KEPT_SQL = """\
WITH asked AS MATERIALIZED (SELECT game, reason FROM chosen({arguments}, of_aspect := $needs)),
parts AS (SELECT game, points, assumed FROM score_part SEMI JOIN (FROM asked WHERE reason IS NULL) USING (game))
SELECT count(*) FILTER (reason IS NULL), count(*),
    (SELECT count(DISTINCT game) FILTER (assumed != 0) FROM parts),
    (SELECT sum(abs(assumed)) / nullif(sum(abs(points)), 0) FROM parts)
FROM asked"""


def _find_title(database: Path, chosen: Mapping[str, object]) -> str | None:
    """The title that a report is of: that which was asked for, or that of its game."""
    if "game" not in chosen:
        return None if chosen.get("title") is None else str(chosen["title"])
    rows = query(database, "SELECT title FROM game WHERE game = $game", {"game": chosen["game"]}).rows
    return str(rows[0][0]) if rows else None


# A set names a component in a language by a value of this name with the language behind it.
NAMED = "name-"


def _read_set_names(database: Path) -> dict[tuple[str, str], str]:
    """What the sets of the archive call their components, by language and id."""
    sql = "SELECT DISTINCT what, component, value FROM sheet_value WHERE starts_with(what, $named) ORDER BY ALL"
    rows = query(database, sql, {"named": NAMED}).rows
    return {(str(what).removeprefix(NAMED), str(component)): str(name) for what, component, name in rows}


def _is_simulated(database: Path, chosen: Mapping[str, object]) -> bool:
    """Whether what is asked are simulated games: by their source, or because there are no others."""
    if "source" in chosen:
        return chosen["source"] == SIMULATED or (
            chosen["source"] == REAL and query(database, _ALL_SIMULATED_SQL).rows == [(True,)]
        )
    return query(database, "SELECT source FROM game WHERE game = $game", {"game": chosen.get("game")}).rows == [
        (SIMULATED,)
    ]


_ALL_SIMULATED_SQL = "SELECT count(*) > 0 AND is_all_simulated() FROM game"


def _check_options(report: Report, options: Mapping[str, object]) -> dict[str, object]:
    """All options of a report with their values; ReadModelError for one that it does not have or a wrong value."""
    known = {option.name: option.default for option in report.options}
    if unknown := sorted(options.keys() - known.keys()):
        if known:
            raise ReadModelError("option", known=", ".join(sorted(known)), found=unknown[0], report=report.name)
        raise ReadModelError("no-options", found=unknown[0], report=report.name)
    chosen = {**known, **options}
    for option in report.options:
        value = chosen[option.name]
        if option.needed and value is None:
            explained = OptionHelp(report.name, option)
            raise ReadModelError("option-missing", option=option.name, help=explained, report=report.name)
        kind, is_valid = _CHECKS.get(option.name, ("text", lambda value: isinstance(value, str)))
        # A person's own report may define a general option otherwise.
        if value is not None and option == CHOICES.get(option.name) and not is_valid(value):
            raise ReadModelError(f"option-{kind}", option=option.name, found=str(value), report=report.name)
    since, until = chosen.get("since"), chosen.get("until")
    # A month includes all of its days.
    if isinstance(since, str) and isinstance(until, str) and since[: len(until)] > until:
        raise ReadModelError("days", since=since, until=until, report=report.name)
    return chosen


GRADES = ("clean", "open", "exact", "invented")
SOURCES = (REAL, *get_args(kinds.Source))
# A year, a month or a day: they are compared as they are written, and so must be written alike.
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


def _is_day(value: object) -> bool:
    """Whether it is a day such as 2026-11-18, a month or a year."""
    return isinstance(value, str) and _DAY.fullmatch(value) is not None


def _is_count(value: object) -> bool:
    """Whether it is a whole number from 1 on; true and false are none."""
    return type(value) is int and value > 0


# What the values of some general options have to be, for SQL would take any: the end of the key of the message that
# says so, and how to tell. The others are texts.
_CHECKS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "players": ("count", _is_count),
    "least": ("count", _is_count),
    "repeated": ("switch", lambda value: isinstance(value, bool)),
    "as_recorded": ("switch", lambda value: isinstance(value, bool)),
    "grade": ("grade", GRADES.__contains__),
    "source": ("source", SOURCES.__contains__),
    "since": ("day", _is_day),
    "until": ("day", _is_day),
}

# Options that are a name of something, and where it has to stand for a report to say anything of it.
_KIND_OF_NAME = {"title": "title", "player": "player", "against": "player", "card": "card"}
_KNOWN_NAMES_SQL = {
    "title": "SELECT title FROM game UNION SELECT title FROM card",
    "player": "SELECT player FROM seat",
    "card": "SELECT card FROM card UNION SELECT card FROM holding",
}


def _resolve_names(database: Path, chosen: Mapping[str, object]) -> dict[str, object]:
    """The options with whole ids of games and names of people for spellings; ReadModelError for an unknown name."""
    resolved = dict(chosen)
    if "game" in chosen:
        resolved["game"] = _find_game(database, str(chosen["game"]))
    for option, kind in _KIND_OF_NAME.items():
        if chosen.get(option) is not None:
            name = str(chosen[option])
            resolved[option] = _find_player(database, name) if kind == "player" else name
            _check_known(database, kind, str(resolved[option]))
    return resolved


def _find_player(database: Path, name: str) -> str:
    """The person whom players.toml means by this spelling; the name itself where it means nobody."""
    rows = query(database, "SELECT player FROM alias WHERE spelling = $spelling", {"spelling": fold_name(name)}).rows
    return str(rows[0][0]) if rows else name


def _check_known(database: Path, kind: str, name: str) -> None:
    """Refuse a name that nobody has, for which a report would be empty."""
    known = {row[0] for row in query(database, f"SELECT DISTINCT * FROM ({_KNOWN_NAMES_SQL[kind]})").rows}  # noqa: S608 - ours
    if known and name not in known:
        expected = Message(shared_words, f"index.known-{kind}")
        if near := get_close_matches(name, known, n=1):
            raise ReadModelError("unknown-near", expected=expected, found=name, near=near[0])
        raise ReadModelError("unknown", expected=expected, found=name)


# The most games that are named where the beginning of an id is ambiguous.
MOST_NAMED = 5


def _find_game(database: Path, prefix: str) -> str:
    """The id of the game that a person names by its beginning; ReadModelError where none or several begin so."""
    sql = "SELECT game FROM game WHERE starts_with(game, $prefix) ORDER BY game LIMIT $most"
    games = [str(game) for (game,) in query(database, sql, {"prefix": prefix, "most": MOST_NAMED + 1}).rows]
    if prefix in games or len(games) == 1:
        return prefix if prefix in games else games[0]
    if games:
        several = ", ".join(games[:MOST_NAMED]) + (" …" if len(games) > MOST_NAMED else "")
        raise ReadModelError("game-several", found=prefix, games=several)
    raise ReadModelError("game", found=prefix)


def _make_figure(figure: FigureQuery, answer: Answer, chosen: Mapping[str, object]) -> Figure:
    """An answer with what the report says of it; its SQL has the options filled in, so that it can be run again."""
    return Figure(
        name=figure.name,
        title=figure.title,
        columns=answer.columns,
        rows=answer.rows,
        sql=OPTION_IN_SQL.sub(lambda match: _sql_literal(chosen[match[1]]), figure.sql),
        explanation=figure.explanation,
        chart=_read_chart(figure, answer),
        first=figure.first,
        percent=figure.percent,
        signed=figure.signed,
        intervals=figure.intervals,
        maker=figure.maker,
    )


def _sql_literal(value: object) -> str:
    """A value as SQL writes it: `NULL`, `true`, `3`, `'spyrium'`."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"


_COLUMNS_OF_CHART = {
    "bars": ("label", "value"),
    "means": ("label", "value", "low", "high"),
    "lines": ("label", "x", "value", "low", "high"),
}


def _read_chart(figure: FigureQuery, answer: Answer) -> Chart | None:
    """The chart that a report asks for: `means label value low high | what the axis counts`; None for none."""
    if not figure.chart:
        return None
    drawn, _, axis = " ".join(figure.chart).partition(" | ")
    kind, *columns = drawn.split()
    if kind not in get_args(Kind) or not {*columns, *filter(None, (figure.n, figure.colour))} <= set(answer.columns):
        raise ReadModelError("chart", known=", ".join(answer.columns), found=drawn, figure=figure.name)
    names: dict[str, Any] = dict(zip(_COLUMNS_OF_CHART[kind], columns, strict=kind != "lines"))
    return Chart(kind=kind, axis=axis, n=figure.n, colour=figure.colour, **names)  # type: ignore[arg-type]  # one of the kinds, as was just checked
