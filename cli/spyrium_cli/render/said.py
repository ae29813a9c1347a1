"""A game as plain objects, for programs. Keys never change their meaning; new ones may come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from spyrium_log.shown import json_plain

if TYPE_CHECKING:
    from spyrium_log.replay import Replay


def game(done: Replay) -> dict[str, Any]:
    """Which game, of what, by whom."""
    header = done.header
    return {
        "game": header.game,
        "title": header.title,
        "file": done.log.file,
        "played": header.played,
        "players": [
            {"seat": seat, "player": at.player, "colour": at.colour} for seat, at in enumerate(header.seats, 1)
        ],
    }


def pretty(said: Any) -> str:
    """One object, for people and programs."""
    return json_plain(msgspec.json.format(_encoded(said), indent=2).decode())


def line(said: Any) -> str:
    """One object on one line."""
    return json_plain(_encoded(said).decode())


def _encoded(said: Any) -> bytes:
    """The name of a file need not be text that UTF-8 can say; JSON can, with an escape."""
    try:
        return msgspec.json.encode(said, enc_hook=str)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(said, enc_hook=str)).encode()
