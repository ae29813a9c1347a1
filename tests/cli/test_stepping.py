"""The stepper's screen, key by key, at the sizes that people have."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from itertools import product

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from spyrium_cli.render.text import vocabulary
from spyrium_cli.tui.full_screen import BOARD_WIDTH, GAP
from spyrium_cli.tui.stepper import GOALS, MODES, StepperScreen
from spyrium_log.edit.annotate import TypedNote, make_note
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Replace
from spyrium_log.log.notes import Notes
from spyrium_log.stepper import ShownNote, Stepper
from spyrium_log.store import read_bytes
from tests.cli.conftest import Run
from tests.cli.screens import keyed
from tests.greedy import greedy_game
from tests.shares import share
from tests.stories import EXAMPLES, opening

SIZES = ((80, 24), (120, 40), (200, 60))
Story = Callable[[StepperScreen, Pilot[None]], Awaitable[None]]


def corrected() -> Log:
    """Four moves after the deal, of which event 3 was amended."""
    scribe = opening().play("p12", "p45", "p45", "p36")
    return scribe.amend("misplayed", Replace(at="3", event=scribe.told("2", "p25")), why="by heart").log()


def looked_at(log: Log, story: Story, size: tuple[int, int] = (120, 40), *, light: bool = False) -> list[Sequence[str]]:
    """What was written of it as notes: on what, the mark, the text, the tags, the moves."""
    kept: list[Sequence[str]] = []

    def write(on: str, typed: TypedNote, instead: Sequence[str]) -> ShownNote:
        kept.append((on, typed.mark or "", typed.text, *typed.tags, *instead))
        return make_note(log, on, note_id=f"new-{len(kept)}", by="tester", instead=instead, **typed._asdict())

    remark = make_note(log, "2", note_id="note-1", by="ann", text="Why not the crane?", mark="?!", tags=["opening"])

    async def run() -> None:
        app = StepperScreen(Stepper(log, Notes.from_lines([remark])), write=write, light=light)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await story(app, pilot)

    asyncio.run(run())
    return kept


def rows(app: StepperScreen) -> list[str]:
    """What stands on the screen, row by row."""
    return ["".join(segment.text for segment in strip).rstrip() for strip in app.screen._compositor.render_strips()]  # noqa: SLF001


def shown(app: StepperScreen) -> str:
    return "\n".join(rows(app))


def side(app: StepperScreen) -> str:
    """What stands beside the board of a wide screen, and below it, in one line."""
    *top, head, line, _ = rows(app)
    return " ".join(" ".join([*(row[BOARD_WIDTH + GAP :] for row in top), head, line]).split())


async def typed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


@pytest.mark.parametrize(("size", "seats"), share(product(SIZES, (2, 3, 5)), 4), ids=str)
def test_every_place_of_a_game_fits_the_screen(size: tuple[int, int], seats: int) -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        for keys in (("end",), ("R", "left"), ("R", "R"), ("home", "right")):
            await typed(pilot, *keys)
            screen = rows(app)
            assert f"event {app.stepper.ref}, {app.stepper.position} of {app.stepper.last}" in screen[-3]
            assert app.stepper.sentence[:15] in shown(app)
            assert "F1 help  q leave" in screen[-1]
            assert not any("…" in row for row in screen)

    looked_at(greedy_game(3, seats), story, size)


def test_what_an_event_says_moved_and_was_told_of_is_shown() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "n")
        assert "✎ ?! Why not the crane? #opening — ann" in shown(app)
        await typed(pilot, "c")
        assert "recorded as: Bob places a worker between University I and Workshop I" in side(app)
        await typed(pilot, "n")
        assert "no note after this one" in shown(app)

    looked_at(corrected(), story)


def test_what_is_against_the_rules_is_marked_in_the_list() -> None:
    log = opening().play("p12").play("@1 p45", anyway=True).play("p36").log()

    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "end")
        assert [row for row in rows(app) if "✗3 " in row]
        assert not [row for row in rows(app) if "✗2" in row]
        # its rule is where one goes to it
        await typed(pilot, "left")
        assert "✗ turn.order (S-5.1)" in shown(app)

    looked_at(log, story)


def test_as_recorded_is_a_key_away() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "c")
        amended = shown(app)
        assert "corrected by line 6, scribe: by heart" in amended
        await typed(pilot, "b")
        assert "as it was recorded" in shown(app)
        assert "▸ 3 Bob places a worker between University I and" in side(app)
        assert "stands as: Bob places a worker between Apprentice" in side(app)
        assert rows(app)[:30] != amended.split("\n")[:30]
        await typed(pilot, "b")
        assert shown(app) == amended

    looked_at(corrected(), story)


def test_one_searches_and_goes_by_name() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "slash", *"crane?", "enter")
        assert app.stepper.ref == "2"
        await typed(pilot, "colon", "4", "enter")
        assert app.stepper.ref == "4"
        await typed(pilot, "colon", "x", "enter")
        assert "found 'x'" in shown(app)
        await typed(pilot, "escape", "slash", *"zzz", "enter")
        assert "nothing says 'zzz'" in shown(app)

    looked_at(corrected(), story)


def test_a_variation_is_played_refused_and_kept() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "2")
        await typed(pilot, "left", "v", *"89")
        assert "Enter: Bob places a worker between Luxury Home and Mine II" in side(app)
        await typed(pilot, "enter")
        assert "instead of event 3:" in shown(app)
        await typed(pilot, *"a12.1", "enter")
        assert "a12.1" in shown(app)
        await typed(pilot, *["backspace"] * 5, *"p12", "enter", "enter")
        assert "kept instead of event 3: p89 p12" in shown(app)

    assert looked_at(corrected(), story) == [("3", "", "", "p89", "p12")]


def test_a_kept_variation_is_stepped_through_and_gone_on_with() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "V")
        assert "no variation is kept here" in shown(app)
        await typed(pilot, "2", "left", "v", *"89", "enter", *"12", "enter", "enter")
        game = rows(app)
        assert "Esc back" not in game[-1]
        await typed(pilot, "V")
        assert "▸ Bob places a worker between Luxury Home and Mine II" in side(app)
        assert "Esc back" in rows(app)[-1]
        first = rows(app)[:30]
        await typed(pilot, "right")
        assert "▸ Cleo places a worker between Mine I and Apprentice" in side(app)
        assert rows(app)[:30] != first
        # neither end is passed
        await typed(pilot, "right", "home", "left", "end")
        assert "▸ Cleo places" in side(app)
        await typed(pilot, "left", "v", *"p36", "enter", "enter")
        assert "kept instead of event 3: p89 p36" in shown(app)
        await typed(pilot, "V", "V")
        assert "(variation 2 of 2)" in side(app)
        await typed(pilot, "escape")
        assert app.stepper.ref == "2"

    kept = looked_at(corrected(), story)
    assert kept == [("3", "", "", "p89", "p12"), ("3", "", "", "p89", "p36")]


def test_a_note_with_mark_and_tags_is_written_where_one_stands() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "semicolon", *keyed("!? why not #12 #opening"))
        assert "note on the game" in shown(app)
        assert "! ?! ?? mark in front" in rows(app)[-1]
        await typed(pilot, "escape", "3", "semicolon", *keyed("!? why not #12 #opening #crane"), "enter")
        assert "✎ !? why not #12 #opening #crane — tester" in side(app)
        await typed(pilot, "home", "n", "n")
        assert app.stepper.ref == "4"
        # an empty one is none
        await typed(pilot, "semicolon", "enter")
        assert "▸" in shown(app)

    assert looked_at(corrected(), story) == [("4", "!?", "why not #12", "opening", "crane")]


def test_pasted_text_goes_into_a_note() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        app.on_paste(Paste("qq"))
        await typed(pilot, "semicolon")
        app.on_paste(Paste("two\nlines\x1b[31m"))
        await typed(pilot, "enter")

    assert looked_at(corrected(), story) == [("0", "", "two lines[31m")]


def test_one_follows_a_player_on_and_back() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        seats = [getattr(event.do, "seat", 0) for event in app.stepper.standing.events]
        await typed(pilot, "2", "p", "p")
        position = app.stepper.position
        assert (position, seats[position - 1]) == ([at for at, seat in enumerate(seats, 1) if seat == 2][2], 2)
        await typed(pilot, "P")
        assert app.stepper.position == [at for at, seat in enumerate(seats, 1) if seat == 2][1]
        await typed(pilot, "9")
        assert "expected a player from 1 to 3" in shown(app)
        await typed(pilot, "home", "1", "P")
        assert "nothing of Anna before this one" in shown(app)

    looked_at(greedy_game(3, 3), story)


def test_guesses_are_scored_by_player_and_do_not_see_what_comes() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        # past the deal, which nobody can guess
        await typed(pilot, "g")
        assert app.stepper.ref == "1"
        assert "What comes next? Anna is to act" in side(app)
        assert "Enter guess  → show it  Esc back" in rows(app)[-1]
        await typed(pilot, *"12", "enter")
        assert "✓ right" in shown(app)
        await typed(pilot, *"p12", "enter")
        assert "✗ guessed" in shown(app)
        assert "1 right, 1 wrong, of 2 · Anna 1 of 1 · Bob 0 of 1" in side(app)
        await typed(pilot, "right")
        assert "it was: Cleo" in shown(app)
        assert app.stepper.ref == "4"
        await typed(pilot, "escape")
        assert "1 right, 1 wrong, of 2" in shown(app)
        assert "Esc back" not in rows(app)[-1]
        await typed(pilot, "g", "right")
        assert "nobody decides anything after this" in shown(app)

    looked_at(corrected(), story)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_curve_has_a_cursor_and_no_more_of_the_game_than_a_guesser_may_see(size: tuple[int, int]) -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "k")
        columns = []
        for key in ("home", "pagedown", "pagedown", "end"):
            await typed(pilot, key)
            (axis,) = (row for row in rows(app) if "▲" in row)
            columns.append(axis.index("▲"))
        assert columns == sorted({*columns})
        whole = dots(app)
        signs = re.findall("[\\u2801-\\u28ff]((?: [ABC])+)(?!\\S)", shown(app))
        assert sorted("".join(signs).split()) == ["A", "B", "C"]
        await typed(pilot, "home", "g")
        assert 0 < dots(app) < whole / 4
        await typed(pilot, "escape", "s")
        assert "▲" not in shown(app)

    looked_at(greedy_game(3, 3), story, size)


def dots(app: StepperScreen) -> int:
    """The characters of the curve."""
    return len(re.findall("[\u2801-\u28ff]", shown(app)))


def test_a_board_that_is_taller_than_the_screen_can_be_seen_whole() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "r", "r", "right")
        seen = []
        for _ in range(40):
            assert app.stepper.sentence[:20] in shown(app)
            seen.append(rows(app)[0])
            await typed(pilot, "down")
        last = re.search(r"rows (\d+) to (\d+) of (\d+)", shown(app))
        assert last is not None
        assert last[2] == last[3]
        assert "↑↓ board" in rows(app)[-1]
        first = int(last[1])
        assert len({*seen[:first]}) == first
        assert {*seen[first:]} == {seen[-1]}
        for _ in range(40):
            await typed(pilot, "up")
        assert rows(app)[0] == seen[0]

    looked_at(log_of_founders(), story, (80, 24))


def log_of_founders() -> Log:
    path = EXAMPLES / "../founders/two-players-on-the-symmetric-side.jsonl"
    return read_bytes(path.read_bytes(), path.name)


def test_scores_can_be_kept_out_of_sight() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "end")
        assert "Anna " in rows(app)[-3]
        points = [mat.points for mat in app.stepper.copy_state().mats[1:]]
        assert all(str(n) in shown(app) for n in points)
        await typed(pilot, "s")
        assert "Anna " not in rows(app)[-3]
        mats = "\n".join(row for row in rows(app) if " · " in row and " passed " in row)
        assert len(mats.splitlines()) == len(points)
        assert not any(f" {n} " in mats for n in points)
        await typed(pilot, "L")
        assert "points" not in next(row for row in rows(app) if "Anna: " in row)

    looked_at(greedy_game(3, 3), story)


def test_it_plays_by_itself_until_the_end() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, *["plus"] * 6, "space")
        while app.stepper.position < app.stepper.last:
            await pilot.pause(0.05)
        await pilot.pause(0.05)
        assert "▶" not in shown(app)
        # any key ends it, and does nothing else
        await typed(pilot, "home", "minus", "minus", "minus", "minus", "minus", "minus", "space")
        assert "▶ playing, 5 s an event" in shown(app)
        assert "Space stop  + faster  - slower" in rows(app)[-1]
        await typed(pilot, "plus")
        assert "▶ playing, 3 s an event" in shown(app)
        await typed(pilot, "end")
        assert "▶" not in shown(app)
        assert app.stepper.position == 0

    looked_at(corrected(), story)


def test_the_ledger_of_each_player_in_turn() -> None:
    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "end", "L")
        assert "Anna: " in shown(app)
        assert "final:" in shown(app)
        await typed(pilot, "L")
        assert "Bob: " in shown(app)
        await typed(pilot, "question_mark")
        assert "lines 1 to" in shown(app)
        await typed(pilot, "escape", "f1")
        assert "lines 1 to" in shown(app)
        assert {"act  mkt  used", "Anna 0 (1)"} <= {line[:n] for line in app.help_lines for n in (10, 14)}
        assert not app.stepper.is_recorded
        await typed(pilot, "b", "f2", "q")
        assert app.stepper.is_recorded

    looked_at(greedy_game(3, 2), story, light=True)


@pytest.mark.parametrize("language", vocabulary.languages)
def test_every_key_is_in_the_help(language: str) -> None:
    page = vocabulary(language)["stepper"]["screen-help"]
    keys = {
        *GOALS,
        *(key.upper() for key in GOALS),
        *MODES,
        *"hlpPbLskq.,+-?",
        "Home",
        "End",
        "PgUp",
        "PgDn",
        {"en": "Space", "pl": "Spacja", "ru": "\u041f\u0440\u043e\u0431\u0435\u043b"}[language],
        "F2",
    }
    assert keys <= {*re.split(r"[\s;]+", page), *page.split()}
    assert all(len(line) <= SIZES[0][0] for line in page.splitlines())


def test_an_interrupt_on_the_screen_is_one() -> None:
    codes: list[int | None] = []

    async def story(app: StepperScreen, pilot: Pilot[None]) -> None:
        await typed(pilot, "ctrl+c")
        codes.append(app.return_code)

    looked_at(corrected(), story)
    assert codes == [130]


@pytest.mark.parametrize(
    ("more", "at", "is_recorded"),
    [([], 0, False), (["--at", "5"], 5, False), (["--as-recorded", "--at", "5"], 5, True)],
)
def test_the_command_opens_it_where_it_is_told_to(
    run: Run, whole: str, monkeypatch: pytest.MonkeyPatch, more: Sequence[str], at: int, *, is_recorded: bool
) -> None:
    shown_on: list[StepperScreen] = []
    monkeypatch.setattr("spyrium_cli.render.surface.is_terminal", lambda: True)
    monkeypatch.setattr("spyrium_cli.render.surface.get_terminal_size", lambda: (80, 24))

    def run_it(app: StepperScreen) -> None:
        shown_on.append(app)

    monkeypatch.setattr(StepperScreen, "run", run_it)
    run("replay", whole, *more)
    (app,) = shown_on
    assert (app.stepper.position, app.stepper.is_recorded) == (at, is_recorded)
    assert app.stepper.last > 100


def test_without_a_screen_notes_and_variations_stand_below_their_event(run: Run, whole: str) -> None:
    run("annotate", whole, 0, "a quick evening")
    run("annotate", whole, 2, "too early", "--mark", "?!", "--tag", "opening", "--instead", "p12")
    lines = run("replay", whole).stdout.splitlines()
    assert lines[0].strip() == "✎ a quick evening — tester"
    at = next(at for at, line in enumerate(lines) if line.lstrip().startswith("2 "))
    note, variation = (line.strip() for line in lines[at + 1 : at + 3])
    assert note == "✎ ?! too early #opening — tester"
    assert variation.startswith("instead: Anna places a worker between ")


def test_without_a_screen_scores_are_kept_back_too(run: Run, whole: str) -> None:
    told, kept = (run("replay", whole, *more).stdout.splitlines() for more in ([], ["--no-scores"]))
    assert "if counted now" in "".join(told)
    assert not any("if counted now" in line for line in kept)
    assert set(kept) < set(told)
