"""The rows of the tables that one replay makes. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, get_args

from msgspec import structs

from spyrium_log.edit.annotate import list_game_remarks
from spyrium_log.ledger import find_assumed_holdings
from spyrium_log.log.lines import Amended
from spyrium_log.log.notes import Notes
from spyrium_log.log.timeline import ref_of, timeline
from spyrium_log.readmodel.aspects import Aspect, sum_counted_bits, touched_aspects
from spyrium_log.readmodel.event_rows import EventWalk
from spyrium_log.readmodel.tables import (
    CardRow,
    FindingRow,
    GameRow,
    Grade,
    NoteRow,
    Reason,
    ResourceRow,
    Rows,
    ScorePartRow,
    SeatRow,
    SheetValueRow,
)
from spyrium_log.replay import Replay, find_seat_colour
from spyrium_log.sheet import Sheet
from spyrium_log.standings import list_standings, with_declared
from spyrium_log.title import Adjusted, AnyTitle, FinalCount, Resynced, Score, option_fields


def rows_of(walk: EventWalk, *, file: str, content: str, notes: Notes | None = None) -> Rows:
    """The rows of one log; `content` is the hash of the bytes that were read."""
    replay = walk.replay
    # Of an old score sheet nothing is known but the scores: what lay on the table would be made up.
    scores_only = replay.is_scores_only
    folded = replay.scores() if scores_only else walk.scores
    scores = with_declared(folded, replay.declared) if walk.has_final_count else folded
    game_row = _game_row(replay, walk, file=file, content=content)
    return Rows(
        game=[game_row],
        seat=_seat_rows(replay, walk, scores, folded, game_row),
        event=walk.event_columns(),
        ledger={} if scores_only else walk.ledger_columns(),
        decision=walk.decision_columns(),
        offer=walk.market_rows(),
        standing={} if scores_only else walk.standing_columns(),
        holding=walk.holdings.list_rows(game_row.game),
        score_part=_score_part_rows(walk, scores),
        finding=_finding_rows(replay),
        note=_note_rows(replay, notes),
    )


def is_amended(replay: Replay) -> bool:
    """Whether an amendment changes what stands on the timeline, so that the game has two histories."""
    lines = replay.log.lines
    return Amended in map(type, lines) and timeline(lines, amended=False) != timeline(lines)


def _game_row(replay: Replay, walk: EventWalk, *, file: str, content: str) -> GameRow:
    """The row of the table `game`: `file` is where the log lies, `content` the hash of its bytes."""
    header = replay.header
    waited = [seconds for seconds in walk.waits if seconds is not None]
    fields = option_fields(replay.title.options)
    options = {name: str(getattr(header.options, field.name)) for name, field in fields.items()}
    row = GameRow(
        game=header.game,
        title=header.title,
        rules=header.rules,
        edition=header.edition,
        readings=" ".join(f"{name}={value}" for name, value in options.items() if value != str(fields[name].default)),
        options=options,
        sheet=sheet_of(replay),
        sheet_name=replay.sheet.name,
        source=header.source,
        seats=len(header.seats),
        first=replay.first,
        played=header.played,
        place=header.place,
        rounds=walk.round,
        events=len(replay.events),
        lines=len(replay.log.lines),
        seconds=round(sum(waited)) if waited else None,
        verdict=replay.verdict,
        open_findings=sum(finding.is_open for finding in replay.findings),
        assumed_values=replay.assumed_value_count,
        invented=replay.sheet.is_invented,
        unseen_cards=replay.title.tables.unseen(walk.state),
        final=walk.has_final_count,
        scores_only=replay.is_scores_only,
        gaps=Resynced in walk.act_types,
        rulings=Adjusted in walk.act_types or any(finding.status != "open" for finding in replay.findings),
        amended=is_amended(replay),
        # made of the others, below
        grades=[],
        touched=_touched_aspects(replay, walk),
        reason=None,
        counts_for=0,
        file=file,
        content=content,
    )
    grades, reason = _list_grades(row), _find_reason_not_counted(row)
    counts_for = sum_counted_bits(reason, frozenset(grades), frozenset(row.touched))
    return structs.replace(row, grades=grades, reason=reason, counts_for=counts_for)


def _touched_aspects(replay: Replay, walk: EventWalk) -> list[Aspect]:
    """What the open findings of a game speak against."""
    if not any(finding.is_open for finding in replay.findings):
        return []
    rounds = {ref_of(event): round_ for event, _, round_, *_ in walk.events}
    return touched_aspects(replay.findings, rounds, replay.title.score_resource)


def _list_grades(row: GameRow) -> list[Grade]:
    """The words of `game.grades`: first how much of the game there is, one of four, then all that applies besides."""
    grades: dict[Grade, bool] = {
        "unusable": row.verdict == "unusable",
        "scores-only": row.scores_only,
        "complete": row.final,
        "unfinished": True,
    }
    further: dict[Grade, bool] = {
        "clean": row.verdict == "clean",
        "findings": row.open_findings > 0,
        "gaps": row.gaps,
        "rulings": row.rulings,
        "assumed": row.assumed_values > 0,
        "unseen": row.unseen_cards > 0,
        "invented": row.invented,
    }
    return [
        next(grade for grade, applies in grades.items() if applies),
        *(grade for grade, applies in further.items() if applies),
    ]


def _find_reason_not_counted(row: GameRow) -> Reason | None:
    """Why a game does not count for a report by default, the first reason that applies; None where it does."""
    reasons: dict[Reason, bool] = {
        "cannot be read to its end": row.verdict == "unusable",
        # before what else speaks against it, so that whoever asks for something else does not get it
        "invented set": row.invented,
        "scores only": row.scores_only,
        "no final count": not row.final,
        "open findings": row.open_findings > 0,
        "gaps": row.gaps,
    }
    return next((reason for reason, applies in reasons.items() if applies), None)


def sheet_of(replay: Replay) -> str:
    """The digest of the sheet of a game, with the values that were read off components laid over it."""
    return replay.log.header.sheet_digest if replay.sheet is replay.log.sheet else replay.sheet.digest()


def sheet_rows(digest: str, sheet: Sheet) -> list[SheetValueRow]:
    """The rows of the table `sheet_value` for one sheet, under its digest."""
    return [
        SheetValueRow(digest, row.of, row.what, str(row.value), row.source, row.by, row.at) for row in sheet.printed
    ]


def card_rows(title: AnyTitle, own_sheet: Sheet | None = None) -> list[CardRow]:
    """The rows of the table `card`: the cards of all sheets that ship with a title, and of a sheet of one's own."""
    sheets = [title.sheet(name) for name in title.sheets]
    if own_sheet is not None:
        sheets.append(own_sheet)
    kinds: dict[str, str] = {}
    for sheet in sheets:
        kinds |= title.tables.kinds(sheet)
    counts: Counter[str] = Counter()
    bits = card_bits(title)
    rows = []
    for card, kind in kinds.items():
        counts[kind] += 1
        rows.append(CardRow(title.key, card, kind, counts[kind], bits.get(card)))
    return rows


def card_bits(title: AnyTitle) -> dict[str, int]:
    """By card the bit that it sets in `seat.kept`, where the title tracks who kept it."""
    return {card: 1 << index for index, card in enumerate(title.tables.tracked)}


def resource_rows(title: AnyTitle) -> list[ResourceRow]:
    """The rows of the table `resource`: those of a title, with the one that is money and the one that is points."""
    roles: dict[str, Literal["points", "money"]] = {title.money: "money", title.score_resource: "points"}
    return [ResourceRow(title.key, what, roles.get(what)) for what in get_args(title.wire.resource)]


def _seat_rows(
    replay: Replay, walk: EventWalk, scores: Sequence[Score], folded: Sequence[Score], game: GameRow
) -> list[SeatRow]:
    """The rows of the table `seat`, in the order of the seats; `folded`: the scores that the log adds up to."""
    header = replay.header
    seats_at = Counter(score.place for score in scores)
    has_ended = walk.has_final_count or replay.is_scores_only
    bits = card_bits(replay.title)
    assumed_seats = _find_assumed_seats(replay, walk.state)
    return [
        SeatRow(
            game=game.game,
            seat=score.seat,
            players=game.seats,
            game_title=game.title,
            game_played=game.played,
            game_source=game.source,
            game_grades=game.grades,
            game_reason=game.reason,
            game_counts_for=game.counts_for,
            player=seat.player,
            written=seat.player,
            colour=find_seat_colour(replay.title, header, walk.state, score.seat),
            turn=None if replay.first is None else (score.seat - replay.first) % len(header.seats) + 1,
            points=None if replay.is_scores_only else score.points,
            total=score.total,
            # what the table declared is certain
            assumed=score.seat in assumed_seats and score.total == by_log.total,
            folded=None if score.total == by_log.total else by_log.total,
            place=score.place,
            won=score.won if has_ended else None,
            shared=seats_at[score.place] > 1,
            kept=sum({bits.get(card, 0) for card in walk.holdings.list_kept_cards(score.seat)}),
        )
        for seat, score, by_log in zip(header.seats, scores, folded, strict=True)
    ]


def _find_assumed_seats(replay: Replay, state: Any) -> set[int]:
    """The seats whose totals in the last state rest on printed values that nobody has checked."""
    if replay.is_scores_only or not replay.sheet.has_assumed:
        return set()
    standings = list_standings(replay.title, state, find_assumed_holdings(replay.ledger, replay.events))
    return {standing.score.seat for standing in standings if standing.is_total_assumed}


def _score_part_rows(walk: EventWalk, scores: Sequence[Score]) -> list[ScorePartRow]:
    """Points by cause, what the final count would still add included. They sum to the totals."""
    unit = walk.title.score_resource
    points_of: Counter[tuple[int, str]] = Counter()
    assumed_of: Counter[tuple[int, str]] = Counter()
    for entry in walk.replay.ledger:
        # seat 0 is none, for a log may name a seat that does not exist
        if entry.what == unit and entry.who:
            points_of[entry.who, entry.why] += entry.amount
            if entry.assumed:
                assumed_of[entry.who, entry.why] += entry.amount
    to_come = walk.title.assumed(walk.state, FinalCount())
    for score in scores:
        for part, points in score.final:
            points_of[score.seat, part] += points
            if (score.seat, unit, part) in to_come:
                assumed_of[score.seat, part] += points
    return [ScorePartRow(walk.game, *key, points, assumed_of[key]) for key, points in points_of.items()]


def _finding_rows(replay: Replay) -> list[FindingRow]:
    """The rows of the table `finding`, in English."""
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


def _note_rows(replay: Replay, notes: Notes | None) -> list[NoteRow]:
    """The rows of the table `note`; a remark on a whole line has i = 0."""
    if notes is None or not notes.lines:
        return []
    game = replay.header.game
    rows = []
    for nth, remark in enumerate(list_game_remarks(replay, notes), 1):
        n, _, i = remark.on.partition(".")
        about = remark.by, remark.mark, remark.tags, remark.text, remark.variation, remark.anchor
        rows.append(NoteRow(game, int(n), int(i or 0), nth, *about))
    return rows
