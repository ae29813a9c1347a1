"""Every language says everything, in the words of the rulebook."""

import re
from collections.abc import Iterator
from importlib import resources
from string import Formatter
from typing import get_args, get_origin

import pytest
from msgspec import structs

from spyrium_log.catalogue import Catalogue
from spyrium_log.folding import describe_event
from spyrium_log.messages import amount_text
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    Conceded,
    Continued,
    Counted,
    Fact,
    FinalCount,
    Holding,
    Paused,
    Posting,
    Resynced,
    tag_of,
)
from spyrium_log.titles import founders
from spyrium_log.titles.founders import FOUNDERS, effects, moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, RACES, RESOURCES, CardKind
from spyrium_log.titles.founders.effects import CAUSES, DECKS, FACTS, FoundersFact, Resource
from spyrium_log.titles.founders.ground import KIND_OF_LETTER
from spyrium_log.titles.founders.messages import LANGUAGES, vocabulary
from spyrium_log.titles.founders.moves import DEALS, DECISIONS, Act, Position, Statement
from spyrium_log.titles.founders.state import State, Winner
from spyrium_log.titles.founders.words import VERBS, component_name, is_follow
from tests.founders.tables import lay_table, lay_turn

PLAYERS = ("Anna", "Борис", "Cleo")
ENGLISH = vocabulary("en")
# one act for every sentence, by the sentence's key
ACTS: dict[str, Act] = {
    "take_race": moves.TakeRace(seat=1, race="human"),
    "take_race_base": moves.TakeRace(seat=3, race="aesther", base="gems"),
    "take_base": moves.TakeBase(seat=1, base="gems"),
    "take_base_from": moves.TakeBase(seat=1, base="gems", who=2),
    "place_start": moves.PlaceStart(seat=1, at="k12"),
    "gain_money": moves.Gain(seat=1, what="money"),
    "gain_fleeting": moves.Gain(seat=1, what="fleeting"),
    "lay_road": moves.LayRoad(seat=1, at="d4"),
    "build_base": moves.BuildBase(seat=1, base="population", at="d4"),
    "buy_access": moves.BuyAccess(seat=1, at="p13"),
    "build_house": moves.BuildHouse(seat=1, at="d4"),
    "build_bridge": moves.BuildBridge(seat=1, at="j11"),
    "build_gate": moves.BuildBridge(seat=1, at="q9"),
    "build_tile": moves.BuildTile(seat=1, resource="books", cells=("a1", "a2", "a3")),
    "build_tile_from": moves.BuildTile(seat=1, resource="books", cells=("a1", "a2"), inputs=("p13", "l12")),
    "recruit": moves.Recruit(seat=1, slot=1),
    "play_card": moves.PlayCard(seat=1),
    "use_worker": moves.UseWorker(seat=1, on="crooked-bone"),
    "use_worker_race": moves.UseWorker(seat=1, on="race"),
    "take_back": moves.TakeBack(seat=1, cards=("trade", "scholar")),
    "take_back_none": moves.TakeBack(seat=1),
    "call_vote": moves.CallVote(seat=1, money=2),
    "call_vote_roads": moves.CallVote(seat=1, roads=2),
    "seal_bid": moves.SealBid(seat=1, seal="9c"),
    "bid": moves.Bid(seat=1, proposal=1, fleeting=3, lasting=1),
    "break_tie": moves.BreakTie(seat=1, proposal=2),
    "choose_proposal": moves.ChooseProposal(seat=1, proposal=3),
    "pay_claims": moves.PayClaims(seat=1),
    "place_prestige": moves.PlacePrestige(seat=1, cells=("a1", "b1")),
    "deliver": moves.Deliver(seat=1, building="university", resource="population", at="m14"),
    "decline": moves.Decline(seat=1),
    "conceded": Conceded(seat=2),
    "table_dealt": moves.TableDealt(advisers=("scholar", "?"), proposals=("university",), goals=("two-houses",)),
    "advisers_dealt": moves.AdvisersDealt(cards=("carpenter",)),
    "proposals_dealt": moves.ProposalsDealt(cards=("crooked-bone",)),
    "proposal_replaced": moves.ProposalReplaced(card="ghost-fortress"),
    "final_count": FinalCount(),
    "counted": Counted(held=(Holding(1, "money", 5),)),
    "adjusted": Adjusted(who="Anna", why="2 = 3"),
    "resynced": Resynced(position=Position(votes=2), why="tea"),
    "paused": Paused(),
    "continued": Continued(),
    "abandoned": Abandoned(why="fire"),
}
FACTS_TOLD: tuple[FoundersFact, ...] = (
    effects.BaseGot(seat=2, base="wood"),
    effects.Delivered(building="university", resource="books", at="k14", seat=1),
    effects.NeutralDelivered(building="university", resource="stone"),
    effects.DeliveryDue(building="university", resource="gems", seat=2),
    effects.Completed(building="university"),
    effects.TieDue(seat=3),
    effects.VoteWon(proposal=2, seat=1),
    effects.VoteVoid(proposal=2),
    effects.ClaimsDue(seat=1, n=2),
    effects.ClaimPut(building="university"),
    effects.ClaimTaken(building="university"),
    effects.GoalMet(deck="immediate", seat=2),
    effects.GoalGone(deck="immediate"),
    effects.CardRemoved(seat=1, card="scholar"),
    effects.SoloLost(seat=1),
)
# the sentences around what a seat does, and what a deal did to a deck
AROUND = {
    *("effects", "turn", "turn_alone", "turn_down", "turn_down_alone", "turn_unseen", "turn_unseen_alone"),
    *("follow", "deed", "owned_by", "neutral", "decline_follow", "put_back", "shuffled"),
}

# what the rulebook prints, and what is easily mistaken in it
PRINTED = (
    ("en", "cards.call", "Call to Vote"),
    ("en", "cards.jewelry", "jewelry"),
    ("ru", "cards.call", "Призыв к голосованию"),
    ("ru", "cards.upgrade", "Модификация"),
    ("ru", "cards.harrower", "Жнецы"),
    ("ru", "cards.gems", "Самоцветы"),
    ("ru", "cards.jewelry", "Украшения"),
    ("ru", "cards.crops", "Урожай"),
    ("ru", "cards.food", "Еда"),
    ("ru", "cards.huckster", "Торгаш"),
    ("ru", "cards.north-watchtower", "Северная сторожевая башня"),
    ("ru", "ground.ruins", "руины"),
    ("ru", "ground.site", "развалины крепости"),
    ("ru", "kinds.prestige", "Престижное здание"),
)


@pytest.fixture
def state() -> State:
    state = lay_table()
    state.winner = Winner(2, 1)
    return state


def placeholders(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def pattern_of(template: str) -> str:
    """What a filled template looks like; whose something is may be left out."""
    return re.sub(r"\\{\w+\\}", ".+", re.escape(template).replace(r"\{whose\}", ".*"))


def describe(state: State, act: Act, language: str = "en", **said: tuple[object, ...]) -> str:
    return describe_event(FOUNDERS, state, act, said.get("moved", ()), said.get("facts", ()), PLAYERS, language)


def field_names() -> Iterator[str]:
    """What the fields of decisions, deals and facts are called."""
    for kind in (*DECISIONS, *DEALS, *get_args(FoundersFact)):
        yield from (field.name for field in structs.fields(kind) if field.name != "seen")


def test_every_locale_is_a_language() -> None:
    files = resources.files(founders).joinpath("locales").iterdir()
    assert {file.name for file in files if file.name.endswith(".toml")} == {f"{name}.toml" for name in LANGUAGES}


def test_an_act_and_a_fact_for_every_sentence() -> None:
    statements = {get_origin(statement) or statement for statement in get_args(Statement)}
    assert {type(act) for act in ACTS.values()} == {*DECISIONS, *DEALS, FinalCount} | statements
    told = {tag_of(type(fact)) for fact in FACTS_TOLD}
    assert told == {tag_of(kind) for kind in get_args(FoundersFact)} - {"scored"}
    assert {*ACTS, *AROUND, *told} == set(ENGLISH["sentences"])


def test_every_kind_of_act_has_a_verb() -> None:
    assert set(VERBS) == {*DECISIONS, *DEALS, FinalCount}


@pytest.mark.parametrize("language", LANGUAGES)
class TestLanguage:
    def test_says_everything_itself(self, language: str) -> None:
        file = Catalogue.read_file("spyrium_log.titles.founders", language)
        # what a rule expected and found is one sentence in other languages alone
        own = {name: table for name, table in file.items() if name != "comparisons"}
        assert set(own) == set(ENGLISH)
        assert {name: list(table) for name, table in own.items()} == {
            name: list(table) for name, table in ENGLISH.items()
        }
        assert [key for table in own.values() for key, word in table.items() if not word.strip()] == []

    def test_names_everything(self, language: str) -> None:
        said = vocabulary(language)
        assert set(said["cards"]) >= {*RACES, *RESOURCES, *ACTION_CARDS, "?", ""}
        assert set(said["resources"]) == set(get_args(Resource))
        assert set(said["kinds"]) == set(get_args(CardKind))
        assert set(said["causes"]) == set(CAUSES)
        assert set(said["facts"]) == set(FACTS)
        assert set(said["ground"]) == {*KIND_OF_LETTER.values(), "nothing"}
        assert set(said["choices"]) >= {"money", "fleeting", *DECKS, *map(tag_of, moves.STEPS)}
        assert set(said["fields"]) == set(field_names())

    def test_no_name_twice(self, language: str) -> None:
        names = list(vocabulary(language)["cards"].values())
        assert sorted(set(names)) == sorted(names)

    def test_fills_the_places_that_english_fills(self, language: str) -> None:
        said = vocabulary(language)
        for table in ENGLISH:
            assert {key: placeholders(text) for key, text in said[table].items()} == {
                key: placeholders(text) for key, text in ENGLISH[table].items()
            }

    @pytest.mark.parametrize("key", ACTS)
    def test_describes(self, language: str, key: str, state: State) -> None:
        sentences, act = vocabulary(language)["sentences"], ACTS[key]
        template = sentences[key]
        is_deed = getattr(act, "seat", 0) > 0
        if is_deed:
            template = sentences["deed"].replace("{deed}", template)
        said = describe(state, act, language)
        assert re.fullmatch(
            re.sub(r"\\{whose\\}", ".*", re.sub(r"\\{(?!whose)\w+\\}", ".+", re.escape(template))), said
        )
        if is_deed:
            assert said.startswith(PLAYERS[getattr(act, "seat", 0) - 1])
        assert not re.search(r"[{}]|-\d|crooked-bone|salt-barge|jewelry-|\?$", said), "a key instead of a name"

    @pytest.mark.parametrize("fact", FACTS_TOLD, ids=[tag_of(type(fact)) for fact in FACTS_TOLD])
    def test_says_what_changed(self, language: str, fact: FoundersFact, state: State) -> None:
        kind: type[Fact] = type(fact)
        template = vocabulary(language)["sentences"][tag_of(kind)]
        said = describe(state, moves.Decline(seat=1), language, facts=(fact,))
        before = describe(state, moves.Decline(seat=1), language)
        assert said.startswith(f"{before}: ")
        assert re.fullmatch(pattern_of(template), said.removeprefix(f"{before}: "))
        assert not re.search(r"[{}]|salt-barge|\?", said), "a key instead of a name"

    def test_points_along_a_chain_are_said_by_postings(self, language: str, state: State) -> None:
        scored = effects.Scored(at="k14", into="university", seat=1, n=4, kept=3)
        assert describe(state, moves.Decline(seat=1), language, facts=(scored,)) == describe(
            state, moves.Decline(seat=1), language
        )

    @pytest.mark.parametrize("cause", CAUSES)
    def test_says_why(self, language: str, cause: str, state: State) -> None:
        said = vocabulary(language)
        moved = (*(Posting(1, what, -2, cause) for what in get_args(Resource)), Posting(2, "points", 3, cause))
        text = describe(state, moves.Decline(seat=1), language, moved=moved)
        assert text.count(f"({said['causes'][cause]})") == len(moved)
        assert f"{amount_text(-2, 'money', said, language=language)} ({said['causes'][cause]})" in text
        assert f"{PLAYERS[1]} +3 {said['resources']['points']} ({said['causes'][cause]})" in text
        assert all(amount_text(2, what, said, language=language) in text for what in get_args(Resource))

    def test_says_which_card_is_played(self, language: str, state: State) -> None:
        sentences = vocabulary(language)["sentences"]
        names = vocabulary(language)["cards"]
        for card, down, key in (
            ("trade", False, "turn"),
            ("trade", True, "turn_down"),
            ("?", True, "turn_unseen"),
            ("?", False, "turn"),
        ):
            act = moves.Gain(seat=1, what="money", card=card, down=down)
            assert describe(state, act, language) == sentences[key].format(
                player="Anna", card=names[card], deed=sentences["gain_money"]
            )
            alone = describe(state, moves.PlayCard(seat=1, card=card, down=down), language)
            assert alone == sentences[f"{key}_alone"].format(player="Anna", card=names[card])


@pytest.mark.parametrize(("language", "key", "expected"), PRINTED)
def test_says_what_the_rulebook_prints(language: str, key: str, expected: str) -> None:
    table, _, name = key.partition(".")
    assert vocabulary(language)[table][name] == expected


def test_whole_sentences() -> None:
    state = lay_table()
    moved = (Posting(1, "money", -1, "price"), Posting(1, "income", 1, "owned"))
    act = moves.BuildBase(seat=1, base="population", at="d4", card="trade")
    assert describe(state, act, moved=moved) == (
        "Anna plays Trade and builds population on d4: −1 coin (price), +1 income (owned)"
    )
    assert describe(state, act, "ru", moved=moved) == (
        "Anna разыгрывает карту «Торговля» и строит хранилище «Население» на d4:"
        " −1 монета (цена), +1 деление счётчика дохода (владение)"
    )
    upgrade = moves.BuildTile(
        seat=1, resource="machinery", cells=("a1", "a2"), inputs=("p13", "l12", "c3"), card="upgrade"
    )
    facts = (
        effects.Delivered(building="university", resource="books", at="k14", seat=2),
        effects.Completed(building="university"),
    )
    moved = (Posting(1, "money", -4, "price"), Posting(2, "points", 1, "built"))
    assert describe(state, upgrade, moved=moved, facts=facts) == (
        "Anna plays Upgrade and builds machinery on a1, a2 from wood p13 (Борис's), stone l12 (neutral), ? c3:"
        " −4 coins (price), Борис +1 VP (supplied a new tile);"
        " University gets books from k14 (Борис's); University is complete"
    )


def test_whose_a_base_is() -> None:
    state = lay_table()
    said = [
        describe(state, moves.BuildBase(seat=1, base=base, at="d4"))
        for base in ("gems", "wood", "knowledge", "no-base")
    ]
    assert said == [
        "Anna builds gems on d4",
        "Anna builds wood on d4 (Борис's)",
        "Anna builds knowledge on d4 (neutral)",
        "Anna builds No Base on d4",
    ]


def test_a_follow_is_of_another_seat_and_its_first_act_in_the_turn() -> None:
    state = lay_turn()
    follow, step = moves.Gain(seat=2, what="money"), moves.Gain(seat=1, what="money")
    assert describe(state, follow) == "Борис follows and takes a coin"
    assert describe(state, moves.Decline(seat=2)) == "Борис does not follow"
    assert describe(state, step) == "Anna takes a coin"
    assert describe(state, moves.Decline(seat=1)) == "Anna does nothing more"
    state.did = (*state.did, state.did[0]._replace(seat=2))
    assert describe(state, follow) == "Борис takes a coin"
    for card, down in (("call", False), ("trade", True), ("", False)):
        state = lay_turn(card)
        state.down = down
        assert not is_follow(state, follow)
    assert not is_follow(lay_turn(), moves.Bid(seat=2, proposal=1))


def test_what_a_deal_did_to_the_deck() -> None:
    state = lay_table()
    act = moves.ProposalsDealt(cards=("crooked-bone",), put_back=("bath-house",), shuffled=True)
    assert describe(state, act) == (
        "New proposals are dealt (Crooked Bone): the discarded proposals make a new deck; back on the deck: Bath House"
    )


def test_a_card_has_the_name_that_the_set_gives_it() -> None:
    state = lay_table()
    act = moves.Recruit(seat=1, slot=3)
    assert describe(state, act) == "Anna recruits Toll Clerk from slot 3"
    assert describe(state, act, "ru") == "Anna нанимает советника «Сборщик пошлин» (место 3)"
    assert component_name("toll-clerk", "ru") == "Toll Clerk"
    assert component_name("map-01", "en") == "map-01"
    assert component_name("gems", "ru") == "Самоцветы"


def test_what_is_not_there_has_no_name() -> None:
    state = lay_table()
    said = [
        describe(state, act)
        for act in (
            moves.BuyAccess(seat=1, at="zz"),
            moves.Recruit(seat=9, slot=4, named="scholar"),
            moves.Bid(seat=2, proposal=3),
            moves.PlacePrestige(seat=1, cells=()),
        )
    ]
    assert said == [
        "Anna buys access to ? on zz",
        "#9 recruits Scholar from slot 4",
        "Борис bids 1 for North Watchtower (fleeting influence 0, lasting influence 0)",
        "Anna places ? on ?",
    ]


def test_an_unknown_language_is_english() -> None:
    state = lay_table()
    assert vocabulary("tlh") == ENGLISH
    assert describe(state, ACTS["bid"], "tlh") == describe(state, ACTS["bid"], "en")


@pytest.mark.parametrize("word", ["{player}", "{effects}", "{", "%s"])
def test_what_a_sentence_is_made_with_may_be_a_card_or_a_player(word: str) -> None:
    state = lay_table()
    act = moves.UseWorker(seat=1, on=word, card=word)
    said = [describe_event(FOUNDERS, state, act, (), (), (name,), "en") for name in ("Anna", word)]
    assert said == [f"{name} plays {word} and uses a worker on {word}" for name in ("Anna", word)]
