"""Every language says everything, and no format for programs says it otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len

from spyrium_cli import session
from spyrium_cli.render.text import count_text
from spyrium_cli.render.text import vocabulary as shell_words
from spyrium_log.catalogue import shared_words
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples" / "spyrium"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
OTHERS = session.LANGUAGES[1:]
Tables = dict[str, dict[str, str]]

in_each_language = pytest.mark.parametrize("language", session.LANGUAGES)
in_each_other = pytest.mark.parametrize("language", OTHERS)


# --- the catalogues ------------------------------------------------------------------------------


def test_the_languages_are_those_of_the_titles() -> None:
    assert set(session.LANGUAGES) == {spoken for title in TITLES.values() for spoken in title.words.languages}
    assert {language.partition("-")[0] for language in session.LANGUAGES} == set(shell_words.languages)
    assert shell_words.languages == shared_words.languages


@pytest.mark.parametrize("name", shell_words.languages)
def test_a_noun_has_as_many_forms_as_its_language(name: str) -> None:
    for one, forms in shared_words(name)["counts"].items():
        assert len(forms.split("/")) == (2 if name == "en" else 3), one


def test_numbers_and_nouns_agree() -> None:
    numbers = (0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111, 112, 122)
    assert [count_text(n, "event") for n in (0, 1, 2)] == ["0 events", "1 event", "2 events"]
    assert [count_text(n, "strange thing") for n in (1, 2)] == ["1 strange thing", "2 strange things"]
    polish = dict.fromkeys(numbers, "zdarzeń") | {1: "zdarzenie"} | dict.fromkeys((2, 4, 22, 122), "zdarzenia")
    russian = dict.fromkeys(numbers, "записей") | dict.fromkeys((1, 21, 101), "запись")
    russian |= dict.fromkeys((2, 4, 22, 122), "записи")
    for n in numbers:
        assert count_text(n, "event", "pl") == f"{n} {polish[n]}"
        assert count_text(n, "event", "ru") == count_text(n, "event", "ru-desktopgames") == f"{n} {russian[n]}"


# --- what nobody speaks --------------------------------------------------------------------------

ASKED = (
    ("validate",),
    ("games",),
    ("games", "away"),
    ("sheet", "cards"),
    ("schema", "verdict"),
    ("show", "@last"),
    ("show", "--log", "@last"),
)


@pytest.mark.parametrize("verb", ASKED, ids=" ".join)
def test_a_language_that_nobody_speaks_is_wrong_everywhere(
    run: Run, game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: Sequence[str]
) -> None:
    assert game
    expected = "expected a language of en, pl, ru, ru-desktopgames, found 'de', at "
    assert f"{expected}--lang" in run("--lang", "de", *verb, code=2).stderr
    assert f"{expected}--lang" in run(*verb, "--lang", "de", code=2).stderr
    (tmp_path / "spyrium.toml").write_text('# mine\nlang = "de"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert f"{expected}{tmp_path / 'spyrium.toml'}:2" in run(*verb, code=2).stderr
    monkeypatch.setenv("SPYRIUM_LANG", "de")
    assert f"{expected}SPYRIUM_LANG" in run(*verb, code=2).stderr
    run(*verb, "--lang", "pl")


def test_an_edition_that_a_title_lacks_is_read_as_its_language(run: Run) -> None:
    founders = EXAMPLES.parent / "founders" / "three-goals.jsonl"
    assert run("show", founders, "--lang", "ru-desktopgames").stdout == run("show", founders, "--lang", "ru").stdout
    run("show", founders, "--lang", "pl", code=2)


def test_settings_are_mended_in_any_language(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPYRIUM_LANG", "de")
    assert "SPYRIUM_LANG" in run("config", "show", "--origin").stdout
    run("config", "set", "lang", "pl")
    run("config", "paths")
    assert "found 'tlh', at --lang" in run("config", "paths", "--lang", "tlh", code=2).stderr


# --- what programs read --------------------------------------------------------------------------

MACHINES = (
    ("show", "json", "jsonl", "csv"),
    ("show --legal --at 2", "json", "jsonl", "csv"),
    ("replay", "json", "jsonl", "csv"),
    ("show --log", "json", "jsonl", "csv"),
    ("validate", "json", "jsonl", "csv", "junit"),
    ("export", "json", "csv"),
)
GAMES = (EXAMPLES / "misplayed.jsonl", EXAMPLES / "amended-as-misplayed.jsonl", EXAMPLES / "wrong-price.jsonl")


@pytest.mark.parametrize(("verb", "form"), [(verb, form) for verb, *forms in MACHINES for form in forms])
def test_a_format_for_programs_is_the_same_in_every_language(run: Run, verb: str, form: str) -> None:
    name, *more = verb.split()
    for path in GAMES:
        call = [name, path, *more, "--format", form]
        code = int(name == "validate")
        said = run(*call, code=code).stdout
        assert said
        for language in OTHERS:
            assert run(*call, "--lang", language, code=code).stdout == said


@pytest.mark.parametrize("verb", [("games",), ("sheet", "cards"), ("games", "away"), ("sheet", "show")], ids=" ".join)
def test_lists_for_programs_are_too(run: Run, whole: str, verb: Sequence[str]) -> None:
    assert whole
    for form in ("json", "jsonl", "csv"):
        said = run(*verb, "--format", form).stdout
        for language in OTHERS:
            assert run(*verb, "--format", form, "--lang", language).stdout == said


# --- what people read ----------------------------------------------------------------------------

# Ids, notation and what somebody said are no words of ours; names and roman numbers are nobody's.
NO_WORDS = re.compile(r"\b(?:Anna|Bob|Cy|Cleo|Dora|Emil|I{1,3}|S-[\d.]+|greedy|tester|spyrium|table|scribe)\b")


@pytest.mark.parametrize("language", ["ru", "ru-desktopgames"])
def test_nothing_is_left_in_english(run: Run, whole: str, language: str) -> None:
    for call in (("show", "--at", 40), ("show",), ("replay", "--plain")):
        said = run(call[0], whole, *call[1:], "--lang", language).stdout
        left = re.findall(r"[A-Za-z]{2,}", NO_WORDS.sub("", said))
        assert not left, f"{call}: {left[:5]}"
        assert re.search(r"[\u0430-\u044f]", said)


@in_each_other
def test_validate_speaks_it(run: Run, language: str) -> None:
    english = run("validate", EXAMPLES / "misplayed.jsonl", code=1)
    result = run("validate", EXAMPLES / "misplayed.jsonl", "--lang", language, code=1)
    rule = re.compile(r"[a-z]+\.[a-z]+ \(S-[\d.]+\): ")
    assert rule.findall(result.stdout) == rule.findall(english.stdout)
    for word in ("expected", "found", "nearest", "event", "chain", "assumed", "open", "finding"):
        assert word in english.stdout + english.stderr
        assert not re.search(rf"\b{word}\b", result.stdout + result.stderr)


def test_a_refusal_speaks_it(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    lines = (archive / f"{whole}.jsonl").read_bytes().splitlines(keepends=True)
    begun = tmp_path / "begun.jsonl"
    begun.write_bytes(b"".join(lines[:2]))
    said = run("play", begun, "@2 p12", "--lang", "pl", code=1).stderr
    assert re.match(
        r"Błąd: odmowa: „@2 p12”; niczego nie zapisano\n"
        r"  turn.order \(S-5.1\): ruch ma \w+, nie \w+",
        said,
    )
    assert "najbliższe ruchy zgodne z zasadami:" in said
    assert "wysyła robotnika do pracy" in said


@in_each_language
def test_a_count_speaks_it(run: Run, game: str, language: str) -> None:
    said = run("fix", "count", game, "anna £9", "--lang", language, code=1)
    assert re.search(r"9.* 8\b.* \(\+1\)", said.stdout)
    assert ("counted" in said.stdout) == (language == "en")
    assert f"spyrium fix locate {game}" in said.stderr


def test_an_amount_counted_twice_is_named_in_the_language(run: Run, game: str) -> None:
    said = run("fix", "count", game, "anna £1 £2", "--lang", "pl", code=2).stderr
    assert "Anna, £ podano dwa razy" in said


def test_what_several_players_were_counted_to_have_is_told_apart(run: Run, game: str) -> None:
    run("fix", "count", game, "anna £8 s2, bob £8", code=0)
    counts = {"en": "Anna £8 2 Spyrium, Bob £8", "pl": "Anna £8, 2 Spyrium; Bob £8"}
    for language, count in counts.items():
        assert count in run("show", "--log", game, "--lang", language).stdout


@in_each_language
def test_a_list_of_games_has_no_raw_booleans(run: Run, whole: str, language: str) -> None:
    run("score", "Anna 63, Bob 58")
    for form in ("table", "md"):
        said = run("games", "--format", form, "--lang", language).stdout
        assert "True" not in said
        assert "False" not in said
        assert ("players" in said) == (language == "en")
        sheet = next(line for line in said.splitlines() if "Anna 63★, Bob 58" in line)
        assert not re.search(r"\b(no|nie|\u043d\u0435\u0442)\b", sheet), (
            "nobody knows whether a score sheet's game was counted"
        )
    known = json.loads(run("games", "--format", "json", "--lang", language).stdout)
    assert {type(row["final"]) for row in known} == {bool}
    assert whole in {row["game"] for row in known}


@in_each_language
def test_eighty_columns_are_enough(run: Run, whole: str, screen: Callable[..., str], language: str) -> None:
    run("show", whole, "--lang", language)
    for at in (0, 1, 20, 60, 100):
        lines = ESCAPE.sub("", screen("show", whole, "--at", at, "--lang", language)).splitlines()
        assert max(map(cell_len, lines)) <= 80
        if at:
            boxes = [line for line in lines if "│" in line]
            assert boxes
            assert {cell_len(line.rstrip()) for line in boxes} == {78}
            # the cells of every row begin and end where the heads do
            head = next(at for at, line in enumerate(lines) if "£  " in line and "│" not in line)
            assert {lines[head + seat].index("£") for seat in (1, 2, 3)} != set()
            ends = {re.match(r"[> ] \w +\w+ +~?\d+", lines[head + seat]) for seat in (1, 2, 3)}
            assert {match.end() if match else 0 for match in ends} == {lines[head].index("£") + 1}


def test_one_minus_for_people(run: Run, whole: str) -> None:
    hyphen = re.compile(r"(?<![\w-])-[£\d]")
    for path in (whole, *GAMES):
        for verb in (("show",), ("replay",), ("show", "--log"), ("validate",)):
            said = run(*verb, path, code=int(verb == ("validate",) and path in GAMES)).stdout
            assert not hyphen.search(said), verb


# Of the command line's own English, what may stand there: ids, options, notation, sheets, what a log says.
OURS = re.compile(
    r"--[\w-]+|'[^']*'|[\w./-]+\.jsonl|game-[\w-]+"
    r"|\b(?:fix|misplayed|misrecorded|deal|start|as|counted|amend|the count|count|locate)\b"
    r"|[a-z]+\.[a-z-]+ \(S|\b[ABN]\b|csv|\S*\d\S*"
)


def english(said: str) -> list[str]:
    """What is left in it of our own language, in a script that is not ours."""
    return re.findall(r"\b[A-Za-z]{3,}\b", NO_WORDS.sub("", OURS.sub("", said)))


@pytest.mark.parametrize("language", ["ru", "ru-desktopgames"])
def test_what_people_are_told_of_corrections_is_in_their_language(run: Run, tmp_path: Path, language: str) -> None:
    kept = {name: tmp_path / f"{name}.jsonl" for name in ("counted", "misplayed", "wrong-price")}
    for name, path in kept.items():
        path.write_bytes((EXAMPLES / f"{name}.jsonl").read_bytes())
    calls = (
        (0, ("fix", "amend", kept["misplayed"], "2", "p14", "--dry-run")),
        (
            0,
            (
                "fix",
                "amend",
                kept["misplayed"],
                "2",
                "--moved",
                "anna money +1 table",
                "--why",
                "\u0442\u0430\u043a",
                "--dry-run",
            ),
        ),
        (
            0,
            ("fix", "amend", kept["misplayed"], "3", "--drop", "--misrecorded", "--why", "\u0442\u0430\u043a", "--yes"),
        ),
        (0, ("fix", "locate", EXAMPLES / "first-round.jsonl")),
        (1, ("fix", "locate", kept["counted"])),
        (0, ("fix", "locate", kept["counted"], "--write", "1", "--yes", "--why", "\u0442\u0430\u043a")),
        (1, ("fix", "count", kept["counted"], "anna \u00a39")),
        (0, ("fix", "accept", kept["wrong-price"], "5", "--who", "Anna", "--why", "\u0442\u0430\u043a")),
        (2, ("whatif", EXAMPLES, "--option", "engineering-scores=count")),
        (0, ("whatif", kept["wrong-price"], "--option", "tie=shared")),
        (1, ("compare", EXAMPLES / "misplayed.jsonl", EXAMPLES / "wrong-price.jsonl")),
        (0, ("compare", EXAMPLES / "misplayed.jsonl", EXAMPLES / "wrong-price.jsonl", "--add-all", "--dry-run")),
    )
    for code, words in calls:
        result = run(*words, "--lang", language, code=None)
        assert result.exit_code == code, words
        assert re.search(r"[\u0430-\u044f]", result.output), words
        told = "\n".join(
            line for line in result.output.splitlines() if not re.match(r"Предупреждение|     spyrium ", line)
        )
        assert not english(told), (words, english(told), told)


@in_each_other
def test_a_damaged_log_is_told_of_in_ones_language(run: Run, language: str) -> None:
    for verb in (("show",), ("replay",), ("show", "--log")):
        said = run(*verb, EXAMPLES / "flipped-bit.jsonl", "--lang", language, code=2).stderr
        assert "only the first" not in said
        assert said.startswith("Ostrzeżenie: " if language == "pl" else "Предупреждение: ")


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_what_programs_read_of_corrections_is_one_for_all(run: Run, form: str) -> None:
    for words in (
        ("compare", EXAMPLES / "misplayed.jsonl", EXAMPLES / "wrong-price.jsonl"),
        ("fix", "locate", EXAMPLES / "located-wrong-price.jsonl"),
        ("fix", "amend", EXAMPLES / "misplayed.jsonl", "2", "p14", "--dry-run"),
        ("whatif", EXAMPLES / "wrong-price.jsonl", "--option", "tie=shared"),
    ):
        said = run(*words, "--format", form, code=None).stdout
        for language in OTHERS:
            assert run(*words, "--format", form, "--lang", language, code=None).stdout == said, words


# --- the same move by the rules ------------------------------------------------------------------

WRONG = EXAMPLES / "wrong-price.jsonl"


def findings(run: Run) -> Iterator[dict[str, object]]:
    (verdict,) = json.loads(run("validate", WRONG, "--format", "json", code=1).stdout)
    yield from verdict["findings"]


def test_a_difference_tells_the_move_side_by_side(run: Run) -> None:
    said = run("validate", WRONG, code=1).stdout.splitlines()
    at = said.index("    by the rules: >a12.1")
    assert [line.split() for line in said[at + 1 : at + 4]] == [
        ["rules", "recorded"],
        ["Anna", "£", "(price)", "−2", "−2"],
        ["Anna", "£", "(extra", "for", "other", "workers)", "−2", "−1", "≠"],
    ]


def test_so_do_the_formats_for_programs(run: Run) -> None:
    (finding,) = findings(run)
    assert finding["nearest"] == [">a12.1"]
    assert finding["ruled"] == [
        {"of": "amount", "who": 1, "what": "money", "why": "price", "rules": -2, "recorded": -2},
        {"of": "amount", "who": 1, "what": "money", "why": "crowd", "rules": -2, "recorded": -1},
    ]
    side = "by the rules >a12.1: Anna money (price) -2, recorded -2; Anna money (crowd) -2, recorded -1"
    failure = ET.fromstring(run("validate", WRONG, "--format", "junit", code=1).stdout).find(".//failure")  # noqa: S314 - we wrote it
    assert failure is not None
    assert side in str(failure.text)


def test_a_fact_that_is_missing_stands_beside_the_amounts(run: Run) -> None:
    seen = 0
    for path in sorted(EXAMPLES.glob("*.jsonl")):
        for line in run("validate", path, "--format", "jsonl", code=exit_code(path)).stdout.splitlines():
            for finding in json.loads(line)["findings"]:
                is_otherwise = (
                    finding["kind"] == "difference" and finding["status"] == "open" and finding["on"] == "record"
                )
                if not is_otherwise:
                    assert finding["ruled"] == []
                    continue
                seen += 1
                assert any(side["rules"] != side["recorded"] for side in finding["ruled"]), path
                assert len(finding["nearest"]) == 1
    assert seen


def exit_code(path: Path) -> int:
    verdict = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))["verdict"]
    return ("clean", "findings", "unusable").index(verdict)
