"""Both histories at once: every line of a log in order, with what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from spyrium_log.catalogue import shared_words
from spyrium_log.course import Course
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    AnyHeader,
    Corrected,
    Declared,
    Drop,
    Event,
    EventLine,
    Line,
    ReadOff,
    Sealed,
    Undone,
    Withdrawn,
)
from spyrium_log.log.timeline import Edited, Tip, insertion_number, make_ref, ref_of, tips
from spyrium_log.messages import player_name
from spyrium_log.replay import Replay, replay


class HistoryLine(Struct, frozen=True, kw_only=True):
    """A line as it was written, or an event that an amendment inserted; `now` is its sentence if it changed.

    `status`: stands, undone, dropped or amended with the line `through` that did it, withdrawn, or aside for what is
    on no timeline.
    """

    n: int
    ref: str
    kind: str
    by: str
    at: datetime | None
    status: str
    through: int | None = None
    sentence: str
    now: str | None = None
    hash: str


def list_history(log: Log, language: str = "en") -> Iterator[HistoryLine]:
    """Every line, and below an amendment its inserted events that stand."""
    done = replay(log, audit=False)
    standing = {done.name_of(event): (event, sentence) for event, sentence in done.sentences(language)}
    inserted: dict[int, list[tuple[str, Event, str]]] = {}
    for ref, (event, sentence) in standing.items():
        if insertion_number(event):
            inserted.setdefault(event.n, []).append((ref, event, sentence))
    fates = _statuses(log.lines, done)
    names = done.players
    for (line, sentence), (status, through) in zip(_sentences(log, names, language), fates, strict=True):
        now = standing.get(str(line.n)) if status == "amended" else None
        yield HistoryLine(
            n=line.n,
            ref=str(line.n),
            kind=str(line.__struct_config__.tag),
            by=line.by,
            at=line.at,
            status=status,
            through=through,
            sentence=sentence,
            now=now[1] if now else None,
            hash=line.hash,
        )
        for ref, event, inserted_sentence in inserted.get(line.n, ()):
            yield _inserted(line.n, ref, event, inserted_sentence)


def _inserted(n: int, ref: str, event: Event, sentence: str) -> HistoryLine:
    """An inserted event as a line of history."""
    through = event.line if isinstance(event, Edited) and event.line != n else None
    return HistoryLine(
        n=n,
        ref=ref,
        kind="inserted",
        by=event.by,
        at=event.at,
        status="stands" if through is None else "amended",
        through=through,
        sentence=sentence,
        hash=event.hash,
    )


# --- what became of each line --------------------------------------------------------------------


def _statuses(lines: Sequence[Line], done: Replay) -> list[tuple[str, int | None]]:
    """What became of each line, and through which line."""
    undone, standing = _undone(lines)
    withdrawn = {line.line: line.n for line in lines if isinstance(line, Withdrawn)}
    dropped = {
        edit.at: line.n
        for line in lines
        if isinstance(line, Amended) and line.n in standing
        for edit in line.edits
        if isinstance(edit, Drop)
    }
    events = {ref_of(event): event for event in done.events}
    return [_status(line, undone, withdrawn, dropped, events) for line in lines]


def _status(
    line: Line, undone: dict[int, int], withdrawn: dict[int, int], dropped: dict[str, int], events: dict[str, Event]
) -> tuple[str, int | None]:
    if not isinstance(line, EventLine | Amended):
        return ("withdrawn", withdrawn[line.n]) if line.n in withdrawn else ("aside", None)
    if line.n in undone:
        return "undone", undone[line.n]
    if isinstance(line, Amended):
        return "stands", None
    event = events.get(str(line.n))
    if event is None:
        return "dropped", dropped.get(str(line.n))
    return ("amended", event.line) if isinstance(event, Edited) else ("stands", None)


def _undone(lines: Sequence[Line]) -> tuple[dict[int, int], set[int]]:
    """The events and amendments that were undone, with the last undo of each; and those that stand."""
    tree = _Tree(lines)
    standing = set(tree.up(tree.after[-1]))
    undone: dict[int, int] = {}
    # From each line that is settled, upwards to one that may not be: no line is passed again with every undo.
    skip = {n: tree.above[n] for n in standing}
    for line in reversed(lines):
        if not isinstance(line, Undone):
            continue
        n, now = tree.after[line.n - 1], tree.after[line.n]
        while not tree.is_above(n := _unsettled(n, skip), now):
            undone[n] = line.n
            skip[n] = tree.above[n]
    return undone, standing


def _unsettled(n: int, skip: dict[int, int]) -> int:
    """The first line upwards that is not settled. The path is shortened for the next call."""
    while n in skip:
        above = skip[n]
        skip[n] = skip.get(above, above)
        n = above
    return n


class _Tree:
    """Lines that count, each with the one above it; 0 is the root. `after`: the last one after each line."""

    def __init__(self, lines: Sequence[Line]) -> None:
        all_tips = tips(lines)
        self.after = [_number(tip) for tip in all_tips]
        self.above = {tip[0].n: _number(tip[1]) for tip in all_tips if tip}
        numbers = sorted(self.above)
        self._size = dict.fromkeys((0, *numbers), 1)
        for n in reversed(numbers):
            self._size[self.above[n]] += self._size[n]
        # all lines below one are numbered in a row, from its own place on
        self._place = {0: 0}
        free = {0: 1}
        for n in numbers:
            above = self.above[n]
            self._place[n] = free[above]
            free[above] += self._size[n]
            free[n] = self._place[n] + 1

    def up(self, n: int) -> Iterator[int]:
        while n:
            yield n
            n = self.above[n]

    def is_above(self, n: int, other: int) -> bool:
        """Whether a line is the other one or above it."""
        return self._place[n] <= self._place[other] < self._place[n] + self._size[n]


def _number(tip: Tip) -> int:
    return tip[0].n if tip else 0


# --- what each line says -------------------------------------------------------------------------


def _sentences(log: Log, names: Sequence[str], language: str) -> Iterator[tuple[Line, str]]:
    """Each line in words; an event is described on the state it was recorded at."""
    title = log.title
    start = replay(log, until=0, audit=False)
    course = Course(title, lambda: start.state_at(0), log.file)
    for line in log.lines:
        if isinstance(line, EventLine):
            state = course.now()
            yield line, title.words.describe(state, line.do, line.moved, line.facts, names, language)
        else:
            yield line, _line_sentence(line, title.name, names, language)
        if line.n:
            course.add(line)


def _line_sentence(line: Any, title: str, names: Sequence[str], language: str) -> str:
    sentence = _sentence(line, title, names, language)
    why = getattr(line, "why", None)
    return f"{sentence}: {why}" if why else sentence


def _sentence(line: Any, title: str, names: Sequence[str], language: str) -> str:
    say = shared_words(language)["lines"]
    match line:
        case Undone():
            return say["undo"].format(to=line.to)
        case Amended():
            return say["amendment"].format(
                mode=say[line.mode], edits=", ".join(_edit(edit, say) for edit in line.edits)
            )
        case Corrected():
            return say["header"].format(said=", ".join(_corrections(line, names, language)))
        case ReadOff():
            return say["reading"].format(of=line.value.of, what=line.value.what, value=line.value.value)
        case Declared():
            results = (f"{player_name(result.seat, names, language)} {result.points}" for result in line.results)
            return say["declared"].format(results=", ".join(results))
        case Accepted():
            return say["accepted"].format(rule=line.rule, at=make_ref(line.line, line.i), who=line.who)
        case Withdrawn():
            return say["withdrawn"].format(line=line.line)
        case Sealed():
            return say["sealed"].format(count=line.count, final=line.final)
        case _:
            return _begun(line, title, language)


def _begun(header: AnyHeader, title: str, language: str) -> str:
    say = shared_words(language)["lines"]
    parts = [f"{title}: {', '.join(f'{seat.player} ({seat.colour})' for seat in header.seats)}"]
    if header.source != "scoresheet" or header.first != 1:  # of which nobody knows
        first = player_name(header.first, [seat.player for seat in header.seats], language)
        parts.append(say["begins"].format(seat=first))
    if header.edition is not None:
        parts.append(say["edition"].format(edition=header.edition))
    return "; ".join(parts)


def _edit(edit: Any, say: Mapping[str, str]) -> str:
    return say[edit.__struct_config__.tag].format(at=edit.at)


def _corrections(line: Corrected, names: Sequence[str], language: str) -> Iterator[str]:
    """What a header correction changed, in words."""
    say = shared_words(language)["lines"]
    for value in (line.player, line.colour):
        if value is not None:
            yield say["is"].format(seat=player_name(line.seat, names, language), value=value) if line.seat else value
    if line.first is not None:
        yield say["begins"].format(seat=player_name(line.first, (), language))
    if line.played is not None:
        yield say["played"].format(day=line.played)
    if line.place is not None:
        yield say["place"].format(place=line.place)
