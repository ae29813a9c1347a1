"""The page of the notation: every block is read, and nothing that can be said is without an example."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import EventLine
from spyrium_log.title import FinalCount, Resynced
from spyrium_log.titles.founders import FOUNDERS, moves, position
from spyrium_log.titles.founders.effects import CAUSES, FACTS
from spyrium_log.titles.founders.notation.choices import CHOICES
from spyrium_log.titles.founders.notation.deals import DEALS
from spyrium_log.titles.founders.notation.steps import LETTERS_OF_CARDS, STEP_WORDS
from spyrium_log.transcript import read_transcript, transcribe

PAGE = (Path(__file__).parents[2] / "docs/reference/founders/notation.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```notation\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [block.strip("\n").split("\n") for block in FENCED.findall(PAGE)]
TABLE = BLOCKS[0]
SAID = "\n".join(line.partition("  #")[0] for block in BLOCKS for line in block)
# A game without a sheet of its own has the first that ships, which is known in part only; here it has a whole one.
PRACTICE = structs.replace(FOUNDERS, sheets={"practice-1": FOUNDERS.sheets["practice-1"]})
TITLES = {"founders": PRACTICE}
BASIC_ACTIONS = (moves.Gain, moves.LayRoad, moves.UseWorker)


def log_of(block: list[str]) -> Log:
    return read_transcript(TABLE + (block if block is not TABLE else []), TITLES, "notation.md")


@cache
def acts() -> list[object]:
    return [line.do for block in BLOCKS for line in log_of(block).lines if isinstance(line, EventLine)]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block[0])
def test_every_block_is_read_line_by_line_and_comes_back(block: list[str]) -> None:
    log = log_of(block)
    lines = [line for line in TABLE + (block if block is not TABLE else []) if line and not line.startswith("[")]
    assert len(log.lines) == 1 + len(lines)
    back = read_transcript(transcribe(log, exact=True), TITLES)
    assert back.lines == log.lines


def test_every_act_of_the_game_has_an_example() -> None:
    assert {type(act) for act in acts()} >= {*moves.DECISIONS, *moves.DEALS, FinalCount, Resynced}


@pytest.mark.parametrize("kind", [*get_args(moves.Decision), *get_args(moves.Deal)])
def test_every_field_of_an_act_is_said_somewhere(kind: type) -> None:
    """Whatever somebody can choose, or a deal can say, an example says. Only basic actions are played face-down."""
    mine = [act for act in acts() if type(act) is kind]
    fields = [field for field in structs.fields(kind) if field.name != "down" or kind in BASIC_ACTIONS]
    for field in fields:
        assert any(getattr(act, field.name) != field.default for act in mine), f"{kind.__name__}.{field.name}"


@pytest.mark.parametrize("field", [*structs.fields(moves.Position), *structs.fields(moves.MatAt)], ids=lambda f: f.name)
def test_every_part_of_a_position_is_stated_somewhere(field: structs.FieldInfo) -> None:
    positions = [act.position for act in acts() if isinstance(act, Resynced)]
    stated = [*positions, *(mat for each in positions for mat in each.mats)]
    assert any(getattr(each, field.name, None) not in (None, ()) for each in stated)


@pytest.mark.parametrize(
    "word",
    [
        *("@Bob", "=tanner", "<", "d4.1", "d4.1m", "complete", "claim", "back", "shuffled", "-?"),
        *(*CHOICES, *STEP_WORDS, *LETTERS_OF_CARDS.values(), *DEALS, *position.SECTIONS, *position.MAT_WORDS),
    ],
)
def test_every_word_has_an_example(word: str) -> None:
    assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", SAID)


@pytest.mark.parametrize("letter", position.LETTERS)
def test_every_amount_has_an_example(letter: str) -> None:
    assert re.search(rf"(?<![\w-]){letter}[0-9]+ ", SAID)


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_has_an_example(fact: str) -> None:
    assert f"{fact}(" in SAID


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_is_listed(cause: str) -> None:
    listed = PAGE.split("The causes: ", 1)[1].split("The facts:", 1)[0]
    assert cause in re.split(r"[\s,]+|\.\s", listed)


def test_the_page_is_one_page() -> None:
    assert len(PAGE.splitlines()) < 220
