"""The process that runs one query. It reads the query from stdin, and ends when its parent does."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from threading import Thread
from traceback import format_exc

import click

# loads rich while the parent still brings the index up to date
import spyrium_cli.render.paper  # noqa: F401
from spyrium_cli.complaint import complaint_of
from spyrium_cli.render.rows import write
from spyrium_cli.session import Session
from spyrium_cli.sql.frames import DONE, ERROR, FRAME_SIZE, OPENED, Failure, FrameWriter, Outcome, Request
from spyrium_cli.sql.limits import limit_process
from spyrium_log.errors import QueryMemoryError
from spyrium_log.readmodel.answers import stream_rows, write_rows
from spyrium_log.readmodel.reading import Scratch


def main() -> None:
    """What the process runs: answer the one request that comes on stdin, or none if the parent wants no answer."""
    writer = FrameWriter(_redirect_stdout())
    line = sys.stdin.buffer.readline()
    if line:
        request: Request = json.loads(line)
        scratch = Scratch(limit_process(request["memory"]), Path(request["scratch"]))
        Thread(target=_end_with_parent, args=(scratch,), daemon=True).start()
        try:
            send_answer(request, scratch, writer)
        except OSError:  # nobody reads any more
            scratch.remove()
    # Nothing is left to put away, and a process whose memory is used up might fail at it.
    os._exit(0)


def _redirect_stdout() -> int:
    """Let stdout lead nowhere, as DuckDB and others write to it. Returns the file descriptor of what it was."""
    # 1 is stdout in every process
    output = os.dup(1)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return output


def _end_with_parent(scratch: Scratch) -> None:
    """End this process when the parent ends, for a query may run for hours. Runs in a thread of its own."""
    # stdin, which is 0 in every process, ends when the parent does
    while os.read(0, FRAME_SIZE):
        pass
    scratch.remove()
    os._exit(0)


def send_answer(request: Request, scratch: Scratch, writer: FrameWriter) -> None:
    """Send the answer as frames, or the error."""
    answer = _answer_into_file if request["to"] else _answer_as_text
    try:
        outcome = answer(request, scratch, writer)
    except BrokenPipeError:
        raise
    except BaseException as error:  # noqa: BLE001 - it is shown by whoever asked
        failure = _make_failure(error, request.get("language", "en"))
    else:
        writer.send_message(DONE, outcome._asdict())
        return
    # Here, and not above: as long as an error is at hand, all that was in use when it was raised is held.
    writer.send_message(ERROR, failure)


def _make_failure(error: BaseException, language: str) -> Failure:
    """The error as the parent shows it, while it is being handled."""
    if isinstance(error, MemoryError | QueryMemoryError):
        return Failure(is_memory=True, message="", trace="")
    # an exit or an interrupt has a name, and no sentence for people
    fault = error if isinstance(error, Exception) else RuntimeError(type(error).__name__)
    return Failure(is_memory=False, message=complaint_of(fault, language).message, trace=format_exc())


def _answer_into_file(request: Request, scratch: Scratch, writer: FrameWriter) -> Outcome:
    """Write the answer, with every row, to the file of the request."""
    written = write_rows(
        Path(request["database"]),
        request["sql"],
        request["parameters"],
        Path(request["to"]),
        request["form"],
        unsafe=request["unsafe"],
        scratch=scratch,
    )
    writer.send_message(OPENED, {"held": written.held})
    return Outcome(written.rows, more=False)


def _answer_as_text(request: Request, scratch: Scratch, writer: FrameWriter) -> Outcome:
    """Send the answer as it is to be printed, up to the limit of the request; 0: all of it."""
    query = Path(request["database"]), request["sql"], request["parameters"]
    with stream_rows(*query, unsafe=request["unsafe"], scratch=scratch) as stream, _output_to_parent(request, writer):
        writer.send_message(OPENED, {"held": stream.held})
        limit, counter = request["limit"], count()
        rows = islice(stream.rows, limit) if limit else stream.rows
        # the counter goes on with each row that is read
        write(stream.columns, (row for row, _ in zip(rows, counter, strict=False)), request["form"])
        return Outcome(next(counter), more=bool(limit) and next(stream.rows, None) is not None)


class _Output(io.TextIOWrapper):
    """Stdout with the width and the colours of the parent's."""

    is_screen = False

    def isatty(self) -> bool:
        """Whether the parent writes to a screen: what is drawn here is for that."""
        return self.is_screen

    def flush(self) -> None:
        """Nothing: writers flush after every row, and a frame for each would take most of the time."""

    def finish(self) -> None:
        """Send what is still held back."""
        super().flush()


@contextmanager
def _output_to_parent(request: Request, writer: FrameWriter) -> Iterator[None]:
    """Send to the parent what is printed within, as the command `query` would print it there."""
    session = Session()
    session.flags["color"] = request["colour"]
    session.raw = request["raw"]
    os.environ["COLUMNS"] = str(request["columns"])
    output = _Output(io.BufferedWriter(writer, FRAME_SIZE), encoding=request["encoding"], errors="replace", newline="")
    output.is_screen = request["is_screen"]
    stdout_before, sys.stdout = sys.stdout, output
    try:
        with click.Context(click.Command("query"), obj=session):
            yield
    finally:
        sys.stdout = stdout_before
        # Also before an error: the rows up to it are right.
        with suppress(MemoryError):
            output.finish()
        output.detach()
