"""The last table of a game as plain HTML, for whoever reads the page without scripts.

It is what page.js and its boards draw after the last event: `python -m tests.exchange.browser` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from spyrium_log.exchange.markup import as_html


class Html(str):
    """Markup that is safe as it stands; any other text is escaped."""

    __slots__ = ()


class Seat(NamedTuple):
    """Who sits there, as shown."""

    seat: int
    name: str
    mark: str
    colour: str


def el(tag: str, css: str, *kids: object, **attributes: str) -> Html:
    """An element; None among its kids is nothing."""
    named = {**({"class": css} if css else {}), **{name.replace("_", "-"): value for name, value in attributes.items()}}
    said = "".join(f' {name}="{as_html(value)}"' for name, value in named.items())
    inside = "".join(kid if isinstance(kid, Html) else as_html(kid) for kid in kids if kid is not None)
    return Html(f"<{tag}{said}>{inside}</{tag}>")


class Still(NamedTuple):
    """One page's words and seats, and the parts that every board is made of."""

    seats: Sequence[Seat]
    names: Mapping[str, Mapping[str, str]]
    say: Mapping[str, str]
    assumed: Sequence[bool]

    def word(self, part: str, key: object) -> str:
        return self.names.get(part, {}).get(str(key), str(key))

    def said(self, key: str, **fields: object) -> str:
        return self.say[f"js_{key}"].format(**fields)

    def seat(self, number: int) -> Seat:
        known = 0 < number <= len(self.seats)
        return self.seats[number - 1] if known else Seat(number, f"#{number}", "?", "other")

    def pawn(self, number: int, n: int = 1) -> Html:
        """The mark is for the eye, the name for whoever listens."""
        who = self.seat(number)
        mark = el("span", f"pawn c-{who.colour}", who.mark, aria_hidden="true")
        times = f"×{n}" if n > 1 else ""
        return el("span", "piece", mark, times, el("span", "hidden", f" {who.name} "), title=who.name)

    def owner(self, number: int, more: Html) -> Html:
        return el("h3", "", self.pawn(number), el("bdi", "", self.seat(number).name, aria_hidden="true"), more)

    def awaited(self, awaits: Mapping[str, Any]) -> str:
        kind = "act" if awaits["kind"] == "decision" else awaits["kind"]
        return self.said(kind, name=" · ".join(self.seat(seat).name for seat in awaits["seats"]))


# From what a page needs and what a drawer sees of the state, to the board.
Board = Callable[[Still, Any], Html]


def stat(label: str, *value: object) -> Html:
    return el("div", "stat", el("dt", "", label), el("dd", "", *value))


def number(now: object, unit: str = "") -> Html:
    return el("b", "", f"{unit}{now}")


def joined(parts: Iterator[Html] | Sequence[Html]) -> Html:
    return Html("".join(parts))


# --- a title without a board of its own: tables.js ---------------------------------------------------


def tables(page: Still, seen: Any) -> Html:
    """What everybody holds, and whatever single values lie on the table."""
    mats: Mapping[str, Mapping[str, int]] = seen["mats"]
    seats = [str(at.seat) for at in page.seats]
    whats = list(dict.fromkeys(what for at in seats for what in mats.get(at, {})))
    heads = [el("th", "", page.word("resources", what), scope="col") for what in whats]
    rows = joined([_row(page, at, whats, mats.get(at, {})) for at in seats])
    head = el("thead", "", el("tr", "", el("th", "", page.said("player"), scope="col"), *heads))
    single = [
        stat(name.replace("_", " "), number(value) if type(value) in (int, float) else _shown(value))
        for name, value in seen["board"].items()
        if not isinstance(value, dict | list)
    ]
    table = el("table", "plain", head, el("tbody", "", rows))
    return joined([table, *([el("dl", "headline", *single)] if single else [])])


def _row(page: Still, at: str, whats: Sequence[str], mat: Mapping[str, int]) -> Html:
    name = el("bdi", "", page.seat(int(at)).name, aria_hidden="true")
    head = el("th", "", page.pawn(int(at)), name, scope="row")
    return el("tr", "", head, *(el("td", "", number(mat.get(what, 0))) for what in whats))


def _shown(value: object) -> str:
    """As a script spells it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
