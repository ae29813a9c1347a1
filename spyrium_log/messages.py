"""Messages: a key and typed arguments. A language is chosen where the message is shown.

`str(message)` is English as logs, indexes and formats for programs have it: seats by number, cards and resources by the
keys of the log. `message.text_for(reader)` is for people: names for seats, words of the title, a minus before numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias, cast

from spyrium_log.catalogue import ENGLISH, Tables, shared_words


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a message is written: the language, the names at the table, the vocabulary of the title."""

    language: str = ENGLISH
    names: Sequence[str] = ()
    words: Tables = field(default_factory=dict)
    minus: str = "−"

    def player(self, seat: int) -> str:
        """The name of the player of a seat; the seat where there is none."""
        return player_name(seat, self.names, self.language)

    def number(self, n: int, *, signed: bool = False) -> str:
        """The number with the reader's minus; signed: with its sign in any case."""
        return f"{n:{'+' if signed else ''}d}".replace("-", self.minus)

    def word(self, table: str, key: str) -> str:
        """The title's word for a key; in English the key itself, as in logs and commands."""
        return key if self.language == ENGLISH else self.words.get(table, {}).get(key, key)

    def card(self, key: str) -> str:
        """The name of a card or an event."""
        name = self.word("cards", key)
        return self.word("events", key) if name == key else name

    def cause(self, key: str) -> str:
        """The name of a posting's cause."""
        return key if self.language == ENGLISH else cause_name(key, self.words) or key

    def shared_word(self, key: str) -> str:
        """A word of all titles, as `or`."""
        return shared_words(self.language)["words"][key]

    def placed(self, message: Message, place: str) -> str:
        """A message and its place: `expected … at game.jsonl:3`."""
        return self.shared_word("placed").format(message=message.text_for(self), place=place)


# --- arguments -----------------------------------------------------------------------------------


class Typed(Protocol):
    """An argument that reads otherwise for each reader."""

    def text_for(self, reader: Reader) -> str: ...


@dataclass(frozen=True, slots=True)
class Seat:
    number: int

    def text_for(self, reader: Reader) -> str:
        return reader.player(self.number)


@dataclass(frozen=True, slots=True)
class Signed:
    """A number with its sign: `+2`."""

    n: int

    def text_for(self, reader: Reader) -> str:
        return reader.number(self.n, signed=True)


@dataclass(frozen=True, slots=True)
class Card:
    """A card or an event, quoted."""

    key: str

    def text_for(self, reader: Reader) -> str:
        return reader.shared_word("card").format(card=reader.card(self.key))


@dataclass(frozen=True, slots=True)
class Term:
    """A word from a table of the title: `resources`, `kinds`, `fields`, `choices`."""

    table: str
    key: str

    def text_for(self, reader: Reader) -> str:
        return reader.word(self.table, self.key)


@dataclass(frozen=True, slots=True)
class Cause:
    key: str

    def text_for(self, reader: Reader) -> str:
        return reader.cause(self.key)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of a resource: `money 6` in English, as in the log; `£6` in the words of an edition."""

    n: int
    resource: str
    signed: bool = False

    def text_for(self, reader: Reader) -> str:
        if reader.language == ENGLISH:
            return f"{self.resource} {reader.number(self.n, signed=self.signed)}"
        return amount_text(self.n, self.resource, reader.words, signed=self.signed)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a sum, by cause."""

    parts: tuple[tuple[str, int], ...]

    def text_for(self, reader: Reader) -> str:
        return ", ".join(f"{reader.cause(cause)} {reader.number(n)}" for cause, n in self.parts)


@dataclass(frozen=True, slots=True)
class Choices:
    """Alternatives, numbers or words of the title: `move or score`."""

    options: tuple[str | int, ...]

    def text_for(self, reader: Reader) -> str:
        words = [
            reader.number(each) if isinstance(each, int) else reader.word("choices", each) for each in self.options
        ]
        return f" {reader.shared_word('or')} ".join(words)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Alternative words as the log has them, without quotes."""

    words: tuple[str, ...]

    def text_for(self, reader: Reader) -> str:
        return f" {reader.shared_word('or')} ".join(self.words)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Alternative words, each in quotes."""

    words: tuple[str, ...]

    def text_for(self, reader: Reader) -> str:
        return f" {reader.shared_word('or')} ".join(f"'{word}'" for word in self.words)


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field of an act or a fact with its value: `gap 12`, `declined True`."""

    name: str
    value: Any

    def text_for(self, reader: Reader) -> str:
        if self.name == "seat" and isinstance(self.value, int):
            return reader.player(self.value)
        name = reader.word("fields", self.name)
        if reader.language == ENGLISH:
            return f"{name} {self._value(reader)}"
        return name if self.value is True else f"{name} {self._value(reader)}"

    def _value(self, reader: Reader) -> str:
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return reader.number(self.value)
        word = str(self.value)
        choice = reader.word("choices", word)
        return choice if choice != word else reader.card(word)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: its tag and its fields."""

    tag: str
    fields: tuple[FieldValue, ...]

    def text_for(self, reader: Reader) -> str:
        name = reader.word("facts", self.tag)
        fields = ", ".join(field.text_for(reader) for field in self.fields)
        if reader.language == ENGLISH:
            return f"{name} {fields}".strip()
        return f"{name} ({fields})" if fields else name


@dataclass(frozen=True, slots=True)
class Sentences:
    """Messages, breaches or errors, one after another."""

    sentences: tuple[Typed, ...]

    def text_for(self, reader: Reader) -> str:
        return "; ".join(sentence.text_for(reader) for sentence in self.sentences)


Argument: TypeAlias = "str | int | Typed | Message"


# --- messages ------------------------------------------------------------------------------------


class Message:
    """A template of a catalogue, named `table.key`, and its arguments. Never changed.

    Formats for programs hold its English: msgspec does not know the type, so encode with `enc_hook=str`.
    """

    __slots__ = ("arguments", "key", "words")

    def __init__(self, words: Callable[[str], Tables], key: str, /, **arguments: Argument) -> None:
        self.words: Final = words
        self.key: Final = key
        self.arguments: Final[Mapping[str, Argument]] = arguments

    def text_for(self, reader: Reader) -> str:
        """The message in the language of who reads it."""
        table, _, key = self.key.partition(".")
        template = self.words(reader.language)[table][key]
        return template.format(**{place: _shown(value, reader) for place, value in self.arguments.items()})

    def __str__(self) -> str:
        return self.text_for(RECORDED)

    def __repr__(self) -> str:
        return f"<Message {self.key}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.key, self.arguments) == (other.key, other.arguments)

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.arguments)))


# For logs and programs: English, seats by number, a hyphen before numbers below zero.
RECORDED: Final = Reader(minus="-")


def _shown(value: Argument, reader: Reader) -> str:
    """The text of one argument."""
    if isinstance(value, str):
        return value
    return reader.number(value) if isinstance(value, int) else value.text_for(reader)


class Maker(Protocol):
    def __call__(self, key: str, /, **arguments: Argument) -> Message: ...


def message_maker(words: Callable[[str], Tables], table: str) -> Maker:
    """Return a function that makes the messages of one table. It keeps them and returns them again.

    Legal moves are found by trying moves, and each that a rule forbids makes two messages that nobody reads.
    """

    @lru_cache(maxsize=1024)
    def make(key: str, /, **arguments: Argument) -> Message:
        return Message(words, f"{table}.{key}", **arguments)

    return cast("Maker", make)


# Findings that every title has.
audit_message: Final = message_maker(shared_words, "findings")
# Damage at the end of a log.
damage_message: Final = message_maker(shared_words, "damage")
# Errors of the disk, of locks, of other writers.
store_message: Final = message_maker(shared_words, "store")
# Arguments of the library's functions.
argument_message: Final = message_maker(shared_words, "arguments")
# What a line of notation must hold.
syntax: Final = message_maker(shared_words, "syntax")


def unexpected(expected: Message, found: str, near: Sequence[str] = ()) -> Message:
    """`expected a card, found 'mina': did you mean 'mine-1'?`; `near` are the words that were perhaps meant."""
    message = syntax("found", expected=expected, found=found) if found else syntax("nothing", expected=expected)
    return syntax("meant", message=message, options=Quoted(tuple(near))) if near else message


def seat_message(seat: int) -> Message:
    """A seat by itself."""
    return audit_message("seat", seat=Seat(seat))


def card_message(card: str) -> Message:
    """A card by itself."""
    return audit_message("card", card=Card(card))


def number_message(n: int) -> Message:
    """A number by itself."""
    return audit_message("number", n=n)


def choice_message(options: Sequence[str | int]) -> Message:
    """The alternatives, or the one that was chosen."""
    return audit_message("choice", options=Choices(tuple(options)))


def comparison(expected: Message, found: Message, reader: Reader) -> str:
    """`expected Bob to act, found Cy`."""
    return reader.shared_word("expected").format(expected=expected.text_for(reader), found=found.text_for(reader))


# --- the same words where there is no message ----------------------------------------------------


def player_name(seat: int, names: Sequence[str], language: str) -> str:
    """The name of the player of a seat; the seat where there is none."""
    return names[seat - 1] if 0 < seat <= len(names) else shared_words(language)["words"]["seat"].format(n=seat)


def amount_text(n: int, resource: str, words: Tables, *, signed: bool = False) -> str:
    """`6 points`; a word without letters is a sign and stands before the number: `−£6`."""
    sign = "−" if n < 0 else "+" if signed else ""
    word = words["one"].get(resource) if abs(n) == 1 else None
    name = word or words["resources"].get(resource, resource)
    return f"{sign}{abs(n)} {name}" if is_word(name) else f"{sign}{name}{abs(n)}"


def is_word(name: str) -> bool:
    """Whether the name of a resource is a word; a sign, as of money, has no letters."""
    return any(char.isalpha() for char in name)


def cause_name(key: str, words: Tables) -> str | None:
    """The name of a posting's cause; a cause that is a card has the card's name."""
    return words["causes"].get(key) or words["cards"].get(key.removeprefix("final:"))
