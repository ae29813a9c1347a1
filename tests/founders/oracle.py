"""Founders of Gloomhaven a second time: slow, from the rule text alone, written without a look at the project's rules.

Whatever has to happen stands on a list, the next thing first; an act is judged by what stands there, and doing it may
put more on the list. The only things shared with the project are the types of moves, the options and the component set
as it is read. Numbers such as F-5.6 are those of the rule text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spyrium_log.title import FinalCount
from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.moves import (
    UNSEEN,
    Bid,
    BreakTie,
    CallVote,
    Decline,
    Deliver,
    LayRoad,
    PlayCard,
    TakeBack,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.oracle_ground import Thing, read_square, write_square
from tests.founders.oracle_points import Fact
from tests.founders.oracle_steps import happens_by_itself
from tests.founders.oracle_vote import VOTES_ALONE, Vote

DEALS = {"table", "advisers", "proposals", "replace"}
# What a rule forces before the next turn.
CHOICES = {"steps", "roads", "tie", "place", "pay claims", "choose"}
# A delivery that has to be chosen holds up nothing of this.
HAPPENS_ANYWAY = {"return", "income of the others"}
START_MONEY = 7
MARKERS_AT_THE_END = 6


def begins_without_choice(steps: list[Thing]) -> bool:
    """Whether a card is put down before anything is chosen: cards are taken back by an act that plays none."""
    return bool(steps) and (happens_by_itself(steps[0]) or steps[0]["does"] == "take-back")


class Table(Vote):
    """What lies on the table. `apply` does an act and tells what moved, and what else is to be said."""

    def __init__(self, *, seats: int, first: int, options: Options, printed: Printed, money: int = START_MONEY) -> None:
        super().__init__(seats, first, options, printed)
        for seat in self.seats:
            self.purse[seat]["money"] = money
        self.last = 0
        self.is_counted = False

    # --- whose move it is -------------------------------------------------------------------------

    def awaited(self) -> tuple[str, tuple[int, ...]]:
        """The kind of what comes next, and the seats that may act."""
        if self.due:
            return "choice", (self.due[0]["seat"],)
        task: Thing = self.todo[0] if self.todo else {"do": "over"}
        if task["do"] in DEALS:
            return "deal", ()
        if task["do"] in {"final", "over"}:
            return task["do"], ()
        if task["do"] == "bids":
            return "decision", (self.seats_to_bid()[0],)
        return "choice" if task["do"] in CHOICES else "decision", (task["seat"],)

    def is_in_an_action(self) -> bool:
        """Whether a card or a Call has something left that a delivery or a step holds up."""
        return bool(self.due) or any(task["do"] in {"steps", "discard", "roads", "return"} for task in self.todo)

    def is_in_a_vote(self) -> bool:
        """Whether a proposal is being built, until new ones lie there."""
        return any(task["do"] in {"place", "after placing", "proposals"} for task in self.todo)

    # --- judging ----------------------------------------------------------------------------------

    def reasons(self, act: Any) -> list[str]:
        """Every reason found against an act; none if it is legal."""
        kind, seats = self.awaited()
        if isinstance(act, FinalCount):
            return [] if kind == "final" else ["F-11.1 the game is not at its end"]
        if kind in {"final", "over"}:
            return ["F-11.1 the game is over"]
        if seats and getattr(act, "seat", 0) not in seats:
            return ["F-5.1 another player is to act"]
        if kind == "deal" and hasattr(act, "seat"):
            return ["F-5.1 the table is to deal"]
        if self.due:
            return self.why_not_deliver(act)
        task = self.todo[0]
        if task["do"] != "turn" and hasattr(act, "down") and (act.card or act.down):
            return ["F-5.1 a card is played in one's own turn only"]
        judge: dict[str, Callable[[Thing, Any], list[str]]] = {
            "table": self.why_not_table,
            "race": self.why_not_race,
            "base": self.why_not_base_card,
            "start": self.why_not_start,
            "turn": self.why_not_turn,
            "steps": self.why_not_steps,
            "follow": self.why_not_follow,
            "roads": self.why_not_bonus_road,
            "bids": self.why_not_bid,
            "tie": self.why_not_tie,
            "place": self.why_not_place,
            "advisers": self.why_not_advisers_dealt,
            "proposals": self.why_not_proposals,
            "replace": self.why_not_replaced,
            "pay claims": self.why_not_claims,
            "choose": self.why_not_choose,
        }
        return judge[task["do"]](task, act)

    def why_not_deliver(self, act: Any) -> list[str]:
        """F-8.4."""
        if not isinstance(act, Deliver):
            return ["F-8.4 a delivery has to be chosen"]
        one = {"building": act.building, "resource": act.resource, "seat": act.seat}
        building = self.building(act.building)
        if one not in self.due or building is None:
            return ["F-8.4 a delivery that is due"]
        tile = self.tile_on(read_square(act.at))
        suppliers = self.suppliers(building, act.resource)
        return [] if tile in suppliers else ["F-8.4 a tile of the resource that is connected to the building"]

    def why_not_turn(self, task: Thing, act: Any) -> list[str]:
        """F-5.1."""
        if isinstance(act, CallVote):
            return self.why_not_call(task, act)
        card = getattr(act, "card", None)
        if not hasattr(act, "down") or not card:
            return ["F-5.1 a turn begins with a card"]
        reasons = self.why_not_card(act.seat, card, is_down=act.down)
        if reasons:
            return reasons
        if act.down:
            return self.why_not_basic(act) or self.why_no_worker_step(act)
        return self.why_not_main(act)

    def why_not_card(self, seat: int, card: str, *, is_down: bool) -> list[str]:
        """F-5.1, F-5.3: what may still be in hand, may be played."""
        if card == "call":
            return ["F-5.1 Call to Vote is only called"]
        if card == UNSEEN:
            seen_enough = is_down and self.cards_in_hand(seat) > 1
            return [] if seen_enough else ["F-5.3 only a face-down card is unseen"]
        hand = self.cards[seat]["hand"]
        if card not in hand:
            return ["F-5.1 a card from hand"]
        # The unseen cards of the discard pile are others of those that may be in hand, and never the Call.
        return [] if len(set(hand) - {card, "call"}) >= self.unseen[seat] else ["F-5.3 certainly in the discard"]

    def main_task(self, seat: int, card: str) -> Thing:
        steps = self.steps_of_card(card)
        return {"do": "steps", "seat": seat, "left": steps, "why": "adviser", "card": card, "bought": ""}

    def why_not_main(self, act: Any) -> list[str]:
        """F-7.0: face-up, its main action, to the last obligatory step."""
        task = self.main_task(act.seat, act.card)
        if isinstance(act, UseWorker):
            return ["F-5.1 a worker is a basic action"]
        if isinstance(act, PlayCard):
            left = task["left"]
            is_so = begins_without_choice(left) or all(step["optional"] for step in left)
            return self.why_not_to_the_end(task, act) if is_so else ["F-5.1 its action begins with a choice"]
        if act.__class__.__name__ == "Gain":
            return ["F-5.1 a basic action is played face-down"]
        return self.why_not_any_step(task, act) or self.why_not_to_the_end(task, act)

    def why_no_worker_step(self, act: Any) -> list[str]:
        return self.why_not_to_the_end(self.worker_task(act), act) if isinstance(act, UseWorker) else []

    def why_not_steps(self, task: Thing, act: Any) -> list[str]:
        return self.why_not_any_step(task, act) or self.why_not_to_the_end(task, act)

    def why_not_follow(self, task: Thing, act: Any) -> list[str]:
        """F-5.4."""
        if isinstance(act, Decline):
            return []
        judged = [self.why_not_basic(act) or self.why_no_worker_step(act)]
        if not isinstance(act, (LayRoad, UseWorker, PlayCard, TakeBack)) and hasattr(act, "down"):
            steps = self.follow_steps(task["category"])
            judged += [self.why_not_step(task, step, act) for step in steps if act.__class__.__name__ != "Gain"]
        return [] if [] in judged else judged[-1]

    # --- doing ------------------------------------------------------------------------------------

    def apply(self, act: Any) -> tuple[dict[tuple[int, str, str], int], list[Fact]]:
        """Do a legal act; what moved, summed by seat, what and why, and the facts."""
        self.moved.clear()
        self.facts = []
        self.do(act)
        return {key: n for key, n in self.moved.items() if n}, self.facts

    def do(self, act: Any) -> None:
        if self.due:
            self.do_deliver(act)
        elif isinstance(act, FinalCount):
            self.count_at_the_end()
        else:
            self._do_task(act)
        self.settle()

    def _do_task(self, act: Any) -> None:
        """Do what the list says. Only steps stay on it until nothing of them is left."""
        task = self.todo[0]
        if task["do"] == "steps":
            self.do_steps(task, act)
            return
        self.todo.pop(0)
        doing: dict[str, Callable[[Thing, Any], None]] = {
            "table": self.do_table,
            "race": self.do_race,
            "base": self.do_base,
            "start": self.do_start,
            "turn": self.do_turn,
            "follow": self.do_follow,
            "roads": self.do_bonus_road,
            "bids": self.do_bid,
            "tie": self.do_tie,
            "place": self.do_place,
            "advisers": self.do_advisers,
            "proposals": self.do_proposals,
            "replace": self.do_replace,
            "pay claims": self.do_claims,
            "choose": self.do_choose,
        }
        doing[task["do"]](task, act)

    def do_deliver(self, act: Deliver) -> None:
        building = self.building(act.building)
        tile = self.tile_on(read_square(act.at))
        assert building
        assert tile
        self.due.remove({"building": act.building, "resource": act.resource, "seat": act.seat})
        self.deliver(building, tile)

    def do_bonus_road(self, _: Thing, act: LayRoad) -> None:
        self.lay_road(act)

    def do_bid(self, task: Thing, act: Bid) -> None:
        self.bids[act.seat] = act
        if self.seats_to_bid():
            self.todo.insert(0, task)

    def do_tie(self, _: Thing, act: BreakTie) -> None:
        self.elect(act.proposal)

    def do_turn(self, task: Thing, act: Any) -> None:
        """F-5.1, F-5.4: the card's action, the discard, the follows, the end of the turn."""
        self.last = act.seat
        if isinstance(act, CallVote):
            self.do_call(task, act)
            return
        self.card, self.is_face_up = act.card, not act.down
        if act.card == UNSEEN:
            self.unseen[act.seat] += 1
        else:
            self.cards[act.seat]["hand"].remove(act.card)
            self.cards[act.seat]["on the table"] = [act.card]
            if self.solo and self.is_face_up and act.card in self.printed.advisers:
                self.say("CardRemoved", seat=act.seat, card=act.card)
        after: list[Thing] = [{"do": "discard", "seat": act.seat, "card": act.card}]
        if self.is_face_up and not self.solo:
            category = self.category(act.card)
            rivals = self.clockwise(act.seat)[1:]
            after += [self.follow_task(rival, category) for rival in rivals]
        self.todo = [*after, {"do": "end of turn", "seat": act.seat}]
        if act.down:
            self.do_basic(act)
            return
        steps = self.main_task(act.seat, act.card)
        self.todo.insert(0, steps)
        if not isinstance(act, PlayCard):
            self.do_steps(steps, act)
        elif not begins_without_choice(steps["left"]):
            steps["left"] = []

    def follow_task(self, seat: int, category: str | None) -> Thing:
        return {"do": "follow", "seat": seat, "category": category, "left": [], "card": "", "bought": ""}

    def do_follow(self, task: Thing, act: Any) -> None:
        if isinstance(act, Decline):
            return
        if not self.why_not_basic(act):
            self.do_basic(act)
            return
        steps = self.follow_steps(task["category"])
        step = next(step for step in steps if not self.why_not_step(task, step, act))
        self.do_step(task, step, act)

    # --- what happens by itself -------------------------------------------------------------------

    def settle(self) -> None:
        """Let everything happen that nobody chooses; a delivery that is due comes before it."""
        while self.todo:
            self.stop_call_at_the_end()
            task = self.todo[0]
            if self.due and task["do"] not in HAPPENS_ANYWAY:
                return
            if task["do"] == "steps":
                self.run_own_steps(task)
                if task["left"]:
                    return
                self.todo.pop(0)
            elif task["do"] == "place" and not self.fits_somewhere(self.proposals[task["proposal"] - 1]):
                if not (self.prestige_deck or self.on_top or self.spent):
                    return
                self.todo.insert(0, {"do": "replace", "proposal": task["proposal"]})
                return
            elif task["do"] in self._own_tasks():
                self.todo.pop(0)
                self._own_tasks()[task["do"]](task)
            else:
                return

    def stop_call_at_the_end(self) -> None:
        """`end-in-call`: the sixth completion may stop a Call; what is due is still chosen."""
        in_call = any(task["do"] == "proposals" for task in self.todo) and not self.solo
        if in_call and self.options.end_in_call == "stop" and self.completed >= MARKERS_AT_THE_END:
            self.todo = [{"do": "goals"}, {"do": "end of turn", "seat": self.caller}]

    def _own_tasks(self) -> dict[str, Any]:
        return {
            "neutrals": lambda _: self.settle_bases(),
            "discard": self.discard,
            "return": lambda _: self.return_cards(),
            "income of the others": self.give_income,
            "income alone": lambda _: self.take_income(1),
            "claims": lambda _: self.ask_for_claims(),
            "reveal": lambda _: self.find_winner(),
            "new bids": lambda _: self.begin_bidding(),
            "after placing": lambda _: self.after_placing(),
            "goals": lambda _: self.meet_goals_of_the_turn(),
            "influence back": lambda _: self.take_fleeting(),
            "end of turn": self.end_turn,
        }

    def discard(self, task: Thing) -> None:
        """F-5.1; alone, an adviser played face-up leaves the game (F-12.3)."""
        self.cards[task["seat"]]["on the table"] = []
        leaves = self.solo and self.is_face_up and task["card"] in self.printed.advisers
        if task["card"] == UNSEEN or leaves:
            return
        self.cards[task["seat"]]["discard"].append(task["card"])

    def give_income(self, _: Thing) -> None:
        """F-10.3."""
        for seat in self.clockwise(self.caller)[1:]:
            self.take_income(seat)

    def after_placing(self) -> None:
        self.clear_proposals()
        self.begin_bidding()

    def take_fleeting(self) -> None:
        self.move(1, "fleeting", -self.held(1, "fleeting"), "vote")

    def end_turn(self, task: Thing) -> None:
        """F-5.7. The achievements of a Call were met before the new proposals are dealt, which change nothing."""
        if self.card != "call":
            self.meet_goals_of_the_turn()
        follow_up: list[Thing] = [{"do": "advisers"}] if self.row_can_change() else []
        if self.is_the_end():
            follow_up.append({"do": "final"})
        else:
            follow_up.append({"do": "turn", "seat": self.clockwise(task["seat"])[1 % len(self.seats)]})
        self.todo[:0] = follow_up

    def is_the_end(self) -> bool:
        """F-11.1; alone after round 7, or with the sixth completion (F-12.3)."""
        if not self.solo:
            return self.completed >= MARKERS_AT_THE_END
        if self.options.solo_end == "sixth" and self.completed >= MARKERS_AT_THE_END:
            return True
        if self.votes < VOTES_ALONE or self.cards_in_hand(1) > 1:
            return False
        if self.completed < MARKERS_AT_THE_END:
            self.lost = True
            self.say("SoloLost", seat=1)
        return True

    # --- the end (F-11.2) -------------------------------------------------------------------------

    def final_parts(self, seat: int) -> dict[str, int]:
        goal = self.printed.goals.get(self.goals.get("final", ""))
        met = goal is not None and goal.when is not None and self.meets(seat, goal.when)
        parts = {
            "final:lasting": self.held(seat, "lasting"),
            "final:money": max(0, self.held(seat, "money")) // 4,
            "final:goal": (goal.points or 0) if goal and met else 0,
        }
        return {why: n for why, n in parts.items() if n}

    def count_at_the_end(self) -> None:
        parts = {seat: self.final_parts(seat) for seat in self.seats}
        for seat in self.seats:
            for why, n in parts[seat].items():
                self.move(seat, "points", n, why)
        self.is_counted = True
        self.todo = []

    def totals(self) -> dict[int, int]:
        parts = {seat: {} if self.is_counted else self.final_parts(seat) for seat in self.seats}
        return {seat: self.held(seat, "points") + sum(parts[seat].values()) for seat in self.seats}

    def places(self) -> dict[int, int]:
        """Most points first; of equal ones the first from the holder of the token, clockwise."""
        totals = self.totals()
        order = sorted(self.clockwise(self.last or 1), key=lambda seat: -totals[seat])
        return {seat: place for place, seat in enumerate(order, 1)}

    # --- what lies there, for comparing -----------------------------------------------------------

    def seat_summary(self, seat: int) -> dict[str, object]:
        mine = {name: self.held(seat, name) for name in ("money", "fleeting", "lasting", "income", "points")}
        return mine | {
            "hand": sorted(self.cards[seat]["hand"]),
            "discard": sorted(self.cards[seat]["discard"]),
            "unknown": self.unseen[seat],
            "used": sorted(self.workers[seat]),
        }

    def board_summary(self) -> dict[str, object]:
        def names(cells: Any) -> tuple[str, ...]:
            return tuple(write_square(square) for square in sorted(cells))

        pieces = [("house", piece) for piece in self.houses] + [("bridge", piece) for piece in self.bridges]
        return {
            "roads": sorted(map(write_square, self.roads)),
            "tiles": sorted(
                (tile["what"], tile["owner"], names(tile["cells"]), tuple(sorted(tile["access"])))
                for tile in self.tiles
            ),
            "pieces": sorted((kind, piece["owner"], names(piece["cells"])) for kind, piece in pieces),
            "buildings": [
                (one["card"], names(one["cells"]), sorted(one["tokens"].items()), one["complete"], one["claim"])
                for one in self.buildings
            ],
        }
