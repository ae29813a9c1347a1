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

and then words: t2 the token used, o3 over slot 3, rm / rs / rk the residence action moves, scores or keeps the disc
where it is, lob Lobbying, c3 Commerce makes the token a 3, no the effect declined, =CARD what an unseen card is; for
events also money, spyrium, points, n1 / n2 the choice, u2.1 the building, p12 the gap.

    deal EVENT[:TOKEN] NEXT[:TOKEN] CARD[:TOKENS] ... (nine cards)
    deal 3 @2 EVENT ...            where the round or the first player is another than the rules say
    final
    position round 3, first @1, event estate, market mine-1 - miner:13, workers 12@1*2, @1 £12 s3 p14 I "why"

A deal names the turn's event, the future event, and the cards on the nine spaces, read like a page: 1 2 3 in the upper
row, then 4 5 6, then 7 8 9. A gap is named by the two spaces beside it: 12 lies between 1 and 2, 14 between 1 and 4.
CARD:TOKENS says which tokens lie on a card: miner:13 is a Miner with a 1 and a 3. A character takes one token less than
there are players. ? is a card that nobody saw. `spyrium sheet cards` lists the ids and how many tokens each takes.

The documentation has an example of everything that a line may say: docs/reference/spyrium/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.title import FinalCount, Resynced
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import MARKET
from spyrium_log.titles.spyrium.messages import syntax
from spyrium_log.titles.spyrium.position import (
    Token,
    card_with_tokens,
    card_word,
    read_card,
    read_dealt,
    read_event,
    read_position,
    split_words,
    write_position,
)
from spyrium_log.titles.spyrium.rules.deal import next_first_seat
from spyrium_log.titles.spyrium.rules.turn import find_awaited
from spyrium_log.titles.spyrium.state import State

Fields = dict[str, Any]

# The first word of a decision: its pattern, the type it makes, the fields of its numbers.
_HEADS: tuple[tuple[str, type[moves.Decision], tuple[str, ...]], ...] = (
    (r"p([0-9]{2})", moves.PlaceWorker, ("gap",)),
    (r"g([0-9]{2})(?:\.([1-9]))?", moves.GainMoney, ("gap", "space")),
    (r"a([0-9]{2})\.([1-9])", moves.ActivateCard, ("gap", "space")),
    (r"e", moves.UseEvent, ()),
    (r"u([0-9]{1,3})\.([123])(?:\.([123]))?", moves.UseBuilding, ("slot", "effect", "again")),
    (r"r([0-9]{1,3})\.([123])", moves.ReuseBuilding, ("slot", "effect")),
    (r"x", moves.Pass, ()),
)
# An example of each first word, by its name in full: for whoever began one, or wrote the name.
_EXAMPLES = {
    "place": "p12",
    "gain": "g12.1",
    "activate": "a12.1",
    "event": "e",
    "use": "u2.1",
    "reuse": "r2.1",
    "pass": "x",
    "bonus": "bw",
}
_BONUSES = {"bw": "worker", "b5": "money"}
_RESIDENCE = {f"r{action[0]}": action for action in moves.RESIDENCE_ACTIONS}
# A later word: its pattern, and the fields that it sets.
WORDS: tuple[tuple[str, Callable[[re.Match[str]], Fields]], ...] = (
    (r"t([123])", lambda m: {"token": int(m[1])}),
    (r"o([0-9]{1,3})", lambda m: {"over": int(m[1])}),
    (r"r[msk]", lambda m: {"residence": _RESIDENCE[m[0]]}),
    (r"lob", lambda _: {"lobbying": True}),
    (r"c([123])", lambda m: {"commerce": int(m[1])}),
    (r"no", lambda _: {"declined": True}),
    (r"money|spyrium|points", lambda m: {"gain": m[0]}),
    (r"n([123])", lambda m: {"choice": int(m[1])}),
    (r"u([0-9]{1,3})(?:\.([123]))?", lambda m: {"slot": int(m[1])} | ({"effect": int(m[2])} if m[2] else {})),
    (r"u\.([123])", lambda m: {"effect": int(m[1])}),
    (r"p([0-9]{2})", lambda m: {"gap": int(m[1])}),
)


def read_act(state: State, text: str) -> moves.Act:
    """The act that a line of notation means. NotationError where a word cannot be read."""
    words = split_words(text)
    if not words:
        raise NotationError(unexpected_message(syntax("move"), ""), text, 1)
    head = words[0].text
    if head == "deal":
        return _read_deal(state, text, words[1:])
    if head == "position":
        return read_position(text, words[1:])
    if head == "final":
        if len(words) > 1:
            raise words[1].expect(syntax("nothing-after-final"))
        return FinalCount()
    if match := re.fullmatch(r"@([1-9])", head):
        if len(words) == 1:
            raise NotationError(unexpected_message(syntax("move-after-seat"), ""), text, len(text) + 1)
        return _read_decision(words[1:], int(match[1]))
    awaited = find_awaited(state)
    if not awaited.seat:
        raise words[0].refuse(syntax("not-a-move", expected=syntax(f"due-{awaited.kind}")))
    return _read_decision(words, awaited.seat)


def _read_decision(words: Sequence[Token], seat: int) -> moves.Decision:
    """The decision of a seat, as `>a12.1 t2`: `>` enters phase II, then a word for the kind, then one a choice."""
    head = words[0]
    fields: Fields = {"seat": seat}
    enters = head.text.startswith(">")
    kind, numbers = _read_head(head._replace(text=head.text.removeprefix(">"), column=head.column + enters))
    if enters:
        if "enter" not in kind.__struct_fields__:
            raise head.expect(syntax("phase-2-action"))
        fields["enter"] = True
    fields.update(numbers)
    for word in words[1:]:
        choice = _read_word(word)
        if not choice.keys() <= set(kind.__struct_fields__):
            raise word.expect(syntax("words-of-move", move=head.text))
        if choice.keys() & fields.keys():
            raise word.refuse(syntax("choice-again", found=word.text))
        fields.update(choice)
    return _make_decision(kind, fields, head)


def _read_head(head: Token) -> tuple[type[moves.Decision], Fields]:
    """The kind of a decision with the numbers in its first word: `g12.1` is GainMoney in gap 12, space 1."""
    if head.text in _BONUSES:
        return moves.TakeBonus, {"bonus": _BONUSES[head.text]}
    for pattern, kind, names in _HEADS:
        if match := re.fullmatch(pattern, head.text):
            return kind, {name: int(value) for name, value in zip(names, match.groups(), strict=True) if value}
    raise _explain_head(head)


def _explain_head(head: Token) -> NotationError:
    """The error for a word that begins no decision, with an example of the decision that may be meant."""
    if re.fullmatch(r"[0-9]{2}", head.text):
        _check_gap(head)
    in_full = (example for name, example in _EXAMPLES.items() if head.text.casefold().startswith(name))
    is_letter = len(head.text) == 1 or not head.text.isalpha()
    by_letter = (example for example in _EXAMPLES.values() if is_letter and example[0] == head.text[:1])
    example = next(in_full, None) or next(by_letter, None)
    if example is None:
        return head.expect(syntax("move-letters", known=" ".join(_EXAMPLES.values())))
    is_whole = len(example) == 1
    similar = (example,) if is_whole and example != head.text[:1] else ()
    expected = syntax("literal" if is_whole else "example", example=example)
    return head.refuse(unexpected_message(expected, head.text, similar))


def _read_word(word: Token) -> Fields:
    """The choices that a later word of a decision sets, by field: `t2` is token 2."""
    if word.text.startswith("="):
        return {"named": read_card(word._replace(text=word.text[1:], column=word.column + 1))}
    for pattern, fields_of in WORDS:
        if match := re.fullmatch(pattern, word.text):
            return fields_of(match)
    raise word.expect(syntax("move-word"), ("rm", "rs", "rk", "lob", "no", "money", "spyrium", "points"))


def _check_gap(gap: Token) -> None:
    """Refuse a number that is no gap, with the gaps that there are: the bounds of the log would not tell them."""
    if int(gap.text) not in moves.GAPS:
        raise gap.expect(syntax("gaps", known=" ".join(map(str, moves.GAPS))))


def _make_decision(kind: type[moves.Decision], fields: Fields, head: Token) -> moves.Decision:
    """The decision of these fields; NotationError where a value is outside the bounds of the log."""
    _check_gap(head._replace(text=str(fields.get("gap", moves.GAPS[0]))))
    try:
        return msgspec.convert({"act": kind.__struct_config__.tag, **fields}, kind)
    except msgspec.ValidationError:
        raise head.expect(syntax("move-on-board")) from None


def _read_deal(state: State, text: str, words: Sequence[Token]) -> moves.RoundDealt:
    """Read `deal 3 @2 EVENT NEXT CARD ...`; without round 3 and first player 2 they are as the rules say."""
    round_, first = state.round + 1, next_first_seat(state)
    if words and re.fullmatch(r"[0-9]{1,2}", words[0].text):
        round_, words = int(words[0].text), words[1:]
    if words and (match := re.fullmatch(r"@([1-9])", words[0].text)):
        first, words = int(match[1]), words[1:]
    if len(words) < 2:  # noqa: PLR2004 - the round's event and the next one
        raise NotationError(syntax("deal"), text, len(text) + 1)
    (event, event_token), (next_event, next_token) = (read_event(word) for word in words[:2])
    market = [read_dealt(word) for word in words[2:]]
    if len(market) > MARKET:
        raise words[2 + MARKET].refuse(syntax("market-cards", n=MARKET, found=len(market)))
    fields = {
        "act": "round_dealt",
        "round": round_,
        "first": first,
        "event": event,
        "event_token": event_token,
        "next_event": next_event,
        "next_token": next_token,
        "market": market,
    }
    try:
        return msgspec.convert(fields, moves.RoundDealt)
    except msgspec.ValidationError:
        raise NotationError(syntax("rounds", found=round_), text, 1) from None


def write_act(state: State, act: moves.Act) -> str:
    """The notation of an act, `@2 g12.1` where it is not seat 2's turn; '' for the statements that all titles share."""
    line = write_without_seat(state, act)
    if type(act) not in _WRITERS:
        return line
    decision: Any = act
    return line if find_awaited(state).seat == decision.seat else f"@{decision.seat} {line}"


def write_without_seat(state: State, act: moves.Act) -> str:
    """The notation of an act without its seat: `g12.1`, `>x` for one that enters phase II, `deal …`, `final`."""
    write_decision = _WRITERS.get(type(act))
    if write_decision is not None:
        line = write_decision(act)
        return f">{line}" if getattr(act, "enter", False) else line
    if isinstance(act, FinalCount):
        return "final"
    if isinstance(act, moves.RoundDealt):
        return _write_deal(state, act)
    return write_position(act) if isinstance(act, Resynced) else ""


def _write_deal(state: State, act: moves.RoundDealt) -> str:
    """`deal 3 @2 EVENT NEXT CARD ...`, with round 3 and first player 2 only where the rules expect others."""
    words = [
        "deal",
        str(act.round) if act.round != state.round + 1 else "",
        f"@{act.first}" if act.first != next_first_seat(state) else "",
        card_with_tokens(act.event, act.event_token),
        card_with_tokens(act.next_event, act.next_token),
        *[card_with_tokens(dealt.card, *dealt.tokens) for dealt in act.market],
    ]
    return " ".join(filter(None, words))


def _write_activation(act: moves.ActivateCard) -> str:
    """`a12.1 t2 o3 rm lob c3 =miner`: gap and space, token, slot built over, those shared with events, unseen card."""
    words = [
        f"a{act.gap}.{act.space}",
        f"t{act.token}" if act.token else "",
        f"o{act.over}" if act.over else "",
        *_write_shared_choices(act, "lob" if act.lobbying else ""),
        f"={card_word(act.named)}" if act.named is not None else "",
    ]
    return " ".join(filter(None, words))


def _write_event(act: moves.UseEvent) -> str:
    """`e u2.1` (slot 2, effect 1), `e p12` (gap 12), `e money c3` (gain, Commerce), `e n1` (first choice), `e rs`."""
    effect = f".{act.effect}" if act.effect else ""
    words = [
        "e",
        f"u{act.slot or ''}{effect}" if act.slot or effect else "",
        f"p{act.gap}" if act.gap else "",
        act.gain or "",
        f"n{act.choice}" if act.choice else "",
        *_write_shared_choices(act),
    ]
    return " ".join(filter(None, words))


def _write_shared_choices(act: moves.ActivateCard | moves.UseEvent, lobbying: str = "") -> Sequence[str]:
    """`rm lob c3 no`: residence action, Lobbying (of cards only), Commerce, effect declined; '' for each not chosen."""
    residence = f"r{act.residence[0]}" if act.residence else ""
    commerce = f"c{act.commerce}" if act.commerce else ""
    return residence, lobbying, commerce, "no" if act.declined else ""


_WRITERS: dict[type, Callable[[Any], str]] = {
    moves.PlaceWorker: lambda act: f"p{act.gap}",
    moves.GainMoney: lambda act: f"g{act.gap}" if act.space is None else f"g{act.gap}.{act.space}",
    moves.ActivateCard: _write_activation,
    moves.UseEvent: _write_event,
    moves.UseBuilding: lambda act: f"u{act.slot}.{act.effect}" + (f".{act.again}" if act.again else ""),
    moves.ReuseBuilding: lambda act: f"r{act.slot}.{act.effect}",
    moves.Pass: lambda _act: "x",
    moves.TakeBonus: lambda act: "bw" if act.bonus == "worker" else "b5",
}
