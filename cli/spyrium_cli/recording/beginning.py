"""What is asked before a game: which one to go on with, or who plays, what, and who begins.

Nothing is written: what comes out is the path of a game, or a game in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click

from spyrium_cli.complaint import complaint_of
from spyrium_cli.recording.dialogue import LONGEST_ANSWER, Choice, Dialogue
from spyrium_cli.recording.new_game import NewGame, make_game, read_last_game, usual_colours
from spyrium_cli.recording.questions import FirstQuestion, GameQuestion, PlayersQuestion, Question, TitleQuestion
from spyrium_cli.session import Session
from spyrium_cli.settings import readings
from spyrium_log.errors import SpyriumLogError
from spyrium_log.play import Play
from spyrium_log.title import AnyTitle

AnswerT = TypeVar("AnswerT")


class Beginning(Dialogue):
    """Asks until it is known which game to record. `path`: of one that is there; `play`: a new one, in memory."""

    KEYS = (("Enter", "beginning.answers"), ("Esc", "beginning.back"), ("^Q", "beginning.leave"))

    def __init__(
        self, session: Session, *, by: str | None, games: Sequence[tuple[Path, str]] = (), players: Sequence[str] = ()
    ) -> None:
        """`games`: open ones to choose from, with a line about each; `players`: who plays a new one, if known."""
        super().__init__(session.language)
        self._session = session
        self._by = by
        self._last_game = read_last_game(session)
        self._last = self._last_game.header if self._last_game else None
        self._players = players
        self.path: Path | None = None
        self.play: Play | None = None
        begin = GameQuestion(self.language, games) if games else self._ask_players()
        self._questions: list[Question] = [begin]

    @property
    def question(self) -> Question:
        """What is asked now."""
        return self._questions[-1]

    def describe(self) -> Sequence[str]:
        """What is asked."""
        return self.question.describe()

    def list_choices(self) -> Sequence[Choice]:
        """What one key each would answer."""
        return self.question.list_choices(self.text)

    def describe_enter(self) -> str:
        """What Enter would answer."""
        return self.question.describe_enter(self.text)

    def press(self, key: str) -> None:
        """Take a key: of a choice, of a text, Enter, Backspace, or Escape, which goes back and at last leaves."""
        question, self.message = self.question, ""
        if key == "enter":
            self._enter()
        elif key == "backspace":
            self.text = question.drop_last(self.text)
        elif key == "escape":
            self._go_back()
        elif len(key) == 1 and key.isprintable():
            if question.is_key(self.text, key):
                text = question.take_key(self.text, key)
                if text is None:
                    self.enter_line(key)
                else:
                    self.text = text
            elif len(self.text) < LONGEST_ANSWER:
                self.text += key

    def _enter(self) -> None:
        """For Enter: what is typed made whole, or the answer."""
        whole = self._catch(lambda: self.question.finish(self.text.strip()))
        if whole is not None:
            self.text = whole
        elif not self.message:
            self.enter_line(self.text)

    def _go_back(self) -> None:
        """For Escape: an empty line, the question before, or the end."""
        if self.text:
            self.text = ""
        elif len(self._questions) > 1:
            self._questions.pop()
        else:
            self.is_over = True

    def enter_line(self, line: str) -> None:
        """Answer the question; it is asked again, with why, where the answer is none."""
        self.message = ""
        is_answered = self._catch(lambda: self.question.answer(line[:LONGEST_ANSWER].strip()))
        if is_answered is None:
            return
        self.text = ""
        if is_answered:
            # such as a sheet of the settings that cannot be read
            self._catch(self._ask_next)

    def _catch(self, answer: Callable[[], AnswerT]) -> AnswerT | None:
        """What the answer comes to; None where it is refused, with why in the message."""
        try:
            return answer()
        except (click.ClickException, SpyriumLogError, OSError) as error:
            self.message = complaint_of(error, self.language).message
        return None

    def _ask_players(self) -> Question:
        """Who plays, or what where that is known."""
        if self._players:
            return self._ask_title(self._players)
        last = [seat.player for seat in self._last.seats] if self._last else self._session.settings.get("players").value
        last = self._session.folder().read_aliases().resolve_names(last or ())
        return PlayersQuestion(self._session, self.language, last)

    def _ask_title(self, players: Sequence[str]) -> Question:
        """Which title and edition."""
        return TitleQuestion(self._session, self.language, len(players), self._last_game)

    def _ask_next(self) -> None:
        """Go on to the next question, or end with what was asked for."""
        match self.question:
            case GameQuestion(path=path) if path is not None:
                self.path, self.is_over = path, True
            case GameQuestion():
                self._questions.append(self._ask_players())
            case PlayersQuestion(players=players):
                self._questions.append(self._ask_title(players))
            case TitleQuestion(title=title):
                self._ask_first(title, self._find_players())
            case FirstQuestion() as last:
                self._make_game(last)

    def _ask_first(self, title: AnyTitle, players: Sequence[str]) -> None:
        """Ask who begins; whoever is alone does."""
        colours = usual_colours(self._session, title, self._colours_before(), players)
        first = FirstQuestion(self.language, title, players, colours)
        if len(players) > 1:
            self._questions.append(first)
        else:
            self._make_game(first)

    def _find_players(self) -> Sequence[str]:
        """Who plays, as was answered or known before."""
        answers = [question.players for question in self._questions if isinstance(question, PlayersQuestion)]
        return answers[-1] if answers else self._players

    def _colours_before(self) -> Mapping[str, str]:
        """The colour of each player of last time's game."""
        return {seat.player: seat.colour for seat in self._last.seats} if self._last else {}

    def _make_game(self, last: FirstQuestion) -> None:
        """Make the game in memory."""
        title = next(question for question in self._questions if isinstance(question, TitleQuestion))
        settled = self._session.settings.get("edition").value or readings.NO_EDITION
        # a settled edition comes before settled options, one that was chosen after them
        edition = None if title.edition == settled else title.edition
        new = NewGame(self._find_players(), last.colours, last.first, played="today", edition=edition)
        self.play = self._catch(lambda: make_game(self._session, title.title, new, by=self._by, sheet=title.sheet))
        self.is_over = self.play is not None
