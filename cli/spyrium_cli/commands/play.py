"""`spyrium play`: acts in notation become events, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from spyrium_log.errors import IllegalError
    from spyrium_log.play import Play
    from spyrium_log.store import Writer

EPILOG = """\b
Examples:
  spyrium play @last "deal windfall:2 estate mine-1 miner:2 adviser:31 ..."
  spyrium play @last "anna: p12" "bob: p25" "x"
  spyrium play @last --file moves.txt

\b
  p12            a worker in the gap between spaces 1 and 2
  g12.1  a12.1   with that worker: gain money, or activate the card, on space 1
  e  u2.1  x     the event; effect 1 of the building in slot 2; pass
  > before it    move to phase II and do it at once
  final          the final count

Say who it was where you like: a name, a colour, or a beginning that only one has. In a file # begins a comment."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line as somebody wrote it, and where."""

    text: str
    where: str = ""


@click.command("play", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.argument("notation", nargs=-1)
@click.option("--file", "file", type=click.File("r", encoding="utf-8"), help="Lines of notation; - is stdin.")
@click.option("--anyway", is_flag=True, help="The table did it, though the rules speak against it.")
@click.option("--by", envvar="SPYRIUM_BY", show_envvar=True, help="Who records; your login if not said.")
@click.option("-q", "--quiet", is_flag=True, help="Do not repeat what was recorded.")
@pass_session
def command(
    session: Session,
    log: str,
    notation: Sequence[str],
    file: IO[str] | None,
    anyway: bool,
    by: str | None,
    quiet: bool,
) -> None:
    """Record what was played.

    Every NOTATION is one act: a deal, a move, the final count. If one is refused, none is recorded.
    """
    from spyrium_cli.identity import scribe
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.text import counted, plain
    from spyrium_log.play import Play

    lines = _lines(notation, file)
    folder = session.folder()
    with folder.writer(folder.resolve(log)) as writer:
        language = session.language_of(writer.log.title)
        acts = rehearsed(Play(writer.log), lines, language, anyway=anyway)
        table = Play(writer.log)
        told = [*recorded(writer, table, acts, by or scribe(), language, anyway=anyway)]
    if not quiet:
        for n, sentence in told:
            click.echo(f"{n:>4}  {plain(sentence)}")
    say(f"recorded {counted(len(told), 'event')}; {next_of(table)}")


def _lines(notation: Sequence[str], file: IO[str] | None) -> list[Said]:
    if bool(notation) == bool(file):
        raise click.UsageError("expected notation or --file, one of them")
    if file is None:
        return [Said(text) for text in notation]
    lines = [Said(text.partition("#")[0].strip(), f" at {file.name}:{at}") for at, text in enumerate(file, 1)]
    return [line for line in lines if line.text]


def rehearsed(table: Play, lines: Sequence[Said], language: str, *, anyway: bool) -> list[Any]:
    """The acts, each tried on the table after those before it; the first that is refused refuses them all."""
    from spyrium_cli.spoken import seated
    from spyrium_log.errors import IllegalError, NotationError

    seats = table.header.seats
    names, colours = [seat.player for seat in seats], [seat.colour for seat in seats]
    acts = []
    for line in lines:
        try:
            act = table.read(seated(line.text, names, colours))
            event = table.event(act, by="rehearsal", anyway=anyway)
        except NotationError as error:
            raise Complaint(f"{error}{line.where}") from None
        except IllegalError as error:
            raise Refusal("\n".join(_refusal(table, line, error, language))) from None
        _remark(table, act)
        table.add(event)
        acts.append(act)
    return acts


def _refusal(table: Play, line: Said, error: IllegalError, language: str) -> Iterator[str]:
    from spyrium_log.play import sentence

    yield f"refused: '{line.text}'{line.where}; nothing was recorded"
    for breach in error.breaches:
        yield f"  {breach}{' [on the sheet]' if breach.on == 'sheet' else ''}"
    names = [seat.player for seat in table.header.seats]
    if error.nearest:
        yield "nearest legal moves:"
        width = max(len(notation) for notation in error.nearest)
        for notation in error.nearest:
            told = sentence(table.title, table.state, table.read(notation), names, language)
            yield f"  {notation:<{width}}  {told}"


def _remark(table: Play, act: Any) -> None:
    """What is recorded all the same, but not without a word."""
    from spyrium_cli.render.paper import say

    for breach in table.title.breaches(table.state, act):
        what = "the sheet" if breach.on == "sheet" else "the rules"
        say(f"against {what}: {breach}")


def recorded(
    writer: Writer, table: Play, acts: Sequence[Any], by: str, language: str, *, anyway: bool
) -> Iterator[tuple[int, str]]:
    """Each act on the disk, then its number and its sentence."""
    from spyrium_cli.identity import now
    from spyrium_log.play import sentence

    names = [seat.player for seat in table.header.seats]
    for act in acts:
        told = sentence(table.title, table.state, act, names, language)
        line = writer.append(table.event(act, by=by, at=now(), anyway=anyway))
        table.add(line)
        yield line.n, told


def next_of(table: Play) -> str:
    """What the table waits for."""
    from spyrium_cli.render.turns import awaited

    return awaited(table.awaits(), [seat.player for seat in table.header.seats])
