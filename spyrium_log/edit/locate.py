"""Where a count went wrong: the stretch that a slip lies in, and the smallest edits that explain it.

Only what fits the count is audited, to the end of the log: later counts and later moves speak too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.edit.amend import log_with_line, make_amendment
from spyrium_log.edit.linked import linked
from spyrium_log.edit.search import TOTAL, Search, held_by
from spyrium_log.edit.slip import Change, Number, Outcome, Slip, SlipKind, mode_of
from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit, Declared, Drop, Mode
from spyrium_log.log.timeline import asides, ref_of
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Counted, Resynced, Seen

Kind: TypeAlias = SlipKind | Literal["two_slips"]
Shares: TypeAlias = Mapping[SlipKind, float]

# How much likelier one kind of slip is than another before anything is known of the game: what is forgotten, reckoned
# in one's head or written down in a hurry goes wrong every evening; a thing handed over wrong is seen by whoever sits
# beside; that a scribe makes up a move hardly happens. Only the order of size matters.
PRIORS: Mapping[SlipKind, float] = {
    "missed": 1.0,
    "doubled": 1.0,
    "forgotten": 1.0,
    "other_choice": 1.0,
    "unsaid": 1.0,
    "choice_and_use": 1.0,
    "swapped": 1.0,
    "amount": 1.0,
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
    """How many to try in a log of so many events, so that it takes no longer than `most` in a long game."""
    return max(1, min(most, most * LONG // (events + 1)))


class Off(Struct, frozen=True, kw_only=True):
    """A counted number, the number by the log, and the difference that was known before."""

    who: int
    what: str
    counted: int
    folded: int
    carried: int = 0

    @property
    def n(self) -> int:
        """The difference that is to be explained."""
        return self.counted - self.folded - self.carried


class Stretch(Struct, frozen=True, kw_only=True):
    """From the last count that agreed (`0`: none) to one that does not; for a declared result, to the end."""

    of: Literal["count", "result"]
    after: str
    until: str
    off: tuple[Off, ...]


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
        return "partly" if self.left else "all"


class Located(Struct, frozen=True, kw_only=True):
    """The proposals, how many slips were tried, and whether the search ended before all were."""

    proposals: tuple[Proposal, ...]
    tried: int
    is_cut: bool


# --- stretches -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """How far off a number last was, and after how many events."""

    off: int = 0
    place: int = 0


def find_stretches(done: Replay) -> list[Stretch]:
    """Each count that shows a new difference, and each declared result that differs from the log.

    A difference that an earlier count had already shown is no second slip.
    """
    unexplained = {finding.ref for finding in done.findings if finding.kind == "count" and finding.is_open}
    known: dict[Number, _Known] = {}
    stretches_found = []
    agreed = 0
    # one state is folded on: a new one for each event would take quadratic time
    title, state = done.title, done.state_at(0)
    for place, event in enumerate(done.events):
        held = held_by(title, state) if isinstance(event.do, Resynced | Counted) else {}
        title.evolve(state, event.do, event.moved, event.facts)
        if isinstance(event.do, Resynced):
            after = held_by(title, state)
            known |= {key: _Known(0, place + 1) for key, n in after.items() if n != held[key]}
        elif isinstance(event.do, Counted):
            offs = [
                Off(
                    who=counted.who,
                    what=counted.what,
                    counted=counted.n,
                    folded=held.get((counted.who, counted.what), 0),
                )
                for counted in event.do.held
            ]
            new, since = _new(offs, known)
            if new and ref_of(event) in unexplained:
                stretches_found.append(Stretch(of="count", after=_ref(done, since), until=ref_of(event), off=new))
            known |= {(each.who, each.what): _Known(each.n, place + 1) for each in offs}
            if not any(each.n for each in offs):
                agreed = place + 1
    return [*stretches_found, *_declared(done, _ref(done, agreed))]


def _new(off: Iterable[Off], known: Mapping[Number, _Known]) -> tuple[tuple[Off, ...], int]:
    """The numbers whose difference changed, and the place since when the first of them is off."""
    last = {(each.who, each.what): known.get((each.who, each.what), _Known()) for each in off}
    new = [
        structs.replace(each, carried=last[each.who, each.what].off)
        for each in off
        if each.n not in (0, last[each.who, each.what].off)
    ]
    return tuple(new), min((last[each.who, each.what].place for each in new), default=0)


def _ref(done: Replay, place: int) -> str:
    return ref_of(done.events[place - 1]) if place else "0"


def _declared(done: Replay, after: str) -> Iterator[Stretch]:
    """A stretch for each declared result that is off."""
    unexplained = {finding.n for finding in done.findings if finding.kind == "result" and finding.is_open}
    totals = {score.seat: score.total for score in done.scores()} if unexplained else {}
    for aside in asides(done.log.lines):
        if isinstance(aside, Declared) and aside.n in unexplained:
            off = [
                Off(who=result.seat, what=TOTAL, counted=result.points, folded=totals.get(result.seat, 0))
                for result in aside.results
            ]
            yield Stretch(of="result", after=after, until=str(aside.n), off=tuple(each for each in off if each.n))


# --- proposals -----------------------------------------------------------------------------------


def locate_slips(log: Log, stretch: Stretch, *, most: int = 10, effort: int = 250, who: str = "the count") -> Located:
    """The edits that explain a stretch best, the likeliest first.

    `effort` bounds the search by about so many replays of the log, a short one counted as a whole game; what lies
    nearest to the count is looked at first.
    `who` is whom a posting names that says the table did otherwise than the rules.
    """
    done = replay(log)
    wanted: Change = {(off.who, off.what): off.n for off in stretch.off}
    search = Search(
        done,
        of=stretch.of,
        after=0 if stretch.after == "0" else _place(done, stretch.after),
        until=_place(done, stretch.until) - 1 if stretch.of == "count" else len(done.events),
        wanted=wanted,
        budget=effort * min(max(len(log.lines), SHORT), LONG),
    )
    seen = Seen(who=who, why=f"as counted in {stretch.until}")
    slips = list(search.misplayed(seen))
    slips += [*search.carried_on(slips), *linked(search), *search.misrecorded()]
    if not any(slip.change == wanted for slip in slips):
        slips += search.misrecorded(anyway=True)
    shares = _shares(search)
    fitting = _fitting(slips, wanted, shares)[: scale_limit(MOST_AUDITED, len(done.events))]
    outcomes = [search.outcome(each) for each in fitting]
    groups = _ranked(outcomes, wanted, shares)
    groups += ([outcome] for outcome in search.ruled(seen))
    proposals = tuple(_proposal(log, stretch, search, group) for group in groups[:most])
    return Located(proposals=proposals, tried=search.tried, is_cut=search.is_cut)


def _place(done: Replay, ref: str) -> int:
    if ref not in done.places:
        raise AmendmentError(f"expected an event that stands, found '{ref}'")
    return done.places[ref]


def _fitting(slips: Sequence[Slip], wanted: Change, shares: Shares) -> list[tuple[Slip, ...]]:
    """Single slips that explain all; if there are none, pairs of slips, and slips that explain a part."""
    fitting: list[tuple[Slip, ...]] = [(slip,) for slip in slips if slip.change == wanted]
    if not fitting:
        partly = [(slip,) for slip in slips if slip.change and slip.change.items() <= wanted.items()]
        fitting = [*_likeliest(_pairs(slips, wanted, shares), shares)[:MOST_PAIRS], *_likeliest(partly, shares)]
        return fitting[:MOST_AUDITED]
    return _likeliest(fitting, shares)[:MOST_AUDITED]


def _likeliest(fitting: Iterable[tuple[Slip, ...]], shares: Shares) -> list[tuple[Slip, ...]]:
    return sorted(fitting, key=lambda slips: (-_share(slips, shares), -slips[-1].place))


def _pairs(slips: Iterable[Slip], wanted: Change, shares: Shares) -> Iterator[tuple[Slip, ...]]:
    """Two slips in different events that explain all together: of each change the likeliest slip."""
    likeliest: dict[frozenset[tuple[Number, int]], Slip] = {}
    for slip in slips:
        change = frozenset(slip.change.items())
        if change not in likeliest or _share([slip], shares) > _share([likeliest[change]], shares):
            likeliest[change] = slip
    for change, slip in likeliest.items():
        rest = dict(wanted)
        for key, n in change:
            rest[key] = rest.get(key, 0) - n
        other = likeliest.get(frozenset((key, n) for key, n in rest.items() if n))
        if other is not None and slip.edits[-1][0] < other.place:
            yield slip, other


def _shares(search: Search) -> Shares:
    """The share of a slip of weight 1 among all slips of its kind that were possible.

    A kind with few ways to happen here explains by chance less often than one with many. A slip that would have been
    noticed at once, or would not show in any count, is one of those ways.
    """
    return {kind: PRIORS[kind] / (weight + RARE) for kind, weight in search.possible.items() if weight}


def _ranked(outcomes: Iterable[Outcome], wanted: Change, shares: Shares) -> list[list[Outcome]]:
    """Outcomes in groups that the log cannot tell apart: the best group first, in each the likeliest first.

    What explains more and leaves fewer findings comes first, then one slip before two, then the likelier, then what
    lies nearer to the count.
    """
    groups: list[list[Outcome]] = []
    for outcome in sorted(outcomes, key=lambda each: (-_share(each.slips, shares), -each.slips[-1].place)):
        alike = next((group for group in groups if _is_alike(group[0], outcome)), None)
        if alike is None:
            groups.append([outcome])
        else:
            alike.append(outcome)

    def order(group: list[Outcome]) -> tuple[int, int, int, float, int]:
        first = group[0]
        wrong = sum(wanted.get(key, 0) != first.change.get(key, 0) for key in {*wanted, *first.change})
        share = sum(_share(outcome.slips, shares) for outcome in group)
        return wrong, first.open, len(first.slips), -share, -first.slips[-1].place

    return sorted(groups, key=order)


def _share(slips: Iterable[Slip], shares: Shares) -> float:
    share = 1.0
    for slip in slips:
        share *= shares.get(slip.kind, 0.0) * slip.weight
    return share


def _is_alike(one: Outcome, other: Outcome) -> bool:
    kinds, others = ([(slip.kind, slip.mode) for slip in outcome.slips] for outcome in (one, other))
    return kinds == others and (one.change, one.open, one.table) == (other.change, other.open, other.table)


def _proposal(log: Log, stretch: Stretch, search: Search, group: Sequence[Outcome]) -> Proposal:
    """The proposal of a group of outcomes that the log cannot tell apart."""
    first, *others = _distinct(tuple(_edits(outcome)) for outcome in group)
    mode = mode_of(group[0].slips)
    line = make_amendment(log, first, mode, by="", why="")
    return Proposal(
        kind=group[0].slips[0].kind if len(group[0].slips) == 1 else "two_slips",
        mode=mode,
        edits=first,
        left=tuple(_left(stretch, search, group[0].change)),
        open=sum(finding.is_open for finding in replay(log_with_line(log, line)).findings),
        alike=tuple(others[:MOST_ALIKE]),
    )


def _distinct(all_edits: Iterable[tuple[AnyEdit, ...]]) -> list[tuple[AnyEdit, ...]]:
    """One of all edits that have the same acts in the same places and move the same."""
    stories: dict[tuple[Any, ...], tuple[AnyEdit, ...]] = {}
    for edits in all_edits:
        stories.setdefault(tuple(_story(edit) for edit in edits), edits)
    return list(stories.values())


def _story(edit: AnyEdit) -> tuple[Any, ...]:
    """What an edit comes to, whatever its causes."""
    if isinstance(edit, Drop):
        return "drop", edit.at
    sums: Counter[Number] = Counter()
    for posting in edit.event.moved:
        sums[posting.who, posting.what] += posting.n
    return type(edit), edit.at, edit.event.do, frozenset((key, n) for key, n in sums.items() if n)


def _edits(outcome: Outcome) -> Iterator[AnyEdit]:
    return (edit for slip in outcome.slips for _, edit in slip.edits)


def _left(stretch: Stretch, search: Search, change: Change) -> Iterator[Off]:
    """What the change would not explain, or would bring about."""
    off = {(each.who, each.what): each for each in stretch.off}
    for who, what in dict.fromkeys((*off, *change)):
        n = search.before.get((who, what), 0)
        before = off.get((who, what)) or Off(who=who, what=what, counted=n, folded=n)
        after = structs.replace(before, folded=before.folded + change.get((who, what), 0))
        if after.n:
            yield after
