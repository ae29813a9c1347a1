"""What `validate` lists below a finding of its only game settles it: each command, pasted into a shell."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples"
COMMAND = re.compile(r"^    ([^:\n]+): (spyrium fix .+)$", re.MULTILINE)
# The cases whose command settles a finding by itself; the others say where to look, or ask for a value.
ACCEPTING = {"played so", "leave it"}
SETTLING = {"written down wrongly", "declared wrongly", *ACCEPTING}
GAMES = sorted(
    path
    for path in EXAMPLES.glob("*/*.jsonl")
    if any(one["status"] == "open" for one in json.loads(path.with_suffix(".expected.json").read_text())["findings"])
)


def list_commands(run: Run, *arguments: object) -> list[tuple[str, list[str]]]:
    """Each case with the words of its command, without `spyrium`."""
    out = run("validate", *arguments, code=None).stdout
    return [(case, shlex.split(command)[1:]) for case, command in COMMAND.findall(out)]


def count_open(run: Run, game: object) -> int:
    """How many findings of a game are open."""
    (verdict,) = json.loads(run("validate", game, "--format", "json", code=None).stdout)
    return sum(finding["status"] == "open" and finding["on"] == "record" for finding in verdict["findings"])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_command_settles_its_finding(run: Run, tmp_path: Path, path: Path) -> None:
    game = tmp_path / "an evening's game.jsonl"
    game.write_bytes(path.read_bytes())
    open_before = count_open(run, game)
    commands = [(case, words) for case, words in list_commands(run, game) if case in SETTLING]
    assert sum(case in ACCEPTING for case, _ in commands) == open_before
    for _, words in commands:
        game.write_bytes(path.read_bytes())
        run(*words, *(["--yes"] if words[1] == "amend" else []))
        assert count_open(run, game) < open_before, words


def test_the_game_is_named_as_the_person_named_it(run: Run, archive: Path) -> None:
    archive.mkdir()
    path = archive / "game-opening.jsonl"
    path.write_bytes((EXAMPLES / "spyrium/wrong-price.jsonl").read_bytes())
    for typed, name in (((), path.stem), (("@last",), "@last"), (("game-op",), "game-op"), ((archive,), str(path))):
        assert {words[2] for _, words in list_commands(run, *typed)} == {name}


def test_the_path_stands_in_the_first_line_alone(run: Run, tmp_path: Path) -> None:
    for name in ("spyrium/wrong-price", "spyrium/sealed-and-corrected-after", "spyrium/flipped-bit"):
        game = tmp_path / "game.jsonl"
        game.write_bytes((EXAMPLES / f"{name}.jsonl").read_bytes())
        head, *others = run("validate", game, code=None).stdout.splitlines()
        assert str(game) in head
        assert not [line for line in others if str(game) in line and "spyrium fix" not in line]


def test_many_games_and_games_that_no_command_writes_have_no_commands(run: Run, tmp_path: Path) -> None:
    game = EXAMPLES / "spyrium/wrong-price.jsonl"
    two = run("validate", game, EXAMPLES / "spyrium/misplayed.jsonl", code=1).stdout
    assert re.findall(r"^  event 5 \(line 6\): \w+", two, re.MULTILINE) == [
        "  event 5 (line 6): posting",
        "  event 5 (line 6): gain",
    ]
    assert "spyrium fix" not in two
    assert "event 5 (line 6): posting.crowd" in run("validate", "-", stdin=game.read_bytes(), code=1).stdout
    pack = tmp_path / "games.jsonl.zst"
    run("export", game, "--to", pack)
    for arguments, stdin in ((("-",), game.read_bytes()), ((pack,), None), ((game, "--as-recorded"), None)):
        result = run("validate", *arguments, stdin=stdin, code=1)
        assert "posting.crowd" in result.stdout
        assert "spyrium fix" not in result.stdout


def test_an_assumed_value_is_asked_for_by_the_command_that_records_it(run: Run) -> None:
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    run("play", game, "--deal", "--seed", 3)
    run("play", game, "p89", "p23", "p56", "p69", "p69", "p56", ">a89.9", ">a23.3", "a56.5 rm")
    assert "[assumed: residence-1 price]" in run("validate", game).stdout
    ((case, words),) = list_commands(run, game)
    assert (case, words) == ("as it is printed", ["fix", "reading", game, "residence-1", "price", "2"])
    run(*words)
    # what the price comes to is the table's to settle
    assert "as it is printed" not in dict(list_commands(run, game))


def test_a_log_that_cannot_be_read_can_be_saved(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    game.write_bytes((EXAMPLES / "spyrium/flipped-bit.jsonl").read_bytes())
    ((case, words),) = list_commands(run, game)
    assert (case, words[:2], words[2]) == ("what can be saved", ["fix", "salvage"], str(game))
    run(*words, code=None)
