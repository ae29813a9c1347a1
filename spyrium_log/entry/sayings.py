"""What is said beside moves: amounts, counts, positions, readings, notes, in as few keys as a table leaves time for.

u   u 12             take back the last event; everything after line 12
a1/m-5 Anna: why     this is what the move moved, as Anna says
/2m+1 Anna: why      a number that belongs to no move was ruled, here for seat 2
=3   a1=3            the price on the card just bought; about to be bought
=m1 4                the price on any card; =m1 points 3 any number on it
c 12 2 0, 8 1 3      count the table, seat by seat
c bob m8 s1          count only this, by the first letter of what it is
~ bob m7 s0: why     moves were missed, this lies there now
;!   ;a good start   a mark (!! ! !? ?! ? ??), a note, or both, on the last event
!                    after a refusal: the table did it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast, get_args

from spyrium_log.entry.wishes import Act, Note, Reading, TakeBack
from spyrium_log.errors import NotationError
from spyrium_log.log.notes import Mark
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.title import Adjusted, AnyPosting, AnyTitle, Counted, Effects, Holding, Posting, Seen, quoted

MARKS: Sequence[str] = sorted(get_args(Mark), key=len, reverse=True)
_AMOUNT = re.compile(r"(?P<seat>[1-9])?(?P<what>[a-z£]+)(?P<n>[+-]?\d{1,5})")
_UNDO = re.compile(r"u(?: +[0-9]{1,6})?")


def is_saying(text: str) -> bool:
    """Whether this is no move, whatever the title calls its moves."""
    return bool(text) and (text[0] in ";~" or text.startswith("c ") or bool(_UNDO.fullmatch(text.rstrip())))


def said(play: Play, text: str) -> Act | TakeBack | Note:
    """The wish in a saying; NotationError where it says half of one."""
    if text.startswith(";"):
        return _note(text)
    if text.startswith("~"):
        return _resync(play, text)
    if text.startswith("c "):
        return Act(act=Counted(held=tuple(_counted(play, text))))
    return _undo(play, text, text[1:].strip())


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
    letters = title.notation.letters
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
    if re.fullmatch(r"[\d\s,-]*", rest):
        yield from _in_order(play, rest, text)
        return
    for seat, word in _seats(play, rest.replace(",", " ").split(), text):
        for who, what, n in _amounts(play, word, text, seat):
            yield _holding(play, who, what, n, text)


def _in_order(play: Play, rest: str, text: str) -> Iterator[Holding[str]]:
    """Seat by seat, each thing in the order in which the title names them; a dash leaves one out."""
    for seat, group in enumerate(rest.split(","), 1):
        words = group.split()
        if len(words) > len(resources(play.title)):
            raise NotationError(f"expected at most {', '.join(resources(play.title))}, found '{group}'", text, 1)
        for what, word in zip(resources(play.title), words, strict=False):
            if word.isdigit():
                yield _holding(play, seat, what, int(word), text)


def _holding(play: Play, seat: int, what: str, n: int, text: str) -> Holding[str]:
    if seat > len(play.header.seats):
        raise NotationError(f"expected seat 1 to {len(play.header.seats)}, found {seat}", text, 1)
    return Holding(seat, what, n)


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
        sections.append(f"@{found[0]} {rest}" if len(found) == 1 else section.strip())
    return Act(act=play.read(f"position {', '.join(sections)} {quoted(why.strip())}"))


# --- printed values ------------------------------------------------------------------------------


def reading(play: Play, text: str, act: Any = None) -> Reading:
    """A number that somebody read off a card: what the act rests on, else what the last one did."""
    words = text.split()
    if not words or not words[-1].isdigit():
        raise NotationError("expected the number on the card, such as '=3' or '=m1 points 3'", text, len(text) + 1)
    value = int(words[-1])
    if len(words) == 1:
        of = play.title.shorthand.relied(play.state, act) if act is not None else _last_relied(play)
        if of is None:
            raise NotationError("expected a card that was just bought, found none: say which", text, 1)
        return Reading(of=of[0], what=of[1], value=value)
    card = play.title.shorthand.codes.get(words[0], words[0])
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
    return play.title.shorthand.relied(done.state_at(last), done.events[last].do)
