"""Records, a player, two players, all players, for the oracle."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from tests.analysis.choosing import (
    Asked,
    Figures,
    Row,
    Sat,
    at_the_table,
    counted,
    edge,
    ends,
    grouped,
    half,
    left_out,
    left_out_in_part,
    reason,
    sat,
    thin,
    twice,
    wilson,
    within,
    won,
)
from tests.analysis.facts import Facts, SeatFacts

MOST_COURSES = 9
LAST_GAMES = 20
POLICIES = frozenset(("greedy-1", "search:30"))


def records(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    for title, ones in grouped((one.game.title, one) for one in sat(games, asked, "scores")).items():
        whole = {game.game for game in counted(games, asked, "cards")}
        for record, found in _books(ones, whole):
            those = [(figure, one) for figure, one in found if asked.player in {None, one.seat.player}]
            if not those:
                continue
            is_least = record in {"lowest score that won", "lowest score", "smallest margin"}
            figure, best = min(those, key=lambda pair: (pair[0] if is_least else -pair[0], *_by_day(pair[1])))
            rows.append(
                {"title": title, "record": record, "figure": figure, "player": best.seat.player}
                | {"times": len({one.game.game for reached, one in those if reached == figure})}
                | {"players": best.game.players, "played": best.game.played, "game": best.game.game}
            )
    return {"records": (("title", "record"), rows), "left-out": left_out_in_part(games, asked, "cards")}


def _by_day(one: Sat) -> tuple[Any, ...]:
    return one.game.played is None, one.game.played or "", one.game.game, one.seat.seat


def _books(ones: Sequence[Sat], whole: set[str]) -> Iterator[tuple[str, list[tuple[int, Sat]]]]:
    winners = [one for one in ones if one.seat.won]
    losers = [one for one in ones if not one.seat.won]
    alone = [
        (one.seat.total - max(seat.total for seat in one.game.seats if not seat.won), one)
        for one in winners
        if sum(seat.won is True for seat in one.game.seats) == 1 and len(one.game.seats) > 1
    ]
    learnt = [
        (sum(one.game.kinds.get(card) == "technique" for card in one.seat.had), one)
        for one in ones
        if one.game.game in whole
    ]
    yield "highest score", [(one.seat.total, one) for one in ones]
    yield "lowest score that won", [(one.seat.total, one) for one in winners]
    yield "highest score that did not win", [(one.seat.total, one) for one in losers]
    yield "lowest score", [(one.seat.total, one) for one in ones]
    yield "largest margin", alone
    yield "smallest margin", alone
    yield "most points on one table", [(sum(seat.total for seat in one.game.seats), one) for one in winners]
    if ones[0].game.title == "spyrium":
        yield "most cards kept: technique", learnt


def player(games: Sequence[Facts], asked: Asked) -> Figures:
    own = sat(games, asked, "amounts", asked.player)
    scored = sat(games, asked, "scores", asked.player)
    everybody = grouped((one.game.title, one) for one in sat(games, asked, "amounts"))
    summary, sources, cards = [], [], []
    for (title, players), ones in grouped(((one.game.title, one.game.players), one) for one in scored).items():
        edges = [edge(one) for one in ones]
        low, high = ends(fmean(edges), half(edges))
        expected = math.fsum(sum(seat.won is True for seat in one.game.seats) / players for one in ones)
        totals = [one.seat.total for one in ones]
        summary.append(
            {"title": title, "players": players, "games": len({one.game.game for one in ones}), "won": won(ones)}
            | {"win_rate": won(ones) / len(ones), "expected": expected}
            | dict(zip(("win_low", "win_high"), wilson(won(ones), len(ones)), strict=True))
            | dict(zip(("low", "high"), ends(fmean(totals), half(totals)), strict=True))
            | {"mean": fmean(totals), "best": max(totals), "worst": min(totals)}
            | {"edge": fmean(edges), "edge_low": low, "edge_high": high}
        )
    for title, ones in grouped((one.game.title, one) for one in own).items():
        all_ = everybody[title]
        for cause in {cause for one in all_ for cause in one.seat.parts}:
            mine, theirs = ([one.seat.parts.get(cause, 0) for one in those] for those in (ones, all_))
            low, high = ends(fmean(mine), half(mine))
            sources.append(
                {"title": title, "cause": cause, "mean": fmean(mine), "low": low, "high": high}
                | {"everybody": fmean(theirs), "n": len(ones)}
            )
        for card, kind in ones[0].game.kinds.items():
            if kind != "event":
                had, of_all = (sum(card in one.seat.had for one in those) for those in (ones, all_))
                cards.append(
                    {"title": title, "kind": kind, "card": card, "n": had}
                    | dict(zip(("low", "high"), wilson(had, len(ones)), strict=True))
                    | {"share": had / len(ones), "everybody": of_all / len(all_)}
                )
    last = sorted(scored, key=lambda one: (one.game.game, one.seat.seat))
    last.sort(key=lambda one: one.game.played or "", reverse=True)
    return {
        "summary": (("title", "players"), summary),
        "sources": (("title", "cause"), sources),
        "cards": (("title", "card"), cards),
        "against": (("title", "player"), list(_against(scored))),
        "games": (
            ("game", "total"),
            [
                {"title": one.game.title, "played": one.game.played, "players": one.game.players}
                | {"total": one.seat.total, "place": one.seat.place, "won": one.seat.won, "game": one.game.game}
                for one in last[:LAST_GAMES]
            ],
        ),
        "left-out": left_out_in_part(games, asked, "amounts"),
    }


def _against(own: Sequence[Sat]) -> Iterator[Row]:
    pairs = [(one, other) for one in own for other in one.game.seats if other.player != one.seat.player]
    for (title, name), those in grouped(((one.game.title, other.player), (one, other)) for one, other in pairs).items():
        margins = [one.seat.total - other.total for one, other in those]
        low, high = ends(fmean(margins), half(margins))
        yield (
            {"title": title, "player": name, "games": len({one.game.game for one, _ in those})}
            | _duels([(one.seat, other) for one, other in those])
            | {"margin": fmean(margins), "low": low, "high": high}
        )


def _duels(pairs: Sequence[tuple[SeatFacts, SeatFacts]]) -> Row:
    return {
        "ahead": sum(one.place < other.place for one, other in pairs),
        "level": sum(one.place == other.place for one, other in pairs),
        "behind": sum(one.place > other.place for one, other in pairs),
    }


class Duel(NamedTuple):
    """A game that both played."""

    game: Facts
    one: SeatFacts
    other: SeatFacts


def head_to_head(games: Sequence[Facts], asked: Asked) -> Figures:
    names = (asked.player, asked.against)
    duels: list[Duel] = []
    for game in counted(games, asked, "scores"):
        if twice(game, *names) or asked.player == asked.against:
            continue
        by_name: dict[str | None, SeatFacts] = {seat.player: seat for seat in game.seats}
        if all(name in by_name for name in names):
            duels.append(Duel(game, by_name[asked.player], by_name[asked.against]))
    summary = []
    for (title, players), those in grouped(((duel.game.title, duel.game.players), duel) for duel in duels).items():
        margins = [one.total - other.total for _, one, other in those]
        low, high = ends(fmean(margins), half(margins))
        summary.append(
            {"title": title, "players": players, "games": len(those)}
            | _duels([(one, other) for _, one, other in those])
            | {"margin": fmean(margins), "low": low, "high": high, "worst": min(margins), "best": max(margins)}
        )
    rows = []
    for those in grouped((duel.game.title, duel) for duel in duels).values():
        those.sort(key=lambda duel: (duel.game.played is not None, duel.game.played or "", duel.game.game))
        for nth, (game, one, other) in enumerate(those, 1):
            day = f", {game.played}" if game.played is not None else ""
            rows.append(
                {"title": game.title, "label": f"{nth}{day}", "total": one.total, "other_total": other.total}
                | {"margin": one.total - other.total, "place": one.place, "other_place": other.place}
                | {"players": game.players, "game": game.game}
            )

    def why(game: Facts) -> str | None:
        return reason(game, asked, "scores") or ("one of them sat twice" if twice(game, *names) else None)

    return {
        "summary": (("title", "players"), summary),
        "games": (("title", "game"), rows),
        "left-out": left_out(at_the_table(games, *names) if len({*names}) == len(names) else (), asked, why),
    }


def ratings(games: Sequence[Facts], asked: Asked) -> Figures:
    rows, course = [], []

    def why(game: Facts) -> str | None:
        said = reason(game, asked, "scores")
        if said is not None:
            return said
        if game.players == 1 or twice(game):
            return "one player" if game.players == 1 else "somebody sat twice"
        is_odd = game.source != "simulated" and any(seat.player in POLICIES for seat in game.seats)
        return "a policy of the simulation played" if is_odd else None

    those = [game for game in games if within(game, asked) and why(game) is None]
    for title, found in grouped((game.title, game) for game in those).items():
        found.sort(key=lambda game: (game.played is not None, game.played or "", game.game))
        elo: dict[str, float] = defaultdict(lambda: 1500.0)
        model = PlackettLuce()
        skill: dict[str, Any] = {}
        played: dict[str, int] = defaultdict(int)
        wins: dict[str, int] = defaultdict(int)
        way: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
        for nth, game in enumerate(found, 1):
            names = [seat.player for seat in game.seats]
            before = {name: elo[name] for name in names}
            for seat in game.seats:
                change = 0.0
                for other in game.seats:
                    if other is not seat:
                        hoped = 1 / (1 + 10 ** ((before[other.player] - before[seat.player]) / 400))
                        got = 0.5 * (1 + (seat.place < other.place) - (seat.place > other.place))
                        change += 32 / (len(names) - 1) * (got - hoped)
                elo[seat.player] += change
            teams = [[skill.get(name) or model.rating()] for name in names]
            for seat, (now,) in zip(
                game.seats, model.rate(teams, ranks=[float(seat.place) for seat in game.seats]), strict=True
            ):
                skill[seat.player] = now
                played[seat.player] += 1
                wins[seat.player] += seat.place == 1
                way[seat.player].append((nth, elo[seat.player], now.mu))
        order = sorted(skill, key=lambda name: (-(skill[name].mu - 3 * skill[name].sigma), name))
        often = [name for name in order if played[name] >= asked.least]
        for name in order:
            rank = often.index(name) + 1 if name in often else None
            mean, sigma = skill[name].mu, skill[name].sigma
            rows.append(
                {"title": title, "rank": rank, "player": name, "games": played[name], "wins": wins[name]}
                | {
                    "elo": elo[name],
                    "mean": mean,
                    "deviation": sigma,
                    "low": mean - 3 * sigma,
                    "high": mean + 3 * sigma,
                    "note": thin(played[name], asked.least, ": not ranked"),
                }
            )
        drawn = sorted(skill, key=lambda name: (-played[name], name))[:MOST_COURSES]
        course += [
            {"title": title, "player": name, "game_number": nth, "elo": now, "mean": mean}
            for name in drawn
            for nth, now, mean in way[name]
        ]
    return {
        "ratings": (("title", "player"), rows),
        "course": (("title", "player", "game_number"), course),
        "left-out": left_out(games, asked, why),
    }
