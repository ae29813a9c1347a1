"""A fast reader for lines without a fault; `codec` reads any other line, and says what is wrong with it.

It is a module of its own because the compiled build takes whole modules, and cannot make Structs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from spyrium_log.log.chain import TAIL, short_digest
from spyrium_log.log.lines import Header, Line, Sealed, Undone

# Kinds of lines that are checked against more than the line before.
_CHECKED_FURTHER: Final = frozenset((Header, Undone, Sealed))
# where the body of a line with its newline ends
_BODY_END: Final = -TAIL - 1
_encode_into: Final = msgspec.json.Encoder().encode_into


def read_good_lines(
    readline: Callable[[int], bytes],
    decode: Callable[[bytes], Line | None],
    lines: list[Line],
    last: bytes,
    *,
    longest: int,
    most: int,
    room: int,
    verify: bool,
) -> tuple[bytes, bytes, int]:
    """Append lines to `lines` as long as each is whole, follows the one before it, and is in its canonical form.

    Stops at the end of the stream, at a broken line, and at a kind that is checked further. It reads no line beyond
    `longest` bytes and one, and appends no more than `most` lines and `room` bytes. Returns the last good line, the
    bytes read after it, and how many bytes were good.
    """
    # encoding into one buffer costs a third of making new bytes
    canonical = bytearray()
    previous = lines[-1].hash
    limit = longest + 1
    good = 0
    for number in range(len(lines), most):
        after = readline(limit)
        if after[-1:] != b"\n" or good + len(after) > room:
            return last, after, good
        try:
            line = decode(after)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            line = None
        if line is None or line.n != number or line.prev != previous or type(line) in _CHECKED_FURTHER:
            return last, after, good
        if verify:
            _encode_into(line, canonical)
            canonical += b"\n"
            if canonical != after or short_digest(after[:_BODY_END]) != line.hash:
                return last, after, good
        lines.append(line)
        last = after
        good += len(after)
        previous = line.hash
    return last, readline(limit), good
