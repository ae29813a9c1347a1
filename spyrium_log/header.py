"""The first line of a log: which game of which title, who plays, in which readings of the rules; each word checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import get_args

from spyrium_log.checks import (
    LONGEST_TEXT,
    LONGEST_WORD,
    check_list,
    check_number,
    check_once,
    check_text,
    check_time,
    check_type,
    check_word,
    refused,
)
from spyrium_log.errors import ArgumentError
from spyrium_log.log import chain, codec
from spyrium_log.log.lines import FORMAT, LONGEST_ID, AnyHeader, Header, SeatAt, Source, is_game_id
from spyrium_log.sheet import Sheet
from spyrium_log.title import AnyTitle, Options, Table, Title, options_of


def table_of(header: AnyHeader, sheet: Sheet) -> Table:
    """What the rules may know of a header."""
    start = tuple(seat.start for seat in header.seats)
    return Table(start=start, first=header.first, options=header.options, sheet=sheet)


def header(
    title: AnyTitle,
    *,
    game: str,
    players: Sequence[str],
    colours: Sequence[str] = (),
    first: int = 1,
    by: str = "scribe",
    at: datetime | None = None,
    options: Mapping[str, str] | Options | None = None,
    edition: str | None = None,
    sheet: Sheet | None = None,
    played: str | None = None,
    place: str | None = None,
    source: Source = "table",
) -> AnyHeader:
    """The first line of a new log. Ids and times come from the caller."""
    check_type(title, Title, "a title such as TITLES['spyrium']")
    _check_seats(title, players, colours, first)
    _check_words(game=game, by=by, at=at, edition=edition, played=played, place=place)
    check_word(source, "a source", get_args(Source))
    sheet = title.sheet() if sheet is None else sheet
    check_type(sheet, Sheet, "a sheet")
    left = (colour for colour in title.colours if colour not in colours)
    made: AnyHeader = Header(
        n=0,
        by=by,
        at=at,
        format=FORMAT,
        title=title.key,
        title_format=title.title_format,
        game=game,
        rules=title.rules_version,
        options=options_of(title.options, options),
        edition=edition,
        seats=tuple(
            SeatAt(player=player, colour=colour, start=tuple(title.start))
            for player, colour in zip(players, (*colours, *left), strict=False)
        ),
        first=first,
        played=played,
        place=place,
        source=source,
        sheet_digest=sheet.digest(),
        sheet=codec.sheet_bytes(sheet),
        prev=chain.GENESIS,
        hash="",
    )
    # a sheet that lacks a value is refused here, not by whoever reads the log
    title.setup(table_of(made, sheet))
    return made


def _check_seats(title: AnyTitle, players: Sequence[str], colours: Sequence[str], first: int) -> None:
    check_list(players, "players' names")
    few, many = title.seats[0], title.seats[-1]
    if len(players) not in title.seats:
        raise ArgumentError(f"expected {few} to {many} players, found {len(players)}")
    for player in players:
        check_text(player, "a player's name")
    check_once(players, "players' names")
    check_list(colours, "colours")
    if len(colours) > len(players):
        raise ArgumentError(f"expected at most {len(players)} colours for as many players, found {len(colours)}")
    for colour in colours:
        check_word(colour, "a colour", title.colours)
    check_once(colours, "colours")
    check_number(first, "the seat that begins,", 1, len(players))


def _check_words(
    *, game: str, by: str, at: datetime | None, edition: str | None, played: str | None, place: str | None
) -> None:
    if not is_game_id(game):
        raise refused(f"an id of 4 to {LONGEST_ID} small letters, digits and hyphens for the game", game)
    check_text(by, "who records")
    check_time(at)
    words = ((edition, "an edition", LONGEST_WORD), (played, "a day", LONGEST_WORD), (place, "a place", LONGEST_TEXT))
    for text, what, most in words:
        if text is not None:
            check_text(text, what, most)
