"""The names of the index and of the files that lie beside it for a while."""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from spyrium_log.errors import ReadModelError

SUFFIX = ".duckdb"
# The suffix of a copy, without its dot.
BARE_SUFFIX = SUFFIX.removeprefix(".")
# Seconds after which the leftovers of a killed build are removed.
STALE = 24 * 3600.0


def index_path(database: Path) -> Path:
    """The resolved path of an index. The file may be replaced at any time, so it must be named like one of ours."""
    path = database.resolve()
    if path.suffix != SUFFIX:
        raise ReadModelError(f"expected an index named *{SUFFIX}, found '{database}'")
    if "?" in str(path):
        # DuckDB would put the write-ahead log elsewhere: it cuts names at the question mark.
        raise ReadModelError(f"expected an index in a folder without '?' in its name, found '{path}'")
    return path


def wal(path: Path) -> Path:
    """The write-ahead log: what DuckDB has not yet moved into the file."""
    return path.with_name(f"{path.name}.wal")


def sibling(path: Path, suffix: str) -> Path:
    """An unused name beside the file."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(8)}.{suffix}")


def remove(path: Path) -> None:
    """A file and its write-ahead log, if they are there."""
    for file in (wal(path), path):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove what killed processes left beside the file, once it is old."""
    pattern = re.compile(rf"\.{re.escape(path.stem)}\.[0-9a-f]{{16}}\.")
    with suppress(OSError):
        for file in path.parent.iterdir():
            if not pattern.match(file.name) or time.time() - file.stat().st_mtime <= STALE:
                continue
            if file.is_dir():
                remove_folder(file)
            else:
                file.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove a folder of blocks that DuckDB had no memory for."""
    for block in folder.iterdir():
        block.unlink(missing_ok=True)
    folder.rmdir()
