"""From the first question to the winner: which game it is, the recorder, what it came to, and perhaps the next game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from spyrium_cli.complaint import INTERRUPTED, REFUSED, UNUSABLE, Complaint, shell_message
from spyrium_cli.games.lookup import walk_open_games
from spyrium_cli.games.writing import check_playable
from spyrium_cli.identity import scribe_name
from spyrium_cli.recording.beginning import Beginning
from spyrium_cli.recording.dialogue import Dialogue, answer_by_lines
from spyrium_cli.recording.ending import Ending
from spyrium_cli.recording.keeping import keep_on_leaving
from spyrium_cli.recording.questions import find_language, find_titles
from spyrium_cli.recording.recorder import Recorder, record_lines
from spyrium_cli.render.sentences import awaited_text
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_log import Log
from spyrium_log.play import Play

# Open games are looked for among so many of the latest.
LATEST = 100


class Front(Protocol):
    """What the scribe has before them: a full screen, or lines."""

    def talk(self, dialogue: Dialogue) -> int:
        """Ask until the dialogue is over or left; the exit code of a call that ends there."""

    def record(self, recorder: Recorder) -> int:
        """Record until the game is over or the scribe leaves; the exit code of a call that ends there."""


class LineFront:
    """Questions and the recorder line by line."""

    def __init__(self, lines: Iterator[str]) -> None:
        """`lines`: what is typed, or piped in."""
        self._lines = lines

    def talk(self, dialogue: Dialogue) -> int:
        """Answer by lines; UNUSABLE where they ended first."""
        return 0 if answer_by_lines(dialogue, self._lines) else UNUSABLE

    def record(self, recorder: Recorder) -> int:
        """Record by lines; REFUSED if one of them was refused."""
        return REFUSED if record_lines(recorder, self._lines, recorder.prompt.language) else 0


class ScreenFront:
    """Questions and the recorder on the full screen."""

    def __init__(self, *, light: bool) -> None:
        """`light`: in the colours for a light terminal."""
        self._light = light

    def talk(self, dialogue: Dialogue) -> int:
        """Ask on the screen; what is worth reading again is left on the terminal."""
        from spyrium_cli.tui.dialogue import DialogueScreen

        screen = DialogueScreen(dialogue, light=self._light)
        screen.run()
        for sentence in dialogue.list_recap():
            say(sentence)
        return screen.return_code or 0

    def record(self, recorder: Recorder) -> int:
        """Record on the screen."""
        from spyrium_cli.tui.recorder import RecorderScreen

        screen = RecorderScreen(recorder, language=recorder.prompt.language, light=self._light, leaves_at_end=True)
        screen.run()
        return screen.return_code or 0


def record_evening(session: Session, front: Front, named: Path | None, by: str | None) -> int:
    """Record a game, the `named` one or the one that is asked for, and the next one if one is wanted; the exit code."""
    players: Sequence[str] = ()
    while True:
        game, code = (named, 0) if named is not None else _begin_game(session, front, by, players)
        if game is None:
            return code
        code, players = _record_game(session, front, game, by)
        if not players:
            return code
        named = None


def _begin_game(
    session: Session, front: Front, by: str | None, players: Sequence[str]
) -> tuple[Path | Play | None, int]:
    """The game to record: the only open one, or the one that is asked for; None where the scribe left. The exit code.

    `players`: who plays a new game, where that is known.
    """
    titles = {title.key for title in find_titles(session)}
    opened = () if players else walk_open_games(session, LATEST)
    # a game of a title that does not speak the language of the call cannot be recorded in it
    games = [(path, log) for path, log in opened if log.title.key in titles]
    if len(games) == 1:
        return games[0][0], 0
    choices = [(path, _describe_game(session, log)) for path, log in games]
    beginning = Beginning(session, by=by, games=choices, players=players)
    code = front.talk(beginning)
    if not beginning.is_over and code == UNUSABLE:
        raise Complaint(shell_message("beginning.nobody"))
    game = beginning.path or beginning.play
    if game is None:
        tell("beginning.nothing-written")
    return game, code


def _describe_game(session: Session, log: Log) -> str:
    """`Anna, Bob · Chess · 2026-11-20 · Bob is to act`."""
    play, title = Play(log), log.title
    day = play.header.played or (str(play.header.at.date()) if play.header.at else "–")
    awaited = awaited_text(play.awaits(), title, play.players, find_language(title, session.language))
    players = ", ".join(play.players)
    return translate("beginning.stands", session.language, players=players, title=title.name, day=day, awaited=awaited)


def _record_game(session: Session, front: Front, game: Path | Play, by: str | None) -> tuple[int, Sequence[str]]:
    """Record a game as far as it gets, and show what it came to; the exit code, and who plays the next game, if any."""
    log = game.log if isinstance(game, Play) else session.folder().read_log(game)
    check_playable(log)
    language = session.language_of(log.title)
    with Recorder(session.folder(), game, by=by or scribe_name(log), language=language) as recorder:
        was_over = recorder.is_over
        code = front.record(recorder)
        while code != INTERRUPTED and recorder.is_over and not was_over:
            ending = Ending(session, recorder, by)
            if front.talk(ending) == INTERRUPTED:
                return INTERRUPTED, ()
            code = max(code, ending.code)
            if not ending.goes_back:
                if ending.has_values_left:
                    tell("said.import-keeps")
                return code, recorder.play.players if ending.wants_next else ()
            was_over = recorder.is_over
            code = max(code, front.record(recorder))
    _tell_where_it_stands(recorder)
    keep_on_leaving(session, recorder, by, asks=code != INTERRUPTED)
    return code, ()


def _tell_where_it_stands(recorder: Recorder) -> None:
    """On leaving a game that is not over: who is to do what, the scores, and how to go on."""
    if not recorder.is_on_disk:
        tell("beginning.nothing-written")
        return
    if recorder.is_over:
        return
    game = recorder.replay_so_far()
    standings = zip(game.players, game.list_standings(len(game.events)), strict=True)
    points = ", ".join(f"{player} {standing.points}" for player, standing in standings)
    tell("ending.stands", awaited=recorder.describe_awaited(), points=points)
    tell("ending.go-on", game=recorder.play.header.game)
