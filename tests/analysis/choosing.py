"""Which games and seats a report asks about, and its statistics, in plain Python."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from statistics import fmean, stdev
from typing import Any, NamedTuple, TypeAlias

from tests.analysis import test_reports
from tests.analysis.facts import Facts, SeatFacts

Row: TypeAlias = dict[str, Any]
# Which columns name a row, and the rows.
Table: TypeAlias = tuple[tuple[str, ...], list[Row]]
Figures: TypeAlias = dict[str, Table]

MOST_NAMED = 20
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
    source: str = "real"
    repeated: bool = False
    least: int = 10
    game: str | None = None
    as_recorded: bool = False


class Sat(NamedTuple):
    """A seat with its game."""

    game: Facts
    seat: SeatFacts


t975 = cache(test_reports.t975)


def half(values: Sequence[float]) -> float | None:
    n = len(values)
    return t975(n - 1) * stdev(values) / math.sqrt(n) if n > 1 else None


def half_by_game(values: Iterable[tuple[str, float]]) -> float | None:
    """Of a mean over rows, each with its game: what the rows of a game pull together counts once."""
    rows = list(values)
    mean = fmean(value for _, value in rows)
    pulls = [math.fsum(value - mean for value in those) for those in grouped(rows).values()]
    games = len(pulls)
    if games < 2:
        return None
    return t975(games - 1) * math.sqrt(math.fsum(pull * pull for pull in pulls) * games / (games - 1)) / len(rows)


def ends(middle: float | None, width: float | None) -> tuple[End | None, End | None]:
    if middle is None or width is None:
        return None, None
    return End(middle - width, width), End(middle + width, width)


def rate_ends(rows: Iterable[tuple[str, bool]]) -> tuple[float | None, float | None]:
    """Wilson's interval of rows, each with its game, that say as much as fewer rows which are independent."""
    found = list(rows)
    k, n = sum(is_so for _, is_so in found), len(found)
    if not n:
        return None, None
    by_game = grouped(found)
    games = len(by_game)
    pulls = math.fsum((sum(those) - len(those) * k / n) ** 2 for those in by_game.values())
    worth: float = games
    if games > 1 and 0 < k < n and pulls > 0:
        worth = n * min(1.0, k * (n - k) / n / (pulls * games / (games - 1)))
    return test_reports.wilson(k / n * worth, worth)


def standing_out(rows: Sequence[Row], chances: Sequence[float | None]) -> None:
    """Benjamini and Hochberg over the rows that are ranked, each with how often chance alone makes it so far from 0."""
    ranked = [(chance, row) for row, chance in zip(rows, chances, strict=True) if row["note"] is None]
    known = sorted(chance for chance, _ in ranked if chance is not None)
    passed = [chance for nth, chance in enumerate(known, 1) if chance <= 0.05 * nth / len(ranked)]
    bar = max(passed, default=-1.0)
    for row in rows:
        row["stands_out"] = None
    for chance, row in ranked:
        row["stands_out"] = chance is not None and chance <= bar


def chance_of(slope: float | None, width: float | None, few: int) -> float | None:
    """Both tails of Student's t, by Simpson's rule."""
    if slope is None or not width or few < 2:
        return None
    return test_reports.tails(abs(slope) / width * t975(few - 1), few - 1)


def wilson(k: int, n: int) -> tuple[float | None, float | None]:
    return test_reports.wilson(k, n) if n else (None, None)


# --- which games count ---------------------------------------------------------------------------


def reason(game: Facts, asked: Asked, aspect: str) -> str | None:
    """Why a game does not count for this; where scores are all that is asked, more do, but nobody calls them exact."""
    scores = aspect == "scores"
    if asked.source == "real" and game.source == "simulated":
        return "simulated"
    if game.played is None and (asked.since or asked.until):
        return "no day"
    if game.verdict == "unusable":
        return "cannot be read to its end"
    if game.invented and asked.grade != "invented":
        return "invented set"
    if game.scores_only:
        if not scores or asked.grade == "exact":
            return "scores only"
        return "counted already" if game.repeats and not asked.repeated else None
    if not game.final:
        return "no final count"
    rests_on = {"seats": {"scores"}, "cards": {"scores", "cards"}, "openings": {"scores", "openings"}}
    touched = rests_on.get(aspect, {aspect}) & game.touched or asked.grade == "exact"
    if game.open_findings and asked.grade != "open" and touched:
        return "open findings"
    if game.gaps and not (scores and asked.grade != "exact"):
        return "gaps"
    if asked.grade == "exact":
        for name, why in (("rulings", "rulings"), ("unseen", "cards nobody saw")):
            if getattr(game, name):
                return why
    return None


def within(game: Facts, asked: Asked) -> bool:
    """A day that is said as a year or month holds all of its days."""
    return (
        asked.source in {"real", game.source}
        and asked.title in {None, game.title}
        and asked.players in {None, game.players}
        and (asked.since is None or game.played is None or game.played >= asked.since)
        and (asked.until is None or game.played is None or game.played[: len(asked.until)] <= asked.until)
    )


def counted(games: Iterable[Facts], asked: Asked, aspect: str) -> list[Facts]:
    return [game for game in games if within(game, asked) and reason(game, asked, aspect) is None]


def sat(games: Iterable[Facts], asked: Asked, aspect: str, player: str | None = None) -> list[Sat]:
    return [
        Sat(game, seat)
        for game in counted(games, asked, aspect)
        for seat in game.seats
        if player is None or seat.player == player
    ]


def left_out(games: Iterable[Facts], asked: Asked, why: Callable[[Facts], str | None]) -> Table:
    named = grouped(
        ((game.title, game.players, said), game) for game in games if within(game, asked) if (said := why(game))
    )
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


def sum_of(seats: Sequence[Sat]) -> int | None:
    return sum(one.seat.total for one in seats) if seats else None


def mean_of(seats: Sequence[Sat]) -> float | None:
    return sum(one.seat.total for one in seats) / len(seats) if seats else None


def plain_left_out(games: Sequence[Facts], asked: Asked, aspect: str) -> Table:
    return left_out(at_the_table(games, asked.player), asked, lambda game: reason(game, asked, aspect))


def left_out_in_part(games: Sequence[Facts], asked: Asked, aspect: str) -> Table:
    """Of a report that asks scores and more."""

    def counts(game: Facts) -> str:
        return "not" if reason(game, asked, "scores") else "for scores"

    rows = []
    here = at_the_table(games, asked.player)
    for how, those in grouped((counts(game), game) for game in here).items():
        _, found = left_out(those, asked, lambda game: reason(game, asked, aspect))
        rows += [row | {"counts": how} for row in found]
    return ("title", "players", "reason", "counts"), rows


def at_the_table(games: Iterable[Facts], *names: str | None) -> list[Facts]:
    """Where all of them sat; None is nobody in particular."""
    wanted = {name for name in names if name is not None}
    return [game for game in games if wanted <= {seat.player for seat in game.seats}]


def twice(game: Facts, *names: str | None) -> bool:
    """Whether one of them, or anybody, has two seats of one table."""
    players = [seat.player for seat in game.seats]
    return any(players.count(name) > 1 for name in (names or players) if name is not None)
