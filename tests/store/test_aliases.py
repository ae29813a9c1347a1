"""One person, one name: the file of aliases beside the logs."""

from __future__ import annotations

import tomllib
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spyrium_log.errors import AliasError, LockedError, StoreError
from spyrium_log.log.lines import Corrected
from spyrium_log.store import Folder, fold_name, parse_aliases
from spyrium_log.store.aliases import MAX_BYTES, format_alias_table
from tests.build import GAME, begin, header
from tests.store.disk import ROOT, Disk, failed

PATH = ROOT / "players.toml"
BY_HAND = b'# ours\n[[player]]\nname = "Anna Nowak"\nalso = ["Anna", "annan"]  # at BGG\n'


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def folder(disk: Disk) -> Folder:
    return Folder(ROOT, disk)


def test_without_a_file_everybody_is_who_they_are(folder: Folder) -> None:
    assert folder.read_aliases().spelled == {}


def test_every_spelling_leads_to_the_name(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND)
    assert dict(folder.read_aliases().spelled) == {
        "anna nowak": "Anna Nowak",
        "anna": "Anna Nowak",
        "annan": "Anna Nowak",
    }
    assert folder.read_aliases().names == ["Anna Nowak"]


def test_capitals_spaces_and_composed_letters_tell_nobody_apart() -> None:
    assert fold_name(" ZOE\N{COMBINING DIAERESIS}  K ") == fold_name("Zoë k")


def test_what_is_added_is_on_the_disk_behind_what_was_there(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND.rstrip())
    said = folder.add_alias("Bob", ['B"ob', "B\\b"])
    assert said.spelled == folder.read_aliases().spelled
    assert said.spelled['b"ob'] == said.spelled["b\\b"] == "Bob"
    assert disk.after_power_cut().raw(PATH).startswith(BY_HAND)
    assert disk.raw(PATH) == disk.after_power_cut().raw(PATH)


def test_the_first_one_makes_the_file(disk: Disk, folder: Folder) -> None:
    folder.add_alias("Anna", ["annan"])
    folder.add_alias("Anna", ["Annie"])
    again = Folder(ROOT, disk.after_power_cut())
    assert dict(again.read_aliases().spelled) == {"anna": "Anna", "annan": "Anna", "annie": "Anna"}
    assert disk.raw(PATH).startswith(b"# Who is who")


@pytest.mark.parametrize(
    ("name", "also", "said"),
    [
        ("Annette", ["anna"], "found 'anna' for 'Anna Nowak' and 'Annette'"),
        ("Anna", ["Ann"], "found 'Anna' for 'Anna Nowak' and 'Anna'"),
        ("", ["x"], "expected a name that can be printed"),
        ("x", ["a\nb"], "expected a name that can be printed"),
        ("x" * 61, ["y"], "expected tables"),
        ("\ud800", ["y"], "expected a name that can be printed"),
    ],
)
def test_what_would_contradict_the_file_is_not_written(
    disk: Disk, folder: Folder, name: str, also: list[str], said: str
) -> None:
    disk.put(PATH, BY_HAND)
    with pytest.raises(AliasError, match=said):
        folder.add_alias(name, also)
    assert disk.raw(PATH) == BY_HAND


@pytest.mark.parametrize(
    "raw",
    [
        b"[[player]",
        b"player = 3",
        b"[[player]]\nalso = []",
        b'[[player]]\nname = ""',
        b'[[player]]\nname = "A"\nalso = [1]',
        b'[[player]]\nname = "A"\nage = 7',
        b'[[player]]\nname = "A"\nname = "B"',
        b'[[player]]\nname = "\\u0000"',
        b"[other]\nx = 1",
        b"x = " + b"[" * 100_000,
        b"x = nan",
        b"\xff",
    ],
)
def test_a_file_that_says_something_else_is_a_typed_error(disk: Disk, folder: Folder, raw: bytes) -> None:
    disk.put(PATH, raw)
    with pytest.raises(AliasError, match=str(PATH)):
        folder.read_aliases()
    with pytest.raises(AliasError):
        folder.add_alias("Zoë", ["z"])
    assert disk.raw(PATH) == raw


def test_a_file_without_end_is_not_read_to_it(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, b"#" * (MAX_BYTES + 1))
    with pytest.raises(StoreError, match="found more"):
        folder.read_aliases()
    with pytest.raises(StoreError, match="found more"):
        folder.add_alias("Zoë", ["z"])


def test_a_mark_at_the_beginning_is_no_name(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, b"\xef\xbb\xbf" + BY_HAND)
    assert folder.add_alias("Bob", ["b"]).spelled["anna"] == "Anna Nowak"


def test_one_writer_at_a_time(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND)
    file = disk.open(PATH, "write")
    disk.lock(file)
    with pytest.raises(LockedError):
        folder.add_alias("Bob", ["b"])
    disk.close(file)
    folder.add_alias("Bob", ["b"])


def test_a_spelling_goes_and_all_else_stays(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND)
    folder.add_alias("Bob", ["B\u00f6b", "b"])
    folder.add_alias("Bob", ["Bobby"])
    before = disk.raw(PATH)
    folder.add_alias("Bob", ["Bobo"])
    assert "bobo" not in folder.remove_alias("Bob", "BOBO").spelled
    assert disk.after_power_cut().raw(PATH) == before
    left = folder.remove_alias("Bob", "bo\u0308b")
    assert {spelling for spelling, name in left.spelled.items() if name == "Bob"} == {"bob", "b", "bobby"}


@pytest.mark.parametrize(("name", "spelling"), [("Anna Nowak", "Bob"), ("Anna Nowak", "anna nowak"), ("Bob", "anna")])
def test_what_is_no_other_spelling_cannot_go(disk: Disk, folder: Folder, name: str, spelling: str) -> None:
    with pytest.raises(AliasError, match=f"expected another spelling of '{name}', found '{spelling}'"):
        folder.remove_alias(name, spelling)
    disk.put(PATH, BY_HAND)
    with pytest.raises(AliasError, match=f"expected another spelling of '{name}', found '{spelling}'"):
        folder.remove_alias(name, spelling)
    assert disk.raw(PATH) == BY_HAND


def test_wherever_the_disk_fails_nothing_that_was_there_is_lost(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND)
    folder.add_alias("Bob", ["b"])
    calls = len(disk.calls)
    assert calls >= 6
    for at in range(calls):
        broken = Disk()
        broken.put(PATH, BY_HAND)
        broken.fails[at] = failed()
        with suppress(StoreError):
            Folder(ROOT, broken).add_alias("Bob", ["b"])
        for there in (broken, broken.after_power_cut(), broken.after_power_cut(applied=99)):
            assert there.raw(PATH) in {BY_HAND, disk.raw(PATH)}


def test_a_disk_that_fails_is_said(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, BY_HAND)
    disk.fails[1] = failed()
    with pytest.raises(StoreError, match="expected to write names of players, found a disk that failed"):
        folder.add_alias("Bob", ["b"])


def test_everybody_of_the_archive_is_known(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    line = header()
    begin(folder, line)
    (tmp_path / "broken.jsonl").write_bytes(b"no log\n")
    folder.add_alias("Zoë", ["z"])
    aliases = folder.read_aliases()
    known = {*map(aliases.resolve_name, folder.list_players()), *aliases.names}
    assert known == {*(seat.player for seat in line.seats), "Zoë"}


def test_who_was_put_right_is_known_by_the_right_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    begin(folder, header())
    before = folder.list_players()
    with folder.open_writer(GAME) as writer:
        writer.append(Corrected(n=1, by="ann", seat=1, player="Annette", why="typo", prev="", hash=""))
    assert folder.list_players() - before == {"Annette"}
    assert len(folder.list_players()) == len(before)


NAMES = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=20).filter(str.strip)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES, st.lists(NAMES, max_size=3))
def test_any_printable_name_can_be_written_and_read(counts: Counter[str], name: str, also: list[str]) -> None:
    text = format_alias_table(name, also)
    assert tomllib.loads(text)["player"] == [{"name": name, "also": also}]
    assert set(parse_aliases(text).spelled.values()) == {name}
    counts["names written and read"] += 1
