"""What is printed on components and nobody knows yet: asked before the act that rests on it, in the words of a set."""

from __future__ import annotations

from msgspec.structs import replace

from spyrium_log.edit.amend import check_reading
from spyrium_log.entry.requests import Act, Reading, Request
from spyrium_log.entry.view import PromptView
from spyrium_log.errors import NotationError, SheetError
from spyrium_log.messages import Component, Reader, Term, entry_message
from spyrium_log.play import Play
from spyrium_log.replay import current_sheet
from spyrium_log.sheet import Printed
from spyrium_log.title import Question, ValueKind
from spyrium_log.transcript.span import line_span
from spyrium_log.transcript.statements import read_printed

# The answer that leaves a value unknown.
UNKNOWN = "?"


class Inquiry:
    """The value that is `asked` for, and the `line` that waits for it, to be recorded against the rules if `anyway`."""

    def __init__(self, play: Play) -> None:
        """Nothing is asked yet."""
        self.play = play
        # what nobody can read off is not asked for again
        self._left_unknown: set[Question] = set()
        self.asked: Question | None = None
        self.line = ""
        self.anyway = False

    def find_question(self, request: Request | None) -> Question | None:
        """The first value that the act of a request rests on and nobody knows."""
        if not isinstance(request, Act):
            return None
        questions = self.play.title.recorder.questions(self.play.state, request.act)
        return next((question for question in questions if question not in self._left_unknown), None)

    def ask(self, question: Question, line: str, *, anyway: bool) -> None:
        """Ask for a value, and let the line wait."""
        self.asked, self.line, self.anyway = question, line, anyway

    def leave_unknown(self) -> None:
        """Never ask for this value again: nobody can read it off."""
        if self.asked is not None:
            self._left_unknown.add(self.asked)
        self.asked = None

    def stop(self) -> str:
        """Ask no more, as for Escape. Returns the line that waited, for the scribe to go on with."""
        line, self.line = self.line, ""
        self.asked, self.anyway = None, False
        return line

    def make_view(self, question: Question, text: str, reader: Reader) -> PromptView:
        """A view of the value that is asked for, and of what is typed as its answer."""
        way_on = entry_message("way-on").text_for(reader)
        view = PromptView(question=describe_question(self.play, question, reader), words=(way_on,))
        if text == UNKNOWN or (not text and question.likely is None):
            return view
        try:
            return replace(view, request=read_answer(self.play, question, text))
        except NotationError as error:
            return replace(view, message=error.message.text_for(reader))


def describe_question(play: Play, question: Question, reader: Reader) -> str:
    """What is asked for, with the likely answer or how such a value is written: `price of slot-1, such as 1`."""
    what, card = Term("values", question.what), Component(question.of)
    if question.likely is not None:
        message = entry_message("asked-likely", what=what, card=card, value=str(question.likely))
        return message.text_for(reader)
    sheets = [current_sheet(play.log), *play.title.list_sheets()]
    row = next((row for sheet in sheets for row in sheet.similar_rows(question.what)), None)
    if row is None:
        return entry_message("asked", what=what, card=card).text_for(reader)
    return entry_message("asked-such-as", what=what, card=card, value=str(row.value)).text_for(reader)


def read_answer(play: Play, question: Question, text: str) -> Reading:
    """The reading that an answer makes; NotationError for a value that the component cannot have."""
    # Enter alone takes the likely value
    value = _read_value(play, question, text) if text or question.likely is None else question.likely
    try:
        check_reading(play.log, Printed(question.of, question.what, value, "read"))
    except SheetError as error:
        raise NotationError(error.message, text, 1) from None
    return Reading(of=question.of, what=question.what, value=value)


def _read_value(play: Play, question: Question, text: str) -> int | str:
    """The value that an answer names: a number or a text, which needs no quotes where the component has texts there."""
    kinds = play.title.values_of(current_sheet(play.log), question.of) if play.title.values_of else {}
    kind: ValueKind | None = kinds.get(question.what)
    if kind == "text" and not text.startswith('"'):
        return text
    return read_printed(line_span(text))
