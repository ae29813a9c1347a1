"""A sheet in somebody's editor: what they changed there becomes readings, and what cannot be read is kept for them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs

from spyrium_cli.complaint import Refusal
from spyrium_cli.terminal import confirm

if TYPE_CHECKING:
    from spyrium_log.sheet import Printed, Sheet, Source

HEAD = """\
# [value, source, who read it, when]. Change a value and leave the rest: it is yours then, as read today.
# What you take out here stays as it is.
"""


def edited(sheet: Sheet, rows: Sequence[Printed], source: Source, who: str, when: str) -> list[Printed]:
    """What somebody made of these values of the sheet, nothing where they left them."""
    from spyrium_cli.complaint import Complaint
    from spyrium_cli.render.surface import say
    from spyrium_log.errors import SheetError
    from spyrium_log.sheet import Sheet, toml_of

    if not sys.stdin.isatty() and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise click.UsageError("expected CARD WHAT VALUE, found nobody at a terminal to edit a sheet")
    file, name = tempfile.mkstemp(prefix="spyrium-sheet-", suffix=".toml")
    path = Path(name)
    with os.fdopen(file, "wb") as begun:
        begun.write(toml_of(Sheet(name=sheet.name, printed=tuple(rows)), HEAD).encode())
    while True:
        click.edit(filename=str(path))
        try:
            found = _readings(sheet, path, source, who, when)
        except (Complaint, SheetError, UnicodeDecodeError) as error:
            say(str(error))
            if not sys.stdin.isatty() or not confirm("Edit it again?", default=True):
                raise Refusal(f"nothing was written; what you typed is at {path}") from None
        else:
            path.unlink()
            return found


def _readings(sheet: Sheet, path: Path, source: Source, who: str, when: str) -> list[Printed]:
    """The values that are said otherwise; one that only its number says otherwise was read by whoever changed it."""
    from spyrium_cli.sheets.lookup import parse_value, read_sheet_file

    before = sheet.table()
    found = []
    for row in read_sheet_file(path).printed:
        parse_value(sheet, row.of, row.what, str(row.value))
        was = before.get((row.of, row.what))
        if row == was:
            continue
        is_only_value = was is None or row == structs.replace(was, value=row.value)
        found.append(structs.replace(row, source=source, by=who, at=when) if is_only_value else row)
    return found
