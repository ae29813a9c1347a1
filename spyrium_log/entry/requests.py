"""What a scribe wants written: the line that holds it, and what it would change. Times and ids come from the caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.audit import Finding
from spyrium_log.catalogue import ENGLISH
from spyrium_log.edit import amend, annotate
from spyrium_log.edit.amend import AnyAct
from spyrium_log.folding import derive_effects, describe_event
from spyrium_log.ledger import SeatResource, collect_holdings
from spyrium_log.log.lines import AnyEdit, AnyEventBody, Line, Mode, Replace
from spyrium_log.log.notes import Mark, Noted
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import (
    Argument,
    Component,
    Count,
    Message,
    Reader,
    Signed,
    SourceOf,
    Term,
    comparison_text,
    entry_message,
    syntax,
)
from spyrium_log.play import Play
from spyrium_log.replay import current_sheet, replay
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyPosting, Counted, Resynced
from spyrium_log.transcript.correction import find_event, write_amounts, write_edits

# Why something was ruled, while nobody has said it.
UNSAID = "?"
# Typed at the prompt, it lists what would explain a count that disagrees.
LOCATE = "locate"
# An undo of more events lists only the first and the last.
MOST_LISTED = 4


class Act(Struct, frozen=True, kw_only=True):
    """Record an act or a statement, with postings beside its own; `anyway`: against the rules."""

    act: AnyAct
    extra: Sequence[AnyPosting] = ()
    anyway: bool = False


class Undo(Struct, frozen=True, kw_only=True):
    """Undo to a line, by default to before the last event."""

    to: int | None = None


class Reading(Struct, frozen=True, kw_only=True):
    """Record a printed value, read off the component."""

    of: str
    what: str
    value: int | str


class Note(Struct, frozen=True, kw_only=True):
    """Write a mark, a remark or both; by default on the last event."""

    text: str = ""
    mark: Mark | None = None
    on: str = ""
    tags: tuple[str, ...] = ()


class Acceptance(Struct, frozen=True, kw_only=True):
    """Accept a finding on an earlier line."""

    finding: Finding
    who: str
    why: str


class Ruling(Struct, frozen=True, kw_only=True):
    """Change what an earlier event moved; later events stay."""

    at: str
    event: AnyEventBody
    why: str

    @property
    def edits(self) -> list[AnyEdit]:
        """The ruling as the edits of an amendment, which is how a log holds it."""
        return [Replace(at=self.at, event=self.event)]

    @property
    def mode(self) -> Mode:
        """A ruling says what the table did."""
        return "misplayed"


class Slip(Ruling, frozen=True, kw_only=True):
    """Change what an earlier event moved, because it was recorded wrongly; what came after is worked out anew."""

    @property
    def mode(self) -> Mode:
        """The record should have said it."""
        return "misrecorded"


class Correction(Struct, frozen=True, kw_only=True):
    """Amend what was recorded, as what the table counted explains it."""

    edits: Sequence[AnyEdit]
    mode: Mode
    why: str


Logged: TypeAlias = Act | Undo | Reading | Acceptance | Ruling | Correction
Request: TypeAlias = Logged | Note
# Types for front ends, which need only the number and the sentence.
Written: TypeAlias = Line
NewNote: TypeAlias = Noted


def make_line(play: Play, request: Logged, *, by: str, at: datetime | None = None, cmd: str | None = None) -> Line:
    """The line that a request appends to the log; Illegal where an act is against the rules and not `anyway`."""
    line: Line
    match request:
        case Act():
            return play.propose(request.act, by=by, at=at, cmd=cmd, anyway=request.anyway, extra=request.extra).event
        case Undo():
            line = play.make_undo_line(request.to, by=by, at=at)
        case Acceptance():
            line = amend.accept_finding(play.log, request.finding, who=request.who, why=request.why, by=by, at=at)
        case Ruling() | Correction():
            line = amend.make_amendment(play.log, request.edits, request.mode, by=by, at=at, why=request.why)
        case Reading():
            day = at.date().isoformat() if at else ""
            value = Printed(request.of, request.what, request.value, "read", by, day)
            line = amend.record_reading(play.log, value, by=by, at=at)
    return replace(line, cmd=cmd)


def find_unsaid(request: Request, n: int) -> str:
    """The name of the event about which a request rules, written as line `n`, without a reason; '' where it has one."""
    match request:
        case Acceptance(why=why, finding=finding):
            return finding.ref if why == UNSAID else ""
        case Ruling(why=why, at=at):
            return at if why.endswith(f": {UNSAID}") else ""
        case Act(extra=extra):
            return str(n) if any(each.seen is not None and each.seen.why == UNSAID for each in extra) else ""
        case _:
            return ""


def make_note(play: Play, request: Note, *, note_id: str, by: str, at: datetime | None = None) -> Noted:
    """The first line of the new note that a request asks for."""
    on = request.on or last_event_name(play)
    return annotate.make_note(
        play.log, on, note_id=note_id, by=by, at=at, text=request.text, mark=request.mark, tags=request.tags
    )


def last_event_name(play: Play) -> str:
    """The name of the last event, which a note is about by default; 0, the header, before the first."""
    events = play.list_events()
    return ref_of(events[-1]) if events else "0"


def describe_finding(finding: Finding, reader: Reader) -> str:
    """A finding in a line for the scribe: `turn.order (S-5.1): expected Bob to act, found Cy`."""
    number = f" ({finding.number})" if finding.number else ""
    return f"{finding.rule}{number}: {comparison_text(finding.expected, finding.found, reader)}"


def find_printed_number(play: Play, what: str, n: int) -> int | None:
    """The number printed on space `n` of a track; None for what has no track, and for a space that is not there."""
    printed = play.title.recorder.printed(play.state, what)
    return printed[n - 1] if 0 < n <= len(printed) else None


class Change(NamedTuple):
    """An amount of one seat before and after; `assumed`: what changes it is a printed value that nobody has checked."""

    seat: int
    what: str
    before: int
    after: int
    assumed: bool = False


class Preview:
    """What requests would do to a game, before they are written."""

    def __init__(self, play: Play, language: str) -> None:
        """Look at this game as it then is, and describe it in this language."""
        self.play = play
        self.language = language

    def translate(self, message: Message) -> str:
        """The message in the language of the screen, with the names of the players."""
        return message.text_for(self._reader())

    def describe(self, request: Request) -> str:
        """What a request would write, in words, for the line under the prompt."""
        match request:
            case Act(act=Counted()):
                return self._describe_count(request.act)
            case Act():
                return self.describe_act(request.act, request.extra)
            case Undo():
                return self._describe_undo(request)
            case Acceptance():
                about = describe_finding(request.finding, self._reader())
                return self._say("stands", at=request.finding.ref, who=request.who, why=request.why, about=about)
            case Ruling():
                return self._describe_ruling(request)
            case Correction():
                changes = [*self._describe_edits(request), *self._describe_consequences(request)]
                return self._say("corrected", what="; ".join(changes), why=request.why)
            case Reading():
                return self._describe_reading(request)
            case Note():
                on, tags = request.on or last_event_name(self.play), [f"#{tag}" for tag in request.tags]
                return " ".join(filter(None, [self._say("note-on", at=on), request.mark, request.text, *tags]))

    def describe_with_detail(self, request: Request) -> str:
        """The same before it is written: an act with which of several like pieces it takes."""
        detail = self.describe_detail(request.act) if isinstance(request, Act) else ""
        return ", ".join(filter(None, (self.describe(request), detail)))

    def explain_events(self, name: str = "") -> list[str]:
        """The rules that recorded events are against, the last event first: of the one of a name, or of all."""
        findings = [finding for finding in replay(self.play.log).findings if finding.on == "record"]
        reader = self._reader()
        sentences = [
            f"{finding.ref} {describe_finding(finding, reader)}"
            for finding in reversed(findings)
            if name in ("", finding.ref)
        ]
        return sentences or [self._say("nothing-against-rules")]

    def _reader(self) -> Reader:
        """Who reads it: the language of the screen, the names of the players and, but in English, the title's words."""
        if self.language == ENGLISH:
            return Reader(names=self.play.players, minus="-")
        return Reader(self.language, self.play.players, self.play.title.words.vocabulary(self.language))

    def _say(self, key: str, /, **arguments: Argument) -> str:
        """A word or sentence of the recorder in the language of the screen."""
        return entry_message(key, **arguments).text_for(self._reader())

    def _describe_reading(self, reading: Reading) -> str:
        """`price of crane is printed as 4, not 5 (assumed)`: the other value is the one the game has now."""
        rows = {(row.of, row.what): row for row in current_sheet(self.play.log).printed}
        row = rows.get((reading.of, reading.what))
        what, card = Term("values", reading.what), Component(reading.of)
        if row is None or row.value == reading.value:
            return self._say("reading", what=what, card=card, value=str(reading.value))
        value, before = str(reading.value), str(row.value)
        return self._say("reading-not", what=what, card=card, value=value, before=before, source=SourceOf(row.source))

    def describe_act(self, act: AnyAct, extra: Sequence[AnyPosting] = ()) -> str:
        """What one act, with postings beside its own, would do now, in words."""
        title, state = self.play.title, self.play.state
        moved, facts = derive_effects(title, state, act)
        return describe_event(title, state, act, (*moved, *extra), facts, self.play.players, self.language)

    def describe_detail(self, act: AnyAct) -> str:
        """Which of several like pieces an act takes, which its sentence leaves out: such as `worker from gap 14`."""
        return self.play.title.recorder.detail(self.play.state, act, self.language)

    def describe_shared_breach(self, acts: Sequence[AnyAct]) -> str:
        """The first rule that all of these acts break alike, in words: why none of them will do; '' for none."""
        sentences = [self._describe_breaches(act) for act in acts]
        first = sentences[0] if sentences else []
        return next((sentence for sentence in first if all(sentence in others for others in sentences)), "")

    def _describe_breaches(self, act: AnyAct) -> list[str]:
        """The rules that the act would break now, `turn.order (S-5.1): expected Bob to act`, whatever was found."""
        return [
            f"{breach.rule} ({breach.number}): {self.translate(syntax('required', expected=breach.expected))}"
            for breach in self.play.title.breaches(self.play.state, act)
        ]

    def _describe_count(self, counted: Counted[str]) -> str:
        """How many numbers were counted, and in which of them the table differs from the record."""
        recorded = collect_holdings(self.play.title, self.play.state)
        differences = []
        for holding in counted.held:
            player, what = self.play.players[holding.who - 1], holding.what
            n = recorded.get((holding.who, what), 0)
            if n != holding.n:
                counted_text, recorded_text = self._format_amount(what, holding.n), self._format_amount(what, n)
                resource = Term("resources", what)
                differences.append(
                    self._say("counted-one", player=player, what=resource, counted=counted_text, recorded=recorded_text)
                )
        if differences:
            differences.append(self._say("locate-hint", command=LOCATE))
        different = "; ".join(differences) or self._say("all-as-recorded")
        return self._say("counted", numbers=Count(len(counted.held), "number"), differences=different)

    def _format_amount(self, what: str, n: int) -> str:
        """An amount as the table would say it: a space of a track by the number printed on it."""
        number = find_printed_number(self.play, what, n)
        return str(n) if number is None else self._say("on-space", number=number, n=n)

    def _describe_ruling(self, request: Ruling) -> str:
        """What an event moved instead by this ruling, and how scores and findings change."""
        event, players = find_event(self.play, request.at), self.play.players
        before, after = amend.sum_postings(event.moved if event else ()), amend.sum_postings(request.event.moved)
        moved = [
            self._say(
                "moved",
                player=players[seat - 1],
                what=Term("resources", what),
                after=Signed(after[seat, what]),
                before=Signed(before[seat, what]),
            )
            for seat, what in dict.fromkeys((*before, *after))
            if before[seat, what] != after[seat, what]
        ]
        what = "; ".join([", ".join(moved), *self._describe_consequences(request)])
        return self._say("ruled-at", at=request.at, what=what, why=request.why)

    def _describe_edits(self, request: Correction) -> list[str]:
        """Each edit in notation; where only amounts change, these alone."""
        texts = write_edits(self.play, request.edits)
        amounts = [write_amounts(self.play, edit) for edit in request.edits]
        return [
            f"{edit.at}: {', '.join(of_edit)}" if of_edit else text
            for edit, text, of_edit in zip(request.edits, texts, amounts, strict=True)
        ]

    def _describe_consequences(self, request: Ruling | Correction) -> list[str]:
        """How an amendment changes scores, and how many findings are open."""
        changed = amend.compute_consequences(self.play.log, request.edits, request.mode)
        scores = [
            self._say("scored", player=self.play.players[new.seat - 1], before=old.total, after=new.total)
            for old, new in zip(changed.before, changed.after, strict=True)
            if old.total != new.total
        ]
        more = sum(finding.is_open for finding in changed.came) - sum(finding.is_open for finding in changed.went)
        return scores + ([self._say("more-findings" if more > 0 else "fewer-findings", n=abs(more))] if more else [])

    def _describe_undo(self, request: Undo) -> str:
        """The events that an undo takes back, and those that it brings back if it goes before another undo."""
        to = self.play.line_before_last() if request.to is None else request.to
        before = replay(self.play.log, audit=False).sentences_by_event(self.language)
        after = replay(self.play.log, until=to, audit=False).sentences_by_event(self.language)
        gone = [f"{name} {sentence}" for name, sentence in before.items() if name not in after]
        back = [f"{name} {sentence}" for name, sentence in after.items() if name not in before]
        parts = [*self._list_briefly("takes-back", gone), *self._list_briefly("brings-back", back)]
        return "; ".join(parts) or self._say("takes-nothing-back")

    def _list_briefly(self, verb: str, events: Sequence[str]) -> list[str]:
        """The events that an undo takes or brings back, in words; of many, the first and the last."""
        if len(events) <= MOST_LISTED:
            return [self._say(verb, what=event) for event in events]
        first = self._say(f"{verb}-from", events=Count(len(events), "event"), what=events[0])
        return [first, self._say("to", what=events[-1])]

    def compute_changes(self, request: Request) -> list[Change]:
        """The amounts that a request changes, as the board shows them; only an act changes any."""
        if not isinstance(request, Act):
            return []
        title, state = self.play.title, self.play.state
        before = Counter(collect_holdings(title, state))
        after = self._compute_amounts_after(request, before)
        assumed = {(who, what) for who, what, _ in title.assumed(state, request.act)}
        # what the table says it moved is certain
        assumed.difference_update((posting.who, posting.what) for posting in request.extra)
        displayed = self._find_displayed_number
        return [
            Change(seat, what, displayed(what, before[seat, what]), displayed(what, n), (seat, what) in assumed)
            for (seat, what), n in after.items()
            if n != before[seat, what]
        ]

    def _compute_amounts_after(self, request: Act, before: Counter[SeatResource]) -> Counter[SeatResource]:
        """What everybody would hold after an act."""
        title, state = self.play.title, self.play.state
        if isinstance(request.act, Resynced):
            # a position replaces what lies there and has no postings to add up
            state = title.copy(state)
            title.evolve(state, request.act, (), ())
            return Counter(collect_holdings(title, state))
        after = before.copy()
        after.update(amend.sum_postings((*derive_effects(title, state, request.act).moved, *request.extra)))
        return after

    def _find_displayed_number(self, what: str, n: int) -> int:
        """The number that the board shows: for a space of a track the one printed on it."""
        number = find_printed_number(self.play, what, n)
        return n if number is None else number
