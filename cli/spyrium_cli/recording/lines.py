"""Recording line by line, for pipes, screen readers and small terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from spyrium_cli.render.players import players_of
from spyrium_cli.render.sentences import title_help
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import translate
from spyrium_cli.terminal import write_line, write_note
from spyrium_cli.titles import renderer
from spyrium_log.entry.shortcuts import ASK

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Recorded, Recorder

# Commands; no title has a move of such a name.
LIST, BOARD, HELP, QUIT = "list", "board", "help", "quit"
INTRODUCTION = (
    f"{LIST} says what may be typed, {ASK} what else may be said, {BOARD} draws the table, {HELP} explains, {QUIT} ends"
)


def record_lines(recorder: Recorder, lines: Iterable[str], language: str) -> int:
    """Record each line. Returns how many were refused."""
    say(INTRODUCTION)
    refused = 0
    for line in _lines_after_questions(recorder, lines):
        text = line.strip("\r\n")
        if text.strip() == QUIT:
            break
        if not _run_command(recorder, text.strip(), language):
            refused += not _record_line(recorder, text)
    return refused


def _record_line(recorder: Recorder, text: str) -> bool:
    """Record a line, and say before what it changes, or why it is refused. Returns whether it was recorded."""
    request = recorder.prompt.enter_line(text)
    recorded = None
    if request is not None:
        for sentence in ["; ".join(recorder.change_texts(request)), *recorder.breach_sentences()]:
            if sentence:
                say(sentence)
        recorded = recorder.write(request)
    if recorded is not None:
        write_recorded(recorded)
        return True
    for sentence in _refusal_sentences(recorder):
        say(sentence)
    return False


def write_recorded(recorded: Recorded) -> None:
    """Print a line that is on the disk now, in the form of `play`."""
    write_line(f"{recorded.n or '':>4}  {recorded.sentence}")


def _lines_after_questions(recorder: Recorder, lines: Iterable[str]) -> Iterator[str]:
    """The lines. Before each one, the table says what it waits for."""
    remaining = iter(lines)
    while True:
        for news in recorder.news:
            say(news)
        recorder.news.clear()
        shown = recorder.prompt.shown()
        # what was just refused is not proposed again
        request = None if shown.refused else shown.request
        enter_hint = "" if request is None else f"; Enter: {recorder.prompt.sentence(request)}"
        say(f"{recorder.awaited_text()}{enter_hint}")
        line = next(remaining, None)
        if line is None:
            return
        yield line


def _run_command(recorder: Recorder, word: str, language: str) -> bool:
    """Run a command such as `list`. Returns False for any other line."""
    prompt, play = recorder.prompt, recorder.play
    if word == LIST or (word == ASK and prompt.awaited.kind != "deal"):
        prompt.press("escape")
        if word == ASK:
            prompt.press(word)
        for choice in _choice_texts(recorder):
            say(choice)
        prompt.press("escape")
    elif word == BOARD:
        from spyrium_cli.render.paper import draw

        view = play.title.screens.view(play.state)
        draw(*renderer(play.title).board(view, players_of(play.log, play.state), language))
    elif word == HELP:
        write_note(title_help(play.title), keep="\n")
    else:
        return False
    return True


def _choice_texts(recorder: Recorder) -> Iterator[str]:
    """What may be typed, each with what it does: `  12     Anna places a worker …`."""
    prompt = recorder.prompt
    for choice in prompt.shown().choices:
        yield f"  {choice.keys:<6} {choice.name if choice.act is None else prompt.act_sentence(choice.act)}"


def _refusal_sentences(recorder: Recorder) -> Iterator[str]:
    """Why nothing was recorded, with what was typed."""
    prompt = recorder.prompt
    shown = prompt.shown()
    if shown.refused:
        yield translate("play.refused", prompt.language, text=prompt.text, where="")
        yield from (f"  {sentence}" for sentence in recorder.breach_sentences())
        yield "  ! records it all the same: the table did it"
    else:
        yield f"not recorded: '{prompt.text}': {shown.message}"
    if shown.choices:
        yield "  nearest:" if shown.refused else "  you may type:"
        yield from _choice_texts(recorder)
