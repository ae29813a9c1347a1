"""`spyrium record`: record a game key by key, or line by line without a screen."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

import click

from spyrium_cli.command import OPEN, Command, GameArgument, pass_session
from spyrium_cli.complaint import Complaint, Refusal, shell_message, spoken
from spyrium_cli.files import number_lines
from spyrium_cli.games.lookup import writable_path
from spyrium_cli.games.writing import check_new_result, check_playable
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.options import by_option, file_option, light_option, plain_option, wait_option
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import describe_small_terminal, is_roomy, is_terminal, say, tell
from spyrium_cli.session import Session
from spyrium_log.catalogue import ENGLISH
from spyrium_log.messages import Count, Message, Reader

# What loads titles or rich stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Recorder
    from spyrium_log.errors import IllegalError
    from spyrium_log.store import kinds

EPILOG = """\b
Examples:
  spyrium record
  spyrium record @last --plain
  spyrium record --file evening.txt

Nothing is written before the first line. After the final count it shows who won, and what can be done with the game.

The screen shows what can be typed. Every line is on the disk before it is shown as done: after a crash the recorder
goes on where it was. Without a terminal of 80 by 24 it reads lines from stdin: exit code 1 if one was refused."""


@click.command("record", cls=Command, epilog=EPILOG)
@click.argument("game", cls=GameArgument, default=OPEN)
@plain_option
@file_option
@light_option
@by_option
@wait_option
@pass_session
def record_game(session: Session, game: str, plain: bool, file: IO[str] | None, light: bool, by: str | None) -> int:
    """Record a game at the table, key by key.

    Without GAME it goes on with the one open game, offers several, or asks who plays.
    """
    if file is not None:
        return _record_file(session, game, file, by)
    from spyrium_cli.recording.evening import LineFront, ScreenFront, record_evening

    named = None if game == OPEN else writable_path(session, game)
    if not plain and is_roomy():
        return record_evening(session, ScreenFront(light=light), named, by)
    if not plain and is_terminal():
        say(describe_small_terminal())
    lines = (text for _, text in number_lines(sys.stdin.readline, "<stdin>"))
    return record_evening(session, LineFront(lines), named, by)


def _record_file(session: Session, game: str, file: IO[str], by: str | None) -> int:
    """Record the lines of a file in a game that is there."""
    from spyrium_cli.recording.recorder import Recorder

    folder = session.folder()
    path = writable_path(session, game)
    log = folder.read_log(path)
    check_playable(log)
    with Recorder(folder, path, by=by or scribe_name(), language=session.language_of(log.title)) as recorder:
        _transcribe(recorder, file)
    return 0


def _transcribe(recorder: Recorder, file: IO[str]) -> None:
    """Record the lines of a file up to the first one that is refused; the error says where to go on."""
    from spyrium_cli.recording.recorder import write_recorded

    recorded = 0
    for news in recorder.news:
        say(news)
    for number, text in number_lines(file.readline, file.name):
        place, lines = f"{file.name}:{number}", Count(recorded, "line")
        where = spoken(shell_message("said.transcript-place", place=place, lines=lines))
        line = _read_legal_line(recorder, text, where)
        if line is not None:
            check_new_result(recorder.play.log, line, recorder.play.header.game, where)
            write_recorded(recorder.append_line(line))
            recorded += 1
    tell("said.recorded", lines=Count(recorded, "line"))


def _read_legal_line(recorder: Recorder, text: str, where: str) -> kinds.Line | None:
    """The line of the log that a text describes, None for a comment; an act against the rules is refused."""
    from spyrium_log.errors import IllegalError, NotationError
    from spyrium_log.transcript import read_line

    try:
        typed = recorder.play.title.recorder.with_ids(text, recorder.prompt.language)
        line = read_line(recorder.play, typed, by=recorder.by, at=now())
        # only a line of an event has an act
        act = getattr(line, "do", None)
        if act is not None:
            recorder.play.check_legal(act)
    except NotationError as error:
        message = error.text_for(Reader(recorder.prompt.language, minus="-"))
        raise Complaint(shell_message("said.message-where", message=message, where=where)) from None
    except IllegalError as error:
        reader = reader_of(recorder.play.title, (), recorder.prompt.language)
        raise Refusal(_describe_refusal(text.strip(), error, reader, where)) from None
    return line


def _describe_refusal(text: str, error: IllegalError, reader: Reader, where: str) -> Message:
    """Why a line of a transcript is refused, with legal moves that are near."""
    message = str(error) if reader.language == ENGLISH else error.text_for(reader)
    if not error.nearest:
        return shell_message("said.refused", text=text, message=message, where=where)
    near = ", ".join(error.nearest)
    return shell_message("said.refused-near", text=text, message=message, near=near, where=where)
