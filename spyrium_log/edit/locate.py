"""Where a count went wrong: the stretch that a slip lies in, and the smallest edits that explain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.edit.amend import log_with_line, make_amendment, sum_postings
from spyrium_log.edit.linked import find_linked_slips
from spyrium_log.edit.search import TOTAL, Search, find_ref_before
from spyrium_log.edit.slip import Change, Off, Outcome, Slip, SlipKind, Stretch, choose_mode
from spyrium_log.ledger import SeatResource, collect_holdings
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit, Declared, Drop, Mode
from spyrium_log.log.timeline import list_asides, ref_of
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Counted, Resynced, Seen

Kind: TypeAlias = SlipKind | Literal["two_slips"]
Likelihoods: TypeAlias = Mapping[SlipKind, float]

# How likely a kind of slip is before anything is known of a game, against those that go wrong every evening (1.0): what
# is forgotten, added up in one's head or written down in a hurry. Only the order of size matters.
PRIORS: Mapping[SlipKind, float] = {
    "twice": 0.3,
    "other_seat": 0.3,
    "other_resource": 0.3,
    "other_act": 0.2,
    "never": 0.05,
}

# Added to the ways in which each kind could have happened, so that a rare kind is not taken for the likelier one.
RARE = 5

# About the lines of a game. In a short log there are fewer slips, but each is as much worth looking at.
SHORT = 200
MOST_AUDITED = 100
MOST_PAIRS = 40
MOST_ALIKE = 25
# The search, the audits of what it found and the stretches that are searched are each bounded by what a game of 400
# events needs: of a log that is longer less is tried. To audit one proposal is to fold the whole log.
LONG = 400
MOST_STRETCHES = 20


def scale_limit(most: int, events: int) -> int:
    """How many to try in a log of so many events, so that it takes no longer than `most` in a game of `LONG` events."""
    return max(1, min(most, most * LONG // (events + 1)))


class Proposal(Struct, frozen=True, kw_only=True):
    """Edits that would explain a stretch, and how many findings would then be open.

    `left` is what they would not explain. `alike`: others of this kind that leave the same table at the count, the
    likeliest first.
    """

    kind: Kind
    mode: Mode
    edits: tuple[AnyEdit, ...]
    left: tuple[Off, ...]
    open: int
    alike: tuple[tuple[AnyEdit, ...], ...] = ()

    @property
    def explains(self) -> Literal["all", "partly"]:
        """How much of the stretch the edits explain."""
        return "partly" if self.left else "all"


class Located(Struct, frozen=True, kw_only=True):
    """The proposals, how many slips were tried, and whether the search ended before all were."""

    proposals: tuple[Proposal, ...]
    tried: int
    is_cut: bool


def find_stretches(game: Replay) -> list[Stretch]:
    """Where to look for slips: each count that shows a new difference, and each declared result that the log denies."""
    unexplained = {finding.ref for finding in game.findings if finding.kind == "count" and finding.is_open}
    # how far off each number last was, and after how many events
    known: dict[SeatResource, tuple[int, int]] = {}
    stretches = []
    # after how many events everything counted last agreed
    agreed = 0
    # one state is folded on: a new one for each event would take quadratic time
    title, state = game.title, game.state_at(0)
    for place, event in enumerate(game.events, 1):
        held = collect_holdings(title, state) if isinstance(event.do, Resynced | Counted) else {}
        title.evolve(state, event.do, event.moved, event.facts)
        if isinstance(event.do, Resynced):
            after = collect_holdings(title, state)
            known |= {key: (0, place) for key, n in after.items() if n != held[key]}
        elif isinstance(event.do, Counted):
            offs = [_compare_number(counted.who, counted.what, counted.n, held) for counted in event.do.held]
            new, since = _find_new(offs, known)
            if new and ref_of(event) in unexplained:
                stretches.append(Stretch(of="count", after=find_ref_before(game, since), until=ref_of(event), off=new))
            known |= {off.key: (off.n, place) for off in offs}
            if not any(off.n for off in offs):
                agreed = place
    return [*stretches, *_find_wrong_results(game, find_ref_before(game, agreed))]


def _compare_number(seat: int, resource: str, counted: int, by_log: Mapping[SeatResource, int]) -> Off:
    """A counted number with the number by the log, 0 if the log has none."""
    return Off(who=seat, what=resource, counted=counted, folded=by_log.get((seat, resource), 0))


def _find_new(offs: Iterable[Off], known: Mapping[SeatResource, tuple[int, int]]) -> tuple[tuple[Off, ...], int]:
    """The numbers whose difference changed since they were last counted, and after how many events that was first."""
    new, places = [], []
    for off in offs:
        carried, place = known.get(off.key, (0, 0))
        # neither right nor as far off as before
        if off.n not in (0, carried):
            new.append(structs.replace(off, carried=carried))
            places.append(place)
    return tuple(new), min(places, default=0)


def _find_wrong_results(game: Replay, after: str) -> Iterator[Stretch]:
    """A stretch from the event `after` for each declared result that is off."""
    unexplained = {finding.n for finding in game.findings if finding.kind == "result" and finding.is_open}
    totals = {(score.seat, TOTAL): score.total for score in game.scores()} if unexplained else {}
    for aside in list_asides(game.log.lines):
        if isinstance(aside, Declared) and aside.n in unexplained:
            offs = (_compare_number(result.seat, TOTAL, result.points, totals) for result in aside.results)
            yield Stretch(of="result", after=after, until=str(aside.n), off=tuple(off for off in offs if off.n))


def locate_slips(log: Log, stretch: Stretch, *, most: int = 10, effort: int = 250, who: str = "the count") -> Located:
    """The edits that explain a stretch best, the likeliest first, at most `most`.

    `effort` bounds the search by about so many replays of the log, a short one counted as a whole game; what lies
    nearest to the count is looked at first. `who` is named by postings that say the table did not follow the rules.
    """
    search = Search(replay(log), stretch, budget=effort * min(max(len(log.lines), SHORT), LONG))
    seen = Seen(who=who, why=f"as counted in {stretch.until}")
    slips = _find_slips(search, seen)
    likelihoods = _compute_likelihoods(search)
    most_audited = scale_limit(MOST_AUDITED, len(search.events))
    explanations = _find_explanations(slips, search.wanted, likelihoods)[:most_audited]
    outcomes = [search.find_outcome(explanation) for explanation in explanations]
    groups = _rank_outcomes(outcomes, search.wanted, likelihoods)
    groups += ([outcome] for outcome in search.rule_count(seen))
    proposals = tuple(_make_proposal(log, stretch, search, group) for group in groups[:most])
    return Located(proposals=proposals, tried=search.tried, is_cut=search.is_cut)


def _find_slips(search: Search, seen: Seen) -> list[Slip]:
    """Every slip that changes the count; those that break a rule later only where nothing else explains all."""
    slips = list(search.find_table_slips(seen))
    slips += [*search.carry_on_slips(slips), *find_linked_slips(search), *search.find_scribe_slips()]
    if not any(slip.change == search.wanted for slip in slips):
        slips += search.find_scribe_slips(allow_breaches=True)
    return slips


def _find_explanations(slips: Sequence[Slip], wanted: Change, likelihoods: Likelihoods) -> list[tuple[Slip, ...]]:
    """Slips to be audited, the likeliest first: those that explain all of `wanted`; else pairs, then parts of it."""
    explanations: list[tuple[Slip, ...]] = [(slip,) for slip in slips if slip.change == wanted]
    if explanations:
        return _sort_likeliest(explanations, likelihoods)
    partly = [(slip,) for slip in slips if slip.change and slip.change.items() <= wanted.items()]
    pairs = _sort_likeliest(_find_pairs(slips, wanted, likelihoods), likelihoods)[:MOST_PAIRS]
    return [*pairs, *_sort_likeliest(partly, likelihoods)]


def _sort_likeliest(explanations: Iterable[tuple[Slip, ...]], likelihoods: Likelihoods) -> list[tuple[Slip, ...]]:
    """The likeliest first; of equally likely ones, the nearest to the count."""
    return sorted(explanations, key=lambda slips: (-_rate_slips(slips, likelihoods), -slips[-1].place))


def _find_pairs(slips: Iterable[Slip], wanted: Change, likelihoods: Likelihoods) -> Iterator[tuple[Slip, ...]]:
    """Two slips in different events that together explain all: for each change only its likeliest slip is tried."""
    likeliest: dict[frozenset[tuple[SeatResource, int]], Slip] = {}
    for slip in slips:
        change = frozenset(slip.change.items())
        if change not in likeliest or _rate_slips([slip], likelihoods) > _rate_slips([likeliest[change]], likelihoods):
            likeliest[change] = slip
    for change, slip in likeliest.items():
        lacking = Counter(wanted)
        lacking.subtract(dict(change))
        other = likeliest.get(frozenset((key, n) for key, n in lacking.items() if n))
        last_place, _ = slip.edits[-1]
        if other is not None and last_place < other.place:
            yield slip, other


def _compute_likelihoods(search: Search) -> Likelihoods:
    """How likely a slip of weight 1 of each kind is: likelier, the fewer ways its kind had to happen here."""
    # kinds without a prior go wrong every evening (1.0); RARE damps those that had few ways to happen
    return {kind: PRIORS.get(kind, 1.0) / (weight + RARE) for kind, weight in search.possible.items() if weight}


def _rate_slips(slips: Iterable[Slip], likelihoods: Likelihoods) -> float:
    """How likely it is that all these slips happened, against others; 0 with a kind that could not happen here."""
    return prod(likelihoods.get(slip.kind, 0.0) * slip.weight for slip in slips)


def _rank_outcomes(outcomes: Iterable[Outcome], wanted: Change, likelihoods: Likelihoods) -> list[list[Outcome]]:
    """Outcomes in groups that the log cannot tell apart: the best group first, in each the likeliest first."""

    def rank_group(group: list[Outcome]) -> tuple[int, int, int, float, int]:
        """Sort key: wrong numbers, open findings, slips, likelihood, distance from the count; the best is the least."""
        first = group[0]
        wrong = sum(wanted.get(key, 0) != first.change.get(key, 0) for key in {*wanted, *first.change})
        likelihood = sum(_rate_slips(outcome.slips, likelihoods) for outcome in group)
        return wrong, first.open, len(first.slips), -likelihood, -first.slips[-1].place

    return sorted(_group_outcomes(outcomes, likelihoods), key=rank_group)


def _group_outcomes(outcomes: Iterable[Outcome], likelihoods: Likelihoods) -> list[list[Outcome]]:
    """Outcomes in groups that the log cannot tell apart, in each the likeliest first."""
    groups: list[list[Outcome]] = []
    for outcome in sorted(outcomes, key=lambda each: (-_rate_slips(each.slips, likelihoods), -each.slips[-1].place)):
        group = next((group for group in groups if _look_alike(group[0], outcome)), None)
        if group is None:
            groups.append([outcome])
        else:
            group.append(outcome)
    return groups


def _look_alike(outcome: Outcome, other: Outcome) -> bool:
    """Whether a log shows no difference: kinds of slips, numbers and table at the count, open findings."""
    kinds, other_kinds = ([(slip.kind, slip.mode) for slip in each.slips] for each in (outcome, other))
    is_same_count = (outcome.change, outcome.open) == (other.change, other.open)
    return kinds == other_kinds and is_same_count and outcome.table == other.table


def _make_proposal(log: Log, stretch: Stretch, search: Search, group: Sequence[Outcome]) -> Proposal:
    """The proposal of a group of outcomes that the log cannot tell apart, the likeliest first."""
    # one of all edits that have the same acts in the same places and move the same
    stories: dict[Hashable, tuple[AnyEdit, ...]] = {}
    for outcome in group:
        edits = tuple(edit for slip in outcome.slips for _, edit in slip.edits)
        stories.setdefault(tuple(_summarise_edit(edit) for edit in edits), edits)
    first, *others = stories.values()
    slips = group[0].slips
    mode = choose_mode(slips)
    line = make_amendment(log, first, mode, by="", why="")
    return Proposal(
        kind=slips[0].kind if len(slips) == 1 else "two_slips",
        mode=mode,
        edits=first,
        left=tuple(_find_numbers_still_off(stretch, search, group[0].change)),
        open=sum(finding.is_open for finding in replay(log_with_line(log, line)).findings),
        alike=tuple(others[:MOST_ALIKE]),
    )


def _summarise_edit(edit: AnyEdit) -> Hashable:
    """What two edits must share to tell the same story: act, place and the sums moved, whatever their causes."""
    if isinstance(edit, Drop):
        return "drop", edit.at
    sums = sum_postings(edit.event.moved)
    return type(edit), edit.at, edit.event.do, frozenset((key, n) for key, n in sums.items() if n)


def _find_numbers_still_off(stretch: Stretch, search: Search, change: Change) -> Iterator[Off]:
    """The numbers that are off after a change of the count: those it does not explain, and those it brings about."""
    offs = {off.key: off for off in stretch.off}
    for who, what in dict.fromkeys((*offs, *change)):
        folded = search.before.get((who, what), 0)
        # what the change brings about was counted right
        before = offs.get((who, what)) or Off(who=who, what=what, counted=folded, folded=folded)
        after = structs.replace(before, folded=before.folded + change.get((who, what), 0))
        if after.n:
            yield after
