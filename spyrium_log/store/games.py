"""One way to read whatever holds games: a log, a folder of logs, a pack, or a stream of either."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from spyrium_log.errors import SpyriumLogError, StoreError
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, MAX_LOG, Log
from spyrium_log.log.notes import Sidecar
from spyrium_log.log.pack import MAX_GAME, Game, is_pack, unpack
from spyrium_log.store.files import DISK, reading_file, wrap_disk_errors
from spyrium_log.store.folder import NOTES_SUFFIX, SUFFIX
from spyrium_log.store.packs import ZSTD_SUFFIX
from spyrium_log.store.source import Lines, parse_game_id, read_all, read_bytes, read_stream
from spyrium_log.store.writer import read_notes, read_notes_bytes
from spyrium_log.store.zstd import open_lines

# Between the name of what holds games and the id of one of them.
IN = "#"
# How a log begins.
_HEADER_BEGINNING = b'{"kind":"header","n":0,'


class FoundGame(NamedTuple):
    """One game somewhere: its name there, and how to read its log, the notes on it, and the bytes of both.

    What cannot be read raises when it is asked for, so that one bad game hides no other. `game`: the id in its first
    line, if that can be read. `path`: the file that holds nothing but this log, where there is one.
    """

    name: str
    log: Callable[[], Log]
    notes: Callable[[], Sidecar]
    raw: Callable[[], Game]
    game: str = ""
    path: Path | None = None


class LogFile:
    """A file that holds one log, and the notes beside it. `is_lasting`: it can be read again, unlike a pipe."""

    def __init__(self, path: Path, *, is_lasting: bool) -> None:
        """The file is read when it is asked for its log."""
        self.path = path
        self.is_lasting = is_lasting
        self._notes_path = path.with_name(path.name.removesuffix(SUFFIX) + NOTES_SUFFIX)

    def read_log(self) -> Log:
        """The log, read once."""
        log, _ = self._log_and_bytes
        return log

    def read_notes(self) -> Sidecar:
        """The notes beside the log; none where there is no file of them."""
        return read_notes(self._notes_path)

    def read_game(self) -> Game:
        """The bytes of the log and of its notes; a damaged log is read again as a whole."""
        _, raw = self._log_and_bytes
        return Game(raw or self._read_if_any(self.path), self.read_raw_notes())

    def read_raw_notes(self) -> bytes:
        """The bytes of the notes beside the log; none where there is no file of them."""
        return self._read_if_any(self._notes_path)

    @cached_property
    def _log_and_bytes(self) -> tuple[Log, bytes]:
        """The log and the bytes that it was read from, whatever is appended meanwhile; of a damaged one no bytes."""
        with reading_file(DISK, self.path, "read-log") as read:
            stream = _BufferedLog(Lines(read))
            log = read_stream(stream, str(self.path))
            return log, stream.read_whole() if log.complaint is None else b""

    def _read_if_any(self, path: Path) -> bytes:
        """All bytes of a file; none where there is no such file, StoreError where it is larger than any game."""
        with reading_file(DISK, path, "read-file", missing_ok=True) as read:
            return read_all(read, MAX_GAME, path, "log-too-large")


def read_games_at(path: Path, *, begins: str = "", is_named: bool = False) -> Iterator[FoundGame]:
    """Every game of a file, a folder or a pack. It never raises: what cannot be read is a game that does.

    `begins`: only games whose id begins so, and those that cannot be read. `is_named`: a person named the path, so it
    may be a pipe.
    """
    try:
        with wrap_disk_errors("read-log", path):
            file = DISK.open(path, "stream" if is_named else "read")
    except StoreError as error:
        if isinstance(error.__cause__, IsADirectoryError):
            yield from _games_in_folder(path, begins)
        else:
            yield _unreadable_game(str(path), error)
        return
    yield from _games_in_open_file(file, path, begins)


def read_games(
    read: Callable[[int], bytes], name: str, *, begins: str = "", file: LogFile | None = None
) -> Iterator[FoundGame]:
    """Every game in a stream: of one log, lying in `file`, of logs in a row as `cat` hands them on, or of a pack."""
    try:
        with wrap_disk_errors("read-log", name):
            lines, is_compressed = open_lines(read, name)
            first = lines.readline(MAX_LINE + 1)
            lines.unread(first)
    except SpyriumLogError as error:
        yield _unreadable_game(name, error)
        return
    game = parse_game_id(first)
    if is_pack(first):
        yield from _games_in_pack(lines, name, begins)
    elif file is None:
        yield from _games_in_a_row(lines, game, name, begins)
    elif game and not game.startswith(begins):
        return
    elif is_compressed or not file.is_lasting:
        yield _read_game_now(_BufferedLog(lines), name, game, file)
    else:
        yield FoundGame(name, file.read_log, file.read_notes, file.read_game, game, file.path)


def _games_in_folder(path: Path, begins: str) -> Iterator[FoundGame]:
    """Every game of the logs and packs in a folder. A folder in it whose name is a log's is one that cannot be read."""
    try:
        with wrap_disk_errors("list-logs", path):
            names = sorted(DISK.list_names(path))
    except StoreError as error:
        yield _unreadable_game(str(path), error)
        return
    for name in names:
        is_log = name.removesuffix(ZSTD_SUFFIX).endswith(SUFFIX) and not name.endswith(NOTES_SUFFIX)
        if not is_log or name[0] == ".":
            continue
        try:
            with wrap_disk_errors("read-log", path / name):
                file = DISK.open(path / name, "read")
        except StoreError as error:
            yield _unreadable_game(str(path / name), error)
        else:
            yield from _games_in_open_file(file, path / name, begins)


def _games_in_open_file(file: int, path: Path, begins: str) -> Iterator[FoundGame]:
    """Every game of an open file whose id `begins` so; the file is closed when the last one was taken."""
    try:
        log_file = LogFile(path, is_lasting=DISK.is_lasting(file))
        yield from read_games(partial(DISK.read, file), str(path), begins=begins, file=log_file)
    finally:
        DISK.close(file)


class _BufferedLog:
    """The lines of one log, whose bytes stay in one buffer, as far as a log may be long.

    `in_row`: another log may follow, which begins where a header follows a whole line.
    """

    __slots__ = ("_in_row", "_is_over", "_lines", "_lines_left", "_raw", "is_followed")

    def __init__(self, lines: Lines, *, in_row: bool = False) -> None:
        """The log that begins with the next of these lines."""
        self._lines = lines
        self._in_row = in_row
        self._raw = bytearray()
        # with the line that is one too many
        self._lines_left = MAX_LINES + 1
        self._is_over = False
        self.is_followed = False

    def readline(self, limit: int, /) -> bytes:
        """The next line of this log, which the buffer keeps; none at its end or where the next log begins."""
        line = b"" if self._is_over else self._lines.readline(limit)
        if self._in_row and self._raw.endswith(b"\n") and line.startswith(_HEADER_BEGINNING):
            self._lines.unread(line)
            self.is_followed = True
            line = b""
        self._raw += line
        self._lines_left -= 1
        # the stream of a log that was read to its end may be closed
        self._is_over = not line or not self._lines_left or len(self._raw) > MAX_LOG
        return line

    def read_whole(self) -> bytes:
        """All bytes of the log, those that were read before first; what is left of it is read now."""
        while self.readline(MAX_LINE):
            pass
        return bytes(self._raw)


def _games_in_a_row(lines: Lines, game: str, name: str, begins: str) -> Iterator[FoundGame]:
    """Each log of a stream, read to its end before the next, as a stream must be; `game`: the id of the first one."""
    place = name
    while True:
        stream = _BufferedLog(lines, in_row=True)
        if not game or game.startswith(begins):
            yield _read_game_now(stream, place, game)
        stream.read_whole()
        if not stream.is_followed:
            return
        first = lines.readline(MAX_LINE + 1)
        lines.unread(first)
        game = parse_game_id(first)
        place = f"{name}{IN}{game or 'next'}"


def _read_game_now(stream: _BufferedLog, name: str, game: str, file: LogFile | None = None) -> FoundGame:
    """Read a log that cannot be read again later; its notes are those beside its file, if it has one."""
    try:
        log = read_stream(stream, name)
    except SpyriumLogError as error:
        return _unreadable_game(name, error)
    if file is None:
        return FoundGame(name, lambda: log, partial(Sidecar, name), lambda: Game(stream.read_whole()), game)
    read_raw_notes = file.read_raw_notes
    return FoundGame(name, lambda: log, file.read_notes, lambda: Game(stream.read_whole(), read_raw_notes()), game)


def _games_in_pack(lines: Lines, name: str, begins: str) -> Iterator[FoundGame]:
    """Every game of a pack, one in memory at a time; where the pack is damaged, a last one that cannot be read."""
    try:
        with wrap_disk_errors("read-pack", name):
            for number, game in enumerate(unpack(lines, name), 1):
                id_ = parse_game_id(game.log.partition(b"\n")[0])
                if id_ and not id_.startswith(begins):
                    continue
                place = f"{name}{IN}{id_ or number}"
                log = partial(read_bytes, game.log, place)
                notes = partial(read_notes_bytes, game.notes, f"{place} notes")
                yield FoundGame(place, log, notes, partial(Game, *game), id_)
    except SpyriumLogError as error:
        yield _unreadable_game(name, error)


def _unreadable_game(name: str, error: SpyriumLogError) -> FoundGame:
    """A game that raises this error whatever is asked of it."""

    def raise_error() -> NoReturn:
        """Stand for each way to read the game."""
        raise error

    return FoundGame(name, raise_error, raise_error, raise_error)
