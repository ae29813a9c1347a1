"""A player named before an act, as in `bob: p14`: the recorder takes it as `play` does."""

from __future__ import annotations

from spyrium_log.edit.amend import AnyAct
from spyrium_log.errors import NotationError
from spyrium_log.play import Play
from spyrium_log.transcript.acts import read_act
from spyrium_log.transcript.span import line_span, names_of
from spyrium_log.transcript.statements import STATEMENTS, make_grammar


def split_player(play: Play, text: str) -> tuple[int, str]:
    """The seat of the player before a colon, and what follows; 0 where nobody is named so.

    A beginning that several players share is refused.
    """
    who, colon, what = (part.strip() for part in text.partition(":"))
    # a deal has colons of its own
    is_deal = play.awaits().kind == "deal" and what.partition(" ")[0] not in STATEMENTS
    if not colon or not who or is_deal:
        return 0, text
    try:
        return names_of(play.header).seat_of(who), what.lower() if what.isalnum() else what
    except NotationError as error:
        if error.message.key == "syntax.several-players":
            raise
        return 0, text


def read_act_of(play: Play, seat: int, text: str, language: str) -> AnyAct:
    """The act of a player who may not be to act, in notation, with components as they are called in a language."""
    notation = play.title.recorder.with_ids(text, language)
    return read_act(line_span(f"@{seat}: {notation}"), make_grammar(play, play.state))
