"""Every figure of every named report in plain Python, from the facts of each game. No SQL, nothing of the analysis."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median

from tests.analysis.choosing import (
    Asked,
    Figures,
    Row,
    Sat,
    counted,
    edge,
    ends,
    grouped,
    half,
    left_out,
    left_out_in_part,
    mean_of,
    plain_left_out,
    put_ranks,
    rate_ends,
    reason,
    sat,
    thin,
    wilson,
    won,
)
from tests.analysis.facts import Facts
from tests.analysis.oracle_cards import by_people, by_player, card_scores, slope, take_rates
from tests.analysis.oracle_course import crowding, openings, pace
from tests.analysis.oracle_people import head_to_head, player, ratings, records


def scores(games: Sequence[Facts], asked: Asked) -> Figures:
    totals, causes = [], []
    for (title, players), seats in grouped(
        ((one.game.title, one.game.players), one) for one in sat(games, asked, "scores", asked.player)
    ).items():
        group = {"title": title, "players": players}
        by_game = list(grouped((one.game.game, one) for one in seats).values())
        means = [fmean(one.seat.total for one in ones) for ones in by_game]
        low, high = ends(fmean(means), half(means))
        mean = sum(one.seat.total for one in seats) / len(seats)
        totals.append(
            group
            | {"games": len(by_game), "seats": len(seats), "mean": mean, "low": low, "high": high}
            | {"won": won(seats), "win_rate": won(seats) / len(seats)}
            | dict(
                zip(
                    ("win_low", "win_high"),
                    wilson(won(seats), len(seats)) if asked.player else (None, None),
                    strict=True,
                )
            )
        )
    for (title, players), seats in grouped(
        ((one.game.title, one.game.players), one) for one in sat(games, asked, "amounts", asked.player)
    ).items():
        group = {"title": title, "players": players}
        by_game = list(grouped((one.game.game, one) for one in seats).values())
        for cause in {cause for one in seats for cause in one.seat.parts}:
            means = [fmean(one.seat.parts.get(cause, 0) for one in ones) for ones in by_game]
            low, high = ends(fmean(means), half(means))
            scored = [one for one in seats if cause in one.seat.parts]
            win_low, win_high = rate_ends((one.game.game, one.seat.won is True) for one in scored)
            causes.append(
                group
                | {"cause": cause, "rank": 1 if len(by_game) >= asked.least else None}
                | {"games": len(by_game), "seats": len(seats)}
                | {"mean": sum(one.seat.parts.get(cause, 0) for one in seats) / len(seats), "low": low, "high": high}
                | {"scored": len(scored), "won": won(scored), "win_rate": won(scored) / len(scored)}
                | {"win_low": win_low, "win_high": win_high}
                | {"note": thin(len(by_game), asked.least, ": not ranked")}
            )
    put_ranks(causes, "mean", lambda row: (row["title"], row["players"]))
    return {
        "totals": (("title", "players"), totals),
        "causes": (("title", "players", "cause"), causes),
        "left-out": left_out_in_part(games, asked, "amounts"),
    }


def seats(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    sitting = [one for one in sat(games, asked, "seats") if one.game.players > 1]

    def why(game: Facts) -> str | None:
        return reason(game, asked, "seats") or ("one player" if game.players == 1 else None)

    at_tables = grouped(((one.game.title, one.game.players), one) for one in sitting)
    for (title, players, turn), ones in grouped(
        ((one.game.title, one.game.players, one.seat.turn), one) for one in sitting
    ).items():
        edges = [edge(one) for one in ones]
        edge_low, edge_high = ends(fmean(edges), half(edges))
        totals = [one.seat.total for one in ones]
        mean_low, mean_high = ends(fmean(totals), half(totals))
        low, high = wilson(won(ones), len(ones))
        winners = sum(seat.won is True for one in ones for seat in one.game.seats)

        def is_there(one: Sat, turn: int | None = turn) -> bool:
            return one.seat.turn == turn

        points = slope(at_tables[title, players], is_there, by_player)
        wins = slope(at_tables[title, players], is_there, by_people, lambda one: float(one.seat.won is True))
        rows.append(
            {"title": title, "players": players, "turn": turn, "seat": f"{turn} of {players}", "n": len(ones)}
            | {
                "mean": mean_of(ones),
                "mean_low": mean_low,
                "mean_high": mean_high,
                "edge": fmean(edges),
                "edge_low": edge_low,
                "edge_high": edge_high,
                "adjusted": points.value,
                "adjusted_wins": wins.value,
                "adjusted_games": wins.few,
            }
            | dict(zip(("adjusted_low", "adjusted_high"), ends(points.value, points.half), strict=True))
            | dict(zip(("adjusted_wins_low", "adjusted_wins_high"), ends(wins.value, wins.half), strict=True))
            | {"won": won(ones), "win_rate": won(ones) / len(ones), "low": low, "high": high}
            | {"expected": winners / len(ones) / players, "note": _seat_note(len(ones), wins.few, asked.least)}
        )
    return {"seats": (("title", "players", "turn"), rows), "left-out": left_out(games, asked, why)}


def _seat_note(n: int, few: int, least: int) -> str | None:
    if n < least:
        return thin(n, least)
    if not few:
        return "nobody sat there and elsewhere among the same people: the seat cannot be told from who sat there"
    return thin(few, least, " of players who sat there and elsewhere among the same people")


def curves(games: Sequence[Facts], asked: Asked) -> Figures:
    after: dict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    gained: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for game in counted(games, asked, "amounts"):
        those = [seat.seat for seat in game.seats if asked.player in {None, seat.player}]
        if not those:
            continue
        for played in {played for played, _ in game.standings}:
            key = (game.title, game.players, played)
            after[key].append(
                (
                    fmean(game.standings[played, seat][0] for seat in those),
                    fmean(game.standings[played, seat][1] for seat in those),
                )
            )
            if played > 0:
                gained[key].append(fmean(game.income.get((played, seat), 0) for seat in those))
    return {
        "scores": (
            ("title", "players", "round"),
            [
                _curve(key, [score for score, _ in found], "score", asked)
                | _points([points for _, points in found], key[2])
                for key, found in after.items()
            ],
        ),
        "incomes": (
            ("title", "players", "round"),
            [_curve(key, found, "income", asked) for key, found in gained.items()],
        ),
        "left-out": plain_left_out(games, asked, "amounts"),
    }


def _points(found: Sequence[float], played: int) -> Row:
    low, high = ends(fmean(found), half(found) if played else None)
    return {"points": fmean(found), "points_low": low, "points_high": high}


def _curve(key: tuple[str, int, int], found: Sequence[float], name: str, asked: Asked) -> Row:
    title, players, played = key
    low, high = ends(fmean(found), half(found) if played else None)
    return (
        {"title": title, "players": players, "line": f"{title}, {players} players", "round": played}
        | {"games": len(found), name: fmean(found), "low": low, "high": high}
        | {"note": thin(len(found), asked.least)}
    )


def game(games: Sequence[Facts], asked: Asked) -> Figures:
    (one,) = (each for each in games if each.game == asked.game)
    order = sorted(one.seats, key=lambda seat: (seat.place, seat.seat))
    timed = grouped(
        (choice.seat, choice.seconds) for choice in one.choices if choice.seconds is not None and choice.seat
    )
    return {
        "result": (
            ("seat",),
            [
                {"place": seat.place, "player": seat.player, "total": seat.total, "seat": seat.seat}
                | {"colour": seat.colour, "turn": seat.turn, "points": seat.points, "won": seat.won}
                | {"played": one.played, "verdict": one.verdict, "grades": one.grades}
                for seat in order
            ],
        ),
        "curve": (
            ("round", "seat"),
            [
                {"round": played, "seat": seat, "player": one.seats[seat - 1].player, "points": points}
                | {"score": score, "colour": one.seats[seat - 1].colour}
                for (played, seat), (score, points) in one.standings.items()
            ],
        ),
        "sources": (
            ("cause", "seat"),
            [
                {"cause": cause, "seat": seat.seat, "player": seat.player, "points": points}
                for seat in one.seats
                for cause, points in seat.parts.items()
            ],
        ),
        "cards": (
            ("seat", "card", "round"),
            [
                {"seat": seat, "player": one.seats[seat - 1].player, "round": held.round}
                | {"kind": held.kind, "card": held.card, "paid": held.paid, "uses": held.uses}
                | {"returned": held.returned, "final_points": held.final_points}
                for seat, held in one.held
            ],
        ),
        "pace": (
            ("seat",),
            [
                {"seat": seat, "player": one.seats[seat - 1].player, "actions": len(seconds)}
                | {"median": float(median(seconds)), "total": math.fsum(seconds)}
                for seat, seconds in timed.items()
            ],
        ),
        "findings": (
            ("nth",),
            [
                dict(zip(("n", "rule", "number", "expected", "found", "about", "status"), row, strict=True))
                | {"nth": nth}
                for nth, (_, _, row) in enumerate(
                    sorted(one.findings, key=lambda each: (*each[:2], each[2][1], *each[2][3:5]))
                )
            ],
        ),
    }


ORACLES: Mapping[str, Callable[[Sequence[Facts], Asked], Figures]] = {
    "technique-scores": card_scores("technique"),
    "building-scores": card_scores("building"),
    "character-scores": card_scores("character"),
    "take-rates": take_rates,
    "seats": seats,
    "curves": curves,
    "scores": scores,
    "openings": openings,
    "pace": pace,
    "crowding": crowding,
    "records": records,
    "player": player,
    "head-to-head": head_to_head,
    "ratings": ratings,
    "game": game,
}
