"""A whole log as text for people, and back: tags first, then one line a line."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import msgspec
from msgspec import structs

from spyrium_log.errors import LogError, NotationError, SheetError
from spyrium_log.log import codec
from spyrium_log.log.codec import MAX_LINES, MAX_LOG, Log
from spyrium_log.log.lines import Event, EventLine, Line, Sealed
from spyrium_log.messages import syntax
from spyrium_log.play import Play
from spyrium_log.shown import printable, quote
from spyrium_log.title import AnyTitle
from spyrium_log.transcript.header import HeaderReader, write_header
from spyrium_log.transcript.line import read_line, without_comment, write_line
from spyrium_log.transcript.names import names_of
from spyrium_log.transcript.span import Span, line_span
from spyrium_log.transcript.table import Table

# --- writing -------------------------------------------------------------------------------------


def transcribe(log: Log, *, exact: bool = False, numbers: bool = False, language: str | None = None) -> Iterator[str]:
    """The log as text, line by line, without newlines; `read` makes the same events of it.

    `exact` keeps when each line was recorded, by which command, and who signed, so that the same bytes come back; who
    recorded is written wherever it changes. `numbers` puts each line's number before it, `language` a sentence in that
    language behind it.
    """
    play = Table(dataclasses.replace(log, lines=[log.header]))
    yield from write_header(log.header, log.title)
    yield from _tag_texts(log.header, None, exact=exact)
    by = log.header.by
    for line in log.lines[1:]:
        # a signature covers the exact bytes, times and commands included
        is_signed = isinstance(line, Sealed) and not exact
        text = write_line(play, structs.replace(line, signed=None) if is_signed else line)
        if numbers:
            text = f"{line.n}. {text}"
        text = " ".join([text, *_tag_texts(line, by, exact=exact)])
        by = line.by
        if language is not None and isinstance(line, EventLine):
            text += f"  # {printable(_event_sentence(play, line, language))}"
        round_before = log.title.round(play.state) if isinstance(line, EventLine) else 0
        play.follow(line)
        if isinstance(line, EventLine) and log.title.round(play.state) != round_before:
            yield from ("", f"# {_round_heading(play)}")
        yield text


def _round_heading(play: Table) -> str:
    """Which round begins, and who is first to act in it."""
    heading = f"round {play.title.round(play.state)}"
    seats = [names_of(play.header).name(seat) for seat in play.awaits().seats]
    return f"{heading}, {' and '.join(seats)} begins" if seats else heading


def _event_sentence(play: Play, line: Event, language: str) -> str:
    """The event in a sentence of the title; `play` is the game before it."""
    players = [seat.player for seat in play.header.seats]
    return play.title.words.describe(play.state, line.do, line.moved, line.facts, players, language)


def _tag_texts(line: Line, by: str | None, *, exact: bool) -> Iterator[str]:
    """Who recorded the line, if somebody else than the line before; with `exact` also when and by which command."""
    if line.by != by:
        yield f"[by {quote(line.by)}]"
    if exact and line.at is not None:
        yield f"[at {msgspec.json.encode(line.at).decode().strip(chr(34))}]"
    if exact and line.cmd is not None:
        yield f"[cmd {quote(line.cmd)}]"


# --- reading -------------------------------------------------------------------------------------

# Five times the lines of the longest log: the rest are comments and empty lines.
MAX_TEXT_LINES = 5 * MAX_LINES


def split_transcript(text: str, file: str = "<text>") -> list[str]:
    """The lines of a text; a text with more lines than any game has is refused."""
    if len(text) > MAX_LOG:
        raise NotationError(syntax("too-many-characters", most=MAX_LOG), "", 1, file=file, line=1)
    if text.count("\n") >= MAX_TEXT_LINES:
        raise NotationError(syntax("too-many-lines", most=MAX_TEXT_LINES), "", 1, file=file, line=1)
    return text.split("\n")


def read_transcript(
    lines: Iterable[str],
    titles: Mapping[str, AnyTitle],
    file: str = "<text>",
    *,
    game: str = "",
    by: str = "scribe",
    places: list[int] | None = None,
) -> Log:
    """The log that a text describes. `game` is its id and `by` its scribe, if the text names none.

    The first line that says nothing ends it: NotationError with file, line and column. `places` gets the line of the
    text that made each line of the log after its header.
    """
    reader = HeaderReader(titles, game=game, by=by)
    table: Table | None = None
    number, text = 1, ""
    for number, raw in enumerate(lines, 1):
        text = raw.rstrip("\r\n")
        with _errors_placed_at(text, file, number):
            span = without_comment(text)
            if table is None and span.text.startswith("["):
                reader.tag(span)
            elif span.text:
                table = table or _table_of_header(reader, span, file)
                _append_text(table, text)
                if places is not None and len(places) < len(table.log.lines) - 1:
                    places.append(number)
    if table is None:
        with _errors_placed_at(text, file, number):
            table = _table_of_header(reader, line_span(text).at_end(), file)
    return table.log


@contextmanager
def _errors_placed_at(text: str, file: str, line: int) -> Iterator[None]:
    """Add the file and the line to every error that is raised inside; one of the log becomes one of the text."""
    try:
        yield
    except NotationError as error:
        raise NotationError(error.message, text, error.column, file=file, line=line) from None
    except (LogError, SheetError) as error:
        message = syntax("no-log-content", found=error.message)
        raise NotationError(message, text, 1, file=file, line=line) from None


def _table_of_header(reader: HeaderReader, after: Span, file: str) -> Table:
    """The table of a game of which only the header was read; `after` is where errors about it point."""
    header = reader.header(after)
    return Table(codec.read(codec.Memory(codec.hashed_bytes(header)), reader.titles, file))


def _append_text(table: Table, text: str) -> None:
    """Append the line that a line of text describes, if it describes one. Its scribe is that of the line before."""
    line = read_line(table, text, by=table.log.lines[-1].by)
    if line is not None:
        table.append(line)
