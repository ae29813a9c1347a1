"""Two recordings of one evening, laid side by side: what both tell, and what each tells otherwise.

Whoever recorded the second may have seated the players in another order, or spelled them in another way: who is who is
found out first and said. Then the two timelines are aligned, and parts of the second can be taken into the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

from spyrium_log.edit.amend import make_amendment
from spyrium_log.edit.pairs import Item, Pair, causes_of, grouped
from spyrium_log.errors import AmendmentError, ComparisonError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import (
    Amendment,
    AnyEdit,
    AnyHeader,
    Drop,
    Event,
    EventBody,
    InsertAfter,
    Mode,
    Replace,
    SeatAt,
)
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Difference, compare_sheets
from spyrium_log.title import reseated

# Two games of 2,000 events without a common beginning or end take some seconds.
MOST_CELLS = 4_000_000
# From this likeness on, two names are taken for two spellings of one.
ALIKE = 0.7
PREFIX = 0.8

How: TypeAlias = Literal["name", "spelling", "colour", "order", "said"]
# For each seat of the second recording the seat in the first, given by the user.
Seats: TypeAlias = Mapping[int, int]


class SeatMatch(Struct, frozen=True, kw_only=True):
    """The player at seat `a` of one recording sits at seat `b` of the other, and how that is known."""

    a: int
    b: int
    how: How


class HeaderDifference(Struct, frozen=True, kw_only=True):
    what: str
    a: str
    b: str


class Hunk(Struct, frozen=True, kw_only=True):
    """Events that follow each other, by their names in either recording.

    `same` in both; in `a` only; in `b` only; `otherwise`: one event that is told as another act, or as the same act
    with other effects (`what`). `number` counts the differences from 1; one that only `follows_from` another, and is
    none any more where that one is taken over, has its number (0: none).
    """

    kind: Literal["same", "a", "b", "otherwise"]
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    what: Literal["", "act", "effects"] = ""
    number: int = 0
    follows_from: int = 0


class Comparison(Struct, frozen=True, kw_only=True):
    """Two recordings compared. `sheet`: printed values that the second one has otherwise, readings included."""

    seats: tuple[SeatMatch, ...]
    header: tuple[HeaderDifference, ...]
    sheet: tuple[Difference, ...]
    hunks: tuple[Hunk, ...]

    @property
    def is_same(self) -> bool:
        """Whether the timelines are the same, whatever the headers say."""
        return all(hunk.kind == "same" for hunk in self.hunks)


Pick: TypeAlias = Hunk | str


def compare_logs(a: Log, b: Log, seats: Seats | None = None) -> Comparison:
    """Compare two recordings of one game."""
    one, other, matches = _replayed(a, b, seats)
    return Comparison(
        seats=tuple(matches),
        header=tuple(_header_differences(one.header, other.header, matches)),
        sheet=tuple(compare_sheets(one.sheet, other.sheet)),
        hunks=tuple(_hunks(one, _pairs(one, other, matches))),
    )


def make_edits(a: Log, b: Log, picks: Iterable[Pick], seats: Seats | None = None) -> list[AnyEdit]:
    """The edits that take parts of `b` into `a`: hunks, or events of `b` by name. A hunk of `a` only is dropped.

    `amend.consequences` says what they would change.
    """
    pairs = _pairs(*_replayed(a, b, seats))
    drops: set[str] = set()
    takes: set[str] = set()
    for pick in picks:
        if isinstance(pick, str):
            takes.add(pick)
        else:
            takes.update(pick.b)
            drops.update(pick.a if pick.kind == "a" else ())
    known = {pair.b.ref for pair in pairs if pair.b}
    if lost := sorted(takes - known) or sorted(drops - {pair.a.ref for pair in pairs if pair.a}):
        raise AmendmentError(
            f"expected an event that stands, found '{lost[0]}', at {b.file if takes - known else a.file}"
        )
    return list(_edits(pairs, drops, takes))


def make_merging_amendment(
    a: Log,
    b: Log,
    picks: Iterable[Pick],
    *,
    by: str,
    at: datetime | None = None,
    why: str,
    mode: Mode = "misrecorded",
    seats: Seats | None = None,
) -> Amendment:
    """One line that takes these parts of `b` into `a`.

    Where that is too much for one line, pick some, append it, and compare again: what was taken is the same by then.
    """
    return make_amendment(a, make_edits(a, b, picks, seats), mode, by=by, at=at, why=why)


# --- who is who ----------------------------------------------------------------------------------


def _replayed(a: Log, b: Log, given_seats: Seats | None) -> tuple[Replay, Replay, list[SeatMatch]]:
    """Both logs replayed, and who is who; refused if they are not of one game."""
    if a.title.key != b.title.key:
        raise ComparisonError(f"expected another game of '{a.title.key}', found '{b.title.key}', at {b.file}")
    one, other = replay(a, audit=False), replay(b, audit=False)
    seats, count = len(one.header.seats), len(other.header.seats)
    if seats != count:
        raise ComparisonError(f"expected a game of {seats} players, found {count}, at {b.file}")
    if given_seats is None:
        return one, other, _matches(one.header.seats, other.header.seats)
    every = list(range(1, seats + 1))
    if sorted(given_seats) != every or sorted(given_seats.values()) != every:
        raise ComparisonError(f"expected each seat from 1 to {seats} once, found {dict(given_seats)}")
    return (
        one,
        other,
        [SeatMatch(a=a, b=b, how="said") for b, a in sorted(given_seats.items(), key=lambda pair: pair[1])],
    )


_Seat: TypeAlias = SeatAt[Any]


def _matches(one: Sequence[_Seat], other: Sequence[_Seat]) -> list[SeatMatch]:
    """Match by name, then by a similar name, by colour, and by order."""
    left, free = dict(enumerate(one, 1)), dict(enumerate(other, 1))
    matches: list[SeatMatch] = []

    def take(pairs: Iterable[tuple[int, int]], how: How) -> None:
        for a, b in pairs:
            if a in left and b in free:
                del left[a], free[b]
                matches.append(SeatMatch(a=a, b=b, how=how))

    take(list(_by_word(left, free, lambda seat: " ".join(seat.player.casefold().split()))), "name")
    take(_by_spelling(left, free), "spelling")
    take(list(_by_word(left, free, lambda seat: seat.colour.casefold())), "colour")
    take(list(zip(left, free, strict=True)), "order")
    return sorted(matches, key=lambda match: match.a)


def _by_word(
    one: dict[int, _Seat], other: dict[int, _Seat], word_of: Callable[[_Seat], str]
) -> Iterator[tuple[int, int]]:
    """Seats with the same word, if only one seat on each side has it."""
    seats: list[dict[str, list[int]]] = [{}, {}]
    for by_word, side in zip(seats, (one, other), strict=True):
        for number, seat in side.items():
            by_word.setdefault(word_of(seat), []).append(number)
    for word, (a, *more) in seats[0].items():
        if not more and len(others := seats[1].get(word, [])) == 1:
            yield a, others[0]


def _by_spelling(one: dict[int, _Seat], other: dict[int, _Seat]) -> list[tuple[int, int]]:
    """Seats with similar names, the most similar first."""
    alike = [(_likeness(x.player, y.player), a, b) for a, x in one.items() for b, y in other.items()]
    return [(a, b) for likeness, a, b in sorted(alike, key=lambda each: (-each[0], *each[1:])) if likeness >= ALIKE]


def _likeness(one: str, other: str) -> float:
    short, long = sorted((one.casefold().strip(), other.casefold().strip()), key=len)
    is_short_for = bool(short) and long.startswith(short)
    return max(PREFIX if is_short_for else 0.0, SequenceMatcher(None, short, long, autojunk=False).ratio())


def _header_differences(a: AnyHeader, b: AnyHeader, matches: Sequence[SeatMatch]) -> Iterator[HeaderDifference]:
    """The fields in which the headers differ."""
    seat_in_a = {match.b: match.a for match in matches}
    if any(match.a != match.b for match in matches):
        orders = [", ".join(seat.player for seat in header.seats) for header in (a, b)]
        yield HeaderDifference(what="order", a=orders[0], b=orders[1])
    for match in matches:
        one, other = a.seats[match.a - 1], b.seats[match.b - 1]
        for name in ("player", "colour", "start"):
            yield from _differing(f"seat {match.a} {name}", getattr(one, name), getattr(other, name))
    yield from _differing("first", a.first, seat_in_a.get(b.first, b.first))
    for name in ("played", "place", "source", "rules", "edition"):
        yield from _differing(name, getattr(a, name), getattr(b, name))
    for field in structs.fields(a.options):
        yield from _differing(field.encode_name, getattr(a.options, field.name), getattr(b.options, field.name))


def _differing(what: str, a: Any, b: Any) -> Iterator[HeaderDifference]:
    if a != b:
        yield HeaderDifference(what=what, a=_value_text(a), b=_value_text(b))


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{n} {what}" for what, n in value)
    return "" if value is None else str(value)


# --- side by side --------------------------------------------------------------------------------


def _item(event: Event, seats: dict[int, int]) -> Item:
    do, moved, facts = (reseated(each, seats) for each in (event.do, event.moved, event.facts))
    event_told: EventBody[Any, Any, Any] = EventBody(do=do, moved=moved, facts=facts)
    own = structs.replace(event, do=do, moved=moved, facts=facts) if seats else event
    return Item(ref_of(event), event_told, msgspec.json.encode(do), (Counter(moved), Counter(facts)), own)


def _pairs(one: Replay, other: Replay, matches: Sequence[SeatMatch]) -> list[Pair]:
    """Align both timelines: equal acts first, then in the gaps acts that replace each other."""
    a = [_item(event, {}) for event in one.events]
    seats = {match.b: match.a for match in matches}
    b = [_item(event, seats) for event in other.events]
    counts, other_counts = Counter(item.key for item in a), Counter(item.key for item in b)

    def same(x: Item, y: Item) -> int:
        # an act that happens once, like a deal, is a better anchor than a pass
        if x.key != y.key:
            return 0
        return 2 + (x.effects == y.effects) + 4 * (counts[x.key] == other_counts[y.key] == 1)

    pairs: list[Pair] = []
    for is_gap, neighbours in groupby(_aligned(a, b, same), lambda pair: pair.a is None or pair.b is None):
        gap = list(neighbours)
        pairs += _aligned([x for x, _ in gap if x], [y for _, y in gap if y], _stand_in_weight) if is_gap else gap
    return pairs


def _stand_in_weight(x: Item, y: Item) -> int:
    """How well one act may replace the other: of the same kind by the same seat, or another by that seat."""
    one, other = x.body.do, y.body.do
    seat = getattr(one, "seat", None)
    if seat != getattr(other, "seat", None):
        return 0
    if type(one) is type(other):
        return 3
    return 2 if seat is not None else 0


def _aligned(a: Sequence[Item], b: Sequence[Item], weight: Callable[[Item, Item], int]) -> list[Pair]:
    """The pairs of greatest weight in the order of both; of equal ways the one that pairs earlier."""
    start = _common_length(a, b)
    end = _common_length(a[start:][::-1], b[start:][::-1])
    x, y = a[start : len(a) - end], b[start : len(b) - end]
    if len(x) * len(y) > MOST_CELLS:
        found = f"{len(x):,} and {len(y):,} events between those in common"
        raise ComparisonError(f"expected recordings that can be laid side by side, found {found}")
    middle = _heaviest(x, y, weight)
    heads = map(Pair, a[:start], b[:start])
    return [*heads, *middle, *map(Pair, a[len(a) - end :], b[len(b) - end :])]


def _common_length(a: Sequence[Item], b: Sequence[Item]) -> int:
    """Number of equal items at the beginning."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (x, y) in pairs if x[2:4] != y[2:4]), min(len(a), len(b)))


def _heaviest(a: Sequence[Item], b: Sequence[Item], weight: Callable[[Item, Item], int]) -> Iterator[Pair]:
    """The pairs of greatest weight in the order of both, by dynamic programming."""
    weights = [[weight(x, y) for y in b] for x in a]
    # the weight of the best way from here on
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        below, row = best[i + 1], best[i]
        for j in reversed(range(len(b))):
            paired = weights[i][j] and weights[i][j] + below[j + 1]
            row[j] = max(below[j], row[j + 1], paired)
    i = j = 0
    while i < len(a) and j < len(b):
        if weights[i][j] and best[i][j] == weights[i][j] + best[i + 1][j + 1]:
            yield Pair(a[i], b[j])
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            yield Pair(a[i], None)
            i += 1
        else:
            yield Pair(None, b[j])
            j += 1
    yield from (Pair(x, None) for x in a[i:])
    yield from (Pair(None, y) for y in b[j:])


def _hunks(one: Replay, pairs: Sequence[Pair]) -> Iterator[Hunk]:
    """Group the pairs; each event that differs is a hunk by itself, so that it can be picked."""
    for group, number, cause in grouped(pairs, causes_of(one, pairs)):
        yield Hunk(
            kind=_kind(group[0]),
            a=tuple(pair.a.ref for pair in group if pair.a),
            b=tuple(pair.b.ref for pair in group if pair.b),
            what=group[0].what,
            number=number,
            follows_from=cause,
        )


def _kind(pair: Pair) -> Literal["same", "a", "b", "otherwise"]:
    if pair.b is None:
        return "a"
    if pair.a is None:
        return "b"
    return "otherwise" if pair.what else "same"


# --- taken over ----------------------------------------------------------------------------------


def _edits(pairs: Iterable[Pair], drops: set[str], takes: set[str]) -> Iterator[AnyEdit]:
    # an inserted event follows the last event before it that is kept
    """The edits that drop and take these events."""
    stays = "0"
    for pair in pairs:
        if pair.a is None:
            if pair.b is not None and pair.b.ref in takes:
                yield InsertAfter(at=stays, event=pair.b.body)
            continue
        if pair.b is None and pair.a.ref in drops:
            yield Drop(at=pair.a.ref)
            continue
        stays = pair.a.ref
        if pair.b is not None and pair.b.ref in takes and pair.what:
            yield Replace(at=stays, event=pair.b.body)
