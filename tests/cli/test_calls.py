"""What is wrong with a call is said in the language of the call; what click itself says is English."""

from __future__ import annotations

from pathlib import Path

import pytest

from spyrium_cli.render.text import vocabulary
from tests.cli.conftest import Run

WRONG: tuple[tuple[tuple[str, ...], int, str, dict[str, str]], ...] = (
    (("play", "@last", "p12", "--seed", "3"), 2, "seed", {}),
    (("play", "@last"), 2, "no-notation", {}),
    (("export", "@last"), 2, "no-target", {"hint": ""}),
    (("undo", "--at", "99"), 2, "line", {"most": "0", "found": "99"}),
    (("undo",), 1, "nothing-to-undo", {}),
    (("sheet", "show", "nowhere"), 2, "component", {"found": "nowhere", "hint": ""}),
    (("sheet", "cards", "--seats", "9"), 2, "players", {"least": "2", "most": "5", "found": "9", "hint": ""}),
    (("new", "--players", "Anna,,Bob"), 2, "names", {"found": "Anna,,Bob"}),
    (("fix", "amend", "@last", "--drop", "--dry-run"), 2, "event-needed", {}),
    (("config", "get", "keys"), 1, "not-set", {"key": "keys"}),
)


@pytest.mark.parametrize("language", ["en", "pl", "ru", "ru-desktopgames"])
@pytest.mark.parametrize(("call", "code", "key", "arguments"), WRONG, ids=[key for _, _, key, _ in WRONG])
def test_it_is_said_in_the_language_of_the_call(
    run: Run, game: str, language: str, call: tuple[str, ...], code: int, key: str, arguments: dict[str, str]
) -> None:
    assert game
    sentence = vocabulary(language)["calls"][key].format(**arguments)
    error = vocabulary(language)["shell"]["error"].format(message=sentence)
    assert f"{error}\n" in run(*call, "--lang", language, code=code).stderr


def test_a_hint_is_translated_with_its_sentence(run: Run) -> None:
    assert "; może chodzi o „mine-1”?" in run("sheet", "show", "mine-11", "--lang", "pl", code=2).stderr
    assert "; może chodzi o „lang”?" in run("config", "get", "lnag", "--lang", "pl", code=2).stderr


def test_a_language_that_there_is_not_is_refused_in_english(run: Run) -> None:
    assert "expected a language of en, pl, ru" in run("validate", "--lang", "de", code=2).stderr


def test_a_wrong_answer_at_a_prompt_is_explained_in_the_language(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spyrium_cli.commands.table.new._is_interactive", lambda: True)
    result = run("new", "--lang", "pl", stdin="Anna\nAnna,Bob\n\n\n\n\n\n\n")
    assert "graczy może być od 2 do 5, a podano 1" in result.stderr
    # what `none` means stands where it may be typed
    assert "none (wszystkie opcje domyślnie)" in result.stderr
    assert "none (jak w wydaniu i ustawieniach)" in result.stderr


def test_a_wrong_answer_of_verify_names_its_line_in_the_language(run: Run, tmp_path: Path) -> None:
    stderr = run(
        "sheet", "verify", "mine-1", "--sheet", tmp_path / "s.toml", "--lang", "ru", stdin="four\n", code=2
    ).stderr
    assert "указано «four» (<stdin>:1)" in stderr


DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:22 workshop-1 crane miner:13 luxury-home mine-2"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "expected 1 token on 'university-1'"),
        ("pl", "na kartę „Uniwersytet I” kładzie się 1 żeton"),
        ("ru", "должно быть: 1 жетон"),
    ],
)
def test_one_token_is_one(run: Run, game: str, language: str, sentence: str) -> None:
    assert sentence in run("play", game, DEAL, "--lang", language, code=1).stderr


def test_what_programs_read_and_accepted_findings_are_found_by_stays(run: Run, game: str) -> None:
    run("play", game, DEAL, "--anyway")
    assert "1 tokens on 'university-1'" in run("validate", game, "--format", "csv", code=1).stdout
    run(
        "fix", "accept", game, "1", "--expected", "1 tokens on 'university-1'", "--who", "Bob", "--why", "we play it so"
    )
    assert run("validate", game).exit_code == 0
