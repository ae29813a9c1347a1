"""The recorder's screen: board, choices, prompt. Keys go to the prompt, which says what to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest
from math import ceil

from rich.console import ConsoleRenderable
from rich.text import Text
from textual import events

from spyrium_cli.recording.choices import label_choices
from spyrium_cli.recording.recorder import Recorded, Recorder, recorder_text
from spyrium_cli.render.paper import Rows, grid, players_of, stack, text
from spyrium_cli.render.sentences import title_help
from spyrium_cli.render.text import translate_word
from spyrium_cli.titles import find_renderer
from spyrium_cli.tui.full_screen import (
    FullScreen,
    add_rule,
    count_rows,
    draw_event_name,
    draw_keys,
    fit_drawing,
    fit_text,
)
from spyrium_log.audit import Finding
from spyrium_log.entry.locating import mark_wrong_counts
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Request
from spyrium_log.entry.shortcuts import ASK, Choice
from spyrium_log.entry.view import PromptView

# Rule, prompt and keys.
ROWS_BELOW = 3
SMALL_LOG_ROWS = 2
# Rows of the preview; fewer where the board leaves no room beside it.
PREVIEW_ROWS = 3
CROWDED_PREVIEW_ROWS = 2
# In a deal, a card that nobody saw.
UNSEEN_KEY = "?"
# What keys do, for the last line, as words of the recorder; in English the first of them fit in 80 columns.
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
# Commands of `record --plain` that are keys on this screen, and what says so.
PLAIN_COMMANDS = {"help": "help-key", "list": "list-key", "board": "board-key", "quit": "quit-key", "exit": "quit-key"}


class RecorderScreen(FullScreen):
    """Draws the prompt of a recorder beside the board, and gives it every key."""

    SIDE = ("choices", "log")
    BELOW = ("rule", "prompt", "preview", "keys")

    def __init__(self, recorder: Recorder, *, language: str, light: bool = False, leaves_at_end: bool = False) -> None:
        """`recorder`: the open log. `language`: of the board; the prompt has its own.

        `leaves_at_end`: once the game is over, the screen closes.
        """
        title = recorder.play.title
        own, legend = recorder_text("screen-help", language), find_renderer(title).legend(language)
        super().__init__(f"{own}\n\n{legend}\n\n{title_help(title, language)}", language, light=light)
        self.recorder = recorder
        self._closes_at_end = leaves_at_end and not recorder.is_over
        self._last_written: Recorded | None = None
        self._side_width = self._choice_rows = self._log_rows = 0
        self._preview_rows = PREVIEW_ROWS
        # the lines of the log and the size for which the board was drawn
        self._state_drawn = (0, 0, 0)

    def press(self, key: str) -> None:
        """Give a key to the prompt. What it records is on the disk before it is shown as done."""
        self.recorder.news.clear()
        prompt = self.recorder.prompt
        request = prompt.press(key)
        while request is not None:
            self._last_written = self.recorder.write(request)
            # a line that waited for a value goes on once that is known
            request = prompt.resume() if self._last_written is not None else None
            if self.recorder.is_over:
                # who ruled and why may have been left for later
                self.recorder.ask_for_reason()
        # what stands in the line is to be finished first
        if self._closes_at_end and self.recorder.is_over and not prompt.text:
            self.exit()

    async def action_quit(self) -> None:
        """Leave; before that, ask who ruled and why, where that was left for later."""
        if self.recorder.ask_for_reason():
            self.draw()
        else:
            self.exit()

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text as if it were typed, but without Enter at the ends of lines: nothing is recorded unseen."""
        for key in event.text:
            self.press(key)
        self.draw()

    def draw(self) -> None:
        """Draw everything; board and log only when the log or the size has changed."""
        width, height = self.size
        if not width:
            return
        recorder = self.recorder
        state = (len(recorder.play.log.lines), width, height)
        if state != self._state_drawn:
            self._draw_board_and_log(height)
            self._state_drawn = state
        if self.draw_help():
            return
        self._draw_choices()
        self.show("rule", draw_rule_line(recorder, width))
        self.show("prompt", draw_prompt_line(recorder))
        is_deal = recorder.prompt.awaited.kind == "deal"
        # in a deal, ? stands for a card that nobody saw
        words = [(key, "card" if is_deal and key == ASK else what) for key, what in KEYS]
        self.show("keys", draw_keys([(key, recorder_text(what, self._language)) for key, what in words], width))
        is_crowded = self._preview_rows < PREVIEW_ROWS
        preview = [*_make_preview(recorder, self._last_written, is_crowded=is_crowded)]
        self.show("preview", fit_text(preview, width, self._preview_rows, self._language))

    def _draw_choices(self) -> None:
        """Draw the choices. A list of codes may take the place of the log, too."""
        rows = self._choice_rows
        max_rows = rows + self._log_rows if _has_code_choices(self.recorder.prompt.view) else rows
        choices = draw_choices(self.recorder, self._side_width, max_rows)
        self.show("choices", choices)
        self.query_one("#log").display = count_rows(choices, self._side_width) <= rows

    def _draw_board_and_log(self, height: int) -> None:
        """Draw board and log, which no key changes, and measure the room they leave for the choices."""
        play = self.recorder.play
        rows_above = height - ROWS_BELOW - PREVIEW_ROWS
        game = self.recorder.replay_so_far()
        side_width, rows_left = self.show_board(
            play.log, play.state, self._language, rows_above, assumed=game.assumed_holdings[-1], scores=True
        )
        self._preview_rows = PREVIEW_ROWS
        if side_width < self.size.width:
            # beside the board, a third for the log
            log_rows = rows_above // 3
        else:
            if rows_left <= SMALL_LOG_ROWS:
                self._preview_rows = CROWDED_PREVIEW_ROWS
                rows_left += PREVIEW_ROWS - CROWDED_PREVIEW_ROWS
            # below it, the log gets its rows once the choices have as many
            log_rows = max(0, min(SMALL_LOG_ROWS, rows_left - SMALL_LOG_ROWS))
        self._side_width, self._choice_rows, self._log_rows = side_width, rows_left - log_rows, log_rows
        self.query_one("#preview").styles.height = self._preview_rows
        events_with_names = [*mark_wrong_counts(game, self._language).items()]
        self.show("log", draw_log(events_with_names, game.findings, side_width, log_rows, self._language))


def _has_code_choices(view: PromptView) -> bool:
    """Whether the choices are parts of an act, such as the cards of a deal: they have codes, and no sentences."""
    return bool(view.choices) and view.choices[0].act is None


def draw_choices(recorder: Recorder, width: int, rows: int) -> ConsoleRenderable:
    """All choices: with sentences where there is room, else their keys by kind of move."""
    view = recorder.prompt.view
    if not view.choices or rows < 1:
        return text("")
    if _has_code_choices(view):
        return _draw_codes(view, width, rows, recorder.prompt.language)
    highlighted = view.highlighted
    # more choices than rows have no room in any case, and there may be thousands
    if len(view.choices) <= rows:
        labelled = _draw_choice_rows(view.choices, label_choices(recorder.prompt, view.choices), highlighted)
        if count_rows(labelled, width) <= rows:
            return labelled
    if highlighted is None:
        return _draw_keys_by_verb(recorder, view, width, rows)
    start = max(0, highlighted - rows)
    # told apart from all that may stand beside them
    near = view.choices[start : highlighted + rows + 1]
    labels = label_choices(recorder.prompt, near)

    def draw_part(first: int, count: int) -> ConsoleRenderable:
        """So many choices from the first one on, with their labels."""
        part = slice(first - start, first - start + count)
        return _draw_choice_rows(near[part], labels[part], highlighted - first)

    most = min(rows, len(view.choices))
    return _draw_around_highlighted(draw_part, view, most, width, rows, recorder.prompt.language)


def _draw_keys_by_verb(recorder: Recorder, view: PromptView, width: int, rows: int) -> ConsoleRenderable:
    """The keys of the choices by kind of move: a line for each kind where there is room, else all in one text."""
    verb, language = recorder.play.title.tables.verb, recorder.prompt.language
    groups = groupby(view.choices, key=lambda choice: verb(choice.act))
    keys_by_verb = [
        (translate_word(name, "verbs", language), [choice.keys for choice in group]) for name, group in groups
    ]
    table = grid("left", "left")
    for name, keys in keys_by_verb:
        table.add_row(text(f"  {name}"), text("  ".join(keys), "bold"))
    if count_rows(table, width) <= rows:
        return table
    return text(" · ").join(text(f"{name} ").append_text(text(" ".join(keys), "bold")) for name, keys in keys_by_verb)


def _draw_choice_rows(choices: Sequence[Choice], labels: Sequence[str], highlighted: int | None) -> Rows:
    """One line per choice: its keys and what tells it from the others."""
    table = grid("left", "left", "left", padding=(0, 1, 0, 0))
    for index, (choice, label) in enumerate(zip(choices, labels, strict=True)):
        mark, style = ("▸", "bold") if index == highlighted else (" ", "")
        table.add_row(text(mark, "bold"), text(choice.keys, "bold"), text(label, style))
    return table


def _draw_around_highlighted(
    draw_part: Callable[[int, int], ConsoleRenderable],
    view: PromptView,
    max_count: int,
    width: int,
    rows: int,
    language: str,
) -> ConsoleRenderable:
    """The highlighted choice and as many around it as have room, by `draw_part(first, count)`; others are counted."""
    highlighted, length = view.highlighted or 0, len(view.choices)

    def draw_choices_around(count: int) -> ConsoleRenderable:
        """So many choices, with the highlighted one in their middle."""
        first = max(0, min(highlighted - count // 2, length - count))
        part = draw_part(first, count)
        more = text(f"  {recorder_text('and-more', language, n=length - count)}", "dim")
        return stack(part, more) if count < length else part

    return fit_drawing(draw_choices_around, max_count, width, rows) or draw_part(highlighted, 1)


def _draw_codes(view: PromptView, width: int, rows: int, language: str) -> ConsoleRenderable:
    """What may come next in a deal, in as many columns as there is room for."""
    cells = []
    for index, choice in enumerate(view.choices):
        name = choice.name if choice.keys != UNSEEN_KEY else recorder_text("nobody-saw", language)
        keys = text(f"{'▸' if index == view.highlighted else ' '}{choice.keys}", "bold")
        cells.append(keys.append_text(text(f" {name}")))
    # two blanks between columns
    columns = max(1, width // (max(cell.cell_len for cell in cells) + 2))

    def draw_part(first: int, count: int) -> ConsoleRenderable:
        """So many codes from the first one on, column by column."""
        part = cells[first : first + count]
        height = ceil(count / columns)
        table = grid()
        for row in zip_longest(*(part[top : top + height] for top in range(0, count, height)), fillvalue=text("")):
            table.add_row(*row)
        return table

    return _draw_around_highlighted(draw_part, view, len(cells), width, rows, language)


def draw_log(
    events_with_names: Sequence[tuple[str, str]], findings: Sequence[Finding], width: int, rows: int, language: str
) -> ConsoleRenderable:
    """As many of the last events, each with its name and sentence, as have room; at least a part of the last one."""

    def draw_name(name: str) -> Text:
        """The name of an event, marked where it is against the rules."""
        return draw_event_name(name, (finding for finding in findings if finding.ref == name))

    def draw_last_events(count: int) -> ConsoleRenderable:
        """So many of the last events."""
        table = grid("right", "left")
        for name, sentence in events_with_names[-count:]:
            table.add_row(draw_name(name), text(sentence))
        return table

    last_events = fit_drawing(draw_last_events, rows, width, rows)
    whole = (
        draw_name(name).append_text(text(f"  {sentence}", "not bold default"))
        for name, sentence in events_with_names[-1:]
    )
    return last_events or fit_text([*whole], width, rows, language)


def draw_rule_line(recorder: Recorder, width: int) -> Text:
    """The line above the prompt: who is to do what, and what is to be typed next of a line that is begun."""
    prompt = recorder.prompt
    is_begun = bool(prompt.text) or prompt.inquiry.asked is not None or prompt.awaited.kind == "deal"
    question = f" · {prompt.view.question}?" if is_begun and prompt.view.question else ""
    return add_rule(text("━━ ").append_text(text(f"{recorder.describe_awaited()}{question} ", "bold")), width)


def draw_prompt_line(recorder: Recorder) -> Text:
    """The mark of who is to act, and what is typed."""
    prompt = recorder.prompt
    seat = prompt.awaited.seat
    line = text("")
    if seat:
        player = players_of(recorder.play.log, recorder.play.state)[seat - 1]
        line.append_text(text(f"{player.mark} ", f"{player.style} bold"))
    line.append("▸ ", "bold")
    if prompt.view.selected:
        # in brackets, for a terminal without colours
        return line.append_text(text(f"[{prompt.text}]", "bold reverse"))
    return line.append_text(text(prompt.text, "bold")).append(" ", "reverse")


def _make_preview(recorder: Recorder, last: Recorded | None, *, is_crowded: bool) -> Iterator[Text]:
    """News, then an error, a refusal, or what Enter would do; with nothing typed, what was recorded last."""
    prompt = recorder.prompt
    view = prompt.view
    yield from (text(f"! {news}", "bold") for news in recorder.news)
    if view.refused:
        way_on = recorder_text("type-over" if view.selected else "backspace", prompt.language)
        refusal = text(recorder_text("refused", prompt.language, way_on=way_on), "bold")
        breaches = [text(f"  {sentence}") for sentence in recorder.describe_breaches()]
        # where one thing has room, it is the rule
        yield from (*breaches, refusal) if is_crowded else (refusal, *breaches)
        return
    if view.message:
        yield from _explain_error(prompt)
    # such as how many cards are missing
    if view.words and not view.breaches:
        yield text(" · ".join(view.words))
    if not view.message and view.request is not None:
        yield from _describe_effects(recorder, view.request)
    if not view.message and last is not None and (prompt.is_offering or not (prompt.text or view.request)):
        yield _draw_recorded(last, prompt.language)


def _draw_recorded(last: Recorded, language: str) -> Text:
    """What was recorded last, with its line."""
    return text(f"✓ {last.n or recorder_text('note', language)}  ", "bold").append_text(text(last.sentence))


def _explain_error(prompt: Prompt) -> Iterator[Text]:
    """Why what is typed cannot be read, and how to go on; a command of `record --plain` is a key here."""
    yield text(f"✗ {prompt.view.message}", "bold")
    if hint := PLAIN_COMMANDS.get(prompt.text.strip().casefold()):
        yield text(f"  {recorder_text(hint, prompt.language)}")
    if prompt.view.selected:
        yield text(f"  {recorder_text('type-or-mend', prompt.language)}")


def _describe_effects(recorder: Recorder, request: Request) -> Iterator[Text]:
    """What recording this would change, and the rules it breaks."""
    breaches = recorder.describe_breaches()
    yield from (text(f"✗ {sentence}", "bold") for sentence in breaches)
    if isinstance(request, Act) and isinstance(request.act, recorder.play.title.wire.deal):
        # it stands in the prompt card by card: nobody reads it again
        if not breaches:
            yield text(recorder_text("that-is-the-deal", recorder.prompt.language), "bold")
        return
    if changes := recorder.describe_changes(request):
        yield text(" · ".join(changes), "bold")
    yield text(f"Enter: {recorder.prompt.describe_with_detail(request)}")
