"""Every short form that the corpora of illegal moves can be typed in is expanded, judged and answered with a rule.

`python -m tests.entry.test_refusals` types all of them and prints how many were expanded, and those that were not.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, make_line
from spyrium_log.play import Play
from spyrium_log.title import AnyTitle, Resynced
from spyrium_log.titles import TITLES
from tests.founders.test_corpus import ROWS as FOUNDERS_ROWS
from tests.games import PLAYERS
from tests.scribe import Scribe
from tests.spyrium.corpus import ROWS as SPYRIUM_ROWS
from tests.spyrium.corpus import said
from tests.test_keys import positions

# Of the rows of Founders, whose large boards take a while, one in so many is typed by the test.
SHARE = 4
# Nobody is to act, so that keys are a deal, or no move at all.
NOT_DECISIONS = ("deal", "final", "over")


class Typed(NamedTuple):
    """An illegal act of a corpus in keys, and the table that it is typed at."""

    name: str
    play: Play
    text: str
    act: Any


def tables(title: AnyTitle, share: int = 1) -> Iterator[tuple[str, Play, Any]]:
    """The rows that break a rule: the table of each, and the act."""
    if title.key == "spyrium":
        for row in SPYRIUM_ROWS[::share]:
            if row.rule is not None:
                play = table(title, row.at, row.at.positions)
                yield row.name, play, said(play.state, row.event)
    else:
        for name, each in FOUNDERS_ROWS[::share]:
            if each.rule is not None:
                positions = () if each.at.position is None else (each.at.position,)
                yield name, table(title, each.at, positions), each.act


def table(title: AnyTitle, at: Any, positions: tuple[Any, ...]) -> Play:
    """The table of a row as a log that is being recorded."""
    scribe = Scribe("game-refused", title=title, seats=at.seats, options=at.options, sheet=at.sheet, players=PLAYERS)
    for position in positions:
        scribe.act(Resynced(position=position, why="corpus"))
    for event in at.before:
        scribe.act(said(scribe.state, event))
    return scribe.table


def forms(title: AnyTitle, share: int = 1) -> Iterator[Typed]:
    """Each act in the fewest keys, and with nothing left out; pieces that no board has cannot be typed."""
    for name, play, act in tables(title, share):
        if not isinstance(act, title.wire.decision):
            continue
        try:
            steps = title.recorder.steps(play.state, act)
        except (KeyError, IndexError):
            continue
        texts = ("".join(step.key for step in steps if not step.optional), "".join(step.key for step in steps))
        for text in dict.fromkeys(filter(None, texts)):
            yield Typed(name, play, text, act)


def answer(typed: Typed) -> str:
    """What comes of typing it: `expanded`, `legal`, `asked`, or the message of what no act can be meant by."""
    prompt = Prompt(typed.play)
    request = prompt.enter_line(typed.text)
    view = prompt.view
    if view.refused:
        check_refusal(prompt)
        return "expanded"
    if request is not None:
        return "legal"
    return "asked" if prompt.inquiry.asked is not None else view.message or f"expected {view.question}"


def check_refusal(prompt: Prompt) -> None:
    """A refusal has its rule with a number, the nearest legal moves, if there are any, and one key records it."""
    view, title = prompt.view, prompt.play.title
    assert isinstance(view.request, Act)
    assert view.breaches[0].number == title.rules[view.breaches[0].rule]
    assert bool(view.choices) == bool(prompt.keys.ways)
    anyway = prompt.press("!")
    assert isinstance(anyway, Act)
    assert anyway.anyway
    assert make_line(prompt.play, anyway, by="tester").n == len(prompt.play.log.lines)
    # a log can hold it
    assert msgspec.convert(msgspec.to_builtins(anyway.act), title.wire.decision) == anyway.act


def tally(title: AnyTitle, share: int = 1) -> tuple[Counter[str], list[tuple[Typed, str]]]:
    """How many forms are answered how, and those that no act can be meant by while somebody is to act."""
    counts: Counter[str] = Counter()
    left: list[tuple[Typed, str]] = []
    for typed in forms(title, share):
        outcome = answer(typed)
        awaited = typed.play.awaits().kind
        is_known = outcome in {"expanded", "legal", "asked"}
        counts[outcome if is_known else "nobody is to act" if awaited in NOT_DECISIONS else "no act"] += 1
        if not is_known and awaited not in NOT_DECISIONS:
            left.append((typed, outcome))
    return counts, left


# What names no piece of the board, or leaves open what an event is to do.
SPYRIUM_LEFT = {*("99", "p99", "g10", "g101", "0", "a01", "g31", "a31"), *("e", "e112", "e11", "e111", "ems")}
# The same, and deliveries and placements while none is due: a cell alone is no move then.
FOUNDERS_LEFT = {"ae", "k11", "a01", "d04", "l09", "f10", "tpo?", "r5", "4f0l0", "4f3l1", "h01h0g01g0"}


def test_every_short_form_of_spyrium_is_expanded_but_for_what_names_no_piece() -> None:
    counts, left = tally(TITLES["spyrium"])
    assert {typed.text for typed, _ in left} == SPYRIUM_LEFT
    assert counts["expanded"] > 200


def test_short_forms_of_founders_are_expanded() -> None:
    counts, left = tally(TITLES["founders"], SHARE)
    assert {typed.text for typed, _ in left} <= FOUNDERS_LEFT
    assert counts["expanded"] > 60


def test_what_is_typed_of_a_legal_move_is_that_move() -> None:
    chance, title, seen = random.Random(3), TITLES["spyrium"], Counter[str]()
    for play, _ in positions(title, 2):
        legal = title.legal(play.state)
        for act in chance.sample(legal, min(4, len(legal))):
            keys = "".join(step.key for step in title.recorder.steps(play.state, act))
            assert list(title.recorder.typed(play.state, keys)) == [act]
            seen[type(act).__name__] += 1
    assert len(seen) > 6, seen


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_keys_of_nothing_are_no_act(title: AnyTitle) -> None:
    state = next(tables(title))[1].state
    assert [title.recorder.typed(state, text) for text in ("", "zz9z", "=", "-", "12345", "\x00", "ä")] == [[]] * 7


def main() -> int:
    for title in TITLES.values():
        counts, left = tally(title)
        judged = counts["expanded"] + counts["no act"]
        print(
            f"{title.key}: {counts['expanded']} of {judged} illegal short forms expanded, with rule and nearest moves"
        )
        print(f"  beside them: {counts['legal']} mean a legal move, {counts['asked']} ask for a printed value first,")
        print(f"  {counts['nobody is to act']} are typed while nobody is to act")
        for typed, message in left:
            print(f"  {typed.text:<12} {typed.name}: {message[:100]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
