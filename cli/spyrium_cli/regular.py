"""The beginning of a small file that nobody named: settings, the first line of a log, the notes beside it.

The library has a door of its own for logs. Loading it costs more than a key press of the shell may take.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def beginning_of(path: Path, most: int) -> bytes:
    """At most so many bytes of a regular file. Anything else of that name is refused, and never waited for."""
    # without O_NONBLOCK, to open a pipe that nobody writes to takes for ever
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        return opened.read(most)
