"""The table as it stands. Mutable inside a replay, a play or a search; nobody else may change it."""

from __future__ import annotations

from typing import Final, NamedTuple

from spyrium_log.titles.spyrium.cards import MARKET, TOKEN_VALUES, TOKENS_OF_A_VALUE, Printed
from spyrium_log.titles.spyrium.moves import GAPS, Gap
from spyrium_log.titles.spyrium.options import Options

# `State.placed` holds ten numbers a gap, one for each seat (0 to 9).
STRIDE: Final = 10


def spaces_of(gap: int) -> tuple[int, int]:
    """The two spaces beside a gap: 1 and 2 beside gap 12."""
    return divmod(gap, 10)


# By gap: where its numbers begin in `State.placed`, and the two spaces beside it.
PLACES: Final[dict[int, tuple[int, int, int]]] = {
    gap: (index * STRIDE, *spaces_of(gap)) for index, gap in enumerate(GAPS)
}
# The two spaces beside each gap, in the order of GAPS.
SPACES: Final[tuple[tuple[int, int], ...]] = tuple((one, other) for _, one, other in PLACES.values())
GAPS_AROUND: Final[tuple[tuple[Gap, ...], ...]] = tuple(
    tuple(gap for gap in GAPS if space in spaces_of(gap)) for space in range(MARKET + 1)
)


# As many as a position can say that there are, which is more than the game has. A log may claim more; they are not laid
# down, for what lies on the table is copied, looked at and scored with every event.
MOST_BUILDINGS: Final = 40
MOST_PIECES: Final = 24
MOST_DEALT: Final = 300


class Built(NamedTuple):
    """A building in a neighbourhood."""

    card: str
    inclined: bool = False
    workers: int = 0


# Neither class has an `__init__`: a copy is made far more often than a new one, and sets each attribute itself. The
# compiled build knows no other way to make one without calling it.


class Mat:
    """What one seat has. `workers` are those owned; active, inactive, in the market and on buildings sum to it.

    `corrected` is how many of the points came by corrections, and not by a gain.
    """

    money: int
    spyrium: int
    points: int
    corrected: int
    workers: int
    residence: int
    active: int
    inactive: int
    phase: int
    passed: bool
    conceded: bool
    used_event: bool
    bonus_due: bool
    built: int
    bonuses: tuple[str, ...]
    buildings: list[Built]
    techniques: tuple[str, ...]
    tilted: tuple[str, ...]
    kept: tuple[int, ...]
    __slots__ = tuple(__annotations__)

    def copy(self) -> Mat:
        """A mat of its own, field by field, because it is copied with every state."""
        twin = Mat()
        twin.money = self.money
        twin.spyrium = self.spyrium
        twin.points = self.points
        twin.corrected = self.corrected
        twin.workers = self.workers
        twin.residence = self.residence
        twin.active = self.active
        twin.inactive = self.inactive
        twin.phase = self.phase
        twin.passed = self.passed
        twin.conceded = self.conceded
        twin.used_event = self.used_event
        twin.bonus_due = self.bonus_due
        twin.built = self.built
        twin.bonuses = self.bonuses
        twin.buildings = self.buildings.copy()
        twin.techniques = self.techniques
        twin.tilted = self.tilted
        twin.kept = self.kept
        return twin


class State:
    """The whole table. Index 0 of `mats` is where everything goes that names a seat that does not exist.

    `placed` counts workers by gap and seat, `around` all workers beside each space; `dealt` lists the cards seen, each
    with its round; `reserve` and `discard` count tokens by value. `printed` and `options` are for the rules; `evolve`
    may not look at them.
    """

    abandoned: bool
    around: list[int]
    counted: bool
    dealt: tuple[tuple[int, str], ...]
    discard: list[int]
    event: str
    event_token: int
    events_seen: tuple[str, ...]
    first: int
    last: int
    market: list[str]
    mats: list[Mat]
    next_event: str
    next_token: int
    options: Options
    placed: list[int]
    printed: Printed
    reserve: list[int]
    round: int
    seats: int
    tokens: list[tuple[int, ...]]
    __slots__ = tuple(__annotations__)

    def mat(self, seat: int) -> Mat:
        """The mat of a seat; that of seat 0 where there is no such seat."""
        return self.mats[seat if 0 < seat <= self.seats else 0]

    def copy(self) -> State:
        """A state that can be changed without this one: lists are copied, what cannot change is shared."""
        twin = State()
        twin.seats = self.seats
        twin.first = self.first
        twin.options = self.options
        twin.printed = self.printed
        twin.last = self.last
        twin.round = self.round
        twin.event = self.event
        twin.event_token = self.event_token
        twin.next_event = self.next_event
        twin.next_token = self.next_token
        twin.market = self.market.copy()
        twin.tokens = self.tokens.copy()
        twin.placed = self.placed.copy()
        twin.around = self.around.copy()
        twin.reserve = self.reserve.copy()
        twin.discard = self.discard.copy()
        twin.dealt = self.dealt
        twin.events_seen = self.events_seen
        twin.mats = [mat.copy() for mat in self.mats]
        twin.counted = self.counted
        twin.abandoned = self.abandoned
        return twin

    def list_seats_clockwise(self) -> list[int]:
        """All seats from the first player on. A first player that does not exist counts as seat 1."""
        start = self.first if self.first <= self.seats else 1
        return [*range(start, self.seats + 1), *range(1, start)]

    def count_in_market(self, seat: int) -> int:
        """The number of a seat's workers in the market: `placed` holds one number a seat for each gap."""
        return sum(self.placed[seat::STRIDE])


def new_state(seats: int, first: int, options: Options, printed: Printed) -> State:
    """The table before anything was dealt, its seats with nothing."""
    state = State()
    state.seats = seats
    state.first = first
    state.options = options
    state.printed = printed
    state.last = state.round = state.event_token = state.next_token = 0
    state.event = state.next_event = ""
    state.market = [""] * (MARKET + 1)
    state.tokens = [()] * (MARKET + 1)
    state.placed = [0] * (len(GAPS) * STRIDE)
    state.around = [0] * (MARKET + 1)
    state.reserve = [0, *[TOKENS_OF_A_VALUE] * len(TOKEN_VALUES)]
    state.discard = [0] * (len(TOKEN_VALUES) + 1)
    state.dealt = ()
    state.events_seen = ()
    state.mats = [_make_mat() for _ in range(seats + 1)]
    state.counted = state.abandoned = False
    return state


def _make_mat() -> Mat:
    """A mat with nothing on it but both bonus tokens."""
    mat = Mat()
    mat.money = mat.spyrium = mat.points = mat.corrected = mat.workers = mat.residence = 0
    mat.active = mat.inactive = mat.built = 0
    mat.phase = 1
    mat.passed = mat.conceded = mat.used_event = mat.bonus_due = False
    mat.bonuses = ("worker", "money")
    mat.buildings = []
    mat.techniques = mat.tilted = ()
    mat.kept = ()
    return mat
