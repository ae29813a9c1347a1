"""Founders of Gloomhaven on a terminal: its board, and its cards for whoever writes a deal down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from spyrium_cli.sheets.lookup import format_value
from spyrium_cli.titles import Card, Cards, Renderer, make_value_fields
from spyrium_cli.titles.founders import board
from spyrium_log.catalogue import read_page
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle

# The cells of a card behind its id and its name: the head, and the printed values that stand under it.
COLUMNS: Mapping[str, Sequence[str]] = {
    "level": ("level", "category", "deck"),
    "needs": ("base", "needs"),
    "forbids": ("forbids",),
    "points": ("points",),
    "shape": ("shape", "colour", "terrain", "site"),
    "does": ("does", "worker", "when"),
}
ALIGNMENT: Sequence[Literal["left", "right"]] = ("left", "left", "left", "left", "left", "right", "left", "left")
PRINTED = tuple(what for values in COLUMNS.values() for what in values)

LEGEND = """\
c d f r  1-4        coast, desert, forest, ruins; ruins with a number
~~ ## ▒▒  WW NN GG TT   river, wall, dark; sites: west, north, fortress, tower
gA  BoAA            Anna's gems; Anna's books: two letters, then whose
⌂A ═A ╪A  ··  ■1    house, bridge, gate; road; prestige building 1 of the list
-                   neutral
gems ✓A, wood 3     Anna delivered gems; wood will score 3
~                   assumed: nobody has checked it against the printed component
c fl la inc VP      coins, fleeting and lasting influence, income, points
hs br w hand        houses, bridges and gates, workers to use, cards in hand
>                   whose turn it is"""


def make_renderer(title: AnyTitle) -> Renderer:
    """The functions that draw Founders of Gloomhaven on a terminal."""
    return Renderer(
        board=board.draw_board,
        small_board=board.draw_small_board,
        without_scores=board.without_scores,
        cards=partial(list_cards, title),
        demonstration=None,
        legend=lambda language: read_page(__name__, "legend", language) or LEGEND,
    )


def list_cards(title: AnyTitle, _players: int | None, language: str) -> Cards:
    """Races, bases, then the advisers, prestige buildings and achievements of the set, kind by kind."""
    sheet, words = title.sheet(), title.words.vocabulary(language)
    rows = sheet.rows_by_key()
    kinds = title.tables.kinds(sheet)
    order = list(words["kinds"])
    cards = []
    for card, kind in sorted(kinds.items(), key=lambda each: order.index(each[1])):
        printed = {what: rows[card, what] for what in (*PRINTED, "name", f"name-{language}") if (card, what) in rows}
        cards.append(_make_card(title, card, kind, printed, language))
    return Cards(heads=[words["heads"][head] for head in ("id", "name", *COLUMNS)], alignment=ALIGNMENT, cards=cards)


def _make_card(title: AnyTitle, card: str, kind: str, printed: Mapping[str, Printed], language: str) -> Card:
    """One card, by the name that the set gives it in this language, else by the rulebook's."""
    own_name = printed.get(f"name-{language}") or printed.get("name")
    name = str(own_name.value) if own_name else title.words.component(card, language)
    cells = [" ".join(format_value(printed[what]) for what in values if what in printed) for values in COLUMNS.values()]
    fields = {"card": card, "name": name, "kind": kind, **make_value_fields(printed, PRINTED)}
    kind_name = title.words.vocabulary(language)["kinds"][kind]
    return Card(card=card, kind=kind_name, cells=[card, name, *cells], fields=fields)
