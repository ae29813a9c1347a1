"""Every command is called in every language, on an archive with games and on an empty one, and its screens are read.

`hostile.py` has the calls. What programs read, what somebody typed or wrote into a log, and names of commands, options,
files, cards and rules are nobody's language; every other word in Latin letters is English that was left.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from spyrium_cli.commands.setup.doctor import EXTRAS, PACKAGES
from spyrium_cli.main import cli
from spyrium_cli.render.text import vocabulary as shell_words
from spyrium_log.catalogue import shared_words
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS
from tests.cli.hostile import World, build, calls
from tests.cli.terminals import SCREEN, called, words_of

EXAMPLES = Path(__file__).parents[2] / "examples"
# A letter of no language here, so that what a log says is seen to be its own.
SAID = "\u03be"
PEOPLE = ("table", "md")
# Commands that a person's language does not reach yet, or whose output is a file or data: reports, a log's own formats.
NOT_READ = {"report", "export", "sheet export", "completion", "simulate", "query", "fix salvage", "schema", "demo", ""}

# --- words that are nobody's language ------------------------------------------------------------

NAMES_OF_OURS = {*CARDS, *EVENTS, *(key for title in TITLES.values() for key in title.sheets), *PACKAGES, *EXTRAS}
QUOTED = re.compile(
    rf"[«„'\"`][^»”'\"`]*[»”'\"`]|\[[A-Z.\]\[|]+\]|--[\w-]+|\S*/\S*|\$\.\w+|\S*\d\S*|\S*{SAID}\S*|spyrium [a-z -]+"
)
# Names of rules, files, games, options.
JOINED = re.compile(r"\b[a-z_-]+\.[a-z_-]+\b|\b[a-z]+(?:-[a-z]+)+\b|\b\w*_\w+\b|\b[A-Z]{3,}\b")
# What a log, a sheet or the settings of the world say; codes of findings and damage; what is typed as it is.
OWN_WORDS = re.compile(
    r"\b(?:III|Anna|Bob|Cleo|Ola|Olga|scribe|greedy|game|running|the|club|count|counted|takes|leave|was|nobody|mind|mine"
    r"|Spyrium|SPYRIUM|spyrium|python|linux|misplayed|misrecorded|XML|TOML|NULL|UTF|list|board|help|quit|pause|continue"
    r"|concede|abandon|why|locate|archive|lang|title|players|colours|edition|editions|options|sheet|keys|color|auto|toml|jsonl|csv"
    r"|keep|stdin|tie|shared|by|invalid|value|desktopgames|Enter|replace|insert|adjust|deal|revenue|adjusted|ARCHIVE|hash"
    r"|prev|accept|phantom|result|number|unreadable|factory|research|symbols|Founders|Gloomhaven|DesktopGames|Stats)\b"
)
# Words of notation on a page of help.
NOTATION = re.compile(r"\b(?:bob|last|round|market|points)\b")
LATIN = re.compile(r"\b[A-Za-z]{3,}\b")


def words_left(text: str) -> list[str]:
    """The words in Latin letters that are left once all that is nobody's language is taken away."""
    for card in sorted(NAMES_OF_OURS, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(card)}\b", " ", text)
    return LATIN.findall(OWN_WORDS.sub(" ", JOINED.sub(" ", QUOTED.sub(" ", text))))


@cache
def english_words(language: str) -> frozenset[str]:
    """The words of our English sentences that no sentence of the language has."""

    def words_of(spoken: str) -> set[str]:
        tables = [*shell_words(spoken).values(), *shared_words(spoken).values()]
        tables += TITLES["spyrium"].words.vocabulary(spoken).values()
        return {
            word.casefold() for table in tables for text in table.values() for word in re.findall(r"[^\W\d_]{3,}", text)
        }

    return frozenset(words_of("en") - words_of(language))


def english_left(text: str, language: str) -> list[str]:
    """The English words of a screen; in Polish, which has the same letters, those that only our English has."""
    left = words_left(text)
    return [word for word in left if word.casefold() in english_words("pl")] if language == "pl" else left


# --- the walk ------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = build(tmp_path / "world", SAID)
    for name in [name for name in os.environ if name.startswith(("SPYRIUM", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in made.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(made.folder)
    # without the settings that hostile calls need, of which every call would warn
    (made.folder / "spyrium.toml").unlink()
    return made


def read_screen(arguments: Sequence[str], language: str, keys: str | None = None) -> str:
    result = CliRunner().invoke(cli, ["--lang", language, *arguments], input=keys, prog_name="spyrium")
    assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
    return result.output


def read_calls(made: World) -> Iterator[tuple[Sequence[str], str | None]]:
    """Each call of every command whose screen a person reads line by line, with what is typed into it.

    Every command finds the world as it was made.
    """
    kept = made.folder.with_name("kept")
    shutil.copytree(made.folder, kept)
    for command, every in calls(made).items():
        if command in NOT_READ:
            continue
        os.chdir(kept)
        shutil.rmtree(made.folder)
        shutil.copytree(kept, made.folder)
        os.chdir(made.folder)
        for call in every:
            keys = "".join(call.keys)
            form = call.arguments[-1] if "--format" in call.arguments else "table"
            if form in PEOPLE and "--checkpoint" not in call.arguments and "\x1b" not in keys and not call.env:
                yield call.arguments, keys or None


@pytest.mark.parametrize("language", ["pl", "ru", "ru-desktopgames"])
def test_no_screen_of_an_archive_with_games_has_an_english_word(
    world: World, language: str, counts: Counter[str]
) -> None:
    read_screen(["index"], language)
    walked, left = 0, {}
    for arguments, keys in read_calls(world):
        walked += 1
        screen = read_screen(arguments, language, keys)
        for number, line in enumerate(screen.splitlines()):
            if words := english_left(_own_part(line, number, arguments), language):
                left[line.strip()[-120:]] = words
    assert left == {}
    assert walked > 90
    counts[f"screens read in {language}"] += walked


def _own_part(line: str, number: int, arguments: Sequence[str]) -> str:
    """As much of a line as is in a language: under the heads of some lists stand names, or comments in English."""
    if arguments[0] == "record":
        return NOTATION.sub("", line)
    if line.lstrip().startswith("spyrium ") or re.match(r" *\d+ spyrium ", line):
        return ""
    if arguments[0] == "tables":
        # of a wrong name, the known ones follow
        line = re.sub(r"(\(\w+|są:) alias, .*", "", line)
    if number == 0 or arguments[0] not in {"tables", "query", "schema"}:
        return line
    # the comments of the index and the questions of reports stand in SQL, and are English
    cells = [cell.strip() for cell in re.split(r" {2,}|\|", line) if cell.strip()]
    return {"tables": cells[0] if len(arguments) == 1 or arguments[1].startswith("-") else "", "query": cells[1]}.get(
        arguments[0], cells[-1]
    )


EMPTY = (
    *("show", "replay", "record --plain", "undo", "validate", "games", "games away", "annotate", "seal", "index"),
    *("tables seat", "whatif --option tie=shared", "fix locate", "sheet show", "sheet check", "sheet diff", "doctor"),
    *("config show --origin", "config paths", "export --format scores", "schema", "query --list", "import ."),
    *("play p12", "games merge Ola Olga", "fix count 12", "compare a b"),
)


@pytest.mark.parametrize("language", ["pl", "ru", "ru-desktopgames"])
def test_no_screen_of_an_empty_archive_has_an_english_word(world: World, language: str) -> None:
    shutil.rmtree(world.archive)
    world.archive.mkdir()
    left = {}
    for call in EMPTY:
        screen = read_screen(call.split(), language, "")
        assert screen or call in {"games", "games away", "validate", "sheet diff"}, call
        for number, line in enumerate(screen.splitlines()):
            if words := english_left(_own_part(line, number, call.split()), language):
                left[f"{call}: {line.strip()[-100:]}"] = words
    assert left == {}


# --- that it would be seen -----------------------------------------------------------------------

PLANTED = (
    ("doctor-heads", "message", ("doctor",)),
    ("import-heads", "players", ("import", "scores.csv", "--dry-run")),
    ("tables-heads", "name", ("tables",)),
    ("questions-heads", "whose", ("query", "--list")),
    ("schema-heads", "schema", ("schema",)),
    ("validate-heads", "expected", ("validate", "--format", "md")),
    ("lines-heads", "sentence", ("show", "game-running", "--log", "--format", "md")),
    ("checks", "logs", ("doctor",)),
)


@pytest.mark.parametrize(("table", "key", "call"), PLANTED, ids=[f"{table}.{key}" for table, key, _ in PLANTED])
def test_an_english_word_that_is_planted_in_a_screen_is_seen(
    world: World, monkeypatch: pytest.MonkeyPatch, table: str, key: str, call: Sequence[str]
) -> None:
    assert world.archive.is_dir()
    for language in ("pl", "ru"):
        words = shell_words(language)[table]
        assert isinstance(words, dict)
        before = [english_left(line, language) for line in read_screen(call, language).splitlines()[:1]]
        monkeypatch.setitem(words, key, "headlines" if language == "ru" else "nothing")
        after = [each for line in read_screen(call, language).splitlines() for each in english_left(line, language)]
        assert before in ([], [[]]) or table == "checks"
        assert {"headlines", "nothing"} & {*after}, language


# --- what is no list and no sentence about one ----------------------------------------------------


@pytest.mark.parametrize("language", ["pl", "ru"])
def test_the_demonstration_says_what_it_does_in_the_language(world: World, language: str) -> None:
    screen = read_screen(["demo"], language)
    assert world.archive.is_dir()
    for key, sentence in shell_words("en")["demo"].items():
        assert sentence.partition("{")[0] not in screen, key
    assert shell_words(language)["demo"]["start"] in screen


def test_the_colours_of_a_board_are_in_the_language(world: World) -> None:
    log = EXAMPLES / "founders" / "three-players-on-the-symmetric-side.jsonl"
    english, russian = (read_screen(["show", str(log)], language) for language in ("en", "ru"))
    colours = shared_words("ru")["colours"]
    shown = [colour for colour in colours if re.search(rf"\b{colour}\b", english)]
    assert len(shown) > 2
    assert world.archive.is_dir()
    for colour in shown:
        assert not re.search(rf"\b{colour}\b", russian)
        assert colours[colour] in russian


# Keys of a keyboard, and what the keys of the walk type, draw and find in the log.
KEYBOARD = re.compile(r"\b(?:Tab|Esc|Backspace|Space|Home|End|PgUp|PgDn|Enter|exesm?|sozz?|lay|pound)\b")


def test_no_full_screen_has_an_english_word(world: World, counts: Counter[str]) -> None:
    language, left = "ru", {}
    for command in ("record", "replay"):
        for call in calls(world)[command]:
            if "--plain" in call.arguments or not call.keys:
                continue
            arguments = ["--lang", language, *call.arguments]
            written = called(arguments, cwd=world.folder, env=world.env, keys=call.keys, size=call.size)
            assert SCREEN in written.raw, arguments
            counts[f"full screens read in {language}"] += 1
            # what is being typed may be drawn before it is a whole word
            for line in re.split(r"[\r\n]", re.sub(r"(?m)^\s*\w ▸ [a-z]+\s*$", "", words_of(written.raw))):
                if words := english_left(NOTATION.sub("", KEYBOARD.sub("", line)), language):
                    left[" ".join(line.split())[-120:]] = words
    assert left == {}
