"""The state after each line of a log as it was written, whatever became of the line later.

Undo goes back to an older state, so the lines that count after each line form a tree: each points at the one before it.
A state is made when somebody needs it, from the nearest one above it that is kept; lines alone cost nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from spyrium_log.folding import fold_events
from spyrium_log.log.lines import Amended, Event, Line, Undone
from spyrium_log.log.timeline import RefoldCounter, Standing, is_on_timeline
from spyrium_log.title import AnyTitle

# A state is kept after every so many events, and the last few that were needed; fewer in a log that is longer than any
# game, because a hostile one makes each state large. KEPT_MOST, because a log that takes back every second line reaches
# such a place on every line.
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
        """The node of an event or amendment, or the root: no line, and nothing above. Its state is made on demand."""
        self.line = line
        self.above = above
        self.latest = latest
        self.depth: int = 0 if above is None else above.depth + 1
        self.state: Any = None
        self.start = 0


class Course:
    """Takes a log line by line, from its header on, and knows the state after each; `make_start` makes the first."""

    def __init__(self, title: AnyTitle, make_start: Callable[[], Any], file: str = "<log>") -> None:
        """A course without lines; `file` names the log in the error for one that needs too much work."""
        self._title = title
        self._make_start = make_start
        self._starts = 0
        self._root = _Node(None, None, 0)
        # for each line of the log, the last line that counted then
        self._nodes = [self._root]
        self._latest_kept: deque[_Node] = deque()
        self._kept_for_good = 0
        # counts events that are folded again, and refuses a log that needs too many
        self.count_refolded = RefoldCounter(file).add
        # the state that goes on in place, and the line that it is of
        self._running_state: Any = None
        self._running_node: _Node | None = None
        # the events that stand after the last line, once somebody needed them and as long as each line goes on from the
        # one before
        self._standing: Standing | None = None

    def add(self, line: Line) -> None:
        """Take the next line after the header: it adds a node, goes back to an older one, or changes no event."""
        n = len(self._nodes)
        node = self._nodes[-1]
        if is_on_timeline(line):
            node = _Node(line, node, n)
            if self._standing is not None:
                self._standing.apply(line)
        elif isinstance(line, Undone):
            node = self._nodes[line.to]
            self._standing = None
        node.latest = n
        self._nodes.append(node)

    def restart(self) -> None:
        """Forget every state: the one before the first event has changed, as by a corrected header."""
        self._starts += 1
        self._running_node = None

    def line_before_last(self) -> int:
        """The latest line after which the timeline was what it is now without its last event or amendment."""
        node = self._nodes[-1]
        # nothing counts: it was the same after every line
        return len(self._nodes) - 1 if node.above is None else node.above.latest

    def current_state(self) -> Any:
        """The state after the last line, good until the next line only: it is changed in place, which is cheap."""
        node, running_node = self._nodes[-1], self._running_node
        if node is not running_node:
            # nearly always: one event more than the last time
            if running_node is not None and node.above is running_node and type(node.line) is not Amended:
                fold_events(self._title, self._running_state, [node.line])
            else:
                self._running_state = self._title.copy(self.state_after())
            self._running_node = node
            if node.depth % KEPT_EVERY == 0 and not self._is_kept(node):
                self._keep(node, self._title.copy(self._running_state))
        return self._running_state

    def state_after(self, n: int = -1) -> Any:
        """The state after line `n` (default: the last), folded on from the nearest kept one; it may not be changed."""
        node = self._nodes[n]
        backwards: list[Event] = []
        nearest = node
        while not self._is_kept(nearest) and nearest.above is not None and type(nearest.line) is not Amended:
            backwards.append(nearest.line)
            nearest = nearest.above
        state = self._make_state(nearest)
        if backwards:
            if len(backwards) > KEPT_EVERY:
                self.count_refolded(len(backwards))
            state = fold_events(self._title, self._title.copy(state), reversed(backwards))
            self._keep(node, state)
        return state

    def _is_kept(self, node: _Node) -> bool:
        """Whether the state after this line is kept, and made from the present start."""
        return node.state is not None and node.start == self._starts

    def _make_state(self, node: _Node) -> Any:
        """The kept state of a line; the first state, and one after an amendment, are made of all that counts."""
        if self._is_kept(node):
            return node.state
        if node.above is None:
            state = self._make_start()
        else:
            state = fold_events(self._title, self._title.copy(self._make_state(self._root)), self._collect_events(node))
        self._keep(node, state)
        return state

    def events(self) -> list[Event]:
        """The events that stand after the last line."""
        return self._collect_events(self._nodes[-1])

    def _collect_events(self, node: _Node) -> list[Event]:
        """The events that stand after the line of a node; of the last line they stay collected for the one after it."""
        is_last = node is self._nodes[-1]
        standing = self._standing if is_last else None
        if standing is None:
            backwards: list[Any] = []
            above = node
            while above.above is not None:
                backwards.append(above.line)
                above = above.above
            self.count_refolded(len(backwards))
            standing = Standing(reversed(backwards))
            if is_last:
                self._standing = standing
        events = list(standing)
        # listing them is work, too, which a hostile log may ask for after every line
        self.count_refolded(len(events))
        return events

    def _keep(self, node: _Node, state: Any) -> None:
        """Keep the state of a node: for good at every so many events, else until enough others were needed."""
        node.state, node.start = state, self._starts
        every = KEPT_EVERY if node.depth < LONG else KEPT_SELDOM
        if node.depth % every == 0 and self._kept_for_good < KEPT_MOST:
            self._kept_for_good += 1
            return
        self._latest_kept.append(node)
        if len(self._latest_kept) > KEPT_LATEST:
            self._latest_kept.popleft().state = None
