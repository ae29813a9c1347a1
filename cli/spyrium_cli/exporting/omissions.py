"""What a file of some form leaves out of a game, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from spyrium_cli.render.text import counted

# Lines that change what earlier ones say.
CORRECTIONS = frozenset(("undo", "amendment"))


def omissions(form: str, log: Any, notes: Any) -> list[str]:
    """What a file of this form leaves out of this log and its notes."""
    return [*_OMISSIONS[form](log, notes)]


def _not_in_notation(log: Any, notes: Any) -> Iterator[str]:
    """Times, command ids and signatures have no notation."""
    if any(line.at is not None for line in log.lines):
        yield "when each line was recorded"
    if any(line.cmd is not None for line in log.lines):
        yield "by which commands"
    if signatures := sum(getattr(line, "signed", None) is not None for line in log.lines):
        yield counted(signatures, "signature")
    yield from _all_notes(log, notes)


def _not_in_ledger(log: Any, notes: Any) -> Iterator[str]:
    if any(line.__struct_config__.tag in CORRECTIONS for line in log.lines):
        yield "what was undone or amended"
    yield from _all_notes(log, notes)


def _all_notes(_log: Any, notes: Any) -> Iterator[str]:
    if standing := notes.notes.standing():
        yield counted(len(standing), "note")


def _earlier_notes(_log: Any, notes: Any) -> Iterator[str]:
    """A page and a replay hold the notes as they stand, without their history."""
    if earlier := len(notes.lines) - len(notes.notes.standing()):
        yield f"{counted(earlier, 'line')} of notes that were changed or withdrawn"


_OMISSIONS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    "html": _earlier_notes,
    "json": _earlier_notes,
    "csv": _not_in_ledger,
    "jsonl": _all_notes,
    "txt": _not_in_notation,
}
