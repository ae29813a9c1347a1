"""Words for people. What a log says is made plain before it is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_log.shown import minus, plain

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import CheckedFinding
    from spyrium_log.audit import Finding
    from spyrium_log.messages import Reader
    from spyrium_log.title import AnyTitle

__all__ = ["counted", "markdown", "minus", "plain", "reader_of", "signed", "told_finding"]


def counted(n: int, one: str, language: str = "en") -> str:
    """1 event, 2 events; the one place that knows plurals."""
    from spyrium_cli.render.words import counted_in

    return counted_in(n, one, language)


# What Markdown, as code hosts read it, would take for a mark and not for a letter: what ends a cell, begins a tag, a
# link, an entity or a formula, makes a word bold, struck out or code. An underscore only at the end of a word, a
# backslash only where it would hide what follows, a tilde only where there is another to pair with.
_MARKS = re.compile(
    r"\\(?=[^\w\s]|\n|$)|[|<*`\[\]$]|(?<![^\W_])_|_(?![^\W_])|~(?=[^~]*~)|&(?=#?\w+;)"
    # addresses become links by themselves
    r"|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)",
    re.IGNORECASE,
)


def markdown(text: str) -> str:
    """Words from anywhere as Markdown in a cell of a table: what they look like, and no more."""
    return _MARKS.sub(r"\\\g<0>", plain(text, keep="\n")).replace("\n", "<br>")


def signed(n: int) -> str:
    """`+3`, `−3`, `0`: for people, who read a minus."""
    return minus(f"{n:+d}") if n else "0"


def reader_of(title: AnyTitle, names: Sequence[str], language: str) -> Reader:
    """Who reads at this table, in the words of this title."""
    from spyrium_log.messages import Reader

    return Reader(language, names, title.words.vocabulary(language))


def told_finding(finding: Finding | CheckedFinding, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """The rule with its number, what it expected and what it found, and how the table lives with it."""
    from spyrium_cli.render.words import translate
    from spyrium_log.messages import comparison

    number = f" ({finding.number})" if finding.number else ""
    status = translate(f"verdicts.{finding.status}", language)
    if finding.on == "sheet":
        status = translate("verdicts.on-sheet", language, status=status)
    said = comparison(finding.expected, finding.found, reader_of(title, names, language))
    return f"{finding.rule}{number}: {said} [{status}]"
