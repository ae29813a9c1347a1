"""Printed values in the words of a language: the keys of a sheet are English, and are what is typed."""

from __future__ import annotations

from msgspec import Struct

from spyrium_log.catalogue import ENGLISH, shared_words
from spyrium_log.messages import Reader

# Between several symbols of one value.
_AND = "+"


class PrintedName(Struct, frozen=True):
    """A printed value without what it is: the price of a card."""

    of: str
    what: str

    def text_for(self, reader: Reader) -> str:
        """Component and value by name: `Crane – cena`; in English by the keys of a sheet, `crane price`."""
        card, what = reader.card_name(self.of), reader.title_word("values", self.what)
        return shared_words(reader.language)["printed"]["name"].format(card=card, what=what)


def value_text(value: int | str, reader: Reader) -> str:
    """A printed value: symbols, yes and no in the reader's language, all else as it is."""
    if isinstance(value, int) or reader.language == ENGLISH:
        return str(value)
    words = shared_words(reader.language)["printed-values"]
    return _AND.join(words.get(part) or reader.title_word("symbols", part) for part in value.split(_AND))
