"""`spyrium new`: the header of a log."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from spyrium_cli import options as shared
from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import WrongCall, shell_message, spoken
from spyrium_cli.files import TITLE_IN_PATH
from spyrium_cli.options import option
from spyrium_cli.recording.new_game import (
    NewGame,
    join_settled_colours,
    load_sheet,
    make_game,
    parse_day,
    read_last_game,
    read_player_names,
    resolve_edition,
    split_names,
    tell_completed,
    usual_colours,
)
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.settings import readings
from spyrium_cli.terminal import ask, write_line

# What loads titles stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log.store import kinds
    from spyrium_log.title import AnyTitle
    from spyrium_log.transcript import Names

EPILOG = """\b
Examples:
  spyrium new --players "Anna,Bob,Cy" --colours "red,blue,green" --first Bob --option crane-discount=whole-cost
  spyrium new --players "Anna,Bob" --date today --place "Bob's kitchen"
  spyrium new --players "Anna,Bob" --edition pl --option crane-discount=site

Without --players it asks; Enter keeps what was played last. The beginning of a known name is completed. The id of the
game goes to stdout, everything else to stderr. `spyrium config` settles options, edition, colours and sheet for all new
games.

An edition is a set of readings of the rules: the settings can change or add one as [editions.NAME]. --edition none
leaves out a settled one; --option comes before both."""


class SheetFile(click.File):
    """A file to read, the name of a sheet that ships, or a path with `{title}` in it, which hangs on the title."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name of a sheet that ships as it is; anything else is a path, as click converts one."""
        from spyrium_log.titles import TITLES

        is_name = any(value in title.sheets for title in TITLES.values()) or TITLE_IN_PATH in value
        return value if is_name and not Path(value).exists() else super().convert(value, param, ctx)


sheet_option = option("--sheet", type=SheetFile("r", encoding="utf-8"), envvar="SPYRIUM_SHEET", show_envvar=True)


@click.command("new", cls=Command, epilog=EPILOG)
@shared.title_option
@click.option("--players", help="Names in the order of seats, with commas between.")
@shared.exact_option
@click.option("--colours", help="Colours in the same order.")
@option("--first", default="1", show_default=True)
@option("--date", "played")
@shared.place_option
@shared.by_option
@shared.edition_option
@shared.reading_option
@sheet_option
@pass_session
def start_game(
    session: Session,
    players: str | None,
    exact: bool,
    colours: str | None,
    first: str,
    played: str | None,
    place: str | None,
    by: str | None,
    edition: str | None,
    options: Sequence[str],
    sheet: IO[str] | str | None,
) -> None:
    """Start a game."""
    from spyrium_log.transcript import Names

    title = session.title
    if players is None:
        new = _ask_for_game(session, title, played, edition, options, exact=exact)
    else:
        names = _read_names(session, title, players, exact=exact)
        colours = join_settled_colours(session, title, len(names)) if colours is None else colours
        chosen = readings.seat_colours(title, colours, len(names))
        new = NewGame(names, chosen, Names(names, chosen).seat_of(first), place, played, edition, options)
    play = make_game(session, title, new, by=by, sheet=load_sheet(session, title, sheet))
    path = session.folder().write_whole(play.encode())
    write_line(play.header.game)
    tell("said.begun", players=", ".join(new.players), place=str(path))


def _read_names(session: Session, title: AnyTitle, text: str, *, exact: bool) -> list[str]:
    """The names in a text with commas between. Unless `exact`, known ones are completed, which is said."""
    typed = split_names(text)
    names = read_player_names(session, title.seats, typed, exact=exact)
    tell_completed(typed, names)
    return names


def _ask_for_game(
    session: Session, title: AnyTitle, played: str | None, edition: str | None, options: Sequence[str], *, exact: bool
) -> NewGame:
    """Ask for what the options leave open, each answer checked before the next; Enter keeps the last game's."""
    from spyrium_log.transcript import Names

    if not _is_interactive():
        raise WrongCall("nobody-to-ask")
    last_game = read_last_game(session)
    last = last_game.header if last_game else None
    names = _ask_players(session, title, last, exact=exact)
    colours = _ask_colours(session, title, last, names)
    read_seat = partial(_read_seat, Names(names, colours))
    seat = ask(spoken(shell_message("said.who-begins")), default=names[0], read=read_seat)
    place = ask(spoken(shell_message("said.where")), default=(last.place if last else None) or "", read=str)
    day = ask(spoken(shell_message("said.when")), default=played or "today", read=parse_day)
    chosen_edition = _ask_edition(session, title, last, edition)
    chosen_options = ask(
        spoken(shell_message("said.readings")),
        default=" ".join(options) or readings.NO_EDITION,
        read=partial(_read_options, title),
    )
    return NewGame(names, colours, seat, place or None, day, chosen_edition, chosen_options)


def _is_interactive() -> bool:
    """Whether somebody at a terminal can read a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask_players(session: Session, title: AnyTitle, last: kinds.AnyHeader | None, *, exact: bool) -> list[str]:
    """Ask for the players; by default those of the last game, else the settled ones."""
    before = [seat.player for seat in last.seats] if last else session.settings.get("players").value or ()
    return ask(
        spoken(shell_message("said.players")),
        default=",".join(before) or None,
        read=lambda text: _read_names(session, title, text, exact=exact),
    )


def _ask_colours(session: Session, title: AnyTitle, last: kinds.AnyHeader | None, names: Sequence[str]) -> list[str]:
    """Ask for the colours; by default each player's of the last game, else the settled or the first ones."""
    from spyrium_log.colours import colour_name

    before = {seat.player: seat.colour for seat in last.seats} if last else {}
    colours = usual_colours(session, title, before, names)
    question = spoken(shell_message("said.colours"))
    usual = ",".join(colour_name(colour, session.language) for colour in colours)
    return ask(question, default=usual, read=lambda text: readings.seat_colours(title, text, len(names)))


def _ask_edition(session: Session, title: AnyTitle, last: kinds.AnyHeader | None, edition: str | None) -> str | None:
    """Ask for an edition, by default that of the call, of the settings or of the last game; None: the settled one."""
    settled = session.settings.get("edition").value

    def read_edition(text: str) -> str:
        """The name of an edition that is known, or `none`."""
        readings.edition_options(session.settings, title, resolve_edition(session, text.strip()))
        return text.strip()

    known = ", ".join(readings.editions(session.settings, title))
    usual = edition or settled or (last.edition if last else None) or readings.NO_EDITION
    question = spoken(shell_message("said.edition", known=known))
    chosen = ask(question, default=usual, read=read_edition)
    return None if chosen == (settled or readings.NO_EDITION) else chosen


def _read_seat(names: Names, text: str) -> int:
    """The seat of a name, a colour or a number."""
    from spyrium_log.errors import NotationError

    try:
        return names.seat_of(text)
    except NotationError as error:
        raise WrongCall("message", message=error) from error


def _read_options(title: AnyTitle, text: str) -> list[str]:
    """The options in an answer, NAME=VALUE with commas or spaces between; [] for `none`. Refuses unknown ones."""
    options = [] if text.strip() == readings.NO_EDITION else text.replace(",", " ").split()
    readings.parse_options([title], readings.split_pairs(options))
    return options
