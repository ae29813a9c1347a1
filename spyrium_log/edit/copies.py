"""An anonymised copy: the same game under other names, as a new log with a chain of its own.

Everything that names a person, a place or a time goes; everything that the rules look at stays, so that states, scores
and findings are the same. Nobody can tell from the copy alone who played. Whoever has the original can still tell that
it is the same game, because the moves are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.edit.pseudonyms import Names, Pseudonyms
from spyrium_log.errors import LogError, SpyriumLogError
from spyrium_log.log import chain, codec, notes
from spyrium_log.log.codec import MAX_LINE, Log
from spyrium_log.log.lines import (
    FORMAT,
    Accepted,
    Amended,
    AnyEdit,
    AnyHeader,
    Corrected,
    Drop,
    EventLine,
    Header,
    Line,
    ReadOff,
    Sealed,
    Undone,
    Withdrawn,
)
from spyrium_log.log.notes import MAX_TEXT, AnyNote, Noted, Notes
from spyrium_log.log.timeline import asides, corrected
from spyrium_log.play import variation
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Abandoned, Adjusted, Resynced, Seen

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
MAX_WHY = 500
MAX_TAG = 40
NO_NOTES = Notes()

Texts: TypeAlias = Literal["dropped", "kept"]
Times: TypeAlias = Literal["dropped", "shifted"]
Played: TypeAlias = Literal["dropped", "year"]
When: TypeAlias = Callable[[datetime | None], datetime | None]


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy, and what became of the original on the way. `people` is for whoever made it, not for the world."""

    game: str
    log: bytes
    notes: bytes
    people: Mapping[str, str]
    seals: int
    signatures: int
    noted: int
    unnoted: int
    remains: tuple[str, ...]

    def sentences(self) -> list[str]:
        """What whoever hands the copy on should know."""
        said = ["the chain is new: no hash, note or checkpoint of the original fits the copy"]
        if self.seals:
            said.append(f"seals made anew over the new lines, unsigned: {self.seals}")
        if self.signatures:
            said.append(f"signatures left behind, for only whoever has the key can sign the copy: {self.signatures}")
        if self.noted:
            said.append(f"notes put on the new lines, as they stand now and without their history: {self.noted}")
        if self.unnoted:
            said.append(f"notes left behind, withdrawn or with nothing left to say: {self.unnoted}")
        if self.remains:
            names = ", ".join(f"'{name}'" for name in self.remains)
            said.append(f"names that can still be read, because they are words of the game or of its log: {names}")
        return said


def anonymised(
    log: Log,
    noted: Notes = NO_NOTES,
    *,
    salt: bytes,
    texts: Texts = "dropped",
    times: Times = "dropped",
    played: Played = "dropped",
    also: Iterable[str] = (),
    persons: Callable[[Sequence[str]], Sequence[str]] = list,
) -> Copy:
    """A copy that says the same of the game and nothing of who played it. A damaged log is refused.

    Names are those of players, scribes and witnesses of this game, and `also` others that its texts may speak of.
    Texts that are kept have every known name replaced where it stands as a word. They may still tell what no list of
    names can know: a nickname, a name in another case, what happened on the way home. `persons` says who the spellings
    in one game mean: one person is one word, however written.
    """
    if log.complaint is not None:
        raise log.complaint
    people = sorted({name for name in (*_people(log.lines), *_people(noted.lines), *_people([log.sheet])) if name})
    names = Names((*people, *also))
    hiding = _Hiding(
        log,
        Pseudonyms(salt, _called(log, persons)),
        names if texts == "kept" else None,
        _moved(log, noted, times),
        played,
    )
    raws = list(_rewritten(log, hiding))
    at = {line.hash: _hash_of(raw)[:32] for line, raw in zip(log.lines, raws, strict=True)}
    kept = list(_renoted(log, noted, hiding, at))
    seals = [line for line in log.lines if isinstance(line, Sealed)]
    return Copy(
        game=hiding.words.game(log.header.game),
        log=b"".join(raws),
        notes=b"".join(kept),
        people={name: hiding.words.person(name) for name in people},
        seals=len(seals),
        signatures=sum(line.signed is not None for line in seals),
        noted=len(kept),
        unnoted=len({line.id for line in noted.lines}) - len(kept),
        remains=tuple(sorted(_found(names, (*raws, *kept)))),
    )


def _called(log: Log, persons: Callable[[Sequence[str]], Sequence[str]]) -> Callable[[str], str]:
    """Whom a name in this log means, at the table or elsewhere."""
    seats = [seat.player for seat in corrected(log.header, asides(log.lines)).seats]
    at_table = dict(zip(seats, persons(seats), strict=True))
    return lambda name: at_table.get(name) or persons([name])[0]


# --- who and when --------------------------------------------------------------------------------


def _people(part: Any) -> Iterator[str]:
    """Everybody who is named where a name belongs, in lines and what is in them."""
    if isinstance(part, Struct):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            # a posting's `who` is a seat
            if field in _PEOPLE and isinstance(value, str):
                yield value
            else:
                yield from _people(value)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _people(each)


_PEOPLE = frozenset({"by", "player", "who"})


def _moved(log: Log, noted: Notes, times: Times) -> When:
    """When something was, in the copy: never, or as long after the first moment as it was."""
    moments = [line.at for line in (*log.lines, *noted.lines) if line.at is not None]
    if times == "dropped" or not moments:
        return lambda _: None
    first = min(moments)

    def moved(at: datetime | None) -> datetime | None:
        try:
            return None if at is None else EPOCH + (at - first)
        except OverflowError:
            return None

    return moved


# --- lines ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Hiding:
    """What is said instead, one kind of thing at a time. `names` where texts are kept."""

    log: Log
    words: Pseudonyms
    names: Names | None
    when: When
    played: Played

    def text(self, text: str, most: int = MAX_WHY) -> str:
        return self.names.replaced(text, self.words)[:most] if self.names else ""

    def maybe(self, text: str | None) -> str | None:
        return None if text is None or not self.names else self.text(text)

    def day(self, played: str | None) -> str | None:
        """When it was played, no finer than a year."""
        year = re.match(r"[0-9]{4}(?![0-9])", played or "")
        return year[0] if year and self.played == "year" else None

    def colour(self, colour: str) -> str:
        return colour if colour in self.log.title.colours else self.words.word("colour", colour)

    def printed(self, row: Printed) -> Printed:
        return replace(row, by=self.words.person(row.by), at="")

    def sheet(self, sheet: Sheet) -> Sheet:
        """The same values; who read them off, when, and whose copy it was is nobody's business."""
        name = sheet.name if sheet.name == self.log.title.sheet().name else self.words.word("sheet", sheet.name)
        return Sheet(name=name, printed=tuple(map(self.printed, sheet.printed)))

    def seen(self, said: Any) -> Any:
        """A posting or a fact; who saw it is a person."""
        if said.seen is None:
            return said
        return replace(said, seen=Seen(who=self.words.person(said.seen.who), why=self.text(said.seen.why)))

    def act(self, act: Any) -> Any:
        """What a table says in words of its own; titles have none."""
        if isinstance(act, Adjusted):
            return replace(act, who=self.words.person(act.who), why=self.text(act.why))
        if isinstance(act, Resynced | Abandoned):
            return replace(act, why=self.text(act.why))
        return act

    def told(self, told: Any) -> Any:
        """An event, or an event's effects."""
        effects = {"moved": tuple(map(self.seen, told.moved)), "facts": tuple(map(self.seen, told.facts))}
        return replace(told, **effects, **({"do": self.act(told.do)} if hasattr(told, "do") else {}))

    def edit(self, edit: AnyEdit) -> AnyEdit:
        return edit if isinstance(edit, Drop) else replace(edit, event=self.told(edit.event))


def _rewritten(log: Log, hiding: _Hiding) -> Iterator[bytes]:
    """Every line of the copy. Each is where it was, for lines are known by their numbers."""
    known = _known(log)
    prev, final = chain.GENESIS, ""
    for old in log.lines:
        line = _line(old, hiding, known)
        if isinstance(line, Sealed):
            line = replace(line, final=final, signed=None)
        line = replace(line, by=hiding.words.person(line.by), at=hiding.when(line.at), cmd=None, prev=prev, hash="")
        raw = codec.sealed_bytes(line)
        if len(raw) > MAX_LINE:
            message = f"expected a line of at most {MAX_LINE} bytes in the copy, found {len(raw)}"
            raise LogError("too-long", message, file=log.file, line=old.n + 1)
        final = _hash_of(raw)
        prev = final[:32]
        yield raw


def _hash_of(raw: bytes) -> str:
    return chain.digest(chain.body(raw[:-1]))


def _line(line: Line, hiding: _Hiding, known: frozenset[str]) -> Line:
    if isinstance(line, Header):
        return _header(line, hiding)
    if isinstance(line, EventLine):
        event: Line = hiding.told(line)
        return event
    if isinstance(line, Undone):
        return replace(line, why=hiding.maybe(line.why))
    if isinstance(line, Amended):
        edits, effects = tuple(map(hiding.edit, line.edits)), tuple(map(hiding.told, line.effects))
        return replace(line, edits=edits, effects=effects, why=hiding.text(line.why))
    if isinstance(line, Corrected):
        return _corrected(line, hiding)
    if isinstance(line, ReadOff):
        return replace(line, value=hiding.printed(line.value))
    if isinstance(line, Accepted):
        # what names no finding is text; under another word it still names none
        said = {
            field: value if value in known else hiding.words.word(field, value)
            for field, value in (("rule", line.rule), ("expected", line.expected))
            if value is not None
        }
        return replace(line, who=hiding.words.person(line.who), why=hiding.text(line.why), **said)
    if isinstance(line, Withdrawn):
        return replace(line, why=hiding.text(line.why))
    return line


def _known(log: Log) -> frozenset[str]:
    """What an accepted finding may be called by: the rules, and what the audit says of this game."""
    findings = replay(log).findings
    title = log.title
    fixed = (f"{kind}.{name}" for kind, names in (("posting", title.causes), ("fact", title.facts)) for name in names)
    said = (text for finding in findings for text in (finding.rule, finding.expected))
    return frozenset((*title.rules, *fixed, *said))


def _header(header: AnyHeader, hiding: _Hiding) -> AnyHeader:
    sheet = hiding.sheet(hiding.log.sheet)
    seats = tuple(
        replace(seat, player=hiding.words.person(seat.player), colour=hiding.colour(seat.colour))
        for seat in header.seats
    )
    return replace(
        header,
        format=FORMAT,
        title_format=hiding.log.title.title_format,
        game=hiding.words.game(header.game),
        # an edition of one's own may be called after somebody
        edition=header.edition if header.edition in hiding.log.title.editions else None,
        seats=seats,
        played=hiding.day(header.played),
        place=None,
        sheet_digest=sheet.digest(),
        sheet=codec.sheet_bytes(sheet),
    )


def _corrected(line: Corrected, hiding: _Hiding) -> Corrected:
    return replace(
        line,
        player=None if line.player is None else hiding.words.person(line.player),
        colour=None if line.colour is None else hiding.colour(line.colour),
        played=hiding.day(line.played),
        place=None,
        why=hiding.text(line.why),
    )


# --- notes ---------------------------------------------------------------------------------------


def _renoted(log: Log, noted: Notes, hiding: _Hiding, at: Mapping[str, str]) -> Iterator[bytes]:
    """The notes that stand, each as a new one: what was said before it was changed stays behind."""
    authors = noted.authors()
    for note in noted.standing().values():
        line = Noted(
            id=hiding.words.word("note", note.id),
            by=hiding.words.person(authors[note.id]),
            at=hiding.when(note.at),
            game=hiding.words.game(note.game),
            on=note.on,
            # what is on no line of this log is on none of the copy
            line=at.get(note.line) or hiding.words.digest("line", note.line)[:32],
            text=hiding.text(note.text, MAX_TEXT),
            mark=note.mark,
            tags=tuple(hiding.text(tag, MAX_TAG) for tag in note.tags) if hiding.names else (),
            variation=_variation(log, note),
            hash="",
        )
        if line.text or line.mark or line.tags or line.variation:
            yield notes.sealed_bytes(line)


def _variation(log: Log, note: AnyNote) -> tuple[str, ...]:
    """What came instead, where it is notation: anything else is a text that nobody checked."""
    if note.variation:
        try:
            variation(log, note.on, note.variation)
        except SpyriumLogError:
            return ()
    return note.variation


def _found(names: Names, raws: Iterable[bytes]) -> set[str]:
    """Which names can be read in the copy, wherever they stand."""
    found: set[str] = set()
    for raw in raws:
        for text in set(_strings(msgspec.json.decode(raw))):
            found |= names.found(text)
    return found


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from _strings(value)
    elif isinstance(part, list):
        for each in part:
            yield from _strings(each)
