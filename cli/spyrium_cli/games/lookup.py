"""Games by their names: a path, the beginning of an id, `@last`, `@last~1`, `@open`, `-` for stdin."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from spyrium_cli.command import OPEN
from spyrium_cli.complaint import Complaint, call_message, complaint_of, warn
from spyrium_cli.games.headers import header_players, list_latest_logs, read_header
from spyrium_cli.render.text import count_text, translate

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log import Log
    from spyrium_log.replay import Replay
    from spyrium_log.store import FoundGame, Sidecar

STDIN = "-"
BYTES_THAT_TELL_A_PACK = 64
MOST_GAMES_NAMED = 4
# How many games a call without a command looks at: an older one is hardly one to go on with.
LATEST = 10


def find_game(session: Session, name: str) -> FoundGame:
    """The one game of that name, to read. Of a pack or a folder: its only game, or the one whose id follows `#`."""
    from spyrium_log.store import read_games, read_games_at

    place, id_prefix = split_name(name)
    if place == STDIN:
        games = read_games(sys.stdin.buffer.read, "<stdin>", begins=id_prefix)
    else:
        path = _find_path(session, place)
        # what a person named as a path may be a pipe
        place, games = str(path), read_games_at(path, begins=id_prefix, is_named=path == Path(place))
    return _only_game(games, id_prefix, place, session.language)


def read_log(session: Session, name: str) -> Log:
    """The log of the one game of that name."""
    return find_game(session, name).log()


def select_games(session: Session, names: Sequence[str], *, recursive: bool = False) -> Iterator[FoundGame]:
    """All games in files, folders, packs or of a name; without names, the archive. Errors rise when a log is read."""
    from spyrium_log.store import read_games, read_games_at

    if not names and not session.archive.exists():
        raise missing_archive(session)
    for name in names or (str(session.archive),):
        if name == STDIN:
            yield from read_games(sys.stdin.buffer.read, "<stdin>")
        elif recursive and Path(name).is_dir():
            for folder in _folders_below(Path(name)):
                yield from read_games_at(folder)
        elif Path(name).exists():
            yield from read_games_at(Path(name), is_named=True)
        else:
            yield _find_game_later(session, name)


def missing_archive(session: Session) -> Complaint:
    """The error of a call that needs an archive where there is none."""
    return Complaint(call_message("archive", place=str(session.archive)))


def writable_path(session: Session, name: str) -> Path:
    """The file of the game of that name. A pack and a stream cannot be written to."""
    place, id_prefix = split_name(name)
    if place == STDIN:
        raise Complaint(call_message("stdin-write"))
    path = _find_path(session, place)
    if not _is_pack(path):
        if not id_prefix and not path.is_dir():
            return path
        file = find_game(session, name).path
        if file is not None:
            return file
    raise Complaint(call_message("pack-write", place=str(path)))


def split_name(name: str) -> tuple[str, str]:
    """`games.jsonl#0198` as its place and the beginning of an id. A file that exists is a place as a whole."""
    from spyrium_log.store import IN

    place, mark, id_prefix = name.rpartition(IN)
    return (name, "") if not (mark and place) or Path(name).exists() else (place, id_prefix)


def _find_game_later(session: Session, name: str) -> FoundGame:
    """The game of that name, looked for once, when it is read."""
    from spyrium_log.store import FoundGame

    find = cache(lambda: find_game(session, name))
    return FoundGame(name, lambda: find().log(), lambda: find().notes(), lambda: find().raw())


def _folders_below(top: Path) -> Iterator[Path]:
    """A folder and those in it, in order, without hidden ones and the one of games that were put away."""
    from spyrium_log.store import AWAY

    yield top
    for folder in sorted(path for path in top.iterdir() if path.is_dir() and not path.is_symlink()):
        if folder.name[0] != "." and folder.name != AWAY:
            yield from _folders_below(folder)


def _find_path(session: Session, name: str) -> Path:
    """The file or folder of a name without `#`."""
    from spyrium_log.errors import StoreError

    if name == OPEN:
        path = _find_open_path(session)
        if path is None:
            raise StoreError("no-open-game", place=str(session.archive))
        return path
    # `@last~2` is the game written two games before the last one, `@last` is the folder's to find
    games_back = re.fullmatch(r"@last~(\d{1,9})", name)
    if games_back is None:
        return session.folder().resolve(name)
    path = next(islice(list_latest_logs(session.archive), int(games_back[1]), None), None)
    if path is None:
        games = count_text(sum(1 for _ in list_latest_logs(session.archive)), "game", session.language)
        raise StoreError("no-game-back", games=games, place=str(session.archive))
    return path


def _find_open_path(session: Session, most: int | None = None) -> Path | None:
    """The game last written that is not over; None if there is none among the `most` latest (None: all)."""
    return next((path for path, _ in walk_open_games(session, most)), None)


def walk_open_games(session: Session, most: int | None = None) -> Iterator[tuple[Path, Log]]:
    """The games that are not over among the `most` latest (None: all), the one last written first."""
    from spyrium_log.errors import SpyriumLogError

    for path in islice(list_latest_logs(session.archive), most):
        with suppress(SpyriumLogError):
            log = session.folder().read_log(path)
            if _is_open(log):
                yield path, log


def _is_open(log: Log) -> bool:
    """Whether the game can go on."""
    from spyrium_log.replay import replay

    game = replay(log, audit=False)
    return not game.is_scores_only and log.title.awaits(game.state_at(len(game.events))).kind != "over"


def _is_pack(path: Path) -> bool:
    """Whether a file is a pack of games; False where it cannot be read."""
    from spyrium_log.errors import StoreError
    from spyrium_log.store import is_packed, read_head

    with suppress(StoreError):
        return is_packed(read_head(path, BYTES_THAT_TELL_A_PACK))
    return False


def _only_game(games: Iterator[FoundGame], id_prefix: str, place: str, language: str) -> FoundGame:
    """The only game, or the one of that id. Warns of games that cannot be read, as one of them may be meant."""
    from spyrium_log.errors import SpyriumLogError, StoreError

    candidates, unread = _collect_games(games, id_prefix)
    if exact := [game for game in candidates if id_prefix and game.game == id_prefix]:
        candidates, unread = exact, []
    for game in unread:
        try:
            game.log()
        except SpyriumLogError as error:
            warn(complaint_of(error, language).message)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise StoreError("one-game", found=_candidates_text(candidates, place, language))
    if id_prefix:
        raise StoreError("no-game-begins", begins=id_prefix, place=place)
    raise StoreError("no-game-there", place=place)


def _collect_games(games: Iterator[FoundGame], id_prefix: str) -> tuple[list[FoundGame], list[FoundGame]]:
    """The games that may be meant; and where an id is looked for, files that cannot be read and may hold it."""
    candidates: list[FoundGame] = []
    unread: list[FoundGame] = []
    for game in games:
        if id_prefix and not game.game:
            unread.append(game)
        # a second copy, byte for byte, is no other game
        elif not any(game.game and game.game == other.game and game.raw() == other.raw() for other in candidates):
            candidates.append(game)
        # with one more than a message names, it can say that there are more
        if len(candidates) > MOST_GAMES_NAMED:
            break
    return candidates, unread


def _candidates_text(games: Sequence[FoundGame], place: str, language: str) -> str:
    """`game-a, game-b and more: name one as games.jsonl#game-a, or as its id begins`."""
    from spyrium_log.store import IN

    ids = [game.game for game in games]
    unique = [game for game in ids if game and ids.count(game) == 1]
    names = [_candidate_name(game, unique, language) for game in games[:MOST_GAMES_NAMED]]
    more = translate("lookup.more", language) if len(games) > MOST_GAMES_NAMED else ""
    if place == STDIN:
        hint = translate("lookup.one-of-pipe", language)
    elif unique:
        hint = translate("lookup.name-id", language, name=f"{place}{IN}{unique[0]}")
    else:
        hint = translate("lookup.name-file", language)
    return f"{', '.join(names)}{more}: {hint}"


def _candidate_name(game: FoundGame, unique_ids: Sequence[str], language: str) -> str:
    """The id of a game; where it is, if another one has the same id."""
    if not game.game:
        return translate("lookup.unreadable", language)
    return game.game if game.game in unique_ids else game.name


def warn_of_damage(damaged: Log | Sidecar, line_word: str, language: str) -> None:
    """Say how many lines of a damaged log, or of notes, could be read. `line_word`: what they count as."""
    from spyrium_log.messages import Reader

    lines = count_text(len(damaged.lines), line_word, language)
    why = damaged.complaint and damaged.complaint.text_for(Reader(language, minus="-"))
    warn(translate("damage.first", language, lines=lines, why=why))


def cut_log(log: Log, count: int) -> Log:
    """The log as it was with `count` lines."""
    from dataclasses import replace

    return replace(log, lines=log.lines[:count])


def replay_log(log: Log, at: int | None = None, *, amended: bool = True, language: str = "en") -> Replay:
    """The game as it stands, or as it stood after line `at`; not `amended`, as it was recorded."""
    from spyrium_log.replay import replay

    last = len(log.lines) - 1
    if at is not None and at > last:
        raise Complaint(call_message("line-at", most=last, found=at, place=log.file))
    if log.complaint is not None:
        warn_of_damage(log, "line", language)
    return replay(log, until=at, audit=False, amended=amended)


def suggest_next_step(session: Session) -> str:
    """What somebody who typed `spyrium` alone can do now: go on with a game that is open, or start one."""
    path = _find_open_path(session, LATEST)
    if path is not None:
        players = ", ".join(header_players(read_header(path)))
        return f"Next: `spyrium record` goes on with the game of {players} ({path.stem})."
    if any(list_latest_logs(session.archive)):
        return "Next: `spyrium record` starts a game, `spyrium replay` shows the last one."
    return "Next: `spyrium record` starts a game, `spyrium demo` shows what there is."
