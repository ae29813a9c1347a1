"""`spyrium deal`: a round by chance, for trying things out. At a real table, the table deals."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import Any

import click

from spyrium_cli.complaint import Refusal
from spyrium_cli.options import by_option, wait_option
from spyrium_cli.session import Session, Verb, pass_session
from spyrium_cli.terminal import write_line

EPILOG = """\b
Example:
  spyrium deal @last --seed 7"""


@click.command("deal", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.option("--seed", type=int, help="The same seed deals the same round.")
@by_option
@wait_option
@pass_session
def command(session: Session, log: str, seed: int | None, by: str | None) -> None:
    """Deal the next round by chance, to try things out."""
    from spyrium_cli.commands.play import next_of
    from spyrium_cli.games.lookup import check_playable, open_writer
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.surface import say
    from spyrium_log.play import Play

    seed = secrets.randbelow(1_000_000) if seed is None else seed
    chance = random.Random(seed)  # noqa: S311 - a seed that can be named is what is wanted

    def draw(pool: Sequence[Any], k: int) -> list[Any]:
        return chance.sample(list(pool), k)

    with open_writer(session, log) as writer:
        check_playable(writer.log)
        table = Play(writer.log, record=writer)
        if table.awaits().kind != "deal":
            raise Refusal(f"expected a round to be dealt, found that {next_of(table, 'en')}")
        language = session.language_of(table.title)
        act = table.title.deal(table.state, draw)
        notation = table.notation(act)
        sentence = table.sentence(act, language)
        line = table.do(act, by=by or scribe(), at=now())
    write_line(f"{line.n:>4}  {sentence}")
    say(f"dealt with --seed {seed}: {notation}")
