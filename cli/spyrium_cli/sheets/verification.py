"""Going through printed values one by one, at a keyboard or from lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint
from spyrium_cli.sheets.lookup import parse_value, value_text
from spyrium_cli.terminal import write_line, write_note

if TYPE_CHECKING:
    from spyrium_log.sheet import Printed, Sheet

ASKED = "Enter: it is so. A value: it is that. s: skip. q: enough."
# No value is longer.
LONGEST = 200


class Walk:
    """One person with a box of cards. `take` writes a value down."""

    def __init__(
        self, sheet: Sheet, take: Callable[[Printed], None], by: str, at: str, name_of: Callable[[str], str]
    ) -> None:
        self._sheet = sheet
        self._take = take
        self._by = by
        self._at = at
        self._name_of = name_of
        self._lines = 0
        self.kept = 0
        self.corrected = 0
        self.skipped = 0

    def through(self, rows: Iterable[Printed]) -> None:
        """Ask for each value until somebody has enough, or the lines end."""
        is_asked = sys.stdin.isatty()
        card = ""
        if is_asked:
            write_note(ASKED)
        for row in rows:
            if is_asked and row.of != card:
                write_note()
                write_note(f"{self._name_of(row.of)} ({row.of})")
            card = row.of
            if not self._settled(row, is_asked=is_asked):
                return

    def _settled(self, row: Printed, *, is_asked: bool) -> bool:
        """Whether to go on: the value was kept, corrected or skipped. A person who slips is asked again."""
        while True:
            if is_asked:
                write_note(f"  {row.what:<9} {value_text(row)} ", end="")
            said = sys.stdin.readline(LONGEST)
            self._lines += 1
            word = said.strip()
            if not said or word == "q":
                return False
            if word == "s":
                self.skipped += 1
                return True
            try:
                self._answered(row, word)
            except Complaint as complaint:
                if not is_asked:
                    raise Complaint(f"{complaint.message}, at <stdin>:{self._lines}") from None
                complaint.show()
            else:
                return True

    def _answered(self, row: Printed, word: str) -> None:
        from msgspec.structs import replace

        value = parse_value(self._sheet, row.of, row.what, word) if word else row.value
        read = replace(row, value=value, source="read", by=self._by, at=self._at)
        self._take(read)
        if value == row.value:
            self.kept += 1
        else:
            self.corrected += 1
        if not sys.stdin.isatty():
            write_line(f"{row.of} {row.what} {value_text(read)}")
