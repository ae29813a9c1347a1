"""What can be saved of a damaged log. A line vouches for itself: a repair counts only where its hash then agrees.

A flipped bit, a byte too many or too few, line ends that an editor turned, two lines run together, a line there twice:
such a line is found again exactly, since no other bytes of its length have its hash. What cannot be proved so is not
guessed: the lines before it are saved, and everything from it on is listed and kept.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES

# Trying every byte of a line costs the square of its length: a line of 10 kB takes seconds. That is all there is for a
# whole file, because a hostile one may be damaged in every line.
MOST_HASHED = 6 << 30
# What a try costs besides hashing, in bytes that could be hashed in that time.
_A_TRY = 2048
_BITS = tuple(1 << bit for bit in range(8))
_PRINTABLE = tuple(range(0x20, 0x7F))


@dataclass(frozen=True, slots=True)
class Repair:
    """What was wrong with a line, counted from 1 in the damaged file, that is as it was written again."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A line that nothing vouches for at its place. `is_whole`: its own hash agrees, but what it follows is missing."""

    line: int
    raw: bytes
    is_whole: bool


@dataclass(slots=True)
class Salvage:
    """The bytes of the log as far as they are proved, what was repaired in them, and what is missing behind them.

    Behind the most lines that a log may have, all that follows is one that is missing.
    """

    raw: bytes = b""
    repairs: list[Repair] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


def salvaged(raw: bytes) -> Salvage:
    """Everything of these bytes that proves itself a log, line by line from the header on."""
    done = Salvage()
    if raw.startswith(BOM_UTF8):
        raw = raw.removeprefix(BOM_UTF8)
        done.repairs.append(Repair(1, "a byte order mark stood before it"))
    pieces = raw.split(b"\n", MAX_LINES)
    if not pieces[-1]:
        pieces.pop()
    kept: list[bytes] = []
    prev = chain.GENESIS
    budget = _Budget(MOST_HASHED)
    for at, piece in enumerate(pieces, 1):
        found = _found(piece, prev, kept[-1] if kept else b"", budget)
        if found is None:
            done.lost = [Lost(n, rest, chain.is_whole(rest)) for n, rest in enumerate(pieces[at - 1 :], at)]
            break
        lines, what = found
        if what:
            done.repairs.append(Repair(at, what))
        kept += lines
        prev = _hash(kept[-1])
    done.raw = b"".join(line + b"\n" for line in kept)
    return done


def _hash(line: bytes) -> str:
    return line[-34:-2].decode()


def _follows(line: bytes, prev: str) -> bool:
    return chain.is_whole(line) and chain.body(line).endswith(b'"prev":"' + prev.encode() + b'"')


@dataclass(slots=True)
class _Budget:
    """How many bytes may still be hashed to find the one that is wrong."""

    left: int


def _found(piece: bytes, prev: str, before: bytes, budget: _Budget) -> tuple[list[bytes], str] | None:
    """The lines that these bytes were, and what was wrong with them; None where nothing proves what they were."""
    if _follows(piece, prev):
        return [piece], ""
    if piece and piece == before:
        return [], "it is there twice"
    if _follows(piece.rstrip(b"\r"), prev):
        return [piece.rstrip(b"\r")], "its end had been turned into CRLF"
    apart = _apart(piece, prev)
    if apart:
        return apart, "its newline was lost, and the next line ran on"
    near = next((line for line in _near(piece, budget) if _follows(line, prev)), None)
    return None if near is None else ([near], "a byte of it was not as it was written")


def _apart(piece: bytes, prev: str) -> list[bytes]:
    """Whole lines run together, each of which follows from the one before it, with a byte between them or none."""
    lines: list[bytes] = []
    start = 0
    while start < len(piece):
        line = _whole_at(piece, start)
        if not line and lines:
            start += 1
            line = _whole_at(piece, start)
        if not _follows(line, prev) or len(lines) == MAX_LINES:
            return []
        lines.append(line)
        prev = _hash(line)
        start += len(line)
        if len(piece) - start == 1:
            break
    return lines


def _whole_at(piece: bytes, start: int) -> bytes:
    """The whole line that begins there. It is looked for in a few bytes first: each time, those are copied."""
    end = 0
    for size in (1 << 12, 1 << 16, MAX_LINE):
        end = chain.whole_prefix(piece[start : start + size])
        if end or len(piece) - start <= size:
            break
    return piece[start : start + end]


# --- one byte ------------------------------------------------------------------------------------


def _near(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """Lines of right hash that differ from these bytes in one byte: changed, missing, or too many."""
    if not chain.TAIL < len(piece) <= MAX_LINE:
        return
    yield from _other_tails(piece)
    yield from _other_bodies(piece, budget)


def _other_tails(piece: bytes) -> Iterator[bytes]:
    """The body is right, and its hash beside it is all but one byte of what was written."""
    for length in (chain.TAIL, chain.TAIL - 1, chain.TAIL + 1):
        body = piece[:-length]
        line = chain.hashed(body, chain.short_digest(body))
        if _is_one_byte_off(line[len(body) :], piece[len(body) :]):
            yield line


def _is_one_byte_off(one: bytes, other: bytes) -> bool:
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ends = (one[start + 1 :], other[start + 1 :]), (one[start + 1 :], other[start:]), (one[start:], other[start + 1 :])
    return any(a == b for a, b in ends)


def _other_bodies(piece: bytes, budget: _Budget) -> Iterator[bytes]:
    """The hash is right, and one byte of the body is not: the likeliest changes first, as many as can be afforded."""
    body, tail = piece[: -chain.TAIL], piece[-chain.TAIL :]
    wanted = tail[-34:-2].decode(errors="replace")
    for bytes_at in (_flipped, _removed, _changed, _added):
        running = sha256()
        for at in range(len(body) + 1):
            for middle, skip in bytes_at(body, at):
                rest = body[at + skip :]
                budget.left -= len(rest) + _A_TRY
                if budget.left < 0:
                    return
                tried = running.copy()
                tried.update(middle)
                tried.update(rest)
                if tried.hexdigest()[:32] == wanted:
                    yield body[:at] + middle + rest + tail
            running.update(body[at : at + 1])


def _flipped(body: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    if at < len(body):
        yield from ((bytes((body[at] ^ bit,)), 1) for bit in _BITS)


def _removed(body: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    if at < len(body):
        yield b"", 1


def _added(body: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    if at <= len(body):
        yield from ((bytes((byte,)), 0) for byte in _PRINTABLE)


def _changed(body: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    if at < len(body):
        yield from ((bytes((byte,)), 1) for byte in _PRINTABLE)
