"""A log folded by its title: states, findings, ledger, scores. The good prefix always survives."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.checks import check_number, check_type
from spyrium_log.course import Course
from spyrium_log.errors import Breach, LogError, SheetError
from spyrium_log.folding import folded, unexplained
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Accepted,
    AnyHeader,
    Declared,
    Event,
    EventLine,
    Line,
    ReadOff,
    Result,
)
from spyrium_log.log.notes import Anchor, Notes, anchored
from spyrium_log.log.seals import Seal, seals
from spyrium_log.log.timeline import Edited, asides, corrected, i_of, named, phantoms, ref_of, timeline
from spyrium_log.sheet import Sheet
from spyrium_log.title import (
    Adjusted,
    AnyPosting,
    AnyTitle,
    Counted,
    Effects,
    Holding,
    Options,
    Resynced,
    Score,
    Table,
    options_of,
)

# An event's name: of its line, or of what an amendment inserted.
_REF = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,3})?")
# A state is kept after every so many events; any other is a copy of the one before it, folded on. Of a log that is
# longer than any game fewer are kept, because a hostile one makes each of them large.
SNAPSHOT_EVERY = 16
MOST_SNAPSHOTS = 256

Kind: TypeAlias = Literal["breach", "difference", "phantom", "count", "result", "seal"]


class Finding(Struct, frozen=True, kw_only=True):
    """What the audit says of line `n`, or of event `n.i`. Only an open finding on the record makes a log unclean."""

    n: int
    i: int = 0
    kind: Kind
    rule: str
    number: str
    expected: str
    found: str
    on: Literal["record", "sheet"] = "record"
    status: Literal["open", "ruled", "accepted"] = "open"

    @property
    def ref(self) -> str:
        return named(self.n, self.i)

    @property
    def is_open(self) -> bool:
        return self.status == "open" and self.on == "record"


class Entry(Struct, frozen=True, gc=False, kw_only=True):
    """One row of the ledger: what moved for whom, why, by which rule, in which line or inserted event `n.i`."""

    n: int
    i: int = 0
    who: int
    what: str
    amount: int
    why: str
    number: str
    seen: bool = False

    @property
    def ref(self) -> str:
        return named(self.n, self.i)


@dataclass(slots=True)
class Replay:
    """Everything a log says, under today's rules and its own sheet."""

    log: Log
    header: AnyHeader
    sheet: Sheet
    events: list[Event]
    findings: list[Finding] = field(default_factory=list)
    complaint: LogError | None = None
    declared: tuple[Result, ...] = ()
    snapshots: list[Any] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    lines: Sequence[Line] = ()
    _places: dict[str, int] | None = None
    _ledger: list[Entry] | None = None
    _seals: list[Seal] | None = None

    @property
    def title(self) -> AnyTitle:
        return self.log.title

    @property
    def players(self) -> list[str]:
        return [seat.player for seat in self.header.seats]

    @property
    def verdict(self) -> Literal["clean", "findings", "unusable"]:
        """A line that was never finished was never acknowledged: a finding. Any other damage is for a person."""
        if self.complaint is not None:
            damage = self.log.damage
            return "findings" if damage is not None and damage.is_mendable else "unusable"
        return "findings" if any(finding.is_open for finding in self.findings) else "clean"

    @property
    def seals(self) -> list[Seal]:
        """The seals that count, and what of each holds."""
        if self._seals is None:
            self._seals = seals(self.lines, self.log.header.game)
        return self._seals

    @property
    def unsealed(self) -> int:
        """How many lines stand after the last seal, all of them where there is none: what a new seal would cover."""
        return len(self.lines) - (self.seals[-1].n + 1 if self.seals else 0)

    @property
    def assumed(self) -> int:
        """How many printed values that had a say in this game nobody has checked."""
        components = self.rests_on
        return sum(row.source == "assumed" and row.of in components for row in self.sheet.printed)

    @property
    def rests_on(self) -> set[str]:
        """The components whose printed values had a say in this game; in mere scores none had."""
        return set() if self.is_scores_only else set(self.title.tables.rests_on(self.state_at(len(self.events))))

    @property
    def is_scores_only(self) -> bool:
        """An old score sheet: nobody recorded how it came to that, so that what was declared is all there is."""
        return self.header.source == "scoresheet" and bool(self.declared) and not self.events

    @property
    def first(self) -> int | None:
        """The seat that began. The log of an old score sheet names seat 1 where nobody knows."""
        return None if self.is_scores_only and self.header.first == 1 else self.header.first

    def name_of(self, event: Event) -> str:
        """What every command calls the event: its line's number, or 57.1 for one that amendment 57 inserted."""
        check_type(event, EventLine, "an event")
        return ref_of(event)

    def index_of(self, where: int | str) -> int:
        """How many events stand up to a line, what was inserted after it included; or up to one event, by name.

        A name that stands for no event now is its line.
        """
        if isinstance(where, str):
            if where in self.places:
                return self.places[where]
            where = int(where.partition(".")[0]) if _REF.fullmatch(where) else where
        check_number(where, "a line or event", 0, len(self.log.lines) - 1)
        return bisect_right(self.numbers, where)

    def state_after(self, where: int | str) -> Any:
        """The table after a line or event, as a state of one's own. Any of them at the cost of a few events."""
        return self.state_at(self.index_of(where))

    def state_at(self, index: int) -> Any:
        """The table after so many standing events."""
        check_number(index, "a number of events", 0, len(self.events))
        every = snapshot_every(len(self.events))
        state = self.title.copy(self.snapshots[index // every])
        for event in self.events[index - index % every : index]:
            self.title.evolve(state, event.do, event.moved, event.facts)
        return state

    @property
    def places(self) -> dict[str, int]:
        """How many events stand up to each one and itself, by name."""
        if self._places is None:
            self._places = {ref_of(event): place for place, event in enumerate(self.events, 1)}
        return self._places

    @property
    def ledger(self) -> list[Entry]:
        """Every change of every resource, made when first asked for: a verdict does without."""
        if self._ledger is None:
            self._ledger = _ledger(self)
        return self._ledger

    def scores(self) -> Sequence[Score]:
        if self.is_scores_only:
            return _as_declared(len(self.header.seats), self.declared)
        scores: Sequence[Score] = self.title.score(self.state_at(len(self.events)))
        return scores

    def score_parts(self, seat: int) -> dict[str, int]:
        """Points of one seat by cause, what the final count would still add included. They sum to its total."""
        check_number(seat, "a seat", 1, len(self.header.seats))
        parts: dict[str, int] = {}
        for entry in self.ledger:
            if entry.who == seat and entry.what == "points":
                parts[entry.why] = parts.get(entry.why, 0) + entry.amount
        for part, points in self.scores()[seat - 1].final:
            parts[part] = parts.get(part, 0) + points
        return parts

    def sentences(self, language: str = "en") -> Iterator[tuple[Event, str]]:
        """Every standing event with its sentence, in one pass."""
        check_type(language, str, "a language")
        title = self.title
        state = title.copy(self.snapshots[0])
        for event in self.events:
            yield event, title.words.describe(state, event.do, event.moved, event.facts, self.players, language)
            title.evolve(state, event.do, event.moved, event.facts)


def told_by(event: Event) -> int:
    """The amendment that tells the event as it now stands; 0 where it stands as it was recorded."""
    return event.line if type(event) is Edited else 0


def _as_declared(seats: int, declared: Iterable[Result]) -> list[Score]:
    """Places by total, ties shared: a score sheet says no more. The points are a part of their own, of no cause."""
    points = {result.seat: result.points for result in declared}
    totals = [points.get(seat, 0) for seat in range(1, seats + 1)]
    return [
        Score(seat, 0, (("declared", total),), total, 1 + sum(other > total for other in totals))
        for seat, total in enumerate(totals, 1)
    ]


def table_of(header: AnyHeader, sheet: Sheet) -> Table:
    """What the rules may know of a header."""
    start = tuple(seat.start for seat in header.seats)
    return Table(start=start, first=header.first, options=header.options, sheet=sheet)


def fold(title: AnyTitle, state: Any, events: Iterable[Event]) -> Any:
    """Events onto a state, in place, nothing looked at: as fast as it goes."""
    return folded(title, state, events)


def replay(
    log: Log,
    *,
    until: int | None = None,
    audit: bool = True,
    amended: bool = True,
    options: Mapping[str, str] | Options | None = None,
    sheet: Sheet | None = None,
) -> Replay:
    """Fold a log and audit every event against the rules; `until` a line, to see it as it stood then.

    Not `amended`: as it was recorded. What was undone stays undone, but every event says what it first said.
    `options` and `sheet` stand in the place of the game's own; its readings were of its own sheet.
    """
    check_type(log, Log, "a log, such as folder.read(name)")
    if until is not None:
        check_number(until, "a line", 0, len(log.lines) - 1)
    lines = log.lines if until is None else log.lines[: until + 1]
    apart = asides(lines)
    header = corrected(log.header, apart)
    if options is not None:
        header = structs.replace(header, options=options_of(log.title.options, options))
    is_own = sheet is None
    if not is_own:
        check_type(sheet, Sheet, "a sheet")
    with _sheet_of(log) if is_own else nullcontext():
        sheet = sheet or log.sheet.overlaid(*(aside.value for aside in apart if isinstance(aside, ReadOff)))
    done = Replay(log, header, sheet, timeline(lines, amended=amended), complaint=log.complaint)
    done.declared = next((aside.results for aside in reversed(apart) if isinstance(aside, Declared)), ())
    done.numbers = _numbers(done.events)
    done.lines = lines
    with _sheet_of(log) if is_own else nullcontext():
        _run(done, audit=audit)
    if audit and amended:
        done.findings.extend(_in_vain(n, at) for n, at in phantoms(lines))
        done.findings.extend(_forged(seal) for seal in done.seals if seal.standing == "wrong")
    declared = [aside for aside in apart if isinstance(aside, Declared)]
    if declared:
        done.findings.extend(results(declared, done.scores()))
        done.findings.extend(_undeclared(done, declared[-1].n))
    _accept(done, apart)
    return done


@dataclass(frozen=True, slots=True)
class Written:
    """One line as it was written: the table before it and after it, as they stood then. Neither may be changed."""

    line: Line
    _course: Course

    @property
    def before(self) -> Any:
        return self._course.moment(self.line.n - 1).state

    @property
    def after(self) -> Any:
        return self._course.moment(self.line.n).state


def written(done: Replay) -> Iterator[Written]:
    """Every line but the header, whatever became of it later: the evening as the scribe saw it go by."""
    course = Course(done.title, lambda: done.title.copy(done.snapshots[0]), done.log.file)
    for line in done.log.lines[1:]:
        course.add(line)
        yield Written(line, course)


class Remark(Struct, frozen=True, kw_only=True):
    """A note that stands, with what it is about: a line or event by name, and whether that still says the same."""

    on: str
    by: str
    text: str
    mark: str | None
    tags: tuple[str, ...]
    variation: tuple[str, ...]
    anchor: Anchor


def remarks(done: Replay, notes: Notes) -> list[Remark]:
    """The notes on this game, in the order of what they are about; each under the name of who said it first."""
    standing, authors, anchors = notes.standing(), notes.authors(), anchored(notes, done.log)
    found = [
        Remark(
            on=note.on,
            by=authors[id_],
            text=note.text,
            mark=note.mark,
            tags=note.tags,
            variation=note.variation,
            anchor=anchors[id_],
        )
        for id_, note in standing.items()
        if note.game == done.header.game
    ]
    return sorted(found, key=lambda remark: [int(part) for part in remark.on.split(".")])


def refolded(done: Replay, events: Sequence[Event]) -> Replay:
    """The same game with other events on its timeline, folded and audited."""
    other = Replay(done.log, done.header, done.sheet, list(events), complaint=done.complaint, declared=done.declared)
    other.numbers = _numbers(other.events)
    _run(other, audit=True)
    _accept(other, asides(done.log.lines))
    return other


@contextmanager
def _sheet_of(log: Log) -> Iterator[None]:
    """A sheet may be well formed and lack what its title needs. Where it is the log's own, that is the log's fault."""
    try:
        yield
    except SheetError as error:
        raise LogError("sheet", str(error), file=log.file) from None


def _numbers(events: Sequence[Event]) -> list[int]:
    """The line that each event stands at: its own, or of what it was inserted after. They never fall."""
    numbers: list[int] = []
    at = 0
    for event in events:
        at = event.n if type(event) is not Edited or not event.i else at
        numbers.append(at)
    return numbers


def snapshot_every(events: int) -> int:
    """After how many events of so many a state is kept."""
    return max(SNAPSHOT_EVERY, -(-events // MOST_SNAPSHOTS))


def _run(done: Replay, *, audit: bool) -> None:
    title = done.title
    evolve = title.evolve
    state = title.setup(table_of(done.header, done.sheet))
    every = snapshot_every(len(done.events))
    for index, event in enumerate(done.events):
        if index % every == 0:
            done.snapshots.append(title.copy(state))
        if audit and (found := audited(title, state, event)):
            done.findings.extend(found)
        evolve(state, event.do, event.moved, event.facts)
    if len(done.events) % every == 0:
        done.snapshots.append(title.copy(state))


def _ledger(done: Replay) -> list[Entry]:
    rules = done.title.causes
    seats = len(done.header.seats)
    rows = [
        Entry(n=0, who=who, what=what, amount=amount, why="start", number=rules["start"])
        for who, seat in enumerate(done.header.seats, 1)
        for what, amount in seat.start
    ]
    missed = dict(_missed(done))
    for index, event in enumerate(done.events):
        rows += missed.get(index, ())
        if event.moved:
            n, i = event.n, i_of(event)
            rows += [
                Entry(
                    n=n,
                    i=i,
                    who=posting.who if posting.who <= seats else 0,
                    what=posting.what,
                    amount=posting.n,
                    why=posting.why,
                    number=rules[posting.why],
                    seen=posting.seen is not None,
                )
                for posting in event.moved
            ]
    return rows


def _missed(done: Replay) -> Iterator[tuple[int, list[Entry]]]:
    """The rows of each absolute statement, by its place, in one pass."""
    if not any(type(event.do) is Resynced for event in done.events):
        return
    title = done.title
    state = title.copy(done.snapshots[0])
    for index, event in enumerate(done.events):
        before = [*title.held(state)] if type(event.do) is Resynced else None
        title.evolve(state, event.do, event.moved, event.facts)
        if before is not None:
            yield index, [*_unseen(done, event, before, title.held(state))]


def _unseen(
    done: Replay, event: Event, held_before: Iterable[Holding[str]], held_after: Iterable[Holding[str]]
) -> Iterator[Entry]:
    """An absolute statement becomes rows: what it declares less what the fold had."""
    title = done.title
    posted: dict[tuple[int, str], int] = {}
    for posting in event.moved:
        key = (posting.who if posting.who <= len(done.header.seats) else 0, posting.what)
        posted[key] = posted.get(key, 0) + posting.n
    before = {(had.who, had.what): had.n for had in held_before}
    for now in held_after:
        missed = now.n - before[now.who, now.what] - posted.get((now.who, now.what), 0)
        if missed:
            number = title.causes["unseen"]
            yield Entry(
                n=event.n,
                i=i_of(event),
                who=now.who,
                what=now.what,
                amount=missed,
                why="unseen",
                number=number,
            )


# --- the audit -----------------------------------------------------------------------------------


def audited(title: AnyTitle, state: Any, event: Event) -> list[Finding]:
    """Breaches, and the difference between what the rules make of the event and what it says. Order never counts."""
    said = unexplained(title, state, event)
    if said is None:
        return []
    broken, given = said
    act = event.do
    findings = _miscounts(title, state, event) if isinstance(act, Counted) else []
    findings += _breaches(event, broken)
    if given is None:
        findings.append(
            Finding(
                n=event.n,
                i=i_of(event),
                kind="phantom",
                rule="phantom",
                number="",
                expected="pieces on the table",
                found="none",
            )
        )
        return findings
    if isinstance(act, Adjusted):
        return findings + _against_facts(title, state, event, event.facts) + _adjustments(title, event)
    findings += _against_facts(title, state, event, [fact for fact in event.facts if fact.seen is not None])
    return findings + _differences(title, given, event) + _other_facts(title, given, event)


def _breaches(event: Event, broken: Iterable[Breach]) -> list[Finding]:
    return [
        Finding(
            n=event.n,
            i=i_of(event),
            kind="breach",
            rule=b.rule,
            number=b.number,
            expected=b.expected,
            found=b.found,
            on=b.on,
        )
        for b in broken
    ]


def _against_facts(title: AnyTitle, state: Any, event: Event, facts: Sequence[Any]) -> list[Finding]:
    """A person may rule what no rule gives, and still not what cannot be."""
    return _breaches(event, title.against(state, facts)) if facts else []


Key: TypeAlias = tuple[int, str, str]


def _sums(moved: Iterable[AnyPosting]) -> dict[Key, int]:
    sums: dict[Key, int] = {}
    for posting in moved:
        key = _key(posting)
        sums[key] = sums.get(key, 0) + posting.n
    return sums


def _differences(title: AnyTitle, given: Effects, event: Event) -> list[Finding]:
    """By who, what and why: what the rules give, what was recorded, and what a person says he saw.

    A person's word stands beside what the rules give, or in its place. Whatever was recorded without one has to be what
    the rules give: a ruling explains itself and nothing else.
    """
    expected = _sums(given.moved)
    derived = _sums(posting for posting in event.moved if posting.seen is None)
    seen = _sums(posting for posting in event.moved if posting.seen is not None)
    findings = []
    for key in dict.fromkeys((*expected, *derived, *seen)):
        due, recorded = expected.get(key, 0), derived.get(key, 0)
        if key not in seen and due == recorded:
            continue
        is_ruled = key in seen and (recorded == due or key not in derived)
        findings.append(_posting_finding(title, event, key, due, recorded + seen.get(key, 0), is_ruled=is_ruled))
    nothing = dict.fromkeys(_key(posting) for posting in event.moved if posting.n == 0 and posting.seen is None)
    return findings + [_posting_finding(title, event, key, 0, 0, is_ruled=False) for key in nothing]


def _key(posting: AnyPosting) -> Key:
    return posting.who, posting.what, posting.why


def _posting_finding(title: AnyTitle, event: Event, key: Key, due: int, found: int, *, is_ruled: bool) -> Finding:
    who, what, why = key
    return Finding(
        n=event.n,
        i=i_of(event),
        kind="difference",
        rule=f"posting.{why}",
        number=title.causes.get(why, ""),
        expected=f"seat {who} {what} {due:+d} ({why})" if due else f"nothing for seat {who} {what} ({why})",
        found=f"{found:+d}",
        status="ruled" if is_ruled else "open",
    )


def _other_facts(title: AnyTitle, given: Effects, event: Event) -> list[Finding]:
    """Facts that one side has and the other has not, each as often as it is missing."""
    missing = list(given.facts)
    extra = []
    for fact in event.facts:
        if fact in missing:
            missing.remove(fact)
        else:
            extra.append(fact)
    findings = [_fact_finding(title, event, fact, expected=True) for fact in missing]
    return findings + [_fact_finding(title, event, fact, expected=False) for fact in extra]


def _fact_finding(title: AnyTitle, event: Event, fact: Any, *, expected: bool) -> Finding:
    tag = str(type(fact).__struct_config__.tag)
    said = ", ".join(f"{name} {getattr(fact, name)}" for name in fact.__struct_fields__ if name != "seen")
    text = f"{tag} {said}".strip()
    return Finding(
        n=event.n,
        i=i_of(event),
        kind="difference",
        rule=f"fact.{tag}",
        number=title.facts.get(tag, ""),
        expected=text if expected else "nothing of the kind",
        found="nothing of the kind" if expected else text,
        status="open" if expected or fact.seen is None else "ruled",
    )


def _miscounts(title: AnyTitle, state: Any, event: Event) -> list[Finding]:
    held = {(has.who, has.what): has.n for has in title.held(state)}
    return [
        Finding(
            n=event.n,
            i=i_of(event),
            kind="count",
            rule=f"count.{said.what}",
            number="",
            expected=f"seat {said.who} {said.what} {held.get((said.who, said.what), 0)}",
            found=f"{said.n} counted",
        )
        for said in event.do.held
        if held.get((said.who, said.what), 0) != said.n
    ]


def _adjustments(title: AnyTitle, event: Event) -> list[Finding]:
    """Ruled numbers and facts are listed as ruled: who and why stand in the statement itself."""
    findings = [_posting_finding(title, event, key, 0, n, is_ruled=True) for key, n in _sums(event.moved).items()]
    facts = [_fact_finding(title, event, fact, expected=False) for fact in event.facts]
    return findings + [structs.replace(finding, status="ruled") for finding in facts]


def _in_vain(n: int, at: str) -> Finding:
    """An amendment names an event that did not stand: that part of it changed nothing."""
    return Finding(
        n=n, kind="phantom", rule="phantom", number="", expected="an event that stands", found=f"{at}, which does not"
    )


def _forged(seal: Seal) -> Finding:
    """The bytes are as they were written, and what they say of who vouches for them is not so.

    It is no complaint: the log can be read whatever is said of it, with and without the package that checks this.
    """
    expected = f"a signature of key {seal.key}"
    return Finding(
        n=seal.n, kind="seal", rule="seal.signature", number="", expected=expected, found="one that is not that key's"
    )


def results(declared: Iterable[Declared], scores: Iterable[Score]) -> list[Finding]:
    """What the table declared against what the log adds up to; of a score sheet, against the last one declared."""
    totals = {score.seat: score.total for score in scores}
    return [
        _result(aside.n, result.seat, f"{totals.get(result.seat, 0)} points", f"{result.points} declared")
        for aside in declared
        for result in aside.results
        if totals.get(result.seat) != result.points
    ]


def _undeclared(done: Replay, n: int) -> Iterator[Finding]:
    """On a score sheet nobody is left out."""
    said = {result.seat for result in done.declared}
    return (
        _result(n, seat, "with points", "none declared")
        for seat in range(1, len(done.players) + 1)
        if seat not in said and done.is_scores_only
    )


def _result(n: int, seat: int, expected: str, found: str) -> Finding:
    return Finding(n=n, kind="result", rule="result", number="", expected=f"seat {seat} {expected}", found=found)


def _accept(done: Replay, apart: Sequence[object]) -> None:
    """Findings that the table lives with stay listed and no longer count."""
    # a line may hold two findings of one rule: `expected` then says which of them is meant
    accepted = {(each.line, each.i, each.rule, each.expected) for each in apart if isinstance(each, Accepted)}
    if accepted:
        done.findings = [
            structs.replace(finding, status="accepted") if _is_accepted(finding, accepted) else finding
            for finding in done.findings
        ]


def _is_accepted(finding: Finding, accepted: Container[tuple[int, int, str, str | None]]) -> bool:
    return any((finding.n, finding.i, finding.rule, said) in accepted for said in (None, finding.expected))
