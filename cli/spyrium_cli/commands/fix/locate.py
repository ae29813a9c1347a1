"""`spyrium fix locate`: find where a count went wrong, and propose corrections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Refusal
from spyrium_cli.games.writing import append_amendment, confirm_write
from spyrium_cli.options import by_option, command_id, dry_run_option, game_argument, option, wait_option, yes_option
from spyrium_cli.render.rows import formats
from spyrium_cli.render.text import translate, translate_word
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log, Replay
    from spyrium_log.edit.locate import Off, Proposal, Stretch
    from spyrium_log.messages import Reader
    from spyrium_log.play import Play

EPILOG = """\b
Examples:
  spyrium fix locate
  spyrium fix locate --most 3 --format jsonl
  spyrium fix locate --write 1 --yes

A stretch lies between a count that agrees and one that does not. Each proposal would explain the difference, the most
likely first. --write shows what a proposal changes and writes it as an amendment, which undo takes back. Of several
stretches, 2.1 is the first proposal for the second. 1b and 1c leave the same table as 1: nothing on the record tells
them apart. Exit code 0: every count agrees. 1: some do not."""

COLUMNS = ("name", "of", "after", "until", "off", "kind", "mode", "explains", "open", "like", "edits", "command")
# More alternatives to one proposal are only in the formats for programs.
MOST_LIKE = 5
EFFORT = 250
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Named(NamedTuple):
    """The edits of a proposal under the name that --write takes; `like` names the proposal they cannot be told from."""

    name: str
    stretch: Stretch
    proposal: Proposal
    edits: Sequence[Any]
    like: str = ""


@click.command("locate", cls=Command, epilog=EPILOG)
@game_argument
@click.option("--most", type=click.IntRange(1, 100), default=5, show_default=True, help="Most proposals for a stretch.")
@click.option(
    "--effort",
    type=click.IntRange(1, 100_000),
    default=EFFORT,
    show_default=True,
    help="How far to search, in replays of the game.",
)
@click.option("--write", "take", metavar="N", help="Write proposal N, after showing what it changes.")
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
    from spyrium_cli.games.writing import cut_log, find_repeated_line
    from spyrium_cli.identity import scribe
    from spyrium_cli.render.surface import say
    from spyrium_log.edit.locate import MOST_STRETCHES, find_stretches, scale_limit
    from spyrium_log.replay import replay

    read = read_log(session, log)
    if take is not None:
        first = find_repeated_line(read, cmd)
        before = read if first is None else cut_log(read, first)
        picked = _picked(before, take, effort, who or "the count")
        line = _show(session, before, picked, why, by or scribe())
        if not dry_run:
            question = translate("changes.ask", session.language_of(read.title), mode=picked.proposal.mode)
            confirm_write(yes or first is not None, question)
            number = append_amendment(session, log, line, cmd)
            say(translate("changes.amended", session.language_of(read.title), line=number, mode=line.mode))
        return
    done = replay(read)
    places = find_stretches(done)
    searched = places[: scale_limit(MOST_STRETCHES, len(done.events))]
    search = _Search(read, searched, most, effort, who or "the count")
    if form == "table":
        _draw(done, searched, search.named, log, session.language_of(read.title))
    else:
        _write(done, search.named, log, form)
    if len(searched) < len(places):
        say(translate("locate.later", session.language_of(read.title), n=len(places) - len(searched)))
    if places:
        key = "locate.cut" if search.is_cut else "locate.tried"
        say(translate(key, session.language_of(read.title), n=search.tried))
    else:
        key = "locate.agrees" if any(_is_count(event) for event in done.events) else "locate.uncounted"
        say(translate(key, session.language_of(read.title)))
    ctx.exit(1 if places else 0)


def _is_count(event: Any) -> bool:
    return str(event.do.__struct_config__.tag) == "counted"


class _Search:
    """The named proposals for these stretches, and how far the search went."""

    def __init__(self, log: Log, places: Sequence[Stretch], most: int, effort: int, who: str) -> None:
        from spyrium_log.edit.locate import locate_slips

        self.named: list[Named] = []
        self.tried = 0
        self.is_cut = False
        for number, stretch in enumerate(places, 1):
            result = locate_slips(log, stretch, most=most, effort=effort, who=who)
            self.tried += result.tried
            self.is_cut |= result.is_cut
            for rank, proposal in enumerate(result.proposals, 1):
                name = f"{number}.{rank}" if len(places) > 1 else str(rank)
                self.named.append(Named(name, stretch, proposal, proposal.edits))
                for letter, edits in zip(LETTERS[1:], proposal.alike, strict=False):
                    self.named.append(Named(f"{name}{letter}", stretch, proposal, edits, name))


def _picked(log: Log, take: str, effort: int, who: str) -> Named:
    """The proposal of a name; names do not depend on how many proposals are listed."""
    from spyrium_log.edit.locate import find_stretches
    from spyrium_log.replay import replay

    match = re.fullmatch(r"(?:(\d{1,3})\.)?(\d{1,3})([b-z]?)", take)
    if match is None:
        raise click.UsageError(f"expected the name of a proposal, such as 1, 1b or 2.1, found '{take}'")
    places = find_stretches(replay(log))
    if not places:
        raise Refusal("expected a count that does not agree, found none")
    if match[1] is None and len(places) > 1:
        raise click.UsageError(
            f"expected the stretch, too, as in 1.{take}, for there are {len(places)}; found '{take}'"
        )
    number, rank = int(match[1] or 1), int(match[2])
    chosen = places[number - 1 : number] if number else []
    name = f"{rank}{match[3]}"
    named = _Search(log, chosen, max(rank, 1), effort, who).named
    picked = next((each for each in named if each.name == name), None)
    if picked is None:
        raise Refusal(f"expected a proposal of that name, found none for '{take}'")
    return picked


def _show(session: Session, before: Log, picked: Named, why: str | None, by: str) -> Any:
    """Show what a proposal changes, and return its amendment."""
    from spyrium_cli.identity import now
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.sentences import reader_of
    from spyrium_log.edit.amend import compute_consequences, make_amendment
    from spyrium_log.replay import replay

    proposal = picked.proposal
    line = make_amendment(
        before, picked.edits, proposal.mode, by=by, at=now(), why=_why(picked.stretch) if why is None else why
    )
    was = replay(before, audit=False)
    to = reader_of(was.title, was.players, session.language_of(before.title))
    draw(text(_title(proposal, to), "bold"))
    changes.draw_edits(was, line, to.language)
    draw(text(""))
    changed = compute_consequences(before, picked.edits, proposal.mode)
    changes.draw_changes(changed, to, proposal.mode)
    return line


def _why(stretch: Stretch) -> str:
    return f"as {'counted' if stretch.of == 'count' else 'declared'} in {stretch.until}"


# --- for people ----------------------------------------------------------------------------------


def _draw(done: Replay, places: Sequence[Stretch], named: Sequence[Named], log: str, language: str) -> None:
    """Draw each stretch, its differences and its proposals."""
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.sentences import reader_of
    from spyrium_log.play import Play

    table, to = Play(done.log), reader_of(done.title, done.players, language)
    for number, stretch in enumerate(places):
        draw(*([text("")] if number else []), text(_between(stretch, to), "bold"))
        for off in stretch.off:
            draw(text(f"  {_off(off, to)}", "yellow"))
        proposals = [one for one in named if one.stretch is stretch]
        for one in proposals:
            if not one.like:
                _draw_proposal(done, table, one, log, to)
                _draw_alternatives(done, table, [each for each in proposals if each.like == one.name], log, to)
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
    """What happened, in the words of the table."""
    return f"{translate_word(proposal.kind, 'slips', to.language)} ({proposal.mode})"


def _draw_proposal(done: Replay, table: Play, one: Named, log: str, to: Reader) -> None:
    """Draw a proposal: its command, what happened, and the events that change."""
    from spyrium_cli.render import changes
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.edit.amend import make_amendment

    proposal = one.proposal
    draw(text(f"{one.name:>4} ", "bold").append_text(text(_command(table, one, log), "dim")))
    if not one.like:
        draw(text(f"     {_title(proposal, to)}{_worth(proposal, to)}"))
    line = make_amendment(done.log, one.edits, proposal.mode, by="", why="")
    changes.draw_edits(done, line, to.language, indent="   ")


def _draw_alternatives(done: Replay, table: Play, like: Sequence[Named], log: str, to: Reader) -> None:
    """Draw the alternatives that nothing on the record tells from a proposal."""
    from spyrium_cli.render.paper import draw, text

    if like:
        draw(text(f"     {translate('locate.likewise', to.language)}", "dim"))
    for one in like[:MOST_LIKE]:
        _draw_proposal(done, table, one, log, to)
    if len(like) > MOST_LIKE:
        draw(text(f"     {translate('locate.more', to.language, n=len(like) - MOST_LIKE)}", "dim"))


def _worth(proposal: Proposal, to: Reader) -> str:
    """What a proposal leaves unexplained, and how many findings remain open."""
    from spyrium_cli.render.text import count_text, signed

    left = [f"{to.player(off.who)} {to.word('resources', off.what)} {signed(off.n)}" for off in proposal.left]
    parts = [translate("locate.leaves", to.language, what=", ".join(left))] if left else []
    findings = count_text(proposal.open, "finding", to.language)
    parts += [translate("locate.open", to.language, findings=findings)] if proposal.open else []
    return f"; {'; '.join(parts)}" if parts else ""


def _command(table: Play, one: Named, log: str) -> str:
    """The command that writes a proposal, ready to be changed."""
    from shlex import quote

    from spyrium_log.transcript import write_amounts, write_edits

    edits: Sequence[Any] = one.edits
    moved = write_amounts(table, edits[0]) if len(edits) == 1 else []
    arguments = [f"--edit {quote(text)}" for text in ([] if moved else write_edits(table, edits))]
    if moved:
        who = next(posting.seen.who for posting in edits[0].event.moved if posting.seen)
        arguments = [edits[0].at, *(f"--moved {quote(text)}" for text in moved), f"--who {quote(who)}"]
    return " ".join(
        ["spyrium fix amend", quote(log), *arguments, f"--{one.proposal.mode}", f"--why {quote(_why(one.stretch))}"]
    )


def _write(done: Replay, named: Sequence[Named], log: str, form: str) -> None:
    """Write a row for each proposal."""
    from spyrium_cli.render.rows import write
    from spyrium_cli.render.sentences import reader_of
    from spyrium_log.play import Play
    from spyrium_log.transcript import write_edits

    table, to = Play(done.log), reader_of(done.title, done.players, "en")
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
