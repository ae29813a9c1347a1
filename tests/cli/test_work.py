"""What a command does grows with the lines of a log, of whatever kind they are: work is counted, never seconds.

`python -m tests.cli.test_work N` measures N of all pairs of a command and a kind of line, at 1,000 and at 16,000 lines.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tests.cli.work import ALL_KINDS, COMMANDS, Counting, Work, ratio
from tests.shares import share

FEW, MANY = 1_000, 16_000
# Of sixteen times the lines seventeen times the work: a little for what is sorted.
MOST = 17 / 16
# What refuses a long log of one kind, and at which constant; whoever adds one says why here.
#   insertion: each makes the game longer, and the next one is of a longer game (`timeline.MAX_REFOLDED`)
#   amendment, derivation: to say in words what an amendment changes takes a few replays of the game (the same)
NOTATION = ("export txt", "import notation")
REFUSED = {*product(NOTATION, ("insertion", "amendment", "derivation")), ("export html", "insertion")}
# A page has a bound of its own, `page.MOST_LINES`.
PAGE = {"export html": (FEW, 4_900)}


def sizes(command: str) -> tuple[int, int]:
    return PAGE.get(command, (FEW, MANY))


def is_linear(command: str, kind: str, few: Work, many: Work) -> bool:
    """What is refused is bounded by its constant, and may take until there what sixteen times the lines may take."""
    small, large = (FEW, MANY) if (command, kind) in REFUSED else sizes(command)
    return many.done * small <= MOST * few.done * large


def kind_for(at: int, command: str) -> str:
    """A kind of line for the command of this number: each kind in its turn, none that the command refuses."""
    kinds = [ALL_KINDS[(at + step) % len(ALL_KINDS)] for step in range(len(ALL_KINDS))]
    return next(kind for kind in kinds if (command, kind) not in REFUSED)


# Each command with one kind of line, and each kind with a few commands: the campaign has all pairs.
PAIRS = [(command, kind_for(at, command)) for at, command in share(enumerate(COMMANDS), 6)]


@pytest.mark.parametrize(("command", "kind"), PAIRS, ids=map(" of ".join, PAIRS))
def test_work_grows_with_the_lines(tmp_path: Path, counts: Counter[str], command: str, kind: str) -> None:
    few, many = ratio(command, kind, *sizes(command), tmp_path)
    counts["pairs of a command and a kind of line"] += 1
    assert few.done > 1_000
    if (command, kind) not in REFUSED:
        assert many.code == few.code, many.said
    assert is_linear(command, kind, few, many), f"{few.done:,} and {many.done:,}: {many.done / few.done:.1f} times"


def test_a_loop_in_a_loop_is_seen() -> None:
    """That nothing was found means something only if a square is found."""

    def square(n: int) -> int:
        return sum(1 for a in range(n) for b in [other for other in range(n)] if a == b)  # noqa: C416 - counted

    done = []
    for n in (20, 320):
        with Counting() as counting:
            square(n)
        done.append(counting.count)
    assert done[1] > 100 * MOST * done[0]


def main(amount: int, only: str = "", how: str = "calls") -> int:
    """The table of so many pairs; `how` counts calls, or lines, which takes three times as long."""
    pairs = [pair for pair in product(COMMANDS, ALL_KINDS) if only in pair or not only]
    if amount < len(pairs):
        pairs = random.Random(1).sample(pairs, amount)
    over = runs = 0
    print(f"{'command':<16} {'kind':<12} {'few':>12} {'many':>14} {'ratio':>6}  codes")
    with tempfile.TemporaryDirectory() as folder:
        for command, kind in pairs:
            few, many = ratio(command, kind, *sizes(command), Path(folder) / str(runs), calls=how == "calls")
            runs += 1
            over += not is_linear(command, kind, few, many)
            mark = "" if is_linear(command, kind, few, many) else "  <-- over"
            codes = f"{few.code} {many.code} {many.said[:60] if many.code > few.code else ''}"
            ratio_ = many.done / few.done
            print(
                f"{command:<16} {kind:<12} {few.done:>12,} {many.done:>14,} {ratio_:>6.2f}  {codes}{mark}", flush=True
            )
    print(f"{runs} pairs, {over} with more than {MOST * MANY / FEW:.0f} times the work")
    return 1 if over or not runs else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
