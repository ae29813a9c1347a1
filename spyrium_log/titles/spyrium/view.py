"""The board as plain data, from which every screen is drawn, and Spyrium's part of a game's page."""

from __future__ import annotations

from importlib import resources

from msgspec import Struct

from spyrium_log.catalogue import Tables
from spyrium_log.title import Awaited, Drawing
from spyrium_log.titles.spyrium.cards import KINDS, MARKET, TOKEN_VALUES, Design
from spyrium_log.titles.spyrium.effects import CAUSES
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.moves import GAPS
from spyrium_log.titles.spyrium.rules.activate import least_pounds
from spyrium_log.titles.spyrium.rules.market import has_worker
from spyrium_log.titles.spyrium.rules.turn import find_awaited
from spyrium_log.titles.spyrium.state import GAPS_AROUND, PLACES, Mat, State


class SpaceView(Struct, frozen=True, kw_only=True):
    """A space of the market; `price` is printed, `crowd` counts all workers beside it.

    `extra`: what the one to act pays beside the price, in the cheapest way without Lobbying and Commerce: for other
    workers, a new site and a token; negative where a building saves more. While nobody is to act, the crowd.
    """

    space: int
    card: str
    tokens: tuple[int, ...]
    price: int | None
    price_is_assumed: bool
    crowd: int
    extra: int


class WorkersView(Struct, frozen=True, kw_only=True):
    gap: int
    seat: int
    n: int


class BuildingView(Struct, frozen=True, kw_only=True):
    slot: int
    card: str
    inclined: bool
    workers: int


class MatView(Struct, frozen=True, kw_only=True):
    """What lies before one seat. `points` is None on a screen that hides the scores."""

    seat: int
    money: int
    spyrium: int
    points: int | None
    workers: int
    active: int
    inactive: int
    in_market: int
    phase: int
    passed: bool
    used_event: bool
    residence: int
    residence_step: int
    residence_is_assumed: bool
    buildings: tuple[BuildingView, ...]
    techniques: tuple[str, ...]
    tilted: tuple[str, ...]
    kept: tuple[int, ...]
    bonuses: tuple[str, ...]
    bonus_due: bool


class BoardView(Struct, frozen=True, kw_only=True):
    """Everything on the table."""

    round: int
    first: int
    awaits: Awaited
    event: str
    event_token: int
    next_event: str
    next_token: int
    market: tuple[SpaceView, ...]
    workers: tuple[WorkersView, ...]
    reserve: tuple[int, ...]
    discard: tuple[int, ...]
    track: tuple[int, ...]
    mats: tuple[MatView, ...]


# What the views show as the state holds it.
_SHOWN_OF_TABLE = ("round", "first", "event", "event_token", "next_event", "next_token")
_SHOWN_OF_MAT = (
    *("money", "spyrium", "points", "workers", "active", "inactive", "phase", "passed", "used_event"),
    *("techniques", "tilted", "kept", "bonuses", "bonus_due"),
)


def make_view(state: State) -> BoardView:
    """The whole board, nothing hidden."""
    awaited = find_awaited(state)
    return BoardView(
        **{name: getattr(state, name) for name in _SHOWN_OF_TABLE},
        awaits=awaited,
        market=tuple(_make_space_view(state, awaited.seat, space) for space in range(1, MARKET + 1)),
        workers=tuple(
            WorkersView(gap=gap, seat=seat, n=n)
            for gap in GAPS
            for seat in range(1, state.seats + 1)
            if (n := state.placed[PLACES[gap][0] + seat])
        ),
        reserve=tuple(state.reserve[value] for value in TOKEN_VALUES),
        discard=tuple(state.discard[value] for value in TOKEN_VALUES),
        track=state.printed.track,
        mats=tuple(_make_mat_view(state, seat, state.mats[seat]) for seat in range(1, state.seats + 1)),
    )


def _make_space_view(state: State, seat: int, space: int) -> SpaceView:
    """One space of the market as a screen shows it to the seat that acts; an empty or unknown card has no price."""
    design = state.printed.designs.get(state.market[space])
    return SpaceView(
        space=space,
        card=state.market[space],
        tokens=state.tokens[space],
        price=design.price if design else None,
        price_is_assumed=design is not None and "price" in design.assumed,
        crowd=state.around[space],
        extra=_find_extra_price(state, seat, space, design) if design and seat else state.around[space],
    )


def _find_extra_price(state: State, seat: int, space: int, design: Design) -> int:
    """What this seat would pay for a card beside its printed price."""
    is_beside = any(has_worker(state, seat, gap) for gap in GAPS_AROUND[space])
    token = min(state.tokens[space], default=0)
    return least_pounds(state, state.mat(seat), design, state.around[space] - is_beside, token) - design.price


def _make_mat_view(state: State, seat: int, mat: Mat) -> MatView:
    """What lies before one seat; `residence` is the number printed on its step of the track."""
    return MatView(
        **{name: getattr(mat, name) for name in _SHOWN_OF_MAT},
        seat=seat,
        in_market=state.count_in_market(seat),
        residence=state.printed.residence(mat.residence),
        residence_step=mat.residence,
        residence_is_assumed=state.printed.is_residence_assumed(mat.residence),
        buildings=tuple(BuildingView(slot=slot, **built._asdict()) for slot, built in enumerate(mat.buildings, 1)),
    )


# The tables of the vocabulary that the page needs.
_TABLES = ("cards", "events", "resources", "one", "kinds", "phases", "places", "page")


def make_page_words(language: str) -> Tables:
    """The words that the page of a game needs, table by table: the edition's names, and the kind of each card."""
    tables = vocabulary(language)
    causes = {cause: _name_cause(cause, tables) for cause in CAUSES}
    return {**{table: tables[table] for table in _TABLES}, "causes": causes, "kind": KINDS}


def _name_cause(cause: str, tables: Tables) -> str:
    """What the page calls a cause; one of the final count without words, as `final:lobbying`, is called as its card."""
    return tables["causes"].get(cause) or tables["cards"].get(cause.removeprefix("final:"), cause)


def read_text(name: str) -> str:
    """The text of a file that ships in this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


DRAWING: Drawing[State] = Drawing(
    template=lambda: read_text("page/board.html"),
    script=lambda: read_text("page/board.js"),
    style=lambda: read_text("page/board.css"),
    words=make_page_words,
)
