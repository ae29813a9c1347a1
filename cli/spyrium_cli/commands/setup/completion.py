"""`spyrium completion`: the script by which a shell completes."""

from __future__ import annotations

import click

from spyrium_cli.session import Verb
from spyrium_cli.terminal import write_data

EPILOG = """\b
Examples:
  spyrium completion bash
  spyrium completion zsh
  spyrium completion fish
  spyrium completion powershell

\b
To have it in every shell:
  bash        eval "$(spyrium completion bash)"          in ~/.bashrc
  zsh         eval "$(spyrium completion zsh)"           in ~/.zshrc
  fish        spyrium completion fish | source           in ~/.config/fish/config.fish
  powershell  spyrium completion powershell | Out-String | Invoke-Expression   in $PROFILE

Games are completed with who played them and when; lines of a log and legal acts with what they say; options, cards,
colours, languages, editions, settings, tags and the names of players, too."""

SHELLS = ("bash", "zsh", "fish", "powershell")


@click.command("completion", cls=Verb, epilog=EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    from spyrium_cli.complaint import Complaint
    from spyrium_cli.completion.shells import ASKED, register
    from spyrium_cli.main import cli

    register()
    made = get_completion_class(shell)
    if made is None:
        raise Complaint(f"expected click 8.5 or newer for {shell}, found an older one")
    write_data(f"{made(cli, {}, 'spyrium', ASKED).source()}\n")
