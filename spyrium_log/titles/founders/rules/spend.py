"""What a step costs, who gets it, and whether it can be paid: no other function knows a price (F-7)."""

from __future__ import annotations

from typing import NamedTuple

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.title import AnyPosting, Posting
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import (
    CONSTRUCT_SAVES,
    FOREIGN_BASE_PRICE,
    HOUSE_PRICE_WITHOUT_WORKERS,
    PIECE_PRICE,
    TIERS,
    TILE_PRICES,
)
from spyrium_log.titles.founders.ground import TERRAINS, cell_of
from spyrium_log.titles.founders.links import field_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.programme import Instruction
from spyrium_log.titles.founders.rules.turn import breach, list_unchecked
from spyrium_log.titles.founders.state import State, Structure


class Price(NamedTuple):
    """The usual price, what is saved of it, who gets it (0: the bank), and the assumed values that it rests on.

    `usual` is None where nobody knows it.
    """

    usual: int | None
    saved: int = 0
    payee: int = 0
    unchecked: tuple[Unchecked, ...] = ()

    @property
    def due(self) -> int:
        """What is to be paid after all that is saved; 0 where nobody knows."""
        return max((self.usual or 0) - self.saved, 0)


FREE = Price(0)
UNKNOWN = Price(None)


def quote(state: State, act: moves.Step, step: Instruction) -> Price:
    """What an act costs as this step of a programme, and what is saved of it."""
    # the table tells what an action costs that nobody knows
    if step.unknown:
        return UNKNOWN
    price = _usual_price(state, act)
    if price.usual is None:
        return price
    if step.free:
        return price._replace(saved=price.usual, payee=0)
    saved = min(_compute_saving(state, act, step), price.usual)
    return price._replace(saved=saved) if saved else price


def _usual_price(state: State, act: moves.Step) -> Price:
    """What the rules or the set ask for, before anything is saved."""
    match act:
        case moves.BuildBase():
            return price_of_base(state, act.seat, act.base, cell_of(act.at))
        case moves.BuyAccess():
            tile = state.structure_at(cell_of(act.at))
            return price_of_access(state, tile) if tile else FREE
        case moves.BuildHouse():
            return Price(PIECE_PRICE if state.options.workers == "with" else HOUSE_PRICE_WITHOUT_WORKERS)
        case moves.BuildBridge():
            return Price(PIECE_PRICE)
        case moves.BuildTile():
            return Price(TILE_PRICES.get(TIERS.get(act.resource, 0)))
        case moves.Recruit():
            return price_of_slot(state, act.slot)
        case _:
            return FREE


def price_of_base(state: State, seat: int, base: str, cell: int) -> Price:
    """An own base by its terrain, to the bank; a neutral one 4, to the bank; a rival's 4, to the rival (F-7.1)."""
    owner = state.base_owner.get(base, 0)
    if owner != seat:
        return Price(FOREIGN_BASE_PRICE, payee=owner)
    kind = state.printed.board.kinds.get(cell, "")
    trade = state.printed.trade.get(kind)
    return Price(trade.build, unchecked=list_unchecked(state, (f"terrain-{kind}", "build"))) if trade else UNKNOWN


def price_of_access(state: State, tile: Structure) -> Price:
    """Access to a tile by its cheapest terrain, to the owner or the bank; unknown if one of them is (F-7.1)."""
    terrains = terrains_under(state, tile.mask)
    prices = [state.printed.trade[terrain].access for terrain in terrains if terrain in state.printed.trade]
    if not prices or None in prices or len(prices) < len(terrains):
        return Price(None, payee=tile.owner)
    unchecked = list_unchecked(state, *((f"terrain-{terrain}", "access") for terrain in terrains))
    return Price(min(price for price in prices if price is not None), payee=tile.owner, unchecked=unchecked)


def terrains_under(state: State, mask: int) -> list[str]:
    """The terrains on which something lies, in their order: the cheapest of them counts."""
    terrains = field_of(state.printed.board).terrains
    return [terrain for terrain in TERRAINS if terrains[terrain] & mask]


def price_of_slot(state: State, slot: int) -> Price:
    """What the board prints below a slot of the adviser row (F-7.4)."""
    slots = state.printed.slots
    usual = slots[slot - 1] if 0 < slot <= len(slots) else None
    return Price(usual, unchecked=list_unchecked(state, (f"slot-{slot}", "price")))


def _compute_saving(state: State, act: moves.Step, step: Instruction) -> int:
    """What is taken off the usual price: by what a card prints, or by the main action of Construct (F-7.2, F-7.6)."""
    if step.follow:
        return 0
    if not isinstance(act, moves.BuildHouse | moves.BuildBridge):
        return step.off
    # without workers a house costs 2 only, of which by one reading nothing more is saved
    is_cheap_house = isinstance(act, moves.BuildHouse) and state.options.workers == "without"
    saved_by_main = 0 if is_cheap_house and state.options.house_no_workers_main == "two" else CONSTRUCT_SAVES
    if step.main:
        return saved_by_main
    if step.off and state.options.discount_from == "usual":
        return step.off
    return step.off + saved_by_main


def add_breach_of_money(state: State, seat: int, price: Price, breaches: list[Breach]) -> None:
    """Add a breach unless the seat can pay; on the sheet where the price is assumed."""
    money = state.mat(seat).money
    if price.usual is not None and money < price.due:
        breaches.append(breach("money.enough", phrase("coins", n=price.due), phrase("coins", n=money), price.unchecked))


def make_payment(seat: int, price: Price) -> list[AnyPosting]:
    """The postings of a payment: the usual price, what was saved, and what the owner gets; none where it is unknown."""
    if price.usual is None:
        return []
    postings: list[AnyPosting] = [
        Posting(seat, "money", -price.usual, "price"),
        Posting(seat, "money", min(price.saved, price.usual), "saved"),
    ]
    if price.payee and price.payee != seat:
        postings.append(Posting(price.payee, "money", price.due, "sold"))
    return [posting for posting in postings if posting.n]
