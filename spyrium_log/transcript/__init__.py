"""A log as text for people, one line a line, and back: what is typed from paper, read, compared and pasted.

A title writes its own acts (decisions, deals, positions, the final count) with `@2` for a seat; names for seats, the
statements that all titles share, effects, corrections, the header and everything off the timeline are written here.
"""

from spyrium_log.transcript.correction import moved_otherwise, read_edits, write_edits, write_moved
from spyrium_log.transcript.game import read, split, transcribe
from spyrium_log.transcript.line import read_line, read_move, write_line, write_move
from spyrium_log.transcript.names import Names, names_of

__all__ = [
    "Names",
    "moved_otherwise",
    "names_of",
    "read",
    "read_edits",
    "read_line",
    "read_move",
    "split",
    "transcribe",
    "write_edits",
    "write_line",
    "write_move",
    "write_moved",
]
