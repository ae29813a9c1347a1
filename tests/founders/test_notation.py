"""The short lines: what is written is read as the same act; what says nothing is refused where it stands."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest
from msgspec import inspect

from spyrium_log.errors import NotationError
from spyrium_log.title import FinalCount, Paused, Resynced
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.notation import read_act, write_act, write_without_seat
from spyrium_log.titles.founders.notation.steps import OTHER_LINES
from spyrium_log.titles.founders.position.pieces import find_tile_shape, guess_inputs, list_turns
from spyrium_log.titles.founders.rules.turn import find_awaited
from spyrium_log.transcript.line import WORDS
from tests import anything
from tests.founders.notated import new_table, place_university, table

# Words of at most four characters, so that they may stand for cells, too.
HOSTILE = (
    *("", "?", "-", " ", "d4", "d04", "zz99", "d4.1", "d4,", "a b", 'a"b', "\\", "é", "\n", "@1", "<d4", "+d4", "#"),
    *("T", "V", "I", "x", "c", "r", "3", "gems", "race", "base", "back", "play", "tile", "call", "deal", "seal", "=d4"),
    *("row", "undo", "|", "[x]", "a:", "c1", "f2", "r3", "salt", "(a)", "a,b", "(", "d4@1"),
)


def resynced(**stated: Any) -> Resynced[moves.Position]:
    return Resynced(position=moves.Position(**stated), why="why")


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("race human", moves.TakeRace(seat=3, race="human")),
        ("race aesther gems", moves.TakeRace(seat=3, race="aesther", base="gems")),
        ("base wood", moves.TakeBase(seat=3, base="wood")),
        ("base wood @2", moves.TakeBase(seat=3, base="wood", who=2)),
        ("start d4", moves.PlaceStart(seat=3, at="d4")),
        ("T gems d4", moves.BuildBase(seat=3, base="gems", at="d4", card="trade")),
        ("T +d4", moves.BuyAccess(seat=3, at="d4", card="trade")),
        ("C h d4", moves.BuildHouse(seat=3, at="d4", card="construct")),
        ("C b e7", moves.BuildBridge(seat=3, at="e7", card="construct")),
        ("U r d5", moves.LayRoad(seat=3, at="d5", card="upgrade")),
        ("R 2", moves.Recruit(seat=3, slot=2, card="recruit")),
        ("I", moves.PlayCard(seat=3, card="income")),
        ("scholar 3", moves.Recruit(seat=3, slot=3, card="scholar")),
        ("carpenter", moves.PlayCard(seat=3, card="carpenter")),
        ("V", moves.CallVote(seat=3)),
        ("V c1 f1 r2", moves.CallVote(seat=3, money=1, fleeting=1, roads=2)),
        ("-T c", moves.Gain(seat=3, what="money", card="trade", down=True)),
        ("-scholar f", moves.Gain(seat=3, what="fleeting", card="scholar", down=True)),
        ("-? r d5", moves.LayRoad(seat=3, at="d5", card="?", down=True)),
        ("-R w university", moves.UseWorker(seat=3, on="university", card="recruit", down=True)),
        ("gems d4", moves.BuildBase(seat=3, base="gems", at="d4")),
        ("+d4", moves.BuyAccess(seat=3, at="d4")),
        ("h aa12", moves.BuildHouse(seat=3, at="aa12")),
        ("r d5", moves.LayRoad(seat=3, at="d5")),
        ("c", moves.Gain(seat=3, what="money")),
        ("f", moves.Gain(seat=3, what="fleeting")),
        ("w race", moves.UseWorker(seat=3, on="race")),
        ("3 =scholar", moves.Recruit(seat=3, slot=3, named="scholar")),
        ("play", moves.PlayCard(seat=3)),
        ("x", moves.Decline(seat=3)),
        ("@2 x", moves.Decline(seat=2)),
        ("@9 x", moves.Decline(seat=9)),
        ("back trade ?", moves.TakeBack(seat=3, cards=("trade", "?"))),
        ("back", moves.TakeBack(seat=3)),
        ("bid 2 f3 l1", moves.Bid(seat=3, proposal=2, fleeting=3, lasting=1)),
        ("bid 1 salt:9c0a", moves.Bid(seat=3, proposal=1, salt="9c0a")),
        ("sealed 9c0a", moves.SealBid(seat=3, seal="9c0a")),
        ("tie 2", moves.BreakTie(seat=3, proposal=2)),
        ("choose 3 l2", moves.ChooseProposal(seat=3, proposal=3, lasting=2)),
        ("pay f2", moves.PayClaims(seat=3, fleeting=2)),
        ("pay", moves.PayClaims(seat=3)),
        ("deliver university gems d4", moves.Deliver(seat=3, building="university", resource="gems", at="d4")),
        ("call", moves.PlayCard(seat=3, card="call")),
        ("build machinery d4", moves.BuildBase(seat=3, base="machinery", at="d4")),
        ("final", FinalCount()),
        ("deal row", moves.AdvisersDealt()),
        ("deal row scholar ?", moves.AdvisersDealt(cards=("scholar", "?"))),
        ("deal proposals a b back c shuffled", moves.ProposalsDealt(cards=("a", "b"), put_back=("c",), shuffled=True)),
        ("deal instead guild", moves.ProposalReplaced(card="guild")),
        ("deal instead guild shuffled", moves.ProposalReplaced(card="guild", shuffled=True)),
        (
            "deal table a b c d proposals e f g back h i goals k l m",
            moves.TableDealt(
                advisers=("a", "b", "c", "d"), proposals=("e", "f", "g"), put_back=("h", "i"), goals=("k", "l", "m")
            ),
        ),
        ('position "why"', Resynced(position=moves.Position(), why="why")),
        (
            'position votes 2, last @1, row a - b, proposals, spent c, goals "" d, roads d5 d6 "why"',
            resynced(
                votes=2, last=1, row=("a", "-", "b"), proposals=(), spent=("c",), goals=("", "d"), roads=("d5", "d6")
            ),
        ),
        ('position tile -, building - "why"', resynced(tiles=(), buildings=())),
        (
            (
                "position tile gems d4 @1 +@2 +@3, tile books c1 c2 c3 <d4 <e6,"
                ' building guild d4 e4 gems@1 wood@0 claim "why"'
            ),
            resynced(
                tiles=(
                    moves.TileAt(kind="gems", cells=("d4",), owner=1, access=(2, 3)),
                    moves.TileAt(kind="books", cells=("c1", "c2", "c3"), inputs=("d4", "e6")),
                ),
                buildings=(
                    moves.BuildingAt(
                        card="guild",
                        cells=("d4", "e4"),
                        delivered=(moves.TokenAt(resource="gems", seat=1), moves.TokenAt(resource="wood", seat=0)),
                        claim=True,
                    ),
                ),
            ),
        ),
        (
            (
                "position @1 c-3 f0 l1 i2 p12 race(human) base(gems) bases(wood stone) hand(trade call) discard()"
                ' used(race) ?2, @2 "why"'
            ),
            resynced(
                mats=(
                    moves.MatAt(
                        seat=1,
                        money=-3,
                        fleeting=0,
                        lasting=1,
                        income=2,
                        points=12,
                        race="human",
                        race_base="gems",
                        bases=("wood", "stone"),
                        hand=("trade", "call"),
                        discard=(),
                        unknown=2,
                        used=("race",),
                    ),
                    moves.MatAt(seat=2),
                )
            ),
        ),
    ],
)
def test_what_is_read_is_written_the_same(text: str, act: moves.Act) -> None:
    state = table()
    assert find_awaited(state).seat == 3
    assert read_act(state, text) == act
    assert write_act(state, act) == text


def test_every_act_of_a_turn_can_be_written_without_its_seat() -> None:
    assert write_without_seat(table(), moves.LayRoad(seat=1, at="d4")) == "r d4"


def test_what_all_titles_share_is_not_for_a_title_to_write() -> None:
    assert write_act(table(), Paused()) == ""


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("trade gems d4", "T gems d4"),
        ("T gems d04", "T gems d4"),
        ("-V c", "-call c"),
        ('position , votes 2, , roads, "why"', 'position votes 2, roads "why"'),
    ],
)
def test_what_may_be_typed_otherwise(typed: str, written: str) -> None:
    state = table()
    assert write_act(state, read_act(state, typed)) == written


# --- how a piece lies ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        # xx/x. as it is drawn, turned, turned twice, three times
        ("machinery d4", ("d4", "e4", "d5")),
        ("machinery d4.1", ("d4", "e4", "e5")),
        ("machinery d4.2", ("d4", "c5", "d5")),
        ("machinery d4.3", ("d4", "d5", "e5")),
        ("weapons d4.1", ("d4", "d5", "d6", "d7")),
        ("labor d4.m", ("d4", "e4", "f4", "f5")),
        ("machinery d4,e5,f6", ("d4", "e5", "f6")),
        ("machinery e4,d4,d5", ("e4", "d4", "d5")),
        ("machinery d4,", ("d4",)),
        ('machinery "d04",', ("d04",)),
        ("machinery -", ()),
        ("government d4,e4,f4,d5", ("d4", "e4", "f4", "d5")),
    ],
)
def test_a_shape_is_written_by_its_first_cell(text: str, cells: tuple[str, ...]) -> None:
    state = table()
    resource = text.partition(" ")[0]
    act = moves.BuildTile(seat=3, resource=resource, cells=cells, inputs=guess_inputs(state, 3, resource))
    assert read_act(state, text) == act
    assert write_act(state, act) == text


def test_each_way_to_lie_is_written_in_its_own_words() -> None:
    shape = find_tile_shape(table(), "labor")
    assert shape is not None
    assert [turn for turn, _ in list_turns(shape)] == ["", ".1", ".2", ".3", ".m", ".1m", ".2m", ".3m"]
    assert len(shape.ways(mirror=True)) == 8


def test_a_prestige_building_is_placed_by_its_shape_where_it_is_known() -> None:
    state = place_university()
    act = moves.PlacePrestige(seat=1, cells=("d4", "e4", "d5", "e5"))
    assert write_act(state, act) == "place d4"
    assert read_act(state, "place d4") == act
    assert write_act(table(), moves.PlacePrestige(seat=3, cells=act.cells)) == "place d4,e4,d5,e5"


def test_suppliers_are_left_out_where_there_is_one_for_each_input() -> None:
    state = table()
    cells = ("d4", "e4", "d5")
    # seat 1 owns the knowledge on g8 and has access to the metal on b3
    act = moves.BuildTile(seat=1, resource="machinery", cells=cells, inputs=("g8", "b3"))
    assert write_act(state, act) == "@1 machinery d4"
    assert read_act(state, "@1 machinery d4") == act
    for inputs, text in (((), "<"), (("b3",), "<b3,"), (("g8", "c3"), "<g8,c3"), (("", "?"), '<"","?"')):
        other = moves.BuildTile(seat=1, resource="machinery", cells=cells, inputs=inputs)
        assert write_act(state, other) == f"@1 machinery d4 {text}"
        assert read_act(state, f"@1 machinery d4 {text}") == other


def test_suppliers_are_named_where_several_could_supply_an_input() -> None:
    state = table(moves.BuildBase(seat=1, base="knowledge", at="a1", card="trade"))
    assert guess_inputs(state, 1, "machinery") == ()
    act = moves.BuildTile(seat=1, resource="machinery", cells=("d4", "e4", "d5"), inputs=("a1", "b3"), card="upgrade")
    assert write_without_seat(state, act) == "U machinery d4 <a1,b3"
    assert read_act(state, "@1 U machinery d4 <a1,b3") == act


def test_one_supplier_may_be_named_without_a_comma() -> None:
    state = table()
    assert read_act(state, "books d4 <f8") == read_act(state, "books d4 <f8,")


# --- whatever a log may hold ---------------------------------------------------------------------


@pytest.fixture
def _hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anything, "WORDS", HOSTILE)


@pytest.mark.usefixtures("_hostile")
@pytest.mark.parametrize("kind", [*moves.DECISIONS, *moves.DEALS])
def test_every_well_typed_act_comes_back(kind: type[Any]) -> None:
    tables = [new_table(), table(), place_university()]
    rng = random.Random(f"hostile {kind.__name__}")
    for _ in range(300):
        act = anything.anything(kind, rng)
        assert anything.survives(kind, act)
        for state in tables:
            if write_act(state, act).startswith("@") or find_awaited(state).seat:
                assert read_act(state, write_act(state, act)) == act, write_act(state, act)


@pytest.mark.usefixtures("_hostile")
def test_every_well_typed_position_comes_back() -> None:
    state, rng = table(), random.Random("positions")
    seen = 0
    for _ in range(1500):
        position = anything.anything(moves.Position, rng)
        seen += bool(position.tiles) + bool(position.mats) + bool(position.buildings)
        act = Resynced(position=position, why=rng.choice(HOSTILE))
        assert read_act(state, write_act(state, act)) == act, write_act(state, act)
    assert seen > 1000


def test_every_kind_of_act_is_drawn_with_each_of_its_fields() -> None:
    """The law above would say nothing of a type whose values are always alike."""
    rng = random.Random(1)
    for kind in get_args(moves.Decision):
        drawn = [anything.anything(kind, rng) for _ in range(60)]
        for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
            assert len({getattr(act, field.name) for act in drawn}) > 1, (kind, field.name)


@pytest.mark.parametrize(
    "card", ["x" * 40, "gems", "race", "undo", "mercenary", "T", "play", "3", "+d4", "é", "-", "?"]
)
def test_a_card_that_could_be_anything_else_stands_in_quotes(card: str) -> None:
    state = table()
    for act in (
        moves.LayRoad(seat=3, at="d4", card=card),
        moves.LayRoad(seat=3, at="d4", card=card, down=True),
        moves.PlayCard(seat=3, card=card),
        moves.Deliver(seat=3, building=card, resource=card, at="d4"),
    ):
        assert read_act(state, write_act(state, act)) == act


def test_no_line_of_a_transcript_begins_like_a_card() -> None:
    """Beside the words of this title: a card of such a name would be read as that line."""
    assert set(WORDS) <= OTHER_LINES


# --- what says nothing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "found nothing"),
        ("@2", 3, "after the seat"),
        ("gens d4", 1, "did you mean 'gems'"),
        ("t gems d4", 1, "did you mean 'T'"),
        ("schola 3", 1, "did you mean 'scholar'"),
        ("-schola c", 2, "did you mean 'scholar'"),
        ("bidd 2", 1, "did you mean 'bid'"),
        ("d4", 1, "a move such as T gems d4"),
        ("T gens d4", 3, "did you mean 'gems'"),
        ("T gems", 7, "a cell such as d4, found nothing"),
        ("T gems 4d", 8, "found '4d'"),
        ("T gems d4 e5", 11, "nothing more"),
        ("r d0", 3, "a cell such as d4"),
        ('r "abcde"', 3, "at most 4 characters"),
        ('r "a', 3, "a cell such as d4"),
        ("T", 1, ""),
        ("-", 1, ""),
        ("race", 5, "a card, found nothing"),
        ("race Human", 6, "did you mean 'human'"),
        ("race " + "x" * 41, 6, "at most 40 characters"),
        ('race "\\ud800"', 6, "a string in quotes"),
        ("base wood 2", 11, "@ and a seat"),
        ("bid", 4, "a proposal from 1 to 3"),
        ("bid 4", 5, "a proposal from 1 to 3"),
        ("bid 1 f1 f2", 10, "again as 'f2'"),
        ("bid 1 c2", 7, "nothing more"),
        ("V c1 c2", 6, "again as 'c2'"),
        ("sealed X", 8, "small letters and digits"),
        (f"sealed {'a' * 65}", 1, "that a log can hold"),
        ("government d4", 12, "all the cells"),
        ("place d4", 7, "all the cells"),
        ("machinery an40", 11, "room for the shape"),
        ("machinery d4.4", 11, "a cell such as d4"),
        ("machinery d4,e4f4", 14, "a cell such as d4"),
        ("machinery d4,,e4", 14, "a cell such as d4"),
        ('machinery "d4"e4', 15, "a comma"),
        ("machinery d4 e4", 14, "nothing more"),
        ("machinery d4 <e", 15, "a cell such as d4"),
        ("3 =Scholar", 4, "did you mean 'scholar'"),
        ("5", 1, "a move such as"),
        ("deal", 5, "one of table, row"),
        ("deal tabel a", 6, "did you mean 'table'"),
        ("deal row a shuffled", 12, "a card, found 'shuffled'"),
        ("deal proposals back a back b", 23, "found 'back' again"),
        ("deal proposals shuffled a", 25, "nothing after 'shuffled'"),
        ("deal instead a b", 6, "a card after 'instead', found 2 words"),
        ("final x", 7, "nothing after 'final'"),
        ("position", 9, "why in quotes"),
        ('position "\\ud800"', 10, "a string in quotes"),
        ('position vots 3 "why"', 10, "did you mean 'votes'"),
        ('position votes 3, votes 4 "why"', 19, "again"),
        ('position votes "why"', 15, "found 0 words"),
        ('position votes 1 2 "why"', 18, "found 2 words"),
        ('position votes ٣ "why"', 16, "a number"),
        ('position last 2 "why"', 15, "@ and a seat"),
        ('position row A "why"', 14, "a card"),
        ('position roads 5d "why"', 16, "a cell"),
        ('position tile "why"', 14, "a card"),
        ('position tile gems d4 @1 @2 "why"', 26, "again"),
        ('position tile gems d4 +@0 "why"', 10, "lie on a table"),
        ('position building guild X "why"', 25, "a cell"),
        ('position @1 c12 c13 "why"', 17, "again"),
        ('position @1 hnd(a) "why"', 13, "did you mean 'hand'"),
        ('position @1 hand "why"', 17, "expected \\("),
        ('position @1 hand(trade "why"', 17, "expected \\)"),
        ('position @1 race(a b) "why"', 20, "found 2 words"),
        ('position @1 race() "why"', 17, "found 0 words"),
        ("position " + "@1, " * 10 + '"why"', 1, "lie on a table"),
    ],
)
def test_what_says_nothing_is_refused_where_it_stands(text: str, column: int, message: str) -> None:
    state = table()
    if not message:
        assert isinstance(read_act(state, text), moves.PlayCard)
        return
    with pytest.raises(NotationError, match=message) as caught:
        read_act(state, text)
    assert caught.value.column == column
    assert str(caught.value).endswith(f"in '{text}' at column {column}")


def test_nobody_is_to_act_before_the_deal_and_after_the_end() -> None:
    with pytest.raises(NotationError, match="cards to be dealt"):
        read_act(new_table(), "c")
    over = table(FinalCount())
    with pytest.raises(NotationError, match="the game is over"):
        read_act(over, "c")
