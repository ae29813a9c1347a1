"""What a command writes where somebody says: to stdout, or all of it or nothing into a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.terminal import write_bytes

STDOUT = "-"


def there_already(path: Path) -> Refusal:
    """What is said to whoever did not say that a file may go."""
    return Refusal(f"expected a file that is not there yet, found '{path}': --force writes over it")


def put(parts: Iterable[bytes], to: str, *, force: bool) -> None:
    """To stdout, or all of it or nothing into a file."""
    from spyrium_log.errors import StoreError
    from spyrium_log.store.files import DISK, place, worded

    if to == STDOUT:
        write_bytes(parts)
        return
    path = Path(to)
    if path.is_dir():
        raise Complaint(f"expected the name of a file, found a folder, at {path}")
    if path.exists() and not force:
        raise there_already(path)
    try:
        with worded("to write a file", path):
            place(DISK, parts, path, over=force)
    except StoreError as error:
        if isinstance(error.__cause__, FileExistsError):
            raise there_already(path) from None
        raise
