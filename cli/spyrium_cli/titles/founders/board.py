"""The board of Founders of Gloomhaven, and a small one: the map where something is built, and a line a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs
from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import Player, Rows, console, grid, stack, text
from spyrium_cli.render.surface import is_screen
from spyrium_cli.render.text import with_minus
from spyrium_cli.titles.founders.map import BUILDING_SIGN, draw_map, map_width, number_sign, signs_of
from spyrium_log.catalogue import Tables
from spyrium_log.colours import colour_name
from spyrium_log.titles.founders.cards import BRIDGE, HOUSE, LAST_COMPLETION, RACE
from spyrium_log.titles.founders.messages import vocabulary
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.view.parts import (
    BoardView,
    BuildingView,
    GoalView,
    MatView,
    NeedView,
    ProposalView,
    SlotView,
    TileView,
)
from spyrium_log.titles.founders.words import component_name

# The least columns beside the map; with fewer, what stands there goes below it.
LEAST_BESIDE = 30
GAP = 2
# The columns that the whole words over the mats take.
WIDTH = 90
HEADS = ("money", "fleeting", "lasting", "income", "points", "houses", "bridges", "workers", "hand", "discard")
SMALL_HEADS = ("money", "fleeting", "lasting", "income", "points", "houses", "bridges", "workers", "hand")
# What is not known, and an amount that is not shown.
UNKNOWN, HIDDEN = "?", "·"
NOTHING = "–"
DONE = "✓"


def draw_board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Draw headline, map, rows and buildings beside or below it, mats, and what each player owns."""
    drawing = _Drawing(view, players, language)
    yield drawing.headline()
    yield text("")
    yield from _beside_map(drawing, [*drawing.row_lines(), *drawing.building_lines(), *drawing.goal_lines()])
    yield text("")
    yield drawing.mat_rows()
    yield from drawing.owned_lines()
    if drawing.shows_assumed():
        yield text(drawing.label("assumed"), "dim")


def draw_small_board(view: BoardView, players: Sequence[Player], language: str) -> Iterator[ConsoleRenderable]:
    """Draw headline, the map where something is built with the rows beside it, and a line a player."""
    drawing = _Drawing(view, players, language, small=True)
    yield drawing.headline()
    yield from _beside_map(drawing, [*drawing.row_lines(), *drawing.building_lines()])
    yield drawing.mat_rows()


def without_scores(view: BoardView) -> BoardView:
    """The view with nobody's points, nor what a tile earned."""
    mats = tuple(structs.replace(mat, points=None) for mat in view.mats)
    return structs.replace(view, mats=mats, tiles=tuple(structs.replace(tile, earned=0) for tile in view.tiles))


def _beside_map(drawing: _Drawing, lines: Sequence[Text]) -> Iterator[ConsoleRenderable]:
    """The map with these lines beside it, or below it where the screen is too narrow."""
    map_text = draw_map(drawing.view, drawing.players, small=drawing.small)
    columns = map_width(drawing.view, small=drawing.small)
    room = console().width - columns - GAP if is_screen() else LEAST_BESIDE
    if room < LEAST_BESIDE:
        yield map_text
        yield from lines
        return
    table = grid("left", "left", padding=(0, GAP, 0, 0))
    table.columns[0].no_wrap = True
    table.add_row(map_text, stack(*lines))
    yield table


class _Drawing:
    """What the parts of one board are drawn from."""

    def __init__(self, view: BoardView, players: Sequence[Player], language: str, *, small: bool = False) -> None:
        """Look up once what every part of the board needs: words, names of cards, signs of the players."""
        self.view = view
        self.players = players
        self.language = language
        self.words: Tables = vocabulary(language)
        self.own_names = {each.card: each.name for each in view.names if each.language == language}
        self.small = small
        self.signs = signs_of(players)

    def label(self, key: str, **fields: object) -> str:
        """A phrase of the table `board` in this language, filled."""
        return self.words["board"][key].format(**fields)

    def card_name(self, card: str | None) -> str:
        """The name of a card, the set's own before the rulebook's; `?` for what nobody knows, a dash for nothing."""
        if card == "":
            return NOTHING
        if card is None or card == UNSEEN:
            return UNKNOWN
        return self.own_names.get(card) or component_name(card, self.language)

    def player_name(self, seat: int) -> str:
        """The name of the player of a seat; its number where nobody sits there."""
        return self.players[seat - 1].name if 0 < seat <= len(self.players) else f"#{seat}"

    def sign(self, seat: int) -> str:
        """The short sign of a seat's pieces on the board; its number where nobody sits there."""
        return self.signs.get(seat, f"#{seat}")

    # --- headline -----------------------------------------------------------------------------------

    def headline(self) -> Text:
        """Whose turn it is and what was played, votes and completed buildings, and the component set."""
        view = self.view
        parts = []
        if not view.row and not view.proposals:
            parts.append(text(self.label("undealt"), "bold"))
        elif view.played:
            parts.append(text(self._turn_text(), "bold"))
        parts.append(text(self.label("votes", n=view.votes)))
        parts.append(text(self.label("markers", n=view.markers, most=LAST_COMPLETION)))
        parts.append(text(self.label("invented" if view.invented else "set", name=view.set_name), "dim"))
        for due in view.due:
            resource, building = self.card_name(due.resource), self.card_name(due.building)
            parts.append(
                text(self.label("due", player=self.player_name(due.seat), resource=resource, building=building))
            )
        return text(" · ").join(parts)

    def _turn_text(self) -> str:
        """Who played which card in the turn that goes on; face-down, whether anybody knows it or not."""
        key = "turn"
        if self.view.down:
            key = "turn-down" if self.view.played == UNSEEN else "turn-down-seen"
        return self.label(key, player=self.player_name(self.view.last), card=self.card_name(self.view.played))

    # --- beside the map -----------------------------------------------------------------------------

    def row_lines(self) -> Iterator[Text]:
        """The advisers, then the proposals with the bids for them."""
        if self.view.row:
            yield text(self.label("advisers"), "bold")
            for slot in self.view.row:
                yield self._slot_line(slot)
        if self.view.proposals:
            yield text(self.label("proposals"), "bold")
            for proposal in self.view.proposals:
                yield from self._proposal_lines(proposal)

    def _slot_line(self, slot: SlotView) -> Text:
        """`1 Scholar 1 c · books · 2 VP`: a slot, the adviser in it, its price and what it asks for."""
        price = self.label("coins", n=_number_text(slot.price, is_assumed=slot.price_is_assumed))
        line = text(f"{slot.slot} ").append_text(text(self.card_name(slot.card), "bold" if slot.card else "dim"))
        if not slot.card:
            return line
        parts = [price, ("~" if slot.resource_is_assumed else "") + self.card_name(slot.resource)]
        if slot.points:
            parts.append(self.label("points", n=slot.points))
        return line.append_text(text(f"  {' · '.join(parts)}"))

    def _proposal_lines(self, proposal: ProposalView) -> Iterator[Text]:
        """The building with the bids for it; below, unless the board is small, its look and its needs."""
        line = text(f"{proposal.proposal} ").append_text(text(self.card_name(proposal.card), "bold"))
        bids = [f"{self.sign(bid.seat)} {bid.points}" for bid in proposal.bids]
        if bids:
            line.append_text(text(f"  {' · '.join(bids)}"))
        if self.view.winner.proposal == proposal.proposal:
            line.append_text(text(f"  → {self.player_name(self.view.winner.seat)}", "bold"))
        yield line
        if not self.small:
            yield text(f"  {' · '.join(filter(None, (self._look_text(proposal), self._needs_text(proposal.needs))))}")

    def _look_text(self, proposal: ProposalView) -> str:
        """`xxx/x red forest`: what a building looks like and where it fits, as far as anybody knows."""
        terrain = self.words["ground"].get(proposal.terrain or "", proposal.terrain or "")
        sites = self.words["sites"]
        site = self.label("site", site=sites.get(proposal.site, proposal.site)) if proposal.site else ""
        colour = colour_name(proposal.colour or "", self.language)
        return " ".join(filter(None, (proposal.shape, colour, terrain, site)))

    def building_lines(self) -> Iterator[Text]:
        """The prestige buildings that stand, with what they have and need."""
        if self.view.buildings:
            yield text(self.label("buildings"), "bold")
        for number, building in enumerate(self.view.buildings, 1):
            yield self._building_line(number, building)

    def _building_line(self, number: int, building: BuildingView) -> Text:
        """`■1 University d4 · gems ✓A, wood 3`: a building by its sign on the map."""
        line = text(f"{BUILDING_SIGN}{number_sign(number)} ", "bold").append_text(text(self.card_name(building.card)))
        where = building.cells[0] if building.cells else UNKNOWN
        others = [f"{self.card_name(resource)} {DONE}{self.sign(seat)}" for resource, seat in building.delivered]
        parts = [", ".join(filter(None, (self._needs_text(building.needs), *others)))]
        if building.complete:
            parts.append(self.label("complete"))
        if building.claim:
            parts.append(self.label("claim"))
        if building.worker:
            parts.append(self.label("worker", player=self.sign(building.worker)))
        return line.append_text(text(f" {where} · {' · '.join(filter(None, parts))}"))

    def _needs_text(self, needs: Sequence[NeedView] | None) -> str:
        """`gems ✓A, wood 3`: each need with whose token fills it, or with its points."""
        if needs is None:
            return self.label("needs-unknown")
        texts = []
        for need in needs:
            mark = DONE + self.sign(need.seat) if need.seat is not None else ""
            points = _number_text(need.points, is_assumed=need.points_are_assumed)
            texts.append(f"{self.card_name(need.resource)} {mark or points}")
        return ", ".join(texts)

    def goal_lines(self) -> Iterator[Text]:
        """The achievements that lie there, and who met them."""
        goals = [goal for goal in self.view.goals if goal.card or goal.seats]
        if goals:
            yield text(self.label("goals"), "bold")
        for goal in goals:
            yield self._goal_line(goal)

    def _goal_line(self, goal: GoalView) -> Text:
        """A goal that lies there, with its points and the seats that met it."""
        line = text(f"{self.words['choices'].get(goal.deck, goal.deck)}: {self.card_name(goal.card)}")
        if goal.card:
            line.append_text(text(f" · {self.label('points', n=_number_text(goal.points))}"))
        marks = " ".join(DONE + self.sign(seat) for seat in goal.seats)
        return line.append_text(text(f" {marks}" if marks else ""))

    # --- mats ---------------------------------------------------------------------------------------

    def mat_rows(self) -> Rows:
        """One row a player: amounts, pieces on the board, workers to be used, cards; on the small board the race."""
        is_narrow = self.small or (is_screen() and console().width < WIDTH)
        heads = self.words["short-heads" if is_narrow else "heads"]
        names = SMALL_HEADS if is_narrow else HEADS
        ends = ("race",) if self.small else ()
        table = grid(
            "left", *("right" for _ in names), *("left" for _ in ends), padding=(0, 1 if is_narrow else 2, 0, 0)
        )
        table.add_row("", *(text(heads[name], "dim" if is_narrow else "bold") for name in (*names, *ends)))
        # behind the player's name
        for column in table.columns[1 : 1 + len(names)]:
            column.no_wrap = True
        for mat in self.view.mats:
            race = [text(self._race_text(mat))] if self.small else []
            table.add_row(self._mat_name(mat), *(self._amount_text(mat, name) for name in names), *race)
        return table

    def _mat_name(self, mat: MatView) -> Text:
        """`> A Anna`: whether the seat is to act, its sign on the map, its player."""
        is_next = mat.seat in self.view.awaits.seats
        name = f"{'>' if is_next else ' '} {self.sign(mat.seat)} {self.player_name(mat.seat)}"
        return text(name, self._style(mat.seat) + (" bold" if is_next else ""))

    def _amount_text(self, mat: MatView, name: str) -> str:
        """A number of a player's row; a dot for one that is hidden."""
        card_counts = {"hand": mat.cards_in_hand, "discard": mat.cards_discarded}
        amount = card_counts.get(name, getattr(mat, name, None))
        return HIDDEN if amount is None else with_minus(str(amount))

    def _style(self, seat: int) -> str:
        """The colour of a seat; none where nobody sits there."""
        return self.players[seat - 1].style if 0 < seat <= len(self.players) else ""

    def _race_text(self, mat: MatView) -> str:
        """`Human (population, wood)`: the race with its bases, and what became of the seat."""
        bases = ", ".join(self.card_name(base) for base in (mat.race_base, *mat.bases) if base)
        race = self.card_name(mat.race)
        parts = [f"{race} ({bases})" if bases else race]
        parts += [self.label(name) for name in ("conceded", "lost") if getattr(mat, name)]
        return " · ".join(parts)

    # --- what lies there ----------------------------------------------------------------------------

    def owned_lines(self) -> Iterator[Text]:
        """A line a player, and one for nobody: race, tiles with what supplied them, pieces, places of workers."""
        for mat in self.view.mats:
            parts = text(" · ".join((self._race_text(mat), *self._owned_texts(mat.seat))))
            yield text(f"  {self.sign(mat.seat)}  ", self._style(mat.seat)).append_text(parts)
        neutral = list(self._owned_texts(0))
        if neutral:
            yield text(f"  {self.sign(0)}  {' · '.join((self.label('neutral'), *neutral))}")

    def _owned_texts(self, seat: int) -> Iterator[str]:
        """What a seat has on the board: its tiles, houses and bridges, and where its workers stand."""
        tiles = [tile for tile in self.view.tiles if tile.owner == seat]
        for tile in tiles:
            if tile.kind not in {HOUSE, BRIDGE}:
                yield self._tile_text(tile)
        for kind, key in ((HOUSE, "houses"), (BRIDGE, "bridges")):
            cells = [cell for tile in tiles if tile.kind == kind for cell in tile.cells]
            if cells:
                yield self.label(key, cells=" ".join(cells))
        used = [place for mat in self.view.mats if mat.seat == seat for place in mat.used]
        if used:
            names = self.words["choices"]
            places = (names[place] if place == RACE else self.card_name(place) for place in used)
            yield self.label("used", places=", ".join(places))

    def _tile_text(self, tile: TileView) -> str:
        """`books f5 (from gems d4, access A)`: a tile with what supplied it, and who bought access."""
        notes = []
        if tile.inputs:
            notes.append(self.label("from", tiles=" ".join(tile.inputs)))
        if tile.access:
            notes.append(self.label("access", players=" ".join(map(self.sign, tile.access))))
        name = f"{self.card_name(tile.kind)} {tile.cells[0] if tile.cells else UNKNOWN}"
        return f"{name} ({', '.join(notes)})" if notes else name

    def shows_assumed(self) -> bool:
        """Whether something that is shown is only assumed."""
        is_slot_assumed = any(slot.price_is_assumed or slot.resource_is_assumed for slot in self.view.row)
        return is_slot_assumed or any(need.points_are_assumed for need in _list_needs(self.view))


def _list_needs(view: BoardView) -> Iterator[NeedView]:
    """The needs that are shown, of buildings and of proposals."""
    for building in view.buildings:
        yield from building.needs or ()
    for proposal in view.proposals:
        yield from proposal.needs or ()


def _number_text(n: int | None, *, is_assumed: bool = False) -> str:
    """A printed number, `~` before one that nobody has checked; `?` for an unknown one."""
    return f"{'~' if is_assumed else ''}{UNKNOWN if n is None else n}"
