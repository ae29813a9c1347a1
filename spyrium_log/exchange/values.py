"""Files, names, scores and days as other programs write them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any, NoReturn, TypeAlias
from uuid import UUID, uuid5

from spyrium_log.errors import ExchangeError
from spyrium_log.shown import replace_unprintable
from spyrium_log.store import fold_name

# A plain value of JSON, of whatever type.
Json: TypeAlias = Any

MAX_BYTES = 32_000_000
# Values of a JSON file, counting brackets and commas: 15,000 plays with all that BG Stats says of them.
MAX_VALUES = 1_000_000
# As the log takes them.
MAX_NAME = 60
MAX_TEXT = 500
MAX_POINTS = 99_999
MAX_MINUTES = 100_000
# Longer than any formula that somebody typed at a table.
MAX_SCORE_TEXT = 100

_NAMESPACE = UUID("b5f43a0c-0a5e-5a43-9d6f-3f1c8a7f52d1")
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_SUM = re.compile(r"[+-]?[0-9]{1,6}(?:\s*[+-]\s*[0-9]{1,6})*")
_TERM = re.compile(r"[+-]?\s*[0-9]+")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?")
_DOTTED_DAY = re.compile(r"([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})")


@contextmanager
def wrap_errors(key: str, **arguments: str) -> Iterator[None]:
    """Word every ExchangeError of the block anew: `key` is of a template with {message}, as `at` and `for-player`."""
    try:
        yield
    except ExchangeError as error:
        raise ExchangeError(key, message=error, **arguments) from None


def decode_utf8(raw: bytes, file: str) -> str:
    """The text of a file without its byte order mark."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise utf8_error(error, file) from None


def utf8_error(error: UnicodeDecodeError, file: str) -> ExchangeError:
    """The error for bytes that are no text; it quotes the first wrong one and names its line."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return ExchangeError("not-utf8", found=f"0x{error.object[error.start]:02x}", place=f"{file}:{line}")


def check_json_size(raw: bytes, file: str) -> None:
    """Refuse JSON of too many values before any is made: an empty list of two bytes takes fifty."""
    if sum(map(raw.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ExchangeError("too-many-values", most=MAX_VALUES, place=file)


def decode_json(raw: bytes, file: str) -> Json:
    """The plain value in a JSON file, strictly: no key twice, no infinity, not too many values."""
    check_json_size(raw, file)
    text = decode_utf8(raw, file)
    try:
        with wrap_errors("at", place=file):
            return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse_nan, parse_float=_read_float)
    except json.JSONDecodeError as error:
        raise ExchangeError("not-json", found=error.msg.lower(), place=f"{file}:{error.lineno}") from None
    except RecursionError:
        raise ExchangeError("bgstats-depth", place=file) from None
    except ValueError as error:
        # a number of thousands of digits
        raise ExchangeError("not-json", found=make_quotable(error), place=file) from None


def _make_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """The JSON object of these pairs. One with a key twice is refused: nobody could say which value counts."""
    json_object = dict(pairs)
    if len(json_object) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ExchangeError("json-key-twice", found=make_quotable(twice))
    return json_object


def _refuse_nan(word: str) -> NoReturn:
    """Called for `NaN` and `Infinity`, which Python reads and JSON does not have."""
    raise ExchangeError("json-constant", found=word)


def _read_float(text: str) -> float | str:
    """The number; `1e999` would be infinity and stays a text, which is of the wrong type wherever it stands."""
    number = float(text)
    return number if abs(number) < float("inf") else text


def make_game_id(source: str, identity: str) -> str:
    """The id of a game of another program: the same wherever and however often it is read."""
    return str(uuid5(_NAMESPACE, f"{source}:{identity}"))


def tidy(text: str) -> str:
    """The text with one spelling of each character, and one space between words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def make_quotable(value: object) -> str:
    """A value for a message: cut, and without what cannot be printed."""
    text = str(value)
    return replace_unprintable(text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}…")


def resolve_alias(aliases: Mapping[str, str], *names: str) -> str:
    """The alias of the first of these names that has one; without any, the last name."""
    for name in filter(None, names):
        if (known := aliases.get(name) or aliases.get(fold_name(name))) is not None:
            return known
    return tidy(names[-1])


def parse_points(text: str, *, allow_sum: bool = False) -> int:
    """A score: one whole number or, where the format has formulas, a sum of them."""
    stripped = text.strip()
    if not stripped:
        raise ExchangeError("no-score")
    if len(stripped) <= MAX_SCORE_TEXT and (_SUM if allow_sum else _NUMBER).fullmatch(stripped):
        total = sum(int("".join(term.split())) for term in _TERM.findall(stripped))
        if abs(total) <= MAX_POINTS:
            return total
    raise ExchangeError("score", found=make_quotable(text))


def parse_day(text: str) -> str:
    """A day as 2026-11-18. Between dots the day stands first everywhere; between slashes nobody can tell."""
    stripped = text.strip()
    if match := _DAY.fullmatch(stripped):
        year, month, day = match.groups()
    elif match := _DOTTED_DAY.fullmatch(stripped):
        day, month, year = match.groups()
    else:
        raise ExchangeError("day", found=make_quotable(text))
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        raise ExchangeError("no-such-day", found=make_quotable(text)) from None


def minutes_or_none(minutes: int) -> int | None:
    """How long the game took; None where the number says nothing, which is no reason to refuse the game."""
    return minutes if 0 < minutes <= MAX_MINUTES else None
