"""`spyrium compare`: two recordings of one evening, laid side by side, and what one of them takes from the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import click

from spyrium_cli.command import Command, GameArgument, pass_session
from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.games.writing import append_amendment, confirm_write
from spyrium_cli.options import (
    LONGEST_ID,
    by_option,
    command_id,
    dry_run_option,
    mode_options,
    option,
    wait_option,
    yes_option,
)
from spyrium_cli.render.rows import formats
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_data

if TYPE_CHECKING:
    from spyrium_log.edit.compare import Comparison, Hunk, Pick, Seats
    from spyrium_log.messages import Reader
    from spyrium_log.replay import Replay
    from spyrium_log.sheet import Printed
    from spyrium_log.title import AnyPosting

Mode: TypeAlias = Literal["misrecorded", "misplayed"]
LONGEST_WHY = 500
MOST_NAMED = 12

EPILOG = """\b
Examples:
  spyrium compare his.jsonl
  spyrium compare @last his.jsonl --add 2 --dry-run
  spyrium compare @last his.jsonl --match "Bob=red" --add 2 --why "Bob saw more" --yes

Events have the numbers of their own log, A's on the left, B's on the right. - is only in A, + only in B, ! differs.
What follows from a difference, such as a price after another move, is listed under it by number; --all lists it in
full. What is added goes into A as one amendment, which is shown first.

Exit code without --add or --remove 0: both are the same. 1: they differ. 2: they cannot be compared."""


@click.command("compare", cls=Command, epilog=EPILOG)
@click.argument("log", cls=GameArgument, metavar="[A]")
@click.argument("other", cls=GameArgument, required=True, metavar="B")
@click.option("--match", metavar="A=B,...", help="Players of A and B who are one person.")
@click.option("--add", "takes", multiple=True, metavar="N,...", help="Add these events of B to A.")
@click.option("--remove", "drops", multiple=True, metavar="N,...", help="Remove these events of A, which B lacks.")
@click.option("--add-all", "take_all", is_flag=True, help="Make A the same as B.")
@mode_options
@option("--why")
@by_option
@yes_option
@dry_run_option
@option("--all", "whole", is_flag=True)
@formats()
@command_id
@wait_option
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    log: str,
    other: str,
    match: str | None,
    takes: Sequence[str],
    drops: Sequence[str],
    take_all: bool,
    mode: Mode | None,
    why: str | None,
    by: str | None,
    yes: bool,
    dry_run: bool,
    whole: bool,
    form: str,
    cmd: str | None,
) -> None:
    """Compare two recordings of one game, and merge them.

    A and B are games.
    """
    from spyrium_cli.games.lookup import STDIN
    from spyrium_cli.games.writing import find_repeated_line
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_log.edit.compare import compare_logs

    if log == other == STDIN:
        raise click.UsageError("expected one of the two from stdin, found both")
    a, b = _usable(session, log), _usable(session, other)
    seats = _seats(a, b, match)
    comparison = compare_logs(a, b, seats)
    if not (takes or drops or take_all):
        if form != "table":
            _write(session, a, b, comparison, form)
        else:
            _draw(session, a, b, comparison, whole=whole)
        ctx.exit(int(bool(comparison.header or comparison.sheet or not comparison.is_same)))
    if find_repeated_line(a, cmd) is not None:
        return
    mode = mode or "misrecorded"
    language = session.language_of(a.title)
    picks = (
        [hunk for hunk in comparison.hunks if hunk.kind != "same"]
        if take_all
        else list(_picks(comparison, takes, drops))
    )
    line = _amendment(a, b, picks, seats, mode=mode, by=by, why=why)
    _show(session, a, line, form)
    if dry_run:
        say(translate("compare.nothing-written", language))
        return
    confirm_write(yes, translate("compare.ask", language, file=a.file))
    number = append_amendment(session, log, line, cmd)
    edits = count_text(len(line.edits), "edit", language)
    say(translate("compare.written", language, line=number, edits=edits, mode=mode, file=a.file))


def _usable(session: Session, name: str) -> Any:
    """The log of a game, unless something in it cannot be read."""
    from spyrium_cli.games.lookup import read_log

    log = read_log(session, name)
    if log.complaint is not None and not (log.damage and log.damage.is_mendable):
        raise log.complaint
    return log


# --- players -------------------------------------------------------------------------------------


def _seats(a: Any, b: Any, match: str | None) -> Seats | None:
    """The seat in A of each seat in B: the matches of the call first, the others by comparison."""
    from spyrium_log.edit.compare import compare_logs
    from spyrium_log.replay import replay
    from spyrium_log.transcript import names_of

    if match is None:
        return None
    in_a, in_b = (names_of(replay(log, audit=False).header) for log in (a, b))
    known: dict[int, int] = {}
    for pair in match.split(","):
        one, equals, other = (word.strip() for word in pair.partition("="))
        if not (one and equals and other):
            raise click.UsageError(f"expected A=B in --match, such as Bob=Bobby, found '{pair.strip()}'")
        known[in_b.seat_of(other)] = in_a.seat_of(one)
    matches = {seats.b: seats.a for seats in compare_logs(a, b).seats}
    free = [seat for seat in matches.values() if seat not in known.values()]
    for seat in sorted(matches, key=lambda seat: matches[seat] not in free):
        if seat not in known and free:
            known[seat] = matches[seat] if matches[seat] in free else free[0]
            free.remove(known[seat])
    return known


# --- side by side --------------------------------------------------------------------------------


def _draw(session: Session, a: Any, b: Any, comparison: Comparison, *, whole: bool) -> None:
    """Draw both recordings side by side, and count the differences."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text, translate_word

    language = session.language_of(a.title)
    one, other = (_Side(log, session.language_of(log.title)) for log in (a, b))
    none = translate("compare.none", language)
    for name, side in (("A", one), ("B", other)):
        events = count_text(len(side.done.events), "event", language)
        recorded = translate("compare.recorded", language, events=events, by=side.done.header.by)
        draw(text(f"{name}  ", "bold").append_text(text(f"{side.done.log.file}: {recorded}")))
    for match in comparison.seats:
        if match.how != "name":
            names = {"a": one.done.players[match.a - 1], "b": other.done.players[match.b - 1]}
            draw(
                text(translate("compare.seats", language, **names, how=translate_word(match.how, "compare", language)))
            )
    for difference in comparison.header:
        sides = {"a": difference.a or none, "b": difference.b or none}
        draw(text(translate("compare.differs", language, what=difference.what, **sides)))
    for value in comparison.sheet:
        sides = {"a": _printed(value.before) or none, "b": _printed(value.after) or none}
        draw(text(translate("compare.differs", language, what=f"{value.of} {value.what}", **sides)))
    table = grid("left", "right", "right", "left")
    for cells in _rows(one, other, comparison, whole=whole):
        table.add_row(*(text(cell) for cell in cells))
    draw(table)
    same = sum(len(hunk.a) for hunk in comparison.hunks if hunk.kind == "same")
    own = [hunk for hunk in comparison.hunks if not hunk.follows_from]
    others: Counter[str] = Counter(hunk.kind for hunk in own for _ in hunk.a or hunk.b)
    follows = sum(len(hunk.a or hunk.b) for hunk in comparison.hunks if hunk.follows_from)
    counts = {"same": same, **{kind: others[kind] for kind in ("otherwise", "a", "b") if others[kind]}}
    counts |= {"follow": follows} if follows else {}
    say(", ".join(translate(f"compare.{kind}", language, n=n) for kind, n in counts.items()))


class _Side:
    """One recording: its events by name, each with its sentence."""

    def __init__(self, log: Any, language: str) -> None:
        from spyrium_cli.render.sentences import reader_of
        from spyrium_log.replay import replay

        self.done: Replay = replay(log, audit=False)
        self.reader = reader_of(self.done.title, self.done.players, language)
        described = list(self.done.sentences(language))
        self.sentences = {self.done.name_of(event): sentence for event, sentence in described}
        self.events = {self.done.name_of(event): event for event, _ in described}


def _printed(row: Printed | None) -> str:
    from spyrium_cli.sheets.lookup import value_text

    return "" if row is None else value_text(row)


def _rows(one: _Side, other: _Side, comparison: Comparison, *, whole: bool) -> Iterator[tuple[str, str, str, str]]:
    """The rows of the table: a mark, the events in A and in B, and a sentence."""
    for hunk in comparison.hunks:
        if hunk.follows_from and not whole:
            continue
        if hunk.kind == "same" and not whole:
            yield " ", _span(hunk.a), _span(hunk.b), translate("compare.the-same", one.reader.language)
        elif hunk.kind == "same":
            yield from ((" ", a, b, one.sentences[a]) for a, b in zip(hunk.a, hunk.b, strict=True))
        else:
            yield from _differing(one, other, comparison, hunk)
            yield from _following(one, comparison, hunk, whole=whole)


def _differing(one: _Side, other: _Side, comparison: Comparison, hunk: Hunk) -> Iterator[tuple[str, str, str, str]]:
    if hunk.kind == "a":
        yield from (("-", a, "", one.sentences[a]) for a in hunk.a)
    elif hunk.kind == "b":
        yield from (("+", "", b, other.sentences[b]) for b in hunk.b)
    else:
        yield from _otherwise(one, other, comparison, hunk)


def _following(one: _Side, comparison: Comparison, hunk: Hunk, *, whole: bool) -> Iterator[tuple[str, str, str, str]]:
    """The events that follow from a difference; with `whole`, the difference that this one follows from."""
    if whole and hunk.follows_from:
        cause = next(each for each in comparison.hunks if each.number == hunk.follows_from)
        yield "", "", "", f"  {translate('compare.follows', one.reader.language, ref=(cause.a or cause.b)[0])}"
    followers = [each for each in comparison.hunks if each.number and each.follows_from == hunk.number]
    if followers and not whole:
        refs = [_span(each.a or each.b) for each in followers]
        more = f" +{len(refs) - MOST_NAMED}" if len(refs) > MOST_NAMED else ""
        yield (
            "",
            "",
            "",
            f"  {translate('compare.below', one.reader.language, refs=', '.join(refs[:MOST_NAMED]) + more)}",
        )


def _span(refs: Sequence[str]) -> str:
    return refs[0] if len(refs) == 1 else f"{refs[0]}–{refs[-1]}"


def _otherwise(one: _Side, other: _Side, comparison: Comparison, hunk: Hunk) -> Iterator[tuple[str, str, str, str]]:
    """An event that differs: both sentences, or what moved where the sentences are the same."""
    a, b = hunk.a[0], hunk.b[0]
    if hunk.what == "act":
        yield "!", a, "", one.sentences[a]
        yield "!", "", b, other.sentences[b]
        return
    from spyrium_log.title import reseated

    seats = {match.b: match.a for match in comparison.seats}
    moved = [Counter(one.events[a].moved), Counter(reseated(other.events[b].moved, seats))]
    facts = [Counter(one.events[a].facts), Counter(reseated(other.events[b].facts, seats))]
    yield "!", a, b, one.sentences[a]
    for name, mine, its in (("A", 0, 1), ("B", 1, 0)):
        moves = [_moved(posting, one.reader) for posting in (moved[mine] - moved[its]).elements()]
        moves += [type(fact).__name__ for fact in (facts[mine] - facts[its]).elements()]
        if moves:
            yield "", "", "", f"  {translate('compare.in', one.reader.language, name=name, what='; '.join(moves))}"


def _moved(posting: AnyPosting, to: Reader) -> str:
    """`Bob money −5 (price, seen by Anna)`."""
    from spyrium_cli.render.text import signed

    name = to.player_name(posting.who) if 0 < posting.who <= len(to.names) else translate("compare.table", to.language)
    seen = f", {translate('compare.seen', to.language, who=posting.seen.who)}" if posting.seen else ""
    return f"{name} {to.title_word('resources', posting.what)} {signed(posting.n)} ({to.cause_name(posting.why)}{seen})"


HUNKS = ("number", "follows_from", "kind", "what", "a", "b", "a_sentence", "b_sentence")


def _write(session: Session, a: Any, b: Any, comparison: Comparison, form: str) -> None:
    """Write the comparison as one object, or as a row for each hunk in csv and md."""
    from spyrium_cli.render.objects import json_line, json_text
    from spyrium_cli.render.rows import write

    one, other = (_Side(log, session.language_of(log.title, form)) for log in (a, b))
    hunks = [
        {
            "number": hunk.number or None,
            "follows_from": hunk.follows_from or None,
            "kind": hunk.kind,
            "what": hunk.what,
            "a": [{"event": ref, "sentence": one.sentences[ref]} for ref in hunk.a],
            "b": [{"event": ref, "sentence": other.sentences[ref]} for ref in hunk.b],
        }
        for hunk in comparison.hunks
    ]
    files = {"a": a.file, "b": b.file, "is_same": comparison.is_same, "seats": comparison.seats}
    whole = {**files, "header": comparison.header, "sheet": comparison.sheet, "hunks": hunks}
    if form in {"csv", "md"}:
        write(HUNKS, [_row(hunk) for hunk in hunks], form, null="")
    else:
        write_data(f"{json_text(whole) if form == 'json' else json_line(whole)}\n")


def _row(hunk: Mapping[str, Any]) -> tuple[Any, ...]:
    events, sentences = (
        [" ".join(each[name] for each in hunk[side]) for side in ("a", "b")] for name in ("event", "sentence")
    )
    return (hunk["number"], hunk["follows_from"], hunk["kind"], hunk["what"], *events, *sentences)


# --- merging -------------------------------------------------------------------------------------


def _picks(comparison: Comparison, takes: Sequence[str], drops: Sequence[str]) -> Iterator[Pick]:
    """The chosen events, checked against the differences."""
    from spyrium_log.edit.compare import Hunk

    in_b = {ref for hunk in comparison.hunks if hunk.kind in {"b", "otherwise"} for ref in hunk.b}
    in_a = {ref for hunk in comparison.hunks if hunk.kind == "a" for ref in hunk.a}
    for ref in _refs(takes):
        if ref not in in_b:
            raise Complaint(f"expected an event of B that A lacks or has otherwise, found '{ref}'")
        yield ref
    for ref in _refs(drops):
        if ref not in in_a:
            raise Complaint(f"expected an event that only A has, found '{ref}'")
        yield Hunk(kind="a", a=(ref,))


def _refs(lists: Sequence[str]) -> Iterator[str]:
    """The numbers in lists with commas between."""
    for each in lists:
        yield from filter(None, (ref.strip() for ref in each.split(",")))


def _amendment(
    a: Any, b: Any, picks: Sequence[Pick], seats: Seats | None, *, mode: Mode, by: str | None, why: str | None
) -> Any:
    """The amendment of A that merges the chosen events."""
    from spyrium_cli.identity import now, scribe
    from spyrium_log.edit.compare import make_merging_amendment

    who, reason = by or scribe(), why or f"as recorded in {b.header.game}"
    for name, text, most in (("--by", who, LONGEST_ID), ("--why", reason, LONGEST_WHY)):
        if len(text) > most:
            raise click.UsageError(f"expected at most {most} characters in {name}, found {len(text)}")
    if not picks:
        raise Refusal("expected something to add, found none: both are the same")
    return make_merging_amendment(a, b, picks, by=who, at=now(), why=reason, mode=mode, seats=seats)


def _show(session: Session, a: Any, line: Any, form: str) -> None:
    """Show the amendment and what it changes."""
    from spyrium_cli.render.changes import draw_changes, draw_edits
    from spyrium_cli.render.objects import json_line, json_text
    from spyrium_cli.render.sentences import reader_of
    from spyrium_log.edit.amend import compute_consequences
    from spyrium_log.replay import replay

    changed = compute_consequences(a, line.edits, line.mode)
    if form in {"json", "jsonl"}:
        answer = {"edits": line.edits, "consequences": changed}
        write_data(f"{json_text(answer) if form == 'json' else json_line(answer)}\n")
        return
    before = replay(a, audit=False)
    reader = reader_of(before.title, before.players, session.language_of(before.title))
    draw_edits(before, line, reader.language)
    draw_changes(changed, reader, line.mode)
