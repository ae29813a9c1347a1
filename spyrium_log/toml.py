"""TOML that people wrote, read without the inputs that take the standard library minutes; and texts to write in it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

# No file of this program has a key of more than three parts.
MOST_PARTS = 16
# Comments and strings. One of several lines may end in up to two quotes of its own.
_NO_KEY = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML; tomllib.TOMLDecodeError where it is none.

    A key of n parts takes the library n³ steps: `a.a.a.a…` of 64 kB would take a quarter of an hour.
    """
    # loaded late, for few commands find such a file
    import tomllib  # noqa: PLC0415

    if any(line.count(".") >= MOST_PARTS for line in text.split("\n")):
        _refuse_long_keys(text)
    return tomllib.loads(text)


def _refuse_long_keys(text: str) -> None:
    """Refuse a line with too many dots for a key outside comments and strings, which are blanked first."""
    import tomllib  # noqa: PLC0415 - as above

    keys = _NO_KEY.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(keys.split("\n"), 1):
        if line.count(".") >= MOST_PARTS:
            raise tomllib.TOMLDecodeError(f"More than {MOST_PARTS} parts in a key (at line {number}, column 1)")


def toml_string(text: str) -> str:
    """The text in quotes: TOML's strings are JSON's, but that DEL must be escaped."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
