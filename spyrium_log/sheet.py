"""Component sheets: what is printed on cards and boards, every value with its source."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from spyrium_log.checks import check_type
from spyrium_log.errors import SheetError
from spyrium_log.toml import read_toml, toml_string

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
        """A hash of the values without the sheet's name, cut to the 32 digits that a header holds."""
        return hashlib.sha256(msgspec.json.encode(self.printed)).hexdigest()[:32]

    @property
    def is_invented(self) -> bool:
        """Whether it has values that are printed on no component: a game on it is a game of its own."""
        return "invented" in [row.source for row in self.printed]

    @property
    def has_assumed(self) -> bool:
        """Whether it has values that nobody has checked against a component."""
        return any(row.source == "assumed" for row in self.printed)

    def rows_by_key(self) -> dict[tuple[str, str], Printed]:
        """The values by component and name. SheetError where one is printed twice."""
        rows: dict[tuple[str, str], Printed] = {}
        for row in self.printed:
            if rows.setdefault((row.of, row.what), row) is not row:
                raise SheetError("twice", of=row.of, what=row.what, sheet=self.name)
        return rows

    def with_readings(self, *readings: Printed, name: str = "") -> Sheet:
        """The sheet with these values in place of its own; new ones stand with their component."""
        if not readings:
            return self
        for row in readings:
            check_type(row, Printed, "printed-value")
        rows = self.rows_by_key()
        for row in readings:
            rows[row.of, row.what] = row
        # so that writing and reading it back keeps the order
        order = {of: index for index, of in enumerate(dict.fromkeys(of for of, _ in rows))}
        printed = sorted(rows.values(), key=lambda row: order[row.of])
        return Sheet(name=name or self.name, printed=tuple(printed))

    def drop_weaker(self, *rows: Printed) -> list[Printed]:
        """These rows without those that are only assumed where this sheet has a certain value."""
        for row in rows:
            check_type(row, Printed, "printed-value")
        certain = {(row.of, row.what) for row in self.printed if row.source in {"rulebook", "inferred", "read"}}
        return [row for row in rows if row.source != "assumed" or (row.of, row.what) not in certain]

    def similar_rows(self, what: str) -> list[Printed]:
        """The rows of this value; where it has none, those of its numbered kin: for `space-12`, of `space-1`."""
        check_type(what, str, "value-name")
        rows = [row for row in self.printed if row.what == what]
        numbered = _NUMBERED.fullmatch(what)
        if rows or not numbered:
            return rows
        kin = re.compile(re.escape(numbered[1]) + "[0-9]+")
        return [row for row in self.printed if kin.fullmatch(row.what)]

    def with_own_values(self, own: Sheet) -> Sheet:
        """The sheet with the values of somebody's own in it; an assumed one gives way to one that is certain here.

        A value that no component could have is refused.
        """
        check_type(own, Sheet, "sheet")
        components = {row.of for row in self.printed}
        for row in own.printed:
            if row.of not in components:
                raise SheetError("component", sheet=self.name, found=row.of, own=own.name)
            if not self.similar_rows(row.what):
                known = ", ".join(sorted({known_row.what for known_row in self.printed}))
                raise SheetError("value-name", known=known, what=row.what, of=row.of, own=own.name)
        return self.with_readings(*self.drop_weaker(*own.printed), name=own.name)


class Difference(Struct, frozen=True, kw_only=True):
    """A value that differs between two sheets, or its source does; None where a sheet lacks it."""

    of: str
    what: str
    before: Printed | None
    after: Printed | None

    @property
    def kind(self) -> Literal["added", "removed", "value", "source"]:
        """How the value differs; `source` where only who vouches for it does."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        return "source" if self.before.value == self.after.value else "value"


def compare_sheets(before: Sheet, after: Sheet) -> list[Difference]:
    """The changes from one sheet to another, in the order of the first."""
    old, new = before.rows_by_key(), after.rows_by_key()
    return [
        Difference(of=of, what=what, before=old.get((of, what)), after=new.get((of, what)))
        for of, what in dict.fromkeys((*old, *new))
        if old.get((of, what)) != new.get((of, what))
    ]


# A line that stands in any text of several lines as it is.
_PLAIN = re.compile(r"""[^\\\n\r"'\x00-\x1f\x7f]*""")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_KEY = r"""("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)"""
_TABLE_LINE = re.compile(rf"\s*\[\s*{_KEY}\s*\]\s*(?:#.*)?")
_VALUE_LINE = re.compile(rf"\s*{_KEY}\s*=")
_AT_LINE = re.compile(r"\(at line (\d+)")


class _Defaults(NamedTuple):
    """What a bare value takes from its file: its source, who read it and when."""

    source: str = ""
    by: str = ""
    at: str = ""

    def says(self, row: Printed) -> bool:
        """Whether a bare value of the file would have the source of this row."""
        return self == (row.source, row.by, row.at)

    def row(self, of: str, what: str, value: int | str) -> Printed:
        """The row of a bare value."""
        return msgspec.convert([of, what, value, *self], Printed)


def parse_sheet(toml: str, file: str = "<sheet>") -> Sheet:
    """Read a sheet in TOML: a table a component, `what = [value, source]`, with who read it and when.

    A bare `what = value` takes `source`, `by` and `at` of the file. A bare text of several lines is a row a line, of
    `what-01`, `what-02` and so on.
    """
    check_type(toml, str, "sheet-toml")
    try:
        tables = read_toml(toml)
    except (ValueError, RecursionError) as error:
        position = _AT_LINE.search(str(error))
        line = int(position[1]) if position else toml.count("\n") + 1
        if isinstance(error, RecursionError):
            raise SheetError("endless", place=f"{file}:{line}") from None
        raise SheetError("toml", found=str(error).partition(" (at")[0], place=f"{file}:{line}") from None
    name = tables.pop("name", None)
    defaults = _take_defaults(tables)
    rows = tuple(_read_rows(tables, defaults, toml, file))
    try:
        return msgspec.convert({"name": name, "printed": [msgspec.to_builtins(row) for row in rows]}, Sheet)
    except msgspec.ValidationError as error:
        raise SheetError("shape", most=MOST_VALUES, found=_lower_first(error), place=f"{file}:1") from None


def _take_defaults(tables: dict[str, Any]) -> _Defaults:
    """The texts above the first table that say where bare values come from; a table of such a name is a component."""
    return _Defaults(**{key: tables.pop(key) for key in _Defaults._fields if isinstance(tables.get(key), str)})


def _read_rows(tables: dict[str, Any], defaults: _Defaults, toml: str, file: str) -> Iterator[Printed]:
    """The values in the tables of the TOML; its text says which line an error is in."""
    for of, table in tables.items():
        if not isinstance(table, dict):
            raise SheetError("table", found=of[:40], place=f"{file}:{_find_line(toml, of)}")
        for what, entry in table.items():
            try:
                yield from (msgspec.convert(row, Printed) for row in _list_rows(of, what, entry, defaults))
            except (msgspec.ValidationError, RecursionError) as error:
                place = f"{file}:{_find_line(toml, of, what)}"
                raise SheetError("entry", what=what[:40], of=of[:40], found=_lower_first(error), place=place) from None


def _list_rows(of: str, what: str, entry: Any, defaults: _Defaults) -> Iterator[Any]:
    """The rows that a value in TOML stands for: one, or one a line of a text."""
    if isinstance(entry, list):
        yield [of, what, *entry]
    elif not (defaults.source and isinstance(entry, int | str)):
        yield entry
    elif isinstance(entry, str) and "\n" in entry:
        for number, line in enumerate(entry.removesuffix("\n").split("\n"), 1):
            yield [of, number_row(what, number), line, *defaults]
    else:
        yield [of, what, entry, *defaults]


def number_row(what: str, number: int) -> str:
    """The name of a row of a text: `map-01`."""
    return f"{what}-{number:02}"


def _lower_first(error: BaseException) -> str:
    """The message of an error, to go on in the middle of a sentence."""
    text = str(error)
    return text[:1].lower() + text[1:]


def format_sheet(sheet: Sheet, head: str = "") -> str:
    """The sheet in TOML, below `head`. Reading it back gives the same sheet."""
    tables: dict[str, list[Printed]] = {}
    for row in sheet.rows_by_key().values():
        tables.setdefault(row.of, []).append(row)
    if "name" in tables:
        raise SheetError("named-name", sheet=sheet.name)
    parts = [f"{head}name = {toml_string(sheet.name)}\n"]
    for of, rows in tables.items():
        parts.append(f"\n[{toml_string(of)}]\n" + "".join(_toml_line(row, _Defaults()) for row in rows))
    return "".join(parts)


def add_readings(toml: str, readings: Iterable[Printed], file: str = "<sheet>") -> str:
    """The same TOML with these values in it, and all else as it is; written anew where tomlkit cannot do that."""
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - takes 25 ms, which only a change may cost

    before = parse_sheet(toml, file)
    known = before.rows_by_key()
    # of two readings of one value the later one counts
    latest = {(row.of, row.what): row for row in readings}
    rows = [row for key, row in latest.items() if known.get(key) != row]
    sheet = before.with_readings(*rows)
    try:
        text = toml
        for row in rows:
            text = _edit_row_of_text(text, row)
        text = _edit_values(text, sheet, rows)
        if parse_sheet(text) == sheet:
            return text
    except (TOMLKitError, RecursionError, SheetError):
        pass
    return format_sheet(sheet, leading_comments(toml))


def _edit_values(toml: str, sheet: Sheet, rows: Iterable[Printed]) -> str:
    """The TOML with these values of the sheet, those left out that it has already."""
    import tomlkit  # noqa: PLC0415 - as in `add_readings`

    document = tomlkit.parse(toml)
    defaults = _take_defaults(read_toml(toml))
    known = parse_sheet(toml).rows_by_key()
    latest = sheet.rows_by_key()
    for key in dict.fromkeys((row.of, row.what) for row in rows):
        if known.get(key) != latest[key]:
            document.setdefault(key[0], {})[key[1]] = _toml_value(latest[key], defaults)
    return document.as_string()


class _Text(NamedTuple):
    """A text of several lines in a file: its name, name and text as they are written there, and its lines."""

    what: str
    written: str
    lines: list[str]


def _edit_row_of_text(toml: str, row: Printed) -> str:
    """The TOML with this row in its text; the same TOML where the row is no line of a text.

    A line with a source of its own cannot stand in a text, which is written as its rows then.
    """
    text = _find_text(toml, row)
    if text is None:
        return toml
    number = int(row.what.removeprefix(f"{text.what}-"))
    defaults = _take_defaults(read_toml(toml))
    written = text.written.split("\n")
    index = number if written[0].endswith(('"""', "'''")) else number - 1
    if defaults.says(row) and written[index] == text.lines[number - 1] and _PLAIN.fullmatch(str(row.value)):
        written[index] = str(row.value)
        return toml.replace(text.written, "\n".join(written))
    names = [number_row(text.what, each) for each in range(1, len(text.lines) + 1)]
    rows = [defaults.row(row.of, name, line) for name, line in zip(names, text.lines, strict=True)]
    rows[number - 1] = row
    return toml.replace(text.written, "".join(_toml_line(each, defaults) for each in rows).removesuffix("\n"))


def _find_text(toml: str, row: Printed) -> _Text | None:
    """The text that has this row as a line; None where there is none, or it is not to be found in the file."""
    import tomlkit  # noqa: PLC0415 - as in `add_readings`

    what, _, number = row.what.rpartition("-")
    value = read_toml(toml).get(row.of, {}).get(what) if number.isdigit() else None
    if not isinstance(value, str) or "\n" not in value:
        return None
    lines = value.removesuffix("\n").split("\n")
    if row.what not in {number_row(what, number) for number in range(1, len(lines) + 1)}:
        return None
    raw = tomlkit.parse(toml)[row.of][what].as_string()
    match = re.search(rf"^[ \t]*{re.escape(what)}[ \t]*=[ \t]*{re.escape(raw)}", toml, re.MULTILINE)
    return _Text(what, match[0], lines) if match and toml.count(match[0]) == 1 else None


def leading_comments(toml: str) -> str:
    """The comments and blank lines at the top of a sheet, which stay when the rest is written anew."""
    lines = toml.split("\n")
    end = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return "".join(f"{line}\n" for line in lines[:end])


def _find_line(toml: str, of: str, what: str = "") -> int:
    """The number of the line to complain about: of the value, else of its table, else 1."""
    # by component and value: a table itself has the value '', a value before the first table the component ''
    numbers: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(toml.split("\n"), 1):
        if match := _TABLE_LINE.fullmatch(line):
            table = _parse_key(match[1])
            numbers[table, ""] = number
        elif match := _VALUE_LINE.match(line):
            numbers[table, _parse_key(match[1])] = number
    return numbers.get((of, what)) or numbers.get((of, "")) or numbers.get(("", of)) or 1


def _parse_key(key: str) -> str:
    """A key as it stands in a file, without its quotes; as it is where TOML cannot read it."""
    try:
        return str(read_toml(f"name = {key}")["name"]) if key[0] in "\"'" else key
    except ValueError:
        return key


def _toml_value(row: Printed, defaults: _Defaults) -> int | str | list[int | str]:
    """`[4, "read", "Anna", "2026-11-18"]`, without what is not known at the end; the bare value where it says that."""
    if defaults.says(row) and "\n" not in str(row.value):
        return row.value
    values: list[int | str] = [row.value, row.source, row.by, row.at]
    while values[-1] == "" and len(values) > len(("value", "source")):
        values.pop()
    return values


def _toml_line(row: Printed, defaults: _Defaults) -> str:
    """`price = [4, "read"]` and the end of the line."""
    value = _toml_value(row, defaults)
    text = f"[{', '.join(map(_toml_scalar, value))}]" if isinstance(value, list) else _toml_scalar(value)
    key = row.what if _BARE_KEY.fullmatch(row.what) else toml_string(row.what)
    return f"{key} = {text}\n"


def _toml_scalar(value: int | str) -> str:
    """A value of a sheet as TOML writes it."""
    return str(value) if isinstance(value, int) else toml_string(value)
