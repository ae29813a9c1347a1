"""Lines appended to the log of a game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack, cast

from msgspec import structs

from spyrium_cli import options
from spyrium_cli.command import LAST, OPEN, pass_session
from spyrium_cli.complaint import Complaint, Refusal, call_message, shell_message, spoken
from spyrium_cli.games.headers import header_players, read_header
from spyrium_cli.games.lookup import cut_log, read_log, writable_path
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.render.rows import formats
from spyrium_cli.render.surface import say, tell
from spyrium_cli.session import Session
from spyrium_cli.terminal import confirm

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_log import Log
    from spyrium_log.messages import Reader
    from spyrium_log.store import Writer, kinds

LineKind = TypeVar("LineKind", bound="kinds.Line", covariant=True)


class Signature(TypedDict):
    """Who records a line or a note, and when."""

    by: str
    at: datetime


class Appended(NamedTuple, Generic[LineKind]):
    """A line on the disk, the log before it and the log with it; the language of the call."""

    before: Log
    line: LineKind
    log: Log
    language: str

    @property
    def reader(self) -> Reader:
        """The reader of messages about this game."""
        from spyrium_cli.render.sentences import reader_of
        from spyrium_log.play import Play

        play = Play(self.log)
        return reader_of(play.title, play.players, self.language)

    def draw_changes(self) -> None:
        """Draw what the line changes in what follows from the log; nothing where it changes nothing."""
        from spyrium_cli.render.changes import draw_changes
        from spyrium_log.edit.amend import compute_changes

        changed = compute_changes(self.before, self.line)
        if changed.came or changed.went or changed.amounts or changed.before != changed.after:
            draw_changes(changed, self.reader)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWriter:
    """The game that a call writes to, by its name, and what each line says of the call: who records, the command id."""

    session: Session
    log: str
    by: str | None
    cmd: str | None

    def append(self, make_line: Callable[..., LineKind]) -> Appended[LineKind]:
        """Append what `make_line(log, by=…, at=…)` returns. A command id that is there already is answered again."""
        with open_writer(self.session, self.log) as writer:
            repeated = find_repeated_line(writer.log, self.cmd)
            # a copy, as the writer adds to its own log
            before = cut_log(writer.log, len(writer.log.lines) if repeated is None else repeated)
            made = make_line(before, by=self.by or scribe_name(), at=now())
            line = cast("LineKind", writer.append(structs.replace(made, cmd=self.cmd)))
            return Appended(before, line, cut_log(writer.log, line.n + 1), self.session.language_of(before.title))


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendmentWriter(GameWriter):
    """A call that shows an amendment, asks, and writes it."""

    why: str | None
    yes: bool
    dry_run: bool

    def read_log(self) -> tuple[Log, bool]:
        """The log, and whether an earlier call wrote the same command to it: then the log is as it was before that."""
        name = self.log
        if name in {LAST, OPEN}:
            path = writable_path(self.session, name)
            say_which_game(self.session, name, path)
            name = str(path)
        log = read_log(self.session, name)
        repeated = find_repeated_line(log, self.cmd)
        return (log, False) if repeated is None else (cut_log(log, repeated), True)

    def confirm_and_write(self, amendment: kinds.Amendment, question: str, *, is_repeated: bool = False) -> int:
        """Ask, append an amendment as it was shown, return its line number. Refused if somebody appended in between."""
        if not (self.yes or is_repeated):
            if not is_interactive():
                raise Refusal(call_message("nobody-to-confirm"))
            if not confirm(question):
                raise Refusal(call_message("nothing-written"))
        # by its path: `read_log` has said which game it is
        with open_writer(self.session, str(writable_path(self.session, self.log))) as writer:
            return writer.append(structs.replace(amendment, cmd=self.cmd)).n


def _gather_into_writer(decorator: options.Decorator, writer_class: type[GameWriter]) -> options.Decorator:
    """A decorator that gives a command the options of another one, those of a writer gathered into one argument."""
    names = [field.name for field in fields(writer_class) if field.name != "session"]

    def decorate(command: Callable[..., int | None]) -> Any:
        """The command with these options; click calls it with each by itself."""

        @wraps(command)
        def run(session: Session, /, **values: Any) -> int | None:
            """Call the command with a writer, and the options that are not the writer's."""
            writer = writer_class(session=session, **{name: values.pop(name) for name in names})
            return command(writer, **values)

        return decorator(run)

    return decorate


# For a command that appends a line: it gets a `GameWriter`.
game_writer = _gather_into_writer(options.writing, GameWriter)
# For a command that shows an amendment before it writes it: it gets an `AmendmentWriter`.
amendment_writer = _gather_into_writer(
    options.together(
        *(options.option("--why"), options.yes_option, options.dry_run_option, options.by_option, options.command_id),
        *(formats(), options.wait_option, pass_session),
    ),
    AmendmentWriter,
)


@contextmanager
def open_writer(session: Session, name: str) -> Iterator[Writer]:
    """The log of that name, open for appending; says what was mended on opening it."""
    path = writable_path(session, name)
    say_which_game(session, name, path)
    with session.folder().open_writer(path) as writer:
        for mended in writer.mended:
            say(spoken(mended))
        yield writer


def say_which_game(session: Session, name: str, path: Path) -> None:
    """Say which game the call writes to, where it was not named and the archive has others."""
    if name == OPEN and path != session.folder().resolve(LAST):
        tell("said.last-open", game=path.stem)
    # a second log is looked for by a pattern: our own list would read the times of all of them
    elif name == LAST and next(islice(path.parent.glob(f"*{path.suffix}"), 1, None), None):
        tell("said.last", game=path.stem, players=", ".join(header_players(read_header(path))))


def find_repeated_line(log: Log, cmd: str | None) -> int | None:
    """The line that an earlier call with this command id wrote, which is said; None for a new call."""
    repeated = next((line.n for line in log.lines if line.cmd == cmd), None) if cmd else None
    if repeated is not None:
        tell("said.repeated", cmd=str(cmd), line=repeated)
    return repeated


def check_playable(log: Log) -> None:
    """Refuse a game of which only the scores are known."""
    from spyrium_log.replay import replay

    # only a score sheet is replayed to learn this
    if log.header.source == "scoresheet" and replay(log, audit=False).is_scores_only:
        raise Refusal(shell_message("said.no-moves", place=str(log.file)))


def check_new_result(before: Log, line: kinds.Line, log: str, where: str = "") -> None:
    """Refuse a second result of the same players: each stands until it is withdrawn. `where`: of a line in a file."""
    from spyrium_log.edit.amend import find_declared_before

    first_result = find_declared_before(before, line)
    if first_result is not None:
        place = where or shell_message("said.at", place=str(before.file))
        raise Refusal(shell_message("said.first-result", line=first_result.n, log=str(log), where=place))


def make_result(before: Log, *, result: str, log: str, **signature: Unpack[Signature]) -> kinds.Declared:
    """The line of a result; refused where a player is named twice or has one already. `log`: the name of the game."""
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_line

    line = cast("kinds.Declared", read_line(Play(before), f"result {result}", **signature))
    seats = [score.seat for score in line.results]
    if len(set(seats)) < len(seats):
        raise Complaint(call_message("each-player", found=result))
    check_new_result(before, line, log)
    return line


def is_interactive() -> bool:
    """Whether somebody at a terminal can answer a question."""
    return sys.stdin.isatty()
