"""What a new game may be told, as people say it: readings of the rules (S-11) as NAME=VALUE, editions, colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import near

if TYPE_CHECKING:
    from spyrium_cli.settings.config import Settings
    from spyrium_log.title import AnyTitle

# The edition that is none: a settled one is left out.
NONE = "none"


def option_values(title: AnyTitle) -> dict[str, list[str]]:
    """Each option of a title with what it may say."""
    from spyrium_log.title import option_words

    return option_words(title.options)


def editions(settings: Settings, title: AnyTitle) -> dict[str, dict[str, str]]:
    """Sets of options by name: the title's editions, with what is settled of them, and one's own."""
    own = settings.table("editions")
    return {
        name: {**(title.editions[name].readings if name in title.editions else {}), **own.get(name, {})}
        for name in (*title.editions, *(name for name in own if name not in title.editions))
    }


def edition_options(settings: Settings, title: AnyTitle, name: str | None) -> dict[str, str]:
    """What the edition of that name says; nothing where none is named."""
    if name is None:
        return {}
    found = editions(settings, title)
    if name not in found:
        raise click.UsageError(f"expected an edition of {', '.join(found)}, found '{name}'{near(name, found)}")
    return found[name]


def seat_colours(title: AnyTitle, said: str, seats: int) -> list[str]:
    """Colours in the order of seats: what was said, then what is left in the box."""
    colours = [colour.strip().casefold() for colour in said.split(",")] if said else []
    for at, colour in enumerate(colours):
        if colour not in title.colours:
            raise click.UsageError(f"expected a colour of {', '.join(title.colours)}, found '{colour}'")
        if colour in colours[:at]:
            raise click.UsageError(f"expected a colour for each player alone, found '{colour}' twice")
    if len(colours) > seats:
        raise click.UsageError(f"expected at most {seats} colours for {seats} players, found {len(colours)}")
    return [*colours, *(colour for colour in title.colours if colour not in colours)][:seats]


def split_pairs(said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each; no value where none is said."""
    for option in said:
        name, _, value = option.partition("=")
        yield name, value


def parse_options(titles: Iterable[AnyTitle], said: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Options by name, each checked against what some title knows. Of two for one name the last wins."""
    options: dict[str, list[str]] = {}
    for title in titles:
        for name, values in option_values(title).items():
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


def changed_options(title: AnyTitle, own: Any, said: Mapping[str, str]) -> Any:
    """A game's own options with these in their place, as far as its title knows them; None where it knows none."""
    from spyrium_log.title import options_of

    options = option_values(title)
    mine = {name: value for name, value in said.items() if value in options.get(name, ())}
    return options_of(title.options, {**dict(own), **mine}) if mine else None
