"""What every rule is called, what the game waits for, and which steps of a card are still open (F-3, F-5, F-10)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.messages import Card, Message, Seat, seat_message
from spyrium_log.title import Awaited
from spyrium_log.titles.founders.cards import (
    ADVISERS_IN_ALL,
    AESTHER,
    CALL,
    LAST_COMPLETION,
    PRESTIGE_IN_ALL,
    PROPOSALS,
    RACE,
)
from spyrium_log.titles.founders.effects import LONGEST_CARD, LONGEST_CELL
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.programme import Instruction, Programme
from spyrium_log.titles.founders.rules.actions import (
    BASIC,
    MAIN_ACTIONS,
    UNKNOWN_ACTION,
    Origin,
    category_of,
    count_done,
    expand_roads,
    follows_of,
    open_steps,
    programme_of_card,
    programme_of_worker,
)
from spyrium_log.titles.founders.scoring import is_played_out_alone
from spyrium_log.titles.founders.sites import fits_somewhere
from spyrium_log.titles.founders.state import MOST_SEATS, TWO_PLAYERS, State

# Every rule a decision, a deal or the count can break, in the rulebook's order, by its number.
_RULES_BY_NUMBER: Final = {
    "F-1.1": ("seat.exists", "pieces.supply"),
    "F-1.3": ("cards.unique", "cards.known"),
    "F-2.1": ("cell.exists", "cell.kind"),
    "F-3.1": ("table.order", "table.row", "table.level", "table.like", "table.goals"),
    "F-3.2": ("race.order", "race.free", "race.base"),
    "F-3.3": ("draft.order", "draft.free", "draft.forbidden", "draft.displaced", "draft.stuck"),
    "F-3.4": ("start.order", "start.cell"),
    "F-4.2": ("access.own", "access.twice", "access.tile"),
    "F-5": ("turn.order", "turn.pending"),
    "F-5.1": ("card.hand", "card.face", "card.kind"),
    "F-5.4": ("follow.kind",),
    "F-2.2": ("build.section",),
    "F-6.1": ("build.connected",),
    "F-6.2": ("build.apart", "build.neutrals"),
    "F-6.3": ("build.forest",),
    "F-6.4": ("tile.inputs", "tile.access", "tile.connected"),
    "F-6.5": ("build.covered",),
    "F-7.0": ("card.full",),
    "F-7": ("money.enough",),
    "F-7.1": ("trade.base", "trade.terrain", "trade.markers", "trade.follow"),
    "F-7.2": ("construct.kind",),
    "F-7.3": ("tile.shape", "tile.road"),
    "F-7.4": ("recruit.slot", "recruit.resource", "recruit.named"),
    "F-7.6": ("step.amount",),
    "F-8.4": ("deliver.due", "deliver.need", "deliver.tile"),
    "F-9": ("worker.variant", "worker.free", "worker.space", "worker.delivery"),
    "F-10.0": ("call.discard",),
    "F-10.1": ("call.bonus",),
    "F-10.4": ("bid.order", "bid.proposal", "bid.influence", "bid.sealed", "tie.due", "tie.proposal"),
    "F-10.5": ("place.due", "place.shape", "place.terrain", "place.site", "place.like"),
    "F-10.6": ("row.due", "row.count", "proposals.due", "proposals.count", "proposals.like", "proposals.deck"),
    "F-11": ("final.due",),
    "F-12.3": ("solo.call", "solo.claims", "solo.price"),
}
RULES: Final[dict[str, str]] = {rule: number for number, rules in _RULES_BY_NUMBER.items() for rule in rules}


def breach(rule: str, expected: Message, found: Message, unchecked: tuple[Unchecked, ...] = ()) -> Breach:
    """A breach of a rule of this title, with the rule's number and the assumed values that it rests on."""
    return Breach(rule, RULES[rule], expected, found, unchecked)


def list_unchecked(state: State, *values: tuple[str, str]) -> tuple[Unchecked, ...]:
    """Those of these printed values, each a component and a name, that are assumed."""
    return tuple([Unchecked(of, what) for of, what in values if (of, what) in state.printed.unsure])


def found_card(card: str) -> Message:
    """A card as the found part of a breach, cut to what fits into a log: there may be any word in its place."""
    return phrase("card-found", card=Card(card[:LONGEST_CARD]))


def found_cell(name: str) -> Message:
    """A cell as the found part of a breach, cut to what fits into a log."""
    return phrase("cell", name=name[:LONGEST_CELL])


def no_such_seat(state: State, seat: int) -> Breach:
    """The breach of an act of a seat that this game does not have: the only one, since nothing else can be judged."""
    return breach("seat.exists", phrase("seats", n=state.seats), seat_message(seat))


# --- what the game waits for ---------------------------------------------------------------------

DecisionKind: TypeAlias = Literal["race", "base", "third", "start", "bid", "follow", "turn"]
# What a rule or an act before makes a seat choose.
ChoiceKind: TypeAlias = Literal["deliver", "tie", "place", "claims", "choose", "step", "road"]
DealKind: TypeAlias = Literal["setup", "row", "proposals", "replace"]
StageKind: TypeAlias = Literal[DecisionKind, ChoiceKind, DealKind, "final", "over"]


class Stage(NamedTuple):
    """What the game waits for and from whom; `steps` are the instructions open to that seat.

    A step belongs to a card (`origin`), an adviser or the place of a worker: `source`.
    """

    kind: StageKind
    seat: int = 0
    steps: Programme = ()
    origin: Origin = "card"
    source: str = ""

    @property
    def is_optional(self) -> bool:
        """Whether none of the open steps has to be done: behind an obligatory one nothing is open yet."""
        return self.steps[-1].optional


_AWAITED_KINDS: Final[dict[str, Literal["decision", "choice", "deal", "final", "over"]]] = {
    **dict.fromkeys(get_args(DecisionKind), "decision"),
    **dict.fromkeys(get_args(ChoiceKind), "choice"),
    **dict.fromkeys(get_args(DealKind), "deal"),
    "final": "final",
    "over": "over",
}


def find_awaited(state: State) -> Awaited:
    """Whom the game waits for, and for what kind of event: for everybody outside this title."""
    stage = find_stage(state)
    return Awaited(_AWAITED_KINDS[stage.kind], (stage.seat,) if stage.seat else ())


def find_stage(state: State) -> Stage:
    """What comes next: the first of these that the table still owes."""
    if state.abandoned or state.counted:
        return Stage("over")
    if not state.last:
        return _find_draft_stage(state)
    return find_open_stage(state) or _find_stage_between_turns(state)


def find_open_stage(state: State) -> Stage | None:
    """What this turn still owes; None once it is over."""
    return _find_due_stage(state) or (
        _find_call_stage(state) if state.played == CALL and state.caller else _find_turn_stage(state)
    )


# How many base cards each of two players drafts; more players draft one.
_BASES_OF_TWO: Final = 2


def _find_draft_stage(state: State) -> Stage:
    """Before the first turn: the rows, then races, base cards and start tiles (F-3)."""
    if not state.row and not state.proposals:
        return Stage("setup")
    in_order = [seat for seat in state.list_seats_from(state.first) if not state.mats[seat].conceded]
    backwards = in_order[::-1]
    mats = state.mats
    for seat in in_order:
        if not mats[seat].race:
            return Stage("race", seat)
    if state.seats > 1:
        # who lost a card takes another at once, out of turn
        losers = [seat for seat, _ in state.displaced[-1:] if seat in in_order]
        for seat in (*losers, *backwards):
            if not mats[seat].bases or _has_lost_race_base(state, seat):
                return Stage("base", seat)
    if state.seats == TWO_PLAYERS:
        for seat in in_order:
            if len(mats[seat].bases) < _BASES_OF_TWO:
                return Stage("third", seat)
    owners = {structure.owner for structure in state.structures}
    for seat in backwards:
        if seat not in owners:
            return Stage("start", seat)
    return Stage("turn", in_order[0]) if in_order else Stage("final")


def _has_lost_race_base(state: State, seat: int) -> bool:
    """Whether somebody took the base card of the seat's race, and it has no other yet (draft-displace)."""
    mat = state.mats[seat]
    race = state.printed.races.get(mat.race)
    had_base = mat.race == AESTHER or (race is not None and race.base is not None)
    return state.options.draft_displace == "any" and had_base and not mat.race_base


def _find_due_stage(state: State) -> Stage | None:
    """What a fact made due: a delivery to choose, a tie, a proposal to place, claims to pay."""
    for _, _, seat in state.due:
        if is_playing(state, seat):
            return Stage("deliver", seat)
    if is_playing(state, state.tie):
        return Stage("tie", state.tie)
    if is_playing(state, state.winner.seat):
        if fits_somewhere(state, state.chosen_proposal):
            return Stage("place", state.winner.seat)
        # once no card is left in its place, nothing is built
        if count_proposals_left(state) > 0:
            return Stage("replace")
    if state.claims_due and is_playing(state, state.last):
        return Stage("claims", state.last)
    return None


def has_seat(state: State, seat: int) -> bool:
    """Whether this game has such a seat; of any other nothing can be judged."""
    return 0 < seat <= state.seats


def is_playing(state: State, seat: int) -> bool:
    """Whether there is such a seat, and it has not conceded."""
    return 0 < seat <= state.seats and not state.mats[seat].conceded


def is_stopped(state: State) -> bool:
    """Whether a Call to Vote ends at once because the sixth building is complete (end-in-call); alone it never does."""
    stops = state.options.end_in_call == "stop" and state.markers >= LAST_COMPLETION
    return stops and state.played == CALL and state.seats > 1


def _find_call_stage(state: State) -> Stage | None:
    """In a Call to Vote: its roads, then the bids, or what a game alone chooses; None once that is done."""
    caller = state.caller
    if is_stopped(state):
        return None
    if state.roads_due and is_playing(state, caller):
        return Stage("road", caller, (Instruction(does="road"),))
    if state.seats == 1:
        can_choose = state.proposals and is_playing(state, caller) and not state.mats[caller].lost
        return Stage("choose", caller) if can_choose else None
    # once all buildings stand, there is nothing to vote on
    for seat in state.list_seats_from(caller) if state.proposals else ():
        if not state.mats[seat].conceded and state.mats[seat].bid is None:
            return Stage("bid", seat)
    return None


def _find_turn_stage(state: State) -> Stage | None:
    """Open steps of the active seat, then the follows from its left; None once all have followed."""
    active = state.last
    if state.options.row_refill == "at-once" and _must_fill_row(state):
        return Stage("row")
    stage = find_step_stage(state, active) if is_playing(state, active) else None
    if stage is not None or state.down or state.played in {"", CALL} or state.seats == 1:
        return stage
    followed = {done.seat for done in state.did}
    by_worker = {done.seat for done in state.did if done.tag == "use_worker"}
    for seat in state.list_seats_from(active % state.seats + 1):
        if seat == active or state.mats[seat].conceded:
            continue
        if seat not in followed:
            return Stage("follow", seat, (*follows_of(state, state.played), BASIC))
        # only a worker can leave a follow with further steps
        if seat in by_worker and (stage := find_step_stage(state, seat)):
            return stage
    return None


def _must_fill_row(state: State) -> bool:
    """Whether an adviser was taken from the row; with a card of the category Recruit it waits for follows (F-7.4)."""
    is_recruiting = category_of(state, state.played) == "recruit" and not state.down
    return state.row_taken and needs_advisers(state) and not is_recruiting


def find_step_stage(state: State, seat: int) -> Stage | None:
    """The stage of what the seat still owes of the card it played or the worker it used; None where it owes nothing."""
    source = find_source(state, seat)
    if source is None:
        return None
    still = open_steps(source.steps, count_done(source.steps, source.tags))
    is_settled = not still or _is_left_as_it_is(still, source.tags)
    return None if is_settled else Stage("step", seat, still, source.origin, source.name)


def _is_left_as_it_is(still: Programme, tags: tuple[str, ...]) -> bool:
    """Whether nothing is waited for once some of an unknown action is done: no further step may exist."""
    return bool(tags) and all(step.unknown for step in still)


class Source(NamedTuple):
    """The steps that a seat works through, the tags of what it did of them, and the card or place they belong to."""

    steps: Programme
    tags: tuple[str, ...]
    origin: Origin
    name: str

    def list_steps_left(self) -> Programme:
        """The steps that are not settled yet."""
        return self.steps[count_done(self.steps, self.tags) :]


def find_source(state: State, seat: int) -> Source | None:
    """What the seat works through; None where it did a basic action, follows, or did nothing yet."""
    done = [each for each in state.did if each.seat == seat]
    worker = next((index for index, each in enumerate(done) if each.tag == "use_worker"), None)
    if worker is not None:
        on = done[worker].about
        programme = programme_of_worker(state, seat, on)
        tags = tuple([each.tag for each in done[worker:]])
        return Source(expand_roads(programme or UNKNOWN_ACTION), tags, "race" if on == RACE else "prestige", on)
    if seat != state.last or state.down or state.played in {"", CALL}:
        return None
    programme = programme_of_card(state, state.played)
    origin: Origin = "card" if state.played in MAIN_ACTIONS else "adviser"
    return Source(expand_roads(programme or UNKNOWN_ACTION), tuple([each.tag for each in done]), origin, state.played)


def _find_stage_between_turns(state: State) -> Stage:
    """Once a turn is over: rows to fill, the end of the game, or the next turn (F-5.7)."""
    if needs_advisers(state):
        return Stage("row")
    if needs_proposals(state):
        return Stage("proposals")
    if is_at_end(state):
        return Stage("final")
    for seat in state.list_seats_from(state.last % state.seats + 1):
        if not state.mats[seat].conceded:
            return Stage("turn", seat)
    return Stage("final")


def needs_advisers(state: State) -> bool:
    """Whether the adviser row has to slide or be filled: some slot is empty that a card could take."""
    row = state.row
    cards = len([card for card in row if card])
    is_slid = all(row[:cards])
    return bool(row) and (not is_slid or (cards < len(row) and state.advisers_seen < ADVISERS_IN_ALL))


def needs_proposals(state: State) -> bool:
    """Whether proposals have to be dealt: fewer than three lie there, there are more to deal, and the call goes on."""
    is_short = bool(state.row) and len(state.proposals) < PROPOSALS and count_proposals_left(state) > 0
    return is_short and not is_stopped(state)


def count_proposals_left(state: State) -> int:
    """How many prestige buildings can still be dealt, discarded ones included."""
    gone = len(state.proposals) + len([card for card in state.removed if card in state.printed.prestige])
    if not returns_built_cards(state):
        gone += len(state.buildings)
    return max(PRESTIGE_IN_ALL - gone, 0)


def returns_built_cards(state: State) -> bool:
    """Whether the card of a building that stands is discarded, and may be dealt again (no-workers-card)."""
    return state.options.workers == "without" and state.options.no_workers_card == "discard"


def is_at_end(state: State) -> bool:
    """Whether the game ends with the turn that is over (F-11.1, F-12.3)."""
    if state.seats > 1:
        return state.markers >= LAST_COMPLETION
    ends_by_sixth = state.options.solo_end == "sixth" and state.markers >= LAST_COMPLETION
    return ends_by_sixth or state.mats[1].lost or is_played_out_alone(state)


def expected_next_message(state: State) -> Message:
    """What the game waits for, as the expected part of a breach."""
    stage = find_stage(state)
    return phrase(f"due-{stage.kind}", seat=Seat(stage.seat)) if stage.seat else phrase(f"due-{stage.kind}")


def breaches_of_stage(state: State, seat: int, kinds: tuple[StageKind, ...], rule: str) -> list[Breach]:
    """A breach unless the game waits for one of these from this seat."""
    if not has_seat(state, seat):
        return [no_such_seat(state, seat)]
    stage = find_stage(state)
    if stage.seat == seat and stage.kind in kinds:
        return []
    return [breach(rule, expected_next_message(state), phrase("act-of", seat=Seat(seat)))]


def is_on_wire(seat: int) -> bool:
    """Whether a log could name this seat: of any other act only that is said."""
    return 0 < seat < MOST_SEATS
