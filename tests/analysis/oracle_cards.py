"""What cards are worth and how often they are taken, for the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from tests.analysis.choosing import (
    Asked,
    Figures,
    Row,
    Sat,
    chance_of,
    counted,
    ends,
    grouped,
    mean_of,
    plain_left_out,
    put_ranks,
    rate_ends,
    sat,
    standing_out,
    sum_of,
    t975,
    thin,
    won,
)
from tests.analysis.facts import Facts


class Slope(NamedTuple):
    """Of the score over "has it", within strata, with what its interval is made of.

    `few`: games with it or without it in those strata, whichever are fewer.
    """

    value: float | None
    half: float | None
    games: int
    few: int


def slope(
    seats: Sequence[Sat],
    has: Callable[[Sat], bool],
    stratum: Callable[[Sat], Hashable],
    value_of: Callable[[Sat], float] = lambda one: one.seat.total,
) -> Slope:
    """Both demeaned within each stratum, then one regression through the origin; games are the clusters.

    How wide the interval is goes by the games that had it or those that had not, whichever are fewer.
    Only strata in which some had it and some had not say anything, so only those count.
    """
    telling = [
        ones for ones in grouped((stratum(one), one) for one in seats).values() if len({has(one) for one in ones}) == 2
    ]
    if not telling:
        return Slope(None, None, 0, 0)
    points: list[tuple[str, float, float]] = []
    for ones in telling:
        share = fmean(map(has, ones))
        mean = fmean(map(value_of, ones))
        points += [(one.game.game, has(one) - share, value_of(one) - mean) for one in ones]
    square = math.fsum(x * x for _, x, _ in points)
    value = math.fsum(x * y for _, x, y in points) / square
    pulls = grouped((game, x * (y - value * x)) for game, x, y in points)
    n, clusters, strata = len(points), len(pulls), len(telling)
    with_it, without = (
        {one.game.game for ones in telling for one in ones if has(one) is wanted} for wanted in (True, False)
    )
    few = min(len(with_it), len(without))
    width = None
    if few > 1 and n > strata + 1:
        spread = math.fsum(math.fsum(pull) ** 2 for pull in pulls.values())
        correction = few / (few - 1) * (n - 1) / (n - strata - 1)
        width = t975(few - 1) * math.sqrt(spread * correction) / square
    return Slope(value, width, clusters, few)


def by_player(one: Sat) -> Hashable:
    """A player is compared with himself at the same number of players."""
    return one.game.players, one.seat.player


def by_people(one: Sat) -> Hashable:
    """Or among the same people."""
    return tuple(sorted(seat.player for seat in one.game.seats)), one.seat.player


def card_scores(kind: str) -> Callable[[Sequence[Facts], Asked], Figures]:
    def figures(games: Sequence[Facts], asked: Asked) -> Figures:
        seats = sat(games, asked, "cards", asked.player)
        by_title = grouped((one.game.title, one) for one in seats)
        together, apart = list[Row](), list[Row]()
        for title, ones in by_title.items():
            by_count = grouped((one.game.players, one) for one in ones)
            together += _judged([({"title": title}, ones)], kind, asked)
            apart += _judged(
                [({"title": title, "players": players}, those) for players, those in by_count.items()], kind, asked
            )
        put_ranks(together, "adjusted", lambda row: row["title"])
        put_ranks(apart, "adjusted", lambda row: (row["title"], row["players"]))
        return {
            "scores": (("title", "card"), _of_card(together, asked)),
            "by-players": (("title", "players", "card"), _of_card(apart, asked)),
            "left-out": plain_left_out(games, asked, "cards"),
        }

    return figures


def _of_card(rows: list[Row], asked: Asked) -> list[Row]:
    """One card has the rank that it has among all."""
    return [row for row in rows if asked.card in {None, row["card"]}]


def _judged(groups: Iterable[tuple[Row, Sequence[Sat]]], kind: str, asked: Asked) -> list[Row]:
    """The rows of all cards of some groups of seats, with which of all these rows stand out."""
    found = [row for group, seats in groups for row in _cards(group, seats, kind, asked)]
    standing_out([row for row, _ in found], [chance for _, chance in found])
    return [row for row, _ in found]


def _cards(group: Row, seats: Sequence[Sat], kind: str, asked: Asked) -> Iterator[tuple[Row, float | None]]:
    for card, its_kind in seats[0].game.kinds.items():
        if its_kind != kind:
            continue
        having = [one for one in seats if card in one.seat.had]
        lacking = [one for one in seats if card not in one.seat.had]

        def has(one: Sat, card: str = card) -> bool:
            return card in one.seat.had

        raw = slope(seats, has, lambda one: one.game.players)
        own = slope(seats, has, by_player)
        low, high = ends(raw.value, raw.half)
        own_low, own_high = ends(own.value, own.half)
        fewest = min(len({one.game.game for one in ones}) for ones in (having, lacking))
        note = None
        if fewest < asked.least:
            note = f"fewer than {asked.least} games with or without: not ranked"
        elif own.few < asked.least:
            note = f"fewer than {asked.least} such games of players who had it and had it not: not ranked"
        row = (
            group
            | {"card": card, "rank": 1 if note is None else None}
            | {"n_with": len(having), "sum_with": sum_of(having), "mean_with": mean_of(having)}
            | {"n_without": len(lacking), "sum_without": sum_of(lacking), "mean_without": mean_of(lacking)}
            | {"difference": raw.value, "low": low, "high": high}
            | {"adjusted": own.value, "adjusted_low": own_low, "adjusted_high": own_high, "adjusted_games": own.games}
            | {"won_with": won(having), "won_without": won(lacking), "note": note}
            | {"win_with": _share(having), "win_without": _share(lacking)}
        )
        yield row, chance_of(own.value, own.half, own.few)


def _share(seats: Sequence[Sat]) -> float | None:
    return won(seats) / len(seats) if seats else None


def take_rates(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    chances = grouped(
        ((game.title, game.kinds.get(chance.card), chance.card), (game.game, chance))
        for game in counted(games, asked, "offers")
        for chance in game.chances
        if asked.player in {None, game.seats[chance.seat - 1].player}
    )
    for (title, kind, card), found in chances.items():
        those = [chance for _, chance in found]
        played = len({game for game, _ in found})
        affordable = [chance for chance in those if chance.affordable]
        k, n = sum(chance.taken for chance in affordable), len(affordable)
        low, high = rate_ends((game, chance.taken) for game, chance in found if chance.affordable)
        able = grouped(((game, chance.seat), chance.taken) for game, chance in found if chance.affordable)
        seats = [(game, any(taken)) for (game, _), taken in able.items()]
        seat_low, seat_high = rate_ends(seats)
        prices = [chance.price for chance in those if chance.price is not None]
        paid = [chance.price for chance in those if chance.taken and chance.price is not None]
        rows.append(
            {"title": title, "kind": kind, "card": card, "rank": 1 if played >= asked.least else None, "games": played}
            | {"offered": len(those), "reachable": sum(chance.reachable for chance in those), "affordable": n}
            | {"taken": sum(chance.taken for chance in those), "taken_affordable": k}
            | {"rate": k / n if n else None, "low": low, "high": high}
            | {"seats_able": len(seats), "seats_taking": sum(took for _, took in seats)}
            | {"seat_rate": sum(took for _, took in seats) / len(seats) if seats else None}
            | {"seat_low": seat_low, "seat_high": seat_high}
            | {"mean_price": fmean(prices) if prices else None, "mean_price_taken": fmean(paid) if paid else None}
            | {"note": thin(played, asked.least, ": not ranked")}
        )
    put_ranks(rows, "rate", lambda row: (row["title"], row["kind"]))
    return {"rates": (("title", "card"), _of_card(rows, asked)), "left-out": plain_left_out(games, asked, "offers")}
