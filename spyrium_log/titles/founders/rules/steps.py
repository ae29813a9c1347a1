"""The steps of turns and follows: which is carried out, and what speaks against it (F-5 to F-7)."""

from __future__ import annotations

from typing import Final, NamedTuple

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Message, Seat, Term
from spyrium_log.title import tag_of
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import (
    ADVISERS_IN_ALL,
    BASES,
    BRIDGE,
    CALL,
    HOUSE,
    MARKERS_FOR_RIVALS,
    RACE,
    TIERS,
)
from spyrium_log.titles.founders.ground import cell_of, cells_of, mask_of
from spyrium_log.titles.founders.links import find_links, find_reach
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.programme import Instruction, Programme
from spyrium_log.titles.founders.rules.actions import (
    BASIC,
    MAIN_ACTIONS,
    UNKNOWN_ACTION,
    Origin,
    expand_roads,
    is_done_by,
    list_first_steps,
    programme_of_card,
)
from spyrium_log.titles.founders.rules.build import (
    add_breaches_of_base,
    add_breaches_of_piece,
    add_breaches_of_road,
    add_breaches_of_tile,
    may_use,
)
from spyrium_log.titles.founders.rules.deal import add_breaches_of_strangers
from spyrium_log.titles.founders.rules.spend import add_breach_of_money, quote, terrains_under
from spyrium_log.titles.founders.rules.turn import (
    Stage,
    breach,
    expected_next_message,
    find_source,
    find_stage,
    found_card,
    found_cell,
    list_unchecked,
)
from spyrium_log.titles.founders.scoring import count_workers
from spyrium_log.titles.founders.state import State, Structure

BASIC_ACTS: Final = (moves.Gain, moves.LayRoad, moves.UseWorker)
_UNKNOWN: Final = UNKNOWN_ACTION[0]
# So much of a word that no log can have is shown.
_MOST_SHOWN: Final = 20
# The terrains on which a follow of Trade may build or buy.
CHEAP_TERRAINS: Final = ("coast", "desert")


class Context(NamedTuple):
    """The instruction that an act carries out, and what it belongs to: a card, an adviser or the place of a worker."""

    step: Instruction
    origin: Origin = "card"
    source: str = ""


def make_context(stage: Stage) -> Context:
    """What the next act of a stage carries out: its first step, and what that belongs to."""
    return Context(stage.steps[0], stage.origin, stage.source)


def find_context(state: State, act: moves.Step, breaches: list[Breach] | None = None) -> Context:
    """The instruction that an act carries out; adds what turn order, hand and card have against it, if asked for."""
    # only some steps can begin a turn; isinstance takes longer
    card = getattr(act, "card", None)
    if card is None:
        return _context_of_further_step(state, act, [] if breaches is None else breaches)
    if breaches is None:
        return _context_of_card(state, act, card, [])
    _add_breaches_of_card(state, act, card, breaches)
    return _context_of_card(state, act, card, breaches)


def _context_of_further_step(state: State, act: moves.Step, breaches: list[Breach]) -> Context:
    """The instruction that an act without a card carries out, as a follow or a further step of its seat."""
    seat = act.seat
    stage = find_stage(state)
    tag = tag_of(type(act))
    if getattr(act, "down", False):
        breaches.append(breach("card.face", phrase("card-face-down"), phrase("none")))
    if stage.seat == seat and stage.kind in {"step", "follow", "road"}:
        if stage.kind == "follow" and isinstance(act, BASIC_ACTS):
            return Context(BASIC)
        for step in stage.steps:
            if is_done_by(step, tag):
                return Context(BASIC if stage.kind == "road" else step, stage.origin, stage.source)
        rule = {"follow": "follow.kind", "road": "call.bonus"}.get(stage.kind, "card.kind")
        what_is_printed = "category" if stage.kind == "follow" else "does"
        unchecked = list_unchecked(state, (state.played, what_is_printed), (stage.source, "worker"))
        breaches.append(breach(rule, expected_next_message(state), _act_message(act), unchecked))
    elif (unknown := _find_unknown_context(state, seat)) is not None:
        return unknown
    else:
        rule = "turn.order" if stage.kind == "turn" else "turn.pending"
        breaches.append(breach(rule, expected_next_message(state), phrase("act-of", seat=Seat(seat))))
    return Context(_find_plain_step(tag))


def _find_plain_step(tag: str) -> Instruction:
    """The instruction of a main action for an act that fits nowhere, so that what else is wrong can be said."""
    for programme in MAIN_ACTIONS.values():
        for step in programme:
            if is_done_by(step, tag):
                return step
    return BASIC


def _find_unknown_context(state: State, seat: int) -> Context | None:
    """The step of an action that nobody knows: its seat may go on until another seat acts."""
    if not state.did or state.did[-1].seat != seat:
        return None
    source = find_source(state, seat)
    return Context(_UNKNOWN, source.origin, source.name) if source and source.steps == UNKNOWN_ACTION else None


def _add_breaches_of_card(state: State, act: moves.Step, card: str, breaches: list[Breach]) -> None:
    """Add breaches of beginning a turn with this card: out of turn, a card not in hand, or a face not to be played."""
    seat = act.seat
    stage = find_stage(state)
    if stage.kind != "turn" or stage.seat != seat:
        rule = "turn.order" if stage.kind == "turn" else "turn.pending"
        breaches.append(breach(rule, expected_next_message(state), phrase("turn-of", seat=Seat(seat))))
    down = getattr(act, "down", False)
    if (card == UNSEEN and not down) or card == CALL:
        expected = phrase("known-card") if card == UNSEEN else phrase("call-by-itself")
        breaches.append(breach("card.face", expected, found_card(card)))
    elif not _may_hold(state, seat, card):
        breaches.append(breach("card.hand", phrase("card-in-hand"), phrase("card-not-in-hand", card=Card(card))))


def _context_of_card(state: State, act: moves.Step, card: str, breaches: list[Breach]) -> Context:
    """The instruction that an act carries out with the card that begins the turn."""
    if getattr(act, "down", False):
        if not isinstance(act, BASIC_ACTS):
            breaches.append(breach("card.kind", phrase("basic-action"), _act_message(act)))
        return Context(BASIC)
    origin: Origin = "card" if card in MAIN_ACTIONS else "adviser"
    programme = programme_of_card(state, card)
    if programme is None:
        return Context(_UNKNOWN, origin, card)
    step = _find_first_step(expand_roads(programme), act)
    if step is None:
        unchecked = list_unchecked(state, (card, "does"))
        breaches.append(breach("card.kind", phrase("action-of-card", card=Card(card)), _act_message(act), unchecked))
        return Context(_find_plain_step(tag_of(type(act))), origin, card)
    return Context(step, origin, card)


def _act_message(act: moves.Step) -> Message:
    """What an act is, as the found part of a breach."""
    return phrase("act", kind=Term("choices", tag_of(type(act))))


def _may_hold(state: State, seat: int, card: str) -> bool:
    """Whether the card may be in the seat's hand, as far as anybody knows."""
    if card == UNSEEN:
        # one of them is the Call to Vote
        return state.mat(seat).cards_in_hand > 1
    may_be_unseen = card not in MAIN_ACTIONS and card != CALL and UNSEEN in state.mat(seat).hand
    return may_be_unseen or card in state.mat(seat).list_playable_cards()


def _find_first_step(steps: Programme, act: moves.Step) -> Instruction | None:
    """The step with which an act begins a card; an action that begins by itself begins with `play_card`."""
    first = list_first_steps(steps)
    if isinstance(act, moves.PlayCard):
        begins_by_itself = not first or all(step.optional for step in first)
        return steps[0] if begins_by_itself else None
    return next((step for step in first if is_done_by(step, tag_of(type(act)))), None)


# --- what speaks against a step ------------------------------------------------------------------


def add_breaches_of_step(state: State, act: moves.Step, context: Context, breaches: list[Breach]) -> None:
    """Add what the board, the pieces and the purse have against an act, as this step."""
    match act:
        case moves.Gain():
            if act.what not in {"money", "fleeting"}:
                # outside the log there may be anything in its place
                found = phrase("word", word=str(act.what)[:_MOST_SHOWN])
                breaches.append(breach("step.amount", phrase("coin-or-influence"), found))
        case moves.LayRoad():
            _add_breaches_of_road_step(state, act, context.step, breaches)
        case moves.BuildBase():
            _add_breaches_of_base_step(state, act, context.step, breaches)
        case moves.BuyAccess():
            _add_breaches_of_access(state, act, context, breaches)
        case moves.BuildHouse() | moves.BuildBridge():
            _add_breach_of_kind(act, context.step, breaches)
            add_breaches_of_piece(state, act, breaches)
        case moves.BuildTile():
            add_breaches_of_tile(state, act, breaches)
            _add_breach_of_road_before(state, act, breaches)
        case moves.Recruit():
            _add_breaches_of_recruiting(state, act, context, breaches)
        case moves.UseWorker():
            _add_breaches_of_worker(state, act, breaches)
        case moves.TakeBack():
            _add_breaches_of_taking_back(state, act, context, breaches)
        case _:
            pass
    add_breach_of_money(state, act.seat, quote(state, act, context.step), breaches)


def _add_breach_of_kind(act: moves.BuildHouse | moves.BuildBridge, step: Instruction, breaches: list[Breach]) -> None:
    """Add a breach if the card says which of the two is to be built, and this is the other."""
    kind = HOUSE if isinstance(act, moves.BuildHouse) else BRIDGE
    if step.what not in {"", kind} and not step.unknown:
        expected = phrase("kind", kind=Term("choices", step.what))
        breaches.append(breach("construct.kind", expected, _act_message(act)))


def find_own_tile_of_turn(state: State, seat: int) -> Structure | None:
    """The tile of tier 2 or 3 that the seat built in this turn; None if it built none."""
    about = next((done.about for done in state.did if done.seat == seat and done.tag == "build_tile"), "")
    return state.structure_at(cell_of(about))


def _add_breaches_of_road_step(state: State, act: moves.LayRoad, step: Instruction, breaches: list[Breach]) -> None:
    """Upgrade's road is connected to its tile; laid first it need not touch an own structure, by one reading."""
    of_any_road: list[Breach] = []
    add_breaches_of_road(state, act, of_any_road)
    is_upgrade_first = step.optional and act.card == "upgrade"
    if is_upgrade_first and state.options.upgrade_road_first == "tile":
        of_any_road = [each for each in of_any_road if each.rule != "build.connected"]
    breaches += of_any_road
    if step.instead:
        tile = find_own_tile_of_turn(state, act.seat)
        mask = mask_of(cells_of((act.at,)))
        if tile is None or not find_links(state, act.seat).region(tile.mask) & mask:
            breaches.append(breach("tile.road", phrase("road-to-tile"), phrase("unconnected")))


def _add_breach_of_road_before(state: State, act: moves.BuildTile, breaches: list[Breach]) -> None:
    """Upgrade's road was laid first: the tile has to be connected to it."""
    if state.played != "upgrade" or state.last != act.seat or act.card is not None:
        return
    road = next((done.about for done in state.did if done.seat == act.seat and done.tag == "lay_road"), "")
    mask = mask_of(cells_of(act.cells))
    if road and mask and not find_links(state, act.seat).region(mask) & mask_of(cells_of((road,))):
        breaches.append(breach("tile.road", phrase("tile-to-road"), phrase("unconnected")))


def _add_breaches_of_base_step(state: State, act: moves.BuildBase, step: Instruction, breaches: list[Breach]) -> None:
    """Trade (1) builds an own base; (3), which only a whole Trade allows, a neutral one or a rival's (F-7.1)."""
    if act.base not in BASES:
        breaches.append(breach("trade.base", phrase("base"), found_card(act.base)))
        return
    owner = state.base_owner.get(act.base, 0)
    if owner != act.seat and not step.unknown:
        if step.does == "base":
            breaches.append(breach("trade.base", phrase("own-base"), found_card(act.base)))
        elif owner and state.markers < MARKERS_FOR_RIVALS:
            expected = phrase("markers", n=MARKERS_FOR_RIVALS)
            breaches.append(breach("trade.markers", expected, phrase("markers-found", n=state.markers)))
    mask = mask_of(cells_of((act.at,)))
    if step.follow:
        _add_breach_of_follow_terrain(state, mask, breaches)
    add_breaches_of_base(state, act.base, act.at, breaches)


def _add_breach_of_follow_terrain(state: State, mask: int, breaches: list[Breach]) -> None:
    """A follow of Trade is for coast and desert only (F-7.1)."""
    if not any(terrain in CHEAP_TERRAINS for terrain in terrains_under(state, mask)):
        breaches.append(breach("trade.follow", phrase("coast-or-desert"), phrase("other-terrain")))


def _add_breaches_of_access(state: State, act: moves.BuyAccess, context: Context, breaches: list[Breach]) -> None:
    """Access is to a tile of another owner, or a neutral one, that one has no access to (F-4.2, F-7.1)."""
    step = context.step
    tile = state.structure_at(cell_of(act.at))
    if tile is None or tile.kind not in TIERS:
        breaches.append(breach("access.tile", phrase("tile-there"), found_cell(act.at)))
        return
    if tile.owner == act.seat:
        breaches.append(breach("access.own", phrase("tile-of-another"), phrase("own-tile")))
    elif tile.has_access(act.seat):
        breaches.append(breach("access.twice", phrase("tile-without-access"), phrase("access-already")))
    if step.follow:
        _add_breach_of_follow_terrain(state, tile.mask, breaches)
        if not tile.owner and state.options.follow_neutral_access == "no":
            breaches.append(breach("trade.follow", phrase("tile-of-rival"), phrase("neutral-tile")))
    if step.terrain and step.terrain not in terrains_under(state, tile.mask):
        breaches.append(
            breach("trade.terrain", phrase("kind", kind=Term("ground", step.terrain)), phrase("other-terrain"))
        )
    if step.connected and not _find_reach_of_source(state, act.seat, context) & tile.mask:
        breaches.append(breach("build.connected", phrase("connected-to-source"), phrase("unconnected")))


def _find_reach_of_source(state: State, seat: int, context: Context) -> int:
    """What "connected" in a card's text reaches: from the building of a worker, else from own structures (F-2.3)."""
    building = state.find_building(context.source)
    links = find_links(state, seat)
    return links.region(building.mask) if building else find_reach(state, seat, links)


def _add_breaches_of_recruiting(state: State, act: moves.Recruit, context: Context, breaches: list[Breach]) -> None:
    """An adviser lies in the slot, and the seat owns its resource on the board or has access to it (F-7.4)."""
    card = state.card_in_slot(act.slot)
    if not card:
        breaches.append(breach("recruit.slot", phrase("adviser-in-slot"), phrase("slot", n=act.slot)))
        return
    if act.named is not None and card != UNSEEN:
        breaches.append(breach("recruit.named", phrase("unseen-card"), found_card(card)))
    if act.named is not None and len(state.printed.advisers) == ADVISERS_IN_ALL:
        add_breaches_of_strangers((act.named,), state.printed.advisers, breaches)
    card = state.card_in_slot(act.slot, act.named)
    adviser = state.printed.advisers.get(card)
    needs = adviser.needs if adviser else None
    if needs is None:
        return
    if not any(may_use(tile, act.seat) for tile in state.structures if tile.kind == needs):
        expected = phrase("resource-at-hand", resource=Card(needs))
        breaches.append(breach("recruit.resource", expected, phrase("none"), list_unchecked(state, (card, "needs"))))
    if context.step.that:
        about = next((done.about for done in reversed(state.did) if done.tag == "buy_access"), "")
        tile = state.structure_at(cell_of(about))
        if tile is not None and tile.kind != needs:
            expected = phrase("adviser-of", resource=Card(tile.kind))
            breaches.append(breach("recruit.resource", expected, phrase("adviser-of", resource=Card(needs))))


def _add_breaches_of_worker(state: State, act: moves.UseWorker, breaches: list[Breach]) -> None:
    """A worker that is free goes to a free space: the own race's, or a building's to which the seat delivered (F-9)."""
    if state.options.workers == "without":
        breaches.append(breach("worker.variant", phrase("no-workers"), phrase("worker")))
    if count_workers(state, act.seat) < 1:
        breaches.append(breach("worker.free", phrase("free-worker"), phrase("none")))
    if act.on == RACE:
        if RACE in state.mat(act.seat).used:
            breaches.append(breach("worker.space", phrase("free-space"), phrase("space-taken")))
        return
    building = state.find_building(act.on)
    if building is None:
        breaches.append(breach("worker.space", phrase("race-or-building"), found_card(act.on)))
        return
    if any(act.on in mat.used for mat in state.mats):
        breaches.append(breach("worker.space", phrase("free-space"), phrase("space-taken")))
    if all(seat != act.seat for _, seat in building.delivered):
        breaches.append(breach("worker.delivery", phrase("own-delivery"), phrase("none")))
    elif state.options.worker_incomplete == "completed" and not building.complete:
        breaches.append(breach("worker.delivery", phrase("complete-building"), phrase("incomplete")))


def _add_breaches_of_taking_back(state: State, act: moves.TakeBack, context: Context, breaches: list[Breach]) -> None:
    """At most so many cards come back, from the own discard pile; never the card that is being played (F-5.1).

    A card that nobody saw go there is taken back as `?`, or by its name: then it is one of the hand's (F-5.3).
    """
    step = context.step
    mat = state.mat(act.seat)
    if len(act.cards) > step.n and not step.unknown:
        breaches.append(
            breach("step.amount", phrase("at-most-cards", n=step.n), phrase("cards-found", n=len(act.cards)))
        )
    left, unknown = _list_takeable(state, act.seat)
    may_be_unseen = [UNSEEN] * unknown + [card for card in mat.hand if card != CALL]
    for card in act.cards:
        if card in left and card != step.but:
            left.remove(card)
        elif unknown > 0 and card in may_be_unseen and card != step.but:
            unknown -= 1
            may_be_unseen.remove(card)
        else:
            breaches.append(breach("step.amount", phrase("discarded-card"), found_card(card)))


def _list_takeable(state: State, seat: int) -> tuple[list[str], int]:
    """The cards of a discard pile without the one that is being played, and how many more nobody saw go there."""
    mat = state.mat(seat)
    left = list(mat.discard)
    unknown = mat.unknown
    # the card that is being played lies on top of the pile, or is the last that nobody saw go there
    if state.last == seat and not (state.played == UNSEEN and state.down):
        left = [card for index, card in enumerate(left) if card != state.played or index < len(left) - 1]
    elif state.last == seat:
        unknown -= 1
    return left, unknown
