"""What validation says of one log, as an object that every format writes."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from spyrium_cli.render.changes import sum_amounts
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.settings.trusted_keys import Trust, trust_of
from spyrium_log import Log
from spyrium_log.audit import Finding, fact_message
from spyrium_log.errors import LogError, StoreError, Unchecked
from spyrium_log.messages import Message, Term, damage_message, finding_message
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Effects

# The index of a verdict is its exit code.
WORST = ("clean", "findings", "unusable")
# Each broken event costs a list of legal moves; a game with more of them was not played by these rules.
MOST_NEAREST = 100
# Each finding of an event lists all that the event moved. No event of a real game moves half as much.
MOST_SIDES = 100
# Bytes that are read at once: no line is longer.
LONGEST_LINE = 1 << 21


class Side(Struct, frozen=True, kw_only=True):
    """An amount of a move by who, what and why, by the rules and as recorded; or a fact, and how often it stands."""

    of: Literal["amount", "fact"]
    who: int = 0
    what: Message
    why: str = ""
    rules: int
    recorded: int


class CheckedFinding(Struct, frozen=True, kw_only=True):
    """A finding with its line in the file, counted from 1 as editors do.

    `ref` is the name of the event: n, or n.i for one that amendment n inserted. `nearest` are legal moves in notation,
    where a rule was broken. Where only amounts or facts differ it is the move itself, and `ruled` compares them.
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
    unchecked: tuple[Unchecked, ...] = ()
    status: str
    nearest: list[str] = []
    ruled: list[Side] = []

    @property
    def is_open(self) -> bool:
        """Whether the finding makes the log unclean."""
        return self.status == "open" and self.on == "record"


# It reads as an empty text.
NO_HINT = damage_message("unreadable", found="")


class DamageReport(Struct, frozen=True, kw_only=True):
    """Why a log cannot be read on. `kind`: what is unended or torn was never acknowledged. `line` 0: none."""

    kind: str = ""
    code: str
    message: Message
    file: str
    line: int
    hint: Message


class SealStatus(Struct, frozen=True, kw_only=True):
    """The last seal, and how many lines follow it.

    `standing` of its signature: unsigned; valid, by the key that the settings call `signer`; unknown, by a key that is
    not in the settings; wrong; unchecked, because the extra `sign` is not installed.
    """

    n: int
    by: str
    standing: Trust
    key: str | None
    signer: str | None
    after: int

    def sentence(self, language: str) -> str:
        """`signed by 3b6a…, valid; 1 line after it`."""
        text = translate(f"validate.{self.standing}", language, key=self.key, signer=self.signer)
        if not self.after:
            return text
        return translate("validate.after", language, seal=text, lines=count_text(self.after, "line", language))


class Verdict(Struct, frozen=True, kw_only=True):
    """What `validate` says of one log. `invented`: the name of its sheet, where that has invented values."""

    file: str
    verdict: Literal["clean", "findings", "unusable"]
    game: str | None = None
    title: str | None = None
    players: list[str] = []
    events: int = 0
    assumed: int = 0
    invented: str | None = None
    chain: str = ""
    seal: SealStatus | None = None
    findings: list[CheckedFinding] = []
    damage: DamageReport | None = None

    @property
    def open_count(self) -> int:
        """The number of open findings on the record."""
        return sum(finding.is_open for finding in self.findings)

    @property
    def is_unfinished(self) -> bool:
        """Whether its only damage is a last line that was never finished."""
        return self.verdict == "findings" and self.damage is not None


def apply_trusted_keys(verdict: Verdict, trusted: Mapping[str, str]) -> Verdict:
    """The verdict with the standing of its seal for somebody who trusts these keys. `trusted`: names by public key."""
    seal = verdict.seal
    if seal is None:
        return verdict
    standing = trust_of(seal.standing, seal.key, trusted)
    return structs.replace(verdict, seal=structs.replace(seal, standing=standing, signer=trusted.get(seal.key or "")))


def check_log(name: str, read_log: Callable[[], Log], *, amended: bool = True) -> Verdict:
    """The verdict on a log, which is read and audited as far as it can be; not `amended`: as it was recorded."""
    try:
        log = read_log()
        game = replay(log, amended=amended)
    except LogError as error:
        return Verdict(file=name, verdict="unusable", damage=_make_damage_report(error))
    except StoreError as error:
        message = damage_message("unreadable", found=error.message)
        damage = DamageReport(code="unreadable", message=message, file=name, line=0, hint=NO_HINT)
        return Verdict(file=name, verdict="unusable", damage=damage)
    complaint = log.complaint
    return Verdict(
        file=log.file,
        verdict=game.verdict,
        game=game.header.game,
        title=game.title.key,
        players=game.players,
        events=len(game.events),
        assumed=game.assumed_value_count,
        invented=game.sheet.name if game.sheet.is_invented else None,
        chain="ok" if complaint is None else f"holds up to line {len(log.lines)}",
        seal=_make_seal_status(game),
        findings=list(_check_findings(game)),
        damage=_make_damage_report(complaint, log.damage.kind if log.damage else "") if complaint else None,
    )


def _make_seal_status(game: Replay) -> SealStatus | None:
    """The status of the last seal for somebody who trusts no key yet; None for a game without a seal."""
    if not game.seals:
        return None
    last = game.seals[-1]
    return SealStatus(n=last.n, by=last.by, standing=last.standing, key=last.key, signer=None, after=game.unsealed)


def _check_findings(game: Replay) -> Iterator[CheckedFinding]:
    """The findings of a game, each with legal moves that resemble the event, or with the same move by the rules."""
    nearest = {ref: _list_nearest_moves(game, ref) for ref in _first_events_with(game, _is_breach)}
    compared = {ref: _compare_move(game, ref) for ref in _first_events_with(game, _is_difference)}
    for finding in game.findings:
        moves = nearest.get(finding.ref, []) if _is_breach(finding) else []
        sides: list[Side] = []
        if _is_difference(finding):
            moves, sides = compared.get(finding.ref, ([], []))
        fields = {**structs.asdict(finding), "ref": finding.ref, "line": finding.n + 1}
        yield CheckedFinding(**fields, nearest=moves, ruled=sides)


def _is_breach(finding: Finding) -> bool:
    """Whether the finding is a broken rule on the record."""
    return finding.kind == "breach" and finding.on == "record"


def _is_difference(finding: Finding) -> bool:
    """Whether the finding is an open difference of amounts or facts."""
    return finding.kind == "difference" and finding.is_open


def _first_events_with(game: Replay, is_wanted: Callable[[Finding], bool]) -> Iterator[str]:
    """The names of the first `MOST_NEAREST` events with such findings."""
    return islice(dict.fromkeys(finding.ref for finding in game.findings if is_wanted(finding)), MOST_NEAREST)


def _list_nearest_moves(game: Replay, ref: str) -> list[str]:
    """Legal moves that resemble an event, in notation."""
    # positions count from 1, and the state before the first event has index 0
    index = game.position_by_name[ref] - 1
    state, words = game.state_at(index), game.title.words
    return [words.write(state, act) for act in game.title.recorder.nearest(state, game.events[index].do)]


def _compare_move(game: Replay, ref: str) -> tuple[list[str], list[Side]]:
    """A move in notation, its amounts and facts by the rules beside those recorded; nothing where that is too much."""
    index = game.position_by_name[ref] - 1
    state, event = game.state_at(index), game.events[index]
    ruled = game.title.effects(state, event.do)
    if ruled is None or len(event.moved) + len(event.facts) > MOST_SIDES:
        return [], []
    recorded = Effects(event.moved, event.facts)
    sides = [*_compare_amounts(ruled, recorded), *_compare_facts(ruled, recorded)]
    return [game.title.words.write(state, event.do)], sides


def _compare_amounts(ruled: Effects, recorded: Effects) -> Iterator[Side]:
    """Each amount by who, what and why: by the rules and as recorded."""
    expected, found = sum_amounts(ruled.moved), sum_amounts(recorded.moved)
    for key in dict.fromkeys((*expected, *found)):
        who, resource, why = key
        what = finding_message("resource", what=Term("resources", resource))
        yield Side(of="amount", who=who, what=what, why=why, rules=expected[key], recorded=found[key])


def _compare_facts(ruled: Effects, recorded: Effects) -> Iterator[Side]:
    """Each fact, and how often it stands by the rules and in the record."""
    expected, found = Counter(map(fact_message, ruled.facts)), Counter(map(fact_message, recorded.facts))
    for fact in dict.fromkeys((*expected, *found)):
        yield Side(of="fact", what=fact, rules=expected[fact], recorded=found[fact])


def _make_damage_report(error: LogError, kind: str = "") -> DamageReport:
    """The report of an error that ends a log, with a hint at what an editor may have done. `kind`: of the damage."""
    message, hint = error.message, _find_editor_hint(error)
    return DamageReport(kind=kind, code=error.code, message=message, file=error.file, line=error.line, hint=hint)


def _find_editor_hint(error: LogError) -> Message:
    """What an editor or git may have changed in a log: a byte order mark, CRLF. Only a file can be read twice."""
    path = Path(error.file)
    if not path.is_file():
        return NO_HINT
    with path.open("rb") as file:
        first_line = bad_line = file.readline(LONGEST_LINE)
        for _ in range(error.line - 1):
            bad_line = file.readline(LONGEST_LINE)
    has_byte_order_mark, is_crlf = first_line.startswith(BOM_UTF8), bad_line.endswith(b"\r\n")
    if has_byte_order_mark and is_crlf:
        return damage_message("mark-and-crlf")
    if has_byte_order_mark:
        return damage_message("mark")
    return damage_message("crlf") if is_crlf else NO_HINT
