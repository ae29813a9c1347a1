"""One act as a short line of text, and back.

    race human   race aesther gems   base wood   base wood @2   start d4
    T gems d4      play Trade: a tile of gems on d4, whoever owns gems
    T +d4          Trade: access to the tile on d4
    C h d4  C b e7 Construct: a house; a bridge or gate
    U machinery d4.1   Upgrade: the tile turned once, its first cell d4
    U r d5         Upgrade, the road first; then `machinery d4` is the next line
    R 2  I         Recruit the adviser in slot 2; Income
    V c1 f1 r2     Call to Vote: for cards in hand 1 coin, 1 fleeting influence, 2 roads
    scholar 3      an adviser stands where the letter of a card stands
    -T c  -? r d5  face-down, the card known or not: a coin; a road; also f, w race, w university
    gems d4   +d4   h d4   r d5   3   c   w race   x
                   the same without a card: a follow, or a further step; x does nothing more
    back trade recruit   bid 2 f3 l1   sealed 9c0a   tie 2   choose 3 l2   pay f2
    place d4.3     deliver university gems d4
    @2 ...         seat 2, where it is not the seat to act

and then words: .1 turned once, .m mirrored; d4,d5,e5 all the cells, where the shape is not known; <c4,f7 the tiles that
supply a new one, in the order of its recipe, where several could, and < for none; =CARD the adviser who was not seen.

    deal table ADVISER ... proposals CARD ... back CARD ... goals CARD ...
    deal row ADVISER ...      deal proposals CARD ... back CARD ... shuffled      deal instead CARD
    final
    position votes 2, last @1, row scholar - foreman, roads d5 d6, tile gems d4 @1 +@2, @1 c7 p12 hand(trade) "why"

A cell is its column in letters and its row: d4. A tile's first cell is the first one row by row, from the left. A card
is its id in the component set, ? is one that nobody saw; what can be no id stands in quotes. `back` in a deal are
proposals that went back on the deck.

The documentation has an example of everything that a line may say: docs/reference/founders/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.title import FinalCount, Resynced
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.notation.choices import CHOICE_WRITERS, CHOICES
from spyrium_log.titles.founders.notation.deals import read_deal, write_deal
from spyrium_log.titles.founders.notation.line import Line, convert_act
from spyrium_log.titles.founders.notation.steps import read_played, read_step, write_step
from spyrium_log.titles.founders.position import read_position, write_position
from spyrium_log.titles.founders.position.tokens import Token, split_words
from spyrium_log.titles.founders.rules.turn import find_awaited
from spyrium_log.titles.founders.state import State


def read_act(state: State, text: str) -> moves.Act:
    """The act that a line of notation means. NotationError where a word cannot be read."""
    words = split_words(text)
    if not words:
        raise NotationError(unexpected_message(syntax("move"), ""), text, 1)
    head = words[0].text
    if head == "deal":
        return read_deal(state.printed, text, words[1:])
    if head == "position":
        return read_position(text, state.printed)
    if head == "final":
        if len(words) > 1:
            raise words[1].expect(syntax("nothing-after-final"))
        return FinalCount()
    if match := re.fullmatch(r"@([1-9])", head):
        if len(words) == 1:
            raise NotationError(unexpected_message(syntax("move-after-seat"), ""), text, len(text) + 1)
        return _read_decision(state, int(match[1]), words[1:])
    awaited = find_awaited(state)
    if not awaited.seat:
        raise words[0].refuse(syntax("not-a-move", expected=syntax(f"due-{awaited.kind}")))
    return _read_decision(state, awaited.seat, words)


def _read_decision(state: State, seat: int, words: Sequence[Token]) -> moves.Decision:
    """The decision of a seat: of one kind by its first word, or a card and what is done with it, or only that."""
    line = Line(state, seat, words)
    head = words[0]
    if head.text in CHOICES:
        line.take("move")
        kind, fields = CHOICES[head.text](line)
    else:
        played = read_played(line)
        kind, fields = read_step(line, is_played=bool(played))
        fields.update(played)
    if line.next:
        raise line.next.expect(syntax("nothing-more", move=head.text))
    return convert_act(kind, {"seat": seat, **fields}, head)


def write_act(state: State, act: moves.Act) -> str:
    """The notation of an act, `@2 r d5` where it is not seat 2's turn; '' for the statements that all titles share."""
    line = write_without_seat(state, act)
    if not isinstance(act, moves.DECISIONS):
        return line
    return line if find_awaited(state).seat == act.seat else f"@{act.seat} {line}"


def write_without_seat(state: State, act: moves.Act) -> str:
    """The notation of an act without its seat: `T gems d4`, `x`, `deal …`, `final`."""
    if isinstance(act, moves.Played):
        return write_step(state, act)
    if type(act) in CHOICE_WRITERS:
        return CHOICE_WRITERS[type(act)](state, act)
    if isinstance(act, FinalCount):
        return "final"
    if isinstance(act, moves.DEALS):
        return write_deal(act)
    return write_position(act) if isinstance(act, Resynced) else ""
