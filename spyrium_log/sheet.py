"""Component sheets: what is printed on cards and boards, every value with its source."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from spyrium_log.checks import check_type
from spyrium_log.errors import SheetError
from spyrium_log.toml import read_toml

Source: TypeAlias = Literal["rulebook", "inferred", "assumed", "read", "invented"]

MOST_VALUES = 2000
# A component may have more of a numbered value than the sheet prints.
_NUMBERED = re.compile(r"(.+-)[0-9]+")


class Printed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=True):
    """One printed value of a component, and who says so. An array on the wire, for every log holds a sheet."""

    of: Annotated[str, Meta(max_length=40)]
    what: Annotated[str, Meta(max_length=40)]
    value: Annotated[int, Meta(ge=-9999, le=9999)] | Annotated[str, Meta(max_length=80)]
    source: Source
    by: Annotated[str, Meta(max_length=80)] = ""
    at: Annotated[str, Meta(max_length=40)] = ""


class Sheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The printed values of a title's components."""

    name: Annotated[str, Meta(max_length=80)]
    printed: Annotated[tuple[Printed, ...], Meta(max_length=MOST_VALUES)]

    def digest(self) -> str:
        """A short hash of the values, by which two sheets are told apart."""
        return hashlib.sha256(msgspec.json.encode(self.printed)).hexdigest()[:32]

    def table(self) -> dict[tuple[str, str], Printed]:
        """The values by component and name. SheetError where one is printed twice."""
        rows: dict[tuple[str, str], Printed] = {}
        for row in self.printed:
            if rows.setdefault((row.of, row.what), row) is not row:
                raise SheetError(f"a value is printed once, found '{row.of} {row.what}' twice in sheet '{self.name}'")
        return rows

    def overlaid(self, *readings: Printed, name: str = "") -> Sheet:
        """The sheet with these values in place of its own."""
        if not readings:
            return self
        for row in readings:
            check_type(row, Printed, "printed-value")
        rows = self.table()
        for row in readings:
            rows[row.of, row.what] = row
        # A new value stands with its component, so that writing and reading it back keeps the order.
        order = {of: index for index, of in enumerate(dict.fromkeys(of for of, _ in rows))}
        printed = sorted(rows.values(), key=lambda row: order[row.of])
        return Sheet(name=name or self.name, printed=tuple(printed))

    def like(self, what: str) -> list[Printed]:
        """The rows of this value; where it has none, of its numbered kin: `space-12` is like `space-1`."""
        check_type(what, str, "value-name")
        rows = [row for row in self.printed if row.what == what]
        numbered = _NUMBERED.fullmatch(what)
        if rows or not numbered:
            return rows
        return [row for row in self.printed if (kin := _NUMBERED.fullmatch(row.what)) and kin[1] == numbered[1]]

    def owned(self, own: Sheet) -> Sheet:
        """The same sheet with the values of somebody's own. A value that no component could have is refused."""
        check_type(own, Sheet, "sheet")
        components = {row.of for row in self.printed}
        for row in own.printed:
            if row.of not in components:
                raise SheetError(f"expected a component of sheet '{self.name}', found '{row.of}' in '{own.name}'")
            if not self.like(row.what):
                known = ", ".join(sorted({each.what for each in self.printed}))
                raise SheetError(f"expected one of {known}, found '{row.what}' of '{row.of}' in '{own.name}'")
        return self.overlaid(*own.printed, name=own.name)


# --- two sheets ----------------------------------------------------------------------------------


class Difference(Struct, frozen=True, kw_only=True):
    """A value that differs between two sheets, or its source does; None where a sheet lacks it."""

    of: str
    what: str
    before: Printed | None
    after: Printed | None

    @property
    def kind(self) -> Literal["added", "removed", "value", "source"]:
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        return "source" if self.before.value == self.after.value else "value"


def differences(before: Sheet, after: Sheet) -> list[Difference]:
    """The changes from one sheet to another, in the order of the first."""
    old, new = before.table(), after.table()
    return [
        Difference(of=of, what=what, before=old.get((of, what)), after=new.get((of, what)))
        for of, what in dict.fromkeys((*old, *new))
        if old.get((of, what)) != new.get((of, what))
    ]


# --- as TOML -------------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEY = r"""("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)"""
_TABLE = re.compile(rf"\s*\[\s*{_KEY}\s*\]\s*(?:#.*)?")
_VALUE = re.compile(rf"\s*{_KEY}\s*=")
_AT_LINE = re.compile(r"\(at line (\d+)")


def parse_sheet(toml: str, file: str = "<sheet>") -> Sheet:
    """Read a sheet in TOML: a table a component, `what = [value, source]`, with who read it and when."""
    check_type(toml, str, "sheet-toml")
    try:
        tables = read_toml(toml)
    except (ValueError, RecursionError) as error:
        position = _AT_LINE.search(str(error))
        problem = (
            "tables in tables without end" if isinstance(error, RecursionError) else str(error).partition(" (at")[0]
        )
        line = int(position[1]) if position else toml.count("\n") + 1
        raise SheetError(f"expected a sheet written as TOML, found: {problem}, at {file}:{line}") from None
    name = tables.pop("name", None)
    rows = tuple(_rows(tables, toml, file))
    try:
        return msgspec.convert({"name": name, "printed": [msgspec.to_builtins(row) for row in rows]}, Sheet)
    except msgspec.ValidationError as error:
        expected = f"a name and at most {MOST_VALUES} values"
        raise SheetError(f"expected {expected}, found: {_lower(error)}, at {file}:1") from None


def _rows(tables: dict[str, Any], toml: str, file: str) -> Iterator[Printed]:
    for of, table in tables.items():
        if not isinstance(table, dict):
            raise SheetError(f"expected a table a component, found '{of[:40]}', at {file}:{_line(toml, of)}")
        for what, entry in table.items():
            try:
                yield msgspec.convert([of, what, *entry] if isinstance(entry, list) else entry, Printed)
            except (msgspec.ValidationError, RecursionError) as error:
                expected = f"[value, source] for the {what[:40]} of '{of[:40]}'"
                line = _line(toml, of, what)
                raise SheetError(f"expected {expected}, found: {_lower(error)}, at {file}:{line}") from None


def _lower(error: BaseException) -> str:
    """The message of an error, to go on in the middle of a sentence."""
    text = str(error)
    return text[:1].lower() + text[1:]


def toml_of(sheet: Sheet, head: str = "") -> str:
    """The sheet in TOML, below `head`. Reading it back gives the same sheet."""
    tables: dict[str, list[Printed]] = {}
    for row in sheet.table().values():
        tables.setdefault(row.of, []).append(row)
    if "name" in tables:
        raise SheetError(f"expected no component called 'name', found one in '{sheet.name}'")
    parts = [f"{head}name = {_toml_string(sheet.name)}\n"]
    for of, rows in tables.items():
        parts.append(f"\n{_toml_table(of)}" + "".join(map(_toml_value, rows)))
    return "".join(parts)


def with_readings(toml: str, readings: Iterable[Printed], file: str = "<sheet>") -> str:
    """The same TOML with these values in it. Everything else stays as it is, comments too."""
    import tomlkit  # noqa: PLC0415 - takes 25 ms, which only a change of a sheet may cost
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    rows = list(readings)
    sheet = parse_sheet(toml, file).overlaid(*rows)
    try:
        document = tomlkit.parse(toml)
        for row in rows:
            document.setdefault(row.of, {})[row.what] = _entry(row)
        text = document.as_string()
        if parse_sheet(text) == sheet:
            return text
    except (TOMLKitError, RecursionError, SheetError):
        pass
    return toml_of(sheet, head_of(toml))


def head_of(toml: str) -> str:
    """The comments at the top."""
    lines = toml.split("\n")
    end = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return "".join(f"{line}\n" for line in lines[:end])


def _line_numbers(lines: Iterable[str]) -> dict[tuple[str, str], int]:
    """The number of the line of each value, and of each table's name (under '')."""
    numbers: dict[tuple[str, str], int] = {}
    of = ""
    for number, line in enumerate(lines, 1):
        if table := _TABLE.fullmatch(line):
            of = _key(table[1])
            numbers[of, ""] = number
        elif value := _VALUE.match(line):
            numbers[of, _key(value[1])] = number
    return numbers


def _line(toml: str, of: str, what: str = "") -> int:
    """The number of the line to complain about."""
    numbers = _line_numbers(toml.split("\n"))
    return numbers.get((of, what)) or numbers.get((of, "")) or numbers.get(("", of)) or 1


def _key(key: str) -> str:
    """A key without its quotes."""
    try:
        return str(tomllib.loads(f"name = {key}")["name"]) if key[0] in "\"'" else key
    except ValueError:
        return key


def _toml_table(of: str) -> str:
    return f"[{_toml_string(of)}]\n"


def _entry(row: Printed) -> list[int | str]:
    """`[4, "read", "Anna", "2026-11-18"]`, without what is not known at the end."""
    entry: list[int | str] = [row.value, row.source, row.by, row.at]
    while entry[-1] == "" and len(entry) > len(("value", "source")):
        entry.pop()
    return entry


def _toml_value(row: Printed) -> str:
    values = ", ".join(str(each) if isinstance(each, int) else _toml_string(each) for each in _entry(row))
    key = row.what if _BARE.fullmatch(row.what) else _toml_string(row.what)
    return f"{key} = [{values}]\n"


def _toml_string(text: str) -> str:
    # TOML's strings are JSON's, but for one character
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
