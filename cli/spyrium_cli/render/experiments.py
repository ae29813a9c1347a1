"""Outcomes of an experiment as lines, rows or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spyrium_cli.games.experiments import Outcome, SeatOutcome, Tally, Trial, Unread, outcomes
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.text import count_text, translate

if TYPE_CHECKING:
    from spyrium_cli.session import Session

COLUMNS = ("file", "game", "played", "is_over", "seat", "player", "before", "after", "place_before", "place_after")
MOST_NAMED = 6


def write_outcomes(session: Session, paths: Sequence[str], trial: Trial, form: str, *, reads_all: bool = False) -> int:
    """Try the games, write what changes. Returns the exit code. `reads_all`: as in `Tally`."""
    from spyrium_cli.complaint import UNUSABLE
    from spyrium_cli.games.lookup import select_games
    from spyrium_cli.render.progress import with_progress
    from spyrium_cli.render.rows import write, write_json
    from spyrium_cli.render.surface import say

    tally = Tally(reads_all=reads_all)
    games = with_progress(select_games(session, paths), None, "tried", shown=form in {"table", "jsonl"})
    listed_outcomes = outcomes(games, trial, tally)
    if form == "table":
        for outcome in listed_outcomes:
            if isinstance(outcome, Outcome):
                draw_outcome(outcome, session.language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for outcome in listed_outcomes for row in _rows(outcome)], form, null="")
    else:
        write_json(listed_outcomes, form)
    say(tally.summary(session.language))
    return UNUSABLE if tally.unread else 0


def _rows(outcome: Outcome | Unread) -> Iterator[tuple[object, ...]]:
    """A row for each seat of a game; none for one that could not be read."""
    if isinstance(outcome, Outcome):
        for seat in outcome.scores:
            game = (outcome.file, outcome.game, outcome.played, outcome.is_over)
            yield (*game, seat.seat, seat.player, seat.before, seat.after, seat.place_before, seat.place_after)


def draw_outcome(outcome: Outcome, language: str) -> None:
    """The scores of a game, then what changes."""
    scores = ", ".join(map(_score_text, outcome.scores))
    unjudged = f" ({translate(f'whatif.{outcome.unjudged}', language)})" if outcome.unjudged else ""
    played = outcome.played or translate("whatif.undated", language)
    draw(text(outcome.game, "bold").append_text(text(f"  {played}  {scores}{unjudged}")))
    if outcome.changes_winners:
        draw(text(f"  {_winners_sentence(outcome, language)}", "bold"))
    events: dict[str, list[str]] = {}
    for broken in outcome.breaks:
        events.setdefault(f"{broken.rule} ({broken.number})", []).append(broken.event)
    for rule, refs in events.items():
        draw(text(f"  {translate('whatif.breaks', language, rule=rule, events=_first_names(refs, language))}"))
    if outcome.rests_on:
        draw(text(f"  {translate('whatif.rests', language, values=_first_names(outcome.rests_on, language))}"))
    if outcome.came or outcome.went:
        draw(text(f"  {translate('whatif.played', language, findings=_findings_text(outcome, language))}"))


def _score_text(seat: SeatOutcome) -> str:
    """`Anna 63 → 61`; `Anna 63` where nothing changes."""
    return f"{seat.player} {seat.before}" + (f" → {seat.after}" if seat.after != seat.before else "")


def _first_names(names: Sequence[str], language: str) -> str:
    """The first `MOST_NAMED` of the names; the others are counted."""
    first_names, rest = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
    return translate("whatif.and-more", language, some=first_names, n=rest) if rest > 0 else first_names


def _findings_text(outcome: Outcome, language: str) -> str:
    """`2 findings more, 1 finding less`."""
    counts_by_key = (("whatif.more", outcome.came), ("whatif.less", outcome.went))
    return ", ".join(
        translate(key, language, findings=count_text(n, "finding", language)) for key, n in counts_by_key if n
    )


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
