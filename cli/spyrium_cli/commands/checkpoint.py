"""`spyrium checkpoint`: one line to keep elsewhere, and what it says of the log later."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spyrium_cli.session import Session, Verb, pass_session
from spyrium_cli.terminal import write_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spyrium_log.edit.checkpoint import Compared
    from spyrium_log.replay import Replay

MOST_NAMED = 12

EPILOG = """\b
Examples:
  spyrium checkpoint game.jsonl
  spyrium checkpoint game.jsonl --check kept.txt
  cat kept.txt | spyrium checkpoint game.jsonl --check -

Send the line to somebody, or print it: whoever rewrites the log cannot rewrite that. Exit code with --check 0: the
history before it is still the one that was, or was amended and nobody's score changed. 1: it was cut, rewritten,
damaged, or comes to something else. 2: unusable."""

WORDS = {
    "EXACT": "the same as then",
    "GREW": "the same as then, and it went on",
    "UPGRADED": "the same as then, read from an older format",
    "AMENDED": "the same lines, amended since",
    "DIVERGED": "the same bytes, but something else comes of them",
    "REWRITTEN": "other lines than then",
    "CUT": "shorter than it was",
    "DAMAGED": "it cannot be read as far as that",
    "REPLACED": "another game",
}
SIGNATURES = {
    "unsigned": "unsigned",
    "valid": "signed by {signer} with key {key}, valid",
    "unknown": "signed by key {key}, which nobody here knows",
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
    from spyrium_cli.games.lookup import read_log, replay_log
    from spyrium_cli.settings.trusted_keys import trust_own_key, trusted_keys
    from spyrium_log.edit.checkpoint import checkpoint, compared, read_checkpoint, text
    from spyrium_log.store import read_key

    if check is None:
        found = read_log(session, log)
        signer = read_key(Path(key)) if key else None
        write_data(f"{text(checkpoint(found, signer=signer))}\n")
        if signer is not None and key:
            trust_own_key(session.settings, signer.key, Path(key))
        return
    if key:
        raise click.UsageError("expected --check or --key, found both")
    if check == log == "-":
        raise click.UsageError("expected the log or the checkpoint from stdin, found both")
    kept = read_checkpoint(_kept(check), "<stdin>" if check == "-" else check)
    found = read_log(session, log)
    result = compared(found, kept)
    shown = replay_log(found, language=session.language)
    _tell(result, shown, session.language_of(found.title), trusted_keys(session.settings))
    ctx.exit(0 if result.is_same else 1)


def _kept(file: str) -> bytes:
    from spyrium_log.edit.checkpoint import MAX_CHECKPOINT
    from spyrium_log.store import read_whole

    if file == "-":
        return sys.stdin.buffer.read(MAX_CHECKPOINT + 1)
    return read_whole(Path(file), MAX_CHECKPOINT, is_named=True)


def _tell(result: Compared, done: Replay, language: str, trusted: Mapping[str, str]) -> None:
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import counted
    from spyrium_cli.settings.trusted_keys import trust_of
    from spyrium_log.shown import named

    style = "red" if not result.is_same else "green" if result.since is None else "yellow"
    line = text(f"{result.outcome:<9} ", style)
    draw(line.append_text(text(f"{WORDS[result.outcome]}: {result.message}")))
    for difference in result.differences:
        draw(text(f"  {named(str(difference), done.players)}"))
    if result.since is not None:
        draw(text(f"  {_events(result.since.events)}"))
        changes.draw_changes(result.since, changes.reader(done, language))
    trust = trust_of(result.signature, result.key, trusted)
    signature = SIGNATURES[trust].format(key=result.key, signer=trusted.get(result.key or ""))
    draw(text(f"  {signature}; {counted(result.after, 'line')} after it"))


def _events(refs: Sequence[str]) -> str:
    """`2 events that then stood are others now: 5, 7.1`."""
    from spyrium_cli.render.text import counted

    if not refs:
        return "every event stands as it did then, and the header or the sheet is another one"
    more = f" and {len(refs) - MOST_NAMED} more" if len(refs) > MOST_NAMED else ""
    return f"{counted(len(refs), 'event')} changed: {', '.join(refs[:MOST_NAMED])}{more}"
