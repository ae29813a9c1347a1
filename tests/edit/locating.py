"""How often the localiser finds a slip. `python -m tests.edit.locating 35 7` makes 35 of each kind, from seed 7.

A slip is made on a true game, by modules that know nothing of the search (`slips`, `tired_scribe`): the table goes on
from what it really has, the scribe's tool works out every amount from what he wrote, and what is counted at the end of
each round is true. The search sees the record. Each seed has games of its own. Names of kinds may follow: only these.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

from spyrium_log.edit.amend import make_amendment
from spyrium_log.edit.locate import Located, Proposal, find_stretches, locate_slips
from spyrium_log.edit.slip import Stretch
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Counted
from tests.edit.slips import KINDS, Made, Slip, happened, slip
from tests.edit.tired_scribe import MORE_KINDS

ALL_KINDS: Mapping[str, Made] = MappingProxyType({**KINDS, **MORE_KINDS})

FIRST, AMONG_THREE, OF_A_KIND = 0.80, 0.95, 0.80
# Seeds of one run; the next thousand has other games.
RUN = 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """What place the true slip has among the proposals (0: none), and what the search for it was.

    `is_itself`: it is what the proposal would write, and not one of those that are like it.
    """

    slip: Slip
    stretch: Stretch
    place: int
    is_itself: bool
    result: Located

    @property
    def proposals(self) -> Sequence[Proposal]:
        return self.result.proposals


def found(slipped: Slip, *, whole: bool = True) -> Found:
    """The first stretch of a record, searched; `whole`: when the game was over, else as soon as it was counted."""
    log = slipped.record
    done = replay(log)
    stretch = find_stretches(done)[0]
    if not whole:
        log = dataclasses.replace(log, lines=log.lines[: int(stretch.until) + 1])
    result = locate_slips(log, stretch)
    counts = counts_until(done, stretch.until)
    true = happened(slipped.true, counts)
    for place, proposal in enumerate(result.proposals, 1):
        for edits in (proposal.edits, *proposal.alike):
            if happened(edited(log, proposal, edits), counts) == true:
                return Found(slipped, stretch, place, edits is proposal.edits, result)
    return Found(slipped, stretch, 0, False, result)  # noqa: FBT003 - fields, in their order


def edited(log: Log, proposal: Proposal, edits: Sequence[AnyEdit]) -> Log:
    line = make_amendment(log, edits, proposal.mode, by="x", why="")
    return dataclasses.replace(log, lines=[*log.lines, line])


def counts_until(done: Replay, ref: str) -> int:
    return sum(isinstance(event.do, Counted) for event in done.events[: done.index_of(ref)])


# --- what is printed -----------------------------------------------------------------------------


class Shares(NamedTuple):
    first: float
    among_three: float


HEAD = ("slip", "tried", "first", "itself", "in three", "not found", "slips tried: median", "worst", "cut off")


def summed(name: str, cases: Sequence[Found]) -> Shares:
    """One line: of these slips the share found first, first and itself, among three; and how long it took."""
    tried = [each.result.tried for each in cases]
    first = sum(each.place == 1 for each in cases) / len(cases)
    itself = sum(each.place == 1 and each.is_itself for each in cases) / len(cases)
    three = sum(0 < each.place <= 3 for each in cases) / len(cases)
    none = sum(not each.place for each in cases)
    cut = sum(each.result.is_cut for each in cases)
    print(
        f"{name:<22}{len(cases):>7}{first:>7.0%}{itself:>8.0%}{three:>10.0%}{none:>11}{median(tried):>21,.0f}"
        f"{max(tried):>7,}{cut:>9}",
        flush=True,
    )
    return Shares(first, three)


def main(many: int = 35, seed: int = 0, *some: str) -> int:
    made: Counter[str] = Counter()
    cases: list[Found] = []
    kinds: dict[str, Shares] = {}
    print(f"{HEAD[0]:<22}{''.join(f'{word:>{len(word) + 2}}' for word in HEAD[1:])}")
    for kind in some or ALL_KINDS:
        how = ALL_KINDS[kind]
        own = [found(slip(kind, seed * RUN + number, made, how)) for number in range(many)]
        cases += own
        if own:
            kinds[kind] = summed(kind, own)
    if not cases:
        print("nothing was tried")
        return 1
    every = summed("all", cases)
    print("games with a slip made until one left no finding but the count:", dict(made))
    ok = every.first >= FIRST and every.among_three >= AMONG_THREE
    ok &= all(shares.among_three >= OF_A_KIND for shares in kinds.values())
    print("within bounds" if ok else "out of bounds")
    return 0 if ok else 1


if __name__ == "__main__":
    said = sys.argv[1:]
    sys.exit(main(int(said[0]) if said else 35, int(said[1]) if len(said) > 1 else 0, *said[2:]))
