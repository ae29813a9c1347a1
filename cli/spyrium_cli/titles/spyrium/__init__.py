"""Spyrium on a terminal: its board, its cards for whoever writes a deal down, and a demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import resources
from typing import Literal

from spyrium_cli.sheets.lookup import format_value
from spyrium_cli.titles import Card, Cards, Demonstration, Renderer, make_value_fields
from spyrium_cli.titles.spyrium import board
from spyrium_log.catalogue import read_page
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle, Table
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, EVENTS_WITH_TOKEN, KINDS, PERIODS
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.rules.deal import count_tokens_needed

# Where points come from, a line a player.
QUESTION = (
    "SELECT player, why, sum(amount)::INT AS points FROM ledger JOIN seat USING (game, seat)"
    " WHERE what = 'points' GROUP BY ALL ORDER BY points DESC LIMIT 5"
)
PRINTED = ("price", "points", "symbols", *(f"copies-{period}" for period in PERIODS))
HEADS = ("id", "name", "money", "points", "symbols", "tokens", "copies", "does")
ALIGNMENT: Sequence[Literal["left", "right"]] = ("left", "left", "right", "right", "left", "left", "left", "left")

LEGEND = """\
act  mkt  used      workers who are active, in the market, used up
ph  track  bonus    phase; what the residence pays; bonuses still to be taken
built 1:m3 3:l2'1   slot and card of each building; ' used, with 1 worker
2 Apprentice £0+3   its price, and what whoever is to act pays beside it, as
                    things are: other workers, a new site, the least token
~                   assumed: nobody has checked it against the printed card
>                   whose turn it is; behind a move: enters phase II with it"""


def make_renderer(title: AnyTitle) -> Renderer:
    """The functions that draw Spyrium on a terminal."""
    return Renderer(
        board=board.draw_board,
        small_board=board.draw_small_board,
        without_scores=board.without_scores,
        cards=partial(list_cards, title),
        demonstration=make_demonstration,
        legend=lambda language: read_page(__name__, "legend", language) or LEGEND,
    )


def make_demonstration() -> Demonstration:
    """The game of `demo.txt`, and what is shown of it: the numbers are moves of that file and events of that game."""
    lines = resources.files(__package__).joinpath("demo.txt").read_text(encoding="utf-8").splitlines()
    return Demonstration(
        players="Anna,Bob,Cy",
        moves=[line for line in lines if not line.startswith("#")],
        typed=3,
        refused="cy: a12.1",
        mistake="cy: p12",
        replayed=6,
        shown=36,
        sql=QUESTION,
    )


def list_cards(title: AnyTitle, players: int | None, language: str) -> Cards:
    """Every card of the market, then the events: what is printed on each, and what it does.

    `players`: the tokens for so many; None: for each number of them.
    """
    sheet, names = title.sheet(), vocabulary(language)
    rows = sheet.rows_by_key()
    goods = tuple(title.start)
    # how many tokens a card gets depends on the number of players
    states = {
        seats: title.setup(Table(start=(goods,) * seats, first=1, options=title.options(), sheet=sheet))
        for seats in title.seats
    }
    card_rows = []
    for card in CARDS:
        printed = {what: rows[card, what] for what in PRINTED if (card, what) in rows}
        tokens = {seats: count_tokens_needed(state, card) for seats, state in states.items()}
        card_rows.append(_make_card(card, KINDS[card], printed, tokens, players, language))
    for event in EVENTS:
        tokens = dict.fromkeys(title.seats, int(event in EVENTS_WITH_TOKEN))
        card_rows.append(_make_card(event, "event", {}, tokens, players, language))
    heads = [names["heads"][head] for head in HEADS]
    return Cards(heads=heads, alignment=ALIGNMENT, cards=card_rows, last_below=True)


def _make_card(
    card: str, kind: str, printed: dict[str, Printed], tokens: dict[int, int], players: int | None, language: str
) -> Card:
    """One card; `tokens` is how many lie on it, by number of players."""
    names = vocabulary(language)
    name = names["events" if kind == "event" else "cards"][card]
    *value_cells, copies = _make_value_cells(printed, language)
    cells = [card, name, *value_cells, _make_tokens_cell(tokens, players, language), copies, names["does"][card]]
    fields = {"card": card, "name": name, "kind": kind, **make_value_fields(printed, PRINTED)}
    if players is not None:
        fields["tokens"] = tokens[players]
    else:
        fields |= {f"tokens_{seats}": n for seats, n in tokens.items()}
    fields["does"] = names["does"][card]
    return Card(card=card, kind=names["kinds"][kind], cells=cells, fields=fields)


def _make_value_cells(printed: dict[str, Printed], language: str) -> Sequence[str]:
    """Price, points, symbols, copies in as few letters as say it: `~3` is assumed, `a3` three in the first period."""
    values = {what: format_value(row) for what, row in printed.items()}
    names = vocabulary(language)["symbols"]
    symbols = "+".join(names.get(symbol, symbol) for symbol in values.get("symbols", "").split("+"))
    copies = {period: printed.get(f"copies-{period}") for period in PERIODS}
    counts = " ".join(f"{period}{format_value(row)}" for period, row in copies.items() if row and row.value)
    return [values.get("price", ""), values.get("points", ""), symbols, counts]


def _make_tokens_cell(tokens: dict[int, int], players: int | None, language: str) -> str:
    """An event's token, '' for none; `players−1` where it depends on their number and nobody named that."""
    if players is not None:
        return str(tokens[players] or "")
    counts = set(tokens.values())
    return str(counts.pop() or "") if len(counts) == 1 else vocabulary(language)["board"]["one-less"]
