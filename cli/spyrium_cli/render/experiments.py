"""Outcomes of an experiment as lines, rows or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spyrium_cli.games.experiments import Outcome, SeatOutcome, Tally, Trial, Unread, outcomes
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.text import counted
from spyrium_cli.render.words import translate

if TYPE_CHECKING:
    from spyrium_cli.session import Session

COLUMNS = ("file", "game", "played", "is_over", "seat", "player", "before", "after", "place_before", "place_after")
MOST_NAMED = 6


def write_outcomes(session: Session, paths: Sequence[str], trial: Trial, form: str, *, reads_all: bool = False) -> int:
    """Try the games, write what changes. Returns the exit code. `reads_all`: as in `Tally`."""
    from spyrium_cli.complaint import UNUSABLE
    from spyrium_cli.games.lookup import select_games
    from spyrium_cli.render.progress import watched
    from spyrium_cli.render.rows import write, write_json
    from spyrium_cli.render.surface import say

    tally = Tally(reads_all=reads_all)
    games = watched(select_games(session, paths), None, "tried", shown=form in {"table", "jsonl"})
    listed = outcomes(games, trial, tally)
    if form == "table":
        for outcome in listed:
            if isinstance(outcome, Outcome):
                draw_outcome(outcome, session.language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for outcome in listed for row in _rows(outcome)], form, null="")
    else:
        write_json(listed, form)
    say(tally.summary(session.language))
    return UNUSABLE if tally.unread else 0


def _rows(outcome: Outcome | Unread) -> Iterator[tuple[object, ...]]:
    """A row a seat."""
    if isinstance(outcome, Outcome):
        for seat in outcome.scores:
            game = (outcome.file, outcome.game, outcome.played, outcome.is_over)
            yield (*game, seat.seat, seat.player, seat.before, seat.after, seat.place_before, seat.place_after)


def draw_outcome(outcome: Outcome, language: str) -> None:
    """The scores of a game, then what changes."""
    scores = ", ".join(map(_score, outcome.scores))
    unjudged = f" ({translate(f'whatif.{outcome.unjudged}', language)})" if outcome.unjudged else ""
    played = outcome.played or translate("whatif.undated", language)
    draw(text(outcome.game, "bold").append_text(text(f"  {played}  {scores}{unjudged}")))
    if outcome.changes_winners:
        draw(text(f"  {_wins(outcome, language)}", "bold"))
    events: dict[str, list[str]] = {}
    for broken in outcome.breaks:
        events.setdefault(f"{broken.rule} ({broken.number})", []).append(broken.event)
    for rule, refs in events.items():
        draw(text(f"  {translate('whatif.breaks', language, rule=rule, events=_some(refs, language))}"))
    if outcome.rests_on:
        draw(text(f"  {translate('whatif.rests', language, values=_some(outcome.rests_on, language))}"))
    if outcome.came or outcome.went:
        draw(text(f"  {translate('whatif.played', language, findings=_findings(outcome, language))}"))


def _score(seat: SeatOutcome) -> str:
    return f"{seat.player} {seat.before}" + (f" → {seat.after}" if seat.after != seat.before else "")


def _some(names: Sequence[str], language: str) -> str:
    """The first of them; the others are counted."""
    some, more = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
    return translate("whatif.and-more", language, some=some, n=more) if more > 0 else some


def _findings(outcome: Outcome, language: str) -> str:
    """`2 findings more, 1 finding less`."""
    changes = (("whatif.more", outcome.came), ("whatif.less", outcome.went))
    return ", ".join(translate(key, language, findings=counted(n, "finding", language)) for key, n in changes if n)


def _wins(outcome: Outcome, language: str) -> str:
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
