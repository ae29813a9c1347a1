"""`spyrium validate`: a verdict a game, and under it everything that speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, as_recorded, pass_session

if TYPE_CHECKING:
    from spyrium_cli.verdict import Damaged, Found, Verdict

EPILOG = """\b
Examples:
  spyrium validate
  spyrium validate games/ old.jsonl --format jsonl
  spyrium validate games.jsonl.zst
  cat game.jsonl | spyrium validate -
  spyrium validate -r games --format sarif

Exit code 0: all clean. 1: findings. 2: something cannot be read. A finding that was ruled or accepted, or that only
an assumed value of the sheet speaks for, is listed and does not count. Where a rule was broken, what it would have
allowed stands below the finding, in notation. sarif and junit are for a club that keeps its logs in git."""

COLUMNS = ("file", "verdict", "game", "line", "event", "rule", "number", "expected", "found", "nearest", "on", "status")


@click.command("validate", cls=Verb, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-r", "--recursive", is_flag=True, help="Folders in folders too, but not what was put away.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, and no sum at the end.")
@as_recorded
@formats("junit", "sarif")
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    paths: Sequence[str],
    recursive: bool,
    quiet: bool,
    as_recorded: bool,
    form: str,
) -> None:
    """Check logs against the rules and their own hashes.

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin; without any, the whole archive.
    """
    from spyrium_cli.many import games_of
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.progress import watched
    from spyrium_cli.verdict import WORST, checked

    seen: list[Seen] = []
    # a pack does not say how many games it holds
    games = games_of(session, paths, recursive=recursive)
    watching = watched(games, None, "validated", quiet=quiet, shown=form == "table")
    verdicts = (checked(game.name, game.log, amended=not as_recorded) for game in watching)
    _write(_noted(verdicts, seen), form)
    if not quiet:
        say(", ".join(_summed(word, seen) for word in WORST if any(one.verdict == word for one in seen)) or "no games")
    ctx.exit(max((WORST.index(one.verdict) for one in seen), default=0))


class Seen(NamedTuple):
    """What of a verdict is counted."""

    verdict: str
    open: int
    is_unfinished: bool


def _noted(verdicts: Iterator[Verdict], seen: list[Seen]) -> Iterator[Verdict]:
    for verdict in verdicts:
        seen.append(Seen(verdict.verdict, verdict.open, verdict.is_unfinished))
        yield verdict


def _summed(word: str, seen: Sequence[Seen]) -> str:
    """`1 with findings (13 open)`."""
    some = [one for one in seen if one.verdict == word]
    open_, unfinished = sum(one.open for one in some), sum(one.is_unfinished for one in some)
    more = ([f"{open_} open"] if open_ else []) + ([f"{unfinished} unfinished"] if unfinished else [])
    return f"{len(some)} {'with findings' if word == 'findings' else word}" + (f" ({', '.join(more)})" if more else "")


# --- how they are written ------------------------------------------------------------------------


def _write(verdicts: Iterator[Verdict], form: str) -> None:
    from spyrium_cli.render.rows import write, write_json

    if form == "table":
        for verdict in verdicts:
            _tell(verdict)
    elif form in {"csv", "md"}:
        write(COLUMNS, [row for verdict in verdicts for row in _rows(verdict)], form, null="")
    elif form == "junit":
        from spyrium_cli.render.junit import junit

        click.echo(f'<?xml version="1.0" encoding="UTF-8"?>\n{junit(verdicts)}')
    elif form == "sarif":
        from spyrium_cli.identity import version
        from spyrium_cli.render.said import pretty
        from spyrium_cli.render.sarif import sarif
        from spyrium_log.titles import TITLES

        rules = {rule: number for title in TITLES.values() for rule, number in title.rules.items()}
        click.echo(pretty(sarif(verdicts, version(), rules)))
    else:
        write_json(verdicts, form)


def _rows(verdict: Verdict) -> Iterator[tuple[Any, ...]]:
    """A row a finding; a game without any has a row too."""
    start = (verdict.file, verdict.verdict, verdict.game)
    for found in verdict.findings:
        told = (found.rule, found.number, found.expected, found.found, " ".join(found.nearest), found.on, found.status)
        yield (*start, found.line, found.ref, *told)
    if verdict.damage is not None:
        damage = verdict.damage
        yield (*start, damage.line, None, f"log.{damage.code}", None, damage.message, None, None, "record", "open")
    elif not verdict.findings:
        yield (*start, *([None] * (len(COLUMNS) - len(start))))


def _tell(verdict: Verdict) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import counted

    style = {"clean": "green", "findings": "yellow", "unusable": "red"}[verdict.verdict]
    line = text(f"{verdict.verdict:<9} ", style)
    line.append_text(text(verdict.file, "bold"))
    if verdict.game is not None:
        said = f": {', '.join(verdict.players)}; {counted(verdict.events, 'event')}; chain {verdict.chain}"
        line.append_text(text(f"{said}; rests on {counted(verdict.assumed, 'assumed value')}"))
    draw(line)
    if verdict.seal is not None:
        draw(text(f"  {verdict.file}:{verdict.seal.n + 1}: sealed by {verdict.seal.by}: {verdict.seal}"))
    for finding in verdict.findings:
        _tell_finding(verdict, finding)
    if verdict.damage is not None:
        _tell_damage(verdict.damage)


def _tell_finding(verdict: Verdict, finding: Found) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import told_finding

    where = f"{verdict.file}:{finding.line}: event {finding.ref}: "
    draw(text(f"  {where}{told_finding(finding, verdict.players)}"))
    if finding.nearest:
        draw(text(f"    nearest legal: {'; '.join(finding.nearest)}", "dim"))


def _tell_damage(damage: Damaged) -> None:
    from spyrium_cli.render.paper import draw, text

    kind = f" [{damage.kind}]" if damage.kind else ""
    hint = f" ({damage.hint})" if damage.hint else ""
    # Where there is no line, the sentence says where.
    place = f"{damage.file}:{damage.line}: " if damage.line else ""
    draw(text(f"  {place}{damage.code}: {damage.message}{kind}{hint}"))
