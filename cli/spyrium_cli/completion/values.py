"""Values that the shell completes beyond click's own: games, players, cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING

from click.types import STRING, StringParamType

from spyrium_cli.games.headers import list_known_games, list_known_players

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from spyrium_cli.session import Session

MOST_GAMES = 60

# The values that may follow what was typed, each with a short help.
Values = Callable[["Session", str], Iterable[tuple[str, str]]]


class Completed(StringParamType):
    """A text for which the shell offers values."""

    def __init__(self, values: Values) -> None:
        """`values` lists, when the shell asks, what may follow what was typed."""
        self._values = values

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The values that begin as the word does; nothing where they cannot be read, as no error may reach the line."""
        del param
        from click.shell_completion import CompletionItem

        from spyrium_cli.session import session_of
        from spyrium_log.shown import plain

        session = session_of(ctx)
        session.settings.warns = False
        try:
            values = list(self._values(session, incomplete))
        except Exception:  # noqa: BLE001 - the command itself will report it
            return []
        typed = incomplete.casefold()
        items = [
            CompletionItem(value, help=plain(text))
            for value, text in values
            if value.casefold().startswith(typed) and value.isprintable()
        ]
        # a game may be a path, too
        if self._values is _list_games and not (incomplete and items):
            items.append(CompletionItem(incomplete, type="file"))
        return items


def _list_games(session: Session, typed: str) -> Iterator[tuple[str, str]]:
    """The last game, then the latest games by id, each with its players and day."""
    from spyrium_cli.render.text import translate

    games = list_known_games(session.archive)
    last = list(islice(games, 1))
    what = translate("completion.last", session.language)
    yield "@last", " · ".join(filter(None, (what, *(game.description for game in last))))
    latest = (game for game in chain(last, games) if game.game.startswith(typed))
    yield from ((game.game, game.description) for game in islice(latest, MOST_GAMES))


def _list_players(session: Session, _typed: str) -> Iterator[tuple[str, str]]:
    """The players of the settings and of the latest games."""
    return ((name, "") for name in list_known_players(session))


def _complete_player_list(session: Session, typed: str) -> Iterator[tuple[str, str]]:
    """For `Anna,B`: `Anna,Bob` and so on, with every player in the last place who is not in the list before it."""
    before, comma, last_name = typed.rpartition(",")
    blank = " " if last_name.startswith(" ") else ""
    chosen = {name.strip().casefold() for name in before.split(",")}
    for player in list_known_players(session):
        if player.casefold() not in chosen:
            yield f"{before}{comma}{blank}{player}", ""


def _list_cards(session: Session, _typed: str) -> Iterator[tuple[str, str]]:
    """The components of the sheet of the title that is settled."""
    return ((card, "") for card in dict.fromkeys(row.of for row in session.title.sheet().printed))


# By the name of the parameter, so that every command has them.
VALUES: Mapping[str, Values] = {
    **dict.fromkeys(("log", "game", "other", "paths"), _list_games),
    **dict.fromkeys(("player", "into", "by", "who", "seat", "first"), _list_players),
    **dict.fromkeys(("players", "result"), _complete_player_list),
    **dict.fromkeys(("card", "cards"), _list_cards),
}


def add_completion(param: click.Parameter) -> None:
    """Let the shell complete a parameter that takes any text, if `VALUES` has its name."""
    if param.type is STRING and param.name in VALUES:
        param.type = Completed(VALUES[param.name])
