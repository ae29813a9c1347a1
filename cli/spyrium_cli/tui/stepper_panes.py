"""What the stepper's screen draws beside the board: events, an event in full, a ledger, scores, the curve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.complaint import shell_message
from spyrium_cli.render.curves import Curve, draw_curve
from spyrium_cli.render.paper import Player, grid, stack, text
from spyrium_cli.render.sentences import finding_text, note_text, reader_of
from spyrium_cli.render.text import signed
from spyrium_cli.tui.full_screen import add_rule, draw_event_name, fit_drawing
from spyrium_log.ledger import Entry
from spyrium_log.messages import Argument, Reader
from spyrium_log.standings import Standing
from spyrium_log.stepper import Stepper


def stepper_text(key: str, language: str, /, **arguments: Argument) -> str:
    """A sentence of the stepper in a language."""
    return shell_message(f"stepper.{key}", **arguments).text_for(Reader(language))


def draw_score_curve(stepper: Stepper, players: Sequence[Player], width: int, rows: int, *, ahead: bool) -> Text:
    """Everybody's points over the game, with a cursor at this event; not `ahead`: no further than this event."""
    last = stepper.last if ahead else stepper.position
    points = [row[: last + 1] for row in stepper.points]
    return draw_curve(Curve(players, points, stepper.rounds, stepper.last, stepper.position), width, rows)


def draw_last_events(stepper: Stepper, count: int, width: int, rows: int) -> ConsoleRenderable:
    """The last of the first `count` events, as many as there is room for."""
    events = list(stepper.sentences.items())[:count]

    def draw_part(part: int) -> ConsoleRenderable:
        """So many events, the last one lowest."""
        table = grid("right", "left", padding=(0, 1, 0, 0))
        for ref, sentence in events[-part:]:
            marks = stepper.format_marks(ref)
            name = draw_event_name(ref, stepper.findings.get(ref, ()))
            table.add_row(name, text(sentence).append_text(text(f" {marks}" if marks else "", "bold")))
        return table

    return fit_drawing(draw_part, min(rows, len(events)), width, rows) or text("")


def draw_ledger(entries: Sequence[Entry], player: str, width: int, rows: int, reader: Reader) -> ConsoleRenderable:
    """The last rows of a seat's ledger, below their sums."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[reader.title_word("resources", entry.what)] += entry.amount
    heading = text(f"{player}: {', '.join(f'{what} {n}' for what, n in sums.items())}", "bold")

    def draw_last_entries(count: int) -> ConsoleRenderable:
        """The sums, and below them so many of the last entries."""
        table = grid("right", "left", "right", "left", padding=(0, 1, 0, 0))
        for entry in entries[-count:]:
            # the reasons are one cell, so that lines break between words
            what, reasons = reader.title_word("resources", entry.what), " ".join(_list_reasons(entry, reader))
            table.add_row(text(entry.ref, "dim"), what, signed(entry.amount), reasons)
        earlier_text = (
            stepper_text("rows-before", reader.language, n=len(entries) - count) if len(entries) > count else ""
        )
        return stack(heading.copy().append_text(text(earlier_text, "dim")), table)

    return fit_drawing(draw_last_entries, max(1, rows - 1), width, rows) or heading


def _list_reasons(entry: Entry, reader: Reader) -> list[str]:
    """The cause of a posting, the rule's number, and whether somebody saw it."""
    seen = stepper_text("seen", reader.language) if entry.seen else ""
    return [word for word in (reader.cause_name(entry.why), entry.number, seen) if word]


def draw_head_line(stepper: Stepper, standings: Sequence[Standing], width: int) -> Text:
    """The event, and everybody's points there; in brackets the totals if counted now. What has no room is left out."""
    position = stepper_text("event", stepper.language, event=stepper.ref, n=stepper.position, last=stepper.last)
    line = text("━━ ").append_text(text(position, "bold"))
    if stepper.is_recorded:
        line.append_text(text(stepper_text("as-it-was", stepper.language), "bold"))
    # no scores where they are hidden
    named = zip(stepper.standing.players, standings, strict=False)
    points = [f" · {name} {standing.points}" for name, standing in named]
    totals = [f" ({each.total})" if each.score.total != each.score.points else "" for each in standings]
    with_totals = [f"{name_and_points}{total}" for name_and_points, total in zip(points, totals, strict=True)]
    for parts in (with_totals, points):
        scores = text(f"{''.join(parts)} ")
        if line.cell_len + scores.cell_len <= width:
            return add_rule(line.append_text(scores), width)
    return add_rule(line.append(" "), width)


def describe_event(stepper: Stepper, *, scores: bool) -> Iterator[Text]:
    """The event in full: what it says, what it moved, its findings and notes. Not `scores`: no points that moved."""
    if not stepper.position:
        yield text(stepper_text("before-first", stepper.language), "bold")
        return
    yield text(f"▸ {stepper.ref} {stepper.sentence}", "bold")
    if stepper.other_sentence:
        key = "stands-as" if stepper.is_recorded else "recorded-as"
        yield text(stepper_text(key, stepper.language, what=stepper.other_sentence))
    if line := stepper.amendment:
        yield text(stepper_text("corrected", stepper.language, line=line.n, who=line.by, why=str(line.why)))
    title = stepper.standing.title
    reader = reader_of(title, stepper.standing.players, stepper.language)
    entries = [entry for entry in stepper.list_postings() if scores or entry.what != title.score_resource]
    if entries:
        yield text(" · ".join(_format_posting(entry, reader) for entry in entries))
    for finding in stepper.findings.get(stepper.ref, ()):
        yield text(f"✗ {finding_text(finding, reader)}")
    for note in stepper.notes.get(stepper.ref, ()):
        yield text(note_text(note))
        if note.variation:
            moves = "; ".join(stepper.describe_variation(note))
            yield text(stepper_text("variation", stepper.language, moves=moves))


def _format_posting(entry: Entry, reader: Reader) -> str:
    """`Anna money −3 (price, S-5.3)`."""
    is_player = 0 < entry.who <= len(reader.names)
    who = reader.names[entry.who - 1] if is_player else stepper_text("nobody", reader.language)
    what = reader.title_word("resources", entry.what)
    return f"{who} {what} {signed(entry.amount)} ({', '.join(_list_reasons(entry, reader))})"
