"""Packs: original bytes back, sheets shared, every damage found before a game is handed out."""

from __future__ import annotations

import io
import random
import zlib
from collections import Counter
from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from spyrium_log.errors import LogError
from spyrium_log.log import pack
from spyrium_log.log.pack import Game, pack_games, unpack
from tests.build import EMPTY, chained, closed, hash_of, header, paid, short_header
from tests.games import game, raw_of
from tests.stories import EXAMPLES


def logs(*seeds: int) -> list[bytes]:
    return [raw_of(game("spyrium", seed)) for seed in seeds]


def pack_of(raws: list[bytes]) -> bytes:
    return b"".join(pack_games(map(Game, raws)))


def unpacked(raw: bytes) -> list[bytes]:
    games = list(unpack(io.BytesIO(raw), "games.jsonl"))
    assert not any(game.notes for game in games)
    return [game.log for game in games]


@settings(deadline=None, max_examples=10)
@given(seeds=st.lists(st.integers(0, 200), max_size=4), titles=st.sampled_from(("spyrium", "pebbles")))
def test_unpacking_gives_the_original_bytes_back(seeds: list[int], titles: str) -> None:
    raws = [raw_of(game(titles, seed)) for seed in seeds]
    assert unpacked(pack_of(raws)) == raws


def test_every_sound_example_survives_a_pack() -> None:
    raws = [path.read_bytes() for path in sorted(EXAMPLES.glob("*.jsonl"))]
    sound = [raw for raw in raws if raw.endswith(b"\n") and b'"n":3,"why":"revenue"' not in raw]
    assert len(sound) > 30
    assert unpacked(pack_of(sound)) == sound


def test_a_sheet_is_written_once() -> None:
    raw = pack_of(logs(1, 2, 3))
    assert raw.count(b'"kind":"sheet"') == 1
    assert raw.count(b'"sheet":{') == 1


def test_a_pack_is_smaller_by_its_hashes(counts: Counter[str]) -> None:
    raws = logs(*range(12))
    whole = pack_of(raws)
    events = sum(raw.count(b"\n") - 1 for raw in raws)
    before, after = (len(zlib.compress(raw, 9)) / events for raw in (b"".join(raws), whole))
    print(f"{events} events: {before:.1f} compressed bytes an event, {after:.1f} in a pack")
    counts["events packed"] += events
    assert after < before / 2


@pytest.mark.parametrize("wrong", [b"", b"\n", b"{}\n", b"nothing\n", b'{"kind":"header"}\n'])
def test_what_is_no_log_is_not_packed(wrong: bytes) -> None:
    with pytest.raises(LogError):
        list(pack_games([Game(wrong)]))


def test_a_damaged_log_is_not_packed() -> None:
    raw = bytearray(logs(1)[0])
    raw[len(raw) // 2] ^= 1
    with pytest.raises(LogError, match="does not follow"):
        list(pack_games([Game(bytes(raw))]))


def test_any_flipped_bit_is_found_before_its_game_is_handed_out(counts: Counter[str]) -> None:
    """Every game that does come out of a damaged pack is one that went in."""
    raws = [raw_of(game("pebbles", seed)) for seed in range(4)]
    whole = pack_of(raws)
    rng = random.Random(1)
    for _ in range(1_500):
        wrong = bytearray(whole)
        wrong[rng.randrange(len(wrong))] ^= 1 << rng.randrange(8)
        came_out: list[bytes] = []
        with pytest.raises(LogError) as caught:
            came_out.extend(one.log for one in unpack(io.BytesIO(bytes(wrong)), "games.jsonl"))
        assert caught.value.file == "games.jsonl"
        assert set(came_out) <= set(raws)
        counts["flipped bits of a pack"] += 1


def test_a_pack_cut_anywhere_gives_the_whole_games_before_the_cut() -> None:
    raws = [raw_of(game("pebbles", seed)) for seed in range(3)]
    whole = pack_of(raws)
    ends = [
        at for at in range(len(whole)) if whole[:at].endswith(b"\n") and b'"kind":"end"' in whole[:at].splitlines()[-1]
    ]
    for cut in range(0, len(whole), 7):
        came_out: list[bytes] = []
        with suppress(LogError):
            came_out.extend(one.log for one in unpack(io.BytesIO(whole[:cut]), "games.jsonl"))
        assert came_out == raws[: sum(end <= cut for end in ends)]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ((b'{"kind":"end","lines":0,"hash":"' + b"0" * 32 + b'"}\n',), "pack"),
        ((b'{"kind":"decision","n":1}\n',), "pack"),
        ((b'{"kind":"end","lines":1,"hash":"' + b"0" * 32 + b'"}\n',), "pack"),
        ((b'{"kind":"end","lines":"one"}\n',), "pack"),
        ((b'{"kind":"sheet","digest":"' + b"0" * 32 + b'","sheet":{"name":"x","printed":[]}}\n',), "sheet-digest"),
        ((b'{"kind":"sheet","digest":"x","sheet":{}}\n',), "pack"),
        ((b'{"kind":"header","sheet_digest":"' + b"0" * 32 + b'"}\n',), "pack"),
        ((b'{"kind":"header"}\n',), "no-header"),
        ((b'{"kind":1}\n',), "not-json"),
        ((b"\xff}\n",), "not-json"),
        ((b"[" * 100_000 + b"}\n",), "not-json"),
        ((b"x" * (1 << 20) + b"}\n",), "too-long"),
    ],
)
def test_hostile_packs_end_in_one_typed_error(lines: tuple[bytes, ...], code: str) -> None:
    with pytest.raises(LogError) as caught:
        unpacked(b"".join(lines))
    assert (caught.value.code, caught.value.line) == (code, 1)


# --- what a pack must not lose -------------------------------------------------------------------


def test_two_sheets_of_one_digest_and_other_names_are_both_in_it() -> None:
    """A digest is over the values: whose copy it is makes another line, and no other digest."""
    own = structs.replace(EMPTY, name="Anna's copy")
    raws = [b"".join(chained(header(f"game-{n}", sheet=sheet), paid(1))) for n, sheet in enumerate((EMPTY, own, EMPTY))]
    assert EMPTY.digest() == own.digest()
    assert unpacked(pack_of(raws)) == raws


@pytest.mark.parametrize("kind", ["end", "sheet", "header", "notes"])
def test_a_line_that_a_reader_would_take_for_the_packs_own_is_not_packed(kind: str) -> None:
    (first,) = chained(short_header())
    hostile = closed(b'{"kind":"%s","n":1' % kind.encode(), hash_of(first))
    with pytest.raises(LogError, match="expected a line of a log, found one of a pack"):
        pack_of([first + hostile])


def test_notes_that_are_damaged_are_not_packed() -> None:
    (first,) = chained(short_header())
    with pytest.raises(LogError, match="expected notes without damage"):
        list(pack_games([Game(first, b'{"kind":"note"}\n')]))


@pytest.mark.parametrize("limit", ["MAX_SHEETS", "MAX_LOG", "MAX_LINES"])
def test_a_reader_holds_no_more_than_it_said(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    raws = [b"".join(chained(short_header(f"game-{n}"), paid(1), paid(2))) for n in range(3)]
    raw = pack_of(raws)
    monkeypatch.setattr(pack, limit, {"MAX_LINES": 2}.get(limit, 20))
    with pytest.raises(LogError, match=r"expected .*at most"):
        unpacked(raw)
    if limit != "MAX_SHEETS":
        with pytest.raises(LogError, match=r"expected .*(at most 20 bytes|1 to 2 lines)"):
            pack_of(raws)


def test_sheets_that_replace_each_other_are_held_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets = [structs.replace(EMPTY, name=f"copy {n}") for n in range(9)]
    raws = [b"".join(chained(header(f"game-{n}", sheet=sheet))) for n, sheet in enumerate(sheets)]
    raw = pack_of(raws)
    monkeypatch.setattr(pack, "MAX_SHEETS", 60)
    assert unpacked(raw) == raws


def test_a_pack_without_notes_is_byte_for_byte_what_the_first_version_wrote() -> None:
    raws = [(EXAMPLES / f"{name}.jsonl").read_bytes() for name in ("first-round", "misplayed")]
    assert sha256(pack_of(raws)).hexdigest() == "36d86bfa539b4d0baaf98136af1f9b9dc4da0d4e28973e959b2a4041c76586f6"
