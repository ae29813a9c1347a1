"""The answer to a shell that completes a word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import redirect_stderr, suppress
from io import StringIO
from typing import TYPE_CHECKING, NoReturn

from click import shell_completion as click_shells

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

# The environment variable by which a shell asks, as click spells it.
VARIABLE = "_SPYRIUM_COMPLETE"
# What PowerShell takes for a single quote: also the typographic ones.
_SINGLE_QUOTES = re.compile("['\u2018\u2019\u201a\u201b]")
# Characters that no shell reads as anything but themselves.
_UNQUOTED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,@%=:")


@click_shells.add_completion_class
class Bash(click_shells.BashComplete):
    """Escapes what bash would put on the command line as it is: a name from a log may hold a command."""

    def format_completion(self, item: CompletionItem[str]) -> str:
        """The value with a backslash before each character that bash reads; files keep click's own form."""
        # click's script reads it with `read`, which takes one of two backslashes
        escaped = "".join(char if char in _UNQUOTED or char.isalnum() else f"\\\\{char}" for char in item.value)
        return super().format_completion(item) if item.type != "plain" else f"plain,{escaped}"


@click_shells.add_completion_class
class PowerShell(click_shells.PowerShellComplete):
    """Puts such a name in single quotes, for PowerShell."""

    def format_completion(self, item: CompletionItem[str]) -> str:
        """The value in quotes where it has a character that PowerShell reads."""
        if item.type == "plain" and not all(char in _UNQUOTED or char.isalnum() for char in item.value):
            doubled = _SINGLE_QUOTES.sub(r"\g<0>\g<0>", item.value)
            item.value = f"'{doubled}'"
        return super().format_completion(item)


COMPLETERS: Mapping[str, type[click_shells.ShellComplete]] = {
    "bash": Bash,
    "zsh": click_shells.ZshComplete,
    "fish": click_shells.FishComplete,
    "powershell": PowerShell,
}


def answer_shell(cli: click.Command) -> NoReturn:
    """Write the completions. Nothing else may reach the line that somebody is typing."""
    with redirect_stderr(StringIO()), suppress(BaseException):
        cli(prog_name="spyrium")
    raise SystemExit(0)
