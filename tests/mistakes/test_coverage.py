"""What occurs in simulated evenings: every kind of line, act, fact, cause, breach, card effect, technique and option.

`python -m tests.mistakes.test_coverage 2000` makes so many games with mistakes, replays them and prints what never
occurred. Of that many games the list is to be empty.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

from msgspec import structs, to_builtins

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended
from spyrium_log.replay import Replay, replay
from spyrium_log.store.writer import read_notes_bytes
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.cards import BUILDINGS, CALLS, EVENTS, EXCHANGE, INVESTMENT, KINDS, MINES, USES
from spyrium_log.titles.spyrium.cards import TECHNIQUES as LEARNT
from spyrium_log.titles.spyrium.effects import WorkersSent
from spyrium_log.titles.spyrium.moves import ActivateCard, ReuseBuilding, UseBuilding, UseEvent
from tests.games import ALL_TITLES, read
from tests.mistakes.asides import ASIDES
from tests.mistakes.recorder import MISTAKES
from tests.mistakes.simulation import mistaken

# Of so many acts a mistake is made.
SHARE = 0.08
# In so many games all of it is to occur.
ENOUGH = 2_000
LINES = (
    *("header", "decision", "deal", "final", "statement", "undo", "amendment"),
    *("correction", "reading", "declared", "accepted", "withdrawn", "seal"),
)
STATEMENTS = ("counted", "adjusted", "resynced", "paused", "continued", "conceded", "abandoned")
FINDINGS = ("breach", "difference", "phantom", "count", "result")


def tag(value: Any) -> str:
    return str(value.__struct_config__.tag)


def expected(title: AnyTitle) -> Iterator[str]:
    """Everything that there is to occur."""
    yield from (f"line {kind}" for kind in LINES)
    acts = (*get_args(title.wire.decision), title.wire.deal)
    yield from (f"act {tag(act)}" for act in acts)
    yield from (f"act {name}" for name in (*STATEMENTS, "final_count"))
    yield from (f"edit {name}" for name in ("replace", "drop", "insert_after"))
    yield from (f"mode {name}" for name in ("misplayed", "misrecorded"))
    yield from (f"note {name}" for name in ("note", "edited", "withdrawn"))
    yield from (f"fact {name}" for name in title.facts)
    yield from (f"cause {name}" for name in title.causes)
    yield from (f"breach {name}" for name in title.rules)
    yield from (f"finding {name}" for name in FINDINGS)
    yield from (f"status {name}" for name in ("open", "ruled", "accepted"))
    yield from (f"source {name}" for name in ("simulated", "scoresheet"))
    yield from (f"mistake {name}" for name in (*MISTAKES, *ASIDES, "named later", "seal", "notes", "score sheet"))
    for field in structs.fields(title.options):
        yield from (f"option {field.encode_name}={value}" for value in get_args(field.type))
    if title.key == "spyrium":
        yield from _cards()


def _cards() -> Iterator[str]:
    yield from (f"card {card} called" for card in CALLS)
    yield from (f"card {card} built" for card in BUILDINGS)
    yield from (f"card {card} used, effect {n}" for card, uses in USES.items() for n in range(1, len(uses) + 1))
    yield from (f"technique {name} learnt" for name in LEARNT)
    yield from (f"technique {name}" for name in ("automation", "lobbying", "taylorism", "commerce"))
    yield from (f"event {event}" for event in EVENTS)
    yield from (f"event windfall {gain}" for gain in ("money", "spyrium", "points"))
    yield from (f"event investment {n}" for n in range(1, len(INVESTMENT) + 1))
    yield from (f"event exchange {n}" for n in range(1, len(EXCHANGE) + 1))
    yield from (f"residence {choice}" for choice in ("move", "score"))
    yield from (f"bonus {bonus}" for bonus in ("worker", "money"))
    yield from ("built over", "card named")


def occurred(log: Log) -> Iterator[str]:
    """Everything that a log says."""
    done = replay(log)
    title = log.title
    yield f"source {log.header.source}"
    yield from (f"option {name}={value}" for name, value in to_builtins(log.header.options).items())
    yield from (f"option {field.encode_name}={field.default}" for field in _unsaid(log.header.options))
    for line in log.lines:
        yield f"line {tag(line)}"
        if isinstance(line, Amended):
            yield f"mode {line.mode}"
            yield from (f"edit {tag(edit)}" for edit in line.edits)
    for finding in done.findings:
        yield f"finding {finding.kind}"
        yield f"status {finding.status}"
        if finding.kind == "breach":
            yield f"breach {finding.rule}"
    for event in done.events:
        yield f"act {tag(event.do)}"
        yield from (f"fact {tag(fact)}" for fact in event.facts)
    yield from (f"cause {entry.why}" for entry in done.ledger)
    if title.key == "spyrium":
        yield from _told_by_cards(done)


def _unsaid(options: Any) -> list[structs.FieldInfo]:
    return [field for field in structs.fields(options) if getattr(options, field.name) == field.default]


def _told_by_cards(done: Replay) -> Iterator[str]:
    """What the acts did with which cards, on the table before each."""
    state = done.state_at(0)
    for event in done.events:
        act = event.do
        if getattr(act, "seat", 0) <= state.seats:
            yield from _of_act(state, act, event.facts)
        done.title.evolve(state, act, event.moved, event.facts)


def _of_act(state: Any, act: Any, facts: Any) -> Iterator[str]:
    if getattr(act, "residence", None):
        yield f"residence {act.residence}"
    if getattr(act, "bonus", None):
        yield f"bonus {act.bonus}"
    if getattr(act, "commerce", None):
        yield "technique commerce"
    if isinstance(act, ActivateCard):
        card = act.named or state.market[act.space]
        done = {"character": "called", "building": "built", "technique": "learnt"}.get(KINDS.get(card, ""))
        yield f"{'technique' if done == 'learnt' else 'card'} {card} {done}"
        if act.lobbying:
            yield "technique lobbying"
        if act.over:
            yield "built over"
        if act.named:
            yield "card named"
    elif isinstance(act, UseEvent):
        yield f"event {state.event}"
        if act.gain or act.choice:
            yield f"event {state.event} {act.gain or act.choice}"
    elif isinstance(act, UseBuilding | ReuseBuilding) and act.slot <= len(state.mats[act.seat].buildings):
        card = state.mats[act.seat].buildings[act.slot - 1].card
        yield f"card {card} used, effect {act.effect}"
        if isinstance(act, ReuseBuilding) or act.again:
            yield "technique taylorism"
        is_manned = any(isinstance(fact, WorkersSent) for fact in facts)
        if card in MINES and not is_manned and "automation" in state.mats[act.seat].techniques:
            yield "technique automation"


def counted(number: int, title: str = "spyrium") -> Counter[str]:
    """One evening: half of the players know what they do."""
    made = mistaken(title, "random", "greedy", mistakes=SHARE, vary_options=True, seed=11).mistaken_game(number)
    found = Counter(occurred(read(made.game.log)))
    found.update(f"note {tag(line)}" for line in read_notes_bytes(made.game.notes, "notes").lines)
    found.update({f"mistake {name}": n for name, n in made.mistakes.items()})
    return found


def test_most_of_it_occurs_in_a_few_games() -> None:
    found = sum((counted(number) for number in range(12)), Counter[str]())
    wanted = set(expected(TITLES["spyrium"]))
    missing = wanted - set(found)
    assert len(missing) < len(wanted) / 3, sorted(missing)


def test_nothing_occurs_that_is_not_expected() -> None:
    """But findings of rules that no title names, and acts of the wrong card."""
    found = sum((counted(number, "pebbles") for number in range(40)), Counter[str]())
    assert set(found) <= set(expected(ALL_TITLES["pebbles"]))


def main(games: int = ENOUGH) -> int:
    found: Counter[str] = Counter()
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        for each in pool.imap_unordered(counted, range(games), chunksize=5):
            found += each
    wanted = dict.fromkeys(expected(TITLES["spyrium"]))
    missing = [what for what in wanted if not found[what]]
    for what in sorted(wanted, key=lambda what: (what.split()[0], -found[what])):
        print(f"{found[what]:>9,}  {what}")
    print(f"{games:,} games, {found['line header']:,} logs, {sum(found[f'line {kind}'] for kind in LINES):,} lines")
    print(f"{len(wanted) - len(missing)} of {len(wanted)} occurred; never: {', '.join(missing) or 'nothing'}")
    return 1 if missing and games >= ENOUGH else 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
