"""`spyrium fix locate`: find where a count went wrong, and propose corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shlex import quote
from string import ascii_lowercase
from typing import NamedTuple

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import REFUSED, Refusal, WrongCall, call_message
from spyrium_cli.games.lookup import read_log
from spyrium_cli.games.writing import AmendmentWriter, amendment_writer
from spyrium_cli.identity import now, scribe_name
from spyrium_cli.options import game_argument, option
from spyrium_cli.render.changes import draw_changes, draw_edits
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.rows import translate_cells, translate_headings, write
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import count_text, signed, translate, translate_word
from spyrium_cli.session import current_language, language_of_form
from spyrium_log import Log, Replay
from spyrium_log.edit.amend import compute_consequences, make_amendment
from spyrium_log.edit.locate import MOST_STRETCHES, Proposal, find_stretches, locate_slips, scale_limit
from spyrium_log.edit.slip import Off, Stretch
from spyrium_log.messages import Reader
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.store import kinds
from spyrium_log.title import Counted
from spyrium_log.transcript import write_amounts, write_edits

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
# The stretch where there are several, the rank, the letter of an alternative.
_PROPOSAL_NAME = re.compile(r"(?:(?P<stretch>\d{1,3})\.)?(?P<rank>\d{1,3})(?P<letter>[b-z]?)")
# More alternatives to one proposal are only in the formats for programs.
MOST_ALTERNATIVES = 5


class NamedProposal(NamedTuple):
    """The edits of a proposal under the name that --write takes; `like` names the proposal they cannot be told from."""

    name: str
    stretch: Stretch
    proposal: Proposal
    edits: Sequence[kinds.AnyEdit]
    like: str = ""

    @property
    def why(self) -> str:
        """The reason of the amendment: `as counted in 12`."""
        return f"as {'counted' if self.stretch.of == 'count' else 'declared'} in {self.stretch.until}"

    def command_text(self, play: Play, log: str) -> str:
        """The command that writes the proposal, ready to be changed. `log`: the name of the game."""
        arguments = self._amounts_arguments(play) or [f"--edit {quote(edit)}" for edit in write_edits(play, self.edits)]
        words = ("spyrium fix amend", quote(log), *arguments, f"--{self.proposal.mode}", f"--why {quote(self.why)}")
        return " ".join(words)

    def _amounts_arguments(self, play: Play) -> list[str]:
        """The arguments of `fix amend` for one edit of amounts alone, which are easier to change; else none."""
        edit = self.edits[0]
        if len(self.edits) > 1 or not isinstance(edit, kinds.Replace):
            return []
        amounts = write_amounts(play, edit)
        if not amounts:
            return []
        who = next(posting.seen.who for posting in edit.event.moved if posting.seen)
        return [edit.at, *(f"--moved {quote(amount)}" for amount in amounts), f"--who {quote(who)}"]

    def story_text(self, reader: Reader) -> str:
        """What happened, in the words of the table, and the mode: `entered twice (misrecorded)`."""
        return f"{translate_word(self.proposal.kind, 'slips', reader.language)} ({self.proposal.mode})"


class Search(NamedTuple):
    """The proposals for some stretches; how many slips were tried, and whether the search ended before all were."""

    proposals: Sequence[NamedProposal]
    tried: int
    is_cut: bool


@click.command("locate", cls=Command, epilog=EPILOG)
@game_argument
@click.option("--most", type=click.IntRange(1, 100), default=5, show_default=True, help="Most proposals for a stretch.")
@click.option(
    "--effort",
    type=click.IntRange(1, 100_000),
    default=250,
    show_default=True,
    help="How far to search, in replays of the game.",
)
@click.option("--write", "take", metavar="N", help="Write proposal N, after showing what it changes.")
@option("--who")
@amendment_writer
def locate_error(writer: AmendmentWriter, most: int, effort: int, take: str | None, who: str | None, form: str) -> int:
    """Find where a count went wrong, and what would explain it."""
    who = who or "the count"
    if take is not None:
        _write_proposal(writer, take, effort, who)
        return 0
    log = read_log(writer.session, writer.log)
    game, language = replay(log), writer.session.language_of(log.title)
    stretches = find_stretches(game)
    # the first ones alone, where the log is long
    searched = stretches[: scale_limit(MOST_STRETCHES, len(game.events))]
    search = _search_stretches(log, searched, most, effort, who)
    if form == "table":
        _draw_stretches(game, searched, search.proposals, writer.log, language)
    else:
        _write_proposal_rows(game, search.proposals, writer.log, form)
    if len(searched) < len(stretches):
        say(translate("locate.later", language, n=len(stretches) - len(searched)))
    if stretches:
        say(translate("locate.cut" if search.is_cut else "locate.tried", language, n=search.tried))
        return REFUSED
    has_counts = any(isinstance(event.do, Counted) for event in game.events)
    say(translate("locate.agrees" if has_counts else "locate.uncounted", language))
    return 0


def _search_stretches(log: Log, stretches: Sequence[Stretch], most: int, effort: int, who: str) -> Search:
    """Search all stretches, and name the proposals: `1`, `1b`; of several stretches `2.1`, `2.1b`."""
    results = [locate_slips(log, stretch, most=most, effort=effort, who=who) for stretch in stretches]
    proposals: list[NamedProposal] = []
    for number, (stretch, result) in enumerate(zip(stretches, results, strict=True), 1):
        prefix = f"{number}." if len(stretches) > 1 else ""
        proposals += _name_proposals(stretch, result.proposals, prefix)
    return Search(proposals, sum(result.tried for result in results), any(result.is_cut for result in results))


def _name_proposals(stretch: Stretch, proposals: Sequence[Proposal], prefix: str) -> Iterator[NamedProposal]:
    """Each proposal for a stretch, and after it the alternatives that it cannot be told from."""
    for rank, proposal in enumerate(proposals, 1):
        name = f"{prefix}{rank}"
        yield NamedProposal(name, stretch, proposal, proposal.edits)
        for letter, edits in zip(ascii_lowercase[1:], proposal.alike, strict=False):
            yield NamedProposal(f"{name}{letter}", stretch, proposal, edits, name)


def _find_proposal(log: Log, name: str, effort: int, who: str) -> NamedProposal:
    """The proposal of a name; names do not depend on how many proposals are listed."""
    match = _PROPOSAL_NAME.fullmatch(name)
    if match is None:
        raise WrongCall("proposal", found=name)
    stretches = find_stretches(replay(log))
    if not stretches:
        raise Refusal(call_message("no-difference"))
    if match["stretch"] is None and len(stretches) > 1:
        raise WrongCall("stretch", n=len(stretches), found=name)
    number, rank = int(match["stretch"] or 1), int(match["rank"])
    chosen = [stretch for place, stretch in enumerate(stretches, 1) if place == number]
    # nothing has rank 0, but a search takes at least one proposal
    for proposal in _search_stretches(log, chosen, max(rank, 1), effort, who).proposals:
        # where one stretch is searched, the names have no prefix
        if proposal.name == f"{rank}{match['letter']}":
            return proposal
    raise Refusal(call_message("no-proposal", found=name))


def _write_proposal(writer: AmendmentWriter, name: str, effort: int, who: str) -> None:
    """Show what a proposal changes, and write it as an amendment."""
    log, is_repeated = writer.read_log()
    named = _find_proposal(log, name, effort, who)
    why, mode = named.why if writer.why is None else writer.why, named.proposal.mode
    amendment = make_amendment(log, named.edits, mode, by=writer.by or scribe_name(), at=now(), why=why)
    game = replay(log, audit=False)
    reader = reader_of(game.title, game.players, writer.session.language_of(game.title))
    draw(text(named.story_text(reader), "bold"))
    draw_edits(game, amendment, reader.language)
    draw(text(""))
    draw_changes(compute_consequences(log, named.edits, mode), reader, mode)
    if not writer.dry_run:
        question = translate("changes.ask", reader.language, mode=mode)
        line = writer.confirm_and_write(amendment, question, is_repeated=is_repeated)
        say(translate("changes.amended", reader.language, line=line, mode=mode))


def _draw_stretches(
    game: Replay, stretches: Sequence[Stretch], proposals: Sequence[NamedProposal], log: str, language: str
) -> None:
    """Draw each stretch, its differences and its proposals. `log`: the name of the game."""
    reader = reader_of(game.title, game.players, language)
    for stretch in stretches:
        if stretch is not stretches[0]:
            draw(text(""))
        draw(text(_stretch_text(stretch, language), "bold"))
        for off in stretch.off:
            draw(text(f"  {_difference_text(off, reader)}", "yellow"))
        of_stretch = [named for named in proposals if named.stretch is stretch]
        for named in of_stretch:
            if not named.like:
                _draw_proposal(game, named, log, reader)
                _draw_alternatives(game, [other for other in of_stretch if other.like == named.name], log, reader)
        if not of_stretch:
            draw(text(f"  {translate('locate.nothing', language)}"))


def _stretch_text(stretch: Stretch, language: str) -> str:
    """From which line of the log the stretch goes to which."""
    began = translate("locate.from" if stretch.after == "0" else "locate.after", language, ref=stretch.after)
    end = "locate.until-count" if stretch.of == "count" else "locate.until-result"
    return f"{began}, {translate(end, language, ref=stretch.until)}"


def _difference_text(off: Off, reader: Reader) -> str:
    """`Bob money: 8 counted, 11 in the log (−3)`."""
    carried = f", {translate('locate.carried', reader.language, n=signed(off.carried))}" if off.carried else ""
    whose = {"player": reader.player_name(off.who), "what": _name_counted(off, reader)}
    difference = f"{signed(off.counted - off.folded)}{carried}"
    return translate("count.one", reader.language, **whose, by=difference, n=off.counted, log=off.folded)


def _name_counted(off: Off, reader: Reader) -> str:
    """What was counted: a resource of the title, or the whole result."""
    of_result = off.what == "result"
    return translate("stretches.result", reader.language) if of_result else reader.title_word("resources", off.what)


def _draw_proposal(game: Replay, named: NamedProposal, log: str, reader: Reader) -> None:
    """Draw a proposal: its command, what happened, and the events that change."""
    draw(text(f"{named.name:>4} ", "bold").append_text(text(named.command_text(Play(game.log), log), "dim")))
    if not named.like:
        draw(text(f"     {named.story_text(reader)}{_unexplained_text(named.proposal, reader)}"))
    amendment = make_amendment(game.log, named.edits, named.proposal.mode, by="", why="")
    draw_edits(game, amendment, reader.language, indent="   ")


def _draw_alternatives(game: Replay, alternatives: Sequence[NamedProposal], log: str, reader: Reader) -> None:
    """Draw the alternatives that nothing on the record tells from a proposal."""
    if alternatives:
        draw(text(f"     {translate('locate.likewise', reader.language)}", "dim"))
    for named in alternatives[:MOST_ALTERNATIVES]:
        _draw_proposal(game, named, log, reader)
    if len(alternatives) > MOST_ALTERNATIVES:
        more = translate("locate.more", reader.language, n=len(alternatives) - MOST_ALTERNATIVES)
        draw(text(f"     {more}", "dim"))


def _unexplained_text(proposal: Proposal, reader: Reader) -> str:
    """What a proposal leaves unexplained, and how many findings remain open; empty if nothing."""
    differences = [
        f"{reader.player_name(off.who)} {_name_counted(off, reader)} {signed(off.n)}" for off in proposal.left
    ]
    parts = [translate("locate.leaves", reader.language, what=", ".join(differences))] if differences else []
    findings = count_text(proposal.open, "finding", reader.language)
    parts += [translate("locate.open", reader.language, findings=findings)] if proposal.open else []
    return "".join(f"; {part}" for part in parts)


def _write_proposal_rows(game: Replay, proposals: Sequence[NamedProposal], log: str, form: str) -> None:
    """Write a row for each proposal. `log`: the name of the game."""
    language = language_of_form(form, current_language())
    play, reader = Play(game.log), reader_of(game.title, game.players, language)
    rows: list[tuple[object, ...]] = []
    for named in proposals:
        stretch, proposal = named.stretch, named.proposal
        off = "; ".join(_difference_text(off, reader) for off in stretch.off)
        place = (named.name, stretch.of, stretch.after, stretch.until, off)
        edits = "; ".join(write_edits(play, named.edits))
        slip = (proposal.kind, proposal.mode, proposal.explains, proposal.open, named.like or None, edits)
        rows.append((*place, *slip, named.command_text(play, log)))
    tables = {"of": "stretches", "kind": "slips", "explains": "stretches"}
    cells = translate_cells(COLUMNS, rows, tables, form, language)
    write(translate_headings(COLUMNS, "locate-heads", form, language), cells, form, null="")
