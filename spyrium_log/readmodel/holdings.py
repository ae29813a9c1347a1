"""The cards that each seat took and kept: when, for what, and what came of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, structs

from spyrium_log.log.lines import Event
from spyrium_log.log.timeline import insertion_number
from spyrium_log.readmodel.tables import HoldingRow
from spyrium_log.replay import Replay
from spyrium_log.title import Deed, seat_of

# What the causes of the final count begin with.
FINAL = "final:"
# A change that comes from a card: the seat, the resource, the amount, the cause and the card.
Credit: TypeAlias = tuple[int, str, int, str, str]


class _Holding(Struct, eq=False):
    """A card before a seat: the fields of HoldingRow from `card` on, as far as the events went."""

    card: str
    kind: str
    n: int | None
    i: int | None
    round: int
    paid: dict[str, int] = {}
    uses: int = 0
    returned: dict[str, int] = {}
    lost: int | None = None
    final_points: int = 0

    def add_return(self, what: str, amount: int) -> None:
        """Add what the card brought its seat, to what it brought before."""
        self.returned[what] = self.returned.get(what, 0) + amount

    def settle(self, net: Mapping[str, int], own: Mapping[str, int]) -> None:
        """Note what the card cost its seat, from all that its taking moved (`net`), and what it brought (`own`)."""
        self.paid = {what: -amount for what, amount in net.items() if amount < 0}
        for what, amount in own.items():
            # a price that was saved altogether is neither a cost nor what the card brought
            if what not in self.paid and amount > 0:
                self.add_return(what, amount)


class Holdings:
    """The cards before each seat, from what decisions take and replace and what stated positions say."""

    def __init__(self, replay: Replay, seats: int) -> None:
        """No card lies before a seat yet; each event that takes, uses or brings something is added in turn."""
        self._title = replay.title
        self._kinds = self._title.tables.kinds(replay.sheet)
        self._lasting = self._title.tables.lasting
        self._all: list[list[_Holding]] = [[] for _ in range(seats + 1)]
        # By seat and kind, in the order of the tableau.
        self._present: list[dict[str, list[_Holding]]] = [{} for _ in range(seats + 1)]
        # By seat and card: what the final count gave.
        self._final: dict[tuple[int, str], int] = {}

    def add(self, event: Event, deed: Deed, step: int, round_: int, credits_: Sequence[Credit]) -> None:
        """Add the card that one event took or used, and what it brought; the log may name a seat that is not there."""
        seat = seat_of(event.do)
        is_there = 0 < seat < len(self._all)
        taken = used = None
        if is_there and deed.space and self._kinds.get(deed.card) in self._lasting:
            taken = self._add_taken(seat, event, deed, step, round_)
        elif is_there and deed.used:
            used = self._count_use(seat, deed)
        if credits_:
            self._share_credits(seat, deed, taken, used, credits_)

    def _add_taken(self, seat: int, event: Event, deed: Deed, step: int, round_: int) -> _Holding:
        """Put a card before the seat that took it, over another one or beside them; the one below is lost now."""
        kind = self._kinds[deed.card]
        holding = _Holding(deed.card, kind, event.n, insertion_number(event), round_)
        present = self._present[seat].setdefault(kind, [])
        # counted from 1; 0 is beside them
        if 0 < deed.over <= len(present):
            present[deed.over - 1].lost = step
            present[deed.over - 1] = holding
        else:
            present.append(holding)
        self._all[seat].append(holding)
        return holding

    def _count_use(self, seat: int, deed: Deed) -> _Holding | None:
        """Count a use of the holding that is the deed's tool, and return it; None where the seat has none such."""
        present = self._present[seat].get(self._kinds.get(deed.tool, ""), [])
        # deeds count from 1
        if deed.used > len(present):
            return None
        holding = present[deed.used - 1]
        holding.uses += 1
        return holding

    def _share_credits(
        self, seat: int, deed: Deed, taken: _Holding | None, used: _Holding | None, credits_: Iterable[Credit]
    ) -> None:
        """Share what an event moved among the cards; what the seat itself gained and paid is for the card it took.

        The card used has what it brings; any other card of the seat is credited with what is named after it. Points
        of the final count are noted for the end.
        """
        net: dict[str, int] = {}
        own: dict[str, int] = {}
        # by card: one that helps in several resources is used once
        helpers: dict[str, _Holding] = {}
        for who, what, amount, why, card in credits_:
            if why.startswith(FINAL):
                self._final[who, card] = self._final.get((who, card), 0) + amount
                continue
            if taken is not None and who == seat:
                net[what] = net.get(what, 0) + amount
                if card == taken.card:
                    own[what] = own.get(what, 0) + amount
                    continue
            if used is not None and card == used.card and who == seat:
                used.add_return(what, amount)
            # What a card of the market brings comes from that one, not from another of its name before a seat.
            elif card != deed.card and (holding := self._latest_holding(who, card)):
                holding.add_return(what, amount)
                helpers[card] = holding
        for holding in helpers.values():
            holding.uses += 1
        if taken is not None:
            taken.settle(net, own)

    def _latest_holding(self, seat: int, card: str) -> _Holding | None:
        """The holding of a card before a seat, of two alike the later one; None where it has none, or none can stay."""
        kind = self._kinds.get(card)
        if kind not in self._lasting:
            return None
        present = self._present[seat].get(kind, ())
        return next((holding for holding in reversed(present) if holding.card == card), None)

    def match_cards(self, seat: int, cards: Sequence[str], step: int, round_: int) -> list[_Holding]:
        """Make the holdings before a seat be these cards, as a position has them, and return them in this order."""
        by_kind: dict[str, list[str]] = {kind: [] for kind in self._present[seat]}
        for card in cards:
            by_kind.setdefault(self._kinds.get(card, ""), []).append(card)
        for kind, expected in by_kind.items():
            present = self._present[seat].get(kind, [])
            if [holding.card for holding in present] != expected:
                self._present[seat][kind] = self._match_kind(seat, kind, present, expected, step, round_)
        holdings_of_kind = {kind: iter(present) for kind, present in self._present[seat].items()}
        return [next(holdings_of_kind[self._kinds.get(card, "")]) for card in cards]

    def _match_kind(
        self, seat: int, kind: str, present: Sequence[_Holding], expected: Sequence[str], step: int, round_: int
    ) -> list[_Holding]:
        """The holdings of the expected cards of one kind: those present, and new ones; others present are lost now."""
        unmatched = list(present)
        matches = []
        for card in expected:
            holding = next((other for other in unmatched if other.card == card), None)
            if holding is None:
                holding = _Holding(card, kind, None, None, round_)
                self._all[seat].append(holding)
            else:
                unmatched.remove(holding)
            matches.append(holding)
        for holding in unmatched:
            holding.lost = step
        return matches

    def set_final_points(self, state: Any, step: int, *, has_final_count: bool) -> None:
        """Set the points that each card before a seat counts at the end: in the final count, or as it would."""
        round_ = self._title.round(state)
        for seat in range(1, len(self._all)):
            pieces = self._title.tables.tableau(state, seat)
            holdings = self.match_cards(seat, [piece.card for piece in pieces], step, round_)
            for piece, holding in zip(pieces, holdings, strict=True):
                holding.final_points = piece.points
                # what was counted stands, whatever the card would give
                if has_final_count and FINAL + piece.card in self._title.causes:
                    holding.final_points = self._final.get((seat, piece.card), 0)

    def list_kept_cards(self, seat: int) -> list[str]:
        """The cards before a seat that were never lost."""
        return [holding.card for holding in self._all[seat] if holding.lost is None]

    def list_rows(self, game: str) -> list[HoldingRow]:
        """The rows of the table `holding`; those of a seat are numbered in the order in which it took the cards."""
        return [
            HoldingRow(game, seat, nth, *structs.astuple(holding))
            for seat, holdings in enumerate(self._all)
            for nth, holding in enumerate(holdings, 1)
        ]
