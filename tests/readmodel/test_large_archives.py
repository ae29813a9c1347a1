"""Large archives after random changes: positions, complaints and tables are what a model of its own expects.

`python -m tests.readmodel.test_large_archives` makes 40 changes to each of twelve archives: of 1,500 and of 4,000
games, as logs and as one pack, indexed with one, two and four processes. `--help` lists how to run a part of it.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

from spyrium_log.readmodel import load
from spyrium_log.readmodel.load import Update, bring_up_to_date
from spyrium_log.readmodel.reader import Unusable
from spyrium_log.readmodel.tables import LOADED
from spyrium_log.readmodel.verification import verify
from tests.readmodel.archive import work_late
from tests.readmodel.large_archive import PACK, TAKEN, Archive, Changes, Contents, tables_of
from tests.shares import share

SIZES = (1_500, 4_000)
FORMS = ("logs", "pack")
PROCESSES = (1, 2, 4)
CHANGES = 40
# In every second update a batch is so many bytes of rows, as if the archive were twenty times as large.
SMALL_CHUNK = 1_000_000
# After so many changes the tables are compared with those of a rebuild as well.
REBUILT = 10


class Case(NamedTuple):
    size: int
    form: str
    processes: int
    changes: int
    seed: int = 1


def begun(case: Case, folder: Path, contents: Contents) -> Changes:
    """A folder with so many games, as logs or as one pack."""
    folder.mkdir()
    changes = Changes(Archive(folder, contents), random.Random(case.seed))
    games = [changes.fresh() for _ in range(case.size)]
    if case.form == "pack":
        changes.archive.put_pack(PACK, games)
    else:
        for at, log in enumerate(games):
            changes.archive.put(f"log-{at:07d}", log)
    return changes


def run(case: Case, folder: Path, contents: Contents, counts: Counter[str], chunks: Sequence[int]) -> None:
    """Index, and after each change index again; every time all is compared."""
    changes = begun(case, folder, contents)
    index = folder / "index.duckdb"
    for nth in range(case.changes + 1):
        kind = changes.happen() if nth else "built"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(load, "CHUNK", chunks[nth % len(chunks)])
            compare(index, changes.archive, case, f"{case}, change {nth}: {kind}")
        counts[f"change: {kind}"] += 1
        counts["updates whose positions, complaints and tables are as expected"] += 1
        if nth % REBUILT == 0 or nth == case.changes:
            beside = folder.with_name("rebuilt.duckdb")
            bring_up_to_date(beside, changes.archive.sources(), rebuild=True)
            assert fingerprint_of(index) == fingerprint_of(beside), f"{case}, change {nth}: {kind}"
            counts["tables compared with a rebuild by one process"] += 1
            done = verify(index, changes.archive.sources(), index.with_name("second.duckdb"))
            assert done.deviations == (), f"{case}, change {nth}: {kind}"
            counts["games compared with their logs"] += done.compared


def compare(index: Path, archive: Archive, case: Case, said: str) -> None:
    expected = archive.expected()
    update = bring_up_to_date(index, archive.sources(), processes=case.processes)
    assert not update.held
    assert complaints_of(update.unusable) == expected.complaints, said
    found = tables_of(index)
    assert sorted(found.positions) == sorted(expected.positions), said
    assert found.files == expected.files, said
    assert found.tables == expected.tables, said
    assert found.wrong_seats == 0, said
    assert update.read + update.unchanged == len(expected.files), said
    again = bring_up_to_date(index, archive.sources(), processes=case.processes)
    assert again == Update(unchanged=len(expected.files), unusable=update.unusable), said


def complaints_of(unusable: Iterable[Unusable]) -> set[tuple[str, str | None]]:
    return {(one.file, one.why if one.why.startswith(TAKEN) else None) for one in unusable}


def fingerprint_of(index: Path) -> dict[str, str]:
    """Sums for the large tables: to sort their rows takes longer than to build them."""
    tables = ("sheet_value", "card", "resource", "(SELECT file, content, refused FROM position)", *LOADED)
    with duckdb.connect(str(index), read_only=True) as connection:
        return {
            table: str(connection.execute(f"SELECT count(*), sum(hash(one)) FROM {table} AS one").fetchall())  # noqa: S608 - ours
            for table in tables
        }


@pytest.mark.parametrize(("form", "processes"), share([("logs", 3), ("logs", 1), ("pack", 1), ("pack", 3)], 2))
def test_after_each_change_an_archive_is_indexed_as_expected(
    tmp_path: Path, form: str, processes: int, counts: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work_late(monkeypatch, load.CHUNK)
    run(
        Case(40, form, processes, 6, seed=processes),
        tmp_path / "logs",
        Contents(tmp_path),
        counts,
        (60_000, load.CHUNK),
    )


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.readmodel.test_large_archives", description=__doc__)
    parser.add_argument("changes", type=int, nargs="?", default=CHANGES, help="changes of each archive")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="games in the archive")
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--processes", type=int, nargs="+", default=PROCESSES)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as made:
        contents = Contents(Path(made))
        for size in options.sizes:
            for form in options.forms:
                for processes in options.processes:
                    # Each archive has changes of its own.
                    case = Case(size, form, processes, options.changes, options.seed + counts["archives"])
                    begun_at = time.monotonic()
                    with tempfile.TemporaryDirectory() as folder:
                        run(case, Path(folder) / "logs", contents, counts, (load.CHUNK, SMALL_CHUNK))
                    counts["archives"] += 1
                    print(f"{case}: {time.monotonic() - begun_at:.0f} s", flush=True)
    for said, n in sorted(counts.items()):
        print(f"{n:9,}  {said}")
    return 0 if counts["archives"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
