"""Every command that reads games reads them from wherever they are: a file, a folder, a pack, compressed, a pipe."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from spyrium_cli.tui.stepper_modes import WriteNote
from spyrium_log.edit.annotate import read_note
from spyrium_log.log.pack import Game, pack_games
from spyrium_log.stepper import Stepper
from spyrium_log.store import LEVEL, Folder, encode_pack
from tests.cli.conftest import Run
from tests.cli.test_formats import READING
from tests.log.test_notes import note
from tests.packs import write_pack
from tests.stories import EXAMPLES

STORY, ID = "counted", "game-opening"
OTHER = "whole-game-2-players"

# Where GAME stands a game is named, on its own or in what holds it.
ONE = (
    ("fix", "amend", "GAME", "2", "p12", "--dry-run"),
    ("fix", "locate", "GAME"),
    ("annotate", "GAME"),
    ("show", "GAME"),
    ("show", "GAME", "--at", "5", "--legal"),
    ("replay", "GAME"),
    ("show", "--log", "GAME"),
    ("seal", "--checkpoint", "GAME"),
    ("compare", "GAME", str(EXAMPLES / f"{STORY}.jsonl")),
    ("compare", str(EXAMPLES / f"{STORY}.jsonl"), "GAME"),
    ("sheet", "show", "mine-1", "--sheet", "GAME"),
    ("sheet", "diff", "shipped", "GAME", "--format", "json"),
    ("sheet", "export", "GAME"),
    *(("export", "GAME", "--format", form) for form in ("html", "json", "csv", "jsonl", "txt")),
)
# These take any number of places, and all games of each.
MANY = (
    ("validate", "GAME"),
    ("whatif", "GAME", "--option", "engineering-scores=count", "--format", "json"),
    ("sheet", "affects", "GAME", "--format", "json"),
    ("export", "GAME", "--format", "pack"),
    ("export", "GAME", "--format", "scores"),
    ("import", "GAME", "--dry-run", "--format", "json"),
)
# These ask the archive as a whole, or no game at all.
NONE = frozenset({"query", "report", "tables", "games", "config", "doctor"})


class Input(NamedTuple):
    """How a game is handed in, and what comes through the pipe."""

    name: str
    stdin: bytes = b""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One game, in every way in which games are kept. It is written once, for every file of it waits for the disk."""
    top = tmp_path_factory.mktemp("made")
    alone, club, bare = (Folder(top / name) for name in ("alone", "club", "bare"))
    other, raw = ((EXAMPLES / f"{name}.jsonl").read_bytes() for name in (OTHER, STORY))
    bare.write_whole(raw)
    with alone.open_notes_writer(alone.write_whole(raw)) as writer:
        writer.append(note(on="2", text="why there?"))
    both = [Game(other), alone.read_game(ID)]
    for game in both:
        club.write_game(game)
    for end in ("jsonl", "jsonl.zst"):
        write_pack(top / f"one.{end}", both[1:])
        write_pack(top / f"two.{end}", both)
    return top


@pytest.fixture
def inputs(made: Path, tmp_path: Path) -> Mapping[str, Input]:
    """How to hand it in; `#` where another one is with it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return {
        "file": Input(str(tmp_path / f"alone/{ID}.jsonl")),
        "folder": Input(str(tmp_path / "alone")),
        "folder#": Input(f"{tmp_path / 'club'}#{ID}"),
        "pack": Input(str(tmp_path / "one.jsonl")),
        "pack#": Input(f"{tmp_path / 'two.jsonl'}#{ID[:-1]}"),
        "zst": Input(str(tmp_path / "one.jsonl.zst")),
        "zst#": Input(f"{tmp_path / 'two.jsonl.zst'}#{ID}"),
        "stdin": Input("-", (tmp_path / f"alone/{ID}.jsonl").read_bytes()),
        "stdin pack": Input("-", (tmp_path / "one.jsonl").read_bytes()),
        "stdin zst": Input("-", (tmp_path / "one.jsonl.zst").read_bytes()),
        "bare": Input(str(tmp_path / f"bare/{ID}.jsonl")),
    }


HOW = ("folder", "folder#", "pack", "pack#", "zst", "zst#", "stdin", "stdin pack", "stdin zst")


def asked(run: Run, words: Sequence[str], given: Input) -> tuple[int, bytes]:
    """The exit code and the answer, or why there is none, whatever the place of the game is called in it.

    Without the commands that settle a finding: to a pack or a pipe no command can write.
    """
    result = run(*(given.name if word == "GAME" else word for word in words), stdin=given.stdin, code=None)
    place = re.escape(given.name.partition("#")[0].encode()) if given.name[0] != "-" else rb"(?<=fix amend )-|<stdin>"
    called = re.compile(rb"'?(?:%b)(?:/[\w-]+\.jsonl)?(?:#[\w-]+)?'?" % place)
    # a game that is not alone in its place is named first
    said = called.sub(b"GAME", result.stdout_bytes or result.stderr_bytes).replace(b"left out: GAME: ", b"left out: ")
    is_validated = words[0] == "validate"
    lines = [line for line in said.splitlines(keepends=True) if not (is_validated and b": spyrium fix " in line)]
    return result.exit_code, b"".join(lines)


@pytest.mark.parametrize("words", [*ONE, *MANY], ids=" ".join)
def test_a_game_reads_the_same_wherever_it_is(
    run: Run, archive: Path, inputs: Mapping[str, Input], words: Sequence[str]
) -> None:
    assert not archive.exists()
    told = {how: asked(run, words, inputs[how]) for how in ("file", "bare")}
    assert any(said for _, said in told.values())
    for how in HOW:
        # nobody writes notes on what comes through a pipe as a log
        assert (how, asked(run, words, inputs[how])) == (how, told["bare" if how == "stdin" else "file"])


def test_every_reading_command_is_tried() -> None:
    """Whoever adds a command that answers with data says above what it reads."""
    tried = {words[0] for words in (*ONE, *MANY)}
    assert {words[0] for words in READING} - tried == NONE


# --- which one -----------------------------------------------------------------------------------


def test_of_several_games_one_is_named(run: Run, inputs: Mapping[str, Input], tmp_path: Path) -> None:
    assert inputs
    for place in (tmp_path / "two.jsonl", tmp_path / "two.jsonl.zst", tmp_path / "club"):
        said = run("show", place, code=2).stderr
        ids = json.loads(run("validate", place, "--format", "json", code=None).stdout)
        assert all(one["game"] in said for one in ids)
        assert f"name one as {place}#{ids[0]['game']}, or as its id begins\n" in said
        assert "found none, at" in run("show", f"{place}#nobody", code=2).stderr
    examples = run("show", EXAMPLES, code=2).stderr
    assert " and more: name one as " in examples or "name one by its own file" in examples
    stdin = (tmp_path / "two.jsonl").read_bytes()
    assert "of a pipe, only one can be read" in run("show", "-", stdin=stdin, code=2).stderr
    assert run("validate", "-", stdin=stdin, code=1).stdout.count("\n") > 1


def test_one_game_may_be_there_twice(run: Run, tmp_path: Path) -> None:
    raws = [(EXAMPLES / f"{name}.jsonl").read_bytes() for name in (STORY, "misplayed", OTHER)]
    pack = tmp_path / "many.jsonl"
    write_pack(pack, [Game(raws[0])] * 9)
    assert run("show", pack).stdout == run("show", EXAMPLES / f"{STORY}.jsonl").stdout
    other = tmp_path / "other.jsonl"
    write_pack(other, [Game(raw) for raw in raws])
    for name in (other, f"{other}#game-opening"):
        said = run("show", name, code=2).stderr
        assert said.startswith(f"Error: expected one game, found {other}#game-opening, {other}#game-opening")
    folder = tmp_path / "folder"
    folder.mkdir()
    for nth, raw in enumerate(raws[:2]):
        (folder / f"{nth}.jsonl").write_bytes(raw)
    said = run("show", f"{folder}#game-opening", code=2).stderr
    assert said == f"Error: expected one game, found {folder}/0.jsonl, {folder}/1.jsonl: name one by its own file\n"


def test_a_file_may_have_any_name(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a#b.jsonl"
    file.write_bytes((EXAMPLES / f"{STORY}.jsonl").read_bytes())
    assert run("show", file).stdout == run("show", EXAMPLES / f"{STORY}.jsonl").stdout
    assert run("show", f"{file}#game").stdout == run("show", file).stdout
    assert "found" in run("show", "#x", code=2).stderr
    assert "found" in run("show", "", code=2).stderr


def test_a_damaged_part_hides_no_game_that_is_named(run: Run, inputs: Mapping[str, Input], tmp_path: Path) -> None:
    assert inputs
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes((tmp_path / "two.jsonl").read_bytes()[:-100])
    first = json.loads(run("validate", cut, "--format", "json", code=2).stdout)[0]["game"]
    whole = run("show", f"{cut}#{first}")
    assert whole.stderr == ""
    begun = run("show", f"{cut}#{first[:-1]}")
    assert begun.stdout == whole.stdout
    assert begun.stderr.startswith("Warning: cut-off: ")
    assert "one that cannot be read" in run("show", cut, code=2).stderr
    assert "Warning: cut-off: " in run("show", f"{cut}#zzzz", code=2).stderr
    folder = tmp_path / "alone"
    (folder / "broken.jsonl").write_bytes(b"{}\n")
    assert "one that cannot be read" in run("show", folder, code=2).stderr


# --- to write to ---------------------------------------------------------------------------------

WRITING = (
    ("play", "GAME", "p12"),
    ("undo", "GAME"),
    ("annotate", "GAME", "2", "hm"),
    ("record", "GAME", "--plain"),
    ("fix", "adjust", "GAME", "anna +2 points", "--who", "Anna", "--why", "so"),
    ("seal", "GAME"),
    ("fix", "declare", "GAME", "Anna 1, Bob 2, Cleo 3"),
    ("games", "put-away", "GAME"),
)


@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_nothing_is_written_into_a_pack_or_a_pipe(run: Run, inputs: Mapping[str, Input], words: Sequence[str]) -> None:
    for how in ("pack", "pack#", "zst", "zst#", "stdin"):
        given = inputs[how]
        said = run(*(given.name if word == "GAME" else word for word in words), stdin=given.stdin, code=2).stderr
        found = "stdin" if how == "stdin" else "a pack: import brings its games into the archive, at "
        assert said.startswith(f"Error: expected a game in a file of its own to write to, found {found}")
        assert said.count("\n") == 1


def test_a_game_in_a_folder_can_be_written_to(run: Run, inputs: Mapping[str, Input]) -> None:
    for how in ("folder", "folder#"):
        run("annotate", inputs[how].name, "2", f"by {how}")
        assert f"by {how}" in run("annotate", inputs[how].name).stdout


def test_a_name_that_names_no_game_hides_no_other(run: Run, inputs: Mapping[str, Input]) -> None:
    good, bad = inputs["file"].name, f"{inputs['pack'].name}#nobody"
    said = run("validate", bad, good, "--format", "json", code=2).stdout
    assert [one["verdict"] for one in json.loads(said)] == ["unusable", "findings"]
    assert "1 left out" in run("export", bad, good, "--format", "pack", code=2).stderr
    assert "1 new" in run("import", bad, good, code=2).stderr
    assert "1 cannot be read" in run("whatif", bad, good, "--option", "tie=shared", code=2).stderr


# --- salvage -------------------------------------------------------------------------------------


def test_salvage_through_a_pipe(run: Run, tmp_path: Path) -> None:
    raw = (EXAMPLES / f"{STORY}.jsonl").read_bytes()
    damaged = raw.replace(b'"do":', b'"dn":', 1)
    done = run("fix", "salvage", "-", stdin=damaged)
    assert done.stdout_bytes == raw
    assert "repaired" in done.stderr
    saved = tmp_path / "saved.jsonl"
    told = run("fix", "salvage", "-", "--to", saved, stdin=damaged)
    assert saved.read_bytes() == raw
    assert "repaired" in told.stdout
    (tmp_path / "damaged.jsonl").write_bytes(damaged)
    assert run("fix", "salvage", tmp_path / "damaged.jsonl", "--to", "-").stdout_bytes == raw
    assert run("fix", "salvage", "-", stdin=b"nothing\n", code=2).stdout_bytes == b""
    pack = b"".join(pack_games([Game(raw)]))
    for given in (pack, b"".join(encode_pack([Game(raw)], level=LEVEL))):
        assert "found a pack: import brings in what is whole" in run("fix", "salvage", "-", stdin=given, code=2).stderr


def test_a_variation_is_kept_where_the_log_has_a_file_of_its_own(
    run: Run, inputs: Mapping[str, Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen is another test's; here somebody keeps a variation on it, and leaves."""
    kept: list[str] = []

    class Screen:
        return_code = 0

        def __init__(self, _steps: Stepper, write: WriteNote, **_: object) -> None:
            self.write = write

        def run(self) -> None:
            kept.append(self.write("2", read_note("! why not #opening"), ["p12"]).id)

    monkeypatch.setattr("spyrium_cli.tui.stepper.StepperScreen", Screen)
    monkeypatch.setattr("spyrium_cli.render.surface.is_roomy", lambda: True)
    for how in ("file", "folder#"):
        run("replay", inputs[how].name)
        listed = run("annotate", inputs[how].name).stdout
        assert kept[-1] in listed
        assert "! why not #opening" in listed
    for how in ("pack#", "zst", "stdin"):
        said = run("replay", inputs[how].name, stdin=inputs[how].stdin, code=2).stderr
        assert "expected a log in a file of its own to keep notes on, found " in said
    assert len(kept) == 2
