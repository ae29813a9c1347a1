"""The short lines: what is written is read as the same act; what says nothing is refused where it stands."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.errors import NotationError
from spyrium_log.log.lines import Decided
from spyrium_log.title import FinalCount, Paused, Resynced
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    BuildingAt,
    DealtCard,
    MatAt,
    PlaceWorker,
    Position,
    RoundDealt,
    TakeBonus,
    UseEvent,
    WorkersAt,
)
from spyrium_log.titles.spyrium.notation import read_act, write_act
from tests.greedy import greedy_game
from tests.scribe import Scribe, market
from tests.stories import opening

DEAL = "deal windfall:2 estate mine-1 ? miner:13 mine-3:1 crane palace mansion banker:2 mine-2"


def resynced(**said: Any) -> Resynced[Position]:
    return Resynced(position=Position(**said), why="why")


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
        ("e u2", UseEvent(seat=2, slot=2)),
        ("e u.1", UseEvent(seat=2, effect=1)),
        ('a12.2 ="Café [2]"', ActivateCard(seat=2, gap=12, space=2, named="Café [2]")),
        ("final", FinalCount()),
        ('position "why"', Resynced(position=Position(), why="why")),
        (
            'position round 3, first @2, last @0, event windfall:2, next :1, discard 112 "why"',
            resynced(round=3, first=2, last=0, event="windfall", event_token=2, next_token=1, discard=(1, 1, 2)),
        ),
        (
            'position market mine-1 - miner:13, workers 12@1*2 36@2 36@2*0 "why"',
            resynced(
                market=market("mine-1", "-", "miner:13"),
                workers=(
                    WorkersAt(gap=12, seat=1, n=2),
                    WorkersAt(gap=36, seat=2, n=1),
                    WorkersAt(gap=36, seat=2, n=0),
                ),
            ),
        ),
        ('position market, workers, discard - "why"', resynced(market=market(), workers=(), discard=())),
        (
            (
                "position @1 £-3 s2 p14 w4 r2 a1 II passed !used due built(mine-1 /workshop-1*2 /crane) techs(crane)"
                ' tilted() kept(13) bonus(5w), @1, @3 I built() "why"'
            ),
            resynced(
                mats=(
                    MatAt(
                        seat=1,
                        money=-3,
                        spyrium=2,
                        points=14,
                        workers=4,
                        residence=2,
                        active=1,
                        phase=2,
                        passed=True,
                        used_event=False,
                        bonus_due=True,
                        buildings=(
                            BuildingAt(card="mine-1"),
                            BuildingAt(card="workshop-1", inclined=True, workers=2),
                            BuildingAt(card="crane", inclined=True),
                        ),
                        techniques=("crane",),
                        tilted=(),
                        kept=(1, 3),
                        bonuses=("money", "worker"),
                    ),
                    MatAt(seat=1),
                    MatAt(seat=3, phase=1, buildings=()),
                )
            ),
        ),
    ],
)
def test_what_is_read_is_written_the_same(table: Any, text: str, act: Any) -> None:
    assert read_act(table, text) == act
    assert write_act(table, act) == text


def test_a_deal_is_read_and_written() -> None:
    state = Scribe("game").state
    act = read_act(state, DEAL)
    assert isinstance(act, RoundDealt)
    assert (act.event, act.event_token, act.next_event, act.next_token) == ("windfall", 2, "estate", None)
    assert act.market[2] == DealtCard(card="miner", tokens=(1, 3))
    assert write_act(state, act) == DEAL


def test_a_deal_says_what_the_rules_would_not_expect(table: Any) -> None:
    act = read_act(table, DEAL)
    assert isinstance(act, RoundDealt)
    assert (act.round, act.first) == (2, 2)
    for other in (structs.replace(act, round=5), structs.replace(act, first=3), structs.replace(act, round=1, first=9)):
        assert read_act(table, write_act(table, other)) == other
    assert write_act(table, structs.replace(act, round=5, first=3)).startswith("deal 5 @3 windfall:2 ")


def test_a_pound_is_on_few_keyboards(table: Any) -> None:
    assert read_act(table, 'position @1 m7 "why"') == read_act(table, 'position @1 £7 "why"')


def test_what_all_titles_share_is_not_for_a_title_to_write(table: Any) -> None:
    assert write_act(table, Paused()) == ""


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "found nothing"),
        ("@2", 3, "after the seat"),
        ("q12", 1, "'q12'"),
        (">q12", 2, "'q12'"),
        ("p13", 1, "one of the gaps 12 23"),
        ("p", 1, "expected a word such as p12"),
        ("a12", 1, "expected a word such as a12.1"),
        ("pass", 1, "expected x, found 'pass'"),
        ("places 12", 1, "expected a word such as p12"),
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
        ("deal exchange estate Mine-1", 22, "did you mean 'mine-1'"),
        ("deal 21 exchange estate", 1, "a round from 1 to 20"),
        (f"deal exchange estate {'x' * 41}", 22, "at most 40 characters"),
        ('deal exchange estate "\\x"', 22, "a string in quotes"),
        ("p٣٤", 1, "expected a word such as p12"),
        ("u²2.1", 1, "expected a word such as u2.1"),
        ("final x", 7, "nothing after 'final'"),
        ("position", 9, "why in quotes"),
        ('position "\\ud800"', 10, "a string in quotes"),
        ('position rond 3 "why"', 10, "did you mean 'round'"),
        ('position round 3, round 4 "why"', 19, "again"),
        ('position round 21 "why"', 10, "lie on a table"),
        ('position round ٣ "why"', 16, "a number"),
        ('position round "why"', 15, "a number"),
        ('position first 2 "why"', 16, "@ and a seat"),
        ('position event windfall:12 "why"', 16, "one token"),
        (f'position market {"- " * 10}"why"', 35, "9 spaces"),
        ('position workers 12 "why"', 18, "12@1"),
        ('position workers 13@1 "why"', 10, "lie on a table"),
        ('position discard 14 "why"', 18, "1123"),
        ('position @1 £12 £13 "why"', 17, "again"),
        ('position @1 passd "why"', 13, "did you mean 'passed'"),
        ('position @1 built "why"', 18, "expected \\("),
        ('position @1 built(mine-1 "why"', 18, "expected \\)"),
        ('position @1 built(Mine) "why"', 19, "a building"),
        ('position @1 techs(Crane) "why"', 19, "did you mean 'crane'"),
        ('position @1 bonus(x) "why"', 19, "bonuses"),
        ('position @1 w21 "why"', 10, "lie on a table"),
    ],
)
def test_what_says_nothing_is_refused_where_it_stands(table: Any, text: str, column: int, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_act(table, text)
    assert caught.value.column == column
    assert str(caught.value).endswith(f"in '{text}' at column {column}")


def test_nobody_is_to_act_before_the_deal_and_after_the_end() -> None:
    with pytest.raises(NotationError, match="a round to be dealt"):
        read_act(Scribe("game").state, "p12")
    scribe = Scribe("game").resync("the end", round=6, mats=())
    for seat in (1, 2, 3):
        scribe.play(f"@{seat} >x", anyway=True)
    with pytest.raises(NotationError, match="the final count, 'final'"):
        read_act(scribe.state, "x")
    with pytest.raises(NotationError, match="the game is over"):
        read_act(scribe.play("final").state, "x")


def test_the_door_has_the_same_notation(table: Any) -> None:
    assert TITLES["spyrium"].words.read(table, "x") == read_act(table, "x")


def test_decisions_are_as_short_as_in_chess() -> None:
    """A move of chess has three to four characters."""
    lengths = []
    for seats in (2, 4):
        table = Scribe("game", seats=seats, first=greedy_game(seats, seats).header.first).table
        for event in greedy_game(seats, seats).lines[1:]:
            if isinstance(event, Decided):
                lengths.append(len(table.write_notation(event.do)))
            table.append(event)
    assert len(lengths) > 200
    assert median(lengths) <= 4
