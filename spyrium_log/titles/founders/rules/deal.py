"""What the table turns up: the rows at the start, advisers, proposals, and the final count (F-3.1, F-7.4, F-10.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from spyrium_log.errors import Breach
from spyrium_log.messages import Card
from spyrium_log.title import NOTHING, Draw, Effects, FinalCount
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ADVISERS_IN_ALL, GOALS_IN_ALL, PRESTIGE_IN_ALL, PROPOSALS, ROW
from spyrium_log.titles.founders.effects import DECKS, LONGEST_CARD
from spyrium_log.titles.founders.evolve import apply_act
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.deliver import Outcome
from spyrium_log.titles.founders.rules.goals import add_goals, has_goals_left
from spyrium_log.titles.founders.rules.turn import (
    DealKind,
    breach,
    count_proposals_left,
    expected_next_message,
    find_open_stage,
    find_stage,
    found_card,
    list_unchecked,
    returns_built_cards,
)
from spyrium_log.titles.founders.scoring import count_final_points
from spyrium_log.titles.founders.state import State


def breaches_of_deal(state: State, act: moves.Deal) -> list[Breach]:
    """Breaches of a deal: it is not due, has too many or too few cards, or cards that cannot come."""
    match act:
        case moves.TableDealt():
            return _breaches_of_table(state, act)
        case moves.AdvisersDealt():
            return _breaches_of_advisers(state, act)
        case moves.ProposalsDealt():
            return _breaches_of_proposals(state, act)
        case moves.ProposalReplaced():
            return _breaches_of_replacing(state, act)
        case _:
            assert_never(act)


def _breaches_of_replacing(state: State, act: moves.ProposalReplaced) -> list[Breach]:
    """Breaches of replacing the proposal that fits nowhere: not due, or by a card that is known to lie elsewhere."""
    breaches = _breaches_of_due(state, "replace", "proposals.due")
    # shuffled, the discarded ones may come again
    if not (act.shuffled and act.card in list_reshuffled(state)):
        _add_breaches_of_known(state, (act.card,), breaches)
    return breaches


def _breaches_of_due(state: State, kind: DealKind, rule: str) -> list[Breach]:
    """A breach of this rule unless the game waits for this kind of deal."""
    is_due = find_stage(state).kind == kind
    return [] if is_due else [breach(rule, expected_next_message(state), phrase(f"dealt-{kind}"))]


def _breaches_of_table(state: State, act: moves.TableDealt) -> list[Breach]:
    """Four advisers, three unlike proposals, and with achievements one of each deck (F-3.1)."""
    breaches = _breaches_of_due(state, "setup", "table.order")
    if len(act.advisers) != ROW or len(act.proposals) != PROPOSALS:
        found = phrase("row-found", n=len(act.advisers), m=len(act.proposals))
        breaches.append(breach("table.row", phrase("row", n=ROW, m=PROPOSALS), found))
    _add_breaches_of_goals(state, act.goals, breaches)
    _add_breaches_of_known(state, act.advisers, breaches)
    _add_breach_of_level(state, act.advisers, breaches)
    _add_breaches_of_known(state, (*act.proposals, *act.put_back), breaches)
    _add_breaches_of_likeness(state, act.proposals, act.put_back, "table.like", breaches)
    return breaches


def _add_breaches_of_goals(state: State, cards: Sequence[str], breaches: list[Breach]) -> None:
    """Add breaches unless these are one achievement of each deck, or none in a game without them (F-3.1)."""
    due = len(DECKS) if _has_goals(state) else 0
    if len(cards) != due:
        breaches.append(breach("table.goals", phrase("goals", n=due), phrase("goals", n=len(cards))))
    if len(state.printed.goals) == GOALS_IN_ALL:
        add_breaches_of_strangers(filter(None, cards), state.printed.goals, breaches)
    for deck, card in zip(DECKS, cards, strict=False):
        goal = state.printed.goals.get(card)
        # None: nobody knows its deck
        if goal is not None and goal.deck not in {deck, None}:
            unchecked = list_unchecked(state, (card, "deck"))
            breaches.append(breach("table.goals", phrase("goal-of", word=deck), found_card(card), unchecked))


def _has_goals(state: State) -> bool:
    """Whether the game is played with achievements; alone a table may leave them out (solo-achievements)."""
    is_left_out = state.seats == 1 and state.options.solo_achievements == "none"
    return state.options.achievements == "with" and not is_left_out


def _add_breach_of_level(state: State, cards: Sequence[str], breaches: list[Breach]) -> None:
    """Add a breach for an adviser that comes before all of a lower level did; unseen ones may be those (F-3.1)."""
    seen = list_seen_advisers(state)
    unseen = state.advisers_seen - len(seen)
    for card in cards:
        level = _level_of(state, card)
        # an adviser whose level nobody knows may be as high
        lower = [each for each in state.printed.advisers if each not in seen and 0 < _level_of(state, each) < level]
        if len(lower) > max(unseen, 0):
            unchecked = list_unchecked(state, *((each, "level") for each in (card, *lower)))
            found = found_card(card)
            breaches.append(breach("table.level", phrase("lower-adviser"), found, unchecked))
            return
        seen.append(card)
        unseen += card == UNSEEN


def _level_of(state: State, card: str) -> int:
    """The level of an adviser; 0 where nobody knows it."""
    adviser = state.printed.advisers.get(card)
    return (adviser.level or 0) if adviser else 0


def list_seen_advisers(state: State) -> list[str]:
    """Every adviser that was dealt and seen: in the row, with a seat, or out of the game."""
    held = [card for mat in state.mats[1:] for card in (*mat.hand, *mat.discard)]
    return [card for card in (*state.row, *held, *state.removed) if card not in {"", UNSEEN}]


def list_seen_proposals(state: State) -> list[str]:
    """Every prestige building that is not in the deck."""
    return [card for card in (*state.proposals, *state.removed, *list_discarded(state)) if card != UNSEEN]


def list_discarded(state: State) -> list[str]:
    """Every prestige building that is out of the deck for now; those that stand never come back but by one reading."""
    # by it the cards of those that stood at the last shuffle lie in the deck again
    back = state.reshuffled if returns_built_cards(state) else 0
    return [*state.spent, *(building.card for building in state.buildings[back:])]


def list_reshuffled(state: State) -> list[str]:
    """The discarded proposals that a new deck is shuffled from, without those that lie there again or are out."""
    cards = list_discarded(state) if returns_built_cards(state) else state.spent
    return [card for card in cards if card not in state.removed and card not in state.proposals]


def _add_breaches_of_known(state: State, cards: Sequence[str], breaches: list[Breach]) -> None:
    """Add a breach for a card that was dealt twice, lies elsewhere already, or that a whole set does not have."""
    elsewhere = {*list_seen_advisers(state), *list_seen_proposals(state)}
    again = (card for card, n in Counter(cards).items() if card != UNSEEN and (n > 1 or card in elsewhere))
    for card in again:
        found = phrase("card-again", card=Card(card[:LONGEST_CARD]))
        breaches.append(breach("cards.unique", phrase("new-card"), found))
    if len(state.printed.advisers) == ADVISERS_IN_ALL and len(state.printed.prestige) == PRESTIGE_IN_ALL:
        add_breaches_of_strangers(cards, {*state.printed.advisers, *state.printed.prestige}, breaches)


def add_breaches_of_strangers(cards: Iterable[str], known: Collection[str], breaches: list[Breach]) -> None:
    """Add a breach for each card that a whole set does not have."""
    strange = (card for card in dict.fromkeys(cards) if card != UNSEEN and card not in known)
    breaches += [breach("cards.known", phrase("card-of-set"), found_card(card)) for card in strange]


def _add_breaches_of_likeness(
    state: State, proposals: Sequence[str], put_back: Sequence[str], rule: str, breaches: list[Breach]
) -> None:
    """Two proposals must not be alike while there are others, and only what is alike is put back (F-3.1)."""
    cards = (*proposals, *put_back)
    unchecked = list_unchecked(state, *((card, what) for card in cards for what in ("shape", "colour")))
    alike = find_alike(state, proposals)
    drawn = len(cards) - len(state.proposals)
    # a pair stays once every card was drawn, those put back included
    if alike and count_proposals_left(state) > drawn:
        breaches.append(breach(rule, phrase("unlike-proposals"), found_card(alike), unchecked))
    looks = [_look_of(state, card) for card in proposals]
    for card in put_back:
        look = _look_of(state, card)
        # None: one that nobody knows may be alike to any
        if look is not None and None not in looks and look not in looks:
            breaches.append(breach(rule, phrase("alike-put-back"), found_card(card), unchecked))


def _look_of(state: State, card: str) -> tuple[str, str] | None:
    """Shape and colour of a prestige building; None where nobody knows them."""
    prestige = state.printed.prestige.get(card)
    return prestige.look if prestige else None


def find_alike(state: State, proposals: Sequence[str]) -> str:
    """The rightmost proposal that is alike to one before it; '' where none is, as far as anybody knows."""
    looks = []
    alike = ""
    for card in proposals:
        look = _look_of(state, card)
        if look is not None and look in looks:
            alike = card
        looks.append(look)
    return alike


def count_advisers_due(state: State) -> int:
    """How many advisers come to the row: as many as slots are empty, while the deck lasts (F-7.4)."""
    empty = sum(not card for card in state.row)
    return max(min(empty, ADVISERS_IN_ALL - state.advisers_seen), 0)


def _breaches_of_advisers(state: State, act: moves.AdvisersDealt) -> list[Breach]:
    """Breaches of filling the row: not due, too many or too few cards, or cards that cannot come (F-7.4)."""
    breaches = _breaches_of_due(state, "row", "row.due")
    due = count_advisers_due(state)
    if len(act.cards) != due:
        breaches.append(breach("row.count", phrase("advisers", n=due), phrase("advisers", n=len(act.cards))))
    _add_breaches_of_known(state, act.cards, breaches)
    _add_breach_of_level(state, act.cards, breaches)
    return breaches


def count_proposals_due(state: State) -> int:
    """How many proposals come: as many as are missing (below 0: too many lie there), while there are any (F-10.6)."""
    return min(PROPOSALS - len(state.proposals), count_proposals_left(state))


def _breaches_of_proposals(state: State, act: moves.ProposalsDealt) -> list[Breach]:
    """New proposals come; discarded ones only once the deck is too short (F-10.6)."""
    breaches = _breaches_of_due(state, "proposals", "proposals.due")
    due = max(count_proposals_due(state), 0)
    if len(act.cards) != due:
        found = phrase("proposals-due", n=len(act.cards))
        breaches.append(breach("proposals.count", phrase("proposals-due", n=due), found))
    if act.shuffled and count_deck(state) >= due + len(act.put_back):
        breaches.append(breach("proposals.deck", phrase("deck-lasts", n=count_deck(state)), phrase("shuffled")))
    drawn = (*act.cards, *act.put_back)
    # shuffled, the discarded ones may come again
    new = tuple(card for card in drawn if card not in list_reshuffled(state)) if act.shuffled else drawn
    _add_breaches_of_known(state, new, breaches)
    if act.shuffled and state.options.prestige_deck_short == "deal-first":
        left = [card for card in _list_deck(state) if card not in drawn]
        # a card that nobody saw may be the one that is left
        if left and UNSEEN not in state.proposals + drawn:
            breaches.append(breach("proposals.deck", phrase("rest-of-deck"), found_card(left[0])))
    _add_breaches_of_likeness(state, (*state.proposals, *act.cards), act.put_back, "proposals.like", breaches)
    return breaches


def count_deck(state: State) -> int:
    """How many proposals the deck holds, without the discarded ones."""
    return max(count_proposals_left(state) - len(list_reshuffled(state)), 0)


def breaches_of_final(state: State, _act: FinalCount) -> list[Breach]:
    """A breach unless the game waits for the final count."""
    is_due = find_stage(state).kind == "final"
    return [] if is_due else [breach("final.due", expected_next_message(state), phrase("final-count"))]


def effects_of_final(state: State, _act: FinalCount) -> Effects:
    """What the final count brings: the points of every seat, by cause."""
    outcome = Outcome(state.copy())
    for seat in range(1, state.seats + 1):
        for cause, n in count_final_points(state, seat).items():
            outcome.gain(seat, "points", n, cause)
    return Effects(outcome.list_postings(), outcome.facts)


def effects_of_deal(before: State, act: moves.Deal) -> Effects:
    """A deal moves only the cards that it names; a turn that ends with it, filled at once, meets its achievements."""
    if not has_goals_left(before) or not before.last or find_open_stage(before) is None:
        return NOTHING
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    if find_open_stage(outcome.state) is None:
        add_goals(outcome)
    return Effects(outcome.list_postings(), outcome.facts)


# --- dealing by chance ---------------------------------------------------------------------------


def draw_deal(state: State, draw: Draw) -> moves.Deal:
    """The deal that is due, by chance, for simulated games; `draw` takes cards of a list."""
    match find_stage(state).kind:
        case "setup":
            advisers = _draw_advisers(state, draw, ROW)
            proposals, put_back, _ = _draw_proposals(state, draw, PROPOSALS)
            return moves.TableDealt(
                advisers=advisers, proposals=proposals, put_back=put_back, goals=_draw_goals(state, draw)
            )
        case "replace":
            deck = [card for card in _list_deck(state) if card != state.chosen_proposal]
            replacement = draw(deck or sorted(list_reshuffled(state)), 1)[0]
            return moves.ProposalReplaced(card=replacement, shuffled=not deck)
        case "proposals":
            cards, put_back, shuffled = _draw_proposals(state, draw, count_proposals_due(state))
            return moves.ProposalsDealt(cards=cards, put_back=put_back, shuffled=shuffled)
        case _:
            return moves.AdvisersDealt(cards=_draw_advisers(state, draw, count_advisers_due(state)))


def _draw_advisers(state: State, draw: Draw, n: int) -> tuple[str, ...]:
    """So many advisers from the top of the deck, in which those of a lower level lie above."""
    seen = list_seen_advisers(state)
    left = [card for card in sorted(state.printed.advisers) if card not in seen]
    drawn: list[str] = []
    for level in sorted({_level_of(state, card) for card in left}):
        pool = [card for card in left if _level_of(state, card) == level]
        drawn += draw(pool, min(n - len(drawn), len(pool)))
    return tuple(drawn)


def _list_deck(state: State) -> list[str]:
    """The proposals that may be in the deck: those that were not seen since it was shuffled."""
    seen = {*list_seen_proposals(state)}
    return [card for card in sorted(state.printed.prestige) if card not in seen]


def _draw_proposals(state: State, draw: Draw, n: int) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """So many proposals, those put back because they were alike, and whether the discarded ones were shuffled."""
    deck = _list_deck(state)
    shuffled = state.options.prestige_deck_short == "shuffle-first" and len(deck) < n and bool(list_reshuffled(state))
    deck += list_reshuffled(state) if shuffled else []
    dealt: list[str] = []
    put_back: list[str] = []
    while len(dealt) < n:
        left = [card for card in deck if card not in dealt and card not in put_back]
        if left:
            card = draw(left, 1)[0]
            pile = put_back if find_alike(state, (*state.proposals, *dealt, card)) else dealt
            pile.append(card)
        elif not shuffled and list_reshuffled(state):
            shuffled = True
            deck += list_reshuffled(state)
        else:
            # nothing unlike is left: the pair stays
            dealt += put_back[: n - len(dealt)]
            put_back = [card for card in put_back if card not in dealt]
            break
    return tuple(dealt), tuple(put_back), shuffled


def _draw_goals(state: State, draw: Draw) -> tuple[str, ...]:
    """One achievement of each deck, where the table plays with them."""
    if not _has_goals(state):
        return ()
    decks = [[card for card, goal in sorted(state.printed.goals.items()) if goal.deck == deck] for deck in DECKS]
    return tuple(draw(deck, 1)[0] for deck in decks if deck)
