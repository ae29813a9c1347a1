"""Which amounts rest on printed values that nobody has checked. Everybody who marks an amount asks here."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import structs

from spyrium_log.title import FinalCount, PostingKey
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.effects import RESOURCES
from spyrium_log.titles.founders.state import State

# The acts of which the board prints a price, and how the names of what prints it begin.
_PRICED: Final[dict[type, str]] = {moves.BuildBase: "terrain-", moves.BuyAccess: "terrain-", moves.Recruit: "slot-"}
# Causes of amounts that come from such a price, and of those that a card or a building prints. The other amounts are
# the rulebook's own.
_OF_PRICES: Final = frozenset(("price", "saved", "sold"))
_OF_CARDS: Final = frozenset(
    (
        *("race", "prestige", "adviser", "reward", "recruit", "built", "delivered", "passed", "lost"),
        *("goal:immediate", "goal:mid", "final:goal"),
    )
)


def list_assumed(state: State, act: moves.Act) -> AbstractSet[PostingKey]:
    """The amounts of an act, by seat, resource and cause, that may come from values which nobody has checked.

    Rather one too many: once a value of a card is assumed, so is all that is given while the card is in play.
    """
    if not state.printed.unsure:
        return frozenset()
    unsure = {component for component, _ in state.printed.unsure}
    causes: AbstractSet[str] = frozenset()
    printed_by = _PRICED.get(type(act))
    if printed_by and any(component.startswith(printed_by) for component in unsure):
        causes |= _OF_PRICES
    in_play = {state.played, *state.proposals, *(building.card for building in state.buildings)}
    in_play.update(value for value in structs.astuple(act) if isinstance(value, str))
    if isinstance(act, FinalCount):
        in_play.update(state.goals)
    if in_play & unsure:
        causes |= _OF_CARDS
    seats = range(state.seats + 1)
    return frozenset((seat, what, why) for seat in seats for what in RESOURCES for why in causes)
