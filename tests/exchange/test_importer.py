"""What was read goes into the archive once, and never over anything."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from spyrium_log.errors import ExchangeError, LogError
from spyrium_log.exchange import bgg, bgstats, csv_scores
from spyrium_log.exchange.formats import FORMATS, HEAD_BYTES, format_of
from spyrium_log.exchange.importer import Importer
from spyrium_log.exchange.page import make_page
from spyrium_log.exchange.scored import (
    Imported,
    Outcome,
    ScoredGame,
    ScoredSeat,
    WholeLog,
    check_game,
    describe_difference,
    encode_scored_game,
    make_scored_game,
)
from spyrium_log.exchange.tables import replay_json
from spyrium_log.exchange.values import make_game_id, parse_day, tidy
from spyrium_log.log import chain, codec
from spyrium_log.log.pack import Game, pack_games
from spyrium_log.replay import replay
from spyrium_log.store import Folder, fold_name, read_bytes
from spyrium_log.titles import TITLES
from spyrium_log.transcript import transcribe
from tests.exchange.made_up import GAMES, PLAYS_XML, encoded, export, play_row, score_row, told
from tests.games import game as by_chance
from tests.games import raw_of
from tests.log.test_notes import note
from tests.pebbles import PEBBLES

EXAMPLES = Path(__file__).parents[2] / "examples" / "spyrium"
WHOLE = EXAMPLES / "whole-game-3-players.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "archive")


def bring(folder: Folder, *games: ScoredGame, raw: bytes | None = None) -> list[Outcome]:
    came = Imported(games=games) if raw is None else FORMATS["log"].read(raw, "x.jsonl", TITLES, {})
    return list(Importer(folder, TITLES).add(came))


# --- a log of scores -----------------------------------------------------------------------------


def test_a_game_of_scores_is_a_log_and_the_log_is_the_game(folder: Folder) -> None:
    for game in GAMES:
        log = read_bytes(encode_scored_game(game, TITLES), "x")
        assert log.complaint is None
        assert (log.header.source, log.header.game, len(log.lines)) == ("scoresheet", game.game, 2)
        assert {result.seat: result.points for result in replay(log).declared} == {
            n: seat.points for n, seat in enumerate(game.seats, 1)
        }
        again = make_scored_game(replay(log))
        assert told(again)[:-1] == told(game)[:-1]
    assert folder.list_names() == []


def test_colours_that_the_title_has_are_kept_and_the_rest_dealt_out() -> None:
    header = read_bytes(encode_scored_game(GAMES[0], TITLES), "x").header
    assert [seat.colour for seat in header.seats] == ["red", "blue", "green"]
    seats = [replace(seat, colour=colour) for seat, colour in zip(GAMES[0].seats, ("Red", "pink", None), strict=True)]
    header = read_bytes(encode_scored_game(replace(GAMES[0], seats=tuple(seats)), TITLES), "x").header
    assert [seat.colour for seat in header.seats] == ["red", "blue", "yellow"]


def test_a_game_that_was_recorded_has_its_scores_and_places() -> None:
    done = replay(read_bytes(WHOLE.read_bytes(), "x"))
    game = make_scored_game(done)
    assert [seat.points for seat in game.seats] == [score.total for score in done.scores()]
    assert [seat.rank for seat in game.seats] == [score.place for score in done.scores()]


def test_a_game_without_an_end_has_no_final_scores() -> None:
    done = replay(read_bytes((EXAMPLES / "first-round.jsonl").read_bytes(), "x.jsonl"))
    with pytest.raises(ExchangeError, match=r"expected a final score for each player, found none for '.+', at x.jsonl"):
        make_scored_game(done)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (replace(GAMES[0], ids=("../x",)), "expected the id of a game, found '../x'"),
        (replace(GAMES[0], seats=GAMES[0].seats * 2), "expected 2 to 5 players, found 6"),
        (replace(GAMES[0], seats=GAMES[1].seats[:1] * 2), "found 'Anna' twice"),
        (replace(GAMES[0], place="x" * 501), "expected a place of at most 500 characters"),
        (replace(GAMES[0], place="\x1b[2J"), "expected a place that can be printed"),
        (replace(GAMES[0], first=4), "expected one of 3 seats to begin"),
        (replace(GAMES[1], seats=(GAMES[1].seats[0], ScoredSeat(player="x" * 61, points=1))), "at most 60 characters"),
        (replace(GAMES[1], seats=(GAMES[1].seats[0], ScoredSeat(player=" ", points=1))), "a player's name, found none"),
        (replace(GAMES[1], seats=(GAMES[1].seats[0], ScoredSeat(player="x", points=10**6))), "at most 99999 points"),
    ],
)
def test_what_no_log_could_say_is_refused(game: ScoredGame, said: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        check_game(game, TITLES)
    assert said in str(caught.value)


@pytest.mark.parametrize("said", ["2024-01-05", " 2024-01-05 ", "2024-01-05 20:15", "2024-01-05T20:15:00", "5.1.2024"])
def test_a_day(said: str) -> None:
    assert parse_day(said) == "2024-01-05"


@pytest.mark.parametrize(
    "said", ["", "5/1/2024", "20240105", "2024-W01-5", "2024-1-5", "2024-00-01", "٢٠٢٤-01-05", "x" * 999]
)
def test_no_day(said: str) -> None:
    with pytest.raises(ExchangeError, match="expected a day"):
        parse_day(said)


# --- once, and never over anything ---------------------------------------------------------------


def test_twice_adds_nothing(folder: Folder) -> None:
    assert [one.what for one in bring(folder, *GAMES)] == ["new", "new"]
    before = {name: folder.hash_log(name) for name in folder.list_names()}
    assert [one.what for one in bring(folder, *GAMES, *GAMES)] == ["there"] * 4
    assert {name: folder.hash_log(name) for name in folder.list_names()} == before


def test_one_call_knows_what_it_brought(folder: Folder) -> None:
    assert [one.what for one in bring(folder, GAMES[0], GAMES[0])] == ["new", "there"]
    bringer = Importer(Folder(folder.path / "dry"), TITLES, is_dry=True)
    for what in ("new", "there"):
        assert [one.what for one in bringer.add(Imported(games=GAMES[:1]))] == [what]
    assert not (folder.path / "dry").exists()


def test_two_machines_write_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        folder = Folder(tmp_path / name)
        bring(folder, *GAMES)
        digests.append([folder.hash_log(game) for game in folder.list_names()])
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (replace(GAMES[1], played="2024-01-06"), "expected the day 2024-01-05 as it is here already, found 2024-01-06"),
        (
            replace(GAMES[1], seats=(GAMES[1].seats[0], ScoredSeat(player="Dora", points=1))),
            "expected Anna -1, Dora 0 as it is here already, found Anna -1, Dora 1",
        ),
    ],
)
def test_the_same_game_told_otherwise_is_refused(folder: Folder, other: ScoredGame, said: str) -> None:
    bring(folder, GAMES[1])
    before = folder.hash_log(GAMES[1].game)
    (one,) = bring(folder, other)
    assert (one.what, str(one.why)) == ("refused", said)
    assert folder.hash_log(GAMES[1].game) == before


def test_a_place_that_one_of_them_does_not_name_is_no_contradiction() -> None:
    assert describe_difference(GAMES[1], replace(GAMES[1], place="x")) is None
    assert "expected the place 'x'" in str(
        describe_difference(replace(GAMES[1], place="x"), replace(GAMES[1], place="y"))
    )


def test_a_game_is_found_under_its_other_ids(folder: Folder) -> None:
    other = make_game_id("bgg:play", "7")
    bring(folder, replace(GAMES[0], ids=(other,)))
    (one,) = bring(folder, replace(GAMES[0], ids=(GAMES[0].game, other)))
    assert (one.what, one.game) == ("there", other)


def test_boardgamegeek_and_bg_stats_tell_of_one_game(folder: Folder) -> None:
    (game,) = bgg.read_plays(PLAYS_XML.encode(), "p.xml", TITLES, {}).games
    bring(folder, game)
    row = play_row([score_row(1, "63"), score_row(2, "58")], bggId=501)
    (one,) = bring(folder, *bgstats.read_export(encoded(export(row)), "b.json", TITLES, {}).games)
    assert one.what == "there"


def test_a_recorded_game_that_went_out_is_there_when_it_comes_back(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    done = replay(read_bytes(raw, "x"))
    (first,) = bring(folder, raw=raw)
    assert first.what == "new"
    game = replace(make_scored_game(done), played="2024-01-05")
    came = bgstats.read_export(bgstats.write_export([game], TITLES), "b.json", TITLES, {})
    (one,) = bring(folder, *came.games)
    # the log names no day, so that no other one contradicts it
    assert (one.game, one.what) == (first.game, "there")


# --- logs ----------------------------------------------------------------------------------------


def test_a_log_comes_in_as_it_is(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    (one,) = bring(folder, raw=raw)
    assert one.what == "new"
    assert (folder.path / f"{one.game}.jsonl").read_bytes() == raw
    assert [again.what for again in bring(folder, raw=raw)] == ["there"]


def parted(raw: bytes, at: int) -> bytes:
    """Another history of the same game: from line `at` on, counted from 0, another scribe wrote it."""
    log = read_bytes(raw, "x")
    lines = [replace(line, by="another" if n >= at else line.by) for n, line in enumerate(log.lines)]
    return rechained(lines)


def rechained(lines: Sequence[Any]) -> bytes:
    prev, made = chain.GENESIS, []
    for line in lines:
        made.append(codec.hashed_bytes(replace(line, prev=prev, hash="")))
        prev = made[-1][-35:-3].decode()
    return b"".join(made)


@pytest.mark.parametrize("is_dry", [False, True])
def test_a_history_is_the_same_or_goes_on_or_parts(tmp_path: Path, counts: Counter[str], *, is_dry: bool) -> None:
    """Whatever two prefixes of whatever two histories come in one after the other, under whatever names."""
    raw = WHOLE.read_bytes()
    rng = random.Random(7)
    for nth in range(40):
        folder = Folder(tmp_path / f"{nth}")
        at = rng.choice([0, 1, 2, rng.randrange(1, 60)])
        lines = raw.splitlines(keepends=True)
        one = b"".join(lines[: rng.randint(1, 60)])
        whole = rng.choice([raw, parted(raw, at)])
        two = b"".join(whole.splitlines(keepends=True)[: rng.randint(1, 60)])
        bringer = Importer(folder, TITLES, is_dry=is_dry)
        whats = [
            one.what
            for came in (one, two, two)
            for one in bringer.add(FORMATS["log"].read(came, "x.jsonl", TITLES, {}))
        ]
        if one.startswith(two):
            expected, kept = ["new", "there", "there"], one
        elif two.startswith(one):
            expected, kept = ["new", "continued", "there"], two
        else:
            expected, kept = ["new", "refused", "refused"], one
        assert whats == expected
        counts[f"{expected[1]}{' in a dry run' if is_dry else ''}"] += 1
        if is_dry:
            assert not folder.path.exists()
        else:
            assert [(folder.path / f"{name}.jsonl").read_bytes() for name in folder.list_names()] == [kept]


def test_a_conflict_says_where_they_part(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    bring(folder, raw=raw)
    (one,) = bring(folder, raw=parted(raw, 6))
    assert one.what == "refused"
    assert str(one.why) == (
        "expected the log that is here under this id, found one that parts from it at line 7: "
        "compare lays the two side by side"
    )


def test_a_game_under_another_file_name_is_there(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    folder.path.mkdir()
    short = b"".join(raw.splitlines(keepends=True)[:9])
    (folder.path / "evening.jsonl").write_bytes(short)
    assert [one.what for one in bring(folder, raw=short)] == ["there"]
    (one,) = bring(folder, raw=raw)
    assert (one.what, one.name, str(one.why)) == (
        "continued",
        "evening",
        f"{len(raw.splitlines()) - 9} lines that were not here",
    )
    assert (folder.path / "evening.jsonl").read_bytes() == raw
    assert folder.list_names() == ["evening"]
    game = make_scored_game(replay(read_bytes(raw, "x")))
    (again,) = bring(folder, game)
    assert (again.what, again.game, again.name) == ("there", one.game, "evening")


def test_a_name_that_another_game_has_is_not_taken(folder: Folder) -> None:
    raw, other = WHOLE.read_bytes(), (EXAMPLES / "shared-win.jsonl").read_bytes()
    game = read_bytes(raw, "x").header.game
    folder.path.mkdir()
    (folder.path / f"{game}.jsonl").write_bytes(other)
    (one,) = bring(folder, raw=raw)
    assert one.what == "refused"
    assert f"expected no other game in the file of this one, found one, at {folder.path / game}.jsonl" in str(one.why)
    (two,) = bring(folder, replace(GAMES[0], ids=(game,)))
    assert (two.what, two.why) == ("refused", one.why)
    assert (folder.path / f"{game}.jsonl").read_bytes() == other


def test_what_is_damaged_here_is_mended_or_left_alone(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    lines = raw.splitlines(keepends=True)
    folder.path.mkdir()
    file = folder.path / "evening.jsonl"
    file.write_bytes(b"".join(lines[:9]) + lines[9][:50])
    (one,) = bring(folder, raw=raw)
    assert (one.what, file.read_bytes()) == ("continued", raw)
    damaged = b"".join([*lines[:9], lines[9].replace(b'"by"', b'"bx"'), *lines[10:]])
    file.write_bytes(damaged)
    (two,) = bring(folder, raw=raw)
    assert (two.what, file.read_bytes()) == ("refused", damaged)
    file.write_bytes(b"{}\n")
    file.rename(folder.path / f"{one.game}.jsonl")
    (three,) = bring(folder, raw=raw)
    assert three.what == "refused"


def test_notes_follow_the_game_to_the_name_it_has_here(folder: Folder) -> None:
    raw = WHOLE.read_bytes()
    folder.path.mkdir()
    (folder.path / "evening.jsonl").write_bytes(raw)
    written = codec.encode(note(text="why?"))
    pack = b"".join(pack_games([Game(raw, written)]))
    (one,) = Importer(folder, TITLES).add(FORMATS["pack"].read(pack, "x", TITLES, {}))
    assert (one.what, one.notes) == ("there", 1)
    assert folder.read_game("evening").notes == written


# --- our own exports -----------------------------------------------------------------------------


def own(raw: bytes) -> dict[str, bytes]:
    done = replay(read_bytes(raw, "x"))
    said = "".join(f"{line}\n" for line in transcribe(done.log)).encode()
    return {"html": make_page(done, raw), "json": replay_json(done, raw), "notation": said}


def logs() -> Iterator[tuple[str, bytes]]:
    """Every example that is whole, and some games by chance."""
    for path in sorted(EXAMPLES.glob("*.jsonl")):
        with suppress(LogError):
            if read_bytes(path.read_bytes(), path.name).complaint is None:
                yield path.stem, path.read_bytes()
    yield from ((f"game-{seed:04d}", raw_of(by_chance("spyrium", seed))) for seed in range(3))


def test_what_export_wrote_comes_back(tmp_path: Path, counts: Counter[str]) -> None:
    for name, raw in logs():
        id_ = read_bytes(raw, "x").header.game
        archive = Folder(tmp_path / name)
        archive.path.mkdir()
        (archive.path / "evening.jsonl").write_bytes(raw)
        for form, said in own(raw).items():
            assert format_of(said, "x") == form
            (came,) = FORMATS[form].read(said, "x", TITLES, {}).logs
            assert isinstance(came, WholeLog)
            assert form == "notation" or came.raw == raw
            (one,) = Importer(archive, TITLES).add(Imported(logs=[came]))
            assert (name, form, one.game, one.what, one.why) == (name, form, id_, "there", None)
            counts[f"exports as {form} back"] += 1
        assert archive.read_game("evening").log == raw


def test_a_game_in_notation_that_says_otherwise_is_refused(folder: Folder) -> None:
    raw = (EXAMPLES / "counted.jsonl").read_bytes()
    bring(folder, raw=raw)
    text = own(raw)["notation"]
    assert b"count " in text
    (one,) = Importer(folder, TITLES).add(FORMATS["notation"].read(text.replace(b"p12", b"p23", 1), "x", TITLES, {}))
    assert one.what == "refused"
    assert folder.read_game(one.game).log == raw


def test_a_damaged_log_goes_out_as_json_as_far_as_it_goes() -> None:
    raw = (EXAMPLES / "cut-off-in-mid-line.jsonl").read_bytes()
    (one,) = FORMATS["json"].read(own(raw)["json"], "x", TITLES, {}).logs
    assert isinstance(one, WholeLog)
    assert raw.startswith(one.raw)
    assert read_bytes(one.raw, "x").complaint is None
    with pytest.raises(LogError):
        FORMATS["html"].read(own(raw)["html"], "x", TITLES, {})


LINK = b'<a id="log" '


@pytest.mark.parametrize(
    ("form", "old", "new", "said"),
    [
        ("html", LINK, b'<a id="x" ', "expected a page that export made, with a link to the log in it; found 0, at x"),
        ("html", b"<body>", b"<body>" + LINK, "found 2, at x"),
        ("html", b'<code id="digest">', b"<code>", "with the hash of the log in it; found 0, at x"),
        ("html", b'<code id="digest">', b'<code id="digest">0', "expected a log that ends in hash '0"),
        ("html", b"base64,", b"base64,A", "base64"),
        ("html", b"base64,", b"base64,AAAA", "not-json"),
        ("html", b"data:application/x-ndjson", b"https://nowhere.invalid/", "empty: expected a header"),
        ("json", b'"log":', b'"lag":', "expected a replay that export made, with the log in it"),
        ("json", b'\n  "hash": "', b'\n  "hash": "\\ud800', "x"),
        ("json", b'\n  "hash": "', b'\n  "hash": "0', "expected a log that ends in hash '0"),
        ("json", b'"log": [', b'"log": [1, ', "found: "),
        ("json", b'"log": [', b'"log": ["\\ud800", ', "x"),
        ("json", b'"log": [', b'"log": ["", ', "x:1"),
        ("json", b'"verdict"', b'"x":' + b"[" * 100_000, "found: "),
    ],
)
def test_hostile_exports_are_refused_in_one_sentence(form: str, old: bytes, new: bytes, said: str) -> None:
    text = own((EXAMPLES / "counted.jsonl").read_bytes())[form]
    assert old in text
    with pytest.raises((ExchangeError, LogError), match=re.escape(said)) as caught:
        FORMATS[form].read(text.replace(old, new, 1), "x", TITLES, {})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["html", "json"])
def test_whatever_is_flipped_the_log_comes_back_or_none(counts: Counter[str], form: str) -> None:
    raw = (EXAMPLES / "counted.jsonl").read_bytes()
    text = own(raw)[form]
    rng = random.Random(3)
    start = text.index(LINK if form == "html" else b'"log": [')
    for nth in range(150):
        at = rng.randrange(start, len(text)) if nth % 2 else rng.randrange(len(text))
        made = bytearray(text)
        made[at] ^= 1 << rng.randrange(8)
        try:
            (one,) = FORMATS[form].read(bytes(made), "x", TITLES, {}).logs
        except (ExchangeError, LogError):
            counts[f"flipped {form} refused"] += 1
        else:
            assert isinstance(one, WholeLog)
            assert one.raw == raw
            counts[f"flipped {form} read"] += 1


@pytest.mark.parametrize("name", ["flipped-bit", "cut-off-in-mid-line"])
def test_a_damaged_log_is_not_copied(folder: Folder, name: str) -> None:
    with pytest.raises(LogError):
        bring(folder, raw=(EXAMPLES / f"{name}.jsonl").read_bytes())
    assert folder.list_names() == []


def test_a_log_of_another_title_is_no_loss() -> None:
    came = FORMATS["log"].read(WHOLE.read_bytes(), "x.jsonl", {"pebbles": PEBBLES}, {})
    assert [(str(left.why), left.what == "other") for left in came.left_out] == [
        (f"expected a game of {PEBBLES.name}, found 'Spyrium'", True)
    ]


# --- which format --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (WHOLE.read_bytes(), "log"),
        (b"\xef\xbb\xbf\n<!doctype HTML>\n", "html"),
        (b"<html>", "html"),
        (b'{"header": {"kind"', "json"),
        (encoded(export()), "bgstats"),
        (b"\xef\xbb\xbf\r\n {}", "bgstats"),
        (PLAYS_XML.encode(), "bgg"),
        (b"\xef\xbb\xbf<plays/>", "bgg"),
        (PLAYS_XML.encode("utf-16"), "bgg"),
        (b"date,Anna\n", "csv"),
        (b"\x28\xb5\x2f\xfd,", "pack"),
        (b'# played by heart\n\n[spyrium "game-page"]\n', "notation"),
        ("date\tZoë\r\n".encode("utf-16"), "csv"),
        (b"a;" + "ł".encode() * HEAD_BYTES, "csv"),
        (csv_scores.write_scores(GAMES, TITLES), "csv"),
    ],
)
def test_a_format_is_known_by_its_content(raw: bytes, name: str) -> None:
    assert format_of(raw, "x") == name


@pytest.mark.parametrize("raw", [b"", b"\x00\x01,", b"hello\n", b"PK\x03\x04,,", b"\xff\xfe,"])
def test_what_is_none_of_them_is_said(raw: bytes) -> None:
    with pytest.raises(ExchangeError, match="found none of them, at x"):
        format_of(raw, "x")


# --- laws ----------------------------------------------------------------------------------------

PLAYER = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=12).map(tidy)
SEATS = st.lists(
    st.builds(ScoredSeat, player=PLAYER, points=st.integers(-99_999, 99_999)),
    min_size=2,
    max_size=5,
    unique_by=lambda seat: fold_name(seat.player),
)
SCORED = st.builds(
    ScoredGame,
    ids=st.uuids().map(lambda id_: (str(id_),)),
    title=st.just("spyrium"),
    seats=SEATS.map(tuple),
    first=st.none() | st.integers(1, 2),
    played=st.dates().map(lambda day: day.isoformat()),
    place=st.none() | st.just("Łódź, at “Bob’s”"),
    minutes=st.none() | st.integers(1, 600),
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(SCORED, max_size=4))
def test_any_games_go_out_and_come_back_the_same(counts: Counter[str], made: list[ScoredGame]) -> None:
    games: list[ScoredGame] = []
    for game in made:
        try:
            check_game(game, TITLES)
        except ExchangeError:
            counts["games that no log could say"] += 1
        else:
            games.append(game)
    for read, write in ((bgstats.read_export, bgstats.write_export), (csv_scores.read_scores, csv_scores.write_scores)):
        came = read(write(games, TITLES), "x", TITLES, {})
        assert came.left_out == ()
        assert [told(game) for game in came.games] == [told(game) for game in games]
        assert [game.game for game in came.games] == [game.game for game in games]
    for game in games:
        back = make_scored_game(replay(read_bytes(encode_scored_game(game, TITLES), "x")))
        # A log always names who began; of an old score sheet seat 1 means nothing.
        assert told(back)[:-1] == told(replace(game, first=None if game.first == 1 else game.first))[:-1]
    counts["games out and back"] += len(games) + 1
