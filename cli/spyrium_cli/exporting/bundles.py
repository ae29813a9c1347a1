"""Forms that hold many games: packs, tables of final scores, another program's plays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.session import wants_raw
from spyrium_cli.terminal import write_note

if TYPE_CHECKING:
    from spyrium_cli.exporting.anonymise import Anonymiser
    from spyrium_log import Log
    from spyrium_log.exchange.scored import ScoredGame
    from spyrium_log.store import Aliases, FoundGame


# Reports the name of a game that is left out, and why.
LeaveOut = Callable[[str, str], None]


class WholeGame(NamedTuple):
    """A game without damage. `raw`: the bytes of the log and of the notes on it."""

    name: str
    log: Log
    raw: Any
    aliases: Aliases


class Bundle(NamedTuple):
    """A form of many games. `may_hide`: it can be anonymised. `scores_only`: it holds players and results alone."""

    write: Callable[[Iterable[WholeGame], LeaveOut], Iterator[bytes]]
    may_hide: bool = True
    scores_only: bool = False


def whole_games(
    games: Iterable[FoundGame], leave_out: LeaveOut, anonymiser: Anonymiser | None, aliases: Aliases
) -> Iterator[WholeGame]:
    """Each game that can be read to its end, anonymised if there is an anonymiser."""
    from spyrium_cli.complaint import complaint_of
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.store import read_bytes

    for game in games:
        try:
            log, notes = game.log(), game.notes()
            complaint = log.complaint or notes.complaint
            if complaint is not None:
                raise complaint
            raw = game.raw()
            if anonymiser is not None:
                copy = anonymiser.copy(log, notes)
                log, raw = read_bytes(copy.log, game.name), raw._replace(log=copy.log, notes=copy.notes)
        except (SpyriumLogError, OSError) as error:
            leave_out(game.name, complaint_of(error).message)
        else:
            yield WholeGame(game.name, log, raw, aliases)


def _write_pack(games: Iterable[WholeGame], _leave_out: LeaveOut) -> Iterator[bytes]:
    """A pack: the bytes of all logs and notes, one game after the other."""
    from spyrium_log.store import packing

    return packing(game.raw for game in games)


def _write_compressed_pack(games: Iterable[WholeGame], _leave_out: LeaveOut) -> Iterator[bytes]:
    """The same pack, compressed."""
    from spyrium_log.store import LEVEL, packing

    return packing((game.raw for game in games), level=LEVEL)


def _write_scores(games: Iterable[WholeGame], leave_out: LeaveOut) -> Iterator[bytes]:
    """A table of players and results in CSV."""
    from spyrium_log.exchange import csv_scores
    from spyrium_log.titles import TITLES

    yield csv_scores.write(_scored_games(games, leave_out), TITLES, raw=wants_raw())


def _write_bgstats(games: Iterable[WholeGame], leave_out: LeaveOut) -> Iterator[bytes]:
    """The plays of all dated games in one file."""
    from spyrium_log.exchange import bgstats_write
    from spyrium_log.titles import TITLES

    dated = []
    for game in _scored_games(games, leave_out):
        if game.played is None:
            leave_out(game.where, "expected the day it was played, found none")
        else:
            dated.append(game)
    yield bgstats_write.write(dated, TITLES)


def _scored_games(games: Iterable[WholeGame], leave_out: LeaveOut) -> Iterator[ScoredGame]:
    """Players and results of each game; those without a result are left out."""
    from spyrium_log.errors import ExchangeError, LogError
    from spyrium_log.exchange.scored import scored_game, with_persons
    from spyrium_log.replay import replay

    for game in games:
        try:
            yield with_persons(scored_game(replay(game.log, audit=False)), game.aliases)
        except (ExchangeError, LogError) as error:
            leave_out(game.name, str(error))


def _write_links(games: Iterable[WholeGame], leave_out: LeaveOut) -> Iterator[bytes]:
    """A line per game. On a terminal its QR code follows on stderr."""
    from spyrium_cli.render.surface import say
    from spyrium_log.errors import ExchangeError
    from spyrium_log.exchange import bgstats_write, qr
    from spyrium_log.titles import TITLES

    for game in _scored_games(games, leave_out):
        try:
            link = bgstats_write.push_link(game, TITLES)
        except ExchangeError as error:
            leave_out(game.where, str(error))
            continue
        if is_watched():
            try:
                write_note(qr.terminal(link), keep="\n")
            except ExchangeError as error:
                say(str(error))
        yield f"{link}\n".encode()


def is_watched() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr.isatty()


BUNDLES: Mapping[str, Bundle] = {
    "pack": Bundle(_write_pack),
    "pack.zst": Bundle(_write_compressed_pack),
    "scores": Bundle(_write_scores, scores_only=True),
    "bgstats": Bundle(_write_bgstats, may_hide=False, scores_only=True),
    "bgstats-link": Bundle(_write_links, may_hide=False, scores_only=True),
}
# The form of a file by the end of its name.
FORM_BY_ENDING: Mapping[str, str] = {".jsonl.zst": "pack.zst", ".bgsplay": "bgstats"}
