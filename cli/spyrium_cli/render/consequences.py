"""What an amendment would change, before it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spyrium_cli.render.paper import draw, text
from spyrium_log.shown import named

if TYPE_CHECKING:
    from spyrium_log.edit.amend import Consequences
    from spyrium_log.replay import Finding


def tell(what: Consequences, players: Sequence[str]) -> None:
    """Findings that come and go, amounts and scores that change, a line each."""
    said = list(_said(what, players)) or ["nothing: no finding, no amount, no score"]
    draw(text(f"as {what.mode}, it would change", "bold"), *(text(f"  {line}") for line in said))


def _said(what: Consequences, players: Sequence[str]) -> Iterator[str]:
    yield from (f"come: {_finding(one, players)}" for one in what.came)
    yield from (f"gone: {_finding(one, players)}" for one in what.went)
    names = ["the table", *players]
    for amount in what.amounts:
        moved = f"{amount.what} {signed(amount.before)} → {signed(amount.after)} ({amount.why})"
        yield f"event {amount.ref}: {names[amount.who]}: {moved}"
    for name, before, after in zip(players, what.before, what.after, strict=True):
        if (before.total, before.place) != (after.total, after.place):
            yield f"score: {name}: {before.total} → {after.total}, place {before.place} → {after.place}"


def _finding(one: Finding, players: Sequence[str]) -> str:
    number = f" ({one.number})" if one.number else ""
    found = named(f"expected {one.expected}, found {one.found}", players)
    return f"event {one.ref}: {one.rule}{number}: {found} [{one.status}]"


def signed(n: int) -> str:
    """+3, −2, 0."""
    return f"{n:+}".replace("-", "−") if n else "0"
