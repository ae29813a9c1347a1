"""What is said of a report beside its tables, in the language of whoever reads it."""

from __future__ import annotations

from collections import Counter

from spyrium_log.analysis.figures import (
    LEAST_COMPARED,
    MOST_BARS,
    MOST_SERIES,
    NOTE,
    Figure,
    Reported,
    chart_of,
    count_bars,
    count_series,
)
from spyrium_log.analysis.words import fill, head_text, word
from spyrium_log.catalogue import ENGLISH
from spyrium_log.shown import plain

# Options of which a value is a word of ours, and the table that has it.
_TABLE_OF_OPTION = {"grade": "asked", "source": "sources"}


def filter_texts(reported: Reported, language: str = ENGLISH) -> dict[str, str]:
    """The options that restrict the games, each with its value, as people read them."""
    return {
        word("options", name, language): _option_text(name, value, language) for name, value in reported.chosen.items()
    }


def _option_text(name: str, value: object, language: str) -> str:
    """The value of an option in words."""
    if isinstance(value, bool):
        return word("values", "yes" if value else "no", language)
    # options are typed by their English words
    if name in _TABLE_OF_OPTION and language != ENGLISH:
        return word(_TABLE_OF_OPTION[name], str(value), language)
    return plain(str(value))


def selection_text(reported: Reported, language: str = ENGLISH) -> str:
    """What the tables are of, as `Filters: player Anna, least 3.`, and what `low` and `high` are if they have them."""
    filters = ", ".join(
        fill("sentences.filter", language, name=name, value=value)
        for name, value in filter_texts(reported, language).items()
    )
    sentences = [fill("sentences.filters", language, filters=filters)] if filters else []
    if any("low" in figure.columns for figure in reported.figures):
        sentences.append(fill("sentences.interval", language))
    return " ".join(sentences)


def kept_text(reported: Reported, language: str = ENGLISH) -> str:
    """What the report rests on, and how many games count for it; empty where it does not say."""
    if reported.kept is None:
        return ""
    kept = reported.kept
    aspect = word("aspects", reported.needs, language)
    text = fill("sentences.kept", language, aspect=aspect, games=kept.games, asked=kept.asked)
    if not kept.assumed:
        return text
    key = "sentences.assumed-one" if kept.assumed == 1 else "sentences.assumed-many"
    return f"{text} {fill(key, language, n=kept.assumed, share=f'{100 * (kept.assumed_share or 0):.0f}')}"


# The figure in which a report names the games that do not count, by reason.
LEFT_OUT = "left-out"
# What its column `counts` says, and the beginning of the sentence's key.
_KEY_OF_COUNTS = {"not": "not", "for scores": "scores"}


def left_out_text(reported: Reported, language: str = ENGLISH) -> str:
    """How many games do not count and why, as sentences; empty where all do."""
    reasons: dict[str, Counter[str]] = {counts: Counter() for counts in _KEY_OF_COUNTS}
    for figure in reported.figures:
        if figure.name == LEFT_OUT:
            for row in figure.rows:
                values = dict(zip(figure.columns, row, strict=True))
                reasons[values.get("counts", "not")][values["reason"]] += values["games"]
    return " ".join(
        _left_out_sentence(_KEY_OF_COUNTS[counts], by_reason, language)
        for counts, by_reason in reasons.items()
        if by_reason
    )


def _left_out_sentence(key: str, by_reason: Counter[str], language: str) -> str:
    """How many games, and of which reason how many; `key`: the beginning of the sentence's key."""
    n = by_reason.total()
    reasons = ", ".join(
        fill("sentences.reason", language, reason=word("reasons", reason, language), n=of_reason)
        for reason, of_reason in sorted(by_reason.items())
    )
    return fill(f"sentences.{key}-{'many' if n > 1 else 'one'}", language, n=n, reasons=reasons)


def undrawn_text(figure: Figure) -> str:
    """What a picture leaves out of the table, as a sentence; empty where it shows all that can be drawn."""
    if figure.chart is None or not figure.rows:
        return ""
    language, is_lines = figure.language, figure.chart.kind == "lines"
    drawn, most = (count_series(figure), MOST_SERIES) if is_lines else (count_bars(figure), MOST_BARS)
    if not drawn:
        return fill("sentences.no-picture", language)
    if drawn > most:
        return fill("sentences.drawn-first", language, most=most, n=str(drawn))
    thin = sum(row[figure.columns.index(NOTE)] is not None for row in figure.rows) if NOTE in figure.columns else 0
    if thin and is_lines:
        return fill("sentences.thin-points", language, thin=str(thin), n=str(len(figure.rows)))
    return fill("sentences.not-drawn", language, thin=str(thin)) if thin else ""


# What says of a row whether it stands out when all are compared.
STANDS_OUT = "stands_out"


def multiplicity_text(figure: Figure) -> str:
    """How many rows are compared, how many of them chance alone sets apart, and which stand out; empty for few rows."""
    if STANDS_OUT not in figure.columns or figure.chart is None:
        return ""
    compared = [
        (label, is_out)
        for label, is_out in zip(figure.values(figure.chart.label), figure.values(STANDS_OUT), strict=True)
        if is_out is not None
    ]
    if len(compared) < LEAST_COMPARED:
        return ""
    missing = max(1, round(len(compared) / 20))
    names = ", ".join(dict.fromkeys(str(label) for label, is_out in compared if is_out))
    counted = fill("sentences.compared", figure.language, n=str(len(compared)), missing=str(missing))
    clear = fill("sentences.stand-out", figure.language, names=names or fill("sentences.none", figure.language))
    return f"{counted} {clear}"


def axis_text(figure: Figure) -> str:
    """What the picture counts, and in what; the columns, where the report has no words for it."""
    chart, language = chart_of(figure), figure.language
    if chart.axis and chart.n:
        # what stands in brackets behind each name
        return fill("sentences.axis", language, n=word("units", chart.n, language), axis=chart.axis)
    if chart.axis:
        return chart.axis
    value = _column_text(figure, chart.value)
    if chart.x:
        return fill("sentences.axis-over", language, value=value, x=_column_text(figure, chart.x))
    return fill("sentences.axis-by", language, value=value, label=_column_text(figure, chart.label))


def _column_text(figure: Figure, name: str) -> str:
    """The name of a column: in English as the table has it."""
    return name if figure.language == ENGLISH else head_text(name, figure.language, figure.name)
