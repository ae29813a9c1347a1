"""A value that an act rests on and nobody knows is asked for before the act is recorded."""

from __future__ import annotations

import pytest

from spyrium_log.edit.amend import record_reading, withdraw_line
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Reading, Request, make_line
from spyrium_log.errors import SheetError
from spyrium_log.log.lines import ReadOff
from spyrium_log.play import Play
from spyrium_log.replay import current_sheet
from spyrium_log.sheet import Printed
from spyrium_log.title import Question
from spyrium_log.titles.founders import moves
from tests.founders.evening import begin, half_known_set

DEAL = "deal table gatekeeper scholar carpenter drover proposals north-watchtower west-watchtower ghost-fortress"


@pytest.fixture
def prompt() -> Prompt:
    return Prompt(begin(half_known_set(), seed=1, seats=2, options={}), by="Anna")


def write(prompt: Prompt, request: Request | None) -> list[Request]:
    """Write a request as the recorder does, and what goes on after it. Returns what was written."""
    written: list[Request] = []
    while request is not None:
        assert isinstance(request, Act | Reading)
        prompt.play.append(make_line(prompt.play, request, by="Anna"))
        prompt.restart_after(request)
        written.append(request)
        request = prompt.resume()
    return written


def enter(prompt: Prompt, *lines: str) -> list[Request]:
    """Enter lines, and write what they come to."""
    return [request for line in lines for request in write(prompt, prompt.enter_line(line))]


def asked(prompt: Prompt) -> Question | None:
    return prompt.inquiry.asked


def readings(play: Play) -> list[tuple[str, str, int | str]]:
    return [(line.value.of, line.value.what, line.value.value) for line in play.log.lines if isinstance(line, ReadOff)]


def test_each_value_is_asked_in_turn_and_then_the_act_is_recorded(prompt: Prompt) -> None:
    assert enter(prompt, DEAL) == []
    assert asked(prompt) == Question("gatekeeper", "kind", "adviser")
    assert prompt.view.question == "kind of gatekeeper, Enter: adviser"
    assert enter(prompt, "") == [Reading(of="gatekeeper", what="kind", value="adviser")]
    assert asked(prompt) == Question("gatekeeper", "level")
    assert prompt.play.list_events() == []
    enter(prompt, "1", "1", "1", "", "1")
    assert asked(prompt) is None
    assert prompt.text == ""
    assert readings(prompt.play) == [
        ("gatekeeper", "kind", "adviser"),
        ("gatekeeper", "level", 1),
        ("scholar", "level", 1),
        ("carpenter", "level", 1),
        ("drover", "kind", "adviser"),
        ("drover", "level", 1),
    ]
    assert [type(event.do) for event in prompt.play.list_events()] == [moves.TableDealt]


@pytest.mark.parametrize(
    ("answer", "message"), [("green", "number"), ("100", "number"), ("-1", "number"), ("4", "level")]
)
def test_an_answer_that_is_no_such_value_is_refused_and_asked_again(prompt: Prompt, answer: str, message: str) -> None:
    enter(prompt, DEAL, "")
    assert enter(prompt, answer) == []
    assert message in prompt.view.message
    assert asked(prompt) == Question("gatekeeper", "level")
    assert enter(prompt, "1") == [Reading(of="gatekeeper", what="level", value=1)]


def test_what_nobody_can_read_stays_unknown_and_is_not_asked_again(prompt: Prompt) -> None:
    enter(prompt, DEAL, "?", "?", "?")
    written = enter(prompt, "?")
    assert [type(request) for request in written] == [Act]
    assert readings(prompt.play) == []
    enter(prompt, "race inox")
    assert asked(prompt) == Question("inox", "base")
    enter(prompt, "?")
    prompt.play.append(prompt.play.make_undo_line(by="Anna"))
    prompt.restart()
    assert [type(request) for request in enter(prompt, "race inox")] == [Act]


def test_enter_without_an_answer_leaves_the_act_unrecorded(prompt: Prompt) -> None:
    enter(prompt, DEAL, "", "1", "1", "1", "", "1", "race inox")
    assert enter(prompt, "") == []
    assert asked(prompt) is None
    assert prompt.view.message == "expected the base of inox, such as wood"
    assert len(prompt.play.list_events()) == 1


def test_escape_brings_back_what_was_typed(prompt: Prompt) -> None:
    enter(prompt, DEAL)
    for key in "foo":
        prompt.press(key)
    prompt.press("escape")
    assert asked(prompt) is None
    assert prompt.text == DEAL


def test_a_choice_of_the_list_waits_too(prompt: Prompt) -> None:
    enter(prompt, DEAL, "", "1", "1", "1", "", "1")
    while not (isinstance(prompt.view.request, Act) and getattr(prompt.view.request.act, "race", "") == "inox"):
        prompt.press("down")
    assert prompt.press("enter") is None
    assert asked(prompt) == Question("inox", "base")
    for key in "livestock":
        prompt.press(key)
    written = write(prompt, prompt.press("enter"))
    assert written == [Reading(of="inox", what="base", value="livestock"), Act(act=moves.TakeRace(seat=1, race="inox"))]


def test_against_the_rules_it_is_asked_as_well(prompt: Prompt) -> None:
    enter(prompt, DEAL, "", "1", "1", "1", "", "1", "race inox", "livestock")
    enter(prompt, "@1 race orchid!")
    assert asked(prompt) == Question("orchid", "base")
    (reading, act) = enter(prompt, "gems")
    assert reading == Reading(of="orchid", what="base", value="gems")
    assert isinstance(act, Act)
    assert act.anyway


def test_a_reading_knows_the_readings_before_it(prompt: Prompt) -> None:
    play = prompt.play
    with pytest.raises(SheetError):
        record_reading(play.log, Printed("drover", "level", 1, "read"), by="Anna")
    kind = play.append(record_reading(play.log, Printed("drover", "kind", "adviser", "read"), by="Anna"))
    play.append(record_reading(play.log, Printed("drover", "level", 1, "read"), by="Anna"))
    assert current_sheet(play.log).rows_by_key()["drover", "level"].value == 1
    # without it nobody could read the log
    with pytest.raises(SheetError):
        withdraw_line(play.log, kind.n, why="a slip", by="Anna")


def test_a_reading_with_which_no_game_can_be_played_is_refused(prompt: Prompt) -> None:
    with pytest.raises(SheetError, match="livestock"):
        record_reading(prompt.play.log, Printed("inox", "base", "sheep", "read"), by="Anna")
