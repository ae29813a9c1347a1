"""Questions: safe, in plain values, and with errors of one line that help."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import msgspec
import pytest

from spyrium_log.errors import QueryError, UnfitError
from spyrium_log.readmodel.answers import query, write_rows
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.tables import SeatRow
from tests.readmodel.archive import fingerprint, many

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    bring_up_to_date(path, many(range(6)).sources())
    return path


# --- nothing but the tables ----------------------------------------------------------------------

FORBIDDEN = (
    "FROM read_csv('{file}')",
    "FROM read_text('{file}')",
    "FROM read_blob('{folder}/../{name}')",
    "FROM read_json('{file}')",
    "FROM read_parquet('{file}')",
    "FROM sniff_csv('{file}')",
    "FROM '{file}'",
    "FROM glob('{folder}/*')",
    "FROM read_json('http://127.0.0.1:9/x')",
    "COPY game TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet'",
    "COPY (SELECT 1) TO '{index}.wal'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{index}.wal'",
    "WITH mine AS (COPY (SELECT 1) TO '{index}.wal') FROM mine",
    "\u00a0/**/cOpY\u2003(SELECT 1) TO '{index}.wal'",
    "COPY (SELECT 1) TO '{index}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPORT DATABASE '{index}.tmp/'",
    "ATTACH '{index}.tmp/mine' AS mine (READ_WRITE)",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}'",
    "ATTACH '{folder}/other.duckdb'",
    "ATTACH ':memory:' AS other",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{file}'",
    "CREATE SECRET (TYPE s3)",
    "SET threads = 1",
    "RESET threads",
    "PRAGMA threads = 1",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET allowed_directories = ['/']",
    "SET memory_limit = '900GB'",
    "SET temp_directory = '{folder}'",
    "SET lambda_syntax = 'ENABLE_SINGLE_ARROW'",
    "FROM a_python_variable",
    "SELECT getenv('HOME')",
    "CREATE TABLE mine (x INTEGER)",
    "CREATE OR REPLACE MACRO t975(df) AS 0",
    "INSERT INTO meta VALUES (1, '', '')",
    "UPDATE seat SET total = 99",
    "DELETE FROM game",
    "DROP TABLE ledger",
    "ALTER TABLE game ADD COLUMN x INTEGER",
    "TRUNCATE ledger",
    "COMMENT ON TABLE game IS 'mine'",
    "WITH mine AS (INSERT INTO meta VALUES (1, '', '') RETURNING *) FROM mine",
    "CALL enable_logging(storage = 'file', storage_path = '{folder}/log')",
    "FROM enable_logging(storage_path = '{folder}/log')",
    "CALL enable_profiling(save_location = '{folder}/profile')",
    "PRAGMA enable_profiling",
)


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_a_query_touches_nothing_but_the_tables(index: Path, tmp_path: Path, sql: str) -> None:
    a_python_variable = [1]
    file = tmp_path / "secret.csv"
    file.write_text("secret\n1\n", encoding="utf-8")
    before = index.read_bytes()
    with pytest.raises(QueryError) as caught:
        query(index, sql.format(file=file, folder=tmp_path, name=file.name, index=index))
    assert "\n" not in str(caught.value)
    assert a_python_variable
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]
    assert index.read_bytes() == before
    assert [path.name for path in index.parent.iterdir()] == [index.name]


def test_words_that_write_may_be_texts_names_and_comments(index: Path) -> None:
    sql = "SELECT 'copy' AS \"export\", $$attach$$ AS copied -- copy"
    assert query(index, sql).rows == [("copy", "attach")]


def test_a_temporary_table_is_gone_with_its_query(index: Path) -> None:
    before = fingerprint(index)
    query(index, "CREATE TEMP TABLE game AS SELECT 1 AS x")
    assert fingerprint(index) == before
    assert query(index, "SELECT count(*) FROM game").rows == [(6,)]


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("selec 1", 'syntax error at or near "selec", at line 1 column 1'),
        (
            "SELECT player,\n    colors\nFROM seat",
            'referenced column "colors" not found in FROM clause; candidate bindings: "colour"',
        ),
        ("SELECT * FROM games", "table with name games does not exist; did you mean 'game'?, at line 1 column 15"),
        ("SELECT totl(1)", "unction with name totl does not exist"),
        ("SELECT 'a'::INTEGER", "could not convert string 'a' to INT32"),
        ("SELECT place FROM game JOIN seat USING (game)", 'ambiguous reference to column name "place"'),
        ("SELECT ?", "values were not provided"),
        ("SELECT $who", "values were not provided"),
        ("", "expected one statement, found none"),
        ("-- nothing", "expected one statement, found none"),
        ("SELECT 1; SELECT 2", "expected one statement, found 2"),
        ("DELETE FROM game", 'cannot execute statement of type "DELETE"'),
        ("SELECT now()", "cast it with ::TIMESTAMP"),
        ("SELECT error('went wrong\nfor once')", "went wrong"),
        ("SELECT '\ud800'", "expected a value that Python has"),
    ],
)
def test_wrong_sql_is_one_line_that_helps(index: Path, sql: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        query(index, sql)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Error:" not in str(caught.value)


def test_the_place_of_an_error_is_found_in_long_lines_too(index: Path) -> None:
    for ahead in (0, 50, 100, 500, 900):
        sql = "\n  ".join(("SELECT 1,", "1, " * ahead + "nope," + " 2," * ahead + " 3 FROM game"))
        with pytest.raises(QueryError) as caught:
            query(index, sql)
        assert (caught.value.line, caught.value.column) == (2, 3 + 3 * ahead)


@pytest.mark.parametrize("ahead", [0, 10, 500])
def test_the_place_of_an_error_counts_in_what_a_person_wrote_for_a_file_too(index: Path, ahead: int) -> None:
    sql = " ".join(("SELECT", *["1,"] * ahead, "nope FROM game"))
    with pytest.raises(QueryError) as caught:
        write_rows(index, sql, (), index.with_name("rows.parquet"), "parquet")
    assert (caught.value.line, caught.value.column) == (1, 8 + 3 * ahead)


def test_a_parameter_of_no_known_type_is_said(index: Path) -> None:
    with pytest.raises(QueryError, match="object"):
        query(index, "SELECT ?", [object()])


def test_no_index_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnfitError, match="expected an index, found none"):
        query(tmp_path / "index.duckdb", "SELECT 1")
    assert list(tmp_path.iterdir()) == []


# --- values --------------------------------------------------------------------------------------


def test_values_are_plain(index: Path) -> None:
    answer = query(
        index,
        """
        SELECT 1.5 AS decimal, 1::UTINYINT AS small, 9223372036854775807 AS big, sum(amount) AS sum, true AS yes,
            NULL AS nothing, 'Å 𝄞' AS text, [1.5, 2] AS list, {'a': 1.5} AS struct, MAP {'k': 0.5} AS map,
            DATE '2026-11-18' AS date, '12345678-1234-1234-1234-123456789abc'::UUID AS uuid, 2.5::DOUBLE AS double
        FROM ledger WHERE what = 'none'
        """,
    )
    assert answer.columns[:3] == ("decimal", "small", "big")
    assert answer.rows == [
        (
            *(1.5, 1, 9223372036854775807, None, True, None, "Å 𝄞", [1.5, 2.0], {"a": 1.5}, {"k": 0.5}),
            *(dt.date(2026, 11, 18), "12345678-1234-1234-1234-123456789abc", 2.5),
        )
    ]
    assert isinstance(answer.rows[0][0], float)
    assert msgspec.json.encode(answer.rows)


def test_parameters_by_place_and_by_name(index: Path) -> None:
    assert query(index, "SELECT ?::INTEGER + ?::INTEGER", [1, 2]).rows == [(3,)]
    assert query(index, "SELECT $a || $b AS both", {"a": "x'; --", "b": "é"}).rows == [("x'; --é",)]
    assert query(index, "SELECT 1", {}).rows == [(1,)]


def test_columns_of_the_same_name_and_statements_that_describe(index: Path) -> None:
    assert query(index, "SELECT 1 AS a, 2 AS a").columns == ("a", "a")
    assert ("meta",) in query(index, "SHOW TABLES").rows
    assert query(index, "DESCRIBE game").rows[0][0] == "game"
    assert len(query(index, "SUMMARIZE seat").rows) == len(SeatRow.__struct_fields__)
    assert query(index, "EXPLAIN SELECT 1").rows


# --- connections ---------------------------------------------------------------------------------


def test_queries_leave_nothing_open(index: Path) -> None:
    for sql in ("SELECT * FROM ledger", "selec", "SELECT 1; SELECT 2", "SELECT 'a'::INTEGER"):
        try:
            query(index, sql)
        except QueryError:
            continue
    connection = duckdb.connect(str(index))
    connection.close()


def test_many_queries_at_once_in_one_process(index: Path) -> None:
    """They share settings that the first of them has locked."""
    answers: list[object] = []

    def ask() -> None:
        for _ in range(5):
            answers.extend(query(index, "SELECT count(*) FROM game").rows)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(6,)] * 20


def test_duckdb_is_loaded_by_the_first_question_only() -> None:
    script = """
import sys
import spyrium_log
from spyrium_log.readmodel.catalogue import reports
assert reports()
assert "duckdb" not in sys.modules
import spyrium_log.readmodel.answers
assert "duckdb" in sys.modules
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
