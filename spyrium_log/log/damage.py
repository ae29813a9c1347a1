"""Damage at the end of a log: whether it was surely never acknowledged, or a person must look at it.

A line is acknowledged when it is on the disk, newline included, and only then is the next one written. So an append
that was cut short can only be the last line, and a line that another one follows was acknowledged, whatever it is now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeAlias, TypeVar

from spyrium_log.errors import LogError
from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, Log, decode_next
from spyrium_log.log.lines import Line
from spyrium_log.messages import Message, damage_message

# The most that one append can leave behind: a line and its newline.
MAX_TAIL = MAX_LINE + 1
# The least that a disk writes at once; what a power cut left unwritten reads as zeros.
SECTOR = 512

LineKind = TypeVar("LineKind")
DamageKind: TypeAlias = Literal["none", "unended", "torn", "ambiguous", "corrupt"]


@dataclass(frozen=True, slots=True)
class Damage(Generic[LineKind]):
    """The bytes after the good lines. The first `keep` bytes of the tail are `line`, which lacks only its newline."""

    kind: DamageKind
    message: Message | None = None
    tail: bytes = b""
    keep: int = 0
    line: LineKind | None = None

    @property
    def aside(self) -> bytes:
        """The bytes that a writer sets aside before it goes on."""
        return self.tail[self.keep :]

    @property
    def is_mendable(self) -> bool:
        """Whether a writer may go on without asking: nothing that it cuts off was ever acknowledged."""
        return self.kind in {"none", "unended", "torn"}


def assess_damage(log: Log, tail: bytes, *, more: bool = False) -> Damage[Line]:
    """Classify the bytes after a log's good ones. `more`: there are others behind the first MAX_TAIL of them."""
    return classify_tail(log.complaint, log.good_bytes, tail, lambda raw: decode_next(log, raw), more=more)


def classify_tail(
    complaint: LogError | None, start: int, tail: bytes, read: Callable[[bytes], LineKind], *, more: bool
) -> Damage[LineKind]:
    """Classify a tail that begins at byte `start`; `read` makes a line of bytes that are whole, or says why not."""
    if complaint is None:
        return Damage("none")
    whole = chain.measure_whole_line(tail)
    if whole:
        return _classify_after_whole_line(tail, whole, read, more=more)
    _, newline, behind = tail.partition(b"\n")
    if behind or more:
        return Damage("corrupt", damage_message("more-follows", complaint=complaint.message), tail)
    if not newline:
        return Damage("torn", damage_message("unfinished", n=len(tail)), tail)
    if _has_empty_sector(tail, start):
        return Damage("torn", damage_message("empty-sector", n=len(tail)), tail)
    return Damage("ambiguous", damage_message("looks-complete", complaint=complaint.message), tail)


def _classify_after_whole_line(
    tail: bytes, whole: int, read: Callable[[bytes], LineKind], *, more: bool
) -> Damage[LineKind]:
    """Classify a tail that begins with a line that is as it was written. Only a missing newline can be mended."""
    try:
        line = read(tail[:whole] + b"\n")
    except LogError as complaint:
        return Damage("corrupt", damage_message("as-written", complaint=complaint.message), tail)
    # A lost newline joins two lines, and both may have been acknowledged: nothing may be cut here. That holds for a
    # line that follows from any other, too: what is whole was written, and what was written may have been acknowledged.
    # It may begin at once, after one other byte, or after any newline.
    first, *others = tail[whole:].split(b"\n")
    if more or any(map(chain.measure_whole_line, (first, first[1:], *others))):
        return Damage("corrupt", damage_message("run-together"), tail)
    return Damage("unended", damage_message("unended"), tail, whole, line)


def _has_empty_sector(tail: bytes, offset: int) -> bool:
    """Whether all bytes of the tail in some sector are zero. Sectors are counted from the start of the file."""
    bounds = (0, *range(SECTOR - offset % SECTOR, len(tail), SECTOR), len(tail))
    return any(not tail[start:end].strip(b"\0") for start, end in pairwise(bounds))
