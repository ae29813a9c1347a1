"""What validation says of one log, as an object that every format writes."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct, structs

from spyrium_cli.render.changes import sums
from spyrium_cli.render.text import counted
from spyrium_cli.render.words import translate
from spyrium_cli.settings.trusted_keys import Trust, trust_of
from spyrium_log.audit import Finding, fact_message
from spyrium_log.errors import LogError, StoreError
from spyrium_log.messages import Message, Term, damage_message, house_message
from spyrium_log.replay import Replay, replay
from spyrium_log.store import DISK
from spyrium_log.store.source import Lines
from spyrium_log.title import Effects

# A verdict's place here is the exit code it asks for.
WORST = ("clean", "findings", "unusable")
# A game with more broken events than that was not played by these rules, and each costs a list of legal moves.
MOST_NEAREST = 100
# Beside each of the findings of an event stands all that it moved. No event of a game moves half as much.
MOST_SIDES = 100
# No line is longer.
CHUNK = 1 << 21


class Side(Struct, frozen=True, kw_only=True):
    """One amount of a move by who, what and why; or a fact, of nobody, as it is said in a finding and how often."""

    of: Literal["amount", "fact"]
    who: int = 0
    what: Message
    why: str = ""
    rules: int
    recorded: int


class Found(Struct, frozen=True, kw_only=True):
    """A finding with the line of the file it stands on, counted from 1 as editors do.

    `ref` is what commands call the event: n, or n.i for one that amendment n inserted. `nearest` is what the rules
    would have allowed there instead, in notation, where a rule was broken. Where only amounts or facts are others it is
    the same move, and `ruled` says what the rules make of it beside what was recorded.
    """

    n: int
    i: int
    ref: str
    line: int
    kind: str
    rule: str
    number: str
    expected: Message
    found: Message
    on: str
    status: str
    nearest: list[str] = []
    ruled: list[Side] = []

    @property
    def is_open(self) -> bool:
        return self.status == "open" and self.on == "record"


class Damaged(Struct, frozen=True, kw_only=True):
    """`kind` is the damage's: what is unended or torn was never acknowledged. No line is line 0."""

    kind: str = ""
    code: str
    message: Message
    file: str
    line: int
    hint: Message | None = None


class Sealing(Struct, frozen=True, kw_only=True):
    """The last seal that counts, and how many lines stand after it.

    `standing`: unsigned; valid, by a key that the settings call `signer`; unknown, by a key that nobody here knows;
    wrong; unchecked, where the extra `sign` is not installed.
    """

    n: int
    by: str
    standing: Trust
    key: str | None
    signer: str | None
    after: int

    def told(self, language: str) -> str:
        """`signed by 3b6a…, valid; 1 line after it`."""
        said = translate(f"validate.{self.standing}", language, key=self.key, signer=self.signer)
        if not self.after:
            return said
        return translate("validate.after", language, seal=said, lines=counted(self.after, "line", language))


class Verdict(Struct, frozen=True, kw_only=True):
    file: str
    verdict: Literal["clean", "findings", "unusable"]
    game: str | None = None
    title: str | None = None
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


def vouched(verdict: Verdict, trusted: Mapping[str, str]) -> Verdict:
    """The verdict of whoever trusts these public keys, by name; no other key says who signed."""
    seal = verdict.seal
    if seal is None:
        return verdict
    standing = trust_of(seal.standing, seal.key, trusted)
    signer = trusted.get(seal.key or "")
    return structs.replace(verdict, seal=structs.replace(seal, standing=standing, signer=signer))


def checked(name: str, read: Callable[[], Any], *, amended: bool = True) -> Verdict:
    """The log audited as far as it can be read; not `amended`, as it was recorded. `vouched` says whose its key is."""
    try:
        log = read()
        done = replay(log, amended=amended)
    except LogError as error:
        return Verdict(file=name, verdict="unusable", damage=_damaged(error))
    except StoreError as error:
        damage = Damaged(code="unreadable", message=damage_message("unreadable", found=str(error)), file=name, line=0)
        return Verdict(file=name, verdict="unusable", damage=damage)
    complaint = log.complaint
    near, ruled = _nearest(done), _ruled(done)
    return Verdict(
        file=log.file,
        verdict=done.verdict,
        game=done.header.game,
        title=done.title.key,
        players=done.players,
        events=len(done.events),
        assumed=done.assumed,
        chain="ok" if complaint is None else f"holds up to line {len(log.lines)}",
        seal=_sealing(done),
        findings=[_found(finding, near, ruled) for finding in done.findings],
        damage=_damaged(complaint, log.damage.kind if log.damage else "") if complaint else None,
    )


def _sealing(done: Replay) -> Sealing | None:
    if not done.seals:
        return None
    last = done.seals[-1]
    return Sealing(n=last.n, by=last.by, standing=last.standing, key=last.key, signer=None, after=done.unsealed)


def _found(finding: Finding, near: Mapping[str, list[str]], ruled: Mapping[str, Ruled]) -> Found:
    is_otherwise = _is_otherwise(finding) and finding.ref in ruled
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
        nearest=[ruled[finding.ref].move] if is_otherwise else near.get(finding.ref, []) if _is_broken(finding) else [],
        ruled=ruled[finding.ref].sides if is_otherwise else [],
    )


def _is_broken(finding: Finding) -> bool:
    return finding.kind == "breach" and finding.on == "record"


def _is_otherwise(finding: Finding) -> bool:
    return finding.kind == "difference" and finding.is_open


class Ruled(NamedTuple):
    """A move in notation, and what the rules make of it."""

    move: str
    sides: list[Side]


def _ruled(done: Replay) -> dict[str, Ruled]:
    """By event that moved otherwise than the rules say, the same move side by side."""
    title = done.title
    ruled: dict[str, Ruled] = {}
    for ref in islice(dict.fromkeys(finding.ref for finding in done.findings if _is_otherwise(finding)), MOST_NEAREST):
        index = done.places[ref] - 1
        state, event = done.state_at(index), done.events[index]
        given = title.effects(state, event.do)
        if given is not None and len(event.moved) + len(event.facts) <= MOST_SIDES:
            had = Effects(event.moved, event.facts)
            ruled[ref] = Ruled(title.words.write(state, event.do), [*_amounts(given, had), *_facts(given, had)])
    return ruled


def _amounts(given: Effects, recorded: Effects) -> Iterator[Side]:
    due, had = sums(given.moved), sums(recorded.moved)
    for who, what, why in dict.fromkeys((*due, *had)):
        key = (who, what, why)
        yield Side(
            of="amount",
            who=who,
            what=house_message("resource", what=Term("resources", what)),
            why=why,
            rules=due[key],
            recorded=had[key],
        )


def _facts(given: Effects, recorded: Effects) -> Iterator[Side]:
    due, had = Counter(map(fact_message, given.facts)), Counter(map(fact_message, recorded.facts))
    for fact in dict.fromkeys((*due, *had)):
        yield Side(of="fact", what=fact, rules=due[fact], recorded=had[fact])


def _nearest(done: Replay) -> dict[str, list[str]]:
    """By event, what comes near it and would have been legal when it was recorded, in notation."""
    title = done.title
    near: dict[str, list[str]] = {}
    for ref in islice(dict.fromkeys(finding.ref for finding in done.findings if _is_broken(finding)), MOST_NEAREST):
        index = done.places[ref] - 1
        state = done.state_at(index)
        near[ref] = [title.words.write(state, act) for act in title.recorder.nearest(state, done.events[index].do)]
    return near


def _damaged(error: LogError, kind: str = "") -> Damaged:
    message, hint = error.message, _hint(error)
    return Damaged(kind=kind, code=error.code, message=message, file=error.file, line=error.line, hint=hint)


def _hint(error: LogError) -> Message | None:
    """What an editor or git may have done to a log that was fine. Only a file can be read twice."""
    path = Path(error.file)
    if not path.is_file():
        return None
    file = DISK.open(path, "read")
    try:
        lines = Lines(lambda size: DISK.read(file, size))
        first = raw = lines.readline(CHUNK)
        for _ in range(error.line - 1):
            raw = lines.readline(CHUNK)
    finally:
        DISK.close(file)
    has_mark, is_crlf = first.startswith(BOM_UTF8), raw.endswith(b"\r\n")
    if not (has_mark or is_crlf):
        return None
    return damage_message("mark-and-crlf" if has_mark and is_crlf else "mark" if has_mark else "crlf")
