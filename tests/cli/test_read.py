"""show, replay, validate: people's form and programs' form, from the archive, a path and stdin."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from spyrium_cli.commands.setup import sheet as sheet_command
from spyrium_log.log.pack import Game
from spyrium_log.log.seals import load_signer, make_pem
from spyrium_log.store import Folder
from spyrium_log.titles.spyrium.messages import LANGUAGES
from tests.build import begin, header
from tests.cli.conftest import Run
from tests.packs import write_pack
from tests.stories import EXAMPLES, KNOWN_SEED

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
KEY = load_signer(make_pem(KNOWN_SEED)).key
BOXES = re.compile(r"[\u2500-\u257f]")


def test_piped_output_is_plain_and_uncut(run: Run, whole: str) -> None:
    for arguments in (["show", whole, "--at", 36, "--legal"], ["replay", whole], ["validate", whole]):
        out = run(*arguments).stdout
        assert not ESCAPE.search(out)
        assert not BOXES.search(out)
        assert "…" not in out
        assert out == "\n".join(line.rstrip() for line in out.splitlines()) + "\n"
    assert max(map(len, run("replay", whole).stdout.splitlines())) > 200


def test_show_draws_the_board(run: Run, whole: str) -> None:
    out = run("show", whole, "--at", 36).stdout
    assert re.match(r"Turn 2 · first player: \w+ · turn's event: \w+ · future event: \w+\n", out)
    assert re.search(r"^1 .+ 12 +2 .+ 23 +3 .+\n  ~?£\d", out, re.MULTILINE)
    assert re.search(r"^> ([ABC])  \1\w+( +~?\d+){6}  I +£2  ", out, re.MULTILINE)
    assert "~  assumed: nobody has checked it against the printed card" in out
    assert re.search(r"\n\w+ is to act\n$", out)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_begins_in_the_words_that_the_edition_has_for_a_deal(run: Run, whole: str, language: str) -> None:
    told = run("replay", whole, "--lang", language, "--at", 1).stdout.partition("; ")[0].partition("  ")[2]
    shown = run("show", whole, "--lang", language, "--at", 1).stdout
    assert shown.startswith(told.replace(" (", " · ") + " · ")
    assert shown.splitlines()[0].count(" · ") == 3


def test_show_before_anything_is_dealt_and_after_all(run: Run, whole: str) -> None:
    assert run("show", whole, "--at", 0).stdout.startswith("Nothing is dealt yet.")
    out = run("show", whole, "--legal").stdout
    assert "the game is over" in out
    assert "nothing to choose" in out


def test_show_lists_what_is_legal(run: Run, whole: str) -> None:
    out = run("show", whole, "--at", 8, "--legal").stdout
    assert re.search(r"^  p12 +\w+ places a worker between ", out, re.MULTILINE)
    said = json.loads(run("show", whole, "--at", 8, "--legal", "--format", "json").stdout)
    assert len(said["legal"]) == len(re.findall(r"^  [pgaeur>xb]\S*", out, re.MULTILINE))
    assert said["n"] == 8
    assert [seat["player"] for seat in said["players"]] == ["Anna", "Bob", "Cy"]
    assert len(said["board"]["market"]) == 9


def test_show_on_a_screen_fits_and_does_not_lean_on_colour(run: Run, whole: str, screen: Callable[..., str]) -> None:
    run("show", whole)
    for columns in (80, 120):
        out = screen("show", whole, "--at", 36, columns=columns)
        assert ESCAPE.search(out)
        assert BOXES.search(out)
        bare = ESCAPE.sub("", out)
        assert max(map(len, bare.splitlines())) <= columns
        assert re.search(r"^ +14 .* 25 .* 36", bare, re.MULTILINE)
        assert re.search(r"^> ([ABC])  \1\w+ ", bare, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [20, 60, 77, 78])
def test_no_width_cuts_anything_off_the_board(
    run: Run, game: str, screen: Callable[..., str], columns: int, language: str
) -> None:
    market = "neighbourhood-1 laboratory-1 bureaucrat:12 university-1:3 capitalization miner:12 workshop-1 crane mine-2"
    run("play", game, f"deal latecomer exchange {market}", "p12", "p12", "p12", "p45")
    plain = run("show", game, "--lang", language).stdout
    bare = ESCAPE.sub("", screen("show", game, "--lang", language, columns=columns))
    assert max(map(len, bare.splitlines())) <= columns
    assert "…" not in bare
    assert BOXES.search(bare) if columns == 78 else not BOXES.search(bare)
    # Of the gaps, the list names only those where somebody stands.
    said = re.compile(r"£\d+|\(\d\)|[^\W\d_]" + (r"|\d" if columns == 78 else ""))
    assert not Counter(said.findall(plain)) - Counter(said.findall(bare))


def test_a_long_name_is_cut_and_takes_one_line(run: Run, screen: Callable[..., str]) -> None:
    run("new", "--players", "Anna,Bartholomew Featherstonehaugh,Cy")
    run("play", "@last", f"deal latecomer exchange {' '.join(['?'] * 9)}", "--anyway")
    out = ESCAPE.sub("", screen("show", columns=80)).splitlines()
    head = next(at for at, line in enumerate(out) if "Spyrium" in line)
    rows = out[head + 1 : head + 4]
    assert [line.split()[-8:] for line in rows] == [rows[0].split()[-8:]] * 3
    assert re.match(r"[> ] B  Barth\w*… +", rows[1])


def test_a_market_that_nobody_saw_and_where_nobody_stands(run: Run, game: str, screen: Callable[..., str]) -> None:
    run("play", game, "deal latecomer ? " + " ".join(["?"] * 9), "--anyway")
    for columns in (40, 80):
        bare = " ".join(ESCAPE.sub("", screen("show", game, columns=columns)).split())
        assert bare.count("a card nobody saw") == 9
        assert "future event: an event" in bare
        assert "workers 1" not in bare


def test_no_color_is_honoured(whole: str, screen: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    out = screen("show", whole, "--at", 36)
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", out)
    assert "Bob" in out


def test_replay_tells_events_and_the_scores_after_each_round(run: Run, whole: str) -> None:
    out = run("replay", whole).stdout
    assert len(re.findall(r"^ *\d+  Turn \d", out, re.MULTILINE)) == 6
    assert len(re.findall(r"^ +Anna ~?\d+", out, re.MULTILINE)) == 7
    assert run("replay", whole, "--at", 3).stdout.splitlines()[-1].strip() == "Cy is to act"


def test_replay_as_objects(run: Run, whole: str) -> None:
    said = [json.loads(line) for line in run("replay", whole, "--format", "jsonl").stdout.splitlines()]
    assert [one["n"] for one in said] == list(range(1, len(said) + 1))
    assert said == json.loads(run("replay", whole, "--format", "json").stdout)
    assert {"n", "ref", "by", "at", "verb", "sentence", "act", "moved", "facts", "scores"} == said[0].keys()
    assert said[-1]["verb"] == "final"
    assert max(score["total"] for score in said[-1]["scores"]) > 20


def test_at_is_as_it_stood_then_undone_lines_too(run: Run, game: str) -> None:
    run("play", "--deal", game, "--seed", 1)
    run("play", game, "p12", "p25")
    run("undo", game, "--at", 1)
    assert run("replay", game).stdout.count("places a worker") == 0
    assert run("replay", game, "--at", 3).stdout.count("places a worker") == 2
    assert "expected a line from 0 to 4, found 5" in run("replay", game, "--at", 5, code=2).stderr


def test_a_language_that_a_title_does_not_speak(run: Run, whole: str) -> None:
    run("replay", whole, "--lang", "en")
    assert "found 'tlh'" in run("--lang", "tlh", "replay", whole, code=2).stderr


def test_stdin_is_a_log(run: Run, whole: str, archive: Path) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    said = run("validate", "-", stdin=raw).stdout
    assert re.match(r"clean     <stdin>: Anna, Bob, Cy; 1\d\d events; chain ok; rests on \d+ assumed values\n", said)
    assert run("replay", "-", stdin=raw).stdout == run("replay", whole).stdout
    assert run("show", "-", stdin=raw).stdout == run("show", whole).stdout


def test_logs_in_a_row_are_games(run: Run, tmp_path: Path) -> None:
    raw = b"".join((EXAMPLES / f"{name}.jsonl").read_bytes() for name in ("counted", "whole-game-2-players"))
    said = run("validate", "-", stdin=raw, code=1)
    assert said.stderr == "1 clean, 1 with findings (1 open)\n"
    assert "<stdin>#game-0042: Anna, Bob; 112 events; chain ok" in said.stdout
    assert "of a pipe, only one can be read" in run("show", "-", stdin=raw, code=2).stderr
    pack = tmp_path / "both.jsonl"
    run("export", "-", "--format", "pack", "--to", pack, stdin=raw)
    assert "1 clean, 1 with findings" in run("validate", pack, code=1).stderr


# --- validate ------------------------------------------------------------------------------------


def test_validate_whatever_is_named(run: Run, whole: str, archive: Path) -> None:
    path = archive / f"{whole}.jsonl"
    run("new", "--players", "Dora,Emil")
    for paths, games in (([], 2), ([archive], 2), ([path], 1), ([whole[:20]], 1), (["@last", path], 2)):
        result = run("validate", *paths)
        assert result.stdout.count("clean ") == games
        assert result.stderr == f"{games} clean\n"


def test_validate_of_no_archive_and_of_nothing(run: Run, archive: Path) -> None:
    archive.mkdir()
    assert run("validate").stderr == "no games\n"
    assert "no such file" in run("validate", "nothing/here.jsonl", code=2).stdout


def test_a_damaged_file_keeps_its_good_prefix_and_its_line(run: Run, whole: str, archive: Path) -> None:
    path = archive / f"{whole}.jsonl"
    raw = bytearray(path.read_bytes())
    fifth = sum(len(line) for line in bytes(raw).splitlines(keepends=True)[:5])
    raw[fifth + 40] ^= 1
    path.write_bytes(raw)
    result = run("validate", whole, code=2)
    assert result.stdout.startswith("unusable")
    assert "; 4 events; chain holds up to line 5; rests on" in result.stdout
    assert str(path) in result.stdout
    assert "\n  line 6: " in result.stdout
    for verb in ("replay", "show"):
        for form in ("table", "json"):
            result = run(verb, whole, "--format", form, code=2)
            assert "only the first 5 lines can be read" in result.stderr
            assert "Anna" in result.stdout
    assert "at " in run("play", whole, "p12", code=2).stderr


def test_bytes_that_are_no_log(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.jsonl"
    file.write_bytes(b"Dear Anna,\n")
    assert f"{file}\n  line 1: not-json" in run("validate", file, code=2).stdout
    said = json.loads(run("validate", file, "--format", "jsonl", code=2).stdout)
    assert said["verdict"] == "unusable"
    assert said["damage"]["code"] == "not-json"
    assert f"at {file}:1" in run("show", file, code=2).stderr


def test_validate_as_objects(run: Run, whole: str) -> None:
    run("play", "--anyway", run("new", "--players", "A,B").stdout.strip(), "final")
    said = json.loads(run("validate", "--format", "json", code=1).stdout)
    assert [one["verdict"] for one in said] == ["clean", "findings"]
    assert said[0]["game"] == whole
    (finding,) = said[1]["findings"]
    assert (finding["n"], finding["line"], finding["number"], finding["status"]) == (1, 2, "S-10", "open")
    assert len(run("validate", "--format", "jsonl", code=1).stdout.splitlines()) == 2


def test_the_worst_verdict_is_the_exit_code(run: Run, whole: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"{}\n")
    run("play", "--anyway", run("new", "--players", "A,B").stdout.strip(), "final")
    assert run("validate", code=1).stderr == "1 clean, 1 with findings (1 open)\n"
    assert run("validate", whole, bad, code=2).stderr == "1 clean, 1 unusable\n"


def test_names_may_not_steer_the_terminal(run: Run, archive: Path) -> None:
    """No command makes such a log, and somebody else's program may."""
    names = ("A\x1b[31mnna", "B\u202eob")
    head = header()
    seats = tuple(structs.replace(seat, player=name) for seat, name in zip(head.seats, names, strict=True))
    game = begin(Folder(archive), structs.replace(head, seats=seats)).stem
    refused = run("new", "--players", ",".join(names), code=2).stderr
    assert "expected a player's name without control characters, found 'A\\x1b[31mnna'" in refused
    out = run("validate", game).stdout
    assert "A\\x1b[31mnna, B\\u202eob" in out
    for form, bracket in (("table", "["), ("md", "\\[")):
        assert f"A\\x1b{bracket}31mnna 0, B\\u202eob 0" in run("games", "--format", form).stdout


def test_the_summary_counts_findings_and_what_was_never_finished(run: Run, whole: str, archive: Path) -> None:
    for _ in range(2):
        game = run("new", "--players", "A,B").stdout.strip()
        run("play", game, "--anyway", "final", "@1 p12")
    path = archive / f"{whole}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind":"deci')
    assert run("validate", code=1).stderr == "3 with findings (6 open, 1 unfinished)\n"
    result = run("replay", whole)
    assert "13 bytes" in result.stderr or "lines can be read" in result.stderr
    assert "the game is over" in run("show", whole).stdout


def test_what_is_unusable_is_named_like_the_others(run: Run, archive: Path) -> None:
    archive.mkdir()
    file = archive / "bad.jsonl"
    file.write_bytes(b"{}\n")
    assert run("validate", archive, code=2).stdout.splitlines()[0].split() == ["unusable", str(file)]
    said = run("validate", "nope.jsonl", code=2).stdout
    assert "nope.jsonl:0" not in said
    assert "  unreadable: expected " in said


def test_what_an_editor_did_to_a_log_is_said(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    lines = raw.splitlines()
    crlf, mark = "the lines end in CRLF", "a byte order mark stands before the header"
    for name, changed, hint in (
        ("mark", b"\xef\xbb\xbf" + raw, mark),
        ("windows", b"\r\n".join(lines) + b"\r\n", crlf),
        ("both", b"\xef\xbb\xbf" + b"\r\n".join(lines), f"{mark} and {crlf}"),
        ("later", b"\n".join(lines[:3]) + b"\n" + lines[3] + b"\r\n" + lines[4], crlf),
        ("letter", b"Dear Anna,\n", ""),
    ):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(changed)
        out = run("validate", file, code=2).stdout
        assert (f"({hint})\n" if hint else "\n") in out
        said = json.loads(run("validate", file, "--format", "jsonl", code=2).stdout)
        assert said["damage"]["hint"] == hint
    assert json.loads(run("validate", "-", "--format", "jsonl", stdin=b"\xef\xbb\xbf", code=2).stdout)["verdict"]


# --- cards ---------------------------------------------------------------------------------------


def test_cards_have_ids_kinds_values_with_sources_and_tokens_by_players(run: Run) -> None:
    rows = {row["card"]: row for row in json.loads(run("sheet", "cards", "--format", "json").stdout)}
    assert len(rows) == 35 + 7
    mine, miner = rows["mine-3"], rows["miner"]
    assert (mine["kind"], mine["price"], mine["price_source"], mine["symbols"]) == ("building", 5, "assumed", "mine")
    assert [miner[f"tokens_{players}"] for players in (2, 3, 4, 5)] == [1, 2, 3, 4]
    assert [mine["tokens_2"], mine["tokens_5"], rows["windfall"]["tokens_4"], rows["crane"]["tokens_4"]] == [1, 1, 1, 0]
    assert (rows["estate"]["kind"], rows["estate"]["price"]) == ("event", None)
    four = {row["card"]: row for row in json.loads(run("sheet", "cards", "--format", "json", "--seats", 4).stdout)}
    assert (four["miner"]["tokens"], four["mine-1"]["tokens"]) == (3, 0)
    assert "expected 2 to 5 players, found 6" in run("sheet", "cards", "--seats", 6, code=2).stderr


def test_cards_for_people(run: Run, screen: Callable[..., str]) -> None:
    out = run("sheet", "cards").stdout
    assert re.search(r"^Building +name +£ +points", out, re.MULTILINE)
    assert re.search(r"^mine-3 +Mine III +~5 +~3 +Mine +1 +b~2$", out, re.MULTILINE)
    assert re.search(r"^miner +Miner +~0 +players−1 +a~2$", out, re.MULTILINE)
    assert re.search(r"^miner +Miner +~0 +3 +a~2$", run("sheet", "cards", "--seats", 4).stdout, re.MULTILINE)
    assert re.search(r"^mine-1 +Kopalnia I ", run("--lang", "pl", "sheet", "cards").stdout, re.MULTILINE)
    assert "| mine-3 | Mine III | ~5 | ~3 | Mine | 1 | b~2 |" in run("sheet", "cards", "--format", "md").stdout
    assert sheet_command.NARROW == 80
    for columns in (40, 79, 80):
        bare = ESCAPE.sub("", screen("sheet", "cards", columns=columns))
        assert max(map(len, bare.splitlines())) <= columns
        assert "…" not in bare
        assert "players−1" in bare


# --- packs and seals -----------------------------------------------------------------------------


def test_a_pack_has_a_verdict_for_each_of_its_games(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    folder = Folder(archive)
    for name in ("games.jsonl", "games.jsonl.zst"):
        write_pack(tmp_path / name, [folder.read_game(whole), Game((EXAMPLES / "misplayed.jsonl").read_bytes())])
        result = run("validate", tmp_path / name, code=1)
        assert f"clean     {tmp_path / name}#{whole}: Anna, Bob, Cy; " in result.stdout
        assert re.search(rf"findings  .*/{name}#game-opening: .*\n  event 5 \(line 6\): ", result.stdout)
        assert result.stderr == "1 clean, 1 with findings (1 open)\n"
        assert f"<stdin>#{whole}" in run("validate", "-", stdin=(tmp_path / name).read_bytes(), code=1).stdout
    cut = tmp_path / "cut.jsonl.zst"
    cut.write_bytes((tmp_path / "games.jsonl.zst").read_bytes()[:-9])
    assert "cut.jsonl.zst\n  line 1: cut-off: expected the end of" in run("validate", cut, code=2).stdout


def test_validate_says_whose_seal_it_is(run: Run) -> None:
    said = run("validate", EXAMPLES / "sealed-and-corrected-after.jsonl").stdout
    assert " line 4: sealed by scribe: unsigned; 1 line after it\n" in said.replace("\n  ", " ")
    said = run("validate", EXAMPLES / "sealed-and-signed.jsonl", "--format", "jsonl").stdout
    seal = {"n": 5, "by": "scribe", "standing": "unknown", "key": KEY, "signer": None, "after": 0}
    assert json.loads(said)["seal"] == seal
    run("config", "set", "keys.club", KEY)
    said = run("validate", EXAMPLES / "sealed-and-signed.jsonl", "--format", "jsonl").stdout
    assert json.loads(said)["seal"] == {**seal, "standing": "valid", "signer": "club"}
    said = run("validate", EXAMPLES / "signed-by-another.jsonl", code=1).stdout
    assert f"signature wrong, not of {KEY}" in said
    assert "seal.signature: expected a signature of key" in said


def test_a_game_is_shown_as_it_was_recorded_and_as_it_stands(run: Run) -> None:
    log = EXAMPLES / "forgotten-move-inserted.jsonl"
    stands, recorded = (run("replay", log, *more).stdout for more in ((), ("--as-recorded",)))
    inserted = [line for line in stands.splitlines() if re.match(r" *\d+\.1 ", line)]
    assert len(inserted) == 1
    assert inserted[0] not in recorded
    assert run("show", log).stdout != run("show", log, "--as-recorded").stdout
    slip = EXAMPLES / "located-missed-revenue.jsonl"
    assert run("validate", slip).stdout != run("validate", slip, "--as-recorded", code=1).stdout
    ref = inserted[0].split()[0]
    assert run("show", log, "--after", ref).stdout != run("show", log).stdout
    assert "expected an event that stands, found '99'" in run("show", log, "--after", "99", code=2).stderr
