"""The chain: each line's hash is over its exact bytes before the hash field, and those hold the line before's hash.

It shows accidents and edits. It does not show a rewrite by somebody who recomputes it: only a signed seal or a
hash kept elsewhere does.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

GENESIS: Final = "0" * 32
_KEY: Final = b',"hash":"'
_END: Final = b'"}'
TAIL: Final[int] = len(_KEY) + 32 + len(_END)


# A copy of one that has seen nothing is at hand sooner than a new one.
_NOTHING: Final = sha256()


def digest(body: bytes) -> str:
    """All 256 bits, as a seal keeps them; a line carries the first half."""
    return sha256(body).hexdigest()


def short_digest(body: bytes) -> str:
    """As much of it as a line carries."""
    hashed = _NOTHING.copy()
    hashed.update(body)
    return hashed.hexdigest()[:32]


def closed(unhashed: bytes) -> bytes:
    """The line with its hash, from the encoding of the same line with an empty one."""
    body = unhashed[: -len(_KEY) - len(_END)]
    return hashed(body, short_digest(body))


def hashed(body: bytes, hash_: str) -> bytes:
    """The line that a body and its hash are."""
    return body + _KEY + hash_.encode() + _END


def body(line: bytes) -> bytes:
    return line[:-TAIL]


def is_whole(line: bytes) -> bool:
    """Whether these bytes are a complete line of right hash, whatever they say."""
    head = line[:-TAIL]
    return line[-TAIL:] == _KEY + short_digest(head).encode() + _END


def whole_prefix(tail: bytes) -> int:
    """How many bytes of the tail are a complete line of right hash; 0 if it begins with none.

    An unescaped quote cannot stand inside a JSON string, so each occurrence of the key is the key. One running
    hash serves them all: a hostile tail of nothing but keys costs one pass.
    """
    running = sha256()
    done = 0
    at = tail.find(_KEY)
    while at >= 0:
        running.update(tail[done:at])
        done = at
        end = at + TAIL
        if tail[at:end] == _KEY + running.hexdigest()[:32].encode() + _END:
            return end
        at = tail.find(_KEY, at + 1)
    return 0
