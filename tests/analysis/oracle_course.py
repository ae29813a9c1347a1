"""How games go: openings, pace and crowding, for the oracle."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from tests.analysis.choosing import (
    Asked,
    End,
    Figures,
    Row,
    Sat,
    at_the_table,
    chance_of,
    counted,
    edge,
    ends,
    grouped,
    half,
    half_by_game,
    left_out,
    mean_of,
    plain_left_out,
    put_ranks,
    rate_ends,
    reason,
    sat,
    standing_out,
    thin,
    won,
)
from tests.analysis.facts import Choice, Facts
from tests.analysis.oracle_cards import by_player, slope

MOST_OPENINGS = 50


def openings(games: Sequence[Facts], asked: Asked) -> Figures:
    rows: list[Row] = []
    chances: dict[str, list[float | None]] = defaultdict(list)
    sitting = sat(games, asked, "openings", asked.player)
    of_title = grouped((one.game.title, one) for one in sitting)
    opening_of = {(one.game.game, one.seat.seat): _opening(one) for one in sitting}
    found = grouped(((one.game.title, opening_of[one.game.game, one.seat.seat]), one) for one in sitting)
    most = {
        (title, opening)
        for title in of_title
        for opening, _ in sorted(
            ((opening, len(ones)) for (its, opening), ones in found.items() if its == title),
            key=lambda pair: (-pair[1], pair[0]),
        )[:MOST_OPENINGS]
    }
    for (title, opening), ones in ((key, ones) for key, ones in found.items() if key in most):
        edges = [edge(one) for one in ones]
        low, high = ends(fmean(edges), half_by_game((one.game.game, edge(one)) for one in ones))
        played = len({one.game.game for one in ones})

        def has(one: Sat, opening: str = opening) -> bool:
            return opening_of[one.game.game, one.seat.seat] == opening

        own = slope(of_title[title], has, by_player)
        note = thin(played, asked.least, ": not ranked") or thin(
            own.few, asked.least, " of players with it and with others: not ranked"
        )
        rows.append(
            {"title": title, "opening": opening, "rank": 1 if note is None else None}
            | {"n": len(ones), "games": played, "mean": mean_of(ones), "edge": fmean(edges), "low": low, "high": high}
            | {"adjusted": own.value, "adjusted_games": own.few}
            | dict(zip(("adjusted_low", "adjusted_high"), ends(own.value, own.half), strict=True))
            | {"won": won(ones), "win_rate": won(ones) / len(ones)}
            | dict(zip(("win_low", "win_high"), rate_ends(_wins(ones)), strict=True))
            | {"note": note}
        )
        chances[title].append(chance_of(own.value, own.half, own.few))
    for title, those in grouped((row["title"], row) for row in rows).items():
        standing_out(those, chances[title])
    put_ranks(rows, "adjusted", lambda row: row["title"])
    return {"openings": (("title", "opening"), rows), "left-out": plain_left_out(games, asked, "openings")}


def _wins(ones: Sequence[Sat]) -> list[tuple[str, bool]]:
    return [(one.game.game, one.seat.won is True) for one in ones]


def _activations(game: Facts, seat: int | None = None) -> list[Choice]:
    return [
        choice
        for choice in game.choices
        if choice.verb in {"hire", "build", "learn"} and choice.seat and seat in {None, choice.seat}
    ]


def _heaps(game: Facts, seat: int) -> list[Choice]:
    return [choice for choice in game.choices if choice.card == "heap" and choice.seat == seat]


def _opening(one: Sat) -> str:
    taken = [*_activations(one.game, one.seat.seat), *_heaps(one.game, one.seat.seat)]
    first = [str(choice.card) for choice in taken if choice.round == 1]
    return " \u203a ".join(first) or "(nothing)"


def pace(games: Sequence[Facts], asked: Asked) -> Figures:
    timed = [
        (game, choice)
        for game in counted(games, asked, "time")
        for choice in game.choices
        if choice.seconds is not None and choice.seat
        if asked.player in {None, game.seats[choice.seat - 1].player}
    ]
    players = [
        {"title": title, "player": player} | _paces(found, asked) | {"total": math.fsum(_seconds(found))}
        for (title, player), found in grouped(
            ((game.title, game.seats[choice.seat - 1].player), (game, choice)) for game, choice in timed
        ).items()
    ]
    verbs = [
        {"title": title, "verb": verb, "phase": phase} | _paces(found, asked)
        for (title, verb, phase), found in grouped(
            ((game.title, choice.verb, choice.phase), (game, choice)) for game, choice in timed
        ).items()
    ]
    for rows in (players, verbs):
        put_ranks(rows, "mean", lambda row: row["title"])
    by_count = []
    for (title, count), found in grouped(
        ((game.title, game.players), game.seconds) for game in counted(games, asked, "time") if game.seconds is not None
    ).items():
        minutes = [seconds / 60 for seconds in found]
        low, high = ends(fmean(minutes), half(minutes))
        by_count.append(
            {"title": title, "players": count, "games": len(found), "minutes": fmean(minutes), "low": low, "high": high}
            | {"shortest": min(minutes), "longest": max(minutes)}
        )

    def why(game: Facts) -> str | None:
        return reason(game, asked, "time") or ("no times" if game.seconds is None else None)

    return {
        "players": (("title", "player"), players),
        "verbs": (("title", "verb", "phase"), verbs),
        "games": (("title", "players"), by_count),
        "left-out": left_out(at_the_table(games, asked.player), asked, why),
    }


def _seconds(found: Iterable[tuple[Facts, Choice]]) -> list[float]:
    return [float(choice.seconds or 0) for _, choice in found]


def _paces(found: Sequence[tuple[Facts, Choice]], asked: Asked) -> Row:
    seconds = sorted(_seconds(found))
    at = 0.9 * (len(seconds) - 1)
    below = math.floor(at)
    above = min(below + 1, len(seconds) - 1)
    games = len({game.game for game, _ in found})
    low, high = ends(fmean(seconds), half_by_game((game.game, float(choice.seconds or 0)) for game, choice in found))
    return {
        "games": games,
        "rank": 1 if games >= asked.least else None,
        "note": thin(games, asked.least, ": not ranked"),
        "actions": len(found),
        "low": low,
        "high": high,
        "median": float(median(seconds)),
        "mean": fmean(seconds),
        "ninth_tenth": seconds[below] + (at - below) * (seconds[above] - seconds[below]),
    }


def crowding(games: Sequence[Facts], asked: Asked) -> Figures:
    found = [
        (game, choice)
        for game in counted(games, asked, "amounts")
        for choice in _activations(game)
        if asked.player in {None, game.seats[choice.seat - 1].player}
    ]
    rounds = [
        {"title": title, "players": players, "line": f"{title}, {players} players", "round": played}
        | _crowd(those, asked.least)
        for (title, players, played), those in grouped(
            ((game.title, game.players, choice.round), (game, choice)) for game, choice in found
        ).items()
    ]
    cards = [
        {"title": title, "card": card} | _crowd(those, asked.least)
        for (title, card), those in grouped(
            ((game.title, choice.card), (game, choice)) for game, choice in found
        ).items()
    ]
    for row in cards:
        row["rank"] = None if row["note"] else 1
        row["note"] = row["note"] and f"{row['note']}: not ranked"
    put_ranks(cards, "extra", lambda row: row["title"])
    return {
        "rounds": (("title", "players", "round"), rounds),
        "cards": (("title", "card"), cards),
        "left-out": plain_left_out(games, asked, "amounts"),
    }


def _crowd(found: Sequence[tuple[Facts, Choice]], least: int) -> Row:
    paid = [choice.crowd for _, choice in found]
    games = len({game.game for game, _ in found})
    low, high = ends(fmean(paid), half_by_game((game.game, float(choice.crowd)) for game, choice in found))
    share = sum(n > 0 for n in paid) / len(paid)
    width = half_by_game((game.game, float(choice.crowd > 0)) for game, choice in found)
    return {
        "games": games,
        "note": thin(games, least),
        "activations": len(found),
        "paid_extra": share,
        "paid_extra_low": None if width is None else End(max(0.0, share - width), width),
        "paid_extra_high": None if width is None else End(min(1.0, share + width), width),
        "extra": fmean(paid),
        "low": low,
        "high": high,
        "most": max(paid),
    }
