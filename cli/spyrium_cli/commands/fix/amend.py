"""`spyrium fix amend`: correct events, after showing what that changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import WrongCall
from spyrium_cli.files import number_lines
from spyrium_cli.games.writing import AmendmentWriter, amendment_writer
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.options import file_option, game_argument, mode_options, option
from spyrium_cli.render import changes
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import count_text, translate
from spyrium_log.edit.amend import compute_consequences, make_amendment
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.store import kinds
from spyrium_log.title import Seen
from spyrium_log.transcript import read_edits, replace_amounts

EPILOG = """\b
Examples:
  spyrium fix amend 2 p12 --dry-run
  spyrium fix amend 2 "anna: p12" --misrecorded --why "wrong gap" --yes
  spyrium fix amend 4 --drop --misrecorded --why "entered twice" --yes
  spyrium fix amend 3 "bob: p25" --insert --misrecorded --why "forgotten" -y
  spyrium fix amend 12 --moved "anna money +1 table" --misplayed --why "gift" -y
  spyrium fix amend --edit "replace 2 p12" --edit "drop 5" --dry-run

Nothing is deleted: an amendment is a line too, and undo takes it back. The changes are shown in both modes before
anything is written.

A forgotten move shifts what was recorded of that player after it: --edit "replace 16 e n1" --edit "insert 19 anna: x"
puts the move where the pass was, and the pass after 19.

An EDIT is replace EVENT NOTATION, insert EVENT NOTATION (after it; 0 is before the first) or drop EVENT. In NOTATION,
what moved against the rules follows a bar: "bob: a12.2 | money -3 price"."""

MODES: Sequence[kinds.Mode] = ("misplayed", "misrecorded")


@click.command("amend", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("event", required=False)
@click.argument("notation", required=False)
@mode_options
@click.option("--drop", is_flag=True, help="Drop EVENT.")
@click.option("--insert", "after", is_flag=True, help="Insert NOTATION after EVENT.")
@click.option("--moved", multiple=True, metavar="WHAT", help="What EVENT moved, as in 'anna money -3 price'.")
@option("--who")
@click.option("--edit", "edits", multiple=True, metavar="EDIT", help="An edit; may be repeated.")
@file_option
@amendment_writer
def amend_events(
    writer: AmendmentWriter,
    event: str | None,
    notation: str | None,
    mode: kinds.Mode | None,
    drop: bool,
    after: bool,
    moved: Sequence[str],
    who: str | None,
    edits: Sequence[str],
    file: IO[str] | None,
    form: str,
) -> None:
    """Correct an event, add one or drop one.

    EVENT is a number that replay shows, such as 12, or 57.1 for the first event that line 57 inserted.
    """
    if not writer.dry_run:
        _check_reason(mode, writer.why)
    texts = [*_edit_text(event, notation, drop=drop, after=after, moved=bool(moved)), *edits]
    texts += _read_edit_lines(file) if file else ()
    if not texts and not moved:
        raise WrongCall("edit")
    log, is_repeated = writer.read_log()
    play = Play(log)
    by, why = writer.by or scribe_name(), writer.why or ""
    all_edits: list[kinds.AnyEdit] = []
    if moved and event:
        all_edits.append(replace_amounts(play, event, moved, Seen(who=who or by, why=why)))
    all_edits += read_edits(play, texts)
    language = writer.session.language_of(play.title)
    _show_consequences(play, all_edits, mode, language, form)
    if mode and not writer.dry_run:
        amendment = make_amendment(log, all_edits, mode, by=by, at=now(), why=why)
        question = translate("changes.ask", language, mode=mode)
        line = writer.confirm_and_write(amendment, question, is_repeated=is_repeated)
        count = count_text(len(all_edits), "edit", language)
        say(translate("changes.amended-edits", language, line=line, mode=mode, edits=count))


def _edit_text(event: str | None, notation: str | None, *, drop: bool, after: bool, moved: bool) -> Iterator[str]:
    """The edit of the arguments, as --edit has it: `replace 2 p12`; none without an event; refused if they clash."""
    if event is None:
        if drop or after or moved:
            raise WrongCall("event-needed")
        return
    if drop + after + moved > 1 or ((drop or moved) and notation is not None):
        raise WrongCall("one-edit")
    if drop:
        yield f"drop {event}"
    elif notation is not None:
        yield f"{'insert' if after else 'replace'} {event} {notation}"
    elif not moved:
        raise WrongCall("notation-for", event=event)


def _read_edit_lines(file: IO[str]) -> Iterator[str]:
    """The edits in a file, one a line; # begins a comment."""
    for _, line in number_lines(file.readline, file.name):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def _check_reason(mode: kinds.Mode | None, why: str | None) -> None:
    """Refuse to write an amendment without a mode or a reason; to try one out, neither is needed."""
    if mode is None:
        raise WrongCall("mode")
    if not why:
        raise WrongCall("why")


def _show_consequences(
    play: Play, edits: Sequence[kinds.AnyEdit], chosen: kinds.Mode | None, language: str, form: str
) -> None:
    """Show the edits and their consequences in both modes, the chosen mode first."""
    reader = reader_of(play.title, play.players, language)
    modes = sorted(MODES, key=lambda mode: mode != chosen)
    by_mode = {mode: compute_consequences(play.log, edits, mode) for mode in modes}
    if form != "table":
        changes.write_changes(by_mode.items(), reader, form)
        return
    # its edits alone are drawn: in this mode no later effects are computed
    amendment = make_amendment(play.log, edits, "misplayed", by="", why="")
    changes.draw_edits(replay(play.log, audit=False), amendment, language)
    for mode, changed in by_mode.items():
        draw(text(""))
        changes.draw_changes(changed, reader, mode)
