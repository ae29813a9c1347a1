"""Verdicts on many games, by several processes once there are enough of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from spyrium_cli.games.verdict import Verdict, check_log
from spyrium_cli.parallel.processes import MANY, map_in_order
from spyrium_log import Log
from spyrium_log.errors import SpyriumLogError
from spyrium_log.store import read_bytes, read_path

if TYPE_CHECKING:
    from spyrium_log.store import FoundGame

# So many games are checked before processes are started, which takes as long as checking them.
CHECKED_ALONE = 200
# Games in a share, unless they reach so many bytes before.
GAMES_A_SHARE = 50
BYTES_A_SHARE = 1 << 22


class SendableGame(NamedTuple):
    """A log that any process can read; `size` bytes of it are sent there."""

    name: str
    read: Callable[[], Log]
    size: int = 0


# A game that could not be read has its verdict already.
Share: TypeAlias = Sequence[SendableGame | Verdict]


def check_games(games: Iterable[FoundGame], processes: int, *, amended: bool) -> Iterator[Verdict]:
    """The verdict on each game, in order; the first ones are checked here, before many processes would have started."""
    remaining = iter(games)
    first = islice(remaining, CHECKED_ALONE) if processes >= MANY else remaining
    yield from (check_log(game.name, game.log, amended=amended) for game in first)
    shares = _split_into_shares(remaining, amended=amended)
    yield from chain.from_iterable(map_in_order(partial(_check_share, amended=amended), shares, processes))


def _split_into_shares(games: Iterator[FoundGame], *, amended: bool) -> Iterator[Share]:
    """The games in shares, each as many or as large as is worth sending to a process at once."""
    share: list[SendableGame | Verdict] = []
    size = 0
    for game in games:
        share.append(sendable := _make_sendable(game, amended=amended))
        size += sendable.size if isinstance(sendable, SendableGame) else 0
        if len(share) == GAMES_A_SHARE or size >= BYTES_A_SHARE:
            yield share
            share, size = [], 0
    if share:
        yield share


def _make_sendable(game: FoundGame, *, amended: bool) -> SendableGame | Verdict:
    """The game as it can go to another process: a path, or bytes of a pack; the verdict if it is unreadable."""
    if game.path is not None:
        return SendableGame(game.name, partial(read_path, game.path))
    try:
        raw = game.raw().log
    except SpyriumLogError:
        return check_log(game.name, game.log, amended=amended)
    return SendableGame(game.name, partial(read_bytes, raw, game.name), len(raw))


def _check_share(share: Share, *, amended: bool) -> list[Verdict]:
    """Check the logs of a share, in any process; what could not be read comes as a verdict already."""
    return [game if isinstance(game, Verdict) else check_log(game.name, game.read, amended=amended) for game in share]
