"""How a shell asks what goes on, where click's own scripts ask less than they need to; and an answer in any case.

Bash takes words apart at `@`, `=` and `:`, so `@last` never arrives whole; ours sends the line as it stands. Fish's
script ends a word at its first comma.
"""

from __future__ import annotations

import os
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from click.shell_completion import BashComplete, FishComplete, add_completion_class, split_arg_string

from spyrium_cli.terminal import write_bytes

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

ASKED = "_SPYRIUM_COMPLETE"
# Where bash begins a new word for itself, so that the answer has to begin there, too. It takes an @ along.
_BREAKS = "=:"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,@%=:")

_SOURCE_BASH = """\
%(complete_func)s() {
    local type value
    while IFS=',' read -r type value; do
        case $type in
            plain) COMPREPLY+=("$value") ;;
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
        esac
    done < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \
%(complete_var)s=bash_complete "$1" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:\\ ] ]] && compopt -o nospace
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(BashComplete):
    """Words as they were typed, and answers as bash has to put them there."""

    source_template = _SOURCE_BASH
    _typed = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if not line:
            return super().get_completion_args()
        # what stands behind the last blank is still being typed, and may be nothing
        words = split_arg_string(f"{line}\x00")
        typed = _last_word(line)
        # of `--lang=p` click completes what stands behind the sign
        self._typed = typed.partition("=")[2] if typed.startswith("-") else typed
        return words[1:-1], words[-1].rstrip("\x00")

    def format_completion(self, item: CompletionItem[str]) -> str:
        return f"{item.type},{self._spelt(item.value) if item.type == 'plain' else item.value}"

    def _spelt(self, value: str) -> str:
        """Within the quotes that were opened, else with what bash would take for its own behind a backslash."""
        if self._typed[:1] in {'"', "'"}:
            special = '"$`\\!' if self._typed[0] == '"' else ""
            return self._typed[0] + "".join(f"\\{char}" if char in special else char for char in value)
        kept = max(self._typed.rfind(char) for char in _BREAKS) + 1
        return "".join(char if char in _PLAIN or char.isalnum() else f"\\{char}" for char in value[kept:])


def _last_word(line: str) -> str:
    """The word at the end of a line, with its quotes."""
    start, quote, escaped = 0, "", False
    for at, char in enumerate(line):
        if escaped:
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in " \t":
            start = at + 1
    return line[start:]


class Fish(FishComplete):
    """A list with commas in it is one word."""

    source_template = FishComplete.source_template.replace('string split "," ', 'string split --max 1 "," ')


def register() -> None:
    """Make click take ours."""
    add_completion_class(Bash)
    add_completion_class(Fish)


def answer(cli: click.Command) -> NoReturn:
    """What the shell asked for, or nothing: no word but that may ever reach the line that somebody is typing."""
    register()
    said, found = BytesIO(), b""
    with redirect_stdout(TextIOWrapper(said, "utf-8", write_through=True)), redirect_stderr(StringIO()):
        try:
            cli(prog_name="spyrium")
        except SystemExit:
            found = said.getvalue()
        except BaseException:  # noqa: BLE001, S110 - as above
            pass
    write_bytes([found])
    raise SystemExit(0)
