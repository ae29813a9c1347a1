"""`spyrium annotate`: notes on a game, its lines and its events."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint, WrongCall, call_message, spoken
from spyrium_cli.games.lookup import find_game, warn_of_damage, writable_path
from spyrium_cli.games.writing import Signature
from spyrium_cli.identity import make_game_id, now, user_name
from spyrium_cli.options import by_option, game_argument, option, wait_option
from spyrium_cli.render.paper import draw, grid, text
from spyrium_cli.render.rows import formats, translate_cells, translate_headings, write
from spyrium_cli.render.sentences import note_words
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_log import Log
from spyrium_log.edit.annotate import MARKS, Listed, edit_note, list_remarks, make_note, withdraw_note
from spyrium_log.messages import Count
from spyrium_log.store import Mark, NoteLine, Notes, read_notes

EPILOG = """\b
Examples:
  spyrium annotate @last
  spyrium annotate @last 12 "the best move of the game" --mark "!"
  spyrium annotate @last 2 --mark "?!" --instead "p12" --tag opening
  spyrium annotate @last 0 "a quick evening"
  spyrium annotate @last 12 --format jsonl

Notes are in a file beside the log, and follow their event through amendments. WHERE is a line or an event, or 0 for the
whole game. --note and --withdraw take the beginning of a note's id; --note changes only what is given. Without a text,
the notes are listed."""

# 0 for the whole game, a line or an event such as 57.1
_WHERE = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
COLUMNS = ("id", "on", "by", "at", "mark", "tags", "text", "instead", "anchor")


@click.command("annotate", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("words", nargs=-1, metavar="[WHERE] [TEXT]")
@click.option("--mark", type=click.Choice(MARKS), help="A mark, as in chess.")
@click.option("--tag", "tags", multiple=True, help="A word to find the note by; may be repeated.")
@click.option("--instead", multiple=True, metavar="NOTATION", help="A move of a variation; may be repeated.")
@click.option("--note", "edit", metavar="NOTE", help="Change this note.")
@click.option("--withdraw", "withdraw", metavar="NOTE", help="Withdraw this note.")
@option("--why")
@click.option("--merge", type=click.Path(dir_okay=False), metavar="FILE", help="Add the notes of this file.")
@by_option
@formats()
@wait_option
@pass_session
def annotate_game(
    session: Session,
    log: str,
    words: Sequence[str],
    mark: Mark | None,
    tags: Sequence[str],
    instead: Sequence[str],
    edit: str | None,
    withdraw: str | None,
    why: str | None,
    merge: str | None,
    by: str | None,
    form: str,
) -> None:
    """Write notes on a game, and list them."""
    has_content = any((mark, tags, instead))
    _check_options(words, edit, withdraw, merge, has_content=has_content, why=why)
    author = Signature(by=by or user_name(), at=now())
    if merge is not None:
        _merge_notes(session, log, Path(merge))
    elif withdraw is not None:
        _append_line(session, log, lambda _, notes: withdraw_note(notes, withdraw, why=why, **author), "withdrawn")
    elif edit is not None:
        # what is not given is None, and stays as it is
        new_text, moves = words[0] if words else None, instead or None
        change = partial(edit_note, note_id=edit, text=new_text, mark=mark, tags=tags or None, instead=moves, **author)
        _append_line(session, log, change, "changed")
    elif len(words) > 1 or has_content:
        new = partial(make_note, text="".join(words[1:]), mark=mark, tags=tags, instead=instead, **author)
        _append_line(session, log, lambda log, _: new(log, words[0], note_id=make_game_id()), "noted")
    else:
        _list_notes(session, log, words[0] if words else None, form)


def _check_options(
    words: Sequence[str],
    edit: str | None,
    withdraw: str | None,
    merge: str | None,
    *,
    has_content: bool,
    why: str | None,
) -> None:
    """Refuse arguments and options that do not go together. `has_content`: there is a mark, a tag or a variation."""
    if len([note for note in (edit, withdraw, merge) if note is not None]) > 1:
        raise WrongCall("one-note")
    if (withdraw or merge) and (words or has_content):
        raise WrongCall("nothing-else")
    if why is not None and withdraw is None:
        raise WrongCall("why-withdraw")
    if edit is not None and not (words or has_content):
        raise WrongCall("note-empty")
    most = 1 if edit is not None else 2
    if len(words) > most:
        raise WrongCall("where-and-text" if edit is None else "new-text", found=len(words))
    if edit is None and words and not _WHERE.fullmatch(words[0]):
        raise WrongCall("where-first", found=words[0])
    if edit is None and has_content and not words:
        raise WrongCall("where")


def _append_line(session: Session, name: str, make_line: Callable[[Log, Notes], NoteLine], verb: str) -> None:
    """Append a line to the notes on the game of a name; print the note's id, and in a word what was done to it."""
    folder = session.folder()
    path = writable_path(session, name)
    log = folder.read_log(path)
    with folder.open_notes_writer(path) as writer:
        for mended in writer.mended:
            say(spoken(mended))
        line = writer.append(make_line(log, writer.sidecar.notes))
    write_line(line.id)
    # a line that withdraws a note does not say what it is on
    on = getattr(line, "on", None)
    if on:
        tell(f"said.{verb}-on", on=on, who=line.by)
    else:
        tell(f"said.{verb}", who=line.by)


def _merge_notes(session: Session, log: str, file: Path) -> None:
    """Add the notes of another file on the same game."""
    if not file.exists():
        raise Complaint(call_message("notes-file", place=str(file)))
    others = read_notes(file, is_named=True)
    if others.complaint is not None:
        raise others.complaint
    with session.folder().open_notes_writer(writable_path(session, log)) as writer:
        for mended in writer.mended:
            say(spoken(mended))
        new = writer.merge(others.notes)
    tell("said.notes-added", lines=Count(new, "line"), n=len(others.notes.lines) - new)


def _list_notes(session: Session, log: str, on: str | None, form: str) -> None:
    """List the notes of a game, or those on one line or event."""
    game = find_game(session, log)
    notes = game.notes()
    if notes.complaint is not None:
        warn_of_damage(notes, "note", session.language)
    remarks = [remark for remark in list_remarks(game.log(), notes.notes) if on in (None, remark.on)]
    if form == "table":
        _draw_notes(remarks, session.language)
        if not remarks:
            if on is None:
                tell("said.no-notes")
            else:
                tell("said.no-notes-on", on=on)
    else:
        cells = [_note_row(remark, form) for remark in remarks]
        rows = translate_cells(COLUMNS, cells, {"anchor": "anchors"}, form, session.language)
        write(translate_headings(COLUMNS, "notes-heads", form, session.language), rows, form, null="")


def _note_row(remark: Listed, form: str) -> tuple[object, ...]:
    """The cells of a note under `COLUMNS`."""
    lists = (remark.tags, remark.variation)
    # a cell of csv and md holds a text
    tags, instead = map(", ".join, lists) if form in {"csv", "md"} else lists
    note = (remark.id, remark.on, remark.by, remark.at, remark.mark)
    return (*note, tags, remark.text, instead, remark.anchor)


def _draw_notes(remarks: Sequence[Listed], language: str) -> None:
    """Draw the notes, with variations and what became of their event."""
    table = grid("left", "right", "left", "left")
    for remark in remarks:
        table.add_row(text(remark.id, "dim"), text(remark.on, "bold"), text(remark.by), text(note_words(remark)))
        if remark.variation:
            moves = ", ".join(remark.variation)
            table.add_row("", "", "", text(translate("anchors.instead", language, moves=moves)))
        if remark.anchor != "stands":
            table.add_row("", "", "", text(translate(f"anchors.{remark.anchor}-why", language), "yellow"))
    draw(table)
