"""`spyrium import`: bring in games from elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.games.lookup import STDIN
from spyrium_cli.options import dry_run_option, format_option, option, wait_option
from spyrium_cli.render.rows import FORMATS as FORMS
from spyrium_cli.render.text import count_text
from spyrium_cli.session import Session
from spyrium_log.exchange.formats import FORMATS
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from spyrium_log.exchange.importer import Outcome
    from spyrium_log.exchange.scored import Imported, WholeLog
    from spyrium_log.store import Folder
    from spyrium_log.title import AnyTitle

# Unknown fields listed for a file.
SHOWN = 12
# Findings listed for a text; with more it is hardly this game.
MOST_FINDINGS = 20
# Nobody reads a longer table.
MOST_ROWS = 2_000
COLUMNS = ("what", "game", "played", "place", "players", "games", "from", "why")

EPILOG = """\b
Examples:
  spyrium import scores.csv --dry-run
  spyrium import game.jsonl games/ games.jsonl.zst
  spyrium import - --as csv --alias "Annie=Anna" < scores.csv

A game is known by its id, whatever its file is called. A game that is here already is not written again; missing lines
at its end are added, and a game with another history is refused. A play without certain scores is left out and listed.
Notes come with a log and in a pack, not in a page, JSON or notation. Notation comes in with its findings, which are
printed; for a log, `spyrium validate` prints them. Exit code 0: everything came in or was here. 1: something was left
out or refused, or notation has findings. 2: a file, or a game in it, cannot be read."""


@click.command("import", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--as", "format_name", type=click.Choice(list(FORMATS)), help="The format, if the content does not show it."
)
@option("--title", type=click.Choice(list(TITLES)))
@click.option(
    "--alias",
    "aliases",
    multiple=True,
    metavar="SPELLING=NAME",
    help="Another spelling of a player's name, kept in the archive.",
)
@dry_run_option
@format_option(FORMS)
@wait_option
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    paths: Sequence[str],
    format_name: str | None,
    title: str | None,
    aliases: Sequence[str],
    dry_run: bool,
    form: str,
) -> None:
    """Import games from other programs, spreadsheets or archives.

    PATH is a JSON export of BG Stats, saved plays of BoardGameGeek (XML), a CSV of final scores, a log, a pack
    of logs (.jsonl, .jsonl.zst), a folder of them, PATH#ID for one of them, what export wrote of a game (notation,
    page, JSON), or - for stdin.
    """
    from spyrium_cli.complaint import complaint_of
    from spyrium_cli.render.rows import write
    from spyrium_cli.render.surface import say
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.exchange.importer import Importer, Outcome

    folder = session.folder()
    spelled = _spelled(folder, aliases, dry_run=dry_run)
    titles = TITLES if title is None else {title: TITLES[title]}
    importer = Importer(folder, titles, is_dry=dry_run)
    outcomes: list[Outcome] = []
    is_doubtful = False
    for file, reads in _files(session, paths):
        try:
            imported = _read(file, reads(), format_name, titles, spelled)
            for one in importer.add(imported):
                if one.text is not None:
                    is_doubtful = True
                    _print_findings(one.text, session.language)
                outcomes.append(msgspec.structs.replace(one, text=None))
                if not dry_run:
                    _bring_notes(folder, file, one, session.language)
        except (SpyriumLogError, OSError) as error:
            outcomes.append(Outcome(what="unusable", games=0, where=file, why=complaint_of(error).message))
    # to lay out a table takes a hundred times as much as to write its rows
    shown = outcomes[:MOST_ROWS] if form == "table" else outcomes
    write(COLUMNS, [_row(one) for one in shown], form, null="")
    if len(shown) < len(outcomes):
        say(f"and {len(outcomes) - MOST_ROWS} more, which --format csv lists")
    say(_summary(outcomes, dry_run=dry_run))
    kinds = {one.what for one in outcomes}
    has_findings = not kinds.isdisjoint({"refused", "left out"}) or is_doubtful
    ctx.exit(UNUSABLE if "unusable" in kinds else int(has_findings))


def _spelled(folder: Folder, spellings: Sequence[str], *, dry_run: bool) -> Mapping[str, str]:
    """The spellings of the archive, and those of the call, which are added to it."""
    from spyrium_log.store import folded

    spelled = dict(folder.aliases().spelled)
    for alias in spellings:
        spelling, equals, name = (part.strip() for part in alias.partition("="))
        if not (spelling and equals and name):
            raise click.UsageError(f"expected SPELLING=NAME in --alias, found '{alias}'")
        if spelled.get(folded(spelling)) != name:
            learnt = {} if dry_run else folder.add_alias(name, [spelling]).spelled
            spelled |= {folded(spelling): name, **learnt}
    return spelled


def _files(session: Session, paths: Sequence[str]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Each file with a function that reads it: the files of a folder, or the one game of PATH#ID."""
    from spyrium_log.exchange.values import MAX_BYTES
    from spyrium_log.store import IN, Folder, read_up_to, read_whole

    for path in paths:
        if path == STDIN:
            yield "<stdin>", lambda: read_up_to(sys.stdin.buffer.read, MAX_BYTES + 1)
        elif Path(path).is_dir():
            files = [Path(path) / f"{name}.jsonl" for name in Folder(Path(path)).names()]
            files += sorted(Path(path).glob("[!.]*.jsonl.zst"))
            if not files:
                yield path, partial(_no_logs, path)
            for file in files:
                yield str(file), partial(read_whole, file, MAX_BYTES)
        elif Path(path).exists() or IN not in path:
            yield path, partial(read_whole, Path(path), MAX_BYTES, is_named=True)
        else:
            yield path.rpartition(IN)[0], partial(_picked, session, path)


def _picked(session: Session, name: str) -> bytes:
    """One game with its notes, as a pack of one."""
    from spyrium_cli.games.lookup import find_game
    from spyrium_log.store import packing

    return b"".join(packing([find_game(session, name).raw()]))


def _no_logs(path: str) -> bytes:
    from spyrium_log.errors import ExchangeError

    raise ExchangeError(f"expected logs in a folder, found none, at {path}")


def _read(
    file: str, raw: bytes, format_name: str | None, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]
) -> Imported:
    """The games of a file; remarks on it go to stderr."""
    from spyrium_cli.render.surface import say
    from spyrium_log.errors import ExchangeError
    from spyrium_log.exchange.formats import format_of
    from spyrium_log.exchange.values import MAX_BYTES

    if len(raw) > MAX_BYTES:
        raise ExchangeError(f"expected at most {MAX_BYTES} bytes, found more, at {file}")
    imported = FORMATS[format_name or format_of(raw, file)].read(raw, file, titles, aliases)
    for remark in imported.remarks:
        say(f"{file}: {remark}")
    if imported.unknown:
        fields = ", ".join(f"{name} ({n})" for name, n in list(imported.unknown.items())[:SHOWN])
        more = f" and {len(imported.unknown) - SHOWN} more" if len(imported.unknown) > SHOWN else ""
        say(f"{file}: fields that nobody here knows: {fields}{more}")
    return imported


def _bring_notes(folder: Folder, file: str, one: Outcome, language: str) -> None:
    """Merge the notes beside a log into those of the archive."""
    from spyrium_cli.games.lookup import warn_of_damage
    from spyrium_cli.render.surface import say

    more, is_any = one.notes, one.notes > 0
    # what stands in a pack has no file of its own
    if one.where == file and one.what in {"new", "continued", "there"}:
        notes = folder.notes(Path(file))
        if notes.complaint is not None:
            warn_of_damage(notes, "note", language)
        if notes.lines:
            is_any = True
            with folder.notes_writer(one.name) as writer:
                more += writer.merge(notes.notes)
    if is_any:
        say(f"{count_text(more, 'new note')} on {one.game}")


def _print_findings(text: WholeLog, language: str) -> None:
    """What speaks against a text of moves, each at its line, with the card or the moves that may be meant."""
    from spyrium_cli.games.verdict import check_log
    from spyrium_cli.render.sentences import finding_text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import translate
    from spyrium_cli.titles import similar_to_found
    from spyrium_log.store import read_bytes

    verdict = check_log(text.where, lambda: read_bytes(text.raw, text.where))
    key = verdict.title or ""
    findings = [finding for finding in verdict.findings if finding.is_open]
    shown_refs: set[str] = set()
    for finding in findings[:MOST_FINDINGS]:
        where = f"{text.where}:{text.places[finding.n - 1]}: " if finding.n else f"{text.where}: "
        sentence = finding_text(finding, TITLES[key], verdict.players, language)
        cards = ", ".join(f"'{card}'" for card in similar_to_found(TITLES[key], finding.found))
        say(where + (translate("play.meant", language, breach=sentence, cards=cards) if cards else sentence))
        if finding.nearest and finding.ref not in shown_refs:
            say(f"    {translate('validate.nearest', language, moves='; '.join(finding.nearest))}")
        shown_refs.add(finding.ref)
    if len(findings) > MOST_FINDINGS:
        say(
            f"{text.where}: {count_text(len(findings) - MOST_FINDINGS, 'finding')} more (spyrium validate has them all)"
        )


def _row(one: Outcome) -> tuple[object, ...]:
    return (one.what, one.game, one.played, one.place, one.players, one.games, one.where, one.why)


def _summary(outcomes: Sequence[Outcome], *, dry_run: bool) -> str:
    """`3 new, 2 there, 1 left out, 40 of other games`."""
    games: Counter[str] = Counter()
    for one in outcomes:
        games[one.what] += one.games
    counts = [f"{games[what]} {what}" for what in ("new", "continued", "there", "refused", "left out") if games[what]]
    counts += [f"{games['other']} of other games"] if games["other"] else []
    with_findings = sum(one.findings > 0 for one in outcomes)
    counts += [f"{with_findings} with findings (spyrium validate names them)"] if with_findings else []
    unusable = sum(one.what == "unusable" for one in outcomes)
    counts += [f"{unusable} unusable"] if unusable else []
    return (", ".join(counts) or "no games") + (" (nothing was written)" if dry_run else "")
