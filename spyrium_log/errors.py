"""The errors of the package. Messages are lower case: what was expected, what was found (quoted), the place last."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from types import TracebackType
from typing import ClassVar, Literal, Self

from msgspec import Struct

from spyrium_log.catalogue import shared_words
from spyrium_log.messages import RECORDED, Argument, Message, Reader, comparison_text
from spyrium_log.shown import replace_unprintable


class Unchecked(Struct, frozen=True):
    """A printed value that is only assumed, and what it would be if the act broke no rule; None where many would do."""

    of: str
    what: str
    likely: int | str | None = None


class Breach(Struct, frozen=True):
    """A rule that an act breaks. `unchecked` are the assumed printed values without which it would break none."""

    rule: str
    number: str
    expected: Message
    found: Message
    unchecked: tuple[Unchecked, ...] = ()

    @property
    def on(self) -> Literal["record", "sheet"]:
        """Where it stands: on the record, which refuses the act, or on the sheet, where nobody has checked it."""
        return "sheet" if self.unchecked else "record"

    def text_for(self, reader: Reader) -> str:
        """`turn.order (S-5.1): expected Bob to act, found Cy`."""
        return f"{self.rule} ({self.number}): {comparison_text(self.expected, self.found, reader)}"

    def __str__(self) -> str:
        """The breach in English, as programs get it."""
        return self.text_for(RECORDED)


class SpyriumLogError(Exception):
    """Everything this package raises on purpose. `str(error)` is English; `error.text_for(reader)` is for people.

    Raise it with a key of its table of the catalogue and the arguments of that template, or with a whole message.
    """

    table: ClassVar[str] = "errors"
    message: Message

    def __init_subclass__(cls, table: str = "") -> None:
        """Name the table of the catalogue that has the messages of this class; by default that of its base."""
        cls.table = table or cls.table

    def __init__(self, message: Message | str, /, **arguments: Argument) -> None:
        """An error of this message; a text is the key of its template, which the arguments fill."""
        if isinstance(message, str):
            message = Message(shared_words, f"{self.table}.{message}", **arguments)
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        """The error in English, as programs get it."""
        return self.text_for(RECORDED)

    @property
    def whole(self) -> Message:
        """The message with what stands around it, such as the place: as others quote it."""
        return self.message

    def text_for(self, reader: Reader) -> str:
        """The error in the language of the reader."""
        return self.whole.text_for(reader)


class ArgumentError(SpyriumLogError, table="arguments"):
    """A wrong argument of a call."""


class UnknownTitleError(ArgumentError, KeyError):
    """A title that is not on the shelf."""


class LogError(SpyriumLogError, table="log"):
    """Bytes that are no log. `code` is short and never changes; `line` counts from 1, as editors do."""

    def __init__(
        self, code: str, key: str = "", /, *, file: str = "<bytes>", line: int = 1, **arguments: Argument
    ) -> None:
        """The message is the one of `key`, which is the code unless several messages share a code."""
        super().__init__(key or code, **arguments)
        self.code = code
        self.file = file
        self.line = line

    @property
    def whole(self) -> Message:
        """`empty: expected a header, found no bytes at game.jsonl:1`."""
        placed = Message(shared_words, "words.placed", message=self.message, place=f"{self.file}:{self.line}")
        return Message(shared_words, "words.coded", code=self.code, message=placed)


class NewerFormatError(LogError):
    """The log was written by a later version of this package."""


class StoreError(SpyriumLogError, table="store"):
    """The disk, a lock or another writer refuses what was asked."""


class LockedError(StoreError):
    """Another process is writing this file; `holder` is the id of that process, 0 if unknown."""

    def __init__(self, message: Message | str, /, *, holder: int = 0, file: str = "", **arguments: Argument) -> None:
        """The message as in any error; who holds which file is for whoever waits for it."""
        super().__init__(message, **arguments)
        self.holder = holder
        self.file = file


class Closing:
    """What a `with` block closes at its end."""

    def close(self) -> None:
        """Let go of what is open; to be called again it does no harm."""

    def __enter__(self) -> Self:
        """Begin the block with what is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close; an error of the block is raised, rather than one of closing after it."""
        with suppress(StoreError) if error else nullcontext():
            self.close()


class ConflictError(StoreError):
    """Somebody else appended first, or the same command id came back with other content."""


class ChangedError(ConflictError):
    """Somebody else changed the file, or put another in its place, while it was open for writing."""


class ReadOnlyError(StoreError):
    """The log is damaged in a way that only a person may decide about."""


class PoisonedError(StoreError):
    """A write or a sync failed; this writer writes nothing more."""


class SigningError(SpyriumLogError, table="store"):
    """A key to sign with that cannot be used."""


class MissingExtraError(SigningError):
    """A package is missing that an extra of this one installs."""


# How much of a line an error quotes before and after its column.
_AROUND = 100
_LONGEST_MESSAGE = 500


class NotationError(SpyriumLogError):
    """A line of notation that cannot be read; `column` and, in a `file`, `line` count from 1."""

    def __init__(self, message: Message, text: str, column: int, *, file: str = "", line: int = 0) -> None:
        """`text` is the line of notation; `file` and `line` say where it stands, if it is not alone."""
        super().__init__(message)
        self.text = text
        self.column = column
        self.file = file
        self.line = line

    def text_for(self, reader: Reader) -> str:
        """What is wrong, the text around the column, and the place; the middle of a long message is left out."""
        message = self.message.text_for(reader)
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[:_AROUND]}…{message[-_AROUND:]}"
        column = reader.fill("column", n=self.column)
        place = f"{self.file}:{self.line}:{self.column}" if self.line else column
        return reader.fill("within", message=replace_unprintable(message), text=self._quoted_text(), place=place)

    def _quoted_text(self) -> str:
        """At most 100 characters before and after the column, fit for a terminal."""
        start, end = max(0, self.column - _AROUND), self.column + _AROUND
        before, after = "…" if start else "", "…" if end < len(self.text) else ""
        return before + replace_unprintable(self.text[start:end]) + after


class IllegalError(SpyriumLogError):
    """An act that the rules do not allow now, with every breach and the nearest legal moves."""

    def __init__(self, breaches: Sequence[Breach], nearest: Sequence[str] = ()) -> None:
        """`nearest` are the legal acts that come near, in notation."""
        self.breaches = tuple(breaches)
        self.nearest = tuple(nearest)
        super().__init__("illegal")
        # what pickle calls the class with
        self.args = (self.breaches, self.nearest)

    def text_for(self, reader: Reader) -> str:
        """Every breach; whoever shows the error lists the nearest legal acts by themselves."""
        return "; ".join(breach.text_for(reader) for breach in self.breaches)


class AmendmentError(SpyriumLogError, table="edit"):
    """An amendment that edits nothing, too much, or an event that does not stand."""


class ComparisonError(SpyriumLogError, table="edit"):
    """Two recordings that cannot be of one game, or that are too long to compare."""


class ExchangeError(SpyriumLogError, table="exchange"):
    """Data in another program's format that cannot be read or written."""


class WorkerError(SpyriumLogError):
    """A worker process ended before its task was done."""


class AliasError(SpyriumLogError, table="store"):
    """A file of aliases that cannot be read, or in which one spelling means two people."""


class PolicyError(SpyriumLogError, table="players"):
    """An unknown policy."""


class SheetError(SpyriumLogError, table="sheet"):
    """A component sheet that lacks a value, or has one twice."""


class ReadModelError(SpyriumLogError, table="index"):
    """The index of logs cannot be used, or not now."""


class HeldError(ReadModelError):
    """Another process has the index open for writing, or for reading while this one must write."""


class UnfitError(ReadModelError):
    """There is no index, or it is damaged or of another version; bringing it up to date builds it anew."""


class QueryError(ReadModelError):
    """SQL that DuckDB refuses; `line` and `column` count from 1, 0 where DuckDB does not say."""

    def __init__(self, message: Message | str, /, line: int = 0, column: int = 0, **arguments: Argument) -> None:
        """The message as in any error, and where in the SQL the mistake is."""
        super().__init__(message, **arguments)
        self.line = line
        self.column = column

    def text_for(self, reader: Reader) -> str:
        """The message, and the place in the SQL where DuckDB says one."""
        text = super().text_for(reader)
        return f"{text}, at line {self.line} column {self.column}" if self.line else text


class QueryMemoryError(QueryError):
    """SQL that takes more memory or disk space than it may."""
