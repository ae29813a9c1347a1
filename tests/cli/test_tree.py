"""The whole command tree on a title that is not Spyrium: no command knows more of a title than its door says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from spyrium_cli.exporting.forms import BUNDLES, FORMS
from spyrium_cli.main import cli
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.pebbles import PEBBLES

PLAYERS = "Anna,Bob,Cleo,Dora,Emil,Fay,Gus"
# A game of two from the first heap to the count; whoever empties a heap keeps the star or gives it away.
MOVES = ("deal 3", "1", "2", "keep", "deal 4", "2", "2", "give", "final")


@pytest.fixture(autouse=True)
def _on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(TITLES)["_loaders"], PEBBLES.key, lambda: PEBBLES)
    monkeypatch.setitem(vars(TITLES)["_loaded"], PEBBLES.key, PEBBLES)
    monkeypatch.setenv("SPYRIUM_TITLE", PEBBLES.key)
    assert TITLES[PEBBLES.key] is PEBBLES


def commands(command: click.Command, path: tuple[str, ...], parent: click.Context | None) -> Iterator[str]:
    """Every command that can be called, by its path: groups only where they do something by themselves."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command, info_name=path[-1] if path else "spyrium", parent=parent)
    if path and command.invoke_without_command:
        yield " ".join(path)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from commands(found, (*path, name), context)


ALL = tuple(commands(cli, (), None))


# What a report has to be told, and how an import is told what a file is.
OF_REPORT = {"player": ("--player", "Anna"), "against": ("--against", "Bob"), "least": ("--least", 1)}
AS = {"txt": ("--as", "notation")}


class Caller:
    """Calls commands, and knows which ones were called."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.calls: Counter[str] = Counter()

    def __call__(self, *words: object, code: int | None = 0, stdin: str | bytes | None = None) -> str:
        called = max((path for path in ALL if [*map(str, words)][: len(path.split())] == path.split()), key=len)
        result = self._run(*words, code=code, stdin=stdin)
        self.calls[called] += 1
        # help explains the notation of every title
        assert "£" not in result.output or "--help" in words, words
        return str(result.stdout)

    def new(self, players: str, moves: Sequence[str] = ()) -> str:
        game = self("new", "--players", players, "--date", "2026-11-18").strip()
        if moves:
            self("play", game, *moves)
        return game


@pytest.fixture
def call(run: Run) -> Caller:
    return Caller(run)


def at_the_table(call: Caller, tmp_path: Path) -> str:
    """Games recorded in every way, by one and by seven; the id of a whole one."""
    moves = tmp_path / "moves.txt"
    moves.write_text("".join(f"{move}\n" for move in MOVES), encoding="utf-8")
    call("record", call.new("Anna"), "--plain", stdin="board\nhelp\nlist\n3\n1\n2\nk\n")
    call("record", call.new("Anna,Bob"), "--file", moves)
    call.new(PLAYERS, ("deal 7", *("1",) * 7, "gus: keep"))
    game = call.new("Anna,Bob", MOVES[:4])
    call("play", game, "--deal", "--seed", 1)
    call("undo", game, "--why", "dealt by chance")
    call("play", game, *MOVES[4:])
    call("score", "Anna 3, Bob 2")
    return game


def looked_at(call: Caller, game: str) -> None:
    for form in ("table", "csv", "json", "jsonl", "md"):
        call("show", game, "--format", form)
        call("games", "--format", form)
        call("sheet", "cards", "--format", form)
        call("sheet", "show", "--format", form)
    call("show", game, "--at", 4, "--legal")
    call("show", game, "--log")
    call("replay", game, "--plain")
    call("replay", game, "--format", "json")
    call("annotate", game, 3, "a quick one", "--tag", "short")
    call("annotate", game)
    call("games", "put-away", game)
    call("games", "away")
    call("games", "bring-back", game)
    call("score", "Bobby 3, Anna 1", "--exact")
    call("games", "merge", "Bob", "Bobby")


def put_right(call: Caller, archive: Path) -> None:
    game = call.new("Anna,Bob", MOVES[:3])
    call("fix", "count", game, "anna b2, bob b9", code=1)
    call("fix", "locate", game, code=1)
    call("fix", "amend", game, 2, "1", "--misrecorded", "wrong number", "--yes", code=None)
    call("fix", "adjust", game, "anna b+1", "--who", "Anna", "--why", "one lay on the floor")
    call("fix", "header", game, "--place", "the club", "--why", "it was missing")
    call("fix", "reading", game, "heap", "most", 9)
    call("fix", "withdraw", game, 7, "--why", "there was none", code=None)
    broken = call.new("Anna,Bob", MOVES[:1])
    call("play", broken, "bob: 1", code=1)
    call("play", broken, "bob: 1", "--anyway")
    call("fix", "accept", broken, 2, "--who", "Anna", "--why", "nobody minded")
    call("fix", "declare", call.new("Anna,Bob", MOVES), "Anna 1, Bob 1", code=None)
    damaged = archive.parent / "damaged.jsonl"
    damaged.write_bytes((archive / f"{game}.jsonl").read_bytes()[:-9])
    call("fix", "salvage", damaged, code=None)


def checked(call: Caller, game: str, tmp_path: Path) -> None:
    for form in ("table", "csv", "json", "jsonl", "md", "junit"):
        call("validate", "--format", form, code=None)
    call("validate", game)
    call("seal", game)
    kept = tmp_path / "kept.txt"
    kept.write_text(call("seal", game, "--checkpoint"), encoding="utf-8")
    call("seal", game, "--check", kept)


def asked(call: Caller, game: str) -> None:
    call("index")
    call("query", "SELECT title, count(*) FROM game GROUP BY title")
    call("tables")
    call("tables", "game")
    call("report")
    options = {**OF_REPORT, "game": ("--game", game)}
    for report in reports(PEBBLES.key):
        given = {option.name for option in report.options}
        call("report", report.name, *(word for name, words in options.items() if name in given for word in words))


def shared(call: Caller, game: str, tmp_path: Path) -> None:
    for form in (*FORMS, *BUNDLES):
        call("export", game, "--format", form, "--to", tmp_path / f"game.{form}")
    call("export", "--format", "dataset", "--to", tmp_path / "dataset")
    call("export", game, "--anonymise", "--format", "jsonl", "--to", tmp_path / "nobody.jsonl")
    for form in ("html", "json", "jsonl", "txt", "pack", "scores", "bgstats"):
        call("import", tmp_path / f"game.{form}", "--dry-run", *AS.get(form, ()), code=None)
    call("import", tmp_path / "nobody.jsonl")


def explored(call: Caller, game: str, tmp_path: Path) -> None:
    call(
        "simulate",
        "-n",
        7,
        "--seed",
        1,
        "--to",
        tmp_path / "lab.jsonl",
        "--policies",
        "greedy,search:3",
        "--processes",
        1,
    )
    call("whatif", tmp_path / "lab.jsonl", "--option", "threes=ignore")
    call("whatif", "--sheet", "shipped")
    call("compare", game, tmp_path / "game.jsonl", code=None)


def set_up(call: Caller) -> None:
    call("sheet", "diff", "own", "shipped")
    call("sheet", "edit", "heap", "most", 8)
    call("sheet", "verify", stdin="q\n")
    exported = call("sheet", "export", "--format", "toml")
    call("sheet", "import", "-", "--dry-run", stdin=exported, code=None)
    call("sheet", "affects", code=None)
    call("config", "show")
    call("config", "paths")
    call("config", "set", "options.threes", "ignore")
    call("config", "get", "options.threes")
    call("config", "unset", "options.threes")
    call("doctor", code=None)
    call("completion", "bash")
    call("schema", "log")
    call("demo", code=2)


def test_every_command_takes_any_title(call: Caller, archive: Path, tmp_path: Path) -> None:
    game = at_the_table(call, tmp_path)
    looked_at(call, game)
    put_right(call, archive)
    checked(call, game, tmp_path)
    asked(call, game)
    shared(call, game, tmp_path)
    explored(call, game, tmp_path)
    set_up(call)
    for path in ALL:
        call(*path.split(), "--help")
    print(f"{len(call.calls)} commands, {call.calls.total()} calls")
    assert set(ALL) - set(call.calls) == set()


def test_settings_for_another_title_stop_no_new_game(run: Run) -> None:
    run("config", "set", "options.crane-discount", "whole-cost")
    run("config", "set", "options.threes", "ignore")
    run("config", "set", "colours", "red,green,blue")
    run("new", "--players", "Anna,Bob")
    game = run("new", "--title", "spyrium", "--players", "Anna,Bob").stdout.strip()
    assert '"crane-discount":"whole-cost"' in run("export", game, "--format", "jsonl").stdout.partition("\n")[0]
    run("doctor", code=None)


def test_an_edition_with_options_of_several_titles_stops_no_new_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = 'crane-discount = "whole-cost"\nthrees = "ignore"\n'
    (tmp_path / "spyrium.toml").write_text(f'edition = "house"\n[editions.house]\n{options}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run("new", "--players", "Anna,Bob")
    game = run("new", "--title", "spyrium", "--players", "Anna,Bob").stdout.strip()
    assert '"crane-discount":"whole-cost"' in run("export", game, "--format", "jsonl").stdout.partition("\n")[0]
