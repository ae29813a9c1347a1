"""What somebody who typed `spyrium` alone can do next."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from spyrium_cli.games.headers import header_players, latest_logs, read_header
from spyrium_cli.games.lookup import is_open

if TYPE_CHECKING:
    from spyrium_cli.session import Session

# An older game is hardly one to go on with.
LATEST = 10


def next_step(session: Session) -> str:
    """A sentence with the command that makes sense now: go on with a game that is open, or start one."""
    from spyrium_log.errors import SpyriumLogError

    folder = session.folder()
    latest = list(islice(latest_logs(session.archive), LATEST))
    for path in latest:
        try:
            game_is_open = is_open(folder.read(path))
        except SpyriumLogError:
            continue
        if game_is_open:
            players = ", ".join(header_players(read_header(path)))
            return f"Next: `spyrium record` goes on with the game of {players} ({path.stem})."
    if latest:
        return "Next: `spyrium new` starts a game, `spyrium replay` shows the last one."
    return "Next: `spyrium new` starts a game, `spyrium demo` shows what there is."
