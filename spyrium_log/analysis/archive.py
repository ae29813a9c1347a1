"""An archive from Python: logs, replays, tables, reports. The same answers as the command line and any DuckDB give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from spyrium_log.analysis.figures import Reported
from spyrium_log.analysis.reports import run_report
from spyrium_log.checks import argument_error, check_number, check_type, quote_value
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.answers import Answer, query
from spyrium_log.readmodel.catalogue import Report, reports
from spyrium_log.readmodel.event_rows import Alternative, alternatives
from spyrium_log.readmodel.load import Update, bring_up_to_date
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.readmodel.tables import HISTORIES, ROWS
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder

INDEX = "index.duckdb"
Row = TypeVar("Row", bound=msgspec.Struct)


class Archive:
    """A folder of logs and the index beside it, brought up to date when it is first asked."""

    def __init__(self, path: Path, index: Path | None = None) -> None:
        """`path`: the folder of logs. `index`: where the tables are, or will be (default: in that folder)."""
        self.path = path
        self.folder = Folder(path)
        self._index = index or path / INDEX
        self._update: Update | None = None

    def names(self) -> list[str]:
        """The logs, by the names of their files."""
        return list(self.folder.list_names())

    def replay(self, name: str = "@last") -> Replay:
        """One game, audited: a path, the beginning of an id, @last."""
        return replay(self.folder.read_log(self.folder.resolve(name)))

    def alternatives(self, name: str = "@last", where: int | str | None = None) -> Iterator[Alternative]:
        """What the rules allowed at every decision of one game, or at one event by its name, with what was chosen."""
        done = self.replay(name)
        if isinstance(where, int):
            check_number(where, "event", 0, len(done.log.lines) - 1)
        if where is not None and str(where) not in done.position_by_name:
            raise argument_error("standing-event", where)
        return alternatives(done, where)

    @property
    def index(self) -> Path:
        """The DuckDB file: open it with anything, read-only."""
        if self._update is None:
            self.refresh()
        return self._index

    def refresh(self) -> Update:
        """Read what changed since; returns what could not be read, too."""
        self._update = bring_up_to_date(self._index, sources_of(self.folder), aliases=self.folder.read_aliases())
        return self._update

    def query(self, sql: str, **parameters: object) -> Answer:
        """One statement; `$name` in it is the parameter of that name.

        It runs in this process with no limit of memory or time but DuckDB's own, which a list of a billion numbers
        exceeds: use it for SQL of your own. For other people's SQL there is `spyrium query`.
        """
        check_type(sql, str, "sql-question")
        return query(self.index, sql, parameters)

    def rows(
        self, kind: type[Row], where: str = "true", *, as_recorded: bool = False, **parameters: object
    ) -> Iterator[Row]:
        """Rows of a table as its type: `archive.rows(SeatRow, "player = $who", who="Anna")`.

        `as_recorded`: as the games were recorded, before anybody amended them.
        """
        known = {row: table for table, row in ROWS.items() if not as_recorded or table in HISTORIES}
        table = next((table for row, table in known.items() if row is kind), None)
        if table is None:
            raise ReadModelError("row-type", known=", ".join(known.values()), found=quote_value(kind))
        check_type(where, str, "sql-condition")
        table = f"{table}_as_recorded" if as_recorded else table
        columns = ", ".join(f'"{name}"' for name in kind.__struct_fields__)
        answer = self.query(f"SELECT {columns} FROM {table} WHERE {where}", **parameters)  # noqa: S608 - the caller's
        for row in answer.rows:
            yield msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=True)), kind)

    def frame(self, sql: str, **parameters: object) -> Any:
        """The rows as a frame: of polars where that is there, else of pandas."""
        return frame(self.query(sql, **parameters))

    def reports(self) -> tuple[Report, ...]:
        """The named reports with their options."""
        return reports()

    def report(self, name: str, **options: object) -> Reported:
        """The answer to a report: `archive.report("technique-scores", players=3).figures[0].rows`."""
        check_type(name, str, "report-name")
        return run_report(self.index, name, options)


def open_archive(path: Path | str, *, index: Path | str | None = None) -> Archive:
    """An archive of logs that is there; its `index` lies in it, or elsewhere where nobody may write into it."""
    check_type(path, (Path, str), "archive-path")
    check_type(index, (Path, str, type(None)), "index-path")
    folder = Path(path)
    if not folder.is_dir():
        raise ReadModelError("no-folder", place=str(folder))
    return Archive(folder, None if index is None else Path(index))


def frame(answer: Answer) -> Any:
    """An answer as a frame of polars or of pandas, whichever is there."""
    columns: Mapping[str, list[Any]] = {
        name: [row[place] for row in answer.rows] for place, name in enumerate(answer.columns)
    }
    for package in ("polars", "pandas"):
        try:
            return import_module(package).DataFrame(columns)
        except ImportError:
            continue
    raise ReadModelError("no-frame")
