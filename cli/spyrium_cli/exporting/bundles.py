"""Forms that hold many games: packs, tables of final scores, another program's plays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.complaint import UNUSABLE, Complaint, Refusal, complaint_of, warn_left_out
from spyrium_cli.render.surface import say
from spyrium_cli.session import wants_raw
from spyrium_cli.terminal import write_note
from spyrium_log import Log
from spyrium_log.errors import ExchangeError, LogError, SpyriumLogError
from spyrium_log.replay import replay
from spyrium_log.store import LEVEL, Aliases, FoundGame, encode_pack, read_bytes
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from spyrium_cli.exporting.anonymise import Anonymiser
    from spyrium_log.exchange.scored import ScoredGame


class WholeGame(NamedTuple):
    """A game without damage. `raw`: the bytes of the log and of the notes on it."""

    name: str
    log: Log
    raw: Any
    aliases: Aliases


@dataclass(slots=True)
class Tally:
    """Counts the games of a call. `unread` cannot be read, `unfit` lack what the form needs."""

    taken: int = 0
    unread: int = 0
    unfit: int = 0
    has_moves: bool = False
    has_notes: bool = False

    @property
    def exit_code(self) -> int:
        """2 where a game cannot be read, 1 where one is unfit, else 0."""
        return UNUSABLE if self.unread else int(bool(self.unfit))

    def leave_out_unfit(self, name: str, why: str) -> None:
        """Count a game that lacks what the form needs, and warn that it is left out."""
        self.unfit += 1
        warn_left_out(name, why)


class Bundle(NamedTuple):
    """A form of many games. `may_hide`: it can be anonymised. `scores_only`: it holds players and results alone."""

    write: Callable[[Iterable[WholeGame], Tally], Iterator[bytes]]
    may_hide: bool = True
    scores_only: bool = False


def read_whole_games(
    games: Iterable[FoundGame], tally: Tally, anonymiser: Anonymiser | None, aliases: Aliases
) -> Iterator[WholeGame]:
    """Each game that can be read to its end, anonymised if there is an anonymiser; Complaint where there is none."""
    for game in games:
        try:
            log, notes = game.log(), game.notes()
            if complaint := log.complaint or notes.complaint:
                raise complaint
            raw = game.raw()
            if anonymiser is not None:
                copy = anonymiser.copy(log, notes)
                log, raw = read_bytes(copy.log, game.name), raw._replace(log=copy.log, notes=copy.notes)
        except (SpyriumLogError, OSError) as error:
            tally.unread += 1
            warn_left_out(game.name, complaint_of(error).message)
            continue
        tally.taken += 1
        tally.has_moves |= log.header.source != "scoresheet"
        tally.has_notes |= bool(raw.notes)
        yield WholeGame(game.name, log, raw, aliases)
    if not tally.taken:
        raise (Complaint if tally.unread else Refusal)("expected a game, found none: nothing was written")


def _write_pack(games: Iterable[WholeGame], _tally: Tally) -> Iterator[bytes]:
    """A pack: the bytes of all logs and notes, one game after the other."""
    return encode_pack(game.raw for game in games)


def _write_compressed_pack(games: Iterable[WholeGame], _tally: Tally) -> Iterator[bytes]:
    """The same pack, compressed."""
    return encode_pack((game.raw for game in games), level=LEVEL)


def _write_scores(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """A table of players and results in CSV."""
    from spyrium_log.exchange import csv_scores

    yield csv_scores.write(_read_scored_games(games, tally), TITLES, raw=wants_raw())


def _write_bgstats(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """The plays of all dated games in one file."""
    from spyrium_log.exchange import bgstats

    dated = []
    for game in _read_scored_games(games, tally):
        if game.played is None:
            tally.leave_out_unfit(game.where, "expected the day it was played, found none")
        else:
            dated.append(game)
    yield bgstats.write(dated, TITLES)


def _read_scored_games(games: Iterable[WholeGame], tally: Tally) -> Iterator[ScoredGame]:
    """Players and results of each game; those without a result are left out."""
    from spyrium_log.exchange.scored import name_persons, scored_game

    for game in games:
        try:
            yield name_persons(scored_game(replay(game.log, audit=False)), game.aliases)
        except (ExchangeError, LogError) as error:
            tally.leave_out_unfit(game.name, str(error))


def _write_links(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """A line per game. On a terminal its QR code follows on stderr."""
    from spyrium_log.exchange import bgstats, qr

    for game in _read_scored_games(games, tally):
        try:
            link = bgstats.push_link(game, TITLES)
        except ExchangeError as error:
            tally.leave_out_unfit(game.where, str(error))
            continue
        if is_stderr_terminal():
            try:
                write_note(qr.terminal_text(link), keep="\n")
            except ExchangeError as error:
                say(str(error))
        yield f"{link}\n".encode()


def is_stderr_terminal() -> bool:
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
