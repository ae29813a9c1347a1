"""Verdicts as SARIF 2.1.0: what code hosts show beside a line of a file in git."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import fsencode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from spyrium_log.shown import named

if TYPE_CHECKING:
    from spyrium_cli.verdict import Damaged, Found, Sealing, Side, Verdict

VERSION = "2.1.0"
# What a log from there is called.
PIPE = "<stdin>"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# An open finding on the sheet is a question to a printed card, one that was ruled or accepted an answer.
# Whoever rewrites a log can sign it; with a key that the settings do not name that proves nothing.
UNKNOWN_KEY = "seal.unknown-key"
LEVELS = {"open": "error", "ruled": "note", "accepted": "note"}


def sarif(verdicts: Iterable[Verdict], version: str, rules: Mapping[str, str]) -> dict[str, Any]:
    """One run of one tool. `rules` are the ids that findings may have, with the rulebook's numbers."""
    numbers = dict(rules)
    found = [result for verdict in verdicts for result in _results(verdict, numbers)]
    ids = list(numbers)
    for result in found:
        result["ruleIndex"] = ids.index(result["ruleId"])
    driver = {"name": "spyrium", "version": version, "rules": [_rule(rule, numbers[rule]) for rule in ids]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": found}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(rule: str, number: str) -> dict[str, Any]:
    said = f"{rule} ({number})" if number else rule
    return {"id": rule, "shortDescription": {"text": said}, "properties": {"number": number}}


def _results(verdict: Verdict, numbers: dict[str, str]) -> Iterator[dict[str, Any]]:
    for finding in verdict.findings:
        numbers.setdefault(finding.rule, finding.number)
        yield _result(verdict, finding)
    if verdict.seal is not None and verdict.seal.standing == "unknown":
        numbers.setdefault(UNKNOWN_KEY, "")
        yield _unknown_key(verdict, verdict.seal)
    if verdict.damage is not None:
        rule = f"log.{verdict.damage.code}"
        numbers.setdefault(rule, "")
        yield _damage(verdict, verdict.damage, rule)


def _result(verdict: Verdict, finding: Found) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "level": "warning" if finding.status == "open" and finding.on == "sheet" else LEVELS[finding.status],
        "message": {"text": sentence(finding, verdict.players)},
        "locations": _locations(verdict.file, finding.line),
        "partialFingerprints": {"finding/v1": f"{verdict.game}:{finding.ref}:{finding.rule}:{finding.expected}"},
        "properties": {
            "event": finding.ref,
            "number": finding.number,
            "on": finding.on,
            "status": finding.status,
            **({"ruled": [to_builtins(side) for side in finding.ruled]} if finding.ruled else {}),
        },
    }


def _unknown_key(verdict: Verdict, seal: Sealing) -> dict[str, Any]:
    return {
        "ruleId": UNKNOWN_KEY,
        "level": "note",
        "message": {"text": f"signed by a key that nobody here knows, {seal.key}"},
        "locations": _locations(verdict.file, seal.n + 1),
        "partialFingerprints": {"finding/v1": f"{verdict.game}:{seal.n}:{UNKNOWN_KEY}:{seal.key}"},
    }


def _damage(verdict: Verdict, damage: Damaged, rule: str) -> dict[str, Any]:
    hint = f" ({damage.hint})" if damage.hint else ""
    return {
        "ruleId": rule,
        "level": "error",
        "message": {"text": f"{damage.message}{hint}"},
        "locations": _locations(verdict.file, damage.line),
    }


def sentence(finding: Found, players: Sequence[str]) -> str:
    """What the rules give, what was recorded, and what comes near."""
    said = named(f"event {finding.ref}: expected {finding.expected}, found {finding.found}", players)
    if finding.ruled:
        return f"{said}; by the rules {', '.join(finding.nearest)}: {sides(finding, players)}"
    return f"{said}; nearest legal: {', '.join(finding.nearest)}" if finding.nearest else said


def sides(finding: Found, players: Sequence[str]) -> str:
    """What the rules make of the move beside what was recorded; nothing where it is another move."""
    return "; ".join(named(_side(side), players) for side in finding.ruled)


def _side(side: Side) -> str:
    """`Bob money (price) -6, recorded -5`."""
    if side.of == "fact":
        return f"{side.what} {side.rules}, recorded {side.recorded}"
    return f"seat {side.who} {side.what} ({side.why}) {side.rules:+d}, recorded {side.recorded:+d}"


def _locations(file: str, line: int) -> list[dict[str, Any]]:
    """A line of a file; of a pack, which has other lines than its games, the file and which of them."""
    from spyrium_cli.games import parted

    place, game = parted(file)
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place)}}
    if line and not game:
        physical["region"] = {"startLine": line}
    location: dict[str, Any] = {} if place == PIPE else {"physicalLocation": physical}
    if game or place == PIPE:
        location["logicalLocations"] = [{"name": game or place, "fullyQualifiedName": f"{game or place}:{line}"}]
    return [location]


def _uri(file: str) -> str:
    """Seen from here where it lies below, as a host of repositories wants it."""
    from urllib.parse import quote

    path = Path(file).absolute()
    here = Path.cwd()
    return quote(fsencode(path.relative_to(here).as_posix())) if path.is_relative_to(here) else path.as_uri()
