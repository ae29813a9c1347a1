"""The first deal, races, base cards and start tiles that break a rule (F-3)."""

from __future__ import annotations

from msgspec import structs

from spyrium_log.titles.founders.moves import PlaceStart, TableDealt, TakeBase, TakeRace
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import MAP, ROW, Row, make_sheet, new, sheet_with, town

ACHIEVEMENTS = Options(achievements="with")
DEALT = TableDealt(advisers=ROW, proposals=("university", "salt-barge", "crooked-bone"))
GOALS = ("three-buildings", "tier-3-tile", "most-structures")


def dealt(**changed: tuple[str, ...]) -> TableDealt:
    return structs.replace(DEALT, **changed)


LEVELS_UNKNOWN = make_sheet(MAP, lambda row: row.what == "level" and row.value == 1)
TABLES = (
    Row(
        "the rows are dealt in mid-game",
        town(),
        dealt(
            advisers=("foreman", "gatekeeper", "paver", "tanner"), proposals=("grain-hall", "fish-market", "bath-house")
        ),
        "table.order",
    ),
    Row("the rows are dealt twice", new(before=[DEALT]), DEALT, "cards.unique"),
    Row("three advisers", new(), dealt(advisers=ROW[:3]), "table.row"),
    Row("five advisers", new(), dealt(advisers=(*ROW, "foreman")), "table.row"),
    Row("two proposals", new(), dealt(proposals=("university", "salt-barge")), "table.row"),
    Row(
        "an adviser of level II while one of level I is in the deck",
        new(),
        dealt(advisers=(*ROW[:3], "paver")),
        "table.level",
    ),
    Row("an adviser of level III first", new(), dealt(advisers=("weaver", *ROW[:3])), "table.level"),
    Row("an adviser twice", new(), dealt(advisers=(*ROW[:3], "scholar")), "cards.unique"),
    Row("a proposal that was put back as well", new(), dealt(put_back=("university",)), "cards.unique"),
    Row(
        "two proposals alike in shape and colour",
        new(),
        dealt(proposals=("university", "harbour-office", "salt-barge")),
        "table.like",
    ),
    Row("the like one was put back on the deck", new(), dealt(put_back=("harbour-office",)), None),
    Row("one shape in two colours", new(), dealt(proposals=("salt-barge", "sleeping-lion", "university")), None),
    Row("achievements in a game without them", new(), dealt(goals=GOALS), "table.goals"),
    Row("no achievements in a game with them", new(options=ACHIEVEMENTS), DEALT, "table.goals"),
    Row("two achievements", new(options=ACHIEVEMENTS), dealt(goals=GOALS[:2]), "table.goals"),
    Row(
        "an achievement of another deck",
        new(options=ACHIEVEMENTS),
        dealt(goals=(GOALS[1], GOALS[0], GOALS[2])),
        "table.goals",
    ),
    Row("one achievement of each deck", new(options=ACHIEVEMENTS), dealt(goals=GOALS), None),
    Row(
        "achievements alone, where the table leaves them out",
        new(seats=1, options=Options(achievements="with", solo_achievements="none")),
        dealt(goals=GOALS),
        "table.goals",
    ),
    Row("an adviser that is no card", new(), dealt(advisers=("castle", *ROW[:3])), "cards.known"),
    Row("a proposal that is no card", new(), dealt(proposals=("castle", "salt-barge", "university")), "cards.known"),
    Row(
        "an achievement that is no card", new(options=ACHIEVEMENTS), dealt(goals=("castle", *GOALS[1:])), "cards.known"
    ),
    Row("an achievement that nobody saw", new(options=ACHIEVEMENTS), dealt(goals=("?", *GOALS[1:])), None),
    Row(
        "an adviser of level II while the level of those in the deck is not known",
        new(sheet=LEVELS_UNKNOWN),
        dealt(advisers=(*ROW[:3], "paver")),
        None,
    ),
    Row("an adviser that nobody saw", new(), dealt(advisers=("?", *ROW[:3])), None),
)

HUMANS = TakeRace(seat=1, race="human")
RACES_TAKEN = (DEALT, HUMANS, TakeRace(seat=2, race="vermling"), TakeRace(seat=3, race="inox"))
RACES = (
    Row("a race before the rows are dealt", new(), HUMANS, "race.order"),
    Row("the second seat takes a race first", new(before=[DEALT]), TakeRace(seat=2, race="human"), "race.order"),
    Row("a second race", new(before=[DEALT, HUMANS]), TakeRace(seat=1, race="inox"), "race.order"),
    Row("a race when base cards are taken", new(before=RACES_TAKEN), TakeRace(seat=3, race="orchid"), "race.order"),
    Row("a race that is taken", new(before=[DEALT, HUMANS]), TakeRace(seat=2, race="human"), "race.free"),
    Row("a race that does not exist", new(before=[DEALT]), TakeRace(seat=1, race="elf"), "race.free"),
    Row(
        "the race whose base Aesther took",
        new(before=[DEALT, TakeRace(seat=1, race="aesther", base="wood")]),
        TakeRace(seat=2, race="vermling"),
        "race.free",
    ),
    Row("Aesther without a base", new(before=[DEALT]), TakeRace(seat=1, race="aesther"), "race.base"),
    Row(
        "Aesther with a tile of tier 2 as its base",
        new(before=[DEALT]),
        TakeRace(seat=1, race="aesther", base="books"),
        "race.base",
    ),
    Row(
        "Aesther with the base of a race that is taken",
        new(before=[DEALT, HUMANS]),
        TakeRace(seat=2, race="aesther", base="population"),
        "race.base",
    ),
    Row(
        "humans with a base of their choice",
        new(before=[DEALT]),
        TakeRace(seat=1, race="human", base="wood"),
        "race.base",
    ),
    Row("Aesther with a free base", new(before=[DEALT, HUMANS]), TakeRace(seat=2, race="aesther", base="wood"), None),
)

# Human: no stone, no metal. Vermling: no knowledge, no stone. Inox: no knowledge, no gems.
DRAFT = (
    Row(
        "the first seat takes a base card first", new(before=RACES_TAKEN), TakeBase(seat=1, base="gems"), "draft.order"
    ),
    Row(
        "a base card before all have a race", new(before=RACES_TAKEN[:3]), TakeBase(seat=3, base="gems"), "draft.order"
    ),
    Row("a base card alone", new(seats=1, before=[DEALT, HUMANS]), TakeBase(seat=1, base="gems"), "draft.order"),
    Row(
        "a third base card with three players",
        new(
            before=[
                *RACES_TAKEN,
                TakeBase(seat=3, base="metal"),
                TakeBase(seat=2, base="crops"),
                TakeBase(seat=1, base="gems"),
            ]
        ),
        TakeBase(seat=1, base="knowledge"),
        "draft.order",
    ),
    Row("the base card of a race that is taken", new(before=RACES_TAKEN), TakeBase(seat=3, base="wood"), "draft.free"),
    Row(
        "a base card that another took",
        new(before=[*RACES_TAKEN, TakeBase(seat=3, base="metal")]),
        TakeBase(seat=2, base="metal"),
        "draft.free",
    ),
    Row("a base card that does not exist", new(before=RACES_TAKEN), TakeBase(seat=3, base="books"), "draft.free"),
    Row("a base that the race forbids", new(before=RACES_TAKEN), TakeBase(seat=3, base="gems"), "draft.forbidden"),
    Row(
        "a base that the card of Aesther forbids",
        new(before=[*RACES_TAKEN[:3], TakeRace(seat=3, race="aesther", base="crops")]),
        TakeBase(seat=3, base="stone"),
        "draft.forbidden",
    ),
    Row(
        "the same, where only the mat binds",
        new(
            before=[*RACES_TAKEN[:3], TakeRace(seat=3, race="aesther", base="crops")],
            options=Options(aesther_forbids="mat"),
        ),
        TakeBase(seat=3, base="stone"),
        None,
    ),
    Row(
        "a card of another's although others are left",
        new(before=[*RACES_TAKEN, TakeBase(seat=3, base="metal")]),
        TakeBase(seat=2, base="metal", who=3),
        "draft.displaced",
    ),
    Row(
        "the card of another's race although others are left",
        new(before=RACES_TAKEN),
        TakeBase(seat=3, base="wood", who=2),
        "draft.displaced",
    ),
    Row("a base that nobody forbids", new(before=RACES_TAKEN), TakeBase(seat=3, base="metal"), None),
)

# Seat 1 is Orchid: no crops, no population. Aesther with wood takes stone. With livestock, which forbids knowledge and
# metal, seat 1 could have none of the four that are left as its third card, and nobody has a third card to give.
TWO_DRAFTING = (
    DEALT,
    TakeRace(seat=1, race="orchid"),
    TakeRace(seat=2, race="aesther", base="wood"),
    TakeBase(seat=2, base="stone"),
)
# The same where the knowledge card forbids livestock and metal: then only metal leaves seat 1 a third choice.
ONLY_METAL = new(
    2, before=TWO_DRAFTING[:3], sheet=sheet_with(("knowledge", "forbids", "livestock+metal"), source="read")
)
# Four seats: human, vermling, inox and orchid leave knowledge, crops, stone and metal. After seats 4, 3 and 2 took
# knowledge, crops and metal, stone is left, which humans may not have.
FOUR_DRAFTING = (
    *RACES_TAKEN,
    TakeRace(seat=4, race="orchid"),
    TakeBase(seat=4, base="knowledge"),
    TakeBase(seat=3, base="crops"),
    TakeBase(seat=2, base="metal"),
)
# The same seats; stone is left again, and humans take the crops of Vermling, which may not have stone either.
DISPLACED = (
    *FOUR_DRAFTING[:6],
    TakeBase(seat=3, base="metal"),
    TakeBase(seat=2, base="crops"),
    TakeBase(seat=1, base="crops", who=2),
)
DISPLACING = (
    Row(
        "a card that leaves none for the third choice",
        new(2, before=TWO_DRAFTING),
        TakeBase(seat=1, base="livestock"),
        "draft.stuck",
    ),
    Row("another card at the same time", new(2, before=TWO_DRAFTING), TakeBase(seat=1, base="metal"), None),
    Row(
        "a card after which the other seat has one choice that does not leave it stuck",
        ONLY_METAL,
        TakeBase(seat=2, base="stone"),
        None,
    ),
    Row(
        "the first of the choices that leave it stuck",
        ONLY_METAL.then(TakeBase(seat=2, base="stone")),
        TakeBase(seat=1, base="knowledge"),
        "draft.stuck",
    ),
    Row(
        "the only card left is forbidden",
        new(4, before=FOUR_DRAFTING),
        TakeBase(seat=1, base="stone"),
        "draft.forbidden",
    ),
    Row(
        "a drafted card from another seat, as only a forbidden one is left",
        new(4, before=FOUR_DRAFTING),
        TakeBase(seat=1, base="knowledge", who=4),
        None,
    ),
    Row(
        "a drafted card that is forbidden, too",
        new(4, before=FOUR_DRAFTING),
        TakeBase(seat=1, base="metal", who=2),
        "draft.forbidden",
    ),
    Row(
        "a drafted card from a seat that has another one",
        new(4, before=FOUR_DRAFTING),
        TakeBase(seat=1, base="knowledge", who=3),
        "draft.displaced",
    ),
    Row(
        "the card of another's race, as only a forbidden one is left",
        new(4, before=FOUR_DRAFTING),
        TakeBase(seat=1, base="gems", who=4),
        "draft.displaced",
    ),
    Row(
        "the displaced seat takes its card back",
        new(4, before=[*FOUR_DRAFTING, TakeBase(seat=1, base="crops", who=3)]),
        TakeBase(seat=3, base="crops", who=1),
        "draft.displaced",
    ),
    Row(
        "the displaced seat takes another at once",
        new(4, before=[*FOUR_DRAFTING, TakeBase(seat=1, base="crops", who=3)]),
        TakeBase(seat=3, base="stone"),
        None,
    ),
    # Another of those left, under the same rule (F-3.3): stone, which is left, is forbidden to Vermling.
    Row(
        "the displaced seat takes its card back, as only a forbidden one is left",
        new(4, before=DISPLACED),
        TakeBase(seat=2, base="crops", who=1),
        "draft.displaced",
    ),
    Row(
        "the displaced seat takes one of a third seat, as only a forbidden one is left",
        new(4, before=DISPLACED),
        TakeBase(seat=2, base="metal", who=3),
        None,
    ),
    Row(
        "the draft goes on although somebody was displaced",
        new(4, before=[*FOUR_DRAFTING, TakeBase(seat=1, base="crops", who=3)]),
        PlaceStart(seat=4, at="l9"),
        "start.order",
    ),
)

DRAFTED = (*RACES_TAKEN, TakeBase(seat=3, base="metal"), TakeBase(seat=2, base="crops"), TakeBase(seat=1, base="gems"))
STARTS = (
    Row("the first seat starts first", new(before=DRAFTED), PlaceStart(seat=1, at="l9"), "start.order"),
    Row("a start tile in mid-game", town(), PlaceStart(seat=1, at="k11"), "start.order"),
    Row("a start tile on number 4 with three players", new(before=DRAFTED), PlaceStart(seat=3, at="k11"), "start.cell"),
    Row("a start tile on ruins without a number", new(before=DRAFTED), PlaceStart(seat=3, at="j9"), "start.cell"),
    Row(
        "a start tile on a number that is taken",
        new(before=[*DRAFTED, PlaceStart(seat=3, at="l9")]),
        PlaceStart(seat=2, at="l9"),
        "start.cell",
    ),
    Row("a start tile on the coast", new(before=DRAFTED), PlaceStart(seat=3, at="a1"), "start.cell"),
    Row("a start tile on a river", new(before=DRAFTED), PlaceStart(seat=3, at="i9"), "cell.kind"),
    Row("a start tile beside the board", new(before=DRAFTED), PlaceStart(seat=3, at="q1"), "cell.exists"),
    Row(
        "a start tile beside a rival's",
        new(before=[*DRAFTED, PlaceStart(seat=3, at="l9")]),
        PlaceStart(seat=2, at="l10"),
        None,
    ),
    Row("alone any number will do", new(1, before=[DEALT, HUMANS]), PlaceStart(seat=1, at="k11"), None),
)

GROUPS = {"table": TABLES, "race": RACES, "base card": DRAFT, "displacing": DISPLACING, "start": STARTS}
