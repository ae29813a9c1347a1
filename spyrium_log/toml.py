"""TOML that people wrote, read without the inputs that take the standard library minutes; and texts to write in it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import msgspec

# No file of this program has a key of more than three parts.
MOST_PARTS = 16
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML; tomllib.TOMLDecodeError where it is none, or has a key that would take tomllib minutes."""
    # A key of n parts takes n³ steps: `a.a.a.a…` of 64 kB would take a quarter of an hour.
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") >= MOST_PARTS and _STRING.sub("", line).count(".") >= MOST_PARTS:
            raise tomllib.TOMLDecodeError(f"More than {MOST_PARTS} parts in a key (at line {number}, column 1)")
    return tomllib.loads(text)


def toml_string(text: str) -> str:
    """The text in quotes: TOML's strings are JSON's, but that DEL must be escaped."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
