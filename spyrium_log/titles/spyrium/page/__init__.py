"""Spyrium's part of a game's page: the board as a template and as a script, its words, which points are assumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import resources

from spyrium_log.sheet import Sheet
from spyrium_log.title import Drawing
from spyrium_log.titles.spyrium.cards import KINDS
from spyrium_log.titles.spyrium.effects import CAUSES
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.state import State

_TABLES = ("cards", "events", "resources", "one", "kinds", "phases", "places", "page")


def page_words(language: str) -> Mapping[str, Mapping[str, str]]:
    """The edition's names, and the kind of each card."""
    tables = vocabulary(language)
    causes = {why: tables["causes"].get(why) or tables["cards"].get(why.removeprefix("final:"), why) for why in CAUSES}
    return {**{name: tables[name] for name in _TABLES}, "causes": causes, "kind": KINDS}


def assumed_causes(sheet: Sheet, state: State, seat: int) -> Collection[str]:
    """Causes of a seat's final count that rest on printed points which nobody has checked."""
    mat = state.mats[seat]
    assumed = {key for key, row in sheet.rows_by_key().items() if row.source == "assumed"}
    causes = set()
    if any((built.card, "points") in assumed for built in mat.buildings):
        causes |= {"final:buildings", "final:engineering"}
    if ("residence-track", f"space-{max(1, mat.residence)}") in assumed:
        causes.add("final:lobbying")
    return causes


def _file_text(name: str) -> str:
    """A file of this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


DRAWING: Drawing[State] = Drawing(
    template=lambda: _file_text("board.html"),
    script=lambda: _file_text("board.js"),
    style=lambda: _file_text("board.css"),
    words=page_words,
    assumed=assumed_causes,
)
