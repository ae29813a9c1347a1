"""What a file of some form leaves out of a game, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from spyrium_cli.render.text import count_text

if TYPE_CHECKING:
    from spyrium_log import Log

# Lines that change what earlier ones say.
CORRECTIONS = frozenset(("undo", "amendment"))


def omissions(form: str, log: Log, notes: Any) -> list[str]:
    """What a file of this form leaves out of this log and its notes."""
    return [*_OMISSIONS[form](log, notes)]


def _missing_in_notation(log: Log, notes: Any) -> Iterator[str]:
    """Times, command ids and signatures have no notation."""
    if any(line.at is not None for line in log.lines):
        yield "when each line was recorded"
    if any(line.cmd is not None for line in log.lines):
        yield "by which commands"
    if signatures := sum(getattr(line, "signed", None) is not None for line in log.lines):
        yield count_text(signatures, "signature")
    yield from _number_of_notes(log, notes)


def _missing_in_ledger(log: Log, notes: Any) -> Iterator[str]:
    """A ledger has the amounts as they stand, without the history of the log."""
    if any(line.__struct_config__.tag in CORRECTIONS for line in log.lines):
        yield "what was undone or amended"
    yield from _number_of_notes(log, notes)


def _number_of_notes(_log: Log, notes: Any) -> Iterator[str]:
    """Such as `3 notes`, for a form that has none of them."""
    if standing := notes.notes.standing():
        yield count_text(len(standing), "note")


def _earlier_notes(_log: Log, notes: Any) -> Iterator[str]:
    """A page and a replay hold the notes as they stand, without their history."""
    if earlier := len(notes.lines) - len(notes.notes.standing()):
        yield f"{count_text(earlier, 'line')} of notes that were changed or withdrawn"


# What each form leaves out, for a log and its notes.
_OMISSIONS: Mapping[str, Callable[[Log, Any], Iterator[str]]] = {
    "html": _earlier_notes,
    "json": _earlier_notes,
    "csv": _missing_in_ledger,
    "jsonl": _number_of_notes,
    "txt": _missing_in_notation,
}
