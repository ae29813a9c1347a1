"""python-chess: games by chance, replayed from PGN, and move by move with every rule checked."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn

from benchmarks.contender import Contender
from benchmarks.inputs import Scale


def played(scale: Scale) -> list[list[str]]:
    rng = random.Random(1)
    games = []
    for _ in range(scale.chess_games):
        board = chess.Board()
        moves: list[str] = []
        while not board.is_game_over() and len(moves) < scale.plies:
            move = rng.choice(list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
        games.append(moves)
    return games


def as_pgn(moves: list[str]) -> str:
    record = chess.pgn.Game()
    node: chess.pgn.GameNode = record
    for move in moves:
        node = node.add_variation(chess.Move.from_uci(move))
    return str(record)


def contenders(scale: Scale) -> list[Contender]:
    games = played(scale)
    texts = [as_pgn(moves) for moves in games]
    units = sum(map(len, games))

    def push_uci() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)

    def replay_pgn() -> None:
        for text in texts:
            record = chess.pgn.read_game(io.StringIO(text))
            assert record is not None  # noqa: S101 - a benchmark of wrong work measures nothing
            record.end().board()

    return [
        Contender("python-chess PGN", "text", "move", units, replay_pgn),
        Contender("python-chess push_uci", "UCI moves, each checked", "move", units, push_uci),
    ]
