"""An archive from Python, and as a dataset for others: the numbers are those of the index, whoever reads them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest

from spyrium_log import open_archive
from spyrium_log.analysis import archive as module
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.dataset import OURS, write_dataset
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.tables import ROWS, GameRow, SeatRow
from tests.readmodel.archive import many, raw

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    bring_up_to_date(path, many(range(12)).sources())
    return path


def test_an_index_may_lie_elsewhere(tmp_path: Path) -> None:
    logs, elsewhere = tmp_path / "logs", tmp_path / "mine.duckdb"
    logs.mkdir()
    (logs / "one.jsonl").write_bytes(raw(1))
    assert open_archive(logs, index=elsewhere).query("SELECT count(*) FROM game").rows == [(1,)]
    assert [path.name for path in logs.iterdir()] == ["one.jsonl"]
    assert elsewhere.is_file()


def test_the_notebook_runs() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples/analysis/ask_an_archive.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"{len(list(ROOT.glob('examples/spyrium/*.jsonl')))} logs"
    assert any(" won with " in line for line in lines)


@pytest.fixture
def archive(tmp_path: Path) -> module.Archive:
    for log in ROOT.glob("examples/spyrium/*game*.jsonl"):
        (tmp_path / log.name).write_bytes(log.read_bytes())
    return open_archive(tmp_path)


def test_rows_have_types_and_agree_with_the_replay(archive: module.Archive) -> None:
    games = list(archive.rows(GameRow, "final"))
    assert games
    for game in games:
        seats = sorted(archive.rows(SeatRow, "game = $game", game=game.game), key=lambda seat: seat.seat)
        assert [seat.total for seat in seats] == [score.total for score in archive.replay(game.game).scores()]


def test_what_else_was_allowed_is_listed_on_demand(archive: module.Archive) -> None:
    game = next(archive.rows(GameRow, "final")).game
    listed = list(archive.alternatives(game))
    decided = archive.query("SELECT n, i FROM decision WHERE game = $game ORDER BY step", game=game).rows
    assert [(one.n, one.i) for one in listed if one.chosen] == decided
    n, i = decided[3]
    assert list(archive.alternatives(game, n)) == [one for one in listed if (one.n, one.i) == (n, i)]


def test_every_table_has_a_type(archive: module.Archive) -> None:
    for kind in ROWS.values():
        assert all(isinstance(row, kind) for row in archive.rows(kind))


def test_what_is_recorded_later_is_seen_after_a_refresh(archive: module.Archive) -> None:
    before = archive.query("SELECT count(*) FROM game").rows
    next(archive.path.glob("*.jsonl")).unlink()
    assert archive.query("SELECT count(*) FROM game").rows == before
    archive.refresh()
    assert archive.query("SELECT count(*) FROM game").rows == [(before[0][0] - 1,)]


def test_reports_are_those_of_the_command(archive: module.Archive) -> None:
    assert {"technique-scores", "ratings"} <= {report.name for report in archive.reports()}
    assert archive.report("scores", least=1).figures[0].rows


def test_a_frame_is_of_what_is_there(archive: module.Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pandas:
        DataFrame: ClassVar[type[dict[str, object]]] = dict

    def find(name: str) -> type[Pandas]:
        if name == "polars":
            raise ImportError
        return Pandas

    monkeypatch.setattr(module, "import_module", find)
    assert archive.frame("SELECT $n AS n, 'x' AS s", n=3) == {"n": [3], "s": ["x"]}
    monkeypatch.setattr(module, "import_module", _nothing)
    with pytest.raises(ReadModelError, match="polars or pandas"):
        archive.frame("SELECT 1")


def _nothing(name: str) -> None:
    raise ImportError(name)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadModelError, match="expected a folder of logs, found none"):
        open_archive(tmp_path / "nowhere")


# --- the dataset ---------------------------------------------------------------------------------


def test_a_dataset_holds_every_row_of_every_table(index: Path, tmp_path: Path) -> None:
    folder = tmp_path / "it's data"
    counts = write_dataset(index, folder, anonymised=False).rows
    assert counts.keys() & OURS == set()
    connection = duckdb.connect()
    try:
        for table, count in counts.items():
            assert query(index, f"SELECT count(*) FROM {table}").rows == [(count,)]  # noqa: S608 - a table of ours
            columns = [row[0] for row in query(index, f"DESCRIBE {table}").rows]
            named = ", ".join(f'"{column}"' for column in columns)
            where = str(folder / "data" / table / "**/*.parquet").replace("'", "''")
            read = f"SELECT {named} FROM read_parquet('{where}', hive_partitioning = true)"  # noqa: S608 - likewise
            assert sorted(map(repr, connection.execute(read).fetchall())) == _rows(index, table, named)
            # Who reads one file without its path has them, too.
            said = connection.execute(f"DESCRIBE FROM read_parquet('{where}', hive_partitioning = false)").fetchall()
            assert "game" not in columns or {"title", "players"} <= {name for name, *_ in said}
    finally:
        connection.close()
    assert sum(counts.values()) > 1000
    assert 0 in counts.values()


def _rows(index: Path, table: str, columns: str) -> list[str]:
    raw = duckdb.connect(str(index), read_only=True)
    try:
        return sorted(map(repr, raw.execute(f"SELECT {columns} FROM {table}").fetchall()))  # noqa: S608 - likewise
    finally:
        raw.close()


def test_the_card_explains_every_table_and_names_its_files(index: Path, tmp_path: Path) -> None:
    counts = write_dataset(index, tmp_path / "data", anonymised=True).rows
    card = (tmp_path / "data/README.md").read_text(encoding="utf-8")
    front, _, body = card.removeprefix("---\n").partition("\n---\n")
    assert "Names of people are made up" in body
    for table, count in counts.items():
        assert f"### {table}\n" in body
        assert (f"- config_name: {table}\n" in front) == bool(count)
    assert "| total | BIGINT | " in body


def test_a_dataset_is_whole_or_not_there(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(ReadModelError, match="not there yet"):
        write_dataset(index, tmp_path / "there", anonymised=False)
    _break("_card_lines", monkeypatch)
    with pytest.raises(ReadModelError, match="found: full"):
        write_dataset(index, tmp_path / "new", anonymised=False)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def _break(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> Callable[[], None]:
        raise OSError(28, "full")

    monkeypatch.setattr(f"spyrium_log.readmodel.dataset.{name}", full)
