"""`spyrium export`: a game in a form that others read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spyrium_cli.complaint import UNUSABLE, Complaint, Refusal
from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spyrium_log.replay import Remark, Replay

STDOUT = "-"

EPILOG = """\b
Examples:
  spyrium export @last --to game.html
  spyrium export @last --to gra.html --lang pl
  spyrium export game.jsonl --format csv

html is one page that needs nothing else: the table after any move, and the log itself in it. json is the whole replay,
csv the ledger, jsonl the log's own bytes.

Of a damaged log what can be read is exported. Exit code 2 then, but 0 where only its end was never finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What a form is made of."""

    done: Replay
    raw: bytes
    remarks: Sequence[Remark]
    language: str


def _html(game: Game) -> bytes:
    from spyrium_log.exchange.page import page

    return page(game.done, game.raw, remarks=game.remarks, language=game.language)


def _json(game: Game) -> bytes:
    from spyrium_log.exchange.tables import replay_json

    return replay_json(game.done, remarks=game.remarks, language=game.language)


def _jsonl(game: Game) -> bytes:
    return game.raw


def _csv(game: Game) -> bytes:
    from spyrium_log.exchange.tables import ledger_csv

    return ledger_csv(game.done)


# A form is one line here; its name is the end of the file's name too.
FORMS: Mapping[str, Callable[[Game], bytes]] = {
    "html": _html,
    "json": _json,
    "csv": _csv,
    "jsonl": _jsonl,
}


@click.command("export", cls=Verb, epilog=EPILOG)
@click.argument("log", metavar="GAME")
@click.option("--to", default=STDOUT, metavar="FILE", help="Where to write it; - for stdout, as without it.")
@click.option("--format", "form", type=click.Choice(list(FORMS)), help="Which form; without it, by the end of FILE.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, to: str, form: str | None, force: bool) -> None:
    """Write a game in a form that others read."""
    made = FORMS.get(form or Path(to).suffix.removeprefix(".").casefold())
    if made is None:
        raise click.UsageError(f"expected a file that ends in .{', .'.join(FORMS)}, or --format, found '{to}'")
    game = _game(session, log)
    out = made(game)
    if to == STDOUT:
        sys.stdout.buffer.write(out)
    else:
        _write(out, Path(to), force=force)
    ctx.exit(UNUSABLE if game.done.verdict == "unusable" else 0)


def _game(session: Session, name: str) -> Game:
    """The bytes are read once, and everything is made of them."""
    from spyrium_cli.games import STDIN
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.text import counted
    from spyrium_log.replay import remarks, replay
    from spyrium_log.store import read_bytes

    if name == STDIN:
        raw, file, notes = sys.stdin.buffer.read(), "<stdin>", None
    else:
        folder = session.folder()
        path = folder.resolve(name)
        raw, file, notes = path.read_bytes(), str(path), folder.notes(path)
    log = read_bytes(raw, file)
    if log.complaint is not None:
        say(f"only the first {counted(len(log.lines), 'line')} can be read: {log.complaint}")
    if notes is not None and notes.complaint is not None:
        say(f"only the first {counted(len(notes.lines), 'note')} can be read: {notes.complaint}")
    done = replay(log)
    language = session.language_of(done.title)
    return Game(done=done, raw=raw, remarks=remarks(done, notes.notes) if notes else (), language=language)


def _write(out: bytes, path: Path, *, force: bool) -> None:
    """Beside, on the disk, and only then under its name."""
    from spyrium_log.store.files import DISK, create_free

    refusal = Refusal(f"expected a file that is not there yet, found '{path}': --force writes over it")
    if path.is_dir():
        raise Complaint(f"expected the name of a file, found a folder, at {path}")
    if path.exists() and not force:
        raise refusal
    beside, file = create_free(DISK, path.with_name(f".{path.name}.new"))
    try:
        try:
            DISK.write(file, out, 0)
            DISK.fsync(file)
        finally:
            DISK.close(file)
        if force:
            beside.replace(path)
        else:
            DISK.publish(beside, path)
    except FileExistsError:
        DISK.remove(beside)
        raise refusal from None
    except BaseException:
        with suppress(OSError):
            DISK.remove(beside)
        raise
    DISK.sync_folder(path.parent)
