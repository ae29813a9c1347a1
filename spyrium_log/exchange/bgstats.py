"""BG Stats in: its JSON exports (`BGStatsExport.json`, `.bgsplay`).

An export is tables that refer to each other by ids of this one file; what lasts is a `uuid`. A score is text, and may
be a formula. Plays are read one by one: a broken one is left out, the others are imported.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.bgstats_write import uuid_of
from spyrium_log.exchange.scored import Collector, Imported, ScoredGame, ScoredSeat
from spyrium_log.exchange.values import (
    check_json_size,
    game_id,
    parse_day,
    parse_points,
    player_name,
    shown,
    tidy,
    valid_minutes,
)
from spyrium_log.store import folded
from spyrium_log.title import AnyTitle

SOURCE = "bgstats"
# Rows of one table, and players of one play, beyond anything that people recorded.
MAX_ROWS = 100_000
MAX_SEATS = 100


class _Row(Struct, rename="camel"):
    """A row that others refer to by its id."""

    id: int
    name: str = ""


class _Game(_Row, rename="camel"):
    """A game that somebody owns, which may be one of our titles."""

    bgg_id: int | None = None


class _Player(_Row, rename="camel"):
    """A player; the uuid is the same in every export of one person."""

    uuid: str | None = None
    is_anonymous: bool | None = None


class _Score(Struct, rename="camel"):
    """One player of a play, and the score."""

    player_ref_id: int
    score: str | int | None = None
    seat_order: int | None = None
    start_player: bool | None = None


class _GameOfPlay(Struct, rename="camel"):
    """As much of a play as refers to its game."""

    game_ref_id: int


class _Play(_GameOfPlay, rename="camel"):
    """A whole play, of a game that is one of our titles. `import_play_id` is what another program called it."""

    uuid: str
    player_scores: list[Any]
    location_ref_id: int | None = None
    play_date: str | None = None
    play_date_ymd: int | None = None
    duration_min: int | None = None
    ignored: bool | None = None
    uses_teams: bool | None = None
    bgg_id: int | None = None
    import_play_id: Any = None


RowKind = TypeVar("RowKind", bound=_Row)

# Documented fields that have nothing to do with scores.
_FIELDS_NOT_READ: Mapping[str, str] = {
    "": "about userInfo games players locations plays challenges deletedObjects groups tags cards",
    "games": "uuid bggName bggYear highestWins noPoints cooperative usesTeams isBaseGame isExpansion designers copies "
    "urlThumb urlImage rating modificationDate",
    "players": "bggUsername metaData modificationDate",
    "locations": "uuid modificationDate",
    "plays": "entryDate modificationDate rounds board comments rating manualWinner scoringSetting expansionPlays "
    "nemestatsId playImages",
    "playerScores": "winner rank newPlayer role team",
}


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be one: an object that is no line of a log."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and not text.startswith(b'{"kind":')


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The plays of an export that are games of these titles."""
    return _Reader(_decode_export(raw, file), file, titles, aliases).read()


def _decode_export(raw: bytes, file: str) -> dict[str, Any]:
    """The export as plain JSON, strictly: no key twice, no infinity, not too many rows."""
    check_json_size(raw, file)
    try:
        export = json.loads(
            raw.decode("utf-8-sig"),
            object_pairs_hook=_object_of_pairs,
            parse_constant=_refuse_constant,
            parse_float=_finite_float,
        )
    except UnicodeDecodeError as error:
        byte = f"the byte 0x{raw[error.start]:02x}" if error.start < len(raw) else "another byte"
        raise ExchangeError(f"expected UTF-8, found {byte}, at {file}") from None
    except json.JSONDecodeError as error:
        raise ExchangeError(f"expected JSON, found: {error.msg.lower()}, at {file}:{error.lineno}") from None
    except RecursionError:
        raise ExchangeError(f"expected the tables of BG Stats, found them nested without end, at {file}") from None
    except ValueError as error:
        # a number of thousands of digits
        raise ExchangeError(f"expected JSON, found: {shown(error)}, at {file}") from None
    except ExchangeError as error:
        raise ExchangeError(f"{error}, at {file}") from None
    if not isinstance(export, dict) or not isinstance(export.get("plays"), list):
        raise ExchangeError(f"expected an export of BG Stats, found no table 'plays', at {file}")
    if long := [name for name, rows in export.items() if isinstance(rows, list) and len(rows) > MAX_ROWS]:
        raise ExchangeError(f"expected at most {MAX_ROWS} rows in '{shown(long[0])}', found more, at {file}")
    return export


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs. With two values under one key nobody could say which counts, so it is refused."""
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ExchangeError(f"expected each key once, found '{shown(twice)}' twice")
    return values


def _refuse_constant(word: str) -> NoReturn:
    """Called for `NaN` and `Infinity`, which Python reads and JSON does not have."""
    raise ExchangeError(f"expected JSON, found '{word}'")


def _finite_float(text: str) -> float | str:
    """The number; `1e999` would be infinity and stays a text, which is of the wrong type wherever it stands."""
    number = float(text)
    return number if abs(number) < float("inf") else text


class _Reader:
    """Reads one export; `aliases` give the person of a name or a uuid."""

    def __init__(
        self, export: dict[str, Any], file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]
    ) -> None:
        self.file = file
        self.aliases = aliases
        self.collector = Collector(file, titles)
        # the players without an alias, by name: their ids with the name as written
        self.players_by_name: dict[str, dict[str, str]] = {}
        self._note_unknown("", export, ())
        self.games = self._rows_by_id(export, "games", _Game)
        self.players = self._rows_by_id(export, "players", _Player)
        self.locations = self._rows_by_id(export, "locations", _Row)
        self.plays: list[Any] = export["plays"]

    def read(self) -> Imported:
        """The games of all plays; one that cannot be read is left out with its index and day."""
        for index, row in enumerate(self.plays):
            where = f"{self.file}: plays[{index}]"
            try:
                self._read_play(row, where)
            except (msgspec.ValidationError, ExchangeError) as error:
                day = row.get("playDate") if isinstance(row, dict) else None
                is_of_other_shape = isinstance(error, msgspec.ValidationError)
                self.collector.leave_out(
                    f"{where} of {shown(day)}" if isinstance(day, str) and day else where,
                    f"expected a play of BG Stats, found: {shown(error)}" if is_of_other_shape else error,
                )
        return self.collector.imported(self._namesake_remarks())

    def _rows_by_id(self, export: dict[str, Any], name: str, kind: type[RowKind]) -> dict[int, list[RowKind]]:
        """Rows by id. A broken row is missed only by the plays that refer to it."""
        table: dict[int, list[RowKind]] = {}
        rows = export.get(name)
        for row in rows if isinstance(rows, list) else ():
            self._note_unknown(name, row, kind.__struct_encode_fields__)
            try:
                converted = msgspec.convert(row, kind)
            except (msgspec.ValidationError, RecursionError):
                continue
            table.setdefault(converted.id, []).append(converted)
        return table

    def _note_unknown(self, table: str, row: object, fields: Iterable[str]) -> None:
        """Count fields that are neither read nor documented."""
        if isinstance(row, dict):
            for key in row.keys() - set(fields) - set(_FIELDS_NOT_READ[table].split()):
                self.collector.note_unknown(f"{table}[].{shown(key)}" if table else shown(key))

    def _read_play(self, row: Any, where: str) -> None:
        """Add the game of one play, if it is one of our titles."""
        self._note_unknown("plays", row, _Play.__struct_encode_fields__)
        game = _only_row(self.games, "game", msgspec.convert(row, _GameOfPlay).game_ref_id)
        title = self.collector.find_title(game.name, game.bgg_id or 0)
        if title is not None:
            self.collector.add(self._game_of_play(msgspec.convert(row, _Play), title, where))

    def _game_of_play(self, play: _Play, title: AnyTitle, where: str) -> ScoredGame:
        """A game from a play; raises for plays without scores of single players."""
        if play.ignored:
            raise ExchangeError("expected a play that counts, found it marked as ignored")
        if play.uses_teams:
            raise ExchangeError("expected players for themselves, found teams")
        seats, first = self._seats_of_play(play)
        place = tidy(_only_row(self.locations, "location", play.location_ref_id).name) if play.location_ref_id else None
        return ScoredGame(
            ids=_game_ids(play),
            title=title.key,
            seats=seats,
            first=first,
            played=_day_of_play(play),
            place=place or None,
            minutes=valid_minutes(play.duration_min or 0),
            by=SOURCE,
            where=where,
        )

    def _seats_of_play(self, play: _Play) -> tuple[tuple[ScoredSeat, ...], int | None]:
        """The seats in their order, if the play has one, and the seat that began, if it names one."""
        if len(play.player_scores) > MAX_SEATS:
            raise ExchangeError(f"expected players around a table, found {len(play.player_scores)}")
        for row in play.player_scores:
            self._note_unknown("playerScores", row, _Score.__struct_encode_fields__)
        scores = msgspec.convert(play.player_scores, list[_Score])
        orders = [score.seat_order or 0 for score in scores]
        if all(orders) and len(set(orders)) == len(orders):
            scores.sort(key=lambda score: score.seat_order or 0)
        names = self._names_of_players([_only_row(self.players, "player", score.player_ref_id) for score in scores])
        seats = tuple(
            ScoredSeat(player=name, points=_points_of(score.score, name))
            for name, score in zip(names, scores, strict=True)
        )
        first = [seat for seat, score in enumerate(scores, 1) if score.start_player]
        return seats, first[0] if len(first) == 1 else None

    def _names_of_players(self, players: Sequence[_Player]) -> list[str]:
        """A name for each player, by the alias if there is one. Anonymous ones are numbered, so that two are two."""
        names = []
        anonymous = 0
        for player in players:
            if player.is_anonymous:
                anonymous += 1
                names.append(f"anonymous {anonymous}")
                continue
            uuid = player.uuid or ""
            names.append(player_name(self.aliases, uuid, player.name))
            if folded(uuid) not in self.aliases:
                same_name = self.players_by_name.setdefault(folded(player.name), {})
                same_name[uuid or f"id {player.id}"] = player.name
        return names

    def _namesake_remarks(self) -> Iterator[str]:
        """A remark for each name that several players have: only their uuids tell them apart."""
        for ids in self.players_by_name.values():
            if len(ids) > 1:
                name, known = shown(next(iter(ids.values()))), ", ".join(map(shown, ids))
                yield f"{len(ids)} players are called '{name}' ({known}): an alias for each id tells them apart"


def _only_row(table: Mapping[int, Sequence[RowKind]], what: str, row_id: int) -> RowKind:
    """The row with this id; a play that refers to none or to two is left out."""
    rows = table.get(row_id, ())
    if len(rows) != 1:
        raise ExchangeError(f"expected one {what} of id {shown(row_id)}, found {len(rows) or 'none'}")
    return rows[0]


def _points_of(score: str | int | None, name: str) -> int:
    """A score as the app writes it, which may be a sum; the error names the player."""
    try:
        return parse_points("" if score is None else str(score), allow_sum=True)
    except ExchangeError as error:
        raise ExchangeError(f"{error} for '{shown(name)}'") from None


def _game_ids(play: _Play) -> tuple[str, ...]:
    """The ids that the game may have here: of our own export, of the same play at BoardGameGeek, of BG Stats."""
    uuid = play.uuid.strip().casefold()
    if not uuid:
        raise ExchangeError("expected a play with a uuid, found none")
    ids = [game_id(SOURCE, uuid)]
    if play.bgg_id is not None and play.bgg_id > 0:
        ids.insert(0, game_id("bgg:play", str(play.bgg_id)))
    exported = play.import_play_id
    if isinstance(exported, str) and uuid == uuid_of("play", exported).casefold():
        ids.insert(0, exported)
    return tuple(ids)


def _day_of_play(play: _Play) -> str | None:
    """The day of a play, from either of the two fields that may hold it."""
    if play.play_date and play.play_date.strip():
        return parse_day(play.play_date)
    if not play.play_date_ymd:
        return None
    digits = str(play.play_date_ymd)
    return parse_day(f"{digits[:-4]}-{digits[-4:-2]}-{digits[-2:]}")
