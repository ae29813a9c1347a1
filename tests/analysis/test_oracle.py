"""Every figure of every named report equals one in plain Python that shares no code with them.

`python -m tests.analysis.test_oracle 200` does it on so many games and prints how much it compared.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.analysis.figures import Figure
from spyrium_log.analysis.reports import run_report
from spyrium_log.errors import LogError
from spyrium_log.log.lines import EventLine, Line
from spyrium_log.play import encode_log
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import CHOICES, find_report, reports
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.replay import replay
from tests.analysis.choosing import CLOSE, Asked, End, Row
from tests.analysis.facts import Facts, facts_of
from tests.analysis.oracle import ORACLES
from tests.analysis.oracle_people import POLICIES
from tests.build import mere_scores
from tests.games import game, read
from tests.readmodel.archive import Archive, raw, replayed
from tests.shares import part
from tests.stories import STORIES

SHARE = part(24, 2)
# A person called like a piece of SQL, of a page or of another line is a person.
NAMES = ("Anna", "Bob", "Cleo", "Dora", "Ol'\"; DROP TABLE seat; --", "<b>Emil</b>&amp;", "Ω… \u202eFay", "", "NULL")
# One game of seven was played by nobody.
SOURCES = ("table", "notation", "table", "service", "simulated", "table", "table")
DAYS = (None, None, "2024", "2024-05", "2024-05-17", "2025-01-01", "2025-11-30", "2026-02-03", "2026-11-18")


# In which order a person reads them: by these columns, those with a minus from the most on, what is not there last.
LEFT_OUT = "title players reason"
CARDS = {"scores": "title rank card", "by-players": "title players rank card", "left-out": LEFT_OUT}
ORDERS: Mapping[str, Mapping[str, str]] = {
    "technique-scores": CARDS,
    "building-scores": CARDS,
    "character-scores": CARDS,
    "take-rates": {"rates": "title kind rank card", "left-out": LEFT_OUT},
    "seats": {"seats": "title players turn", "left-out": LEFT_OUT},
    "curves": {"scores": "title players round", "incomes": "title players round", "left-out": LEFT_OUT},
    "scores": {"totals": "title players", "causes": "title players -mean cause", "left-out": f"{LEFT_OUT} counts"},
    "openings": {"openings": "title rank -n opening", "left-out": LEFT_OUT},
    "pace": {
        "players": "title rank -mean player",
        "verbs": "title rank -mean phase",
        "games": "title players",
        "left-out": LEFT_OUT,
    },
    "crowding": {"rounds": "title players round", "cards": "title rank -extra card", "left-out": LEFT_OUT},
    "records": {"left-out": f"{LEFT_OUT} counts"},
    "player": {
        "summary": "title players",
        "sources": "title -mean cause",
        "cards": "title -share kind card",
        "against": "title -games player",
        "games": "-played game",
        "left-out": f"{LEFT_OUT} counts",
    },
    "head-to-head": {"summary": "title players", "games": "title", "left-out": LEFT_OUT},
    "ratings": {"ratings": "title rank -low player", "course": "title game_number", "left-out": LEFT_OUT},
    "game": {
        "result": "place seat",
        "curve": "round seat",
        "sources": "cause seat",
        "cards": "seat round",
        "pace": "seat",
    },
}


# --- an archive of many kinds --------------------------------------------------------------------


def archive(n: int, seed: int = 7) -> Archive:
    """So many logs: two titles, every kind of log, score sheets, names and days of all sorts, some with times."""
    dice = random.Random(seed)
    logs: dict[str, bytes] = {}
    for nth in range(n):
        name = f"log-{nth:04}"
        fate = dice.random()
        if fate < 0.1:
            logs[name] = raw(nth, dice.choice(("half", "undone", "wrong", "cut", "garbage")))
        elif fate < 0.2:
            logs[name] = STORIES[dice.choice(sorted(STORIES))]()
        elif fate < 0.27:
            logs[name] = _sheet(nth, dice)
        else:
            logs[name] = _dressed(nth, dice)
    return Archive(logs)


def _sheet(nth: int, dice: random.Random) -> bytes:
    if nth % 3 == 0:
        # somebody typed one sheet several times
        return mere_scores(f"sheet-{nth:04}", [("Anna", 31), ("Bob", 30)][:: dice.choice((1, -1))], played="2024-05-17")
    scores = [(name, dice.randrange(20, 40)) for name in dice.sample(NAMES, dice.randint(1, 5))]
    return mere_scores(f"sheet-{nth:04}", scores, played=dice.choice(DAYS))


def _dressed(nth: int, dice: random.Random) -> bytes:
    """A game by chance, played by others, on some day; three of four with the time of every event."""
    log = game("pebbles" if nth % 5 == 0 else "spyrium", nth)
    header, lines = log.header, log.lines[1:]
    source = SOURCES[nth % len(SOURCES)]
    header = structs.replace(
        header, game=f"game-{nth:04}", seats=_renamed(header.seats, dice), played=dice.choice(DAYS), source=source
    )
    return encode_log([header, *(_timed(lines, dice) if dice.random() < 0.75 else lines)])


def _renamed(seats: Any, dice: random.Random) -> Any:
    """Now and then one person has two seats."""
    pick = dice.choices if dice.random() < 0.1 else dice.sample
    names = pick(NAMES[: max(dice.choice((5, 9)), len(seats))], k=len(seats))
    if dice.random() < 0.15:
        names = [dice.choice(sorted(POLICIES)), *names[1:]]
    return tuple(structs.replace(seat, player=name) for seat, name in zip(seats, names, strict=True))


def _timed(lines: list[Line], dice: random.Random) -> Iterator[Line]:
    at = datetime(2025, 3, 30, 0, 30, tzinfo=UTC)
    for line in lines:
        # A clock that was put back, and a scribe who forgot it.
        at += timedelta(seconds=dice.choice((1, 7, 12.5, 40, 90, 3, -20)))
        is_known = isinstance(line, EventLine) and dice.random() < 0.95
        yield structs.replace(line, at=at) if is_known else line


def facts(logs: Archive, *, amended: bool = True) -> list[Facts]:
    """Not `amended`: as the games were recorded, before anybody amended them."""
    found: dict[str, Facts] = {}
    for name, data in sorted(logs.logs.items()):
        try:
            one = replayed(data) if amended else replay(read(data), amended=False)
        except LogError:
            continue
        if one.header.game not in found:
            found[one.header.game] = facts_of(one, name)
    games = list(found.values())
    for each in games:
        each.repeats = each.scores_only and any(_is_same_result(each, other) for other in games)
    return games


def _is_same_result(sheet: Facts, other: Facts) -> bool:
    """Whether this score sheet says of a day what another game says already, a recorded one or a sheet before it."""
    if sheet.played is None or not (other.scores_only or other.final) or sheet is other:
        return False
    if (sheet.title, sheet.played) != (other.title, other.played):
        return False
    results = [sorted((seat.player, seat.total) for seat in game.seats) for game in (sheet, other)]
    return results[0] == results[1] and (not other.scores_only or other.game < sheet.game)


# --- what is asked -------------------------------------------------------------------------------


def asked_of(name: str, games: list[Facts], dice: random.Random, *, plain: bool) -> Asked:
    """The options that a report needs, and by chance some of the others."""
    report = find_report(name)
    known = {option.name for option in report.options}
    said: dict[str, Any] = {}
    if name in {"player", "head-to-head"}:
        said["player"] = dice.choice(("Anna", "Bob", *NAMES))
    if "against" in known:
        said["against"] = dice.choice(("Cleo", "Dora", *NAMES))
    if name == "game":
        return Asked(game=dice.choice(games).game)
    if plain:
        return Asked(**said)
    kinds = [card for one in games for card in one.kinds]
    chances: dict[str, Callable[[], Any]] = {
        "title": lambda: dice.choice(("spyrium", "spyrium", "pebbles")),
        "players": lambda: dice.choice((2, 3, 4)),
        "player": lambda: dice.choice(NAMES),
        "card": lambda: dice.choice(kinds),
        "since": lambda: dice.choice(("2024", "2024-05", "2025-01-01")),
        "until": lambda: dice.choice(("2026", "2025-11", "2026-02-03")),
        "grade": lambda: dice.choice(("open", "exact")),
        "repeated": lambda: True,
        "source": lambda: dice.choice(("simulated", "notation", "scoresheet")),
        "least": lambda: dice.choice((1, 2, 5, 40)),
    }
    for option, choose in chances.items():
        if option in known and option not in said and dice.random() < 0.35:
            said[option] = choose()
    return Asked(**said)


def compare(index: Path, games: list[Facts], name: str, asked: Asked, counts: Counter[str]) -> None:
    known = {option.name for option in find_report(name).options}
    options = {key: value for key, value in asked._asdict().items() if key in known}
    said = {figure.name: figure for figure in run_report(index, name, options).figures}
    expected = ORACLES[name](games, asked)
    assert said.keys() == expected.keys()
    for figure, (keys, rows) in expected.items():
        where = f"{name} {figure} {asked}"
        _compare(said[figure], keys, rows, where, counts)
        _in_order(said[figure], ORDERS[name].get(figure, ""), where, counts)
    counts[f"answers to '{name}'"] += 1


def _compare(figure: Figure, keys: tuple[str, ...], rows: list[Row], where: str, counts: Counter[str]) -> None:
    found = [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]
    if keys == ("nth",):
        found = [{**row, "nth": nth} for nth, row in enumerate(found)]
    assert [_key(row, keys) for row in _by(found, keys)] == [_key(row, keys) for row in _by(rows, keys)], where
    for row, expected in zip(_by(found, keys), _by(rows, keys), strict=True):
        assert row.keys() == expected.keys(), where
        for column, value in expected.items():
            assert _is(row[column], value), f"{where}: {column} of {_key(row, keys)}: {row[column]!r}, not {value!r}"
            counts["numbers and words in figures"] += 1
    counts["rows of figures"] += len(rows)


def _in_order(figure: Figure, order: str, where: str, counts: Counter[str]) -> None:
    rows = [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]
    for row, next_row in pairwise(rows):
        for column in order.split():
            one, other = row[column.removeprefix("-")], next_row[column.removeprefix("-")]
            if one == other or (isinstance(one, float) and other is not None and abs(one - other) <= CLOSE):
                continue
            is_first = other is None or (one is not None and (one > other) == column.startswith("-"))
            assert is_first, f"{where}: {one!r} stands before {other!r} in {column}"
            counts["rows in their order"] += 1
            break


def _by(rows: list[Row], keys: tuple[str, ...]) -> list[Row]:
    return sorted(rows, key=lambda row: _key(row, keys))


def _key(row: Row, keys: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((row[key], "") if isinstance(row[key], int) else (-1, str(row[key])) for key in keys)


def _is(found: object, expected: object) -> bool:
    """Counts, sums and words exactly, means to a billionth, ends of intervals to a millionth of their half width."""
    if isinstance(expected, End):
        return isinstance(found, float) and abs(found - expected.value) <= CLOSE + 1.5e-6 * expected.half
    if isinstance(expected, float):
        return isinstance(found, float | int) and abs(found - expected) <= CLOSE * max(1.0, abs(expected))
    return found == expected and type(found) is type(expected)


# --- the law -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Facts]]:
    index = tmp_path_factory.mktemp("oracle") / "index.duckdb"
    return index, indexed_facts(index, SHARE)


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Facts]]:
    index = tmp_path_factory.mktemp("histories") / "index.duckdb"
    return index, index_histories(index)


def indexed_facts(index: Path, n: int) -> list[Facts]:
    logs = archive(n)
    bring_up_to_date(index, logs.sources())
    games = facts(logs)
    assert query(index, "SELECT count(*) FROM game").rows == [(len(games),)]
    return games


@pytest.mark.parametrize("name", sorted(ORACLES))
def test_a_report_equals_its_oracle(asking: tuple[Path, list[Facts]], name: str, counts: Counter[str]) -> None:
    index, games = asking
    dice = random.Random(name)
    for nth in range(4):
        compare(index, games, name, asked_of(name, games, dice, plain=nth == 0), counts)


@pytest.mark.parametrize("name", sorted(one.name for one in reports() if CHOICES["as_recorded"] in one.options))
def test_a_report_as_recorded_equals_its_oracle(
    histories: tuple[Path, list[Facts]], name: str, counts: Counter[str]
) -> None:
    compare_histories(*histories, name, 3, counts)


def index_histories(index: Path) -> list[Facts]:
    """Every story, many of them amended, and some games that nobody amended."""
    stories = {f"story-{name}": make() for name, make in STORIES.items()}
    logs = Archive({**stories, **{f"log-{nth}": _dressed(nth, random.Random(nth)) for nth in range(6)}})
    bring_up_to_date(index, logs.sources())
    return facts(logs, amended=False)


def compare_histories(index: Path, games: list[Facts], name: str, times: int, counts: Counter[str]) -> None:
    dice = random.Random(name)
    for nth in range(times):
        asked = asked_of(name, games, dice, plain=nth == 0)._replace(as_recorded=True)
        compare(index, games, name, asked, counts)
        counts[f"answers as recorded to '{name}'"] += 1


def test_every_report_has_an_oracle() -> None:
    assert ORACLES.keys() == {report.name for report in reports()}


def main(n: int = 200) -> int:
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        stories = Path(folder) / "stories.duckdb"
        games = index_histories(stories)
        for one in reports():
            if CHOICES["as_recorded"] in one.options:
                compare_histories(stories, games, one.name, 12, counts)
        index = Path(folder) / "index.duckdb"
        games = indexed_facts(index, n)
        for name in ORACLES:
            dice = random.Random(name)
            for nth in range(12):
                compare(index, games, name, asked_of(name, games, dice, plain=nth < 2), counts)
    print(f"{len(games):9,}  games of {n:,} logs")
    for said, count in counts.items():
        print(f"{count:9,}  {said}")
    return 0 if counts["rows of figures"] else 1


if __name__ == "__main__":
    sys.exit(main(*(int(said) for said in sys.argv[1:])))
