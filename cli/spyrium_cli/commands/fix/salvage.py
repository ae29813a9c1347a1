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
from spyrium_cli.render.text import translate
from spyrium_cli.session import current_language
from spyrium_cli.terminal import write_bytes
from spyrium_log.messages import Count, Reader
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
    for report in _describe_lines(salvage, current_language()):
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


def _describe_lines(salvage: Salvage, language: str) -> Iterator[str]:
    """A sentence for each line that was repaired, and for the first ones that are lost, numbered as in an editor."""
    for repair in salvage.repairs:
        what = repair.what.text_for(Reader(language))
        yield translate("salvage.repaired", language, line=f"{repair.line:>4}", what=what)
    for lost in salvage.lost[:MOST_SHOWN]:
        start = lost.raw[:EXCERPT_LENGTH].decode(errors="replace")
        why = translate("salvage.whole" if lost.is_whole else "salvage.unproved", language)
        key = "salvage.lost" if len(lost.raw) <= EXCERPT_LENGTH else "salvage.lost-cut"
        yield translate(key, language, line=f"{lost.line:>4}", why=why, n=len(lost.raw), start=start)
    if len(salvage.lost) > MOST_SHOWN:
        last = salvage.lost[-1].line
        yield translate("salvage.more", language, n=len(salvage.lost) - MOST_SHOWN, last=last)
