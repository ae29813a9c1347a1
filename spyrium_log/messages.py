"""What the library says: a key and typed arguments. A language is chosen where the message is shown.

`str(message)` is the English that logs, indexes and programs' formats hold: seats by number, everything else by the key
that the log uses. `message.text(reader)` is for people: names for seats, the title's words, a minus before numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias, cast

from spyrium_log.catalogue import ENGLISH, Tables, house_words


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: in which language, with which words of the title, at a table of which players."""

    language: str = ENGLISH
    names: Sequence[str] = ()
    words: Tables = field(default_factory=dict)
    minus: str = "−"

    def player(self, seat: int) -> str:
        """The name of who sits there; where nobody does, the seat."""
        return player_name(seat, self.names, self.language)

    def number(self, n: int, *, signed: bool = False) -> str:
        return f"{n:{'+' if signed else ''}d}".replace("-", self.minus)

    def word(self, table: str, key: str) -> str:
        """The title's word; in English the key, which a log and its commands use."""
        return key if self.language == ENGLISH else self.words.get(table, {}).get(key, key)

    def card(self, key: str) -> str:
        """The name of a card or an event."""
        name = self.word("cards", key)
        return self.word("events", key) if name == key else name

    def cause(self, key: str) -> str:
        return key if self.language == ENGLISH else cause_name(key, self.words) or key

    def of_house(self, key: str) -> str:
        return house_words(self.language)["words"][key]

    def placed(self, message: Message, place: str) -> str:
        """A message with where it is about: `expected … at game.jsonl:3`."""
        return self.of_house("placed").format(message=message.text(self), place=place)


# --- arguments -----------------------------------------------------------------------------------


class Typed(Protocol):
    """An argument that is more than a number or a text."""

    def text(self, reader: Reader) -> str: ...


@dataclass(frozen=True, slots=True)
class Seat:
    number: int

    def text(self, reader: Reader) -> str:
        return reader.player(self.number)


@dataclass(frozen=True, slots=True)
class Signed:
    """A number that always has its sign."""

    n: int

    def text(self, reader: Reader) -> str:
        return reader.number(self.n, signed=True)


@dataclass(frozen=True, slots=True)
class Card:
    """A card or an event, quoted."""

    key: str

    def text(self, reader: Reader) -> str:
        return reader.of_house("card").format(card=reader.card(self.key))


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the title, from one of its tables: `resources`, `kinds`, `fields`, `choices`."""

    table: str
    key: str

    def text(self, reader: Reader) -> str:
        return reader.word(self.table, self.key)


@dataclass(frozen=True, slots=True)
class Cause:
    key: str

    def text(self, reader: Reader) -> str:
        return reader.cause(self.key)


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of a resource: `money 6` in English as in the log, `£6` in the words of an edition."""

    n: int
    resource: str
    signed: bool = False

    def text(self, reader: Reader) -> str:
        if reader.language == ENGLISH:
            return f"{self.resource} {reader.number(self.n, signed=self.signed)}"
        return amount_text(self.n, self.resource, reader.words, signed=self.signed)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a sum is made of, by cause."""

    parts: tuple[tuple[str, int], ...]

    def text(self, reader: Reader) -> str:
        return ", ".join(f"{reader.cause(cause)} {reader.number(n)}" for cause, n in self.parts)


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from, numbers or the title's words."""

    options: tuple[str | int, ...]

    def text(self, reader: Reader) -> str:
        words = [
            reader.number(each) if isinstance(each, int) else reader.word("choices", each) for each in self.options
        ]
        return f" {reader.of_house('or')} ".join(words)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words to choose from, each in quotes."""

    words: tuple[str, ...]

    def text(self, reader: Reader) -> str:
        return f" {reader.of_house('or')} ".join(f"'{word}'" for word in self.words)


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field of an act or a fact with its value: `gap 12`, `declined True`."""

    name: str
    value: Any

    def text(self, reader: Reader) -> str:
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
    """A fact by its tag, with what it says."""

    tag: str
    fields: tuple[FieldValue, ...]

    def text(self, reader: Reader) -> str:
        name = reader.word("facts", self.tag)
        fields = ", ".join(field.text(reader) for field in self.fields)
        if reader.language == ENGLISH:
            return f"{name} {fields}".strip()
        return f"{name} ({fields})" if fields else name


Argument: TypeAlias = "str | int | Typed | Message"


# --- messages ------------------------------------------------------------------------------------


class Message:
    """A template, named `table.key` in the words of a room, and what stands in its places. Never changed.

    Formats for programs write it as its English: it is no type that msgspec knows, so `enc_hook=str` makes it one.
    """

    __slots__ = ("arguments", "key", "words")

    def __init__(self, words: Callable[[str], Tables], key: str, /, **arguments: Argument) -> None:
        self.words: Final = words
        self.key: Final = key
        self.arguments: Final[Mapping[str, Argument]] = arguments

    def text(self, reader: Reader) -> str:
        """The message in the language of who reads it."""
        table, _, key = self.key.partition(".")
        template = self.words(reader.language)[table][key]
        return template.format(**{place: _shown(value, reader) for place, value in self.arguments.items()})

    def __str__(self) -> str:
        return self.text(RECORDED)

    def __repr__(self) -> str:
        return f"<Message {self.key}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.key, self.arguments) == (other.key, other.arguments)

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.arguments)))


# As logs and programs have it: English, seats by number, a hyphen before numbers below zero.
RECORDED: Final = Reader(minus="-")


def _shown(value: Argument, reader: Reader) -> str:
    if isinstance(value, str):
        return value
    return reader.number(value) if isinstance(value, int) else value.text(reader)


class Maker(Protocol):
    def __call__(self, key: str, /, **arguments: Argument) -> Message: ...


def message_maker(words: Callable[[str], Tables], table: str) -> Maker:
    """The function that makes the messages of one table of a room's words, one object for the same arguments.

    Legal moves are found by trying moves, and each that a rule forbids makes two messages that nobody reads.
    """

    @lru_cache(maxsize=1024)
    def make(key: str, /, **arguments: Argument) -> Message:
        return Message(words, f"{table}.{key}", **arguments)

    return cast("Maker", make)


# What the audit says of every title's games.
house_message: Final = message_maker(house_words, "findings")
# What is wrong at the end of a log.
damage_message: Final = message_maker(house_words, "damage")
# What the disk, its locks or another writer refuse.
store_message: Final = message_maker(house_words, "store")
# What a line of notation must say.
syntax: Final = message_maker(house_words, "syntax")


def unexpected(expected: Message, found: str, near: Sequence[str] = ()) -> Message:
    """`expected a card, found 'mina': did you mean 'mine-1'?`; `near` are the words that were perhaps meant."""
    message = syntax("found", expected=expected, found=found) if found else syntax("nothing", expected=expected)
    return syntax("meant", message=message, options=Quoted(tuple(near))) if near else message


def seat_message(seat: int) -> Message:
    return house_message("seat", seat=Seat(seat))


def card_message(card: str) -> Message:
    return house_message("card", card=Card(card))


def number_message(n: int) -> Message:
    return house_message("number", n=n)


def choice_message(options: Sequence[str | int]) -> Message:
    """What there is to choose from, or what was chosen."""
    return house_message("choice", options=Choices(tuple(options)))


def comparison(expected: Message, found: Message, reader: Reader) -> str:
    """`expected Bob to act, found Cy`."""
    return reader.of_house("expected").format(expected=expected.text(reader), found=found.text(reader))


# --- the same words where there is no message ----------------------------------------------------


def player_name(seat: int, names: Sequence[str], language: str) -> str:
    """The name of who sits there; where nobody does, the seat."""
    return names[seat - 1] if 0 < seat <= len(names) else house_words(language)["words"]["seat"].format(n=seat)


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
    """A cause in words: what is called by a card has the card's name."""
    return words["causes"].get(key) or words["cards"].get(key.removeprefix("final:"))
