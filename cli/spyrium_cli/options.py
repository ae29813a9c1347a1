"""Options that several commands take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from spyrium_cli.command import OPEN, GameArgument, pass_session
from spyrium_cli.complaint import WrongValue
from spyrium_cli.session import session_of

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.errors import LockedError
    from spyrium_log.store import Patience

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "": 1.0}
LONGEST_WAIT = 3600.0
# As long as the log takes command ids.
LONGEST_ID = 60
TIME = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|)")

# An option that several commands take means the same in each of them, and says so in the same words.
HELP: Mapping[str, str] = {
    "--all": "Leave nothing out.",
    "--as-recorded": "As it was first recorded, without amendments.",
    "--at": "As it stood after line N.",
    "--by": "Who records it (default: your settings, then who began the log).",
    "--cmd": "An id of this call: the same call again is answered, and writes nothing.",
    "--date": "The day it was played, as 2026-11-18, or today.",
    "--dry-run": "Show what would change, and write nothing.",
    "--edition": "A set of readings of the rules, by name.",
    "--exact": "Take names as they are; none is completed.",
    "--file": "Read from a file; - is stdin.",
    "--first": "Who began: a name, a colour or a seat.",
    "--force": "Write over what is there.",
    "--format": "The form of the output.",
    "--grade": "Quality of the record.",
    "--key": "Sign with the key in this file.",
    "--light": "Colours for a light terminal.",
    "--misplayed": "The table did so; later effects stand.",
    "--misrecorded": "The scribe slipped; later effects are computed again.",
    "--option": "A reading of the rules.",
    "--place": "Where it was played.",
    "--plain": "Print lines, without a full screen.",
    "--player": "Only games with this player.",
    "--processes": "Worker processes (default: one per CPU).",
    "--quiet": "Print less.",
    "--raw": "In csv, text without its guard against formulas.",
    "--seats": "How many players.",
    "--seed": "Seed of all chance: the same seed, the same result.",
    "--sheet": "Component sheet: a file; to read from, also own, shipped or a game.",
    "--since": "Only games played on that day or later, as 2026-11-18.",
    "--source": "Where it comes from.",
    "--title": "The title (default: your settings; in lists, every title).",
    "--to": "Write to this file; - is stdout.",
    "--until": "Only games played on that day or earlier, as 2026-11-18.",
    "--wait": "How long to wait while another process writes: 500ms, 2s, 1m; 0 does not wait.",
    "--who": "Who said so at the table.",
    "--why": "The reason, kept in the log.",
    "--yes": "Write it without asking.",
}

Decorator: TypeAlias = Callable[[Any], Any]


def option(name: str, *more: str, **settings: Any) -> Decorator:
    """An option with the help that it has in every command."""
    return click.option(name, *more, help=HELP[name], **settings)


def together(*decorators: Decorator) -> Decorator:
    """One decorator of several, in the order of the help, which lists the one applied last first."""
    return lambda command: reduce(lambda decorated, decorator: decorator(decorated), reversed(decorators), command)


def parse_seconds(text: str) -> float:
    """The seconds in `500ms`, `2s`, `1m` or `2`; a usage error for another text or more than an hour."""
    if match := TIME.fullmatch(text):
        number, unit = match.groups()
        seconds = float(number) * UNITS[unit]
        if seconds <= LONGEST_WAIT:
            return seconds
    raise WrongValue("calls.wait", found=text)


def _set_in_session(ctx: click.Context, option: click.Parameter, value: object) -> None:
    """The callback of an option that is an attribute of the session, such as `--wait`."""
    setattr(session_of(ctx), option.name or "", value)


def _set_title(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
    """The callback of `--title`."""
    if value is not None:
        session_of(ctx).flags["title"] = value


def _check_id(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """The callback of `--cmd`: the id, or a usage error where it does not fit into a line of the log."""
    if value is not None and not 0 < len(value) <= LONGEST_ID:
        raise WrongValue("calls.command-id", most=LONGEST_ID, found=len(value))
    return value


game_argument = click.argument("log", cls=GameArgument)
open_game_argument = click.argument("log", cls=GameArgument, default=OPEN)

as_recorded = option("--as-recorded", is_flag=True)
at_option = option("--at", type=click.IntRange(min=0), metavar="N")
by_option = option("--by", envvar="SPYRIUM_BY", show_envvar=True)
command_id = option("--cmd", metavar="ID", callback=_check_id)
dry_run_option = option("--dry-run", is_flag=True)
edition_option = option("--edition", metavar="NAME")
exact_option = option("--exact", is_flag=True)
file_option = option("--file", type=click.File("r", encoding="utf-8"))
force_option = option("--force", is_flag=True)
light_option = option("--light", is_flag=True)
mode_options = together(
    option("--misplayed", "mode", flag_value="misplayed"), option("--misrecorded", "mode", flag_value="misrecorded")
)
place_option = option("--place")
plain_option = option("--plain", is_flag=True)
processes_option = option("--processes", type=click.IntRange(1, 256))
quiet_option = option("--quiet", "-q", is_flag=True)
raw_option = option("--raw", is_flag=True, expose_value=False, callback=_set_in_session)
reading_option = option("--option", "options", multiple=True, metavar="NAME=VALUE")
seed_option = option("--seed", type=int)
title_option = option("--title", metavar="TITLE", expose_value=False, callback=_set_title)
wait_option = option(
    "--wait",
    metavar="TIME",
    type=parse_seconds,
    default="2s",
    show_default=True,
    expose_value=False,
    callback=_set_in_session,
)
who_option = option("--who", required=True)
why_option = option("--why", required=True)
yes_option = option("--yes", "-y", is_flag=True)

# What every command takes that appends one line to a log.
writing = together(by_option, command_id, wait_option, pass_session)


def format_option(choices: Sequence[str], default: str | None = "table") -> Decorator:
    """`--format` with these choices, for the parameter `form`."""
    return option("--format", "form", type=click.Choice(choices), default=default, show_default=default is not None)


def patience_of(session: Session) -> Patience:
    """How long to wait for a locked file, as the call says; whoever waits for a while is told so."""
    from spyrium_log.store import Patience

    def say_wait(error: LockedError) -> None:
        """Say which process holds the file, and how long this one waits."""
        from spyrium_cli.render.surface import say
        from spyrium_cli.render.text import translate

        key = "wait.process" if error.holder else "wait.somebody"
        say(translate(key, session.language, process=error.holder, file=error.file, seconds=f"{session.wait:g}"))

    return Patience(session.wait, say_wait)
