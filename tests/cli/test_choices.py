"""What a list of choices says of each, and what the board says that a card costs whoever is to act."""

from __future__ import annotations

from typing import Any

from spyrium_cli.recording.choices import label_choices
from spyrium_log.entry.prompt import Prompt
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import ActivateCard, BuildingAt
from tests.entry.test_prompt import activating
from tests.scribe import mat
from tests.test_keys import positions


def labels(prompt: Prompt, text: str) -> dict[str, str]:
    prompt.press("escape")
    for key in text:
        prompt.press(key)
    choices = prompt.view.choices
    return dict(zip([choice.keys for choice in choices], label_choices(prompt, choices), strict=True))


def test_two_workers_beside_a_card_are_told_apart() -> None:
    assert labels(activating(), "1") == {"1": "worker from gap 12", "14": "worker from gap 14"}


def test_what_all_choices_share_is_left_out() -> None:
    assert labels(activating(), "5") == {
        "5": "−£2 (token), +1 on the residence track (effect)",
        "5s": "−£2 (token), +2 victory points (effect)",
        "5t3": "−£3 (token), +1 on the residence track (effect)",
        "5t3s": "−£3 (token), +2 victory points (effect)",
    }


def test_a_site_and_what_is_paid_for_it_are_named() -> None:
    anna = mat(1, money=20, active=0, buildings=(BuildingAt(card="mine-2"), BuildingAt(card="residence-2")))
    found = labels(activating(mats=(anna, mat(2), mat(3))), "1")
    assert found["1"] == "worker from gap 12, −£2 (new space)"
    assert found["14o1"] == "worker from gap 14, replacing Mine II, ~+£2 (symbol in common)"
    assert found["1o2"] == "worker from gap 12, replacing Residence II"


def test_no_two_choices_have_the_same_label() -> None:
    compared = 0
    for play, _ in positions(TITLES["spyrium"], 2):
        prompt = Prompt(play)
        for text in ("", *{choice.keys[:2] for choice in prompt.view.choices if choice.act is not None}):
            prompt.press("escape")
            for key in text:
                prompt.press(key)
            choices = [choice for choice in prompt.view.choices if choice.act is not None]
            if len(choices) > 1:
                named = label_choices(prompt, choices)
                assert len(set(named)) == len(named), (text, named)
                assert all(named)
                compared += 1
    assert compared > 10


def test_the_board_says_what_the_one_to_act_pays() -> None:
    """The price and what stands behind it are the least that any legal way to activate the card costs."""
    title, compared = TITLES["spyrium"], 0
    for play, _ in positions(title, 6):
        state = play.state
        view: Any = title.screens.view(state)
        paid: dict[int, int] = {}
        for act in title.legal(state):
            if isinstance(act, ActivateCard) and not act.lobbying and act.commerce is None and not act.declined:
                effects: Any = title.effects(state, act)
                pounds = -sum(each.n for each in effects.moved if each.what == "money" and each.why in COSTS)
                paid[act.space] = min(pounds, paid.get(act.space, pounds))
        for space, pounds in paid.items():
            assert view.market[space - 1].price + view.market[space - 1].extra == pounds
            compared += 1
    assert compared > 40


# The causes of what is paid for a card.
COSTS = ("price", "symbol", "crowd", "site", "crane", "token")
