"""What happens at tables and to their records: misplays, slips, second thoughts, rulings, counts, cards nobody saw.

A scribe records a game act by act. Now and then something else is written than the act: which, the dice say, out of
`MISTAKES`. Each says what the audit makes of a log in which nothing else went wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import structs

from spyrium_log.edit.amend import amendment, told
from spyrium_log.log.lines import AnyTold, Drop, Event, InsertAfter, Line, Mode, Replace, Told
from spyrium_log.log.pack import Game
from spyrium_log.log.timeline import ref_of
from spyrium_log.play import Play, bytes_of
from spyrium_log.players.asides import ASIDES, notes_on, sealed
from spyrium_log.players.chance import Chance
from spyrium_log.players.otherwise import fresh, otherwise, type_of, without_word, words_in
from spyrium_log.replay import replay
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyPosting,
    Conceded,
    Continued,
    Counted,
    FinalCount,
    Holding,
    Paused,
    Posting,
    Resynced,
    Seen,
)

# More than any game has: one that goes on after that is abandoned.
LONGEST = 1_000
# A round's deal goes wrong so much more often than a decision: there are few, and much to see.
DEALS = 5
HALF = 0.5
# What goes wrong more often than that is no game any more.
MOST = 60
# How many acts that were legal once are remembered, to be done when they are not.
REMEMBERED = 60
TRIES = 12
WHY = ("we looked at the table again", "it was late", "the rulebook says so", "nobody remembers")
TABLE = "the table"


class Scribe:
    """Writes down a game, and what goes wrong with it. `made` says which mistakes, how often."""

    def __init__(self, table: Play, rate: float, dice: Chance, by: str) -> None:
        self.table = table
        self.title = table.title
        self.rate = rate
        self.dice = dice
        self.by = by
        self.made: Counter[str] = Counter()
        self.once_legal: list[Any] = []
        self.dealt: Any = None
        # cards that were dealt and not looked at, as they really are: in this game, and in this round
        self.hidden: list[str] = []
        self.lying: list[str] = []
        self.words = sorted({row.of for row in table.log.sheet.printed} | {"?"})

    def record(self, act: Any) -> None:
        """Write down what was done; or what was made of it."""
        if not self.rate:
            self.write(self.event(act))
            return
        if self._is_named():
            return
        if isinstance(act, self.title.wire.deal):
            self.lying.clear()
        if len(self.table.log.lines) > LONGEST:
            self.write(self.event(Abandoned(why="it went on for ever")))
        elif not self._is_occasion(act) or not self._mistaken(act):
            self.write(self.event(act))
        self._remember(act)

    def _is_occasion(self, act: Any) -> bool:
        is_deal = isinstance(act, self.title.wire.deal)
        often = min(HALF, DEALS * self.rate) if is_deal else self.rate
        return self.made.total() < MOST and self.dice.random() < often

    def _mistaken(self, act: Any) -> bool:
        """Make a mistake that can be made here; of some kinds not every act can be the occasion."""
        names = list(MISTAKES)
        weights = [mistake.weight for mistake in MISTAKES.values()]
        for name in self.dice.choices(names, weights, k=TRIES):
            if MISTAKES[name].happens(self, act):
                self.made[name] += 1
                return True
        return False

    def finish(self) -> None:
        """What people write when a game is over."""
        if self.rate:
            for name, aside in ASIDES.items():
                if self.dice.random() < self.rate and aside(self):
                    self.made[name] += 1

    def game(self) -> Game:
        """The log, and the notes on it."""
        raw = bytes_of(self.table.log.lines)
        if not self.rate:
            return Game(raw)
        if self.dice.random() < self.rate:
            raw = sealed(self, raw)
            self.made["seal"] += 1
        notes = notes_on(self, raw) if self.dice.random() < self.rate else b""
        self.made["notes"] += bool(notes)
        return Game(raw, notes)

    # what mistakes are made of

    def write(self, line: Line) -> None:
        self.table.log.lines.append(line)
        self.table.add(line)

    def event(self, act: Any) -> Event:
        return self.table.event(act, by=self.by, anyway=True)

    def why(self) -> str:
        return self.dice.choice(WHY)

    def seen(self) -> Seen:
        return Seen(who=TABLE, why=self.why())

    def other_legal(self, act: Any) -> Any:
        """Something else that could have been done; None where there was no choice."""
        if not isinstance(act, self.title.wire.decision):
            return None
        others = [other for other in self.title.legal(self.table.state) if other != act]
        return self.dice.choice(others) if others else None

    def seat(self) -> int:
        return self.dice.randint(1, len(self.table.header.seats))

    def what(self) -> str:
        """A resource that people count in their hands."""
        return self.dice.choice(sorted(self.title.notation.letters.values()))

    def _remember(self, act: Any) -> None:
        if isinstance(act, self.title.wire.decision):
            if len(self.once_legal) >= REMEMBERED:
                self.once_legal.pop(self.dice.randrange(REMEMBERED))
            self.once_legal.append(act)
        elif isinstance(act, self.title.wire.deal):
            self.dealt = act
        self.words.extend(word for word in words_in(act) if word not in self.words)

    def _is_named(self) -> bool:
        """Somebody wants a card that nobody saw, and says what it is."""
        if not self.lying or self.table.awaits().kind != "decision":
            return False
        seat = self.table.awaits().seat
        word = self.dice.choice(self.lying)
        ways = [act for act in self.title.shorthand.naming(self.table.state, word) if act.seat == seat]
        if not ways:
            return False
        self.lying.remove(word)
        self.hidden.remove(word)
        self.made["named later"] += 1
        self.write(self.event(self.dice.choice(ways)))
        return True


# --- at the table --------------------------------------------------------------------------------


def misplayed(scribe: Scribe, act: Any) -> bool:
    """They did what the rules forbid, and it is recorded as they did it."""
    if not isinstance(act, scribe.title.wire.decision):
        return False
    wrong = _forbidden(scribe, [*scribe.once_legal, act])
    if wrong is None:
        return False
    scribe.write(scribe.event(wrong))
    return True


def misdealt(scribe: Scribe, act: Any) -> bool:
    """The table dealt otherwise than the rules say."""
    wrong = _forbidden(scribe, [act]) if isinstance(act, scribe.title.wire.deal) else None
    if wrong is None:
        return False
    scribe.write(scribe.event(wrong))
    return True


def _forbidden(scribe: Scribe, acts: Sequence[Any]) -> Any:
    """One of these acts, or one like them, that breaks a rule now; None where none was found."""
    for _ in range(TRIES):
        act = scribe.dice.choice(acts)
        for _ in range(scribe.dice.randrange(4)):
            act = otherwise(act, scribe.dice, scribe.words)
        if any(breach.on == "record" for breach in scribe.title.breaches(scribe.table.state, act)):
            return act
    return None


def out_of_turn(scribe: Scribe, act: Any) -> bool:
    """A round dealt, or the game counted, while somebody still had to act."""
    if not isinstance(act, scribe.title.wire.decision) or scribe.dealt is None:
        return False
    early = FinalCount() if scribe.dice.random() < EARLY_END else _forbidden(scribe, [scribe.dealt])
    if early is None:
        return False
    scribe.write(scribe.event(early))
    return True


EARLY_END = 0.2


def conceded(scribe: Scribe, act: Any) -> bool:
    """One of several goes home; the others play on."""
    if not isinstance(act, scribe.title.wire.decision) or scribe.made["conceded"]:
        return False
    scribe.write(scribe.event(Conceded(seat=act.seat)))
    return True


def abandoned(scribe: Scribe, _act: Any) -> bool:
    """They never finish."""
    scribe.write(scribe.event(Abandoned(why=scribe.why())))
    return True


def paused(scribe: Scribe, act: Any) -> bool:
    """They go on later."""
    for said in (Paused(), Continued(), act):
        scribe.write(scribe.event(said))
    return True


# --- amounts -------------------------------------------------------------------------------------


def _changed(scribe: Scribe, act: Any, change: Callable[[AnyPosting], AnyPosting | None]) -> bool:
    """The act with one of its amounts otherwise."""
    event = scribe.event(act)
    if not event.moved:
        return False
    at = scribe.dice.randrange(len(event.moved))
    said = change(event.moved[at])
    moved = (*event.moved[:at], *([] if said is None else [said]), *event.moved[at + 1 :])
    scribe.write(structs.replace(event, moved=moved))
    return True


def wrong_amount(scribe: Scribe, act: Any) -> bool:
    """Too much or too little, and nobody says why."""
    off = scribe.dice.choice((-2, -1, 1, 2, 3))
    return _changed(scribe, act, lambda one: structs.replace(one, n=one.n + off))


def missed_amount(scribe: Scribe, act: Any) -> bool:
    """Forgotten, and nobody noticed."""
    return _changed(scribe, act, lambda _: None)


def ruled_amount(scribe: Scribe, act: Any) -> bool:
    """They saw that it went otherwise, and live with it."""
    off = scribe.dice.choice((-2, -1, 1, 2))
    return _changed(scribe, act, lambda one: structs.replace(one, n=one.n + off, seen=scribe.seen()))


def seen_nothing(scribe: Scribe, act: Any) -> bool:
    """Somebody saw that it was never taken."""
    return _changed(scribe, act, lambda one: structs.replace(one, n=0, seen=scribe.seen()))


def total_only(scribe: Scribe, act: Any) -> bool:
    """They know the total, not the reason: a posting of the table's makes the difference."""
    more = Posting(scribe.seat(), scribe.what(), scribe.dice.choice((-1, 1, 2)), "table", scribe.seen())
    scribe.write(scribe.table.event(act, by=scribe.by, anyway=True, extra=(more,)))
    return True


def missed_fact(scribe: Scribe, act: Any) -> bool:
    """What the act does not say by itself was not recorded."""
    event = scribe.event(act)
    if not event.facts:
        return False
    at = scribe.dice.randrange(len(event.facts))
    scribe.write(structs.replace(event, facts=(*event.facts[:at], *event.facts[at + 1 :])))
    return True


def adjusted(scribe: Scribe, _act: Any) -> bool:
    """A number that belongs to no decision is ruled. Whoever acts next acts on what is there now."""
    scribe.write(_adjustment(scribe))
    return True


def _adjustment(scribe: Scribe) -> Event:
    seen = scribe.seen()
    more = Posting(scribe.seat(), scribe.what(), scribe.dice.choice((-1, 1, 2)), "adjusted", seen)
    return scribe.table.event(Adjusted(who=seen.who, why=seen.why), by=scribe.by, extra=(more,))


def ruled_fact(scribe: Scribe, _act: Any) -> bool:
    """They ruled something that is no number, if the table goes on after it as before."""
    seen = scribe.seen()
    fact = structs.replace(fresh(type_of(scribe.title.wire.fact), scribe.dice, scribe.words), seen=seen)
    event = structs.replace(scribe.event(Adjusted(who=seen.who, why=seen.why)), facts=(fact,))
    return _goes_on(scribe, event)


# --- counts and positions ------------------------------------------------------------------------


def counted(scribe: Scribe, act: Any) -> bool:
    """The whole table is counted, and it is right."""
    scribe.write(scribe.event(Counted(held=_held(scribe))))
    scribe.write(scribe.event(act))
    return True


def miscounted(scribe: Scribe, act: Any) -> bool:
    """Counted, and something was lost, or is counted twice."""
    held = list(_held(scribe))
    at = scribe.dice.randrange(len(held))
    held[at] = structs.replace(held[at], n=held[at].n + scribe.dice.choice((-1, 1)))
    scribe.write(scribe.event(Counted(held=tuple(held))))
    scribe.write(scribe.event(act))
    return True


def _held(scribe: Scribe) -> tuple[Holding[str], ...]:
    return tuple(Holding(each.who, each.what, each.n) for each in scribe.title.held(scribe.table.state) if each.who)


def resynced(scribe: Scribe, _act: Any) -> bool:
    """Moves were missed: part of what lies on the table is said, and the game goes on from there."""
    if scribe.table.awaits().kind != "decision":
        return False
    position = fresh(type_of(scribe.title.wire.position), scribe.dice, scribe.words)
    return _goes_on(scribe, scribe.event(Resynced(position=position, why=scribe.why())))


def _goes_on(scribe: Scribe, event: Event) -> bool:
    """Written, if the table still waits for what it waited for."""
    twin = scribe.title.copy(scribe.table.state)
    scribe.title.evolve(twin, event.do, event.moved, event.facts)
    if scribe.title.awaits(twin) != scribe.table.awaits():
        return False
    scribe.write(event)
    return True


def unseen(scribe: Scribe, act: Any) -> bool:
    """Nobody had time to look at a card; some are named when somebody wants them."""
    if not isinstance(act, scribe.title.wire.deal):
        return False
    # what lay there already was seen
    words = sorted(set(words_in(act)) - set(words_in(scribe.dealt)))
    if not words:
        return False
    word = scribe.dice.choice(words)
    scribe.hidden.append(word)
    scribe.lying.append(word)
    scribe.write(scribe.event(without_word(act, word)))
    return True


# --- second thoughts -----------------------------------------------------------------------------


def undone(scribe: Scribe, act: Any) -> bool:
    """Something else was written first, and taken back."""
    other = scribe.other_legal(act)
    if other is None:
        return False
    scribe.write(scribe.event(other))
    before = scribe.table.before_last()
    scribe.write(scribe.table.undo(by=scribe.by, why=scribe.why()))
    if scribe.dice.random() < REDONE:
        # the undo is taken back: what stood before it stands again
        scribe.write(scribe.table.undo(len(scribe.table.log.lines) - 2, by=scribe.by))
        scribe.write(scribe.table.undo(before, by=scribe.by))
    scribe.write(scribe.event(act))
    return True


REDONE = 0.3


def doubled(scribe: Scribe, act: Any) -> bool:
    """Written down twice, and one of them dropped later."""
    if not isinstance(act, scribe.title.wire.decision):
        return False
    scribe.write(scribe.event(act))
    scribe.write(scribe.event(act))
    _amend(scribe, "misplayed", Drop(at=str(len(scribe.table.log.lines) - 1)))
    return True


def misrecorded(scribe: Scribe, act: Any) -> bool:
    """The scribe slipped, and the event is told as it was before the next one."""
    return _retold(scribe, act, "misrecorded")


def misplay_told(scribe: Scribe, act: Any) -> bool:
    """What was recorded first was what should have been done; what was done stands now."""
    return _retold(scribe, act, "misplayed")


def _retold(scribe: Scribe, act: Any, mode: Mode) -> bool:
    other = scribe.other_legal(act)
    if other is None:
        return False
    right = told(scribe.title, scribe.table.state, act)
    scribe.write(scribe.event(other))
    _amend(scribe, mode, Replace(at=str(len(scribe.table.log.lines) - 1), event=right))
    return True


def told_late(scribe: Scribe, _act: Any) -> bool:
    """An earlier decision is told otherwise: what came after it stays, and may break rules now."""
    done = replay(scribe.table.log, audit=False)
    places = [at for at, event in enumerate(done.events) if isinstance(event.do, scribe.title.wire.decision)]
    if not places:
        return False
    at = scribe.dice.choice(places[-REMEMBERED:])
    before = done.state_at(at)
    event = done.events[at]
    others = [other for other in scribe.title.legal(before) if other != event.do]
    if not others:
        return False
    edit = Replace(at=ref_of(event), event=told(scribe.title, before, scribe.dice.choice(others)))
    _amend(scribe, scribe.dice.choice(MODES), edit)
    return True


MODES: tuple[Mode, ...] = ("misplayed", "misrecorded")


def inserted(scribe: Scribe, _act: Any) -> bool:
    """A ruling that was forgotten is told where it belongs."""
    events = scribe.table.events()
    if not events:
        return False
    adjustment = _adjustment(scribe)
    event: AnyTold = Told(do=adjustment.do, moved=adjustment.moved)
    at = ref_of(scribe.dice.choice(events[-REMEMBERED:]))
    _amend(scribe, scribe.dice.choice(MODES), InsertAfter(at=at, event=event))
    # what was to come next was chosen on another table
    return True


def _amend(scribe: Scribe, mode: Mode, *edits: Any) -> None:
    scribe.write(amendment(scribe.table.log, edits, mode, by=scribe.by, why=scribe.why()))


# --- all of them ---------------------------------------------------------------------------------

Happens: TypeAlias = Callable[[Scribe, Any], bool]


class Mistake(NamedTuple):
    """How it happens, how often beside the others, and what the audit makes of it."""

    happens: Happens
    weight: float
    leaves: Literal["clean", "findings", "either"]


MISTAKES: Mapping[str, Mistake] = MappingProxyType(
    {
        "misplayed": Mistake(misplayed, 6, "findings"),
        "misdealt": Mistake(misdealt, 6, "findings"),
        "out of turn": Mistake(out_of_turn, 0.1, "findings"),
        "conceded": Mistake(conceded, 0.1, "clean"),
        "abandoned": Mistake(abandoned, 0.05, "clean"),
        "paused": Mistake(paused, 0.5, "clean"),
        "wrong amount": Mistake(wrong_amount, 2, "findings"),
        "missed amount": Mistake(missed_amount, 1, "findings"),
        "ruled amount": Mistake(ruled_amount, 1, "clean"),
        "seen nothing": Mistake(seen_nothing, 1, "clean"),
        "total only": Mistake(total_only, 1, "clean"),
        "missed fact": Mistake(missed_fact, 1, "findings"),
        "adjusted": Mistake(adjusted, 1, "clean"),
        "ruled fact": Mistake(ruled_fact, 0.5, "either"),
        "counted": Mistake(counted, 2, "clean"),
        "miscounted": Mistake(miscounted, 1, "findings"),
        "resynced": Mistake(resynced, 0.3, "either"),
        "unseen": Mistake(unseen, 6, "clean"),
        "undone": Mistake(undone, 3, "clean"),
        "doubled": Mistake(doubled, 1, "clean"),
        "misrecorded": Mistake(misrecorded, 2, "clean"),
        "misplay told": Mistake(misplay_told, 1, "clean"),
        "told late": Mistake(told_late, 0.3, "either"),
        "inserted": Mistake(inserted, 0.5, "either"),
    }
)
