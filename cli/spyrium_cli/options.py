"""Options that several commands take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from spyrium_cli.command import OPEN, GameArgument
from spyrium_cli.session import session_of

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.errors import LockedError
    from spyrium_log.store import Patience

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "": 1.0}
LONGEST = 3600.0
# As long as the log takes command ids.
LONGEST_ID = 60
SHAPE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|)")


game_argument = click.argument("log", cls=GameArgument)
open_game_argument = click.argument("log", cls=GameArgument, default=OPEN)


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


def _title(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        session_of(ctx).flags["title"] = value


title_option = click.option(
    "--title",
    metavar="TITLE",
    expose_value=False,
    callback=_title,
    help="The title (default: your settings).",
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


def _raw(ctx: click.Context, _option: click.Parameter, value: bool | None) -> None:
    if value:
        session_of(ctx).raw = True


def _command_id(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not 0 < len(value) <= LONGEST_ID:
        raise click.BadParameter(f"expected 1 to {LONGEST_ID} characters, found {len(value)}")
    return value


command_id = click.option(
    "--cmd", metavar="ID", callback=_command_id, help="An id for this call: made again, it is answered, not done again."
)
raw_option = click.option(
    "--raw",
    is_flag=True,
    expose_value=False,
    callback=_raw,
    help="In csv, text without its guard against formulas.",
)
as_recorded = click.option("--as-recorded", is_flag=True, help="What every event first said, amendments aside.")
processes_option = click.option(
    "--processes", type=click.IntRange(1, 256), help="How many at once; else up to one a processor."
)
by_option = click.option(
    "--by", envvar="SPYRIUM_BY", show_envvar=True, help="Who records; if not said, who began the log."
)
who_option = click.option("--who", required=True, help="Who says so at the table.")
why_option = click.option("--why", required=True, help="The reason, for whoever reads it later.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask, write it.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only tell what it would change.")
