"""The table as it stands. Mutable inside a replay, a play or a search; nobody else may change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from spyrium_log.titles.spyrium.cards import MARKET, TOKEN_VALUES, TOKENS_OF_A_VALUE
from spyrium_log.titles.spyrium.moves import GAPS, Gap

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.cards import Printed

STRIDE = 10
PLACES: dict[int, tuple[int, int, int]] = {gap: (index * STRIDE, gap // 10, gap % 10) for index, gap in enumerate(GAPS)}
GAPS_AROUND: tuple[tuple[Gap, ...], ...] = tuple(
    tuple(gap for gap in GAPS if space in divmod(gap, 10)) for space in range(MARKET + 1)
)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """How this table reads the rules where the editions differ or are silent (S-11)."""

    engineering_scores: Literal["printed-vp", "count"] = "printed-vp"
    taylorism_scores: Literal["end-of-game", "end-of-round"] = "end-of-game"
    taylorism_action: Literal["own-use", "chained", "either"] = "own-use"
    tie: Literal["shared"] = "shared"
    token_reshuffle: Literal["when-needed", "when-empty"] = "when-needed"
    event_effect: Literal["required", "may-fizzle"] = "required"
    character_effect: Literal["required", "may-decline"] = "required"
    replaced_workers: Literal["inactive", "active"] = "inactive"
    building_count: Literal["owned", "ever-built"] = "owned"
    crane_discount: Literal["site", "whole-cost"] = "site"
    commerce_limit: Literal["seven-tokens", "seven-points"] = "seven-tokens"
    commerce_event_token: Literal["stays", "taken"] = "stays"
    recruitment_count: Literal["one", "one-per-pound"] = "one"
    empty_gap_capitalization: Literal["pays", "nothing"] = "pays"
    bonus_in_final_scoring: Literal["no", "yes"] = "no"
    bonus_worker_at_seven: Literal["nothing", "five-pounds"] = "nothing"


class Built(NamedTuple):
    """A building in a neighbourhood."""

    card: str
    inclined: bool = False
    workers: int = 0


class Mat:
    """What one seat has. `workers` are those owned; active, inactive, in the market and on buildings sum to it."""

    __slots__ = (
        "active",
        "bonus_due",
        "bonuses",
        "buildings",
        "built",
        "conceded",
        "inactive",
        "kept",
        "money",
        "passed",
        "phase",
        "points",
        "residence",
        "spyrium",
        "techniques",
        "tilted",
        "used_event",
        "workers",
    )

    def __init__(self) -> None:
        self.money = 0
        self.spyrium = 0
        self.points = 0
        self.workers = 0
        self.residence = 0
        self.active = 0
        self.inactive = 0
        self.phase = 1
        self.passed = False
        self.conceded = False
        self.used_event = False
        self.bonus_due = False
        self.built = 0
        self.bonuses: tuple[str, ...] = ("worker", "money")
        self.buildings: list[Built] = []
        self.techniques: tuple[str, ...] = ()
        self.tilted: tuple[str, ...] = ()
        self.kept: tuple[int, ...] = ()

    def copy(self) -> Mat:
        twin = Mat.__new__(Mat)
        twin.money = self.money
        twin.spyrium = self.spyrium
        twin.points = self.points
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

    __slots__ = (
        "abandoned",
        "around",
        "counted",
        "dealt",
        "discard",
        "event",
        "event_token",
        "events_seen",
        "first",
        "last",
        "market",
        "mats",
        "next_event",
        "next_token",
        "options",
        "placed",
        "printed",
        "reserve",
        "round",
        "seats",
        "tokens",
    )

    def __init__(self, seats: int, first: int, options: Options, printed: Printed) -> None:
        self.seats = seats
        self.first = first
        self.options = options
        self.printed = printed
        self.last = 0
        self.round = 0
        self.event = ""
        self.event_token = 0
        self.next_event = ""
        self.next_token = 0
        self.market: list[str] = [""] * (MARKET + 1)
        self.tokens: list[tuple[int, ...]] = [()] * (MARKET + 1)
        self.placed = [0] * (len(GAPS) * STRIDE)
        self.around = [0] * (MARKET + 1)
        self.reserve = [0, *(TOKENS_OF_A_VALUE for _ in TOKEN_VALUES)]
        self.discard = [0] * (len(TOKEN_VALUES) + 1)
        self.dealt: tuple[tuple[int, str], ...] = ()
        self.events_seen: tuple[str, ...] = ()
        self.mats = [Mat() for _ in range(seats + 1)]
        self.counted = False
        self.abandoned = False

    def mat(self, seat: int) -> Mat:
        return self.mats[seat if seat <= self.seats else 0]

    def copy(self) -> State:
        twin = State.__new__(State)
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

    def clockwise(self) -> list[int]:
        """All seats from the first player on. A first player that does not exist counts as seat 1."""
        start = self.first if self.first <= self.seats else 1
        return [*range(start, self.seats + 1), *range(1, start)]

    def in_market(self, seat: int) -> int:
        return sum(self.placed[seat::STRIDE])
