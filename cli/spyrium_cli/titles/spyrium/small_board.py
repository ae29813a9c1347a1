"""The board of Spyrium in few lines: two for a card, one for a player, buildings by their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import Rows, console, grid, text
from spyrium_cli.titles.spyrium.board import (
    BETWEEN,
    PHASES,
    ROWS,
    bonuses,
    headline,
    quantity,
    workers_by_gap,
    workers_in,
)
from spyrium_log.catalogue import Tables
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.shorthand import CODES

if TYPE_CHECKING:
    from spyrium_cli.render.players import Player
    from spyrium_log.titles.spyrium.view import BoardView, MatView, SpaceView

CARD_WIDTH = 20
GAP_WIDTH = 7
INDENT = 2
# The parts of the headline: round, first player, this event, the next one.
HEADLINE = 4
SHORT = {card: code for code, card in CODES.items()}
HEADS = ("money", "spyrium", "points", "active", "market", "used", "phase", "track", "bonus", "built")

Names = Tables


def board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Headline, market, a line a player."""
    names = vocabulary(language)
    yield _headline(view, players, names)
    if view.round:
        yield _market(view, players, names)
    yield _mats(view, players, names)


def _headline(view: BoardView, players: Sequence[Player], names: Names) -> Text:
    """The headline on one line, with the first player behind the round."""
    parts = headline(view, players, names).split(" · ", include_separator=False)
    if len(parts) != HEADLINE:
        return text(" · ").join(parts)
    round_, first, *events = parts
    before, after = names["board"]["first"].split("{player}")
    begins = text(f" ({before}").append_text(first[first.plain.find(": ") + 2 :]).append_text(text(f"{after})"))
    return text(" · ").join([round_.append_text(begins), *events])


def _market(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """The market as a grid, two lines a card."""
    here = workers_by_gap(view)
    table = grid(padding=(0, 1, 0, 0))
    for column in range(5):
        table.add_column(width=GAP_WIDTH if column % 2 else CARD_WIDTH, overflow="fold")
    for row, spaces in enumerate(ROWS):
        table.add_row(
            *(
                _gap(place, here.get(place, []), players) if column % 2 else _space(view.market[place - 1], names)
                for column, place in enumerate(spaces)
            )
        )
        if row < len(BETWEEN):
            one, two, three = (
                text(f"   {gap} ", "dim").append_text(workers_in(here.get(gap, []), players)) for gap in BETWEEN[row]
            )
            table.add_row(one, "", two, "", three)
    return table


def _space(space: SpaceView, names: Names) -> Text:
    """The number of a space, its card with tokens, and the price."""
    if not space.card:
        return text(f"{space.space} –", "dim")
    name = text(names["cards"].get(space.card, space.card), "bold")
    name.append_text(text("".join(f" ({token})" for token in space.tokens)))
    if space.price is not None:
        crowd = f"+{space.crowd}" if space.crowd else ""
        # the price and what the crowd adds stay together
        name.append_text(text(f" {'~' if space.price_is_assumed else ''}£{space.price}{crowd}"))
    lines = name.wrap(console(), CARD_WIDTH - INDENT)
    lines_text = text(f"{space.space} ", "bold")
    for number, line in enumerate(lines):
        lines_text.append_text(text("\n" + " " * INDENT if number else "", keep="\n")).append_text(line)
    return lines_text


def _gap(gap: int, workers: list[tuple[int, int]], players: Sequence[Player]) -> Text:
    return text(f"{gap} ", "dim").append_text(workers_in(workers, players))


def _mats(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """One row a player."""
    table = grid("left", *("right" for _ in range(6)), "left", "right", "left", "left")
    table.padding = (0, 1, 0, 0)
    table.add_row("", *(text(names["short-heads"][head], "dim") for head in HEADS))
    for column in table.columns[1:-1]:
        column.no_wrap = True
    for mat, player in zip(view.mats, players, strict=False):
        table.add_row(*_mat(mat, player, names, is_next=view.awaits.seat == mat.seat))
    return table


def _mat(mat: MatView, player: Player, names: Names, *, is_next: bool) -> Iterator[Text]:
    """The cells of a player's row."""
    labels = names["board"]
    yield text(f"{'>' if is_next else ' '} {player.mark} {player.name}", player.style + (" bold" if is_next else ""))
    for n in (mat.money, mat.spyrium, mat.points, mat.active, mat.in_market, mat.inactive):
        yield quantity(n)
    yield text(labels["passed"] if mat.passed else PHASES.get(mat.phase, str(mat.phase)))
    yield text(f"£{mat.residence}")
    yield text(labels["due"] if mat.bonus_due else bonuses(mat, labels["short-worker"]))
    yield text(" ".join(_owned(mat, names)) or "–")


def _owned(mat: MatView, names: Names) -> Iterator[str]:
    """Buildings by slot and code with the workers on them, then techniques; an apostrophe marks what was used."""
    for built in mat.buildings:
        used = f"'{built.workers or ''}" if built.inclined else ""
        yield f"{built.slot}:{SHORT.get(built.card, built.card)}{used}"
    for card in mat.techniques:
        yield SHORT.get(card, card) + ("'" if card in mat.tilted else "")
    if mat.kept:
        yield names["board"]["kept"].format(tokens="".join(f"({value})" for value in mat.kept))
