"""`spyrium completion`: the script by which a shell completes."""

from __future__ import annotations

import click

from spyrium_cli.session import Verb

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

Games are completed with who played them and when, and so are the names of players."""

SHELLS = ("bash", "zsh", "fish", "powershell")


@click.command("completion", cls=Verb, epilog=EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print what makes your shell complete commands, games and names."""
    from click.shell_completion import get_completion_class

    from spyrium_cli.complaint import Complaint
    from spyrium_cli.main import cli

    made = get_completion_class(shell)
    if made is None:
        raise Complaint(f"expected click 8.5 or newer for {shell}, found an older one")
    click.echo(made(cli, {}, "spyrium", "_SPYRIUM_COMPLETE").source())
