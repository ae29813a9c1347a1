"""What cards, workers and achievements do, in a small closed vocabulary that a person can type.

    gain money|fleeting|lasting|points N [per COUNT]
    road [N]          base [free|-N]       access [free|-N] [connected] [TERRAIN]
    trade [-N]        construct [-N] [house|bridge]         tile [-N]
    recruit [free|-N] [that]               take-back N [but CARD]
    say TEXT

A `?` behind the first word makes an instruction optional: `road?`. `free` waives the price, `-N` takes N off the usual
one, `that` asks for an adviser of the resource just bought access to. What nobody can say in these words is `say`: the
table tells what moved. Achievements are `COUNT >= N`, or `most structures in a section`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from spyrium_log.titles.founders.ground import TERRAINS

Does: TypeAlias = Literal[
    "gain",
    "road",
    "base",
    "access",
    "trade",
    "construct",
    "tile",
    "recruit",
    "take-back",
    "say",
    # what no card prints: a basic action, and the action of the Income card
    "basic",
    "income",
]
Count: TypeAlias = Literal[
    "house", "bridge", "resource", "base-beside", "tile-beside", "road-beside", "delivered", "completed", "adviser"
]
COUNTS: Final[tuple[str, ...]] = get_args(Count)
GoalCount: TypeAlias = Literal[
    "buildings-delivered",
    "tier2-built",
    "tier3-built",
    "deliveries",
    "resources",
    "houses",
    "advisers",
    "lasting",
    "money",
]
GOAL_COUNTS: Final[tuple[str, ...]] = get_args(GoalCount)
GAINED: Final = ("money", "fleeting", "lasting", "points")
MOST_STRUCTURES: Final = "most structures in a section"
_MOST_INSTRUCTIONS: Final = 8
# So much of a text that cannot be read stands in the error.
_MOST_QUOTED: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of a programme. `off` is taken off the usual price; `free` waives it.

    `that`: an adviser of the resource just bought access to. `instead`: only where the like optional instruction before
    it was not done. `main`: the action of its own action card. `follow`: the follow action, which saves nothing and may
    do less than the main action. `unknown`: nobody knows what is printed, so that nothing is refused, and nothing paid
    by the rules.
    """

    does: Does
    n: int = 1
    what: str = ""
    per: str = ""
    off: int = 0
    free: bool = False
    connected: bool = False
    terrain: str = ""
    that: bool = False
    but: str = ""
    optional: bool = False
    instead: bool = False
    main: bool = False
    follow: bool = False
    unknown: bool = False

    @property
    def begins_alone(self) -> bool:
        """Whether a card that begins with it is played by an act of its own: to take cards back plays none."""
        return not self.has_choice or self.does == "take-back"

    @property
    def has_choice(self) -> bool:
        """Whether somebody chooses how it is done; what has no choice happens by itself."""
        return self.does not in {"gain", "say", "income"}


Programme: TypeAlias = tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """What an achievement asks for: at least so many, or the most structures in some section."""

    count: str
    least: int = 0


# The word, what may follow it, and how that is read.
_NUMBER = r"[0-9]{1,2}"
_OFF = rf"(?:(?P<free>free)|-(?P<off>{_NUMBER}))"
_PATTERNS: Final[tuple[tuple[Does, str], ...]] = (
    ("gain", rf"(?P<what>{'|'.join(GAINED)}) (?P<n>{_NUMBER})(?: per (?P<per>{'|'.join(COUNTS)}))?"),
    ("road", rf"(?P<n>{_NUMBER})?"),
    ("base", rf"{_OFF}?"),
    ("access", rf"{_OFF}?(?: ?(?P<connected>connected))?(?: ?(?P<terrain>{'|'.join(TERRAINS)}))?"),
    ("trade", rf"(?:-(?P<off>{_NUMBER}))?"),
    ("construct", rf"(?:-(?P<off>{_NUMBER}))?(?: ?(?P<what>house|bridge))?"),
    ("tile", rf"(?:-(?P<off>{_NUMBER}))?"),
    ("recruit", rf"{_OFF}?(?: ?(?P<that>that))?"),
    ("take-back", rf"(?P<n>{_NUMBER})(?: but (?P<but>[a-z][a-z0-9-]*))?"),
    ("say", r"(?P<what>.+)"),
)


def read_programme(text: str) -> Programme:
    """The programme that this text says. ValueError with the instruction that cannot be read."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > _MOST_INSTRUCTIONS:
        raise ValueError(text[:_MOST_QUOTED])
    return tuple(_read_instruction(part) for part in parts)


def _read_instruction(part: str) -> Instruction:
    """One instruction, as `access free connected desert`. ValueError for what is none."""
    word, _, details = part.partition(" ")
    for does, pattern in _PATTERNS:
        match = re.fullmatch(pattern, details) if word.removesuffix("?") == does else None
        if match:
            fields = {name: value for name, value in match.groupdict().items() if value}
            return Instruction(
                does=does,
                n=int(fields.get("n", 1)),
                what=fields.get("what", ""),
                per=fields.get("per", ""),
                off=int(fields.get("off", 0)),
                free="free" in fields,
                connected="connected" in fields,
                terrain=fields.get("terrain", ""),
                that="that" in fields,
                but=fields.get("but", ""),
                optional=word.endswith("?"),
            )
    raise ValueError(part[:_MOST_QUOTED])


def read_condition(text: str) -> Condition:
    """The condition that this text says. ValueError where it says none."""
    if text == MOST_STRUCTURES:
        return Condition(MOST_STRUCTURES)
    match = re.fullmatch(rf"({'|'.join(GOAL_COUNTS)}) >= ({_NUMBER})", text)
    if not match:
        raise ValueError(text[:_MOST_QUOTED])
    return Condition(match[1], int(match[2]))
