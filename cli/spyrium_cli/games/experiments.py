"""Many games under other readings of the rules, or another sheet: what would have come of the same decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct, structs

from spyrium_cli.complaint import UNUSABLE, complaint_of, warn_left_out
from spyrium_cli.games.lookup import select_games
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.rows import translate_headings, write, write_json
from spyrium_cli.render.surface import say, with_progress
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.session import Session, current_language
from spyrium_cli.settings.readings import changed_options
from spyrium_log.edit.experiment import Experiment, run_experiment
from spyrium_log.errors import SpyriumLogError
from spyrium_log.messages import Reader
from spyrium_log.printed import PrintedName
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Sheet
from spyrium_log.store import FoundGame
from spyrium_log.titles import TITLES

COLUMNS = ("file", "game", "played", "is_over", "seat", "player", "before", "after", "place_before", "place_after")
MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the games are replayed with: options of any title, a sheet of the one named."""

    options: Mapping[str, str] = field(default_factory=dict)
    sheet: Sheet | None = None
    title: str = ""


# Scores and places of a seat as the game was played, and as it would have been.
class SeatOutcome(Struct, frozen=True):
    seat: int
    player: str
    before: int
    after: int
    place_before: int
    place_after: int


# A rule that an event would have broken, with its number in the rules.
class Broken(Struct, frozen=True):
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
        parts = [translate("whatif.otherwise", language, n=self.otherwise)] if self.reads_all else []
        parts.append(translate("whatif.outcomes", language, scores=self.scores, winners=self.winners))
        if self.broken:
            parts.append(translate("whatif.broken", language, n=self.broken))
        if self.other_titles:
            parts.append(translate("whatif.others", language, games=count_text(self.other_titles, "game", language)))
        if self.unread:
            parts.append(translate("whatif.unread", language, n=self.unread))
        if self.unjudged:
            counts = sorted(self.unjudged.items())
            reasons = ", ".join(translate(f"whatif.because-{reason}", language, n=n) for reason, n in counts)
            parts.append(translate("whatif.unjudged", language, n=self.unjudged.total(), reasons=reasons))
        games = count_text(self.games, "game", language)
        return translate("whatif.tried", language, games=games, what="; ".join(parts))


def _try_games(games: Iterable[FoundGame], trial: Trial, tally: Tally) -> Iterator[Outcome | Unread]:
    """The outcomes worth listing; a game that cannot be read is reported and stays in the list."""
    for game in games:
        try:
            outcome = _try_game(game, trial)
        except (SpyriumLogError, OSError) as error:
            tally.unread += 1
            unread = Unread(file=game.name, unusable=complaint_of(error).message)
            language = current_language()
            warn_left_out(unread.file, complaint_of(error, language).message)
            yield unread
            continue
        if outcome is None:
            tally.other_titles += 1
        elif tally.count(outcome):
            yield outcome


def _try_game(game: FoundGame, trial: Trial) -> Outcome | None:
    """What would have come of a game; None if its title has neither the options nor the sheet. A log may end early."""
    log = game.log()
    if log.complaint is not None and not (log.damage and log.damage.is_mendable):
        raise log.complaint
    options = changed_options(log.title, log.header.options, trial.options)
    sheet = trial.sheet if log.title.key == trial.title else None
    if options is None and sheet is None:
        return None
    return _make_outcome(game.name, replay(log, audit=False), run_experiment(log, options=options, sheet=sheet))


def _make_outcome(file: str, game: Replay, result: Experiment) -> Outcome:
    """The outcome of one game: `game` as it was played, `result` as it would have been."""
    return Outcome(
        file=file,
        game=result.game,
        played=game.header.played,
        is_over=result.is_over,
        unjudged=result.unjudged,
        scores=[
            SeatOutcome(before.seat, player, before.total, after.total, before.place, after.place)
            for player, before, after in zip(game.players, result.before, result.after, strict=True)
        ],
        changes_scores=result.changes_scores,
        changes_winners=result.changes_winners,
        gains_win=list(result.wins.gained),
        loses_win=list(result.wins.lost),
        keeps_win=list(result.wins.kept),
        breaks=[Broken(breach.ref, breach.rule, breach.number) for breach in result.breaches],
        came=len(result.came),
        went=len(result.went),
        rests_on=[f"{value.of} {value.what}" for value in result.rests_on],
        is_otherwise=not result.is_without_effect,
    )


def write_outcomes(session: Session, paths: Sequence[str], trial: Trial, form: str, *, reads_all: bool = False) -> int:
    """Try the games, write what changes. Returns the exit code. `reads_all`: as in `Tally`."""
    tally = Tally(reads_all=reads_all)
    games = with_progress(select_games(session, paths), None, "tried", shown=form in {"table", "jsonl"})
    listed = _try_games(games, trial, tally)
    if form == "table":
        for outcome in listed:
            if isinstance(outcome, Outcome):
                draw_outcome(outcome, _reader_of_values(trial, session.language))
    elif form in {"csv", "md"}:
        tried = [outcome for outcome in listed if isinstance(outcome, Outcome)]
        # the first four fields of a game: file, game, played, is_over
        rows = [structs.astuple(game)[:4] + structs.astuple(seat) for game in tried for seat in game.scores]
        heads = translate_headings(COLUMNS, "whatif-heads", form, session.language)
        write(heads, rows, form, null="", language=session.language)
    else:
        write_json(listed, form)
    say(tally.summary(session.language))
    return UNUSABLE if tally.unread else 0


def _reader_of_values(trial: Trial, language: str) -> Reader:
    """Who reads the names of printed values: with the words of the title whose sheet is tried."""
    return Reader(language, words=TITLES[trial.title].words.vocabulary(language) if trial.title in TITLES else {})


def draw_outcome(outcome: Outcome, reader: Reader) -> None:
    """Draw the scores of a game, such as `Anna 63 → 61, Bob 58`, then what changes."""
    language = reader.language
    scores = ", ".join(
        f"{seat.player} {seat.before}" + (f" → {seat.after}" if seat.after != seat.before else "")
        for seat in outcome.scores
    )
    unjudged = f" ({translate(f'whatif.{outcome.unjudged}', language)})" if outcome.unjudged else ""
    played = outcome.played or translate("whatif.undated", language)
    draw(text(outcome.game, "bold").append_text(text(f"  {played}  {scores}{unjudged}")))
    if outcome.changes_winners:
        draw(text(f"  {_winners_sentence(outcome, language)}", "bold"))
    for rule, refs in _group_by_rule(outcome.breaks).items():
        draw(text(f"  {translate('whatif.breaks', language, rule=rule, events=_join_names(refs, language))}"))
    if outcome.rests_on:
        # each is a component and the value's name
        names = [PrintedName(*value.split(" ", 1)).text_for(reader) for value in outcome.rests_on]
        draw(text(f"  {translate('whatif.rests', language, values=_join_names(names, language))}"))
    if outcome.came or outcome.went:
        draw(text(f"  {translate('whatif.played', language, findings=_findings_text(outcome, language))}"))


def _group_by_rule(breaches: Iterable[Broken]) -> Mapping[str, Sequence[str]]:
    """The events that break each rule, such as `turn.order (S-5.1)`."""
    events: dict[str, list[str]] = {}
    for broken in breaches:
        events.setdefault(f"{broken.rule} ({broken.number})", []).append(broken.event)
    return events


def _join_names(names: Sequence[str], language: str) -> str:
    """The first `MOST_NAMED` names; the others are counted."""
    first_names, others = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
    return translate("whatif.and-more", language, some=first_names, n=others) if others > 0 else first_names


def _findings_text(outcome: Outcome, language: str) -> str:
    """`2 findings more, 1 finding less`."""
    counts = (("whatif.more", outcome.came), ("whatif.less", outcome.went))
    return ", ".join(translate(key, language, findings=count_text(n, "finding", language)) for key, n in counts if n)


def _winners_sentence(outcome: Outcome, language: str) -> str:
    """`Anna would share the win with Bob`, `Anna would win, Bob would lose the win`."""
    players = {seat.seat: seat.player for seat in outcome.scores}
    gained, kept, lost = (
        translate("changes.and", language).join(players[seat] for seat in seats)
        for seats in (outcome.gains_win, outcome.keeps_win, outcome.loses_win)
    )
    if gained and kept:
        key = "whatif.shares-with"
    elif gained:
        key = "whatif.wins" if len(outcome.gains_win) == 1 else "whatif.share"
    else:
        key = "whatif.wins-alone" if len(outcome.keeps_win) == 1 else "whatif.still-share"
    sentence = translate(key, language, names=gained or kept, others=kept)
    return f"{sentence}, {translate('whatif.loses', language, names=lost)}" if lost else sentence
