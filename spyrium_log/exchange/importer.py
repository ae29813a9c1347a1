"""Imports games into an archive: each game once, and never over another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from spyrium_log.edit.annotate import make_note
from spyrium_log.errors import ExchangeError, LogError, StoreError
from spyrium_log.exchange import scored
from spyrium_log.exchange.repeated import KnownResults
from spyrium_log.exchange.values import make_game_id
from spyrium_log.messages import Count, Message, exchange_message
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder, Log, read_bytes
from spyrium_log.transcript import transcribe


class _Written(NamedTuple):
    """What became of a log, why if that has to be said, and its open findings if lines of it were written.

    `repeats`: the name of a game with the result of a new one. `notes`: how many were written on a game of scores.
    """

    what: scored.Result
    why: Message | None = None
    findings: int = 0
    repeats: str = ""
    notes: int = 0


class Importer:
    """One call of `import`, of any number of files: two of them may hold the same game."""

    def __init__(self, folder: Folder, titles: scored.Titles, *, is_dry: bool = False) -> None:
        """`folder`: the archive. `is_dry`: say what would become of each game, and write nothing."""
        self._folder = folder
        self._titles = titles
        self._is_dry = is_dry
        self._aliases = folder.read_aliases()
        # names of logs by the ids of their games
        self._names_by_game = folder.names_by_game()
        self._names = set(self._names_by_game.values())
        self._scored: dict[str, scored.ScoredGame] = {}
        self._results = KnownResults(folder, self._aliases)
        # what a dry run would have written: the hashes of the lines of each log
        self._hashes_by_game: dict[str, list[str]] = {}

    def add(self, imported: scored.Imported) -> Iterator[scored.Outcome]:
        """Import what one file holds, game by game; what became of each, and what was left out before."""
        yield from map(self._import_log, imported.logs)
        yield from map(self._import_game, imported.games)
        yield from imported.left_out

    def _import_log(self, log: scored.WholeLog | scored.Outcome) -> scored.Outcome:
        """Import a whole log, and the notes that came with it."""
        if isinstance(log, scored.Outcome):
            return log
        try:
            written = self._write_log(log)
        except LogError as error:
            # a log that cannot be read hides no other game of its file
            return scored.Outcome(what="unusable", where=log.where, why=scored.reason_of(error))
        name = self._names_by_game.get(log.game, "")
        has_notes = bool(log.notes) and written.what != "refused" and not self._is_dry
        return scored.Outcome(
            what=written.what,
            game=log.game,
            name=name,
            played=log.played,
            place=log.place,
            players=", ".join(log.players),
            where=log.where,
            why=written.why,
            notes=self._folder.add_notes(name, log.notes) if has_notes else 0,
            findings=written.findings,
            repeats=written.repeats,
            text=log if written.findings and log.is_notation else None,
        )

    def _write_log(self, log: scored.WholeLog) -> _Written:
        """Write a log that is new here, or what is missing at the end of one that is here; its id names the game."""
        name = self._names_by_game.get(log.game)
        if name is None and log.game in self._names:
            return _Written("refused", self._explain_taken_name(log.game))
        if name is None:
            game = replay(read_bytes(log.raw, log.where))
            # before it is written, when it would be found in the archive
            repeats = self._results.add_log(log.game, game)
            self._write_new_log(log.game, log.raw)
            return _Written("new", findings=_count_open_findings(game), repeats=repeats)
        if log.game not in self._hashes_by_game and self._folder.read_game(name).log == log.raw:
            return _Written("there")
        try:
            known = None if log.game in self._hashes_by_game else self._folder.read_log(name)
        except LogError as error:
            return _Written("refused", scored.reason_of(error))
        return self._write_missing_lines(name, known, log)

    def _write_missing_lines(self, name: str, known: Log | None, log: scored.WholeLog) -> _Written:
        """Write what a log has beyond the `known` one (None: of a dry run); refused where the two part before."""
        hashes_there = _hashes_of(known) if known else self._hashes_by_game[log.game]
        hashes_here = _hashes_of(read_bytes(log.raw, log.where))
        pairs = zip(hashes_there, hashes_here, strict=False)
        line = next((number for number, (there, here) in enumerate(pairs, 1) if there != here), None)
        has_all = line is None and len(hashes_here) <= len(hashes_there)
        # a log that is made of a text has hashes of its own
        if has_all or (log.is_notation and known and _has_same_beginning(known, log)):
            return _Written("there")
        if line is None:
            return self._append_lines(name, known, log, len(hashes_here) - len(hashes_there))
        return _Written("refused", exchange_message("other-history", n=line))

    def _append_lines(self, name: str, known: Log | None, log: scored.WholeLog, lines: int) -> _Written:
        """Append so many lines at the end of a log that are not here yet, if the file here can be written to."""
        if known and known.complaint is not None and not (known.damage and known.damage.is_mendable):
            return _Written("refused", scored.reason_of(known.complaint))
        findings = _count_open_findings(replay(read_bytes(log.raw, log.where)))
        try:
            if self._is_dry:
                self._hashes_by_game[log.game] = _hashes_of(read_bytes(log.raw, log.where))
            else:
                lines = self._folder.append_missing_lines(name, log.raw)
        except StoreError as error:
            return _Written("refused", error.message)
        return _Written("continued", exchange_message("new-lines", lines=Count(lines, "line")), findings)

    def _import_game(self, game: scored.ScoredGame) -> scored.Outcome:
        """Import a game with final scores, unless it is in the archive already."""
        known = next((game_id for game_id in game.ids if game_id in self._names_by_game), None)
        if known is not None:
            difference = self._difference_from_log(self._names_by_game[known], game)
            written = _Written("refused", difference) if difference else _Written("there")
        elif game.game in self._names:
            written = _Written("refused", self._explain_taken_name(game.game))
        else:
            repeats = self._results.add_sheet(game.game, game)
            self._write_new_log(game.game, scored.encode_scored_game(game, self._titles))
            self._scored[game.game] = game
            written = _Written("new", repeats=repeats, notes=self._write_comments(game))
        return scored.Outcome(
            what=written.what,
            game=known or game.game,
            name=self._names_by_game.get(known or game.game, ""),
            played=game.played,
            place=game.place,
            players=game.result,
            where=game.where,
            why=written.why,
            notes=written.notes,
            repeats=written.repeats,
        )

    def _write_comments(self, game: scored.ScoredGame) -> int:
        """Write the comments on a new game as a note on the whole of it, if there are any; how many notes that is."""
        if self._is_dry or not game.comments:
            return 0
        note_id = make_game_id("note", game.game)
        note = make_note(self._folder.read_log(game.game), "0", note_id=note_id, by=game.by, text=game.comments)
        with self._folder.open_notes_writer(game.game) as writer:
            writer.append(note)
        return 1

    def _difference_from_log(self, name: str, game: scored.ScoredGame) -> Message | None:
        """In what a game differs from the log of that name in the archive, or why nobody can say; None: in nothing."""
        try:
            known = self._scored.get(name) or scored.make_scored_game(replay(self._folder.read_log(name), audit=False))
        except (ExchangeError, LogError) as error:
            return scored.reason_of(error)
        # an alias may be newer than the log
        there, here = (scored.name_persons(account, self._aliases) for account in (known, game))
        return scored.describe_difference(there, here)

    def _explain_taken_name(self, game: str) -> Message:
        """Why a game is refused whose id is the name of another game's file."""
        return exchange_message("name-taken", place=f"{self._folder.path / game}.jsonl")

    def _write_new_log(self, name: str, raw: bytes) -> None:
        """Write a new log, or in a dry run its hashes, and remember its name."""
        if self._is_dry:
            self._hashes_by_game[name] = _hashes_of(read_bytes(raw, name))
        else:
            self._folder.write_whole(raw)
        self._names_by_game[name] = name
        self._names.add(name)


def _count_open_findings(game: Replay) -> int:
    """How many findings of its audit nobody has accepted or ruled on."""
    return sum(finding.is_open for finding in game.findings)


def _hashes_of(log: Log) -> list[str]:
    """The hashes of its lines; those of a longer log of the same game begin with them."""
    return [line.hash for line in log.lines]


def _has_same_beginning(known: Log, log: scored.WholeLog) -> bool:
    """Whether a text of moves says what is in the archive, or the beginning of it."""
    text = list(transcribe(read_bytes(log.raw, log.where)))
    return list(transcribe(known))[: len(text)] == text
