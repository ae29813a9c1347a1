"""Reading the files of an archive in order: each game from one file, and a reason for what is unusable."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from spyrium_log.errors import ReadModelError, SpyriumLogError
from spyrium_log.log.codec import Log
from spyrium_log.log.notes import Notes
from spyrium_log.messages import Message, index_message
from spyrium_log.readmodel.row_workers import EncodedGame, RowWorkers
from spyrium_log.readmodel.tables import PositionRow
from spyrium_log.readmodel.writing import Stage


class Recorded(NamedTuple):
    """One game of a file: its id if that can be told without reading on, and how to read it.

    `content` is the hash of its bytes, '' where it is the only game and its bytes are the file's. `elsewhere`: what
    another process can read it by, if one can. `read_id` reads the id alone, '' where that cannot be read; it is for
    whoever wants no more.
    """

    game: str
    content: str
    log: Callable[[], Log]
    notes: Callable[[], Notes] = Notes
    elsewhere: Callable[[], tuple[Log, Notes]] | None = None
    read_id: Callable[[], str] | None = None


class Source(NamedTuple):
    """One file: its name, the games in it, the hash of its bytes ('' if nobody knows).

    `stamp` is what the disk says of it: while that stays the same, nobody hashes it. '' where it proves nothing.
    `many`: how many games, None if nobody knows.
    """

    name: str
    digest: Callable[[], str]
    games: Callable[[], Iterable[Recorded]]
    stamp: str = ""
    many: int | None = 1


class Unusable(Struct, frozen=True):
    """A game or a file that is in no table, and why."""

    file: str
    message: Message

    @property
    def why(self) -> str:
        """Why, in English."""
        return str(self.message)


class _Step(NamedTuple):
    """Work that was started and has to be finished in order; a file is a step, too."""

    end: Callable[[], None]
    is_game: bool = True


class Reader:
    """Read files in the order of their names onto a stage. Of two logs of one game the first by name counts.

    `known`: the games that the tables have of the files to be read again; those with the same bytes stay there.

    Where other processes make rows, the reader is some games ahead of the stage. A step acts on the reader as it is
    when the step ends, so it keeps no reference to what a batch replaces. The positions are complete once all steps
    have ended.
    """

    def __init__(self, workers: RowWorkers, stage: Stage, known: Mapping[str, Mapping[str, str]]) -> None:
        """Nothing is read yet: all known games are stale until they are found unchanged."""
        self._workers = workers
        self._stage = stage
        self._known = known
        self._unusable: dict[tuple[str, str], Message] = {}
        self._refused: Counter[str] = Counter()
        self._finished: list[tuple[Source, str]] = []
        self.stale = {game for games in known.values() for game in games}
        self.unchanged: set[str] = set()
        # by file: the number of its games that the tables have from a file before it from now on
        self.displaced: Counter[str] = Counter()
        # the number of games whose rows are new
        self.taken = 0
        self.forget_owners()

    def forget_owners(self) -> None:
        """Forget the owners of loaded games, which the tables know: memory does not grow with the archive."""
        self.owners: dict[str, str] = {}
        self.dropped: set[str] = set()
        # By game the files that have it too, while its owner may still change.
        self._late: dict[str, list[str]] = {}

    def list_positions(self) -> Iterator[PositionRow]:
        """Where the index stands with each file that was read; only then all refused games are known."""
        for source, digest in self._finished:
            yield PositionRow(source.name, digest, source.stamp, self._refused[source.name])

    def read_games(self, sources: Iterable[tuple[Source, str]]) -> Iterator[int]:
        """Read all games of these files, each with its hash; yields after each game how many are on the stage."""
        # A file itself comes after its last game.
        under_way: deque[_Step] = deque()
        for source, digest in sources:
            if not is_utf8(source.name):
                self._leave_out_unnamable(source.name)
                continue
            for recorded in self._read_games_while_readable(source, under_way):
                under_way.append(_Step(self._begin_game(source.name, recorded, recorded.content or digest)))
                yield from self._end_steps(under_way, self._workers.width)
            under_way.append(_Step(partial(self._finished.append, (source, digest)), is_game=False))
        yield from self._end_steps(under_way, most=0)

    def _leave_out_unnamable(self, name: str) -> None:
        """Note why no game of a file is in the tables, which cannot hold its name; so it gets no position either."""
        self._unusable[name.encode(errors="replace").decode(), ""] = index_message("file-name")

    def _read_games_while_readable(self, source: Source, under_way: deque[_Step]) -> Iterator[Recorded]:
        """The games of a file as far as it can be read; what is wrong with it is noted in its turn."""
        try:
            yield from source.games()
        except (SpyriumLogError, OSError) as error:
            under_way.append(
                _Step(partial(self._leave_out, source.name, "", index_message("damaged-file", found=str(error))))
            )

    def _end_steps(self, under_way: deque[_Step], most: int) -> Iterator[int]:
        """End the oldest steps until at most so many are under way; yields after each game how many are staged."""
        while len(under_way) > most:
            step = under_way.popleft()
            step.end()
            if step.is_game:
                yield len(self._stage.games)

    def _begin_game(self, name: str, recorded: Recorded, content: str) -> Callable[[], None]:
        """Begin to read a game and return what ends it; one with unchanged bytes is kept as it is."""
        if recorded.game and self._known.get(name, {}).get(recorded.game) == content:
            return partial(self._keep_indexed, name, recorded.game)
        return partial(self._stage_rows, name, recorded.game, self._workers.begin(name, content, recorded))

    def _keep_indexed(self, name: str, game: str) -> None:
        """Leave the rows of a game in the tables, unless another file owns it by now."""
        if self._leave_out_duplicate(name, game):
            return
        self.owners[game] = name
        self.unchanged.add(game)
        self.stale.discard(game)

    def _stage_rows(self, name: str, game: str, wait_for_rows: Callable[[], EncodedGame]) -> None:
        """Wait for the rows of a game and stage them, unless another file owns it or it was refused."""
        try:
            rows = wait_for_rows()
        except ReadModelError:
            # that is not about the log
            raise
        except (SpyriumLogError, OSError) as error:
            found = error.whole if isinstance(error, SpyriumLogError) else str(error)
            self._leave_out(name, game, index_message("damaged-file", found=found))
            return
        if self._leave_out_duplicate(name, rows.game):
            return
        self.owners[rows.game] = name
        self.taken += 1
        self._stage.add(rows)

    def _leave_out_duplicate(self, name: str, game: str) -> bool:
        """Leave a game out if a file read earlier has it already; returns whether that is so."""
        if game not in self.owners:
            return False
        self._leave_out(name, game, _make_duplicate_message(name, game, self.owners[game]))
        self._late.setdefault(game, []).append(name)
        return True

    def decide_owners(self, owners: Mapping[str, str], outdated: Collection[str]) -> None:
        """Decide between a staged game and the same one in the tables: the file whose name is first owns it.

        `owners` are the files of the games in the tables; of the `outdated` ones all games are read again or gone.
        """
        for game, owner in owners.items():
            name = self.owners[game]
            if owner in outdated:
                continue
            if owner <= name:
                self.dropped.add(game)
                self.taken -= 1
                # files that have it later are refused with this owner, too
                self.owners[game] = owner
                self._leave_out(name, game, _make_duplicate_message(name, game, owner))
                for later_file in self._late.get(game, ()):
                    self._unusable[later_file, game] = _make_duplicate_message(later_file, game, owner)
            else:
                self.stale.add(game)
                self.displaced[owner] += 1
                self._leave_out(owner, game, _make_duplicate_message(owner, game, name))

    def _leave_out(self, name: str, game: str, why: Message) -> None:
        """Note why a game is in no table, for the complaints and for the position of its file."""
        self._unusable[name, game] = why
        self._refused[name] += 1

    def list_unusable(self) -> tuple[Unusable, ...]:
        """The games and files that could not be used, and why, in the order of files."""
        return tuple(Unusable(file, self._unusable[file, game]) for file, game in sorted(self._unusable))


def _make_duplicate_message(name: str, game: str, owner: str) -> Message:
    """The complaint about a game that another file, or the same one, has already."""
    if owner == name:
        return index_message("game-again", game=game)
    return index_message("game-elsewhere", game=game, owner=owner)


def is_utf8(name: str) -> bool:
    """Whether the name of a file is UTF-8, as a column must be: on the disk it may have any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
