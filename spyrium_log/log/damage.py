"""Damage: at the end of a log, whether it was surely never acknowledged; anywhere, what can be saved.

A line is acknowledged when it is on the disk, newline included, and only then is the next one written. So an append
that was cut short can only be the last line, and a line that another one follows was acknowledged, whatever it is now.

A repair counts only where the hash of the line then agrees: a flipped bit, a byte too many or too few, changed line
ends, two lines run together, a line twice. Such a line is restored exactly, since no other bytes have its hash.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise, takewhile
from typing import Generic, Literal, TypeAlias, TypeVar

from spyrium_log.errors import LogError
from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES
from spyrium_log.messages import Message, damage_message

# The most that one append can leave behind: a line and its newline.
MAX_TAIL = MAX_LINE + 1
# The least that a disk writes at once; what a power cut left unwritten reads as zeros.
SECTOR = 512
# Trying every byte of a line costs the square of its length: a line of 10 kB takes seconds. That is all there is for a
# whole file, because a hostile one may be damaged in every line.
MOST_HASHED = 6 << 30
# What one attempt costs besides hashing, in bytes that could be hashed in that time.
_COST_OF_ATTEMPT = 2048
_PRINTABLE = [bytes((byte,)) for byte in range(0x20, 0x7F)]
# The ways in which one byte may have gone wrong, the likeliest first: what may stand in place of the byte at an index,
# and how many bytes that replaces.
_CHANGES: Sequence[tuple[Callable[[int], Sequence[bytes]], int]] = (
    (lambda byte: [bytes((byte ^ 1 << bit,)) for bit in range(8)], 1),
    (lambda _: [b""], 1),
    (lambda _: _PRINTABLE, 1),
    (lambda _: _PRINTABLE, 0),
)

LineKind = TypeVar("LineKind", covariant=True)
DamageKind: TypeAlias = Literal["none", "unended", "torn", "ambiguous", "corrupt"]


@dataclass(frozen=True, slots=True)
class Damage(Generic[LineKind]):
    """The bytes after the good lines. The first `keep` bytes of the tail are `line`, which lacks only its newline."""

    kind: DamageKind
    message: Message | str = ""
    tail: bytes = b""
    keep: int = 0
    line: LineKind | None = None

    @property
    def aside(self) -> bytes:
        """The bytes that a writer cuts off, and keeps in a file beside, before it goes on."""
        return self.tail[self.keep :]

    @property
    def is_mendable(self) -> bool:
        """Whether a writer may go on without asking: nothing that it cuts off was ever acknowledged."""
        return self.kind in {"none", "unended", "torn"}


def classify_tail(
    complaint: LogError | None, start: int, tail: bytes, read_line: Callable[[bytes], LineKind]
) -> Damage[LineKind]:
    """What happened to a log or its notes after byte `start`, judged by the complaint and the `tail` from there on.

    `read_line` makes a line of whole bytes, or raises. A tail longer than MAX_TAIL need not be all there is.
    """
    if complaint is None:
        return Damage("none")
    goes_on = len(tail) > MAX_TAIL
    tail = tail[:MAX_TAIL]
    whole = chain.measure_whole_line(tail)
    if whole:
        return _classify_after_whole_line(tail, whole, read_line, goes_on=goes_on)
    _, newline, next_lines = tail.partition(b"\n")
    if next_lines or goes_on:
        return Damage("corrupt", damage_message("more-follows", complaint=complaint.message), tail)
    if not newline:
        return Damage("torn", damage_message("unfinished", n=len(tail)), tail)
    if _has_empty_sector(tail, start):
        return Damage("torn", damage_message("empty-sector", n=len(tail)), tail)
    return Damage("ambiguous", damage_message("looks-complete", complaint=complaint.message), tail)


def _classify_after_whole_line(
    tail: bytes, whole: int, read_line: Callable[[bytes], LineKind], *, goes_on: bool
) -> Damage[LineKind]:
    """The damage of a tail whose first `whole` bytes are a line as it was written: mendable if its newline lacks."""
    try:
        line = read_line(tail[:whole] + b"\n")
    except LogError as complaint:
        return Damage("corrupt", damage_message("as-written", complaint=complaint.message), tail)
    # A lost newline joins two lines, and both may have been acknowledged: nothing may be cut here. That holds for a
    # line that follows from any other, too: what is whole was written, and what was written may have been acknowledged.
    # It may begin at once, after one other byte, or after any newline.
    first, *others = tail[whole:].split(b"\n")
    if goes_on or any(map(chain.measure_whole_line, (first, first[1:], *others))):
        return Damage("corrupt", damage_message("run-together"), tail)
    return Damage("unended", damage_message("unended"), tail, whole, line)


def _has_empty_sector(tail: bytes, offset: int) -> bool:
    """Whether the tail is zero in some sector of the disk, which then was never written: a power cut in an append."""
    # sectors are counted from the start of the file
    bounds = (0, *range(SECTOR - offset % SECTOR, len(tail), SECTOR), len(tail))
    return any(not tail[start:end].strip(b"\0") for start, end in pairwise(bounds))


@dataclass(frozen=True, slots=True)
class Repair:
    """What was wrong with a line, counted from 1 in the damaged file, that is as it was written again."""

    line: int
    what: Message


@dataclass(frozen=True, slots=True)
class Lost:
    """A line that cannot be proved at its place. `is_whole`: its own hash agrees, but the line before it is missing."""

    line: int
    raw: bytes
    is_whole: bool


@dataclass(slots=True)
class Salvage:
    """The bytes of the log as far as they are proved, the repairs in them, and at most 20,000 lost lines."""

    raw: bytes = b""
    repairs: list[Repair] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


def salvage_lines(raw: bytes) -> Salvage:
    """Save what can be proved to be a log, line by line from the header on; all from a lost line on is lost."""
    salvage = Salvage()
    if raw.startswith(BOM_UTF8):
        raw = raw.removeprefix(BOM_UTF8)
        salvage.repairs.append(Repair(1, damage_message("byte-order-mark")))
    pieces = raw.split(b"\n", MAX_LINES)
    if not pieces[-1]:
        pieces.pop()
    saved_lines: list[bytes] = []
    budget = _Budget(MOST_HASHED)
    for number, piece in enumerate(pieces, 1):
        restored = _restore_lines(piece, saved_lines[-1] if saved_lines else b"", budget)
        if restored is None:
            salvage.lost = [Lost(n, raw, chain.is_whole(raw)) for n, raw in enumerate(pieces[number - 1 :], number)]
            break
        lines, repair = restored
        if repair:
            salvage.repairs.append(Repair(number, repair))
        saved_lines += lines
    salvage.raw = b"".join(line + b"\n" for line in saved_lines)
    return salvage


def _hash_of(line: bytes) -> str:
    """The hash that a line carries: 32 digits before the `"}` at its end."""
    return line[-34:-2].decode(errors="replace")


def _follows(line: bytes, prev: str) -> bool:
    """Whether these bytes are a whole line, and name this hash as that of the line before: then they are proved."""
    return chain.is_whole(line) and chain.cut_hash(line).endswith(b'"prev":"' + prev.encode() + b'"')


@dataclass(slots=True)
class _Budget:
    """How many bytes may still be hashed to find a wrong one."""

    left: int


def _restore_lines(piece: bytes, before: bytes, budget: _Budget) -> tuple[list[bytes], Message | None] | None:
    """The lines that these bytes were after line `before`, and what was wrong, if anything; None without proof."""
    prev = _hash_of(before) if before else chain.GENESIS
    if _follows(piece, prev):
        return [piece], None
    if piece and piece == before:
        return [], damage_message("twice")
    if _follows(piece.rstrip(b"\r"), prev):
        return [piece.rstrip(b"\r")], damage_message("crlf-end")
    lines = _split_joined_lines(piece, prev)
    if lines:
        return lines, damage_message("ran-on")
    repaired = next((line for line in _lines_one_byte_off(piece, budget) if _follows(line, prev)), None)
    return None if repaired is None else ([repaired], damage_message("byte"))


def _split_joined_lines(piece: bytes, prev: str) -> list[bytes]:
    """The lines that ran together in these bytes, with one byte between them or none; none if that is not proved."""
    lines: list[bytes] = []
    start = 0
    while start < len(piece):
        line = _whole_line_at(piece, start)
        if not line and lines:
            # the newline between them is another byte now
            start += 1
            line = _whole_line_at(piece, start)
        if not _follows(line, prev) or len(lines) == MAX_LINES:
            return []
        lines.append(line)
        prev = _hash_of(line)
        start += len(line)
        if len(piece) - start == 1:
            # so is the one at the end
            break
    return lines


def _whole_line_at(piece: bytes, start: int) -> bytes:
    """The whole line that begins there, b"" if none does. Few bytes are searched first: each search copies them."""
    end = 0
    # nearly all lines are shorter than the first size, and headers than the second
    for size in (1 << 12, 1 << 16, MAX_LINE):
        end = chain.measure_whole_line(piece[start : start + size])
        if end or len(piece) - start <= size:
            break
    return piece[start : start + end]


def _lines_one_byte_off(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """The lines with a right hash that differ from these bytes in one byte: changed, missing, or too many."""
    if not chain.TAIL < len(piece) <= MAX_LINE:
        return
    # where the body is right, the hash after it has one wrong byte, lacks one, or has one too many
    for length in (chain.TAIL, chain.TAIL - 1, chain.TAIL + 1):
        body = piece[:-length]
        line = chain.join_hash(body, chain.short_digest(body))
        if _is_one_byte_off(line[len(body) :], piece[len(body) :]):
            yield line
    yield from _lines_with_other_body(piece, budget)


def _is_one_byte_off(left: bytes, right: bytes) -> bool:
    """Whether two texts differ in one byte: changed, missing, or too many."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    start = sum(1 for _ in pairs)
    # what follows the first difference must be the same
    left_end, right_end = left[start + 1 :], right[start + 1 :]
    return left_end == right_end or left_end == right[start:] or left[start:] == right_end


def _lines_with_other_body(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """The lines with the hash of these bytes and a body one byte off, the likeliest first, while the budget lasts."""
    body, tail = piece[: -chain.TAIL], piece[-chain.TAIL :]
    expected_hash = _hash_of(piece)
    for make_replacements, replaced in _CHANGES:
        running = sha256()
        for index in range(len(body) + 1 - replaced):
            behind = body[index + replaced :]
            for replacement in make_replacements(body[index] if replaced else 0):
                budget.left -= len(behind) + _COST_OF_ATTEMPT
                if budget.left < 0:
                    return
                attempt = running.copy()
                attempt.update(replacement)
                attempt.update(behind)
                if attempt.hexdigest()[:32] == expected_hash:
                    yield body[:index] + replacement + behind + tail
            running.update(body[index : index + 1])
