"""Spyrium on a page: its words, which points only an assumed printed value says, and its board without scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from spyrium_log.exchange.still import Html, Still, el, joined, number, stat
from spyrium_log.replay import Replay
from spyrium_log.title import AnyTitle
from spyrium_log.titles.spyrium.cards import KINDS
from spyrium_log.titles.spyrium.messages import vocabulary


def names(title: AnyTitle, language: str) -> Mapping[str, Mapping[str, str]]:
    """The edition's names, and what kind of card each is."""
    say = vocabulary(language)
    causes = {why: say["causes"].get(why) or say["cards"].get(why.removeprefix("final:"), why) for why in title.causes}
    taken = ("cards", "events", "resources", "one", "kinds", "phases", "places")
    return {**{name: say[name] for name in taken}, "causes": causes, "kind": KINDS}


def assumed(done: Replay, seat: int) -> Collection[str]:
    """The parts of the final count whose printed points nobody has checked and nobody at the table said."""
    said = {entry.why for entry in done.ledger if entry.who == seat and entry.seen}
    return set(_printed(done, done.state_at(len(done.events)).mats[seat])) - said


def _printed(done: Replay, mat: Any) -> Iterator[str]:
    sheet = done.sheet.table()

    def is_assumed(of: str, what: str) -> bool:
        row = sheet.get((of, what))
        return row is not None and row.source == "assumed"

    if any(is_assumed(built.card, "points") for built in mat.buildings):
        yield from ("final:buildings", "final:engineering")
    if is_assumed("residence-track", f"space-{max(1, mat.residence)}"):
        yield "final:lobbying"


# --- the board without scripts: spyrium.js, after the last event --------------------------------------

# The spaces of the market and the gaps between them, row by row as they lie; nothing lies at 0.
_ROWS = ((1, 12, 2, 23, 3), (14, 0, 25, 0, 36), (4, 45, 5, 56, 6), (47, 0, 58, 0, 69), (7, 78, 8, 89, 9))
_LAST_SPACE = 9


def board(page: Still, view: Any) -> Html:
    parts = [_headline(page, view)]
    if view["round"]:
        places = joined([_place(page, view, place) for row in _ROWS for place in row])
        label = page.word("places", "market")
        parts.append(el("div", "market", places, role="group", aria_label=label))
    parts.append(el("p", "awaits", page.awaited(view["awaits"])))
    mats = joined([_mat(page, view, mat) for mat in view["mats"]])
    parts.append(el("div", f"mats of-{len(view['mats'])}", mats))
    left, out = f"{page.said('left')} ", f" · {page.said('out')} "
    parts.append(el("p", "tokens", left, _pile(view["reserve"]), out, _pile(view["discard"])))
    if any(space["card"] and space["price_is_assumed"] for space in view["market"]):
        parts.append(el("p", "small", f"~ {page.said('assumed')}"))
    return joined(parts)


def _headline(page: Still, view: Any) -> Html:
    if not view["round"]:
        return el("p", "headline", page.said("undealt"))
    first = el("bdi", "", page.seat(view["first"]).name, aria_hidden="true")
    event, following = page.word("events", view["event"]), page.word("events", view["next_event"])
    return el(
        "dl",
        "headline",
        stat(page.said("round"), el("b", "", view["round"])),
        stat(page.said("first"), page.pawn(view["first"]), first),
        stat(page.said("event"), el("b", "", event), _tokens([view["event_token"]] if view["event_token"] else [])),
        stat(page.said("next"), following, _tokens([view["next_token"]] if view["next_token"] else [])),
    )


def _tokens(values: Sequence[int | None]) -> Html:
    return joined([el("span", "token", "?" if value is None else value) for value in values])


def _pile(counts: Sequence[int]) -> Html:
    return joined([el("span", "pile", el("span", "token", at), f"×{n} ") for at, n in enumerate(counts, 1)])


def _place(page: Still, view: Any, place: int) -> Html:
    if not place:
        return el("span", "")
    return _gap(page, view, place) if place > _LAST_SPACE else _space(page, view, place)


def _space(page: Still, view: Any, place: int) -> Html:
    space = view["market"][place - 1]
    if not space["card"]:
        return el("div", "card none", el("span", "spot", place), el("i", "", page.said("empty")))
    kind = page.word("kind", space["card"])
    known = space["price"] is not None
    price = f"{'~' if space['price_is_assumed'] else ''}£{space['price']}"
    workers = page.said("workers")
    crowd = el("span", "crowd", f"+{space['crowd']}", el("span", "hidden", f" {workers}"), title=workers)
    return el(
        "div",
        f"card {kind}",
        el("span", "spot", place, el("span", "kind", page.word("kinds", kind))),
        el("b", "name", page.word("cards", space["card"])),
        el(
            "span",
            "cost",
            el("span", "price", price) if known else None,
            crowd if space["crowd"] else None,
            _tokens(space["tokens"]),
        ),
    )


def _gap(page: Still, view: Any, place: int) -> Html:
    here = [page.pawn(workers["seat"], workers["n"]) for workers in view["workers"] if workers["gap"] == place]
    across = " across" if place % 10 - place // 10 > 1 else ""
    return el("div", f"gap{across}", el("span", "spot", place), *here)


def _mat(page: Still, view: Any, mat: Any) -> Html:
    is_over = view["awaits"]["kind"] == "over"
    has_turn = mat["seat"] in view["awaits"]["seats"] and not is_over
    phase = page.said("passed") if mat["passed"] else "II" if mat["phase"] == 2 else "I"  # noqa: PLR2004 - phase II
    bonuses = ", ".join("£5" if bonus == "money" else page.word("one", "workers") for bonus in mat["bonuses"]) or "–"
    unit = "~" if is_over and page.assumed[mat["seat"] - 1] else ""
    return el(
        "section",
        "mat turn" if has_turn else "mat",
        page.owner(mat["seat"], el("span", "phase", "▶ " if has_turn else "", phase)),
        el(
            "dl",
            "",
            stat("£", number(mat["money"])),
            stat(page.word("resources", "spyrium"), number(mat["spyrium"])),
            stat(page.word("resources", "points"), number(mat["points"], unit)),
            stat(f"{page.said('workers')}: {page.said('active')}", number(mat["active"])),
            stat(page.said("market"), number(mat["in_market"])),
            stat(page.said("used"), number(mat["inactive"])),
            stat(page.said("residence"), f"{'~' if mat['residence_step'] > 1 else ''}£{mat['residence']}"),
            stat(page.said("bonus"), page.said("due") if mat["bonus_due"] else bonuses),
        ),
        _owned(page, mat),
        aria_label=page.seat(mat["seat"]).name,
    )


def _owned(page: Still, mat: Any) -> Html | None:
    is_used = f" · {page.said('is_used')}"
    all_ = []
    for built in mat["buildings"]:
        workers = f" ({built['workers']})" if built["workers"] else ""
        used = f"{is_used}{workers}" if built["inclined"] else ""
        all_.append(el("li", f"own {page.word('kind', built['card'])}", f"{page.word('cards', built['card'])}{used}"))
    for card in mat["techniques"]:
        used = is_used if card in mat["tilted"] else ""
        all_.append(el("li", "own technique", f"{page.word('cards', card)}{used}"))
    if mat["kept"]:
        all_.append(el("li", "own", f"{page.said('kept')} ", _tokens(mat["kept"])))
    return el("ul", "owned", *all_) if all_ else None
