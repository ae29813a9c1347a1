"""`spyrium seal --checkpoint` and `--check`: one line to keep elsewhere, and its comparison with the log."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spyrium_cli.terminal import write_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spyrium_cli.session import Session
    from spyrium_log.edit.checkpoint import Compared
    from spyrium_log.replay import Replay

MOST_NAMED = 12

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


def print_checkpoint(session: Session, log: str, key: str | None) -> None:
    """Print the one line to keep elsewhere."""
    from spyrium_cli.games.lookup import read_log
    from spyrium_cli.settings.trusted_keys import trust_own_key
    from spyrium_log.edit.checkpoint import checkpoint_text, make_checkpoint
    from spyrium_log.store import read_key

    read = read_log(session, log)
    signer = read_key(Path(key)) if key else None
    write_data(f"{checkpoint_text(make_checkpoint(read, signer=signer))}\n")
    if signer is not None and key:
        trust_own_key(session.settings, signer.key, Path(key))


def check_checkpoint(session: Session, log: str, file: str) -> bool:
    """Compare the log with a checkpoint; returns whether the history up to it is the same."""
    from spyrium_cli.games.lookup import STDIN, read_log, replay_log
    from spyrium_cli.settings.trusted_keys import trusted_keys
    from spyrium_log.edit.checkpoint import compare_to_checkpoint, read_checkpoint

    if file == log == STDIN:
        raise click.UsageError("expected the log or the checkpoint from stdin, found both")
    kept = read_checkpoint(_kept(file), "<stdin>" if file == STDIN else file)
    read = read_log(session, log)
    result = compare_to_checkpoint(read, kept)
    done = replay_log(read, language=session.language)
    _draw(result, done, session.language_of(read.title), trusted_keys(session.settings))
    return result.is_same


def _kept(file: str) -> bytes:
    from spyrium_log.edit.checkpoint import MAX_CHECKPOINT
    from spyrium_log.store import read_whole

    if file == "-":
        return sys.stdin.buffer.read(MAX_CHECKPOINT + 1)
    return read_whole(Path(file), MAX_CHECKPOINT, is_named=True)


def _draw(result: Compared, done: Replay, language: str, trusted: Mapping[str, str]) -> None:
    """Draw the outcome, what changed since the checkpoint, and its signature."""
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.sentences import reader_of
    from spyrium_cli.render.text import count_text
    from spyrium_cli.settings.trusted_keys import trust_of

    style = "red" if not result.is_same else "green" if result.since is None else "yellow"
    line = text(f"{result.outcome:<9} ", style)
    draw(line.append_text(text(f"{WORDS[result.outcome]}: {result.message}")))
    for difference in result.differences:
        draw(text(f"  {difference.sentence(done.players)}"))
    if result.since is not None:
        draw(text(f"  {_events(result.since.events)}"))
        changes.draw_changes(result.since, reader_of(done.title, done.players, language))
    trust = trust_of(result.signature, result.key, trusted)
    signature = SIGNATURES[trust].format(key=result.key, signer=trusted.get(result.key or ""))
    draw(text(f"  {signature}; {count_text(result.after, 'line')} after it"))


def _events(refs: Sequence[str]) -> str:
    """A phrase such as `2 events changed: 5, 7.1`."""
    from spyrium_cli.render.text import count_text

    if not refs:
        return "every event stands as it did then, and the header or the sheet is another one"
    more = f" and {len(refs) - MOST_NAMED} more" if len(refs) > MOST_NAMED else ""
    return f"{count_text(len(refs), 'event')} changed: {', '.join(refs[:MOST_NAMED])}{more}"
