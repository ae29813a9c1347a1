"""The entry: one verb a file, loaded when it is asked for; every error one sentence; the exit codes.

0 fine, 1 findings or refused, 2 unreadable or wrongly called, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from keyword import iskeyword
from signal import SIG_IGN, SIGINT, signal
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click
from click import formatting

from spyrium_cli.complaint import INTERRUPTED, UNUSABLE, Complaint, complaint_of, is_broken_pipe, is_interrupt
from spyrium_cli.session import Session, check_verb, common_options
from spyrium_cli.terminal import write_line, write_note

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# What `--help` says of each verb stands here, so that it need not load them all: that would double its time.
VERBS: Mapping[str, str] = {
    "new": "Start the log of a game.",
    "play": "Record what was played.",
    "record": "Record a game at the table, key by key.",
    "score": "Record a game of which only the final scores are known.",
    "deal": "Deal the next round by chance, to try things out.",
    "simulate": "Make games by simulated players, from a seed.",
    "cards": "List the cards by the ids that a deal names.",
    "undo": "Take back the last event, or all after a line.",
    "amend": "Tell an event otherwise, or add or drop one.",
    "count": "Record what the table counted, and hear whether it agrees.",
    "locate": "Say where a count went wrong, and what would explain it.",
    "adjust": "Record a number that was ruled and belongs to no move.",
    "declare": "Record the final result as the table has it.",
    "accept": "Live with a finding, by name and with a reason.",
    "correct": "Put right who plays, in which colour, who began, when and where.",
    "reading": "Record a value as it is printed on your own component.",
    "withdraw": "Take back a line off the timeline.",
    "annotate": "Write notes on a game, and list them.",
    "games": "List the games of the archive, and put them in order.",
    "show": "Draw the board, now or after any line.",
    "replay": "Tell a game event by event, with the scores after each round.",
    "log": "Tell the log line by line, what was undone and amended too.",
    "validate": "Check logs against the rules and their own hashes.",
    "seal": "Close the log so far, signed if you have a key.",
    "checkpoint": "Print the one line to keep elsewhere, or compare one that was kept.",
    "salvage": "Save what can be proved of a damaged log.",
    "export": "Write games in a form that others read.",
    "index": "Bring the tables of the archive up to date.",
    "tables": "Say what is in the tables that query asks, and what their columns mean.",
    "query": "Ask the archive in SQL.",
    "report": "Answer a question that is asked often.",
    "whatif": "Ask what would have come of the same decisions under other rules.",
    "compare": "Lay two recordings of one evening side by side, and merge them.",
    "sheet": "Show and check what is printed on the components.",
    "import": "Bring in games from other programs, tables of scores, other archives.",
    "demo": "See all of it at work, in a folder that is thrown away.",
    "schema": "Print the JSON Schema of a log, of notes, or of what a command prints.",
    "config": "Show and change what is settled once: archive, language, scribe.",
    "paths": "Say where everything lies, and who says so.",
    "doctor": "Look for what could be wrong on this machine.",
    "completion": "Print what makes your shell complete commands, games and names.",
}


# Help is no wider: longer lines are hard to read.
WIDEST_HELP = 100


def _width() -> int:
    """How wide help is. click asks shutil, which loads every way to compress a file."""
    if formatting.FORCED_WIDTH is not None:
        return formatting.FORCED_WIDTH
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isdecimal() else 0
    if not columns:
        try:
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0
        except (AttributeError, ValueError, OSError):
            columns = 0
    return max(min(columns or 80, WIDEST_HELP) - 2, 50)


class Verbs(click.Group):
    """The verbs, in the order in which one meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in VERBS:
            return None
        # a verb that is a word of Python, too, could not be imported by it
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        return cast("click.Command", import_module(f"spyrium_cli.commands.{module}").command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        check_verb(ctx, args[0], list(VERBS))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The verbs by what stands above: click would load each of them to ask for its help."""
        from click.shell_completion import CompletionItem

        verbs = [CompletionItem(verb, help=said) for verb, said in VERBS.items() if verb.startswith(incomplete)]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, terminal_width=_width(), **extra)
        except click.UsageError as error:
            raise _made_plain(error) from error
        except KeyboardInterrupt:
            _interrupted()
        except OSError as error:
            if is_broken_pipe(error):
                raise
            raise complaint_of(error) from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _made_plain(error) from error
        except (click.ClickException, click.exceptions.Exit):
            raise
        except click.Abort as error:
            # A question that nobody answers: click says the same of ^C and of the end of the input.
            if isinstance(error.__context__, EOFError):
                raise Complaint("expected an answer, found the end of the input") from None
            _interrupted()
        except KeyboardInterrupt:
            _interrupted()
        except Exception as error:
            if is_interrupt(error):
                _interrupted()
            session = ctx.find_object(Session)
            if (session and session.debug) or is_broken_pipe(error):
                raise
            raise complaint_of(error) from error


def _made_plain(error: click.UsageError) -> click.UsageError:
    """Click shows what it quotes of a call as it is; a call may quote a log."""
    from spyrium_log.shown import plain

    message = error.format_message()
    # what may be said for a word that is missing stands in lines of its own, and quotes nobody
    is_list = isinstance(error, click.MissingParameter)
    message = plain(message.expandtabs(2), keep="\n") if is_list else plain(message)
    return click.UsageError(message, error.ctx)


def _tell_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Under --debug, with a message that may quote a log."""
    from traceback import format_exception

    write_note("".join(format_exception(kind, error, trace)), keep="\n", end="")


def _interrupted() -> NoReturn:
    # The newline ends the line on which the terminal shows ^C.
    write_note()
    raise click.exceptions.Exit(INTERRUPTED) from None


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from spyrium_cli.identity import version

    write_line(f"spyrium {version()}")
    ctx.exit()


EPILOG = """\b
Examples:
  spyrium new --players "Anna,Bob,Cy"
  spyrium play @last "deal exchange estate mine-1 apprentice residence-1
    university-1:2 workshop-1 crane miner:13 luxury-home mine-2" "anna: p12"
  spyrium validate

A game is named by path, file name, the beginning of its id, @last (the one last written), @last~1 (the one before),
or - for stdin. Of a folder or a pack, PATH is the only game, and PATH#ID one of several, where the beginning of the id
is enough. Options of this page may also stand after the command.

Exit codes: 0 fine. 1: all was understood, and something speaks against it: findings, a refusal, games left out. 2:
something cannot be read, or was wrongly called; what can be read is read all the same. 130: interrupted. What ends a
command begins with Error: on stderr, what only spoils its answer with Warning:."""


@click.group(
    cls=Verbs,
    params=[
        *common_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version and leave.",
        ),
    ],
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def cli() -> None:
    """Record board game evenings, replay them, check them, question them. Spyrium first."""


def main() -> None:
    """What the installed command runs."""
    sys.excepthook = _tell_traceback
    _settle()
    if "_SPYRIUM_COMPLETE" in os.environ:  # as click spells it of our name
        from spyrium_cli.completion.shells import answer

        answer(cli)
    try:
        cli(prog_name="spyrium")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # Another ^C, while Python puts its things away, would be told as a traceback.
            signal(SIGINT, SIG_IGN)
        raise SystemExit(_delivered(end.code)) from None


def _delivered(code: int | str | None) -> int | str | None:
    """What is still held goes out now. What cannot is said once, and is not tried again when Python ends."""
    if sys.stdout is None:  # it was closed before we began
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code or is_broken_pipe(error):
            return code
        complaint_of(error).show()
        return UNUSABLE
    return code


def _settle() -> None:
    """Into a pipe everything goes as UTF-8, whatever the locale; a reader that leaves ends us without a word."""
    if sys.platform != "win32":
        from signal import SIG_DFL, SIGPIPE, signal

        signal(SIGPIPE, SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
