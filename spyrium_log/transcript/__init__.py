"""A log as text for people, one line a line, and back: what is typed from paper, read, compared and pasted."""

from spyrium_log.transcript.correction import read_edits, replace_amounts, write_amounts, write_edits
from spyrium_log.transcript.game import read_transcript, split_transcript, transcribe
from spyrium_log.transcript.line import read_line, read_move, write_line
from spyrium_log.transcript.span import Names, names_of
