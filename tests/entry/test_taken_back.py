"""What an undo took back is offered again, move by move."""

from __future__ import annotations

from collections import Counter

import pytest

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Undo, make_line
from spyrium_log.play import Play
from spyrium_log.title import Paused
from tests.games import QUICK_TITLES, game, log_of
from tests.scribe import Scribe

GAMES = 12
DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"


def written(prompt: Prompt, line: str) -> None:
    """Enter a line and write what it asks for, as a recorder does."""
    request = prompt.enter_line(line)
    assert isinstance(request, Act | Undo), (line, prompt.view)
    prompt.play.append(make_line(prompt.play, request, by="scribe"))
    prompt.restart_after(request)


def opening(*moves: str) -> Prompt:
    prompt = Prompt(Scribe("taken-back").play(DEAL).table)
    for move in moves:
        written(prompt, move)
    return prompt


@pytest.mark.parametrize("seed", range(GAMES))
def test_enter_alone_records_what_was_taken_back(seed: int, counts: Counter[str]) -> None:
    for title in QUICK_TITLES.values():
        log = game(title.key, seed)
        play = Play(log_of(title, log.lines[:40]))
        before, acts = play.title.copy(play.state), [event.do for event in play.list_events()]
        prompt = Prompt(play)
        written(prompt, "u 1")
        while prompt.taken_back:
            written(prompt, "")
            counts["moves that Enter recorded again"] += 1
        assert [event.do for event in play.list_events()] == acts
        assert [*title.held(play.state)] == [*title.held(before)]


def test_what_was_forgotten_comes_before_what_is_offered() -> None:
    prompt = opening("p12", "p36", "p45", "u 2")
    assert prompt.text == "p36"
    written(prompt, "+p23")
    assert prompt.text == "p36"
    written(prompt, "")
    written(prompt, "")
    assert [event.do.gap for event in prompt.play.list_events()[1:]] == [12, 23, 36, 45]
    assert [event.do.seat for event in prompt.play.list_events()[1:]] == [1, 2, 3, 1]
    assert (prompt.text, prompt.taken_back) == ("", [])


def test_what_is_typed_takes_the_place_of_what_is_offered() -> None:
    prompt = opening("p12", "p36", "p45", "u 2")
    for key in "p14":
        prompt.press(key)
    assert prompt.text == "p14"
    written(prompt, "p14")
    assert (prompt.text, prompt.taken_back) == ("p45", ["p45"])


def test_one_move_or_all_are_left_out() -> None:
    prompt = opening("p12", "p36", "p45", "p14", "u 2")
    assert prompt.enter_line("-") is None
    assert prompt.taken_back == ["p45", "p14"]
    assert prompt.enter_line("--") is None
    assert (prompt.taken_back, prompt.text) == ([], "")
    assert prompt.enter_line("-") is None
    assert prompt.view.message


def test_another_undo_adds_to_what_is_offered() -> None:
    prompt = opening("p12", "p36", "p45", "u 3", "u")
    assert prompt.taken_back == ["p36", "p45"]


def test_a_statement_is_not_offered_and_takes_no_place() -> None:
    prompt = opening("p12", "pause", "continue", "p36", "u 2")
    assert prompt.taken_back == ["p36"]
    written(prompt, "pause")
    assert isinstance(prompt.play.list_events()[-1].do, Paused)
    assert prompt.taken_back == ["p36"]


def test_an_undo_of_an_undo_offers_nothing() -> None:
    assert opening("p12", "p36", "u 2", "u 3").taken_back == []


def test_whoever_opens_the_log_after_an_undo_is_offered_the_same() -> None:
    before = opening("p12", "p36", "p45", "u 2")
    again = Prompt(Play(before.play.log))
    assert again.text == ""
    again.offer_taken_back()
    assert (again.text, again.taken_back) == ("p36", ["p36", "p45"])
