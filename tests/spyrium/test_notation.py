"""The short lines: what is written is read as the same act; what says nothing is refused where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from spyrium_log.errors import NotationError
from spyrium_log.title import FinalCount, Paused
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import ActivateCard, DealtCard, PlaceWorker, RoundDealt, TakeBonus, UseEvent
from spyrium_log.titles.spyrium.notation import read, write
from tests.scribe import Scribe
from tests.stories import opening

DEAL = "deal windfall:2 estate mine-1 ? miner:13 mine-3:1 crane palace mansion banker:2 mine-2"


@pytest.fixture
def table() -> Any:
    return opening().play("p12").state


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("p14", PlaceWorker(seat=2, gap=14)),
        ("@3 p14", PlaceWorker(seat=3, gap=14)),
        (">a12.1 o2 lob", ActivateCard(seat=2, gap=12, space=1, over=2, lobbying=True, enter=True)),
        ("a47.7 t3 rm c1", ActivateCard(seat=2, gap=47, space=7, token=3, commerce=1, residence="move")),
        ("a12.2 no", ActivateCard(seat=2, gap=12, space=2, declined=True)),
        ("a12.2 =palace", ActivateCard(seat=2, gap=12, space=2, named="palace")),
        ("e u2.1", UseEvent(seat=2, slot=2, effect=1)),
        ("e p56", UseEvent(seat=2, gap=56)),
        ("e points c2", UseEvent(seat=2, gain="points", commerce=2)),
        ("b5", TakeBonus(seat=2, bonus="money")),
        ("final", FinalCount()),
    ],
)
def test_what_is_read_is_written_the_same(table: Any, text: str, act: Any) -> None:
    assert read(table, text) == act
    assert write(table, act) == text


def test_a_deal_is_read_and_written() -> None:
    state = Scribe("game").state
    act = read(state, DEAL)
    assert isinstance(act, RoundDealt)
    assert (act.event, act.event_token, act.next_event, act.next_token) == ("windfall", 2, "estate", None)
    assert act.market[2] == DealtCard(card="miner", tokens=(1, 3))
    assert write(state, act) == DEAL


def test_a_statement_has_no_short_form(table: Any) -> None:
    assert write(table, Paused()) == ""


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "found nothing"),
        ("@2", 3, "after the seat"),
        ("q12", 1, "'q12'"),
        (">q12", 2, "'q12'"),
        ("p13", 1, "one of the gaps 12 23"),
        ("p", 1, "expected p12"),
        ("a12", 1, "expected a12.1"),
        ("u99.1", 1, "on the board"),
        ("a12.1 t4", 7, "'t4'"),
        (">p12", 1, "phase II"),
        (">b5", 1, "phase II"),
        ("p12 t1", 5, "like 'p12'"),
        ("b5 t1", 4, "like 'b5'"),
        ("a12.1 tt", 7, "'tt'"),
        ("a12.1 t1 t2", 10, "again"),
        ("p12 p23", 5, "again"),
        ("deal", 5, "the event"),
        ("deal windfall:12 estate", 6, "one token"),
        ("deal exchange estate Mine", 22, "'Mine'"),
        ("deal exchange estate mine-1:9", 22, "'mine-1:9'"),
        (f"{DEAL} engineer", len(DEAL) + 2, "9 cards"),
    ],
)
def test_what_says_nothing_is_refused_where_it_stands(table: Any, text: str, column: int, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read(table, text)
    assert caught.value.column == column
    assert str(caught.value).endswith(f"in '{text}' at column {column}")


def test_nobody_is_to_act_before_the_deal_and_after_the_end() -> None:
    with pytest.raises(NotationError, match="a round to be dealt"):
        read(Scribe("game").state, "p12")
    scribe = Scribe("game").resync("the end", round=6, mats=())
    for seat in (1, 2, 3):
        scribe.play(f"@{seat} >x", anyway=True)
    with pytest.raises(NotationError, match="the final count, 'final'"):
        read(scribe.state, "x")
    with pytest.raises(NotationError, match="the game is over"):
        read(scribe.play("final").state, "x")


def test_the_door_has_the_same_notation(table: Any) -> None:
    assert TITLES["spyrium"].notation.read(table, "x") == read(table, "x")
