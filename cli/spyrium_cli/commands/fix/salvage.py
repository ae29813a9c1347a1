"""`spyrium fix salvage`: save what can be proved of a damaged log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import REFUSED, UNUSABLE
from spyrium_cli.files import STDOUT
from spyrium_cli.games.lookup import STDIN
from spyrium_cli.options import option
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.surface import say, tell
from spyrium_cli.terminal import write_bytes
from spyrium_log.messages import Count
from spyrium_log.store import Salvage, read_damaged, read_damaged_stream, write_salvaged

EPILOG = """\b
Examples:
  spyrium fix salvage game.jsonl
  spyrium fix salvage game.jsonl --to saved.jsonl
  cat game.jsonl | spyrium fix salvage -

Only what a hash proves is repaired; nothing is guessed, and FILE stays as it is. Exit code 0: everything was saved. 1:
something is lost. 2: there is nothing to save."""

MOST_SHOWN = 20
EXCERPT_LENGTH = 60


@click.command("salvage", cls=Command, epilog=EPILOG)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@option("--to", type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE")
def salvage_log(file: str, to: str | None) -> int:
    """Save what can be proved of a damaged log.

    FILE is the log, or - for stdin.
    """
    salvage = read_damaged_stream(sys.stdin.buffer.read) if file == STDIN else read_damaged(Path(file))
    to = to or (STDOUT if file == STDIN else None)
    for report in _describe_lines(salvage):
        if to == STDOUT:
            # which is for the log itself
            say(report)
        else:
            draw(text(report))
    lines = salvage.raw.count(b"\n")
    proved, repaired = Count(lines, "line"), len(salvage.repairs)
    if salvage.lost:
        tell("said.proved", lines=proved, repaired=repaired, lost=Count(len(salvage.lost), "line"))
    else:
        tell("said.proved-all", lines=proved, repaired=repaired)
    if not lines:
        return UNUSABLE
    _write_proved(salvage, to)
    return REFUSED if salvage.lost else 0


def _write_proved(salvage: Salvage, to: str | None) -> None:
    """Write what is proved, to this file or to stdout; None: only say how, if there is anything to mend."""
    if to == STDOUT:
        write_bytes([salvage.raw])
    elif to is not None:
        write_salvaged(salvage, Path(to))
        tell("said.saved-at", place=str(to))
    elif salvage.repairs or salvage.lost:
        tell("said.to-file")


def _describe_lines(salvage: Salvage) -> Iterator[str]:
    """A sentence for each line that was repaired, and for the first ones that are lost, numbered as in an editor."""
    for repair in salvage.repairs:
        yield f"repaired {repair.line:>4}  {repair.what}"
    for lost in salvage.lost[:MOST_SHOWN]:
        whole = "whole, but what it follows is missing" if lost.is_whole else "nothing vouches for it"
        start = lost.raw[:EXCERPT_LENGTH].decode(errors="replace")
        beginning = f", the beginning of {len(lost.raw)} bytes" if len(lost.raw) > EXCERPT_LENGTH else ""
        yield f"lost     {lost.line:>4}  {whole}{beginning}: {start}"
    if len(salvage.lost) > MOST_SHOWN:
        yield f"lost           and {len(salvage.lost) - MOST_SHOWN} more, to line {salvage.lost[-1].line}"
