"""`spyrium validate`: a verdict for each game, with its findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, TypeAlias

import click
from msgspec import structs

from spyrium_cli.command import Command, pass_session
from spyrium_cli.games.lookup import select_games, split_name
from spyrium_cli.games.settling import Settlement, find_salvage, list_settlements, name_for_commands
from spyrium_cli.games.verdict import WORST, CheckedFinding, DamageReport, Side, Verdict, apply_trusted_keys
from spyrium_cli.options import as_recorded, processes_option, quiet_option
from spyrium_cli.parallel.processes import process_count
from spyrium_cli.parallel.validation import check_games
from spyrium_cli.render.paper import draw, grid, text
from spyrium_cli.render.rows import formats, translate_cells, translate_headings, write, write_json
from spyrium_cli.render.sentences import compared_moves_text, finding_text, reader_of
from spyrium_cli.render.surface import say, with_progress
from spyrium_cli.render.text import count_text, invented_set_text, plain, signed, translate
from spyrium_cli.session import ENGLISH, Session, language_of_form
from spyrium_cli.settings.trusted_keys import trusted_keys
from spyrium_cli.terminal import write_data, write_line
from spyrium_log.messages import Reader, cause_name, comparison_text
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EPILOG = """\b
Examples:
  spyrium validate
  spyrium validate games/ old.jsonl --format jsonl
  spyrium validate games.jsonl.zst
  cat game.jsonl | spyrium validate -
  spyrium validate -r games --format junit

Exit code 0: all clean. 1: findings. 2: something cannot be read. A finding that was ruled or accepted, or that rests on
an assumed value of the sheet, is listed and does not count. Below a broken rule are legal moves in notation. A
signature names its signer only where your settings have its key (spyrium config set keys.NAME KEY): anybody can sign
what they rewrote. Of one game, each finding is listed with the commands that settle it. junit is for a club that
keeps its logs in git."""

COLUMNS = (
    *("file", "verdict", "game", "line", "event", "rule", "number", "expected", "found", "nearest", "on", "status"),
    *("ruled", "assumed", "chain", "seal"),
)
# Characters that no XML document may hold, not even escaped: compiled late, for that takes long.
_NOT_IN_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# The element that marks a test as failed; empty for one that passed.
_ELEMENT_BY_VERDICT = {"clean": "", "findings": "failure", "unusable": "error"}
STYLE_BY_VERDICT = {"clean": "green", "findings": "yellow", "unusable": "red"}
# Of the games of one verdict: how many, with how many open findings, and how many with an unfinished last line.
Counts: TypeAlias = Counter[Literal["games", "open", "unfinished"]]


@click.command("validate", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-r", "--recursive", is_flag=True, help="Include folders in folders, but not games that were put away.")
@processes_option
@quiet_option
@as_recorded
@formats("junit")
@pass_session
def validate_games(
    session: Session,
    paths: Sequence[str],
    recursive: bool,
    processes: int | None,
    quiet: bool,
    as_recorded: bool,
    form: str,
) -> int:
    """Check games against the rules and their own hashes.

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin (default: the whole archive).
    """
    # by verdict, and nothing else of the games: a pack may hold a million
    counts: dict[str, Counts] = {}
    games = select_games(session, paths, recursive=recursive)
    trusted = trusted_keys(session.settings)
    checked = check_games(games, process_count(processes), amended=not as_recorded)
    counted = _count_verdicts((apply_trusted_keys(verdict, trusted) for verdict in checked), counts)
    # a pack does not say how many games it holds
    verdicts = with_progress(counted, None, "validated", quiet=quiet, shown=form == "table")
    if form == "table":
        _draw_verdicts(verdicts, session, paths, as_recorded=as_recorded)
    else:
        _write_verdicts(verdicts, form, session.language)
    if not quiet:
        parts = [_summary_text(verdict, counts[verdict], session.language) for verdict in WORST if verdict in counts]
        say(", ".join(parts) or translate("validate.games", session.language))
    return max(map(WORST.index, counts), default=0)


def _count_verdicts(verdicts: Iterator[Verdict], counts: dict[str, Counts]) -> Iterator[Verdict]:
    """The same verdicts, each added to the counts of its kind."""
    for verdict in verdicts:
        count = counts.setdefault(verdict.verdict, Counter())
        count["games"] += 1
        count["open"] += verdict.open_count
        count["unfinished"] += verdict.is_unfinished
        yield verdict


def _summary_text(verdict: str, counts: Counts, language: str) -> str:
    """`1 with findings (13 open)`, for the games of one verdict."""
    name = translate(f"verdicts.{'with-findings' if verdict == 'findings' else verdict}", language)
    games = translate("validate.sum", language, n=counts["games"], verdict=name)
    numbers = {"open": counts["open"], "unfinished": counts["unfinished"]}
    parts = [translate(f"validate.{key}", language, n=number) for key, number in numbers.items() if number]
    return f"{games} ({', '.join(parts)})" if parts else games


def _write_verdicts(verdicts: Iterator[Verdict], form: str, language: str) -> None:
    """Write each verdict in the form of the call: a row for each finding, XML or objects."""
    if form in {"csv", "md"}:
        shown = language_of_form(form, language)
        rows = [row for verdict in verdicts for row in _finding_rows(verdict, shown)]
        tables = {"verdict": "verdicts", "on": "sides", "status": "verdicts", "seal": "signatures"}
        cells = translate_cells(COLUMNS, rows, tables, form, language)
        write(translate_headings(COLUMNS, "validate-heads", form, language), cells, form, null="")
    elif form == "junit":
        write_data(f'<?xml version="1.0" encoding="UTF-8"?>\n{junit_xml(verdicts)}\n')
    else:
        write_json(verdicts, form)


def _finding_rows(verdict: Verdict, language: str) -> Iterator[Sequence[object]]:
    """A row for each finding, or one row for a game without findings, each with the columns of the game."""
    game: dict[str, object] = {"file": verdict.file, "verdict": verdict.verdict, "game": verdict.game}
    reader = _reader_of_cells(verdict, language)
    if verdict.game is not None:
        chain = verdict.chain if language == ENGLISH else _chain_text(verdict.chain, language)
        game |= {"assumed": verdict.assumed, "chain": chain}
    if verdict.seal is not None:
        game["seal"] = verdict.seal.standing
    # the fields of a finding that have a column, and what its other columns hold
    rows = [
        structs.asdict(finding)
        | {"event": finding.ref, "nearest": " ".join(finding.nearest)}
        | {"expected": finding.expected.text_for(reader), "found": finding.found.text_for(reader)}
        | {"ruled": compared_moves_text(finding, structs.replace(reader, names=verdict.players))}
        for finding in verdict.findings
    ]
    if (damage := verdict.damage) is not None:
        # for programs, what ends a log is one more finding
        cells = {"rule": f"log.{damage.code}", "expected": damage.message.text_for(reader)}
        rows.append({"line": damage.line, **cells, "on": "record", "status": "open"})
    for row in rows or [{}]:
        yield [(game | row).get(column) for column in COLUMNS]


def _reader_of_cells(verdict: Verdict, language: str) -> Reader:
    """Who reads a row: for programs seats have numbers, and cards and resources the keys of the log."""
    if language == ENGLISH or verdict.title is None:
        return Reader(language, minus="-")
    return reader_of(TITLES[verdict.title], verdict.players, language)


def _chain_text(chain: str, language: str) -> str:
    """Whether the chain of a log holds, and how far."""
    if chain == "ok":
        return translate("validate.chain", language)
    # the number at the end of `holds up to line 12`
    return translate("validate.chain-broken", language, n=chain.rpartition(" ")[2])


def _draw_verdicts(verdicts: Iterator[Verdict], session: Session, paths: Sequence[str], *, as_recorded: bool) -> None:
    """Draw each game for people. Where it is the only one, each finding has the commands that settle it."""
    first = list(islice(verdicts, 2))
    # a finding of the first record may be settled already
    name = name_for_commands(session, paths, first[0]) if len(first) == 1 and not as_recorded else None
    for verdict in chain(first, verdicts):
        _draw_verdict(verdict, session.language, name)


def _draw_verdict(verdict: Verdict, language: str, name: str | None) -> None:
    """Draw one game for people: a line with the verdict and the file, then its seal, its findings and its damage."""
    words = {word: translate(f"verdicts.{word}", language) for word in WORST}
    line = text(f"{words[verdict.verdict]:<{max(map(len, words.values())) + 1}} ", STYLE_BY_VERDICT[verdict.verdict])
    line.append_text(text(verdict.file, "bold"))
    if verdict.game is not None:
        line.append_text(text(f": {_game_text(verdict, language)}"))
    draw(line)
    if (seal := verdict.seal) is not None:
        message = translate("validate.seal", language, by=seal.by, seal=seal.sentence(language))
        draw(text(f"  {translate('validate.line', language, line=seal.n + 1)}: {message}"))
    if verdict.title is not None:
        _draw_findings(verdict, reader_of(TITLES[verdict.title], verdict.players, language), name)
    if verdict.damage is not None:
        _draw_damage(verdict.damage, verdict.file, language)
        for settlement in find_salvage(verdict) if name else ():
            _write_settlement(settlement, language)


def _game_text(verdict: Verdict, language: str) -> str:
    """The players, the number of events, the chain and the assumed values of a game."""
    chain = _chain_text(verdict.chain, language)
    events = count_text(verdict.events, "event", language)
    assumed = count_text(verdict.assumed, "assumed value", language)
    players = ", ".join(verdict.players)
    game = translate("validate.game", language, players=players, events=events, chain=chain, assumed=assumed)
    return game if verdict.invented is None else f"{game}; {invented_set_text(verdict.invented, language)}"


def _place_text(ref: str, line: int, language: str) -> str:
    """`event 11 (line 12)`: the event as commands take it, the line as editors count."""
    return translate("validate.event", language, ref=ref, line=line)


def _draw_findings(verdict: Verdict, reader: Reader, name: str | None) -> None:
    """Draw each finding with its event; below it legal moves, or the same move by the rules, and what settles it."""
    # what is said of a move is said once, however many findings it has
    compared: set[str] = set()
    rewritten: set[str] = set()
    for finding in verdict.findings:
        where = _place_text(finding.ref, finding.line, reader.language)
        draw(text(f"  {where}: {finding_text(finding, reader, '')}"))
        if finding.ruled and finding.ref not in compared:
            _draw_compared_move(finding, reader)
            compared.add(finding.ref)
        elif finding.nearest and finding.ref not in compared:
            moves = translate("validate.nearest", reader.language, moves="; ".join(finding.nearest))
            draw(text(f"    {moves}", "dim"))
        for settlement in list_settlements(finding, verdict, name, reader.language) if name else ():
            if settlement.case != "slip" or finding.ref not in rewritten:
                _write_settlement(settlement, reader.language)
        rewritten.add(finding.ref)


def _write_settlement(settlement: Settlement, language: str) -> None:
    """Write a command and its case. It is there to be copied, so it is not folded to the width of the screen."""
    write_line(f"    {translate(f'settling.{settlement.case}', language)}: {settlement.command}")


def _draw_compared_move(finding: CheckedFinding, reader: Reader) -> None:
    """Draw a move by the rules beside what was recorded; `≠` marks what differs."""
    move = translate("validate.by-the-rules", reader.language, move=", ".join(finding.nearest))
    draw(text(f"    {move}", "dim"))
    table = grid("left", "right", "right", "left")
    headings = (translate("validate.rules", reader.language), translate("validate.recorded", reader.language))
    table.add_row("", *(text(heading, "dim") for heading in headings), "")
    for side in finding.ruled:
        style, mark = ("dim", "") if side.rules == side.recorded else ("", "≠")
        name, by_rules, recorded = _side_cells(side, reader)
        table.add_row(*(text(cell, style) for cell in (f"      {name}", by_rules, recorded, mark)))
    draw(table)


def _side_cells(side: Side, reader: Reader) -> tuple[str, str, str]:
    """The name of an amount, by the rules and as recorded: `Bob money (price)`, `−6`, `−5`; of a fact yes or no."""
    if side.of == "fact":
        by_rules, recorded = (
            translate("words.yes" if times else "words.no", reader.language) for times in (side.rules, side.recorded)
        )
        return side.what.text_for(reader), by_rules, recorded
    resource = reader.words["resources"][str(side.what)]
    name = f"{reader.player_name(side.who)} {resource} ({cause_name(side.why, reader.words) or side.why})"
    return name, signed(side.rules), signed(side.recorded)


def _draw_damage(damage: DamageReport, file: str, language: str) -> None:
    """Draw why the log in a file cannot be read, with a hint at what may have happened to it."""
    reader = Reader(language, minus="-")
    kind = f" [{translate(f'damage-kinds.{damage.kind}', language)}]" if damage.kind else ""
    hint_text = damage.hint.text_for(reader)
    hint = f" ({hint_text})" if hint_text else ""
    # without a line, the message has the place
    line = translate("validate.line", language, line=damage.line)
    other_file = "" if damage.file == file else f"{damage.file}: "
    place = f"{other_file}{line}: " if damage.line else ""
    draw(text(f"  {place}{damage.code}: {damage.message.text_for(reader)}{kind}{hint}"))


def junit_xml(verdicts: Iterable[Verdict]) -> str:
    """The verdicts as JUnit XML: open findings are a failure, an unreadable log an error, other findings output."""
    from xml.etree import ElementTree as ET

    suite = ET.Element("testsuite", name="spyrium validate")
    cases = [_add_case(suite, verdict) for verdict in verdicts]
    totals = {"tests": str(len(cases)), "failures": str(cases.count("failure")), "errors": str(cases.count("error"))}
    # the schema of Jenkins and pytest allows `skipped` on a suite only
    suite.attrib.update(totals, skipped="0")
    top = ET.Element("testsuites", totals)
    top.append(suite)
    ET.indent(top)
    return ET.tostring(top, encoding="unicode", xml_declaration=False)


def _add_case(suite: Element, verdict: Verdict) -> str:
    """Add the test of one game. Returns `failure` or `error`, the element in it that says what is wrong, or ''."""
    from xml.etree.ElementTree import SubElement

    name = f"{verdict.game or verdict.file} ({', '.join(verdict.players)})" if verdict.players else verdict.file
    file, _ = split_name(verdict.file)
    case = SubElement(suite, "testcase", name=_xml_text(name), classname="spyrium.log", file=_xml_text(file))
    open_findings = [_finding_line(verdict, finding) for finding in verdict.findings if finding.is_open]
    other_findings = [_finding_line(verdict, finding) for finding in verdict.findings if not finding.is_open]
    if (damage := verdict.damage) is not None:
        open_findings.append(f"{damage.file}:{damage.line}: {damage.code}: {damage.message}")
    if element := _ELEMENT_BY_VERDICT[verdict.verdict]:
        message = open_findings[0] if len(open_findings) == 1 else count_text(len(open_findings), "finding")
        fault = SubElement(case, element, message=_xml_text(message), type=verdict.verdict)
        fault.text = "\n".join(map(_xml_text, open_findings))
    if other_findings:
        SubElement(case, "system-out").text = "\n".join(map(_xml_text, other_findings))
    return element


def _finding_line(verdict: Verdict, finding: CheckedFinding) -> str:
    """`game.jsonl:12: turn.order (S-5.1): event 11: expected Bob, found Cy [ruled, on the record]`; what is legal."""
    number = f" ({finding.number})" if finding.number else ""
    difference = comparison_text(finding.expected, finding.found, Reader(names=verdict.players, minus="-"))
    sentence = f"{verdict.file}:{finding.line}: {finding.rule}{number}: event {finding.ref}: {difference}"
    moves = ", ".join(finding.nearest)
    if finding.ruled:
        sentence += f"; by the rules {moves}: {compared_moves_text(finding, Reader(names=verdict.players, minus='-'))}"
    elif moves:
        sentence += f"; nearest legal: {moves}"
    return sentence if finding.is_open else f"{sentence} [{finding.status}, on the {finding.on}]"


def _xml_text(text: str) -> str:
    """The text as XML may hold it: control characters written out, others that are no XML replaced."""
    return re.sub(_NOT_IN_XML, "\ufffd", plain(text, keep="\n\t"))
