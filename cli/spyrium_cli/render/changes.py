"""What a correction changes: a few lines for people, rows for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from spyrium_cli.render.text import reader_of, signed
from spyrium_cli.render.words import translate
from spyrium_log.messages import Reader, comparison

if TYPE_CHECKING:
    from spyrium_log.audit import Finding
    from spyrium_log.edit.amend import Amount, Changes
    from spyrium_log.replay import Replay
    from spyrium_log.title import AnyPosting, Score

COLUMNS = ("mode", "change", "event", "about", "before", "after")
# The first of more changes than people read; the other formats have all.
MOST_SHOWN = 12
# The sentence of a deal names nine cards: its end is cut on a screen.
LONGEST_SENTENCE = 100

# A word such as `goes`, the name of the event, and a sentence; the first two may be empty.
Line = tuple[str, str, str]


def reader_for(game: Replay, language: str) -> Reader:
    """The reader of messages about the table of a replayed game."""
    return reader_of(game.title, game.players, language)


def mode_text(name: str, reader: Reader) -> str:
    """`misplayed: that is what the table did …`: the name is the option's."""
    return f"{name}: {translate(f'changes.{name}', reader.language)}"


def change_rows(mode: str, changed: Changes, players: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Each finding, amount and score that changes. A finding that comes has no `before`, one that went no `after`."""
    reader = Reader(names=players, minus="-")
    for finding in changed.went:
        yield mode, "went", finding.ref, finding.rule, finding_sentence(finding, reader), None
    for finding in changed.came:
        yield mode, "came", finding.ref, finding.rule, None, finding_sentence(finding, reader)
    for amount in changed.amounts:
        resource = f"{reader.player(amount.who)} {amount.what} ({amount.why})"
        yield mode, "amount", amount.ref, resource, amount.before, amount.after
    for before, after in zip(changed.before, changed.after, strict=True):
        name = reader.player(after.seat)
        if before.total != after.total:
            yield mode, "score", None, name, before.total, after.total
        if before.place != after.place:
            yield mode, "place", None, name, before.place, after.place


def change_lines(changed: Changes, reader: Reader) -> Iterator[Line]:
    """What changes, for people: findings that go and come, amounts, scores and who is first."""
    if changed.before == changed.after and not (changed.went or changed.came or changed.amounts):
        yield "", "", translate("changes.nothing", reader.language)
        return
    for word, findings in (("goes", changed.went), ("comes", changed.came)):
        yield from _first_few_lines(
            word, [(finding.ref, finding_sentence(finding, reader)) for finding in findings], "findings", reader
        )
    amounts = [(amount.ref, _amount_text(amount, amount.before, amount.after, reader)) for amount in changed.amounts]
    yield from _first_few_lines("amount", amounts, "amounts", reader)
    scores = _scores_text(changed.before, changed.after, reader)
    if changed.before == changed.after:
        yield "scores", "", translate("changes.unchanged", reader.language, scores=scores)
        return
    yield "scores", "", scores
    winners_before, winners_after = _winners_text(changed.before, reader), _winners_text(changed.after, reader)
    yield (
        "first",
        "",
        f"{winners_before} → {winners_after}"
        if winners_before != winners_after
        else translate("changes.as-before", reader.language, who=winners_after),
    )


def finding_sentence(finding: Finding, reader: Reader) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy`."""
    number = f" ({finding.number})" if finding.number else ""
    key = f"verdicts.{finding.status}" if finding.status != "open" else "play.on-sheet"
    status = "" if finding.is_open else f" [{translate(key, reader.language)}]"
    return f"{finding.rule}{number}: {comparison(finding.expected, finding.found, reader)}{status}"


def _first_few_lines(word: str, sentences: Sequence[tuple[str, str]], what: str, reader: Reader) -> Iterator[Line]:
    """At most `MOST_SHOWN` sentences, each behind the word and its event; a last line counts the others.

    `what`: the kind of change, as `changes.more-…` names it.
    """
    yield from ((word, ref, sentence) for ref, sentence in sentences[:MOST_SHOWN])
    if len(sentences) > MOST_SHOWN:
        yield word, "", translate(f"changes.more-{what}", reader.language, n=len(sentences) - MOST_SHOWN)


def _amount_text(entry: AnyPosting | Amount, before: int, after: int, reader: Reader) -> str:
    """`Anna money −2 → −3 (price)`, of a posting or of a change of its amount."""
    resource = f"{reader.player(entry.who)} {reader.word('resources', entry.what)}"
    return f"{resource} {signed(before)} → {signed(after)} ({reader.cause(entry.why)})"


def _scores_text(before: Sequence[Score], after: Sequence[Score], reader: Reader) -> str:
    """`Anna 63 → 61 · Bob 58`."""
    return " · ".join(
        f"{reader.player(new.seat)} {old.total}" + (f" → {new.total}" if old.total != new.total else "")
        for old, new in zip(before, after, strict=True)
    )


def _winners_text(scores: Sequence[Score], reader: Reader) -> str:
    """`Anna and Bob`."""
    return translate("changes.and", reader.language).join(reader.player(score.seat) for score in scores if score.won)


# --- drawing -------------------------------------------------------------------------------------


def draw_changes(changed: Changes, reader: Reader, heading: str = "") -> None:
    """Findings that go are green, those that come yellow."""
    from spyrium_cli.render.paper import draw, grid, text

    styles = {"goes": "green", "comes": "yellow"}
    if heading:
        draw(text(heading, "bold"))
    table = grid("left", "right", "left")
    for word, ref, sentence in change_lines(changed, reader):
        label = translate(f"changes.{word}", reader.language) if word else ""
        table.add_row(text(f"  {label}", styles.get(word, "dim")), text(ref), text(sentence))
    draw(table)


def draw_edits(edits: Sequence[Line]) -> None:
    """One line per edit: the word, the event, the sentence."""
    from spyrium_cli.render.paper import draw, grid, text

    table = grid("left", "right", "left")
    for word, ref, sentence in edits:
        table.add_row(text(f"  {word}", "dim"), text(ref), text(sentence))
    draw(table)


def edit_lines(before: Replay, after: Replay, applied: Sequence[Any], language: str) -> Iterator[Line]:
    """Each edit as `was` and `now`; `in` an event other amounts moved; `gone` is dropped, `new` inserted."""
    old = {before.name_of(event): (event, sentence) for event, sentence in before.sentences(language)}
    new = {after.name_of(event): sentence for event, sentence in after.sentences(language)}
    no_event = translate("changes.no-event", language)
    inserted = 0
    for edit in applied:
        # the kind of an edit on the wire: `insert_after`, `drop` or `replace`
        kind = edit.__struct_config__.tag
        event, sentence = old.get(edit.at, (None, no_event))
        if kind == "insert_after":
            inserted += 1
            ref = f"{len(before.lines)}.{inserted}"
            place = f" ({translate('changes.after', language, ref=edit.at)})" if edit.at != "0" else ""
            yield translate("changes.new", language), ref, new.get(ref, no_event) + place
        elif kind == "drop":
            yield translate("changes.gone", language), edit.at, sentence
        elif event is not None and event.do == edit.event.do:
            yield translate("changes.in", language), edit.at, _cut_on_screen(sentence)
            yield from (
                ("", "", line) for line in _amount_sentences(event.moved, edit.event.moved, reader_for(after, language))
            )
        else:
            yield translate("changes.was", language), edit.at, sentence
            yield translate("changes.now", language), "", new.get(edit.at, no_event)


def _cut_on_screen(sentence: str) -> str:
    """The sentence; on a screen no longer than `LONGEST_SENTENCE`. A pipe gets all of it."""
    from spyrium_cli.render.surface import is_screen

    fits = len(sentence) <= LONGEST_SENTENCE or not is_screen()
    return sentence if fits else f"{sentence[:LONGEST_SENTENCE]}…"


def _amount_sentences(before: Sequence[AnyPosting], after: Sequence[AnyPosting], reader: Reader) -> Iterator[str]:
    """The amounts that change, and those that somebody saw, with who says so."""
    old, new = amount_sums(before), amount_sums(after)
    # any posting of a key names its player, resource and reason
    sample = {_sum_key(posting): posting for posting in (*before, *after)}
    seen = {_sum_key(posting): posting.seen for posting in after if posting.seen is not None}
    for key in dict.fromkeys((*old, *new)):
        if key in seen:
            says = translate("changes.says", reader.language, who=seen[key].who, why=seen[key].why)
            yield f"{_amount_text(sample[key], old[key], new[key], reader)}, {says}"
        elif old[key] != new[key]:
            yield _amount_text(sample[key], old[key], new[key], reader)


def amount_sums(postings: Sequence[AnyPosting]) -> Counter[tuple[int, str, str]]:
    """Amounts by who, what and why."""
    sums: Counter[tuple[int, str, str]] = Counter()
    for posting in postings:
        sums[_sum_key(posting)] += posting.n
    return sums


def _sum_key(posting: AnyPosting) -> tuple[int, str, str]:
    """Who, what and why: amounts of one event that agree in these are added up."""
    return posting.who, posting.what, posting.why
