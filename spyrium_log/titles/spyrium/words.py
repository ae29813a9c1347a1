"""Events as sentences, in the words of the four editions. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import groupby
from typing import Any

from spyrium_log import title
from spyrium_log.catalogue import ENGLISH
from spyrium_log.messages import amount_text, cause_name
from spyrium_log.title import AnyPosting, PostingKey, Verb, seat_of, tag_of
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import KINDS, MARKET
from spyrium_log.titles.spyrium.effects import BonusDue, BonusTaken, Resource, SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.state import State, spaces_of


def component_name(card: str, language: str) -> str:
    """The name of a card, an event card or what else the sheet names; of anything else the id."""
    names = vocabulary(language)
    return names["cards"].get(card) or names["events"].get(card) or names["components"].get(card, card)


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
    assumed: AbstractSet[PostingKey],
) -> str:
    """The event in a sentence: `Anna places a worker between Miner and Crane.` `state` is the table before it.

    Amounts that are `assumed` have the sign of that before them, unless a person said the amount.
    """
    kind = type(act)
    seat = seat_of(act)
    if moved:
        effects_text = _describe_postings(moved, assumed, players, language, seat)
    else:
        effects_text = vocabulary(language)["sentences"]["nothing"] if kind in _NOTHING_IS_SAID else ""
    list_notes = _NOTES.get(kind)
    if list_notes is not None or facts:
        notes = list_notes(act, language) if list_notes is not None else []
        if facts:
            notes += _describe_facts(moved, facts, players, language)
        effects_text = ", ".join(filter(None, (effects_text, *notes)))
    choose_sentence = _SENTENCES.get(kind)
    if choose_sentence is None:
        return _describe_statement(act, effects_text, players, language)
    # as _name_player has it: an archive asks at every event
    player = players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"
    parts, tail = _cut_sentence(
        language, getattr(act, "enter", False), effects_text != "", *choose_sentence(state, act)
    )
    return f"{player.join(parts)}{effects_text}{tail}"


def _name_player(seat: int, players: Sequence[str]) -> str:
    """The name of the player at a seat; `#7` where nobody sits, as a log with mistakes may say."""
    return players[seat - 1] if 0 < seat <= len(players) else f"#{seat}"


# The key of a decision's sentence, then the cards that fill it: one, another, an event; None where no card lies.
Sentence = tuple[str | None, ...]


@lru_cache(maxsize=4096)
def _cut_sentence(
    language: str,
    enters: bool,  # noqa: FBT001 - by position, for an archive asks at every event
    has_effects: bool,  # noqa: FBT001 - as above
    key: str,
    card: str | None = None,
    other: str | None = None,
    event: str | None = None,
) -> tuple[tuple[str, ...], str]:
    """A decision's sentence, cut where the player's name and the effects go.

    `Anna calls upon a Miner: +1 Spyrium.` gives the parts ("", " calls upon a Miner: ") around the name, and the tail
    "." behind the effects. Cached without them: few such sentences occur, while names and amounts differ.
    """
    words = vocabulary(language)
    sentences, cards = words["sentences"], words["cards"]
    sentence = sentences[key]
    if has_effects:
        sentence = sentences["effects"].replace("{sentence}", sentence)
    if enters:
        sentence = sentences["enter"].replace("{rest}", sentence)
    one, two, three = _name_card(card, cards), _name_card(other, cards), _name_card(event, words["events"])
    fields = {"card": one, "one": one, "other": two, "old": two, "event": three}
    head, _, tail = sentence.partition("{effects}")
    return tuple([part.format(**fields) for part in head.split("{player}")]), tail.format(**fields)


def _name_card(card: str | None, names: Mapping[str, str]) -> str:
    """The name of a card in a sentence; `?` where none lies."""
    return "?" if card is None else names.get(card, card)


def card_on(state: State, space: int) -> str | None:
    """The card on a space, '' if it is empty; None where there is no such space."""
    return state.market[space] if 0 <= space <= MARKET else None


def _find_cards_beside(state: State, gap: int) -> tuple[str | None, str | None]:
    """The cards on the two spaces beside a gap; None for one where no space is."""
    one, other = spaces_of(gap)
    return card_on(state, one), card_on(state, other)


def _choose_gaining_sentence(state: State, act: moves.GainMoney) -> Sentence:
    """The sentence `gain_money` with the card beside the worker; `gain_money_empty` where none was left."""
    return ("gain_money_empty",) if act.space is None else ("gain_money", card_on(state, act.space))


def _choose_using_sentence(state: State, act: moves.UseBuilding | moves.ReuseBuilding) -> Sentence:
    """The sentence `use_building`, `use_building_twice` or `reuse_building`, with the building."""
    is_twice = isinstance(act, moves.UseBuilding) and act.again is not None
    return "use_building_twice" if is_twice else tag_of(type(act)), building_at(state, act.seat, act.slot)


def building_at(state: State, seat: int, slot: int) -> str | None:
    """The card in a slot of a neighbourhood; None where there is no such slot."""
    buildings = state.mat(seat).buildings
    return buildings[slot - 1].card if 0 < slot <= len(buildings) else None


def _choose_event_sentence(state: State, act: moves.UseEvent) -> Sentence:
    """The sentence of an event's use: with the cards beside a gap, with a building, declined or alone; event last."""
    if act.declined:
        return "use_event_declined", None, None, state.event
    if act.gap is not None:
        return "use_event_gap", *_find_cards_beside(state, act.gap), state.event
    building = None if act.slot is None else building_at(state, act.seat, act.slot)
    if building is not None:
        return "use_event_building", building, None, state.event
    return "use_event", None, None, state.event


def _choose_activation_sentence(state: State, act: moves.ActivateCard) -> Sentence:
    """The sentence of the card's kind, as `activate_character`: one for a declined effect, one for a replacement."""
    card = act.named or card_on(state, act.space)
    kind = KINDS.get(card or "")
    replaced = building_at(state, act.seat, act.over) if kind == "building" and act.over is not None else None
    if replaced is not None:
        return "activate_building_over", card, replaced
    if act.declined and kind == "character":
        return "activate_character_declined", card
    return f"activate_{kind}" if kind else "activate_unknown", card


# Where the sentence is called like the act, as `pass`, only the cards differ, if it names any.
_SENTENCES: dict[type, Callable[[State, Any], Sentence]] = {
    moves.PlaceWorker: lambda state, act: ("place_worker", *_find_cards_beside(state, act.gap)),
    moves.GainMoney: _choose_gaining_sentence,
    moves.ActivateCard: _choose_activation_sentence,
    moves.UseBuilding: _choose_using_sentence,
    moves.ReuseBuilding: _choose_using_sentence,
    moves.UseEvent: _choose_event_sentence,
    moves.Pass: lambda _state, _act: ("pass",),
    moves.TakeBonus: lambda _state, _act: ("take_bonus",),
    title.Conceded: lambda _state, _act: ("conceded",),
}


# Acts whose sentence says so where nothing moved.
_NOTHING_IS_SAID: frozenset[type] = frozenset((moves.GainMoney, moves.TakeBonus))


def _note_activation(act: moves.ActivateCard, language: str) -> list[str]:
    """What an activation uses up or leaves out beside what moves: Lobbying, Commerce, a residence action declined."""
    notes = [_note_technique("lobbying", language)] if act.lobbying else []
    return notes + _note_shared_choices(act, language)


def _note_shared_choices(act: moves.ActivateCard | moves.UseEvent, language: str) -> list[str]:
    """`used: Commerce (the token counts 3)`, and that a residence action is declined."""
    notes = [] if act.commerce is None else [_note_technique("commerce", language, act.commerce)]
    return [*notes, vocabulary(language)["sentences"]["residence_kept"]] if act.residence == "keep" else notes


def _note_taylorism(act: moves.UseBuilding | moves.ReuseBuilding, language: str) -> list[str]:
    """`used: Taylorism`, for a building that is used again."""
    is_again = isinstance(act, moves.ReuseBuilding) or act.again is not None
    return [_note_technique("taylorism", language)] if is_again else []


@lru_cache(maxsize=64)
def _note_technique(card: str, language: str, value: int | None = None) -> str:
    """`used: Lobbying`: a technique that is used up for this round; with the value that Commerce gives a token."""
    words = vocabulary(language)
    key = "technique_used" if value is None else "commerce_used"
    return words["sentences"][key].format(card=words["cards"][card], value=value)


# What an act says of itself beside its sentence and what moves.
_NOTES: dict[type, Callable[[Any, str], list[str]]] = {
    moves.ActivateCard: _note_activation,
    moves.UseEvent: _note_shared_choices,
    moves.UseBuilding: _note_taylorism,
    moves.ReuseBuilding: _note_taylorism,
}


def _describe_facts(
    moved: Sequence[AnyPosting], facts: Sequence[SpyriumFact], players: Sequence[str], language: str
) -> list[str]:
    """What follows from an event: tokens return, a bonus is to be chosen, or comes by itself and brings nothing."""
    sentences = vocabulary(language)["sentences"]
    notes = [sentences["tokens_returned"]] if TokensReturned in map(type, facts) else []
    for fact in facts:
        if isinstance(fact, BonusDue):
            notes.append(sentences["bonus_due"].format(player=_name_player(fact.seat, players)))
        elif isinstance(fact, BonusTaken) and not any(p.why == "bonus" and p.who == fact.seat for p in moved):
            notes.append(sentences["bonus_empty"].format(player=_name_player(fact.seat, players)))
    return notes


def _describe_statement(act: moves.Act, effects_text: str, players: Sequence[str], language: str) -> str:
    """The sentence of a deal, the final count or a statement, which is no seat's act."""
    sentences = vocabulary(language)["sentences"]
    arguments_of = _STATEMENTS.get(type(act))
    sentence = sentences[tag_of(type(act))].format(**(arguments_of(act, players, language) if arguments_of else {}))
    return sentences["effects"].format(sentence=sentence, effects=effects_text) if effects_text else sentence


def _list_deal_fields(act: moves.RoundDealt, players: Sequence[str], language: str) -> dict[str, str]:
    """What fills the sentence of a deal, by the names of its placeholders."""
    market = [_name_card_with_tokens(dealt.card, dealt.tokens, "cards", language) for dealt in act.market]
    return {
        "round": str(act.round),
        "first": _name_player(act.first, players),
        "event": _name_card_with_tokens(act.event, (act.event_token,), "events", language),
        "next": _name_card_with_tokens(act.next_event, (act.next_token,), "events", language),
        "market": ", ".join(market),
    }


_STATEMENTS: dict[type, Callable[[Any, Sequence[str], str], dict[str, str]]] = {
    moves.RoundDealt: _list_deal_fields,
    title.Counted: lambda act, players, language: {"held": _describe_count(act, players, language)},
    title.Adjusted: lambda act, *_: {"by": act.who, "why": act.why},
    title.Resynced: lambda act, *_: {"why": act.why},
    title.Abandoned: lambda act, *_: {"why": act.why},
}


@lru_cache(maxsize=1024)
def _name_card_with_tokens(card: str, tokens: tuple[int | None, ...], table: str, language: str) -> str:
    """The name of a card or event (`table`), its tokens in brackets. Cached: names recur in every deal."""
    name = _name_card(card, vocabulary(language)[table])
    values = ", ".join([str(token) for token in tokens if token])
    return f"{name} [{values}]" if values else name


def _describe_count(act: title.Counted[Resource], players: Sequence[str], language: str) -> str:
    """`Anna £6 2 Spyrium, Bob £3`: what somebody counted; commas stand between the amounts where English has none."""
    within, between = (" ", ", ") if language == ENGLISH else (", ", "; ")
    counts = []
    for who, held in groupby(act.held, key=lambda holding: holding.who):
        amounts = (amount_text(holding.n, holding.what, vocabulary(language), language=language) for holding in held)
        counts.append(f"{_name_player(who, players)} {within.join(amounts)}")
    return between.join(counts)


def _describe_postings(
    moved: Sequence[AnyPosting], assumed: AbstractSet[PostingKey], players: Sequence[str], language: str, acting: int
) -> str:
    """`−£2 (crowd), Bob ~+£1 (gain)`: postings with their causes, and the player where it is not the acting one."""
    parts = []
    for posting in moved:
        who = posting.who
        text = _describe_posting(posting.n, posting.what, posting.why, language)
        if assumed and posting.seen is None and (who, posting.what, posting.why) in assumed:
            text = f"~{text}"
        if who != acting:
            text = f"{players[who - 1] if 0 < who <= len(players) else who} {text}"
        parts.append(text)
    return ", ".join(parts)


@lru_cache(maxsize=1024)
def _describe_posting(n: int, what: str, why: str, language: str) -> str:
    """`+3 points (effect)`: one posting. Cached: few amounts occur."""
    words = vocabulary(language)
    amount = amount_text(abs(n), what, words, language=language)
    return f"{'+' if n > 0 else '−'}{amount} ({cause_name(why, words) or why})"
