"""`spyrium sheet cards`: the cards of a title by id."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.options import option, title_option
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_cli.titles import Cards

# The column that may be broken over lines.
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
    from spyrium_cli.render.paper import console
    from spyrium_cli.render.rows import write
    from spyrium_cli.titles import renderer

    title = session.title
    if players is not None and players not in title.seats:
        raise click.UsageError(f"expected {title.seats[0]} to {title.seats[-1]} players, found {players}")
    language = session.language_of(title, form)
    known = renderer(title).cards(players, language)
    if form == "table" and console().width >= NARROW:
        _draw(known)
    elif form in {"table", "md"}:
        write(known.heads, [card.cells for card in known.cards], form)
    else:
        rows = [card.fields for card in known.cards]
        write(list(rows[0]), [list(row.values()) for row in rows], form, null="")


def _draw(known: Cards) -> None:
    """Draw the cards, grouped by kind."""
    from spyrium_cli.render.paper import draw, grid, text

    table = grid(*known.alignment)
    for index, column in enumerate(table.columns):
        column.no_wrap = index != NAME
    for kind, cards in groupby(known.cards, key=lambda card: card.kind):
        table.add_row(*(text(head, "bold") for head in (kind, *known.heads[1:])))
        for card in cards:
            table.add_row(*(text(cell) for cell in card.cells))
    draw(table)
