"""Sentences for people, in the words of the four editions. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any

from spyrium_log.title import Abandoned, Adjusted, AnyPosting, Counted, Resynced, Verb
from spyrium_log.titles.spyrium.cards import KINDS
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    GainMoney,
    PlaceWorker,
    ReuseBuilding,
    RoundDealt,
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


_VERBS: dict[str, Verb] = {
    "place_worker": "place",
    "gain_money": "earn",
    "use_event": "event",
    "use_building": "use",
    "reuse_building": "use",
    "pass": "pass",
    "take_bonus": "choose",
    "round_dealt": "deal",
    "final_count": "final",
}


def verb(act: Act) -> Verb:
    """What it is called across titles. What an activation is depends on its card; `activate` alone is a hire."""
    if isinstance(act, ActivateCard):
        return "hire"
    return _VERBS.get(str(type(act).__struct_config__.tag), "state")


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
    key, fields = _sentence(state, act, players, say)
    seat = getattr(act, "seat", 0)
    player = players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"
    sentence = say["sentences"][key].format(player=player, **fields)
    told = effects(moved, players, say, seat) if moved else ""
    if isinstance(act, GainMoney) and not moved:
        told = say["sentences"]["nothing"]
    if any(isinstance(fact, TokensReturned) for fact in facts):
        told = ", ".join(filter(None, (told, say["sentences"]["tokens_returned"])))
    if told:
        sentence = say["sentences"]["effects"].format(sentence=sentence, effects=told)
    if getattr(act, "enter", False):
        sentence = say["sentences"]["enter"].format(player=player, rest=sentence)
    return sentence


def _sentence(state: State, act: Act, players: Sequence[str], say: Words) -> tuple[str, dict[str, Any]]:
    """Which sentence, and what it speaks of."""
    tag = str(type(act).__struct_config__.tag)
    cards = say["cards"]
    if isinstance(act, PlaceWorker):
        one, other = divmod(act.gap, 10)
        return tag, {"one": _card(state.market[one], cards), "other": _card(state.market[other], cards)}
    if isinstance(act, GainMoney):
        if act.space is None:
            return "gain_money_empty", {}
        return tag, {"card": _card(state.market[act.space], cards)}
    if isinstance(act, ActivateCard):
        return _activation(state, act, cards)
    if isinstance(act, UseBuilding | ReuseBuilding):
        buildings = state.mat(act.seat).buildings
        return tag, {"card": _card(buildings[act.slot - 1].card, cards) if act.slot <= len(buildings) else "?"}
    if isinstance(act, UseEvent):
        return _event(state, act, say)
    if isinstance(act, RoundDealt):
        market = ", ".join(_with_tokens(_card(dealt.card, cards), dealt.tokens) for dealt in act.market)
        event = _with_tokens(_card(act.event, say["events"]), (act.event_token,))
        following = _with_tokens(_card(act.next_event, say["events"]), (act.next_token,))
        first = players[act.first - 1] if act.first <= len(players) else f"#{act.first}"
        return tag, {"round": act.round, "first": first, "event": event, "next": following, "market": market}
    if isinstance(act, Counted):
        return tag, {"held": ", ".join(_counted(act, players, say))}
    if isinstance(act, Adjusted):
        return tag, {"by": act.who, "why": act.why}
    if isinstance(act, Resynced | Abandoned):
        return tag, {"why": act.why}
    return tag, {}


def _event(state: State, act: UseEvent, say: Words) -> tuple[str, dict[str, Any]]:
    """An event that places a worker or uses a building says where."""
    fields = {"event": _card(state.event, say["events"])}
    buildings = state.mat(act.seat).buildings
    if act.gap is not None:
        one, other = divmod(act.gap, 10)
        beside = {"one": _card(state.market[one], say["cards"]), "other": _card(state.market[other], say["cards"])}
        return "use_event_gap", {**fields, **beside}
    if act.slot is not None and act.slot <= len(buildings):
        return "use_event_building", {**fields, "card": _card(buildings[act.slot - 1].card, say["cards"])}
    return "use_event", fields


def _activation(state: State, act: ActivateCard, cards: dict[str, str]) -> tuple[str, dict[str, Any]]:
    card = act.named or state.market[act.space]
    kind = KINDS.get(card)
    fields = {"card": _card(card, cards)}
    buildings = state.mat(act.seat).buildings
    if kind == "building" and act.over is not None and act.over <= len(buildings):
        return "activate_building_over", {**fields, "old": _card(buildings[act.over - 1].card, cards)}
    return (f"activate_{kind}" if kind else "activate_unknown"), fields


def _with_tokens(name: str, tokens: Sequence[int | None]) -> str:
    values = ", ".join(str(token) for token in tokens if token)
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


def effects(moved: Sequence[AnyPosting], players: Sequence[str], say: Words, acting: int) -> str:
    """Every posting with its cause; whose it is only where it is not the acting player's."""
    parts = []
    for posting in moved:
        sign = "+" if posting.n > 0 else "−"
        amount = f"{sign}{_amount(abs(posting.n), posting.what, say)}"
        why = posting.why.removeprefix("final:")
        cause = say["causes"].get(posting.why) or say["cards"].get(why, why)
        known = 0 < posting.who <= len(players)
        whose = "" if posting.who == acting else f"{players[posting.who - 1] if known else posting.who} "
        parts.append(f"{whose}{amount} ({cause})")
    return ", ".join(parts)
