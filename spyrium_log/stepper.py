"""Stepping through a recorded game: where the reader stands, where they go, and what is to be seen there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from spyrium_log.audit import Finding
from spyrium_log.edit.annotate import Variation, describe_variation, play_variation
from spyrium_log.errors import NotationError
from spyrium_log.ledger import Entry, Holdings
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Amendment, Event
from spyrium_log.log.notes import AnyNote, Notes
from spyrium_log.log.timeline import Edited, ref_of
from spyrium_log.messages import syntax
from spyrium_log.play import Play, describe_act
from spyrium_log.replay import Replay, replay
from spyrium_log.title import seat_of

Goal: TypeAlias = Literal["round", "player", "finding", "note", "correction"]
# A type for front ends: a note that stands.
ShownNote: TypeAlias = AnyNote


class Guess(Struct, frozen=True, kw_only=True):
    """The sentence of the event that a reader guessed, beside that of the one that came, and whose move it was."""

    is_right: bool
    guessed: str
    was: str
    seat: int


class GuessCount(NamedTuple):
    """How many guesses were right, and how many there were."""

    right: int
    guesses: int


class Stepper:
    """A reader's position in a game: after `position` of its events.

    There are two histories, the game as it stands (`standing`) and as it was first recorded (`recorded`); `shown` is
    the one that the reader steps through. Notes and findings are kept by the name of their event.
    """

    def __init__(self, log: Log, notes: Notes | None = None, language: str = "en") -> None:
        """Stand before the first event of the game as it stands now; sentences are in this language."""
        self.log = log
        self.standing: Replay = replay(log)
        self.recorded: Replay = replay(log, audit=False, amended=False)
        self.language = language
        self._sentences = [game.sentences_by_event(language) for game in (self.standing, self.recorded)]
        self.notes: defaultdict[str, list[AnyNote]] = defaultdict(list)
        for note in (notes or Notes()).standing().values():
            self.add_note(note)
        self.findings: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in self.standing.findings:
            self.findings[finding.ref].append(finding)
        self._standing_events = {ref_of(event): event for event in self.standing.events}
        # the first guess at each event, by the event's name
        self._guesses: dict[str, Guess] = {}
        # by history, made when they are first asked for
        self._points: dict[bool, list[list[int]]] = {}
        self._rounds: dict[bool, list[tuple[int, int]]] = {}
        self._variation_sentences: dict[tuple[str, tuple[str, ...]], Sequence[str]] = {}
        self.is_recorded = False
        self.position = 0

    @property
    def shown(self) -> Replay:
        """The history that the reader steps through: as first recorded, or as it stands."""
        return self.recorded if self.is_recorded else self.standing

    @property
    def sentences(self) -> dict[str, str]:
        """The sentence of each event of the shown history by the event's name, in the order of the game."""
        return self._sentences[self.is_recorded]

    @property
    def points(self) -> list[list[int]]:
        """The points of each seat before the first event of the shown history and after each."""
        if self.is_recorded not in self._points:
            self._points[self.is_recorded] = self.shown.list_points()
        return self._points[self.is_recorded]

    @property
    def rounds(self) -> list[tuple[int, int]]:
        """The positions of the events of the shown history that begin a round, each with the round's number."""
        if self.is_recorded not in self._rounds:
            self._rounds[self.is_recorded] = self.shown.list_rounds()
        return self._rounds[self.is_recorded]

    @property
    def last(self) -> int:
        """The position after the last event."""
        return len(self.shown.events)

    @property
    def event(self) -> Event | None:
        """The last event up to here; None before the first."""
        return self.shown.events[self.position - 1] if self.position else None

    @property
    def ref(self) -> str:
        """The name of the last event up to here; 0 before the first."""
        return ref_of(self.event) if self.event else "0"

    def switch_history(self) -> None:
        """Change to the other history, at the same event; where it lacks that one, at the last event before it."""
        refs = list(self.sentences)[: self.position]
        self.is_recorded = not self.is_recorded
        positions = {ref: position for position, ref in enumerate(self.sentences, 1)}
        self.position = next((positions[ref] for ref in reversed(refs) if ref in positions), 0)

    def move(self, steps: int) -> None:
        """Go so many events on (back, where negative), at most to the end."""
        self.position = max(0, min(self.position + steps, self.last))

    def go_to(self, where: int | str) -> None:
        """Go to the place after an event, for somebody who names it: `57.1`, or the number of its line."""
        self.position = self.shown.index_of(where)

    def seek(self, goal: Goal, *, back: bool = False, seat: int = 0) -> bool:
        """Go to the next event of this kind, or `back` to the one before; False, and no step, where there is none."""
        return self._go_to_nearest(self._find_positions(goal, seat), back=back)

    def search(self, words: str, *, back: bool = False) -> bool:
        """Go to the next event whose sentence or notes contain the words; from the end it goes on at the beginning."""
        if not words:
            return False
        texts = enumerate(map(self._join_searched_text, self.sentences), 1)
        positions = {position for position, text in texts if words.casefold() in text}
        return self._go_to_nearest(positions, back=back, around=True)

    def _go_to_nearest(self, positions: Collection[int], *, back: bool, around: bool = False) -> bool:
        """Go to the nearest of these positions ahead, or if `around` from the other end on; False if there is none."""
        # the nearest first
        onward = sorted(position for position in positions if position > self.position)
        behind = sorted((position for position in positions if position < self.position), reverse=True)
        if back:
            onward, behind = behind, onward
        candidates = [*onward, *reversed(behind)] if around else onward
        if candidates:
            self.position = candidates[0]
        return bool(candidates)

    def _find_positions(self, goal: Goal, seat: int) -> Collection[int]:
        """The positions after the events of this kind; of the kind `player`, after those of this seat."""
        if goal == "round":
            return self.shown.find_round_starts()
        is_wanted: dict[Goal, Callable[[Event], bool]] = {
            "player": lambda event: seat_of(event.do) == seat,
            "finding": lambda event: ref_of(event) in self.findings,
            "note": lambda event: ref_of(event) in self.notes,
            "correction": self._is_corrected,
        }
        return {position for position, event in enumerate(self.shown.events, 1) if is_wanted[goal](event)}

    def _is_corrected(self, event: Event) -> bool:
        """Whether an amendment changed the event, so that the other history has another in its place, or none."""
        return isinstance(event, Edited) or self._standing_events.get(ref_of(event)) is not event

    def _join_searched_text(self, ref: str) -> str:
        """What search looks through: the sentence of an event and the notes on it."""
        notes = (f"{note.text} {' '.join(note.tags)}" for note in self.notes.get(ref, ()))
        return "\n".join((self.sentences[ref], *notes)).casefold()

    def add_note(self, note: AnyNote) -> None:
        """Show a note that was just written, beside those that the game was opened with."""
        self.notes[note.on].append(note)

    @property
    def sentence(self) -> str:
        """The sentence of the last event; empty before the first."""
        return self.sentences.get(self.ref, "")

    @property
    def other_sentence(self) -> str:
        """What the other history says of a corrected event, `nothing` where it lacks it; empty where both agree."""
        if self.event is None or not self._is_corrected(self.event):
            return ""
        return self._sentences[not self.is_recorded].get(self.ref, "nothing")

    @property
    def amendment(self) -> Amendment | None:
        """The line that amended the last event, with its reason; None where none did."""
        event = self._standing_events.get(self.ref)
        line = self.log.lines[event.line] if isinstance(event, Edited) else None
        return line if isinstance(line, Amended) else None

    def format_marks(self, ref: str) -> str:
        """What a list shows beside an event: ✗ for a finding, ✎ for a note, and the marks of its notes."""
        marks = [note.mark for note in self.notes.get(ref, ()) if note.mark]
        return "".join(("✗" if ref in self.findings else "", "✎" if ref in self.notes else "", *marks))

    def copy_state(self) -> Any:
        """A copy of the state after the event that the reader stands at; it may be changed."""
        return self.shown.state_at(self.position)

    @property
    def assumed_holdings(self) -> Holdings:
        """The amounts that rest here on printed values which nobody has checked."""
        return self.shown.assumed_holdings[self.position]

    def start_play(self) -> Play:
        """A game to go on from here, in memory only."""
        play = Play(self.log)
        play.state = self.copy_state()
        return play

    def list_postings(self) -> list[Entry]:
        """What the last event moved; nothing before the first."""
        return [entry for entry in self.shown.ledger if entry.ref == self.ref] if self.position else []

    def list_seat_postings(self, seat: int) -> list[Entry]:
        """All that moved for one seat up to here, what it started with first."""
        refs = {"0", *list(self.sentences)[: self.position]}
        return [entry for entry in self.shown.ledger if entry.who == seat and entry.ref in refs]

    def list_variations(self) -> list[AnyNote]:
        """The notes with a variation on the last event, and then those on the next one."""
        names = [ref_of(event) for event in self.shown.events[max(0, self.position - 1) : self.position + 1]]
        return [note for name in names for note in self.notes.get(name, ()) if note.variation]

    def describe_variation(self, note: AnyNote) -> Sequence[str]:
        """The moves of a note's variation in sentences; as they were typed where the game does not allow them."""
        key = note.on, note.variation
        if key not in self._variation_sentences:
            self._variation_sentences[key] = describe_variation(self.log, *key, self.language)
        return self._variation_sentences[key]

    def start_variation(self, moves: Sequence[str] = ()) -> Variation:
        """A variation of these moves instead of the next event; NotationError at the end of the game."""
        if self.position == self.last:
            raise NotationError(syntax("no-branch"), "", 1)
        return play_variation(self.log, ref_of(self.shown.events[self.position]), moves, self.language)

    def skip_to_decision(self) -> bool:
        """Go on to where somebody decides next, past deals and counts; False, and no step, where nobody does."""
        decision, events = self.standing.title.wire.decision, self.shown.events
        ahead = range(self.position, self.last)
        position = next((position for position in ahead if isinstance(events[position].do, decision)), None)
        if position is not None:
            self.position = position
        return position is not None

    def guess(self, notation: str) -> Guess:
        """Compare a reader's guess, in notation, with the next event, and step past that event.

        It counts if it is the first guess at this event.
        """
        if self.position == self.last:
            raise NotationError(syntax("nothing-to-guess"), notation, 1)
        title, state = self.standing.title, self.copy_state()
        act = title.words.read(state, notation)
        self.move(1)
        guessed = describe_act(title, state, act, self.standing.players, self.language)
        came = self.shown.events[self.position - 1].do
        guess = Guess(is_right=came == act, guessed=guessed, was=self.sentence, seat=seat_of(came))
        self._guesses.setdefault(self.ref, guess)
        return guess

    def count_guesses(self, seat: int = 0) -> GuessCount:
        """The guesses so far at a seat's moves, or at everybody's."""
        guesses = [guess for guess in self._guesses.values() if seat in (0, guess.seat)]
        return GuessCount(sum(guess.is_right for guess in guesses), len(guesses))
