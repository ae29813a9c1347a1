"""Naming a card that was dealt unseen (S-4.3): what the decks say of its name, whoever names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.messages import Card
from spyrium_log.titles.spyrium.cards import UNSEEN
from spyrium_log.titles.spyrium.effects import CardNamed
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.rules.decks import breaches_of_cards
from spyrium_log.titles.spyrium.rules.turn import breach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spyrium_log.errors import Breach
    from spyrium_log.titles.spyrium.effects import SpyriumFact
    from spyrium_log.titles.spyrium.state import State


def breaches_of_naming(state: State, facts: Sequence[SpyriumFact]) -> list[Breach]:
    """A ruling may name a card only if the game has it."""
    named = [fact for fact in facts if isinstance(fact, CardNamed)]
    breaches: list[Breach] = []
    unseen = {space for space, card in enumerate(state.market) if card == UNSEEN}
    for fact in named:
        if fact.space not in unseen:
            expected = phrase("unseen-card", n=fact.space)
            breaches.append(breach("choice.stray", expected, phrase("named-there", card=Card(fact.card))))
        unseen.discard(fact.space)
    return breaches + breaches_of_cards(state, state.round, [fact.card for fact in named])
