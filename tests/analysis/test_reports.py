"""Named reports equal a computation from the replays in plain Python that shares no code with them."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from spyrium_log.analysis.figures import Reported
from spyrium_log.analysis.reports import run_report
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import CHOICES, read_report, reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.readmodel.archive import Archive, many, raw, replayed, usable

# The key of the final score itself among its parts.
TOTAL = "total"
Z = 1.959963984540054


@pytest.fixture(scope="module")
def archive() -> Archive:
    logs = dict(many(range(60)).logs)
    for at, kind in enumerate(("half", "undone", "wrong", "cut")):
        logs |= {f"{kind}-{seed}": raw(seed, kind) for seed in range(100 + 9 * at, 109 + 9 * at)}
    logs |= {f"more-{seed}": raw(seed, "half") for seed in range(150, 195)}
    return Archive(logs)


@pytest.fixture(scope="module")
def index(archive: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    bring_up_to_date(path, archive.sources())
    return path


def rows(reported: Reported, name: str) -> list[dict[str, Any]]:
    figure = next(figure for figure in reported.figures if figure.name == name)
    return [dict(zip(figure.columns, row, strict=True)) for row in figure.rows]


# --- the same, in plain Python -------------------------------------------------------------------


def below(t: float, freedom: int, steps: int = 100) -> float:
    """Student's distribution, integrated by Simpson's rule in the angle atan(t / sqrt(n))."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    end = math.atan(t / math.sqrt(freedom))
    width = end / steps
    heights = [math.cos(step * width) ** (freedom - 1) for step in range(steps + 1)]
    return 0.5 + scale * width / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))


def tails(t: float, freedom: int) -> float:
    """How often chance alone goes as far from 0, to either side."""
    return 2 * (1 - below(t, freedom, steps=2000))


def t975(freedom: int) -> float:
    """By bisection over Student's distribution."""
    low, high = 1.9, 13.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle, freedom) < 0.975 else (low, middle)
    return low


def wilson(won: float, of: float) -> tuple[float, float]:
    share = won / of
    middle = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z / (1 + Z * Z / of) * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    return middle - half, middle + half


class Group:
    """Everything of one title and number of players."""

    def __init__(self) -> None:
        self.games: list[list[dict[str, int]]] = []
        self.won: list[list[bool]] = []

    def causes(self) -> set[str]:
        return {why for seats in self.games for parts in seats for why in parts}


def groups(archive: Archive) -> tuple[dict[tuple[str, int], Group], dict[tuple[str, int, str], list[str]]]:
    counted: dict[tuple[str, int], Group] = defaultdict(Group)
    left: dict[tuple[str, int, str], list[str]] = defaultdict(list)
    names = {id(replayed(data)): name for name, data in archive.logs.items()}
    for one in usable(archive):
        key = (one.header.title, len(one.players))
        if one.complaint is not None:
            left[*key, "cannot be read to its end"].append(names[id(one)])
        elif one.title.awaits(one.state_at(len(one.events))).kind != "over":
            left[*key, "no final count"].append(names[id(one)])
        elif any(finding.status == "open" and finding.on == "record" for finding in one.findings):
            left[*key, "open findings"].append(names[id(one)])
        else:
            scores = list(one.scores())
            counted[key].games.append([one.sum_score_parts(score.seat) | {TOTAL: score.total} for score in scores])
            best = max(score.total for score in scores)
            counted[key].won.append([score.total == best for score in scores])
    return counted, left


def test_scores_equal_a_computation_of_their_own(archive: Archive, index: Path) -> None:
    reported = run_report(index, "scores")
    counted, _ = groups(archive)
    said = {(row["title"], row["players"], row["cause"]): row for row in rows(reported, "causes")}
    totals = {(row["title"], row["players"]): row for row in rows(reported, "totals")}
    assert totals.keys() == counted.keys()
    for (title, players), group in counted.items():
        for why in group.causes() - {TOTAL}:
            compare(said.pop((title, players, why)), group, why)
        compare(totals[title, players], group, TOTAL)
    assert said == {}


def compare(row: dict[str, Any], group: Group, why: str) -> None:
    means = [fmean(seat.get(why, 0) for seat in seats) for seats in group.games]
    exact = Fraction(sum(seat.get(why, 0) for seats in group.games for seat in seats))
    n = len(means)
    assert (row["games"], row["seats"]) == (n, sum(map(len, group.games)))
    assert row["mean"] == pytest.approx(float(exact / row["seats"]), abs=1e-9)
    if n > 1:
        half = t975(n - 1) * stdev(means) / math.sqrt(n)
        assert row["low"] == pytest.approx(fmean(means) - half, abs=1e-5 * (1 + half))
        assert row["high"] == pytest.approx(fmean(means) + half, abs=1e-5 * (1 + half))
    else:
        assert row["low"] is row["high"] is None
    outcomes = [
        won
        for seats, winners in zip(group.games, group.won, strict=True)
        for seat, won in zip(seats, winners, strict=True)
        if why in seat
    ]
    assert (row.get("scored", row["seats"]), row["won"]) == (len(outcomes), sum(outcomes))
    assert row["win_rate"] == pytest.approx(sum(outcomes) / len(outcomes), abs=1e-12)
    if why == TOTAL:
        return
    assert (row["win_low"], row["win_high"]) == pytest.approx(wilson(sum(outcomes), len(outcomes)), abs=1e-12)


def test_the_means_of_the_causes_add_up_to_the_mean_total(index: Path) -> None:
    reported = run_report(index, "scores")
    for total in rows(reported, "totals"):
        group = (total["title"], total["players"])
        parts = [row["mean"] for row in rows(reported, "causes") if (row["title"], row["players"]) == group]
        assert sum(parts) == pytest.approx(total["mean"], abs=1e-9)


def test_a_thin_group_is_listed_and_not_ranked(index: Path) -> None:
    for least in (1, 10, 25, 10_000):
        for row in rows(run_report(index, "scores", {"least": least}), "causes"):
            assert (row["rank"] is None) == (row["games"] < least)
            assert (row["note"] is not None) == (row["games"] < least)
    ranked = [row for row in rows(run_report(index, "scores", {"least": 1}), "causes") if row["title"] == "spyrium"]
    for row in ranked:
        better = [r for r in ranked if r["players"] == row["players"] and r["mean"] > row["mean"]]
        assert row["rank"] == 1 + len(better)


def test_wilson_is_the_one_that_others_print(index: Path) -> None:
    assert query(index, "SELECT round(wilson_low(7, 10), 3), round(wilson_high(7, 10), 3)").rows == [(0.397, 0.892)]


def test_the_games_left_out_are_named_with_the_reason(archive: Archive, index: Path) -> None:
    _, left = groups(archive)
    found = {
        (row["title"], row["players"], row["reason"]): row for row in rows(run_report(index, "scores"), "left-out")
    }
    assert found.keys() == left.keys()
    assert {why for _, _, why in left} == {"cannot be read to its end", "no final count", "open findings"}
    for key, row in found.items():
        names = sorted(left[key])
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        assert (row["games"], row["files"]) == (len(names), ", ".join(names[:20]) + more)


NEEDED = {"player": "Anna", "against": "Bob"}
OF_MANY = [report for report in reports() if report.name != "game"]


@pytest.mark.parametrize("name", [report.name for report in OF_MANY])
def test_every_report_answers(index: Path, tmp_path: Path, name: str) -> None:
    """On an archive of everything and on an empty one, with and without choices."""
    report = next(report for report in reports() if report.name == name)
    needed = {option.name: NEEDED[option.name] for option in report.options if option.needed}
    choices = {"players": 3, "title": "spyrium", "since": "2020", "until": "2030", "grade": "exact", "least": 2}
    known = {option.name for option in report.options}
    empty = tmp_path / "index.duckdb"
    bring_up_to_date(empty, [])
    for options in (needed, {**needed, **{key: value for key, value in choices.items() if key in known}}):
        assert run_report(index, name, options).figures
        assert not any(figure.rows for figure in run_report(empty, name, options).figures)


def test_every_report_but_that_of_one_game_says_what_it_leaves_out() -> None:
    for report in reports():
        assert (report.name == "game") != any(figure.name == "left-out" for figure in report.figures)


def test_reports_explain_themselves() -> None:
    for report in reports():
        assert report.question.endswith("?")
        assert all(figure.title for figure in report.figures)
        assert {option.name for option in report.options if not option.needed} <= {*CHOICES}
        assert all(option.help != "its value" for option in report.options)


def test_a_question_of_ones_own_is_one_figure() -> None:
    own = read_report("mine", "-- Who?\n-- $n = 3: how many\nSELECT $n, $other;\n")
    assert (own.question, own.explanation, len(own.figures)) == ("Who?", "", 1)
    assert own.figures[0].sql == "SELECT $n, $other"
    assert [(option.name, option.default, option.needed) for option in own.options] == [
        ("n", 3, False),
        ("other", None, True),
    ]


def test_unknown_reports_and_options_are_said(index: Path) -> None:
    with pytest.raises(ReadModelError, match=r"found 'socres': did you mean 'scores'\?"):
        run_report(index, "socres")
    with pytest.raises(ReadModelError, match=r"expected an option of .*least.*, found 'most', in report 'scores'"):
        run_report(index, "scores", {"most": 1})
    with pytest.raises(ReadModelError, match="expected least to be a number from 1 on, found 'ten'"):
        run_report(index, "scores", {"least": "ten"})
    with pytest.raises(ReadModelError, match=r"expected player \(whose page it is\), found nothing"):
        run_report(index, "player")


def test_a_name_that_nobody_has_is_said(index: Path) -> None:
    ((player,),) = query(index, "SELECT max(player) FROM result").rows
    with pytest.raises(ReadModelError, match=rf"^expected a player that the archive knows, found '{player}x': did you"):
        run_report(index, "player", {"player": f"{player}x"})
    with pytest.raises(ReadModelError, match=r"^expected a player that the archive knows, found 'Nobody at all'$"):
        run_report(index, "head-to-head", {"player": player, "against": "Nobody at all"})
    with pytest.raises(
        ReadModelError, match=r"^expected a card that the archive knows, found 'carne': did you mean 'crane'"
    ):
        run_report(index, "technique-scores", {"card": "carne"})
    with pytest.raises(ReadModelError, match=r"^expected a title that the archive knows, found 'chess'"):
        run_report(index, "scores", {"title": "chess"})
    assert run_report(index, "technique-scores", {"card": "crane", "player": player}).figures


def test_the_macros_are_right(index: Path) -> None:
    found = query(index, "SELECT x, t975(x) FROM (SELECT unnest(?::INTEGER[]) AS x)", [[*range(1, 40), 60, 100, 1000]])
    assert len(found.rows) == 42
    for freedom, quantile in found.rows:
        assert quantile == pytest.approx(t975(freedom), abs=3e-6)
    assert query(index, "SELECT t975(0), t975(NULL), wilson_low(0, 0), wilson_high(0, 0)").rows == [(None,) * 4]
    for of in (1, 2, 10, 1000):
        for won in {0, 1, of // 2, of}:
            (ends,) = query(index, "SELECT wilson_low($k, $n), wilson_high($k, $n)", {"k": won, "n": of}).rows
            assert ends == pytest.approx(wilson(won, of), abs=1e-12)
