"""Names replaced by words that are the same for the same name and salt.

A keyed hash (HMAC-SHA256), so that nobody without the salt can confirm a guess. Numbered players would need a list
kept from game to game.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable

from spyrium_log.errors import SpyriumLogError

MIN_SALT = 16
# 60 bits: among a million people, one archive in two million has the same word twice.
LETTERS = 12


class Pseudonyms:
    """The words of one salt. `person_of` maps the spellings of one person's name to one spelling."""

    def __init__(self, salt: bytes, person_of: Callable[[str], str] = str) -> None:
        if len(salt) < MIN_SALT:
            raise SpyriumLogError(f"expected a salt of at least {MIN_SALT} bytes, found {len(salt)}")
        self._salt = salt
        self._person_of = person_of

    def digest(self, kind: str, name: str) -> str:
        """The whole keyed hash, in hex."""
        message = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._salt, message, "sha256").hex()

    def word(self, kind: str, name: str) -> str:
        """A word that may stand for a name, a tag or an id. An empty name stays empty."""
        letters = base64.b32encode(bytes.fromhex(self.digest(kind, name))).decode().lower()
        return f"{kind}-{letters[:LETTERS]}" if name else ""

    def person(self, name: str) -> str:
        return self.word("person", self._person_of(name))

    def game(self, game: str) -> str:
        """An id in the usual shape, without the time that it usually begins with (UUIDv8)."""
        digits = self.digest("game", game)
        return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"
