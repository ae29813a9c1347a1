"""Files that were made to take all memory and all time, and what a command takes of both.

`python -m tests.cli.bombs N [KIND [PYTHON]]` prints the table of N kinds; PYTHON is that of another installation.

Each bomb runs in a process of its own, whose address space ends at GIVE_UP bytes. A bound counts what whoever made the
file chooses: lines, entries of lists, names, frames, levels; so there is a bomb for each.
"""

from __future__ import annotations

import base64
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain as in_a_row
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from spyrium_log.log import chain, codec, notes
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    AnyEdit,
    Corrected,
    Decided,
    Declared,
    EventBody,
    InsertAfter,
    Line,
    ReadOff,
    Replace,
    Result,
    Stated,
    Undone,
)
from spyrium_log.log.notes import Noted
from spyrium_log.log.pack import Game, pack_games
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.store.zstd import compress
from spyrium_log.title import Adjusted, Counted, Holding, Paused, Posting
from spyrium_log.titles.spyrium.moves import ActivateCard, PlaceWorker
from tests.build import UNCHAINED, header
from tests.cli.work import base

MOST_MEMORY = 400 << 20
MOST_SECONDS = 10.0
# What a run may take before it is ended: it is over every bound by then.
GIVE_UP = 6 << 30
GIVE_UP_SECONDS = 60
MEGABYTE = 1 << 20

Parts = Iterable[bytes]


class Bomb(NamedTuple):
    """A file, by its name, and the commands that read it."""

    name: str
    parts: Callable[[], Parts]
    readers: Sequence[str]
    beside: Mapping[str, Callable[[], Parts]] = {}


LOG = ("import", "validate", "index", "salvage", "show", "log", "games")
SHORT = ("import", "validate", "index", "salvage")
PACK = ("import", "validate", "index", "games")
DETAIL = ("import", "validate", "index", "salvage", "log", "replay", "txt", "json", "locate")

COMMANDS: Mapping[str, Sequence[str]] = {
    "import": ("import", "{file}"),
    "dry": ("import", "{file}", "--dry-run"),
    "validate": ("validate", "{file}", "--format", "jsonl"),
    "index": ("index", "--processes", "1"),
    "index 2": ("index", "--processes", "2"),
    "salvage": ("fix", "salvage", "{file}"),
    "show": ("show", "{file}"),
    "log": ("show", "--log", "{file}", "--format", "jsonl"),
    "games": ("games",),
    "replay": ("replay", "{file}", "--format", "jsonl"),
    "locate": ("fix", "locate", "{file}"),
    "annotate": ("annotate", "{file}"),
    "txt": ("export", "{file}", "--format", "txt"),
    "json": ("export", "{file}", "--format", "json"),
    "compare": ("compare", "{file}", "{file}"),
    "sheet": ("sheet", "import", "{file}", "--dry-run"),
    "config": ("paths",),
    "checkpoint": ("seal", "{example}", "--check", "{file}"),
}

# --- logs ----------------------------------------------------------------------------------------


def log_of(lines: Iterable[Line], *, most: int = 1 << 26, first: Line | None = None) -> Iterator[bytes]:
    """Lines after a header, chained, up to so many bytes."""
    size = 0
    prev = chain.GENESIS
    for line in in_a_row((first or header(),), lines):
        raw = codec.hashed_bytes(structs.replace(line, prev=prev, hash=""))
        size += len(raw)
        if size > most:
            return
        prev = raw[-35:-3].decode()
        yield raw


def begun() -> bytes:
    return next(iter(log_of(())))


def padded(byte: bytes, size: int) -> Iterator[bytes]:
    """A header, and so many bytes."""
    yield begun()
    yield from repeat(byte * MEGABYTE, size)


def zst(parts: Parts) -> Iterator[bytes]:
    return compress(parts, 3)


def numbered(make: Callable[[int], Line], most: int = codec.MAX_LOG) -> Callable[[], Parts]:
    """As much of it as a log may have."""
    return lambda: log_of(map(make, range(1, codec.MAX_LINES)), most=most)


def beyond(make: Callable[[int], Line]) -> Callable[[], Parts]:
    """Much more than a log may have."""
    return lambda: log_of(map(make, range(1, 300_000)), most=1 << 26)


def undone(n: int) -> Line:
    return Undone(n=n, to=n // 2, **UNCHAINED)


def placed(n: int) -> Line:
    return Decided(n=n, do=PlaceWorker(seat=1, gap=12), **UNCHAINED)


def built(n: int) -> Line:
    """A building a line: what lies before a player grows without end."""
    card = ("mine-1", "residence-1", "factory-1", "workshop-1")[n % 4]
    return Decided(n=n, do=ActivateCard(seat=1, gap=12, space=1, named=card), **UNCHAINED)


def learnt(n: int) -> Line:
    return Decided(n=n, do=ActivateCard(seat=1 + n % 2, gap=12, space=1, named="taylorism"), **UNCHAINED)


def posted(n: int) -> Line:
    """A line of a megabyte of amounts, each of its own."""
    moved = tuple(Posting(1 + i % 9, "points", i % 99_999, "gain") for i in range(24_000))
    return Decided(n=n, do=PlaceWorker(seat=1, gap=12), moved=moved, **UNCHAINED)


def nothing_posted(n: int) -> Line:
    whats, whys = ("money", "points", "spyrium", "workers"), ("gain", "price", "crowd", "bonus", "event", "start")
    moved = tuple(Posting(1 + i % 9, whats[i % 4], 0, whys[i % 6]) for i in range(24_000))
    return Decided(n=n, do=PlaceWorker(seat=1, gap=12), moved=moved, **UNCHAINED)


def posted_little(n: int) -> Line:
    moved = tuple(Posting(1 + i % 5, "points", 1 + i, "gain") for i in range(90))
    return Decided(n=n, do=PlaceWorker(seat=1, gap=12), moved=moved, **UNCHAINED)


def counted(n: int) -> Line:
    held = tuple(Holding(1 + i % 9, ("money", "points")[i % 2], i) for i in range(64))
    return Stated(n=n, do=Counted(held=held), **UNCHAINED)


def inserted(n: int) -> Line:
    edits: tuple[AnyEdit, ...] = tuple(InsertAfter(at="0", event=EventBody(do=Paused())) for _ in range(100))
    return Amended(n=n, mode="misplayed", edits=edits, why="", **UNCHAINED)


def replaced(n: int) -> Line:
    if n == 1:
        return placed(1)
    edits: tuple[AnyEdit, ...] = tuple(Replace(at="1", event=EventBody(do=Paused())) for _ in range(100))
    return Amended(n=n, mode="misplayed", edits=edits, why="", **UNCHAINED)


def inserted_and_placed(n: int) -> Line:
    """An amendment and an event in turn: each table is another one from its first event on."""
    if n % 2 or n == 1:
        return placed(n)
    edits: tuple[AnyEdit, ...] = (InsertAfter(at="0", event=EventBody(do=Paused())),)
    return Amended(n=n, mode="misplayed", edits=edits, why="", **UNCHAINED)


def read_off(n: int) -> Line:
    return ReadOff(n=n, value=Printed(f"card-{n}", "price", 3, "read", "ann"), **UNCHAINED)


def corrected(n: int) -> Line:
    return Corrected(n=n, first=1 + n % 2, why="", **UNCHAINED) if n % 2 else placed(n)


def accepted(n: int) -> Line:
    if n % 2:
        return placed(n)
    return Accepted(n=n, line=n, rule=f"rule-{n}", expected="a", who="", why="", **UNCHAINED)


def declared(n: int) -> Line:
    return Declared(n=n, results=tuple(Result(seat=seat, points=n % 100) for seat in range(1, 10)), **UNCHAINED)


def adjusted(n: int) -> Line:
    moved = tuple(Posting(1 + i % 2, "points", i + 1, "adjusted") for i in range(100))
    return Stated(n=n, do=Adjusted(who="", why=""), moved=moved, **UNCHAINED)


def paused(n: int) -> Line:
    return Stated(n=n, do=Paused(), **UNCHAINED)


def deep() -> Parts:
    return [begun(), b'{"kind":"decision","n":1,"do":', b"[" * 1_000_000, b"]" * 1000, b"}\n"]


def long_number() -> Parts:
    return [begun(), b'{"kind":"decision","n":', b"9" * 1_000_000, b"}\n"]


def header_with(field: bytes, value: bytes) -> Parts:
    raw = begun()
    at = raw.index(field) + len(field)
    return [raw[:at], value, raw[at:]]


def many_seats() -> Parts:
    seat = b'{"player":"a","colour":"blue","start":[]},'
    return header_with(b'"seats":[', seat * 24_000)


def many_options() -> Parts:
    return header_with(b'"options":{', b",".join(b'"o%d":1' % n for n in range(90_000)) + b',"z":1')


# --- packs ---------------------------------------------------------------------------------------


def tiny_games(most: int) -> Iterator[Game]:
    for n in range(most):
        yield Game(b"".join(log_of((), first=header(f"game-{n:08}"))))


def same_game(most: int) -> Iterator[Game]:
    return repeat(Game(b"".join(log_of((), first=header("game-0001")))), most)


def large_sheet(n: int) -> Sheet:
    pad = "x" * 30
    printed = tuple(Printed(f"c{n}-{i}-{pad}", f"w{pad}", 3, "read", "b" * 70, "a" * 30) for i in range(2000))
    return Sheet(name=f"sheet {n}", printed=printed)


def games_with_sheets(most: int) -> Iterator[Game]:
    for n in range(most):
        yield Game(b"".join(log_of((), first=header(f"game-{n:08}", sheet=large_sheet(n)))))


def large_games(most: int) -> Iterator[Game]:
    """As large as a game may be, of lines that compress well."""
    for n in range(most):
        yield Game(b"".join(log_of(map(posted_little, range(1, 20_000)), most=8_000_000, first=header(f"game-{n:06}"))))


def many_large_lines() -> Parts:
    line = b'{"kind":"decision","pad":"%s"}\n' % (b"x" * (MEGABYTE - 100))
    return in_a_row(pack_games(games_with_sheets(1)), [next(iter(log_of(())))[:-60] + b'"}\n'], repeat(line, 200))


# --- notes ---------------------------------------------------------------------------------------


def notes_on(lines: Sequence[Line], many: int) -> Iterator[bytes]:
    rng = random.Random(1)
    for n in rng.sample(range(10 * many), many):
        line = lines[1 + n % (len(lines) - 1)]
        made = Noted(id=f"note-{n:08}", by="a", game="game-0042", on="1", line=line.hash, text="t", hash="")
        yield notes.hashed_bytes(made)


def noted_log() -> Parts:
    return map(codec.encode, base().lines)


def many_notes() -> Parts:
    return notes_on(base().lines, 100_000)


# --- other people's formats ----------------------------------------------------------------------


def replay_of_lines(entry: bytes, many: int) -> Parts:
    return [b'{"header":{"game":"x"},"log":[', entry * many, b'""],"hash":""}']


def page_of(log: Parts) -> Parts:
    raw = base64.b64encode(b"".join(log))
    return [b'<!doctype html><a id="log" href="data:application/x-ndjson;base64,', raw, b'">x</a><code id="digest">x<']


def plays_of(entry: bytes, many: int) -> Parts:
    return [b'{"games":[],"players":[],"locations":[],"plays":[', entry * many, b"0]}"]


def many_players(many: int) -> Parts:
    rows = b",".join(b'{"id":%d,"name":"n%d"}' % (n, n) for n in range(many))
    return [b'{"games":[],"locations":[],"plays":[],"players":[', rows, b"]}"]


def unknown_fields(many: int) -> Parts:
    return [b'{"plays":[{', b",".join(b'"f%d":1' % n for n in range(many)), b"}]}"]


def elements(many: int) -> Parts:
    play = b'<play id="1" date="2020-01-01"><item name="Spyrium" objectid="1"/><players>%s</players></play>'
    players = b'<player name="a" score="1"/>' * 100
    return [b"<plays>", (play % players) * (many // 100), b"</plays>"]


def attributes(many: int) -> Parts:
    return [b"<plays><play ", b" ".join(b'a%d="1"' % n for n in range(many)), b"/></plays>"]


def unknown_elements(many: int) -> Parts:
    return [b"<plays>", b"".join(b"<e%d/>" % n for n in range(many)), b"</plays>"]


def csv_columns(many: int) -> Parts:
    return [b",".join(b"p%d" % n for n in range(many)), b"\n", b"1," * many, b"\n"]


def format_csv_rows(row: bytes, many: int) -> Parts:
    return [b"played,place,Ann,Bob\n", row * many]


def csv_long(many: int) -> Parts:
    return [b"game,player,score\n", b"".join(b"%d,Ann%d,4\n" % (n // 2, n) for n in range(many))]


def notation_of(line: bytes, size: int) -> Parts:
    return [b'[spyrium "game-0001"]\n[seat "Ann"]\n[seat "Bob"]\n', line * (size // max(1, len(line)))]


def keyed(lines: bytes, many: int, name: bytes = b"") -> Parts:
    return [name, lines * many]


def dotted(parts: int) -> Parts:
    return [b'name = "x"\n', b".".join([b"a"] * parts), b" = 1\n"]


# --- the table -----------------------------------------------------------------------------------

LINES: Mapping[str, Callable[[int], Line]] = {
    "undo": undone,
    "decisions": placed,
    "buildings": built,
    "techniques": learnt,
    "amounts in long lines": posted,
    "amounts of nothing": nothing_posted,
    "amounts in short lines": posted_little,
    "counts": counted,
    "insertions": inserted,
    "replacements": replaced,
    "insertions and events": inserted_and_placed,
    "readings": read_off,
    "who began, and events": corrected,
    "accepted findings": accepted,
    "declared results": declared,
    "adjustments": adjusted,
    "pauses": paused,
}

KINDS: Mapping[str, Bomb] = {
    **{name: Bomb("b.jsonl", numbered(make), DETAIL) for name, make in LINES.items()},
    **{f"{name}, beyond": Bomb("b.jsonl", beyond(make), SHORT) for name, make in LINES.items()},
    "newlines, compressed": Bomb(
        "b.jsonl.zst", lambda: zst(padded(b"\n", 63)), ("import", "validate", "index", "games")
    ),
    "newlines": Bomb("b.jsonl", lambda: padded(b"\n", 30), LOG),
    "two bytes a line": Bomb("b.jsonl", lambda: padded(b"x\n", 15), LOG),
    "one line without an end": Bomb("b.jsonl.zst", lambda: zst(padded(b"x", 1000)), ("import", "validate", "index")),
    "levels": Bomb("b.jsonl", deep, LOG),
    "digits": Bomb("b.jsonl", long_number, LOG),
    "seats": Bomb("b.jsonl", many_seats, LOG),
    "option words": Bomb("b.jsonl", many_options, LOG),
    "sheet values": Bomb("b.jsonl", lambda: log_of((), first=header(sheet=large_sheet(1))), LOG),
    # Each is a game and costs what a game costs: brought in, each is a file.
    "tiny games": Bomb("b.jsonl.zst", lambda: zst(pack_games(tiny_games(10_000))), ("import", "validate", "index")),
    "one game again and again": Bomb("b.jsonl.zst", lambda: zst(pack_games(same_game(300_000))), PACK),
    "sheets in a pack": Bomb("b.jsonl.zst", lambda: zst(pack_games(games_with_sheets(300))), PACK),
    "large games": Bomb("b.jsonl.zst", lambda: zst(pack_games(large_games(12))), (*PACK, "index 2")),
    "headers in a row": Bomb("b.jsonl", lambda: (g.log for g in tiny_games(30_000)), ("import", "validate")),
    "frames of nothing": Bomb("b.jsonl.zst", lambda: repeat(b"".join(zst([])), 2_000_000), PACK),
    "frames to be skipped": Bomb("b.jsonl.zst", lambda: repeat(b"\x50\x2a\x4d\x18\0\0\0\0", 3_000_000), PACK),
    "notes": Bomb("game-0042.jsonl", noted_log, ("games", "annotate", "index"), {"game-0042.notes.jsonl": many_notes}),
    "lines of notes": Bomb(
        "game-0042.jsonl",
        noted_log,
        ("games", "annotate", "index"),
        {"game-0042.notes.jsonl": lambda: repeat(b"\n" * MEGABYTE, 64)},
    ),
    "lines in a replay": Bomb("b.json", lambda: replay_of_lines(b'"",', 10_000_000), ("dry",)),
    "lists in a replay": Bomb("b.json", lambda: replay_of_lines(b"[],", 10_000_000), ("dry",)),
    "a log in a page": Bomb("b.html", lambda: page_of(padded(b"\n", 22)), ("dry",)),
    "links in a page": Bomb("b.html", lambda: [b"<!doctype html>", b'<a id="log" ' * 2_600_000], ("dry",)),
    "plays": Bomb("b.json", lambda: plays_of(b"{},", 10_000_000), ("dry",)),
    "lists of plays": Bomb("b.json", lambda: plays_of(b"[],", 10_000_000), ("dry",)),
    "fields of plays": Bomb("b.json", lambda: plays_of(b'{"a":1},', 95_000), ("dry",)),
    "players": Bomb("b.json", lambda: many_players(1_000_000), ("dry",)),
    "unknown fields": Bomb("b.json", lambda: unknown_fields(2_000_000), ("dry",)),
    "levels of JSON": Bomb("b.json", lambda: [b'{"plays":', b"[" * 5_000_000], ("dry",)),
    "digits of JSON": Bomb("b.json", lambda: [b'{"plays":[', b"9" * 30_000_000, b"]}"], ("dry",)),
    "elements": Bomb("b.xml", lambda: elements(1_000_000), ("dry",)),
    "attributes": Bomb("b.xml", lambda: attributes(2_000_000), ("dry",)),
    "unknown elements": Bomb("b.xml", lambda: unknown_elements(400_000), ("dry",)),
    "levels of XML": Bomb("b.xml", lambda: [b"<plays>", b"<a>" * 9_000_000], ("dry",)),
    "columns": Bomb("b.csv", lambda: csv_columns(2_000_000), ("dry",)),
    "rows": Bomb("b.csv", lambda: format_csv_rows(b"2020-01-01,Home,3,4\n", 1_500_000), ("dry",)),
    "cells in rows": Bomb("b.csv", lambda: format_csv_rows(b"," * 3000 + b"\n", 10_000), ("dry",)),
    "rows of seats": Bomb("b.csv", lambda: csv_long(490_000), ("dry",)),
    "one quoted cell": Bomb("b.csv", lambda: format_csv_rows(b'"' + b"\n" * 30_000_000 + b'"', 1), ("dry",)),
    "empty rows": Bomb("b.csv", lambda: format_csv_rows(b"\n", 31_000_000), ("dry",)),
    "pauses in notation": Bomb("b.txt", lambda: notation_of(b"pause\n", 30_000_000), ("dry",)),
    "a megabyte of notation": Bomb("b.txt", lambda: notation_of(b"pause\ncontinue\nundo\n", MEGABYTE), ("dry",)),
    "undo in notation": Bomb("b.txt", lambda: notation_of(b"pause\nundo 0\n", MEGABYTE), ("dry",)),
    "comments": Bomb("b.txt", lambda: notation_of(b"#\n", 30_000_000), ("dry",)),
    "amendments in notation": Bomb(
        "b.txt", lambda: notation_of(b'pause\namend misrecorded "x": insert 0 pause\n', MEGABYTE), ("dry",)
    ),
    "one line of notation": Bomb("b.txt", lambda: [*notation_of(b"", 0), b"p12 " * 260_000, b"\n"], ("dry",)),
    "marks in a line": Bomb("b.txt", lambda: [*notation_of(b"", 0), b"pause ", b"[] " * 340_000, b"\n"], ("dry",)),
    "quotes in a line": Bomb("b.txt", lambda: [*notation_of(b"", 0), b"pause ", b'"\\' * 500_000, b"\n"], ("dry",)),
    "words before a colon": Bomb("b.txt", lambda: [*notation_of(b"", 0), b"a " * 500_000, b": p12\n"], ("dry",)),
    "players of a line": Bomb("b.txt", lambda: [*notation_of(b"", 0), b"Ann p12 ", b"@ann " * 200_000], ("dry",)),
    "seats in notation": Bomb("b.txt", lambda: [b'[spyrium "game-0001"]\n', b'[seat "Ann"]\n' * 2_000_000], ("dry",)),
    "counts in a line": Bomb(
        "b.txt", lambda: [*notation_of(b"", 0), b"count ", b"Ann \xc2\xa31, " * 80_000, b"Bob s1\n"], ("dry",)
    ),
    "parts of a key": Bomb("b.toml", lambda: dotted(500_000), ("sheet",)),
    "values of a sheet": Bomb("b.toml", lambda: keyed(b"[a]\nb=1\n", 120_000), ("sheet",)),
    "rows of a sheet": Bomb("b.csv", lambda: keyed(b"a,b,1,read\n", 90_000, b"of,what,value,source\n"), ("sheet",)),
    "parts of a player": Bomb("ok.jsonl", noted_log, ("games",), {"players.toml": lambda: dotted(500_000)}),
    "spellings": Bomb(
        "ok.jsonl",
        noted_log,
        ("games",),
        {"players.toml": lambda: (b'[[player]]\nname = "a%d"\n' % n for n in range(38_000))},
    ),
    "parts of a setting": Bomb("ok.jsonl", noted_log, ("config",), {"spyrium.toml": lambda: dotted(32_000)}),
    "a checkpoint": Bomb("b.json", lambda: [b"[" * 30_000_000], ("checkpoint",)),
}


class Taken(NamedTuple):
    """What a command took: memory at its peak, seconds of a processor, its exit code, and what it said last."""

    memory: int
    seconds: float
    code: int
    said: str

    @property
    def is_bounded(self) -> bool:
        return self.memory <= MOST_MEMORY and self.seconds <= MOST_SECONDS and self.code in {0, 1, 2}


def lay(kind: str, folder: Path) -> tuple[Path, int]:
    """The bomb in a new archive, and how many bytes it has."""
    bomb = KINDS[kind]
    folder.mkdir(parents=True)
    size = 0
    for name, parts in ((bomb.name, bomb.parts), *bomb.beside.items()):
        with (folder / name).open("wb") as file:
            size += sum(file.write(part) for part in parts())
    return folder / bomb.name, size


def taken(
    reader: str, file: Path, program: str = sys.executable, *, memory: int = GIVE_UP, seconds: int = GIVE_UP_SECONDS
) -> Taken:
    """One command on a bomb that lies in its archive. It is ended where it takes more than this."""
    archive = file.parent
    home = archive.parent / "home"
    if reader in {"import", "dry"}:
        archive = home / "archive"
    words = [word.format(file=file, example=archive / "ok.jsonl") for word in COMMANDS[reader]]
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "SPYRIUM_BY": "ann"}
    command = [program, "-m", "spyrium_cli", "--archive", str(archive), *words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as told:
        running = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=told,
            env=environment,
            cwd=file.parent,
            preexec_fn=lambda: _limit(memory, seconds),  # noqa: PLW1509 - there is one thread
        )
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = code = os.waitstatus_to_exitcode(status)
        told.seek(0)
        said = told.read()[-2000:].decode(errors="replace").strip().rpartition("\n")[2]
    shutil.rmtree(home, ignore_errors=True)
    return Taken(used.ru_maxrss * 1024, used.ru_utime + used.ru_stime, code, said)


def _limit(memory: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main(amount: int = len(KINDS), only: str = "", program: str = sys.executable) -> int:
    """The table of so many kinds; `program` is the interpreter of another installation, to compare with."""
    runs = over = 0
    print(f"{'bomb':<26} {'bytes in':>12}  {'reader':<10} {'MB':>6} {'s':>6}  code")
    kinds = [kind for kind in KINDS if only in kind]
    for kind in random.Random(1).sample(kinds, min(amount, len(kinds))):
        bomb = KINDS[kind]
        with tempfile.TemporaryDirectory() as folder:
            file, size = lay(kind, Path(folder) / "archive")
            for reader in bomb.readers:
                took = taken(reader, file, program)
                runs += 1
                over += not took.is_bounded
                mark = "" if took.is_bounded else "  <-- over"
                numbers = f"{took.memory / 1e6:>6.0f} {took.seconds:>6.1f}  {took.code:>4}"
                print(f"{kind:<26} {size:>12,}  {reader:<10} {numbers}  {took.said[:90]}{mark}", flush=True)
    print(
        f"{runs} runs, {over} over {MOST_MEMORY >> 20} MB or {MOST_SECONDS:.0f} s or ended otherwise than with 0, 1, 2"
    )
    return 1 if over or not runs else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
