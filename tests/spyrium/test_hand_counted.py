"""Positions whose legal decisions were counted on paper, from the text of the rules.

Every count says how it was made. Gaps: 12 in all; in GRID, spaces 5, 7 and 8 are empty, so 58 and 78 are no gaps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.options import Options
from tests.scribe import market, mat, workers
from tests.spyrium.corpus import At, at, buildings, on_event, you

CHAINED = Options(taylorism_action="chained")
EITHER = Options(taylorism_action="either")
LOOSE = Options(event_effect="may-fizzle", character_effect="may-decline")
FULL = market("mine-1", "apprentice", "crane", "geologist", "mansion", "mine-2", "adviser", "workshop-1", "luxury-home")
BUSY: dict[str, Any] = {"used_event": True}


class Counted(NamedTuple):
    """`exactly` where the whole set is written down."""

    name: str
    at: At
    n: int
    exactly: str = ""


POSITIONS = (
    # 12 gaps; the exchange of one Spyrium (three are not there); entering: the same exchange, or a pass.
    # 12 + 1 + 2
    Counted("the first turn of a round", at(you(phase=1, active=3), market=FULL, workers=()), 15),
    # 12 - 2 gaps between two empty spaces; the event one way; entering: money with the Mine or the Apprentice, the
    # Mine (£2), the Apprentice (one Spyrium), the event. No pass: a worker is in the market. 10 + 1 + 2 + 2 + 1
    Counted("phase I with a worker placed", at(you(phase=1)), 16),
    # The Mine costs £2 and there is no money; the rest of the same in phase II.
    Counted("phase II without money", at(you(money=0)), 4, "g12.1 | g12.2 | a12.2 | e n1"),
    # The Mine of £3 and £1 for the crowd: a new site is £3 more, £7 > £4; over the old Mine £3 less = £1, over the
    # Workshop or the Mansion £4: 3. Money with the Mine 1. The Workshop used 1 (the old Mine is inclined, the Mansion
    # does nothing). The exchange of one 1. 3 + 1 + 1 + 1
    Counted(
        "over three buildings, not on a new site",
        at(
            you(money=4, buildings=buildings("mine-1/1", "workshop-1", "mansion")),
            market=market("mine-2"),
            workers=workers(g12="12"),
        ),
        6,
    ),
    # The Laboratory of £6, £5 there: over the Workshop (factory), the University (research), the old Laboratory
    # (both, once) £3; over the Mine £6 no, a new site £10 no: 3. Money 1. Used: Workshop, University, Mine 3.
    Counted(
        "three symbols shared, one not",
        at(
            you(money=5, buildings=buildings("workshop-1", "university-1", "laboratory-1/1", "mine-1"), **BUSY),
            market=market("laboratory-2"),
        ),
        7,
    ),
    # The Miner's tokens 1 and 3 are two values, though three tokens: 2. The Banker: £1 and the token, £3 there: 2 yes,
    # 3 no: 1. Money with either 2.
    Counted(
        "tokens of the same value count once",
        at(you(money=3, **BUSY), seats=4, market=market("miner:113", "banker:23")),
        5,
        "g12.1 | g12.2 | a12.1 t1 | a12.1 t3 | a12.2 t2",
    ),
    # The Miner: 2 tokens, each as it is or made 1, 2, 3: 8. The Banker with £3: token 2 as it is, made 1, made 2; token
    # 3 made 1, made 2: 5. Money 2.
    Counted(
        "Commerce",
        at(you(money=3, techniques=("commerce",), **BUSY), seats=4, market=market("miner:113", "banker:23")),
        15,
    ),
    # Two others around both cards. The Mine: £4 > £3, with Lobbying £2: 1. The Apprentice: £2, or £0 with it: 2.
    # Money 2.
    Counted("Lobbying", at(you(money=3, techniques=("lobbying",), **BUSY), workers=workers(g12="122")), 5),
    # The Bureaucrat: 2 tokens x (as it is, 1, 2, 3) x (Lobbying or not), all within £8: 16. Money 1.
    Counted(
        "Lobbying and Commerce",
        at(you(techniques=("lobbying", "commerce"), **BUSY), market=market("bureaucrat:12")),
        17,
    ),
    # The windfall 3 kinds x (as it is, 1, 2, 3) = 12 in phase I and 12 entering; 4 gaps around the only card; a pass
    # entering. 12 + 12 + 4 + 1
    Counted(
        "the windfall with Commerce in phase I",
        on_event(
            "windfall", you(phase=1, techniques=("commerce",)), market=market("-", "-", "-", "-", "mine-1"), workers=()
        ),
        29,
    ),
    # The end of the track leaves scoring: 1. The Mine used without or with a worker 2. A pass 1.
    Counted(
        "the estate at the end of the track",
        on_event("estate", you(residence=5, buildings=buildings("mine-2")), workers=()),
        4,
    ),
    # Overtime, the last £1: the Mine's two effects, the Workshop's one: 3. Taylorism the same: 3. The upright Factory:
    # one worker and two Spyrium, or two and three: 2. A pass 1.
    Counted(
        "overtime and Taylorism",
        on_event(
            "overtime",
            you(
                money=1,
                spyrium=3,
                techniques=("taylorism",),
                buildings=buildings("mine-2/", "workshop-1/1", "factory-1"),
            ),
            workers=(),
        ),
        9,
    ),
    # Seven workers are all there are: no event. 12 gaps and, entering, a pass.
    Counted(
        "recruitment with seven workers",
        on_event("recruitment", you(phase=1, workers=7, active=7, money=30), market=FULL, workers=()),
        13,
    ),
    # 10 gaps in phase I; entering: the latecomer into 10 gaps, or the worker between two empty spaces gains nothing.
    Counted(
        "the latecomer, a worker between two empty spaces",
        on_event("latecomer", you(phase=1, active=1), workers=workers(g58="1")),
        21,
    ),
    # Nothing but the bonus, whoever is to act; both kinds, though all seven workers are owned.
    Counted(
        "a bonus is due for the third seat",
        at(you(), mat(3, points=9, workers=7, active=7, bonus_due=True)),
        2,
        "bw | b5",
    ),
    # The bonus that is left.
    Counted("one kind of bonus is left", at(you(points=9, bonus_due=True, bonuses=("money",))), 1, "b5"),
    # The Mine of £2 with the Crane: the fifth site costs £4 - £3: £3 in all, just there; over each of four buildings
    # £2: 4. Money 1. None of the four does anything.
    Counted(
        "the Crane on the fifth site",
        at(
            you(
                money=3,
                techniques=("crane",),
                buildings=buildings("luxury-home", "palace", "mansion", "residence-1"),
                **BUSY,
            ),
            market=market("mine-1"),
        ),
        6,
    ),
    # The Residence of £3, £4 there: a third site is £2 more, no; over the Mine or the Palace, moving or scoring: 4.
    # Money 1. The Mine used 1.
    Counted(
        "a Residence over two buildings",
        at(you(money=4, buildings=buildings("mine-1", "palace"), **BUSY), market=market("residence-1")),
        6,
    ),
    # The Architect's two tokens, scoring only at the end of the track: 2. Money 1.
    Counted("the Architect at the end of the track", at(you(residence=5, **BUSY), market=market("architect:12")), 3),
    # The Mine's two effects; chained 1 and 1, 1 and 2, 2 and 1, 2 and 2 (two workers): 4. A pass 1.
    Counted(
        "Taylorism chained",
        at(you(techniques=("taylorism",), buildings=buildings("mine-2"), **BUSY), options=CHAINED, workers=()),
        7,
    ),
    # With one worker: two effects; chained all but 2 and 2: 3; the inclined Workshop reused 1; a pass 1.
    Counted(
        "Taylorism either way",
        at(
            you(active=1, techniques=("taylorism",), buildings=buildings("mine-2", "workshop-1/1"), **BUSY),
            options=EITHER,
            workers=(),
        ),
        7,
    ),
    # The exchange of one, or the event without effect: 2. The Apprentice with or without effect: 2. The Mine 1 (a
    # building is not declined). Money 2.
    Counted("effects that may be declined", at(you(), options=LOOSE), 7),
    # Money: gap 12 with 1 or 2, gap 23 with 2 or 3: 4, however many workers stand in a gap. The Mine £2 + £1, the
    # Apprentice from either gap £2, the Crane £4: 4, each within £8. The exchange of one 1.
    Counted("three workers of one's own", at(you(active=0), workers=workers(g12="11", g23="1")), 9),
    # 10 gaps; the exchange of one; entering: that, the Mine's two effects, a pass.
    Counted(
        "a building used while entering", at(you(phase=1, active=1, buildings=buildings("mine-2")), workers=()), 15
    ),
    # Two workers for six points need both, one for three: 2; a pass 1. Automation helps Mines only.
    Counted(
        "a University and Automation",
        at(you(techniques=("automation",), buildings=buildings("university-2"), **BUSY), workers=()),
        3,
    ),
    # Without an active worker, Automation lets the Mine have both effects, the University none: 2. A pass 1.
    Counted(
        "Automation without a worker",
        at(
            you(active=0, techniques=("automation",), buildings=buildings("mine-3", "university-2"), **BUSY), workers=()
        ),
        3,
    ),
)


@pytest.mark.parametrize("position", POSITIONS, ids=[position.name for position in POSITIONS])
def test_counted_by_hand(position: Counted) -> None:
    state = position.at.state()
    legal = SPYRIUM.legal(state)
    assert len(set(legal)) == len(legal) == position.n
    if position.exactly:
        assert {SPYRIUM.words.write(state, act) for act in legal} == set(position.exactly.split(" | "))
