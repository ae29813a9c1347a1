"""`spyrium games`: list the archive, merge players, put games away."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import GameArgument, Group, pass_session
from spyrium_cli.complaint import Complaint
from spyrium_cli.options import option, wait_option
from spyrium_cli.render.rows import formats
from spyrium_cli.render.text import translate_word
from spyrium_cli.session import FOR_PEOPLE, Session

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Examples:
  spyrium games
  spyrium games --player anna --since 2026-01-01 --grade finished
  spyrium games --format csv
  spyrium games merge Ana Anna
  spyrium games put-away @last
  spyrium games away
  spyrium games bring-back @last

A game that was put away is in a folder of the archive that is not counted; nothing is deleted. Merging changes no log:
it records that two spellings are one person."""

QUESTION = """\
SELECT game.game, title, played, game.place AS "where", source, verdict, final, events,
       list(player ORDER BY seat) AS players, list(total ORDER BY seat) AS totals,
       list(player ORDER BY seat) FILTER (won) AS winners
FROM game JOIN seat USING (game) GROUP BY ALL ORDER BY played NULLS FIRST, game"""
COLUMNS = ("game", "title", "played", "where", "source", "verdict", "final", "events", "players", "totals", "winners")
SOURCES = ("table", "notation", "service", "simulated", "scoresheet")
# columns with words of ours, and the table that translates them
TRANSLATED = {"verdict": "verdicts", "source": "games"}
GRADES = ("clean", "findings", "unusable", "finished", "unfinished")


@click.group("games", cls=Group, epilog=EPILOG, invoke_without_command=True)
@option("--player", "players", multiple=True)
@option("--since", metavar="DAY")
@option("--until", metavar="DAY")
@option("--title")
@option("--grade", "grades", multiple=True, type=click.Choice(GRADES))
@option("--source", type=click.Choice(SOURCES))
@formats()
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, /, form: str, **filters: Any) -> None:
    """List the games of the archive, merge players, put games away."""
    if ctx.invoked_subcommand is None:
        for name in ("since", "until"):
            _check_day(filters[name], name)
        since, until = filters["since"] or "", filters["until"]
        if until and since[: len(until)] > until:
            raise click.UsageError(f"expected --until not before --since ({since}), found {until}")
        _list(session, filters, form)


def _list(session: Session, filters: dict[str, Any], form: str) -> None:
    """List the games that fit the filters."""
    from spyrium_cli.games.people import people_of
    from spyrium_cli.render.rows import headings, write
    from spyrium_cli.sql.index import index_of, warn_if_held
    from spyrium_log.readmodel import query

    language = session.language
    people = people_of(session)
    answer = query(index_of(session), QUESTION)
    warn_if_held(answer.held)
    games = [dict(zip(COLUMNS, row, strict=True)) for row in answer.rows]
    wanted = [people.starting_with(player) for player in filters.pop("players")]
    for game in games:
        game["winners"] = game["winners"] or []
    listed = [game for game in games if _fits(game, wanted, **filters)]
    if form in {"json", "jsonl"}:
        write(COLUMNS, [tuple(game.values()) for game in listed], form)
    else:
        rows = [tuple(_cell(name, game, form, language) for name in COLUMNS) for game in listed]
        write(headings(COLUMNS, "games", form, language), rows, form, null="", language=language)


def _check_day(text: str | None, option: str) -> None:
    if text is not None and not re.fullmatch(r"\d{4}(-\d\d){0,2}", text):
        raise click.UsageError(f"expected a day as 2026-11-18, 2026-11 or 2026 in --{option}, found '{text}'")


def _cell(column: str, game: dict[str, Any], form: str, language: str) -> Any:
    """The value of a column as text, translated in formats for people."""
    value = game[column]
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if form not in FOR_PEOPLE:
        return value
    if column == "final" and game["source"] == "scoresheet":
        # nobody recorded whether it was counted to the end: a sheet holds scores and nothing else
        return None
    return translate_word(value, TRANSLATED[column], language) if column in TRANSLATED else value


def _fits(
    game: dict[str, Any],
    wanted: Sequence[Callable[[str], bool]],
    since: str | None,
    until: str | None,
    title: str | None,
    grades: Sequence[str],
    source: str | None,
) -> bool:
    """Whether a game passes every filter."""
    played = game["played"] or ""
    grade = {game["verdict"], "finished" if game["final"] else "unfinished"}
    return (
        all(any(map(is_wanted, game["players"])) for is_wanted in wanted)
        and (since is None or played >= since)
        # 2026 means all of 2026
        and (until is None or (bool(played) and played[: len(until)] <= until))
        and title in {None, game["title"]}
        and source in {None, game["source"]}
        and grade.issuperset(grades)
    )


@command.command("merge", epilog="\b\nExample:\n  spyrium games merge Ana Anna")
@click.argument("player")
@click.argument("into")
@wait_option
@pass_session
def merge(session: Session, player: str, into: str) -> None:
    """Record that PLAYER and INTO are one person, called INTO."""
    from spyrium_cli.games.people import people_of
    from spyrium_cli.render.surface import say
    from spyrium_log.store import folded

    name = people_of(session).merge(player, into)
    say(f"{player} is {name} from now on, in every list and every new game")
    known = {folded(seat) for seats in session.folder().tables() for seat in seats}
    for each in (player, name):
        if folded(each) not in known:
            say(f"nobody called {each} has played here yet")


@command.command("put-away", epilog="\b\nExample:\n  spyrium games put-away @last")
@click.argument("game", cls=GameArgument)
@wait_option
@pass_session
def put_away(session: Session, game: str) -> None:
    """Move a game out of the archive, such as a test game."""
    from spyrium_cli.games.lookup import writable_path

    _moved(session.folder().put_away(_here(session, writable_path(session, game))))


@command.command("bring-back", epilog="\b\nExample:\n  spyrium games bring-back @last")
@click.argument("game", cls=GameArgument)
@wait_option
@pass_session
def bring_back(session: Session, game: str) -> None:
    """Move a game that was put away back into the archive."""
    folder = session.folder()
    _moved(folder.bring_back(folder.away.resolve(game).stem))


@command.command("away", epilog="\b\nExample:\n  spyrium games away")
@formats()
@pass_session
def away(session: Session, form: str) -> None:
    """List the games that were put away."""
    from spyrium_cli.games.headers import known_games
    from spyrium_cli.render.rows import headings, write

    aliases = session.folder().aliases()
    rows = [
        (known.game, known.played, ", ".join(aliases.persons(known.players)))
        for known in known_games(session.folder().away.path)
    ]
    write(headings(("game", "played", "players"), "games", form, session.language), rows, form, null="")


def _here(session: Session, path: Path) -> str:
    """The name of a log in the archive; refuses any other log."""
    if path.resolve().parent != session.archive.resolve():
        raise Complaint(f"expected a game of the archive {session.archive}, found one elsewhere, at {path}")
    return path.name.removesuffix(".jsonl")


def _moved(path: Path) -> None:
    from spyrium_cli.render.surface import say

    say(f"{path.stem} is at {path}")
