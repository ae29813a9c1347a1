"""Somebody who writes small logs for examples and tests: notation in, a log out, nothing from a clock or a die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from spyrium_log.edit.amend import make_amendment, make_event_body
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amendment, AnyEdit, AnyEventBody, Aside, Line, Mode
from spyrium_log.log.seals import Signer
from spyrium_log.play import OPEN, Play, encode_log
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Sheet
from spyrium_log.title import AnyPosting, AnyTitle, Fact, Options, Resynced
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import DealtCard, MatAt, Position, WorkersAt
from tests.games import PLAYERS, log_of


class Scribe:
    def __init__(
        self,
        game: str,
        *,
        seats: int = 3,
        first: int = 1,
        options: Options | None = None,
        title: AnyTitle = TITLES["spyrium"],
        sheet: Sheet | None = None,
        players: Sequence[str] = PLAYERS,
    ) -> None:
        self.title = title
        names = players[:seats]
        self.table = Play.new(
            title, game=game, players=names, first=first, options=options, sheet=sheet, source="notation"
        )

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def next(self) -> int:
        """The number that the next line will have."""
        return len(self.table.log.lines)

    def play(self, *texts: str, anyway: bool = False) -> Scribe:
        for text in texts:
            self.act(self.title.words.read(self.state, text), anyway=anyway)
        return self

    def act(
        self,
        act: Any,
        *,
        anyway: bool = False,
        moved: Sequence[AnyPosting] | None = None,
        facts: Sequence[Fact] | None = None,
    ) -> Scribe:
        """An act, with the effects the rules give or those that somebody wrote down instead."""
        event = self.table.propose(act, by="scribe", anyway=anyway).event
        if moved is not None:
            event = structs.replace(event, moved=tuple(moved))
        if facts is not None:
            event = structs.replace(event, facts=tuple(facts))
        return self.write(event)

    def resync(self, why: str, **position: Any) -> Scribe:
        return self.act(Resynced(position=Position(**position), why=why))

    def undo(self, to: int, why: str | None = None) -> Scribe:
        self.table.undo(to, by="scribe", why=why)
        return self

    def told(self, after: int | str, text: str, *moved: AnyPosting) -> AnyEventBody:
        """Notation as an edit's event, read and worked out on the table after a line or event."""
        state = self.replay().state_after(after)
        event = make_event_body(self.title, state, self.title.words.read(state, text))
        return structs.replace(event, moved=moved) if moved else event

    def amend(self, mode: Mode, *edits: AnyEdit, why: str) -> Scribe:
        return self.write(make_amendment(self.table.log, edits, mode, by="scribe", why=why))

    def aside(self, kind: type[Aside | Amendment], **said: Any) -> Scribe:
        return self.write(kind(n=self.next, by="scribe", prev=OPEN, hash=OPEN, **said))

    def seal(self, signer: Signer | None = None) -> Scribe:
        self.table.seal(by="scribe", signer=signer)
        return self

    def write(self, line: Line) -> Scribe:
        self.table.append(line)
        return self

    def raw(self) -> bytes:
        return encode_log(self.table.log.lines)

    def log(self) -> Log:
        return log_of(self.title, self.table.log.lines)

    def replay(self) -> Replay:
        return replay(self.log())


def market(*cards: str) -> tuple[DealtCard | None, ...]:
    """Nine spaces from words: `mine-1`, `miner:13` with tokens 1 and 3, `-` for an empty space."""
    words = [*cards, *["-"] * (9 - len(cards))]
    return tuple(None if word == "-" else _card(*word.partition(":")) for word in words)


def _card(card: str, _colon: str, tokens: str) -> DealtCard:
    return DealtCard(card=card, tokens=tuple(int(token) for token in tokens))


def workers(**gaps: str) -> tuple[WorkersAt, ...]:
    """Who stands where: `g12="113"` puts two workers of seat 1 and one of seat 3 into gap 12."""
    return tuple(
        WorkersAt(gap=int(gap[1:]), seat=int(seat), n=seats.count(seat))  # type: ignore[arg-type]
        for gap, seats in gaps.items()
        for seat in sorted(set(seats))
    )


def mat(seat: int, **said: Any) -> MatAt:
    """A mat in phase II unless it says otherwise: most examples are about activation."""
    return MatAt(seat=seat, **{"phase": 2, **said})
