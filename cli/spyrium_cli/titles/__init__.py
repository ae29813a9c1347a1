"""How titles are drawn in a terminal: their own renderer, or a plain general one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

from rich.console import ConsoleRenderable

from spyrium_cli.render.paper import Player
from spyrium_log import messages
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle

# The module of a title's renderer, which has a function `make_renderer`. A title that is not here is drawn by GENERAL.
RENDERERS: Mapping[str, str] = {"spyrium": "spyrium_cli.titles.spyrium", "founders": "spyrium_cli.titles.founders"}
GENERAL = "spyrium_cli.titles.general"

Board: TypeAlias = Callable[[Any, "Sequence[Player]", str], "Iterable[ConsoleRenderable]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card of a title. `cells` is what people read of it, `fields` what programs do."""

    card: str
    kind: str
    cells: Sequence[str]
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """The cards of a title, kind by kind, and the heads of their cells: id, name, then what the title prints.

    `last_below`: the last cell is a sentence, and stands on lines of its own below the others.
    """

    heads: Sequence[str]
    alignment: Sequence[Literal["left", "right"]]
    cards: Sequence[Card]
    last_below: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """A whole game in notation, for `spyrium demo`.

    The first `typed` moves are typed, with one that is `refused` and one that is a `mistake`; the others come from a
    file. The game is then replayed after so many events, shown after so many, and asked in SQL where points come from.
    """

    players: str
    moves: Sequence[str]
    typed: int
    refused: str
    mistake: str
    replayed: int
    shown: int
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """What draws one title.

    `board` draws a view of the title's `screens`, with its players, in a language; `small_board` the same in a third of
    the lines. `without_scores` is a view that shows nobody's points. `cards` lists the cards for so many players (None:
    for any number), in a language. `demonstration` is what `spyrium demo` runs; None where there is none. `legend`
    explains the short words and signs of the boards, for the help of the full screens.
    """

    board: Board
    small_board: Board
    without_scores: Callable[[Any], Any]
    cards: Callable[[int | None, str], Cards]
    demonstration: Callable[[], Demonstration] | None
    legend: Callable[[str], str] = lambda _language: ""


def make_value_fields(printed: Mapping[str, Printed], names: Iterable[str]) -> dict[str, Any]:
    """The fields of a card for programs: each of these values with its source, both None where it is not printed."""
    fields: dict[str, Any] = {}
    for name in names:
        row, field = printed.get(name), name.replace("-", "_")
        fields |= {field: row.value if row else None, f"{field}_source": row.source if row else None}
    return fields


def find_renderer(title: AnyTitle) -> Renderer:
    """The renderer of a title: its own, or the general one."""
    title_renderer: Renderer = import_module(RENDERERS.get(title.key, GENERAL)).make_renderer(title)
    return title_renderer


def find_similar_components(title: AnyTitle, word: str) -> Sequence[str]:
    """The components that an unknown id may mean: all that go on from it, else the one that looks like it."""
    from difflib import get_close_matches

    known = title.tables.kinds(title.sheet())
    if word in known:
        return ()
    # without the number of tokens that may stand behind a code
    stem = word.partition(":")[0].casefold()
    return [each for each in known if each.startswith(f"{stem}-")] or get_close_matches(stem, known, n=1)


def find_components_meant(title: AnyTitle, found: messages.Message) -> Sequence[str]:
    """The components that the card of a finding may mean; none where the finding is about something else."""
    card = found.arguments.get("card")
    if found.key != "findings.card" or not isinstance(card, messages.Card):
        return ()
    return find_similar_components(title, card.key)
