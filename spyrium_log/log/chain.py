"""The chain: each line's hash is over its exact bytes before the hash field, and those hold the line before's hash.

It shows accidents and edits. It does not show a rewrite by somebody who recomputes it: only a signed seal or a
hash kept elsewhere does.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

# The hash that a header names as that of the line before it.
GENESIS: Final = "0" * 32
_HASH_KEY: Final = b',"hash":"'
_LINE_END: Final = b'"}'
# Bytes of a line from the key of its hash on; the hash is 32 hexadecimal digits.
TAIL: Final[int] = len(_HASH_KEY) + 32 + len(_LINE_END)


# copying an empty hash is quicker than making one
_EMPTY_HASH: Final = sha256()


def line_digest(raw: bytes) -> str:
    """The full hash of a line with its newline, 256 bits, as a seal keeps it; the line carries the first half."""
    return sha256(cut_hash(raw.removesuffix(b"\n"))).hexdigest()


def short_digest(body: bytes) -> str:
    """The first half of the hash of a line's body, 32 digits, as the line carries it."""
    running = _EMPTY_HASH.copy()
    running.update(body)
    return running.hexdigest()[:32]


def add_hash(unhashed: bytes) -> bytes:
    """A line with its hash, made from the bytes that it has with an empty one: `…,"hash":""}`."""
    body = unhashed[: -len(_HASH_KEY) - len(_LINE_END)]
    return join_hash(body, short_digest(body))


def join_hash(body: bytes, hash_: str) -> bytes:
    """A line put together from its body, as `cut_hash` leaves it, and its hash."""
    return body + _HASH_KEY + hash_.encode() + _LINE_END


def cut_hash(line: bytes) -> bytes:
    """The body of a line, over which its hash is: all before `,"hash":"…"}`."""
    return line[:-TAIL]


def is_whole(line: bytes) -> bool:
    """Whether these bytes are a complete line whose hash is right."""
    head = line[:-TAIL]
    return line[-TAIL:] == _HASH_KEY + short_digest(head).encode() + _LINE_END


def measure_whole_line(tail: bytes) -> int:
    """How many bytes of the tail are a complete line whose hash is right; 0 if it begins with none.

    An unescaped quote cannot stand inside a JSON string, so each match of the key is the key. All matches share one
    running hash, so that a hostile tail of nothing but keys costs one pass.
    """
    running = sha256()
    hashed_to = 0
    start = tail.find(_HASH_KEY)
    while start >= 0:
        running.update(tail[hashed_to:start])
        hashed_to = start
        end = start + TAIL
        if tail[start:end] == _HASH_KEY + running.hexdigest()[:32].encode() + _LINE_END:
            return end
        start = tail.find(_HASH_KEY, start + 1)
    return 0
