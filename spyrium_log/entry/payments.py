"""What was paid for a card whose printed price is read only afterwards: by that price, or as it was recorded."""

from __future__ import annotations

from spyrium_log.edit.amend import make_event_body, sum_postings
from spyrium_log.entry.requests import Reading, Slip
from spyrium_log.entry.view import PromptView
from spyrium_log.log.timeline import ref_of
from spyrium_log.messages import Component, Reader, Term, entry_message
from spyrium_log.play import Play
from spyrium_log.replay import replay


def find_payment(play: Play, reading: Reading, reader: Reader) -> Slip | None:
    """The correction of the last event that rests on a value which has just been read; None where nothing differs."""
    game = replay(play.log, audit=False)
    for index in reversed(range(len(game.events))):
        event, state = game.events[index], game.state_at(index)
        if play.title.recorder.relied(state, event.do) != (reading.of, reading.what):
            continue
        body = make_event_body(play.title, state, event.do)
        # what the table said it paid is certain
        is_said = any(posting.seen is not None for posting in event.moved)
        if is_said or sum_postings(body.moved) == sum_postings(event.moved):
            return None
        what, card = Term("values", reading.what), Component(reading.of)
        why = entry_message("read-off-later", what=what, card=card, value=str(reading.value))
        return Slip(at=ref_of(event), event=body, why=why.text_for(reader))
    return None


def ask_about_payment(play: Play, reading: Reading, reader: Reader) -> PromptView | None:
    """A view in which Enter says that what was paid before is by the price read now; any other key leaves it."""
    correction = find_payment(play, reading, reader)
    if correction is None:
        return None
    question = entry_message("was-it-paid", at=correction.at).text_for(reader)
    return PromptView(question=question, words=(question,), request=correction)
