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

# As long as the log takes it.
LONGEST_TEXT = 500
# Twenty times the one that ships.
LONGEST_SHEET = 1 << 20

EPILOG = """\b
Examples:
  spyrium new --players "Anna,Bob,Cy" --colours "red,blue,green" --first Bob --option crane-discount=whole-cost
  spyrium new --players "Anna,Bob" --date today --place "Bob's kitchen"
  spyrium new --players "Anna,Bob" --edition pl --option crane-discount=site

Asked nothing, it asks: players, colours, who begins, where, when, edition, rulings; what you played last is what Enter
says. The beginning of a name that is known is that name, which is said; --exact takes names as they stand. The id goes
to stdout, so that a script can keep it; where the log lies goes to stderr. Options, edition, colours and sheet may be
settled once and for all (spyrium config).

An edition is what a rulebook prints: where it says nothing, the default stays. `spyrium config` may lay [editions.NAME]
over one of that name, or make one of your own; --edition none leaves a settled one out; --option goes before them
all."""


class Asked(NamedTuple):
    """What a table says of itself, as it was typed."""

    players: str
    colours: str
    first: str
    place: str | None
    played: str | None
    edition: str | None
    options: Sequence[str]


# Under which rules and with which sheet games begin.
sheet_option = option("--sheet", type=click.File("r", encoding="utf-8"), envvar="SPYRIUM_SHEET", show_envvar=True)


@click.command("new", cls=Command, epilog=EPILOG)
@title_option
@click.option("--players", help="Names in the order of seats, with commas between.")
@exact_option
@click.option("--colours", help="Their colours, in the same order.")
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
    from spyrium_cli.settings.title import title_of
    from spyrium_log.play import Play
    from spyrium_log.transcript import Names

    title = title_of(session)
    if players is None:
        asked = _interview(session, title, played, edition, options, exact=exact)
        # He has said which names he means.
        exact = True
    else:
        settled = colours if colours is not None else _settled_colours(session, players)
        asked = Asked(players, settled, first, place, played, edition, options)
    names = _named(session, title, asked.players, exact=exact)
    worn = seat_colours(title, asked.colours, len(names))
    play = Play.new(
        title,
        game=game_id(),
        players=names,
        colours=worn,
        first=Names(names, worn).seat_of(asked.first),
        by=_short(by or user_name(), "--by", LONGEST_ID),
        at=now(),
        options=parse_options([title], options_of(session, title, asked.edition, asked.options)),
        edition=edition_named(session, asked.edition),
        sheet=sheet_of(session, title, sheet),
        played=_day(asked.played, today()),
        place=_short(asked.place, "--place", LONGEST_TEXT) if asked.place else None,
    )
    path = session.folder().write_whole(play.raw())
    write_line(play.header.game)
    say(f"a log for {', '.join(names)} at {path}; next: spyrium record")


# --- who plays -----------------------------------------------------------------------------------


def _named(session: Session, title: AnyTitle, said: str, *, exact: bool) -> list[str]:
    """The names of the players. What is not taken as it was typed is said."""
    from spyrium_cli.games.people import people_of, resolve_names
    from spyrium_cli.render.surface import say

    typed = _names(title, said)
    if exact:
        return typed
    names = [_short(name, "--players", LONGEST_ID) for name in resolve_names(session, typed, people_of(session))]
    for before, name in zip(typed, names, strict=True):
        if before != name:
            say(f"'{before}' is {name} (--exact takes names as they stand)")
    _alone(names)
    return names


def _names(title: AnyTitle, said: str) -> list[str]:
    names = [_short(name.strip(), "--players", LONGEST_ID) for name in said.split(",")]
    if "" in names:
        raise click.UsageError(f"expected a name between every two commas, found '{said}'")
    if len(names) not in title.seats:
        few, many = title.seats[0], title.seats[-1]
        commas = f": '{said}' has no commas between the names" if len(names) == 1 and " " in said.strip() else ""
        raise click.UsageError(f"expected {few} to {many} players, found {len(names)}{commas}")
    _alone(names)
    return names


def _alone(names: Sequence[str]) -> None:
    folded = [name.casefold() for name in names]
    if twice := {name for name in names if folded.count(name.casefold()) > 1}:
        raise click.UsageError(f"expected a name for each player alone, found '{min(twice)}' twice")


def _settled_colours(session: Session, players: str) -> str:
    """As many as sit down: settled once, they are for any number."""
    settled = session.settings.value("colours") or ()
    return ",".join(settled[: players.count(",") + 1])


def _short(said: str, option: str, most: int) -> str:
    if len(said) > most:
        raise click.UsageError(f"expected at most {most} characters in {option}, found {len(said)}")
    return said


def _day(said: str | None, today: str) -> str | None:
    if said is None or said == "today":
        return said and today
    try:
        day = date.fromisoformat(said).isoformat()
    except ValueError:
        day = ""
    # Python reads other spellings of a day, too.
    if day != said:
        raise click.UsageError(f"expected a day as 2026-11-18, or today, in --date, found '{said}'")
    return day


# --- asked nothing -------------------------------------------------------------------------------


def _interview(
    session: Session,
    title: AnyTitle,
    played: str | None,
    edition: str | None,
    options: Sequence[str],
    *,
    exact: bool,
) -> Asked:
    """Players, colours, who begins and where, each checked before the next; Enter says what was so the last time."""
    from spyrium_cli.identity import today
    from spyrium_cli.settings.readings import editions, seat_colours
    from spyrium_log.errors import NotationError
    from spyrium_log.transcript import Names

    if not _is_anybody_there():
        raise click.UsageError("expected --players, found nobody at a terminal to ask")
    last = _last(session)
    before = [seat.player for seat in last.seats] if last else list(session.settings.value("players") or ())
    names = _ask(
        "Players, in the order of seats, with commas between",
        ",".join(before),
        lambda said: _named(session, title, said, exact=exact),
    )
    worn = {seat.player: seat.colour for seat in last.seats} if last else {}
    usual = ",".join(worn[name] for name in names) if all(name in worn for name in names) else ""
    usual = usual or _settled_colours(session, ",".join(names)) or ",".join(seat_colours(title, "", len(names)))
    colours = _ask("Colours, in the same order", usual, lambda said: seat_colours(title, said, len(names)))

    def begins(said: str) -> int:
        try:
            return Names(names, colours).seat_of(said)
        except NotationError as error:
            raise click.UsageError(str(error)) from error

    first = _ask("Who begins", names[0], begins)
    place = ask("Where (may stay empty)", default=(last.place if last else None) or "")
    day = _ask("When", played or "today", lambda said: _day(said, today()))
    usual = edition or session.settings.value("edition") or (last.edition if last else None) or NONE
    known = ", ".join(editions(session.settings, title))
    which = _ask(f"Edition of the rules: {known}, or none", usual, _known_edition(session, title))
    rulings = _ask(
        "Other readings of the rules, as NAME=VALUE with commas between, or none",
        " ".join(options) or NONE,
        _rulings(title),
    )
    return Asked(",".join(names), ",".join(colours), str(first), str(place) or None, day, which, rulings)


def _known_edition(session: Session, title: AnyTitle) -> Callable[[str], str | None]:
    """Whose rulebook lies on the table, if anybody knows; None leaves it as it is settled."""

    def read(said: str) -> str | None:
        from spyrium_cli.settings.readings import edition_options

        settled = session.settings.value("edition") or NONE
        edition_options(session.settings, title, edition_named(session, said.strip()))
        return None if said.strip() == settled else said.strip()

    return read


def _rulings(title: AnyTitle) -> Callable[[str], list[str]]:
    """Readings of the rules as somebody types them one after the other."""

    def read(said: str) -> list[str]:
        from spyrium_cli.settings.readings import parse_options, split_pairs

        rulings = [] if said.strip() == NONE else said.replace(",", " ").split()
        parse_options([title], split_pairs(rulings))
        return rulings

    return read


def _is_anybody_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(question: str, default: str, read: Callable[[str], Any]) -> Any:
    """Asked again until the answer can be read."""
    return ask(question, default=default or None, read=read)


def _last(session: Session) -> Any:
    """The header of the game last written; None where there is none that can be read."""
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
    session: Session, title: AnyTitle, edition: str | None, said: Sequence[str]
) -> Iterable[tuple[str, str]]:
    """The settled edition, then settled options, then the edition of this game, then its options: the last one wins."""
    from spyrium_cli.settings.readings import edition_options, split_pairs

    settings = session.settings
    if edition is None:
        yield from edition_options(settings, title, edition_named(session, None)).items()
    yield from settings.table("options").items()
    yield from edition_options(settings, title, edition and edition_named(session, edition)).items()
    yield from split_pairs(said)


def edition_named(session: Session, said: str | None) -> str | None:
    """The edition that was named, or else settled; that there is none can be said, too."""
    name = said or session.settings.value("edition")
    return None if name in {None, NONE} else _short(name, "--edition", LONGEST_ID)


def sheet_of(session: Session, title: AnyTitle, said: IO[str] | None) -> Sheet:
    """The sheet of this call, or the settled one, or one's own, over the one that ships."""
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path
    from spyrium_log.sheet import parse_sheet

    settled = session.settings.get("sheet")
    if said is not None:
        return title.sheet().owned(parse_sheet(_text(said), said.name))
    if settled.value is None:
        return own_sheet(title, own_sheet_path(session))
    try:
        with Path(settled.value).open(encoding="utf-8") as file:
            return title.sheet().owned(parse_sheet(_text(file), settled.value))
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(f"expected the sheet that is settled at {settled.origin}, found: {error}") from error


def _text(file: IO[str]) -> str:
    text = file.read(LONGEST_SHEET + 1)
    if len(text) > LONGEST_SHEET:
        raise Complaint(f"expected at most {LONGEST_SHEET} characters of a sheet, found more, at {file.name}")
    return text
