"""The board of Spyrium."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import structs
from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import Rows, centred, console, framed, grid, text
from spyrium_cli.render.players import Player
from spyrium_cli.render.surface import is_screen
from spyrium_cli.render.text import minus
from spyrium_log.catalogue import Tables
from spyrium_log.messages import amount_text
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.view import BoardView, BuildingView, MatView, SpaceView

CARD_WIDTH = 22
GAP_WIDTH = 6
# The market, read like a page: rows of spaces and the gaps between them, then the gaps between two rows. A gap is
# named by its two spaces: 12 lies between the spaces 1 and 2.
ROWS: tuple[tuple[int, ...], ...] = ((1, 12, 2, 23, 3), (4, 45, 5, 56, 6), (7, 78, 8, 89, 9))
BETWEEN: tuple[tuple[int, ...], ...] = ((14, 25, 36), (47, 58, 69))
# The width inside a card's box, and the lines of its frame.
INSIDE = CARD_WIDTH - 4
FRAME = 2
LEAST_LINES = 3
WIDTH = 3 * CARD_WIDTH + 2 * GAP_WIDTH
PHASES = {1: "I", 2: "II"}
HEADS = ("money", "spyrium", "points", "active", "market", "used", "phase", "track", "bonus")
# An amount that is not shown.
HIDDEN = "·"

Names = Tables


def board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Draw headline, market, mats, what each player has built, and the tokens that are left."""
    names = vocabulary(language)
    yield headline(view, players, names)
    yield text("")
    if is_screen() and console().width < WIDTH:
        yield from _board_as_lines(view, players, names)
    else:
        yield _market_grid(view, players, names)
        yield text("")
        yield _mat_rows(view, players, names)
    yield from _owned_lines(view, players, names)
    yield text("")
    yield _token_piles(view, names)
    if any(space.price_is_assumed for space in view.market if space.card):
        yield text(names["board"]["assumed"], "dim")


def without_scores(view: BoardView) -> BoardView:
    """The view with nobody's points."""
    return structs.replace(view, mats=tuple(structs.replace(mat, points=None) for mat in view.mats))


def quantity(n: int | None) -> Text:
    """An amount; a dot for one that is hidden."""
    return text(HIDDEN if n is None else minus(str(n)))


def headline(view: BoardView, players: Sequence[Player], names: Names) -> Text:
    """Round, first player, this round's event and the next one."""
    if not view.round:
        return text(names["board"]["undealt"], "bold")
    event = _event_with_token(names["events"].get(view.event, view.event), view.event_token)
    next_event = _event_with_token(names["events"].get(view.next_event, view.next_event), view.next_token)
    first = _player_name(players[view.first - 1]) if 0 < view.first <= len(players) else text(f"#{view.first}")
    values = {"first": first, "event": text(event, "bold"), "next": text(next_event)}
    line = text("")
    for part in _headline_parts(names):
        label, _, field = part.rstrip("}").partition("{")
        line.append_text(text(" · " if line else "")).append_text(text(label, "" if field in values else "bold"))
        line.append_text(values.get(field, text(str(view.round), "bold")))
    return line


def _headline_parts(names: Names) -> Sequence[str]:
    """`Turn {round}`, `first player: {first}` …: an edition's sentence about a deal, without the market."""
    return re.split(r" \(|; ", names["sentences"]["round_dealt"].rstrip(")"))[:-1]


def _event_with_token(card: str, token: int) -> str:
    """An event, with its token in brackets if it has one."""
    return f"{card} ({token})" if token else card


def _player_name(player: Player) -> Text:
    """The name of a player in the style of the pieces."""
    return text(player.name, player.style)


# --- the market ----------------------------------------------------------------------------------


def _market_grid(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """The market as a grid of cards, with the workers in the gaps between them."""
    workers_at = workers_by_gap(view)
    table = grid(padding=(0, 0, 0, 0) if is_screen() else (0, 1, 0, 1))
    for column in range(5):
        width = (GAP_WIDTH if column % 2 else CARD_WIDTH) if is_screen() else None
        table.add_column(justify="left", vertical="middle", width=width, overflow="fold")
    for row, spaces in enumerate(ROWS):
        # All cards of a row are as tall as the tallest.
        height = FRAME + max(len(_box_lines(view.market[space - 1], names)) for space in spaces[::2])
        table.add_row(
            *(
                _gap_cell(number, workers_at.get(number, []), players)
                if is_gap
                else _space_box(view.market[number - 1], names, height)
                for number, is_gap in zip(spaces, (False, True, False, True, False), strict=True)
            )
        )
        if row < len(BETWEEN):
            left, middle, right = (_cell_between_rows(gap, workers_at.get(gap, []), players) for gap in BETWEEN[row])
            table.add_row(left, "", middle, "", right)
    return table


def _card_name(space: SpaceView, names: Names) -> Text:
    """The name of a card with its tokens."""
    name = text(names["cards"].get(space.card, space.card) if space.card else "–", "bold" if space.card else "dim")
    if space.tokens:
        name.append_text(text(" " + "".join(f"({token})" for token in space.tokens)))
    return name


def _space_box(space: SpaceView, names: Names, height: int) -> ConsoleRenderable:
    """A space of the market: a box with its number on a screen, two lines of text in a pipe."""
    if not is_screen():
        below = text(" ".join(_price_and_crowd(space, names)))
        return text(f"{space.space} ").append_text(_card_name(space, names)).append("\n  ").append_text(below)
    name_and_price = text("\n", keep="\n").join(_box_lines(space, names))
    return framed(name_and_price, str(space.space), height)


def _box_lines(space: SpaceView, names: Names) -> Sequence[Text]:
    """The lines in a card's box."""
    name_and_price = _card_name(space, names).append("\n").append_text(text(" ".join(_price_and_crowd(space, names))))
    lines = list(name_and_price.wrap(console(), INSIDE))
    return lines + [text("")] * (LEAST_LINES - len(lines))


def _price_and_crowd(space: SpaceView, names: Names) -> Iterator[str]:
    """The price of a card and the workers around it."""
    if not space.card:
        return
    if space.price is not None:
        yield f"{'~' if space.price_is_assumed else ''}£{space.price}"
    if space.crowd:
        yield amount_text(space.crowd, "workers", names)


def _gap_cell(gap: int, workers: list[tuple[int, int]], players: Sequence[Player]) -> ConsoleRenderable:
    """The number of a gap between two spaces of a row, with the workers in it below."""
    label = text(str(gap), "dim").append("\n").append_text(workers_in(workers, players))
    return centred(label) if is_screen() else label


def _cell_between_rows(gap: int, workers: list[tuple[int, int]], players: Sequence[Player]) -> ConsoleRenderable:
    """The number of a gap between two rows, with the workers in it beside."""
    label = text(f"{gap} ", "dim").append_text(workers_in(workers, players))
    return centred(label) if is_screen() else text("  ").append_text(label)


def workers_by_gap(view: BoardView) -> dict[int, list[tuple[int, int]]]:
    """The workers in each gap: seat and number."""
    gaps: dict[int, list[tuple[int, int]]] = {}
    for workers in view.workers:
        gaps.setdefault(workers.gap, []).append((workers.seat, workers.n))
    return gaps


def workers_in(workers: list[tuple[int, int]], players: Sequence[Player]) -> Text:
    """The marks of the players who have workers in a gap."""
    parts = []
    for seat, n in workers:
        player = players[seat - 1]
        parts.append(text(player.mark + (f"×{n}" if n > 1 else ""), player.style))
    return text(" ").join(parts)


# --- a narrow screen -----------------------------------------------------------------------------


def _board_as_lines(view: BoardView, players: Sequence[Player], names: Names) -> Iterator[Text]:
    """Market and mats as lines of text, for a screen narrower than the market."""
    for space in view.market:
        price_and_crowd = text(f" {' '.join(_price_and_crowd(space, names))}")
        yield text(f"{space.space} ").append_text(_card_name(space, names)).append_text(price_and_crowd)
    gaps = workers_by_gap(view)
    if gaps:
        parts = (
            text(f"{gap} ", "dim").append_text(workers_in(workers_at, players)) for gap, workers_at in gaps.items()
        )
        yield text(f"{names['board']['workers']} ").append_text(text(" · ").join(parts))
    heads = [names["heads"][head] for head in HEADS[1:]]
    for mat, player in zip(view.mats, players, strict=False):
        name, money, *cells = _mat_cells(mat, player, names, is_next=view.awaits.seat == mat.seat)
        yield text("")
        yield name.append_text(text(f"  £{money}"))
        yield text(" · ".join(f"{head} {cell}" for head, cell in zip(heads, cells, strict=True)))


# --- mats ----------------------------------------------------------------------------------------


def _mat_rows(view: BoardView, players: Sequence[Player], names: Names) -> Rows:
    """One row a player: amounts, workers, phase, residence track, bonuses."""
    table = grid("left", *("right" for _ in range(6)), "left", "right", "left")
    table.add_row("", *(text(names["heads"][head], "bold") for head in HEADS))
    for column in table.columns[1:]:
        column.no_wrap = True
    for mat, player in zip(view.mats, players, strict=False):
        table.add_row(*_mat_cells(mat, player, names, is_next=view.awaits.seat == mat.seat))
    return table


def _mat_cells(mat: MatView, player: Player, names: Names, *, is_next: bool) -> Iterator[Text]:
    """The cells of a player's row."""
    labels = names["board"]
    yield text(f"{'>' if is_next else ' '} {player.mark}  {player.name}", player.style)
    for n in (mat.money, mat.spyrium, mat.points, mat.active, mat.in_market, mat.inactive):
        yield quantity(n)
    yield text(labels["passed"] if mat.passed else PHASES.get(mat.phase, str(mat.phase)))
    yield text(f"£{mat.residence}")
    yield text(labels["due"] if mat.bonus_due else bonuses(mat, labels["worker"]))


def bonuses(mat: MatView, worker: str) -> str:
    """The bonuses that are left; `worker` is the word for one, shorter where there is less room."""
    return " ".join("£5" if bonus == "money" else worker for bonus in mat.bonuses) or "–"


def _owned_lines(view: BoardView, players: Sequence[Player], names: Names) -> Iterator[Text]:
    """What each player has built and patented."""
    for mat, player in zip(view.mats, players, strict=False):
        owned_texts = [_building_text(built, names) for built in mat.buildings]
        owned_texts += [_technique_text(card, mat, names) for card in mat.techniques]
        if mat.kept:
            owned_texts.append(names["board"]["kept"].format(tokens=" ".join(f"({value})" for value in mat.kept)))
        if owned_texts:
            yield text(f"  {player.mark}  ", player.style).append_text(text(" · ".join(owned_texts)))


def _building_text(built: BuildingView, names: Names) -> str:
    """A building by slot and name; in brackets whether it was used, and with how many workers."""
    name = f"{built.slot} {names['cards'].get(built.card, built.card)}"
    if not built.inclined:
        return name
    workers = f", {amount_text(built.workers, 'workers', names)}" if built.workers else ""
    return f"{name} [{names['board']['inclined']}{workers}]"


def _technique_text(card: str, mat: MatView, names: Names) -> str:
    """A technique by name; in brackets whether it was used."""
    return names["cards"].get(card, card) + (f" [{names['board']['inclined']}]" if card in mat.tilted else "")


def _token_piles(view: BoardView, names: Names) -> Text:
    """The tokens in the reserve and in the discard pile."""
    left, out = (
        "  ".join(f"({value})×{n}" for value, n in enumerate(pile, 1)) for pile in (view.reserve, view.discard)
    )
    return text(names["board"]["left"].format(left=left, out=out))
