"""Sentences about a table: who is to act, what changes, which rule is broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_cli.render.text import reader_of
from spyrium_cli.render.words import translate
from spyrium_log.catalogue import ENGLISH
from spyrium_log.entry import shortcuts
from spyrium_log.messages import comparison, is_word, player_name
from spyrium_log.shown import minus

if TYPE_CHECKING:
    from spyrium_log.entry.preview import Change
    from spyrium_log.errors import Breach
    from spyrium_log.title import AnyTitle, Awaited


# The end of the help of a title's moves: what the recorder itself cannot do.
LATER = """\
Later, from the shell: `spyrium fix locate` finds where a count went wrong,
`spyrium fix amend` corrects an earlier event, or adds one that was forgotten."""


def awaited_text(awaited: Awaited, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """Who is to do what next."""
    players = " · ".join(player_name(seat, names, language) for seat in awaited.seats)
    return title.words.vocabulary(language)["awaits"][awaited.kind].format(player=players)


def change_text(change: Change, title: AnyTitle, names: Sequence[str]) -> str:
    """`Anna points 10 → 4`; a resource that has a sign is written with it: `Anna £10 → £4`."""
    who = player_name(change.seat, names, ENGLISH)
    sign = title.words.vocabulary(ENGLISH)["resources"].get(change.what, change.what)
    if is_word(sign):
        return minus(f"{who} {change.what} {change.before} → {change.after}")
    return minus(f"{who} {sign}{change.before} → {sign}{change.after}")


def marked_breach(breach: Breach, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """Like `breach_text`, with a mark for a breach of the sheet."""
    mark = f" [{translate('play.on-sheet', language)}]" if breach.on == "sheet" else ""
    return breach_text(breach, title, names, language) + mark


def breach_text(breach: Breach, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """The rule with its number, what it expected and what it found."""
    message = comparison(breach.expected, breach.found, reader_of(title, names, language))
    return f"{breach.rule} ({breach.number}): {message}"


def title_help(title: AnyTitle) -> str:
    """The keys of a title's moves, and those beside them."""
    other_keys = (shortcuts.__doc__ or "").partition("\n\n")[2].rstrip()
    return f"{title.recorder.grammar}\n\n{other_keys}\n\n{LATER}"
