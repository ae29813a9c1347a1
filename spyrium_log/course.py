"""The state after each line of a log as it was written, whatever became of the line later.

Undo goes back to an older state, so the lines that count after each line form a tree: each points at the one before it.
A state is made when somebody needs it, from the nearest one above it that is kept; lines alone cost nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from spyrium_log.folding import folded
from spyrium_log.log.lines import Amended, Event, Line, Undone
from spyrium_log.log.timeline import RefoldCounter, Standing, is_on_timeline
from spyrium_log.title import AnyTitle

# A state is kept after every so many events, and the last few that were needed. Behind the end of any game they are
# fewer, because a hostile log makes each of them large; and a log that takes back every second line has as many states
# at such a place as lines.
KEPT_EVERY: Final = 16
KEPT_SELDOM: Final = 128
LONG: Final = 2_048
KEPT_LATEST: Final = 64
KEPT_MOST: Final = 400


class _Node:
    """A line that counts, the one before it, and the last line of the log after which it was the last that counts.

    `state` is the state after it, if it is kept, made from the start of number `start`.
    """

    __slots__ = ("above", "depth", "latest", "line", "start", "state")

    def __init__(self, line: Any, above: _Node | None, latest: int) -> None:
        self.line = line
        self.above = above
        self.latest = latest
        self.depth: int = 0 if above is None else above.depth + 1
        self.state: Any = None
        self.start = 0


class Course:
    """Takes the lines of a log one by one, from its header on, and knows the state after each of them.

    `start` makes the state before the first event.
    """

    def __init__(self, title: AnyTitle, start: Callable[[], Any], file: str = "<log>") -> None:
        self._title = title
        self._start = start
        self._starts = 0
        self._root = _Node(None, None, 0)
        self._after = [self._root]
        self._latest: deque[_Node] = deque()
        self._kept_for_good = 0
        self._refolded = RefoldCounter(file)
        # the state that goes on in place, and the line that it is of
        self._running: Any = None
        self._running_node: _Node | None = None
        # the events that stand after the last line, once somebody needed them and as long as each line goes on from the
        # one before
        self._standing: Standing | None = None

    def add(self, line: Line) -> None:
        """One more line, after the header."""
        n = len(self._after)
        node = self._after[-1]
        if is_on_timeline(line):
            node = _Node(line, node, n)
            if self._standing is not None:
                self._standing.apply(line)
        elif isinstance(line, Undone):
            node = self._after[line.to]
            self._standing = None
        node.latest = n
        self._after.append(node)

    def restart(self) -> None:
        """The state before the first event is another one: none that is kept is right."""
        self._starts += 1
        self._running_node = None

    def before_last(self) -> int:
        """The latest line after which the timeline was what it is now without its last event or amendment."""
        node = self._after[-1]
        # nothing counts: it was the same after every line
        return len(self._after) - 1 if node.above is None else node.above.latest

    def now(self) -> Any:
        """The state after the last line. It is only good until the next line: it goes on in place."""
        node, running_node = self._after[-1], self._running_node
        if node is not running_node:
            if running_node is not None and node.above is running_node and type(node.line) is not Amended:
                folded(self._title, self._running, [node.line])
            else:
                self._running = self._title.copy(self.state())
            self._running_node = node
            if node.depth % KEPT_EVERY == 0 and not self._has(node):
                self._keep(node, self._title.copy(self._running))
        return self._running

    def state(self, n: int = -1) -> Any:
        """The state after a line; it may not be changed."""
        node = self._after[n]
        backwards: list[Event] = []
        kept = node
        while not self._has(kept) and kept.above is not None and type(kept.line) is not Amended:
            backwards.append(kept.line)
            kept = kept.above
        state = self._kept(kept)
        if backwards:
            if len(backwards) > KEPT_EVERY:
                self.spend(len(backwards))
            state = folded(self._title, self._title.copy(state), reversed(backwards))
            self._keep(node, state)
        return state

    def _has(self, node: _Node) -> bool:
        return node.state is not None and node.start == self._starts

    def _kept(self, node: _Node) -> Any:
        """The state of this line; the first one, and one after an amendment, are made of all that counts."""
        if self._has(node):
            return node.state
        if node.above is None:
            state = self._start()
        else:
            state = folded(self._title, self._title.copy(self._kept(self._root)), self._events(node))
        self._keep(node, state)
        return state

    def events(self) -> list[Event]:
        """What stands after the last line."""
        return self._events(self._after[-1])

    def _events(self, node: _Node) -> list[Event]:
        """What stands after the line of a node."""
        is_last = node is self._after[-1]
        standing = self._standing if is_last else None
        if standing is None:
            counting: list[Any] = []
            above: _Node | None = node
            while above is not None and above.above is not None:
                counting.append(above.line)
                above = above.above
            self.spend(len(counting))
            standing = Standing(reversed(counting))
            if is_last:
                self._standing = standing
        events = list(standing)
        self.spend(len(events))
        return events

    def _keep(self, node: _Node, state: Any) -> None:
        """Keep the state of a node, for good or until enough others were needed."""
        node.state, node.start = state, self._starts
        every = KEPT_EVERY if node.depth < LONG else KEPT_SELDOM
        if node.depth % every == 0 and self._kept_for_good < KEPT_MOST:
            self._kept_for_good += 1
            return
        self._latest.append(node)
        if len(self._latest) > KEPT_LATEST:
            self._latest.popleft().state = None

    def spend(self, events: int) -> None:
        """Count events that are folded again, and refuse a log that needs too many."""
        self._refolded.add(events)
