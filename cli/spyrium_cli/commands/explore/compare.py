"""`spyrium compare`: two recordings of one game, compared and merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from msgspec import structs

from spyrium_cli.command import Command, GameArgument
from spyrium_cli.complaint import REFUSED, Complaint, Refusal, WrongCall, call_message
from spyrium_cli.games.lookup import STDIN, read_log
from spyrium_cli.games.writing import AmendmentWriter, amendment_writer, find_repeated_line
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.options import LONGEST_ID, mode_options, option
from spyrium_cli.render.changes import draw_changes, draw_edits
from spyrium_cli.render.comparison import draw_comparison, write_comparison
from spyrium_cli.render.rows import write_object
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import count_text, translate
from spyrium_cli.session import Session
from spyrium_log import Log
from spyrium_log.edit.amend import compute_consequences, make_amendment
from spyrium_log.edit.compare import Comparison, Hunk, Pick, Seats, compare_logs, make_edits
from spyrium_log.replay import replay
from spyrium_log.store import kinds
from spyrium_log.transcript import names_of

LONGEST_WHY = 500

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
@option("--all", "whole", is_flag=True)
@amendment_writer
def compare_recordings(
    writer: AmendmentWriter,
    other: str,
    match: str | None,
    takes: Sequence[str],
    drops: Sequence[str],
    take_all: bool,
    mode: kinds.Mode | None,
    whole: bool,
    form: str,
) -> int:
    """Compare two recordings of one game, and merge them."""
    session = writer.session
    if writer.log == other == STDIN:
        raise WrongCall("one-stdin")
    a, b = _read_usable_log(session, writer.log), _read_usable_log(session, other)
    seats = _match_seats(a, b, match)
    comparison = compare_logs(a, b, seats)
    if takes or drops or take_all:
        if find_repeated_line(a, writer.cmd) is None:
            picks = _pick_events(comparison, takes, drops, take_all=take_all)
            amendment = _make_amendment(a, b, picks, seats, mode=mode or "misrecorded", writer=writer)
            _show_amendment(session, a, amendment, form)
            _write_amendment(writer, a, amendment)
        return 0
    if form == "table":
        draw_comparison(session, a, b, comparison, whole=whole)
    else:
        write_comparison(session, a, b, comparison, form)
    return REFUSED if comparison.header or comparison.sheet or not comparison.is_same else 0


def _read_usable_log(session: Session, name: str) -> Log:
    """The log of a game; raises where it cannot be read to its end, except for a last line that was never finished."""
    log = read_log(session, name)
    if log.complaint is not None and not (log.damage and log.damage.is_mendable):
        raise log.complaint
    return log


def _match_seats(a: Log, b: Log, match: str | None) -> Seats | None:
    """The seat in A of each seat in B, by `--match` and then by comparison; None without `--match`: by comparison."""
    if match is None:
        return None
    names_a, names_b = (names_of(replay(log, audit=False).header) for log in (a, b))
    chosen = {names_b.seat_of(player_b): names_a.seat_of(player_a) for player_a, player_b in _parse_matches(match)}
    return _complete_seats(chosen, {seat.b: seat.a for seat in compare_logs(a, b).seats})


def _parse_matches(text: str) -> Iterator[tuple[str, str]]:
    """The players of A and B in `Bob=Bobby,Anna=red`."""
    for pair in text.split(","):
        player_a, equals, player_b = (word.strip() for word in pair.partition("="))
        if not (player_a and equals and player_b):
            raise WrongCall("match", found=pair.strip())
        yield player_a, player_b


def _complete_seats(chosen: Seats, compared: Seats) -> Seats:
    """The chosen seats, and for each other seat of B the one in A that the comparison gives it, or a free one."""
    seats = dict(chosen)
    free = [seat for seat in compared.values() if seat not in seats.values()]
    # those whose own seat is free choose first
    for seat_b in sorted(compared, key=lambda seat: compared[seat] not in free):
        if seat_b not in seats and free:
            seats[seat_b] = compared[seat_b] if compared[seat_b] in free else free[0]
            free.remove(seats[seat_b])
    return seats


def _pick_events(comparison: Comparison, takes: Sequence[str], drops: Sequence[str], *, take_all: bool) -> list[Pick]:
    """What to add to A and to remove from it: all that differs, or the events in lists such as `3,57.1`."""
    if take_all:
        return [hunk for hunk in comparison.hunks if hunk.kind != "same"]
    addable = {ref for hunk in comparison.hunks if hunk.kind in {"b", "otherwise"} for ref in hunk.b}
    removable = {ref for hunk in comparison.hunks if hunk.kind == "a" for ref in hunk.a}
    added = _split_lists(takes, addable, "event-of-b")
    return [*added, *(Hunk(kind="a", a=(ref,)) for ref in _split_lists(drops, removable, "event-of-a"))]


def _split_lists(lists: Sequence[str], known: set[str], key: str) -> list[str]:
    """The events in lists such as `3, 8` and `57.1`; the Complaint with this key for one that cannot be picked."""
    refs = [ref.strip() for listed in lists for ref in listed.split(",") if ref.strip()]
    for ref in refs:
        if ref not in known:
            raise Complaint(call_message(key, found=ref))
    return refs


def _make_amendment(
    a: Log, b: Log, picks: Sequence[Pick], seats: Seats | None, *, mode: kinds.Mode, writer: AmendmentWriter
) -> kinds.Amendment:
    """The amendment of A that merges the chosen events; refused where there are none, or a log cannot hold it."""
    by, why = writer.by or scribe_name(), writer.why or f"as recorded in {b.header.game}"
    for name, text, most in (("--by", by, LONGEST_ID), ("--why", why, LONGEST_WHY)):
        if len(text) > most:
            raise WrongCall("too-long", most=most, option=name, found=len(text))
    if not picks:
        raise Refusal(call_message("nothing-to-add"))
    return make_amendment(a, make_edits(a, b, picks, seats), mode, by=by, at=now(), why=why)


def _write_amendment(writer: AmendmentWriter, log: Log, amendment: kinds.Amendment) -> None:
    """Ask and write the amendment that was shown; with --dry-run, say that nothing is written."""
    language = writer.session.language_of(log.title)
    if writer.dry_run:
        say(translate("compare.nothing-written", language))
        return
    number = writer.confirm_and_write(amendment, translate("compare.ask", language, file=log.file))
    edits = count_text(len(amendment.edits), "edit", language)
    say(translate("compare.written", language, line=number, edits=edits, mode=amendment.mode, file=log.file))


def _show_amendment(session: Session, log: Log, amendment: kinds.Amendment, form: str) -> None:
    """Show what an amendment would edit, and what would follow from that, before anybody is asked."""
    consequences = compute_consequences(log, amendment.edits, amendment.mode)
    if form in {"json", "jsonl"}:
        shown = {**structs.asdict(consequences), "mode": amendment.mode}
        write_object({"edits": amendment.edits, "consequences": shown}, form)
        return
    game = replay(log, audit=False)
    reader = reader_of(game.title, game.players, session.language_of(game.title))
    draw_edits(game, amendment, reader.language)
    draw_changes(consequences, reader, amendment.mode)
