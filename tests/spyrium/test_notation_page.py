"""The page of the notation: every block is read, and nothing that can be said is without an example."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import Amended, EventLine
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium import notation, position
from spyrium_log.titles.spyrium.effects import CAUSES, FACTS
from spyrium_log.transcript import read_transcript, transcribe
from spyrium_log.transcript.correction import VERBS
from spyrium_log.transcript.game import TAGS
from spyrium_log.transcript.line import WORDS
from tests.anything import info

PAGE = (Path(__file__).parents[2] / "docs/reference/spyrium/notation.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```notation\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [block.strip("\n").split("\n") for block in FENCED.findall(PAGE)]
TABLE = BLOCKS[0]
SAID = "\n".join(line.partition("  #")[0] for block in BLOCKS for line in block)
SPYRIUM = TITLES["spyrium"]


def log_of(block: list[str]) -> Log:
    return read_transcript(TABLE + (block if block is not TABLE else []), TITLES, "notation.md")


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block[0])
def test_every_block_is_read_line_by_line_and_comes_back(block: list[str]) -> None:
    log = log_of(block)
    lines = [line for line in TABLE + (block if block is not TABLE else []) if line and not line.startswith("[")]
    assert len(log.lines) == 1 + len(lines)
    back = read_transcript(transcribe(log, exact=True), TITLES)
    assert back.lines == log.lines


def executed() -> list[Log]:
    return [log_of(block) for block in BLOCKS]


def test_every_kind_of_line_and_every_act_has_an_example() -> None:
    lines = [line for log in executed() for line in log.lines]
    tags = {type(line).__struct_config__.tag for line in lines}
    acts = {type(line.do).__struct_config__.tag for line in lines if isinstance(line, EventLine)}
    kinds = info(line_type(SPYRIUM)).types  # type: ignore[attr-defined]
    assert tags == {kind.tag for kind in kinds}
    known = {
        act.tag
        for kind in kinds
        for field in kind.fields
        if field.name == "do"
        for act in getattr(field.type, "types", (field.type,))
    }
    assert acts == known
    assert len(known) > 15
    edits = [type(edit).__name__ for line in lines if isinstance(line, Amended) for edit in line.edits]
    assert set(edits) == {"Replace", "Drop", "InsertAfter"}


def test_every_field_of_a_move_is_said_somewhere() -> None:
    """Whatever a player can choose, an example chooses."""
    acts = [line.do for log in executed() for line in log.lines if isinstance(line, EventLine)]
    for kind in get_args(SPYRIUM.wire.decision):
        mine = [act for act in acts if type(act) is kind]
        for field in structs.fields(kind):
            assert any(getattr(act, field.name) != field.default for act in mine), f"{kind.__name__}.{field.name}"


@pytest.mark.parametrize("shape", [shape for shape, _ in notation.WORDS])
def test_every_word_of_a_move_has_an_example(shape: str) -> None:
    assert any(re.fullmatch(shape, word) for word in SAID.split())


@pytest.mark.parametrize(
    "word", [*WORDS, *VERBS, *TAGS, *position.SECTIONS, *position.MAT_WORDS, *SPYRIUM.words.letters]
)
def test_every_word_has_an_example(word: str) -> None:
    after = "(?=[-0-9])" if word in SPYRIUM.words.letters else r"(?![\w-])"
    assert re.search(rf"(?<![\w-]){re.escape(word)}{after}", SAID)


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_has_an_example(fact: str) -> None:
    assert f"{fact}(" in SAID


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_is_listed(cause: str) -> None:
    listed = PAGE.split("The causes: ", 1)[1].split("The facts:", 1)[0]
    assert cause in re.split(r"[\s,.]+", listed)


def test_the_page_is_one_page() -> None:
    assert len(PAGE.splitlines()) < 200
