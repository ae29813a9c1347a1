"""Lines appended to the log of a game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.command import LAST, OPEN
from spyrium_cli.complaint import Refusal
from spyrium_cli.games.lookup import writable_path
from spyrium_cli.render.surface import say
from spyrium_cli.terminal import confirm

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log import Log
    from spyrium_log.messages import Reader
    from spyrium_log.store import Writer


class Appended(NamedTuple):
    """A line on the disk, the log before it and the log with it."""

    before: Log
    line: Any
    log: Log

    def draw_changes(self, language: str) -> None:
        """Draw what the line changes in what follows from the log; nothing where it changes nothing."""
        from spyrium_cli.render.changes import draw_changes
        from spyrium_log.edit.amend import compute_changes

        caused = compute_changes(self.before, self.line)
        if caused.came or caused.went or caused.amounts or caused.before != caused.after:
            draw_changes(caused, self.reader(language))

    def reader(self, language: str) -> Reader:
        """The reader of messages about this game."""
        from spyrium_cli.render.sentences import reader_of
        from spyrium_log.play import Play

        play = Play(self.log)
        return reader_of(play.title, play.players, language)


def append_line(
    session: Session, name: str, make: Callable[..., Any], by: str | None = None, cmd: str | None = None
) -> Appended:
    """Append the line that `make(log, by=…, at=…)` returns. A command id that is there already is answered again."""
    from msgspec.structs import replace

    from spyrium_cli.identity import now, scribe

    with open_writer(session, name) as writer:
        repeated_line = earlier_line(writer.log, cmd)
        before = first_lines(writer.log, len(writer.log.lines) if repeated_line is None else repeated_line)
        line = writer.append(replace(make(before, by=by or scribe(), at=now()), cmd=cmd))
        return Appended(before, line, first_lines(writer.log, line.n + 1))


def append_amendment(session: Session, name: str, line: Any, cmd: str | None) -> int:
    """Append an amendment that was shown as it is; its line number. Refused where somebody appended in between."""
    from msgspec.structs import replace

    with open_writer(session, name) as writer:
        return int(writer.append(replace(line, cmd=cmd)).n)


@contextmanager
def open_writer(session: Session, name: str) -> Iterator[Writer]:
    """The log of that name, open for appending; says what was mended on opening it."""
    path = writable_path(session, name)
    if name == OPEN and path != session.folder().resolve(LAST):
        say(f"{path.stem} is the last game that is not over")
    with session.folder().writer(path) as writer:
        for mended in writer.report:
            say(mended)
        yield writer


def first_lines(log: Log, count: int) -> Log:
    """The log as it was with `count` lines."""
    from dataclasses import replace

    return replace(log, lines=log.lines[:count])


def earlier_line(log: Log, cmd: str | None) -> int | None:
    """The line of this command id, which says that the call came before."""
    repeated_line = next((line.n for line in log.lines if line.cmd == cmd), None) if cmd else None
    if repeated_line is not None:
        say(f"command '{cmd}' came before: this is line {repeated_line} again")
    return repeated_line


def check_playable(log: Log) -> None:
    """Refuse a game of which only the scores are known."""
    from spyrium_log.replay import replay

    # only a score sheet is replayed to learn this
    if log.header.source == "scoresheet" and replay(log, audit=False).is_scores_only:
        raise Refusal(f"expected a game that is played, found one of which only the scores are known, at {log.file}")


def check_new_result(before: Log, line: Any, log: str, where: str = "") -> None:
    """Refuse a second result of the same players: each stands until it is withdrawn."""
    from spyrium_log.edit.asides import find_declared_before

    first_result = find_declared_before(before, line)
    if first_result is not None:
        raise Refusal(
            f"expected the first result of these players, found one on line {first_result.n}"
            f' (spyrium fix withdraw {log} {first_result.n} --why "..." takes it back), {where or f"at {before.file}"}'
        )


def confirm_write(yes: bool, question: str) -> None:
    """Ask before something is written, unless `yes`; Refusal where nobody agrees."""
    if yes:
        return
    if not is_interactive():
        raise Refusal("nothing was written: nobody can be asked here (--yes writes it, --dry-run only tells)")
    if not confirm(question):
        raise Refusal("nothing was written")


def is_interactive() -> bool:
    """Whether somebody at a terminal can answer a question."""
    return sys.stdin.isatty()
