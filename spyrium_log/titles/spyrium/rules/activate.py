"""Activating a card: what it costs, what it brings (S-5.6, S-9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, TypeAlias

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.messages import Card, Message, Parts, choice_message, number_message
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import (
    CALLS,
    MARKET,
    MOST_WORKERS,
    NEW_WORKERS,
    RESIDENCES,
    TOKEN_GIVES,
    TOKEN_VALUES,
    UNSEEN,
    Design,
)
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokenKept, WorkersFreed
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import ActivateCard, UseEvent
from spyrium_log.titles.spyrium.rules.bonus import add_bonus, breaches_of_residence, residence_postings
from spyrium_log.titles.spyrium.rules.deal import breaches_of_cards
from spyrium_log.titles.spyrium.rules.market import count_others_around, has_worker, is_beside
from spyrium_log.titles.spyrium.rules.turn import (
    add_stray_breaches,
    breach,
    no_such_gap,
    no_such_space,
    own_slots_message,
)
from spyrium_log.titles.spyrium.state import PLACES, Built, Mat, State

SYMBOL_DISCOUNT: Final = 3
CRANE_SAVES: Final = 3
MOST_KEPT: Final = 7

# What an activation costs, part by part: price, symbol, crowd, lobbying, site, crane, token, and the Spyrium. Savings
# are positive and subtracted. A plain tuple, because a named one takes longer to make than the price to compute.
Quote: TypeAlias = tuple[int, int, int, int, int, int, int, int]
# The causes of those parts with the sign that they have in the price.
PARTS: Final = (("price", 1), ("symbol", -1), ("crowd", 1), ("lobbying", -1), ("site", 1), ("crane", -1), ("token", 1))


def total_pounds(price: Quote) -> int:
    """The total of a price in pounds, without the Spyrium."""
    printed, symbol, crowd, lobbying, site, crane, token, _ = price
    return printed - symbol + crowd - lobbying + site - crane + token


def find_activated_card(state: State, act: ActivateCard) -> str:
    """The card that is activated; for one that was dealt unseen, the card that the act says it is."""
    card = state.market[act.space]
    return card if card != UNSEEN or act.named is None else act.named


def quote(state: State, act: ActivateCard, design: Design) -> Quote:
    """The price of an activation: price, symbol, crowd, lobbying, site, crane, token, Spyrium; savings are positive."""
    price, over = design.price, act.over
    crowd = count_others_around(state, act, act.space)
    lobbying = crowd if act.lobbying else 0
    if design.kind == "character" and not act.declined:
        call = CALLS[design.card]
        token = (act.commerce or act.token or 0) if call.pays_token else 0
        return price, 0, crowd, lobbying, 0, 0, token, call.spyrium
    if design.kind != "building":
        return price, 0, crowd, lobbying, 0, 0, 0, 0
    mat = state.mat(act.seat)
    if over is not None:
        saves = _find_symbol_discount(design, mat.buildings[over - 1 : over] if over > 0 else [])
        return price, saves, crowd, lobbying, 0, 0, 0, 0
    return price, 0, crowd, lobbying, *_price_site(state, mat, price + crowd - lobbying), 0, 0


def least_pounds(state: State, mat: Mat, design: Design, crowd: int, token: int) -> int:
    """The least total that `quote` would give for a card, over all its ways to be activated, without making them.

    `crowd` is the number of other workers that are paid for, `token` the value of the token that is paid.
    """
    price = design.price + crowd
    if design.kind == "character":
        return price + token if CALLS[design.card].pays_token else price
    if design.kind == "technique":
        return price
    site, crane = _price_site(state, mat, price)
    least = price + site - crane
    return min(least, price - _find_symbol_discount(design, mat.buildings)) if mat.buildings else least


def _price_site(state: State, mat: Mat, price: int) -> tuple[int, int]:
    """What a new site costs, £1 a building, and what the crane saves of it, or by option of the whole price."""
    site = len(mat.buildings) if state.options.building_count == "owned" else mat.built
    if "crane" not in mat.techniques:
        return site, 0
    return site, min(CRANE_SAVES, site if state.options.crane_discount == "site" else price + site)


def _find_symbol_discount(design: Design, replaced: Sequence[Built]) -> int:
    """What a building saves, up to £3, if one of the replaced ones has a symbol in common with it; else 0."""
    for built in replaced:
        if built.card in design.kin:
            return min(SYMBOL_DISCOUNT, design.price)
    return 0


def find_used_token(state: State, act: ActivateCard, design: Design) -> int:
    """The token that this activation uses: the one chosen on a character, the one on a building; 0 if none."""
    if design.kind == "character":
        return act.token or 0
    tokens = state.tokens[act.space]
    return tokens[0] if design.card in TOKEN_GIVES and tokens else 0


def add_breaches_of_activating(state: State, act: ActivateCard, breaches: list[Breach]) -> None:
    """Add what speaks against activating: worker, card, price, then the choices that its kind of card asks for."""
    seat, gap, space = act.seat, act.gap, act.space
    if not (gap in PLACES and 0 < space <= MARKET):
        breaches.append(no_such_space(space) if gap in PLACES else no_such_gap(gap))
        return
    if not has_worker(state, seat, gap):
        breaches.append(breach("activate.worker", phrase("own-worker"), phrase("none-in-gap", n=gap)))
    card = find_activated_card(state, act)
    design = state.printed.designs.get(card)
    if design is None or not is_beside(state, gap, space):
        there = phrase("card-on-space", card=Card(card), n=space) if card else phrase("no-card-on-space", n=space)
        breaches.append(breach("activate.card", phrase("card-beside-gap", n=gap), there))
        return
    if act.named is not None:
        if state.market[space] == UNSEEN:
            breaches.extend(breaches_of_cards(state, state.round, [act.named]))
        else:
            add_stray_breaches(act, ("named",), breaches)
    mat = state.mat(seat)
    price = quote(state, act, design)
    if not _is_paid(mat, price):
        _add_breaches_of_paying(state, act, design, price, breaches)
    if design.kind == "character":
        _add_breaches_of_calling(state, act, design, breaches)
    else:
        add_stray_breaches(act, ("token", "declined"), breaches)
        _add_breaches_of_building(state, act, design, mat, breaches)
    if act.lobbying and not can_tilt(mat, "lobbying"):
        breaches.append(breach("lobbying.once", phrase("lobbying-at-hand"), why_not_usable(mat, "lobbying")))
    if act.commerce is not None:
        uses_token = not act.declined and bool(find_used_token(state, act, design))
        add_breaches_of_commerce(mat, act.commerce, breaches, uses_token=uses_token)


def is_payable(state: State, act: ActivateCard) -> bool:
    """Whether there is enough money and Spyrium. Quicker than all breaches, and most candidates fail here."""
    design = state.printed.designs.get(find_activated_card(state, act))
    return design is None or _is_paid(state.mat(act.seat), quote(state, act, design))


def _is_paid(mat: Mat, price: Quote) -> bool:
    """Whether the seat has the money and the Spyrium. A free card can be taken even with negative money."""
    # the last part of a price is its Spyrium
    return not (mat.money < total_pounds(price) > 0 or mat.spyrium < price[-1] > 0)


def _add_breaches_of_paying(
    state: State, act: ActivateCard, design: Design, price: Quote, breaches: list[Breach]
) -> None:
    """Add a breach each for too little money, with the parts of the price, and for too little Spyrium."""
    mat = state.mat(act.seat)
    # the last part of a price is its Spyrium
    money, spyrium = total_pounds(price), price[-1]
    if mat.money < money > 0:
        parts = Parts(tuple([(cause, sign * n) for (cause, sign), n in zip(PARTS, price, strict=False) if n]))
        expected, found = phrase("price", n=money, parts=parts), phrase("money", n=mat.money)
        breaches.append(breach("activate.money", expected, found, _find_unchecked_price(state, act, design)))
    if mat.spyrium < spyrium > 0:
        breaches.append(breach("activate.spyrium", phrase("spyrium-at-hand", n=spyrium), number_message(mat.spyrium)))


def _find_unchecked_price(state: State, act: ActivateCard, design: Design) -> tuple[Unchecked, ...]:
    """The assumed values that a lack of money rests on: none where it would be one whatever they were."""
    unchecked = []
    if "price" in design.assumed:
        cheaper = (price for price in range(design.price - 1, -1, -1) if _is_paid_by(state, act, design, price=price))
        unchecked = [Unchecked(design.card, "price", price) for price in islice(cheaper, 1)]
    buildings, over = state.mat(act.seat).buildings, act.over or 0
    replaced = state.printed.designs.get(buildings[over - 1].card) if 0 < over <= len(buildings) else None
    if replaced is not None and _is_paid_by(state, act, design, kin=design.kin | {replaced.card}):
        unchecked += [*design.list_unchecked("symbols"), *replaced.list_unchecked("symbols")]
    return tuple(unchecked)


def _is_paid_by(state: State, act: ActivateCard, design: Design, **printed: Any) -> bool:
    """Whether the seat would have the money if the card were printed so."""
    pounds = total_pounds(quote(state, act, replace(design, **printed)))
    return not state.mat(act.seat).money < pounds > 0


def _add_breaches_of_calling(state: State, act: ActivateCard, design: Design, breaches: list[Breach]) -> None:
    """Add breaches of calling a character: its token, its residence action, or the effect declined."""
    tokens = state.tokens[act.space]
    if act.declined:
        if state.options.character_effect == "required":
            breaches.append(breach("character.effect", phrase("whole-effect"), phrase("effect-declined")))
        if design.token and not tokens:
            unchecked = design.list_unchecked("token")
            breaches.append(breach("character.token", phrase("token-on-the-card"), phrase("none"), unchecked))
        add_stray_breaches(act, ("token", "over", "residence"), breaches)
        return
    if not design.token:
        add_stray_breaches(act, ("token",), breaches, unchecked=design.list_unchecked("token"))
    elif act.token not in tokens:
        values = choice_message(tuple(sorted(set(tokens))))
        left = phrase("tokens-left", options=values) if tokens else phrase("no-token-left")
        chosen = phrase("token", n=act.token) if act.token else phrase("none-chosen")
        # without a token on the card none is chosen
        unchecked = () if act.token else design.list_unchecked("token")
        breaches.append(breach("character.token", left, chosen, unchecked))
    if CALLS[design.card].residence:
        breaches.extend(breaches_of_residence(state, act.seat, act.residence))
    else:
        add_stray_breaches(act, ("residence",), breaches)
    add_stray_breaches(act, ("over",), breaches)


def _add_breaches_of_building(
    state: State, act: ActivateCard, design: Design, mat: Mat, breaches: list[Breach]
) -> None:
    """Add breaches of a building's site and residence action; a technique asks for neither."""
    if design.kind == "technique":
        add_stray_breaches(act, ("over", "residence"), breaches)
        return
    over = act.over
    if over is not None and not 0 < over <= len(mat.buildings):
        breaches.append(breach("building.over", own_slots_message(mat), phrase("slot", n=over)))
    if design.card in RESIDENCES:
        breaches.extend(breaches_of_residence(state, act.seat, act.residence))
    else:
        add_stray_breaches(act, ("residence",), breaches)


def add_breaches_of_commerce(mat: Mat, value: int, breaches: list[Breach], *, uses_token: bool) -> None:
    """Add what speaks against Commerce making a token this value."""
    if not can_tilt(mat, "commerce"):
        breaches.append(breach("commerce.once", phrase("commerce-at-hand"), why_not_usable(mat, "commerce")))
    if not uses_token:
        breaches.append(breach("commerce.value", phrase("token-that-counts"), phrase("no-token-used")))
    if value not in TOKEN_VALUES:
        breaches.append(breach("commerce.value", phrase("values", n=TOKEN_VALUES[-1]), phrase("value", n=value)))


def can_tilt(mat: Mat, technique: str) -> bool:
    """Whether a technique that works once a round is at hand and not used yet."""
    return technique in mat.techniques and technique not in mat.tilted


def why_not_usable(mat: Mat, technique: str) -> Message:
    """Why a technique that works once a round cannot be used: it was used already, or is not there."""
    return phrase("used-already") if technique in mat.techniques else phrase("no-technique")


def effects_of_activating(state: State, act: ActivateCard) -> Effects | None:
    """What activating a card costs and brings; None if gap, space, card or the replaced building does not exist."""
    if not (act.gap in PLACES and 0 < act.space <= MARKET):
        return None
    design = state.printed.designs.get(find_activated_card(state, act))
    mat = state.mat(act.seat)
    if design is None or (act.over is not None and not 0 < act.over <= len(mat.buildings)):
        return None
    seat = act.seat
    printed, symbol, crowd, lobbying, site, crane, paid, spyrium = quote(state, act, design)
    moved: list[AnyPosting] = []
    if printed:
        moved.append(Posting(seat, "money", -printed, "price"))
    if symbol:
        moved.append(Posting(seat, "money", symbol, "symbol"))
    if crowd:
        moved.append(Posting(seat, "money", -crowd, "crowd"))
    if lobbying:
        moved.append(Posting(seat, "money", lobbying, "lobbying"))
    if site:
        moved.append(Posting(seat, "money", -site, "site"))
    if crane:
        moved.append(Posting(seat, "money", crane, "crane"))
    if paid:
        moved.extend(token_postings(act, "money", act.token or 0, -1))
    if spyrium:
        moved.append(Posting(seat, "spyrium", -spyrium, "effect"))
    facts: list[SpyriumFact] = []
    if design.kind == "character":
        if not act.declined:
            _add_effects_of_character(state, act, design, moved)
    elif design.kind == "building":
        _add_effects_of_building(state, act, design, mat, moved, facts)
    if "commerce" in mat.techniques:
        token = 0 if act.declined else find_used_token(state, act, design)
        if token and can_keep_token(state, mat):
            facts.append(TokenKept(seat=seat, value=token))
    add_bonus(state, seat, moved, facts)
    return Effects(moved, facts)


def can_keep_token(state: State, mat: Mat) -> bool:
    """Whether the Commerce card takes one more token: it holds seven, by option any number (S-9.3.7)."""
    return len(mat.kept) < MOST_KEPT or state.options.commerce_limit == "seven-points"


def token_postings(act: ActivateCard | UseEvent, what: str, token: int, sign: int = 1) -> list[AnyPosting]:
    """A token's value as an amount of a resource, and the difference that Commerce makes; paid where `sign` is -1."""
    moved: list[AnyPosting] = [Posting(act.seat, what, sign * token, "token")] if token else []
    if act.commerce is not None and act.commerce != token:
        moved.append(Posting(act.seat, what, sign * (act.commerce - token), "commerce"))
    return moved


def _add_effects_of_character(state: State, act: ActivateCard, design: Design, moved: list[AnyPosting]) -> None:
    """Add what a called character gives: an amount printed or that of the token, and a residence action."""
    call = CALLS[design.card]
    if call.what is not None and call.n is not None:
        moved.append(Posting(act.seat, call.what, call.n, "effect"))
    elif call.what is not None:
        moved.extend(token_postings(act, call.what, act.token or 0))
    if call.residence:
        moved.extend(residence_postings(state, act.seat, act.residence))


def _add_effects_of_building(
    state: State, act: ActivateCard, design: Design, mat: Mat, moved: list[AnyPosting], facts: list[SpyriumFact]
) -> None:
    """Add what a new building gives: workers, a residence action, its token; to `facts` workers freed by option."""
    card = design.card
    new = min(NEW_WORKERS.get(card, 0), MOST_WORKERS - mat.workers)
    if new > 0:
        moved.append(Posting(act.seat, "workers", new, "effect"))
    if card in RESIDENCES:
        moved.extend(residence_postings(state, act.seat, act.residence))
    token = find_used_token(state, act, design)
    if token:
        moved.extend(token_postings(act, TOKEN_GIVES[card], token))
    if act.over is not None and state.options.replaced_workers == "active":
        freed = mat.buildings[act.over - 1].workers
        if freed:
            facts.append(WorkersFreed(seat=act.seat, n=freed))
