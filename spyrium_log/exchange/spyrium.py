"""Spyrium on a page: its words, and which points only an assumed printed value says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from spyrium_log.replay import Replay
from spyrium_log.title import AnyTitle
from spyrium_log.titles.spyrium.cards import KINDS
from spyrium_log.titles.spyrium.words import words


def names(title: AnyTitle, language: str) -> Mapping[str, Mapping[str, str]]:
    """The edition's names, and what kind of card each is."""
    say = words(language)
    causes = {why: say["causes"].get(why) or say["cards"].get(why.removeprefix("final:"), why) for why in title.causes}
    taken = ("cards", "events", "resources", "one", "kinds", "phases", "places")
    return {**{name: say[name] for name in taken}, "causes": causes, "kind": KINDS}


def assumed(done: Replay, seat: int) -> Collection[str]:
    """The parts of the final count whose printed points nobody has checked and nobody at the table said."""
    said = {entry.why for entry in done.ledger if entry.who == seat and entry.seen}
    return set(_printed(done, done.state_at(len(done.events)).mats[seat])) - said


def _printed(done: Replay, mat: Any) -> Iterator[str]:
    sheet = done.sheet.table()

    def is_assumed(of: str, what: str) -> bool:
        row = sheet.get((of, what))
        return row is not None and row.source == "assumed"

    if any(is_assumed(built.card, "points") for built in mat.buildings):
        yield from ("final:buildings", "final:engineering")
    if is_assumed("residence-track", f"space-{max(1, mat.residence)}"):
        yield "final:lobbying"
