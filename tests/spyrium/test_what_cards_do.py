"""What a card does, in the words of every language: said of every card, with the numbers of the rules and no others."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from spyrium_log.titles.spyrium.cards import CALLS, CARDS, EVENTS, EXCHANGE, INVESTMENT, NEW_WORKERS, TOKEN_VALUES, USES
from spyrium_log.titles.spyrium.messages import LANGUAGES, vocabulary
from spyrium_log.titles.spyrium.rules.activate import CRANE_SAVES, MOST_KEPT
from spyrium_log.titles.spyrium.rules.event import COST_OF_OVERTIME
from spyrium_log.titles.spyrium.rules.market import CAPITALIZATION_PAYS
from spyrium_log.titles.spyrium.scoring import TECHNIQUE_CAP

# A point for each Spyrium, building, worker; for each £2.
EACH = (TECHNIQUE_CAP, 1)
OF_TECHNIQUES = {
    "automation": EACH,
    "capitalization": (CAPITALIZATION_PAYS, *EACH, 2),
    "engineering": (1, TECHNIQUE_CAP),
    "lobbying": (1, TECHNIQUE_CAP),
    "crane": (CRANE_SAVES, *EACH),
    "taylorism": EACH,
    "commerce": (MOST_KEPT, *TOKEN_VALUES, 1),
}
OF_EVENTS = {
    "windfall": (),
    "estate": (1,),
    "investment": tuple(n for way in INVESTMENT for n in way),
    "exchange": tuple(n for way in EXCHANGE for n in way),
    "overtime": (COST_OF_OVERTIME,),
    "recruitment": (1, 1),
    "latecomer": (),
}


def numbers(card: str) -> Counter[int]:
    """The numbers that the rules have for a card."""
    if card in USES:
        return Counter(n for use in USES[card] for n in (use.workers, use.spyrium, use.n) if n)
    if card in NEW_WORKERS:
        return Counter((NEW_WORKERS[card],))
    if card in CALLS:
        return Counter(n for n in (CALLS[card].spyrium, CALLS[card].n) if n)
    return Counter(OF_TECHNIQUES.get(card, OF_EVENTS.get(card, ())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_told_with_the_numbers_of_the_rules(language: str) -> None:
    does = vocabulary(language)["does"]
    assert set(does) == {*CARDS, *EVENTS}
    for card, text in does.items():
        assert Counter(map(int, re.findall(r"\d+", text))) == numbers(card), card


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_cards_that_do_otherwise_are_told_otherwise(language: str) -> None:
    """Two Residences do the same, and three buildings nothing at all."""
    does = vocabulary(language)["does"]
    same = [cards for text in set(does.values()) if len(cards := [card for card in does if does[card] == text]) > 1]
    assert sorted(map(sorted, same)) == [["luxury-home", "mansion", "palace"], ["residence-1", "residence-2"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_pays_by_a_token_is_told_apart_from_what_gives_by_it(language: str) -> None:
    does = vocabulary(language)["does"]
    for card, call in CALLS.items():
        assert ("→" in does[card]) == (call.pays_token or call.spyrium > 0), card
