"""What is said beside moves: amounts, counts, positions, readings, notes, in as few keys as a table leaves time for.

?                    what else may be said (in a deal: a card nobody saw)
u   u 12             take back the last event; everything after line 12. To the
                     line before an undo, that brings back what it took
a1/m-5 Anna: why     this is what the move moved, as Anna says
/2m+1 Anna: why      a number that belongs to no move was ruled, here for seat 2
#12 Anna: why        a ruling about line 12: what was found there stands
#12 m-5 Anna: why    the same: this is what it moved; what came after stands
=3   a1=3            the price on the card just bought; about to be bought
=m1 4                the price on any card; =m1 points 3 any number on it
c 12 2 0, 8 1 3      count the table, seat by seat; a dash leaves one out
c bob m8 s1 r4       count only this, by the first letter of what it is; a
                     track by the number printed there, or r#3 its 3rd space
~ bob m7 s0: why     moves were missed, this lies there now; also round 3,
                     last bob, market mine-1 - miner:2 and the like
;!   ;a good start   a mark (!! ! !? ?! ? ??), a note, or both, on the last
                     event; on an earlier one: #12 ;why not?
pause   continue     the table stops for a while, goes on
concede   concede bob   whoever's turn it is, or Bob, plays no further
abandon why          the game ends here, unfinished
!                    after a refusal: the table did it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, cast, get_args

from msgspec.structs import replace

from spyrium_log.audit import Finding
from spyrium_log.edit.asides import find_open_findings
from spyrium_log.entry.requests import Acceptance, Act, Note, Reading, Request, Ruling, Undo
from spyrium_log.errors import NotationError
from spyrium_log.log.lines import AnyEventBody, Event, EventBody
from spyrium_log.log.notes import Mark
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import Reader, comparison, syntax, unexpected
from spyrium_log.play import Play
from spyrium_log.quoting import quoted
from spyrium_log.replay import replay
from spyrium_log.title import Adjusted, AnyPosting, Effects, Holding, Posting, Seen, seat_of
from spyrium_log.transcript.names import names_of
from spyrium_log.transcript.span import Span, line_span
from spyrium_log.transcript.statements import SPACE, STATEMENTS, Grammar, example_amounts, find_letter, read_printed

# The longest first: `!!` is not `!` and a remark.
MARKS: Sequence[str] = sorted(get_args(Mark), key=len, reverse=True)
UNDO = re.compile(r"u(?: +[0-9]{1,6})?")
# `#12`, or `#12.1` for an inserted event, and what is ruled about it.
RULING_LINE = re.compile(r"# *(?P<at>[0-9]{1,6}(?:\.[0-9]{1,3})?)(?: +(?P<rest>.*))?")
STATEMENT = re.compile(r"(?:pause|continue|concede|abandon)(?: .*)?")
# The tag of a note that says what the table ruled where there was no finding to accept.
RULING = "ruling"
ASK = "?"
# fewer letters may be a card or a move
SHORTEST_WORD = 2


class Hint(NamedTuple):
    """How a line may go on: the keys, what they do, and the whole line then."""

    keys: str
    what: str
    text: str


# Shortcuts by the word that somebody may type who does not know the key.
WORDS = (
    ("undo", "u", "take back the last event"),
    ("count", "c ", "count the table"),
    ("price", "=", "a value printed on a card"),
    ("note", ";", "a note, or a mark"),
    ("ruling", "#", "a ruling about an earlier line"),
    ("amount", "/", "an amount that was ruled"),
    ("missed", "~ ", "moves were missed"),
    ("pause", "pause", "the table stops a while"),
    ("continue", "continue", "the table goes on"),
    ("concede", "concede", "somebody plays no further"),
    ("abandon", "abandon ", "it ends here, unfinished"),
)


def is_shortcut(text: str) -> bool:
    """Whether the text is a shortcut and no move of the title."""
    line = text.rstrip()
    return is_shortcut_begun(text) or bool(UNDO.fullmatch(line) or STATEMENT.fullmatch(line))


def is_shortcut_begun(text: str) -> bool:
    """Whether the text can only be a shortcut, even half typed."""
    return bool(text) and (text[0] in ";~#" or text.startswith("c "))


def read(play: Play, text: str, by: str) -> Request:
    """The request of a shortcut; NotationError if it is incomplete."""
    span = line_span(text)
    if text.startswith(";"):
        return _read_note(text)
    if text.startswith("~"):
        return _read_position(play, span.cut(1))
    if text.startswith("#"):
        return _read_ruling(play, span, by)
    word = span.first()
    if word.text == "c":
        return Act(act=_read_count(play, span.after(word)))
    if word.text in STATEMENTS:
        return Act(act=STATEMENTS[word.text](_grammar(play), span.after(word)))
    return _read_undo(play, span.cut(1))


def hints(play: Play, text: str, *, deal: bool) -> list[Hint]:
    """How a half-typed shortcut may go on; in a deal a question mark is a card."""
    if text.startswith("#"):
        typed_ref = text[1:].strip()
        still_open = [finding for finding in replay(play.log).findings if finding.is_open]
        listed = [finding for finding in still_open if finding.ref.startswith(typed_ref)]
        return [Hint(f"#{finding.ref}", _finding_text(play, finding), f"#{finding.ref} ") for finding in listed]
    if text.startswith("~"):
        return [] if text[1:].strip() else list(_holding_hints(play))
    if text.strip() == ASK and not deal:
        return [Hint(keys.strip(), what, keys) for _, keys, what in WORDS]
    word = text.strip().casefold()
    if len(word) < SHORTEST_WORD:
        return []
    return [Hint(keys.strip(), what, keys) for name, keys, what in WORDS if name.startswith(word)]


def _read_undo(play: Play, to: Span) -> Undo:
    """`u`, or `u 12` for back to line 12, which must be there."""
    last = len(play.log.lines) - 1
    if not to.text and not play.events():
        to.refuse(syntax("event-to-undo"))
    if to.text and int(to.text) > last:
        to.refuse(syntax("lines", most=last))
    return Undo(to=int(to.text) if to.text else None)


def _read_note(text: str) -> Note:
    """`;`, a mark, a remark, or both."""
    rest = text[1:]
    mark = next((mark for mark in MARKS if rest.startswith(mark)), None)
    remark = rest.removeprefix(mark or "").strip()
    if not mark and not remark:
        raise NotationError(unexpected(syntax("mark", known=" ".join(get_args(Mark))), ""), text, 2)
    return Note(text=remark, mark=cast("Mark | None", mark))


# --- amounts -------------------------------------------------------------------------------------


def _grammar(play: Play, seat: int = 0) -> Grammar:
    """How statements are read; an amount without a name is of this seat, or of whoever is to act."""
    return Grammar(play.title, play.state, names_of(play.header), seat or play.awaits().seat or 1)


def _grammar_by_printed(play: Play) -> Grammar:
    """The same, with tracks read by their printed numbers."""
    return _grammar(play)._replace(printed=partial(play.title.recorder.printed, play.state))


def table_postings(play: Play, act: Any, span: Span, by: str) -> Sequence[AnyPosting]:
    """What the table says an act moved, as differences from the rules."""
    grammar = _grammar(play, seat_of(act))
    amounts, rest = grammar.amounts(span)
    seen = grammar.seen(rest, by)
    effects = play.title.effects(play.state, act) or Effects()
    postings: list[AnyPosting] = []
    for amount in amounts:
        who, what, n = amount.who, amount.what, amount.n
        derived_amount = sum(posting.n for posting in effects.moved if (posting.who, posting.what) == (who, what))
        if n == derived_amount:
            span.cut(0, rest.start - span.start).refuse(syntax("another-amount"))
        postings.append(Posting(who, what, n - derived_amount, "table", seen))
    if not postings:
        span.refuse(syntax("amount", example=example_amounts(play.title)))
    return postings


def read_adjustment(play: Play, span: Span, by: str) -> Act:
    """Record a ruled number that belongs to no decision."""
    grammar = _grammar(play)
    amounts, rest = grammar.amounts(span)
    seen = grammar.seen(rest, by)
    if not amounts:
        span.refuse(syntax("amount", example=example_amounts(play.title)))
    postings = [Posting(each.who, each.what, each.n, "adjusted", seen) for each in amounts]
    return Act(act=Adjusted(who=seen.who, why=seen.why), extra=postings)


# --- counts and positions ------------------------------------------------------------------------


def _read_count(play: Play, span: Span) -> Any:
    """What everybody has, with tracks by their printed numbers; numbers without a name are of whoever is to act."""
    if not span.text:
        span.refuse(syntax("counts"))
    return _grammar_by_printed(play)._replace(seat=0).counted(span, play.awaits().seat or 1)


def _read_position(play: Play, span: Span) -> Act:
    """A position in notation, with seats for the names of players."""
    words, colon, why = span.text.rpartition(": ")
    if not colon or not words.strip():
        span.at_end().refuse(syntax("holdings"))
    names = names_of(play.header)
    sections = []
    for section in span.cut(0, len(words)).split(","):
        first = section.first()
        if first.text and names.knows(first.text):
            sections.append(f"@{names.seat(first)} {_with_spaces(play, section.after(first))}")
        else:
            sections.append(section.text)
    return Act(act=play.parse(f"position {', '.join(sections)} {quoted(why.strip())}"))


def _with_spaces(play: Play, span: Span) -> str:
    """The words with spaces of a track for the numbers printed on them."""
    grammar = _grammar_by_printed(play)
    words = []
    for word in span.words():
        read = grammar.amount([word])
        is_by_space = read is not None and bool(grammar.printed(read[0].what))
        (holding,), _ = grammar.amounts(word) if is_by_space else ([None], word)
        words.append(f"{find_letter(play.title, holding.what)}{holding.n}" if holding else word.text)
    return " ".join(words)


def _holding_hints(play: Play) -> Iterator[Hint]:
    """What each player has by the record, to be edited."""
    letters: dict[str, str] = {}
    for letter, what in play.title.words.letters.items():
        # not every keyboard has a pound sign
        if letter.isascii():
            letters.setdefault(what, letter)
    for seat, player in enumerate(play.players, 1):
        held = [holding for holding in play.title.held(play.state) if holding.who == seat]
        words = [f"{letters.get(each.what, each.what)}{_typed_amount(play, each.what, each.n)}" for each in held]
        line = f"{player.split()[0].casefold()} {' '.join(words)}"
        yield Hint(line, "by the record", f"~ {line}")


def _typed_amount(play: Play, what: str, n: int) -> str:
    """An amount as it is typed: for a track the number printed on the space."""
    printed = play.title.recorder.printed(play.state, what)
    if not printed:
        return str(n)
    return str(printed[n - 1]) if 0 < n <= len(printed) else f"{SPACE}{n}"


# --- rulings about an earlier line ---------------------------------------------------------------


def _finding_text(play: Play, finding: Finding) -> str:
    """A finding in words: the rule, its number, what was expected and what was found."""
    number = f" ({finding.number})" if finding.number else ""
    names = [seat.player for seat in play.header.seats]
    return f"{finding.rule}{number}: {comparison(finding.expected, finding.found, Reader(names=names, minus='-'))}"


def event_at(play: Play, at: str) -> Event | None:
    """The event of that name, if it stands."""
    return next((event for event in play.events() if ref_of(event) == at), None)


def moved_sums(event: Event | AnyEventBody | None) -> dict[tuple[int, str], int]:
    """The sum of its postings by seat and resource."""
    sums: dict[tuple[int, str], int] = {}
    for posting in event.moved if event is not None else ():
        sums[posting.who, posting.what] = sums.get((posting.who, posting.what), 0) + posting.n
    return sums


def _read_ruling(play: Play, span: Span, by: str) -> Acceptance | Ruling | Note:
    """With amounts, what the event moved instead; without, a finding is accepted; else it is a note."""
    line = RULING_LINE.fullmatch(span.text)
    if line is None:
        raise NotationError(syntax("line-and-who"), span.line, 2)
    at, rest = line["at"], span.cut(line.start("rest")) if line["rest"] else span.at_end()
    event, findings = event_at(play, at), find_open_findings(play.log, at)
    if event is None and not findings:
        raise NotationError(unexpected(syntax("standing-event"), at), span.line, 2)
    if rest.text.startswith(";"):
        return replace(_read_note(rest.text), on=at)
    rule = rest.first()
    named = [finding for finding in findings if rule.text and rule.text in (finding.rule, finding.number)]
    rest = rest.after(rule) if named else rest
    grammar = _grammar(play, seat_of(event.do) if event else 0)
    amounts, reason = grammar.amounts(rest)
    seen = grammar.seen(reason, by)
    if amounts and event is not None:
        edited = _with_amounts(event, amounts, seen)
        if moved_sums(edited) == moved_sums(event):
            rest.cut(0, reason.start - rest.start).refuse(syntax("another-recorded-amount"))
        return Ruling(at=at, event=edited, why=f"{seen.who}: {seen.why}")
    if len(named or findings) > 1:
        rules = ", ".join(dict.fromkeys(finding.rule for finding in findings))
        raise span.error(syntax("which-rule", known=rules, example=f"#{at} {findings[0].rule} ..."))
    if not findings:
        return Note(on=at, text=f"{seen.who}: {seen.why}", tags=(RULING,))
    return Acceptance(finding=(named or findings)[0], who=seen.who, why=seen.why)


def _with_amounts(event: Event, amounts: Sequence[Holding[str]], seen: Seen) -> AnyEventBody:
    """The event with other amounts moved; the rest of it stays."""
    postings = list(event.moved)
    for amount in amounts:
        who, what, n = amount.who, amount.what, amount.n
        postings = [each for each in postings if (each.who, each.what, each.why) != (who, what, "table")]
        derived_amount = sum(each.n for each in postings if (each.who, each.what) == (who, what))
        if n != derived_amount:
            postings.append(Posting(who, what, n - derived_amount, "table", seen))
    edited: AnyEventBody = EventBody(do=event.do, moved=tuple(postings), facts=tuple(event.facts))
    return edited


# --- printed values ------------------------------------------------------------------------------


def read_printed_value(play: Play, span: Span, act: Any = None) -> Reading:
    """A value read off a card: by default the price that the act, or the last event, depends on."""
    words = span.words()
    if not words:
        span.refuse(syntax("number-on-card"))
    value = read_printed(words[-1])
    if len(words) == 1:
        of = play.title.recorder.relied(play.state, act) if act is not None else _last_relied_value(play)
        if of is None:
            raise span.error(syntax("no-card-bought"))
        return Reading(of=of[0], what=of[1], value=value)
    card = play.title.recorder.codes.get(words[0].text, words[0].text)
    rows = [row for row in play.log.sheet.printed if row.of == card]
    if not rows:
        words[0].refuse(syntax("component"))
    names = [row.what for row in rows if type(row.value) is type(value)]
    what = " ".join(word.text for word in words[1:-1]) or next(iter(names), "")
    if what not in names:
        span.cut(words[1].start - span.start, words[-1].start - span.start).refuse(
            syntax("one-of", known=", ".join(names))
        )
    return Reading(of=card, what=what, value=value)


def _last_relied_value(play: Play) -> tuple[str, str] | None:
    """The component and the printed value that the last event depends on."""
    replayed = replay(play.log, audit=False)
    if not replayed.events:
        return None
    last = len(replayed.events) - 1
    return play.title.recorder.relied(replayed.state_at(last), replayed.events[last].do)
