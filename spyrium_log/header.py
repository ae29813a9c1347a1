"""The first line of a log: which game of which title, who plays, in which readings of the rules; each word checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spyrium_log.checks import (
    LONGEST_TEXT,
    argument_error,
    check_list,
    check_number,
    check_once,
    check_text,
    check_time,
    check_word,
)
from spyrium_log.errors import ArgumentError
from spyrium_log.log.lines import LONGEST_ID, AnyHeader, SeatAt, is_game_id
from spyrium_log.messages import argument_message
from spyrium_log.sheet import Sheet
from spyrium_log.title import AnyTitle, Options, Table, make_options


def make_table(header: AnyHeader, sheet: Sheet) -> Table:
    """What a title sets up its first state from: the part of a header that rules may know, and the sheet."""
    start = tuple(seat.start for seat in header.seats)
    is_played = header.source != "scoresheet"
    return Table(start=start, first=header.first, options=header.options, sheet=sheet, is_played=is_played)


def make_seats(title: AnyTitle, players: Sequence[str], colours: Sequence[str]) -> tuple[SeatAt[str], ...]:
    """A seat for each player; a player without a colour gets the next free one."""
    free_colours = (colour for colour in title.colours if colour not in colours)
    start = tuple(title.start)
    # a title may have more colours than players
    pairs = zip(players, (*colours, *free_colours), strict=False)
    return tuple(SeatAt(player=player, colour=colour, start=start) for player, colour in pairs)


def choose_options(title: AnyTitle, edition: str | None, options: Mapping[str, str] | Options | None) -> Options:
    """The readings of the edition, overridden by `options`. An edition of one's own needs its options."""
    if edition is None or isinstance(options, Options):
        return make_options(title.options, options)
    if options is None:
        check_word(edition, "edition", list(title.editions))
    readings = title.editions[edition].readings if edition in title.editions else {}
    return make_options(title.options, {**readings, **dict(options or {})})


def check_seats(title: AnyTitle, players: Sequence[str], colours: Sequence[str], first: int) -> None:
    """Refuse players, colours and a first seat that the title does not allow."""
    check_list(players, "players")
    if len(players) not in title.seats:
        raise ArgumentError("player-count", least=title.seats[0], most=title.seats[-1], found=len(players))
    for player in players:
        check_text(player, "player")
    check_once(players, "players")
    check_list(colours, "colours")
    if len(colours) > len(players):
        raise ArgumentError("colour-count", n=len(players), found=len(colours))
    for colour in colours:
        check_word(colour, "colour", title.colours)
    check_once(colours, "colours")
    check_number(first, "first-seat", 1, len(players))


def check_header_words(header: AnyHeader) -> None:
    """Refuse an id, names, days and places that no log can hold, before the first line is written."""
    if not is_game_id(header.game):
        raise argument_error(argument_message("game-id", most=LONGEST_ID), header.game)
    check_text(header.by, "scribe")
    check_time(header.at)
    if header.edition is not None:
        check_text(header.edition, "edition")
    if header.played is not None:
        check_text(header.played, "day")
    if header.place is not None:
        check_text(header.place, "place", LONGEST_TEXT)
