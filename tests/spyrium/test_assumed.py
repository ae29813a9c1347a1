"""No assumed printed value refuses a move: whatever is refused stays so under every other value of what is assumed.

And the other way round: a breach on the sheet goes once the values that it names are printed as it says.
`python -m tests.spyrium.test_assumed 100000` runs the long campaign and prints what it has tried.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec import structs

from spyrium_log.errors import Breach
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.cards import MARKET, USES, read_printed
from spyrium_log.titles.spyrium.legal import list_activations
from spyrium_log.titles.spyrium.moves import (
    DECISIONS,
    GAPS,
    Act,
    GainMoney,
    PlaceWorker,
    ReuseBuilding,
    RoundDealt,
    UseBuilding,
)
from spyrium_log.titles.spyrium.rules.market import has_worker
from spyrium_log.titles.spyrium.state import GAPS_AROUND, State
from tests.games import draw_options, moves, start
from tests.shares import part
from tests.spyrium.test_altered import altered

MOVES = 100_000
IN_CI = 10
SYMBOLS = ("", "mine", "factory", "research", "factory+research")
# Positions of one game that are looked at, one in so many.
EVERY = 6
# Of the hundreds of altered acts at a position.
ALTERED = 60
OTHER_SHEETS = 4


def list_acts_to_try(state: State) -> list[Any]:
    """What somebody may do at the market and with buildings, legal or not: also from gaps without a worker."""
    awaited = SPYRIUM.awaits(state)
    if awaited.kind != "decision":
        return []
    seat = awaited.seat
    mat = state.mats[seat]
    enter = mat.phase == 1
    acts: list[Any] = []
    if enter:
        gaps = [gap for gap in GAPS if mat.active or not has_worker(state, seat, gap)]
        acts += [PlaceWorker(seat=seat, gap=gap) for gap in gaps]
    for space in range(1, MARKET + 1):
        own_gaps = [gap for gap in GAPS_AROUND[space] if has_worker(state, seat, gap)]
        for gap in own_gaps or GAPS_AROUND[space]:
            acts.append(GainMoney(seat=seat, gap=gap, space=space, enter=enter))
            acts += list_activations(state, seat, gap, space, enter=enter)
    for slot, built in enumerate(mat.buildings, 1):
        for effect in range(1, len(USES.get(built.card, ())) + 1):
            acts.append(UseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
            acts.append(ReuseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
    return acts


@dataclass
class Tally:
    """What was tried, and what went against the law."""

    tried: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def draw_sheet(rng: random.Random) -> Sheet:
    """The sheet that ships, with any part of its values assumed and the others read."""
    share = rng.random()
    rows = SPYRIUM.sheet().printed
    return Sheet(
        name="drawn",
        printed=tuple(structs.replace(row, source="assumed" if rng.random() < share else "read") for row in rows),
    )


def draw_other_values(sheet: Sheet, rng: random.Random) -> Sheet:
    """The same sheet with other values for what is assumed; where the end of the track is, with a longer one."""
    rows = [_draw_other_value(row, rng) if row.source == "assumed" else row for row in sheet.printed]
    track = [row for row in sheet.printed if row.of == "residence-track"]
    if track[-1].source == "assumed":
        new = range(len(track) + 1, len(track) + 1 + rng.randint(0, 3))
        rows += [Printed("residence-track", f"space-{step}", rng.randint(2, 20), "assumed") for step in new]
    return Sheet(name="other", printed=tuple(rows))


def _draw_other_value(row: Printed, rng: random.Random) -> Printed:
    """The value as it might be printed: a number that no certain fact rules out, a symbol, a token or none."""
    if row.what == "token":
        return structs.replace(row, value=rng.choice(("yes", "no")))
    if row.what == "symbols":
        return structs.replace(row, value=rng.choice(SYMBOLS))
    return structs.replace(row, value=rng.choice((0, 1, 2, 3, 5, 8, 13)))


def breaches_on(state: State, sheet: Sheet, act: Act) -> list[Breach]:
    """What speaks against an act on the same table, with another sheet."""
    table = state.copy()
    table.printed = read_printed(sheet)
    return list(SPYRIUM.breaches(table, act))


def check(tally: Tally, state: State, sheet: Sheet, others: Sequence[Sheet], act: Act) -> None:
    """Both directions, for one act on one table; the `others` differ from the sheet in what is assumed."""
    breaches = breaches_on(state, sheet, act)
    tally.tried["moves"] += 1
    if any(breach.on == "record" for breach in breaches):
        tally.tried["moves that are refused"] += 1
        for other in others:
            # nobody vouches for more than before: what stands on the sheet there could go, too
            if not breaches_on(state, other, act):
                tally.wrong.append(f"refused for what is assumed: {act}: {breaches}")
    for breach in breaches:
        tally.tried[f"on the {breach.on}: {breach.rule}"] += 1
        likely = [value for value in breach.unchecked if value.likely is not None]
        if likely:
            read = [Printed(value.of, value.what, value.likely or 0, "read") for value in likely]
            left = breaches_on(state, sheet.with_readings(*read), act)
            if any(other.rule == breach.rule for other in left):
                tally.wrong.append(f"still broken once it is printed so: {act}: {breach}")


@cache
def campaign(n: int, seed: int = 1) -> Tally:
    """Random games on random sheets, until so many moves were tried: acts with a field altered, and deals."""
    tally = Tally()
    number = seed
    while tally.tried["moves"] < n:
        rng = random.Random(number)
        sheet = draw_sheet(rng)
        play = start(SPYRIUM, number, options=draw_options(SPYRIUM.options, rng))
        tally.tried["games"] += 1
        for position, act in enumerate(moves(play, number)):
            if position % EVERY and not isinstance(act, RoundDealt):
                continue
            state = play.state.copy()
            others = [draw_other_values(sheet, rng) for _ in range(OTHER_SHEETS)]
            if isinstance(act, RoundDealt):
                # by another sheet the deal may have too many copies, or tokens
                for other in others:
                    check(tally, state, other, [draw_other_values(other, rng)], act)
            elif isinstance(act, DECISIONS):
                # little money, and the end of the track: what printed values decide
                state.mats[act.seat].money = min(state.mats[act.seat].money, rng.randint(0, 6))
                state.mats[act.seat].residence = rng.choice((1, 4, 5, 6))
                acts: list[Any] = [*list_acts_to_try(state), act]
                acts += [other for each in rng.sample(acts, min(4, len(acts))) for other in altered(each)]
                for tried in rng.sample(acts, min(ALTERED, len(acts))):
                    check(tally, state, sheet, others, tried)
        number += 1
    return tally


def test_what_is_assumed_neither_refuses_a_move_nor_stays_in_the_way() -> None:
    tally = campaign(part(MOVES, IN_CI))
    assert not tally.wrong
    rules = {"activate.money", "residence.choice", "cards.deck", "character.token", "market.tokens", "choice.stray"}
    tried = {name.removeprefix("on the sheet: ") for name in tally.tried if name.startswith("on the sheet: ")}
    assert tried == rules
    assert tally.tried["moves that are refused"] > tally.tried["moves"] / 4


def main(moves_: int) -> int:
    begun = time.perf_counter()
    tally = campaign(moves_)
    for name, n in sorted(tally.tried.items()):
        print(f"{n:10,}  {name}")
    print(f"{len(tally.wrong)} against the law, in {time.perf_counter() - begun:.0f} s")
    for line in tally.wrong[:20]:
        print(line)
    return bool(tally.wrong) or not tally.tried["moves"]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES))
