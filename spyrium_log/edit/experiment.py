"""A game under other readings of the rules, or another sheet: what would be said of it, and what would have come of it.

Nothing is written, and the log stays what it is: the truth about the evening. Two questions are asked. What does the
audit say of the game as it was played? And what if the table had played the same decisions under the other rules?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct, structs

from spyrium_log.audit import Finding
from spyrium_log.edit.amend import Amount, compare_ledgers
from spyrium_log.edit.derive import rederive_events
from spyrium_log.log.codec import Log
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay, refolded, replay
from spyrium_log.sheet import Difference, Sheet, compare_sheets
from spyrium_log.title import FinalCount, Resynced, Score

# Why the scores of a game say nothing about other rules: a mere score sheet has no decisions; an unfinished game has no
# result; where moves were missed (gaps), and where nobody looked at a card (unseen), the same decisions are not known.
Unjudged: TypeAlias = Literal["scoresheet", "unfinished", "gaps", "unseen"]


class Reading(Struct, frozen=True, kw_only=True):
    """An option that the experiment reads otherwise."""

    option: str
    before: str
    after: str


class Experiment(Struct, frozen=True, kw_only=True):
    """A game under other options or another sheet: as it was played, and as the same decisions would have gone.

    `came`, `went`: findings on the game as it was played. `breaches`: what the same decisions would have broken that
    they did not break; `amounts`, `after`: what would have moved instead, and how it would have ended. `unjudged`: why
    the scores after cannot be held against those before.
    """

    game: str
    options: tuple[Reading, ...]
    sheet: tuple[Difference, ...]
    rests_on: tuple[Difference, ...]
    is_over: bool
    unjudged: Unjudged | None
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    breaches: tuple[Finding, ...]
    amounts: tuple[Amount, ...]
    before: tuple[Score, ...]
    after: tuple[Score, ...]

    @property
    def changes_scores(self) -> bool:
        totals = [[score.total for score in scores] for scores in (self.before, self.after)]
        return self.unjudged is None and totals[0] != totals[1]

    @property
    def changes_winners(self) -> bool:
        return self.unjudged is None and find_winners(self.before) != find_winners(self.after)

    @property
    def wins(self) -> Wins:
        """Who gains, loses and keeps the win; nobody if that cannot be judged."""
        return (
            Wins((), (), ()) if self.unjudged else compare_winners(find_winners(self.before), find_winners(self.after))
        )

    @property
    def is_without_effect(self) -> bool:
        """Whether nothing changes."""
        return self.before == self.after and not (self.came or self.went or self.breaches or self.amounts)


class Wins(NamedTuple):
    """Seats that would newly win, that would no longer win, and that win either way."""

    gained: tuple[int, ...]
    lost: tuple[int, ...]
    kept: tuple[int, ...]


def find_winners(scores: tuple[Score, ...]) -> tuple[int, ...]:
    """The seats that won."""
    return tuple(score.seat for score in scores if score.won)


def compare_winners(before: Sequence[int], after: Sequence[int]) -> Wins:
    """The seats that come first in one way of playing, against those in another."""
    return Wins(
        gained=tuple(seat for seat in after if seat not in before),
        lost=tuple(seat for seat in before if seat not in after),
        kept=tuple(seat for seat in before if seat in after),
    )


def run_experiment(log: Log, *, options: Any = None, sheet: Sheet | None = None) -> Experiment:
    """The experiment for one game. What is not given stays as the game has it."""
    own = replay(log)
    played = replay(log, options=options, sheet=sheet or own.sheet)
    other = _same_decisions(own, played)
    changed = tuple(compare_sheets(own.sheet, played.sheet))
    components = own.rests_on
    return Experiment(
        game=own.header.game,
        options=tuple(_readings(own, played)),
        sheet=changed,
        rests_on=tuple(each for each in changed if each.of in components),
        is_over=own.title.awaits(own.state_at(len(own.events))).kind == "over",
        unjudged=_unjudged(own),
        came=_more(played.findings, own.findings),
        went=_more(own.findings, played.findings),
        breaches=_more(_broken(other), _broken(own)),
        amounts=tuple(compare_ledgers(own.ledger, other.ledger)),
        before=tuple(own.scores()),
        after=tuple(other.scores()),
    )


def _unjudged(done: Replay) -> Unjudged | None:
    """Why the scores cannot be compared; None if they can."""
    kinds = {type(event.do) for event in done.events}
    if done.is_scores_only:
        return "scoresheet"
    if FinalCount not in kinds:
        return "unfinished"
    if Resynced in kinds:
        return "gaps"
    return "unseen" if done.title.tables.unseen(done.state_at(len(done.events))) else None


def replay_same_decisions(log: Log, *, options: Any = None, sheet: Sheet | None = None) -> Replay:
    """The game with the same decisions under other options or another sheet, effects rederived.

    What a person saw stays, and so does what the table turned up. A decision that the other rules forbid is a breach.
    """
    own = replay(log, audit=False)
    return _same_decisions(own, replay(log, audit=False, options=options, sheet=sheet or own.sheet))


def _same_decisions(own: Replay, played: Replay) -> Replay:
    derived = {
        ref_of(event): structs.replace(event, moved=tuple(effects.moved), facts=tuple(effects.facts))
        for event, effects in rederive_events(own, played)
    }
    return refolded(played, [derived.get(ref_of(event), event) for event in played.events])


def _readings(own: Replay, other: Replay) -> Iterator[Reading]:
    for field in structs.fields(own.title.options):
        before, after = (str(getattr(done.header.options, field.name)) for done in (own, other))
        if before != after:
            yield Reading(option=field.encode_name, before=before, after=after)


def _broken(done: Replay) -> list[Finding]:
    return [finding for finding in done.findings if finding.kind == "breach"]


def _more(findings: list[Finding], known: list[Finding]) -> tuple[Finding, ...]:
    return tuple((Counter(findings) - Counter(known)).elements())
