"""The reference of commands in README.md is what `--help` says. `python -m tests.test_reference` writes it anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from spyrium_cli.main import cli

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- reference -->", "<!-- /reference -->"
SECTION = re.compile(rf"^{BEGIN}$.*?^{END}$", re.MULTILINE | re.DOTALL)
WIDTH = 100


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
    """The help of every command, one after the other."""
    parts = [BEGIN]
    for ctx in commands(cli, "spyrium"):
        said = "\n".join(line.rstrip() for line in ctx.get_help().splitlines())
        parts.append(f"### {ctx.command_path}\n\n```text\n{said}\n```")
    return "\n\n".join([*parts, END])


def with_reference(text: str) -> str:
    """The text with its section made anew; it must have one."""
    assert len(SECTION.findall(text)) == 1, f"expected {BEGIN} and {END} once, each on a line of its own"
    return SECTION.sub(lambda _: reference(), text)


def test_the_reference_in_the_readme_is_what_the_help_says() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_reference(text) == text, "python -m tests.test_reference writes it"


def test_every_command_is_in_it() -> None:
    said = reference()
    paths = [ctx.command_path for ctx in commands(cli, "spyrium")]
    assert len(paths) > len(set(paths) & {"spyrium"})
    for path in paths:
        assert f"\n### {path}\n" in said
        assert f"Usage: {path} " in said


def main(path: str = str(README)) -> None:
    file = Path(path)
    file.write_text(with_reference(file.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{sum(1 for _ in commands(cli, 'spyrium'))} commands in {file}")


if __name__ == "__main__":
    main(*sys.argv[1:])
