"""A replay as rows of the tables in tables.sql: field for column. Pure."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from spyrium_log.replay import Replay
from spyrium_log.title import FinalCount


class GameRow(Struct, frozen=True, kw_only=True):
    game: str
    title: str
    rules: str
    source: str
    seats: int
    first: int
    played: str | None
    place: str | None
    events: int
    lines: int
    verdict: str
    open_findings: int
    assumed_values: int
    final: bool
    file: str
    content: str


class SeatRow(Struct, frozen=True, kw_only=True):
    game: str
    seat: int
    player: str
    colour: str
    points: int
    total: int
    place: int
    won: bool | None
    shared: bool


class LedgerRow(Struct, frozen=True, kw_only=True):
    game: str
    n: int
    i: int
    seat: int
    what: str
    amount: int
    why: str
    number: str
    seen: bool


class Rows(Struct, frozen=True):
    """All rows of one game, by table."""

    game: GameRow
    seat: list[SeatRow]
    ledger: list[LedgerRow]


TABLES = Rows.__struct_fields__


def rows_of(replay: Replay, *, file: str, content: str) -> Rows:
    """What the tables say of one log; `content` is the hash of the bytes that were read."""
    final = any(isinstance(event.do, FinalCount) for event in replay.events)
    return Rows(_game(replay, final=final, file=file, content=content), _seats(replay, final=final), _ledger(replay))


def _game(replay: Replay, *, final: bool, file: str, content: str) -> GameRow:
    header = replay.header
    return GameRow(
        game=header.game,
        title=header.title,
        rules=header.rules,
        source=header.source,
        seats=len(header.seats),
        first=header.first,
        played=header.played,
        place=header.place,
        events=len(replay.events),
        lines=len(replay.log.lines),
        verdict=replay.verdict,
        open_findings=sum(finding.is_open for finding in replay.findings),
        assumed_values=replay.assumed,
        final=final,
        file=file,
        content=content,
    )


def _seats(replay: Replay, *, final: bool) -> list[SeatRow]:
    scores = replay.scores()
    at_place = Counter(score.place for score in scores)
    return [
        SeatRow(
            game=replay.header.game,
            seat=score.seat,
            player=seat.player,
            colour=seat.colour,
            points=score.points,
            total=score.total,
            place=score.place,
            won=score.place == 1 if final or replay.is_scores_only else None,
            shared=at_place[score.place] > 1,
        )
        for seat, score in zip(replay.header.seats, scores, strict=True)
    ]


def _ledger(replay: Replay) -> list[LedgerRow]:
    game = replay.header.game
    return [
        LedgerRow(
            game=game,
            n=entry.n,
            i=entry.i,
            seat=entry.who,
            what=entry.what,
            amount=entry.amount,
            why=entry.why,
            number=entry.number,
            seen=entry.seen,
        )
        for entry in replay.ledger
    ]
