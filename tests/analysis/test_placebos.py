"""Cards that have nothing to do with the result: hardly ever does a report say that one stands out.

The cards are those of games that were played, by chance and by greedy players; the results are drawn anew. In archives
of one form they are those of the games, dealt out again: each game gets another one's, in any order. In those of the
other, some people are stronger than others and sit where more cards were taken: raw figures give the cards the credit.
`python -m tests.analysis.test_placebos 200` asks the reports on 200 archives of each form, and counts the archives in
which anything stands out, and the cards.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

from spyrium_log.analysis.reports import run_report
from spyrium_log.log.codec import Log
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Source
from tests.analysis.test_reports import wilson
from tests.games import game
from tests.greedy import greedy_game
from tests.readmodel.archive import one_game
from tests.shares import part

# Of so many games the archives of a campaign are drawn; CI plays fewer of them.
POOL = 400
GAMES = 150
PEOPLE = 24
ARCHIVES = 200
FORMS = ("dealt again", "drawn by strength")
REPORTS = ("technique-scores", "building-scores", "character-scores", "openings")
# At most one of twenty, as the reports say.
RATE = 0.05
SEATS = """
    SELECT seat.game, seat.seat, seat.total, count(taken.card) AS cards
    FROM seat LEFT JOIN taken USING (game, seat)
    GROUP BY ALL ORDER BY ALL
"""


class Seat(NamedTuple):
    """A seat as it was played: its result, and how many cards it took."""

    game: str
    seat: int
    total: int
    cards: int


class Drawn(NamedTuple):
    """Who sits there in an archive, and with which result."""

    game: str
    seat: int
    player: str
    total: int


class Asked(NamedTuple):
    """What one table of a report says of one archive."""

    table: str
    compared: int
    marked: int


def played(seed: int) -> Log:
    """Half of the games by chance, half by greedy players, of two to five."""
    seats = 2 + seed // 2 % 4
    return greedy_game.__wrapped__(seed, seats) if seed % 2 else game.__wrapped__("spyrium", seed, seats)


def make_pool(index: Path, games: int) -> None:
    """An index of so many games."""
    done = bring_up_to_date(index, map(_source, range(games)))
    assert (done.read, done.unusable) == (games, ())


def _source(seed: int) -> Source:
    return one_game(f"log-{seed:04}", str(seed), partial(played, seed))


def seats_of(index: Path) -> dict[str, list[Seat]]:
    """The seats of each game."""
    seats = defaultdict(list)
    with closing(duckdb.connect(str(index), read_only=True)) as connection:
        for row in connection.execute(SEATS).fetchall():
            seats[row[0]].append(Seat(*row))
    return seats


def draw(games: Sequence[Sequence[Seat]], form: str, dice: random.Random) -> Iterator[Drawn]:
    """The results of an archive: those that other games of as many players had, or what people are worth, and luck."""
    strength = [dice.gauss(0, 8) for _ in range(PEOPLE)]
    others = shuffle_results(games, dice)
    for seats in games:
        people = dice.sample(range(PEOPLE), len(seats))
        # whoever gets it, for games in which more cards are taken have higher scores, too
        totals = others[len(seats)].pop()
        if form == FORMS[1]:
            # the stronger somebody is, the likelier is a seat with more cards
            people.sort(key=lambda player: strength[player] + dice.gauss(0, 4))
            seats = sorted(seats, key=lambda seat: seat.cards + dice.random())  # noqa: PLW2901 - in another order
            table = dice.gauss(50 - 3 * len(seats), 5)
            totals = [round(table + strength[player] + dice.gauss(0, 7)) for player in people]
        for seat, player, total in zip(seats, people, totals, strict=True):
            yield Drawn(seat.game, seat.seat, f"player {player}", total)


def shuffle_results(games: Sequence[Sequence[Seat]], dice: random.Random) -> dict[int, list[list[int]]]:
    """The results of these games by their number of players, in any order, as are those of each game."""
    shuffled: dict[int, list[list[int]]] = defaultdict(list)
    for seats in dice.sample(games, len(games)):
        shuffled[len(seats)].append(dice.sample([seat.total for seat in seats], len(seats)))
    return shuffled


def fill(index: Path, drawn: Iterable[Drawn]) -> None:
    """Leave these seats in an index, with these results."""
    with closing(duckdb.connect(str(index))) as connection:
        connection.execute("CREATE TEMP TABLE drawn (game VARCHAR, seat INT, player VARCHAR, total BIGINT)")
        connection.execute(f"INSERT INTO drawn VALUES {', '.join(str(tuple(row)) for row in drawn)}")  # noqa: S608 - ours
        for table in ("seat", "game"):
            connection.execute(f"DELETE FROM {table} WHERE game NOT IN (SELECT game FROM drawn)")  # noqa: S608 - ours
        connection.execute("""
            UPDATE seat SET player = drawn.player, written = drawn.player, total = drawn.total, won = best = drawn.total
            FROM (SELECT *, max(total) OVER (PARTITION BY game) AS best FROM drawn) AS drawn
            WHERE seat.game = drawn.game AND seat.seat = drawn.seat
        """)


def ask(index: Path) -> Iterator[Asked]:
    """What each table of a report that marks what stands out says of an index."""
    for report in REPORTS:
        for figure in run_report(index, report).figures:
            if "stands_out" in figure.columns:
                rows = [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]
                marks = [row["stands_out"] for row in rows if row["rank"] is not None]
                yield Asked(f"{report}, {figure.name}", len(marks), sum(marks))


def ask_archive(pool: Path, seats: Mapping[str, Sequence[Seat]], form: str, seed: int) -> list[Asked]:
    """What the reports say of one archive of games of the pool."""
    dice = random.Random(f"{form} {seed}")
    games = [seats[name] for name in dice.sample(sorted(seats), min(GAMES, len(seats)))]
    index = shutil.copyfile(pool, pool.with_name("archive.duckdb"))
    fill(index, draw(games, form, dice))
    return list(ask(index))


def count_marks(pool: Path, form: str, archives: int) -> dict[str, Counter[str]]:
    """By table: archives, those in which anything stands out, the cards that were compared, and that stand out."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seats = seats_of(pool)
    for seed in range(archives):
        for asked in ask_archive(pool, seats, form, seed):
            counts[asked.table] += Counter(
                archives=1, marking=bool(asked.marked), compared=asked.compared, marked=asked.marked
            )
    return counts


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("placebos") / "pool.duckdb"
    make_pool(path, part(POOL, 5))
    return path


@pytest.mark.parametrize("form", FORMS)
def test_of_cards_that_have_nothing_to_do_with_the_result_none_stands_out(pool: Path, form: str) -> None:
    archives = part(ARCHIVES, 100)
    counts = count_marks(pool, form, archives)
    assert len(counts) == 7
    assert counts["building-scores, scores"]["compared"] > 10 * archives
    # of fourteen tables that are asked hardly ever four have a mark by chance
    assert sum(found["marking"] for found in counts.values()) <= max(3, RATE * archives * len(counts))


def main(archives: int = ARCHIVES) -> int:
    """Of the tables of each form at most one of twenty may say that anything stands out, and none evidently more."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        pool = Path(name) / "pool.duckdb"
        make_pool(pool, POOL)
        for form in FORMS:
            print(f"results {form}: {archives} archives of {GAMES} games out of {POOL}", flush=True)
            counts = count_marks(pool, form, archives)
            for table, found in counts.items():
                failed += wilson(found["marking"], archives)[0] > RATE or not found["compared"]
                print(describe(table, found), flush=True)
            together: Counter[str] = sum(counts.values(), Counter())
            failed += together["marking"] > RATE * together["archives"]
            print(describe("all of them", together), flush=True)
    return 1 if failed or not archives else 0


def describe(table: str, found: Mapping[str, Any]) -> str:
    low, high = wilson(found["marking"], found["archives"])
    return (
        f"{table:30} something stands out in {found['marking']:3} of {found['archives']}"
        f" [{low:.1%}, {high:.1%}], {found['marked']:4} of {found['compared']:6,} that are compared"
    )


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
