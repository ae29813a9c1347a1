"""The options of a title: how a table reads the rules where they leave a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import get_args

from msgspec import Struct, convert, structs

from spyrium_log.checks import check_type, check_word, refused
from spyrium_log.messages import Alternatives, argument_message


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """How a table reads the rules where they leave a choice. Titles make their options of this one.

    An option is called as in the log: `options["crane-discount"]`, `dict(options)`.
    """

    def __getitem__(self, option: str) -> str:
        fields = option_fields(type(self))
        check_word(option, "option", list(fields))
        return str(getattr(self, fields[option].name))

    def keys(self) -> Sequence[str]:
        """The names of the options."""
        return list(option_fields(type(self)))


@cache
def option_fields(kind: type[Options]) -> Mapping[str, structs.FieldInfo]:
    """The fields by what the log calls them."""
    return {field.encode_name: field for field in structs.fields(kind)}


def option_words(kind: type[Options]) -> dict[str, list[str]]:
    """Each option with the words that it may say."""
    return {name: [str(word) for word in get_args(field.type)] for name, field in option_fields(kind).items()}


def make_options(kind: type[Options], words: Mapping[str, str] | Options | None) -> Options:
    """The options that these words name, as in `{"crane-discount": "site"}`; the title's own for the others."""
    if words is None:
        return kind()
    if isinstance(words, Options):
        check_type(words, kind, "options-of-title")
        return words
    check_type(words, Mapping, "options-by-name")
    known = option_words(kind)
    chosen: dict[str, str] = {}
    for name, word in words.items():
        check_word(name, "option", list(known))
        if word not in known[name]:
            expected = argument_message("option-word", known=Alternatives(tuple(known[name])), option=name)
            raise refused(expected, word, known[name])
        # on the wire a default is left out only where it is the very same string
        if word != option_fields(kind)[name].default:
            chosen[name] = word
    return convert(chosen, kind)
