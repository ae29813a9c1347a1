"""The commands that settle a finding, ready to be pasted, with the game named as the person named it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from spyrium_cli.complaint import Complaint
from spyrium_cli.games.lookup import writable_path
from spyrium_cli.games.verdict import CheckedFinding, Verdict
from spyrium_cli.render.sentences import likely_value
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_log.errors import SpyriumLogError

# Who and why, as the commands write them into the log.
WORDS = ("who", "why-slip", "why-declared", "why-played", "why-left")


class Settlement(NamedTuple):
    """A command of `spyrium fix`, and the key of the words that say when it is the right one."""

    case: str
    command: str


def name_for_commands(session: Session, paths: Sequence[str], verdict: Verdict) -> str | None:
    """The name of the only game of a call, as somebody may paste it; None for one that no command can write to."""
    if len(paths) == 1 and not Path(paths[0]).is_dir():
        name = paths[0]
    elif not paths:
        name = Path(verdict.file).stem
    else:
        name = verdict.file
    try:
        writable_path(session, name)
    except (Complaint, SpyriumLogError):
        # a game in a pack or from stdin
        return None
    return name


def list_settlements(finding: CheckedFinding, verdict: Verdict, name: str, language: str) -> Iterator[Settlement]:
    """What settles a finding: reading a value, writing a move anew, looking for the slip, accepting it."""
    words = {word: translate(f"settling.{word}", language) for word in WORDS}

    def command(*arguments: str) -> str:
        """The command with its arguments, each quoted for a shell."""
        return f"spyrium fix {shlex.join(arguments)}"

    for value in finding.unchecked:
        # the value to read is the person's to fill in
        yield Settlement("as-printed", f"{command('reading', name, value.of, value.what)} {likely_value(value)}")
    # to a log that cannot be read nothing can be added
    if not finding.is_open or verdict.verdict == "unusable":
        return
    if finding.nearest:
        # notation may begin like an option
        edit = f"replace {finding.ref} {finding.nearest[0]}"
        yield Settlement("slip", command("amend", name, "--edit", edit, "--misrecorded", "--why", words["why-slip"]))
    if finding.kind == "count":
        yield Settlement("miscounted", command("locate", name))
    if finding.kind == "result":
        yield Settlement("misdeclared", command("withdraw", name, str(finding.n), "--why", words["why-declared"]))
    accepted = ("accept", name, finding.ref, *_selection(finding, verdict))
    # a count, a result and a seal were not played
    case = "left" if finding.kind in {"count", "result", "seal"} else "played"
    yield Settlement(case, command(*accepted, "--who", words["who"], "--why", words[f"why-{case}"]))


def find_salvage(verdict: Verdict) -> Iterator[Settlement]:
    """What saves the rest of a file that cannot be read; an unfinished last line mends itself with the next one."""
    damage = verdict.damage
    if damage is not None and verdict.verdict == "unusable" and Path(damage.file).is_file():
        yield Settlement("damaged", f"spyrium fix salvage {shlex.quote(damage.file)}")


def _selection(finding: CheckedFinding, verdict: Verdict) -> Iterator[str]:
    """The options that choose this finding among those of its event; none where it is the only one."""
    others = [other for other in verdict.findings if other.ref == finding.ref and other.status == "open"]
    if len(others) > 1:
        yield from ("--rule", finding.rule)
    if sum(other.rule == finding.rule for other in others) > 1:
        yield from ("--expected", str(finding.expected))
