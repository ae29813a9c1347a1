"""How strong players are, after games in the order they were played: Elo for several players, and Plackett-Luce.

Elo counts a game of k as a duel with each of the others, every duel worth a (k - 1)th of a game, so that a game of five
moves nobody further than a game of two. Plackett-Luce (openskill) also knows how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from spyrium_log.readmodel.answers import Answer

START = 1500.0
# The most that one game can move a rating, and the distance at which ten to one is expected.
STEP = 32.0
TENFOLD = 400.0
# openskill's usual caution: so many standard deviations below the mean, only one in a thousand is weaker.
CAUTION = 3.0

# The players of one game with the place of each; ties share one.
Placed: TypeAlias = Sequence[tuple[str, int]]


class Rating(Struct, frozen=True, kw_only=True):
    """A player after all games. `low` and `high` are `CAUTION` deviations away from `mean`: `low` is what is sure."""

    player: str
    games: int
    wins: int
    elo: float
    mean: float
    deviation: float
    low: float
    high: float


class Course(Struct, frozen=True, kw_only=True):
    """The rating of a player after one game."""

    game: int
    player: str
    elo: float
    mean: float
    deviation: float


class Ratings:
    """The ratings after each game; `add` takes games in the order they were played."""

    __slots__ = ("_model", "_standings", "course", "games")

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._standings: dict[str, _Standing] = {}
        self.games = 0
        self.course: list[Course] = []

    def add(self, placed: Placed) -> None:
        """Rate one game. Games of one player, or with one person on two seats, are not rated."""
        if len(placed) < 2 or len({player for player, _ in placed}) < len(placed):  # noqa: PLR2004 (two make a game)
            return
        self.games += 1
        standings = [self._standing(player) for player, _ in placed]
        places = [place for _, place in placed]
        best = min(places)
        elos = elo_after([standing.elo for standing in standings], places)
        skills = self._model.rate(
            [[standing.skill] for standing in standings], ranks=[float(place) for place in places]
        )
        for (player, place), standing, elo, (skill,) in zip(placed, standings, elos, skills, strict=True):
            standing.games += 1
            standing.wins += place == best
            standing.elo = elo
            standing.skill = skill
            self.course.append(Course(game=self.games, player=player, elo=elo, mean=skill.mu, deviation=skill.sigma))

    def standings(self) -> list[Rating]:
        """All players, the highest `low` first."""
        ratings = [
            Rating(
                player=player,
                games=one.games,
                wins=one.wins,
                elo=one.elo,
                mean=one.skill.mu,
                deviation=one.skill.sigma,
                low=one.skill.mu - CAUTION * one.skill.sigma,
                high=one.skill.mu + CAUTION * one.skill.sigma,
            )
            for player, one in self._standings.items()
        ]
        return sorted(ratings, key=lambda rating: (-rating.low, rating.player))

    def _standing(self, player: str) -> _Standing:
        """The standing of a player, a new one at first sight."""
        if player not in self._standings:
            self._standings[player] = _Standing(self._model.rating())
        return self._standings[player]


class _Standing:
    __slots__ = ("elo", "games", "skill", "wins")

    def __init__(self, skill: PlackettLuceRating) -> None:
        self.elo, self.skill, self.games, self.wins = START, skill, 0, 0


def elo_after(elos: Sequence[float], places: Sequence[int]) -> list[float]:
    """The Elo of each player after one game: the old one, and what each did better than expected."""
    duels = len(elos) - 1
    return [
        elo
        + STEP
        / duels
        * sum(
            _duel_result(place, other_place) - expected_share(elo, other)
            for j, (other, other_place) in enumerate(zip(elos, places, strict=True))
            if j != i
        )
        for i, (elo, place) in enumerate(zip(elos, places, strict=True))
    ]


def expected_share(elo: float, other: float) -> float:
    """The expected share of a duel for `elo` against `other`."""
    return 1 / (1 + 10 ** ((other - elo) / TENFOLD))


def rate_games(games: Iterable[Placed]) -> Ratings:
    """All games, one after the other."""
    ratings = Ratings()
    for placed in games:
        ratings.add(placed)
    return ratings


def _duel_result(place: int, other: int) -> float:
    """1 for the better place, 0.5 for the same, 0 for the worse."""
    return 1.0 if place < other else 0.5 if place == other else 0.0


# --- tables ----------------------------------------------------------------------------------------

# More lines than nine are no picture of a course.
MOST_COURSES = 9


# The ratings of each title.
Rated: TypeAlias = Sequence[tuple[str, Ratings]]


def rated_by_title(seats: Answer) -> Rated:
    """From rows that begin with title, game, player and place, in the order they were played: each title by itself."""
    return list(_rate_titles(seats))


def ratings_table(titles: Rated, options: Mapping[str, Any]) -> Answer:
    """The ratings after all games; players of few games are listed, not ranked."""
    rows = [row for title, ratings in titles for row in _ranked_rows(title, ratings.standings(), options["least"])]
    return Answer(("title", "rank", *Rating.__struct_fields__, "note"), rows)


def _ranked_rows(title: str, ratings: Sequence[Rating], least: int) -> Iterator[tuple[Any, ...]]:
    """Those with enough games by rank, then the others with a note."""
    often = [rating for rating in ratings if rating.games >= least]
    yield from ((title, rank, *_rating_values(rating), None) for rank, rating in enumerate(often, 1))
    note = f"fewer than {least} games: not ranked"
    yield from ((title, None, *_rating_values(rating), note) for rating in ratings if rating.games < least)


def course_table(titles: Rated, _options: Mapping[str, Any]) -> Answer:
    """The ratings after each game, of the players with the most games."""
    rows = []
    for title, ratings in titles:
        most = sorted(ratings.standings(), key=lambda rating: (-rating.games, rating.player))[:MOST_COURSES]
        drawn = {rating.player for rating in most}
        rows += [(title, one.player, one.game, one.elo, one.mean) for one in ratings.course if one.player in drawn]
    return Answer(("title", "player", "game_number", "elo", "mean"), rows)


def _rate_titles(seats: Answer) -> Iterator[tuple[str, Ratings]]:
    """The ratings of each title; the rows of a title and of a game follow each other."""
    for title, of_title in groupby(seats.rows, key=itemgetter(0)):
        games = ([(row[2], row[3]) for row in rows] for _, rows in groupby(of_title, key=itemgetter(1)))
        yield title, rate_games(games)


def _rating_values(rating: Rating) -> Iterator[Any]:
    """The fields of a rating in the order of its columns."""
    return (getattr(rating, name) for name in Rating.__struct_fields__)
