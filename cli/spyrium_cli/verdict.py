"""What validation says of one log, as an object that every format writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from spyrium_log.errors import LogError, StoreError
from spyrium_log.replay import Finding, replay

# A verdict's place here is the exit code it asks for.
WORST = ("clean", "findings", "unusable")


class Found(Struct, frozen=True, kw_only=True):
    """A finding with the line of the file it stands on, counted from 1 as editors do."""

    n: int
    line: int
    kind: str
    rule: str
    number: str
    expected: str
    found: str
    on: str
    status: str


class Damaged(Struct, frozen=True, kw_only=True):
    """`kind` is the damage's: what is unended or torn was never acknowledged."""

    kind: str = ""
    code: str
    message: str
    file: str
    line: int


class Verdict(Struct, frozen=True, kw_only=True):
    file: str
    verdict: Literal["clean", "findings", "unusable"]
    game: str | None = None
    players: list[str] = []
    events: int = 0
    assumed: int = 0
    chain: str = ""
    findings: list[Found] = []
    damage: Damaged | None = None


def checked(name: str, read: Callable[[], Any]) -> Verdict:
    """The log audited as far as it can be read."""
    try:
        log = read()
    except LogError as error:
        return Verdict(file=name, verdict="unusable", damage=_damaged(error))
    except StoreError as error:
        damage = Damaged(code="unreadable", message=str(error), file=name, line=0)
        return Verdict(file=name, verdict="unusable", damage=damage)
    done = replay(log)
    complaint = log.complaint
    return Verdict(
        file=log.file,
        verdict=done.verdict,
        game=done.header.game,
        players=done.players,
        events=len(done.events),
        assumed=done.assumed,
        chain="ok" if complaint is None else f"holds up to line {len(log.lines)}",
        findings=[_found(finding) for finding in done.findings],
        damage=_damaged(complaint, log.damage.kind if log.damage else "") if complaint else None,
    )


def _found(finding: Finding) -> Found:
    return Found(
        n=finding.n,
        line=finding.n + 1,
        kind=finding.kind,
        rule=finding.rule,
        number=finding.number,
        expected=finding.expected,
        found=finding.found,
        on=finding.on,
        status=finding.status,
    )


def _damaged(error: LogError, kind: str = "") -> Damaged:
    return Damaged(kind=kind, code=error.code, message=error.message, file=error.file, line=error.line)
