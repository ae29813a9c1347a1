"""What every verb of one call shares: where the logs are, which language, whether errors come with a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.completion.values import complete

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.settings.config import Setting, Settings
    from spyrium_log.store import Folder
    from spyrium_log.title import AnyTitle

# What somebody speaks here; a title may speak fewer.
LANGUAGES = ("en", "pl", "ru", "ru-desktopgames")
# Formats that people read; all others are the same in every language.
FOR_PEOPLE = ("table", "md")
# Verbs with which one mends settings, or looks for what is wrong with them.
MENDING = ("completion", "config", "doctor")


class Session:
    """One call of the command. `flags` are the settings that the call itself makes."""

    __slots__ = ("_folder", "_settings", "debug", "flags", "raw", "wait")

    # Written out: to make it by a decorator takes a tenth of what `--help` may cost.
    def __init__(self) -> None:
        self.flags: dict[str, Any] = {}
        self.debug = False
        self.raw = False
        # seconds that a writer waits for a file that another process has locked
        self.wait = 2.0
        self._settings: Settings | None = None
        self._folder: Folder | None = None

    @classmethod
    def unsettled(cls) -> Session:
        """A call in which nobody's files have a say."""
        session = cls()
        session.settings.forget()
        return session

    @property
    def settings(self) -> Settings:
        if self._settings is None:
            from spyrium_cli.settings.config import Settings

            self._settings = Settings(self.flags)
        return self._settings

    @property
    def archive(self) -> Path:
        from pathlib import Path

        return Path(self.archive_setting.value)

    @property
    def archive_setting(self) -> Setting:
        """The folder of logs, and who says so."""
        from spyrium_cli.settings.config import Setting
        from spyrium_cli.settings.folders import directory

        said = self.settings.get("archive")
        return said if said.value else Setting(str(directory("data")), said.origin)

    @property
    def language(self) -> str:
        """The language that somebody settled; one that nobody speaks is not taken for another."""
        said = self.settings.get("lang")
        if said.value not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise click.UsageError(f"expected a language of {known}, found '{said.value}', at {said.origin}")
        return str(said.value)

    def folder(self) -> Folder:
        from spyrium_cli.options import patience_of
        from spyrium_log.store import Folder

        if self._folder is None:
            self._folder = Folder(self.archive, patience=patience_of(self))
        return self._folder

    def language_of(self, title: AnyTitle, form: str = "table") -> str:
        """The language asked for, if the title speaks it; a format for programs is written in one for everybody."""
        language = self.language
        if language not in title.words.languages:
            known = ", ".join(title.words.languages)
            raise click.UsageError(f"expected a language of {known}, found '{language}'")
        return language if form in FOR_PEOPLE else LANGUAGES[0]


def session_of(ctx: click.Context) -> Session:
    """The call's session, made by whoever asks first."""
    root = ctx.find_root()
    if root.obj is None:
        root.obj = Session()
    session: Session = root.obj
    return session


def _flag(key: str, ctx: click.Context, _option: click.Parameter, value: Any) -> None:
    # made here even where nothing is said: commands expect it
    session = session_of(ctx)
    if value:
        session.flags[key] = value


def _debug(ctx: click.Context, _option: click.Parameter, value: bool | None) -> None:
    if value:
        session_of(ctx).debug = True


def wants_raw() -> bool:
    """Whether this call asked for text cells without their guard."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and session_of(ctx).raw


def common_options(*, hidden: bool = False) -> list[click.Parameter]:
    """The options that may stand before the verb and after it. The environment is asked by the settings."""
    option: Callable[..., click.Option] = partial(click.Option, expose_value=False, hidden=hidden)
    options: list[click.Parameter] = [
        option(
            ["--archive"],
            type=click.Path(file_okay=False),
            callback=partial(_flag, "archive"),
            help="The folder of logs [SPYRIUM_ARCHIVE]; without it, the platform's data directory.",
        ),
        option(
            ["--lang"],
            metavar="LANGUAGE",
            callback=partial(_flag, "lang"),
            help="The language of sentences and tables: en, pl, ru, ru-desktopgames [SPYRIUM_LANG]; help and formats"
            " for programs are in English.",
        ),
        option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            callback=partial(_flag, "color"),
            help="When to write in colour [SPYRIUM_COLOR]; auto minds NO_COLOR and FORCE_COLOR.",
        ),
        option(["--debug"], is_flag=True, default=None, callback=_debug, help="Show the traceback of an error."),
    ]
    for param in options:
        complete(param)
    return options


class Verb(click.Command):
    """A command of `spyrium`: it takes the common options too, and its logs and names are completed by the shell."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.params.extend(common_options(hidden=True))
        for param in self.params:
            complete(param)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as error:
            if error.param is None or error.param.name != "log":
                raise
            meant = "@last is the game that was written last."
            raise click.MissingParameter(meant, error.ctx, error.param, error.param_hint) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Who asks for a language that nobody speaks hears so from every verb, also from one that says nothing."""
        if "lang" in session_of(ctx).flags or ctx.find_root().invoked_subcommand not in MENDING:
            _ = session_of(ctx).language
        return super().invoke(ctx)


class Family(click.Group):
    """A verb that has verbs of its own."""

    command_class = Verb

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        names = {param.name for param in self.params}
        self.params.extend(option for option in common_options(hidden=True) if option.name not in names)
        for param in self.params:
            complete(param)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are defined."""
        del ctx
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        check_verb(ctx, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def check_verb(ctx: click.Context, word: str, verbs: Sequence[str]) -> None:
    """A word that is no verb is answered with the one that was meant."""
    if word in verbs or word.startswith("-") or ctx.resilient_parsing:
        return
    from difflib import get_close_matches

    near = get_close_matches(word, verbs, n=1) or list(_within(ctx, word, verbs))
    hint = f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(verbs)}"
    ctx.fail(f"no such command '{word}': {hint}")


def _within(ctx: click.Context, word: str, verbs: Sequence[str]) -> Iterator[str]:
    """`games merge` for whoever says `merge`."""
    group = ctx.command
    if not isinstance(group, click.Group):
        return
    for verb in verbs:
        family = group.get_command(ctx, verb)
        if isinstance(family, click.Group) and word in family.list_commands(ctx):
            yield f"{verb} {word}"


pass_session = click.make_pass_decorator(Session)
