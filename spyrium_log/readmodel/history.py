"""Tables of the other history: games as they were recorded, before anybody amended them. Pure.

A game that nobody amended has one history, and its rows in `seat` answer for both. An amended game has rows of its own
in `recorded_seat`. The view `seat_as_recorded` puts the two together, and `seat_of(as_recorded)` chooses a history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spyrium_log.readmodel.tables import HISTORIES, RECORDED

_TABLE = "Rows of {table}_as_recorded: those of games that were amended, as they were before. For the loader only."
_VIEW = "{comment} As the game was recorded, before anybody amended it; what was undone stays undone."
_MACRO = "{table}, or {table}_as_recorded where as_recorded is true."


def history_sql(tables: str) -> str:
    """The SQL that creates the tables, views and macros, made from the text of tables.sql."""
    return "\n".join(statement for table in HISTORIES for statement in _statements(table, tables))


def _statements(table: str, tables: str) -> Iterator[str]:
    recorded, view = RECORDED[table], f"{table}_as_recorded"
    columns = re.search(rf"^CREATE TABLE {table} (\(\n.*?^\);)", tables, re.MULTILINE | re.DOTALL)
    comment = re.search(rf"^COMMENT ON TABLE {table} IS '(.*)';", tables, re.MULTILINE)
    if columns is None or comment is None:
        raise ValueError(f"expected a table {table} with a comment in tables.sql, found none")
    yield f"CREATE TABLE {recorded} {columns[1]}"
    yield f"COMMENT ON TABLE {recorded} IS '{_TABLE.format(table=table)}';"
    rows = f"FROM {table} ANTI JOIN {RECORDED['game']} USING (game) UNION ALL FROM {recorded}"
    yield f"CREATE VIEW {view} AS {rows};"
    yield f"COMMENT ON VIEW {view} IS '{_VIEW.format(comment=comment[1])}';"
    for column in re.findall(rf"^COMMENT ON COLUMN {table}(\.\w+ IS '.*';)", tables, re.MULTILINE):
        yield f"COMMENT ON COLUMN {recorded}{column}"
        yield f"COMMENT ON COLUMN {view}{column}"
    yield (
        f"CREATE MACRO {table}_of(as_recorded) AS TABLE"
        f" FROM {table} WHERE NOT as_recorded UNION ALL FROM {view} WHERE as_recorded;"
    )
    yield f"COMMENT ON MACRO TABLE {table}_of IS '{_MACRO.format(table=table)}';"
