"""`spyrium completion`: completion scripts for shells."""

from __future__ import annotations

import click

from spyrium_cli.command import Command
from spyrium_cli.completion.shells import COMPLETERS, VARIABLE
from spyrium_cli.terminal import write_data

EPILOG = """\b
Example:
  spyrium completion bash

\b
To have it in every shell:
  bash        eval "$(spyrium completion bash)"          in ~/.bashrc
  zsh         eval "$(spyrium completion zsh)"           in ~/.zshrc
  fish        spyrium completion fish | source           in ~/.config/fish/config.fish
  powershell  spyrium completion powershell | Out-String | Invoke-Expression   in $PROFILE

Games are completed with who played them and when; names of players, cards, and
whatever has a fixed set of values, too."""


@click.command("completion", cls=Command, epilog=EPILOG)
@click.argument("shell", type=click.Choice(list(COMPLETERS)))
def print_completion_script(shell: str) -> None:
    """Print the completion script of a shell."""
    from spyrium_cli.main import cli

    write_data(f"{COMPLETERS[shell](cli, {}, 'spyrium', VARIABLE).source()}\n")
