"""Component sheets: what is printed on cards and boards, every value with its source."""

from __future__ import annotations

import hashlib
import tomllib
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from spyrium_log.errors import SheetError

Source: TypeAlias = Literal["rulebook", "inferred", "assumed", "read"]


class Printed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=True):
    """One printed value, of which component, and who says so. An array, for a sheet travels in every log."""

    of: Annotated[str, Meta(max_length=40)]
    what: Annotated[str, Meta(max_length=40)]
    value: Annotated[int, Meta(ge=-9999, le=9999)] | Annotated[str, Meta(max_length=80)]
    source: Source
    by: Annotated[str, Meta(max_length=80)] = ""
    at: Annotated[str, Meta(max_length=40)] = ""


class Sheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All printed values of one title that somebody vouches for."""

    name: Annotated[str, Meta(max_length=80)]
    printed: Annotated[tuple[Printed, ...], Meta(max_length=2000)]

    def digest(self) -> str:
        return hashlib.sha256(msgspec.json.encode(self.printed)).hexdigest()[:32]

    def table(self) -> dict[tuple[str, str], Printed]:
        rows: dict[tuple[str, str], Printed] = {}
        for row in self.printed:
            if rows.setdefault((row.of, row.what), row) is not row:
                raise SheetError(f"a value is printed once, found '{row.of} {row.what}' twice in sheet '{self.name}'")
        return rows

    def overlaid(self, *readings: Printed, name: str = "") -> Sheet:
        """The same sheet with values that somebody read off the component in place of what stood there."""
        if not readings:
            return self
        rows = self.table()
        for row in readings:
            rows[row.of, row.what] = row
        return Sheet(name=name or self.name, printed=tuple(rows.values()))

    def owned(self, own: Sheet) -> Sheet:
        """The same sheet under somebody's own. What names no value that it could have is refused: a slip."""
        components, values = {row.of for row in self.printed}, {row.what for row in self.printed}
        for row in own.printed:
            if row.of not in components:
                raise SheetError(f"expected a component of sheet '{self.name}', found '{row.of}' in '{own.name}'")
            if row.what not in values and not row.what.startswith("space-"):
                known = ", ".join(sorted(values))
                raise SheetError(f"expected one of {known}, found '{row.what}' of '{row.of}' in '{own.name}'")
        return self.overlaid(*own.printed, name=own.name)


def parse_sheet(toml: str) -> Sheet:
    """A sheet written as TOML: a table a component, `what = [value, source]`, or with who read it and when."""
    try:
        tables = tomllib.loads(toml)
        name = tables.pop("name")
        rows = [[of, what, *entry] for of, table in tables.items() for what, entry in table.items()]
        return msgspec.convert({"name": name, "printed": rows}, Sheet)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError, AttributeError, TypeError) as error:
        raise SheetError(f"expected a sheet of [value, source] rows, found: {error}") from None
