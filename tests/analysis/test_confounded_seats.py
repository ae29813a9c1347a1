"""Strong players begin more often: the raw figures give the first seat their credit, the adjusted ones do not.

Games are made up with a known worth of the first seat. `python -m tests.analysis.test_confounded_seats 200` asks the
report on 200 archives of them, and counts how often its 95 % intervals hold the truth.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spyrium_log.analysis.reports import run_report
from spyrium_log.readmodel.writing import build_index
from tests.analysis.test_confounder import Found, put

GAMES = 240
PEOPLE = 5


class Sitting(NamedTuple):
    """One seat of a made-up game, its place in the order being its number."""

    game: int
    seats: int
    seat: int
    player: str
    total: int
    won: bool


def made(seed: int, *, worth: float = 0.0, first: float = 0.85) -> list[Sitting]:
    """Two of five play; the stronger one begins with this chance, and the first seat is worth so many points."""
    dice = random.Random(seed)
    strength = sorted((dice.gauss(0, 8) for _ in range(PEOPLE)), reverse=True)
    rows = []
    for game in range(GAMES):
        strong, weak = sorted(dice.sample(range(PEOPLE), 2))
        order = (strong, weak) if dice.random() < first else (weak, strong)
        table = dice.gauss(50, 5)
        totals = [
            round(table + strength[player] + worth * (nth == 0) + dice.gauss(0, 7)) for nth, player in enumerate(order)
        ]
        rows += [
            Sitting(game, 2, nth, f"player {player}", total, total == max(totals))
            for nth, (player, total) in enumerate(zip(order, totals, strict=True), 1)
        ]
    return rows


def asked(rows: Sequence[Sitting], folder: Path, name: str = "seats") -> list[dict[str, Any]]:
    """The rows of the report on these games."""
    index = folder / "index.duckdb"
    with build_index(index, lambda: True) as file:
        connection = file.connection
        connection.execute(
            "CREATE TEMP TABLE made (game INT, seats INT, seat INT, player VARCHAR, total INT, won BOOLEAN)"
        )
        connection.execute(f"INSERT INTO made VALUES {', '.join(str(tuple(row)) for row in rows)}")  # noqa: S608 - ours
        game = {
            "game": "game::VARCHAR",
            "title": "'spyrium'",
            "seats": "seats",
            "final": "true",
            "verdict": "'clean'",
            "source": "'table'",
            "reason": "NULL",
            "counts_for": "-1",
        }
        put(connection, "game", "(SELECT DISTINCT game, seats FROM made)", game)
        seat = {
            "game": "game::VARCHAR",
            "seat": "seat",
            "players": "seats",
            "game_title": "'spyrium'",
            "game_source": "'table'",
            "game_reason": "NULL",
            "game_counts_for": "-1",
            "player": "player",
            "turn": "seat",
            "total": "total",
            "won": "won",
        }
        put(connection, "seat", "made", seat)
        # Whoever sits first opens alike, so that the opening of the strong is worth as much as the first seat.
        card = "CASE seat WHEN 1 THEN 'crane' ELSE 'mine-1' END"
        decision = {"game": "game::VARCHAR", "seat": "seat", "round": "1", "space": "1", "card": card, "verb": "'hire'"}
        put(connection, "decision", "made", decision)
        connection.execute("DROP TABLE made")
    figure = run_report(index, name).figures[0]
    return [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]


def points(row: dict[str, Any]) -> Found:
    return Found(row["adjusted"], row["adjusted_low"], row["adjusted_high"])


def wins(row: dict[str, Any]) -> Found:
    return Found(row["adjusted_wins"], row["adjusted_wins_low"], row["adjusted_wins_high"])


def holds(found: Found, truth: float) -> bool:
    return found.low <= truth <= found.high


def test_where_the_strong_player_always_begins_the_figure_is_withheld_and_says_why(tmp_path: Path) -> None:
    rows = asked(made(1, first=1.0), tmp_path)
    assert rows[0]["win_rate"] > 0.6
    for row in rows:
        assert (row["adjusted_wins"], row["adjusted_games"]) == (None, 0)
        assert row["note"].startswith("nobody sat there and elsewhere among the same people")


def test_the_raw_rate_misleads_and_the_adjusted_one_does_not(tmp_path: Path) -> None:
    found = [asked(made(seed), tmp_path / str(seed))[0] for seed in range(5)]
    assert sum(row["low"] <= row["expected"] <= row["high"] for row in found) <= 1
    assert sum(holds(wins(row), 0) for row in found) >= 4
    assert not any(row["note"] for row in found)


def test_an_opening_of_the_strong_is_not_worth_what_they_are(tmp_path: Path) -> None:
    found = [
        next(row for row in asked(made(seed), tmp_path / str(seed), "openings") if row["opening"] == "crane")
        for seed in range(5)
    ]
    assert sum(row["low"] <= 0 <= row["high"] for row in found) <= 1
    assert sum(holds(points(row), 0) for row in found) >= 4


def test_what_the_first_seat_is_worth_is_found(tmp_path: Path) -> None:
    found = [asked(made(seed, worth=4), tmp_path / str(seed))[0] for seed in range(5)]
    assert sum(holds(points(row), 4) for row in found) >= 4
    assert all(row["edge"] > 3 for row in found)


def main(archives: int = 200) -> int:
    """Within 90 to 98 % of the archives each adjusted interval must hold the truth."""
    with tempfile.TemporaryDirectory() as name:
        none = [asked(made(seed), Path(name) / f"none-{seed}")[0] for seed in range(archives)]
        some = [asked(made(seed, worth=4), Path(name) / f"some-{seed}")[0] for seed in range(archives)]
    raw = sum(row["low"] <= row["expected"] <= row["high"] for row in none)
    of_wins, of_points = sum(holds(wins(row), 0) for row in none), sum(holds(points(row), 4) for row in some)
    print(f"{archives} archives of {GAMES} games, the stronger of two begins in 85 % of them")
    print(f"the raw win rate's interval holds the truth in {raw} archives")
    print(f"that of the adjusted wins in {of_wins}, that of the adjusted points in {of_points}")
    return 0 if all(0.9 <= holding / archives <= 0.98 for holding in (of_wins, of_points)) else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
