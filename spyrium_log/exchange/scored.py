"""Games of which only the final scores are known, whatever format they came in; and what could not be read of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.colours import read_colour
from spyrium_log.edit.annotate import list_game_remarks
from spyrium_log.errors import ExchangeError, LogError, SpyriumLogError
from spyrium_log.exchange.values import MAX_NAME, MAX_POINTS, MAX_TEXT, make_quotable, minutes_or_none
from spyrium_log.messages import Alternatives, Message, argument_message, exchange_message
from spyrium_log.play import encode_log, make_scoresheet
from spyrium_log.readmodel.event_rows import waiting_times
from spyrium_log.replay import Replay
from spyrium_log.store import Aliases, Notes, fold_name
from spyrium_log.title import AnyTitle, FinalCount

MAX_UNKNOWN_FIELDS = 1_000
# As long as a note.
MAX_COMMENTS = 4_000
Result: TypeAlias = Literal["new", "continued", "there", "refused", "left out", "other", "unusable"]
_ID = re.compile(r"[0-9a-z][0-9a-z-]{3,63}")

Item = TypeVar("Item")
Titles: TypeAlias = Mapping[str, AnyTitle]


class ScoredSeat(Struct, frozen=True, kw_only=True):
    """A player's final points; `rank` where the title gave one. Even the first can have `lost`."""

    player: str
    points: int
    colour: str | None = None
    rank: int | None = None
    lost: bool = False


class ScoredGame(Struct, frozen=True, kw_only=True):
    """One game. The archive may know it by any of `ids`; a new one gets the first.

    A log of final scores does not hold `minutes`, and `comments` become a note on it.
    """

    ids: tuple[str, ...]
    title: str
    seats: tuple[ScoredSeat, ...]
    first: int | None = None
    played: str | None = None
    place: str | None = None
    minutes: int | None = None
    comments: str = ""
    by: str = "scribe"
    where: str = ""

    @property
    def game(self) -> str:
        """The id that a new log of this game gets."""
        return self.ids[0]

    @property
    def result(self) -> str:
        """`Anna 63, Bob 58`."""
        return ", ".join(f"{seat.player} {seat.points}" for seat in self.seats)


class WholeLog(Struct, frozen=True, kw_only=True):
    """A log that is imported byte for byte, with the notes that came in the same file.

    `is_notation`: the file is a text of moves and its chain was made here; then `places` are the lines of that text,
    one for each line of the log after its header.
    """

    game: str
    raw: bytes
    notes: bytes = b""
    players: tuple[str, ...]
    played: str | None
    place: str | None
    where: str
    is_notation: bool = False
    places: Sequence[int] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of one game, or of `games` that are not imported for one reason.

    `name` is that of the log in the archive; `notes` counts notes that were not in the archive yet. `findings` counts
    open findings of a log that was imported, `text` is that log if it was written as notation. `why`: None where
    nothing has to be said. `repeats` is the name of another game with the result of a new one: the same players and
    scores on the same day.
    """

    what: Result
    game: str = ""
    name: str = ""
    played: str | None = None
    place: str | None = None
    players: str = ""
    games: int = 1
    where: str = ""
    why: Message | None = None
    notes: int = 0
    findings: int = 0
    repeats: str = ""
    text: WholeLog | None = None


class Imported(Struct, frozen=True, kw_only=True):
    """What one file holds. `unknown` counts fields that no reader knows; logs come one at a time: packs are large."""

    games: tuple[ScoredGame, ...] = ()
    logs: Iterable[WholeLog | Outcome] = ()
    left_out: tuple[Outcome, ...] = ()
    unknown: Mapping[str, int] = {}
    remarks: tuple[Message, ...] = ()


def reason_of(error: SpyriumLogError) -> Message:
    """What an error says, for an outcome: the error itself would keep the whole file in memory."""
    if isinstance(error, LogError):
        place = f"{error.file}:{error.line}"
        return exchange_message("unreadable", code=error.code, message=error.message, place=place)
    return error.message


class Collector:
    """Collects what the reader of one file finds."""

    def __init__(self, file: str, titles: Titles) -> None:
        """`file`: the name of the file, for outcomes. `titles`: those whose games are wanted."""
        self.file = file
        self.titles = titles
        self.games: list[ScoredGame] = []
        self._left_out: list[Outcome] = []
        self._other_titles: Counter[Message] = Counter()
        self._unknown: Counter[str] = Counter()

    def find_title(self, name: str, bgg_id: int = 0, games: int = 1) -> AnyTitle | None:
        """The title by its number at BoardGameGeek where both sides know one, else by its name; counts other games."""
        for title in self.titles.values():
            is_meant = fold_name(name) in {fold_name(title.name), fold_name(title.key)}
            if bgg_id and title.bgg_id:
                is_meant = bgg_id == title.bgg_id
            if is_meant:
                return title
        self._other_titles[explain_other_title(self.titles, name)] += games
        return None

    def add(self, game: ScoredGame) -> None:
        """Take a game to be imported; ExchangeError for one that a log cannot hold."""
        check_game(game, self.titles)
        self.games.append(game)

    def leave_out(self, where: str, why: ExchangeError, games: int = 1) -> None:
        """Record that a game, or several, at this place of the file is not imported, and why."""
        self._left_out.append(Outcome(what="left out", where=where, why=why.message, games=games))

    def note_unknown(self, name: str) -> None:
        """Count a field that no reader knows; of a file that is full of them, the first ones."""
        if name in self._unknown or len(self._unknown) < MAX_UNKNOWN_FIELDS:
            self._unknown[name] += 1

    def finish(self, remarks: Iterable[Message] = ()) -> Imported:
        """Everything collected, as the result of the reader; `remarks` are on the file as a whole."""
        others = (Outcome(what="other", where=self.file, why=why, games=n) for why, n in self._other_titles.items())
        return Imported(
            games=tuple(self.games),
            left_out=(*self._left_out, *others),
            unknown=dict(sorted(self._unknown.items())),
            remarks=tuple(remarks),
        )


def sort_by_order(items: Sequence[Item], orders: Sequence[int]) -> list[Item]:
    """The items by the order that each has; unchanged where two have the same or one has none, which is 0."""
    if not all(orders) or len(set(orders)) < len(orders):
        return list(items)
    return [items[index] for index in sorted(range(len(items)), key=orders.__getitem__)]


def explain_other_title(titles: Titles, name: str) -> Message:
    """Why a game of this name is not imported: it is none of the titles."""
    names = Alternatives(tuple(title.name for title in titles.values()))
    return exchange_message("other-title", titles=names, found=make_quotable(name))


def check_game(game: ScoredGame, titles: Titles) -> None:
    """Raise for a game that a log cannot hold."""
    if wrong := [game_id for game_id in game.ids if not _ID.fullmatch(game_id)]:
        raise ExchangeError("game-id", found=make_quotable(wrong[0]))
    title = titles[game.title]
    if len(game.seats) not in title.seats:
        raise ExchangeError("players", least=title.seats[0], most=title.seats[-1], found=len(game.seats))
    for seat in game.seats:
        _check_text(seat.player, argument_message("player"), MAX_NAME)
        if abs(seat.points) > MAX_POINTS:
            raise ExchangeError("points", most=MAX_POINTS, found=make_quotable(seat.points))
    counts = Counter(fold_name(seat.player) for seat in game.seats)
    if repeated := [seat.player for seat in game.seats if counts[fold_name(seat.player)] > 1]:
        raise ExchangeError("player-twice", player=make_quotable(repeated[0]))
    if game.place is not None:
        _check_text(game.place, argument_message("place"), MAX_TEXT)
    if game.first is not None and not 1 <= game.first <= len(game.seats):
        raise ExchangeError("first", n=len(game.seats), found=make_quotable(game.first))


def _check_text(text: str, what: Message, most: int) -> None:
    """Raise for a text that a log cannot hold; `what` it is, for the error."""
    if not text.strip():
        raise ExchangeError("blank", what=what)
    if len(text) > most:
        raise ExchangeError("too-long", what=what, most=most, found=len(text))
    if not text.isprintable():
        raise ExchangeError("unprintable", what=what, found=make_quotable(text))


def encode_scored_game(game: ScoredGame, titles: Titles, at: datetime | None = None) -> bytes:
    """The game as a log. Without a time, two machines that read the same file write the same bytes."""
    title = titles[game.title]
    lines = make_scoresheet(
        title,
        game=game.game,
        scores=[(seat.player, seat.points) for seat in game.seats],
        colours=_seat_colours(title, game.seats),
        # a log names who began: where nobody knows, the first seat
        first=game.first or 1,
        by=game.by,
        at=at,
        played=game.played,
        place=game.place,
    )
    return encode_log(lines)


def _seat_colours(title: AnyTitle, seats: Sequence[ScoredSeat]) -> list[str]:
    """Each seat's colour if the title has it and nobody else names it; the other seats get those that are left."""
    named = [read_colour(seat.colour or "", title.colours) for seat in seats]
    known = [colour if colour in title.colours and named.count(colour) == 1 else None for colour in named]
    free_colours = iter([colour for colour in title.colours if colour not in known])
    return [next(free_colours) if colour is None else colour for colour in known]


def make_scored_game(replayed: Replay, notes: Notes | None = None) -> ScoredGame:
    """The final scores of a game that was played to its end, or whose result the table declared.

    The notes are its comments (default: none).
    """
    header = replayed.header
    scores = {score.seat: score.total for score in replayed.scores()}
    ranks: Mapping[int, int] = {score.seat: score.place for score in replayed.scores()}
    losers = {score.seat for score in replayed.scores() if score.lost}
    if not any(isinstance(event.do, FinalCount) for event in replayed.events):
        # it was not counted to the end: only what the table declared is certain
        scores = {result.seat: result.points for result in replayed.declared}
        ranks = {}
    if missing := [player for seat, player in enumerate(replayed.players, 1) if seat not in scores]:
        raise ExchangeError("no-final-score", player=missing[0], place=replayed.log.file)
    return ScoredGame(
        ids=(header.game,),
        title=header.title,
        seats=tuple(
            ScoredSeat(player=seat.player, points=scores[n], colour=seat.colour, rank=ranks.get(n), lost=n in losers)
            for n, seat in enumerate(header.seats, 1)
        ),
        first=replayed.first,
        played=header.played,
        place=header.place,
        minutes=_count_minutes(replayed),
        comments=_join_remarks(replayed, notes) if notes is not None else "",
        by=header.by,
        where=replayed.log.file,
    )


def _count_minutes(replayed: Replay) -> int | None:
    """How long a game took at the table, without its pauses; None where its times do not say it."""
    # the times of what was copied from paper say when that was done
    if replayed.header.source != "table":
        return None
    return minutes_or_none(round(sum(filter(None, waiting_times(replayed.events))) / 60))


def _join_remarks(replayed: Replay, notes: Notes) -> str:
    """The notes on a game as one text, a line each: an event is named, but the last one and the game as a whole."""
    last = replayed.name_of(replayed.events[-1]) if replayed.events else "0"
    lines = []
    for remark in list_game_remarks(replayed, notes):
        place = "" if remark.on in {"0", last} else f"{remark.on}:"
        variation = f"({'; '.join(remark.variation)})" if remark.variation else ""
        tags = (f"#{tag}" for tag in remark.tags)
        lines.append(" ".join(filter(None, (place, remark.mark, remark.text, variation, *tags))))
    return "\n".join(lines)


def name_persons(game: ScoredGame, aliases: Aliases) -> ScoredGame:
    """The same game with the names of persons instead of their spellings."""
    persons = aliases.resolve_names([seat.player for seat in game.seats])
    seats = tuple(replace(seat, player=name) for seat, name in zip(game.seats, persons, strict=True))
    return replace(game, seats=seats)


def ranked_seats(game: ScoredGame) -> list[tuple[int, ScoredSeat, int]]:
    """Number, seat and rank of each seat: ranks by the title where it gave them, else by points."""
    ranks = [seat.rank for seat in game.seats if seat.rank is not None]
    if len(ranks) < len(game.seats):
        ranks = [1 + sum(other.points > seat.points for other in game.seats) for seat in game.seats]
    return list(zip(range(1, len(ranks) + 1), game.seats, ranks, strict=True))


def describe_difference(there: ScoredGame, here: ScoredGame) -> Message | None:
    """In what two accounts of one game differ, else None; a day or place that only one names is no difference."""
    scores_there, scores_here = (sorted((seat.player, seat.points) for seat in game.seats) for game in (there, here))
    if scores_there != scores_here:
        return exchange_message("other-result", expected=there.result, found=here.result)
    if there.played and here.played and there.played != here.played:
        return exchange_message("other-day", expected=there.played, found=here.played)
    if there.place and here.place and there.place != here.place:
        return exchange_message("other-place", expected=there.place, found=here.place)
    return None
