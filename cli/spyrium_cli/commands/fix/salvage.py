"""`spyrium fix salvage`: save what can be proved of a damaged log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.options import option
from spyrium_cli.terminal import write_bytes

if TYPE_CHECKING:
    from spyrium_log.store import Salvage

EPILOG = """\b
Examples:
  spyrium fix salvage game.jsonl
  spyrium fix salvage game.jsonl --to saved.jsonl
  cat game.jsonl | spyrium fix salvage -

Only what a hash proves is repaired; nothing is guessed, and FILE stays as it is. Exit code 0: everything was saved. 1:
something is lost. 2: there is nothing to save."""

STDOUT = "-"
MOST_SHOWN = 20
EXCERPT = 60


@click.command("salvage", cls=Command, epilog=EPILOG)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@option("--to", type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE")
@click.pass_context
def command(ctx: click.Context, file: str, to: str | None) -> None:
    """Save what can be proved of a damaged log.

    FILE is the log, or - for stdin.
    """
    from spyrium_cli.games.lookup import STDIN
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_log.store import read_damaged, read_damaged_stream, write_salvaged

    done = read_damaged_stream(sys.stdin.buffer.read) if file == STDIN else read_damaged(Path(file))
    to = to or (STDOUT if file == STDIN else None)
    for report in _line_reports(done):
        # stdout is for the log itself
        say(report) if to == STDOUT else draw(text(report))
    lines = done.raw.count(b"\n")
    lost = f"{count_text(len(done.lost), 'line')} lost" if done.lost else "nothing lost"
    say(f"{count_text(lines, 'line')} proved, {len(done.repairs)} of them repaired, {lost}")
    if not lines:
        ctx.exit(UNUSABLE)
    if to == STDOUT:
        write_bytes([done.raw])
    elif to is not None:
        write_salvaged(done, Path(to))
        say(f"saved at {to}")
    elif done.repairs or done.lost:
        say("--to FILE writes what is proved")
    ctx.exit(1 if done.lost else 0)


def _line_reports(done: Salvage) -> Iterator[str]:
    """What happened to each line, numbered as in an editor."""
    for repair in done.repairs:
        yield f"repaired {repair.line:>4}  {repair.what}"
    for lost in done.lost[:MOST_SHOWN]:
        whole = "whole, but what it follows is missing" if lost.is_whole else "nothing vouches for it"
        start = lost.raw[:EXCERPT].decode(errors="replace")
        beginning = f", the beginning of {len(lost.raw)} bytes" if len(lost.raw) > EXCERPT else ""
        yield f"lost     {lost.line:>4}  {whole}{beginning}: {start}"
    if len(done.lost) > MOST_SHOWN:
        yield f"lost           and {len(done.lost) - MOST_SHOWN} more, to line {done.lost[-1].line}"
