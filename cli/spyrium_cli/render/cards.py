"""The cards of Spyrium as its sheet has them, for whoever writes a deal down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from spyrium_log.title import Table
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, EVENTS_WITH_TOKEN, KINDS, PERIODS
from spyrium_log.titles.spyrium.messages import vocabulary
from spyrium_log.titles.spyrium.moves import RoundDealt
from spyrium_log.titles.spyrium.rules.deal import tokens_for

if TYPE_CHECKING:
    from spyrium_log.sheet import Printed
    from spyrium_log.title import AnyTitle

IDS = (*CARDS, *EVENTS)
SAID = ("price", "points", "symbols", *(f"copies-{period}" for period in PERIODS))


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One design. `tokens` is how many it takes, by number of players."""

    card: str
    name: str
    kind: str
    said: dict[str, Printed]
    tokens: dict[int, int]


def cards(title: AnyTitle, language: str) -> Iterator[Card]:
    """Every card of the market, then the events."""
    say, rows = vocabulary(language), title.sheet().table()
    tables = {
        seats: title.setup(
            Table(start=(tuple(title.start),) * seats, first=1, options=title.options(), sheet=title.sheet())
        )
        for seats in title.seats
    }
    for card in CARDS:
        yield Card(
            card=card,
            name=say["cards"][card],
            kind=KINDS[card],
            said={what: rows[card, what] for what in SAID if (card, what) in rows},
            tokens={seats: tokens_for(state, card) for seats, state in tables.items()},
        )
    for event in EVENTS:
        tokens = dict.fromkeys(title.seats, int(event in EVENTS_WITH_TOKEN))
        yield Card(card=event, name=say["events"][event], kind="event", said={}, tokens=tokens)


def bare(state: Any, act: Any) -> list[str]:
    """The cards of a deal that ask for tokens, and were said with none."""
    dealt = act.market if isinstance(act, RoundDealt) else ()
    return [each.card for each in dealt if not each.tokens and tokens_for(state, each.card)]


# --- for programs --------------------------------------------------------------------------------


def fields(card: Card, players: int | None) -> dict[str, Any]:
    """Every value, and beside each printed one its source."""
    row: dict[str, Any] = {"card": card.card, "name": card.name, "kind": card.kind}
    for what in SAID:
        printed = card.said.get(what)
        name = what.replace("-", "_")
        row[name] = printed.value if printed else None
        row[f"{name}_source"] = printed.source if printed else None
    if players is not None:
        return {**row, "tokens": card.tokens[players]}
    return {**row, **{f"tokens_{seats}": tokens for seats, tokens in card.tokens.items()}}


# --- for people ----------------------------------------------------------------------------------


def cells(card: Card, players: int | None, language: str) -> list[str]:
    """The same in as few letters as say it: `~3` is assumed, `a3` is three in the first period."""
    say = vocabulary(language)["symbols"]
    symbols = "+".join(say.get(symbol, symbol) for symbol in _value(card, "symbols").split("+"))
    copies = (f"{period}{_value(card, f'copies-{period}')}" for period in PERIODS if _is_any(card, period))
    return [
        card.card,
        card.name,
        _value(card, "price"),
        _value(card, "points"),
        symbols,
        _tokens(card.tokens, players, language),
        " ".join(copies),
    ]


def heads(language: str) -> Sequence[str]:
    say = vocabulary(language)["heads"]
    return [say[head] for head in ("id", "name", "money", "points", "symbols", "tokens", "copies")]


def called(component: str, language: str) -> str:
    """The name of a card or an event; the track has only its id."""
    say = vocabulary(language)
    name: str = {**say["cards"], **say["events"]}.get(component, component)
    return name


def kind(name: str, language: str) -> str:
    return vocabulary(language)["kinds"][name]


def _value(card: Card, what: str) -> str:
    printed = card.said.get(what)
    if printed is None:
        return ""
    return f"{'~' if printed.source == 'assumed' else ''}{'–' if printed.value == '' else printed.value}"


def _is_any(card: Card, period: str) -> bool:
    printed = card.said.get(f"copies-{period}")
    return printed is not None and printed.value != 0


def _tokens(tokens: dict[int, int], players: int | None, language: str) -> str:
    """The number; where it hangs on the players and nobody said how many they are, how."""
    if players is not None:
        return str(tokens[players] or "")
    counts = set(tokens.values())
    return str(counts.pop() or "") if len(counts) == 1 else vocabulary(language)["board"]["one-less"]
