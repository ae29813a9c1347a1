"""Errors for lines that cannot be read, or that are not as they were written."""

from __future__ import annotations

import re

import msgspec

from spyrium_log.errors import LogError
from spyrium_log.log import chain
from spyrium_log.shown import replace_unprintable

# What decoding hostile bytes may raise.
DECODE_ERRORS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
# The deepest line a title can be asked to hold; what nests deeper cannot be well typed.
MAX_DEPTH = 16

# The code of an error and the key of its message by how the decoder's sentence begins: further on it quotes the line,
# which may say anything.
_BY_SENTENCE = (
    (r"Input data was truncated", "truncated", "not-this-kind"),
    (r"Object contains unknown field", "unknown-field", "not-this-kind"),
    (r"Object missing required field", "missing-field", "not-this-kind"),
    (r"Invalid (enum )?value", "unknown-word", "not-this-kind"),
    (r"(Integer value|Number) out of range|Invalid RFC3339", "out-of-range", "not-this-kind"),
    (r"Expected `[^`]*` (?!- at)", "out-of-range", "decoder"),
    (r"Expected", "wrong-type", "decoder"),
    (r"", "not-json", "not-json"),
)


def complaint_of(error: Exception, raw: bytes, file: str, line: int) -> LogError:
    """Our error for what the decoder says of a line; it quotes no more than a person can read."""
    if isinstance(error, RecursionError):
        return LogError("too-deep", file=file, line=line, most=MAX_DEPTH)
    if isinstance(error, UnicodeDecodeError):
        return LogError("not-utf8", file=file, line=line, found=f"0x{error.object[error.start]:02x}")
    if not raw.strip():
        return LogError("blank", file=file, line=line)
    text = str(error)[:300]
    code, key = next((code, key) for pattern, code, key in _BY_SENTENCE if re.match(pattern, text))
    message = text if text.startswith("JSON") else text[:1].lower() + text[1:]
    return LogError(code, key, file=file, line=line, found=replace_unprintable(message))


def check_bytes(bare: bytes, canonical: bytes | None, hash_: str, file: str, line: int) -> None:
    """Refuse a line that is not spelled as its canonical bytes (None: not compared), or whose hash is not its own."""
    if canonical is not None and canonical != bare:
        pairs = zip(canonical, bare, strict=False)
        start = next((index for index, (right, wrong) in enumerate(pairs) if right != wrong), len(bare))
        # quoted where they begin to differ, and a few characters around
        found = bare[max(0, start - 12) : start + 12].decode("utf-8", "replace")
        raise LogError("not-canonical", file=file, line=line, found=replace_unprintable(found))
    if not chain.is_whole(bare):
        expected = chain.short_digest(chain.cut_hash(bare))
        raise LogError("hash", file=file, line=line, expected=expected, found=replace_unprintable(hash_))
