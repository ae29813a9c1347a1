"""`spyrium seal`: seal a log, or print and check a checkpoint of it: one line to keep elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec import structs

from spyrium_cli.command import Command
from spyrium_cli.complaint import REFUSED, Refusal, WrongCall, call_message
from spyrium_cli.games.lookup import STDIN, read_log, replay_log
from spyrium_cli.games.writing import GameWriter, find_repeated_line, game_writer, open_writer
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.options import game_argument, option
from spyrium_cli.render.changes import draw_changes
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import tell
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.session import Session
from spyrium_cli.settings.trusted_keys import trust_of, trust_own_key, trusted_keys
from spyrium_cli.terminal import write_data, write_line
from spyrium_log.edit import checkpoint as checkpoints
from spyrium_log.messages import Count
from spyrium_log.play import Play
from spyrium_log.replay import Replay
from spyrium_log.store import Writer, create_key, kinds, read_key, read_whole

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

MOST_EVENTS_NAMED = 12


@click.command("seal", cls=Command, epilog=EPILOG)
@game_argument
@option("--key", type=click.Path(dir_okay=False))
@click.option("--new-key", type=click.Path(dir_okay=False), help="Make a key in a new file, and sign with it.")
@click.option("--checkpoint", is_flag=True, help="Write nothing; print the one line to keep elsewhere.")
@click.option("--check", metavar="FILE", help="Write nothing; compare with the checkpoint in this file; - is stdin.")
@game_writer
def seal_log(writer: GameWriter, key: str | None, new_key: str | None, checkpoint: bool, check: str | None) -> int:
    """Seal a log, or keep and compare a checkpoint of it."""
    if check is not None:
        if key or new_key or checkpoint or writer.cmd:
            raise WrongCall("check-alone")
        return 0 if _check_checkpoint(writer.session, writer.log, check) else REFUSED
    if checkpoint:
        if new_key or writer.cmd:
            raise WrongCall("checkpoint-alone")
        _print_checkpoint(writer.session, writer.log, key)
    else:
        _append_seal(writer, key, new_key)
    return 0


def _append_seal(game: GameWriter, key: str | None, new_key: str | None) -> None:
    """Append a seal, signed if there is a key, and print its hash."""
    if key and new_key:
        raise WrongCall("one-key")
    with open_writer(game.session, game.log) as writer:
        repeated = find_repeated_line(writer.log, game.cmd)
        # the seal of a call that came before is the answer to this one
        line = _write_seal(game, writer, key, new_key) if repeated is None else writer.log.lines[repeated]
    if not isinstance(line, kinds.Sealed):
        raise Refusal(call_message("command-again", cmd=game.cmd or "", n=line.n))
    write_line(line.final)
    lines = Count(line.count, "line")
    if line.signed:
        tell("said.sealed-by", line=line.n, lines=lines, key=line.signed.key)
    else:
        tell("said.sealed", line=line.n, lines=lines)
    if repeated is None and line.signed:
        trust_own_key(game.session.settings, line.signed.key, Path(new_key or key or ""))
    if new_key and repeated is None:
        tell("said.new-key", place=str(new_key))


def _write_seal(game: GameWriter, writer: Writer, key: str | None, new_key: str | None) -> kinds.Line:
    """Append a seal, signed by the key in the file `key`, or by one that is made in the file `new_key`."""
    signer = create_key(Path(new_key)) if new_key else None
    if key:
        signer = read_key(Path(key))
    seal = Play(writer.log).make_seal_line(by=game.by or scribe_name(), at=now(), signer=signer)
    return writer.append(structs.replace(seal, cmd=game.cmd))


def _print_checkpoint(session: Session, name: str, key: str | None) -> None:
    """Print the one line to keep elsewhere, signed if there is a key. `name`: of the game."""
    log = read_log(session, name)
    signer = read_key(Path(key)) if key else None
    write_data(f"{checkpoints.format_checkpoint(checkpoints.make_checkpoint(log, signer=signer))}\n")
    if signer is not None and key:
        trust_own_key(session.settings, signer.key, Path(key))


def _check_checkpoint(session: Session, name: str, file: str) -> bool:
    """Compare the game of a name with the checkpoint in a file. Returns whether the history up to it is the same."""
    if file == name == STDIN:
        raise WrongCall("log-and-checkpoint")
    checkpoint = _read_checkpoint(file)
    log = read_log(session, name)
    result = checkpoints.compare_to_checkpoint(log, checkpoint)
    game = replay_log(log, language=session.language)
    _draw_comparison(result, game, session.language_of(log.title), trusted_keys(session.settings))
    return result.is_same


def _read_checkpoint(file: str) -> checkpoints.Checkpoint:
    """The checkpoint in a file or on stdin, of which no more is read than shows that it is too long."""
    if file == STDIN:
        return checkpoints.read_checkpoint(sys.stdin.buffer.read(checkpoints.MAX_CHECKPOINT + 1), "<stdin>")
    return checkpoints.read_checkpoint(read_whole(Path(file), checkpoints.MAX_CHECKPOINT, is_named=True), file)


def _draw_comparison(result: checkpoints.Compared, game: Replay, language: str, trusted: Mapping[str, str]) -> None:
    """Draw the outcome, what changed since the checkpoint, and its signature. `trusted`: names by public key."""
    reader = reader_of(game.title, game.players, language)
    style = "red"
    if result.is_same:
        style = "green" if result.since is None else "yellow"
    heading = translate(f"seal.{result.outcome}", language)
    # nine: as wide as the longest outcome
    draw(text(f"{result.outcome:<9} ", style).append_text(text(f"{heading}: {result.message.text_for(reader)}")))
    for difference in result.differences:
        draw(text(f"  {difference.text_for(reader)}"))
    if result.since is not None:
        draw(text(f"  {_changed_events_text(result.since.events, language)}"))
        draw_changes(result.since, reader)
    trust = trust_of(result.signature, result.key, trusted)
    signature = translate(f"validate.{trust}", language, key=result.key, signer=trusted.get(result.key or ""))
    lines = count_text(result.after, "line", language)
    draw(text(f"  {translate('seal.after', language, signature=signature, lines=lines)}"))


def _changed_events_text(refs: Sequence[str], language: str) -> str:
    """`2 events changed: 5, 7.1`; without an event, what else may have changed."""
    if not refs:
        return translate("seal.no-event", language)
    events, others = count_text(len(refs), "event", language), len(refs) - MOST_EVENTS_NAMED
    names = ", ".join(refs[:MOST_EVENTS_NAMED]) + (translate("seal.more", language, n=others) if others > 0 else "")
    return translate("seal.changed", language, events=events, names=names)
