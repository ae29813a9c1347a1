"""Verdicts as JUnit XML: a game is a test, as GitLab and Jenkins read it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from spyrium_cli.render.sentences import compared_moves_text
from spyrium_cli.render.text import count_text, plain
from spyrium_log.messages import Reader, comparison_text

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import CheckedFinding, Verdict

# Characters that no XML document may hold, not even escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# The element that marks a test as failed; empty for one that passed.
_ELEMENT_BY_VERDICT = {"clean": "", "findings": "failure", "unusable": "error"}


def junit(verdicts: Iterable[Verdict]) -> str:
    """Open findings are a failure, a log that cannot be read is an error, all other findings are output."""
    suite = ET.Element("testsuite", name="spyrium validate")
    cases = [_add_case(suite, verdict) for verdict in verdicts]
    totals = {"tests": str(len(cases)), "failures": str(cases.count("failure")), "errors": str(cases.count("error"))}
    # the schema of Jenkins and pytest allows `skipped` on a suite only
    suite.attrib.update(totals, skipped="0")
    top = ET.Element("testsuites", totals)
    top.append(suite)
    ET.indent(top)
    return ET.tostring(top, encoding="unicode", xml_declaration=False)


def _add_case(suite: ET.Element, verdict: Verdict) -> str:
    """Add the test of one game; the name of the element in it that says what is wrong."""
    from spyrium_cli.games.lookup import split_name

    name = f"{verdict.game or verdict.file} ({', '.join(verdict.players)})" if verdict.players else verdict.file
    file = split_name(verdict.file)[0]
    case = ET.SubElement(suite, "testcase", name=_xml_text(name), classname="spyrium.log", file=_xml_text(file))
    open_findings = [_finding_line(verdict, finding) for finding in verdict.findings if finding.is_open]
    other_findings = [_finding_line(verdict, finding) for finding in verdict.findings if not finding.is_open]
    if (damage := verdict.damage) is not None:
        open_findings.append(f"{damage.file}:{damage.line}: {damage.code}: {damage.message}")
    if element := _ELEMENT_BY_VERDICT[verdict.verdict]:
        message = open_findings[0] if len(open_findings) == 1 else count_text(len(open_findings), "finding")
        fault = ET.SubElement(case, element, message=_xml_text(message), type=verdict.verdict)
        fault.text = "\n".join(map(_xml_text, open_findings))
    if other_findings:
        ET.SubElement(case, "system-out").text = "\n".join(map(_xml_text, other_findings))
    return element


def _finding_line(verdict: Verdict, finding: CheckedFinding) -> str:
    """`game.jsonl:12: turn.order (S-5.1): event 11: expected Bob to act, found Cy [accepted, on the record]`.

    Followed by the move by the rules, or by the nearest legal moves, where there are any.
    """
    number = f" ({finding.number})" if finding.number else ""
    difference = comparison_text(finding.expected, finding.found, Reader(names=verdict.players, minus="-"))
    sentence = f"{verdict.file}:{finding.line}: {finding.rule}{number}: event {finding.ref}: {difference}"
    moves = ", ".join(finding.nearest)
    if finding.ruled:
        sentence += f"; by the rules {moves}: {compared_moves_text(finding, verdict.players)}"
    elif moves:
        sentence += f"; nearest legal: {moves}"
    return sentence if finding.is_open else f"{sentence} [{finding.status}, on the {finding.on}]"


def _xml_text(text: str) -> str:
    """The text as XML may hold it: control characters written out, others that are no XML replaced."""
    return _NOT_IN_XML.sub("\ufffd", plain(text, keep="\n\t"))
