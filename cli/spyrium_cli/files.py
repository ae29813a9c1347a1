"""Small files read no further than a bound; output written to stdout, or to a file as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint, Refusal, call_message
from spyrium_cli.terminal import write_bytes

if TYPE_CHECKING:
    from pathlib import Path

STDOUT = "-"
# Stands in the path of one's own sheet for the title that it is of.
TITLE_IN_PATH = "{title}"
# As long as a line of a log.
LONGEST_LINE = 1 << 20


def existing_file_refusal(path: Path) -> Refusal:
    """The refusal to write over a file without --force."""
    return Refusal(call_message("existing-file", path=str(path)))


def fill_in_title(path: str, title: str) -> Path:
    """The path, for the title of this key."""
    from pathlib import Path

    return Path(path.replace(TITLE_IN_PATH, title))


def check_target(to: str, *, force: bool) -> None:
    """Refuse a folder, and a file that is there already and may not be written over."""
    from pathlib import Path

    if to == STDOUT:
        return
    path = Path(to)
    if path.is_dir():
        raise Complaint(call_message("folder", place=str(path)))
    if path.exists() and not force:
        raise existing_file_refusal(path)


def write_output(parts: Iterable[bytes], to: str, *, force: bool) -> None:
    """Write to stdout, or to a file as a whole or not at all."""
    from pathlib import Path

    from spyrium_log.errors import StoreError
    from spyrium_log.store.files import DISK, wrap_disk_errors, write_file

    if to == STDOUT:
        write_bytes(parts)
        return
    check_target(to, force=force)
    path = Path(to)
    try:
        with wrap_disk_errors("write-file", path):
            write_file(DISK, parts, path, over=force)
    except StoreError as error:
        if isinstance(error.__cause__, FileExistsError):
            raise existing_file_refusal(path) from None
        raise


def read_beginning(path: Path, most: int) -> bytes:
    """At most so many bytes of a regular file; OSError for a pipe or a device."""
    # without O_NONBLOCK, opening a pipe that nobody writes to never ends
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        return opened.read(most)


def number_lines(readline: Callable[[int], str], name: str) -> Iterator[tuple[int, str]]:
    """Each line of an input with its number; Complaint for one that no log could hold."""
    number = 0
    while text := readline(LONGEST_LINE + 1):
        number += 1
        if len(text) > LONGEST_LINE:
            place = f"{name}:{number}"
            raise Complaint(call_message("line-length", most=LONGEST_LINE, place=place))
        yield number, text
