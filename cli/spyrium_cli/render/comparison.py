"""Two recordings of one game side by side, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from spyrium_cli.render.paper import draw, grid, text
from spyrium_cli.render.rows import translate_cells, translate_headings, write, write_object
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import count_text, signed, translate, translate_word
from spyrium_cli.session import Session
from spyrium_cli.sheets.lookup import format_value
from spyrium_log import Log
from spyrium_log.catalogue import ENGLISH
from spyrium_log.colours import colour_name
from spyrium_log.edit.compare import Comparison, HeaderDifference, Hunk
from spyrium_log.messages import Reader
from spyrium_log.printed import PrintedName
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyPosting, with_seats

# How many followers of a difference are listed.
MOST_LISTED = 12
# A mark, the event in A, the event in B, a sentence.
Row: TypeAlias = tuple[str, str, str, str]


class Recording:
    """A replayed log, with its events and their sentences by the names of the events."""

    def __init__(self, log: Log, session: Session, form: str = "table") -> None:
        """Replay a log, with its sentences in the language of the call; in English where the form is for programs."""
        self.replay = replay(log, audit=False)
        language = session.language_of(log.title, form)
        self.reader = reader_of(self.replay.title, self.replay.players, language)
        described = list(self.replay.describe_events(language))
        self.events = {self.replay.name_of(event): event for event, _ in described}
        self.sentences = {self.replay.name_of(event): sentence for event, sentence in described}


def draw_comparison(session: Session, log_a: Log, log_b: Log, comparison: Comparison, *, whole: bool) -> None:
    """Draw both recordings side by side, and count the differences. `whole`: leave nothing out."""
    a, b = Recording(log_a, session), Recording(log_b, session)
    language = a.reader.language
    for name, recording in (("A", a), ("B", b)):
        game = recording.replay
        events = count_text(len(game.events), "event", language)
        recorded = translate("compare.recorded", language, events=events, by=game.header.by)
        draw(text(f"{name}  ", "bold").append_text(text(f"{game.log.file}: {recorded}")))
    for sentence in _list_header_sentences(a, b, comparison):
        draw(text(sentence))
    table = grid("left", "right", "right", "left")
    for row in SideBySide(a, b, comparison, whole).rows():
        table.add_row(*map(text, row))
    draw(table)
    say(_summarise_differences(comparison.hunks, language))


def _list_header_sentences(a: Recording, b: Recording, comparison: Comparison) -> Iterator[str]:
    """Who is who where the names differ, and the differences of the headers and of the sheets."""
    language = a.reader.language
    none = translate("compare.none", language)
    for match in comparison.seats:
        if match.how != "name":
            players = {"a": a.replay.players[match.a - 1], "b": b.replay.players[match.b - 1]}
            yield translate("compare.seats", language, **players, how=translate_word(match.how, "compare", language))
    for difference in comparison.header:
        values = {"a": _format_field(difference, difference.a, none, language)}
        values["b"] = _format_field(difference, difference.b, none, language)
        yield translate("compare.differs", language, what=_name_field(difference.what, language), **values)
    for change in comparison.sheet:
        values = {
            "a": _format_printed(change.before, none, a.reader),
            "b": _format_printed(change.after, none, a.reader),
        }
        name = PrintedName(change.of, change.what).text_for(a.reader)
        yield translate("compare.differs", language, what=name, **values)


def _name_field(what: str, language: str) -> str:
    """A field of the header, `seat 1 colour` or `place`, in words; an option has only its own name."""
    place, _, field = what.rpartition(" ")
    name = translate_word(field, "header-fields", language)
    return translate("header-fields.of-seat", language, n=place.removeprefix("seat "), field=name) if place else name


def _format_field(difference: HeaderDifference, value: str, none: str, language: str) -> str:
    """A value of a field of the header; the word `none` for an empty one. In English a source is as the log has it."""
    if difference.what == "source" and language != ENGLISH:
        return translate_word(value, "games", language)
    return colour_name(value, language) if difference.what.endswith(" colour") else value or none


def _format_printed(row: Printed | None, none: str, reader: Reader) -> str:
    """The value of a row of a sheet; the word `none` where the sheet has no such row."""
    return none if row is None else format_value(row, reader)


def _summarise_differences(hunks: Sequence[Hunk], language: str) -> str:
    """`5 the same, 2 told otherwise, 1 only in B`."""
    counts: Counter[str] = Counter()
    for hunk in hunks:
        counts["follow" if hunk.follows_from else hunk.kind] += len(hunk.a or hunk.b)
    # what is the same is always counted
    kinds = ["same", *(kind for kind in ("otherwise", "a", "b", "follow") if counts[kind])]
    return ", ".join(translate(f"compare.{kind}", language, n=counts[kind]) for kind in kinds)


class SideBySide(NamedTuple):
    """The table of two recordings. `whole`: also what is the same, and what only follows from others."""

    a: Recording
    b: Recording
    comparison: Comparison
    whole: bool

    def rows(self) -> Iterator[Row]:
        """The rows of all differences, in the order of the game."""
        for hunk in self.comparison.hunks:
            if hunk.kind == "same":
                yield from self._rows_of_same(hunk)
            elif self.whole or not hunk.follows_from:
                yield from self._rows_of_difference(hunk)
                yield from self._rows_of_followers(hunk)

    def _rows_of_same(self, hunk: Hunk) -> Iterator[Row]:
        """Events that are the same in both: one row for all, or with `whole` a row each."""
        if self.whole:
            yield from ((" ", a, b, self.a.sentences[a]) for a, b in zip(hunk.a, hunk.b, strict=True))
        else:
            yield " ", _format_span(hunk.a), _format_span(hunk.b), translate("compare.the-same", self.a.reader.language)

    def _rows_of_difference(self, hunk: Hunk) -> Iterator[Row]:
        """Events of one recording alone (`-` in A, `+` in B), or one event that differs (`!`)."""
        if hunk.what == "effects":
            yield from self._rows_of_effects(hunk.a[0], hunk.b[0])
            return
        is_changed = hunk.kind == "otherwise"
        yield from (("!" if is_changed else "-", ref, "", self.a.sentences[ref]) for ref in hunk.a)
        yield from (("!" if is_changed else "+", "", ref, self.b.sentences[ref]) for ref in hunk.b)

    def _rows_of_effects(self, ref_a: str, ref_b: str) -> Iterator[Row]:
        """An event with other effects: its sentence, then what moved in one recording alone."""
        event_a, event_b = self.a.events[ref_a], self.b.events[ref_b]
        seats = {match.b: match.a for match in self.comparison.seats}
        moved = Counter(event_a.moved), Counter(with_seats(event_b.moved, seats))
        facts = Counter(event_a.facts), Counter(with_seats(event_b.facts, seats))
        yield "!", ref_a, ref_b, self.a.sentences[ref_a]
        for name, own, other in (("A", 0, 1), ("B", 1, 0)):
            effects = [_format_posting(posting, self.a.reader) for posting in (moved[own] - moved[other]).elements()]
            effects += [type(fact).__name__ for fact in (facts[own] - facts[other]).elements()]
            if effects:
                yield self._make_note_row("in", name=name, what="; ".join(effects))

    def _rows_of_followers(self, hunk: Hunk) -> Iterator[Row]:
        """The events that follow from a difference; with `whole`, the difference that this one follows from."""
        hunks = self.comparison.hunks
        if self.whole:
            if hunk.follows_from:
                cause = next(each for each in hunks if each.number == hunk.follows_from)
                yield self._make_note_row("follows", ref=(cause.a or cause.b)[0])
            return
        refs = [_format_span(each.a or each.b) for each in hunks if each.number and each.follows_from == hunk.number]
        if refs:
            more = f" +{len(refs) - MOST_LISTED}" if len(refs) > MOST_LISTED else ""
            yield self._make_note_row("below", refs=", ".join(refs[:MOST_LISTED]) + more)

    def _make_note_row(self, key: str, **arguments: str) -> Row:
        """A row with a sentence about the row above it."""
        return "", "", "", f"  {translate(f'compare.{key}', self.a.reader.language, **arguments)}"


def _format_span(refs: Sequence[str]) -> str:
    """`3`, or `3–7` for events that follow each other."""
    return refs[0] if len(refs) == 1 else f"{refs[0]}–{refs[-1]}"


def _format_posting(posting: AnyPosting, reader: Reader) -> str:
    """`Bob money −5 (price, seen by Anna)`."""
    is_player = 0 < posting.who <= len(reader.names)
    name = reader.player_name(posting.who) if is_player else translate("compare.table", reader.language)
    seen = f", {translate('compare.seen', reader.language, who=posting.seen.who)}" if posting.seen else ""
    amount = f"{reader.title_word('resources', posting.what)} {signed(posting.n)}"
    return f"{name} {amount} ({reader.cause_name(posting.why)}{seen})"


def write_comparison(session: Session, log_a: Log, log_b: Log, comparison: Comparison, form: str) -> None:
    """Write the comparison as one object, or as a row for each hunk in csv and md."""
    a, b = Recording(log_a, session, form), Recording(log_b, session, form)
    if form in {"csv", "md"}:
        columns = ("number", "follows_from", "kind", "what", "a", "b", "a_sentence", "b_sentence")
        tables = {"kind": "hunks", "what": "hunk-parts"}
        rows = [_make_hunk_row(hunk, a, b) for hunk in comparison.hunks]
        cells = translate_cells(columns, rows, tables, form, session.language)
        write(translate_headings(columns, "compare-heads", form, session.language), cells, form, null="")
        return
    answer = {
        "a": log_a.file,
        "b": log_b.file,
        "is_same": comparison.is_same,
        "seats": comparison.seats,
        "header": comparison.header,
        "sheet": comparison.sheet,
        "hunks": [_make_hunk_object(hunk, a, b) for hunk in comparison.hunks],
    }
    write_object(answer, form)


def _make_hunk_object(hunk: Hunk, a: Recording, b: Recording) -> dict[str, Any]:
    """A hunk as an object, with the sentences of its events."""
    return {
        "number": hunk.number or None,
        "follows_from": hunk.follows_from or None,
        "kind": hunk.kind,
        "what": hunk.what,
        "a": [{"event": ref, "sentence": a.sentences[ref]} for ref in hunk.a],
        "b": [{"event": ref, "sentence": b.sentences[ref]} for ref in hunk.b],
    }


def _make_hunk_row(hunk: Hunk, a: Recording, b: Recording) -> tuple[Any, ...]:
    """A hunk as a row, with its events and their sentences in one cell a recording."""
    sentences = " ".join(a.sentences[ref] for ref in hunk.a), " ".join(b.sentences[ref] for ref in hunk.b)
    events = " ".join(hunk.a), " ".join(hunk.b)
    return (hunk.number or None, hunk.follows_from or None, hunk.kind, hunk.what, *events, *sentences)
