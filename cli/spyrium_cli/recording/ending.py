"""What a game came to, and what may be done with it: values kept, another result, a seal, files, the next game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import click

from spyrium_cli.complaint import REFUSED, Complaint, Refusal, call_message, complaint_of, shell_message, spoken
from spyrium_cli.exporting import forms
from spyrium_cli.files import write_output
from spyrium_cli.games.lookup import select_games
from spyrium_cli.games.overview import format_total
from spyrium_cli.games.writing import make_result
from spyrium_cli.identity import now
from spyrium_cli.recording.dialogue import LONGEST_ANSWER, Choice, Dialogue
from spyrium_cli.recording.keeping import ReadValues
from spyrium_cli.recording.recorder import Recorder, record_line
from spyrium_cli.render.text import count_text, signed, translate, with_minus
from spyrium_cli.session import Session
from spyrium_log.errors import NotationError, SpyriumLogError
from spyrium_log.messages import Reader, cause_name
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Printed
from spyrium_log.standings import with_declared
from spyrium_log.store import kinds
from spyrium_log.title import FinalCount, Score

KEEP, TAKE, DECLARE, SEAL, PAGE, BGSTATS, NEXT, BACK, LEAVE = "k", "t", "d", "s", "p", "b", "n", "r", "q"
# The same as lines.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "keep": KEEP,
        "take": TAKE,
        "declare": DECLARE,
        "seal": SEAL,
        "page": PAGE,
        "bgstats": BGSTATS,
        "next": NEXT,
        "back": BACK,
        "leave": LEAVE,
    }
)
# Of files beside each other with one name and another number.
MOST_FILES = 1000


class Ending(Dialogue):
    """Shows how a game ended. `wants_next`: a new game of the same people; `goes_back`: to the recorder."""

    KEYS = ((BACK, "ending.back"), (LEAVE, "ending.leave"), ("F1", "recorder.help"), ("F2", "recorder.light"))

    def __init__(self, session: Session, recorder: Recorder, by: str | None) -> None:
        """`recorder`: the open log of the game that is over; `by`: who keeps values, if the call says so."""
        super().__init__(recorder.prompt.language)
        self._session = session
        self._recorder = recorder
        self._values = ReadValues(session, recorder, by)
        self._is_declaring = self.wants_next = self.goes_back = False
        # the exit code of lines that were refused
        self.code = 0
        self._done: set[str] = set()
        self._describe_again()

    def _describe_again(self) -> None:
        """Read the game as it now stands."""
        self._game = replay(self._recorder.play.log)
        self._sentences = [*describe_result(self._game, self.language)]

    def say(self, key: str, **arguments: object) -> str:
        """A sentence of the table `ending`."""
        return translate(f"ending.{key}", self.language, **arguments)

    def describe(self) -> Sequence[str]:
        """How the game ended, and which values were read in it."""
        if self._is_declaring:
            return [*self._sentences, self.say("type-result", example=self._example())]
        read = [self.say("read", values=self._values.describe(self._values.rows))] if self._values.rows else []
        return [*self._sentences, *read]

    def list_recap(self) -> Sequence[str]:
        """How the game ended."""
        return self._sentences

    def _example(self) -> str:
        """The result of the log as it is typed: `Anna 63, Bob 58`."""
        totals = (score.total for score in self._game.scores())
        return ", ".join(f"{player} {total}" for player, total in zip(self._game.players, totals, strict=True))

    def list_choices(self) -> Sequence[Choice]:
        """What may be done with the game, each by a key."""
        if self._is_declaring:
            return []
        take = [Choice(TAKE, self.say("take", values=self._values.describe_differing()))] if self._can_take() else []
        keys = (DECLARE, SEAL, PAGE, BGSTATS, NEXT)
        return [*take, *(Choice(key, self.say(word), key in self._done) for word, key in WORDS.items() if key in keys)]

    def _can_take(self) -> bool:
        """Whether a value was read otherwise than before, and nobody has said yet which one is right."""
        return bool(self._values.differing) and TAKE not in self._done

    def _new_values(self) -> list[Printed]:
        """The values to be kept that contradict nobody."""
        differing = self._values.differing
        return [] if KEEP in self._done else [row for row in self._values.rows if row not in differing]

    @property
    def has_values_left(self) -> bool:
        """Whether values were read in the game that nobody kept."""
        return bool(self._new_values()) or self._can_take()

    def describe_enter(self) -> str:
        """Enter declares what is typed, or keeps what was read."""
        if self._is_declaring:
            return self.say("enter-declares")
        new = self._new_values()
        return self.say("enter-keeps", values=count_text(len(new), "value", self.language)) if new else ""

    def press(self, key: str) -> None:
        """Take a key: of a choice, of a result that is typed, Enter, or Escape, which leaves."""
        self.message = ""
        if self._is_declaring:
            self._press_in_result(key)
        elif key == "escape":
            self.is_over = True
        elif key == "enter":
            self._do(KEEP)
        else:
            self._do(key)

    def _press_in_result(self, key: str) -> None:
        """Take a key of the result that is typed."""
        if key == "enter":
            self._try(lambda: self._declare(self.text))
        elif key == "escape":
            self._is_declaring, self.text = False, ""
        elif key == "backspace":
            self.text = self.text[:-1]
        elif len(key) == 1 and key.isprintable() and len(self.text) < LONGEST_ANSWER:
            self.text += key

    def enter_line(self, line: str) -> None:
        """Take a line: a word or a key of a choice, or whatever the recorder understands, such as a note."""
        self.message = ""
        word, _, rest = line.partition(" ")
        key = WORDS.get(word, word)
        if not line or (not rest and key in WORDS.values() and key != DECLARE):
            self._do(key or KEEP)
        elif key == DECLARE and rest:
            self._try(lambda: self._declare(rest))
        elif key == DECLARE:
            self.message = self.say("type-result", example=f"{line} {self._example()}")
        else:
            self.code = self.code if record_line(self._recorder, line, self.language) else REFUSED
            self._describe_again()
            # an undo may have taken the end back
            self.goes_back = self.is_over = not self._recorder.is_over

    def _do(self, key: str) -> None:
        """Do what a key says; any other key does nothing."""
        if key in (NEXT, BACK, LEAVE):
            self.is_over = True
            self.wants_next, self.goes_back = key == NEXT, key == BACK
        elif key == DECLARE:
            self._is_declaring = True
        elif key == KEEP and self._new_values():
            self._try(lambda: self._keep(KEEP, self._new_values()))
        elif key == TAKE and self._can_take():
            self._try(lambda: self._keep(TAKE, self._values.differing))
        elif key in (SEAL, PAGE, BGSTATS):
            acts: dict[str, Callable[[], None]] = {SEAL: self._seal, PAGE: self._write_page, BGSTATS: self._write_play}
            self._try(acts[key])
            if not self.message.startswith("!"):
                self._done.add(key)

    def _try(self, act: Callable[[], None]) -> None:
        """Do something that may be refused; why stands in the message then."""
        try:
            act()
        except (click.ClickException, SpyriumLogError, OSError) as error:
            self.message = f"! {complaint_of(error, self.language).message}"

    def _keep(self, key: str, rows: Sequence[Printed]) -> None:
        """Write values that were read into one's own sheet."""
        self.message = spoken(self._values.save(rows))
        self._done.add(key)

    def _seal(self) -> None:
        """Seal the log, unsigned."""
        recorder = self._recorder
        if isinstance(recorder.play.log.lines[-1], kinds.Sealed):
            self.message = self.say("sealed")
            return
        written = recorder.append_line(recorder.play.make_seal_line(by=recorder.by, at=now()))
        lines = count_text(written.n, "line", self.language)
        self.message = translate("said.sealed", self.language, line=written.n, lines=lines)

    def _write_page(self) -> None:
        """Write the game as one page, into the folder where one is."""
        page = forms.make_file(forms.read_game(self._session, str(self._recorder.path), None), "html")
        self._write(page, ".html")

    def _write_play(self) -> None:
        """Write the play for BG Stats, into the folder where one is."""
        tally, games = forms.Tally(), select_games(self._session, [str(self._recorder.path)])
        whole = forms.read_whole_games(games, tally, None, self._session.folder().read_aliases())
        try:
            play = b"".join(forms.BUNDLES["bgstats"].write(whole, tally))
        except Refusal:
            if not tally.unfit:
                raise
            # what a game with a result may lack
            raise Refusal(shell_message("exporting.no-day")) from None
        self._write(play, ".bgsplay")

    def _write(self, raw: bytes, ending: str) -> None:
        """Write a file under a name that is free, and say where it is."""
        stem = f"{self._game.title.key}-{self._game.header.played or self._game.header.game}"
        names = (f"{stem}{'' if n == 1 else f'-{n}'}{ending}" for n in range(1, MOST_FILES))
        path = next((path for name in names if not (path := Path(name).absolute()).exists()), None)
        if path is None:
            raise Complaint(call_message("existing-file", path=f"{stem}{ending}"))
        write_output([raw], str(path), force=False)
        self.message = translate("said.report-written", self.language, place=str(path))

    def _declare(self, text: str) -> None:
        """Record the result as the table has it, and say where the log differs."""
        recorder, log = self._recorder, self._recorder.play.log
        try:
            line = make_result(log, result=text, log=recorder.play.header.game, by=recorder.by, at=now())
        except NotationError as error:
            # without the place, which would count the word before it
            raise Complaint(error.message) from None
        totals = {score.seat: score.total for score in self._game.scores()}
        written = recorder.append_line(line)
        self._is_declaring, self.text = False, ""
        self._done.add(DECLARE)
        self._describe_again()
        self.message = self._compare(written.n, line.results, totals)

    def _compare(self, n: int, results: Sequence[kinds.Result], totals: Mapping[int, int]) -> str:
        """What was declared beside what the log adds up to."""
        differing = [result for result in results if totals.get(result.seat) != result.points]
        if not differing:
            return translate("declare.agrees", self.language, line=n)
        return "; ".join(
            with_minus(
                translate(
                    "declare.one",
                    self.language,
                    player=self._game.players[result.seat - 1],
                    n=result.points,
                    log=totals.get(result.seat, 0),
                    by=signed(result.points - totals.get(result.seat, 0)),
                )
            )
            for result in differing
        )


def describe_result(game: Replay, language: str) -> Iterator[str]:
    """How a game ended: who won, everybody's points by source, ties, what is assumed, what the audit found."""
    scores = sorted(with_declared(game.scores(), game.declared), key=lambda score: score.place)
    is_counted = any(isinstance(event.do, FinalCount) for event in game.events)
    yield _describe_winners(game, scores, language) if is_counted else translate("ending.not-counted", language)
    yield from (_describe_score(game, score, language) for score in scores)
    how = game.title.words.vocabulary(language).get("ending", {}).get("tie", "")
    for total in dict.fromkeys(score.total for score in scores if is_counted):
        players = [game.players[score.seat - 1] for score in scores if score.total == total]
        if len(players) > 1:
            yield translate("ending.level", language, players=", ".join(players), n=total, how=how)
    if any(standing.is_total_assumed for standing in game.list_standings(len(game.events))):
        values = count_text(game.assumed_value_count, "assumed value", language)
        yield translate("ending.assumed", language, values=values)
    if findings := sum(finding.is_open for finding in game.findings):
        yield translate("ending.findings", language, findings=count_text(findings, "finding", language))


def _describe_winners(game: Replay, scores: Sequence[Score], language: str) -> str:
    """Who won, with how many points."""
    winners = [game.players[score.seat - 1] for score in scores if score.place == 1 and not score.lost]
    if not winners:
        return translate("ending.lost", language)
    key = "ending.won" if len(winners) == 1 else "ending.won-together"
    return translate(key, language, players=", ".join(winners), n=scores[0].total)


def _describe_score(game: Replay, score: Score, language: str) -> str:
    """`1. Anna 63 = buildings ~20 + effect 12 …`: `~` before what is assumed, the largest part first."""
    words, reader = game.title.words.vocabulary(language), Reader(language)
    assumed = {cause_name(part, words) or part for part in game.find_assumed_parts(score.seat)}
    folded = game.scores()[score.seat - 1].total
    # a card may bring points in the game and once more in the final count
    parts: Counter[str] = Counter()
    for part, n in game.sum_score_parts(score.seat).items():
        parts[cause_name(part, words) or part] += n
    marks = {name: "~" if name in assumed else "" for name in parts}
    texts = [f"{name} {marks[name]}{reader.format_number(n)}" for name, n in parts.most_common() if n]
    is_assumed = game.list_standings(len(game.events))[score.seat - 1].is_total_assumed
    total = format_total(score.total, is_assumed and folded == score.total, None if folded == score.total else folded)
    player = game.players[score.seat - 1]
    key = "ending.score" if texts else "ending.score-alone"
    return translate(key, language, place=score.place, player=player, total=total, parts=", ".join(texts))
