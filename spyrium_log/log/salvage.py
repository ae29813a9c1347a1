"""What can be saved of a damaged log. A repair counts only where the hash of the line then agrees.

A flipped bit, a byte too many or too few, line ends changed by an editor, two lines run together, a line twice: such a
line is restored exactly, since no other bytes have its hash. Nothing is guessed: the lines before one that cannot be
proved are saved, and everything from it on is listed and kept.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES

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


@dataclass(frozen=True, slots=True)
class Repair:
    """What was wrong with a line, counted from 1 in the damaged file, that is as it was written again."""

    line: int
    what: str


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
    """Save what can be proved to be a log, line by line from the header on."""
    salvage = Salvage()
    if raw.startswith(BOM_UTF8):
        raw = raw.removeprefix(BOM_UTF8)
        salvage.repairs.append(Repair(1, "a byte order mark stood before it"))
    pieces = raw.split(b"\n", MAX_LINES)
    if not pieces[-1]:
        pieces.pop()
    saved_lines: list[bytes] = []
    prev = chain.GENESIS
    budget = _Budget(MOST_HASHED)
    for number, piece in enumerate(pieces, 1):
        restored = _restore_lines(piece, prev, saved_lines[-1] if saved_lines else b"", budget)
        if restored is None:
            salvage.lost = [Lost(n, rest, chain.is_whole(rest)) for n, rest in enumerate(pieces[number - 1 :], number)]
            break
        lines, repair = restored
        if repair:
            salvage.repairs.append(Repair(number, repair))
        saved_lines += lines
        prev = _hash_of(saved_lines[-1])
    salvage.raw = b"".join(line + b"\n" for line in saved_lines)
    return salvage


def _hash_of(line: bytes) -> str:
    """The hash that a line carries: 32 digits before the `"}` at its end."""
    return line[-34:-2].decode(errors="replace")


def _follows(line: bytes, prev: str) -> bool:
    """Whether these bytes are a whole line after the line of this hash."""
    return chain.is_whole(line) and chain.cut_hash(line).endswith(b'"prev":"' + prev.encode() + b'"')


@dataclass(slots=True)
class _Budget:
    """How many bytes may still be hashed to find a wrong one."""

    left: int


def _restore_lines(piece: bytes, prev: str, before: bytes, budget: _Budget) -> tuple[list[bytes], str] | None:
    """The lines that these bytes were, and what was wrong with them; None where that cannot be proved."""
    if _follows(piece, prev):
        return [piece], ""
    if piece and piece == before:
        return [], "it is there twice"
    if _follows(piece.rstrip(b"\r"), prev):
        return [piece.rstrip(b"\r")], "its end had been turned into CRLF"
    lines = _split_joined_lines(piece, prev)
    if lines:
        return lines, "its newline was lost, and the next line ran on"
    repaired = next((line for line in _lines_one_byte_off(piece, budget) if _follows(line, prev)), None)
    return None if repaired is None else ([repaired], "a byte of it was not as it was written")


def _split_joined_lines(piece: bytes, prev: str) -> list[bytes]:
    """The whole lines in these bytes, each following from the one before, with one byte between them or none."""
    lines: list[bytes] = []
    start = 0
    while start < len(piece):
        line = _whole_line_at(piece, start)
        if not line and lines:
            start += 1
            line = _whole_line_at(piece, start)
        if not _follows(line, prev) or len(lines) == MAX_LINES:
            return []
        lines.append(line)
        prev = _hash_of(line)
        start += len(line)
        if len(piece) - start == 1:
            break
    return lines


def _whole_line_at(piece: bytes, start: int) -> bytes:
    """The whole line that begins there. A few bytes are searched first, because each search copies them."""
    end = 0
    for size in (1 << 12, 1 << 16, MAX_LINE):
        end = chain.measure_whole_line(piece[start : start + size])
        if end or len(piece) - start <= size:
            break
    return piece[start : start + end]


def _lines_one_byte_off(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """The lines with a right hash that differ from these bytes in one byte: changed, missing, or too many."""
    if not chain.TAIL < len(piece) <= MAX_LINE:
        return
    # the body is right, and one byte of the hash after it is wrong
    for length in (chain.TAIL, chain.TAIL - 1, chain.TAIL + 1):
        body = piece[:-length]
        line = chain.join_hash(body, chain.short_digest(body))
        if _is_one_byte_off(line[len(body) :], piece[len(body) :]):
            yield line
    yield from _lines_with_other_body(piece, budget)


def _is_one_byte_off(left: bytes, right: bytes) -> bool:
    """Whether two texts differ in one byte: changed, missing, or too many."""
    start = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    ends = (
        (left[start + 1 :], right[start + 1 :]),
        (left[start + 1 :], right[start:]),
        (left[start:], right[start + 1 :]),
    )
    return any(a == b for a, b in ends)


def _lines_with_other_body(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """The lines of that hash whose body differs in one byte: the likeliest changes first, within the budget."""
    body, tail = piece[: -chain.TAIL], piece[-chain.TAIL :]
    expected_hash = _hash_of(piece)
    for make_replacements, replaced in _CHANGES:
        running = sha256()
        for index in range(len(body) + 1 - replaced):
            rest = body[index + replaced :]
            for replacement in make_replacements(body[index] if replaced else 0):
                budget.left -= len(rest) + _COST_OF_ATTEMPT
                if budget.left < 0:
                    return
                attempt = running.copy()
                attempt.update(replacement)
                attempt.update(rest)
                if attempt.hexdigest()[:32] == expected_hash:
                    yield body[:index] + replacement + rest + tail
            running.update(body[index : index + 1])
