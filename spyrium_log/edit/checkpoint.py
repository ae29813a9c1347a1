"""A checkpoint: what a log was at one moment, in a line short enough for a chat, to compare the log with later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from spyrium_log.catalogue import shared_words
from spyrium_log.edit.amend import Changes, compare_ledgers
from spyrium_log.errors import LogError
from spyrium_log.ledger import SeatResource, collect_holdings
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import MAX_LINES, Log
from spyrium_log.log.complaints import complaint_of
from spyrium_log.log.lines import FullHash, GameId, Signed
from spyrium_log.log.seals import Signer, Standing, check_signature
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import RECORDED, Message, Reader, checkpoint_message
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Score, Word

MAX_CHECKPOINT = 1 << 14

Holder: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
# The largest sum that the longest log can reach.
Sum: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]

Outcome: TypeAlias = Literal[
    "EXACT",  # the bytes and the fold agree, and nothing follows
    "GREW",  # the same, and the lines that follow change nothing of it
    "UPGRADED",  # the log is read from an older format, its hashes and the fold agree
    "AMENDED",  # the bytes agree, and lines that follow (an undo, an amendment …) change what they come to
    "DIVERGED",  # the bytes agree, and the fold makes something else of them
    "REWRITTEN",  # these are other bytes
    "CUT",  # the lines that are there are those of then, as far as the marks tell, and the last ones are missing
    "DAMAGED",  # the log cannot be read as far as that
    "REPLACED",  # this is another game
]
SAME: Final = frozenset(("EXACT", "GREW", "UPGRADED"))

# The first digits of a hash. They prove nothing, they tell a shorter log from a rewritten one: a rewritten line passes
# for the one that was once in 65,536 times, and the whole hash does the proving. A checkpoint has to stay short.
MARK_DIGITS = 4
MOST_MARKS = 64
Marks: TypeAlias = Annotated[str, Meta(max_length=MARK_DIGITS * MOST_MARKS, pattern="^[0-9a-f]*$")]


class Checkpoint(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="kind",
    tag="checkpoint",
):
    """The number of lines of a game, the full hash of the last one, and what every seat held then.

    `held`: a seat and its amounts, in the order of `what`. Seat 0 is there only where something went astray. `marks`:
    the beginnings of the hashes of some earlier lines, at the places that `_list_marked_lines` names.
    """

    format: Literal[1]
    game: GameId
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)]
    hash: FullHash
    what: Annotated[tuple[Word, ...], Meta(max_length=32)]
    held: Annotated[tuple[tuple[Holder, Annotated[tuple[Sum, ...], Meta(max_length=32)]], ...], Meta(max_length=10)]
    marks: Marks = ""
    signed: Signed | None = None


class Difference(Struct, frozen=True, kw_only=True):
    """An amount that was other at the checkpoint."""

    who: int
    what: str
    then: int
    now: int

    def __str__(self) -> str:
        """The sentence as programs read it: `seat 1 money: expected 5, found 3`."""
        return self.text_for(RECORDED)

    def text_for(self, reader: Reader) -> str:
        """`Anna money: expected 5, found 3`; a seat without a name by its number."""
        amount = f"{reader.player_name(self.who)} {reader.title_word('resources', self.what)}"
        return checkpoint_message("amount", amount=amount, then=self.then, now=self.now).text_for(reader)


class Since(Changes, frozen=True, kw_only=True):
    """What later lines change of what stood at a checkpoint: events by name, amounts, scores."""

    events: tuple[str, ...]

    @property
    def changes_scores(self) -> bool:
        """Whether anybody's total is another one."""
        return [score.total for score in self.before] != [score.total for score in self.after]


class Compared(Struct, frozen=True, kw_only=True):
    """A log compared with a checkpoint. With a wrong signature the outcome is worth nothing.

    `since`: what an AMENDED log changes. `is_same`: nobody's score before the checkpoint is another one.
    """

    outcome: Outcome
    message: Message
    differences: tuple[Difference, ...] = ()
    since: Since | None = None
    signature: Standing = "unsigned"
    key: str | None = None
    after: int = 0

    @property
    def is_same(self) -> bool:
        """Whether the history up to the checkpoint is the same, and its signature not wrong."""
        is_amended = self.since is not None and not self.since.changes_scores
        return (self.outcome in SAME or is_amended) and self.signature != "wrong"


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Checkpoint)


def make_checkpoint(log: Log, *, signer: Signer | None = None) -> Checkpoint:
    """A checkpoint of the log as it is now, signed if somebody vouches for it; a damaged log has none."""
    if log.complaint is not None:
        raise log.complaint
    lines = len(log.lines)
    held = _find_holdings(log, lines)
    what = tuple(dict.fromkeys(resource for _, resource in held))
    seats = sorted({who for who, _ in held})
    amounts_by_seat = {who: tuple(held.get((who, resource), 0) for resource in what) for who in seats}
    checkpoint = Checkpoint(
        format=1,
        game=log.header.game,
        lines=lines,
        hash=log.last_digest,
        what=what,
        # the table, 0, only where something went astray
        held=tuple((who, amounts) for who, amounts in amounts_by_seat.items() if who or any(amounts)),
        marks="".join(log.lines[place].hash[:MARK_DIGITS] for place in _list_marked_lines(lines)),
    )
    if signer is None:
        return checkpoint
    return replace(checkpoint, signed=signer.sign(_make_statement(checkpoint, signer.key)))


def format_checkpoint(checkpoint: Checkpoint) -> str:
    """The checkpoint as one line of JSON, for a chat or a file; `read_checkpoint` reads it."""
    return _encode(checkpoint).decode()


def read_checkpoint(raw: bytes, file: str = "<checkpoint>") -> Checkpoint:
    """Read a checkpoint that somebody pasted; blanks around it are ignored."""
    # one byte more shows that it is too long
    raw = raw[: MAX_CHECKPOINT + 1].strip()
    if len(raw) > MAX_CHECKPOINT:
        raise LogError("too-long", "checkpoint-too-long", file=file, most=MAX_CHECKPOINT)
    try:
        checkpoint = _decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise complaint_of(error, raw, file, 1) from None
    if any(len(amounts) != len(checkpoint.what) for _, amounts in checkpoint.held):
        raise LogError("checkpoint", "checkpoint-amounts", file=file, n=len(checkpoint.what))
    return checkpoint


def compare_to_checkpoint(log: Log, checkpoint: Checkpoint) -> Compared:
    """Compare the log with a checkpoint: its game, its lines, what it comes to, and the signature of the checkpoint."""
    result, signed = _compare_lines(log, checkpoint), checkpoint.signed
    if signed is None:
        return result
    return replace(result, signature=check_signature(signed, _make_statement(checkpoint, signed.key)), key=signed.key)


def _compare_lines(log: Log, checkpoint: Checkpoint) -> Compared:
    """The comparison, apart from the signature: first of game and bytes, and if these agree of what they come to."""
    if log.header.game != checkpoint.game:
        message = checkpoint_message("game", expected=checkpoint.game, found=log.header.game)
        return Compared(outcome="REPLACED", message=message)
    after = len(log.lines) - checkpoint.lines
    if after < 0:
        return _compare_shorter(log, checkpoint)
    full_hash = _find_full_hash(log, checkpoint.lines)
    # of an older format there is only half of it
    if full_hash != checkpoint.hash[: len(full_hash)]:
        message = checkpoint_message("hash", n=checkpoint.lines - 1, expected=checkpoint.hash, found=full_hash)
        return Compared(outcome="REWRITTEN", message=message, after=after)
    return _compare_game(log, checkpoint, after)


def _compare_game(log: Log, checkpoint: Checkpoint, after: int) -> Compared:
    """Compare what the lines of the checkpoint come to, then and with the lines `after` them."""
    then = {
        (who, what): n for who, amounts in checkpoint.held for what, n in zip(checkpoint.what, amounts, strict=True)
    }
    differences = tuple(_compare_holdings(then, _find_holdings(log, checkpoint.lines)))
    if differences:
        message = checkpoint_message("diverged", difference=differences[0])
        return Compared(outcome="DIVERGED", message=message, differences=differences, after=after)
    since = _find_changes_since(log, checkpoint.lines) if after else None
    if since is not None:
        message = checkpoint_message("amended", n=checkpoint.lines)
        return Compared(outcome="AMENDED", message=message, since=since, after=after)
    outcome: Outcome = "GREW" if after else "EXACT"
    if not log.is_current:
        outcome = "UPGRADED"
    return Compared(outcome=outcome, message=checkpoint_message("same", n=checkpoint.lines), after=after)


def _list_marked_lines(lines: int) -> list[int]:
    """The lines whose hashes a checkpoint marks: the header, and 1, 2, 3, 4, 6, 8, 12, 16 … before the last one."""
    if lines <= 1:
        return []
    # 1, and each power of two with its three halves
    steps = {1, *(step << doublings for doublings in range(lines.bit_length()) for step in (2, 3))}
    return sorted({0, *(lines - 1 - step for step in steps if step < lines - 1)})


def _compare_shorter(log: Log, checkpoint: Checkpoint) -> Compared:
    """Compare a log that has fewer lines than the checkpoint, as far as the marks reach."""
    count = len(log.lines)
    mark_by_line = {line: mark for line, mark in _pair_marks(checkpoint) if line < count}
    changed = next((line for line, mark in mark_by_line.items() if not log.lines[line].hash.startswith(mark)), None)
    if changed is not None:
        message = checkpoint_message("changed", n=checkpoint.lines, found=count, changed=changed)
        return Compared(outcome="REWRITTEN", message=message)
    if log.complaint is not None and not (log.damage is not None and log.damage.is_mendable):
        message = Message(shared_words, "checkpoint.damaged", n=checkpoint.lines, found=count, complaint=log.complaint)
        return Compared(outcome="DAMAGED", message=message)
    message = checkpoint_message("cut", n=checkpoint.lines, found=count, missing=checkpoint.lines - count)
    first_unproved = max(mark_by_line) + 1 if mark_by_line else 0
    if first_unproved < count:
        message = checkpoint_message("unproved", message=message, first=first_unproved, last=count - 1)
    return Compared(outcome="CUT", message=message)


def _pair_marks(checkpoint: Checkpoint) -> Iterable[tuple[int, str]]:
    """The lines that a checkpoint marks, each with the first digits of its hash."""
    starts = range(0, len(checkpoint.marks), MARK_DIGITS)
    marks = [checkpoint.marks[start : start + MARK_DIGITS] for start in starts]
    # fewer marks than lines to mark only where somebody made a checkpoint by hand
    return zip(_list_marked_lines(checkpoint.lines), marks, strict=False)


def _find_changes_since(log: Log, lines: int) -> Since | None:
    """What the lines after the first so many change of the events before them; None if nothing."""
    then, now = replay(log, until=lines - 1, audit=False), replay(log, audit=False)
    standing = now.index_of(lines - 1)
    before = {ref_of(event): event for event in then.events}
    after = {ref_of(event): event for event in now.events[:standing]}
    events = tuple(ref for ref in dict.fromkeys((*before, *after)) if before.get(ref) != after.get(ref))
    scores, later_scores = _score_events(then, len(then.events)), _score_events(now, standing)
    if not events and scores == later_scores:
        return None
    later_ledger = (entry for entry in now.ledger if entry.ref == "0" or entry.ref in after)
    amounts = tuple(compare_ledgers(then.ledger, later_ledger))
    return Since(came=(), went=(), events=events, amounts=amounts, before=scores, after=later_scores)


def _score_events(game: Replay, events: int) -> tuple[Score, ...]:
    """The scores after so many events; the declared ones of a mere score sheet."""
    return tuple(game.scores() if game.is_scores_only else game.title.score(game.state_at(events)))


def _find_full_hash(log: Log, lines: int) -> str:
    """All 256 bits of the hash of the last of so many lines, in hex; half of them in a log of an older format."""
    line = log.lines[lines - 1]
    if log.last_digest.startswith(line.hash):
        # it is the last line of the log
        return log.last_digest
    return chain.line_digest(codec.encode(line)) if log.is_current else line.hash


def _find_holdings(log: Log, lines: int) -> dict[SeatResource, int]:
    """How much of each resource each seat holds after so many lines, by seat and resource."""
    game = replay(log, until=lines - 1, audit=False)
    return collect_holdings(log.title, game.state_at(len(game.events)))


def _compare_holdings(then: Mapping[SeatResource, int], now: Mapping[SeatResource, int]) -> Iterator[Difference]:
    """What seats hold otherwise, seat by seat in the order of `then`; what is not in either is 0 there."""
    # sorted by the seat alone: resources keep their order
    for who, what in sorted(dict.fromkeys((*then, *now)), key=itemgetter(0)):
        before, after = then.get((who, what), 0), now.get((who, what), 0)
        if before != after:
            yield Difference(who=who, what=what, then=before, now=after)


def _make_statement(checkpoint: Checkpoint, key: str) -> bytes:
    """The bytes that the signature of a checkpoint covers: all of it, the key, and what kind of statement it is."""
    return _encode(
        {"statement": "spyrium-log checkpoint 1", "key": key, "checkpoint": replace(checkpoint, signed=None)}
    )
