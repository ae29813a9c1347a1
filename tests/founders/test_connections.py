"""Connection on boards, roads and bridges by chance: the project's masks against the oracle's breadth-first search.

`python -m tests.founders.test_connections 1000000` compares so many pairs of things, and prints what it has compared.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import combinations

from spyrium_log.titles.founders.evolve.pieces import make_structure
from spyrium_log.titles.founders.ground import cell_of, mask_of
from spyrium_log.titles.founders.links import find_links
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.state import new_state
from tests.founders.oracle_ground import Ground, Square, write_square
from tests.founders.oracle_sets import make_printed

PAIRS = 20_000
LAND, WATER = "cdfr", "~#"
THINGS = 40
SEATS = 3


def draw_board(rng: random.Random) -> str:
    """A map of any size, with rivers and walls here and there, and holes in it."""
    width, height = rng.randint(3, 14), rng.randint(3, 14)
    letters = LAND * rng.randint(1, 4) + WATER * rng.randint(0, 3) + "." * rng.randint(0, 2)
    return "\n".join("".join(rng.choice(letters) for _ in range(width)) for _ in range(height))


def draw_thing(rng: random.Random, ground: Ground) -> list[Square]:
    """One to four squares that hang together, wherever they are."""
    cells = [rng.choice(list(ground.kind))]
    for _ in range(rng.randint(0, 3)):
        beside = [square for square in ground.beside[rng.choice(cells)] if square not in cells]
        cells += beside[:1]
    return cells


def mask_of_squares(squares: list[Square]) -> int:
    return mask_of(cell_of(write_square(square)) for square in squares)


def compare_board(rng: random.Random, counts: Counter[str]) -> None:
    """One board: for each seat, whether each pair of some things is connected."""
    options = Options(river_corner=rng.choice(("adjacent", "parted")))
    printed = make_printed(draw_board(rng), part_corners=options.river_corner == "parted")
    ground = Ground(SEATS, options, printed)
    state = new_state(SEATS, 1, options, printed)
    if not ground.kind:
        return
    density = rng.random() * 0.6
    for square, kind in ground.kind.items():
        if rng.random() > density:
            continue
        if kind in {"river", "wall"}:
            owner = rng.randint(1, SEATS)
            ground.bridges.append({"owner": owner, "cells": [square]})
            state.structures.append(make_structure("bridge", owner, (cell_of(write_square(square)),)))
        else:
            ground.roads.add(square)
            state.roads |= mask_of_squares([square])
    things = [draw_thing(rng, ground) for _ in range(THINGS)]
    for seat in range(1, SEATS + 1):
        reached = [ground.reach(seat, thing) for thing in things]
        masks = [mask_of_squares(thing) for thing in things]
        links = find_links(state, seat)
        for one, other in combinations(range(THINGS), 2):
            if not set(things[one]).isdisjoint(things[other]):
                continue
            expected = not reached[one].isdisjoint(things[other])
            assert bool(links.region(masks[one]) & masks[other]) == expected, (seat, things[one], things[other])
            counts[f"pairs {'connected' if expected else 'apart'}"] += 1
    counts["boards"] += 1


def compare(pairs: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    while counts["pairs connected"] + counts["pairs apart"] < pairs:
        compare_board(rng, counts)
    return counts


def test_masks_connect_what_a_search_connects(counts: Counter[str]) -> None:
    counts.update({f"connection in Founders: {name}": n for name, n in compare(PAIRS, 1).items()})


def main() -> int:
    pairs, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = time.perf_counter()
    for name, n in sorted(compare(pairs, seed).items()):
        print(f"{n:9,}  {name}")
    print(f"{time.perf_counter() - began:.0f} s, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
