"""An amendment as text. Every edit is read on the table at its place, with the edits before it made.

    amend misrecorded "the scribe slipped": replace 3 p12; insert 5 Bob: p45 | £-1 table; drop 7

Effects that a slip takes along are computed, as `edit.amend` computes them, and written only where they are others:

    ...; effects 9 Anna £-3 price; effects 12        exactly these, whose it is always said
    ...; effects none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast, get_args

from msgspec import structs

from spyrium_log.edit import amend
from spyrium_log.edit.amend import AnyReplace, AnyState, Head, make_event_body_with
from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Amendment, AnyEdit, Drop, Event, InsertAfter, Mode, Rederived, Replace
from spyrium_log.log.timeline import make_ref, ref_of
from spyrium_log.messages import syntax
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import Replay, replay
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import Effects, Seen, seat_of
from spyrium_log.transcript.acts import apply_replacements, read_effects, read_event, write_effects, write_event
from spyrium_log.transcript.span import Span, line_span, require_word
from spyrium_log.transcript.statements import make_grammar
from spyrium_log.transcript.table import Table

# The line of an event and, for one that an amendment inserted, its number among the inserted ones.
_EVENT_NAME = re.compile(r"(0|[1-9][0-9]{0,6})(\.[1-9][0-9]{0,2})?")
# What an amendment begins with: `misrecorded "why":`.
_MODE_AND_WHY = re.compile(rf"(\S+)\s+({QUOTED})\s*:")
EDIT_VERBS = ("replace", "drop", "insert")
VERBS = (*EDIT_VERBS, "effects")

Effect = Rederived[Any, Any]


def read_ref(span: Span) -> str:
    """The name of an event as somebody writes it: `57`, or `57.1` for the first event that line 57 inserted."""
    if not _EVENT_NAME.fullmatch(span.text):
        span.refuse(syntax("event-name"))
    return span.text


def read_amendment(span: Span, play: Play, head: Head) -> Amendment:
    """An amendment: its mode, why, and edits between semicolons. `head`: the fields that every line has."""
    match = _MODE_AND_WHY.match(span.text)
    if match is None:
        span.refuse(syntax("amendment"))
    mode = cast("Mode", require_word(span.cut(*match.span(1)), syntax("mode"), get_args(Mode)))
    why = span.cut(*match.span(2)).read_string(syntax("why"))
    edits: list[AnyEdit] = []
    # None: the text says nothing of effects, and they are computed
    written_effects: list[Effect] | None = None
    for part in span.cut(match.end()).split(";"):
        verb = part.first()
        if require_word(verb, syntax("edit"), VERBS) == "effects":
            written_effects = [*(written_effects or []), *_read_effects_of_event(part.after(verb), play)]
        else:
            edits.append(_read_edit(verb.text, part.after(verb), play, edits))
    effects = _compute_effects(play, edits, mode) if written_effects is None else tuple(written_effects)
    return Amended(**head, mode=mode, edits=tuple(edits), effects=effects, why=why)


def read_edits(play: Play, texts: Iterable[str]) -> list[AnyEdit]:
    """Edits in one text or several, as `amend` takes them; their mode is given elsewhere."""
    edits: list[AnyEdit] = []
    for text in texts:
        for part in line_span(text).split(";"):
            verb = part.first()
            require_word(verb, syntax("edit"), EDIT_VERBS)
            edits.append(_read_edit(verb.text, part.after(verb), play, edits))
    return edits


def find_event(play: Play, ref: str) -> Event | None:
    """The standing event of this name, `12` or `57.1`; None if it was undone, dropped, or is none."""
    return next((event for event in play.list_events() if ref_of(event) == ref), None)


def replace_amounts(play: Play, at: str, texts: Iterable[str], seen: Seen) -> AnyReplace:
    """The edit of an event with other amounts; `texts` are amounts with causes, which `seen` says somebody saw."""
    event = find_event(play, at)
    if event is None:
        raise AmendmentError("standing-event", found=at)
    grammar = make_grammar(play, seat=seat_of(event.do))
    written = [read_effects(line_span(text), grammar) for text in texts]
    # what names its own source keeps it
    moved = [item if item.seen else structs.replace(item, seen=seen) for effects in written for item in effects.moved]
    facts = [item if item.seen else structs.replace(item, seen=seen) for effects in written for item in effects.facts]
    replaced = apply_replacements(Effects(event.moved, event.facts), Effects(moved, facts))
    return Replace(at=at, event=make_event_body_with(event.do, replaced))


def write_amounts(play: Play, edit: AnyEdit) -> list[str]:
    """The texts that `replace_amounts` reads as this edit, apart from who saw it; none if they would make another."""
    event = find_event(play, edit.at)
    if event is None or not isinstance(edit, Replace) or edit.event.do != event.do:
        return []
    stated = [posting for posting in edit.event.moved if posting.seen and posting not in event.moved]
    seen = stated[0].seen if stated else None
    if seen is None:
        return []
    unseen = [Effects([structs.replace(posting, seen=None)]) for posting in stated]
    texts = [write_effects(effects, make_grammar(play)) for effects in unseen]
    # where they do not all have this source, the texts make another edit
    read_again = replace_amounts(play, edit.at, texts, seen).event
    is_same = Counter(read_again.moved) == Counter(edit.event.moved) and read_again.facts == edit.event.facts
    return texts if is_same else []


def _read_edit(verb: str, arguments: Span, play: Play, before: Sequence[AnyEdit]) -> AnyEdit:
    """One edit, read on the state that the edits before it make. That replays the game, so their number is limited."""
    if len(before) >= amend.MOST_EDITS:
        arguments.refuse(syntax("most-edits", most=amend.MOST_EDITS))
    at = read_ref(arguments.first())
    act_span = arguments.after(arguments.first())
    if verb == "drop":
        if act_span.text:
            act_span.refuse(syntax("nothing-after-drop"))
        return Drop(at=at)
    if not act_span.text:
        act_span.refuse(syntax("event"))
    state = _find_state_before_edit(play, before, at, is_insert=verb == "insert")
    event = make_event_body_with(*read_event(act_span, make_grammar(play, state)))
    return InsertAfter(at=at, event=event) if verb == "insert" else Replace(at=at, event=event)


def _read_effects_of_event(arguments: Span, play: Play) -> list[Effect]:
    """The corrected effects of a later event, of `EVENT EFFECTS`; an empty list for `none`: none is corrected."""
    if arguments.text == "none":
        return []
    at = read_ref(arguments.first())
    effects = read_effects(arguments.after(arguments.first()), make_grammar(play))
    return [Rederived(at=at, moved=tuple(effects.moved), facts=tuple(effects.facts))]


def write_edits(play: Play, edits: Sequence[AnyEdit]) -> list[str]:
    """The texts that `read_edits` reads as these."""
    texts = []
    for number, edit in enumerate(edits):
        if isinstance(edit, Drop):
            texts.append(f"drop {edit.at}")
            continue
        verb = "insert" if isinstance(edit, InsertAfter) else "replace"
        state = _find_state_before_edit(play, edits[:number], edit.at, is_insert=verb == "insert")
        effects = Effects(edit.event.moved, edit.event.facts)
        texts.append(f"{verb} {edit.at} {write_event(edit.event.do, effects, make_grammar(play, state))}")
    return texts


def write_amendment(line: Amendment, play: Play) -> str:
    """The text of an amendment; effects are written only where they are not the computed ones."""
    parts = write_edits(play, line.edits)
    if line.effects != _compute_effects(play, line.edits, line.mode):
        for effect in line.effects:
            text = write_effects(Effects(effect.moved, effect.facts), make_grammar(play))
            parts.append(f"effects {effect.at} {text}".rstrip())
        if not line.effects:
            parts.append("effects none")
    return f"amend {line.mode} {quote(line.why)}: {'; '.join(parts)}"


def _compute_effects(play: Play, edits: Sequence[AnyEdit], mode: Mode) -> tuple[Effect, ...]:
    """The effects that the edits change; none if an edit names an event that does not stand."""
    try:
        return amend.make_amendment(
            _choose_log_to_replay(play), edits, mode, by="", why="", n=len(play.log.lines)
        ).effects
    except AmendmentError:
        return ()


def _choose_log_to_replay(play: Play) -> Log:
    """The log to replay for an amendment; of a `Table` one of the standing events alone, which replays faster."""
    return play.as_it_stands() if isinstance(play, Table) else play.log


def _find_state_before_edit(play: Play, edits: Sequence[AnyEdit], at: str, *, is_insert: bool) -> AnyState:
    """The state that an edit at event `at` is written on, after the `edits` before it in the same amendment."""
    n = len(play.log.lines)
    game = _replay_with_edits(play, edits, n)
    last = len(game.events)
    if not is_insert:
        # before the event; one that does not stand is read at the end
        return game.state_at(game.position_by_name.get(at, last + 1) - 1)
    inserted = [edit for edit in edits if isinstance(edit, InsertAfter)]
    # an event inserted earlier at the same place comes before this one
    before = [at, *(make_ref(n, i) for i, edit in enumerate(inserted, 1) if edit.at == at)]
    places = [game.position_by_name[ref] for ref in before if ref in game.position_by_name]
    without_event = 0 if at == "0" else last
    return game.state_at(places[-1] if places else without_event)


def _replay_with_edits(play: Play, edits: Sequence[AnyEdit], n: int) -> Replay:
    """The game with these edits made by an amendment on line `n`; later events keep their effects."""
    log = _choose_log_to_replay(play)
    if edits:
        line: Amendment = Amended(n=n, by="", mode="misplayed", edits=tuple(edits), why="", prev=OPEN, hash=OPEN)
        log = amend.log_with_line(log, line)
    return replay(log, audit=False)
