"""The act that keys mean where no legal one has them, so that the refusal names what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import structs

from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import MARKET, UNSEEN, USES
from spyrium_log.titles.spyrium.deals import CARD_OF_CODE
from spyrium_log.titles.spyrium.legal import list_activations
from spyrium_log.titles.spyrium.rules import find_breaches
from spyrium_log.titles.spyrium.rules.market import has_worker, list_card_spaces
from spyrium_log.titles.spyrium.rules.turn import find_awaited
from spyrium_log.titles.spyrium.shorthand import find_other_space, rank_act
from spyrium_log.titles.spyrium.state import GAPS_AROUND, State

_Match: TypeAlias = re.Match[str]
_Fields: TypeAlias = dict[str, Any]

# A choice or an effect of a card has at most this number.
MOST_CHOICES: Final = 3
_RESIDENCE: Final = {action[0]: action for action in moves.RESIDENCE_ACTIONS}
_GAINS: Final = {gain[0]: gain for gain in moves.GAINS}
# The choices behind a card, in any order: their pattern, and the field that each sets.
_CHOICES: Final[tuple[tuple[str, Callable[[_Match], tuple[str, Any]]], ...]] = (
    (r"o([0-3]?[0-9])", lambda match: ("over", int(match[1]) or None)),
    (r"t([1-3])", lambda match: ("token", int(match[1]))),
    (r"c([0-3])", lambda match: ("commerce", int(match[1]) or None)),
    (r"[msk]", lambda match: ("residence", _RESIDENCE[match[0]])),
    (r"[ln]", lambda match: ("lobbying", match[0] == "l")),
    (r"d", lambda _: ("declined", True)),
    (r"=([a-z0-9-]+)", lambda match: ("named", CARD_OF_CODE.get(match[1], match[1]))),
)
_ANY_CHOICE: Final = re.compile("|".join(f"(?:{pattern})" for pattern, _ in _CHOICES))


def read_typed(state: State, text: str) -> Sequence[moves.Act]:
    """The acts that keys may mean, legal or not: one where they name it, several where its card is still open."""
    awaited = find_awaited(state)
    if awaited.seat:
        for pattern, read in _READERS:
            if match := re.fullmatch(pattern, text):
                return [*read(state, awaited.seat, match)]
    return []


def _read_placing(state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`p12`, `12`: a worker is placed; a number alone is a card in phase II, or with no worker left to place."""
    gap, mat = int(match["gap"]), state.mat(seat)
    is_card = mat.phase > 1 or (not mat.active and gap in moves.GAPS and has_worker(state, seat, gap))
    if is_card and not match["place"]:
        yield from _read_activation(state, seat, match)
    elif gap in moves.GAPS:
        yield moves.PlaceWorker(seat=seat, gap=gap)


def _read_gaining(state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`g1`, `g12`: money beside card 1, with the worker towards space 2; from between two empty spaces, of no card."""
    enter = state.mat(seat).phase == 1
    for space in _list_spaces(match):
        for gap in _list_gaps(state, seat, space, match["worker"])[:1]:
            beside = space if list_card_spaces(state, gap) else None
            yield moves.GainMoney(seat=seat, gap=gap, space=beside, enter=enter)


def _read_activation(state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`a1`, `a12o3`: card 1 with the worker towards space 2, and choices; what is left out is guessed."""
    fields = dict(_read_choices(match.groupdict().get("choices") or ""))
    for space in _list_spaces(match):
        ways = _list_ways(state, seat, space, match, fields)
        if ways:
            yield min(ways, key=lambda act: (bool(find_breaches(state, act)), rank_act(state, act)))


def _list_ways(state: State, seat: int, space: int, match: _Match, fields: _Fields) -> list[moves.ActivateCard]:
    """Every way to activate a card that has these choices; the bare one with them where the pieces allow none."""
    enter = state.mat(seat).phase == 1
    named = fields.get("named")
    if named is not None and state.market[space] == UNSEEN:
        state = state.copy()
        state.market[space] = named
    ways: list[moves.ActivateCard] = []
    for gap in _list_gaps(state, seat, space, match["worker"]):
        bare = moves.ActivateCard(seat=seat, gap=gap, space=space, enter=enter)
        forms = (structs.replace(act, named=named) for act in list_activations(state, seat, gap, space, enter=enter))
        meant = [act for act in forms if all(getattr(act, name) == value for name, value in fields.items())]
        ways += meant or [structs.replace(bare, **fields)]
    return ways


def _read_choices(text: str) -> Iterator[tuple[str, Any]]:
    """The field and value of each choice behind a card."""
    for word in _ANY_CHOICE.finditer(text):
        for pattern, read in _CHOICES:
            if match := re.fullmatch(pattern, word[0]):
                yield read(match)


def _list_spaces(match: _Match) -> Sequence[int]:
    """The space that is named; all of them while none is."""
    space = match.groupdict().get("space") or match.groupdict().get("gap", "")[:1]
    return [int(space)] if space else range(1, MARKET + 1)


def _list_gaps(state: State, seat: int, space: int, other: str | None) -> Sequence[moves.Gap]:
    """The gaps that the worker may stand in: the one towards another space, else the own ones, else all around."""
    around = GAPS_AROUND[space]
    if other:
        return [gap for gap in around if find_other_space(gap, space) == int(other)]
    return [gap for gap in around if has_worker(state, seat, gap)] or around


def _read_use(state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`u2`, `u21r1`, `r2`: a building used or reused, by default its larger effect; `u` alone: any of them."""
    mat = state.mat(seat)
    slots = [int(match["slot"])] if match["slot"] else range(1, len(mat.buildings) + 1)
    for slot in slots:
        card = mat.buildings[slot - 1].card if 0 < slot <= len(mat.buildings) else ""
        effect = int(match["effect"] or len(USES.get(card, ())) or 1)
        if not slot or not effect:
            continue
        if match["kind"] == "r":
            yield moves.ReuseBuilding(seat=seat, slot=slot, effect=effect, enter=mat.phase == 1)
        else:
            again = int(match["again"]) if match["again"] else None
            yield moves.UseBuilding(seat=seat, slot=slot, effect=effect, again=again, enter=mat.phase == 1)


def _read_event(state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`e`, and what this round's event asks."""
    fields: _Fields = {"declined": bool(match["declined"]), "enter": match["phase"] == ">"}
    if match["commerce"]:
        fields["commerce"] = int(match["commerce"]) or None
    word, is_estate = match["word"] or "", state.event == "estate"
    if word:
        choices = {"residence": _RESIDENCE.get(word)} if is_estate else {"gain": _GAINS.get(word)}
        if None in choices.values():
            return
        fields |= choices
    number = match["number"] or ""
    if number and state.event == "overtime":
        fields |= {"slot": int(number[0]), "effect": int(number[1:] or 1)}
    elif number and (state.event == "latecomer" or len(number) > 1):
        fields["gap"] = int(number)
    elif number:
        fields["choice"] = int(number)
    if _is_on_board(fields):
        yield moves.UseEvent(seat=seat, **fields)


def _is_on_board(fields: _Fields) -> bool:
    """Whether a log can hold these choices of an event."""
    choices = [fields[name] for name in ("choice", "effect") if name in fields]
    return fields.get("gap", moves.GAPS[0]) in moves.GAPS and all(0 < n <= MOST_CHOICES for n in choices)


def _read_pass(state: State, seat: int, _match: _Match) -> Iterator[moves.Act]:
    """`x`: a pass; in phase I it moves to phase II as well."""
    yield moves.Pass(seat=seat, enter=state.mat(seat).phase == 1)


def _read_bonus(_state: State, seat: int, match: _Match) -> Iterator[moves.Act]:
    """`w`, `5`, `bw`: a bonus."""
    yield moves.TakeBonus(seat=seat, bonus="worker" if match["bonus"] == "w" else "money")


_Reader: TypeAlias = Callable[[State, int, _Match], Iterator[moves.Act]]
# How each kind of move is typed, and what reads it; the first that fits does.
_READERS: Final[tuple[tuple[str, _Reader], ...]] = (
    (r"(?P<place>p)?(?P<gap>(?P<space>[1-9])(?P<worker>[1-9]))", _read_placing),
    (r"g(?:(?P<space>[1-9])(?P<worker>[1-9])?)?", _read_gaining),
    (rf"a?(?P<space>[1-9])(?P<worker>[1-9])?(?P<choices>(?:{_ANY_CHOICE.pattern})+)", _read_activation),
    (r"a(?:(?P<space>[1-9])(?P<worker>[1-9])?)?", _read_activation),
    (r"(?P<kind>u)(?:(?P<slot>[0-9])(?P<effect>[1-3])?)?(?:r(?P<again>[1-3]))?", _read_use),
    (r"(?P<kind>r)(?:(?P<slot>[0-9])(?P<effect>[1-3])?)?(?P<again>)", _read_use),
    (
        r"e(?P<word>[mspk])?(?P<number>[0-9]{1,2})?(?:c(?P<commerce>[0-3]))?(?P<declined>d)?(?P<phase>[>i])?",
        _read_event,
    ),
    (r"x", _read_pass),
    # a 5 is a bonus only while one is due, and legal then
    (r"(?P<space>[1-9])(?P<worker>)", _read_activation),
    (r"b?(?P<bonus>[w5])", _read_bonus),
)
