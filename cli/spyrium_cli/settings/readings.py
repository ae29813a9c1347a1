"""Options of a game as people write them: readings of the rules (S-11) as NAME=VALUE, editions, colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from spyrium_cli.complaint import WrongCall, did_you_mean

if TYPE_CHECKING:
    from spyrium_cli.settings.config import Settings
    from spyrium_log.title import AnyTitle, Options

NO_EDITION = "none"


def option_values(title: AnyTitle) -> dict[str, list[str]]:
    """The values that each option of a title may have, by its name."""
    from spyrium_log.title import option_words

    return option_words(title.options)


def editions(settings: Settings, title: AnyTitle) -> dict[str, dict[str, str]]:
    """Options by edition: the title's, changed by the settings, and those that only the settings have."""
    known: dict[str, dict[str, str]] = {name: {**edition.readings} for name, edition in title.editions.items()}
    for name, options in settings.table("editions").items():
        known[name] = {**known.get(name, {}), **options_of_title(options, title)}
    return known


def options_of_title(options: Mapping[str, str], title: AnyTitle) -> dict[str, str]:
    """The options without those that only another title has; unknown ones stay, to be refused."""
    from spyrium_log.titles import TITLES

    others = {name for other in TITLES.values() for name in option_values(other)} - option_values(title).keys()
    return {name: value for name, value in options.items() if name not in others}


def edition_options(settings: Settings, title: AnyTitle, name: str | None) -> dict[str, str]:
    """The options of an edition; none without a name."""
    if name is None:
        return {}
    known = editions(settings, title)
    if name not in known:
        raise WrongCall("edition", known=", ".join(known), found=name, hint=did_you_mean(name, known))
    return known[name]


def seat_colours(title: AnyTitle, text: str, seats: int) -> list[str]:
    """A colour for each seat: those chosen, then the remaining ones of the title."""
    from spyrium_log.colours import Colours, read_colour

    colours = [read_colour(colour, title.colours) for colour in text.split(",")] if text else []
    for index, colour in enumerate(colours):
        if colour not in title.colours:
            raise WrongCall("colour", known=Colours(tuple(title.colours)), found=colour)
        if colour in colours[:index]:
            raise WrongCall("colour-twice", found=Colours((colour,)))
    if len(colours) > seats:
        raise WrongCall("colours", most=seats, found=len(colours))
    return [*colours, *(colour for colour in title.colours if colour not in colours)][:seats]


def split_pairs(options: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each NAME=VALUE; the value is empty where it is missing."""
    for option in options:
        name, _, value = option.partition("=")
        yield name, value


def parse_options(titles: Iterable[AnyTitle], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The values of options by name from such pairs, checked against these titles. The last of two values wins."""
    from spyrium_log.messages import Alternatives

    options: dict[str, list[str]] = {}
    for title in titles:
        for name, values in option_values(title).items():
            options.setdefault(name, []).extend(values)
    chosen: dict[str, str] = {}
    for name, value in pairs:
        if not value or name not in options:
            shown = f"{name}={value}" if value else name
            hint = "" if name in options else did_you_mean(name, options)
            raise WrongCall("option-name", known=", ".join(options), found=shown, hint=hint)
        if value not in options[name]:
            hint = did_you_mean(value, options[name])
            known = Alternatives(tuple(options[name]))
            raise WrongCall("option-value", known=known, name=name, found=value, hint=hint)
        chosen[name] = value
    return chosen


def changed_options(title: AnyTitle, game_options: Options, changes: Mapping[str, str]) -> Options | None:
    """A game's options with the changes that its title knows; None where it knows none of them."""
    from spyrium_log.title import make_options

    options = option_values(title)
    applicable = {name: value for name, value in changes.items() if value in options.get(name, ())}
    return make_options(title.options, {**dict(game_options), **applicable}) if applicable else None
