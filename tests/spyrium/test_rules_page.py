"""The page of rules has an anchor for every number that is cited, and knows every card, event and option."""

import re
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from spyrium_log.titles import spyrium
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS
from spyrium_log.titles.spyrium.effects import CAUSES, FACTS
from spyrium_log.titles.spyrium.options import EDITIONS, Options
from spyrium_log.titles.spyrium.rules.turn import RULES

PAGE = (Path(__file__).parents[2] / "docs/reference/spyrium/rules.md").read_text(encoding="utf-8")
# the one form of an anchor: the number in bold, first in its line after the mark of a heading, a list or a table
ANCHOR = re.compile(r"^(?:## |- |  - |\| )\*\*(S-\d+(?:\.\d+)*)\*\* ", re.MULTILINE)
NUMBER = re.compile(r"\bS-\d+(?:\.\d+)*(?!\d|\.\d)")
ANCHORS = ANCHOR.findall(PAGE)
CITED = sorted({*RULES.values(), *CAUSES.values(), *FACTS.values()})
# the table of S-11: an option, its readings with the default in bold, the question
ROW = re.compile(r"^\| `([a-z-]+)` \| (\*\*`[a-z-]+`\*\*(?:, `[a-z-]+`)*) \| \S.* \|$", re.MULTILINE)

# a cell of the table of editions: the reading, or a dash, then pages with words of the book
CELL = re.compile(r"(?:`([a-z-]+)`|–)((?:;? p\. \d+: \*[^*|]+\*)*)")


def section(number: str) -> str:
    """A section of the page, from its heading to the next."""
    return PAGE.split(f"\n## **{number}** ", 1)[1].split("\n## ", 1)[0]


def parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.removeprefix("S-").split("."))


def readings() -> dict[str, list[str]]:
    """Every option of the page with its readings, the default first."""
    return {name: re.findall(r"`([a-z-]+)`", cell) for name, cell in ROW.findall(section("S-11"))}


@pytest.mark.parametrize("number", CITED)
def test_every_number_cited_has_its_line(number: str) -> None:
    assert number in ANCHORS


def test_every_number_in_the_source_has_its_line() -> None:
    """Docstrings and comments cite rules too."""
    room = resources.files(spyrium)
    files = [path for folder in (room, room / "rules") for path in folder.iterdir() if path.name.endswith(".py")]
    assert len(files) > 10
    cited = {number for path in files for number in NUMBER.findall(path.read_text("utf-8"))}
    assert cited - set(ANCHORS) == set()


def test_numbers_are_unique_and_in_order() -> None:
    assert [parts(number) for number in ANCHORS] == sorted({parts(number) for number in ANCHORS})


def test_no_number_is_left_out() -> None:
    """Each number follows the one before it, or opens what lies below it."""
    assert ANCHORS[0] == "S-1"
    for before, after in pairwise(map(parts, ANCHORS)):
        *above, last = after
        assert after == (*before, 1) or (last > 1 and before[: len(after)] == (*above, last - 1))
    assert ANCHORS[-1] == "S-11"


def test_the_page_refers_to_its_own_rules_only() -> None:
    assert set(NUMBER.findall(PAGE)) == set(ANCHORS)


def test_options_are_those_of_a_game() -> None:
    hints = get_type_hints(Options)
    wanted = {}
    for field in msgspec.structs.fields(Options):
        assert get_origin(hints[field.name]) is Literal
        wanted[field.encode_name] = (field.default, set(get_args(hints[field.name])))
    assert {name: (values[0], set(values)) for name, values in readings().items()} == wanted
    assert all(len(values) == len(set(values)) for values in readings().values())


def editions() -> dict[str, list[str]]:
    """Every option of the table of editions, with a cell for each rulebook."""
    rows = [line.strip("| ").split(" | ") for line in section("S-11").splitlines() if line.startswith("| ")]
    names = next(row for row in rows if row[1:] == [f"`{name}`" for name in EDITIONS])
    return {row[0].strip("`"): row[1:] for row in rows if len(row) == len(names) and row is not names}


def test_every_option_has_its_row_of_editions() -> None:
    assert list(editions()) == list(readings())


@pytest.mark.parametrize("option", readings())
def test_editions_are_those_of_the_title(option: str) -> None:
    """A cell is the reading of the preset, or a dash, then the words of the book, each with its page."""
    for cell, edition in zip(editions()[option], EDITIONS.values(), strict=True):
        match = CELL.fullmatch(cell)
        assert match, cell
        reading, words = match.groups()
        assert reading == edition.readings.get(option)
        assert words or reading is None, "a preset without the words that it rests on"
        assert reading is None or reading in readings()[option]


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_stands_in_its_row(event: str) -> None:
    """In the order of the cards, so that number and event belong together."""
    assert f"\n| **S-8.{EVENTS.index(event) + 1}** | `{event}` |" in section("S-8")


@pytest.mark.parametrize("card", CARDS)
def test_every_card_stands_in_one_row(card: str) -> None:
    rows = [line for line in section("S-9").splitlines() if line.startswith("| ")]
    assert len([row for row in rows if f"`{card}`" in row]) == 1


def test_the_page_says_whose_words_and_who_wins() -> None:
    top = PAGE.split("\n## ", 1)[0]
    for word in ("In whose words", "The rulebook wins", "sheet.toml"):
        assert word in top


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) < 240
