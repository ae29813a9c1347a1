"""What stands in each part of the recorder's screen, as text for so many columns and rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable, Group
from rich.text import Text

from spyrium_cli.render.paper import Rows, console, grid, stack, text
from spyrium_cli.render.players import Player, players
from spyrium_cli.render.surface import pane
from spyrium_cli.render.told import against, change
from spyrium_cli.render.turns import awaited
from spyrium_cli.titles import renderer
from spyrium_log.entry.requests import Act, Request
from spyrium_log.entry.shortcuts import ASK

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Done, Recorder
    from spyrium_log.entry.prompt import Choice, Shown

# Beside a whole board there is room for sentences from here on.
WIDE, TALL = 118, 34
BOARD = 80
PREVIEW = 3
# what a crowded small screen leaves it
SHORT_PREVIEW = 2
# what an 80-column line has room for
KEYS = (
    ("Enter", "takes ▸"),
    ("↑↓", "choose"),
    ("Tab", "fills"),
    ("u", "undo"),
    ("?", "more"),
    ("F1", "help"),
    ("F2", "light"),
    ("^Q", "leave"),
    ("Esc", "clears"),
    (";", "note"),
    ("=3", "price"),
    ("c", "count"),
    ("#", "ruling"),
)
# what is a word by lines, and a key here
ON_KEYS = {
    "help": "help is F1",
    "list": "what may be typed stands above; ? says what else",
    "board": "the board stands above",
    "quit": "^Q leaves; all is on the disk",
    "exit": "^Q leaves; all is on the disk",
}
SCREEN = """\
Enter               takes what stands behind ▸, and writes it to the disk
↑ ↓   Tab           choose; the rest of what is chosen, or of what there is
Backspace   Esc     one character less; nothing typed. What was refused stays:
                    the next character takes its place, Backspace mends it
F1   F2   ^Q        this page; light or dark; leave (all is on the disk)"""
# where a line may be broken off, with what is left of it counted
_PIECES = re.compile(r"; | (?=· )|(?<=\)), ")


def is_wide(width: int, height: int) -> bool:
    return width >= WIDE and height >= TALL


def rows_of(drawn: ConsoleRenderable, width: int) -> int:
    """How many rows it takes."""
    with pane(width):
        paper = console()
        return len(paper.render_lines(drawn, paper.options.update(width=width), pad=False))


def who_plays(recorder: Recorder) -> list[Player]:
    seats = recorder.play.header.seats
    return players([seat.player for seat in seats], [seat.colour for seat in seats])


def board(recorder: Recorder, language: str, width: int, *, small: bool) -> Group:
    title = recorder.play.title
    draws = renderer(title)
    board_ = draws.small_board if small else draws.board
    with pane(width):
        return stack(*board_(title.screens.view(recorder.play.state), who_plays(recorder), language))


def fitted(lines: Sequence[Text], width: int, rows: int) -> Text:
    """As much of these lines as there is room for, broken off between things told; what is left out is counted."""
    whole = text("\n", keep="\n").join(lines)
    if rows_of(whole, width) <= rows:
        return whole
    ends = [end for line in lines for end in _ends(line)]
    starts = [sum(len(line) + 1 for line in lines[:at]) for at, line in enumerate(lines) for _ in _ends(line)]
    for many in range(len(ends) - 1, 0, -1):
        said = whole[: starts[many - 1] + ends[many - 1]]
        said.append_text(text(f" · and {len(ends) - many} more", "bold"))
        if rows_of(said, width) <= rows:
            return said
    # one piece that is too long by itself ends behind a word
    for found in reversed([*re.finditer(" ", whole.plain[: width * rows])]):
        said = whole[: found.start()].append(" · and more", "bold")
        if rows_of(said, width) <= rows:
            return said
    return whole[: width * rows]


def _ends(line: Text) -> list[int]:
    """Where each of its pieces ends."""
    return [*(found.start() for found in _PIECES.finditer(line.plain)), len(line)]


# --- choices -------------------------------------------------------------------------------------


def is_codes(recorder: Recorder) -> bool:
    """Whether what may be typed now are no whole acts: cards of a deal, half of what is said beside moves."""
    shown = recorder.prompt.shown()
    return bool(shown.choices) and shown.choices[0].act is None


def choices(recorder: Recorder, width: int, rows: int) -> ConsoleRenderable:
    """All of them: with sentences where there is room, else their keys by what they do."""
    shown = recorder.prompt.shown()
    if not shown.choices or rows < 1:
        return text("")
    if is_codes(recorder):
        return _codes(shown, width, rows)
    long = _sentences(recorder, shown.choices, shown.at)
    if rows_of(long, width) <= rows:
        return long
    if shown.at is not None:
        return _around(recorder, shown, width, rows)
    short = _by_verb(recorder, shown)
    if rows_of(short, width) <= rows:
        return short
    verbs = _verbs(recorder, shown)
    return text(" · ").join(text(f"{name} ").append_text(text(" ".join(keys), "bold")) for name, keys in verbs)


def _sentences(recorder: Recorder, some: Sequence[Choice], highlighted: int | None) -> Rows:
    table = grid("left", "left", "left")
    table.padding = (0, 1, 0, 0)
    for at, (choice, sentence) in enumerate(zip(some, _told(recorder, some), strict=True)):
        taken = at == highlighted
        style = "bold" if taken else ""
        table.add_row(text("▸" if taken else " ", "bold"), text(choice.keys, "bold"), text(sentence, style))
    return table


def _told(recorder: Recorder, some: Sequence[Choice]) -> list[str]:
    """Their sentences, without the words with which all of them begin."""
    told = [recorder.prompt.told(choice.act).split(" ") for choice in some]
    same = 0
    while len(told) > 1 and all(len(words) > same + 1 and words[same] == told[0][same] for words in told):
        same += 1
    return [" ".join(words[same:]) for words in told]


def _by_verb(recorder: Recorder, shown: Shown) -> Rows:
    """One row for each kind of move, with the keys of all of its ways."""
    table = grid("left", "left")
    for name, keys in _verbs(recorder, shown):
        table.add_row(text(f"  {name}"), text("  ".join(keys), "bold"))
    return table


def _verbs(recorder: Recorder, shown: Shown) -> Iterator[tuple[str, list[str]]]:
    verb = recorder.play.title.tables.verb
    for name, some in groupby(shown.choices, key=lambda choice: verb(choice.act)):
        yield name, [choice.keys for choice in some]


def _around(recorder: Recorder, shown: Shown, width: int, rows: int) -> ConsoleRenderable:
    """As many as there is room for, the highlighted one among them; the others are counted."""
    at = shown.at or 0
    for many in range(min(rows, len(shown.choices)), 0, -1):
        first = max(0, min(at - many // 2, len(shown.choices) - many))
        part = _sentences(recorder, shown.choices[first : first + many], at - first)
        drawn = stack(part, text(f"  and {len(shown.choices) - many} more: ↑↓", "dim"))
        if rows_of(drawn, width) <= rows:
            return drawn
    return _sentences(recorder, shown.choices[at : at + 1], 0)


def _codes(shown: Shown, width: int, rows: int) -> ConsoleRenderable:
    """What may come next, in as many columns as there is room for; what has no room is counted."""
    cells = []
    for at, choice in enumerate(shown.choices):
        name = choice.name if choice.name != choice.keys else "nobody saw it"
        keys = text(f"{'▸' if at == shown.at else ' '}{choice.keys}", "bold")
        cells.append(keys.append_text(text(f" {name}")))
    longest = max(cell.cell_len for cell in cells) + 2
    columns = max(1, width // longest)
    for many in range(len(cells), 0, -1):
        first = max(0, min((shown.at or 0) - many // 2, len(cells) - many))
        part = cells[first : first + many]
        down = -(-many // columns)
        table = grid()
        for row in zip_longest(*(part[at : at + down] for at in range(0, many, down)), fillvalue=text("")):
            table.add_row(*row)
        left = len(cells) - many
        drawn = stack(table, text(f"  and {left} more: ↑↓", "dim")) if left else table
        if rows_of(drawn, width) <= rows:
            return drawn
    return cells[shown.at or 0]


# --- what happened -------------------------------------------------------------------------------


def log(recorder: Recorder, width: int, rows: int) -> ConsoleRenderable:
    """As many of the last lines as there is room for."""
    for many in range(rows, 0, -1):
        table = grid("right", "left")
        for ref, sentence in recorder.told()[-many:]:
            table.add_row(text(ref, "dim"), text(sentence))
        if rows_of(table, width) <= rows:
            return table
    return text("")


# --- the prompt ----------------------------------------------------------------------------------


def rule(recorder: Recorder, width: int) -> Text:
    """Who is to do what: the line above the prompt."""
    prompt = recorder.prompt
    shown = prompt.shown()
    said = awaited(prompt.awaited, recorder.play.title, prompt.players, prompt.language)
    asked = f" · {shown.asked}?" if shown.asked and (prompt.text or prompt.awaited.kind == "deal") else ""
    return filled(text("━━ ").append_text(text(f"{said}{asked} ", "bold")), width)


def filled(line: Text, width: int) -> Text:
    """The line drawn on to the edge."""
    return line.append_text(text("━" * max(0, width - line.cell_len)))


def prompt_line(recorder: Recorder) -> Text:
    prompt = recorder.prompt
    seat = prompt.awaited.seat
    line = text("")
    if seat:
        player = who_plays(recorder)[seat - 1]
        line.append_text(text(f"{player.mark} ", f"{player.style} bold"))
    line.append("▸ ", "bold")
    if prompt.shown().selected:
        # colour alone would not say it
        return line.append_text(text(f"[{prompt.text}]", "bold reverse"))
    return line.append_text(text(prompt.text, "bold")).append(" ", "reverse")


def preview(recorder: Recorder, done: Done | None, width: int, rows: int) -> Text:
    """What Enter would do, or why it does not; with nothing typed, what was done last."""
    return fitted([*_preview(recorder, done)], width, rows)


def _preview(recorder: Recorder, done: Done | None) -> Iterator[Text]:
    prompt = recorder.prompt
    shown = prompt.shown()
    for news in recorder.news:
        yield text(f"! {news}", "bold")
    if shown.refused:
        instead = "type over it" if shown.selected else "Backspace mends it"
        yield text(f"✗ refused · {instead}, or ! records it all the same: the table did it", "bold")
        told = (against(breach, recorder.play.title, prompt.players, prompt.language) for breach in shown.against)
        yield from (text(f"  {each}") for each in told)
        return
    if shown.message:
        yield text(f"✗ {shown.message}", "bold")
        if prompt.text.strip().casefold() in ON_KEYS:
            yield text(f"  {ON_KEYS[prompt.text.strip().casefold()]}")
        if shown.selected:
            yield text("  type over it, or mend it with Backspace")
    if shown.said and not shown.against:
        yield text(" · ".join(shown.said))
    if shown.message:
        return
    if shown.request is not None:
        yield from _wished(recorder, shown, shown.request)
    elif done is not None and not prompt.text:
        yield text(f"✓ {done.n or 'note'}  ", "bold").append_text(text(done.sentence))


def _wished(recorder: Recorder, shown: Shown, request: Request) -> Iterator[Text]:
    prompt = recorder.prompt
    for breach in shown.against:
        yield text(f"✗ {against(breach, recorder.play.title, prompt.players, prompt.language)}", "bold")
    changes = [change(each, prompt.players) for each in prompt.changes(request)]
    is_deal = isinstance(request, Act) and isinstance(request.act, recorder.play.title.wire.deal)
    if changes and not is_deal:
        yield text(" · ".join(changes), "bold")
    if not is_deal:
        yield text(f"Enter: {prompt.sentence(request)}")
    elif not shown.against:
        yield text("Enter: that is the deal", "bold")


def keys_of(recorder: Recorder) -> Sequence[tuple[str, str]]:
    """In a deal a question mark is a card that nobody saw."""
    is_deal = recorder.prompt.awaited.kind == "deal"
    return [(key, "card") if is_deal and key == ASK else (key, does) for key, does in KEYS]


def keys_line(width: int, keys: Sequence[tuple[str, str]] = KEYS) -> Text:
    """The keys that are not on the board, as many as fit."""
    line = text("")
    line.no_wrap = True
    for key, does in keys:
        part = text(f"{key} ", "bold").append_text(text(does, "dim"))
        gap = "  " if line else ""
        if line.cell_len + len(gap) + part.cell_len > width:
            break
        line.append_text(text(gap)).append_text(part)
    return line
