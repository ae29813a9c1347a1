"""Somebody records at the table: the prompt, the open log, and what happens when the disk says no.

Nothing counts as done before it is on the disk. A line that failed keeps its command id: opened again, the log says
whether it got there, and it is never written twice.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec import Struct

from spyrium_cli.identity import command_id, game_id, now
from spyrium_cli.render.text import counted
from spyrium_log.entry import wishes
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.wishes import Note, Wish, Written
from spyrium_log.errors import ConflictError, SpyriumLogError, StoreError
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.store import Folder, Writer


class Done(Struct, frozen=True):
    """What was written: its line, or 0 for a note, and its sentence."""

    n: int
    sentence: str


class Recorder:
    """One log open for recording. `news` is what the scribe must know of the file, said once."""

    def __init__(self, folder: Folder, path: Path, *, by: str, language: str) -> None:
        self._folder = folder
        self._path = path
        self.by = by
        self._writer: Writer | None = folder.writer(path)
        self._failed: tuple[Wish, Written] | None = None
        self.news = list(self._writer.report)
        self._told: tuple[int, list[tuple[str, str]]] = (0, [])
        self.play = Play(self._writer.log)
        self.prompt = Prompt(self.play, by=by, language=language)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()

    def write(self, wish: Wish) -> Done | None:
        """On the disk, or None with the prompt saying why not and still holding what was typed."""
        try:
            return self._note(wish) if isinstance(wish, Note) else self._line(wish)
        except ConflictError as error:
            self._complain(f"somebody else wrote this log: {error}")
            self._reopen()
        except StoreError as error:
            self._complain(str(error))
        return None

    def add(self, line: Written) -> Done:
        """A line from elsewhere, such as a transcript; StoreError where it cannot be written."""
        writer = self._open()
        sentence = self._sentence(line)
        written = writer.append(line)
        self.play.add(written)
        self.prompt.settled()
        return Done(written.n, sentence)

    def told(self) -> list[tuple[str, str]]:
        """What stands, event by event; a deal in notation, for it is long enough so."""
        many = len(self.play.log.lines)
        if self._told[0] != many:
            done = replay(self.play.log, audit=False)
            language = self.prompt.language
            told = [(done.name_of(event), self._short(event.do) or said) for event, said in done.sentences(language)]
            self._told = many, told
        return self._told[1]

    def _short(self, act: Any) -> str:
        return self.play.write(act) if isinstance(act, self.play.title.wire.deal) else ""

    def _sentence(self, line: Written) -> str:
        act = getattr(line, "do", None)
        return type(line).__name__.lower() if act is None else self.prompt.told(act)

    def _note(self, wish: Note) -> Done:
        sentence = self.prompt.sentence(wish)
        with self._folder.notes_writer(self._path) as writer:
            writer.append(wishes.note(self.play, wish, note=game_id(), by=self.by, at=now()))
        self.prompt.settled()
        return Done(0, sentence)

    def _line(self, wish: wishes.Logged) -> Done | None:
        if self._writer is None and not self._reopen():
            return None
        writer = self._open()
        sentence = self.prompt.sentence(wish)
        if self._failed is None or self._failed[0] != wish:
            self._failed = (wish, wishes.line(self.play, wish, by=self.by, at=now(), cmd=command_id()))
        try:
            written = writer.append(self._failed[1])
        except StoreError:
            self._close()
            raise
        self._failed = None
        self.play.add(written)
        # a price read off before the card is bought: the move is still to be made
        rest = self.prompt.text.rpartition("=")[0] if isinstance(wish, wishes.Reading) else ""
        self.prompt.settled(rest.strip())
        return Done(written.n, sentence)

    # --- when the file is not what it was ------------------------------------------------------

    def _open(self) -> Writer:
        if self._writer is None:
            raise StoreError(f"expected an open log, found none, at {self._path}")
        return self._writer

    def _close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.close()

    def _reopen(self) -> bool:
        """Read the log anew; whether what was typed is still to be written."""
        text, before = self.prompt.text, len(self.play.log.lines)
        message = self.prompt.shown().message
        self._close()
        try:
            self._writer = self._folder.writer(self._path)
            got_there = self._settle(self._writer)
        except SpyriumLogError as error:
            self._complain(str(error))
            return False
        self.play.log = self._writer.log
        self.play.refresh()
        self.news += self._writer.report
        self.prompt.settled("" if got_there else text)
        more = len(self.play.log.lines) - before
        if got_there:
            self._complain(f"line {len(self.play.log.lines) - 1} is on the disk after all")
        elif more:
            self._complain(
                f"{message or 'the log was read again'}; {counted(more, 'line')} more than before: look again"
            )
            self._failed = None
        return not got_there and not more

    def _settle(self, writer: Writer) -> bool:
        """Whether the line that failed is in the file; then it is made sure of."""
        if self._failed is None:
            return False
        line = self._failed[1]
        if all(other.cmd != line.cmd for other in writer.log.lines):
            return False
        writer.append(line)
        self._failed = None
        return True

    def _complain(self, message: str) -> None:
        self.prompt.complain(message)
