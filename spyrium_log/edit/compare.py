"""Two recordings of one game side by side: who is who, where they differ, and parts of one taken into the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, structs

from spyrium_log.edit.amend import make_event_body_with
from spyrium_log.edit.pairs import Item, Pair, find_causes
from spyrium_log.errors import AmendmentError, ComparisonError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit, AnyHeader, Drop, Event, InsertAfter, Replace, SeatAt
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Difference, compare_sheets
from spyrium_log.title import Effects, with_seats

# Two games of 2,000 events without a common beginning or end take some seconds.
MOST_CELLS = 4_000_000
# From this likeness on, two names are taken for two spellings of one; a name and its beginning are so alike.
ALIKE = 0.7
PREFIX = 0.8

How: TypeAlias = Literal["name", "spelling", "colour", "order", "said"]
# For each seat of the second recording the seat in the first, given by the user.
Seats: TypeAlias = Mapping[int, int]
_Seat: TypeAlias = SeatAt[Any]
HeaderValue: TypeAlias = str | int | tuple[tuple[str, int], ...] | None


class SeatMatch(Struct, frozen=True, kw_only=True):
    """The player at seat `a` of one recording sits at seat `b` of the other, and how that is known."""

    a: int
    b: int
    how: How


class HeaderDifference(Struct, frozen=True, kw_only=True):
    """A field of the header with its value in either recording."""

    what: str
    a: str
    b: str


class Hunk(Struct, frozen=True, kw_only=True):
    """Events that follow each other, by their names in either recording.

    `same` in both; in `a` only; in `b` only; `otherwise`: one event with another act, or the same act with other
    effects (`what`). `number` counts the differences from 1; one that only `follows_from` another, and is none any more
    where that one is taken over, has its number (0: none).
    """

    kind: Literal["same", "a", "b", "otherwise"]
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    what: Literal["", "act", "effects"] = ""
    number: int = 0
    follows_from: int = 0


class Comparison(Struct, frozen=True, kw_only=True):
    """Two recordings compared. `sheet`: printed values that differ in the second, readings included."""

    seats: tuple[SeatMatch, ...]
    header: tuple[HeaderDifference, ...]
    sheet: tuple[Difference, ...]
    hunks: tuple[Hunk, ...]

    @property
    def is_same(self) -> bool:
        """Whether the timelines are the same, whatever the headers say."""
        return all(hunk.kind == "same" for hunk in self.hunks)


Pick: TypeAlias = Hunk | str


def compare_logs(first: Log, second: Log, seats: Seats | None = None) -> Comparison:
    """Compare two recordings of one game, for `compare`; `seats` says who is who if the names do not."""
    game, other = _replay_both(first, second)
    matches = _find_matches(game, other, seats)
    return Comparison(
        seats=tuple(matches),
        header=tuple(_compare_headers(game.header, other.header, matches)),
        sheet=tuple(compare_sheets(game.sheet, other.sheet)),
        hunks=tuple(_make_hunks(game, _pair_events(game, other, matches))),
    )


def make_edits(first: Log, second: Log, picks: Iterable[Pick], seats: Seats | None = None) -> list[AnyEdit]:
    """The edits that take parts of the second log into the first: hunks, or events of the second by name.

    A hunk of events in the first only is dropped. Where that is too much for one amendment, take some, append it, and
    compare again: what was taken is the same by then.
    """
    game, other = _replay_both(first, second)
    pairs = _pair_events(game, other, _find_matches(game, other, seats))
    drops: set[str] = set()
    takes: set[str] = set()
    for pick in picks:
        if isinstance(pick, str):
            takes.add(pick)
        else:
            takes.update(pick.b)
            drops.update(pick.a if pick.kind == "a" else ())
    _check_refs(takes, (pair.b for pair in pairs), second.file)
    _check_refs(drops, (pair.a for pair in pairs), first.file)
    return list(_make_taking_edits(pairs, drops, takes))


def _check_refs(refs: set[str], items: Iterable[Item | None], file: str) -> None:
    """Refuse a name of an event that does not stand in this recording."""
    unknown = sorted(refs - {item.ref for item in items if item})
    if unknown:
        raise AmendmentError("standing-event-at", found=unknown[0], place=file)


def _make_taking_edits(pairs: Iterable[Pair], drops: set[str], takes: set[str]) -> Iterator[AnyEdit]:
    """The edits that drop events of the first recording and take events of the second, both by name."""
    # an inserted event follows the last event before it that is kept; 0 is the header
    last_kept = "0"
    for pair in pairs:
        taken = pair.b if pair.b is not None and pair.b.ref in takes else None
        body = make_event_body_with(taken.event.do, Effects(taken.event.moved, taken.event.facts)) if taken else None
        if pair.a is None:
            if body is not None:
                yield InsertAfter(at=last_kept, event=body)
            continue
        if pair.b is None and pair.a.ref in drops:
            yield Drop(at=pair.a.ref)
            continue
        last_kept = pair.a.ref
        if body is not None and pair.what:
            yield Replace(at=last_kept, event=body)


def _replay_both(first: Log, second: Log) -> tuple[Replay, Replay]:
    """Both logs replayed; refused if they cannot be of one game, by their title and number of players."""
    key, other_key = first.title.key, second.title.key
    if key != other_key:
        raise ComparisonError("other-title", title=key, found=other_key, place=second.file)
    count, other_count = len(first.header.seats), len(second.header.seats)
    if count != other_count:
        raise ComparisonError("players", n=count, found=other_count, place=second.file)
    return replay(first, audit=False), replay(second, audit=False)


def _find_matches(game: Replay, other: Replay, given_seats: Seats | None) -> list[SeatMatch]:
    """Who is who, by the seats that the user gave, which must be all of them, else by names, colours and order."""
    if given_seats is None:
        return _match_seats(game.header.seats, other.header.seats)
    count = len(game.header.seats)
    if not sorted(given_seats) == sorted(given_seats.values()) == list(range(1, count + 1)):
        raise ComparisonError("each-seat", most=count, found=str(dict(given_seats)))
    pairs = sorted((seat, other_seat) for other_seat, seat in given_seats.items())
    return [SeatMatch(a=seat, b=other_seat, how="said") for seat, other_seat in pairs]


def _match_seats(first: Sequence[_Seat], second: Sequence[_Seat]) -> list[SeatMatch]:
    """Who of the second recording is who of the first: by name, then by a similar name, by colour, by order."""
    left, free = dict(enumerate(first, 1)), dict(enumerate(second, 1))
    matches: list[SeatMatch] = []

    def match_free(pairs: Iterable[tuple[int, int]], how: How) -> None:
        """Match these pairs of seats, as far as both are still free."""
        for seat, other_seat in pairs:
            if seat in left and other_seat in free:
                del left[seat], free[other_seat]
                matches.append(SeatMatch(a=seat, b=other_seat, how=how))

    match_free(_pair_by_word(left, free, lambda seat: " ".join(seat.player.casefold().split())), "name")
    match_free(_pair_by_spelling(left, free), "spelling")
    match_free(_pair_by_word(left, free, lambda seat: seat.colour.casefold()), "colour")
    match_free(list(zip(left, free, strict=True)), "order")
    return sorted(matches, key=lambda match: match.a)


def _pair_by_word(
    first: dict[int, _Seat], second: dict[int, _Seat], word_of: Callable[[_Seat], str]
) -> list[tuple[int, int]]:
    """Pairs of seats, first and second, with the same word, if only one seat on each side has it."""
    words, other_words = ([word_of(seat) for seat in seats.values()] for seats in (first, second))
    unique = {word for word in words if words.count(word) == other_words.count(word) == 1}
    other_seats = dict(zip(other_words, second, strict=True))
    return [(seat, other_seats[word]) for seat, word in zip(first, words, strict=True) if word in unique]


def _pair_by_spelling(first: dict[int, _Seat], second: dict[int, _Seat]) -> list[tuple[int, int]]:
    """Pairs of seats, first and second, whose names may be two spellings of one, the most similar first."""
    # negative, so that the most similar are sorted first
    likenesses = [
        (-_rate_likeness(player.player, other.player), seat, other_seat)
        for seat, player in first.items()
        for other_seat, other in second.items()
    ]
    return [(seat, other_seat) for likeness, seat, other_seat in sorted(likenesses) if -likeness >= ALIKE]


def _rate_likeness(first: str, second: str) -> float:
    """How alike two names are, from 0 to 1; a name and its beginning, as Ann and Anna, at least PREFIX."""
    short, long = sorted((first.casefold().strip(), second.casefold().strip()), key=len)
    is_short_for = bool(short) and long.startswith(short)
    # "junk" would be the letters that a long name has often
    return max(PREFIX if is_short_for else 0.0, SequenceMatcher(None, short, long, autojunk=False).ratio())


def _compare_headers(first: AnyHeader, second: AnyHeader, matches: Sequence[SeatMatch]) -> Iterator[HeaderDifference]:
    """The fields in which the headers differ, the second one read with the seats of the first."""
    if any(match.a != match.b for match in matches):
        orders = [", ".join(seat.player for seat in header.seats) for header in (first, second)]
        yield HeaderDifference(what="order", a=orders[0], b=orders[1])
    for match in matches:
        seat, other_seat = first.seats[match.a - 1], second.seats[match.b - 1]
        for name in ("player", "colour", "start"):
            yield from _compare_values(f"seat {match.a} {name}", getattr(seat, name), getattr(other_seat, name))
    seat_in_first = {match.b: match.a for match in matches}
    yield from _compare_values("first", first.first, seat_in_first.get(second.first, second.first))
    for name in ("played", "place", "source", "rules", "edition"):
        yield from _compare_values(name, getattr(first, name), getattr(second, name))
    for field in structs.fields(first.options):
        values = (getattr(header.options, field.name) for header in (first, second))
        yield from _compare_values(field.encode_name, *values)


def _compare_values(what: str, first: HeaderValue, second: HeaderValue) -> Iterator[HeaderDifference]:
    """The difference of one field of the header; none where the values are equal."""
    if first != second:
        yield HeaderDifference(what=what, a=_format_value(first), b=_format_value(second))


def _format_value(value: HeaderValue) -> str:
    """A field of the header as text: `8 money, 2 spyrium` for what a seat starts with, empty for None."""
    if isinstance(value, tuple):
        return ", ".join(f"{n} {what}" for what, n in value)
    return "" if value is None else str(value)


def _make_item(event: Event, seats: Mapping[int, int]) -> Item:
    """The event in the form in which events are compared; `seats`: for each of its seats the one that it becomes."""
    if seats:
        do, moved, facts = (with_seats(part, seats) for part in (event.do, event.moved, event.facts))
        event = structs.replace(event, do=do, moved=moved, facts=facts)
    return Item(event, msgspec.json.encode(event.do), (Counter(event.moved), Counter(event.facts)))


def _pair_events(game: Replay, other: Replay, matches: Sequence[SeatMatch]) -> list[Pair]:
    """Align both timelines: equal acts first, then in the gaps acts that replace each other."""
    seats = {match.b: match.a for match in matches}
    first = [_make_item(event, {}) for event in game.events]
    second = [_make_item(event, seats) for event in other.events]
    counts, other_counts = Counter(item.act for item in first), Counter(item.act for item in second)

    def weigh_equal(item: Item, other: Item) -> int:
        """How well two equal acts pair, 0 for others: one that happens once, like a deal, better than a pass."""
        if item.act != other.act:
            return 0
        is_unique = counts[item.act] == other_counts[item.act] == 1
        # only the order of the weights matters
        return 2 + (item.effects == other.effects) + 4 * is_unique

    pairs: list[Pair] = []
    aligned = _align_items(first, second, weigh_equal)
    for is_gap, neighbours in groupby(aligned, lambda pair: pair.a is None or pair.b is None):
        gap = list(neighbours)
        left, right = [pair.a for pair in gap if pair.a], [pair.b for pair in gap if pair.b]
        pairs += _align_items(left, right, _weigh_replacement) if is_gap else gap
    return pairs


def _weigh_replacement(item: Item, other: Item) -> int:
    """How well one act may replace the other, 0 for not at all: of the same kind by the same seat, or of that seat."""
    act, other_act = item.event.do, other.event.do
    seat = getattr(act, "seat", None)
    if seat != getattr(other_act, "seat", None):
        return 0
    # only the order of the weights matters
    if type(act) is type(other_act):
        return 3
    return 0 if seat is None else 2


def _align_items(first: Sequence[Item], second: Sequence[Item], weigh: Callable[[Item, Item], int]) -> list[Pair]:
    """The pairs of greatest weight, in order; the same beginning and end are paired without a search."""
    start = _count_common_items(first, second)
    # the same from the end backwards
    end = _count_common_items(first[start:][::-1], second[start:][::-1])
    left, right = first[start : len(first) - end], second[start : len(second) - end]
    if len(left) * len(right) > MOST_CELLS:
        raise ComparisonError("too-different", n=f"{len(left):,}", found=f"{len(right):,}")
    tail = map(Pair, first[len(first) - end :], second[len(second) - end :])
    return [*map(Pair, first[:start], second[:start]), *_find_heaviest_pairs(left, right, weigh), *tail]


def _count_common_items(first: Sequence[Item], second: Sequence[Item]) -> int:
    """Number of equal items at the beginning of both."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((place for place, (item, other) in pairs if not item.is_equal(other)), shorter)


def _find_heaviest_pairs(
    first: Sequence[Item], second: Sequence[Item], weigh: Callable[[Item, Item], int]
) -> Iterator[Pair]:
    """The pairs of greatest weight in the order of both; an item that no pair of them holds is paired with None."""
    weights = [[weigh(item, other) for other in second] for item in first]
    best = _sum_best_weights(weights, len(second))
    row = column = 0
    while row < len(first) and column < len(second):
        weight, best_here = weights[row][column], best[row][column]
        if weight and best_here == weight + best[row + 1][column + 1]:
            yield Pair(first[row], second[column])
            row, column = row + 1, column + 1
        elif best_here == best[row + 1][column]:
            yield Pair(first[row], None)
            row += 1
        else:
            yield Pair(None, second[column])
            column += 1
    yield from (Pair(item, None) for item in first[row:])
    yield from (Pair(None, item) for item in second[column:])


def _sum_best_weights(weights: Sequence[Sequence[int]], columns: int) -> list[list[int]]:
    """By row and column, the weight of the best pairs from there to the end: dynamic programming from the end on."""
    best = [[0] * (columns + 1) for _ in range(len(weights) + 1)]
    for row in reversed(range(len(weights))):
        below, here = best[row + 1], best[row]
        for column in reversed(range(columns)):
            weight = weights[row][column]
            paired = weight + below[column + 1] if weight else 0
            here[column] = max(below[column], here[column + 1], paired)
    return best


def _make_hunks(game: Replay, pairs: Sequence[Pair]) -> Iterator[Hunk]:
    """The pairs in groups, for people, with the differences numbered in their order."""
    causes = find_causes(game, pairs)
    numbers: dict[int, int] = {}
    differences = 0
    for group in _group_pairs(pairs, causes):
        place = min(group)
        first = group[place]
        is_difference = first.kind != "same"
        differences += is_difference
        numbers |= dict.fromkeys(group, differences)
        yield Hunk(
            kind=first.kind,
            a=tuple(pair.a.ref for pair in group.values() if pair.a),
            b=tuple(pair.b.ref for pair in group.values() if pair.b),
            what=first.what,
            number=differences if is_difference else 0,
            follows_from=numbers[causes[place]] if place in causes else 0,
        )


def _group_pairs(pairs: Sequence[Pair], causes: Mapping[int, int]) -> Iterator[dict[int, Pair]]:
    """Runs of pairs of one kind and cause, by place; two events that differ are alone, so that each can be picked."""

    def kind_of(placed_pair: tuple[int, Pair]) -> tuple[bool, bool, int | None, int | None]:
        """What adjacent pairs of one group share."""
        place, pair = placed_pair
        return pair.a is None, pair.b is None, place if pair.what else None, causes.get(place)

    for _, placed_pairs in groupby(enumerate(pairs), kind_of):
        yield dict(placed_pairs)
