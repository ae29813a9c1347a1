"""What people write beside a game when it is over: corrections, readings, results, rulings, a seal, notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from msgspec import structs

from spyrium_log.edit.amend import accept_finding, correct_header, record_reading, withdraw_line
from spyrium_log.edit.annotate import edit_note, make_note, withdraw_note
from spyrium_log.log import notes
from spyrium_log.log.lines import Declared, EventLine, Line, Result
from spyrium_log.log.notes import NoteLine, Notes
from spyrium_log.play import OPEN
from spyrium_log.replay import replay
from tests.mistakes.scribe import Scribe

MARKS: tuple[notes.Mark, ...] = ("!!", "!", "!?", "?!", "?", "??")
PLACES = ("the kitchen", "a train", "the club")
TAGS = ("opening", "luck", "crowd", "late")


def moved_place(scribe: Scribe) -> bool:
    """It was played elsewhere than the header says."""
    log = scribe.table.log
    scribe.write(correct_header(log, place=scribe.dice.choice(PLACES), why=scribe.why(), by=scribe.by))
    return True


def other_name(scribe: Scribe) -> bool:
    """Somebody else sat there."""
    log = scribe.table.log
    line = correct_header(log, seat=scribe.seat(), player="somebody else", why=scribe.why(), by=scribe.by)
    scribe.write(line)
    return True


def read_off(scribe: Scribe) -> bool:
    """A printed value is read off the component: often it is as the sheet has it, sometimes not."""
    row = scribe.dice.choice(scribe.table.log.sheet.printed)
    value = row.value
    if isinstance(value, int) and scribe.dice.randrange(len(MARKS)) == 0:
        value += 1
    read = structs.replace(row, value=value, source="read", by=scribe.by)
    scribe.write(record_reading(scribe.table.log, read, by=scribe.by))
    return True


def declared(scribe: Scribe) -> bool:
    """The table's own result, sometimes a point off."""
    scores = scribe.title.score(scribe.table.state)
    off = scribe.dice.choice((0, 0, 0, 1))
    results = tuple(Result(seat=score.seat, points=score.total + off * (score.seat == 1)) for score in scores)
    scribe.write(Declared(n=_next(scribe), by=scribe.by, results=results, prev=OPEN, hash=OPEN))
    return True


def accepted(scribe: Scribe) -> bool:
    """They live with what the audit says."""
    log = scribe.table.log
    open_ = [finding for finding in replay(log).findings if finding.status == "open" and finding.kind != "seal"]
    if not open_:
        return False
    finding = scribe.dice.choice(open_)
    scribe.write(accept_finding(log, finding, who="the club", why=scribe.why(), by=scribe.by))
    return True


def taken_back(scribe: Scribe) -> bool:
    """A line off the timeline counts no longer."""
    last = scribe.table.log.lines[-1]
    if last.n == 0 or isinstance(last, EventLine) or not _is_aside(last):
        return False
    scribe.write(withdraw_line(scribe.table.log, last.n, why=scribe.why(), by=scribe.by))
    return True


def _is_aside(line: Line) -> bool:
    return str(line.__struct_config__.tag) in ("correction", "reading", "declared", "accepted")


def _next(scribe: Scribe) -> int:
    return len(scribe.table.log.lines)


Aside: TypeAlias = Callable[[Scribe], bool]

# In the order in which they come; what is taken back is the one before.
ASIDES: Mapping[str, Aside] = MappingProxyType(
    {
        "place corrected": moved_place,
        "name corrected": other_name,
        "read off": read_off,
        "declared": declared,
        "accepted": accepted,
        "taken back": taken_back,
    }
)


# --- beside the log -------------------------------------------------------------------------------


def notes_on(scribe: Scribe) -> bytes:
    """A few notes on the log, some of them edited or withdrawn."""
    log = scribe.table.log
    dice = scribe.dice
    lines: list[NoteLine] = []
    for _ in range(dice.randint(1, 3)):
        line = make_note(
            log,
            str(dice.randrange(len(log.lines))),
            note_id=f"note-{dice.getrandbits(40):010x}",
            by=scribe.by,
            text=scribe.why(),
            mark=dice.choice((None, *MARKS)),
            tags=dice.sample(TAGS, dice.randrange(3)),
        )
        lines.append(line)
    first = lines[0].id
    if dice.randrange(2):
        lines.append(edit_note(log, Notes.from_lines(lines), first, by=scribe.by, text="on second thoughts"))
    if dice.randrange(3) == 0:
        lines.append(withdraw_note(Notes.from_lines(lines), first, by=scribe.by, why=scribe.why()))
    return b"".join(map(notes.hashed_bytes, lines))
