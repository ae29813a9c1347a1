"""Verdicts as JUnit XML: a game is a test, as GitLab and Jenkins read it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from spyrium_cli.render.findings import sentence
from spyrium_cli.render.text import counted, plain

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import Found, Verdict

# What XML 1.0 cannot say at all.
_UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Iterable[Verdict]) -> str:
    """Findings that count are a failure, a log that cannot be read is an error, all other findings are output."""
    suite = ET.Element("testsuite", name="spyrium validate")
    cases = [_case(suite, verdict) for verdict in verdicts]
    totals = {
        "tests": str(len(cases)),
        "failures": str(cases.count("failure")),
        "errors": str(cases.count("error")),
    }
    # only of a suite, as the schema that Jenkins and pytest check against has it
    suite.attrib.update(totals, skipped="0")
    top = ET.Element("testsuites", totals)
    top.append(suite)
    ET.indent(top)
    return ET.tostring(top, encoding="unicode", xml_declaration=False)


def _case(suite: ET.Element, verdict: Verdict) -> str:
    from spyrium_cli.games.lookup import split_name

    name = f"{verdict.game or verdict.file} ({', '.join(verdict.players)})" if verdict.players else verdict.file
    case = ET.SubElement(
        suite, "testcase", name=_said(name), classname="spyrium.log", file=_said(split_name(verdict.file)[0])
    )
    told = [_line(verdict, finding) for finding in verdict.findings if finding.is_open]
    others = [_line(verdict, finding) for finding in verdict.findings if not finding.is_open]
    kinds = {"clean": "", "findings": "failure", "unusable": "error"}
    if verdict.damage is not None:
        damage = verdict.damage
        told.append(f"{damage.file}:{damage.line}: {damage.code}: {damage.message}")
    if kind := kinds[verdict.verdict]:
        first = told[0] if len(told) == 1 else counted(len(told), "finding")
        fault = ET.SubElement(case, kind, message=_said(first), type=verdict.verdict)
        fault.text = "\n".join(map(_said, told))
    if others:
        ET.SubElement(case, "system-out").text = "\n".join(map(_said, others))
    return kind


def _line(verdict: Verdict, finding: Found) -> str:
    number = f" ({finding.number})" if finding.number else ""
    status = "" if finding.is_open else f" [{finding.status}, on the {finding.on}]"
    return f"{verdict.file}:{finding.line}: {finding.rule}{number}: {sentence(finding, verdict.players)}{status}"


def _said(text: str) -> str:
    return _UNSAYABLE.sub("\ufffd", plain(text, keep="\n\t"))
