"""What stands in each part of the stepper's screen, as text for so many columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from spyrium_cli.render.boards import board_of, small_board_of
from spyrium_cli.render.paper import grid, pane, text
from spyrium_cli.render.players import players
from spyrium_cli.render.text import signed, told_finding
from spyrium_cli.tui.panes import rows_of

if TYPE_CHECKING:
    from spyrium_log.replay import Entry
    from spyrium_log.stepper import Stepper
    from spyrium_log.title import Score

# the first of them fit the smallest screen
KEYS = (
    ("←→", "step"),
    ("r", "round"),
    ("1-5", "player"),
    ("f n c", "finding note correction"),
    ("F1", "all keys"),
    ("q", "leaves"),
    ("/", "search"),
    ("v", "variation"),
    ("g", "guess"),
    ("b", "as recorded"),
    ("L", "ledger"),
    ("s", "scores"),
    ("Space", "plays"),
    ("Home End", "ends"),
)

HELP = """\
← →  h l       one event back, on            PgUp PgDn    ten events
Home End       before the first, the last    g            guess what comes next
r  R           next round, the one before    v            try what might have come instead
1 to 5         that player's next event      b            as it was recorded, as it stands
f  F           finding, the one before       L            the ledger of a player, then the next one
n  N           note, the one before          s            scores and points, or none of them
c  C           what was corrected, before    Space        plays by itself; + and - change the pace
/              search; . goes on, , back     F2           light or dark
:              go to an event, such as 57.1  q            leaves

While something is typed: Enter takes it, Esc ends it. A variation is typed move by move; an empty Enter keeps it as a
note."""


def board(steps: Stepper, state: object, language: str, width: int, *, small: bool) -> Group:
    title = steps.done.title
    seats = steps.done.header.seats
    people = players([seat.player for seat in seats], [seat.colour for seat in seats])
    with pane(width):
        return Group(*(small_board_of if small else board_of)(title.key)(title.view(state), people, language))


def before(
    sentences: Sequence[str], refs: Sequence[str], marks: Sequence[str], width: int, rows: int
) -> RenderableType:
    """The last events before the one where the reader stands, as many as there is room for."""
    for many in range(min(rows, len(refs)), 0, -1):
        table = grid("right", "left")
        table.padding = (0, 1, 0, 0)
        for index in range(len(refs) - many, len(refs)):
            said = text(sentences[index]).append(f" {marks[index]}" if marks[index] else "", "bold")
            table.add_row(text(refs[index], "dim"), said)
        if rows_of(table, width) <= rows:
            return table
    return text("")


def head(steps: Stepper, scores: Sequence[Score] | None, width: int, *, recorded: bool) -> Text:
    """Where one is, and how everybody stands there; in brackets, counted now. What has no room is left out."""
    line = text("━━ ").append(f"event {steps.ref}, {steps.at} of {steps.last}", "bold")
    if recorded:
        line.append(" · as it was recorded", "bold")
    standing = next((told for told in _standings(steps, scores or ()) if line.cell_len + len(told) < width), "")
    line.append(f"{standing} ")
    return line.append("━" * max(0, width - line.cell_len))


def _standings(steps: Stepper, scores: Sequence[Score]) -> Iterator[str]:
    """How everybody stands, from long to short."""
    for full in (True, False):
        yield "".join(
            f" · {name} {score.points}" + (f" ({score.total})" if full and score.total != score.points else "")
            for name, score in zip(steps.done.players, scores, strict=False)
        )


def told(steps: Stepper) -> Iterator[Text]:
    """The event in full: what it says and said, what it moved, what speaks against it, what people say of it."""
    if not steps.at:
        yield text("Before the first event.", "bold")
        return
    yield text(f"▸ {steps.ref} {steps.sentence}", "bold")
    if steps.first_said:
        yield text(f"recorded as: {steps.first_said}")
    if changed := steps.changed():
        yield text(" · ".join(_moved(entry, steps.done.players) for entry in changed))
    yield from (
        text(f"✗ {told_finding(finding, steps.done.title, steps.done.players, steps.language)}")
        for finding in steps.findings
    )
    for note in steps.remarks:
        instead = f" [instead: {', '.join(note.variation)}]" if note.variation else ""
        tags = "".join(f" #{tag}" for tag in note.tags)
        yield text(f"✎ {note.mark or ''} {note.text}{tags}{instead} — {note.by}".replace("✎  ", "✎ "))


def _moved(entry: Entry, names: Sequence[str]) -> str:
    who = names[entry.who - 1] if 0 < entry.who <= len(names) else "nobody"
    seen = ", seen" if entry.seen else ""
    return f"{who} {entry.what} {signed(entry.amount)} ({entry.why}{', ' + entry.number if entry.number else ''}{seen})"


def ledger(entries: Sequence[Entry], name: str, width: int, rows: int) -> RenderableType:
    """The last rows of a seat's ledger, and what it has come to."""
    sums: dict[str, int] = {}
    for entry in entries:
        sums[entry.what] = sums.get(entry.what, 0) + entry.amount
    total = ", ".join(f"{what} {n}" for what, n in sums.items())
    for many in range(max(1, rows - 1), 0, -1):
        table = grid("right", "left", "right", "left", "left")
        for entry in entries[-many:]:
            seen = " seen" if entry.seen else ""
            table.add_row(
                text(entry.ref, "dim"),
                text(entry.what),
                text(f"{signed(entry.amount)}"),
                text(entry.why),
                text(entry.number + seen),
            )
        drawn = Group(text(f"{name}: {total}", "bold"), table)
        if rows_of(drawn, width) <= rows:
            return drawn
    return text(f"{name}: {total}", "bold")
