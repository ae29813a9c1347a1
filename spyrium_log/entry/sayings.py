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
from typing import Any, NamedTuple, cast, get_args

from msgspec.structs import replace

from spyrium_log.audit import Finding
from spyrium_log.edit.asides import open_findings
from spyrium_log.entry.wishes import Acceptance, Act, Note, Reading, Ruling, TakeBack, Wish
from spyrium_log.errors import NotationError
from spyrium_log.log.lines import AnyTold, Event, Told
from spyrium_log.log.notes import Mark
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import Reader, comparison
from spyrium_log.play import Play
from spyrium_log.quoting import quoted
from spyrium_log.replay import replay
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyPosting,
    AnyTitle,
    Conceded,
    Continued,
    Counted,
    Effects,
    Holding,
    Paused,
    Posting,
    Seen,
)

MARKS: Sequence[str] = sorted(get_args(Mark), key=len, reverse=True)
_AMOUNT = re.compile(r"(?P<seat>[1-9])?(?P<what>[a-z£]+)(?P<n>[+-]?\d{1,5})")
_HELD = re.compile(r"(?P<seat>[1-9])?(?P<what>[a-z£]+)(?P<n>#?[+-]?\d{1,5})")
_UNDO = re.compile(r"u(?: +[0-9]{1,6})?")


_LINE = re.compile(r"# *(?P<at>[0-9]{1,6}(?:\.[0-9]{1,3})?)(?: +(?P<rest>.*))?")
_STATED = re.compile(r"(?P<word>pause|continue|concede|abandon)(?: +(?P<rest>.*))?")
_PLACE = "#"
RULING = "ruling"


class Hint(NamedTuple):
    """How half of a saying may go on: the keys, what they are for, and the whole line then."""

    keys: str
    what: str
    text: str


# By the word that somebody may look for, for whoever does not know the key.
WORDS = (
    ("undo", "u", "take back the last event"),
    ("count", "c ", "count the table"),
    ("price", "=", "a number printed on a card"),
    ("note", ";", "a note, or a mark"),
    ("ruling", "#", "a ruling about an earlier line"),
    ("amount", "/", "an amount that was ruled"),
    ("missed", "~ ", "moves were missed"),
    ("pause", "pause", "the table stops a while"),
    ("continue", "continue", "the table goes on"),
    ("concede", "concede", "somebody plays no further"),
    ("abandon", "abandon ", "it ends here, unfinished"),
)
ASK = "?"
# the least of a word that is looked for, and may be no card or move
LOOKED_FOR = 2


def is_saying(text: str) -> bool:
    """Whether this is no move, whatever the title calls its moves."""
    said = text.rstrip()
    return is_begun(text) or bool(_UNDO.fullmatch(said) or _STATED.fullmatch(said))


def is_begun(text: str) -> bool:
    """Whether it can only be a saying, even half typed."""
    return bool(text) and (text[0] in ";~#" or text.startswith("c "))


def said(play: Play, text: str, by: str) -> Wish:
    """The wish in a saying; NotationError where it says half of one."""
    if text.startswith(";"):
        return _note(text)
    if text.startswith("~"):
        return _resync(play, text)
    if text.startswith("#"):
        return _ruling(play, text.rstrip(), by)
    if text.startswith("c "):
        return Act(act=Counted(held=tuple(_counted(play, text))))
    stated = _STATED.fullmatch(text.rstrip())
    return Act(act=_stated(play, stated, text)) if stated else _undo(play, text, text[1:].strip())


def hints(play: Play, text: str, *, deal: bool) -> list[Hint]:
    """What half of a saying may mean; in a deal a question mark is a card."""
    if text.startswith("#"):
        open_ = [finding for finding in replay(play.log).findings if finding.is_open]
        begun = text[1:].strip()
        return [Hint(f"#{at.ref}", _found(play, at), f"#{at.ref} ") for at in open_ if at.ref.startswith(begun)]
    if text.startswith("~"):
        return [] if text[1:].strip() else list(_lying(play))
    if text.strip() == ASK and not deal:
        return [Hint(keys.strip(), what, keys) for _, keys, what in WORDS]
    word = text.strip().casefold()
    if len(word) < LOOKED_FOR:
        return []
    return [Hint(keys.strip(), what, keys) for name, keys, what in WORDS if name.startswith(word)]


def _stated(play: Play, said: re.Match[str], text: str) -> Any:
    rest = (said["rest"] or "").strip()
    if said["word"] == "abandon":
        if not rest:
            raise NotationError("expected why, such as 'abandon it got late'", text, len(text) + 1)
        return Abandoned(why=rest)
    if said["word"] == "concede":
        seat = next((seat for seat, _ in _seats(play, [rest, ""], text)), 0) if rest else play.awaits().seat
        if not seat:
            raise NotationError("expected who concedes, such as 'concede bob'", text, len(text) + 1)
        return Conceded(seat=seat)
    if rest:
        raise NotationError(f"expected nothing behind '{said['word']}', found '{rest}'", text, said.start("rest") + 1)
    return Paused() if said["word"] == "pause" else Continued()


def _undo(play: Play, text: str, to: str) -> TakeBack:
    last = len(play.log.lines) - 1
    if not to and not play.events():
        raise NotationError("expected an event to take back, found none", text, 1)
    if to and int(to) > last:
        raise NotationError(f"expected a line from 0 to {last}, found {to}", text, 3)
    return TakeBack(to=int(to) if to else None)


def _note(text: str) -> Note:
    rest = text[1:]
    mark = next((mark for mark in MARKS if rest.startswith(mark)), None)
    remark = rest.removeprefix(mark or "").strip()
    if not mark and not remark:
        raise NotationError(f"expected a mark ({' '.join(get_args(Mark))}) or a note, found nothing", text, 2)
    return Note(text=remark, mark=cast("Mark | None", mark))


# --- amounts -------------------------------------------------------------------------------------


def resources(title: AnyTitle) -> Sequence[str]:
    return cast("Sequence[str]", get_args(title.wire.resource))


def _resource(title: AnyTitle, word: str, text: str) -> str:
    """By its letter in the notation, or by its whole name."""
    letters = title.words.letters
    if word not in letters and word not in resources(title):
        raise NotationError(f"expected one of {' '.join(letters)}, found '{word}'", text, text.find(word) + 1)
    return letters.get(word, word)


def _amounts(play: Play, words: str, text: str, seat: int) -> Iterator[tuple[int, str, int]]:
    for word in words.split():
        amount = _AMOUNT.fullmatch(word)
        if amount is None:
            raise NotationError(f"expected an amount such as m-5, found '{word}'", text, text.find(word) + 1)
        yield int(amount["seat"] or seat), _resource(play.title, amount["what"], text), int(amount["n"])


def _told(text: str, by: str) -> tuple[str, Seen]:
    """The amounts, and after them who says so and why: the scribe, where only a reason is given."""
    words = text.split()
    many = next((at for at, word in enumerate(words) if not _AMOUNT.fullmatch(word)), len(words))
    who, colon, why = " ".join(words[many:]).partition(":")
    if not (why if colon else who).strip():
        raise NotationError("expected who says so and why, such as 'Anna: the card says 5'", text, len(text) + 1)
    seen = Seen(who=who.strip(), why=why.strip()) if colon else Seen(who=by, why=who.strip())
    return " ".join(words[:many]), seen


def otherwise(play: Play, act: Any, text: str, by: str) -> Sequence[AnyPosting]:
    """What the table says an act moved, as the difference from what the rules make of it."""
    words, seen = _told(text, by)
    given = play.title.effects(play.state, act) or Effects()
    found: list[AnyPosting] = []
    for who, what, n in _amounts(play, words, text, getattr(act, "seat", 1)):
        due = sum(posting.n for posting in given.moved if (posting.who, posting.what) == (who, what))
        if n == due:
            raise NotationError(f"expected another amount than the rules give, found {what} {n}", text, 1)
        found.append(Posting(who, what, n - due, "table", seen))
    if not found:
        raise NotationError("expected an amount such as m-5, found none", text, 1)
    return found


def adjusted(play: Play, text: str, by: str) -> Act:
    """A number that belongs to no decision was ruled."""
    words, seen = _told(text, by)
    extra = [Posting(*amount, "adjusted", seen) for amount in _amounts(play, words, text, play.awaits().seat or 1)]
    if not extra:
        raise NotationError("expected an amount such as 2m+1, found none", text, 1)
    return Act(act=Adjusted(who=seen.who, why=seen.why), extra=extra)


# --- counts and positions ------------------------------------------------------------------------


def _seats(play: Play, words: Sequence[str], text: str) -> Iterator[tuple[int, str]]:
    """Each word with its seat: a player's name, or the beginning of one, says whose the next ones are."""
    seat = play.awaits().seat or 1
    names = [at.player.casefold() for at in play.header.seats]
    for word in words:
        found = [at for at, name in enumerate(names, 1) if name.startswith(word.casefold())]
        if word.isalpha() and len(found) == 1:
            seat = found[0]
        elif word.isalpha():
            raise NotationError(f"expected one player's name, found '{word}'", text, text.find(word) + 1)
        else:
            yield seat, word


def _counted(play: Play, text: str) -> Iterator[Holding[str]]:
    rest = text[1:]
    if not re.search(r"\d", rest):
        raise NotationError("expected what was counted, such as '12 2 0, 8 1 3' or 'bob m8 s1'", text, len(text) + 1)
    if re.fullmatch(rf"[\d\s,{_PLACE}-]*", rest):
        yield from _in_order(play, rest, text)
        return
    for seat, word in _seats(play, rest.replace(",", " ").split(), text):
        amount = _HELD.fullmatch(word)
        if amount is None:
            raise NotationError(f"expected an amount such as m-5, found '{word}'", text, text.find(word) + 1)
        what = _resource(play.title, amount["what"], text)
        yield _holding(play, int(amount["seat"] or seat), what, amount["n"], text)


def _in_order(play: Play, rest: str, text: str) -> Iterator[Holding[str]]:
    """Seat by seat, each thing in the order in which the title names them; a dash leaves one out."""
    for seat, group in enumerate(rest.split(","), 1):
        words = group.split()
        if len(words) > len(resources(play.title)):
            raise NotationError(f"expected at most {', '.join(resources(play.title))}, found '{group}'", text, 1)
        for what, word in zip(resources(play.title), words, strict=False):
            if word != "-":
                yield _holding(play, seat, what, word, text)


def _holding(play: Play, seat: int, what: str, n: str, text: str) -> Holding[str]:
    if seat > len(play.header.seats):
        raise NotationError(f"expected seat 1 to {len(play.header.seats)}, found {seat}", text, 1)
    return Holding(seat, what, _amount(play, what, n, text))


def _amount(play: Play, what: str, n: str, text: str) -> int:
    """What is counted by place is read by the number printed there, or by its place behind a #."""
    printed = play.title.recorder.printed(play.state, what)
    number = n.removeprefix(_PLACE)
    if not re.fullmatch(r"[+-]?[0-9]{1,5}", number) or (number != n and not printed):
        raise NotationError(f"expected how much {what}, found '{n}'", text, text.find(n) + 1)
    if number != n or not printed:
        return int(number)
    if int(number) not in printed:
        known = ", ".join(map(str, printed))
        raise NotationError(
            f"expected a number of the track, {known}, or a space such as #1, found '{n}'", text, text.find(n) + 1
        )
    return printed.index(int(number)) + 1


def _resync(play: Play, text: str) -> Act:
    """What the notation calls a position; a player's name stands for the seat."""
    words, colon, why = text[1:].rpartition(": ")
    if not colon or not words.strip():
        raise NotationError("expected what lies there now, a colon, and why", text, len(text) + 1)
    names = [at.player.casefold() for at in play.header.seats]
    sections = []
    for section in words.split(","):
        first, _, rest = section.strip().partition(" ")
        found = [at for at, name in enumerate(names, 1) if first and name.startswith(first.casefold())]
        sections.append(f"@{found[0]} {_by_place(play, rest, text)}" if len(found) == 1 else section.strip())
    return Act(act=play.parse(f"position {', '.join(sections)} {quoted(why.strip())}"))


def _by_place(play: Play, words: str, text: str) -> str:
    """The same words, with spaces for the numbers printed on them."""

    def place(said: re.Match[str]) -> str:
        what = play.title.words.letters.get(said[1], said[1])
        is_track = bool(play.title.recorder.printed(play.state, what))
        return f"{said[1]}{_amount(play, what, said[2], text)}" if is_track else said[0]

    return re.sub(rf"(?<!\S)([a-z£]+)({_PLACE}?\d{{1,5}})(?!\S)", place, words)


def _lying(play: Play) -> Iterator[Hint]:
    """What everybody has by the record, to be mended."""
    letters: dict[str, str] = {}
    for letter, what in play.title.words.letters.items():
        # not every keyboard has a pound sign
        if letter.isascii():
            letters.setdefault(what, letter)
    for seat, at in enumerate(play.header.seats, 1):
        held = [(has.what, has.n) for has in play.title.held(play.state) if has.who == seat]
        words = [f"{letters.get(what, what)}{_read(play, what, n)}" for what, n in held]
        line = f"{at.player.split()[0].casefold()} {' '.join(words)}"
        yield Hint(line, "by the record", f"~ {line}")


def _read(play: Play, what: str, n: int) -> str:
    printed = play.title.recorder.printed(play.state, what)
    if not printed:
        return str(n)
    return str(printed[n - 1]) if 0 < n <= len(printed) else f"{_PLACE}{n}"


# --- rulings about an earlier line ---------------------------------------------------------------


def _found(play: Play, finding: Finding) -> str:
    number = f" ({finding.number})" if finding.number else ""
    names = [seat.player for seat in play.header.seats]
    return f"{finding.rule}{number}: {comparison(finding.expected, finding.found, Reader(names=names, minus='-'))}"


def event_at(play: Play, at: str) -> Event | None:
    """The event of that name, where one stands."""
    return next((event for event in play.events() if ref_of(event) == at), None)


def moved(event: Event | AnyTold | None) -> dict[tuple[int, str], int]:
    """What it moved, in sum."""
    sums: dict[tuple[int, str], int] = {}
    for posting in event.moved if event is not None else ():
        sums[posting.who, posting.what] = sums.get((posting.who, posting.what), 0) + posting.n
    return sums


def _ruling(play: Play, text: str, by: str) -> Acceptance | Ruling | Note:
    """With amounts they are what the event moved; without, what was found there stands, or else it is a note."""
    line = _LINE.fullmatch(text)
    if line is None:
        raise NotationError("expected a line, and who says what, such as '#12 Anna: it stands'", text, 2)
    at, rest = line["at"], line["rest"] or ""
    event, found = event_at(play, at), open_findings(play.log, at)
    if event is None and not found:
        raise NotationError(f"expected an event that stands, such as 12 or 57.1, found '{at}'", text, 2)
    if rest.startswith(";"):
        return replace(_note(rest), on=at)
    rule, _, more = rest.partition(" ")
    meant = [finding for finding in found if rule and rule in (finding.rule, finding.number)]
    words, seen = _told(more if meant else rest, by)
    if words and event is not None:
        return Ruling(at=at, event=_otherwise_at(play, event, words, seen, text), why=f"{seen.who}: {seen.why}")
    if len(meant or found) > 1:
        rules = ", ".join(dict.fromkeys(finding.rule for finding in found))
        raise NotationError(f"expected which of {rules} stands, as in '#{at} {found[0].rule} ...'", text, 2)
    if not found:
        return Note(on=at, text=f"{seen.who}: {seen.why}", tags=(RULING,))
    return Acceptance(finding=(meant or found)[0], who=seen.who, why=seen.why)


def _otherwise_at(play: Play, event: Event, words: str, seen: Seen, text: str) -> AnyTold:
    """The event, with what somebody says it moved; the rest of it is as it was."""
    postings = list(event.moved)
    for who, what, n in _amounts(play, words, text, getattr(event.do, "seat", 1)):
        postings = [each for each in postings if (each.who, each.what, each.why) != (who, what, "table")]
        due = sum(each.n for each in postings if (each.who, each.what) == (who, what))
        if n != due:
            postings.append(Posting(who, what, n - due, "table", seen))
    told: AnyTold = Told(do=event.do, moved=tuple(postings), facts=tuple(event.facts))
    if moved(told) == moved(event):
        raise NotationError(f"expected another amount than is recorded, found '{words}'", text, 2)
    return told


# --- printed values ------------------------------------------------------------------------------


def reading(play: Play, text: str, act: Any = None) -> Reading:
    """A number that somebody read off a card: what the act rests on, else what the last one did."""
    words = text.split()
    if not words or not words[-1].isdigit():
        raise NotationError("expected the number on the card, such as '=3' or '=m1 points 3'", text, len(text) + 1)
    value = int(words[-1])
    if len(words) == 1:
        of = play.title.recorder.relied(play.state, act) if act is not None else _last_relied(play)
        if of is None:
            raise NotationError("expected a card that was just bought, found none: say which", text, 1)
        return Reading(of=of[0], what=of[1], value=value)
    card = play.title.recorder.codes.get(words[0], words[0])
    rows = [row for row in play.log.sheet.printed if row.of == card]
    if not rows:
        raise NotationError(f"expected a component of the sheet, found '{words[0]}'", text, 1)
    names = [row.what for row in rows if isinstance(row.value, int)]
    what = " ".join(words[1:-1]) or names[0]
    if what not in names:
        raise NotationError(f"expected one of {', '.join(names)}, found '{what}'", text, 1)
    return Reading(of=card, what=what, value=value)


def _last_relied(play: Play) -> tuple[str, str] | None:
    done = replay(play.log, audit=False)
    if not done.events:
        return None
    last = len(done.events) - 1
    return play.title.recorder.relied(done.state_at(last), done.events[last].do)
