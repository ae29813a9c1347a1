"""What a scribe types at the table, and which of several ways to say a move is the likeliest.

    12       place a worker in gap 12; with none left to place, activate card 1
             with the worker who stands towards card 2
    a1 a12   activate card 1; with the worker towards card 2
    g1       gain money beside card 1
    u2 u21   use the building in slot 2, the larger effect; its first effect
    r2       reuse it
    e        use the event, then the letter or number of what it asks;
             > behind it moves to phase II with it
    x        pass
    w  5     the bonus: a worker, or £5

What is left out is guessed, and shown before Enter:
    o3 o0    over slot 3; on a new site
    t2       with the token 2
    m  s     the residence action moves, or scores
    k        it keeps the disc where it is, and scores nothing
    l  n     with Lobbying, without
    c3 c0    Commerce makes the token a 3; leaves it
    d        the effect declined
    a3=mi    the unseen card 3 turns out to be a Miner

A card of a deal is two letters, its tokens follow as digits: mi13; or its
name, or as much of it as tells it apart: miner13, app. ? is a card that
nobody saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from spyrium_log.title import FinalCount, Rank, Step
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import CALLS, KINDS, MARKET
from spyrium_log.titles.spyrium.deals import CODE_OF_CARD, deal_words
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.rules.activate import can_tilt, quote, total_pounds
from spyrium_log.titles.spyrium.rules.deal import count_tokens_needed
from spyrium_log.titles.spyrium.rules.market import count_others_around, has_worker
from spyrium_log.titles.spyrium.state import GAPS_AROUND, PLACES, State

# Until this round it is better to move on the track than to score.
LAST_TO_MOVE = 4


def list_steps(state: State, act: moves.Act) -> list[Step]:
    """What to type for a legal act, choice by choice; empty for a statement."""
    match act:
        case moves.PlaceWorker():
            return [Step("move", "p", optional=True), Step("gap", str(act.gap))]
        case moves.GainMoney():
            return [Step("move", "g"), *_list_card_steps(act)]
        case moves.ActivateCard():
            # a number alone is a gap as long as there is a worker to place
            mat = state.mat(act.seat)
            first = Step("move", "a", optional=mat.phase > 1 or not mat.active)
            return [first, *_list_card_steps(act), *_list_activation_steps(state, act)]
        case moves.UseBuilding() | moves.ReuseBuilding():
            return _list_building_steps(act)
        case moves.UseEvent():
            return [Step("move", "e"), *_list_event_steps(state, act)]
        case moves.TakeBonus():
            return [Step("move", "b"), Step("bonus", "w" if act.bonus == "worker" else "5")]
        case moves.RoundDealt():
            return [Step("card", word) for word in deal_words(state, act)]
        case moves.Pass() | FinalCount():
            return [Step("move", "x" if isinstance(act, moves.Pass) else "f")]
        case _:
            return []


def _list_card_steps(act: moves.GainMoney | moves.ActivateCard) -> list[Step]:
    """The steps for a card and a worker: the card's space, then the worker by the other space of its gap."""
    if act.space is None:
        return [Step("gap", str(act.gap), optional=True)]
    return [Step("card", str(act.space)), Step("worker", str(find_other_space(act.gap, act.space)), optional=True)]


def find_other_space(gap: int, space: int) -> int:
    """The space on the other side of a gap."""
    _, one, other = PLACES[gap]
    return other if space == one else one


def _list_activation_steps(state: State, act: moves.ActivateCard) -> list[Step]:
    """The steps for the choices that this player has in activating this card."""
    mat = state.mat(act.seat)
    card = act.named or state.market[act.space]
    steps = [Step("card", f"={CODE_OF_CARD.get(act.named, act.named)}")] if act.named else []
    if KINDS.get(card) == "building" and mat.buildings:
        steps.append(Step("over which building", f"o{act.over or 0}", optional=True))
    if act.token:
        steps.append(Step("token", f"t{act.token}", optional=True))
    if act.residence:
        steps.append(Step("residence", act.residence[0], optional=True))
    if can_tilt(mat, "lobbying"):
        steps.append(Step("Lobbying", "l" if act.lobbying else "n", optional=True))
    if state.tokens[act.space] and can_tilt(mat, "commerce"):
        steps.append(Step("Commerce", f"c{act.commerce or 0}", optional=True))
    return [*steps, Step("effect", "d")] if act.declined else steps


def _list_building_steps(act: moves.UseBuilding | moves.ReuseBuilding) -> list[Step]:
    """The steps for a building and its effect; a chained second use is `r` with its effect."""
    key, again = ("u", act.again) if isinstance(act, moves.UseBuilding) else ("r", None)
    steps = [Step("move", key), *_list_slot_steps(act.slot, act.effect)]
    return [*steps, Step("again", f"r{again}")] if again else steps


def _list_slot_steps(slot: int, effect: int | None) -> list[Step]:
    """The steps for the slot of a building, and for which of its effects is used."""
    return [Step("building", str(slot)), Step("effect", str(effect), optional=True)]


def _list_event_steps(state: State, act: moves.UseEvent) -> list[Step]:
    """The steps for what the event of this round asks."""
    mat = state.mat(act.seat)
    steps = [Step("gain", act.gain[0])] if act.gain else []
    steps += [Step("residence", act.residence[0])] if act.residence else []
    steps += [Step("choice", str(act.choice))] if act.choice else []
    steps += _list_slot_steps(act.slot, act.effect) if act.slot else []
    steps += [Step("gap", str(act.gap))] if act.gap else []
    if can_tilt(mat, "commerce") and state.event_token and not act.declined:
        steps.append(Step("Commerce", f"c{act.commerce or 0}", optional=True))
    steps += [Step("effect", "d")] if act.declined else []
    steps += [Step("phase", ">" if act.enter else "i", optional=True)] if mat.phase == 1 else []
    return steps


def find_hint(state: State, act: moves.Act, rules: Sequence[str], language: str) -> str:
    """A hint for a deal without tokens, which may have run out and break no rule by that; '' for anything else."""
    if "market.tokens" not in rules or not isinstance(act, moves.RoundDealt):
        return ""
    cards = [dealt.card for dealt in act.market if not dealt.tokens and count_tokens_needed(state, dealt.card)]
    return vocabulary(language)["hints"]["tokens"].format(cards=", ".join(cards), card=cards[0]) if cards else ""


def describe_detail(state: State, act: moves.Act, language: str) -> str:
    """The space of a card that lies there twice, and the gap of the worker where another one, or none, is meant."""
    words = vocabulary(language)["details"]
    match act:
        case moves.PlaceWorker() | moves.UseEvent(gap=int()):
            return words["into_gap"].format(gap=act.gap)
        case moves.GainMoney(space=None):
            return words["from_gap"].format(gap=act.gap)
        case moves.GainMoney() | moves.ActivateCard():
            space = act.space or 0
            own_gaps = [gap for gap in GAPS_AROUND[space] if has_worker(state, act.seat, gap)]
            is_double = state.market.count(state.market[space]) > 1
            details = [
                words["of_space"].format(space=space) if is_double else "",
                "" if own_gaps == [act.gap] else words["from_gap"].format(gap=act.gap),
            ]
            return ", ".join(filter(None, details))
        case _:
            return ""


def rank_act(state: State, act: moves.Act) -> Rank:
    """How likely an act is to be meant, lowest first: by kind of act, along the board, and within one card by cost."""
    match act:
        case moves.PlaceWorker():
            order: tuple[int, ...] = (0, act.gap)
        case moves.ActivateCard():
            order = (1, act.space, *_rank_activation(state, act))
        case moves.GainMoney(space=None):
            order = (2, MARKET + 1, act.gap)
        case moves.GainMoney():
            order = (2, act.space or 0, _is_needed_elsewhere(state, act), act.gap)
        case moves.UseBuilding():
            order = (3, act.slot, -act.effect)
        case moves.ReuseBuilding():
            order = (4, act.slot, -act.effect)
        case moves.UseEvent():
            order = (5, *_rank_event_use(state, act))
        case moves.TakeBonus():
            # one that may be recorded after a correction stands last: nobody waits for it
            order = (0 if state.mat(act.seat).bonus_due else 6, act.bonus == "money")
        case _:
            order = (6,)
    is_waste = getattr(act, "declined", False) or getattr(act, "residence", None) == "keep"
    return Rank(waste=is_waste, order=order)


def _is_needed_elsewhere(state: State, act: moves.GainMoney | moves.ActivateCard) -> bool:
    """Whether the acting worker is the seat's only one beside the gap's other card; then another is likelier to act."""
    # a space is chosen wherever this is asked: only between two empty ones there is none
    other = find_other_space(act.gap, act.space or 0)
    # a gap has a number for each seat, from where PLACES says
    own_workers = sum(state.placed[PLACES[gap][0] + act.seat] for gap in GAPS_AROUND[other])
    return bool(state.market[other]) and own_workers == 1


def _rank_activation(state: State, act: moves.ActivateCard) -> tuple[int, ...]:
    """Sort key of the ways to activate one card, the likeliest lowest: Lobbying where it saves, a new site, price."""
    card = act.named or state.market[act.space]
    designs = state.printed.designs
    design = designs.get(card)
    # nobody saw the card
    if design is None:
        return (act.gap,)
    buildings = state.mat(act.seat).buildings
    over = act.over or 0
    replaced = designs.get(buildings[over - 1].card) if 0 < over <= len(buildings) else None
    # a building's token is not chosen, and Commerce for what it shows already would be wasted
    value = act.commerce or act.token or max(state.tokens[act.space], default=0)
    return (
        bool(act.lobbying) != (count_others_around(state, act, act.space) > 0),
        act.over is not None,
        replaced.points if replaced else 0,
        total_pounds(quote(state, act, design)),
        value if card in CALLS and CALLS[card].pays_token else -value,
        act.commerce is not None,
        _rank_residence(state, act.residence),
        _is_needed_elsewhere(state, act),
        act.gap,
    )


def _rank_event_use(state: State, act: moves.UseEvent) -> tuple[int, ...]:
    """Sort key of the ways to use the round's event: what gives more comes first."""
    return (
        act.slot or 0,
        -(act.effect or 0),
        act.gap or 0,
        -(act.choice or 0),
        ("points", "spyrium", "money").index(act.gain) if act.gain else 0,
        _rank_residence(state, act.residence),
        -(act.commerce or state.event_token),
        act.enter,
    )


def _rank_residence(state: State, residence: moves.Residence | None) -> int:
    """Sort key of a residence action: 0 for what most prefer, moving in early rounds, scoring in late ones; 2: none."""
    if residence == "keep":
        return 2
    preferred = "move" if state.round <= LAST_TO_MOVE else "score"
    return int(residence not in (None, preferred))


def find_printed_price(state: State, act: moves.Act) -> tuple[str, str] | None:
    """The card and `price` where the act depends on the price printed on a card, which `=3` then records; else None."""
    if not isinstance(act, moves.ActivateCard):
        return None
    card = act.named or state.market[act.space]
    return (card, "price") if card in KINDS else None


def track_numbers(state: State, resource: str) -> Sequence[int]:
    """The numbers printed along the track of a resource; empty for all but the residence, which has one."""
    return state.printed.track if resource == "residence" else ()
