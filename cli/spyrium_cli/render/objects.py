"""A game as plain objects, for programs. Keys never change their meaning; new ones may come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from spyrium_log.shown import json_plain

if TYPE_CHECKING:
    from spyrium_log.replay import Replay


def game_object(done: Replay) -> dict[str, Any]:
    """Which game of which title, and its players."""
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


def json_text(value: Any) -> str:
    """JSON over several lines."""
    return json_plain(msgspec.json.format(_encoded(value), indent=2).decode())


def json_line(value: Any) -> str:
    """JSON on one line."""
    return json_plain(_encoded(value).decode())


def _encoded(value: Any) -> bytes:
    """JSON. The name of a file may be no UTF-8; then it is escaped."""
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, enc_hook=str)).encode()
