"""The words of the languages that this title speaks, and its messages."""

from typing import Final

from spyrium_log.catalogue import Catalogue
from spyrium_log.messages import message_maker

LANGUAGES: Final = ("en", "ru")

vocabulary: Final = Catalogue("spyrium_log.titles.founders", LANGUAGES)

# One side of a breach: what a rule expects, or what it found.
phrase: Final = message_maker(vocabulary, "findings")
# What a line of this title's notation must say.
syntax: Final = message_maker(vocabulary, "syntax")
# What is wrong with a component set.
flaw: Final = message_maker(vocabulary, "flaws")
