"""Messages: a key and typed arguments. A language is chosen where the message is shown.

`str(message)` is English as logs, indexes and formats for programs have it: seats by number, cards and resources by the
keys of the log. `message.text_for(reader)` is for people: names for seats, words of the title, a minus before numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias, cast

from msgspec import Struct

from spyrium_log.catalogue import ENGLISH, Tables, choose_form, shared_words


class Reader(Struct, frozen=True):
    """For whom a message is written: the language, the names at the table, the vocabulary of the title."""

    language: str = ENGLISH
    names: Sequence[str] = ()
    words: Tables = {}
    minus: str = "−"

    def player_name(self, seat: int) -> str:
        """The player of a seat by name, in the reader's language."""
        return player_name(seat, self.names, self.language)

    def format_number(self, n: int, *, signed: bool = False) -> str:
        """The number with the reader's minus: `−3`; `signed`: with a plus, too."""
        return f"{n:{'+' if signed else ''}d}".replace("-", self.minus)

    def title_word(self, table: str, key: str) -> str:
        """The title's word for a key; in English the key itself, as in logs and commands."""
        return key if self.language == ENGLISH else self.words.get(table, {}).get(key, key)

    def card_name(self, key: str) -> str:
        """The title's name for a card, for an event of the game that has a card, or for what else a sheet names."""
        tables = ("cards", "events", "components")
        return next((name for table in tables if (name := self.title_word(table, key)) != key), key)

    def cause_name(self, key: str) -> str:
        """The title's name for a posting's cause; in English, or without one, the key itself."""
        return key if self.language == ENGLISH else cause_name(key, self.words) or key

    def fill(self, key: str, **arguments: str | int) -> str:
        """A template of the table `words`, which all titles share, filled: `seat` and 2 make `seat 2`."""
        return shared_words(self.language)["words"][key].format(**arguments)


class Typed(Protocol):
    """An argument that reads otherwise for each reader."""

    def text_for(self, reader: Reader) -> str:
        """The argument in the words of this reader."""


class Seat(Struct, frozen=True):
    number: int

    def text_for(self, reader: Reader) -> str:
        """The player's name, or `seat 2`."""
        return reader.player_name(self.number)


class Signed(Struct, frozen=True):
    n: int

    def text_for(self, reader: Reader) -> str:
        """The number with its sign: `+2`."""
        return reader.format_number(self.n, signed=True)


class Count(Struct, frozen=True):
    """A number and its noun: `2 lines`. The noun is a key of a table `counts`, of the title or of all titles.

    A noun of a title stays as it is where the reader has no words: accepted findings in logs are found by that text.
    """

    n: int
    noun: str

    def text_for(self, reader: Reader) -> str:
        """`2 workers`: the number with the form of the noun that the language has for it, the title's own first."""
        own_forms = reader.words.get("counts", {}).get(self.noun)
        forms = own_forms or shared_words(reader.language)["counts"].get(self.noun, self.noun)
        return f"{reader.format_number(self.n)} {choose_form(self.n, forms, reader.language)}"


class Card(Struct, frozen=True):
    key: str

    def text_for(self, reader: Reader) -> str:
        """The name of the card or event, quoted: in English `'mine-1'`."""
        return reader.fill("card", card=reader.card_name(self.key))


class Cards(Struct, frozen=True):
    keys: tuple[str, ...]

    def text_for(self, reader: Reader) -> str:
        """The names of the cards: in English their keys, `gems + metal`; `-` for none."""
        return " + ".join(map(reader.card_name, self.keys)) or "-"


class Component(Struct, frozen=True):
    """A card, or another component that has printed values."""

    key: str

    def text_for(self, reader: Reader) -> str:
        """The name of the component, not quoted; in English its key, as it is typed."""
        return reader.card_name(self.key)


class Term(Struct, frozen=True):
    """A word from a table of the title: `resources`, `kinds`, `fields`, `choices`."""

    table: str
    key: str

    def text_for(self, reader: Reader) -> str:
        """The word for the key; in English the key itself."""
        return reader.title_word(self.table, self.key)


class Cause(Struct, frozen=True):
    key: str

    def text_for(self, reader: Reader) -> str:
        """The name of the cause; in English its key, as the ledger has it."""
        return reader.cause_name(self.key)


class Amount(Struct, frozen=True):
    n: int
    resource: str
    signed: bool = False

    def text_for(self, reader: Reader) -> str:
        """`money 6` in English, as in the log; `£6` in the words of an edition."""
        if reader.language == ENGLISH:
            return f"{self.resource} {reader.format_number(self.n, signed=self.signed)}"
        return amount_text(self.n, self.resource, reader.words, signed=self.signed, language=reader.language)


class Parts(Struct, frozen=True):
    parts: tuple[tuple[str, int], ...]

    def text_for(self, reader: Reader) -> str:
        """The parts of a sum, each a cause and its amount: `start 2, crowd −1`."""
        return ", ".join(f"{reader.cause_name(cause)} {reader.format_number(n)}" for cause, n in self.parts)


class Alternatives(Struct, frozen=True):
    options: tuple[Argument, ...]

    def text_for(self, reader: Reader) -> str:
        """Words, numbers or other arguments, of which one is meant: `move or score`."""
        *words, last = (_argument_text(option, reader) for option in self.options)
        between = f" {reader.fill('or')} " if reader.language == ENGLISH else ", "
        return f"{between.join(words)} {reader.fill('or')} {last}" if words else last


class Quoted(Struct, frozen=True):
    text: str

    def text_for(self, reader: Reader) -> str:
        """The text in the reader's quotes."""
        return reader.fill("card", card=self.text)


class FieldValue(Struct, frozen=True):
    name: str
    value: Any

    def text_for(self, reader: Reader) -> str:
        """A field of an act or a fact with its value: `gap 12`; in English, for programs, `declined True`."""
        if self.name == "seat" and isinstance(self.value, int):
            return reader.player_name(self.value)
        name = reader.title_word("fields", self.name)
        is_plain_yes = self.value is True and reader.language != ENGLISH
        return name if is_plain_yes else f"{name} {self._value_text(reader)}"

    def _value_text(self, reader: Reader) -> str:
        """The value alone: a number, a choice by its word in the title, else a card by its name."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return reader.format_number(self.value)
        word = str(self.value)
        choice = reader.title_word("choices", word)
        return choice if choice != word else reader.card_name(word)


class SourceOf(Struct, frozen=True):
    """Where a printed value comes from."""

    key: str

    def text_for(self, reader: Reader) -> str:
        """The word for it; in English the key, as a sheet has it."""
        return shared_words(reader.language)["sources"][self.key]


class Fact(Struct, frozen=True):
    tag: str
    fields: tuple[FieldValue, ...]

    def text_for(self, reader: Reader) -> str:
        """What a fact is called, then its fields, which in other languages than English stand in brackets."""
        name = reader.title_word("facts", self.tag)
        fields = ", ".join(field.text_for(reader) for field in self.fields)
        if reader.language == ENGLISH:
            return f"{name} {fields}".strip()
        return f"{name} ({fields})" if fields else name


Argument: TypeAlias = "str | int | Typed | Message"


class Message:
    """A template of a catalogue, named `table.key`, and its arguments. Never changed.

    Formats for programs hold its English: msgspec does not know the type, so encode with `enc_hook=str`.
    """

    __slots__ = ("arguments", "key", "words")

    def __init__(self, words: Callable[[str], Tables], key: str, /, **arguments: Argument) -> None:
        """`words` gives the tables of a language, and `key`, as in `findings.seat`, the template in them."""
        self.words: Final = words
        self.key: Final = key
        self.arguments: Final[Mapping[str, Argument]] = arguments

    def text_for(self, reader: Reader) -> str:
        """The template in the reader's language, filled with the arguments as that reader has them."""
        table, _, key = self.key.partition(".")
        template = self.words(reader.language)[table][key]
        return template.format(**{place: _argument_text(value, reader) for place, value in self.arguments.items()})

    def __str__(self) -> str:
        """The message in English, as logs and programs have it."""
        return self.text_for(RECORDED)

    def __repr__(self) -> str:
        """The key and the English text, for a failed test and a debugger."""
        return f"<Message {self.key}: {self}>"

    def __eq__(self, other: object) -> bool:
        """Messages are equal that have the same key and arguments: whoever compares findings asks for that."""
        return isinstance(other, Message) and (self.key, self.arguments) == (other.key, other.arguments)

    def __hash__(self) -> int:
        """The hash of the key and of the arguments' names; their values may have no hash."""
        return hash((self.key, *sorted(self.arguments)))


# For logs and programs: English, seats by number, a hyphen before numbers below zero.
RECORDED: Final = Reader(minus="-")


def _argument_text(value: Argument, reader: Reader) -> str:
    """An argument of a template: texts as they are, all else as the reader has it."""
    if isinstance(value, str):
        return value
    return reader.format_number(value) if isinstance(value, int) else value.text_for(reader)


class Maker(Protocol):
    def __call__(self, key: str, /, **arguments: Argument) -> Message:
        """The message of this key of the maker's table."""


def message_maker(words: Callable[[str], Tables], table: str) -> Maker:
    """A function that makes the messages of one table, each once: trying moves makes thousands that nobody reads."""

    @lru_cache(maxsize=1024)
    def make(key: str, /, **arguments: Argument) -> Message:
        """The message of this key with these arguments, made once."""
        return Message(words, f"{table}.{key}", **arguments)

    return cast("Maker", make)


# Findings that every title has.
finding_message: Final = message_maker(shared_words, "findings")
damage_message: Final = message_maker(shared_words, "damage")
store_message: Final = message_maker(shared_words, "store")
argument_message: Final = message_maker(shared_words, "arguments")
exchange_message: Final = message_maker(shared_words, "exchange")
checkpoint_message: Final = message_maker(shared_words, "checkpoint")
entry_message: Final = message_maker(shared_words, "entry")
index_message: Final = message_maker(shared_words, "index")
# What a line of notation must hold.
syntax: Final = message_maker(shared_words, "syntax")


# What says that nothing may follow: in some languages another sentence than for what must stand there.
_ENDS: Final = ("syntax.nothing-more", "syntax.nothing-after", "syntax.act-alone")


def unexpected_message(expected: Message, found: str, near: Sequence[str] = ()) -> Message:
    """`expected a card, found 'mina': did you mean 'mine-1'?`; `near`: the words perhaps meant; `found` may be ''."""
    if not found:
        message = syntax("nothing", expected=expected)
    else:
        is_end = expected.key.startswith(_ENDS)
        message = syntax("superfluous" if is_end else "found", expected=expected, found=found)
    return syntax("meant", message=message, options=quote_words(near)) if near else message


def quote_words(words: Iterable[str]) -> Alternatives:
    """The words as alternatives, each in quotes: `'a' or 'b'`."""
    return Alternatives(tuple(map(Quoted, words)))


def seat_message(seat: int) -> Message:
    """A seat alone, as what a rule expected or found."""
    return finding_message("seat", seat=Seat(seat))


def card_message(card: str) -> Message:
    """A card alone, as what a rule expected or found."""
    return finding_message("card", card=Card(card))


def number_message(n: int) -> Message:
    """A number alone, as what a rule expected or found."""
    return finding_message("number", n=n)


def choice_message(options: Sequence[str | int]) -> Message:
    """What a rule lets a player choose from, or what was chosen: numbers, and keys of the title's `choices`."""
    words = (option if isinstance(option, int) else Term("choices", option) for option in options)
    return finding_message("choice", options=Alternatives(tuple(words)))


def comparison_text(expected: Message, found: Message, reader: Reader) -> str:
    """The two halves of a finding or breach in one text: `expected Bob to act, found Cy`.

    Other languages than English have a sentence for most: in the table `comparisons` of the catalogue of either half,
    under the keys of both, as `act/seat`, or of what was expected alone. Its places are those of the halves, with `e_`
    and `f_` before them, or a whole half.
    """
    template = _find_comparison(expected, found, reader.language)
    if template is not None:
        halves = {"expected": expected.text_for(reader), "found": found.text_for(reader)}
        for prefix, half in (("e_", expected), ("f_", found)):
            halves |= {f"{prefix}{name}": _argument_text(value, reader) for name, value in half.arguments.items()}
        return template.format(**halves)
    return reader.fill("expected", expected=expected.text_for(reader), found=found.text_for(reader))


def _find_comparison(expected: Message, found: Message, language: str) -> str | None:
    """The sentence for two halves, that of both before that of what was expected; None where the language has none."""
    if language == ENGLISH:
        return None
    expected_key, found_key = expected.key.partition(".")[2], found.key.partition(".")[2]
    for key in (f"{expected_key}/{found_key}", expected_key):
        for words in (expected.words, found.words):
            template = words(language).get("comparisons", {}).get(key)
            if template is not None:
                return template
    return None


def player_name(seat: int, names: Sequence[str], language: str) -> str:
    """The name of the player of a seat; `seat 2` in this language where nobody is known to sit there."""
    return names[seat - 1] if 0 < seat <= len(names) else shared_words(language)["words"]["seat"].format(n=seat)


def amount_text(n: int, resource: str, words: Tables, *, signed: bool = False, language: str = ENGLISH) -> str:
    """An amount in the title's words: `6 points`; a word without letters is a sign before the number: `−£6`.

    With another language than English the word has the form that this language has after the number, where the title
    has its forms; without one it is the short word of tables.
    """
    sign = "−" if n < 0 else "+" if signed else ""
    forms = "" if language == ENGLISH else words.get("amounts", {}).get(resource, "")
    word = words["one"].get(resource) if abs(n) == 1 else None
    name = choose_form(n, forms, language) if forms else word or words["resources"].get(resource, resource)
    return f"{sign}{abs(n)} {name}" if is_word(name) else f"{sign}{name}{abs(n)}"


def is_word(name: str) -> bool:
    """Whether the name of a resource is a word; a sign, as of money, has no letters."""
    return any(char.isalpha() for char in name)


def cause_name(key: str, words: Tables) -> str | None:
    """The name of a posting's cause, of the card's where it is a card; None where the title has no word for it."""
    return words["causes"].get(key) or words["cards"].get(key.removeprefix("final:"))
