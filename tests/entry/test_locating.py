"""A count that disagrees, at the prompt: its template, its mark, and what would explain it."""

from __future__ import annotations

from pathlib import Path

import pytest

from spyrium_log.entry.locating import mark_wrong_counts
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Correction, make_line
from spyrium_log.log.lines import Amended
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.store import Folder
from spyrium_log.title import Counted

EXAMPLES = Path(__file__).parents[2] / "examples"


def open_prompt(tmp_path: Path, name: str) -> Prompt:
    """A prompt on a game of its own."""
    path = tmp_path / "game.jsonl"
    path.write_bytes((EXAMPLES / f"{name}.jsonl").read_bytes())
    folder = Folder(tmp_path)
    (game,) = folder.list_names()
    return Prompt(Play(folder.read_log(game)))


def enter(prompt: Prompt, line: str) -> None:
    """Record what this line asks for."""
    request = prompt.enter_line(line)
    assert isinstance(request, Act | Correction), prompt.view.message
    prompt.play.append(make_line(prompt.play, request, by="scribe"))
    prompt.restart_after(request)


def open_findings(prompt: Prompt) -> int:
    return sum(finding.is_open for finding in replay(prompt.play.log).findings)


@pytest.mark.parametrize("name", ["spyrium/wrong-price", "founders/page-14-trade"])
def test_the_whole_table_is_offered_as_a_line_to_be_edited(tmp_path: Path, name: str) -> None:
    prompt = open_prompt(tmp_path, name)
    for key in "c ":
        prompt.press(key)
    (template,) = prompt.view.choices
    assert template.name.startswith("by the record: money, ")
    prompt.press("tab")
    request = prompt.view.request
    assert isinstance(request, Act)
    assert isinstance(request.act, Counted)
    seats = {holding.who for holding in request.act.held}
    assert seats == set(range(1, len(prompt.play.players) + 1))
    assert prompt.describe(request).endswith("all as recorded")


@pytest.mark.parametrize("name", ["spyrium/first-round", "founders/page-14-trade"])
def test_a_count_that_disagrees_is_marked_and_explained_by_a_key(tmp_path: Path, name: str) -> None:
    prompt = open_prompt(tmp_path, name)
    before = open_findings(prompt)
    held = {holding.what: holding.n for holding in prompt.play.title.held(prompt.play.state) if holding.who == 1}
    line = f"c anna money {held['money'] + 1}"
    request = prompt.enter_line(line)
    assert request is not None
    assert "≠ Anna money " in prompt.describe(request)
    assert "; locate lists what would explain it" in prompt.describe(request)
    enter(prompt, line)
    assert open_findings(prompt) == before + 1
    marked = [name for name, said in mark_wrong_counts(replay(prompt.play.log), "en").items() if said.startswith("≠ ")]
    assert marked == [str(prompt.play.log.lines[-1].n)]
    for key in "locate":
        prompt.press(key)
    assert [choice.keys for choice in prompt.view.choices][:1] == ["1"]
    assert prompt.press("enter") is None
    prompt.press("1")
    request = prompt.press("enter")
    assert isinstance(request, Correction)
    assert "; 1 fewer open findings; as counted in " in prompt.describe(request)
    enter(prompt, "locate 1")
    assert isinstance(prompt.play.log.lines[-1], Amended)
    assert open_findings(prompt) == before
    assert "≠" not in "".join(mark_wrong_counts(replay(prompt.play.log), "en").values())
    enter_nothing = prompt.enter_line("locate")
    assert enter_nothing is None
    assert prompt.view.message == "no count disagrees, or nothing explains it"


def test_a_number_that_no_explanation_has_takes_nothing(tmp_path: Path) -> None:
    prompt = open_prompt(tmp_path, "spyrium/counted")
    for line in ("locate 9", "locate"):
        assert prompt.enter_line(line) is None
        assert [choice.text for choice in prompt.view.choices] == ["locate 1", "locate 2"]
    # what happened is told without the whole of a deal
    assert prompt.view.choices[0].name.startswith("1: Cleo £0 revenue, Cleo s+2 revenue; ")
