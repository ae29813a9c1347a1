"""Recording at the table: the prompt, the open log, and what happens when a line cannot be written.

Nothing counts as done before it is on the disk. A line whose writing failed keeps its command id when it is tried
again: the log, opened anew, shows whether it is there, so that it is never written twice. A note keeps its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from msgspec import Struct

from spyrium_cli.complaint import shell_message
from spyrium_cli.identity import make_command_id, make_game_id, now
from spyrium_cli.render import sentences
from spyrium_cli.render.paper import draw, players_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import translate
from spyrium_cli.terminal import write_line, write_note
from spyrium_cli.titles import find_renderer
from spyrium_log import Log
from spyrium_log.entry import shortcuts
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import (
    Act,
    Logged,
    NewNote,
    Note,
    Request,
    Slip,
    Written,
    find_unsaid,
    make_line,
    make_note,
)
from spyrium_log.entry.shortcuts import ASK
from spyrium_log.errors import ConflictError, SpyriumLogError, StoreError
from spyrium_log.messages import Argument, Count, Message, Reader
from spyrium_log.play import Play
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder, Writer

# Commands; no title has a move of such a name.
LIST, BOARD, HELP, QUIT = "list", "board", "help", "quit"


class Recorded(Struct, frozen=True):
    """What was written: its line, or 0 for a note, and its sentence."""

    n: int
    sentence: str


class _FailedLine(Struct, frozen=True):
    """A line whose writing failed: it may be on the disk or not."""

    request: Logged
    line: Written


class Recorder(AbstractContextManager["Recorder"]):
    """One log open for recording. `news` is what the scribe must know about the file."""

    def __init__(self, folder: Folder, game: Path | Play, *, by: str, language: str) -> None:
        """Open the log of a path for writing; StoreError where that cannot be done. `by`: who records.

        A `game` in memory gets its file when its first line is written, and none if nothing is.
        """
        self._folder = folder
        self._new = game if isinstance(game, Play) else None
        self.by = by
        self._writer: Writer | None = None
        if isinstance(game, Play):
            self._path, self.play = Path(game.header.game), game
        else:
            self._path, self._writer = game, folder.open_writer(game)
            self.play = Play(self._writer.log, record=self._writer)
        self._failed: _FailedLine | None = None
        # a note whose writing failed: with the same id it is never written twice
        self._failed_note: tuple[Note, NewNote] | None = None
        self.prompt = Prompt(self.play, by=by, language=language)
        self.prompt.offer_taken_back()
        self.news = [] if self._writer is None else self._tell_mended(self._writer)
        # events about which somebody ruled in this session without a reason, in that order
        self._unsaid: dict[str, None] = {}

    @property
    def path(self) -> Path:
        """The file of the game."""
        return self._path

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by its final count or before it."""
        return self.prompt.awaited.kind == "over"

    @property
    def is_on_disk(self) -> bool:
        """Whether there is a file of the game: not before the first line of a new one."""
        return self._new is None

    def __exit__(self, *_error: object) -> None:
        """Close the log."""
        if self._writer is not None:
            self._writer.close()

    def describe_awaited(self) -> str:
        """Who is to do what next."""
        prompt = self.prompt
        return sentences.awaited_text(prompt.awaited, self.play.title, self.play.players, prompt.language)

    def describe_breaches(self) -> list[str]:
        """A sentence for each rule that what is typed breaks, with the assumed values that a breach rests on."""
        reader = sentences.reader_of(self.play.title, self.play.players, self.prompt.language)
        return [
            sentences.breach_text(breach, reader) + sentences.unchecked_text(breach, reader, "=")
            for breach in self.prompt.view.breaches
        ]

    def describe_changes(self, request: Request) -> list[str]:
        """Each amount that a request would change, such as `Anna £10 → £4`."""
        title, prompt = self.play.title, self.prompt
        reader = sentences.reader_of(title, self.play.players, prompt.language)
        return [sentences.change_text(change, reader) for change in prompt.compute_changes(request)]

    def replay_so_far(self) -> Replay:
        """The game as it stands: its events, what is found on them, and which amounts rest on unchecked values."""
        return replay(self.play.log)

    def write(self, request: Request) -> Recorded | None:
        """Write a request; None if that failed, with the reason shown at the prompt and the text kept."""
        try:
            try:
                return self._write_beside_or_into(request)
            except ConflictError as error:
                self.prompt.complain(self._say("somebody-wrote", message=error.message))
                # a file replaced by one of the same bytes is written to all the same
                return self._write_beside_or_into(request) if self._reopen(request) else None
        except StoreError as error:
            self.prompt.complain(error.text_for(Reader(self.prompt.language, minus="-")))
        return None

    def _say(self, key: str, /, **arguments: Argument) -> str:
        """A sentence of the recorder in the language of the screen."""
        return recorder_text(key, self.prompt.language, **arguments)

    def append_line(self, line: Written) -> Recorded:
        """Write a line from elsewhere, such as a transcript; StoreError if that fails."""
        self._make_file()
        # what is no event has no act to describe, and is called by its kind
        act = getattr(line, "do", None)
        sentence = type(line).__name__.lower() if act is None else self.prompt.describe_act(act)
        written = self.play.append(line)
        self.prompt.restart()
        return Recorded(written.n, sentence)

    def _make_file(self) -> None:
        """Write a game that was begun in memory, before its first line."""
        if self._new is not None:
            self._path = self._folder.write_whole(self._new.encode())
            self._new = None
            self._writer = self._folder.open_writer(self._path)
            self.play.attach(self._writer)

    def _write_beside_or_into(self, request: Request) -> Recorded | None:
        """Write a note beside the log, and anything else into it; None where the log changed meanwhile."""
        self._make_file()
        return self._write_note(request) if isinstance(request, Note) else self._write_line(request)

    def _write_note(self, request: Note) -> Recorded:
        """Write a note beside the log."""
        sentence = self.prompt.describe(request)
        failed_request, note = self._failed_note or (None, None)
        if note is None or failed_request != request:
            note = make_note(self.play, request, note_id=make_game_id(), by=self.by, at=now())
            self._failed_note = request, note
        with self._folder.open_notes_writer(self._path) as writer:
            writer.append(note)
        self._failed_note = None
        self.prompt.restart()
        return Recorded(0, sentence)

    def _write_line(self, request: Logged) -> Recorded | None:
        """Append a line to the log, which is opened anew if it was closed."""
        if self._writer is None and not self._reopen(request):
            return None
        sentence = self.prompt.describe(request)
        self._failed = self._make_line(request)
        try:
            written = self.play.append(self._failed.line)
        except StoreError:
            self._close()
            raise
        self._failed = None
        self.prompt.restart_after(request)
        if unsaid := find_unsaid(request, written.n):
            self._unsaid[unsaid] = None
        return Recorded(written.n, sentence)

    def ask_for_reason(self) -> str:
        """Begin a line for who ruled about an event and why, where nobody has said; '' where all is said or asked."""
        if not self._unsaid:
            return ""
        name = next(iter(self._unsaid))
        del self._unsaid[name]
        self.prompt.restart(f"#{name} ;")
        self.prompt.complain(self._say("who-ruled", at=name))
        return name

    def _make_line(self, request: Logged) -> _FailedLine:
        """The line for a request: the first attempt at it, or a new one with its id where others wrote between."""
        first = self._failed if self._failed is not None and self._failed.request == request else None
        if first is not None and first.line.n == len(self.play.log.lines):
            return first
        cmd = make_command_id() if first is None else first.line.cmd
        return _FailedLine(request, make_line(self.play, request, by=self.by, at=now(), cmd=cmd))

    def _close(self) -> None:
        """Close a log that could not be written. The first error is shown already."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            with suppress(StoreError):
                writer.close()

    def _reopen(self, request: Request) -> bool:
        """Read the log again. Returns whether it is unchanged and the request still to be written."""
        prompt, before = self.prompt, self.play.log
        text, message = prompt.inquiry.line or prompt.text, prompt.view.message
        self._close()
        try:
            self._writer = self._folder.open_writer(self._path)
            line = self._confirm_failed(self._writer)
        except SpyriumLogError as error:
            self._close()
            prompt.complain(error.text_for(Reader(prompt.language, minus="-")))
            return False
        is_written = line is not None and self._failed is not None and self._failed.request == request
        self.play.attach(self._writer)
        self.news += self._tell_mended(self._writer)
        prompt.restart("" if is_written else text)
        if line is not None:
            self._failed = None
            complaint = self._say("on-disk" if is_written else "on-disk-look", line=line.n)
        elif change := _describe_change(before, self._writer.log):
            complaint = self._say("changed", message=message or self._say("read-again"), change=change)
        else:
            return True
        prompt.complain(complaint)
        return False

    def _tell_mended(self, writer: Writer) -> list[str]:
        """What was mended when the log was opened, in the language of the screen."""
        return [mended.text_for(Reader(self.prompt.language, minus="-")) for mended in writer.mended]

    def _confirm_failed(self, writer: Writer) -> Written | None:
        """The line whose writing failed, if the file holds it after all; then it is synced to the disk."""
        if self._failed is None:
            return None
        cmd = self._failed.line.cmd
        line = next((line for line in writer.log.lines if line.cmd == cmd), None)
        return None if line is None else writer.append(line)


def recorder_text(key: str, language: str, /, **arguments: Argument) -> str:
    """A sentence of the table `recorder` in a language."""
    return shell_message(f"recorder.{key}", **arguments).text_for(Reader(language))


def _describe_change(before: Log, after: Log) -> Message | None:
    """How the file differs from the log that was read before: `2 lines more than before`; None where it does not."""
    more = len(after.lines) - len(before.lines)
    # the hash of the last line that both have proves all lines before it
    if more < 0 or after.lines[len(before.lines) - 1].hash != before.lines[-1].hash:
        return shell_message("recorder.something-else")
    return shell_message("recorder.more-lines", lines=Count(more, "line")) if more else None


def record_lines(recorder: Recorder, lines: Iterable[str], language: str) -> int:
    """Record each line until the game is over; before each one, say what the table waits for.

    Returns how many were refused.
    """
    say(recorder_text("introduction", language))
    refused, was_over = 0, recorder.is_over
    _say_awaited(recorder)
    lines = iter(lines)
    for line in lines:
        text = line.strip("\r\n")
        if text.strip() == QUIT:
            break
        refused += not record_line(recorder, text, language)
        _say_awaited(recorder)
        if recorder.is_over and not was_over:
            break
    return refused + _ask_for_reasons(recorder, lines, language)


def _ask_for_reasons(recorder: Recorder, lines: Iterator[str], language: str) -> int:
    """Ask who ruled and why, where that was left for later, and note each answer. Returns how many were refused."""
    refused = 0
    while name := recorder.ask_for_reason():
        say(recorder.prompt.view.message)
        answer = next(lines, "").strip()
        if answer:
            refused += not record_line(recorder, f"#{name} ;{answer}", language)
    return refused


def record_line(recorder: Recorder, text: str, language: str) -> bool:
    """Run a line that is a command, or record it. Returns whether it was not refused."""
    return _run_command(recorder, text.strip(), language) or _record_line(recorder, text)


def _say_awaited(recorder: Recorder) -> None:
    """Say the news, who is to do what next, and what Enter alone would record."""
    for news in recorder.news:
        say(news)
    recorder.news.clear()
    view = recorder.prompt.view
    if recorder.prompt.inquiry.asked is not None:
        say(recorder_text("asked", recorder.prompt.language, question=view.question, words=" ".join(view.words)))
        return
    # what was just refused is not proposed again
    request = None if view.refused else view.request
    awaited = recorder.describe_awaited()
    if isinstance(request, Slip):
        say(view.question)
    if request is None:
        say(awaited)
        return
    if recorder.prompt.is_offering:
        say(" · ".join(view.words))
    sentence = recorder.prompt.describe(request)
    say(recorder_text("enter", recorder.prompt.language, awaited=awaited, sentence=sentence))


def _record_line(recorder: Recorder, text: str) -> bool:
    """Record a line, and say before what it changes, or why it is refused. Returns whether it was recorded."""
    prompt = recorder.prompt
    request = prompt.enter_line(text)
    while request is not None and _record_request(recorder, request):
        if not prompt.inquiry.line:
            return True
        request = prompt.resume()
    # what is asked for now is said with what the game waits for
    if request is None and prompt.inquiry.asked is not None and not prompt.view.message:
        return True
    for sentence in _explain_refusal(recorder):
        say(sentence)
    return False


def _record_request(recorder: Recorder, request: Request) -> bool:
    """Record a request, and say before what it changes. Returns whether it was recorded."""
    for sentence in ["; ".join(recorder.describe_changes(request)), *recorder.describe_breaches()]:
        if sentence:
            say(sentence)
    recorded = recorder.write(request)
    if recorded is not None:
        write_recorded(recorded)
    return recorded is not None


def write_recorded(recorded: Recorded) -> None:
    """Print a line that is on the disk now, in the form of `play`."""
    write_line(f"{recorded.n or '':>4}  {recorded.sentence}")


def _run_command(recorder: Recorder, word: str, language: str) -> bool:
    """Run a line that is a command such as `list` and records nothing. Returns False for any other line."""
    prompt, play = recorder.prompt, recorder.play
    # while a value is asked for, both may be answers
    if prompt.inquiry.asked is not None and word in {LIST, ASK}:
        return False
    if shortcuts.is_why(word):
        for sentence in prompt.explain_events(shortcuts.read_why(word)):
            say(sentence)
    elif word == LIST or (word == ASK and prompt.awaited.kind != "deal"):
        # what was typed before would narrow the choices
        prompt.clear()
        if word == ASK:
            prompt.press(word)
        for choice in _list_choices(recorder):
            say(choice)
        prompt.restart()
    elif word == BOARD:
        view = play.title.screens.view(play.state)
        players = players_of(play.log, play.state, recorder.replay_so_far().assumed_holdings[-1])
        draw(*find_renderer(play.title).board(view, players, language))
    elif word == HELP:
        write_note(sentences.title_help(play.title, language), keep="\n")
    else:
        return False
    return True


def _list_choices(recorder: Recorder) -> Iterator[str]:
    """What may be typed, each with what it does: `  12     Anna places a worker …`."""
    prompt = recorder.prompt
    for choice in prompt.view.choices:
        sentence = choice.name if choice.act is None else prompt.describe_with_detail(Act(act=choice.act))
        yield f"  {choice.keys:<6} {sentence}"


def _explain_refusal(recorder: Recorder) -> Iterator[str]:
    """Why nothing was recorded, with what was typed."""
    prompt = recorder.prompt
    view = prompt.view
    if view.refused:
        yield translate("play.refused", prompt.language, text=prompt.text, where="")
        if view.request is not None:
            # short keys were expanded: to what, stands here
            yield f"  {prompt.describe_with_detail(view.request)}"
        yield from (f"  {sentence}" for sentence in recorder.describe_breaches())
        yield f"  {recorder_text('anyway', prompt.language)}"
    else:
        yield recorder_text("not-recorded", prompt.language, text=prompt.text, message=view.message)
    if view.choices:
        yield f"  {recorder_text('nearest' if view.refused else 'may-type', prompt.language)}"
        yield from _list_choices(recorder)
