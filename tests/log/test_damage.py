"""Cuts and flips, all of them: what was acknowledged is never cut, and what was not is told apart from it."""

from collections import Counter
from itertools import pairwise

import pytest

from spyrium_log.errors import LogError
from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.damage import MAX_TAIL, SECTOR, Damage
from spyrium_log.log.lines import Line
from spyrium_log.store import read_bytes
from tests.build import chained, closed, hash_of, paid, place, short_header, small_log, undo

LINES = small_log()
RAW = b"".join(LINES)
STARTS = [sum(map(len, LINES[:n])) for n in range(len(LINES) + 1)]


def read(raw: bytes) -> tuple[Log, Damage[Line]]:
    log = read_bytes(raw, "log")
    assert log.damage is not None
    return log, log.damage


def bytes_of(log: Log) -> bytes:
    return b"".join(map(codec.encode, log.lines))


def flipped(raw: bytes, bit: int) -> bytes:
    changed = bytearray(raw)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_a_whole_log_has_no_damage() -> None:
    log, damage = read(RAW)
    assert damage == Damage("none")
    assert damage.is_mendable
    assert log.complaint is None


def test_cut_at_every_byte(counts: Counter[str]) -> None:
    for end in range(STARTS[1], len(RAW)):
        log, damage = read(RAW[:end])
        whole = sum(start <= end for start in STARTS[1:])
        if end in STARTS:
            assert damage.kind == "none"
        elif end + 1 in STARTS:
            whole += 1
            assert damage.kind == "unended"
            assert damage.aside == b""
        else:
            assert damage.kind == "torn"
            assert damage.aside == RAW[STARTS[whole] : end]
        assert bytes_of(log) == RAW[: STARTS[whole]]
        assert (log.complaint is None) == (end in STARTS)
        counts["cuts of a small log"] += 1


@pytest.mark.parametrize("end", [0, 1, 300, STARTS[1] - 1])
def test_a_cut_header_is_nothing_to_keep(end: int) -> None:
    with pytest.raises(LogError):
        read(RAW[:end])


def test_every_flipped_bit(counts: Counter[str]) -> None:
    """Each is detected, and none of them makes a writer cut an acknowledged line."""
    last = STARTS[-2]
    for bit in range(8 * len(RAW)):
        at = bit // 8
        counts["flipped bits of a small log"] += 1
        try:
            log, damage = read(flipped(RAW, bit))
        except LogError:
            assert at < STARTS[1]
            continue
        good = sum(start <= at for start in STARTS) - 1
        assert good > 0
        assert log.complaint is not None
        assert log.complaint.line == good + 1
        if at == len(RAW) - 1:
            assert damage.kind == "unended"
            assert len(damage.aside) == 1
            assert bytes_of(log) == RAW
        else:
            assert damage.kind == ("ambiguous" if at >= last and b"\n" not in damage.tail[:-1] else "corrupt")
            assert bytes_of(log) == RAW[: STARTS[good]]
            assert not damage.is_mendable


def test_a_lost_newline_between_acknowledged_lines_is_corrupt() -> None:
    for at in STARTS[2:-1]:
        _, damage = read(RAW[: at - 1] + RAW[at:])
        assert damage.kind == "corrupt"
        assert "expected a newline" in str(damage.message)


@pytest.mark.parametrize("behind", [b"", b"\x0b", b"\x0bgarbage", b"garbage\n", b"\0" * 700, b'\x0b{"kind":'])
def test_a_last_line_without_its_newline_is_kept_whatever_follows(behind: bytes) -> None:
    log, damage = read(RAW[:-1] + behind)
    assert damage.kind == "unended"
    assert bytes_of(log) == RAW
    assert damage.aside == behind
    assert log.last_digest == read(RAW)[0].last_digest


@pytest.mark.parametrize("between", [b"", b"\x0b", b"\n\n", b"garbage\n"])
def test_a_whole_line_behind_one_without_newline_may_have_been_acknowledged(between: bytes) -> None:
    following = chained(place(4), prev=hash_of(LINES[-1]))[0]
    _, damage = read(RAW[:-1] + between + following)
    assert damage.kind == "corrupt"


def test_an_unfinished_line_behind_one_without_newline_is_set_aside() -> None:
    _, damage = read(RAW[:-1] + b"\x0b" + LINES[2][:100])
    assert damage.kind == "unended"
    assert damage.aside == b"\x0b" + LINES[2][:100]


def test_a_whole_last_line_that_does_not_follow_is_corrupt() -> None:
    strangers = {
        "another chain": chained(place(4))[0],
        "another number": chained(place(5), prev=hash_of(LINES[-1]))[0],
        "undo of what is ahead": chained(undo(4, 9), prev=hash_of(LINES[-1]))[0],
        "unknown kind": closed(b'{"kind":"surprise","n":4,"by":"ann"', hash_of(LINES[-1])),
    }
    for stranger in strangers.values():
        for raw in (stranger, stranger[:-1]):
            _, damage = read(RAW + raw)
            assert damage.kind == "corrupt"
            assert "as it was written" in str(damage.message)


# --- sectors -------------------------------------------------------------------------------------

LONG = chained(short_header(), paid(1), place(2, cmd="x" * 60, moved=paid(2).moved * 60))  # type: ignore[union-attr]
BEFORE = len(LONG[0]) + len(LONG[1])


def sectors(start: int, end: int) -> list[tuple[int, int]]:
    bounds = [start, *range((start // SECTOR + 1) * SECTOR, end, SECTOR), end]
    return list(pairwise(bounds))


def test_every_set_of_sectors_that_did_not_reach_the_disk_is_torn(counts: Counter[str]) -> None:
    raw = b"".join(LONG)
    parts = sectors(BEFORE, len(raw))
    assert 5 <= len(parts) <= 12
    for lost in range(1, 1 << len(parts)):
        state = bytearray(raw)
        for i, (start, end) in enumerate(parts):
            if lost >> i & 1:
                state[start:end] = bytes(end - start)
        log, damage = read(bytes(state))
        assert damage.kind == "torn"
        assert bytes_of(log) == raw[:BEFORE]
        assert damage.aside == state[BEFORE:]
        counts["sets of lost sectors"] += 1


def test_a_lost_sector_of_an_acknowledged_line_is_corrupt() -> None:
    raw = b"".join([*LONG, *chained(place(3), prev=hash_of(LONG[-1]))])
    for start, end in sectors(BEFORE, BEFORE + len(LONG[-1]))[1:-1]:
        log, damage = read(raw[:start] + bytes(end - start) + raw[end:])
        assert damage.kind == "corrupt"
        assert bytes_of(log) == raw[:BEFORE]


def test_zeros_that_are_no_sector_prove_nothing() -> None:
    raw = b"".join(LONG)
    start, end = sectors(BEFORE, len(raw))[2]
    _, damage = read(raw[: start + 1] + bytes(end - start - 1) + raw[end:])
    assert damage.kind == "ambiguous"


# --- long tails ----------------------------------------------------------------------------------


def test_a_tail_longer_than_one_append_is_corrupt() -> None:
    assert read(RAW + b"x" * MAX_TAIL)[1].kind == "torn"
    assert read(RAW + b"x" * (MAX_TAIL + 1))[1].kind == "corrupt"
    assert read(RAW + b"\0" * (MAX_TAIL + 1))[1].kind == "corrupt"
    assert read(RAW[:-1] + b"x" * (MAX_TAIL + 1))[1].kind == "corrupt"


def test_the_tail_in_hand_is_never_longer_than_one_append() -> None:
    assert len(read(RAW + b"x" * 5 * MAX_TAIL)[1].tail) == MAX_TAIL
