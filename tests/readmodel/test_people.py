"""Who is who: `seat.player` is the person that players.toml says, `seat.written` what the log says."""

from __future__ import annotations

from pathlib import Path

import pytest

from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.people import Apart
from spyrium_log.store import Aliases, parse_aliases
from tests.readmodel.archive import Archive, fingerprint, many

SEATS = "SELECT seat, player, written FROM seat ORDER BY game, seat"
ANNA_IS_ZOE = parse_aliases('[[player]]\nname = "Zoe"\nalso = ["anna"]\n')
ALL_ONE = parse_aliases('[[player]]\nname = "Zoe"\nalso = ["Anna", "Bob"]\n')


@pytest.fixture
def archive() -> Archive:
    return many([1, 2, 3])


@pytest.fixture
def index(tmp_path: Path, archive: Archive) -> Path:
    path = tmp_path / "index.duckdb"
    bring_up_to_date(path, archive.sources())
    archive.reads = 0
    return path


def players(index: Path) -> set[tuple[object, ...]]:
    return set(query(index, "SELECT written, player FROM seat").rows)


def test_without_aliases_everybody_is_called_as_written(index: Path) -> None:
    assert all(written == player for written, player in players(index))
    assert ("Anna", "Anna") in players(index)


def test_a_merge_and_its_withdrawal_read_no_log_again(index: Path, archive: Archive) -> None:
    before = fingerprint(index)
    update = bring_up_to_date(index, archive.sources(), aliases=ANNA_IS_ZOE)
    assert (update.read, update.unchanged, archive.reads) == (0, 3, 0)
    assert {pair for pair in players(index) if len(set(pair)) > 1} == {("Anna", "Zoe")}
    assert query(index, "SELECT DISTINCT player FROM result WHERE player IN ('Anna', 'Zoe')").rows == [("Zoe",)]
    assert query(index, "FROM alias ORDER BY ALL").rows == [("anna", "Zoe"), ("zoe", "Zoe")]
    assert bring_up_to_date(index, archive.sources()).unchanged == 3
    assert archive.reads == 0
    assert fingerprint(index) == before


def test_a_game_that_comes_later_is_of_the_same_person(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    archive = many([1])
    bring_up_to_date(index, archive.sources(), aliases=ANNA_IS_ZOE)
    archive.logs |= many([2, 3]).logs
    bring_up_to_date(index, archive.sources(), aliases=ANNA_IS_ZOE)
    assert ("Anna", "Anna") not in players(index)
    beside = tmp_path / "rebuilt.duckdb"
    bring_up_to_date(beside, archive.sources(), aliases=ANNA_IS_ZOE)
    assert fingerprint(index) == fingerprint(beside)


def test_two_spellings_in_one_game_stay_apart_in_it_and_that_is_said_once(index: Path, archive: Archive) -> None:
    update = bring_up_to_date(index, archive.sources(), aliases=ALL_ONE)
    assert {(game.person, tuple(sorted(game.written))) for game in update.apart} == {("Zoe", ("Anna", "Bob"))}
    assert all(isinstance(game, Apart) for game in update.apart)
    assert len(update.apart) == 3
    assert {("Anna", "Anna"), ("Bob", "Bob")} < players(index)
    assert bring_up_to_date(index, archive.sources(), aliases=ALL_ONE).apart == ()


def test_persons_of_a_table() -> None:
    aliases = parse_aliases('[[player]]\nname = "Anna"\nalso = ["Ana"]\n[[player]]\nname = "Bob"\nalso = ["Bobby"]\n')
    assert aliases.resolve_names(["Ana", "Bobby", "Cy"]) == ["Anna", "Bob", "Cy"]
    assert aliases.resolve_names(["Ana", "Anna", "BOBBY"]) == ["Ana", "Anna", "Bob"]
    assert aliases.resolve_names(["Ana", "ANA"]) == ["Anna", "Anna"]
    assert Aliases().resolve_names(["Ana", "Ana"]) == ["Ana", "Ana"]
