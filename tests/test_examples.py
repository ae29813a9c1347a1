"""Recorded games are the spec: every example comes to what stands beside it, byte for byte and word for word."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from msgspec import inspect

from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import EventLine
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Abandoned, AnyTitle, Conceded, FinalCount
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.cards import CALLS, CARDS, EVENTS, TECHNIQUES, USES
from spyrium_log.titles.spyrium.effects import SpyriumFact
from spyrium_log.titles.spyrium.moves import Act, ActivateCard, ReuseBuilding, RoundDealt, UseBuilding, UseEvent
from tests.anything import info
from tests.games import read
from tests.golden import Stories, expected, text_of
from tests.stories import STORIES, TITLES_WITH_STORIES

EXAMPLES = [(stories, name) for stories in TITLES_WITH_STORIES for name in stories.list_examples()]
every_example = pytest.mark.parametrize(
    ("stories", "name"), EXAMPLES, ids=[f"{stories.folder.name}-{name}" for stories, name in EXAMPLES]
)


@pytest.mark.parametrize("stories", TITLES_WITH_STORIES, ids=lambda stories: stories.folder.name)
def test_every_example_has_its_story_and_what_it_comes_to(stories: Stories) -> None:
    results = sorted(path.name.split(".")[0] for path in stories.folder.glob("*.expected.json"))
    assert sorted(stories) == stories.list_examples() == results


def test_no_two_titles_have_a_story_of_one_name() -> None:
    names = Counter(name for stories in TITLES_WITH_STORIES for name in stories)
    assert names.total() == len(names)


@every_example
def test_the_story_writes_the_example(stories: Stories, name: str) -> None:
    assert stories[name]() == stories.read(name)


@every_example
def test_the_example_comes_to_what_stands_beside_it(stories: Stories, name: str) -> None:
    result = stories.folder.joinpath(f"{name}.expected.json").read_text(encoding="utf-8")
    assert text_of(expected(stories.read(name))) == result


def occurring() -> Counter[str]:
    """Everything that the examples of Spyrium show: also kinds of line and card effects."""
    seen = count_occurrences(STORIES)
    for name in STORIES.list_examples():
        log = read(STORIES.read(name))
        seen.update(f"line {line.__struct_config__.tag}" for line in log.lines)
        done = replay(log)
        for index, event in enumerate(done.events):
            _effects(done.state_at(index), event.do, seen)
    return seen


def count_occurrences(stories: Stories) -> Counter[str]:
    """The acts, facts, causes, options and endings that the examples of a title show."""
    seen: Counter[str] = Counter()
    for name in stories.list_examples():
        raw = stories.read(name)
        seen.update(f"option {key}={value}" for key, value in json.loads(raw.split(b"\n", 1)[0])["options"].items())
        log = read(raw)
        for line in log.lines:
            if isinstance(line, EventLine):
                seen[f"act {line.do.__struct_config__.tag}"] += 1
                seen.update(f"fact {fact.__struct_config__.tag}" for fact in line.facts)
                seen.update(f"cause {posting.why}" for posting in line.moved)
        seen[f"ending {ending(replay(log))}"] += 1
    return seen


def ending(done: Replay) -> str:
    acts = {type(event.do) for event in done.events}
    if FinalCount not in acts:
        return "abandoned" if Abandoned in acts else "conceded" if Conceded in acts else "none"
    if any(score.lost for score in done.scores()):
        return "lost"
    return "shared" if sum(score.place == 1 for score in done.scores()) > 1 else "alone"


def _effects(state: object, act: object, seen: Counter[str]) -> None:
    if isinstance(act, ActivateCard):
        seen[f"activated {act.named or state.market[act.space]}"] += 1  # type: ignore[attr-defined]
    elif isinstance(act, UseBuilding | ReuseBuilding):
        buildings = state.mat(act.seat).buildings  # type: ignore[attr-defined]
        if act.slot <= len(buildings):
            seen[f"used {buildings[act.slot - 1].card}.{act.effect}"] += 1
    elif isinstance(act, UseEvent):
        seen[f"event {state.event}"] += 1  # type: ignore[attr-defined]
    elif isinstance(act, RoundDealt):
        seen[f"round {act.round}"] += 1


def tags(union: object) -> set[object]:
    kinds = info(union)
    assert isinstance(kinds, inspect.UnionType)
    return {kind.tag for kind in kinds.types if isinstance(kind, inspect.StructType)}


def everything() -> set[str]:
    wanted = list_possible(TITLES["spyrium"], Act, SpyriumFact)
    wanted |= {f"activated {card}" for card in CARDS} | {f"event {card}" for card in EVENTS}
    wanted |= {f"used {card}.{n}" for card, uses in USES.items() for n in range(1, len(uses) + 1)}
    wanted |= {f"round {n}" for n in range(1, 7)}
    wanted |= {f"ending {how}" for how in ("alone", "shared", "abandoned", "conceded", "none")}
    return wanted | {f"line {tag}" for tag in tags(line_type(TITLES["spyrium"]))}


def list_possible(title: AnyTitle, acts: object, facts: object) -> set[str]:
    """The acts, facts and causes that a title has, and each option that is not the usual one."""
    wanted = {f"act {tag}" for tag in tags(acts)} | {f"fact {tag}" for tag in tags(facts)}
    wanted |= {f"cause {why}" for why in title.causes} - SET_UP_CAUSES
    for field in inspect.type_info(title.options).fields:  # type: ignore[attr-defined]
        wanted |= {f"option {field.encode_name}={value}" for value in field.type.values if value != field.default}
    return wanted


# The fold makes `start` and `unseen` itself; `table` postings come from a recorder who knows only a total.
SET_UP_CAUSES = {"cause start", "cause unseen", "cause table"}


def test_everything_that_can_happen_happens_in_an_example() -> None:
    seen = occurring()
    assert len(CALLS) + len(TECHNIQUES) < len(seen)
    missing = sorted(everything() - set(seen))
    assert missing == []
