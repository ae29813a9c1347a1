"""`spyrium fix locate`: where a count went wrong, and the smallest corrections that would explain it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Refusal
from spyrium_cli.games.writing import confirm_write
from spyrium_cli.options import by_option, command_id, dry_run_option, game_argument, option, wait_option, yes_option
from spyrium_cli.render.rows import formats
from spyrium_cli.render.words import translate, translate_word
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log, Replay
    from spyrium_log.edit.locate import Off, Proposal, Stretch
    from spyrium_log.messages import Reader
    from spyrium_log.play import Play

EPILOG = """\b
Examples:
  spyrium fix locate @last
  spyrium fix locate @last --most 3 --format jsonl
  spyrium fix locate @last --write 1 --yes

A stretch lies between a count that agreed and one that does not; every proposal would explain it, the likeliest first.
--write shows what a proposal would change and writes it as an amendment, which undo takes back. Where there are several
stretches, 2.1 is the first proposal for the second. 1b, 1c: what would leave the same table as 1, so that nothing on
the record tells them apart. Exit code 0: every count agrees. 1: some do not."""

COLUMNS = ("name", "of", "after", "until", "off", "kind", "mode", "explains", "open", "like", "edits", "command")
# More than that of what nothing tells apart nobody reads; the other formats have them all.
MOST_LIKE = 5
EFFORT = 250
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Named(NamedTuple):
    """Edits of a proposal by the name that --write knows them by; `like`: the name of the proposal they are like."""

    name: str
    stretch: Stretch
    proposal: Proposal
    edits: Sequence[Any]
    like: str = ""


@click.command("locate", cls=Command, epilog=EPILOG)
@game_argument
@click.option("--most", type=click.IntRange(1, 100), default=5, show_default=True, help="Proposals for a stretch.")
@click.option(
    "--effort",
    type=click.IntRange(1, 100_000),
    default=EFFORT,
    show_default=True,
    help="How far to search: as long as so many replays.",
)
@click.option("--write", "take", metavar="N", help="Write proposal N, after what it would change was told.")
@option("--who")
@option("--why")
@yes_option
@dry_run_option
@by_option
@command_id
@formats()
@wait_option
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    log: str,
    most: int,
    effort: int,
    take: str | None,
    who: str | None,
    why: str | None,
    yes: bool,
    dry_run: bool,
    by: str | None,
    cmd: str | None,
    form: str,
) -> None:
    """Find where a count went wrong, and what would explain it."""
    from spyrium_cli.games.lookup import read_log
    from spyrium_cli.games.writing import earlier_line, first_lines
    from spyrium_cli.identity import scribe
    from spyrium_cli.render.surface import say
    from spyrium_log.edit.locate import MOST_STRETCHES, most_of, stretches
    from spyrium_log.replay import replay

    found = read_log(session, log)
    if take is not None:
        first = earlier_line(found, cmd)
        before = found if first is None else first_lines(found, first)
        picked = _picked(before, take, effort, who or "the count")
        line = _shown(session, before, picked, why, by or scribe())
        if not dry_run:
            question = translate("changes.ask", session.language_of(found.title), mode=picked.proposal.mode)
            confirm_write(yes or first is not None, question)
            _append(session, log, line, cmd)
        return
    done = replay(found)
    places = stretches(done)
    searched = places[: most_of(MOST_STRETCHES, len(done.events))]
    search = _Searched(found, searched, most, effort, who or "the count")
    if form == "table":
        _tell(done, searched, search.named, log, session.language_of(found.title))
    else:
        _write(done, search.named, log, form)
    if len(searched) < len(places):
        say(translate("locate.later", session.language_of(found.title), n=len(places) - len(searched)))
    if places:
        key = "locate.cut" if search.is_cut else "locate.tried"
        say(translate(key, session.language_of(found.title), n=search.tried))
    else:
        key = "locate.agrees" if any(_is_count(event) for event in done.events) else "locate.uncounted"
        say(translate(key, session.language_of(found.title)))
    ctx.exit(1 if places else 0)


def _is_count(event: Any) -> bool:
    return str(event.do.__struct_config__.tag) == "counted"


class _Searched:
    """Every proposal for these stretches by its name, and what the search for them was."""

    def __init__(self, log: Log, places: Sequence[Stretch], most: int, effort: int, who: str) -> None:
        from spyrium_log.edit.locate import located

        self.named: list[Named] = []
        self.tried = 0
        self.is_cut = False
        for number, stretch in enumerate(places, 1):
            result = located(log, stretch, most=most, effort=effort, who=who)
            self.tried += result.tried
            self.is_cut |= result.is_cut
            for rank, proposal in enumerate(result.proposals, 1):
                name = f"{number}.{rank}" if len(places) > 1 else str(rank)
                self.named.append(Named(name, stretch, proposal, proposal.edits))
                for letter, edits in zip(LETTERS[1:], proposal.alike, strict=False):
                    self.named.append(Named(f"{name}{letter}", stretch, proposal, edits, name))


def _picked(log: Log, take: str, effort: int, who: str) -> Named:
    """The proposal of that name, which does not depend on how many are listed."""
    from spyrium_log.edit.locate import stretches
    from spyrium_log.replay import replay

    said = re.fullmatch(r"(?:(\d{1,3})\.)?(\d{1,3})([b-z]?)", take)
    if said is None:
        raise click.UsageError(f"expected the name of a proposal, such as 1, 1b or 2.1, found '{take}'")
    places = stretches(replay(log))
    if not places:
        raise Refusal("expected a count that does not agree, found none")
    if said[1] is None and len(places) > 1:
        raise click.UsageError(
            f"expected the stretch, too, as in 1.{take}, for there are {len(places)}; found '{take}'"
        )
    number, rank = int(said[1] or 1), int(said[2])
    some = places[number - 1 : number] if number else []
    name = f"{rank}{said[3]}"
    named = _Searched(log, some, max(rank, 1), effort, who).named
    picked = next((each for each in named if each.name == name), None)
    if picked is None:
        raise Refusal(f"expected a proposal of that name, found none for '{take}'")
    return picked


def _shown(session: Session, before: Log, picked: Named, why: str | None, by: str) -> Any:
    """The amendment, after what it changes was told."""
    from spyrium_cli.identity import now
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.edit.amend import amended, amendment, consequences
    from spyrium_log.replay import replay

    proposal = picked.proposal
    line = amendment(
        before, picked.edits, proposal.mode, by=by, at=now(), why=_why(picked.stretch) if why is None else why
    )
    was, after = replay(before, audit=False), replay(amended(before, line), audit=False)
    to = changes.reader(was, session.language_of(before.title))
    draw(text(_title(proposal, to), "bold"))
    changes.draw_edits(list(changes.edits(was, after, picked.edits, to.language)))
    draw(text(""))
    changed = consequences(before, picked.edits, proposal.mode)
    changes.draw_changes(changed, to, changes.mode(proposal.mode, to))
    return line


def _append(session: Session, log: str, line: Any, cmd: str | None) -> None:
    from msgspec.structs import replace

    from spyrium_cli.games.writing import open_writer
    from spyrium_cli.render.surface import say

    with open_writer(session, log) as writer:
        n = writer.append(replace(line, cmd=cmd)).n
        language = session.language_of(writer.log.title)
    say(translate("changes.amended", language, line=n, mode=line.mode))


def _why(stretch: Stretch) -> str:
    return f"as {'counted' if stretch.of == 'count' else 'declared'} in {stretch.until}"


# --- as it is told -------------------------------------------------------------------------------


def _tell(done: Replay, places: Sequence[Stretch], named: Sequence[Named], log: str, language: str) -> None:
    from spyrium_cli.render.changes import reader
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.play import Play

    table, to = Play(done.log), reader(done, language)
    for number, stretch in enumerate(places):
        draw(*([text("")] if number else []), text(_between(stretch, to), "bold"))
        for off in stretch.off:
            draw(text(f"  {_off(off, to)}", "yellow"))
        proposals = [one for one in named if one.stretch is stretch]
        for one in proposals:
            if not one.like:
                _tell_one(done, table, one, log, to)
                _tell_like(done, table, [each for each in proposals if each.like == one.name], log, to)
        if not proposals:
            draw(text(f"  {translate('locate.nothing', to.language)}"))


def _between(stretch: Stretch, to: Reader) -> str:
    began = translate("locate.from" if stretch.after == "0" else "locate.after", to.language, ref=stretch.after)
    until = translate(
        "locate.until-count" if stretch.of == "count" else "locate.until-result", to.language, ref=stretch.until
    )
    return f"{began}, {until}"


def _off(off: Off, to: Reader) -> str:
    from spyrium_cli.render.text import signed

    carried = f", {translate('locate.carried', to.language, n=signed(off.carried))}" if off.carried else ""
    by = f"{signed(off.counted - off.folded)}{carried}"
    off_by = {"player": to.player(off.who), "what": to.word("resources", off.what), "by": by}
    return translate("count.one", to.language, **off_by, n=off.counted, log=off.folded)


def _title(proposal: Proposal, to: Reader) -> str:
    """What happened, as somebody at the table would say it."""
    return f"{translate_word(proposal.kind, 'slips', to.language)} ({proposal.mode})"


def _tell_one(done: Replay, table: Play, one: Named, log: str, to: Reader) -> None:
    """The command that writes it, what happened, and the events that are told otherwise."""
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.edit.amend import amended, amendment
    from spyrium_log.replay import replay

    proposal = one.proposal
    draw(text(f"{one.name:>4} ", "bold").append_text(text(_command(table, one, log), "dim")))
    if not one.like:
        draw(text(f"     {_title(proposal, to)}{_worth(proposal, to)}"))
    line = amendment(done.log, one.edits, proposal.mode, by="", why="")
    after = replay(amended(done.log, line), audit=False)
    told = changes.edits(done, after, one.edits, to.language)
    changes.draw_edits([(f"   {word}", ref, said) for word, ref, said in told])


def _tell_like(done: Replay, table: Play, like: Sequence[Named], log: str, to: Reader) -> None:
    """What nothing on the record tells apart from a proposal, each as the proposal itself is told."""
    from spyrium_cli.render.paper import draw, text

    if like:
        draw(text(f"     {translate('locate.likewise', to.language)}", "dim"))
    for one in like[:MOST_LIKE]:
        _tell_one(done, table, one, log, to)
    if len(like) > MOST_LIKE:
        draw(text(f"     {translate('locate.more', to.language, n=len(like) - MOST_LIKE)}", "dim"))


def _worth(proposal: Proposal, to: Reader) -> str:
    """What it leaves unexplained, and how many findings stand then."""
    from spyrium_cli.render.text import counted, signed

    left = [f"{to.player(off.who)} {to.word('resources', off.what)} {signed(off.n)}" for off in proposal.left]
    said = [translate("locate.leaves", to.language, what=", ".join(left))] if left else []
    findings = counted(proposal.open, "finding", to.language)
    said += [translate("locate.open", to.language, findings=findings)] if proposal.open else []
    return f"; {'; '.join(said)}" if said else ""


def _command(table: Play, one: Named, log: str) -> str:
    """The command that writes it, for whoever wants to write it a little otherwise."""
    from shlex import quote

    from spyrium_log.transcript import write_edits, write_moved

    edits: Sequence[Any] = one.edits
    moved = write_moved(table, edits[0]) if len(edits) == 1 else []
    said = [f"--edit {quote(text)}" for text in ([] if moved else write_edits(table, edits))]
    if moved:
        who = next(posting.seen.who for posting in edits[0].event.moved if posting.seen)
        said = [edits[0].at, *(f"--moved {quote(text)}" for text in moved), f"--who {quote(who)}"]
    return " ".join(
        ["spyrium fix amend", quote(log), *said, f"--{one.proposal.mode}", f"--why {quote(_why(one.stretch))}"]
    )


def _write(done: Replay, named: Sequence[Named], log: str, form: str) -> None:
    from spyrium_cli.render.changes import reader
    from spyrium_cli.render.rows import write
    from spyrium_log.play import Play
    from spyrium_log.transcript import write_edits

    table, to = Play(done.log), reader(done, "en")
    rows = [
        (
            one.name,
            one.stretch.of,
            one.stretch.after,
            one.stretch.until,
            "; ".join(_off(off, to) for off in one.stretch.off),
            one.proposal.kind,
            one.proposal.mode,
            one.proposal.explains,
            one.proposal.open,
            one.like or None,
            "; ".join(write_edits(table, one.edits)),
            _command(table, one, log),
        )
        for one in named
    ]
    write(COLUMNS, rows, form, null="")
