"""Run `spyrium` and kill it at one moment: `python -m tests.cli.killed_at 7:before play @last p12`.

A moment is before the n-th call by which anything leaves the process, in the middle of it (`7:half`) or behind it
(`7:behind`): calls that write to the disk, and those that write an answer into a pipe. `list:FILE` kills nobody and
writes down which there are.
"""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from spyrium_cli.main import main as spyrium

Done = TypeVar("Done")

# What changes a file or a folder, as the operating system's module calls it.
CHANGES = ("fsync", "ftruncate", "link", "unlink", "rename", "replace", "mkdir", "rmdir", "chmod")


class Moments:
    """Counts the calls, and ends the process at one of them."""

    def __init__(self, moment: str) -> None:
        number, _, self._how = moment.partition(":")
        self._number = int(number) if number != "list" else -1
        self.calls: list[str] = []

    def passed(self, call: str, whole: Callable[[], Done], half: Callable[[], object] = lambda: None) -> Done:
        """Do the call, unless this is the moment."""
        number = len(self.calls)
        self.calls.append(call)
        if number != self._number:
            return whole()
        if self._how == "half":
            half()
        elif self._how == "behind":
            whole()
        return die()

    def list_at_exit(self, path: Path) -> None:
        atexit.register(lambda: path.write_text("\n".join(self.calls), encoding="utf-8"))


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class Pipe(io.FileIO):
    """Where answers go."""

    def __init__(self, number: int, moments: Moments) -> None:
        super().__init__(number, "w", closefd=False)
        self._moments = moments

    def write(self, data: Any, /) -> int:
        raw = bytes(data)
        half = raw[: len(raw) // 2]
        write = super().write
        return self._moments.passed(f"answer {self.fileno()}", lambda: write(raw), lambda: write(half))


def watch(moments: Moments) -> None:
    """From here on, every such call is one that counts."""
    for name in CHANGES:
        setattr(os, name, _watched(moments, name, getattr(os, name)))
    pwrite, opened = os.pwrite, os.open

    def writing(file: int, data: Any, at: int) -> int:
        half = bytes(data)[: len(data) // 2]
        return moments.passed("write", lambda: pwrite(file, data, at), lambda: pwrite(file, half, at))

    def opening(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        def whole() -> int:
            return opened(path, flags, mode, **more)

        return moments.passed("create", whole) if flags & os.O_CREAT else whole()

    os.pwrite = writing
    os.open = opening
    for name, number in (("stdout", 1), ("stderr", 2)):
        buffer = io.BufferedWriter(Pipe(number, moments))
        setattr(sys, name, io.TextIOWrapper(buffer, encoding="utf-8", line_buffering=name == "stderr"))


def _watched(moments: Moments, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def watched(*arguments: Any, **named: Any) -> Any:
        return moments.passed(name, lambda: call(*arguments, **named))

    return watched


def main(moment: str) -> None:
    moments = Moments(moment)
    watch(moments)
    if moment.startswith("list:"):
        moments.list_at_exit(Path(moment.partition(":")[2]))
    spyrium()


if __name__ == "__main__":
    main(sys.argv.pop(1))
