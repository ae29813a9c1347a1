"""The legal alternatives of each decision: too many to store, quick to compute. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from spyrium_log.log.timeline import insertion_number
from spyrium_log.replay import Replay


class Alternative(Struct, frozen=True, kw_only=True):
    """One legal act at one decision that stands: keys and words are those of the tables decision and offer."""

    game: str
    n: int
    i: int
    seat: int
    act: str
    verb: str
    card: str | None
    space: int | None
    notation: str
    chosen: bool


def alternatives(replay: Replay, where: int | str | None = None) -> Iterator[Alternative]:
    """At every decision, or at one event by its name, what the rules allowed whoever was to act."""
    title = replay.title
    state = title.copy(replay.snapshots[0])
    for event in replay.events:
        if where is None or replay.name_of(event) == str(where):
            for act in title.legal(state):
                deed = title.tables.deed(state, act)
                yield Alternative(
                    game=replay.header.game,
                    n=event.n,
                    i=insertion_number(event),
                    seat=act.seat,
                    act=str(type(act).__struct_config__.tag),
                    verb=deed.verb,
                    card=deed.card or None,
                    space=deed.space or None,
                    notation=title.words.write(state, act),
                    chosen=act == event.do,
                )
        title.evolve(state, event.do, event.moved, event.facts)
