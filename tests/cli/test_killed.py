"""Killed at any moment, the recorder has lost nothing that it said was done, and goes on where it was.

A recorder of its own process types games of tests/greedy.py, by lines or on a full screen, and gets SIGKILL at a random
moment, from its start to the middle of a write. Whatever it had answered by then must be in the log, nothing else than
the acts of the game, and the next act can be entered at once. Then the next recorder goes on with the same game.

`python -m tests.cli.test_killed 500` kills so many times; every fifth recorder has a full screen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spyrium_cli.recording.recorder import Recorder
from spyrium_log.entry.prompt import Prompt
from spyrium_log.log.codec import Log
from spyrium_log.play import Play
from spyrium_log.store import Folder
from tests.build import begin
from tests.greedy import greedy_game
from tests.test_keys import dealt

ROOT = Path(__file__).parents[2]
ONE_SCREEN_IN = 5
# One in so many is killed while it still starts, the others within so many seconds of their first sign of life.
ONE_STARTING_IN = 8
STARTING, WRITING = 0.8, 0.4
# a screen is typed at, and drawn for each key
ON_SCREEN = 3.0
PATIENCE = 60
ROWS, COLUMNS = 24, 80


@dataclass
class Tally:
    kills: int = 0
    screens: int = 0
    torn: int = 0
    acknowledged: int = 0
    on_screens: int = 0
    unacknowledged: int = 0
    entered: int = 0
    games: int = 0


def spelled(log: Log) -> list[str]:
    """What a scribe types for every line of the game."""
    table = Play.begin(log.title, log.header)
    said = []
    for event in log.lines[1:]:
        act = event.do  # type: ignore[union-attr]
        prompt = Prompt(table)
        said.append(dealt(prompt, act) if prompt.awaited.kind == "deal" else prompt.keys.find_shortest_keys(act))
        table.append(event)
    return said


class Child:
    """A recorder in a process of its own. `said` is all that it wrote."""

    def __init__(self, path: Path, archive: Path, *, screen: bool) -> None:
        self.screen = screen
        self.said = b""
        command = [sys.executable, "-m", "spyrium_cli", "record", str(path), *([] if screen else ["--plain"])]
        paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
        env = {**os.environ, "SPYRIUM_ARCHIVE": str(archive), "TERM": "xterm-256color", "PYTHONPATH": paths}
        if screen:
            self.out, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
            os.close(theirs)
            self.keys = self.out
        else:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.keys, self.out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.out, False)
        os.set_blocking(self.keys, False)

    def run(self, lines: Sequence[str], kill_at: float, *, starting: bool) -> None:
        """Type as fast as it is taken, read the answers, and kill so long after its start, or after it came up."""
        end = "\r" if self.screen else "\n"
        left = "".join(line + end for line in lines).encode()
        starts = time.monotonic()
        is_up = starting
        while time.monotonic() - starts < (kill_at if is_up else PATIENCE) and self.process.poll() is None:
            if not is_up and self.is_up():
                is_up, starts = True, time.monotonic()
            wants = [self.keys] if left and (is_up or not self.screen) else []
            can_read, can_write, _ = select.select([self.out], wants, [], 0.005)
            if can_read and not self.read():
                break
            if can_write:
                left = left[self._type(left) :]
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        while self.read():
            pass
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        if self.screen:
            os.close(self.out)

    def is_up(self) -> bool:
        """By lines, it answered; a screen is up when its prompt stands."""
        return "▸ ".encode() in self.said if self.screen else bool(self.said)

    def _type(self, left: bytes) -> int:
        try:
            # a screen is typed at, by lines all of them may come at once
            return os.write(self.keys, left[:8] if self.screen else left)
        except (BlockingIOError, BrokenPipeError):
            return 0

    def read(self) -> bool:
        try:
            found = os.read(self.out, 65536)
        except BlockingIOError:
            return False
        except OSError:
            return False
        self.said += found
        return bool(found)

    def acknowledged(self) -> int:
        """The last line that it said was done."""
        text = self.said.decode("utf-8", "replace")
        shape = r"✓ (\d+)" if self.screen else r"^ *(\d+)  .*\n"
        return max((int(n) for n in re.findall(shape, text, re.MULTILINE)), default=0)


def acts_of(log: Log) -> list[Any]:
    return [line.do for line in log.lines[1:]]  # type: ignore[union-attr]


def checked(
    tally: Tally, child: Child, folder: Folder, path: Path, whole: Log, said: Sequence[str], before: int
) -> int:
    """What was answered is there, nothing else is, and the next act can be entered; how many lines there are then."""
    log = folder.read_log(path)
    found = acts_of(log)
    acknowledged = child.acknowledged()
    assert found == acts_of(whole)[: len(found)], "something else than the game is in the log"
    assert acknowledged <= len(found), f"line {acknowledged} was acknowledged, {len(found)} are there"
    tally.kills += 1
    tally.screens += child.screen
    tally.acknowledged += max(0, acknowledged - before)
    tally.on_screens += max(0, acknowledged - before) if child.screen else 0
    tally.unacknowledged += len(found) - max(before, acknowledged)
    tally.torn += log.damage is not None and log.damage.kind != "none"
    with Recorder(folder, path, by="killed", language="en") as recorder:
        if len(found) < len(said):
            request = recorder.prompt.enter_line(said[len(found)])
            assert request is not None
            done = recorder.write(request)
            assert done is not None
            assert done.n == len(found) + 1
            tally.entered += 1
            found.append(None)
    return len(found)


def kills(many: int, seed: int = 0) -> Tally:
    tally = Tally()
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as archive:
        folder = Folder(Path(archive))
        while tally.kills < many:
            whole = greedy_game(1000 + tally.games, 2 + tally.games % 4)
            said = spelled(whole)
            path = begin(folder, whole.header)
            tally.games += 1
            there = 0
            while there < len(said) and tally.kills < many:
                child = Child(path, Path(archive), screen=tally.kills % ONE_SCREEN_IN == ONE_SCREEN_IN - 1)
                starting = tally.kills % ONE_STARTING_IN == 0
                late = STARTING if starting else ON_SCREEN if child.screen else WRITING
                child.run(said[there:], chance.uniform(0, late), starting=starting)
                there = checked(tally, child, folder, path, whole, said, there)
    return tally


def report(tally: Tally) -> None:
    print(f"{tally.kills} kills ({tally.screens} on a full screen) in {tally.games} games")
    print(f"  {tally.acknowledged} acknowledged actions ({tally.on_screens} on a screen), all of them there")
    print(f"  {tally.unacknowledged} more were on the disk before their answer; {tally.torn} logs had a torn end")
    print(f"  {tally.entered} times the next action was entered at once, otherwise the game was over")


def test_what_was_acknowledged_is_there_after_a_kill() -> None:
    tally = kills(5, seed=2)
    assert tally.kills == 5
    assert tally.screens == 1
    assert tally.acknowledged > 0
    assert tally.entered > 0


def main(many: int) -> int:
    report(kills(many))
    return 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
