"""A title without a renderer of its own: the view as names and values, cards with what the sheet prints on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from rich.text import Text

from spyrium_cli.render.paper import Player, text
from spyrium_cli.sheets.lookup import format_value
from spyrium_cli.titles import Card, Cards, Renderer
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle


def make_renderer(title: AnyTitle) -> Renderer:
    """The renderer of any title: nothing of it is known but its view and its sheet."""
    return Renderer(
        board=_draw_board,
        small_board=_draw_board,
        without_scores=lambda view: _hide_resource(title.score_resource, msgspec.to_builtins(view)),
        cards=partial(_list_cards, title),
        demonstration=None,
    )


def _draw_board(view: Struct, players: Sequence[Player], _language: str) -> Iterator[Text]:
    """The players, then every part of the view on a line of its own."""
    yield text("  ").join(text(f"{player.mark} {player.name}", player.style) for player in players)
    for name, value in msgspec.to_builtins(view).items():
        yield text(f"{name}: ", "bold").append_text(text(_write_value(value)))


def _write_value(value: Any) -> str:
    """A value as text: parts of a record by name, rows with semicolons between."""
    if isinstance(value, Mapping):
        return " ".join(f"{name} {_write_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        separator = "; " if any(isinstance(each, list | tuple | Mapping) for each in value) else " "
        return separator.join(map(_write_value, value)) or "–"
    return "–" if value in {None, ""} else str(value)


def _hide_resource(resource: str, view: Any) -> Any:
    """The view without what says how much of a resource somebody has: under its name, or in a row that names it."""
    if isinstance(view, Mapping):
        return {name: _hide_resource(resource, value) for name, value in view.items() if name != resource}
    if isinstance(view, list | tuple):
        rows = [value for value in view if not (isinstance(value, list | tuple) and resource in value)]
        return [_hide_resource(resource, value) for value in rows]
    return view


def _list_cards(title: AnyTitle, _players: int | None, language: str) -> Cards:
    """The cards that the sheet knows, kind by kind, with every value that it prints on them."""
    sheet = title.sheet()
    rows, kinds = sheet.rows_by_key(), title.tables.kinds(sheet)
    values = tuple(dict.fromkeys(row.what for row in sheet.printed if row.of in kinds))
    order = list(dict.fromkeys(kinds.values()))
    cards = []
    for card, kind in sorted(kinds.items(), key=lambda item: order.index(item[1])):
        printed = {what: rows.get((card, what)) for what in values}
        cards.append(_make_card(title, card, kind, printed, language))
    heads = ["id", "name", *values]
    return Cards(heads=heads, alignment=["left"] * len(heads), cards=cards)


def _make_card(title: AnyTitle, card: str, kind: str, printed: Mapping[str, Printed | None], language: str) -> Card:
    """One card with its values in the order of the heads, None for one that it lacks."""
    name = title.words.component(card, language)
    fields: dict[str, Any] = {"card": card, "name": name, "kind": kind}
    for what, row in printed.items():
        fields |= {what: row.value if row else None, f"{what}_source": row.source if row else None}
    cells = [card, name, *(format_value(row) if row else "" for row in printed.values())]
    # a title need not name its kinds
    kind_name = title.words.vocabulary(language)["kinds"].get(kind, kind)
    return Card(card=card, kind=kind_name, cells=cells, fields=fields)
