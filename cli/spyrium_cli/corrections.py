"""What the verbs of correction share: who says so and why, whether somebody agrees, and one line appended."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from spyrium_cli.complaint import Refusal
from spyrium_cli.session import Session
from spyrium_cli.terminal import confirm

by_option = click.option(
    "--by", envvar="SPYRIUM_BY", show_envvar=True, help="Who records; if not said, who began the log."
)
who_option = click.option("--who", required=True, help="Who says so at the table.")
why_option = click.option("--why", required=True, help="The reason, for whoever reads it later.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask, write it.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only tell what it would change.")


class Appended(NamedTuple):
    """A line on the disk, the log before it and the log with it."""

    before: Any
    line: Any
    log: Any


def appended(session: Session, name: str, make: Callable[[Any], Any], cmd: str | None = None) -> Appended:
    """Append the line that `make` makes of the log. A command that came before is answered as it was then."""
    from msgspec.structs import replace

    from spyrium_cli.games import answered, prefix, written

    with written(session, name) as writer:
        first = answered(writer.log, cmd)
        before = prefix(writer.log, len(writer.log.lines) if first is None else first)
        line = writer.append(replace(make(before), cmd=cmd))
        return Appended(before, line, prefix(writer.log, line.n + 1))


def check_new_result(before: Any, line: Any, log: str, where: str = "") -> None:
    """A result stands until somebody withdraws it: two of one seat would both be audited."""
    from spyrium_log.edit.asides import declared_before

    first, place = declared_before(before, line), f"at {before.file}"
    if first is not None:
        raise Refusal(
            f"expected the first result of these players, found one on line {first.n}"
            f' (spyrium withdraw {log} {first.n} --why "..." takes it back), {where or place}'
        )


def agree(yes: bool, question: str) -> None:
    """Go on only where somebody says so."""
    if yes:
        return
    if not is_asked():
        raise Refusal("nothing was written: nobody can be asked here (--yes writes it, --dry-run only tells)")
    if not confirm(question):
        raise Refusal("nothing was written")


def is_asked() -> bool:
    """Whether a person can answer."""
    return sys.stdin.isatty()
