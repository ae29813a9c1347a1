"""What was read goes into the archive: each game once, and never over another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from spyrium_log.errors import ExchangeError, LogError, StoreError
from spyrium_log.exchange.scored import (
    Imported,
    LeftOut,
    ScoredGame,
    WholeLog,
    difference,
    log_of,
    scored_of,
    with_persons,
)
from spyrium_log.replay import replay
from spyrium_log.store import Folder, read_bytes
from spyrium_log.title import AnyTitle
from spyrium_log.transcript import transcribe

What: TypeAlias = Literal["new", "continued", "there", "refused", "left out", "other", "unusable"]


# As long as a line's hash.
HASH = 32


class Brought(Struct, frozen=True, kw_only=True):
    """What became of one game, of so many that were left out for one reason, or of a file that says none.

    `name` is that of its log in the archive. `notes`: how many came with it that were not here. `findings`: how many
    the audit has that nobody ruled on, of a log that came in; `text` is that log, where somebody wrote it as notation.
    """

    what: What
    game: str = ""
    name: str = ""
    played: str | None = None
    place: str | None = None
    players: str = ""
    games: int = 1
    where: str = ""
    why: str = ""
    notes: int = 0
    findings: int = 0
    text: WholeLog | None = None


class Bringer:
    """One call of importing: it remembers what it brought, so that two files may say the same game."""

    def __init__(self, folder: Folder, titles: Mapping[str, AnyTitle], *, is_dry: bool = False) -> None:
        self._folder = folder
        self._titles = titles
        self._is_dry = is_dry
        self._aliases = folder.aliases()
        self._here = folder.games()
        self._names = set(self._here.values())
        self._scored: dict[str, ScoredGame] = {}
        # of the log that is being brought
        self._findings = 0
        # what a dry run would have written
        self._chains: dict[str, str] = {}

    def bring(self, imported: Imported) -> Iterator[Brought]:
        """All that one file says, one by one: what is written is said, whatever comes of the rest."""
        yield from map(self._log, imported.logs)
        yield from map(self._game, imported.games)
        yield from map(self._left, imported.left_out)

    def _left(self, left: LeftOut) -> Brought:
        what: What = "unusable" if left.is_unusable else "other" if left.is_other else "left out"
        return Brought(what=what, games=left.games, where=left.where, why=left.why)

    def _log(self, log: WholeLog | LeftOut) -> Brought:
        if isinstance(log, LeftOut):
            return self._left(log)
        self._findings = 0
        try:
            what, why = self._became(log)
        except LogError as error:
            # One that nobody could read here hides no other game of its file.
            return self._left(LeftOut(where=log.where, why=str(error), is_unusable=True))
        name, findings = self._here.get(log.game, ""), self._findings
        has_notes = bool(log.notes) and what != "refused" and not self._is_dry
        return Brought(
            what=what,
            game=log.game,
            name=name,
            played=log.played,
            place=log.place,
            players=", ".join(log.players),
            where=log.where,
            why=why,
            notes=self._folder.add_notes(name, log.notes) if has_notes else 0,
            findings=findings,
            text=log if findings and log.is_told else None,
        )

    def _became(self, log: WholeLog) -> tuple[What, str]:
        """A game is known by the id in its header, whatever its file is called; its history by the hashes."""
        name = self._here.get(log.game)
        if name is None:
            return self._began(log)
        if log.game not in self._chains and self._folder.game(name).log == log.raw:
            return "there", ""
        try:
            known = None if log.game in self._chains else self._folder.read(name)
        except LogError as error:
            return "refused", str(error)
        there = _chain(known) if known else self._chains[log.game]
        here = _chain(read_bytes(log.raw, log.where))
        if there.startswith(here) or (log.is_told and known and _tells(known, log)):
            return "there", ""
        if here.startswith(there):
            return self._continued(name, known, log, here)
        at = next(n for n, pair in enumerate(zip(_hashes(there), _hashes(here), strict=False), 1) if len(set(pair)) > 1)
        found = f"found one that parts from it at line {at}: compare lays the two side by side"
        return "refused", f"expected the log that is here under this id, {found}"

    def _began(self, log: WholeLog) -> tuple[What, str]:
        if log.game in self._names:
            return "refused", self._taken(log.game)
        self._findings = _open_findings(log)
        self._write(log.game, log.raw)
        if self._is_dry:
            self._chains[log.game] = _chain(read_bytes(log.raw, log.where))
        return "new", ""

    def _continued(self, name: str, known: Any, log: WholeLog, chain: str) -> tuple[What, str]:
        """The lines that are not here yet, if the file here can be written to."""
        if known and known.complaint is not None and not (known.damage and known.damage.is_mendable):
            return "refused", str(known.complaint)
        self._findings = _open_findings(log)
        lines = len(chain) // HASH - (len(known.lines) if known else len(self._chains[log.game]) // HASH)
        if self._is_dry:
            self._chains[log.game] = chain
        else:
            try:
                lines = self._folder.carry_on(name, log.raw)
            except StoreError as error:
                return "refused", str(error)
        return "continued", f"{lines} line{'' if lines == 1 else 's'} that were not here"

    def _taken(self, game: str) -> str:
        return f"expected no other game in the file of this one, found one, at {self._folder.path / game}.jsonl"

    def _game(self, game: ScoredGame) -> Brought:
        known = next((id_ for id_ in game.ids if id_ in self._here), None)
        what: What = "new"
        why = ""
        if known is None and game.game in self._names:
            what, why = "refused", self._taken(game.game)
        elif known is None:
            self._write(game.game, log_of(game, self._titles))
            self._scored[game.game] = game
        else:
            why = self._otherwise(self._here[known], game)
            what = "refused" if why else "there"
        return Brought(
            what=what,
            game=known or game.game,
            name=self._here.get(known or game.game, ""),
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
        # Who came in under another spelling, before somebody said who that is, is the same person.
        return difference(with_persons(there, self._aliases), with_persons(game, self._aliases))

    def _write(self, name: str, raw: bytes) -> None:
        if not self._is_dry:
            self._folder.write_whole(raw)
        self._here[name] = name
        self._names.add(name)


def _open_findings(log: WholeLog) -> int:
    return sum(finding.is_open for finding in replay(read_bytes(log.raw, log.where)).findings)


def _chain(log: Any) -> str:
    """The hashes of its lines, one after the other: what goes on from it begins so."""
    return "".join(line.hash for line in log.lines)


def _hashes(chain: str) -> Iterator[str]:
    return (chain[at : at + HASH] for at in range(0, len(chain), HASH))


def _tells(known: Any, log: WholeLog) -> bool:
    """Whether a text of moves says what is here, or the beginning of it."""
    here = list(transcribe(read_bytes(log.raw, log.where)))
    return list(transcribe(known))[: len(here)] == here
