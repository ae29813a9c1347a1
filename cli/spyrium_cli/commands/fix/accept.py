"""`spyrium fix accept`: accept a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Refusal
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument, who_option, why_option
from spyrium_cli.render.sentences import finding_sentence, reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.terminal import write_line
from spyrium_log import Log
from spyrium_log.audit import Finding
from spyrium_log.edit.asides import accept_finding, find_open_findings
from spyrium_log.messages import Reader
from spyrium_log.play import Play

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
@game_writer
def command(writer: GameWriter, event: str, rule: str | None, expected: str | None, who: str, why: str) -> None:
    """Accept a finding, with a reason."""
    accepted: list[Finding] = []

    def accept(before: Log, **signature: Any) -> Any:
        """The line that accepts the one open finding which fits the options; Refusal where none or several fit."""
        matching = find_open_findings(before, event, rule=rule, expected=expected)
        if len(matching) != 1:
            play = Play(before)
            reader = reader_of(play.title, play.players, writer.session.language_of(play.title))
            others = matching or find_open_findings(before, event)
            raise Refusal(*_list_choices(others, event, reader, is_any=not matching))
        accepted.extend(matching)
        return accept_finding(before, matching[0], who=who, why=why, **signature)

    appended = writer.append(accept)
    reader = appended.reader
    write_line(f"{translate('verdicts.accepted', reader.language)} {event:>4}  {finding_sentence(accepted[0], reader)}")
    say(translate("accept.says", reader.language, line=appended.line.n, who=who))


def _list_choices(findings: Sequence[Finding], event: str, reader: Reader, *, is_any: bool) -> Iterator[str]:
    """The lines of a refusal: the findings that could be accepted, each with the options that name it.

    `is_any`: none has the name asked for, and these are all of the event.
    """
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
