"""Named reports, asked: the SQL of their figures with the options of whoever asks, and what SQL cannot say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, get_args

from spyrium_log.analysis.figures import Chart, Figure, Kind, Reported
from spyrium_log.analysis.ratings import course_table, ratings_table
from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel import Answer, Asked, Report, queries, report_named

Maker: TypeAlias = Callable[[Answer], Answer]
# From what a table says to what is shown of it, where that is a computation along the games and no sum over them.
MAKERS: Mapping[str, Maker] = {"ratings": ratings_table, "course": course_table}


def ask(database: Path, name: str, options: Mapping[str, object] | None = None) -> Reported:
    """The answer to a named question, with its options in place of their defaults."""
    report = report_named(name)
    chosen = _chosen(report, options or {})
    answers = queries(
        database, [(asked.sql, {option: chosen[option] for option in asked.options}) for asked in report.figures]
    )
    return Reported(
        name=name,
        question=report.question,
        said=report.said,
        options=chosen,
        figures=tuple(_figure(asked, answer) for asked, answer in zip(report.figures, answers, strict=True)),
        held=any(answer.held for answer in answers),
    )


def _chosen(report: Report, options: Mapping[str, object]) -> dict[str, object]:
    known = {option.name: option.default for option in report.options}
    unknown = sorted(options.keys() - known.keys())
    if unknown:
        takes = f"an option of {', '.join(sorted(known))}" if known else "no option"
        raise ReadModelError(f"expected {takes}, found '{unknown[0]}', in report '{report.name}'")
    chosen = {**known, **options}
    for option in report.options:
        if option.needed and chosen[option.name] is None:
            raise ReadModelError(f"expected {option.name} ({option.help}), found nothing, in report '{report.name}'")
    return chosen


def _figure(asked: Asked, answer: Answer) -> Figure:
    made = MAKERS[asked.maker](answer) if asked.maker else answer
    return Figure(
        name=asked.name,
        title=asked.title,
        columns=made.columns,
        rows=made.rows,
        sql=asked.sql,
        said=asked.said,
        chart=_chart(asked, made),
    )


def _chart(asked: Asked, answer: Answer) -> Chart | None:
    """`means label value low high`, `bars label value` or `lines label x value`."""
    if not asked.chart:
        return None
    kind, *columns = asked.chart
    if kind not in get_args(Kind) or not set(columns) <= set(answer.columns):
        known = ", ".join(answer.columns)
        raise ReadModelError(f"expected a chart of {known}, found '{' '.join(asked.chart)}', in figure '{asked.name}'")
    names: dict[str, Any] = dict(zip(_AXES[kind], columns, strict=True))
    return Chart(kind=kind, **names)  # type: ignore[arg-type]  # one of the kinds, as was just asked


_AXES = {"bars": ("label", "value"), "means": ("label", "value", "low", "high"), "lines": ("label", "x", "value")}
