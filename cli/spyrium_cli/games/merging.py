"""Two names of one person: whether they can be merged or told apart again, and which games that changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spyrium_cli.complaint import Complaint, call_message
from spyrium_cli.session import Session
from spyrium_log.store import fold_name
from spyrium_log.transcript.span import find_similar

# How other programs name a player.
_FOREIGN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Names(NamedTuple):
    """A spelling, the name of the person it is merged into, and whether they are one person already."""

    player: str
    name: str
    are_one: bool


class SeatedGame(NamedTuple):
    """A game in which somebody played, with the names of all players as the log has them."""

    game: str
    played: str
    players: Sequence[str]

    def make_row(self, after: Mapping[str, str]) -> tuple[str, str, str]:
        """The cells of a list of games; `after`: the names that some have by then, by their folded spelling."""
        return self.game, self.played, ", ".join(after.get(fold_name(player), player) for player in self.players)


def check_merge(session: Session, player: str, into: str) -> Names:
    """The names as they can be merged; Complaint where nobody is called so, or two people are."""
    folder = session.folder()
    aliases, tables = folder.read_aliases(), list(folder.list_seated_players())
    _check_known(session, player, into, tables)
    name, known_as = aliases.resolve_name(into), aliases.resolve_name(player)
    spellings = {fold_name(player), fold_name(name)}
    if len(spellings) == 1:
        raise Complaint(call_message("spellings", player=player, into=into))
    if fold_name(player) in aliases.spelled and known_as != name:
        raise Complaint(call_message("other-person", player=player, known=known_as))
    for seats in tables:
        # who sat at one table are two people
        if spellings.issubset(map(fold_name, seats)):
            raise Complaint(call_message("one-table", player=player, name=name, found=", ".join(seats)))
    return Names(player, name, known_as == name)


def check_separation(session: Session, player: str, into: str) -> Names:
    """The names as they are merged; Complaint where they are not."""
    aliases = session.folder().read_aliases()
    name = aliases.resolve_name(into)
    if fold_name(player) == fold_name(name) or aliases.spelled.get(fold_name(player)) != name:
        raise Complaint(call_message("not-merged", player=player, name=name))
    return Names(player, name, are_one=True)


def _check_known(session: Session, player: str, into: str, tables: Sequence[Sequence[str]]) -> None:
    """Refuse the name of nobody, with names that resemble it. To an id of another program any name may be given."""
    if _FOREIGN_ID.fullmatch(player):
        return
    aliases = session.folder().read_aliases()
    names = [
        *aliases.names,
        *(session.settings.get("players").value or ()),
        *(seat for seats in tables for seat in seats),
    ]
    known = {**dict.fromkeys(aliases.spelled), **{fold_name(name): name for name in names}}
    for typed in (player, into):
        folded = fold_name(typed)
        if folded not in known:
            begun = [name for name in known if name.startswith(folded)]
            near = [known[name] or name for name in begun or find_similar(folded, list(known))]
            hint = call_message("near-names", names=", ".join(near)) if near else ""
            raise Complaint(call_message("unknown-player", found=typed, hint=hint))


def list_games(session: Session, player: str) -> list[SeatedGame]:
    """The games of the archive in which somebody is called so, letter by letter but for capitals."""
    folded = fold_name(player)
    games = []
    for game, header in session.folder().list_headers():
        players = [seat.player for seat in header.seats]
        if folded in map(fold_name, players):
            games.append(SeatedGame(game, header.played or "", players))
    return games
