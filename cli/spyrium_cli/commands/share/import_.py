"""`spyrium import`: bring in games from elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
import msgspec

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import REFUSED, UNUSABLE, Complaint, WrongCall, call_message, complaint_of
from spyrium_cli.games.lookup import STDIN, find_game, warn_of_damage
from spyrium_cli.games.verdict import check_log
from spyrium_cli.options import dry_run_option, format_option, option, wait_option
from spyrium_cli.render.rows import FORMATS as FORMS
from spyrium_cli.render.rows import translate_headings, write
from spyrium_cli.render.sentences import finding_text, reader_of
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import translate, translate_word
from spyrium_cli.session import FOR_PEOPLE, Session, language_of_form
from spyrium_cli.titles import find_components_meant
from spyrium_log.errors import SpyriumLogError
from spyrium_log.exchange.formats import FORMATS, format_of
from spyrium_log.exchange.importer import Importer
from spyrium_log.exchange.scored import Imported, Outcome, WholeLog
from spyrium_log.exchange.values import MAX_BYTES
from spyrium_log.messages import RECORDED, Count, Reader, exchange_message
from spyrium_log.store import IN, Folder, encode_pack, fold_name, read_bytes, read_up_to, read_whole
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

MOST_FIELDS_LISTED = 12
# Findings listed for a game in notation; with more it is hardly this game.
MOST_FINDINGS = 20
MOST_ROWS = 2_000
MOST_REPEATED = 20

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
def import_games(
    session: Session,
    paths: Sequence[str],
    format_name: str | None,
    title: str | None,
    aliases: Sequence[str],
    dry_run: bool,
    form: str,
) -> int:
    """Import games from other programs, spreadsheets or archives.

    PATH is a JSON export of BG Stats, saved plays of BoardGameGeek (XML), a CSV of final scores, a log, a pack
    of logs (.jsonl, .jsonl.zst), a folder of them, PATH#ID for one of them, what export wrote of a game (notation,
    page, JSON), or - for stdin.
    """
    folder = session.folder()
    spellings = _add_spellings(folder, aliases, dry_run=dry_run)
    # a row of a table that names no title is of the first one
    titles = {session.title.key: session.title, **TITLES} if title is None else {title: TITLES[title]}
    importer = Importer(folder, titles, is_dry=dry_run)
    outcomes: list[Outcome] = []
    has_findings = False
    for file, read in _find_files(session, paths):
        try:
            imported = _parse_games(file, read(), format_name, titles, spellings)
            _say_remarks(file, imported, session.language)
            for outcome in importer.add(imported):
                if outcome.text is not None:
                    has_findings = True
                    _print_findings(outcome.text, session.language)
                # without the log, which nobody needs any more
                outcomes.append(msgspec.structs.replace(outcome, text=None))
                if not dry_run:
                    _merge_notes(folder, file, outcome, session.language)
        except (Complaint, SpyriumLogError, OSError) as error:
            outcomes.append(_make_unusable_outcome(file, error, language_of_form(form, session.language)))
    _print_outcomes(outcomes, form, session.language, dry_run=dry_run)
    _tell_repeated(outcomes)
    return _choose_exit_code(outcomes, has_findings=has_findings)


def _make_unusable_outcome(file: str, error: Complaint | SpyriumLogError | OSError, language: str) -> Outcome:
    """The outcome of a file that cannot be read; it holds no more than the text, as the error may hold the file."""
    text = complaint_of(error, language).message
    return Outcome(what="unusable", games=0, where=file, why=exchange_message("said", text=text))


def _choose_exit_code(outcomes: Iterable[Outcome], *, has_findings: bool) -> int:
    """UNUSABLE if a file could not be read; REFUSED if something was left out, or notation `has_findings`; else 0."""
    results = {outcome.what for outcome in outcomes}
    if "unusable" in results:
        return UNUSABLE
    return REFUSED if has_findings or not results.isdisjoint({"refused", "left out"}) else 0


def _add_spellings(folder: Folder, aliases: Sequence[str], *, dry_run: bool) -> Mapping[str, str]:
    """The names of players by spelling, case folded. Those of the call (`SPELLING=NAME`) are written to the archive."""
    names = dict(folder.read_aliases().spelled)
    for alias in aliases:
        spelling, equals, name = (part.strip() for part in alias.partition("="))
        if not (spelling and equals and name):
            raise WrongCall("alias", found=alias)
        if names.get(fold_name(spelling)) != name:
            added = {} if dry_run else folder.add_alias(name, [spelling]).spelled
            names |= {fold_name(spelling): name, **added}
    return names


def _find_files(session: Session, paths: Sequence[str]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The name of each file with a function that reads it: the files of a folder, or the one game of PATH#ID."""
    for path in paths:
        if path == STDIN:
            yield "<stdin>", lambda: read_up_to(sys.stdin.buffer.read, MAX_BYTES + 1)
        elif Path(path).is_dir():
            files = [Path(path) / f"{name}.jsonl" for name in Folder(Path(path)).list_names()]
            files += sorted(Path(path).glob("[!.]*.jsonl.zst"))
            if not files:
                yield path, partial(_refuse_empty_folder, path)
            for file in files:
                yield str(file), partial(read_whole, file, MAX_BYTES)
        elif Path(path).exists() or IN not in path:
            yield path, partial(read_whole, Path(path), MAX_BYTES, is_named=True)
        else:
            yield path.rpartition(IN)[0], partial(_pack_game, session, path)


def _pack_game(session: Session, name: str) -> bytes:
    """One game with its notes, as a pack of one: a pack can be imported together with its notes."""
    return b"".join(encode_pack([find_game(session, name).raw()]))


def _refuse_empty_folder(path: str) -> NoReturn:
    """Stands in for what reads a file: a folder without logs is listed as unusable, and the next path is read."""
    raise Complaint(call_message("empty-folder", place=path))


def _parse_games(
    file: str, raw: bytes, format_name: str | None, titles: Mapping[str, AnyTitle], spellings: Mapping[str, str]
) -> Imported:
    """The games of a file, by the format of the call, or by that which its first bytes show."""
    if len(raw) > MAX_BYTES:
        raise Complaint(call_message("file-bytes", most=MAX_BYTES, place=file))
    return FORMATS[format_name or format_of(raw, file)].read(raw, file, titles, spellings)


def _say_remarks(file: str, imported: Imported, language: str) -> None:
    """Say what is odd about a file, and which of its fields no reader knows."""
    for remark in imported.remarks:
        tell("said.of-file", file=file, remark=remark.text_for(Reader(language)))
    if imported.unknown:
        fields = ", ".join(f"{name} ({n})" for name, n in list(imported.unknown.items())[:MOST_FIELDS_LISTED])
        others = len(imported.unknown) - MOST_FIELDS_LISTED
        if others > 0:
            tell("said.unknown-fields-more", file=file, fields=fields, n=others)
        else:
            tell("said.unknown-fields", file=file, fields=fields)


def _merge_notes(folder: Folder, file: str, outcome: Outcome, language: str) -> None:
    """Merge the notes beside a log into those of the archive, and print how many notes are new."""
    new_notes, has_notes = outcome.notes, outcome.notes > 0
    # what stands in a pack has no file of its own
    if outcome.where == file and outcome.what in {"new", "continued", "there"}:
        notes = folder.read_notes(Path(file))
        if notes.complaint is not None:
            warn_of_damage(notes, "note", language)
        if notes.lines:
            has_notes = True
            with folder.open_notes_writer(outcome.name) as writer:
                new_notes += writer.merge(notes.notes)
    if has_notes:
        tell("said.notes-on", notes=Count(new_notes, "new note"), game=outcome.game)


def _print_findings(game: WholeLog, language: str) -> None:
    """Print the findings on a game in notation, each at its line, with the card or the moves that may be meant."""
    verdict = check_log(game.where, lambda: read_bytes(game.raw, game.where))
    # what was imported can be read, and names its title
    title = TITLES[str(verdict.title)]
    findings = [finding for finding in verdict.findings if finding.is_open]
    shown_refs: set[str] = set()
    for finding in findings[:MOST_FINDINGS]:
        # the header, line 0, is made of several lines of the text
        place = f"{game.where}:{game.places[finding.n - 1]}: " if finding.n else f"{game.where}: "
        sentence = finding_text(finding, reader_of(title, verdict.players, language))
        cards = ", ".join(f"'{card}'" for card in find_components_meant(title, finding.found))
        say(place + (translate("play.meant", language, breach=sentence, cards=cards) if cards else sentence))
        if finding.nearest and finding.ref not in shown_refs:
            say(f"    {translate('validate.nearest', language, moves='; '.join(finding.nearest))}")
        shown_refs.add(finding.ref)
    if len(findings) > MOST_FINDINGS:
        more = Count(len(findings) - MOST_FINDINGS, "finding")
        tell("said.more-findings", place=str(game.where), findings=more)


def _print_outcomes(outcomes: Sequence[Outcome], form: str, language: str, *, dry_run: bool) -> None:
    """Print what became of each game, and a summary. Reasons are in the language of the call for people alone."""
    # nobody reads a longer table, and to lay one out takes a hundred times as much as to write its rows
    listed = outcomes[:MOST_ROWS] if form == "table" else outcomes
    reader = Reader(language) if form in FOR_PEOPLE else RECORDED
    rows = []
    for outcome in listed:
        why = "" if outcome.why is None else outcome.why.text_for(reader)
        game = (outcome.game, outcome.played, outcome.place, outcome.players, outcome.games)
        what = translate_word(outcome.what, "imported", reader.language)
        rows.append((what, *game, outcome.where, why))
    columns = ("what", "game", "played", "place", "players", "games", "from", "why")
    write(translate_headings(columns, "import-heads", form, language), rows, form, null="")
    if len(listed) < len(outcomes):
        tell("said.more-rows", n=len(outcomes) - MOST_ROWS)
    say(_summarise(outcomes, language, dry_run=dry_run))


def _tell_repeated(outcomes: Sequence[Outcome]) -> None:
    """Say which new games have the players and scores of another game of their day: reports count one of two."""
    repeated = [outcome for outcome in outcomes if outcome.repeats]
    for outcome in repeated[:MOST_REPEATED]:
        players, played = outcome.players, outcome.played or ""
        tell("repeated.one", where=outcome.where, players=players, played=played, game=outcome.repeats)
    if repeated:
        tell("repeated.sum", games=Count(len(repeated), "game"))


def _summarise(outcomes: Sequence[Outcome], language: str, *, dry_run: bool) -> str:
    """The last line: `3 new, 2 there, 1 left out, 40 of other games`; counts of zero are left out."""
    games: Counter[str] = Counter()
    for outcome in outcomes:
        games[outcome.what] += outcome.games
    counts = {
        **{what: games[what] for what in ("new", "continued", "there", "refused", "left out", "other")},
        "findings": sum(outcome.findings > 0 for outcome in outcomes),
        "unusable": sum(outcome.what == "unusable" for outcome in outcomes),
    }
    parts = [translate(f"imported.sum-{what.replace(' ', '-')}", language, n=n) for what, n in counts.items() if n]
    summary = ", ".join(parts) or translate("imported.none", language)
    return translate("imported.dry", language, summary=summary) if dry_run else summary
