"""Score sheets that are in an archive twice: a game of one day with the same players and scores.

They are imported all the same; reports count one of them (`repeated`, a view of the read model).
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple, TypeAlias

from spyrium_log.errors import ExchangeError, SpyriumLogError
from spyrium_log.exchange.scored import ScoredGame, make_scored_game
from spyrium_log.replay import Replay, replay
from spyrium_log.standings import with_declared
from spyrium_log.store import Aliases, Folder, fold_name

# Which games may have one result: title, day and players.
_Table: TypeAlias = tuple[str, str, tuple[str, ...]]


class _Result(NamedTuple):
    """The points of each player, in the order of names, and whether nobody recorded the moves."""

    points: tuple[tuple[str, int], ...]
    is_sheet: bool


class KnownResults:
    """The results of an archive and of what is imported into it. A log is read when a game of its table comes."""

    def __init__(self, folder: Folder, aliases: Aliases) -> None:
        """`folder`: the archive, of which nothing is read yet."""
        self._folder = folder
        self._aliases = aliases
        # by table the names of games, each with its result once that was read
        self._games: dict[_Table, dict[str, _Result | None]] | None = None

    def add_log(self, name: str, game: Replay) -> str:
        """Add a game that was recorded; the name of one that it repeats, '' for none."""
        with suppress(ExchangeError):
            return self._add(name, game.header.title, game.header.played, self._make_result_of_log(game))
        return ""

    def add_sheet(self, name: str, game: ScoredGame) -> str:
        """Add a mere score sheet; the name of a game that it repeats, '' for none."""
        points = tuple(sorted((self._fold(seat.player), seat.points) for seat in game.seats))
        return self._add(name, game.title, game.played, _Result(points, is_sheet=True))

    def _add(self, name: str, title: str, played: str | None, result: _Result) -> str:
        """Add a game with its result; the name of one that it repeats, '' for none or on an unknown day."""
        if played is None:
            return ""
        known = self._read_tables().setdefault((title, played, tuple(player for player, _ in result.points)), {})
        repeated = next((other for other in known if other != name and self._is_repeated(known, other, result)), "")
        known[name] = result
        return repeated

    def _is_repeated(self, known: dict[str, _Result | None], name: str, result: _Result) -> bool:
        """Whether a game of the same table has this result, and one of the two is a mere score sheet."""
        other = known[name] or self._read_result(name)
        known[name] = other
        return other.points == result.points and (other.is_sheet or result.is_sheet)

    def _read_result(self, name: str) -> _Result:
        """The result of a log in the archive; one without points where it has none, or cannot be read."""
        with suppress(SpyriumLogError):
            return self._make_result_of_log(replay(self._folder.read_log(name), audit=False))
        return _Result((), is_sheet=False)

    def _read_tables(self) -> dict[_Table, dict[str, _Result | None]]:
        """The games of the archive by table, from their headers, which are read once."""
        if self._games is None:
            self._games = {}
            for name, header in self._folder.list_headers():
                if header.played is not None:
                    players = tuple(sorted(self._fold(seat.player) for seat in header.seats))
                    self._games.setdefault((header.title, header.played, players), {})[name] = None
        return self._games

    def _make_result_of_log(self, game: Replay) -> _Result:
        """The result that counts for a game, which the table may have declared; ExchangeError where it has none."""
        # which refuses a game that has no final scores
        make_scored_game(game)
        totals = [score.total for score in with_declared(game.scores(), game.declared)]
        points = tuple(sorted(zip(map(self._fold, game.players), totals, strict=True)))
        return _Result(points, is_sheet=game.is_scores_only)

    def _fold(self, player: str) -> str:
        """The person of a spelling, as names are compared."""
        return fold_name(self._aliases.resolve_name(player))
