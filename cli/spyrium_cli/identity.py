"""Ids, times and people: what the library asks of its caller."""

from __future__ import annotations

import os
import secrets
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

import click

if TYPE_CHECKING:
    from spyrium_log import Log

# Who records where neither settings nor system know a name.
NOBODY = "scribe"


def make_game_id() -> str:
    """A UUIDv7: ids sort by the time at which they were made."""
    # by RFC 9562: 48 bits of milliseconds, the version in 4 bits, the variant in 2 bits, chance in all others
    number = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    number = number & ~(0xF << 76) | 0x7 << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    return str(UUID(int=number))


def version() -> str:
    """The version that is installed; `0+source` where the code runs without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    try:
        return version_of("spyrium-log")
    except PackageNotFoundError:
        return "0+source"


def now() -> datetime:
    """The time in UTC, to the second, as lines carry it."""
    return datetime.now(UTC).replace(microsecond=0)


def scribe_name(log: Log | None = None) -> str:
    """Who records: by the settings, or who began the log (default: the one named by the call), or by the login."""
    if name := _settled_name():
        return name
    creator = _log_creator_name() if log is None else log.header.by
    return creator or login_name() or NOBODY


def user_name() -> str:
    """The name of who begins a log or writes a note: by the settings, or by the login."""
    return _settled_name() or login_name() or NOBODY


def _settled_name() -> str | None:
    """Who records by `--by` in the settings; None outside a command, or where nothing is set."""
    from spyrium_cli.session import session_of

    ctx = click.get_current_context(silent=True)
    by: str | None = session_of(ctx).settings.get("by").value if ctx else None
    return by


def _log_creator_name() -> str | None:
    """Who began the log of this call: they go on under the same name on every machine."""
    from spyrium_cli.games.headers import read_header
    from spyrium_cli.games.lookup import writable_path
    from spyrium_cli.session import session_of

    ctx = click.get_current_context(silent=True)
    name = ctx and (ctx.params.get("log") or ctx.params.get("game"))
    if ctx is None or not name:
        return None
    by = read_header(writable_path(session_of(ctx), name)).get("by")
    return by if isinstance(by, str) else None


def login_name() -> str | None:
    """The name under which the user is logged in, if the system says so."""
    return os.environ.get("USER") or os.environ.get("USERNAME")


def today() -> str:
    """The day where the user is, as 2026-11-18."""
    return datetime.now().astimezone().date().isoformat()


def make_command_id() -> str:
    """An id for a command, so that a line whose writing failed half-way is never written twice."""
    return secrets.token_hex(4)
