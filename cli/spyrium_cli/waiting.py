"""`--wait`: how long a command waits for a file that another process is writing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from spyrium_cli.session import session_of

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.errors import LockedError
    from spyrium_log.store import Patience

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "": 1.0}
LONGEST = 3600.0
SHAPE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|)")


def seconds_of(text: str) -> float:
    """A time as people write it, in seconds."""
    found = SHAPE.fullmatch(text)
    seconds = float(found[1]) * UNITS[found[2]] if found else LONGEST + 1
    if seconds > LONGEST:
        raise click.BadParameter(f"expected a time up to an hour, as 0, 500ms, 2s or 1m, found '{text}'")
    return seconds


def _wait(ctx: click.Context, _option: click.Parameter, value: str) -> None:
    session_of(ctx).wait = seconds_of(value)


wait_option = click.option(
    "--wait",
    metavar="TIME",
    default="2s",
    show_default=True,
    expose_value=False,
    callback=_wait,
    help="How long to wait while another process writes: 500ms, 2s, 1m; 0 does not wait.",
)


def patience_of(session: Session) -> Patience:
    """As long as the call says; who is waited for is said when it takes a while."""
    from spyrium_log.store import Patience

    return Patience(session.wait, lambda error: _say(session, error))


def _say(session: Session, error: LockedError) -> None:
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.words import tell

    key = "wait.process" if error.holder else "wait.somebody"
    say(tell(key, session.language, process=error.holder, file=error.file, seconds=f"{session.wait:g}"))
