"""What a scribe types: each act has keys of its own, and no keys begin others; deals are read while half typed."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.entry.keys import Keys
from spyrium_log.errors import NotationError
from spyrium_log.title import FinalCount, Paused, Table
from spyrium_log.titles.founders import FOUNDERS, moves
from spyrium_log.titles.founders.cards import Goal
from spyrium_log.titles.founders.deals import (
    ACTION_CODES,
    ACTION_KEYS,
    CARD_OF_CODE,
    cards_by_code,
    code_of,
    codes_of,
    read_deal,
)
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.shorthand import find_hint, find_printed_price, list_steps, track_numbers
from spyrium_log.titles.founders.shorthand.ranks import rank_act
from spyrium_log.titles.founders.shorthand.typed import read_typed
from spyrium_log.titles.founders.state import DueDelivery, State
from tests.founders.notated import DEALT, PRINTED, new_table, place_university, table

MOMENTS = 160


def play_by_chance(seed: int, seats: int, options: Options) -> Iterator[tuple[State, Any]]:
    """Each moment of a game by chance, with the act that is then done; every kind of act is as likely."""
    rng = random.Random(seed)
    # much money, so that much is legal
    start = ((("money", 40),),) * seats
    sheet = FOUNDERS.sheet("practice-1")
    state = FOUNDERS.setup(Table(start=start, first=1, options=options, sheet=sheet))
    for _ in range(MOMENTS):
        awaited = FOUNDERS.awaits(state)
        act: Any = FinalCount()
        if awaited.kind == "deal":
            act = FOUNDERS.deal(state, lambda pool, k: rng.sample(list(pool), k))
        elif awaited.kind != "final":
            kinds: dict[type, list[Any]] = {}
            for legal in FOUNDERS.legal(state):
                kinds.setdefault(type(legal), []).append(legal)
            act = rng.choice(kinds[rng.choice(list(kinds))])
        yield FOUNDERS.copy(state), act
        effects = FOUNDERS.effects(state, act)
        assert effects is not None
        FOUNDERS.evolve(state, act, effects.moved, effects.facts)
        if FOUNDERS.awaits(state).kind == "over":
            return


@cache
def moments() -> list[tuple[State, Any]]:
    """Moments of games of two, three and four, some of them with many legal acts."""
    games = (
        play_by_chance(1, 2, Options(achievements="with")),
        play_by_chance(2, 3, Options(call_bonus="waive", tile_flip="mirror")),
        play_by_chance(3, 4, Options(workers="without", side="symmetric")),
    )
    return [moment for game in games for moment in game]


def full_keys(state: State, act: moves.Act) -> str:
    return "".join(step.key for step in list_steps(state, act))


def required_keys(state: State, act: moves.Act) -> str:
    return "".join(step.key for step in list_steps(state, act) if not step.optional)


def test_each_legal_act_has_keys_of_its_own_and_none_begins_another() -> None:
    kinds: Counter[type] = Counter()
    for state, act in moments()[::3]:
        legal = FOUNDERS.legal(state)
        kinds.update({type(act) for act in legal})
        assert len({full_keys(state, other) for other in legal}) == len(legal)
        keys = sorted({required_keys(state, other) for other in legal})
        assert [pair for pair in pairwise(keys) if pair[1].startswith(pair[0])] == []
        assert not legal or act in legal
    # a tie, and deliveries to choose, are rare by chance
    assert len(kinds) >= 14, kinds


def test_what_is_typed_is_what_is_meant() -> None:
    rng = random.Random(4)
    typed: list[int] = []
    for state, _ in rng.sample(moments(), 40):
        legal = FOUNDERS.legal(state)
        keys = Keys(FOUNDERS, state, legal)
        for act in rng.sample(legal, min(4, len(legal))):
            text = keys.find_shortest_keys(act)
            assert keys.find_matches(text).likeliest == act, (text, act)
            typed.append(len(text))
    assert len(typed) > 80
    assert sorted(typed)[len(typed) // 2] <= 6


def test_no_key_of_a_follow_is_a_shortcut_of_the_recorder() -> None:
    """`u` alone takes back, and `c` alone counts: nothing of a move may be just that."""
    for state, _ in moments()[::4]:
        assert {"u", "c"}.isdisjoint(required_keys(state, act) for act in FOUNDERS.legal(state))


@pytest.mark.parametrize(
    ("act", "keys"),
    [
        (moves.BuildBase(seat=3, base="gems", at="d4", card="trade"), "tged04"),
        (moves.BuyAccess(seat=3, at="d4"), "+d04"),
        (moves.BuildHouse(seat=3, at="d4", card="construct"), "chd04"),
        (moves.BuildBridge(seat=3, at="e7"), "be07"),
        (moves.LayRoad(seat=3, at="aa12", card="upgrade"), "uraa12"),
        (moves.LayRoad(seat=3, at="d5", card="?", down=True), "-?rd05"),
        (moves.Gain(seat=3, what="money", card="trade", down=True), "-t0"),
        (moves.Gain(seat=3, what="fleeting"), "i"),
        (moves.Recruit(seat=3, slot=2, card="recruit"), "r2"),
        (moves.Recruit(seat=3, slot=2, named="scholar"), "2=sc"),
        (moves.Recruit(seat=3, slot=4, card="scholar"), "sc4"),
        (moves.PlayCard(seat=3, card="income"), "i"),
        (moves.PlayCard(seat=3, card="carpenter"), "ca."),
        (moves.UseWorker(seat=3, on="race"), "wr"),
        (moves.UseWorker(seat=3, on="university"), "wun"),
        (moves.Decline(seat=3), "x"),
        (moves.TakeBack(seat=3, cards=("trade", "scholar")), "k2trsc"),
        (moves.TakeBack(seat=3), "k0"),
        (moves.CallVote(seat=3, money=1, roads=2), "v0rrx"),
        (moves.BreakTie(seat=3, proposal=2), "2"),
        (moves.PayClaims(seat=3, fleeting=2), "p"),
        (moves.Deliver(seat=3, building="university", resource="gems", at="d4"), "d04"),
        (moves.TakeRace(seat=3, race="aesther", base="gems"), "aege"),
        (moves.PlaceStart(seat=3, at="f8"), "f08"),
        (moves.BuildTile(seat=3, resource="government", cells=("d4", "e4")), "god04e04"),
        (FinalCount(), "f"),
        (Paused(), ""),
    ],
)
def test_the_keys_of_an_act(act: moves.Act, keys: str) -> None:
    assert required_keys(table(), act) == keys


def test_what_is_left_out_is_guessed() -> None:
    state = table(moves.BuildBase(seat=1, base="knowledge", at="a1", card="trade"))
    cells = ("d4", "e4", "e5")
    act = moves.BuildTile(seat=1, resource="machinery", cells=cells, inputs=("a1", "b3"))
    assert [(step.key, step.optional) for step in list_steps(state, act)] == [
        ("ma", False),
        ("d04", False),
        (".1", True),
        ("<a01", True),
        ("<b03", True),
    ]
    bid = moves.Bid(seat=1, proposal=2, fleeting=3)
    assert [(step.key, step.optional) for step in list_steps(state, bid)] == [("2", False), ("f3", True), ("l0", True)]
    own = moves.BuildTile(seat=1, resource="machinery", cells=("d4", "e4", "d5"), inputs=("a1", "b3"))
    assert rank_act(state, own) < rank_act(state, act)
    assert rank_act(state, moves.Decline(seat=1)).waste


def test_of_what_is_alike_the_first_along_the_board_is_likelier() -> None:
    state = table()
    deliveries = [moves.Deliver(seat=1, building="university", resource="gems", at=at) for at in ("g8", "d4")]
    ties = [moves.BreakTie(seat=1, proposal=proposal) for proposal in (2, 1)]
    payments = [moves.PayClaims(seat=1, lasting=lasting, fleeting=2 - lasting) for lasting in (1, 0)]
    for acts in (deliveries, ties, payments):
        assert sorted(acts, key=lambda act: rank_act(state, act)) == acts[::-1]
    assert rank_act(state, FinalCount()).order > rank_act(state, moves.Decline(seat=1)).order


def test_the_more_cards_are_taken_back_the_likelier() -> None:
    takings = [moves.TakeBack(seat=3, cards=cards) for cards in ((), ("trade",), ("trade", "recruit"))]
    assert sorted(takings, key=lambda act: rank_act(table(), act)) == takings[::-1]


def test_what_a_delivery_goes_to_may_be_typed_where_several_are_due() -> None:
    keys = [step.key for step in list_steps(table(), moves.Deliver(seat=3, building="guild", resource="gems", at="d4"))]
    assert keys == ["d04", ":ge", ":gu"]


def test_a_worker_goes_to_a_building_by_its_number() -> None:
    state = place_university()
    evolve(state, moves.PlacePrestige(seat=1, cells=("d4", "e4", "d5", "e5")), (), ())
    assert required_keys(state, moves.UseWorker(seat=1, on="university")) == "w1"


# --- codes ---------------------------------------------------------------------------------------


def test_codes_have_two_letters_and_mean_one_thing_each() -> None:
    for printed in (PRINTED, moments()[0][0].printed):
        codes = codes_of(printed)
        assert {len(code) for code in codes.values()} == {2}
        assert len(set(codes.values())) == len(codes)
        assert {*printed.advisers, *printed.prestige, *printed.goals} <= set(codes)
        assert set(codes.values()).isdisjoint(ACTION_CODES.values())
        assert cards_by_code(printed).items() >= CARD_OF_CODE.items()


def test_no_code_of_an_adviser_is_a_card_and_what_follows_it() -> None:
    """`-ti` would be Trade face-down for an influence, or an adviser face-down."""
    for printed in (PRINTED, moments()[0][0].printed):
        for card in printed.advisers:
            code = code_of(printed, card)
            assert code[0] not in "iv"
            assert code[0] not in ACTION_KEYS.values() or code[1] not in "0irw"


def test_codes_last_for_as_many_cards_as_a_set_may_have() -> None:
    """Ids that begin alike have other letters in their codes, and one without a free pair has any."""
    goals = {f"aa-{n}": Goal(card=f"aa-{n}", deck=None, points=None, when=None) for n in range(100)}
    codes = codes_of(dataclasses.replace(PRINTED, goals=goals))
    assert len({codes[card] for card in goals}) == 100


def test_a_card_is_typed_in_quotes_once_all_pairs_of_letters_are_taken() -> None:
    goals = {f"aa-{n}": Goal(card=f"aa-{n}", deck=None, points=None, when=None) for n in range(26**2)}
    printed = dataclasses.replace(PRINTED, goals=goals)
    assert code_of(printed, "aa-0") == "aa"
    assert code_of(printed, f"aa-{26**2 - 1}") == f'"aa-{26**2 - 1}"'
    assert {len(code) for code in cards_by_code(printed)} == {2}


def test_a_text_that_could_be_two_cards_in_two_ways_is_refused_behind_both() -> None:
    """`ab cde` and `abc de`: each names two advisers, by a code and by the begin of a name."""
    scholar = PRINTED.advisers["scholar"]
    cards = {card: dataclasses.replace(scholar, card=card) for card in ("abcx", "cdex", "dexx")}
    state = new_table()
    state.printed = dataclasses.replace(PRINTED, advisers=cards)
    assert read_deal(state, "abcde", "en").words == ["abcx", "cdex"]
    with pytest.raises(NotationError, match="expected a card, found 'zz'") as caught:
        read_deal(state, "abcdezz", "en")
    assert caught.value.column == 6


def test_a_card_that_no_set_has_is_typed_in_quotes() -> None:
    assert code_of(PRINTED, "mercenary") == '"mercenary"'
    assert code_of(PRINTED, "?") == "?"


# --- deals ---------------------------------------------------------------------------------------


def test_each_deal_is_typed_card_by_card() -> None:
    kinds: Counter[type] = Counter()
    for state, deal in moments():
        if not isinstance(deal, moves.DEALS):
            continue
        kinds[type(deal)] += 1
        text = full_keys(state, deal)
        assert read_deal(state, text, "ru").act == deal
        for length in range(len(text)):
            half = read_deal(state, text[:length], "en")
            assert half.act is None or len(text) - length > 2
            assert half.codes or half.act
    assert set(kinds) == set(moves.DEALS)


@pytest.mark.parametrize(
    "text",
    [
        "sc?frca un gu ba",
        "sc ? fr ca un gu ba",
        "Scholar, ?, foreman, carp, university guild barge",
        "scholar?foremancarpuniversityguildbarge",
        "sch?foremca universi gui bar",
    ],
)
def test_codes_and_names_may_be_mixed(text: str) -> None:
    assert read_deal(new_table(), text, "en").act == DEALT


def test_a_name_may_be_of_the_language() -> None:
    assert read_deal(new_table(), "учёный", "ru").words == ["scholar"]
    with pytest.raises(NotationError, match="a card"):
        read_deal(new_table(), "учёный", "en")


def test_a_half_typed_deal_asks_for_the_next_card() -> None:
    state = new_table()
    empty = read_deal(state, "", "en")
    assert (empty.question, empty.act, empty.words) == ("adviser 1", None, [])
    assert ("sc", "Scholar") in empty.codes
    assert empty.codes[-1] == ("?", "?")
    begun = read_deal(state, "sc c", "ru")
    assert (begun.question, begun.begun, begun.codes) == ("советник 2", "c", [("ca", "Плотник")])
    assert read_deal(state, "sc?frca", "en").question == "proposal 1"
    # a card that was typed comes no more
    assert "sc" not in dict(read_deal(state, "sc", "en").codes)


def test_a_proposal_that_went_back_is_marked() -> None:
    state = new_table()
    deal = read_deal(state, "sc?frca un -crook gu ba", "en")
    assert deal.act == structs.replace(DEALT, put_back=("crooked-bone",))
    assert deal.words[5] == "-crooked-bone"
    half = read_deal(state, "sc?frca un -", "en")
    assert (half.begun, half.question) == ("", "proposal 2")
    with pytest.raises(NotationError, match="a card, found '-'"):
        read_deal(state, "-sc", "en")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("zz", 1, "expected a card, found 'zz'"),
        ("sc un", 4, "expected a card, found 'un'"),
        ("sc?frca un gu ba un", 18, "a deal of 7 cards"),
        ("sc s", 4, "can still come"),
    ],
)
def test_what_is_no_deal_is_refused_where_it_stands(text: str, column: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        read_deal(new_table(), text, "en")
    assert caught.value.column == column


def test_achievements_are_dealt_where_the_table_plays_with_them() -> None:
    state = new_table(options=Options(achievements="with"))
    deal = read_deal(state, 'sc?frca un gu ba "one" "two" "three"', "en").act
    assert deal == moves.TableDealt(advisers=DEALT.advisers, proposals=DEALT.proposals, goals=("one", "two", "three"))


def test_a_row_that_only_slides_needs_no_key() -> None:
    state = table()
    state.row, state.row_taken, state.advisers_seen = ("", "foreman", "", "carpenter"), True, 18
    state.did = (*state.did, *(type(state.did[0])(seat, "decline") for seat in (1, 2, 3)))
    assert FOUNDERS.awaits(state).kind == "deal"
    assert read_deal(state, "", "en").act == moves.AdvisersDealt()
    with pytest.raises(NotationError, match="a deal of 0 cards"):
        read_deal(state, "sc", "en")


# --- beside the keys -----------------------------------------------------------------------------


def test_an_unseen_adviser_may_turn_out_to_be_somebody() -> None:
    named = moves.Recruit(seat=3, slot=2, named="huckster")
    assert full_keys(table(), named) == "2=hc"
    assert read_typed(table(), "2=hc") == [named]


def test_what_is_typed_of_a_legal_move_is_that_move() -> None:
    rng = random.Random(5)
    seen: Counter[str] = Counter()
    for state, _ in moments():
        legal = FOUNDERS.legal(state)
        for act in rng.sample(legal, min(6, len(legal))):
            seen[type(act).__name__] += 1
            assert read_typed(state, full_keys(state, act)) == [act]
    assert len(seen) > 14, seen


def test_what_is_not_legal_may_be_typed() -> None:
    assert read_typed(table(), "ha06") == [moves.BuildHouse(seat=3, at="a6")]
    assert read_typed(table(), "x") == [moves.Decline(seat=3)]
    assert read_typed(table(), "bza03") == [moves.BuildBridge(seat=3, at="za3")]
    (tile,) = read_typed(table(), "mad04.1")
    assert tile == moves.BuildTile(seat=3, resource="machinery", cells=("d4", "e4", "e5"), inputs=())
    (beside,) = read_typed(place_university(), "z40")
    assert isinstance(beside, moves.PlacePrestige)
    (gain,) = read_typed(place_university(), "t0")
    assert gain == moves.Gain(seat=beside.seat, what="money", card="trade")
    state = table()
    state.due = (DueDelivery("university", "gems", 2),)
    assert read_typed(state, "d04") == [moves.Deliver(seat=2, building="university", resource="gems", at="d4")]


def test_a_tile_without_its_suppliers_is_met_with_a_hint() -> None:
    state = table(moves.BuildBase(seat=1, base="knowledge", at="a1", card="trade"))
    act = moves.BuildTile(seat=1, resource="machinery", cells=("d4", "e4", "d5"))
    assert "<g8,b3" in find_hint(state, act, ["tile.inputs"], "en")
    assert "<g8,b3" in find_hint(state, act, ["tile.inputs"], "ru")
    assert find_hint(state, act, ["turn.order"], "en") == ""
    assert find_hint(table(), moves.BuildTile(seat=3, resource="machinery", cells=()), ["tile.inputs"], "en") == ""
    assert find_hint(state, moves.Decline(seat=1), ["tile.inputs"], "en") == ""


@pytest.mark.parametrize(
    ("act", "value"),
    [
        (moves.Recruit(seat=1, slot=3), ("slot-3", "price")),
        (moves.BuildBase(seat=1, base="gems", at="d4"), ("terrain-desert", "build")),
        (moves.BuildBase(seat=2, base="gems", at="d4"), None),
        (moves.BuildBase(seat=1, base="gems", at="d7"), None),
        (moves.BuyAccess(seat=3, at="b3"), ("terrain-desert", "access")),
        (moves.BuyAccess(seat=3, at="a1"), None),
        (moves.Decline(seat=1), None),
    ],
)
def test_a_price_rests_on_what_is_printed(act: moves.Act, value: tuple[str, str] | None) -> None:
    assert find_printed_price(table(), act) == value


def test_access_is_bought_for_the_cheapest_terrain_below_the_tile() -> None:
    # machinery on desert and forest, a bridge on the river, a house
    state = table(
        moves.BuildTile(seat=1, resource="machinery", cells=("d5", "e5", "d6")),
        moves.BuildBridge(seat=1, at="d7"),
        moves.BuildHouse(seat=1, at="h6"),
    )
    assert find_printed_price(state, moves.BuyAccess(seat=2, at="d6")) == ("terrain-desert", "access")
    assert find_printed_price(state, moves.BuyAccess(seat=2, at="d7")) is None
    assert find_printed_price(state, moves.BuyAccess(seat=2, at="h6")) is None


def test_amounts_are_just_amounts() -> None:
    assert track_numbers(table(), "income") == ()
