"""What a shell is offered, argument by argument, and that nothing else ever reaches the line that somebody types."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import CompletionItem, FishComplete, ZshComplete, get_completion_class

from spyrium_cli.completion.shells import ASKED, Bash, answer, register
from spyrium_cli.main import cli
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.editions import EDITIONS
from tests.cli.conftest import Run

SHELLS = ("bash", "zsh", "fish", "powershell")


def offers(*words: str) -> dict[str, str]:
    """Each word that is offered, with what it means."""
    *before, incomplete = words
    items: list[CompletionItem] = Bash(cli, {}, "spyrium", ASKED).get_completions(before, incomplete)
    return {item.value: item.help or "" for item in items if item.type == "plain"}


def types(*words: str) -> set[str]:
    *before, incomplete = words
    return {item.type for item in Bash(cli, {}, "spyrium", ASKED).get_completions(before, incomplete)}


Said = Callable[..., tuple[str, str]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Said:
    """What the command answers to a shell, by the environment in which it asks."""
    monkeypatch.setattr(sys, "argv", ["spyrium"])

    def call(shell: str, *words: str) -> tuple[str, str]:
        monkeypatch.setenv(ASKED, f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("spyrium", *(word or '""' for word in words))))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        with pytest.raises(SystemExit) as ended:
            answer(cli)
        sys.stdout.flush()
        heard = capfdbinary.readouterr()
        assert ended.value.code == 0
        return heard.out.decode(), heard.err.decode()

    return call


# --- values --------------------------------------------------------------------------------------


def test_languages_and_editions(archive: Path) -> None:
    assert not archive.exists()
    assert set(offers("show", "@last", "--lang", "")) == {"en", "pl", "ru", "ru-desktopgames"}
    assert set(offers("--lang", "ru")) == {"ru", "ru-desktopgames"}
    assert offers("new", "--edition", "") == {name: edition.name for name, edition in EDITIONS.items()}
    assert "--lang" in offers("show", "@last", "--la")
    assert "--lang" not in offers("show", "@last", "--")


def test_options_by_name_and_then_what_they_say(archive: Path) -> None:
    assert not archive.exists()
    assert offers("new", "--option", "building") == {"building-count=": "owned or ever-built"}
    assert offers("whatif", "--option", "crane-discount=") == {
        "crane-discount=site": "the default, en, ru, ru-desktopgames",
        "crane-discount=whole-cost": "pl",
    }
    assert offers("new", "--option", "nothing=") == {}


def test_colours_and_who_begins(run: Run) -> None:
    run("new", "--players", "Zoë,Anna", "--place", "Łódź")
    assert set(offers("new", "--colours", "red,b")) == {"red,blue", "red,black"}
    assert set(offers("new", "--players", "Bob,Cy", "--first", "")) == {"Bob", "Cy"}
    assert set(offers("fix", "header", "@last", "--seat", "")) == {"Zoë", "Anna"}
    assert set(offers("fix", "header", "@last", "--colour", "g")) == {"green"}
    assert set(offers("new", "--place", "")) == {"Łódź"}


def test_a_score_in_one_line_is_completed_name_by_name(run: Run) -> None:
    run("new", "--players", "Zoë,Anna")
    assert set(offers("score", "")) == {"Zoë ", "Anna "}
    assert set(offers("score", "zoë 63, ")) == {"zoë 63, Anna "}


def test_a_person_is_offered_once_by_the_name_that_counts(run: Run, archive: Path) -> None:
    run("score", "Ana 63, Bob 58", "--as-typed")
    run("score", "Anna 63, Bob 58", "--as-typed")
    assert {"Ana", "Anna"} <= offers("report", "player", "--player", "").keys()
    run("games", "merge", "Ana", "Anna")
    assert offers("report", "player", "--player", "An").keys() == {"Anna"}
    (archive / "players.toml").write_bytes(b"no names")
    assert {"Ana", "Anna"} == offers("report", "player", "--player", "An").keys()


def test_settings_and_what_they_may_be(archive: Path) -> None:
    assert not archive.exists()
    assert set(offers("config", "set", "op")) == {f"options.{name}" for name in options()}
    assert offers("config", "get", "edition").keys() == {"edition", "editions"}
    assert set(offers("config", "set", "lang", "p")) == {"pl"}
    assert set(offers("config", "set", "color", "")) == {"auto", "always", "never"}
    assert set(offers("config", "set", "options.tie", "")) == {"shared"}
    assert set(offers("config", "set", "colours", "red,g")) == {"red,green"}
    assert set(offers("config", "set", "edition", "r")) == {"ru", "ru-desktopgames"}
    assert types("config", "set", "archive", "") == {"dir"}
    assert types("config", "set", "sheet", "") == {"file"}
    assert offers("config", "set", "nothing", "") == {}


def options() -> list[str]:
    return [field.replace("_", "-") for field in TITLES["spyrium"].options.__struct_fields__]


def test_cards_what_they_print_and_sheets(run: Run, game: str) -> None:
    assert offers("fix", "reading", "@last", "mine-") == {"mine-1": "Mine I", "mine-2": "Mine II", "mine-3": "Mine III"}
    assert offers("sheet", "show", "mine-1", "miner") == {"miner": "Miner"}
    assert {"price", "symbols"} <= offers("sheet", "edit", "mine-1", "").keys()
    assert set(offers("sheet", "edit", "mine-1", "symbols", "")) == {"factory", "mine", "research"}
    assert {"own", "shipped", "@last", game} <= offers("sheet", "diff", "").keys()
    run("config", "set", "lang", "pl")
    assert offers("sheet", "verify", "mine-1") == {"mine-1": "Kopalnia I"}


def test_reports_schemas_and_titles(archive: Path) -> None:
    assert not archive.exists()
    assert "scores" in offers("report", "")
    assert "history" in offers("schema", "")
    assert offers("games", "--title", "") == {"spyrium": "Spyrium"}


# --- one game ------------------------------------------------------------------------------------


def test_lines_come_with_their_sentence_the_last_one_first(run: Run, whole: str) -> None:
    told = offers("show", whole, "--at", "")
    assert next(iter(told)) == str(len(told) - 1)
    assert told["0"].startswith("Spyrium: Anna (blue)")
    assert offers("show", "@last", "--at", "12") == {n: told[n] for n in told if n.startswith("12")}
    assert set(offers("undo", "@last", "--to", "")) == set(told)
    assert offers("fix", "amend", "@last", "2") == {n: told[n] for n in told if n.startswith("2")}
    assert offers("show", "@last", "--after", "3")["3"] == told["3"]
    assert offers("annotate", "@last", "0") == {"0": told["0"]}
    assert offers("compare", "@last", "@last", "--take", "4,5")["4,5"] == told["5"]
    run("fix", "header", "@last", "--place", "here", "--why", "as it was")
    assert list(offers("fix", "withdraw", "@last", "")) == [str(len(told))]


def test_what_was_found_is_offered_to_be_accepted(run: Run, game: str) -> None:
    run("play", "--deal", "@last", "--seed", 1)
    assert offers("fix", "accept", "@last", "") == {}
    run("play", "@last", "--anyway", "cy: p12")
    assert list(offers("fix", "accept", "@last", "")) == ["2"]
    assert list(offers("fix", "accept", game, "2", "--rule", "")) == ["turn.order"]
    assert "expected Anna to act, found Cy" in offers("fix", "accept", game, "2", "--rule", "turn")["turn.order"]
    assert len(offers("fix", "accept", game, "2", "--expected", "")) == 1
    assert set(offers("fix", "accept", game, "2", "--who", "")) == {"Anna", "Bob", "Cy"}


def test_notes_by_id_and_tags_by_use(run: Run, whole: str) -> None:
    note = run("annotate", whole, 2, "nice", "--tag", "opening").stdout.strip()
    run("annotate", whole, 3, "nicer", "--tag", "luck", "--tag", "opening")
    assert offers("annotate", whole, "--edit", note) == {note: "2: nice"}
    assert list(offers("annotate", whole, "--tag", "")) == ["opening", "luck"]
    assert set(offers("annotate", whole, 3 * "", "--mark", "!")) == {"!", "!!", "!?"}


def test_legal_acts_come_with_their_sentence(run: Run, whole: str) -> None:
    game = run("new", "--players", "Anna,Bob,Cy").stdout.strip()
    run("play", "--deal", game, "--seed", 1)
    told = offers("play", "@last", "")
    legal = json.loads(run("show", game, "--legal", "--format", "json").stdout)["legal"]
    assert told == {row["notation"]: row["sentence"] for row in legal}
    assert told["p12"].startswith("Anna places a worker between ")
    assert offers("play", "@last", "anna: p12") == {"anna: p12": told["p12"]}
    # after what was said before it in the same call
    assert offers("play", "@last", "p12", "p12")["p12"].startswith("Bob ")
    assert offers("play", "@last", "nonsense", "") == {}
    assert offers("fix", "amend", whole, "3", "p12")["p12"].startswith("Bob ")
    assert offers("annotate", whole, "3", "--instead", "p12")["p12"].startswith("Bob ")


def test_a_deal_is_completed_word_by_word_with_what_can_still_come(run: Run, game: str) -> None:
    assert "deal exchange" in offers("play", game, "")
    assert set(offers("play", game, "deal exchange ex")) == set()
    assert offers("play", game, "deal exchange estate mine-") == {
        "deal exchange estate mine-1": "Mine I",
        "deal exchange estate mine-2": "Mine II",
    }
    assert set(offers("play", game, "deal exchange estate miner:1")) == {
        f"deal exchange estate miner:1{token}" for token in (1, 2, 3)
    }
    assert offers("play", game, "deal nonsense estate ") == {}
    run("play", game, "--quiet", "--file", "-", stdin=first_round())
    (known,) = offers("play", game, "deal ")
    assert known == "deal estate"
    assert "deal estate windfall" in offers("play", game, "deal estate w")
    assert offers("play", game, "deal estate exchange") == {}


def first_round() -> str:
    """A round in which everybody passes."""
    deal = (
        "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"
    )
    return "\n".join((deal, *(">x" for _ in range(3))))


# --- whatever is asked ---------------------------------------------------------------------------


def verbs(command: click.Command, name: str = "") -> Iterator[tuple[list[str], click.Command]]:
    """Every command with the words that lead to it."""
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for verb in command.list_commands(ctx):
            found = command.get_command(ctx, verb)
            assert found is not None
            for words, one in verbs(found, verb):
                yield ([name, *words] if name else words), one
    else:
        yield [name], command


def questions() -> Iterator[list[str]]:
    """Every option of every command, and every argument behind those before it."""
    for words, command in verbs(cli):
        yield [*words, "-"]
        said = list(words)
        for param in command.params:
            if isinstance(param, click.Option):
                yield [*words, "@last", param.opts[0], ""]
                yield [*words, param.opts[0], "-\x07'\""]
            else:
                yield [*said, ""]
                said.append("@last" if param.name in {"log", "game"} else "mine-1")


@pytest.mark.parametrize("state", ["whole", "nothing", "broken"])
def test_a_shell_hears_words_or_nothing(
    said: Said, run: Run, whole: str, archive: Path, tmp_path: Path, state: str
) -> None:
    assert callable(run)
    if state == "nothing":
        (archive / f"{whole}.jsonl").unlink()
    if state == "broken":
        for name in (f"{whole}.jsonl", "a.jsonl", f"{whole}.notes.jsonl"):
            (archive / name).write_bytes(b'{"kind":"header","seats":[3],"place":7,"by":[]}\n\xff{[\x00\n')
        settled = tmp_path / ".config/spyrium/spyrium.toml"
        settled.parent.mkdir(parents=True, exist_ok=True)
        settled.write_text('lang = 3\nlnag = "x"\n[editions]\nx = 3\n', encoding="utf-8")
    asked = list(questions())
    heard = 0
    for at, words in enumerate(asked):
        shell = SHELLS[at % len(SHELLS)]
        out, err = said(shell, *words)
        assert err == "", (shell, words)
        assert "Traceback" not in out, (shell, words)
        heard += bool(out.strip())
    assert len(asked) > 300
    assert heard > 100


def test_what_click_itself_cannot_read_is_silence(said: Said, monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
    assert not archive.exists()
    assert said("bash", "show", "--nonsense", "") == said("bash", "show", "")
    assert said("nushell", "") == ("", "")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spyrium_cli.completion.values.known_games", fail)
    assert said("zsh", "show", "") == ("", "")


# --- the shells ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("spyrium new --option crane-discount=w", ["whole-cost"]),
        ("spyrium new --option=crane-discount=w", ["whole-cost"]),
        ("spyrium --lang=p", ["pl"]),
        ("spyrium config set lang ", ["en", "pl", "ru", "ru-desktopgames"]),
        ("spyrium new --edition 'p", ["'pl"]),
        ("spyrium show @l", ["@last"]),
        ('spyrium new --place "', ['"Bob\'s \\"pub\\" \\$1']),
        ("spyrium new --place ", ['Bob\\\'s\\ \\"pub\\"\\ \\$1']),
        ("spyrium new --place Bob\\'s\\ ", ['Bob\\\'s\\ \\"pub\\"\\ \\$1']),
    ],
)
def test_bash_is_answered_where_its_own_word_begins(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str, expected: list[str]
) -> None:
    run("new", "--players", "A,B", "--place", 'Bob\'s "pub" $1')
    monkeypatch.setenv("COMP_LINE", line)
    assert Bash(cli, {}, "spyrium", ASKED).complete().splitlines() == [f"plain,{word}" for word in expected]


def test_a_list_with_commas_is_one_word_for_fish_and_zsh(run: Run, said: Said) -> None:
    run("new", "--players", "Anna,Bob")
    assert said("fish", "new", "--players", "Anna,b")[0] == "plain,Anna,Bob\n"
    assert said("zsh", "new", "--players", "Anna,b")[0] == "plain\nAnna,Bob\n_\n"
    register()
    fish = get_completion_class("fish")(cli, {}, "spyrium", ASKED).source()
    assert 'string split --max 1 "," $completion' in fish
    assert 'string split "," $completion' in FishComplete.source_template
    assert get_completion_class("zsh") is ZshComplete


def test_a_real_bash_completes_at_its_prompt(run: Run, whole: str, tmp_path: Path) -> None:
    """Its own splitting of words at @ and = is what a script by itself cannot show."""
    assert whole
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/spyrium"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m spyrium_cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    script = run("completion", "bash").stdout
    quiet = "PS1='$ '\nbind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\n"
    (tmp_path / "rc").write_text(f"{quiet}PATH={tmp_path}/bin:$PATH\n{script}", encoding="utf-8")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "dumb"
        os.execvp("bash", ["bash", "--noprofile", "--rcfile", str(tmp_path / "rc"), "-i"])  # noqa: S606, S607
    try:
        heard(terminal, b"$ ")
        for typed, completed in (
            (b"spyrium show @la\t", b"@last "),
            (b"spyrium new --option crane-discount=w\t", b"=whole-cost "),
            (b'spyrium fix amend @last "1\t\t', b"100"),
        ):
            os.write(terminal, typed)
            heard(terminal, completed)
            os.write(terminal, b"\x15")
    finally:
        os.write(terminal, b"\x15exit\n")
        os.waitpid(child, 0)
        os.close(terminal)


def heard(terminal: int, wanted: bytes) -> None:
    """Wait until it is there, as long as a busy machine may take."""
    said, until = b"", time.monotonic() + 60
    while wanted not in said:
        assert time.monotonic() < until, said
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 1 << 12)
