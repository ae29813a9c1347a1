"""`spyrium index` and `spyrium tables`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spyrium_cli.main import cli
from spyrium_cli.tree import COMMANDS
from spyrium_log.log.pack import Game
from spyrium_log.readmodel.tables import OF_GAMES
from spyrium_log.store import Folder
from tests.packs import write_pack
from tests.readmodel.archive import raw
from tests.shares import share


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games, and a pack of two."""
    archive = Folder(tmp_path / "archive")
    for seed in (1, 2):
        archive.write_whole(raw(seed))
    write_pack(archive.path / "old.jsonl.zst", [Game(raw(seed)) for seed in (4, 5)], level=1)
    return archive.path


def spyrium(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--archive", str(folder), *words], prog_name="spyrium")


def test_index_reads_what_changed_and_says_how_much(folder: Path) -> None:
    for words, said in (
        (("index",), "built anew, 4 games read, 0 removed, 0 unchanged"),
        (("index",), "0 games read, 0 removed, 4 unchanged"),
        (("index", "--rebuild"), "built anew, 4 games read, 0 removed, 0 unchanged"),
    ):
        result = spyrium(folder, *words)
        assert (result.exit_code, result.stdout, result.stderr.splitlines()[0]) == (0, "", said)
    (folder / "game-0001.jsonl").unlink()
    assert spyrium(folder, "index").stderr == "0 games read, 1 removed, 3 unchanged\n"


def test_why_an_index_is_built_anew_is_said(folder: Path) -> None:
    (folder / "index.duckdb").write_bytes(b"no database\n" * 999)
    said = spyrium(folder, "index").stderr.splitlines()
    assert said[1].startswith("why anew: expected an index, found")


def test_what_is_in_two_files_is_said_by_the_name_of_the_file(folder: Path) -> None:
    Folder(folder).write_whole(raw(4))
    result = spyrium(folder, "index")
    named = folder / "old.jsonl.zst"
    said = "expected a game of its own, found game 'game-0004', which is in 'game-0004'"
    assert result.stderr.splitlines()[0] == f"Warning: left out: {named}: {said}"


def test_no_archive_is_said(tmp_path: Path) -> None:
    result = spyrium(tmp_path / "none", "index")
    assert (result.exit_code, result.stderr.startswith("Error: expected a folder of logs, found none")) == (2, True)


def test_tables_lists_every_table_and_macro(folder: Path) -> None:
    result = spyrium(folder, "tables", "--format", "csv")
    assert result.exit_code == 0
    names = {line.split(",")[1] for line in result.stdout.splitlines()[1:]}
    assert names >= {
        *OF_GAMES,
        "card",
        "sheet_value",
        "resource",
        "result",
        "technique_scores()",
        "with_without(asked)",
    }


def test_tables_describes_one(folder: Path) -> None:
    result = spyrium(folder, "tables", "offer", "--format", "csv")
    first, second, *_ = result.stdout.splitlines()
    assert first == "column,type,may be null,says"
    assert second.startswith("game,VARCHAR,")
    assert '"The least it costs now' in result.stdout
    result = spyrium(folder, "tables", "ofer")
    assert result.exit_code == 2
    assert result.stderr == ("Error: expected a table, a view or a table macro, found 'ofer': did you mean 'offer'?\n")
    assert "(there are alias, card, card_averages, " in spyrium(folder, "tables", "t975").stderr


def test_every_table_macro_is_described_and_no_archive_is_needed(tmp_path: Path) -> None:
    nowhere = tmp_path / "none"
    listed = [line.split(",", 1) for line in spyrium(nowhere, "tables", "--format", "csv").stdout.splitlines()]
    macros = [rest.strip('"').partition("(")[0] for kind, rest in listed if kind == "table macro"]
    assert len(macros) > 10
    for macro in share(macros, 4):
        said = spyrium(nowhere, "tables", f"{macro}()", "--format", "csv").stdout.splitlines()
        assert (said[0], len(said) > 3) == ("column,type,may be null,says", True)
    assert not nowhere.exists()


def test_both_verbs_are_listed() -> None:
    assert {"index", "tables"} <= set(COMMANDS)
