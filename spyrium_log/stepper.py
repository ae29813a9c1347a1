"""Stepping through a recorded game: where the reader stands, where they go, and what is to be seen there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

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
from spyrium_log.title import seat_of

Item = TypeVar("Item")
Goal: TypeAlias = Literal["round", "player", "finding", "note", "correction"]


class Guess(Struct, frozen=True, kw_only=True):
    """What a reader expected next, beside what came."""

    is_right: bool
    guessed: str
    was: str


class Stepper:
    """A position in a game: after `at` of its events.

    There are two histories, the game as it stands (`done`) and as it was first recorded (`recorded`); `shown` is the
    one that the reader steps through.
    """

    def __init__(self, log: Log, notes: Notes | None = None, language: str = "en") -> None:
        self.log = log
        self.done: Replay = replay(log)
        self.recorded: Replay = replay(log, audit=False, amended=False)
        self.language = language
        self._sentences = [_sentences(each, language) for each in (self.done, self.recorded)]
        self.notes = _grouped((notes or Notes()).standing().values(), lambda note: note.on)
        self._findings = _grouped(self.done.findings, lambda finding: finding.ref)
        self.is_recorded = False
        self.at = 0

    # --- where -----------------------------------------------------------------------------------

    @property
    def shown(self) -> Replay:
        """The history that the reader steps through."""
        return self.recorded if self.is_recorded else self.done

    @property
    def sentences(self) -> Sequence[str]:
        return [*self._sentences[self.is_recorded].values()]

    @property
    def last(self) -> int:
        return len(self.shown.events)

    @property
    def event(self) -> Event | None:
        """The last event up to here; None before the first."""
        return self.shown.events[self.at - 1] if self.at else None

    @property
    def ref(self) -> str:
        return ref_of(self.event) if self.event else "0"

    def turn(self) -> None:
        """Change to the other history, at the same event; where it lacks that one, at the last event before it."""
        refs = [ref_of(event) for event in self.shown.events[: self.at]]
        self.is_recorded = not self.is_recorded
        positions = {ref_of(event): position for position, event in enumerate(self.shown.events, 1)}
        self.at = next((positions[ref] for ref in reversed(refs) if ref in positions), 0)

    def move(self, steps: int) -> None:
        """Go so many events on (back, where negative), at most to the end."""
        self.at = max(0, min(self.at + steps, self.last))

    def go(self, where: int | str) -> None:
        """Go to an event, by the number of its line or its name."""
        self.at = self.shown.index_of(where)

    def seek(self, goal: Goal, *, back: bool = False, seat: int = 0) -> bool:
        """Go to the next event of this kind, or the one before; False, and no move, where there is none."""
        return self._go_where(lambda index: self._is(goal, index, seat), back=back)

    def search(self, words: str, *, back: bool = False) -> bool:
        """Go to the next event whose sentence or notes contain the words; from the end it goes on at the beginning."""
        pattern = words.casefold()
        return bool(words) and self._go_where(lambda index: pattern in self._text(index), back=back, around=True)

    def _go_where(self, is_wanted: Callable[[int], bool], *, back: bool, around: bool = False) -> bool:
        """Go to the nearest event that is wanted, in this direction; False where there is none."""
        ahead = [*range(self.at + 1, self.last + 1)]
        behind = [*range(self.at - 1, 0, -1)]
        indices = behind if back else ahead
        if around:
            indices += [*reversed(ahead if back else behind)]
        index = next(filter(is_wanted, indices), None)
        if index is None:
            return False
        self.at = index
        return True

    def _is(self, goal: Goal, index: int, seat: int) -> bool:
        """Whether an event is of the kind that is looked for."""
        event = self.shown.events[index - 1]
        if goal == "round":
            return index in self._round_starts[self.is_recorded]
        if goal == "player":
            return seat_of(event.do) == seat
        if goal == "finding":
            return ref_of(event) in self._findings
        return ref_of(event) in self.notes if goal == "note" else self._is_corrected(event)

    def _is_corrected(self, event: Event) -> bool:
        """Whether the other history has another event in its place, or none."""
        return isinstance(event, Edited) or self._standing.get(ref_of(event)) is not event

    @cached_property
    def _round_starts(self) -> list[frozenset[int]]:
        return [each.round_starts() for each in (self.done, self.recorded)]

    @cached_property
    def _standing(self) -> dict[str, Event]:
        return {ref_of(event): event for event in self.done.events}

    def _text(self, index: int) -> str:
        """What search looks through: the sentence of an event and the notes on it."""
        ref = ref_of(self.shown.events[index - 1])
        notes = self.notes.get(ref, ())
        texts = (self._sentences[self.is_recorded][ref], *(f"{note.text} {' '.join(note.tags)}" for note in notes))
        return "\n".join(texts).casefold()

    def notice(self, note: AnyNote) -> None:
        """Add a note that was just written."""
        self.notes.setdefault(note.on, []).append(note)

    # --- what is seen there ------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """The sentence of the last event."""
        return self._sentences[self.is_recorded][self.ref] if self.at else ""

    @property
    def other(self) -> str:
        """The sentence of the other history for an event that was corrected; '' where both agree."""
        event = self.event
        if event is None or not self._is_corrected(event):
            return ""
        return self._sentences[not self.is_recorded].get(self.ref, "nothing")

    @property
    def amendment(self) -> tuple[int, str, str]:
        """The line that amended this event, its scribe and why; 0 where none did."""
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
        """The signs of an event: ✗ for a finding, ✎ for a note, and the marks of its notes."""
        marks = [note.mark for note in self.notes.get(ref, ()) if note.mark]
        return "".join(("✗" if ref in self._findings else "", "✎" if ref in self.notes else "", *marks))

    def state(self) -> Any:
        """A copy of the state here."""
        return self.shown.state_at(self.at)

    def table(self) -> Play:
        """A game to go on from here, in memory only."""
        table = Play(self.log)
        table.state = self.state()
        return table

    def changed(self) -> list[Entry]:
        """The postings of the last event."""
        ref = self.ref
        return [entry for entry in self.shown.ledger if entry.ref == ref] if self.at else []

    def ledger(self, seat: int) -> list[Entry]:
        """The postings of one seat up to here."""
        refs = {"0", *(ref_of(event) for event in self.shown.events[: self.at])}
        return [entry for entry in self.shown.ledger if entry.who == seat and entry.ref in refs]

    # --- guessing --------------------------------------------------------------------------------

    def guess(self, notation: str) -> Guess:
        """Compare a guess, in notation, with the next event, and step past that event."""
        if self.at == self.last:
            raise NotationError(syntax("nothing-to-guess"), notation, 1)
        title, state = self.done.title, self.state()
        act = title.words.read(state, notation)
        self.move(1)
        guessed = sentence(title, state, act, self.done.players, self.language)
        return Guess(is_right=self.shown.events[self.at - 1].do == act, guessed=guessed, was=self.sentence)


class Branch:
    """Moves played instead of the next event, under the rules and in memory only."""

    def __init__(self, steps: Stepper) -> None:
        if steps.at == steps.last:
            raise NotationError(syntax("no-branch"), "", 1)
        self.on = ref_of(steps.shown.events[steps.at])
        self.table = steps.table()
        self._names, self._language = steps.done.players, steps.language
        self.notation: list[str] = []
        self.sentences: list[str] = []

    def play(self, notation: str) -> None:
        """Play one more move; IllegalError where the rules forbid it."""
        table = self.table
        act = table.parse(notation)
        description = sentence(table.title, table.state, act, self._names, self._language)
        line = table.notation(act)
        table.do(act, by="variation")
        self.sentences.append(description)
        self.notation.append(line)


def _sentences(done: Replay, language: str) -> dict[str, str]:
    """Each event's sentence by the event's name, in the order of the game."""
    return {ref_of(event): text for event, text in done.sentences(language)}


def _grouped(items: Iterable[Item], event_of: Callable[[Item], str]) -> dict[str, list[Item]]:
    """Notes or findings by the name of their event."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(event_of(item), []).append(item)
    return groups
