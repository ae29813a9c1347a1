"""Notes: what stands, what two files say together, what they stand on, and bytes that are none."""

import io
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spyrium_log.edit.annotate import play_variation
from spyrium_log.errors import IllegalError, LogError, NewerFormatError, NotationError
from spyrium_log.log import chain, codec, notes
from spyrium_log.log.codec import MAX_LINE, Log, encode
from spyrium_log.log.lines import Declared, Drop, InsertAfter, Replace, Result, Withdrawn
from spyrium_log.log.notes import (
    Noted,
    NoteEdited,
    NoteLine,
    Notes,
    NoteWithdrawn,
    Sidecar,
    find_anchors,
    hashed_bytes,
    read_line,
    read_sidecar,
)
from spyrium_log.play import OPEN
from spyrium_log.store import read_bytes
from tests.build import GAME, closed, hash_of
from tests.scribe import Scribe
from tests.stories import FIRST_DEAL, first_round, opening

HASH = "5" * 32
EVENING = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)


def sealed(line: NoteLine) -> NoteLine:
    return read_line(hashed_bytes(line), "notes", 1)


def note(id_: str = "note-1", **said: Any) -> NoteLine:
    return sealed(Noted(**{"id": id_, "by": "ann", "game": GAME, "on": "3", "line": HASH, "hash": OPEN, **said}))


def edited(id_: str = "note-1", version: int = 2, **said: Any) -> NoteLine:
    plain = {"id": id_, "version": version, "by": "ann", "game": GAME, "on": "3", "line": HASH, "hash": OPEN}
    return sealed(NoteEdited(**{**plain, **said}))


def withdrawn(id_: str = "note-1", version: int = 2, **said: Any) -> NoteLine:
    return sealed(NoteWithdrawn(**{"id": id_, "version": version, "by": "ann", "hash": OPEN, **said}))


def read_all(raw: bytes) -> Sidecar:
    return read_sidecar(io.BytesIO(raw), "evening.notes.jsonl")


FULL = note(
    at=EVENING.astimezone(timezone(timedelta(hours=2))),
    text="Why not the Crane? Überlegt zu lange.",
    mark="?!",
    tags=("opening", "crane"),
    variation=("p12", ">a12.1"),
)
SMALL = [
    FULL,
    edited(text="I see why now.", at=EVENING, mark="!"),
    note("note-2", by="bob", on="57.1"),
    withdrawn("note-2"),
]
LINES = [encode(line) for line in SMALL]
GOOD = b"".join(LINES)


def test_what_is_written_is_read() -> None:
    sidecar = read_all(GOOD)
    assert sidecar.complaint is None
    assert sidecar.lines == SMALL
    assert sidecar.good_bytes == len(GOOD)
    assert b"".join(map(encode, sidecar.lines)) == GOOD


def test_no_bytes_are_no_notes() -> None:
    assert read_all(b"") == Sidecar("evening.notes.jsonl")


def test_a_person_can_read_a_line() -> None:
    start = b'{"kind":"note","id":"note-1","by":"ann","at":"2026-05-01T22:00:00+02:00","game":"' + GAME.encode()
    assert LINES[0].startswith(start + b'","on":"3","line":"')
    assert LINES[0].endswith(b'"variation":["p12",">a12.1"],"hash":"' + hash_of(LINES[0]).encode() + b'"}\n')


# --- which notes stand ---------------------------------------------------------------------------


def test_an_edit_stands_and_the_first_author_stays_known() -> None:
    all_ = Notes.from_lines([edited(by="bob", text="better"), note(text="first")])
    assert all_.standing() == {"note-1": edited(by="bob", text="better")}
    assert all_.history("note-1") == [note(text="first"), edited(by="bob", text="better")]
    assert all_.authors() == {"note-1": "ann"}
    assert all_.latest_version("note-1") == 2
    assert all_.latest_version("note-9") == 0


def test_a_withdrawn_note_stands_no_more_and_an_edit_brings_it_back() -> None:
    lines = [note(), withdrawn(why="wrong game")]
    assert Notes.from_lines(lines).standing() == {}
    assert Notes.from_lines([*lines, edited(version=3)]).standing() == {"note-1": edited(version=3)}


def test_a_change_whose_note_is_not_here_says_the_whole_note() -> None:
    assert Notes.from_lines([edited(text="all of it")]).standing() == {"note-1": edited(text="all of it")}
    assert Notes.from_lines([withdrawn()]).standing() == {}


# What two people made of the same version, what stands first.
RIVALS = {
    "withdrawn before edited": (withdrawn(), edited(at=EVENING, text="later")),
    "withdrawn later": (withdrawn(at=EVENING), withdrawn()),
    "edited later": (edited(at=EVENING), edited(at=EVENING - timedelta(seconds=1))),
    "edited at a known time": (edited(at=EVENING), edited()),
    "two notes of one id": (note(at=EVENING, by="bob"), note(by="ann")),
    "a higher version": (edited(version=3), withdrawn(version=2)),
    "the greater hash": tuple(sorted((edited(text="a"), edited(text="b")), key=lambda line: line.hash, reverse=True)),
    "the same moment elsewhere": tuple(
        sorted(
            (edited(at=EVENING), edited(at=EVENING.astimezone(timezone(timedelta(hours=1))))),
            key=lambda line: line.hash,
            reverse=True,
        )
    ),
}


@pytest.mark.parametrize("rivals", RIVALS.values(), ids=RIVALS)
def test_of_two_changes_of_one_version_both_stay_and_one_stands(rivals: tuple[NoteLine, ...]) -> None:
    for lines in permutations(rivals):
        both = Notes.from_lines(lines)
        assert both.history("note-1") == [*reversed(rivals)]
        expected = {} if isinstance(rivals[0], NoteWithdrawn) else {"note-1": rivals[0]}
        assert both.standing() == expected


AT = st.none() | st.datetimes(
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-11))])
)
IDS = st.sampled_from(["note-1", "note-2", "note-3"])
NAMES = st.sampled_from(["ann", "bob"])
ANY_LINE = st.one_of(
    st.builds(note, IDS, by=NAMES, at=AT, text=st.text(max_size=5)),
    st.builds(edited, IDS, st.integers(2, 4), by=NAMES, at=AT, mark=st.sampled_from(["!", "?", None])),
    st.builds(withdrawn, IDS, st.integers(2, 4), by=NAMES, at=AT),
)
ANY_LINES = st.lists(ANY_LINE, max_size=8)
MANY = settings(deadline=None, max_examples=300)


def merge_notes(one: Notes, other: Notes) -> Notes:
    return Notes.from_lines((*one.lines, *other.lines))


@MANY
@given(a=ANY_LINES, b=ANY_LINES, c=ANY_LINES)
def test_merging_is_a_union(a: list[NoteLine], b: list[NoteLine], c: list[NoteLine]) -> None:
    one, two, three = Notes.from_lines(a), Notes.from_lines(b), Notes.from_lines(c)
    assert merge_notes(one, two) == merge_notes(two, one)
    assert merge_notes(one, one) == one == merge_notes(one, Notes())
    assert merge_notes(merge_notes(one, two), three) == merge_notes(one, merge_notes(two, three))
    together = merge_notes(one, two)
    assert {*map(encode, together.lines)} == {*map(encode, a), *map(encode, b)}
    assert together.standing() == Notes.from_lines([*b, *a, *b]).standing()
    # spelt out, too: equal moments in two places are equal in Python and are two lines here
    assert [encode(line) for line in merge_notes(two, one).lines] == [encode(line) for line in together.lines]


@MANY
@given(lines=ANY_LINES)
def test_a_file_is_what_its_lines_are(lines: list[NoteLine]) -> None:
    raw = b"".join(map(encode, lines))
    sidecar = read_all(raw)
    assert sidecar.complaint is None
    assert b"".join(map(encode, sidecar.lines)) == raw
    again = b"".join(map(encode, sidecar.notes.lines))
    assert read_all(raw + again).notes == sidecar.notes == read_all(again).notes


# --- hostile bytes -------------------------------------------------------------------------------

BODY = chain.cut_hash(LINES[0][:-1])


def said(old: bytes, new: bytes, line: bytes = BODY) -> bytes:
    """A fifth line with a part changed, hashed as if that were right."""
    assert line.count(old) == 1
    return closed(line.replace(old, new))


def more(fields: bytes) -> bytes:
    return closed(BODY + fields)


EDITED = chain.cut_hash(LINES[1][:-1])
# Deeper than any Python follows.
DEEP = b"[" * 50_000 + b"]" * 50_000

TAILS: dict[str, tuple[bytes, str]] = {
    "byte order mark": (b"\xef\xbb\xbf" + LINES[0], "not-json"),
    "CRLF": (LINES[0][:-1] + b"\r\n", "not-canonical"),
    "blank line": (b"\n" + LINES[0], "blank"),
    "NUL": (said(b'"ann"', b'"a\0n"'), "not-json"),
    "only NULs": (b"\0" * 600 + b"\n", "not-json"),
    "bad UTF-8": (said(b'"ann"', b'"a\xffn"'), "not-utf8"),
    "escape of half a surrogate pair": (said(b'"ann"', b'"\\ud800"'), "not-json"),
    "deep arrays in an unknown field": (more(b',"x":' + DEEP), "unknown-field"),
    "deep arrays in a known field": (more(b',"tags":' + DEEP), "wrong-type"),
    "objects that are never closed": (b'{"x":' * 50_000 + b"\n", "too-deep"),
    "giant integer": (said(b'"version":2', b'"version":' + b"9" * 10_000, EDITED), "out-of-range"),
    "version 1 of an edit": (said(b'"version":2', b'"version":1', EDITED), "out-of-range"),
    "version as text": (said(b'"version":2', b'"version":"2"', EDITED), "wrong-type"),
    "version of a new note": (more(b',"version":2'), "unknown-field"),
    "no version": (said(b',"version":2', b"", EDITED), "missing-field"),
    "null": (b"null\n", "wrong-type"),
    "array at top": (b"[" + LINES[0][:-1] + b"]\n", "wrong-type"),
    "empty object": (b"{}\n", "missing-field"),
    "duplicate key": (more(b',"by":"bob"'), "not-canonical"),
    "reordered keys": (said(b'"id":"note-1","by":"ann"', b'"by":"ann","id":"note-1"'), "not-canonical"),
    "extra space": (said(b'"by":"ann"', b'"by": "ann"'), "not-canonical"),
    "escaped spelling": (said(b'"ann"', b'"\\u0061nn"'), "not-canonical"),
    "default spelled out": (said(b'"id"', b'"format":1,"id"'), "not-canonical"),
    "newer format": (said(b'"id"', b'"format":2,"id"'), "newer-format"),
    "newer format of other fields": (b'{"kind":"doodle","format":7,"strokes":[]}\n', "newer-format"),
    "format of less than nothing": (said(b'"id"', b'"format":-1,"id"'), "unknown-word"),
    "format of a thousand figures": (said(b'"id"', b'"format":' + b"9" * 1000 + b',"id"'), "out-of-range"),
    "unknown field": (more(b',"colour":"red"'), "unknown-field"),
    "unknown kind": (said(b'"note",', b'"doodle",'), "unknown-word"),
    "a line of a log": (closed(b'{"kind":"undo","n":4,"by":"ann","to":1', HASH), "unknown-word"),
    "unknown mark": (said(b'"?!"', b'"!!!"'), "unknown-word"),
    "id that leaves the folder": (said(b"note-1", b"../note-1"), "out-of-range"),
    "id that ends in a newline": (said(b"note-1", b"note-1\\n"), "out-of-range"),
    "anchor that is no name": (said(b'"on":"3"', b'"on":"03"'), "out-of-range"),
    "anchor as a number": (said(b'"on":"3"', b'"on":3'), "wrong-type"),
    "anchor behind a newline": (said(b'"on":"3"', b'"on":"3\\n"'), "out-of-range"),
    "hash of the line too short": (said(HASH.encode(), HASH[:-1].encode()), "out-of-range"),
    "text too long": (said("Überlegt".encode(), b"a" * 4001), "out-of-range"),
    "two words for a tag": (said(b'"crane"', b'"the crane"'), "out-of-range"),
    "tag too long": (said(b'"crane"', b'"' + b"a" * 41 + b'"'), "out-of-range"),
    "too many tags": (said(b'"crane"', b'"crane"' + b',"a"' * 15), "out-of-range"),
    "too long a variation": (said(b'"p12"', b'"p12"' + b',"a"' * 99), "out-of-range"),
    "time without zone": (said(b"+02:00", b""), "out-of-range"),
    "time in another spelling": (said(b"2026-05-01T", b"2026-05-01 "), "not-canonical"),
    "hash of another line": (LINES[0].replace(hash_of(LINES[0]).encode(), hash_of(LINES[1]).encode()), "hash"),
    "hash in capitals": (BODY + b',"hash":"' + hash_of(LINES[0]).upper().encode() + b'"}\n', "hash"),
    "no hash": (BODY + b"}\n", "missing-field"),
    "text changed, hash kept": (LINES[0].replace(b"Crane", b"crane"), "hash"),
    "two lines joined": (LINES[0][:-1] + LINES[1], "not-json"),
    "cut off": (LINES[0][:-40], "cut-off"),
    "cut off, then a newline": (LINES[0][:-40] + b"\n", "truncated"),
    "line too long": (said(b'"ann"', b'"' + b"a" * MAX_LINE + b'"'), "too-long"),
}


@pytest.mark.parametrize(("tail", "code"), TAILS.values(), ids=TAILS)
def test_a_hostile_line_is_one_complaint_behind_the_good_ones(tail: bytes, code: str) -> None:
    sidecar = read_all(GOOD + tail)
    complaint = sidecar.complaint
    assert isinstance(complaint, LogError)
    assert (complaint.code, complaint.file, complaint.line) == (code, "evening.notes.jsonl", 5)
    assert str(complaint).isprintable()
    assert len(str(complaint)) < 500
    assert isinstance(complaint, NewerFormatError) == code.startswith("newer")
    assert sidecar.lines == SMALL
    assert sidecar.good_bytes == len(GOOD)


def test_there_are_kinds_enough(counts: Counter[str]) -> None:
    counts["kinds of hostile notes"] = len(TAILS)
    assert len(TAILS) >= 40


def test_every_cut_keeps_the_good_prefix(counts: Counter[str]) -> None:
    ends = [sum(map(len, LINES[:n])) for n in range(len(LINES) + 1)]
    for cut in range(len(GOOD) + 1):
        sidecar = read_all(GOOD[:cut])
        whole = sum(end <= cut for end in ends[1:])
        assert sidecar.lines == SMALL[:whole]
        assert sidecar.good_bytes == ends[whole]
        assert (sidecar.complaint is None) == (cut in ends)
        counts["cuts of a small file of notes"] += 1


def test_every_flipped_bit_is_a_complaint(counts: Counter[str]) -> None:
    for bit in range(8 * len(GOOD)):
        changed = bytearray(GOOD)
        changed[bit // 8] ^= 1 << bit % 8
        sidecar = read_all(bytes(changed))
        assert sidecar.complaint is not None
        assert sidecar.lines == SMALL[: len(sidecar.lines)]
        counts["flipped bits of a small file of notes"] += 1


def test_too_many_lines_are_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MAX_LINES", 2)
    complaint = read_all(GOOD).complaint
    assert complaint is not None
    assert (complaint.code, complaint.line) == ("too-many-lines", 3)


def test_the_largest_note_can_be_read() -> None:
    """However it is escaped: what can be said fits into a line."""
    largest = edited(
        by="\1" * 60, text="\1" * 4000, tags=("\1" * 40,) * 16, variation=("\1" * 500,) * 100, version=1_000_000
    )
    assert MAX_LINE / 4 < len(encode(largest)) < MAX_LINE
    assert read_all(encode(largest)).lines == [largest]


# --- what notes stand on -------------------------------------------------------------------------


def on(scribe: Scribe, ref: str, hash_: str | None = None, **said: Any) -> NoteLine:
    lines = scribe.log().lines
    at = hash_ or lines[int(ref.partition(".")[0])].hash
    return note(f"note-{ref.replace('.', '-')}", game="game-opening", on=ref, line=at, **said)


def test_a_note_stands_until_its_event_is_undone_and_again_when_that_is() -> None:
    scribe = opening().play("p12", "p45", "p45")
    all_ = Notes.from_lines([on(scribe, ref) for ref in "0123"])
    assert find_anchors(all_, scribe.log()) == {f"note-{n}": "stands" for n in range(4)}
    scribe.undo(2)
    fates = {"note-0": "stands", "note-1": "stands", "note-2": "stands", "note-3": "moved"}
    assert find_anchors(all_, scribe.log()) == fates
    scribe.play("p25")
    assert find_anchors(all_, scribe.log()) == fates
    scribe.undo(3)
    assert find_anchors(all_, scribe.log()) == {f"note-{n}": "stands" for n in range(4)}


def test_a_note_on_an_undo_or_a_result_stands_until_that_is_withdrawn() -> None:
    scribe = opening().play("p12").undo(1)
    scribe.aside(Declared, results=(Result(seat=1, points=3),))
    all_ = Notes.from_lines([on(scribe, "3"), on(scribe, "4")])
    assert find_anchors(all_, scribe.log()) == {"note-3": "stands", "note-4": "stands"}
    scribe.aside(Withdrawn, line=4, why="miscounted")
    assert find_anchors(all_, scribe.log()) == {"note-3": "stands", "note-4": "moved"}


def test_a_note_may_speak_of_an_event_as_a_later_line_left_it() -> None:
    scribe = opening().play("p12", "p45")
    assert find_anchors(Notes.from_lines([on(scribe, "2", scribe.log().lines[3].hash)]), scribe.log()) == {
        "note-2": "stands"
    }


def test_notes_follow_their_events_through_amendments() -> None:
    scribe = opening().play("p12", "p45", "p45")
    scribe.amend("misplayed", Replace(at="3", event=scribe.told("2", "p25")), why="one space on")
    scribe.amend("misplayed", InsertAfter(at="4", event=scribe.told("4", "p36")), why="and Anna went")
    amended = scribe.log().lines[5].hash
    recorded = Notes.from_lines([on(scribe, ref) for ref in ("2", "3", "4", "5", "6.1")])
    as_amended = Notes.from_lines([on(scribe, "3", amended)])
    fates = {"note-2": "stands", "note-3": "moved", "note-4": "stands", "note-5": "stands", "note-6-1": "stands"}
    assert find_anchors(recorded, scribe.log()) == fates
    assert find_anchors(as_amended, scribe.log()) == {"note-3": "stands"}
    assert find_anchors(Notes.from_lines([on(scribe, "6.2")]), scribe.log()) == {"note-6-2": "unknown"}
    assert play_variation(scribe.log(), "6.1", ["p12"]).acts[0].seat == 1
    scribe.undo(4)
    fates = {"note-2": "stands", "note-3": "stands", "note-4": "stands", "note-5": "stands", "note-6-1": "moved"}
    assert find_anchors(recorded, scribe.log()) == fates
    assert find_anchors(as_amended, scribe.log()) == {"note-3": "moved"}
    assert play_variation(scribe.log(), "6.1", ["p12"]).acts[0].seat == 1
    scribe.amend("misrecorded", Drop(at="4"), why="typed twice")
    assert find_anchors(recorded, scribe.log())["note-4"] == "moved"


def test_a_note_on_what_is_not_in_the_log_is_unknown() -> None:
    scribe = opening().play("p12", "p45")
    log = scribe.log()
    strangers = {
        "another game": note(on="2", line=log.lines[2].hash),
        "another hash": on(scribe, "2", HASH),
        "ahead": on(scribe, "9", HASH),
        "not yet said": on(scribe, "3", log.lines[2].hash),
        "no part of it": on(scribe, "2.1"),
        "header with another's hash": on(scribe, "0", log.lines[2].hash),
    }
    for stranger in strangers.values():
        assert find_anchors(Notes.from_lines([stranger]), log) == {stranger.id: "unknown"}
    assert find_anchors(Notes.from_lines([on(scribe, "2"), withdrawn("note-2")]), log) == {}


# --- variations ----------------------------------------------------------------------------------


def test_a_variation_is_told_by_the_rules() -> None:
    log = opening().play("p12", "p45").log()
    told = play_variation(log, "3", ["p12", "p12"])
    assert told.sentences == [
        "Bob places a worker between Mine I and Apprentice",
        "Cleo places a worker between Mine I and Apprentice",
    ]
    assert [act.seat for act in told.acts] == [2, 3]
    assert len(log.lines) == 4


@pytest.mark.parametrize(("log", "ref"), [(Scribe("game-empty").log(), "0"), (opening().play("p12").log(), "1")])
def test_a_variation_may_begin_with_another_deal(log: Log, ref: str) -> None:
    deal, act = play_variation(log, ref, [FIRST_DEAL.replace("exchange", "windfall:2"), "p12"]).acts
    assert (deal.event, act.seat) == ("windfall", 1)


def test_a_variation_of_what_was_undone_branches_off_where_it_was() -> None:
    scribe = opening().play("p12", "p45").undo(1).play("p47")
    log = scribe.log()
    assert play_variation(log, "3", ["p12"]).acts[0].seat == 2
    assert play_variation(log, "5", ["p12"]).acts[0].seat == 1
    assert play_variation(log, "4", ["p12"]).acts[0].seat == 1


@pytest.mark.parametrize(
    ("lines", "error", "words"),
    [
        (["p12", "@1 p12"], IllegalError, "expected"),
        (["p12", "final"], IllegalError, "expected"),
        (["p12", "p13"], NotationError, "expected one of the gaps"),
        (["hello"], NotationError, "found 'hello'"),
        ([""], NotationError, "found nothing"),
    ],
)
def test_a_variation_that_the_rules_or_the_grammar_refuse(lines: list[str], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        play_variation(opening().play("p12", "p45").log(), "3", lines)


@pytest.mark.parametrize("ref", ["9", "2.1", "", "two", "-1", "02", "9" * 5000])
def test_a_variation_of_nothing(ref: str) -> None:
    with pytest.raises(NotationError, match="expected a line or event of this log"):
        play_variation(opening().play("p12").log(), ref, [])


def test_a_variation_reads_a_log_and_changes_nothing() -> None:
    raw = first_round()
    assert isinstance(raw, bytes)
    log = read_bytes(raw, "log")
    assert play_variation(log, "4", ["p12"], "pl").sentences != play_variation(log, "4", ["p12"]).sentences
    assert b"".join(map(codec.encode, log.lines)) == raw
