"""The one grammar of statements: amounts as people write them, whoever reads them."""

from __future__ import annotations

import pytest

from spyrium_log.errors import NotationError
from spyrium_log.play import Play
from spyrium_log.title import Counted, Holding
from spyrium_log.titles import TITLES
from spyrium_log.transcript import read_line, read_move
from spyrium_log.transcript.span import line_span, names_of
from spyrium_log.transcript.statements import Grammar

SPYRIUM = TITLES["spyrium"]


def table(*players: str) -> Play:
    return Play.new(SPYRIUM, game="game-said", players=players or ("Anna", "Bob"))


def grammar(seat: int = 0, *players: str) -> Grammar:
    play = table(*players)
    return Grammar(SPYRIUM, play.state, names_of(play.header), seat)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("£12 s3", [(1, "money", 12), (1, "spyrium", 3)]),
        ("m12 money-3", [(1, "money", 12), (1, "money", -3)]),
        ("money 12 points 14", [(1, "money", 12), (1, "points", 14)]),
        ("+3 money +2 points", [(1, "money", 3), (1, "points", 2)]),
        ("2s3 p1", [(2, "spyrium", 3), (1, "points", 1)]),
    ],
)
def test_an_amount_is_a_resource_and_a_number(text: str, amounts: list[tuple[int, str, int]]) -> None:
    found, rest = grammar(1).read_amounts(line_span(text))
    assert [(amount.who, amount.what, amount.n) for amount in found] == amounts
    assert not rest.text


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Anna £12 s3, Bob £8", [(1, "money", 12), (1, "spyrium", 3), (2, "money", 8)]),
        ("anna 12 money 3 spyrium, b money 8", [(1, "money", 12), (1, "spyrium", 3), (2, "money", 8)]),
        ("anna £12 bob £8", [(1, "money", 12), (2, "money", 8)]),
        ("12 3, 8 -", [(1, "money", 12), (1, "spyrium", 3), (2, "money", 8)]),
        ("2s3", [(2, "spyrium", 3)]),
        ("", []),
    ],
)
def test_a_count_names_players_or_goes_by_seats(text: str, held: list[tuple[int, str, int]]) -> None:
    expected = Counted(held=tuple(Holding(*holding) for holding in held))
    assert grammar().read_count(line_span(text)) == expected
    assert read_move(table(), f"count {text}") == expected


def test_a_player_may_be_called_like_an_amount() -> None:
    assert grammar(0, "Moneybags", "Bob").read_count(line_span("moneybags £3")).held == (Holding(1, "money", 3),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("£3", "expected a player"),
        ("Anna", "expected what was counted"),
        ("Anna £3, Bob", "expected what was counted"),
        ("Anna Bob £3", "expected an amount such as £3"),
        ("cy £3", "expected one player of Anna"),
        ("anna q3", "expected one of £ m s p w r"),
        ("4s3", "expected seat 1 to 2"),
        ("1 2 3 4 5 6", "expected at most money, spyrium, points, workers, residence, found '6'"),
    ],
)
def test_half_a_count_is_answered_with_what_is_missing(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        grammar().read_count(line_span(text))


@pytest.mark.parametrize("text", ['"Anna": "it was missed"', "Anna: it was missed", '"Anna": it was missed'])
def test_who_and_why_may_stand_in_quotes(text: str) -> None:
    seen = grammar().read_seen(line_span(text))
    assert (seen.who, seen.why) == ("Anna", "it was missed")


def test_who_may_be_left_out_where_somebody_is_known_to_speak() -> None:
    seen = grammar().read_seen(line_span("it was missed"), by="Zoë")
    assert (seen.who, seen.why) == ("Zoë", "it was missed")
    with pytest.raises(NotationError, match="expected who says so and why"):
        grammar().read_seen(line_span("it was missed"))


@pytest.mark.parametrize("text", ["concede bob", "bob: concede", "@2 concede"])
def test_who_concedes_may_stand_before_it_or_behind(text: str) -> None:
    assert read_move(table(), text.replace("@2 concede", "@2: concede")).seat == 2


def test_a_ruled_amount_is_written_in_words_too() -> None:
    by_words, by_letters = (
        read_line(table(), f'adjust "Anna": "missed" | bob {amount} adjusted', by="Zoë")
        for amount in ("+2 points", "p+2")
    )
    assert by_words == by_letters
