"""What validation says of one log, as an object that every format writes."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from spyrium_log.errors import LogError, StoreError
from spyrium_log.replay import Finding, Replay, replay
from spyrium_log.store import DISK
from spyrium_log.store.source import Lines

# A verdict's place here is the exit code it asks for.
WORST = ("clean", "findings", "unusable")
# A game with more broken events than that was not played by these rules, and each costs a list of legal moves.
MOST_NEAREST = 100
# No line is longer.
CHUNK = 1 << 21


class Found(Struct, frozen=True, kw_only=True):
    """A finding with the line of the file it stands on, counted from 1 as editors do.

    `ref` is what commands call the event: n, or n.i for one that amendment n inserted. `nearest` is what the rules
    would have allowed there instead, in notation, where a rule was broken.
    """

    n: int
    i: int
    ref: str
    line: int
    kind: str
    rule: str
    number: str
    expected: str
    found: str
    on: str
    status: str
    nearest: list[str] = []

    @property
    def is_open(self) -> bool:
        return self.status == "open" and self.on == "record"


class Damaged(Struct, frozen=True, kw_only=True):
    """`kind` is the damage's: what is unended or torn was never acknowledged. No line is line 0."""

    kind: str = ""
    code: str
    message: str
    file: str
    line: int
    hint: str = ""


class Sealing(Struct, frozen=True, kw_only=True):
    """The last seal that counts, and how many lines stand after it."""

    n: int
    by: str
    standing: str
    key: str | None
    after: int

    def __str__(self) -> str:
        """`signed by 3b6a…, valid, and 1 line after it`."""
        said = {
            "unsigned": "unsigned",
            "valid": f"signed by {self.key}, valid",
            "wrong": f"signature wrong, not of {self.key}",
            "unchecked": f"signed by {self.key}, which cannot be checked here: the extra 'sign' is not installed",
        }[self.standing]
        return said + (f"; {self.after} line{'s' if self.after > 1 else ''} after it" if self.after else "")


class Verdict(Struct, frozen=True, kw_only=True):
    file: str
    verdict: Literal["clean", "findings", "unusable"]
    game: str | None = None
    players: list[str] = []
    events: int = 0
    assumed: int = 0
    chain: str = ""
    seal: Sealing | None = None
    findings: list[Found] = []
    damage: Damaged | None = None

    @property
    def open(self) -> int:
        """How many findings speak against it."""
        return sum(finding.is_open for finding in self.findings)

    @property
    def is_unfinished(self) -> bool:
        """Its last line was never finished, which is all that its damage is."""
        return self.verdict == "findings" and self.damage is not None


def checked(name: str, read: Callable[[], Any], *, amended: bool = True) -> Verdict:
    """The log audited as far as it can be read; not `amended`, as it was recorded."""
    try:
        log = read()
    except LogError as error:
        return Verdict(file=name, verdict="unusable", damage=_damaged(error))
    except StoreError as error:
        damage = Damaged(code="unreadable", message=str(error), file=name, line=0)
        return Verdict(file=name, verdict="unusable", damage=damage)
    done = replay(log, amended=amended)
    complaint = log.complaint
    near = _nearest(done)
    return Verdict(
        file=log.file,
        verdict=done.verdict,
        game=done.header.game,
        players=done.players,
        events=len(done.events),
        assumed=done.assumed,
        chain="ok" if complaint is None else f"holds up to line {len(log.lines)}",
        seal=_sealing(done),
        findings=[_found(finding, near) for finding in done.findings],
        damage=_damaged(complaint, log.damage.kind if log.damage else "") if complaint else None,
    )


def _sealing(done: Replay) -> Sealing | None:
    if not done.seals:
        return None
    last = done.seals[-1]
    return Sealing(n=last.n, by=last.by, standing=last.standing, key=last.key, after=done.unsealed)


def _found(finding: Finding, near: Mapping[str, list[str]]) -> Found:
    return Found(
        n=finding.n,
        i=finding.i,
        ref=finding.ref,
        line=finding.n + 1,
        kind=finding.kind,
        rule=finding.rule,
        number=finding.number,
        expected=finding.expected,
        found=finding.found,
        on=finding.on,
        status=finding.status,
        nearest=near.get(finding.ref, []) if _is_broken(finding) else [],
    )


def _is_broken(finding: Finding) -> bool:
    return finding.kind == "breach" and finding.on == "record"


def _nearest(done: Replay) -> dict[str, list[str]]:
    """By event, what comes near it and would have been legal when it was recorded, in notation."""
    title = done.title
    near: dict[str, list[str]] = {}
    for ref in islice(dict.fromkeys(finding.ref for finding in done.findings if _is_broken(finding)), MOST_NEAREST):
        index = done.places[ref] - 1
        state = done.state_at(index)
        near[ref] = [title.notation.write(state, act) for act in title.nearest(state, done.events[index].do)]
    return near


def _damaged(error: LogError, kind: str = "") -> Damaged:
    hint = " and ".join(_disguise(error))
    return Damaged(kind=kind, code=error.code, message=error.message, file=error.file, line=error.line, hint=hint)


def _disguise(error: LogError) -> Iterator[str]:
    """What an editor or git may have done to a log that was fine. Only a file can be looked at twice."""
    path = Path(error.file)
    if not path.is_file():
        return
    file = DISK.open(path, "read")
    try:
        lines = Lines(lambda size: DISK.read(file, size))
        first = raw = lines.readline(CHUNK)
        for _ in range(error.line - 1):
            raw = lines.readline(CHUNK)
    finally:
        DISK.close(file)
    if first.startswith(BOM_UTF8):
        yield "a byte order mark stands before the header"
    if raw.endswith(b"\r\n"):
        yield "the lines end in CRLF"
