"""Append one line to a log, after a question where one is due."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from spyrium_cli.complaint import Refusal
from spyrium_cli.session import Session
from spyrium_cli.terminal import confirm


class Appended(NamedTuple):
    """A line on the disk, the log before it and the log with it."""

    before: Any
    line: Any
    log: Any


def append_line(session: Session, name: str, make: Callable[[Any], Any], cmd: str | None = None) -> Appended:
    """Append the line that `make` makes of the log. A command that came before is answered as it was then."""
    from msgspec.structs import replace

    from spyrium_cli.games.lookup import earlier_line, first_lines, open_writer

    with open_writer(session, name) as writer:
        first = earlier_line(writer.log, cmd)
        before = first_lines(writer.log, len(writer.log.lines) if first is None else first)
        line = writer.append(replace(make(before), cmd=cmd))
        return Appended(before, line, first_lines(writer.log, line.n + 1))


def check_new_result(before: Any, line: Any, log: str, where: str = "") -> None:
    """A result stands until somebody withdraws it: two of one seat would both be audited."""
    from spyrium_log.edit.asides import declared_before

    first, place = declared_before(before, line), f"at {before.file}"
    if first is not None:
        raise Refusal(
            f"expected the first result of these players, found one on line {first.n}"
            f' (spyrium fix withdraw {log} {first.n} --why "..." takes it back), {where or place}'
        )


def confirm_write(yes: bool, question: str) -> None:
    """Go on only where somebody says so."""
    if yes:
        return
    if not is_interactive():
        raise Refusal("nothing was written: nobody can be asked here (--yes writes it, --dry-run only tells)")
    if not confirm(question):
        raise Refusal("nothing was written")


def is_interactive() -> bool:
    """Whether a person can answer."""
    return sys.stdin.isatty()
