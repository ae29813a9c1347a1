"""The words of reports in several languages: heads of columns, sentences beside tables, cells that hold our own words.

The words of questions and explanations stand with the SQL of each report, and names of cards and causes in the title's
vocabulary.
"""

from __future__ import annotations

from typing import Final

from spyrium_log.catalogue import ENGLISH, Catalogue

report_words: Final = Catalogue("spyrium_log.analysis", ("en", "pl", "ru"))

NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"


def fill(key: str, language: str, /, **arguments: str | int) -> str:
    """The sentence of a key such as `sentences.kept`, filled; numbers have groups of digits."""
    table, _, name = key.partition(".")
    texts = {
        place: group_digits(value, language) if isinstance(value, int) else value for place, value in arguments.items()
    }
    return report_words(language)[table][name].format(**texts)


def word(table: str, key: str, language: str) -> str:
    """The word for a key of the tables or of an option; the key where the table has none."""
    return report_words(language)[table].get(key, key)


def head_text(name: str, language: str = ENGLISH, figure: str = "") -> str:
    """The head of a column: one that this figure alone has, else that of all columns of this name, else its name."""
    heads = report_words(language)["heads"]
    return heads.get(f"{figure}.{name}") or heads.get(name) or name.replace("_", " ")


def group_digits(value: int, language: str) -> str:
    """A whole number with groups of three digits, as the language writes them: `1,203` in English."""
    return separate_groups(f"{value:,}", language)


def separate_groups(number: str, language: str) -> str:
    """A number written as in English: elsewhere groups of digits have a space between them, and decimals a comma."""
    return number if language == ENGLISH else number.replace(",", NO_BREAK_SPACE).replace(".", ",")
