"""`python -m benchmarks`: every contender in turn, over and over, medians, and what matters as ratios in one run."""

from __future__ import annotations

import platform
import sys
import time
from importlib.metadata import version
from statistics import median

from benchmarks.contenders import Contender, contenders, counts

ROUNDS = 9

# our contender, the peer it is compared with, how many times as fast it should be (performance: higher is better)
TARGETS = (
    ("decode + fold", "python-chess PGN", 12.0),
    ("decode + fold, hashes", "python-chess PGN", 7.0),
    ("decode + fold", "msgspec decode", 0.15),
    ("audit + fold", "python-chess push_uci", 1.5),
)


def measured(field: list[Contender], rounds: int) -> dict[str, float]:
    """Median seconds a unit. Interleaved, so that a slow minute of the machine is everybody's."""
    times: dict[str, list[float]] = {each.name: [] for each in field}
    for each in field:
        each.run()
    for _ in range(rounds):
        for each in field:
            start = time.perf_counter()
            each.run()
            times[each.name].append(time.perf_counter() - start)
    return {each.name: median(times[each.name]) / each.units for each in field}


def main(rounds: int = ROUNDS) -> int:
    field = contenders()
    seconds = measured(field, rounds)
    print(", ".join(f"{n:,} {what}" for what, n in counts().items()))
    versions = ", ".join(f"{name} {version(name)}" for name in ("msgspec", "chess"))
    print(f"Python {platform.python_version()}, {versions}, median of {rounds} interleaved rounds\n")
    print(f"{'contender':24} {'µs a unit':>10} {'a second':>12}")
    for each in field:
        per = seconds[each.name]
        print(f"{each.name:24} {per * 1e6:>10.2f} {1 / per:>12,.0f} {each.unit}s")
    print(f"\n{'ratio, in this run':48} {'reached':>8} {'target':>8}")
    for ours, peer, target in TARGETS:
        ratio = seconds[peer] / seconds[ours]
        verdict = "" if ratio >= target else f"  missed by {1 - ratio / target:.0%}"
        print(f"{ours + ' ÷ ' + peer:48} {ratio:>7.2f}× {target:>7.2f}×{verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
