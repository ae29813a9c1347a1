"""Slips as they happen at a table: a game that was played, and the record of it that a scribe's tool came to.

The table plays on from what it really has; the scribe goes on writing down what was chosen, and his tool works out the
effects on top of the slip. At the end of each round somebody counts what really lies there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Event, EventLine, Line
from spyrium_log.log.timeline import timeline
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.title import Adjusted, AnyPosting, Counted, FinalCount, Holding, Posting, Seen
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, RoundDealt
from tests import greedy
from tests.games import choose, game, log_of
from tests.greedy import SPYRIUM, greedy_game

SEATS = range(2, 6)
GAMES = 120
TRIES = 400
# Nobody hands over half a worker, and a disc on the track is moved by who has it.
HANDLED = ("money", "spyrium", "points")


@dataclass(frozen=True, slots=True)
class Slip:
    """`record` says `kind` of slip otherwise than what happened in `true`."""

    kind: str
    true: Log
    record: Log


@cache
def base(number: int) -> Log:
    """A whole game by two to five players, chance and greed in turns."""
    seats = SEATS[number // 2 % len(SEATS)]
    return greedy_game(1_000 + number, seats) if number % 2 else game(SPYRIUM.key, 1_000 + number, seats)


def some_game(seed: int, rng: random.Random) -> int:
    """A game by number: each thousand of seeds has its own."""
    return seed // 1_000 * GAMES + rng.randrange(GAMES)


# --- the game that was played --------------------------------------------------------------------


def played_on(lines: Sequence[Line], rng: random.Random, *, is_greedy: bool) -> list[Line]:
    """A game that began so, played to its end by the table."""
    play = Play(log_of(SPYRIUM, lines))
    while (awaited := play.awaits()).kind != "over":
        if is_greedy and awaited.kind in ("decision", "choice"):
            act = greedy.choose(SPYRIUM, play.state, rng)
        else:
            act = choose(play, rng)
        _add(play, play.propose(act, by="table").event)
    return list(play.log.lines)


def _add(play: Play, line: Line) -> None:
    play.append(line)


def counted(lines: Sequence[Line]) -> list[Line]:
    """The same game with the whole table counted at the end of each round."""
    play = Play(log_of(SPYRIUM, lines[:1]))
    for line in lines[1:]:
        assert isinstance(line, EventLine)
        is_over = isinstance(line.do, FinalCount) or (isinstance(line.do, RoundDealt) and line.do.round > 1)
        if is_over:
            held = tuple(Holding(has.who, has.what, has.n) for has in SPYRIUM.held(play.state) if has.who)
            _add(play, play.propose(Counted(held=held), by="table").event)
        _add(play, structs.replace(line, n=len(play.log.lines)))
    return list(play.log.lines)


def written(true: Sequence[Line], acts: Sequence[tuple[Any, tuple[AnyPosting, ...]]]) -> Log:
    """What the scribe's tool makes of these acts: it works out every effect on what it has."""
    play = Play(log_of(SPYRIUM, true[:1]))
    for act, said in acts:
        _add(play, play.propose(act, by="scribe", anyway=True, extra=said).event)
    return log_of(SPYRIUM, play.log.lines)


def acts_of(lines: Sequence[Line]) -> list[tuple[Any, tuple[AnyPosting, ...]]]:
    """What was chosen, dealt and stated, and what a person said. What the table moved, the scribe does not see."""
    return [
        (event.do, event.moved if isinstance(event.do, Adjusted) else ())
        for event in lines
        if isinstance(event, EventLine)
    ]


# --- the table does otherwise --------------------------------------------------------------------

Misplay: TypeAlias = Callable[[Event, random.Random, int], tuple[AnyPosting, ...] | None]


def missed_revenue(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """Somebody forgets to take the revenue."""
    due = [posting for posting in event.moved if posting.why == "revenue"]
    return without(event, rng.choice(due)) if due else None


def missed_effect(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """A gain is forgotten: the disc on the score track is not moved, the Spyrium not taken."""
    due = _gains(event)
    return without(event, rng.choice(due)) if due else None


def wrong_price(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """A part of the price is forgotten, or the sum is out by a pound or two."""
    parts = [posting for posting in event.moved if posting.what == "money" and not isinstance(event.do, RoundDealt)]
    paid = -sum(posting.n for posting in parts)
    if paid <= 0:
        return None
    if len(parts) > 1 and rng.random() < 0.5:
        return without(event, rng.choice(parts))
    off = rng.choices((1, 2, 3), (70, 20, 10))[0] * rng.choice((1, -1))
    if paid + off < 0:
        return None
    return (*event.moved, Posting(parts[0].who, "money", -off, "table"))


def wrong_seat(event: Event, rng: random.Random, seats: int) -> tuple[AnyPosting, ...] | None:
    """Somebody else's disc is moved, or the money ends on somebody else's pile."""
    due = [posting for posting in event.moved if posting.n > 0 and posting.what in ("points", "money")]
    if not due:
        return None
    posting = rng.choice(due)
    other = rng.choice([seat for seat in range(1, seats + 1) if seat != posting.who])
    return (*without(event, posting), structs.replace(posting, who=other))


def swapped_resource(event: Event, rng: random.Random, _seats: int) -> tuple[AnyPosting, ...] | None:
    """The right number of the wrong thing is taken."""
    due = _gains(event)
    if not due:
        return None
    posting = rng.choice(due)
    other = rng.choice([what for what in HANDLED if what != posting.what])
    return (*without(event, posting), structs.replace(posting, what=other))


def _gains(event: Event) -> list[AnyPosting]:
    if isinstance(event.do, RoundDealt | FinalCount):
        return []
    return [posting for posting in event.moved if posting.n > 0 and posting.what in HANDLED]


def without(event: Event, posting: AnyPosting) -> tuple[AnyPosting, ...]:
    return tuple(each for each in event.moved if each is not posting)


def misplayed(how: Misplay) -> Callable[[int, random.Random], tuple[list[Line], Log] | None]:
    def made(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
        lines = base(number).lines
        done = replay(base(number), audit=False)
        seats = len(done.header.seats)
        places = rng.sample(range(len(done.events)), len(done.events))
        for place in places:
            event = done.events[place]
            moved = None if isinstance(event.do, FinalCount) else how(event, rng, seats)
            if moved is None:
                continue
            state = done.state_at(place)
            SPYRIUM.evolve(state, event.do, moved, event.facts)
            # nobody pays what he has not
            if any(has.n < 0 for has in SPYRIUM.held(state)):
                return None
            otherwise = structs.replace(event, moved=moved)
            true = counted(played_on([*lines[: event.n], otherwise], rng, is_greedy=number % 2 == 1))
            return true, written(true, acts_of(true))
        return None

    return made


# --- the scribe writes otherwise -----------------------------------------------------------------


def wrong_card(act: Any, legal: Sequence[Any], rng: random.Random) -> Any:
    """The card on the other side of the gap; now and then any other card."""
    if not isinstance(act, ActivateCard | GainMoney):
        return None
    others = [other for other in legal if type(other) is type(act) and other.space != act.space]
    beside = [other for other in others if other.gap == act.gap]
    some = beside if rng.random() < 0.7 else others
    return rng.choice(some) if some else None


def wrong_choice(act: Any, legal: Sequence[Any], rng: random.Random) -> Any:
    """The right card, building or worker, with another token, effect, bonus, gain or way to pay."""
    place = ("gap", "space", "seat")
    others = [
        other
        for other in legal
        if type(other) is type(act)
        and other != act
        and all(getattr(other, name, None) == getattr(act, name, None) for name in place)
    ]
    return rng.choice(others) if others else None


def misread(how: Callable[[Any, Sequence[Any], random.Random], Any]) -> Any:
    def made(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
        true = truth(number)
        done = replay(log_of(SPYRIUM, true), audit=False)
        acts = acts_of(true)
        for place in rng.sample(range(len(acts)), len(acts)):
            act, said = acts[place]
            if isinstance(act, SPYRIUM.wire.decision):
                other = how(act, SPYRIUM.legal(done.state_at(place)), rng)
                if other is not None:
                    return true, written(true, [*acts[:place], (other, said), *acts[place + 1 :]])
        return None

    return made


def truth(number: int) -> list[Line]:
    return counted(base(number).lines)


def forgotten(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    """A move is not written down."""
    true = truth(number)
    acts = acts_of(true)
    # where others go on in between, the next move would be out of turn: only who is left alone can be forgotten
    alone = [place for place in _decisions(acts) if _seat(acts, place) == _seat(acts, place + 1)]
    if not alone:
        return None
    place = rng.choice(alone)
    return true, written(true, acts[:place] + acts[place + 1 :])


def doubled(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    """Something is written down twice: a ruled number, or a player's last move instead of the one he made now."""
    return (_statement_twice if rng.random() < 0.5 else _move_again)(number, rng)


def _statement_twice(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    lines = base(number).lines
    n = rng.randrange(2, len(lines) - 1)
    play = Play(log_of(SPYRIUM, lines[:n]))
    if play.awaits().kind != "decision":
        return None
    seat = rng.randint(1, len(play.header.seats))
    said = Seen(who="the table", why="it lay under the box")
    ruled = Posting(seat, rng.choice(("money", "spyrium")), rng.choice((1, 2, 3)), "adjusted", said)
    _add(play, play.propose(Adjusted(who=said.who, why=said.why), by="table", extra=(ruled,)).event)
    true = counted(played_on(play.log.lines, rng, is_greedy=number % 2 == 1))
    acts = acts_of(true)
    place = next(place for place, (act, _) in enumerate(acts) if isinstance(act, Adjusted))
    return true, written(true, [*acts[:place], acts[place], *acts[place:]])


def _move_again(number: int, rng: random.Random) -> tuple[list[Line], Log] | None:
    true = truth(number)
    acts = acts_of(true)
    places = _decisions(acts)
    place = rng.choice(places)
    own = [earlier for earlier in places if earlier < place and _seat(acts, earlier) == _seat(acts, place)]
    if not own or acts[own[-1]] == acts[place]:
        return None
    return true, written(true, [*acts[:place], acts[own[-1]], *acts[place + 1 :]])


def _decisions(acts: Sequence[tuple[Any, Any]]) -> list[int]:
    return [place for place, (act, _) in enumerate(acts) if isinstance(act, SPYRIUM.wire.decision)]


def _seat(acts: Sequence[tuple[Any, Any]], place: int) -> int:
    return getattr(acts[place][0], "seat", 0)


# --- all of them ---------------------------------------------------------------------------------

# A game by number becomes what happened, and the record of it; None where there is no occasion.
Made: TypeAlias = Callable[[int, random.Random], tuple[list[Line], Log] | None]

KINDS: Mapping[str, Made] = MappingProxyType(
    {
        "missed revenue": misplayed(missed_revenue),
        "missed effect": misplayed(missed_effect),
        "wrong price": misplayed(wrong_price),
        "wrong seat": misplayed(wrong_seat),
        "swapped resource": misplayed(swapped_resource),
        "wrong card": misread(wrong_card),
        "wrong choice": misread(wrong_choice),
        "forgotten move": forgotten,
        "doubled entry": doubled,
    }
)


def slip(kind: str, seed: int, tried: Counter[str] | None = None, how: Made | None = None) -> Slip:
    """A slip that shows in a count and in nothing else; tried again until there is one."""
    tried = Counter() if tried is None else tried
    how = how or KINDS[kind]
    rng = random.Random(f"{kind} {seed}")
    for _ in range(TRIES):
        made = how(some_game(seed, rng), rng)
        if made is None:
            continue
        true, record = made
        tried[kind] += 1
        kinds = {finding.kind for finding in replay(record).findings if finding.is_open}
        if kinds == {"count"}:
            return Slip(kind, log_of(SPYRIUM, true), record)
    raise AssertionError(f"no {kind} in {TRIES} tries")


def happened(log: Log, counts: int) -> list[tuple[Any, tuple[tuple[tuple[int, str], int], ...]]]:
    """The acts of a game as far as a count, and what they moved: causes are what somebody thinks, and left out."""
    moves = []
    for event in timeline(log.lines):
        if not isinstance(event.do, Counted):
            moves.append(_moves(event))
        elif counts == 1:
            break
        else:
            counts -= 1
    return moves


def _moves(event: Event) -> tuple[Any, tuple[tuple[tuple[int, str], int], ...]]:
    sums: Counter[tuple[int, str]] = Counter()
    for posting in event.moved:
        sums[posting.who, posting.what] += posting.n
    return event.do, tuple(sorted((key, n) for key, n in sums.items() if n))


def slips(games: int) -> Iterator[Slip]:
    """Equal shares of every kind."""
    for number in range(games):
        yield slip(list(KINDS)[number % len(KINDS)], number // len(KINDS))
