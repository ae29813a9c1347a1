"""`python -m benchmarks`: every contender in turn, over and over, medians, and what matters as ratios in one run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import page, table
from benchmarks.inputs import Scale


def main(given: list[str]) -> int:
    if given[:1] == ["growth"]:
        from benchmarks import growth

        return growth.main(given[1:])
    if given[:1] == ["titles"]:
        from benchmarks import titles

        return titles.main(given[1:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, epilog="see also: growth --help, titles --help"
    )
    parser.add_argument("--rounds", type=int, default=table.ROUNDS, help="how often each contender runs")
    parser.add_argument("--games", type=int, default=Scale.games, help="games that are decoded, folded, audited")
    parser.add_argument(
        "--asked", type=int, default=Scale.asked, help=f"games in the index that is asked, each {Scale.times} times"
    )
    parser.add_argument("--index", type=Path, help="an index to ask, in place of a new one (growth leaves some)")
    parser.add_argument("--page", action="store_true", help="write the table into docs/explanation/speed.md")
    options = parser.parse_args(given)
    lines = []
    scale = Scale(games=options.games, asked=options.asked, index=options.index)
    for line in table.lines(scale, options.rounds):
        print(line, flush=True)
        lines.append(line)
    if options.page:
        page.write("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
