"""A quick player by chance, whose games are varied and still end.

A busy hand has thousands of legal acts, and most of the time of a game goes into listing them. So a card is drawn first
and only its acts are listed; of some of them any is played, or now and then the one that is worth most.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import structs

from spyrium_log.title import FinalCount
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.cards import CALL
from spyrium_log.titles.founders.moves import UNSEEN, CallVote
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State
from tests.games import worth_after

# How often an act of each kind is tried, in parts; others two.
TASTE = {
    "BuildTile": 12.0,
    "LayRoad": 9.0,
    "BuildBase": 6.0,
    "UseWorker": 6.0,
    "BuildHouse": 4.0,
    "BuyAccess": 3.0,
    "Recruit": 3.0,
    "PlayCard": 3.0,
    "BuildBridge": 1.5,
    "Gain": 1.5,
    "TakeBack": 1.0,
    "Decline": 0.5,
}
KINDS_TRIED = 3
ACTS_OF_A_KIND = 4
# To find what is worth most takes longer than all else; so often it is enough that games still come to their end.
WEIGHED = 0.6
# A vote is called so often where every building is complete, and seldom where some wait for deliveries.
CALLED = 0.8
HIDDEN = 0.03


class ChancePlayer:
    """Chooses for every seat of one game, and deals its cards."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, state: State) -> Any:
        """The next act; None when the game is over, or nothing is legal."""
        awaited = FOUNDERS.awaits(state)
        if awaited.kind == "over":
            return None
        if awaited.kind == "deal":
            return FOUNDERS.deal(state, lambda pool, k: self._rng.sample(list(pool), k))
        if awaited.kind == "final":
            return FinalCount()
        act = self._play_one_card(state, awaited.seats[0]) if find_stage(state).kind == "turn" else None
        return act or self._choose_best(state, FOUNDERS.legal(state))

    def _play_one_card(self, state: State, seat: int) -> Any:
        """A turn with a card drawn by chance, or a vote called; None where that will not do."""
        unfinished = sum(not building.complete for building in state.buildings)
        if self._rng.random() * (1 + unfinished) < CALLED and (call := self._draw_call(state, seat)) is not None:
            return call
        cards = [card for card in state.mats[seat].hand if card not in {CALL, UNSEEN}]
        if not cards:
            return None
        twin = state.copy()
        twin.mats[seat].hand, twin.mats[seat].unknown = (self._rng.choice(cards),), 0
        act = self._choose_best(state, FOUNDERS.legal(twin))
        return act if act is not None and not FOUNDERS.breaches(state, act) else None

    def _draw_call(self, state: State, seat: int) -> CallVote | None:
        """A call with bonuses by chance, if it is legal."""
        rng = self._rng
        left = max(state.mats[seat].cards_in_hand - 1, 0)
        roads = rng.randint(0, left)
        fleeting = rng.randint(0, left - roads)
        call = CallVote(seat=seat, money=left - roads - fleeting, fleeting=fleeting, roads=roads)
        return None if FOUNDERS.breaches(state, call) else call

    def _choose_best(self, state: State, legal: Sequence[Any]) -> Any:
        """Of some acts of some kinds the one that is worth most; now and then nobody sees its card."""
        if not legal:
            return None
        kinds: dict[str, list[Any]] = {}
        for act in legal:
            kinds.setdefault(type(act).__name__, []).append(act)
        drawn = self._rng.choices(list(kinds), [TASTE.get(name, 2.0) for name in kinds], k=KINDS_TRIED)
        if self._rng.random() > WEIGHED:
            return self._hide(state, self._rng.choice(kinds[drawn[0]]))
        some = [self._rng.sample(kinds[name], min(ACTS_OF_A_KIND, len(kinds[name]))) for name in dict.fromkeys(drawn)]
        best = max(chain.from_iterable(some), key=lambda act: worth_after(FOUNDERS, state, act))
        return self._hide(state, best)

    def _hide(self, state: State, act: Any) -> Any:
        """The act, with a card that nobody saw if it is played face-down and chance will have it so."""
        if not getattr(act, "down", False) or self._rng.random() > HIDDEN:
            return act
        hidden = structs.replace(act, card=UNSEEN)
        return act if FOUNDERS.breaches(state, hidden) else hidden
