"""Killed at any moment, no command has lost what it acknowledged, nor written what nobody asked for.

Each command runs in a process of its own and gets SIGKILL: before, or in the middle of, every call by which it writes
to the disk or to the pipe of its answers (tests/cli/killed_at.py), and at random moments of its whole run. What has
come out of the pipes by then must be in the archive, nothing else than what the command was to write, and the next
command works: where the command has an id of its own, it is called again and is done once.

`python -m tests.cli.test_killed_commands 100` kills each of them so many times; `... 100 play new` only those. The
recorder at work is killed in tests/cli/test_killed.py. How the verbs write, and which of them stand for it here:

- one line, read and written under one lock: undo, count, adjust, correct, declare, reading, withdraw, accept, seal,
  deal; several of them: play, record --file; one that was shown before: amend (as compare and locate --write);
- notes beside the log: annotate (as the variations that replay keeps); with it the log itself: import;
- a whole file, beside and then under its name: new, score, import, salvage --to (as export and simulate);
- a file that goes over another: games merge, sheet edit (as reading --keep, sheet verify, sheet import), config set,
  query --save;
- a file that moves: games put-away (as bring-back).
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from spyrium_cli.main import cli
from spyrium_log.log.pack import Game
from spyrium_log.store import Folder, encode_pack, read_notes
from tests.cli.demo_game import DEMO
from tests.games import raw_of
from tests.greedy import greedy_game
from tests.shares import share

ROOT = Path(__file__).parents[2]
LAUNCHER = "tests.cli.killed_at"
MOVES = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
# So many acts of the demo are there already.
PLAYED = 8
# Only against a command that hangs.
PATIENCE = 120
# What differs from call to call.
BY_CHANCE = ("at", "cmd", "final", "game", "hash", "id", "line", "prev")
MORE = "the next command"
NEW = ("new", "--players", "Dora,Emil,Fay", "--date", "2026-11-18")
ACTS = tuple(MOVES[PLAYED : PLAYED + 3])
DONE = r"^ +\d+  "


class Case(NamedTuple):
    """A command. Each match of `answer` acknowledges one more of the `steps` that the whole of it takes.

    A group of `answer` is something random that must be in the archive. `leaves` is a game whose file is in its folder
    no more when that was answered. `then` makes the command that follows, from
    how many steps are there; without it the same command follows, and after it everything is there, once.
    """

    words: tuple[str, ...]
    answer: str
    steps: int = 1
    then: Callable[[int], Sequence[str]] | None = None
    leaves: str = ""


def next_act(played: int) -> Sequence[str]:
    return "play", "{game}", MOVES[PLAYED + played]


def deal_or_count(dealt: int) -> Sequence[str]:
    return ("play", "{fresh}", "count anna £8") if dealt else ("play", "--deal", "{fresh}", "--seed", "7")


def salvage_again(_saved: int) -> Sequence[str]:
    return "fix", "salvage", "{outside}/broken.jsonl", "--to", "{outside}/again.jsonl"


def save_again(_saved: int) -> Sequence[str]:
    return "query", "SELECT 1", "--save", "one", "--force"


def line_of(*words: str, answer: str = r"^line \d+") -> Case:
    """One line, with a command id."""
    words = (" ".join(words[:2]), *words[2:]) if words[0] == "fix" else words
    return Case((*words[0].split(), "{game}", *words[1:], "--cmd", "once"), answer)


BECAUSE = ("--why", MORE)
# How another program names a player, who may get any name here.
ELSEWHERE = "00000000-1111-1111-1111-222222222222"
COMMANDS = {
    "play": Case(("play", "{game}", *ACTS), DONE, len(ACTS), next_act),
    "play --cmd": line_of("play", ACTS[0], answer=DONE),
    "new": Case(NEW, r"^([0-9a-f-]{36})$", 1, lambda _: NEW),
    "play --deal": Case(("play", "--deal", "{fresh}", "--seed", "7"), DONE, 1, deal_or_count),
    "import": Case(("import", "{outside}/two.jsonl", "{outside}/club"), r"^new +game-0003|^3 new$"),
    "annotate": Case(
        ("annotate", "{game}", "2", "bold", "--mark", "!"), r"^([0-9a-f-]{36})$", 1, lambda _: ("annotate", "{game}")
    ),
    "undo": line_of("undo", *BECAUSE, answer=r"^took back"),
    "fix amend": line_of("fix", "amend", "3", "p23", "--misrecorded", *BECAUSE, "--yes", answer=r"^line \d+: amended"),
    "record --file": Case(("record", "{game}", "--file", "{outside}/moves.txt"), DONE, len(ACTS), next_act),
    "fix count": line_of("fix", "count", "anna £8"),
    "fix adjust": line_of("fix", "adjust", "anna +2 points", "--who", "all", *BECAUSE),
    "fix header": line_of("fix", "header", "--place", "the club", *BECAUSE),
    "fix declare": line_of("fix", "declare", "Anna 6, Bob 5, Cy 4"),
    "fix reading": line_of("fix", "reading", "mine-1", "price", "4"),
    "fix withdraw": line_of("fix", "withdraw", "{aside}", *BECAUSE),
    "fix accept": line_of("fix", "accept", "{off}", "--who", "all", *BECAUSE),
    "seal": line_of("seal", answer=r"^([0-9a-f]{64})$"),
    "score": Case(("score", "Dora 63, Emil 58"), r"^([0-9a-f-]{36})$", 1, lambda _: ("score", "Dora 61, Emil 9")),
    "fix salvage": Case(
        ("fix", "salvage", "{outside}/broken.jsonl", "--to", "{outside}/saved.jsonl"), "^saved at", 1, salvage_again
    ),
    "merge": Case(
        ("games", "merge", ELSEWHERE, "Anna"),
        "from now on",
        1,
        lambda _: ("games", "merge", f"f{ELSEWHERE[1:]}", "Bob"),
    ),
    "put-away": Case(
        ("games", "put-away", "{away}"), "^[0-9a-f-]{36} is at", 1, lambda _: ("games", "put-away", "{away}"), "away"
    ),
    "sheet edit": Case(("sheet", "edit", "mine-1", "price", "4", "--sheet", "{outside}/own.toml"), "^mine-1 price: "),
    "query --save": Case(("query", "SELECT 1", "--save", "one"), "^saved", 1, save_again),
    "config set": Case(("config", "set", "by", "Anna"), "^by is settled"),
}
# In CI: behind the very last call, and before each of the last ones of these.
MOST_USED = ("play", "new", "play --deal", "import", "annotate", "undo", "fix amend", "record --file")
LAST_CALLS = 3


@dataclass
class Tally:
    kills: int = 0
    answered: int = 0
    written: int = 0
    untouched: int = 0
    torn: int = 0
    lost: int = 0
    invented: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.answered} after an answer, {self.written} after writing and before it,"
            f" {self.untouched} before anything was written; {self.torn} torn ends;"
            f" {self.lost} lost, {self.invented} invented"
        )


class Place:
    """An archive with a game that has begun, and what is brought into it from outside."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.archive, self.outside, self.home = (root / name for name in ("archive", "outside", "home"))
        self.names: dict[str, str] = {}

    def prepare(self) -> None:
        for folder in (self.outside / "club", self.home):
            folder.mkdir(parents=True)
        for name in ("game", "fresh", "away"):
            self.names[name] = self.run("new", "--players", "Anna,Bob,Cy").stdout.strip()
        self.run("play", self.names["game"], "--quiet", *MOVES[:PLAYED], "count anna £99")
        self.names["off"] = str(PLAYED + 1)
        self.run("fix", "header", self.names["game"], "--place", "here", *BECAUSE)
        self.names["aside"] = str(PLAYED + 2)
        for game in (self.names["game"], self.names["away"]):
            self.run("annotate", game, "0", "a quick evening")
        logs = [raw_of(greedy_game(seed, 2)) for seed in (1, 2, 3)]
        (self.outside / "two.jsonl").write_bytes(b"".join(encode_pack(map(Game, logs[:2]))))
        (self.outside / "club" / "game-0003.jsonl").write_bytes(logs[2])
        (self.outside / "broken.jsonl").write_bytes(logs[2][:-9])
        (self.outside / "moves.txt").write_text("\n".join(ACTS), encoding="utf-8")
        self.run("annotate", str(self.outside / "club" / "game-0003.jsonl"), "1", "well dealt")

    def copied(self, root: Path) -> Place:
        shutil.copytree(self.root, root)
        copy = Place(root)
        copy.names = self.names
        return copy

    @property
    def environment(self) -> dict[str, str]:
        paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
        settled = {"SPYRIUM_ARCHIVE": str(self.archive), "SPYRIUM_BY": "tester", "HOME": str(self.home)}
        places = {"XDG_CONFIG_HOME": str(self.home), "XDG_DATA_HOME": str(self.home)}
        return {**os.environ, **settled, **places, "PYTHONPATH": paths}

    def words(self, words: Sequence[str]) -> list[str]:
        return [word.format(**self.names, outside=self.outside) for word in words]

    def run(self, *words: str, code: int | None = 0) -> Any:
        """In this process."""
        result = CliRunner().invoke(cli, self.words(words), env=self.environment, prog_name="spyrium")
        assert code is None or result.exit_code == code, f"{words}: exit {result.exit_code}\n{result.output}"
        return result

    def started(self, words: Sequence[str], moment: str = "") -> subprocess.Popen[str]:
        program = ["-m", LAUNCHER, moment] if moment else ["-m", "spyrium_cli"]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, *program, *self.words(words)],
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            # an answer may be cut off within a letter
            encoding="utf-8",
            errors="replace",
            env=self.environment,
            cwd=self.home,
        )

    def contents(self) -> set[tuple[str, str]]:
        """Every line of every file, with the name of a game that was there before, without what differs by chance."""
        found: set[tuple[str, str]] = set()
        for path in self.files():
            name = path.name.partition(".")[0]
            name = name if name in self.names.values() or not path.is_relative_to(self.archive) else "new"
            found |= {(f"{name}{''.join(path.suffixes)}", text) for text in lines_of(path)}
        return found

    def files(self) -> list[Path]:
        return sorted(path for path in self.root.rglob("[!.]*.*") if path.suffix in {".jsonl", ".sql", ".toml"})

    def raw(self) -> str:
        return "\n".join(path.read_text(encoding="utf-8") for path in self.files())

    def torn(self) -> int:
        logs = [Folder(self.archive).read_log(path).damage for path in self.archive.glob("[!.]*.jsonl") if is_log(path)]
        return sum(damage is not None and damage.kind != "none" for damage in logs)


def is_log(path: Path) -> bool:
    return path.suffix == ".jsonl" and not path.name.endswith(".notes.jsonl")


def lines_of(path: Path) -> list[str]:
    """What a reader makes of the file: an end that is torn is none of it."""
    if path.suffix in {".sql", ".toml"}:
        return path.read_text(encoding="utf-8").splitlines()
    raw = path.read_bytes()
    if is_log(path) and b'"pack"' not in raw[:200] and path.parent.name != "outside":
        lines = len(Folder(path.parent).read_log(path).lines)
    elif path.name.endswith(".notes.jsonl"):
        lines = len(read_notes(path).lines)
    else:
        lines = raw.count(b"\n")
    read = map(json.loads, raw.splitlines()[:lines])
    return [json.dumps({key: value for key, value in line.items() if key not in BY_CHANCE}) for line in read]


class Killing:
    """One command in one place, killed over and over. What it writes is known from a call that nobody killed."""

    def __init__(self, name: str, place: Place, where: Path, chance: random.Random) -> None:
        self.case = COMMANDS[name]
        self.tally = Tally()
        self._where = where
        self._chance = chance
        self._number = 0
        self.place = place
        self.before = place.contents()
        whole = place.copied(where / "whole")
        began = time.monotonic()
        process = whole.started(self.case.words, f"list:{where / 'calls'}")
        answers = "".join(process.communicate(timeout=PATIENCE))
        self.lasts = time.monotonic() - began
        self.after = whole.contents()
        self.code = process.returncode
        assert process.returncode in {0, 1}, answers
        assert self.case.leaves or self.before < self.after, answers
        assert len(self.acknowledged(answers)) >= self.case.steps, answers
        # by which calls it writes and answers, in order
        self.calls = (where / "calls").read_text(encoding="utf-8").splitlines()

    def acknowledged(self, answers: str) -> list[re.Match[str]]:
        return list(re.finditer(self.case.answer, answers, re.MULTILINE))

    def moments(self) -> list[str]:
        """Before each of those calls, in the middle of those that may do half of it, and behind the last one.

        First come those around the last calls, where a command answers, then the rest.
        """
        halves = [f"{at}:half" for at, call in enumerate(self.calls) if call.startswith(("write", "answer"))]
        last = len(self.calls) - 1
        found = [*(f"{at}:before" for at in range(len(self.calls))), *halves, f"{last}:behind"]
        self._chance.shuffle(found)
        return sorted(found, key=lambda moment: int(moment.partition(":")[0]) < last - LAST_CALLS)

    def kill_at(self, moment: str) -> None:
        place = self._fresh()
        process = place.started(self.case.words, moment)
        answers = "".join(process.communicate(timeout=PATIENCE))
        assert process.returncode == -signal.SIGKILL, answers
        self._check(place, answers)

    def kill_by_chance(self) -> bool:
        """At any moment of the whole run; False where it was done before that."""
        place = self._fresh()
        process = place.started(self.case.words)
        time.sleep(self._chance.uniform(0, self.lasts * 1.1))
        process.kill()
        answers = "".join(process.communicate(timeout=PATIENCE))
        if process.returncode != -signal.SIGKILL:
            return False
        self._check(place, answers)
        return True

    def _fresh(self) -> Place:
        self._number += 1
        shutil.rmtree(self._where / f"{self._number - 1}", ignore_errors=True)
        return self.place.copied(self._where / f"{self._number}")

    def _check(self, place: Place, answers: str) -> None:
        """Nothing that was answered is lost, nothing is invented, and the next command works."""
        there = place.contents()
        done = self.acknowledged(answers)
        new = there - self.before
        tally = self.tally
        tally.kills += 1
        tally.torn += place.torn()
        tally.answered += bool(done)
        tally.written += len(new) > len(done)
        tally.untouched += not new and not done
        raw = place.raw()
        is_lost = (
            not self.before <= there
            or (self.case.steps > 1 and len(new) < len(done))
            or (self.case.steps == 1 and bool(done) and there != self.after)
            or (bool(done) and (place.archive / f"{self.place.names.get(self.case.leaves)}.jsonl").exists())
            or any(group not in raw for match in done for group in match.groups())
        )
        tally.lost += is_lost
        tally.invented += not there <= self.after
        assert not is_lost, f"{answers!r} was answered, there is {new}"
        assert there <= self.after, there - self.after
        self._go_on(place, len(new))

    def _go_on(self, place: Place, steps: int) -> None:
        then = self.case.then
        if then is None:
            place.run(*self.case.words, code=self.code)
            assert place.contents() == self.after
        else:
            place.run(*then(steps), code=None if self.case.leaves else self.code)
            assert self.before <= place.contents()
        for path in place.files():
            if is_log(path) and path.parent == place.archive:
                assert Folder(place.archive).read_log(path).complaint is None, path
        assert place.run("validate", code=None).exit_code in {0, 1}


def kills(name: str, many: int, place: Place, where: Path, seed: int = 0) -> Tally:
    """Half of them at the calls, one after the other, half of them by chance."""
    killing = Killing(name, place, where, random.Random(seed))
    moments = killing.moments()
    at = 0
    while killing.tally.kills < many:
        if killing.tally.kills % 2:
            killing.kill_by_chance()
        else:
            killing.kill_at(moments[at % len(moments)])
            at += 1
    return killing.tally


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("killed") / "place")
    place.prepare()
    return place


@pytest.mark.parametrize("name", share(COMMANDS, 3))
def test_what_was_acknowledged_is_there_after_a_kill(
    name: str, prepared: Place, tmp_path: Path, counts: Counter[str]
) -> None:
    killing = Killing(name, prepared, tmp_path, random.Random(name))
    last = len(killing.calls) - 1
    moments = [*(f"{last - back}:before" for back in range(LAST_CALLS if name in MOST_USED else 0)), f"{last}:behind"]
    counts["commands killed"] += len(moments)
    for moment in moments:
        killing.kill_at(moment)
    assert killing.tally.kills == len(moments)
    assert killing.tally.answered
    assert killing.tally.lost == killing.tally.invented == 0


def main(many: int, names: Sequence[str]) -> int:
    total = Tally()
    with tempfile.TemporaryDirectory() as root:
        place = Place(Path(root) / "place")
        place.prepare()
        for number, name in enumerate(names or COMMANDS):
            where = Path(root) / str(number)
            tally = kills(name, many, place, where)
            shutil.rmtree(where)
            print(f"{name:>14}  {tally}", flush=True)
            for key, n in vars(tally).items():
                setattr(total, key, getattr(total, key) + n)
    print(f"{'all':>14}  {total}")
    return int(not total.kills or bool(total.lost or total.invented))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
