"""Both histories at once: every line of a log in order, with what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

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
    Replace,
    Sealed,
    Undone,
    Withdrawn,
)
from spyrium_log.log.timeline import Edited, Tip, i_of, ref_of, tips
from spyrium_log.replay import Replay, replay


class Chronicled(Struct, frozen=True, kw_only=True):
    """A line as it was written, or an event that an amendment inserted; `now` where it is told otherwise now.

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


def history(log: Log, language: str = "en") -> Iterator[Chronicled]:
    """Every line; below an amendment the events that it inserted and that stand."""
    done = replay(log, audit=False)
    told = {done.name_of(event): (event, sentence) for event, sentence in done.sentences(language)}
    inserted: dict[int, list[tuple[str, Event, str]]] = {}
    for ref, (event, sentence) in told.items():
        if i_of(event):
            inserted.setdefault(event.n, []).append((ref, event, sentence))
    fates = _fates(log.lines, done)
    names = done.players
    for (line, sentence), (status, through) in zip(_sentences(log, names, language), fates, strict=True):
        now = told.get(str(line.n)) if status == "amended" else None
        yield Chronicled(
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
        for ref, event, said in inserted.get(line.n, ()):
            yield _inserted(line.n, ref, event, said)


def _inserted(n: int, ref: str, event: Event, sentence: str) -> Chronicled:
    through = event.line if isinstance(event, Edited) and event.line != n else None
    return Chronicled(
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


def _fates(lines: Sequence[Line], done: Replay) -> list[tuple[str, int | None]]:
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
    return [_fate(line, undone, withdrawn, dropped, events) for line in lines]


def _fate(
    line: Line,
    undone: dict[int, int],
    withdrawn: dict[int, int],
    dropped: dict[str, int],
    events: dict[str, Event],
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
    """Each event and amendment that does not count, with the last undo that took it back; and those that count."""
    found = tips(lines)
    standing: set[int] = set()
    undone: dict[int, int] = {}
    for line, tip in zip(lines, found, strict=True):
        if isinstance(line, Undone):
            before = standing
            standing = set(_numbers(tip))
            undone.update(dict.fromkeys(before - standing, line.n))
        elif isinstance(line, EventLine | Amended):
            standing.add(line.n)
    return {n: by for n, by in undone.items() if n not in standing}, standing


def _numbers(tip: Tip) -> Iterator[int]:
    while tip is not None:
        line, tip = tip
        yield line.n


# --- what each line says -------------------------------------------------------------------------


def _sentences(log: Log, names: Sequence[str], language: str) -> Iterator[tuple[Line, str]]:
    """Each line in words, an event as it looked from the table that it was recorded at."""
    title = log.title
    start = replay(log, until=0, audit=False)
    state = start.state_at(0)
    for line in log.lines:
        if isinstance(line, EventLine):
            yield line, title.describe(state, line.do, line.moved, line.facts, names, language)
            title.evolve(state, line.do, line.moved, line.facts)
        else:
            yield line, _said(line, start.title.name, names)
            if isinstance(line, Undone | Amended):
                then = replay(log, until=line.n, audit=False)
                state = then.state_at(len(then.events))


def _said(line: Any, title: str, names: Sequence[str]) -> str:
    match line:
        case Undone():
            return _because(f"undo: as it was after line {line.to}", line.why)
        case Amended():
            return _because(f"amendment ({line.mode}): {', '.join(map(_edit, line.edits))}", line.why)
        case Corrected():
            return _because(f"header corrected: {_corrections(line, names)}", line.why)
        case ReadOff():
            return f"read off {line.value.of}: {line.value.what} is {line.value.value}"
        case Declared():
            results = ", ".join(f"{_name(result.seat, names)} {result.points}" for result in line.results)
            return f"declared: {results}"
        case Accepted():
            at = f"{line.line}.{line.i}" if line.i else f"{line.line}"
            return _because(f"accepted: {line.rule} of event {at}, says {line.who}", line.why)
        case Withdrawn():
            return _because(f"withdrawn: line {line.line}", line.why)
        case Sealed():
            return f"sealed: {line.count} lines that end in {line.final}"
        case _:
            return _begun(line, title)


def _begun(header: AnyHeader, title: str) -> str:
    seats = ", ".join(f"{seat.player} ({seat.colour})" for seat in header.seats)
    edition = f"; edition {header.edition}" if header.edition is not None else ""
    return f"{title}: {seats}; seat {header.first} begins{edition}"


def _because(said: str, why: str | None) -> str:
    return f"{said}: {why}" if why else said


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat - 1] if 0 < seat <= len(names) else f"seat {seat}"


def _edit(edit: Any) -> str:
    if isinstance(edit, Drop):
        return f"drops {edit.at}"
    return f"replaces {edit.at}" if isinstance(edit, Replace) else f"inserts after {edit.at}"


def _corrections(line: Corrected, names: Sequence[str]) -> str:
    seat = f"{_name(line.seat, names)} is " if line.seat else ""
    said = [f"{seat}{value}" for value in (line.player, line.colour) if value is not None]
    said += [f"seat {line.first} begins"] if line.first is not None else []
    said += [f"played {line.played}"] if line.played is not None else []
    said += [f"at {line.place}"] if line.place is not None else []
    return ", ".join(said)
