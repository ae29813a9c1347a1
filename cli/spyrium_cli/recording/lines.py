"""Recording by lines, for pipes, screen readers and small terminals: a line is what one types before Enter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from spyrium_cli.render.surface import say
from spyrium_cli.render.told import against, change, title_help
from spyrium_cli.render.turns import awaited
from spyrium_cli.render.words import tell
from spyrium_cli.terminal import write_line, write_note
from spyrium_log.entry.shortcuts import ASK

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Done, Recorder

# Words that ask instead of recording; no title's move is called so.
ASK_LIST, ASK_BOARD, ASK_HELP, QUIT = "list", "board", "help", "quit"
FIRST = (
    f"{ASK_LIST} says what may be typed, {ASK} what else may be said, {ASK_BOARD} draws the table, "
    f"{ASK_HELP} explains, {QUIT} ends"
)


def recorded(recorder: Recorder, lines: Iterable[str], language: str) -> int:
    """Record line by line; how many of them were refused."""
    say(FIRST)
    refused = 0
    for line in _asking(recorder, lines):
        text = line.strip("\r\n")
        if text.strip() == QUIT:
            break
        if not _answered(recorder, text.strip(), language):
            request = recorder.prompt.say(text)
            if request is not None:
                for said in _doing(recorder):
                    say(said)
            done = recorder.write(request) if request is not None else None
            if done is None:
                refused += 1
                for said in _why(recorder):
                    say(said)
            else:
                told(done)
    return refused


def told(done: Done) -> None:
    """What is on the disk now, as `play` says it."""
    write_line(f"{done.n or '':>4}  {done.sentence}")


def _asking(recorder: Recorder, lines: Iterable[str]) -> Iterator[str]:
    """Before each line, what the table waits for."""
    awaiting = iter(lines)
    while True:
        for news in recorder.news:
            say(news)
        recorder.news.clear()
        prompt = recorder.prompt
        shown = prompt.shown()
        # what has just been refused is no proposal
        request = None if shown.refused else shown.request
        obvious = f"; Enter: {prompt.sentence(request)}" if request is not None else ""
        say(f"{awaited(prompt.awaited, recorder.play.title, prompt.players, prompt.language)}{obvious}")
        line = next(awaiting, None)
        if line is None:
            return
        yield line


def _answered(recorder: Recorder, word: str, language: str) -> bool:
    """Whether the line was a question."""
    prompt = recorder.prompt
    if word == ASK_LIST or (word == ASK and prompt.awaited.kind != "deal"):
        prompt.press("escape")
        if word == ASK:
            prompt.press(word)
        for keys, sentence in _choices(recorder):
            say(f"  {keys:<6} {sentence}")
        prompt.press("escape")
    elif word == ASK_BOARD:
        from spyrium_cli.render.paper import draw
        from spyrium_cli.render.players import players_of
        from spyrium_cli.titles import renderer

        play = recorder.play
        view = play.title.screens.view(play.state)
        draw(*renderer(play.title).board(view, players_of(play.log, play.state), language))
    elif word == ASK_HELP:
        write_note(title_help(recorder.play.title), keep="\n")
    else:
        return False
    return True


def _choices(recorder: Recorder) -> Iterator[tuple[str, str]]:
    prompt = recorder.prompt
    for choice in prompt.shown().choices:
        yield choice.keys, prompt.act_sentence(choice.act) if choice.act is not None else choice.name


def _doing(recorder: Recorder) -> Iterator[str]:
    """Before it is written: what it costs and gives."""
    shown = recorder.prompt.shown()
    if shown.request is None:
        return
    changes = recorder.prompt.changes(shown.request)
    if changes:
        yield "; ".join(change(each, recorder.play.title, recorder.prompt.players) for each in changes)
    yield from (
        against(breach, recorder.play.title, recorder.prompt.players, recorder.prompt.language)
        for breach in shown.breaches
    )


def _why(recorder: Recorder) -> Iterator[str]:
    """Why nothing was recorded, and what was typed, so that it can be said again."""
    shown = recorder.prompt.shown()
    if shown.refused:
        yield tell("play.refused", recorder.prompt.language, text=shown.text, where="")
        yield from (
            f"  {against(breach, recorder.play.title, recorder.prompt.players, recorder.prompt.language)}"
            for breach in shown.breaches
        )
        yield "  ! records it all the same: the table did it"
    else:
        yield f"not recorded: '{shown.text}': {shown.message}"
    if shown.choices:
        yield "  nearest:" if shown.refused else "  you may type:"
        yield from (f"  {keys:<6} {sentence}" for keys, sentence in _choices(recorder))
