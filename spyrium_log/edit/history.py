"""Both histories at once: every line of a log in order, with what became of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from spyrium_log.catalogue import shared_words
from spyrium_log.colours import SeatedColours, colour_name
from spyrium_log.course import Course
from spyrium_log.folding import describe_event
from spyrium_log.log import lines as kinds
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Amendment, AnyHeader, Corrected, Drop, Event, EventLine, Line, Withdrawn
from spyrium_log.log.timeline import Edited, find_tips, insertion_number, make_ref, ref_of
from spyrium_log.messages import Reader, player_name
from spyrium_log.printed import value_text
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


class Fate(NamedTuple):
    """What became of a line, as `HistoryLine.status` says it, and the line that did it; None where no line did."""

    status: Literal["stands", "undone", "dropped", "amended", "withdrawn", "aside"]
    through: int | None = None


def list_history(log: Log, language: str = "en") -> Iterator[HistoryLine]:
    """Every line with its fate, for `show --log`, and below an amendment its inserted events that stand."""
    game = replay(log, audit=False)
    sentences: dict[str, str] = {}
    inserted: defaultdict[int, list[Event]] = defaultdict(list)
    for event, sentence in game.describe_events(language):
        sentences[ref_of(event)] = sentence
        if insertion_number(event):
            inserted[event.n].append(event)
    fates = _find_fates(log.lines, game)
    for (line, sentence), fate in zip(_describe_lines(log, game, language), fates, strict=True):
        ref = str(line.n)
        now = sentences[ref] if fate.status == "amended" else None
        yield _make_line(line, fate, kind=tag_of(type(line)), ref=ref, sentence=sentence, now=now)
        for event in inserted[line.n]:
            ref = ref_of(event)
            later_amendment = event.line if isinstance(event, Edited) and event.line != line.n else None
            inserted_fate = Fate("stands") if later_amendment is None else Fate("amended", later_amendment)
            yield _make_line(event, inserted_fate, kind="inserted", ref=ref, sentence=sentences[ref])


def _make_line(line: Line, fate: Fate, *, kind: str, ref: str, sentence: str, now: str | None = None) -> HistoryLine:
    """A line, or an inserted event, as the history lists it: with its fate and its sentences."""
    own: dict[str, Any] = {name: getattr(line, name) for name in ("n", "by", "at", "hash")}
    return HistoryLine(**own, **fate._asdict(), kind=kind, ref=ref, sentence=sentence, now=now)


def _find_fates(lines: Sequence[Line], game: Replay) -> Iterator[Fate]:
    """What became of each line, in order."""
    undos = _find_undos(lines)
    withdrawals = {line.line: line.n for line in lines if isinstance(line, Withdrawn)}
    amendments = [line for line in lines if isinstance(line, Amended) and line.n not in undos]
    drops = {edit.at: line.n for line in amendments for edit in line.edits if isinstance(edit, Drop)}
    events = {ref_of(event): event for event in game.events}
    for line in lines:
        event = events.get(str(line.n))
        if not isinstance(line, EventLine | Amended):
            yield Fate("withdrawn", withdrawals[line.n]) if line.n in withdrawals else Fate("aside")
        elif line.n in undos:
            yield Fate("undone", undos[line.n])
        elif isinstance(event, Edited):
            yield Fate("amended", event.line)
        elif event is None and isinstance(line, EventLine):
            yield Fate("dropped", drops.get(str(line.n)))
        else:
            yield Fate("stands")


def _find_undos(lines: Sequence[Line]) -> dict[int, int]:
    """For the line of each event or amendment that was undone, the line of the last undo of it."""
    # by the line of an event: the last line after which it counted, and the event before it then (0: none)
    last_counted: dict[int, int] = {}
    before: dict[int, int] = {}
    for n, tip in enumerate(find_tips(lines)):
        if tip:
            line, tip_before = tip
            last_counted[line.n] = n
            before[line.n] = tip_before[0].n if tip_before else 0
    # an event counts as long as any after it does
    for n in sorted(before, reverse=True):
        last_counted[before[n]] = max(last_counted[n], last_counted.get(before[n], 0))
    return {n: last_counted[n] + 1 for n in before if last_counted[n] + 1 < len(lines)}


def _describe_lines(log: Log, game: Replay, language: str) -> Iterator[tuple[Line, str]]:
    """Each line in words; an event is described on the state it was recorded at."""
    title, names = log.title, game.players
    reader = Reader(language, names, title.words.vocabulary(language))
    start = replay(log, until=0, audit=False)
    course = Course(title, lambda: start.state_at(0), log.file)
    for line in log.lines:
        if isinstance(line, EventLine):
            state = course.current_state()
            yield line, describe_event(title, state, line.do, line.moved, line.facts, names, language)
        else:
            # not every kind of line has a reason
            why = getattr(line, "why", None)
            yield line, _describe_line(line, title.name, reader) + (f": {why}" if why else "")
        # the course begins after the header
        if line.n:
            course.add(line)


def _describe_line(line: AnyHeader | kinds.Undone | Amendment | kinds.Aside, title_name: str, reader: Reader) -> str:
    """A line that is no event in words, without its reason (`why`)."""
    words = shared_words(reader.language)["lines"]
    match line:
        case kinds.Undone():
            return words["undo"].format(to=line.to)
        case Amended():
            edits = ", ".join(words[tag_of(type(edit))].format(at=edit.at) for edit in line.edits)
            return words["amendment"].format(mode=words[line.mode], edits=edits)
        case Corrected():
            return words["header"].format(said=", ".join(_describe_correction(line, words, reader)))
        case kinds.ReadOff():
            of, what = reader.card_name(line.value.of), reader.title_word("values", line.value.what)
            return words["reading"].format(of=of, what=what, value=value_text(line.value.value, reader))
        case kinds.Declared():
            results = (f"{reader.player_name(result.seat)} {result.points}" for result in line.results)
            return words["declared"].format(results=", ".join(results))
        case kinds.Accepted():
            return words["accepted"].format(rule=line.rule, at=make_ref(line.line, line.i), who=line.who)
        case Withdrawn():
            return words["withdrawn"].format(line=line.line)
        case kinds.Sealed():
            return words["sealed"].format(count=line.count, final=line.final)
        case kinds.Header():
            return _describe_header(line, title_name, words, reader.language)


def _describe_header(header: AnyHeader, title_name: str, words: Mapping[str, str], language: str) -> str:
    """The first line in words: who plays in which colour, who begins, under which edition."""
    players, colours = [seat.player for seat in header.seats], [seat.colour for seat in header.seats]
    parts = [f"{title_name}: {SeatedColours(tuple(players), tuple(colours)).text_for(Reader(language))}"]
    # a mere score sheet does not say who began, and has 1 there
    if header.source != "scoresheet" or header.first != 1:
        first = player_name(header.first, players, language)
        parts.append(words["begins"].format(seat=first))
    if header.edition is not None:
        parts.append(words["edition"].format(edition=header.edition))
    return "; ".join(parts)


def _describe_correction(line: Corrected, words: Mapping[str, str], reader: Reader) -> Iterator[str]:
    """What a header correction changed, field by field."""
    colour = None if line.colour is None else colour_name(line.colour, reader.language)
    for value in (line.player, colour):
        if value is not None:
            # our own commands always say whose it is, but the format does not ask for it
            yield words["is"].format(seat=reader.player_name(line.seat), value=value) if line.seat else value
    if line.first is not None:
        # the number of the seat, as the line has it
        yield words["begins"].format(seat=player_name(line.first, (), reader.language))
    if line.played is not None:
        yield words["played"].format(day=line.played)
    if line.place is not None:
        yield words["place"].format(place=line.place)
