"""Events as sentences, in the words of the four editions. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from spyrium_log import title
from spyrium_log.messages import amount_text, cause_name
from spyrium_log.title import AnyPosting, Verb, seat_of, tag_of
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import KINDS, MARKET
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.state import State


def component_name(card: str, language: str) -> str:
    """The name of a card or an event card; what else the sheet names has only its id."""
    names = vocabulary(language)
    return names["cards"].get(card) or names["events"].get(card, card)


# The verbs of acts. An activation counts as a hire: only the state knows its card (see `tableau.make_deed`).
VERBS: dict[type, Verb] = {
    moves.PlaceWorker: "place",
    moves.GainMoney: "earn",
    moves.ActivateCard: "hire",
    moves.UseEvent: "event",
    moves.UseBuilding: "use",
    moves.ReuseBuilding: "use",
    moves.Pass: "pass",
    moves.TakeBonus: "choose",
    moves.RoundDealt: "deal",
    title.FinalCount: "final",
}


def describe_event(
    state: State,
    act: moves.Act,
    moved: Sequence[AnyPosting],
    facts: Sequence[SpyriumFact],
    players: Sequence[str],
    language: str,
) -> str:
    """The event in a sentence. `state` is the table before it, which says what card lay where."""
    kind = type(act)
    seat = seat_of(act)
    if moved:
        effects_text = _postings_text(moved, players, language, seat)
    else:
        effects_text = vocabulary(language)["sentences"]["nothing"] if kind is moves.GainMoney else ""
    if facts and TokensReturned in map(type, facts):
        effects_text = ", ".join(filter(None, (effects_text, vocabulary(language)["sentences"]["tokens_returned"])))
    phrase = _PHRASES.get(kind)
    if phrase is None:
        return _statement_text(act, effects_text, players, language)
    player = players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"
    parts, tail = _sentence_parts(language, getattr(act, "enter", False), effects_text != "", *phrase(state, act))
    return f"{player.join(parts)}{effects_text}{tail}"


# The key of a decision's sentence, then the cards in it: one, another, an event; None is a card that is not there.
Phrase = tuple[str | None, ...]


@lru_cache(maxsize=4096)
def _sentence_parts(
    language: str,
    enters: bool,  # noqa: FBT001 - by position, for an archive asks at every event
    has_effects: bool,  # noqa: FBT001 - as above
    key: str,
    card: str | None = None,
    other: str | None = None,
    event: str | None = None,
) -> tuple[tuple[str, ...], str]:
    """A decision's sentence, cut where the player's name and the effects go.

    Cached without them: the cards make few such sentences, while names and amounts differ. In no language does the
    player's name stand behind the effects.
    """
    words = vocabulary(language)
    sentences, cards = words["sentences"], words["cards"]
    sentence = sentences[key]
    if has_effects:
        sentence = sentences["effects"].replace("{sentence}", sentence)
    if enters:
        sentence = sentences["enter"].replace("{rest}", sentence)
    one, two, three = _card_name(card, cards), _card_name(other, cards), _card_name(event, words["events"])
    fields = {"card": one, "one": one, "other": two, "old": two, "event": three}
    head, _, tail = sentence.partition("{effects}")
    return tuple([part.format(**fields) for part in head.split("{player}")]), tail.format(**fields)


def _card_name(card: str | None, names: Mapping[str, str]) -> str:
    """The name of a card; `?` where there is none."""
    return "?" if card is None else names.get(card, card)


def card_on(state: State, space: int) -> str | None:
    """The card on a space; None where there is no such space."""
    return state.market[space] if 0 <= space <= MARKET else None


def _placing_phrase(state: State, act: moves.PlaceWorker) -> Phrase:
    """The sentence `place_worker` with the cards on both sides of the gap."""
    one, other = divmod(act.gap, 10)
    return "place_worker", card_on(state, one), card_on(state, other)


def _gaining_phrase(state: State, act: moves.GainMoney) -> Phrase:
    """The sentence about gaining money, with the card beside the worker if one was left."""
    return ("gain_money_empty",) if act.space is None else ("gain_money", card_on(state, act.space))


def _using_phrase(state: State, act: moves.UseBuilding | moves.ReuseBuilding) -> Phrase:
    """The sentence `use_building` or `reuse_building` with the building."""
    return tag_of(type(act)), building_at(state, act.seat, act.slot)


def building_at(state: State, seat: int, slot: int) -> str | None:
    """The card in a slot of a neighbourhood; None where there is none."""
    buildings = state.mat(seat).buildings
    return buildings[slot - 1].card if 0 < slot <= len(buildings) else None


def _event_phrase(state: State, act: moves.UseEvent) -> Phrase:
    """The sentence about using the event, with the gap or the building that it was used for."""
    gap = act.gap
    if gap is not None:
        one, other = divmod(gap, 10)
        return "use_event_gap", card_on(state, one), card_on(state, other), state.event
    if act.slot is not None:
        card = building_at(state, act.seat, act.slot)
        if card is not None:
            return "use_event_building", card, None, state.event
    return "use_event", None, None, state.event


def _activation_phrase(state: State, act: moves.ActivateCard) -> Phrase:
    """The sentence for this kind of card, with the building that it replaces if there is one."""
    card = act.named or card_on(state, act.space)
    kind = KINDS.get(card or "")
    if kind == "building" and act.over is not None:
        old = building_at(state, act.seat, act.over)
        if old is not None:
            return "activate_building_over", card, old
    return f"activate_{kind}" if kind else "activate_unknown", card


def _plain_phrase(_state: State, act: moves.Pass | moves.TakeBonus | title.Conceded) -> Phrase:
    """A sentence that names no card; its key is the tag of the act, as `pass`."""
    return (tag_of(type(act)),)


_PHRASES: dict[type, Callable[[State, Any], Phrase]] = {
    moves.PlaceWorker: _placing_phrase,
    moves.GainMoney: _gaining_phrase,
    moves.ActivateCard: _activation_phrase,
    moves.UseBuilding: _using_phrase,
    moves.ReuseBuilding: _using_phrase,
    moves.UseEvent: _event_phrase,
    moves.Pass: _plain_phrase,
    moves.TakeBonus: _plain_phrase,
    title.Conceded: _plain_phrase,
}


def _statement_text(act: moves.Act, effects_text: str, players: Sequence[str], language: str) -> str:
    """The sentence of a deal, the final count or a statement, which is no seat's act."""
    sentences = vocabulary(language)["sentences"]
    arguments_of = _STATEMENTS.get(type(act))
    sentence = sentences[tag_of(type(act))].format(**(arguments_of(act, players, language) if arguments_of else {}))
    return sentences["effects"].format(sentence=sentence, effects=effects_text) if effects_text else sentence


def _deal_fields(act: moves.RoundDealt, players: Sequence[str], language: str) -> dict[str, object]:
    """What fills the sentence of a deal: round, first player, events, market."""
    return {
        "round": act.round,
        "first": players[act.first - 1] if 0 < act.first <= len(players) else f"#{act.first}",
        "event": _card_with_tokens(act.event, (act.event_token,), "events", language),
        "next": _card_with_tokens(act.next_event, (act.next_token,), "events", language),
        "market": ", ".join([_card_with_tokens(dealt.card, dealt.tokens, "cards", language) for dealt in act.market]),
    }


_STATEMENTS: dict[type, Callable[[Any, Sequence[str], str], dict[str, object]]] = {
    moves.RoundDealt: _deal_fields,
    title.Counted: lambda act, players, language: {"held": ", ".join(_counted_texts(act, players, language))},
    title.Adjusted: lambda act, *_: {"by": act.who, "why": act.why},
    title.Resynced: lambda act, *_: {"why": act.why},
    title.Abandoned: lambda act, *_: {"why": act.why},
}


@lru_cache(maxsize=1024)
def _card_with_tokens(card: str, tokens: tuple[int | None, ...], table: str, language: str) -> str:
    """The name of a card or event (`table`), its tokens in brackets. Cached: names recur in every deal."""
    name = _card_name(card, vocabulary(language)[table])
    values = ", ".join([str(token) for token in tokens if token])
    return f"{name} [{values}]" if values else name


def _counted_texts(act: title.Counted[Any], players: Sequence[str], language: str) -> Iterator[str]:
    """`Anna £6 2 Spyrium`: what somebody counted, a text for each player."""
    for who, held in groupby(act.held, key=lambda has: has.who):
        name = players[who - 1] if 0 < who <= len(players) else f"#{who}"
        yield f"{name} {' '.join(amount_text(has.n, has.what, vocabulary(language)) for has in held)}"


def _postings_text(moved: Sequence[AnyPosting], players: Sequence[str], language: str, acting: int) -> str:
    """`−£2 (crowd), Bob +£1 (gain)`: postings with their causes, and the player where it is not the acting one."""
    parts = []
    for posting in moved:
        who = posting.who
        text = _posting_text(posting.n, posting.what, posting.why, language)
        if who != acting:
            text = f"{players[who - 1] if 0 < who <= len(players) else who} {text}"
        parts.append(text)
    return ", ".join(parts)


@lru_cache(maxsize=1024)
def _posting_text(n: int, what: str, why: str, language: str) -> str:
    """`+3 points (effect)`: one posting. Cached: few amounts occur."""
    words = vocabulary(language)
    return f"{'+' if n > 0 else '−'}{amount_text(abs(n), what, words)} ({cause_name(why, words) or why})"
