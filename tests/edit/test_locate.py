"""Where a count went wrong. `python -m tests.edit.test_locate 500` tries so many games and says what was found."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from spyrium_log.edit.amend import amendment
from spyrium_log.edit.locate import Proposal, located, stretches
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Counted
from tests.edit.slips import KINDS, Slip, happened, slip

FIRST, TOP_THREE, RATIO = 0.70, 0.90, 500


@dataclass(frozen=True, slots=True)
class Found:
    """What place the true slip has among the proposals (0: none), and what the search cost in audits of its game."""

    slip: Slip
    place: int
    ratio: float
    proposals: Sequence[Proposal]


def edited(log: Log, proposal: Proposal, edits: Sequence[AnyEdit]) -> Log:
    line = amendment(log, edits, proposal.mode, by="x", why="")
    return dataclasses.replace(log, lines=[*log.lines, line])


def counts_until(done: Replay, ref: str) -> int:
    return sum(isinstance(event.do, Counted) for event in done.events[: done.index_of(ref)])


def timed(do: Callable[[], object]) -> float:
    """Of the processor, not of the clock: others use the machine too."""
    began = time.process_time()
    do()
    return time.process_time() - began


def found(slipped: Slip, *, whole: bool = True) -> Found:
    """The first stretch of a record, searched; `whole`: when the game was over, else as soon as it was counted."""
    log = slipped.record
    audit = min(timed(lambda: replay(log)) for _ in range(3))
    done = replay(log)
    stretch = stretches(done)[0]
    if not whole:
        log = dataclasses.replace(log, lines=log.lines[: int(stretch.until) + 1])
    proposals: list[Proposal] = []
    ratio = timed(lambda: proposals.extend(located(log, stretch))) / audit
    counts = counts_until(done, stretch.until)
    true = happened(slipped.true, counts)
    for place, proposal in enumerate(proposals, 1):
        for edits in (proposal.edits, *proposal.alike):
            if happened(edited(log, proposal, edits), counts) == true:
                return Found(slipped, place, ratio, proposals)
    return Found(slipped, 0, ratio, proposals)


# --- the long run --------------------------------------------------------------------------------


def summed(cases: Sequence[Found]) -> tuple[float, float, float]:
    """Prints a line a kind of slip; the shares found first and among the first three, and the median of the ratios.

    `sole`: first, and no other edit is like it. `alike`: how many edits the right proposal stands for, in the median.
    """
    print(f"{'slip':<18}{'n':>5}{'first':>8}{'sole':>8}{'in 3':>8}{'none':>6}{'alike':>7}{'median':>9}{'worst':>8}")
    for kind in KINDS:
        line(kind, [each for each in cases if each.slip.kind == kind])
    return line("all", cases)


def line(name: str, cases: Sequence[Found]) -> tuple[float, float, float]:
    if not cases:
        return 0, 0, 0
    first = sum(each.place == 1 for each in cases) / len(cases)
    sole = sum(each.place == 1 and not each.proposals[0].alike for each in cases) / len(cases)
    three = sum(0 < each.place <= 3 for each in cases) / len(cases)
    none = sum(each.place == 0 for each in cases)
    alike = [len(each.proposals[each.place - 1].alike) + 1 for each in cases if each.place]
    ratios = [each.ratio for each in cases]
    print(
        f"{name:<18}{len(cases):>5}{first:>8.1%}{sole:>8.1%}{three:>8.1%}{none:>6}{median(alike or [0]):>7.0f}"
        f"{median(ratios):>9.0f}{max(ratios):>8.0f}"
    )
    return first, three, median(ratios)


def main(games: int = 500, seed: int = 0) -> int:
    tried: Counter[str] = Counter()
    kinds = list(KINDS)
    slips = [slip(kinds[n % len(kinds)], seed + n // len(kinds), tried) for n in range(games)]
    print("tried until a slip left no finding but the count:", dict(tried))
    ok = True
    for whole in (True, False):
        print("the game over, counted each round" if whole else "as soon as a count disagrees")
        first, three, ratio = summed([found(each, whole=whole) for each in slips])
        ok &= first >= FIRST and three >= TOP_THREE and ratio <= RATIO
    print("within bounds" if ok else "out of bounds")
    return 0 if ok and slips else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
