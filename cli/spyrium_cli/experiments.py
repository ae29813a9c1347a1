"""One question to many games: what would be otherwise with other readings of the rules, or another sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from spyrium_cli.complaint import UNUSABLE

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.edit.experiment import Experiment
    from spyrium_log.replay import Replay
    from spyrium_log.sheet import Sheet
    from spyrium_log.store import Found

COLUMNS = ("file", "game", "played", "is_over", "seat", "player", "before", "after", "place_before", "place_after")
MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the games are read with. The sheet is one of the title's."""

    options: Mapping[str, str] = field(default_factory=dict)
    sheet: Sheet | None = None
    title: str = ""


class SeatOutcome(Struct, frozen=True, kw_only=True):
    seat: int
    player: str
    before: int
    after: int
    place_before: int
    place_after: int


class Broken(Struct, frozen=True, kw_only=True):
    event: str
    rule: str
    number: str


class Outcome(Struct, frozen=True, kw_only=True):
    """One game either way.

    `breaks`: rules that the same decisions would have broken. `came`, `went`: findings on the game as it was played.
    `rests_on`: printed values that are others, and had a say in this game.
    """

    file: str
    game: str
    played: str | None
    is_over: bool
    scores: list[SeatOutcome]
    changes_scores: bool
    changes_winners: bool
    breaks: list[Broken]
    came: int
    went: int
    rests_on: list[str]
    is_otherwise: bool


class Unread(Struct, frozen=True, kw_only=True):
    file: str
    unusable: str


@dataclass(slots=True)
class Tally:
    """What is counted on the way."""

    games: int = 0
    others: int = 0
    otherwise: int = 0
    scores: int = 0
    winners: int = 0
    broken: int = 0
    unread: int = 0

    def count(self, outcome: Outcome) -> None:
        self.games += 1
        self.otherwise += outcome.is_otherwise
        self.scores += outcome.changes_scores
        self.winners += outcome.changes_winners
        self.broken += bool(outcome.breaks)

    def summed(self, *, is_any: bool) -> str:
        """`120 games tried: 12 with other scores, 3 with another winner; 2 would have broken a rule`."""
        from spyrium_cli.render.text import counted

        said = [f"{self.otherwise} would read otherwise"] if is_any else []
        said.append(f"{self.scores} with other scores, {self.winners} with another winner")
        said += [f"{self.broken} would have broken a rule"] if self.broken else []
        said[0] = f"{counted(self.games, 'game')} tried: {said[0]}"
        said += [f"{counted(self.others, 'game')} of other titles"] if self.others else []
        said += [f"{self.unread} cannot be read"] if self.unread else []
        return "; ".join(said)


def tell(session: Session, paths: Sequence[str], trial: Trial, form: str, *, is_any: bool = False) -> int:
    """Write what comes of it, and answer the exit code. `is_any`: games of which anything would be said otherwise."""
    from spyrium_cli.many import games_of
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.progress import watched
    from spyrium_cli.render.rows import write, write_json

    tally = Tally()
    games = watched(games_of(session, paths), None, "tried", shown=form in {"table", "jsonl"})
    told = _told(_outcomes(games, trial, tally), is_any=is_any)
    if form == "table":
        for outcome in told:
            _draw(outcome)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for outcome in told for row in _rows(outcome)], form, null="")
    else:
        write_json(told, form)
    say(tally.summed(is_any=is_any))
    return UNUSABLE if tally.unread else 0


def _told(outcomes: Iterable[Outcome | Unread], *, is_any: bool) -> Iterator[Outcome | Unread]:
    from spyrium_cli.complaint import warn_left_out

    for outcome in outcomes:
        if isinstance(outcome, Unread):
            warn_left_out(outcome.file, outcome.unusable)
            yield outcome
        elif outcome.changes_scores or outcome.changes_winners or outcome.breaks or (is_any and outcome.is_otherwise):
            yield outcome


def _outcomes(games: Iterable[Found], trial: Trial, tally: Tally) -> Iterator[Outcome | Unread]:
    from spyrium_cli.complaint import complaint_of
    from spyrium_log.errors import SpyriumLogError

    for game in games:
        try:
            outcome = _outcome(game, trial)
        except (SpyriumLogError, OSError) as error:
            tally.unread += 1
            yield Unread(file=game.name, unusable=complaint_of(error).message)
            continue
        if outcome is None:
            tally.others += 1
        else:
            tally.count(outcome)
            yield outcome


def _outcome(game: Found, trial: Trial) -> Outcome | None:
    """None where the question is not about this title. A log that was cut short says what it says."""
    from spyrium_cli.readings import changed
    from spyrium_log.edit.experiment import experiment
    from spyrium_log.replay import replay

    log: Any = game.log()
    if log.complaint is not None and not log.damage.is_mendable:
        raise log.complaint
    options = changed(log.title, log.header.options, trial.options)
    sheet = trial.sheet if log.title.key == trial.title else None
    if options is None and sheet is None:
        return None
    return _said(game.name, replay(log, audit=False), experiment(log, options=options, sheet=sheet))


def _said(file: str, done: Replay, what: Experiment) -> Outcome:
    return Outcome(
        file=file,
        game=what.game,
        played=done.header.played,
        is_over=what.is_over,
        scores=[
            SeatOutcome(
                seat=before.seat,
                player=player,
                before=before.total,
                after=after.total,
                place_before=before.place,
                place_after=after.place,
            )
            for player, before, after in zip(done.players, what.before, what.after, strict=True)
        ],
        changes_scores=what.changes_scores,
        # nobody has won a game that is not over
        changes_winners=what.is_over and what.changes_winners,
        breaks=[Broken(event=one.ref, rule=one.rule, number=one.number) for one in what.breaches],
        came=len(what.came),
        went=len(what.went),
        rests_on=[f"{each.of} {each.what}" for each in what.rests_on],
        is_otherwise=not what.is_without_effect,
    )


# --- how it is written ---------------------------------------------------------------------------


def _rows(outcome: Outcome | Unread) -> Iterator[tuple[object, ...]]:
    """A row a seat."""
    if isinstance(outcome, Outcome):
        for seat in outcome.scores:
            game = (outcome.file, outcome.game, outcome.played, outcome.is_over)
            scores = (seat.before, seat.after, seat.place_before, seat.place_after)
            yield (*game, seat.seat, seat.player, *scores)


def _draw(outcome: Outcome | Unread) -> None:
    from spyrium_cli.render.paper import draw, text

    if isinstance(outcome, Unread):
        return
    scores = ", ".join(map(_seat, outcome.scores))
    unfinished = "" if outcome.is_over else " (unfinished)"
    line = text(outcome.game, "bold")
    line.append_text(text(f"  {outcome.played or 'undated'}  {scores}{unfinished}"))
    draw(line)
    if outcome.changes_winners:
        draw(text(f"  {_winners(outcome, 'after')} would have won, not {_winners(outcome, 'before')}", "bold"))
    for rule, some in _by_rule(outcome):
        draw(text(f"  would break {rule} at {_some(some)}"))
    if outcome.rests_on:
        draw(text(f"  rests on {_some(outcome.rests_on)}"))
    if outcome.came or outcome.went:
        draw(text(f"  as it was played: {_findings(outcome)}"))


def _by_rule(outcome: Outcome) -> Iterator[tuple[str, list[str]]]:
    events: dict[str, list[str]] = {}
    for broken in outcome.breaks:
        events.setdefault(f"{broken.rule} ({broken.number})", []).append(broken.event)
    yield from events.items()


def _findings(outcome: Outcome) -> str:
    """`2 findings more, 1 less`."""
    from spyrium_cli.render.text import counted

    more = [f"{counted(outcome.came, 'finding')} more"] if outcome.came else []
    less = [f"{counted(outcome.went, 'finding')} less"] if outcome.went else []
    return ", ".join(more + less)


def _some(named: Sequence[str]) -> str:
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return ", ".join(named[:MOST_NAMED]) + more


def _seat(seat: SeatOutcome) -> str:
    return f"{seat.player} {seat.before}" + (f" → {seat.after}" if seat.after != seat.before else "")


def _winners(outcome: Outcome, when: str) -> str:
    return " and ".join(seat.player for seat in outcome.scores if getattr(seat, f"place_{when}") == 1)
