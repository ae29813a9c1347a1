"""An anonymised copy of a log: the same game, moves and findings under other names, with a chain of its own."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.edit.annotate import play_variation
from spyrium_log.errors import LogError, SpyriumLogError
from spyrium_log.log import chain, codec
from spyrium_log.log import notes as notes_room
from spyrium_log.log.codec import MAX_LINE, Log
from spyrium_log.log.lines import FORMAT, Accepted, Amended, Corrected, Header, Sealed, SeatAt, Undone, Withdrawn
from spyrium_log.log.notes import AnyNote, Noted, Notes
from spyrium_log.log.timeline import apply_corrections, list_asides
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Abandoned, Adjusted, Resynced, Seen

NO_NOTES = Notes()
MIN_SALT = 16
# 60 bits: among a million people, one archive in two million has the same word twice.
LETTERS = 12
# A line carries so many digits of its hash.
CARRIED_DIGITS = 32
_NAME_FIELDS = frozenset({"by", "player", "who"})
_WORD = re.compile(r"[^\W_]+")
# Maps spellings of names to persons, one for one.
FindPersons: TypeAlias = Callable[[Sequence[str]], Sequence[str]]


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
        """What whoever hands the copy on should know: what is lost in it, and which names are still there."""
        counts = {
            "seals made anew over the new lines, unsigned": self.seals,
            "signatures left out, only the owner of the key can sign the copy": self.signatures,
            "notes kept, in their last version and without history": self.kept_notes,
            "notes left out, withdrawn or empty without their text": self.dropped_notes,
            "names that can still be read, in texts or as words of the game": ", ".join(
                f"'{name}'" for name in self.remaining_names
            ),
        }
        chain_sentence = "the chain is new: no hash, note or checkpoint of the original fits the copy"
        return [chain_sentence, *(f"{what}: {value}" for what, value in counts.items() if value)]


def anonymise_log(
    log: Log, notes: Notes = NO_NOTES, *, salt: bytes, keep_texts: bool = False, persons: FindPersons = list
) -> Copy:
    """Copy a log and its notes under other names. Raises for a damaged log.

    Notes, reasons and other free text are left out; `keep_texts` keeps them as they are, with every name in them.
    A person of `persons` has one pseudonym, however the name is written; by default each spelling is a person.
    """
    if log.complaint is not None:
        raise log.complaint
    people = sorted({name for name in _find_names([*log.lines, *notes.lines, log.sheet]) if name})
    anonymiser = _Anonymiser(log, salt, _make_person_finder(log, persons), keep_texts=keep_texts)
    lines = list(_copy_lines(log, anonymiser))
    hashes = (chain.line_digest(raw)[:CARRIED_DIGITS] for raw in lines)
    new_hashes = dict(zip((line.hash for line in log.lines), hashes, strict=True))
    kept_notes = list(_copy_notes(log, notes, anonymiser, new_hashes))
    seals = [line for line in log.lines if isinstance(line, Sealed)]
    return Copy(
        game=anonymiser.make_game_id(log.header.game),
        log=b"".join(lines),
        notes=b"".join(kept_notes),
        people={name: anonymiser.make_person(name) for name in people},
        seals=len(seals),
        signatures=sum(line.signed is not None for line in seals),
        kept_notes=len(kept_notes),
        dropped_notes=len({line.id for line in notes.lines}) - len(kept_notes),
        remaining_names=_find_remaining(people, (*lines, *kept_notes)),
    )


def _make_person_finder(log: Log, persons: FindPersons) -> Callable[[str], str]:
    """A function that says who a name in this log is: a player, all of whom are told apart together, or anybody."""
    players = [seat.player for seat in apply_corrections(log.header, list_asides(log.lines)).seats]
    person_by_player = dict(zip(players, persons(players), strict=True))
    return lambda name: person_by_player.get(name) or persons([name])[0]


def _find_names(part: Any) -> Iterator[str]:
    """Every name that stands in a field for names of a line, or of what is in it: these get pseudonyms."""
    if isinstance(part, Struct):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            # a posting's `who` is a seat
            if field in _NAME_FIELDS and isinstance(value, str):
                yield value
            else:
                yield from _find_names(value)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _find_names(item)


class _Anonymiser:
    """Replaces or leaves out what is private in the lines of one log, by words that only the salt's owner can make."""

    def __init__(self, log: Log, salt: bytes, person_of: Callable[[str], str], *, keep_texts: bool) -> None:
        """Keep the salt, if it is too long to be found by trying; `person_of` maps spellings of a name to a person."""
        if len(salt) < MIN_SALT:
            raise SpyriumLogError("salt", least=MIN_SALT, n=len(salt))
        self._salt = salt
        self._person_of = person_of
        self.title = log.title
        self.sheet = log.sheet
        self.keep_texts = keep_texts
        self.known_texts = _list_known_texts(log)

    def make_digest(self, kind: str, name: str) -> str:
        """The whole keyed hash (HMAC-SHA256) of a name, in hex; of another `kind` the same name has another."""
        message = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._salt, message, "sha256").hex()

    def make_word(self, kind: str, name: str) -> str:
        """The word for a name, a tag or an id, always the same: `note-abcdefghijkl`. An empty name stays empty."""
        if not name:
            return ""
        letters = base64.b32encode(bytes.fromhex(self.make_digest(kind, name))).decode().lower()
        return f"{kind}-{letters[:LETTERS]}"

    def make_person(self, name: str) -> str:
        """The pseudonym of a person, however the name is spelled: `person-abcdefghijkl`."""
        return self.make_word("person", self._person_of(name))

    def make_game_id(self, game: str) -> str:
        """The id of a copied game: in the usual shape (UUIDv8), but without the time that ids begin with."""
        digits = self.make_digest("game", game)
        # an 8 each for the version and the variant of the UUID
        return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"

    def copy(self, part: Any) -> Any:
        """A line or a part of one as it stands in the copy, without names, places, dates and free text."""
        if isinstance(part, tuple):
            return tuple(map(self.copy, part))
        if not isinstance(part, Struct):
            return part
        values = ((name, getattr(part, name)) for name in part.__struct_fields__)
        fields = {name: self.copy(value) for name, value in values if isinstance(value, Struct | tuple) and value}
        fields |= self._replace_private(part)
        return replace(part, **fields) if fields else part

    def copy_text(self, text: str) -> str:
        """A free text as it stands in the copy: empty, unless the caller asked to keep texts."""
        return text if self.keep_texts else ""

    def _replace_private(self, part: Struct) -> dict[str, Any]:
        """New values for the private fields of a line or a part of one, by name; the acts of titles have none."""
        match part:
            case Header():
                return self._replace_header(part)
            case SeatAt():
                return {"player": self.make_person(part.player), "colour": self._replace_colour(part.colour)}
            case Seen() | Adjusted():
                return {"who": self.make_person(part.who), "why": self.copy_text(part.why)}
            case Amended() | Withdrawn() | Resynced() | Abandoned():
                return {"why": self.copy_text(part.why)}
            case Undone():
                return {"why": part.why if self.keep_texts else None}
            case Printed():
                return {"by": self.make_person(part.by), "at": ""}
            case Corrected():
                player = None if part.player is None else self.make_person(part.player)
                colour = None if part.colour is None else self._replace_colour(part.colour)
                why = self.copy_text(part.why)
                return {"player": player, "colour": colour, "played": None, "place": None, "why": why}
            case Accepted():
                who, why = self.make_person(part.who), self.copy_text(part.why)
                return {"who": who, "why": why, **self._replace_free_words(part)}
        return {}

    def _replace_free_words(self, line: Accepted) -> dict[str, str]:
        """Words instead of a rule and an expectation that no finding has: somebody may have typed a name there."""
        texts = {"rule": line.rule, "expected": line.expected or ""}
        return {name: self.make_word(name, text) for name, text in texts.items() if text not in self.known_texts}

    def _replace_colour(self, colour: str) -> str:
        """A colour of the title as it is; a word for any other, which may tell who chose it."""
        return colour if colour in self.title.colours else self.make_word("colour", colour)

    def _replace_header(self, header: Header[Any, Any]) -> dict[str, Any]:
        """What in the first line may tell who played; an edition or a sheet may be called after its owner."""
        is_shipped = self.sheet.name in {sheet.name for sheet in self.title.list_sheets()}
        name = self.sheet.name if is_shipped else self.make_word("sheet", self.sheet.name)
        sheet = Sheet(name=name, printed=self.copy(tuple(self.sheet.printed)))
        return {
            "format": FORMAT,
            "title_format": self.title.title_format,
            "game": self.make_game_id(header.game),
            "edition": header.edition if header.edition in self.title.editions else None,
            "seats": self.copy(header.seats),
            "played": None,
            "place": None,
            "sheet_digest": sheet.digest(),
            "sheet": codec.sheet_bytes(sheet),
        }


def _list_known_texts(log: Log) -> frozenset[str]:
    """What names an accepted finding without telling who played: nothing, ids of rules, what the audit expects."""
    title = log.title
    ids = (f"{kind}.{name}" for kind, names in (("posting", title.causes), ("fact", title.facts)) for name in names)
    texts = (text for finding in replay(log).findings for text in (finding.rule, str(finding.expected)))
    return frozenset(("", *title.rules, *ids, *texts))


def _copy_lines(log: Log, anonymiser: _Anonymiser) -> Iterator[bytes]:
    """Every line of the copy, each under its number: lines refer to each other by numbers."""
    prev, final = chain.GENESIS, ""
    for old in log.lines:
        line = anonymiser.copy(old)
        if isinstance(line, Sealed):
            line = replace(line, final=final, signed=None)
        line = replace(line, by=anonymiser.make_person(line.by), at=None, cmd=None, prev=prev, hash="")
        raw = codec.hashed_bytes(line)
        if len(raw) > MAX_LINE:
            raise LogError("too-long", "copy-too-long", file=log.file, line=old.n + 1, most=MAX_LINE, found=len(raw))
        final = chain.line_digest(raw)
        prev = final[:CARRIED_DIGITS]
        yield raw


def _copy_notes(log: Log, notes: Notes, anonymiser: _Anonymiser, new_hashes: Mapping[str, str]) -> Iterator[bytes]:
    """The notes that stand, each without its earlier versions. `new_hashes`: of the lines, by their old."""
    authors = notes.authors()
    for note in notes.standing().values():
        line = Noted(
            id=anonymiser.make_word("note", note.id),
            by=anonymiser.make_person(authors[note.id]),
            game=anonymiser.make_game_id(note.game),
            on=note.on,
            # a note on no line of this log is on no line of the copy
            line=new_hashes.get(note.line) or anonymiser.make_digest("line", note.line)[:CARRIED_DIGITS],
            text=anonymiser.copy_text(note.text),
            mark=note.mark,
            tags=note.tags if anonymiser.keep_texts else (),
            variation=_copy_variation(log, note),
            hash="",
        )
        if line.text or line.mark or line.tags or line.variation:
            yield notes_room.hashed_bytes(line)


def _copy_variation(log: Log, note: AnyNote) -> tuple[str, ...]:
    """The note's variation if it is notation; empty if it is free text, which may hold names."""
    if note.variation:
        try:
            play_variation(log, note.on, note.variation)
        except SpyriumLogError:
            return ()
    return note.variation


def _find_remaining(names: Iterable[str], lines: Iterable[bytes]) -> tuple[str, ...]:
    """The names that can still be read in the copy, to warn of them: all their words stand somewhere in it."""
    texts = {text for raw in lines for text in _find_texts(msgspec.json.decode(raw))}
    known = {word for text in texts for word in _split_words(text)}

    def is_readable(name: str) -> bool:
        """Whether a name can still be read, though its words may stand apart."""
        words = _split_words(name)
        return known.issuperset(words) if words else any(name in text for text in texts)

    return tuple(filter(is_readable, names))


def _split_words(text: str) -> list[str]:
    """The runs of letters and digits in a text, in lower case."""
    return [word.casefold() for word in _WORD.findall(text)]


def _find_texts(part: Any) -> Iterator[str]:
    """Every text in decoded JSON, keys included, to look for names in it."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from part
        yield from _find_texts([*part.values()])
    elif isinstance(part, list):
        for item in part:
            yield from _find_texts(item)
