"""The recorder's screen, key by key, at the sizes that people have."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from spyrium_cli.recording.recorder import Recorder, recorder_text
from spyrium_cli.tui.full_screen import DARK, LIGHT
from spyrium_cli.tui.recorder import RecorderScreen
from spyrium_log.entry.shortcuts import WORDS
from spyrium_log.log.lines import ReadOff
from spyrium_log.messages import entry_message
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.entry.test_refusals import tables
from tests.games import game, log_of, raw_of
from tests.greedy import greedy_game

SIZES = ((80, 24), (120, 40), (200, 60))
DEAL = "exesm1apr1u12w1crmi13lum2"
Story = Callable[[RecorderScreen, Pilot[None]], Awaitable[None]]


@contextmanager
def opened(archive: Path, seats: int = 3, lines: int = 1, language: str = "en") -> Iterator[Recorder]:
    log = greedy_game(1, seats)
    folder = Folder(archive)
    path = folder.write_whole(raw_of(log_of(TITLES["spyrium"], log.lines[:lines])))
    with Recorder(folder, path, by="tester", language=language) as recorder:
        yield recorder


def played(recorder: Recorder, story: Story, size: tuple[int, int] = (80, 24), *, light: bool = False) -> None:
    async def run() -> None:
        app = RecorderScreen(recorder, language=recorder.prompt.language, light=light)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await story(app, pilot)

    asyncio.run(run())


def rows(app: RecorderScreen) -> list[str]:
    """What stands on the screen, row by row."""
    return ["".join(segment.text for segment in strip).rstrip() for strip in app.screen._compositor.render_strips()]  # noqa: SLF001


def shown(app: RecorderScreen) -> str:
    return "\n".join(rows(app))


async def typed(pilot: Pilot[None], keys: Sequence[str]) -> None:
    names = {">": "greater_than_sign", "/": "slash", ";": "semicolon", "!": "exclamation_mark", "=": "equals_sign"}
    await pilot.press(*(names.get(key, key) for key in keys))
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES[:2])
def test_a_game_begins(tmp_path: Path, size: tuple[int, int]) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        assert "a round is to be dealt" in shown(app)
        await typed(pilot, "exesm1apr1u1")
        assert "1 token on university-1?" in shown(app)
        await typed(pilot, "2w1crmi13lum2")
        assert "Enter: that is the deal" in shown(app)
        assert len(app.recorder.play.log.lines) == 1
        await typed(pilot, ["enter"])
        assert "✓ 1  " in shown(app)
        assert "is to act" in shown(app)
        await typed(pilot, "12")
        assert "places a worker between Mine I and Apprentice" in shown(app)
        await typed(pilot, ["enter", "4", "5", "enter"])
        assert len(app.recorder.play.log.lines) == 4

    with opened(tmp_path) as recorder:
        played(recorder, story, size)
        assert len(Folder(tmp_path).read_log(tmp_path / f"{recorder.play.header.game}.jsonl").lines) == 4


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("seats", "at"), [(2, 30), (5, 110)])
def test_nothing_is_cut(tmp_path: Path, size: tuple[int, int], seats: int, at: int) -> None:
    """Board, every key that may be typed, prompt and keys are all on the screen."""

    async def story(app: RecorderScreen, _pilot: Pilot[None]) -> None:
        text = shown(app)
        screen = rows(app)
        assert len(screen) == size[1]
        assert all(len(row) <= size[0] for row in screen)
        assert app.recorder.prompt.view.choices
        for choice in app.recorder.prompt.view.choices:
            assert choice.keys in text
        for player in app.recorder.play.players:
            assert player in text
        for space in app.recorder.play.title.screens.view(app.recorder.play.state).market:  # type: ignore[attr-defined]
            assert f"{space.space} " in text
        assert "Enter records" in screen[-1]
        assert "▸" in text

    with opened(tmp_path, seats, at) as recorder:
        played(recorder, story, size)


@pytest.mark.parametrize("language", TITLES["spyrium"].words.languages)
def test_every_language_fits_the_small_screen(tmp_path: Path, language: str) -> None:
    async def story(app: RecorderScreen, _pilot: Pilot[None]) -> None:
        assert f"Enter {recorder_text('records', language)}" in rows(app)[-1]
        assert "A ▸" in shown(app) or "B ▸" in shown(app) or "C ▸" in shown(app)

    with opened(tmp_path, 3, 20, language) as recorder:
        played(recorder, story)


def test_a_refusal_names_the_rule_and_one_key_records_it_all_the_same(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, [*"u1", "full_stop", "1", "enter"])
        assert "✗ refused · type over it, or ! records it all the same" in shown(app)
        assert "[u1.1]" in shown(app)
        assert "(S-5" in shown(app)
        assert len(app.recorder.play.log.lines) == 2
        await typed(pilot, "!")
        assert "✓ 2  " in shown(app)
        assert len(app.recorder.play.log.lines) == 3
        # the list of moves marks it, and says why when asked
        assert any(row.startswith("✗2 ") for row in rows(app))
        assert "building.use" not in shown(app)
        await typed(pilot, "why 2")
        assert "2 turn.phase (S-5.2)" in shown(app)
        await typed(pilot, ["enter", "escape", *"why", "enter"])
        assert "building.use" in shown(app)
        assert len(app.recorder.play.log.lines) == 3

    with opened(tmp_path, 3, 2) as recorder:
        played(recorder, story)


def test_more_breaches_than_there_is_room_for_are_counted(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, ["@", "9", "space", *"a12", "full_stop", "1", "space", *"o9", "space", *"lob", "enter"])
        assert "✗ refused · " in shown(app)
        assert "more" in shown(app)

    with opened(tmp_path, 3, 2) as recorder:
        played(recorder, story)


def test_leaving_asks_for_the_reason_of_a_ruling_and_then_leaves(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, ["slash", *"2m+1", "enter"])
        assert len(app.recorder.play.log.lines) == 4
        await typed(pilot, ["ctrl+q"])
        assert "3 was ruled by the table: who said so, and why?" in shown(app)
        assert not app._exit  # noqa: SLF001
        await typed(pilot, [*"Bob: so", "enter"])
        assert "✓ note  on 3: Bob: so" in shown(app)
        await typed(pilot, ["ctrl+q"])
        assert app._exit  # noqa: SLF001

    with opened(tmp_path, 3, 3) as recorder:
        played(recorder, story)


def test_a_crowded_screen_names_the_rule_of_a_refusal_first(tmp_path: Path) -> None:
    play = next(play for _, play, _ in tables(TITLES["founders"], 9) if play.awaits().kind == "decision")
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(play.log))

    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, [*"tged04", "enter"])
        assert app.recorder.prompt.view.refused
        assert app.recorder.prompt.view.breaches[0].number in shown(app)

    with Recorder(folder, path, by="tester", language="en") as recorder:
        played(recorder, story)


def test_arrows_show_what_is_around(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, ["up", "up"])
        assert "▸ " in shown(app)
        assert "more: ↑↓" in shown(app)
        await typed(pilot, ["enter"])
        assert len(app.recorder.play.log.lines) == 3

    with opened(tmp_path, 3, 2) as recorder:
        played(recorder, story)


def test_what_was_mended_is_said_first(tmp_path: Path) -> None:
    with opened(tmp_path, 3, 2) as recorder:
        name = recorder.play.header.game
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind":"deci')

    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        assert "! " in shown(app)
        assert "13 bytes cut off" in shown(app).replace("\n", " ")
        await typed(pilot, "1")
        assert "13 bytes" not in shown(app)

    with Recorder(Folder(tmp_path), path, by="tester", language="en") as recorder:
        played(recorder, story, (120, 40))


@pytest.mark.parametrize(("size", "screens"), [((80, 24), 1), ((79, 24), 0), ((80, 23), 0)])
def test_a_small_terminal_is_written_to_by_lines(
    run: Run, game: str, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], screens: int
) -> None:
    shown_on: list[RecorderScreen] = []
    monkeypatch.setattr("spyrium_cli.render.surface.is_terminal", lambda: True)
    monkeypatch.setattr("spyrium_cli.commands.table.record.is_terminal", lambda: True)
    monkeypatch.setattr("spyrium_cli.render.surface.get_terminal_size", lambda: size)

    def run_it(app: RecorderScreen) -> None:
        shown_on.append(app)

    monkeypatch.setattr(RecorderScreen, "run", run_it)
    said = run("record", game, stdin="").stderr
    assert len(shown_on) == screens
    assert (f"the screen needs 80 by 24 characters, this is {size[0]} by {size[1]}" in said) == (not screens)


def test_an_undo_shows_what_it_takes_back(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "u")
        assert "Enter: takes back 4" in shown(app)
        await typed(pilot, ["enter"])
        assert "✓ 5  takes back 4" in shown(app)

    with opened(tmp_path, 3, 5) as recorder:
        played(recorder, story)


def test_a_price_is_read_and_the_move_waits(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, [*"a", *app.recorder.prompt.keys.find_shortest_keys(first(app))[1:]])
        text = app.recorder.prompt.text
        await typed(pilot, [*"=9", "enter"])
        assert app.recorder.prompt.text == text
        read = app.recorder.play.log.lines[-1]
        assert isinstance(read, ReadOff)
        assert read.value.value == 9

    def first(app: RecorderScreen) -> Any:
        acts = [way.act for way in app.recorder.prompt.keys.ways if type(way.act).__name__ == "ActivateCard"]
        return acts[0]

    log = greedy_game(1, 3)
    at = next(n for n, line in enumerate(log.lines) if type(getattr(line, "do", 0)).__name__ == "ActivateCard")
    with opened(tmp_path, 3, at) as recorder:
        played(recorder, story)


def test_a_note_goes_beside_the_log(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, [*";!", "space", *"bold", "enter"])
        assert "✓ note  on 3: ! bold" in shown(app)

    with opened(tmp_path, 3, 4) as recorder:
        played(recorder, story)
        assert len(recorder.play.log.lines) == 4
        (noted,) = Folder(tmp_path).read_notes(recorder.play.header.game).lines
    assert noted.text == "bold"  # type: ignore[union-attr]


def test_what_is_pasted_is_typed_and_not_yet_recorded(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        app.post_message(events.Paste(f"{DEAL}\n"))
        await pilot.pause()
        assert app.recorder.prompt.text == DEAL
        assert len(app.recorder.play.log.lines) == 1

    with opened(tmp_path) as recorder:
        played(recorder, story)


def test_help_light_and_leaving(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        assert app.theme == LIGHT
        await typed(pilot, ["f2"])
        assert app.theme == DARK
        await typed(pilot, [*"45", "f1"])
        assert "place a worker in gap 12" in shown(app)
        assert "PgDn more" in rows(app)[-1]
        seen = set(rows(app)[:-1])
        for _ in range(4):
            await typed(pilot, ["pagedown"])
            seen |= set(rows(app)[:-1])
        assert "PgUp back" in rows(app)[-1]
        assert {line.rstrip() for line in app.help_lines} <= seen
        for shown_on_board in ("act  mkt  used", "built 1:m3", "£0+3", "~  ", ">  ", "[brackets]"):
            assert any(shown_on_board in line for line in seen)
        # one is back where one was
        await typed(pilot, ["escape"])
        assert "PgUp back" not in shown(app)
        assert app.recorder.prompt.text == "45"
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "Tokens left" in shown(app)
        await typed(pilot, ["ctrl+q"])
        assert app._exit  # noqa: SLF001

    with opened(tmp_path, 3, 4) as recorder:
        played(recorder, story, (80, 30), light=True)


def test_a_refused_move_is_typed_over(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, [*"u1", "full_stop", "1", "enter"])
        assert "[u1.1]" in shown(app)
        await typed(pilot, "45")
        assert app.recorder.prompt.text == "45"
        await typed(pilot, ["enter"])
        assert len(app.recorder.play.log.lines) == 3

    with opened(tmp_path, 3, 2) as recorder:
        played(recorder, story)


def test_what_else_may_be_said_is_listed_on_the_smallest_screen(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        before = shown(app)
        await typed(pilot, ["question_mark"])
        for name, _ in WORDS:
            assert str(entry_message(name)) in shown(app)
        await typed(pilot, ["escape"])
        assert shown(app) == before

    with opened(tmp_path, 3, 40) as recorder:
        played(recorder, story)


def test_a_question_mark_is_a_card_in_a_deal_and_the_keys_say_so(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        assert "? card" in shown(app)
        await typed(pilot, "exesm1apr1u12w1crmi13lum2")
        await typed(pilot, ["enter"])
        assert "? more" in shown(app)

    with opened(tmp_path) as recorder:
        played(recorder, story)


def test_a_word_that_is_a_key_here_is_answered_with_the_key(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "Help")
        assert "help is F1" in shown(app)
        await typed(pilot, ["escape", *"quit", "enter"])
        assert "^Q leaves; all is on the disk" in shown(app)
        await typed(pilot, ["escape", *"undo"])
        assert "u take back the last event" in shown(app)

    with opened(tmp_path, 3, 5) as recorder:
        played(recorder, story)


def test_a_long_preview_says_how_much_of_it_is_left_out(tmp_path: Path) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "c 91 92 93, 91 92 93, 91 92 93")
        assert re.search(r"9 numbers counted: .* · and \d+ more Enter records", " ".join(shown(app).split()))
        await typed(pilot, ["escape", *"u 1"])
        assert re.search(r"takes back \d+ events, from 2 .*; to 3[0-9] .* Enter records", " ".join(shown(app).split()))

    with opened(tmp_path, 3, 40) as recorder:
        played(recorder, story)


@pytest.mark.parametrize(("text", "left"), [("so " * 90, "and more"), ("x" * 260, "xx")])
def test_a_long_reason_leaves_the_screen_whole(tmp_path: Path, text: str, left: str) -> None:
    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        app.post_message(events.Paste(f"abandon {text}"))
        await pilot.pause()
        assert left in shown(app)
        assert len(rows(app)) == SIZES[0][1]
        assert "^Q leave" in rows(app)[-1]

    with opened(tmp_path, 3, 40) as recorder:
        played(recorder, story)


def test_without_colour_everything_is_still_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def story(app: RecorderScreen, _pilot: Pilot[None]) -> None:
        assert "> " in shown(app)
        for mark in "ABC":
            assert f" {mark} " in shown(app)
        assert "Monochrome" in [type(each).__name__ for each in app.get_line_filters()]

    with opened(tmp_path, 3, 40) as recorder:
        played(recorder, story)


def test_the_end_of_a_game_is_one_key_each(tmp_path: Path) -> None:
    log = game("spyrium", 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:-1])))

    async def story(app: RecorderScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, ["enter"])
        assert "the game is over" in shown(app)
        await typed(pilot, ["enter", "1", "2", "enter"])
        assert len(app.recorder.play.log.lines) == len(log.lines)

    with Recorder(folder, path, by="tester", language="en") as recorder:
        played(recorder, story)
