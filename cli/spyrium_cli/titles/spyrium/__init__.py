"""Spyrium on a terminal."""

from __future__ import annotations

from functools import partial
from importlib import resources

from spyrium_cli.titles import Demonstration, Renderer
from spyrium_cli.titles.spyrium import board, cards
from spyrium_log.title import AnyTitle

# Where points come from, a line a player.
QUESTION = """\
SELECT player, why, sum(amount)::INT AS points
FROM ledger JOIN seat USING (game, seat)
WHERE what = 'points' GROUP BY ALL ORDER BY points DESC LIMIT 5"""


def make_renderer(title: AnyTitle) -> Renderer:
    """The functions that draw Spyrium on a terminal."""
    return Renderer(
        board=board.draw_board,
        small_board=board.draw_small_board,
        without_scores=board.without_scores,
        cards=partial(cards.list_cards, title),
        demonstration=make_demonstration,
    )


def make_demonstration() -> Demonstration:
    """The game of `demo.txt`, and what is shown of it."""
    lines = resources.files(__package__).joinpath("demo.txt").read_text(encoding="utf-8").splitlines()
    return Demonstration(
        players="Anna,Bob,Cy",
        moves=[line for line in lines if not line.startswith("#")],
        typed=3,
        refused="cy: a12.1",
        mistake="cy: p12",
        replayed=6,
        shown=36,
        question="Ask: where do the points come from?",
        sql=QUESTION,
    )
