"""How strong players are, after games in the order they were played: Elo for several players, and Plackett-Luce.

Elo counts a game of k as a duel with each of the others, every duel worth a (k - 1)th of a game, so that a game of five
moves nobody further than a game of two. Plackett-Luce (openskill) also knows how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from msgspec import Struct, structs
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
        """Before the first game: nobody has a rating."""
        self._model = PlackettLuce()
        self._standings: dict[str, _Standing] = {}
        self.games = 0
        self.course: list[Course] = []

    def add(self, placed: Placed) -> None:
        """Rate one game. Games of one player, or with one person on two seats, are not rated."""
        if len(placed) < 2 or len({player for player, _ in placed}) < len(placed):  # noqa: PLR2004 (two make a game)
            return
        self.games += 1
        for player, _ in placed:
            if player not in self._standings:
                self._standings[player] = _Standing(self._model.rating())
        standings = [self._standings[player] for player, _ in placed]
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
                games=standing.games,
                wins=standing.wins,
                elo=standing.elo,
                mean=standing.skill.mu,
                deviation=standing.skill.sigma,
                low=standing.skill.mu - CAUTION * standing.skill.sigma,
                high=standing.skill.mu + CAUTION * standing.skill.sigma,
            )
            for player, standing in self._standings.items()
        ]
        return sorted(ratings, key=lambda rating: (-rating.low, rating.player))


class _Standing(Struct):
    """A player after the games so far."""

    skill: PlackettLuceRating
    elo: float = START
    games: int = 0
    wins: int = 0


def elo_after(elos: Sequence[float], places: Sequence[int]) -> list[float]:
    """The Elo of each player after one game: the old one, and what each did better than expected in the duels."""
    players = list(zip(elos, places, strict=True))
    new_elos = []
    for index, (elo, place) in enumerate(players):
        opponents = players[:index] + players[index + 1 :]
        gains = [
            duel_share(place, other_place) - expected_share(elo, other_elo) for other_elo, other_place in opponents
        ]
        new_elos.append(elo + STEP / len(opponents) * sum(gains))
    return new_elos


def duel_share(place: int, other: int) -> float:
    """What a duel counts for this place against another one: 1 for the better one, a half for the same, else 0."""
    return ((place < other) + (place <= other)) / 2


def expected_share(elo: float, other: float) -> float:
    """The share of a duel that somebody of this Elo can expect against the `other`: 0.5 against an equal."""
    return 1 / (1 + 10 ** ((other - elo) / TENFOLD))


def rate_games(games: Iterable[Placed]) -> Ratings:
    """The ratings after these games, one after the other."""
    ratings = Ratings()
    for placed in games:
        ratings.add(placed)
    return ratings


# More lines than nine are no picture of a course.
MOST_COURSES = 9


# The ratings of each title.
Rated: TypeAlias = Sequence[tuple[str, Ratings]]


def rate_titles(seats: Answer) -> Rated:
    """Rate each title by itself, from rows of title, game, player and place in the order they were played."""
    rated = []
    for title, rows_of_title in groupby(seats.rows, key=itemgetter(0)):
        games = ([(row[2], row[3]) for row in rows] for _, rows in groupby(rows_of_title, key=itemgetter(1)))
        rated.append((title, rate_games(games)))
    return rated


def make_ratings_table(titles: Rated, options: Mapping[str, Any]) -> Answer:
    """The ratings after all games; players of few games are listed, not ranked."""
    least = options["least"]
    note = f"fewer than {least} games: not ranked"
    rows: list[tuple[Any, ...]] = []
    for title, ratings in titles:
        standings = ratings.standings()
        ranked = [rating for rating in standings if rating.games >= least]
        rows += [(title, rank, *structs.astuple(rating), None) for rank, rating in enumerate(ranked, 1)]
        rows += [(title, None, *structs.astuple(rating), note) for rating in standings if rating.games < least]
    return Answer(("title", "rank", *Rating.__struct_fields__, "note"), rows)


def make_course_table(titles: Rated, _options: Mapping[str, Any]) -> Answer:
    """The ratings after each game, of the players with the most games. No option changes that."""
    rows = []
    for title, ratings in titles:
        most = sorted(ratings.standings(), key=lambda rating: (-rating.games, rating.player))[:MOST_COURSES]
        drawn = {rating.player for rating in most}
        rows += [
            (title, step.player, step.game, step.elo, step.mean) for step in ratings.course if step.player in drawn
        ]
    return Answer(("title", "player", "game_number", "elo", "mean"), rows)
