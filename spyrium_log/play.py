"""A game going on: a decision becomes an event, or a refusal that says why and what comes near."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import structs

from spyrium_log.errors import IllegalError, NotationError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    FORMAT,
    AnyHeader,
    Dealt,
    Decided,
    Declared,
    Event,
    EventLine,
    Finished,
    Header,
    Line,
    Result,
    Sealed,
    SeatAt,
    Source,
    Stated,
    Undone,
)
from spyrium_log.log.seals import signed
from spyrium_log.log.signing import Signer
from spyrium_log.log.timeline import ref_of, timeline, tips
from spyrium_log.replay import replay, table_of
from spyrium_log.sheet import Sheet
from spyrium_log.title import AnyPosting, AnyTitle, Awaited, Effects, FinalCount

OPEN = "0" * 32


def header(
    title: AnyTitle,
    *,
    game: str,
    players: Sequence[str],
    colours: Sequence[str] = (),
    first: int = 1,
    by: str = "scribe",
    at: datetime | None = None,
    options: Any = None,
    edition: str | None = None,
    sheet: Sheet | None = None,
    played: str | None = None,
    place: str | None = None,
    source: Source = "table",
) -> AnyHeader:
    """The first line of a new log. Ids and times come from the caller."""
    sheet = sheet or title.sheet()
    names = [*colours, *(colour for colour in title.colours if colour not in colours)]
    seats = tuple(
        SeatAt(player=player, colour=colour, start=tuple(title.start))
        for player, colour in zip(players, names, strict=False)
    )
    made: AnyHeader = Header(
        n=0,
        by=by,
        at=at,
        format=FORMAT,
        title=title.key,
        title_format=title.title_format,
        game=game,
        rules=title.rules_version,
        options=options if options is not None else title.options(),
        edition=edition,
        seats=seats,
        first=first,
        played=played,
        place=place,
        source=source,
        sheet_digest=sheet.digest(),
        sheet=codec.sheet_bytes(sheet),
        prev=chain.GENESIS,
        hash="",
    )
    # a sheet that lacks a value is refused here, not by whoever reads the log
    title.setup(table_of(made, sheet))
    return made


def scoresheet(
    title: AnyTitle, *, game: str, scores: Sequence[tuple[str, int]], by: str = "scribe", **said: Any
) -> tuple[AnyHeader, Declared]:
    """A game of which only an old score sheet is left: who had how many points, and what else `header` takes."""
    line = header(title, game=game, players=[player for player, _ in scores], by=by, source="scoresheet", **said)
    results = tuple(Result(seat=seat, points=points) for seat, (_, points) in enumerate(scores, 1))
    return line, Declared(n=1, by=by, at=line.at, results=results, prev=OPEN, hash=OPEN)


def bytes_of(lines: Sequence[Line]) -> bytes:
    """A whole log of these lines, chained from the first one on."""
    prev = chain.GENESIS
    parts = []
    for line in lines:
        raw = codec.sealed_bytes(structs.replace(line, prev=prev, hash=""))
        prev = chain.short_digest(chain.body(raw[:-1]))
        parts.append(raw)
    return b"".join(parts)


def sentence(title: AnyTitle, state: Any, act: Any, players: Sequence[str], language: str = "en") -> str:
    """What this act would do now, in words."""
    moved, facts = title.effects(state, act) or Effects()
    return title.describe(state, act, moved, facts, players, language)


class Play:
    """The table of one log as it stands, and the lines that go on from it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.title = log.title
        self.refresh()

    def refresh(self) -> None:
        """Fold again: after an undo, or after somebody else appended."""
        done = replay(self.log, audit=False)
        self.header = done.header
        self.state = done.state_at(len(done.events))

    def events(self) -> list[Event]:
        """What stands now."""
        return timeline(self.log.lines)

    def awaits(self) -> Awaited:
        return self.title.awaits(self.state)

    def event(
        self,
        act: Any,
        *,
        by: str,
        at: datetime | None = None,
        cmd: str | None = None,
        anyway: bool = False,
        extra: Sequence[AnyPosting] = (),
    ) -> Event:
        """The event that this act makes now. With breaches it is refused, unless that is what the table did."""
        if not anyway:
            self._check(act)
        given = self.title.effects(self.state, act)
        moved = (*(given.moved if given else ()), *extra)
        facts = tuple(given.facts) if given else ()
        kind = self._kind(act)
        n = len(self.log.lines)
        return kind(n=n, by=by, at=at, cmd=cmd, do=act, moved=moved, facts=facts, prev=OPEN, hash=OPEN)

    def _check(self, act: Any) -> None:
        broken = self.title.breaches(self.state, act)
        if any(breach.on == "record" for breach in broken):
            near = [self.title.notation.write(self.state, other) for other in self.title.nearest(self.state, act)]
            raise IllegalError(broken, near)

    def _kind(self, act: Any) -> type[Event]:
        if isinstance(act, FinalCount):
            return Finished
        if isinstance(act, self.title.wire.deal):
            return Dealt
        return Decided if isinstance(act, self.title.wire.decision) else Stated

    def read(self, notation: str) -> Any:
        """The act that a line of the title's notation says now; with names for seats, the transcript reads it."""
        return self.title.notation.read(self.state, notation)

    def write(self, act: Any) -> str:
        """The line of notation that says this act now."""
        return self.title.notation.write(self.state, act)

    def undo(self, to: int | None = None, *, by: str, at: datetime | None = None, why: str | None = None) -> Undone:
        """Back to what the timeline was after line `to`; by default, before its last event."""
        if to is None:
            to = self.before_last()
        return Undone(n=len(self.log.lines), by=by, at=at, to=to, why=why, prev=OPEN, hash=OPEN)

    def before_last(self) -> int:
        """The latest line after which the timeline was what it is now without its last event or amendment."""
        found = tips(self.log.lines)
        now = found[-1]
        before = now[1] if now else None
        return max(n for n, tip in enumerate(found) if tip is before)

    def seal(self, *, by: str, at: datetime | None = None, signer: Signer | None = None) -> Sealed:
        """So many lines, and the full hash of the last: what a tail cut off later cannot agree with."""
        n = len(self.log.lines)
        line = Sealed(n=n, by=by, at=at, count=n, final=self.log.last_digest, prev=OPEN, hash=OPEN)
        return line if signer is None else signed(line, self.log.header.game, signer)

    def add(self, line: Line) -> None:
        """A line was appended to the log: the table follows."""
        if isinstance(line, Decided | Dealt | Finished | Stated):
            self.title.evolve(self.state, line.do, line.moved, line.facts)
        else:
            self.refresh()


# --- what might have been ------------------------------------------------------------------------


def variation(log: Log, ref: str, lines: Sequence[str], language: str = "en") -> list[tuple[Any, str]]:
    """Notation from another game that branches off this one: each act with its sentence, checked by the rules.

    As in chess it stands for what came instead of the event it is named after; after a line that is no event.
    """
    table = Play(log)
    table.state = _before(log, ref)
    names = [seat.player for seat in table.header.seats]
    told = []
    for text in lines:
        act = table.read(text)
        event = table.event(act, by="variation")
        told.append((act, sentence(table.title, table.state, act, names, language)))
        table.add(event)
    return told


def _before(log: Log, ref: str) -> Any:
    """The table before an event as it stands now; before one that stands no more as it stood when it was recorded."""
    line = next((line for line in log.lines if str(line.n) == ref.partition(".")[0]), None)
    if line is not None:
        for done in (replay(log, audit=False), replay(log, until=line.n, audit=False)):
            names = [ref_of(event) for event in done.events]
            if ref in names:
                return done.state_at(names.index(ref))
        if ref == str(line.n) and not isinstance(line, EventLine):
            return done.state_at(len(done.events))
    raise NotationError("expected a line or event of this log, found none", ref, 1)
