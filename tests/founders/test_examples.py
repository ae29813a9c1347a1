"""What the examples of Founders show."""

from __future__ import annotations

from itertools import product

from spyrium_log.titles import TITLES
from spyrium_log.titles.founders.effects import FoundersFact
from spyrium_log.titles.founders.moves import Act
from spyrium_log.titles.founders.options import Options
from tests.founders.stories import STORIES, WHOLE_GAMES
from tests.games import read
from tests.test_examples import count_occurrences, list_possible

FOUNDERS = TITLES["founders"]
# A win is never shared: the last sentence of F-11.2.
ENDINGS = {f"ending {how}" for how in ("alone", "lost", "abandoned", "conceded", "none")}
# What may happen, and what no example shows yet.
MISSING: set[str] = set()


def test_everything_that_can_happen_happens_in_an_example_but_what_is_listed() -> None:
    seen = set(count_occurrences(STORIES))
    possible = list_possible(FOUNDERS, Act, FoundersFact) | ENDINGS
    assert possible - seen == MISSING
    assert {each for each in seen if each.startswith("ending ")} == ENDINGS


def test_whole_games_are_for_one_to_four_on_both_sides_with_each_variant() -> None:
    headers = [read(STORIES[name]()).header for name in WHOLE_GAMES]
    options: list[Options] = [header.options for header in headers]
    played = {(len(header.seats), each.side) for header, each in zip(headers, options, strict=True)}
    assert played == set(product(FOUNDERS.seats, ("thematic", "symmetric")))
    assert {each.workers for each in options} == {"with", "without"}
    assert {each.achievements for each in options} == {"with", "without"}
