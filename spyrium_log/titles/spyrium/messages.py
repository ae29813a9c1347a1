"""The words of the four editions, and the messages of this title."""

from typing import Final

from spyrium_log.catalogue import Catalogue
from spyrium_log.messages import message_maker

LANGUAGES: Final = ("en", "pl", "ru", "ru-desktopgames")

vocabulary: Final = Catalogue("spyrium_log.titles.spyrium", LANGUAGES)

# One side of a breach: what a rule expects, or what it found.
phrase: Final = message_maker(vocabulary, "findings")
# What a line of this title's notation must say.
syntax: Final = message_maker(vocabulary, "syntax")
