"""A folder of logs, one game a file: `<game id>.jsonl`, and beside it the notes on it."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from spyrium_log.checks import check_list, check_type
from spyrium_log.errors import ArgumentError, ConflictError, LogError, StoreError
from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader
from spyrium_log.log.notes import Sidecar
from spyrium_log.log.pack import Game
from spyrium_log.log.timeline import apply_corrections, list_asides
from spyrium_log.play import Play
from spyrium_log.store.aliases import NAME as NAMES_FILE
from spyrium_log.store.aliases import Aliases, add_alias, read_aliases, remove_alias
from spyrium_log.store.files import DISK, Files, make_folders, reading_file, wrap_disk_errors, write_file
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import CHUNK, Lines, parse_game_id, read_bytes, read_path
from spyrium_log.store.writer import NotesWriter, Writer, read_notes, read_notes_bytes
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

SUFFIX = ".jsonl"
NOTES_SUFFIX = ".notes.jsonl"
LAST = "@last"
# The folder of games that are kept and not counted; a folder of logs never looks into another.
AWAY = "put-away"
# git must not change line ends, because the chain covers the bytes
ATTRIBUTES = b"*.jsonl -text\n"
# Names that an error lists of those that an ambiguous one may mean.
MOST_SHOWN = 12
# How the line of a correction begins.
CORRECTION = b'{"kind":"correction"'


class Folder:
    """An archive. A game is named by its id, or by the path of its file.

    `patience`: how long to wait for a file that another process has locked.
    """

    def __init__(
        self,
        path: Path | str,
        files: Files = DISK,
        titles: Mapping[str, AnyTitle] = TITLES,
        *,
        patience: Patience = AT_ONCE,
    ) -> None:
        """The archive in this folder, which is made when a game is first written to it."""
        check_type(path, (Path, str), "folder-path")
        self.path = Path(path)
        self._files = files
        self._titles = titles
        self._patience = patience

    def list_names(self) -> list[str]:
        """The ids of all games here, in order."""
        with wrap_disk_errors("list-logs", self.path):
            names = self._files.list_names(self.path)
        logs = [name for name in names if name.endswith(SUFFIX) and not name.endswith(NOTES_SUFFIX)]
        return sorted(name.removesuffix(SUFFIX) for name in logs if name[0] != ".")

    def names_by_game(self) -> dict[str, str]:
        """By game id the name of its file, of several the one named so; a log without a readable id counts by name."""
        files: dict[str, str] = {}
        for name in self.list_names():
            game = self.read_game_id(name) or name
            files[game] = name if game == name else files.get(game, name)
        return files

    def read_game_id(self, name: str | Path) -> str:
        """The id in the first line of a log; '' where there is none, or it cannot be read."""
        with suppress(StoreError):
            path = self._log_path(name)
            with reading_file(self._files, path, "read-log") as read:
                return parse_game_id(Lines(read).readline(codec.MAX_LINE + 1))
        return ""

    def read_log(self, name: str | Path) -> Log:
        """Read a log without a lock. Damage at its end is in its `complaint` and `damage`."""
        return read_path(self._log_path(name), titles=self._titles, files=self._files)

    def hash_log(self, name: str | Path) -> str:
        """SHA-256 of the bytes of a log, readable or not, by which its index knows whether it changed."""
        digest = sha256()
        for chunk in self._read_chunks(self._log_path(name)):
            digest.update(chunk)
        return digest.hexdigest()

    def read_game(self, name: str | Path) -> Game:
        """The bytes of a log and of the notes on it, readable or not."""
        notes = self._read_chunks(self._notes_path(name), missing_ok=True)
        return Game(b"".join(self._read_chunks(self._log_path(name))), b"".join(notes))

    def _read_chunks(self, path: Path, *, missing_ok: bool = False) -> Iterator[bytes]:
        """The bytes of a log or of notes in chunks, so that a large file takes no memory."""
        with reading_file(self._files, path, "read-log", missing_ok=missing_ok) as read:
            while chunk := read(CHUNK):
                yield chunk

    def open_writer(self, name: str | Path) -> Writer:
        """Open a log for appending, with its lock, and mend what was cut short when it was last written."""
        return Writer(self._log_path(name), self._files, self._titles, self._patience)

    def read_notes(self, name: str | Path) -> Sidecar:
        """Read the notes on a game; an empty sidecar where there are none."""
        return read_notes(self._notes_path(name), files=self._files)

    def open_notes_writer(self, name: str | Path) -> NotesWriter:
        """Open the notes on a game for appending, with a lock of their own; makes their file if there is none."""
        log = self._log_path(name)
        if not self._is_there(log):
            raise StoreError("notes-without-log", place=str(log))
        return NotesWriter(self._notes_path(name), self._files, self._patience)

    def add_notes(self, name: str | Path, raw: bytes) -> int:
        """Add notes to those on a game that is here, and return how many are new. Adding them again changes nothing."""
        check_type(raw, bytes, "notes-bytes")
        sidecar = read_notes_bytes(raw, "<new notes>")
        if sidecar.complaint is not None:
            raise sidecar.complaint
        if not sidecar.lines:
            return 0
        with self.open_notes_writer(name) as writer:
            return writer.merge(sidecar.notes)

    def read_aliases(self) -> Aliases:
        """The aliases of players in the file beside the logs."""
        return read_aliases(self.path / NAMES_FILE, files=self._files)

    def add_alias(self, name: str, also: Sequence[str]) -> Aliases:
        """Add spellings of a player's name to the aliases."""
        for spelling in (name, *check_list(also, "spellings")):
            check_type(spelling, str, "name-text")
        with wrap_disk_errors("write-names", self.path):
            make_folders(self._files, self.path)
        return add_alias(self.path / NAMES_FILE, name, also, files=self._files, patience=self._patience)

    def remove_alias(self, name: str, spelling: str) -> Aliases:
        """Take a spelling of a player's name out of the aliases: whoever is called so is somebody else again."""
        for text in (name, spelling):
            check_type(text, str, "name-text")
        return remove_alias(self.path / NAMES_FILE, name, spelling, files=self._files, patience=self._patience)

    def list_players(self) -> set[str]:
        """Everybody who plays in a log that can be read, under the names that these have now."""
        return {player for seats in self.list_seated_players() for player in seats}

    def list_seated_players(self) -> Iterator[list[str]]:
        """For each log that can be read its players as corrected, in the order of seats."""
        for _, header in self.list_headers():
            yield [seat.player for seat in header.seats]

    def list_headers(self) -> Iterator[tuple[str, AnyHeader]]:
        """The name of each log that can be read, with its header as corrected."""
        for name in self.list_names():
            with suppress(LogError, StoreError):
                log = self._read_heading(name)
                yield name, apply_corrections(log.header, list_asides(log.lines))

    def _read_heading(self, name: str) -> Log:
        """A log read as far as its header needs: the first line, or all of it where the header was corrected."""
        path = self._log_path(name)
        with reading_file(self._files, path, "read-log") as read:
            lines = Lines(read)
            first = lines.readline(codec.MAX_LINE + 1)
            later_lines = iter(partial(lines.readline, codec.MAX_LINE + 1), b"")
            is_corrected = any(line.startswith(CORRECTION) for line in later_lines)
        return self.read_log(name) if is_corrected else read_bytes(first, str(path), titles=self._titles)

    def create(self, play: Play) -> Play:
        """Write a game that was begun in memory here; from now on its lines are on the disk before they count.

        It then holds the log's lock: close it, or use it in `with`.
        """
        check_type(play, Play, "play")
        if play.is_recorded:
            raise ArgumentError("recorded-play")
        play.attach(self.open_writer(self.write_whole(play.encode())))
        return play

    def open_play(self, name: str | Path) -> Play:
        """Open a game to go on: its lines are on the disk before they count. Close it, or use it in `with`.

        `name` as for `resolve`. A line that was cut short when the log was last written is mended.
        """
        writer = self.open_writer(self.resolve(name) if isinstance(name, str) else name)
        with writer.closed_on_error():
            return Play(writer.log, record=writer)

    def write_whole(self, raw: bytes) -> Path:
        """Write a whole log here as it is: all of it or nothing, never over another one."""
        check_type(raw, bytes, "log-bytes")
        return self.write_game(Game(raw))

    def write_game(self, game: Game) -> Path:
        """Write a whole game here, log and notes as they are; never over another log.

        Notes that are here already are kept, and the new ones added. Notes are written first, so that a log is never
        without its notes, and writing can be repeated after a power cut.
        """
        check_type(game, Game, "game-with-notes")
        log = read_bytes(game.log, "<new log>", titles=self._titles)
        sidecar = read_notes_bytes(game.notes, "<new notes>")
        complaint = log.complaint or sidecar.complaint
        if complaint is not None:
            raise complaint
        path = self._log_path(log.header.game)
        with wrap_disk_errors("write-log", path):
            make_folders(self._files, self.path)
            attributes = self.path / ".gitattributes"
            if not self._files.is_there(attributes):
                with suppress(FileExistsError):
                    write_file(self._files, [ATTRIBUTES], attributes)
            if game.notes:
                self._write_notes(path, game.notes, sidecar)
            write_file(self._files, [game.log], path)
        return path

    def append_missing_lines(self, name: str, raw: bytes) -> int:
        """Append the lines that a log here lacks, from a longer copy of it; return how many."""
        check_type(raw, bytes, "log-bytes")
        longer = read_bytes(raw, "<new log>", titles=self._titles)
        if longer.complaint is not None:
            raise longer.complaint
        commands = [line.cmd for line in longer.lines if line.cmd is not None]
        with self.open_writer(name) as writer:
            last = writer.log.lines[-1]
            missing = longer.lines[len(writer.log.lines) :]
            # the copy must hold our last line, with its hash; a writer would write a repeated command once
            if longer.lines[last.n : last.n + 1] != [last] or len(set(commands)) < len(commands):
                raise ConflictError("other-log", place=str(writer.path))
            for line in missing:
                writer.append(line)
        return len(missing)

    def _write_notes(self, log: Path, raw: bytes, sidecar: Sidecar) -> None:
        """Write the notes on a new log, or add them to those that are there."""
        if self._files.is_there(log):
            # as writing the log would say later: then another game's notes would have been changed already
            raise FileExistsError(errno.EEXIST, "", str(log))
        notes_path = self._notes_path(log)
        try:
            write_file(self._files, [raw], notes_path)
        except FileExistsError:
            with NotesWriter(notes_path, self._files, self._patience) as writer:
                writer.merge(sidecar.notes)

    @property
    def away(self) -> Folder:
        """The folder of this archive's games that were put away."""
        return Folder(self.path / AWAY, self._files, self._titles, patience=self._patience)

    def put_away(self, game: str) -> Path:
        """Move a game and its notes to the folder of games that are not counted. Nothing is deleted or overwritten."""
        return self._move(game, self.away)

    def bring_back(self, game: str) -> Path:
        """Move a game and its notes back from the folder of games that are not counted."""
        return self.away._move(game, self)  # noqa: SLF001 - another one of us

    def _move(self, game: str, to: Folder) -> Path:
        """Move a game under its lock, the log last so that one can repeat it; returns where the log is then."""
        log = self._log_path(game)
        with wrap_disk_errors("move-log", log), LockedFile(log, self._files, "log", patience=self._patience):
            make_folders(self._files, to.path)
            paths = [path for path in (self._notes_path(game), log) if self._files.is_there(path)]
            # both before one is moved
            for path in paths:
                if self._files.is_there(to.path / path.name) and not self._is_same_file_in(path, to.path):
                    raise StoreError("name-taken", name=path.name, place=str(to.path))
            for path in paths:
                self._files.publish(path, to.path / path.name)
            self._files.sync_folder(to.path)
            self._files.sync_folder(self.path)
        return to.path / log.name

    def _is_same_file_in(self, path: Path, folder: Path) -> bool:
        """Whether a file has its name in that folder, too, as a move that was interrupted may leave it."""
        file = self._files.open(path, "read")
        try:
            return self._files.is_at(file, folder / path.name)
        finally:
            self._files.close(file)

    def resolve(self, text: str) -> Path:
        """The file of a game by its path, its name here, the beginning of its id, or `@last`."""
        check_type(text, str, "game-text")
        if text == LAST:
            return self._last_log_path()
        if text and text.isprintable() and self._is_there(Path(text)):
            return Path(text)
        if Path(text).name != text:
            raise StoreError("no-log", place=text)
        wanted = text.removesuffix(SUFFIX)
        here = self.list_names()
        matches = [wanted] if wanted in here else [name for name in here if name.startswith(wanted)]
        matches = matches or list(self._names_with_id(wanted))
        if len(matches) == 1:
            return self._log_path(matches[0])
        if not matches:
            raise StoreError("no-game", n=len(here), found=text, place=str(self.path))
        raise self._make_ambiguity_error(text, matches)

    def _make_ambiguity_error(self, text: str, names: Sequence[str]) -> StoreError:
        """The error for a text that several games may mean; of many it lists the first."""
        shown, more, place = ", ".join(names[:MOST_SHOWN]), len(names) - MOST_SHOWN, str(self.path)
        if more > 0:
            return StoreError("many-games", found=text, n=len(names), names=shown, more=more, place=place)
        return StoreError("several-games", found=text, n=len(names), names=shown, place=place)

    def _names_with_id(self, prefix: str) -> Iterator[str]:
        """The names of the logs whose game has an id with this beginning: a file may be called otherwise."""
        for name in self.list_names():
            with suppress(LogError, StoreError):
                if self._read_heading(name).header.game.startswith(prefix):
                    yield name

    def _last_log_path(self) -> Path:
        """The file of the log here that was written last: `@last`."""
        paths = [self._log_path(name) for name in self.list_names()]
        with wrap_disk_errors("find-log", self.path):
            paths_by_time = [(when, path) for path in paths if (when := self._files.last_written(path)) is not None]
        if not paths_by_time:
            raise StoreError("no-last-game", place=str(self.path))
        _, latest = max(paths_by_time)
        return latest

    def _log_path(self, name: str | Path) -> Path:
        """The file of a game, by its id; a path stands for itself. Refuses names that would leave this folder."""
        if isinstance(name, Path):
            return name
        check_type(name, str, "game-or-path")
        if Path(name).name != name or not name.isprintable():
            raise StoreError("game-id", found=name, place=str(self.path))
        return self.path / f"{name.removesuffix(SUFFIX)}{SUFFIX}"

    def _notes_path(self, name: str | Path) -> Path:
        """The file of the notes on a game, which lies beside its log."""
        log = self._log_path(name)
        return log.with_name(log.name.removesuffix(SUFFIX) + NOTES_SUFFIX)

    def _is_there(self, path: Path) -> bool:
        """Whether there is such a file; StoreError where the disk does not say."""
        with wrap_disk_errors("find-log", path):
            return self._files.is_there(path)
