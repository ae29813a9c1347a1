"""Both histories at once: every line of a log in order, with what became of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from spyrium_log.catalogue import shared_words
from spyrium_log.course import Course
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, AnyHeader, Corrected, Drop, Event, EventLine, Line, Withdrawn
from spyrium_log.log.timeline import Edited, find_tips, insertion_number, make_ref, ref_of
from spyrium_log.messages import player_name
from spyrium_log.replay import Replay, replay
from spyrium_log.title import tag_of


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
    game = replay(log, audit=False)
    sentences: dict[str, str] = {}
    inserted: defaultdict[int, list[Event]] = defaultdict(list)
    for event, sentence in game.describe_events(language):
        sentences[ref_of(event)] = sentence
        if insertion_number(event):
            inserted[event.n].append(event)
    statuses = _find_statuses(log.lines, game)
    for (line, sentence), (status, through) in zip(_describe_lines(log, game, language), statuses, strict=True):
        now = sentences[str(line.n)] if status == "amended" else None
        kind, ref = tag_of(type(line)), str(line.n)
        yield _make_line(line, kind=kind, ref=ref, status=status, through=through, sentence=sentence, now=now)
        for event in inserted[line.n]:
            ref = ref_of(event)
            editor = event.line if isinstance(event, Edited) and event.line != line.n else None
            fate = "stands" if editor is None else "amended"
            yield _make_line(event, kind="inserted", ref=ref, status=fate, through=editor, sentence=sentences[ref])


def _make_line(line: Line, **fields: Any) -> HistoryLine:
    """A line, or an inserted event, with the fields of history that it does not have itself."""
    return HistoryLine(n=line.n, by=line.by, at=line.at, hash=line.hash, **fields)


def _find_statuses(lines: Sequence[Line], game: Replay) -> Iterator[tuple[str, int | None]]:
    """What became of each line, and the line that did it."""
    undos = _find_undos(lines)
    withdrawals = {line.line: line.n for line in lines if isinstance(line, Withdrawn)}
    amendments = [line for line in lines if isinstance(line, Amended) and line.n not in undos]
    drops = {edit.at: line.n for line in amendments for edit in line.edits if isinstance(edit, Drop)}
    events = {ref_of(event): event for event in game.events}
    for line in lines:
        event = events.get(str(line.n))
        if not isinstance(line, EventLine | Amended):
            yield ("withdrawn", withdrawals[line.n]) if line.n in withdrawals else ("aside", None)
        elif line.n in undos:
            yield "undone", undos[line.n]
        elif isinstance(event, Edited):
            yield "amended", event.line
        elif event is None and isinstance(line, EventLine):
            yield "dropped", drops.get(str(line.n))
        else:
            yield "stands", None


def _find_undos(lines: Sequence[Line]) -> dict[int, int]:
    """For the line of each event or amendment that was undone, the line of the last undo of it."""
    latest: dict[int, int] = {}
    above: dict[int, int] = {}
    # after each line, the last event or amendment that counts, with the one above it
    for n, tip in enumerate(find_tips(lines)):
        if tip:
            latest[tip[0].n] = n
            above[tip[0].n] = tip[1][0].n if tip[1] else 0
    # one counts as long as any below it does
    for n in sorted(above, reverse=True):
        latest[above[n]] = max(latest[n], latest.get(above[n], 0))
    return {n: latest[n] + 1 for n in above if latest[n] + 1 < len(lines)}


def _describe_lines(log: Log, game: Replay, language: str) -> Iterator[tuple[Line, str]]:
    """Each line in words; an event is described on the state it was recorded at."""
    title, names = log.title, game.players
    start = replay(log, until=0, audit=False)
    course = Course(title, lambda: start.state_at(0), log.file)
    for line in log.lines:
        if isinstance(line, EventLine):
            yield line, title.words.describe(course.current_state(), line.do, line.moved, line.facts, names, language)
        else:
            why = getattr(line, "why", None)
            yield line, _describe_line(line, title.name, names, language) + (f": {why}" if why else "")
        if line.n:
            course.add(line)


def _describe_line(line: Any, title_name: str, names: Sequence[str], language: str) -> str:
    """A line that is no event in words, without its reason."""
    words = shared_words(language)["lines"]
    match line.__struct_config__.tag:
        case "undo":
            return words["undo"].format(to=line.to)
        case "amendment":
            edits = ", ".join(words[edit.__struct_config__.tag].format(at=edit.at) for edit in line.edits)
            return words["amendment"].format(mode=words[line.mode], edits=edits)
        case "correction":
            return words["header"].format(said=", ".join(_describe_correction(line, words, names, language)))
        case "reading":
            return words["reading"].format(of=line.value.of, what=line.value.what, value=line.value.value)
        case "declared":
            results = (f"{player_name(result.seat, names, language)} {result.points}" for result in line.results)
            return words["declared"].format(results=", ".join(results))
        case "accepted":
            return words["accepted"].format(rule=line.rule, at=make_ref(line.line, line.i), who=line.who)
        case "withdrawn":
            return words["withdrawn"].format(line=line.line)
        case "seal":
            return words["sealed"].format(count=line.count, final=line.final)
        case _:
            return _describe_header(line, title_name, words, language)


def _describe_header(header: AnyHeader, title_name: str, words: Mapping[str, str], language: str) -> str:
    """The first line: who plays in which colour, who begins, under which edition."""
    parts = [f"{title_name}: {', '.join(f'{seat.player} ({seat.colour})' for seat in header.seats)}"]
    if header.source != "scoresheet" or header.first != 1:  # of which nobody knows
        first = player_name(header.first, [seat.player for seat in header.seats], language)
        parts.append(words["begins"].format(seat=first))
    if header.edition is not None:
        parts.append(words["edition"].format(edition=header.edition))
    return "; ".join(parts)


def _describe_correction(
    line: Corrected, words: Mapping[str, str], names: Sequence[str], language: str
) -> Iterator[str]:
    """What a header correction changed, field by field."""
    for value in (line.player, line.colour):
        if value is not None:
            yield words["is"].format(seat=player_name(line.seat, names, language), value=value) if line.seat else value
    if line.first is not None:
        yield words["begins"].format(seat=player_name(line.first, (), language))
    if line.played is not None:
        yield words["played"].format(day=line.played)
    if line.place is not None:
        yield words["place"].format(place=line.place)
