"""A report in the language of whoever reads it: its questions, and every cell that holds our own words.

What programs read stays as SQL answers it. A name of a person, a file, a rule or a title is the same in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import structs

from spyrium_log.analysis.figures import Chart, Figure, Reported
from spyrium_log.analysis.words import fill, report_words, word
from spyrium_log.catalogue import ENGLISH, Tables
from spyrium_log.colours import colour_name
from spyrium_log.messages import Reader, amount_text
from spyrium_log.readmodel.catalogue import FigureQuery, report_texts
from spyrium_log.replay import Replay
from spyrium_log.titles import TITLES

Row: TypeAlias = Mapping[str, Any]
# What was expected and found by findings, in a language by the English of the two.
FindingTexts: TypeAlias = Mapping[tuple[str, str], tuple[str, str]]
# How many files a cell names at most, as `few_named` of the SQL has it.
MOST_FILES: Final = 20
# What the causes of the final count begin with.
AT_THE_END: Final = "final:"
# Between the cards of an opening.
NEXT_CARD: Final = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "


def translate_findings(game: Replay, language: str) -> FindingTexts:
    """What the findings of a game say: the tables of an archive have them in English alone."""
    reader = Reader(language, game.players, game.title.words.vocabulary(language))
    return {
        (str(finding.expected), str(finding.found)): (finding.expected.text_for(reader), finding.found.text_for(reader))
        for finding in game.findings
    }


def translate_report(reported: Reported, language: str, findings: FindingTexts | None = None) -> Reported:
    """The report in a language. `findings`: those of the game that it is of, in this language."""
    if language == ENGLISH:
        return reported
    texts = report_texts(language).get(reported.name)
    figure_texts = {figure.name: figure for figure in texts.figures} if texts else {}
    translator = _Translator(reported, language, findings or {})
    return structs.replace(
        reported,
        question=texts.question if texts else reported.question,
        explanation=texts.explanation if texts else reported.explanation,
        figures=tuple(
            translator.translate_figure(figure, figure_texts.get(figure.name)) for figure in reported.figures
        ),
        language=language,
    )


class _Cell(NamedTuple):
    """A value that is not missing, of a column, with its row and the reader of the row's title."""

    value: Any
    row: Row
    reader: Reader


class _Translator:
    """The words of one report in one language."""

    def __init__(self, reported: Reported, language: str, findings: FindingTexts) -> None:
        """`findings` as in `translate_report`."""
        self.reported = reported
        self.language = language
        self.findings = findings
        self._readers = {title: Reader(language, words=self._complete_words(title)) for title in TITLES}

    def _complete_words(self, title: str) -> Tables:
        """The vocabulary of a title, with what only sets have by the names that they give it."""
        words = TITLES[title].words.vocabulary(self.language)
        base = self.language.partition("-")[0]
        names = {of: name for (language, of), name in self.reported.set_names.items() if language == base}
        return {**words, "cards": {**names, **words["cards"]}}

    def translate_figure(self, figure: Figure, texts: FigureQuery | None) -> Figure:
        """A figure with the words of its report in this language, and its own words in its cells."""
        return structs.replace(
            figure,
            title=texts.title if texts else figure.title,
            explanation=texts.explanation if texts else figure.explanation,
            chart=_translate_chart(figure.chart, texts),
            rows=[self._translate_row(figure, row) for row in figure.rows],
            language=self.language,
        )

    def _translate_row(self, figure: Figure, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The row with the words of this language in the columns that hold words of ours."""
        row = dict(zip(figure.columns, values, strict=True))
        reader = self._readers.get(row.get("title") or self.reported.title or "", Reader(self.language))
        if figure.name == "findings":
            pair = self.findings.get((row["expected"], row["found"]))
            row |= dict(zip(("expected", "found"), pair, strict=True)) if pair else {}
        return tuple(self._translate_cell(name, _Cell(value, row, reader)) for name, value in row.items())

    def _translate_cell(self, name: str, cell: _Cell) -> Any:
        """The value of a column in this language; the same value where it has no words of ours."""
        if name in _TABLES and isinstance(cell.value, str):
            return word(_TABLES[name], cell.value, self.language)
        translate = _OF_COLUMN.get(name)
        return cell.value if cell.value is None or translate is None else translate(self, cell)

    def phrase(self, cell: _Cell) -> Any:
        """A cell that is made of the columns of its row and the options of the report: `1 of 3`."""
        arguments = {**self.reported.options, **cell.row}
        english, own = report_words(ENGLISH)["phrases"], report_words(self.language)["phrases"]
        known = {_fill_template(template, arguments): key for key, template in english.items()}
        key = known.get(cell.value)
        return cell.value if key is None else _fill_template(own[key], arguments)

    def opening(self, cell: _Cell) -> Any:
        """The cards of an opening by name, or that there were none."""
        phrase = self.phrase(cell)
        if phrase != cell.value:
            return phrase
        return NEXT_CARD.join(map(cell.reader.card_name, str(cell.value).split(NEXT_CARD)))

    def cause(self, cell: _Cell) -> Any:
        """The name of a cause, the title's or one that all titles share; of a card at the final count it says so."""
        key = cell.value
        if not cell.reader.words or key in report_words(self.language)["causes"]:
            return word("causes", key, self.language)
        name = cell.reader.cause_name(key)
        # a card may bring points during the game, too
        is_card_at_the_end = key.startswith(AT_THE_END) and key not in cell.reader.words["causes"] and name != key
        return fill("sentences.at-the-end", self.language, name=name) if is_card_at_the_end else name

    def record(self, cell: _Cell) -> Any:
        """The name of a record; that of cards ends in their kind."""
        name, _, kind = str(cell.value).partition(": ")
        named = word("records", name, self.language)
        return f"{named}: {cell.reader.title_word('kinds', kind)}" if kind else named

    def files(self, cell: _Cell) -> Any:
        """The names of files, and how many more there are."""
        more = cell.row["games"] - MOST_FILES
        files = str(cell.value).removesuffix(f" and {more} more")
        return cell.value if files == cell.value else fill("sentences.more-files", self.language, files=files, n=more)

    def amounts(self, cell: _Cell) -> Any:
        """The amounts of several resources: `£6, 1 point`."""
        if not isinstance(cell.value, dict) or not cell.reader.words:
            return cell.value
        words = cell.reader.words
        return ", ".join(amount_text(n, what, words, language=self.language) for what, n in cell.value.items())

    def grades(self, cell: _Cell) -> Any:
        """The grades of a game."""
        return [word("grades", grade, self.language) for grade in cell.value]


def _translate_chart(chart: Chart | None, texts: FigureQuery | None) -> Chart | None:
    """The chart with the words of its axis in the language of these texts."""
    if chart is None or texts is None or not texts.chart:
        return chart
    return structs.replace(chart, axis=" ".join(texts.chart).partition("| ")[2])


def _fill_template(template: str, arguments: Mapping[str, object]) -> str | None:
    """The template filled; None where it has a place for something that is not here."""
    try:
        return template.format_map(arguments)
    except KeyError:
        return None


# Columns of which every value is a key of a table of words.
_TABLES: Final[Mapping[str, str]] = {
    "about": "about",
    "counts": "counts",
    "phase": "phases",
    "reason": "reasons",
    "status": "statuses",
    "verb": "verbs",
    "verdict": "grades",
}
# Columns of which a value is put in words otherwise.
_OF_COLUMN: Final[Mapping[str, Callable[[_Translator, _Cell], Any]]] = {
    "card": lambda _, cell: cell.reader.card_name(cell.value),
    "cause": _Translator.cause,
    "colour": lambda _, cell: colour_name(cell.value, cell.reader.language),
    "files": _Translator.files,
    "grades": _Translator.grades,
    "kind": lambda _, cell: cell.reader.title_word("kinds", cell.value),
    "line": _Translator.phrase,
    "note": _Translator.phrase,
    "opening": _Translator.opening,
    "paid": _Translator.amounts,
    "record": _Translator.record,
    "returned": _Translator.amounts,
    "seat": _Translator.phrase,
}
