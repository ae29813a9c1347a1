"""Calls of the public library with something that it cannot take: each is refused with an error of our own.

The error says what was expected and what was found. What it may not be is a KeyError, a TypeError, or whatever the
packages below raise.
"""

from __future__ import annotations

import inspect
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec import Struct, structs

import spyrium_log
from spyrium_log import (
    TITLES,
    Archive,
    Folder,
    Log,
    Options,
    Play,
    QueryError,
    Replay,
    Sheet,
    SpyriumLogError,
    Title,
    open_archive,
    parse_sheet,
    read_log,
    replay_log,
    schema,
)
from spyrium_log.play import make_scoresheet
from spyrium_log.title import Adjusted, Conceded, Counted, FinalCount, Holding
from spyrium_log.titles.spyrium.moves import ActivateCard, DealtCard, PlaceWorker, RoundDealt, UseBuilding
from tests.pebbles import PEBBLES, Take

SPYRIUM = TITLES["spyrium"]
GAME = "game-wrong"
NAMES = ("Anna", "Bob")
DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:1 luxury-home mine-2"
HUGE = 10**5000
LONGEST_MESSAGE = 1200


class World(NamedTuple):
    """A game that has begun, one that is over as far as it goes, and both in an archive."""

    play: Play
    recorded: Play
    folder: Folder
    archive: Archive
    root: Path


Call: TypeAlias = Callable[[World], object]
# What a type checker would refuse is handed in as this.
PLACE: Any = PlaceWorker(seat=1, gap=12)
NOTHING: Any = None
WORD: Any = "word"
NUMBER: Any = 3


def new(**said: Any) -> Play:
    return Play.new(**{"title": SPYRIUM, "game": GAME, "players": NAMES, **said})


def sheet_without(component: str) -> Sheet:
    sheet = SPYRIUM.sheet()
    return structs.replace(sheet, printed=tuple(row for row in sheet.printed if row.of != component))


BEGINNING: Mapping[str, Call] = {
    "a title that is none": lambda _: new(title="spyrium"),
    "no title": lambda _: new(title=None),
    "a title that is not on the shelf": lambda _: TITLES["tigris"],
    "a title's name in other letters": lambda _: TITLES["Spyrium"],
    "an id with a slash": lambda _: new(game="../etc/passwd"),
    "no id": lambda _: new(game=""),
    "an id that is too long": lambda _: new(game="a" * 65),
    "an id with a line's end": lambda _: new(game="game-1\n"),
    "an id that is a number": lambda _: new(game=2026),
    "six players": lambda _: new(players=list("ABCDEF")),
    "one player": lambda _: new(players=["Anna"]),
    "no players": lambda _: new(players=[]),
    "players in one text": lambda _: new(players="Anna, Bob"),
    "players as letters": lambda _: new(players="AB"),
    "players that are none": lambda _: new(players=None),
    "a player without a name": lambda _: new(players=["Anna", ""]),
    "a player of spaces": lambda _: new(players=["Anna", "  "]),
    "a player twice": lambda _: new(players=["Anna", "anna"]),
    "a player that is a number": lambda _: new(players=["Anna", 2]),
    "a name that steers a terminal": lambda _: new(players=["Anna", "\x1b]52;c;x\x1b\\"]),
    "a name that is too long": lambda _: new(players=["Anna", "B" * 61]),
    "a colour of no box": lambda _: new(colours=["mauve"]),
    "a colour twice": lambda _: new(colours=["red", "red"]),
    "more colours than players": lambda _: new(colours=["red", "blue", "green"]),
    "colours in one text": lambda _: new(colours="red"),
    "a first seat beyond the table": lambda _: new(first=7),
    "seat 0 begins": lambda _: new(first=0),
    "a first seat by name": lambda _: new(first="Anna"),
    "a truth for a seat": lambda _: new(first=True),
    "nobody records": lambda _: new(by=""),
    "a scribe of two lines": lambda _: new(by="Anna\nBob"),
    "a time without a zone": lambda _: new(at=datetime(2026, 11, 18)),  # noqa: DTZ001 - that is what is wrong
    "a time as text": lambda _: new(at="2026-11-18"),
    "an option that nobody knows": lambda _: new(options={"crane-discont": "site"}),
    "an option as Python spells it": lambda _: new(options={"crane_discount": "site"}),
    "a word that the option does not know": lambda _: new(options={"crane-discount": "none"}),
    "a truth for an option": lambda _: new(options={"crane-discount": True}),
    "a list of options": lambda _: new(options=["crane-discount"]),
    "options of another title": lambda _: new(options=PEBBLES.options()),
    "an edition that nobody printed": lambda _: new(edition="de"),
    "a sheet that lacks a card": lambda _: new(sheet=sheet_without("crane")),
    "a sheet of another title": lambda _: new(sheet=PEBBLES.sheet()),
    "a sheet as text": lambda _: new(sheet="mine-1"),
    "a day that is a number": lambda _: new(played=20261118),
    "a place without end": lambda _: new(place="x" * 501),
    "a first line that is none": lambda _: Play.begin(SPYRIUM, NOTHING),
    "a first line of another title": lambda _: Play.begin(PEBBLES, new().log.header),
    "a source that nobody knows": lambda _: Play.new(SPYRIUM, game=GAME, players=NAMES, source=WORD),
    "points in words": lambda _: scores([("Anna", "many"), ("Bob", 1)]),
    "more points than a log holds": lambda _: scores([("Anna", HUGE), ("Bob", 1)]),
    "names without points": lambda _: scores(["Anna", "Bob"]),
    "a score sheet of one": lambda _: scores([("Anna", 9)]),
}


def scores(said: Any) -> object:
    return make_scoresheet(SPYRIUM, game=GAME, scores=said)


PLAYING: Mapping[str, Call] = {
    "a play of no log": lambda _: Play(NOTHING),
    "a play of bytes": lambda _: Play(WORD),
    "an act that is none": lambda w: w.play.do(None, by="Anna"),
    "an act of another title": lambda w: w.play.do(Take(seat=1, n=1), by="Anna"),
    "an act as a dict": lambda w: w.play.do({"act": "pass", "seat": 1}, by="Anna"),
    "the class of an act": lambda w: w.play.do(PlaceWorker, by="Anna"),
    "notation that says nothing": lambda w: w.play.do("castle", by="Anna"),
    "empty notation": lambda w: w.play.do("", by="Anna"),
    "notation of a card that there is not": lambda w: w.play.do("a12.1 =castle", by="Anna"),
    "notation of a megabyte": lambda w: w.play.do("p12 " * 250_000, by="Anna"),
    "a gap that is not on the board": lambda w: w.play.do(changed(PLACE, gap=99), by="Anna"),
    "such a gap anyway": lambda w: w.play.do(changed(PLACE, gap=99), by="Anna", anyway=True),
    "a tenth space": lambda w: w.play.do(ActivateCard(seat=1, gap=12, space=12), by="Anna"),
    "a tenth space anyway": lambda w: w.play.do(ActivateCard(seat=1, gap=12, space=12), by="Anna", anyway=True),
    "a space below all": lambda w: w.play.do(ActivateCard(seat=1, gap=12, space=-1), by="Anna", anyway=True),
    "seat 9 of two": lambda w: w.play.do(changed(PLACE, seat=9), by="Anna"),
    "seat 10": lambda w: w.play.do(changed(PLACE, seat=10), by="Anna", anyway=True),
    "a seat by name": lambda w: w.play.do(changed(PLACE, seat="Anna"), by="Anna"),
    "a truth for a seat at the table": lambda w: w.play.do(changed(PLACE, seat=True), by="Anna", anyway=True),
    "a gap that is text": lambda w: w.play.do(changed(PLACE, gap="12"), by="Anna"),
    "a gap without end": lambda w: w.play.do(changed(PLACE, gap=HUGE), by="Anna", anyway=True),
    "building 0": lambda w: w.play.do(UseBuilding(seat=1, slot=0, effect=1), by="Anna", anyway=True),
    "a technique that nobody has": lambda w: w.play.do("@1 >a12.1 lob", by="Anna"),
    "a move out of turn": lambda w: w.play.do("@2 p12", by="Bob"),
    "a deal in the middle of a round": lambda w: w.play.do(DEAL, by="Anna"),
    "a deal of cards that there are not": lambda _: new().do(dealt("castle"), by="Anna"),
    "a card's name without end": lambda _: new().do(dealt("x" * 41), by="Anna", anyway=True),
    "a market that is no tuple": lambda _: new().do(changed(dealt("mine-1"), market=NUMBER), by="Anna"),
    "a market of words": lambda _: new().do(changed(dealt("mine-1"), market=("mine-1",)), by="Anna"),
    "the final count too early": lambda w: w.play.do(FinalCount(), by="Anna"),
    "seat 5 of two concedes": lambda w: w.play.do(Conceded(seat=5), by="Anna"),
    "a ruling without a reason": lambda w: w.play.do(Adjusted(who="Anna", why=NOTHING), by="Anna"),
    "a reason without end": lambda w: w.play.do(Adjusted(who="Anna", why="x" * 501), by="Anna"),
    "a count of what there is not": lambda w: w.play.do(Counted(held=(Holding(1, "gold", 3),)), by="Anna"),
    "a count of nothing countable": lambda w: w.play.do(Counted(held=NUMBER), by="Anna"),
    "nobody records the act": lambda w: w.play.do("p12", by=""),
    "no scribe of the act": lambda w: w.play.do("p12", by=NOTHING),
    "a scribe with a line's end": lambda w: w.play.do("p12", by="Anna\n"),
    "a scribe without end": lambda w: w.play.do("p12", by="x" * 61),
    "a time of no zone": lambda w: w.play.do("p12", by="Anna", at=datetime(2026, 11, 18)),  # noqa: DTZ001 - as above
    "a time in words": lambda w: w.play.do("p12", by="Anna", at=WORD),
    "a command id of nothing": lambda w: w.play.do("p12", by="Anna", cmd=""),
    "a command id that is a number": lambda w: w.play.do("p12", by="Anna", cmd=NUMBER),
    "a command that came before": lambda w: w.play.do("p12", by="Anna", cmd="dealt"),
    "postings that are none": lambda w: w.play.propose("p12", by="Anna", extra=NUMBER).event,
    "a posting that is a word": lambda w: w.play.propose("p12", by="Anna", extra=[WORD]).event,
    "an undo to a line that is not there": lambda w: w.play.undo(999, by="Anna"),
    "an undo to before the first line": lambda w: w.play.undo(-1, by="Anna"),
    "an undo to a word": lambda w: w.play.undo(WORD, by="Anna"),
    "an undo of nothing": lambda _: new().undo(by="Anna"),
    "an undo by nobody": lambda w: w.play.undo(by=" "),
    "an undo with a number for a reason": lambda w: w.play.undo(by="Anna", why=NUMBER),
    "a seal by nobody": lambda w: w.play.seal(by=""),
    "a seal with a word for a key": lambda w: w.play.seal(by="Anna", signer=WORD),
    "a line that is none": lambda w: w.play.append(NOTHING),
    "a line of another place": lambda w: w.play.append(structs.replace(w.play.make_undo_line(by="Anna"), n=1)),
    "a second first line": lambda w: w.play.append(w.play.log.header),
    "notation that is a number": lambda w: w.play.read_notation(NUMBER),
    "the notation of nothing": lambda w: w.play.write_notation(None),
    "a place to record to that is taken": lambda w: w.folder.create(w.recorded),
    "what is no play to record": lambda w: w.folder.create(WORD),
    "a game that is there already": lambda w: w.folder.create(new(game="game-there")),
    "going on in a file that was closed": lambda w: w.recorded.do("p12", by="Anna"),
    "the rules on what is no act": lambda w: SPYRIUM.breaches(w.play.state, None),
    "the rules on an act of others": lambda w: SPYRIUM.effects(w.play.state, Take(seat=1, n=1)),
}


def changed(act: Any, **fields: Any) -> Any:
    return structs.replace(act, **fields)


def dealt(card: str) -> RoundDealt:
    market = tuple(DealtCard(card=each) for each in (card, *["mine-1"] * 8))
    return RoundDealt(round=1, first=1, event="exchange", next_event="estate", market=market)


READING: Mapping[str, Call] = {
    "bytes that are no log": lambda _: read_log(b"garbage"),
    "no bytes": lambda _: read_log(b""),
    "text for bytes": lambda _: read_log(WORD),
    "a path for bytes": lambda w: read_log(w.root),  # type: ignore[arg-type]  # wrong on purpose
    "a log of a title that nobody knows": lambda w: read_log(w.play.encode().replace(b'"spyrium"', b'"founders"', 1)),
    "a folder of nothing": lambda _: Folder(NOTHING),
    "a folder that is a file": lambda w: Folder(w.root / "a-file").list_names(),
    "a log that is not there": lambda w: w.folder.read_log("nobody"),
    "a log by number": lambda w: w.folder.read_log(NUMBER),
    "a log outside the folder": lambda w: w.folder.read_log("../game-there"),
    "a log of no name": lambda w: w.folder.read_log(""),
    "the last log of none": lambda w: Folder(w.root / "empty").resolve("@last"),
    "a name that is none": lambda w: w.folder.resolve(NOTHING),
    "a game to go on with that is not there": lambda w: w.folder.open_play("nobody"),
    "a game to go on with by number": lambda w: w.folder.open_play(NUMBER),
    "a whole log of text": lambda w: w.folder.write_whole(WORD),
    "a whole log of garbage": lambda w: w.folder.write_whole(b"garbage\n"),
    "a game to put away that is not there": lambda w: w.folder.put_away("nobody"),
    "notes to add that are none": lambda w: w.folder.add_notes("game-there", b"garbage\n"),
    "a replay of nothing": lambda _: replay_log(NOTHING),
    "a replay to a line that is not there": lambda w: replay_log(w.play.log, until=99),
    "a replay to before the first line": lambda w: replay_log(w.play.log, until=-1),
    "a replay to a word": lambda w: replay_log(w.play.log, until=WORD),
    "a replay under options that nobody knows": lambda w: replay_log(w.play.log, options={"tea": "green"}),
    "a replay under options of another title": lambda w: replay_log(w.play.log, options=PEBBLES.options()),
    "a replay with a sheet that is none": lambda w: replay_log(w.play.log, sheet=WORD),
    "a state after a line that is not there": lambda w: w.play.replay().state_after(999),
    "a state after a line below all": lambda w: w.play.replay().state_after(-1),
    "a state after a word": lambda w: w.play.replay().state_after("later"),
    "a state after an event that was never inserted": lambda w: w.play.replay().state_after("999.1"),
    "a state after so many events": lambda w: w.play.replay().state_at(99),
    "points of seat 9": lambda w: w.play.replay().sum_score_parts(9),
    "points of seat 0": lambda w: w.play.replay().sum_score_parts(0),
    "an option of a game that there is not": lambda w: w.play.header.options["crane_discount"],
    "an option by number": lambda w: w.play.header.options[0],
    "a sheet that is no text": lambda _: parse_sheet(NUMBER),
    "a sheet that is no TOML": lambda _: parse_sheet("= ="),
    "the schema of a word": lambda _: schema(WORD),
    "a public name that there is not": lambda _: TITLES[NOTHING],
}

ASKING: Mapping[str, Call] = {
    "an archive of nothing": lambda _: open_archive(NOTHING),
    "an archive that is not there": lambda w: open_archive(w.root / "nowhere"),
    "an archive that is a file": lambda w: open_archive(w.root / "a-file"),
    "an index that is a number": lambda w: open_archive(w.root, index=NUMBER),
    "a question that is none": lambda w: w.archive.query(NOTHING),
    "an empty question": lambda w: w.archive.query(""),
    "SQL that is none": lambda w: w.archive.query("SELEKT 1"),
    "a table that there is not": lambda w: w.archive.query("SELECT * FROM nobody"),
    "two statements": lambda w: w.archive.query("SELECT 1; SELECT 2"),
    "a statement that writes": lambda w: w.archive.query("DELETE FROM game"),
    "a statement that reads files": lambda w: w.archive.query("SELECT * FROM read_csv('/etc/passwd')"),
    "a parameter that is missing": lambda w: w.archive.query("SELECT $who"),
    "a parameter that the question does not have": lambda w: w.archive.query("SELECT 1", who="Anna"),
    "a parameter that no database knows": lambda w: w.archive.query("SELECT $who", who=w.play),
    "rows of a type that is no table": lambda w: list(w.archive.rows(Options)),
    "rows of a number": lambda w: list(w.archive.rows(NUMBER)),
    "a report that there is not": lambda w: w.archive.report("seets"),
    "a report by number": lambda w: w.archive.report(NUMBER),
    "an option that no report has": lambda w: w.archive.report("seats", colour="red"),
    "an option that says nothing": lambda w: w.archive.report("seats", least="many"),
    "a player whom nobody knows": lambda w: w.archive.report("player", player="Nobody"),
    "what might have been in a game that is not there": lambda w: list(w.archive.alternatives("nobody")),
    "what might have been at no event": lambda w: list(w.archive.alternatives("game-there", 99)),
    "a game of an archive by number": lambda w: w.archive.replay(NUMBER),
}

CALLS: Mapping[str, Call] = MappingProxyType({**BEGINNING, **PLAYING, **READING, **ASKING})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return made_world(tmp_path_factory.mktemp("world"))


def made_world(root: Path) -> World:
    (root / "a-file").write_text("nothing", encoding="utf-8")
    (root / "empty").mkdir()
    folder = Folder(root / "games")
    play = new()
    play.do(DEAL, by="Anna", cmd="dealt")
    recorded = folder.create(new(game="game-there"))
    recorded.do(DEAL, by="Anna")
    recorded.close()
    return World(play, recorded, folder, open_archive(folder.path), root)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_wrong_call_is_refused_in_our_words(world: World, call: Call, counts: Counter[str]) -> None:
    before = world.play.encode(), world.folder.hash_log("game-there")
    with pytest.raises(SpyriumLogError) as refusal:
        call(world)
    message = str(refusal.value)
    # what is wrong with SQL, the database says in its own words
    if not isinstance(refusal.value, QueryError):
        assert "expected" in message, message
        assert "found" in message, message
    assert len(message) < LONGEST_MESSAGE, message
    assert message.isprintable(), message
    # nothing was half done
    assert (world.play.encode(), world.folder.hash_log("game-there")) == before
    counts["wrong calls refused"] += 1


def test_there_are_many_wrong_calls() -> None:
    assert len(CALLS) == len(BEGINNING) + len(PLAYING) + len(READING) + len(ASKING) > 150


def test_everything_public_says_what_it_is() -> None:
    for name in spyrium_log.__all__:
        value = getattr(spyrium_log, name)
        assert value is TITLES or (value.__doc__ and not value.__doc__.startswith(f"{name}(")), name


# --- anything at all -----------------------------------------------------------------------------

GARBAGE: tuple[Any, ...] = (None, 3, -1, HUGE, True, 2.5, "", "word", b"x", [], {"a": 1}, object(), Path("word"))
# Some arguments are right, so that the others are looked at.
RIGHT: Mapping[str, Any] = MappingProxyType(
    {"title": SPYRIUM, "game": "game-any", "players": NAMES, "by": "Anna", "name": "game-there"}
)
# What needs no argument cannot be called wrongly, and these would end the world that the others are tried in.
LEFT_OUT = {"attach", "close", "put_away", "bring_back"}


def public_calls(world: World) -> Iterator[tuple[str, Callable[..., object]]]:
    for name in spyrium_log.__all__:
        value = getattr(spyrium_log, name)
        is_made_by_us = isinstance(value, type) and issubclass(
            value, Exception | Struct | Replay | Log | Title | Archive
        )
        if callable(value) and not is_made_by_us:
            yield name, value
    done = world.play.replay()
    for thing in (world.play, world.folder, world.archive, done, done.header.options, done.sheet):
        for name, method in inspect.getmembers(thing, inspect.ismethod):
            if not name.startswith("_") and name not in LEFT_OUT:
                yield f"{type(thing).__name__}.{name}", method


def test_garbage_is_refused_in_our_words_or_taken(tmp_path: Path, counts: Counter[str]) -> None:
    rng = random.Random(5)
    for name, call in public_calls(made_world(tmp_path)):
        known = [each for each in inspect.signature(call).parameters.values() if each.kind != each.VAR_KEYWORD]
        asked = [each for each in known if each.kind != each.VAR_POSITIONAL]
        for _ in range(25 if asked else 0):
            said = {
                each.name: RIGHT[each.name] if each.name in RIGHT and rng.random() < 0.6 else rng.choice(GARBAGE)
                for each in asked
                if each.default is each.empty or rng.random() < 0.4
            }
            try:
                answer = call(**said)
                if isinstance(answer, Iterator):
                    list(answer)
            except SpyriumLogError:
                counts["garbage refused"] += 1
            except Exception as error:
                raise AssertionError(f"{name}(**{said})") from error
            else:
                counts["garbage taken"] += 1
    assert counts["garbage refused"] > 800
