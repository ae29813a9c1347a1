"""The lines of a log that are as they should be, as fast as it goes; `codec` says what is wrong with any other.

A module by itself, for the compiled build takes whole modules and cannot make Structs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from spyrium_log.log.chain import TAIL, short_digest
from spyrium_log.log.lines import Header, Line, Sealed, Undone

_LOOKED_AT: Final = frozenset((Header, Undone, Sealed))
# where the body of a line with its newline ends
_BODY_END: Final = -TAIL - 1
_encode_into: Final = msgspec.json.Encoder().encode_into


class Stride(NamedTuple):
    """How far it went: the bytes of the last good line, those that came after it, and how many bytes were good."""

    last: bytes
    after: bytes
    good: int


def stride(
    readline: Callable[[int], bytes],
    decode: Callable[[bytes], Line | None],
    lines: list[Line],
    last: bytes,
    *,
    longest: int,
    most: int,
    room: int,
    verify: bool,
) -> Stride:
    """Add lines to those that are there, as long as each is whole, follows the one before, and is spelt as it must be.

    It ends with whatever is anything else: the end, a broken line, or one of a kind that is looked at more closely. No
    line is read beyond `longest` and a byte; there are never more lines than `most`, nor more bytes than `room`.
    """
    # encoding into a buffer that is there costs a third of encoding anew
    spelt = bytearray()
    previous = lines[-1].hash
    limit = longest + 1
    good = 0
    for number in range(len(lines), most):
        after = readline(limit)
        if after[-1:] != b"\n" or good + len(after) > room:
            return Stride(last, after, good)
        try:
            line = decode(after)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            line = None
        if line is None or line.n != number or line.prev != previous or type(line) in _LOOKED_AT:
            return Stride(last, after, good)
        if verify:
            _encode_into(line, spelt)
            spelt += b"\n"
            if spelt != after or short_digest(after[:_BODY_END]) != line.hash:
                return Stride(last, after, good)
        lines.append(line)
        last = after
        good += len(after)
        previous = line.hash
    return Stride(last, readline(limit), good)
