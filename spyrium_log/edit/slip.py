"""A slip: what the scribe or the table may have done wrong, as the edits that would put it right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.edit.amend import AnyAct
from spyrium_log.ledger import SeatResource
from spyrium_log.log.lines import AnyEdit, AnyEventBody, Event, Mode
from spyrium_log.title import Adjusted, AnyPosting, Posting, PostingKey, Seen, posting_key

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

Change: TypeAlias = dict[SeatResource, int]
Postings: TypeAlias = tuple[AnyPosting, ...]
# The postings of an event as they may have been, with the kind of the slip and its weight.
OtherPostings: TypeAlias = tuple[SlipKind, float, Postings]
PlacedEdit: TypeAlias = tuple[int, AnyEdit]


@dataclass(frozen=True, slots=True)
class Slip:
    """One or two edits, each with its place; `change` of the counted numbers; `weight` among slips of its kind."""

    kind: SlipKind
    mode: Mode
    edits: tuple[PlacedEdit, ...]
    weight: float
    change: Change

    @property
    def place(self) -> int:
        """The place of the first edit, from which the events are folded anew."""
        return self.edits[0][0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a log comes to with these slips corrected: the numbers and the table at the count, open findings."""

    slips: tuple[Slip, ...]
    change: Change
    table: Struct
    open: int


class Off(Struct, frozen=True, kw_only=True):
    """A counted number, the number by the log, and the difference that was known before."""

    who: int
    what: str
    counted: int
    folded: int
    carried: int = 0

    @property
    def n(self) -> int:
        """The difference that is to be explained: apart from what was known before."""
        return self.counted - self.folded - self.carried

    @property
    def key(self) -> SeatResource:
        """Whose and what the number is."""
        return self.who, self.what


class Stretch(Struct, frozen=True, kw_only=True):
    """From the last count that agreed (`0`: none) to one that does not; for a declared result, to the end."""

    of: Literal["count", "result"]
    after: str
    until: str
    off: tuple[Off, ...]


def choose_mode(slips: Iterable[Slip]) -> Mode:
    """The mode of the amendment: misrecorded if any slip is, for what a person saw stays anyway."""
    return "misrecorded" if any(slip.mode == "misrecorded" for slip in slips) else "misplayed"


def zero_postings(event: Event, seen: Seen, keys: Sequence[PostingKey]) -> Postings:
    """The event's postings with 0 instead of those of these keys, which `seen` says the table missed."""
    others = [posting for posting in event.moved if posting_key(posting) not in keys]
    return (*others, *(Posting(who, what, 0, why, seen) for who, what, why in keys))


def group_forgotten_together(keys: Iterable[PostingKey]) -> Iterable[tuple[PostingKey, ...]]:
    """Groups of two or more keys that are easily forgotten at once: of one seat and resource, one seat, one cause."""
    by_seat_and_resource: defaultdict[SeatResource, list[PostingKey]] = defaultdict(list)
    by_seat: defaultdict[int, list[PostingKey]] = defaultdict(list)
    by_cause: defaultdict[str, list[PostingKey]] = defaultdict(list)
    for seat, resource, why in keys:
        for group in (by_seat_and_resource[seat, resource], by_seat[seat], by_cause[why]):
            group.append((seat, resource, why))
    groups = (*by_seat_and_resource.values(), *by_seat.values(), *by_cause.values())
    return dict.fromkeys(tuple(group) for group in groups if len(group) > 1)


def changed_fields(act: AnyAct, other: AnyAct) -> dict[str, Any]:
    """The fields in which another act of the same type differs, with its values."""
    fields = act.__struct_fields__
    return {name: getattr(other, name) for name in fields if getattr(act, name) != getattr(other, name)}


def list_other_choices(act: AnyAct, legal: Iterable[AnyAct]) -> Iterator[tuple[SlipKind, float, AnyAct]]:
    """The legal acts that this one may stand for by mistake: kind of slip, share among that kind (1 in all), act."""
    kinds: dict[SlipKind, list[tuple[float, AnyAct]]] = {}
    for other in legal:
        if type(other) is not type(act):
            kinds.setdefault("other_act", []).append((1, other))
        elif other != act:
            kind: SlipKind = "unsaid" if _only_adds_fields(act, other) else "other_choice"
            further_fields = len(changed_fields(act, other)) - 1
            kinds.setdefault(kind, []).append((PER_FIELD**further_fields, other))
    for kind, others in kinds.items():
        total = sum(weight for weight, _ in others)
        yield from ((kind, weight / total, other) for weight, other in others)


def _only_adds_fields(act: AnyAct, other: AnyAct) -> bool:
    """Whether the other act only fills in fields that this one leaves at their defaults."""
    return all(
        getattr(act, field.name) in (getattr(other, field.name), field.default) for field in structs.fields(type(act))
    )


def entry_key(event: Event) -> tuple[AnyAct, Postings]:
    """What makes two entries the same, so that one may be a double: the act, and for ruled numbers the postings."""
    return event.do, event.moved if isinstance(event.do, Adjusted) else ()


def replace_body(event: Event, body: AnyEventBody) -> Event:
    """The event on its line, with another act and other effects."""
    return structs.replace(event, do=body.do, moved=body.moved, facts=body.facts)
