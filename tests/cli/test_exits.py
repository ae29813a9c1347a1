"""One rule for exit codes, and one way to tell errors, over all commands; the main help says both.

1: all was understood, and something speaks against it. 2: something cannot be read, or was wrongly called. The last
word of a call that answers nothing begins with `Error:`, on stderr alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from spyrium_cli.tree import COMMANDS, FIXES
from spyrium_log.log.pack import Game
from tests.cli.conftest import Run
from tests.packs import write_pack
from tests.stories import EXAMPLES, FIRST_DEAL

CLEAN = EXAMPLES / "whole-game-2-players.jsonl"

# Nothing comes of these: what they say, exit code and words.
REFUSED = (
    ("play", "GAME", "bob: p12"),
    ("play", "GAME", "final"),
    ("undo", "BEGUN"),
    ("fix", "accept", "FINDINGS", "1", "--who", "Anna", "--why", "so"),
    ("fix", "locate", "GAME", "--write", "1"),
    ("export", "GAME", "--format", "scores"),
    ("compare", "GAME", "GAME", "--add-all", "--yes"),
    ("export", "GAME", "--to", "THERE", "--format", "json"),
    ("export", "EMPTY", "--format", "pack"),
    ("play", "SCORES", "p12"),
)
WRONG = (
    ("play", "GAME", "p1x"),
    ("play", "GAME", "hello there"),
    ("play", "GAME"),
    ("play", "NOBODY", "p12"),
    ("record", "NOBODY", "--plain"),
    ("undo", "GAME", "99"),
    ("fix", "amend", "GAME", "0", "--drop", "--misplayed", "--why", "so", "--yes"),
    ("fix", "amend", "GAME", "1", "p1x", "--why", "so", "--yes"),
    ("fix", "adjust", "GAME", "anna +2 sheep", "--who", "Anna", "--why", "so"),
    ("fix", "count", "GAME", "anna xyz"),
    ("fix", "declare", "GAME", "Anna many"),
    ("fix", "header", "GAME", "player", "9", "Zoe"),
    ("fix", "accept", "NOBODY", "1", "--who", "Anna", "--why", "so"),
    ("annotate", "NOBODY"),
    ("annotate", "GAME", "99", "hm"),
    ("show", "NOBODY"),
    ("show", "GAME", "--at", "99"),
    ("show", "CUT"),
    ("show", "ZST"),
    ("export", "ZST", "--format", "pack"),
    ("export", "ZST", "--format", "scores"),
    ("show", "NONE"),
    ("show", "EMPTY"),
    ("show", "--log", "NONE"),
    ("replay", "NONE"),
    ("fix", "locate", "NONE"),
    ("seal", "--checkpoint", "NONE"),
    ("compare", "GAME", "NONE"),
    ("seal", "CUT"),
    ("undo", "CUT"),
    ("fix", "salvage", "CUT"),
    ("sheet", "show", "--sheet", "NONE"),
    ("whatif",),
    ("whatif", "--option", "nothing=x"),
    ("export", "NONE", "--format", "html"),
    ("export", "CUT", "--format", "html"),
    ("export", "NONE", "--format", "pack"),
    ("export", "GAME", "--to", "x.exe"),
    ("query", "SELECT nothing"),
    ("query", "@nothing"),
    ("report", "nothing"),
    ("report", "player"),
    ("tables", "nothing"),
    ("index", "NOBODY"),
    ("simulate", "--policies", "clairvoyant", "--to", "NONE"),
    ("games", "--since", "yesterday"),
    ("games", "bring-back", "NOBODY"),
    ("schema", "nothing"),
    ("new", "--players", "Anna"),
    ("score", "Anna 63"),
    ("play", "--deal", "NOBODY"),
    ("sheet", "cards", "nothing"),
    ("fix", "reading", "GAME", "nothing", "price", "4"),
    ("fix", "withdraw", "GAME", "99"),
    ("config", "get", "nothing"),
    ("completion", "nothing"),
    ("simulate", "--to", "THERE", "--seats", "9"),
    ("simulate", "--to", "THERE", "--policies", "nobody"),
    ("nothing",),
)
# These answer, and say what spoils it: exit code and words on stderr.
SPOILT = (
    (2, ("validate", "CUT")),
    (2, ("validate", "CUT", "GAME")),
    (2, ("validate", "NONE")),
    (2, ("export", "CUT", "--format", "pack")),
    (2, ("export", "CUT", "--format", "scores")),
    (2, ("import", "CUT")),
    (2, ("import", "ZST")),
    (2, ("import", "ZST", "CLEAN")),
    (2, ("validate", "ZST")),
    (2, ("export", "ZST", "CLEAN", "--format", "pack")),
    (2, ("whatif", "ZST", "--option", "tie=shared")),
    (2, ("import", "NONE")),
    (2, ("import", "BROKEN")),
    (2, ("import", "TEXT")),
    (2, ("whatif", "CUT", "--option", "tie=shared")),
    (2, ("sheet", "affects", "CUT")),
    (2, ("show", "DAMAGED")),
    (2, ("show", "--log", "DAMAGED")),
    (2, ("replay", "DAMAGED")),
    (2, ("export", "DAMAGED", "--format", "json")),
    (0, ("show", "TORN")),
    (1, ("validate", "TORN")),
    (1, ("validate", "FINDINGS")),
    (1, ("import", "PARTED")),
    (1, ("import", "ROW")),
    (0, ("import", "CLEAN")),
    (0, ("validate", "CLEAN")),
)


@pytest.fixture
def places(run: Run, tmp_path: Path) -> Mapping[str, str]:
    """What the words in capitals stand for."""
    game = run("new", "--players", "Anna,Bob,Cleo").stdout.strip()
    run("play", game, FIRST_DEAL)
    for name, more in (("there", b"mine"), ("none.jsonl", b"{}\n"), ("row.csv", b"date,A,B\n2024-01-01,1,x\n")):
        (tmp_path / name).write_bytes(more)
    (tmp_path / "text.txt").write_text('[spyrium "game-text"]\n[players "Anna"]\np1x\n', encoding="utf-8")
    (tmp_path / "broken.html").write_text("<!DOCTYPE html>\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    story = EXAMPLES / "misplayed.jsonl"
    for name in ("cut.jsonl", "cut.jsonl.zst"):
        pack = tmp_path / name
        write_pack(pack, [Game(CLEAN.read_bytes()), Game(story.read_bytes())])
        pack.write_bytes(pack.read_bytes()[:-100])
    run("import", EXAMPLES / "counted.jsonl")
    return {
        "GAME": game,
        "SCORES": run("score", "Anna 1, Bob 2").stdout.strip(),
        "NOBODY": "0000",
        "NONE": str(tmp_path / "none.jsonl"),
        "EMPTY": str(tmp_path / "empty"),
        "THERE": str(tmp_path / "there"),
        "CUT": str(tmp_path / "cut.jsonl"),
        "ZST": str(tmp_path / "cut.jsonl.zst"),
        "BEGUN": run("new", "--players", "Anna,Bob").stdout.strip(),
        "BROKEN": str(tmp_path / "broken.html"),
        "TEXT": str(tmp_path / "text.txt"),
        "ROW": str(tmp_path / "row.csv"),
        "CLEAN": str(CLEAN),
        "FINDINGS": str(story),
        # another history under an id that is here
        "PARTED": str(EXAMPLES / "first-round.jsonl"),
        "DAMAGED": str(EXAMPLES / "flipped-bit.jsonl"),
        "TORN": str(EXAMPLES / "cut-off-in-mid-line.jsonl"),
    }


def test_what_ends_a_command_is_told_one_way(run: Run, places: Mapping[str, str]) -> None:
    for code, words in (*((1, words) for words in REFUSED), *((2, words) for words in WRONG)):
        result = run(*(places.get(word, word) for word in words), code=code, stdin="")
        assert (words, result.stdout) == (words, "")
        # what is indented belongs to what stands above it
        told = [line for line in result.stderr.splitlines() if line[:1] not in {"", " "}]
        assert [line.startswith("Error: ") for line in told].count(True) == 1, told
        assert told[-1].startswith("Error: ") or told[-1] == "nearest legal moves:", told


def test_what_can_be_read_is_read_all_the_same(run: Run, places: Mapping[str, str]) -> None:
    for code, words in SPOILT:
        result = run(*(places.get(word, word) for word in words), code=code)
        assert "Error: " not in result.stderr, words
        # these two list only what would be otherwise
        assert result.stdout_bytes or words[:2] == ("sheet", "affects") or words[0] == "whatif", words


def test_every_command_is_tried() -> None:
    """All but those that read nothing of anybody's, or have a rule of their own for what they find."""
    tried = {words[:2] for words in (*REFUSED, *WRONG, *(words for _, words in SPOILT))}
    assert COMMANDS.keys() - {words[0] for words in tried} == {"demo", "doctor"}
    assert {("fix", name) for name in FIXES.summaries} <= tried
