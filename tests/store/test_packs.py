"""Pack files: written whole or not at all, read as a stream, hostile or not; one door to all that holds games.

`python -m tests.store.test_packs 10000 3 19` packs so many distinct games at those levels and says what an event costs.
"""

from __future__ import annotations

import errno
import io
import random
import resource
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from multiprocessing import Pool
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spyrium_log.errors import LogError, StoreError
from spyrium_log.log import chain, codec
from spyrium_log.log.pack import MAX_GAME, Game, pack_games
from spyrium_log.replay import replay
from spyrium_log.store import Folder, games, read_bytes, read_games, read_games_at
from spyrium_log.store.packs import LEVEL
from spyrium_log.store.zstd import MAGIC, Frames, compress
from tests.build import GAME, chained, closed, paid, short_header
from tests.games import game, raw_of
from tests.log.test_notes import edited, note, withdrawn
from tests.packs import read_pack, write_pack
from tests.store.disk import ROOT, Disk, failed

FORMS = ("games.jsonl", "games.jsonl.zst")


def notes_on(log: bytes, seed: int) -> bytes:
    """Some notes on a log in the order in which they were written, changes and withdrawals among them."""
    rng = random.Random(seed)
    lines = log.splitlines()
    said: list[bytes] = []
    for nth in range(rng.randint(0, 4)):
        n = rng.randrange(len(lines))
        first = note(f"note-{nth}", on=str(n), line=lines[n][-34:-2].decode(), text=f"remark {rng.random()}")
        said.append(codec.encode(first))
        later = [edited(first.id, 2, text="otherwise"), withdrawn(first.id, 3)]
        said.extend(codec.encode(line) for line in later[: rng.randint(0, 2)])
    rng.shuffle(said)
    return b"".join(said)


def some_games(title: str, seeds: Iterable[int]) -> list[Game]:
    raws = [(seed, raw_of(game(title, seed))) for seed in seeds]
    return [Game(raw, notes_on(raw, seed)) for seed, raw in raws]


GAMES = some_games("pebbles", range(6))
ONE = Game(b"".join(chained(short_header(), paid(1), paid(2))))


def zst(*parts: bytes, level: int = 3) -> bytes:
    return b"".join(compress(parts, level))


# --- bytes in, bytes out -------------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(
    seeds=st.lists(st.integers(0, 60), max_size=5),
    title=st.sampled_from(("spyrium", "pebbles")),
    form=st.sampled_from(FORMS),
    level=st.sampled_from((1, 3, 19)),
)
def test_games_and_their_notes_come_back_as_they_were(seeds: list[int], title: str, form: str, level: int) -> None:
    games, disk = some_games(title, seeds), Disk()
    size = write_pack(ROOT / form, games, level=level, files=disk)
    assert list(read_pack(ROOT / form, files=disk)) == games
    assert size == len(disk.raw(ROOT / form))
    assert disk.raw(ROOT / form).startswith(MAGIC) == form.endswith(".zst")


def test_the_compressed_form_is_the_plain_form_compressed() -> None:
    disk = Disk()
    for form in FORMS:
        write_pack(ROOT / form, GAMES, files=disk)
    raw = disk.raw(ROOT / FORMS[1])
    assert all_of(raw) == disk.raw(ROOT / FORMS[0])
    assert len(raw) < len(disk.raw(ROOT / FORMS[0])) / 5


def test_a_pack_without_notes_is_what_it_was_before_there_were_any() -> None:
    pack = b"".join(pack_games([Game(GAMES[0].log)]))
    assert b'"kind":"notes"' not in pack
    assert b'"notes"' not in pack.splitlines()[-1]


def test_frames_one_after_the_other_are_one_stream() -> None:
    pack = b"".join(pack_games(GAMES))
    assert list(unpacked(zst(pack[:999]) + zst(pack[999:]))) == GAMES


def all_of(raw: bytes, size: int = 4_096) -> bytes:
    read = Frames(reading(raw), "x.zst").read
    return b"".join(iter(lambda: read(size), b""))


def reading(raw: bytes) -> Callable[[int], bytes]:
    stream = io.BytesIO(raw)
    return stream.read


def unpacked(raw: bytes) -> Iterator[Game]:
    disk = Disk()
    disk.put(ROOT / "games.jsonl.zst", raw)
    return read_pack(ROOT / "games.jsonl.zst", files=disk)


# --- hostile bytes -------------------------------------------------------------------------------


def too_wide() -> bytes:
    """A frame that asks its reader for a window of 2 GiB."""
    return MAGIC + bytes([0, (31 - 10) << 3]) + bytes(40)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (zst(b"x")[:-1], "cut-off"),
        (zst(b"x")[:6], "cut-off"),
        (zst(b"".join(pack_games(GAMES))) + b"and more", "zstd"),
        (zst(b"".join(pack_games(GAMES))) + b"\0", "zstd"),
        (zst(b"".join(pack_games(GAMES))) + MAGIC, "cut-off"),
        (MAGIC + b"\xff" * 40, "zstd"),
        (too_wide(), "zstd"),
        (zst(b"\0" * (1 << 25)), "too-long"),
        (zst(zst(b"".join(pack_games(GAMES)))), "cut-off"),
    ],
)
def test_hostile_frames_end_in_one_typed_error(raw: bytes, code: str) -> None:
    with pytest.raises(LogError) as caught:
        list(unpacked(raw))
    assert (caught.value.code, caught.value.file) == (code, str(ROOT / "games.jsonl.zst"))


def test_any_flipped_bit_of_games_and_notes_is_found(counts: Counter[str]) -> None:
    raw = b"".join(pack_games(GAMES))
    rng = random.Random(1)
    for _ in range(800):
        wrong = bytearray(raw)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        came_out: list[Game] = []
        with pytest.raises(LogError):
            came_out.extend(unpacked(bytes(wrong)))
        assert came_out == GAMES[: len(came_out)]
        counts["flipped bits of packs with notes"] += 1


def test_any_flipped_bit_of_a_compressed_pack_is_found(counts: Counter[str]) -> None:
    raw = zst(b"".join(pack_games(GAMES)))
    rng = random.Random(1)
    for _ in range(1_000):
        wrong = bytearray(raw)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        came_out: list[Game] = []
        with suppress(LogError):
            came_out.extend(unpacked(bytes(wrong)))
        # a bit that says nothing, as the one that is kept for later formats, may flip; then all comes out as it was
        assert came_out == GAMES[: len(came_out)]
        counts["flipped bits of compressed packs"] += 1


def test_damage_of_compressed_bytes_is_told_with_its_line() -> None:
    pack = b"".join(pack_games(GAMES))
    with pytest.raises(LogError, match=rf"at .*:{len(pack.splitlines()) + 1}$"):
        list(unpacked(zst(pack)[:-1]))


def test_a_compressed_pack_cut_anywhere_is_cut_off(counts: Counter[str]) -> None:
    raw = zst(b"".join(pack_games(GAMES)))
    for cut in range(len(MAGIC), len(raw), 11):
        came_out: list[Game] = []
        with pytest.raises(LogError, match="cut-off"):
            came_out.extend(unpacked(raw[:cut]))
        assert came_out == GAMES[: len(came_out)]
        counts["compressed packs cut"] += 1


@pytest.mark.parametrize("bomb", ["one line", "one game", "sheets"])
def test_a_bomb_costs_a_window_and_a_game(bomb: str) -> None:
    """A gigabyte in a few kilobytes: refused, and never held."""
    pack = list(pack_games([ONE]))
    zeros = bytes(1 << 20)
    parts = {
        "one line": [pack[0][:-2], *[zeros] * 1_024],
        "one game": [*pack[:-1], *[b'{"kind":"decision","pad":"%s"}\n' % (b"x" * (1 << 19))] * 2_048],
        "sheets": pack * 3 + [b'{"kind":"sheet","digest":"%032d","sheet":{}}\n'],
    }[bomb]
    raw = zst(*parts)
    assert len(raw) < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(LogError):
            list(unpacked(raw))
        assert tracemalloc.get_traced_memory()[1] < 3 * MAX_GAME
    finally:
        tracemalloc.stop()


# --- on the disk ---------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_pack_is_never_written_over_another(tmp_path: Path, form: str) -> None:
    write_pack(tmp_path / form, GAMES[:1])
    with pytest.raises(StoreError, match="one that is there already"):
        write_pack(tmp_path / form, GAMES)
    assert list(read_pack(tmp_path / form)) == GAMES[:1]
    assert [path.name for path in tmp_path.iterdir()] == [form]


def test_a_pack_that_fails_at_any_call_is_not_there(counts: Counter[str]) -> None:
    plain = Disk()
    write_pack(ROOT / FORMS[1], GAMES, files=plain)
    for at in range(len(plain.calls)):
        disk = Disk()
        disk.fails[at] = failed(errno.ENOSPC)
        with pytest.raises(StoreError, match="expected to write a file, found no space left on the disk"):
            write_pack(ROOT / FORMS[1], GAMES, files=disk)
        after = disk.after_power_cut()
        assert ROOT / FORMS[1] not in after.names_seen
        counts["packs that were not written"] += 1


def test_a_damaged_game_leaves_no_half_a_pack(tmp_path: Path) -> None:
    with pytest.raises(LogError):
        write_pack(tmp_path / FORMS[1], [*GAMES, Game(b"no log\n")])
    assert list(tmp_path.iterdir()) == []


def test_a_packed_folder_unpacks_to_the_same_files(tmp_path: Path) -> None:
    there, here = Folder(tmp_path / "there"), Folder(tmp_path / "here")
    for one in some_games("spyrium", range(4)):
        there.write_game(one)
    write_pack(tmp_path / FORMS[1], (there.read_game(name) for name in there.list_names()))
    for one in read_pack(tmp_path / FORMS[1]):
        here.write_game(one)
    files = sorted(path.name for path in there.path.iterdir())
    assert sorted(path.name for path in here.path.iterdir()) == files
    assert any(name.endswith(".notes.jsonl") for name in files)
    assert all((here.path / name).read_bytes() == (there.path / name).read_bytes() for name in files)


def test_notes_that_come_with_a_game_are_added_to_those_that_are_here(tmp_path: Path) -> None:
    raw = raw_of(game("spyrium", 1))
    line = raw.splitlines()[2][-34:-2].decode()
    mine, theirs = (codec.encode(note(name, on="2", line=line, text=name)) for name in ("note-a", "note-b"))
    folder = Folder(tmp_path)
    path = folder.write_game(Game(raw, mine))
    path.unlink()
    folder.write_game(Game(raw, theirs))
    assert folder.read_game(path).notes == mine + theirs
    with pytest.raises(StoreError, match="one that is there already"):
        folder.write_game(Game(raw, b""))


# --- one door ------------------------------------------------------------------------------------


def test_a_file_a_folder_and_a_pack_hold_the_same_games(tmp_path: Path) -> None:
    games = some_games("spyrium", range(3))
    folder = Folder(tmp_path / "folder")
    paths = [folder.write_game(one) for one in games]
    for form in FORMS:
        write_pack(tmp_path / form, games)
    for place, names in (
        (folder.path, [str(path) for path in paths]),
        (paths[1], [str(paths[1])]),
        *((tmp_path / form, [f"{tmp_path / form}#game-{n:04d}" for n in range(3)]) for form in FORMS),
    ):
        some = games if place != paths[1] else games[1:2]
        seen = []
        for found in read_games_at(place):
            log = found.log()
            assert log.file == found.name
            assert replay(log).verdict == "clean"
            seen.append((found.name, Game(raw_of(log), b"".join(map(codec.encode, found.notes().lines)))))
        assert seen == list(zip(names, some, strict=True))


def test_only_the_games_whose_ids_begin_so_and_what_cannot_be_read(tmp_path: Path) -> None:
    games = some_games("spyrium", range(12))
    folder = Folder(tmp_path / "folder")
    for one in games:
        folder.write_game(one)
    (folder.path / "none.jsonl").write_bytes(b"{}\n")
    for form in FORMS:
        write_pack(tmp_path / form, games)
    for begins in ("", "game-000", "game-0003", "nothing"):
        ids = [f"game-{n:04d}" for n in range(12) if f"game-{n:04d}".startswith(begins)]
        assert [found.game for found in read_games_at(folder.path, begins=begins)] == [*ids, ""]
        for form in FORMS:
            assert [(one.game, one.path) for one in read_games_at(tmp_path / form, begins=begins)] == [
                (n, None) for n in ids
            ]
    (third,) = read_games_at(folder.path / "game-0003.jsonl")
    assert third.path == folder.path / "game-0003.jsonl"
    packed_notes = [one.notes().lines for one in read_games_at(tmp_path / FORMS[0])]
    assert packed_notes == [one.notes().lines for one in read_games_at(folder.path) if one.game]


def test_notes_in_a_pack_can_be_read_again() -> None:
    pack = b"".join(pack_games([Game(ONE.log, codec.encode(note(text="why?")))]))
    (found,) = read_games(reading(pack), "x")
    assert [len(found.notes().lines) for _ in range(2)] == [1, 1]


def test_all_bytes_of_a_damaged_log_are_there(tmp_path: Path) -> None:
    lines = ONE.log.splitlines(keepends=True)
    raw = b"".join([*lines[:4], b"{}\n", *lines[4:] * 300])
    path = tmp_path / "evening.jsonl"
    path.write_bytes(raw)
    assert [found.raw().log for found in read_games_at(path)] == [raw]
    assert [found.raw().log for found in read_games(reading(raw), "x")] == [raw]
    path.write_bytes(zst(raw))
    for found in read_games_at(path):
        assert found.raw().log == raw


def test_a_log_may_be_compressed_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl.zst"
    path.write_bytes(zst(ONE.log))
    (found,) = read_games_at(path)
    assert (found.name, raw_of(found.log())) == (str(path), ONE.log)


def test_what_cannot_be_read_hides_nothing_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "read_bytes", partial(read_bytes, titles={}))
    pack = b"".join(pack_games(GAMES[:2])) + b"{}\n"
    good, also, bad = read_games(reading(zst(pack)), "x.zst")
    for one in (good, also):
        with pytest.raises(LogError, match="unknown-title"):
            one.log()
    with pytest.raises(LogError, match="expected a line of a pack"):
        bad.log()


@pytest.mark.parametrize("raw", [b"", b"nothing\n", MAGIC, MAGIC + b"nothing", zst(b""), b"\x28\xb5"])
def test_bytes_that_hold_no_game_are_one_that_cannot_be_read(raw: bytes) -> None:
    (found,) = read_games(reading(raw), "x")
    with pytest.raises(LogError):
        found.log()


def test_no_file_is_one_that_cannot_be_read(tmp_path: Path) -> None:
    (found,) = read_games_at(tmp_path / "nothing")
    with pytest.raises(StoreError, match="no such file"):
        found.log()


def test_a_header_that_says_no_id_is_called_by_its_place() -> None:
    header = chain.cut_hash(ONE.log.splitlines()[0]).replace(GAME.encode(), b"?\\u001b[31m")
    (found,) = read_games(reading(b"".join(pack_games([Game(closed(header))]))), "x")
    assert found.name == "x#1"
    with pytest.raises(LogError, match="at x#1:1"):
        found.log()


# --- what an event costs -------------------------------------------------------------------------


def simulated(seed: int) -> bytes:
    return raw_of(game.__wrapped__("spyrium", seed))


def main(games: int = 1_000, *levels: int) -> int:
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Pool() as pool:
        digests: list[bytes] = []
        plain = Path(folder) / "games.jsonl"
        size = write_pack(plain, watched(map(Game, pool.imap(simulated, range(games), chunksize=8)), digests))
        seconds = time.perf_counter() - started
        events = sum(one.log.count(b"\n") - 1 for one in read_pack(plain))
        assert len(set(digests)) == len(digests) == games
        print(f"{games:,} distinct games of {events:,} events, simulated and packed in {seconds:.0f} s")
        print(f"as logs           {sum_of(plain) / events:7.2f} bytes an event")
        print(f"as .jsonl         {size / events:7.2f} bytes an event, {size:,} bytes")
        for level in levels or (3, LEVEL):
            path = Path(folder) / f"{level}.jsonl.zst"
            begun = time.perf_counter()
            size = write_pack(path, read_pack(plain), level=level)
            took = time.perf_counter() - begun
            begun = time.perf_counter()
            assert [digest(one) for one in read_pack(path)] == digests
            back = time.perf_counter() - begun
            print(
                f"as .jsonl.zst {level:>3} {size / events:7.2f} bytes an event, {size:,} bytes; "
                f"packed in {took:.1f} s, unpacked and compared in {back:.1f} s",
                flush=True,
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"every game came back byte for byte; peak memory of the process that packs {peak:.0f} MiB")
    return 0


def watched(games: Iterable[Game], digests: list[bytes]) -> Iterator[Game]:
    for done, one in enumerate(games, 1):
        digests.append(digest(one))
        if done % 500 == 0:
            print(f"{done:,} games", file=sys.stderr, flush=True)
        yield one


def digest(one: Game) -> bytes:
    return sha256(one.log + b"\0" + one.notes).digest()


def sum_of(plain: Path) -> int:
    return sum(len(one.log) for one in read_pack(plain))


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
