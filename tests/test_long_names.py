"""Names of several words, wherever somebody names a player: on the command line, in notation, at the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act
from spyrium_log.errors import NotationError
from spyrium_log.play import Play
from spyrium_log.store import Folder
from spyrium_log.title import Conceded, Counted, Holding, Resynced, seat_of
from spyrium_log.transcript.span import Names, line_span
from tests.cli.conftest import Run, archive, run

__all__ = ["archive", "run"]

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = Names(["Anna", "Tom Jones", "Tom Smith", "Tom", "Jo de la Cruz"], ["blue", "red", "green", "white", "black"])


@pytest.mark.parametrize(
    ("words", "seat", "length"),
    [
        ("Tom Jones £8", 2, 2),
        ("TOM smith 3 money", 3, 2),
        ("jo de la cruz m9", 5, 4),
        ("Tom £8", 4, 1),
        ("anna", 1, 1),
        ('"Tom Jones" £8', 2, 1),
        ("jo de £8", 5, 1),
        ("red £8", 2, 1),
    ],
)
def test_the_longest_name_that_is_known_counts(words: str, seat: int, length: int) -> None:
    assert NAMES.read_first_seat(line_span(words).words()) == (seat, length)
    assert NAMES.find_first_seat(line_span(words).words()) == (seat, length)


def test_words_that_name_nobody_are_no_seat() -> None:
    for words in ("", "Zed £8", "jones m8"):
        assert NAMES.find_first_seat(line_span(words).words()) == (0, 0)
    with pytest.raises(NotationError, match="found none for 'jones'"):
        NAMES.read_first_seat(line_span("jones m8").words())


@pytest.mark.parametrize("line", ["Tom Jones: p12", "tom jones:p12", "@2: p12", '"Tom Jones":p12', "@tom jones p12"])
def test_a_line_begins_with_a_name(line: str) -> None:
    seat, rest = NAMES.split_leading_seat(line_span(line))
    assert NAMES.replace_names_by_seats(rest, seat).text == "@2 p12"


def test_an_error_behind_a_long_name_points_at_its_column() -> None:
    text = NAMES.replace_names_by_seats(line_span("@tom jones p12"))
    assert text.column(len("@2 p") + 1) == len("@tom jones p") + 1


@pytest.fixture(params=["spyrium/wrong-price", "founders/page-14-trade"])
def table(request: pytest.FixtureRequest, run: Run, archive: Path) -> str:
    """A game of either title, in which the second player has a name of two words, and the third one a similar one."""
    archive.mkdir()
    path = EXAMPLES / f"{request.param}.jsonl"
    (archive / path.name).write_bytes(path.read_bytes())
    for seat, name in (("2", "Tom Jones"), ("3", "Tom Smith")):
        run("fix", "header", "@last", "--seat", seat, "--name", name, "--why", "so they are called")
    return path.stem


def test_every_command_takes_them(run: Run, table: str, archive: Path) -> None:
    run("fix", "count", table, "Tom Jones money 99, Anna money 98", code=1)
    run("fix", "declare", table, "tom jones 8, Anna 3", code=1)
    run("fix", "adjust", table, "Tom Smith money +1", "--who", "Tom Jones", "--why", "found")
    run("play", table, "count Tom Jones money 99", code=None)
    lines = [json.loads(line) for line in (archive / f"{table}.jsonl").read_bytes().splitlines()]
    counts = [line["do"]["held"] for line in lines if line.get("do", {}).get("act") == "counted"]
    assert [holding["who"] for held in counts[-2:] for holding in held] == [2, 1, 2]
    (declared,) = [line for line in lines if line["kind"] == "declared"]
    assert [result["seat"] for result in declared["results"]] == [2, 1]
    assert [line["moved"][0]["who"] for line in lines if line.get("do", {}).get("act") == "adjusted"][-1] == 3
    for result in ("Tom 8", "Tom Jones", "Tom Jones x 8"):
        run("fix", "declare", table, result, code=2)


def test_the_recorder_takes_them_as_play_does(table: str, archive: Path) -> None:
    play = Play(Folder(archive).read_log(table))

    def enter(line: str) -> tuple[object, Prompt]:
        """The act that this line records at an empty prompt, and the prompt after it."""
        prompt = Prompt(play)
        request = prompt.enter_line(line)
        return request.act if isinstance(request, Act) else None, prompt

    assert enter("c Tom Jones 3 money")[0] == Counted(held=(Holding(2, "money", 3),))
    assert enter("Tom Jones: concede")[0] == enter("concede tom jones")[0] == Conceded(seat=2)
    moved, _ = enter("~ Tom Smith p3: missed")
    assert isinstance(moved, Resynced)
    keys = Prompt(play).view.choices[0].keys
    player = play.players[play.awaits().seat - 1]
    move, _ = enter(keys)
    assert move is not None
    assert enter(f"{player}: {keys}")[0] == enter(f"{player.upper()}:{keys}")[0] == move
    # typed key by key, it is a proposal before Enter
    prompt = Prompt(play)
    for key in f"{player}: {keys}":
        prompt.press(key)
    assert prompt.view.request == Act(act=move)
    assert "expected one player of" in enter(f"tom: {keys}")[1].view.message


def test_who_is_not_to_act_is_judged_as_in_play(run: Run) -> None:
    game = run("new", "--players", "Anna,Tom Jones", "--exact").stdout.strip()
    run("play", game, "--deal", "--seed", "3")
    prompt = Prompt(Play(Folder(Path(run("config", "get", "archive").stdout.strip())).read_log(game)))
    assert prompt.enter_line("tom jones: p12") is None
    assert (prompt.view.refused, [breach.rule for breach in prompt.view.breaches]) == (True, ["turn.order"])
    request = prompt.press("!")
    assert isinstance(request, Act)
    assert (seat_of(request.act), request.anyway) == (2, True)
    assert "turn.order" in run("play", game, "tom jones: p12", code=1).stderr
