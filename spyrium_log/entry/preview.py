"""What a request would do, before it is written: in words, and in what everybody has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from spyrium_log.entry import requests, shortcuts
from spyrium_log.entry.requests import Acceptance, Act, Note, Reading, Request, Ruling, Undo
from spyrium_log.log.timeline import ref_of, timeline
from spyrium_log.messages import Reader, comparison
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.title import Counted, Effects, Resynced

# an undo lists so many events one by one
MOST_LISTED = 4


class Change(NamedTuple):
    """An amount of one seat before and after."""

    seat: int
    what: str
    before: int
    after: int


class Preview:
    """What requests would do to a game, before they are written."""

    def __init__(self, play: Play, language: str) -> None:
        self.play = play
        self.language = language

    @property
    def players(self) -> list[str]:
        return self.play.players

    def sentence(self, request: Request) -> str:
        """What would be written, in words."""
        if isinstance(request, Act):
            # of a count, what differs from the record is more use than the numbers just typed
            if isinstance(request.act, Counted):
                count = len(request.act.held)
                return f"{count} number{'' if count == 1 else 's'} counted: {self._count_differences(request.act)}"
            return self.act_sentence(request.act, request.extra)
        if isinstance(request, Undo):
            gone, back = self.undo_effects(request)
            return (
                "; ".join([*_event_list("takes back", gone), *_event_list("brings back", back)]) or "takes back nothing"
            )
        if isinstance(request, Acceptance):
            finding = request.finding
            number = f" ({finding.number})" if finding.number else ""
            about = comparison(finding.expected, finding.found, Reader(names=self.players, minus="-"))
            return f"{finding.ref} stands, says {request.who}: {request.why}; {finding.rule}{number}: {about}"
        if isinstance(request, Ruling):
            return self._ruling_sentence(request)
        if isinstance(request, Reading):
            rows = {(row.of, row.what): row for row in replay(self.play.log, audit=False).sheet.printed}
            row = rows.get((request.of, request.what))
            before = f", not {row.value} ({row.source})" if row and row.value != request.value else ""
            return f"{request.what} of {request.of} is printed as {request.value}{before}"
        return self._note_sentence(request)

    def _count_differences(self, counted: Counted[str]) -> str:
        """Where the count and the record differ."""
        recorded = {(holding.who, holding.what): holding.n for holding in self.play.title.held(self.play.state)}
        differences = []
        for who, what, n in ((holding.who, holding.what, holding.n) for holding in counted.held):
            if n != (recorded_amount := recorded.get((who, what), 0)):
                amounts = f"{self.amount(what, n)} counted, {self.amount(what, recorded_amount)} recorded"
                differences.append(f"{self.players[who - 1]} {what} {amounts}")
        return "; ".join(differences) or "all as recorded"

    def amount(self, what: str, n: int) -> str:
        """An amount as the table would say it: a space of a track by the number printed on it."""
        printed = self.play.title.recorder.printed(self.play.state, what)
        return f"{printed[n - 1]} (space {n})" if 0 < n <= len(printed) else str(n)

    def _ruling_sentence(self, request: Ruling) -> str:
        """What an event moved instead, and how scores and findings change."""
        before = shortcuts.moved_sums(shortcuts.event_at(self.play, request.at))
        after = shortcuts.moved_sums(request.event)
        parts = [
            f"{self.players[who - 1]} {what} {after.get((who, what), 0):+d}, not {before.get((who, what), 0):+d}"
            for who, what in dict.fromkeys((*before, *after))
            if before.get((who, what), 0) != after.get((who, what), 0)
        ]
        changed = requests.consequences(self.play, request)
        scores = [
            f"{self.players[new.seat - 1]} {old.total} → {new.total} points"
            for old, new in zip(changed.before, changed.after, strict=True)
            if old.total != new.total
        ]
        opened = sum(finding.is_open for finding in changed.came) - sum(finding.is_open for finding in changed.went)
        findings = [f"{abs(opened)} {'more' if opened > 0 else 'fewer'} open findings"] if opened else []
        return f"at {request.at}: {'; '.join([', '.join(parts), *scores, *findings])}; {request.why}"

    def _note_sentence(self, request: Note) -> str:
        """Where the note will stand, its mark, text and tags."""
        on = request.on or requests.last_of(self.play)
        return " ".join(filter(None, [f"on {on}:", request.mark, request.text, *(f"#{tag}" for tag in request.tags)]))

    def act_sentence(self, act: Any, extra: Sequence[Any] = ()) -> str:
        """What one act would do now, in words."""
        title, state = self.play.title, self.play.state
        moved, facts = title.effects(state, act) or Effects()
        return title.words.describe(state, act, (*moved, *extra), facts, self.players, self.language)

    def undo_effects(self, request: Undo) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """The events that an undo takes back, and those it brings back, with their sentences."""
        to = self.play.before_last() if request.to is None else request.to
        lines = self.play.log.lines
        refs_now, refs_then = ({ref_of(event) for event in timeline(lines, until)} for until in (None, to))
        gone = [(ref, sentence) for ref, sentence in self._sentences_until(None) if ref not in refs_then]
        return gone, [(ref, sentence) for ref, sentence in self._sentences_until(to) if ref not in refs_now]

    def _sentences_until(self, until: int | None) -> Iterator[tuple[str, str]]:
        """The name and the sentence of each event that stood after line `until`, or stands now."""
        replayed = replay(self.play.log, until=until, audit=False)
        for event, sentence in replayed.sentences(self.language):
            yield ref_of(event), sentence

    def changes(self, request: Request) -> list[Change]:
        """The amounts that change, as the board shows them."""
        if not isinstance(request, Act):
            return []
        title, state = self.play.title, self.play.state
        held = {(holding.who, holding.what): holding.n for holding in title.held(state)}
        if isinstance(request.act, Resynced):
            # a position replaces what lies there and has no postings to add up
            state_after = title.copy(state)
            title.evolve(state_after, request.act, (), ())
            after = {(holding.who, holding.what): holding.n for holding in title.held(state_after)}
        else:
            after = dict(held)
            effects = title.effects(state, request.act) or Effects()
            for posting in (*effects.moved, *request.extra):
                after[posting.who, posting.what] = after.get((posting.who, posting.what), 0) + posting.n
        return [
            Change(*key, self._shown_amount(key[1], held.get(key, 0)), self._shown_amount(key[1], n))
            for key, n in after.items()
            if n != held.get(key, 0)
        ]

    def _shown_amount(self, what: str, n: int) -> int:
        """The number that the board shows: for a space of a track the one printed on it."""
        printed = self.play.title.recorder.printed(self.play.state, what)
        return printed[n - 1] if 0 < n <= len(printed) else n


def _event_list(verb: str, events: Sequence[tuple[str, str]]) -> list[str]:
    """Each event with its sentence; of many events only the number, the first and the last."""
    if len(events) <= MOST_LISTED:
        return [f"{verb} {ref} {sentence}" for ref, sentence in events]
    (first, began), (last, ended) = events[0], events[-1]
    return [f"{verb} {len(events)} events, from {first} {began}", f"to {last} {ended}"]
