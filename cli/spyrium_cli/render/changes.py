"""What a correction changes: a few lines for people, rows for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.render.rows import translate_cells, translate_headings, write
from spyrium_cli.render.sentences import finding_sentence, reader_of
from spyrium_cli.render.surface import is_screen
from spyrium_cli.render.text import signed, translate
from spyrium_cli.session import ENGLISH, FOR_PEOPLE
from spyrium_log.messages import Reader

if TYPE_CHECKING:
    from spyrium_log.edit.amend import Changes
    from spyrium_log.replay import Replay
    from spyrium_log.title import AnyPosting, Score

COLUMNS = ("mode", "change", "event", "about", "before", "after")
# The first of more changes than people read; the other formats have all.
MOST_SHOWN = 12
# The sentence of a deal names nine cards: its end is cut on a screen.
LONGEST_SENTENCE = 100
# The style of each word before what changes: findings that go are green, those that come yellow.
STYLES = {"goes": "green", "comes": "yellow", "amount": "dim", "scores": "dim", "first": "dim"}


class ChangeLine(NamedTuple):
    """A line about one event. `word`: `goes` or `was`; it and the name of the event may be empty."""

    word: str
    ref: str
    sentence: str


def write_changes(by_mode: Iterable[tuple[str, Changes]], reader: Reader, form: str) -> None:
    """Write what changes in each mode as rows, in formats for programs in English."""
    is_english = form not in FOR_PEOPLE or reader.language == ENGLISH
    used = Reader(names=reader.names, minus="-") if is_english else reader
    rows = [row for mode, changed in by_mode for row in _change_rows(mode, changed, used)]
    cells = translate_cells(COLUMNS, rows, {"change": "change-kinds"}, form, reader.language)
    write(translate_headings(COLUMNS, "changes-heads", form, reader.language), cells, form, null="")


def _change_rows(mode: str, changed: Changes, reader: Reader) -> Iterator[tuple[Any, ...]]:
    """Each finding, amount and score that changes. A finding that comes has no `before`, one that went no `after`."""
    for finding in changed.went:
        yield mode, "went", finding.ref, finding.rule, finding_sentence(finding, reader), None
    for finding in changed.came:
        yield mode, "came", finding.ref, finding.rule, None, finding_sentence(finding, reader)
    for amount in changed.amounts:
        what, why = reader.title_word("resources", amount.what), reader.cause_name(amount.why)
        resource = f"{reader.player_name(amount.who)} {what} ({why})"
        yield mode, "amount", amount.ref, resource, amount.before, amount.after
    for before, after in zip(changed.before, changed.after, strict=True):
        name = reader.player_name(after.seat)
        if before.total != after.total:
            yield mode, "score", None, name, before.total, after.total
        if before.place != after.place:
            yield mode, "place", None, name, before.place, after.place


def _change_lines(changed: Changes, reader: Reader) -> Iterator[ChangeLine]:
    """What changes, for people: findings that go and come, amounts, and the scores; one line if nothing does."""
    if changed.before == changed.after and not (changed.went or changed.came or changed.amounts):
        yield ChangeLine("", "", translate("changes.nothing", reader.language))
        return
    for word, findings in (("goes", changed.went), ("comes", changed.came)):
        lines = [ChangeLine(word, finding.ref, finding_sentence(finding, reader)) for finding in findings]
        yield from _limit_lines(lines, "findings", reader)
    amounts = [
        ChangeLine("amount", now.ref, _amount_text(now.who, now.what, now.why, now.before, now.after, reader))
        for now in changed.amounts
    ]
    yield from _limit_lines(amounts, "amounts", reader)
    yield from _score_lines(changed, reader)


def _score_lines(changed: Changes, reader: Reader) -> Iterator[ChangeLine]:
    """The score of each player, before and after; then who is first, unless no score changes."""
    scores = " · ".join(
        f"{reader.player_name(new.seat)} {old.total}" + (f" → {new.total}" if old.total != new.total else "")
        for old, new in zip(changed.before, changed.after, strict=True)
    )
    if changed.before == changed.after:
        yield ChangeLine("scores", "", translate("changes.unchanged", reader.language, scores=scores))
        return
    yield ChangeLine("scores", "", scores)
    winners_before, winners = _winners_text(changed.before, reader), _winners_text(changed.after, reader)
    as_before = translate("changes.as-before", reader.language, who=winners)
    yield ChangeLine("first", "", as_before if winners_before == winners else f"{winners_before} → {winners}")


def _limit_lines(lines: Sequence[ChangeLine], what: str, reader: Reader) -> Iterator[ChangeLine]:
    """At most `MOST_SHOWN` lines, and one that counts the others. `what`: `findings` or `amounts`."""
    yield from lines[:MOST_SHOWN]
    if len(lines) > MOST_SHOWN:
        more = translate(f"changes.more-{what}", reader.language, n=len(lines) - MOST_SHOWN)
        yield ChangeLine(lines[0].word, "", more)


def _amount_text(who: int, what: str, why: str, before: int, after: int, reader: Reader) -> str:
    """`Anna money −2 → −3 (price)`."""
    resource = f"{reader.player_name(who)} {reader.title_word('resources', what)}"
    return f"{resource} {signed(before)} → {signed(after)} ({reader.cause_name(why)})"


def _winners_text(scores: Sequence[Score], reader: Reader) -> str:
    """`Anna and Bob`."""
    return translate("changes.and", reader.language).join(
        reader.player_name(score.seat) for score in scores if score.won
    )


def draw_changes(changed: Changes, reader: Reader, mode: str = "") -> None:
    """Draw what changes, below a line that explains the mode of the amendment."""
    from spyrium_cli.render.paper import draw, text

    if mode:
        draw(text(f"{mode}: {translate(f'changes.{mode}', reader.language)}", "bold"))
    labels = {word: translate(f"changes.{word}", reader.language) for word in STYLES}
    lines = _change_lines(changed, reader)
    _draw_lines((line._replace(word=labels.get(line.word, "")), STYLES.get(line.word, "dim")) for line in lines)


def draw_edits(before: Replay, amendment: Any, language: str, indent: str = "") -> None:
    """Draw the events that an amendment of the game changes, as they were and as they are with it."""
    from spyrium_log.edit.amend import log_with_line
    from spyrium_log.replay import replay

    after = replay(log_with_line(before.log, amendment), audit=False)
    lines = _edit_lines(before, after, amendment.edits, language)
    _draw_lines((line._replace(word=f"{indent}{line.word}"), "dim") for line in lines)


def _draw_lines(lines: Iterable[tuple[ChangeLine, str]]) -> None:
    """Draw lines, each with the style of its word."""
    from spyrium_cli.render.paper import draw, grid, text

    table = grid("left", "right", "left")
    for line, style in lines:
        table.add_row(text(f"  {line.word}", style), text(line.ref), text(line.sentence))
    draw(table)


def _edit_lines(before: Replay, after: Replay, edits: Sequence[Any], language: str) -> Iterator[ChangeLine]:
    """Each edit as `was` and `now`; `in` an event other amounts moved; `gone` is dropped, `new` inserted."""
    old = {before.name_of(event): (event, sentence) for event, sentence in before.describe_events(language)}
    new = {after.name_of(event): sentence for event, sentence in after.describe_events(language)}
    gone, was, now, inserted, within, no_event = (
        translate(f"changes.{word}", language) for word in ("gone", "was", "now", "new", "in", "no-event")
    )
    insertions = 0
    for edit in edits:
        # the kind of an edit on the wire: `insert_after`, `drop` or `replace`
        kind = edit.__struct_config__.tag
        event, sentence = old.get(edit.at, (None, no_event))
        if kind == "insert_after":
            insertions += 1
            ref = f"{len(before.lines)}.{insertions}"
            place = f" ({translate('changes.after', language, ref=edit.at)})" if edit.at != "0" else ""
            yield ChangeLine(inserted, ref, new.get(ref, no_event) + place)
        elif kind == "drop":
            yield ChangeLine(gone, edit.at, sentence)
        elif event is not None and event.do == edit.event.do:
            yield ChangeLine(within, edit.at, _cut_on_screen(sentence))
            reader = reader_of(after.title, after.players, language)
            for amounts in _amount_sentences(event.moved, edit.event.moved, reader):
                yield ChangeLine("", "", amounts)
        else:
            yield ChangeLine(was, edit.at, sentence)
            yield ChangeLine(now, "", new.get(edit.at, no_event))


def _cut_on_screen(sentence: str) -> str:
    """The sentence; on a screen no longer than `LONGEST_SENTENCE`. A pipe gets all of it."""
    fits = len(sentence) <= LONGEST_SENTENCE or not is_screen()
    return sentence if fits else f"{sentence[:LONGEST_SENTENCE]}…"


def _amount_sentences(before: Sequence[AnyPosting], after: Sequence[AnyPosting], reader: Reader) -> Iterator[str]:
    """The amounts that change, and those that somebody saw, with who says so."""
    old, new = sum_amounts(before), sum_amounts(after)
    seen = {(posting.who, posting.what, posting.why): posting.seen for posting in after if posting.seen is not None}
    for key in dict.fromkeys((*old, *new)):
        sentence = _amount_text(*key, old[key], new[key], reader)
        if key in seen:
            yield f"{sentence}, {translate('changes.says', reader.language, who=seen[key].who, why=seen[key].why)}"
        elif old[key] != new[key]:
            yield sentence


def sum_amounts(postings: Sequence[AnyPosting]) -> Counter[tuple[int, str, str]]:
    """The postings of an event added up by who, what and why."""
    sums: Counter[tuple[int, str, str]] = Counter()
    for posting in postings:
        sums[posting.who, posting.what, posting.why] += posting.n
    return sums
