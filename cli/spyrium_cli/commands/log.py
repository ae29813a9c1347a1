"""`spyrium log`: the lines as they were written, with what became of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spyrium_log.edit.history import Chronicled

EPILOG = """\b
Examples:
  spyrium log @last
  spyrium log @last --at 20
  spyrium log game.jsonl --format jsonl

`replay` tells the game as it stands; this tells how it came to be written so. Exit code 2 where not all of the log
can be read."""

COLUMNS = ("n", "ref", "kind", "by", "at", "status", "through", "sentence", "now", "hash")
STYLES = {"undone": "dim", "dropped": "dim", "withdrawn": "dim", "amended": "yellow"}


@click.command("log", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="As it was with the lines up to N.")
@formats()
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, at: int | None, form: str) -> None:
    """Tell the log line by line, what was undone and amended too."""
    from spyrium_cli.games.lookup import first_lines, read_log, replay_log
    from spyrium_cli.render.rows import write, write_json
    from spyrium_log.edit.history import history

    read = read_log(session, log)
    done = replay_log(read, at, language=session.language)
    language = session.language_of(done.title, form)
    lines = history(first_lines(read, (at or 0) + 1) if at is not None else read, language)
    if form == "table":
        _tell(lines, language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [tuple(getattr(line, column) for column in COLUMNS) for line in lines], form, null="")
    else:
        write_json(lines, form)
    ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)


def _tell(lines: Iterable[Chronicled], language: str) -> None:
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.words import tell

    told = grid("right", "left", "left", "left")
    for line in lines:
        style = STYLES.get(line.status, "")
        is_as_it_was = line.status in {"stands", "aside"}
        status = "" if is_as_it_was else tell(f"log.{line.status}", language, line=line.through)
        told.add_row(text(line.ref, "dim"), text(line.by, "dim"), text(status, style), text(line.sentence, style))
        if line.now is not None:
            told.add_row("", "", text(tell("log.now", language)), text(line.now))
    draw(told)
