"""The memory and time that a query may take."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from spyrium_cli.complaint import WrongValue

if sys.platform != "win32":
    import resource

# What Python, DuckDB and their threads need before the first row.
LEAST_MEMORY = 512_000_000
# What Python itself takes of it, however much there is.
_PROCESS_MEMORY = 256_000_000
# Whether the system enforces a limit of the address space. macOS has the call and does not.
IS_ENFORCED = sys.platform not in {"win32", "darwin"}
# The limit of a container; the system's own number would be its host's.
_CONTAINER = Path("/sys/fs/cgroup/memory.max")
# Each letter stands for a power of 1000, or of 1024: the index is the exponent.
_UNITS = ("", "K", "M", "G", "T")
# Number, letter of the unit, and the `i` of a unit of 1024.
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)(I?)B", re.IGNORECASE)
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class Limits(NamedTuple):
    """Bytes of memory for one query, and seconds (None: no limit)."""

    memory: int
    timeout: float | None = None


def parse_size(text: str) -> int:
    """The bytes in `512MB`, `2GB` or `1.5GiB`; a usage error for a size that is too small to answer anything."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise WrongValue("sql.size", found=text)
    number, letter, is_binary = match.groups()
    size = int(float(number) * (1024 if is_binary else 1000) ** _UNITS.index(letter.upper()))
    if size < LEAST_MEMORY:
        raise WrongValue("sql.least-size", least=memory_text(LEAST_MEMORY), found=text)
    return size


def parse_duration(text: str) -> float:
    """The seconds in `10s`, `500ms`, `2m` or `10`; a usage error for another text."""
    if match := _DURATION.fullmatch(text.strip()):
        number, unit = match.groups()
        seconds = float(number) * _SECONDS[unit or "s"]
        if seconds > 0:
            return seconds
    raise WrongValue("sql.duration", found=text)


def allowed_memory(wanted: int | None) -> int:
    """The bytes that a query may take: those chosen, or the default, but no more than this process may."""
    memory = wanted or default_memory()
    if sys.platform == "win32":
        return memory
    process_limits = resource.getrlimit(resource.RLIMIT_AS)
    return min([memory, *(limit for limit in process_limits if limit != resource.RLIM_INFINITY)])


def default_memory() -> int:
    """A quarter of the memory of the machine, or of the container, in bytes."""
    sizes = []
    with suppress(AttributeError, ValueError, OSError):
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(ValueError, OSError):
        sizes.append(int(_CONTAINER.read_text(encoding="ascii")))
    # 16 GB where the machine does not say.
    return max(min(sizes, default=16_000_000_000) // 4, LEAST_MEMORY)


def memory_text(size: int) -> str:
    """A size as `--memory` takes it."""
    gigabytes = size / 10**9
    return f"{gigabytes:.3g}GB" if gigabytes >= 1 else f"{1000 * gigabytes:.0f}MB"


def limit_process(memory: int) -> int:
    """Limit this process to so much memory; returns the part for DuckDB, which moves rows to the disk beyond it."""
    if sys.platform != "win32":
        if IS_ENFORCED:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        # A process ended by its limit would dump its memory to the disk.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return max(memory - _PROCESS_MEMORY, _PROCESS_MEMORY) * 2 // 3
