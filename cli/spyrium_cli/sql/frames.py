"""What the process that answers sends to the one that asked: frames of a kind, a length and so many bytes."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from struct import Struct
from typing import IO, Any, Final, TypeAlias

Kind: TypeAlias = bytes
# The index is open; whether it is a copy of one that another process writes.
OPENED: Final = b"i"
# A piece of the output.
OUTPUT: Final = b"o"
# The answer is complete; how many rows, and whether there are more than the limit.
DONE: Final = b"d"
# There is no answer, or no more of it; why.
ERROR: Final = b"e"

# Nobody holds more of an answer at once.
PIECE = 1 << 16
_HEAD = Struct(">cI")


class FrameWriter(io.RawIOBase):
    """A file whose bytes leave as frames of output."""

    def __init__(self, file: int) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        """One frame; whoever writes a larger piece is told how much of it was taken."""
        piece = bytes(memoryview(data)[:PIECE])
        self._send(OUTPUT, piece)
        return len(piece)

    def report(self, kind: Kind, message: dict[str, object]) -> None:
        self._send(kind, json.dumps(message).encode())

    def _send(self, kind: Kind, payload: bytes) -> None:
        left = memoryview(_HEAD.pack(kind, len(payload)) + payload)
        while left:
            left = left[os.write(self._file, left) :]


def frames(stream: IO[bytes]) -> Iterator[tuple[Kind, bytes]]:
    """The frames that arrive, until the other process is gone. What it broke off is not one of them."""
    while len(head := stream.read(_HEAD.size)) == _HEAD.size:
        kind, length = _HEAD.unpack(head)
        payload = stream.read(length)
        if len(payload) < length:
            return
        yield kind, payload
