"""`spyrium validate`: a verdict a game, and under it everything that speaks against it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from spyrium_cli.verdict import Verdict

EPILOG = """\b
Examples:
  spyrium validate
  spyrium validate games/ old.jsonl --format jsonl
  spyrium validate games.jsonl.zst
  cat game.jsonl | spyrium validate -

Exit code 0: all clean. 1: findings. 2: something cannot be read. A finding that was ruled or accepted, or that only
an assumed value of the sheet speaks for, is listed and does not count."""


@click.command("validate", cls=Verb, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "form", type=click.Choice(["table", "json", "jsonl"]), default="table", show_default=True)
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, paths: Sequence[str], form: str) -> None:
    """Check logs against the rules and their own hashes.

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin; without any, the whole archive.
    """
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.rows import write_json
    from spyrium_cli.verdict import WORST, checked

    seen: list[Seen] = []
    logs = _logs(session, paths or (str(session.archive),))
    verdicts = _noted((checked(name, read) for name, read in logs), seen)
    if form == "table":
        for verdict in verdicts:
            _tell(verdict)
    else:
        write_json(verdicts, form)
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


def _logs(session: Session, paths: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Each log's name, and how to read it: one that cannot be read is a verdict too."""
    from spyrium_cli.games import STDIN, read_log
    from spyrium_log.store import games_at, games_in

    for path in paths:
        if path == STDIN:
            found = games_in(sys.stdin.buffer.read, "<stdin>")
        elif Path(path).exists():
            found = games_at(Path(path))
        else:
            yield path, partial(read_log, session, path)
            continue
        for game in found:
            yield game.name, game.log


def _tell(verdict: Verdict) -> None:
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.text import counted
    from spyrium_log.shown import named

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
        where = f"{verdict.file}:{finding.line}: event {finding.ref}: "
        number = f" ({finding.number})" if finding.number else ""
        status = finding.status + (", on the sheet" if finding.on == "sheet" else "")
        found = named(f"expected {finding.expected}, found {finding.found}", verdict.players)
        draw(text(f"  {where}{finding.rule}{number}: {found} [{status}]"))
    if verdict.damage is not None:
        damage = verdict.damage
        kind = f" [{damage.kind}]" if damage.kind else ""
        hint = f" ({damage.hint})" if damage.hint else ""
        # Where there is no line, the sentence says where.
        place = f"{damage.file}:{damage.line}: " if damage.line else ""
        draw(text(f"  {place}{damage.code}: {damage.message}{kind}{hint}"))
