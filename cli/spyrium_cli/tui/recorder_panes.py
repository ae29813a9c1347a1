"""The parts of the recorder's screen, drawn for so many columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from rich.console import ConsoleRenderable, Group
from rich.text import Text

from spyrium_cli.render.paper import Rows, grid, stack, text
from spyrium_cli.render.players import players_of
from spyrium_cli.render.sentences import awaited_text, change_text, marked_breach
from spyrium_cli.render.surface import pane
from spyrium_cli.titles import renderer
from spyrium_cli.tui.fitting import fitted_text, largest_drawing, rows_of, with_rule
from spyrium_log.entry.requests import Act, Request
from spyrium_log.entry.shortcuts import ASK

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Recorded, Recorder
    from spyrium_log.entry.prompt import Choice, Shown

# Rows of the preview; fewer where the board leaves no room beside it.
PREVIEW_ROWS = 3
CROWDED_PREVIEW_ROWS = 2
# What keys do, for the last line; the first of them fit in 80 columns.
KEYS = (
    ("Enter", "records"),
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
# Commands of `record --plain` that are keys on this screen.
PLAIN_COMMANDS = {
    "help": "help is F1",
    "list": "what may be typed stands above; ? says what else",
    "board": "the board stands above",
    "quit": "^Q leaves; all is on the disk",
    "exit": "^Q leaves; all is on the disk",
}
HELP = """\
Enter               records what stands after ▸, and writes it to the disk
↑ ↓   Tab           choose; the rest of what is chosen, or of what there is
Backspace   Esc     one character less; nothing typed. What was refused stays:
                    the next character takes its place, Backspace mends it
F1   F2   ^Q        this page; light or dark; leave (all is on the disk)"""


def board(recorder: Recorder, language: str, width: int, *, small: bool) -> Group:
    """The recorder's board, drawn for so many columns."""
    play = recorder.play
    draws = renderer(play.title)
    draw = draws.small_board if small else draws.board
    with pane(width):
        return stack(*draw(play.title.screens.view(play.state), players_of(play.log, play.state), language))


# --- choices -------------------------------------------------------------------------------------


def are_codes(recorder: Recorder) -> bool:
    """Whether the choices are parts of an act, such as the cards of a deal."""
    shown = recorder.prompt.shown()
    return bool(shown.choices) and shown.choices[0].act is None


def choices(recorder: Recorder, width: int, rows: int) -> ConsoleRenderable:
    """All choices: with sentences where there is room, else their keys by kind of move."""
    shown = recorder.prompt.shown()
    if not shown.choices or rows < 1:
        return text("")
    if are_codes(recorder):
        return _code_columns(shown, width, rows)
    sentences = _choice_rows(recorder, shown.choices, shown.highlighted)
    if rows_of(sentences, width) <= rows:
        return sentences
    if shown.highlighted is not None:
        return _rows_around_highlighted(recorder, shown, shown.highlighted, width, rows)
    keys_by_verb = _keys_by_verb(recorder, shown)
    table = grid("left", "left")
    for verb, keys in keys_by_verb:
        table.add_row(text(f"  {verb}"), text("  ".join(keys), "bold"))
    if rows_of(table, width) <= rows:
        return table
    return text(" · ").join(text(f"{verb} ").append_text(text(" ".join(keys), "bold")) for verb, keys in keys_by_verb)


def _choice_rows(recorder: Recorder, group: Sequence[Choice], highlighted: int | None) -> Rows:
    """One line per choice: its keys and what it does."""
    table = grid("left", "left", "left")
    table.padding = (0, 1, 0, 0)
    for index, (choice, sentence) in enumerate(zip(group, _distinct_endings(recorder, group), strict=True)):
        is_highlighted = index == highlighted
        table.add_row(
            text("▸" if is_highlighted else " ", "bold"),
            text(choice.keys, "bold"),
            text(sentence, "bold" if is_highlighted else ""),
        )
    return table


def _distinct_endings(recorder: Recorder, group: Sequence[Choice]) -> list[str]:
    """The sentences of the choices, without the words with which all of them begin."""
    sentences = [recorder.prompt.act_sentence(choice.act).split(" ") for choice in group]
    # how many words all sentences begin with; one word of each is left
    common = 0
    while len(sentences) > 1 and all(
        len(each) > common + 1 and each[common] == sentences[0][common] for each in sentences
    ):
        common += 1
    return [" ".join(words[common:]) for words in sentences]


def _keys_by_verb(recorder: Recorder, shown: Shown) -> list[tuple[str, list[str]]]:
    """The keys of the choices in groups: a kind of move, and the keys of its moves."""
    verb = recorder.play.title.tables.verb
    groups = groupby(shown.choices, key=lambda choice: verb(choice.act))
    return [(name, [choice.keys for choice in group]) for name, group in groups]


def _rows_around_highlighted(
    recorder: Recorder, shown: Shown, highlighted: int, width: int, rows: int
) -> ConsoleRenderable:
    """As many choices around the highlighted one as there is room for; the others are counted."""

    def draw(count: int) -> ConsoleRenderable:
        """So many choices around the highlighted one."""
        first = _first_of_neighbours(highlighted, count, len(shown.choices))
        part = _choice_rows(recorder, shown.choices[first : first + count], highlighted - first)
        return stack(part, _more_line(len(shown.choices) - count))

    drawing = largest_drawing(draw, min(rows, len(shown.choices)), width, rows)
    return drawing or _choice_rows(recorder, shown.choices[highlighted : highlighted + 1], 0)


def _first_of_neighbours(highlighted: int, count: int, length: int) -> int:
    """The first of `count` neighbours in a list, so that the highlighted one is in their middle."""
    return max(0, min(highlighted - count // 2, length - count))


def _more_line(count: int) -> Text:
    """How many choices are not shown, and the keys that lead to them."""
    return text(f"  and {count} more: ↑↓", "dim")


def _code_columns(shown: Shown, width: int, rows: int) -> ConsoleRenderable:
    """What may come next, in as many columns as there is room for."""
    cells = []
    for index, choice in enumerate(shown.choices):
        name = choice.name if choice.name != choice.keys else "nobody saw it"
        keys = text(f"{'▸' if index == shown.highlighted else ' '}{choice.keys}", "bold")
        cells.append(keys.append_text(text(f" {name}")))
    columns = max(1, width // (max(cell.cell_len for cell in cells) + 2))
    highlighted = shown.highlighted or 0

    def draw(count: int) -> ConsoleRenderable:
        """So many codes around the highlighted one, column by column."""
        first = _first_of_neighbours(highlighted, count, len(cells))
        part = cells[first : first + count]
        height = -(-count // columns)
        table = grid()
        for row in zip_longest(*(part[top : top + height] for top in range(0, count, height)), fillvalue=text("")):
            table.add_row(*row)
        return stack(table, _more_line(len(cells) - count)) if count < len(cells) else table

    return largest_drawing(draw, len(cells), width, rows) or cells[highlighted]


# --- events, prompt, preview ---------------------------------------------------------------------


def log_rows(recorder: Recorder, width: int, rows: int) -> ConsoleRenderable:
    """As many of the last lines as there is room for."""

    def draw(count: int) -> ConsoleRenderable:
        """So many of the last lines."""
        table = grid("right", "left")
        for ref, sentence in recorder.events()[-count:]:
            table.add_row(text(ref, "dim"), text(sentence))
        return table

    return largest_drawing(draw, rows, width, rows) or text("")


def rule_line(recorder: Recorder, width: int) -> Text:
    """The line above the prompt: who is to do what."""
    prompt = recorder.prompt
    shown = prompt.shown()
    task = awaited_text(prompt.awaited, recorder.play.title, prompt.players, prompt.language)
    question = f" · {shown.question}?" if shown.question and (prompt.text or prompt.awaited.kind == "deal") else ""
    return with_rule(text("━━ ").append_text(text(f"{task}{question} ", "bold")), width)


def prompt_line(recorder: Recorder) -> Text:
    """The mark of who is to act, and what is typed."""
    prompt = recorder.prompt
    seat = prompt.awaited.seat
    line = text("")
    if seat:
        player = players_of(recorder.play.log, recorder.play.state)[seat - 1]
        line.append_text(text(f"{player.mark} ", f"{player.style} bold"))
    line.append("▸ ", "bold")
    if prompt.shown().selected:
        # in brackets, for a terminal without colours
        return line.append_text(text(f"[{prompt.text}]", "bold reverse"))
    return line.append_text(text(prompt.text, "bold")).append(" ", "reverse")


def preview_text(recorder: Recorder, last: Recorded | None, width: int, rows: int) -> Text:
    """What Enter would do, or why it does not; with nothing typed, what was done last."""
    return fitted_text([*_preview_lines(recorder, last)], width, rows)


def _preview_lines(recorder: Recorder, last: Recorded | None) -> Iterator[Text]:
    """The lines of the preview: news, an error or a refusal, or what Enter would do."""
    prompt = recorder.prompt
    shown = prompt.shown()
    yield from (text(f"! {news}", "bold") for news in recorder.news)
    if shown.refused:
        way_on = "type over it" if shown.selected else "Backspace mends it"
        yield text(f"✗ refused · {way_on}, or ! records it all the same: the table did it", "bold")
        yield from (text(f"  {sentence}") for sentence in _breach_sentences(recorder, shown))
    elif shown.message:
        yield text(f"✗ {shown.message}", "bold")
        if hint := PLAIN_COMMANDS.get(prompt.text.strip().casefold()):
            yield text(f"  {hint}")
        if shown.selected:
            yield text("  type over it, or mend it with Backspace")
        yield from _words_line(shown)
    else:
        yield from _words_line(shown)
        if shown.request is not None:
            yield from _effect_lines(recorder, shown, shown.request)
        elif last is not None and not prompt.text:
            yield text(f"✓ {last.n or 'note'}  ", "bold").append_text(text(last.sentence))


def _breach_sentences(recorder: Recorder, shown: Shown) -> Iterator[str]:
    """A sentence for each rule that the move breaks."""
    prompt = recorder.prompt
    return (marked_breach(breach, recorder.play.title, prompt.players, prompt.language) for breach in shown.breaches)


def _words_line(shown: Shown) -> Iterator[Text]:
    """What the prompt says of the text so far, such as how many cards are missing; nothing beside a broken rule."""
    if shown.words and not shown.breaches:
        yield text(" · ".join(shown.words))


def _effect_lines(recorder: Recorder, shown: Shown, request: Request) -> Iterator[Text]:
    """What recording this would change, and the rules it breaks."""
    prompt = recorder.prompt
    yield from (text(f"✗ {sentence}", "bold") for sentence in _breach_sentences(recorder, shown))
    if isinstance(request, Act) and isinstance(request.act, recorder.play.title.wire.deal):
        if not shown.breaches:
            yield text("Enter: that is the deal", "bold")
        return
    changes = [change_text(each, prompt.play.title, prompt.players) for each in prompt.changes(request)]
    if changes:
        yield text(" · ".join(changes), "bold")
    yield text(f"Enter: {prompt.sentence(request)}")


def keys_of(recorder: Recorder) -> Sequence[tuple[str, str]]:
    """The keys with what they do now: in a deal a question mark is a card that nobody saw."""
    is_deal = recorder.prompt.awaited.kind == "deal"
    return [(key, "card") if is_deal and key == ASK else (key, action) for key, action in KEYS]
