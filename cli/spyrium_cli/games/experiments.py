"""Many games under other readings of the rules, or another sheet: what would have come of the same decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from spyrium_log.edit.experiment import Experiment
    from spyrium_log.replay import Replay
    from spyrium_log.sheet import Sheet
    from spyrium_log.store import FoundGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the games are replayed with: options of any title, a sheet of the one named."""

    options: Mapping[str, str] = field(default_factory=dict)
    sheet: Sheet | None = None
    title: str = ""


# Scores and places of a seat as the game was played, and as it would have been.
class SeatOutcome(Struct, frozen=True, kw_only=True):
    seat: int
    player: str
    before: int
    after: int
    place_before: int
    place_after: int


# A rule that an event would have broken, with its number in the rules.
class Broken(Struct, frozen=True, kw_only=True):
    event: str
    rule: str
    number: str


class Outcome(Struct, frozen=True, kw_only=True):
    """One game before and after.

    `breaks`: rules that the same decisions would have broken. `came`, `went`: how many findings on the game as it was
    played. `rests_on`: printed values that differ and mattered in this game. `unjudged`: why the scores cannot be
    compared (`scoresheet`, `unfinished`, `gaps`, `unseen`). `gains_win`, `loses_win`, `keeps_win`: seats.
    """

    file: str
    game: str
    played: str | None
    is_over: bool
    unjudged: str | None
    scores: list[SeatOutcome]
    changes_scores: bool
    changes_winners: bool
    gains_win: list[int]
    loses_win: list[int]
    keeps_win: list[int]
    breaks: list[Broken]
    came: int
    went: int
    rests_on: list[str]
    is_otherwise: bool


# A file that could not be read, and why.
class Unread(Struct, frozen=True, kw_only=True):
    file: str
    unusable: str


@dataclass(slots=True)
class Tally:
    """Counts games. `reads_all`: also those whose scores cannot be compared, for what the audit says of them."""

    reads_all: bool = False
    games: int = 0
    other_titles: int = 0
    otherwise: int = 0
    scores: int = 0
    winners: int = 0
    broken: int = 0
    unread: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)

    def count(self, outcome: Outcome) -> bool:
        """Count a game. Returns whether it is worth listing."""
        if outcome.unjudged is not None:
            self.unjudged[outcome.unjudged] += 1
            if not self.reads_all:
                return False
        self.games += 1
        self.otherwise += outcome.is_otherwise
        self.scores += outcome.changes_scores
        self.winners += outcome.changes_winners
        self.broken += bool(outcome.breaks)
        changes = outcome.changes_scores or outcome.changes_winners or bool(outcome.breaks)
        return changes or (self.reads_all and outcome.is_otherwise)

    def summary(self, language: str) -> str:
        """`120 games tried: 12 with other scores, 3 with another winner; 2 would have broken a rule`."""
        from spyrium_cli.render.text import count_text, translate

        parts = [translate("whatif.otherwise", language, n=self.otherwise)] if self.reads_all else []
        parts.append(translate("whatif.outcomes", language, scores=self.scores, winners=self.winners))
        if self.broken:
            parts.append(translate("whatif.broken", language, n=self.broken))
        if self.other_titles:
            parts.append(translate("whatif.others", language, games=count_text(self.other_titles, "game", language)))
        if self.unread:
            parts.append(translate("whatif.unread", language, n=self.unread))
        if self.unjudged:
            reasons = (
                translate(f"whatif.because-{reason}", language, n=n) for reason, n in sorted(self.unjudged.items())
            )
            parts.append(translate("whatif.unjudged", language, n=self.unjudged.total(), reasons=", ".join(reasons)))
        return translate(
            "whatif.tried", language, games=count_text(self.games, "game", language), what="; ".join(parts)
        )


def outcomes(games: Iterable[FoundGame], trial: Trial, tally: Tally) -> Iterator[Outcome | Unread]:
    """The outcomes worth listing; a game that cannot be read is reported and stays in the list."""
    from spyrium_cli.complaint import complaint_of, warn_left_out
    from spyrium_log.errors import SpyriumLogError

    for game in games:
        try:
            outcome = _try_game(game, trial)
        except (SpyriumLogError, OSError) as error:
            tally.unread += 1
            unread = Unread(file=game.name, unusable=complaint_of(error).message)
            warn_left_out(unread.file, unread.unusable)
            yield unread
            continue
        if outcome is None:
            tally.other_titles += 1
        elif tally.count(outcome):
            yield outcome


def _try_game(game: FoundGame, trial: Trial) -> Outcome | None:
    """What would have come of a game; None if its title has neither the options nor the sheet. A log may end early."""
    from spyrium_cli.settings.readings import changed_options
    from spyrium_log.edit.experiment import run_experiment
    from spyrium_log.replay import replay

    log = game.log()
    if log.complaint is not None and not (log.damage and log.damage.is_mendable):
        raise log.complaint
    options = changed_options(log.title, log.header.options, trial.options)
    sheet = trial.sheet if log.title.key == trial.title else None
    if options is None and sheet is None:
        return None
    return _outcome_of(game.name, replay(log, audit=False), run_experiment(log, options=options, sheet=sheet))


def _outcome_of(file: str, game: Replay, result: Experiment) -> Outcome:
    """The outcome of one game, from its replay and the experiment with it."""
    return Outcome(
        file=file,
        game=result.game,
        played=game.header.played,
        is_over=result.is_over,
        unjudged=result.unjudged,
        scores=[
            SeatOutcome(
                seat=before.seat,
                player=player,
                before=before.total,
                after=after.total,
                place_before=before.place,
                place_after=after.place,
            )
            for player, before, after in zip(game.players, result.before, result.after, strict=True)
        ],
        changes_scores=result.changes_scores,
        changes_winners=result.changes_winners,
        gains_win=list(result.wins.gained),
        loses_win=list(result.wins.lost),
        keeps_win=list(result.wins.kept),
        breaks=[Broken(event=breach.ref, rule=breach.rule, number=breach.number) for breach in result.breaches],
        came=len(result.came),
        went=len(result.went),
        rests_on=[f"{value.of} {value.what}" for value in result.rests_on],
        is_otherwise=not result.is_without_effect,
    )
