"""Whole games made by chance, through the door only, for any title."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Line
from spyrium_log.play import Play, encode_log
from spyrium_log.title import AnyTitle, FinalCount, Options
from spyrium_log.titles import TITLES
from tests.pebbles import PEBBLES

ALL_TITLES: Mapping[str, AnyTitle] = MappingProxyType({**TITLES, PEBBLES.key: PEBBLES})
PLAYERS = ("Anna", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus")

# A game that is longer than any real one never ends.
LONGEST = 2_000

# what a chance player prefers, so that games reach rich positions instead of passing through
WEIGHTS = {"pass": 1, "place_worker": 5, "gain_money": 3}
# Kinds of acts of which there are hundreds at a time: each kind is as likely as another, so that a game goes on.
MANY = 60


def log_of(title: AnyTitle, lines: Sequence[Line]) -> Log:
    """Lines with any hashes, chained and read back as a log."""
    return read(encode_log(lines), title)


def read(raw: bytes, title: AnyTitle | None = None) -> Log:
    titles = ALL_TITLES if title is None else {title.key: title}
    return codec.read(io.BytesIO(raw), titles)


def new_header(title: AnyTitle, seed: int, seats: int | None = None, options: Options | None = None) -> AnyHeader:
    rng = random.Random(seed)
    seats = seats or rng.choice(title.seats)
    return Play.new(
        title,
        game=f"game-{seed:04d}",
        players=PLAYERS[:seats],
        first=rng.randint(1, seats),
        options=options,
        sheet=title.playable_sheet(),
        source="simulated",
    ).header


def start(title: AnyTitle, seed: int, seats: int | None = None, options: Options | None = None) -> Play:
    return Play(log_of(title, [new_header(title, seed, seats, options)]))


def choose(play: Play, rng: random.Random) -> Any:
    """The next act by chance; None when the game is over."""
    title, state = play.title, play.state
    awaited = play.awaits()
    if awaited.kind == "over":
        return None
    if awaited.kind == "deal":
        return title.deal(state, lambda pool, k: rng.sample(list(pool), k))
    if awaited.kind == "final":
        return FinalCount()
    legal = title.legal(state)
    if len(legal) > MANY:
        kinds = sorted({type(act).__name__ for act in legal})
        kind = rng.choice(kinds)
        return rng.choice([act for act in legal if type(act).__name__ == kind])
    weights = [WEIGHTS.get(str(type(act).__struct_config__.tag), 8) for act in legal]
    return rng.choices(legal, weights)[0]


def moves(play: Play, seed: int, most: int = 10_000) -> Iterator[Any]:
    """Play on by chance; yields each act before it is made. The play is one event further at each step."""
    rng = random.Random(seed)
    while len(play.log.lines) <= most and (act := choose(play, rng)) is not None:
        yield act
        assert len(play.log.lines) < LONGEST
        play.do(act, by="chance")


@cache
def game(title_key: str, seed: int, seats: int | None = None, options: Options | None = None) -> Log:
    """One whole game as a log that was written and read back."""
    title = ALL_TITLES[title_key]
    play = start(title, seed, seats, options)
    for _ in moves(play, seed):
        pass
    return log_of(title, play.log.lines)


def raw_of(log: Log) -> bytes:
    return b"".join(codec.encode(line) for line in log.lines)
