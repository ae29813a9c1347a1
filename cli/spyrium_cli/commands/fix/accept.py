"""`spyrium fix accept`: a finding that the table lives with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Refusal
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, who_option, why_option, writing
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.audit import Finding
    from spyrium_log.messages import Reader

EPILOG = """\b
Examples:
  spyrium fix accept @last 14 --rule turn.order --who Bob --why "nobody minded"
  spyrium fix accept @last 14 --who "the table" --why "we play it so"

It stays listed and no longer counts. EVENT is the number that validate names: an event, or a line with a result."""


@click.command("accept", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("event")
@click.option("--rule", help="Which finding, where the event has several.")
@click.option("--expected", help="What it expected, where the event has several of one rule.")
@who_option
@why_option
@writing
def command(
    session: Session,
    log: str,
    event: str,
    rule: str | None,
    expected: str | None,
    who: str,
    why: str,
    by: str | None,
    cmd: str | None,
) -> None:
    """Accept a finding, with a reason."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.changes import about
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import reader_of
    from spyrium_cli.render.words import tell
    from spyrium_log.edit.asides import acceptance, open_findings
    from spyrium_log.play import Play

    accepted: list[Finding] = []

    def reader(log: Log) -> Reader:
        table = Play(log)
        return reader_of(table.title, [seat.player for seat in table.header.seats], session.language_of(table.title))

    def make(before: Log) -> Any:
        found = open_findings(before, event, rule=rule, expected=expected)
        if len(found) != 1:
            others = found or open_findings(before, event)
            raise Refusal(*_which(others, event, reader(before), is_any=not found))
        accepted.extend(found)
        return acceptance(before, found[0], who=who, why=why, by=by or scribe(), at=now())

    done = append_line(session, log, make, cmd)
    to = reader(done.log)
    write_line(f"{tell('verdicts.accepted', to.language)} {event:>4}  {about(accepted[0], to)}")
    say(tell("accept.says", to.language, line=done.line.n, who=who))


def _which(found: Sequence[Finding], event: str, to: Reader, *, is_any: bool) -> Iterator[str]:
    """What there is to accept, and how to say which."""
    from shlex import quote

    from spyrium_cli.render.changes import about
    from spyrium_cli.render.text import counted

    if not found:
        yield f"expected an open finding on event {event}, found none"
        return
    which = "of that name on" if is_any else "on"
    many = "none of these" if is_any else counted(len(found), "finding")
    yield f"expected one finding {which} event {event}, found {many}:"
    rules = [finding.rule for finding in found]
    for finding in found:
        more = f" --expected {quote(str(finding.expected))}" if rules.count(finding.rule) > 1 else ""
        yield f"  --rule {finding.rule}{more}"
        yield f"      {about(finding, to)}"
