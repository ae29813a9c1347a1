"""What every verb of one call shares: where the logs are, which language, whether errors come with a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import Complaint, WrongCall, call_message

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.settings.config import Setting, Settings
    from spyrium_log.store import Folder
    from spyrium_log.title import AnyTitle

# What somebody speaks here; a title may speak fewer.
ENGLISH = "en"
LANGUAGES = (ENGLISH, "pl", "ru", "ru-desktopgames")
# Formats that people read; all others are the same in every language.
FOR_PEOPLE = ("table", "md")


class Session:
    """One call of the command. `flags` are the settings that the call itself makes."""

    __slots__ = ("_folder", "_settings", "debug", "flags", "raw", "wait")

    def __init__(self) -> None:
        """Written out: to make it by a decorator takes a tenth of what `--help` may cost."""
        self.flags: dict[str, Any] = {}
        self.debug = False
        self.raw = False
        # seconds that a writer waits for a file that another process has locked
        self.wait = 2.0
        self._settings: Settings | None = None
        self._folder: Folder | None = None

    @property
    def settings(self) -> Settings:
        """The settings, read when they are first needed."""
        if self._settings is None:
            from spyrium_cli.settings.config import Settings

            self._settings = Settings(self.flags)
        return self._settings

    @property
    def archive(self) -> Path:
        """The folder of logs."""
        from pathlib import Path

        return Path(self.archive_setting.value)

    @property
    def archive_setting(self) -> Setting:
        """The path of the archive as a text, and who says so: an option, a file of settings or the default."""
        from spyrium_cli.settings.config import Setting
        from spyrium_cli.settings.file import directory

        setting = self.settings.get("archive")
        return setting if setting.value else Setting(str(directory("data")), setting.origin)

    @property
    def title(self) -> AnyTitle:
        """The title of `--title` or of the settings."""
        from spyrium_log.titles import TITLES

        setting = self.settings.get("title")
        if setting.value not in TITLES:
            known = ", ".join(TITLES)
            raise Complaint(call_message("title", known=known, found=str(setting.value), place=setting.origin))
        return TITLES[setting.value]

    @property
    def language(self) -> str:
        """The language of the call or of the settings; a usage error for one that there is not."""
        setting = self.settings.get("lang")
        if setting.value not in LANGUAGES:
            raise WrongCall("language-at", known=", ".join(LANGUAGES), found=str(setting.value), place=setting.origin)
        return str(setting.value)

    def folder(self) -> Folder:
        """The store of the archive, the same one for the whole call."""
        from spyrium_cli.options import patience_of
        from spyrium_log.store import Folder

        if self._folder is None:
            self._folder = Folder(self.archive, patience=patience_of(self))
        return self._folder

    def language_of(self, title: AnyTitle, form: str = "table") -> str:
        """The language for output about this title: that of the call, which it must speak; English for programs.

        An edition that this title has not is its language: settings that name one are those of every title.
        """
        asked, known = self.language, title.words.languages
        language = asked if asked in known else asked.partition("-")[0]
        if language not in known:
            raise WrongCall("language", known=", ".join(known), found=asked)
        return language_of_form(form, language)


def language_of_form(form: str, language: str) -> str:
    """The language of output in a form: that of the reader; English for programs."""
    return language if form in FOR_PEOPLE else ENGLISH


def session_of(ctx: click.Context) -> Session:
    """The session of the call, which all of its commands share; made by whoever asks first."""
    root = ctx.find_root()
    if root.obj is None:
        root.obj = Session()
    session: Session = root.obj
    return session


def language_of_call(ctx: click.Context | None) -> str:
    """The language of an error: English outside a call, and where the settings name a language that there is not."""
    try:
        return ENGLISH if ctx is None else session_of(ctx).language
    except (click.ClickException, OSError):
        return ENGLISH


def current_language() -> str:
    """The language of the call that runs now, as `language_of_call` has it."""
    return language_of_call(click.get_current_context(silent=True))


def wants_raw() -> bool:
    """Whether this call has --raw: cells of CSV without the guard against formulas."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and session_of(ctx).raw
