"""The page of rules has an anchor for every number that is cited, and knows every rule's id and every option."""

import re
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from spyrium_log.titles import founders
from spyrium_log.titles.founders.cards import BASES, RACES, TIER_2, TIER_3
from spyrium_log.titles.founders.effects import CAUSES, FACTS
from spyrium_log.titles.founders.options import EDITIONS, Options
from spyrium_log.titles.founders.rules.turn import RULES

PAGE = (Path(__file__).parents[2] / "docs/reference/founders/rules.md").read_text(encoding="utf-8")
READINGS = "Readings a game can choose"
# the one form of an anchor: the number in bold, first in its line after the mark of a heading or a list
ANCHOR = re.compile(r"^(?:## |- )\*\*(F-\d+(?:\.\d+)*)\*\* ", re.MULTILINE)
NUMBER = re.compile(r"\bF-\d+(?:\.\d+)*(?!\d|\.\d)")
ANCHORS = ANCHOR.findall(PAGE)
CITED = sorted({*RULES.values(), *CAUSES.values(), *FACTS.values()})
RULE_ID = re.compile(r"`([a-z]+\.[a-z]+)`")
# the table of readings: an option, its readings with the default in bold, the question, what the rulebook says
ROW = re.compile(
    r"^\| `([a-z-]+)` \| (\*\*`[a-z0-9-]+`\*\*(?:, `[a-z0-9-]+`)*) \| \S[^|]* \| \S[^|]* \|$", re.MULTILINE
)


def section(heading: str) -> str:
    """A section of the page, from its heading to the next."""
    return PAGE.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]


def parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.removeprefix("F-").split("."))


def readings() -> dict[str, list[str]]:
    """Every option of the page with its readings, the default first."""
    return {name: re.findall(r"`([a-z0-9-]+)`", cell) for name, cell in ROW.findall(section(READINGS))}


@pytest.mark.parametrize("number", CITED)
def test_every_number_cited_has_its_line(number: str) -> None:
    """A cause or a fact may cite the rule that it begins with, `F-3` for all of it."""
    assert number in ANCHORS


def test_every_number_in_the_source_has_its_line() -> None:
    """Docstrings and comments cite rules too."""
    room = resources.files(founders)
    files = [path for folder in (room, room / "rules") for path in folder.iterdir() if path.name.endswith(".py")]
    assert len(files) > 10
    cited = {number for path in files for number in NUMBER.findall(path.read_text("utf-8"))}
    assert cited - set(ANCHORS) == set()


def test_numbers_are_unique_and_in_order() -> None:
    assert [parts(number) for number in ANCHORS] == sorted({parts(number) for number in ANCHORS})


def test_no_number_is_left_out() -> None:
    """Each number follows the one before it, or opens what lies below it: with 1, or with 0 for what comes before."""
    assert ANCHORS[0] == "F-1"
    for before, after in pairwise(map(parts, ANCHORS)):
        *above, last = after
        opens = after in {(*before, 0), (*before, 1)}
        assert opens or (last > 0 and before[: len(after)] == (*above, last - 1))
    assert ANCHORS[-1] == "F-13"


def test_the_page_refers_to_its_own_rules_only() -> None:
    assert set(NUMBER.findall(PAGE)) == set(ANCHORS)


def test_every_rule_has_its_id_behind_its_number() -> None:
    """From an anchor to the next one stand the ids of this number and no other."""
    rules = PAGE.split(f"\n## {READINGS}")[0]
    starts = list(ANCHOR.finditer(rules))
    ids = {
        start[1]: RULE_ID.findall(rules[start.end() : (end.start() if end else len(rules))])
        for start, end in zip(starts, [*starts[1:], None], strict=True)
    }
    wanted: dict[str, list[str]] = {number: [] for number in ANCHORS}
    for rule, number in RULES.items():
        wanted[number].append(rule)
    assert ids == wanted


def test_options_are_those_of_a_game() -> None:
    hints = get_type_hints(Options)
    wanted = {}
    for field in msgspec.structs.fields(Options):
        assert get_origin(hints[field.name]) is Literal
        wanted[field.encode_name] = (field.default, set(get_args(hints[field.name])))
    assert {name: (values[0], set(values)) for name, values in readings().items()} == wanted
    assert list(readings()) == list(wanted)
    assert all(len(values) == len(set(values)) for values in readings().values())


def test_editions_are_those_of_the_title() -> None:
    """Every option that a rulebook settles has its row."""
    rows = [line.strip("| ").split(" | ") for line in section(READINGS).splitlines() if line.startswith("| ")]
    names = next(row for row in rows if row[1:] == [f"`{name}`" for name in EDITIONS])
    table = {row[0].strip("`"): row[1:] for row in rows if len(row) == len(names) and row is not names}
    said = {name for edition in EDITIONS.values() for name in edition.readings}
    assert list(table) == [name for name in readings() if name in said]
    for at, edition in enumerate(EDITIONS.values()):
        printed = {name: cells[at].strip("`") for name, cells in table.items() if cells[at] != "–"}
        assert printed == edition.readings


def test_counts_on_the_page_are_those_of_the_pieces() -> None:
    for words, pieces in (
        ("nine races", RACES),
        ("Eight base resources", BASES),
        ("six of tier 2", TIER_2),
        ("four of tier 3", TIER_3),
    ):
        count = {"nine": 9, "eight": 8, "six": 6, "four": 4}[words.split()[0].lower()]
        assert words in PAGE
        assert len(pieces) == count


def test_the_page_says_whose_words_and_who_wins() -> None:
    top = PAGE.split("\n## ", 1)[0]
    for word in ("In whose words", "The rulebook wins", "component", "Unknown is not zero"):
        assert word in top


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) < 280
