"""A sheet changed in the user's editor."""

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


def edit_values(sheet: Sheet, rows: Sequence[Printed], source: Source, who: str, when: str) -> list[Printed]:
    """The values that the user changed. Refusal where the text is wrong and stays so; it is kept in its file."""
    from spyrium_cli.complaint import Complaint
    from spyrium_cli.render.surface import say
    from spyrium_log.errors import SheetError
    from spyrium_log.sheet import Sheet, toml_of

    if not sys.stdin.isatty() and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise click.UsageError("expected CARD WHAT VALUE, found nobody at a terminal to edit a sheet")
    file, name = tempfile.mkstemp(prefix="spyrium-sheet-", suffix=".toml")
    path = Path(name)
    with os.fdopen(file, "wb") as sheet_file:
        sheet_file.write(toml_of(Sheet(name=sheet.name, printed=tuple(rows)), HEAD).encode())
    while True:
        click.edit(filename=str(path))
        try:
            changed = _changed_values(sheet, path, source, who, when)
        except (Complaint, SheetError, UnicodeDecodeError) as error:
            say(str(error))
            if not sys.stdin.isatty() or not confirm("Edit it again?", default=True):
                raise Refusal(f"nothing was written; what you typed is at {path}") from None
        else:
            path.unlink()
            return changed


def _changed_values(sheet: Sheet, path: Path, source: Source, who: str, when: str) -> list[Printed]:
    """The values that differ. One whose source was left as it was is read by `who` now."""
    from spyrium_cli.sheets.lookup import parse_value, read_sheet_file

    rows_before = sheet.table()
    changed = []
    for row in read_sheet_file(path).printed:
        parse_value(sheet, row.of, row.what, str(row.value))
        old_row = rows_before.get((row.of, row.what))
        if row == old_row:
            continue
        keeps_source = old_row is None or row == structs.replace(old_row, value=row.value)
        changed.append(structs.replace(row, source=source, by=who, at=when) if keeps_source else row)
    return changed
