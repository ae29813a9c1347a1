"""Spyrium a second time: slow, from the rule text alone, and written without a look at the project's rules.

Every worker and every numbered token is a thing that lies somewhere, every building ever built stays on a list, and
what an act does is told by doing it. The only things shared with the project are the types of moves, the options and
the sheet of printed values. Numbers such as S-5.6 are those of the rule text.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from spyrium_log.sheet import Printed
from spyrium_log.title import FinalCount
from spyrium_log.titles.spyrium.moves import (
    GAPS,
    ActivateCard,
    GainMoney,
    MatAt,
    Pass,
    PlaceWorker,
    Position,
    ReuseBuilding,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.options import Options

Postings: TypeAlias = dict[tuple[int, str, str], int]
Said: TypeAlias = tuple[Any, ...]
Thing: TypeAlias = dict[str, Any]

CHARACTERS = (
    "miner",
    "geologist",
    "apprentice",
    "engineer",
    "bureaucrat",
    "adviser",
    "banker",
    "financier",
    "architect",
)
TECHNIQUES = ("automation", "capitalization", "engineering", "lobbying", "crane", "taylorism", "commerce")
PAYING_A_TOKEN = ("banker", "financier", "architect")
RESIDENCES = ("residence-1", "residence-2")

# S-9.2: workers, Spyrium, what comes out and how much of it; an effect's number is its place here.
EFFECTS: dict[str, list[tuple[int, int, str, int]]] = {
    "mine-1": [(1, 0, "spyrium", 1)],
    "mine-2": [(0, 0, "spyrium", 1), (1, 0, "spyrium", 2)],
    "mine-3": [(0, 0, "spyrium", 1), (1, 0, "spyrium", 3)],
    "workshop-1": [(1, 1, "points", 3)],
    "workshop-2": [(1, 2, "points", 5)],
    "factory-1": [(1, 2, "points", 6), (2, 3, "points", 10)],
    "factory-2": [(2, 3, "points", 10), (2, 5, "points", 15)],
    "laboratory-1": [(1, 1, "points", 4)],
    "laboratory-2": [(1, 1, "points", 5)],
    "laboratory-3": [(1, 2, "points", 7)],
    "university-1": [(1, 0, "points", 2)],
    "university-2": [(1, 0, "points", 3), (2, 0, "points", 6)],
}
NEW_WORKERS = {"neighbourhood-1": 1, "neighbourhood-2": 2}
# S-8.3, S-8.4: what is paid and what comes back, by the number of the choice.
INVESTMENT = {1: (3, 3), 2: (6, 5)}
EXCHANGE = {1: (1, 3), 2: (3, 6)}


class Table:
    """What lies on the table. `play` does an act and tells what moved and what else is to be said."""

    def __init__(
        self,
        *,
        seats: int,
        first: int,
        options: Options,
        sheet: Mapping[tuple[str, str], Printed],
        start: Mapping[str, int],
    ) -> None:
        self.options = options
        self.sheet = sheet
        self.seats = list(range(1, seats + 1))
        self.first = first
        self.round = 0
        self.last: int | None = None
        self.counted = False
        self.event = ""
        self.next_event = ""
        self.market: dict[int, str] = {}
        self.purse: dict[int, dict[str, int]] = {
            seat: {"money": start["money"], "spyrium": start["spyrium"], "points": 0} for seat in self.seats
        }
        self.disc = dict.fromkeys(self.seats, start["residence"])
        self.phase = dict.fromkeys(self.seats, 1)
        self.passed = dict.fromkeys(self.seats, False)
        self.marked_event = dict.fromkeys(self.seats, False)
        self.bonuses: dict[int, list[str]] = {seat: ["worker", "money"] for seat in self.seats}
        self.due: list[int] = []
        self.open: list[int] = []
        self.workers: list[Thing] = [
            {"seat": seat, "at": "start, active" if n < start["workers"] else "reserve"}
            for seat in self.seats
            for n in range(7)
        ]
        self.tokens: list[Thing] = [{"value": value, "at": "reserve"} for value in (1, 2, 3) for _ in range(8)]
        self.built: list[Thing] = []
        self.patents: list[Thing] = []
        self.postings: Counter[tuple[int, str, str]] = Counter()
        self.said: list[Said] = []

    def lay(self, position: Position) -> None:
        """What a position says of the table. Every building that stands was built once, and no other ever was."""
        self.round, self.first = position.round or 0, position.first or 1
        self.last = position.last or None
        self.event, self.next_event = position.event or "", position.next_event or ""
        self.put_token("event", position.event_token)
        self.put_token("next event", position.next_token)
        for space, dealt in enumerate(position.market or (), 1):
            if dealt is not None:
                self.market[space] = dealt.card
                for value in dealt.tokens:
                    self.put_token(f"market {space}", value)
        for value in position.discard or ():
            self.put_token("discard", value)
        for said in position.mats:
            self.lay_mat(said)
        for placed in position.workers or ():
            for worker in self.idle(placed.seat)[: placed.n]:
                worker["at"] = f"gap {placed.gap}"

    def lay_mat(self, said: MatAt) -> None:
        """What a position says of one seat: workers are those owned, whoever has no other place lies inactive."""
        seat, purse = said.seat, self.purse[said.seat]
        for what in purse:
            purse[what] = purse[what] if getattr(said, what) is None else getattr(said, what)
        owned = self.owned_workers(seat) if said.workers is None else said.workers
        active = owned if said.active is None else said.active
        mine = [worker for worker in self.workers if worker["seat"] == seat]
        for n, worker in enumerate(mine):
            worker["at"] = "start, active" if n < active else "start, inactive" if n < owned else "reserve"
        for slot, house in enumerate(said.buildings or (), 1):
            name = f"building {len(self.built) + 1}"
            where = {"name": name, "seat": seat, "slot": slot, "card": house.card}
            self.built.append({**where, "inclined": house.inclined, "stands": True})
            for worker in self.idle(seat)[: house.workers]:
                worker["at"] = name
        tilted = said.tilted or ()
        self.patents += [{"seat": seat, "card": card, "tilted": card in tilted} for card in said.techniques or ()]
        for value in said.kept or ():
            self.put_token(f"kept by {seat}", value)
        self.disc[seat] = said.residence or self.disc[seat]
        self.phase[seat] = said.phase or self.phase[seat]
        self.passed[seat], self.marked_event[seat] = bool(said.passed), bool(said.used_event)
        self.bonuses[seat] = self.bonuses[seat] if said.bonuses is None else [*said.bonuses]
        self.due += [seat] if said.bonus_due else []

    def idle(self, seat: int) -> list[Thing]:
        """The workers of a seat who lie beside the Start card; in their stead those of the Start card."""
        return self.workers_at(seat, "start, inactive") or self.workers_at(seat, "start, active")

    def put_token(self, at: str, value: int | None) -> None:
        if value is not None:
            next(t for t in self.tokens if t["at"] == "reserve" and t["value"] == value)["at"] = at

    def correct(self, seat: int, n: int) -> None:
        """A corrected score (S-7.3): where it passes 8 or 20 the bonus may be recorded, and nobody has to."""
        before = self.purse[seat]["points"]
        self.purse[seat]["points"] += n
        if before < (8 if len(self.bonuses[seat]) == 2 else 20) <= self.purse[seat]["points"] and self.bonuses[seat]:
            self.open.append(seat)

    def allows(self, act: Any) -> bool:
        """Whether an act may be done now, also a bonus that nobody waits for."""
        if isinstance(act, TakeBonus) and not self.due and not self.counted:
            return act.seat in self.open and act.bonus in self.bonuses[act.seat]
        if isinstance(act, RoundDealt | FinalCount):
            return self.turn()[0] == ("deal" if isinstance(act, RoundDealt) else "final")
        return act in self.may()

    # --- looking at the table ---------------------------------------------------------------------

    def printed(self, card: str, what: str) -> int:
        return int(self.sheet[card, what].value)

    def symbols(self, card: str) -> set[str]:
        return set(str(self.sheet[card, "symbols"].value).split("+")) - {""}

    def shows_token(self, card: str) -> bool:
        if card == "windfall":
            return True
        return (card, "token") in self.sheet and self.sheet[card, "token"].value == "yes"

    def track(self) -> list[int]:
        spaces = [what for of, what in self.sheet if of == "residence-track"]
        return [self.printed("residence-track", what) for what in sorted(spaces, key=_number_after_dash)]

    def residence_value(self, seat: int) -> int:
        return self.track()[self.disc[seat] - 1]

    def workers_at(self, seat: int, at: str) -> list[Thing]:
        return [worker for worker in self.workers if worker["seat"] == seat and worker["at"] == at]

    def owned_workers(self, seat: int) -> int:
        return sum(worker["seat"] == seat and worker["at"] != "reserve" for worker in self.workers)

    def workers_by_place(self, seat: int) -> dict[str, int]:
        """How many of this seat's seven workers are in each place."""
        return dict(Counter(worker["at"] for worker in self.workers if worker["seat"] == seat))

    def in_market(self, seat: int) -> int:
        return sum(worker["seat"] == seat and worker["at"].startswith("gap") for worker in self.workers)

    def crowd(self, space: int) -> int:
        """Workers in the gaps around a space, anyone's."""
        gaps = [f"gap {gap}" for gap in GAPS if str(space) in str(gap)]
        return sum(worker["at"] in gaps for worker in self.workers)

    def tokens_at(self, at: str) -> list[int]:
        return sorted(token["value"] for token in self.tokens if token["at"] == at)

    def buildings(self, seat: int) -> list[Thing]:
        """Those that stand, by slot."""
        standing = [house for house in self.built if house["seat"] == seat and house["stands"]]
        return sorted(standing, key=_slot)

    def building(self, seat: int, slot: int) -> Thing:
        return self.buildings(seat)[slot - 1]

    def workers_on(self, house: Thing) -> list[Thing]:
        return self.workers_at(house["seat"], house["name"])

    def techniques(self, seat: int) -> list[str]:
        return [patent["card"] for patent in self.patents if patent["seat"] == seat]

    def tilted(self, seat: int) -> list[str]:
        return [patent["card"] for patent in self.patents if patent["seat"] == seat and patent["tilted"]]

    def clockwise(self, after: int) -> list[int]:
        """All seats, the one after this one first."""
        return self.seats[after:] + self.seats[:after]

    def turn(self) -> tuple[str, int]:
        """S-5.1, S-7.3: what is waited for, and whom."""
        if self.round == 0:
            return "deal", 0
        for seat in self.clockwise(self.first - 1):
            if seat in self.due:
                return "choice", seat
        if self.counted:
            return "over", 0
        if all(self.passed.values()):
            return ("final", 0) if self.round == 6 else ("deal", 0)
        order = self.clockwise(self.first - 1) if self.last is None else self.clockwise(self.last)
        return "decision", next(seat for seat in order if not self.passed[seat])

    # --- prices (S-5.6) ---------------------------------------------------------------------------

    def site(self, seat: int) -> int:
        return self.ever_built(seat) if self.options.building_count == "ever-built" else len(self.buildings(seat))

    def ever_built(self, seat: int) -> int:
        return sum(house["seat"] == seat for house in self.built)

    def price(self, act: ActivateCard) -> int:
        """All the money that an activation takes, added up; asked before it is done."""
        card = self.market[act.space]
        printed = self.printed(card, "price")
        if act.over is not None and self.symbols(card) & self.symbols(self.building(act.seat, act.over)["card"]):
            printed = max(0, printed - 3)
        crowd = 0 if act.lobbying else self.crowd(act.space) - 1
        site = 0
        crane = "crane" in self.techniques(act.seat)
        if card in EFFECTS or card not in CHARACTERS + TECHNIQUES:
            site = self.site(act.seat) if act.over is None else 0
            if crane and act.over is None and self.options.crane_discount == "site":
                site = max(0, site - 3)
            if crane and act.over is None and self.options.crane_discount == "whole-cost":
                return max(0, printed + crowd + site - 3)
        token = 0
        if card in PAYING_A_TOKEN and not act.declined:
            token = act.commerce or act.token or 0
        return printed + crowd + site + token

    def spyrium_price(self, act: ActivateCard) -> int:
        return int(self.market[act.space] in {"apprentice", "engineer"} and not act.declined)

    # --- what may be done (S-5) -------------------------------------------------------------------

    def may(self) -> set[object]:
        """Every act that the player waited for may choose."""
        kind, seat = self.turn()
        if kind == "choice":
            return {TakeBonus(seat=seat, bonus=bonus) for bonus in ("worker", "money") if bonus in self.bonuses[seat]}
        acts: set[object] = set()
        entering = self.phase[seat] == 1
        if entering and self.workers_at(seat, "start, active"):
            acts |= {PlaceWorker(seat=seat, gap=gap) for gap in GAPS if self.cards_beside(gap)}
        if not self.marked_event[seat]:
            for enter in (False, True) if entering else (False,):
                acts |= {UseEvent(seat=seat, enter=enter, **details) for details in self._event_ways(seat, enter=enter)}
        acts |= self._activations(seat)
        for gap in GAPS:
            if self.workers_at(seat, f"gap {gap}"):
                spaces: list[int | None] = [*self.cards_beside(gap)]
                acts |= {GainMoney(seat=seat, gap=gap, space=space, enter=entering) for space in spaces or [None]}
        acts |= self._uses(seat)
        if not self.in_market(seat):
            acts.add(Pass(seat=seat, enter=entering))
        return acts

    def cards_beside(self, gap: int) -> list[int]:
        return [int(digit) for digit in str(gap) if int(digit) in self.market]

    def has_free(self, seat: int, technique: str) -> bool:
        """Owned, and not used in this round."""
        return technique in self.techniques(seat) and technique not in self.tilted(seat)

    def usable(self, seat: int, house: Thing, money: int = 0) -> list[int]:
        """The effects of a building for which everything is there."""
        found = []
        for number, (workers, spyrium, _, _) in enumerate(EFFECTS.get(house["card"], []), 1):
            idle = "automation" in self.techniques(seat) and house["card"].startswith("mine")
            enough = idle or len(self.workers_at(seat, "start, active")) >= workers
            if enough and self.purse[seat]["spyrium"] >= spyrium and self.purse[seat]["money"] >= money:
                found.append(number)
        return found

    def _uses(self, seat: int) -> set[object]:
        acts: set[object] = set()
        entering = self.phase[seat] == 1
        again = self.has_free(seat, "taylorism")
        for house in self.buildings(seat):
            slot = house["slot"]
            for effect in self.usable(seat, house):
                if not house["inclined"]:
                    acts.add(UseBuilding(seat=seat, slot=slot, effect=effect, enter=entering))
                elif again and self.options.taylorism_action != "chained":
                    acts.add(ReuseBuilding(seat=seat, slot=slot, effect=effect, enter=entering))
                if again and not house["inclined"] and self.options.taylorism_action != "own-use":
                    after = copy.deepcopy(self)
                    after.postings = Counter()
                    after.use(seat, slot, effect)
                    seconds = set(after.usable(seat, after.building(seat, slot)))
                    after.take_worker_at_once(seat)
                    seconds |= set(after.usable(seat, after.building(seat, slot)))
                    acts |= {
                        UseBuilding(seat=seat, slot=slot, effect=effect, again=second, enter=entering)
                        for second in seconds
                    }
        return acts

    def _event_ways(self, seat: int, *, enter: bool) -> Iterable[dict[str, Any]]:
        """S-8."""
        money, spyrium = self.purse[seat]["money"], self.purse[seat]["spyrium"]
        too_early = self.event == "latecomer" and self.phase[seat] == 1 and not enter
        if self.options.event_effect == "may-fizzle" and not too_early:
            yield {"declined": True}
        if self.event == "windfall" and self.tokens_at("event"):
            for chosen in (None, 1, 2, 3) if self.has_free(seat, "commerce") else (None,):
                for gain in ("money", "spyrium", "points"):
                    yield {"gain": gain, "commerce": chosen}
        elif self.event == "estate" and spyrium >= 1:
            yield from self._residence_ways(seat)
        elif self.event == "investment":
            yield from ({"choice": n} for n, (paid, _) in INVESTMENT.items() if money >= paid)
        elif self.event == "exchange":
            yield from ({"choice": n} for n, (paid, _) in EXCHANGE.items() if spyrium >= paid)
        elif self.event == "overtime":
            for house in self.buildings(seat):
                for effect in self.usable(seat, house, money=1) if house["inclined"] else []:
                    yield {"slot": house["slot"], "effect": effect}
        elif self.event == "recruitment" and self.owned_workers(seat) < 7 and money >= self.owned_workers(seat):
            yield {}
        elif self.event == "latecomer" and self.workers_at(seat, "start, active"):
            phase_two = enter or self.phase[seat] == 2
            yield from ({"gap": gap} for gap in GAPS if phase_two and self.cards_beside(gap))

    def _residence_ways(self, seat: int) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = [{"residence": "score"}]
        if self.disc[seat] < len(self.track()):
            ways.append({"residence": "move"})
        if self.options.residence_action == "may-decline":
            ways.append({"residence": "keep"})
        return ways

    def _activations(self, seat: int) -> set[object]:
        """Every activation that can be paid for (S-5.6, S-7.1, S-9.1)."""
        found: set[object] = set()
        for gap in GAPS:
            for space in self.cards_beside(gap) if self.workers_at(seat, f"gap {gap}") else []:
                for lobbying in (False, True) if self.has_free(seat, "lobbying") else (False,):
                    for details in self._ways(seat, space, self.market[space]):
                        act = ActivateCard(
                            seat=seat, gap=gap, space=space, enter=self.phase[seat] == 1, lobbying=lobbying, **details
                        )
                        money = self.price(act) <= self.purse[seat]["money"]
                        if money and self.spyrium_price(act) <= self.purse[seat]["spyrium"]:
                            found.add(act)
        return found

    def _ways(self, seat: int, space: int, card: str) -> Iterable[dict[str, Any]]:
        on_it = sorted(set(self.tokens_at(f"market {space}")))
        commerce = (None, 1, 2, 3) if on_it and self.has_free(seat, "commerce") else (None,)
        residences = self._residence_ways(seat)
        nothing: list[dict[str, Any]] = [{}]
        if card in TECHNIQUES:
            yield {}
        elif card in CHARACTERS:
            callable_ = bool(on_it) or not self.shows_token(card)
            if callable_ and self.options.character_effect == "may-decline":
                yield {"declined": True}
            ends = residences if card == "architect" else nothing
            if not self.shows_token(card):
                yield from ends
            for value in on_it:
                for chosen in commerce:
                    for end in ends:
                        yield {"token": value, "commerce": chosen, **end}
        else:
            for over in (None, *range(1, len(self.buildings(seat)) + 1)):
                for chosen in commerce:
                    for end in residences if card in RESIDENCES else nothing:
                        yield {"over": over, "commerce": chosen, **end}

    # --- moving things ----------------------------------------------------------------------------

    def post(self, seat: int, what: str, n: int, why: str) -> None:
        if n == 0:
            return
        self.postings[seat, what, why] += n
        if what == "residence":
            self.disc[seat] += n
        elif what in self.purse[seat]:
            self.purse[seat][what] += n

    def say(self, *fact: Any) -> None:
        self.said.append(fact)

    def new_workers(self, seat: int, wanted: int, why: str) -> None:
        """As many as the reserve holds, active on the Start card (S-1.1)."""
        coming = self.workers_at(seat, "reserve")[:wanted]
        for worker in coming:
            worker["at"] = "start, active"
        self.post(seat, "workers", len(coming), why)

    def leave_market(self, seat: int, gap: int) -> None:
        self.workers_at(seat, f"gap {gap}")[0]["at"] = "start, inactive"

    def tilt(self, seat: int, technique: str) -> None:
        for patent in self.patents:
            if patent["seat"] == seat and patent["card"] == technique:
                patent["tilted"] = True

    def residence_action(self, seat: int, way: str | None, cause: str = "effect") -> None:
        """S-7.2."""
        if way == "move":
            self.post(seat, "residence", 1, cause)
        elif way == "score":
            self.post(seat, "points", self.residence_value(seat), cause)

    def use_market_token(self, seat: int, space: int, value: int) -> None:
        """S-7.1, S-9.3.7: onto the Commerce card of who has one, else onto the discard pile."""
        token = next(t for t in self.tokens if t["at"] == f"market {space}" and t["value"] == value)
        token["at"] = "discard"
        if "commerce" in self.techniques(seat):
            room = len(self.tokens_at(f"kept by {seat}")) < 7
            if room or self.options.commerce_limit == "seven-points":
                token["at"] = f"kept by {seat}"
                self.say("TokenKept", seat, value)

    def gain_by_token(self, seat: int, what: str, value: int, commerce: int | None) -> None:
        self.post(seat, what, value, "token")
        if commerce is not None:
            self.post(seat, what, commerce - value, "commerce")
            self.tilt(seat, "commerce")

    def pay_by_token(self, seat: int, value: int, commerce: int | None) -> None:
        self.post(seat, "money", -value, "token")
        if commerce is not None:
            self.post(seat, "money", value - commerce, "commerce")
            self.tilt(seat, "commerce")

    def take_bonus(self, seat: int, bonus: str) -> None:
        """S-7.3."""
        self.bonuses[seat].remove(bonus)
        if bonus == "money":
            self.post(seat, "money", 5, "bonus")
        elif self.owned_workers(seat) < 7:
            self.new_workers(seat, 1, "bonus")
        elif self.options.bonus_worker_at_seven == "five-pounds":
            self.post(seat, "money", 5, "bonus")

    def take_worker_at_once(self, seat: int) -> None:
        """The bonus comes as soon as 8 or 20 are reached, so that its worker can be used in what is left of an act."""
        gained = any(who == seat and what == "points" and n > 0 for (who, what, _), n in self.postings.items())
        threshold = 8 if len(self.bonuses[seat]) == 2 else 20
        if gained and "worker" in self.bonuses[seat] and self.purse[seat]["points"] >= threshold:
            self.say("BonusTaken", seat, "worker")
            self.take_bonus(seat, "worker")

    def other_bonus(self, seat: int) -> None:
        """At 20 what is left goes by itself."""
        if self.purse[seat]["points"] >= 20 and len(self.bonuses[seat]) == 1:
            bonus = self.bonuses[seat][0]
            self.say("BonusTaken", seat, bonus)
            self.take_bonus(seat, bonus)

    def after_gains(self) -> None:
        for seat in self.seats:
            gained = any(who == seat and what == "points" and n > 0 for (who, what, _), n in self.postings.items())
            if not gained or seat in self.due:
                continue
            if len(self.bonuses[seat]) == 2 and self.purse[seat]["points"] >= 8:
                self.due.append(seat)
                self.say("BonusDue", seat)
            else:
                self.other_bonus(seat)

    # --- acts -------------------------------------------------------------------------------------

    def expected(self, act: object) -> tuple[Postings, Counter[Said]]:
        """What an act would do, the table left as it is."""
        return copy.deepcopy(self).play(act)

    def play(self, act: object) -> tuple[Postings, Counter[Said]]:
        self.postings = Counter()
        self.said = []
        if isinstance(act, RoundDealt):
            self.deal(act)
        elif isinstance(act, FinalCount):
            self.final_count()
        elif isinstance(act, TakeBonus):
            waiting = self.due if act.seat in self.due else self.open
            waiting.remove(act.seat)
            self.take_bonus(act.seat, act.bonus)
            self.other_bonus(act.seat)
        elif isinstance(act, PlaceWorker | GainMoney | ActivateCard | UseEvent | UseBuilding | ReuseBuilding | Pass):
            self.decide(act)
        else:
            raise TypeError(act)
        return {key: n for key, n in self.postings.items() if n}, Counter(self.said)

    def decide(
        self, act: PlaceWorker | GainMoney | ActivateCard | UseEvent | UseBuilding | ReuseBuilding | Pass
    ) -> None:
        seat = act.seat
        if not isinstance(act, PlaceWorker) and act.enter:
            self.phase[seat] = 2
        if isinstance(act, PlaceWorker):
            self.place(seat, act.gap)
        elif isinstance(act, GainMoney):
            self.gain_money(act)
        elif isinstance(act, ActivateCard):
            self.activate(act)
        elif isinstance(act, UseEvent):
            self.marked_event[seat] = True
            if not act.declined:
                self.use_event(act)
        elif isinstance(act, UseBuilding):
            self.use(seat, act.slot, act.effect)
            if act.again is not None:
                self.tilt(seat, "taylorism")
                if act.again not in self.usable(seat, self.building(seat, act.slot)):
                    self.take_worker_at_once(seat)
                self.use(seat, act.slot, act.again)
        elif isinstance(act, ReuseBuilding):
            self.tilt(seat, "taylorism")
            self.use(seat, act.slot, act.effect)
        else:
            self.passed[seat] = True
        self.last = seat
        self.after_gains()

    def place(self, seat: int, gap: int) -> None:
        self.workers_at(seat, "start, active")[0]["at"] = f"gap {gap}"

    def gain_money(self, act: GainMoney) -> None:
        """S-5.5, S-9.3.2."""
        self.leave_market(act.seat, act.gap)
        if act.space is not None:
            self.post(act.seat, "money", self.crowd(act.space), "gain")
        pays = act.space is not None or self.options.empty_gap_capitalization == "pays"
        if pays and "capitalization" in self.techniques(act.seat):
            self.post(act.seat, "money", 2, "capitalization")

    def activate(self, act: ActivateCard) -> None:
        """S-5.6."""
        seat, space = act.seat, act.space
        card = self.market[space]
        self.leave_market(seat, act.gap)
        crowd = self.crowd(space)
        printed = self.printed(card, "price")
        self.post(seat, "money", -printed, "price")
        self.post(seat, "money", -crowd, "crowd")
        if act.lobbying:
            self.post(seat, "money", crowd, "lobbying")
            self.tilt(seat, "lobbying")
        if card in CHARACTERS:
            if not act.declined:
                self.call_upon(act, card)
        elif card in TECHNIQUES:
            del self.market[space]
            self.patents.append({"seat": seat, "card": card, "tilted": False})
        else:
            self.construct(act, card, printed, 0 if act.lobbying else crowd)

    def call_upon(self, act: ActivateCard, card: str) -> None:
        """S-9.1."""
        seat = act.seat
        value = act.token or 0
        if self.shows_token(card):
            self.use_market_token(seat, act.space, value)
        if card == "miner":
            self.gain_by_token(seat, "spyrium", value, act.commerce)
        elif card == "bureaucrat":
            self.gain_by_token(seat, "points", value, act.commerce)
        elif card in PAYING_A_TOKEN:
            self.pay_by_token(seat, value, act.commerce)
        if card == "geologist":
            self.post(seat, "spyrium", 2, "effect")
        elif card in {"apprentice", "engineer"}:
            self.post(seat, "spyrium", -1, "effect")
        if card in {"apprentice", "adviser"}:
            self.post(seat, "points", 3, "effect")
        elif card in {"engineer", "banker"}:
            self.post(seat, "points", 4, "effect")
        elif card == "financier":
            self.post(seat, "points", 5, "effect")
        elif card == "architect":
            self.residence_action(seat, act.residence)

    def construct(self, act: ActivateCard, card: str, printed: int, crowd: int) -> None:
        """S-5.6.4; the crowd is what of it is paid."""
        seat = act.seat
        if act.over is None:
            site = self.site(seat)
            self.post(seat, "money", -site, "site")
            if "crane" in self.techniques(seat):
                whole = printed + crowd + site
                self.post(seat, "money", min(3, site if self.options.crane_discount == "site" else whole), "crane")
            slot = len(self.buildings(seat)) + 1
        else:
            slot = act.over
            old = self.building(seat, slot)
            if self.symbols(card) & self.symbols(old["card"]):
                self.post(seat, "money", min(3, printed), "symbol")
            homeless = self.workers_on(old)
            freed = self.options.replaced_workers == "active"
            for worker in homeless:
                worker["at"] = "start, active" if freed else "start, inactive"
            if freed and homeless:
                self.say("WorkersFreed", seat, len(homeless))
            old["stands"] = False
        del self.market[act.space]
        name = f"building {len(self.built) + 1}"
        self.built.append({"name": name, "seat": seat, "slot": slot, "card": card, "inclined": False, "stands": True})
        for value in self.tokens_at(f"market {act.space}"):
            self.use_market_token(seat, act.space, value)
            self.gain_by_token(seat, "spyrium" if "mine" in self.symbols(card) else "points", value, act.commerce)
        self.new_workers(seat, NEW_WORKERS.get(card, 0), "effect")
        if card in RESIDENCES:
            self.residence_action(seat, act.residence)

    def use(self, seat: int, slot: int, effect: int) -> None:
        """S-5.7 and, of an inclined building, S-5.9."""
        house = self.building(seat, slot)
        workers, spyrium, what, n = EFFECTS[house["card"]][effect - 1]
        if "automation" in self.techniques(seat) and house["card"].startswith("mine"):
            workers = 0
        house["inclined"] = True
        for worker in self.workers_at(seat, "start, active")[:workers]:
            worker["at"] = house["name"]
        if workers:
            self.say("WorkersSent", seat, slot, workers)
        self.post(seat, "spyrium", -spyrium, "effect")
        self.post(seat, what, n, "effect")
        if "engineering" in self.techniques(seat) and "factory" in self.symbols(house["card"]):
            self.post(seat, "points", workers, "engineering")

    def use_event(self, act: UseEvent) -> None:
        """S-8."""
        seat = act.seat
        if self.event == "windfall":
            value = self.tokens_at("event")[0]
            self.gain_by_token(seat, str(act.gain), value, act.commerce)
            kept = sum(token["at"] == f"kept by {seat}" for token in self.tokens)
            room = kept < 7 or self.options.commerce_limit == "seven-points"
            if self.options.commerce_event_token == "taken" and "commerce" in self.techniques(seat) and room:
                next(t for t in self.tokens if t["at"] == "event")["at"] = f"kept by {seat}"
                self.say("EventTokenTaken", seat)
        elif self.event == "estate":
            self.post(seat, "spyrium", -1, "event")
            self.residence_action(seat, act.residence, "event")
        elif self.event == "investment":
            paid, points = INVESTMENT[act.choice or 0]
            self.post(seat, "money", -paid, "event")
            self.post(seat, "points", points, "event")
        elif self.event == "exchange":
            paid, money = EXCHANGE[act.choice or 0]
            self.post(seat, "spyrium", -paid, "event")
            self.post(seat, "money", money, "event")
        elif self.event == "overtime":
            self.post(seat, "money", -1, "event")
            self.use(seat, act.slot or 0, act.effect or 0)
        elif self.event == "recruitment":
            owned = self.owned_workers(seat)
            self.post(seat, "money", -owned, "event")
            self.new_workers(seat, owned if self.options.recruitment_count == "one-per-pound" else 1, "event")
        elif self.event == "latecomer":
            self.place(seat, act.gap or 0)

    # --- rounds (S-4, S-6) ------------------------------------------------------------------------

    def deal(self, act: RoundDealt) -> None:
        if self.round:
            self.end_round()
        self.round += 1
        for seat in self.seats:
            self.post(seat, "money", self.residence_value(seat), "revenue")
            self.phase[seat], self.passed[seat], self.marked_event[seat] = 1, False, False
            for worker in self.workers:
                if worker["seat"] == seat and worker["at"] != "reserve":
                    worker["at"] = "start, active"
        for token in self.tokens:
            if token["at"] == "next event":
                token["at"] = "event"
        drawn: list[tuple[str, int]] = []
        if act.round == 1 and act.event_token is not None:
            drawn.append(("event", act.event_token))
        if act.next_token is not None:
            drawn.append(("next event", act.next_token))
        drawn.extend((f"market {space}", n) for space, dealt in enumerate(act.market, 1) for n in dealt.tokens)
        self.check_deal(act, len(drawn))
        self.draw(drawn)
        self.event, self.next_event = act.event, act.next_event
        self.market = {space: dealt.card for space, dealt in enumerate(act.market, 1)}
        self.last = None
        self.after_gains()

    def end_round(self) -> None:
        for token in self.tokens:
            if token["at"] == "event" or token["at"].startswith("market"):
                token["at"] = "discard"
        for thing in self.built + self.patents:
            thing["inclined" if "inclined" in thing else "tilted"] = False
        self.first = self.clockwise(self.first)[0]
        if self.options.taylorism_scores == "end-of-round":
            for seat in self.seats:
                if "taylorism" in self.techniques(seat):
                    self.post(seat, "points", min(7, self.owned_workers(seat)), "taylorism")

    def draw(self, drawn: list[tuple[str, int]]) -> None:
        """S-4.5, a deal's draws in one batch."""
        reserve = len(self.tokens_at("reserve"))
        when_empty = self.options.token_reshuffle == "when-empty"
        if len(drawn) > reserve or (when_empty and drawn and len(drawn) == reserve):
            self.say("TokensReturned")
            for token in self.tokens:
                if token["at"] == "discard":
                    token["at"] = "reserve"
        for at, value in drawn:
            next(t for t in self.tokens if t["at"] == "reserve" and t["value"] == value)["at"] = at

    def check_deal(self, act: RoundDealt, drawn: int) -> None:
        """What a deal must be, whoever dealt it (S-3, S-4.2, S-4.3, S-6.4)."""
        wanted = sum(
            len(self.seats) - 1 if dealt.card in CHARACTERS else 1
            for dealt in act.market
            if self.shows_token(dealt.card)
        )
        wanted += self.shows_token(act.next_event) + (act.round == 1 and self.shows_token(act.event))
        there = len(self.tokens_at("reserve")) + len(self.tokens_at("discard"))
        period = "aaabbc"[self.round - 1]
        wrong = [
            complaint
            for complaint, held in (
                ("round", act.round == self.round),
                ("first player", act.first == self.first),
                ("event", self.round == 1 or act.event == self.next_event),
                ("event token", self.round == 1 or [act.event_token or 0] == (self.tokens_at("event") or [0])),
                ("nine cards", len(act.market) == 9),
                ("period", all(self.printed(dealt.card, f"copies-{period}") for dealt in act.market)),
                ("as many tokens as there are", drawn == min(wanted, there)),
                ("tokens only where shown", all(self.shows_token(d.card) for d in act.market if d.tokens)),
            )
            if not held
        ]
        if wrong:
            raise AssertionError(f"a deal with another {', '.join(wrong)}: {act}")

    # --- the end (S-10) ---------------------------------------------------------------------------

    def worth(self, seat: int) -> dict[str, int]:
        """What each technique would count at the end, were there no limit (S-9.3)."""
        houses = [house["card"] for house in self.buildings(seat)]
        factories = [self.printed(card, "points") for card in houses if "factory" in self.symbols(card)]
        by_count = self.options.engineering_scores == "count"
        return {
            "automation": self.purse[seat]["spyrium"],
            "capitalization": self.purse[seat]["money"] // 2,
            "engineering": len(factories) if by_count else sum(factories),
            "lobbying": self.residence_value(seat),
            "crane": len(houses) if self.options.crane_scores == "owned" else self.ever_built(seat),
            "taylorism": self.owned_workers(seat),
            "commerce": len(self.tokens_at(f"kept by {seat}")),
        }

    def final_parts(self, seat: int) -> dict[str, int]:
        worth = self.worth(seat)
        parts = {"buildings": sum(self.printed(house["card"], "points") for house in self.buildings(seat))}
        parts |= {name: min(7, worth[name]) for name in self.techniques(seat)}
        return {name: n for name, n in parts.items() if n}

    def totals(self) -> dict[int, int]:
        """The scores after the final count."""
        return {
            seat: self.purse[seat]["points"] + (0 if self.counted else sum(self.final_parts(seat).values()))
            for seat in self.seats
        }

    def places(self) -> dict[int, int]:
        """S-10.3: ties share."""
        totals = self.totals()
        return {seat: 1 + sum(other > mine for other in totals.values()) for seat, mine in totals.items()}

    def final_count(self) -> None:
        for seat in self.seats:
            for name, n in self.final_parts(seat).items():
                self.post(seat, "points", n, f"final:{name}")
        self.counted = True
        if self.options.bonus_in_final_scoring == "yes":
            self.after_gains()


def _slot(house: Thing) -> int:
    return int(house["slot"])


def _number_after_dash(what: str) -> int:
    return int(what.rsplit("-", 1)[1])
