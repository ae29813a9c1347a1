"""Component sets of Founders of Gloomhaven: what is read from one, and what is wrong with it."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from spyrium_log.catalogue import Catalogue
from spyrium_log.errors import SheetError
from spyrium_log.messages import Reader
from spyrium_log.sheet import Printed as Row
from spyrium_log.sheet import Sheet, parse_sheet
from spyrium_log.titles import TITLES
from spyrium_log.titles.founders.cards import AESTHER, BASES, RACES, Printed
from spyrium_log.titles.founders.ground import SIDES, Side, cell_of, name_of
from spyrium_log.titles.founders.messages import LANGUAGES, vocabulary
from spyrium_log.titles.founders.programme import (
    COUNTS,
    GAINED,
    GOAL_COUNTS,
    MOST_STRUCTURES,
    Condition,
    Does,
    Instruction,
)
from spyrium_log.titles.founders.sets import check_board, check_set, read_official, read_practice, read_printed
from spyrium_log.titles.founders.sets.components import read_set
from spyrium_log.titles.founders.sets.maps import find_sites
from spyrium_log.titles.founders.sets.values import Values

SMALL = """
cc1~ddd
Wcr~2dd
~~~~~~~
fffGGff
"""
SMALL_SECTIONS = """
111.222
.11.222
.......
333..33
"""

Texts = Mapping[str, Mapping[str, int | str]]


def rows_of_text(name: str, text: str) -> dict[str, int | str]:
    return {f"{name}-{row:02}": line for row, line in enumerate(text.split(), 1)}


def make_sheet(components: Texts, **texts: str) -> Sheet:
    """A set of these values; the thematic side has these texts, and the small map unless another is given."""
    texts = {"map": SMALL, **texts}
    its = {what: value for name, text in texts.items() for what, value in rows_of_text(name, text).items()}
    everything = {**components, "board-thematic": its}
    rows = (Row(of, what, value, "read") for of, values in everything.items() for what, value in values.items())
    return Sheet(name="test", printed=tuple(rows))


def read(components: Texts, **texts: str) -> Printed:
    return read_printed(make_sheet(components, **texts), "thematic", part_corners=False)


def flaws_of(components: Texts, **texts: str) -> list[str]:
    values = Values(make_sheet(components, **texts))
    read_set(values, "thematic", part_corners=False)
    return [str(flaw) for flaw in values.flaws]


# --- the board -----------------------------------------------------------------------------------


def test_a_map_is_a_letter_a_cell() -> None:
    board = read({}, sections=SMALL_SECTIONS).board
    assert (board.width, board.height) == (7, 4)
    kinds = {"a1": "coast", "d1": "river", "e1": "desert", "a2": "site", "c2": "ruins", "a4": "forest", "d4": "site"}
    assert {name: board.kinds[cell_of(name)] for name in kinds} == kinds
    assert {name_of(cell): number for cell, number in board.numbers.items()} == {"c1": 1, "e2": 2}
    assert [(site, list(map(name_of, cells))) for site, cells in board.sites] == [
        ("west", ["a2"]),
        ("fortress", ["d4", "e4"]),
    ]
    assert list(map(name_of, board.land[:4])) == ["a1", "b1", "c1", "e1"]
    assert {name_of(cell) for cell in board.near[cell_of("a1")]} == {"b1", "a2", "b2"}


def test_sections_are_what_is_joined_side_to_side() -> None:
    with pytest.raises(SheetError, match=r"expected 3 sections .* found 4: a1 \(5\), e1 \(6\), a4 \(3\), f4 \(2\)"):
        read({})


def test_sections_may_be_drawn() -> None:
    board = read({}, sections=SMALL_SECTIONS).board
    assert set(board.sections.values()) == {1, 2, 3}
    assert board.sections[cell_of("f4")] == board.sections[cell_of("a4")] == 3
    assert set(board.sections) == set(board.land)


def test_cells_named_for_a_section_belong_to_a_site() -> None:
    board = read({}, sections=SMALL_SECTIONS.replace(".11.", "111.")).board
    assert {name_of(cell): section for cell, section in board.site_sections.items()} == {"a2": 1}


def test_parted_corners_are_no_neighbours() -> None:
    text = "c~d~c\n~c~c~\n"
    sections = "1.2.3\n.1.3.\n"
    sheet = make_sheet({}, map=text, sections=sections)
    near = {
        parted: read_printed(sheet, "thematic", part_corners=parted).board.near[cell_of("a1")]
        for parted in (True, False)
    }
    assert {parted: set(map(name_of, cells)) for parted, cells in near.items()} == {
        True: {"b1", "a2"},
        False: {"b1", "a2", "b2"},
    }
    assert read_printed(sheet, "thematic", part_corners=True).board.parted
    assert not read_printed(sheet, "thematic", part_corners=False).board.parted


@pytest.mark.parametrize(
    ("text", "flaws"),
    [
        ("ccc\ncc\nccc", ["expected 3 letters in row 2 of the map of the thematic side, found 2"]),
        ("ccz\nqcz", ["expected a letter of #.1234GNTWcdfrx~ at c1 of the thematic side, found 'z'", "a2 of the"]),
        ("c~d", ["expected 3 sections on the thematic side, found 2: a1 (1), c1 (1)"]),
        ("c~d~d~#~W", ["expected land beside the site at i1 of the thematic side, found none"]),
        ("c" * 41, ["expected at most 40 rows of 40 letters in the map of the thematic side, found 1 × 41"]),
        ("c\n" * 41, ["expected at most 40 rows of 40 letters in the map of the thematic side, found 41 × 1"]),
        ("~#~", ["expected 3 sections on the thematic side, found 0"]),
    ],
)
def test_what_is_no_map_is_said_with_its_place(text: str, flaws: list[str]) -> None:
    found = flaws_of({}, map=text)
    assert len(found) == len(flaws)
    assert all(said in each for said, each in zip(flaws, sorted(found, key=lambda each: "a2" in each), strict=True))


def test_a_row_of_a_map_that_is_missing_is_said() -> None:
    rows = (Row("board-thematic", "map-01", "c~d~f", "read"), Row("board-thematic", "map-03", "c~d~f", "read"))
    with pytest.raises(SheetError, match="expected row 2 of the map of the thematic side, found none"):
        read_printed(Sheet(name="x", printed=rows), "thematic", part_corners=False)


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (
            "111.222\n.11.222\n.......\n333..3.",
            "expected 1, 2 or 3 at g4 of the sections of the thematic side, found '.'",
        ),
        ("111.222\n.11.222\n.......\n222..22", "expected 3 sections in the sections of the thematic side, found 2"),
        ("111.222\n.11.222\n......\n333..33", "expected 7 letters in row 3 of the sections of the thematic side"),
    ],
)
def test_sections_that_do_not_fit_the_map_are_said(drawn: str, said: str) -> None:
    (flaw,) = flaws_of({}, sections=drawn)
    assert said in flaw


def test_a_side_that_a_set_lacks_is_refused_in_one_sentence() -> None:
    with pytest.raises(SheetError) as refused:
        check_board(read_printed(read_official(), "symmetric", part_corners=False), "symmetric")
    assert str(refused.value) == (
        "expected a set with the symmetric side of the board, found none in 'official-partial' "
        "(the set 'practice-1' has one)"
    )
    assert "«practice-1»" in refused.value.text_for(Reader("ru"))


def test_the_largest_map_is_read_and_larger_texts_are_refused_at_once() -> None:
    begin = time.perf_counter()
    rows = ["c" * 13 + "~" + "d" * 12 + "~" + "f" * 13] * 40
    board = read({}, map="\n".join(rows)).board
    assert (board.width, board.height, len(board.land)) == (40, 40, 38 * 40)
    for toml in (
        "[board-thematic]\nmap = '''\n" + ("c" * 200 + "\n") * 200 + "'''\n",
        "[human]\n" + "".join(f"name-a{n} = 'x'\n" for n in range(3000)),
        f"[human]\nworker = '{'road, ' * 2000}'\n",
    ):
        with pytest.raises(SheetError):
            parse_sheet(f'name = "x"\nsource = "read"\n{toml}')
    assert time.perf_counter() - begin < 1


# --- recipes, races and cards --------------------------------------------------------------------

DRAWN = {"sections": SMALL_SECTIONS}


def test_flags_follow_from_the_recipes_that_are_known() -> None:
    printed = read(
        {
            "books": {"inputs": "wood"},
            "food": {"inputs": "crops+livestock"},
            "cloth": {"inputs": "books+food"},
            "weapons": {"inputs": "metal+machinery"},
            "labor": {"inputs": "stone+food", "flags": "1+3"},
        },
        **DRAWN,
    )
    assert {name: recipe.flags for name, recipe in printed.recipes.items() if recipe.flags} == {
        "books": (1,),
        "food": (1, 1),
        "cloth": (2, 4),
        "weapons": (1, None),
        "labor": (1, 3),
    }
    assert printed.recipes["machinery"].inputs is None
    assert printed.recipes["cloth"].inputs == ("books", "food")


def test_what_a_set_does_not_say_is_unknown() -> None:
    printed = read({"terrain-coast": {"build": 1}, "slot-2": {"price": 1}, "human": {"base": "population"}}, **DRAWN)
    assert printed.trade == {"coast": (1, None), "desert": (None, None), "forest": (None, None), "ruins": (None, None)}
    assert printed.slots == (None, 1, None, None)
    assert printed.races["human"].base == "population"
    assert printed.races["human"].forbids is None
    assert set(printed.races) == set(RACES)
    assert printed.base_forbids == dict.fromkeys(BASES)
    assert (printed.advisers, printed.prestige, printed.goals) == ({}, {}, {})


def test_cards_are_whatever_the_set_calls_them() -> None:
    printed = read(
        {
            "my-adviser": {
                "kind": "adviser", "level": 2, "category": "trade", "needs": "gems", "points": 0, "does": "road 2",
                "name-ru": "Мой советник",
            },
            "my-hall": {
                "kind": "prestige", "shape": "xx", "colour": "red", "terrain": "coast", "needs": "gems:2 wood",
                "worker": "take-back 1 but my-adviser",
            },
            "my-goal": {"kind": "goal", "deck": "mid", "points": 3, "when": "houses >= 3"},
            "wood": {"forbids": "gems+metal"},
            "gems": {"forbids": "none"},
        },
        **DRAWN,
    )  # fmt: skip
    adviser, hall, goal = printed.advisers["my-adviser"], printed.prestige["my-hall"], printed.goals["my-goal"]
    assert (adviser.level, adviser.category, adviser.needs, adviser.points) == (2, "trade", "gems", 0)
    assert adviser.does == (Instruction(does="road", n=2),)
    assert hall.look == ("xx", "red")
    assert hall.needs == (("gems", 2), ("wood", None))
    assert hall.site == ""
    assert (goal.deck, goal.points, goal.when) == ("mid", 3, Condition("houses", 3))
    assert printed.base_forbids["wood"] == frozenset(("gems", "metal"))
    assert printed.base_forbids["gems"] == frozenset()
    assert printed.names == {("my-adviser", "ru"): "Мой советник"}


CARD = {"kind": "prestige"}


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ({"my-card": {"level": 1}}, "expected a component of the game, or a kind of adviser, prestige, goal"),
        ({"my-card": {"kind": "advisor"}}, "expected one of adviser, prestige, goal for the kind of 'my-card'"),
        ({"trade": {"kind": "adviser"}}, "found neither for 'trade'"),
        ({"A B": {"kind": "adviser"}}, "found neither for 'A B'"),
        ({"human": {"price": 1}}, "expected one of base, forbids, worker for 'human', found 'price'"),
        ({"aesther": {"base": "wood"}}, "expected one of forbids, worker for 'aesther', found 'base'"),
        ({"slot-5": {"price": 1}}, "found neither for 'slot-5'"),
        ({"slot-1": {"price": -1}}, "expected a number from 0 to 99 for the price of 'slot-1', found '-1'"),
        ({"slot-1": {"price": "1"}}, "expected a number from 0 to 99"),
        ({"human": {"base": "books"}}, "for the base of 'human', found 'books'"),
        ({"human": {"forbids": "books"}}, "or none for the forbids of 'human', found 'books'"),
        ({"human": {"forbids": 4}}, "for the forbids of 'human', found '4'"),
        ({"human": {"worker": "gain gold 1"}}, "expected instructions such as 'gain money 1, road'"),
        ({"human": {"worker": ", ".join(["road"] * 9)}}, "expected instructions such as 'gain money 1, road'"),
        ({"human": {"worker": "take-back 1 but nobody"}}, "expected a card for the worker of 'human', found 'nobody'"),
        ({"books": {"inputs": "wood+wood"}}, "expected resources with + between, each once"),
        ({"books": {"inputs": "wood+gems+metal"}}, "expected 'books' to be made of one or two base resources"),
        ({"books": {"inputs": "books"}}, "no recipe goes in a circle, found 'books'"),
        ({"cloth": {"inputs": "books+weapons"}}, "no recipe goes in a circle, found 'weapons'"),
        ({"cloth": {"inputs": "wood+gems"}}, "one of tier 2 at least, found 'wood+gems'"),
        ({"books": {"inputs": "wood", "flags": "1+1"}}, "expected 1 flags for 'books', one an input, found 2"),
        ({"books": {"flags": "1+-1"}}, "expected numbers with + between"),
        ({"books": {"shape": "xxx/y"}}, "expected a shape of one piece"),
        ({"books": {"shape": "x.x/..."}}, "expected a shape of one piece"),
        ({"books": {"shape": "xx"}}, "expected a shape of 3 cells for 'books', found 'xx'"),
        ({"cloth": {"shape": "xxxx"}}, "expected room for the shape of 'cloth' on the board, found none for 'xxxx'"),
        ({"scholar": {"kind": "adviser", "level": 4}}, "expected level 1, 2 or 3 for 'scholar', found 4"),
        ({"hall": {**CARD, "needs": "gems:2 gems:3"}}, "expected resources with their points, each once"),
        ({"hall": {**CARD, "needs": ""}}, "expected resources with their points, each once"),
        ({"hall": {**CARD, "needs": " ".join([*BASES, "books"])}}, "expected resources with their points, each once"),
        ({"hall": {**CARD, "needs": "gems:-2"}}, "expected resources with their points, each once"),
        ({"hall": {**CARD, "colour": "Red!"}}, "expected a colour in small letters"),
        ({"hall": {**CARD, "shape": "xxxx/xxxx"}}, "expected room for 'hall' on the thematic side, on its terrain"),
        ({"hall": {**CARD, "shape": "xx", "terrain": "ruins"}}, ""),
        ({"hall": {**CARD, "shape": "xxx", "terrain": "forest"}}, ""),
        ({"hall": {**CARD, "shape": "xxx/x", "terrain": "forest"}}, "found none for 'xxx/x'"),
        ({"hall": {**CARD, "site": "north"}}, "expected the site 'north' of 'hall' on the thematic side, found none"),
        ({"hall": {**CARD, "site": "fortress", "shape": "x/x"}}, ""),
        ({"hall": {**CARD, "site": "fortress", "shape": "xxx"}}, "that has the shape of 'hall', found none like 'xxx'"),
        ({"goal": {"kind": "goal", "when": "houses > 3"}}, "expected a condition such as 'houses >= 3'"),
        ({"goal": {"kind": "goal", "deck": "late"}}, "expected one of immediate, mid, final for the deck of 'goal'"),
    ],
)
def test_a_slip_is_one_flaw_with_its_place(components: Texts, said: str) -> None:
    flaws = flaws_of(components, **DRAWN)
    if said:
        (flaw,) = flaws
        assert said in flaw
        with pytest.raises(SheetError, match=r"^expected "):
            read(components, **DRAWN)
    else:
        assert flaws == []


def test_a_set_is_read_once() -> None:
    sheet = read_practice()
    printed = read_printed(sheet, "thematic", part_corners=False)
    assert read_printed(sheet, "thematic", part_corners=False) is printed
    twin = Sheet(name=sheet.name, printed=tuple(sheet.printed))
    assert read_printed(twin, "thematic", part_corners=False) is printed
    assert read_printed(sheet, "symmetric", part_corners=False) is not printed


# --- the sets that ship --------------------------------------------------------------------------


def test_nothing_of_the_practice_set_is_said_to_be_of_the_printed_game() -> None:
    assert {row.source for row in read_practice().printed} == {"invented"}
    assert read_printed(read_practice(), "thematic", part_corners=False).is_invented


def test_what_is_known_of_the_printed_game_is_not_invented() -> None:
    rows = {(row.of, row.what): row for row in read_official().printed}
    assert {row.source for row in rows.values()} == {"rulebook", "inferred", "assumed"}
    assert rows["machinery", "inputs"].value == "knowledge+metal"
    assert not any(of.startswith("board-") for of, _ in rows)
    values = Values(read_official())
    printed = read_set(values, "thematic", part_corners=False)
    assert values.flaws == []
    assert ("vermling", "base") in printed.unsure
    assert not printed.is_invented


@pytest.mark.parametrize("side", SIDES)
def test_the_practice_set_is_whole_on_both_sides(side: Side) -> None:
    printed = read_printed(read_practice(), side, part_corners=False)
    board = printed.board
    assert (len(printed.advisers), len(printed.prestige), len(printed.goals)) == (18, 21, 15)
    assert set(board.numbers.values()) == {1, 2, 3, 4}
    assert not any(
        board.sections[other] != board.sections[cell]
        for cell in board.land
        for other in board.near[cell]
        if other in board.sections
    )
    towers = [find_sites(board, site) for site in ("north", "west")]
    assert [len(sites) for sites in towers] == ([1, 1] if side == "thematic" else [3, 3])
    assert len(find_sites(board, "fortress")) == 1


def test_the_practice_set_has_every_instruction_and_count() -> None:
    printed = read_printed(read_practice(), "thematic", part_corners=False)
    programmes = [
        *(adviser.does for adviser in printed.advisers.values()),
        *(building.worker for building in printed.prestige.values()),
        *(race.worker for race in printed.races.values()),
    ]
    instructions = [instruction for programme in programmes for instruction in programme or ()]
    assert {each.does for each in instructions} == set(get_args(Does)) - {"basic", "income"}
    assert {each.per for each in instructions} >= set(COUNTS)
    assert {each.what for each in instructions if each.does == "gain"} == set(GAINED)
    assert any(each.free for each in instructions)
    assert any(each.optional for each in instructions)
    assert any(each.connected and each.terrain for each in instructions)
    assert any(each.that for each in instructions)
    conditions = {goal.when.count for goal in printed.goals.values() if goal.when}
    assert conditions == {*GOAL_COUNTS, MOST_STRUCTURES}
    assert Counter(goal.deck for goal in printed.goals.values()) == {"immediate": 5, "mid": 5, "final": 5}


def test_no_more_than_three_buildings_of_the_practice_set_are_alike() -> None:
    printed = read_printed(read_practice(), "thematic", part_corners=False)
    looks = Counter(building.look for building in printed.prestige.values() if building.look)
    assert max(looks.values()) in {2, 3}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whoever_takes_which_race_the_draft_of_the_practice_set_can_be_completed(players: int) -> None:
    printed = read_printed(read_practice(), "thematic", part_corners=False)
    for races in combinations(RACES, players):
        taken = {base for race in races if (base := printed.races[race].base)}
        for chosen in BASES if AESTHER in races else ("",):
            if chosen not in taken:
                assert can_draft(printed, races, taken | {chosen}, has_third=players == 2), (races, chosen)


def can_draft(printed: Printed, races: Sequence[str], taken: set[str], *, has_third: bool) -> bool:
    """Whether each can have a second base, and with two players a third, that nothing of theirs forbids."""
    left = [base for base in BASES if base not in taken]
    for seconds in permutations(left, len(races)):
        forbidden = [set(printed.races[race].forbids or ()) for race in races]
        if any(base in its for base, its in zip(seconds, forbidden, strict=True)):
            continue
        if not has_third:
            return True
        third = [its | (printed.base_forbids[base] or set()) for base, its in zip(seconds, forbidden, strict=True)]
        rest = [base for base in left if base not in seconds]
        if any(not any(base in its for base, its in zip(each, third, strict=True)) for each in permutations(rest, 2)):
            return True
    return False


# --- the words -----------------------------------------------------------------------------------


def test_every_flaw_is_said_in_every_language() -> None:
    english = vocabulary("en")["flaws"]
    for language in LANGUAGES:
        own = Catalogue.read_file(vocabulary.package, language)["flaws"]
        assert own.keys() == english.keys()
        for key, template in own.items():
            assert {field for _, field, _, _ in Formatter().parse(template) if field} == {
                field for _, field, _, _ in Formatter().parse(english[key]) if field
            }


# --- what speaks against a set, and what it lacks ------------------------------------------------


def change(sheet: Sheet, *rows: tuple[str, str, int | str]) -> Sheet:
    return sheet.with_readings(*(Row(of, what, value, "read") for of, what, value in rows))


def test_nothing_speaks_against_the_sets_that_ship() -> None:
    assert check_set(read_practice()) == ((), ())
    flaws, remarks = check_set(read_official())
    assert flaws == ()
    assert list(map(str, remarks)) == [
        "for every game: 9 of 10 recipes not known",
        "for every game: 2 of 10 shapes of tiles not known",
        "for every game: 4 of 8 prices of Trade not known",
        "for every game: 4 of 4 prices of slots not known",
        "for every game: 18 of 18 advisers in full not known",
        "for every game: 21 of 21 prestige buildings in full not known",
        "for the draft of 2 to 4 players: 6 of 8 bases of races not known",
        "for the draft of 2 to 4 players: 9 of 9 races' forbidden bases not known",
        "for games of 2 players: 8 of 8 base cards' forbidden bases not known",
        "for games with workers: 9 of 9 races' worker actions not known",
        "for games with workers: 17 of 21 worker actions of prestige buildings not known",
        "for games with achievements: 12 of 15 achievements in full not known",
        "no game on the thematic side: its map is not known",
        "no game on the symmetric side: its map is not known",
    ]
    assert remarks[0].text_for(Reader("ru")) == "для каждой партии: рецепты: неизвестно 9 из 10"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [("machinery", "inputs", "knowledge+stone")],
            "expected knowledge+metal for the inputs of 'machinery', as the",
        ),
        ([("machinery", "inputs", "metal+knowledge")], ""),
        (
            [("human", "base", "crops"), ("harrower", "base", "population")],
            "expected population for the base of 'human'",
        ),
        ([("savvas", "base", "metal")], "expected 'metal' to be the base of one race, found savvas, valrath"),
        ([("food", "flags", "1+2")], "expected 1+1 for the flags of 'food', as the printed game has it, found 1+2"),
        ([("cloth", "inputs", "metal+food")], "flags of tier 3 that add up to 3, 5, 6 among others, found 5, 5, 5, 6"),
        ([("hall", "kind", "prestige")], "expected at most 21 prestige buildings, found 22"),
        (
            [(card, "shape", "xx") for card in ("bath-house", "assay-office", "guard-house", "playhouse")]
            + [(card, "colour", "blue") for card in ("bath-house", "assay-office", "guard-house", "playhouse")],
            "expected at most 3 prestige buildings alike in shape and colour, found 4 of xx in blue",
        ),
        ([("board-thematic", "map-12", "fffffcdcd~dccdrr3rfff")], "expected 20 letters in row 12 of the map"),
        (
            [("board-thematic", "map-12", "fffffcdcd~dccdrr3rff")],
            "expected a ruins cell with the number 1 on the thematic",
        ),
        ([("human", "worker", "gain gold 1")], "expected instructions such as"),
    ],
)
def test_what_contradicts_what_is_certain_is_said(rows: list[tuple[str, str, int | str]], said: str) -> None:
    flaws, _ = check_set(change(read_practice(), *rows))
    assert [said in str(flaw) for flaw in flaws] == ([True] if said else [])


def test_recipes_all_of_two_inputs_are_not_those_of_the_printed_game() -> None:
    flaws, _ = check_set(
        change(read_practice(), ("leather", "inputs", "stone+wood"), ("bricks", "inputs", "stone+gems"))
    )
    assert "expected a resource of tier 2 that is made of one base resource, found none" in map(str, flaws)


def test_sites_and_starting_cells_are_counted() -> None:
    no_north = [("board-thematic", f"map-{row:02}", "fffffdddxxxxdddddddd") for row in (2, 3)]
    flaws, _ = check_set(change(read_practice(), *no_north, ("board-thematic", "map-12", "fffffcdcd~2c2rrWrfff")))
    assert list(map(str, flaws)) == [
        "expected the site 'north' of 'north-watchtower' on the thematic side, found none",
        "expected sites 'west' on the thematic side: 1, found 2",
        "expected sites 'north' on the thematic side: 1, found 0",
        "expected a ruins cell with the number 1 on the thematic side, found none",
        "expected a ruins cell with the number 3 on the thematic side, found none",
    ]


def test_there_is_a_starting_cell_for_each_player() -> None:
    flaws, _ = check_set(make_sheet({}, map="c~d~f\nr~1~2\nr~3~4\nW~N~G", sections="1.2.3\n1.2.3\n1.2.3\n....."))
    assert flaws == ()
    flaws, _ = check_set(make_sheet({}, map="c~d~f\nr~r~1\nr~3~4\nW~N~G", sections="1.2.3\n1.2.3\n1.2.3\n....."))
    assert list(map(str, flaws)) == [
        "expected a ruins cell with the number 2 on the thematic side, found none",
        "expected a starting cell for each of 3 players on the thematic side, found fewer",
        "expected a starting cell for each of 4 players on the thematic side, found fewer",
    ]


def test_what_a_set_lacks_is_counted() -> None:
    rows = tuple(
        row for row in read_practice().printed if row.of != "scholar" and row.what not in {"forbids", "worker"}
    )
    flaws, remarks = check_set(Sheet(name="x", printed=rows))
    assert flaws == ()
    assert list(map(str, remarks)) == [
        "for every game: 1 of 18 advisers in full not known",
        "for the draft of 2 to 4 players: 9 of 9 races' forbidden bases not known",
        "for games of 2 players: 8 of 8 base cards' forbidden bases not known",
        "for games with workers: 9 of 9 races' worker actions not known",
        "for games with workers: 21 of 21 worker actions of prestige buildings not known",
    ]


def test_sections_that_touch_are_said() -> None:
    sheet = make_sheet({}, map="c~d~~\n~c~~f\n~cc1~\nWGN24", sections="1.2..\n.1..3\n.111.\n...33")
    _, remarks = check_set(sheet)
    assert any(
        "on the thematic side sections touch at b2 and c1: the option river-corner" in str(each) for each in remarks
    )


# --- a set of somebody's own ---------------------------------------------------------------------

FOUNDERS = TITLES["founders"]


def test_an_own_set_may_have_cards_that_no_other_has() -> None:
    own = parse_sheet(
        '''
name = "Anna's box"
source = "read"
savvas = { base = "stone" }
my-adviser = { kind = "adviser", level = 2, needs = "gems" }
[board-thematic]
map = """
cccc~dddd~ffff
cccc~dddd~ffff
cccc~WGNd~ffff
"""
'''
    )
    sheet = FOUNDERS.with_own_values(own)
    printed = read_printed(sheet, "thematic", part_corners=False)
    assert printed.name == "Anna's box"
    assert printed.advisers["my-adviser"].level == 2
    assert printed.advisers["scholar"].does == (Instruction(does="recruit", free=True),)
    assert {race: its.base for race, its in printed.races.items() if its.base} == {
        "savvas": "stone",
        "vermling": "wood",
        "human": "population",
    }
    reading = Sheet(name="reading", printed=(Row("my-adviser", "points", 2, "read"),))
    rows = FOUNDERS.with_own_values(reading, sheet).rows_by_key()
    assert rows["my-adviser", "points"].value == 2
    assert rows["savvas", "base"].value == "stone"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            Row("my-adviser", "level", 2, "read"),
            "expected one of kind, name-en, name-ru, found 'level' of 'my-adviser'",
        ),
        (Row("scholar", "price", 2, "read"), "expected one of kind, level, category, needs, points, does, name-en"),
        (Row("trade", "kind", "adviser", "read"), "expected a component of sheet 'official-partial', found 'trade'"),
        (Row("slot-5", "price", 1, "read"), "found 'price' of 'slot-5'"),
    ],
)
def test_an_own_set_has_no_value_that_no_component_could_have(row: Row, said: str) -> None:
    with pytest.raises(SheetError, match=re.escape(said)):
        FOUNDERS.with_own_values(Sheet(name="own", printed=(row,)))


def test_the_set_in_the_documentation_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/component-set.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    sheet = FOUNDERS.with_own_values(parse_sheet(toml))
    assert [str(flaw) for flaw in check_set(sheet).flaws] == []
    printed = read_printed(sheet, "thematic", part_corners=False)
    assert printed.prestige["lookout"].needs == (("books", 4), ("cloth", 9))
