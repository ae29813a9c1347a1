"""What happens at the table: rules broken, cards nobody looked at, people who leave."""

from __future__ import annotations

from typing import Any

from spyrium_log.title import Abandoned, Conceded, Continued, FinalCount, Paused
from tests.mistakes.scribe import Scribe
from tests.mistakes.variation import without_word, words_in

# Of what comes too early, so much is the end.
EARLY_END = 0.2


def misplayed(scribe: Scribe, act: Any) -> bool:
    """They did what the rules forbid, and it is recorded as they did it."""
    if not isinstance(act, scribe.title.wire.decision):
        return False
    wrong = scribe.forbidden([*scribe.once_legal, act])
    if wrong is None:
        return False
    scribe.write(scribe.event(wrong))
    return True


def misdealt(scribe: Scribe, act: Any) -> bool:
    """The table dealt otherwise than the rules say."""
    wrong = scribe.forbidden([act]) if isinstance(act, scribe.title.wire.deal) else None
    if wrong is None:
        return False
    scribe.write(scribe.event(wrong))
    return True


def out_of_turn(scribe: Scribe, act: Any) -> bool:
    """A round dealt, or the game counted, while somebody still had to act."""
    if not isinstance(act, scribe.title.wire.decision) or scribe.dealt is None:
        return False
    early = FinalCount() if scribe.dice.random() < EARLY_END else scribe.forbidden([scribe.dealt])
    if early is None:
        return False
    scribe.write(scribe.event(early))
    return True


def conceded(scribe: Scribe, act: Any) -> bool:
    """One of several goes home; the others play on."""
    has_gone = any(isinstance(event.do, Conceded) for event in scribe.table.list_events())
    if has_gone or not isinstance(act, scribe.title.wire.decision):
        return False
    scribe.write(scribe.event(Conceded(seat=act.seat)))
    return True


def abandoned(scribe: Scribe, _act: Any) -> bool:
    """They never finish."""
    scribe.write(scribe.event(Abandoned(why=scribe.why())))
    return True


def paused(scribe: Scribe, act: Any) -> bool:
    """They go on later."""
    for each in (Paused(), Continued(), act):
        scribe.write(scribe.event(each))
    return True


def unseen(scribe: Scribe, act: Any) -> bool:
    """Nobody had time to look at a card; some are named when somebody wants them."""
    if not isinstance(act, scribe.title.wire.deal):
        return False
    # what lay there already was seen
    words = sorted(set(words_in(act)) - set(words_in(scribe.dealt)))
    if not words:
        return False
    word = scribe.dice.choice(words)
    scribe.unseen.append(word)
    scribe.lying.append(word)
    scribe.write(scribe.event(without_word(act, word)))
    return True
