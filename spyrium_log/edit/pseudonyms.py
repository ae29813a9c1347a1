"""Other words for names, the same for the same name wherever one salt is used, and names found in texts.

A keyed hash (HMAC-SHA256), so that nobody without the salt can confirm a guess. `Player 1` would need a list that is
kept from game to game, or would be somebody else in the next one.
"""

from __future__ import annotations

import base64
import hmac
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from spyrium_log.errors import SpyriumLogError

MIN_SALT = 16
# 60 bits: among a million people one in two million archives has two of one word.
LETTERS = 12

_TOKEN = re.compile(r"[^\W_]+")


class Pseudonyms:
    """One salt's words."""

    def __init__(self, salt: bytes, called: Callable[[str], str] = str) -> None:
        """`called` says whom a spelling means: people have one word, however they are written."""
        if len(salt) < MIN_SALT:
            raise SpyriumLogError(f"expected a salt of at least {MIN_SALT} bytes, found {len(salt)}")
        self._salt = salt
        self._called = called

    def digest(self, kind: str, name: str) -> str:
        """All of the keyed hash, in hex."""
        message = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._salt, message, "sha256").hex()

    def word(self, kind: str, name: str) -> str:
        """One word, fit for a name, a tag and an id; nobody is still nobody."""
        letters = base64.b32encode(bytes.fromhex(self.digest(kind, name))).decode().lower()
        return f"{kind}-{letters[:LETTERS]}" if name else ""

    def person(self, name: str) -> str:
        return self.word("person", self._called(name))

    def game(self, game: str) -> str:
        """An id in the shape that ids have, without the time that theirs begin with (UUIDv8)."""
        digits = self.digest("game", game)
        return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"


class Spot(NamedTuple):
    """Where a name stands in a text."""

    start: int
    end: int
    name: str


class Names:
    """Names to look for. A name of several words is found by any one of them that is not written small, too.

    Words are compared, not letters: `Ann` is not in `Annual`, and `anna's` and `ANNA_B` hold Anna.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[tuple[str, ...], str] = {}
        self._lengths: dict[str, set[int]] = {}
        # a name of signs alone has no words: it is looked for as it is
        self._signs: list[str] = []
        for name in sorted(names, key=len):
            self._add(unicodedata.normalize("NFC", name))

    def _add(self, name: str) -> None:
        words = _TOKEN.findall(name)
        if not words and not name.isascii():
            self._signs.append(name.strip())
        for part in [*({word for word in words if len(word) > 1 and not word.islower()}), name] if words else ():
            key = tuple(word.casefold() for word in _TOKEN.findall(part))
            self._names[key] = part
            self._lengths.setdefault(key[0], set()).add(len(key))

    def spots(self, text: str) -> Iterator[Spot]:
        """Where names stand, from left to right, the longest where several do. The text is in normal form."""
        words = list(_TOKEN.finditer(text))
        at = 0
        while at < len(words):
            many = next(self._many(words, at), 0)
            if many:
                key = tuple(word[0].casefold() for word in words[at : at + many])
                yield Spot(words[at].start(), words[at + many - 1].end(), self._names[key])
            at += many or 1

    def _many(self, words: list[re.Match[str]], at: int) -> Iterator[int]:
        """How many words from here on are a name, the most first."""
        for many in sorted(self._lengths.get(words[at][0].casefold(), ()), reverse=True):
            key = tuple(word[0].casefold() for word in words[at : at + many])
            if len(key) == many and key in self._names:
                yield many

    def replaced(self, text: str, pseudonyms: Pseudonyms) -> str:
        """The text with every name in it replaced."""
        text = unicodedata.normalize("NFC", text)
        parts = []
        done = 0
        for spot in self.spots(text):
            parts += [text[done : spot.start], pseudonyms.person(spot.name)]
            done = spot.end
        text = "".join([*parts, text[done:]])
        for sign in self._signs:
            text = text.replace(sign, pseudonyms.person(sign))
        return text

    def found(self, text: str) -> set[str]:
        """Which names stand in a text."""
        text = unicodedata.normalize("NFC", text)
        return {spot.name for spot in self.spots(text)} | {sign for sign in self._signs if sign in text}
