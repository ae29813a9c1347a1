"""Sentences for people, in the words of the four editions. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any

from spyrium_log.title import Abandoned, Adjusted, AnyPosting, Counted, FinalCount, Resynced, Verb, tag_of
from spyrium_log.titles.spyrium.cards import KINDS
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokensReturned
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

LANGUAGES = ("en", "pl", "ru", "ru-desktopgames")

Words = dict[str, dict[str, str]]


@cache
def words(language: str) -> Words:
    """One edition's words; a language nobody made falls back to English."""
    name = language if language in LANGUAGES else LANGUAGES[0]
    text = resources.files(__package__).joinpath("locales", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


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
    say = words(language)
    sentences = say["sentences"]
    seat = getattr(act, "seat", 0)
    player = players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"
    speaks = _SPEAKS.get(type(act))
    key, fields = speaks(state, act, players, say) if speaks else (tag_of(type(act)), {})
    sentence = sentences[key].format(player=player, **fields)
    told = effects(moved, players, language, seat) if moved else ""
    if not moved and type(act) is GainMoney:
        told = sentences["nothing"]
    if facts and any(type(fact) is TokensReturned for fact in facts):
        told = ", ".join(filter(None, (told, sentences["tokens_returned"])))
    if told:
        sentence = sentences["effects"].format(sentence=sentence, effects=told)
    if getattr(act, "enter", False):
        sentence = sentences["enter"].format(player=player, rest=sentence)
    return sentence


# Which sentence an act is, and what it speaks of.
Spoken = tuple[str, dict[str, Any]]


def _placing(state: State, act: PlaceWorker, _players: Sequence[str], say: Words) -> Spoken:
    return "place_worker", _beside(state, act.gap, say["cards"])


def _beside(state: State, gap: int, cards: dict[str, str]) -> dict[str, str]:
    one, other = state.market[gap // 10], state.market[gap % 10]
    return {"one": cards.get(one, one), "other": cards.get(other, other)}


def _gaining(state: State, act: GainMoney, _players: Sequence[str], say: Words) -> Spoken:
    if act.space is None:
        return "gain_money_empty", {}
    return "gain_money", {"card": _card(state.market[act.space], say["cards"])}


def _using(state: State, act: UseBuilding | ReuseBuilding, _players: Sequence[str], say: Words) -> Spoken:
    buildings = state.mat(act.seat).buildings
    card = _card(buildings[act.slot - 1].card, say["cards"]) if act.slot <= len(buildings) else "?"
    return tag_of(type(act)), {"card": card}


def _dealing(_state: State, act: RoundDealt, players: Sequence[str], say: Words) -> Spoken:
    market = ", ".join(_with_tokens(_card(dealt.card, say["cards"]), dealt.tokens) for dealt in act.market)
    event = _with_tokens(_card(act.event, say["events"]), (act.event_token,))
    following = _with_tokens(_card(act.next_event, say["events"]), (act.next_token,))
    first = players[act.first - 1] if act.first <= len(players) else f"#{act.first}"
    return "round_dealt", {"round": act.round, "first": first, "event": event, "next": following, "market": market}


def _counting(_state: State, act: Counted[Any], players: Sequence[str], say: Words) -> Spoken:
    return "counted", {"held": ", ".join(_counted(act, players, say))}


def _ruling(_state: State, act: Adjusted, _players: Sequence[str], _say: Words) -> Spoken:
    return "adjusted", {"by": act.who, "why": act.why}


def _saying_why(_state: State, act: Resynced[Any] | Abandoned, _players: Sequence[str], _say: Words) -> Spoken:
    return tag_of(type(act)), {"why": act.why}


def _event(state: State, act: UseEvent, _players: Sequence[str], say: Words) -> Spoken:
    """An event that places a worker or uses a building says where."""
    fields = {"event": _card(state.event, say["events"])}
    buildings = state.mat(act.seat).buildings
    if act.gap is not None:
        return "use_event_gap", fields | _beside(state, act.gap, say["cards"])
    if act.slot is not None and act.slot <= len(buildings):
        return "use_event_building", {**fields, "card": _card(buildings[act.slot - 1].card, say["cards"])}
    return "use_event", fields


def _activation(state: State, act: ActivateCard, _players: Sequence[str], say: Words) -> Spoken:
    cards = say["cards"]
    card = act.named or state.market[act.space]
    kind = KINDS.get(card)
    fields = {"card": _card(card, cards)}
    if kind == "building" and act.over is not None:
        buildings = state.mat(act.seat).buildings
        if act.over <= len(buildings):
            return "activate_building_over", {**fields, "old": _card(buildings[act.over - 1].card, cards)}
    return (f"activate_{kind}" if kind else "activate_unknown"), fields


_SPEAKS: dict[type, Callable[[State, Any, Sequence[str], Words], Spoken]] = {
    PlaceWorker: _placing,
    GainMoney: _gaining,
    ActivateCard: _activation,
    UseBuilding: _using,
    ReuseBuilding: _using,
    UseEvent: _event,
    RoundDealt: _dealing,
    Counted: _counting,
    Adjusted: _ruling,
    Resynced: _saying_why,
    Abandoned: _saying_why,
}


def _with_tokens(name: str, tokens: Sequence[int | None]) -> str:
    values = ", ".join([str(token) for token in tokens if token])
    return f"{name} [{values}]" if values else name


def _card(card: str, names: dict[str, str]) -> str:
    return names.get(card, card)


def _counted(act: Counted[Any], players: Sequence[str], say: Words) -> Iterator[str]:
    """What lies there, player by player."""
    for who, held in groupby(act.held, key=lambda has: has.who):
        name = players[who - 1] if 0 < who <= len(players) else f"#{who}"
        yield f"{name} {' '.join(_amount(has.n, has.what, say) for has in held)}"


def _amount(n: int, what: str, say: Words) -> str:
    return f"£{n}" if what == "money" else f"{n} {say['one' if n == 1 and what in say['one'] else 'resources'][what]}"


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
    say = words(language)
    named = why.removeprefix("final:")
    cause = say["causes"].get(why) or say["cards"].get(named, named)
    return f"{'+' if n > 0 else '−'}{_amount(abs(n), what, say)} ({cause})"
