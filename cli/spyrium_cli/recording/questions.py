"""The questions before a game, each with its choices: which game, who plays, what, and who begins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TypeVar

from spyrium_cli.complaint import WrongCall
from spyrium_cli.games.headers import list_known_players, resolve_names
from spyrium_cli.recording.dialogue import Choice
from spyrium_cli.recording.new_game import find_playable_sheet, read_player_names
from spyrium_cli.render.text import invented_set_text, translate
from spyrium_cli.session import Session
from spyrium_cli.settings import readings
from spyrium_cli.settings.config import DEFAULT
from spyrium_log.catalogue import ENGLISH
from spyrium_log.colours import colour_name, read_colour
from spyrium_log.errors import NotationError
from spyrium_log.play import Play
from spyrium_log.sheet import Sheet
from spyrium_log.store import kinds
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES
from spyrium_log.transcript import Names

AnswerT = TypeVar("AnswerT")

# One key each.
DIGITS = "123456789"
KEYS = f"{DIGITS}abcdefghijkl"
# A game that is not among those offered.
NEW_KEY = "n"
BETWEEN_NAMES = ", "


class Question(ABC):
    """One question: its choices, and what is typed."""

    def __init__(self, language: str) -> None:
        """Ask in this language."""
        self.language = language

    def say(self, key: str, **arguments: object) -> str:
        """A sentence of the table `beginning`."""
        return translate(f"beginning.{key}", self.language, **arguments)

    @abstractmethod
    def describe(self) -> Sequence[str]:
        """The question, and how it may be answered."""

    @abstractmethod
    def list_choices(self, text: str) -> Sequence[Choice]:
        """What one key each would answer."""

    @abstractmethod
    def describe_enter(self, text: str) -> str:
        """What Enter would answer; '' for nothing."""

    @abstractmethod
    def answer(self, text: str) -> bool:
        """Take an answer, '' for Enter alone; a usage error for none. Returns whether there is nothing more to ask."""

    def take_key(self, text: str, key: str) -> str | None:
        """The text once the key of a choice was pressed; None where the key is the whole answer."""
        del text, key
        return None

    def is_key(self, text: str, key: str) -> bool:
        """Whether this key is that of a choice now, and not a part of what is typed."""
        return not text and any(choice.key == key for choice in self.list_choices(text))

    def finish(self, text: str) -> str | None:
        """What is typed made whole, where Enter only does this; None where Enter answers with it."""
        del text
        return None

    def drop_last(self, text: str) -> str:
        """What is typed without its last piece, for Backspace."""
        return text[:-1]


class GameQuestion(Question):
    """Which of several games that are not over."""

    def __init__(self, language: str, games: Sequence[tuple[Path, str]]) -> None:
        """`games`: their paths, each with a line about it, the newest first."""
        super().__init__(language)
        self.games = games[: len(DIGITS)]
        self.path: Path | None = None

    def describe(self) -> Sequence[str]:
        """The question."""
        return [self.say("which")]

    def list_choices(self, text: str) -> Sequence[Choice]:
        """The games, and a new one."""
        del text
        games = [Choice(key, label) for key, (_, label) in zip(DIGITS, self.games, strict=False)]
        return [*games, Choice(NEW_KEY, self.say("another"))]

    def describe_enter(self, text: str) -> str:
        """Enter takes the newest."""
        return self.say("enter", answer=self.games[0][1]) if not text else ""

    def answer(self, text: str) -> bool:
        """The game of a key; none of them for a new one."""
        key = text.casefold() or DIGITS[0]
        check_key(key, [choice.key for choice in self.list_choices("")])
        self.path = None if key == NEW_KEY else self.games[DIGITS.index(key)][0]
        return True


class PlayersQuestion(Question):
    """Who plays: people known before by one key each, others by name; Enter takes last time's table."""

    def __init__(self, session: Session, language: str, last: Sequence[str]) -> None:
        """`last`: who played last time."""
        super().__init__(language)
        self._session = session
        self.last = last
        self._known = list_known_players(session)[: len(DIGITS)]
        counts = {count for title in find_titles(session) for count in title.seats}
        self._seats = range(min(counts), max(counts) + 1)
        self.players: list[str] = []
        # the names that were taken by a key or an Enter each: the next one is typed behind them
        self._taken = ""

    def describe(self) -> Sequence[str]:
        """The question, and how names are typed."""
        return [self.say("who"), self.say("who-typed" if self._known else "who-typed-first")]

    def list_choices(self, text: str) -> Sequence[Choice]:
        """Everybody known, each with whether they are among those typed."""
        typed = {name.casefold() for name in split_typed(text)}
        people = zip(DIGITS, self._known, strict=False)
        return [Choice(key, name, name.casefold() in typed) for key, name in people]

    def describe_enter(self, text: str) -> str:
        """Enter alone takes last time's table; behind names it takes these."""
        if not text:
            return self.say("last-time", players=BETWEEN_NAMES.join(self.last)) if self.last else ""
        if self._is_one_name(text):
            return self.say("whole")
        names = split_typed(text)
        return self.say("these", players=BETWEEN_NAMES.join(names)) if len(names) in self._seats else ""

    def _is_one_name(self, text: str) -> bool:
        """Whether one name is typed behind those that were taken; with commas of one's own it is all of them."""
        typed = text.removeprefix(self._taken)
        return bool(typed.strip()) and BETWEEN_NAMES.strip() not in typed

    def is_key(self, text: str, key: str) -> bool:
        """A digit is somebody's key where a name would begin."""
        return (not text or ends_name(text)) and key in DIGITS[: len(self._known)]

    def take_key(self, text: str, key: str) -> str | None:
        """The names with the one of this key, or without it where it was there."""
        names, name = split_typed(text), self._known[DIGITS.index(key)]
        others = [other for other in names if other.casefold() != name.casefold()]
        self._taken = join_typed(others if len(others) < len(names) else [*names, name])
        return self._taken

    def finish(self, text: str) -> str | None:
        """A single name made whole, so that another one may follow."""
        if not self._is_one_name(text):
            return None
        self._taken = join_typed(self._complete(split_typed(text)))
        return self._taken

    def drop_last(self, text: str) -> str:
        """A whole name less where one was whole, else a letter."""
        return join_typed(split_typed(text)[:-1]) if ends_name(text) else text[:-1]

    def answer(self, text: str) -> bool:
        """The players by their names, or by their keys."""
        if not text and self.last:
            self.players = [*self.last]
            return True
        names = self._complete(split_typed(text))
        self.players = read_player_names(self._session, self._seats, names, where=self.say("a-name"))
        return True

    def _complete(self, typed: Sequence[str]) -> list[str]:
        """The names that are meant: of a key, or of the only known person whose name begins so."""
        people = dict(zip(DIGITS, self._known, strict=False))
        names = []
        for name in typed:
            keys = name.replace(" ", "")
            # several keys may stand together: 12, or 1 2
            are_keys = bool(people) and set(keys) <= set(DIGITS)
            for key in keys if are_keys else ():
                check_key(key, people)
            names += [people[key] for key in keys] if are_keys else [name]
        return resolve_names(self._session, names)


class TitleQuestion(Question):
    """Which title, and by which edition of its rules."""

    def __init__(self, session: Session, language: str, seats: int, last: Play | None) -> None:
        """`seats`: how many play; `last`: last time's game, of which title and edition are usual."""
        super().__init__(language)
        sheets = {title.key: find_playable_sheet(session, title, last) for title in find_titles(session)}
        self._sheets = {key: sheet for key, sheet in sheets.items() if sheet is not None}
        self._options = [
            (title, edition)
            for title in find_titles(session)
            if seats in title.seats and title.key in self._sheets
            for edition in (readings.NO_EDITION, *readings.editions(session.settings, title))
        ][: len(KEYS)]
        self._usual = self._find_usual(session, last.header if last is not None else None)
        self.title, self.edition = self._options[self._usual]

    @property
    def sheet(self) -> Sheet:
        """The values with which the title is played."""
        return self._sheets[self.title.key]

    def _find_usual(self, session: Session, last: kinds.AnyHeader | None) -> int:
        """Which of the options Enter takes: what the settings say, else last time's, else what ships first."""
        title, edition = session.settings.get("title"), session.settings.get("edition").value
        wanted = title.value if title.origin != DEFAULT or last is None else last.title
        edition = edition or (last.edition if last is not None and last.title == wanted else None)
        names = [(title.key, name) for title, name in self._options]
        for name in ((wanted, edition or readings.NO_EDITION), (wanted, readings.NO_EDITION)):
            if name in names:
                return names.index(name)
        return 0

    def describe(self) -> Sequence[str]:
        """The question."""
        return [self.say("title")]

    def list_choices(self, text: str) -> Sequence[Choice]:
        """Each title without an edition, and with each of its own."""
        del text
        return [Choice(key, self._label(*option)) for key, option in zip(KEYS, self._options, strict=False)]

    def _label(self, title: AnyTitle, edition: str) -> str:
        """The title and the edition, and that its values are none of the printed game where it is so."""
        label, sheet = self._edition_label(title, edition), self._sheets[title.key]
        return f"{label} ({invented_set_text(sheet.name, self.language)})" if sheet.is_invented else label

    def _edition_label(self, title: AnyTitle, edition: str) -> str:
        """`Chess`, or `Chess, en: the English rulebook`."""
        if edition == readings.NO_EDITION:
            return self.say("no-edition", title=title.name)
        words = title.words.vocabulary(find_language(title, self.language))
        name = words.get("editions", {}).get(edition, "")
        return self.say("edition" if name else "edition-alone", title=title.name, edition=edition, name=name)

    def describe_enter(self, text: str) -> str:
        """Enter takes the usual one."""
        return "" if text else self.say("enter", answer=self._label(*self._options[self._usual]))

    def answer(self, text: str) -> bool:
        """The title and edition of a key."""
        key = text.casefold() or KEYS[self._usual]
        check_key(key, KEYS[: len(self._options)])
        self.title, self.edition = self._options[KEYS.index(key)]
        return True


class FirstQuestion(Question):
    """Who begins; on the way, who has which colour."""

    def __init__(self, language: str, title: AnyTitle, players: Sequence[str], colours: Sequence[str]) -> None:
        """`colours`: those that the players had last time, or that are the first."""
        super().__init__(language)
        self._title = title
        self._players = players
        self.colours = [*colours]
        self.first = 1

    def describe(self) -> Sequence[str]:
        """The question, and how a colour is changed."""
        spare = next((colour for colour in self._title.colours if colour not in self.colours), self.colours[0])
        example = f"{self._players[-1]} {colour_name(spare, self.language)}"
        return [self.say("first"), self.say("colour-typed", example=example)]

    def list_choices(self, text: str) -> Sequence[Choice]:
        """Everybody with their colour."""
        del text
        return [Choice(key, self._label(seat)) for seat, key in enumerate(DIGITS[: len(self._players)])]

    def _label(self, index: int) -> str:
        """`Anna (blue)`."""
        return f"{self._players[index]} ({colour_name(self.colours[index], self.language)})"

    def describe_enter(self, text: str) -> str:
        """Enter takes whoever sits first."""
        return "" if text else self.say("enter", answer=self._players[0])

    def answer(self, text: str) -> bool:
        """The seat that begins, by key or name; or a name and a colour, and it is asked again."""
        if text in DIGITS[: len(self._players)]:
            self.first = DIGITS.index(text) + 1 if text else 1
            return True
        name, _, word = text.rpartition(" ")
        colour = read_colour(word, self._title.colours)
        if name.strip() and colour in self._title.colours:
            self._change_colour(self._find_seat(name.strip()) - 1, colour)
            return False
        self.first = self._find_seat(text)
        return True

    def _find_seat(self, name: str) -> int:
        """The seat of a name or a colour; a usage error for none."""
        try:
            return Names(self._players, self.colours).seat_of(name)
        except NotationError as error:
            raise WrongCall("message", message=error) from error

    def _change_colour(self, index: int, colour: str) -> None:
        """Give a colour to a seat; whoever had it gets that seat's."""
        if colour in self.colours:
            self.colours[self.colours.index(colour)] = self.colours[index]
        self.colours[index] = colour


def find_titles(session: Session) -> list[AnyTitle]:
    """The titles that speak the language of the call."""
    language = session.language.partition("-")[0]
    return [title for title in TITLES.values() if find_language(title, session.language).partition("-")[0] == language]


def find_language(title: AnyTitle, language: str) -> str:
    """The language in which a title can be spoken of: this one, or that of which it is an edition, or English."""
    known = title.words.languages
    return next((each for each in (language, language.partition("-")[0]) if each in known), ENGLISH)


def check_key(key: str, keys: Collection[str]) -> None:
    """Refuse what is no key of a choice."""
    if key not in keys:
        raise WrongCall("one-key-of", known=", ".join(keys), found=key)


def split_typed(text: str) -> list[str]:
    """The names that are typed, the last of them perhaps half."""
    return [name.strip() for name in text.split(",") if name.strip()]


def join_typed(names: Sequence[str]) -> str:
    """Names as they are typed, each with the comma behind it that makes it whole."""
    return "".join(f"{name}{BETWEEN_NAMES}" for name in names)


def ends_name(text: str) -> bool:
    """Whether the last name that is typed is whole."""
    return text.rstrip().endswith(BETWEEN_NAMES.strip())
