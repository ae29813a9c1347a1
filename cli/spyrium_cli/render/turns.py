"""Who is to do what next, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_log.messages import player_name

if TYPE_CHECKING:
    from spyrium_log.title import AnyTitle, Awaited


def awaited(what: Awaited, title: AnyTitle, names: Sequence[str], language: str) -> str:
    players = " · ".join(player_name(seat, names, language) for seat in what.seats)
    return title.words.vocabulary(language)["awaits"][what.kind].format(player=players)
