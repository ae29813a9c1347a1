"""Text for people, in their language. Text from a log has control characters written out before it is shown.

Words of a game are in its title's vocabulary.
"""

from __future__ import annotations

import re
from typing import Final

from spyrium_log.catalogue import Catalogue, choose_form, shared_words
from spyrium_log.shown import plain, with_minus

# What is shown goes through this module: other rooms have these two from here.
__all__ = ["plain", "with_minus"]

# Characters that Markdown, as code hosts read it, takes for markup: the end of a cell; the start of a tag, a link, an
# entity or a formula; bold, struck out, code. An underscore only at the end of a word, a backslash only where it
# escapes what follows, a tilde only where there is another one.
_MARKS = re.compile(
    r"\\(?=[^\w\s]|\n|$)|[|<*`\[\]$]|(?<![^\W_])_|_(?![^\W_])|~(?=[^~]*~)|&(?=#?\w+;)"
    # addresses become links by themselves
    r"|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)",
    re.IGNORECASE,
)

vocabulary: Final = Catalogue("spyrium_cli", ("en", "pl", "ru"))


def translate(key: str, language: str, /, **arguments: object) -> str:
    """The sentence of a key such as `log.now`, filled with the arguments."""
    table, _, name = key.partition(".")
    return vocabulary(language)[table][name].format(**arguments)


def translate_word(word: str, table: str, language: str) -> str:
    """The word for a key of a table; the key where the table has none."""
    return vocabulary(language)[table].get(word, word)


def invented_set_text(name: str, language: str) -> str:
    """What a game on this set is not: `the set practice-1 is invented`."""
    return translate("words.invented-set", language, name=name)


def count_text(n: int, singular: str, language: str = "en") -> str:
    """`1 event`, `2 events`. `singular` is the English form for one, which is the key of the noun in every language."""
    forms = shared_words(language)["counts"].get(singular, f"{singular}/{singular}s")
    return f"{n} {choose_form(n, forms, language)}"


def escape_markdown(text: str) -> str:
    """Any text as Markdown for a cell of a table, with its markup escaped."""
    return _MARKS.sub(r"\\\g<0>", plain(text, keep="\n")).replace("\n", "<br>")


def signed(n: int) -> str:
    """`+3`, `−3`, `0`, with a minus for people."""
    return with_minus(f"{n:+d}") if n else "0"
