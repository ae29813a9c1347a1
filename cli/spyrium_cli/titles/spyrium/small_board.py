"""The board of Spyrium in few lines: two for a card, one for a player, buildings by their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import Rows, console, grid, text
from spyrium_cli.render.players import Player
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
from spyrium_log.titles.spyrium.deals import CODE_OF_CARD
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.view import BoardView, MatView, SpaceView

CARD_WIDTH = 20
GAP_WIDTH = 7
INDENT = 2
# The parts of the headline: round, first player, this event, the next one.
HEADLINE_PARTS = 4
HEADS = ("money", "spyrium", "points", "active", "market", "used", "phase", "track", "bonus", "built")

Names = Tables


def board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Headline, market, a line a player."""
    names = vocabulary(language)
    yield _headline_on_one_line(view, players, names)
    if view.round:
        yield _market_grid(view, players, names)
    yield _mat_rows(view, players, names)


def _headline_on_one_line(view: BoardView, players: Sequence[Player], names: Names) -> Text:
    """The headline on one line, with the first player behind the round."""
    parts = headline(view, players, names).split(" · ", include_separator=False)
    if len(parts) != HEADLINE_PARTS:
        return text(" · ").join(parts)
    round_, first, *events = parts
    text_before, text_after = names["board"]["first"].split("{player}")
    first_player = (
        text(f" ({text_before}").append_text(first[first.plain.find(": ") + 2 :]).append_text(text(f"{text_after})"))
    )
    return text(" · ").join([round_.append_text(first_player), *events])


def _market_grid(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """The market as a grid, two lines a card."""
    workers_at = workers_by_gap(view)
    table = grid(padding=(0, 1, 0, 0))
    for column in range(5):
        table.add_column(width=GAP_WIDTH if column % 2 else CARD_WIDTH, overflow="fold")
    for row, spaces in enumerate(ROWS):
        table.add_row(
            *(
                _gap_text(number, workers_at.get(number, []), players)
                if column % 2
                else _space_text(view.market[number - 1], names)
                for column, number in enumerate(spaces)
            )
        )
        if row < len(BETWEEN):
            left, middle, right = (
                text(f"   {gap} ", "dim").append_text(workers_in(workers_at.get(gap, []), players))
                for gap in BETWEEN[row]
            )
            table.add_row(left, "", middle, "", right)
    return table


def _space_text(space: SpaceView, names: Names) -> Text:
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


def _gap_text(gap: int, workers: list[tuple[int, int]], players: Sequence[Player]) -> Text:
    """The number of a gap, with the workers in it."""
    return text(f"{gap} ", "dim").append_text(workers_in(workers, players))


def _mat_rows(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """One row a player."""
    table = grid("left", *("right" for _ in range(6)), "left", "right", "left", "left")
    table.padding = (0, 1, 0, 0)
    table.add_row("", *(text(names["short-heads"][head], "dim") for head in HEADS))
    for column in table.columns[1:-1]:
        column.no_wrap = True
    for mat, player in zip(view.mats, players, strict=False):
        table.add_row(*_mat_cells(mat, player, names, is_next=view.awaits.seat == mat.seat))
    return table


def _mat_cells(mat: MatView, player: Player, names: Names, *, is_next: bool) -> Iterator[Text]:
    """The cells of a player's row."""
    labels = names["board"]
    yield text(f"{'>' if is_next else ' '} {player.mark} {player.name}", player.style + (" bold" if is_next else ""))
    for n in (mat.money, mat.spyrium, mat.points, mat.active, mat.in_market, mat.inactive):
        yield quantity(n)
    yield text(labels["passed"] if mat.passed else PHASES.get(mat.phase, str(mat.phase)))
    yield text(f"£{mat.residence}")
    yield text(labels["due"] if mat.bonus_due else bonuses(mat, labels["short-worker"]))
    yield text(" ".join(_owned_codes(mat, names)) or "–")


def _owned_codes(mat: MatView, names: Names) -> Iterator[str]:
    """Buildings by slot and code with the workers on them, then techniques; an apostrophe marks what was used."""
    for built in mat.buildings:
        used = f"'{built.workers or ''}" if built.inclined else ""
        yield f"{built.slot}:{CODE_OF_CARD.get(built.card, built.card)}{used}"
    for card in mat.techniques:
        yield CODE_OF_CARD.get(card, card) + ("'" if card in mat.tilted else "")
    if mat.kept:
        yield names["board"]["kept"].format(tokens="".join(f"({value})" for value in mat.kept))
