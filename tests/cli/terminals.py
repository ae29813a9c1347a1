"""Commands run in a terminal of their own, and what they wrote to it, read byte by byte.

A process that has loaded everything forks for each call, so that thousands of calls take minutes.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from spyrium_cli.main import main

# A call that takes longer hangs.
PATIENCE = 180.0
# So long nothing is written when a program waits for its next key.
QUIET = 0.12
# Before the first key it may still load what draws a screen.
LOADING = 0.7
SCREEN = b"\x1b[?1049h"
LARGE, SMALL = (60, 200), (24, 80)
# What a person presses who wants to leave, in turn.
LEAVING = (b"\x03", b"\x04", b"\x03", b"\x04")


class Seen(NamedTuple):
    """Among keys: the next one is typed once this text was written, since the last of these."""

    text: str


class Written(NamedTuple):
    """All that a call wrote to its terminal, and how it ended; below zero: by that signal."""

    raw: bytes
    code: int


def called(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    keys: Sequence[str | Seen] = (),
    size: tuple[int, int] = LARGE,
) -> Written:
    """Call the command at a terminal of its own. Each of the `keys` is typed when it waits; then it is left."""
    child, terminal = pty.fork()
    if not child:
        _be_the_command(arguments, cwd, env, size)
    try:
        raw = b"".join(_conversation(terminal, [key if isinstance(key, Seen) else key.encode() for key in keys]))
    finally:
        os.close(terminal)
        code = _ended(child)
    return Written(raw, code)


def _be_the_command(arguments: Sequence[str], cwd: Path, env: Mapping[str, str], size: tuple[int, int]) -> NoReturn:
    """In the child: its terminal passes every byte on as it is."""
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    mode = termios.tcgetattr(1)
    mode[1] &= ~termios.OPOST
    # nor does it show a key that is typed before anybody reads it
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(1, termios.TCSANOW, mode)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for name, number, way in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        stream = os.fdopen(number, way, encoding="utf-8", errors="surrogateescape", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["spyrium", *arguments]
    code = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - a program that ends so shows it by this
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _conversation(terminal: int, keys: Sequence[bytes | Seen]) -> Iterator[bytes]:
    """What it writes; whenever it has been quiet for a while, the next key is typed."""
    left: list[bytes | Seen] = [*keys, *LEAVING] if keys else []
    unseen = b""
    begun = time.monotonic()
    has_answered = is_drawn = False
    while time.monotonic() - begun < PATIENCE:
        quiet = QUIET if is_drawn or len(left) < len(keys) + len(LEAVING) else LOADING
        ready, _, _ = select.select([terminal], [], [], quiet)
        if ready:
            try:
                part = os.read(terminal, 1 << 16)
            except OSError:
                return
            if not part:
                return
            has_answered = True
            is_drawn = is_drawn or SCREEN in part
            unseen += part
            yield part
        elif left and has_answered:
            match left[0]:
                case Seen(text) if text in words_of(unseen):
                    left.pop(0)
                    unseen = b""
                case bytes(key):
                    left.pop(0)
                    os.write(terminal, key)


def _ended(child: int) -> int:
    """Its exit code; one that still runs hangs, and is killed."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# --- what was written ----------------------------------------------------------------------------

# Every sequence that rich, textual and readline write of themselves, whole; of colours no blinking and no hiding.
_OURS = re.compile(
    r"\x1b\[(?:0|[1-47]|2[1-47-9]|3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3}|;)*m"
    r"|\x1b\[(?P<row>\d{1,3});(?P<column>\d{1,3})H|\x1b\[H"
    r"|\x1b\[\d{0,3}[A-DG]"
    r"|\x1b\[[0-3]?[JK]"
    r"|\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1015|1016|1049|2004|2026|2048|2031)[hl]"
    # what the terminal is asked for: modes, its keyboard, its size, the shape of its pointer
    r"|\x1b\[\?(?:2026|2048)\$p|\x1b\[[><]\d{0,2}u|\x1b\[\?u|\x1b\[1[468]t"
    r"|\x1b\]22;(?:default|pointer|text)\x07"
)
# What may not stand on a screen in whatever way it got there; a line's end and its beginning are ours.
_FOREIGN = re.compile(
    r"[\x00-\x09\x0b-\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)
EXCERPT = 24


def foreign(raw: bytes, size: tuple[int, int] = LARGE, *, joiners: bool = False) -> list[str]:
    """Everything in it that is neither text nor a sequence of ours, each with what stands around it.

    `joiners`: those that belong to the spelling of a word or an emoji may stand there.
    """
    text = raw.decode("utf-8", "surrogateescape")
    found = []
    rest = []
    at = 0
    for ours in _OURS.finditer(text):
        rest.append(text[at : ours.start()])
        at = ours.end()
        if ours["row"] and (int(ours["row"]) > size[0] or int(ours["column"]) > size[1]):
            found.append(ours[0])
    rest.append(text[at:])
    # a mark between them, so that no two halves of anything come together
    plain = "\n".join(rest)
    found += [
        plain[max(0, one.start() - EXCERPT) : one.end() + EXCERPT]
        for one in _FOREIGN.finditer(plain)
        if not (joiners and one[0] in "\u200c\u200d")
    ]
    # a carriage return alone would write over the line; before a sequence or the end of a line it is ours
    found += re.findall(r"\r(?!\r*\n)[^\n]{1,24}", plain)
    return [repr(one) for one in found]


def words_of(raw: bytes) -> str:
    """The text that it shows, without the sequences between."""
    return _OURS.sub("", raw.decode("utf-8", "replace"))
