"""Logs of so many lines of one kind, and how much work a command does on them: lines of Python, and never seconds."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, cycle
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self

from click.testing import CliRunner
from msgspec import structs

from spyrium_cli.main import cli
from spyrium_log.log import chain, codec, notes
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    Corrected,
    Decided,
    Declared,
    EventBody,
    EventLine,
    InsertAfter,
    Line,
    ReadOff,
    Rederived,
    Replace,
    Result,
    Sealed,
    Stated,
    Undone,
    Withdrawn,
)
from spyrium_log.log.notes import Noted
from spyrium_log.sheet import Printed
from spyrium_log.store import read_bytes
from spyrium_log.title import Adjusted, Counted, Holding, Paused, Posting
from tests.build import UNCHAINED
from tests.stories import EXAMPLES

BASE = "whole-game-2-players"
# As many lines of the game as the others come after.
BEGUN = 60
# What makes a line, told its number.
Maker = Callable[[int, Log], Line]


class Subject(NamedTuple):
    """A log of one kind of line, and the notes on it."""

    log: bytes
    notes: bytes = b""


def base(lines: int = BEGUN) -> Log:
    whole = read_bytes((EXAMPLES / f"{BASE}.jsonl").read_bytes(), BASE)
    return read_bytes(b"".join(map(codec.encode, whole.lines[:lines])), BASE)


def subject(kind: str, lines: int) -> Subject:
    """The first lines of a game, and then lines of one kind up to so many."""
    log = base()
    if kind == "note":
        return Subject(b"".join(map(codec.encode, log.lines)), b"".join(_notes(log, lines)))
    make = KINDS[kind]
    raws = [codec.encode(line) for line in log.lines]
    last = log.lines[-1].hash
    digest = log.last_digest
    for n in range(len(raws), lines):
        line = make(n, log)
        if isinstance(line, Sealed):
            line = structs.replace(line, count=n, final=digest)
        raw = codec.hashed_bytes(structs.replace(line, prev=last, hash=""))
        digest = chain.line_digest(raw)
        last = digest[:32]
        raws.append(raw)
    return Subject(b"".join(raws))


def _notes(log: Log, lines: int) -> Iterator[bytes]:
    on = log.lines[1:]
    rng = random.Random(1)
    ids = rng.sample(range(10 * lines), lines)
    for id_, line in zip(ids, cycle(on), strict=False):
        note = Noted(
            id=f"note-{id_:08}", by="ann", game=log.header.game, on=str(line.n), line=line.hash, text="why?", hash=""
        )
        yield notes.hashed_bytes(note)


# --- a line of each kind -------------------------------------------------------------------------


def _undo(n: int, _log: Log) -> Line:
    return Undone(n=n, to=BEGUN // 2 + n % (BEGUN // 2), **UNCHAINED)


def _redo(n: int, _log: Log) -> Line:
    """To the beginning, and back to where all stood."""
    return Undone(n=n, to=5 if n % 2 else n - 2 if n > BEGUN + 2 else BEGUN - 1, **UNCHAINED)


def _event(log: Log, n: int) -> EventLine[Any, Any, Any]:
    line = log.lines[1 + n % (BEGUN - 1)]
    assert isinstance(line, EventLine)
    return line


def _amendment(n: int, log: Log) -> Line:
    event = _event(log, n)
    told = EventBody(do=event.do, moved=event.moved, facts=event.facts)
    return Amended(n=n, mode="misplayed", edits=(Replace(at=str(event.n), event=told),), why="so", **UNCHAINED)


def _derivation(n: int, log: Log) -> Line:
    event = _event(log, n)
    told = EventBody(do=event.do, moved=event.moved, facts=event.facts)
    effects = tuple(
        Rederived(at=str(each.n), moved=each.moved, facts=each.facts)
        for each in (_event(log, n + 1), _event(log, n + 2))
    )
    edits = (Replace(at=str(event.n), event=told),)
    return Amended(n=n, mode="misrecorded", edits=edits, effects=effects, why="so", **UNCHAINED)


def _insertion(n: int, log: Log) -> Line:
    edits: tuple[InsertAfter[Any, Any, Any], ...] = (
        InsertAfter(at=str(_event(log, n).n), event=EventBody(do=Paused())),
    )
    return Amended(n=n, mode="misplayed", edits=edits, why="so", **UNCHAINED)


def _pause(n: int, _log: Log) -> Line:
    return Stated(n=n, do=Paused(), **UNCHAINED)


def _count(n: int, log: Log) -> Line:
    held = tuple(Holding(seat, what, n % 90) for seat in (1, 2) for what in ("money", "points"))
    del log
    return Stated(n=n, do=Counted(held=held), **UNCHAINED)


def _adjustment(n: int, _log: Log) -> Line:
    moved = (Posting(1 + n % 2, "points", 1 if n % 4 < 2 else -1, "adjusted"),)
    return Stated(n=n, do=Adjusted(who="all", why="so"), moved=moved, **UNCHAINED)


def _decision(n: int, log: Log) -> Line:
    """The moves of the beginning again: most of them break a rule by then."""
    choices = [line for line in log.lines if isinstance(line, Decided)]
    return structs.replace(choices[n % len(choices)], n=n)


def _reading(n: int, log: Log) -> Line:
    row = log.sheet.printed[n % 40]
    return ReadOff(n=n, value=Printed(row.of, row.what, row.value, "read", "ann"), **UNCHAINED)


def _correction(n: int, _log: Log) -> Line:
    return Corrected(n=n, seat=1 + n % 2, player=f"Player {n}", why="so", **UNCHAINED)


def _first(n: int, _log: Log) -> Line:
    return Corrected(n=n, first=1 + n % 2, why="so", **UNCHAINED)


def _declared(n: int, _log: Log) -> Line:
    return Declared(n=n, results=(Result(seat=1, points=n % 90), Result(seat=2, points=40)), **UNCHAINED)


def _accepted(n: int, _log: Log) -> Line:
    return Accepted(n=n, line=1 + n % BEGUN, rule="turn.order", who="all", why="so", **UNCHAINED)


def _withdrawal(n: int, log: Log) -> Line:
    """Every second line takes back the one before."""
    return _correction(n, log) if n % 2 else Withdrawn(n=n, line=n - 1, why="so", **UNCHAINED)


def _seal(n: int, _log: Log) -> Line:
    return Sealed(n=n, count=0, final="0" * 64, **UNCHAINED)


KINDS: Mapping[str, Maker] = {
    "undo": _undo,
    "redo": _redo,
    "amendment": _amendment,
    "derivation": _derivation,
    "insertion": _insertion,
    "pause": _pause,
    "count": _count,
    "adjustment": _adjustment,
    "decision": _decision,
    "reading": _reading,
    "correction": _correction,
    "first": _first,
    "declared": _declared,
    "accepted": _accepted,
    "withdrawal": _withdrawal,
    "seal": _seal,
}
ALL_KINDS = (*KINDS, "note")

# --- what is done with it ------------------------------------------------------------------------

OUT = "{folder}/out"
COMMANDS: Mapping[str, Sequence[str]] = {
    "log": ("show", "--log", "{log}", "--format", "jsonl"),
    "show": ("show", "{log}"),
    "show --after": ("show", "{log}", "--after", "40"),
    "replay": ("replay", "{log}", "--plain"),
    "replay jsonl": ("replay", "{log}", "--format", "jsonl"),
    "validate": ("validate", "{log}"),
    "validate jsonl": ("validate", "{log}", "--format", "jsonl"),
    "compare": ("compare", "{log}", "{other}"),
    "locate": ("fix", "locate", "{log}"),
    "annotate": ("annotate", "{log}"),
    "annotate one": ("annotate", "{log}", "12", "hm"),
    "whatif": ("whatif", "{log}", "--option", "tie=shared"),
    "checkpoint": ("seal", "--checkpoint", "{log}"),
    "games": ("games",),
    "salvage": ("fix", "salvage", "{log}"),
    "import": ("import", "{other}"),
    "import notation": ("import", "{notation}"),
    "export jsonl": ("export", "{log}", "--format", "jsonl"),
    "export txt": ("export", "{log}", "--format", "txt"),
    "export json": ("export", "{log}", "--format", "json"),
    "export csv": ("export", "{log}", "--format", "csv"),
    "export html": ("export", "{log}", "--format", "html"),
    "export pack": ("export", "{log}", "--to", "{folder}/out.jsonl"),
    "export scores": ("export", "{log}", "--format", "scores"),
    "undo": ("undo", "{log}"),
    "play": ("play", "{log}", "pause"),
    "count": ("fix", "count", "{log}", "anna £1"),
    "amend": ("fix", "amend", "{log}", "12", "--drop", "--misplayed", "--why", "so", "--yes"),
    "accept": ("fix", "accept", "{log}", "12", "--who", "all", "--why", "so"),
    "correct": ("fix", "header", "{log}", "--place", "Home", "--why", "so"),
    "reading": ("fix", "reading", "{log}", "mine-1", "price", "4"),
    "declare": ("fix", "declare", "{log}", "1 63, 2 58"),
    "adjust": ("fix", "adjust", "{log}", "1 +2 points", "--who", "all", "--why", "so"),
    "withdraw": ("fix", "withdraw", "{log}", "{last}", "--why", "so"),
    "seal": ("seal", "{log}"),
    "index": ("index", "--processes", "1"),
}


class Counting:
    """Counts the lines of Python that are executed, comprehensions one an element."""

    def __init__(self, *, calls: bool = False) -> None:
        self.count = 0
        self._calls = calls

    def __enter__(self) -> Self:
        # Whoever measures which lines the tests reach goes on afterwards.
        self._before = sys.getprofile(), sys.gettrace()
        if self._calls:
            sys.setprofile(self._profile)
        else:
            sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        profile, trace = self._before
        sys.setprofile(profile)
        sys.settrace(trace)

    def _profile(self, _frame: FrameType, _event: str, _arg: object) -> None:
        self.count += 1

    def _trace(self, frame: FrameType, _event: str, _arg: object) -> Any:
        frame.f_trace = self._line
        return self._line

    def _line(self, _frame: FrameType, _event: str, _arg: object) -> Any:
        self.count += 1
        return self._line


class Work(NamedTuple):
    """What a command did: how much, how it ended, the first line of what it complained of."""

    done: int
    code: int
    said: str


def work(command: str, kind: str, lines: int, folder: Path, *, counter: Counting | None = None) -> Work:
    """One command on a log of so many lines of one kind, in a folder of its own."""
    folder.mkdir(parents=True)
    made = subject(kind, lines)
    log = folder / "archive" / "game-0042.jsonl"
    log.parent.mkdir()
    log.write_bytes(made.log)
    if made.notes:
        log.with_name("game-0042.notes.jsonl").write_bytes(made.notes)
    places = {"log": str(log), "folder": str(folder), "other": str(folder / "other.jsonl"), "last": str(lines - 1)}
    Path(places["other"]).write_bytes(made.log)
    environment = {"HOME": str(folder), "SPYRIUM_BY": "ann", "SPYRIUM_ARCHIVE": str(log.parent)}
    runner = CliRunner(env=environment)
    if command == "import notation":
        places["notation"] = str(folder / "game.txt")
        runner.invoke(cli, ["export", str(log), "--to", places["notation"]])
    if command.startswith("import"):
        log.unlink()
    words = [word.format(**places) for word in COMMANDS[command]]
    with counter or Counting() as counting:
        done = runner.invoke(cli, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Work(counting.count, done.exit_code, done.stderr.partition("\n")[0])


_RUNS = count()


def ratio(command: str, kind: str, few: int, many: int, folder: Path, *, calls: bool = False) -> tuple[Work, Work]:
    """The same command on few lines and on many."""
    # once before, so that what is loaded or made once is not counted
    work(command, kind, BEGUN + 5, folder / f"warm-{next(_RUNS)}")
    small, large = (
        work(command, kind, lines, folder / f"run-{next(_RUNS)}", counter=Counting(calls=calls))
        for lines in (few, many)
    )
    return small, large
