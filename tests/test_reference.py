"""`docs/reference/commands.md` holds what `--help` prints. `python -m tests.test_reference` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from spyrium_cli.main import cli

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"
WIDTH = 100
HEAD = """# Commands

What `spyrium --help` and `spyrium COMMAND --help` print."""


def commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """The command and those below it, each with the context in which its help is written."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    ctx = click.Context(command, info_name=name, parent=parent, **settings)
    yield ctx
    if isinstance(command, click.Group):
        for word in command.list_commands(ctx):
            below = command.get_command(ctx, word)
            assert below is not None
            yield from commands(below, word, ctx)


def reference() -> str:
    """The page: the help of every command, one after the other."""
    parts = [HEAD]
    for ctx in commands(cli, "spyrium"):
        help_text = "\n".join(line.rstrip() for line in ctx.get_help().splitlines())
        parts.append(f"## {ctx.command_path}\n\n```text\n{help_text}\n```")
    return "\n\n".join(parts) + "\n"


def test_the_page_of_commands_is_what_the_help_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "python -m tests.test_reference writes it"


def test_every_command_is_on_the_page() -> None:
    text = reference()
    paths = [ctx.command_path for ctx in commands(cli, "spyrium")]
    assert len(paths) > len(set(paths) & {"spyrium"})
    for path in paths:
        assert f"\n## {path}\n" in text
        assert f"Usage: {path} " in text


def main() -> None:
    PAGE.write_text(reference(), encoding="utf-8")
    print(f"{sum(1 for _ in commands(cli, 'spyrium'))} commands in {PAGE}")


if __name__ == "__main__":
    main()
