"""Hostile bytes: each ends in one typed error with file and line, and the good lines before it are kept."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec import inspect
from msgspec.structs import replace as retitled

from spyrium_log.errors import LogError, NewerFormatError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, Log
from spyrium_log.log.complaints import MAX_DEPTH
from spyrium_log.log.damage import MAX_TAIL
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import Sealed
from spyrium_log.sheet import Sheet
from spyrium_log.store import read_bytes, read_stream
from spyrium_log.titles import TITLES
from tests.build import SPYRIUM, UNCHAINED, chained, closed, hash_of, header, paid, short_header, small_log, undo

LINES = small_log()
HEADER = LINES[0]
GOOD = b"".join(LINES)
LAST = hash_of(LINES[-1])
BODY = b'{"kind":"decision","n":4,"by":"ann","do":{"act":"place_worker","seat":1,"gap":12}'
LINE = closed(BODY, LAST)
MOVED = b',"moved":[{"who":1,"what":"money","n":-1,"why":"gain"}]'


def said(old: bytes, new: bytes, line: bytes = BODY) -> bytes:
    """The fifth line with a part changed, chained as if that were right."""
    assert line.count(old) == 1
    return closed(line.replace(old, new), LAST)


def more(fields: bytes) -> bytes:
    return closed(BODY + fields, LAST)


def head(old: bytes, new: bytes) -> bytes:
    """A header with a part changed, chained as if that were right."""
    body = chain.cut_hash(HEADER[:-1])
    assert body.count(old) == 1
    return closed(body.replace(old, new))


def sealed(count: int, final: str) -> bytes:
    return chained(Sealed(n=4, count=count, final=final, **UNCHAINED), prev=LAST)[0]


DIGEST = chain.line_digest(LINES[-1])
# Deeper than any Python follows.
DEEP = b"[" * 50_000 + b"]" * 50_000

# What follows four good lines, and the code of the complaint about the fifth.
TAILS: dict[str, tuple[bytes, str]] = {
    "byte order mark": (b"\xef\xbb\xbf" + LINE, "not-json"),
    "CRLF": (LINE[:-1] + b"\r\n", "not-canonical"),
    "blank line": (b"\n" + LINE, "blank"),
    "line of spaces": (b"  \t \n", "blank"),
    "NUL": (said(b"ann", b"a\0n"), "not-json"),
    "only NULs": (b"\0" * 600 + b"\n", "not-json"),
    "control character": (said(b"ann", b"a\x1bn"), "not-json"),
    "escaped control character": (said(b"ann", b"a\\u001Bn"), "not-canonical"),
    "bad UTF-8": (said(b"ann", b"a\xffn"), "not-utf8"),
    "overlong UTF-8": (said(b"ann", b"\xc0\xaf"), "not-utf8"),
    "UTF-8 of half a surrogate pair": (said(b"ann", b"\xed\xa0\x80"), "not-utf8"),
    "escape of half a surrogate pair": (said(b"ann", b"\\ud800"), "not-json"),
    "bad UTF-8 in a key": (more(b',"\xff":1'), "not-utf8"),
    "UTF-16": (LINE[:-1].decode().encode("utf-16") + b"\n", "not-json"),
    "deep arrays in an unknown field": (more(b',"x":' + DEEP), "unknown-field"),
    "deep objects in an unknown field": (more(b',"x":' + b'{"x":' * 5000 + b"1" + b"}" * 5000), "unknown-field"),
    "deep arrays in a known field": (more(b',"moved":' + DEEP), "wrong-type"),
    "deep objects in a known field": (said(b'"seat":1', b'"seat":' + b'{"x":' * 5000), "wrong-type"),
    "arrays that are never closed": (b"[" * 100_000 + b"\n", "wrong-type"),
    "giant integer": (said(b'"n":4', b'"n":' + b"9" * 10_000), "out-of-range"),
    "integer of 65 bits": (said(b'"n":4', b'"n":18446744073709551616'), "out-of-range"),
    "negative number": (said(b'"n":4', b'"n":-4'), "out-of-range"),
    "float for an integer": (said(b'"n":4', b'"n":4.0'), "wrong-type"),
    "exponent for an integer": (said(b'"n":4', b'"n":4e0'), "wrong-type"),
    "giant float": (said(b'"n":4', b'"n":1e999'), "out-of-range"),
    "leading zero": (said(b'"n":4', b'"n":04'), "not-json"),
    "NaN": (said(b'"n":4', b'"n":NaN'), "not-json"),
    "infinity": (said(b'"n":4', b'"n":-Infinity'), "not-json"),
    "true for an integer": (said(b'"n":4', b'"n":true'), "wrong-type"),
    "text for an integer": (said(b'"n":4', b'"n":"4"'), "wrong-type"),
    "null for an integer": (said(b'"n":4', b'"n":null'), "wrong-type"),
    "number for a text": (said(b'"ann"', b"5"), "wrong-type"),
    "object for an array": (more(b',"moved":{}'), "wrong-type"),
    "array for an object": (said(b'{"act":"place_worker","seat":1,"gap":12}', b"[]"), "wrong-type"),
    "null": (b"null\n", "wrong-type"),
    "array at top": (b"[" + LINE[:-1] + b"]\n", "wrong-type"),
    "number at top": (b"4\n", "wrong-type"),
    "text at top": (b'"line"\n', "wrong-type"),
    "duplicate key": (more(b',"by":"bob"'), "not-canonical"),
    "duplicate kind": (more(b',"kind":"undo"'), "unknown-word"),
    "duplicate hash": (more(b',"hash":"' + b"0" * 32 + b'"'), "not-canonical"),
    "unknown field": (more(b',"colour":"red"'), "unknown-field"),
    "unknown field of a decision": (said(b'"gap":12', b'"gap":12,"x":1'), "unknown-field"),
    "unknown field that reads like an error": (more(b',"Input data was truncated":1'), "unknown-field"),
    "unknown kind": (said(b'"decision"', b'"surprise"'), "unknown-word"),
    "unknown act": (said(b"place_worker", b"fire_worker"), "unknown-word"),
    "act of another kind": (said(b"place_worker", b"final_count"), "unknown-word"),
    "unknown resource": (said(b"money", b"gold_", BODY + MOVED), "unknown-word"),
    "unknown cause": (said(b"gain", b"gift", BODY + MOVED), "unknown-word"),
    "unknown fact": (more(b',"facts":[{"fact":"found"}]'), "unknown-word"),
    "missing field": (said(b',"gap":12', b""), "missing-field"),
    "missing number": (said(b'"n":4,', b""), "missing-field"),
    "missing kind": (said(b'"kind":"decision",', b""), "missing-field"),
    "missing prev": (closed(BODY), "missing-field"),
    "missing hash": (BODY + b"}\n", "missing-field"),
    "empty object": (b"{}\n", "missing-field"),
    "reordered keys": (said(b'"n":4,"by":"ann"', b'"by":"ann","n":4'), "not-canonical"),
    "kind last": (closed(BODY.replace(b'"kind":"decision",', b"") + b',"kind":"decision"', LAST), "not-canonical"),
    "extra space": (said(b'"n":4', b'"n": 4'), "not-canonical"),
    "leading space": (b" " + LINE, "not-canonical"),
    "trailing space": (LINE[:-1] + b" \n", "not-canonical"),
    "escaped spelling": (said(b"ann", b"\\u0061nn"), "not-canonical"),
    "escaped spelling of a key": (said(b'"by"', b'"b\\u0079"'), "not-canonical"),
    "escaped slash": (said(b"ann", b"a\\/b"), "not-canonical"),
    "default spelled out": (more(b',"moved":[]'), "not-canonical"),
    "minus zero": (said(b'"n":-1', b'"n":-0', BODY + MOVED), "not-canonical"),
    "trailing garbage": (LINE[:-1] + b"x\n", "not-json"),
    "trailing comma": (said(b'"gap":12', b'"gap":12,'), "not-json"),
    "single quotes": (LINE.replace(b'"', b"'"), "not-json"),
    "comment": (b"// nothing\n", "not-json"),
    "two lines joined": (LINE[:-1] + LINE, "not-json"),
    "second header": (closed(chain.cut_hash(HEADER[:-1]).replace(b'"n":0', b'"n":4')), "header-again"),
    "another log": (HEADER, "number"),
    "n repeated": (said(b'"n":4', b'"n":3'), "number"),
    "n with a gap": (said(b'"n":4', b'"n":5'), "number"),
    "line repeated": (LINES[-1], "number"),
    "prev of another line": (closed(BODY, hash_of(LINES[1])), "prev"),
    "prev in capitals": (closed(BODY, LAST.upper()), "prev"),
    "prev too short": (closed(BODY, LAST[:-1]), "out-of-range"),
    "hash of another line": (LINE.replace(hash_of(LINE).encode(), LAST.encode()), "hash"),
    "hash in capitals": (LINE.replace(hash_of(LINE).encode(), hash_of(LINE).upper().encode()), "hash"),
    "hash too long": (LINE[:-3] + b'0"}\n', "out-of-range"),
    "hash that is no hash": (LINE.replace(hash_of(LINE).encode(), "×".encode() * 32), "hash"),
    "cut off": (LINE[:-40], "cut-off"),
    "cut off before the newline": (LINE[:-1], "cut-off"),
    "cut off, then a newline": (LINE[:-40] + b"\n", "truncated"),
    "line too long": (said(b"ann", b"a" * MAX_LINE), "too-long"),
    "undo of what is ahead": (chained(undo(4, 7), prev=LAST)[0], "undo-ahead"),
    "undo of itself": (chained(undo(4, 4), prev=LAST)[0], "undo-ahead"),
    "undo of less than nothing": (chained(undo(4, -1), prev=LAST)[0], "out-of-range"),
    "seal on another count": (sealed(5, DIGEST), "seal"),
    "seal on another end": (sealed(4, DIGEST[:32] + "0" * 32), "seal"),
    "seal that is too short": (sealed(4, DIGEST[:-1]), "out-of-range"),
    "seat 0": (said(b'"seat":1', b'"seat":0'), "out-of-range"),
    "seat 10": (said(b'"seat":1', b'"seat":10'), "out-of-range"),
    "gap that is none": (said(b'"gap":12', b'"gap":13'), "unknown-word"),
    "space 10": (said(b'place_worker","seat":1,', b'gain_money","seat":1,"space":10,'), "out-of-range"),
    "token of 4": (said(b'place_worker","seat":1,', b'activate_card","seat":1,"space":1,"token":4,'), "out-of-range"),
    "amount of six figures": (said(b'"n":-1', b'"n":-100000', BODY + MOVED), "out-of-range"),
    "name too long": (said(b"ann", b"a" * 61), "out-of-range"),
    "card name too long": (
        said(b'place_worker","seat":1,', b'activate_card","seat":1,"space":1,"named":"' + b"a" * 41 + b'",'),
        "out-of-range",
    ),
    "reason too long": (more(b',"cmd":"' + b"a" * 501 + b'"'), "out-of-range"),
    "time without zone": (more(b',"at":"2024-01-01T00:00:00"'), "out-of-range"),
    "time that is none": (more(b',"at":"2024-02-30T00:00:00Z"'), "out-of-range"),
    "time as a number": (more(b',"at":1704067200'), "wrong-type"),
    "time in another spelling": (more(b',"at":"2024-01-01 00:00:00+00:00"'), "not-canonical"),
}

# What stands instead of a header. Nothing is left to read, so that the error is raised.
HEADERS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "only a newline": (b"\n", "blank"),
    "byte order mark": (b"\xef\xbb\xbf" + HEADER, "not-json"),
    "cut off": (HEADER[:200], "cut-off"),
    "cut off before the newline": (HEADER[:-1], "cut-off"),
    "no header": (LINES[1], "unknown-word"),
    "no JSON": (b"PK\x03\x04\n", "not-json"),
    "null": (b"null\n", "wrong-type"),
    "line too long": (b" " * (MAX_LINE + 1), "too-long"),
    "deep arrays": (b'{"x":' + DEEP + b"," + HEADER[1:], "too-deep"),
    "deep objects": (b'{"x":' * 50_000 + b"\n", "too-deep"),
    "bad UTF-8": (head(b'"ann"', b'"\xff"'), "not-utf8"),
    "duplicate key": (head(b'"n":0,', b'"n":0,"n":0,'), "not-canonical"),
    "n of 1": (head(b'"n":0', b'"n":1'), "number"),
    "prev": (HEADER.replace(b"0" * 32, b"1" * 32), "prev"),
    "wrong hash": (HEADER.replace(hash_of(HEADER).encode(), b"0" * 32), "hash"),
    "unknown title": (head(b'"title":"spyrium"', b'"title":"spirium"'), "unknown-title"),
    "newer format": (head(b'"format":1', b'"format":2'), "newer-format"),
    "newer format of the title": (head(b'"title_format":1', b'"title_format":2'), "newer-title-format"),
    "unknown older format": (head(b'"format":1', b'"format":0'), "unknown-format"),
    "unknown older format of the title": (head(b'"title_format":1', b'"title_format":0'), "unknown-format"),
    "format of less than nothing": (head(b'"format":1', b'"format":-1000000000000000'), "out-of-range"),
    "format of a thousand figures": (head(b'"format":1', b'"format":' + b"9" * 1000), "out-of-range"),
    "game id that leaves the folder": (head(b"0190f5fe", b"../0190f5fe"), "out-of-range"),
    "game id in capitals": (head(b"0190f5fe", b"0190F5FE"), "out-of-range"),
    "digest of another sheet": (head(b"4f53cda1", b"00000000"), "sheet-digest"),
    "sheet in another spelling": (head(b'"printed":[]', b'"printed": []'), "not-canonical"),
    "sheet with a value of no source": (head(b'"printed":[]', b'"printed":[["a","b",1,"guess"]]'), "unknown-word"),
    "sheet that nests": (head(b'"printed":[]', b'"printed":' + DEEP), "too-deep"),
    "no seats": (chained(short_header(seats=0))[0], "out-of-range"),
    "unknown option": (head(b'"options":{}', b'"options":{"cheat":true}'), "unknown-field"),
    "unknown resource": (
        head(b'["money",8],["spyrium",2],["workers",3],["residence",1]]},', b'["gold",8]]},'),
        "unknown-word",
    ),
}


@pytest.mark.parametrize(("tail", "code"), TAILS.values(), ids=TAILS)
def test_a_hostile_line_is_one_complaint_behind_the_good_ones(tail: bytes, code: str) -> None:
    log = read_bytes(GOOD + tail, "evening.jsonl")
    complaint = log.complaint
    assert complaint is not None
    assert (complaint.code, complaint.file, complaint.line) == (code, "evening.jsonl", 5)
    assert str(complaint).endswith(" at evening.jsonl:5")
    assert str(complaint).isprintable()
    assert len(str(complaint)) < 500
    assert log.good_bytes == len(GOOD)
    assert b"".join(map(codec.encode, log.lines[:4])) == GOOD


@pytest.mark.parametrize(("raw", "code"), HEADERS.values(), ids=HEADERS)
def test_a_hostile_header_is_one_error(raw: bytes, code: str) -> None:
    with pytest.raises(LogError) as raised:
        read_bytes(raw + b"".join(LINES[1:]) if raw[-1:] == b"\n" else raw, "evening.jsonl")
    assert (raised.value.code, raised.value.file, raised.value.line) == (code, "evening.jsonl", 1)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500
    assert isinstance(raised.value, NewerFormatError) == code.startswith("newer")


# What becomes of a header whose sheet is known: the bytes before, the bytes after.
AROUND_A_SHEET: dict[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "n of 1": (b'"n":0', b'"n":1'),
    "bad UTF-8": (b'"ann"', b'"\xff"'),
    "unknown title": (b'"title":"spyrium"', b'"title":"spirium"'),
    "newer format": (b'"format":1', b'"format":2'),
    "newer format of the title": (b'"title_format":1', b'"title_format":2'),
    "another kind": (b'"kind":"header"', b'"kind":"undo"'),
    "unknown option": (b'"options":{}', b'"options":{"sheet":1}'),
    "another digest": (b'"sheet_digest":"', b'"sheet_digest":"0'),
    "digest twice": (b'"sheet_digest":"', b'"sheet_digest":"' + b"0" * 32 + b'","sheet_digest":"'),
    "another sheet before": (b'"sheet":{', b'"sheet":{"name":"x","printed":[]},"sheet":{'),
    "another sheet after": (b',"prev":', b',"sheet":{"name":"x","printed":[]},"prev":'),
    "no sheet after": (b',"prev":', b',"sheet":0,"prev":'),
    "a cut after it": (b',"prev":', b',"sheet":"cut","prev":'),
    "a blank after it": (b',"prev":', b' ,"prev":'),
    "a brace after it": (b',"prev":', b'},"prev":'),
    "a figure after it": (b',"prev":', b'1,"prev":'),
    "a blank before it": (b'"sheet":{', b'"sheet": {'),
    "half of it": (b'"printed":[]', b'"printed":['),
    "an unknown field": (b',"prev":', b',"x":1,"prev":'),
}


def told_of(raw: bytes, *, verify: bool) -> tuple[str, object]:
    """The complaint, or what the log says."""
    stream = iter([raw])

    class Once:
        def readline(self, _limit: int, /) -> bytes:
            return next(stream, b"")

    try:
        log = codec.read(Once(), TITLES, verify=verify)
    except LogError as error:
        return str(error), None
    return str(log.complaint), (log.header, bytes(log.header.sheet), log.sheet, log.last_digest, log.good_bytes)


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("case", AROUND_A_SHEET)
def test_that_a_sheet_was_read_before_changes_nothing(case: str, verify: bool) -> None:  # noqa: FBT001 - a parameter
    good = chained(header(sheet=Sheet(name=f"{case}, {verify}", printed=())))[0]
    old, new = AROUND_A_SHEET[case]
    body = chain.cut_hash(good[:-1])
    raw = closed(body.replace(old, new, 1)) if old else good
    before = told_of(raw, verify=verify)
    assert told_of(good, verify=verify)[1] is not None
    assert told_of(raw, verify=verify) == before


def test_there_are_kinds_enough(counts: Counter[str]) -> None:
    counts["kinds of hostile lines"] = len(TAILS)
    counts["kinds of hostile headers"] = len(HEADERS)
    assert len(TAILS) + len(HEADERS) >= 100


def test_the_lines_it_started_from_are_good() -> None:
    log = read_bytes(GOOD + LINE, "evening.jsonl")
    assert log.complaint is None
    assert read_bytes(GOOD + sealed(4, DIGEST), "evening.jsonl").complaint is None


def test_a_refusal_of_a_newer_format_names_the_version() -> None:
    with pytest.raises(NewerFormatError, match="format 1 or older, found format 2: a newer spyrium-log"):
        read_bytes(head(b'"format":1', b'"format":2'), "evening.jsonl")


def test_what_a_log_says_cannot_drive_the_terminal() -> None:
    log = read_bytes(GOOD + more(b',"\\u001b[2J\\u202e":1'), "evening.jsonl")
    assert "unknown field `�[2J�`" in str(log.complaint)


def test_a_log_may_be_read_without_checking_its_chain() -> None:
    changed = iter([LINES[0], LINES[1].replace(b'"ann"', b'"bob"'), LINES[2]])

    class Changed:
        def readline(self, _limit: int, /) -> bytes:
            return next(changed, b"")

    log = codec.read(Changed(), TITLES, verify=False)
    assert log.complaint is None
    assert [line.by for line in log.lines] == ["ann", "bob", "ann"]


# --- older formats -------------------------------------------------------------------------------


def spelled_out(line: dict[str, Any]) -> dict[str, Any]:
    """From an invented log format 0, which called the scribe `scribe`."""
    line["by"] = line.pop("scribe")
    if line["kind"] == "header":
        line["format"] = 1
    return line


def in_format_0(lines: list[bytes]) -> list[bytes]:
    prev = chain.GENESIS
    old = []
    for raw in lines:
        body = chain.cut_hash(raw[:-1]).replace(b'"by":', b'"scribe":').replace(b'"format":1', b'"format":0', 1)
        old.append(closed(body[: body.index(b',"prev":')], prev))
        prev = hash_of(old[-1])
    return old


def read_format_0(raw: bytes, upcast: codec.Upcast = spelled_out) -> Log:
    parts = iter(raw.splitlines(keepends=True))

    class Parts:
        def readline(self, limit: int, /) -> bytes:
            return next(parts, b"")[:limit]

    with mock.patch.object(codec, "UPCASTS", {0: upcast}):
        return codec.read(Parts(), TITLES, "old.jsonl")


def test_an_older_log_format_is_brought_up_to_date_line_by_line() -> None:
    log = read_format_0(b"".join(in_format_0(LINES)))
    assert log.complaint is None
    assert [line.by for line in log.lines] == ["ann"] * 4
    assert not log.is_current


@pytest.mark.parametrize("at", range(4))
def test_an_older_log_is_chained_as_well(at: int) -> None:
    lines = in_format_0(LINES)
    lines[at] = lines[at].replace(b'"ann"', b'"bob"')
    if at == 0:
        with pytest.raises(LogError, match="hash: "):
            read_format_0(b"".join(lines))
    else:
        complaint = read_format_0(b"".join(lines)).complaint
        assert complaint is not None
        assert (complaint.code, complaint.line) == ("hash", at + 1)


@pytest.mark.parametrize("line", [b"{}", b"[]", b"3", b"{", b'{"scribe":1}', b'{"kind":[],"scribe":{}}', DEEP])
def test_hostile_lines_of_an_older_format_are_complaints(line: bytes) -> None:
    log = read_format_0(b"".join(in_format_0(LINES)) + line + b"\n")
    assert isinstance(log.complaint, LogError)
    assert len(log.lines) == 4


def test_a_header_stays_a_header() -> None:
    def withdrawn(line: dict[str, Any]) -> dict[str, Any]:
        return {**UNCHAINED, "kind": "withdrawn", "n": 0, "line": 0, "why": "", "hash": line["hash"]}

    with pytest.raises(LogError, match="no-header: expected a header, found a 'withdrawn'"):
        read_format_0(in_format_0(LINES)[0], withdrawn)


def test_an_older_format_of_a_title_is_brought_up_to_date() -> None:
    def gaps_by_two(line: dict[str, Any]) -> dict[str, Any]:
        return {**line, "by": "upcast"}

    newer = retitled(SPYRIUM, title_format=2, upcasts={1: gaps_by_two})
    log = read_bytes(GOOD, "old.jsonl", titles={"spyrium": newer})
    assert log.formats == (1, 1)
    assert not log.is_current
    assert [line.by for line in log.lines] == ["upcast"] * 4


# --- size ----------------------------------------------------------------------------------------


class Endless:
    """Good lines, then a line that never ends; counts what is asked of it."""

    def __init__(self, good: bytes) -> None:
        self.good = good
        self.given = 0

    def readline(self, limit: int, /) -> bytes:
        if self.good:
            line, newline, self.good = self.good.partition(b"\n")
            part = (line + newline)[:limit]
        else:
            part = b"x" * limit
        self.given += len(part)
        return part


def test_a_line_of_a_gigabyte_is_not_read_further_than_one_append_reaches() -> None:
    stream = Endless(GOOD)
    log = read_stream(stream, "pipe")
    assert log.complaint is not None
    assert log.complaint.code == "too-long"
    assert log.damage is not None
    assert log.damage.kind == "corrupt"
    assert stream.given == len(GOOD) + MAX_TAIL + 1


def test_a_header_of_a_gigabyte_is_not_read_further_than_the_cap() -> None:
    stream = Endless(b"")
    with pytest.raises(LogError, match="too-long"):
        read_stream(stream, "pipe")
    assert stream.given == MAX_LINE + 1


def test_the_longest_line_is_read() -> None:
    reason = b'{"kind":"withdrawn","n":4,"by":"ann","line":1,"why":"' + b"a" * 500 + b'"'
    postings = b",".join([b'{"who":1,"what":"money","n":-1,"why":"gain"}'] * 20_000)
    line = more(b',"moved":[' + postings + b"]")
    assert 800_000 < len(line) < MAX_LINE
    log = read_bytes(GOOD + line + closed(reason.replace(b'"n":4', b'"n":5'), hash_of(line)), "evening.jsonl")
    assert log.complaint is None
    assert len(log.lines) == 6


GIGABYTE = """
import resource, sys
from pathlib import Path
from spyrium_log.store import read_path

resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
log = read_path(Path(sys.argv[1]))
print(log.complaint.code, len(log.lines), log.damage.kind)
try:
    bytes(1 << 30)
except MemoryError:
    print("limited")
"""


def test_a_file_with_a_line_of_a_gigabyte_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "giant.jsonl"
    with path.open("wb") as file:
        file.write(GOOD)
        file.truncate(1 << 30)
    limit = 256 << 20
    run = subprocess.run([sys.executable, "-c", GIGABYTE, path, str(limit)], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["too-long", "4", "corrupt", "limited"]


def test_too_many_lines_are_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_LINES == 20_000
    monkeypatch.setattr(codec, "MAX_LINES", 3)
    log = read_bytes(GOOD, "evening.jsonl")
    assert log.complaint is not None
    assert (log.complaint.code, log.complaint.line) == ("too-many-lines", 4)
    assert log.damage is not None
    assert log.damage.kind == "corrupt"


def test_a_log_of_too_many_bytes_is_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the next line is one that is looked at more closely or not, the lines that fit stay."""
    for last in (undo(3, 1), paid(3)):
        raws = chained(short_header(), paid(1), paid(2), last)
        monkeypatch.setattr(codec, "MAX_LOG", len(b"".join(raws)) - 1)
        log = read_bytes(b"".join(raws), "evening.jsonl")
        assert log.complaint is not None
        assert (log.complaint.code, log.complaint.line) == ("too-large", 4)
        assert [line.n for line in log.lines] == [0, 1, 2]
        monkeypatch.setattr(codec, "MAX_LOG", len(b"".join(raws)))
        assert read_bytes(b"".join(raws), "evening.jsonl").complaint is None


# --- depth ---------------------------------------------------------------------------------------


def depth(kind: inspect.Type, inside: tuple[type, ...] = ()) -> int:
    """How deep JSON of this type nests. A type inside itself would have no depth."""
    match kind:
        case inspect.Metadata():
            return depth(kind.type, inside)
        case inspect.UnionType():
            return max(depth(each, inside) for each in kind.types)
        case inspect.StructType():
            assert kind.cls not in inside
            return 1 + max((depth(field.type, (*inside, kind.cls)) for field in kind.fields), default=0)
        case inspect.VarTupleType():
            return 1 + depth(kind.item_type, inside)
        case inspect.TupleType():
            return 1 + max(depth(each, inside) for each in kind.item_types)
        case inspect.RawType():
            # a header's sheet, the only part that is read by a type of its own
            return depth(inspect.type_info(Sheet), inside)
        case _:
            scalars = (
                inspect.IntType,
                inspect.StrType,
                inspect.BoolType,
                inspect.NoneType,
                inspect.DateTimeType,
                inspect.LiteralType,
            )
            assert isinstance(kind, scalars)
            return 0


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_no_typed_line_nests_deeper_than_the_cap(title: Any) -> None:
    deepest = depth(inspect.type_info(line_type(title)))
    print(f"{title.key}: {deepest} levels")
    assert deepest <= MAX_DEPTH


def nested(levels: int) -> bytes:
    return more(b',"moved":' + b"[" * levels + b"]" * levels)


@pytest.mark.parametrize("levels", [2, MAX_DEPTH, 900, 2000, 100_000])
@pytest.mark.parametrize("build", [nested, lambda levels: b'{"x":' * levels + b"\n"])
def test_a_line_that_nests_deeper_than_its_type_is_refused(levels: int, build: Callable[[int], bytes]) -> None:
    log = read_bytes(GOOD + build(levels), "evening.jsonl")
    assert isinstance(log.complaint, LogError)
    assert len(log.lines) == 4
