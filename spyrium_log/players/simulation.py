"""Whole games as logs: who sits where, who deals, what is written. Everything follows from the run's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, get_args

from msgspec import convert, structs, to_builtins

from spyrium_log.errors import PolicyError
from spyrium_log.header import header
from spyrium_log.log.lines import AnyHeader
from spyrium_log.log.pack import Game
from spyrium_log.play import Play, bytes_of, scoresheet
from spyrium_log.players.chance import chance, dealing
from spyrium_log.players.mistakes import Evening
from spyrium_log.players.policies import Policy
from spyrium_log.sheet import Sheet
from spyrium_log.title import Abandoned, AnyTitle, FinalCount, Options

BY = "simulated"
# With mistakes, of so many evenings one left nothing but a score sheet.
ONE_SHEET_IN = 25


class Made(NamedTuple):
    """A game as its files would hold it, and which mistakes were made how often."""

    game: Game
    mistakes: Counter[str]


@dataclass(frozen=True, kw_only=True)
class Run:
    """Games that are made alike. Who asks with the same words gets the same bytes, whichever game he asks for first.

    `mistakes`: how often a decision is not simply played and written down. `varied`: each game reads the rules in its
    own way, the options that are said apart.
    """

    title: AnyTitle
    seed: int
    policies: Sequence[Policy]
    seats: Sequence[int]
    options: Options
    said: frozenset[str] = frozenset()
    edition: str | None = None
    varied: bool = False
    sheet: Sheet
    mistakes: float = 0.0

    def __post_init__(self) -> None:
        few, many = self.title.seats[0], self.title.seats[-1]
        wrong = [seats for seats in self.seats if seats not in self.title.seats]
        if wrong or not self.seats:
            raise PolicyError(f"expected {few} to {many} players, found {wrong[0] if wrong else 'none'}")
        if not self.policies:
            raise PolicyError("expected a policy, found none")
        if not 0 <= self.mistakes <= 1:
            raise PolicyError(f"expected mistakes from 0 to 1 a decision, found {self.mistakes}")

    @cached_property
    def words(self) -> str:
        """All that makes the games what they are."""
        policies = ",".join(each.spec for each in self.policies)
        seats = ",".join(map(str, self.seats))
        options = sorted(to_builtins(self.options).items())
        said = (self.title.key, self.title.rules_version, self.seed, policies, seats, options, sorted(self.said))
        return "\n".join(map(str, (*said, self.edition, self.varied, self.sheet.digest(), self.mistakes)))

    def id_of(self, number: int) -> str:
        """The id of one game, in the shape of any other, without a time (UUIDv8): games sort as they are numbered."""
        said = sha256(f"{self.words}\n{number}".encode()).hexdigest()
        begins = f"{number:012x}"
        return f"{begins[:8]}-{begins[8:]}-8{said[:3]}-{'89ab'[int(said[3], 16) % 4]}{said[4:7]}-{said[7:19]}"

    def made(self, number: int) -> Made:
        """One whole game."""
        game = self.id_of(number)
        head, seated = self.header(number)
        table = Play.begin(self.title, head)
        evening = Evening(table, self.mistakes, chance(game, "mistakes"), BY)
        for act in self._acts(table, seated, evening.scribe.hidden):
            evening.record(act)
        if self.mistakes and chance(game, "score sheet").randrange(ONE_SHEET_IN) == 0:
            return Made(Game(self._score_sheet(table)), Counter({"score sheet": 1}))
        return Made(evening.finish(), evening.made)

    def header(self, number: int) -> tuple[AnyHeader, Sequence[Policy]]:
        """The first line of a game, and who sits there.

        Policies move on by a seat from game to game, and who begins only after each of them sat everywhere.
        """
        game = self.id_of(number)
        turn, at = divmod(number, len(self.seats))
        seats = self.seats[at]
        policies = self.policies
        seated = [policies[(seat + turn) % len(policies)] for seat in range(seats)]
        head = header(
            self.title,
            game=game,
            players=_named(seated),
            first=turn // len(policies) % seats + 1,
            by=BY,
            options=self._options(game),
            # where each game draws its own readings, they are nobody's edition
            edition=None if self.varied else self.edition,
            sheet=self.sheet,
            source="simulated",
        )
        return head, seated

    def _options(self, game: str) -> Options:
        if not self.varied:
            return self.options
        dice = chance(game, "options")
        read = {}
        for field in structs.fields(self.options):
            is_said = field.encode_name in self.said
            value = getattr(self.options, field.name) if is_said else dice.choice(get_args(field.type))
            # on the wire a default is left out only where it is the very same string
            if value != field.default:
                read[field.encode_name] = value
        return convert(read, type(self.options))

    def _acts(self, table: Play, seated: Sequence[Policy], hidden: Sequence[str]) -> Iterator[Any]:
        """What the players choose and the table deals, each on the table as it then is."""
        game = table.header.game
        draw = dealing(chance(game, "deal"), hidden)
        hands = [chance(game, "seat", seat) for seat in range(len(seated))]
        while (awaited := table.awaits()).kind != "over":
            if awaited.kind == "deal":
                yield self.title.deal(table.state, draw)
            elif awaited.kind == "final":
                yield FinalCount()
            else:
                seat = awaited.seat - 1
                act = seated[seat].choose(self.title, table.state, hands[seat])
                # after mistakes, a table may wait for what nobody can do
                yield Abandoned(why="nobody could go on") if act is None else act

    def _score_sheet(self, table: Play) -> bytes:
        head = table.header
        totals = [score.total for score in self.title.score(table.state)]
        scores = [(seat.player, total) for seat, total in zip(head.seats, totals, strict=True)]
        lines = scoresheet(self.title, game=head.game, scores=scores, by=BY, options=head.options, sheet=self.sheet)
        return bytes_of(lines)


def _named(seated: Sequence[Policy]) -> list[str]:
    """Each player by the policy, numbered where several choose alike."""
    names = [each.name for each in seated]
    return [
        name if names.count(name) == 1 else f"{name}-{names[: at + 1].count(name)}" for at, name in enumerate(names)
    ]
