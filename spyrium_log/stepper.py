"""Somebody looks at a game: where they stand in it, where they go, what they see there. The screen only draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from spyrium_log.audit import Finding
from spyrium_log.errors import NotationError
from spyrium_log.ledger import Entry
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Event
from spyrium_log.log.notes import AnyNote, Notes
from spyrium_log.log.timeline import Edited, ref_of
from spyrium_log.messages import syntax
from spyrium_log.play import Play, sentence
from spyrium_log.replay import Replay, replay
from spyrium_log.title import FinalCount, seat_of

Goal: TypeAlias = Literal["round", "player", "finding", "note", "correction"]


class Guess(Struct, frozen=True, kw_only=True):
    """What somebody thought would come next, beside what did."""

    is_right: bool
    guessed: str
    was: str


class Stepper:
    """A place in a game, after so many of its events.

    There are two histories, the game as it stands and as it was first recorded; the reader walks through one of them.
    """

    def __init__(self, log: Log, notes: Notes | None = None, language: str = "en") -> None:
        self.log = log
        self.done: Replay = replay(log)
        self.recorded: Replay = replay(log, audit=False, amended=False)
        self.language = language
        self._told = [_sentences(each, language) for each in (self.done, self.recorded)]
        self.notes = _by_event(notes or Notes())
        self._findings = _grouped(self.done.findings)
        self.is_recorded = False
        self.at = 0

    # --- where -----------------------------------------------------------------------------------

    @property
    def shown(self) -> Replay:
        """The history that is walked through."""
        return self.recorded if self.is_recorded else self.done

    @property
    def sentences(self) -> Sequence[str]:
        return [*self._told[self.is_recorded].values()]

    @property
    def last(self) -> int:
        return len(self.shown.events)

    @property
    def event(self) -> Event | None:
        """The event that was last made here; none before the first."""
        return self.shown.events[self.at - 1] if self.at else None

    @property
    def ref(self) -> str:
        return ref_of(self.event) if self.event else "0"

    def turn(self) -> None:
        """To the other history, at the same event; at the one before it, where it stands in this one only."""
        refs = [ref_of(event) for event in self.shown.events[: self.at]]
        self.is_recorded = not self.is_recorded
        places = {ref_of(event): at for at, event in enumerate(self.shown.events, 1)}
        self.at = next((places[ref] for ref in reversed(refs) if ref in places), 0)

    def move(self, steps: int) -> None:
        """On or back, and never beyond an end."""
        self.at = max(0, min(self.at + steps, self.last))

    def go(self, where: int | str) -> None:
        """To a line or an event, by its name."""
        self.at = self.shown.index_of(where)

    def seek(self, goal: Goal, *, back: bool = False, seat: int = 0) -> bool:
        """To the next of its kind, or the one before; where there is none, nobody moves."""
        return self._to(lambda index: self._is(goal, index, seat), back=back)

    def search(self, words: str, *, back: bool = False) -> bool:
        """To the next event of which a sentence or a note says so, round and round."""
        wanted = words.casefold()
        return bool(words) and self._to(lambda index: wanted in self._said(index), back=back, around=True)

    def _to(self, is_it: Callable[[int], bool], *, back: bool, around: bool = False) -> bool:
        ahead = [*range(self.at + 1, self.last + 1)]
        behind = [*range(self.at - 1, 0, -1)]
        places = behind if back else ahead
        if around:
            places += [*reversed(ahead if back else behind)]
        found = next((index for index in places if is_it(index)), None)
        if found is None:
            return False
        self.at = found
        return True

    def _is(self, goal: Goal, index: int, seat: int) -> bool:
        event = self.shown.events[index - 1]
        if goal == "round":
            return isinstance(event.do, FinalCount) or self._rounds[index] != self._rounds[index - 1]
        if goal == "player":
            return seat_of(event.do) == seat
        if goal == "finding":
            return ref_of(event) in self._findings
        return ref_of(event) in self.notes if goal == "note" else self._is_corrected(event)

    def _is_corrected(self, event: Event) -> bool:
        """Whether the other history tells it otherwise, or not at all."""
        return isinstance(event, Edited) or self._standing.get(ref_of(event)) is not event

    @property
    def _rounds(self) -> list[int]:
        """The round before the first event, and after each event of the history that is walked through."""
        return self._rounds_of_recorded if self.is_recorded else self._rounds_of_done

    @cached_property
    def _rounds_of_done(self) -> list[int]:
        return _rounds(self.done)

    @cached_property
    def _rounds_of_recorded(self) -> list[int]:
        return _rounds(self.recorded)

    @cached_property
    def _standing(self) -> dict[str, Event]:
        return {ref_of(event): event for event in self.done.events}

    def _said(self, index: int) -> str:
        ref = ref_of(self.shown.events[index - 1])
        notes = self.notes.get(ref, ())
        words = (self._told[self.is_recorded][ref], *(f"{note.text} {' '.join(note.tags)}" for note in notes))
        return "\n".join(words).casefold()

    def notice(self, note: AnyNote) -> None:
        """Somebody has just written a note."""
        self.notes.setdefault(note.on, []).append(note)

    # --- what is seen there ------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        return self._told[self.is_recorded][self.ref] if self.at else ""

    @property
    def other(self) -> str:
        """What the other history says of an event that was corrected; nothing where both say the same."""
        event = self.event
        if event is None or not self._is_corrected(event):
            return ""
        return self._told[not self.is_recorded].get(self.ref, "nothing")

    @property
    def amendment(self) -> tuple[int, str, str]:
        """The line that tells this event as it stands, its scribe and why; 0 where none does."""
        event = self._standing.get(self.ref)
        line = self.log.lines[event.line] if isinstance(event, Edited) else None
        return (line.n, line.by, line.why) if isinstance(line, Amended) else (0, "", "")

    @property
    def findings(self) -> Sequence[Finding]:
        return self._findings.get(self.ref, ())

    @property
    def remarks(self) -> Sequence[AnyNote]:
        return self.notes.get(self.ref, ())

    def mark_of(self, ref: str) -> str:
        """What can be found at an event: ✗ a finding, ✎ a note, and a mark that somebody gave it."""
        marks = [note.mark for note in self.notes.get(ref, ()) if note.mark]
        return "".join(("✗" if ref in self._findings else "", "✎" if ref in self.notes else "", *marks))

    def state(self) -> Any:
        """The table here, as a state of one's own."""
        return self.shown.state_at(self.at)

    def table(self) -> Play:
        """The table here, to go on from; nothing is recorded."""
        table = Play(self.log)
        table.state = self.state()
        return table

    def changed(self) -> list[Entry]:
        """What the last event moved."""
        ref = self.ref
        return [entry for entry in self.shown.ledger if entry.ref == ref] if self.at else []

    def ledger(self, seat: int) -> list[Entry]:
        """Everything that moved for one seat up to here."""
        seen = {"0", *(ref_of(event) for event in self.shown.events[: self.at])}
        return [entry for entry in self.shown.ledger if entry.who == seat and entry.ref in seen]

    # --- guessing --------------------------------------------------------------------------------

    def guess(self, notation: str) -> Guess:
        """What comes next, guessed in notation, beside what came; the reader then stands after it."""
        if self.at == self.last:
            raise NotationError(syntax("nothing-to-guess"), notation, 1)
        title, state = self.done.title, self.state()
        act = title.words.read(state, notation)
        self.move(1)
        guessed = sentence(title, state, act, self.done.players, self.language)
        return Guess(is_right=self.shown.events[self.at - 1].do == act, guessed=guessed, was=self.sentence)


class Branch:
    """What might have come instead of the next event, played move by move under the rules; nothing is recorded."""

    def __init__(self, steps: Stepper) -> None:
        if steps.at == steps.last:
            raise NotationError(syntax("no-branch"), "", 1)
        self.on = ref_of(steps.shown.events[steps.at])
        self.table = steps.table()
        self._names, self._language = steps.done.players, steps.language
        self.notation: list[str] = []
        self.sentences: list[str] = []

    def play(self, notation: str) -> None:
        """One more move; refused, where the rules refuse it."""
        table = self.table
        act = table.parse(notation)
        description = sentence(table.title, table.state, act, self._names, self._language)
        line = table.notation(act)
        table.do(act, by="variation")
        self.sentences.append(description)
        self.notation.append(line)


def _sentences(done: Replay, language: str) -> dict[str, str]:
    """By the event's name, in the order of the game."""
    return {ref_of(event): told for event, told in done.sentences(language)}


def _rounds(done: Replay) -> list[int]:
    title, state = done.title, done.state_at(0)
    rounds = [title.round(state)]
    for event in done.events:
        title.evolve(state, event.do, event.moved, event.facts)
        rounds.append(title.round(state))
    return rounds


def _by_event(notes: Notes) -> dict[str, list[AnyNote]]:
    found: dict[str, list[AnyNote]] = {}
    for note in notes.standing().values():
        found.setdefault(note.on, []).append(note)
    return found


def _grouped(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.ref, []).append(finding)
    return found
