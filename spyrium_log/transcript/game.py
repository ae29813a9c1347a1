"""A whole log as text for people, and back: first the header as a block of tags, as in a PGN, then one line a line.

[spyrium "game-opening"]            title and id
[seat Anna blue] [seat ...]         player and colour, each seat a tag; then what it starts with if not the usual
[first @2]                          who begins, if not seat 1
[option recruitment-count one]      a reading of the rules
[edition "pl"]                      under which name the readings were chosen
[played "2026-11-18"]  [place "Łódź"]  [source notation]  [rules "1"]
[sheet 0123...]  [sheet {...}]      a sheet that ships, by digest; any other in full
[by "scribe"]  [at ...]  [cmd ...]
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, get_args

import msgspec
from msgspec import structs

from spyrium_log.colours import read_colour
from spyrium_log.edit.amend import Head
from spyrium_log.errors import LogError, NotationError, SheetError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import MAX_LINES, MAX_LOG, Log
from spyrium_log.log.lines import FORMAT, AnyHeader, EventLine, Header, Line, Sealed, SeatAt, Source
from spyrium_log.messages import Alternatives, syntax
from spyrium_log.sheet import Sheet
from spyrium_log.shown import quote
from spyrium_log.title import AnyTitle, option_words
from spyrium_log.transcript.acts import read_value
from spyrium_log.transcript.line import LINE_TAGS, read_line, read_tag, strip_comment, write_line
from spyrium_log.transcript.span import Names, Span, line_span, names_of, quote_if_needed, require_word
from spyrium_log.transcript.statements import Grammar, find_letter
from spyrium_log.transcript.table import Table

_HEADER_TAGS = ("seat", "first", "option", "edition", "played", "place", "source", "rules", "title-format", "sheet")
TAGS = (*_HEADER_TAGS, *LINE_TAGS)
# Five times the lines of the longest log: the rest are comments and empty lines.
MAX_TEXT_LINES = 5 * MAX_LINES


def transcribe(log: Log, *, exact: bool = False) -> Iterator[str]:
    """The log as text, line by line, without newlines; `read_transcript` makes the same events of it.

    `exact` keeps when each line was recorded, by which command, and who signed, so that the same bytes come back; who
    recorded is written wherever it changes.
    """
    play = Table(dataclasses.replace(log, lines=[log.header]))
    yield from _write_header(log.header, log.title)
    yield from _write_tags(log.header, None, exact=exact)
    by = log.header.by
    for line in log.lines[1:]:
        # a signature covers the exact bytes, times and commands included
        is_signed = isinstance(line, Sealed) and not exact
        text = write_line(play, structs.replace(line, signed=None) if is_signed else line)
        text = " ".join([text, *_write_tags(line, by, exact=exact)])
        by = line.by
        if isinstance(line, EventLine):
            round_before = log.title.round(play.state)
            play.follow(line)
            if log.title.round(play.state) != round_before:
                yield from ("", f"# {_write_round_heading(play)}")
        else:
            play.follow(line)
        yield text


def _write_round_heading(play: Table) -> str:
    """The comment before the deal's line: which round begins, and who acts first, as `round 2, Anna begins`."""
    heading = f"round {play.title.round(play.state)}"
    seats = [names_of(play.header).seat_name(seat) for seat in play.awaits().seats]
    return f"{heading}, {' and '.join(seats)} begins" if seats else heading


def _write_tags(line: Line, by: str | None, *, exact: bool) -> Iterator[str]:
    """Who recorded the line, if somebody else than the line before; with `exact` also when and by which command."""
    if line.by != by:
        yield f"[by {quote(line.by)}]"
    if exact and line.at is not None:
        yield f"[at {msgspec.to_builtins(line.at)}]"
    if exact and line.cmd is not None:
        yield f"[cmd {quote(line.cmd)}]"


def _write_header(header: AnyHeader, title: AnyTitle) -> Iterator[str]:
    """The tags of the header, apart from who recorded it and when: only what differs from the usual."""
    yield f"[{title.key} {quote(header.game)}]"
    yield from (_write_seat(seat, title, number) for number, seat in enumerate(header.seats))
    if header.first != 1:
        yield f"[first @{header.first}]"
    for name, value in msgspec.to_builtins(header.options).items():
        yield f"[option {quote_if_needed(name)} {quote_if_needed(value) if isinstance(value, str) else value}]"
    tags = (
        ("edition", header.edition, None),
        ("rules", header.rules, title.rules_version),
        ("title-format", header.title_format, title.title_format),
        ("played", header.played, None),
        ("place", header.place, None),
    )
    for name, value, usual_value in tags:
        if value != usual_value:
            yield f"[{name} {quote(value) if isinstance(value, str) else value}]"
    if header.source != "table":
        yield f"[source {header.source}]"
    yield f"[sheet {_write_sheet(header, title)}]"


def _write_seat(seat: SeatAt[str], title: AnyTitle, number: int) -> str:
    """The tag of a seat, counted from 0: `[seat "Anna" blue £8]`, colour and goods only if they are not the usual."""
    usual_colour, goods = _find_default_colour(title, number), _write_starting_goods(seat, title)
    # goods are read behind a colour only
    is_usual = seat.colour == usual_colour != "" and not goods
    return f"[seat {quote(seat.player)}{'' if is_usual else f' {quote_if_needed(seat.colour)}'}{goods}]"


def _write_sheet(header: AnyHeader, title: AnyTitle) -> str:
    """The digest of the sheet if it is one that ships, else the whole sheet as JSON."""
    for shipped_sheet in title.list_sheets():
        if bytes(header.sheet) == bytes(codec.sheet_bytes(shipped_sheet)):
            return shipped_sheet.digest()
    # nothing in it may end the line: other characters are escaped as in a quoted string, without its quotes
    sheet = bytes(header.sheet).decode()
    return "".join(char if char.isprintable() else quote(char)[1:-1] for char in sheet)


def _find_default_colour(title: AnyTitle, number: int) -> str:
    """The colour of a seat, counted from 0, that a text need not name; '' where the title has fewer colours."""
    return title.colours[number] if number < len(title.colours) else ""


def _write_starting_goods(seat: SeatAt[str], title: AnyTitle) -> str:
    """What a seat starts with, after a blank: empty if it is what everybody has, `-` for nothing at all."""
    if seat.start == tuple(title.start):
        return ""
    return "".join(f" {find_letter(title, what)}{n}" for what, n in seat.start) or " -"


def split_transcript(text: str, file: str = "<text>") -> list[str]:
    """The lines of a text, for `read_transcript`; a text with more lines than any game has is refused."""
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
    reader = _HeaderReader(titles, game=game, by=by)
    table: Table | None = None
    number, text = 1, ""
    for number, raw in enumerate(lines, 1):
        text = raw.rstrip("\r\n")
        with _place_errors(text, file, number):
            span = strip_comment(text)
            if table is None and span.text.startswith("["):
                reader.read_tag_line(span)
            elif span.text:
                table = table or reader.make_table(span, file)
                # the scribe of a line is that of the line before, if it names none
                line = read_line(table, text, by=table.log.lines[-1].by)
                if line is not None:
                    table.append(line)
                    if places is not None:
                        places.append(number)
    if table is None:
        # a game without a line after its header; what is missing of that is missing at the end
        with _place_errors(text, file, number):
            table = reader.make_table(line_span(text).at_end(), file)
    return table.log


@contextmanager
def _place_errors(text: str, file: str, line: int) -> Iterator[None]:
    """Add the file and the line to every error that is raised inside; one of the log becomes one of the text."""
    try:
        yield
    except NotationError as error:
        raise NotationError(error.message, text, error.column, file=file, line=line) from None
    except (LogError, SheetError) as error:
        message = syntax("no-log-content", found=error.message)
        raise NotationError(message, text, 1, file=file, line=line) from None


class _HeaderReader:
    """Reads tags one by one, each checked at its place, and makes the header."""

    def __init__(self, titles: Mapping[str, AnyTitle], *, game: str, by: str) -> None:
        """Nothing is read yet; `game` and `by` are the id and the scribe if no tag names them."""
        self.titles = titles
        self.game = game
        self.title: AnyTitle | None = None
        self.seats: list[SeatAt[str]] = []
        self.options: dict[str, Any] = {}
        self.fields: dict[str, Any] = {}
        self.head: Head = {"n": 0, "by": by}

    def read_tag_line(self, span: Span) -> None:
        """Take one line `[name value]`; the first one names the title."""
        inside = span.cut(1, len(span.text) - 1)
        if not span.text.endswith("]") or not inside.text:
            span.refuse(syntax("header-tag"))
        name = inside.first()
        value = inside.after(name)
        if self.title is None:
            # the first tag, `[spyrium "game-opening"]`
            self.title = self.titles[require_word(name, syntax("game-to-begin"), tuple(self.titles))]
            self.game = value.read_string(syntax("game-id")) if value.text else self.game
        elif name.text == "seat":
            self.seats.append(_read_seat(value, self.title, len(self.seats)))
        elif name.text == "option":
            self._add_option(value, self.title)
        elif name.text in self.fields:
            raise name.error(syntax("tag-again", found=name.text))
        else:
            self.fields[name.text] = self._read_tag_value(name, value, self.title)

    def _add_option(self, value: Span, title: AnyTitle) -> None:
        """Take a reading of the rules: `recruitment-count one`, each option once."""
        words = value.words()
        if len(words) != 2 or words[0].value() in self.options:  # noqa: PLR2004 - the option and its reading
            options = option_words(title.options).items()
            # the first reading of an option is the usual one, and stands in no text
            example = next((f"{name} {readings[-1]}" for name, readings in options), "NAME READING")
            value.refuse(syntax("option", example=example))
        option = {words[0].value(): read_value(words[1])}
        try:
            msgspec.convert(option, title.options)
        except msgspec.ValidationError as error:
            raise value.error(syntax("impossible-option", found=str(error))) from None
        self.options.update(option)

    def _read_tag_value(self, name: Span, value: Span, title: AnyTitle) -> str | int | Sheet | Span:
        """The value of a tag that may stand only once."""
        match require_word(name, syntax("tag"), TAGS):
            case "edition" | "played" | "place" | "rules":
                return value.read_string(syntax("word", word=name.text))
            case "first":
                names = Names([seat.player for seat in self.seats], [seat.colour for seat in self.seats])
                return names.read_seat(value)
            case "source":
                return require_word(value, syntax("source"), get_args(Source))
            case "title-format":
                return value.read_number(syntax("number"))
            case "sheet":
                return _read_sheet(value, title)
            case _:
                # by, at, cmd: of the header as of any line; `fields` only remembers that the tag was there
                self.head[name.text] = read_tag(name, value)
                return value

    def make_table(self, after: Span, file: str) -> Table:
        """The table of the game whose header the tags describe; what is missing is refused at `after`."""
        title = self._check_complete(after)
        sheet: Sheet = self.fields.get("sheet", title.sheet())
        own_fields = ("rules", "edition", "first", "played", "place", "source")
        fields = {name: self.fields[name] for name in own_fields if name in self.fields}
        header: AnyHeader = Header(
            # the tags replace what is usual
            **self.head | {"rules": title.rules_version, "first": 1} | fields,
            format=FORMAT,
            title=title.key,
            title_format=self.fields.get("title-format", title.title_format),
            game=self.game,
            options=msgspec.convert(self.options, title.options),
            seats=tuple(self.seats),
            sheet_digest=sheet.digest(),
            sheet=codec.sheet_bytes(sheet),
            prev=chain.GENESIS,
            hash="",
        )
        return Table(codec.read(codec.Memory(codec.hashed_bytes(header)), self.titles, file))

    def _check_complete(self, after: Span) -> AnyTitle:
        """The title, if the tags name it, the id of the game and who plays."""
        if self.title is None:
            after.refuse(syntax("header-first", example=Alternatives(tuple(f'[{key} "an-id"]' for key in self.titles))))
        if not self.game:
            raise after.error(syntax("no-game-id", example=f'[{self.title.key} "an-id"]'))
        if not self.seats:
            raise after.error(syntax("no-players"))
        return self.title


def _read_sheet(value: Span, title: AnyTitle) -> Sheet:
    """The sheet of a tag: one that ships, by its digest, or a whole sheet as JSON."""
    if re.fullmatch(r"[0-9a-f]{32}", value.text):
        shipped = {sheet.digest(): sheet for sheet in title.list_sheets()}
        if value.text not in shipped:
            value.refuse(syntax("sheet", digest=" or ".join(shipped)))
        return shipped[value.text]
    try:
        return msgspec.json.decode(value.text, type=Sheet)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise value.error(syntax("no-sheet", found=str(error))) from None


def _read_seat(value: Span, title: AnyTitle, number: int) -> SeatAt[str]:
    """The seat of a tag, `"Anna" blue £8 s2`: colour and goods may be left out if they are the usual ones."""
    words = value.words()
    if not words:
        value.refuse(syntax("player"))
    colour = _read_colour(words[1], title) if len(words) > 1 else _find_default_colour(title, number)
    has_goods = len(words) > 2  # noqa: PLR2004 - after the player and the colour
    start = _read_starting_goods(value.after(words[1]), title) if has_goods else tuple(title.start)
    return SeatAt(player=words[0].value(), colour=colour, start=start)


def _read_colour(word: Span, title: AnyTitle) -> str:
    """The colour of a word in any language, as a log has it; another word stays as it is written."""
    colour = read_colour(word.value(), title.colours)
    return colour if colour in title.colours else word.value()


def _read_starting_goods(span: Span, title: AnyTitle) -> tuple[tuple[str, int], ...]:
    """What a seat starts with, each resource and how much of it; `-` alone says that it starts with nothing."""
    amounts, unread = Grammar(title, None, Names((), ()), seat=1).read_amounts(span)
    if unread.text not in ("", "-") or (unread.text and amounts):
        unread.refuse(syntax("amount", example=f"{next(iter(title.words.letters))}8"))
    return tuple((amount.what, amount.n) for amount in amounts)
