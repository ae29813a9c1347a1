"""A replay as rows of the tables in tables.sql: field for column. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from spyrium_log.edit.annotate import remarks
from spyrium_log.log.lines import Amended
from spyrium_log.log.notes import Notes
from spyrium_log.log.timeline import timeline
from spyrium_log.readmodel.tables import (
    CardRow,
    FindingRow,
    GameRow,
    NoteRow,
    Rows,
    ScorePartRow,
    SeatRow,
    SheetValueRow,
)
from spyrium_log.readmodel.telling import Telling, add_fallen
from spyrium_log.replay import Replay
from spyrium_log.replay import replay as replayed
from spyrium_log.sheet import Sheet
from spyrium_log.title import Adjusted, AnyTitle, Resynced, Score

TECHNIQUE = "technique"
# As many as a column of signed 64 bits takes.
MOST_BITS = 63
NO_NOTES = Notes()


def rows_of(replay: Replay, *, file: str, content: str, notes: Notes = NO_NOTES) -> Rows:
    """What the tables say of one log; `content` is the hash of the bytes that were read."""
    game = replay.header.game
    told = Telling(replay)
    told.tell()
    add_fallen(replay, told.events)
    # Of an old score sheet nothing is known but the scores: what lay on the table would be made up.
    scores_only = replay.is_scores_only
    scores = replay.scores() if scores_only else told.scores
    return Rows(
        game=[_game(replay, told, file=file, content=content)],
        seat=_seats(replay, told, scores),
        event=told.events.columns(game),
        ledger={} if scores_only else told.changes.columns(game, replay.ledger),
        decision=told.decisions.columns(game, told.events),
        offer=told.offers.rows(game),
        standing={} if scores_only else told.standings(),
        holding=told.holdings.rows(game),
        score_part=_parts(told, scores),
        finding=_findings(replay),
        note=_notes(replay, notes),
    )


def recorded_rows(replay: Replay, *, file: str, content: str) -> Rows | None:
    """What the tables say of one log as it was recorded; None where no amendment says otherwise."""
    if not is_amended(replay):
        return None
    return rows_of(replayed(replay.log, amended=False), file=file, content=content)


def is_amended(replay: Replay) -> bool:
    """Whether an amendment changes what stands on the timeline. Costs nothing where nobody amended anything."""
    lines = replay.log.lines
    return Amended in map(type, lines) and timeline(lines, amended=False) != timeline(lines)


# --- game by game --------------------------------------------------------------------------------


def _game(replay: Replay, told: Telling, *, file: str, content: str) -> GameRow:
    header = replay.header
    title = replay.title
    rulings = any(finding.status != "open" for finding in replay.findings) or any(
        type(event.do) is Adjusted for event in replay.events
    )
    gaps = any(type(event.do) is Resynced for event in replay.events)
    assumed = replay.assumed
    unseen = title.tables.unseen(told.state)
    verdict = replay.verdict
    waited = [seconds for seconds in told.waits if seconds is not None]
    options = _readings(header.options)
    usual = _usual(title.options)
    return GameRow(
        game=header.game,
        title=header.title,
        rules=header.rules,
        edition=header.edition,
        readings=" ".join(f"{name}={value}" for name, value in options.items() if value != usual[name]),
        options=options,
        sheet=sheet_of(replay),
        sheet_name=replay.sheet.name,
        source=header.source,
        seats=len(header.seats),
        first=replay.first,
        played=header.played,
        place=header.place,
        rounds=told.round,
        events=len(replay.events),
        lines=len(replay.log.lines),
        seconds=round(sum(waited)) if waited else None,
        verdict=verdict,
        open_findings=sum(finding.is_open for finding in replay.findings),
        assumed_values=assumed,
        unseen_cards=unseen,
        final=told.counted,
        scores_only=replay.is_scores_only,
        gaps=gaps,
        rulings=rulings,
        amended=is_amended(replay),
        grades=[
            _state_of(replay, verdict, counted=told.counted),
            *(["clean"] if verdict == "clean" else []),
            *(["findings"] if any(finding.is_open for finding in replay.findings) else []),
            *(["gaps"] if gaps else []),
            *(["rulings"] if rulings else []),
            *(["assumed"] if assumed else []),
            *(["unseen"] if unseen else []),
        ],
        file=file,
        content=content,
    )


def _state_of(replay: Replay, verdict: str, *, counted: bool) -> str:
    if verdict == "unusable":
        return "unusable"
    if replay.is_scores_only:
        return "scores-only"
    return "complete" if counted else "unfinished"


def _readings(options: Any) -> dict[str, str]:
    names = zip(options.__struct_encode_fields__, options.__struct_fields__, strict=True)
    return {said: str(getattr(options, name)) for said, name in names}


@lru_cache(maxsize=16)
def _usual(options: type[Struct]) -> dict[str, str]:
    return _readings(options())


def sheet_of(replay: Replay) -> str:
    """The digest of the sheet that counts, what was read off the components included."""
    return replay.log.header.sheet_digest if replay.sheet is replay.log.sheet else replay.sheet.digest()


def sheet_rows(digest: str, sheet: Sheet) -> list[SheetValueRow]:
    return [
        SheetValueRow(digest, row.of, row.what, str(row.value), row.source, row.by, row.at) for row in sheet.printed
    ]


def card_rows(title: AnyTitle) -> list[CardRow]:
    nth: Counter[str] = Counter()
    rows = []
    for card, kind in title.tables.kinds(title.sheet()).items():
        nth[kind] += 1
        rows.append(CardRow(title.key, card, kind, nth[kind], _bits(title).get(card)))
    return rows


def _bits(title: AnyTitle) -> dict[str, int]:
    techniques = [card for card, kind in title.tables.kinds(title.sheet()).items() if kind == TECHNIQUE]
    return {card: 1 << at for at, card in enumerate(techniques[:MOST_BITS])}


def _seats(replay: Replay, told: Telling, scores: Sequence[Score]) -> list[SeatRow]:
    header = replay.header
    at_place = Counter(score.place for score in scores)
    has_ended = told.counted or replay.is_scores_only
    bits = _bits(replay.title)
    return [
        SeatRow(
            game=header.game,
            seat=score.seat,
            player=seat.player,
            written=seat.player,
            colour=seat.colour,
            turn=None if replay.first is None else (score.seat - replay.first) % len(header.seats) + 1,
            points=None if replay.is_scores_only else score.points,
            total=score.total,
            place=score.place,
            won=score.won if has_ended else None,
            shared=at_place[score.place] > 1,
            techniques=sum({bits.get(card, 0) for card in told.holdings.kept(score.seat)}),
        )
        for seat, score in zip(header.seats, scores, strict=True)
    ]


def _parts(told: Telling, scores: Sequence[Score]) -> list[ScorePartRow]:
    """Points by cause, what the final count would still add included. They sum to the totals."""
    parts: dict[tuple[int, str], int] = {}
    for entry in told.replay.ledger:
        if entry.what == "points" and entry.who:
            key = (entry.who, entry.why)
            parts[key] = parts.get(key, 0) + entry.amount
    for score in scores:
        for part, points in score.final:
            parts[score.seat, part] = parts.get((score.seat, part), 0) + points
    return [ScorePartRow(told.game, seat, part, points) for (seat, part), points in parts.items()]


def _findings(replay: Replay) -> list[FindingRow]:
    game = replay.header.game
    return [
        FindingRow(
            game,
            finding.n,
            finding.i,
            finding.kind,
            finding.rule,
            finding.number,
            str(finding.expected),
            str(finding.found),
            finding.on,
            finding.status,
        )
        for finding in replay.findings
    ]


def _notes(replay: Replay, notes: Notes) -> list[NoteRow]:
    if not notes.lines:
        return []
    rows = []
    for nth, remark in enumerate(remarks(replay, notes), 1):
        n, _, i = remark.on.partition(".")
        rows.append(
            NoteRow(
                replay.header.game,
                int(n),
                int(i or 0),
                nth,
                remark.by,
                remark.mark,
                remark.tags,
                remark.text,
                remark.variation,
                remark.anchor,
            )
        )
    return rows
