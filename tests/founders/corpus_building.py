"""Tiles, houses, bridges and gates that may not stand where they are built (F-2, F-6, F-7.1 to F-7.3)."""

from __future__ import annotations

from typing import Any

from spyrium_log.titles.founders.moves import BuildBase, BuildBridge, BuildHouse, BuildTile, Decline, LayRoad, TileAt
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import TILES, At, Row, base, bridge, building, completed, house, tile, town, you


def trade(kind: str, at: str) -> BuildBase:
    return BuildBase(seat=1, card="trade", base=kind, at=at)


BASES = (
    Row("a tile of an own base with nothing near", town(), trade("population", "j5"), None),
    Row("on a river", town(), trade("population", "i3"), "cell.kind"),
    Row("on a wall", town(), trade("population", "k7"), "cell.kind"),
    Row("on a dark cell", town(), trade("population", "o7"), "cell.kind"),
    Row("on a site", town(), trade("population", "n5"), "cell.kind"),
    Row("beside the board", town(), trade("population", "q3"), "cell.exists"),
    Row("below the board", town(), trade("population", "a12"), "cell.exists"),
    Row("on a cell that is no name", town(), trade("population", "?"), "cell.exists"),
    Row("on a road", town(roads=("j5",)), trade("population", "j5"), "build.covered"),
    Row("on a rival's tile", town(), trade("population", "g2"), "build.covered"),
    Row(
        "on a prestige building",
        town(buildings=(building("fish-market", "a1 b1"),)),
        trade("population", "a1"),
        "build.covered",
    ),
    Row("a second tile of gems in a section", town(), trade("gems", "h11"), "build.section"),
    Row("a tile of gems in another section", town(), trade("gems", "j1"), None),
    Row("beside an own tile", town(), trade("population", "e4"), "build.apart"),
    Row("a corner of an own tile", town(), trade("population", "e5"), "build.apart"),
    Row("a corner of an own house", town(more=(house("m2", 1),)), trade("gems", "n1"), "build.apart"),
    Row("beside an own bridge", town(more=(bridge("i5", 1),)), trade("population", "h5"), None),
    Row("beside a rival's tile", town(), trade("population", "h2"), None),
    Row(
        "beside a prestige building",
        town(buildings=(building("fish-market", "a1 b1"),)),
        trade("population", "a2"),
        None,
    ),
    Row("a tile of tier 2 as a base", town(), trade("books", "a1"), "trade.base"),
    Row("a base that does not exist", town(), trade("castle", "a1"), "trade.base"),
    Row(
        "a fourth tile of gems",
        town(tiles=(base("gems", "d4"), base("gems", "k2"), base("gems", "j9"))),
        trade("gems", "a11"),
        "pieces.supply",
    ),
    Row("a rival's base with no building complete", town(), trade("wood", "a1"), "trade.markers"),
    Row(
        "a rival's base with one building complete", town(buildings=completed(1)), trade("wood", "a1"), "trade.markers"
    ),
    Row("a rival's base with two buildings complete", town(buildings=completed(2)), trade("wood", "a1"), None),
    Row("a rival's base beside that rival's tile", town(buildings=completed(2)), trade("wood", "h3"), "build.apart"),
    Row("a rival's base beside an own tile", town(buildings=completed(2)), trade("wood", "e4"), None),
    Row(
        "a rival's base where the rival has one in the section",
        town(buildings=completed(2)),
        trade("wood", "p11"),
        "build.section",
    ),
    Row("a neutral base", town(), trade("stone", "a1"), None),
    Row("a neutral base beside a neutral one", town(), trade("stone", "f6"), "build.neutrals"),
    Row("a neutral base beside an own tile", town(), trade("stone", "c3"), None),
    Row("a neutral base for 3", town(you(money=3)), trade("stone", "a1"), "money.enough"),
    Row("a rival's base for 3", town(you(money=3), buildings=completed(2)), trade("wood", "a1"), "money.enough"),
    Row("an own base on the coast without a coin", town(you(money=0)), trade("population", "a1"), "money.enough"),
    Row("an own base on the coast for 1", town(you(money=1)), trade("population", "a1"), None),
    Row("an own base on desert for 1", town(you(money=1)), trade("population", "h11"), "money.enough"),
    Row("an own base on forest for 2", town(you(money=2)), trade("population", "a11"), "money.enough"),
    Row("an own base on ruins for 3", town(you(money=3)), trade("gems", "j11"), None),
)


# --- houses, bridges, gates, roads ---------------------------------------------------------------


def build_house(at: str) -> BuildHouse:
    return BuildHouse(seat=1, card="construct", at=at)


def build_bridge(at: str) -> BuildBridge:
    return BuildBridge(seat=1, card="construct", at=at)


def lay_road(at: str) -> LayRoad:
    return LayRoad(seat=1, card="trade", down=True, at=at)


# From the gems on d4 over the road on d5 to forest in row 6; from the tile on k8 to the wall.
WAY: dict[str, Any] = {"roads": ("d5",)}
BELOW_THE_WALL = (*TILES[1:], base("population", "k8"))
PARTED = Options(river_corner="parted")
THREE_BRIDGES = tuple(bridge(cell, 1) for cell in ("i1", "i2", "i3"))
THREE_HOUSES = (house("a5", 1), house("p1", 1), house("a11", 1))
PIECES = (
    Row("a house on forest", town(**WAY), build_house("d6"), None),
    Row("a house on forest at a corner of the road", town(**WAY), build_house("e6"), None),
    Row("a house on the desert beside a road", town(roads=("e5",)), build_house("f5"), "build.forest"),
    Row("a house on the coast", town(roads=("c3",)), build_house("b2"), "build.forest"),
    Row("a house on a river", town(), build_house("i5"), "cell.kind"),
    Row("a house on a site", town(), build_house("a7"), "cell.kind"),
    Row("a house on a road", town(roads=("d5", "d6")), build_house("d6"), "build.covered"),
    Row("a house beside nothing of one's own", town(), build_house("a11"), "build.connected"),
    Row("a house that a road without an own tile reaches", town(roads=("b10",)), build_house("a11"), "build.connected"),
    Row("a house beside an own tile", town(), build_house("c5"), "build.apart"),
    Row("a second house in a section", town(more=(house("a11", 1),), **WAY), build_house("d6"), "build.section"),
    Row("a house beside a rival's in a section", town(more=(house("c7", 2),), **WAY), build_house("d6"), None),
    Row("a fourth house", town(more=THREE_HOUSES, **WAY), build_house("d6"), "pieces.supply"),
    Row("a house for 2", town(you(money=2), **WAY), build_house("d6"), "money.enough"),
    Row("a house for 3", town(you(money=3), **WAY), build_house("d6"), None),
    Row(
        "a house without workers for 1",
        town(you(money=1), options=Options(workers="without"), **WAY),
        build_house("d6"),
        None,
    ),
    Row(
        "a house without workers for 1, where the main action saves nothing",
        town(you(money=1), options=Options(workers="without", house_no_workers_main="two"), **WAY),
        build_house("d6"),
        "money.enough",
    ),
    Row("a gate", town(tiles=BELOW_THE_WALL), build_bridge("k7"), None),
    # The river on i6 and the wall on j7 lie on both sides of the corner of j6 and i7; at h6 and i7 only the river does.
    Row("a gate over a corner of river and wall", town(more=(base("population", "j6"),)), build_bridge("i7"), None),
    Row(
        "a gate over a corner of river and wall, which parts",
        town(more=(base("population", "j6"),), options=PARTED),
        build_bridge("i7"),
        "build.connected",
    ),
    Row(
        "a gate over a corner of river and land, where only river or wall on both sides parts",
        town(more=(base("population", "h6"),), options=PARTED),
        build_bridge("i7"),
        None,
    ),
    Row("a bridge on land", town(), build_bridge("e5"), "cell.kind"),
    Row("a bridge on a dark cell", town(tiles=(base("population", "p8"),)), build_bridge("p7"), "cell.kind"),
    Row("a bridge on a site", town(), build_bridge("n9"), "cell.kind"),
    Row("a bridge beside nothing of one's own", town(), build_bridge("i1"), "build.connected"),
    Row(
        "a bridge beside an own bridge that is connected to nothing else",
        town(more=(bridge("i1", 1),)),
        build_bridge("i2"),
        None,
    ),
    Row("a bridge beside a rival's bridge", town(more=(bridge("i1", 2),)), build_bridge("i2"), "build.connected"),
    Row(
        "a gate on a rival's gate", town(tiles=(*BELOW_THE_WALL, bridge("k7", 2))), build_bridge("k7"), "build.covered"
    ),
    Row("a fourth bridge", town(more=THREE_BRIDGES), build_bridge("i4"), "pieces.supply"),
    Row("a bridge for 2", town(you(money=2), tiles=BELOW_THE_WALL), build_bridge("k7"), "money.enough"),
    Row(
        "a house with a card for bridges",
        town(you(hand=("gatekeeper", "call")), **WAY),
        BuildHouse(seat=1, card="gatekeeper", at="d6"),
        "construct.kind",
    ),
    Row(
        "a gate with a card for houses",
        town(you(hand=("innkeeper", "call")), tiles=BELOW_THE_WALL),
        BuildBridge(seat=1, card="innkeeper", at="k7"),
        "construct.kind",
    ),
    Row(
        "a house with Carpenter for 2, taken off the usual 4",
        town(you(money=2, hand=("carpenter", "call")), **WAY),
        BuildHouse(seat=1, card="carpenter", at="d6"),
        None,
    ),
    Row(
        "a house with Carpenter for 1",
        town(you(money=1, hand=("carpenter", "call")), **WAY),
        BuildHouse(seat=1, card="carpenter", at="d6"),
        "money.enough",
    ),
    Row(
        "the same where it is taken off the main price",
        town(you(money=1, hand=("carpenter", "call")), options=Options(discount_from="main"), **WAY),
        BuildHouse(seat=1, card="carpenter", at="d6"),
        None,
    ),
)
ROADS = (
    Row("a road beside an own tile", town(), lay_road("e5"), None),
    Row("a road beside a road that leads to an own tile", town(roads=("e5",)), lay_road("f6"), None),
    Row("a road beside a road that leads nowhere", town(roads=("a1",)), lay_road("b1"), "build.connected"),
    Row("a road beside a rival's tile", town(), lay_road("h1"), "build.connected"),
    Row("a road beside an own bridge", town(more=(bridge("i1", 1),)), lay_road("j2"), None),
    Row(
        "a road over a rival's bridge",
        town(roads=("e5", "f6", "g7", "h8"), more=(bridge("i8", 2),)),
        lay_road("j8"),
        "build.connected",
    ),
    Row(
        "a road over an own bridge", town(roads=("e5", "f6", "g7", "h8"), more=(bridge("i8", 1),)), lay_road("j8"), None
    ),
    Row("a road on a road", town(roads=("e5",)), lay_road("e5"), "build.covered"),
    Row("a road on a tile", town(), lay_road("d4"), "build.covered"),
    Row("a road on a river", town(more=(bridge("i1", 1),)), lay_road("i2"), "cell.kind"),
    Row("a road on a site", town(), lay_road("n9"), "cell.kind"),
    Row("a road beside the board", town(), lay_road("z40"), "cell.exists"),
)

# --- tiles of tier 2 and 3 -----------------------------------------------------------------------

# Bricks are three cells in a row, of stone. Seat 1 has access to the neutral stone on b5; the roads on d5 and c6 lead
# from its gems on d4 to row 7.
STONE = base("stone", "b5", 1)


def works(*more: TileAt, stone: TileAt = STONE, roads: tuple[str, ...] = ("d5", "c6"), **changed: Any) -> At:
    return town(more=(stone, *more), roads=roads, **changed)


def bricks(cells: str = "c7 d7 e7", inputs: str = "b5", resource: str = "bricks") -> BuildTile:
    return BuildTile(
        seat=1, card="upgrade", resource=resource, cells=tuple(cells.split()), inputs=tuple(inputs.split())
    )


THREE_BRICKS = (tile("bricks", "a11 b11 c11", 2), tile("bricks", "l2 m2 n2", 2), tile("bricks", "j11 k11 l11", 2))
UPGRADES = (
    Row("bricks", works(), bricks(), None),
    Row("bricks upright", works(), bricks("d7 d8 d9"), None),
    Row("bricks round a corner", works(), bricks("c7 d7 d8"), "tile.shape"),
    Row("bricks of two cells", works(), bricks("c7 d7"), "tile.shape"),
    Row("bricks of four cells", works(), bricks("c7 d7 e7 f7"), "tile.shape"),
    Row("bricks in two parts", works(), bricks("c7 d7 f7"), "tile.shape"),
    Row("a cell said twice", works(), bricks("c7 d7 e7 e7"), "tile.shape"),
    Row("a tile of a base with Upgrade", works(), bricks("c7", resource="wood"), "tile.shape"),
    Row("a tile that does not exist", works(), bricks(resource="castle"), "tile.shape"),
    Row("bricks over a site", works(), bricks("b7 c7 d7"), "cell.kind"),
    Row("bricks beside the board", works(), bricks("c7 d7 e70"), "cell.exists"),
    Row("bricks over a road", works(), bricks("c6 d6 e6"), "build.covered"),
    Row("bricks over a tile", works(base("wood", "d7")), bricks(), "build.covered"),
    Row("bricks beside an own tile", works(), bricks("e5 e6 e7"), "build.apart"),
    Row("bricks beside a rival's tile", works(base("wood", "f8")), bricks(), None),
    Row(
        "bricks where a rival has bricks in the section",
        works(tile("bricks", "a11 b11 c11", 2)),
        bricks(),
        "build.section",
    ),
    Row("fourth bricks", works(*THREE_BRICKS), bricks(), "pieces.supply"),
    Row("bricks of no input", works(), bricks(inputs=""), "tile.inputs"),
    Row("bricks of gems", works(), bricks(inputs="d4"), "tile.inputs"),
    Row("bricks of stone and gems", works(), bricks(inputs="b5 d4"), "tile.inputs"),
    Row("bricks of what lies on an empty cell", works(), bricks(inputs="a1"), "tile.inputs"),
    Row("bricks of stone without access", works(stone=base("stone", "b5", 2)), bricks(), "tile.access"),
    Row("bricks connected to the stone only", works(roads=()), bricks("b6 c6 d6"), "build.connected"),
    Row("bricks connected to an own tile only", works(roads=("d5",)), bricks("e6 f6 g6"), "tile.connected"),
    Row(
        "the stone is beside an own tile, which carries nothing",
        works(stone=base("stone", "c3", 1), roads=("e5",)),
        bricks("f6 g6 h6", "c3"),
        "tile.connected",
    ),
    Row(
        "a rival's bridge to the stone",
        works(bridge("i8", 2), stone=base("stone", "j9", 1), roads=("e5", "f6", "g7")),
        bricks("h8 h9 h10", "j9"),
        "tile.connected",
    ),
    Row(
        "an own bridge to the stone",
        works(bridge("i8", 1), stone=base("stone", "j9", 1), roads=("e5", "f6", "g7")),
        bricks("h8 h9 h10", "j9"),
        None,
    ),
    Row("bricks for 3", town(you(money=3), more=(STONE,), roads=("d5", "c6")), bricks(), "money.enough"),
    Row("bricks for 4", town(you(money=4), more=(STONE,), roads=("d5", "c6")), bricks(), None),
)

# Government is an L of books and bricks. Seat 1 has access to the books in row 9 and to the bricks in column g, both
# of seat 2; the roads in column d lead there from the gems.
CAPITAL: dict[str, Any] = {
    "more": (tile("books", "a9 b9 c9", 2, access=(1,)), tile("bricks", "g9 g10 g11", 2, access=(1,))),
    "roads": ("d5", "d6", "d7", "d8"),
}


def government(cells: str) -> BuildTile:
    return bricks(cells, "a9 g9", "government")


TIER_3 = (
    Row("government", town(**CAPITAL), government("d9 e9 f9 d10"), None),
    Row("government turned over", town(**CAPITAL), government("d9 e9 f9 f10"), "tile.shape"),
    Row(
        "government turned over, where tiles may be",
        town(options=Options(tile_flip="mirror"), **CAPITAL),
        government("d9 e9 f9 f10"),
        None,
    ),
    Row("government turned round", town(**CAPITAL), government("f8 d9 e9 f9"), None),
    Row("government for 5", town(you(money=5), **CAPITAL), government("d9 e9 f9 d10"), "money.enough"),
    Row("the inputs in another order", town(**CAPITAL), bricks("d9 e9 f9 d10", "g9 a9", "government"), "tile.inputs"),
    Row("inputs by other cells of their tiles", town(**CAPITAL), bricks("d9 e9 f9 d10", "c9 g11", "government"), None),
)


def road_first(at: str) -> LayRoad:
    return LayRoad(seat=1, card="upgrade", at=at)


def next_tile(cells: str) -> BuildTile:
    return BuildTile(seat=1, resource="bricks", cells=tuple(cells.split()), inputs=("b5",))


BUILT = works(before=[bricks()])
ROADS_OF_UPGRADE = (
    Row("a road, then bricks that it touches", works(before=[road_first("d6")]), next_tile("c7 d7 e7"), None),
    Row("a road, then bricks elsewhere", works(before=[road_first("c3")]), next_tile("c7 d7 e7"), "tile.road"),
    Row("a road first that touches nothing of one's own", works(), road_first("f8"), "build.connected"),
    Row(
        "the same where it only has to touch the tile",
        works(options=Options(upgrade_road_first="tile")),
        road_first("f8"),
        None,
    ),
    Row("a road first although no tile can be built", town(), road_first("e5"), "card.full"),
    Row("a road first and no tile then", works(before=[road_first("d6")]), Decline(seat=1), "card.full"),
    Row("bricks, then a road beside them", BUILT, LayRoad(seat=1, at="f8"), None),
    Row("bricks, then a road elsewhere", BUILT, LayRoad(seat=1, at="d3"), "tile.road"),
    Row("bricks, then no road", BUILT, Decline(seat=1), None),
    Row("bricks, then two roads", BUILT.then(LayRoad(seat=1, at="f8")), LayRoad(seat=1, at="f6"), "turn.pending"),
    Row(
        "a road before and a road after",
        works(before=[road_first("d6"), next_tile("c7 d7 e7")]),
        LayRoad(seat=1, at="f8"),
        "turn.pending",
    ),
)

GROUPS = {
    "base": BASES,
    "piece": PIECES,
    "road": ROADS,
    "tier 2": UPGRADES,
    "tier 3": TIER_3,
    "upgrade": ROADS_OF_UPGRADE,
}
