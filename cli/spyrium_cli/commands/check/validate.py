"""`spyrium validate`: a verdict a game, and under it everything that speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.options import as_recorded, processes_option, quiet_option
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_data

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import CheckedFinding, DamageReport, Side, Verdict

EPILOG = """\b
Examples:
  spyrium validate
  spyrium validate games/ old.jsonl --format jsonl
  spyrium validate games.jsonl.zst
  cat game.jsonl | spyrium validate -
  spyrium validate -r games --format junit

Exit code 0: all clean. 1: findings. 2: something cannot be read. A finding that was ruled or accepted, or that only
an assumed value of the sheet speaks for, is listed and does not count. Where a rule was broken, what it would have
allowed stands below the finding, in notation. A signature says who signed only where your settings name its key
(spyrium config set keys.NAME KEY): anybody can sign what they rewrote. junit is for a club that keeps its
logs in git."""

COLUMNS = (
    *("file", "verdict", "game", "line", "event", "rule", "number", "expected", "found", "nearest", "on", "status"),
    *("ruled", "assumed", "chain", "seal"),
)


@click.command("validate", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-r", "--recursive", is_flag=True, help="Folders in folders too, but not what was put away.")
@processes_option
@quiet_option
@as_recorded
@formats("junit")
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    paths: Sequence[str],
    recursive: bool,
    processes: int | None,
    quiet: bool,
    as_recorded: bool,
    form: str,
) -> None:
    """Check games against the rules and their own hashes.

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin; without any, the whole archive.
    """
    from spyrium_cli.games.lookup import select_games
    from spyrium_cli.games.verdict import WORST, with_trusted_keys
    from spyrium_cli.parallel.processes import process_count
    from spyrium_cli.parallel.validation import verdicts
    from spyrium_cli.render.progress import watched
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.words import translate
    from spyrium_cli.settings.trusted_keys import trusted_keys

    seen: dict[str, Sum] = {}
    games = select_games(session, paths, recursive=recursive)
    checked = verdicts(games, process_count(processes), amended=not as_recorded)
    # a pack does not say how many games it holds
    trusted = trusted_keys(session.settings)
    judged = (with_trusted_keys(verdict, trusted) for verdict in checked)
    watching = watched(judged, None, "validated", quiet=quiet, shown=form == "table")
    language = session.language
    _write(_noted(watching, seen), form, language)
    if not quiet:
        some = [_summed(word, seen[word], language) for word in WORST if word in seen]
        say(", ".join(some) or translate("validate.games", language))
    ctx.exit(max(map(WORST.index, seen), default=0))


class Sum:
    """The games of one verdict, counted as they go by: a pack may hold a million."""

    __slots__ = ("games", "open", "unfinished")

    def __init__(self) -> None:
        self.games = self.open = self.unfinished = 0


def _noted(verdicts: Iterator[Verdict], seen: dict[str, Sum]) -> Iterator[Verdict]:
    for verdict in verdicts:
        summed = seen.setdefault(verdict.verdict, Sum())
        summed.games += 1
        summed.open += verdict.open
        summed.unfinished += verdict.is_unfinished
        yield verdict


def _summed(word: str, summed: Sum, language: str) -> str:
    """`1 with findings (13 open)`."""
    from spyrium_cli.render.words import translate

    more = [translate("validate.open", language, n=summed.open)] if summed.open else []
    more += [translate("validate.unfinished", language, n=summed.unfinished)] if summed.unfinished else []
    called = translate(f"verdicts.{'with-findings' if word == 'findings' else word}", language)
    said = translate("validate.sum", language, n=summed.games, verdict=called)
    return f"{said} ({', '.join(more)})" if more else said


# --- how they are written ------------------------------------------------------------------------


def _write(verdicts: Iterator[Verdict], form: str, language: str) -> None:
    from spyrium_cli.render.rows import write, write_json

    if form == "table":
        for verdict in verdicts:
            _tell(verdict, language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for verdict in verdicts for row in _rows(verdict)], form, null="")
    elif form == "junit":
        from spyrium_cli.render.junit import junit

        write_data(f'<?xml version="1.0" encoding="UTF-8"?>\n{junit(verdicts)}\n')
    else:
        write_json(verdicts, form)


def _rows(verdict: Verdict) -> Iterator[tuple[Any, ...]]:
    """A row a finding; a game without any has a row too. What is said of the game stands in each."""
    from spyrium_cli.render.findings import side_by_side

    start = (verdict.file, verdict.verdict, verdict.game)
    seal = None if verdict.seal is None else verdict.seal.standing
    end = (None, None, seal) if verdict.game is None else (verdict.assumed, verdict.chain, seal)
    rows: list[tuple[Any, ...]] = []
    for found in verdict.findings:
        told = (found.rule, found.number, found.expected, found.found, " ".join(found.nearest), found.on, found.status)
        rows.append((found.line, found.ref, *told, side_by_side(found, verdict.players)))
    if (damage := verdict.damage) is not None:
        rows.append(
            (damage.line, None, f"log.{damage.code}", None, str(damage.message), None, None, "record", "open", None)
        )
    nothing = (None,) * (len(COLUMNS) - len(start) - len(end))
    yield from ((*start, *row, *end) for row in rows or [nothing])


def _tell(verdict: Verdict, language: str) -> None:
    from spyrium_cli.games.verdict import WORST
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.words import translate

    style = {"clean": "green", "findings": "yellow", "unusable": "red"}[verdict.verdict]
    words = {word: translate(f"verdicts.{word}", language) for word in WORST}
    line = text(f"{words[verdict.verdict]:<{max(map(len, words.values())) + 1}} ", style)
    line.append_text(text(verdict.file, "bold"))
    if verdict.game is not None:
        line.append_text(text(f": {_of_game(verdict, language)}"))
    draw(line)
    if (seal := verdict.seal) is not None:
        said = translate("validate.seal", language, by=seal.by, seal=seal.sentence(language))
        draw(text(f"  {verdict.file}:{seal.n + 1}: {said}"))
    compared: set[str] = set()
    for finding in verdict.findings:
        _tell_finding(verdict, finding, language)
        # side by side once, however much of the move is otherwise
        if finding.ref not in compared:
            _tell_nearest(verdict, finding, language)
        if finding.ruled:
            compared.add(finding.ref)
    if verdict.damage is not None:
        _tell_damage(verdict.damage, language)


def _of_game(verdict: Verdict, language: str) -> str:
    """Who played, how much of it there is, and what it rests on."""
    from spyrium_cli.render.text import counted
    from spyrium_cli.render.words import translate

    if verdict.chain == "ok":
        chain = translate("validate.chain", language)
    else:
        chain = translate("validate.chain-broken", language, n=verdict.chain.rpartition(" ")[2])
    return translate(
        "validate.game",
        language,
        players=", ".join(verdict.players),
        events=counted(verdict.events, "event", language),
        chain=chain,
        assumed=counted(verdict.assumed, "assumed value", language),
    )


def _tell_finding(verdict: Verdict, finding: CheckedFinding, language: str) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import finding_text
    from spyrium_cli.render.words import translate
    from spyrium_log.titles import TITLES

    where = f"{verdict.file}:{finding.line}: {translate('validate.event', language, ref=finding.ref)}: "
    said = finding_text(finding, TITLES[verdict.title or ""], verdict.players, language)
    draw(text(f"  {where}{said}"))


def _tell_nearest(verdict: Verdict, finding: CheckedFinding, language: str) -> None:
    """What would have been legal; or the same move, with what the rules make of it beside what was recorded."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.words import translate

    if not finding.ruled:
        if finding.nearest:
            moves = "; ".join(finding.nearest)
            draw(text(f"    {translate('validate.nearest', language, moves=moves)}", "dim"))
        return
    draw(text(f"    {translate('validate.by-the-rules', language, move=', '.join(finding.nearest))}", "dim"))
    table = grid("left", "right", "right", "left")
    heads = (translate("validate.rules", language), translate("validate.recorded", language))
    table.add_row("", *(text(head, "dim") for head in heads), "")
    for side in finding.ruled:
        style = "dim" if side.rules == side.recorded else ""
        told = _side(side, verdict, language)
        table.add_row(*(text(cell, style) for cell in (f"      {told[0]}", *told[1:], "" if style else "≠")))
    draw(table)


def _side(side: Side, verdict: Verdict, language: str) -> tuple[str, str, str]:
    """`Bob £ (price)`, `−6`, `−5`; of a fact whether it is there."""
    from spyrium_cli.render.text import signed
    from spyrium_cli.render.words import translate
    from spyrium_log.messages import Reader, cause_name
    from spyrium_log.titles import TITLES

    vocabulary = TITLES[verdict.title or ""].words.vocabulary(language)
    reader = Reader(language, verdict.players, vocabulary)
    if side.of == "fact":
        there = [translate("words.yes" if n else "words.no", language) for n in (side.rules, side.recorded)]
        return side.what.text_for(reader), there[0], there[1]
    resource = vocabulary["resources"][str(side.what)]
    what = f"{resource} ({cause_name(side.why, vocabulary) or side.why})"
    return f"{reader.player(side.who)} {what}", signed(side.rules), signed(side.recorded)


def _tell_damage(damage: DamageReport, language: str) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.messages import Reader

    reader = Reader(language, minus="-")
    kind = f" [{damage.kind}]" if damage.kind else ""
    hint = f" ({damage.hint.text_for(reader)})" if damage.hint else ""
    # Where there is no line, the sentence says where.
    place = f"{damage.file}:{damage.line}: " if damage.line else ""
    draw(text(f"  {place}{damage.code}: {damage.message.text_for(reader)}{kind}{hint}"))
