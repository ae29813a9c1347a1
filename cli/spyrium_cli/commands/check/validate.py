"""`spyrium validate`: a verdict for each game, with its findings."""

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

Exit code 0: all clean. 1: findings. 2: something cannot be read. A finding that was ruled or accepted, or that rests on
an assumed value of the sheet, is listed and does not count. Below a broken rule are legal moves in notation. A
signature names its signer only where your settings have its key (spyrium config set keys.NAME KEY): anybody can sign
what they rewrote. junit is for a club that keeps its logs in git."""

COLUMNS = (
    *("file", "verdict", "game", "line", "event", "rule", "number", "expected", "found", "nearest", "on", "status"),
    *("ruled", "assumed", "chain", "seal"),
)


@click.command("validate", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-r", "--recursive", is_flag=True, help="Include folders in folders, but not games that were put away.")
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

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin (default: the whole archive).
    """
    from spyrium_cli.games.lookup import select_games
    from spyrium_cli.games.verdict import WORST, with_trusted_keys
    from spyrium_cli.parallel.processes import process_count
    from spyrium_cli.parallel.validation import verdicts
    from spyrium_cli.render.progress import with_progress
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import translate
    from spyrium_cli.settings.trusted_keys import trusted_keys

    counts: dict[str, Count] = {}
    games = select_games(session, paths, recursive=recursive)
    checked = verdicts(games, process_count(processes), amended=not as_recorded)
    # a pack does not say how many games it holds
    trusted = trusted_keys(session.settings)
    judged = (with_trusted_keys(verdict, trusted) for verdict in checked)
    watching = with_progress(judged, None, "validated", quiet=quiet, shown=form == "table")
    language = session.language
    _write(_counted(watching, counts), form, language)
    if not quiet:
        parts = [_summary(word, counts[word], language) for word in WORST if word in counts]
        say(", ".join(parts) or translate("validate.games", language))
    ctx.exit(max(map(WORST.index, counts), default=0))


class Count:
    """Counts of the games of one verdict; a pack may hold a million games."""

    __slots__ = ("games", "open", "unfinished")

    def __init__(self) -> None:
        self.games = self.open = self.unfinished = 0


def _counted(verdicts: Iterator[Verdict], counts: dict[str, Count]) -> Iterator[Verdict]:
    for verdict in verdicts:
        count = counts.setdefault(verdict.verdict, Count())
        count.games += 1
        count.open += verdict.open
        count.unfinished += verdict.is_unfinished
        yield verdict


def _summary(word: str, count: Count, language: str) -> str:
    """`1 with findings (13 open)`."""
    from spyrium_cli.render.text import translate

    more = [translate("validate.open", language, n=count.open)] if count.open else []
    more += [translate("validate.unfinished", language, n=count.unfinished)] if count.unfinished else []
    verdict = translate(f"verdicts.{'with-findings' if word == 'findings' else word}", language)
    message = translate("validate.sum", language, n=count.games, verdict=verdict)
    return f"{message} ({', '.join(more)})" if more else message


# --- output --------------------------------------------------------------------------------------


def _write(verdicts: Iterator[Verdict], form: str, language: str) -> None:
    """Write the verdicts in a format."""
    from spyrium_cli.render.rows import write, write_json

    if form == "table":
        for verdict in verdicts:
            _draw(verdict, language)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for verdict in verdicts for row in _rows(verdict)], form, null="")
    elif form == "junit":
        from spyrium_cli.render.junit import junit

        write_data(f'<?xml version="1.0" encoding="UTF-8"?>\n{junit(verdicts)}\n')
    else:
        write_json(verdicts, form)


def _rows(verdict: Verdict) -> Iterator[tuple[Any, ...]]:
    """A row for each finding, or one row for a game without findings, each with the columns of the game."""
    from spyrium_cli.render.sentences import compared_moves_text

    start = (verdict.file, verdict.verdict, verdict.game)
    seal = None if verdict.seal is None else verdict.seal.standing
    end = (None, None, seal) if verdict.game is None else (verdict.assumed, verdict.chain, seal)
    rows: list[tuple[Any, ...]] = []
    for finding in verdict.findings:
        rule = (finding.rule, finding.number, finding.expected, finding.found)
        cells = (*rule, " ".join(finding.nearest), finding.on, finding.status)
        rows.append((finding.line, finding.ref, *cells, compared_moves_text(finding, verdict.players)))
    if (damage := verdict.damage) is not None:
        rows.append(
            (damage.line, None, f"log.{damage.code}", None, str(damage.message), None, None, "record", "open", None)
        )
    nothing = (None,) * (len(COLUMNS) - len(start) - len(end))
    yield from ((*start, *row, *end) for row in rows or [nothing])


def _draw(verdict: Verdict, language: str) -> None:
    """Draw the verdict of a game, and its findings below it."""
    from spyrium_cli.games.verdict import WORST
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import translate

    style = {"clean": "green", "findings": "yellow", "unusable": "red"}[verdict.verdict]
    words = {word: translate(f"verdicts.{word}", language) for word in WORST}
    line = text(f"{words[verdict.verdict]:<{max(map(len, words.values())) + 1}} ", style)
    line.append_text(text(verdict.file, "bold"))
    if verdict.game is not None:
        line.append_text(text(f": {_game_text(verdict, language)}"))
    draw(line)
    if (seal := verdict.seal) is not None:
        message = translate("validate.seal", language, by=seal.by, seal=seal.sentence(language))
        draw(text(f"  {verdict.file}:{seal.n + 1}: {message}"))
    compared: set[str] = set()
    for finding in verdict.findings:
        _draw_finding(verdict, finding, language)
        # side by side once, however much of the move is otherwise
        if finding.ref not in compared:
            _draw_nearest(verdict, finding, language)
        if finding.ruled:
            compared.add(finding.ref)
    if verdict.damage is not None:
        _draw_damage(verdict.damage, language)


def _game_text(verdict: Verdict, language: str) -> str:
    """The players, the number of events, the chain and the assumed values of a game."""
    from spyrium_cli.render.text import count_text, translate

    if verdict.chain == "ok":
        chain = translate("validate.chain", language)
    else:
        chain = translate("validate.chain-broken", language, n=verdict.chain.rpartition(" ")[2])
    return translate(
        "validate.game",
        language,
        players=", ".join(verdict.players),
        events=count_text(verdict.events, "event", language),
        chain=chain,
        assumed=count_text(verdict.assumed, "assumed value", language),
    )


def _draw_finding(verdict: Verdict, finding: CheckedFinding, language: str) -> None:
    """Draw a finding with its file, line and event."""
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.sentences import finding_text
    from spyrium_cli.render.text import translate
    from spyrium_log.titles import TITLES

    where = f"{verdict.file}:{finding.line}: {translate('validate.event', language, ref=finding.ref)}: "
    message = finding_text(finding, TITLES[verdict.title or ""], verdict.players, language)
    draw(text(f"  {where}{message}"))


def _draw_nearest(verdict: Verdict, finding: CheckedFinding, language: str) -> None:
    """Draw what would have been legal, or the same move by the rules beside what was recorded."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.text import translate

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
        cells = _side(side, verdict, language)
        table.add_row(*(text(cell, style) for cell in (f"      {cells[0]}", *cells[1:], "" if style else "≠")))
    draw(table)


def _side(side: Side, verdict: Verdict, language: str) -> tuple[str, str, str]:
    """Cells such as `Bob money (price)`, `−6`, `−5`; of a fact, whether it is there."""
    from spyrium_cli.render.text import signed, translate
    from spyrium_log.messages import Reader, cause_name
    from spyrium_log.titles import TITLES

    vocabulary = TITLES[verdict.title or ""].words.vocabulary(language)
    reader = Reader(language, verdict.players, vocabulary)
    if side.of == "fact":
        there = [translate("words.yes" if n else "words.no", language) for n in (side.rules, side.recorded)]
        return side.what.text_for(reader), there[0], there[1]
    resource = vocabulary["resources"][str(side.what)]
    what = f"{resource} ({cause_name(side.why, vocabulary) or side.why})"
    return f"{reader.player_name(side.who)} {what}", signed(side.rules), signed(side.recorded)


def _draw_damage(damage: DamageReport, language: str) -> None:
    """Draw why a log cannot be read."""
    from spyrium_cli.render.paper import draw, text
    from spyrium_log.messages import Reader

    reader = Reader(language, minus="-")
    kind = f" [{damage.kind}]" if damage.kind else ""
    hint = damage.hint.text_for(reader)
    hint = f" ({hint})" if hint else ""
    # without a line, the message has the place
    place = f"{damage.file}:{damage.line}: " if damage.line else ""
    draw(text(f"  {place}{damage.code}: {damage.message.text_for(reader)}{kind}{hint}"))
