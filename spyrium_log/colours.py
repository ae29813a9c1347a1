"""Colours of seats: the English words that logs and programs have, and what they are called in each language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from msgspec import Struct

from spyrium_log.catalogue import fold_letters, shared_words
from spyrium_log.messages import Reader

_TABLE = "colours"
# Letters of a colour in another language than English that stand for it.
LEAST_BEGINNING = 2


def colour_name(colour: str, language: str) -> str:
    """What a colour is called in a language; a word that is no colour of the house as it is."""
    return shared_words(language)[_TABLE].get(colour, colour)


class Colours(Struct, frozen=True):
    """Colours in a message: `blue, red`."""

    colours: tuple[str, ...]

    def text_for(self, reader: Reader) -> str:
        """Their names in the reader's language, with commas between."""
        return ", ".join(colour_name(colour, reader.language) for colour in self.colours)


class SeatedColours(Struct, frozen=True):
    """The players of a table with their colours: `Anna (blue), Bob (red)`."""

    players: tuple[str, ...]
    colours: tuple[str, ...]

    def text_for(self, reader: Reader) -> str:
        """Each player, as named at the table, with the colour in the reader's language."""
        pairs = zip(self.players, self.colours, strict=False)
        return ", ".join(f"{player} ({colour_name(colour, reader.language)})" for player, colour in pairs)


@cache
def _map_names_to_colours() -> dict[str, str]:
    """The colour of each name in any language, without marks; no two languages call two colours by one name."""
    languages = shared_words.languages
    return {fold_letters(name): key for each in languages for key, name in shared_words(each)[_TABLE].items()}


def read_colour(typed: str, known: Collection[str]) -> str:
    """The colour of `known` that somebody typed, in English or in another language; what is none in small letters."""
    folded = typed.strip().casefold()
    colour = folded if folded in known else _map_names_to_colours().get(fold_letters(folded), folded)
    return colour if colour in known else folded


def find_seats_by_colour(typed: str, colours: Sequence[str]) -> Iterator[list[bool]]:
    """For each seat whether its colour is, and then whether it begins with, what was typed in another language.

    One letter begins a colour of some language too often: `C` is a player that is not there, and no czerwony.
    """
    folded = fold_letters(typed)
    names = [[name for name, key in _map_names_to_colours().items() if key == colour] for colour in colours]
    yield [folded in each for each in names]
    yield [len(folded) >= LEAST_BEGINNING and any(name.startswith(folded) for name in each) for each in names]
