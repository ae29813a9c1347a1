"""The printed values that were read off the components in a game: kept in one's own sheet, for the next game."""

from __future__ import annotations

from collections.abc import Sequence

from spyrium_cli.complaint import shell_message, spoken
from spyrium_cli.recording.recorder import Recorder
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import is_terminal, say, tell
from spyrium_cli.session import Session
from spyrium_cli.sheets import lookup, readings
from spyrium_cli.terminal import confirm
from spyrium_log.messages import Count, Message
from spyrium_log.replay import list_readings
from spyrium_log.sheet import Printed


class ReadValues:
    """The values read in a game that one's own sheet does not have. Some may differ from what somebody read before."""

    def __init__(self, session: Session, recorder: Recorder, by: str | None) -> None:
        """Compare the values of the game with the sheet on the disk. `by`: who read them, if the call says so."""
        self._session = session
        self._by = by
        self._title = recorder.play.title
        self.path = lookup.own_sheet_path(session, self._title)
        self.sheet = lookup.read_own_sheet(self._title, self.path)
        self.reader = reader_of(self._title, (), session.language_of(self._title))
        self._known = self.sheet.rows_by_key()
        self.rows = [row for row in list_readings(recorder.play.log) if not self._is_known(row)]

    def _is_known(self, row: Printed) -> bool:
        """Whether the sheet has a reading already with this value."""
        old = self._known.get((row.of, row.what))
        return old is not None and old.source == "read" and old.value == row.value

    @property
    def differing(self) -> list[Printed]:
        """Those of which the sheet has another reading: somebody must say which one is right."""
        readings_before = {key for key, old in self._known.items() if old.source == "read"}
        return [row for row in self.rows if (row.of, row.what) in readings_before]

    def describe(self, rows: Sequence[Printed]) -> str:
        """`Crane price 4, Mine I price 3`."""
        names = {row.of: self._title.words.component(row.of, self.reader.language) for row in rows}
        what = {row.what: self.reader.title_word("values", row.what) for row in rows}
        return ", ".join(f"{names[row.of]} {what[row.what]} {lookup.format_value(row, self.reader)}" for row in rows)

    def describe_differing(self) -> str:
        """`Crane price 4, not 3 (Anna, 2026-11-18)`: each with what the sheet has."""
        before = [self._known[row.of, row.what] for row in self.differing]
        pairs = zip(self.differing, before, strict=True)
        return ", ".join(f"{self.describe([row])} (≠ {lookup.format_reading(old, self.reader)})" for row, old in pairs)

    def save(self, rows: Sequence[Printed]) -> Message:
        """Write these into the sheet; what to say of it."""
        readings.save_readings(self._session, self._title, self.path, rows, readings.reader_name(self._by))
        return shell_message("said.values-kept", values=Count(len(rows), "value"), place=str(self.path))


def keep_on_leaving(session: Session, recorder: Recorder, by: str | None, *, asks: bool) -> None:
    """On leaving a game: say which values were read in it, and keep them for the next one if Enter is the answer.

    Not `asks`: only say how they can be kept, as whoever presses ^C answers no more questions.
    """
    values = ReadValues(session, recorder, by)
    if not values.rows:
        return
    tell("said.read-in-game", values=values.describe(values.rows))
    if not (asks and is_terminal() and confirm(spoken(shell_message("said.keep-for-next")), default=True)):
        tell("said.import-keeps")
        return
    chosen = readings.choose_readings(values.sheet, values.rows, values.reader)
    say(spoken(values.save(chosen)))
