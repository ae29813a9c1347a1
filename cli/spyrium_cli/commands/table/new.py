"""`spyrium new`: the header of a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli import options as shared
from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint, WrongCall, call_message, shell_message, spoken
from spyrium_cli.files import TITLE_IN_PATH, fill_in_title
from spyrium_cli.games.headers import list_latest_logs
from spyrium_cli.identity import make_game_id, now, today, user_name
from spyrium_cli.options import LONGEST_ID, option
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.settings import readings
from spyrium_cli.terminal import ask, write_line

# What loads titles stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.sheet import Sheet
    from spyrium_log.title import AnyTitle
    from spyrium_log.transcript import Names

# As long as a log takes it.
LONGEST_TEXT = 500
# Twenty times the sheet that ships.
LONGEST_SHEET = 1 << 20

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


class Answers(NamedTuple):
    """What a new game is made of; the day, edition and options as they were typed."""

    players: Sequence[str]
    colours: Sequence[str]
    first: int
    place: str | None
    played: str | None
    edition: str | None
    options: Sequence[str]


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
    from spyrium_log.play import Play
    from spyrium_log.transcript import Names

    title = session.title
    if players is None:
        answers = _ask_for_game(session, title, played, edition, options, exact=exact)
    else:
        names = _read_player_names(session, title, players, exact=exact)
        colours = _join_settled_colours(session, title, len(names)) if colours is None else colours
        chosen = readings.seat_colours(title, colours, len(names))
        answers = Answers(names, chosen, Names(names, chosen).seat_of(first), place, played, edition, options)
    play = Play.new(
        title,
        game=make_game_id(),
        players=answers.players,
        colours=answers.colours,
        first=answers.first,
        by=check_length(by or user_name(), "--by", LONGEST_ID),
        at=now(),
        options=readings.parse_options([title], collect_options(session, title, answers.edition, answers.options)),
        edition=resolve_edition(session, answers.edition),
        sheet=load_sheet(session, title, sheet),
        played=_parse_day(answers.played) if answers.played is not None else None,
        place=check_length(answers.place, "--place", LONGEST_TEXT) if answers.place else None,
    )
    path = session.folder().write_whole(play.encode())
    write_line(play.header.game)
    tell("said.begun", players=", ".join(answers.players), place=str(path))


def _read_player_names(session: Session, title: AnyTitle, text: str, *, exact: bool) -> list[str]:
    """The names in a text with commas between. Unless `exact`, known ones are completed, which is said."""
    from spyrium_cli.games.headers import resolve_names

    typed = [check_length(name.strip(), "--players", LONGEST_ID) for name in text.split(",")]
    if "" in typed:
        raise WrongCall("names", found=text)
    if len(typed) not in title.seats:
        has_no_commas = len(typed) == 1 and " " in text.strip()
        hint = call_message("no-commas", text=text) if has_no_commas else ""
        raise WrongCall("players", least=title.seats[0], most=title.seats[-1], found=len(typed), hint=hint)
    _check_distinct(typed)
    if exact:
        return typed
    names = [check_length(name, "--players", LONGEST_ID) for name in resolve_names(session, typed)]
    for before, name in zip(typed, names, strict=True):
        if before != name:
            tell("said.exact", typed=before, name=name)
    _check_distinct(names)
    return names


def _check_distinct(names: Sequence[str]) -> None:
    """Refuse a name that two players have, in any case."""
    folded = [name.casefold() for name in names]
    if twice := {name for name in names if folded.count(name.casefold()) > 1}:
        raise WrongCall("player-twice", found=min(twice))


def _join_settled_colours(session: Session, title: AnyTitle, seats: int) -> str:
    """The settled colours that the title has, one a seat at most, as `--colours` takes them; empty where none is."""
    settled = [colour for colour in session.settings.get("colours").value or () if colour in title.colours]
    return ",".join(settled[:seats])


def check_length(text: str, option: str, most: int) -> str:
    """The text, unless it is longer than a log takes."""
    if len(text) > most:
        raise WrongCall("too-long", most=most, option=option, found=len(text))
    return text


def _parse_day(text: str) -> str:
    """The day as 2026-11-18; refuses any other spelling but `today`."""
    if text == "today":
        return today()
    with suppress(ValueError):
        # Python reads other spellings of a day too
        if date.fromisoformat(text).isoformat() == text:
            return text
    raise WrongCall("date", found=text)


def _ask_for_game(
    session: Session, title: AnyTitle, played: str | None, edition: str | None, options: Sequence[str], *, exact: bool
) -> Answers:
    """Ask for what the options leave open, each answer checked before the next; Enter keeps the last game's."""
    from spyrium_log.transcript import Names

    if not _is_interactive():
        raise WrongCall("nobody-to-ask")
    last = _read_last_log(session)
    names = _ask_players(session, title, last, exact=exact)
    colours = _ask_colours(session, title, last, names)
    read_seat = partial(_read_seat, Names(names, colours))
    seat = ask(spoken(shell_message("said.who-begins")), default=names[0], read=read_seat)
    place = ask(spoken(shell_message("said.where")), default=(last.header.place if last else None) or "", read=str)
    day = ask(spoken(shell_message("said.when")), default=played or "today", read=_parse_day)
    chosen_edition = _ask_edition(session, title, last, edition)
    chosen_options = ask(
        spoken(shell_message("said.readings")),
        default=" ".join(options) or readings.NO_EDITION,
        read=partial(_read_options, title),
    )
    return Answers(names, colours, seat, place or None, day, chosen_edition, chosen_options)


def _is_interactive() -> bool:
    """Whether somebody at a terminal can read a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _read_last_log(session: Session) -> Log | None:
    """The log last written, if it can be read."""
    from spyrium_log.errors import SpyriumLogError

    with suppress(SpyriumLogError, StopIteration):
        return session.folder().read_log(next(list_latest_logs(session.archive)))
    return None


def _ask_players(session: Session, title: AnyTitle, last: Log | None, *, exact: bool) -> list[str]:
    """Ask for the players; by default those of the last game, else the settled ones."""
    before = [seat.player for seat in last.header.seats] if last else session.settings.get("players").value or ()
    return ask(
        spoken(shell_message("said.players")),
        default=",".join(before) or None,
        read=lambda text: _read_player_names(session, title, text, exact=exact),
    )


def _ask_colours(session: Session, title: AnyTitle, last: Log | None, names: Sequence[str]) -> list[str]:
    """Ask for the colours; by default each player's of the last game, else the settled or the first ones."""
    from spyrium_log.colours import colour_name

    seats = len(names)
    before = {seat.player: seat.colour for seat in last.header.seats} if last else {}
    if before.keys() >= set(names):
        usual = ",".join(before[name] for name in names)
    else:
        settled = _join_settled_colours(session, title, seats)
        usual = settled or ",".join(readings.seat_colours(title, "", seats))
    question = spoken(shell_message("said.colours"))
    usual = ",".join(colour_name(colour, session.language) for colour in usual.split(","))
    return ask(question, default=usual, read=lambda text: readings.seat_colours(title, text, seats))


def _ask_edition(session: Session, title: AnyTitle, last: Log | None, edition: str | None) -> str | None:
    """Ask for an edition, by default that of the call, of the settings or of the last game; None: the settled one."""
    settled = session.settings.get("edition").value

    def read_edition(text: str) -> str:
        """The name of an edition that is known, or `none`."""
        readings.edition_options(session.settings, title, resolve_edition(session, text.strip()))
        return text.strip()

    known = ", ".join(readings.editions(session.settings, title))
    usual = edition or settled or (last.header.edition if last else None) or readings.NO_EDITION
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


def collect_options(
    session: Session, title: AnyTitle, edition: str | None, options: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Options in rising priority: settled edition, settled options, this game's edition, its own options."""
    settings = session.settings
    if edition is None:
        yield from readings.edition_options(settings, title, resolve_edition(session, None)).items()
    yield from readings.options_of_title(settings.table("options"), title).items()
    # an empty name is refused as any unknown one, and not taken for the settled edition
    name = resolve_edition(session, edition) if edition else edition
    yield from readings.edition_options(settings, title, name).items()
    yield from readings.split_pairs(options)


def resolve_edition(session: Session, edition: str | None) -> str | None:
    """The edition of the call, or else of the settings; None for no edition, which is typed as `none`."""
    name = edition or session.settings.get("edition").value
    return None if name in {None, readings.NO_EDITION} else check_length(name, "--edition", LONGEST_ID)


def load_sheet(session: Session, title: AnyTitle, file: IO[str] | str | None) -> Sheet:
    """The sheet of a new game: that of the call, else of the settings, else one's own, over the one that ships."""
    from spyrium_cli.sheets.lookup import own_sheet_path, read_own_sheet, settled_sheet_path

    if isinstance(file, str):
        if TITLE_IN_PATH not in file:
            # the name of a sheet that ships
            return title.sheet(file)
        with click.open_file(str(fill_in_title(file, title.key)), encoding="utf-8") as own_file:
            return _read_sheet(title, own_file)
    if file is not None:
        return _read_sheet(title, file)
    settled, path = session.settings.get("sheet"), settled_sheet_path(session, title)
    if path is None:
        return read_own_sheet(title, own_sheet_path(session, title))
    try:
        with path.open(encoding="utf-8") as settled_file:
            return _read_sheet(title, settled_file)
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(shell_message("said.settled-sheet", origin=settled.origin, why=str(error))) from error


def _read_sheet(title: AnyTitle, file: IO[str]) -> Sheet:
    """The sheet that ships, with the values of a file in their place."""
    from spyrium_log.sheet import parse_sheet

    text = file.read(LONGEST_SHEET + 1)
    if len(text) > LONGEST_SHEET:
        raise Complaint(shell_message("said.long-sheet", most=LONGEST_SHEET, place=str(file.name)))
    return title.with_own_values(parse_sheet(text, file.name))
