"""`spyrium simulate`: games of simulated players."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.commands.table.new import sheet_option
from spyrium_cli.options import (
    edition_option,
    force_option,
    option,
    processes_option,
    quiet_option,
    reading_option,
    seed_option,
    title_option,
)
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_cli.parallel.simulation import Form, Plan
    from spyrium_log.players import Simulation
    from spyrium_log.title import AnyTitle

EPILOG = """\b
Examples:
  spyrium simulate -n 3 --seed 7 --to simulated/
  spyrium simulate -n 2 --seats 2 --policies greedy,search:3 --seed 7 --to lab.jsonl.zst
  spyrium simulate -n 8 --policies random --vary-options --seed 7 --to lab.jsonl

Policies: random takes any legal act, greedy what looks best at once, search:N what does best in N playouts of the
round. They take turns at the seats, and a player is called like the policy. What ends in .jsonl or .jsonl.zst is one
pack, anything else a folder of logs.

The same words make the same bytes, with any number of processes. Interrupted and called again, it goes on where it was:
in a folder behind the games that are there, in a pack by the parts that lie beside it until it is whole."""


@click.command("simulate", cls=Command, epilog=EPILOG)
@click.option("-n", "many", type=click.IntRange(1, 10_000_000), default=100, show_default=True, help="How many games.")
@title_option
@option("--seats")
@click.option("--policies", default="greedy", show_default=True, help="Who plays, with commas between.")
@seed_option
@option("--to", "out", required=True, metavar="FOLDER|FILE")
@click.option("--vary-options", is_flag=True, help="Let each game read the rules in its own way.")
@processes_option
@force_option
@quiet_option
@edition_option
@reading_option
@sheet_option
@pass_session
def command(
    session: Session,
    many: int,
    seats: str | None,
    policies: str,
    seed: int | None,
    out: str,
    vary_options: bool,
    processes: int | None,
    force: bool,
    quiet: bool,
    edition: str | None,
    options: Sequence[str],
    sheet: IO[str] | None,
) -> None:
    """Simulate games from a seed."""
    from spyrium_cli.commands.table.new import edition_named, options_of, sheet_of
    from spyrium_cli.parallel.simulation import Plan, default_processes
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.settings.readings import parse_options

    title = session.title
    plan = Plan(
        title=title.key,
        seed=secrets.randbelow(1_000_000) if seed is None else seed,
        policies=tuple(word.strip() for word in policies.split(",")),
        seats=_seats(title, seats),
        options=tuple(sorted(parse_options([title], options_of(session, title, edition, options)).items())),
        edition=edition_named(session, edition),
        varied=vary_options,
        sheet=sheet_of(session, title, sheet),
    )
    # what is wrong with the plan is reported before anything is made
    simulation = plan.simulation()
    write = _write_pack if out.endswith((".jsonl", ".jsonl.zst")) else _write_folder
    new = write(plan, simulation, many, Path(out), processes or default_processes(plan, many), force=force, quiet=quiet)
    if not quiet:
        existing = f", {many - new} of them were there" if new < many else ""
        say(f"{count_text(many, 'game')} at {out}{existing} (--seed {plan.seed})")


def _seats(title: AnyTitle, text: str | None) -> tuple[int, ...]:
    """The numbers of players in a text such as 3, 2-5 or 2,4."""
    numbers: list[int] = []
    few, many = title.seats[0], title.seats[-1]
    for word in (f"{few}-{many}" if text is None else text).split(","):
        span = re.fullmatch(r" *([1-9])(?:-([1-9]))? *", word)
        seats = range(int(span[1]), int(span[2] or span[1]) + 1) if span else range(0)
        if not seats or seats[0] < few or seats[-1] > many:
            raise click.UsageError(f"expected --seats as {few}-{many}, {few} or {few},{many}, found '{text}'")
        numbers.extend(seats)
    return tuple(dict.fromkeys(numbers))


# --- a folder of logs ----------------------------------------------------------------------------


def _write_folder(
    plan: Plan, simulation: Simulation, many: int, out: Path, processes: int, *, force: bool, quiet: bool
) -> int:
    """Write each game as a log of its own; returns how many were new."""
    from spyrium_cli.parallel.simulation import shares, simulate
    from spyrium_cli.render.progress import with_progress
    from spyrium_log.store import Folder

    if force:
        raise click.UsageError("expected --force with a pack, found a folder: a log is never written over")
    folder = Folder(out)
    existing = set(folder.names())
    missing = [number for number in range(many) if simulation.game_id(number) not in existing]

    def games() -> Iterator[None]:
        for share in simulate(plan, shares(plan, missing), "games", processes):
            for game in share:
                folder.write_game(game)
                yield

    for _ in with_progress(games(), len(missing), "simulated", quiet=quiet):
        pass
    return len(missing)


# --- one pack ------------------------------------------------------------------------------------


def _write_pack(
    plan: Plan, simulation: Simulation, many: int, out: Path, processes: int, *, force: bool, quiet: bool
) -> int:
    """Write one pack, in parts that an interrupted call leaves behind; returns how many games were new."""
    from spyrium_cli.files import already_exists
    from spyrium_cli.parallel.simulation import shares, simulate
    from spyrium_cli.render.progress import with_progress
    from spyrium_log.errors import StoreError
    from spyrium_log.store import Parts

    form: Form = "pack.zst" if out.suffix == ".zst" else "pack"
    parts = Parts(out, sha256(simulation.identity.encode()).hexdigest()[:12])
    existing = parts.names()
    if out.exists() and not force and not existing:
        raise already_exists(out)
    shared = shares(plan, range(many))
    names = [f"{share[0]:08}-{len(share)}" for share in shared]
    missing = [index for index, name in enumerate(names) if name not in existing]

    def games() -> Iterator[None]:
        for index, raw in zip(missing, simulate(plan, [shared[i] for i in missing], form, processes), strict=True):
            parts.add(names[index], raw)
            yield from (None for _ in shared[index])

    total = sum(len(shared[index]) for index in missing)
    for _ in with_progress(games(), total, "simulated", quiet=quiet):
        pass
    try:
        parts.join(names, over=force)
    except StoreError as error:
        if isinstance(error.__cause__, FileExistsError):
            raise already_exists(out) from None
        raise
    return total
