"""An answer as one HTML page that needs nothing else: pictures, real tables that can be sorted, the SQL of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import resources
from string import Template
from typing import Any

from spyrium_log.analysis.figures import Figure, Reported, axis_of, games_left_out, undrawn
from spyrium_log.analysis.pictures import keys, number, picture
from spyrium_log.exchange.markup import as_html
from spyrium_log.exchange.page import hash_of

# A page of more is slow to open on a phone; `--format csv` has all.
MOST_ROWS = 1000
# A table of more stands in a window of its own, or what comes below it is never found.
TALL = 100
NEW_LINE = "\n"
_CODE = re.compile(r"`([^`]+)`")


def report_page(reported: Reported) -> bytes:
    """The page of one report."""
    style, script = _file("report.css"), _file("report.js")
    return (
        Template(_file("report.html"))
        .substitute(
            policy=(
                f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)}; img-src data:; "
                "base-uri 'none'; form-action 'none'"
            ),
            name=as_html(reported.name),
            title=as_html(reported.question),
            said=_paragraphs(reported.said),
            options=_options(reported),
            left=_left(reported),
            figures="\n".join(map(_figure, reported.figures)),
            style=style,
            script=script,
        )
        .encode()
    )


def _options(reported: Reported) -> str:
    said = [
        f"<div><dt>{as_html(name)}</dt> <dd>{as_html(_cell(value))}</dd></div>"
        for name, value in reported.chosen.items()
    ]
    return f"<dl>{''.join(said)}</dl>" if said else ""


def _left(reported: Reported) -> str:
    said = games_left_out(reported)
    return f"<p>{as_html(said)}</p>" if said else ""


def _figure(figure: Figure) -> str:
    drawing, name = picture(figure), as_html(figure.name)
    said = _paragraphs("\n\n".join((figure.said, undrawn(figure))))
    drawn = _scrolled(figure.title, drawing) + _explained(figure) if drawing else ""
    heading = f'<h2 id="f-{name}">{as_html(figure.title)}</h2>'
    return f'<section aria-labelledby="f-{name}">{heading}{drawn}{said}{_table(figure)}{_sql(figure)}</section>'


def _explained(figure: Figure) -> str:
    """What the picture counts, and whose line is which."""
    lines = "".join(keys(figure))
    return f'<p class="axis">{as_html(axis_of(figure))}</p>' + (f'<ul class="keys">{lines}</ul>' if lines else "")


def _sql(figure: Figure) -> str:
    if not figure.sql:
        return ""
    made = f"<p>From these rows {as_html(figure.made)} are computed, game by game.</p>" if figure.made else ""
    return f"<details><summary>SQL</summary>{made}<pre>{as_html(figure.sql, keep=NEW_LINE)}</pre></details>"


def _scrolled(title: str, wide: str, *, tall: bool = False) -> str:
    """What is wider than a phone, or taller than anybody reads, moves by itself, by keys too, and not the page."""
    kind = "scroll tall" if tall else "scroll"
    return f'<div class="{kind}" tabindex="0" role="group" aria-label="{as_html(title)}">{wide}</div>'


def _table(figure: Figure) -> str:
    if not figure.rows:
        return '<p class="soft">Nothing to list.</p>'
    places = sorted(range(len(figure.columns)), key=lambda place: _turn(figure, place))
    rights = {place: _is_number(figure, place) for place in places}
    heads = "".join(
        f'<th scope="col"{_class(right)}>{as_html(figure.columns[place])}</th>' for place, right in rights.items()
    )
    rows = "".join(_rows(figure, rights))
    more = len(figure.rows) - MOST_ROWS
    cut = f'<p class="soft">{more:,} more rows are left out; {MOST_ROWS:,} are here.</p>' if more > 0 else ""
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return _scrolled(figure.title, table, tall=len(figure.rows) > TALL) + cut


def _turn(figure: Figure, place: int) -> int:
    """What is needed first stands first, where nobody has to move the table to see it."""
    name = figure.columns[place]
    return figure.first.index(name) if name in figure.first else len(figure.first) + place


def _rows(figure: Figure, rights: Mapping[int, bool]) -> Iterator[str]:
    for row in figure.rows[:MOST_ROWS]:
        cells = (
            f"<td{_class(right) or _long(said)}{_value(row[place], right)}>{_folded(said)}</td>"
            for place, right in rights.items()
            for said in [_cell(row[place])]
        )
        yield f"<tr>{''.join(cells)}</tr>"


def _is_number(figure: Figure, column: int) -> bool:
    values = [row[column] for row in figure.rows if row[column] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _value(value: Any, right: bool) -> str:  # noqa: FBT001 (of one row, beside its class)
    """What is sorted by: all digits, not the few that are shown."""
    return f' data-value="{"" if value is None else value}"' if right else ""


def _class(right: bool) -> str:  # noqa: FBT001 (likewise)
    return ' class="number"' if right else ""


# What is longer is folded; what is shorter stands in one line.
LONGEST_LINE = 50
# Of what is longer still the beginning is shown, and the rest to whoever wants it.
LONGEST_CELL = 160


def _long(said: str) -> str:
    return ' class="long"' if len(said) > LONGEST_LINE else ""


def _folded(said: str) -> str:
    if len(said) <= LONGEST_CELL:
        return as_html(said)
    at = said.rfind(", ", 0, LONGEST_LINE) + 1 or LONGEST_LINE
    return f"<details><summary>{as_html(said[:at])}</summary>{as_html(said[at:])}</details>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_cell(one)}" for name, one in value.items())
    return str(value)


def _paragraphs(said: str) -> str:
    """Columns are named between backticks, as in the SQL's comments."""
    parts = (_CODE.sub(r"<code>\1</code>", as_html(part)) for part in said.split("\n\n") if part)
    return "".join(f"<p>{part}</p>" for part in parts)


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
