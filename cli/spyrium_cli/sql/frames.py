"""The frames that a query process sends to its parent: a kind, a length and so many bytes."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from struct import Struct
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypedDict

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Kind: TypeAlias = bytes
# The fields of a `Question`, and what the process must know of its parent, by name: files, memory, the screen.
Request: TypeAlias = dict[str, Any]
# The index is open; whether it is a copy of one that another process writes.
OPENED: Final = b"i"
# A piece of the output.
OUTPUT: Final = b"o"
# The answer is complete: the number of rows, and whether there are more than the limit.
DONE: Final = b"d"
# The answer failed, or broke off: why.
ERROR: Final = b"e"

FRAME_SIZE = 1 << 16
# Before each frame: its kind, one byte, and the length of what follows.
_FRAME_HEAD = Struct(">cI")


class Outcome(NamedTuple):
    """The number of rows, and whether there are more than the limit."""

    rows: int
    more: bool


class Failure(TypedDict):
    """Why there is no answer. Used-up memory is only marked: the parent knows the limit, and writes the sentence."""

    is_memory: bool
    message: str
    trace: str


class FrameWriter(io.RawIOBase):
    """A file that sends its bytes as frames of output."""

    def __init__(self, file: int) -> None:
        """`file`: the descriptor of the pipe to the parent."""
        self._file = file

    def writable(self) -> bool:
        """Yes; Python asks before it puts a buffer before a file."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Send one frame; returns how many of the bytes it took."""
        piece = bytes(memoryview(data)[:FRAME_SIZE])
        self._send(OUTPUT, piece)
        return len(piece)

    def send_message(self, kind: Kind, message: Mapping[str, object]) -> None:
        """Send one frame that is no output, with its message as JSON."""
        self._send(kind, json.dumps(message).encode())

    def _send(self, kind: Kind, payload: bytes) -> None:
        """Send one frame; a pipe that is nearly full takes it in parts."""
        unsent = memoryview(_FRAME_HEAD.pack(kind, len(payload)) + payload)
        while unsent:
            unsent = unsent[os.write(self._file, unsent) :]


def read_frames(stream: IO[bytes]) -> Iterator[tuple[Kind, bytes]]:
    """The kind and the bytes of each complete frame that arrives, until the other process ends."""
    while len(head := stream.read(_FRAME_HEAD.size)) == _FRAME_HEAD.size:
        kind, length = _FRAME_HEAD.unpack(head)
        payload = stream.read(length)
        if len(payload) < length:
            return
        yield kind, payload
