"""whatif: which games would have come out otherwise, counted over whatever holds games."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from spyrium_cli.games.experiments import Outcome, SeatOutcome, draw_outcome
from spyrium_log.edit.experiment import compare_winners, run_experiment
from spyrium_log.log.lines import Dealt, Event, Line, Stated
from spyrium_log.messages import Reader
from spyrium_log.play import OPEN, encode_log, make_scoresheet
from spyrium_log.store import Folder, read_path
from spyrium_log.title import Resynced
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import Position
from tests.cli.conftest import Run
from tests.mistakes.variation import without_word
from tests.packs import write_pack
from tests.stories import EXAMPLES

GAMES = sorted(EXAMPLES.glob("whole-game-*.jsonl"))
# With these one of the games ends otherwise.
ASKED = ("--option", "engineering-scores=count", "--option", "taylorism-scores=end-of-round")


def otherwise() -> dict[str, tuple[list[int], list[int]]]:
    """By game: the scores before and after, as the library has them."""
    found = {}
    for path in GAMES:
        log = read_path(path)
        options = TITLES["spyrium"].options(engineering_scores="count", taylorism_scores="end-of-round")
        what = run_experiment(log, options=options)
        if what.changes_scores:
            found[what.game] = ([score.total for score in what.before], [score.total for score in what.after])
    assert found
    return found


def test_what_is_listed_is_what_the_library_says(run: Run) -> None:
    told = [json.loads(line) for line in run("whatif", *GAMES, *ASKED, "--format", "jsonl").stdout.splitlines()]
    listed = {
        game["game"]: ([seat["before"] for seat in game["scores"]], [seat["after"] for seat in game["scores"]])
        for game in told
        if game["changes_scores"]
    }
    assert listed == otherwise()


def test_the_summary_counts_games(run: Run) -> None:
    said = run("whatif", *GAMES, *ASKED).stderr
    assert said == f"{len(GAMES)} games tried: {len(otherwise())} with other scores, 0 with another winner\n"


def test_a_row_a_seat_for_a_spreadsheet(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("whatif", *GAMES, *ASKED, "--format", "csv").stdout)))
    (before, after) = next(iter(otherwise().values()))
    assert [(int(row["before"]), int(row["after"])) for row in rows][: len(before)] == list(
        zip(before, after, strict=True)
    )


def test_people_read_what_changes(run: Run) -> None:
    assert " → " in run("whatif", *GAMES, *ASKED).stdout


def test_a_pack_is_read_through_the_same_door(run: Run, tmp_path: Path) -> None:
    folder = Folder(EXAMPLES)
    pack = tmp_path / "games.jsonl.zst"
    write_pack(pack, (folder.read_game(path) for path in GAMES))
    one = run("whatif", *GAMES, *ASKED, "--format", "jsonl")
    for packed in (
        run("whatif", pack, *ASKED, "--format", "jsonl"),
        run("whatif", "-", *ASKED, "--format", "jsonl", stdin=pack.read_bytes()),
    ):
        assert packed.stderr == one.stderr
        assert [json.loads(line)["game"] for line in packed.stdout.splitlines()] == [
            json.loads(line)["game"] for line in one.stdout.splitlines()
        ]


def test_what_cannot_be_read_is_said_and_the_rest_is_tried(run: Run) -> None:
    result = run("whatif", EXAMPLES / "flipped-bit.jsonl", "no-such-game", *GAMES, *ASKED, code=2)
    assert result.stderr.count("Warning: left out: ") == 2
    assert f"{len(GAMES)} games tried: " in result.stderr
    assert "2 cannot be read" in result.stderr
    assert " → " in result.stdout


@pytest.fixture
def unjudged(tmp_path: Path) -> dict[str, Path]:
    """A game of each kind that says nothing about other rules."""
    title, found = TITLES["spyrium"], {}
    whole = list(read_path(GAMES[0]).lines)
    sheet = make_scoresheet(title, game="game-scores", scores=(("Anna", 40), ("Bob", 39)))
    gap: Event = Stated(n=1, by="x", do=Resynced(position=Position(), why="late"), prev=OPEN, hash=OPEN)
    deal = next(line for line in whole if isinstance(line, Dealt))
    hidden = structs.replace(deal, do=without_word(deal.do, deal.do.market[8].card))
    logs: dict[str, Sequence[Line]] = {
        "scoresheet": sheet,
        "unfinished": whole[:-1],
        "gaps": [whole[0], gap, *(structs.replace(line, n=line.n + 1) for line in whole[1:])],
        "unseen": [hidden if line is deal else line for line in whole],
    }
    for reason, lines in logs.items():
        found[reason] = tmp_path / f"{reason}.jsonl"
        found[reason].write_bytes(encode_log(lines))
    return found


def test_what_cannot_be_judged_is_counted_with_its_reason(run: Run, unjudged: dict[str, Path]) -> None:
    for reason, path in unjudged.items():
        what = run_experiment(read_path(path), options=TITLES["spyrium"].options(engineering_scores="count"))
        assert (what.unjudged, what.changes_scores, what.changes_winners) == (reason, False, False)
    result = run("whatif", *unjudged.values(), unjudged["unfinished"], *GAMES, *ASKED)
    assert result.stderr == (
        f"{len(GAMES)} games tried: {len(otherwise())} with other scores, 0 with another winner; 5 cannot be judged: "
        "1 with moves that nobody recorded, 1 with scores only, 2 unfinished, 1 with cards that nobody saw\n"
    )
    assert run("whatif", *unjudged.values(), *ASKED, "--format", "jsonl").stdout == ""


def test_a_log_that_was_cut_short_is_unfinished(run: Run) -> None:
    said = run("whatif", EXAMPLES / "cut-off-in-mid-line.jsonl", *ASKED).stderr
    assert said.endswith("1 cannot be judged: 1 unfinished\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("2", "1", "Anna would win, Bob would lose the win"),
        ("2", "12", "Anna would share the win with Bob"),
        ("12", "1", "Anna would win alone, Bob would lose the win"),
        ("2", "13", "Anna and Cleo would share the win, Bob would lose the win"),
        ("12", "23", "Cleo would share the win with Bob, Anna would lose the win"),
        ("123", "12", "Anna and Bob would still share the win, Cleo would lose the win"),
    ],
)
def test_who_gains_loses_and_keeps_the_win(
    before: str, after: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = [
        SeatOutcome(
            seat=seat,
            player=player,
            before=5,
            after=5,
            place_before=1 if str(seat) in before else 2,
            place_after=1 if str(seat) in after else 2,
        )
        for seat, player in enumerate(("Anna", "Bob", "Cleo"), 1)
    ]
    gained, lost, kept = (list(some) for some in compare_winners([int(n) for n in before], [int(n) for n in after]))
    outcome = Outcome(
        file="x",
        game="game-x",
        played=None,
        is_over=True,
        unjudged=None,
        scores=seats,
        changes_scores=False,
        changes_winners=True,
        gains_win=gained,
        loses_win=lost,
        keeps_win=kept,
        breaks=[],
        came=0,
        went=0,
        rests_on=[],
        is_otherwise=True,
    )
    draw_outcome(outcome, Reader())
    assert capsys.readouterr().out.splitlines()[1].strip() == said


def test_an_edition_asks_for_all_that_its_rulebook_prints(run: Run) -> None:
    printed = TITLES["spyrium"].editions["ru"].readings.items()
    said = [word for name, value in printed for word in ("--option", f"{name}={value}")]
    by_edition = run("whatif", *GAMES, "--edition", "ru", "--format", "jsonl")
    assert " → " in run("whatif", *GAMES, "--edition", "ru").stdout
    assert by_edition.stdout == run("whatif", *GAMES, *said, "--format", "jsonl").stdout


def test_an_archive_without_games(run: Run, archive: Path) -> None:
    archive.mkdir()
    assert run("whatif", *ASKED).stderr.startswith("0 games tried: ")


def test_another_sheet_breaks_rules_and_says_which(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "dear.toml"
    sheet.write_text('name = "dear"\n["mine-1"]\nprice = [30, "read"]\n', encoding="utf-8")
    result = run("whatif", *GAMES, "--sheet", sheet)
    assert "would have broken a rule" in result.stderr
    assert "would break activate.money (S-5.6.1) at " in result.stdout
    assert "rests on mine-1 price" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected --option, --edition or --sheet, found none"),
        (("--option", "tie"), "expected NAME=VALUE with a name of "),
        (("--option", "colour=red"), "found 'colour=red'"),
        (("--option", "tie=cut"), "expected shared for 'tie', found 'cut'"),
        (("--sheet", "no-such-game"), "expected"),
        (("--edition", "rus"), "found 'rus': did you mean 'ru'?"),
    ],
)
def test_a_question_that_is_none(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in run("whatif", *words, code=2).stderr


def test_nothing_is_written(run: Run, whole: str, archive: Path) -> None:
    before = {path: path.read_bytes() for path in archive.iterdir()}
    run("whatif", whole, *ASKED)
    assert {path: path.read_bytes() for path in archive.iterdir()} == before
