"""How many keys a game costs: whole games typed through the real prompt, from an empty line to the acknowledged append.

The typist is somebody who has recorded a few evenings. Before each key he knows what the screen shows: the choices
with their keys, which one is highlighted, and the notation. For an act he types the shortest of

- nothing, where Enter alone takes the act that is wanted already,
- the keys shown beside the choice that is meant,
- its notation,

and then Enter, which is counted; he never takes anything back. He does not look into the program: which text means the
act is found by typing it, and what comes out of Enter has to be the act, or the game does not count. A deal is typed
card by card as its codes are shown. Nothing but what `Prompt.press` was given is counted, one for each call.

The games are those of tests/greedy.py, in which nobody chooses what is shortest to type. The order of choices and what
is highlighted were settled on seed 7; the reported games begin with seed 1000, seats 2 to 5 in turn.

One more game is told by somebody else, in plain words; what is typed for it stands in tests/keys, as
tests/plain_words.py says.

`python -m tests.test_keys 20` prints the distribution for twenty games, and apart from it the figures of the told one.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Request, make_line
from spyrium_log.play import Play
from spyrium_log.store import Folder
from spyrium_log.title import AnyTitle, FinalCount
from spyrium_log.titles import TITLES
from tests import plain_words
from tests.games import QUICK_TITLES, moves, start
from tests.greedy import greedy_game
from tests.spyrium.test_conservation import any_options

FIRST_SEED = 1000
SEATS = range(2, 6)
MEDIAN, SLOW = 4, 9
A_CARD, A_TOKEN = 3, 1
# of the told game
ROUNDS, NOTES = 6, 2


@dataclass
class Tally:
    """What was counted."""

    games: Counter[int] = field(default_factory=Counter)
    decisions: list[int] = field(default_factory=list)
    deals: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def p95(self) -> float:
        return quantiles(self.decisions, n=100, method="inclusive")[94]


class Typist:
    """Types at one prompt, counts, and writes what comes out of it."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt

    def press(self, keys: str) -> Request | None:
        for key in keys:
            assert self.prompt.press(key) is None, f"'{keys}' ended at '{key}'"
        return self.prompt.press("enter")

    def means(self, keys: str, act: Any) -> bool:
        """Whether these keys and Enter say this act; tried on the same prompt, and wiped away again."""
        request = self.press(keys)
        self.prompt.press("escape")
        return isinstance(request, Act) and request.act == act and not request.anyway

    def shortest(self, act: Any) -> str:
        """What a practised person types, as the docstring of this module says."""
        shown = self.prompt.view
        beside = [choice.keys for choice in shown.choices if choice.act == act]
        ways = ["", *beside, self.prompt.play.write_notation(act)]
        return next(keys for keys in sorted(ways, key=len) if self.means(keys, act))

    def enter(self, act: Any) -> int:
        """Type it and have it written; how many keys that took."""
        prompt = self.prompt
        assert prompt.text == ""
        keys = dealt(prompt, act) if prompt.awaited.kind == "deal" else self.shortest(act)
        request = self.press(keys)
        assert isinstance(request, Act)
        assert request.act == act
        prompt.play.append(make_line(prompt.play, request, by="typist"))
        prompt.restart()
        return len(keys) + 1


def dealt(prompt: Prompt, act: Any) -> str:
    return "".join(step.key for step in prompt.play.title.recorder.steps(prompt.play.state, act))


def laid(deal: Any) -> tuple[int, int]:
    """How many cards and tokens a deal puts down; the round's event lies there since the round before."""
    tokens = sum(len(dealt.tokens) for dealt in deal.market) + bool(deal.next_token)
    tokens += bool(deal.event_token) and deal.round == 1
    return len(deal.market) + (2 if deal.round == 1 else 1), tokens


def typed(tally: Tally, seed: int, seats: int, archive: Path) -> None:
    """One game of the greedy players, typed into a log on the disk."""
    log = greedy_game(seed, seats)
    folder = Folder(archive)
    with folder.create(Play.begin(log.title, log.header)) as play:
        typist = Typist(Prompt(play))
        for event in log.lines[1:]:
            act = event.do  # type: ignore[union-attr]
            kind = typist.prompt.awaited.kind
            keys = typist.enter(act)
            tally.games[seed] += keys
            if kind == "deal":
                tally.deals.append((keys, *laid(act)))
            else:
                tally.decisions.append(keys)
    again = folder.read_log(log.header.game)
    assert [made.do for made in again.lines[1:]] == [line.do for line in log.lines[1:]]  # type: ignore[union-attr]


def games(many: int, first: int = FIRST_SEED) -> Tally:
    tally = Tally()
    for number in range(many):
        with tempfile.TemporaryDirectory() as archive:
            typed(tally, first + number, SEATS[number % len(SEATS)], Path(archive))
    return tally


def check(tally: Tally) -> None:
    assert median(tally.decisions) <= MEDIAN
    assert tally.p95 <= SLOW
    for keys, cards, tokens in tally.deals:
        assert keys <= A_CARD * cards + A_TOKEN * tokens


def test_a_game_is_typed_in_few_keys() -> None:
    tally = games(2)
    assert len(tally.decisions) > 100
    check(tally)


# --- a game told in plain words ------------------------------------------------------------------


def tally_of(evening: plain_words.Evening) -> Tally:
    """Decisions and deals as above; what was said beside them is only in the keys of the game."""
    tally = Tally()
    wire = evening.done.title.wire
    for at, keys, request in evening.typed:
        tally.games[0] += keys
        act = getattr(request, "act", None)
        if isinstance(act, wire.deal):
            tally.deals.append((keys, *laid(act)))
        elif isinstance(act, (wire.decision, FinalCount)):
            tally.decisions.append(keys)
        else:
            assert at in BESIDE, at
    return tally


# lines of the story at which something else than a move is typed
BESIDE = {59, 76, 104, 109, 146, 186}


def check_told(evening: plain_words.Evening) -> None:
    """What was recorded is what was told, and as the books have it."""
    assert [row.line for row in plain_words.said()] == sorted(row.line for row in plain_words.said())
    assert {row.line for row in plain_words.said()} == plain_words.story().keys() == plain_words.books().keys()
    assert evening.differences == []
    # less what `beyond` says: three lines before each deal, the bonuses at 20, the track after the final count
    rows = len(plain_words.PLAYERS) * (len(plain_words.story()) - 3 * ROUNDS)
    assert evening.compared == rows * len(plain_words.COLUMNS) - 3 * 2 - 4 * 3
    assert len(evening.notes) == NOTES
    check(tally_of(evening))


def final_count(line: str) -> tuple[int, int, int]:
    """The track, the buildings and the total of a player, as the story has them."""
    numbers = re.search(r": (\d+) on the track\..* together (\d+)\..* Total (\d+)\.", line)
    assert numbers is not None
    track, buildings, total = map(int, numbers.groups())
    return track, buildings, total


def test_a_told_game_comes_out_as_its_own_books_have_it(tmp_path: Path) -> None:
    evening = plain_words.evening(tmp_path)
    check_told(evening)
    scores = evening.done.scores()
    story = plain_words.story()
    for seat, at in enumerate(range(225, 228), 1):
        parts = evening.done.sum_score_parts(seat)
        track, buildings, total = final_count(story[at])
        assert sum(parts.values()) == scores[seat - 1].total == total
        assert parts["final:buildings"] == buildings
        assert sum(n for why, n in parts.items() if not why.startswith("final:")) == track
    assert story[228] == "Ania wins with 55, Zofia 52, Marek 50."
    assert [(score.total, score.place) for score in scores] == [(55, 1), (50, 3), (52, 2)]
    # the pound that was not paid, said by the table; nothing else is against the rules
    assert [finding.status for finding in evening.done.findings if finding.on == "record"] == ["ruled"]


# --- everything can be said ----------------------------------------------------------------------


def positions(title: AnyTitle, many: int) -> Iterator[tuple[Play, Any]]:
    """Games by chance under all kinds of readings; each position, with the act that was then chosen."""
    for seed in range(many):
        options = any_options(random.Random(seed)) if title.key in TITLES else None
        play = start(title, seed, options=options)
        for act in moves(play, seed):
            yield play, act


@pytest.mark.parametrize("title", QUICK_TITLES.values(), ids=QUICK_TITLES.keys())
def test_every_act_can_be_typed_and_is_just_that_act(title: AnyTitle) -> None:
    seen: Counter[str] = Counter()
    chance = random.Random(1)
    for play, chosen in positions(title, 6):
        typist = Typist(Prompt(play))
        legal = title.legal(play.state)
        for act in [*chance.sample(legal, min(5, len(legal))), chosen]:
            seen[type(act).__name__] += 1
            keys = dealt(typist.prompt, act) if typist.prompt.awaited.kind == "deal" else typist.shortest(act)
            assert typist.means(keys, act), (keys, act)
    assert len(seen) >= (9 if title.key == "spyrium" else 4), seen


@pytest.mark.parametrize("title", QUICK_TITLES.values(), ids=QUICK_TITLES.keys())
def test_what_is_highlighted_is_legal_and_what_enter_takes(title: AnyTitle) -> None:
    taken = 0
    for play, _ in positions(title, 2):
        prompt = Prompt(play)
        legal = [*title.legal(play.state), FinalCount()]
        many = len(prompt.view.choices)
        for _ in range(min(many, 4)):
            prompt.press("down")
            shown = prompt.view
            request = prompt.press("enter")
            if prompt.awaited.kind != "deal":
                assert shown.highlighted is not None
                assert isinstance(request, Act)
                assert request.act == shown.choices[shown.highlighted].act
                assert request.act in legal
                taken += 1
    assert taken > 10


def print_figures(tally: Tally) -> None:
    print(
        f"decisions: {len(tally.decisions)}, median {median(tally.decisions):g}, 95th percentile {tally.p95:g}, ",
        end="",
    )
    print(f"most {max(tally.decisions)}")
    for keys, n in sorted(Counter(tally.decisions).items()):
        print(f"  {keys:>2} keys {n:>6} {n / len(tally.decisions):6.1%}")
    keys, cards, tokens = (sum(column) for column in zip(*tally.deals, strict=True))
    print(f"deals: {len(tally.deals)}, {keys} keys for {cards} cards and {tokens} tokens, Enter counted: ", end="")
    print(f"{(keys - tokens) / cards:.2f} a card where a token is 1")


def main(many: int) -> int:
    tally = games(many)
    check(tally)
    print(f"{many} games of tests/greedy.py, seeds {FIRST_SEED} to {FIRST_SEED + many - 1}, 2 to 5 seats in turn")
    print(f"keys a game: {min(tally.games.values())} to {max(tally.games.values())}, ", end="")
    print(f"median {median(tally.games.values()):g}")
    print_figures(tally)
    with tempfile.TemporaryDirectory() as archive:
        evening = plain_words.evening(Path(archive))
    check_told(evening)
    told = tally_of(evening)
    beside = told.games[0] - sum(told.decisions) - sum(keys for keys, _, _ in told.deals)
    print()
    print("one game told in plain words, tests/keys/game-in-plain-words.md, 3 seats, ", end="")
    print(f"{evening.compared} numbers as in its own books")
    print(f"keys: {told.games[0]}, {beside} of them for what was said beside the moves (notes, counts, readings, undo)")
    print_figures(told)
    return 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
