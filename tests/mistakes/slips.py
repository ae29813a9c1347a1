"""What is recorded otherwise than it was: amounts, facts, counts, positions; and what a table rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from spyrium_log.title import Adjusted, AnyPosting, Counted, Holding, Posting, Resynced
from tests.mistakes.scribe import Scribe
from tests.mistakes.variation import fresh, type_of


def _changed(scribe: Scribe, act: Any, change: Callable[[AnyPosting], AnyPosting | None]) -> bool:
    """The act with one of its amounts otherwise."""
    event = scribe.event(act)
    if not event.moved:
        return False
    index = scribe.dice.randrange(len(event.moved))
    posting = change(event.moved[index])
    moved = (*event.moved[:index], *([] if posting is None else [posting]), *event.moved[index + 1 :])
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
    scribe.write(scribe.table.propose(act, by=scribe.by, anyway=True, extra=(more,)).event)
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
    scribe.write(scribe.adjustment())
    return True


def ruled_fact(scribe: Scribe, _act: Any) -> bool:
    """They ruled something that is no number, if the table goes on after it as before."""
    seen = scribe.seen()
    fact = structs.replace(fresh(type_of(scribe.title.wire.fact), scribe.dice, scribe.words), seen=seen)
    event = structs.replace(scribe.event(Adjusted(who=seen.who, why=seen.why)), facts=(fact,))
    return scribe.goes_on(event)


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
    """Moves were missed: part of the position is stated, and the game goes on from there."""
    if scribe.table.awaits().kind != "decision":
        return False
    position = fresh(type_of(scribe.title.wire.position), scribe.dice, scribe.words)
    return scribe.goes_on(scribe.event(Resynced(position=position, why=scribe.why())))
