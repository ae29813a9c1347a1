"""The frames that a query process sends to its parent: a kind, a length and so many bytes."""

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
# The answer is complete: the number of rows, and whether there are more than the limit.
DONE: Final = b"d"
# The answer failed, or broke off: why.
ERROR: Final = b"e"

# The most bytes of a frame.
PIECE = 1 << 16
_HEAD = Struct(">cI")


class FrameWriter(io.RawIOBase):
    """A file that sends its bytes as frames of output."""

    def __init__(self, file: int) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        """Send one frame; returns how many of the bytes it took."""
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
    """The complete frames that arrive, until the other process ends."""
    while len(head := stream.read(_HEAD.size)) == _HEAD.size:
        kind, length = _HEAD.unpack(head)
        payload = stream.read(length)
        if len(payload) < length:
            return
        yield kind, payload
