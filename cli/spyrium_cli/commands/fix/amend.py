"""`spyrium fix amend`: an event told otherwise, after what that changes was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, Literal

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.files import numbered_lines
from spyrium_cli.games.writing import confirm_write
from spyrium_cli.options import (
    by_option,
    command_id,
    dry_run_option,
    file_option,
    game_argument,
    mode_options,
    option,
    wait_option,
    yes_option,
)
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log.play import Play

EPILOG = """\b
Examples:
  spyrium fix amend @last 2 p12 --dry-run
  spyrium fix amend @last 2 "anna: p12" --misrecorded --why "wrong gap" --yes
  spyrium fix amend @last 4 --drop --misrecorded --why "entered twice" --yes
  spyrium fix amend @last 3 "bob: p25" --insert --misrecorded --why "forgotten" -y
  spyrium fix amend @last 12 --moved "anna money +1 table" --misplayed --why "gift" -y
  spyrium fix amend @last --edit "replace 2 p12" --edit "drop 5" --dry-run

Nothing is deleted: an amendment is a line too, and undo takes it back. Misplayed: the table did so, and what came of
it stands. Misrecorded: the scribe slipped, and every effect that was computed after it is computed anew. What would
change is told for both before anything is written; without --yes somebody is asked.

Where a move was forgotten, what is recorded of that player came a turn later each time: --edit "replace 16 e n1"
--edit "insert 19 anna: x" puts the move where the pass stood, and the pass behind 19.

In a file and with --edit: replace EVENT NOTATION, insert EVENT NOTATION (after it; 0 is before the first), drop EVENT.
In NOTATION, what moved otherwise than the rules give stands behind a bar: "bob: a12.2 | £-3 price"."""

MODES: Sequence[Literal["misplayed", "misrecorded"]] = ("misplayed", "misrecorded")


@click.command("amend", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("event", required=False)
@click.argument("notation", required=False)
@mode_options
@click.option("--drop", is_flag=True, help="It never happened.")
@click.option("--insert", "after", is_flag=True, help="NOTATION happened too, after EVENT.")
@click.option("--moved", multiple=True, metavar="WHAT", help="It moved so, as in 'anna money -3 price'.")
@option("--who")
@click.option("--edit", "edits", multiple=True, metavar="EDIT", help="One more edit; as often as you like.")
@file_option
@option("--why")
@yes_option
@dry_run_option
@by_option
@command_id
@formats()
@wait_option
@pass_session
def command(
    session: Session,
    log: str,
    event: str | None,
    notation: str | None,
    mode: str | None,
    drop: bool,
    after: bool,
    moved: Sequence[str],
    who: str | None,
    edits: Sequence[str],
    file: IO[str] | None,
    why: str | None,
    yes: bool,
    dry_run: bool,
    by: str | None,
    cmd: str | None,
    form: str,
) -> None:
    """Correct an event, add one or drop one.

    EVENT is the number that replay shows, such as 12, or 57.1 for one that line 57 inserted.
    """
    from spyrium_cli.games.lookup import read_log
    from spyrium_cli.games.writing import earlier_line, first_lines
    from spyrium_cli.identity import scribe
    from spyrium_cli.render.words import translate
    from spyrium_log.play import Play
    from spyrium_log.title import Seen
    from spyrium_log.transcript import moved_otherwise, read_edits

    if not dry_run:
        _say_all(mode, why)
    texts = [*_one(event, notation, drop=drop, after=after, moved=moved), *edits, *(_lines(file) if file else ())]
    if not texts and not moved:
        raise click.UsageError("expected an event and what it was instead, --edit or --file; found none of them")
    found = read_log(session, log)
    first = earlier_line(found, cmd)
    table = Play(found if first is None else first_lines(found, first))
    made: list[Any] = []
    if moved and event:
        seen = Seen(who=who or by or scribe(), why=why or "")
        made.append(moved_otherwise(table, event, moved, seen))
    made += read_edits(table, texts)
    _tell(table, made, mode, session.language_of(table.title), form)
    if dry_run:
        return
    if first is None:
        confirm_write(yes, translate("changes.ask", session.language_of(table.title), mode=mode))
    _write(session, log, table, made, (str(mode), str(why)), by or scribe(), cmd)


def _one(event: str | None, notation: str | None, *, drop: bool, after: bool, moved: Sequence[str]) -> Iterator[str]:
    """The edit that the arguments say."""
    if event is None:
        if drop or after or moved:
            raise click.UsageError("expected an event with --drop, --insert or --moved, found none")
        return
    if drop + after + bool(moved) > 1 or ((drop or moved) and notation is not None):
        raise click.UsageError("expected notation, --drop or --moved, one of them (--edit takes more)")
    if drop:
        yield f"drop {event}"
    elif notation is not None:
        yield f"{'insert' if after else 'replace'} {event} {notation}"
    elif not moved:
        raise click.UsageError(f"expected notation for event {event}, --drop or --moved; found none of them")


def _lines(file: IO[str]) -> Iterator[str]:
    for _, line in numbered_lines(file.readline, file.name):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def _say_all(mode: str | None, why: str | None) -> None:
    if mode is None:
        known = "--misplayed (the table did so) or --misrecorded (the scribe slipped)"
        raise click.UsageError(f"expected {known}, found neither; --dry-run tells what either would change")
    if not why:
        raise click.UsageError("expected --why, found none")


def _tell(table: Play, made: Sequence[Any], mode: str | None, language: str, form: str) -> None:
    """The mode that is to be written first."""
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.rows import write
    from spyrium_cli.render.text import reader_of
    from spyrium_log.edit.amend import amended, amendment, consequences
    from spyrium_log.replay import replay

    to = reader_of(table.title, [seat.player for seat in table.header.seats], language)
    both = {each: consequences(table.log, made, each) for each in sorted(MODES, key=lambda word: word != mode)}
    if form != "table":
        rows = [row for each, changed in both.items() for row in changes.rows(each, changed, to.names)]
        write(changes.COLUMNS, rows, form, null="")
        return
    line = amendment(table.log, made, "misplayed", by="", why="")
    after = replay(amended(table.log, line), audit=False)
    changes.draw_edits(list(changes.edits(replay(table.log, audit=False), after, made, language)))
    for each, changed in both.items():
        draw(text(""))
        changes.draw_changes(changed, to, changes.mode(each, to))


def _write(
    session: Session, log: str, table: Play, made: Sequence[Any], said: tuple[str, str], by: str, cmd: str | None
) -> None:
    """What was shown is what is written: whoever appended in the meantime is a refusal."""
    from msgspec.structs import replace

    from spyrium_cli.games.writing import open_writer
    from spyrium_cli.identity import now
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import counted
    from spyrium_cli.render.words import translate
    from spyrium_log.edit.amend import amendment

    mode: Any = said[0]
    line = amendment(table.log, made, mode, by=by, at=now(), why=said[1])
    with open_writer(session, log) as writer:
        n = writer.append(replace(line, cmd=cmd)).n
    language = session.language_of(table.title)
    edits = counted(len(made), "edit", language)
    say(translate("changes.amended-edits", language, line=n, mode=mode, edits=edits))
