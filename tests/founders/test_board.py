"""The board on a terminal: readable without colour, within its columns, and drawn for any state."""

import random

import pytest
from msgspec import structs
from rich.console import Console

from spyrium_cli.render.paper import Player
from spyrium_cli.render.surface import pane
from spyrium_cli.titles.founders import COLUMNS, list_cards
from spyrium_cli.titles.founders.board import draw_board, draw_small_board, without_scores
from spyrium_cli.titles.founders.map import draw_map, signs_of
from spyrium_log.titles.founders import FOUNDERS, moves
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.messages import LANGUAGES, vocabulary
from spyrium_log.titles.founders.state import State, Winner
from spyrium_log.titles.founders.view import make_view
from tests import anything
from tests.founders.tables import lay_table, lay_turn
from tests.founders.test_view import WORDS, any_state

PLAYERS = [Player(seat, name, name[0], style) for seat, name, style in ((1, "Anna", "red"), (2, "Bob", "blue"))]
PLAYERS.append(Player(3, "Cleo", "C", "bold"))


def lines_of(state: State, *, width: int = 100, small: bool = False, language: str = "en") -> list[str]:
    """The board as a pane of this width shows it, without colour."""
    with pane(width):
        console = Console(width=width, color_system=None, highlight=False, markup=False, emoji=False)
        with console.capture() as captured:
            for drawing in (draw_small_board if small else draw_board)(make_view(state), PLAYERS, language):
                console.print(drawing)
    return captured.get().splitlines()


def row_of(state: State, row: int) -> str:
    """A row of the map, without its number at both ends."""
    return draw_map(make_view(state), PLAYERS).plain.splitlines()[row][3:-2]


def cell(state: State, name: str) -> str:
    """The two columns of a cell."""
    column = 2 * (ord(name[0]) - ord("a"))
    return row_of(state, int(name[1:]))[column : column + 2]


def test_each_piece_says_what_it_is_and_whose() -> None:
    state = lay_table()
    assert {name: cell(state, name) for name in ("m14", "p13", "l12", "k14", "k15", "k16", "s12", "j10", "p9")} == {
        "m14": "pA",
        "p13": "wB",
        "l12": "s-",
        "k14": "Bo",
        "k15": "AA",
        "k16": "AA",
        "s12": "⌂A",
        "j10": "═B",
        "p9": "╪A",
    }
    assert [cell(state, name) for name in ("k11", "l11", "l14", "m13")] == ["■1", "■1", "··", "··"]


def test_an_empty_cell_has_the_letter_of_its_terrain() -> None:
    state = lay_table()
    names = ("a1", "e1", "a3", "k10", "k12", "j5", "l9", "i1", "b3", "q2", "o13")
    assert [cell(state, name) for name in names] == [
        *("f ", "d ", "c ", "c ", "1 ", "~~", "##", "▒▒", "WW", "NN", "GG")
    ]


def test_marks_that_are_too_long_become_numbers() -> None:
    assert signs_of(PLAYERS) == {0: "-", 1: "A", 2: "B", 3: "C"}
    assert signs_of([PLAYERS[0], Player(2, "Anne", "Ann", "")]) == {0: "-", 1: "1", 2: "2"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "small"), [(100, False), (80, False), (80, True), (120, False)])
def test_no_line_is_too_long_and_no_row_is_broken(language: str, width: int, small: bool) -> None:  # noqa: FBT001
    """Every row of the map stands whole in one line, with its number at both ends."""
    lines = lines_of(lay_table(), width=width, small=small, language=language)
    assert max(map(len, lines)) <= width
    view = make_view(lay_table())
    for row in draw_map(view, PLAYERS, small=small).plain.splitlines():
        assert any(line.startswith(row.rstrip()) for line in lines), row


def test_what_stands_beside_the_map() -> None:
    shown = "\n".join(line[46:].strip() for line in lines_of(lay_table(), width=120))
    for words in (
        "1 Scholar  1 c · knowledge",
        "2 ?  1 c · ?",
        "3 Toll Clerk  2 c · population · 1 VP",
        "xx/xx blue desert · gems 2, wood 3, books 4, food 5",
        "■1 Crooked Bone k11 · crops ✓B, population ✓-, food 5",
        "claim",
        "immediate: Two Houses · 2 VP",
    ):
        assert words in shown


def test_a_player_and_what_lies_before_them() -> None:
    lines = lines_of(lay_table())
    anna = next(line for line in lines if "Anna" in line)
    assert anna.split() == [">", "A", "Anna", "6", "0", "0", "0", "11", "1", "1", "0", "5", "0"]
    shown = "\n".join(lines)
    assert "A  Human (population, gems) · population m14 (access B) · books k14 (from l12 p13)" in shown
    assert "-  neutral · stone l12 (access A C)" in shown


def test_the_headline_says_that_a_set_is_invented() -> None:
    assert "set practice-1, invented" in lines_of(lay_table())[0]
    assert lines_of(lay_turn())[0].startswith("Anna: Trade · ")
    state = lay_turn("?")
    state.down = True
    assert lines_of(state)[0].startswith("Anna: a card face-down · ")


def test_bids_and_who_places() -> None:
    state = lay_table()
    evolve(state, moves.CallVote(seat=1), (), ())
    evolve(state, moves.Bid(seat=2, proposal=1, fleeting=2), (), ())
    state.winner = Winner(1, 2)
    assert any("1 University  B 3  → Bob" in line for line in lines_of(state))


def test_an_assumed_value_is_marked_and_explained() -> None:
    state = lay_table()
    assert not any("~ " in line and "assumed" in line for line in lines_of(state))
    view = make_view(state)
    slots = tuple(structs.replace(slot, price_is_assumed=True) for slot in view.row)
    with pane(100):
        console = Console(width=100, color_system=None)
        with console.capture() as captured:
            console.print(*draw_board(structs.replace(view, row=slots), PLAYERS, "en"), sep="\n")
    assert "Scholar  ~1 c" in captured.get()
    assert vocabulary("en")["board"]["assumed"] in captured.get()


def test_a_board_without_scores_shows_no_points() -> None:
    view = without_scores(make_view(lay_table()))
    assert {mat.points for mat in view.mats} == {None}
    assert {tile.earned for tile in view.tiles} == {0}


def test_the_small_board_shows_what_is_built_and_around_it() -> None:
    state = lay_table()
    rows = draw_map(make_view(state), PLAYERS, small=True).plain.splitlines()
    assert rows[0].split() == list("hijklmnopqrst")
    assert [row.split()[0] for row in rows[1:]] == [str(number) for number in range(7, 17)]


@pytest.mark.parametrize("seed", range(10))
def test_any_state_is_drawn(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anything, "WORDS", WORDS)
    state = any_state(random.Random(seed))
    for small in (False, True):
        for width in (60, 80, 100):
            assert lines_of(state, width=width, small=small, language="ru")


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_listed_by_kind(language: str) -> None:
    cards = list_cards(FOUNDERS, None, language)
    assert len(cards.heads) == len(cards.alignment) == 2 + len(COLUMNS)
    assert all(len(card.cells) == len(cards.heads) for card in cards.cards)
    kinds = list(dict.fromkeys(card.kind for card in cards.cards))
    assert kinds == list(vocabulary(language)["kinds"].values())[: len(kinds)]
    gems = next(card for card in cards.cards if card.card == "gems")
    assert gems.fields["name"] == vocabulary(language)["cards"]["gems"]
