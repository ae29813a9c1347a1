"""The files of a folder as sources of games: its logs, and the packs among them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from spyrium_log.errors import SpyriumLogError, StoreError
from spyrium_log.log.codec import Log
from spyrium_log.log.notes import Notes, Sidecar
from spyrium_log.log.pack import Game
from spyrium_log.readmodel.reader import Recorded, Source
from spyrium_log.store import Folder, FoundGame, is_packed, read_bytes, read_games_at, read_head
from spyrium_log.store.folder import NOTES_SUFFIX, SUFFIX
from spyrium_log.store.packs import ZSTD_SUFFIX
from spyrium_log.store.writer import read_notes_bytes

PACK_SUFFIX = SUFFIX + ZSTD_SUFFIX
# Bytes at the beginning of a file that tell a pack from a log.
HEAD = 32
# The most bytes of a game that another process reads: many are under way there at once, and rows take many times the
# bytes of their log.
MOST_SENT = 1 << 18
# A file that was written this moment may be written again without the disk saying so (its clock ticks in hundredths).
TICK = 2_000_000_000


def sources_of(folder: Folder, *, anywhere: bool = False) -> Iterator[Source]:
    """Every file of a folder. Stamp and hash are taken before it is read: they are never newer than the rows.

    `anywhere`: the folder is on a disk, and its titles on the shelf, so that any process can read it.
    """
    for name in folder.list_names():
        path, notes = folder.path / f"{name}{SUFFIX}", folder.path / f"{name}{NOTES_SUFFIX}"
        yield Source(
            name,
            partial(_hash_log, folder, path, notes),
            partial(_read_log_games, folder, path, anywhere=anywhere),
            _make_stamp(path, notes),
        )
    with suppress(OSError):
        packs = [path for path in folder.path.iterdir() if path.name.endswith(PACK_SUFFIX) and path.name[0] != "."]
        for path in sorted(packs):
            hash_pack, read_pack = partial(_hash_log, folder, path), partial(_read_pack_games, path)
            yield Source(path.name, hash_pack, read_pack, _make_stamp(path), many=None)


def _make_stamp(*paths: Path) -> str:
    """Inode, size and times of a log and its notes; '' where these may not show a change, so that hashes must."""
    stamps = []
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            # most logs have no notes
            stamps.append("none")
            continue
        if time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns) < TICK:
            return ""
        stamps.append(f"{stat.st_ino}.{stat.st_size}.{stat.st_mtime_ns}.{stat.st_ctime_ns}")
    return "" if stamps[0] == "none" else " ".join(stamps)


def _hash_log(folder: Folder, path: Path, notes: Path | None = None) -> str:
    """The hash of a log, with that of its notes where it has any; '' where the log cannot be read."""
    digest = ""
    with suppress(StoreError):
        digest = folder.hash_log(path)
        if notes is not None:
            digest = f"{digest}:{folder.hash_log(notes)}"
    return digest


def _read_log_games(folder: Folder, path: Path, *, anywhere: bool) -> Iterator[Recorded]:
    """The one game of a log, whose id and hash are not known before it is read; or those of an uncompressed pack."""
    if _is_pack(path):
        yield from _read_pack_games(path)
        return
    yield Recorded(
        game="",
        content="",
        log=partial(folder.read_log, path),
        notes=partial(_read_notes, partial(folder.read_notes, path)),
        elsewhere=partial(read_log_again, path) if anywhere and _is_short(path) else None,
        read_id=partial(folder.read_game_id, path),
    )


def _is_short(path: Path) -> bool:
    """Whether the log is short enough to be read by another process, where many are under way at once."""
    with suppress(OSError):
        return path.stat().st_size <= MOST_SENT
    return False


def _is_pack(path: Path) -> bool:
    """Whether a log's first bytes say that it is a pack."""
    with suppress(StoreError):
        return is_packed(read_head(path, HEAD))
    return False


def read_log_again(path: Path) -> tuple[Log, Notes]:
    """A log and the notes on it: what another process calls, which gets a path alone."""
    folder = Folder(path.parent)
    return folder.read_log(path), _read_notes(partial(folder.read_notes, path))


def read_bytes_again(name: str, game: Game) -> tuple[Log, Notes]:
    """The log of a game of a pack and the notes on it: what another process calls, which gets the bytes."""
    return read_bytes(game.log, name), _read_notes(partial(read_notes_bytes, game.notes, name))


def _read_notes(read: Callable[[], Sidecar]) -> Notes:
    """The notes as far as they can be read, none where they cannot; other commands report what is wrong."""
    with suppress(SpyriumLogError):
        return read().notes
    return Notes()


def _read_pack_games(path: Path) -> Iterator[Recorded]:
    """The games of a pack, which is read as they are taken."""
    return map(_make_recorded, read_games_at(path))


def _make_recorded(found_game: FoundGame) -> Recorded:
    """One game of a pack as a source has it; a damaged one has no id and hash, and raises when its log is read."""
    unidentified = Recorded("", "", found_game.log, partial(_read_notes, found_game.notes))
    try:
        game = found_game.raw()
    except SpyriumLogError:
        return unidentified
    is_short = len(game.log) + len(game.notes) <= MOST_SENT
    return unidentified._replace(
        game=found_game.game,
        content=_hash_game(game),
        elsewhere=partial(read_bytes_again, found_game.name, game) if is_short else None,
    )


def _hash_game(game: Game) -> str:
    """The hash of the bytes of a game's log, with that of its notes if it has any, as `_hash_log` has it of files."""
    log = sha256(game.log).hexdigest()
    return f"{log}:{sha256(game.notes).hexdigest()}" if game.notes else log
