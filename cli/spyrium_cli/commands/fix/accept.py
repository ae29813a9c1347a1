"""`spyrium fix accept`: accept a finding."""

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
  spyrium fix accept 14 --rule turn.order --who Bob --why "nobody minded"
  spyrium fix accept 14 --who "the table" --why "we play it so"

An accepted finding stays listed and no longer counts. EVENT is the number that `spyrium validate` prints."""


@click.command("accept", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("event")
@click.option("--rule", help="The rule of the finding, where the event has several.")
@click.option("--expected", help="What the finding expected, where the rule has several.")
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
    from spyrium_cli.render.sentences import finding_sentence, reader_of
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import translate
    from spyrium_log.edit.asides import accept_finding, find_open_findings
    from spyrium_log.play import Play

    accepted: list[Finding] = []

    def accept(before: Log, **signature: Any) -> Any:
        matching = find_open_findings(before, event, rule=rule, expected=expected)
        if len(matching) != 1:
            table = Play(before)
            reader = reader_of(table.title, table.players, session.language_of(table.title))
            others = matching or find_open_findings(before, event)
            raise Refusal(*_choices(others, event, reader, is_any=not matching))
        accepted.extend(matching)
        return accept_finding(before, matching[0], who=who, why=why, **signature)

    done = append_line(session, log, accept, by, cmd)
    reader = done.reader(session.language_of(done.log.title))
    write_line(f"{translate('verdicts.accepted', reader.language)} {event:>4}  {finding_sentence(accepted[0], reader)}")
    say(translate("accept.says", reader.language, line=done.line.n, who=who))


def _choices(findings: Sequence[Finding], event: str, reader: Reader, *, is_any: bool) -> Iterator[str]:
    """The findings that could be accepted, each with the options that name it."""
    from shlex import quote

    from spyrium_cli.render.sentences import finding_sentence
    from spyrium_cli.render.text import count_text

    if not findings:
        yield f"expected an open finding on event {event}, found none"
        return
    which = "of that name on" if is_any else "on"
    many = "none of these" if is_any else count_text(len(findings), "finding")
    yield f"expected one finding {which} event {event}, found {many}:"
    rules = [finding.rule for finding in findings]
    for finding in findings:
        more = f" --expected {quote(str(finding.expected))}" if rules.count(finding.rule) > 1 else ""
        yield f"  --rule {finding.rule}{more}"
        yield f"      {finding_sentence(finding, reader)}"
