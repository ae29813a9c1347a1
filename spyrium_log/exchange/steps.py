"""The steps of a game's page: each line of the list of moves, the table after it, and what is noted beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

from spyrium_log.audit import Finding, audit_event
from spyrium_log.edit.amend import AnyState
from spyrium_log.edit.annotate import Remark, Variation
from spyrium_log.errors import SpyriumLogError
from spyrium_log.folding import describe_event
from spyrium_log.ledger import Entry, Holdings
from spyrium_log.messages import Reader, comparison_text
from spyrium_log.replay import Replay, amendment_of, walk_recorded_lines
from spyrium_log.store import kinds
from spyrium_log.title import seat_of, tag_of


class FindingNote(NamedTuple):
    """What the audit says of a step. `step` is the event it is about."""

    step: str
    rule: str
    number: str
    status: str
    text: str
    is_open: bool
    kind: Literal["finding"] = "finding"


class ChangeNote(NamedTuple):
    """How a correction changed the step: a text that may link to another step, what it became and what it was."""

    text: str
    link: str = ""
    after: str = ""
    before: str = ""
    kind: Literal["change"] = "change"


class RemarkNote(NamedTuple):
    """A note that people wrote. `lines` is its text, `moves` the variation in sentences.

    `states` are those after each of its moves, if the game allows them. Of a note `v1` the steps are `v1-1`, `v1-2` …
    """

    step: str
    by: str
    mark: str
    lines: Sequence[str]
    tags: Sequence[str]
    anchor: str
    moves: Sequence[str]
    name: str
    seats: Sequence[int]
    states: Sequence[AnyState]
    kind: Literal["remark"] = "remark"


Note: TypeAlias = FindingNote | ChangeNote | RemarkNote


class Step(NamedTuple):
    """One line of the list of moves, and the table after it."""

    id: str
    name: str
    seat: int
    kind: str
    sentence: str
    state: AnyState
    assumed: Holdings
    moved: Sequence[Entry]
    notes: Sequence[Note]


class Steps:
    """Makes the steps of one game in one language; `say` are the page's own words."""

    def __init__(self, game: Replay, say: Mapping[str, str], remarks: Sequence[Remark], language: str) -> None:
        """`game`: audited. `remarks`: what people wrote on it, which stands beside the steps."""
        self.game = game
        self.say = say
        self.language = language
        self.reader = Reader(language, game.players, game.title.words.vocabulary(language))
        self.remarks: dict[str, list[RemarkNote]] = defaultdict(list)
        for number, remark in enumerate(remarks, 1):
            self.remarks[remark.on].append(self._remark_note(remark, f"v{number}"))

    def standing_steps(self, recorded: Sequence[Step]) -> Iterator[Step]:
        """The table before the first event, then every event as it stands; `recorded` are the lines as written."""
        game, title = self.game, self.game.title
        findings: dict[str, list[FindingNote]] = defaultdict(list)
        for finding in game.findings:
            findings[finding.ref].append(self.finding_note(finding))
        moved: dict[str, list[Entry]] = defaultdict(list)
        for entry in game.ledger:
            moved[entry.ref].append(entry)
        first_sentences = {step.name: step.sentence for step in recorded}
        yield self._start("e0", self.remarks["0"])
        for index, (event, sentence) in enumerate(game.describe_events(self.language), 1):
            name = game.name_of(event)
            notes: list[Note] = [*findings[name]]
            if amended_by := amendment_of(event):
                notes.append(self._amendment_note(amended_by, sentence, first_sentences.get(name)))
            notes += self.remarks[name]
            seat, kind, state = seat_of(event.do), title.tables.verb(event.do), game.state_at(index)
            yield Step(f"e{name}", name, seat, kind, sentence, state, game.assumed_holdings[index], moved[name], notes)

    def _start(self, step_id: str, notes: Sequence[Note]) -> Step:
        """The table before the first event, which is nobody's."""
        return Step(step_id, "0", 0, "start", self.say["start"], self.game.state_at(0), frozenset(), (), notes)

    def _amendment_note(self, line: int, sentence: str, recorded: str | None) -> ChangeNote:
        """What the amendment on this line did to an event; `recorded`: its sentence before, None if it was inserted."""
        key = "inserted"
        if recorded is not None:
            # only what it moved may have changed
            key = "amendment_of" if recorded == sentence else "was"
        return ChangeNote(f"↺ {self.say[key].format(line=line, was=recorded)}", f"r{line}")

    def recorded_steps(self) -> list[Step]:
        """The lines as they were written; none where nothing was ever undone or amended."""
        game = self.game
        if not any(isinstance(line, kinds.Undone | kinds.Amended) for line in game.log.lines):
            return []
        standing = {game.name_of(event): event for event in game.events}
        sentences = {game.name_of(event): sentence for event, sentence in game.describe_events(self.language)}
        steps = [self._start("r0", ())]
        # what was undone may have brought it: rather marked too often than too seldom
        assumed: Holdings = frozenset()
        for line, course in walk_recorded_lines(game):
            if isinstance(line, kinds.EventLine):
                before, after = course.state_after(line.n - 1), course.state_after(line.n)
                assumed |= {(who, what) for who, what, _ in self.game.title.assumed(before, line.do)}
                step = self._recorded_step(line, before, after, assumed, standing)
            else:
                earlier = {step.name: step.sentence for step in steps}
                notes = list(self._edit_notes(line, sentences, earlier)) if isinstance(line, kinds.Amended) else []
                kind, text, state = tag_of(type(line)), self._correction_text(line), course.state_after(line.n)
                step = Step(f"r{line.n}", str(line.n), 0, kind, text, state, assumed, (), notes)
            steps.append(step)
        return steps

    def _recorded_step(
        self,
        line: kinds.Event,
        before: AnyState,
        after: AnyState,
        assumed: Holdings,
        standing: Mapping[str, kinds.Event],
    ) -> Step:
        """The step of an event as it was recorded, with what became of it later."""
        game, title = self.game, self.game.title
        name = str(line.n)
        sentence = describe_event(title, before, line.do, line.moved, line.facts, game.players, self.language)
        notes: list[Note] = [self.finding_note(finding) for finding in audit_event(title, before, line)]
        if name not in standing:
            notes.append(ChangeNote(f"↺ {self.say['gone']}"))
        elif amendment_of(standing[name]):
            notes.append(ChangeNote(f"↺ {self.say['told_otherwise']}", f"e{name}"))
        return Step(f"r{name}", name, seat_of(line.do), title.tables.verb(line.do), sentence, after, assumed, (), notes)

    def _correction_text(self, line: kinds.Line) -> str:
        """A line that is no event, such as an undo or an amendment, in words, with its reason if it has one."""
        kind = line.mode if isinstance(line, kinds.Amended) else tag_of(type(line))
        # the numbers that the words of any kind of line may name
        numbers = {"to": getattr(line, "to", ""), "line": getattr(line, "line", "")}
        sentence = self.say[f"line_{kind}"].format(by=line.by, **numbers)
        why = getattr(line, "why", None)
        return f"{sentence}: {why}" if why else sentence

    def _edit_notes(
        self, line: kinds.Amendment, now: Mapping[str, str], before: Mapping[str, str]
    ) -> Iterator[ChangeNote]:
        """What an amendment makes of which events; sentences `now` and `before`, by event."""
        inserted = 0
        for edit in line.edits:
            tag, name = tag_of(type(edit)), edit.at
            if isinstance(edit, kinds.InsertAfter):
                inserted += 1
                name = f"{line.n}.{inserted}"
            after = "" if tag == "drop" else now.get(name, "")
            text = self.say[tag].format(at=edit.at, name=name)
            yield ChangeNote(text, f"e{name}" if after else "", after, before.get(name, ""))
        if line.effects:
            yield ChangeNote(self.say["rederived"].format(n=len(line.effects)))

    def finding_note(self, finding: Finding) -> FindingNote:
        """A finding in the words of the reader."""
        is_about_sheet = finding.on == "sheet" and finding.status == "open"
        status = self.say["on_sheet" if is_about_sheet else finding.status]
        text = comparison_text(finding.expected, finding.found, self.reader)
        return FindingNote(finding.ref, finding.rule, finding.number, status, text, finding.is_open)

    def _remark_note(self, remark: Remark, name: str) -> RemarkNote:
        """A note of a person. Its variation is in sentences if the game allows it, else as it was typed."""
        anchor = "" if remark.anchor == "stands" else self.say[f"anchor_{remark.anchor}"]
        played: tuple[Sequence[str], Sequence[int], Sequence[AnyState]] = remark.variation, (), ()
        with suppress(SpyriumLogError):
            played = self._play_variation(remark)
        lines = remark.text.split("\n")
        about = remark.on, remark.by, remark.mark or "", lines, remark.tags, anchor
        moves, seats, states = played
        return RemarkNote(*about, moves, name, seats, states)

    def _play_variation(self, remark: Remark) -> tuple[Sequence[str], Sequence[int], Sequence[AnyState]]:
        """The sentences of a variation, whose move each is, and the states after them."""
        variation = Variation(self.game.log, remark.on, self.language)
        states = []
        for move in remark.variation:
            variation.play(move)
            states.append(self.game.title.copy(variation.table.state))
        return variation.sentences, [seat_of(act) for act in variation.acts], states
