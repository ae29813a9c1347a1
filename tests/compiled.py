"""The compiled build says what the sources say: `python -m tests.compiled 10000` builds it, and both play that many.

Each side makes a game from its seed, writes, reads, folds and audits it, under its own rules and under others, so that
there are findings. What they say of it has to be the same bytes. A game of Founders takes as long as many of Spyrium:
one of 25 is. A wheel that is there is given as the second argument.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.compiling import SWITCH, sources
from spyrium_log.log.codec import Log
from spyrium_log.replay import replay
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES
from tests.games import draw_options, log_of, moves, raw_of, start
from tests.test_laws import any_events, fingerprint

ROOT = Path(__file__).parents[1]
# Of so many games one is of Founders.
SPYRIUM_TO_FOUNDERS = 25
# How many events of any kind are tried on each game's end.
ANY_EVENTS = 20

_encode = msgspec.json.Encoder(enc_hook=str).encode


def modules() -> list[str]:
    return [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in sources(ROOT)]


def compiled_modules() -> list[str]:
    """Those that are compiled where this runs."""
    return [name for name in modules() if not str(import_module(name).__file__).endswith(".py")]


# --- what one side says --------------------------------------------------------------------------


def title_of(seed: int) -> AnyTitle:
    """Which game is played from a seed."""
    return TITLES["spyrium" if seed % SPYRIUM_TO_FOUNDERS else "founders"]


def digest_game(title: AnyTitle, seed: int, counts: Counter[str]) -> str:
    """A digest of everything that is said of one game."""
    rng = random.Random(seed)
    said = hashlib.sha256()
    play = start(title, seed, options=draw_options(title.options, rng) if seed % 3 else None)
    for number, act in enumerate(moves(play, seed)):
        if number % 8 == 0:
            state = play.state
            seat = title.awaits(state).seat
            said.update(
                _encode([title.legal(state), title.tables.offers(state, seat), title.recorder.nearest(state, act)])
            )
            counts["positions asked for legal moves"] += 1
    log = log_of(title, play.log.lines)
    said.update(raw_of(log))
    for other in (None, draw_options(title.options, rng)):
        for part in _replayed(log, other, counts):
            said.update(part)
    for part in _of_anything(title, play.state, seed, counts):
        said.update(part)
    counts[f"games of {title.name}"] += 1
    counts["bytes"] += log.good_bytes
    return said.hexdigest()


def _replayed(log: Log, other: Any, counts: Counter[str]) -> Iterator[bytes]:
    done = replay(log, options=other)
    yield _encode([done.findings, done.ledger, list(done.scores())])
    for state in (*done.snapshots, done.state_at(len(done.events))):
        yield repr(fingerprint(state)).encode()
        counts["states"] += 1
    counts["events folded and audited"] += len(done.events)
    counts["findings"] += len(done.findings)
    counts["rows of the ledger"] += len(done.ledger)


def _of_anything(title: AnyTitle, state: Any, seed: int, counts: Counter[str]) -> Iterator[bytes]:
    """Whatever the decoder would take, on a table where the game has ended."""
    state = title.copy(state)
    for event in any_events(title, seed, ANY_EVENTS):
        given = title.effects(state, event.do)
        yield _encode([list(title.breaches(state, event.do)), None if given is None else list(given)])
        title.evolve(state, event.do, event.moved, event.facts)
        counts["events of any kind"] += 1
    yield repr(fingerprint(state)).encode()


def side(which: str, games: int) -> None:
    """What one side prints: a line a game, then what it has executed."""
    made = compiled_modules()
    if made != ([] if which == "pure" else modules()):
        sys.exit(f"expected the {which} build, found {len(made)} compiled modules: {', '.join(made)}")
    counts: Counter[str] = Counter()
    for seed in range(games):
        print(seed, digest_game(title_of(seed), seed, counts), flush=True)
    print("counts", _encode(counts).decode(), flush=True)


# --- both ----------------------------------------------------------------------------------------


def built(where: Path) -> Path:
    """A wheel with compiled modules in it."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(where), str(ROOT)]
    done = subprocess.run(command, env={**os.environ, SWITCH: "1"}, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}\nexit {done.returncode}")
    (wheel,) = where.glob("*.whl")
    return wheel


def asked(which: str, path: list[Path], games: int) -> subprocess.Popen[str]:
    # -P: the tree that one stands in would come before what is to be tried
    command = [sys.executable, "-P", "-m", "tests.compiled", which, str(games)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def main(games: int, wheel: str = "") -> int:
    with tempfile.TemporaryDirectory() as name:
        where = Path(name).resolve()
        unpacked = where / "unpacked"
        with zipfile.ZipFile(wheel or built(where)) as archive:
            archive.extractall(unpacked)
        both = asked("pure", [ROOT], games), asked("compiled", [unpacked, ROOT], games)
        lines = [side.stdout for side in both if side.stdout is not None]
        same = differs = 0
        counted = ""
        for one, other in zip(*lines, strict=False):
            if one.startswith("counts"):
                counted = one
            same += one == other
            differs += one != other
            if one != other:
                print(f"pure {one.strip()}\ncompiled {other.strip()}")
        codes = [side.wait() for side in both]
    for what, n in sorted(msgspec.json.decode(counted.partition(" ")[2] or "{}").items()):
        print(f"{n:>14,}  {what}")
    print(f"{same - 1:,} games are the same bytes, {differs} differ; the sides ended with {codes}")
    return 0 if same == games + 1 and not differs and codes == [0, 0] else 1


if __name__ == "__main__":
    if sys.argv[1:2] in (["pure"], ["compiled"]):
        side(sys.argv[1], int(sys.argv[2]))
    else:
        sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 100, *sys.argv[2:3]))
