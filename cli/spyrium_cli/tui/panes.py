"""What stands in each part of the recorder's screen, as text for so many columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spyrium_cli.render.boards import board_of, small_board_of
from spyrium_cli.render.paper import console, grid, pane, text
from spyrium_cli.render.players import Player, players
from spyrium_cli.render.told import against, change
from spyrium_cli.render.turns import awaited
from spyrium_log.entry.wishes import Act, Wish

if TYPE_CHECKING:
    from spyrium_cli.recorder import Done, Recorder
    from spyrium_log.entry.prompt import Choice, Shown

# Beside a whole board there is room for sentences from here on.
WIDE, TALL = 118, 34
BOARD = 80
PREVIEW = 3
# what a crowded small screen leaves it
SHORT_PREVIEW = 2
KEYS = (
    ("Enter", "takes ▸"),
    ("↑↓", "choose"),
    ("u", "undo"),
    ("Esc", "clears"),
    ("F1", "all keys"),
    ("^Q", "leaves"),
    (";", "note"),
    ("=3", "price"),
    ("Tab", "completes"),
    ("F2", "light or dark"),
)


def is_wide(width: int, height: int) -> bool:
    return width >= WIDE and height >= TALL


def rows_of(drawn: RenderableType, width: int) -> int:
    """How many rows it takes."""
    with pane(width):
        paper = console()
        return len(paper.render_lines(drawn, paper.options.update(width=width), pad=False))


def who_plays(recorder: Recorder) -> list[Player]:
    seats = recorder.play.header.seats
    return players([seat.player for seat in seats], [seat.colour for seat in seats])


def board(recorder: Recorder, language: str, width: int, *, small: bool) -> Group:
    title = recorder.play.title
    drawn = (small_board_of if small else board_of)(title.key)
    with pane(width):
        return Group(*drawn(title.view(recorder.play.state), who_plays(recorder), language))


# --- choices -------------------------------------------------------------------------------------


def choices(recorder: Recorder, width: int, rows: int) -> RenderableType:
    """All of them: with sentences where there is room, else their keys by what they do."""
    shown = recorder.prompt.shown()
    if not shown.choices or rows < 1:
        return text("")
    if shown.choices[0].act is None:
        return _codes(shown, width)
    long = _sentences(recorder, shown.choices, shown.at)
    if rows_of(long, width) <= rows:
        return long
    if shown.at is not None:
        return _around(recorder, shown, width, rows)
    short = _by_verb(recorder, shown)
    if rows_of(short, width) <= rows:
        return short
    return Text(" · ").join(text(f"{name} ").append(" ".join(keys), "bold") for name, keys in _verbs(recorder, shown))


def _sentences(recorder: Recorder, some: Sequence[Choice], highlighted: int | None) -> Table:
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


def _by_verb(recorder: Recorder, shown: Shown) -> Table:
    """One row for each kind of move, with the keys of all of its ways."""
    table = grid("left", "left")
    for name, keys in _verbs(recorder, shown):
        table.add_row(text(f"  {name}"), text("  ".join(keys), "bold"))
    return table


def _verbs(recorder: Recorder, shown: Shown) -> Iterator[tuple[str, list[str]]]:
    verb = recorder.play.title.verb
    for name, some in groupby(shown.choices, key=lambda choice: verb(choice.act)):
        yield name, [choice.keys for choice in some]


def _around(recorder: Recorder, shown: Shown, width: int, rows: int) -> RenderableType:
    """As many as there is room for, the highlighted one among them; the others are counted."""
    at = shown.at or 0
    for many in range(min(rows, len(shown.choices)), 0, -1):
        first = max(0, min(at - many // 2, len(shown.choices) - many))
        part = _sentences(recorder, shown.choices[first : first + many], at - first)
        drawn = Group(part, text(f"  and {len(shown.choices) - many} more: ↑↓", "dim"))
        if rows_of(drawn, width) <= rows:
            return drawn
    return _sentences(recorder, shown.choices[at : at + 1], 0)


def _codes(shown: Shown, width: int) -> Table:
    """What may come next, in as many columns as there is room for."""
    cells = []
    for at, choice in enumerate(shown.choices):
        name = choice.name if choice.name != choice.keys else "nobody saw it"
        cells.append(text("▸" if at == shown.at else " ", "bold").append(choice.keys, "bold").append(f" {name}"))
    longest = max(cell.cell_len for cell in cells) + 2
    columns = max(1, width // longest)
    down = -(-len(cells) // columns)
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in zip_longest(*(cells[at : at + down] for at in range(0, len(cells), down)), fillvalue=text("")):
        table.add_row(*row)
    return table


# --- what happened -------------------------------------------------------------------------------


def log(recorder: Recorder, width: int, rows: int) -> RenderableType:
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
    line = text("━━ ").append(f"{said}{asked} ", "bold")
    return line.append("━" * max(0, width - line.cell_len))


def prompt_line(recorder: Recorder) -> Text:
    prompt = recorder.prompt
    seat = prompt.awaited.seat
    line = Text()
    if seat:
        player = who_plays(recorder)[seat - 1]
        line.append_text(text(f"{player.mark} ", f"{player.style} bold"))
    return line.append("▸ ", "bold").append_text(text(prompt.text, "bold")).append(" ", "reverse")


def preview(recorder: Recorder, done: Done | None, width: int, rows: int) -> Text:
    """What Enter would do, or why it does not; with nothing typed, what was done last. What does not fit is counted."""
    lines = list(_preview(recorder, done))
    for many in range(len(lines), 0, -1):
        more = len(lines) - many
        said = Text("\n").join(lines[:many])
        if more:
            said.append(f" · and {more} more", "bold")
        if rows_of(said, width) <= rows:
            return said
    return Text("\n").join(lines)


def _preview(recorder: Recorder, done: Done | None) -> Iterator[Text]:
    prompt = recorder.prompt
    shown = prompt.shown()
    for news in recorder.news:
        yield text(f"! {news}", "bold")
    if shown.refused:
        yield text(f"✗ refused: '{shown.text}' · ! records it all the same, the table did it", "bold")
        told = (against(breach, recorder.play.title, prompt.players, prompt.language) for breach in shown.against)
        yield from (text(f"  {each}") for each in told)
        return
    if shown.message:
        yield text(f"✗ {shown.message}", "bold")
        return
    if shown.said and not shown.against:
        yield text(" · ".join(shown.said))
    if shown.wish is not None:
        yield from _wished(recorder, shown, shown.wish)
    elif done is not None and not prompt.text:
        yield text(f"✓ {done.n or 'note'}  ", "bold").append_text(text(done.sentence))


def _wished(recorder: Recorder, shown: Shown, wish: Wish) -> Iterator[Text]:
    prompt = recorder.prompt
    for breach in shown.against:
        yield text(f"✗ {against(breach, recorder.play.title, prompt.players, prompt.language)}", "bold")
    changes = [change(each, prompt.players) for each in prompt.changes(wish)]
    is_deal = isinstance(wish, Act) and isinstance(wish.act, recorder.play.title.wire.deal)
    if changes and not is_deal:
        yield text(" · ".join(changes), "bold")
    if not is_deal:
        yield text(f"Enter: {prompt.sentence(wish)}")
    elif not shown.against:
        yield text("Enter: that is the deal", "bold")


def keys_line(width: int, keys: Sequence[tuple[str, str]] = KEYS) -> Text:
    """The keys that are not on the board, as many as fit."""
    line = Text()
    for key, does in keys:
        part = text(f"{key} ", "bold").append(f"{does}  ", "dim")
        if line.cell_len + part.cell_len <= width + 2:
            line.append_text(part)
    return line
