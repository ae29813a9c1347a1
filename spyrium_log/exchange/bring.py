"""What was read goes into the archive: each game once, and never over another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct

from spyrium_log.errors import ExchangeError, LogError
from spyrium_log.exchange.scored import Imported, LeftOut, ScoredGame, WholeLog, difference, log_of, scored_of
from spyrium_log.replay import replay
from spyrium_log.store import Folder
from spyrium_log.title import AnyTitle

What: TypeAlias = Literal["new", "there", "refused", "left out", "other", "unusable"]


class Brought(Struct, frozen=True, kw_only=True):
    """What became of one game, of so many that were left out for one reason, or of a file that says none.

    `notes`: how many came with it that were not here.
    """

    what: What
    game: str = ""
    played: str | None = None
    place: str | None = None
    players: str = ""
    games: int = 1
    where: str = ""
    why: str = ""
    notes: int = 0


class Bringer:
    """One call of importing: it remembers what it brought, so that two files may say the same game."""

    def __init__(self, folder: Folder, titles: Mapping[str, AnyTitle], *, is_dry: bool = False) -> None:
        self._folder = folder
        self._titles = titles
        self._is_dry = is_dry
        self._here = set(folder.names())
        self._scored: dict[str, ScoredGame] = {}
        self._digests: dict[str, str] = {}

    def bring(self, imported: Imported) -> Iterator[Brought]:
        """All that one file says, one by one: what is written is said, whatever comes of the rest."""
        yield from map(self._log, imported.logs)
        yield from map(self._game, imported.games)
        yield from map(self._left, imported.left_out)

    def _left(self, left: LeftOut) -> Brought:
        what: What = "other" if left.is_other else "left out"
        return Brought(what=what, games=left.games, where=left.where, why=left.why)

    def _log(self, log: WholeLog | LeftOut) -> Brought:
        if isinstance(log, LeftOut):
            return self._left(log)
        digest = sha256(log.raw).hexdigest()
        what: What = "new"
        why = ""
        if log.game in self._here:
            known = self._digests.get(log.game) or self._folder.digest(log.game)
            what = "there" if known == digest else "refused"
            why = "" if known == digest else "expected the log that is here under this id, found other bytes"
        else:
            self._write(log.game, log.raw)
            self._digests[log.game] = digest
        has_notes = bool(log.notes) and what != "refused" and not self._is_dry
        return Brought(
            what=what,
            game=log.game,
            played=log.played,
            place=log.place,
            players=", ".join(log.players),
            where=log.where,
            why=why,
            notes=self._folder.add_notes(log.game, log.notes) if has_notes else 0,
        )

    def _game(self, game: ScoredGame) -> Brought:
        known = next((id_ for id_ in game.ids if id_ in self._here), None)
        what: What = "new"
        why = ""
        if known is None:
            self._write(game.game, log_of(game, self._titles))
            self._scored[game.game] = game
        else:
            why = self._otherwise(known, game)
            what = "refused" if why else "there"
        return Brought(
            what=what,
            game=known or game.game,
            played=game.played,
            place=game.place,
            players=game.result,
            where=game.where,
            why=why,
        )

    def _otherwise(self, name: str, game: ScoredGame) -> str:
        try:
            there = self._scored.get(name) or scored_of(replay(self._folder.read(name), audit=False))
        except (ExchangeError, LogError) as error:
            return str(error)
        return difference(there, game)

    def _write(self, name: str, raw: bytes) -> None:
        if not self._is_dry:
            self._folder.write_whole(raw)
        self._here.add(name)
