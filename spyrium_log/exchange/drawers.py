"""What a page needs to draw a title's board. A title without a drawer of its own gets tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from spyrium_log.exchange import spyrium
from spyrium_log.exchange.still import Board, tables
from spyrium_log.replay import Replay
from spyrium_log.title import AnyTitle

Words = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawer:
    """`script` defines `draw(step, before, page)`, `seen` is what it draws, `words` are its cards, causes and so on.

    `assumed` names the parts of a seat's score that only assumed printed values say. `board` makes the HTML of the last
    event that the script would draw, for a reader without scripts.
    """

    script: str
    seen: Callable[[AnyTitle, Any], Any]
    words: Callable[[AnyTitle, str], Words]
    assumed: Callable[[Replay, int], Collection[str]]
    board: Board


def _view(title: AnyTitle, state: Any) -> Any:
    # tuples become lists, as they will be on the page
    return msgspec.json.decode(msgspec.json.encode(title.screens.view(state)))


def _tables(title: AnyTitle, state: Any) -> Any:
    """What everybody holds, seat by seat, and the view as it is."""
    mats: dict[str, dict[str, int]] = {}
    for holding in title.held(state):
        if holding.who:
            mats.setdefault(str(holding.who), {})[holding.what] = holding.n
    return {"mats": mats, "board": _view(title, state)}


def _all_parts(done: Replay, seat: int) -> Collection[str]:
    """Nobody says which parts rest on printed values, so all of them may."""
    return done.score_parts(seat) if done.assumed else ()


DRAWERS: Mapping[str, Drawer] = {
    "spyrium": Drawer(
        script="spyrium.js", seen=_view, words=spyrium.names, assumed=spyrium.assumed, board=spyrium.board
    ),
}
TABLES = Drawer(script="tables.js", seen=_tables, words=lambda _title, _language: {}, assumed=_all_parts, board=tables)


def drawer_of(key: str) -> Drawer:
    return DRAWERS.get(key, TABLES)
