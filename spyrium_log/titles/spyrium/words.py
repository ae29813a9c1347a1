"""Sentences for people, in the words of the four editions. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from spyrium_log.catalogue import Tables
from spyrium_log.messages import amount_text, cause_name
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyPosting,
    Conceded,
    Counted,
    FinalCount,
    Resynced,
    Verb,
    seat_of,
    tag_of,
)
from spyrium_log.titles.spyrium.cards import KINDS, MARKET
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    GainMoney,
    Pass,
    PlaceWorker,
    ReuseBuilding,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Act
    from spyrium_log.titles.spyrium.state import State


def component(card: str, language: str) -> str:
    """The name of a card or an event card; what else the sheet names has only its id."""
    names = vocabulary(language)
    return names["cards"].get(card) or names["events"].get(card, card)


VERBS: dict[type, Verb] = {
    PlaceWorker: "place",
    GainMoney: "earn",
    ActivateCard: "hire",
    UseEvent: "event",
    UseBuilding: "use",
    ReuseBuilding: "use",
    Pass: "pass",
    TakeBonus: "choose",
    RoundDealt: "deal",
    FinalCount: "final",
}


def verb(act: Act) -> Verb:
    """What it is called across titles. What an activation is depends on its card; `activate` alone is a hire."""
    return VERBS.get(type(act), "state")


def describe(
    state: State,
    act: Act,
    moved: Sequence[AnyPosting],
    facts: Sequence[SpyriumFact],
    players: Sequence[str],
    language: str,
) -> str:
    """One sentence. `state` is the table before the event, for a card's name is where it lay."""
    kind = type(act)
    seat = seat_of(act)
    if moved:
        told = effects(moved, players, language, seat)
    else:
        told = vocabulary(language)["sentences"]["nothing"] if kind is GainMoney else ""
    if facts and TokensReturned in map(type, facts):
        told = ", ".join(filter(None, (told, vocabulary(language)["sentences"]["tokens_returned"])))
    speaks = _SPEAKS.get(kind)
    if speaks is None:
        return _stated(act, told, players, language)
    player = players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"
    parts, rest = _around(language, getattr(act, "enter", False), told != "", *speaks(state, act))
    return f"{player.join(parts)}{told}{rest}"


# Which sentence a decision is, and what it speaks of: a card, another one, an event; None is a card that is not there.
Spoken = tuple[str | None, ...]


@lru_cache(maxsize=4096)
def _around(
    language: str,
    enters: bool,  # noqa: FBT001 - by position, for an archive asks at every event
    tells: bool,  # noqa: FBT001 - as above
    key: str,
    card: str | None = None,
    other: str | None = None,
    event: str | None = None,
) -> tuple[tuple[str, ...], str]:
    """A decision's sentence but for the player's name and the effects: what stands around either.

    Kept without them, for names differ from table to table, and the cards of a box make few such sentences. In no
    language is the player named after the effects.
    """
    say = vocabulary(language)
    sentences, cards = say["sentences"], say["cards"]
    sentence = sentences[key]
    if tells:
        sentence = sentences["effects"].replace("{sentence}", sentence)
    if enters:
        sentence = sentences["enter"].replace("{rest}", sentence)
    one, two, three = _named(card, cards), _named(other, cards), _named(event, say["events"])
    fields = {"card": one, "one": one, "other": two, "old": two, "event": three}
    head, _, tail = sentence.partition("{effects}")
    return tuple([part.format(**fields) for part in head.split("{player}")]), tail.format(**fields)


def _named(card: str | None, names: Mapping[str, str]) -> str:
    return "?" if card is None else names.get(card, card)


def lying(state: State, space: int) -> str | None:
    """The card on a space; None where there is no such space."""
    return state.market[space] if 0 <= space <= MARKET else None


def _placing(state: State, act: PlaceWorker) -> Spoken:
    one, other = divmod(act.gap, 10)
    return "place_worker", lying(state, one), lying(state, other)


def _gaining(state: State, act: GainMoney) -> Spoken:
    return ("gain_money_empty",) if act.space is None else ("gain_money", lying(state, act.space))


def _using(state: State, act: UseBuilding | ReuseBuilding) -> Spoken:
    return tag_of(type(act)), _building(state, act.seat, act.slot)


def _building(state: State, seat: int, slot: int) -> str | None:
    buildings = state.mat(seat).buildings
    return buildings[slot - 1].card if 0 < slot <= len(buildings) else None


def _event(state: State, act: UseEvent) -> Spoken:
    """An event that places a worker or uses a building says where."""
    gap = act.gap
    if gap is not None:
        one, other = divmod(gap, 10)
        return "use_event_gap", lying(state, one), lying(state, other), state.event
    if act.slot is not None:
        card = _building(state, act.seat, act.slot)
        if card is not None:
            return "use_event_building", card, None, state.event
    return "use_event", None, None, state.event


def _activation(state: State, act: ActivateCard) -> Spoken:
    card = act.named or lying(state, act.space)
    kind = KINDS.get(card or "")
    if kind == "building" and act.over is not None:
        old = _building(state, act.seat, act.over)
        if old is not None:
            return "activate_building_over", card, old
    return f"activate_{kind}" if kind else "activate_unknown", card


def _plain(_state: State, act: Pass | TakeBonus | Conceded) -> Spoken:
    return (tag_of(type(act)),)


_SPEAKS: dict[type, Callable[[State, Any], Spoken]] = {
    PlaceWorker: _placing,
    GainMoney: _gaining,
    ActivateCard: _activation,
    UseBuilding: _using,
    ReuseBuilding: _using,
    UseEvent: _event,
    Pass: _plain,
    TakeBonus: _plain,
    Conceded: _plain,
}


def _stated(act: Act, told: str, players: Sequence[str], language: str) -> str:
    """What no seat does."""
    sentences = vocabulary(language)["sentences"]
    says = _SAYS.get(type(act))
    sentence = sentences[tag_of(type(act))].format(**(says(act, players, language) if says else {}))
    return sentences["effects"].format(sentence=sentence, effects=told) if told else sentence


def _dealing(act: RoundDealt, players: Sequence[str], language: str) -> dict[str, Any]:
    return {
        "round": act.round,
        "first": players[act.first - 1] if 0 < act.first <= len(players) else f"#{act.first}",
        "event": _with_tokens(act.event, (act.event_token,), "events", language),
        "next": _with_tokens(act.next_event, (act.next_token,), "events", language),
        "market": ", ".join([_with_tokens(dealt.card, dealt.tokens, "cards", language) for dealt in act.market]),
    }


def _counting(act: Counted[Any], players: Sequence[str], language: str) -> dict[str, Any]:
    return {"held": ", ".join(_counted(act, players, vocabulary(language)))}


def _ruling(act: Adjusted, _players: Sequence[str], _language: str) -> dict[str, Any]:
    return {"by": act.who, "why": act.why}


def _saying_why(act: Resynced[Any] | Abandoned, _players: Sequence[str], _language: str) -> dict[str, Any]:
    return {"why": act.why}


_SAYS: dict[type, Callable[[Any, Sequence[str], str], dict[str, Any]]] = {
    RoundDealt: _dealing,
    Counted: _counting,
    Adjusted: _ruling,
    Resynced: _saying_why,
    Abandoned: _saying_why,
}


@lru_cache(maxsize=1024)
def _with_tokens(card: str, tokens: tuple[int | None, ...], table: str, language: str) -> str:
    name = _named(card, vocabulary(language)[table])
    values = ", ".join([str(token) for token in tokens if token])
    return f"{name} [{values}]" if values else name


def _counted(act: Counted[Any], players: Sequence[str], say: Tables) -> Iterator[str]:
    """What lies there, player by player."""
    for who, held in groupby(act.held, key=lambda has: has.who):
        name = players[who - 1] if 0 < who <= len(players) else f"#{who}"
        yield f"{name} {' '.join(amount_text(has.n, has.what, say) for has in held)}"


def effects(moved: Sequence[AnyPosting], players: Sequence[str], language: str, acting: int) -> str:
    """Every posting with its cause; whose it is only where it is not the acting player's."""
    parts = []
    for posting in moved:
        who = posting.who
        told = _moved(posting.n, posting.what, posting.why, language)
        if who != acting:
            told = f"{players[who - 1] if 0 < who <= len(players) else who} {told}"
        parts.append(told)
    return ", ".join(parts)


@lru_cache(maxsize=1024)
def _moved(n: int, what: str, why: str, language: str) -> str:
    """So much, and why. A table knows few amounts."""
    say = vocabulary(language)
    return f"{'+' if n > 0 else '−'}{amount_text(abs(n), what, say)} ({cause_name(why, say) or why})"
