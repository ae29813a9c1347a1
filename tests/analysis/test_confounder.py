"""Strong players buy a dear card: the raw difference gives the card their credit, the adjusted one does not.

Games are made up with a known worth of the card. `python -m tests.analysis.test_confounder 200` asks the report on 200
archives of them, and counts how often its 95 % intervals hold the truth.
"""

from __future__ import annotations

import math
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from spyrium_log.analysis.reports import run_report
from spyrium_log.readmodel.writing import build_index

WORTH = 4.0
CARD = "commerce"
PLAYERS = 24
GAMES = 150
# What a table says of everybody who has it, where the made-up games say nothing of their own.
NOTHING = {"VARCHAR": "''", "INTEGER": "0", "BIGINT": "0", "BOOLEAN": "false"}


class Made(NamedTuple):
    """One seat of a made-up game."""

    game: int
    seats: int
    seat: int
    player: int
    has: bool
    total: int


class Found(NamedTuple):
    """One interval of the report."""

    value: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= WORTH <= self.high


def made(seed: int) -> list[Made]:
    """The stronger a player, the likelier he has the card; tables differ in how many points there are to get."""
    dice = random.Random(seed)
    strength = [dice.gauss(0, 8) for _ in range(PLAYERS)]
    rows = []
    for game in range(GAMES):
        seats = dice.choice((2, 3, 4, 5))
        table = dice.gauss(50 - 3 * seats, 5)
        for seat, player in enumerate(dice.sample(range(PLAYERS), seats), 1):
            has = dice.random() < 0.6 / (1 + math.exp(-strength[player] / 5))
            total = table + strength[player] + WORTH * has + dice.gauss(0, 7)
            rows.append(Made(game, seats, seat, player, has, round(total)))
    return rows


def fill(connection: duckdb.DuckDBPyConnection, rows: Sequence[Made]) -> None:
    connection.execute("CREATE TEMP TABLE made (game INT, seats INT, seat INT, player INT, has BOOLEAN, total INT)")
    values = ", ".join(str(tuple(row)) for row in rows)
    connection.execute(f"INSERT INTO made VALUES {values}")  # noqa: S608 - ours
    title = {"title": "'spyrium'"}
    put(connection, "card", "(SELECT 1)", {**title, "card": f"'{CARD}'", "kind": "'technique'", "bit": "1"})
    game = {
        "game": "game::VARCHAR",
        "seats": "seats",
        "final": "true",
        "verdict": "'clean'",
        "source": "'table'",
        "reason": "NULL",
        "counts_for": "-1",
    }
    put(connection, "game", "(SELECT DISTINCT game, seats FROM made)", {**title, **game})
    seat = {
        "game": "game::VARCHAR",
        "seat": "seat",
        "players": "seats",
        "game_source": "'table'",
        "game_reason": "NULL",
        "game_counts_for": "-1",
        "player": "'player ' || player",
        "total": "total",
    }
    put(connection, "seat", "made", {"game_title": "'spyrium'", **seat, "kept": "has::INT"})
    holding = {"game": "game::VARCHAR", "seat": "seat", "card": f"'{CARD}'", "kind": "'technique'", "lost": "NULL"}
    put(connection, "holding", "(FROM made WHERE has)", holding)
    connection.execute("DROP TABLE made")


def put(connection: duckdb.DuckDBPyConnection, table: str, source: str, said: Mapping[str, str]) -> None:
    columns = connection.execute(f"DESCRIBE {table}").fetchall()
    assert said.keys() <= {name for name, *_ in columns}
    values = (said.get(name, _nothing(kind)) for name, kind, *_ in columns)
    connection.execute(f"INSERT INTO {table} SELECT {', '.join(values)} FROM {source}")  # noqa: S608 - ours


def _nothing(kind: str) -> str:
    return NOTHING.get(kind, "[]" if kind.endswith("[]") else "MAP {}" if kind.startswith("MAP") else "NULL")


def placebos(seed: int, cards: int = 30, worth: float = 0.0) -> list[tuple[int, int, int, str, list[str], int]]:
    """Games with so many cards that one seat of each holds by chance: worth nothing, but for the first of them."""
    dice = random.Random(seed)
    strength = [dice.gauss(0, 6) for _ in range(PLAYERS)]
    rows = []
    for game in range(GAMES):
        seats = dice.choice((2, 3, 4))
        holders = {f"card-{nth}": dice.randint(1, 2 * seats) for nth in range(cards)}
        for seat, player in enumerate(dice.sample(range(PLAYERS), seats), 1):
            had = [card for card, holder in holders.items() if holder == seat]
            total = round(50 + strength[player] + worth * ("card-0" in had) + dice.gauss(0, 7))
            rows.append((game, seats, seat, f"player {player}", had, total))
    return rows


def standing_out(seed: int, folder: Path, worth: float = 0.0) -> list[str]:
    """The cards that the report says stand out."""
    index = folder / "index.duckdb"
    with build_index(index, lambda: True) as file:
        connection = file.connection
        connection.execute(
            "CREATE TEMP TABLE made (game INT, seats INT, seat INT, player VARCHAR, had VARCHAR[], total INT)"
        )
        connection.executemany("INSERT INTO made VALUES (?, ?, ?, ?, ?, ?)", placebos(seed, worth=worth))
        title = {"title": "'spyrium'"}
        card = {**title, "card": "card", "kind": "'technique'", "bit": "1 << nth"}
        put(connection, "card", "(SELECT nth, 'card-' || nth AS card FROM range(30) AS all_cards(nth))", card)
        known = {"game": "game::VARCHAR", "seats": "seats", "final": "true", "verdict": "'clean'"}
        known |= {"source": "'table'", "reason": "NULL", "counts_for": "-1"}
        put(connection, "game", "(SELECT DISTINCT game, seats FROM made)", {**title, **known})
        seat = {"game": "game::VARCHAR", "seat": "seat", "players": "seats", "player": "player", "total": "total"}
        put(
            connection,
            "seat",
            "made",
            {
                "game_title": "'spyrium'",
                "game_source": "'table'",
                "game_reason": "NULL",
                "game_counts_for": "-1",
                **seat,
            },
        )
        held = {"game": "game::VARCHAR", "seat": "seat", "card": "card", "kind": "'technique'", "lost": "NULL"}
        put(connection, "holding", "(SELECT *, unnest(had) AS card FROM made)", held)
        connection.execute("DROP TABLE made")
    figure = run_report(index, "technique-scores").figures[0]
    rows = [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]
    assert len(rows) == 30
    assert all(row["rank"] is not None for row in rows)
    return [row["card"] for row in rows if row["stands_out"]]


def test_of_thirty_cards_that_are_worth_nothing_none_stands_out(tmp_path: Path) -> None:
    """Each has an interval of its own, and of thirty more than one misses by chance."""
    found = [standing_out(seed, tmp_path / str(seed)) for seed in range(6)]
    assert sum(map(bool, found)) <= 1
    assert standing_out(1, tmp_path / "worth", worth=12.0)[:1] == ["card-0"]


def asked(rows: Sequence[Made], folder: Path) -> dict[str, Any]:
    """The one row of the report on these games."""
    index = folder / "index.duckdb"
    with build_index(index, lambda: True) as file:
        fill(file.connection, rows)
    figure = run_report(index, "technique-scores").figures[0]
    (row,) = figure.rows
    return dict(zip(figure.columns, row, strict=True))


def both(row: Mapping[str, Any]) -> tuple[Found, Found]:
    raw = Found(row["difference"], row["low"], row["high"])
    return raw, Found(row["adjusted"], row["adjusted_low"], row["adjusted_high"])


def test_the_raw_difference_is_that_of_the_means_within_a_number_of_players(tmp_path: Path) -> None:
    rows = [row for row in made(1) if row.seats == 3]
    row = asked(rows, tmp_path)
    having, lacking = ([one.total for one in rows if one.has is has] for has in (True, False))
    assert (row["n_with"], row["n_without"]) == (len(having), len(lacking))
    assert (row["sum_with"], row["sum_without"]) == (sum(having), sum(lacking))
    assert math.isclose(row["difference"], sum(having) / len(having) - sum(lacking) / len(lacking), abs_tol=1e-9)


def test_the_raw_difference_misleads_and_the_adjusted_one_does_not(tmp_path: Path) -> None:
    found = [both(asked(made(seed), tmp_path / str(seed))) for seed in range(8)]
    assert sum(raw.holds for raw, _ in found) <= 1
    assert sum(adjusted.holds for _, adjusted in found) >= 6
    assert sum(raw.value for raw, _ in found) / len(found) > 1.5 * WORTH


def test_without_a_confounder_both_agree(tmp_path: Path) -> None:
    dice = random.Random(5)
    rows = [row._replace(has=False, total=row.total - round(WORTH) * row.has) for row in made(5)]
    rows = [
        row._replace(has=has, total=row.total + round(WORTH) * has) for row in rows for has in [dice.random() < 0.3]
    ]
    raw, adjusted = both(asked(rows, tmp_path))
    assert raw.holds
    assert adjusted.holds
    assert adjusted.high - adjusted.low < raw.high - raw.low


def test_who_always_has_it_says_nothing_of_it(tmp_path: Path) -> None:
    row = asked([one._replace(has=one.player % 2 == 0) for one in made(2)], tmp_path)
    assert row["adjusted"] is None
    assert row["rank"] is None
    assert row["difference"] is not None


def test_a_card_is_not_ranked_by_the_few_games_that_compare_a_player_with_himself(tmp_path: Path) -> None:
    """Many games with it and without it, but only two of somebody who had it in one of them."""
    rows = [Made(game, 2, seat, seat, seat == 1, 50 - seat) for game in range(40) for seat in (1, 2)]
    rows += [Made(game, 2, 1, 3, game == 40, 60 - game % 2) for game in (40, 41)]
    rows += [Made(game, 2, 2, 2, has=False, total=41) for game in (40, 41)]
    row = asked(rows, tmp_path)
    assert (row["adjusted"], row["adjusted_games"], row["rank"]) == (1, 2, None)
    assert row["note"] == "fewer than 10 such games of players who had it and had it not: not ranked"


def rare(seed: int, games: int) -> list[Made]:
    """So many seats, no two of one game, had the card, whoever they are."""
    dice = random.Random(seed)
    having = {(game, dice.randint(1, 2)) for game in dice.sample(range(GAMES), games)}
    rows = [row._replace(has=False, total=row.total - round(WORTH) * row.has) for row in made(seed)]
    return [
        row._replace(has=True, total=row.total + round(WORTH)) if (row.game, row.seat) in having else row
        for row in rows
    ]


def test_a_card_of_two_games_has_intervals_as_wide_as_two_games_make_them(tmp_path: Path) -> None:
    found = [both(asked(rare(seed, 2), tmp_path / str(seed))) for seed in range(30)]
    for side in (0, 1):
        intervals = [one[side] for one in found if one[side].low is not None]
        assert len(intervals) >= 20
        assert sum(one.holds for one in intervals) >= len(intervals) - 2


def test_a_card_of_one_game_has_no_interval(tmp_path: Path) -> None:
    row = asked(rare(1, 1), tmp_path)
    assert row["difference"] is not None
    assert [row[end] for end in ("low", "high", "adjusted_low", "adjusted_high")] == [None] * 4


def main(archives: int = 200) -> int:
    """Within 90 to 98 % of the archives the adjusted interval must hold the truth; of placebos 5 % may stand out."""
    with tempfile.TemporaryDirectory() as name:
        wrong = sum(bool(standing_out(seed, Path(name) / f"placebo-{seed}")) for seed in range(archives))
    print(f"thirty cards that are worth nothing: one stands out in {wrong} of {archives} archives")
    with tempfile.TemporaryDirectory() as name:
        found = [both(asked(made(seed), Path(name) / str(seed))) for seed in range(archives)]
    raw, adjusted = (sum(one[side].holds for one in found) for side in (0, 1))
    means = [sum(one[side].value for one in found) / max(1, len(found)) for side in (0, 1)]
    print(f"{len(found)} archives of {GAMES} games, the card is worth {WORTH:g}")
    print(f"raw difference {means[0]:.2f} on average, its interval holds the truth in {raw} archives")
    print(f"adjusted difference {means[1]:.2f} on average, its interval holds the truth in {adjusted} archives")
    return 0 if found and 0.9 <= adjusted / len(found) <= 0.98 and wrong <= 0.05 * archives else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
