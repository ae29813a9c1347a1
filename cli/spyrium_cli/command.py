"""Commands and groups of `spyrium`: what all of them take, and the game that a call leaves out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import click

from spyrium_cli.complaint import WrongCall
from spyrium_cli.completion.values import add_completion
from spyrium_cli.session import Session, session_of

# Commands that can repair settings: a language that is wrong there does not stop them.
REPAIRING = ("completion", "config", "doctor")
# The game last written, and the last one that is not over.
LAST, OPEN = "@last", "@open"
_GAME_BY_AGE = re.compile(r"@(?:last(?:~\d+)?|open)")
# A shorter word may be a move.
SHORTEST_ID = 4

pass_session = click.make_pass_decorator(Session)


def common_options(*, hidden: bool = False) -> list[click.Parameter]:
    """Options that may stand before and after the name of a command."""
    option: Callable[..., click.Option] = partial(click.Option, hidden=hidden)
    return [
        option(
            ["--archive"],
            type=click.Path(file_okay=False),
            help="The folder of logs [SPYRIUM_ARCHIVE] (default: the platform's data directory).",
        ),
        option(
            ["--lang"],
            metavar="LANGUAGE",
            help="The language of sentences and tables [SPYRIUM_LANG]; help and formats for programs are in English.",
        ),
        option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            help="When to write in colour [SPYRIUM_COLOR]; auto minds NO_COLOR and FORCE_COLOR.",
        ),
        option(["--debug"], is_flag=True, default=None, help="Show the traceback of an error."),
    ]


def _settle_common_options(ctx: click.Context) -> None:
    """Move the values of the common options from the parameters of the command to the session."""
    session = session_of(ctx)
    for key in ("archive", "lang", "color"):
        if value := ctx.params.pop(key, None):
            session.flags[key] = value
    if ctx.params.pop("debug", None):
        session.debug = True


class GameArgument(click.Argument):
    """The game that a command works on. A call may leave it out, even where other arguments follow."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """The arguments are those of click. Unless `required`, the game is the last one, or another `default`."""
        defaults = {} if named.get("required") else {"metavar": "[GAME]", "default": LAST}
        super().__init__(*args, **{**defaults, **named})


class Command(click.Command):
    """A command that takes the common options too, and whose games and names the shell completes."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """The arguments are those of click. The common options are hidden: the help of `spyrium` alone lists them."""
        super().__init__(*args, **named)
        self.params.extend(common_options(hidden=True))
        for param in self.params:
            add_completion(param)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the default game first where the call leaves it out."""
        arguments = [param for param in self.params if isinstance(param, click.Argument)]
        game = arguments[0] if arguments else None
        if isinstance(game, GameArgument) and self._leaves_out_game(ctx, args, arguments[1:]):
            args = [str(game.default), *args]
        unparsed = super().parse_args(ctx, args)
        _settle_common_options(ctx)
        return unparsed

    def _leaves_out_game(self, ctx: click.Context, args: Sequence[str], others: Sequence[click.Argument]) -> bool:
        """Whether the call names no game before its `others`: its first word is no game, or belongs to one of these."""
        if not others:
            return False
        # while a shell completes a word, more words may follow
        is_complete = not ctx.resilient_parsing
        words, archive = self._split_words(ctx, args)
        if not words:
            return is_complete
        if isinstance(others[0], GameArgument):
            if not is_complete:
                return False
        elif is_game_name(ctx, words[0], archive):
            return False
        takes_one_word_each = all(param.required and param.nargs == 1 for param in others)
        # a word too many is meant as the game, though there is none of that name
        return not (is_complete and takes_one_word_each and len(words) > len(others))

    def _split_words(self, ctx: click.Context, args: Sequence[str]) -> tuple[list[str], str | None]:
        """The words of a call that belong to arguments, and its `--archive`; none of them is checked yet."""
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        words: list[str] = []
        for param in self.params:
            value = values.get(param.name or "") if isinstance(param, click.Argument) else None
            if isinstance(value, str):
                words.append(value)
            elif isinstance(value, tuple):
                words.extend(value)
        archive = values.get("archive")
        return words, archive if isinstance(archive, str) else None

    def invoke(self, ctx: click.Context) -> None:
        """Run the command once the language of the call is known to exist. An int that it returns is the exit code."""
        # an unknown language is refused by every command, also by one that prints no sentence
        session = session_of(ctx)
        if "lang" in session.flags or ctx.find_root().invoked_subcommand not in REPAIRING:
            _ = session.language
        if exit_code := super().invoke(ctx):
            ctx.exit(exit_code)


def is_game_name(ctx: click.Context, word: str, archive: str | None) -> bool:
    """Whether a word names a game by its form, or begins an id in the archive (None: that of the settings)."""
    if word == "-" or _GAME_BY_AGE.fullmatch(word) or os.path.lexists(word):
        return True
    if not word or any(map(str.isspace, word)):
        return False
    if "/" in word or word.endswith((".jsonl", ".jsonl.zst")) or os.path.lexists(word.partition("#")[0]):
        return True
    with suppress(OSError), os.scandir(archive or session_of(ctx).archive) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(".jsonl") and entry.name[0] != "."]
        return any(name == f"{word}.jsonl" or (len(word) >= SHORTEST_ID and name.startswith(word)) for name in names)
    return False


class Group(click.Group):
    """A command that has commands of its own."""

    command_class = Command

    def __init__(self, *args: Any, **named: Any) -> None:
        """The arguments are those of click. The common options are hidden, except in `spyrium`, which lists them."""
        super().__init__(*args, **named)
        names = {param.name for param in self.params}
        self.params.extend(option for option in common_options(hidden=True) if option.name not in names)
        for param in self.params:
            add_completion(param)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the group, and hand the common ones to the session."""
        unparsed = super().parse_args(ctx, args)
        _settle_common_options(ctx)
        return unparsed

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which they are defined."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a name; an unknown one is refused with a suggestion."""
        _check_command_name(ctx, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


def _check_command_name(ctx: click.Context, word: str, names: Sequence[str]) -> None:
    """Refuse an unknown command, and suggest one that is near, or `games merge` for `merge`."""
    if word in names or word.startswith("-") or ctx.resilient_parsing:
        return
    from difflib import get_close_matches

    suggestions = get_close_matches(word, names, n=1)
    if not suggestions and isinstance(ctx.command, click.Group):
        groups = [(name, ctx.command.get_command(ctx, name)) for name in names]
        suggestions = [
            f"{name} {word}"
            for name, group in groups
            if isinstance(group, click.Group) and word in group.list_commands(ctx)
        ]
    if suggestions:
        error = WrongCall("no-command-near", found=word, near=suggestions[0])
    else:
        error = WrongCall("no-command", found=word, known=", ".join(names))
    error.ctx = ctx
    raise error
