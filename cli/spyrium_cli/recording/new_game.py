"""A new game: who plays, in which colours, by which readings of the rules and values. It is made here alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import IO, TYPE_CHECKING, NamedTuple

import click

from spyrium_cli.complaint import Complaint, WrongCall, call_message, shell_message
from spyrium_cli.files import TITLE_IN_PATH, fill_in_title
from spyrium_cli.games.headers import list_latest_logs, read_header, resolve_names
from spyrium_cli.identity import make_game_id, now, today, user_name
from spyrium_cli.options import LONGEST_ID
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.settings import readings

# What loads titles stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log.play import Play
    from spyrium_log.sheet import Sheet
    from spyrium_log.title import AnyTitle

# As long as a log takes it.
LONGEST_TEXT = 500
# Twenty times the sheet that ships.
LONGEST_SHEET = 1 << 20
# A game that somebody recorded is looked for among so many of the latest.
LATEST = 50


class NewGame(NamedTuple):
    """What a new game is made of; the day, edition and options as they were typed."""

    players: Sequence[str]
    colours: Sequence[str]
    first: int = 1
    place: str | None = None
    played: str | None = None
    edition: str | None = None
    options: Sequence[str] = ()


def make_game(session: Session, title: AnyTitle, new: NewGame, *, by: str | None, sheet: Sheet) -> Play:
    """A game in memory on this sheet, with the settled options and edition where it names no others."""
    from spyrium_log.play import Play

    return Play.new(
        title,
        game=make_game_id(),
        players=new.players,
        colours=new.colours,
        first=new.first,
        by=check_length(by or user_name(), "--by", LONGEST_ID),
        at=now(),
        options=readings.parse_options([title], collect_options(session, title, new.edition, new.options)),
        edition=resolve_edition(session, new.edition),
        sheet=sheet,
        played=parse_day(new.played) if new.played is not None else None,
        place=check_length(new.place, "--place", LONGEST_TEXT) if new.place else None,
    )


def read_player_names(
    session: Session, seats: range, names: Sequence[str], *, exact: bool = False, where: str = "--players"
) -> list[str]:
    """The names of the players, as many as there may be seats. Unless `exact`, known ones are completed.

    `where` they were typed, for an error.
    """
    typed = [check_length(name, where, LONGEST_ID) for name in names]
    if len(typed) not in seats:
        has_no_commas = len(typed) == 1 and " " in typed[0]
        hint = call_message("no-commas", text=typed[0]) if has_no_commas else ""
        raise WrongCall("players", least=seats[0], most=seats[-1], found=len(typed), hint=hint)
    check_distinct(typed)
    if exact:
        return typed
    completed = [check_length(name, where, LONGEST_ID) for name in resolve_names(session, typed)]
    check_distinct(completed)
    return completed


def split_names(text: str) -> list[str]:
    """The names in a text with commas between; a usage error where one is empty."""
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise WrongCall("names", found=text)
    return names


def tell_completed(typed: Sequence[str], names: Sequence[str]) -> None:
    """Say which names were completed."""
    for before, name in zip(typed, names, strict=True):
        if before != name:
            tell("said.exact", typed=before, name=name)


def check_distinct(names: Sequence[str]) -> None:
    """Refuse a name that two players have, in any case."""
    folded = [name.casefold() for name in names]
    if twice := {name for name in names if folded.count(name.casefold()) > 1}:
        raise WrongCall("player-twice", found=min(twice))


def check_length(text: str, option: str, most: int) -> str:
    """The text, unless it is longer than a log takes."""
    if len(text) > most:
        raise WrongCall("too-long", most=most, option=option, found=len(text))
    return text


def parse_day(text: str) -> str:
    """The day as 2026-11-18; refuses any other spelling but `today`."""
    if text == "today":
        return today()
    with suppress(ValueError):
        # Python reads other spellings of a day too
        if date.fromisoformat(text).isoformat() == text:
            return text
    raise WrongCall("date", found=text)


def join_settled_colours(session: Session, title: AnyTitle, seats: int) -> str:
    """The settled colours that the title has, one a seat at most, as `--colours` takes them; empty where none is."""
    settled = [colour for colour in session.settings.get("colours").value or () if colour in title.colours]
    return ",".join(settled[:seats])


def usual_colours(session: Session, title: AnyTitle, before: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """A colour for each player: that of the last game, `before`, if it has them all; else the settled or first ones."""
    colours = [before.get(name, "") for name in names]
    if set(colours) <= set(title.colours):
        return colours
    return readings.seat_colours(title, join_settled_colours(session, title, len(names)), len(names))


def read_last_game(session: Session) -> Play | None:
    """The game that was recorded last; a score sheet where there is no other."""
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.play import Play

    paths = [path for path, _ in zip(list_latest_logs(session.archive), range(LATEST), strict=False)]
    recorded = [path for path in paths if read_header(path).get("source", "table") == "table"]
    for path in (recorded or paths)[:1]:
        with suppress(SpyriumLogError):
            return Play(session.folder().read_log(path))
    return None


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


def find_playable_sheet(session: Session, title: AnyTitle, last: Play | None) -> Sheet | None:
    """The usual sheet, that of the last game, or one that ships: the first that holds all that a game needs."""
    from spyrium_log.errors import SheetError
    from spyrium_log.play import Play
    from spyrium_log.replay import current_sheet

    before = [current_sheet(last.log)] if last is not None and last.title.key == title.key else []
    names = [str(seat) for seat in range(1, title.seats[0] + 1)]
    for sheet in (load_sheet(session, title, None), *before, title.playable_sheet()):
        with suppress(SheetError):
            Play.new(title, game="game", players=names, sheet=sheet)
            return sheet
    return None


def _read_sheet(title: AnyTitle, file: IO[str]) -> Sheet:
    """The sheet that ships, with the values of a file in their place."""
    from spyrium_log.sheet import parse_sheet

    text = file.read(LONGEST_SHEET + 1)
    if len(text) > LONGEST_SHEET:
        raise Complaint(shell_message("said.long-sheet", most=LONGEST_SHEET, place=str(file.name)))
    return title.with_own_values(parse_sheet(text, file.name))
