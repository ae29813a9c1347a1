"""A game's first line as a block of tags, as in a PGN: what differs from the usual, and nothing else.

[spyrium "game-opening"]            title and id
[seat Anna blue] [seat ...]         player and colour, each seat a tag; then what it starts with if not the usual
[first @2]                          who begins, if not seat 1
[option recruitment-count one]      a reading of the rules
[edition "pl"]                      under which name the readings were chosen
[played "2026-11-18"]  [place "Łódź"]  [source notation]  [rules "1"]
[sheet 0123...]  [sheet {...}]      the sheet that ships, by digest; any other in full
[by "scribe"]  [at ...]  [cmd ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec

from spyrium_log.log import chain, codec
from spyrium_log.log.lines import FORMAT, AnyHeader, Header, SeatAt, Source
from spyrium_log.messages import syntax
from spyrium_log.sheet import Sheet
from spyrium_log.shown import quote
from spyrium_log.title import AnyTitle, option_words
from spyrium_log.transcript.aside import Head
from spyrium_log.transcript.line import read_tag
from spyrium_log.transcript.names import Names
from spyrium_log.transcript.span import Span, require_word, word_text
from spyrium_log.transcript.statements import Grammar, find_letter

TAGS = (
    "seat",
    "first",
    "option",
    "edition",
    "played",
    "place",
    "source",
    "rules",
    "title-format",
    "sheet",
    "by",
    "at",
    "cmd",
)


def write_header(header: AnyHeader, title: AnyTitle) -> Iterator[str]:
    """The tags of the header, apart from who recorded it and when."""
    yield f"[{title.key} {quote(header.game)}]"
    for number, seat in enumerate(header.seats):
        default_colour = title.colours[number] if number < len(title.colours) else ""
        is_default = seat.colour == default_colour and default_colour and seat.start == tuple(title.start)
        colour = "" if is_default else f" {word_text(seat.colour)}"
        yield f"[seat {quote(seat.player)}{colour}{_starting_goods_text(seat, title)}]"
    if header.first != 1:
        yield f"[first @{header.first}]"
    for name, value in msgspec.to_builtins(header.options).items():
        yield f"[option {word_text(name)} {word_text(value) if isinstance(value, str) else value}]"
    if header.edition is not None:
        yield f"[edition {quote(header.edition)}]"
    if header.rules != title.rules_version:
        yield f"[rules {quote(header.rules)}]"
    if header.title_format != title.title_format:
        yield f"[title-format {header.title_format}]"
    if header.played is not None:
        yield f"[played {quote(header.played)}]"
    if header.place is not None:
        yield f"[place {quote(header.place)}]"
    if header.source != "table":
        yield f"[source {header.source}]"
    shipped_sheet = title.sheet()
    if bytes(header.sheet) == bytes(codec.sheet_bytes(shipped_sheet)):
        yield f"[sheet {shipped_sheet.digest()}]"
    else:
        yield f"[sheet {_printable_json(bytes(header.sheet).decode())}]"


def _starting_goods_text(seat: SeatAt[str], title: AnyTitle) -> str:
    """What a seat starts with, after a blank: empty if it is what everybody has, `-` for nothing at all."""
    if seat.start == tuple(title.start):
        return ""
    return "".join(f" {find_letter(title, what)}{n}" for what, n in seat.start) or " -"


def _printable_json(json_text: str) -> str:
    """The JSON with nothing in it that ends a line."""
    return "".join(char if char.isprintable() else quote(char)[1:-1] for char in json_text)


# --- reading -------------------------------------------------------------------------------------


class HeaderReader:
    """Reads tags one by one, each checked at its place, and makes the header."""

    def __init__(self, titles: Mapping[str, AnyTitle], *, game: str, by: str) -> None:
        self.titles = titles
        self.game = game
        self.title: AnyTitle | None = None
        self.seats: list[SeatAt[str]] = []
        self.options: dict[str, Any] = {}
        self.fields: dict[str, Any] = {}
        self.head: Head = {"by": by}

    def tag(self, span: Span) -> None:
        """One line `[name value]`."""
        inside = span.cut(1, len(span.text) - 1)
        if not span.text.endswith("]") or not inside.text:
            span.refuse(syntax("header-tag"))
        name = inside.first()
        value = inside.after(name)
        if self.title is None:
            self._set_title_and_game(name, value)
        elif name.text == "seat":
            self.seats.append(_read_seat(value, self.title, len(self.seats)))
        elif name.text == "option":
            self._add_option(value, self.title)
        elif name.text in self.fields:
            raise name.error(syntax("tag-again", found=name.text))
        else:
            self.fields[name.text] = self._read_tag_value(name, value, self.title)

    def _set_title_and_game(self, name: Span, value: Span) -> None:
        """The first tag, `[spyrium "game-opening"]`: which title, and the id of the game."""
        self.title = self.titles[require_word(name, syntax("game-to-begin"), tuple(self.titles))]
        if value.text:
            self.game = value.string(syntax("game-id"))

    def _add_option(self, value: Span, title: AnyTitle) -> None:
        """A reading of the rules: `recruitment-count one`, each option once."""
        words = value.words()
        if len(words) != 2 or words[0].value() in self.options:  # noqa: PLR2004 - the option and its reading
            value.refuse(syntax("option", example=_option_example(title)))
        chosen = {words[0].value(): _read_option_value(words[1])}
        try:
            msgspec.convert(chosen, title.options)
        except msgspec.ValidationError as error:
            raise value.error(syntax("impossible-option", found=str(error))) from None
        self.options.update(chosen)

    def _read_tag_value(self, name: Span, value: Span, title: AnyTitle) -> Any:
        """The value of a tag that may stand only once."""
        match require_word(name, syntax("tag"), TAGS):
            case "edition" | "played" | "place" | "rules":
                return value.string(syntax("word", word=name.text))
            case "first":
                return _names_of_seats(self.seats).seat(value)
            case "source":
                return require_word(value, syntax("source"), get_args(Source))
            case "title-format":
                return value.number(syntax("number"))
            case "sheet":
                return _read_sheet(value, title)
            case _:
                # by, at, cmd: of the header as of any line; `fields` only remembers that the tag was there
                self.head[name.text] = read_tag(name, value)
                return value

    def header(self, after: Span) -> AnyHeader:
        """The header that the tags describe; `after` is where the game begins, for errors."""
        title = self.title
        if title is None:
            after.refuse(syntax("header-first", example=" or ".join(f'[{key} "an-id"]' for key in self.titles)))
        if not self.game:
            raise after.error(syntax("no-game-id", example=f'[{title.key} "an-id"]'))
        if not self.seats:
            raise after.error(syntax("no-players"))
        sheet: Sheet = self.fields.get("sheet", title.sheet())
        header: AnyHeader = Header(
            **{"n": 0, **self.head},
            format=FORMAT,
            title=title.key,
            title_format=self.fields.get("title-format", title.title_format),
            game=self.game,
            rules=self.fields.get("rules", title.rules_version),
            options=msgspec.convert(self.options, title.options),
            edition=self.fields.get("edition"),
            seats=tuple(self.seats),
            first=self.fields.get("first", 1),
            played=self.fields.get("played"),
            place=self.fields.get("place"),
            source=self.fields.get("source", "table"),
            sheet_digest=sheet.digest(),
            sheet=codec.sheet_bytes(sheet),
            prev=chain.GENESIS,
            hash="",
        )
        return header


def _read_sheet(value: Span, title: AnyTitle) -> Sheet:
    """The sheet that ships, by its digest, or a whole sheet."""
    shipped_sheet = title.sheet()
    if re.fullmatch(r"[0-9a-f]{32}", value.text):
        if value.text != shipped_sheet.digest():
            value.refuse(syntax("sheet", digest=shipped_sheet.digest()))
        return shipped_sheet
    try:
        return msgspec.json.decode(value.text, type=Sheet)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise value.error(syntax("no-sheet", found=str(error))) from None


def _names_of_seats(seats: Sequence[SeatAt[str]]) -> Names:
    """The names of the seats read so far."""
    return Names([seat.player for seat in seats], [seat.colour for seat in seats])


def _option_example(title: AnyTitle) -> str:
    """The first option with its last reading: `recruitment-count one-per-pound`."""
    return next((f"{name} {words[-1]}" for name, words in option_words(title.options).items()), "NAME READING")


def _read_seat(value: Span, title: AnyTitle, number: int) -> SeatAt[str]:
    """`"Anna" blue £8 s2`: the colour may be left out, and so may what everybody starts with."""
    words = value.words()
    if not words:
        value.refuse(syntax("player"))
    default_colour = title.colours[number] if number < len(title.colours) else ""
    colour = words[1].value() if len(words) > 1 else default_colour
    start = tuple(title.start)
    if len(words) > 2:  # noqa: PLR2004 - after the player and the colour
        amounts, rest = Grammar(title, None, Names((), ()), seat=1).amounts(value.after(words[1]))
        if rest.text not in ("", "-") or (rest.text and amounts):
            rest.refuse(syntax("amount", example=f"{next(iter(title.words.letters))}8"))
        start = tuple((amount.what, amount.n) for amount in amounts)
    return SeatAt(player=words[0].value(), colour=colour, start=start)


def _read_option_value(span: Span) -> int | bool | str:
    """The reading of an option: a number, a truth, or a word."""
    if re.fullmatch(r"-?[0-9]{1,6}", span.text):
        return int(span.text)
    return span.text == "true" if span.text in ("true", "false") else span.value()
