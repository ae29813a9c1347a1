"""`technique-scores` on many games equals a pass over their logs: counts and sums exactly, means to a billionth.

`python -m tests.analysis.test_technique_scores 10000` does it on so many games. A tenth of them are played by chance;
the others are those again under other ids, with other players in another order of seats and colours.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.play import encode_log
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.replay import replay
from tests.analysis.choosing import Asked
from tests.analysis.facts import Facts, facts_of
from tests.analysis.test_oracle import compare
from tests.games import game, read
from tests.readmodel.archive import one_game

SHARE = 40
AGAIN = 10
PEOPLE = 60


def log(nth: int) -> bytes:
    """The nth game of the archive, as bytes."""
    dice = random.Random(nth)
    played = game("spyrium", nth // AGAIN)
    header, lines = played.header, played.lines[1:]
    people = dice.sample(range(PEOPLE), len(header.seats))
    seats = tuple(structs.replace(seat, player=f"p{n}") for seat, n in zip(header.seats, people, strict=True))
    return encode_log([structs.replace(header, game=f"game-{nth:07}", seats=seats), *lines])


def sources(n: int) -> Iterator[Source]:
    for nth in range(n):
        yield one_game(f"log-{nth:07}", str(nth), partial(_read, nth))


def _read(nth: int) -> Log:
    return read(log(nth))


def seats_of(n: int) -> list[Facts]:
    """From the logs again, one after the other; what this report does not ask is not kept."""
    found = []
    for nth in range(n):
        facts = facts_of(replay(_read(nth)), f"log-{nth:07}", market=False)
        facts.choices, facts.findings, facts.standings = [], [], {}
        found.append(facts)
    return found


def check(folder: Path, n: int, counts: Counter[str]) -> None:
    begun = time.monotonic()
    index = folder / "index.duckdb"
    assert bring_up_to_date(index, sources(n)).unusable == ()
    indexed = time.monotonic()
    games = seats_of(n)
    assert not any(game.open_findings for game in games)
    passed = time.monotonic()
    compare(index, games, "technique-scores", Asked(), counts)
    compare(index, games, "technique-scores", Asked(players=3, least=2), counts)
    counts["games"] += n
    counts["seats"] += sum(game.players for game in games)
    counts["seconds to index them"] += round(indexed - begun)
    counts["seconds to read them again"] += round(passed - indexed)
    counts["seconds to ask twice and compare"] += round(time.monotonic() - passed)


def test_technique_scores_equal_a_pass_over_the_logs(tmp_path: Path, counts: Counter[str]) -> None:
    check(tmp_path, SHARE, counts)


def main(n: int = 10_000) -> int:
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder), n, counts)
    for said, count in counts.items():
        print(f"{count:9,}  {said}")
    return 0 if counts["rows of figures"] else 1


if __name__ == "__main__":
    sys.exit(main(*(int(said) for said in sys.argv[1:])))
