"""Laws of points and income: what is printed is credited or lost, and nothing else (F-4.3, F-8, F-11.2, F-12.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from spyrium_log.title import FinalCount
from spyrium_log.titles.founders.effects import Completed, Delivered, GoalMet, Scored
from spyrium_log.titles.founders.ground import cell_of, name_of
from spyrium_log.titles.founders.moves import BuildTile
from spyrium_log.titles.founders.state import State, Structure
from tests.founders.laws_moment import Moment, find_tile, is_tile, owned, seats_of

CASCADE = ("built", "delivered", "passed", "lost")
NEUTRAL_LOSS = 2
COINS_A_POINT = 4


def _suppliers(state: State, tile: Structure) -> list[tuple[Structure, int]]:
    """Each tile that supplied this one, with the flag printed beside that input."""
    recipe = state.printed.recipes.get(tile.kind)
    found = []
    for index, cell in enumerate(tile.inputs):
        supplier = find_tile(state, cell)
        flag = recipe.flags[index] if recipe and recipe.flags else None
        if supplier is not None and flag is not None:
            found.append((supplier, flag))
    return found


def check_printed_points(moment: Moment) -> int:
    """F-8: what is credited for a tile or a delivery is what is printed; what is passed on comes out of nothing."""
    state = moment.after
    printed_at_build = 0
    if isinstance(moment.act, BuildTile) and (tile := find_tile(state, cell_of(moment.act.cells[0]))):
        printed_at_build = sum(flag for supplier, flag in _suppliers(state, tile) if supplier.owner)
    printed_needs = 0
    for fact in moment.facts_of(Delivered):
        printed_needs += dict(state.printed.prestige[fact.building].needs or ())[fact.resource] or 0
    assert moment.sum_points("built") == printed_at_build, f"{printed_at_build} points are printed on the tile"
    assert moment.sum_points("delivered") == printed_needs, f"{printed_needs} points are printed on the buildings"
    assert moment.sum_points("passed") == 0, "points came out of passing on"
    return len(moment.facts_of(Delivered)) + isinstance(moment.act, BuildTile)


def check_cascades(moment: Moment) -> int:
    """F-8.2, F-8.3: of each amount, what everybody kept and what was lost sum to it, and the postings say the same."""
    cascades = _split_cascades(moment)
    credits_of: Counter[int] = Counter()
    lost = 0
    for nodes in cascades:
        kept = 0
        for node in nodes:
            tile = find_tile(moment.after, cell_of(node.at))
            assert tile is not None, f"nothing lies on {node.at}"
            assert tile.owner == node.seat, f"seat {node.seat} scores for {node.at}"
            neutral = sum(not supplier.owner for supplier, _ in _suppliers(moment.after, tile))
            assert node.lost == NEUTRAL_LOSS * neutral, f"{node.at} has {neutral} neutral inputs and loses {node.lost}"
            own = node.n if node is not nodes[0] and _is_own_link(moment.after, node) else 0
            credits_of[node.seat] += node.kept - own
            kept += node.kept - own
            lost += node.lost
        assert kept + sum(node.lost for node in nodes) == nodes[0].n, f"{nodes[0].n} points, and {kept} of them kept"
        _check_passing(moment.after, nodes)
    for seat in seats_of(moment.after):
        posted = moment.sum_points(*CASCADE, who=seat)
        assert posted == credits_of[seat], f"seat {seat} kept {credits_of[seat]} points and was credited {posted}"
    assert moment.sum_points("lost") == -lost, f"{lost} points were lost"
    return len(cascades)


def _split_cascades(moment: Moment) -> list[list[Scored]]:
    """The nodes of each cascade, the first of which is the tile that delivered, or supplied what was built."""
    cascades: list[list[Scored]] = []
    cards = {building.card for building in moment.after.buildings}
    root = moment.act.cells[0] if isinstance(moment.act, BuildTile) else ""
    built = find_tile(moment.after, cell_of(root))
    for fact in moment.facts:
        if isinstance(fact, Delivered):
            # behind the first delivery what goes into the new tile is passed on
            built = None
        if isinstance(fact, Scored):
            if fact.into in cards or (built is not None and cell_of(fact.into) in built.cells):
                cascades.append([])
            assert cascades, f"{fact.at} scores for nothing"
            cascades[-1].append(fact)
    return cascades


def _is_own_link(state: State, node: Scored) -> bool:
    """Whether the amount goes from a tile to another one of the same owner."""
    into = find_tile(state, cell_of(node.into))
    return into is not None and into.owner == node.seat


def _check_passing(state: State, nodes: Sequence[Scored]) -> None:
    """Each tile passes on the flags of its inputs: to every owner, or by one reading to every other owner."""
    expected = Counter({(nodes[0].at, nodes[0].n): 1})
    for node in nodes:
        tile = find_tile(state, cell_of(node.at))
        for supplier, flag in _suppliers(state, tile) if tile else ():
            if supplier.owner and (state.options.own_link == "passes" or supplier.owner != node.seat):
                expected[name_of(min(supplier.cells)), flag] += 1
    found = Counter((node.at, node.n) for node in nodes)
    assert found == expected, f"passed on: {dict(found)}, by the flags: {dict(expected)}"


def check_income(moment: Moment) -> int:
    """F-4.3: income is the number of different resources that one owns on the board."""
    state = moment.after
    for seat in seats_of(state):
        firsts: dict[str, Structure] = {}
        for tile in filter(is_tile, owned(state, seat)):
            firsts.setdefault(tile.kind, tile)
        if state.options.rival_built_income == "stays":
            firsts = {kind: tile for kind, tile in firsts.items() if moment.past.builders[tile.name] == seat}
        income = state.mats[seat].income
        assert income == len(firsts), f"seat {seat} has an income of {income} and owns {sorted(firsts)}"
    return state.seats


def check_purses(moment: Moment) -> int:
    """Nobody pays what he does not have: coins, influence and income are never negative."""
    for seat in seats_of(moment.after):
        mat = moment.after.mats[seat]
        purse = {"money": mat.money, "fleeting": mat.fleeting, "lasting": mat.lasting, "income": mat.income}
        assert min(purse.values()) >= 0, f"seat {seat} has {purse}"
    nobody = moment.after.mats[0]
    assert not any((nobody.money, nobody.fleeting, nobody.points)), "something went to a seat that does not exist"
    return moment.after.seats


def check_completions(moment: Moment) -> int:
    """F-8.5, F-11.1: one marker a complete building, put down as it is completed."""
    before = {building.card for building in moment.before.buildings if building.complete}
    after = {building.card for building in moment.after.buildings if building.complete}
    facts = [fact.building for fact in moment.facts_of(Completed)]
    assert sorted(facts) == sorted(after - before), f"completed: {facts}, and complete now: {sorted(after - before)}"
    assert moment.after.markers == len(after), "the completion markers are not those of complete buildings"
    return len(facts)


def check_goals(moment: Moment) -> int:
    """F-12.2: who meets an achievement gets what is printed on it; the mid-game one is gone by the next turn."""
    met = moment.facts_of(GoalMet)
    decks = ("immediate", "mid")
    for deck, card in zip(decks, moment.before.goals, strict=False):
        seats = [fact.seat for fact in met if fact.deck == deck]
        assert len(set(seats)) == len(seats), f"seat {seats} met one achievement twice"
        printed = (moment.before.printed.goals[card].points or 0) * len(seats) if seats else 0
        posted = moment.sum_points(f"goal:{deck}")
        assert posted == printed, f"{deck} achievement: {printed} points are printed, {posted} credited"
        assert not seats or moment.after.goals[decks.index(deck)] == "", (
            f"the {deck} achievement is met, and still there"
        )
    if moment.starts_turn() and moment.before.markers >= 2:
        assert moment.before.goals[1] == "", "the mid-game achievement outlived the second completion"
    return len(met)


def check_final_count(moment: Moment) -> int:
    """F-11.2: one point for each lasting influence, one for four coins; achievements as printed."""
    if not isinstance(moment.act, FinalCount):
        return 0
    goal = moment.before.printed.goals.get(moment.before.goals[2])
    for seat in seats_of(moment.before):
        mat = moment.before.mats[seat]
        assert moment.sum_points("final:lasting", who=seat) == mat.lasting, f"seat {seat} has {mat.lasting} lasting"
        coins = moment.sum_points("final:money", who=seat)
        assert coins == mat.money // COINS_A_POINT, f"seat {seat} has {mat.money} coins, and {coins} points for them"
        points = moment.sum_points("final:goal", who=seat)
        assert points in {0, goal.points if goal else 0}, f"seat {seat} got {points} points for the last achievement"
    return moment.before.seats
