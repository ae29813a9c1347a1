"""The named reports: one SQL file each, whose leading comment is its help. Needs no database to be listed."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from itertools import takewhile

import msgspec
from msgspec import Struct

from spyrium_log.errors import ReadModelError

_FOLDER = "queries"
_OPTION = re.compile(r"\$(\w+) = (\S+?)(?::|$)")


class Report(Struct, frozen=True):
    """A question with a name. A help line `$least = 10: what it does` gives an option and its default."""

    name: str
    help: str
    sql: str
    options: dict[str, object]


@cache
def reports() -> tuple[Report, ...]:
    """All named reports, by name."""
    files = (file for file in resources.files(__package__).joinpath(_FOLDER).iterdir() if file.name.endswith(".sql"))
    found = [_report(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in files]
    return tuple(sorted(found, key=lambda report: report.name))


def report_named(name: str) -> Report:
    for report in reports():
        if report.name == name:
            return report
    known = ", ".join(report.name for report in reports())
    raise ReadModelError(f"expected a report of {known}, found '{name}'")


def _report(name: str, sql: str) -> Report:
    comment = [line[2:].strip() for line in takewhile(lambda line: line.startswith("--"), sql.splitlines())]
    options = {match[1]: msgspec.json.decode(match[2]) for line in comment if (match := _OPTION.match(line))}
    return Report(name, "\n".join(comment), sql, options)
