"""The board as plain data, from which every screen is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from spyrium_log.titles.founders.cards import ACTION_CARDS, BRIDGE, HOUSE, Printed
from spyrium_log.titles.founders.effects import DECKS
from spyrium_log.titles.founders.ground import KIND_OF_LETTER, SITE_OF_LETTER, WIDTH, Board, cells_in, name_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.deliver import NEUTRAL_LOSS
from spyrium_log.titles.founders.rules.turn import find_awaited
from spyrium_log.titles.founders.state import MOST_SEATS, Bid, Building, Mat, State, Structure
from spyrium_log.titles.founders.view.parts import (
    BidView,
    BoardView,
    BuildingView,
    DoneView,
    DueView,
    GoalView,
    MatView,
    NameView,
    NeedView,
    ProposalView,
    SiteView,
    SlotView,
    TileView,
)

# What the views show as the state holds it.
_SHOWN_OF_TABLE = ("first", "votes", "markers", "last", "played", "down", "caller", "roads_due", "tie", "winner")
_SHOWN_OF_MAT = (
    *("money", "fleeting", "lasting", "income", "points", "race", "race_base", "bases", "hand", "discard", "unknown"),
    *("cards_in_hand", "cards_discarded", "used", "conceded", "lost"),
)


def make_view(state: State) -> BoardView:
    """The whole board, nothing hidden, for whoever records or looks on."""
    return _with_names(state.printed, _make_view_without_names(state))


def _make_view_without_names(state: State) -> BoardView:
    """Everything but the names of cards, which depend on what a seat may see."""
    board, printed = state.printed.board, state.printed
    return BoardView(
        **{name: getattr(state, name) for name in _SHOWN_OF_TABLE},
        set_name=printed.name,
        invented=printed.is_invented,
        names=(),
        awaits=find_awaited(state),
        did=tuple(DoneView(seat=done.seat, act=done.tag, about=done.about) for done in state.did),
        due=tuple(DueView(building=card, resource=resource, seat=seat) for card, resource, seat in state.due),
        claims_due=state.claims_due,
        width=board.width,
        height=board.height,
        rows=draw_map(board),
        sites=tuple(SiteView(site=site, cells=_names(cells)) for site, cells in board.sites),
        roads=_names(cells_in(state.roads)),
        tiles=tuple(_make_tile_view(state, structure) for structure in state.structures),
        buildings=tuple(_make_building_view(state, building) for building in state.buildings),
        row=tuple(_make_slot_view(printed, slot, card) for slot, card in enumerate(state.row, 1)),
        proposals=tuple(_make_proposal_view(state, number, card) for number, card in enumerate(state.proposals, 1)),
        goals=tuple(_make_goal_view(state, deck, card) for deck, card in zip(DECKS, state.goals, strict=False)),
        mats=tuple(_make_mat_view(state, seat, state.mats[seat]) for seat in range(1, state.seats + 1)),
    )


def make_view_for(state: State, seat: int) -> BoardView:
    """What a seat may see: no faces in other hands once cards were discarded, and bids only when all are in.

    A hand is public as long as nothing was discarded: everybody saw which cards came into it.
    """
    view = _make_view_without_names(state)
    mats = tuple(mat if mat.seat == seat or not mat.cards_discarded else _without_faces(mat) for mat in view.mats)
    is_hidden = view.down and view.played != "" and view.last != seat
    view = structs.replace(view, mats=mats, played=UNSEEN if is_hidden else view.played)
    is_decided = any(view.winner) or bool(view.tie)
    if not is_decided and not all(mat.has_bid or mat.conceded for mat in mats):
        view = structs.replace(view, proposals=tuple(_with_bids_of(proposal, seat) for proposal in view.proposals))
    return _with_names(state.printed, view)


def _with_names(printed: Printed, view: BoardView) -> BoardView:
    """The view with what the set calls the cards that it shows, and no other."""
    cards = {view.played, *(building.card for building in view.buildings), *(goal.card for goal in view.goals)}
    cards.update(slot.card for slot in view.row)
    cards.update(proposal.card for proposal in view.proposals)
    for mat in view.mats:
        cards.update((*(mat.hand or ()), *(mat.discard or ()), *mat.used))
    names = (
        NameView(card=card, language=language, name=name)
        for (card, language), name in printed.names.items()
        if card in cards
    )
    return structs.replace(view, names=tuple(names))


def _without_faces(mat: MatView) -> MatView:
    """A mat of which only the number of cards is seen."""
    return structs.replace(mat, hand=None, discard=None, unknown=0)


def _with_bids_of(proposal: ProposalView, seat: int) -> ProposalView:
    """A proposal with the bid of this seat only."""
    return structs.replace(proposal, bids=tuple(bid for bid in proposal.bids if bid.seat == seat))


def _names(cells: Iterable[int]) -> tuple[str, ...]:
    """The names of cells, `d4`: a view knows no numbers of cells."""
    return tuple(map(name_of, cells))


# The first letter that means a kind, and the letter of each site.
_LETTERS = {kind: letter for letter, kind in reversed(list(KIND_OF_LETTER.items()))}
_LETTERS_OF_SITES = {site: letter for letter, site in SITE_OF_LETTER.items()}


def draw_map(board: Board) -> tuple[str, ...]:
    """The letters of the map as a set writes it: a text for each row, a dot where there is no cell."""
    letters = {cell: _LETTERS[kind] for cell, kind in board.kinds.items()}
    letters |= {cell: str(number) for cell, number in board.numbers.items()}
    for site, cells in board.sites:
        letters |= dict.fromkeys(cells, _LETTERS_OF_SITES[site])
    return tuple(
        "".join(letters.get(row * WIDTH + column, ".") for column in range(1, board.width + 1))
        for row in range(1, board.height + 1)
    )


def _make_tile_view(state: State, tile: Structure) -> TileView:
    """A structure, and what its printed flags pass on."""
    recipe = state.printed.recipes.get(tile.kind)
    # a None for each that nobody knows
    flags = (recipe.flags if recipe else None) or (None,) * len(tile.inputs)
    return TileView(
        kind=tile.kind,
        cells=_names(tile.cells),
        owner=tile.owner,
        access=tuple(seat for seat in range(1, MOST_SEATS) if tile.has_access(seat)),
        inputs=_names(tile.inputs),
        flags=flags,
        passes=_count_passed(state, tile, flags),
        earned=tile.earned,
    )


def _count_passed(state: State, tile: Structure, flags: tuple[int | None, ...]) -> int | None:
    """What a tile passes to other owners or loses for neutral suppliers; None where a supplier or flag is unknown."""
    passed = 0
    for cell, flag in zip(tile.inputs, flags, strict=False):
        supplier = state.structure_at(cell)
        if supplier is None or flag is None:
            return None
        if supplier.owner != tile.owner:
            passed += flag if supplier.owner else NEUTRAL_LOSS
    return passed


def _make_building_view(state: State, building: Building) -> BuildingView:
    """A prestige building, each need with the first token of its resource."""
    delivered = list(building.delivered)
    needs = _make_needs(state.printed, building.card, delivered)
    return BuildingView(
        card=building.card,
        cells=_names(building.cells),
        placer=building.placer,
        needs=needs,
        delivered=tuple(delivered),
        complete=building.complete,
        claim=building.claim,
        worker=next((seat for seat in range(1, state.seats + 1) if building.card in state.mats[seat].used), 0),
    )


def _make_needs(printed: Printed, card: str, delivered: list[tuple[str, int]]) -> tuple[NeedView, ...] | None:
    """The needs that are printed on a building; those that `delivered` fills take their token from it."""
    prestige = printed.prestige.get(card)
    if prestige is None or prestige.needs is None:
        return None
    views = []
    for resource, points in prestige.needs:
        token = next((token for token in delivered if token[0] == resource), None)
        if token is not None:
            delivered.remove(token)
        views.append(
            NeedView(
                resource=resource,
                points=points,
                points_are_assumed=(card, "needs") in printed.unsure,
                seat=None if token is None else token[1],
            )
        )
    return tuple(views)


def _make_slot_view(printed: Printed, slot: int, card: str) -> SlotView:
    """A slot with what is known of it and of the adviser that lies there."""
    adviser = printed.advisers.get(card)
    return SlotView(
        slot=slot,
        card=card,
        price=printed.slots[slot - 1] if slot <= len(printed.slots) else None,
        price_is_assumed=(f"slot-{slot}", "price") in printed.unsure,
        resource=adviser.needs if adviser else None,
        resource_is_assumed=(card, "needs") in printed.unsure,
        category=adviser.category if adviser else None,
        level=adviser.level if adviser else None,
        points=adviser.points if adviser else None,
    )


def _make_proposal_view(state: State, number: int, card: str) -> ProposalView:
    """A proposal with what is printed on it, and the bids."""
    prestige = state.printed.prestige.get(card)
    return ProposalView(
        proposal=number,
        card=card,
        shape=prestige.shape.text if prestige and prestige.shape else None,
        colour=prestige.colour if prestige else None,
        terrain=prestige.terrain if prestige else None,
        site=prestige.site if prestige else "",
        needs=_make_needs(state.printed, card, []),
        bids=tuple(
            BidView(seat=seat, fleeting=bid.fleeting, lasting=bid.lasting, points=bid.points)
            for seat, bid in _list_bids(state)
            if bid.proposal == number
        ),
    )


def _list_bids(state: State) -> Iterator[tuple[int, Bid]]:
    """The bids of the vote that goes on, by seat; none between votes, when the last ones still lie on the mats."""
    for seat in range(1, state.seats + 1) if state.caller else ():
        bid = state.mats[seat].bid
        if bid is not None:
            yield seat, bid


def _make_goal_view(state: State, deck: str, card: str) -> GoalView:
    """A goal with its points, None where nobody knows them, and the seats that met it."""
    goal = state.printed.goals.get(card)
    return GoalView(
        deck=deck,
        card=card,
        points=goal.points if goal else None,
        seats=tuple(seat for met, seat in state.goals_met if met == deck),
    )


def _make_mat_view(state: State, seat: int, mat: Mat) -> MatView:
    """What one seat has; houses and bridges are those on the board."""
    kinds = [structure.kind for structure in state.structures if structure.owner == seat]
    houses = kinds.count(HOUSE)
    return MatView(
        **{name: getattr(mat, name) for name in _SHOWN_OF_MAT},
        seat=seat,
        advisers=sum(card not in ACTION_CARDS for card in (*mat.hand, *mat.discard)),
        houses=houses,
        bridges=kinds.count(BRIDGE),
        workers=max(houses - len(mat.used), 0) if state.options.workers == "with" else 0,
        has_bid=bool(state.caller) and mat.bid is not None,
        has_sealed=bool(mat.seal),
    )
