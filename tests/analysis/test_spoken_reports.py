"""Every report is in the language of the call, on screens, as Markdown and as a page; for programs nothing changes.

What a person reads is looked up word by word: each stands in a catalogue of the language, or is a name or an id.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from msgspec import structs

from spyrium_cli.main import cli
from spyrium_cli.render.reports import write_report
from spyrium_cli.render.surface import pane
from spyrium_cli.render.text import vocabulary as shell_words
from spyrium_log.analysis import words as words_module
from spyrium_log.analysis.figures import Figure, Reported
from spyrium_log.analysis.page import report_page
from spyrium_log.analysis.readable import format_number
from spyrium_log.analysis.reports import run_report
from spyrium_log.analysis.translation import NEXT_CARD, FindingTexts, translate_findings, translate_report
from spyrium_log.analysis.words import group_digits, report_words
from spyrium_log.catalogue import Catalogue, shared_words
from spyrium_log.errors import ReadModelError
from spyrium_log.messages import Reader
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import Report, report_texts, reports
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.titles.founders.messages import vocabulary as founders_words
from spyrium_log.titles.spyrium.messages import vocabulary as spyrium_words
from tests.analysis.test_oracle import archive as mixed_archive
from tests.readmodel.archive import Archive, replayed

ROOT = Path(__file__).parents[2]
LANGUAGES = ("pl", "ru", "ru-desktopgames")
WORD = re.compile(r"[^\W\d_]{2,}")
BACKTICKED = re.compile(r"`([^`]+)`")
PEOPLE = {"player": {"player": "Anna"}, "head-to-head": {"player": "Anna", "against": "Bob"}}
# Formats of files, names of computations and what is typed as it is.
TYPED = {"wide", "figure", "format", "csv", "SQL", "Elo", "openskill", "NULL"}
# Columns that hold names of people, games and rules.
NAMES = {"player", "game", "title", "rule", "number"}
# Options whose value is such a name.
NAMED = {"player", "against", "game"}


# Whole games of Founders are simulated ones: reports that show its cards and causes are asked for these, too.
OF_FOUNDERS = frozenset(("curves", "records", "scores", "take-rates"))
WHOLE_GAMES = ("alone-on-the-thematic-side", "two-players-on-the-symmetric-side")


@cache
def logs() -> Mapping[str, bytes]:
    """Games of both titles: finished and not, of hostile names, with findings, score sheets, simulated ones.

    Their files are called by numbers, so that no word of a file is taken for one of ours.
    """
    found = [raw for raw in mixed_archive(16, seed=1).logs.values() if b'"pebbles"' not in raw[:2000]]
    for title in ("founders", "spyrium"):
        found += [path.read_bytes() for path in sorted((ROOT / "examples" / title).glob("*.jsonl"))[::5]]
    # whole games of Founders, whose set has cards that no catalogue knows
    found += [(ROOT / "examples/founders" / f"{name}.jsonl").read_bytes() for name in WHOLE_GAMES]
    return {f"{nth:04}": raw for nth, raw in enumerate(found)}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("spoken") / "index.duckdb"
    bring_up_to_date(index, Archive(dict(logs())).sources())
    return index


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("empty") / "index.duckdb"
    bring_up_to_date(index, Archive({}).sources())
    return index


@pytest.fixture(scope="module")
def answers(full: Path, empty: Path) -> list[Reported]:
    """Every report of both titles over both archives; those of one game of a game of each title."""
    return [*_answers_over(full), *_answers_over(empty)]


def _answers_over(index: Path) -> Iterator[Reported]:
    played = "SELECT min_by(game, (open_findings = 0, game)) FROM game GROUP BY title"
    for report in reports():
        if report.name == "game":
            needed: list[dict[str, object]] = [{"game": game} for (game,) in query(index, played).rows]
        else:
            needed = [dict(PEOPLE.get(report.name, {}))]
            if report.name in OF_FOUNDERS:
                needed.append({"source": "simulated"})
        for options in needed:
            least = {"least": 2} if any(option.name == "least" for option in report.options) else {}
            yield run_report(index, report.name, {**options, **least, **_asked(report)})


def _asked(report: Report) -> dict[str, object]:
    """Invented sets too, so that games of Founders count."""
    return {"grade": "invented"} if any(option.name == "grade" for option in report.options) else {}


# --- what a person reads -------------------------------------------------------------------------


def test_every_word_of_a_report_is_of_the_language(answers: list[Reported], counts: Counter[str]) -> None:
    for language in LANGUAGES:
        for reported in answers:
            for text in shown_texts(reported, language):
                assert foreign_words(text, reported, language) == set(), (language, reported.name)
                counts["words of reports"] += len(WORD.findall(text))


def test_a_planted_english_head_and_an_english_cell_are_seen(
    answers: list[Reported], monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = next(each for each in answers if each.name == "scores" and each.figures[0].rows)
    heads = report_words("pl")["heads"]
    monkeypatch.setattr(
        words_module, "report_words", lambda _: {**report_words("pl"), "heads": {**heads, "mean": "mean"}}
    )
    for text in shown_texts(reported, "pl"):
        assert foreign_words(text, reported, "pl") == {"mean"}
    monkeypatch.undo()
    first = reported.figures[0]
    planted = structs.replace(first, columns=(*first.columns, "surplus"), rows=[(*row, "plenty") for row in first.rows])
    with_head = structs.replace(reported, figures=(structs.replace(planted, first=("surplus",)),))
    for text in shown_texts(with_head, "pl"):
        assert foreign_words(text, with_head, "pl") == {"surplus", "plenty"}


def shown_texts(reported: Reported, language: str) -> Iterator[str]:
    """What a person reads: a narrow screen, all columns on a wide one, a pipe, Markdown, the page without its SQL."""
    for width, wide in ((80, False), (200, True)):
        yield printed(reported, "table", language, width=width, wide=wide)
    for form in ("table", "md"):
        yield printed(reported, form, language)
    page = report_page(reported, language, findings_of(reported, language)).decode()
    page = re.sub(
        r"<style>.*?</style>|<script>.*?</script>|<pre>.*?</pre>|<p class=\"kind\">.*?</p>", " ", page, flags=re.DOTALL
    )
    labels = re.findall(r'aria-label="([^"]*)"', page)
    # what is unfolded goes on in the middle of a word
    page = page.replace("</summary>", "")
    yield html.unescape(" ".join([re.sub(r"<[^>]*>", " ", page), *labels]))


def findings_of(reported: Reported, language: str) -> FindingTexts:
    """The findings of the game that a report is of; the command finds its log in the archive."""
    if reported.name != "game":
        return {}
    game = str(reported.options["game"])
    return translate_findings(replayed(next(raw for raw in logs().values() if f'"{game}"'.encode() in raw)), language)


def printed(reported: Reported, form: str, language: str, *, width: int = 0, wide: bool = False) -> str:
    """What is written to stdout, on a screen so many columns wide or into a pipe."""

    @click.command()
    def write() -> None:
        with pane(width):
            write_report(reported, form, None, wide=wide, language=language, findings=findings_of(reported, language))

    result = CliRunner().invoke(write, [])
    assert result.exception is None, result.output
    return result.stdout


def foreign_words(text: str, reported: Reported, language: str) -> set[str]:
    """The words that are in no catalogue of the language and no name."""
    names = data_words(reported) | set_words(language)
    known = catalogue_words(language) | names
    return {word for word in WORD.findall(NO_WORDS.sub(" ", text)) if word not in known and not _is_part(word, names)}


# Escapes of what steers a screen, words that are cut, the letters at the ends of lines.
NO_WORDS = re.compile(r"\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2})|[^\W\d_]*…|\b[A-I]{2,9}\b")


def _is_part(word: str, names: set[str]) -> bool:
    """Whether it is a part of a name, which a narrow column breaks anywhere."""
    return any(word in name for name in names)


@cache
def catalogue_words(language: str) -> frozenset[str]:
    """Every word of the language's own catalogues, and of the titles that have none the English names of its cards."""
    base = language.partition("-")[0]
    texts = [*_texts_of(report_words, base), *_texts_of(shared_words, base), *_texts_of(shell_words, base)]
    for title in (spyrium_words, founders_words):
        spoken = [each for each in (language, base) if each in title.languages] or ["en"]
        texts += [text for each in spoken for text in _texts_of(title, each)]
    for report in report_texts(language).values():
        texts += [report.question, report.explanation]
        for figure in report.figures:
            texts += [figure.title, figure.explanation, " ".join(figure.chart)]
    return frozenset(word for text in texts for word in WORD.findall(text))


def _texts_of(catalogue: Catalogue, language: str) -> Iterator[str]:
    """The texts of a language's own file, without what completes it."""
    for table in Catalogue.read_file(catalogue.package, language).values():
        yield from table.values()


@cache
def set_words(language: str) -> set[str]:
    """What a set of Founders calls what only it has: it has names in Russian, and ids."""
    text = (ROOT / "spyrium_log/titles/founders/sets/practice-1.toml").read_text(encoding="utf-8")
    pattern = r'name-ru = "([^"]*)"' if language.startswith("ru") else r"^([a-z-]+) = \{"
    return {word for name in re.findall(pattern, text, re.MULTILINE) for word in WORD.findall(name)}


def data_words(reported: Reported) -> set[str]:
    """The words of names and ids: of people, games, rules, figures and titles."""
    texts: list[Any] = [value for name, value in reported.options.items() if name in NAMED]
    texts += [*(figure.name for figure in reported.figures), *TYPED]
    for figure in reported.figures:
        texts += [value for name in NAMES & {*figure.columns} for value in figure.values(name)]
    return {word for text in texts if text is not None for word in WORD.findall(str(text))}


# --- cells ---------------------------------------------------------------------------------------


def cells(column: str, values: list[Any], language: str, **others: Any) -> list[Any]:
    """The values of a column of Spyrium in a language, beside the same values of other columns in each row."""
    rows = [(*others.values(), value) for value in values]
    figure = Figure(name="f", title="", columns=(*others, column), rows=rows, sql="")
    reported = Reported(name="r", question="", explanation="", options={"least": 7}, figures=(figure,), title="spyrium")
    return translate_report(reported, language).figures[0].values(column)


def test_the_rest_of_many_files_is_said(full: Path) -> None:
    for n, more in ((21, " i jeszcze 1"), (24, " i jeszcze 4"), (20, "")):
        (files,) = query(full, "SELECT few_named(list(i::VARCHAR)) FROM range($n) AS t(i)", {"n": n}).rows[0]
        assert ("more" in files) == bool(more)
        (translated,) = cells("files", [files], "pl", games=n)
        assert translated == files.partition(" and ")[0] + more


def test_what_a_card_brings_at_the_end_is_no_other_thing_that_it_brings() -> None:
    assert cells("cause", ["crane", "final:crane", "final:buildings", "declared", "else"], "pl") == [
        *("Dźwig", "Dźwig (koniec gry)", "Budynki", "ogłoszone przy stole", "else")
    ]


def test_cells_of_several_words() -> None:
    assert cells("opening", [f"miner{NEXT_CARD}crane", "(nothing)"], "ru") == [f"Шахтёр{NEXT_CARD}Кран", "(ничего)"]
    assert cells("opening", [f"miner{NEXT_CARD}crane"], "ru-desktopgames") == [f"Шахтер{NEXT_CARD}Башенный кран"]
    assert cells("record", ["most cards kept: technique", "lowest score"], "pl") == [
        *("najwięcej zachowanych kart: Technologia", "najniższy wynik")
    ]
    assert cells("note", ["fewer than 7 games: not ranked", "somebody's own note", None], "pl") == [
        *("gier jest mniej niż 7: bez pozycji", "somebody's own note", None)
    ]
    assert cells("seat", ["2 of 3", 2], "ru", turn=2, players=3) == ["2 из 3", 2]
    assert cells("paid", [{"money": 6, "spyrium": -1}], "pl") == ["£6, −1 Spyrium"]
    assert cells("card", ["?", "crane"], "en") == ["?", "crane"]


def test_a_card_that_only_a_set_has_is_called_as_the_set_calls_it(full: Path) -> None:
    reported = run_report(full, "take-rates", {"title": "founders", "grade": "invented", "source": "simulated"})
    assert "drover" in reported.figures[0].values("card")
    translated = translate_report(reported, "ru").figures[0].values("card")
    assert "Погонщик" in translated
    assert [card for card in translated if re.search(r"[A-Za-z]", card)] == []


def test_groups_of_digits_are_no_decimals() -> None:
    assert [group_digits(12_345, language) for language in ("en", "pl", "ru")] == ["12,345", "12\xa0345", "12\xa0345"]
    assert format_number(-12_345.5, 1, "ru") == "−12\xa0345,5"


# --- the catalogues ------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
class TestWords:
    def test_each_report_has_all_of_its_words(self, language: str) -> None:
        for report in reports():
            texts = report_texts(language)[report.name]
            assert texts.question != report.question
            assert bool(texts.explanation) == bool(report.explanation)
            assert [figure.name for figure in texts.figures] == [figure.name for figure in report.figures]
            for own, english in zip(texts.figures, report.figures, strict=True):
                assert own.title != english.title
                assert bool(own.explanation) == bool(english.explanation)
                assert own.chart[:1] == ("|",) if english.chart else own.chart == ()

    def test_explanations_name_columns_by_their_heads(self, language: str) -> None:
        heads = {*report_words(language)["heads"].values(), "?"}
        for report in report_texts(language).values():
            for text in (report.explanation, *(figure.explanation for figure in report.figures)):
                assert {*BACKTICKED.findall(text)} <= heads, report.name

    def test_each_column_has_a_head(self, language: str, answers: list[Reported]) -> None:
        heads = report_words(language)["heads"]
        for reported in answers:
            for figure in reported.figures:
                assert {*figure.columns} <= {*heads}, (reported.name, figure.name)

    def test_what_is_known_in_english_is_known_in_all(self, language: str) -> None:
        own = Catalogue.read_file("spyrium_log.analysis", language.partition("-")[0])
        assert {name: [*table] for name, table in own.items()} == {
            name: [*table] for name, table in report_words("en").items()
        }


def test_a_missing_option_is_explained_in_the_language(empty: Path) -> None:
    needed_of = {report.name: [option for option in report.options if option.needed] for report in reports()}
    for name, needed in needed_of.items():
        for language in LANGUAGES if needed else ():
            with pytest.raises(ReadModelError, match=re.escape(needed[0].help)) as error:
                run_report(empty, name)
            own = {option.name: option.help for option in report_texts(language)[name].options}
            assert own.keys() == {option.name for option in needed}
            assert not {*own.values()} & {option.help for option in needed}
            assert own[needed[0].name] in error.value.text_for(Reader(language))


# --- what programs read --------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
def test_programs_read_the_same_bytes_in_every_language(
    answers: list[Reported], form: str, counts: Counter[str]
) -> None:
    for reported in answers:
        english = printed(reported, form, "en")
        for language in LANGUAGES:
            assert printed(reported, form, language) == english
            counts["answers for programs"] += 1


def test_the_command_speaks_the_language_of_the_call(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes((ROOT / "examples/spyrium/wrong-price.jsonl").read_bytes())

    def call(language: str, *arguments: str) -> Any:
        result = CliRunner().invoke(cli, ["--archive", str(tmp_path), "--lang", language, "report", *arguments])
        assert result.exit_code == 0, result.output
        return result

    for arguments in (("scores", "--format", "csv"), ("--format", "json")):
        assert len({call(language, *arguments).stdout_bytes for language in ("en", "pl", "ru")}) == 1
    questions: Mapping[str, str] = {"pl": "Skąd biorą się punkty", "ru": "Откуда берутся очки"}
    for language, question in questions.items():
        assert question in call(language, "scores").stdout
        assert question in call(language).stdout
        page = call(language, "scores", "--to", "-").stdout
        assert f'<html lang="{language}">' in page
        assert question in page
    assert "Podstawa: wyniki końcowe." in call("pl", "scores", "--format", "csv").stderr


def test_findings_of_a_game_are_said_in_the_language(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes((ROOT / "examples/spyrium/wrong-price.jsonl").read_bytes())
    call = ["--archive", str(tmp_path), "--lang", "ru", "report", "game", "--game", "@last"]
    page = CliRunner().invoke(cli, [*call, "--to", "-"]).stdout
    findings = page.partition('id="f-findings"')[2].partition("<details>")[0]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", findings)
    assert cells
    english = [cell for cell in cells if re.search(r"[A-Za-z]{3}", cell.replace("Anna", ""))]
    assert [cell for cell in english if not re.fullmatch(r"[a-z-]+\.[a-z-]+", cell)] == []
