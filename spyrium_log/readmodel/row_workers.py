"""Making the rows of games, as the bytes that DuckDB reads: in this process, or in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from spyrium_log.errors import ReadModelError, SpyriumLogError, StoreError, WorkerError
from spyrium_log.log.codec import Log
from spyrium_log.log.notes import Notes
from spyrium_log.messages import Message, index_message
from spyrium_log.readmodel.tables import COLUMNAR, OF_GAMES, RECORDED, Rows
from spyrium_log.replay import Replay

if TYPE_CHECKING:
    from spyrium_log.readmodel.reader import Recorded
    from spyrium_log.workers import Work, Workers

# Starting a process takes as long as making the rows of this many games.
MIN_GAMES_FOR_WORKERS = 200
# Games that go to a process together: each exchange costs time in which nobody works.
BATCH = 8
# Batches under way for each process, so that none waits for another.
WIDTH = 3

encode_lines = msgspec.json.Encoder().encode_lines


class EncodedGame(NamedTuple):
    """The rows of one game by table, as JSON lines; of the large tables one line of columns.

    `shared` are the rows that games of one title and sheet have in common; `shared_by` names title and sheet.
    """

    game: str
    rows: Mapping[str, bytes]
    shared_by: tuple[str, str]
    shared: Mapping[str, bytes]


def make_rows(file: str, content: str, log: Log, notes: Notes) -> EncodedGame:
    """The rows of a game, as recorded too if that differs, as the bytes to stage; this or another process calls it."""
    # Most updates find no game to read and do without these modules.
    from spyrium_log.readmodel.event_rows import walk_events  # noqa: PLC0415
    from spyrium_log.readmodel.rows import rows_of, sheet_of  # noqa: PLC0415

    walk = walk_events(log)
    rows = rows_of(walk, file=file, content=content, notes=notes)
    lines = {table: _encode_rows(rows, table) for table in OF_GAMES}
    if rows.game[0].amended:
        recorded = rows_of(walk_events(log, amended=False), file=file, content=content)
        lines |= {RECORDED[table]: _encode_rows(recorded, table) for table in RECORDED}
    sheet = sheet_of(walk.replay)
    own = {table: line for table, line in lines.items() if line}
    return EncodedGame(rows.game[0].game, own, (log.title.key, sheet), _encode_shared_rows(walk.replay, sheet))


def _encode_rows(rows: Rows, table: str) -> bytes:
    """The rows of one table as JSON; of a large table all columns in one line."""
    rows_of_table = getattr(rows, table)
    if not rows_of_table:
        return b""
    return encode_lines([rows_of_table] if table in COLUMNAR else rows_of_table)


# Nearly all games of an archive have one of a few sheets.
_SHARED: dict[tuple[str, str], Mapping[str, bytes]] = {}
_MOST_SHARED = 64


def _encode_shared_rows(replay: Replay, sheet: str) -> Mapping[str, bytes]:
    """The rows of the sheet with this digest, of cards and of resources; made once for each title and sheet."""
    key = replay.title.key, sheet
    lines = _SHARED.get(key)
    if lines is None:
        # an archive may have another sheet in each game
        if len(_SHARED) >= _MOST_SHARED:
            _SHARED.clear()
        from spyrium_log.readmodel.rows import card_rows, resource_rows, sheet_rows  # noqa: PLC0415 - see make_rows

        lines = _SHARED[key] = {
            "sheet_value": encode_lines(sheet_rows(sheet, replay.sheet)),
            "card": encode_lines(card_rows(replay.title, replay.sheet)),
            "resource": encode_lines(resource_rows(replay.title)),
        }
    return lines


class Order(NamedTuple):
    """A game as another process reads it: its file, the hash of its bytes, and a function that can be pickled."""

    file: str
    content: str
    read: Callable[[], tuple[Log, Notes]]


# The rows of a game, or why its log was refused: errors with arguments of their own cannot be pickled.
Outcome: TypeAlias = EncodedGame | Message


def _make_batch(orders: Sequence[Order]) -> list[Outcome]:
    """The rows of each game, or why its log was refused: what another process does with a batch."""
    outcomes: list[Outcome] = []
    for file, content, read in orders:
        try:
            outcomes.append(make_rows(file, content, *read()))
        except (SpyriumLogError, OSError) as error:
            outcomes.append(
                error.whole if isinstance(error, SpyriumLogError) else index_message("damaged-file", found=str(error))
            )
    return outcomes


# The processes that make batches of games.
Makers: TypeAlias = "Workers[Sequence[Order], list[Outcome]]"


class RowWorkers:
    """Start making the rows of games, and return functions that wait for them."""

    def __init__(self, processes: int = 1) -> None:
        """Up to so many other processes are started, once there are games enough; with 1, none."""
        self._processes = processes
        self._makers: Makers | None = None
        # games so far, and of how many this process makes the rows before it starts others
        self._begun = 0
        self._most_made_here = MIN_GAMES_FOR_WORKERS
        self._batch: _Batch | None = None

    def close(self) -> None:
        """End the other processes, if any were started."""
        if self._makers is not None:
            self._makers.close()

    @property
    def width(self) -> int:
        """The number of games that may be under way before one is waited for; 0 without other processes."""
        return 0 if self._makers is None else BATCH * WIDTH * self._processes

    def prepare_for(self, games: int | None) -> None:
        """Decide who makes the rows of so many games: of few this process, of many others; of unknown (None) both."""
        self._most_made_here = 0 if games is not None and games > MIN_GAMES_FOR_WORKERS else MIN_GAMES_FOR_WORKERS

    def begin(self, file: str, content: str, game: Recorded) -> Callable[[], EncodedGame]:
        """Begin to make the rows of a game, the first ones in this process; the function returned waits for them."""
        self._begun += 1
        if self._processes <= 1 or game.elsewhere is None or self._begun <= self._most_made_here:
            return lambda: make_rows(file, content, game.log(), game.notes())
        if self._makers is None:
            from spyrium_log.workers import Workers  # noqa: PLC0415 - most updates are small and need none

            self._makers = Workers(_make_batch, self._processes)
        if self._batch is None or self._batch.is_sent:
            self._batch = _Batch(self._makers)
        return self._batch.add(Order(file, content, game.elsewhere))


class _Batch:
    """Games that go to another process together, and come back together."""

    def __init__(self, makers: Makers) -> None:
        """No game yet; the batch is sent to one of these processes when it is full or waited for."""
        self._makers = makers
        self._orders: list[Order] = []
        self._work: Work[list[Outcome]] | None = None
        self._outcomes: list[Outcome] | None = None

    @property
    def is_sent(self) -> bool:
        """Whether the batch is under way, and takes no more games."""
        return self._work is not None

    def add(self, order: Order) -> Callable[[], EncodedGame]:
        """Add a game; the function returned waits for its rows."""
        index = len(self._orders)
        self._orders.append(order)
        if index + 1 == BATCH:
            self._send_once()
        return lambda: self._wait_for(index)

    def _send_once(self) -> Work[list[Outcome]]:
        """Send the batch, unless that was done before, and return the work to wait for."""
        if self._work is None:
            self._work = self._makers.submit(self._orders)
        return self._work

    def _wait_for(self, index: int) -> EncodedGame:
        """The rows of one game; sends the batch if it is not full yet."""
        try:
            if self._outcomes is None:
                self._outcomes = self._send_once().result()
        except WorkerError as error:
            raise ReadModelError(error.message) from None
        outcome = self._outcomes[index]
        # a message is why its log was refused
        if isinstance(outcome, Message):
            raise StoreError(outcome)
        return outcome
