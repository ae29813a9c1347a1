"""Moves that an undo took back, so that they can be offered again: for what was forgotten before them, or a redo."""

from __future__ import annotations

from collections.abc import Iterator

from spyrium_log.log.lines import Undone
from spyrium_log.log.timeline import ref_of
from spyrium_log.play import Play
from spyrium_log.replay import replay

# In front of a move: it comes before what is offered. Alone: the offered move is left out, or all of them.
BEFORE = "+"
LEFT_OUT = "-"
ALL_LEFT_OUT = "--"


def list_taken_back(play: Play) -> list[str]:
    """The moves that the undo on the last line took back, the earliest first, as they are typed; none after any other.

    Statements, such as a count or a pause, were about the table as it then was, and are not among them.
    """
    last, title = play.log.lines[-1], play.title
    if not isinstance(last, Undone):
        return []
    before = replay(play.log, until=last.n - 1, audit=False)
    standing = {ref_of(event) for event in play.list_events()}

    def list_notations() -> Iterator[str]:
        """Each event that stands no more, as it was written on the table of that time."""
        for place, event in enumerate(before.events):
            if ref_of(event) not in standing and title.tables.verb(event.do) != "state":
                state = before.state_at(place)
                is_own_turn = title.awaits(state).seats == (getattr(event.do, "seat", 0),)
                words = title.words
                yield words.spell(state, event.do) if is_own_turn else words.write(state, event.do)

    return [*list_notations()]
