"""An option means the same in every command that takes it."""

from __future__ import annotations

from collections import defaultdict

import click

from spyrium_cli.main import cli
from spyrium_cli.options import HELP
from tests.reference import commands


def options() -> dict[str, set[str]]:
    """What the help says of each option, over the whole tree."""
    found: dict[str, set[str]] = defaultdict(set)
    for ctx in commands(cli, "spyrium"):
        for param in ctx.command.params:
            if isinstance(param, click.Option):
                name = next(name for name in param.opts if name.startswith("--") or len(param.opts) == 1)
                found[name].add(param.help or "")
    return found


def test_an_option_says_the_same_in_every_command() -> None:
    assert {name: texts for name, texts in options().items() if len(texts) != 1 or "" in texts} == {}


def test_what_is_shared_stands_in_one_place() -> None:
    found = options()
    assert HELP.keys() - found.keys() == set()
    assert {name: found[name] for name, text in HELP.items() if found[name] != {text}} == {}


def test_an_option_that_writes_lines_is_taken_with_the_others_of_its_kind() -> None:
    for ctx in commands(cli, "spyrium"):
        names = {param.name for param in ctx.command.params}
        assert "cmd" not in names or {"by", "wait"} <= names, ctx.command_path


def test_help_is_a_sentence_or_a_phrase_with_a_full_stop() -> None:
    for name, texts in options().items():
        for text in texts:
            assert text[0].isupper() or text[0] == "`", name
            assert text.endswith("."), name
