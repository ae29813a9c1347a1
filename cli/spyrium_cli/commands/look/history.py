"""`spyrium show --log`: the lines of a log, and what became of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spyrium_cli.session import Session
    from spyrium_log.edit.history import HistoryLine

COLUMNS = ("n", "ref", "kind", "by", "at", "status", "through", "sentence", "now", "hash")
STYLES = {"undone": "dim", "dropped": "dim", "withdrawn": "dim", "amended": "yellow"}


def list_lines(session: Session, read: Any, at: int | None, form: str) -> None:
    """List every line, also those undone or amended."""
    from spyrium_cli.games.writing import cut_log
    from spyrium_cli.render.rows import write, write_json
    from spyrium_log.edit.history import list_history

    language = session.language_of(read.title, form)
    lines = list_history(cut_log(read, at + 1) if at is not None else read, language)
    if form == "table":
        _draw(lines, language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [tuple(getattr(line, column) for column in COLUMNS) for line in lines], form, null="")
    else:
        write_json(lines, form)


def _draw(lines: Iterable[HistoryLine], language: str) -> None:
    """Draw the lines; below an amended one, the event as it is now."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.text import translate

    table = grid("right", "left", "left", "left")
    for line in lines:
        style = STYLES.get(line.status, "")
        is_as_it_was = line.status in {"stands", "aside"}
        status = "" if is_as_it_was else translate(f"log.{line.status}", language, line=line.through)
        table.add_row(text(line.ref, "dim"), text(line.by, "dim"), text(status, style), text(line.sentence, style))
        if line.now is not None:
            table.add_row("", "", text(translate("log.now", language)), text(line.now))
    draw(table)
