"""The stories behind `examples/founders`: each makes one log. `python -m tests.stories` writes them.

Pages are the Russian rulebook's. Most stories begin with a position on a small invented set, `examples.toml`.
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from spyrium_log.play import Play
from spyrium_log.sheet import Printed as Row
from spyrium_log.sheet import Sheet, parse_sheet
from spyrium_log.title import Abandoned, Adjusted, Conceded, Continued, Counted, Holding, Paused, Posting, Seen
from spyrium_log.titles import TITLES
from spyrium_log.titles.founders.moves import Bid, SealBid
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.rules.vote import seal_of
from spyrium_log.titles.founders.sets import read_practice
from tests.games import PLAYERS
from tests.golden import Stories
from tests.scribe import Scribe

FOUNDERS = TITLES["founders"]
STORIES = Stories("founders")
story = STORIES.story


@cache
def small_set() -> Sheet:
    """The set of the examples."""
    return parse_sheet(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))


def begin(
    game: str, seats: int = 3, *, first: int = 1, options: Options | None = None, sheet: Sheet | None = None
) -> Scribe:
    """A game of which nothing is recorded yet."""
    return Scribe(f"game-{game}", seats=seats, first=first, options=options, title=FOUNDERS, sheet=sheet or small_set())


def lay(scribe: Scribe, *sections: str, why: str = "the rulebook's page") -> Scribe:
    """The scribe states what lies on the table, in the words of a position."""
    return scribe.play(f'position {", ".join(sections)} "{why}"')


# Proposals that nobody votes on in the story.
NO_VOTE = "proposals university salt-barge crooked-bone"
# Anna, Bob and Cleo, whose turn ended last: purple with knowledge, yellow, white.
PURPLE = "@1 c6 i1 race(human) base(population) bases(knowledge)"
YELLOW = "@2 c6 i1 race(valrath) base(metal) bases(crops)"
WHITE = "@3 c6 i1 race(savvas) base(stone) bases(livestock)"


# --- the rulebook's own examples -----------------------------------------------------------------


@story
def page_11_connected_or_not() -> Scribe:
    """Page 11: what touches side to side or at a corner is a chain: of roads, whoever laid them, and of own bridges.

    Anna goes on where a chain ends, and over her own bridge; at last over Bob's bridge, where she may not.
    """
    scribe = lay(
        begin("page-11"),
        "last @3",
        "tile knowledge f2 @1",
        "tile metal j2 @2",
        "tile bridge g6 @1",
        "tile bridge k6 @2",
        "roads g3 g4 f5 k3 k4 k5",
        *(PURPLE, YELLOW, WHITE),
    )
    scribe.play("-T r e4", "-T r j3", "-R f")
    return scribe.play("-C r g7", "-R c", "-C f").play("-R r k7", anyway=True)


@story
def page_10_no_chain_over_own_tiles() -> Scribe:
    """Page 10: even what one owns carries no chain: the machinery touches a road to Anna's house, not to the metal."""
    scribe = lay(
        begin("page-11-house"),
        "last @3",
        *("tile knowledge f2 @1", "tile metal n2 @2 +@1", "tile house l4 @1", "roads g2 j4 k4 m3"),
        *(PURPLE, YELLOW, WHITE),
    )
    return scribe.play("U machinery h3", anyway=True)


@story
def page_14_trade() -> Scribe:
    """Page 14: an own base by its terrain, to the bank; access, to the owner; a neutral base for 4, to the bank.

    Once two markers are out a rival's base may be built for 4, to the rival, whose income rises. Who follows builds and
    buys on coast and desert only, and a neutral tile may be bought, too. Nobody buys access twice.
    """
    scribe = lay(
        begin("page-14"),
        *("last @3", *FIVE_COMPLETE[:2], "tile knowledge f2 @1", "tile crops l2 @2", "tile wood b1"),
        *(mat.replace("c6", "c20") for mat in (PURPLE, YELLOW, WHITE)),
    )
    scribe.play("T population k7", "+b1", "+f2")
    scribe.play("T wood h7", "livestock a9", "c")
    return scribe.play("T metal e11", "c").play("+b1", anyway=True)


@story
def page_17_upgrade() -> Scribe:
    """Page 17: purple pays 4 coins for machinery of a tile of its own and of one of yellow's, and each scores 1 point.

    The road that may come behind it is connected to the tile; Bob and Cleo do not follow.
    """
    scribe = lay(
        begin("page-17"),
        "last @3",
        *("tile knowledge f2 @1", "tile metal j2 @2 +@1", "roads g2"),
        *(PURPLE, YELLOW, WHITE),
    )
    return scribe.play("U machinery h3", "r g5", "x", "x")


@story
def page_16_a_road_only_where_the_tile_is() -> Scribe:
    """Page 16, last bullet: the road of Upgrade is connected to the new tile; this one is so to another one only."""
    scribe = lay(
        begin("page-17-road"),
        "last @3",
        *("tile knowledge f2 @1", "tile metal j2 @2 +@1", "tile population b2 @1", "roads g2"),
        *(PURPLE, YELLOW, WHITE),
    )
    return scribe.play("U machinery h3").play("r a1", anyway=True)


@story
def page_18_two_cards_left() -> Scribe:
    """Page 18: two cards are left in hand; they bring a coin and a road. Then the others take their income."""
    scribe = lay(
        begin("page-18"),
        "last @3",
        *("tile knowledge f2 @1", "tile house l2 @2", "proposals university salt-barge merchants-guild"),
        f"{PURPLE} hand(trade recruit call) discard(construct upgrade)",
        *(YELLOW, WHITE),
    )
    return scribe.play("V c1 r1", "r g3")


# Anna purple, Bob orange, Cleo yellow, Dora white; Anna has nothing but the call in hand.
VOTERS = (
    "@1 c3 f3 p9 race(human) base(population) bases(knowledge) hand(call) discard(trade recruit construct upgrade)",
    "@2 c3 f2 l1 p7 race(inox) base(livestock) bases(gems)",
    "@3 c3 f1 l1 p5 race(valrath) base(metal) bases(crops)",
    "@4 c3 f1 p3 race(savvas) base(stone) bases(wood)",
)


@story
def page_19_vote() -> Scribe:
    """Page 19: 3, 6 and 1 points of influence; the Salt Barge is built, and orange, its highest bidder, places it."""
    scribe = lay(
        begin("page-19", seats=4),
        "last @4",
        "tile livestock b4 @2",
        *("row scholar huckster foreman carpenter", "proposals university salt-barge merchants-guild"),
        *VOTERS,
    )
    scribe.play("V", "bid 1 f2", "bid 2 f1 l1", "bid 2 f1", "bid 3", "place a1.1")
    return scribe.play("deal proposals crooked-bone cloth-hall grain-hall")


def _to_place(game: str, *board: str, proposals: str) -> Scribe:
    """Anna has called a vote and will place the first of these proposals."""
    scribe = lay(
        begin(game),
        *("last @3", f"proposals {proposals}", *board),
        f"{PURPLE} hand(call) discard(trade recruit construct upgrade)",
        *(YELLOW, WHITE),
    )
    return scribe.play("V", "bid 1", "bid 1", "bid 1")


@story
def page_19_placement() -> Scribe:
    """Page 19: one cell at least on its terrain, none on a road or a structure; it need not be connected."""
    scribe = _to_place(
        "page-19-place", "roads e2", "tile knowledge f2 @1", proposals="crooked-bone salt-barge cloth-hall"
    )
    before = scribe.next - 1
    scribe.play("place d1").undo(before, "or upright, beside Anna's tile").play("place g1.1")
    scribe.undo(before, "not on a road").play("place e2.1", anyway=True)
    return scribe.undo(before, "not on coast alone").play("place a1", anyway=True)


@story
def page_19_no_two_alike_in_a_section() -> Scribe:
    """Page 19: a second building of one shape and colour goes to another section; here it does not."""
    board = ("building salt-barge a1 b1 c1", "tile knowledge f2 @1")
    scribe = _to_place("page-19-alike", *board, proposals="grain-hall crooked-bone cloth-hall")
    before = scribe.next - 1
    scribe.play("place e7").undo(before, "or beside the first one").play("place e1", anyway=True)
    return scribe


@story
def page_20_sites() -> Scribe:
    """Page 20: a watchtower stands on its own site, and nowhere else."""
    scribe = _to_place("page-20", proposals="north-watchtower salt-barge cloth-hall")
    before = scribe.next - 1
    scribe.play("place g12,h12,g13,h13").undo(before, "that is the other tower's")
    return scribe.play("place c12,d12,c13,d13", anyway=True)


@story
def page_21_example_1() -> Scribe:
    """Page 21, example 1: white builds machinery of purple's and yellow's tiles; each of them scores 1 point."""
    scribe = lay(
        begin("page-21-1"),
        "last @2",
        *("tile knowledge f2 @1 +@3", "tile metal j2 @2 +@3", "tile stone e5 @3", "roads g2 f4 g4"),
        *(PURPLE, YELLOW, WHITE),
    )
    return scribe.play("U machinery h3", "x", "x", "x")


@story
def page_21_example_2() -> Scribe:
    """Page 21, example 2: weapons of wood and machinery: 1 point for the wood; of 4 for the machinery 2 are kept."""
    scribe = lay(
        begin("page-21-2", seats=4),
        "last @3",
        *("tile knowledge f2 @1", "tile metal j2 @2", "tile machinery h3 i3 h4 @3 +@4 <f2 <j2"),
        *("tile wood d4 @4", "roads e4 f5"),
        *(PURPLE, YELLOW, WHITE),
        "@4 c9 i1 race(vermling) base(wood) bases(gems)",
    )
    return scribe.play("U weapons g2.1", "x", "x", "x", "x")


@story
def page_22_example_3() -> Scribe:
    """Page 22, example 3: the University is built beside blue's wood, which scores 3 points at once."""
    scribe = lay(
        begin("page-22-3", seats=2),
        *("last @2", "proposals university salt-barge cloth-hall", "tile wood g2 @2", "tile gems b2 @1"),
        "@1 c3 i1 race(orchid) base(gems) bases(knowledge crops) hand(call) discard(trade recruit construct)",
        "@2 c3 i1 race(quatryl) base(knowledge) bases(wood metal)",
    )
    return scribe.play("V", "bid 1", "bid 1", "place h2")


@story
def page_22_example_4() -> Scribe:
    """Page 22, example 4: a road connects yellow's jewelry with the Merchants' Guild: 6 points, of which blue gets 1.

    The metal in the jewelry is yellow's own, so that nothing is passed on for it.
    """
    scribe = lay(
        begin("page-22-4", seats=2),
        "last @1",
        *("tile gems h1 @1", "tile metal l4 @2", "tile jewelry i2 j2 i3 @2 <h1 <l4"),
        "building merchants-guild d4 e4 f4 e5",
        "@1 c3 i1 race(quatryl) base(knowledge) bases(gems crops)",
        "@2 c3 i2 race(valrath) base(metal) bases(wood stone)",
    )
    return scribe.play("-T r h4", "-T f").play("-C r g4")


EXAMPLE_5 = (
    *("tile stone b1 @3", "tile bricks d2 e2 f2 @3 <b1"),
    *("tile knowledge i1 @1", "tile wood m2 @2", "tile books k3 k4 k5 @1 +@3 <i1 <m2"),
    "roads c2 g3 j4",
)
# Purple has knowledge, yellow wood, white stone.
IN_EXAMPLE_5 = (
    "@1 c6 i2 race(human) base(population) bases(knowledge)",
    "@2 c6 i1 race(vermling) base(wood) bases(metal)",
    "@3 c9 i2 race(savvas) base(stone) bases(livestock)",
)


@story
def page_23_example_5() -> Scribe:
    """Page 23, example 5: white's government of its own bricks and purple's books, beside the Merchants' Guild.

    The tile: white 2, purple 3, yellow 1. The delivery, 10 points: white 6, purple 3, yellow 1.
    """
    guild = "building merchants-guild d4 e4 f4 e5"
    scribe = lay(begin("page-23-5"), "last @2", *EXAMPLE_5, guild, *IN_EXAMPLE_5)
    return scribe.play("U government g4", "x", "x", "x")


@story
def page_23_example_5_tile_alone() -> Scribe:
    """The same without the Guild: only the points for building the tile."""
    scribe = lay(begin("page-23-5a"), "last @2", *EXAMPLE_5, *IN_EXAMPLE_5)
    return scribe.play("U government g4", "x", "x", "x")


@story
def page_23_neutral() -> Scribe:
    """Page 23: machinery of a neutral tile: only Bob scores 1. Delivered at 4: he gets 1, 2 are lost, Anna keeps 1.

    The building needs knowledge, too, which is neutral: a neutral token is put there as it is placed.
    """
    scribe = lay(
        begin("page-23-neutral"),
        "last @3",
        *("proposals grain-hall salt-barge cloth-hall", "tile knowledge f2 +@1", "tile metal j2 @2 +@1"),
        *("tile population e5 @1", "roads g2 f4 g4"),
        "@1 c6 i1 race(human) base(population) bases(gems) hand(upgrade call) discard(trade recruit construct)",
        *("@2 c6 i1 race(valrath) base(metal) bases(crops)", "@3 c6 race(savvas) base(stone) bases(livestock)"),
    )
    scribe.play("U machinery h3", "x", "x", "x", "-T c", "-T c")
    return scribe.play("V", "bid 1", "bid 1", "bid 1", "place i4")


# --- what no example of the rulebook decides -----------------------------------------------------


def _own_chain(game: str, options: Options | None = None) -> Scribe:
    """Anna builds cloth of her crops and of her leather, which is made of Bob's livestock, beside the cloth hall."""
    scribe = lay(
        begin(game, options=options),
        "last @3",
        *("tile livestock h1 @2", "tile leather e2 f2 g2 @1 <h1", "tile crops i5 @1", "roads h3 h5"),
        "building cloth-hall d4 e4",
        "@1 c8 i2 race(harrower) base(crops) bases(gems)",
        *("@2 c6 i1 race(inox) base(livestock) bases(wood)", "@3 c6 race(valrath) base(metal) bases(stone)"),
    )
    return scribe.play("U cloth f4", "x", "x", "x")


@story
def own_link_passes_on() -> Scribe:
    """Own links do not shield a rival: for the tile Anna 2 and Bob 1, for the delivery of 5 Anna 4 and Bob 1."""
    return _own_chain("own-link")


@story
def own_link_stays_whole() -> Scribe:
    """By the other reading the delivery of 5 stays with Anna, whose leather passes nothing on; the tile is the same."""
    return _own_chain("own-link-stays", Options(own_link="stays"))


@story
def neutrals_at_every_level() -> Scribe:
    """Cleo's weapons of neutral wood and of Bob's machinery, which is made of neutral knowledge and Anna's metal.

    The tile: Bob 1, Anna 1, and 2 are lost. The delivery of 9: Cleo 3, Bob 1, Anna 1, and 4 are lost.
    """
    scribe = lay(
        begin("neutrals"),
        "last @2",
        *("tile knowledge f2", "tile metal j2 @1", "tile machinery h3 i3 h4 @2 +@3 <f2 <j2"),
        *("tile wood k5 +@3", "tile stone o4 @3", "roads j3 k3 k4 n3", "building guard-house o1 p1"),
        "@1 c6 i1 race(valrath) base(metal) bases(population)",
        *("@2 c6 i1 race(harrower) base(crops) bases(gems)", "@3 c9 i1 race(savvas) base(stone) bases(livestock)"),
    )
    return scribe.play("U weapons k2", "x", "x", "x")


@story
def follower_chooses_a_delivery() -> Scribe:
    """Anna builds; Bob follows with a road that joins Anna's books and Cleo's to the University: he chooses Cleo's.

    Cleo's stand beyond the river, and are joined by her bridge. Of their 4 points she keeps 2: Anna gets 1 for the
    knowledge in them, Bob 1 for the wood.
    """
    scribe = lay(
        begin("follower"),
        "last @3",
        *("tile knowledge h1 @1", "tile wood k5 @2", "tile wood h11 @2"),
        *("tile books h3 h4 h5 @1 <h1 <k5", "tile bridge f6 @2", "tile bridge h6 @3"),
        *("tile knowledge f9 @1", "tile books h7 h8 h9 @3 <f9 <h11", "building university e4 f4 e5 f5"),
        *(PURPLE, "@2 c6 i1 race(vermling) base(wood) bases(metal)", WHITE),
    )
    return scribe.play("T population a1", "r g5", "deliver university books h7", "x")


@story
def both_ties_of_a_vote() -> Scribe:
    """Two buildings with 4 points each: Cleo, who has fewest victory points, chooses, and not what she voted for.

    For that one Anna and Bob bid alike, and have as many points: Bob called, so he is first and places it.
    """
    scribe = lay(
        begin("ties", seats=4),
        *("last @1", "proposals salt-barge crooked-bone cloth-hall"),
        "@1 c3 f1 p5 race(human) base(population) bases(knowledge)",
        "@2 c3 f1 p5 race(inox) base(livestock) bases(gems) hand(call) discard(trade recruit construct upgrade)",
        *("@3 c3 l1 p3 race(valrath) base(metal) bases(crops)", "@4 c3 f1 p4 race(savvas) base(stone) bases(wood)"),
    )
    return scribe.play("V", "bid 1 f1", "bid 2 l1", "bid 2", "bid 1 f1", "tie 1", "place a1")


# The whole set to practise with has decks that can run out.
DISCARDED = (
    "bath-house playhouse assay-office timber-yard guard-house town-archive glass-house feast-hall harbour-office "
    "brick-court music-hall west-watchtower ghost-fortress sleeping-lion fish-market crooked-bone"
)


@story
def proposals_run_out() -> Scribe:
    """Page 20: two cards are left in the deck, and three are due: these two, then one of the discarded, shuffled."""
    scribe = lay(
        begin("proposals", sheet=read_practice()),
        *("last @3", "votes 1", "row tanner weaver magistrate chronicler"),
        *("proposals university salt-barge north-watchtower", f"spent {DISCARDED}"),
        f"{PURPLE} hand(call) discard(trade recruit construct upgrade)",
        *(YELLOW, WHITE),
    )
    scribe.play("V", "bid 1", "bid 1", "bid 1", "place g1")
    return scribe.play("deal proposals merchants-guild grain-hall assay-office shuffled", "-T c")


@story
def advisers_run_out() -> Scribe:
    """Everybody recruits in four turns of Recruit. The last deal has two cards, and then the row only slides.

    Nobody wrote down who they were, but for the Scholar, whom Anna plays at last.
    """
    purses = (f"@{seat} c20 race({race}) base({base})" for seat, race, base in FOUR_RACES)
    scribe = lay(begin("advisers", seats=4), "last @4", f"row ? ? ? ?, {NO_VOTE}", "tile knowledge f2 @1", *purses)
    scribe.play("R 1 =scholar", "2", "3", "4", "deal row ? ? ? ?")
    scribe.play("R 4", "3", "2", "1", "deal row ? ? ? ?")
    scribe.play("R 1", "2", "3", "4", "deal row ? ? ? ?")
    scribe.play("R 1", "2", "3", "4", "deal row ? ?")
    return scribe.play("scholar 1", "x", "x", "x", "deal row")


FOUR_RACES = ((1, "quatryl", "knowledge"), (2, "inox", "livestock"), (3, "valrath", "metal"), (4, "savvas", "stone"))


# --- the draft -----------------------------------------------------------------------------------

FIRST_DEAL = "deal table scholar huckster foreman carpenter proposals university salt-barge crooked-bone"


@story
def aesther() -> Scribe:
    """Page 8: Aesther takes any base card whose race nobody took, here gems, which is then no longer Orchid's to bring.

    Wood and metal are left, and neutral. Each begins on numbered ruins, with income 1.
    """
    scribe = begin("aesther").play(FIRST_DEAL, "race human", "race aesther gems", "race quatryl")
    return scribe.play(
        "base crops", "base stone", "base livestock", "start j8", "start k8", "start j9", "T livestock a1"
    )


@story
def aesther_is_bound_by_both_faces() -> Scribe:
    """Page 8: the card that Aesther took forbids wood as its own symbols would; Orchid cannot be taken any more."""
    scribe = begin("aesther-bound").play(FIRST_DEAL, "race human", "race aesther gems")
    before = scribe.next - 1
    scribe.play("race orchid", anyway=True).undo(before, "its base is gone").play("race quatryl", "base crops")
    return scribe.play("base wood", anyway=True)


@story
def displaced_in_the_draft() -> Scribe:
    """Page 7: only wood is left for Bob, whose Savvas forbid it. He takes Dora's gems, and she the wood at once."""
    scribe = begin("displaced", seats=4, first=2).play(FIRST_DEAL)
    scribe.play("race savvas", "race valrath", "race quatryl", "race human")
    scribe.play("base livestock", "base gems", "base crops", "base gems @4", "base wood")
    return scribe.play("start j8", "start k8", "start j9", "start k9", "T stone a1")


@story
def third_cards_of_two() -> Scribe:
    """Page 8: two players take third cards. Those left are forbidden to Bob, by his race or by his second card.

    So he takes Anna's third card, and she the only one of those left that she may take. Then Income, which Bob follows
    with the follow action of Trade.
    """
    scribe = begin("third", seats=2).play(FIRST_DEAL, "race savvas", "race valrath", "base knowledge", "base gems")
    scribe.play("base population", "base population @1", "base livestock", "start j8", "start k8")
    return scribe.play("I", "metal c1", "-T r j7")


# --- cards and workers ---------------------------------------------------------------------------


@story
def card_face_down_unknown() -> Scribe:
    """Nobody sees which cards Anna plays face-down: until all of the five must be gone, any may still be in her hand.

    The Call takes them back.
    """
    scribe = lay(
        begin("unknown", seats=2),
        *("last @2", "proposals university salt-barge cloth-hall", "tile population b2 @1", "tile metal m2 @2"),
        "@1 c6 i1 race(human) base(population) bases(knowledge wood)",
        "@2 c6 i1 race(valrath) base(metal) bases(crops gems)",
    )
    scribe.play("-? c", "-? c", "-? f", "-? c", "T population e7", "x", "-? f", "-? c", "-? c", "-? r b3", "-? f")
    before = scribe.next - 1
    scribe.play("-R c", anyway=True).undo(before, "all but the Call are gone")
    return scribe.play("V", "bid 1 f1", "bid 2 f2", "place a3.1")


@story
def university_takes_cards_back() -> Scribe:
    """Page 13: a worker at the University takes two cards back, not the one just played, nor Income; then no Call.

    Bob cannot use the space until Anna calls a vote, and takes her worker home.
    """
    scribe = lay(
        begin("university", seats=2),
        *("last @2", NO_VOTE, "tile gems h1 @1", "tile house l4 @1", "tile wood f7 @2", "tile house n7 @2"),
        "building university e1 f1 e2 f2 gems@1 wood@2",
        "@1 c6 i1 race(orchid) base(gems) bases(knowledge stone) hand(trade recruit call) "
        "discard(construct upgrade income)",
        "@2 c6 i1 race(vermling) base(wood) bases(livestock metal)",
    )
    scribe.play("-T w university")
    before = scribe.next - 1
    scribe.play("back trade income", anyway=True).undo(before, "neither of the two").play(
        "back construct upgrade", "-T c"
    )
    before = scribe.next - 1
    scribe.play("V c2 f1", anyway=True).undo(before, "two cards are discarded, not three").play("-C c")
    return scribe.play("-C w university", anyway=True)


def _with_adviser(scribe: Scribe, card: str, row: str = "") -> Scribe:
    """Anna has this adviser in hand; she owns crops, stone and metal, and a house, and Bob gems and knowledge."""
    others = [other for other in ("huckster", "gatekeeper", "foreman", "drover", "scholar") if other != card]
    return lay(
        scribe,
        *("last @3", f"row {row or ' '.join(others[:4])}", NO_VOTE, "tile crops b1 @1", "tile stone e1 @1"),
        *("tile metal a7 @1", "tile house l1 @1", "tile bridge m6 @1", "roads m2"),
        *("tile gems h1 @2", "tile knowledge f4 @2", "building -"),
        f"@1 c9 f0 l0 i3 p0 race(harrower) base(crops) bases(stone metal) hand({card} call) discard()",
        *("@2 c6 race(orchid) base(gems) bases(knowledge)", "@3 c6 race(inox) base(livestock) bases(wood)"),
        why=f"the table for the {card}",
    )


@story
def five_advisers() -> Scribe:
    """The five advisers whose action the rulebook prints, each played once, its follow declined.

    Scholar: recruits without paying. Huckster: Trade for 1 coin less. Foreman: recruits twice. Carpenter: a house for
    2 coins. Patroness: access, and then an adviser of that very resource.
    """
    scribe = begin("advisers-played")
    _with_adviser(scribe, "scholar").play("scholar 1", "x", "x", "deal row ?")
    _with_adviser(scribe, "huckster").play("huckster crops e7", "x", "x")
    _with_adviser(scribe, "foreman").play("foreman 1", "2", "x", "x", "deal row ? ?")
    _with_adviser(scribe, "carpenter").play("carpenter h n7", "x", "x")
    _with_adviser(scribe, "patroness", row="scholar huckster foreman drover")
    return scribe.play("patroness +f4", "1", "x", "x", "deal row ?")


@story
def patroness_without_her_resource() -> Scribe:
    """The Patroness recruits an adviser of the resource just bought: gems, and not crops."""
    scribe = begin("patroness")
    return _with_adviser(scribe, "patroness").play("patroness +h1", anyway=True).play("1", anyway=True)


RACES_AT_WORK = {
    "savvas": ("b m6",),
    "harrower": (),
    "valrath": (),
    "vermling": ("r e2", "r e3"),
    "human": (),
    "quatryl": ("machinery h3",),
    "inox": ("population a8",),
    "orchid": ("+d4",),
    "aesther": ("r e2",),
}
# Where each building stands with a delivery token of Anna's, and what a worker does there.
BUILDINGS_AT_WORK = {
    "university": ("e7 f7 e8 f8 gems@1", "back recruit construct"),
    "salt-barge": ("a7 b7 c7 livestock@1", "1", "deal row ?"),
    "crooked-bone": ("b2 c2 crops@1",),
    "merchants-guild": ("a11 b11 c11 b12 metal@1", "population a8"),
    "grain-hall": ("e3 f3 g3 crops@1",),
    "cloth-hall": ("a7 b7 stone@1",),
    "guard-house": ("c3 d3 stone@1", "+d4"),
    "north-watchtower": ("g12 h12 g13 h13 books@1", "+f11"),
    "west-watchtower": ("c12 d12 c13 d13 wood@1", "h m7"),
    "ghost-fortress": ("k12 l12 k13 l13 metal@1",),
}


def _before_worker(scribe: Scribe, why: str, mat: str, *sections: str) -> Scribe:
    """Anna has a worker that is free, things to build with, and one adviser in hand."""
    return lay(
        scribe,
        *(
            "last @3",
            "row scholar huckster foreman carpenter",
            NO_VOTE,
            "roads g2 j2",
            "tile house l4 @1",
            "tile bridge n6 @1",
        ),
        *("tile population b1 @1", "tile knowledge f1 @1", "tile metal j1 @1", "tile stone d4 @2", "tile gems f11 @2"),
        *sections,
        f"@1 c9 f0 l0 i3 p0 {mat} base(population) bases(knowledge metal) hand(trade drover call) "
        "discard(recruit construct) used()",
        *("@2 c6 i2 race(savvas) base(stone) bases(gems)", WHITE.replace("savvas", "inox").replace("stone", "crops")),
        why=why,
    )


@story
def every_worker() -> Scribe:
    """The action of each race, then of each prestige building, on which Anna has a delivery token.

    What the set has no words for is `say`: the table tells what moved.
    """
    scribe = begin("workers")
    for race, acts in RACES_AT_WORK.items():
        _before_worker(scribe, race, f"race({race})", "building -").play("-T w race", *acts)
    for card, (stands, *further) in BUILDINGS_AT_WORK.items():
        _before_worker(scribe, card, "race(human)", f"building {card} {stands}")
        scribe.play(f"-T w {card}", *further)
    return scribe


@story
def actions_without_a_choice() -> Scribe:
    """The Moneylender brings a coin for each resource; what the Town Crier says the table does itself."""
    scribe = _before_worker(begin("no-choice"), "two advisers", "race(human)", "building -")
    lay(scribe, "@1 hand(moneylender town-crier trade call)", why="in Anna's hand")
    scribe.play("moneylender", "x", "x", "-T c", "-T c")
    return scribe.play("town-crier", "x", "x")


@story
def advisers_nobody_saw() -> Scribe:
    """The Foreman recruits twice from a row that nobody saw: what is not known breaks no rule."""
    scribe = _with_adviser(begin("unseen-row"), "foreman", row="? ? ? ?")
    return scribe.play("foreman 1 =huckster", "2", "3 =scholar", "x", "deal row ? ? ?")


# --- the end of the game -------------------------------------------------------------------------

FIVE_COMPLETE = (
    "building university e7 f7 e8 f8 gems@1 wood@2 books@1 food@3 complete",
    "building cloth-hall a7 b7 stone@1 cloth@3 complete",
    "building grain-hall e9 f9 g9 crops@2 knowledge@1 machinery@2 complete",
    "building guard-house i7 j7 stone@3 weapons@2 complete",
    "building salt-barge a11 b11 c11 livestock@3 leather@2 labor@3 complete",
)
# Anna's population on b1 completes it with a road on d2.
ONE_TO_COMPLETE = ("building crooked-bone e2 e3 crops@2 food@3", "tile population b1 @1", "roads c2")


@story
def three_goals() -> Scribe:
    """Page 24: Anna delivers to a third building: 3 points at the end of the turn, and the card leaves the game.

    With the second completion marker the mid-game achievement is scored for Bob. The sixth ends the game; Bob has most
    structures in a section, and 6 points for it.
    """
    scribe = lay(
        begin("goals", options=Options(achievements="with")),
        *("last @3", "goals three-buildings tier-3-tile most-structures", "tile weapons k1 l1 m1 n1 @2"),
        *("building university e7 f7 e8 f8 gems@1 wood@2 books@1 food@3 complete", "building cloth-hall a7 b7 stone@1"),
        *ONE_TO_COMPLETE,
        *(PURPLE, YELLOW, WHITE),
    )
    scribe.play("-T r d2")
    lay(
        scribe,
        *("last @3", *FIVE_COMPLETE, *ONE_TO_COMPLETE),
        *("tile weapons k1 l1 m1 n1 @2", "tile metal j4 @2", "tile bridge a10 @1", "tile knowledge h1 @1"),
        *("tile stone g4 @3", "tile house n4 @2", "@1 c9 l2 p9 hand(trade call)", "@2 c3 f5 p12", "@3 c4 p11"),
        why="later",
    )
    return scribe.play("-T r d2", "final")


@story
def end_in_a_turn_with_follows() -> Scribe:
    """Page 25: the sixth building is complete, and everybody still follows; then the token does not pass.

    Bob and Cleo end level: Bob is nearer to Anna, who holds the token, so he comes before Cleo.
    """
    scribe = lay(
        begin("sixth"),
        *("last @3", *FIVE_COMPLETE, "building crooked-bone e2 e3 crops@2 food@3", "roads c2 d2"),
        *("@1 c6 p5 race(human) base(population)", "@2 c7 l1 p20 race(valrath) base(metal)"),
        "@3 c4 p22 race(savvas) base(stone)",
    )
    return scribe.play("T population b1", "c", "f", "final")


# --- alone ---------------------------------------------------------------------------------------

ALONE = "race(human) base(population)"


def _alone(game: str, *sections: str) -> Scribe:
    """Anna plays alone: whatever was delivered she delivered."""
    own = (re.sub("@[23]", "@1", section) for section in sections)
    return lay(begin(game, seats=1), "last @1", *own)


@story
def alone_a_vote() -> Scribe:
    """Page 26: income, then 4 + 2 points for each claim, one building being complete; the middle proposal costs 2 + 1.

    Claims are put on all unfinished buildings; the new one's is taken off again by its first delivery. The row of
    proposals slides, and one comes at the right.
    """
    scribe = _alone(
        "alone-vote",
        *("votes 2", "row scholar huckster foreman carpenter", "proposals salt-barge crooked-bone guard-house"),
        *("building university e7 f7 e8 f8 gems@1 wood@1 books@1 food@1 complete", "tile population f2 @1"),
        *("tile stone h1 @1", "tile house l4 @1", "building cloth-hall a7 b7 stone@1 claim"),
        f"@1 c3 f6 l4 i2 p8 {ALONE} hand(call) discard(trade recruit construct upgrade) used(race)",
    )
    scribe.play("V", "pay l3", "choose 2 f1 l1", "place e1.1")
    return scribe.play("deal proposals merchants-guild", "-T w race")


@story
def alone_an_adviser_leaves_the_game() -> Scribe:
    """Page 26: an adviser that is played face-up leaves the game; nobody follows. Face-down it is kept."""
    scribe = _alone(
        "alone-adviser",
        *("row ? ? ? ?", NO_VOTE, "tile population f2 @1"),
        f"@1 c9 i1 {ALONE} hand(huckster carpenter call)",
    )
    return scribe.play("huckster crops b1", "-carpenter c")


@story
def alone_won() -> Scribe:
    """Page 26: at the end of round 7 all six buildings are complete."""
    scribe = _alone("alone-won", "votes 6", *FIVE_COMPLETE, *ONE_TO_COMPLETE, f"@1 c9 l1 i1 p30 {ALONE} {LAST_CARD}")
    return scribe.play("-T r d2", "final")


@story
def alone_lost_at_the_end() -> Scribe:
    """Page 26: the same, but Anna takes a coin: round 7 is over, and one building is not complete."""
    scribe = _alone("alone-lost", "votes 6", *FIVE_COMPLETE, *ONE_TO_COMPLETE, f"@1 c9 l1 i1 p30 {ALONE} {LAST_CARD}")
    return scribe.play("-T c", "final")


@story
def alone_lost_by_claims() -> Scribe:
    """Page 26: two claims cost 4 each, and Anna has influence worth 7: the game is lost."""
    scribe = _alone(
        "alone-claims",
        *("votes 2", NO_VOTE, "tile population f2 @1", "building guard-house i7 j7 stone@1 claim"),
        "building cloth-hall a7 b7 stone@1 claim",
        f"@1 c3 f1 l3 i1 {ALONE} hand(call) discard(trade recruit construct upgrade)",
    )
    return scribe.play("V", "final")


LAST_CARD = "hand(trade call) discard(recruit construct upgrade)"


# --- other readings ------------------------------------------------------------------------------

EVERY_RUIN = (
    "roads o1 o2 o3 o4 o5 p1 p2 p3 p4 i7 j7 k7 l7 i8 j8 k8 l8 i9 j9 k9 l9 "
    "m11 n11 o11 p11 m12 n12 o12 p12 m13 n13 o13 p13"
)


def _nowhere_to_build(game: str, options: Options | None = None) -> Scribe:
    """The guard house wins the vote, and no ruins are free; Anna's is the higher bid."""
    scribe = lay(
        begin(game, options=options),
        *("last @3", "proposals guard-house salt-barge crooked-bone", EVERY_RUIN),
        "@1 c3 f2 race(human) base(population) hand(call) discard(trade recruit construct upgrade)",
        *("@2 c3 f2 race(valrath) base(metal)", "@3 c3 race(savvas) base(stone)"),
    )
    return scribe.play("V", "bid 1 f2", "bid 2 f1", "bid 1")


@story
def unplaceable() -> Scribe:
    """The guard house fits nowhere and leaves the game; Anna, who won, places what comes in its stead."""
    return _nowhere_to_build("unplaceable").play("deal instead cloth-hall", "place a1")


@story
def unplaceable_second_best() -> Scribe:
    """By another reading the proposal with the next most points is built, by its highest bidder."""
    return _nowhere_to_build("second-best", Options(unplaceable="second-best")).play("place a1")


@story
def unplaceable_new_vote() -> Scribe:
    """By a third reading it leaves the game, and everybody bids again, for what is left."""
    scribe = _nowhere_to_build("new-vote", Options(unplaceable="new-vote"))
    return scribe.play("bid 1", "bid 2", "bid 2", "place e1")


@story
def placer_chooses_a_delivery() -> Scribe:
    """Anna calls; Bob wins, and places the University where it touches Anna's books, and Cleo's by her bridge.

    He chooses which of them are delivered, not the caller.
    """
    scribe = lay(
        begin("placer"),
        *("last @3", NO_VOTE, "tile books i1 i2 i3 @1", "tile books h7 h8 h9 @3", "tile bridge h6 @3", "roads h5"),
        f"{PURPLE} hand(call) discard(trade recruit construct upgrade)",
        *("@2 c6 f2 race(vermling) base(wood) bases(gems)", WHITE),
    )
    return scribe.play("V", "bid 2", "bid 1 f1", "bid 1", "place g3", "deliver university books i1")


@story
def aesther_bound_by_the_mat_only() -> Scribe:
    """By another reading Aesther may take wood, which only the card of gems that it took forbids."""
    options = Options(aesther_forbids="mat")
    scribe = begin("aesther-mat", options=options).play(FIRST_DEAL, "race human", "race aesther gems", "race quatryl")
    return scribe.play("base crops", "base wood")


@story
def base_of_a_race_taken() -> Scribe:
    """By another reading the base of a race may be taken, too: Bob, for whom only wood is left, takes Dora's knowledge.

    She takes the wood at once, which is the base of her race from then on.
    """
    scribe = begin("draft-any", seats=4, first=2, options=Options(draft_displace="any")).play(FIRST_DEAL)
    scribe.play("race savvas", "race valrath", "race quatryl", "race human")
    scribe.play("base livestock", "base gems", "base crops", "base knowledge @4", "base wood")
    return scribe.play("start j8", "start k8", "start j9", "start k9")


@story
def third_card_though_forbidden() -> Scribe:
    """By another reading Bob takes a forbidden third card, as none is left that is not, and nobody loses one."""
    scribe = begin("third-forbidden", seats=2, options=Options(draft_third="forbidden")).play(FIRST_DEAL)
    scribe.play("race savvas", "race valrath", "base knowledge", "base gems", "base population")
    return scribe.play("base crops", "start j8", "start k8")


def _before_construct(game: str, options: Options) -> Scribe:
    """Anna and Bob can build houses."""
    tiles = ("tile knowledge l2 @1", "tile metal m7 @2", "roads m3 n8")
    return lay(begin(game, options=options), "last @3", *tiles, *(PURPLE, YELLOW, WHITE))


@story
def without_workers() -> Scribe:
    """Page 24: a house costs 2 coins, 1 with Construct itself; no worker can be used."""
    scribe = _before_construct("no-workers", Options(workers="without"))
    return scribe.play("C h n3", "h o9", "x").play("-T w race", anyway=True)


@story
def without_workers_by_other_readings() -> Scribe:
    """Construct saves nothing on a house; the card of what was built goes to the discarded ones, and may come again.

    One card is left in the deck; by another reading, too, all are shuffled before any is dealt.
    """
    options = Options(
        workers="without", house_no_workers_main="two", no_workers_card="discard", prestige_deck_short="shuffle-first"
    )
    scribe = lay(
        begin("no-workers-else", options=options, sheet=read_practice()),
        *("last @3", "row tanner weaver magistrate chronicler", "tile knowledge f2 @1", "roads e2"),
        *("proposals university salt-barge north-watchtower", f"spent {DISCARDED} merchants-guild"),
        f"{PURPLE} hand(construct call) discard(trade recruit upgrade)",
        *(YELLOW, WHITE),
    )
    scribe.play("C h d1", "x", "x", "-T c", "-T c", "V", "bid 1", "bid 1", "bid 1", "place g1")
    return scribe.play("deal proposals bath-house playhouse university shuffled")


# What a mat is reset to: all cards in hand, or two of them.
ANEW = "f0 l0 p0 hand(trade recruit construct upgrade call) discard() used()"
LEFT = "f0 l0 p0 hand(trade call) discard(recruit construct upgrade) used()"


def _another_table(scribe: Scribe, why: str, *sections: str) -> Scribe:
    """A table on which only this lies. Anna is to act, unless it says otherwise."""
    bare = ("last @3", "tile -", "building -", "roads", "row ? ? ? ?", NO_VOTE)
    usual = (*bare, *(f"{mat} {ANEW}" for mat in (PURPLE, YELLOW, WHITE)))
    stated = {section.split()[0] for section in sections}
    return lay(scribe, *(section for section in usual if section.split()[0] not in stated), *sections, why=why)


@story
def tiles_mirrored() -> Scribe:
    """By another reading a tile may be laid with its other face up: government that no quarter turn would make."""
    scribe = lay(begin("mirrored", options=Options(tile_flip="mirror")), "last @2", *EXAMPLE_5, *IN_EXAMPLE_5)
    return scribe.play("U government g4.m", "x", "x", "x")


@story
def read_the_other_way() -> Scribe:
    """A table that reads what it can the other way: each position shows one reading, or two."""
    scribe = begin(
        "readings",
        options=Options(
            river_corner="parted",
            follow_neutral_access="no",
            rival_built_income="stays",
            upgrade_road_first="tile",
            row_refill="at-once",
            discount_from="main",
            adviser_recruit_bonus="always",
            placement_chooser="caller",
            end_in_call="stop",
            worker_incomplete="completed",
            call_bonus="waive",
        ),
    )
    _another_table(scribe, "river on both sides of a corner parts it", "tile population o5 @1")
    scribe.play("-T r p6", anyway=True)
    _another_table(scribe, "no follow buys access to a neutral tile", "tile wood a1", "tile metal a3 @2")
    scribe.play("T population b1").play("+a1", anyway=True)
    complete = FIVE_COMPLETE[:2]
    _another_table(scribe, "the income of a rival stays", *complete, "tile population b1 @1")
    scribe.play("T metal e1", "x", "x")
    _another_table(
        scribe, "Upgrade's road needs the tile only", "tile knowledge f2 @1", "tile metal j2 @2 +@1", "roads g2"
    )
    scribe.play("U r i5", "machinery h3", "x", "x")
    _another_table(
        scribe,
        "an adviser brings influence",
        *("tile knowledge f2 @1", f"{PURPLE} {ANEW}".replace("recruit", "scholar")),
    )
    scribe.play("scholar 1", "x", "x", "deal row ?")
    _another_table(
        scribe,
        "where a worker recruits, the row is filled at once",
        *("tile knowledge f2 @1", "tile house l4 @1", FIVE_COMPLETE[4].replace("livestock@3", "livestock@1")),
    )
    scribe.play("-T w salt-barge", "2", "deal row ?")
    carpenter = f"{PURPLE} {ANEW}".replace("recruit", "carpenter")
    _another_table(scribe, "a discount on top of Construct's", "tile knowledge l2 @1", "roads m3", carpenter)
    scribe.play("carpenter h n3", "x", "x")
    incomplete = "building crooked-bone e2 e3 population@1"
    _another_table(scribe, "workers only where a building is complete", "tile house l4 @1", incomplete)
    scribe.play("-T w crooked-bone", anyway=True)
    _another_table(
        scribe,
        "the caller chooses what is delivered, and waives what a card brings",
        *("tile books i1 i2 i3 @1", "tile books h7 h8 h9 @3", "tile bridge h6 @3", "roads h5"),
        f"{PURPLE} {LEFT}",
    )
    scribe.play("V", "bid 2", "bid 1", "bid 1", "place g3", "deliver university books h7", "deal proposals ? ? ?")
    _another_table(
        scribe,
        "a road of the Call completes the sixth building, and nobody votes any more",
        *(*FIVE_COMPLETE, *ONE_TO_COMPLETE, f"{PURPLE} {LEFT}"),
    )
    return scribe.play("V r1", "r d2", "final")


def _with_sites_read() -> Sheet:
    """The set with a section for each site, and towers and a fortress that ask for more than their site."""
    sections = ["1" * 16] * 4 + ["1" * 15 + ".", "." * 15 + "2"] + ["2" * 16] * 3 + ["." * 16] + ["3" * 16] * 3
    values = [("board-thematic", f"sections-{row:02}", line) for row, line in enumerate(sections, 1)]
    values += [("ghost-fortress", "shape", "xx/xx"), ("ghost-fortress", "colour", "blue")]
    values += [("west-watchtower", "terrain", "forest"), ("north-watchtower", "terrain", "desert")]
    return small_set().with_readings(*(Row(of, what, value, "invented") for of, what, value in values))


@story
def sites_by_other_readings() -> Scribe:
    """A site lies in the section that the set names, and the card's terrain must be beside it, too.

    The fortress is alike to the University in that section, no forest touches the site of the west watchtower: both
    leave the game, and the north watchtower is built.
    """
    options = Options(site_section="named", site_terrain="both")
    scribe = lay(
        begin("sites", options=options, sheet=_with_sites_read()),
        *("last @3", "proposals ghost-fortress salt-barge cloth-hall", "building university e11 f11 e12 f12"),
        f"{PURPLE} hand(call) discard(trade recruit construct upgrade)",
        *(YELLOW, WHITE),
    )
    scribe.play("V", "bid 1", "bid 1", "bid 1", "deal instead west-watchtower", "deal instead north-watchtower")
    return scribe.play("place g12,h12,g13,h13")


@story
def alone_by_other_readings() -> Scribe:
    """No achievements alone, influence is paid exactly, and the game ends with the sixth building, in round 6."""
    options = Options(achievements="with", solo_achievements="none", solo_change="exact", solo_end="sixth")
    scribe = begin("alone-else", seats=1, options=options).play(FIRST_DEAL, "race human", "start j8")
    lay(
        scribe,
        *("last @1", "votes 5", "proposals merchants-guild crooked-bone ghost-fortress"),
        *(re.sub("@[23]", "@1", section) for section in FIVE_COMPLETE),
        *("tile population d1 @1", "tile crops f1 @1", "tile food c4 d4 c5 @1"),
        "@1 f5 l4 i3 hand(call) discard(trade recruit construct upgrade)",
        why="much later",
    )
    scribe.play("V").play("choose 2 l4", anyway=True)
    scribe.undo(scribe.next - 2, "that is one too many").play("choose 2 f1 l3", "place e2.1")
    return scribe.play("deal proposals north-watchtower", "final")


@story
def sealed_bids() -> Scribe:
    """Through a service everybody seals a bid, and opens it once all are sealed. Cleo opens another one."""
    scribe = lay(
        begin("sealed"),
        *("last @3", NO_VOTE),
        "@1 c3 f1 race(human) base(population) hand(call) discard(trade recruit construct upgrade)",
        *("@2 c3 f1 race(valrath) base(metal)", "@3 c3 f1 race(savvas) base(stone)"),
    )
    bids = [Bid(seat=seat, proposal=proposal, salt=f"salt-{seat}") for seat, proposal in ((1, 1), (2, 2), (3, 1))]
    scribe.play("V")
    for bid in bids:
        scribe.act(SealBid(seat=bid.seat, seal=seal_of(1, bid)))
    scribe.act(bids[0]).act(bids[1])
    return scribe.act(structs.replace(bids[2], fleeting=1), anyway=True)


# --- what can happen to any record ---------------------------------------------------------------


@story
def rulings_and_a_count() -> Scribe:
    """What the Town Crier says the table moves itself, as ruled. Then it counts: Cleo has a coin less."""
    scribe = _before_worker(begin("rulings"), "the Town Crier", "race(human)", "building -")
    lay(scribe, "@1 hand(town-crier trade call)", why="in Anna's hand").play("town-crier", "x", "x")
    seen = Seen(who="the table", why="she has a house")
    scribe.act(Adjusted(who="the table", why="the Town Crier"), moved=[Posting(1, "money", 1, "adjusted", seen)])
    return scribe.act(Counted(held=(Holding(1, "money", 10), Holding(3, "money", 5))))


@story
def conceded_and_played_on() -> Scribe:
    """A break, and Bob goes home: nobody waits for him any more, in turns, follows and votes."""
    scribe = lay(
        begin("conceded"),
        *("last @3", "proposals university salt-barge cloth-hall", "tile knowledge f2 @1", "tile metal j2 @2"),
        f"{PURPLE} hand(trade call) discard(recruit construct upgrade)",
        *(YELLOW, WHITE),
    )
    scribe.act(Paused()).act(Continued()).act(Conceded(seat=2))
    return scribe.play("T population a1", "x", "-T c", "V", "bid 1", "bid 2", "tie 2", "place a3.1")


@story
def abandoned_in_a_vote() -> Scribe:
    """The game ends while bids are made, and nobody wins."""
    return _nowhere_to_build("abandoned").undo(4, "Bob thinks it over").act(Abandoned(why="the last train"))


# --- whole games ---------------------------------------------------------------------------------


class WholeGame(NamedTuple):
    """A game that a simulated player once played, with the set to practise with; its moves are kept in `games`."""

    seats: int
    first: int
    options: Options

    def make(self, name: str) -> bytes:
        """The log of the moves in the file of this name, a line each."""
        names, sheet = PLAYERS[: self.seats], read_practice()
        play = Play.new(
            FOUNDERS,
            game=f"game-{name}",
            players=names,
            first=self.first,
            options=self.options,
            sheet=sheet,
            source="simulated",
        )
        for line in Path(__file__).with_name("games").joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
            play.do(line, by="simulated")
        return play.encode()


WITH_GOALS = Options(achievements="with")
WHOLE_GAMES = {
    "alone-on-the-thematic-side": WholeGame(1, 1, Options()),
    "alone-on-the-symmetric-side": WholeGame(1, 1, Options(side="symmetric", achievements="with")),
    "two-players-on-the-thematic-side": WholeGame(2, 1, Options()),
    "two-players-on-the-symmetric-side": WholeGame(2, 2, Options(side="symmetric")),
    "three-players-on-the-thematic-side": WholeGame(3, 1, WITH_GOALS),
    "three-players-on-the-symmetric-side": WholeGame(
        3, 1, Options(side="symmetric", workers="without", achievements="with")
    ),
    "four-players-on-the-thematic-side": WholeGame(4, 2, WITH_GOALS),
    "four-players-on-the-symmetric-side": WholeGame(4, 3, Options(side="symmetric", workers="without")),
}
STORIES.update({name: partial(game.make, name) for name, game in WHOLE_GAMES.items()})
