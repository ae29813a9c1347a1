"""Readings of the rules (S-11) as people say them: NAME=VALUE."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import click

from spyrium_cli.complaint import near

if TYPE_CHECKING:
    from spyrium_cli.config import Settings
    from spyrium_log.title import AnyTitle


def known(title: AnyTitle) -> dict[str, list[str]]:
    """Each option of a title with what it may say."""
    from msgspec.structs import fields

    return {field.encode_name: [str(word) for word in get_args(field.type)] for field in fields(title.options)}


def editions(settings: Settings, title: AnyTitle) -> dict[str, dict[str, str]]:
    """Sets of options by name: the title's editions, with what is settled of them, and one's own."""
    own = settings.table("editions")
    return {
        name: {**(title.editions[name].readings if name in title.editions else {}), **own.get(name, {})}
        for name in (*title.editions, *(name for name in own if name not in title.editions))
    }


def edition_of(settings: Settings, title: AnyTitle, name: str | None) -> dict[str, str]:
    """What the edition of that name says; nothing where none is named."""
    if name is None:
        return {}
    found = editions(settings, title)
    if name not in found:
        raise click.UsageError(f"expected an edition of {', '.join(found)}, found '{name}'{near(name, found)}")
    return found[name]


def pairs(said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each; no value where none is said."""
    for option in said:
        name, _, value = option.partition("=")
        yield name, value


def readings(titles: Iterable[AnyTitle], said: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Options by name, each checked against what some title knows. Of two for one name the last wins."""
    options: dict[str, list[str]] = {}
    for title in titles:
        for name, values in known(title).items():
            options.setdefault(name, []).extend(values)
    found: dict[str, str] = {}
    for name, value in said:
        if not value or name not in options:
            shown = f"{name}={value}" if value else name
            meant = "" if name in options else near(name, options)
            raise click.UsageError(f"expected NAME=VALUE with a name of {', '.join(options)}; found '{shown}'{meant}")
        if value not in options[name]:
            meant = near(value, options[name])
            raise click.UsageError(f"expected {' or '.join(options[name])} for '{name}', found '{value}'{meant}")
        found[name] = value
    return found


def chosen(title: AnyTitle, said: Mapping[str, str]) -> Any:
    """A new game's options: the title's own with these in their place."""
    from msgspec import convert
    from msgspec.structs import fields

    # on the wire a default is left out only where it is the very same string
    usual = {field.encode_name: field.default for field in fields(title.options)}
    return convert({name: value for name, value in said.items() if value != usual[name]}, title.options)


def changed(title: AnyTitle, own: Any, said: Mapping[str, str]) -> Any:
    """A game's own options with these in their place, as far as its title knows them; None where it knows none."""
    from msgspec import convert, to_builtins

    options = known(title)
    mine = {name: value for name, value in said.items() if value in options.get(name, ())}
    return convert({**to_builtins(own), **mine}, title.options) if mine else None
