"""An anonymised copy of a log: the same game under other names, with a chain of its own.

Everything that names a person, a place or a time is replaced or left out; everything that rules look at stays, so
states, scores and findings are the same. The copy alone does not tell who played. Whoever has the original can still
tell that it is the same game, because the moves are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.edit.annotate import play_variation
from spyrium_log.edit.pseudonyms import Pseudonyms
from spyrium_log.errors import LogError, SpyriumLogError
from spyrium_log.log import chain, codec
from spyrium_log.log import notes as notes_room
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
from spyrium_log.log.notes import AnyNote, Noted, Notes
from spyrium_log.log.timeline import apply_corrections, asides
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Abandoned, Adjusted, Resynced, Seen

NO_NOTES = Notes()
_NAME_FIELDS = frozenset({"by", "player", "who"})
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy as bytes, and what could not be copied. `people` maps names to pseudonyms; it is not for publication."""

    game: str
    log: bytes
    notes: bytes
    people: Mapping[str, str]
    seals: int
    signatures: int
    kept_notes: int
    dropped_notes: int
    remaining_names: tuple[str, ...]

    def sentences(self) -> list[str]:
        """What whoever hands the copy on should know."""
        sentences = ["the chain is new: no hash, note or checkpoint of the original fits the copy"]
        if self.seals:
            sentences.append(f"seals made anew over the new lines, unsigned: {self.seals}")
        if self.signatures:
            sentences.append(f"signatures left out, only the owner of the key can sign the copy: {self.signatures}")
        if self.kept_notes:
            sentences.append(f"notes kept, in their last version and without history: {self.kept_notes}")
        if self.dropped_notes:
            sentences.append(f"notes left out, withdrawn or empty without their text: {self.dropped_notes}")
        if self.remaining_names:
            names = ", ".join(f"'{name}'" for name in self.remaining_names)
            sentences.append(f"names that can still be read, in texts or as words of the game: {names}")
        return sentences


def anonymise_log(
    log: Log,
    notes: Notes = NO_NOTES,
    *,
    salt: bytes,
    keep_texts: bool = False,
    persons: Callable[[Sequence[str]], Sequence[str]] = list,
) -> Copy:
    """Copy a log and its notes under other names. Raises for a damaged log.

    Notes, reasons and other free text are left out; `keep_texts` keeps them as they are, with every name in them.
    `persons` maps spellings to persons: one person has one pseudonym, however written.
    """
    if log.complaint is not None:
        raise log.complaint
    people = sorted({name for name in (*_names(log.lines), *_names(notes.lines), *_names([log.sheet])) if name})
    pseudonyms = Pseudonyms(salt, _person_of(log, persons))
    anonymiser = _Anonymiser(log, pseudonyms, keep_texts)
    raws = list(_copied_lines(log, anonymiser))
    anchors = {line.hash: _hash_of(raw)[:32] for line, raw in zip(log.lines, raws, strict=True)}
    kept = list(_copied_notes(log, notes, anonymiser, anchors))
    seals = [line for line in log.lines if isinstance(line, Sealed)]
    return Copy(
        game=pseudonyms.game(log.header.game),
        log=b"".join(raws),
        notes=b"".join(kept),
        people={name: pseudonyms.person(name) for name in people},
        seals=len(seals),
        signatures=sum(line.signed is not None for line in seals),
        kept_notes=len(kept),
        dropped_notes=len({line.id for line in notes.lines}) - len(kept),
        remaining_names=_remaining(people, (*raws, *kept)),
    )


def _person_of(log: Log, persons: Callable[[Sequence[str]], Sequence[str]]) -> Callable[[str], str]:
    """Who a name in this log is, at the table or elsewhere."""
    players = [seat.player for seat in apply_corrections(log.header, asides(log.lines)).seats]
    seated = dict(zip(players, persons(players), strict=True))
    return lambda name: seated.get(name) or persons([name])[0]


def _names(part: Any) -> Iterator[str]:
    """Every name that stands in a field for names, in lines and what is in them."""
    if isinstance(part, Struct):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            # a posting's `who` is a seat
            if field in _NAME_FIELDS and isinstance(value, str):
                yield value
            else:
                yield from _names(value)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _names(item)


# --- lines ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Anonymiser:
    """Replaces or leaves out one kind of value at a time."""

    log: Log
    pseudonyms: Pseudonyms
    keep_texts: bool

    def text(self, text: str) -> str:
        return text if self.keep_texts else ""

    def colour(self, colour: str) -> str:
        return colour if colour in self.log.title.colours else self.pseudonyms.word("colour", colour)

    def printed(self, row: Printed) -> Printed:
        return replace(row, by=self.pseudonyms.person(row.by), at="")

    def sheet(self, sheet: Sheet) -> Sheet:
        """The same values, without who read them and when; a sheet of one's own may be called after its owner."""
        is_shipped = sheet.name == self.log.title.sheet().name
        name = sheet.name if is_shipped else self.pseudonyms.word("sheet", sheet.name)
        return Sheet(name=name, printed=tuple(map(self.printed, sheet.printed)))

    def effect(self, effect: Any) -> Any:
        """A posting or a fact, without the name of who saw it."""
        if effect.seen is None:
            return effect
        return replace(effect, seen=Seen(who=self.pseudonyms.person(effect.seen.who), why=self.text(effect.seen.why)))

    def act(self, act: Any) -> Any:
        """Only statements of the table have free text; the acts of titles have none."""
        if isinstance(act, Adjusted):
            return replace(act, who=self.pseudonyms.person(act.who), why=self.text(act.why))
        if isinstance(act, Resynced | Abandoned):
            return replace(act, why=self.text(act.why))
        return act

    def event(self, event: Any) -> Any:
        """An event, or the effects of one."""
        effects = {"moved": tuple(map(self.effect, event.moved)), "facts": tuple(map(self.effect, event.facts))}
        return replace(event, **effects, **({"do": self.act(event.do)} if hasattr(event, "do") else {}))

    def edit(self, edit: AnyEdit) -> AnyEdit:
        return edit if isinstance(edit, Drop) else replace(edit, event=self.event(edit.event))


def _copied_lines(log: Log, anonymiser: _Anonymiser) -> Iterator[bytes]:
    """Every line of the copy, each under its number: lines refer to each other by numbers."""
    known = _known_texts(log)
    prev, final = chain.GENESIS, ""
    for old in log.lines:
        line = _copied_line(old, anonymiser, known)
        if isinstance(line, Sealed):
            line = replace(line, final=final, signed=None)
        line = replace(line, by=anonymiser.pseudonyms.person(line.by), at=None, cmd=None, prev=prev, hash="")
        raw = codec.hashed_bytes(line)
        if len(raw) > MAX_LINE:
            raise LogError("too-long", "copy-too-long", file=log.file, line=old.n + 1, most=MAX_LINE, found=len(raw))
        final = _hash_of(raw)
        prev = final[:32]
        yield raw


def _hash_of(raw: bytes) -> str:
    return chain.line_digest(raw)


def _copied_line(line: Line, anonymiser: _Anonymiser, known: frozenset[str]) -> Line:
    """The line without names, places, times and free text. Its hash is made later."""
    if isinstance(line, Header):
        return _copied_header(line, anonymiser)
    if isinstance(line, EventLine):
        event: Line = anonymiser.event(line)
        return event
    if isinstance(line, Undone):
        return replace(line, why=line.why if anonymiser.keep_texts else None)
    if isinstance(line, Amended):
        edits, effects = tuple(map(anonymiser.edit, line.edits)), tuple(map(anonymiser.event, line.effects))
        return replace(line, edits=edits, effects=effects, why=anonymiser.text(line.why))
    if isinstance(line, Corrected):
        return _copied_correction(line, anonymiser)
    if isinstance(line, ReadOff):
        return replace(line, value=anonymiser.printed(line.value))
    if isinstance(line, Accepted):
        return _copied_acceptance(line, anonymiser, known)
    if isinstance(line, Withdrawn):
        return replace(line, why=anonymiser.text(line.why))
    return line


def _known_texts(log: Log) -> frozenset[str]:
    """What an accepted finding is called by: ids of rules, and what the audit expects in this game."""
    title = log.title
    ids = (f"{kind}.{name}" for kind, names in (("posting", title.causes), ("fact", title.facts)) for name in names)
    texts = (text for finding in replay(log).findings for text in (finding.rule, str(finding.expected)))
    return frozenset((*title.rules, *ids, *texts))


def _copied_acceptance(line: Accepted, anonymiser: _Anonymiser, known: frozenset[str]) -> Line:
    """A rule or an expectation that names no finding is free text; replaced by another word it still names none."""
    pseudonyms = anonymiser.pseudonyms
    texts = {
        field: value if value in known else pseudonyms.word(field, value)
        for field, value in (("rule", line.rule), ("expected", line.expected))
        if value is not None
    }
    return replace(line, who=pseudonyms.person(line.who), why=anonymiser.text(line.why), **texts)


def _copied_header(header: AnyHeader, anonymiser: _Anonymiser) -> AnyHeader:
    """The first line: other names, the same game."""
    title = anonymiser.log.title
    pseudonyms = anonymiser.pseudonyms
    sheet = anonymiser.sheet(anonymiser.log.sheet)
    return replace(
        header,
        format=FORMAT,
        title_format=title.title_format,
        game=pseudonyms.game(header.game),
        # an edition of one's own may be called after somebody
        edition=header.edition if header.edition in title.editions else None,
        seats=tuple(
            replace(seat, player=pseudonyms.person(seat.player), colour=anonymiser.colour(seat.colour))
            for seat in header.seats
        ),
        played=None,
        place=None,
        sheet_digest=sheet.digest(),
        sheet=codec.sheet_bytes(sheet),
    )


def _copied_correction(line: Corrected, anonymiser: _Anonymiser) -> Corrected:
    """A correction of the header, with the same values replaced as in the header."""
    return replace(
        line,
        player=None if line.player is None else anonymiser.pseudonyms.person(line.player),
        colour=None if line.colour is None else anonymiser.colour(line.colour),
        played=None,
        place=None,
        why=anonymiser.text(line.why),
    )


# --- notes ---------------------------------------------------------------------------------------


def _copied_notes(log: Log, notes: Notes, anonymiser: _Anonymiser, anchors: Mapping[str, str]) -> Iterator[bytes]:
    """The notes that stand, each as a new one, without earlier versions. `anchors` maps old hashes of lines to new."""
    pseudonyms = anonymiser.pseudonyms
    authors = notes.authors()
    for note in notes.standing().values():
        line = Noted(
            id=pseudonyms.word("note", note.id),
            by=pseudonyms.person(authors[note.id]),
            game=pseudonyms.game(note.game),
            on=note.on,
            # a note on no line of this log is on no line of the copy
            line=anchors.get(note.line) or pseudonyms.digest("line", note.line)[:32],
            text=anonymiser.text(note.text),
            mark=note.mark,
            tags=note.tags if anonymiser.keep_texts else (),
            variation=_variation(log, note),
            hash="",
        )
        if line.text or line.mark or line.tags or line.variation:
            yield notes_room.hashed_bytes(line)


def _variation(log: Log, note: AnyNote) -> tuple[str, ...]:
    """The variation, if it is notation; otherwise it is free text."""
    if note.variation:
        try:
            play_variation(log, note.on, note.variation)
        except SpyriumLogError:
            return ()
    return note.variation


# --- what can still be read ----------------------------------------------------------------------


def _remaining(names: Iterable[str], raws: Iterable[bytes]) -> tuple[str, ...]:
    """Names all of whose words stand somewhere in the copy; of a name without letters, its signs."""
    texts = {text for raw in raws for text in _strings(msgspec.json.decode(raw))}
    words = {word for text in texts for word in _words(text)}
    return tuple(
        name
        for name in names
        if (words.issuperset(_words(name)) if _words(name) else any(name in text for text in texts))
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _strings(part: Any) -> Iterator[str]:
    """Every text in decoded JSON, keys included."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from _strings(value)
    elif isinstance(part, list):
        for item in part:
            yield from _strings(item)
