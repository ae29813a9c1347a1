"""A game as plain objects, for programs. Keys never change their meaning; new ones may come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from spyrium_cli.terminal import write_data
from spyrium_log.shown import json_plain

if TYPE_CHECKING:
    from spyrium_log.replay import Replay


def game_object(game: Replay) -> dict[str, Any]:
    """Which game of which title, and its players."""
    header = game.header
    return {
        "game": header.game,
        "title": header.title,
        "file": game.log.file,
        "played": header.played,
        "players": [
            {"seat": seat, "player": seated.player, "colour": seated.colour}
            for seat, seated in enumerate(header.seats, 1)
        ],
    }


def json_text(value: Any) -> str:
    """JSON over several lines."""
    return json_plain(msgspec.json.format(_json_bytes(value), indent=2).decode())


def json_line(value: Any) -> str:
    """JSON on one line."""
    return json_plain(_json_bytes(value).decode())


def _json_bytes(value: Any) -> bytes:
    """JSON. The name of a file may be no UTF-8; then it is escaped."""
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, enc_hook=str)).encode()


def write_object(value: Any, form: str) -> None:
    """Write one object to stdout: on one line for `jsonl`, over several for `json`."""
    write_data(f"{json_line(value) if form == 'jsonl' else json_text(value)}\n")
