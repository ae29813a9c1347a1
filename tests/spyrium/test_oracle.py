"""Random games, every event of them told twice: by the project and by the oracle.

`python -m tests.spyrium.test_oracle 2000` runs the long campaign and prints what it has compared.
"""

from __future__ import annotations

import random
import sys
import time
import typing
from collections import Counter
from collections.abc import Sequence
from typing import Any

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Effects, FinalCount, Resynced
from spyrium_log.title import Table as Setting
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    BuildingAt,
    GainMoney,
    MatAt,
    PlaceWorker,
    Position,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.options import Options
from tests.games import draw_options
from tests.shares import part
from tests.spyrium.oracle import CHARACTERS, EFFECTS, TECHNIQUES, Postings, Said, Table

GAMES = part(100, 4)
COSTS = ("price", "symbol", "crowd", "lobbying", "site", "crane", "token", "commerce")
CHOICES = {name: typing.get_args(kind) for name, kind in typing.get_type_hints(Options).items()}
# What some games see more of than a fair shuffle would show them.
FAVOURITES: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset(TECHNIQUES),
    frozenset(TECHNIQUES) | frozenset(EFFECTS),
    frozenset({"commerce", "windfall", "miner", "bureaucrat", "banker", "architect", "financier", "mine-3"}),
    frozenset({"windfall", "miner", "bureaucrat", "architect", "banker", "university-1", "university-2", "mine-3"}),
    frozenset({"taylorism", "overtime", "engineering", "automation", "mine-1", "mine-2", "factory-1", "latecomer"}),
    frozenset({"crane", "lobbying", "recruitment", "neighbourhood-1", "neighbourhood-2", "estate", "residence-1"}),
)


class DisagreementError(AssertionError):
    """The project and the oracle tell one event in two ways."""


def options(rng: random.Random, *, plain: bool) -> Options:
    if plain:
        return Options()
    return draw_options(Options, rng)


def sheet(rng: random.Random) -> Sheet:
    """The sheet, or one with other prices, points, shared symbols and another track."""
    plain = SPYRIUM.sheet()
    if rng.random() < 0.7:
        return plain
    readings = []
    for row in plain.printed:
        value: int | str = row.value
        if row.what == "price" and rng.random() < 0.3:
            value = rng.randrange(0, 8)
        elif row.what == "points" and rng.random() < 0.3:
            value = rng.randrange(0, 10)
        elif row.what == "symbols" and row.value == "" and rng.random() < 0.3:
            value = rng.choice(("mine", "factory", "research", "factory+research"))
        elif row.of == "residence-track" and row.what != "space-1" and rng.random() < 0.3:
            value = int(row.value) + 1
        readings.append(Printed(of=row.of, what=row.what, value=value, source="read"))
    return plain.with_readings(*readings)


class Dealer:
    """Draws with favourites."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.favourites = rng.choice(FAVOURITES)

    def __call__(self, pool: Sequence[Any], k: int) -> list[Any]:
        def luck(thing: Any) -> float:
            return self.rng.random() ** (1 / 6 if thing in self.favourites else 1)

        shuffled = sorted(((luck(thing), n) for n, thing in enumerate(pool)), reverse=True)
        return [pool[n] for _, n in shuffled[:k]]


class Player:
    """Picks a kind of act first, then one of that kind, so that much is bought and used and little is passed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.taste = {
            "PlaceWorker": rng.uniform(3, 12),
            "GainMoney": rng.uniform(0.5, 3),
            "ActivateCard": rng.uniform(4, 12),
            "UseEvent": rng.uniform(1, 6),
            "UseBuilding": rng.uniform(2, 12),
            "ReuseBuilding": rng.uniform(4, 12),
            "Pass": 0.2,
            "TakeBonus": 1,
        }
        self.thrift = rng.choice((0.0, 1.0, 6.0))
        self.keen: dict[int, int] = {}

    def __call__(self, legal: Sequence[Any], techniques: frozenset[str]) -> Any:
        kinds: dict[str, list[Any]] = {}
        for act in legal:
            kinds.setdefault(type(act).__name__, []).append(act)
        names = list(kinds)
        kind = self.rng.choices(names, [self.taste[name] for name in names])[0]
        return self.rng.choices(kinds[kind], [self.love(act, techniques) for act in kinds[kind]])[0]

    def love(self, act: Any, techniques: frozenset[str]) -> float:
        love = 1.0
        if isinstance(act, ActivateCard):
            love += self.thrift * (act.over is None) + 4 * act.lobbying + 0.5 * (act.commerce is not None)
            love *= 0.2 if act.declined else 1.0
            # Two cards in nine or so are techniques, but a building can be built over each other one.
            love += self.keen.get(act.space, 0)
        elif isinstance(act, PlaceWorker):
            love += sum(self.keen.get(int(space), 0) for space in str(act.gap)) / 2
        elif isinstance(act, UseEvent):
            love *= 0.1 if act.declined else 1.0
        elif isinstance(act, UseBuilding):
            love += 3 * (act.again is not None) + 2 * (act.effect == 2) + ("automation" in techniques)
        return love


def told(effects: Effects | None) -> tuple[Postings, Counter[Said]]:
    """What the project says, in the oracle's words."""
    assert effects is not None
    sums: Counter[tuple[int, str, str]] = Counter()
    for posting in effects.moved:
        if posting.n == 0:
            raise DisagreementError(f"a zero posting is never written, found {posting}")
        sums[posting.who, posting.what, posting.why] += posting.n
    facts = Counter(
        (type(fact).__name__, *(getattr(fact, name) for name in fact.__struct_fields__ if name != "seen"))
        for fact in effects.facts
    )
    return {key: n for key, n in sums.items() if n}, facts


def view_tokens(state: Any) -> list[int]:
    view: Any = SPYRIUM.screens.view(state)
    return [*view.reserve, *view.discard]


class Game:
    """One random game on two tables."""

    def __init__(self, seed: int, counts: Counter[str], *, curiosity: float = 0.06) -> None:
        self.rng = random.Random(seed)
        self.name = f"game {seed}"
        self.counts = counts
        self.curiosity = curiosity
        rng = self.rng
        seats = rng.randint(2, 5)
        self.options = options(rng, plain=rng.random() < 0.5)
        self.sheet = sheet(rng)
        start = dict(SPYRIUM.start)
        if rng.random() < 0.3:
            start |= {"money": rng.randrange(10, 60), "spyrium": rng.randrange(0, 15)}
        # Tokens come to a Commerce card one by one: the eighth is only seen by who is out for them.
        self.collects = rng.random() < 0.12
        if self.collects:
            start |= {"money": 150, "spyrium": 10}
        first = rng.randint(1, seats)
        self.oracle = Table(seats=seats, first=first, options=self.options, sheet=self.sheet.rows_by_key(), start=start)
        self.state = SPYRIUM.setup(
            Setting(start=(tuple(start.items()),) * seats, first=first, options=self.options, sheet=self.sheet)
        )
        self.dealer = Dealer(rng)
        self.player = Player(rng)
        if rng.random() < 0.08:
            # Who does little ends under 8 points, and several may then reach them by the final count.
            self.player.taste |= {"PlaceWorker": 1.0, "UseBuilding": 0.1, "UseEvent": 0.1, "Pass": 20.0}
        if self.collects:
            self.dealer.favourites = FAVOURITES[3]
            self.player.taste |= {"ActivateCard": 40.0, "PlaceWorker": 40.0}
        self.events = 0
        counts[f"seats {seats}"] += 1
        for name in CHOICES:
            counts[f"games with {name}={getattr(self.options, name)}"] += 1

    def hand_out(self) -> None:
        """Techniques for everybody, tokens on Commerce, towns, a disc far right: a position, not a game's way."""
        techniques = self.rng.sample(TECHNIQUES, 7)
        mats = []
        for n, seat in enumerate(self.oracle.seats):
            mine = tuple(techniques[n :: len(self.oracle.seats)])
            kept: list[int] = []
            if "commerce" in mine:
                reserve = [token for token in self.oracle.tokens if token["at"] == "reserve"]
                for token in self.rng.sample(reserve, min(len(reserve), self.rng.randrange(5, 8))):
                    token["at"] = f"kept by {seat}"
                    kept.append(token["value"])
            self.oracle.patents += [{"seat": seat, "card": card, "tilted": False} for card in mine]
            # How much was ever built is no part of a position.
            town: list[str] = []
            if self.options.building_count == "owned" and self.rng.random() < 0.5:
                town = self.rng.choices([*EFFECTS, "palace", "residence-1"], k=self.rng.randrange(2, 9))
            for slot, card in enumerate(town, 1):
                house = {"seat": seat, "slot": slot, "card": card, "inclined": False, "stands": True}
                self.oracle.built.append({"name": f"building {len(self.oracle.built) + 1}", **house})
            disc = self.oracle.disc[seat] = self.rng.randint(1, len(self.oracle.track()))
            buildings = tuple(BuildingAt(card=card) for card in town)
            mats.append(MatAt(seat=seat, techniques=mine, kept=tuple(kept), buildings=buildings, residence=disc))
        act: Any = Resynced(position=Position(mats=tuple(mats)), why="techniques for everybody")
        SPYRIUM.evolve(self.state, act, (), ())
        self.counts["games with techniques for everybody"] += 1
        self.compare_tables(act)

    def play(self) -> None:
        self.step(SPYRIUM.deal(self.state, self.dealer))
        if self.rng.random() < 0.25:
            self.hand_out()
        while True:
            self.compare("whose turn", self.oracle.turn(), self._awaited(), None)
            kind = SPYRIUM.awaits(self.state).kind
            if kind == "over":
                break
            act = self._next(kind)
            self.step(act)
        self.compare_scores("scores at the end")

    def _awaited(self) -> tuple[str, int]:
        awaited = SPYRIUM.awaits(self.state)
        return awaited.kind, awaited.seat

    def _next(self, kind: str) -> Any:
        if kind == "deal":
            return SPYRIUM.deal(self.state, self.dealer)
        if kind == "final":
            for seat in self.oracle.seats:
                for technique in self.oracle.techniques(seat):
                    over = self.oracle.worth(seat)[technique] > 7
                    self.counts[f"rare: {technique} worth more than 7"] += over
            self.compare_scores("scores before the final count")
            return FinalCount()
        legal: Sequence[Any] = SPYRIUM.legal(self.state)
        if self.rng.random() < self.curiosity:
            self.compare_legal(legal)
        self.player.keen = {space: self._keen(space, card) for space, card in self.oracle.market.items()}
        mine = frozenset(self.oracle.techniques(legal[0].seat))
        twice = [space for space, card in self.oracle.market.items() if card in mine]
        legal = [act for act in legal if not isinstance(act, ActivateCard) or act.space not in twice]
        return self.player(legal, mine)

    def _keen(self, space: int, card: str) -> int:
        if self.collects:
            return 60 if card == "commerce" else 12 * bool(self.oracle.tokens_at(f"market {space}"))
        return 6 * (card in TECHNIQUES)

    def step(self, act: Any) -> None:
        self.count(act)
        rare = self._rare(act)
        effects = SPYRIUM.effects(self.state, act)
        if isinstance(act, ActivateCard):
            self.compare_price(act, effects)
        moved, facts = told(effects)
        expected = self.oracle.play(act)
        self.compare("postings", expected[0], moved, act)
        self.compare("facts", expected[1], facts, act)
        assert effects is not None
        SPYRIUM.evolve(self.state, act, effects.moved, effects.facts)
        self.events += 1
        self.counts["events compared"] += 1
        for _, what, why in moved:
            self.counts[f"cause {what}:{why}"] += 1
        for said in facts:
            self.counts[f"fact {said[0]}"] += 1
        self.compare_tables(act)
        if facts["TokensReturned",] and not sum(view_tokens(self.state)):
            rare.append("the reserve and the discard pile are both empty")
        if any(said[0] == "BonusDue" for said in facts):
            rare.append(f"a bonus due by {type(act).__name__}")
        if any(said[0] == "BonusTaken" for said in facts):
            rare.append(f"a bonus by itself by {type(act).__name__}")
        rare += ["several bonuses due at once"] * (len(self.oracle.due) > 1)
        for what in rare:
            self.counts[f"rare: {what}"] += 1

    def _rare(self, act: Any) -> list[str]:
        """Corners worth knowing to have been turned, seen before the act."""
        oracle, rare = self.oracle, []
        kept = len(oracle.tokens_at(f"kept by {act.seat}")) if hasattr(act, "seat") else 0
        if isinstance(act, RoundDealt):
            left = len(oracle.tokens_at("reserve"))
            drawn = sum(len(dealt.tokens) for dealt in act.market) + (act.next_token is not None)
            rare += ["a deal that takes exactly the reserve"] * (drawn == left)
            rare += ["round with no event token for windfall"] * (act.event == "windfall" and not act.event_token)
            starved = any(oracle.shows_token(dealt.card) and not dealt.tokens for dealt in act.market)
            rare += ["a card that got no token"] * starved
        elif isinstance(act, TakeBonus):
            rare += ["bonus worker chosen with seven"] * (act.bonus == "worker" and oracle.owned_workers(act.seat) == 7)
        elif isinstance(act, GainMoney):
            owner = "capitalization" in oracle.techniques(act.seat)
            rare += ["money between two empty spaces"] * (act.space is None)
            rare += ["money between two empty spaces with Capitalization"] * (owner and act.space is None)
        elif isinstance(act, ActivateCard):
            card = oracle.market[act.space]
            own = "commerce" in oracle.techniques(act.seat)
            uses = act.token or (card not in CHARACTERS and oracle.tokens_at(f"market {act.space}"))
            rare += ["an eighth token with Commerce"] * bool(own and uses and kept >= 7)
            sites = (len(oracle.buildings(act.seat)), sum(house["seat"] == act.seat for house in oracle.built))
            rare += ["a site for more than the buildings that stand"] * (
                act.over is None and oracle.site(act.seat) > sites[0]
            )
            rare += ["neighbourhood with less than two workers in reserve"] * (
                card.startswith("neighbourhood") and oracle.owned_workers(act.seat) > 5
            )
            rare += ["built over workers"] * bool(act.over and oracle.workers_on(oracle.building(act.seat, act.over)))
            rare += ["price of a discounted card under 3"] * bool(
                act.over
                and oracle.printed(card, "price") < 3
                and oracle.symbols(card) & oracle.symbols(oracle.building(act.seat, act.over)["card"])
            )
        elif isinstance(act, UseEvent) and not act.declined:
            own = "commerce" in oracle.techniques(act.seat)
            taken = self.options.commerce_event_token == "taken"
            rare += ["event token taken with seven kept"] * (taken and own and oracle.event == "windfall" and kept >= 7)
            rare += ["recruitment with six or more"] * (
                oracle.event == "recruitment" and oracle.owned_workers(act.seat) >= 6
            )
        return rare

    def compare(self, what: str, expected: object, found: object, act: object) -> None:
        if expected != found:
            raise DisagreementError(
                f"{self.name}, event {self.events + 1}, {what}\n  act      {act}\n"
                f"  expected {expected}\n  found    {found}\n  options  {self.options}"
            )

    def compare_price(self, act: ActivateCard, effects: Effects | None) -> None:
        assert effects is not None
        price = self.oracle.price(act)
        paid = -sum(p.n for p in effects.moved if p.what == "money" and p.why in COSTS)
        self.compare("price", price, paid, act)
        self.compare("money missing", 0, max(0, price - self.oracle.purse[act.seat]["money"]), act)

    def compare_legal(self, legal: Sequence[Any]) -> None:
        """The list of what may be done, and the effects of a dozen of it."""
        expected = self.oracle.may()
        self.compare("legal, not offered", set(), expected - set(legal), None)
        self.compare("offered, not legal", set(), set(legal) - expected, None)
        self.compare("offered once", len(expected), len(legal), None)
        self.counts["lists of legal acts compared"] += 1
        for act in self.rng.sample(list(legal), min(12, len(legal))):
            effects = SPYRIUM.effects(self.state, act)
            if isinstance(act, ActivateCard):
                self.compare_price(act, effects)
            self.compare("effects of another act", self.oracle.expected(act), told(effects), act)
            self.counts["acts compared, not played"] += 1

    def compare_tables(self, act: Any) -> None:
        view: Any = SPYRIUM.screens.view(self.state)
        oracle = self.oracle
        for space in view.market:
            self.compare("card", oracle.market.get(space.space, ""), space.card, act)
            self.compare("crowd", oracle.crowd(space.space), space.crowd, act)
            tokens = oracle.tokens_at(f"market {space.space}")
            self.compare("tokens", tokens, sorted(space.tokens), act)
        for pile in ("reserve", "discard"):
            there = oracle.tokens_at(pile)
            self.compare(pile, tuple(there.count(n) for n in (1, 2, 3)), getattr(view, pile), act)
        event_token = oracle.tokens_at("event") or [0]
        next_token = oracle.tokens_at("next event") or [0]
        expected = (oracle.round, oracle.first, oracle.event, *event_token, oracle.next_event, *next_token)
        found = (view.round, view.first, view.event, view.event_token, view.next_event, view.next_token)
        self.compare("round and event", expected, found, act)
        for mat in view.mats:
            self.compare("seat", self._mat(mat.seat), self._seen(mat), act)

    def _mat(self, seat: int) -> dict[str, object]:
        oracle = self.oracle
        places = oracle.workers_by_place(seat)
        return {
            **oracle.purse[seat],
            "workers": 7 - places.get("reserve", 0),
            "active": places.get("start, active", 0),
            "inactive": places.get("start, inactive", 0),
            "in_market": sum(n for place, n in places.items() if place.startswith("gap")),
            "residence": oracle.residence_value(seat),
            "phase": oracle.phase[seat],
            "passed": oracle.passed[seat],
            "used_event": oracle.marked_event[seat],
            "buildings": [
                (house["slot"], house["card"], house["inclined"], places.get(house["name"], 0))
                for house in oracle.buildings(seat)
            ],
            "techniques": sorted(oracle.techniques(seat)),
            "tilted": sorted(oracle.tilted(seat)),
            "kept": oracle.tokens_at(f"kept by {seat}"),
            "bonuses": sorted(oracle.bonuses[seat]),
            "bonus_due": seat in oracle.due,
        }

    def _seen(self, mat: Any) -> dict[str, object]:
        lists = ("techniques", "tilted", "kept", "bonuses")
        not_compared = {"seat", "residence_step", "residence_is_assumed", *lists}
        other = set(mat.__struct_fields__) - not_compared
        return {
            **{name: getattr(mat, name) for name in other},
            "buildings": [(house.slot, house.card, house.inclined, house.workers) for house in mat.buildings],
            **{name: sorted(getattr(mat, name)) for name in lists},
        }

    def compare_scores(self, when: str) -> None:
        totals, places = self.oracle.totals(), self.oracle.places()
        for score in SPYRIUM.score(self.state):
            seat = score.seat
            parts = {} if self.oracle.counted else self.oracle.final_parts(seat)
            expected = (self.oracle.purse[seat]["points"], parts, totals[seat], places[seat])
            final = {name.removeprefix("final:"): n for name, n in score.final if n}
            self.compare(when, expected, (score.points, final, score.total, score.place), seat)
        self.counts["final scores compared"] += self.oracle.counted

    def count(self, act: Any) -> None:
        self.counts[f"act {type(act).__name__}"] += 1
        if isinstance(act, ActivateCard):
            card = self.oracle.market[act.space]
            self.counts[f"card {card}"] += 1
            self.counts["activations with Lobbying"] += act.lobbying
            self.counts["activations with Commerce's value"] += act.commerce is not None
            self.counts["characters declined"] += act.declined
            self.counts["buildings built over"] += act.over is not None
            self.counts["new sites"] += act.over is None and card not in CHARACTERS + TECHNIQUES
        elif isinstance(act, UseEvent):
            self.counts[f"event {self.oracle.event}{', fizzled' if act.declined else ''}"] += 1
            self.counts["events with Commerce's value"] += act.commerce is not None
        elif hasattr(act, "slot"):
            house = self.oracle.building(act.seat, act.slot)
            self.counts[f"use {house['card']}/{act.effect}"] += 1
            self.counts["chained reuses"] += getattr(act, "again", None) is not None
        if hasattr(act, "seat"):
            for technique in self.oracle.techniques(act.seat):
                self.counts[f"acts of an owner of {technique}"] += 1


def campaign(games: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """So many games; what was compared, and every disagreement (one a game, for there it ends)."""
    counts: Counter[str] = Counter()
    disagreements = []
    for n in range(games):
        try:
            Game(seed + n, counts).play()
        except DisagreementError as found:
            disagreements.append(str(found))
    counts["games"] = games
    return counts, disagreements


def test_the_oracle_and_the_project_tell_the_same_games(counts: Counter[str]) -> None:
    compared, disagreements = campaign(GAMES)
    assert not disagreements, "\n".join(disagreements[:3])
    # Whatever comes to be written never, has not been compared.
    for word in ("TokensReturned", "TokenKept", "BonusDue", "BonusTaken", "WorkersSent", "WorkersFreed"):
        assert compared[f"fact {word}"], word
    assert all(compared[f"acts of an owner of {technique}"] for technique in TECHNIQUES)
    assert compared["final scores compared"] == GAMES
    counts.update({f"oracle: {name}": compared[name] for name in ("games", "events compared")})


def main() -> int:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = time.perf_counter()
    counts, disagreements = campaign(games, seed)
    for name, n in sorted(counts.items()):
        print(f"{n:9,}  {name}")
    for found in disagreements[:20]:
        print(found)
    print(f"{len(disagreements)} disagreements in {games} games, {time.perf_counter() - began:.0f} s")
    return bool(disagreements)


if __name__ == "__main__":
    sys.exit(main())
