"""The values of a component set, read one by one. What is wrong with them is collected, and nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from spyrium_log.messages import Argument, Message
from spyrium_log.sheet import Printed as Row
from spyrium_log.sheet import Sheet, number_row
from spyrium_log.title import ValueKind
from spyrium_log.titles.founders.cards import ACTION_CARDS, AESTHER, BASES, RACE, RACES, ROW, TIER_2, TIER_3
from spyrium_log.titles.founders.ground import SIDES, TERRAINS
from spyrium_log.titles.founders.messages import LANGUAGES, flaw

ADVISER: Final = "adviser"
PRESTIGE: Final = "prestige"
GOAL: Final = "goal"
CARD_KINDS: Final = (ADVISER, PRESTIGE, GOAL)
# The largest price, level, number of points or of a row.
MOST: Final = 99

Answer = TypeVar("Answer")

_BOARD_ROWS = tuple(number_row(text, row) for text in ("map", "sections") for row in range(1, MOST + 1))
# The values that each kind of card has.
_VALUES_OF_CARD: Final = {
    ADVISER: ("kind", "level", "category", "needs", "points", "does"),
    PRESTIGE: ("kind", "shape", "colour", "terrain", "site", "needs", "worker"),
    GOAL: ("kind", "deck", "points", "when"),
}
# The components that every set has, each with its values.
VALUES_OF: Final = {
    **{f"terrain-{terrain}": ("build", "access") for terrain in TERRAINS},
    **{f"slot-{slot}": ("price",) for slot in range(1, ROW + 1)},
    **dict.fromkeys((*TIER_2, *TIER_3), ("inputs", "shape", "flags")),
    **dict.fromkeys(BASES, ("forbids",)),
    **dict.fromkeys(RACES, ("base", "forbids", "worker")),
    AESTHER: ("forbids", "worker"),
    **{f"board-{side}": _BOARD_ROWS for side in SIDES},
}
NUMBERS: Final = frozenset({"build", "access", "price", "level", "points"})
# The name of a component in a language may stand beside its values.
_NAMES = tuple(f"name-{language}" for language in LANGUAGES)
_CARD = re.compile(r"[a-z][a-z0-9-]{2,39}")
_RESERVED = frozenset({*ACTION_CARDS, RACE})


def list_values_of(sheet: Sheet, of: str) -> dict[str, ValueKind]:
    """The values that a component of this name could have in a set; of a card, when its kind is known."""
    names = VALUES_OF.get(of, ())
    if not names and is_card_name(of):
        kind = next((str(row.value) for row in sheet.printed if (row.of, row.what) == (of, "kind")), "")
        # of a card that the set does not have nothing else can be said before its kind
        names = _VALUES_OF_CARD.get(kind, ("kind",))
    return {name: "number" if name in NUMBERS else "text" for name in (*names, *_NAMES)} if names else {}


def is_card_name(of: str) -> bool:
    """Whether a card of somebody's own may be called so."""
    return _CARD.fullmatch(of) is not None and of not in _RESERVED


class Values:
    """The rows of a set, by component and name, and the flaws that were found in them."""

    def __init__(self, sheet: Sheet) -> None:
        """Check the names of all rows; a flaw is kept for the list of them, not raised."""
        self.sheet = sheet
        self.rows = sheet.rows_by_key()
        self.flaws: list[Message] = []
        self.kinds: dict[str, str] = {}
        for row in sheet.printed:
            self._check_name(row)

    def list_cards(self, kind: str) -> list[str]:
        """The cards of a kind, in the order of the set."""
        return [card for card, card_kind in self.kinds.items() if card_kind == kind]

    def add_flaw(self, key: str, /, **arguments: Argument) -> None:
        """Remember what is wrong; the same thing is said once."""
        message = flaw(key, **arguments)
        if message not in self.flaws:
            self.flaws.append(message)

    def read_number(self, of: str, what: str) -> int | None:
        """A number from 0 to MOST; None where it is not known."""
        row = self.rows.get((of, what))
        if row is None:
            return None
        if isinstance(row.value, int) and 0 <= row.value <= MOST:
            return row.value
        self._refuse(row, flaw("number", most=MOST))
        return None

    def read(self, of: str, what: str, parse: Callable[[str], Answer], expected: str) -> Answer | None:
        """A text as `parse` reads it, which raises ValueError for one it cannot; None where it is not known.

        `expected` is the key of what the text should have been.
        """
        row = self.rows.get((of, what))
        if row is None:
            return None
        try:
            return parse(_text_of(row))
        except ValueError:
            self._refuse(row, flaw(expected))
            return None

    def read_word(self, of: str, what: str, words: Iterable[str]) -> str | None:
        """The one of these words that stands there; None where it is not known, and, with a flaw, for any other."""
        row = self.rows.get((of, what))
        if row is None:
            return None
        known = tuple(words)
        if row.value in known:
            return str(row.value)
        self._refuse(row, flaw("word", known=", ".join(known)))
        return None

    def read_names(self) -> dict[tuple[str, str], str]:
        """The names of components by component and language."""
        return {
            (of, what.removeprefix("name-")): str(row.value) for (of, what), row in self.rows.items() if what in _NAMES
        }

    def _refuse(self, row: Row, expected: Message) -> None:
        """Add a flaw to a row whose value is none that it can have."""
        self.add_flaw("value", of=row.of, what=row.what, expected=expected, found=str(row.value))

    def _check_name(self, row: Row) -> None:
        """A slip in the name of a component or a value is a flaw: it would be left out without a word."""
        possible = self._list_values_of(row)
        if possible and row.what not in possible and row.what not in _NAMES:
            self.add_flaw("value-name", of=row.of, what=row.what, known=_list_briefly(possible))

    def _list_values_of(self, row: Row) -> tuple[str, ...]:
        """The values that the component of this row may have, of a card by its kind; none where it is no component."""
        if row.of in VALUES_OF:
            return VALUES_OF[row.of]
        kind = self.rows.get((row.of, "kind"))
        if kind is None or not is_card_name(row.of):
            self.add_flaw("component", of=row.of, kinds=", ".join(CARD_KINDS))
            return ()
        card_kind = self.read_word(row.of, "kind", CARD_KINDS)
        if card_kind is None:
            return ()
        self.kinds[row.of] = card_kind
        return _VALUES_OF_CARD[card_kind]


def _text_of(row: Row) -> str:
    """The text of a row. ValueError where it is a number."""
    if not isinstance(row.value, str):
        raise ValueError(row.value)  # noqa: TRY004 - whatever cannot be read is one thing to who reads
    return row.value


def _list_briefly(values: tuple[str, ...]) -> str:
    """The names of values for a sentence; of numbered ones, as `map-01` to `map-99`, the first only."""
    return ", ".join(value for value in values if not re.search(r"-(?!01)[0-9]{2}", value))
