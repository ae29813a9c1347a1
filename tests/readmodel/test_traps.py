"""What DuckDB does that one would not expect, where this room meets it; on 1.5 and on 2.0."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from msgspec import structs

from spyrium_log.errors import QueryError
from spyrium_log.log import codec
from spyrium_log.log.lines import Line, SeatAt
from spyrium_log.play import encode_log
from spyrium_log.readmodel import catalogue, connections, load
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.connections import LOCAL, run
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.title import Posting
from tests.games import ALL_TITLES, game
from tests.readmodel.archive import fingerprint, indexed, many, one_game, raw

ROOM = Path(load.__file__).parent


def source(lines: list[Line], name: str = "log") -> Source:
    data = encode_log(lines)
    return one_game(name, "hash", lambda: codec.read(io.BytesIO(data), ALL_TITLES, name))


def test_no_column_is_a_reserved_word_in_either_version(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    indexed(index, many(range(2)))
    columns = query(index, "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal").rows
    reserved = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    words = {word for (word,) in query(index, reserved).rows}
    assert words
    assert {name for _, name in columns}.isdisjoint(words)
    connection = duckdb.connect(str(index), read_only=True)
    try:
        for table, column in columns:
            sql = f"SELECT {column}, {table}.{column} FROM {table} GROUP BY {column} ORDER BY {column}"  # noqa: S608
            assert [name for name, *_ in connection.execute(sql).description or ()] == [column, column]
    finally:
        connection.close()


def test_a_column_with_the_name_of_its_table_is_the_column(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, many([1]).sources())
    assert query(index, "SELECT game, count(game) FROM game GROUP BY game").rows == [("game-0001", 1)]
    assert query(index, "SELECT DISTINCT seat FROM seat ORDER BY seat").rows[0] == (1,)


HARD = ("007", "1e5", "null", "true", "2026-11-18", "", " ", '"', "\\", "nul\0byte", "Å𝄞", "new\nline", "{}", "NaN")


def test_text_stays_text(tmp_path: Path) -> None:
    """Without columns=, read_json guesses dates and numbers."""
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [_saying(text, number) for number, text in enumerate(HARD)])
    asked = "SELECT game, played, game.place, player, colour FROM game JOIN seat USING (game) WHERE seat = 1"
    rows = [(f"game-{number:02}", text, text, text, text) for number, text in enumerate(HARD)]
    assert query(index, f"{asked} ORDER BY game").rows == rows
    for row in rows:
        assert query(index, f"{asked} AND player = ?", [row[1]]).rows == [row]


def _saying(text: str, number: int) -> Source:
    """A log whose words are this text, and its name too, as far as a name can be."""
    header = game("pebbles", 1, 2).header
    seats = (SeatAt(player=text, colour=text, start=()), *header.seats[1:])
    changed = structs.replace(header, game=f"game-{number:02}", seats=seats, played=text, place=text)
    return source([changed], text.replace("\0", "") or "log")


def test_numbers_of_any_size_that_a_log_may_hold_sum_exactly(tmp_path: Path) -> None:
    log = game("pebbles", 1, 2)
    event = next(line for line in log.lines if getattr(line, "moved", ()))
    moved = tuple(Posting(1, "stars", 99_999, "adjusted") for _ in range(5000))
    lines: list[Line] = [log.header, *(structs.replace(event, n=n, moved=moved) for n in range(1, 12))]
    index = tmp_path / "index.duckdb"
    assert bring_up_to_date(index, [source(lines)]).read == 1
    total = 99_999 * 5000 * 11
    assert total > 2**32
    assert query(index, "SELECT sum(amount) FROM ledger WHERE what = 'stars'").rows == [(total,)]
    assert query(index, "SELECT total, points FROM seat WHERE seat = 1").rows[0][1] == total


FOLDERS = ("with space/[class]/a{b,c}/~/#", "star*/q'uote/Å", "game=7/per%20cent/x.duckdb")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_any_name(tmp_path: Path, folder: str) -> None:
    """DuckDB takes names for patterns, and a folder `game=7` for a column."""
    index = tmp_path / folder / "index [1].duckdb"
    archive = many(range(2))
    bring_up_to_date(index, archive.sources())
    archive.logs["new"] = raw(4)
    assert bring_up_to_date(index, archive.sources()).read == 1
    assert query(index, "SELECT count(*) FROM game WHERE game != '7'").rows == [(3,)]
    assert [path.name for path in index.parent.iterdir()] == [index.name]


def test_one_key_deleted_and_inserted_in_one_transaction(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    archive = indexed(index, many(range(4)))
    first = fingerprint(index)
    rng = random.Random(3)
    for _ in range(2):
        name = rng.choice(sorted(archive.logs))
        was = archive.logs[name]
        for data in (raw(int(name[-3:]), "half"), was):
            archive.logs[name] = data
            assert bring_up_to_date(index, archive.sources()).read == 1
    assert fingerprint(index) == first


def test_results_stream_and_block_their_connection_unless_all_rows_are_taken() -> None:
    connection = duckdb.connect(config=LOCAL)
    try:
        assert run(connection, "SELECT 1 UNION ALL SELECT 2 ORDER BY 1") == [(1,), (2,)]
        assert connection.sql("SELECT 3").fetchall() == [(3,)]
        run(connection, "CREATE TABLE t AS SELECT unnest(range(5000)) AS x")
        assert len(run(connection, "FROM t")) == 5000
        run(connection, "INSERT INTO t SELECT 1")
        assert run(connection, "SELECT count(*) FROM t") == [(5001,)]
    finally:
        connection.close()


DRAWN = """
import sys
from pathlib import Path
import duckdb
from spyrium_log.readmodel.answers import query, stream_rows, write_rows
from spyrium_log.readmodel.reading import Scratch
from spyrium_log.readmodel.connections import run
from spyrium_log.readmodel.reading import open_index
from spyrium_log.readmodel.writing import FORGETTING, build_index, open_transaction

index, shown = Path(sys.argv[1]), "SELECT current_setting('enable_progress_bar')"
said = [("a connection of anybody else", run(duckdb.connect(), shown))]
with build_index(index, lambda: True) as file:
    said.append(("built", run(file.connection, shown)))
    for _ in range(FORGETTING):
        file.load(lambda connection: None)
    said.append(("built on", run(file.connection, shown)))
with open_index(index, 0) as (connection, stamp):
    said.append(("read", run(connection, shown)))
with open_transaction(index, stamp, 0) as connection:
    said.append(("written", run(connection, shown)))
said.append(("asked", query(index, shown).rows))
with stream_rows(index, shown, (), scratch=Scratch.beside(index, 1 << 30)) as stream:
    said.append(("asked by a person", list(stream.rows)))
write_rows(index, shown, (), index.with_name("rows.parquet"), "parquet")
said.append(("into a file", run(duckdb.connect(), "FROM read_parquet(?)", [str(index.with_name("rows.parquet"))])))
for what, ((drawn,),) in said:
    print(what, drawn, sep=": ")
"""


def test_no_connection_of_ours_draws_a_progress_bar(tmp_path: Path) -> None:
    """DuckDB takes Python for interactive where its main module is no file: python -c, some worker processes."""
    command = [sys.executable, "-c", DRAWN, str(tmp_path / "index.duckdb")]
    environment = {**os.environ, "PYTHONPATH": str(ROOM.parents[1])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert said.pop(0) == "a connection of anybody else: True"
    assert [line.partition(": ")[2] for line in said] == ["False"] * 7, said


def test_lambdas_of_both_versions(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    assert query(index, "SELECT list_transform([1, 2], lambda x: x + 1)").rows == [([2, 3],)]
    if duckdb.__version__ < "2":
        return
    with pytest.raises(QueryError, match=r"^deprecated lambda arrow"):
        query(index, "SELECT list_transform([1, 2], x -> x + 1)")


def test_our_sql_has_no_arrow_lambdas_and_our_code_no_call_that_one_version_lacks() -> None:
    for file in (*ROOM.glob("*.sql"), *ROOM.glob("queries/*.sql")):
        code = re.sub(r"--.*", "", file.read_text(encoding="utf-8"))
        assert "->" not in code, file
    for file in ROOM.glob("*.py"):
        code = file.read_text(encoding="utf-8")
        missing = r"\.(?:pl|arrow|fetch_arrow_table|fetch_record_batch|fetchone|appender|executemany)\("
        assert not re.search(missing, code), file
        assert not re.search(r"\.sql\((?!.*\.to_arrow)", code), file


def test_every_query_of_ours_is_one_statement() -> None:
    connection = duckdb.connect()
    try:
        for figure in (figure for report in catalogue.reports() for figure in report.figures):
            assert len(connection.extract_statements(figure.sql)) == 1
    finally:
        connection.close()


def test_a_file_is_one_that_duckdb_1_opens_too(tmp_path: Path) -> None:
    """Whichever of them wrote it. DuckDB 2 would write version 69, which DuckDB 1.5 refuses."""
    index = tmp_path / "index.duckdb"
    for seeds in (range(2), range(3)):
        bring_up_to_date(index, many(seeds).sources())
        head = index.read_bytes()[:20]
        assert head[8:12] == b"DUCK"
        assert int.from_bytes(head[12:], "little") <= 68


def test_what_is_sorted_on_the_disk_has_an_end_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only connection may make temporary tables, and puts on the disk what has no room."""
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    assert {"memory_limit", "max_temp_directory_size"} <= connections.SAFE.keys()
    for name, value in {"memory_limit": "60MB", "max_temp_directory_size": "20MB", "threads": 1}.items():
        monkeypatch.setitem(connections.SAFE, name, value)
    with pytest.raises(QueryError, match=r"^out of memory: "):
        query(
            index,
            "SELECT max(s) FROM (SELECT hash(range) || repeat('x', 900) AS s FROM range(400000) ORDER BY 1 OFFSET 9)",
        )
    assert list(tmp_path.iterdir()) == [index]


def test_more_memory_than_there_is_is_one_sentence(tmp_path: Path) -> None:
    """DuckDB's own limit does not hold for lists; where nothing else does, the machine's has to."""
    (tmp_path / "club").mkdir()
    asked = "SELECT list_sum(list_transform(range(300000000), lambda x: x * 2))"
    words = ["--archive", str(tmp_path / "club"), "query", asked]
    found = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -v 3000000 && exec "$@"', "sh", sys.executable, "-m", "spyrium_cli", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (2, "")
    said = "Error: expected an answer within 3.07GB of memory (--memory), found that it takes more"
    assert found.stderr.splitlines()[-1] == said
    assert "Traceback" not in found.stderr


def test_nothing_is_installed_by_itself(tmp_path: Path) -> None:
    """A typing error must not become a network call, and an SQLite file no download."""
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    for sql in ("FROM sqlite_scan('a', 'b')", "FROM st_read('a')", "SELECT stem('a', 'b')"):
        with pytest.raises(QueryError) as caught:
            query(index, sql)
        assert "ownload" not in str(caught.value)
