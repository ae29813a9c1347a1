"""Recorded games are the spec: every example comes to what stands beside it, byte for byte and word for word."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from msgspec import inspect

from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import EventLine
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Abandoned, Conceded, FinalCount
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.cards import CALLS, CARDS, EVENTS, TECHNIQUES, USES
from spyrium_log.titles.spyrium.effects import SpyriumFact
from spyrium_log.titles.spyrium.moves import Act, ActivateCard, ReuseBuilding, RoundDealt, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.options import Options
from tests.anything import info
from tests.games import read
from tests.stories import EXAMPLES, STORIES, expected, text_of

LOGS = sorted(path.name.removesuffix(".jsonl") for path in EXAMPLES.glob("*.jsonl"))


def test_every_example_has_its_story_and_what_it_comes_to() -> None:
    assert sorted(STORIES) == LOGS == sorted(path.name.split(".")[0] for path in EXAMPLES.glob("*.expected.json"))


@pytest.mark.parametrize("name", LOGS)
def test_the_story_writes_the_example(name: str) -> None:
    assert STORIES[name]() == EXAMPLES.joinpath(f"{name}.jsonl").read_bytes()


@pytest.mark.parametrize("name", LOGS)
def test_the_example_comes_to_what_stands_beside_it(name: str) -> None:
    raw = EXAMPLES.joinpath(f"{name}.jsonl").read_bytes()
    assert text_of(expected(raw)) == EXAMPLES.joinpath(f"{name}.expected.json").read_text(encoding="utf-8")


def occurring() -> Counter[str]:
    """Everything that the examples show: kinds of line, acts, facts, causes, card effects, options."""
    seen: Counter[str] = Counter()
    for name in LOGS:
        log = read(EXAMPLES.joinpath(f"{name}.jsonl").read_bytes())
        seen.update(f"line {line.__struct_config__.tag}" for line in log.lines)
        said = json.loads(EXAMPLES.joinpath(f"{name}.jsonl").read_bytes().split(b"\n", 1)[0])
        seen.update(f"option {key}={value}" for key, value in said["options"].items())
        done = replay(log)
        for line in log.lines:
            if isinstance(line, EventLine):
                seen[f"act {line.do.__struct_config__.tag}"] += 1
                seen.update(f"fact {fact.__struct_config__.tag}" for fact in line.facts)
                seen.update(f"cause {posting.why}" for posting in line.moved)
        seen[f"ending {ending(done)}"] += 1
        for index, event in enumerate(done.events):
            _effects(done.state_at(index), event.do, seen)
    return seen


def ending(done: Replay) -> str:
    acts = {type(event.do) for event in done.events}
    if FinalCount not in acts:
        return "abandoned" if Abandoned in acts else "conceded" if Conceded in acts else "none"
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
    wanted = {f"activated {card}" for card in CARDS} | {f"event {card}" for card in EVENTS}
    wanted |= {f"used {card}.{n}" for card, uses in USES.items() for n in range(1, len(uses) + 1)}
    wanted |= {f"round {n}" for n in range(1, 7)}
    wanted |= {f"ending {how}" for how in ("alone", "shared", "abandoned", "conceded", "none")}
    wanted |= {f"line {tag}" for tag in tags(line_type(TITLES["spyrium"]))}
    wanted |= {f"act {tag}" for tag in tags(Act)}
    wanted |= {f"fact {tag}" for tag in tags(SpyriumFact)}
    wanted |= {f"cause {why}" for why in TITLES["spyrium"].causes} - SET_UP_CAUSES
    for field in inspect.type_info(Options).fields:  # type: ignore[attr-defined]
        wanted |= {f"option {field.encode_name}={value}" for value in field.type.values if value != field.default}
    return wanted


# The fold makes `start` and `unseen` itself; `table` postings come from a recorder who knows only a total.
SET_UP_CAUSES = {"cause start", "cause unseen", "cause table"}


def test_everything_that_can_happen_happens_in_an_example() -> None:
    seen = occurring()
    assert len(CALLS) + len(TECHNIQUES) < len(seen)
    missing = sorted(everything() - set(seen))
    assert missing == []
