"""What every verb of one call shares: where the logs are, which language, whether errors come with a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_log.store import Folder
    from spyrium_log.title import AnyTitle

# As long as the log takes them.
LONGEST_WORD = 60


@dataclass(slots=True)
class Session:
    """One call of the command."""

    chosen: Path | None = None
    language: str = "en"
    debug: bool = False

    @property
    def archive(self) -> Path:
        return data_directory() if self.chosen is None else self.chosen

    def folder(self) -> Folder:
        from spyrium_log.store import Folder

        return Folder(self.archive)

    def language_of(self, title: AnyTitle) -> str:
        """The language asked for, if the title speaks it."""
        if self.language not in title.languages:
            known = ", ".join(title.languages)
            raise click.UsageError(f"expected a language of {known}, found '{self.language}'")
        return self.language


def data_directory() -> Path:
    """Where this platform keeps what a user made."""
    from pathlib import Path

    home = Path.home()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else home / "AppData" / "Local") / "spyrium"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "spyrium"
    base = os.environ.get("XDG_DATA_HOME", "")
    # The specification says to ignore a relative one.
    return (Path(base) if base.startswith("/") else home / ".local" / "share") / "spyrium"


def session_of(ctx: click.Context) -> Session:
    """The call's session, made by whoever asks first."""
    root = ctx.find_root()
    if root.obj is None:
        root.obj = Session()
    session: Session = root.obj
    return session


def _set_archive(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
    session = session_of(ctx)
    if value:
        from pathlib import Path

        session.chosen = Path(value)


def _set(name: str, ctx: click.Context, _option: click.Parameter, value: Any) -> None:
    session = session_of(ctx)
    if value is not None:
        setattr(session, name, value)


def common_options(*, hidden: bool = False) -> list[click.Parameter]:
    """The options that may stand before the verb and after it."""
    option: Callable[..., click.Option] = partial(click.Option, expose_value=False, hidden=hidden)
    return [
        option(
            ["--archive"],
            type=click.Path(file_okay=False),
            envvar=None if hidden else "SPYRIUM_ARCHIVE",
            show_envvar=True,
            callback=_set_archive,
            help="The folder of logs; without it, the platform's data directory.",
        ),
        option(
            ["--lang"],
            metavar="LANGUAGE",
            callback=partial(_set, "language"),
            help="The language of sentences and cards, such as en.",
        ),
        option(
            ["--debug"],
            is_flag=True,
            default=None,
            callback=partial(_set, "debug"),
            help="Show the traceback of an error.",
        ),
    ]


class Verb(click.Command):
    """A command of `spyrium`: it takes the common options too."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.params.extend(common_options(hidden=True))


def _command_id(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not 0 < len(value) <= LONGEST_WORD:
        raise click.BadParameter(f"expected 1 to {LONGEST_WORD} characters, found {len(value)}")
    return value


command_id = click.option(
    "--cmd", metavar="ID", callback=_command_id, help="An id for this call: made again, it is answered, not done again."
)
pass_session = click.make_pass_decorator(Session)
