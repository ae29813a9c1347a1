"""The benchmarks still run: each contender once, on next to nothing. How fast, is asked elsewhere."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import growth, page, peer, table, titles
from benchmarks.__main__ import main
from benchmarks.contender import Absent, Contender
from benchmarks.inputs import TINY, Inputs, made, renamed
from spyrium_log.log import codec
from spyrium_log.players import simulation
from spyrium_log.replay import replay
from spyrium_log.titles import TITLES

# Those of our own and of packages that every environment for tests has.
ALWAYS = 14
NAMES = {target.ours for target in table.targets()} | {target.peer for target in table.targets()}


@pytest.fixture(scope="module")
def run() -> table.Run:
    return table.run(Inputs(TINY), rounds=1)


def test_every_contender_runs(run: table.Run) -> None:
    here = [each for each in run.entrants if isinstance(each, Contender)]
    assert [each.name for each in here] == list(run.seconds)
    assert len(here) >= ALWAYS
    assert all(took > 0 for took in run.seconds.values())
    assert all(each.units and each.fed for each in here)


def test_who_is_away_says_why(run: table.Run) -> None:
    assert all(each.why for each in run.entrants if isinstance(each, Absent))
    assert {each.name for each in run.entrants} > NAMES | {beside for _, beside in table.BESIDE}


@pytest.mark.parametrize("enter", [peer.native, peer.boardgame])
def test_a_machine_without_compiler_and_node(
    enter: peer.Entering, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with enter(Inputs(TINY), tmp_path) as entrant:
        assert isinstance(entrant, Absent)


def test_a_peer_that_comes_to_other_totals_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text("import sys\nfor _ in sys.stdin: print(1, 2, 3, flush=True)\n", encoding="utf-8")
    with (
        pytest.raises(AssertionError, match="comes to other totals"),
        peer.answering([sys.executable, str(script)], Inputs(TINY)),
    ):
        pass


def test_the_table_has_every_contender_and_every_target(run: table.Run) -> None:
    lines = list(table.told(Inputs(TINY).counts(), 1, run))
    told = "\n".join(lines)
    for target in table.targets():
        assert f"\n{target.ours} ÷ {target.peer} " in told
        assert f"\n{target.ours} " in told
        assert f"\n{target.peer} " in told
    for word in ("games", "decisions", "events", "bytes", "Python", "msgspec", "node", "gcc"):
        assert word in told


def test_a_verdict_says_by_how_much() -> None:
    fast, cheap = table.Target("a", "b", 12), table.Target("a", "b", 1.3, is_cost=True)
    assert fast.reached({"a": 1.0, "b": 6.0}) == 6
    assert cheap.reached({"a": 1.3, "b": 1.0}) == 1.3
    assert fast.verdict(12) == cheap.verdict(1.3) == "reached"
    assert fast.verdict(6) == "missed: 50% short"
    assert cheap.verdict(2.6) == "missed: 100% over"


def test_the_page_gets_one_table() -> None:
    odd, date = "new \\1", "2026-11-18"
    text = f"before\n\n{page.BEGIN}\nold\n{page.END}\n\nafter\n"
    made_anew = page.with_table(text, odd, date)
    assert made_anew == f"before\n\n{page.block(odd, date)}\n\nafter\n"
    assert page.with_table(made_anew, odd, date) == made_anew
    with pytest.raises(ValueError, match="expected <!-- benchmarks -->"):
        page.with_table("nothing", odd, date)


def test_what_is_printed_goes_onto_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "speed.md"
    file.write_text(f"{page.BEGIN}\n{page.END}\n", encoding="utf-8")
    monkeypatch.setattr(page, "PAGE", file)
    monkeypatch.setattr(table, "lines", lambda scale, rounds: [f"{rounds} rounds", f"{scale.asked} asked"])
    assert main(["--rounds", "3", "--asked", "7", "--page"]) == 0
    assert capsys.readouterr().out == "3 rounds\n7 asked\n"
    assert "```text\n3 rounds\n7 asked\n```" in file.read_text(encoding="utf-8")


def test_a_game_under_another_name_is_the_same_game() -> None:
    raw = made(1)
    other = codec.read(io.BytesIO(renamed(raw, "game-of-another-name")), TITLES)
    same = codec.read(io.BytesIO(raw), TITLES)
    assert other.complaint is None
    assert other.header.game == "game-of-another-name" != same.header.game
    assert replay(other).verdict == "clean"
    assert replay(other).scores() == replay(same).scores()
    assert renamed(raw, same.header.game) == raw


def test_distinct_games_are_weighed_and_taken_from_a_pack(tmp_path: Path) -> None:
    distinct = growth.Distinct(tmp_path, 2)
    growth.fill(tmp_path, [0, 1])
    pack = growth.pack(distinct, tmp_path / "games.jsonl.zst", 0, 5, 1)
    assert pack.games == 5
    assert pack.peak > pack.size > 0
    assert pack.wall > 0
    events, size, packed = growth.weigh(distinct, 1)
    assert 0 < events < packed < size
    assert growth.take(tmp_path / "taken", tmp_path / "games.jsonl.zst", 3) == 3
    assert growth.Distinct(tmp_path / "taken", 3).nth(0) == distinct.nth(0)


def test_the_titles_stand_beside_each_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(titles, "SEATS", 2)
    monkeypatch.setattr(titles, "BUSY", 3)
    monkeypatch.setattr(simulation, "MOST_EVENTS", 30)
    assert main(["titles", "--games", "1", "--rounds", "1"]) == 0
    told = capsys.readouterr().out
    for title in TITLES:
        for work in ("decode", "fold", "audit", "legal, median", "legal, worst", "to play"):
            assert f"\n{title}: {work}" in told


def test_growth_prints_each_stage_at_each_size(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(growth, "workers", lambda _: ThreadPoolExecutor(1))
    monkeypatch.setattr(growth, "TIMES", 1)
    monkeypatch.setattr(growth, "PLAYED", 1)
    monkeypatch.setattr(growth, "WARM", 1)
    assert growth.main(["--at", str(tmp_path), "--distinct", "2", "--games", "3", "2", "--level", "1"]) == 0
    told = capsys.readouterr().out
    for stage in growth.STAGES:
        assert [line.split()[1] for line in told.splitlines() if line.startswith(f"{stage} ")] == ["2", "3"]
    assert "2 distinct games: " in told
    for command in ("simulate -n 3", "validate, 3 games", "index --rebuild, 3 games"):
        assert f"\nspyrium {command} " in told
    for rebuild in ("of 3 logs: ", "with one process: ", "with two processes: "):
        assert f"\nrebuild {rebuild}" in told
