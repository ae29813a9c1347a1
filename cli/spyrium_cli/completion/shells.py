"""The answer to a shell that completes a word."""

from __future__ import annotations

import os
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
# PowerShell takes `@last` for a variable, and `Anna,Bob` for two words.
_UNQUOTED_IN_POWERSHELL = _UNQUOTED - {"@", ","}
# What bash still reads between double quotes.
_READ_IN_QUOTES = frozenset('"$`\\')


@click_shells.add_completion_class
class Bash(click_shells.BashComplete):
    """Reads the line itself, which bash cuts at `@`, `=` and `:`; escapes values, as a name may hold a command.

    Click's own script offers files in place of games where both may follow, and has no descriptions. Bash has no place
    for them but the list of what may follow: they stand there, and never reach the line.
    """

    source_template = """\
%(complete_func)s() {
    local type value description at width=0
    local -a values=() descriptions=()
    while IFS=$'\\t' read -r type value description; do
        case $type in
            plain) values+=("$value"); descriptions+=("$description"); (( ${#value} > width )) && width=${#value} ;;
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
        esac
    done < <(COMP_WORDS="${COMP_LINE:0:COMP_POINT}" COMP_CWORD="$2" %(complete_var)s=bash_complete "$1")
    # 63, 33 and 64: a list of several is shown
    if [[ ${#values[@]} -gt 1 && $COMP_TYPE =~ ^(63|33|64)$ ]]; then
        for at in "${!values[@]}"; do
            [[ ${descriptions[at]} ]] || continue
            printf -v 'values[at]' '%%-*s  %%s' "$width" "${values[at]}" "${descriptions[at]}"
        done
    fi
    COMPREPLY=("${values[@]}")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
    # what bash has to be given less than the whole value, and the quote that the word began with
    _before_word = 0
    _quote = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is typed, and this one, of the whole line; COMP_CWORD is what bash replaces."""
        line, replaced = os.environ["COMP_WORDS"], os.environ["COMP_CWORD"]
        # a letter behind the line belongs to the word that is typed, and is that word where none is begun
        _, *before, last_word = click_shells.split_arg_string(f"{line}_")
        typed = last_word[:-1]
        # of `--player=An` the value is what click completes
        value = typed.partition("=")[2] if typed.startswith("-") and "=" in typed else typed
        self._before_word = len(value) - len(replaced) if value.endswith(replaced) else 0
        opening = line[: len(line) - len(replaced)][-1:]
        self._quote = opening if opening in {'"', "'"} else ""
        return before, typed

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Kind, value and description, with tabs between them; what bash would read in the value is escaped."""
        if item.type != "plain":
            return item.type
        value = item.value[self._before_word :]
        if self._quote == "'":
            escaped = value.replace("'", "'\\''")
        elif self._quote:
            escaped = "".join(f"\\{char}" if char in _READ_IN_QUOTES else char for char in value)
        else:
            escaped = "".join(char if char in _UNQUOTED or char.isalnum() else f"\\{char}" for char in value)
        return f"plain\t{escaped}\t{item.help or ''}"


@click_shells.add_completion_class
class Fish(click_shells.FishComplete):
    """Cuts an answer at its first comma alone: values such as `Anna,Bob` and descriptions have others."""

    source_template = click_shells.FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


@click_shells.add_completion_class
class PowerShell(click_shells.PowerShellComplete):
    """Puts such a name in single quotes, for PowerShell."""

    def format_completion(self, item: CompletionItem[str]) -> str:
        """The value in quotes where it has a character that PowerShell reads."""
        if item.type == "plain" and not all(char in _UNQUOTED_IN_POWERSHELL or char.isalnum() for char in item.value):
            doubled = _SINGLE_QUOTES.sub(r"\g<0>\g<0>", item.value)
            item.value = f"'{doubled}'"
        return super().format_completion(item)


COMPLETERS: Mapping[str, type[click_shells.ShellComplete]] = {
    "bash": Bash,
    "zsh": click_shells.ZshComplete,
    "fish": Fish,
    "powershell": PowerShell,
}


def answer_shell(cli: click.Command) -> NoReturn:
    """Write the completions. Nothing else may reach the line that somebody is typing."""
    with redirect_stderr(StringIO()), suppress(BaseException):
        cli(prog_name="spyrium")
    raise SystemExit(0)
