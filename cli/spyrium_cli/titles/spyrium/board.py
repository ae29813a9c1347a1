"""The board of Spyrium, and a small one: two lines for a card, one for a player, buildings by their codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from msgspec import structs
from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import Player, Rows, center, console, frame, grid, text
from spyrium_cli.render.surface import is_screen
from spyrium_cli.render.text import with_minus
from spyrium_log.catalogue import Tables
from spyrium_log.messages import amount_text
from spyrium_log.titles.spyrium.deals import CODE_OF_CARD
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.moves import GAPS
from spyrium_log.titles.spyrium.view import BoardView, BuildingView, MatView, SpaceView

# The widths of a card and of a gap.
WIDTHS = (22, 6)
SMALL_WIDTHS = (20, 7)
# A longer name of a player may be cut.
LONG_NAME = 12
# How far the second line of a card on the small board is indented.
INDENT = 2
# The market, read like a page: rows of spaces and the gaps between them, then the gaps between two rows. A gap is
# named by its two spaces: 12 lies between the spaces 1 and 2.
ROWS: tuple[tuple[int, ...], ...] = ((1, 12, 2, 23, 3), (4, 45, 5, 56, 6), (7, 78, 8, 89, 9))
BETWEEN: tuple[tuple[int, ...], ...] = ((14, 25, 36), (47, 58, 69))
# The width inside a card's box, and the lines of its frame.
INSIDE = WIDTHS[0] - 4
FRAME = 2
LEAST_LINES = 3
WIDTH = 3 * WIDTHS[0] + 2 * WIDTHS[1]
PHASES = {1: "I", 2: "II"}
HEADS = ("money", "spyrium", "points", "active", "market", "used", "phase", "track", "bonus")
# The parts of the headline: round, first player, this event, the next one.
HEADLINE_PARTS = 4
# An amount that is not shown.
HIDDEN = "·"

Names = Tables
# By gap, the workers in it: seat and number.
WorkersAt = dict[int, list[tuple[int, int]]]


def draw_board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Draw headline, market, mats, what each player has built, and the tokens that are left."""
    names = vocabulary(language)
    yield _draw_headline(view, players, names)
    yield text("")
    if is_screen() and console().width < WIDTH:
        yield from _draw_as_lines(view, players, names)
    else:
        yield _draw_market(view, players, names)
        yield text("")
        yield _draw_mats(view, players, names)
    yield from _draw_owned_cards(view, players, names)
    yield text("")
    yield _draw_token_piles(view, names)
    is_any_assumed = any(space.price_is_assumed for space in view.market if space.card)
    if is_any_assumed or any(mat.residence_is_assumed for mat in view.mats) or any(p.assumed for p in players):
        yield text(names["board"]["assumed"], "dim")


def draw_small_board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Draw headline, market, and a line a player."""
    names = vocabulary(language)
    yield _draw_small_headline(view, players, names)
    if view.round:
        workers_at = _group_workers_by_gap(view)
        between = dict.fromkeys((gap for gaps in BETWEEN for gap in gaps), "   ")
        cells = {space.space: _draw_small_space(space, names) for space in view.market}
        cells |= {gap: _draw_gap_on_one_line(gap, workers_at, players, before=between.get(gap, "")) for gap in GAPS}
        yield _draw_market_grid(cells, SMALL_WIDTHS, (0, 1, 0, 0), "top")
    yield _draw_mats(view, players, names, small=True)


def without_scores(view: BoardView) -> BoardView:
    """The view with nobody's points, for a screen that everybody at the table sees."""
    return structs.replace(view, mats=tuple(structs.replace(mat, points=None) for mat in view.mats))


def _draw_headline(view: BoardView, players: Sequence[Player], names: Names) -> Text:
    """One line: round, first player, this round's event and the next one."""
    if not view.round:
        return text(names["board"]["undealt"], "bold")
    first = text(f"#{view.first}")
    if 0 < view.first <= len(players):
        first = text(players[view.first - 1].name, players[view.first - 1].style)
    event = _event_text(view.event, view.event_token, names)
    next_event = _event_text(view.next_event, view.next_token, names)
    values = {"first": first, "event": text(event, "bold"), "next": text(next_event)}
    line = text("")
    for part in _split_headline(names):
        label, _, field = part.rstrip("}").partition("{")
        line.append_text(text(" · " if line else "")).append_text(text(label, "" if field in values else "bold"))
        line.append_text(values.get(field, text(str(view.round), "bold")))
    return line


def _event_text(card: str, token: int, names: Names) -> str:
    """`Crane (3)`: the name of an event, with the token on it if there is one."""
    return names["events"].get(card, card) + (f" ({token})" if token else "")


def _split_headline(names: Names) -> Sequence[str]:
    """`Turn {round}`, `first player: {first}` …: a language's sentence about a deal in parts, without the market."""
    return re.split(r" \(|; ", names["sentences"]["round_dealt"].rstrip(")"))[:-1]


def _draw_small_headline(view: BoardView, players: Sequence[Player], names: Names) -> Text:
    """The headline on one line, with the first player behind the round."""
    parts = _draw_headline(view, players, names).split(" · ", include_separator=False)
    if len(parts) != HEADLINE_PARTS:
        return text(" · ").join(parts)
    round_, first, *events = parts
    text_before, text_after = names["board"]["first"].split("{player}")
    # `first player: Anna` without its label
    name = first[first.plain.find(": ") + len(": ") :]
    first_player = text(f" ({text_before}").append_text(name).append_text(text(f"{text_after})"))
    return text(" · ").join([round_.append_text(first_player), *events])


def _draw_market(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """The market: its cards in boxes on a screen, in plain cells in a pipe."""
    workers_at = _group_workers_by_gap(view)
    cells: dict[int, ConsoleRenderable] = {gap: _draw_gap(gap, workers_at, players) for gap in GAPS}
    for row in ROWS:
        spaces = [view.market[space - 1] for space in row[::2]]
        # all cards of a row are as tall as the tallest
        height = FRAME + max(len(_draw_box_lines(space, names)) for space in spaces)
        cells |= {space.space: _draw_space(space, names, height) for space in spaces}
    if is_screen():
        return _draw_market_grid(cells, WIDTHS, (0, 0, 0, 0), "middle")
    return _draw_market_grid(cells, (None, None), (0, 1, 0, 1), "middle")


def _draw_market_grid(
    cells: Mapping[int, ConsoleRenderable],
    widths: tuple[int | None, int | None],
    padding: tuple[int, int, int, int],
    vertical: Literal["top", "middle"],
) -> Rows:
    """The market as a grid; `cells` by the number of the space or the gap, `widths` of a card and a gap."""
    table = grid(padding=padding)
    for column in range(len(ROWS[0])):
        table.add_column(justify="left", vertical=vertical, width=widths[column % 2], overflow="fold")
    for row, gaps in zip_longest(ROWS, BETWEEN, fillvalue=()):
        table.add_row(*(cells[number] for number in row))
        if gaps:
            left, middle, right = (cells[gap] for gap in gaps)
            table.add_row(left, "", middle, "", right)
    return table


def _draw_card_name(space: SpaceView, names: Names) -> Text:
    """The name of a card with its tokens; a dash for an empty space."""
    name = text(names["cards"].get(space.card, space.card) if space.card else "–", "bold" if space.card else "dim")
    if space.tokens:
        name.append_text(text(" " + "".join(f"({token})" for token in space.tokens)))
    return name


def _draw_space(space: SpaceView, names: Names, height: int) -> ConsoleRenderable:
    """A space of the market: a box with its number on a screen, two lines of text in a pipe."""
    if not is_screen():
        below = text(" ".join(_write_price_and_crowd(space, names)))
        return text(f"{space.space} ").append_text(_draw_card_name(space, names)).append("\n  ").append_text(below)
    name_and_price = text("\n", keep="\n").join(_draw_box_lines(space, names))
    return frame(name_and_price, str(space.space), height)


def _draw_box_lines(space: SpaceView, names: Names) -> Sequence[Text]:
    """The lines inside a card's box: name and tokens, then price and crowd, filled up to LEAST_LINES."""
    name_and_price = (
        _draw_card_name(space, names).append("\n").append_text(text(" ".join(_write_price_and_crowd(space, names))))
    )
    lines = list(name_and_price.wrap(console(), INSIDE))
    return lines + [text("")] * (LEAST_LINES - len(lines))


def _write_price_and_crowd(space: SpaceView, names: Names) -> Iterator[str]:
    """`£4+1` and `2 workers`: what a card costs whoever is to act, and the workers around it, if there are any."""
    if not space.card:
        return
    if space.price is not None:
        yield _write_price(space)
    if space.crowd:
        yield amount_text(space.crowd, "workers", names)


def _write_price(space: SpaceView) -> str:
    """`~£4+1`: the printed price, marked where it is assumed, and what whoever is to act pays or saves beside it."""
    extra = f"{space.extra:+}".replace("-", "−") if space.extra else ""
    return f"{'~' if space.price_is_assumed else ''}£{space.price}{extra}"


def _draw_small_space(space: SpaceView, names: Names) -> Text:
    """`3 Miner (1) £4+2`: a space of the small board, its card with tokens, price and what is paid beside it."""
    if not space.card:
        return text(f"{space.space} –", "dim")
    name = text(names["cards"].get(space.card, space.card), "bold")
    name.append_text(text("".join(f" ({token})" for token in space.tokens)))
    if space.price is not None:
        name.append_text(text(f" {_write_price(space)}"))
    lines = name.wrap(console(), SMALL_WIDTHS[0] - INDENT)
    lines_text = text(f"{space.space} ", "bold")
    for number, line in enumerate(lines):
        lines_text.append_text(text("\n" + " " * INDENT if number else "", keep="\n")).append_text(line)
    return lines_text


def _draw_gap(gap: int, workers_at: WorkersAt, players: Sequence[Player]) -> ConsoleRenderable:
    """The number of a gap with the workers in it: beside it between two rows, below it between the spaces of a row."""
    if any(gap in gaps for gaps in BETWEEN):
        label = text("" if is_screen() else "  ").append_text(_draw_gap_on_one_line(gap, workers_at, players))
    else:
        label = text(str(gap), "dim").append("\n").append_text(_draw_workers(workers_at.get(gap, []), players))
    return center(label) if is_screen() else label


def _draw_gap_on_one_line(gap: int, workers_at: WorkersAt, players: Sequence[Player], before: str = "") -> Text:
    """The number of a gap, with the workers in it beside."""
    return text(f"{before}{gap} ", "dim").append_text(_draw_workers(workers_at.get(gap, []), players))


def _group_workers_by_gap(view: BoardView) -> WorkersAt:
    """The workers in each gap, as a seat and a number for each player there."""
    gaps: WorkersAt = {}
    for workers in view.workers:
        gaps.setdefault(workers.gap, []).append((workers.seat, workers.n))
    return gaps


def _draw_workers(workers: list[tuple[int, int]], players: Sequence[Player]) -> Text:
    """The marks of the players who have workers in a gap, with their number if several."""
    parts = []
    for seat, n in workers:
        player = players[seat - 1]
        parts.append(text(player.mark + (f"×{n}" if n > 1 else ""), player.style))
    return text(" ").join(parts)


def _draw_as_lines(view: BoardView, players: Sequence[Player], names: Names) -> Iterator[Text]:
    """Market and mats as lines of text, for a screen narrower than the market."""
    for space in view.market:
        price_and_crowd = text(f" {' '.join(_write_price_and_crowd(space, names))}")
        yield text(f"{space.space} ").append_text(_draw_card_name(space, names)).append_text(price_and_crowd)
    gaps = _group_workers_by_gap(view)
    if gaps:
        parts = (_draw_gap_on_one_line(gap, gaps, players) for gap in gaps)
        yield text(f"{names['board']['workers']} ").append_text(text(" · ").join(parts))
    heads = [names["heads"][head] for head in HEADS[1:]]
    for mat, player in zip(view.mats, players, strict=False):
        name, money, *cells = _draw_mat_cells(mat, player, names, is_next=view.awaits.seat == mat.seat)
        yield text("")
        yield name.append_text(text(f"  £{money}"))
        yield text(" · ".join(f"{head} {cell}" for head, cell in zip(heads, cells, strict=True)))


def _draw_mats(view: BoardView, players: Sequence[Player], names: Names, *, small: bool = False) -> Rows:
    """One row a player: amounts, workers, phase, residence track, bonuses; on the small board also what was built."""
    table = grid("left", *("right" for _ in range(6)), "left", "right", "left", *(("left",) if small else ()))
    if small:
        table.padding = (0, 1, 0, 0)
        table.add_row("", *(text(names["short-heads"][head], "dim") for head in (*HEADS, "built")))
    else:
        table.add_row("", *(text(names["heads"][head], "bold") for head in HEADS))
    for column in table.columns[1 : 1 + len(HEADS)]:
        column.no_wrap = True
    for mat, player in zip(view.mats, players, strict=False):
        table.add_row(*_draw_mat_cells(mat, player, names, is_next=view.awaits.seat == mat.seat, small=small))
    return table


def _draw_mat_cells(
    mat: MatView, player: Player, names: Names, *, is_next: bool, small: bool = False
) -> Iterator[Text]:
    """The cells of a player's row; the small board has shorter words and a cell for what was built."""
    labels = names["board"]
    mark = f"{'>' if is_next else ' '} {player.mark}{'' if small else ' '}"
    name = text(f"{mark} {player.name}", player.style + (" bold" if small and is_next else ""))
    if len(player.name) > LONG_NAME:
        # cut where there is no room: in several lines it would tear the table apart, and the mark says who it is
        name.no_wrap, name.overflow = True, "ellipsis"
    yield name
    for what in ("money", "spyrium", "points"):
        yield text(_write_amount(getattr(mat, what), is_assumed=what in player.assumed))
    for workers in (mat.active, mat.in_market, mat.inactive):
        yield text(with_minus(str(workers)))
    yield text(labels["passed"] if mat.passed else PHASES.get(mat.phase, str(mat.phase)))
    yield text(f"{'~' if mat.residence_is_assumed else ''}£{mat.residence}")
    worker = labels["short-worker" if small else "worker"]
    # a bonus is five pounds or a worker
    bonuses = " ".join("£5" if bonus == "money" else worker for bonus in mat.bonuses)
    yield text(labels["due"] if mat.bonus_due else bonuses or "–")
    if small:
        yield text(" ".join(_list_owned_codes(mat, names)) or "–")


def _write_amount(n: int | None, *, is_assumed: bool) -> str:
    """An amount, with the sign of what rests on assumed values; a dot for one that is not shown."""
    return HIDDEN if n is None else f"{'~' if is_assumed else ''}{with_minus(str(n))}"


def _list_owned_codes(mat: MatView, names: Names) -> Iterator[str]:
    """Buildings by slot and code with the workers on them, then techniques; an apostrophe marks what was used."""
    for built in mat.buildings:
        used = f"'{built.workers or ''}" if built.inclined else ""
        yield f"{built.slot}:{CODE_OF_CARD.get(built.card, built.card)}{used}"
    for card in mat.techniques:
        yield CODE_OF_CARD.get(card, card) + ("'" if card in mat.tilted else "")
    if mat.kept:
        yield names["board"]["kept"].format(tokens="".join(f"({value})" for value in mat.kept))


def _draw_owned_cards(view: BoardView, players: Sequence[Player], names: Names) -> Iterator[Text]:
    """A line for each player who has any cards: what is built and patented, and the tokens kept."""
    for mat, player in zip(view.mats, players, strict=False):
        owned_texts = [_name_building(built, names) for built in mat.buildings]
        for card in mat.techniques:
            used = f" [{names['board']['inclined']}]" if card in mat.tilted else ""
            owned_texts.append(names["cards"].get(card, card) + used)
        if mat.kept:
            owned_texts.append(names["board"]["kept"].format(tokens=" ".join(f"({value})" for value in mat.kept)))
        if owned_texts:
            yield text(f"  {player.mark}  ", player.style).append_text(text(" · ".join(owned_texts)))


def _name_building(built: BuildingView, names: Names) -> str:
    """A building by slot and name; in brackets whether it was used, and with how many workers."""
    name = f"{built.slot} {names['cards'].get(built.card, built.card)}"
    if not built.inclined:
        return name
    workers = f", {amount_text(built.workers, 'workers', names)}" if built.workers else ""
    return f"{name} [{names['board']['inclined']}{workers}]"


def _draw_token_piles(view: BoardView, names: Names) -> Text:
    """The tokens in the reserve and in the discard pile, on one line."""
    left, out = (
        "  ".join(f"({value})×{n}" for value, n in enumerate(pile, 1)) for pile in (view.reserve, view.discard)
    )
    return text(names["board"]["left"].format(left=left, out=out))
