"""Values that somebody reads off the components: changed in an editor, verified one by one, saved in a sheet."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click
from msgspec import structs

from spyrium_cli.complaint import (
    Complaint,
    Refusal,
    WrongCall,
    call_message,
    complaint_of,
    shell_message,
    spoken,
    translate_error,
)
from spyrium_cli.identity import today, user_name
from spyrium_cli.options import LONGEST_ID, patience_of
from spyrium_cli.render.surface import is_terminal, say, tell
from spyrium_cli.session import Session, current_language
from spyrium_cli.sheets.lookup import check_rows, format_reading, format_value, parse_value, read_sheet_file
from spyrium_cli.terminal import confirm, write_line, write_note
from spyrium_log.errors import SheetError
from spyrium_log.exchange.values import parse_day
from spyrium_log.messages import Component, Reader
from spyrium_log.printed import PrintedName
from spyrium_log.sheet import Printed, Sheet, Source, format_sheet
from spyrium_log.store import write_readings
from spyrium_log.title import AnyTitle

HEAD = """\
# [value, source, who read it, when]. Change a value and leave the rest: it is yours then, as read today.
# What you take out here stays as it is.
"""
LONGEST_ANSWER = 200


class Signature(NamedTuple):
    """Where a value comes from, who says so, and the day."""

    source: Source
    by: str
    day: str

    @classmethod
    def of_call(cls, by: str | None, day: str | None = None, source: Source = "read") -> Signature:
        """The signature for the options of a call (default: the user, today)."""
        return cls(source, reader_name(by), today() if day is None else parse_day(day))

    def sign(self, row: Printed, value: int | str) -> Printed:
        """The row with this value, and with who says so in place of who said so before."""
        return structs.replace(row, value=value, source=self.source, by=self.by, at=self.day)


def reader_name(by: str | None) -> str:
    """Who reads the values (default: the user)."""
    name = by or user_name()
    if len(name) > LONGEST_ID:
        raise WrongCall("too-long", most=LONGEST_ID, option="--by", found=len(name))
    return name


def save_readings(session: Session, title: AnyTitle, path: Path, rows: Sequence[Printed], by: str) -> None:
    """Write values into a sheet file, which is made where it is not there yet."""
    write_readings(path, rows, over=title, name=f"{by}'s own", patience=patience_of(session))


def choose_readings(sheet: Sheet, rows: Iterable[Printed], reader: Reader, *, anyway: bool = False) -> list[Printed]:
    """The values that are to go into the sheet: those that differ from it, and say more than it does.

    Where two people read one value differently both readings are shown, and a person decides: at a terminal by an
    answer, otherwise by `anyway`, which takes the new ones. Without an answer the sheet keeps its own.
    """
    known = sheet.rows_by_key()
    chosen = []
    for row in sheet.drop_weaker(*rows):
        old = known.get((row.of, row.what))
        if old == row:
            continue
        if old is not None and old.source == "read" and old.value != row.value:
            card, what = Component(row.of).text_for(reader), reader.title_word("values", row.what)
            own, other = (format_reading(each, reader) for each in (old, row))
            tell("sheet.in-both", card=card, what=what, own=own, other=other)
            question = spoken(shell_message("sheet.take", value=format_value(row, reader)))
            is_taken = anyway or (is_terminal() and confirm(question))
            if not is_taken:
                continue
        chosen.append(row)
    return chosen


def edit_values(title: AnyTitle, sheet: Sheet, rows: Sequence[Printed], signature: Signature) -> list[Printed]:
    """The values that the user changed in an editor. Refusal where the text stays wrong; it is kept in its file."""
    if not sys.stdin.isatty() and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise WrongCall("sheet-terminal")
    file, name = tempfile.mkstemp(prefix="spyrium-sheet-", suffix=".toml")
    path = Path(name)
    with os.fdopen(file, "wb") as sheet_file:
        sheet_file.write(format_sheet(Sheet(name=sheet.name, printed=tuple(rows)), HEAD).encode())
    while True:
        click.edit(filename=name)
        try:
            changed_rows = _read_changed_rows(title, sheet, path, signature)
        except (Complaint, SheetError, UnicodeDecodeError) as error:
            say(complaint_of(error, current_language()).message)
            if not sys.stdin.isatty() or not confirm(spoken(shell_message("said.edit-again")), default=True):
                raise Refusal(shell_message("said.typed-at", place=str(path))) from None
        else:
            path.unlink()
            return changed_rows


def _read_changed_rows(title: AnyTitle, sheet: Sheet, path: Path, signature: Signature) -> list[Printed]:
    """The rows of a file that differ from the sheet; signed where only the value was changed."""
    rows_before = sheet.rows_by_key()
    changed = []
    rows = read_sheet_file(path).printed
    check_rows(title, sheet, rows)
    for row in rows:
        old_row = rows_before.get((row.of, row.what))
        if row != old_row:
            keeps_source = old_row is None or row == structs.replace(old_row, value=row.value)
            changed.append(signature.sign(row, row.value) if keeps_source else row)
    return changed


@dataclass(slots=True)
class Verification:
    """Asks for values, at a terminal or from lines of stdin, and counts the answers.

    `save` writes a value into the sheet; `component_name` gives the name of a card by its id.
    """

    title: AnyTitle
    sheet: Sheet
    save: Callable[[Printed], None]
    signature: Signature
    component_name: Callable[[str], str]
    reader: Reader
    lines_read: int = 0
    kept: int = 0
    corrected: int = 0
    skipped: int = 0

    def run(self, rows: Iterable[Printed]) -> None:
        """Ask for each value until `q` or the end of input."""
        has_terminal = sys.stdin.isatty()
        if has_terminal:
            write_note(spoken(shell_message("sheet.keys")))
        cards = [(card, list(values)) for card, values in groupby(rows, key=lambda row: row.of)]
        for number, (card, values) in enumerate(cards, 1):
            if has_terminal:
                write_note()
                name, last = self.component_name(card), len(cards)
                write_note(spoken(shell_message("sheet.card-number", name=name, card=card, n=number, last=last)))
            for row in values:
                if not self._ask_for(row, is_terminal=has_terminal):
                    return

    def _ask_for(self, row: Printed, *, is_terminal: bool) -> bool:
        """Ask for a value, at a terminal until it is valid. Returns False to end."""
        while True:
            if is_terminal:
                what = self.reader.title_word("values", row.what)
                write_note(f"  {what:<9} {format_value(row, self.reader)} ", end="")
            line = sys.stdin.readline(LONGEST_ANSWER)
            self.lines_read += 1
            answer = line.strip()
            if not line or answer == "q":
                return False
            if answer == "s":
                self.skipped += 1
                return True
            try:
                self._save_answer(row, answer)
            except Complaint as complaint:
                if not is_terminal:
                    place = f"<stdin>:{self.lines_read}"
                    raise Complaint(call_message("at", message=complaint.sentence, place=place)) from None
                translate_error(complaint, current_language()).show()
            else:
                return True

    def _save_answer(self, row: Printed, answer: str) -> None:
        """Save the value; an empty answer confirms the one on the sheet."""
        value = parse_value(self.title, self.sheet, row.of, row.what, answer) if answer else row.value
        signed_row = self.signature.sign(row, value)
        self.save(signed_row)
        if value == row.value:
            self.kept += 1
        else:
            self.corrected += 1
        if not sys.stdin.isatty():
            name = PrintedName(row.of, row.what).text_for(self.reader)
            write_line(f"{name} {format_value(signed_row, self.reader)}")
