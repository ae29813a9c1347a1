"""A game as plain objects, for programs. Keys never change their meaning; new ones may come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

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
    return msgspec.json.format(msgspec.json.encode(said, enc_hook=str), indent=2).decode()


def line(said: Any) -> str:
    """One object on one line."""
    return msgspec.json.encode(said, enc_hook=str).decode()
