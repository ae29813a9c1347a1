"""Two recordings that differ in so many entries. `python -m tests.edit.planted 500 3` compares 500 pairs, from seed 3.

One scribe wrote down what happened; the other slipped so many times, and his tool worked out every amount from what he
had. As many differences are to be told, and whatever else is not the same only follows from them.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from spyrium_log.edit.compare import Hunk, compare_logs
from spyrium_log.log.codec import Log
from spyrium_log.replay import replay
from spyrium_log.title import Posting
from tests.edit.slips import GAMES, acts_of, base, written
from tests.edit.test_compare import recorded_by, turned
from tests.edit.tired_scribe import Act, wrong_gap
from tests.games import log_of
from tests.greedy import SPYRIUM

MOST = 3
# So far apart no two slips are one.
APART = 12
SHARE = 0.97


class Planted(NamedTuple):
    """Two recordings, and in how many entries the second scribe slipped."""

    true: Log
    wrong: Log
    slips: int


def planted(seed: int) -> Planted | None:
    """One to three slips in one game; every fourth time one worker in a wrong gap, and used from there."""
    rng = random.Random(f"planted {seed}")
    number = seed // 1_000 * GAMES + rng.randrange(GAMES)
    if seed % 4 == 0:
        made = wrong_gap(number, rng)
        return None if made is None else Planted(log_of(SPYRIUM, made[0]), made[1], 1)
    true = base(number)
    acts = acts_of(true.lines)
    done = replay(true, audit=False)
    wrong: list[Act | None] = list(acts)
    places = _spread(len(acts), rng.randint(1, MOST), rng)
    for place in places:
        wrong[place] = _slipped(acts[place], SPYRIUM.legal(done.state_at(place)), rng)
    if any(wrong[place] == acts[place] for place in places):
        return None
    return Planted(true, written(true.lines, [act for act in wrong if act is not None]), len(places))


def _spread(many: int, slips: int, rng: random.Random) -> list[int]:
    """Places that lie so far apart that no two slips are one."""
    places: list[int] = []
    for place in rng.sample(range(1, many - 1), many - 2):
        if len(places) < slips and all(abs(place - other) >= APART for other in places):
            places.append(place)
    return sorted(places)


def _slipped(act: Act, legal: Sequence[Any], rng: random.Random) -> Act | None:
    """The entry left out, another choice of its kind, or an amount that was ruled."""
    do, moved = act
    others = [other for other in legal if type(other) is type(do) and other != do]
    how = rng.choice(("left out", "other", "ruled"))
    if not isinstance(do, SPYRIUM.wire.decision) or (how == "other" and not others):
        return act
    if how == "left out":
        return None
    if how == "other":
        return rng.choice(others), moved
    return do, (*moved, Posting(do.seat, "money", rng.choice((-1, 1)), "table"))


def told(case: Planted, seed: int) -> tuple[list[Hunk], list[Hunk]]:
    """The differences that stand on their own, and those that only follow, whoever's recording comes first."""
    done = replay(case.true, audit=False)
    seats = turned(len(done.header.seats), seed % len(done.header.seats))
    too = recorded_by(done.header, done.events, seats, SPYRIUM)
    one, other = (too, case.wrong) if seed % 2 else (case.wrong, too)
    differing = [hunk for hunk in compare_logs(one, other).hunks if hunk.kind != "same"]
    return [hunk for hunk in differing if not hunk.follows_from], [hunk for hunk in differing if hunk.follows_from]


def main(many: int = 500, seed: int = 0) -> int:
    counts: Counter[str] = Counter()
    right: Counter[int] = Counter()
    tried: Counter[int] = Counter()
    for number in range(many):
        case = planted(seed * 1_000 + number)
        if case is None:
            counts["no occasion"] += 1
            continue
        own, follow = told(case, number)
        tried[case.slips] += 1
        right[case.slips] += len(own) == case.slips
        counts["hunks"] += len(own) + len(follow)
        counts["of their own"] += len(own)
        counts["planted"] += case.slips
    for slips, n in sorted(tried.items()):
        print(f"{slips} planted: {n:,} pairs, told as {slips}: {right[slips] / n:.1%}")
    print(dict(counts))
    return 0 if tried and right.total() >= SHARE * tried.total() else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
