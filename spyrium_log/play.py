"""A game going on: a decision becomes an event, or a refusal that says why and what comes near."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, Protocol, Self, TypeVar, cast, get_args

import msgspec
from msgspec import structs

from spyrium_log.checks import (
    LONGEST_TEXT,
    argument_error,
    check_list,
    check_number,
    check_text,
    check_time,
    check_type,
    check_word,
)
from spyrium_log.errors import ArgumentError, Breach, Closing, IllegalError, LogError
from spyrium_log.folding import derive_effects, describe_event
from spyrium_log.header import check_header_words, check_seats, choose_options, make_seats, make_table
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import Misfit, find_misfits, is_act
from spyrium_log.log.lines import (
    FORMAT,
    Accepted,
    AnyHeader,
    Dealt,
    Decided,
    Declared,
    Event,
    EventLine,
    Finished,
    Head,
    Header,
    Line,
    Result,
    Sealed,
    Source,
    Stated,
    Undone,
)
from spyrium_log.log.seals import Signer, sign_seal
from spyrium_log.log.timeline import find_tips, timeline
from spyrium_log.messages import argument_message
from spyrium_log.replay import Replay, current_state, replay
from spyrium_log.sheet import Sheet
from spyrium_log.title import MOST_AMOUNT, AnyPosting, AnyTitle, Awaited, Effects, FinalCount, Options, Posting, Title

OPEN = "0" * 32
# Lines that change neither the header nor the state.
_CHANGE_NOTHING = (Accepted, Declared, Sealed)


def make_scoresheet(
    title: AnyTitle, *, game: str, scores: Sequence[tuple[str, int]], by: str = "scribe", **details: Any
) -> tuple[AnyHeader, Declared]:
    """Header and results of a game with known scores only, (player, points) by seat; `details` are for `Play.new`."""
    for score in check_list(scores, "players-and-points"):
        if not isinstance(score, tuple) or len(score) != 2:  # noqa: PLR2004 - a name and its points
            raise argument_error("player-and-points", score)
        _, points = score
        check_number(points, "points", -MOST_AMOUNT, MOST_AMOUNT)
    players = [player for player, _ in scores]
    header = Play.new(title, game=game, players=players, by=by, source="scoresheet", **details).log.header
    results = tuple(Result(seat=seat, points=points) for seat, (_, points) in enumerate(scores, 1))
    return header, Declared(n=1, by=by, at=header.at, results=results, prev=OPEN, hash=OPEN)


def encode_log(lines: Sequence[Line]) -> bytes:
    """The bytes of a whole log of these lines, each chained anew to the one before, whatever hashes they carry."""
    prev = chain.GENESIS
    parts = []
    for line in lines:
        raw = codec.hashed_bytes(structs.replace(line, prev=prev, hash=""))
        prev = chain.short_digest(chain.cut_hash(raw.removesuffix(b"\n")))
        parts.append(raw)
    return b"".join(parts)


def describe_act(title: AnyTitle, state: Any, act: Any, players: Sequence[str], language: str = "en") -> str:
    """What this act would do in this state, in words."""
    moved, facts = derive_effects(title, state, act)
    return describe_event(title, state, act, moved, facts, players, language)


LineKind = TypeVar("LineKind", bound=Head)


class Proposal(NamedTuple):
    """An event that is not recorded yet, and every rule that it breaks."""

    event: Event
    breaches: Sequence[Breach]


class Record(Protocol):
    """A file that lines are appended to. When `append` returns a line, it is on the disk."""

    log: Log

    def append(self, line: Line) -> Line:
        """Write the line and return it as it is in the file; a repeated command returns its first line."""

    def close(self) -> None:
        """Let go of the file."""


class Play(Closing):
    """The table of one game, and the lines that continue its log.

    `Play.new` begins a game in memory, `Play(log)` goes on from a copy of a log in memory; nothing else changes with
    either. `folder.create(play)` and `folder.open_play(name)` give one whose lines are on the disk before they count:
    close it, or use it in `with`.
    """

    def __init__(self, log: Log, *, record: Record | None = None) -> None:
        """Go on from this log: in the file of the `record` that it was read from, or in memory."""
        check_type(log, Log, "log")
        self._record = record
        self._load(log)

    @classmethod
    def new(
        cls,
        title: AnyTitle,
        *,
        game: str,
        players: Sequence[str],
        colours: Sequence[str] = (),
        first: int = 1,
        by: str = "scribe",
        at: datetime | None = None,
        options: Mapping[str, str] | Options | None = None,
        edition: str | None = None,
        sheet: Sheet | None = None,
        played: str | None = None,
        place: str | None = None,
        source: Source = "table",
    ) -> Self:
        """Begin a game in memory, whose id the caller provides. None stands for what is not known, or not said.

        Players in the order of seats; `first` is the seat that begins, `by` who records and `at` when, `played` the day
        of the game (2026-11-20), `source` what it is recorded from. The options are those of the edition with `options`
        in their place: `{"crane-discount": "whole-cost"}`.
        """
        check_type(title, Title, "title")
        check_seats(title, players, colours, first)
        check_word(source, "source", get_args(Source))
        sheet = title.sheet() if sheet is None else sheet
        check_type(sheet, Sheet, "sheet")
        line: AnyHeader = Header(
            n=0,
            by=by,
            at=at,
            format=FORMAT,
            title=title.key,
            title_format=title.title_format,
            game=game,
            rules=title.rules_version,
            options=choose_options(title, edition, options),
            edition=edition,
            seats=make_seats(title, players, colours),
            first=first,
            played=played,
            place=place,
            source=source,
            sheet_digest=sheet.digest(),
            sheet=codec.sheet_bytes(sheet),
            prev=chain.GENESIS,
            hash="",
        )
        check_header_words(line)
        # a sheet that lacks a value is refused here, not by whoever reads the log
        title.setup(make_table(line, sheet))
        return cls.begin(title, line)

    @classmethod
    def begin(cls, title: AnyTitle, line: AnyHeader) -> Self:
        """Begin a game in memory with this first line, whose hash is made anew."""
        check_type(line, Header, "first-line")
        raw = codec.hashed_bytes(structs.replace(line, prev=chain.GENESIS, hash=""))
        return cls(codec.read(codec.Memory(raw), {title.key: title}))

    def attach(self, record: Record) -> None:
        """Continue with the log in this file: from now on lines are written to it before they count."""
        check_type(getattr(record, "log", None), Log, "open-log")
        self._record = record
        self._load(record.log)

    def close(self) -> None:
        """Close the file, if there is one; nothing more is appended to it."""
        if self._record is not None:
            self._record.close()

    @property
    def is_recorded(self) -> bool:
        """Whether lines go to a file; a game in memory can still be put into one."""
        return self._record is not None

    def _load(self, log: Log) -> None:
        """Go on from a copy of this log, so that nobody else's log changes. Its lines are of the current formats."""
        self.log = dataclasses.replace(log, lines=[*log.lines], formats=(FORMAT, log.title.title_format))
        self.title = log.title
        self._refresh()

    def _refresh(self) -> None:
        """Compute header and state from the log anew, after a line that may change both."""
        self.header, self.state = current_state(self.log)
        # a correction of the header may change a name
        vars(self).pop("players", None)

    @cached_property
    def players(self) -> list[str]:
        """The names of the players, as corrected, in the order of seats."""
        return [seat.player for seat in self.header.seats]

    def list_events(self) -> list[Event]:
        """The events that stand now."""
        return timeline(self.log.lines)

    def awaits(self) -> Awaited:
        """What comes next, and which seats may do it."""
        return self.title.awaits(self.state)

    def list_legal_acts(self) -> Sequence[Any]:
        """Every act that the rules allow now, whoever may do it."""
        return self.title.legal(self.state)

    def replay(self) -> Replay:
        """The whole game so far, audited: findings, ledger, scores."""
        return replay(self.log)

    def read_notation(self, notation: str) -> Any:
        """The act that a line of the title's notation means now. The transcript reads lines with names for seats."""
        check_type(notation, str, "notation")
        return self.title.words.read(self.state, notation)

    def write_notation(self, act: Any) -> str:
        """The line of the title's notation that means this act now."""
        return self.title.words.write(self.state, self._read_writable_act(act))

    def describe_act(self, act: Any, language: str = "en") -> str:
        """What this act, or line of notation, would do now, in a sentence."""
        check_word(language, "language", self.title.words.languages)
        return describe_act(self.title, self.state, self._read_writable_act(act), self.players, language)

    def describe_event(self, event: Event, language: str = "en") -> str:
        """The sentence of an event that is yet to come: the state must be the one before it."""
        check_type(event, EventLine, "event")
        check_word(language, "language", self.title.words.languages)
        return describe_event(self.title, self.state, event.do, event.moved, event.facts, self.players, language)

    def check_legal(self, act: Any) -> None:
        """Raise IllegalError, with the nearest legal acts, if the rules refuse this act now."""
        act, _ = self._read_act(act)
        self._refuse_breaches(act, self.title.breaches(self.state, act))

    def encode(self) -> bytes:
        """The bytes of the log, as its file holds them."""
        return b"".join(map(codec.encode, self.log.lines))

    def do(
        self, act: Any, *, by: str, at: datetime | None = None, cmd: str | None = None, anyway: bool = False
    ) -> Event:
        """Record an act, or a line of notation, if the rules allow it.

        IllegalError where the rules refuse it; `anyway` is for what the table did against them. With a `cmd`, a file
        takes the same command once.
        """
        check_text(by, "scribe")
        if cmd is not None:
            check_text(cmd, "command-id")
            if self._record is None and any(line.cmd == cmd for line in self.log.lines):
                raise argument_error("new-command", cmd)
        return self.append(self.propose(act, by=by, at=at, cmd=cmd, anyway=anyway).event)

    def undo(self, to: int | None = None, *, by: str, at: datetime | None = None, why: str | None = None) -> Undone:
        """Record that the timeline is again what it was after line `to`; by default, before its last event."""
        check_text(by, "scribe")
        return self.append(self.make_undo_line(to, by=by, at=at, why=why))

    def seal(self, *, by: str, at: datetime | None = None, signer: Signer | None = None) -> Sealed:
        """Record how many lines the log has and the full hash of the last one."""
        check_text(by, "scribe")
        return self.append(self.make_seal_line(by=by, at=at, signer=signer))

    def append(self, line: LineKind) -> LineKind:
        """Append a line that `propose` or a `make_…_line` made, and return it as it now stands in the log."""
        check_type(line, Head, "line-of-log")
        if self._record is None:
            raw, written = self._encode_next(cast("Line", line))
        else:
            written = self._record.append(cast("Line", line))
            raw = codec.encode(written)
        # a repeated command returns the line that it wrote the first time
        if written.n == len(self.log.lines):
            self._apply_line(written)
            self.log.last_raw = raw
            self.log.good_bytes += len(raw)
        return cast("LineKind", written)

    def _apply_line(self, line: Line) -> None:
        """Bring log, header and state up to date with a line that was checked and written."""
        self.log.lines.append(line)
        if isinstance(line, EventLine):
            self.title.evolve(self.state, line.do, line.moved, line.facts)
        elif not isinstance(line, _CHANGE_NOTHING):
            self._refresh()

    def _encode_next(self, line: Line) -> tuple[bytes, Line]:
        """The bytes of the next line, and the line that a reader would decode from them."""
        try:
            raw = codec.hashed_bytes(structs.replace(line, prev=self.log.lines[-1].hash, hash=""))
            return raw, codec.decode_next(self.log, raw)
        except LogError as error:
            raise ArgumentError("unreadable-line", code=error.code, message=error.message) from None
        except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
            raise ArgumentError("unwritable-line", found=str(error)) from None

    def propose(
        self,
        act: Any,
        *,
        by: str,
        at: datetime | None = None,
        cmd: str | None = None,
        anyway: bool = False,
        extra: Sequence[AnyPosting] = (),
    ) -> Proposal:
        """The event that `do` would record, with the rules that it breaks; `extra` postings follow its own.

        `anyway`: also for an act that the rules refuse, instead of IllegalError. `cmd` is the id of the command.
        """
        _check_head(by, at, cmd)
        for posting in check_list(extra, "postings"):
            check_type(posting, Posting, "posting")
        act, misfits = self._read_act(act)
        if misfits and not anyway:
            # an impossible number breaks a rule as well, and the breach says more
            self.check_legal(act)
        if misfits:
            raise misfits[0].error()
        breaches = self.title.breaches(self.state, act)
        if not anyway:
            self._refuse_breaches(act, breaches)
        # nothing moves where the pieces for the act are missing
        moved, facts = self.title.effects(self.state, act) or Effects()
        return Proposal(self._make_event(act, (*moved, *extra), facts, by, at, cmd), breaches)

    def make_event_line(
        self, act: Any, effects: Effects, *, by: str, at: datetime | None = None, cmd: str | None = None
    ) -> Event:
        """The event of an act with these effects, whatever the rules say of it."""
        _check_head(by, at, cmd)
        check_type(effects, Effects, "effects")
        return self._make_event(self._read_writable_act(act), effects.moved, effects.facts, by, at, cmd)

    def _make_event(
        self, act: Any, moved: Iterable[AnyPosting], facts: Iterable[Any], by: str, at: datetime | None, cmd: str | None
    ) -> Event:
        """The next line for this act; its kind, decision, deal, final count or statement, follows from the act's."""
        if isinstance(act, FinalCount):
            kind: type[Event] = Finished
        elif isinstance(act, self.title.wire.deal):
            kind = Dealt
        else:
            kind = Decided if isinstance(act, self.title.wire.decision) else Stated
        n = len(self.log.lines)
        moved, facts = tuple(moved), tuple(facts)
        return kind(n=n, by=by, at=at, cmd=cmd, do=act, moved=moved, facts=facts, prev=OPEN, hash=OPEN)

    def _read_act(self, notation_or_act: Any) -> tuple[Any, Sequence[Misfit]]:
        """The act, or the act of a notation, with its fields that are out of bounds. A wrong type is refused."""
        act = self.read_notation(notation_or_act) if isinstance(notation_or_act, str) else notation_or_act
        if not is_act(self.title, act):
            raise argument_error(argument_message("act", title=self.title.name), act)
        misfits = find_misfits(self.title, act)
        for misfit in misfits:
            if misfit.is_type:
                raise misfit.error()
        return act, misfits

    def _read_writable_act(self, notation_or_act: Any) -> Any:
        """The act, or the act of a notation; refused if a log cannot hold it."""
        act, misfits = self._read_act(notation_or_act)
        if misfits:
            raise misfits[0].error()
        return act

    def _refuse_breaches(self, act: Any, breaches: Sequence[Breach]) -> None:
        """Raise IllegalError, with the nearest legal acts, if one of the breaches is on the record."""
        if any(breach.on == "record" for breach in breaches):
            near = [self.title.words.write(self.state, other) for other in self.title.recorder.nearest(self.state, act)]
            raise IllegalError(breaches, near)

    def make_undo_line(
        self, to: int | None = None, *, by: str, at: datetime | None = None, why: str | None = None
    ) -> Undone:
        """The line that `undo` would append: back to line `to`, by default to before the last event."""
        _check_head(by, at, None)
        if to is None:
            if not self.list_events():
                raise ArgumentError("nothing-to-undo")
            to = self.line_before_last()
        check_number(to, "line", 0, len(self.log.lines) - 1)
        if why is not None:
            check_text(why, "reason", LONGEST_TEXT)
        return Undone(n=len(self.log.lines), by=by, at=at, to=to, why=why, prev=OPEN, hash=OPEN)

    def line_before_last(self) -> int:
        """The latest line after which the timeline was what it is now without its last event or amendment."""
        tips = find_tips(self.log.lines)
        # a tip is the last event or amendment, and the tip before it; None where nothing stands
        _, before = tips[-1] or (None, None)
        return max(n for n, tip in enumerate(tips) if tip is before)

    def make_seal_line(self, *, by: str, at: datetime | None = None, signer: Signer | None = None) -> Sealed:
        """The line that `seal` would append: it shows whether lines are cut off later."""
        _check_head(by, at, None)
        n = len(self.log.lines)
        line = Sealed(n=n, by=by, at=at, count=n, final=self.log.last_digest, prev=OPEN, hash=OPEN)
        if signer is None:
            return line
        check_type(signer, Signer, "signing-key")
        return sign_seal(line, self.log.header.game, signer)


def _check_head(by: str, at: datetime | None, cmd: str | None) -> None:
    """Refuse wrong types of what every line holds. Any text is taken: a transcript repeats what its log holds."""
    check_type(by, str, "scribe-text")
    check_time(at)
    check_type(cmd, (str, type(None)), "command-id-text")
