"""The parts of the stepper's screen, drawn for so many columns and rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable, Group
from rich.text import Text

from spyrium_cli.render.paper import grid, stack, text
from spyrium_cli.render.players import players_of
from spyrium_cli.render.sentences import finding_text, reader_of
from spyrium_cli.render.surface import pane
from spyrium_cli.render.text import signed
from spyrium_cli.titles import renderer
from spyrium_cli.tui.fitting import largest_drawing, with_rule

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


def board(steps: Stepper, state: object, width: int, *, small: bool, scores: bool) -> Group:
    """The board at the event, with or without scores."""
    title = steps.done.title
    title_renderer = renderer(title)
    view = title.screens.view(state)
    draw = title_renderer.small_board if small else title_renderer.board
    with pane(width):
        return stack(
            *draw(
                view if scores else title_renderer.without_scores(view),
                players_of(steps.done.log, state),
                steps.language,
            )
        )


def events_before(steps: Stepper, width: int, rows: int) -> ConsoleRenderable:
    """The last events before the one where the reader stands, as many as there is room for."""
    refs = [steps.shown.name_of(event) for event in steps.shown.events[: max(0, steps.at - 1)]]

    def draw(count: int) -> ConsoleRenderable:
        """So many events, the last one lowest."""
        table = grid("right", "left")
        table.padding = (0, 1, 0, 0)
        for index in range(len(refs) - count, len(refs)):
            mark = steps.mark_of(refs[index])
            sentence = text(steps.sentences[index]).append_text(text(f" {mark}" if mark else "", "bold"))
            table.add_row(text(refs[index], "dim"), sentence)
        return table

    return largest_drawing(draw, min(rows, len(refs)), width, rows) or text("")


def ledger_rows(entries: Sequence[Entry], player: str, width: int, rows: int) -> ConsoleRenderable:
    """The last rows of a seat's ledger, below their sums."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[entry.what] += entry.amount
    heading = text(f"{player}: {', '.join(f'{what} {n}' for what, n in sums.items())}", "bold")

    def draw(count: int) -> ConsoleRenderable:
        """The sums, and below them so many of the last entries."""
        table = grid("right", "left", "right", "left")
        table.padding = (0, 1, 0, 0)
        for entry in entries[-count:]:
            # in one cell, so that lines break between words
            why = " ".join(filter(None, [entry.why, entry.number, "seen" if entry.seen else ""]))
            table.add_row(text(entry.ref, "dim"), text(entry.what), text(signed(entry.amount)), text(why))
        earlier_text = f" · {len(entries) - count} rows before these" if len(entries) > count else ""
        return stack(heading.copy().append_text(text(earlier_text, "dim")), table)

    return largest_drawing(draw, max(1, rows - 1), width, rows) or heading


def head_line(steps: Stepper, scores: Sequence[Score] | None, width: int, *, recorded: bool) -> Text:
    """Where the reader is, and everybody's points there; in brackets what they would be, counted now."""
    line = text("━━ ").append_text(text(f"event {steps.ref}, {steps.at} of {steps.last}", "bold"))
    if recorded:
        line.append(" · as it was recorded", "bold")
    standings = (text(f"{standing} ") for standing in _standings_texts(steps, scores or ()))
    longest = next((each for each in standings if line.cell_len + each.cell_len <= width), text(" "))
    return with_rule(line.append_text(longest), width)


def _standings_texts(steps: Stepper, scores: Sequence[Score]) -> Iterator[str]:
    """Everybody's points, from long to short."""
    for with_totals in (True, False):
        yield "".join(
            f" · {name} {score.points}" + (f" ({score.total})" if with_totals and score.total != score.points else "")
            for name, score in zip(steps.done.players, scores, strict=False)
        )


def detail_lines(steps: Stepper, *, scores: bool) -> Iterator[Text]:
    """The event in full: what it says, what it moved, its findings and notes."""
    if not steps.at:
        yield text("Before the first event.", "bold")
        return
    yield text(f"▸ {steps.ref} {steps.sentence}", "bold")
    yield from _correction_lines(steps)
    title, names = steps.done.title, steps.done.players
    entries = [entry for entry in steps.changed() if scores or entry.what != title.score_resource]
    if entries:
        yield text(" · ".join(_posting_text(entry, names) for entry in entries))
    for finding in steps.findings:
        yield text(f"✗ {finding_text(finding, reader_of(title, names, steps.language))}")
    for note in steps.remarks:
        mark = f"{note.mark} " if note.mark else ""
        instead = f" [instead: {', '.join(note.variation)}]" if note.variation else ""
        tags = "".join(f" #{tag}" for tag in note.tags)
        yield text(f"✎ {mark}{note.text}{tags}{instead} — {note.by}")


def _correction_lines(steps: Stepper) -> Iterator[Text]:
    """What the other history says, and who corrected it and why."""
    line, by, why = steps.amendment
    if steps.other:
        yield text(f"{'stands as' if steps.is_recorded else 'recorded as'}: {steps.other}")
    if line:
        yield text(f"corrected by line {line}, {by}: {why}")


def _posting_text(entry: Entry, names: Sequence[str]) -> str:
    """`Anna money −3 (price, S-5.3)`."""
    who = names[entry.who - 1] if 0 < entry.who <= len(names) else "nobody"
    reasons = ", ".join(filter(None, [entry.why, entry.number, "seen" if entry.seen else ""]))
    return f"{who} {entry.what} {signed(entry.amount)} ({reasons})"
