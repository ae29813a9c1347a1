"""`spyrium sheet cards`: the cards of a title by id."""

from __future__ import annotations

from itertools import groupby

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.options import option, title_option
from spyrium_cli.render.paper import console, draw, grid, text
from spyrium_cli.render.rows import formats, write
from spyrium_cli.session import FOR_PEOPLE, Session
from spyrium_cli.titles import Cards, find_renderer

# The index of the only column that may be broken over lines.
NAME = 1
# A narrower screen gets a card as lines of name and value.
NARROW = 80

EPILOG = """\b
Examples:
  spyrium sheet cards
  spyrium sheet cards --seats 4
  spyrium sheet cards --format csv

~ stands before a value that nobody has checked against the printed card; csv and json name the source of each.
Copies are by period: a for rounds 1 to 3, b for 4 and 5, c for 6."""


@click.command("cards", cls=Command, epilog=EPILOG)
@option("--seats", "players", type=int, metavar="N")
@title_option
@formats()
@pass_session
def command(session: Session, players: int | None, form: str) -> None:
    """List the cards by the ids that a deal names."""
    title = session.title
    if players is not None and players not in title.seats:
        raise click.UsageError(f"expected {title.seats[0]} to {title.seats[-1]} players, found {players}")
    cards = find_renderer(title).cards(players, session.language_of(title, form))
    if form == "table" and console().width >= NARROW:
        _draw_cards(cards)
    elif form in FOR_PEOPLE:
        write(cards.heads, [card.cells for card in cards.cards], form)
    else:
        rows = [card.fields for card in cards.cards]
        write(list(rows[0]), [list(row.values()) for row in rows], form, null="")


def _draw_cards(cards: Cards) -> None:
    """Draw the cards as one table, grouped by kind."""
    table = grid(*cards.alignment)
    for index, column in enumerate(table.columns):
        column.no_wrap = index != NAME
    for kind, group in groupby(cards.cards, key=lambda card: card.kind):
        table.add_row(*(text(head, "bold") for head in (kind, *cards.heads[1:])))
        for card in group:
            table.add_row(*(text(cell) for cell in card.cells))
    draw(table)
