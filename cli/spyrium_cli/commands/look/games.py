"""`spyrium games`: list the archive, merge players, put games away."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict, Unpack

import click

from spyrium_cli.command import GameArgument, Group, pass_session
from spyrium_cli.complaint import Complaint, WrongCall, call_message
from spyrium_cli.games import overview
from spyrium_cli.games.headers import list_known_games
from spyrium_cli.games.lookup import writable_path
from spyrium_cli.options import dry_run_option, option, wait_option
from spyrium_cli.render.rows import formats, line_width, translate_headings, write
from spyrium_cli.render.surface import tell
from spyrium_cli.session import FOR_PEOPLE, Session

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
it records that two spellings are one person. The newest
game stands first, by as much of its id as names it. 63★ won. 63 (≠61): the table declared 63, which counts, and the log
adds up to 61."""

QUESTION = """\
SELECT game.game, title, played, game.place AS "where", source, verdict, final, events,
       list(player ORDER BY seat) AS players, list(total ORDER BY seat) AS totals,
       list(seat.assumed ORDER BY seat) AS assumed, list(folded ORDER BY seat) AS folded,
       coalesce(list(player ORDER BY seat) FILTER (won), []) AS winners
FROM game JOIN seat USING (game) GROUP BY ALL ORDER BY played DESC NULLS LAST, game DESC"""
COLUMNS = (
    *("game", "title", "played", "where", "source", "verdict", "final", "events"),
    *("players", "totals", "assumed", "folded", "winners"),
)
# A game by these columns; `final`: it was counted to the end.
GameRow: TypeAlias = dict[str, Any]
SOURCES = ("table", "notation", "service", "simulated", "scoresheet")
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
def manage_games(ctx: click.Context, session: Session, /, form: str, **filters: Unpack[Filters]) -> None:
    """List the games of the archive, merge players, put games away."""
    if ctx.invoked_subcommand is None:
        _list_games(session, filters, form)


class Filters(TypedDict):
    """Which games to list; a filter that is None or empty takes every game."""

    players: Sequence[str]
    since: str | None
    until: str | None
    title: str | None
    grades: Sequence[str]
    source: str | None


def _list_games(session: Session, filters: Filters, form: str) -> None:
    """Write the games of the archive that pass every filter."""
    from spyrium_cli.sql.index import refresh_index, warn_if_held
    from spyrium_log.readmodel.answers import query

    _check_days(filters["since"], filters["until"])
    language = session.language
    answer = query(refresh_index(session), QUESTION)
    warn_if_held(answer.held)
    spelled = session.folder().read_aliases().spelled
    name_tests = [_make_name_test(player, spelled) for player in filters["players"]]
    games = [dict(zip(COLUMNS, row, strict=True)) for row in answer.rows]
    listed = [game for game in games if _passes_filters(game, filters, name_tests)]
    if form in FOR_PEOPLE:
        short = overview.shorten_ids([game["game"] for game in games])
        width = line_width(len(overview.COLUMNS)) if form == "table" else None
        lines = overview.make_rows(listed, short, language, width)
        write(translate_headings(overview.COLUMNS, "games", form, language), lines, form, language=language)
    else:
        is_json = form in {"json", "jsonl"}
        write(COLUMNS, [tuple(game.values()) if is_json else _join_lists(game) for game in listed], form, null="")


def _join_lists(game: GameRow) -> list[Any]:
    """The cells of a game in CSV: a list as one text."""
    return [", ".join(map(str, value)) if isinstance(value, list) else value for value in game.values()]


def _check_days(since: str | None, until: str | None) -> None:
    """Refuse a `--since` or `--until` that is no year, month or day, and two with no day between them; None passes."""
    for option_name, day in (("since", since), ("until", until)):
        if day is not None and not re.fullmatch(r"\d{4}(-\d\d){0,2}", day):
            raise WrongCall("day-in", option=option_name, found=day)
    # from 2026-11-18 until 2026-11 there are days: a month or a year has all of its own
    if since and until and since[: len(until)] > until:
        raise WrongCall("days", since=since, found=until)


def _make_name_test(typed: str, spelled: Mapping[str, str]) -> Callable[[str], bool]:
    """A test for names that begin so, in any of their spellings. `spelled`: the person's name by folded spelling."""
    from spyrium_log.store import fold_name

    beginning = fold_name(typed)
    names = {name for spelling, name in spelled.items() if spelling.startswith(beginning)}
    return lambda name: name in names or fold_name(name).startswith(beginning)


def _passes_filters(game: GameRow, filters: Filters, name_tests: Sequence[Callable[[str], bool]]) -> bool:
    """Whether a game passes every filter; for each test, one of its players has such a name."""
    # a game without a day is before every day, and until none
    played, until = game["played"] or "", filters["until"]
    grades = {game["verdict"], "finished" if game["final"] else "unfinished"}
    return (
        all(any(map(is_named_so, game["players"])) for is_named_so in name_tests)
        and played >= (filters["since"] or "")
        # 2026 means all of 2026
        and (until is None or (bool(played) and played[: len(until)] <= until))
        and filters["title"] in {None, game["title"]}
        and filters["source"] in {None, game["source"]}
        and grades.issuperset(filters["grades"])
    )


MERGE_EPILOG = """\b
Examples:
  spyrium games merge Ana Anna --dry-run
  spyrium games merge Ana Anna
  spyrium games merge Ana Anna --undo

Both have played here, or are in the settings. PLAYER may also be the id of a player in another program."""


@manage_games.command("merge", epilog=MERGE_EPILOG)
@click.argument("player")
@click.argument("into")
@click.option("--undo", is_flag=True, help="Take it back: PLAYER is somebody else again.")
@dry_run_option
@wait_option
@pass_session
def merge_players(session: Session, player: str, into: str, undo: bool, dry_run: bool) -> None:
    """Record that PLAYER and INTO are one person, called INTO."""
    from spyrium_cli.games import merging
    from spyrium_log.messages import Count
    from spyrium_log.store import fold_name

    names = merging.check_separation(session, player, into) if undo else merging.check_merge(session, player, into)
    games = merging.list_games(session, player)
    if dry_run:
        after = {fold_name(player): player if undo else names.name}
        heads = translate_headings(("game", "played", "players"), "games", "table", session.language)
        write(heads, [game.make_row(after) for game in games], "table", null="")
        key = "said.would-separate" if undo else "said.would-merge"
        tell(key, player=names.player, name=names.name, games=Count(len(games), "game"))
        return
    if undo:
        session.folder().remove_alias(names.name, player)
        tell("said.separated", player=names.player, name=names.name, games=Count(len(games), "game"))
        return
    # merged before: there is nothing to write
    if not names.are_one:
        session.folder().add_alias(names.name, [player])
    tell("said.renamed", player=names.player, name=names.name)
    words = shlex.join((player, names.name))
    tell("said.merged-games", player=player, games=Count(len(games), "game"), words=words)


@manage_games.command("put-away", epilog="\b\nExample:\n  spyrium games put-away @last")
@click.argument("game", cls=GameArgument)
@wait_option
@pass_session
def put_game_away(session: Session, game: str) -> None:
    """Move a game out of the archive, such as a test game."""
    path = writable_path(session, game)
    if path.resolve().parent != session.archive.resolve():
        raise Complaint(call_message("elsewhere", archive=str(session.archive), place=str(path)))
    put_away_path = session.folder().put_away(path.name.removesuffix(".jsonl"))
    tell("said.game-at", game=put_away_path.stem, place=str(put_away_path))


@manage_games.command("bring-back", epilog="\b\nExample:\n  spyrium games bring-back @last")
@click.argument("game", cls=GameArgument)
@wait_option
@pass_session
def bring_game_back(session: Session, game: str) -> None:
    """Move a game that was put away back into the archive."""
    folder = session.folder()
    path = folder.bring_back(folder.away.resolve(game).stem)
    tell("said.game-at", game=path.stem, place=str(path))


@manage_games.command("away", epilog="\b\nExample:\n  spyrium games away")
@formats()
@pass_session
def list_games_away(session: Session, form: str) -> None:
    """List the games that were put away."""
    aliases = session.folder().read_aliases()
    games = list_known_games(session.folder().away.path)
    rows = [(game.game, game.played, ", ".join(aliases.resolve_names(game.players))) for game in games]
    write(translate_headings(("game", "played", "players"), "games", form, session.language), rows, form, null="")
