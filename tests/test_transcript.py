"""Log to text to log: the same events, whatever the log holds. `python -m tests.test_transcript 5000` tries so many."""

from __future__ import annotations

import dataclasses
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect, structs

from spyrium_log.errors import LogError, NotationError
from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import AnyHeader, Drop, EventLine, Line, Undone
from spyrium_log.play import OPEN
from spyrium_log.replay import replay
from spyrium_log.store import read_bytes
from spyrium_log.title import AnyTitle
from spyrium_log.transcript import read_move, read_transcript, transcribe
from spyrium_log.transcript.acts import write_act
from spyrium_log.transcript.statements import make_grammar
from tests.anything import class_of, info, value_of
from tests.edit.test_amend_laws import corrected_game, known
from tests.games import ALL_TITLES, QUICK_TITLES, every_quick_title, game, log_of, moves, raw_of, start
from tests.test_laws import any_events, fingerprint

EXAMPLES = Path(__file__).parents[1] / "examples" / "spyrium"
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
SOME = settings(SLOW, max_examples=25)
SEEDS = st.integers(0, 9_999)

# Names that look like something else, that two players share, or that no terminal should see.
HOSTILE = (
    "x",
    "p12",
    "Anna",
    "anna",
    "Anna Maria",
    "Al:ex",
    "3",
    "@2",
    "count",
    "a#b|c",
    'He said "no"',
    "[by]",
    "²",
    "٣",
    "",
    "\x00\x1b[2J",
    "back\\slash",
    "new\nline",
    "\u2028",
    "🦆",
    "£12",
    "s3",
    "Ł",
    "O'Brien",
)


def same(one: Log, other: Log) -> None:
    """Nothing that somebody could ask of the two logs is answered otherwise."""
    assert len(one.lines) == len(other.lines)
    assert known(_events(one)) == known(_events(other))
    before, after = replay(one), replay(other)
    assert known(before.events) == known(after.events)
    # the exact text alone keeps a signature, and what is found against it
    assert [finding for finding in before.findings if finding.rule != "seal.signature"] == after.findings
    assert before.players == after.players
    assert fingerprint(before.state_at(len(before.events))) == fingerprint(after.state_at(len(after.events)))


def _events(log: Log) -> list[Any]:
    return [line for line in log.lines if isinstance(line, EventLine)]


def there_and_back(log: Log, counts: Counter[str]) -> None:
    text = [*transcribe(log)]
    same(log, read_transcript(text, ALL_TITLES))
    exact = [*transcribe(log, exact=True)]
    assert raw_of(read_transcript(exact, ALL_TITLES)) == raw_of(log)
    commented = [f"{line}  # {number}: a comment" for number, line in enumerate(text)]
    assert [*transcribe(read_transcript(commented, ALL_TITLES))] == text
    assert all(line.isprintable() for line in (*text, *exact))
    counts[f"lines written and read back: {log.title.key}"] += len(log.lines)


# --- any log -------------------------------------------------------------------------------------


def any_log(title: AnyTitle, seed: int) -> Log:
    """Any header, any lines: events and asides of any content, corrections, undo."""
    rng = random.Random(seed)
    header = any_header(title, rng)
    lines: list[Line] = [header]
    for _ in range(rng.randint(1, 12)):
        n = len(lines)
        chance = rng.random()
        if chance < 0.15:
            line: Any = Undone(n=n, by="x", to=rng.randrange(n), prev=OPEN, hash=OPEN)
        elif chance < 0.45:
            line = any_aside(title, rng)
        else:
            line = any_events(title, rng.randrange(2**32), 1)[0]
        by = rng.choice(("x", "x", rng.choice(HOSTILE)))
        cmd = rng.choice((None, rng.choice(HOSTILE)))
        lines.append(structs.replace(line, n=n, by=by, cmd=cmd))
    return log_of(title, lines)


def any_header(title: AnyTitle, rng: random.Random) -> AnyHeader:
    header = start(title, rng.randrange(100)).log.header
    names = rng.sample(HOSTILE, len(header.seats))
    seats = tuple(
        structs.replace(
            seat,
            player=rng.choice((seat.player, name)),
            colour=rng.choice((seat.colour, rng.choice(HOSTILE))),
            start=rng.choice((seat.start, seat.start, tuple(reversed(seat.start)), ())),
        )
        for seat, name in zip(header.seats, names, strict=True)
    )
    said = {"played": None, "place": None, "edition": None, "by": rng.choice(HOSTILE), "cmd": rng.choice((None, "x"))}
    if rng.random() < 0.5:
        said |= {name: rng.choice(HOSTILE) for name in ("played", "place", "edition", "rules")}
    options = value_of(info(title.options), rng)
    return structs.replace(header, seats=seats, options=options, source=rng.choice(("table", "service")), **said)


def any_aside(title: AnyTitle, rng: random.Random) -> Any:
    """A line off the timeline, or an amendment, of any content; a reading only of what is no price."""
    union = info(line_type(title))
    assert isinstance(union, inspect.UnionType)
    kinds = [kind for kind in union.types if isinstance(kind, inspect.StructType)]
    wanted = ("correction", "declared", "accepted", "withdrawn", "amendment", "reading")
    kind = rng.choice([kind for kind in kinds if kind.tag in wanted])
    said = {field.name: value_of(field.type, rng) for field in kind.fields if field.name in _SAID[str(kind.tag)]}
    for name in ("why", "who", "player", "colour", "played", "place", "expected", "rule"):
        if isinstance(said.get(name), str):
            said[name] = rng.choice(HOSTILE)
    if kind.tag == "amendment":
        said["edits"] = tuple(_named(edit, rng) for edit in said["edits"]) or (_DROP,)
        said["effects"] = tuple(_named(effect, rng) for effect in said["effects"])
    if kind.tag == "reading":
        value = said["value"]
        said["value"] = structs.replace(value, of=rng.choice(HOSTILE), what="colour", at=rng.choice(HOSTILE))
    return class_of(kind)(n=0, by="x", prev=OPEN, hash=OPEN, **said)


_DROP = Drop(at="1")
_SAID = {
    "correction": ("seat", "player", "colour", "first", "played", "place", "why"),
    "declared": ("results",),
    "accepted": ("line", "i", "rule", "expected", "who", "why"),
    "withdrawn": ("line", "why"),
    "amendment": ("mode", "edits", "effects", "why"),
    "reading": ("value",),
}


def _named(edit: Any, rng: random.Random) -> Any:
    """An edit of some event, which may stand or not."""
    return structs.replace(edit, at=rng.choice(("0", "1", "2", "3", "3.1", "7", "99.2")))


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_any_log_comes_back(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    there_and_back(any_log(title, seed), counts)


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_a_corrected_game_comes_back(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    there_and_back(corrected_game(title, seed), counts)


@every_quick_title
def test_whole_games_come_back(title: AnyTitle, counts: Counter[str]) -> None:
    for seed in range(3):
        there_and_back(game(title.key, seed), counts)


@every_quick_title
def test_each_sheet_that_ships_is_written_by_its_digest(title: AnyTitle) -> None:
    for name in title.sheets:
        header = msgspec.structs.replace(
            start(title, 1).log.header,
            sheet=codec.sheet_bytes(title.sheet(name)),
            sheet_digest=title.sheet(name).digest(),
        )
        text = [*transcribe(log_of(title, [header]))]
        assert f"[sheet {title.sheet(name).digest()}]" in text
        assert read_transcript(text, ALL_TITLES).sheet == title.sheet(name)


def examples() -> list[Path]:
    return sorted(EXAMPLES.glob("*.jsonl"))


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_every_example_comes_back(path: Path, counts: Counter[str]) -> None:
    """As far as it can be read."""
    raw = path.read_bytes()
    try:
        log = read_bytes(raw, path.name)
    except LogError:
        counts["examples that cannot be read"] += 1
        return
    there_and_back(dataclasses.replace(log, complaint=None, damage=None), counts)
    back = raw_of(read_transcript(transcribe(log, exact=True), ALL_TITLES))
    assert back == raw[: log.good_bytes] if log.complaint else back == raw


def test_nearly_every_example_can_be_read() -> None:
    assert len(examples()) > 40


# --- every legal move ----------------------------------------------------------------------------


@every_quick_title
@settings(SLOW, max_examples=6)
@given(seed=SEEDS)
def test_every_legal_move_is_written_and_read(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    play = start(title, seed)
    for _ in moves(play, seed, most=60):
        texts = [write_act(act, make_grammar(play, play.state)) for act in title.legal(play.state)]
        assert len(set(texts)) == len(texts)
        assert [read_move(play, text) for text in texts] == list(title.legal(play.state))
        counts[f"legal moves written and read back: {title.key}"] += len(texts)


# --- text from anywhere --------------------------------------------------------------------------

JUNK = (
    *'[]|=#"\\;:,@.>()!*/-+£',
    "\x00",
    "\t",
    "\ud800",
    "²",
    "٣",
    "9" * 5000,
    "undo ",
    "amend ",
    "effects ",
    "seal",
    "none",
    '"why"',
    "5.1",
    "|=",
    " @2 ",
    "position ",
    "count ",
)


def spoilt(text: str, rng: random.Random) -> str:
    """A line with something wrong, most of the time."""
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    junk: str = rng.choice((*JUNK, ""))
    return text[:at] + junk + text[rng.choice((at, end)) :]


def points(error: NotationError, lines: list[str]) -> None:
    """Whether a refusal can be shown to a person, and points at a place that there is."""
    assert 0 < error.line <= len(lines)
    assert 0 < error.column <= len(lines[error.line - 1]) + 1
    assert str(error).isprintable()


def spoil(log: Log, rng: random.Random, counts: Counter[str]) -> None:
    text = [*transcribe(log, exact=rng.random() < 0.5)]
    for _ in range(10):
        lines = list(text)
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.randrange(len(lines))
            lines[at] = spoilt(rng.choice((lines[at], rng.choice(lines))), rng)
        try:
            back = read_transcript(lines, ALL_TITLES, "fuzz")
        except NotationError as error:
            points(error, lines)
            counts["spoilt texts refused"] += 1
        else:
            assert raw_of(read_transcript(transcribe(back, exact=True), ALL_TITLES)) == raw_of(back)
            counts["spoilt texts read"] += 1


@every_quick_title
@SOME
@given(seed=SEEDS)
def test_spoilt_text_is_read_or_refused(title: AnyTitle, counts: Counter[str], seed: int) -> None:
    rng = random.Random(seed)
    spoil(any_log(title, seed) if rng.random() < 0.5 else corrected_game(title, seed, most=12), rng, counts)


# --- the long run --------------------------------------------------------------------------------


def main(games: int) -> int:
    counts: Counter[str] = Counter()
    for seed in range(games):
        for title in QUICK_TITLES.values():
            rng = random.Random(seed)
            there_and_back(any_log(title, seed), counts)
            there_and_back(corrected_game(title, seed), counts)
            spoil(any_log(title, seed), rng, counts)
            spoil(corrected_game(title, seed, most=12), rng, counts)
    for what, n in sorted(counts.items()):
        print(f"{n:>11,}  {what}")
    return 0 if counts else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
