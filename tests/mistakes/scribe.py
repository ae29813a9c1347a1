"""Somebody who writes a game down: lines go to the log, and the table follows; and what mistakes are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from spyrium_log.edit.amend import make_amendment
from spyrium_log.log.lines import AnyEdit, Event, Line, Mode
from spyrium_log.play import Play
from spyrium_log.players.policies import Dice
from spyrium_log.title import Adjusted, Posting, Seen
from tests.mistakes.variation import UNSEEN, varied, words_in

# How many acts that were legal once are remembered, to be done when they are not.
REMEMBERED = 60
# How often something that breaks a rule is looked for, each time changed in at most so many places.
TRIES = 12
PLACES = 3
WHY = ("we looked at the table again", "it was late", "the rulebook says so", "nobody remembers")
TABLE = "the table"


class Scribe:
    """Writes lines, and remembers what was done and dealt.

    `unseen` are cards that were dealt and not looked at, as they really are; `lying` those of this round.
    """

    def __init__(self, table: Play, dice: Dice, by: str) -> None:
        self.table = table
        self.title = table.title
        self.dice = dice
        self.by = by
        self.once_legal: list[Any] = []
        self.dealt: Any = None
        self.unseen: list[str] = []
        self.lying: list[str] = []
        self.words = sorted({row.of for row in table.log.sheet.printed} | {UNSEEN})

    def write(self, line: Line) -> None:
        self.table.append(line)

    def event(self, act: Any) -> Event:
        """What the rules make of the act, whether or not they allow it."""
        return self.table.propose(act, by=self.by, anyway=True).event

    def remember(self, act: Any) -> None:
        if isinstance(act, self.title.wire.decision):
            if len(self.once_legal) >= REMEMBERED:
                self.once_legal.pop(self.dice.randrange(REMEMBERED))
            self.once_legal.append(act)
        elif isinstance(act, self.title.wire.deal):
            self.dealt = act
        self.words.extend(word for word in words_in(act) if word not in self.words)

    def name(self) -> bool:
        """Somebody wants a card that nobody saw, and says what it is; False where nobody can."""
        if not self.lying or self.table.awaits().kind != "decision":
            return False
        seat = self.table.awaits().seat
        word = self.dice.choice(self.lying)
        ways = [act for act in self._list_naming_acts(word) if act.seat == seat]
        if not ways:
            return False
        self.lying.remove(word)
        self.unseen.remove(word)
        self.write(self.event(self.dice.choice(ways)))
        return True

    def _list_naming_acts(self, word: str) -> list[Any]:
        """What may be done now with a card that nobody saw, if it turns out to be this one."""
        recorder, state = self.title.recorder, self.table.state
        code = next((code for code, card in recorder.codes(state, "en").items() if card == word), word)
        texts = (f"{key}{n}={code}" for key in ("a", "r", "") for n in range(1, 10))
        acts = [act for text in texts for act in recorder.typed(state, text)]
        return [act for act in acts if not any(breach.on == "record" for breach in self.title.breaches(state, act))]

    # what mistakes are made of

    def why(self) -> str:
        return self.dice.choice(WHY)

    def seen(self) -> Seen:
        return Seen(who=TABLE, why=self.why())

    def seat(self) -> int:
        return self.dice.randint(1, len(self.table.header.seats))

    def what(self) -> str:
        """A resource that people count in their hands."""
        return self.dice.choice(sorted(self.title.words.letters.values()))

    def other_legal(self, act: Any) -> Any:
        """Something else that could have been done; None where there was no choice."""
        if not isinstance(act, self.title.wire.decision):
            return None
        others = [other for other in self.title.legal(self.table.state) if other != act]
        return self.dice.choice(others) if others else None

    def forbidden(self, acts: Sequence[Any]) -> Any:
        """One of these acts, or one like them, that breaks a rule now; None where none was found."""
        for _ in range(TRIES):
            act = self.dice.choice(acts)
            for _ in range(self.dice.randint(0, PLACES)):
                act = varied(act, self.dice, self.words)
            if any(breach.on == "record" for breach in self.title.breaches(self.table.state, act)):
                return act
        return None

    def adjustment(self) -> Event:
        """A number that was ruled."""
        seen = self.seen()
        more = Posting(self.seat(), self.what(), self.dice.choice((-1, 1, 2)), "adjusted", seen)
        return structs.replace(self.event(Adjusted(who=seen.who, why=seen.why)), moved=(more,))

    def goes_on(self, event: Event) -> bool:
        """Written, if the table still waits for what it waited for."""
        twin = self.title.copy(self.table.state)
        self.title.evolve(twin, event.do, event.moved, event.facts)
        if self.title.awaits(twin) != self.table.awaits():
            return False
        self.write(event)
        return True

    def amend(self, mode: Mode, *edits: AnyEdit) -> None:
        self.write(make_amendment(self.table.log, edits, mode, by=self.by, why=self.why()))
