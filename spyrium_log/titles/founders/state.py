"""The table as it stands. Mutable inside a replay, a play or a search; nobody else may change it."""

from __future__ import annotations

from typing import Final, NamedTuple

from spyrium_log.titles.founders.cards import ACTION_CARDS, CALL, INCOME, Printed
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.options import Options

# More than the game has. A log may claim more; it is not laid down, for what lies on the table is copied with every
# event.
MOST_PIECES: Final = 300
MOST_CARDS: Final = 60
MOST_DONE: Final = 60
# Seats on the wire, 0 to 9, so that a bit and a mat of every log exists.
MOST_SEATS: Final = 10

TWO_PLAYERS: Final = 2


class Structure(NamedTuple):
    """A tile, by its resource, a house or a bridge. Never changed, replaced: copies of a state share it.

    `cells` are in order, the first is its name, and `mask` is their mask; nobody's where `owner` is 0. `inputs` are the
    tiles that supplied it, by name (NOWHERE for one that does not exist); `access` has a bit a seat; `earned` is what
    its owner kept of what it scored.
    """

    kind: str
    owner: int
    cells: tuple[int, ...]
    mask: int
    inputs: tuple[int, ...] = ()
    access: int = 0
    earned: int = 0

    @property
    def name(self) -> int:
        """Its first cell, by which others refer to it."""
        return self.cells[0]

    def has_access(self, seat: int) -> bool:
        """Whether the seat bought access to it, or built it for another owner."""
        return bool(self.access >> seat & 1)


class Building(NamedTuple):
    """A prestige building: by whom it was placed, and which seat delivered which resource (0: a neutral token)."""

    card: str
    cells: tuple[int, ...]
    mask: int
    placer: int = 0
    delivered: tuple[tuple[str, int], ...] = ()
    complete: bool = False
    claim: bool = False


class Done(NamedTuple):
    """An act of this turn: who, its tag on the wire, and the cell, card or worker's place that it is about."""

    seat: int
    tag: str
    about: str = ""


class DueDelivery(NamedTuple):
    """A need that several tiles could fill; the seat chooses one."""

    building: str
    resource: str
    seat: int


class Bid(NamedTuple):
    proposal: int
    fleeting: int
    lasting: int

    @property
    def points(self) -> int:
        """What the bid counts: the token 1, fleeting influence 1 each, lasting influence 2 each."""
        return 1 + self.fleeting + 2 * self.lasting


class Winner(NamedTuple):
    """The proposal to be placed, counted from 1, and the seat that places it; 0 for none."""

    proposal: int
    seat: int


NO_WINNER: Final = Winner(0, 0)

# Neither class has an `__init__`: a copy is made far more often than a new one, and sets each attribute itself. The
# compiled build knows no other way to make one without calling it.


class Mat:
    """What one seat has. `race_base` is the base card of its race, `bases` are those it drafted, in order.

    `hand` are its cards that are not known to be discarded, `discard` those that are; `unknown` of the hand lie in the
    discard pile as well, played face-down without being seen. `used` are the places of its workers: `race`, or prestige
    buildings.
    """

    money: int
    fleeting: int
    lasting: int
    income: int
    points: int
    race: str
    race_base: str
    bases: tuple[str, ...]
    hand: tuple[str, ...]
    discard: tuple[str, ...]
    unknown: int
    used: tuple[str, ...]
    bid: Bid | None
    seal: str
    conceded: bool
    lost: bool
    __slots__ = tuple(__annotations__)

    def copy(self) -> Mat:
        """A mat that shares nothing that can change: the rules try an act on it."""
        twin = Mat()
        twin.money = self.money
        twin.fleeting = self.fleeting
        twin.lasting = self.lasting
        twin.income = self.income
        twin.points = self.points
        twin.race = self.race
        twin.race_base = self.race_base
        twin.bases = self.bases
        twin.hand = self.hand
        twin.discard = self.discard
        twin.unknown = self.unknown
        twin.used = self.used
        twin.bid = self.bid
        twin.seal = self.seal
        twin.conceded = self.conceded
        twin.lost = self.lost
        return twin

    @property
    def cards_in_hand(self) -> int:
        """How many cards are in hand, whichever they are."""
        return len(self.hand) - self.unknown

    @property
    def cards_discarded(self) -> int:
        """How many cards lie in the discard pile, whichever they are."""
        return len(self.discard) + self.unknown

    def list_playable_cards(self) -> list[str]:
        """The cards that may be in hand, each once; a card not seen as it was recruited is `?`."""
        could_be_down = [card for card in self.hand if card != CALL]
        are_all_down = bool(self.unknown) and len(could_be_down) <= self.unknown
        # of a name that was seen in the discard pile there may be a second card
        gone: set[str] = set(could_be_down) - set(self.discard) if are_all_down else set()
        return [card for card in dict.fromkeys(self.hand) if card not in gone]


class State:
    """The whole table. Index 0 of `mats` is where everything goes that names a seat that does not exist.

    `last`: whose turn is the latest; `played`: the card of that turn (`?` unseen, '' before the first), face-down if
    `down`; `did`: what was done in it. `caller`, `roads_due`: the Call to Vote that goes on. `on` says what lies on a
    cell: the index of a structure, or ~ the index of a building; `covered` and `roads` are masks of cells with one of
    these, or a road. `base_owner`: whose base each is; `displaced`: who lost which base cards in this step of the
    draft. `due`: deliveries to be chosen; `tie`: who breaks a tie; `winner`: what is to be placed, and by whom;
    `claims_due`: claims to be paid. `row` has '' where a slot is empty; `row_taken`: an adviser left it since it was
    filled. `advisers_seen` counts those dealt; `spent` are discarded proposals; `reshuffled`: how many buildings stood
    when these last became a new deck; `goals` is '' where a deck's is gone or none lies there.

    `printed` and `options` are for the rules; `evolve` may not look at them.
    """

    abandoned: bool
    advisers_seen: int
    base_owner: dict[str, int]
    buildings: list[Building]
    caller: int
    claims_due: int
    counted: bool
    covered: int
    did: tuple[Done, ...]
    displaced: tuple[tuple[int, str], ...]
    down: bool
    due: tuple[DueDelivery, ...]
    first: int
    goals: tuple[str, ...]
    goals_met: tuple[tuple[str, int], ...]
    last: int
    mats: list[Mat]
    on: dict[int, int]
    options: Options
    played: str
    printed: Printed
    proposals: tuple[str, ...]
    removed: tuple[str, ...]
    reshuffled: int
    roads: int
    roads_due: int
    row: tuple[str, ...]
    row_taken: bool
    seats: int
    spent: tuple[str, ...]
    structures: list[Structure]
    tie: int
    votes: int
    winner: Winner
    __slots__ = tuple(__annotations__)

    def mat(self, seat: int) -> Mat:
        """The mat of a seat; that of seat 0 where there is no such seat."""
        return self.mats[seat if 0 < seat <= self.seats else 0]

    def copy(self) -> State:
        """A state to try an act on: only lists and dicts, which acts change in place, are copied."""
        twin = State()
        twin.abandoned = self.abandoned
        twin.advisers_seen = self.advisers_seen
        twin.base_owner = self.base_owner.copy()
        twin.buildings = self.buildings.copy()
        twin.caller = self.caller
        twin.claims_due = self.claims_due
        twin.counted = self.counted
        twin.covered = self.covered
        twin.did = self.did
        twin.displaced = self.displaced
        twin.down = self.down
        twin.due = self.due
        twin.first = self.first
        twin.goals = self.goals
        twin.goals_met = self.goals_met
        twin.last = self.last
        twin.mats = [mat.copy() for mat in self.mats]
        twin.on = self.on.copy()
        twin.options = self.options
        twin.played = self.played
        twin.printed = self.printed
        twin.proposals = self.proposals
        twin.removed = self.removed
        twin.reshuffled = self.reshuffled
        twin.roads = self.roads
        twin.roads_due = self.roads_due
        twin.row = self.row
        twin.row_taken = self.row_taken
        twin.seats = self.seats
        twin.spent = self.spent
        twin.structures = self.structures.copy()
        twin.tie = self.tie
        twin.votes = self.votes
        twin.winner = self.winner
        return twin

    def list_seats_from(self, seat: int) -> list[int]:
        """All seats clockwise from this one. One that does not exist counts as seat 1."""
        start = seat if 0 < seat <= self.seats else 1
        return [*range(start, self.seats + 1), *range(1, start)]

    def structure_at(self, cell: int) -> Structure | None:
        """The tile, house or bridge on a cell; None for anything else."""
        index = self.on.get(cell, -1)
        return self.structures[index] if index >= 0 else None

    def building_at(self, cell: int) -> Building | None:
        """The prestige building on a cell; None for anything else."""
        index = self.on.get(cell, 0)
        return self.buildings[~index] if index < 0 else None

    def card_in_slot(self, slot: int, named: str | None = None) -> str:
        """The adviser in a slot of the row, who is the one `named` where nobody saw it before; '' where none lies."""
        card = self.row[slot - 1] if 0 < slot <= len(self.row) else ""
        return named if named and card == UNSEEN else card

    def proposal(self, number: int) -> str:
        """The proposal at this place, counted from 1; '' where none lies."""
        return self.proposals[number - 1] if 0 < number <= len(self.proposals) else ""

    @property
    def chosen_proposal(self) -> str:
        """The proposal that is placed next; '' where none was chosen."""
        return self.proposal(self.winner.proposal)

    def find_building(self, card: str) -> Building | None:
        """The prestige building of this card, if it stands."""
        return next((building for building in self.buildings if building.card == card), None)

    def is_neutral(self, base: str) -> bool:
        """Whether nobody holds the card of this base: its tiles are then nobody's."""
        return not self.base_owner.get(base, 0)

    @property
    def markers(self) -> int:
        """How many completion markers are out: one for each complete building."""
        return sum(building.complete for building in self.buildings)


def new_state(seats: int, first: int, options: Options, printed: Printed) -> State:
    """The table before anything was dealt, its seats with their action cards and nothing else."""
    state = State()
    state.seats = seats
    state.first = first
    state.options = options
    state.printed = printed
    state.abandoned = state.counted = state.down = state.row_taken = False
    state.advisers_seen = state.caller = state.claims_due = state.last = state.reshuffled = state.roads_due = 0
    state.tie = state.votes = 0
    state.winner = NO_WINNER
    state.base_owner = {}
    state.buildings = []
    state.structures = []
    state.on = {}
    state.covered = state.roads = 0
    state.did = state.displaced = ()
    state.due = ()
    state.goals = ("", "", "")
    state.goals_met = ()
    state.played = ""
    state.proposals = state.removed = state.spent = ()
    state.row = ()
    state.mats = [_new_mat(seats) for _ in range(seats + 1)]
    return state


def _new_mat(seats: int) -> Mat:
    """A mat with the action cards in hand; Income is for two players."""
    mat = Mat()
    mat.money = mat.fleeting = mat.lasting = mat.income = mat.points = mat.unknown = 0
    mat.race = mat.race_base = mat.seal = ""
    mat.bases = mat.discard = mat.used = ()
    mat.hand = tuple(card for card in ACTION_CARDS if card != INCOME or seats == TWO_PLAYERS)
    mat.bid = None
    mat.conceded = mat.lost = False
    return mat
