"""What is saved of a damaged log: exactly what was written, or nothing of it."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spyrium_log.log.damage import Lost, Repair, salvage_lines
from spyrium_log.messages import damage_message
from tests.games import game, raw_of

WHOLE = raw_of(game("spyrium", 3))
LINES = WHOLE.splitlines(keepends=True)
# The header carries its sheet and is twenty times as long as any other line.
START = len(LINES[0])


def damaged(at: int, how: str, rng: random.Random) -> bytes:
    if how == "flipped":
        return WHOLE[:at] + bytes((WHOLE[at] ^ 1 << rng.randrange(8),)) + WHOLE[at + 1 :]
    if how == "removed":
        return WHOLE[:at] + WHOLE[at + 1 :]
    byte = bytes((rng.randrange(0x20, 0x7F),))
    return WHOLE[:at] + byte + WHOLE[at if how == "added" else at + 1 :]


@pytest.mark.parametrize("how", ["flipped", "removed", "added", "changed"])
def test_one_byte_anywhere_is_put_right(how: str, counts: Counter[str]) -> None:
    rng = random.Random(how)
    for _ in range(25):
        raw = damaged(rng.randrange(START, len(WHOLE)), how, rng)
        done = salvage_lines(raw)
        assert (done.raw, done.lost) == (WHOLE, [])
        assert len(done.repairs) == (raw != WHOLE)
        counts[f"damaged bytes put right: {how}"] += 1


def test_a_flipped_bit_of_the_header_is_put_right() -> None:
    assert salvage_lines(damaged(100, "flipped", random.Random(1))).raw == WHOLE


def test_line_ends_that_were_turned_are_turned_back() -> None:
    done = salvage_lines(WHOLE.replace(b"\n", b"\r\n"))
    assert (done.raw, done.lost, len(done.repairs)) == (WHOLE, [], len(LINES))


def test_what_an_editor_put_in_front_is_taken_off() -> None:
    done = salvage_lines(b"\xef\xbb\xbf" + WHOLE)
    assert (done.raw, done.repairs) == (WHOLE, [Repair(1, damage_message("byte-order-mark"))])


def test_lines_that_ran_together_are_taken_apart() -> None:
    start = sum(map(len, LINES[:5]))
    for between in (b"", b"\0", b" "):
        joined = WHOLE[: start - 1] + between + WHOLE[start:]
        assert (salvage_lines(joined).raw, salvage_lines(joined).lost) == (WHOLE, [])
    assert salvage_lines(WHOLE[:-1]).raw == WHOLE
    assert salvage_lines(WHOLE[:-1] + b"\0").raw == WHOLE


def test_a_line_that_is_there_twice_is_kept_once() -> None:
    done = salvage_lines(b"".join((*LINES[:4], LINES[3], *LINES[4:])))
    assert (done.raw, done.repairs) == (WHOLE, [Repair(5, damage_message("twice"))])


def test_nothing_is_guessed_behind_a_line_that_is_missing() -> None:
    done = salvage_lines(b"".join((*LINES[:4], b"not a line\n", *LINES[5:7])))
    assert done.raw == b"".join(LINES[:4])
    assert done.repairs == []
    assert done.lost == [
        Lost(5, b"not a line", is_whole=False),
        *(Lost(at, LINES[at - 1][:-1], is_whole=True) for at in (6, 7)),
    ]


def test_a_line_of_another_log_does_not_follow() -> None:
    stranger = raw_of(game("spyrium", 4)).splitlines(keepends=True)[4]
    assert salvage_lines(b"".join((*LINES[:4], stranger, *LINES[5:]))).raw == b"".join(LINES[:4])


@given(st.binary(max_size=300))
def test_of_nothing_comes_nothing(raw: bytes) -> None:
    done = salvage_lines(raw)
    assert done.raw == b""
    assert b"\n".join(lost.raw for lost in done.lost) == raw.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n")
