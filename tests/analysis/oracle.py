"""Every figure of every named report in plain Python, from the facts of each game. No SQL, nothing of the analysis."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean, median, stdev
from typing import Any, NamedTuple, TypeAlias

from openskill.models import PlackettLuce

from tests.analysis import test_reports
from tests.analysis.facts import Choice, Facts, SeatFacts

Row: TypeAlias = dict[str, Any]
# Which columns name a row, and the rows.
Table: TypeAlias = tuple[tuple[str, ...], list[Row]]
Figures: TypeAlias = dict[str, Table]

MOST_NAMED = 20
MOST_OPENINGS = 50
MOST_COURSES = 9
LAST_GAMES = 20
CLOSE = 1e-9


class End(NamedTuple):
    """An end of an interval, to be met to a millionth of its half width."""

    value: float
    half: float


class Asked(NamedTuple):
    """The options of a report, as somebody may say them."""

    title: str | None = None
    players: int | None = None
    player: str | None = None
    against: str | None = None
    card: str | None = None
    since: str | None = None
    until: str | None = None
    grade: str = "clean"
    least: int = 10
    game: str | None = None


class Sat(NamedTuple):
    """A seat with its game."""

    game: Facts
    seat: SeatFacts


t975 = cache(test_reports.t975)


def half(values: Sequence[float]) -> float | None:
    n = len(values)
    return t975(n - 1) * stdev(values) / math.sqrt(n) if n > 1 else None


def ends(middle: float | None, width: float | None) -> tuple[End | None, End | None]:
    if middle is None or width is None:
        return None, None
    return End(middle - width, width), End(middle + width, width)


def wilson(k: int, n: int) -> tuple[float | None, float | None]:
    return test_reports.wilson(k, n) if n else (None, None)


# --- which games count ---------------------------------------------------------------------------


def reason(game: Facts, asked: Asked) -> str | None:  # noqa: PLR0911 (one for each reason)
    if game.played is None and (asked.since or asked.until):
        return "no day"
    if game.verdict == "unusable":
        return "cannot be read to its end"
    if game.scores_only:
        return "scores only"
    if not game.final:
        return "no final count"
    if game.open_findings and asked.grade != "counted":
        return "open findings"
    if asked.grade == "exact":
        for name, why in (("rulings", "rulings"), ("gaps", "gaps"), ("unseen", "cards nobody saw")):
            if getattr(game, name):
                return why
    return None


def within(game: Facts, asked: Asked) -> bool:
    """A day that is said as a year or month holds all of its days."""
    return (
        asked.title in {None, game.title}
        and asked.players in {None, game.players}
        and (asked.since is None or game.played is None or game.played >= asked.since)
        and (asked.until is None or game.played is None or game.played[: len(asked.until)] <= asked.until)
    )


def counted(games: Iterable[Facts], asked: Asked) -> list[Facts]:
    return [game for game in games if within(game, asked) and reason(game, asked) is None]


def sat(games: Iterable[Facts], asked: Asked, player: str | None = None) -> list[Sat]:
    return [
        Sat(game, seat)
        for game in counted(games, asked)
        for seat in game.seats
        if player is None or seat.player == player
    ]


def left_out(games: Iterable[Facts], asked: Asked, why: Callable[[Facts], str | None]) -> Table:
    named = grouped(((game.title, game.players, said), game) for game in games if within(game, asked) if (said := why(game)))
    rows = []
    for (title, players, said), those in named.items():
        files = sorted(game.file for game in those)
        more = f" and {len(files) - MOST_NAMED} more" if len(files) > MOST_NAMED else ""
        files_said = ", ".join(files[:MOST_NAMED]) + more
        rows.append({"title": title, "players": players, "reason": said, "games": len(files), "files": files_said})
    return ("title", "players", "reason"), rows


def grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def won(seats: Iterable[Sat]) -> int:
    return sum(one.seat.won is True for one in seats)


def thin(n: int, least: int, more: str = "") -> str | None:
    return f"fewer than {least} games{more}" if n < least else None


def put_ranks(rows: Sequence[Row], by: str, within_: Callable[[Row], Hashable]) -> None:
    """One more than how many of those that are ranked, too, are better."""
    ranked = [row for row in rows if row["rank"] is not None]
    for row in ranked:
        peers = [other for other in ranked if within_(other) == within_(row)]
        row["rank"] = 1 + sum(_more(other[by], row[by]) for other in peers)


def _more(one: float | None, other: float | None) -> bool:
    return one is not None and (other is None or one > other + CLOSE)


def edge(one: Sat) -> float:
    return one.seat.total - fmean(seat.total for seat in one.game.seats)


# --- report by report ----------------------------------------------------------------------------


def scores(games: Sequence[Facts], asked: Asked) -> Figures:
    totals, causes = [], []
    for (title, players), seats in grouped(
        ((one.game.title, one.game.players), one) for one in sat(games, asked, asked.player)
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
        )
        for cause in {cause for one in seats for cause in one.seat.parts}:
            means = [fmean(one.seat.parts.get(cause, 0) for one in ones) for ones in by_game]
            low, high = ends(fmean(means), half(means))
            scored = [one for one in seats if cause in one.seat.parts]
            win_low, win_high = wilson(won(scored), len(scored))
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
        "left-out": plain_left_out(games, asked),
    }


def plain_left_out(games: Sequence[Facts], asked: Asked) -> Table:
    return left_out(games, asked, lambda game: reason(game, asked))


class Slope(NamedTuple):
    """Of the score over "has it", within strata, with what its interval is made of."""

    value: float | None
    half: float | None
    games: int


def slope(seats: Sequence[Sat], card: str, stratum: Callable[[Sat], Hashable]) -> Slope:
    """Both demeaned within each stratum, then one regression through the origin; games are the clusters.

    Only strata in which some had it and some had not say anything, so only those count.
    """
    telling = [
        ones
        for ones in grouped((stratum(one), one) for one in seats).values()
        if len({card in one.seat.had for one in ones}) == 2  # noqa: PLR2004 (with and without)
    ]
    if not telling:
        return Slope(None, None, 0)
    points: list[tuple[str, float, float]] = []
    for ones in telling:
        share = fmean(card in one.seat.had for one in ones)
        mean = fmean(one.seat.total for one in ones)
        points += [(one.game.game, (card in one.seat.had) - share, one.seat.total - mean) for one in ones]
    square = math.fsum(x * x for _, x, _ in points)
    value = math.fsum(x * y for _, x, y in points) / square
    pulls = grouped((game, x * (y - value * x)) for game, x, y in points)
    n, clusters, strata = len(points), len(pulls), len(telling)
    width = None
    if clusters > 1 and n > strata + 1:
        spread = math.fsum(math.fsum(pull) ** 2 for pull in pulls.values())
        correction = clusters / (clusters - 1) * (n - 1) / (n - strata - 1)
        width = t975(clusters - 1) * math.sqrt(spread * correction) / square
    return Slope(value, width, clusters)


def card_scores(kind: str) -> Callable[[Sequence[Facts], Asked], Figures]:
    def figures(games: Sequence[Facts], asked: Asked) -> Figures:
        seats = sat(games, asked, asked.player)
        by_title = grouped((one.game.title, one) for one in seats)
        by_count = grouped(((one.game.title, one.game.players), one) for one in seats)
        together = [
            row for title, ones in by_title.items() for row in _cards({"title": title}, ones, kind, asked)
        ]
        apart = [
            row
            for (title, players), ones in by_count.items()
            for row in _cards({"title": title, "players": players}, ones, kind, asked)
        ]
        put_ranks(together, "adjusted", lambda row: row["title"])
        put_ranks(apart, "adjusted", lambda row: (row["title"], row["players"]))
        return {
            "scores": (("title", "card"), together),
            "by-players": (("title", "players", "card"), apart),
            "left-out": plain_left_out(games, asked),
        }

    return figures


def _cards(group: Row, seats: Sequence[Sat], kind: str, asked: Asked) -> Iterator[Row]:
    for card, its_kind in seats[0].game.kinds.items():
        if its_kind != kind or asked.card not in {None, card}:
            continue
        having = [one for one in seats if card in one.seat.had]
        lacking = [one for one in seats if card not in one.seat.had]
        raw = slope(seats, card, lambda one: one.game.players)
        own = slope(seats, card, lambda one: (one.game.players, one.seat.player))
        low, high = ends(raw.value, raw.half)
        own_low, own_high = ends(own.value, own.half)
        fewest = min(len({one.game.game for one in ones}) for ones in (having, lacking))
        note = f"fewer than {asked.least} games with or without: not ranked" if fewest < asked.least else None
        yield (
            group
            | {"card": card, "rank": 1 if note is None and own.value is not None else None}
            | {"n_with": len(having), "sum_with": _sum(having), "mean_with": _mean(having)}
            | {"n_without": len(lacking), "sum_without": _sum(lacking), "mean_without": _mean(lacking)}
            | {"difference": raw.value, "low": low, "high": high}
            | {"adjusted": own.value, "adjusted_low": own_low, "adjusted_high": own_high, "adjusted_games": own.games}
            | {"won_with": won(having), "won_without": won(lacking), "note": note}
        )


def _sum(seats: Sequence[Sat]) -> int | None:
    return sum(one.seat.total for one in seats) if seats else None


def _mean(seats: Sequence[Sat]) -> float | None:
    return sum(one.seat.total for one in seats) / len(seats) if seats else None


def take_rates(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    chances = grouped(
        ((game.title, game.kinds.get(chance.card), chance.card), (game.game, chance))
        for game in counted(games, asked)
        for chance in game.chances
        if asked.player in {None, game.seats[chance.seat - 1].player} and asked.card in {None, chance.card}
    )
    for (title, kind, card), found in chances.items():
        those = [chance for _, chance in found]
        played = len({game for game, _ in found})
        affordable = [chance for chance in those if chance.affordable]
        k, n = sum(chance.taken for chance in affordable), len(affordable)
        low, high = wilson(k, n)
        prices = [chance.price for chance in those if chance.price is not None]
        paid = [chance.price for chance in those if chance.taken and chance.price is not None]
        rows.append(
            {"title": title, "kind": kind, "card": card, "rank": 1 if played >= asked.least else None, "games": played}
            | {"offered": len(those), "reachable": sum(chance.reachable for chance in those), "affordable": n}
            | {"taken": sum(chance.taken for chance in those), "rate": k / n if n else None, "low": low, "high": high}
            | {"mean_price": fmean(prices) if prices else None, "mean_price_taken": fmean(paid) if paid else None}
            | {"note": thin(played, asked.least, ": not ranked")}
        )
    put_ranks(rows, "rate", lambda row: (row["title"], row["kind"]))
    return {"rates": (("title", "card"), rows), "left-out": plain_left_out(games, asked)}


def seats(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    for (title, players, turn), ones in grouped(
        ((one.game.title, one.game.players, one.seat.turn), one) for one in sat(games, asked)
    ).items():
        edges = [edge(one) for one in ones]
        edge_low, edge_high = ends(fmean(edges), half(edges))
        low, high = wilson(won(ones), len(ones))
        winners = sum(seat.won is True for one in ones for seat in one.game.seats)
        rows.append(
            {"title": title, "players": players, "turn": turn, "seat": f"{turn} of {players}", "n": len(ones)}
            | {"mean": _mean(ones), "edge": fmean(edges), "edge_low": edge_low, "edge_high": edge_high}
            | {"won": won(ones), "win_rate": won(ones) / len(ones), "low": low, "high": high}
            | {"expected": winners / len(ones) / players, "note": thin(len(ones), asked.least)}
        )
    return {"seats": (("title", "players", "turn"), rows), "left-out": plain_left_out(games, asked)}


def curves(games: Sequence[Facts], asked: Asked) -> Figures:
    after: dict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    gained: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for game in counted(games, asked):
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
                | {"points": fmean(points for _, points in found)}
                for key, found in after.items()
            ],
        ),
        "incomes": (
            ("title", "players", "round"),
            [_curve(key, found, "income", asked) for key, found in gained.items()],
        ),
        "left-out": plain_left_out(games, asked),
    }


def _curve(key: tuple[str, int, int], found: Sequence[float], name: str, asked: Asked) -> Row:
    title, players, played = key
    low, high = ends(fmean(found), half(found))
    return (
        {"title": title, "players": players, "line": f"{title}, {players} players", "round": played}
        | {"games": len(found), name: fmean(found), "low": low, "high": high}
        | {"note": thin(len(found), asked.least)}
    )


def openings(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    found = grouped(
        ((one.game.title, _opening(one)), one)
        for one in sat([game for game in games if not game.gaps], asked, asked.player)
    )
    for (title, opening), ones in found.items():
        edges = [edge(one) for one in ones]
        low, high = ends(fmean(edges), half(edges))
        played = len({one.game.game for one in ones})
        rows.append(
            {"title": title, "opening": opening, "rank": 1 if played >= asked.least else None}
            | {"n": len(ones), "games": played, "mean": _mean(ones), "edge": fmean(edges), "low": low, "high": high}
            | {"won": won(ones), "win_rate": won(ones) / len(ones)}
            | {"note": thin(played, asked.least, ": not ranked")}
        )
    put_ranks(rows, "edge", lambda row: row["title"])
    by_title = grouped((row["title"], row) for row in rows)
    most = [
        row
        for those in by_title.values()
        for row in sorted(those, key=lambda row: (row["rank"] or math.inf, -row["n"], row["opening"]))[:MOST_OPENINGS]
    ]

    def why(game: Facts) -> str | None:
        return reason(game, asked) or ("gaps" if game.gaps else None)

    return {"openings": (("title", "opening"), most), "left-out": left_out(games, asked, why)}


def _activations(game: Facts, seat: int | None = None) -> list[Choice]:
    return [
        choice
        for choice in game.choices
        if choice.verb in {"hire", "build", "learn"} and choice.seat and seat in {None, choice.seat}
    ]


def _opening(one: Sat) -> str:
    first = [str(choice.card) for choice in _activations(one.game, one.seat.seat) if choice.round == 1]
    return " › ".join(first) or "(nothing)"


def pace(games: Sequence[Facts], asked: Asked) -> Figures:
    timed = [
        (game, choice)
        for game in counted(games, asked)
        for choice in game.choices
        if choice.seconds is not None and choice.seat
        if asked.player in {None, game.seats[choice.seat - 1].player}
    ]
    players = [
        {"title": title, "player": player} | _paces(found) | {"total": math.fsum(_seconds(found))}
        for (title, player), found in grouped(
            ((game.title, game.seats[choice.seat - 1].player), (game, choice)) for game, choice in timed
        ).items()
    ]
    verbs = [
        {"title": title, "verb": verb, "phase": phase} | _paces(found)
        for (title, verb, phase), found in grouped(
            ((game.title, choice.verb, choice.phase), (game, choice)) for game, choice in timed
        ).items()
    ]
    by_count = []
    for (title, count), found in grouped(
        ((game.title, game.players), game.seconds) for game in counted(games, asked) if game.seconds is not None
    ).items():
        minutes = [seconds / 60 for seconds in found]
        low, high = ends(fmean(minutes), half(minutes))
        by_count.append(
            {"title": title, "players": count, "games": len(found), "minutes": fmean(minutes), "low": low, "high": high}
            | {"shortest": min(minutes), "longest": max(minutes)}
        )

    def why(game: Facts) -> str | None:
        return reason(game, asked) or ("no times" if game.seconds is None else None)

    return {
        "players": (("title", "player"), players),
        "verbs": (("title", "verb", "phase"), verbs),
        "games": (("title", "players"), by_count),
        "left-out": left_out(games, asked, why),
    }


def _seconds(found: Iterable[tuple[Facts, Choice]]) -> list[float]:
    return [float(choice.seconds or 0) for _, choice in found]


def _paces(found: Sequence[tuple[Facts, Choice]]) -> Row:
    seconds = sorted(_seconds(found))
    at = 0.9 * (len(seconds) - 1)
    below = math.floor(at)
    above = min(below + 1, len(seconds) - 1)
    return {
        "games": len({game.game for game, _ in found}),
        "actions": len(found),
        "median": float(median(seconds)),
        "mean": fmean(seconds),
        "ninth_tenth": seconds[below] + (at - below) * (seconds[above] - seconds[below]),
    }


def crowding(games: Sequence[Facts], asked: Asked) -> Figures:
    found = [
        (game, choice)
        for game in counted(games, asked)
        for choice in _activations(game)
        if asked.player in {None, game.seats[choice.seat - 1].player}
    ]
    rounds = [
        {"title": title, "players": players, "line": f"{title}, {players} players", "round": played} | _crowd(those)
        for (title, players, played), those in grouped(
            ((game.title, game.players, choice.round), (game, choice)) for game, choice in found
        ).items()
    ]
    cards = []
    for (title, card), those in grouped(((game.title, choice.card), (game, choice)) for game, choice in found).items():
        row = {"title": title, "card": card} | _crowd(those)
        cards.append(row | {"note": thin(row["games"], asked.least)})
    return {
        "rounds": (("title", "players", "round"), rounds),
        "cards": (("title", "card"), cards),
        "left-out": plain_left_out(games, asked),
    }


def _crowd(found: Sequence[tuple[Facts, Choice]]) -> Row:
    paid = [choice.crowd for _, choice in found]
    return {
        "games": len({game.game for game, _ in found}),
        "activations": len(found),
        "crowded": sum(n > 0 for n in paid) / len(paid),
        "extra": fmean(paid),
        "most": max(paid),
    }


def records(games: Sequence[Facts], asked: Asked) -> Figures:
    rows = []
    for title, ones in grouped((one.game.title, one) for one in sat(games, asked)).items():
        for record, found in _books(ones):
            those = [(figure, one) for figure, one in found if asked.player in {None, one.seat.player}]
            if not those:
                continue
            is_least = record in {"lowest score that won", "lowest score", "smallest margin"}
            figure, best = min(those, key=lambda pair: (pair[0] if is_least else -pair[0], *_by_day(pair[1])))
            rows.append(
                {"title": title, "record": record, "figure": figure, "player": best.seat.player}
                | {"players": best.game.players, "played": best.game.played, "game": best.game.game}
            )
    return {"records": (("title", "record"), rows), "left-out": plain_left_out(games, asked)}


def _by_day(one: Sat) -> tuple[Any, ...]:
    return one.game.played is None, one.game.played or "", one.game.game, one.seat.seat


def _books(ones: Sequence[Sat]) -> Iterator[tuple[str, list[tuple[int, Sat]]]]:
    winners = [one for one in ones if one.seat.won]
    losers = [one for one in ones if not one.seat.won]
    alone = [
        (one.seat.total - max(seat.total for seat in one.game.seats if not seat.won), one)
        for one in winners
        if sum(seat.won is True for seat in one.game.seats) == 1 and len(one.game.seats) > 1
    ]
    learnt = [
        (sum(one.game.kinds.get(card) == "technique" for card in one.seat.had), one) for one in ones
    ]
    yield "highest score", [(one.seat.total, one) for one in ones]
    yield "lowest score that won", [(one.seat.total, one) for one in winners]
    yield "highest score that did not win", [(one.seat.total, one) for one in losers]
    yield "lowest score", [(one.seat.total, one) for one in ones]
    yield "largest margin", alone
    yield "smallest margin", alone
    yield "most points on one table", [(sum(seat.total for seat in one.game.seats), one) for one in winners]
    yield "most techniques", learnt


def player(games: Sequence[Facts], asked: Asked) -> Figures:
    own = sat(games, asked, asked.player)
    everybody = grouped((one.game.title, one) for one in sat(games, asked))
    summary, sources, cards = [], [], []
    for (title, players), ones in grouped(((one.game.title, one.game.players), one) for one in own).items():
        edges = [edge(one) for one in ones]
        low, high = ends(fmean(edges), half(edges))
        expected = math.fsum(sum(seat.won is True for seat in one.game.seats) / players for one in ones)
        totals = [one.seat.total for one in ones]
        summary.append(
            {"title": title, "players": players, "games": len({one.game.game for one in ones}), "won": won(ones)}
            | {"expected": expected, "mean": fmean(totals), "best": max(totals), "worst": min(totals)}
            | {"edge": fmean(edges), "edge_low": low, "edge_high": high}
        )
    for title, ones in grouped((one.game.title, one) for one in own).items():
        all_ = everybody[title]
        for cause in {cause for one in all_ for cause in one.seat.parts}:
            mine, theirs = ([one.seat.parts.get(cause, 0) for one in those] for those in (ones, all_))
            sources.append(
                {"title": title, "cause": cause, "mean": fmean(mine), "everybody": fmean(theirs), "n": len(ones)}
            )
        for card, kind in ones[0].game.kinds.items():
            if kind != "event":
                had, of_all = (sum(card in one.seat.had for one in those) for those in (ones, all_))
                cards.append(
                    {"title": title, "kind": kind, "card": card, "n": had}
                    | {"share": had / len(ones), "everybody": of_all / len(all_)}
                )
    last = sorted(own, key=lambda one: (one.game.game, one.seat.seat))
    last.sort(key=lambda one: one.game.played or "", reverse=True)
    return {
        "summary": (("title", "players"), summary),
        "sources": (("title", "cause"), sources),
        "cards": (("title", "card"), cards),
        "against": (("title", "player"), list(_against(own))),
        "games": (
            ("game", "total"),
            [
                {"title": one.game.title, "played": one.game.played, "players": one.game.players}
                | {"total": one.seat.total, "place": one.seat.place, "won": one.seat.won, "game": one.game.game}
                for one in last[:LAST_GAMES]
            ],
        ),
        "left-out": plain_left_out(games, asked),
    }


def _against(own: Sequence[Sat]) -> Iterator[Row]:
    pairs = [(one, other) for one in own for other in one.game.seats if other.seat != one.seat.seat]
    for (title, name), those in grouped(((one.game.title, other.player), (one, other)) for one, other in pairs).items():
        yield (
            {"title": title, "player": name, "games": len({one.game.game for one, _ in those})}
            | _duels([(one.seat, other) for one, other in those])
            | {"margin": fmean(one.seat.total - other.total for one, other in those)}
        )


def _duels(pairs: Sequence[tuple[SeatFacts, SeatFacts]]) -> Row:
    return {
        "ahead": sum(one.place < other.place for one, other in pairs),
        "level": sum(one.place == other.place for one, other in pairs),
        "behind": sum(one.place > other.place for one, other in pairs),
    }


def twice(game: Facts, *names: str | None) -> bool:
    """Whether one of them, or anybody, has two seats of one table."""
    players = [seat.player for seat in game.seats]
    return any(players.count(name) > 1 for name in (names or players) if name is not None)


def head_to_head(games: Sequence[Facts], asked: Asked) -> Figures:
    names = (asked.player, asked.against)
    duels = []
    for game in counted(games, asked):
        if twice(game, *names):
            continue
        by_name = {seat.player: seat for seat in game.seats}
        if all(name in by_name for name in names) and asked.player != asked.against:
            duels.append((game, *(by_name[str(name)] for name in names)))
    summary = []
    for (title, players), those in grouped(((game.title, game.players), duel) for duel in duels for game in duel[:1]).items():
        margins = [one.total - other.total for _, one, other in those]
        low, high = ends(fmean(margins), half(margins))
        summary.append(
            {"title": title, "players": players, "games": len(those)}
            | _duels([(one, other) for _, one, other in those])
            | {"margin": fmean(margins), "low": low, "high": high, "worst": min(margins), "best": max(margins)}
        )
    rows = []
    for those in grouped((duel[0].title, duel) for duel in duels).values():
        those.sort(key=lambda duel: (duel[0].played is not None, duel[0].played or "", duel[0].game))
        for nth, (game, one, other) in enumerate(those, 1):
            day = f", {game.played}" if game.played is not None else ""
            rows.append(
                {"title": game.title, "label": f"{nth}{day}", "total": one.total, "other_total": other.total}
                | {"margin": one.total - other.total, "place": one.place, "other_place": other.place}
                | {"players": game.players, "game": game.game}
            )

    def why(game: Facts) -> str | None:
        said = reason(game, asked)
        here = {seat.player for seat in game.seats}
        met = len({*names}) == len(names) and {*names} <= here
        return said or ("one of them sat twice" if met and twice(game, *names) else None)

    return {
        "summary": (("title", "players"), summary),
        "games": (("title", "game"), rows),
        "left-out": left_out(games, asked, why),
    }


def ratings(games: Sequence[Facts], asked: Asked) -> Figures:
    rows, course = [], []

    def why(game: Facts) -> str | None:
        said = reason(game, asked)
        if said not in {None, "scores only"}:
            return said
        return "one player" if game.players == 1 else "somebody sat twice" if twice(game) else None

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
        for nth, name in enumerate(order, 1):
            mean, sigma = skill[name].mu, skill[name].sigma
            rows.append(
                {"title": title, "rank": nth, "player": name, "games": played[name], "wins": wins[name]}
                | {"elo": elo[name], "mean": mean, "deviation": sigma, "low": mean - 3 * sigma, "high": mean + 3 * sigma}
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
                | {"played": one.played, "verdict": one.verdict}
                for seat in order
            ],
        ),
        "curve": (
            ("round", "seat"),
            [
                {"round": played, "seat": seat, "player": one.seats[seat - 1].player, "points": points}
                | {"score": score}
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
                dict(zip(("n", "rule", "number", "expected", "found", "about", "status"), row, strict=True)) | {"nth": nth}
                for nth, (_, _, row) in enumerate(sorted(one.findings, key=lambda each: (*each[:2], each[2][1], *each[2][3:5])))
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
