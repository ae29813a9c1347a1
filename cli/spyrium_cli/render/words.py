"""The words of the command line, in the user's language. Words of a game are in its title's vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from spyrium_log.catalogue import Catalogue

# In Russian, the form for one goes with 1, 21, 31 …, in Polish with 1; the form for few with 2–4, 22–24 … in both.
TEN, HUNDRED = 10, 100
FEW = (2, 3, 4)


vocabulary: Final = Catalogue("spyrium_cli", ("en", "pl", "ru"))


def translate(key: str, language: str, /, **arguments: object) -> str:
    """The sentence of a key such as `log.now`, filled with the arguments."""
    table, _, name = key.partition(".")
    return vocabulary(language)[table][name].format(**arguments)


def translate_word(word: str, table: str, language: str) -> str:
    """The word for a key of a table; the key where the table has none."""
    return vocabulary(language)[table].get(word, word)


def count_text(n: int, singular: str, language: str) -> str:
    """`1 event`, `2 events`: a number and the form of the noun that goes with it.

    `singular`: the English form for one, which is the key of the noun.
    """
    name = vocabulary.nearest(language)
    forms = vocabulary(name)["counts"].get(singular, f"{singular}/{singular}s").split("/")
    return f"{n} {forms[_FORM_INDEX[name](n)]}"


def _few_or_many(n: int) -> int:
    """The index of the form for a number that is not one: few or many."""
    return 1 if n % TEN in FEW and n % HUNDRED - n % TEN != TEN else 2


# The index of the form of a noun for a number, by language.
_FORM_INDEX: Mapping[str, Callable[[int], int]] = {
    "en": lambda n: int(n != 1),
    "pl": lambda n: 0 if n == 1 else _few_or_many(n),
    "ru": lambda n: 0 if n % TEN == 1 and n % HUNDRED != TEN + 1 else _few_or_many(n),
}
