"""What is measured: each contender does one well-named thing to its own input and says how many units that was."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import chess
import chess.pgn
import msgspec

from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Decided, Event, EventLine
from spyrium_log.replay import audited, fold, replay, table_of
from spyrium_log.titles import TITLES
from tests.games import game, raw_of
from tests.greedy import greedy_game

SPYRIUM = TITLES["spyrium"]
GAMES = 40
CHESS_GAMES = 24
CHESS_PLIES = 120


@dataclass(frozen=True, slots=True)
class Contender:
    name: str
    unit: str
    units: int
    run: Callable[[], object]


@cache
def logs() -> tuple[Log, ...]:
    """Half by greedy players, half by chance, two to five seats alike."""
    half = GAMES // 2
    greedy = [greedy_game(seed, 2 + seed % 4) for seed in range(half)]
    return (*greedy, *(game("spyrium", seed, 2 + seed % 4) for seed in range(half)))


@cache
def raws() -> tuple[bytes, ...]:
    return tuple(raw_of(log) for log in logs())


def events(log: Log) -> list[Event]:
    return [line for line in log.lines if isinstance(line, EventLine)]


def decisions() -> int:
    return sum(isinstance(line, Decided) for log in logs() for line in log.lines)


def counts() -> dict[str, int]:
    return {
        "games": len(logs()),
        "decisions": decisions(),
        "events": sum(len(events(log)) for log in logs()),
        "bytes": sum(map(len, raws())),
    }


def decode_only() -> None:
    decoder = msgspec.json.Decoder(codec.line_type(SPYRIUM))
    for raw in raws():
        decoder.decode_lines(raw)


def _read_and_fold(*, verify: bool) -> None:
    for raw in raws():
        log = codec.read(io.BytesIO(raw), TITLES, verify=verify)
        fold(SPYRIUM, SPYRIUM.setup(table_of(log.header, log.sheet)), events(log))


def fold_only() -> None:
    for log in logs():
        fold(SPYRIUM, SPYRIUM.setup(table_of(log.header, log.sheet)), events(log))


def audit() -> None:
    """Breaches and effects of every event compared with what it says, and the event folded."""
    for log in logs():
        state = SPYRIUM.setup(table_of(log.header, log.sheet))
        for event in events(log):
            assert not audited(SPYRIUM, state, event)  # noqa: S101 - a benchmark of wrong work measures nothing
            SPYRIUM.evolve(state, event.do, event.moved, event.facts)


def validate() -> None:
    """What `spyrium validate` does to a log: bytes, chain, canonical form, fold, audit."""
    for raw in raws():
        replay(codec.read(io.BytesIO(raw), TITLES))


@cache
def chess_moves() -> tuple[tuple[str, ...], ...]:
    rng = random.Random(1)
    played = []
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        moves: list[str] = []
        while not board.is_game_over() and len(moves) < CHESS_PLIES:
            move = rng.choice(list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
        played.append(tuple(moves))
    return tuple(played)


@cache
def chess_games() -> tuple[str, ...]:
    texts = []
    for moves in chess_moves():
        record = chess.pgn.Game()
        node: chess.pgn.GameNode = record
        for move in moves:
            node = node.add_variation(chess.Move.from_uci(move))
        texts.append(str(record))
    return tuple(texts)


def push_uci() -> None:
    for moves in chess_moves():
        board = chess.Board()
        for move in moves:
            board.push_uci(move)


def replay_pgn() -> None:
    for text in chess_games():
        record = chess.pgn.read_game(io.StringIO(text))
        assert record is not None  # noqa: S101 - as above
        record.end().board()


def contenders() -> list[Contender]:
    ours, theirs = decisions(), sum(map(len, chess_moves()))
    return [
        Contender("msgspec decode", "decision", ours, decode_only),
        Contender("fold", "decision", ours, fold_only),
        Contender("decode + fold", "decision", ours, lambda: _read_and_fold(verify=False)),
        Contender("decode + fold, hashes", "decision", ours, lambda: _read_and_fold(verify=True)),
        Contender("audit + fold", "decision", ours, audit),
        Contender("validate", "decision", ours, validate),
        Contender("python-chess PGN", "move", theirs, replay_pgn),
        Contender("python-chess push_uci", "move", theirs, push_uci),
    ]
