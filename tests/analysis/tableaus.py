"""What each seat took and what came of it, for the oracle: from states and postings, and from no table.

A card is paid with what its event cost its seat. It is credited with the postings of its own seat that it caused: what
it brought as it was taken, as it was used, and, for a technique, whatever is posted under its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from spyrium_log.log.lines import Event
from spyrium_log.replay import Replay
from spyrium_log.titles.spyrium.moves import ActivateCard, ReuseBuilding, UseBuilding, UseEvent
from tests.pebbles import Take

# Causes that are no card's doing.
OF_NO_CARD = frozenset(("start", "unseen", "table", "adjusted", "revenue", "bonus"))
FINAL = "final:"


class Held(Struct, kw_only=True, eq=False):
    """A building, a technique or a heap that a seat took."""

    card: str
    kind: str
    round: int
    paid: dict[str, int]
    uses: int = 0
    returned: dict[str, int]
    final_points: int = 0

    def bring(self, what: str, n: int) -> None:
        self.returned[what] = self.returned.get(what, 0) + n


class Tableaus:
    """`see` each event with the state before it, then `settle` with the one after it."""

    def __init__(self, one: Replay) -> None:
        self._one = one
        self._title: Any = one.title
        self._kinds = one.title.tables.kinds(one.title.sheet())
        seats = range(1, len(one.header.seats) + 1)
        self.taken: dict[int, list[Held]] = {seat: [] for seat in seats}
        self._lying: dict[int, list[Held]] = {seat: [] for seat in seats}

    def see(self, state: Any, event: Event) -> None:
        act: Any = event.do
        seat = getattr(act, "seat", 0)
        if seat not in self.taken:
            seat = 0
        new = self._bought(state, act) if seat else None
        slot = act.slot if isinstance(act, UseBuilding | ReuseBuilding | UseEvent) and seat else None
        used = self._of_kind(seat, "building")[slot - 1 : slot] if slot else []
        for one in used:
            one.uses += 1
        if new is not None:
            self._put(seat, new, getattr(act, "over", None) if new.kind == "building" else None)
        net: dict[str, int] = defaultdict(int)
        brought: dict[str, int] = defaultdict(int)
        helped: list[Held] = []
        for posting in event.moved:
            name = self._named(posting.why)
            if self._is_of_no_card(posting.why) or posting.who not in self.taken:
                continue
            if new is not None and posting.who == seat:
                net[posting.what] += posting.n
            if name and (new is None or name != new.card or posting.who != seat):
                lying = [one for one in self._lying[posting.who] if one.card == name]
                for one in lying[-1:]:
                    one.bring(posting.what, posting.n)
                    helped += [] if one in helped else [one]
            elif posting.who == seat and new is not None:
                brought[posting.what] += posting.n
            elif posting.who == seat and not (isinstance(act, UseEvent) and posting.why == "event"):
                for one in used:
                    one.bring(posting.what, posting.n)
        for one in helped:
            one.uses += 1
        if new is not None:
            new.paid = {what: -n for what, n in net.items() if n < 0}
            for what, n in brought.items():
                if what not in new.paid and n > 0:
                    new.bring(what, n)

    def _bought(self, state: Any, act: Any) -> Held | None:
        card = ""
        if isinstance(act, ActivateCard):
            card = act.named or state.market[act.space]
        elif isinstance(act, Take) and act.n == state.heap:
            card = "heap"
        kind = self._kinds.get(card, "")
        if kind not in {"building", "technique", "stones"}:
            return None
        return Held(card=card, kind=kind, round=self._title.round(state), paid={}, returned={})

    def _put(self, seat: int, new: Held, over: int | None) -> None:
        self.taken[seat].append(new)
        alike = self._of_kind(seat, new.kind)
        if over and over <= len(alike):
            self._lying[seat][self._lying[seat].index(alike[over - 1])] = new
        else:
            self._lying[seat].append(new)

    def _of_kind(self, seat: int, kind: str) -> list[Held]:
        return [one for one in self._lying[seat] if one.kind == kind]

    def _named(self, why: str) -> str:
        """The card that a cause is called after."""
        if self._title.key == "pebbles":
            return "heap" if why == "last" else ""
        return why if self._kinds.get(why) == "technique" else ""

    def _is_of_no_card(self, why: str) -> bool:
        return why in OF_NO_CARD or why.startswith(FINAL) or (self._title.key == "pebbles" and not self._named(why))

    def settle(self, state: Any) -> None:
        """What lies there is what lies there, whatever the events told."""
        for seat in self.taken:
            left, now = list(self._lying[seat]), []
            for card in self._cards(state, seat):
                here = next((one for one in left if one.card == card), None)
                if here is None:
                    kind = self._kinds.get(card, "")
                    here = Held(card=card, kind=kind, round=self._title.round(state), paid={}, returned={})
                    self.taken[seat].append(here)
                else:
                    left.remove(here)
                now.append(here)
            self._lying[seat] = now

    def _cards(self, state: Any, seat: int) -> Sequence[str]:
        if self._title.key == "pebbles":
            return ["heap"] * state.emptied[seat]
        mat = state.mats[seat]
        return [*(built.card for built in mat.buildings), *mat.techniques]

    def end(self) -> None:
        """Buildings count what is printed on them, techniques what the final count gives, or would give."""
        printed = {row.of: int(row.value) for row in self._one.sheet.printed if row.what == "points"}
        for seat, lying in self._lying.items():
            parts = self._one.sum_score_parts(seat)
            for one in lying:
                is_built = one.kind == "building"
                one.final_points = printed.get(one.card, 0) if is_built else parts.get(FINAL + one.card, 0)

    def rows(self) -> Iterator[tuple[int, Held]]:
        return ((seat, one) for seat, taken in self.taken.items() for one in taken)
