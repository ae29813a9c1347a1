"""The table after each line of a log as it was written, whatever became of the line later.

Undo goes back to an older table, so the lines that count after each line form a tree: each points at the one before it.
A table is made when it is asked for, from the nearest one above it that is at hand; lines alone cost nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from spyrium_log.folding import folded
from spyrium_log.log.lines import Amended, Event, Line, Undone
from spyrium_log.log.timeline import Refolded, Standing, counts
from spyrium_log.title import AnyTitle, Resynced

# A table is kept after every so many events, and the last few that were asked for. Behind the end of any game they are
# fewer, because a hostile log makes each of them large; and a log that takes back every second line has as many tables
# at such a place as lines.
KEPT_EVERY: Final = 16
KEPT_SELDOM: Final = 128
LONG: Final = 2_048
KEPT_LATEST: Final = 64
KEPT_MOST: Final = 400


class Moment(NamedTuple):
    """The table, and whether its rounds can be counted: how many deals there were, and whether none was missed."""

    state: Any
    deals: int
    is_whole: bool


class _Node:
    """A line that counts, the one before it, and the last line of the log after which it was the last that counts."""

    __slots__ = ("above", "depth", "latest", "line", "moment", "turn")

    def __init__(self, line: Any, above: _Node | None, latest: int) -> None:
        self.line = line
        self.above = above
        self.latest = latest
        self.depth: int = 0 if above is None else above.depth + 1
        self.moment: Moment | None = None
        # the start that the moment was made from
        self.turn = 0


class Course:
    """Takes the lines of a log one by one, from its header on, and knows the table after each of them.

    `start` makes the table before the first event.
    """

    def __init__(self, title: AnyTitle, start: Callable[[], Any], file: str = "<log>") -> None:
        self._title = title
        self._start = start
        self._root = _Node(None, None, 0)
        self._after = [self._root]
        self._latest: deque[_Node] = deque()
        self._kept_for_good = 0
        self._turn = 0
        self._refolded = Refolded(file)
        self._deals: dict[type, bool] = {}
        # the table that goes on in place, and the line that it is of
        self._running: Moment | None = None
        self._running_at: _Node | None = None
        # the events that stand after the last line, once they were asked for and as long as each line goes on from the
        # one before
        self._standing: Standing | None = None

    def add(self, line: Line) -> None:
        """One more line, after the header."""
        n = len(self._after)
        node = self._after[-1]
        if counts(line):
            node = _Node(line, node, n)
            if self._standing is not None:
                self._standing.take(line)
        elif isinstance(line, Undone):
            node = self._after[line.to]
            self._standing = None
        node.latest = n
        self._after.append(node)

    def restart(self) -> None:
        """The table before the first event is another one: none that is at hand is right."""
        self._turn += 1
        self._running = None

    def before_last(self) -> int:
        """The latest line after which the timeline was what it is now without its last event or amendment."""
        node = self._after[-1]
        # nothing counts: it was the same after every line
        return len(self._after) - 1 if node.above is None else node.above.latest

    def now(self) -> Moment:
        """How it stands after the last line. The table is only good until the next line: it goes on in place."""
        node = self._after[-1]
        running, above = self._running, self._running_at
        if node is not above or running is None:
            if node.above is above and running is not None and type(node.line) is not Amended:
                running = self._moved_on(running, [node.line])
            else:
                found = self.moment()
                running = Moment(self._title.copy(found.state), found.deals, found.is_whole)
            self._running, self._running_at = running, node
            if node.depth % KEPT_EVERY == 0 and not self._has(node):
                self._keep(node, Moment(self._title.copy(running.state), running.deals, running.is_whole))
        return running

    def moment(self, n: int = -1) -> Moment:
        """How it stood after a line; its table may not be changed."""
        node = self._after[n]
        above: list[Event] = []
        at = node
        while not self._has(at) and at.above is not None and type(at.line) is not Amended:
            above.append(at.line)
            at = at.above
        moment = self._kept(at)
        if above:
            if len(above) > KEPT_EVERY:
                self.spend(len(above))
            moment = self._on(moment, above)
            self._keep(node, moment)
        return moment

    def _has(self, node: _Node) -> bool:
        return node.moment is not None and node.turn == self._turn

    def _kept(self, node: _Node) -> Moment:
        if node.moment is not None and node.turn == self._turn:
            return node.moment
        moment = Moment(self._start(), 0, is_whole=True) if node.above is None else self._refold(node)
        self._keep(node, moment)
        return moment

    def events(self) -> list[Event]:
        """What stands after the last line."""
        return self._events(self._after[-1])

    def _events(self, node: _Node) -> list[Event]:
        is_last = node is self._after[-1]
        standing = self._standing if is_last else None
        if standing is None:
            counting: list[Any] = []
            at: _Node | None = node
            while at is not None and at.above is not None:
                counting.append(at.line)
                at = at.above
            self.spend(len(counting))
            standing = Standing(reversed(counting))
            if is_last:
                self._standing = standing
        events = list(standing)
        self.spend(len(events))
        return events

    def _refold(self, node: _Node) -> Moment:
        """All that counts, from the start."""
        return self._on(self._kept(self._root), self._events(node)[::-1])

    def _on(self, moment: Moment, backwards: list[Event]) -> Moment:
        """More events on a copy of a table, the last one first."""
        copy = Moment(self._title.copy(moment.state), moment.deals, moment.is_whole)
        return self._moved_on(copy, backwards[::-1])

    def _moved_on(self, moment: Moment, events: list[Event]) -> Moment:
        """More events on a table, in place."""
        deals, is_whole = moment.deals, moment.is_whole
        for event in events:
            kind = type(event.do)
            deals += self._is_deal(kind)
            is_whole = is_whole and kind is not Resynced
        return Moment(folded(self._title, moment.state, events), deals, is_whole)

    def _is_deal(self, kind: type) -> bool:
        # to ask a Struct for its class costs as much as to fold it
        found = self._deals.get(kind)
        if found is None:
            found = self._deals[kind] = issubclass(kind, self._title.wire.deal)
        return found

    def _keep(self, node: _Node, moment: Moment) -> None:
        node.moment, node.turn = moment, self._turn
        every = KEPT_EVERY if node.depth < LONG else KEPT_SELDOM
        if node.depth % every == 0 and self._kept_for_good < KEPT_MOST:
            self._kept_for_good += 1
            return
        self._latest.append(node)
        if len(self._latest) > KEPT_LATEST:
            self._latest.popleft().moment = None

    def spend(self, events: int) -> None:
        """Count what is done once more for a correction, and refuse a log that asks for too much of it."""
        self._refolded.add(events)
