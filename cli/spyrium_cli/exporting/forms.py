"""The forms of an export: one game in a file, or many as a pack, a table of scores or another program's plays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from spyrium_cli.complaint import (
    REFUSED,
    UNUSABLE,
    Complaint,
    Refusal,
    complaint_of,
    shell_message,
    spoken,
    warn_left_out,
)
from spyrium_cli.games.lookup import find_game, warn_of_damage
from spyrium_cli.render.surface import say
from spyrium_cli.session import Session, current_language, wants_raw
from spyrium_cli.terminal import write_note
from spyrium_log import Log
from spyrium_log.errors import ExchangeError, LogError, SpyriumLogError
from spyrium_log.messages import Count, Message
from spyrium_log.replay import Replay, replay
from spyrium_log.store import LEVEL, Aliases, FoundGame, Game, Sidecar, encode_pack, kinds, read_bytes
from spyrium_log.store.writer import read_notes_bytes
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from spyrium_cli.exporting.anonymise import Anonymiser
    from spyrium_log.exchange.scored import ScoredGame


# The forms of one game, which are also the extensions of their files.
FORMS = ("html", "json", "csv", "jsonl", "txt")


class ExportedGame(NamedTuple):
    """A game with all that a form may need of it. `raw`: the bytes of its log."""

    replay: Replay
    players: Sequence[str]
    notes: Sidecar
    raw: bytes
    language: str


def read_game(session: Session, name: str, anonymiser: Anonymiser | None) -> ExportedGame:
    """Read a game and its notes, as far as they can be read; anonymised if there is an anonymiser."""
    game = find_game(session, name)
    log, notes = game.log(), game.notes()
    if log.complaint is not None:
        warn_of_damage(log, "line", session.language)
    if notes.complaint is not None:
        warn_of_damage(notes, "note", session.language)
    raw = game.raw().log
    if anonymiser is not None:
        copy = anonymiser.copy_game(log, notes.notes)
        raw, log, notes = copy.log, read_bytes(copy.log, game.name), read_notes_bytes(copy.notes, game.name)
    replayed = replay(log)
    players = session.folder().read_aliases().resolve_names(replayed.players)
    return ExportedGame(replayed, players, notes, raw, session.language_of(replayed.title))


def make_file(game: ExportedGame, form: str) -> bytes:
    """The bytes of the file that holds a game in this form."""
    if form in {"html", "json"}:
        from spyrium_log.edit.annotate import list_game_remarks

        remarks = list_game_remarks(game.replay, game.notes.notes)
        if form == "html":
            from spyrium_log.exchange.page import make_page

            return make_page(game.replay, game.raw, remarks=remarks, language=game.language)
        from spyrium_log.exchange.tables import replay_json

        return replay_json(game.replay, game.raw, remarks=remarks)
    if form == "csv":
        from spyrium_log.exchange.tables import ledger_csv

        return ledger_csv(game.replay, game.players, raw=wants_raw())
    if form == "txt":
        from spyrium_log.transcript import transcribe

        return "".join(f"{line}\n" for line in transcribe(game.replay.log)).encode()
    return game.raw


def list_omissions(game: ExportedGame, form: str) -> list[Message]:
    """What a file of this form leaves out of a game, such as `3 notes`."""
    lines, notes = game.replay.log.lines, len(game.notes.notes.standing())
    # what may be left out, and whether there is such a thing
    omissions: dict[Message, bool] = {}
    if form == "txt":
        signatures = sum(getattr(line, "signed", None) is not None for line in lines)
        omissions[shell_message("omissions.times")] = any(line.at is not None for line in lines)
        omissions[shell_message("omissions.commands")] = any(line.cmd is not None for line in lines)
        omissions[shell_message("omissions.count", n=Count(signatures, "signature"))] = signatures > 0
    if form == "csv":
        is_changed = any(isinstance(line, kinds.Undone | kinds.Amended) for line in lines)
        omissions[shell_message("omissions.changes")] = is_changed
    if form in {"html", "json"}:
        # they hold the notes as they stand, without their history
        earlier = len(game.notes.lines) - notes
        omissions[shell_message("omissions.earlier-notes", n=Count(earlier, "line"))] = earlier > 0
    else:
        omissions[shell_message("omissions.count", n=Count(notes, "note"))] = notes > 0
    return [omission for omission, is_there in omissions.items() if is_there]


class WholeGame(NamedTuple):
    """A game without damage. `raw`: the bytes of the log and of the notes on it."""

    name: str
    log: Log
    raw: Game
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
        """A game that cannot be read counts before one that is unfit."""
        if self.unread:
            return UNUSABLE
        return REFUSED if self.unfit else 0

    def leave_out_unfit(self, name: str, why: str) -> None:
        """Count a game that lacks what the form needs, and warn that it is left out."""
        self.unfit += 1
        warn_left_out(name, why)


class Bundle(NamedTuple):
    """A form of many games. `may_hide`: it can be anonymised. `scores_only`: it holds no moves.

    `has_comments`: of a form without moves, that it holds the notes all the same.
    """

    write: Callable[[Iterable[WholeGame], Tally], Iterator[bytes]]
    may_hide: bool = True
    scores_only: bool = False
    has_comments: bool = False


def read_whole_games(
    games: Iterable[FoundGame], tally: Tally, anonymiser: Anonymiser | None, aliases: Aliases
) -> Iterator[WholeGame]:
    """Each game that can be read to its end, anonymised if there is an anonymiser; Complaint where none fits."""
    for game in games:
        try:
            log, notes = game.log(), game.notes()
            if complaint := log.complaint or notes.complaint:
                raise complaint
            raw = game.raw()
            if anonymiser is not None:
                copy = anonymiser.copy_game(log, notes.notes)
                log, raw = read_bytes(copy.log, game.name), raw._replace(log=copy.log, notes=copy.notes)
        except (SpyriumLogError, OSError) as error:
            tally.unread += 1
            language = current_language()
            warn_left_out(game.name, complaint_of(error, language).message)
            continue
        tally.taken += 1
        tally.has_moves |= log.header.source != "scoresheet"
        tally.has_notes |= bool(raw.notes)
        yield WholeGame(game.name, log, raw, aliases)
    # those that are unfit were counted by whoever takes the games one by one
    if tally.taken == tally.unfit:
        error_class = Complaint if tally.unread else Refusal
        raise error_class(shell_message("exporting.no-game"))


def _write_scores(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """A table of players and results in CSV."""
    from spyrium_log.exchange import csv_scores

    yield csv_scores.write_scores(_read_scored_games(games, tally), TITLES, raw=wants_raw())


def _write_bgstats(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """The plays of all dated games in one file."""
    from spyrium_log.exchange import bgstats

    dated = []
    for game in _read_scored_games(games, tally):
        if game.played is None:
            tally.leave_out_unfit(game.where, spoken(shell_message("exporting.no-day")))
        else:
            dated.append(game)
    yield bgstats.write_export(dated, TITLES)


def _read_scored_games(games: Iterable[WholeGame], tally: Tally) -> Iterator[ScoredGame]:
    """Players, results and day of each game; those without a result are left out."""
    from spyrium_log.exchange.scored import make_scored_game, name_persons

    for game in games:
        try:
            notes = read_notes_bytes(game.raw.notes, game.name).notes
            scored_game = name_persons(make_scored_game(replay(game.log, audit=False), notes), game.aliases)
            yield structs.replace(scored_game, played=scored_game.played or _find_day(game.log))
        except (ExchangeError, LogError) as error:
            tally.leave_out_unfit(game.name, spoken(error))


def _find_day(log: Log) -> str | None:
    """The day on which the log of a game was begun at the table, as it was here; None of one that was copied later."""
    header = log.header
    return header.at.astimezone().date().isoformat() if header.source == "table" and header.at else None


def _write_links(games: Iterable[WholeGame], tally: Tally) -> Iterator[bytes]:
    """A line with a link for each game; its QR code goes to stderr, if that is a terminal."""
    from spyrium_log.exchange import bgstats, qr

    for game in _read_scored_games(games, tally):
        try:
            link = bgstats.push_link(game, TITLES)
        except ExchangeError as error:
            tally.leave_out_unfit(game.where, spoken(error))
            continue
        if is_stderr_terminal():
            try:
                write_note(qr.terminal_text(link), keep="\n")
            except ExchangeError as error:
                say(spoken(error))
        yield f"{link}\n".encode()


def is_stderr_terminal() -> bool:
    """Whether somebody sees what is printed beside the data, and could point a phone at it."""
    return sys.stderr.isatty()


BUNDLES: Mapping[str, Bundle] = {
    "pack": Bundle(lambda games, _tally: encode_pack(game.raw for game in games)),
    "pack.zst": Bundle(lambda games, _tally: encode_pack((game.raw for game in games), level=LEVEL)),
    "scores": Bundle(_write_scores, scores_only=True),
    "bgstats": Bundle(_write_bgstats, may_hide=False, scores_only=True, has_comments=True),
    "bgstats-link": Bundle(_write_links, may_hide=False, scores_only=True),
}
FORM_BY_ENDING: Mapping[str, str] = {".jsonl.zst": "pack.zst", ".bgsplay": "bgstats"}
