"""Saved questions: a .sql file each, beside the user's settings, in the format of the reports that ship."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from spyrium_cli.complaint import Complaint, shell_message
from spyrium_cli.settings.file import directory
from spyrium_log.readmodel.catalogue import OptionHelp, Report, find_report, read_report, reports

SQL_SUFFIX = ".sql"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


def queries_folder() -> Path:
    """Where the user's own questions are, whether the folder exists or not."""
    return directory("config") / "queries"


def list_questions(title: str | None = None) -> tuple[list[Report], list[Report]]:
    """The user's own questions and the reports, by name. `title`: only its reports and the general ones, by its key."""
    paths = sorted(queries_folder().glob(f"*{SQL_SUFFIX}"))
    saved = [_read_question(path) for path in paths if _NAME.fullmatch(path.stem) and path.is_file()]
    return saved, list(reports(title))


def find_question(name: str) -> Report:
    """A saved question, or a report that ships."""
    path = queries_folder() / f"{name}{SQL_SUFFIX}"
    if _NAME.fullmatch(name) and path.is_file():
        return _read_question(path)
    saved, shipped = list_questions()
    known = [report.name for report in (*saved, *shipped)]
    if name not in known:
        raise Complaint(shell_message("sql.no-question", known=", ".join(known), found=name))
    return find_report(name)


def bind_values(question: Report, parameters: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The SQL of a question's first table, and its parameters; those not given have their defaults."""
    first = question.figures[0]
    values = dict(parameters)
    for option in question.options:
        if option.name in first.options and option.name not in parameters:
            if option.needed:
                raise Complaint(
                    shell_message(
                        "sql.param", name=option.name, help=OptionHelp(question.name, option), question=question.name
                    )
                )
            values[option.name] = option.default
    return first.sql, values


def save_question(name: str, sql: str, about: str, *, force: bool) -> Path:
    """Save a question with the comment that says what it answers; returns its file."""
    from spyrium_log.store.files import DISK, make_folders, wrap_disk_errors, write_file

    if not _NAME.fullmatch(name):
        raise Complaint(shell_message("sql.name", found=name))
    if any(report.name == name for report in reports()):
        raise Complaint(shell_message("sql.report-name", found=name))
    path = queries_folder() / f"{name}{SQL_SUFFIX}"
    if path.exists() and not force:
        raise Complaint(shell_message("sql.name-taken", found=name, place=str(path)))
    comment = "".join(f"-- {line}\n" for line in (about or name).splitlines())
    with wrap_disk_errors("keep-question", path):
        make_folders(DISK, path.parent)
        write_file(DISK, [f"{comment}{sql.strip()}\n".encode()], path, over=force)
    return path


def _read_question(path: Path) -> Report:
    """A question from its file; Complaint where that is no text."""
    try:
        return read_report(path.stem, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise Complaint(shell_message("settings.not-utf8", found=str(error.start), place=str(path))) from None
