"""`record` from the first question to the winner: what is asked, by how many keys, what is written and when."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from spyrium_cli.recording.beginning import Beginning
from spyrium_cli.recording.dialogue import Dialogue
from spyrium_cli.recording.ending import Ending
from spyrium_cli.recording.recorder import Recorder
from spyrium_cli.session import Session
from spyrium_cli.tui.dialogue import DialogueScreen
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Finished, ReadOff
from spyrium_log.play import Play
from spyrium_log.sheet import Printed
from spyrium_log.store import Folder
from spyrium_log.title import FinalCount
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.cli.terminals import SMALL, Seen, called, words_of
from tests.games import game as whole_game
from tests.games import log_of, raw_of
from tests.store.disk import ROOT, Disk, failed

SIZES = ((80, 24), (120, 40))
DEAL = "ex es m1 ap r1 u1 2 w1 cr mi 13 lu m2"
# What a shell is given: `spyrium record` and Enter.
COMMAND_KEYS = len("spyrium record") + 1
ENTER = "\r"
# The questions answered with what is usual, up to the recorder.
ASKED: Sequence[str | Seen] = (
    Seen("Who plays?"),
    "Anna, Bob",
    ENTER,
    Seen("What, and by"),
    ENTER,
    Seen("Who begins?"),
    ENTER,
    Seen("be dealt"),
)
WHOLE = whole_game("spyrium", 3)
Look = Callable[[DialogueScreen, Pilot[None]], Awaitable[None]]


def logs(archive: Path) -> list[list[dict[str, Any]]]:
    """The lines of every log of an archive, the oldest log first."""
    return [
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(archive.glob("*.jsonl"))
        if not path.name.endswith(".notes.jsonl")
    ]


def last_time(run: Run) -> None:
    """A game of last time, which was given up."""
    game = run("new", "--players", "Anna,Tom Jones,Cleo", "--colours", "red,green,black").stdout.strip()
    run("play", game, "abandon late")


def begin(archive: Path, language: str = "en") -> Beginning:
    session = Session()
    session.flags.update(archive=str(archive), lang=language)
    return Beginning(session, by="tester")


def press(dialogue: Dialogue, *keys: str) -> None:
    for key in keys:
        dialogue.press(key)


def rows(app: DialogueScreen) -> list[str]:
    return ["".join(segment.text for segment in strip).rstrip() for strip in app.screen._compositor.render_strips()]  # noqa: SLF001


def look_at(dialogue: Dialogue, look: Look, size: tuple[int, int] = (80, 24)) -> None:
    async def run() -> None:
        app = DialogueScreen(dialogue)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await look(app, pilot)

    asyncio.run(run())


# --- the beginning, by keys ----------------------------------------------------------------------


def test_the_same_people_are_three_keys_from_the_deal(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    keys = ["enter", "enter", "enter"]
    press(beginning, *keys)
    assert beginning.play is not None
    header = beginning.play.header
    assert [(seat.player, seat.colour) for seat in header.seats] == [
        ("Anna", "red"),
        ("Tom Jones", "green"),
        ("Cleo", "black"),
    ]
    assert (header.first, header.title, header.edition) == (1, "spyrium", None)
    assert header.played is not None
    # `spyrium new` and Enter, an Enter each for seven questions, and then the recorder's own command
    before = len("spyrium new") + 1 + 7 + COMMAND_KEYS
    assert (before, COMMAND_KEYS + len(keys)) == (34, 18)


def test_people_are_taken_by_a_key_each_and_names_may_be_typed(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    press(beginning, "2", "1", "3", "3", *"dora of ż", "enter", *"clo", "backspace", *"eo", "backspace", "enter")
    assert beginning.text == "Tom Jones, Anna, dora of ż, Cleo, "
    press(beginning, "backspace")
    assert beginning.text == "Tom Jones, Anna, dora of ż, "
    press(beginning, "enter", "2", "3")
    assert beginning.play is not None
    assert beginning.play.players == ["Tom Jones", "Anna", "dora of ż"]
    assert (beginning.play.header.first, beginning.play.header.edition) == (3, "en")


def test_what_cannot_be_is_asked_again_with_why(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    for typed, why in (
        ("Anna, anna, ", "'Anna' twice"),
        ("A, B, C, D, E, F, ", "expected 1 to 5 players, found 6"),
        ("x" * 70 + ", Bob, ", "expected at most 60 characters in a name, found 70"),
    ):
        press(beginning, *typed, "enter")
        assert why in beginning.message
        press(beginning, "escape")
        assert (beginning.text, beginning.is_over) == ("", False)
    press(beginning, "enter", "z", "enter")
    assert beginning.message == "expected one of 1, 2, 3, 4, 5, 6, 7, found 'z'"
    press(beginning, "escape", "enter", *"dora", "enter")
    assert "found none for 'dora'" in beginning.message
    assert beginning.play is None
    assert len(logs(archive)) == 1


def test_a_sheet_of_the_settings_that_is_not_there_is_told(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_time(run)
    monkeypatch.setenv("SPYRIUM_SHEET", str(archive / "none.toml"))
    beginning = begin(archive)
    press(beginning, "enter")
    assert "expected the sheet that is settled at SPYRIUM_SHEET" in beginning.message
    assert not beginning.is_over


def test_a_note_before_the_first_deal_makes_the_file(run: Run, archive: Path) -> None:
    run("record", stdin="Anna, Bob\n\n\n; we play with the new cards\n")
    ((header,),) = logs(archive)
    assert header["kind"] == "header"
    assert len(list(archive.glob("*.notes.jsonl"))) == 1


def test_escape_goes_back_and_at_last_leaves(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    press(beginning, "enter", "enter", "escape")
    assert beginning.describe() == ["What, and by which edition of the rules?"]
    press(beginning, "escape")
    assert beginning.describe()[0] == "Who plays?"
    press(beginning, "escape")
    assert beginning.is_over
    assert beginning.play is None


def test_a_colour_is_changed_on_the_way(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    press(beginning, "enter", "enter", *"tom red", "enter")
    assert [choice.label for choice in beginning.list_choices()] == ["Anna (green)", "Tom Jones (red)", "Cleo (black)"]
    press(beginning, *"cleo zielony", "enter", *"tom", "enter")
    assert beginning.play is not None
    assert [seat.colour for seat in beginning.play.header.seats] == ["black", "red", "green"]
    assert beginning.play.header.first == 2


def test_a_title_is_offered_for_as_many_as_it_takes(run: Run, archive: Path) -> None:
    last_time(run)
    beginning = begin(archive)
    press(beginning, *"anna, ", "enter")
    assert {choice.label.partition(",")[0] for choice in beginning.list_choices()} == {"Founders of Gloomhaven"}
    # whoever is alone begins
    press(beginning, "1")
    assert beginning.play is not None
    assert (beginning.play.header.title, beginning.play.players) == ("founders", ["Anna"])


@pytest.mark.parametrize("by", ["settings", "last time"])
def test_the_usual_title_and_edition_are_those_of_last_time_or_of_the_settings(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    if by == "settings":
        last_time(run)
        monkeypatch.setenv("SPYRIUM_TITLE", "founders")
        monkeypatch.setenv("SPYRIUM_EDITION", "ru")
    else:
        options = ("--title", "founders", "--edition", "ru", "--sheet", "practice-1")
        game = run("new", "--players", "Anna,Bob", *options).stdout.strip()
        run("play", game, "abandon late")
    beginning = begin(archive)
    press(beginning, "enter")
    # no set that ships is whole but one that is invented, which is said
    usual = "Enter: Founders of Gloomhaven, ru: the Russian rulebook (the set practice-1 is invented: "
    assert beginning.describe_enter().startswith(usual)
    press(beginning, "enter", "enter")
    assert beginning.play is not None
    assert (beginning.play.header.title, beginning.play.header.edition) == ("founders", "ru")


def test_a_score_sheet_is_no_table_of_last_time(run: Run, archive: Path) -> None:
    last_time(run)
    run("score", "Xaver 10, Yves 12")
    assert begin(archive).describe_enter() == "Enter: Anna, Tom Jones, Cleo, as last time"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "pl", "ru", "ru-desktopgames"])
def test_every_question_is_whole_on_the_screen(run: Run, archive: Path, size: tuple[int, int], language: str) -> None:
    last_time(run)
    beginning = begin(archive, language)

    async def look(app: DialogueScreen, pilot: Pilot[None]) -> None:
        for _ in range(3):
            screen = rows(app)
            text = " ".join(" ".join(screen).split())
            for sentence in (*beginning.describe(), beginning.describe_enter()):
                assert sentence in text
            for choice in beginning.list_choices():
                assert f"{choice.key} {choice.label}" in text
            assert len(screen) == size[1]
            assert screen[-1].startswith("Enter ")
            await pilot.press("enter")
            await pilot.pause()
        assert beginning.is_over

    look_at(beginning, look, size)


# --- at a terminal -------------------------------------------------------------------------------


@pytest.fixture
def terminal_env(archive: Path, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "SPYRIUM_ARCHIVE": str(archive), "HOME": str(tmp_path), "TERM": "xterm-256color"}


@pytest.mark.usefixtures("interrupts")
def test_the_first_evening_at_a_terminal(archive: Path, tmp_path: Path, terminal_env: dict[str, str]) -> None:
    asked: list[str | Seen] = [
        Seen("Who plays?"),
        "Anna, Tom Jones, Cleo",
        ENTER,
        Seen("What, and by"),
        ENTER,
        Seen("Who begins?"),
        "2",
    ]
    keys: list[str | Seen] = [*asked, Seen("round is to be dealt"), DEAL, ENTER, Seen("is to act"), "12", ENTER]
    written = called(["record"], cwd=tmp_path, env=terminal_env, keys=keys, size=SMALL)
    (lines,) = logs(archive)
    assert [line["kind"] for line in lines] == ["header", "deal", "decision"]
    assert [seat["player"] for seat in lines[0]["seats"]] == ["Anna", "Tom Jones", "Cleo"]
    assert lines[0]["first"] == 2
    assert lines[2]["do"]["seat"] == 2
    said = words_of(written.raw)
    assert "Who plays?" in said
    assert "`spyrium record` goes on with it" in said


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ([Seen("Who plays?"), "\x03"], 130),
        ([Seen("Who plays?"), "Anna, Bob", ENTER, ENTER, "\x03"], 130),
        ([*ASKED, "ex es", "\x03"], 130),
        ([*ASKED, "\x11"], 0),
    ],
)
def test_leaving_before_the_first_deal_leaves_nothing_behind(
    archive: Path, tmp_path: Path, terminal_env: dict[str, str], keys: Sequence[str | Seen], code: int
) -> None:
    before = sorted(tmp_path.rglob("*"))
    written = called(["record"], cwd=tmp_path, env=terminal_env, keys=keys, size=SMALL)
    assert written.code == code
    assert "nothing was written" in words_of(written.raw)
    assert not archive.exists()
    assert sorted(tmp_path.rglob("*")) == before


# --- by lines ------------------------------------------------------------------------------------


def test_the_same_by_lines(run: Run, archive: Path) -> None:
    typed = f"Anna, Bob, Anna\nAnna, Tom Jones, Cleo\nx\n\ntom\n{DEAL}\n12\n"
    said = run("record", "--plain", stdin=typed)
    assert "'Anna' twice" in said.stderr
    assert "expected one of 1, 2, 3, 4, 5, 6, 7, found 'x'" in said.stderr
    (lines,) = logs(archive)
    assert [line["kind"] for line in lines] == ["header", "deal", "decision"]
    assert lines[0]["first"] == 2
    assert "Cleo is to act; Anna 0, Tom Jones 0, Cleo 0\n`spyrium record` goes on with it" in said.stderr
    # there is one open game now
    run("record", stdin="45\n")
    assert len(logs(archive)[0]) == 4


def test_without_a_terminal_and_without_lines_it_ends(run: Run, archive: Path) -> None:
    for arguments in (["record"], ["record", "--plain"]):
        assert "nothing was written (spyrium new takes" in run(*arguments, stdin="", code=2).stderr
    assert "found none" in run("record", "--file", "-", stdin=DEAL, code=2).stderr
    assert not archive.exists()


def test_open_games_are_offered_the_newest_first(run: Run, archive: Path) -> None:
    last_time(run)
    run("score", "Xaver 10, Yves 12")
    older = run("new", "--players", "Ida,Jon").stdout.strip()
    newer = run("new", "--players", "Kim,Lea").stdout.strip()
    os.utime(archive / f"{older}.jsonl", ns=(1, 1))
    said = run("record", stdin="9\n2\nquit\n").stderr
    offered = [line for line in said.splitlines() if line.startswith("  ")][:3]
    assert [line[:5] for line in offered] == ["  1  ", "  2  ", "  n  "]
    assert "Kim, Lea · Spyrium · " in offered[0]
    assert offered[1].endswith(" · a round is to be dealt")
    assert "expected one of 1, 2, n, found '9'" in said
    assert f"`spyrium record` goes on with it ({older})" in said
    assert f"({newer})" in run("record", stdin="\nquit\n").stderr
    assert "Who plays?" in run("record", stdin="n\nquit\n").stderr
    assert len(logs(archive)) == 4


def test_a_game_in_a_language_that_its_title_lacks_is_not_offered(run: Run) -> None:
    run("new", "--title", "founders", "--sheet", "practice-1", "--players", "Anna,Bob")
    assert "Kto gra?" in run("--lang", "pl", "record", stdin="quit\n").stderr
    assert "goes on with it" in run("record", stdin="quit\n").stderr


# --- nothing before the first line ---------------------------------------------------------------


def test_a_disk_that_is_full_at_the_first_line_keeps_what_was_typed() -> None:
    disk = Disk()
    play = Play.new(TITLES["spyrium"], game="game-0009", players=["Anna", "Bob", "Cleo"])
    with Recorder(Folder(ROOT, files=disk), play, by="tester", language="en") as recorder:
        request = recorder.prompt.enter_line(DEAL)
        assert request is not None
        assert disk.calls == []
        disk.fails[0] = failed()
        assert recorder.write(request) is None
        assert disk.names_seen == {}
        assert "found a disk that failed" in recorder.prompt.view.message
        disk.fails.clear()
        again = recorder.prompt.press("enter")
        assert again is not None
        recorded = recorder.write(again)
        assert recorded is not None
        assert recorded.n == 1
        assert recorder.is_on_disk
    assert disk.raw(ROOT / "game-0009.jsonl").count(b"\n") == 2


# --- the end -------------------------------------------------------------------------------------


@contextmanager
def ended(archive: Path, log: Log = WHOLE, language: str = "en") -> Iterator[Ending]:
    """A whole game at its end."""
    folder = Folder(archive)
    path = folder.write_whole(raw_of(log))
    session = Session()
    session.flags.update(archive=str(archive), lang=language)
    with Recorder(folder, path, by="tester", language=language) as recorder:
        yield Ending(session, recorder, "tester")


def cut_before_final(log: Any) -> bytes:
    last = next(line.n for line in log.lines if isinstance(line, Finished))
    return raw_of(log_of(log.title, log.lines[:last]))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("title", "seed", "seats", "language"),
    [
        *(("spyrium", 1, 5, language) for language in ("en", "pl", "ru", "ru-desktopgames")),
        *(("founders", seed, None, language) for seed in (0, 1) for language in ("en", "ru")),
    ],
)
def test_the_end_is_whole_on_the_screen(
    archive: Path, size: tuple[int, int], title: str, seed: int, seats: int | None, language: str
) -> None:
    with ended(archive, whole_game(title, seed, seats), language) as ending:

        async def look(app: DialogueScreen, pilot: Pilot[None]) -> None:
            seen = {*rows(app)}
            for _ in range(30):
                await pilot.press("down")
            await pilot.pause()
            seen |= {*rows(app)}
            text = " ".join(" ".join(seen).split())
            for sentence in ending.describe():
                assert sentence[:40] in text
            for choice in ending.list_choices():
                assert f"{choice.key} {choice.label}" in text

        look_at(ending, look, size)


def test_points_by_source_sum_to_the_total(archive: Path) -> None:
    with ended(archive, whole_game("founders", 1)) as ending:
        sentences = ending.describe()
        game = ending._recorder.play.replay()  # noqa: SLF001
        by_place = sorted(game.scores(), key=lambda score: score.place)
        assert len(by_place) > 1
        for sentence, score in zip(sentences[1:], by_place, strict=False):
            head, _, parts = sentence.partition(": ")
            name = game.players[score.seat - 1]
            assert head == f"{score.place}. {name} {'~' if '~' in head else ''}{score.total}"
            points = [part.rpartition(" ")[2].lstrip("~").replace("−", "-") for part in parts.split(", ")]
            assert sum(map(int, points)) == score.total


def test_a_tie_is_told_with_how_it_is_broken(archive: Path) -> None:
    """Nobody did anything: everybody is level."""
    folder = Folder(archive)
    for title, how in (("spyrium", "win together (S-10.3)"), ("founders", "clockwise from whoever has the token")):
        sheet = TITLES[title].playable_sheet()
        play = Play.new(TITLES[title], game=f"game-{title}", players=["Anna", "Bob"], sheet=sheet)
        play.do(FinalCount(), by="tester", anyway=True)
        path = folder.write_whole(play.encode())
        session = Session()
        session.flags.update(archive=str(archive))
        with Recorder(folder, path, by="tester", language="en") as recorder:
            (level,) = [line for line in Ending(session, recorder, None).describe() if line.startswith("Anna, Bob: ")]
        assert how in level


def test_seal_page_and_play_are_a_key_each_and_none_is_forced(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ended(archive) as ending:
        press(ending, "enter", "x")
        assert (ending.message, ending.is_over) == ("", False)
        press(ending, "s")
        assert "lines sealed" in ending.message
        press(ending, "s")
        assert ending.message == "it is sealed already"
        press(ending, "p")
        press(ending, "p")
        assert ending.message.endswith("-2.html")
        press(ending, "b")
        assert "the day it was played" in ending.message
        assert [choice.key for choice in ending.list_choices() if choice.is_taken] == ["s", "p"]
        press(ending, "q")
        assert (ending.is_over, ending.wants_next) == (True, False)
    assert logs(archive)[0][-1]["kind"] == "seal"
    pages = sorted(tmp_path.glob("*.html"))
    assert len(pages) == 2
    assert pages[0].read_text(encoding="utf-8").startswith("<!")


def test_the_play_for_bg_stats_has_the_day(run: Run, archive: Path, tmp_path: Path, whole: str) -> None:
    run("fix", "header", whole, "--date", "2026-11-18", "--why", "it was missing")
    os.chdir(tmp_path)
    session = Session()
    session.flags.update(archive=str(archive))
    with Recorder(Folder(archive), archive / f"{whole}.jsonl", by="tester", language="en") as recorder:
        ending = Ending(session, recorder, None)
        press(ending, "b")
    path = tmp_path / "spyrium-2026-11-18.bgsplay"
    assert ending.message == f"written: {path}"
    assert len(json.loads(path.read_text(encoding="utf-8"))["plays"]) == 1


def test_another_result_is_one_line(archive: Path) -> None:
    with ended(archive) as ending:
        press(ending, "d", *"Anna", "enter")
        assert ending.message.startswith("! expected a player and points")
        press(ending, "escape", "d", *"Anna 40, Bob 22, Cleo 9", "enter")
        assert ending.message == "Anna: 40 declared, 39 in the log (+1)"
        assert ending.describe()[1].startswith("1. Anna 40 (≠39): ")
        press(ending, "d", *"Anna 41", "enter")
        assert "the first result of these players" in ending.message
    assert [line["kind"] for line in logs(archive)[0]].count("declared") == 1


def test_values_read_this_evening_are_kept_by_enter(archive: Path, tmp_path: Path) -> None:
    own = tmp_path / ".config"
    with ended(archive) as ending:
        recorder = ending._recorder  # noqa: SLF001
        line = ReadOff(
            n=len(recorder.play.log.lines),
            by="tester",
            value=Printed("crane", "price", 7, "read", "Anna", "2026-11-20"),
            prev="",
            hash="",
        )
        recorder.append_line(line)
        session = ending._session  # noqa: SLF001
        after = Ending(session, recorder, "tester")
        assert "price 7" in after.describe()[-1]
        assert after.describe_enter() == "Enter: keeps 1 value for the next game"
        press(after, "enter")
        assert after.message.startswith("1 value kept, at ")
        assert after.describe_enter() == ""
        assert Ending(session, recorder, "tester").describe_enter() == ""
        # somebody else read it otherwise
        recorder.append_line(
            ReadOff(
                n=len(recorder.play.log.lines),
                by="tester",
                value=Printed("crane", "price", 8, "read", "Bob", "2026-11-21"),
                prev="",
                hash="",
            )
        )
        later = Ending(session, recorder, "tester")
        press(later, "enter")
        assert later.message == ""
        assert "price 8 (≠ 7 (Anna, 2026-11-20))" in later.list_choices()[0].label
        press(later, "t")
        assert later.message.startswith("1 value kept, at ")
    assert any(own.rglob("sheet-spyrium.toml"))


def test_the_last_count_leads_to_the_end_and_on_to_the_next_game(run: Run, archive: Path) -> None:
    log = WHOLE
    Folder(archive).write_whole(cut_before_final(log))
    said = run("record", stdin=f"\n; what a game\nseal\nnext\n\n2\n{DEAL}\n").stderr
    assert "Anna wins with 39\n1. Anna ~39: effect 25, " in said
    # by their names, the new one comes first
    second, first = logs(archive)
    assert [line["kind"] for line in first[-2:]] == ["final", "seal"]
    assert [seat["player"] for seat in second[0]["seats"]] == [seat.player for seat in log.header.seats]
    assert (second[0]["first"], second[1]["kind"]) == (2, "deal")
    assert len(list(archive.glob("*.notes.jsonl"))) == 1


def test_a_game_that_was_given_up_has_no_winner(run: Run) -> None:
    said = run("record", stdin=f"Anna, Bob\n\n\n{DEAL.replace('mi 13', 'mi 1')}\nabandon too late\nq\n").stderr
    assert "the game ended without a final count\n1. Anna 0\n" in said
    assert " wins" not in said


def test_an_undo_after_the_end_goes_back_to_the_recorder(run: Run, archive: Path) -> None:
    Folder(archive).write_whole(cut_before_final(WHOLE))
    said = run("record", stdin="\nu\n\nzz\n", code=1).stderr
    assert said.count("Anna wins with 39") == 2
    assert [line["kind"] for line in logs(archive)[0][-3:]] == ["final", "undo", "final"]


@pytest.mark.usefixtures("interrupts")
def test_the_end_at_a_terminal_is_left_to_be_read(archive: Path, tmp_path: Path, terminal_env: dict[str, str]) -> None:
    Folder(archive).write_whole(cut_before_final(WHOLE))
    counted: list[str | Seen] = [Seen("final count is next"), ENTER, Seen("Anna wins with 39")]
    keys: list[str | Seen] = [*counted, "s", Seen("sealed"), "n", Seen("What, and by"), "\x1b"]
    written = called(["record"], cwd=tmp_path, env=terminal_env, keys=keys, size=SMALL)
    assert [line["kind"] for line in logs(archive)[0][-2:]] == ["final", "seal"]
    said = words_of(written.raw)
    assert "the next game with the same people" in said
    assert said.rindex("Anna wins with 39") < said.rindex("What, and by which edition")
    assert "nothing was written" in said
    assert len(logs(archive)) == 1
