"""What a correction would change, for people a few lines, for programs rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from spyrium_cli.render.text import reader_of, signed
from spyrium_cli.render.words import tell
from spyrium_log.messages import Reader, comparison

if TYPE_CHECKING:
    from spyrium_log.audit import Finding
    from spyrium_log.edit.amend import Changes
    from spyrium_log.replay import Replay
    from spyrium_log.title import Score

COLUMNS = ("mode", "change", "event", "about", "before", "after")
# Of more than that nobody reads the end; the other formats have them all.
MOST_SHOWN = 12
# A deal names nine cards, which nobody needs who asks what was paid in it.
LONGEST = 100


def reader(done: Replay, language: str) -> Reader:
    return reader_of(done.title, done.players, language)


def mode(which: str, to: Reader) -> str:
    """`misplayed: that is what the table did …`: the word is the option's."""
    return f"{which}: {tell(f'changes.{which}', to.language)}"


def rows(mode: str, changed: Changes, players: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Each finding, sum and score that changes; `came` has no before, `went` no after."""
    for word, findings in (("went", changed.went), ("came", changed.came)):
        for finding in findings:
            told = _about(finding, players)
            yield mode, word, finding.ref, finding.rule, *((told, None) if word == "went" else (None, told))
    for amount in changed.amounts:
        what = f"{_name(amount.who, players)} {amount.what} ({amount.why})"
        yield mode, "amount", amount.ref, what, amount.before, amount.after
    for before, after in zip(changed.before, changed.after, strict=True):
        name = _name(after.seat, players)
        if before.total != after.total:
            yield mode, "score", None, name, before.total, after.total
        if before.place != after.place:
            yield mode, "place", None, name, before.place, after.place


def lines(changed: Changes, to: Reader) -> Iterator[tuple[str, str, str]]:
    """The same for people: a word, the event, and what of it."""
    if changed.before == changed.after and not (changed.went or changed.came or changed.amounts):
        yield "", "", tell("changes.nothing", to.language)
        return
    for word, findings in (("goes", changed.went), ("comes", changed.came)):
        yield from _few(word, [(finding.ref, about(finding, to)) for finding in findings], "findings", to)
    yield from _few("amount", [(amount.ref, _amount(amount, to)) for amount in changed.amounts], "amounts", to)
    scores = _scores(changed.before, changed.after, to)
    if changed.before == changed.after:
        yield "scores", "", tell("changes.unchanged", to.language, scores=scores)
        return
    yield "scores", "", scores
    first, then = _leading(changed.before, to), _leading(changed.after, to)
    yield "first", "", f"{first} → {then}" if first != then else tell("changes.as-before", to.language, who=then)


def about(finding: Finding, to: Reader) -> str:
    """`turn.order (S-5.1): expected Bob to act, found Cy`."""
    number = f" ({finding.number})" if finding.number else ""
    word = f"verdicts.{finding.status}" if finding.status != "open" else "play.on-sheet"
    status = "" if finding.is_open else f" [{tell(word, to.language)}]"
    return f"{finding.rule}{number}: {comparison(finding.expected, finding.found, to)}{status}"


def _about(finding: Finding, players: Sequence[str]) -> str:
    """The same as programs read it."""
    number = f" ({finding.number})" if finding.number else ""
    status = "" if finding.is_open else f" [{finding.status if finding.status != 'open' else 'on the sheet'}]"
    said = comparison(finding.expected, finding.found, Reader(names=players, minus="-"))
    return f"{finding.rule}{number}: {said}{status}"


def _few(word: str, told: Sequence[tuple[str, str]], many: str, to: Reader) -> Iterator[tuple[str, str, str]]:
    for ref, said in told[:MOST_SHOWN]:
        yield word, ref, said
    if len(told) > MOST_SHOWN:
        yield word, "", tell(f"changes.more-{many}", to.language, n=len(told) - MOST_SHOWN)


def _amount(amount: Any, to: Reader) -> str:
    what = f"{to.player(amount.who)} {to.word('resources', amount.what)}"
    return f"{what} {signed(amount.before)} → {signed(amount.after)} ({to.cause(amount.why)})"


def _scores(before: Sequence[Score], after: Sequence[Score], to: Reader) -> str:
    return " · ".join(
        f"{to.player(now.seat)} {was.total}" + (f" → {now.total}" if was.total != now.total else "")
        for was, now in zip(before, after, strict=True)
    )


def _leading(scores: Sequence[Score], to: Reader) -> str:
    return tell("changes.and", to.language).join(to.player(score.seat) for score in scores if score.won)


def _name(seat: int, players: Sequence[str]) -> str:
    return players[seat - 1] if 0 < seat <= len(players) else f"seat {seat}"


# --- on the paper --------------------------------------------------------------------------------


def draw_changes(changed: Changes, to: Reader, head: str = "") -> None:
    """Under a heading, findings that go in green and those that come in yellow."""
    from spyrium_cli.render.paper import draw, grid, text

    styles = {"goes": "green", "comes": "yellow"}
    if head:
        draw(text(head, "bold"))
    table = grid("left", "right", "left")
    for word, ref, said in lines(changed, to):
        table.add_row(
            text(f"  {tell(f'changes.{word}', to.language) if word else ''}", styles.get(word, "dim")),
            text(ref),
            text(said),
        )
    draw(table)


def draw_edits(told: Sequence[tuple[str, str, str]]) -> None:
    """What was recorded, and what is recorded in its place."""
    from spyrium_cli.render.paper import draw, grid, text

    table = grid("left", "right", "left")
    for word, ref, said in told:
        table.add_row(text(f"  {word}", "dim"), text(ref), text(said))
    draw(table)


def edits(before: Replay, after: Replay, made: Sequence[Any], language: str) -> Iterator[tuple[str, str, str]]:
    """Each edit as `was` and `now`; `in` an event moved something else, `gone` is dropped, `new` inserted."""
    had = {before.name_of(event): (event, said) for event, said in before.sentences(language)}
    has = {after.name_of(event): (event, said) for event, said in after.sentences(language)}
    inserted = 0
    to = reader(after, language)
    new, gone, in_, was, now = (tell(f"changes.{word}", to.language) for word in ("new", "gone", "in", "was", "now"))
    for edit in made:
        kind = edit.__struct_config__.tag
        if kind == "insert_after":
            inserted += 1
            ref = f"{len(before.lines)}.{inserted}"
            at = f" ({tell('changes.after', to.language, ref=edit.at)})" if edit.at != "0" else ""
            yield new, ref, _sentence(has, ref, to) + at
        elif kind == "drop":
            yield gone, edit.at, _sentence(had, edit.at, to)
        elif edit.at in had and had[edit.at][0].do == edit.event.do:
            yield in_, edit.at, _short(had[edit.at][1])
            yield from (("", "", said) for said in _moved(had[edit.at][0].moved, edit.event.moved, to))
        else:
            yield was, edit.at, _sentence(had, edit.at, to)
            yield now, "", _sentence(has, edit.at, to)


def _sentence(told: dict[str, tuple[Any, str]], ref: str, to: Reader) -> str:
    return told[ref][1] if ref in told else tell("changes.no-event", to.language)


def _short(said: str) -> str:
    from spyrium_cli.render.surface import is_screen

    return said if len(said) <= LONGEST or not is_screen() else f"{said[:LONGEST]}…"


def _moved(was: Sequence[Any], is_now: Sequence[Any], to: Reader) -> Iterator[str]:
    """The sums that are others, and who says so."""
    had, has = sums(was), sums(is_now)
    says = {(each.who, each.what, each.why): each.seen for each in is_now if each.seen is not None}
    for key in dict.fromkeys((*had, *has)):
        if had[key] != has[key] or key in says:
            who, what, why = key
            seen = f", {tell('changes.says', to.language, who=says[key].who, why=says[key].why)}" if key in says else ""
            what = to.word("resources", what)
            yield f"{to.player(who)} {what} {signed(had[key])} → {signed(has[key])} ({to.cause(why)}){seen}"


def sums(moved: Sequence[Any]) -> Counter[tuple[int, str, str]]:
    sums: Counter[tuple[int, str, str]] = Counter()
    for posting in moved:
        sums[posting.who, posting.what, posting.why] += posting.n
    return sums
