"""The `spyrium` command: its help, its errors and its exit codes."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from signal import SIG_IGN, SIGINT, signal
from types import TracebackType
from typing import Any, NoReturn

import click
from click import formatting

from spyrium_cli.command import common_options
from spyrium_cli.complaint import (
    INTERRUPTED,
    UNUSABLE,
    Complaint,
    TranslatedCall,
    complaint_of,
    is_broken_pipe,
    is_interrupt,
    shell_message,
    translate_error,
)
from spyrium_cli.session import Session, language_of_call, session_of
from spyrium_cli.terminal import write_data, write_line, write_note
from spyrium_cli.tree import SECTIONS, LazyGroup

# Help is no wider: longer lines are hard to read.
WIDEST_HELP = 100


def _help_width() -> int:
    """The width of help. The function that click uses loads every compression module."""
    if formatting.FORCED_WIDTH is not None:
        return formatting.FORCED_WIDTH
    text = os.environ.get("COLUMNS", "")
    columns = int(text) if text.isdecimal() else 0
    if not columns:
        try:
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0
        except (AttributeError, ValueError, OSError):
            columns = 0
    # as click does it: two columns less than the terminal, and never fewer than fifty
    return max(min(columns or 80, WIDEST_HELP) - 2, 50)


class Program(LazyGroup):
    """The `spyrium` command: every error becomes one sentence and an exit code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the call; a wrong one ends with its text escaped, ^C and errors of files with their sentence."""
        try:
            return super().make_context(info_name, args, parent, terminal_width=_help_width(), **extra)
        except click.UsageError as error:
            raise _escape_error(error) from error
        except KeyboardInterrupt:
            _exit_interrupted()
        except OSError as error:
            if is_broken_pipe(error):
                raise
            raise complaint_of(error) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; whatever it raises becomes one sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except click.ClickException as error:
            raise _escape_error(translate_error(error, language_of_call(ctx))) from error
        except click.Abort as error:
            # A question that nobody answers: click says the same of ^C and of the end of the input.
            if isinstance(error.__context__, EOFError):
                raise translate_error(Complaint(shell_message("shell.no-answer")), language_of_call(ctx)) from None
            _exit_interrupted()
        except KeyboardInterrupt:
            _exit_interrupted()
        except Exception as error:
            if is_interrupt(error):
                _exit_interrupted()
            if session_of(ctx).debug or is_broken_pipe(error):
                raise
            raise complaint_of(error, language_of_call(ctx)) from error


def _escape_error(error: click.ClickException) -> click.ClickException:
    """The error; of a wrong call with its text escaped: click quotes arguments, and one may come from a log."""
    from spyrium_log.shown import plain

    if not isinstance(error, click.UsageError) or isinstance(
        error, click.exceptions.NoArgsIsHelpError | TranslatedCall
    ):
        return error
    message = error.format_message()
    # what may be said for a word that is missing stands in lines of its own, and quotes nobody
    is_list = isinstance(error, click.MissingParameter)
    message = plain(message.expandtabs(2), keep="\n") if is_list else plain(message)
    return click.UsageError(message, error.ctx)


def _print_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print a traceback with its text escaped: a message may quote a log."""
    from traceback import format_exception

    write_note("".join(format_exception(kind, error, trace)), keep="\n", end="")


def _exit_interrupted() -> NoReturn:
    """Leave with the exit code of ^C."""
    # the newline ends the line on which the terminal shows ^C
    write_note()
    raise click.exceptions.Exit(INTERRUPTED) from None


def _print_version(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    """The callback of `--version`: print the version and leave."""
    if not is_wanted or ctx.resilient_parsing:
        return
    from spyrium_cli.identity import version

    write_line(f"spyrium {version()}")
    ctx.exit()


EPILOG = """\b
Examples:
  spyrium record
  spyrium replay --plain
  spyrium validate

GAME is a path, a file name, the beginning of an id, @last (the game last written), @last~1 (the one before), @open
(the last one that is not over) or - for stdin. Of a folder or a pack, PATH is the only game, and PATH#ID one of
several. Without GAME a command takes @last; play takes @open, and record asks where several are not over. Options of
this page may also stand after the command.

Exit codes: 0: fine. 1: the input is valid and the check failed: findings, a refusal, games left out. 2: something
cannot be read, or was wrongly called; what can be read is still read. 130: interrupted. On stderr, Error: ends a
command and Warning: does not."""


@click.group(
    cls=Program,
    sections=SECTIONS,
    params=[
        *common_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version and leave.",
        ),
    ],
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Record board games, replay them, check them and ask about them."""
    if ctx.invoked_subcommand is None:
        _print_welcome(ctx, session_of(ctx))


def _print_welcome(ctx: click.Context, session: Session) -> None:
    """List the commands in their groups, and say what to do next."""
    from spyrium_cli.games.lookup import suggest_next_step

    formatter = ctx.make_formatter()
    ctx.command.format_usage(ctx, formatter)
    cli.format_commands(ctx, formatter)
    write_data(f"{formatter.getvalue()}\n")
    write_line(suggest_next_step(session))


def main() -> None:
    """What the installed command runs."""
    sys.excepthook = _print_traceback
    _prepare_streams()
    if "_SPYRIUM_COMPLETE" in os.environ:  # as click spells it of our name
        from spyrium_cli.completion.shells import answer_shell

        answer_shell(cli)
    try:
        cli(prog_name="spyrium")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # Another ^C, while Python cleans up, would print a traceback.
            signal(SIGINT, SIG_IGN)
        raise SystemExit(_flush_stdout(end.code)) from None


def _flush_stdout(code: int | str | None) -> int | str | None:
    """Flush stdout and return the exit code, which a failure changes. Python does not try again when it exits."""
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


def _prepare_streams() -> None:
    """Write UTF-8 into pipes in any locale, and end silently when the reader of a pipe is gone."""
    if sys.platform != "win32":
        from signal import SIG_DFL, SIGPIPE, signal

        signal(SIGPIPE, SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
