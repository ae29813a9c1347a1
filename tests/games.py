"""Whole games made by chance, through the door only, for any title."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

import pytest
from msgspec import structs

from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyHeader, Line
from spyrium_log.play import Play, encode_log
from spyrium_log.title import NOTHING, AnyTitle, FinalCount, Options, seat_of
from spyrium_log.titles import TITLES
from tests.pebbles import PEBBLES

OptionsOfTitle = TypeVar("OptionsOfTitle", bound=Options)

ALL_TITLES: Mapping[str, AnyTitle] = MappingProxyType({**TITLES, PEBBLES.key: PEBBLES})
PLAYERS = ("Anna", "Bob", "Cleo", "Dora", "Emil", "Fay", "Gus")

# A game that is longer than any real one never ends.
LONGEST = 2_000

# what a chance player prefers, so that games reach rich positions instead of passing through
WEIGHTS = {"pass": 1, "place_worker": 5, "gain_money": 3}
# Of more legal acts than so many, chance draws a few and takes the one that is worth most: among a thousand acts nobody
# would ever finish a game by chance alone.
MANY = 60
DRAWN = 24
# To make a game with so many legal acts takes seconds: laws share the whole games of the examples.
EXAMPLES = Path(__file__).parents[1] / "examples"
LONG_GAMES = {
    "founders": tuple(
        f"{seats}-on-the-{side}-side"
        for side in ("thematic", "symmetric")
        for seats in ("alone", "two-players", "three-players", "four-players")
    )
}
# For what makes hundreds of games, or asks for all legal acts at each of them: titles whose games take no time.
QUICK_TITLES = MappingProxyType({key: title for key, title in ALL_TITLES.items() if key not in LONG_GAMES})
every_quick_title = pytest.mark.parametrize("title", QUICK_TITLES.values(), ids=QUICK_TITLES.keys())


def log_of(title: AnyTitle, lines: Sequence[Line]) -> Log:
    """Lines with any hashes, chained and read back as a log."""
    return read(encode_log(lines), title)


def read(raw: bytes, title: AnyTitle | None = None) -> Log:
    titles = ALL_TITLES if title is None else {title.key: title}
    return codec.read(io.BytesIO(raw), titles)


def draw_options(kind: type[OptionsOfTitle], rng: random.Random) -> OptionsOfTitle:
    """Any reading of each option, by chance."""
    return kind(**{field.name: rng.choice(get_args(field.type)) for field in structs.fields(kind)})


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
        # as if people had played it: reports ask simulated games by themselves
        source="table",
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
        return max(rng.sample(legal, DRAWN), key=lambda act: worth_after(title, state, act))
    weights = [WEIGHTS.get(str(type(act).__struct_config__.tag), 8) for act in legal]
    return rng.choices(legal, weights)[0]


def worth_after(title: AnyTitle, state: Any, act: Any) -> float:
    """What the position after an act is worth to the seat that acts."""
    after = title.copy(state)
    moved, facts = title.effects(after, act) or NOTHING
    title.evolve(after, act, moved, facts)
    return title.worth(after, seat_of(act))


def moves(play: Play, seed: int, most: int = 10_000) -> Iterator[Any]:
    """Play on by chance; yields each act before it is made. The play is one event further at each step."""
    rng = random.Random(seed)
    while len(play.log.lines) <= most and (act := choose(play, rng)) is not None:
        yield act
        assert len(play.log.lines) < LONGEST
        play.do(act, by="chance")


@cache
def game(title_key: str, seed: int, seats: int | None = None, options: Options | None = None) -> Log:
    """One whole game as a log that was written and read back; of a title whose games take long an example."""
    title = ALL_TITLES[title_key]
    if names := LONG_GAMES.get(title_key):
        assert (seats, options) == (None, None), "an example has the seats and the options that it has"
        return read((EXAMPLES / title_key / f"{names[seed % len(names)]}.jsonl").read_bytes(), title)
    play = start(title, seed, seats, options)
    for _ in moves(play, seed):
        pass
    return log_of(title, play.log.lines)


def raw_of(log: Log) -> bytes:
    return b"".join(codec.encode(line) for line in log.lines)
