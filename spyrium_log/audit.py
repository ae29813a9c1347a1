"""The audit: what the rules say of an event, compared with what the event says itself. Order never counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.folding import judge_event
from spyrium_log.log.lines import Accepted, Aside, Declared, Event
from spyrium_log.log.seals import Seal
from spyrium_log.log.timeline import insertion_number, make_ref
from spyrium_log.messages import Amount, Cause, Fact, FieldValue, Message, Seat, Signed, Term, finding_message
from spyrium_log.title import Adjusted, AnyPosting, AnyTitle, Counted, Effects, PostingKey, Score, tag_of
from spyrium_log.title import Fact as AnyFact

Kind: TypeAlias = Literal["breach", "difference", "phantom", "count", "result", "seal"]


class Finding(Struct, frozen=True, kw_only=True):
    """What the audit says of line `n`, or of event `n.i`. Only an open finding on the record makes a log unclean.

    `unchecked` are the assumed printed values that a breach on the sheet rests on.
    """

    n: int
    i: int = 0
    kind: Kind
    rule: str
    number: str = ""
    expected: Message
    found: Message
    on: Literal["record", "sheet"] = "record"
    status: Literal["open", "ruled", "accepted"] = "open"
    unchecked: tuple[Unchecked, ...] = ()

    @property
    def ref(self) -> str:
        """The name of the event that it is on, as commands take it."""
        return make_ref(self.n, self.i)

    @property
    def is_open(self) -> bool:
        """Whether it makes a log unclean: nobody ruled or accepted it, and no mere print on the sheet is at fault."""
        return self.status == "open" and self.on == "record"


def audit_event(title: AnyTitle, state: Any, event: Event) -> list[Finding]:
    """The findings on one event: breaches, and what it records otherwise than the rules; `state` is the one before."""
    judgement = judge_event(title, state, event)
    if judgement is None:
        return []
    breaches, expected = judgement
    act = event.do
    findings = _count_findings(title, state, event) if isinstance(act, Counted) else []
    findings += _breach_findings(event, breaches)
    if expected is None:
        phantom = _make_finding(event, "phantom", "phantom", finding_message("pieces"), finding_message("none"))
        return [*findings, phantom]
    if isinstance(act, Adjusted):
        return findings + _fact_breaches(title, state, event, event.facts) + _ruled_findings(title, event)
    findings += _fact_breaches(title, state, event, [fact for fact in event.facts if fact.seen is not None])
    return findings + _posting_differences(title, expected, event) + _fact_differences(title, expected, event)


def _make_finding(
    event: Event,
    kind: Kind,
    rule: str,
    expected: Message,
    found: Message,
    *,
    number: str = "",
    status: Literal["open", "ruled"] = "open",
) -> Finding:
    """A finding on this event: `rule` is the key of a rule, `number` its number in the rulebook."""
    n, i = event.n, insertion_number(event)
    return Finding(n=n, i=i, kind=kind, rule=rule, number=number, expected=expected, found=found, status=status)


def _breach_findings(event: Event, breaches: Iterable[Breach]) -> list[Finding]:
    """A finding on this event for each rule that it breaks."""
    n, i = event.n, insertion_number(event)
    return [
        Finding(
            n=n,
            i=i,
            kind="breach",
            rule=breach.rule,
            number=breach.number,
            expected=breach.expected,
            found=breach.found,
            on=breach.on,
            unchecked=breach.unchecked,
        )
        for breach in breaches
    ]


def _fact_breaches(title: AnyTitle, state: Any, event: Event, facts: Sequence[AnyFact]) -> list[Finding]:
    """The breaches of facts that a person ruled: no rule must give them, but they must be possible."""
    return _breach_findings(event, title.against(state, facts)) if facts else []


def _sum_by_key(moved: Iterable[AnyPosting]) -> dict[PostingKey, int]:
    """The amounts added up by seat, resource and cause: a log may split what the rules give in one posting."""
    sums: dict[PostingKey, int] = {}
    for posting in moved:
        key = posting.who, posting.what, posting.why
        sums[key] = sums.get(key, 0) + posting.n
    return sums


def _posting_differences(title: AnyTitle, expected: Effects, event: Event) -> list[Finding]:
    """A finding for each sum by seat, resource and cause that is not what the rules give, or that a person ruled.

    A person's word stands beside what the rules give, or in its place. Whatever was recorded without one has to be what
    the rules give: a ruling explains itself and nothing else.
    """
    due = _sum_by_key(expected.moved)
    derived = _sum_by_key(posting for posting in event.moved if posting.seen is None)
    seen = _sum_by_key(posting for posting in event.moved if posting.seen is not None)
    findings = []
    for key in dict.fromkeys((*due, *derived, *seen)):
        amount, recorded = due.get(key, 0), derived.get(key, 0)
        if key not in seen and amount == recorded:
            continue
        is_ruled = key in seen and (recorded == amount or key not in derived)
        findings.append(_posting_finding(title, event, key, amount, recorded + seen.get(key, 0), is_ruled=is_ruled))
    # the rules never write a posting of zero
    zeros = dict.fromkeys((p.who, p.what, p.why) for p in event.moved if p.n == 0 and p.seen is None)
    return findings + [_posting_finding(title, event, key, 0, 0, is_ruled=False) for key in zeros]


def _posting_finding(
    title: AnyTitle, event: Event, key: PostingKey, due: int, recorded: int, *, is_ruled: bool
) -> Finding:
    """The finding on one sum of postings: what was due by the rules, and what was recorded or ruled instead."""
    who, what, why = key
    if due:
        amount = Amount(due, what, signed=True)
        expected = finding_message("difference", seat=Seat(who), amount=amount, why=Cause(why))
    else:
        expected = finding_message("nothing", seat=Seat(who), what=Term("resources", what), why=Cause(why))
    found = finding_message("number", n=Signed(recorded))
    status: Literal["open", "ruled"] = "ruled" if is_ruled else "open"
    number = title.causes.get(why, "")
    return _make_finding(event, "difference", f"posting.{why}", expected, found, number=number, status=status)


def _fact_differences(title: AnyTitle, expected: Effects, event: Event) -> list[Finding]:
    """A finding for each fact that the rules give and the event lacks, or the other way round."""
    missing = list(expected.facts)
    extra = []
    for fact in event.facts:
        if fact in missing:
            missing.remove(fact)
        else:
            extra.append(fact)
    findings = [_fact_finding(title, event, fact, is_missing=True) for fact in missing]
    return findings + [_fact_finding(title, event, fact, is_missing=False) for fact in extra]


def _fact_finding(title: AnyTitle, event: Event, fact: AnyFact, *, is_missing: bool) -> Finding:
    """The finding on a fact that the rules give and the event lacks (`is_missing`), or the other way round."""
    tag = tag_of(type(fact))
    expected, found = fact_message(fact), finding_message("none-of-the-kind")
    if not is_missing:
        expected, found = found, expected
    status: Literal["open", "ruled"] = "open" if is_missing or fact.seen is None else "ruled"
    number = title.facts.get(tag, "")
    return _make_finding(event, "difference", f"fact.{tag}", expected, found, number=number, status=status)


def fact_message(fact: AnyFact) -> Message:
    """A fact as findings word it, by its tag and fields; who saw it is no part of it."""
    fields = [FieldValue(name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "seen"]
    return finding_message("fact", fact=Fact(tag_of(type(fact)), tuple(fields)))


def _count_findings(title: AnyTitle, state: Any, event: Event) -> list[Finding]:
    """A finding for each amount that somebody counted and that differs from what the log comes to."""
    held = {(holding.who, holding.what): holding.n for holding in title.held(state)}
    findings = []
    for counted in event.do.held:
        n = held.get((counted.who, counted.what), 0)
        if n != counted.n:
            expected = finding_message("count", seat=Seat(counted.who), amount=Amount(n, counted.what))
            found = finding_message("counted", n=counted.n)
            findings.append(_make_finding(event, "count", f"count.{counted.what}", expected, found))
    return findings


def _ruled_findings(title: AnyTitle, event: Event) -> list[Finding]:
    """A finding of the status `ruled` for each number and fact of a ruling: it is listed, and nothing to mend."""
    findings = [_posting_finding(title, event, key, 0, n, is_ruled=True) for key, n in _sum_by_key(event.moved).items()]
    facts = [_fact_finding(title, event, fact, is_missing=False) for fact in event.facts]
    return findings + [structs.replace(finding, status="ruled") for finding in facts]


def vain_edit_finding(n: int, ref: str) -> Finding:
    """The finding on amendment `n`, which edits the event of this name that does not stand, and so changes nothing."""
    found = finding_message("not-standing", word=ref)
    return Finding(n=n, kind="phantom", rule="phantom", expected=finding_message("standing-event"), found=found)


def forged_seal_finding(seal: Seal) -> Finding:
    """The finding on a seal whose signature is not of the key that it names. The log stays readable."""
    expected = finding_message("signature", word=seal.key or "")
    found = finding_message("other-signature")
    return Finding(n=seal.n, kind="seal", rule="seal.signature", expected=expected, found=found)


def wrong_result_findings(declared: Iterable[Declared], scores: Iterable[Score]) -> Iterator[Finding]:
    """A finding for each declared result that differs from the score of the log."""
    totals = {score.seat: score.total for score in scores}
    for line in declared:
        for result in line.results:
            if totals.get(result.seat) != result.points:
                expected = finding_message("points", seat=Seat(result.seat), n=totals.get(result.seat, 0))
                yield _result_finding(line.n, expected, finding_message("declared", n=result.points))


def missing_result_findings(declared: Declared, seats: int) -> Iterator[Finding]:
    """A finding for each seat without a result on a score sheet."""
    present = {result.seat for result in declared.results}
    for seat in range(1, seats + 1):
        if seat not in present:
            expected = finding_message("with-points", seat=Seat(seat))
            yield _result_finding(declared.n, expected, finding_message("none-declared"))


def _result_finding(n: int, expected: Message, found: Message) -> Finding:
    """A finding on the results that line `n` declares."""
    return Finding(n=n, kind="result", rule="result", expected=expected, found=found)


def mark_accepted(findings: list[Finding], asides: Iterable[Aside]) -> list[Finding]:
    """The findings, with the status `accepted` for those that the table accepted on a line of its own."""
    # a line may hold two findings of one rule: `expected` then says which of them is meant
    accepted = {(line.line, line.i, line.rule, line.expected) for line in asides if isinstance(line, Accepted)}
    if not accepted:
        return findings

    def is_accepted(finding: Finding) -> bool:
        """Whether the table accepted this finding, or whatever breaks the same rule in this event."""
        place = finding.n, finding.i, finding.rule
        return (*place, None) in accepted or (*place, str(finding.expected)) in accepted

    return [structs.replace(finding, status="accepted") if is_accepted(finding) else finding for finding in findings]
