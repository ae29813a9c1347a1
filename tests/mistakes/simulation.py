"""Simulated games with mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from spyrium_log.log.pack import Game
from spyrium_log.play import Play, encode_log, make_scoresheet
from spyrium_log.players import Simulation, parse_policy
from spyrium_log.players.policies import make_dice
from spyrium_log.players.simulation import BY
from tests.games import ALL_TITLES
from tests.mistakes.recorder import Recorder

# One game in so many is only a score sheet.
SCORE_SHEETS = 25


class MistakenGame(NamedTuple):
    """A game as its files hold it, and how often each mistake was made."""

    game: Game
    mistakes: Counter[str]


@dataclass(frozen=True, kw_only=True)
class MistakenSimulation(Simulation):
    """Games in which about `mistakes` of all acts are not simply played and recorded."""

    mistakes: float

    @cached_property
    def identity(self) -> str:
        return f"{super().identity}\n{self.mistakes}"

    def mistaken_game(self, number: int) -> MistakenGame:
        game = self.game_id(number)
        play, seated = self.begin_game(number)
        recorder = Recorder(play, self.mistakes, make_dice(game, "mistakes"), BY)
        dice = make_dice(game, "deal")

        def draw(pool: Sequence[str], count: int) -> list[str]:
            """So many cards, none of which left the deck without the table knowing."""
            left = list(pool)
            for card in recorder.scribe.unseen:
                if card in left and len(left) > count:
                    left.remove(card)
            return dice.sample(left, count)

        for act in self.choose_acts(play, seated, draw):
            recorder.record(act)
        if make_dice(game, "score sheet").randrange(SCORE_SHEETS) == 0:
            return MistakenGame(Game(self._score_sheet(play)), Counter({"score sheet": 1}))
        return MistakenGame(recorder.finish(), recorder.made)

    def make_game(self, number: int) -> Game:
        return self.mistaken_game(number).game

    def _score_sheet(self, play: Play) -> bytes:
        head = play.header
        totals = [score.total for score in self.title.score(play.state)]
        scores = [(seat.player, total) for seat, total in zip(head.seats, totals, strict=True)]
        lines = make_scoresheet(
            self.title, game=head.game, scores=scores, by=BY, options=head.options, sheet=self.sheet
        )
        return encode_log(lines)


def mistaken(
    title: str, *policies: str, mistakes: float, seats: Sequence[int] = (), seed: int = 1, vary_options: bool = False
) -> MistakenSimulation:
    """Games of a title, by these policies, for as many seats as it allows unless `seats` says otherwise."""
    door = ALL_TITLES[title]
    return MistakenSimulation(
        title=door,
        seed=seed,
        policies=tuple(map(parse_policy, policies)),
        seats=tuple(seats or door.seats),
        options=door.options(),
        vary_options=vary_options,
        sheet=door.sheet(),
        mistakes=mistakes,
    )
