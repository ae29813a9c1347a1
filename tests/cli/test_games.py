"""games, log, doctor, completion, schema, and what new asks: the archive and its people in order."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.shell_completion import BashComplete, CompletionItem, ShellComplete

from spyrium_cli.main import cli
from spyrium_log import open_archive
from spyrium_log.store import AWAY, Folder
from tests.cli.conftest import Run
from tests.cli.test_tool import SPYRIUM, shell

ROOT = Path(__file__).parents[2]


def ids(run: Run, *arguments: object) -> list[str]:
    return [row["game"] for row in json.loads(run("games", *arguments, "--format", "json").stdout)]


# --- games ---------------------------------------------------------------------------------------


def test_games_are_listed_and_filtered(run: Run, whole: str) -> None:
    early = run("new", "--players", "Dora,Emil", "--date", "2025-03-01", "--place", "Łódź").stdout.strip()
    late = run("new", "--players", "Anna,Dora", "--date", "2026-02-01").stdout.strip()
    assert ids(run) == [late, early, whole]
    assert ids(run, "--player", "dora") == [late, early]
    assert ids(run, "--player", "dor", "--player", "an") == [late]
    assert ids(run, "--since", "2026") == [late]
    assert ids(run, "--until", "2025") == [early]
    assert ids(run, "--since", "2025-03-02", "--until", "2026-02") == [late]
    assert "not before --since (2026)" in run("games", "--since", "2026", "--until", "2025", code=2).stderr
    assert "in --since, found 'monday'" in run("games", "--since", "monday", code=2).stderr
    assert ids(run, "--grade", "finished", "--grade", "clean") == [whole]
    assert ids(run, "--grade", "unfinished") == [late, early]
    assert ids(run, "--source", "simulated") == ids(run, "--title", "chess") == []
    (row,) = json.loads(run("games", "--grade", "finished", "--format", "json").stdout)
    assert row["players"] == ["Anna", "Bob", "Cy"]
    assert len(row["totals"]) == 3
    assert row["winners"]
    listed = run("games").stdout.splitlines()[1:]
    assert [whole.startswith(line.split()[0]) for line in listed] == [False, False, True]
    assert re.search(r"^\w{4,}(-\w*)* +2025-03-01 +spyrium +Dora 0, Emil 0 +open$", listed[1])
    assert re.search(r" +spyrium +Anna ~\d+, Bob ~\d+, Cy ~\d+★ +done$", listed[2])
    assert "no such command 'mege': did you mean 'merge'?" in run("games", "mege", code=2).stderr


def test_a_line_of_the_list_names_a_game_alone(run: Run, whole: str) -> None:
    for _ in range(3):
        run("new", "--players", "Dora,Emil")
    shown = [line.split()[0] for line in run("games").stdout.splitlines()[1:]]
    assert [game for each in shown for game in ids(run) if game.startswith(each)] == ids(run)
    assert run("show", next(each for each in shown if whole.startswith(each))).stdout == run("show", whole).stdout


def test_a_game_is_a_line_of_eighty_letters_though_names_are_long(run: Run, screen: Callable[..., str]) -> None:
    run("score", "Konstantinopolitanczykiewicz 63, Maximiliana-Theresa 58, Bo 58, Ann-Sophie Charlotte 12")
    _, head, _, line, *rest = screen("games").splitlines()
    assert "state" in head
    assert re.search(r"Ko\w*… 63★, Ma\w*… 58, Bo 58, An\S*… 12 +score sheet", line)
    assert len(line) <= 80
    assert not any(rest)


def test_put_away_is_not_counted_and_not_lost(run: Run, game: str, archive: Path) -> None:
    notes = archive / f"{game}.notes.jsonl"
    notes.write_text("", encoding="utf-8")
    raw = (archive / f"{game}.jsonl").read_bytes()
    run("games", "put-away", "@last")
    assert ids(run) == []
    assert run("validate").stderr == "no games\n"
    assert game in run("games", "away").stdout
    assert sorted(path.name for path in (archive / AWAY).iterdir()) == [f"{game}.jsonl", notes.name]
    run("games", "bring-back", game[:8])
    assert ids(run) == [game]
    assert (archive / f"{game}.jsonl").read_bytes() == raw
    assert notes.exists()
    assert not list((archive / AWAY).iterdir())


def test_nothing_is_moved_over_another_or_from_elsewhere_or_from_under_a_writer(
    run: Run, game: str, archive: Path, tmp_path: Path
) -> None:
    raw = (archive / f"{game}.jsonl").read_bytes()
    with Folder(archive).open_writer(game):
        assert "only writer" in run("games", "put-away", game, "--wait", "0", code=1).stderr
    (archive / AWAY).mkdir()
    (archive / AWAY / f"{game}.jsonl").write_bytes(b"another")
    assert f"expected no '{game}.jsonl' there, found one" in run("games", "put-away", game, code=2).stderr
    assert (archive / f"{game}.jsonl").read_bytes() == raw
    (tmp_path / "x.jsonl").write_bytes(raw)
    assert "found one elsewhere" in run("games", "put-away", tmp_path / "x.jsonl", code=2).stderr
    run("games", "bring-back", "0000", code=2)


def test_two_spellings_are_one_person(run: Run, archive: Path) -> None:
    run("new", "--players", "Anna,Bob")
    run("new", "--players", "Ana,Bob", "--exact")
    run("games", "merge", "Ana", "Anna")
    run("games", "merge", "ana", "Anna")
    assert (archive / "players.toml").read_text(encoding="utf-8").count('name = "Anna"\nalso = ["Ana"]\n') == 1
    assert [row["players"] for row in json.loads(run("games", "--format", "json").stdout)] == [["Anna", "Bob"]] * 2
    for typed in ("anna", "Ana", "ANA", "An", "ann"):
        assert len(ids(run, "--player", typed)) == 2
    assert ids(run, "--player", "anax") == []
    assert "'ANA' is Anna" in run("new", "--players", "ANA,Bob").stderr
    assert "'Anna' twice" in run("new", "--players", "Ana,Anna", code=2).stderr
    assert "which are one" in run("games", "merge", "Anna", "ANNA", code=2).stderr
    run("new", "--players", "Bobby,Cy", "--exact")
    run("games", "merge", "Bobby", "Bob")
    assert "found it to be 'Bob'" in run("games", "merge", "Bob", "Anna", code=2).stderr


def test_only_somebody_who_has_played_here_is_merged(run: Run, archive: Path) -> None:
    for players in ("Anna,Bob", "Ana,Tom Jones"):
        run("new", "--players", players, "--exact")
    run("config", "set", "players", "Dora,Bob")
    for typed, hint in (
        ("Annna", "did you mean Anna, Ana?"),
        ("Tom", "did you mean tom jones?"),
        ("Zed", "found 'Zed'\n"),
    ):
        for words in ((typed, "Anna"), ("Bob", typed)):
            said = run("games", "merge", *words, code=2).stderr
            assert f"expected somebody who has played here, found '{typed}'" in said
            assert hint.casefold() in said.casefold()
    assert "somebody who has played here" in run("games", "merge", "A\x1b", "Anna", code=2).stderr
    assert not (archive / "players.toml").exists()
    # somebody of the settings, and the id that another program gives a player
    run("games", "merge", "Ana", "Dora")
    run("games", "merge", "6F0A7B1C-0000-4000-8000-000000000001", "Bob of the club")
    assert "which are one" in run("games", "merge", "Bob", "bob", code=2).stderr


def test_a_merge_is_tried_first_and_taken_back(run: Run, archive: Path) -> None:
    for players in ("Anna,Bob", "Ana,Bob", "Cy,Ana", "Cy,Bob"):
        run("new", "--players", players, "--exact")
    names = archive / "players.toml"
    tried = run("games", "merge", "ana", "Anna", "--dry-run")
    assert tried.stderr == "ana would be Anna, in 2 games; nothing was written\n"
    assert sorted(line.split("  ")[-1].strip() for line in tried.stdout.splitlines()[1:]) == ["Anna, Bob", "Cy, Anna"]
    assert not names.exists()
    assert "2 games with Ana; to take it back: spyrium games merge Ana Anna --undo\n" in (
        run("games", "merge", "Ana", "Anna").stderr
    )
    before = names.read_bytes()
    assert run("games", "merge", "Ana", "Anna", "--undo", "--dry-run").stderr == (
        "Ana would be somebody else than Anna again, in 2 games; nothing was written\n"
    )
    assert names.read_bytes() == before
    assert len(ids(run, "--player", "Anna")) == 3
    assert "in 2 games" in run("games", "merge", "Ana", "Anna", "--undo").stderr
    assert sorted(ids(run, "--player", "Anna")) != sorted(ids(run, "--player", "Ana"))
    assert len(ids(run, "--player", "Anna")) == 1
    for words in (("Ana", "Anna"), ("Anna", "Anna"), ("Zed", "Anna")):
        assert "found two people" in run("games", "merge", *words, "--undo", code=2).stderr


def test_what_people_wrote_by_hand_stays_when_a_spelling_goes(run: Run, archive: Path) -> None:
    run("new", "--players", "Anna,Bob")
    names = archive / "players.toml"
    by_hand = '# ours\n[[player]]\nname = "Anna"  # from Bonn\nalso = ["Ana", "annan"]\n\n[[player]]\nname = "Bob"\n'
    names.write_text(f"{by_hand}also = ['Bobby']\n", encoding="utf-8")
    run("games", "merge", "Ana", "Anna", "--undo")
    assert names.read_text(encoding="utf-8") == f"{by_hand}also = ['Bobby']\n".replace('"Ana", ', "")
    run("games", "merge", "Bobby", "Bob", "--undo")
    assert names.read_text(encoding="utf-8").rstrip() == by_hand.replace('"Ana", ', "").partition("\n\n")[0]
    names.write_text('player = [{name = "Anna", also = ["Ana"]}, {name = "Bob", also = ["B"]}]\n', encoding="utf-8")
    run("games", "merge", "Ana", "Anna", "--undo")
    assert 'Ana"' not in names.read_text(encoding="utf-8").replace('"Anna"', "")
    assert '"B"' in names.read_text(encoding="utf-8")


def test_whoever_asks_hears_of_one_person(run: Run, archive: Path) -> None:
    """`games` alone obeyed: tables, reports and exports told Ana and Anna apart."""
    # each with other points, for a sheet that says the same is counted once
    for first, names in enumerate((("Anna", "Bob"), ("Ana", "Bob"), ("ANA", "Cy")), 40):
        run("score", ", ".join(f"{name} {points}" for name, points in zip(names, (first, 30), strict=True)), "--exact")
    run("query", "SELECT 1")
    run("games", "merge", "Ana", "Anna")
    rows = json.loads(run("query", "SELECT player, written FROM seat ORDER BY written", "--format", "json").stdout)
    assert [tuple(row.values()) for row in rows] == [
        ("Anna", "ANA"), ("Anna", "Ana"), ("Anna", "Anna"), ("Bob", "Bob"), ("Bob", "Bob"), ("Cy", "Cy")
    ]  # fmt: skip
    ratings = json.loads(run("report", "ratings", "--least", "1", "--format", "json").stdout)
    assert {row["player"]: row["games"] for row in ratings["figures"][0]["rows"]} == {"Anna": 3, "Bob": 2, "Cy": 1}
    for spelling in ("Anna", "Ana", "ANA"):
        page = json.loads(run("report", "player", "--player", spelling, "--format", "json").stdout)
        assert page["options"]["player"] == "Anna"
        assert sum(row["games"] for row in page["figures"][0]["rows"]) == 3
    assert len(open_archive(archive).query("SELECT DISTINCT player FROM seat").rows) == 3
    for form, name in (("scores", "Ana,"), ("bgstats", '"Ana"')):
        written = run("export", "--format", form).stdout
        assert name not in written
        assert name.replace("Ana", "Anna") in written
    assert json.loads(run("import", "-", "--format", "json", stdin=run("export", "--format", "scores").stdout).stdout)
    (archive / "players.toml").unlink()
    apart = run("query", "SELECT DISTINCT player FROM seat ORDER BY player", "--format", "csv").stdout.split()
    assert apart == ["player", "ANA", "Ana", "Anna", "Bob", "Cy"]


def test_one_person_has_one_other_name(run: Run, tmp_path: Path) -> None:
    for name in ("Anna", "Ana", "Cy"):
        run("score", f"{name} 40, Bob 30", "--exact", "--date", "unknown")
    run("games", "merge", "Ana", "Anna")
    for count, merged in ((3, True), (4, False)):
        rows = run("export", "--format", "scores", "--anonymise").stdout.splitlines()[1:]
        assert len({re.findall(r"person-\w+", row)[0] for row in rows}) == count
        data = tmp_path / f"data-{count}"
        run("export", "--format", "dataset", "--to", data, "--anonymise")
        assert not (data / "data" / "alias").exists()
        players = "SELECT DISTINCT player FROM read_parquet($file, hive_partitioning = true)"
        names = duckdb.execute(players, {"file": f"{data}/data/seat/**/*.parquet"}).fetchall()
        assert len(names) == count
        if merged:
            (Path(run("config", "get", "archive").stdout.strip()) / "players.toml").unlink()


def test_two_spellings_at_one_table_stay_apart_there(run: Run, archive: Path) -> None:
    run("score", "Anna 40, Ana 30", "--exact")
    run("score", "Ana 40, Bob 30", "--exact")
    assert "at one table: Anna, Ana" in run("games", "merge", "Ana", "Anna", code=2).stderr
    (archive / "players.toml").write_text('[[player]]\nname = "Anna"\nalso = ["Ana"]\n', encoding="utf-8")
    asked = ("query", "SELECT player FROM seat WHERE written = 'Ana' ORDER BY player", "--format", "csv")
    first = run(*asked)
    assert first.stdout.split() == ["player", "Ana", "Anna"]
    assert "Anna, Ana sit in one game, though both are Anna: they stay apart in it" in first.stderr
    assert "stay apart" not in run(*asked).stderr


@pytest.mark.parametrize(
    "raw",
    [
        b"[[player]]\n",
        b"\xff",
        b"player = 3",
        b"x" * ((1 << 20) + 1),
        b"player = " + b"[" * 9999,
        b'[[player]]\nname = "A"\nalso = ["x"]\n[[player]]\nname = "B"\nalso = ["X"]\n',
    ],
    ids=["no name", "no UTF-8", "no table", "vast", "deep", "two people"],
)
def test_names_that_are_none_are_one_sentence(run: Run, game: str, archive: Path, raw: bytes) -> None:
    assert game
    (archive / "players.toml").write_bytes(raw)
    said = run("games", code=2).stderr
    assert said.startswith("Error: expected ")
    assert len(said.splitlines()) == 1
    run("new", "--players", "Anna,Bob", code=2)
    run("new", "--players", "Anna,Bob", "--exact")


# --- new -----------------------------------------------------------------------------------------


def header_of(archive: Path, game: str) -> dict[str, Any]:
    header: dict[str, Any] = json.loads((archive / f"{game}.jsonl").read_bytes().partition(b"\n")[0])
    return header


def seats(archive: Path, game: str) -> list[str]:
    return [seat["player"] for seat in header_of(archive, game)["seats"]]


def test_a_beginning_is_a_known_name(run: Run, game: str, archive: Path) -> None:
    assert game
    result = run("new", "--players", "an,BOB,Dora,C")
    assert seats(archive, result.stdout.strip()) == ["Anna", "Bob", "Dora", "C"]
    assert "'an' is Anna (--exact takes names as they are)\n'BOB' is Bob" in result.stderr
    assert seats(archive, run("new", "--players", "dor,EMIL", "--exact").stdout.strip()) == ["dor", "EMIL"]
    run("new", "--players", "Dorothy,Doris")
    assert seats(archive, run("new", "--players", "doro,do").stdout.strip()) == ["Dorothy", "do"]
    run("new", "--players", "Annabel,Cy")
    assert seats(archive, run("new", "--players", "annab,Cy").stdout.strip()) == ["Annabel", "Cy"]
    assert "found 'Anna' twice" in run("new", "--players", "Anna,anna", code=2).stderr


def test_asked_nothing_it_asks(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spyrium_cli.commands.table.new._is_interactive", lambda: True)
    typed = "Anna\nAnna,Bob,Cy\npink\ngreen,red\nzoe\nbob\nat home\n2026-05-01\nlp\npl\ntie=mine\ntie=shared\n"
    result = run("new", stdin=typed)
    header = header_of(archive, result.stdout.strip())
    assert [(seat["player"], seat["colour"]) for seat in header["seats"]] == [
        ("Anna", "green"),
        ("Bob", "red"),
        ("Cy", "blue"),
    ]
    assert (header["first"], header["place"]) == (2, "at home")
    assert (header["played"], header["edition"], header["options"]) == (
        "2026-05-01",
        "pl",
        {"crane-discount": "whole-cost", "residence-action": "may-decline"},
    )
    for said in ("found 1", "found 'pink'", "found none for 'zoe'", "found 'lp'", "found 'mine'"):
        assert said in result.stderr
    again = run("new", stdin="\n" * 7)
    header = header_of(archive, again.stdout.strip())
    assert [seat["colour"] for seat in header["seats"]] == ["green", "red", "blue"]
    assert (header["first"], header["place"], header["edition"]) == (1, "at home", "pl")
    assert "found the end of the input" in run("new", stdin="", code=2).stderr
    for log in archive.glob("*.jsonl"):
        log.write_bytes(b"{}\n")
    run("new", stdin="Anna,Bob" + "\n" * 7)


def test_nobody_to_ask(run: Run, archive: Path) -> None:
    assert "expected --players, found nobody at a terminal to ask" in run("new", code=2).stderr
    assert not archive.exists()


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize(("typed", "code"), [(b"Anna,Bob\n\n\n\n\n\n\n", 0), (b"\x03", 130)])
def test_at_a_real_terminal_the_questions_are_talk(archive: Path, typed: bytes, code: int) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*SPYRIUM, "new"],
        env={**os.environ, "SPYRIUM_ARCHIVE": str(archive), "TERM": "dumb"},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_take_terminal,  # noqa: PLW1509 - ^C reaches whom the terminal belongs to
    ) as asking:
        os.close(theirs)
        said = b""
        while b"Players, in the order of seats" not in said:
            said += os.read(ours, 1000)
        assert _answered(asking, ours, typed) == code
        assert asking.stdout is not None
        out = asking.stdout.read()
    os.close(ours)
    assert len(list(archive.glob("*.jsonl"))) == (code == 0)
    assert out.decode().strip() == "".join(path.stem for path in archive.glob("*.jsonl"))


def _answered(asking: subprocess.Popen[bytes], terminal: int, typed: bytes) -> int:
    """The exit code. An interrupt in the moment before Python waits for the keyboard would be seen after it only."""
    for _ in range(40):
        os.write(terminal, typed)
        try:
            return asking.wait(0.5)
        except subprocess.TimeoutExpired:
            continue
    asking.kill()
    return asking.wait()


def _take_terminal() -> None:
    import fcntl  # noqa: PLC0415 - in the child
    import termios  # noqa: PLC0415

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_the_settled_sheet(run: Run, tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.toml"
    own.write_text('name = "ours"\n["mine-1"]\nprice = [4, "read", "Anna", "2026-11-18"]\n', encoding="utf-8")
    run("config", "set", "sheet", own)
    game = run("new", "--players", "A,B").stdout.strip()
    assert '"ours"' in (archive / f"{game}.jsonl").read_text(encoding="utf-8")
    own.write_bytes(b"\xff")
    assert "the sheet that is settled at" in run("new", "--players", "A,B", code=2).stderr
    own.write_text("#" * ((1 << 20) + 1), encoding="utf-8")
    assert "characters of a sheet, found more" in run("new", "--players", "A,B", code=2).stderr
    monkeypatch.setenv("SPYRIUM_COLOURS", "red, green,blue")
    game = run("new", "--players", "A,B", "--sheet", "/dev/null", code=2).stdout
    assert game == ""


# --- names of games ------------------------------------------------------------------------------


def test_the_game_before_the_last(run: Run, archive: Path) -> None:
    made = [run("new", "--players", "A,B").stdout.strip() for _ in range(3)]
    for at, game in enumerate(made):
        os.utime(archive / f"{game}.jsonl", ns=(at, at))
    for back, which in (("@last", 2), ("@last~0", 2), ("@last~1", 1), ("@last~2", 0)):
        assert made[which] in run("validate", back).stdout
    assert "expected a game that many before the last one, found 3 games" in run("show", "@last~3", code=2).stderr
    assert "found none that begins with '@last~x'" in run("show", "@last~x", code=2).stderr


# --- log -----------------------------------------------------------------------------------------


def test_log_tells_what_was_undone(run: Run, game: str) -> None:
    run("play", game, "deal latecomer exchange " + " ".join(["mine-1"] * 9), "p12", "p25", "--anyway")
    run("undo", game, "--why", "a slip")
    told = run("show", "--log", game).stdout
    assert re.search(r"^3 +tester +undone by 4 +Bob places a worker", told, re.MULTILINE)
    assert re.search(r"^4 +tester +undo: as it was after line 2: a slip$", told, re.MULTILINE)
    assert "undone" not in run("show", "--log", game, "--at", 3).stdout
    said = [json.loads(line) for line in run("show", "--log", game, "--format", "jsonl").stdout.splitlines()]
    assert [one["status"] for one in said] == ["aside", "stands", "stands", "undone", "aside"]
    assert said[3]["through"] == 4
    assert said[1]["hash"]
    schema = json.loads(run("schema", "history").stdout)
    (made,) = schema["$defs"].values()
    assert said[0].keys() == made["properties"].keys()


# --- schema --------------------------------------------------------------------------------------


def test_schemas_need_no_tree(run: Run, whole: str) -> None:
    made = json.loads((ROOT / "schemas/spyrium.schema.json").read_text(encoding="utf-8"))
    assert json.loads(run("schema", "log").stdout) == made
    kinds = [line.split()[0] for line in run("schema").stdout.splitlines()[1:]]
    assert {"log", "notes", "verdict", "history", "config"} <= set(kinds)
    for kind in kinds:
        assert json.loads(run("schema", kind).stdout)["$schema"].endswith("2020-12/schema")
    verdict = json.loads(run("validate", whole, "--format", "jsonl").stdout)
    assert verdict.keys() <= json.loads(run("schema", "verdict").stdout)["$defs"]["Verdict"]["properties"].keys()
    assert "expected a schema of log, notes" in run("schema", "nothing", code=2).stderr


# --- doctor --------------------------------------------------------------------------------------


def looked(run: Run, code: int = 0) -> dict[str, tuple[str, str]]:
    rows = json.loads(run("doctor", "--format", "json", code=code).stdout)
    return {row["what"]: (row["is"], row["message"]) for row in rows}


def test_all_is_well(run: Run, whole: str, archive: Path) -> None:
    assert whole
    found = looked(run)
    assert {is_well for is_well, _ in found.values()} <= {"ok", "note"}
    assert {"python", "duckdb", "msgspec", "rich", "textual", "archive", "locks", "index", "logs"} <= found.keys()
    assert found["logs"] == ("ok", "1 log, 0 cannot be read")
    assert "not there yet" in found["index"][1]
    run("games")
    assert "up to date" in looked(run)["index"][1]
    os.utime(archive / f"{whole}.jsonl", ns=(2**62, 2**62))
    assert "older than the newest log" in looked(run)["index"][1]


def test_a_log_that_cannot_be_read_is_wrong_and_an_unfinished_one_is_not(run: Run, whole: str, archive: Path) -> None:
    path = archive / f"{whole}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind":"deci')
    assert looked(run)["log"][1].startswith("unfinished: ")
    (archive / "bad.jsonl").write_bytes(b"{}\n")
    (archive / "x.torn").write_bytes(b"{")
    rows = json.loads(run("doctor", "--format", "json", code=1).stdout)
    assert [row["message"] for row in rows if row["what"] == "logs"] == ["2 logs, 1 cannot be read"]
    assert any(row["is"] == "wrong" and "bad.jsonl:1" in row["message"] for row in rows)
    assert any(row["what"] == "torn ends" for row in rows)


def test_an_index_that_says_something_else_than_the_logs_is_wrong_and_stays_as_it_is(
    run: Run, whole: str, archive: Path
) -> None:
    index = archive / "index.duckdb"
    assert "tables" not in looked(run)
    run("games")
    assert looked(run)["tables"] == ("ok", "1 game, 1 of them compared with their logs")
    with duckdb.connect(str(index)) as connection:
        connection.execute("UPDATE seat SET player = 'Eve' WHERE seat = 2")
    before = index.read_bytes()
    found = looked(run, code=1)
    assert found["table"] == ("wrong", f"expected 'Bob', found 'Eve', at seat.player of {whole}")
    assert found["tables"][1].endswith("; 1 deviation: spyrium index --rebuild makes the index anew")
    assert "table" in run("doctor", "--all", "--sample", "0", "-q", code=1).stdout
    assert "0 of them compared" in run("doctor", "--sample", "0", code=0).stdout
    assert index.read_bytes() == before
    run("index", "--rebuild")
    assert looked(run)["tables"][0] == "ok"


def test_a_file_whose_position_was_lost_is_wrong_and_one_that_changed_since_is_not(
    run: Run, whole: str, archive: Path
) -> None:
    run("games")
    (archive / "new.jsonl").write_bytes(b"{}\n")
    rows = json.loads(run("doctor", "--format", "json", code=1).stdout)
    assert [(row["is"], row["message"]) for row in rows if row["what"] == "tables"] == [
        ("ok", "1 game, 1 of them compared with their logs; 1 file changed since, which the next question reads")
    ]
    (archive / "new.jsonl").unlink()
    with duckdb.connect(str(archive / "index.duckdb")) as connection:
        connection.execute("DELETE FROM position")
    assert looked(run, code=1)["table"] == ("wrong", f"expected '{whole}', found 'none', at position.file of {whole}")


def test_an_index_that_cannot_be_compared_is_said(run: Run, whole: str, archive: Path) -> None:
    assert whole
    (archive / "index.duckdb").write_bytes(b"no database")
    assert looked(run)["tables"][0] == "note"
    assert looked(run)["tables"][1].endswith("; the next question makes it anew")


def test_who_writes_is_said(run: Run, game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        assert looked(run)["locks"] == ("note", f"process {os.getpid()} writes {game}.jsonl")
    assert looked(run)["locks"] == ("ok", "nobody writes")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[options]\ntie = 'sharde'\n", "for 'tie', found 'sharde': did you mean 'shared'?, at {}:1"),
        ("[options]\nties = 'shared'\n", "found 'ties=shared': did you mean 'tie'?, at {}:1"),
        ("[editions.house]\ntie = 'no'\n", "for 'tie', found 'no', at {}:1"),
        ("\nedition = 'house'\n", "expected an edition of en, pl, ru, ru-desktopgames, found 'house', at {}:2"),
        ("colours = ['pink']\n", "found 'pink', at {}:1"),
        ("title = 'chess'\n", "expected a title of spyrium, founders, found 'chess', at {}:1"),
        ("sheet = 'own.toml'\n", "expected a table a component, found 'mine-1'"),
    ],
)
def test_what_a_new_game_would_stumble_over_is_said_where_it_was_settled(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    settled = tmp_path / "spyrium.toml"
    settled.write_text(text, encoding="utf-8")
    (tmp_path / "own.toml").write_bytes(b"mine-1 = 3\n")
    monkeypatch.chdir(tmp_path)
    word, found = looked(run, code=1)["new games"]
    assert (word, said.format(settled) in found) == ("wrong", True), found
    settled.write_text("edition = 'none'\n[options]\ntie = 'shared'\n", encoding="utf-8")
    assert looked(run)["new games"][0] == "ok"


def test_what_is_wrong_with_the_machine(
    run: Run, tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive.write_bytes(b"")
    found = looked(run, code=1)
    assert found["archive"][1].startswith("expected a folder, found a file")
    assert found["logs"][0] == "wrong"
    archive.unlink()
    settled = tmp_path / ".config/spyrium/spyrium.toml"
    settled.parent.mkdir(parents=True)
    settled.write_text('lnag = "pl"\n', encoding="utf-8")
    assert looked(run, code=1)["settings"] == ("wrong", f"{settled}:1: unknown key 'lnag', did you mean 'lang'?")
    settled.write_text("lang = 3\n", encoding="utf-8")
    assert "found 3" in looked(run, code=1)["settings"][1]
    settled.unlink()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "found no permission" in looked(run, code=1)["archive"][1]


# --- completion ----------------------------------------------------------------------------------


def offered(*words: str) -> list[CompletionItem]:
    *before, incomplete = words
    made: ShellComplete = BashComplete(cli, {}, "spyrium", "_SPYRIUM_COMPLETE")
    return made.get_completions(before, incomplete)


def test_games_are_completed_with_who_played(whole: str, archive: Path) -> None:
    (archive / "bad.jsonl").write_bytes(b"{}\n")
    found = {item.value: item.help for item in offered("show", "")}
    assert (found[whole] or "").startswith("Anna, Bob, Cy · 20")
    assert found["@last"] == "the game last written"
    assert found["bad"] == ""
    assert [item.value for item in offered("validate", whole[:4])] == [whole]
    assert [item.value for item in offered("games", "put-away", whole[:4])] == [whole]
    assert [item.type for item in offered("show", "./")] == ["file"]
    assert [item.value for item in offered("show", "@")] == ["@last"]


def test_names_are_completed_behind_the_last_comma(run: Run, whole: str) -> None:
    assert whole
    run("config", "set", "players", "Zoë,Anna")
    assert [item.value for item in offered("new", "--players", "")] == ["Zoë", "Anna", "Bob", "Cy"]
    assert [item.value for item in offered("new", "--players", "anna,b")] == ["anna,Bob"]
    assert "Anna" not in [item.value for item in offered("new", "--players", "anna,")]
    assert [item.value for item in offered("games", "--player", "c")] == ["Cy"]


def test_commands_and_options_are_completed(archive: Path) -> None:
    assert not archive.exists()
    assert {"show", "schema"} <= {item.value for item in offered("s")}
    assert [item.value for item in offered("games", "mer")] == ["merge"]
    assert "csv" in [item.value for item in offered("games", "--format", "")]
    assert "--format" in [item.value for item in offered("show", "--log", "--f")]


def test_settings_that_are_none_do_not_spoil_a_completion(archive: Path, tmp_path: Path) -> None:
    assert not archive.exists()
    settled = tmp_path / ".config/spyrium/spyrium.toml"
    settled.parent.mkdir(parents=True)
    settled.write_text("archive = 3\n", encoding="utf-8")
    env = {"_SPYRIUM_COMPLETE": "zsh_complete", "COMP_WORDS": "spyrium show ", "COMP_CWORD": "2", "HOME": str(tmp_path)}
    done = shell(SPYRIUM, {**env, "SPYRIUM_ARCHIVE": ""})
    assert (done.returncode, done.stderr) == (0, "")
    settled.write_text('archve = "x"\n', encoding="utf-8")
    done = shell(SPYRIUM, {**env, "SPYRIUM_ARCHIVE": ""})
    assert (done.returncode, done.stderr) == (0, "")
    assert "@last" in done.stdout


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_has_a_script(run: Run, name: str) -> None:
    said = run("completion", name).stdout
    assert "_SPYRIUM_COMPLETE" in said
    assert f"{name}_complete" in said


def test_bash_itself_completes(run: Run, whole: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/spyrium"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m spyrium_cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "completion").write_text(run("completion", "bash").stdout, encoding="utf-8")
    script = (
        f'. {tmp_path}/completion; COMP_LINE="spyrium show {whole[:6]}"; COMP_POINT=${{#COMP_LINE}}; '
        f'_spyrium_completion spyrium "{whole[:6]}" show; echo "${{COMPREPLY[@]}}"'
    )
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    assert shell(["bash", "-c", script], env).stdout == f"{whole}\n"
