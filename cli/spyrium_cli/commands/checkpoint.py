"""`spyrium checkpoint`: one line to keep elsewhere, and what it says of the log later."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from spyrium_log.edit.checkpoint import Compared

EPILOG = """\b
Examples:
  spyrium checkpoint game.jsonl
  spyrium checkpoint game.jsonl --check kept.txt
  cat kept.txt | spyrium checkpoint game.jsonl --check -

Send the line to somebody, or print it: whoever rewrites the log cannot rewrite that. Exit code with --check 0: the
history before it is still the one that was. 1: it was cut, rewritten, or comes to something else. 2: unusable."""

WORDS = {
    "EXACT": "the same as then",
    "UPGRADED": "the same as then, read from an older format",
    "DIVERGED": "the same bytes, but something else comes of them",
    "REWRITTEN": "not what it was",
    "CUT": "shorter than it was",
}
SIGNATURES = {
    "unsigned": "unsigned",
    "valid": "signed by key {key}, valid",
    "wrong": "signature wrong, not of key {key}",
    "unchecked": "signed by key {key}, which cannot be checked here: the extra 'sign' is not installed",
}


@click.command("checkpoint", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.option("--check", metavar="FILE", help="Compare with the line kept in this file; - is stdin.")
@click.option("--key", type=click.Path(dir_okay=False), help="Sign it with the key in this file.")
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, check: str | None, key: str | None) -> None:
    """Print the one line to keep elsewhere, or compare one that was kept."""
    from spyrium_cli.games import read_log, replayed
    from spyrium_log.edit.checkpoint import checkpoint, compared, read_checkpoint, text
    from spyrium_log.store import read_key

    if check is None:
        found = read_log(session, log)
        click.echo(text(checkpoint(found, signer=read_key(Path(key)) if key else None)))
        return
    if key:
        raise click.UsageError("expected --check or --key, found both")
    if check == log == "-":
        raise click.UsageError("expected the log or the checkpoint from stdin, found both")
    kept = read_checkpoint(_kept(check), "<stdin>" if check == "-" else check)
    found = read_log(session, log)
    result = compared(found, kept)
    _tell(result, replayed(found).players)
    ctx.exit(0 if result.is_same else 1)


def _kept(file: str) -> bytes:
    from spyrium_log.edit.checkpoint import MAX_CHECKPOINT
    from spyrium_log.store import read_whole

    if file == "-":
        return sys.stdin.buffer.read(MAX_CHECKPOINT + 1)
    return read_whole(Path(file), MAX_CHECKPOINT)


def _tell(result: Compared, players: Any) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import counted
    from spyrium_log.shown import named

    style = "green" if result.is_same else "red"
    line = text(f"{result.outcome:<9} ", style)
    draw(line.append_text(text(f"{WORDS[result.outcome]}: {result.message}")))
    for difference in result.differences:
        draw(text(f"  {named(str(difference), players)}"))
    signature = SIGNATURES[result.signature].format(key=result.key)
    draw(text(f"  {signature}; {counted(result.after, 'line')} after it"))
