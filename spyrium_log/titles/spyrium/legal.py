"""Every legal decision of whoever is to act, what the market offers them, and what comes near an illegal move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import structs

from spyrium_log.title import Offers
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import CALLS, KINDS, RESIDENCES, TOKEN_GIVES, TOKEN_VALUES, USES, Call, Design
from spyrium_log.titles.spyrium.rules import find_breaches, is_legal_now
from spyrium_log.titles.spyrium.rules.activate import can_tilt, is_payable, least_pounds
from spyrium_log.titles.spyrium.rules.bonus import is_bonus_open
from spyrium_log.titles.spyrium.rules.market import has_worker, list_card_spaces, list_spaces_beside
from spyrium_log.titles.spyrium.rules.turn import find_awaited
from spyrium_log.titles.spyrium.state import Mat, State


def list_legal_decisions(state: State) -> list[moves.Decision]:
    """Every legal decision of the seat to act: all that the pieces allow, without what a rule forbids."""
    awaited = find_awaited(state)
    seat = awaited.seat
    if awaited.kind == "choice":
        return _list_bonuses(state, seat)
    if awaited.kind != "decision":
        return []
    acts: list[moves.Decision] = [act for act in _list_possible_turns(state, seat) if is_legal_now(state, act)]
    return acts + _list_bonuses(state, seat) if is_bonus_open(state, seat) else acts


def _list_bonuses(state: State, seat: int) -> list[moves.Decision]:
    """The bonuses that the seat may take."""
    choices = (moves.TakeBonus(seat=seat, bonus="worker"), moves.TakeBonus(seat=seat, bonus="money"))
    return [choice for choice in choices if not find_breaches(state, choice)]


def _list_possible_turns(state: State, seat: int) -> list[moves.Turn]:
    """Every turn that the pieces allow, legal or not; in phase I those of phase II, too, by entering it (`enter`)."""
    mat = state.mats[seat]
    enter = mat.phase == 1
    acts: list[moves.Turn] = []
    # what phase I itself allows
    if enter:
        if mat.active > 0:
            acts += [moves.PlaceWorker(seat=seat, gap=gap) for gap in moves.GAPS]
        acts += _list_event_turns(state, seat, mat, enter=False)
    for gap in moves.GAPS:
        if has_worker(state, seat, gap):
            acts += _list_market_turns(state, seat, gap, enter=enter)
    acts += _list_event_turns(state, seat, mat, enter=enter)
    acts += _list_building_turns(state, seat, mat, enter=enter)
    if not state.count_in_market(seat):
        acts.append(moves.Pass(seat=seat, enter=enter))
    return acts


def _list_building_turns(state: State, seat: int, mat: Mat, *, enter: bool) -> list[moves.Turn]:
    """Every use of an upright building of the seat, also chained with a reuse, and every reuse of an inclined one."""
    acts: list[moves.Turn] = []
    # by the option `own-use` Taylorism is an action of its own
    chained = state.options.taylorism_action != "own-use" and can_tilt(mat, "taylorism")
    for slot, built in enumerate(mat.buildings, 1):
        effects = range(1, len(USES.get(built.card, ())) + 1)
        for effect in effects:
            if built.inclined:
                acts.append(moves.ReuseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
                continue
            acts.append(moves.UseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
            if chained:
                acts += [moves.UseBuilding(seat=seat, slot=slot, effect=effect, again=n, enter=enter) for n in effects]
    return acts


def _list_market_turns(state: State, seat: int, gap: moves.Gap, *, enter: bool) -> list[moves.Turn]:
    """Gaining money and activating what can be paid for from a gap, legal or not; `enter` also moves to phase II."""
    beside = list_card_spaces(state, gap)
    # with no card beside the gap, money is gained without naming a space
    acts: list[moves.Turn] = [
        moves.GainMoney(seat=seat, gap=gap, space=space, enter=enter) for space in beside or (None,)
    ]
    for space in beside:
        acts += [act for act in list_activations(state, seat, gap, space, enter=enter) if is_payable(state, act)]
    return acts


def list_activations(state: State, seat: int, gap: moves.Gap, space: int, *, enter: bool) -> list[moves.ActivateCard]:
    """Every form of activating one card with one worker, legal or not: all combinations of the choices it asks for."""
    mat = state.mats[seat]
    card = state.market[space]
    kind = KINDS.get(card)
    forms = [moves.ActivateCard(seat=seat, gap=gap, space=space, enter=enter)]
    if kind == "building":
        slots = range(1, len(mat.buildings) + 1)
        forms += [moves.ActivateCard(seat=seat, gap=gap, space=space, enter=enter, over=slot) for slot in slots]
        if state.tokens[space] and card in TOKEN_GIVES and can_tilt(mat, "commerce"):
            forms = _with_each_value(forms, "commerce", (None, *TOKEN_VALUES))
        if card in RESIDENCES:
            forms = _with_each_value(forms, "residence", _list_residence_choices(state))
    elif kind == "character":
        forms = _list_calls(state, mat, CALLS[card], forms[0])
    return _with_each_value(forms, "lobbying", (False, True)) if can_tilt(mat, "lobbying") else forms


def _list_residence_choices(state: State) -> Sequence[moves.Residence]:
    """What one may choose of a residence action, legal or not at the end of the track; neither only by option."""
    may_decline = state.options.residence_action == "may-decline"
    return [action for action in moves.RESIDENCE_ACTIONS if may_decline or action != "keep"]


def _list_calls(state: State, mat: Mat, call: Call, plain: moves.ActivateCard) -> list[moves.ActivateCard]:
    """Every way to call upon a character, effect used or declined; `plain` is the activation without any choice."""
    seat, gap, space, enter = plain.seat, plain.gap, plain.space, plain.enter
    values = sorted(set(state.tokens[space]))
    # one for each token that may be used
    forms = [moves.ActivateCard(seat=seat, gap=gap, space=space, enter=enter, token=value) for value in values]
    forms = forms or [plain]
    if call.residence:
        forms = _with_each_value(forms, "residence", _list_residence_choices(state))
    if values and can_tilt(mat, "commerce"):
        forms = _with_each_value(forms, "commerce", (None, *TOKEN_VALUES))
    if state.options.character_effect == "may-decline":
        forms = [*forms, structs.replace(plain, declined=True)]
    return forms


def _with_each_value(
    forms: list[moves.ActivateCard], name: str, values: Sequence[int | str | None]
) -> list[moves.ActivateCard]:
    """Each form once for every one of these values, which it has in the field `name`."""
    return [structs.replace(form, **{name: value}) for form in forms for value in values]


def _list_event_turns(state: State, seat: int, mat: Mat, *, enter: bool) -> list[moves.UseEvent]:
    """Every use of the round's event that the pieces allow, by the choices that its card asks for."""
    if mat.used_event:
        return []
    event = state.event
    acts: list[moves.UseEvent] = []
    if state.options.event_effect == "may-fizzle":
        acts.append(moves.UseEvent(seat=seat, enter=enter, declined=True))
    if event == "windfall":
        values = (None, *TOKEN_VALUES) if can_tilt(mat, "commerce") else (None,)
        acts += [moves.UseEvent(seat=seat, enter=enter, gain=gain, commerce=n) for n in values for gain in moves.GAINS]
    elif event == "estate":
        choices = _list_residence_choices(state)
        acts += [moves.UseEvent(seat=seat, enter=enter, residence=residence) for residence in choices]
    elif event in ("investment", "exchange"):
        acts += [moves.UseEvent(seat=seat, enter=enter, choice=choice) for choice in (1, 2)]
    elif event == "overtime":
        for slot, built in enumerate(mat.buildings, 1):
            effects = range(1, len(USES.get(built.card, ())) + 1)
            acts += [moves.UseEvent(seat=seat, enter=enter, slot=slot, effect=effect) for effect in effects]
    elif event == "recruitment":
        acts.append(moves.UseEvent(seat=seat, enter=enter))
    elif event == "latecomer":
        acts += [moves.UseEvent(seat=seat, enter=enter, gap=gap) for gap in moves.GAPS]
    return acts


# No price, and not affordable.
OUT_OF_REACH: Final = (None, False)


def compute_offers(state: State, seat: int) -> Offers:
    """All market cards; of those with an own worker beside them also which can be activated, and at what least price.

    For the seat whose turn it is. Much quicker than listing the legal decisions.
    """
    market = state.market
    laid_out = _list_offers_without_worker(tuple(market))
    if not 0 < seat <= state.seats:
        return laid_out
    beside = list_spaces_beside(state, seat)
    if not beside:
        return laid_out
    mat = state.mats[seat]
    designs = state.printed.designs
    reachable, affordable, prices = [], [], []
    for space in beside:
        card = market[space]
        if card:
            price, can_pay = _find_least_price(state, mat, space, designs[card]) if card in designs else OUT_OF_REACH
            reachable.append(space)
            affordable.append(can_pay)
            prices.append(price)
    return Offers(laid_out.where, laid_out.cards, tuple(reachable), tuple(affordable), tuple(prices))


@lru_cache(maxsize=64)
def _list_offers_without_worker(market: tuple[str, ...]) -> Offers:
    """The offers of a seat without a worker beside any card. Cached, because most decisions find the same market."""
    return Offers(tuple([space for space, card in enumerate(market) if card]), tuple(filter(None, market)))


def _find_least_price(state: State, mat: Mat, space: int, design: Design) -> tuple[int | None, bool]:
    """The least price without Lobbying and Commerce, None if unaffordable; and whether it is affordable at all."""
    token = 0
    if design.kind == "character":
        tokens = state.tokens[space]
        if design.token and not tokens:
            return OUT_OF_REACH
        if state.options.character_effect != "may-decline":
            if mat.spyrium < CALLS[design.card].spyrium:
                return OUT_OF_REACH
            if design.token:
                token = min(tokens)
    # the acting worker is one of those around the card
    crowd = state.around[space] - 1
    least = least_pounds(state, mat, design, crowd, token)
    if least <= mat.money:
        return least, True
    lobbied = 0 if can_tilt(mat, "lobbying") else crowd
    changed = TOKEN_VALUES[0] if token and can_tilt(mat, "commerce") else token
    if lobbied == crowd and changed == token:
        return OUT_OF_REACH
    return None, least_pounds(state, mat, design, lobbied, changed) <= mat.money


NEAREST: Final = 3
# Fields that say little of what somebody meant: most decisions of a seat have the same there.
_SHARED_BY_MOST: Final = frozenset(("seat", "enter", "lobbying", "declined"))


def find_nearest_decisions(state: State, act: moves.Act) -> list[moves.Decision]:
    """The legal decisions most like an act that was refused, at most NEAREST, best first; none for a statement."""
    if not isinstance(act, moves.DECISIONS):
        return []
    ranked = sorted(list_legal_decisions(state), key=lambda other: -_rate_likeness(act, other))
    return [other for other in ranked[:NEAREST] if _rate_likeness(act, other) > 0]


def _rate_likeness(act: moves.Decision, other: moves.Decision) -> int:
    """How many choices of `act` another decision shares, pieces before all else; the same kind outweighs them all."""
    fields = act.__struct_fields__
    chosen = [name for name in fields if getattr(act, name) is not None]
    shared = [name for name in chosen if getattr(other, name, None) == getattr(act, name)]
    weights = [1 if name in _SHARED_BY_MOST else len(_SHARED_BY_MOST) + 1 for name in shared]
    return sum(weights) + (len(fields) * (len(_SHARED_BY_MOST) + 1) if type(other) is type(act) else 0)
