"""Saved questions: a .sql file each, beside the user's settings, in the format of the reports that ship."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spyrium_log.readmodel import Report

SQL_SUFFIX = ".sql"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


def queries_folder() -> Path:
    """Where the user's questions are."""
    from spyrium_cli.settings.file import directory

    return directory("config") / "queries"


def saved_questions() -> list[Report]:
    """The user's own questions, by name."""
    paths = (
        path
        for path in sorted(queries_folder().glob(f"*{SQL_SUFFIX}"))
        if _NAME.fullmatch(path.stem) and path.is_file()
    )
    return [_read_question(path) for path in paths]


def find_question(name: str) -> Report:
    """A saved question, or a report that ships."""
    from spyrium_log.readmodel import report_named, reports

    user_file = queries_folder() / f"{name}{SQL_SUFFIX}"
    if _NAME.fullmatch(name) and user_file.is_file():
        return _read_question(user_file)
    if any(report.name == name for report in reports()):
        return report_named(name)
    known = ", ".join([*(report.name for report in saved_questions()), *(report.name for report in reports())])
    raise Complaint(f"expected a question of {known}, found '{name}'")


def bind_values(question: Report, parameters: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The SQL of a question's first table, and its parameters with their defaults."""
    first = question.figures[0]
    values = dict(parameters)
    for option in question.options:
        if option.name in first.options and option.name not in parameters:
            if option.needed:
                raise Complaint(f"expected --param {option.name}=… ({option.help}), found none, in @{question.name}")
            values[option.name] = option.default
    return first.sql, values


def save_question(name: str, sql: str, about: str, *, force: bool) -> Path:
    """Save a question. Returns its file."""
    from spyrium_log.readmodel import reports
    from spyrium_log.store.files import DISK, disk_errors, make_folders, write_file

    if not _NAME.fullmatch(name):
        raise Complaint(f"expected a name of small letters, digits and dashes, found '{name}'")
    if any(report.name == name for report in reports()):
        raise Complaint(f"expected a name of your own, found '{name}', which is a report")
    path = queries_folder() / f"{name}{SQL_SUFFIX}"
    if path.exists() and not force:
        raise Complaint(f"expected a new name, found '{name}' (--force writes over it), at {path}")
    comment = "".join(f"-- {line}\n" for line in (about or name).splitlines())
    with disk_errors("keep-question", path):
        make_folders(DISK, path.parent)
        write_file(DISK, [f"{comment}{sql.strip()}\n".encode()], path, over=force)
    return path


def _read_question(path: Path) -> Report:
    """A question from its file; Complaint where that is no text."""
    from spyrium_log.readmodel import read_report

    try:
        return read_report(path.stem, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise Complaint(f"expected text in UTF-8, found byte {error.start}, at {path}") from None
