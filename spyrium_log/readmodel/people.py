"""The names of people in the tables: `seat.player` follows players.toml, without reading a log again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb
from msgspec import Struct

from spyrium_log.readmodel.connections import run
from spyrium_log.store import Aliases, fold_name


class Apart(Struct, frozen=True):
    """A game with several spellings of one person: each seat keeps the name that the log has."""

    file: str
    person: str
    written: Sequence[str]


# The aliases that the tables follow.
ALIASES = "SELECT spelling, player FROM alias"


def name_people(connection: duckdb.DuckDBPyConnection, aliases: Aliases) -> list[Apart]:
    """Bring `alias` and `seat.player` in line with these aliases; returns the games where spellings stay apart."""
    spelled_before, spelled = dict(run(connection, ALIASES)), dict(aliases.spelled)
    if spelled_before != spelled:
        run(connection, "DELETE FROM alias")
        columns = [[*spelled], [*spelled.values()]]
        run(connection, "INSERT INTO alias SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[])", columns)
    # without aliases, now and before, seats have the names of the log already
    return _name_seats(connection, spelled) if spelled_before or spelled else []


def _name_seats(connection: duckdb.DuckDBPyConnection, spelled: Mapping[str, str]) -> list[Apart]:
    """Name the players by these aliases, by spelling; returns the games where spellings stay apart."""
    folded = {name: fold_name(name) for (name,) in run(connection, "SELECT DISTINCT written FROM seat")}
    # by name as a log has it: those that an alias is about
    spellings = {name: spelling for name, spelling in folded.items() if spelling in spelled}
    players = [spelled[spelling] for spelling in spellings.values()]
    # two tables that the statements after them ask
    run(connection, _PEOPLE, [[*spellings], [*spellings.values()], players])
    run(connection, _APART)
    for table in ("seat", "recorded_seat"):
        run(connection, _NAME.format(table=table))
    apart = [Apart(*row) for row in run(connection, _APART_GAMES)]
    run(connection, "DROP TABLE apart; DROP TABLE person")
    return apart


_PEOPLE = """
    CREATE TEMP TABLE person AS
    SELECT unnest(?::VARCHAR[]) AS written, unnest(?::VARCHAR[]) AS spelling, unnest(?::VARCHAR[]) AS player
"""
# Nobody plays two seats under two names, so that these are two people who share a name somewhere else.
_APART = """
    CREATE TEMP TABLE apart AS
    SELECT seat.game, person.player, list(seat.written ORDER BY seat.seat) AS written
    FROM seat JOIN person USING (written)
    GROUP BY seat.game, person.player
    HAVING count(DISTINCT person.spelling) > 1
"""
_NAME = """
    UPDATE {table} SET player = named.player
    FROM (
        SELECT seat.game, seat.seat,
            CASE WHEN apart.game IS NULL THEN coalesce(person.player, seat.written) ELSE seat.written END AS player
        FROM {table} AS seat
        LEFT JOIN person ON person.written = seat.written
        LEFT JOIN apart ON apart.game = seat.game AND apart.player = person.player
    ) AS named
    WHERE {table}.game = named.game AND {table}.seat = named.seat AND {table}.player != named.player
"""
_APART_GAMES = "SELECT game.file, apart.player, apart.written FROM apart JOIN game USING (game) ORDER BY ALL"
