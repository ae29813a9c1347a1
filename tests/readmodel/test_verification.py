"""Whatever is wrong with an index that claims to be up to date, comparing it with its logs names the place."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from spyrium_log.errors import ReadModelError, UnfitError
from spyrium_log.log.codec import encode
from spyrium_log.log.pack import Game
from spyrium_log.readmodel import sources
from spyrium_log.readmodel.load import NO_ALIASES, bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.readmodel.tables import LOADED
from spyrium_log.readmodel.verification import Deviation, Verification, list_differences, verify
from spyrium_log.store import Aliases, Folder
from tests.log.test_notes import note
from tests.packs import write_pack
from tests.readmodel.archive import many, raw
from tests.shares import share

PACK = "games.jsonl.zst"
# Both of its histories have rows in every table.
AMENDED = Path(__file__).parents[2] / "examples/spyrium/seen-effect-kept.jsonl"
GAMES = 7


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs, one with findings, one with notes, one amended, and a pack of two; and their index."""
    path = tmp_path_factory.mktemp("archive")
    folder = Folder(path)
    for seed in (1, 2, 4):
        folder.write_whole(raw(seed))
    folder.write_whole(raw(5, "wrong"))
    folder.write_whole(AMENDED.read_bytes())
    (path / "game-0002.notes.jsonl").write_bytes(encode(note(game="game-0002", on="1", text="hm", tags=("odd",))))
    write_pack(path / PACK, [Game(raw(7)), Game(raw(8))], level=1)
    bring_up_to_date(path / "index.duckdb", sources_of(folder))
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.duckdb"


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    """The same archive, for one test alone."""
    return Path(shutil.copytree(archive, tmp_path / "archive"))


def forge(folder: Path, *statements: str) -> None:
    with duckdb.connect(str(folder / "index.duckdb")) as connection:
        for sql in statements:
            connection.execute(sql)


def second(folder: Path) -> Path:
    """Where the other index is made: not in the archive, of which nothing may change."""
    return folder.parent / "second.duckdb"


def verified(folder: Path, sample: int | None = None, aliases: Aliases = NO_ALIASES) -> Verification:
    index = folder / "index.duckdb"
    return verify(index, sources_of(Folder(folder)), second(folder), sample=sample, aliases=aliases)


def places(done: Verification) -> list[tuple[str, str, str, str, str]]:
    return [(one.table, one.subject, one.column, one.expected, one.found) for one in done.deviations]


def state(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("sample", [0, 1, 4, None])
def test_an_index_that_is_right_has_no_deviations_and_stays_as_it_is(archive: Path, sample: int | None) -> None:
    before = state(archive)
    compared = GAMES if sample is None else sample
    assert verified(archive, sample) == Verification(games=GAMES, compared=compared, outdated=0, deviations=())
    assert state(archive) == before


def test_the_sample_is_spread_and_the_same_every_time(copy: Path) -> None:
    forge(copy, "UPDATE seat SET player = 'Eve' WHERE seat = 1")
    for _ in range(2):
        assert [place[1] for place in places(verified(copy, 3))] == ["game-0001", "game-0004", "game-amended"]


# --- rows ----------------------------------------------------------------------------------------

# Another value than the one that is there, for every kind of column.
OTHER = {
    "VARCHAR": "coalesce({0}, '') || 'x'",
    "INTEGER": "coalesce({0}, 0) + 50",
    "BIGINT": "coalesce({0}, 0) + 50",
    "HUGEINT": "coalesce({0}, 0) + 50",
    "DOUBLE": "coalesce({0}, 0) + 50",
    "BOOLEAN": "NOT coalesce({0}, false)",
    "TIMESTAMP": "coalesce({0}, TIMESTAMP '2020-01-01') + INTERVAL 1 SECOND",
    "VARCHAR[]": "list_append({0}, 'x')",
    "MAP(VARCHAR, VARCHAR)": "MAP {{'x': 'y'}}",
    "MAP(VARCHAR, BIGINT)": "MAP {{'x': 9}}",
}


def other(column: str, kind: str) -> str:
    if kind in OTHER:
        return OTHER[kind].format(f'"{column}"')
    if kind.endswith("[]"):
        # with the first one, or with none where it is there
        value = f"enum_first(NULL::{kind.removesuffix('[]')})"
        return f'CASE WHEN len("{column}") > 0 THEN "{column}"[2:] ELSE [{value}] END'
    # Of an enumeration the next value, and after the last one the first.
    values = f"enum_range(NULL::{kind})"
    return f'{values}[list_position({values}, "{column}") % len({values}) + 1]'


def first_row(table: str) -> str:
    return f"(SELECT min(rowid) FROM {table})"  # noqa: S608 - names of our tables


class Forged:
    """An index that is changed, and one that is not."""

    def __init__(self, anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection) -> None:
        self._anew = anew
        self._index = index
        self._games = [game for (game,) in anew.execute("SELECT game FROM game").fetchall()]

    def differences(self, sql: str) -> list[Deviation]:
        """What comparing all rows finds after a change, which is taken back."""
        self._index.begin()
        self._index.execute(sql)
        found = [*list_differences(self._anew, self._index, self._games)]
        self._index.rollback()
        return found


@pytest.fixture
def forged(copy: Path) -> Iterator[Forged]:
    anew = shutil.copy(copy / "index.duckdb", copy / "anew.duckdb")
    with duckdb.connect(anew, read_only=True) as expected, duckdb.connect(str(copy / "index.duckdb")) as connection:
        yield Forged(expected, connection)


def forgeries(archive: Path) -> Iterator[tuple[str, str, str]]:
    """Each column of each table, and how it is changed in one row."""
    with duckdb.connect(str(archive / "index.duckdb"), read_only=True) as connection:
        for table in (*LOADED, "card", "sheet_value"):
            columns = connection.execute(
                "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ?", [table]
            ).fetchall()
            for column, kind in columns:
                change = f'UPDATE {table} SET "{column}" = {other(column, kind)}'  # noqa: S608 - names of our tables
                yield table, column, f"{change} WHERE rowid = {first_row(table)}"


def test_every_column_of_every_table_is_compared(archive: Path, forged: Forged, counts: Counter[str]) -> None:
    cases = [*forgeries(archive)]
    assert {table for table, _, _ in cases} == {*LOADED, "card", "sheet_value"}
    for table, column, sql in share(cases, 3):
        places = {(one.table, one.column) for one in forged.differences(sql)}
        # A row of another game, card or sheet is one that is there, and one that is not.
        key = {"card": "card", "sheet_value": "sheet"}.get(table, "game")
        assert places == {(table, "*" if column == key else column)}, sql
        counts["columns forged, and named"] += 1


@pytest.mark.parametrize("table", [*LOADED, "card", "sheet_value"])
def test_a_row_more_and_a_row_less(forged: Forged, table: str) -> None:
    row = f"{table} WHERE rowid = {first_row(table)}"
    less = forged.differences(f"DELETE FROM {row}")  # noqa: S608 - names of our tables
    assert [(one.table, one.column, one.found) for one in less] == [(table, "*", "none")]
    if table not in {"game", "seat", "recorded_game", "recorded_seat", "card"}:
        # These have keys.
        more = forged.differences(f"INSERT INTO {table} SELECT * FROM {row}")  # noqa: S608 - as above
        assert [(one.table, one.column, one.expected) for one in more] == [(table, "*", "none")]


def test_a_changed_name_of_a_player_is_found(copy: Path) -> None:
    """As anybody with a shell could."""
    forge(copy, "UPDATE seat SET player = 'Eve' WHERE game = 'game-0002' AND seat = 1")
    assert places(verified(copy)) == [("seat", "game-0002", "player", "Anna", "Eve")]


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("INSERT INTO note SELECT * REPLACE ('gone' AS game) FROM note LIMIT 1", ("note", "gone", "game")),
        ("INSERT INTO sheet_value SELECT * REPLACE ('x' AS sheet) FROM sheet_value LIMIT 1",
         ("sheet_value", "x", "sheet")),
        ("UPDATE card SET kind = 'x' WHERE card = 'mine-1'", ("card", "mine-1", "kind")),
        ("UPDATE resource SET role = NULL WHERE what = 'money'", ("resource", "money", "role")),
        ("ALTER TABLE note DROP COLUMN author", ("duckdb_columns", "note", "*")),
        ("CREATE OR REPLACE VIEW held AS SELECT title, game, 'x' AS seat, '' AS card, '' AS kind FROM game",
         ("duckdb_columns", "held", "data_type")),
        ("DROP VIEW held", ("duckdb_columns", "held", "*")),
        ("CREATE OR REPLACE VIEW result AS SELECT 1 AS x", ("duckdb_columns", "result", "column_name")),
    ],
)  # fmt: skip
def test_what_is_of_no_one_game(copy: Path, sql: str, place: tuple[str, str, str]) -> None:
    forge(copy, sql)
    assert places(verified(copy))[0][:3] == place


def test_a_view_that_says_something_else_of_the_same_tables(copy: Path) -> None:
    with duckdb.connect(str(copy / "index.duckdb"), read_only=True) as connection:
        ((sql,),) = connection.execute("SELECT sql FROM duckdb_views() WHERE view_name = 'held'").fetchall()
    forge(copy, "DROP VIEW held", sql.replace("!= 0", "= 0"))
    assert {place[0] for place in places(verified(copy))} == {"held"}


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("DELETE FROM position WHERE file = 'game-0002'", ("position", "game-0002", "file", "game-0002", "none")),
        ("INSERT INTO position FROM position WHERE file = 'game-0002'",
         ("position", "game-0002", "file", "one row", "2 rows")),
        ("UPDATE position SET refused = 1 WHERE file = 'games.jsonl.zst'", ("position", PACK, "refused", "0", "1")),
        ("UPDATE game SET file = 'game-0001' WHERE game = 'game-0007'",
         ("game", "game-0007", "file", PACK, "game-0001")),
        ("UPDATE game SET file = 'nowhere' WHERE game = 'game-0007'",
         ("position", "nowhere", "file", "nowhere", "none")),
        ("DELETE FROM game WHERE game = 'game-0007'", ("game", "game-0007", "game", "game-0007", "none")),
        ("UPDATE game SET content = 'x' WHERE game = 'game-0007'",
         ("game", "game-0007", "content", sha256(raw(7)).hexdigest(), "x")),
    ],
)  # fmt: skip
def test_positions_are_the_files_and_every_game_is_owned_by_a_file_that_has_it(
    copy: Path, sql: str, place: tuple[str, ...]
) -> None:
    forge(copy, sql)
    assert place in places(verified(copy, 0))


def test_files_that_changed_since_are_no_fault_of_the_index(copy: Path) -> None:
    (copy / "game-0001.jsonl").write_bytes(raw(1, "half"))
    (copy / "game-0002.jsonl").unlink()
    (copy / "game-0010.jsonl").write_bytes(raw(10))
    (copy / "none.jsonl").write_bytes(b"no log\n")
    assert verified(copy) == Verification(games=GAMES, compared=GAMES - 2, outdated=4, deviations=())


def test_files_of_which_nobody_reads_the_first_line_alone(index: Path) -> None:
    archive = many(range(3))
    archive.logs |= {"none": raw(0, "garbage"), "twice": raw(1)}
    bring_up_to_date(index, archive.sources())
    assert verify(index, archive.sources(), index.with_name("second.duckdb")) == Verification(
        games=3, compared=3, outdated=0, deviations=()
    )
    archive.logs["log-002"], archive.logs["log-001"] = archive.logs["log-001"], archive.logs["log-002"]
    assert verify(index, archive.sources(), index.with_name("second.duckdb")).outdated == 2


def test_what_is_no_file_is_no_deviation(copy: Path) -> None:
    (copy / "folder.jsonl").mkdir()
    (copy / "nowhere.jsonl").symlink_to("nothing")
    os.mkfifo(copy / "pipe.jsonl")
    bring_up_to_date(copy / "index.duckdb", sources_of(Folder(copy)))
    done = verified(copy)
    assert (done.outdated, done.deviations) == (0, ())


def test_what_is_left_out_is_no_deviation(copy: Path) -> None:
    """A game that is in two files, twice in one, and what cannot be read."""
    (copy / "a-copy.jsonl").write_bytes(raw(1, "half"))
    (copy / "none.jsonl").write_bytes(b"no log\n")
    write_pack(copy / "twice.jsonl.zst", [Game(raw(10)), Game(raw(10)), Game(raw(2))], level=1)
    torn = (copy / PACK).read_bytes()
    (copy / "torn.jsonl.zst").write_bytes(torn[: len(torn) // 2])
    (copy / "folder.jsonl").mkdir()
    bring_up_to_date(copy / "index.duckdb", sources_of(Folder(copy)))
    done = verified(copy)
    assert (places(done), done.outdated, done.compared) == ([], 0, GAMES + 1)


def test_a_file_that_the_disk_vouches_for_and_that_says_something_else_would_never_be_read(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "TICK", 0)
    bring_up_to_date(copy / "index.duckdb", sources_of(Folder(copy)))
    forge(copy, "UPDATE position SET content = 'x' WHERE file = 'game-0002'")
    ((table, subject, column, _, found),) = places(verified(copy))
    assert (table, subject, column, found) == ("position", "game-0002", "content", "x")


def test_a_log_that_somebody_writes_meanwhile_is_not_compared(copy: Path) -> None:
    path = copy / "game-0002.jsonl"

    def written(source: Source) -> Source:
        def digest() -> str:
            found = source.digest()
            path.write_bytes(raw(2, "half"))
            return found

        return source._replace(digest=digest) if source.name == "game-0002" else source

    done = verify(copy / "index.duckdb", map(written, sources_of(Folder(copy))), second(copy), sample=None)
    assert (done.compared, done.deviations) == (GAMES - 1, ())


def test_names_are_compared_under_the_aliases_that_the_index_follows(copy: Path) -> None:
    folder = Folder(copy)
    folder.add_alias("Anna Nowak", ["Anna"])
    before = verified(copy, aliases=folder.read_aliases())
    assert (before.outdated, before.deviations) == (1, ())
    bring_up_to_date(copy / "index.duckdb", sources_of(folder), aliases=folder.read_aliases())
    after = verified(copy, aliases=folder.read_aliases())
    assert (after.outdated, after.deviations) == (0, ())
    forge(copy, "UPDATE seat SET player = 'Anna' WHERE game = 'game-0002' AND seat = 1")
    forged = verified(copy, aliases=folder.read_aliases())
    assert places(forged) == [("seat", "game-0002", "player", "Anna Nowak", "Anna")]


def test_an_index_that_is_updated_meanwhile_is_said(copy: Path) -> None:
    def updated(source: Source) -> Source:
        def games() -> object:
            forge(copy, "UPDATE meta SET stamp = stamp || 'x'")
            return source.games()

        return source._replace(games=games)  # type: ignore[arg-type]

    with pytest.raises(ReadModelError, match=r"^expected the index to rest while it is compared, found it updated"):
        verify(copy / "index.duckdb", map(updated, sources_of(Folder(copy))), second(copy))


def test_no_index_or_one_of_another_version_is_unfit(copy: Path) -> None:
    forge(copy, "UPDATE meta SET schema = 0")
    with pytest.raises(UnfitError, match="of version"):
        verified(copy)
    (copy / "index.duckdb").unlink()
    with pytest.raises(UnfitError, match="found none"):
        verified(copy)
    assert not (copy / "index.duckdb").exists()


def test_a_deviation_says_all_there_is_to_say() -> None:
    assert Deviation.__struct_fields__ == ("table", "subject", "column", "expected", "found")
