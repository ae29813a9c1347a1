"""What stands in each part of the stepper's screen, as text for so many columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable, Group
from rich.text import Text

from spyrium_cli.render.paper import grid, stack, text
from spyrium_cli.render.players import players
from spyrium_cli.render.surface import pane
from spyrium_cli.render.text import signed, told_finding
from spyrium_cli.titles import renderer
from spyrium_cli.tui.panes import filled, rows_of

if TYPE_CHECKING:
    from spyrium_log.ledger import Entry
    from spyrium_log.stepper import Stepper
    from spyrium_log.title import Score

POINTS = "points"

# what an 80-column line has room for
KEYS = (
    ("←→", "step"),
    ("r", "round"),
    ("1-5", "player"),
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
1 to 5              that player's next event
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


def board(steps: Stepper, state: object, width: int, *, small: bool, scores: bool) -> Group:
    title = steps.done.title
    seats = steps.done.header.seats
    people = players([seat.player for seat in seats], [seat.colour for seat in seats])
    draws = renderer(title)
    view = title.screens.view(state)
    board_ = draws.small_board if small else draws.board
    with pane(width):
        return stack(*board_(view if scores else draws.without_scores(view), people, steps.language))


def before(
    sentences: Sequence[str], refs: Sequence[str], marks: Sequence[str], width: int, rows: int
) -> ConsoleRenderable:
    """The last events before the one where the reader stands, as many as there is room for."""
    for many in range(min(rows, len(refs)), 0, -1):
        table = grid("right", "left")
        table.padding = (0, 1, 0, 0)
        for index in range(len(refs) - many, len(refs)):
            said = text(sentences[index]).append_text(text(f" {marks[index]}" if marks[index] else "", "bold"))
            table.add_row(text(refs[index], "dim"), said)
        if rows_of(table, width) <= rows:
            return table
    return text("")


def head(steps: Stepper, scores: Sequence[Score] | None, width: int, *, recorded: bool) -> Text:
    """Where one is, and how everybody stands there; in brackets, counted now. What has no room is left out."""
    line = text("━━ ").append_text(text(f"event {steps.ref}, {steps.at} of {steps.last}", "bold"))
    if recorded:
        line.append(" · as it was recorded", "bold")
    standings = (text(f"{told} ") for told in _standings(steps, scores or ()))
    standing = next((told for told in standings if line.cell_len + told.cell_len <= width), text(" "))
    return filled(line.append_text(standing), width)


def _standings(steps: Stepper, scores: Sequence[Score]) -> Iterator[str]:
    """How everybody stands, from long to short."""
    for full in (True, False):
        yield "".join(
            f" · {name} {score.points}" + (f" ({score.total})" if full and score.total != score.points else "")
            for name, score in zip(steps.done.players, scores, strict=False)
        )


def told(steps: Stepper, *, scores: bool) -> Iterator[Text]:
    """The event in full: what it says and said, what it moved, what speaks against it, what people say of it."""
    if not steps.at:
        yield text("Before the first event.", "bold")
        return
    yield text(f"▸ {steps.ref} {steps.sentence}", "bold")
    yield from _corrected(steps)
    if changed := [entry for entry in steps.changed() if scores or entry.what != POINTS]:
        yield text(" · ".join(_moved(entry, steps.done.players) for entry in changed))
    yield from (
        text(f"✗ {told_finding(finding, steps.done.title, steps.done.players, steps.language)}")
        for finding in steps.findings
    )
    for note in steps.remarks:
        instead = f" [instead: {', '.join(note.variation)}]" if note.variation else ""
        tags = "".join(f" #{tag}" for tag in note.tags)
        yield text(f"✎ {note.mark or ''} {note.text}{tags}{instead} — {note.by}".replace("✎  ", "✎ "))


def _corrected(steps: Stepper) -> Iterator[Text]:
    """What the other history says, and who corrected it and why."""
    line, by, why = steps.amendment
    if steps.other:
        yield text(f"{'stands as' if steps.is_recorded else 'recorded as'}: {steps.other}")
    if line:
        yield text(f"corrected by line {line}, {by}: {why}")


def _moved(entry: Entry, names: Sequence[str]) -> str:
    who = names[entry.who - 1] if 0 < entry.who <= len(names) else "nobody"
    seen = ", seen" if entry.seen else ""
    return f"{who} {entry.what} {signed(entry.amount)} ({entry.why}{', ' + entry.number if entry.number else ''}{seen})"


def ledger(entries: Sequence[Entry], name: str, width: int, rows: int) -> ConsoleRenderable:
    """The last rows of a seat's ledger, what it has come to, and how many rows there are before them."""
    sums: dict[str, int] = {}
    for entry in entries:
        sums[entry.what] = sums.get(entry.what, 0) + entry.amount
    total = ", ".join(f"{what} {n}" for what, n in sums.items())
    for many in range(max(1, rows - 1), 0, -1):
        table = grid("right", "left", "right", "left")
        table.padding = (0, 1, 0, 0)
        for entry in entries[-many:]:
            # in one cell, so that it is broken between words
            why = " ".join(filter(None, [entry.why, entry.number, "seen" if entry.seen else ""]))
            table.add_row(text(entry.ref, "dim"), text(entry.what), text(signed(entry.amount)), text(why))
        before = f" · {len(entries) - many} rows before these" if len(entries) > many else ""
        drawn = stack(text(f"{name}: {total}", "bold").append_text(text(before, "dim")), table)
        if rows_of(drawn, width) <= rows:
            return drawn
    return text(f"{name}: {total}", "bold")
