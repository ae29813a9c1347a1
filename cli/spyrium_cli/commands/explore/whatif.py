"""`spyrium whatif`: replay games under other rules or with another sheet."""

from __future__ import annotations

from collections.abc import Sequence

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import WrongCall
from spyrium_cli.games.experiments import Trial, write_outcomes
from spyrium_cli.options import edition_option, option, reading_option, title_option
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.settings.readings import edition_options, parse_options, split_pairs
from spyrium_cli.sheets.lookup import find_sheet

EPILOG = """\b
Examples:
  spyrium whatif --option engineering-scores=count
  spyrium whatif games.jsonl.zst --option taylorism-scores=end-of-round --format csv
  spyrium whatif --edition ru
  spyrium whatif --sheet own

Listed are the games whose scores or winners would be others had everybody decided the same, and those in which that
would have broken a rule. Score sheets, unfinished games and those with moves or cards that nobody recorded cannot be
judged: they are counted, reason by reason. Nothing is written.

Exit code 0: all was tried. 2: something cannot be read."""


@click.command("whatif", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@reading_option
@edition_option
@option("--sheet", metavar="SHEET")
@title_option
@formats()
@pass_session
def replay_under_other_rules(
    session: Session, paths: Sequence[str], options: Sequence[str], edition: str | None, sheet: str | None, form: str
) -> int:
    """Replay the same decisions under other rules.

    PATH is a file, a pack of games, a folder, the name of a game, or - for stdin; without any, the whole archive.
    """
    if not options and edition is None and sheet is None:
        raise WrongCall("nothing-to-try")
    title = session.title
    printed = edition_options(session.settings, title, edition)
    trial = Trial(
        options=parse_options([title], (*printed.items(), *split_pairs(options))),
        sheet=None if sheet is None else find_sheet(session, title, sheet),
        title=title.key,
    )
    return write_outcomes(session, paths, trial, form)
