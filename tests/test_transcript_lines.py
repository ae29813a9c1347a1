"""One line of text, one line of the log: who is meant, what is said, and where it says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.errors import NotationError
from spyrium_log.log.lines import Accepted, Amended, Corrected, Declared, Line, ReadOff, Result, Undone, Withdrawn
from spyrium_log.play import Play
from spyrium_log.sheet import Printed
from spyrium_log.title import Abandoned, Adjusted, Conceded, Continued, Counted, Holding, Paused, Posting, Seen
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import PlaceWorker
from spyrium_log.transcript import Names, read_line, read_move, read_transcript, transcribe, write_line
from tests.games import game, log_of
from tests.pebbles import PEBBLES
from tests.scribe import Scribe
from tests.stories import FIRST_DEAL, opening


@pytest.fixture
def table() -> Play:
    """Anna, Bob and Cleo; each has placed a worker in gap 12, and Anna is to act."""
    return opening().play("p12", "p12", "p12").table


def line_of(table: Play, text: str) -> Any:
    line = read_line(table, text, by="scribe")
    assert line is not None
    return line


def make_table(names: Sequence[str]) -> Play:
    """Others at the same table."""
    log = opening().log()
    seats = tuple(structs.replace(seat, player=name) for seat, name in zip(log.header.seats, names, strict=True))
    return Play(log_of(TITLES["spyrium"], [structs.replace(log.header, seats=seats), *log.lines[1:]]))


# --- who -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["Bob", "bob", "B", "bo", "red", "RED", "@2", "2", '"Bob"', "r"])
def test_a_player_is_a_name_a_colour_a_seat_or_a_beginning(table: Play, who: str) -> None:
    assert line_of(table, f"{who}: p25").do == PlaceWorker(seat=2, gap=25)
    assert line_of(table, f"{who}:p25").do == PlaceWorker(seat=2, gap=25)


def test_whose_turn_it_is_need_not_be_said(table: Play) -> None:
    line = line_of(table, "p25")
    assert line.do.seat == 1
    assert write_line(table, line) == "p25"
    assert write_line(table, line_of(table, "cleo: p25")) == "Cleo: p25"


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (("Anna", "x", "p12"), ("Anna", "x", "yellow")),
        (("Anna", "anna", "Arne"), ("blue", "red", "Arne")),
        (("Anna Maria", "Anna Lena", "Eva Lu"), ("blue", "red", "Eva")),
        (("red", "blue", "yellow"), ("red", "blue", "yellow")),
        (("3", "", "٣"), ("blue", "red", "yellow")),
        (("a:b", 'a"b', "a|b#c"), ("blue", "red", "yellow")),
        (("blue", "Blue", "b"), ("@1", "red", "b")),
    ],
)
def test_a_name_is_written_as_it_can_be_read(names: Sequence[str], written: Sequence[str]) -> None:
    table = make_table(names)
    for seat, word in enumerate(written, 1):
        line = line_of(table, f"@{seat} p25 | @{seat} £-1 table")
        assert (line.do.seat, line.moved[0].who) == (seat, seat)
        other = write_line(table, structs.replace(line, do=structs.replace(line.do, seat=9)))
        assert other == f"@9 p25 | {word} £-1 table"
        assert line_of(table, other).moved == line.moved


def test_a_name_in_quotes_may_be_anything() -> None:
    names = ("a:b", 'say "no"', "a|b#c [x]")
    table = make_table(names)
    for seat, word in enumerate(('"a:b"', '"say \\"no\\""', '"a|b#c [x]"'), 1):
        assert line_of(table, f"{word}: p25  # to {word}").do.seat == seat


@pytest.mark.parametrize(
    ("who", "found"), [("zoë", "none"), ("a", "more than one"), ("anna", "more than one"), ("4", "none")]
)
def test_a_player_nobody_knows_is_refused_at_the_name(who: str, found: str) -> None:
    with pytest.raises(NotationError, match=f"found {found} for") as caught:
        read_line(make_table(("Anna", "anna", "Arne")), f"  {who}: p12", by="x")
    assert caught.value.column == 3


def test_who_is_meant_follows_the_header_as_it_stands() -> None:
    scribe = opening().aside(Corrected, seat=2, player="Zoë", why="that is how she is called")
    assert line_of(scribe.table, "zoë: p25").do.seat == 2


def test_names_answer_without_a_table() -> None:
    names = Names(["Anna", "Bob"], ["blue", "red"])
    assert [names.seat_of(who) for who in ("b", "red", "1")] == [2, 2, 1]


# --- what was said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("count", Counted(held=())),
        ("count Anna £12 s0, Bob p-1 w4 r2", None),
        ("pause", Paused()),
        ("continue", Continued()),
        ("concede", Conceded(seat=1)),
        ("Bob: concede", Conceded(seat=2)),
        ('abandon "the last train"', Abandoned(why="the last train")),
        ('adjust "Bob": "it was £1 # really"', Adjusted(who="Bob", why="it was £1 # really")),
    ],
)
def test_statements_are_read_and_written(table: Play, text: str, act: Any) -> None:
    line = line_of(table, text)
    if act is not None:
        assert line.do == act
    assert write_line(table, line) == text
    assert read_move(table, text) == line.do


def test_a_count_counts_what_it_says_and_nothing_else(table: Play) -> None:
    held = (Holding(1, "money", 12), Holding(1, "spyrium", 3), Holding(2, "money", 8), Holding(1, "residence", 2))
    assert line_of(table, "count anna £12 s3, bob m8, a r2").do == Counted(held=held)
    assert line_of(table, "anna: count £12 s3, bob m8, r2").do == Counted(held=held)


def test_a_position_has_names_too(table: Play) -> None:
    text = 'position first @Bob, workers 12@Bob*2, @Anna £3 "@Cleo says so"'
    line = line_of(table, text)
    assert (line.do.position.first, line.do.why) == (2, "@Cleo says so")
    assert write_line(table, line) == text


# --- what moved ----------------------------------------------------------------------------------


def test_what_the_rules_give_is_not_written(table: Play) -> None:
    line = line_of(table, ">a12.1")
    assert line.moved == (Posting(1, "money", -2, "price"), Posting(1, "money", -2, "crowd"))
    assert write_line(table, line) == ">a12.1"


MISREAD = Seen(who="Bob", why="misread")


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        ('| £-1 price "Bob": "misread"', (Posting(1, "money", -1, "price", MISREAD), Posting(1, "money", -2, "crowd"))),
        ("| £0 crowd", (Posting(1, "money", -2, "price"), Posting(1, "money", 0, "crowd"))),
        (
            "| Cleo s+2 table",
            (Posting(1, "money", -2, "price"), Posting(1, "money", -2, "crowd"), Posting(3, "spyrium", 2, "table")),
        ),
        ("|=", ()),
        ("|= £-1 crowd, £-1 crowd", (Posting(1, "money", -1, "crowd"), Posting(1, "money", -1, "crowd"))),
        ("|= £-2 crowd, £-3 price", (Posting(1, "money", -2, "crowd"), Posting(1, "money", -3, "price"))),
    ],
)
def test_what_moved_otherwise_is_said_after_a_bar(table: Play, said: str, moved: tuple[Any, ...]) -> None:
    line = line_of(table, f">a12.1 {said}")
    assert line.moved == moved
    assert write_line(table, line) == f">a12.1 {said}"


def test_a_person_may_say_that_what_the_rules_give_is_so(table: Play) -> None:
    """The same amount with who and why is not the same posting."""
    line = line_of(table, '>a12.1 | £-2 crowd "Bob": "misread"')
    assert line.moved[1] == Posting(1, "money", -2, "crowd", MISREAD)


# --- the other lines -----------------------------------------------------------------------------


def test_lines_off_the_timeline_are_read_and_written(table: Play) -> None:
    texts: dict[str, tuple[type[Line], dict[str, Any]]] = {
        'undo 2 "typed twice"': (Undone, {"to": 2, "why": "typed twice"}),
        'correct seat Bob player "Bobby" "so"': (Corrected, {"seat": 2, "player": "Bobby", "why": "so"}),
        'correct first Cleo played "2026" "so"': (Corrected, {"first": 3, "played": "2026", "why": "so"}),
        'reading mine-1 price 3 read "Anna"': (ReadOff, {"value": Printed("mine-1", "price", 3, "read", "Anna")}),
        'reading palace symbols "" read "" "2026"': (
            ReadOff,
            {"value": Printed("palace", "symbols", "", "read", "", "2026")},
        ),
        "result Anna 50, Bob -1": (Declared, {"results": (Result(seat=1, points=50), Result(seat=2, points=-1))}),
        'accept 5.1 turn.order "A": "b"': (Accepted, {"line": 5, "i": 1, "rule": "turn.order", "who": "A", "why": "b"}),
        'accept 5 fact.x expected "7" "A": "b"': (Accepted, {"line": 5, "expected": "7"}),
        'withdraw 6 "no"': (Withdrawn, {"line": 6, "why": "no"}),
    }
    for text, (kind, fields) in texts.items():
        line = line_of(table, text)
        assert type(line) is kind
        assert {name: getattr(line, name) for name in fields} == fields
        assert write_line(table, line) == text


def test_undo_alone_takes_back_the_last_event(table: Play) -> None:
    assert line_of(table, "undo").to == 3
    with pytest.raises(NotationError, match="none stands"):
        read_line(Scribe("game").table, "undo", by="x")


def test_an_edit_is_read_on_the_table_it_finds() -> None:
    scribe = opening().play("p12", "p12", "p45")
    line = line_of(scribe.table, 'amend misplayed "why": drop 3; insert 2 p14; insert 2 p36; replace 4 p25')
    assert [edit.event.do.seat for edit in line.edits[1:]] == [2, 3, 1]
    assert write_line(scribe.table, line).endswith(": drop 3; insert 2 p14; insert 2 p36; replace 4 p25")


def test_a_slip_takes_its_effects_along_unless_others_are_said() -> None:
    scribe = opening().play("p12", "p12", "p12", ">a12.1")
    text = 'amend misrecorded "it was the other one": replace 3 p45'
    line = line_of(scribe.table, text)
    assert [effect.at for effect in line.effects] == ["5"]
    assert write_line(scribe.table, line) == text
    none = line_of(scribe.table, f"{text}; effects none")
    assert none.effects == ()
    assert write_line(scribe.table, none) == f"{text}; effects none"
    other = line_of(scribe.table, f"{text}; effects 5 Anna £-3 price; effects 2")
    assert [len(effect.moved) for effect in other.effects] == [1, 0]
    assert write_line(scribe.table, other) == f"{text}; effects 5 Anna £-3 price; effects 2"


def test_an_amendment_of_what_does_not_stand_is_read_as_it_was_said(table: Play) -> None:
    line = line_of(table, 'amend misrecorded "why": drop 99; replace 98.1 p14')
    assert isinstance(line, Amended)
    assert write_line(table, line) == 'amend misrecorded "why": drop 99; replace 98.1 p14'


def test_tags_say_who_when_and_by_which_command(table: Play) -> None:
    line = line_of(table, 'p25 [by "Bob # 2"] [at 2026-11-18T20:15:00Z] [cmd "c]1"] # a comment')
    assert (line.by, line.cmd, line.at) == ("Bob # 2", "c]1", datetime(2026, 11, 18, 20, 15, tzinfo=UTC))


@pytest.mark.parametrize("text", ["", "   ", "# a comment", "\t# p12"])
def test_a_comment_is_no_line(table: Play, text: str) -> None:
    assert read_line(table, text, by="x") is None


def test_a_line_may_say_its_number(table: Play) -> None:
    assert line_of(table, "5. p25").n == 5
    with pytest.raises(NotationError, match=r"expected line 5, found '6'"):
        read_line(table, "6. p25", by="x")


# --- what says nothing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("bob: q12", 6, "found 'q12'"),
        ("p13", 1, r"did you mean 'p36' or 'p23' or 'p14'"),
        ("p21", 1, r"did you mean 'p12'\?"),
        ("bob p25", 1, "did you mean 'bob: p25'"),
        ("e moneyy", 3, "did you mean 'money'"),
        ("pass", 1, r"found 'pass': did you mean 'x'\?, in"),
        ("puase", 1, "did you mean 'pause'"),
        ("pause now", 7, "nothing more"),
        ("count £12", 7, "a player"),
        ("count Anna", 11, "what was counted, such as £3 s3 p3 w3 r3"),
        ("count Anna £²", 12, "an amount such as £3"),
        ("count Anna £٣", 12, "an amount"),
        ("count Zoë £3", 7, "one player of Anna"),
        ("abandon", 8, "why, such as"),
        ('abandon "so', 9, "a closing quote"),
        ('abandon "\x00"', 9, "a closing quote and no control characters"),
        ('abandon "\\ud800"', 9, "a string in quotes"),
        ("abandon \ud800", 9, "half of one"),
        ('adjust "Bob" "why"', 8, "who says so and why"),
        (f'abandon "{"x" * 501}"', 1, "that a log can hold"),
        ("p25 |", 6, "what moved"),
        ("p25 | £-1", 10, "a cause"),
        ("p25 | £-1 prise", 11, "did you mean 'price'"),
        ("p25 | £-1 price now", 17, "nothing after the cause"),
        ("p25 | Zoë £-1 price", 7, "one player of"),
        ("p25 | £-1 price, bonus_du(seat=1)", 18, "did you mean 'bonus_due'"),
        ("p25 | bonus_due(seat=1", 23, "a closing parenthesis"),
        ("p25 | bonus_due(seat)", 17, "name=value"),
        ("p25 | bonus_due(seat=12)", 7, "a fact as it can be"),
        ("pause | £1 table", 9, "whose amount"),
        ("undo x", 6, "a line's number"),
        ("undo 99", 6, "before this one, 5"),
        ("undo 2 why", 8, "why in quotes"),
        ("amend drop 3", 7, "misplayed or misrecorded"),
        ('amend mistyped "why": drop 3', 7, "did you mean 'misplayed'"),
        ('amend misplayed "why": dorp 3', 24, "did you mean 'drop'"),
        ('amend misplayed "why": drop 03', 29, "a line's number"),
        ('amend misplayed "why": drop 3; replace 4 q', 42, "found 'q'"),
        ('amend misplayed "why": insert 4', 32, "what happened there"),
        ('correct seat Bob "why"x', 18, "why in quotes"),
        ('correct seta Bob "why"', 9, "did you mean 'seat'"),
        ("reading mine-1 price", 9, "a component"),
        ('reading mine-1 price x read "A"', 22, "in quotes"),
        ("reading mine-1 price 3 red", 24, "did you mean 'read'"),
        ("result Anna", 8, "a player and points"),
        ("accept 5 turn.order", 8, "a line, a rule"),
        ("withdraw", 9, "a line's number"),
        ("seal it", 6, "nothing more"),
        ('p25 [by "Bob"', 5, "a tag"),
        ("p25 [by Bob]", 9, "by in quotes"),
        ('p25 [who "Bob"]', 6, "a tag of by"),
        ("p25 [at noon]", 9, "a time"),
        ('[by "Bob"]', 1, "an act before the tags"),
        ('p25 [by "a"] [by "b"]', 15, "again"),
        ("x" * (1 << 21), 1, "at most 1048576 characters"),
    ],
)
def test_what_says_nothing_is_refused_where_it_stands(table: Play, text: str, column: int, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_line(table, text, by="x")
    assert caught.value.column == column
    assert len(str(caught.value)) < 1000
    assert str(caught.value).isprintable()


# --- a whole text --------------------------------------------------------------------------------

PLAIN = ['[spyrium "game-typed"]', "[seat Anna]", "[seat Bob]", "", FIRST_DEAL.replace("miner:13", "miner:1"), "p12"]


def test_a_game_can_be_typed_from_paper() -> None:
    log = read_transcript(PLAIN, TITLES)
    assert [seat.player for seat in log.header.seats] == ["Anna", "Bob"]
    assert [line.n for line in log.lines] == [0, 1, 2]
    assert {line.by for line in log.lines} == {"scribe"}
    assert read_transcript(["[spyrium]", *PLAIN[1:]], TITLES, game="game-given", by="Cleo").header.game == "game-given"


def test_a_scribe_stays_until_another_is_named() -> None:
    log = read_transcript([*PLAIN, 'p25 [by "Bob"]', "p36", 'p45 [by "scribe"]'], TITLES)
    assert [line.by for line in log.lines[2:]] == ["scribe", "Bob", "Bob", "scribe"]


def test_times_and_commands_are_kept_on_demand() -> None:
    log = read_transcript([*PLAIN, 'p25 [at 2026-11-18T20:15:00.25+02:00] [cmd "c"]'], TITLES)
    assert [*transcribe(log)][-1] == "p25"
    assert [*transcribe(log, exact=True)][-1] == 'p25 [at 2026-11-18T20:15:00.250000+02:00] [cmd "c"]'


def test_a_person_can_read_it() -> None:
    assert "# round 1, Anna begins" in transcribe(read_transcript(PLAIN, TITLES))


def test_a_sheet_of_ones_own_travels_in_the_text() -> None:
    own = TITLES["spyrium"].sheet().with_readings(Printed("mine-1", "price", 1, "read", "Łu\u2028"), name="ours")
    log = Play.new(TITLES["spyrium"], game="game-own", players=("Anna", "Bob"), sheet=own).log
    text = [*transcribe(log)]
    assert all(line.isprintable() for line in text)
    assert read_transcript(text, TITLES).sheet == own


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ([], 1, 1, "a header first"),
        (["p12"], 1, 1, "a header first"),
        (["# only", "# comments"], 2, 11, "a header first"),
        (['[spirium "game-1"]'], 1, 2, "did you mean 'spyrium'"),
        (["[spyrium]", "[seat Anna]", "p12"], 3, 1, "the game's id"),
        (['[spyrium "game-1"]', "p12"], 2, 1, "who plays"),
        (['[spyrium "game-1"]', "[seat]"], 2, 6, "a player"),
        (['[spyrium "game-1"]', "[seta Anna]"], 2, 2, "did you mean 'seat'"),
        (['[spyrium "game-1"]', "[seat Anna blue 8]"], 2, 17, "an amount such as £8"),
        (['[spyrium "game-1"]', "[first Anna]"], 2, 8, "one player of"),
        (['[spyrium "game-1"]', "[option tie mine]"], 2, 9, "an option as it can be"),
        (['[spyrium "game-1"]', "[option tie]"], 2, 9, "an option and its reading"),
        (['[spyrium "game-1"]', "[source hearsay]"], 2, 9, "a source of"),
        (['[spyrium "game-1"]', "[sheet 0123]"], 2, 8, "a sheet"),
        (['[spyrium "game-1"]', f"[sheet {'0' * 32}]"], 2, 8, "a sheet that ships"),
        (['[spyrium "game-1"]', '[sheet {"name":"x","printed":[]}]', "[seat A]", "x"], 4, 1, "every card"),
        (['[spyrium "game-1"]', '[place "a"]', '[place "b"]'], 3, 2, "again"),
        (['[spyrium "G"]', "[seat A]", "p12"], 3, 1, "Invalid|pattern|regex"),
        ([*PLAIN, "p12", "zz  # what?"], 8, 1, "found 'zz'"),
        ([*PLAIN, '[by "x"]'], 7, 1, "an act before the tags"),
    ],
)
def test_a_text_is_refused_at_file_line_and_column(text: list[str], line: int, column: int, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_transcript(text, TITLES, "evening.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("evening.txt", line, column)
    assert str(caught.value).endswith(f"at evening.txt:{line}:{column}")


def test_another_title_has_the_same_lines() -> None:
    text = [*transcribe(game(PEBBLES.key, 3))]
    assert text[0].startswith("[pebbles ")
    play = Play(game(PEBBLES.key, 3))
    assert line_of(play, "count anna b3 t1").do.held == (Holding(1, "pebbles", 3), Holding(1, "stars", 1))
    assert line_of(play, "anna: 2 | b+1 taken").moved == (Posting(1, "pebbles", 1, "taken"),)
