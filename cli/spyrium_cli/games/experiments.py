"""One question to many games: what would be otherwise with other readings of the rules, or another sheet."""

from __future__ import annotations

from collections import Counter
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
    `rests_on`: printed values that are others, and had a say in this game. `unjudged`: why the scores cannot be
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


class Unread(Struct, frozen=True, kw_only=True):
    file: str
    unusable: str


@dataclass(slots=True)
class Tally:
    """What is counted on the way. `is_any`: of a game whose scores cannot be judged the audit is asked all the same."""

    is_any: bool = False
    games: int = 0
    others: int = 0
    otherwise: int = 0
    scores: int = 0
    winners: int = 0
    broken: int = 0
    unread: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)

    def count(self, outcome: Outcome) -> None:
        if outcome.unjudged is not None:
            self.unjudged[outcome.unjudged] += 1
        if not self._is_tried(outcome):
            return
        self.games += 1
        self.otherwise += outcome.is_otherwise
        self.scores += outcome.changes_scores
        self.winners += outcome.changes_winners
        self.broken += bool(outcome.breaks)

    def _is_tried(self, outcome: Outcome) -> bool:
        return self.is_any or outcome.unjudged is None

    def lists(self, outcome: Outcome) -> bool:
        """Whether there is something to say of the game."""
        changes = outcome.changes_scores or outcome.changes_winners or bool(outcome.breaks)
        return self._is_tried(outcome) and (changes or (self.is_any and outcome.is_otherwise))

    def summed(self, language: str) -> str:
        """`120 games tried: 12 with other scores, 3 with another winner; 2 would have broken a rule`."""
        from spyrium_cli.render.text import counted
        from spyrium_cli.render.words import tell

        games, others = (counted(n, "game", language) for n in (self.games, self.others))
        said = [tell("whatif.otherwise", language, n=self.otherwise)] if self.is_any else []
        said.append(tell("whatif.outcomes", language, scores=self.scores, winners=self.winners))
        said += [tell("whatif.broken", language, n=self.broken)] if self.broken else []
        said += [tell("whatif.others", language, games=others)] if self.others else []
        said += [tell("whatif.unread", language, n=self.unread)] if self.unread else []
        said += [self._told_unjudged(language)] if self.unjudged else []
        return tell("whatif.tried", language, games=games, what="; ".join(said))

    def _told_unjudged(self, language: str) -> str:
        """`3 cannot be judged: 2 with scores only, 1 unfinished`."""
        from spyrium_cli.render.words import tell

        reasons = (tell(f"whatif.because-{reason}", language, n=n) for reason, n in sorted(self.unjudged.items()))
        return tell("whatif.unjudged", language, n=self.unjudged.total(), reasons=", ".join(reasons))


def tell(session: Session, paths: Sequence[str], trial: Trial, form: str, *, is_any: bool = False) -> int:
    """Write what comes of it, and answer the exit code. `is_any`: games of which anything would be said otherwise."""
    from spyrium_cli.games.selection import select_games
    from spyrium_cli.render.progress import watched
    from spyrium_cli.render.rows import write, write_json
    from spyrium_cli.render.surface import say

    tally = Tally(is_any=is_any)
    games = watched(select_games(session, paths), None, "tried", shown=form in {"table", "jsonl"})
    told = _told(_outcomes(games, trial, tally), tally)
    if form == "table":
        for outcome in told:
            _draw(outcome, session.language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for outcome in told for row in _rows(outcome)], form, null="")
    else:
        write_json(told, form)
    say(tally.summed(session.language))
    return UNUSABLE if tally.unread else 0


def _told(outcomes: Iterable[Outcome | Unread], tally: Tally) -> Iterator[Outcome | Unread]:
    from spyrium_cli.complaint import warn_left_out

    for outcome in outcomes:
        if isinstance(outcome, Unread):
            warn_left_out(outcome.file, outcome.unusable)
            yield outcome
        elif tally.lists(outcome):
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
    from spyrium_cli.settings.readings import changed_options
    from spyrium_log.edit.experiment import experiment
    from spyrium_log.replay import replay

    log: Any = game.log()
    if log.complaint is not None and not log.damage.is_mendable:
        raise log.complaint
    options = changed_options(log.title, log.header.options, trial.options)
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
        unjudged=what.unjudged,
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
        changes_winners=what.changes_winners,
        gains_win=list(what.wins.gained),
        loses_win=list(what.wins.lost),
        keeps_win=list(what.wins.kept),
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


def _draw(outcome: Outcome | Unread, language: str) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.words import tell

    if isinstance(outcome, Unread):
        return
    scores = ", ".join(map(_seat, outcome.scores))
    unjudged = f" ({tell(f'whatif.{outcome.unjudged}', language)})" if outcome.unjudged else ""
    line = text(outcome.game, "bold")
    line.append_text(text(f"  {outcome.played or tell('whatif.undated', language)}  {scores}{unjudged}"))
    draw(line)
    if outcome.changes_winners:
        draw(text(f"  {_wins(outcome, language)}", "bold"))
    for rule, some in _by_rule(outcome):
        draw(text(f"  {tell('whatif.breaks', language, rule=rule, events=_some(some, language))}"))
    if outcome.rests_on:
        draw(text(f"  {tell('whatif.rests', language, values=_some(outcome.rests_on, language))}"))
    if outcome.came or outcome.went:
        draw(text(f"  {tell('whatif.played', language, findings=_findings(outcome, language))}"))


def _by_rule(outcome: Outcome) -> Iterator[tuple[str, list[str]]]:
    events: dict[str, list[str]] = {}
    for broken in outcome.breaks:
        events.setdefault(f"{broken.rule} ({broken.number})", []).append(broken.event)
    yield from events.items()


def _findings(outcome: Outcome, language: str) -> str:
    """`2 findings more, 1 finding less`."""
    from spyrium_cli.render.text import counted
    from spyrium_cli.render.words import tell

    changed = (("whatif.more", outcome.came), ("whatif.less", outcome.went))
    return ", ".join(tell(key, language, findings=counted(n, "finding", language)) for key, n in changed if n)


def _some(named: Sequence[str], language: str) -> str:
    from spyrium_cli.render.words import tell

    some, more = ", ".join(named[:MOST_NAMED]), len(named) - MOST_NAMED
    return tell("whatif.and-more", language, some=some, n=more) if more > 0 else some


def _seat(seat: SeatOutcome) -> str:
    return f"{seat.player} {seat.before}" + (f" → {seat.after}" if seat.after != seat.before else "")


def _wins(outcome: Outcome, language: str) -> str:
    """`Anna would share the win with Bob`, `Anna would win, Bob would lose the win`: who gains, keeps, loses it."""
    from spyrium_cli.render.words import tell

    players = {seat.seat: seat.player for seat in outcome.scores}
    gained, kept, lost = (
        tell("changes.and", language).join(players[seat] for seat in seats)
        for seats in (outcome.gains_win, outcome.keeps_win, outcome.loses_win)
    )
    if gained and kept:
        word = "whatif.shares-with"
    elif gained:
        word = "whatif.wins" if len(outcome.gains_win) == 1 else "whatif.share"
    else:
        word = "whatif.wins-alone" if len(outcome.keeps_win) == 1 else "whatif.still-share"
    said = [tell(word, language, names=gained or kept, others=kept)]
    said += [tell("whatif.loses", language, names=lost)] if lost else []
    return ", ".join(said)
