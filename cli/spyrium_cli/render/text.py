"""Text for people. Text from a log has control characters written out before it is shown."""

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

__all__ = ["counted", "finding_text", "markdown", "minus", "plain", "reader_of", "signed"]


def counted(n: int, singular: str, language: str = "en") -> str:
    """`1 event`, `2 events`."""
    from spyrium_cli.render.words import count_text

    return count_text(n, singular, language)


# Characters that Markdown, as code hosts read it, takes for markup: the end of a cell; the start of a tag, a link, an
# entity or a formula; bold, struck out, code. An underscore only at the end of a word, a backslash only where it
# escapes what follows, a tilde only where there is another one.
_MARKS = re.compile(
    r"\\(?=[^\w\s]|\n|$)|[|<*`\[\]$]|(?<![^\W_])_|_(?![^\W_])|~(?=[^~]*~)|&(?=#?\w+;)"
    # addresses become links by themselves
    r"|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)",
    re.IGNORECASE,
)


def markdown(text: str) -> str:
    """Any text as Markdown for a cell of a table, with its markup escaped."""
    return _MARKS.sub(r"\\\g<0>", plain(text, keep="\n")).replace("\n", "<br>")


def signed(n: int) -> str:
    """`+3`, `−3`, `0`, with a minus for people."""
    return minus(f"{n:+d}") if n else "0"


def reader_of(title: AnyTitle, names: Sequence[str], language: str) -> Reader:
    """The reader of messages about this table."""
    from spyrium_log.messages import Reader

    return Reader(language, names, title.words.vocabulary(language))


def finding_text(finding: Finding | CheckedFinding, title: AnyTitle, names: Sequence[str], language: str) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy [accepted]`."""
    from spyrium_cli.render.words import translate
    from spyrium_log.messages import comparison

    number = f" ({finding.number})" if finding.number else ""
    status = translate(f"verdicts.{finding.status}", language)
    if finding.on == "sheet":
        status = translate("verdicts.on-sheet", language, status=status)
    text = comparison(finding.expected, finding.found, reader_of(title, names, language))
    return f"{finding.rule}{number}: {text} [{status}]"
