"""The table of a game that is read or written as text, line by line, in work that grows with the lines alone."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Any

from msgspec import structs

from spyrium_log.course import Course
from spyrium_log.edit.amend import AnyState
from spyrium_log.header import make_table
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Corrected, Line, ReadOff, Withdrawn
from spyrium_log.play import Play
from spyrium_log.sheet import Printed

# Replaying the standing events takes so many times as long as collecting them.
COST_OF_REPLAY = 3


class Table(Play):
    """A game in memory that folds its log only when a state is needed; a `Play` does after every correction."""

    def _refresh(self) -> None:
        """Begin again from the lines of the log; a `Play` calls it when it is made and after a correction."""
        # by field and seat (0: of the whole game) the lines that correct it, with the value
        self._corrections: defaultdict[tuple[str, int], list[tuple[int, Any]]] = defaultdict(list)
        self._readings: dict[int, Printed] = {}
        self._withdrawn: set[int] = set()
        self._current_state: AnyState = None
        self._standing_log: Log | None = None
        self.header = self.log.header
        self._course = Course(self.title, self._initial_state, self.log.file)
        for line in self.log.lines[1:]:
            self._take_over(line)

    @property
    def state(self) -> AnyState:
        """The state now. It may not be changed."""
        if self._current_state is None:
            self._current_state = self._course.current_state()
        return self._current_state

    @state.setter
    def state(self, state: AnyState) -> None:
        """A `Play` sets the state that it computed; ours is made when it is needed."""
        self._current_state = state

    def follow(self, line: Line) -> None:
        """Append the line and put it in its place, without the replay that a `Play` would make."""
        self.log.lines.append(line)
        self._take_over(line)

    _apply_line = follow

    def _take_over(self, line: Line) -> None:
        """Put a line in its place; the state and the standing events are made again when they are needed."""
        self._current_state = self._standing_log = None
        self._course.add(line)
        if isinstance(line, Corrected | ReadOff | Withdrawn):
            self._apply_correction(line)

    def _apply_correction(self, line: Corrected | ReadOff | Withdrawn) -> None:
        """Apply a line that changes the header or the sheet; the game begins anew where it changes the first state."""
        if isinstance(line, Withdrawn):
            self._withdrawn.add(line.line)
            if self._readings.pop(line.line, None) is not None:
                self._course.restart()
        elif line.n in self._withdrawn:
            return
        elif isinstance(line, ReadOff):
            self._readings[line.n] = line.value
            self._course.restart()
        else:
            self._note_correction(line)
        header = self._make_header()
        if header.first != self.header.first:
            self._course.restart()
        self.header = header

    def _note_correction(self, line: Corrected) -> None:
        """Note each field that the line corrects, with its new value, so that it can be withdrawn again."""
        for name in ("first", "played", "place"):
            if (value := getattr(line, name)) is not None:
                self._corrections[name, 0].append((line.n, value))
        if line.seat is not None and line.seat <= len(self.header.seats):
            for name in ("player", "colour"):
                if value := getattr(line, name):
                    self._corrections[name, line.seat].append((line.n, value))

    def _make_header(self) -> AnyHeader:
        """The header with the last correction of each field that is not withdrawn; a withdrawn one stays so."""
        fields: dict[str, Any] = {}
        seats = list(self.log.header.seats)
        for (name, seat), corrections in self._corrections.items():
            # each is the number of a line and the value
            while corrections and corrections[-1][0] in self._withdrawn:
                corrections.pop()
            _, value = corrections[-1] if corrections else (0, None)
            if value is not None and seat:
                seats[seat - 1] = structs.replace(seats[seat - 1], **{name: value})
            elif value is not None:
                fields[name] = value
        return structs.replace(self.log.header, seats=tuple(seats), **fields)

    def _initial_state(self) -> AnyState:
        """The table before the first event, by the corrected header and the sheet with the values read so far."""
        self._course.count_refolded(len(self._readings))
        return self.title.setup(make_table(self.header, self.log.sheet.with_readings(*self._readings.values())))

    def line_before_last(self) -> int:
        """The line to undo to, so that the last event is taken back, without a replay."""
        return self._course.line_before_last()

    def as_it_stands(self) -> Log:
        """A log of the standing events only, with the corrected header and sheet: it is replayed for each edit."""
        if self._standing_log is None:
            sheet = self.log.sheet.with_readings(*self._readings.values())
            lines: list[Line] = [self.header, *self._course.events()]
            self._standing_log = dataclasses.replace(self.log, header=self.header, sheet=sheet, lines=lines)
        self._course.count_refolded(COST_OF_REPLAY * len(self._standing_log.lines))
        return self._standing_log
