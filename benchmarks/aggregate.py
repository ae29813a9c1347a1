"""eventsourcing: each game an aggregate with the same postings, rebuilt from the events that were stored."""

from __future__ import annotations

from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from msgspec import to_builtins

from benchmarks.contender import Contender
from benchmarks.inputs import RESOURCES, Inputs, events_of
from spyrium_log.log.codec import Log

COLUMN = {what: at for at, what in enumerate(RESOURCES)}


class Evening(Aggregate):
    """Nothing but arithmetic, as our own fold without its pieces."""

    @event("Started")
    def __init__(self, start: list[dict[str, int]]) -> None:
        self.held = [[seat.get(what, 0) for what in RESOURCES] for seat in start]

    @event("Done")
    def do(self, act: dict[str, Any], moved: list[Any]) -> None:
        self.last = act
        for posting in moved:
            self.held[posting["who"] - 1][COLUMN[posting["what"]]] += posting["n"]


def recorded(log: Log) -> Evening:
    evening = Evening(start=[dict(seat.start) for seat in log.header.seats])
    for line in events_of(log):
        evening.do(act=to_builtins(line.do), moved=to_builtins(list(line.moved)))
    return evening


def contender(inputs: Inputs) -> Contender:
    app: Application[Any] = Application()
    ids = []
    for log in inputs.logs:
        evening = recorded(log)
        app.save(evening)
        ids.append(evening.id)

    def rebuild() -> list[int]:
        evenings: list[Evening] = [app.repository.get(each) for each in ids]
        return [n for evening in evenings for seat in evening.held for n in seat]

    assert rebuild() == inputs.totals  # noqa: S101 - a peer that does other work is no peer
    return Contender("eventsourcing aggregate", "stored JSON, in memory", "decision", inputs.decisions, rebuild)
