"""`spyrium new`: the header of a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint
from spyrium_cli.options import (
    LONGEST_ID,
    by_option,
    edition_option,
    exact_option,
    option,
    place_option,
    reading_option,
    title_option,
)
from spyrium_cli.session import Session
from spyrium_cli.settings.readings import NONE
from spyrium_cli.terminal import ask, write_line

if TYPE_CHECKING:
    from spyrium_log.sheet import Sheet
    from spyrium_log.title import AnyTitle

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
    """What a new game is made of, as it was typed."""

    players: str
    colours: str
    first: str
    place: str | None
    played: str | None
    edition: str | None
    options: Sequence[str]


sheet_option = option("--sheet", type=click.File("r", encoding="utf-8"), envvar="SPYRIUM_SHEET", show_envvar=True)


@click.command("new", cls=Command, epilog=EPILOG)
@title_option
@click.option("--players", help="Names in the order of seats, with commas between.")
@exact_option
@click.option("--colours", help="Colours in the same order.")
@option("--first", default="1", show_default=True)
@option("--date", "played")
@place_option
@by_option
@edition_option
@reading_option
@sheet_option
@pass_session
def command(
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
    sheet: IO[str] | None,
) -> None:
    """Start a game."""
    from spyrium_cli.identity import game_id, now, today, user_name
    from spyrium_cli.render.surface import say
    from spyrium_cli.settings.readings import parse_options, seat_colours
    from spyrium_log.play import Play
    from spyrium_log.transcript import Names

    title = session.title
    if players is None:
        answers = _ask_all(session, title, played, edition, options, exact=exact)
        # the questions completed them already
        exact = True
    else:
        settled = colours if colours is not None else _settled_colours(session, title, players)
        answers = Answers(players, settled, first, place, played, edition, options)
    names = _player_names(session, title, answers.players, exact=exact)
    chosen = seat_colours(title, answers.colours, len(names))
    play = Play.new(
        title,
        game=game_id(),
        players=names,
        colours=chosen,
        first=Names(names, chosen).seat_of(answers.first),
        by=_short(by or user_name(), "--by", LONGEST_ID),
        at=now(),
        options=parse_options([title], options_of(session, title, answers.edition, answers.options)),
        edition=edition_named(session, answers.edition),
        sheet=sheet_of(session, title, sheet),
        played=_day(answers.played, today()),
        place=_short(answers.place, "--place", LONGEST_TEXT) if answers.place else None,
    )
    path = session.folder().write_whole(play.raw())
    write_line(play.header.game)
    say(f"a log for {', '.join(names)} at {path}; next: spyrium record")


# --- who plays -----------------------------------------------------------------------------------


def _player_names(session: Session, title: AnyTitle, text: str, *, exact: bool) -> list[str]:
    """The names of the players, completed; says which names it completed."""
    from spyrium_cli.games.people import people_of, resolve_names
    from spyrium_cli.render.surface import say

    typed = _names(title, text)
    if exact:
        return typed
    names = [_short(name, "--players", LONGEST_ID) for name in resolve_names(session, typed, people_of(session))]
    for before, name in zip(typed, names, strict=True):
        if before != name:
            say(f"'{before}' is {name} (--exact takes names as they are)")
    _check_distinct(names)
    return names


def _names(title: AnyTitle, text: str) -> list[str]:
    """Names with commas between, as many as the title has seats for."""
    names = [_short(name.strip(), "--players", LONGEST_ID) for name in text.split(",")]
    if "" in names:
        raise click.UsageError(f"expected a name between every two commas, found '{text}'")
    if len(names) not in title.seats:
        few, many = title.seats[0], title.seats[-1]
        commas = f": '{text}' has no commas between the names" if len(names) == 1 and " " in text.strip() else ""
        raise click.UsageError(f"expected {few} to {many} players, found {len(names)}{commas}")
    _check_distinct(names)
    return names


def _check_distinct(names: Sequence[str]) -> None:
    folded = [name.casefold() for name in names]
    if twice := {name for name in names if folded.count(name.casefold()) > 1}:
        raise click.UsageError(f"expected a name for each player alone, found '{min(twice)}' twice")


def _settled_colours(session: Session, title: AnyTitle, players: str) -> str:
    """The settled colours that the title has, as many as there are players."""
    settled = [colour for colour in session.settings.get("colours").value or () if colour in title.colours]
    return ",".join(settled[: players.count(",") + 1])


def _short(text: str, option: str, most: int) -> str:
    """The text, unless it is longer than a log takes."""
    if len(text) > most:
        raise click.UsageError(f"expected at most {most} characters in {option}, found {len(text)}")
    return text


def _day(text: str | None, today: str) -> str | None:
    """The day as 2026-11-18; refuses any other spelling."""
    if text is None or text == "today":
        return text and today
    try:
        day = date.fromisoformat(text).isoformat()
    except ValueError:
        day = ""
    # Python reads other spellings of a day too
    if day != text:
        raise click.UsageError(f"expected a day as 2026-11-18, or today, in --date, found '{text}'")
    return day


# --- questions ------------------------------------------------------------------------------------


def _ask_all(
    session: Session, title: AnyTitle, played: str | None, edition: str | None, options: Sequence[str], *, exact: bool
) -> Answers:
    """Ask for what the options leave open, each answer checked before the next; Enter keeps the last game's."""
    from spyrium_cli.identity import today
    from spyrium_cli.settings.readings import editions, seat_colours
    from spyrium_log.errors import NotationError
    from spyrium_log.transcript import Names

    if not _is_interactive():
        raise click.UsageError("expected --players, found nobody at a terminal to ask")
    last = _last_header(session)
    before = [seat.player for seat in last.seats] if last else list(session.settings.get("players").value or ())
    names = _ask(
        "Players, in the order of seats, with commas between",
        ",".join(before),
        lambda text: _player_names(session, title, text, exact=exact),
    )
    last_colours = {seat.player: seat.colour for seat in last.seats} if last else {}
    usual = ",".join(last_colours[name] for name in names) if all(name in last_colours for name in names) else ""
    usual = usual or _settled_colours(session, title, ",".join(names)) or ",".join(seat_colours(title, "", len(names)))
    colours = _ask("Colours, in the same order", usual, lambda text: seat_colours(title, text, len(names)))

    def first_seat(text: str) -> int:
        try:
            return Names(names, colours).seat_of(text)
        except NotationError as error:
            raise click.UsageError(str(error)) from error

    first = _ask("Who begins", names[0], first_seat)
    place = ask("Where (may stay empty)", default=(last.place if last else None) or "")
    day = _ask("When", played or "today", lambda text: _day(text, today()))
    usual = edition or session.settings.get("edition").value or (last.edition if last else None) or NONE
    known = ", ".join(editions(session.settings, title))
    chosen_edition = _ask(f"Edition of the rules: {known}, or none", usual, _edition_reader(session, title))
    chosen_options = _ask(
        "Other readings of the rules, as NAME=VALUE with commas between, or none",
        " ".join(options) or NONE,
        _options_reader(title),
    )
    return Answers(
        ",".join(names), ",".join(colours), str(first), str(place) or None, day, chosen_edition, chosen_options
    )


def _edition_reader(session: Session, title: AnyTitle) -> Callable[[str], str | None]:
    """Reads the name of an edition; None stands for the settled one."""

    def read(text: str) -> str | None:
        from spyrium_cli.settings.readings import edition_options

        settled = session.settings.get("edition").value or NONE
        edition_options(session.settings, title, edition_named(session, text.strip()))
        return None if text.strip() == settled else text.strip()

    return read


def _options_reader(title: AnyTitle) -> Callable[[str], list[str]]:
    """Reads options as NAME=VALUE with commas or spaces between."""

    def read(text: str) -> list[str]:
        from spyrium_cli.settings.readings import parse_options, split_pairs

        options = [] if text.strip() == NONE else text.replace(",", " ").split()
        parse_options([title], split_pairs(options))
        return options

    return read


def _is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(question: str, default: str, read: Callable[[str], Any]) -> Any:
    """Answers again until the answer can be read."""
    return ask(question, default=default or None, read=read)


def _last_header(session: Session) -> Any:
    """The header of the game last written, if it can be read."""
    from itertools import islice

    from spyrium_cli.games.headers import latest_logs
    from spyrium_log.errors import SpyriumLogError

    for path in islice(latest_logs(session.archive), 1):
        try:
            return session.folder().read(path).header
        except SpyriumLogError:
            return None
    return None


# --- readings of the rules -----------------------------------------------------------------------


def options_of(
    session: Session, title: AnyTitle, edition: str | None, options: Sequence[str]
) -> Iterable[tuple[str, str]]:
    """Options in rising priority: settled edition, settled options, this game's edition, its own options."""
    from spyrium_cli.settings.readings import edition_options, settled_options, split_pairs

    settings = session.settings
    if edition is None:
        yield from edition_options(settings, title, edition_named(session, None)).items()
    yield from settled_options(settings, title).items()
    yield from edition_options(settings, title, edition and edition_named(session, edition)).items()
    yield from split_pairs(options)


def edition_named(session: Session, edition: str | None) -> str | None:
    """The edition of the call, or else of the settings; `none` stands for no edition."""
    name = edition or session.settings.get("edition").value
    return None if name in {None, NONE} else _short(name, "--edition", LONGEST_ID)


def sheet_of(session: Session, title: AnyTitle, file: IO[str] | None) -> Sheet:
    """The sheet of the call, or of the settings, or one's own, over the sheet that ships."""
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path
    from spyrium_log.sheet import parse_sheet

    settled = session.settings.get("sheet")
    if file is not None:
        return title.sheet().with_own_values(parse_sheet(_read(file), file.name))
    if settled.value is None:
        return own_sheet(title, own_sheet_path(session))
    try:
        with Path(settled.value).open(encoding="utf-8") as settled_file:
            return title.sheet().with_own_values(parse_sheet(_read(settled_file), settled.value))
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(f"expected the sheet that is settled at {settled.origin}, found: {error}") from error


def _read(file: IO[str]) -> str:
    text = file.read(LONGEST_SHEET + 1)
    if len(text) > LONGEST_SHEET:
        raise Complaint(f"expected at most {LONGEST_SHEET} characters of a sheet, found more, at {file.name}")
    return text
