"""Settings: who says what goes before whom, what a file may not say, and what a change leaves alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tomlkit import TOMLDocument

from spyrium_cli.complaint import Complaint
from spyrium_cli.settings import file
from spyrium_cli.settings.file import LONGEST_CHANGED, LONGEST_FILE, change_setting
from spyrium_cli.settings.keys import KEYS
from tests.cli.conftest import Run


@pytest.fixture
def user(run: Run, tmp_path: Path) -> Path:
    """The user's file, not there yet."""
    assert callable(run)
    return tmp_path / ".config/spyrium/spyrium.toml"


@pytest.fixture
def project(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's file; the working directory lies two folders below it."""
    assert callable(run)
    (tmp_path / "club/games").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "club/games")
    return tmp_path / "club/spyrium.toml"


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def origin_of(run: Run, key: str, *arguments: object) -> tuple[object, str]:
    rows = json.loads(run(*arguments, "config", "show", "--origin", "--format", "json").stdout)
    (row,) = [row for row in rows if row["key"] == key]
    return row["value"], row["origin"]


def test_option_before_environment_before_project_before_user(
    run: Run, user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert origin_of(run, "lang") == ("en", "default")
    put(user, '# mine\nlang = "pl"\n')
    assert origin_of(run, "lang") == ("pl", f"{user}:2")
    put(project, 'lang = "ru"\n')
    assert origin_of(run, "lang") == ("ru", f"{project}:1")
    monkeypatch.setenv("SPYRIUM_LANG", "de")
    assert origin_of(run, "lang") == ("de", "SPYRIUM_LANG")
    assert origin_of(run, "lang", "--lang", "en") == ("en", "--lang")


def test_a_setting_is_what_commands_do(
    run: Run, user: Path, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPYRIUM_ARCHIVE")
    monkeypatch.delenv("SPYRIUM_BY")
    put(user, 'archive = "../../archive"\nby = "Zoë"\nlang = "pl"\ncolours = ["green", "red", "blue"]\n')
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    header = json.loads((archive / f"{game}.jsonl").read_text(encoding="utf-8"))
    assert header["by"] == "Zoë"
    assert [seat["colour"] for seat in header["seats"]] == ["green", "red"]
    assert re.search(r"^mine-1 +Kopalnia I ", run("sheet", "cards").stdout, re.MULTILINE)
    put(user, 'archive = "~/elsewhere"\n')
    run("new", "--players", "Anna,Bob")
    assert len(list((tmp_path / "elsewhere").glob("*.jsonl"))) == 1


def test_the_archive_may_have_a_file_of_its_own(run: Run, archive: Path, tmp_path: Path) -> None:
    put(archive / "spyrium.toml", 'by = "the club"\n')
    with contextlib.chdir(tmp_path):
        assert origin_of(run, "by", "--archive", archive)[0] == "tester"
        os.environ.pop("SPYRIUM_BY")
        assert origin_of(run, "by") == ("the club", f"{archive}/spyrium.toml:1")


def test_tables_are_put_together_entry_by_entry(
    run: Run, user: Path, project: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(user, '[options]\ntie = "shared"\nbuilding-count = "ever-built"\n')
    put(
        project,
        'edition = "house"\n[options]\nbuilding-count = "owned"\n[editions.house]\nevent-effect = "may-fizzle"\n',
    )
    monkeypatch.setenv("SPYRIUM_OPTIONS", "token-reshuffle=when-empty")
    game = run("new", "--players", "A,B", "--option", "crane-discount=whole-cost").stdout.strip()
    options = json.loads((archive / f"{game}.jsonl").read_text(encoding="utf-8"))["options"]
    assert options == {"event-effect": "may-fizzle", "token-reshuffle": "when-empty", "crane-discount": "whole-cost"}
    assert (
        "expected an edition of en, pl, ru, ru-desktopgames, house, found 'hose'"
        in run("new", "--players", "A,B", "--edition", "hose", code=2).stderr
    )
    put(project, '[editions.strict]\nevent-effect = "no"\n')
    said = run("new", "--players", "A,B", "--edition", "strict", code=2).stderr
    assert "expected required or may-fizzle for 'event-effect', found 'no'" in said


def test_who_began_a_log_goes_on_with_it_where_nobody_else_is_said(
    run: Run, user: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPYRIUM_BY")
    monkeypatch.setenv("USER", "login")
    game = run("new", "--players", "A,B", "--by", "Anna").stdout.strip()

    def scribe_of(*words: object) -> str:
        run(*words)
        last = (archive / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[-1]
        return str(json.loads(last)["by"])

    assert scribe_of("play", "--deal", "@last") == "Anna"
    assert scribe_of("undo", game[:20]) == "Anna"
    assert scribe_of("fix", "header", game, "--place", "here", "--why", "as it was") == "Anna"
    assert scribe_of("play", "--deal", game, "--by", "Bob") == "Bob"
    # a note is its author's own, whoever recorded the game
    run("annotate", game, 0, "well begun")
    assert "login" in run("annotate", game).stdout
    put(user, 'by = "Zoë"\n')
    assert scribe_of("undo", game) == "Zoë"
    user.unlink()
    assert json.loads((archive / f"{run('new', '--players', 'A,B').stdout.strip()}.jsonl").read_text())["by"] == "login"


def test_an_edition_is_what_its_rulebook_prints_and_the_header_says_which(run: Run, user: Path, archive: Path) -> None:
    def told(*words: str) -> tuple[str | None, dict[str, str]]:
        game = run("new", "--players", "A,B", *words).stdout.strip()
        header = json.loads((archive / f"{game}.jsonl").read_text(encoding="utf-8"))
        return header.get("edition"), header["options"]

    declines = {"residence-action": "may-decline"}
    assert told("--edition", "en") == ("en", declines)
    assert told("--edition", "pl") == ("pl", {"crane-discount": "whole-cost", **declines})
    assert told("--edition", "pl", "--option", "crane-discount=site") == ("pl", declines)
    assert told("--edition", "ru")[1]["token-reshuffle"] == "when-empty"
    assert told("--edition", "ru-desktopgames")[1]["engineering-scores"] == "count"
    assert told() == (None, {})
    put(user, 'edition = "ru"\n[options]\nreplaced-workers = "active"\ncrane-discount = "whole-cost"\n')
    assert told()[0] == "ru"
    assert told()[1]["crane-discount"] == "whole-cost"
    assert told()[1]["taylorism-action"] == "either"
    # where it speaks, the edition of this game goes before what is settled; where it is silent, that stays
    assert told("--edition", "en") == ("en", {"replaced-workers": "active", **declines})
    assert told("--edition", "none") == (None, {"replaced-workers": "active", "crane-discount": "whole-cost"})
    put(user, '[editions.pl]\ncrane-discount = "site"\nevent-effect = "may-fizzle"\n[editions.own]\n')
    assert told("--edition", "pl") == ("pl", {"event-effect": "may-fizzle", **declines})
    assert told("--edition", "own") == ("own", {})


def test_an_unknown_key_is_a_warning_with_its_place(run: Run, user: Path) -> None:
    put(user, '\nlnag = "pl"\n[option]\nx = "y"\n')
    said = run("sheet", "cards").stderr
    assert f"Warning: {user}:2: unknown key 'lnag', did you mean 'lang'?\n" in said
    assert f"Warning: {user}:3: unknown key 'option', did you mean 'options'?\n" in said
    put(user, 'zzz = "pl"\n')
    assert "unknown key 'zzz'; known are archive, lang" in run("sheet", "cards").stderr


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"lang = \n", "expected TOML, found: invalid value, at {}:1"),
        (b"\nlang = 3 4\n", "at {}:2"),
        (b"lang = 3\n", "expected a text for 'lang', found 3, at {}:1"),
        (b'lang = ""\n', "expected a text for 'lang', found '', at {}:1"),
        (b'lang = "a\\u001b[2J"\n', "found 'a\\x1b[2J', at {}:1"),
        (b"\xff\n", "expected UTF-8, found byte 0xff, at {}:1"),
        (b"lang = " + b"[" * 5000, "at {}"),
        (b"lang = " + b"9" * 5000, "at {}"),
        (b'lang = "' + b"x" * 9999 + b'"', "…, at {}:1"),
        (b"#" * (LONGEST_FILE + 1), f"expected at most {LONGEST_FILE} bytes of settings, found more, at {{}}"),
        (b"lang = true", "found True"),
    ],
)
def test_a_file_that_is_none_is_one_sentence(run: Run, user: Path, raw: bytes, said: str) -> None:
    user.parent.mkdir(parents=True)
    user.write_bytes(raw)
    for arguments in (["sheet", "cards"], ["config", "show"], ["config", "get", "lang"]):
        stderr = run(*arguments, code=2).stderr
        assert said.format(user) in stderr
        assert len(stderr.splitlines()) == 1
    if b"lang = 3" not in raw and b"lang = true" not in raw and b'lang = "' not in raw:
        assert said.format(user) in run("config", "set", "by", "Anna", code=2).stderr
        assert user.read_bytes() == raw
    assert "wrong" in run("doctor", code=1).stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("color = 'pink'", "expected one of auto, always, never for 'color', found 'pink'"),
        ("players = 'Anna'", "expected a list of texts for 'players', found 'Anna'"),
        ("options = 3", "expected texts by name for 'options', found 3"),
        ("editions = {house = 3}", "expected tables of texts by name for 'editions'"),
    ],
)
def test_a_value_of_another_kind_is_one_sentence(run: Run, user: Path, text: str, said: str) -> None:
    put(user, text)
    assert said in run("config", "show", code=2).stderr


def test_a_folder_and_an_unreadable_file(run: Run, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.mkdir(parents=True)
    assert f"found something else, at {user}" in run("sheet", "cards", code=2).stderr
    user.rmdir()
    put(user, "")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(file, "read_beginning", refuse)
    assert f"found permission denied, at {user}" in run("sheet", "cards", code=2).stderr


def test_a_wrong_environment_names_the_variable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPYRIUM_COLOR", "pink")
    assert "found 'pink', at SPYRIUM_COLOR" in run("sheet", "cards", code=2).stderr
    monkeypatch.delenv("SPYRIUM_COLOR")
    monkeypatch.setenv("SPYRIUM_TITLE", "chess")
    refused = run("sheet", "cards", code=2).stderr
    assert "expected a title of spyrium, founders, found 'chess', at SPYRIUM_TITLE" in refused


# --- changing ------------------------------------------------------------------------------------


def test_set_get_unset_keep_everything_else(run: Run, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("config", "set", "by", "Anna")
    put(user, f'# who I am\n{user.read_text(encoding="utf-8").strip()}  # me\n\n[options] # ours\ntie = "shared"\n')
    run("config", "set", "by", 'Zoë "Z" #1')
    run("config", "set", "players", "Anna, Bob")
    run("config", "set", "options.building-count", "owned")
    assert user.read_text(encoding="utf-8") == (
        '# who I am\nby = "Zoë \\"Z\\" #1"  # me\nplayers = ["Anna", "Bob"]\n\n'
        '[options] # ours\ntie = "shared"\nbuilding-count = "owned"\n'
    )
    os.environ.pop("SPYRIUM_BY")
    monkeypatch.setenv("USER", "login")
    assert run("config", "get", "by").stdout == 'Zoë "Z" #1\n'
    assert run("config", "get", "players").stdout == "Anna,Bob\n"
    assert run("config", "get", "options.tie").stdout == "shared\n"
    assert run("config", "get", "options").stdout == "tie=shared; building-count=owned\n"
    said = run("config", "unset", "by").stderr
    assert said == f"by is settled no more at {user}; now it is login (your login)\n"
    assert run("config", "unset", "options.tie").stderr.endswith("; nothing else does\n")
    assert run("config", "unset", "lang", code=1).stderr == f"Error: nothing settles lang at {user}\n"
    assert "'by' is not set" in run("config", "get", "by", code=1).stderr
    assert user.read_text(encoding="utf-8").startswith("# who I am\nplayers")


def test_a_path_is_meant_from_where_it_was_said(run: Run, user: Path, tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        run("config", "set", "sheet", "own.toml")
    assert tomllib.loads(user.read_text(encoding="utf-8")) == {"sheet": str(tmp_path / "own.toml")}
    assert "the sheet that is settled at" in run("new", "--players", "A,B", code=2).stderr


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("colr", "never", "did you mean 'color'?"),
        ("color", "pink", "expected one of auto, always, never for 'color', found 'pink', at the command line"),
        ("options", "x", "expected options.NAME, found 'options'"),
        ("lang.x", "x", "expected a key that is one value, found 'lang.x'"),
        ("editions.x", "y", "found 'editions.x'"),
        ("options.a.b", "y", "found 'options.a.b'"),
        ("lang", "", "found ''"),
        ("lang", "pll", "expected one of en, pl, ru, ru-desktopgames for 'lang', found 'pll': did you mean 'pl'?"),
        ("options.building-cuont", "owned", "found 'building-cuont=owned': did you mean 'building-count'?"),
        ("options.building-count", "ownd", "expected owned or ever-built for 'building-count', found 'ownd'"),
        (
            "edition",
            "plo",
            "expected one of en, pl, ru, ru-desktopgames for 'edition', found 'plo': did you mean 'pl'?",
        ),
        ("colours", "red,gren", "found 'gren': did you mean 'green'?"),
        ("title", "spirium", "did you mean 'spyrium'?"),
    ],
)
def test_what_cannot_be_settled(run: Run, user: Path, key: str, value: str, said: str) -> None:
    assert said in run("config", "set", key, value, code=2).stderr
    assert not user.exists()


def test_a_file_that_cannot_be_changed_is_left_alone(run: Run, user: Path) -> None:
    put(user, "options = 3\n")
    assert "expected a table for 'options', found 3" in run("config", "set", "options.tie", "shared", code=2).stderr
    put(user, "# long\n" * (LONGEST_CHANGED // 7 + 1))
    assert f"expected at most {LONGEST_CHANGED} characters" in run("config", "set", "lang", "en", code=2).stderr
    assert user.read_text(encoding="utf-8").count("# long\n") == LONGEST_CHANGED // 7 + 1


def test_a_file_that_takes_long_to_change_is_refused(run: Run, user: Path) -> None:
    put(user, "".join(f"{'a.' * 15}b{n} = 1\n" for n in range(300)))
    assert "expected at most 3 parts in a key" in run("config", "set", "lang", "en", code=2).stderr
    put(user, '[editions.house]\ntie = "shared"\n')
    run("config", "set", "lang", "en")


def test_a_change_that_would_say_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TOMLDocument, "as_string", lambda _: 'lang = "pl"\n')
    with pytest.raises(Complaint, match=r"expected to change 'by' alone.* change it by hand, at x\.toml"):
        change_setting("", "by", "Anna", Path("x.toml"))


def test_an_inline_table_stays_one(run: Run, user: Path) -> None:
    put(user, '# ours\noptions = {tie = "shared"} # mine\n')
    run("config", "set", "options.building-count", "owned")
    said = '# ours\noptions = {tie = "shared",building-count = "owned"} # mine\n'
    assert user.read_text(encoding="utf-8") == said


def test_a_list_over_many_lines_is_replaced_whole(run: Run, user: Path) -> None:
    put(user, 'players = [\n  "Anna", # ]\n  "Bob",\n]\nlang = "en"')
    run("config", "set", "players", "Cy")
    assert user.read_text(encoding="utf-8") == 'players = ["Cy"]\nlang = "en"'


def test_a_link_to_the_file_stays_a_link(run: Run, user: Path, tmp_path: Path) -> None:
    put(tmp_path / "dotfiles/spyrium.toml", "")
    (tmp_path / "dotfiles/spyrium.toml").chmod(0o640)
    user.parent.mkdir(parents=True)
    user.symlink_to(tmp_path / "dotfiles/spyrium.toml")
    run("config", "set", "lang", "en")
    assert user.is_symlink()
    assert (tmp_path / "dotfiles/spyrium.toml").read_text(encoding="utf-8") == 'lang = "en"\n'
    assert user.stat().st_mode & 0o777 == 0o640


def test_a_full_disk_leaves_the_file(run: Run, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(user, 'lang = "en"\n')

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert "found no space left on the disk, at" in run("config", "set", "lang", "pl", code=2).stderr
    assert [path.name for path in user.parent.iterdir()] == ["spyrium.toml"]
    assert user.read_text(encoding="utf-8") == 'lang = "en"\n'


WORDS = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=9)
SAID = st.sampled_from(["lang", "by", "options.tie", "options.x", "players"])
CHANGES = st.lists(st.tuples(SAID, st.none() | WORDS), max_size=8)


@given(changes=CHANGES, comment=WORDS)
def test_whatever_is_changed_reads_back_and_comments_stay(changes: list[tuple[str, str | None]], comment: str) -> None:
    text = f"# {comment}\n"
    wanted: dict[str, dict[str, object]] = {"": {}, "options": {}}
    for key, word in changes:
        value = [word, "x"] if key == "players" and word is not None else word
        text = change_setting(text, key, value, Path("x.toml"))
        table, _, name = key.rpartition(".")
        wanted[table][name] = value
        if value is None:
            del wanted[table][name]
    read = tomllib.loads(text)
    assert read.pop("options", {}) == wanted["options"]
    assert read == wanted[""]
    assert text.startswith(f"# {comment}\n")


@pytest.mark.parametrize("value", ["x", ["x", 'y"'], {"a b": "c", "d": "e"}])
def test_every_kind_of_value_is_written_as_toml(value: object) -> None:
    assert tomllib.loads(change_setting("", "v", value, Path())) == {"v": value}


# --- paths ---------------------------------------------------------------------------------------


def test_paths_says_where_and_who_says_so(run: Run, project: Path, archive: Path, tmp_path: Path) -> None:
    put(project, "")
    rows = {row["what"]: row for row in json.loads(run("config", "paths", "--format", "json").stdout)}
    assert rows["archive"] == {"what": "archive", "path": str(archive), "exists": False, "origin": "SPYRIUM_ARCHIVE"}
    assert rows["project's settings"]["path"] == str(project)
    assert {"config", "data", "state", "cache"} <= rows.keys()
    other = json.loads(run("--archive", tmp_path, "config", "paths", "--format", "json").stdout)[0]
    assert (other["origin"], other["exists"]) == ("--archive", True)


def test_each_entry_of_a_table_says_where_it_comes_from(
    run: Run, user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(user, '[options]\ntie = "shared"\nbuilding-count = "owned"\n')
    put(project, '[editions.house]\ntie = "shared"\n[options]\nbuilding-count = "ever-built"\n')
    monkeypatch.setenv("SPYRIUM_OPTIONS", "event-effect=may-fizzle")
    assert origin_of(run, "options.tie") == ("shared", f"{user}:1")
    assert origin_of(run, "options.building-count") == ("ever-built", f"{project}:3")
    assert origin_of(run, "options.event-effect") == ("may-fizzle", "SPYRIUM_OPTIONS")
    assert origin_of(run, "editions.house") == ({"tie": "shared"}, f"{project}:1")
    monkeypatch.delenv("SPYRIUM_BY")
    monkeypatch.setenv("USER", "login")
    assert origin_of(run, "by") == ("login", "your login")
    assert origin_of(run, "sheet") == (str(user.parent / "sheet-spyrium.toml"), "default")


def test_every_key_is_explained(run: Run) -> None:
    rows = json.loads(run("config", "show", "--format", "json").stdout)
    assert [row["key"] for row in rows] == list(KEYS)
    assert all(row["meaning"] for row in rows)
    said = json.loads(run("schema", "config").stdout)
    assert said["properties"].keys() == KEYS.keys()


def test_colours_are_settled_in_any_language_and_kept_in_english(run: Run) -> None:
    run("config", "set", "colours", "niebieski,Red")
    assert run("config", "get", "colours").stdout == "blue,red\n"
    assert "niebieski,czerwony" in run("config", "show", "--lang", "pl").stdout
    assert "blue,red" in run("config", "show", "--lang", "pl", "--format", "csv").stdout
    assert "found 'Mauve'" in run("config", "set", "colours", "Mauve", code=2).stderr
