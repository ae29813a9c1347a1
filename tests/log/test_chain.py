import hashlib
import random

import pytest

from spyrium_log.log import chain, codec
from spyrium_log.log.line_types import line_type
from spyrium_log.store import read_bytes
from tests.build import SPYRIUM, chained, closed, hash_of, header, paid, place, short_header, small_log, undo

LINES = small_log()
LINE = LINES[1][:-1]


def test_a_hash_is_over_the_bytes_before_it() -> None:
    before = LINE[: LINE.index(b',"hash":"')]
    assert hash_of(LINES[1]) == hashlib.sha256(before).hexdigest()[:32]


def test_a_line_holds_the_hash_of_the_line_before() -> None:
    log = read_bytes(b"".join(LINES), "log")
    assert [line.prev for line in log.lines] == [chain.GENESIS, *(line.hash for line in log.lines[:-1])]


def test_reading_and_writing_gives_the_same_bytes() -> None:
    raw = b"".join(chained(header(), place(1, cmd="a"), paid(2, 7), undo(3, 0, why="“why” \t\\ 🎲")))
    log = read_bytes(raw, "log")
    assert b"".join(map(codec.encode, log.lines)) == raw


def test_a_seal_keeps_all_of_the_last_hash() -> None:
    log = read_bytes(b"".join(LINES), "log")
    assert log.last_digest == hashlib.sha256(chain.cut_hash(LINES[-1][:-1])).hexdigest()
    assert log.last_digest.startswith(log.lines[-1].hash)


def test_a_line_is_whole() -> None:
    assert chain.is_whole(LINE)
    assert chain.is_whole(LINES[0][:-1])


@pytest.mark.parametrize("line", [b"", b"{}", LINE[:-1], LINE[1:], LINE + b"\n", LINE + b" ", LINE + LINE])
def test_a_line_is_not_whole(line: bytes) -> None:
    assert not chain.is_whole(line)


@pytest.mark.parametrize("behind", [b"", b"\n", b"\x0b", b"\0" * 600, LINES[2], b'"}', b',"hash":"'])
def test_a_whole_line_is_found_whatever_follows(behind: bytes) -> None:
    assert chain.measure_whole_line(LINE + behind) == len(LINE)


@pytest.mark.parametrize("before", [b" ", b"\n", b"{", LINES[0][:-1].replace(b"ann", b"bob")])
def test_a_whole_line_is_found_only_at_the_beginning(before: bytes) -> None:
    assert chain.measure_whole_line(before + LINE) == 0


def test_no_cut_line_begins_with_a_whole_one() -> None:
    assert not any(chain.measure_whole_line(LINE[:end]) for end in range(len(LINE)))


def test_a_key_inside_a_text_is_no_key() -> None:
    line = chained(undo(1, 0, why=',"hash":"' + "0" * 32 + '"}'))[0]
    assert chain.is_whole(line[:-1])
    assert chain.measure_whole_line(line) == len(line) - 1


def test_a_line_with_keys_inside_is_found_to_its_end() -> None:
    line = closed(b'{"n":1,"x":{"y":1,"hash":"' + b"0" * 32 + b'"},"z":{"y":1,"hash":""}')
    assert chain.measure_whole_line(line + line) == len(line) - 1


def test_a_hostile_tail_of_keys_is_hashed_once() -> None:
    tail = b',"hash":"' * 100_000
    assert chain.measure_whole_line(tail) == 0


def test_lines_may_not_change_places() -> None:
    """Every swap, removal, repetition and graft from another log is seen, and where."""
    lines = small_log(6)
    other = chained(short_header("0190f5fe-7c00-7a00-8000-000000000002"), *(paid(n, -n) for n in range(1, 7)))
    shuffled = random.Random(1).sample(lines[1:], 6)
    for wrong in (
        *([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]] for i in range(1, 6)),
        *([*lines[:i], *lines[i + 1 :]] for i in range(1, 6)),
        *([*lines[:i], lines[i - 1], *lines[i:]] for i in range(2, 7)),
        *([*lines[:i], *other[i:]] for i in range(1, 7)),
        [lines[0], *shuffled],
    ):
        log = read_bytes(b"".join(wrong), "log")
        first = next(i for i, (raw, right) in enumerate(zip(wrong, lines, strict=False)) if raw != right)
        assert log.complaint is not None
        assert log.complaint.line == first + 1
        assert log.damage is not None
        assert log.damage.kind == "corrupt"


def test_titles_have_their_own_lines() -> None:
    assert line_type(SPYRIUM) is line_type(SPYRIUM)
