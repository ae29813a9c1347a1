"""A log folded by its title: states, findings, ledger, scores. The good prefix always survives."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from math import ceil
from typing import Any, Literal, TypeAlias

from msgspec import structs

from spyrium_log.audit import (
    Finding,
    audit_event,
    forged_seal_finding,
    mark_accepted,
    missing_result_findings,
    vain_edit_finding,
    wrong_result_findings,
)
from spyrium_log.checks import check_number, check_type
from spyrium_log.course import Course
from spyrium_log.errors import LogError, SheetError
from spyrium_log.folding import describe_event, fold_events
from spyrium_log.header import make_table
from spyrium_log.ledger import AssumedKeys, Entry, Holdings, make_ledger, walk_assumed_holdings
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Aside, Declared, Event, EventLine, Line, ReadOff, Result
from spyrium_log.log.seals import Seal, list_seals
from spyrium_log.log.timeline import Edited, apply_corrections, find_phantoms, list_asides, ref_of, timeline
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.standings import Standing, list_standings, make_sheet_scores
from spyrium_log.title import AnyTitle, FinalCount, Options, Score, make_options

# The name of an event: 57, or 57.1 for one that line 57 inserted.
_REF = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,3})?")
# A state is kept after every so many events; any other is a copy of the one before it, folded on. Of a log that is
# longer than any game fewer are kept, because a hostile log makes each of them large.
SNAPSHOT_EVERY = 32
MOST_SNAPSHOTS = 256


@dataclass
class Replay:
    """Everything that a log comes to, under today's rules and the log's own sheet."""

    log: Log
    header: AnyHeader
    sheet: Sheet
    events: list[Event]
    findings: list[Finding] = field(default_factory=list)
    complaint: LogError | None = None
    declared: tuple[Result, ...] = ()
    snapshots: list[Any] = field(default_factory=list)
    end: Any = None
    lines: Sequence[Line] = ()

    @property
    def title(self) -> AnyTitle:
        """The title that was played, with its rules of today."""
        return self.log.title

    @property
    def players(self) -> list[str]:
        """The names of the players, as corrected, in the order of seats."""
        return [seat.player for seat in self.header.seats]

    @property
    def verdict(self) -> Literal["clean", "findings", "unusable"]:
        """The verdict of `validate`: `unusable` where damage needs a person; an unfinished last line is a finding."""
        if self.complaint is not None:
            damage = self.log.damage
            return "findings" if damage is not None and damage.is_mendable else "unusable"
        return "findings" if any(finding.is_open for finding in self.findings) else "clean"

    @cached_property
    def seals(self) -> list[Seal]:
        """The seals that are not withdrawn, each with the standing of its signature."""
        return list_seals(self.lines, self.log.header.game)

    @property
    def unsealed(self) -> int:
        """Number of lines after the last seal; of all lines where there is none."""
        return len(self.lines) - (self.seals[-1].n + 1 if self.seals else 0)

    @property
    def assumed_value_count(self) -> int:
        """Number of printed values that this game depends on and nobody has read off a component."""
        components = self.used_components
        return len([row for row in self.sheet.printed if row.source == "assumed" and row.of in components])

    @property
    def used_components(self) -> set[str]:
        """The components, as cards, whose printed values this game depends on; none for a mere score sheet."""
        return set() if self.is_scores_only else set(self.title.tables.rests_on(self.end))

    @property
    def is_scores_only(self) -> bool:
        """Whether only the scores were recorded, from an old score sheet."""
        return self.header.source == "scoresheet" and bool(self.declared) and not self.events

    @property
    def first(self) -> int | None:
        """The seat that began; None where an old score sheet does not say."""
        return None if self.is_scores_only and self.header.first == 1 else self.header.first

    def name_of(self, event: Event) -> str:
        """The name of the event in every command: its line's number, or 57.1 for one that line 57 inserted."""
        check_type(event, EventLine, "event")
        return ref_of(event)

    def index_of(self, where: int | str) -> int:
        """Number of events up to a line, insertions after it included, or up to an event; a lost event is its line."""
        if isinstance(where, str):
            if where in self.position_by_name:
                return self.position_by_name[where]
            where = int(where.partition(".")[0]) if _REF.fullmatch(where) else where
        check_number(where, "line-or-event", 0, len(self.log.lines) - 1)
        return bisect_right(self.numbers, where)

    def state_after(self, where: int | str) -> Any:
        """The state after a line or event, as a copy. It costs a few events at most."""
        return self.state_at(self.index_of(where))

    def state_at(self, index: int) -> Any:
        """The state after so many standing events, as a copy."""
        check_number(index, "event-count", 0, len(self.events))
        if index == len(self.events):
            return self.title.copy(self.end)
        every = snapshot_interval(len(self.events))
        state = self.title.copy(self.snapshots[index // every])
        for event in self.events[index - index % every : index]:
            self.title.evolve(state, event.do, event.moved, event.facts)
        return state

    @cached_property
    def numbers(self) -> list[int]:
        """For each event its line, or the line it was inserted after, to find a line's events by bisection."""
        numbers: list[int] = []
        latest = 0
        for event in self.events:
            latest = event.n if type(event) is not Edited or not event.i else latest
            numbers.append(latest)
        return numbers

    @cached_property
    def position_by_name(self) -> dict[str, int]:
        """The position of each event, from 1, by the event's name."""
        return {ref_of(event): place for place, event in enumerate(self.events, 1)}

    @cached_property
    def ledger(self) -> list[Entry]:
        """Every change of every resource, with its cause and the number of its rule."""
        return make_ledger(self.title, self.header, self.events, self.assumed_keys, self.title.copy(self.snapshots[0]))

    @cached_property
    def assumed_keys(self) -> AssumedKeys:
        """By the index of an event, its amounts that rest on printed values which nobody has checked."""
        if not self.sheet.has_assumed:
            return {}
        title, state = self.title, self.title.copy(self.snapshots[0])
        assumed = {}
        for index, event in enumerate(self.events):
            if event.moved and (keys := title.assumed(state, event.do)):
                assumed[index] = keys
            title.evolve(state, event.do, event.moved, event.facts)
        return assumed

    @cached_property
    def assumed_holdings(self) -> Sequence[Holdings]:
        """The amounts that rest on printed values nobody has checked, before the first event and after each."""
        return list(walk_assumed_holdings(self.ledger, self.events))

    def list_standings(self, index: int) -> list[Standing]:
        """The score of each seat after so many events, with what of it rests on such values."""
        if self.is_scores_only:
            return [Standing(score) for score in self.scores()]
        return list_standings(self.title, self.state_at(index), self.assumed_holdings[index])

    def list_points(self) -> list[list[int]]:
        """The points of each seat before the first event and after each: a row of numbers for each seat."""
        title = self.title
        state = title.copy(self.snapshots[0])
        rows = [[score.points] for score in title.score(state)]
        for event in self.events:
            title.evolve(state, event.do, event.moved, event.facts)
            for row, score in zip(rows, title.score(state), strict=True):
                row.append(score.points)
        return rows

    def find_assumed_parts(self, seat: int) -> set[str]:
        """The causes of a seat's score, what the final count would still add included, that rest on such values."""
        check_number(seat, "seat", 1, len(self.header.seats))
        points = self.title.score_resource
        parts = {row.why for row in self.ledger if (row.who, row.what) == (seat, points) and row.assumed}
        to_come = self.title.assumed(self.end, FinalCount())
        return parts | {part for part, _ in self.scores()[seat - 1].final if (seat, points, part) in to_come}

    def scores(self) -> Sequence[Score]:
        """The scores after the last event; for a mere score sheet, those that were declared."""
        if self.is_scores_only:
            return make_sheet_scores(len(self.header.seats), self.declared)
        scores: Sequence[Score] = self.title.score(self.end)
        return scores

    def sum_score_parts(self, seat: int) -> dict[str, int]:
        """Points of one seat by cause, what the final count would still add included. They sum to its total."""
        check_number(seat, "seat", 1, len(self.header.seats))
        parts: dict[str, int] = {}
        for entry in self.ledger:
            if entry.who == seat and entry.what == self.title.score_resource:
                parts[entry.why] = parts.get(entry.why, 0) + entry.amount
        for part, points in self.scores()[seat - 1].final:
            parts[part] = parts.get(part, 0) + points
        return parts

    def list_rounds(self) -> list[tuple[int, int]]:
        """The positions, from 1, of the events that begin a round, each with the number of the round."""
        title = self.title
        state = title.copy(self.snapshots[0])
        rounds, last_round = [], title.round(state)
        for position, event in enumerate(self.events, 1):
            title.evolve(state, event.do, event.moved, event.facts)
            number = title.round(state)
            if number != last_round:
                rounds.append((position, number))
            last_round = number
        return rounds

    def find_round_starts(self) -> frozenset[int]:
        """The positions, from 1, of the events that begin a round, and of the final count."""
        finals = (place for place, event in enumerate(self.events, 1) if isinstance(event.do, FinalCount))
        return frozenset((*finals, *(place for place, _ in self.list_rounds())))

    def describe_events(self, language: str = "en") -> Iterator[tuple[Event, str]]:
        """Every standing event with its sentence, in one pass."""
        check_type(language, str, "language")
        title = self.title
        state = title.copy(self.snapshots[0])
        for event in self.events:
            yield event, describe_event(title, state, event.do, event.moved, event.facts, self.players, language)
            title.evolve(state, event.do, event.moved, event.facts)

    def sentences_by_event(self, language: str = "en") -> dict[str, str]:
        """The sentence of every standing event by the event's name, in the order of the game."""
        return {ref_of(event): sentence for event, sentence in self.describe_events(language)}


def amendment_of(event: Event) -> int:
    """The line of the amendment that made the event what it is now; 0 for an event as it was recorded."""
    return event.line if type(event) is Edited else 0


# Goes along while a game is folded: takes it and the state, which changes, and does a step before each event and one
# after the last. To play the game once more would take as long again.
Companion: TypeAlias = Callable[[Replay, Any], Iterator[None]]


def replay(
    log: Log,
    *,
    until: int | None = None,
    audit: bool = True,
    amended: bool = True,
    options: Mapping[str, str] | Options | None = None,
    sheet: Sheet | None = None,
    companion: Companion | None = None,
) -> Replay:
    """Fold a log and audit every event against the rules; `until` a line, to see it as it stood then.

    Not `amended`: as it was recorded. What was undone stays undone, but every event says what it first said.
    `options` and `sheet` stand in the place of the game's own; its readings were of its own sheet.
    """
    check_type(log, Log, "log")
    if until is not None:
        check_number(until, "line", 0, len(log.lines) - 1)
    if sheet is not None:
        check_type(sheet, Sheet, "sheet")
    lines = log.lines if until is None else log.lines[: until + 1]
    asides = list_asides(lines)
    header = apply_corrections(log.header, asides)
    if options is not None:
        header = structs.replace(header, options=make_options(log.title.options, options))
    with _blame_log_for_sheet(log) if sheet is None else nullcontext():
        game = Replay(log, header, sheet or _fill_in_sheet(log, asides), timeline(lines, amended=amended), lines=lines)
        _fold(game, audit=audit, companion=companion)
    game.complaint = log.complaint
    if audit and amended:
        game.findings.extend(vain_edit_finding(n, at) for n, at in find_phantoms(lines))
        game.findings.extend(forged_seal_finding(seal) for seal in game.seals if seal.standing == "wrong")
    _take_results(game, [aside for aside in asides if isinstance(aside, Declared)])
    game.findings = mark_accepted(game.findings, asides)
    return game


def _take_results(game: Replay, declared: Sequence[Declared]) -> None:
    """Give the replay the results that were declared last, and findings on all that differ from its scores."""
    if declared:
        game.declared = declared[-1].results
        game.findings.extend(wrong_result_findings(declared, game.scores()))
        if game.is_scores_only:
            game.findings.extend(missing_result_findings(declared[-1], len(game.players)))


def replay_events(game: Replay, events: Sequence[Event]) -> Replay:
    """The same game with these events on its timeline, folded and audited: to see what a change would come to."""
    other = Replay(game.log, game.header, game.sheet, list(events), complaint=game.complaint, declared=game.declared)
    _fold(other, audit=True)
    other.findings = mark_accepted(other.findings, list_asides(game.log.lines))
    return other


def current_state(log: Log) -> tuple[AnyHeader, Any]:
    """The header with its corrections, and the state after the last event: what going on with a game needs."""
    asides = list_asides(log.lines)
    header = apply_corrections(log.header, asides)
    with _blame_log_for_sheet(log):
        state = log.title.setup(make_table(header, _fill_in_sheet(log, asides)))
    return header, fold_events(log.title, state, timeline(log.lines))


def current_header(log: Log) -> AnyHeader:
    """The header with its corrections: who sat where, by which name and of which colour."""
    return apply_corrections(log.header, list_asides(log.lines))


def find_seat_colour(title: AnyTitle, header: AnyHeader, state: Any, seat: int) -> str:
    """The colour that a seat chose in the game or, until it does, has by the header."""
    return title.screens.colour(state, seat) or header.seats[seat - 1].colour


def current_sheet(log: Log) -> Sheet:
    """The log's sheet, with every value that was read off components of the game so far."""
    return _fill_in_sheet(log, list_asides(log.lines))


def list_readings(log: Log) -> list[Printed]:
    """The values that were read off components of the game, without those that were withdrawn."""
    return [aside.value for aside in list_asides(log.lines) if isinstance(aside, ReadOff)]


def _fill_in_sheet(log: Log, asides: Sequence[Aside]) -> Sheet:
    """The sheet that the game is judged by: the log's own, with the values that were read off components later."""
    return log.sheet.with_readings(*(aside.value for aside in asides if isinstance(aside, ReadOff)))


@contextmanager
def _blame_log_for_sheet(log: Log) -> Iterator[None]:
    """Turn a SheetError into a LogError: a sheet that lacks what its title needs is the fault of the log it is in."""
    try:
        yield
    except SheetError as error:
        raise LogError("sheet", file=log.file, found=error) from None


def _fold(game: Replay, *, audit: bool, companion: Companion | None = None) -> None:
    """Fill in the states that are kept now and then and, with `audit`, the findings."""
    title = game.title
    evolve = title.evolve
    state = title.setup(make_table(game.header, game.sheet))
    steps = companion(game, state) if companion else repeat(None)
    every = snapshot_interval(len(game.events))
    game.snapshots.append(title.copy(state))
    for index, event in enumerate(game.events):
        if index and index % every == 0:
            game.snapshots.append(title.copy(state))
        if audit and (findings := audit_event(title, state, event)):
            game.findings.extend(findings)
        next(steps)
        evolve(state, event.do, event.moved, event.facts)
    game.end = state
    next(steps, None)


def snapshot_interval(events: int) -> int:
    """Number of events between two kept states, in a log of so many events."""
    return max(SNAPSHOT_EVERY, ceil(events / MOST_SNAPSHOTS))


def walk_recorded_lines(game: Replay) -> Iterator[tuple[Line, Course]]:
    """Every line but the header as it was recorded, whatever became of it later, and the course of states up to it.

    `course.state_after(line.n)` is the state after the line, the one of `line.n - 1` that before it. Change neither.
    """
    course = Course(game.title, lambda: game.title.copy(game.snapshots[0]), game.log.file)
    for line in game.log.lines[1:]:
        course.add(line)
        yield line, course
