"""Anonymised copies: the same game, and nobody's name in it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given
from msgspec import structs

from spyrium_log.audit import Finding
from spyrium_log.edit.anonymise import Copy, _Anonymiser, _find_remaining, anonymise_log
from spyrium_log.errors import LogError, SpyriumLogError
from spyrium_log.log import notes
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    Corrected,
    Declared,
    Drop,
    EventLine,
    Line,
    ReadOff,
    Result,
    Sealed,
    Undone,
    Withdrawn,
)
from spyrium_log.log.notes import Noted, NoteEdited, NoteLine, Notes, NoteWithdrawn, find_anchors
from spyrium_log.log.seals import load_signer, make_pem
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed
from spyrium_log.title import Abandoned, Adjusted, AnyTitle, Seen
from tests.edit.test_amend_laws import SEEDS, SOME, corrected_game
from tests.games import every_quick_title, log_of, read
from tests.scribe import Scribe
from tests.stories import EXAMPLES, KNOWN_SEED, opening
from tests.test_laws import fingerprint

SALT = b"a salt of sixteen bytes or more"
# Nobody's card, and no word of the format.
NAMES = ("Quirin", "Zoltán", "Xaver von Yttrium", "ДОРОФЕЙ", "wilhelmine", "李雷", "🎲🎩", 'O"Kelly\\')
SPOKEN = ("{0}'s slip", "said {0}, not {1}!", "{0}_{1}", "({0})", "{1}: “{0}”", "{0}", "x\n{0}\t{1}")


def text(rng: random.Random) -> str:
    """A text in which names hide."""
    return rng.choice(SPOKEN).format(*rng.sample(NAMES, 2))


def spoken(log: Log, seed: int) -> tuple[Log, Notes]:
    """The same game, as told by people with names, in places, at times, with notes on it."""
    rng = random.Random(seed)
    players = rng.sample(NAMES, len(log.header.seats))
    place = f"at {rng.choice(NAMES)}'s"
    header = structs.replace(seated(log, players).header, played="2026-05-01", place=place)
    lines: list[Line] = [header, *(_seen(line, rng) for line in log.lines[1:])]
    lines += _said(Log("<made>", log.title, header, log.sheet, lines), rng)
    start = datetime(2026, 5, 1, 20, tzinfo=timezone(timedelta(hours=rng.randint(-9, 9))))
    for n, line in enumerate(lines):
        who, when = rng.choice(NAMES), start + timedelta(minutes=n)
        lines[n] = structs.replace(line, n=n, by=who, at=when, cmd=f"{who}-{n}"[:60])
    told = _sealed(log_of(log.title, lines))
    return told, Notes.from_lines(_notes(told, rng))


def seated(log: Log, players: Sequence[str]) -> Log:
    """The same log with other players."""
    seats = zip(log.header.seats, players, strict=True)
    header = structs.replace(log.header, seats=tuple(structs.replace(seat, player=player) for seat, player in seats))
    return log_of(log.title, [header, *log.lines[1:]])


def _seen(line: Line, rng: random.Random) -> Line:
    if isinstance(line, EventLine) and line.moved and rng.random() < 0.2:
        seen = Seen(who=rng.choice(NAMES), why=text(rng))
        return structs.replace(line, moved=(*line.moved[1:], structs.replace(line.moved[0], seen=seen)))
    if isinstance(line, Amended):
        edits = tuple(
            structs.replace(edit, event=_seen_event(edit.event, rng)) if not isinstance(edit, Drop) else edit
            for edit in line.edits
        )
        return structs.replace(
            line, edits=edits, effects=tuple(_seen_event(e, rng) for e in line.effects), why=text(rng)
        )
    return structs.replace(line, why=text(rng)) if isinstance(line, Undone) else line


def _seen_event(event: Any, rng: random.Random) -> Any:
    """An event's effects, one of them and one of its facts as somebody says he saw it."""
    seen = Seen(who=rng.choice(NAMES), why=text(rng))
    moved, facts = (tuple(structs.replace(each, seen=seen) for each in some) for some in (event.moved, event.facts))
    return structs.replace(event, moved=moved, facts=facts)


def _said(log: Log, rng: random.Random) -> list[Line]:
    """Every kind of line in which somebody says something."""
    finding = next(iter(replay(log).findings), None)
    value = Printed("mine-1", "price", 3, "read", rng.choice(NAMES), "2026-05-01")
    last = len(log.lines)
    chained: dict[str, Any] = {"n": last, "by": "x", "prev": OPEN, "hash": OPEN}
    said: list[Line] = [
        Corrected(seat=1, player=rng.choice(NAMES), place=text(rng), played="2026-05-02", why=text(rng), **chained),
        ReadOff(value=value, **chained),
        Declared(results=(Result(seat=1, points=rng.randint(0, 3)),), **chained),
        Accepted(line=1, rule=text(rng)[:60], expected=text(rng), who=text(rng), why=text(rng), **chained),
        Withdrawn(line=last, why=text(rng), **chained),
        Undone(to=last - 1, why=text(rng), **chained),
    ]
    play = Play(log)
    acts = (Adjusted(who=rng.choice(NAMES), why=text(rng)), Abandoned(why=text(rng)))
    said += [play.propose(act, by="x", anyway=True).event for act in acts]
    if finding is not None:
        rule, expected = finding.rule, rng.choice((str(finding.expected), None))
        who, why = rng.choice(NAMES), text(rng)
        said.append(Accepted(line=finding.n, i=finding.i, rule=rule, expected=expected, who=who, why=why, **chained))
    rng.shuffle(said)
    return said


def _sealed(log: Log) -> Log:
    play = Play(log)
    play.seal(by=NAMES[0], signer=load_signer(make_pem(KNOWN_SEED)))
    return read(play.encode(), log.title)


def _notes(log: Log, rng: random.Random) -> list[NoteLine]:
    said: list[NoteLine] = []
    for nth in range(6):
        line = rng.choice(log.lines)
        n, hash_ = (str(line.n), line.hash) if rng.random() < 0.8 else ("999.1", "f" * 32)
        game = log.header.game if rng.random() < 0.9 else "game-elsewhere"
        what: dict[str, Any] = {"game": game, "on": n, "line": hash_, "text": text(rng), "hash": ""}
        what["tags"] = (f"{rng.choice(NAMES).replace(' ', '-')}-blunder"[:40],)
        if rng.random() < 0.8:
            what["mark"] = rng.choice(("!", "??"))
        note_id = f"note-{nth}"
        said.append(Noted(id=note_id, by=rng.choice(NAMES), at=line.at, **what))
        if rng.random() < 0.4:
            said.append(NoteEdited(id=note_id, version=2, by=rng.choice(NAMES), **what))
        if rng.random() < 0.2:
            said.append(NoteWithdrawn(id=note_id, version=3, by=rng.choice(NAMES), why=text(rng), hash=""))
    return [notes.read_line(notes.hashed_bytes(line), "notes", 1) for line in said]


def audit(findings: list[Finding]) -> list[Finding]:
    """Without what is said of a signature, which no copy has."""
    return [finding for finding in findings if finding.kind != "seal"]


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_a_copy_is_the_same_game_and_nobody_is_named_in_it(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    log, noted = spoken(corrected_game(title, seed), seed)
    rng = random.Random(seed)
    copy = anonymise_log(log, noted, salt=SALT)
    made = read(copy.log, title)
    assert made.complaint is None
    before, after = replay(log), replay(made)
    assert audit(after.findings) == audit(before.findings)
    assert after.ledger == before.ledger
    assert after.scores() == before.scores()
    assert after.players == [copy.people[player] for player in before.players]
    for index in {0, rng.randint(0, len(before.events)), len(before.events)}:
        assert fingerprint(after.state_at(index)) == fingerprint(before.state_at(index))
    assert [type(line) for line in made.lines] == [type(line) for line in log.lines]
    _nobody(copy)
    _no_time(made, log)
    sidecar = notes.read_sidecar(Stream(copy.notes))
    assert sidecar.complaint is None
    anchors = Counter(find_anchors(sidecar.notes, made).values())
    assert copy.kept_notes == len(sidecar.lines) == anchors.total()
    assert copy.kept_notes + copy.dropped_notes == 6
    with_texts = anonymise_log(log, noted, salt=SALT, keep_texts=True)
    sidecar = notes.read_sidecar(Stream(with_texts.notes))
    assert Counter(find_anchors(sidecar.notes, read(with_texts.log, title)).values()) == Counter(
        find_anchors(noted, log).values()
    )
    assert (copy.seals, copy.signatures) == (1, 1)
    counts[f"games copied: {title.key}"] += 1
    counts[f"lines copied: {title.key}"] += len(log.lines)


class Stream:
    def __init__(self, raw: bytes) -> None:
        self._lines = iter(raw.splitlines(keepends=True))

    def readline(self, _limit: int, /) -> bytes:
        return next(self._lines, b"")


def _nobody(copy: Copy) -> None:
    """No name in the bytes, not even as a part of something, however it is written there."""
    for raw in (copy.log + copy.notes).splitlines():
        # as it stands, and as it is read
        said = raw.decode().casefold() + repr(msgspec.json.decode(raw)).casefold()
        for name in (*NAMES, "Xaver", "Yttrium", "O'Kelly", "Kelly"):
            assert name.casefold() not in said
    assert b"game-0" not in copy.log
    assert b"2026-05" not in copy.log


def _no_time(made: Log, log: Log) -> None:
    assert {line.at for line in made.lines} == {None}
    assert all(line.cmd is None for line in made.lines)
    assert len(made.lines) == len(log.lines)


# --- the same person is the same word ------------------------------------------------------------


def copied(scribe: Scribe, **said: Any) -> Copy:
    return anonymise_log(scribe.log(), **{"salt": SALT, **said})


def test_one_salt_has_one_word_for_a_person_in_every_game() -> None:
    one, other = copied(opening()), copied(Scribe("game-another", seats=4))
    assert one.people["Anna"] == other.people["Anna"] != one.people["Bob"]
    assert one.game != other.game
    assert copied(opening()) == one


def test_texts_are_left_out_unless_they_are_asked_for() -> None:
    scribe = opening().undo(0, "Anna called")
    assert b"called" not in copied(scribe).log
    kept = copied(scribe, keep_texts=True)
    assert b"Anna called" in kept.log
    assert kept.remaining_names == ("Anna",)


def test_another_salt_has_other_words() -> None:
    one, other = copied(opening()), copied(opening(), salt=SALT[::-1])
    assert not set(one.people.values()) & set(other.people.values())
    assert one.game != other.game


def test_a_salt_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(SpyriumLogError, match="expected a salt of at least 16 bytes, found 6"):
        copied(opening(), salt=b"sodium")


def test_nobody_is_still_nobody() -> None:
    assert _Anonymiser(opening().log(), SALT, str, keep_texts=False).make_person("") == ""


# --- what is said of it --------------------------------------------------------------------------


def test_the_copy_says_what_became_of_seals_and_signatures_and_notes() -> None:
    scribe = opening().seal(load_signer(make_pem(KNOWN_SEED))).seal()
    said = copied(scribe).sentences()
    assert said == [
        "the chain is new: no hash, note or checkpoint of the original fits the copy",
        "seals made anew over the new lines, unsigned: 2",
        "signatures left out, only the owner of the key can sign the copy: 1",
    ]
    made = read(copied(scribe).log)
    assert [seal.standing for seal in replay(made).seals] == ["unsigned", "unsigned"]
    assert all(line.signed is None for line in made.lines if isinstance(line, Sealed))


def test_a_name_that_is_a_word_of_the_game_stays_where_the_game_says_it() -> None:
    copy = anonymise_log(seated(opening().log(), ("Crane", "Money", "Mo")), salt=SALT)
    assert copy.remaining_names == ("Crane", "Money")
    assert copy.sentences()[-1].endswith("words of the game: 'Crane', 'Money'")
    assert replay(read(copy.log)).players == [copy.people[name] for name in ("Crane", "Money", "Mo")]


def test_no_time_or_day_is_kept() -> None:
    log = opening().log()
    header = structs.replace(log.header, at=datetime(9999, 12, 31, tzinfo=UTC), played="2026-05-01")
    made = read(anonymise_log(log_of(log.title, [header]), salt=SALT).log)
    assert (made.header.at, made.header.played) == (None, None)


def test_whose_sheet_it_was_is_nobodys_business() -> None:
    log = opening().log()
    own = log.sheet.with_readings(Printed("mine-1", "price", 4, "read", "Quirin", "2026-05-01"), name="Quirin's own")
    raw = msgspec.Raw(msgspec.json.encode(own))
    header = structs.replace(log.header, sheet=raw, sheet_digest=own.digest())
    copy = anonymise_log(log_of(log.title, [header]), salt=SALT)
    _nobody(copy)
    row = read(copy.log).sheet.rows_by_key()["mine-1", "price"]
    assert (row.value, row.source, row.by) == (4, "read", copy.people["Quirin"])


def test_a_damaged_log_is_not_copied() -> None:
    with pytest.raises(LogError):
        anonymise_log(read((EXAMPLES / "flipped-bit.jsonl").read_bytes()), salt=SALT)


def test_a_variation_stays_where_it_is_notation() -> None:
    log = opening().play("p12").log()
    for line, kept in (("p45", ("p45",)), ("as Quirin would", ())):
        what: dict[str, Any] = {"game": log.header.game, "on": "2", "line": log.lines[2].hash, "hash": ""}
        note = Noted(id="note-1", by="Quirin", mark="?", variation=(line,), **what)
        copy = anonymise_log(log, Notes.from_lines([note]), salt=SALT)
        (made,) = notes.read_sidecar(Stream(copy.notes)).lines
        assert isinstance(made, Noted)
        assert made.variation == kept


@pytest.mark.parametrize(
    ("text", "remains"),
    [
        ("Ann bought it", True),
        ("ask_ANN's", True),
        ("an annual plan", False),
        ("Sue and Mary", False),
        ("Mary, Sue SMITH", True),
        ("🎲 rolls", True),
        ("", False),
    ],
)
def test_a_name_that_remains_is_told(text: str, *, remains: bool) -> None:
    log = seated(opening().log(), ("Ann", "Mary Sue Smith", "🎲"))
    undone = Undone(n=1, to=0, by="Ann", why=text or None, prev=OPEN, hash=OPEN)
    copy = anonymise_log(log_of(log.title, [log.header, undone]), salt=SALT, keep_texts=True)
    assert bool(copy.remaining_names) == remains


def test_many_names_cost_no_more_than_their_words() -> None:
    """A hostile log names a hundred thousand people."""
    text = msgspec.json.encode(" ".join(f"Ann{n}" for n in range(2_000)))
    assert len(_find_remaining([f"Ann{n}" for n in range(100_000)], [text])) == 2_000
