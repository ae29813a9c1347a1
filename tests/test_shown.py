"""Nothing that a log says steers what shows it; letters of every script stay as they are."""

from __future__ import annotations

import json
import unicodedata

import msgspec
import pytest

from spyrium_log.shown import escape_json, plain

# Categories of characters that a terminal obeys, or that nobody sees: controls, formats, surrogates, ends of lines.
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Signs that are drawn, though Unicode counts them among formats: signs before numbers, hieroglyphs' joints.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13456)}


def test_whatever_is_not_seen_is_written_out() -> None:
    checked = 0
    for code in range(0x110000):
        one = chr(code)
        if unicodedata.category(one) in UNSEEN and code not in DRAWN:
            assert plain(f"a{one}b") == f"a{repr(one)[1:-1]}b", hex(code)
            checked += 1
    assert checked > 2_000


def test_whatever_is_seen_stays() -> None:
    checked = 0
    for code in range(0x110000):
        one = chr(code)
        if unicodedata.category(one)[0] in "LMNPS":
            assert plain(one) == one, hex(code)
            checked += 1
    assert checked > 130_000


@pytest.mark.parametrize(
    "word",
    [
        "日本語",
        "Ёжик",
        "Łódź",
        "שלום",
        "👨\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "❤\ufe0f\u200d🔥",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "क\u094d\u200dष",
    ],
)
def test_words_of_every_script_stay(word: str) -> None:
    assert plain(word) == word
    assert escape_json(f'"{word}"') == f'"{word}"'


@pytest.mark.parametrize("word", ["a\u200db", "\u200c", "я\u200cя", "👨\u200dx", "\u200d👩", "م\u200c"])
def test_a_joiner_that_joins_nothing_is_written_out(word: str) -> None:
    assert "\\u200" in plain(word)


def test_ends_of_lines_are_kept_where_they_are_ours() -> None:
    assert plain("a\nb\r\x85\u2028", keep="\n") == "a\nb\\r\\x85\\u2028"


@pytest.mark.parametrize(
    "word", ["\x7f\x85\x9b", "\u202e\u2066\ufeff", "\U000e0041\U0001d173", "\x00\x1b\n\t", "a\u200db"]
)
def test_json_says_the_same_without_them(word: str) -> None:
    shown = escape_json(msgspec.json.encode({word: [word]}).decode())
    assert shown.isascii()
    assert shown.isprintable()
    assert json.loads(shown) == {word: [word]}


def test_lines_of_json_stay_lines() -> None:
    assert escape_json('{\n  "a": "é\u2028"\n}') == '{\n  "a": "é\\u2028"\n}'
