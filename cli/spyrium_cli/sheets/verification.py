"""Checking printed values one by one, at a keyboard or from lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint
from spyrium_cli.sheets.lookup import parse_value, value_text
from spyrium_cli.terminal import write_line, write_note

if TYPE_CHECKING:
    from spyrium_log.sheet import Printed, Sheet

KEYS = "Enter: it is so. A value: it is that. s: skip. q: enough."
LONGEST_VALUE = 200


class Verification:
    """Asks for values, and counts the answers. `save` writes a value into the sheet."""

    def __init__(
        self, sheet: Sheet, save: Callable[[Printed], None], by: str, at: str, name_of: Callable[[str], str]
    ) -> None:
        self._sheet = sheet
        self._save = save
        self._by = by
        self._at = at
        self._name_of = name_of
        # lines of input so far
        self._lines = 0
        self.kept = 0
        self.corrected = 0
        self.skipped = 0

    def run(self, rows: Iterable[Printed]) -> None:
        """Ask for each value until `q` or the end of input."""
        is_terminal = sys.stdin.isatty()
        card = ""
        if is_terminal:
            write_note(KEYS)
        for row in rows:
            if is_terminal and row.of != card:
                write_note()
                write_note(f"{self._name_of(row.of)} ({row.of})")
            card = row.of
            if not self._ask_for(row, is_terminal=is_terminal):
                return

    def _ask_for(self, row: Printed, *, is_terminal: bool) -> bool:
        """Ask for a value, at a terminal until it is valid. Returns False to end."""
        while True:
            if is_terminal:
                write_note(f"  {row.what:<9} {value_text(row)} ", end="")
            line = sys.stdin.readline(LONGEST_VALUE)
            self._lines += 1
            word = line.strip()
            if not line or word == "q":
                return False
            if word == "s":
                self.skipped += 1
                return True
            try:
                self._save_answer(row, word)
            except Complaint as complaint:
                if not is_terminal:
                    raise Complaint(f"{complaint.message}, at <stdin>:{self._lines}") from None
                complaint.show()
            else:
                return True

    def _save_answer(self, row: Printed, word: str) -> None:
        """Save the value; an empty word confirms the one on the sheet."""
        from msgspec.structs import replace

        value = parse_value(self._sheet, row.of, row.what, word) if word else row.value
        checked_row = replace(row, value=value, source="read", by=self._by, at=self._at)
        self._save(checked_row)
        if value == row.value:
            self.kept += 1
        else:
            self.corrected += 1
        if not sys.stdin.isatty():
            write_line(f"{row.of} {row.what} {value_text(checked_row)}")
