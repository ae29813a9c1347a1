"""A slip: what the scribe or the table may have done otherwise, as the edits that would put it right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.audit import Key
from spyrium_log.log.lines import AnyEdit, AnyEventBody, Event, Mode
from spyrium_log.title import Adjusted, AnyPosting, Posting, Seen

SlipKind: TypeAlias = Literal[
    "missed",  # the table did not pay or take it
    "twice",  # the table paid or took it twice
    "amount",  # the table paid or took another amount
    "other_resource",  # the table moved something else
    "other_seat",  # the table gave it to, or took it from, somebody else
    "other_choice",  # the same kind of act with another card, place, token …
    "unsaid",  # the same act, with a part of it that was not written down
    "other_act",  # another kind of act altogether
    "choice_and_use",  # an act with another choice, and a later one that names what was chosen
    "swapped",  # two acts of one seat, in the other order
    "forgotten",  # it happened and was not written down
    "doubled",  # it happened once and was written down twice
    "never",  # it was written down and did not happen
    "ruled",  # nobody knows: the count stands
]

# Each further field of an act that would have been written wrong at once, and each further unit that an amount would
# have been wrong by: so much less likely. Only the order of size matters.
PER_FIELD = 0.3
PER_UNIT = 0.4


Number: TypeAlias = tuple[int, str]
Change: TypeAlias = dict[Number, int]
Otherwise: TypeAlias = tuple[SlipKind, float, tuple[AnyPosting, ...]]


@dataclass(frozen=True, slots=True)
class Slip:
    """Edits by place, how they change the count, and the weight of the slip among its kind.

    Most slips are one edit; where one entry led to another, they are two.
    """

    kind: SlipKind
    mode: Mode
    edits: tuple[tuple[int, AnyEdit], ...]
    weight: float
    change: Change

    @property
    def place(self) -> int:
        return self.edits[0][0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a log comes to with these slips corrected: the numbers and the table at the count, open findings."""

    slips: tuple[Slip, ...]
    change: Change
    table: Struct
    open: int


def mode_of(slips: Iterable[Slip]) -> Mode:
    """The mode of the amendment: misrecorded if any slip is, for what a person saw stays anyway."""
    return "misrecorded" if any(slip.mode == "misrecorded" for slip in slips) else "misplayed"


def without_postings(event: Event, seen: Seen, keys: Sequence[Key]) -> tuple[AnyPosting, ...]:
    """The event's postings with some replaced by a seen 0."""
    kept = [each for each in event.moved if (each.who, each.what, each.why) not in keys]
    return (*kept, *(Posting(who, what, 0, why, seen) for who, what, why in keys))


_TOGETHER: tuple[Callable[[Key], Any], ...] = (itemgetter(0, 1), itemgetter(0), itemgetter(2))


def forgotten_together(due: Iterable[Key]) -> Iterator[tuple[Key, ...]]:
    """Groups that are forgotten together: of one seat and resource, of one seat, of one cause."""
    seen = set()
    for same in _TOGETHER:
        groups: dict[Any, list[Key]] = {}
        for key in due:
            groups.setdefault(same(key), []).append(key)
        for group in map(tuple, groups.values()):
            if len(group) > 1 and group not in seen:
                seen.add(group)
                yield group


def likeness(act: Any, other: Any) -> float:
    """How alike two acts of one kind are: less for each field that differs."""
    fields = sum(getattr(act, name) != getattr(other, name) for name in act.__struct_fields__)
    return float(PER_FIELD ** (fields - 1))


def other_choices(act: Any, legal: Iterable[Any]) -> Iterator[tuple[SlipKind, float, Any]]:
    """The acts that this one may have been written for, each with its share among its kind."""
    kinds: dict[SlipKind, list[tuple[float, Any]]] = {}
    for other in legal:
        if other != act:
            kind: SlipKind = "other_act" if type(other) is not type(act) else "other_choice"
            kind = "unsaid" if kind == "other_choice" and _is_unsaid(act, other) else kind
            kinds.setdefault(kind, []).append((1.0 if kind == "other_act" else likeness(other, act), other))
    for kind, others in kinds.items():
        weight = sum(each for each, _ in others)
        yield from ((kind, each / weight, other) for each, other in others)


def _is_unsaid(act: Any, other: Any) -> bool:
    """Whether the other act only fills in fields that this one leaves at their defaults."""
    return all(
        getattr(act, field.name) in (getattr(other, field.name), field.default) for field in structs.fields(type(act))
    )


def entry_key(event: Event) -> tuple[Any, tuple[AnyPosting, ...]]:
    """What makes two entries the same: the act, and for ruled numbers the postings."""
    return event.do, event.moved if isinstance(event.do, Adjusted) else ()


def edited_event(event: Event, edited: AnyEventBody) -> Event:
    return structs.replace(event, do=edited.do, moved=edited.moved, facts=edited.facts)
