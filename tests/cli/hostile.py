"""An archive in which every word is hostile, and every command and screen that shows it at a terminal.

`python -m tests.cli.hostile [N [STEP] | NAME...]` calls every command and opens every screen for each of the first N
strings, for those of these names, or for all; of the ways to call a command every STEPth. It counts the pairs; what
reaches the terminal but text and sequences of ours is told, and is a failure.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import click
import msgspec
from msgspec.structs import replace

from spyrium_cli.main import cli
from spyrium_log.edit.annotate import make_note
from spyrium_log.log import chain
from spyrium_log.log.lines import Accepted, Corrected, ReadOff, Replace
from spyrium_log.log.notes import hashed_bytes
from spyrium_log.play import encode_log
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.sheet import Printed, Sheet, format_sheet
from spyrium_log.shown import plain
from spyrium_log.spreadsheet import format_csv_rows
from spyrium_log.titles import TITLES
from tests.cli.terminals import LARGE, SCREEN, SMALL, called, foreign, words_of
from tests.games import read
from tests.greedy import greedy_game
from tests.scribe import Scribe
from tests.stories import FIRST_DEAL, STORIES

TITLE = TITLES["spyrium"]

STRINGS: Mapping[str, str] = {
    "all": "\x1b]52;c;YQ==\x07\x9b8m\u202e\u2028\u200b\U000e0041\r\n\tz",
    "clipboard": "\x1b]52;c;aGVsbG8=\x07",
    "clipboard of C1": "\x9d52;c;aGVsbG8=\x9c",
    "window title": "\x1b]0;owned\x07",
    "tab title": "\x1b]2;owned\x1b\\",
    "link": "\x1b]8;;http://e.vil\x1b\\x\x1b]8;;\x1b\\",
    "cursor": "\x1b[999;999Hx\x1b[8m",
    "screen": "\x1b[?47h\x1b[!p\x1b[3J",
    "device": "\x1bP$q q\x1b\\\x1b[c\x1b[6n",
    "device of C1": "\x90$q q\x9c\x9bc",
    "strings": "\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\",
    "reset": "\x1bc\x1b(0\x0e\x0f\x1b#8",
    "C0": "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x1a\x1c\x1d\x1e\x1f\x7f",
    "C1": "\x80\x84\x85\x88\x8d\x8e\x8f\x98\x9a\x9b\x9c\x9d\x9e\x9f",
    "ends of lines": "x\r\ny\nz\rw\x85v\u2028u\u2029t",
    "tab": "a\tb\t",
    "no width": "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad\u180e",
    "direction": "\u202a\u202b\u202c\u202d\u202e\u061c",
    "isolates": "\u2066\u2067\u2068\u2069x\u206a\u206f",
    "tags": "x\U000e0001\U000e0041\U000e007f",
    "markup": "[red]x[/] {0} %s <b> [x](y)",
    "no text": "\udc9b8m\udcff\udce2",
    "letters": "日本Ёж👨\u200d👩\u200d👧éñ ر\u200cر",
}
# What is a person's own words, wherever it stands in a log.
FREE = frozenset({"by", "edition", "place", "player", "text", "who", "why"})
# Ids of cards may be any words, too: these become hostile.
CARDS = ("crane", "workshop-1", "estate", "castle")
# As long as a word of a log, and the id of a card, can be.
LONGEST_ID, LONGEST_CARD = 60, 40
LOGS = (
    *("abandoned", "adjusted", "accepted-finding", "counted", "declared-result", "impossible-names", "misplayed"),
    *("reading-of-a-price", "ruled-in-part", "undone-and-redone", "wrong-price", "acceptance-withdrawn"),
)


NAMED = ("first-round", "shared-win", "phantom")


# How another program names a player, who may get any name here.
PLAYER_ELSEWHERE = "6f0a7b1c-0000-4000-8000-000000000001"


class Call(NamedTuple):
    """What is typed: the arguments, and the keys for whoever waits for some."""

    arguments: Sequence[str]
    keys: Sequence[str] = ()
    size: tuple[int, int] = LARGE
    env: Mapping[str, str] = MappingProxyType({})


class World(NamedTuple):
    """A folder with everything in it that commands read, and the hostile string that all of it says."""

    folder: Path
    said: str

    @property
    def text(self) -> str:
        """As much of it as UTF-8 can say."""
        return self.said.encode("utf-8", "ignore").decode()

    @property
    def file_word(self) -> str:
        """As much of it as the name of a file can hold."""
        return self.said.replace("/", "|")[:40]

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    def path(self, name: str) -> str:
        return str(self.archive / f"{name}.jsonl")

    def file(self, name: str) -> str:
        return str(self.folder / f"{self.file_word}{name}")

    @property
    def env(self) -> dict[str, str]:
        home = str(self.folder)
        return {"HOME": home, "SPYRIUM_ARCHIVE": str(self.archive), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


# --- what it is made of --------------------------------------------------------------------------


def hostile(value: Any, said: str, key: str = "") -> Any:
    """The same line with the string in the place of everybody's own words; its sheet has a digest."""
    if key == "sheet":
        return value
    if isinstance(value, dict):
        # a posting's why is a word of the rules
        return {
            name: one if name == "why" and "what" in value else hostile(one, said, name) for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [hostile(one, said, key) for one in value]
    if isinstance(value, str):
        if key in FREE:
            return f"{value[:12]}{said}"[:LONGEST_ID]
        if value in CARDS:
            return f"{value[0]}{said}"[:LONGEST_CARD]
    return value


def hostile_log(raw: bytes, said: str, game: str) -> bytes:
    """The log with its words changed, under an id of its own, and chained again."""
    changed: list[bytes] = []
    prev = chain.GENESIS
    for whole in raw.splitlines():
        line = {**hostile(msgspec.json.decode(whole), said), "prev": prev, "hash": ""}
        if not changed:
            line["game"] = game
        changed.append(chain.add_hash(msgspec.json.encode(line)))
        prev = chain.short_digest(chain.cut_hash(changed[-1]))
    return b"".join(line + b"\n" for line in changed)


def running(game: str) -> Scribe:
    """A game in its first round, with a misplayed move, a correction of it and every kind of remark."""
    scribe = Scribe(game).play(FIRST_DEAL, "p12", "p45", "p45")
    scribe.play("@2 p78", anyway=True)
    scribe.amend("misplayed", Replace(at="3", event=scribe.told("2", "p25")), why="typed")
    scribe.aside(Accepted, line=5, rule="turn.order", who="Anna", why="nobody minded")
    scribe.aside(Corrected, place="the club", why="it was missing")
    return scribe.aside(ReadOff, value=Printed("mine-1", "price", 3, "read", "Anna", "2026-11-18"))


def toml_string(text: str) -> str:
    return '"' + "".join(one if one.isalnum() and one.isascii() else f"\\U{ord(one):08x}" for one in text) + '"'


def build(folder: Path, said: str) -> World:
    """The archive with notes, and beside it a damaged log, a sheet, a table of scores, settings."""
    made = World(folder, said)
    made.archive.mkdir(parents=True)
    run = running("game-running")
    logs = {name: STORIES[name]() for name in LOGS}
    logs |= {"fresh": encode_log(Scribe("game-fresh").log().lines), "whole": encode_log(greedy_game(1, 3).lines)}
    logs["running"] = encode_log(run.log().lines)
    for name, raw in logs.items():
        Path(made.path(name)).write_bytes(hostile_log(raw, made.text, f"game-{name}"))
    raw = Path(made.path("running")).read_bytes()
    lines = read(raw, TITLE).lines
    (folder / "other.jsonl").write_bytes(encode_log([*lines[:3], *lines[4:6]]))
    Path(made.path("damaged")).write_bytes(_damaged(made, "game-damaged"))
    # files whose own names are hostile are read, but no command takes such a name for a game's
    for name in NAMED:
        named = made.archive / f"{made.file_word}{name}.jsonl"
        named.write_bytes(hostile_log(STORIES[name](), made.text, f"game-{name}"))
    (made.archive / f"{made.file_word}broken.jsonl").write_bytes(_damaged(made, "game-broken"))
    _write_notes(made, raw)
    _write_tables(made)
    return made


def _damaged(made: World, game: str) -> bytes:
    """A log with a line of a kind that nobody knows, and bytes behind it that are no text."""
    raw = hostile_log(encode_log(running("game-running").log().lines), made.text, game)
    kind = msgspec.json.encode(made.text)[1:-1]
    return raw.replace(b'"kind":"accepted"', b'"kind":"' + kind + b'"') + b"\x9b\xff\n"


def _write_notes(made: World, raw: bytes) -> None:
    """On the game itself and on an event, with a tag and a variation."""
    log, said = read(raw, TITLE), made.text
    by = f"b{said}"[:LONGEST_ID]
    found = [
        replace(
            make_note(log, on, note_id=f"note-{on}", by=by, text=f"x{said}", mark="?!", tags=["t"]),
            tags=(f"t{said}"[:LONGEST_CARD],),
            variation=(f"p12 {said}",),
        )
        for on in ("0", "2")
    ]
    Path(made.path("running")).with_suffix(".notes.jsonl").write_bytes(b"".join(map(hashed_bytes, found)))


def _write_tables(made: World) -> None:
    said = made.text
    printed = (
        Printed("mine-1", "price", 4, "read", f"b{said}"[:LONGEST_ID], f"a{said}"[:LONGEST_CARD]),
        Printed(f"c{said}"[:LONGEST_CARD], f"w{said}"[:LONGEST_CARD], f"v{said}"[:LONGEST_CARD], "read"),
    )
    (made.folder / "sheet.toml").write_text(format_sheet(Sheet(name="own", printed=printed)), encoding="utf-8")
    rows = [
        ("date", "place", "player", "score"),
        ("2026-11-18", said, f"A{said}", "63"),
        ("2026-11-18", said, "B", said),
    ]
    (made.folder / "scores.csv").write_text("".join(format_csv_rows(rows, raw=True)), encoding="utf-8")
    word = toml_string(f"k{said}")
    (made.folder / "spyrium.toml").write_text(f'{word} = 1\n[editions.{word}]\ntie = "shared"\n', encoding="utf-8")


# --- what is called ------------------------------------------------------------------------------

# Keys that do nothing, while one screen follows another: what is typed in between may be lost.
WAITING = ("\x7f",) * 25
FORMATS = ("table", "csv", "json", "jsonl", "md")


def in_each_form(*arguments: str, more: Sequence[str] = ()) -> list[Call]:
    return [Call([*arguments, "--format", form]) for form in (*FORMATS, *more)]


def words(line: str, *more: str) -> list[str]:
    return [*line.split(), *more]


def calls(made: World) -> dict[str, list[Call]]:
    """Every command by its whole name, with calls that make it show what it reads."""
    said = made.said
    by = ("--by", f"b{said}"[:LONGEST_ID])
    why = ("--why", f"w{said}")
    run, fresh, whole = "game-running", "game-fresh", "game-whole"
    damaged, other = made.path("damaged"), str(made.folder / "other.jsonl")
    players = f"A{said},B{said},C{said}".replace("\x00", "")
    return {
        "new": [
            Call(["new", "--players", players, "--place", f"p{said}", *by]),
            Call(["new", "--edition", said, "--players", "A,B"]),
            Call(["new", "--colours", said, "--players", "A,B"]),
            Call(["new"], ["\n"] * 12),
        ],
        "play": [
            Call(["play", run, "p23", *by]),
            Call(["play", run, said]),
            Call(["play", run, "anna: zz"]),
            Call(["play", "--deal", fresh, "--seed", "7", *by]),
            Call(["play", "--deal", run]),
        ],
        "record": [
            Call(["record", run], ["p", "1", "2", "\x7f\x7f\x7f", "?", "\x1bOP", "\x1bOP", "p23\r", "u", "c 1 2"]),
            Call(["record", run], ["p", "\x1b[B", "\x1b[B", ";x\r", "#20 m-1 Bob: so\r", "zz\r"], SMALL),
            Call(["record", fresh], ["exes", "m"]),
            Call(["record", "game-adjusted", "--light"], [">", "\t"], (40, 120)),
            Call(["record", run, "--plain"], ["list\n", "board\n", "?\n", "help\n", "p23\n", "a zz\n", "quit\n"]),
            Call(["record"], ["1", *WAITING], SMALL),
            Call(["record"], ["n", "12x", "\r", "\x1b", "\r", "\r", "1 red", "\r", "\r", *WAITING], SMALL),
            Call(["record", "--plain"], ["n\n", "zz\n", "\n", "zz\n", "\n", "zz\n", "\n", "quit\n"]),
            Call(["record", run], ["abandon x\r", *WAITING, "s", "p", "b", "d", "zz\r", *WAITING]),
            Call(["record", run, "--plain"], ["abandon x\n", "s\n", "p\n", "b\n", "d zz\n", "d 1 5\n", "zz\n", "q\n"]),
        ],
        "score": [Call(["score", f"A{said} 63, B{said} 58", "--place", said, *by]), Call(["score", said])],
        "simulate": [Call(["simulate", "-n", "1", "--seats", "2", "--to", made.file("lab")])],
        "sheet cards": in_each_form("sheet", "cards"),
        "undo": [Call(["undo", run, *why, *by]), Call(["undo", run, "--at", "2"])],
        "fix amend": [
            *in_each_form("fix", "amend", run, "2", "p45", "--dry-run"),
            Call(["fix", "amend", run, "2", "p45", "--misplayed", *why], ["n\n"]),
            Call(["fix", "amend", run, "2", "p45", "--misplayed", "--yes", *why, *by]),
            Call(["fix", "amend", run, "2", said, "--dry-run"]),
            Call(["fix", "amend", run, "2", "--moved", f"anna money -1 {said}", "--dry-run"]),
        ],
        "fix count": [Call(["fix", "count", run, "1 £12, 2 £8"]), Call(["fix", "count", run, said])],
        "fix locate": [
            *in_each_form("fix", "locate", "game-counted"),
            Call(["fix", "locate", "game-counted", "--write", "1", "--yes", *why]),
        ],
        "fix adjust": [Call(["fix", "adjust", run, "1 £-1", "--who", f"w{said}"[:LONGEST_ID], *why, *by])],
        "fix declare": [Call(["fix", "declare", whole, "1 63, 2 58, 3 1"]), Call(["fix", "declare", whole, said])],
        "fix accept": [
            Call(["fix", "accept", "game-wrong-price", "5", "--who", f"w{said}"[:LONGEST_ID], *why]),
            Call(["fix", "accept", "game-misplayed", "5", "--who", "w", *why, "--rule", said]),
            Call(["fix", "accept", "game-impossible-names", "2", "--who", "w", *why]),
        ],
        "fix header": [
            Call(["fix", "header", run, "--seat", "1", "--name", f"N{said}"[:LONGEST_ID], "--place", said, *why])
        ],
        "fix reading": [
            Call(["fix", "reading", run, "mine-1", "price", "4", *by]),
            Call(["fix", "reading", run, said, "price", "4"]),
        ],
        "fix withdraw": [
            Call(["fix", "withdraw", run, "7", *why]),
            Call(["fix", "withdraw", "game-acceptance-withdrawn", "6", *why]),
        ],
        "annotate": [
            *in_each_form("annotate", run),
            Call(["annotate", run, "2", said, "--tag", "t", *by]),
            Call(["annotate", run, said]),
            Call(["annotate", run, "--note", "note-2", said]),
        ],
        "games": [*in_each_form("games"), Call(["games", "--player", said]), Call(["games"], size=SMALL)],
        "games merge": [
            Call(["games", "merge", f"Ana{said}", f"Anna{said}"]),
            Call(["games", "merge", PLAYER_ELSEWHERE, f"Anna{said}"]),
            Call(["games", "merge", PLAYER_ELSEWHERE, f"Anna{said}", "--undo"]),
        ],
        "games put-away": [Call(["games", "put-away", run])],
        "games away": in_each_form("games", "away"),
        "games bring-back": [Call(["games", "bring-back", said])],
        "show": [
            *in_each_form("show", run),
            *in_each_form("show", run, "--legal"),
            Call(["show", run], size=SMALL),
            Call(["show", run], size=(24, 60)),
            Call(["show", said]),
            Call(["show", damaged]),
            Call(["--debug", "show", damaged]),
            *in_each_form("show", run, "--log"),
            Call(["show", "game-undone-and-redone", "--log"]),
        ],
        "replay": [
            *in_each_form("replay", run, "--plain"),
            Call(
                ["replay", run],
                ["r", *"llllll", "L", "L", "b", "f", "n", "c", "/p\r", "v", "p12\r", "\x1b", "g", "p12\r"],
            ),
            Call(["replay", run], ["\x1b[F", "f", "n", "c", "b", "L", "s", "?", "?", "v", "zz\r"], SMALL),
            Call(["replay", whole, "--light"], ["\x1b[F", "L", "R", "f", ":12\r"], (40, 120)),
            Call(["replay", "game-impossible-names"], ["\x1b[F", "f", "F"]),
        ],
        "validate": [
            *in_each_form("validate", more=("junit",)),
            Call(["validate", damaged, "game-impossible-names"]),
            Call(["validate", said]),
        ],
        "seal": [
            Call(["seal", run, *by]),
            Call(["seal", run, "--new-key", made.file("key.pem")]),
            Call(["seal", run, "--checkpoint"]),
            Call(["seal", run, "--check", other]),
        ],
        "fix salvage": [
            Call(["fix", "salvage", str(made.archive / f"{made.file_word}broken.jsonl")]),
            Call(["fix", "salvage", made.path("damaged"), "--to", "-"]),
        ],
        "export": [
            *(Call(["export", run, "--format", form]) for form in ("html", "json", "csv", "jsonl", "txt")),
            *(Call(["export", "--format", form]) for form in ("pack", "scores", "bgstats", "bgstats-link")),
            Call(["export", "--format", "scores", "--raw"]),
            Call(["export", "--format", "dataset", "--to", made.file("data")]),
            Call(["export", run, "--to", said]),
        ],
        "index": [Call(["index"])],
        "tables": [*in_each_form("tables"), Call(["tables", said])],
        "query": [
            *in_each_form("query", "SELECT * FROM seat"),
            Call(["query", "SELECT * FROM seat"], size=SMALL),
            Call(["query", "SELECT player FROM seat", "--format", "csv", "--raw"]),
            Call(["query", f"SELECT '{said}' AS x"]),
            Call(["query", f"SELECT {said}"]),
            Call(["query", "--list"]),
            Call(
                ["query"],
                [".tables\n", "SELECT player FROM seat;\n", ".mode md\n", "SELECT place FROM game;\n", ".quit\n"],
            ),
        ],
        "report": [
            *(
                Call(["report", name, *(["--player", f"Anna{said}"] if name == "player" else [])])
                for name in (one.name for one in reports())
            ),
            *in_each_form("report", "player", "--player", f"Anna{said}"),
            *in_each_form("report", "ratings"),
            Call(["report", "ratings"], size=SMALL),
            Call(["report", said]),
        ],
        "whatif": in_each_form("whatif", "--option", "tie=shared"),
        "compare": in_each_form("compare", run, other),
        "sheet show": [*in_each_form("sheet", "show"), Call(["sheet", "show", said])],
        "sheet verify": [Call(["sheet", "verify"], ["s\n", "9\n", "zz\n", "q\n"])],
        "sheet edit": [
            Call(["sheet", "edit", "mine-1", "price", "5", *by]),
            Call(["sheet", "edit", said, "price", "5"]),
        ],
        "sheet check": [*in_each_form("sheet", "check"), Call(["sheet", "check", said])],
        "sheet diff": in_each_form("sheet", "diff", "shipped", "own"),
        "sheet import": [Call(["sheet", "import", str(made.folder / "sheet.toml"), "--dry-run"])],
        "sheet export": [Call(["sheet", "export", "--format", form]) for form in ("csv", "toml")],
        "sheet affects": in_each_form("sheet", "affects"),
        "import": [
            *in_each_form("import", other, str(made.folder / "scores.csv"), "--dry-run"),
            Call(["import", str(made.folder / "scores.csv")]),
            Call(["import", damaged, run]),
        ],
        # at a terminal it steps through the game on a screen of its own
        "demo": [Call(["demo"], ["q"] * 40)],
        "schema": [Call(["schema"]), Call(["schema", "log"]), Call(["schema", said])],
        "config get": [
            Call(["config", "get", "by"]),
            Call(["config", "get", "editions"]),
            Call(["config", "get", said]),
        ],
        "config set": [Call(["config", "set", "by", f"b{said}"]), Call(["config", "set", said, "x"])],
        "config show": in_each_form("config", "show", "--origin"),
        "config unset": [Call(["config", "unset", "by"]), Call(["config", "unset", said])],
        "config paths": in_each_form("config", "paths"),
        "doctor": in_each_form("doctor"),
        "completion": [
            Call(["completion"]),
            *(Call(["completion", shell]) for shell in ("bash", "zsh", "fish")),
            *(Call([], env=env) for env in completions(made)),
        ],
        "": [Call([said]), Call(["--help"]), Call(["--lang", said, "games"]), Call(["games", f"--{said}"])],
    }


# What stands on a command line whose end the shell completes.
COMPLETED = ("show ", "games --player ", "new --place ", "new --edition ", "fix amend @last ", "annotate @last --tag ")


def completions(made: World) -> Iterator[Mapping[str, str]]:
    """What a shell asks for when somebody presses tab."""
    for line in COMPLETED:
        for shell in ("bash", "zsh", "fish"):
            typed = f"spyrium {line}"
            yield {
                "_SPYRIUM_COMPLETE": f"{shell}_complete",
                "COMP_LINE": typed,
                "COMP_WORDS": typed,
                "COMP_CWORD": str(typed.count(" ")) if shell == "zsh" else "",
            }
    yield {"_SPYRIUM_COMPLETE": "fish_complete", "COMP_WORDS": "spyrium show", "COMP_CWORD": made.said}


def commands(group: click.Group = cli, *path: str) -> Iterator[str]:
    """The whole name of every command there is; the empty one is the program itself."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*path, name))


# --- the matrix ----------------------------------------------------------------------------------


@dataclass
class Tally:
    """Pairs of a call and a string; of how many the string was seen to be written out; what was found in others."""

    calls: int = 0
    screens: int = 0
    written_out: int = 0
    wrong: list[str] = field(default_factory=list)


# How characters that steer a screen stand there: as in Python, or as in JSON.
_WRITTEN_OUT = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[nrt])")
# Forms in which a line break within a cell or a string of several lines is one.
WITH_LINES = ("csv", "export", "toml", "md", "junit")


def tried(name: str, tally: Tally, step: int = 1) -> None:
    """Every call with one string, or of each command every so manyth."""
    said = STRINGS[name]
    with tempfile.TemporaryDirectory() as place:
        kept, folder = Path(place, "kept"), Path(place, "used")
        made = build(folder, said)
        called(["index"], cwd=folder, env=made.env)
        folder.rename(kept)
        for command, every in calls(made).items():
            for call in every[::step]:
                shutil.copytree(kept, folder)
                _try(made, call, f"{command or 'spyrium'} × {name}", tally)
                shutil.rmtree(folder)


def _try(made: World, call: Call, what: str, tally: Tally) -> None:
    written = called(call.arguments, cwd=made.folder, env={**made.env, **call.env}, keys=call.keys, size=call.size)
    tally.calls += 1
    tally.screens += SCREEN in written.raw
    text = words_of(written.raw)
    is_shown = bool(_WRITTEN_OUT.search(text)) or "👨" in text
    tally.written_out += is_shown
    # fish is told the help of a word behind a tab
    is_fish = call.env.get("_SPYRIUM_COMPLETE") == "fish_complete"
    raw = written.raw.replace(b"\t", b" ") if is_fish else written.raw
    found = foreign(raw, call.size, joiners=made.said == STRINGS["letters"])
    if written.code < 0:
        found.append(f"ended by signal {-written.code}")
    if "a fault of spyrium itself" in text or ("Traceback" in text and "--debug" not in call.arguments):
        found.append(text[-400:])
    tally.wrong += [f"{what}: {plain(' '.join(call.arguments))[:90]}: {one}" for one in found[:3]]


def main(*chosen: str) -> int:
    tally = Tally()
    numbers = [int(each) for each in chosen if each.isdecimal()]
    names = [*STRINGS][: numbers[0]] if numbers else [*(chosen or STRINGS)]
    missing = sorted({*commands()} ^ ({*calls(World(Path(), "x"))} - {""}))
    tally.wrong += [f"no calls of this command, or no such command: {name}" for name in missing]
    for name in names:
        before = tally.calls
        tried(name, tally, *numbers[1:])
        print(f"{name}: {tally.calls - before} calls", flush=True)
    print("\n".join(tally.wrong))
    print(
        f"{tally.calls} calls of {len([*commands()])} commands with {len(names)} strings,"
        f" {tally.screens} of them on a full screen; written out in {tally.written_out};"
        f" {len(tally.wrong)} times something else than text and sequences of ours"
    )
    return 1 if tally.wrong or not tally.calls or not tally.screens or not tally.written_out else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
