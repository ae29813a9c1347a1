"""The stories behind `examples/spyrium`: each makes one log. Those of Founders stand in `tests/founders/stories.py`.

`python -m tests.stories` writes the examples of both titles and what they come to; with names, only these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import structs

from spyrium_log.edit.amend import make_amendment, make_event_body
from spyrium_log.edit.compare import compare_logs, make_edits
from spyrium_log.edit.locate import find_stretches, locate_slips
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    Corrected,
    Declared,
    Drop,
    InsertAfter,
    ReadOff,
    Replace,
    Result,
    Withdrawn,
)
from spyrium_log.log.seals import load_signer, make_pem
from spyrium_log.play import encode_log, make_scoresheet
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.store import read_bytes
from spyrium_log.title import Abandoned, Adjusted, Conceded, Continued, Counted, Holding, Paused, Posting, Seen
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.cards import BUILDINGS, USES
from spyrium_log.titles.spyrium.effects import CardNamed
from spyrium_log.titles.spyrium.moves import BuildingAt
from spyrium_log.titles.spyrium.options import Options
from tests.founders import stories as founders
from tests.games import raw_of
from tests.golden import Stories
from tests.greedy import greedy_game
from tests.scribe import Scribe, market, mat, workers

STORIES = Stories("spyrium")
EXAMPLES = STORIES.folder
story = STORIES.story


FIRST_DEAL = (
    "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"
)


def opening() -> Scribe:
    """A three-player round just dealt, everybody with three workers and £10."""
    return Scribe("game-opening").play(FIRST_DEAL)


# --- what can happen to a record -----------------------------------------------------------------


@story
def first_round() -> Scribe:
    """A round from deal to last pass."""
    return opening().play(
        "p12", "p12", "p45", "p25", ">a12.2", "e n1", ">g12.2", "x", "p47", "a25.5", ">g45.4", "x", "a47.7 t3", "x"
    )


@story
def misplayed() -> Scribe:
    """A player gains money with a worker that is not hers, and the table lets it pass."""
    scribe = opening().play("p12", "p45", "p45")
    return scribe.play("@1 >g45.4", anyway=True).play("p23")


@story
def wrong_price() -> Scribe:
    """The scribe wrote down that £1 less was paid than the rules ask for, and nobody says why."""
    scribe = opening().play("p12", "p12", "p12")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    return scribe.act(act, moved=[Posting(1, "money", -2, "price"), Posting(1, "money", -1, "crowd")])


@story
def ruled_at_the_table() -> Scribe:
    """The same £1 less, but it says who ruled it and why: listed, no finding."""
    scribe = opening().play("p12", "p12", "p12")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    seen = Seen(who="Cleo", why="the third worker was Anna's own")
    return scribe.act(act, moved=[Posting(1, "money", -2, "price"), Posting(1, "money", -1, "crowd", seen)])


@story
def undone_and_redone() -> Scribe:
    """Undo of a move, undo of the undo, and a move that replaces it all."""
    scribe = opening().play("p12", "p45")
    return scribe.undo(2, "Bob takes it back").undo(3, "no, he leaves it").undo(2).play("p25")


@story
def cut_off_in_mid_line() -> bytes:
    """The power went while the last line was written."""
    raw = first_round()
    return raw[: raw.rindex(b'"prev"')]


@story
def flipped_bit() -> bytes:
    """One bit of a line in the middle rotted: £1 of the deal's revenue became £3."""
    raw = bytearray(first_round())
    at = raw.index(b'"n":2,"why":"revenue"')
    raw[at + 4] ^= 1
    return bytes(raw)


@story
def sealed_and_corrected_after() -> Scribe:
    """A sealed log; later somebody finds that a name was misspelt."""
    scribe = opening().play("p12").seal()
    return scribe.aside(Corrected, seat=2, player="Bobby", why="that is how he writes it")


# A key that everybody knows: what it signs proves nothing, and is the same every time.
KNOWN_SEED = bytes(range(32))


@story
def sealed_and_signed() -> Scribe:
    """A seal with a signature, a ruling after it, and a seal on that, too."""
    key = load_signer(make_pem(KNOWN_SEED))
    scribe = opening().play("p12").seal(key)
    return scribe.aside(Corrected, seat=2, player="Bobby", why="that is how he writes it").seal(key)


@story
def signed_by_another() -> bytes:
    """Somebody recomputed every hash after moving a worker; the signature tells."""
    lines = opening().play("p12").seal(load_signer(make_pem(KNOWN_SEED))).log().lines
    seal = lines[-1]
    changed = opening().play("p45").seal().log().lines
    return encode_log([*changed[:-1], structs.replace(changed[-1], signed=seal.signed)])  # type: ignore[union-attr]


@story
def counted() -> Scribe:
    """Two counts of the table: one agrees, one does not."""
    scribe = opening().play("p12", "p45", "p45")
    scribe.act(Counted(held=(Holding(1, "money", 10), Holding(2, "money", 10))))
    return scribe.act(Counted(held=(Holding(3, "spyrium", 3),)))


@story
def phantom_amendment() -> Scribe:
    """An amendment drops a line that no event stands at: nothing changes, and the audit says so."""
    scribe = opening().play("p12", "p45").undo(2)
    drop = Drop(at="3")
    return scribe.aside(Amended, mode="misrecorded", edits=(drop,), why="typed twice")


def _out_of_turn() -> Scribe:
    return opening().play("p12", "p45", "p45").play("@2 p23", anyway=True)


@story
def accepted_finding() -> Scribe:
    """A breach that the table decided to live with: the club's check is green."""
    return _out_of_turn().aside(Accepted, line=5, rule="turn.order", who="Anna", why="nobody minded")


@story
def acceptance_withdrawn() -> Scribe:
    """The table thought again: the acceptance counts no longer, the finding does."""
    scribe = _out_of_turn().aside(Accepted, line=5, rule="turn.order", who="Anna", why="nobody minded")
    return scribe.aside(Withdrawn, line=6, why="Cleo does mind")


@story
def one_of_two_accepted() -> Scribe:
    """Two postings of one cause are wrong in one line; the table lives with one of them."""
    scribe = Scribe("game-two").play(FIRST_DEAL)
    deal = scribe.table.list_events()[0]
    moved = [structs.replace(posting, n=3) if posting.who < 3 else posting for posting in deal.moved]
    scribe = Scribe("game-two").act(deal.do, moved=moved)
    expected = "seat 1 money +2 (revenue)"
    return scribe.aside(Accepted, line=1, rule="posting.revenue", expected=expected, who="Bob", why="a gift")


@story
def one_rule_accepted() -> Scribe:
    """Out of turn, and with a worker that is not there: the table minds only the second."""
    scribe = opening().play("p12", "p45", "p45").play("@2 >g12.1", anyway=True)
    return scribe.aside(Accepted, line=5, rule="turn.order", who="Anna", why="nobody minded")


@story
def ruled_in_part() -> Scribe:
    """Somebody explains £1 of a price; the other £50 explain themselves to nobody."""
    scribe = opening().play("p12", "p12", "p12")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    seen = Seen(who="Cleo", why="a pound was given back")
    wrong = Posting(1, "money", -52, "price")
    return scribe.act(act, moved=[wrong, Posting(1, "money", 1, "price", seen), Posting(1, "money", -2, "crowd")])


@story
def declared_result() -> Scribe:
    """A position, the final count, and a score sheet that says something else for Bob."""
    scribe = _end_of_game()
    scribe.play("final")
    results = (Result(seat=1, points=50), Result(seat=2, points=41), Result(seat=3, points=35))
    return scribe.aside(Declared, results=results)


def _end_of_game() -> Scribe:
    scribe = Scribe("game-end")
    done: dict[str, Any] = {"passed": True, "active": 3, "bonuses": ()}
    return scribe.resync(
        "recording begins at the end",
        round=6,
        first=1,
        market=market(),
        mats=(
            mat(1, points=30, spyrium=8, buildings=_buildings("factory-1", "luxury-home", "residence-2"), **done),
            mat(2, points=40, **done),
            mat(3, points=20, techniques=("lobbying",), residence=3, buildings=_buildings("palace"), **done),
        ),
    )


def _buildings(*cards: str) -> tuple[BuildingAt, ...]:
    return tuple(BuildingAt(card=card) for card in cards)


@story
def shared_win() -> Scribe:
    """Two players end level and share the win; no tie-breaker, and the third comes third."""
    done: dict[str, Any] = {"passed": True, "active": 3, "bonuses": ()}
    scribe = Scribe("game-tie").resync(
        "recording begins at the end",
        round=6,
        first=2,
        market=market(),
        mats=(
            mat(1, points=30, buildings=_buildings("palace"), **done),
            mat(2, points=42, money=9, **done),
            mat(3, points=20, techniques=("capitalization",), money=5, **done),
        ),
    )
    scribe.play("final")
    results = (Result(seat=1, points=42), Result(seat=2, points=42), Result(seat=3, points=22))
    return scribe.aside(Declared, results=results)


@story
def adjusted() -> Scribe:
    """A pound found under the table belongs to nobody's move."""
    scribe = opening().play("p12")
    act = Adjusted(who="the table", why="a pound lay under the box")
    return scribe.act(act, moved=[Posting(2, "money", 1, "adjusted", Seen(who="the table", why="found"))])


@story
def paused_and_conceded() -> Scribe:
    """A break, a player who goes home, and the others who go on."""
    scribe = opening().play("p12").act(Paused()).act(Continued()).act(Conceded(seat=2))
    return scribe.play("p45", "p45")


@story
def abandoned() -> Scribe:
    return opening().play("p12").act(Abandoned(why="the last train"))


@story
def reading_of_a_price() -> Scribe:
    """The Mine costs £3 on the printed card: what was paid stays paid, the finding goes."""
    scribe = opening().play("p12", "p45", "p45")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    scribe.act(act, moved=[Posting(1, "money", -3, "price")])
    value = Printed("mine-1", "price", 3, "read", "Anna", "2026-11-18")
    return scribe.aside(ReadOff, value=value)


@story
def unseen_card() -> Scribe:
    """Two cards of the deal nobody had time to look at; both get their names later."""
    scribe = Scribe("game-unseen").play(
        "deal exchange estate mine-1 ? residence-1 university-1:2 workshop-1 crane miner:13 luxury-home ?"
    )
    scribe.play("p12", "p69", "p45", ">a12.2 =geologist")
    return scribe.act(
        Adjusted(who="Bob", why="the last card was the Mansion"), facts=[CardNamed(space=9, card="mansion")]
    )


@story
def impossible_names() -> Scribe:
    """Three cards of the deal get their names later: one that is there already, one of no game, one that was seen."""
    scribe = Scribe("game-names").play(
        "deal exchange estate mine-1 ? ? university-1:2 workshop-1 crane mine-2 miner:13 ?"
    )
    facts = [CardNamed(space=space, card=card) for space, card in ((2, "crane"), (3, "castle"), (1, "mansion"))]
    scribe.act(Adjusted(who="Bob", why="as he remembers it"), facts=facts)
    seen = CardNamed(space=9, card="engineering", seen=Seen(who="Cleo", why="she looked"))
    return scribe.act(scribe.title.words.read(scribe.state, "p12"), facts=[seen]).play("p45")


@story
def scores_only() -> bytes:
    """An old score sheet: who had how many points is all there is, and two share the first place."""
    scores = (("Anna", 48), ("Bob", 51), ("Cleo", 51))
    return encode_log(make_scoresheet(TITLES["spyrium"], game="game-scores", scores=scores, played="2014-03-08"))


@story
def scores_told_twice() -> bytes:
    """A score sheet typed wrongly and then again: the last one counts, the first is a finding until it is withdrawn."""
    header, declared = make_scoresheet(TITLES["spyrium"], game="game-typed", scores=(("Anna", 84), ("Bob", 51)))
    results = (Result(seat=1, points=48), Result(seat=2, points=51))
    return encode_log((header, declared, structs.replace(declared, n=2, results=results)))


@story
def impossible_deal() -> Scribe:
    """More tokens of one value than the reserve holds, a card twice that exists once, one the sheet did not expect."""
    scribe = Scribe("game-deal", seats=5)
    return scribe.play(
        "deal windfall:3 estate crane crane miner:3333 miner:3333 bureaucrat:3111 palace mine-1 mine-1 mine-2",
        anyway=True,
    )


@story
def phantom() -> Scribe:
    """A seat, a building and a card that do not exist: the log keeps what was said, the audit says so."""
    scribe = opening()
    return scribe.play("@7 p12", "@1 >u3.1", anyway=True).play("@2 >a58.8 o4", anyway=True)


# --- the rulebook's own examples -----------------------------------------------------------------


@story
def rulebook_first_turn() -> Scribe:
    """Each player gets £2 in the first turn; the University gets a token."""
    return opening()


@story
def rulebook_place_beside_the_apprentice() -> Scribe:
    """Two gaps beside the Apprentice in a corner; nothing else is beside it."""
    scribe = Scribe("game-place").resync(
        "the rulebook's page",
        round=1,
        first=1,
        event="exchange",
        next_event="estate",
        market=market("apprentice", "mine-1", "crane", "-", "mine-2"),
        mats=(mat(1, phase=1), mat(2, phase=1), mat(3, phase=1)),
    )
    before = scribe.next - 1
    return scribe.play("p12").undo(before, "or the other one").play("p14")


@story
def rulebook_event_sells_spyrium() -> Scribe:
    """Red spends one Spyrium and gains £3."""
    return (
        Scribe("game-sell")
        .resync("the rulebook's page", round=2, first=2, event="exchange", next_event="estate", market=market("mine-1"))
        .play("@2 e n1")
    )


@story
def rulebook_mine_worth_five_pounds() -> Scribe:
    """Yellow chooses the Mine and gains £5: five workers are still around it."""
    return (
        Scribe("game-mine", seats=4)
        .resync(
            "the rulebook's page",
            round=2,
            first=3,
            event="exchange",
            next_event="estate",
            market=market("-", "residence-1", "-", "-", "mine-1", "-", "-", "miner:1"),
            workers=workers(g25="113", g45="2", g56="4", g58="4"),
            mats=(mat(1, active=1), mat(2, active=2), mat(3, active=2), mat(4, active=1)),
        )
        .play("g25.5")
    )


@story
def rulebook_apprentice_for_four_pounds() -> Scribe:
    """Black enters phase II and calls the Apprentice: £0 and £4 for the others, one Spyrium for three points."""
    return (
        Scribe("game-apprentice", seats=5)
        .resync(
            "the rulebook's page",
            round=1,
            first=5,
            event="estate",
            next_event="exchange",
            market=market("mine-1", "apprentice", "crane", "-", "workshop-1"),
            workers=workers(g12="51", g23="23", g25="4"),
            mats=(mat(5, phase=1, active=2, money=10), *(mat(seat, phase=1, active=2) for seat in (1, 2, 3, 4))),
        )
        .play(">a12.2")
    )


@story
def rulebook_factory_three_ways() -> Scribe:
    """£6 and £2 for two workers; £2 for a new space, or the Neighborhood's, or the Laboratory's and £3 less."""
    scribe = Scribe("game-factory").resync(
        "the rulebook's page",
        round=4,
        first=1,
        event="estate",
        next_event="exchange",
        market=market("-", "-", "-", "-", "factory-1"),
        workers=workers(g45="1", g56="2", g58="3"),
        mats=(mat(1, money=10, active=2, buildings=_buildings("neighbourhood-1", "laboratory-1")),),
    )
    before = scribe.next - 1
    scribe.play("a45.5").undo(before, "over the Neighborhood instead")
    return scribe.play("a45.5 o1").undo(before, "over the Laboratory instead").play("a45.5 o2")


@story
def rulebook_mine_both_ways() -> Scribe:
    """Green uses the Mine without a worker, or with one."""
    scribe = Scribe("game-green", seats=4).resync(
        "the rulebook's page",
        round=2,
        first=4,
        event="estate",
        next_event="exchange",
        market=market("mine-1"),
        mats=(mat(4, active=2, buildings=_buildings("mine-2")),),
    )
    before = scribe.next - 1
    return scribe.play("u1.1").undo(before, "or with a worker").play("u1.2")


@story
def rulebook_thirteen_and_seven_points() -> Scribe:
    """Blue scores 13 for buildings and 7 for Automation, with eight Spyrium."""
    done: dict[str, Any] = {"passed": True, "active": 3, "bonuses": ()}
    return (
        Scribe("game-thirteen", seats=2)
        .resync(
            "the rulebook's page",
            round=6,
            first=1,
            market=market(),
            mats=(
                mat(
                    1,
                    points=30,
                    spyrium=8,
                    techniques=("automation",),
                    buildings=_buildings("mansion", "laboratory-1", "mine-1"),
                    **done,
                ),
                mat(2, points=20, **done),
            ),
        )
        .play("final")
    )


@story
def rulebook_architect_twice() -> Scribe:
    """Red takes the token of value 1 and pays £1; the next pays £2; then the card cannot be called again."""
    scribe = Scribe("game-architect").resync(
        "the rulebook's page",
        round=2,
        first=2,
        event="exchange",
        next_event="estate",
        market=market("-", "architect:12"),
        workers=workers(g12="2", g23="3", g25="1"),
        mats=tuple(mat(seat, money=12, active=2, residence=2) for seat in (1, 2, 3)),
    )
    before = scribe.next - 1
    scribe.play("a12.2 t1 rm").undo(before, "or score three points").play("a12.2 t1 rs", "a23.2 t2 rm")
    return scribe.play("a25.2 t2 rm", anyway=True)


# --- every effect of every card ------------------------------------------------------------------

TOKEN_CARDS = {"mine-3": "2", "university-1": "3", "university-2": "1"}
CHARACTERS = {
    "miner:13": "t3",
    "geologist": "",
    "apprentice": "",
    "engineer": "",
    "bureaucrat:22": "t2",
    "adviser": "",
    "banker:12": "t2",
    "financier:31": "t1",
    "architect:12": "t1 rm",
}


def _before_card(scribe: Scribe, card: str, beside: str = "1", **own: Any) -> None:
    """Seat 1 beside one card, alone unless others are named, in phase II, with plenty of everything, no bonus left."""
    plenty: dict[str, Any] = {"money": 30, "spyrium": 9, "points": 0, "workers": 3, "active": 2, "residence": 2}
    bare: dict[str, Any] = {"buildings": (), "techniques": (), "tilted": (), "kept": (), "bonuses": ()}
    scribe.resync(
        f"the table for {card.partition(':')[0]}",
        round=4,
        first=1,
        last=0,
        event="estate",
        next_event="exchange",
        market=market(card),
        workers=workers(g12=beside),
        discard=(),
        mats=(mat(1, passed=False, bonus_due=False, **{**plenty, **bare, **own}),),
    )


@story
def every_character() -> Scribe:
    """Each character called upon once, by somebody alone beside it."""
    scribe = Scribe("game-characters", seats=2)
    for card, words in CHARACTERS.items():
        _before_card(scribe, card)
        scribe.play(f"a12.1 {words}".strip())
    return scribe


@story
def every_building() -> Scribe:
    """Each building constructed, then each of its effects used."""
    scribe = Scribe("game-buildings", seats=2)
    for card in BUILDINGS:
        token = TOKEN_CARDS.get(card)
        _before_card(scribe, f"{card}:{token}" if token else card)
        scribe.play("a12.1 rs" if card.startswith("residence") else "a12.1")
        for effect in range(1, len(USES.get(card, ())) + 1):
            _before_card(scribe, "mine-1", active=3, buildings=_buildings(card))
            scribe.play(f"u1.{effect}")
    return scribe


@story
def every_technique() -> Scribe:
    """Each technique patented, at work where it works, and counted at the end."""
    scribe = Scribe("game-techniques", seats=2)
    for card in ("automation", "capitalization", "engineering", "lobbying", "crane", "taylorism", "commerce"):
        _before_card(scribe, card)
        scribe.play("a12.1")
    _before_card(scribe, "mine-1", techniques=("automation",), active=0, buildings=_buildings("mine-3"))
    scribe.play("u1.2")
    _before_card(scribe, "mine-1", techniques=("capitalization",))
    scribe.play("g12.1")
    _before_card(scribe, "mine-1", techniques=("engineering",), active=3, buildings=_buildings("factory-1"))
    scribe.play("u1.2")
    _before_card(scribe, "mine-1", techniques=("lobbying",), beside="12")
    scribe.play("a12.1 lob")
    _before_card(scribe, "mine-1", techniques=("crane",), buildings=_buildings(*["palace"] * 4))
    scribe.play("a12.1")
    used = (BuildingAt(card="workshop-1", inclined=True, workers=1),)
    _before_card(scribe, "mine-1", techniques=("taylorism",), active=1, buildings=used)
    scribe.play("r1.1")
    _before_card(scribe, "banker:33", techniques=("commerce",))
    scribe.play("a12.1 t3 c1")
    everything = ("automation", "capitalization", "engineering", "lobbying", "crane", "taylorism", "commerce")
    scribe.resync(
        "the end",
        round=6,
        market=market(),
        workers=(),
        mats=(
            mat(1, passed=True, techniques=everything, kept=(1, 2, 3), buildings=_buildings("factory-1", "workshop-1")),
            mat(2, passed=True),
        ),
    )
    return scribe.play("final")


@story
def every_event() -> Scribe:
    """Each effect of each event card."""
    scribe = Scribe("game-events", seats=2)
    used = (BuildingAt(card="mine-2", inclined=True),)
    for event, token, words in (
        ("windfall", 2, "money"),
        ("windfall", 3, "spyrium"),
        ("windfall", 1, "points"),
        ("estate", None, "rm"),
        ("estate", None, "rs"),
        ("investment", None, "n1"),
        ("investment", None, "n2"),
        ("exchange", None, "n1"),
        ("exchange", None, "n2"),
        ("overtime", None, "u1.2"),
        ("recruitment", None, ""),
        ("latecomer", None, "p12"),
    ):
        _before_card(scribe, "mine-1", buildings=used)
        next_event = "exchange" if event == "estate" else "estate"
        scribe.resync(
            f"{event} is the turn's event",
            event=event,
            event_token=token,
            next_event=next_event,
            mats=(mat(1, used_event=False),),
        )
        scribe.play(f"e {words}".strip())
    return scribe


@story
def bonuses() -> Scribe:
    """Eight points and a choice, twenty and the other one by itself; both at once; a worker where seven are owned."""
    scribe = Scribe("game-bonuses", seats=2)
    both = ("worker", "money")
    _before_card(scribe, "adviser", points=6, bonuses=both)
    scribe.play("a12.1", "bw")
    _before_card(scribe, "adviser", points=18, bonuses=("money",))
    scribe.play("a12.1")
    _before_card(scribe, "mine-1", points=7, bonuses=both, active=3, buildings=_buildings("factory-2"))
    scribe.play("u1.2", "b5")
    _before_card(scribe, "adviser", points=18, workers=7, active=6, bonuses=("worker",))
    return scribe.play("a12.1")


# --- amendments ----------------------------------------------------------------------------------


def _building_site() -> Scribe:
    """Anna patents one of two techniques and then constructs six buildings; nobody else is left in the round."""
    return Scribe("game-amended", seats=2).resync(
        "the last turns of a round",
        round=4,
        first=1,
        event="estate",
        next_event="exchange",
        market=market(
            "crane", "engineering", "mine-1", "workshop-1", "mine-1", "mine-2", "workshop-2", "factory-1", "palace"
        ),
        workers=workers(g12="1", g36="12", g45="1", g56="1", g47="1", g58="1", g69="1"),
        mats=(
            mat(1, money=60, workers=7, active=0, bonuses=(), buildings=_buildings("mansion")),
            mat(2, active=0, passed=True),
        ),
    )


SIX_BUILDINGS = ("a36.3", "a45.4", "a56.5", "a69.6", "a47.7", "a58.8")


def _wrong_technique() -> Scribe:
    """The scribe wrote Engineering where Anna patented the Crane, and six prices were computed on top of that."""
    return _building_site().play("a12.2", *SIX_BUILDINGS)


def _crane_instead(scribe: Scribe) -> Replace[Any, Any, Any]:
    return Replace(at="2", event=scribe.told("1", "a12.1"))


@story
def amended_as_misplayed() -> Scribe:
    """Anna had the Crane all along and the table forgot it six times: what she paid stands, and six findings come."""
    scribe = _wrong_technique()
    return scribe.amend("misplayed", _crane_instead(scribe), why="the card before her is the Crane")


@story
def slip_carried_through() -> Scribe:
    """Only the scribe slipped: one edit puts it right, and six later prices with it. No finding is left."""
    scribe = _wrong_technique()
    return scribe.amend("misrecorded", _crane_instead(scribe), why="it was the Crane, and she paid with it")


@story
def seen_effect_kept() -> Scribe:
    """The same slip, but Bob had let Anna off his worker's £1: that was seen, and stays whatever is derived anew."""
    scribe = _building_site().play("a12.2")
    act = scribe.title.words.read(scribe.state, "a36.3")
    seen = Seen(who="Bob", why="he let her off")
    given = make_event_body(scribe.title, scribe.state, act).moved
    moved = [structs.replace(each, n=0, seen=seen) if each.why == "crowd" else each for each in given]
    scribe.act(act, moved=moved).play("a45.4")
    return scribe.amend("misrecorded", _crane_instead(scribe), why="it was the Crane")


@story
def amended_before_a_resync() -> Scribe:
    """What was laid open later holds, whatever an amendment says of the moves before it."""
    scribe = _building_site().play("a12.2", "a36.3", "a45.4")
    scribe.resync("we lost count and looked", mats=(mat(1, money=40, techniques=("crane",)),))
    scribe.play("a56.5")
    return scribe.amend("misrecorded", _crane_instead(scribe), why="it was the Crane")


@story
def doubled_move_dropped() -> Scribe:
    """Cleo's worker was typed twice; without the second one Bob paid for fewer neighbours."""
    scribe = opening().play("p12", "p45", "p45").play("@3 p45", anyway=True).play("p12", ">a45.5")
    return scribe.amend("misrecorded", Drop(at="5"), why="typed twice")


@story
def forgotten_move_inserted() -> Scribe:
    """Bob's worker was not typed; with it Cleo was in turn, and gained £1 more."""
    scribe = opening().play("p12").play("@3 p45", anyway=True).play("p12").play("@2 p25", ">g45.4")
    return scribe.amend("misrecorded", InsertAfter(at="2", event=scribe.told("2", "p45")), why="Bob went too")


@story
def insert_that_moves_the_bonus() -> Scribe:
    """A use of the Factory was forgotten: the eighth point came from there, and so did the choice it brought."""
    scribe = Scribe("game-bonus-moved", seats=2)
    own: dict[str, Any] = {"points": 6, "bonuses": ("worker", "money"), "buildings": _buildings("factory-1")}
    _before_card(scribe, "adviser", **own)
    scribe.resync("Bob is done", mats=(mat(2, active=0, passed=True),)).play("a12.1", "bw")
    return scribe.amend(
        "misrecorded",
        InsertAfter(at="2", event=scribe.told("2", "u1.1")),
        InsertAfter(at="2", event=scribe.told("3", "bw")),
        Drop(at="4"),
        why="she used the Factory first",
    )


@story
def amendment_undone_and_redone() -> Scribe:
    """Somebody doubts the amendment, and is convinced again; the game goes on from what then stands."""
    scribe = _building_site().play("a12.2", "a36.3")
    scribe.amend("misrecorded", _crane_instead(scribe), why="it was the Crane")
    return scribe.undo(3, "was it?").undo(4, "it was").play("a45.4")


@story
def correction_of_a_correction() -> Scribe:
    """A forgotten move is inserted, then put right by its name 5.1; what follows it is inserted after that name."""
    scribe = opening().play("p12").play("@3 p45", "@1 p12", anyway=True)
    scribe.amend("misplayed", InsertAfter(at="2", event=scribe.told("2", "p25")), why="Bob went too")
    scribe.amend("misplayed", Replace(at="5.1", event=scribe.told("2", "p12")), why="beside Anna, he says")
    return scribe.amend(
        "misplayed",
        InsertAfter(at="4", event=scribe.told("4", "p36")),
        Drop(at="3"),
        InsertAfter(at="5.1", event=scribe.told("5.1", "p45")),
        why="now everybody remembers",
    )


@story
def inserted_and_accepted() -> Scribe:
    """An inserted move breaks a rule, and the table lives with it: an acceptance names it too."""
    scribe = opening().play("p12", "p45", "p45", "p12")
    scribe.amend("misplayed", InsertAfter(at="5", event=scribe.told("5", "@3 p12")), why="Cleo was faster")
    return scribe.aside(Accepted, line=6, i=1, rule="turn.order", who="Bob", why="it made no difference")


# --- two logs ------------------------------------------------------------------------------------


@story
def two_recordings_merged() -> Scribe:
    """Anna and Bob both kept a record. He sat himself first, saw a worker that she missed, and read another price.

    The worker and the price are taken into hers; that he has Cleo in another gap is not, for there Anna was right.
    """
    hers = opening().play("p12").play("@3 p45", "@1 p36", anyway=True).play("@2 p25", "@3 p36", ">a12.1", anyway=True)
    his = Scribe("game-his", players=("Bobby", "Cleo", "Anna"), first=3).play(FIRST_DEAL)
    his.play("p12", "p12", "p56", "p36", "p25", "p36")
    act = his.title.words.read(his.state, ">a12.1")
    crowd = [each for each in make_event_body(his.title, his.state, act).moved if each.why == "crowd"]
    seen = Seen(who="Bob", why="the Mine was on offer")
    his.act(act, moved=[Posting(3, "money", -1, "price", seen), *crowd])
    a, b = hers.log(), his.log()
    hunks = compare_logs(a, b).hunks
    picks = [hunk for hunk in hunks if hunk.kind == "b" or hunk.what == "effects"]
    return hers.write(make_amendment(a, make_edits(a, b, picks), "misrecorded", by="scribe", why="Bob saw more"))


def read_values(log: Log) -> Iterator[Printed]:
    """The values read off components in a log; whoever wrote the line read them, if it does not say who."""
    for line in log.lines:
        if isinstance(line, ReadOff):
            day = line.at.date().isoformat() if line.at else ""
            yield structs.replace(line.value, by=line.value.by or line.by, at=line.value.at or day)


@story
def reading_taken_into_the_sheet() -> Scribe:
    """The price that was read in one game is in the sheet that the next one starts from: the Mine costs £3."""
    own = Sheet(name="ours", printed=()).with_readings(
        *read_values(read_bytes(STORIES["reading-of-a-price"](), "<bytes>"))
    )
    title = TITLES["spyrium"]
    scribe = Scribe("game-next", sheet=title.sheet().with_own_values(own))
    return scribe.play(FIRST_DEAL, "p12", "p45", "p45", ">a12.1")


# --- where a count went wrong --------------------------------------------------------------------


def _counted_round(seat: int, what: str, n: int) -> Scribe:
    """The first round, and then a count of the whole table in which one number is not what the log comes to."""
    scribe = opening().play(
        "p12", "p12", "p45", "p25", ">a12.2", "e n1", ">g12.2", "x", "p47", "a25.5", ">g45.4", "x", "a47.7 t3", "x"
    )
    held = [has for has in scribe.title.held(scribe.state) if has.who]
    off = [structs.replace(has, n=has.n + n) if (has.who, has.what) == (seat, what) else has for has in held]
    return scribe.act(Counted(held=tuple(off)))


def _put_right(scribe: Scribe, why: str) -> Scribe:
    """What is proposed first, written down: then the count agrees."""
    log = scribe.log()
    best = locate_slips(log, find_stretches(replay(log))[0], who="the table").proposals[0]
    return scribe.amend(best.mode, *best.edits, why=why)


@story
def located_missed_revenue() -> Scribe:
    """Bob has £2 less than the log says: he never took his revenue. A seen 0 says so, and is listed as ruled."""
    return _put_right(_counted_round(2, "money", -2), "Bob forgot his revenue")


@story
def located_wrong_price() -> Scribe:
    """Bob has £1 less: he paid £1 too much. Which part was reckoned wrong nobody knows, so the cause is `table`."""
    return _put_right(_counted_round(2, "money", -1), "Bob paid £3 for the Apprentice")


@story
def located_wrong_token() -> Scribe:
    """Cleo has 2 Spyrium less: the scribe wrote the Miner's other token, and what it brought with it."""
    return _put_right(_counted_round(3, "spyrium", -2), "she took the 1")


# --- options of S-11 -----------------------------------------------------------------------------


@story
def other_readings() -> Scribe:
    """A table that reads nearly everything the other way, and what that changes."""
    options = Options(
        engineering_scores="count",
        taylorism_scores="end-of-round",
        taylorism_action="chained",
        token_reshuffle="when-empty",
        event_effect="may-fizzle",
        character_effect="may-decline",
        replaced_workers="active",
        building_count="ever-built",
        crane_discount="whole-cost",
        commerce_limit="seven-points",
        commerce_event_token="taken",
        recruitment_count="one-per-pound",
        empty_gap_capitalization="nothing",
        bonus_in_final_scoring="yes",
        bonus_worker_at_seven="five-pounds",
    )
    scribe = Scribe("game-readings", seats=2, options=options)
    _before_card(scribe, "mine-1", techniques=("crane",), buildings=_buildings("palace"))
    scribe.play("a12.1")
    used = (BuildingAt(card="workshop-1", inclined=True, workers=1),)
    _before_card(scribe, "workshop-2", active=1, buildings=used)
    scribe.play("a12.1 o1")
    _before_card(scribe, "mine-1", techniques=("taylorism",), active=3, buildings=_buildings("workshop-1"))
    scribe.play("u1.1.1")
    _before_card(scribe, "apprentice")
    scribe.play("a12.1 no")
    _before_card(scribe, "-", techniques=("capitalization",))
    scribe.play("g12")
    _before_card(scribe, "adviser", points=18, workers=7, active=6, bonuses=("worker",))
    scribe.play("a12.1")
    _before_card(scribe, "banker:22", techniques=("commerce",), kept=(1,) * 7)
    scribe.play("a12.1 t2")
    for event, token, words in (("windfall", 2, "money c3"), ("recruitment", None, ""), ("estate", None, "no")):
        _before_card(scribe, "mine-1", techniques=("commerce",))
        next_event = "investment" if event == "estate" else "exchange"
        scribe.resync(
            f"{event} is the turn's event",
            event=event,
            event_token=token,
            next_event=next_event,
            mats=(mat(1, used_event=False),),
        )
        scribe.play(f"e {words}".strip())
    scribe.resync(
        "the end of a round",
        round=4,
        event="recruitment",
        next_event="overtime",
        market=market(),
        workers=(),
        mats=(
            mat(
                1, passed=True, techniques=("taylorism", "engineering"), buildings=_buildings("factory-1", "workshop-1")
            ),
            mat(
                2,
                passed=True,
                points=6,
                bonuses=("worker", "money"),
                bonus_due=False,
                buildings=_buildings("luxury-home"),
            ),
        ),
    )
    scribe.play(
        "deal overtime latecomer factory-1 factory-1 workshop-2 mine-3:1 mansion engineer adviser residence-2 geologist"
    )
    scribe.resync("the end", round=6, market=market(), workers=(), mats=(mat(1, passed=True), mat(2, passed=True)))
    return scribe.play("final", "b5")


@story
def taylorism_either_way() -> Scribe:
    """One table lets Taylorism be chained or be an action of its own."""
    scribe = Scribe("game-taylorism", seats=2, options=Options(taylorism_action="either"))
    _before_card(scribe, "mine-1", techniques=("taylorism",), active=3, buildings=_buildings("workshop-1"))
    scribe.play("u1.1.1")
    used = (BuildingAt(card="workshop-1", inclined=True, workers=1),)
    _before_card(scribe, "mine-1", techniques=("taylorism",), active=1, buildings=used)
    return scribe.play("r1.1")


@story
def bonus_at_once() -> Scribe:
    """A bonus in the middle of an act, whose worker the act still needs; and one after a corrected score, unasked."""
    scribe = Scribe("game-bonus-at-once", seats=2, options=Options(taylorism_action="either"))
    own: dict[str, Any] = {"techniques": ("taylorism",), "active": 1, "buildings": _buildings("workshop-1")}
    _before_card(scribe, "mine-1", points=6, bonuses=("worker", "money"), **own)
    scribe.play("u1.1.1")
    _before_card(scribe, "mine-1", points=6, bonuses=("worker", "money"))
    act = Adjusted(who="the table", why="a token of the University was forgotten")
    scribe.act(act, moved=[Posting(1, "points", 3, "adjusted", Seen(who="the table", why="it lay there"))])
    return scribe.play("b5", "a12.1")


@story
def residence_declined() -> Scribe:
    """A table where a residence action may be declined, and the Crane counts every building that was ever built."""
    options = Options(crane_scores="built", residence_action="may-decline")
    scribe = Scribe("game-residence", seats=2, options=options)
    _before_card(scribe, "residence-1", buildings=_buildings("mine-1"))
    scribe.play("a12.1 o1 rk")
    _before_card(scribe, "architect:1")
    scribe.play("a12.1 t1 rk")
    _before_card(scribe, "mine-1")
    scribe.play("e rk")
    _before_card(scribe, "mine-1", techniques=("crane",), buildings=_buildings("workshop-1"))
    scribe.play("a12.1 o1")
    scribe.resync("the end", round=6, market=market(), workers=(), mats=(mat(1, passed=True), mat(2, passed=True)))
    return scribe.play("final")


# --- whole games ---------------------------------------------------------------------------------


def whole_game(seats: int) -> Callable[[], bytes]:
    return lambda: raw_of(greedy_game(40 + seats, seats))


STORIES.update({f"whole-game-{seats}-players": whole_game(seats) for seats in (2, 3, 4, 5)})


# --- all titles ----------------------------------------------------------------------------------

TITLES_WITH_STORIES = (STORIES, founders.STORIES)


def main(names: list[str]) -> None:
    for name in names:
        if not any(name in stories for stories in TITLES_WITH_STORIES):
            sys.exit(f"expected the name of a story, found {name!r}")
    for stories in TITLES_WITH_STORIES:
        stories.write([name for name in stories if not names or name in names])


if __name__ == "__main__":
    main(sys.argv[1:])
