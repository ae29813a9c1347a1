"""Readings of the rules (S-11) as people say them: NAME=VALUE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

if TYPE_CHECKING:
    from spyrium_log.title import AnyTitle


def known(title: AnyTitle) -> dict[str, list[str]]:
    """Each option of a title with what it may say."""
    from msgspec.structs import fields

    return {field.encode_name: [str(word) for word in get_args(field.type)] for field in fields(title.options)}


def readings(titles: Mapping[str, AnyTitle], said: Sequence[str]) -> dict[str, str]:
    """Options by name, each checked against what some title knows."""
    options: dict[str, list[str]] = {}
    for title in titles.values():
        for name, values in known(title).items():
            options.setdefault(name, []).extend(values)
    found: dict[str, str] = {}
    for option in said:
        name, equals, value = option.partition("=")
        if not equals or name not in options:
            raise click.UsageError(f"expected NAME=VALUE with a name of {', '.join(options)}; found '{option}'")
        if value not in options[name]:
            raise click.UsageError(f"expected {' or '.join(options[name])} for '{name}', found '{value}'")
        found[name] = value
    return found


def changed(title: AnyTitle, own: Any, readings: Mapping[str, str]) -> Any:
    """A game's own options with these in their place, as far as its title knows them; None where it knows none."""
    from msgspec import convert, to_builtins

    options = known(title)
    mine = {name: value for name, value in readings.items() if value in options.get(name, ())}
    return convert({**to_builtins(own), **mine}, title.options) if mine else None
