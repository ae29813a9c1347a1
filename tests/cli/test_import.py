"""import and score: what comes in, what is left out, what is said of it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from spyrium_log.exchange import bgstats, csv_scores
from spyrium_log.exchange.values import MAX_BYTES
from spyrium_log.replay import replay
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.exchange.made_up import ANNA, GAMES, PLAYS_XML, encoded, export, play_row, score_row
from tests.log.test_notes import note

CSV = "date,Anna,Bob,Cleo\n2024-01-05,63,58,\n2024-01-06,40,,41\n"
EXAMPLES = Path(__file__).parents[2] / "examples" / "spyrium"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def seats_of(archive: Path, game: str) -> list[str]:
    return [seat.player for seat in Folder(archive).read_log(game).header.seats]


# --- import --------------------------------------------------------------------------------------


def test_games_come_in_once(run: Run, archive: Path, table: Path) -> None:
    first = run("import", table, "--format", "csv")
    assert [(row["what"], row["played"], row["players"], row["from"]) for row in rows(first.stdout)] == [
        ("new", "2024-01-05", "Anna 63, Bob 58", f"{table}:2"),
        ("new", "2024-01-06", "Anna 40, Cleo 41", f"{table}:3"),
    ]
    assert first.stderr == "2 new\n"
    before = {path: path.read_bytes() for path in archive.iterdir()}
    assert run("import", table).stderr == "2 there\n"
    assert {path: path.read_bytes() for path in archive.iterdir()} == before


def test_a_dry_run_writes_nothing(run: Run, archive: Path, table: Path) -> None:
    result = run("import", table, "--dry-run", "--alias", "Annie=Anna", "--format", "json")
    assert [row["what"] for row in json.loads(result.stdout)] == ["new", "new"]
    assert result.stderr == "2 new (nothing was written)\n"
    assert not archive.exists()


def test_every_format_by_its_content(run: Run, tmp_path: Path, table: Path) -> None:
    (tmp_path / "BGStatsExport.json").write_bytes(
        encoded(export(play_row([score_row(1, "12+5"), score_row(2, "1")]), play_row([], gameRefId=8, uuid="x")))
    )
    (tmp_path / "plays.xml").write_text(PLAYS_XML, encoding="utf-8")
    files = [table, tmp_path / "BGStatsExport.json", tmp_path / "plays.xml", EXAMPLES / "shared-win.jsonl"]
    result = run("import", *files, "--format", "jsonl")
    summary, repeated, total = result.stderr.splitlines()
    assert summary == "5 new, 3 of other games"
    # the same two played that day, by the table and by the other program
    assert "2024-01-0" in repeated
    assert ": the same day, players and scores as " in repeated
    assert total.startswith("1 game with the result of another game of that day")
    assert [json.loads(line)["what"] for line in result.stdout.splitlines()].count("other") == 2


def test_what_is_left_out_is_listed_and_exit_1(run: Run, table: Path) -> None:
    table.write_text(CSV.replace("58", "5.8"), encoding="utf-8")
    result = run("import", table, code=1)
    assert f"{table}:2  expected a whole number of points, found '5.8' in column 'Bob' for 'Bob'" in result.stdout
    assert result.stderr == "1 new, 1 left out\n"


def test_the_reasons_are_in_the_language_of_people_alone(run: Run, table: Path, tmp_path: Path) -> None:
    table.write_text(CSV.replace("58", "5.8"), encoding="utf-8")
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"date,Anna,Bob\n\xff,1,2\n")
    english = "expected a whole number of points, found '5.8' in column 'Bob' for 'Bob'"
    call = ("import", table, broken, "--dry-run", "--as", "csv")
    for language, word in (("pl", "oczekiwano"), ("ru", "ожидал")):
        shown = run(*call, "--lang", language, code=2).stdout
        assert shown.count(word) == 2
        assert "expected" not in shown
        for form in ("csv", "json", "jsonl"):
            written = run(*call, "--lang", language, "--format", form, code=2).stdout
            assert written == run(*call, "--format", form, code=2).stdout
            assert english in written


def test_a_file_that_cannot_be_used_takes_no_other_with_it_and_exit_2(run: Run, tmp_path: Path, table: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "empty").mkdir()
    files = (tmp_path / "picture", tmp_path / "none.csv", tmp_path / "empty", table)
    result = run("import", *files, "--format", "csv", code=2)
    assert [row["what"] for row in rows(result.stdout)] == ["unusable"] * 3 + ["new"] * 2
    assert result.stderr == "2 new, 3 unusable\n"
    assert [row["why"].rpartition(", at ")[2] for row in rows(result.stdout)][:3] == [str(file) for file in files[:3]]


def test_a_format_can_be_forced(run: Run, table: Path) -> None:
    assert "expected JSON, found" in run("import", table, "--as", "bgstats", code=2).stdout
    assert run("import", "-", "--as", "csv", stdin=CSV).stderr == "2 new\n"
    assert "expected XML" in run("import", "-", "--as", "bgg", stdin=b"\xff", code=2).stdout


def test_logs_in_a_row_come_in_as_those_of_a_pack(run: Run, archive: Path) -> None:
    logs = [(EXAMPLES / f"{name}.jsonl").read_bytes() for name in ("whole-game-2-players", "whole-game-3-players")]
    damaged = logs[0].replace(b'"n":7,', b'"n":8,', 1)
    result = run("import", "-", "--format", "csv", stdin=damaged + logs[1] + logs[0], code=2)
    assert [row["what"] for row in rows(result.stdout)] == ["unusable", "new", "new"]
    assert "found 8" in rows(result.stdout)[0]["why"]
    assert sorted(path.read_bytes() for path in archive.glob("*.jsonl")) == sorted(logs)


def test_a_file_without_end_is_not_read_to_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "giant.json"
    with path.open("wb") as file:
        file.write(b'{"plays": ["')
        file.truncate(MAX_BYTES + 1)
    assert f"expected at most {MAX_BYTES} bytes, found more, at {path}" in run("import", path, code=2).stdout


def test_an_alias_of_this_call_is_kept(run: Run, archive: Path, table: Path) -> None:
    run("import", table, "--alias", "anna=Anna Nowak")
    assert sorted(player for game in Folder(archive).list_names() for player in seats_of(archive, game)) == [
        "Anna Nowak",
        "Anna Nowak",
        "Bob",
        "Cleo",
    ]
    assert (archive / "players.toml").read_text(encoding="utf-8").endswith('name = "Anna Nowak"\nalso = ["anna"]\n')
    assert run("import", table, "--alias", "Anna=Anna Nowak").stderr == "2 there\n"
    assert (archive / "players.toml").read_text(encoding="utf-8").count("[[player]]") == 1
    assert "found 'Anna' for" in run("import", table, "--alias", "Anna=Other", code=2).stderr
    assert "expected SPELLING=NAME" in run("import", table, "--alias", "Anna", code=2).stderr


def test_a_game_told_otherwise_is_refused_and_exit_1(run: Run, archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_bytes(encoded(export(play_row([score_row(1, "1"), score_row(2, "2")]))))
    run("import", path)
    before = {name: Folder(archive).hash_log(name) for name in Folder(archive).list_names()}
    path.write_bytes(encoded(export(play_row([score_row(1, "1"), score_row(2, "3")]))))
    result = run("import", path, code=1)
    assert "expected Anna 1, Bob 2 as it is here already, found Anna 1, Bob 3" in result.stdout
    assert result.stderr == "1 refused\n"
    assert {name: Folder(archive).hash_log(name) for name in Folder(archive).list_names()} == before


def test_logs_and_folders_of_logs(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    raw = (archive / f"{whole}.jsonl").read_bytes()
    (games / "one.jsonl").write_bytes(raw)
    (games / "two.jsonl").write_bytes((EXAMPLES / "shared-win.jsonl").read_bytes())
    (games / "readme.txt").write_text("not a log", encoding="utf-8")
    assert run("import", games).stderr == "1 new, 1 there\n"
    (games / "one.jsonl").write_bytes(b"".join(raw.splitlines(keepends=True)[:9]))
    assert run("import", games).stderr == "2 there\n"
    assert (archive / f"{whole}.jsonl").read_bytes() == raw
    (games / "two.jsonl").write_bytes((EXAMPLES / "flipped-bit.jsonl").read_bytes())
    assert "unusable" in run("import", games, code=2).stdout


def test_notes_come_with_their_log(run: Run, archive: Path, tmp_path: Path) -> None:
    games = Folder(tmp_path / "games")
    path = games.write_whole((EXAMPLES / "shared-win.jsonl").read_bytes())
    with games.open_notes_writer(path) as writer:
        writer.append(note(text="why?"))
    result = run("import", path)
    assert "1 new note on " in result.stderr
    assert len(Folder(archive).read_notes(path.stem).lines) == 1
    assert "0 new notes on " in run("import", path).stderr


def test_strange_fields_and_namesakes_are_said(run: Run, tmp_path: Path) -> None:
    said = export(
        play_row([score_row(1, "1"), score_row(2, "2")], colour="x"),
        play_row([score_row(3, "1"), score_row(2, "2")], uuid="y"),
    )
    said["players"][2]["name"] = "Anna"
    path = tmp_path / "export.json"
    path.write_bytes(encoded(said))
    said_of_it = run("import", path, "--dry-run").stderr
    assert f"{path}: fields that nobody here knows: plays[].colour (1)\n" in said_of_it
    assert f"2 players are called 'Anna' ({ANNA}, " in said_of_it


def test_nothing_in_a_file_steers_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    said = export(play_row([], gameRefId=8))
    said["games"][1]["name"] = "Catan\x1b[2J"
    path.write_bytes(encoded(said))
    assert "\x1b" not in run("import", path).stdout


def test_what_went_out_is_there_when_it_comes_back(run: Run, archive: Path, tmp_path: Path) -> None:
    for name, write in (("a.csv", csv_scores.write_scores), ("a.json", bgstats.write_export)):
        (tmp_path / name).write_bytes(write(GAMES, TITLES))
    assert run("import", tmp_path / "a.csv").stderr == "2 new\n"
    assert run("import", tmp_path / "a.json").stderr == "2 there\n"
    assert Folder(archive).list_names() == [game.game for game in GAMES]


# --- score ---------------------------------------------------------------------------------------


def test_a_game_in_one_line(run: Run, archive: Path) -> None:
    words = ("Anna Nowak 63, Bob: 58; Cleo=-1", "--date", "2024-01-05", "--place", "Łódź", "--by", "Zoë")
    result = run("score", *words)
    game = result.stdout.strip()
    log = Folder(archive).read_log(game)
    assert [seat.player for seat in log.header.seats] == ["Anna Nowak", "Bob", "Cleo"]
    assert {result.seat: result.points for result in replay(log).declared} == {1: 63, 2: 58, 3: -1}
    header = log.header
    assert (header.played, header.place, header.by, header.source) == ("2024-01-05", "Łódź", "Zoë", "scoresheet")
    assert header.at is not None
    assert "Anna Nowak is new here\n" in result.stderr
    assert f"2024-01-05; at {archive / game}.jsonl\n" in result.stderr


def test_names_are_completed_where_nobody_else_is_meant(run: Run, archive: Path) -> None:
    run("score", "Anna 1, Bob 2, Robert 3")
    (archive / "players.toml").write_text(
        f'[[player]]\nname = "Robert"\nalso = ["Bobby", "{ANNA}"]\n', encoding="utf-8"
    )
    result = run("score", "a 1, BOB 2")
    assert seats_of(archive, result.stdout.strip()) == ["Anna", "Bob"]
    assert "a is Anna\n" in result.stderr
    assert seats_of(archive, run("score", "bobby 1, ann 2").stdout.strip()) == ["Robert", "Anna"]
    said = run("score", "bo 1, ann 2", code=2).stderr
    assert "expected one player whose name begins with 'bo', found Bob, Robert (--exact takes it as it is)" in said
    assert seats_of(archive, run("score", "bo 1, ann 2", "--exact").stdout.strip()) == ["bo", "ann"]


def test_a_day_may_be_unknown_and_is_today_unsaid(run: Run, archive: Path) -> None:
    games = [run("score", "A 1, B 2", *more).stdout.strip() for more in ([], ["--date", "unknown"])]
    assert [Folder(archive).read_log(game).header.played is None for game in games] == [False, True]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Anna 63"], "expected 2 to 5 players, found 1"),
        (["Anna 63 Bob 58"], "expected commas between the players, as in 'Anna 63, Bob 58', found 'Anna 63 Bob 58'"),
        (["Anna 63, Bob"], "expected a name and points, such as Anna 63, found 'Bob'"),
        (["Anna 63,, Bob 1"], "expected a name and points, such as Anna 63, found ''"),
        (["Anna 63, 58"], "expected a name and points, such as Anna 63, found '58'"),
        (["Anna 63, Bob 5.8.1x"], "expected a name and points"),
        (["Anna 63, anna 1"], "'Anna' twice"),
        (["Anna 63, Bob 1000000"], "expected a whole number of points, found '1000000'"),
        (["Anna 63, Bob 1", "--date", "1/2/2024"], "expected a day as 2026-11-18, found '1/2/2024'"),
        (["Anna 63, Bob 1", "--by", "x" * 61], "at most 60 characters in --by"),
        (["Anna 63, Bob 1", "--place", "x" * 501], "expected a place of at most 500 characters"),
        (["Anna 63, " + "B" * 61 + " 1"], "expected a player's name of at most 60 characters"),
        (["Anna 63, B\x1b[2J 1"], "expected a player's name that can be printed"),
        (["Anna 63, Bob 1", "--title", "catan"], "'catan'"),
    ],
)
def test_score_refuses_what_no_log_could_say(run: Run, archive: Path, words: list[str], said: str) -> None:
    assert said in run("score", *words, code=2).stderr
    assert not archive.exists()


# --- our own exports -----------------------------------------------------------------------------


def test_what_export_wrote_is_brought_back(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    for form in ("html", "json", "jsonl", "txt", "jsonl.zst"):
        file = tmp_path / f"game.{form}"
        run("export", whole, "--to", file)
        assert run("import", file).stderr == "1 there\n"
        other = tmp_path / form
        assert run("import", file, "--archive", other).stderr == "1 new\n"
        if form != "txt":
            assert Folder(other).read_game(whole).log == raw
    run("export", whole, "--to", tmp_path / "ledger.csv")
    assert "found the ledger of a game" in run("import", tmp_path / "ledger.csv", code=2).stdout


@pytest.mark.parametrize("form", ["html", "json"])
def test_a_hidden_game_is_brought_back_hidden(run: Run, whole: str, tmp_path: Path, form: str) -> None:
    file, other = tmp_path / f"game.{form}", tmp_path / "other"
    run("export", whole, "--anonymise", "--to", file)
    assert "1 new" in run("import", file, "--archive", other).stderr
    (name,) = Folder(other).list_names()
    assert name != whole
    assert not {"Anna", "Bob", "Cy"} & set(seats_of(other, name))
    assert run("import", file, "--archive", other).stderr == "1 there\n"


def test_a_log_that_goes_on_brings_what_is_missing(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    lines = raw.splitlines(keepends=True)
    other = tmp_path / "other"
    other.mkdir()
    (other / "evening.jsonl").write_bytes(b"".join(lines[:5]))
    assert run("import", archive / f"{whole}.jsonl", "--dry-run", "--archive", other).stderr == (
        "1 continued (nothing was written)\n"
    )
    result = run("import", archive / f"{whole}.jsonl", "--archive", other, "--format", "json")
    assert result.stderr == "1 continued\n"
    (row,) = json.loads(result.stdout)
    assert (row["what"], row["game"], row["why"]) == ("continued", whole, f"{len(lines) - 5} lines that were not here")
    assert [path.name for path in other.glob("*.jsonl")] == ["evening.jsonl"]
    assert (other / "evening.jsonl").read_bytes() == raw


def test_one_game_is_picked_out_of_a_pack(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    pack = tmp_path / "two.jsonl.zst"
    run("annotate", whole, "2", "why there?")
    run("export", whole, EXAMPLES / "counted.jsonl", "--to", pack)
    other = tmp_path / "other"
    result = run("import", f"{pack}#{whole[:13]}", "--archive", other)
    assert result.stderr == f"1 new note on {whole}\n1 new\n"
    assert Folder(other).list_names() == [whole]
    assert Folder(other).read_game(whole) == Folder(archive).read_game(whole)


SLIPS = """\
[spyrium "game-slips"]
[seat "Anna"]
[seat "Bob"]
# typed from paper
deal exchange estate mine-1 apprentice resdence-1 university-1:2 workshop-1 castle miner:1 luxury-home mine-2
p12
"""


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_notation_is_checked_as_play_checks_it(run: Run, archive: Path, tmp_path: Path, options: list[str]) -> None:
    text = tmp_path / "slips.txt"
    text.write_text(SLIPS, encoding="utf-8")
    result = run("import", text, *options, "--format", "json", code=1)
    said = f"{text}:5: cards.composition (S-1.3): expected a card of the game, found"
    assert f"{said} 'resdence-1' [open]: did you mean 'residence-1'?\n" in result.stderr
    assert f"{said} 'castle' [open]\n" in result.stderr
    assert "1 new, 1 with findings (spyrium validate names them)" in result.stderr
    assert [row["what"] for row in json.loads(result.stdout)] == ["new"]
    assert Folder(archive).list_names() == ([] if options else ["game-slips"])
    if not options:
        assert run("import", text).stderr == "1 there\n"


def test_a_deal_without_its_words_is_a_finding_with_what_was_legal(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "short.txt"
    text.write_text(
        '[spyrium "game-short"]\n[seat "Anna"]\n[seat "Bob"]\ndeal exchange mine-1\np12\n', encoding="utf-8"
    )
    said = run("import", text, code=1).stderr
    assert f"{text}:4: event.unique (S-4.2): expected one of the seven event cards, found 'mine-1'" in said
    assert f"{text}:4: market.size (S-4.3): expected 9 cards, found 0" in said
    assert f"{text}:5: market.gap (S-5.3)" in said
    assert "    nearest legal: " in said


def test_of_very_many_findings_the_first_are_told(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "many.txt"
    text.write_text(SLIPS + "p12\n" * 60, encoding="utf-8")
    lines = run("import", text, code=1).stderr.splitlines()
    assert sum(line.startswith(f"{text}:") for line in lines) == 21
    assert lines[-2].endswith("findings more (spyrium validate has them all)")


def test_a_log_with_findings_comes_in_unchanged_and_that_is_no_failure(run: Run, archive: Path, tmp_path: Path) -> None:
    slips = tmp_path / "slips.txt"
    slips.write_text(SLIPS, encoding="utf-8")
    run("import", slips, code=1)
    raw = (archive / "game-slips.jsonl").read_bytes()
    for form in ("jsonl", "json", "html", "pack"):
        file, other = tmp_path / f"game.{form}", tmp_path / f"other-{form}"
        run("export", "game-slips", "--format", form, "--to", file)
        assert "1 new, 1 with findings" in run("import", file, "--archive", other).stderr
        assert (other / "game-slips.jsonl").read_bytes() == raw
