"""What the audit says, in the language of whoever reads it. A log and a program's format hold the English of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from spyrium_log.shown import minus, named

if TYPE_CHECKING:
    from spyrium_log.title import AnyTitle

Tables = Mapping[str, Mapping[str, str]]

LANGUAGES = ("en", "pl", "ru")
ENGLISH = LANGUAGES[0]


@cache
def words(language: str) -> Tables:
    """What the house says itself. Editions of one language share it; a language nobody made is English."""
    name = language.partition("-")[0]
    file = f"{name if name in LANGUAGES else ENGLISH}.toml"
    return tomllib.loads(resources.files(__package__).joinpath("locales", file).read_text(encoding="utf-8"))


def amount(n: int, what: str, say: Tables, *, sign: bool = False) -> str:
    """`£6`, `1 worker`; signed, `−£6`."""
    before = "−" if n < 0 else "+" if sign else ""
    word = say["one"].get(what) if abs(n) == 1 else None
    name = word or say["resources"].get(what, what)
    return f"{before}{name}{abs(n)}" if name == "£" else f"{before}{abs(n)} {name}"


def whose(seat: int, names: Sequence[str], language: str) -> str:
    """The name of who sits there; where nobody does, the seat."""
    return names[seat - 1] if 0 < seat <= len(names) else words(language)["words"]["seat"].format(n=seat)


def compared(expected: str, found: str, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """`expected Bob to act, found Cy`."""
    tell = words(language)["words"]["expected"]
    return tell.format(expected=phrased(expected, title, names, language), found=phrased(found, title, names, language))


def phrased(text: str, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """One side of a finding; what nobody has words for stays as it is, with names for seats."""
    if language == ENGLISH:
        return minus(named(text, names))
    phrases = _Phrases(title.words.vocabulary(language), words(language), names, language)
    for pattern, key, house in _patterns(title.words.vocabulary):
        match = pattern.fullmatch(text)
        if match is not None:
            told = phrases.told(key, match.groupdict(), house=house)
            if told is not None:
                return told
    return phrases.stated(text) or phrases.chosen(text) or minus(named(text, names))


# What a place of a phrase holds, as the English of it is written.
_PLACES = {
    "seat": r"seat \d{1,9}",
    "n": r"[+-]?\d{1,9}",
    "m": r"[+-]?\d{1,9}",
    "card": r"'.*'",
    "what": r"\w+",
    "why": r"[\w:-]+",
    "kind": r"\w+",
    "word": r"\S+",
    "field": r"\w+",
    "parts": r"\w+ -?\d+(?:, \w+ -?\d+)*",
    "options": r"\w+(?:(?:, | or )\w+)*",
}


@cache
def _patterns(title: Callable[[str], Tables]) -> Sequence[tuple[re.Pattern[str], str, bool]]:
    """The English phrases as what they match; those without places come first, for they say what they mean."""
    found = [(key, phrase, False) for key, phrase in title(ENGLISH)["findings"].items()]
    found += [(key, phrase, True) for key, phrase in words(ENGLISH)["findings"].items()]
    found.sort(key=lambda each: "{" in each[1])
    return [(re.compile(_pattern(phrase)), key, house) for key, phrase, house in found]


def _pattern(phrase: str) -> str:
    parts = re.split(r"\{(\w+)\}", phrase)
    return "".join(f"(?P<{part}>{_PLACES[part]})" if at % 2 else re.escape(part) for at, part in enumerate(parts))


class _Phrases:
    """What stands in the places, in one language."""

    def __init__(self, title: Tables, house: Tables, names: Sequence[str], language: str) -> None:
        self.title = title
        self.house = house
        self.names = names
        self.language = language
        self.places: Mapping[str, Callable[[str], str | None]] = {
            "seat": lambda said: whose(int(said.partition(" ")[2]), names, language),
            "card": self._card,
            "what": self.title["resources"].get,
            "why": self._cause,
            "kind": self.title["kinds"].get,
            "field": self.title["fields"].get,
            "parts": self._parts,
            "options": self.chosen,
        }

    def told(self, key: str, said: Mapping[str, str], *, house: bool) -> str | None:
        """The phrase with its places filled; None where one of them holds what only looked like it."""
        filled = {place: self.places.get(place, minus)(value) for place, value in said.items()}
        if None in filled.values():
            return None
        if "what" in said and "n" in said:
            signed = said["n"][0] in "+-"
            filled["amount"] = amount(int(said["n"]), said["what"], self.title, sign=signed)
        return (self.house if house else self.title)["findings"][key].format(**filled)

    def chosen(self, text: str) -> str | None:
        """`move or score`, `1 or 2`."""
        choices = self.title["choices"]
        said = re.split(r", | or ", text)
        if not all(word in choices or re.fullmatch(r"[+-]?\d+", word) for word in said):
            return None
        return f" {self.house['words']['or']} ".join(choices.get(word) or minus(word) for word in said)

    def stated(self, text: str) -> str | None:
        """`workers_sent seat 1, slot 2, n 1`, or `token 3` where there was nothing to say."""
        tag, _, said = text.partition(" ")
        fact = self.title["facts"].get(tag)
        if fact is None:
            return self._field(text) if tag in self.title["fields"] else None
        fields = ", ".join(self._field(each) for each in said.split(", ") if each)
        return f"{fact} ({fields})" if fields else fact

    def _field(self, said: str) -> str:
        name, _, value = said.partition(" ")
        if name == "seat" and value.isdecimal():
            return whose(int(value), self.names, self.language)
        word = self.title["fields"].get(name, name)
        if value == "True":
            return word
        return f"{word} {self.title['choices'].get(value) or self._named(value) or minus(value)}"

    def _named(self, card: str) -> str | None:
        return self.title["cards"].get(card) or self.title["events"].get(card)

    def _card(self, said: str) -> str:
        card = said[1:-1]
        return self.house["words"]["card"].format(card=self._named(card) or card)

    def _cause(self, why: str) -> str | None:
        return cause(why, self.title)

    def _parts(self, said: str) -> str | None:
        parts = [part.partition(" ") for part in said.split(", ")]
        named_ = [(self._cause(why), n) for why, _, n in parts]
        return ", ".join(f"{why} {minus(n)}" for why, n in named_ if why) if all(why for why, _ in named_) else None


def cause(why: str, say: Tables) -> str | None:
    """A cause in words: what is called by a card has the card's name."""
    return say["causes"].get(why) or say["cards"].get(why.removeprefix("final:"))
