"""A game under other readings of the rules, or another sheet: as it was played, and with the same decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct, structs

from spyrium_log.audit import Finding
from spyrium_log.edit.amend import Amount, compare_ledgers, rederive_events, subtract_findings
from spyrium_log.log.codec import Log
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay, replay, replay_events
from spyrium_log.sheet import Difference, Sheet, compare_sheets
from spyrium_log.title import FinalCount, Options, Resynced, Score

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
        """Whether anybody's total would be another one; never where that cannot be judged."""
        totals, totals_after = ([score.total for score in scores] for scores in (self.before, self.after))
        return self.unjudged is None and totals != totals_after

    @property
    def changes_winners(self) -> bool:
        """Whether somebody else would win; never where that cannot be judged."""
        return self.unjudged is None and find_winners(self.before) != find_winners(self.after)

    @property
    def wins(self) -> Wins:
        """Who gains, loses and keeps the win; nobody if that cannot be judged."""
        if self.unjudged:
            return Wins((), (), ())
        return compare_winners(find_winners(self.before), find_winners(self.after))

    @property
    def is_without_effect(self) -> bool:
        """Whether nothing changes: no finding, no amount, no score."""
        return self.before == self.after and not (self.came or self.went or self.breaches or self.amounts)


class Wins(NamedTuple):
    """Seats that would newly win, that would no longer win, and that win either way."""

    gained: tuple[int, ...]
    lost: tuple[int, ...]
    kept: tuple[int, ...]


def find_winners(scores: tuple[Score, ...]) -> tuple[int, ...]:
    """The seats that won, several if they share the win."""
    return tuple(score.seat for score in scores if score.won)


def compare_winners(before: Sequence[int], after: Sequence[int]) -> Wins:
    """The winning seats of one way of playing against those of another."""
    return Wins(
        gained=tuple(seat for seat in after if seat not in before),
        lost=tuple(seat for seat in before if seat not in after),
        kept=tuple(seat for seat in before if seat in after),
    )


def run_experiment(log: Log, *, options: Options | None = None, sheet: Sheet | None = None) -> Experiment:
    """The game under these options and this sheet, for `experiment`. What is not given stays as the game has it."""
    own = replay(log)
    played = replay(log, options=options, sheet=sheet or own.sheet)
    same_decisions = replay_same_decisions(own, played)
    changed_values = tuple(compare_sheets(own.sheet, played.sheet))
    components = own.used_components
    return Experiment(
        game=own.header.game,
        options=tuple(_compare_options(own, played)),
        sheet=changed_values,
        rests_on=tuple(value for value in changed_values if value.of in components),
        is_over=own.title.awaits(own.state_at(len(own.events))).kind == "over",
        unjudged=_find_reason_unjudged(own),
        came=subtract_findings(played.findings, own.findings),
        went=subtract_findings(own.findings, played.findings),
        breaches=subtract_findings(_list_breaches(same_decisions), _list_breaches(own)),
        amounts=tuple(compare_ledgers(own.ledger, same_decisions.ledger)),
        before=tuple(own.scores()),
        after=tuple(same_decisions.scores()),
    )


def _list_breaches(game: Replay) -> list[Finding]:
    """The findings that say that an act was against the rules; others compare amounts, counts or results."""
    return [finding for finding in game.findings if finding.kind == "breach"]


def _find_reason_unjudged(game: Replay) -> Unjudged | None:
    """Why the scores under other rules cannot be compared with those of the game; None if they can."""
    kinds = {type(event.do) for event in game.events}
    if game.is_scores_only:
        return "scoresheet"
    if FinalCount not in kinds:
        return "unfinished"
    if Resynced in kinds:
        return "gaps"
    return "unseen" if game.title.tables.unseen(game.state_at(len(game.events))) else None


def replay_same_decisions(own: Replay, played: Replay) -> Replay:
    """The game with the same decisions under the options and the sheet of `played`; what a person saw stays."""
    rederived = {
        ref_of(event): structs.replace(event, moved=tuple(effects.moved), facts=tuple(effects.facts))
        for event, effects in rederive_events(own, played)
    }
    return replay_events(played, [rederived.get(ref_of(event), event) for event in played.events])


def _compare_options(own: Replay, other: Replay) -> Iterator[Reading]:
    """The options that the two games read differently, with both readings."""
    for field in structs.fields(own.title.options):
        before, after = (str(getattr(game.header.options, field.name)) for game in (own, other))
        if before != after:
            yield Reading(option=field.encode_name, before=before, after=after)
