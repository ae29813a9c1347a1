"""click's own sentences in other languages: recognised by their English, which the table `click` holds as templates."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from spyrium_cli.render.text import vocabulary
from spyrium_log.catalogue import shared_words

# A part that click puts in quotes.
_QUOTED = re.compile("'([^']+)'")


def translate_message(message: str, language: str) -> str:
    """A sentence of click in a language, and what stands within it; one that nobody knows as it is."""
    own = vocabulary(language)["click"]
    for key, pattern in _patterns().items():
        if match := pattern.fullmatch(message):
            return own[key].format(
                **{name: translate_message(part, language) for name, part in match.groupdict().items()}
            )
    quoted = _QUOTED.fullmatch(message)
    return shared_words(language)["words"]["card"].format(card=quoted[1]) if quoted else message


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """A pattern for each English template, in the order of the table: the longest parts that fit, on any lines."""
    return {key: re.compile(_pattern(template), re.DOTALL) for key, template in vocabulary("en")["click"].items()}


def _pattern(template: str) -> str:
    """The regular expression of a template: a group for each place, all else as it is written."""
    parts = Formatter().parse(template)
    return "".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, _, _ in parts)
