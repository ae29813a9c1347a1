"""Files of a user that are no logs: the component sheet, which people also edit, and the key to sign with."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from spyrium_log.errors import SheetError, SigningError
from spyrium_log.log.seals import SEED_BYTES, Signer, load_signer, make_pem
from spyrium_log.sheet import Printed, Sheet, add_readings, format_sheet, parse_sheet
from spyrium_log.store.files import DISK, Files, make_folders, reading_file, wrap_disk_errors, write_file
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import read_up_to
from spyrium_log.title import AnyTitle

# A key takes some hundred bytes.
MAX_PEM = 1 << 14
# A sheet of 2,000 values is less than half of it; to change the oddest one of this size takes tomlkit 2 s.
MOST_BYTES = 1 << 18

HEAD = """\
# What is printed on your own components, over the sheet that ships. New logs start from it; a log that is there
# keeps the values it was played with.
#
# A table a component, a line a value: what = [value, source, who read it, when]. Sources: rulebook (it says so),
# inferred (it follows from it), assumed (nobody has checked), read (off the component), invented (it is printed
# nowhere). Below source = "read" above the first table, what = value will do. Write in it as you like.

"""


def read_sheet(path: Path, *, files: Files = DISK) -> Sheet | None:
    """The sheet in a file; None where there is no file, or it is empty."""
    with reading_file(files, path, "read-sheet", missing_ok=True) as read:
        toml = _read_sheet_text(read, path)
    return parse_sheet(toml, str(path)) if toml.strip() else None


def write_readings(
    path: Path,
    readings: Sequence[Printed],
    *,
    over: Sheet | AnyTitle,
    name: str,
    files: Files = DISK,
    patience: Patience = AT_ONCE,
) -> Sheet:
    """Write values into the sheet of a file and return the sheet; everything else in the file stays as it is.

    A new file is made with the sheet's `name`. Values that no component of the sheet or title `over` could have are
    refused.
    """
    with wrap_disk_errors("write-sheet", path):
        make_folders(files, path.parent)
        with LockedFile(path, files, "sheet", create=True, patience=patience) as locked:
            old_toml = _read_sheet_text(lambda size: files.read(locked.file, size), path)
            toml = old_toml if old_toml.strip() else format_sheet(Sheet(name=name, printed=()), old_toml + HEAD)
            toml = add_readings(toml, readings, str(path))
            sheet = parse_sheet(toml, str(path))
            # refuses what no component has
            over.with_own_values(sheet)
            if toml != old_toml:
                locked.check_untouched()
                write_file(files, [toml.encode()], path, over=True)
    return sheet


def _read_sheet_text(read: Callable[[int], bytes], path: Path) -> str:
    """The text of a sheet; SheetError where it is too large, or not UTF-8, at which line."""
    raw = read_up_to(read, MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise SheetError("too-large", most=f"{MOST_BYTES:,}", place=f"{path}:1")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SheetError("not-utf8", found=f"0x{raw[error.start]:02x}", place=f"{path}:{line}") from None


def create_key(path: Path) -> Signer:
    """Make a key to sign with, in a new file that only its owner may read; one that is there already stays."""
    pem = make_pem(secrets.token_bytes(SEED_BYTES))
    with wrap_disk_errors("write-key", path):
        write_file(DISK, [pem], path, "secret")
    return load_signer(pem, str(path))


def read_key(path: Path) -> Signer:
    """The key to sign with in a file, or in the pipe of a program that keeps it."""
    with reading_file(DISK, path, "read-key", "stream") as read:
        pem = read_up_to(read, MAX_PEM + 1)
    if len(pem) > MAX_PEM:
        raise SigningError("key-too-large", most=MAX_PEM, place=str(path))
    return load_signer(pem, str(path))
