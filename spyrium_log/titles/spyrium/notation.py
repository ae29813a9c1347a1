"""One act as a short line of text, and back.

    p12            place a worker in gap 12
    g12.1  g12     gain money with the worker in gap 12 and the card on space 1, or with no card left there
    a12.1          activate the card on space 1 with the worker in gap 12
    e              use the event
    u2.1  u2.1.1   use effect 1 of the building in slot 2; once more at once (Taylorism, chained)
    r2.1           reuse it (Taylorism)
    x              pass
    bw  b5         the bonus: a worker, or £5
    >...           move to phase II and do this at once
    @2 ...         seat 2, where it is not the seat to act

and then words: t2 the token used, o3 over slot 3, rm / rs the residence action moves or scores, lob Lobbying, c3
Commerce makes the token a 3, no the effect declined, =CARD what an unseen card is; for events also money, spyrium,
points, n1 / n2 the choice, u2.1 the building, p12 the gap.

    deal EVENT[:TOKEN] NEXT[:TOKEN] CARD[:TOKENS] ... (nine cards)
    final
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from spyrium_log.errors import NotationError
from spyrium_log.title import FinalCount
from spyrium_log.titles.spyrium.cards import MARKET
from spyrium_log.titles.spyrium.moves import (
    DECISIONS,
    GAPS,
    Act,
    ActivateCard,
    DealtCard,
    Decision,
    GainMoney,
    Pass,
    PlaceWorker,
    ReuseBuilding,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.rules.deal import next_first
from spyrium_log.titles.spyrium.rules.turn import awaits

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.state import State

Fields = dict[str, Any]

# the first word of a decision: its shape, the type it makes, and what its numbers are
_HEADS: tuple[tuple[str, type[Decision], tuple[str, ...]], ...] = (
    (r"p(\d\d)", PlaceWorker, ("gap",)),
    (r"g(\d\d)(?:\.([1-9]))?", GainMoney, ("gap", "space")),
    (r"a(\d\d)\.([1-9])", ActivateCard, ("gap", "space")),
    (r"e", UseEvent, ()),
    (r"u(\d+)\.([123])(?:\.([123]))?", UseBuilding, ("slot", "effect", "again")),
    (r"r(\d+)\.([123])", ReuseBuilding, ("slot", "effect")),
    (r"x", Pass, ()),
)
# what a first word looks like, for whoever began one
_EXAMPLES = {
    "p": "p12",
    "g": "g12.1, or g12 with no card left there",
    "a": "a12.1",
    "u": "u2.1",
    "r": "r2.1",
    "b": "bw or b5",
}
_BONUSES = {"bw": "worker", "b5": "money"}
_RESIDENCE = {"rm": "move", "rs": "score"}
_WORDS: tuple[tuple[str, Callable[[re.Match[str]], Fields]], ...] = (
    (r"t([123])", lambda m: {"token": int(m[1])}),
    (r"o(\d+)", lambda m: {"over": int(m[1])}),
    (r"r[ms]", lambda m: {"residence": _RESIDENCE[m[0]]}),
    (r"lob", lambda _: {"lobbying": True}),
    (r"c([123])", lambda m: {"commerce": int(m[1])}),
    (r"no", lambda _: {"declined": True}),
    (r"=(\S+)", lambda m: {"named": m[1]}),
    (r"money|spyrium|points", lambda m: {"gain": m[0]}),
    (r"n([123])", lambda m: {"choice": int(m[1])}),
    (r"u(\d+)\.([123])", lambda m: {"slot": int(m[1]), "effect": int(m[2])}),
    (r"p(\d\d)", lambda m: {"gap": int(m[1])}),
)


_DUE = {
    "deal": "a round to be dealt, 'deal EVENT NEXT CARD ...'",
    "final": "the final count, 'final'",
    "over": "nothing more, for the game is over",
}


def read(state: State, text: str) -> Act:
    """The act that a line says; NotationError points at the word that says nothing."""
    words = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", text)]
    if not words:
        raise NotationError("expected a move, found nothing", text, 1)
    if words[0][0] == "deal":
        return _read_deal(state, text, words[1:])
    if words[0][0] == "final" and len(words) == 1:
        return FinalCount()
    if match := re.fullmatch(r"@(\d)", words[0][0]):
        if len(words) == 1:
            raise NotationError("expected a move after the seat, found nothing", text, len(text) + 1)
        return _read_decision(text, words[1:], int(match[1]))
    awaited = awaits(state)
    if not awaited.seat:
        raise NotationError(f"expected {_DUE[awaited.kind]}, found a move", text, words[0][1])
    return _read_decision(text, words, awaited.seat)


def _read_decision(text: str, words: list[tuple[str, int]], seat: int) -> Decision:
    head, column = words[0]
    fields: Fields = {"seat": seat}
    enters = head.startswith(">")
    kind, numbers = _read_head(head.removeprefix(">"), column + enters, text)
    if enters:
        if "enter" not in kind.__struct_fields__:
            raise NotationError(f"'{head}' cannot be done on moving to phase II", text, column)
        fields["enter"] = True
    fields.update(numbers)
    for word, at in words[1:]:
        said = _read_word(word, at, text)
        if not said.keys() <= set(kind.__struct_fields__):
            raise NotationError(f"'{word}' says nothing of a move like '{head}'", text, at)
        if said.keys() & fields.keys():
            raise NotationError(f"'{word}' says again what was said", text, at)
        fields.update(said)
    return _made(kind, fields, text, column)


def _read_head(head: str, column: int, text: str) -> tuple[type[Decision], Fields]:
    if head in _BONUSES:
        return TakeBonus, {"bonus": _BONUSES[head]}
    for shape, kind, names in _HEADS:
        if match := re.fullmatch(shape, head):
            return kind, {name: int(value) for name, value in zip(names, match.groups(), strict=True) if value}
    example = _EXAMPLES.get(head[:1], "a move that begins with one of p g a e u r x b")
    raise NotationError(f"expected {example}, found '{head}'", text, column)


def _read_word(word: str, column: int, text: str) -> Fields:
    for shape, says in _WORDS:
        if match := re.fullmatch(shape, word):
            return says(match)
    raise NotationError(f"expected a word such as t2, o3, rm, n1, lob or c3, found '{word}'", text, column)


def _made(kind: type[Decision], fields: Fields, text: str, column: int) -> Decision:
    """The act with its bounds checked, as the log would check them."""
    if fields.get("gap", GAPS[0]) not in GAPS:
        gaps = " ".join(str(gap) for gap in GAPS)
        raise NotationError(f"expected one of the gaps {gaps}, found '{fields['gap']}'", text, column)
    try:
        return msgspec.convert({"act": kind.__struct_config__.tag, **fields}, kind)
    except msgspec.ValidationError:
        raise NotationError(f"expected a move on the board, found '{text.strip()}'", text, column) from None


def _read_deal(state: State, text: str, words: list[tuple[str, int]]) -> RoundDealt:
    if len(words) < 2:  # noqa: PLR2004 - the round's event and the next one
        raise NotationError("expected the event, the next event and the market's cards", text, len(text) + 1)
    (event, event_token), (following, next_token) = (_read_event(word, column, text) for word, column in words[:2])
    market = [_read_card(word, column, text) for word, column in words[2:]]
    if len(market) > MARKET:
        column = words[2 + MARKET][1]
        raise NotationError(f"expected {MARKET} cards in the market, found {len(market)}", text, column)
    return RoundDealt(
        round=state.round + 1,
        first=next_first(state),
        event=event,
        event_token=event_token,
        next_event=following,
        next_token=next_token,
        market=tuple(market),
    )


def _read_event(word: str, column: int, text: str) -> tuple[str, int | None]:
    card = _read_card(word, column, text)
    if len(card.tokens) > 1:
        raise NotationError(f"expected one token at most on an event card, found '{word}'", text, column)
    return card.card, card.tokens[0] if card.tokens else None


def _read_card(word: str, column: int, text: str) -> DealtCard:
    if match := re.fullmatch(r"([a-z?][a-z0-9-]*)(?::([123]+))?", word):
        return DealtCard(card=match[1], tokens=tuple(int(value) for value in match[2] or ""))
    raise NotationError(f"expected a card, or card:tokens, found '{word}'", text, column)


def write(state: State, act: Act) -> str:
    """The line that `read` reads as this act. Statements have no short form."""
    if isinstance(act, FinalCount):
        return "final"
    if isinstance(act, RoundDealt):
        first = [_card(act.event, act.event_token), _card(act.next_event, act.next_token)]
        return " ".join(["deal", *first, *(_card(d.card, *d.tokens) for d in act.market)])
    if not isinstance(act, DECISIONS):
        return ""
    other = "" if awaits(state).seat == act.seat else f"@{act.seat} "
    if isinstance(act, TakeBonus):
        return other + ("bw" if act.bonus == "worker" else "b5")
    said = structs.asdict(act)
    enter = ">" if said.get("enter") else ""
    return other + enter + " ".join([_head(act, said), *_words(act, said)])


def _card(card: str, *tokens: int | None) -> str:
    values = "".join(str(token) for token in tokens if token)
    return f"{card}:{values}" if values else card


def _head(act: Decision, said: Fields) -> str:
    letters = {PlaceWorker: "p", GainMoney: "g", ActivateCard: "a", UseEvent: "e"}
    letters |= {UseBuilding: "u", ReuseBuilding: "r", Pass: "x"}
    names = next(names for _, kind, names in _HEADS if kind is type(act))
    return letters[type(act)] + ".".join(str(said[name]) for name in names if said[name] is not None)


def _words(act: Decision, said: Fields) -> list[str]:
    words = []
    if isinstance(act, UseEvent):
        words += [f"u{act.slot}.{act.effect}"] if act.slot and act.effect else []
        words += [f"p{act.gap}"] if act.gap else []
        words += [act.gain] if act.gain else []
        words += [f"n{act.choice}"] if act.choice else []
    words += [f"t{said['token']}"] if said.get("token") else []
    words += [f"o{said['over']}"] if said.get("over") else []
    words += ["r" + said["residence"][0]] if said.get("residence") else []
    words += ["lob"] if said.get("lobbying") else []
    words += [f"c{said['commerce']}"] if said.get("commerce") else []
    words += ["no"] if said.get("declined") else []
    words += [f"={said['named']}"] if said.get("named") else []
    return words
