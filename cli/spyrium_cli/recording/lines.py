"""Recording line by line, for pipes, screen readers and small terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from spyrium_cli.render.sentences import awaited_text, change_text, marked_breach, title_help
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import translate
from spyrium_cli.terminal import write_line, write_note
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
            request = recorder.prompt.say(text)
            if request is not None:
                for sentence in _effect_sentences(recorder):
                    say(sentence)
            recorded = recorder.write(request) if request is not None else None
            if recorded is None:
                refused += 1
                for sentence in _refusal_sentences(recorder):
                    say(sentence)
            else:
                write_recorded(recorded)
    return refused


def write_recorded(recorded: Recorded) -> None:
    """A line that is on the disk now, in the form of `play`."""
    write_line(f"{recorded.n or '':>4}  {recorded.sentence}")


def _lines_after_questions(recorder: Recorder, lines: Iterable[str]) -> Iterator[str]:
    """The lines. Before each one, the table says what it waits for."""
    remaining = iter(lines)
    while True:
        for news in recorder.news:
            say(news)
        recorder.news.clear()
        prompt = recorder.prompt
        shown = prompt.shown()
        # what was just refused is not proposed again
        request = None if shown.refused else shown.request
        enter_hint = f"; Enter: {prompt.sentence(request)}" if request is not None else ""
        say(f"{awaited_text(prompt.awaited, recorder.play.title, prompt.players, prompt.language)}{enter_hint}")
        line = next(remaining, None)
        if line is None:
            return
        yield line


def _run_command(recorder: Recorder, word: str, language: str) -> bool:
    """Run a command such as `list`. Returns False for any other line."""
    prompt = recorder.prompt
    if word == LIST or (word == ASK and prompt.awaited.kind != "deal"):
        prompt.press("escape")
        if word == ASK:
            prompt.press(word)
        for keys, sentence in _choice_sentences(recorder):
            say(f"  {keys:<6} {sentence}")
        prompt.press("escape")
    elif word == BOARD:
        from spyrium_cli.render.paper import draw
        from spyrium_cli.render.players import players_of
        from spyrium_cli.titles import renderer

        play = recorder.play
        view = play.title.screens.view(play.state)
        draw(*renderer(play.title).board(view, players_of(play.log, play.state), language))
    elif word == HELP:
        write_note(title_help(recorder.play.title), keep="\n")
    else:
        return False
    return True


def _choice_sentences(recorder: Recorder) -> Iterator[tuple[str, str]]:
    """What may be typed, each with what it does."""
    prompt = recorder.prompt
    for choice in prompt.shown().choices:
        yield choice.keys, prompt.act_sentence(choice.act) if choice.act is not None else choice.name


def _effect_sentences(recorder: Recorder) -> Iterator[str]:
    """What a line is about to change, and the rules it breaks."""
    shown = recorder.prompt.shown()
    if shown.request is None:
        return
    changes = recorder.prompt.changes(shown.request)
    if changes:
        yield "; ".join(change_text(change, recorder.play.title, recorder.prompt.players) for change in changes)
    yield from (
        marked_breach(breach, recorder.play.title, recorder.prompt.players, recorder.prompt.language)
        for breach in shown.breaches
    )


def _refusal_sentences(recorder: Recorder) -> Iterator[str]:
    """Why nothing was recorded, with what was typed."""
    shown = recorder.prompt.shown()
    if shown.refused:
        yield translate("play.refused", recorder.prompt.language, text=shown.text, where="")
        yield from (
            f"  {marked_breach(breach, recorder.play.title, recorder.prompt.players, recorder.prompt.language)}"
            for breach in shown.breaches
        )
        yield "  ! records it all the same: the table did it"
    else:
        yield f"not recorded: '{shown.text}': {shown.message}"
    if shown.choices:
        yield "  nearest:" if shown.refused else "  you may type:"
        yield from (f"  {keys:<6} {sentence}" for keys, sentence in _choice_sentences(recorder))
