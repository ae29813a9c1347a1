"""The set-up on paper: rows, races, base cards and start tiles (F-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from spyrium_log.titles.founders.cards import ACTION_CARDS, AESTHER, BASES, Printed
from spyrium_log.titles.founders.moves import UNSEEN, AdvisersDealt, PlaceStart, TableDealt, TakeBase, TakeRace
from spyrium_log.titles.founders.options import Options
from tests.founders.oracle_ground import Thing, at_corner, drawn, read_square, turned
from tests.founders.oracle_steps import Steps


class Draft(Steps):
    """`taken` are the base cards: whose, in which step (1: with the race), and who may never have it back."""

    def __init__(self, seats: int, first: int, options: Options, printed: Printed) -> None:
        super().__init__(seats, options, printed)
        self.race: dict[int, str] = {}
        self.taken: list[Thing] = []
        self.given_up: dict[int, set[str]] = {seat: set() for seat in self.seats}
        self.prestige_deck = list(printed.prestige)
        self.on_top: list[str] = []
        self.spent: list[str] = []
        self.proposals: list[str] = []
        clockwise = self.clockwise(first)
        back = clockwise[::-1]
        self.todo = [{"do": "table"}, *({"do": "race", "seat": seat} for seat in clockwise)]
        if not self.solo:
            self.todo += [{"do": "base", "seat": seat, "nth": 2} for seat in back]
        if seats == 2:
            self.todo += [{"do": "base", "seat": seat, "nth": 3} for seat in clockwise]
        self.todo += [{"do": "neutrals"}, *({"do": "start", "seat": seat} for seat in back)]
        self.todo.append({"do": "turn", "seat": first})
        for seat in self.seats:
            self.cards[seat]["hand"] = [card for card in ACTION_CARDS if card != "income" or seats == 2]

    def race_of(self, seat: int) -> str:
        return self.race[seat]

    # --- rows (F-3.1, F-7.4, F-10.6) --------------------------------------------------------------

    def look(self, card: str) -> object:
        """Shape and colour of a prestige building: turned, it is the same shape."""
        printed = self.printed.prestige.get(card)
        if printed is None or printed.shape is None or printed.colour is None:
            return object()
        ways = turned(printed.shape.text, mirrored=False)
        assert at_corner(drawn(printed.shape.text)) in ways
        return frozenset(ways), printed.colour

    def has_like_pair(self, cards: Sequence[str]) -> bool:
        return max(Counter(map(self.look, cards)).values(), default=1) > 1

    def why_not_advisers(self, cards: Sequence[str], slots: int) -> list[str]:
        """So many of the deck, level I before II before III."""
        reasons = []
        if len(cards) != min(slots, len(self.adviser_deck)):
            reasons.append("F-7.4 the row is filled from the deck")
        if len(set(cards)) < len(cards) or not set(cards) - {UNSEEN} <= set(self.adviser_deck):
            reasons.append("F-1.3 cards of the deck, each once")
            return reasons
        levels = [self.printed.advisers[card].level or 0 for card in cards if card != UNSEEN]
        later = [self.printed.advisers[card].level or 9 for card in self.adviser_deck if card not in cards]
        if levels != sorted(levels) or (levels and later and min(later) < levels[-1]):
            reasons.append("F-3.1 level I lies on II on III")
        return reasons

    def why_not_table(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, TableDealt):
            return ["F-3.1 the table is dealt"]
        reasons = self.why_not_advisers(act.advisers, 4)
        reasons += self.why_not_new_proposals(act.proposals, act.put_back, (), 3)
        decks = [goal.deck for card in act.goals if (goal := self.printed.goals.get(card))]
        plays = self.options.achievements == "with" and not (self.solo and self.options.solo_achievements == "none")
        wanted = 3 if plays else 0
        if len(act.goals) != wanted or len(set(decks)) != len(act.goals):
            reasons.append("F-3.1 an achievement of each deck")
        return reasons

    def do_table(self, _: Thing, act: TableDealt) -> None:
        self.row = list(act.advisers)
        self.take_from_adviser_deck(act.advisers)
        self.take_from_prestige_deck(act.proposals, act.put_back)
        self.proposals = list(act.proposals)
        for card in act.goals:
            deck = self.printed.goals[card].deck or ""
            self.goals["final" if deck == "end" else deck] = card

    def take_from_adviser_deck(self, cards: Sequence[str]) -> None:
        self.adviser_deck = [card for card in self.adviser_deck if card not in cards]

    def why_not_advisers_dealt(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, AdvisersDealt):
            return ["F-7.4 the row is filled"]
        return self.why_not_advisers(act.cards, self.row.count(""))

    def do_advisers(self, _: Thing, act: AdvisersDealt) -> None:
        """F-7.4: the row slides left, and new ones come at the right."""
        kept = [card for card in self.row if card]
        self.row = [*kept, *act.cards]
        self.row += [""] * (4 - len(self.row))
        self.row_was_taken = False
        self.take_from_adviser_deck(act.cards)

    def why_not_new_proposals(
        self, cards: Sequence[str], put_back: Sequence[str], kept: Sequence[str], wanted: int
    ) -> list[str]:
        """F-3.1: of the deck, no two alike, and what was put back was like one that lies there."""
        reasons = []
        known = {*self.prestige_deck, *self.on_top, *self.spent}
        drawn_cards = [*cards, *put_back]
        if len(cards) != min(wanted, len(known)):
            reasons.append("F-10.6 so many new proposals")
        if len(set(drawn_cards)) < len(drawn_cards) or not set(drawn_cards) <= known:
            reasons.append("F-1.3 cards of the deck, each once")
            return reasons
        left = known - set(drawn_cards)
        if self.has_like_pair([*kept, *cards]) and left:
            reasons.append("F-3.1 no two proposals alike")
        looks = [self.look(card) for card in (*kept, *cards)]
        if any(self.look(card) not in looks for card in put_back):
            reasons.append("F-3.1 only one of two alike is put back")
        return reasons

    def take_from_prestige_deck(self, cards: Sequence[str], put_back: Sequence[str]) -> None:
        """From the bottom; what is put back lies on top."""
        gone = {*cards, *put_back}
        self.prestige_deck = [card for card in self.prestige_deck if card not in gone]
        self.on_top = [*(card for card in self.on_top if card not in gone), *put_back]

    # --- races and bases (F-3.2, F-3.3) -----------------------------------------------------------

    def free_bases(self) -> list[str]:
        """Base cards that nobody has; a race's base is its player's."""
        held = {card["base"] for card in self.taken}
        return [base for base in BASES if base not in held]

    def base_of_race(self, race: str) -> str | None:
        return self.printed.races[race].base

    def why_not_race(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, TakeRace):
            return ["F-3.2 a race is taken"]
        if act.race not in self.printed.races:
            return ["F-1.1 one of nine races"]
        reasons = ["F-3.2 taken by another"] if act.race in self.race.values() else []
        printed = self.base_of_race(act.race)
        if act.race == AESTHER or printed is None:
            if act.base not in BASES:
                return [*reasons, "F-3.2 Aesther takes a base card"]
        elif act.base is not None:
            return [*reasons, "F-3.2 the base of this race is printed"]
        if (act.base or printed) not in self.free_bases():
            reasons.append("F-3.2 a base that is still there")
        return reasons

    def do_race(self, _: Thing, act: TakeRace) -> None:
        self.race[act.seat] = act.race
        base = act.base or self.base_of_race(act.race)
        if act.base is None and base:
            self.say("BaseGot", seat=act.seat, base=base)
        self.taken.append({"base": base, "seat": act.seat, "nth": 1})

    def forbidden(self, seat: int, nth: int) -> set[str]:
        """What the mat forbids; Aesther's card too; and for the third base the second card."""
        found = set(self.printed.races[self.race[seat]].forbids or ())
        shown = [card for card in self.taken if card["seat"] == seat and card["nth"] < nth]
        for card in shown:
            is_on_mat = card["nth"] == 1
            if not is_on_mat or (self.race[seat] == AESTHER and self.options.aesther_forbids == "both"):
                found |= self.printed.base_forbids[card["base"]] or set()
        return found

    def base_choices(self, task: Thing) -> list[tuple[str, int]]:
        """F-3.3: what the seat may take, and from whom (0: it lies there); what was drafted in this step can be lost.

        Who lost the card of its race takes another in the step in which it lost it.
        """
        seat, nth = task["seat"], task["nth"]
        forbidden = self.forbidden(seat, nth)
        left = [base for base in self.free_bases() if base not in self.given_up[seat]]
        allowed = [(base, 0) for base in left if base not in forbidden]
        if allowed:
            return allowed
        if nth == 3 and self.options.draft_third == "forbidden":
            return [(base, 0) for base in left]
        may_lose = {task.get("step", nth)} | ({1} if self.options.draft_displace == "any" else set())
        refused = forbidden | self.given_up[seat]
        others = [card for card in self.taken if card["seat"] != seat and card["nth"] in may_lose]
        return [(card["base"], card["seat"]) for card in others if card["base"] not in refused]

    def why_not_base_card(self, task: Thing, act: Any) -> list[str]:
        if not isinstance(act, TakeBase):
            return ["F-3.3 a base card is taken"]
        if act.base not in BASES:
            return ["F-1.2 a base resource"]
        if (act.base, act.who or 0) not in self.base_choices(task):
            return ["F-3.3 none that is forbidden; another's only if nothing else is left"]
        other = self.twin()
        other.do(act)
        assert isinstance(other, Draft)
        return [] if other.can_finish_draft(set()) else ["F-3.3 the draft can still be completed"]

    def do_base(self, task: Thing, act: TakeBase) -> None:
        nth = task["nth"]
        step = task.get("step", nth)
        lost = [card for card in self.taken if act.who and card["base"] == act.base]
        for card in lost:
            self.taken.remove(card)
            self.given_up[card["seat"]].add(act.base)
            again = {"do": "base", "seat": card["seat"], "nth": card["nth"], "step": step}
            self.todo.insert(0, again)
        self.taken.append({"base": act.base, "seat": act.seat, "nth": nth})
        if not any(each["do"] == "base" and each.get("step", each["nth"]) == step for each in self.todo):
            self.given_up = {seat: set() for seat in self.seats}

    def can_finish_draft(self, seen: set[object]) -> bool:
        """K14: by trying every way."""
        task = self.todo[0]
        if task["do"] != "base":
            return True
        cards = frozenset((card["base"], card["seat"], card["nth"]) for card in self.taken)
        given_up = tuple(frozenset(bases) for bases in self.given_up.values())
        known = (cards, given_up, tuple((each["do"], each.get("seat"), each.get("nth")) for each in self.todo))
        if known in seen:
            return False
        seen.add(known)
        for base, who in self.base_choices(task):
            other = self.twin()
            other.do(TakeBase(seat=task["seat"], base=base, who=who or None))
            assert isinstance(other, Draft)
            if other.can_finish_draft(seen):
                return True
        return False

    def settle_bases(self) -> None:
        """F-4.1: the cards say whose the bases are; alone, all eight are one's own (F-12.3)."""
        self.base_owner = {card["base"]: card["seat"] for card in self.taken}
        if self.solo:
            self.base_owner = dict.fromkeys(BASES, 1)

    # --- start tiles (F-3.4) ----------------------------------------------------------------------

    def why_not_start(self, _: Thing, act: Any) -> list[str]:
        if not isinstance(act, PlaceStart):
            return ["F-3.4 a start tile is put down"]
        square = read_square(act.at)
        number = self.number.get(square) if square else None
        if square is None or number is None or not self.is_free(square):
            return ["F-3.4 a free numbered ruins cell"]
        return [] if self.solo or number <= len(self.seats) else ["F-3.4 numbered at most the number of players"]

    def do_start(self, _: Thing, act: PlaceStart) -> None:
        square = read_square(act.at)
        base = next((card["base"] for card in self.taken if card["seat"] == act.seat and card["nth"] == 1), None)
        assert square
        if base:
            self.put_tile(base, act.seat, act.seat, [square], [])
