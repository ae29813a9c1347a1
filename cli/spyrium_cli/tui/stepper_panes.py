"""The parts of the stepper's screen, drawn for so many columns and rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import grid, stack, text
from spyrium_cli.render.sentences import finding_text, reader_of
from spyrium_cli.render.text import signed
from spyrium_cli.tui.full_screen import largest_drawing, with_rule

if TYPE_CHECKING:
    from spyrium_log.ledger import Entry
    from spyrium_log.stepper import Stepper
    from spyrium_log.title import Score

# What keys do, for the last line; the first of them fit in 80 columns.
KEYS = (
    ("←→", "step"),
    ("r", "round"),
    ("1-9", "player"),
    ("f", "finding"),
    ("n", "note"),
    ("/", "search"),
    ("F1", "help"),
    ("q", "leave"),
    ("v", "vary"),
    ("g", "guess"),
    ("b", "as recorded"),
    ("L", "ledger"),
    ("s", "scores"),
    ("c", "correction"),
    ("Space", "play"),
    ("Home End", "ends"),
    ("F2", "light"),
)

HELP = """\
← →   h l           one event back, on
PgUp PgDn           ten events back, on
Home End            before the first event, after the last
r  R                the next round, the one before
1 to 9              that player's next event
p  P                the same player's next event, the one before
f  F                the next finding, the one before
n  N                the next note, the one before
c  C                the next event that was corrected, the one before
/                   search; . goes on, , goes back
:                   go to a line or an event, such as 12 or 57.1
b                   as it was recorded; as it stands. Each has its own events
L                   the ledger of a player, then of the next one, then none
s                   nobody's points are shown, or everybody's
g                   guess what comes next
v                   try what might have come instead
Space               plays by itself, until any key; + and - change the pace
F2                  light or dark
F1 ?   q   ^Q       this page; leave

While something is typed, Enter takes it and Esc ends it. A guess and a move of
a variation are typed as in the recorder, or in notation. An empty Enter keeps
a variation as a note, which other readers and the export show too."""


def draw_events_before(stepper: Stepper, width: int, rows: int) -> ConsoleRenderable:
    """The last events before the one where the reader stands, as many as there is room for."""
    events = list(stepper.sentences.items())[: max(0, stepper.position - 1)]

    def draw(count: int) -> ConsoleRenderable:
        """So many events, the last one lowest."""
        table = grid("right", "left", padding=(0, 1, 0, 0))
        for ref, sentence in events[-count:]:
            marks = stepper.marks_of(ref)
            table.add_row(text(ref, "dim"), text(sentence).append_text(text(f" {marks}" if marks else "", "bold")))
        return table

    return largest_drawing(draw, min(rows, len(events)), width, rows) or text("")


def draw_ledger(entries: Sequence[Entry], player: str, width: int, rows: int) -> ConsoleRenderable:
    """The last rows of a seat's ledger, below their sums."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[entry.what] += entry.amount
    heading = text(f"{player}: {', '.join(f'{what} {n}' for what, n in sums.items())}", "bold")

    def draw(count: int) -> ConsoleRenderable:
        """The sums, and below them so many of the last entries."""
        table = grid("right", "left", "right", "left", padding=(0, 1, 0, 0))
        for entry in entries[-count:]:
            # the reasons are one cell, so that lines break between words
            table.add_row(text(entry.ref, "dim"), entry.what, signed(entry.amount), " ".join(_reasons_of(entry)))
        earlier_text = f" · {len(entries) - count} rows before these" if len(entries) > count else ""
        return stack(heading.copy().append_text(text(earlier_text, "dim")), table)

    return largest_drawing(draw, max(1, rows - 1), width, rows) or heading


def _reasons_of(entry: Entry) -> list[str]:
    """The cause of a posting, the rule's number, and whether somebody saw it."""
    return [word for word in (entry.why, entry.number, "seen" if entry.seen else "") if word]


def draw_head_line(stepper: Stepper, scores: Sequence[Score], width: int) -> Text:
    """Where the reader is, and everybody's points there; in brackets what they would be, counted now.

    Where that is too long, without what is in brackets, else without points.
    """
    position = f"event {stepper.ref}, {stepper.position} of {stepper.last}"
    line = text("━━ ").append_text(text(position, "bold"))
    if stepper.is_recorded:
        line.append(" · as it was recorded", "bold")
    points = [f" · {name} {score.points}" for name, score in zip(stepper.standing.players, scores, strict=False)]
    totals = [f" ({score.total})" if score.total != score.points else "" for score in scores]
    with_totals = (f"{each}{total}" for each, total in zip(points, totals, strict=False))
    standings = (text(f"{''.join(parts)} ") for parts in (with_totals, points))
    longest = next((each for each in standings if line.cell_len + each.cell_len <= width), text(" "))
    return with_rule(line.append_text(longest), width)


def detail_lines(stepper: Stepper, *, scores: bool) -> Iterator[Text]:
    """The event in full: what it says, what it moved, its findings and notes."""
    if not stepper.position:
        yield text("Before the first event.", "bold")
        return
    yield text(f"▸ {stepper.ref} {stepper.sentence}", "bold")
    if stepper.other_sentence:
        yield text(f"{'stands as' if stepper.is_recorded else 'recorded as'}: {stepper.other_sentence}")
    if line := stepper.amendment:
        yield text(f"corrected by line {line.n}, {line.by}: {line.why}")
    title, names = stepper.standing.title, stepper.standing.players
    entries = [entry for entry in stepper.postings() if scores or entry.what != title.score_resource]
    if entries:
        yield text(" · ".join(_posting_text(entry, names) for entry in entries))
    for finding in stepper.findings.get(stepper.ref, ()):
        yield text(f"✗ {finding_text(finding, reader_of(title, names, stepper.language))}")
    for note in stepper.notes.get(stepper.ref, ()):
        mark = f"{note.mark} " if note.mark else ""
        instead = f" [instead: {', '.join(note.variation)}]" if note.variation else ""
        tags = "".join(f" #{tag}" for tag in note.tags)
        yield text(f"✎ {mark}{note.text}{tags}{instead} — {note.by}")


def _posting_text(entry: Entry, names: Sequence[str]) -> str:
    """`Anna money −3 (price, S-5.3)`."""
    who = names[entry.who - 1] if 0 < entry.who <= len(names) else "nobody"
    return f"{who} {entry.what} {signed(entry.amount)} ({', '.join(_reasons_of(entry))})"
