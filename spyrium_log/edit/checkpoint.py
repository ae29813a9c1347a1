"""A checkpoint: what a log was at one moment, in a line short enough for a chat or a sheet of paper.

Whoever keeps one elsewhere can say later whether the history before it is still the one that was. Recomputed hashes do
not help a forger: the one in the checkpoint is over the last line, which holds that of the line before, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from spyrium_log.edit.amend import Changes, compare_ledgers
from spyrium_log.errors import LogError
from spyrium_log.ledger import Entry
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import MAX_LINES, Log
from spyrium_log.log.complaints import complaint_of
from spyrium_log.log.lines import FullHash, GameId, Signed
from spyrium_log.log.seals import Signer, Standing, check_signature
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import player_name
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Score, Word

MAX_CHECKPOINT = 1 << 14
FULL = 64

Holder: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
# The largest sum that the longest log can reach.
Sum: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]

# EXACT: the bytes and the fold agree, and nothing follows. GREW: the same, and the lines that follow change nothing of
# it. UPGRADED: the log is read from an older format, its hashes and the fold agree. AMENDED: the bytes agree, and lines
# that follow (an undo, an amendment, a reading …) change what they come to. DIVERGED: the bytes agree, and the fold
# makes something else of them. REWRITTEN: these are other bytes. CUT: the lines that are there are those of then, as
# far as the checkpoint can tell, and the last ones are missing. DAMAGED: the log cannot be read as far as that.
# REPLACED: this is another game.
Outcome: TypeAlias = Literal[
    "EXACT", "GREW", "UPGRADED", "AMENDED", "DIVERGED", "REWRITTEN", "CUT", "DAMAGED", "REPLACED"
]
SAME: Final = frozenset(("EXACT", "GREW", "UPGRADED"))

# The first digits of a hash. They prove nothing, they tell a shorter log from a rewritten one: a rewritten line passes
# for the one that was once in 65,536 times, and the whole hash does the proving. A checkpoint has to stay short.
MARK = 4
MOST_MARKS = 64
Marks: TypeAlias = Annotated[str, Meta(max_length=MARK * MOST_MARKS, pattern="^[0-9a-f]*$")]


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
    the beginnings of the hashes of some earlier lines, at the places that `_marked` names.
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
        return self.sentence(())

    def sentence(self, names: Sequence[str]) -> str:
        """`Anna money: expected 5, found 3`; a seat without a name by its number."""
        return f"{player_name(self.who, names, 'en')} {self.what}: expected {self.then}, found {self.now}"


class Since(Changes, frozen=True, kw_only=True):
    """What later lines change of what stood at a checkpoint: events by name, amounts, scores."""

    events: tuple[str, ...]

    @property
    def changes_scores(self) -> bool:
        return [score.total for score in self.before] != [score.total for score in self.after]


class Compared(Struct, frozen=True, kw_only=True):
    """A log compared with a checkpoint. With a wrong signature the outcome is worth nothing.

    `since`: what an AMENDED log changes. `is_same`: nobody's score before the checkpoint is another one.
    """

    outcome: Outcome
    message: str
    differences: tuple[Difference, ...] = ()
    since: Since | None = None
    signature: Standing = "unsigned"
    key: str | None = None
    after: int = 0

    @property
    def is_same(self) -> bool:
        is_amended = self.since is not None and not self.since.changes_scores
        return (self.outcome in SAME or is_amended) and self.signature != "wrong"


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Checkpoint)


def make_checkpoint(log: Log, *, lines: int | None = None, signer: Signer | None = None) -> Checkpoint:
    """A checkpoint of the log as it is now, or as it was with so many lines."""
    if log.complaint is not None:
        raise log.complaint
    lines = len(log.lines) if lines is None else lines
    if not 1 <= lines <= len(log.lines):
        raise LogError("checkpoint", "checkpoint-lines", file=log.file, most=len(log.lines), found=lines)
    what, held = _laid_out(_held(log, lines))
    hash_ = _full_hash(log, lines)
    if len(hash_) < FULL:
        raise LogError("checkpoint", "checkpoint-older", file=log.file, n=len(log.lines), found=lines)
    marks = "".join(log.lines[place].hash[:MARK] for place in _marked(lines))
    made = Checkpoint(format=1, game=log.header.game, lines=lines, hash=hash_, what=what, held=held, marks=marks)
    return made if signer is None else replace(made, signed=signer.sign(_statement(made, signer.key)))


def checkpoint_text(made: Checkpoint) -> str:
    """The checkpoint as one line."""
    return _encode(made).decode()


def read_checkpoint(raw: bytes, file: str = "<checkpoint>") -> Checkpoint:
    """Read a checkpoint; blanks around it are ignored."""
    raw = raw[: MAX_CHECKPOINT + 1].strip()
    if len(raw) > MAX_CHECKPOINT:
        raise LogError("too-long", "checkpoint-too-long", file=file, most=MAX_CHECKPOINT)
    try:
        made = _decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise complaint_of(error, raw, file, 1) from None
    if any(len(amounts) != len(made.what) for _, amounts in made.held):
        raise LogError("checkpoint", "checkpoint-amounts", file=file, n=len(made.what))
    return made


def compare_to_checkpoint(log: Log, kept: Checkpoint) -> Compared:
    """Compare the log with a checkpoint."""
    key = kept.signed.key if kept.signed else None
    result = _compared(log, kept)
    return replace(result, signature=check_signature(kept.signed, _statement(kept, key or "")), key=key)


def _compared(log: Log, kept: Checkpoint) -> Compared:
    """The comparison, apart from the signature."""
    lines = log.lines
    if log.header.game != kept.game:
        message = f"expected game '{kept.game}', found '{log.header.game}'"
        return Compared(outcome="REPLACED", message=message)
    if len(lines) < kept.lines:
        return _shorter(log, kept)
    after = len(lines) - kept.lines
    if not _is_hash(log, kept):
        message = f"expected line {kept.lines - 1} to hash to {kept.hash}, found {_full_hash(log, kept.lines)}"
        return Compared(outcome="REWRITTEN", message=f"{message}: it or a line before it was changed", after=after)
    then = {(who, what): n for who, amounts in kept.held for what, n in zip(kept.what, amounts, strict=True)}
    differences = tuple(_differences(then, _held(log, kept.lines)))
    if differences:
        message = f"the bytes are those of then, and {differences[0]}"
        return Compared(outcome="DIVERGED", message=message, differences=differences, after=after)
    since = _since(log, kept.lines) if after else None
    if since is not None:
        message = f"the first {kept.lines} lines are those of then, and lines after them change what they come to"
        return Compared(outcome="AMENDED", message=message, since=since, after=after)
    outcome: Outcome = "UPGRADED" if not log.is_current else "GREW" if after else "EXACT"
    message = f"the first {kept.lines} lines are those of then, and so is what every seat holds"
    return Compared(outcome=outcome, message=message, after=after)


# --- shorter than it was -------------------------------------------------------------------------


def _marked(lines: int) -> list[int]:
    """The lines whose hashes a checkpoint marks: the header, and 1, 2, 3, 4, 6, 8, 12, 16 … before the last one."""
    steps = {1}
    step = 2
    while step < lines:
        steps |= {step, step + step // 2}
        step *= 2
    return sorted({0} | {lines - 1 - step for step in steps if lines - 1 - step > 0}) if lines > 1 else []


def _shorter(log: Log, kept: Checkpoint) -> Compared:
    """Compare a log that has fewer lines than the checkpoint, as far as the marks reach."""
    count = len(log.lines)
    expected = f"expected {kept.lines} lines, found {count}"
    marks = [kept.marks[at : at + MARK] for at in range(0, len(kept.marks), MARK)]
    known = [
        (place, log.lines[place].hash.startswith(mark))
        for place, mark in zip(_marked(kept.lines), marks, strict=False)
        if place < count
    ]
    if any(not is_same for _, is_same in known):
        first = next(place for place, is_same in known if not is_same)
        return Compared(outcome="REWRITTEN", message=f"{expected}, and line {first} or one before it was changed")
    if log.complaint is not None and not (log.damage is not None and log.damage.is_mendable):
        return Compared(outcome="DAMAGED", message=f"{expected} that can be read: {log.complaint}")
    proved = known[-1][0] + 1 if known else 0
    message = f"{expected}: the last {kept.lines - count} are missing"
    if proved < count:
        message += f"; of lines {proved} to {count - 1} the checkpoint cannot tell whether they are those of then"
    return Compared(outcome="CUT", message=message)


# --- what the lines since then change ------------------------------------------------------------


def _since(log: Log, lines: int) -> Since | None:
    """What later lines change of the events before the checkpoint; None if nothing."""
    then, now = replay(log, until=lines - 1, audit=False), replay(log, audit=False)
    standing = now.index_of(lines - 1)
    events = tuple(_changed_events(then, now, standing))
    before, after = _scores(then, len(then.events)), _scores(now, standing)
    if not events and before == after:
        return None
    amounts = compare_ledgers(then.ledger, _ledger(now, standing))
    return Since(came=(), went=(), events=events, amounts=tuple(amounts), before=before, after=after)


def _changed_events(then: Replay, now: Replay, standing: int) -> Iterator[str]:
    """Events that came, went, changed or moved, by name."""
    before = {ref_of(event): event for event in then.events}
    after = {ref_of(event): event for event in now.events[:standing]}
    for ref in dict.fromkeys((*before, *after)):
        if before.get(ref) != after.get(ref):
            yield ref


def _scores(done: Replay, index: int) -> tuple[Score, ...]:
    """The scores after so many events; the declared ones of a mere score sheet."""
    return tuple(done.scores() if done.is_scores_only else done.title.score(done.state_at(index)))


def _ledger(done: Replay, standing: int) -> Iterator[Entry]:
    """The ledger of the first events."""
    refs = {"0", *(ref_of(event) for event in done.events[:standing])}
    return (entry for entry in done.ledger if entry.ref in refs)


# --- hashes and holdings -------------------------------------------------------------------------


def _full_hash(log: Log, lines: int) -> str:
    """All 256 bits of a line's hash; half of them in a log of an older format."""
    line = log.lines[lines - 1]
    if log.last_digest.startswith(line.hash):
        return log.last_digest
    return chain.line_digest(codec.encode(line)) if log.is_current else line.hash


def _is_hash(log: Log, kept: Checkpoint) -> bool:
    full_hash = _full_hash(log, kept.lines)
    return full_hash == kept.hash[: len(full_hash)]


_Held: TypeAlias = dict[tuple[int, str], int]


def _held(log: Log, lines: int) -> _Held:
    """What every seat holds after so many lines."""
    done = replay(log, until=lines - 1, audit=False)
    return {(holding.who, holding.what): holding.n for holding in log.title.held(done.state_at(len(done.events)))}


def _laid_out(held: _Held) -> tuple[tuple[str, ...], tuple[tuple[int, tuple[int, ...]], ...]]:
    what = tuple(dict.fromkeys(what for _, what in held))
    rows = ((who, tuple(held.get((who, each), 0) for each in what)) for who in sorted({who for who, _ in held}))
    return what, tuple((who, amounts) for who, amounts in rows if who or any(amounts))


def _differences(then: _Held, now: _Held) -> Iterator[Difference]:
    """Seat by seat, in the order of the checkpoint; what it does not mention was 0."""
    keys: Iterable[tuple[int, str]] = sorted(dict.fromkeys((*then, *now)), key=lambda key: key[0])
    for who, what in keys:
        before, after = then.get((who, what), 0), now.get((who, what), 0)
        if before != after:
            yield Difference(who=who, what=what, then=before, now=after)


def _statement(made: Checkpoint, key: str) -> bytes:
    """What the signature of a checkpoint covers: all of it, and the key."""
    return _encode({"statement": "spyrium-log checkpoint 1", "key": key, "checkpoint": replace(made, signed=None)})
