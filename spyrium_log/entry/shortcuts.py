"""What is said beside moves: amounts, counts, positions, readings, notes, in as few keys as a table leaves time for.

?                    what else may be said (in a deal: a card nobody saw)
u   u 12             take back the last event; everything after line 12. To the
                     line before an undo, that brings back what it took
                     Then each move is offered again: Enter records it, what
                     is typed takes its place, + puts a move before it (+p12),
                     - leaves it out, -- all of them
a1/m-5 Anna: why     this is what the move moved, as Anna says
/2m+1 Anna: why      a number that belongs to no move was ruled, here for seat 2
#12 Anna: why        a ruling about line 12: what was found there stands
#12 m-5 Anna: why    the same: this is what it moved; what came after stands
#12   #12m-5         the same by the table; who and why are asked at the end
why   why 12         which rule a move marked ✗ is against; that of line 12
=3   a1=3            the price on the card just bought; about to be bought
=m1 4                the price on any card; =m1 points 3 any number on it
c 12 2 0, 8 1 3      count the table, seat by seat; a dash leaves one out
c bob m8 s1 r4       count only this, by the first letter of what it is; a
                     track by the number printed there, or r#3 its 3rd space
locate   locate 1    what would explain a count that disagrees; take the first
~ bob m7 s0: why     moves were missed, this lies there now; also round 3,
                     last bob, market mine-1 - miner:2 and the like
;!   ;a good start   a mark (!! ! !? ?! ? ??), a note, or both, on the last
                     event, with #tags behind; on an earlier one: #12 ;why not?
pause   continue     the table stops for a while, goes on
concede   concede bob   whoever's turn it is, or Bob, plays no further
abandon why          the game ends here, unfinished
!                    after a refusal: the table did it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, get_args

from msgspec.structs import replace

from spyrium_log.audit import Finding
from spyrium_log.catalogue import fold_letters, shared_words
from spyrium_log.edit.amend import AnyAct, find_open_findings, make_event_body_with, sum_postings
from spyrium_log.edit.annotate import TypedNote, read_note
from spyrium_log.entry import requests
from spyrium_log.errors import NotationError
from spyrium_log.folding import derive_effects
from spyrium_log.log.lines import AnyEventBody, Event
from spyrium_log.log.notes import Mark
from spyrium_log.messages import Reader, entry_message, syntax, unexpected_message
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.shown import quote
from spyrium_log.title import Adjusted, AnyPosting, Counted, Effects, Holding, Posting, Seen, posting_key, seat_of
from spyrium_log.transcript.correction import find_event
from spyrium_log.transcript.span import Span, line_span, names_of
from spyrium_log.transcript.statements import (
    SPACE,
    STATEMENTS,
    Grammar,
    example_amounts,
    find_letter,
    list_resources,
    read_printed,
)

UNDO = re.compile(r"u(?: +[0-9]{1,6})?")
# `#12`, or `#12.1` for an inserted event, and what is ruled about it.
RULING_LINE = re.compile(r"# *(?P<at>[0-9]{1,6}(?:\.[0-9]{1,3})?)(?: *(?P<ruling>.*))?")
# Asks for the rules that recorded events are against.
WHY = re.compile(r"why(?: +(?P<at>[0-9]{1,6}(?:\.[0-9]{1,3})?))?")
STATEMENT = re.compile(r"(?:pause|continue|concede|abandon)(?: .*)?")
# The tag of a note that says what the table ruled where there was no finding to accept.
RULING = "ruling"
ASK = "?"
# fewer letters may be a card or a move
SHORTEST_WORD = 2


class Speakers(NamedTuple):
    """Who says something where nobody is named: the scribe, or the `table` where no reason is given either."""

    by: str
    table: str


class Choice(NamedTuple):
    """What may be typed now: the keys of an act, or keys with a name; `text` is the whole line then, if it is more."""

    keys: str
    act: AnyAct = None
    name: str = ""
    text: str = ""


# Shortcuts by the word that somebody may type who does not know the key, which is also that of what they do.
WORDS = (
    ("undo", "u"),
    ("count", "c "),
    ("locate", requests.LOCATE),
    ("price", "="),
    ("note", ";"),
    ("ruling", "#"),
    ("amount", "/"),
    ("missed", "~ "),
    ("pause", "pause"),
    ("continue", "continue"),
    ("concede", "concede"),
    ("abandon", "abandon "),
)


def help_page(language: str) -> str:
    """What is said beside moves, for the help of a recorder."""
    return shared_words.read_page("keys", language) or (__doc__ or "").partition("\n\n")[2].rstrip()


def is_shortcut(text: str) -> bool:
    """Whether the text is a shortcut, such as `u 12` or `pause`, and no move of the title."""
    line = text.rstrip()
    return is_shortcut_begun(text) or bool(UNDO.fullmatch(line) or STATEMENT.fullmatch(line))


def is_why(text: str) -> bool:
    """Whether the text asks for the rules that recorded events are against: `why`, `why 12`."""
    return bool(WHY.fullmatch(text))


def read_why(text: str) -> str:
    """The name of the event that is asked about; '' for all of them."""
    match = WHY.fullmatch(text)
    return (match["at"] or "") if match else ""


def is_shortcut_begun(text: str) -> bool:
    """Whether the text can only be a note, a position, a ruling or a count, even half typed."""
    return bool(text) and (text[0] in ";~#" or text.startswith("c "))


def read_shortcut(play: Play, text: str, by: Speakers) -> requests.Request:
    """The request of a shortcut; NotationError if it is incomplete. `by` rules where nobody else is named."""
    span = line_span(text)
    if text.startswith(";"):
        return _read_note(text)
    if text.startswith("~"):
        return _read_position(play, span.cut(1))
    if text.startswith("#"):
        return _read_ruling(play, span, by)
    word = span.first()
    if word.text == "c":
        return requests.Act(act=_read_count(play, span.after(word)))
    if word.text in STATEMENTS:
        return requests.Act(act=STATEMENTS[word.text](_make_grammar(play), span.after(word)))
    return _read_undo(play, span.cut(1))


def complete_shortcut(play: Play, text: str, reader: Reader) -> list[Choice]:
    """How a half-typed shortcut may go on, to be shown; in a deal a question mark is a card."""
    if text.startswith("#"):
        return list(_list_finding_choices(play, text.removeprefix("#").strip(), reader))
    if text.startswith("~"):
        return [] if text.removeprefix("~").strip() else list(_list_position_choices(play, reader))
    word = text.strip().casefold()
    if word == "c" and text.strip() != text:
        return [_make_count_choice(play, reader)]
    is_question = word == ASK and play.awaits().kind != "deal"
    return [
        Choice(keys.strip(), name=entry_message(name).text_for(reader), text=keys)
        for name, keys in WORDS
        if is_question or (len(word) >= SHORTEST_WORD and name.startswith(word))
    ]


def _read_undo(play: Play, line: Span) -> requests.Undo:
    """`u` takes back the last event; `u 12` what came after line 12, which must be there."""
    last = len(play.log.lines) - 1
    if not line.text and not play.list_events():
        line.refuse(syntax("event-to-undo"))
    if line.text and int(line.text) > last:
        line.refuse(syntax("lines", most=last))
    return requests.Undo(to=int(line.text) if line.text else None)


def _read_note(text: str) -> requests.Note:
    """A note of a mark, `;!`, a remark, `;why not #opening`, or both; NotationError for neither."""
    note = read_note(text.removeprefix(";"))
    if note == TypedNote():
        # behind the semicolon
        raise NotationError(unexpected_message(syntax("mark", known=" ".join(get_args(Mark))), ""), text, column=2)
    return requests.Note(text=note.text, mark=note.mark, tags=note.tags)


def _make_grammar(play: Play, seat: int = 0) -> Grammar:
    """How amounts and statements are read; one without a name is of this seat, by default of whoever is to act."""
    # at the end of a game nobody is to act
    return Grammar(play.title, play.state, names_of(play.header), seat or play.awaits().seat or 1)


def _make_grammar_of_printed_numbers(play: Play) -> Grammar:
    """How a count is read: spaces of tracks are typed by the numbers printed on them."""
    return _make_grammar(play)._replace(printed=partial(play.title.recorder.printed, play.state))


def _read_amounts(
    grammar: Grammar, span: Span, by: Speakers, *, needs_amounts: bool = True
) -> tuple[list[Holding[str]], Span, Seen]:
    """Amounts, the part of the text that holds them, and who says so and why, which may be left for later."""
    amounts, who_and_why = grammar.read_amounts(span)
    if not who_and_why.text and (amounts or not needs_amounts):
        return amounts, span, Seen(who=by.table, why=requests.UNSAID)
    return amounts, span.cut(0, who_and_why.start - span.start), grammar.read_seen(who_and_why, by.by)


def read_table_postings(play: Play, act: AnyAct, span: Span, by: Speakers) -> list[AnyPosting]:
    """What the table says an act moved, as differences from the rules: of `a1/m-5 Anna: why`, what is behind `/`."""
    amounts, amounts_span, seen = _read_amounts(_make_grammar(play, seat_of(act)), span, by)
    if not amounts:
        span.refuse(syntax("amount", example=example_amounts(play.title)))
    sums = sum_postings(derive_effects(play.title, play.state, act).moved)
    if any(amount.n == sums[amount.who, amount.what] for amount in amounts):
        amounts_span.refuse(syntax("another-amount"))
    return [
        Posting(amount.who, amount.what, amount.n - sums[amount.who, amount.what], "table", seen) for amount in amounts
    ]


def read_adjustment(play: Play, span: Span, by: Speakers) -> requests.Act:
    """The act of `/2m+1 Anna: why`: a ruled number that belongs to no decision."""
    amounts, _, seen = _read_amounts(_make_grammar(play), span, by)
    if not amounts:
        span.refuse(syntax("amount", example=example_amounts(play.title)))
    postings = [Posting(amount.who, amount.what, amount.n, "adjusted", seen) for amount in amounts]
    return requests.Act(act=Adjusted(who=seen.who, why=seen.why), extra=postings)


def _read_count(play: Play, span: Span) -> Counted[str]:
    """The act of `c 12 2 0, 8 1 3` or `c bob m8 s1`; without a name the amounts are of whoever is to act."""
    if not span.text:
        span.refuse(syntax("counts"))
    # 0: behind the first section each must name somebody
    return _make_grammar_of_printed_numbers(play)._replace(seat=0).read_count(span, play.awaits().seat or 1)


def _read_position(play: Play, span: Span) -> requests.Act:
    """The act of `~ bob m7 s0: why`: what lies there now, with names of players and printed numbers."""
    words, colon, why = span.text.rpartition(": ")
    if not colon or not words.strip():
        span.at_end().refuse(syntax("holdings"))
    names = names_of(play.header)
    sections = []
    for section in span.cut(0, len(words)).split(","):
        seat, length = names.find_first_seat(words_of_section := section.words())
        if seat:
            amounts = section.after(words_of_section[length - 1])
            sections.append(f"@{seat} {_replace_printed_numbers(play, amounts)}")
        else:
            sections.append(section.text)
    return requests.Act(act=play.read_notation(f"position {', '.join(sections)} {quote(why.strip())}"))


def _replace_printed_numbers(play: Play, span: Span) -> str:
    """`r1` for `r4` where 4 is printed on the first space of that track; other words as they are."""
    grammar = _make_grammar_of_printed_numbers(play)
    words = []
    for word in span.words():
        # other amounts stay unread: a position may have some that a count refuses
        amount = grammar.read_amount([word])
        if amount is not None and grammar.printed(amount.what):
            (holding,), _ = grammar.read_amounts(word)
            words.append(f"{find_letter(play.title, holding.what)}{holding.n}")
        else:
            words.append(word.text)
    return " ".join(words)


def _list_finding_choices(play: Play, beginning: str, reader: Reader) -> Iterator[Choice]:
    """The open findings on events whose names begin so, for a ruling about one: `#12`."""
    for finding in replay(play.log).findings:
        if finding.is_open and finding.ref.startswith(beginning):
            name = requests.describe_finding(finding, reader)
            yield Choice(f"#{finding.ref}", name=name, text=f"#{finding.ref} ")


def _list_position_choices(play: Play, reader: Reader) -> Iterator[Choice]:
    """A line for each player, to be edited, with what they have by the record: `~ bob m7 s0`."""
    # the first letter of each resource that every keyboard has: not the pound sign
    letters = {what: letter for letter, what in reversed([*play.title.words.letters.items()]) if letter.isascii()}
    for seat, player in enumerate(play.players, 1):
        held = [(holding.what, holding.n) for holding in play.title.held(play.state) if holding.who == seat]
        amounts = [f"{letters.get(what, what)}{_format_typed_number(play, what, n)}" for what, n in held]
        line = f"{player.split()[0].casefold()} {' '.join(amounts)}"
        yield Choice(line, name=entry_message("by-the-record").text_for(reader), text=f"~ {line}")


def _make_count_choice(play: Play, reader: Reader) -> Choice:
    """A count of the whole table, to be edited: everything by the record, in the order that its name lists."""
    order = list_resources(play.title)
    held = {(holding.who, holding.what): holding.n for holding in play.title.held(play.state)}
    seats = [
        " ".join(_format_typed_number(play, what, held[seat, what]) if (seat, what) in held else "-" for what in order)
        for seat in range(1, len(play.players) + 1)
    ]
    line = f"c {', '.join(seats)}"
    words = ", ".join(reader.title_word("resources", what) for what in order)
    return Choice(line, name=entry_message("by-the-record-in-order", order=words).text_for(reader), text=line)


def _format_typed_number(play: Play, what: str, n: int) -> str:
    """A number as it is typed: for a space of a track the one printed on it, or `#3` where none is."""
    number = requests.find_printed_number(play, what, n)
    if number is not None:
        return str(number)
    return f"{SPACE}{n}" if play.title.recorder.printed(play.state, what) else str(n)


def _read_ruling(play: Play, span: Span, by: Speakers) -> requests.Acceptance | requests.Ruling | requests.Note:
    """`#12 m-5 Anna: why`: what event 12 moved instead; without amounts, its finding is accepted, else it is a note."""
    line = RULING_LINE.fullmatch(span.text)
    # errors about the event point behind the `#`
    if line is None:
        raise NotationError(syntax("line-and-who"), span.line, column=2)
    name, ruling = line["at"], span.cut(line.start("ruling")) if line["ruling"] else span.at_end()
    event, findings = find_event(play, name), find_open_findings(play.log, name)
    if event is None and not findings:
        raise NotationError(unexpected_message(syntax("standing-event"), name), span.line, column=2)
    if ruling.text.startswith(";"):
        return replace(_read_note(ruling.text), on=name)
    named_findings, ruling = _split_named_rule(ruling, findings)
    grammar = _make_grammar(play, seat_of(event.do) if event else 0)
    amounts, amounts_span, seen = _read_amounts(grammar, ruling, by, needs_amounts=not findings)
    if amounts and event is not None:
        edited = _replace_amounts(event, amounts, seen, amounts_span)
        return requests.Ruling(at=name, event=edited, why=f"{seen.who}: {seen.why}")
    if findings:
        return requests.Acceptance(finding=_choose_finding(findings, named_findings, span), who=seen.who, why=seen.why)
    # one word would be a name whose reason is still to be typed
    if " " not in ruling.text:
        ruling.refuse(syntax("who-and-why"))
    return requests.Note(on=name, text=f"{seen.who}: {seen.why}", tags=(RULING,))


def _split_named_rule(ruling: Span, findings: Sequence[Finding]) -> tuple[Sequence[Finding], Span]:
    """The findings of the rule that a ruling begins with, none where it names no rule, and what follows that."""
    rule = ruling.first()
    named = [finding for finding in findings if rule.text and rule.text in (finding.rule, finding.number)]
    return named, ruling.after(rule) if named else ruling


def _choose_finding(findings: Sequence[Finding], named: Sequence[Finding], ruling: Span) -> Finding:
    """The finding that a ruling accepts: the one of the rule named, or the only one; refused if it may be another."""
    finding, *others = named or findings
    if others:
        rules = ", ".join(dict.fromkeys(candidate.rule for candidate in findings))
        raise ruling.error(syntax("which-rule", known=rules, example=f"#{finding.ref} {findings[0].rule} ..."))
    return finding


def _replace_amounts(event: Event, amounts: Sequence[Holding[str]], seen: Seen, span: Span) -> AnyEventBody:
    """The event with these amounts moved, by postings of cause `table`; refuses the span if it moves them already."""
    postings = list(event.moved)
    for amount in amounts:
        # an amount that was ruled before gives way
        ruled_before = (amount.who, amount.what, "table")
        postings = [posting for posting in postings if posting_key(posting) != ruled_before]
        derived_amount = sum_postings(postings)[amount.who, amount.what]
        if amount.n != derived_amount:
            postings.append(Posting(amount.who, amount.what, amount.n - derived_amount, "table", seen))
    if sum_postings(postings) == sum_postings(event.moved):
        span.refuse(syntax("another-recorded-amount"))
    return make_event_body_with(event.do, Effects(postings, event.facts))


def read_printed_value(play: Play, span: Span, language: str, act: AnyAct = None) -> requests.Reading:
    """A value read off a card: one that is named, else the one whose price the act, or the last event, depends on.

    A card is named by its id, or by a code that it has in the language.
    """
    words = span.words()
    if not words:
        span.refuse(syntax("number-on-card"))
    if len(words) > 1:
        return _read_value_on_named_card(play, span, words, language)
    component_and_name = _find_relied_value(play) if act is None else play.title.recorder.relied(play.state, act)
    value = read_printed(words[0])
    if component_and_name is None:
        raise span.error(syntax("no-card-bought"))
    component, name = component_and_name
    return requests.Reading(of=component, what=name, value=value)


def _read_value_on_named_card(play: Play, span: Span, words: Sequence[Span], language: str) -> requests.Reading:
    """The reading of `m1 points 3`: a card, what is printed there, by default its first such value, and the value."""
    value = read_printed(words[-1])
    card = find_coded_component(play, words[0].text, language) or words[0].text
    rows = [row for row in play.log.sheet.printed if row.of == card]
    if not rows:
        words[0].refuse(syntax("component"))
    names = [row.what for row in rows if type(row.value) is type(value)]
    what = " ".join(word.text for word in words[1:-1]) or next(iter(names), "")
    if what not in names:
        name_span = span.cut(words[1].start - span.start, words[-1].start - span.start)
        name_span.refuse(syntax("one-of", known=", ".join(names)))
    return requests.Reading(of=card, what=what, value=value)


def find_coded_component(play: Play, typed: str, language: str) -> str:
    """The component of a code, as it was typed or without capitals and marks; '' for what is no code."""
    codes = play.title.recorder.codes(play.state, language)
    return codes.get(typed) or codes.get(fold_letters(typed), "")


def _find_relied_value(play: Play) -> tuple[str, str] | None:
    """The component and the name of the printed value that the last event depends on; None if on none."""
    game = replay(play.log, audit=False)
    if not game.events:
        return None
    return play.title.recorder.relied(game.state_at(len(game.events) - 1), game.events[-1].do)
