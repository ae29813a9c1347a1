"""Games of which only the final scores are known, whatever format they came in; and what could not be read of them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.errors import ExchangeError
from spyrium_log.play import bytes_of, scoresheet
from spyrium_log.replay import Replay
from spyrium_log.store import Aliases, folded
from spyrium_log.title import AnyTitle, FinalCount

# Nobody's book of scores is larger; what is, is not read.
MAX_BYTES = 32_000_000
# The values of a JSON file, brackets and commas counted: 15,000 plays with all that BG Stats says of them.
MAX_VALUES = 1_000_000
# More strange names than that tell nobody more.
MOST_UNKNOWN = 1_000
# As the log takes them.
LONGEST_NAME = 60
LONGEST_TEXT = 500
MOST_POINTS = 99_999
MOST_MINUTES = 100_000
# Longer than any formula that somebody typed at a table.
LONGEST_SCORE = 100

# What BoardGameGeek calls our titles: a name may be another game's, too, its number is not.
BGG_IDS: Mapping[str, int] = MappingProxyType({"spyrium": 137269})

_NAMESPACE = UUID("b5f43a0c-0a5e-5a43-9d6f-3f1c8a7f52d1")
# As a log takes it.
_ID = re.compile(r"[0-9a-z][0-9a-z-]{3,63}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_SUM = re.compile(r"[+-]?[0-9]{1,6}(?:\s*[+-]\s*[0-9]{1,6})*")
_TERM = re.compile(r"[+-]?\s*[0-9]+")


def check_values(raw: bytes, file: str) -> None:
    """Refuse JSON of more values than anybody has, before one is made: an empty list of two bytes takes fifty."""
    if sum(map(raw.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ExchangeError(f"expected at most {MAX_VALUES} values, found more, at {file}")


def note_unknown(unknown: Counter[str], name: str) -> None:
    """Count a name that nobody here knows; of a file that is full of them the first ones."""
    if name in unknown or len(unknown) < MOST_UNKNOWN:
        unknown[name] += 1


class ScoredSeat(Struct, frozen=True, kw_only=True):
    """Who sat there, and with how many points it ended. No rank is known where none is said."""

    player: str
    points: int
    colour: str | None = None
    rank: int | None = None


class ScoredGame(Struct, frozen=True, kw_only=True):
    """One game. `ids` are the names that the archive may know it by; it gets the first. `first` is the seat that began.

    A log has no room for `minutes`: other programs want to hear of it.
    """

    ids: tuple[str, ...]
    title: str
    seats: tuple[ScoredSeat, ...]
    first: int | None = None
    played: str | None = None
    place: str | None = None
    minutes: int | None = None
    by: str = "scribe"
    where: str = ""

    @property
    def game(self) -> str:
        return self.ids[0]

    @property
    def result(self) -> str:
        """`Anna 63, Bob 58`."""
        return ", ".join(f"{seat.player} {seat.points}" for seat in self.seats)


class WholeLog(Struct, frozen=True, kw_only=True):
    """A log that came as one: its bytes are not ours to change. `notes`: those that came with it in one file.

    `is_told`: it came as a text of moves, and its chain is made here. `places`: the lines of that text, line by line of
    the log after its header.
    """

    game: str
    raw: bytes
    notes: bytes = b""
    players: tuple[str, ...]
    played: str | None
    place: str | None
    where: str
    is_told: bool = False
    places: Sequence[int] = ()


class LeftOut(Struct, frozen=True, kw_only=True):
    """So many games that did not come in, and why. Another game's (`is_other`) are nobody's loss.

    `is_unusable`: nobody can say what they are.
    """

    where: str
    why: str
    games: int = 1
    is_other: bool = False
    is_unusable: bool = False


class Imported(Struct, frozen=True, kw_only=True):
    """All that one file says: games, whole logs, what was left out, fields that nobody here knows, remarks.

    Whole logs may come one at a time, for a pack may hold very many.
    """

    games: tuple[ScoredGame, ...] = ()
    logs: Iterable[WholeLog | LeftOut] = ()
    left_out: tuple[LeftOut, ...] = ()
    unknown: Mapping[str, int] = {}
    remarks: tuple[str, ...] = ()


# --- what a game is called -----------------------------------------------------------------------


def game_id(source: str, identity: str) -> str:
    """The same game of the same source has the same id, wherever and however often it is read."""
    return str(uuid5(_NAMESPACE, f"{source}:{identity}"))


def title_of(titles: Mapping[str, AnyTitle], name: str, bgg: int = 0) -> AnyTitle | None:
    """The title that another program means: by its number at BoardGameGeek where both know one, else by its name."""
    for title in titles.values():
        known = BGG_IDS.get(title.key, 0)
        if (bgg == known) if bgg and known else (folded(name) in {folded(title.name), folded(title.key)}):
            return title
    return None


def other_than(titles: Mapping[str, AnyTitle], name: str) -> str:
    known = " or ".join(title.name for title in titles.values())
    return f"expected a game of {known}, found '{shown(name)}'"


# --- words and numbers ---------------------------------------------------------------------------


def tidy(text: str) -> str:
    """One spelling of the characters, and one space between words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def shown(found: object) -> str:
    """What was found, as much of it as a person can read, and nothing that cannot be encoded."""
    text = str(found)
    text = text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def called(aliases: Mapping[str, str], *names: str) -> str:
    """What the first of these names that has an alias is called here; without any, the last as it is."""
    for name in filter(None, names):
        if (known := aliases.get(name) or aliases.get(folded(name))) is not None:
            return known
    return tidy(names[-1])


def points_of(text: str, *, may_add: bool = False) -> int:
    """A score, where the text says one whole number; or a sum of them, where the format has formulas."""
    said = text.strip()
    if not said:
        raise ExchangeError("expected a score, found none")
    if len(said) <= LONGEST_SCORE and (_SUM if may_add else _NUMBER).fullmatch(said):
        total = sum(int("".join(term.split())) for term in _TERM.findall(said))
        if abs(total) <= MOST_POINTS:
            return total
    raise ExchangeError(f"expected a whole number of points, found '{shown(text)}'")


_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?")
_DOTTED = re.compile(r"([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})")


def day_of(text: str) -> str:
    """The day, as 2026-11-18. Between dots the day stands first everywhere; between slashes nobody can tell."""
    said = text.strip()
    if found := _DAY.fullmatch(said):
        year, month, day = found.groups()
    elif found := _DOTTED.fullmatch(said):
        day, month, year = found.groups()
    else:
        raise ExchangeError(f"expected a day as 2026-11-18, found '{shown(text)}'")
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise ExchangeError(f"expected a day of the calendar, found '{shown(text)}'") from None


def minutes_of(said: int) -> int | None:
    """How long it took, where that says anything: a game without it is a whole game."""
    return said if 0 < said <= MOST_MINUTES else None


def checked(game: ScoredGame, titles: Mapping[str, AnyTitle]) -> ScoredGame:
    """The game, if a log can say all of it."""
    if wrong := [id_ for id_ in game.ids if not _ID.fullmatch(id_)]:
        raise ExchangeError(f"expected the id of a game, found '{shown(wrong[0])}'")
    title = titles[game.title]
    few, many = title.seats[0], title.seats[-1]
    if len(game.seats) not in title.seats:
        raise ExchangeError(f"expected {few} to {many} players, found {len(game.seats)}")
    for seat in game.seats:
        _fit(seat.player, "a player's name", LONGEST_NAME)
        if abs(seat.points) > MOST_POINTS:
            raise ExchangeError(f"expected at most {MOST_POINTS} points, found {shown(seat.points)}")
    often = Counter(folded(seat.player) for seat in game.seats)
    if twice := [seat.player for seat in game.seats if often[folded(seat.player)] > 1]:
        raise ExchangeError(f"expected a name for each player alone, found '{shown(twice[0])}' twice")
    if game.place is not None:
        _fit(game.place, "a place", LONGEST_TEXT)
    if game.first is not None and not 1 <= game.first <= len(game.seats):
        raise ExchangeError(f"expected one of {len(game.seats)} seats to begin, found seat {shown(game.first)}")
    return game


def _fit(text: str, what: str, most: int) -> None:
    if not text.strip():
        raise ExchangeError(f"expected {what}, found none")
    if len(text) > most:
        raise ExchangeError(f"expected {what} of at most {most} characters, found {len(text)}")
    if not text.isprintable():
        raise ExchangeError(f"expected {what} that can be printed, found '{shown(text)}'")


# --- to a log and back ---------------------------------------------------------------------------


def log_of(game: ScoredGame, titles: Mapping[str, AnyTitle], at: datetime | None = None) -> bytes:
    """The log of it. Without a time, two machines that read the same file write the same bytes."""
    title = titles[game.title]
    lines = scoresheet(
        title,
        game=game.game,
        scores=[(seat.player, seat.points) for seat in game.seats],
        colours=_colours(title, game.seats),
        first=game.first or 1,
        by=game.by,
        at=at,
        played=game.played,
        place=game.place,
    )
    return bytes_of(lines)


def _colours(title: AnyTitle, seats: Sequence[ScoredSeat]) -> list[str]:
    """The title's own colours where each is said once; the rest of the seats get what is left in the box."""
    said = [(seat.colour or "").strip().casefold() for seat in seats]
    known = [colour if colour in title.colours and said.count(colour) == 1 else None for colour in said]
    left = iter([colour for colour in title.colours if colour not in known])
    return [next(left) if colour is None else colour for colour in known]


def scored_of(done: Replay) -> ScoredGame:
    """The final scores of a game that was played to its end, or of which the table declared them."""
    scores = {score.seat: score.total for score in done.scores()}
    ranks: Mapping[int, int] = {score.seat: score.place for score in done.scores()}
    if not any(isinstance(event.do, FinalCount) for event in done.events):
        scores = {result.seat: result.points for result in done.declared}
        ranks = {}
    if missing := [player for seat, player in enumerate(done.players, 1) if seat not in scores]:
        raise ExchangeError(
            f"expected a final score for each player, found none for '{missing[0]}', at {done.log.file}"
        )
    seats = tuple(
        ScoredSeat(player=at.player, points=scores[seat], colour=at.colour, rank=ranks.get(seat))
        for seat, at in enumerate(done.header.seats, 1)
    )
    return ScoredGame(
        ids=(done.header.game,),
        title=done.header.title,
        seats=seats,
        first=done.first,
        played=done.header.played,
        place=done.header.place,
        by=done.header.by,
        where=done.log.file,
    )


def with_persons(game: ScoredGame, aliases: Aliases) -> ScoredGame:
    """The same game with the people that its spellings mean: another program wants to know who played."""
    persons = aliases.persons([seat.player for seat in game.seats])
    seats = tuple(replace(seat, player=name) for seat, name in zip(game.seats, persons, strict=True))
    return replace(game, seats=seats)


def ranks_of(game: ScoredGame) -> list[int]:
    """Places by the title where it gave them, else by points; equals share theirs."""
    said = [seat.rank for seat in game.seats if seat.rank is not None]
    if len(said) == len(game.seats):
        return said
    return [1 + sum(other.points > seat.points for other in game.seats) for seat in game.seats]


def difference(there: ScoredGame, here: ScoredGame) -> str:
    """What two accounts of one game say otherwise; a place that only one of them names is no contradiction."""
    told = [sorted((seat.player, seat.points) for seat in game.seats) for game in (there, here)]
    if told[0] != told[1]:
        return f"expected {there.result} as it is here already, found {here.result}"
    if there.played != here.played:
        return f"expected the day {there.played} as it is here already, found {here.played}"
    if there.place and here.place and there.place != here.place:
        return f"expected the place '{there.place}' as it is here already, found '{here.place}'"
    return ""
