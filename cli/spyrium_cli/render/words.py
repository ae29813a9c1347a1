"""What the command line itself says to people, in their language. Words of the game are its title's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from spyrium_log.catalogue import Catalogue

# One ends in 1 but not in 11, few in 2, 3, 4 but not in 12, 13, 14. Polish takes only 1 itself for one.
TEN, HUNDRED = 10, 100
FEW = (2, 3, 4)


vocabulary: Final = Catalogue("spyrium_cli", ("en", "pl", "ru"))


def translate(key: str, language: str, /, **said: object) -> str:
    """The sentence of that name, as `log.now`; editions of one language share it."""
    table, _, name = key.partition(".")
    return vocabulary(language)[table][name].format(**said)


def translate_word(word: str, table: str, language: str) -> str:
    """What a table calls a word of ours; itself where it has none."""
    return vocabulary(language)[table].get(word, word)


def counted_in(n: int, one: str, language: str) -> str:
    """So many of them, in the form that goes with the number; English makes it of the word itself."""
    name = vocabulary.nearest(language)
    forms = vocabulary(name)["counts"].get(one, f"{one}/{one}s").split("/")
    return f"{n} {forms[_FORM[name](n)]}"


def _few(n: int) -> int:
    return 1 if n % TEN in FEW and n % HUNDRED - n % TEN != TEN else 2


_FORM: Mapping[str, Callable[[int], int]] = {
    "en": lambda n: int(n != 1),
    "pl": lambda n: 0 if n == 1 else _few(n),
    "ru": lambda n: 0 if n % TEN == 1 and n % HUNDRED != TEN + 1 else _few(n),
}
