"""seal, checkpoint, salvage: what vouches for a log, and what is left of a damaged one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spyrium_log.replay import replay
from spyrium_log.store import read_path
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

MOVES = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@pytest.fixture
def begun(run: Run, game: str) -> str:
    run("play", game, "-q", *MOVES[:5])
    return game


# --- seal ----------------------------------------------------------------------------------------


def test_a_seal_names_the_lines_and_the_last_hash(run: Run, begun: str, archive: Path) -> None:
    said = run("seal", begun)
    line = json.loads((archive / f"{begun}.jsonl").read_bytes().splitlines()[-1])
    assert (line["kind"], line["count"], line["final"]) == ("seal", 6, said.stdout.strip())
    assert said.stderr == "line 6: 6 lines sealed, unsigned\n"


def test_a_new_key_signs_and_is_never_written_over(run: Run, begun: str, tmp_path: Path) -> None:
    key = tmp_path / "club.pem"
    said = run("seal", begun, "--new-key", key).stderr
    assert key.stat().st_mode & 0o077 == 0
    before = key.read_bytes()
    assert "one that is there already" in run("seal", begun, "--new-key", key, code=2).stderr
    assert key.read_bytes() == before
    again = run("seal", begun, "--key", key).stderr
    assert said.splitlines()[0].partition("signed")[2] == again.strip().partition("signed")[2]
    assert "is trusted here from now on, as keys.club at" in said
    assert "trusted" not in again
    assert "signed by club (" in run("validate", begun).stdout


def test_a_rewritten_log_signed_with_any_key_proves_nothing(
    run: Run, begun: str, archive: Path, tmp_path: Path
) -> None:
    """It was "clean, signed by …, valid"."""
    run("seal", begun, "--new-key", tmp_path / "club.pem")
    path = archive / f"{begun}.jsonl"
    before = path.read_bytes()
    path.write_bytes(b"".join(before.splitlines(keepends=True)[:4]))
    thief = {"HOME": str(tmp_path / "elsewhere")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", thief["HOME"])
        key = run("seal", begun, "--new-key", tmp_path / "thief.pem").stderr.splitlines()[1].split()[1]
    said = run("validate", begun).stdout
    assert f"signed by a key that nobody here knows, {key}" in said
    assert "valid" not in said.replace("validate", "")
    (verdict,) = json.loads(run("validate", begun, "--format", "json").stdout)
    assert (verdict["verdict"], verdict["seal"]["standing"]) == ("clean", "unknown")
    assert "unknown" in run("validate", begun, "--format", "csv").stdout
    for language, words in (("pl", "nikt tu nie zna"), ("ru", "никто не знает")):
        assert words in run("validate", begun, "--lang", language).stdout
    path.write_bytes(before)
    assert "signed by club (" in run("validate", begun).stdout
    run("config", "set", "keys.thief", key)
    run("config", "unset", "keys.club")
    assert "nobody here knows" in run("validate", begun).stdout


def test_a_folder_does_not_vouch_for_itself(run: Run, begun: str, archive: Path, tmp_path: Path) -> None:
    """Whoever hands over a rewritten archive could put settings beside it."""
    run("seal", begun, "--new-key", tmp_path / "club.pem")
    key = run("config", "get", "keys.club").stdout.strip()
    run("config", "unset", "keys.club")
    (archive / "spyrium.toml").write_text(f'[keys]\nclub = "{key}"\n', encoding="utf-8")
    said = run("validate", begun)
    assert "nobody here knows" in said.stdout
    assert "'keys' is left out: keys are trusted in your own file alone" in said.stderr
    assert "is not set" in run("config", "get", "keys.club", code=1).stderr


@pytest.mark.parametrize("value", ["3b6a", "x" * 64, "A" * 64])
def test_a_key_that_is_none_is_not_settled(run: Run, value: str) -> None:
    assert "expected a public key, 64 digits" in run("config", "set", "keys.club", value, code=2).stderr


def test_keys_of_one_name_stay_apart(run: Run, begun: str, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        run("seal", begun, "--new-key", tmp_path / folder / "my key.pem")
    names = [row["key"] for row in json.loads(run("config", "show", "--format", "json").stdout)]
    assert {"keys.my-key", "keys.my-key-2"} <= set(names)


def test_a_key_that_is_none_seals_nothing(run: Run, begun: str, archive: Path, tmp_path: Path) -> None:
    before = (archive / f"{begun}.jsonl").read_bytes()
    key = tmp_path / "no.pem"
    assert "no such file" in run("seal", begun, "--key", key, code=2).stderr
    key.write_bytes(b"\x00\xff secret")
    said = run("seal", begun, "--key", key, code=2).stderr
    assert "expected a private key as PEM" in said
    assert "secret" not in said
    assert "found both" in run("seal", begun, "--key", key, "--new-key", tmp_path / "x", code=2).stderr
    assert (archive / f"{begun}.jsonl").read_bytes() == before


# --- checkpoint ----------------------------------------------------------------------------------


@pytest.fixture
def kept(run: Run, begun: str, tmp_path: Path) -> Path:
    file = tmp_path / "kept.txt"
    said = run("seal", "--checkpoint", begun).stdout
    assert said.count("\n") == 1
    file.write_text(f"\n {said}\n", encoding="utf-8")
    return file


def test_a_game_that_went_on_is_still_the_one_that_was(run: Run, begun: str, kept: Path) -> None:
    run("play", begun, *MOVES[5:7])
    said = run("seal", begun, "--check", kept).stdout
    assert said.startswith("GREW      the same as then, and it went on: the first 6 lines")
    assert said.endswith("unsigned; 2 lines after it\n")
    assert run("seal", begun, "--check", "-", stdin=kept.read_bytes()).stdout == said


def test_a_history_that_was_changed_or_cut_is_exit_1(run: Run, begun: str, kept: Path, archive: Path) -> None:
    path = archive / f"{begun}.jsonl"
    raw = path.read_bytes()
    path.write_bytes(b"".join(raw.splitlines(keepends=True)[:-1]))
    assert run("seal", begun, "--check", kept, code=1).stdout.startswith("CUT       shorter than it was")
    run("play", begun, "p47")
    assert run("seal", begun, "--check", kept, code=1).stdout.startswith("REWRITTEN other lines than then")


def test_what_an_amendment_changed_since_is_said(run: Run, begun: str, archive: Path, tmp_path: Path) -> None:
    run("play", begun, *MOVES[5:20])
    kept = tmp_path / "kept.txt"
    kept.write_text(run("seal", "--checkpoint", begun).stdout, encoding="utf-8")
    log = read_path(archive / f"{begun}.jsonl")
    scored = next(line for line in replay(log).ledger if line.what == "points")
    player = replay(log).players[scored.who - 1]
    total = replay(log).scores()[scored.who - 1].total
    run(
        "fix",
        "amend",
        begun,
        scored.ref,
        "--moved",
        f"{player} points 0 {scored.why}",
        "--misplayed",
        "--why",
        "x",
        "--yes",
    )
    said = run("seal", begun, "--check", kept, code=1).stdout
    assert said.startswith("AMENDED   the same lines, amended since: ")
    assert f"1 event changed: {scored.ref}" in said
    assert f"{player} points +{scored.amount} → 0 ({scored.why})" in said
    assert f"{player} {total} → {total - scored.amount}" in said


@pytest.mark.parametrize("raw", [b"", b"\xff", b"{}", b"[" * 10_000, b"x" * 20_000, b'{"kind":"checkpoint"}'])
def test_a_checkpoint_that_is_none_is_unusable(run: Run, begun: str, tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "none.txt"
    file.write_bytes(raw)
    assert run("seal", begun, "--check", file, code=2).stderr.startswith("Error: ")
    assert run("seal", begun, "--check", "-", stdin=raw, code=2).stderr.startswith("Error: ")


def test_what_cannot_be_compared_is_unusable(run: Run, begun: str, kept: Path, tmp_path: Path) -> None:
    assert "no such file" in run("seal", begun, "--check", tmp_path / "gone", code=2).stderr
    assert "expected --check alone" in run("seal", begun, "--check", kept, "--key", kept, code=2).stderr
    assert "found both" in run("seal", "-", "--check", "-", code=2).stderr


def test_a_comparison_speaks_the_language_asked_for(run: Run, begun: str, kept: Path, tmp_path: Path) -> None:
    compared = run("seal", begun, "--check", kept, "--lang", "pl").stdout
    assert compared.startswith("EXACT     to samo co wtedy: pierwsze wiersze (")
    assert "; po nim 0 wierszy" in compared
    other = tmp_path / "other.txt"
    other.write_text(kept.read_text(encoding="utf-8").replace('"lines":6', '"lines":9'), encoding="utf-8")
    assert "REWRITTEN не те строки, что тогда: " in run("seal", begun, "--check", other, "--lang", "ru", code=1).stdout


def test_a_signed_checkpoint_says_by_which_key(run: Run, begun: str, tmp_path: Path) -> None:
    run("seal", begun, "--new-key", tmp_path / "k.pem")
    said = run("seal", "--checkpoint", begun, "--key", tmp_path / "k.pem").stdout
    assert "signed by k (" in run("seal", begun, "--check", "-", stdin=said).stdout
    run("config", "unset", "keys.k")
    assert "that nobody here knows" in run("seal", begun, "--check", "-", stdin=said).stdout
    forged = said.replace('"lines":7', '"lines":6')
    assert "signature wrong" in run("seal", begun, "--check", "-", stdin=forged, code=1).stdout


# --- salvage -------------------------------------------------------------------------------------


@pytest.fixture
def raw(begun: str, archive: Path) -> bytes:
    return (archive / f"{begun}.jsonl").read_bytes()


def test_a_whole_log_has_nothing_to_repair(run: Run, raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "whole.jsonl"
    file.write_bytes(raw)
    said = run("fix", "salvage", file)
    assert (said.stdout, said.stderr) == ("", "6 lines proved, 0 of them repaired, nothing lost\n")


def test_a_flipped_byte_is_put_right_in_a_new_file(run: Run, raw: bytes, tmp_path: Path) -> None:
    file, saved = tmp_path / "damaged.jsonl", tmp_path / "saved.jsonl"
    damaged = raw.replace(b'"do":', b'"dn":', 1)
    file.write_bytes(damaged)
    said = run("fix", "salvage", file)
    assert said.stdout == "repaired    2  a byte of it was not as it was written\n"
    assert "--to FILE writes what is proved" in said.stderr
    run("fix", "salvage", file, "--to", saved)
    assert (saved.read_bytes(), file.read_bytes()) == (raw, damaged)


def test_what_nothing_vouches_for_is_lost_and_listed(run: Run, raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "damaged.jsonl"
    lines = raw.splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], b"\x1b[2Jgarbage\n", *lines[4:]]))
    said = run("fix", "salvage", file, code=1)
    assert said.stdout.splitlines()[0] == "lost        4  nothing vouches for it: \\x1b[2Jgarbage"
    assert said.stdout.splitlines()[1].startswith(
        "lost        5  whole, but what it follows is missing, the beginning of "
    )
    assert said.stderr.startswith("3 lines proved, 0 of them repaired, 3 lines lost\n")


def test_nothing_is_written_over(run: Run, raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "whole.jsonl"
    file.write_bytes(raw)
    assert "one that is there already" in run("fix", "salvage", file, "--to", file, code=2).stderr
    assert file.read_bytes() == raw


@pytest.mark.parametrize("content", [b"", b"\x00" * 1000, b"no log\n"])
def test_where_nothing_is_proved_there_is_nothing_to_save(run: Run, tmp_path: Path, content: bytes) -> None:
    file, saved = tmp_path / "none.jsonl", tmp_path / "saved.jsonl"
    file.write_bytes(content)
    assert "0 lines proved" in run("fix", "salvage", file, "--to", saved, code=2).stderr
    assert not saved.exists()
    assert "no such file" in run("fix", "salvage", tmp_path / "gone", code=2).stderr
