"""The command tree: every command, its group and its summary.

Help prints these summaries without loading the commands, which would double its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spyrium_cli.command import Group

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Section(NamedTuple):
    """Commands under one heading of the help, in a folder of `commands`; `modules`: those that some commands share."""

    heading: str
    folder: str
    summaries: Mapping[str, str]
    modules: Mapping[str, str] = MappingProxyType({})

    def module_of(self, command: str) -> str:
        """The module of a command below `spyrium_cli.commands`: `table.play`, `share.import_`, `fix` for that group."""
        if command == self.folder:
            return self.folder
        usual_name = f"{command}_" if iskeyword(command) else command
        return f"{self.folder}.{self.modules.get(command, usual_name)}"


SECTIONS = (
    Section(
        "At the table",
        "table",
        {
            "record": "Record a game at the table, key by key.",
            "new": "Start a game.",
            "play": "Record moves in notation.",
            "undo": "Take back the last event, or all events after a line.",
            "score": "Record a game by its final scores alone.",
        },
        {"undo": "play"},
    ),
    Section(
        "Look",
        "look",
        {
            "games": "List the games of the archive, merge players, put games away.",
            "show": "Show the board, now or after any line, or list the lines of the log.",
            "replay": "Replay a game event by event, with the scores after each round.",
            "annotate": "Write notes on a game, and list them.",
        },
    ),
    Section("Put right", "fix", {"fix": "Correct a game, or record what the table counted or ruled."}),
    Section(
        "Check",
        "check",
        {
            "validate": "Check games against the rules and their own hashes.",
            "seal": "Seal a log, or keep and compare a checkpoint of it.",
        },
    ),
    Section(
        "Ask",
        "ask",
        {
            "query": "Query the archive in SQL.",
            "report": "Print a report about the archive.",
            "tables": "List the tables that query reads, and their columns.",
            "index": "Bring the tables of the archive up to date.",
        },
    ),
    Section(
        "Share",
        "share",
        {
            "export": "Write games in formats that others read.",
            "import": "Import games from other programs, spreadsheets or archives.",
        },
    ),
    Section(
        "Explore",
        "explore",
        {
            "simulate": "Simulate games from a seed.",
            "whatif": "Replay the same decisions under other rules.",
            "compare": "Compare two recordings of one game, and merge them.",
        },
    ),
    Section(
        "Set up",
        "setup",
        {
            "sheet": "Show and check the values printed on the components.",
            "config": "Show and change settings, and list where files are.",
            "doctor": "Look for problems on this machine.",
            "completion": "Print the completion script of a shell.",
            "demo": "Run a demonstration in a temporary folder.",
            "schema": "Print the JSON Schema of a log, of notes or of what a command prints.",
        },
    ),
)

# Every command by name, with its summary.
COMMANDS = {name: summary for section in SECTIONS for name, summary in section.summaries.items()}

FIXES = Section(
    "Commands",
    "fix",
    {
        "amend": "Correct an event, add one or drop one.",
        "count": "Record what the table counted, and compare it with the log.",
        "locate": "Find where a count went wrong, and what would explain it.",
        "adjust": "Record an amount that was ruled and belongs to no move.",
        "declare": "Record the final result as the table has it.",
        "accept": "Accept a finding, with a reason.",
        "header": "Correct who played, in which colour, who began, when and where.",
        "reading": "Record a value as it is printed on your own component.",
        "withdraw": "Withdraw a line that is not on the timeline.",
        "salvage": "Save what can be proved of a damaged log.",
    },
    dict.fromkeys(("count", "adjust", "declare", "accept", "header", "reading", "withdraw"), "lines"),
)


class LazyGroup(Group):
    """A group that loads a command when it is called."""

    def __init__(self, *args: Any, sections: tuple[Section, ...], **named: Any) -> None:
        """`sections`: the commands under their headings; all other arguments are those of click."""
        super().__init__(*args, **named)
        self._sections = sections
        self._section_of = {name: section for section in sections for name in section.summaries}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the help."""
        del ctx
        return list(self._section_of)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now; None for an unknown one."""
        del ctx
        if cmd_name not in self._section_of:
            return None
        module = import_module(f"spyrium_cli.commands.{self._section_of[cmd_name].module_of(cmd_name)}")
        commands = (value for value in vars(module).values() if isinstance(value, click.Command))
        return next(command for command in commands if command.name == cmd_name)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands before the options: they are what somebody looks for."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """For the shell, what may follow the word that is typed: commands with their summaries, without loading one."""
        from click.shell_completion import CompletionItem

        known = [
            CompletionItem(name, help=summary)
            for section in self._sections
            for name, summary in section.summaries.items()
            if name.startswith(incomplete)
        ]
        return [*known, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings, all in columns of one width."""
        del ctx
        width = max(map(len, self._section_of))
        for section in self._sections:
            with formatter.section(section.heading):
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in section.summaries.items()])
