"""The game that `spyrium demo` records.

`python -m tests.cli.demo_game > cli/spyrium_cli/titles/spyrium/demo.txt` makes it anew.

Three players who take what is worth most to them at once. It is made by hand when the rules change; a test sees that
it is still whole and clean.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spyrium_log.play import Play
from spyrium_log.title import Effects, FinalCount
from spyrium_log.titles import TITLES

DEMO = Path(__file__).parents[2] / "cli" / "spyrium_cli" / "titles" / "spyrium" / "demo.txt"
SEED = 14
PLAYERS = ("Anna", "Bob", "Cy")
# what one of each is worth, in points, to somebody in a hurry
WORTH = {"points": 0.0, "money": 0.3, "spyrium": 0.7, "workers": 4.0, "residence": 1.0}
REST = {"place_worker": 6.0, "pass": -5.0}
# nobody hurries to phase II with workers in hand
HASTE = 2.0
HEAD = "# A whole game of three greedy players, for `spyrium demo`; tests/cli/demo_game.py made it."


def start() -> Play:
    title = TITLES["spyrium"]
    return Play.new(title, game="demo-game", players=PLAYERS)


def worth(play: Play, act: Any, rng: random.Random) -> float:
    """What the act gives at once and adds to the final count, and a little chance."""
    title, state = play.title, play.title.copy(play.state)
    before = title.score(state)[act.seat - 1].total
    moved, facts = title.effects(state, act) or Effects()
    gain = sum(WORTH[posting.what] * posting.n for posting in moved if posting.who == act.seat)
    title.evolve(state, act, moved, facts)
    points: int = title.score(state)[act.seat - 1].total - before
    rest = REST.get(str(type(act).__struct_config__.tag), 0.0)
    haste = HASTE * state.mats[act.seat].active if getattr(act, "enter", False) else 0.0
    return points + gain + rest - haste + 3 * rng.random()


def acts(play: Play, rng: random.Random) -> Iterator[Any]:
    while (kind := play.awaits().kind) != "over":
        if kind == "deal":
            yield play.title.deal(play.state, lambda pool, k: rng.sample(list(pool), k))
        elif kind == "final":
            yield FinalCount()
        else:
            yield max(play.title.legal(play.state), key=lambda act: worth(play, act, rng))


def lines(seed: int = SEED) -> Iterator[str]:
    play = start()
    yield HEAD
    for act in acts(play, random.Random(seed)):
        yield play.write_notation(act)
        play.do(act, by="demo")


if __name__ == "__main__":
    print("\n".join(lines()))
