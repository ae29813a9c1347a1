"""`spyrium simulate`: games of simulated players."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO

import click

from spyrium_cli import options as shared
from spyrium_cli.command import Command, pass_session
from spyrium_cli.commands.table.new import sheet_option
from spyrium_cli.complaint import WrongCall
from spyrium_cli.files import existing_file_refusal
from spyrium_cli.options import option
from spyrium_cli.parallel.simulation import Plan, choose_process_count, make_shares, simulate_logs, simulate_packs
from spyrium_cli.recording.new_game import collect_options, load_sheet, resolve_edition
from spyrium_cli.render.surface import tell, with_progress
from spyrium_cli.session import Session
from spyrium_cli.settings.readings import parse_options
from spyrium_log.errors import StoreError
from spyrium_log.messages import Count
from spyrium_log.players import Simulation
from spyrium_log.sheet import Sheet
from spyrium_log.store import LEVEL, Folder, Parts
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
@shared.title_option
@option("--seats")
@click.option("--policies", default="greedy", show_default=True, help="Who plays, with commas between.")
@shared.seed_option
@option("--to", "out", required=True, metavar="FOLDER|FILE")
@click.option("--vary-options", is_flag=True, help="Let each game read the rules in its own way.")
@shared.processes_option
@shared.force_option
@shared.quiet_option
@shared.edition_option
@shared.reading_option
@sheet_option
@pass_session
def simulate_games(
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
    title = session.title
    plan = Plan(
        title=title.key,
        # one of six digits is short enough to be typed again
        seed=secrets.randbelow(10**6) if seed is None else seed,
        policies=tuple(word.strip() for word in policies.split(",")),
        seats=_parse_seats(title, seats),
        options=tuple(sorted(parse_options([title], collect_options(session, title, edition, options)).items())),
        edition=resolve_edition(session, edition),
        varied=vary_options,
        sheet=_load_playable_sheet(session, title, sheet),
    )
    # what is wrong with the plan is reported before anything is made
    simulation = plan.simulation()
    is_pack = out.endswith((".jsonl", ".jsonl.zst"))
    if force and not is_pack:
        raise WrongCall("force-folder")
    processes = processes or choose_process_count(plan, many)
    if is_pack:
        new = _write_pack(plan, simulation, many, Path(out), processes, force=force, quiet=quiet)
    else:
        new = _write_folder(plan, simulation, many, Folder(Path(out)), processes, quiet=quiet)
    if not quiet:
        games, place = Count(many, "game"), str(out)
        if new < many:
            tell("said.simulated-some", games=games, place=place, n=many - new, seed=str(plan.seed))
        else:
            tell("said.simulated", games=games, place=place, seed=str(plan.seed))


def _load_playable_sheet(session: Session, title: AnyTitle, file: IO[str] | None) -> Sheet:
    """The sheet of a new game; where it is the usual one, and only a partial one, the first that can be played with."""
    sheet = load_sheet(session, title, file)
    return title.playable_sheet() if sheet == title.sheet() else sheet


def _parse_seats(title: AnyTitle, text: str | None) -> tuple[int, ...]:
    """The numbers of players in a text such as `3`, `2-5` or `2,4` (None: all that the title has)."""
    if text is None:
        return tuple(title.seats)
    numbers: list[int] = []
    for word in text.split(","):
        span = re.fullmatch(r" *([1-9])(?:-([1-9]))? *", word)
        seats = range(int(span[1]), int(span[2] or span[1]) + 1) if span else ()
        if not seats or not set(seats) <= set(title.seats):
            raise WrongCall("seats", least=title.seats[0], most=title.seats[-1], found=text)
        numbers.extend(seats)
    # each number once
    return tuple(dict.fromkeys(numbers))


def _write_folder(plan: Plan, simulation: Simulation, many: int, folder: Folder, processes: int, *, quiet: bool) -> int:
    """Write each game as a log of its own; returns how many were new."""
    existing = set(folder.list_names())
    missing = [number for number in range(many) if simulation.game_id(number) not in existing]
    games = chain.from_iterable(simulate_logs(plan, make_shares(plan, missing), processes))
    for game in with_progress(games, len(missing), "simulated", quiet=quiet):
        folder.write_game(game)
    return len(missing)


def _write_pack(
    plan: Plan, simulation: Simulation, many: int, out: Path, processes: int, *, force: bool, quiet: bool
) -> int:
    """Write one pack, in parts that an interrupted call leaves behind; returns how many games were new."""
    parts = Parts(out, sha256(simulation.identity.encode()).hexdigest()[:12])
    existing = parts.list_names()
    if out.exists() and not force and not existing:
        raise existing_file_refusal(out)
    shares = {f"{share[0]:08}-{len(share)}": share for share in make_shares(plan, range(many))}
    missing = {name: share for name, share in shares.items() if name not in existing}

    def write_parts() -> Iterator[None]:
        """Simulate and write each missing part; yields once for each game that is written, for the progress."""
        level = LEVEL if out.suffix == ".zst" else None
        packs = simulate_packs(plan, [*missing.values()], level, processes)
        for (name, share), raw in zip(missing.items(), packs, strict=True):
            parts.add(name, raw)
            yield from (None for _ in share)

    new = sum(map(len, missing.values()))
    for _ in with_progress(write_parts(), new, "simulated", quiet=quiet):
        pass
    try:
        parts.join(list(shares), over=force)
    except StoreError as error:
        if isinstance(error.__cause__, FileExistsError):
            raise existing_file_refusal(out) from None
        raise
    return new
