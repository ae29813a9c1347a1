"""The Call to Vote on paper, with several players and alone (F-10, F-12.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.moves import (
    Bid,
    BreakTie,
    CallVote,
    ChooseProposal,
    LayRoad,
    PayClaims,
    PlacePrestige,
    ProposalReplaced,
    ProposalsDealt,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.oracle_draft import Draft
from tests.founders.oracle_ground import Square, Thing, at_corner, read_square, turned

VOTES_ALONE = 6
SITES_OF_TOWERS = {"west": {"west", "tower"}, "north": {"north", "tower"}, "tower": {"west", "north", "tower"}}


class Vote(Draft):
    """`bids` are those of the vote that goes on; `void` are proposals that lost it because they fit nowhere."""

    def __init__(self, seats: int, first: int, options: Options, printed: Printed) -> None:
        super().__init__(seats, first, options, printed)
        self.caller = 0
        self.begin_bidding()
        self.votes = 0
        self.lost = False

    # --- calling (F-10.0 to F-10.3) ---------------------------------------------------------------

    def cards_in_hand(self, seat: int) -> int:
        return len(self.cards[seat]["hand"]) - self.unseen[seat]

    def why_not_call(self, _: Thing, act: CallVote) -> list[str]:
        others = self.cards_in_hand(act.seat) - 1
        bonuses = act.money + act.fleeting + act.roads
        if self.solo:
            reasons = ["F-12.3 Call to Vote is the last card"] if others else []
            if self.votes >= VOTES_ALONE:
                reasons.append("F-12.3 round 7 has no Call")
            return reasons + ["F-12.3 no bonuses alone"] * bool(bonuses)
        reasons = []
        discarded = len(self.cards[act.seat]["discard"]) + self.unseen[act.seat]
        if "call" not in self.cards[act.seat]["hand"]:
            reasons.append("F-5.1 the Call card is not in hand")
        if discarded < (3 if len(self.seats) == 2 else 2):
            reasons.append("F-10.0 cards in the own discard")
        is_each = self.options.call_bonus == "each"
        if bonuses > others or (is_each and bonuses < others):
            reasons.append("F-10.1 a bonus for each card left in hand")
        if act.roads and not self._can_lay(act.seat, act.roads):
            reasons.append("F-10.1 a road that cannot be laid is another bonus")
        return reasons

    def _can_lay(self, seat: int, roads: int) -> bool:
        """A road never closes the way of another one, so any one may be the first."""
        other = self.twin()
        for _ in range(roads):
            ways = (act for act in other.ways({"seat": seat}, {"does": "road"}) if not other.why_not_road(seat, act.at))
            act = next(ways, None)
            if act is None:
                return False
            square = read_square(act.at)
            assert square
            other.roads.add(square)
        return True

    def do_call(self, _: Thing, act: CallVote) -> None:
        self.caller = act.seat
        self.card = "call"
        self.is_face_up = False
        self.cards[act.seat]["hand"].remove("call")
        if self.solo:
            todo: list[Thing] = [{"do": "income alone"}, {"do": "return"}, {"do": "claims"}]
            todo += [{"do": "choose", "seat": 1}, {"do": "place"}, {"do": "after placing"}]
            todo += [{"do": "influence back"}, {"do": "goals"}, {"do": "proposals", "wanted": 1}]
            todo += [{"do": "end of turn", "seat": 1}]
        else:
            self.move(act.seat, "money", act.money, "call")
            self.move(act.seat, "fleeting", act.fleeting, "call")
            todo = [{"do": "roads", "seat": act.seat}] * act.roads
            todo += [{"do": "return"}, {"do": "income of the others"}, {"do": "bids"}, {"do": "reveal"}]
            todo += [{"do": "place"}, {"do": "after placing"}, {"do": "goals"}]
            todo += [{"do": "proposals", "wanted": 3}]
            todo += [{"do": "end of turn", "seat": act.seat}]
        self.todo[:0] = todo

    def why_not_bonus_road(self, _: Thing, act: Any) -> list[str]:
        return self.why_not_road(act.seat, act.at) if isinstance(act, LayRoad) else ["F-10.1 a road of the Call"]

    def return_cards(self) -> None:
        """F-10.2."""
        mine = self.cards[self.caller]
        mine["hand"] += [*mine["discard"], "call"]
        mine["discard"] = []
        self.unseen[self.caller] = 0
        self.workers[self.caller] = []

    def begin_bidding(self) -> None:
        self.bids: dict[int, Bid] = {}
        self.void: set[int] = set()
        self.leaving: list[str] = []
        self.is_returned = False

    # --- voting (F-10.4) --------------------------------------------------------------------------

    def seats_to_bid(self) -> list[int]:
        """All at once at the table; they are recorded from the caller on (F-13)."""
        return [seat for seat in self.clockwise(self.caller) if seat not in self.bids]

    def why_not_bid(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, Bid):
            return ["F-10.4 everybody bids"]
        reasons = []
        if act.proposal > len(self.proposals) or not self.proposals[act.proposal - 1]:
            reasons.append("F-10.4 a proposal that lies there")
        if act.fleeting > self.held(act.seat, "fleeting") or act.lasting > self.held(act.seat, "lasting"):
            reasons.append("F-10.4 influence of one's own")
        return reasons

    def worth(self, act: Bid) -> int:
        return 1 + act.fleeting + 2 * act.lasting

    def return_influence(self) -> None:
        """All fleeting influence goes, bid or not, and the lasting that was bid."""
        if self.is_returned:
            return
        self.is_returned = True
        for seat in self.seats:
            self.move(seat, "fleeting", -self.held(seat, "fleeting"), "vote")
            self.move(seat, "lasting", -self.bids[seat].lasting, "vote")

    def count_points(self) -> Counter[int]:
        totals: Counter[int] = Counter()
        for act in self.bids.values():
            totals[act.proposal] += self.worth(act)
        return totals

    def find_winner(self) -> None:
        totals = {proposal: n for proposal, n in self.count_points().items() if proposal not in self.void}
        best = [proposal for proposal in totals if totals[proposal] == max(totals.values())]
        if len(best) == 1:
            self.elect(best[0])
            return
        voters = [seat for seat in self.clockwise(self.caller) if self.bids[seat].proposal in best]
        breaker = min(voters, key=lambda seat: self.held(seat, "points"))
        self.say("TieDue", seat=breaker)
        self.todo.insert(0, {"do": "tie", "seat": breaker, "among": best})

    def why_not_tie(self, task: Thing, act: Any) -> list[str]:
        is_tied = isinstance(act, BreakTie) and act.proposal in task["among"]
        return [] if is_tied else ["F-10.4 one of the tied proposals"]

    def elect(self, proposal: int) -> None:
        """F-10.5: the highest bidder for it places it; who has fewest points, then the first from the caller on."""
        voters = [seat for seat in self.clockwise(self.caller) if self.bids[seat].proposal == proposal]
        most = max((self.worth(self.bids[seat]) for seat in voters), default=0)
        tied = [seat for seat in voters if self.worth(self.bids[seat]) == most]
        winner = min(tied, key=lambda seat: self.held(seat, "points"), default=self.caller)
        if not self.fits_somewhere(self.proposals[proposal - 1]) and self.vote_goes_on(proposal):
            return
        self.return_influence()
        self.say("VoteWon", proposal=proposal, seat=winner)
        self.appoint(proposal, winner)

    def vote_goes_on(self, void: int) -> bool:
        """`unplaceable`: whether another proposal is built instead; the card that fits nowhere then leaves the game."""
        unfit = {n for n, card in enumerate(self.proposals, 1) if not self.fits_somewhere(card)}
        others = {act.proposal for act in self.bids.values()} - unfit
        if self.options.unplaceable == "second-best" and others:
            self.void |= unfit
            # a proposal between it and the best that fits was chosen, too, and fits as little
            totals = self.count_points()
            most = max(totals[n] for n in others)
            between = sorted((n for n in unfit - {void} if totals[n] > most), key=lambda n: (-totals[n], n))
            self.leaving = [self.proposals[n - 1] for n in (void, *between)]
            for card in self.leaving:
                self.say("CardRemoved", seat=self.caller, card=card)
            self.find_winner()
            return True
        if self.options.unplaceable == "new-vote" and len(self.proposals) > 1:
            self.proposals.pop(void - 1)
            self.say("VoteVoid", proposal=void)
            self.todo[:0] = [{"do": "new bids"}, {"do": "bids"}, {"do": "reveal"}]
            return True
        return False

    def appoint(self, proposal: int, seat: int) -> None:
        task = next(task for task in self.todo if task["do"] == "place")
        task |= {"seat": seat, "proposal": proposal}

    # --- placing (F-10.5, F-2.1, F-2.2) -----------------------------------------------------------

    def sites_of(self, card: str) -> list[frozenset[Square]]:
        site = self.printed.prestige[card].site
        names = SITES_OF_TOWERS.get(site, {site})
        return [cells for name, cells in self.sites if name in names and all(map(self.is_free, cells))]

    def fits_somewhere(self, card: str) -> bool:
        printed = self.printed.prestige[card]
        if printed.site:
            return any(not self.why_not_placed(card, list(cells)) for cells in self.sites_of(card))
        if printed.shape is None:
            return True
        lying = self.lying(printed.shape.text)
        return any(not self.why_not_placed(card, [*cells]) for cells in lying)

    def sections_built_in(self, cells: set[Square]) -> set[int]:
        """`site-section`: a site has none, or the one that the set names."""
        named = self.site_section if self.options.site_section == "named" else {}
        return self.sections_of(cells) | {named[square] for square in cells if square in named}

    def why_not_placed(self, card: str, cells: list[Square | None]) -> list[str]:
        printed = self.printed.prestige[card]
        squares = {square for square in cells if square in self.kind}
        if len(squares) < len(cells) or not squares:
            return ["F-10.5 cells of the board, each once"]
        reasons = ["F-1.3 its only tile is on the board"] if self.building(card) else []
        if printed.site:
            if squares not in self.sites_of(card):
                reasons.append("F-2.1 on its site and nowhere else")
        elif not all(map(self.is_free_land, squares)):
            reasons.append("F-10.5 on free land cells")
        if printed.shape and not printed.site:
            ways = turned(printed.shape.text, mirrored=self.options.tile_flip == "mirror")
            if at_corner(squares) not in ways:
                reasons.append("F-10.5 the shape of the building")
        asks_terrain = not printed.site or self.options.site_terrain == "both"
        if printed.terrain and asks_terrain and printed.terrain not in {self.kind[square] for square in squares}:
            reasons.append("F-10.5 at least one cell on its terrain")
        alike = [building for building in self.buildings if self.look(building["card"]) == self.look(card)]
        sections = self.sections_built_in(squares)
        if any(sections & self.sections_built_in(set(building["cells"])) for building in alike):
            reasons.append("F-2.2 no two buildings alike in a section")
        return reasons

    def why_not_place(self, task: Thing, act: Any) -> list[str]:
        if not isinstance(act, PlacePrestige):
            return ["F-10.5 the building is placed"]
        return self.why_not_placed(self.proposals[task["proposal"] - 1], [read_square(cell) for cell in act.cells])

    def do_place(self, task: Thing, act: PlacePrestige) -> None:
        card = self.proposals[task["proposal"] - 1]
        squares = frozenset(square for square in map(read_square, act.cells) if square)
        building: Thing = {"card": card, "cells": squares, "placer": act.seat, "tokens": {}}
        self.buildings.append(building | {"complete": False, "claim": False})
        building = self.buildings[-1]
        self.proposals[task["proposal"] - 1] = ""
        self.votes += 1
        for resource, _ in self.needs(building):
            if self.is_neutral(resource):
                building["tokens"][resource] = 0
                self.say("NeutralDelivered", building=card, resource=resource)
        if self.solo:
            self.put_claims()
        self.complete(building)
        self.find_deliveries(self.caller if self.options.placement_chooser == "caller" else act.seat)

    def clear_proposals(self) -> None:
        """F-10.6: the card is turned; the others are discarded, or stay and slide left (alone)."""
        left = [card for card in self.proposals if card and card not in self.leaving]
        if not self.solo:
            self.spent += left
            left = []
        if self.options.workers == "without" and self.options.no_workers_card == "discard":
            self.spent.append(self.buildings[-1]["card"])
        self.proposals = left

    def why_not_proposals(self, task: Thing, act: Any) -> list[str]:
        if not isinstance(act, ProposalsDealt):
            return ["F-10.6 new proposals are dealt"]
        reasons = self.why_not_new_proposals(act.cards, act.put_back, self.proposals, task["wanted"])
        known = len(self.prestige_deck) + len(self.on_top) + len(self.spent)
        drawn = max(min(task["wanted"], known), len(act.cards) + len(act.put_back))
        short = len(self.prestige_deck) + len(self.on_top) < drawn
        if act.shuffled != (short and bool(self.spent)):
            reasons.append("F-10.6 the discarded ones are shuffled when the deck is short")
        deck = {*self.prestige_deck, *self.on_top}
        if not act.shuffled and not {*act.cards, *act.put_back} <= deck:
            reasons.append("F-10.6 a card of the deck")
        deals_all = act.shuffled and self.options.prestige_deck_short == "deal-first"
        if deals_all and not deck <= {*act.cards, *act.put_back}:
            reasons.append("F-10.6 what is left is dealt first")
        return reasons

    def do_proposals(self, _: Thing, act: ProposalsDealt) -> None:
        if act.shuffled:
            self.shuffle()
        self.take_from_prestige_deck(act.cards, act.put_back)
        self.proposals += act.cards

    def shuffle(self) -> None:
        self.prestige_deck = [*self.prestige_deck, *self.on_top, *self.spent]
        self.on_top, self.spent = [], []

    def why_not_replaced(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, ProposalReplaced):
            return ["F-10.5 another card comes in its place"]
        deck = {*self.prestige_deck, *self.on_top}
        if act.shuffled != (not deck and bool(self.spent)):
            return ["F-10.6 the discarded ones are shuffled when the deck is short"]
        return [] if act.card in (self.spent if act.shuffled else deck) else ["F-10.5 the next card of the deck"]

    def do_replace(self, task: Thing, act: ProposalReplaced) -> None:
        if act.shuffled:
            self.shuffle()
        self.take_from_prestige_deck([act.card], ())
        self.proposals[task["proposal"] - 1] = act.card

    def has_run_out(self) -> bool:
        """No prestige building is left where one should come: the rules say nothing of it."""
        if self.prestige_deck or self.on_top or self.spent or not self.todo:
            return False
        task = self.todo[0]
        stuck = task["do"] == "place" and not self.fits_somewhere(self.proposals[task["proposal"] - 1])
        return stuck or (task["do"] == "proposals" and not self.solo) or (task["do"] == "bids" and not self.proposals)

    # --- alone (F-12.3) ---------------------------------------------------------------------------

    def price_of_proposal(self, proposal: int) -> int:
        """Left 0, middle 2 + k, right 4 + 2k."""
        return {1: 0, 2: 2 + self.completed, 3: 4 + 2 * self.completed}[proposal]

    def why_not_influence(self, act: Any, price: int) -> list[str]:
        paid = act.fleeting + 2 * act.lasting
        if act.fleeting > self.held(act.seat, "fleeting") or act.lasting > self.held(act.seat, "lasting"):
            return ["F-12.3 influence of one's own"]
        enough = paid == price if self.options.solo_change == "exact" else paid >= price
        return [] if enough else ["F-12.3 the price in influence"]

    def claims(self) -> int:
        return sum(building["claim"] for building in self.buildings)

    def ask_for_claims(self) -> None:
        """Each claim costs what the right proposal costs; who cannot pay has lost."""
        n = self.claims()
        if not n:
            return
        if self._can_pay(n * self.price_of_proposal(3)):
            self.say("ClaimsDue", seat=1, n=n)
            self.todo.insert(0, {"do": "pay claims", "seat": 1})
        else:
            self.lose()

    def _can_pay(self, price: int) -> bool:
        def ways() -> Iterator[PayClaims]:
            for fleeting in range(self.held(1, "fleeting") + 1):
                for lasting in range(self.held(1, "lasting") + 1):
                    yield PayClaims(seat=1, fleeting=fleeting, lasting=lasting)

        return any(not self.why_not_influence(act, price) for act in ways())

    def lose(self) -> None:
        self.lost = True
        self.say("SoloLost", seat=1)
        self.todo = [{"do": "final"}]

    def why_not_claims(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, PayClaims):
            return ["F-12.3 claims are paid for"]
        return self.why_not_influence(act, self.claims() * self.price_of_proposal(3))

    def do_claims(self, _: Thing, act: PayClaims) -> None:
        self.move(1, "fleeting", -act.fleeting, "claims")
        self.move(1, "lasting", -act.lasting, "claims")
        for building in self.buildings:
            building["claim"] = False

    def why_not_choose(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, ChooseProposal):
            return ["F-12.3 a proposal is chosen"]
        if act.proposal > len(self.proposals):
            return ["F-12.3 a proposal that lies there"]
        return self.why_not_influence(act, self.price_of_proposal(act.proposal))

    def do_choose(self, _: Thing, act: ChooseProposal) -> None:
        self.move(1, "fleeting", -act.fleeting, "proposal")
        self.move(1, "lasting", -act.lasting, "proposal")
        self.appoint(act.proposal, 1)

    def put_claims(self) -> None:
        for building in self.buildings:
            if not building["complete"] and not building["claim"]:
                building["claim"] = True
                self.say("ClaimPut", building=building["card"])
