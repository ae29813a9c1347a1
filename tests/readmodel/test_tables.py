"""Each table against the replays that it was made from, and the macros against sums of our own."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from spyrium_log.log.notes import Notes
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.event_rows import walk_events
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Recorded
from spyrium_log.readmodel.rows import rows_of
from spyrium_log.replay import Replay
from spyrium_log.title import Deed, Resynced
from tests.analysis.test_reports import t975
from tests.edit.test_amend_laws import corrected_game
from tests.games import QUICK_TITLES
from tests.log.test_notes import note
from tests.readmodel.archive import Archive, many, raw, replayed, usable
from tests.stories import STORIES

CORRECTED = 12


@cache
def archive() -> Archive:
    """Whole games, others that were undone, cut and misplayed, and the stories."""
    logs = dict(many(range(16)).logs)
    for at, kind in enumerate(("half", "undone", "wrong")):
        logs |= {f"{kind}-{seed}": raw(seed, kind) for seed in range(20 + 3 * at, 23 + 3 * at)}
    return Archive(logs | {f"story-{name}": make() for name, make in STORIES.items()})


@cache
def games() -> dict[str, Replay]:
    return {one.header.game: one for one in usable(archive())}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    bring_up_to_date(path, archive().sources())
    return path


def told(index: Path, table: str) -> dict[str, list[dict[str, object]]]:
    """The rows of a table by game, in their order."""
    answer = query(index, f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608 - ours
    found: dict[str, list[dict[str, object]]] = {game: [] for game in games()}
    for row in answer.rows:
        said = dict(zip(answer.columns, row, strict=True))
        found[str(said["game"])].append(said)
    return found


def test_events_are_those_that_stand_and_those_that_were_recorded(index: Path, counts: Counter[str]) -> None:
    for game, rows in told(index, "event").items():
        one = games()[game]
        standing = sorted((row for row in rows if row["stands"]), key=lambda row: int(str(row["step"])))
        expected = [(one.name_of(event), sentence) for event, sentence in one.describe_events()]
        assert [(f"{r['n']}.{r['i']}" if r["i"] else str(r["n"]), r["sentence"]) for r in standing] == expected
        recorded = {row["n"] for row in rows if not row["amended_by"]} | {row["n"] for row in rows if row["stands"]}
        assert recorded >= {line.n for line in one.log.lines if hasattr(line, "do")}
        assert len({(row["n"], row["i"], row["amended_by"]) for row in rows}) == len(rows)
        counts["events in SQL told as the replay tells them"] += len(standing)
        counts["events in SQL that stand no more"] += len(rows) - len(standing)
    assert counts["events in SQL that stand no more"]


def test_what_is_held_is_the_running_sum_of_the_ledger(index: Path) -> None:
    off = """
        SELECT count(*) FROM (
            SELECT held, sum(amount) OVER (
                PARTITION BY game, seat, what ORDER BY step, rowid ROWS UNBOUNDED PRECEDING
            ) AS due FROM ledger
        ) WHERE held != due
    """
    assert query(index, off).rows == [(0,)]


def test_standings_are_the_states_after_each_round(index: Path, counts: Counter[str]) -> None:
    for game, rows in told(index, "standing").items():
        one = games()[game]
        for step in {int(str(row["step"])) for row in rows}:
            state = one.state_at(step)
            due = {(has.who, has.what): has.n for has in one.title.held(state) if has.who}
            due |= {(score.seat, "score"): score.total for score in one.title.score(state)}
            assert {(r["seat"], r["what"]): r["amount"] for r in rows if r["step"] == step} == due
            counts["standings in SQL equal to the state's"] += len(due)


def test_totals_are_assumed_where_the_standings_say_so(index: Path, counts: Counter[str]) -> None:
    for game, rows in told(index, "seat").items():
        one = games()[game]
        if not one.is_scores_only:
            last = one.list_standings(len(one.events))
            # what the table declared is certain
            due = [each.is_total_assumed and row["folded"] is None for each, row in zip(last, rows, strict=True)]
            assert [row["assumed"] for row in rows] == due
            counts["totals in SQL that are assumed"] += sum(due)
            counts["totals in SQL that are certain"] += len(due) - sum(due)
    assert counts["totals in SQL that are assumed"]
    assert counts["totals in SQL that are certain"]


def test_after_each_event_everybody_holds_what_the_state_says(index: Path) -> None:
    for game in ("game-0001", "game-resync-in-mid-game", "game-bonus-moved"):
        one = games().get(game)
        if one is None:
            continue
        rows = query(index, "SELECT step, seat, what, amount FROM standing_after(?)", [game]).rows
        due = [
            (step, has.who, has.what, has.n)
            for step in range(len(one.events) + 1)
            for has in one.title.held(one.state_at(step))
            if has.who
        ]
        assert sorted(rows) == sorted(due)


def test_score_parts_balance(index: Path) -> None:
    off = """
        SELECT game, seat FROM seat LEFT JOIN score_part USING (game, seat)
        GROUP BY game, seat, total HAVING total != coalesce(sum(score_part.points), 0)
    """
    assert query(index, off).rows == []
    for game, rows in told(index, "score_part").items():
        one = games()[game]
        for seat in range(1, len(one.players) + 1):
            due = one.sum_score_parts(seat)
            declared = {result.seat: result.points for result in one.declared}.get(seat, sum(due.values()))
            if not one.is_scores_only and declared != sum(due.values()):
                # where the table declared another result, the difference is a part of its own
                due = {**due, "declared": declared - sum(due.values())}
            assert {r["part"]: r["points"] for r in rows if r["seat"] == seat} == due


def test_decisions_say_who_and_in_which_phase(index: Path) -> None:
    phases = query(index, "SELECT DISTINCT phase FROM decision JOIN game USING (game) WHERE title = 'spyrium'").rows
    assert sorted(phases) == [("I",), ("II",)]
    off = """
        SELECT decision.* FROM decision LEFT JOIN event USING (game, n, i)
        WHERE NOT coalesce(stands AND decision.step = event.step AND decision.verb = event.verb
            AND event.kind = 'decision', false)
            AND stands IS DISTINCT FROM false
    """
    assert query(index, off).rows == []
    assert (
        query(index, "SELECT count(*) FROM decision").rows
        == query(index, "SELECT count(*) FROM event WHERE stands AND kind = 'decision'").rows
    )


def test_holdings_are_the_tableaus_and_their_points_the_final_count(index: Path, counts: Counter[str]) -> None:
    parts = told(index, "score_part")
    for game, rows in told(index, "holding").items():
        one = games()[game]
        state = one.state_at(len(one.events))
        for seat in range(1, len(one.players) + 1):
            mine = [row for row in rows if row["seat"] == seat]
            pieces = one.title.tables.tableau(state, seat)
            assert sorted(str(r["card"]) for r in mine if r["lost"] is None) == sorted(p.card for p in pieces)
            counts["holdings in SQL that lie there"] += len(pieces)
            if one.verdict == "clean" and not one.is_scores_only and one.title.key == "spyrium":
                final = sum(
                    int(str(r["points"])) for r in parts[game] if r["seat"] == seat and "final:" in str(r["part"])
                )
                ruled = any(finding.status != "open" for finding in one.findings)
                assert ruled or sum(int(str(row["final_points"])) for row in mine) == final


def test_what_a_holding_cost_is_what_its_event_took(index: Path) -> None:
    off = """
        SELECT holding.game, holding.n, paid, sum(-ledger.amount) AS due
        FROM holding JOIN ledger USING (game, n, i, seat) JOIN game USING (game)
        WHERE title = 'spyrium' AND what = 'money' AND why IN ('price', 'symbol', 'crowd', 'lobbying', 'site', 'crane')
        GROUP BY ALL HAVING coalesce(paid['money'], 0) != greatest(due, 0)
    """
    assert query(index, off).rows == []
    assert query(index, "SELECT count(*) > 20 FROM holding WHERE paid['money'] > 0 AND uses > 0").rows == [(True,)]
    assert query(index, "SELECT count(*) > 0 FROM holding WHERE lost IS NOT NULL").rows == [(True,)]


def test_a_mask_holds_the_tracked_cards_of_the_rows(index: Path) -> None:
    rows = "SELECT game, seat, card FROM holding WHERE kind = 'technique' AND lost IS NULL"
    assert query(index, f"{rows} EXCEPT SELECT game, seat, card FROM held").rows == []  # noqa: S608 - ours
    assert query(index, f"SELECT game, seat, card FROM held EXCEPT ({rows})").rows == []  # noqa: S608 - ours
    assert query(index, "SELECT count(*) > 10 FROM held").rows == [(True,)]


def test_findings_are_those_of_the_audit(index: Path) -> None:
    for game, rows in told(index, "finding").items():
        due = [
            (f.n, f.i, f.kind, f.rule, f.number, str(f.expected), str(f.found), f.on, f.status)
            for f in games()[game].findings
        ]
        assert sorted(tuple(row.values())[1:] for row in rows) == sorted(due)


def test_every_sheet_that_was_played_with_is_there_once(index: Path) -> None:
    rows = query(
        index, "SELECT sheet, count(*), count(DISTINCT (component, what)) FROM sheet_value GROUP BY sheet"
    ).rows
    due = {one.sheet.digest(): len(one.sheet.printed) for one in games().values()}
    assert {sheet: n for sheet, n, _ in rows} == due
    assert all(n == distinct for _, n, distinct in rows)
    assert query(index, "SELECT count(*) FROM game WHERE sheet NOT IN (SELECT sheet FROM sheet_value)").rows == [(0,)]


def test_grades_say_what_the_columns_say(index: Path) -> None:
    for column, word in (("gaps", "gaps"), ("rulings", "rulings"), ("assumed_values > 0", "assumed"),
                         ("unseen_cards > 0", "unseen"), ("open_findings > 0", "findings"),
                         ("verdict = 'clean'", "clean"), ("scores_only", "scores-only"),
                         ("invented", "invented")):  # fmt: skip
        off = f"SELECT file FROM game WHERE ({column}) != list_contains(grades, '{word}')"  # noqa: S608 - ours
        assert query(index, off).rows == [], column
    one_of = "SELECT len(list_intersect(grades, ['complete', 'unfinished', 'unusable', 'scores-only'])) FROM game"
    assert set(query(index, one_of).rows) == {(1,)}
    gaps = {game for (game,) in query(index, "SELECT game FROM game WHERE gaps").rows}
    assert gaps == {g for g, one in games().items() if any(type(event.do) is Resynced for event in one.events)} != set()


def test_notes_are_rows_and_a_new_note_is_a_change(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    one = replayed(raw(1))
    said = Notes.from_lines([note("note-1", game=one.header.game, on="2", text="hm", mark="?!", tags=("slow",))])
    for notes, content in ((Notes(), "a"), (said, "b")):
        game = Recorded("", content, lambda: one.log, lambda notes=notes: notes)  # type: ignore[misc]
        source = next(iter(many([1]).sources()))._replace(games=lambda game=game: [game], digest=lambda c=content: c)  # type: ignore[misc]
        assert bring_up_to_date(index, [source]).read == 1
    rows = query(index, "SELECT n, i, author, mark, tags, text, anchor FROM note").rows
    assert rows == [(2, 0, "ann", "?!", ["slow"], "hm", "unknown")]


# --- whatever a log says -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(CORRECTED))
def test_rows_of_any_log_balance(seed: int, counts: Counter[str]) -> None:
    for title in QUICK_TITLES.values():
        walk = walk_events(corrected_game(title, seed))
        one, rows = walk.replay, rows_of(walk, file="a", content="b")
        held: Counter[tuple[int, str]] = Counter()
        for seat, what, amount in zip(*(rows.ledger[name] for name in ("seat", "what", "amount")), strict=True):
            held[seat, what] += amount
        state = one.state_at(len(one.events))
        assert all(held[has.who, has.what] == has.n for has in title.held(state))
        parts: Counter[int] = Counter()
        for part in rows.score_part:
            parts[part.seat] += part.points
        assert all(parts[seat.seat] == seat.total for seat in rows.seat)
        for seat in range(1, len(one.players) + 1):
            lying = sorted(row.card for row in rows.holding if row.seat == seat and row.lost is None)
            assert lying == sorted(piece.card for piece in title.tables.tableau(state, seat))
        standing = [*zip(*(rows.standing[name] for name in ("round", "seat", "what")), strict=True)]
        assert len({*standing}) == len(standing)
        counts["games corrected at random that balance in the tables"] += 1


def test_deeds_and_offers_change_no_state(counts: Counter[str]) -> None:
    for one in games().values():
        title = one.title
        state = title.copy(one.snapshots[0])
        for event in one.events:
            before = list(title.held(state)), title.screens.view(state)
            deed = title.tables.deed(state, event.do)
            assert isinstance(deed, Deed)
            title.tables.tableau(state, 1)
            assert (list(title.held(state)), title.screens.view(state)) == before
            assert (deed.verb == "deal") == (type(event.do).__struct_config__.tag in {"round_dealt", "heap_dealt"})
            title.evolve(state, event.do, event.moved, event.facts)
            counts["deeds that changed nothing"] += 1


# --- macros --------------------------------------------------------------------------------------


def test_technique_scores_are_sums_over_final_scores(index: Path) -> None:
    due: dict[tuple[object, ...], list[list[int]]] = {}
    counted = (
        "SELECT game, title, players FROM chosen(of_title := 'spyrium', of_aspect := 'cards') WHERE reason IS NULL"
    )
    for row in query(index, counted).rows:
        one = games()[row[0]]
        state = one.state_at(len(one.events))
        for score in one.scores():
            held = {piece.card for piece in one.title.tables.tableau(state, score.seat)}
            for card, kind in one.title.tables.kinds(one.title.sheet()).items():
                if kind == "technique":
                    due.setdefault((row[1], row[2], card), [[], []])[card not in held].append(score.total)
    figures = "title, players, card, n_with, sum_with, mean_with, n_without, mean_without"
    asked = f"SELECT {figures} FROM technique_scores() WHERE players IS NOT NULL AND title = 'spyrium'"  # noqa: S608 - ours
    for title, players, card, n, total, mean, others, rest in query(index, asked).rows:
        has, has_not = due.pop((title, players, card))
        assert (n, total or 0, others) == (len(has), sum(has), len(has_not))
        assert mean == (pytest.approx(fmean(has), abs=1e-9) if has else None)
        assert rest == (pytest.approx(fmean(has_not), abs=1e-9) if has_not else None)
    assert due == {}
    same = "SELECT players, n_with, sum_with, round(difference, 9), round(low, 9), round(high, 9)"
    one_card = query(index, f"{same} FROM with_without('commerce') WHERE title = 'spyrium'").rows
    among_all = query(index, f"{same} FROM technique_scores() WHERE card = 'commerce'").rows
    for row, other in zip(one_card, among_all, strict=True):
        assert row == pytest.approx(other, abs=1e-9)  # the same, summed in another order


def test_technique_averages_are_those_of_the_seats_that_hold_one(index: Path, counts: Counter[str]) -> None:
    due: dict[tuple[object, ...], list[int]] = {}
    counted = "SELECT game, title FROM chosen(of_aspect := 'cards') WHERE reason IS NULL"
    for game, title in query(index, counted).rows:
        one = games()[game]
        state = one.state_at(len(one.events))
        for score in one.scores():
            for card in {piece.card for piece in one.title.tables.tableau(state, score.seat)}:
                if one.title.tables.kinds(one.title.sheet())[card] == "technique":
                    due.setdefault((title, len(one.header.seats), card), []).append(score.total)
    rows = query(index, "FROM technique_averages()").rows
    assert [row[:3] for row in rows] == sorted(due)
    for title, players, card, n, mean, low, high in rows:
        totals = due[title, players, card]
        assert (n, mean) == (len(totals), pytest.approx(fmean(totals), abs=1e-9))
        half = t975(n - 1) * stdev(totals) / sqrt(n) if n > 1 else None
        assert (low, high) == ((None, None) if half is None else pytest.approx((mean - half, mean + half), abs=1e-5))
        counts["final scores summed up by technique"] += n
    assert counts["final scores summed up by technique"]


def test_averages_by_technique_follow_the_games(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    said = []
    for seeds in (range(8), range(4, 8), ()):
        bring_up_to_date(index, many(seeds).sources())
        said.append(query(index, "SELECT sum(n)::BIGINT, round(sum(n * mean))::BIGINT FROM technique_averages()").rows)
        held = "SELECT nullif(count(*), 0), sum(total)::BIGINT FROM held JOIN result USING (game, seat)"
        assert said[-1] == query(index, held).rows
    assert said[0] != said[1] != said[2] == [(None, None)]


def test_what_counts_for_scores_alone_is_scored_and_no_result(index: Path) -> None:
    assert query(index, "SELECT DISTINCT reason FROM scored ORDER BY ALL").rows == [
        ("gaps",),
        ("open findings",),
        ("scores only",),
        (None,),
    ]
    assert (
        query(index, "SELECT * EXCLUDE (counts_for, reason) FROM scored WHERE reason IS NULL EXCEPT FROM result").rows
        == []
    )
    ((less, more),) = query(
        index, "SELECT (SELECT count(*) FROM result), count(*) FROM scored JOIN game USING (game)"
    ).rows
    assert 0 < less < more


def test_a_score_curve_ends_at_the_score(index: Path) -> None:
    rows = query(index, "SELECT round, seat, points, score FROM score_curve('game-0001')").rows
    totals = {score.seat: score.total for score in games()["game-0001"].scores()}
    assert {seat: score for round_, seat, _, score in rows if round_ == 6} == totals
    assert [row[:2] for row in rows] == [(r, s) for r in range(7) for s in totals]


def test_two_players_are_ahead_as_often_as_the_other_is_behind(index: Path) -> None:
    asked = "SELECT games, ahead, level, behind, margin FROM head_to_head(?, ?)"
    here, there = (query(index, asked, pair).rows for pair in (("Anna", "Bob"), ("Bob", "Anna")))
    assert here
    assert [(g, b, lv, a, -m) for g, a, lv, b, m in there] == [tuple(row) for row in here]


def test_macros_answer(index: Path) -> None:
    for asked in (
        "technique_averages()",
        "seat_effect()",
        "score_parts('game-0001')",
        "card_returns()",
        "take_rates()",
    ):
        assert query(index, f"FROM {asked}").rows, asked
    (row,) = query(index, "SELECT sum(n), sum(won) FROM seat_effect() WHERE title = 'spyrium'").rows
    assert row == query(index, "SELECT count(*), count(*) FILTER (won) FROM result WHERE title = 'spyrium'").rows[0]
