"""Catalogues of words in several languages: one TOML file a language in the folder `locales` of a package.

An edition (`ru-desktopgames`) falls back to its language and a language to English, so that the file of an edition
holds only what differs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Final, TypeAlias
from unicodedata import combining, normalize

from spyrium_log.plurals import PLURALS

Tables: TypeAlias = Mapping[str, Mapping[str, str]]

ENGLISH: Final = "en"
# From twice this on, a number has the form of its last two digits.
PERIOD: Final = 100

# Letters that have no mark to be left away, and what stands for them where one types without.
_PLAIN_LETTERS: Final = str.maketrans({"ł": "l"})
# What stands between the letters of a name; names are compared without it, in any alphabet.
_BETWEEN_LETTERS: Final = re.compile(r"[\W_]+")


class Catalogue:
    """The words of one package. Calling it with a language returns its tables; an unknown language is English."""

    __slots__ = ("languages", "package")

    def __init__(self, package: str, languages: tuple[str, ...]) -> None:
        """The words of this package, which has a file for each of these languages; none is read yet."""
        self.package: Final = package
        self.languages: Final = languages

    def __call__(self, language: str) -> Tables:
        """The tables of a language, each read once; of an unknown one those of English."""
        return _complete_tables(self.package, self.languages, language)

    def read_page(self, name: str, language: str) -> str:
        """A page of help of the package in a language, as `read_page` has it."""
        return read_page(self.package, name, language)

    @staticmethod
    def read_file(package: str, language: str) -> Tables:
        """The tables in the file of one language, without those that complete them."""
        return parse_catalogue(_read_text(package, f"{language}.toml"))


# What a line of a catalogue may be: the name of a table, a key with its text (of several lines: without escapes), or
# nothing; each with a comment or without.
_LINE: Final = re.compile(
    r"""
    (?: \[ (?P<table> [\w-]+ ) \]
      | (?: (?P<bare> [\w-]+ ) | "(?P<key> [^"\\\n]* )" ) [ ] = [ ]
        (?: \"""\\?\n (?P<lines> [^"\\]* ) \"""
          | "(?P<text> [^"\\\n]* (?: \\["\\nt] [^"\\\n]* )* )" )
    )?
    [ ]* (?: \# [^\n]* )? \n
    """,
    re.VERBOSE,
)
_ESCAPES: Final = {'\\"': '"', "\\\\": "\\", "\\n": "\n", "\\t": "\t"}
_ESCAPE: Final = re.compile(r"\\.")


def parse_catalogue(text: str) -> Tables:
    """The tables of a catalogue. Every command reads two or three, and a parser of all TOML takes six times as long."""
    tables: dict[str, dict[str, str]] = {}
    table: dict[str, str] = {}
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        if line is None:
            # it may still be TOML
            import tomllib  # noqa: PLC0415

            return tomllib.loads(text)
        at = line.end()
        name, bare, key, lines, value = line.groups()
        if name is not None:
            table = tables.setdefault(name, {})
        elif lines is not None:
            table[bare or key] = lines
        elif value is not None:
            table[bare or key] = _ESCAPE.sub(lambda escape: _ESCAPES[escape[0]], value) if "\\" in value else value
    return tables


def read_page(package: str, name: str, language: str) -> str:
    """A page of help, `locales/name.language.txt`, of the edition or else of its language; '' where there is none.

    There is none in English: there it stands with the code that it explains.
    """
    for each in dict.fromkeys((language, language.partition("-")[0])):
        with suppress(FileNotFoundError):
            return _read_text(package, f"{name}.{each}.txt").rstrip()
    return ""


def _read_text(package: str, name: str) -> str:
    """The text of a file in the folder `locales` of a package, wherever it is installed."""
    # loaded late, because formats for programs need no words; `importlib.resources` loads a dozen modules more
    import pkgutil  # noqa: PLC0415

    text = pkgutil.get_data(package, f"locales/{name}")
    assert text is not None  # noqa: S101 - a loader without files
    return text.decode()


@cache
def _complete_tables(package: str, languages: tuple[str, ...], language: str) -> Tables:
    """The tables of a language; words that an edition lacks are those of its language, else English ones."""
    base = language.partition("-")[0]
    if language not in languages:
        return _complete_tables(package, languages, base if base in languages else ENGLISH)
    own = Catalogue.read_file(package, language)
    if language == ENGLISH:
        return own
    fallback = _complete_tables(package, languages, ENGLISH if language == base else base)
    return {table: {**fallback.get(table, {}), **own.get(table, {})} for table in {**fallback, **own}}


def choose_form(n: int, forms: str, language: str) -> str:
    """The form of a noun after a number, by the rules of CLDR: `forms` for one and others, or for one, few and many.

    A noun with fewer forms than its language has categories, as a sign, has its last one for all that are missing.
    """
    table = PLURALS.get(language.partition("-")[0], PLURALS[ENGLISH])
    n = abs(n)
    index = int(table[n if n < len(table) else PERIOD + n % PERIOD])
    names = forms.split("/")
    return names[min(index, len(names) - 1)]


def fold_letters(name: str) -> str:
    """A name as it is compared with what was typed: small letters, without marks and what stands between them."""
    letters = normalize("NFKD", _BETWEEN_LETTERS.sub("", name).casefold()).translate(_PLAIN_LETTERS)
    return "".join(letter for letter in letters if not combining(letter))


# Words of all titles.
shared_words: Final = Catalogue("spyrium_log", ("en", "pl", "ru"))
