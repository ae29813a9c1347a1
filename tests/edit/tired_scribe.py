"""More slips of a tired scribe, made on the true game without a thought of how one would look for them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Event, Line
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.title import AnyPosting
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, PlaceWorker, RoundDealt, TakeBonus
from spyrium_log.titles.spyrium.state import PLACES
from tests.edit.slips import Made, acts_of, misplayed, misread, truth, without, written
from tests.games import log_of
from tests.greedy import SPYRIUM

Act: TypeAlias = tuple[Any, tuple[AnyPosting, ...]]


# How often the wrong gap is one that the card beside the right one lies at, too.
NEAR = 0.7
ONCE_A_ROUND = ("lobbying", "commerce")


# --- the scribe writes otherwise -----------------------------------------------------------------


def wrong_gap(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    """A worker is written into a wrong gap, and so the record has to name that gap when he is used."""
    true = truth(number)
    acts = acts_of(true)
    states = replay(log_of(SPYRIUM, true), audit=False)
    placed = [place for place, (act, _) in enumerate(acts) if isinstance(act, PlaceWorker)]
    for place in rng.sample(placed, len(placed)):
        act = acts[place][0]
        others = [other.gap for other in SPYRIUM.legal(states.state_at(place)) if isinstance(other, PlaceWorker)]
        near = [gap for gap in others if gap != act.gap and set(PLACES[gap][1:]) & set(PLACES[act.gap][1:])]
        some = near if near and rng.random() < NEAR else [gap for gap in others if gap != act.gap]
        if some and (wrong := _used_from_there(true, acts, place, rng.choice(some), rng)) is not None:
            return true, written(true, wrong)
    return None


def _used_from_there(
    true: Sequence[Line], acts: Sequence[Act], place: int, gap: int, rng: random.Random
) -> list[Act] | None:
    """The acts with this worker in that gap, and named there when the record has none left in the right one."""
    right = acts[place][0]
    wrong = [*acts[:place], (structs.replace(right, gap=gap), ()), *acts[place + 1 :]]
    play = Play(log_of(SPYRIUM, true[:1]))
    for at, (act, said) in enumerate(wrong):
        if at > place and isinstance(act, RoundDealt):
            return None
        if at > place and SPYRIUM.breaches(play.state, act):
            if (getattr(act, "seat", 0), getattr(act, "gap", 0)) != (right.seat, right.gap):
                return None
            other = _named_from(SPYRIUM.legal(play.state), act, gap, rng)
            return None if other is None else [*wrong[:at], (other, said), *wrong[at + 1 :]]
        play.append(play.propose(act, by="scribe", anyway=True, extra=said).event)
    return None


def _named_from(legal: Sequence[Any], act: Any, gap: int, rng: random.Random) -> Any:
    """The same use from that gap: of the same card where it lies there too, else of the one beside."""
    if not isinstance(act, GainMoney | ActivateCard):
        return None
    uses = [other for other in legal if type(other) is type(act) and other.gap == gap]
    same = [other for other in uses if structs.replace(other, gap=act.gap) == act]
    beside = [other for other in uses if structs.replace(other, gap=act.gap, space=act.space) == act]
    return rng.choice(same or beside) if same or beside else None


def wrong_token(act: Any, legal: Sequence[Any], rng: random.Random) -> Any:
    """A character uses another of its tokens."""
    if not isinstance(act, ActivateCard) or act.token is None:
        return None
    others = [
        other
        for other in legal
        if isinstance(other, ActivateCard)
        and other.token != act.token
        and structs.replace(other, token=act.token) == act
    ]
    return rng.choice(others) if others else None


def wrong_bonus(act: Any, legal: Sequence[Any], rng: random.Random) -> Any:
    """The other bonus is written down."""
    others = [other for other in legal if other != act]
    return rng.choice(others) if isinstance(act, TakeBonus) and others else None


def technique_not_written(act: Any, legal: Sequence[Any], _rng: random.Random) -> Any:
    """A technique was used, and it is not written down."""
    used = {name: type(act).__struct_defaults__ for name in ONCE_A_ROUND if getattr(act, name, None)}
    if not used:
        return None
    plain = structs.replace(act, **{name: False if name == "lobbying" else None for name in used})
    return plain if plain in legal else None


def swapped(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    """Two moves that a player made one after the other are written down the other way round."""
    true = truth(number)
    acts = acts_of(true)
    own: dict[int, int] = {}
    pairs = []
    for place, (act, _) in enumerate(acts):
        if isinstance(act, RoundDealt):
            own.clear()
        elif isinstance(act, SPYRIUM.wire.decision):
            if act.seat in own and acts[own[act.seat]][0] != act:
                pairs.append((own[act.seat], place))
            own[act.seat] = place
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    wrong = list(acts)
    wrong[one], wrong[other] = acts[other], acts[one]
    # who goes to phase II with his first move does so with whatever is written down first
    for place, entered in ((one, acts[one][0]), (other, acts[other][0])):
        said = wrong[place][0]
        if hasattr(said, "enter"):
            wrong[place] = (structs.replace(said, enter=getattr(entered, "enter", False)), wrong[place][1])
    return true, written(true, wrong)


# --- the table does otherwise --------------------------------------------------------------------


def missed_crowd(event: Event, _rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """Nobody pays for the others around the card."""
    due = [posting for posting in event.moved if posting.why == "crowd"]
    return without(event, due[0]) if due else None


def wrong_workers(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """One worker more or less comes out of the reserve."""
    due = [posting for posting in event.moved if posting.what == "workers" and posting.n > 0]
    if not due:
        return None
    n = due[0].n + rng.choice((1, -1))
    return (*without(event, due[0]), *([structs.replace(due[0], n=n)] if n else []))


def missed_technique(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """What a technique saves or pays is forgotten."""
    due = [posting for posting in event.moved if posting.why in SPYRIUM.tables.kinds(SPYRIUM.sheet()) and posting.n]
    return without(event, rng.choice(due)) if due else None


MORE_KINDS: dict[str, Made] = {
    "missed crowd": misplayed(missed_crowd),
    "wrong workers": misplayed(wrong_workers),
    "missed technique": misplayed(missed_technique),
    "wrong gap, used": wrong_gap,
    "wrong token": misread(wrong_token),
    "wrong bonus": misread(wrong_bonus),
    "technique unwritten": misread(technique_not_written),
    "swapped moves": swapped,
}
