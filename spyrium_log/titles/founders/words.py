"""Events as sentences, in the words of the rulebook. Names of cards stay in the nominative, as on a label."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import groupby
from typing import Any

from spyrium_log import title
from spyrium_log.catalogue import Tables
from spyrium_log.messages import amount_text, cause_name
from spyrium_log.title import AnyPosting, PostingKey, Verb, posting_key, seat_of, tag_of
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import BASES, CALL, RACE
from spyrium_log.titles.founders.effects import FoundersFact
from spyrium_log.titles.founders.ground import cell_of
from spyrium_log.titles.founders.messages import vocabulary
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.state import Bid, State


def component_name(card: str, language: str) -> str:
    """The name of a race, a resource or a card of the rulebook; what only a set has is called by its id: Grain Hall."""
    name_by_id = card.replace("-", " ").title() if _CARD_ID.fullmatch(card) else card
    return vocabulary(language)["cards"].get(card) or name_by_id


_CARD_ID = re.compile(r"[a-z]+(-[a-z]+)*")
VERBS: dict[type, Verb] = {
    **dict.fromkeys(moves.DRAFTS, "draft"),
    moves.BuildBase: "trade",
    moves.BuyAccess: "trade",
    moves.LayRoad: "build",
    moves.BuildHouse: "build",
    moves.BuildBridge: "build",
    moves.BuildTile: "build",
    moves.Recruit: "hire",
    moves.Gain: "earn",
    moves.PlayCard: "earn",
    moves.UseWorker: "use",
    **dict.fromkeys(moves.VOTES, "vote"),
    moves.PlacePrestige: "build",
    moves.Deliver: "choose",
    moves.TakeBack: "choose",
    moves.Decline: "pass",
    **dict.fromkeys(moves.DEALS, "deal"),
    title.FinalCount: "final",
}


def describe_event(
    state: State,
    act: moves.Act,
    moved: Sequence[AnyPosting],
    facts: Sequence[FoundersFact],
    players: Sequence[str],
    language: str,
    assumed: AbstractSet[PostingKey],
) -> str:
    """The event in a sentence: `Anna plays Trade and builds gems on d4: −1 coin (price)`. `state` is before it.

    Amounts that are `assumed` have the sign of that before them, unless a person said the amount.
    """
    table = _Table(state, players, language, seat_of(act))
    is_by_seat = isinstance(act, (*moves.DECISIONS, title.Conceded))
    sentence = table.describe_decision(act) if is_by_seat else table.describe_deal_or_statement(act)
    parts = (_postings_text(moved, assumed, table), *table.describe_deck(act), *table.describe_facts(facts))
    effects_text = "; ".join(filter(None, parts))
    return table.fill("effects", sentence=sentence, effects=effects_text) if effects_text else sentence


class _Table:
    """What a sentence is made from: the state before the event, names, words, and the seat that acts (0: nobody)."""

    __slots__ = ("language", "players", "seat", "state", "words")

    def __init__(self, state: State, players: Sequence[str], language: str, seat: int) -> None:
        """Look up the words of the language once for the whole sentence."""
        self.state = state
        self.players = players
        self.language = language
        self.words: Tables = vocabulary(language)
        self.seat = seat

    def fill(self, key: str, **fields: object) -> str:
        """A template of the table `sentences` in this language, filled with names."""
        return self.words["sentences"][key].format(**fields)

    def player_name(self, seat: int) -> str:
        """The name of the player of a seat; its number where nobody sits there."""
        return self.players[seat - 1] if 0 < seat <= len(self.players) else f"#{seat}"

    def card_name(self, card: str | None) -> str:
        """The name of a card, the set's own before the rulebook's; `?` where there is none."""
        if not card:
            return "?"
        return self.state.printed.names.get((card, self.language)) or component_name(card, self.language)

    def card_names(self, cards: Iterable[str]) -> str:
        """The names of cards in a list; a dash where there are none."""
        return ", ".join(map(self.card_name, cards)) or "–"

    def describe_decision(self, act: moves.Act) -> str:
        """What a seat does, with the card that it plays for it, or as a follow."""
        deed, player = _DEEDS[type(act)](self, act), self.player_name(self.seat)
        if not isinstance(act, moves.Played) or act.card is None:
            # that a follow is declined says its own deed
            is_done_as_follow = is_follow(self.state, act) and type(act) is not moves.Decline
            return self.fill("follow" if is_done_as_follow else "deed", player=player, deed=deed)
        key = "turn_down" if act.down else "turn"
        if act.down and act.card == UNSEEN:
            key = "turn_unseen"
        # the card says all
        if isinstance(act, moves.PlayCard):
            key += "_alone"
        return self.fill(key, player=player, card=self.card_name(act.card), deed=deed)

    def describe_deal_or_statement(self, act: moves.Act) -> str:
        """The sentence of a deal, the final count or a statement, which is no seat's act."""
        fields_of = _STATEMENTS.get(type(act))
        return self.fill(tag_of(type(act)), **(fields_of(self, act) if fields_of else {}))

    def describe_deck(self, act: moves.Act) -> Iterator[str]:
        """What a deal did to the deck of proposals, for the end of its sentence."""
        if getattr(act, "shuffled", False):
            yield self.fill("shuffled")
        if cards := getattr(act, "put_back", ()):
            yield self.fill("put_back", cards=self.card_names(cards))

    def describe_facts(self, facts: Sequence[FoundersFact]) -> Iterator[str]:
        """What changed on the table. Who scored what along a chain of tiles is said by the postings."""
        for fact in facts:
            if fields_of := _FACTS.get(type(fact)):
                yield self.fill(tag_of(type(fact)), **fields_of(self, fact))

    def whose(self, owner: int) -> str:
        """` (neutral)`, ` (Bob's)` of what is not the acting seat's; empty for its own."""
        if owner == self.seat:
            return ""
        return self.fill("owned_by", player=self.player_name(owner)) if owner else self.fill("neutral")

    def tile_on(self, cell: str) -> tuple[str, str]:
        """The name of the tile on a cell, and whose it is; `?` where none lies."""
        structure = self.state.structure_at(cell_of(cell))
        return (self.card_name(structure.kind), self.whose(structure.owner)) if structure else ("?", "")

    def proposal_name(self, proposal: int) -> str:
        """The name of the building at this place behind the row; `?` where none lies."""
        return self.card_name(self.state.proposal(proposal))


def is_follow(state: State, act: moves.Act) -> bool:
    """Whether an act without a card is a follow: of another seat than the one whose turn it is, and its first.

    The act of a follower that goes on with what it began is none, and so is what belongs to a vote.
    """
    if type(act) not in _FOLLOWS or state.down or state.played in {"", CALL}:
        return False
    seat = seat_of(act)
    return seat != state.last and all(done.seat != seat for done in state.did)


# The acts that a follow can begin with.
_FOLLOWS = frozenset(moves.STEPS) - {moves.TakeBack}


def _describe_race(table: _Table, act: moves.TakeRace) -> str:
    """The race, and the base card that it brings where somebody had to say which."""
    key = "take_race" if act.base is None else "take_race_base"
    return table.fill(key, race=table.card_name(act.race), base=table.card_name(act.base))


def _describe_base(table: _Table, act: moves.TakeBase) -> str:
    """The base card, and from whom it is taken where it was somebody's already."""
    key = "take_base" if act.who is None else "take_base_from"
    return table.fill(key, base=table.card_name(act.base), other=table.player_name(act.who or 0))


def _describe_placing(table: _Table, act: moves.LayRoad | moves.BuildHouse) -> str:
    """The deed of laying a road or building a house, with its cell."""
    return table.fill(tag_of(type(act)), at=act.at)


def _describe_building_base(table: _Table, act: moves.BuildBase) -> str:
    """A base resource with whose it is; what is no base is nobody's."""
    whose = table.whose(table.state.base_owner.get(act.base, 0)) if act.base in BASES else ""
    return table.fill("build_base", base=table.card_name(act.base), at=act.at, whose=whose)


def _describe_access(table: _Table, act: moves.BuyAccess) -> str:
    """The tile to which access is bought, and whose it is."""
    tile, whose = table.tile_on(act.at)
    return table.fill("buy_access", tile=tile, at=act.at, whose=whose)


def _describe_bridge(table: _Table, act: moves.BuildBridge) -> str:
    """The deed of building a gate, if the cell is a wall, else a bridge."""
    is_gate = table.state.printed.board.kinds.get(cell_of(act.at)) == "wall"
    return table.fill("build_gate" if is_gate else "build_bridge", at=act.at)


def _describe_tile(table: _Table, act: moves.BuildTile) -> str:
    """The tile, its cells and the tiles that supply it, with whose they are."""
    inputs = []
    for cell in act.inputs:
        tile, whose = table.tile_on(cell)
        inputs.append(f"{tile} {cell}{whose}")
    return table.fill(
        "build_tile_from" if inputs else "build_tile",
        tile=table.card_name(act.resource),
        cells=_cells_text(act.cells),
        inputs=", ".join(inputs),
    )


def _cells_text(cells: Iterable[str]) -> str:
    """The cells of a piece; `?` where nobody said them."""
    return ", ".join(cells) or "?"


def find_recruited(state: State, act: moves.Recruit) -> str:
    """The adviser that is recruited, '' where none lies in the slot."""
    return act.named or state.card_in_slot(act.slot)


def _describe_worker(table: _Table, act: moves.UseWorker) -> str:
    """The race or the building whose action the worker takes."""
    is_race = act.on == RACE
    card = table.state.mat(act.seat).race if is_race else act.on
    return table.fill("use_worker_race" if is_race else "use_worker", card=table.card_name(card))


def _describe_bid(table: _Table, act: moves.Bid) -> str:
    """The building, and what the token and the influence make together."""
    points = Bid(act.proposal, act.fleeting, act.lasting).points
    card = table.proposal_name(act.proposal)
    return table.fill("bid", card=card, points=points, fleeting=act.fleeting, lasting=act.lasting)


def _describe_choice(table: _Table, act: moves.BreakTie | moves.ChooseProposal) -> str:
    """The building that is chosen, or wins the tie."""
    return table.fill(tag_of(type(act)), card=table.proposal_name(act.proposal))


def _describe_prestige(table: _Table, act: moves.PlacePrestige) -> str:
    """The building that won the vote, and its cells."""
    card = table.card_name(table.state.chosen_proposal)
    return table.fill("place_prestige", card=card, cells=_cells_text(act.cells))


def _describe_delivery(table: _Table, act: moves.Deliver) -> str:
    """What is delivered to which building, and from whose tile."""
    _, whose = table.tile_on(act.at)
    building, resource = table.card_name(act.building), table.card_name(act.resource)
    return table.fill("deliver", building=building, resource=resource, at=act.at, whose=whose)


def _describe_plainly(table: _Table, act: moves.PlayCard | moves.SealBid | moves.PayClaims | title.Conceded) -> str:
    """The deed of an act whose type says all."""
    return table.fill(tag_of(type(act)))


_DEEDS: dict[type, Callable[[_Table, Any], str]] = {
    moves.TakeRace: _describe_race,
    moves.TakeBase: _describe_base,
    moves.PlaceStart: lambda table, act: table.fill(
        "place_start", base=table.card_name(table.state.mat(act.seat).race_base), at=act.at
    ),
    moves.Gain: lambda table, act: table.fill("gain_money" if act.what == "money" else "gain_fleeting"),
    moves.LayRoad: _describe_placing,
    moves.BuildBase: _describe_building_base,
    moves.BuyAccess: _describe_access,
    moves.BuildHouse: _describe_placing,
    moves.BuildBridge: _describe_bridge,
    moves.BuildTile: _describe_tile,
    moves.Recruit: lambda table, act: table.fill(
        "recruit", card=table.card_name(find_recruited(table.state, act)), slot=act.slot
    ),
    moves.PlayCard: _describe_plainly,
    moves.UseWorker: _describe_worker,
    moves.TakeBack: lambda table, act: table.fill(
        "take_back" if act.cards else "take_back_none", cards=table.card_names(act.cards)
    ),
    moves.CallVote: lambda table, act: table.fill("call_vote_roads" if act.roads else "call_vote", n=act.roads),
    moves.SealBid: _describe_plainly,
    moves.Bid: _describe_bid,
    moves.BreakTie: _describe_choice,
    moves.ChooseProposal: _describe_choice,
    moves.PayClaims: _describe_plainly,
    moves.PlacePrestige: _describe_prestige,
    moves.Deliver: _describe_delivery,
    moves.Decline: lambda table, act: table.fill("decline_follow" if is_follow(table.state, act) else "decline"),
    title.Conceded: _describe_plainly,
}


def _fields_of_counting(table: _Table, act: title.Counted[Any]) -> dict[str, object]:
    """`Anna 6 coins 2 VP`: what somebody counted, a text for each player."""
    texts = []
    for who, holdings in groupby(act.held, key=lambda holding: holding.who):
        amounts = " ".join(
            amount_text(holding.n, holding.what, table.words, language=table.language) for holding in holdings
        )
        texts.append(f"{table.player_name(who)} {amounts}")
    return {"held": ", ".join(texts)}


_STATEMENTS: dict[type, Callable[[_Table, Any], dict[str, object]]] = {
    moves.TableDealt: lambda table, act: {
        "advisers": table.card_names(act.advisers),
        "proposals": table.card_names(act.proposals),
        "goals": table.card_names(act.goals),
    },
    moves.AdvisersDealt: lambda table, act: {"cards": table.card_names(act.cards)},
    moves.ProposalsDealt: lambda table, act: {"cards": table.card_names(act.cards)},
    moves.ProposalReplaced: lambda table, act: {
        "card": table.card_name(act.card),
        "gone": table.card_name(table.state.chosen_proposal),
    },
    title.Counted: _fields_of_counting,
    title.Adjusted: lambda _table, act: {"by": act.who, "why": act.why},
    title.Resynced: lambda _table, act: {"why": act.why},
    title.Abandoned: lambda _table, act: {"why": act.why},
}


def _fields_of_need(
    table: _Table, fact: effects.Delivered | effects.NeutralDelivered | effects.DeliveryDue
) -> dict[str, object]:
    """For the sentence of a delivery: the building, and the resource that it needs."""
    return {"building": table.card_name(fact.building), "resource": table.card_name(fact.resource)}


def _fields_of_goal(table: _Table, fact: effects.GoalMet | effects.GoalGone) -> dict[str, object]:
    """For the sentence of an achievement: its deck in words, and the card of it that lies there."""
    cards = dict(zip(effects.DECKS, table.state.goals, strict=False))
    return {"deck": table.words["choices"].get(fact.deck, fact.deck), "card": table.card_name(cards.get(fact.deck))}


def _fields_of_building(
    table: _Table, fact: effects.Completed | effects.ClaimPut | effects.ClaimTaken
) -> dict[str, object]:
    """For the sentence of a building that is complete, or has a claim: its name."""
    return {"building": table.card_name(fact.building)}


_FACTS: dict[type, Callable[[_Table, Any], dict[str, object]]] = {
    effects.BaseGot: lambda table, fact: {"player": table.player_name(fact.seat), "base": table.card_name(fact.base)},
    effects.Delivered: lambda table, fact: {
        **_fields_of_need(table, fact),
        "at": fact.at,
        "whose": table.whose(fact.seat),
    },
    effects.NeutralDelivered: _fields_of_need,
    effects.DeliveryDue: lambda table, fact: {**_fields_of_need(table, fact), "player": table.player_name(fact.seat)},
    effects.Completed: _fields_of_building,
    effects.TieDue: lambda table, fact: {"player": table.player_name(fact.seat)},
    effects.VoteWon: lambda table, fact: {
        "player": table.player_name(fact.seat),
        "card": table.proposal_name(fact.proposal),
    },
    effects.VoteVoid: lambda table, fact: {"card": table.proposal_name(fact.proposal)},
    effects.ClaimsDue: lambda _table, fact: {"n": fact.n},
    effects.ClaimPut: _fields_of_building,
    effects.ClaimTaken: _fields_of_building,
    effects.GoalMet: lambda table, fact: {**_fields_of_goal(table, fact), "player": table.player_name(fact.seat)},
    effects.GoalGone: _fields_of_goal,
    effects.CardRemoved: lambda table, fact: {"card": table.card_name(fact.card)},
    effects.SoloLost: lambda _table, _fact: {},
}


def _postings_text(moved: Sequence[AnyPosting], assumed: AbstractSet[PostingKey], table: _Table) -> str:
    """`−2 coins (price), Bob ~+1 VP (passed on)`: postings with causes, and the player where another one acts."""
    parts = []
    for posting in moved:
        text = _posting_text(posting.n, posting.what, posting.why, table.language)
        if assumed and posting.seen is None and posting_key(posting) in assumed:
            text = f"~{text}"
        parts.append(text if posting.who == table.seat else f"{table.player_name(posting.who)} {text}")
    return ", ".join(parts)


@lru_cache(maxsize=1024)
def _posting_text(n: int, what: str, why: str, language: str) -> str:
    """`+3 VP (delivered)`: one posting. Cached: few amounts occur."""
    words = vocabulary(language)
    sign, amount = "+" if n > 0 else "−", amount_text(abs(n), what, words, language=language)
    return f"{sign}{amount} ({cause_name(why, words) or why})"
