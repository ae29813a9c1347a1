"""Short talk of the recorder: what changes, what speaks against it, which keys there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_cli.render.text import reader_of
from spyrium_cli.render.words import tell
from spyrium_log.catalogue import ENGLISH
from spyrium_log.entry import shortcuts
from spyrium_log.messages import comparison, is_word, player_name
from spyrium_log.shown import minus

if TYPE_CHECKING:
    from spyrium_log.entry.preview import Change
    from spyrium_log.errors import Breach
    from spyrium_log.title import AnyTitle


# what no line of the recorder says
LATER = """\
Later, from the shell: `spyrium fix locate` finds where a count went wrong,
`spyrium fix amend` corrects an earlier event, or adds one that was forgotten."""


def change(each: Change, title: AnyTitle, names: Sequence[str]) -> str:
    """`Anna points 10 → 4`; a resource that has a sign is written with it: `Anna £10 → £4`."""
    who = player_name(each.seat, names, ENGLISH)
    sign = title.words.vocabulary(ENGLISH)["resources"].get(each.what, each.what)
    if is_word(sign):
        return minus(f"{who} {each.what} {each.before} → {each.after}")
    return minus(f"{who} {sign}{each.before} → {sign}{each.after}")


def against(breach: Breach, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """The rule with its number, what it expected and what it found."""
    on = f" [{tell('play.on-sheet', language)}]" if breach.on == "sheet" else ""
    return told_breach(breach, title, names, language) + on


def told_breach(breach: Breach, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """The same without what it is on."""
    said = comparison(breach.expected, breach.found, reader_of(title, names, language))
    return f"{breach.rule} ({breach.number}): {said}"


def title_help(title: AnyTitle) -> str:
    """The keys of a title, as its own room says them; and what is said beside moves."""
    beside = (shortcuts.__doc__ or "").partition("\n\n")[2].rstrip()
    return f"{title.recorder.grammar}\n\n{beside}\n\n{LATER}"
