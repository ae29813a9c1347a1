"""`spyrium fix`: corrections, and what the table counted or ruled."""

import click

from spyrium_cli.tree import FIXES, LazyGroup

EPILOG = """\b
Examples:
  spyrium fix amend @last 2 "anna: p12" --misrecorded --why "wrong gap"
  spyrium fix count @last "anna points 14, bob points 8"
  spyrium fix header @last --place "the club" --why "it was missing"

Nothing is deleted: every correction is a line of the log, and can be taken back."""


@click.group("fix", cls=LazyGroup, sections=(FIXES,), epilog=EPILOG)
def fix() -> None:
    """Correct a game, or record what the table counted or ruled."""
