"""Spyrium on a terminal."""

from __future__ import annotations

from functools import partial

from spyrium_cli.titles import Renderer
from spyrium_cli.titles.spyrium import board, cards, demo, small_board
from spyrium_log.title import AnyTitle


def renderer(title: AnyTitle) -> Renderer:
    """What draws Spyrium."""
    return Renderer(
        board=board.board,
        small_board=small_board.board,
        without_scores=board.without_scores,
        cards=partial(cards.cards, title),
        demonstration=demo.demonstration,
    )
