"""Records a simulated game, now and then with a mistake out of `MISTAKES`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from spyrium_log.log.pack import Game
from spyrium_log.play import Play
from spyrium_log.players.policies import Dice
from spyrium_log.title import Abandoned
from tests.mistakes import amendments, misplays, slips
from tests.mistakes.asides import ASIDES, notes_on
from tests.mistakes.scribe import Scribe

# Writes down something about the act, or about another one; False where there is no occasion, and nothing is written.
Happens: TypeAlias = Callable[[Scribe, Any], bool]

# More lines than any game has: one that goes on after that is abandoned.
LONGEST = 1_000
# A round's deal goes wrong so much more often than a decision, but not always: there are few, and much to see.
DEALS = 5
HALF = 0.5
# What goes wrong more often than that is no game any more.
MOST = 60
# Of some kinds not every act can be the occasion.
TRIES = 12


class Recorder:
    """Records a game act by act; `made` counts the mistakes."""

    def __init__(self, table: Play, rate: float, dice: Dice, by: str) -> None:
        self.scribe = Scribe(table, dice, by)
        self.rate = rate
        self.dice = dice
        self.made: Counter[str] = Counter()

    def record(self, act: Any) -> None:
        """Write down what was done; or what was made of it."""
        scribe = self.scribe
        if scribe.name():
            self.made["named later"] += 1
            return
        if isinstance(act, scribe.title.wire.deal):
            scribe.lying.clear()
        if len(scribe.table.log.lines) > LONGEST:
            scribe.write(scribe.event(Abandoned(why="it went on for ever")))
        elif not self._is_occasion(act) or not self._mistaken(act):
            scribe.write(scribe.event(act))
        scribe.remember(act)

    def _is_occasion(self, act: Any) -> bool:
        is_deal = isinstance(act, self.scribe.title.wire.deal)
        often = min(HALF, DEALS * self.rate) if is_deal else self.rate
        return self.made.total() < MOST and self.dice.random() < often

    def _mistaken(self, act: Any) -> bool:
        """Make a mistake that can be made here."""
        weights = [mistake.weight for mistake in MISTAKES.values()]
        for name in self.dice.choices(list(MISTAKES), weights, k=TRIES):
            if MISTAKES[name].happens(self.scribe, act):
                self.made[name] += 1
                return True
        return False

    def finish(self) -> Game:
        """What people write when a game is over; the log, and the notes on it."""
        table = self.scribe.table
        for name, aside in ASIDES.items():
            if self._is_late() and aside(self.scribe):
                self.made[name] += 1
        if self._is_late():
            table.seal(by=self.scribe.by)
            self.made["seal"] += 1
        notes = b""
        if self._is_late():
            notes = notes_on(self.scribe)
            self.made["notes"] += 1
        return Game(table.encode(), notes)

    def _is_late(self) -> bool:
        return self.dice.random() < self.rate


class Mistake(NamedTuple):
    """How it happens, its relative frequency, and the verdict on a log in which nothing else went wrong."""

    happens: Happens
    weight: float
    leaves: Literal["clean", "findings", "either"]


MISTAKES: Mapping[str, Mistake] = MappingProxyType(
    {
        "misplayed": Mistake(misplays.misplayed, 6, "findings"),
        "misdealt": Mistake(misplays.misdealt, 6, "findings"),
        "out of turn": Mistake(misplays.out_of_turn, 0.1, "findings"),
        "conceded": Mistake(misplays.conceded, 0.1, "clean"),
        "abandoned": Mistake(misplays.abandoned, 0.05, "clean"),
        "paused": Mistake(misplays.paused, 0.5, "clean"),
        "wrong amount": Mistake(slips.wrong_amount, 2, "findings"),
        "missed amount": Mistake(slips.missed_amount, 1, "findings"),
        "ruled amount": Mistake(slips.ruled_amount, 1, "clean"),
        "seen nothing": Mistake(slips.seen_nothing, 1, "clean"),
        "total only": Mistake(slips.total_only, 1, "clean"),
        "missed fact": Mistake(slips.missed_fact, 1, "findings"),
        "adjusted": Mistake(slips.adjusted, 1, "clean"),
        "ruled fact": Mistake(slips.ruled_fact, 0.5, "either"),
        "counted": Mistake(slips.counted, 2, "clean"),
        "miscounted": Mistake(slips.miscounted, 1, "findings"),
        "resynced": Mistake(slips.resynced, 0.3, "either"),
        "unseen": Mistake(misplays.unseen, 6, "clean"),
        "undone": Mistake(amendments.undone, 3, "clean"),
        "doubled": Mistake(amendments.doubled, 1, "clean"),
        "misrecorded": Mistake(amendments.misrecorded, 2, "clean"),
        "misplay told": Mistake(amendments.misplay_told, 1, "clean"),
        "told late": Mistake(amendments.told_late, 0.3, "either"),
        "inserted": Mistake(amendments.inserted, 0.5, "either"),
    }
)
