"""Whole games by simulated players. Everything in them follows from the arguments of the simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import get_args

from msgspec import convert, structs, to_builtins

from spyrium_log.errors import PolicyError
from spyrium_log.log.pack import Game
from spyrium_log.play import Play
from spyrium_log.players.policies import AnyAct, Policy, make_dice
from spyrium_log.sheet import Sheet
from spyrium_log.title import NOTHING, Abandoned, AnyTitle, Draw, FinalCount, Options

BY = "simulated"
# A game that is longer than any real one is abandoned: by chance alone some titles never end.
MOST_EVENTS = 1_000


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """Games that are made alike. Same arguments and number, same bytes, in whichever order the games are made.

    With `vary_options` each game draws its own options, except those named in `fixed_options`.
    """

    title: AnyTitle
    seed: int
    policies: Sequence[Policy]
    seats: Sequence[int]
    options: Options
    fixed_options: frozenset[str] = frozenset()
    edition: str | None = None
    vary_options: bool = False
    sheet: Sheet

    def __post_init__(self) -> None:
        """Refuse numbers of players that the title does not allow, and a game without policies."""
        few, many = self.title.seats[0], self.title.seats[-1]
        if not self.seats:
            raise PolicyError("no-players", least=few, most=many)
        for seats in self.seats:
            if seats not in self.title.seats:
                raise PolicyError("player-count", least=few, most=many, found=seats)
        if not self.policies:
            raise PolicyError("no-policy")

    @cached_property
    def identity(self) -> str:
        """All arguments as text: the ids of the games are made of it, so that other arguments make other games."""
        title = self.title
        policies = ",".join(policy.spec for policy in self.policies)
        seats = ",".join(map(str, self.seats))
        options = sorted(to_builtins(self.options).items())
        made_by = (title.key, title.rules_version, self.seed, policies, seats)
        played_by = (options, sorted(self.fixed_options), self.edition, self.vary_options, self.sheet.digest())
        return "\n".join(map(str, (*made_by, *played_by)))

    def game_id(self, number: int) -> str:
        """The id of one game: a UUIDv8, so without a time; ids sort as the games are numbered."""
        digits = sha256(f"{self.identity}\n{number}".encode()).hexdigest()
        start = f"{number:012x}"
        # what a UUIDv8 must have: an 8 for the version, one of these for the variant
        variant = "89ab"[int(digits[3], 16) % 4]
        return f"{start[:8]}-{start[8:]}-8{digits[:3]}-{variant}{digits[4:7]}-{digits[7:19]}"

    def make_game(self, number: int) -> Game:
        """One whole game by its number, as its files hold it."""
        play, seated = self.begin_game(number)
        for act in self.choose_acts(play, seated, make_dice(play.header.game, "deal").sample):
            effects = self.title.effects(play.state, act) or NOTHING
            play.append(play.make_event_line(act, effects, by=BY))
        return Game(play.encode())

    def begin_game(self, number: int) -> tuple[Play, Sequence[Policy]]:
        """A game that has begun, and the policy of each seat; policies and first seat move on from game to game."""
        game = self.game_id(number)
        shift, index = divmod(number, len(self.seats))
        seats = self.seats[index]
        policies = self.policies
        seated = [policies[(seat + shift) % len(policies)] for seat in range(seats)]
        play = Play.new(
            self.title,
            game=game,
            players=_number_names(seated),
            # the next seat begins once each policy has sat on every seat
            first=shift // len(policies) % seats + 1,
            by=BY,
            options=self._draw_options(game),
            # varied options are no edition's
            edition=None if self.vary_options else self.edition,
            sheet=self.sheet,
            source="simulated",
        )
        return play, seated

    def _draw_options(self, game: str) -> Options:
        """The options of one game; if they vary, drawn by its own dice."""
        if not self.vary_options:
            return self.options
        dice = make_dice(game, "options")
        drawn = {}
        for field in structs.fields(self.options):
            is_fixed = field.encode_name in self.fixed_options
            value = getattr(self.options, field.name) if is_fixed else dice.choice(get_args(field.type))
            # a default is left out of the bytes only where it is the very same string
            if value != field.default:
                drawn[field.encode_name] = value
        return convert(drawn, type(self.options))

    def choose_acts(self, play: Play, seated: Sequence[Policy], draw: Draw) -> Iterator[AnyAct]:
        """The acts of one game, each on the table as it then is; `draw` takes cards from the decks."""
        dice = [make_dice(play.header.game, "seat", seat) for seat in range(len(seated))]
        while (awaited := play.awaits()).kind != "over":
            if len(play.log.lines) > MOST_EVENTS:
                yield Abandoned(why="it went on for ever")
            elif awaited.kind == "deal":
                yield self.title.deal(play.state, draw)
            elif awaited.kind == "final":
                yield FinalCount()
            else:
                index = awaited.seat - 1
                act = seated[index].choose(self.title, play.state, dice[index])
                # a log with mistakes may wait for what nobody can do
                yield Abandoned(why="nobody could go on") if act is None else act


def _number_names(seated: Sequence[Policy]) -> list[str]:
    """Names for the seats: each policy's, numbered where several seats have the same, as `greedy-2`."""
    names = [policy.name for policy in seated]
    return [
        name if names.count(name) == 1 else f"{name}-{names[: index + 1].count(name)}"
        for index, name in enumerate(names)
    ]
