"""`spyrium seal`: seal a log, or print and check a checkpoint of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Refusal
from spyrium_cli.options import game_argument, option, writing
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

EPILOG = """\b
Examples:
  spyrium seal @last
  spyrium seal @last --new-key club.pem
  spyrium seal @last --key club.pem
  spyrium seal @last --checkpoint
  spyrium seal @last --check kept.txt

A seal records the number of lines and the hash of the last one; a signature shows who vouches for it. Your own key is
trusted from its first seal on. Others trust it once they set its public key, which is printed here: spyrium config set
keys.NAME KEY. Corrections may follow a seal; then seal again.

A checkpoint is one line to keep elsewhere, where nobody who rewrites the log can change it. Exit code with --check 0:
the history up to it is the same, or was amended without changing a score. 1: it was cut, rewritten or damaged, or comes
to something else. 2: unusable."""


@click.command("seal", cls=Command, epilog=EPILOG)
@game_argument
@option("--key", type=click.Path(dir_okay=False))
@click.option("--new-key", type=click.Path(dir_okay=False), help="Make a key in a new file, and sign with it.")
@click.option("--checkpoint", is_flag=True, help="Write nothing; print the one line to keep elsewhere.")
@click.option("--check", metavar="FILE", help="Write nothing; compare with the checkpoint in this file; - is stdin.")
@writing
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    log: str,
    key: str | None,
    new_key: str | None,
    checkpoint: bool,
    check: str | None,
    by: str | None,
    cmd: str | None,
) -> None:
    """Seal a log, or keep and compare a checkpoint of it."""
    from spyrium_cli.commands.check.checkpoint import check_checkpoint, print_checkpoint

    if check is not None:
        if key or new_key or checkpoint or cmd:
            raise click.UsageError("expected --check alone, found --key, --new-key, --checkpoint or --cmd, too")
        ctx.exit(0 if check_checkpoint(session, log, check) else 1)
    if checkpoint:
        if new_key or cmd:
            raise click.UsageError("expected --checkpoint alone or with --key, found --new-key or --cmd")
        print_checkpoint(session, log, key)
        return
    _seal(session, log, key, new_key, by, cmd)


def _seal(session: Session, log: str, key: str | None, new_key: str | None, by: str | None, cmd: str | None) -> None:
    """Append a seal, signed if there is a key, and print its hash."""
    from msgspec.structs import replace

    from spyrium_cli.games.writing import find_repeated_line, open_writer
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.settings.trusted_keys import trust_own_key
    from spyrium_log.play import Play
    from spyrium_log.store import create_key, read_key

    if key and new_key:
        raise click.UsageError("expected --key or --new-key, found both")
    line: Any
    with open_writer(session, log) as writer:
        first = find_repeated_line(writer.log, cmd)
        if first is not None:
            # the call came before: its seal is the answer
            line = writer.log.lines[first]
        else:
            signer = create_key(Path(new_key)) if new_key else read_key(Path(key)) if key else None
            sealed = Play(writer.log).seal_line(by=by or scribe(), at=now(), signer=signer)
            line = writer.append(replace(sealed, cmd=cmd))
    if line.__struct_config__.tag != "seal":
        raise Refusal(f"expected command '{cmd}' to be new, found it on line {line.n} with another content")
    write_line(line.final)
    signed = f"signed by key {line.signed.key}" if line.signed else "unsigned"
    say(f"line {line.n}: {count_text(line.count, 'line')} sealed, {signed}")
    if first is None and line.signed:
        trust_own_key(session.settings, line.signed.key, Path(new_key or key or ""))
    if new_key and first is None:
        say(f"the new key is in {new_key}: keep it to yourself, and keep a copy")
