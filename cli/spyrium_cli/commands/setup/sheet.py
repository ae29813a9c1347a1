"""`spyrium sheet`: the values printed on the components, and their sources."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, get_args

import click
from rich.cells import cell_len
from rich.console import ConsoleRenderable

from spyrium_cli.command import Group, pass_session
from spyrium_cli.complaint import REFUSED, WrongCall
from spyrium_cli.options import (
    by_option,
    dry_run_option,
    force_option,
    format_option,
    option,
    title_option,
    wait_option,
)
from spyrium_cli.render.paper import console, draw, grid, text
from spyrium_cli.render.rows import formats, translate_headings, write
from spyrium_cli.render.surface import say, tell
from spyrium_cli.render.text import translate, translate_word
from spyrium_cli.session import FOR_PEOPLE, Session
from spyrium_cli.sheets import lookup
from spyrium_cli.sheets.readings import (
    Signature,
    Verification,
    choose_readings,
    edit_values,
    reader_name,
    save_readings,
)
from spyrium_cli.terminal import write_data
from spyrium_cli.titles import Cards, find_renderer
from spyrium_log.exchange.sheets import format_sheet_csv
from spyrium_log.messages import RECORDED, Component, Count, Reader, SourceOf
from spyrium_log.sheet import Difference, Printed, Sheet, Source, compare_sheets, format_sheet

SOURCES = get_args(Source)
NAME_COLUMN = 1
# A narrower screen gets a card as lines of name and value.
NARROW = 80

EPILOG = """\b
Examples:
  spyrium sheet show mine-1
  spyrium sheet verify
  spyrium sheet edit mine-1 price 4 --by Anna
  spyrium sheet check

SHEET is own, shipped or the name of one that ships, a file (TOML or CSV), or a game, for the values it was played with.
Your own sheet overrides the one that ships; it is the file `sheet` in spyrium.toml, where {title} stands for the title,
or sheet-TITLE.toml beside it. ~ marks a value that nobody has checked against the printed component."""

file_option = option("--sheet", "file", type=click.Path(dir_okay=False, path_type=Path))
day_option = option("--date", "day", metavar="DAY")


@click.group("sheet", cls=Group, epilog=EPILOG)
def manage_sheets() -> None:
    """Show and check the values printed on the components."""


CARDS = """\b
Examples:
  spyrium sheet cards
  spyrium sheet cards --seats 4
  spyrium sheet cards --format csv

~ stands before a value that nobody has checked against the printed card; csv and json name the source of each.
Copies are by period: a for rounds 1 to 3, b for 4 and 5, c for 6. What a card does is told in our words, by the usual
readings."""


@manage_sheets.command("cards", epilog=CARDS)
@option("--seats", "players", type=int, metavar="N")
@title_option
@formats()
@pass_session
def list_cards(session: Session, players: int | None, form: str) -> None:
    """List the cards by the ids that a deal names, and what each does."""
    title = session.title
    if players is not None and players not in title.seats:
        raise WrongCall("players", least=title.seats[0], most=title.seats[-1], found=players, hint="")
    listed = find_renderer(title).cards(players, session.language_of(title, form))
    if form == "table" and console().width >= NARROW:
        _draw_cards(listed)
    elif form in FOR_PEOPLE:
        write(listed.heads, [card.cells for card in listed.cards], form)
    else:
        rows = [card.fields for card in listed.cards]
        write(list(rows[0]), [list(row.values()) for row in rows], form, null="")


def _draw_cards(cards: Cards) -> None:
    """Draw the cards kind by kind, below the headings of their cells; only a name may be broken over lines."""
    if cards.last_below:
        _draw_cards_with_sentences(cards)
        return
    table = grid(*cards.alignment)
    for index, column in enumerate(table.columns):
        column.no_wrap = index != NAME_COLUMN
    for kind, group in groupby(cards.cards, key=lambda card: card.kind):
        table.add_row(*(text(heading, "bold") for heading in (kind, *cards.heads[1:])))
        for card in group:
            table.add_row(*(text(cell) for cell in card.cells))
    draw(table)


def _draw_cards_with_sentences(cards: Cards) -> None:
    """Draw the cards likewise, each with its last cell below, as wide as the screen."""
    rows = [list(card.cells[:-1]) for card in cards.cards]
    heads = {card.kind: [card.kind, *cards.heads[1:-1]] for card in cards.cards}
    widths = [max(map(cell_len, column)) for column in zip(*rows, *heads.values(), strict=True)]
    # two columns between any two
    others = sum(widths) - widths[NAME_COLUMN] + 2 * (len(widths) - 1)
    widths[NAME_COLUMN] = min(widths[NAME_COLUMN], console().width - others)
    lines: list[ConsoleRenderable] = []
    for kind, group in groupby(cards.cards, key=lambda card: card.kind):
        lines.append(_make_line(heads[kind], widths, cards.alignment, "bold"))
        for card in group:
            lines.append(_make_line(card.cells[:-1], widths, cards.alignment))
            below = grid("left", "left")
            below.add_row(" ", text(card.cells[-1], "dim"))
            lines.append(below)
    draw(*lines)


def _make_line(
    cells: Sequence[str], widths: Sequence[int], alignment: Sequence[Literal["left", "right"]], style: str = ""
) -> ConsoleRenderable:
    """A line of cells, each as wide as its column."""
    line = grid(*alignment[: len(cells)])
    for column, width in zip(line.columns, widths, strict=True):
        column.width = width
    line.add_row(*(text(cell, style) for cell in cells))
    return line


@manage_sheets.command(
    "show", epilog="\b\nExamples:\n  spyrium sheet show mine-1\n  spyrium sheet show mine --format md"
)
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@option("--sheet", "sheet_name", default=lookup.OWN, show_default=True, metavar="SHEET")
@title_option
@formats()
@pass_session
def list_values(session: Session, cards: Sequence[str], sheet_name: str, form: str) -> None:
    """List printed values, each with its source.

    CARD is an id, or the beginning of some.
    """
    title = session.title
    rows = lookup.select_rows(lookup.find_sheet(session, title, sheet_name), cards)
    language = session.language_of(title, form)
    name_of = title.words.component
    reader = Reader(language, words=title.words.vocabulary(language))
    word = reader.title_word

    def source(key: str) -> str:
        """The word for a source in the language of the table."""
        return SourceOf(key).text_for(reader)

    values = [lookup.format_value(row, reader) if form in FOR_PEOPLE else row.value for row in rows]
    cells = [
        (row.of, name_of(row.of, language), word("values", row.what), value, source(row.source), row.by, row.at)
        for row, value in zip(rows, values, strict=True)
    ]
    write(
        translate_headings(("card", "name", "what", "value", "source", "by", "at"), "sheet", form, language),
        cells,
        form,
    )
    _say_sources(rows, session.language)


def _say_sources(rows: Sequence[Printed], language: str) -> None:
    """Say how many values are from each source: `7 values: 1 read, 1 rulebook, 5 assumed`."""
    counts = Counter(row.source for row in rows)
    # what somebody read comes first
    sources = [source for source in dict.fromkeys(("read", *SOURCES)) if counts[source]]
    reader = Reader(language)
    parts = [f"{counts[source]} {SourceOf(source).text_for(reader)}" for source in sources]
    tell("sheet.sum", values=Count(len(rows), "value"), sources=", ".join(parts))


@manage_sheets.command(
    "diff", epilog="\b\nExample:\n  spyrium sheet diff @last own\n\nExit code 0: the same. 1: they differ."
)
@click.argument("before", default=lookup.SHIPPED, metavar="[SHEET]")
@click.argument("after", default=lookup.OWN, metavar="[SHEET]")
@title_option
@formats()
@pass_session
def list_differences(session: Session, before: str, after: str, form: str) -> int:
    """List the differences of two sheets, in values and in sources.

    Without sheets: what your own changes in the one that ships.
    """
    changes = compare_sheets(*(lookup.find_sheet(session, session.title, name) for name in (before, after)))
    if changes or form != "table":
        _write_differences(session, changes, form)
    kinds: Counter[str] = Counter(change.kind for change in changes)
    counted = [kind for kind in ("value", "source", "added", "removed") if kinds[kind]]
    parts = [translate(f"sheet.of-{kind}", session.language, n=kinds[kind]) for kind in counted]
    say(", ".join(parts) or translate("sheet.the-same", session.language))
    return REFUSED if changes else 0


def _make_reader(session: Session) -> Reader:
    """Who reads what is said of a sheet: in the language of the call, with the words of the title."""
    return Reader(session.language, words=session.title.words.vocabulary(session.language))


def _write_differences(session: Session, changes: Sequence[Difference], form: str) -> None:
    """Write the differences of two sheets: short for people, in full for programs."""
    if form in FOR_PEOPLE:
        reader = _make_reader(session)
        texts = [
            (
                change.of,
                reader.title_word("values", change.what),
                *(lookup.format_reading(row, reader) for row in (change.before, change.after)),
            )
            for change in changes
        ]
        write(translate_headings(("card", "what", "before", "after"), "sheet", form, reader.language), texts, form)
        return
    columns = ("card", "what", "kind", "before", "source_before", "after", "source_after", "by", "at")
    write(columns, map(_difference_row, changes), form, null="")


def _difference_row(change: Difference) -> tuple[str | int | None, ...]:
    """A difference for programs: what of which card, how it differs, the value before, and the value after in full."""
    before, after = change.before, change.after
    value_before = (before.value, before.source) if before else (None, None)
    value_after = (after.value, after.source, after.by, after.at) if after else (None, None, None, None)
    return (change.of, change.what, change.kind, *value_before, *value_after)


EDITS = """\b
Examples:
  spyrium sheet edit mine-1 price 4 --by Anna
  spyrium sheet edit palace symbols -
  spyrium sheet edit mine-1

Without WHAT and VALUE the values of CARD, or all of them, are opened in your editor (VISUAL, EDITOR). WHAT is price,
points, symbols or what else `show` lists; a VALUE of several symbols has + between them, - is none."""


@manage_sheets.command("edit", epilog=EDITS)
@click.argument("card", required=False)
@click.argument("what", required=False)
@click.argument("value", required=False)
@file_option
@option("--source", type=click.Choice(SOURCES), default="read", show_default=True)
@by_option
@day_option
@wait_option
@title_option
@pass_session
def edit_own_sheet(
    session: Session,
    card: str | None,
    what: str | None,
    value: str | None,
    file: Path | None,
    source: Source,
    by: str | None,
    day: str | None,
) -> None:
    """Write values into your own sheet."""
    path = file or lookup.own_sheet_path(session, session.title)
    sheet = lookup.read_own_sheet(session.title, path)
    signature = Signature.of_call(by, day, source)
    if card is None or what is None:
        _edit_in_editor(session, path, sheet, [card] if card else [], signature)
        return
    if value is None:
        raise WrongCall("value", what=what, card=card)
    row = Printed(card, what, lookup.parse_value(session.title, sheet, card, what, value), *signature)
    save_readings(session, session.title, path, [row], signature.by)
    before = sheet.rows_by_key().get((card, what))
    reader = _make_reader(session)
    name, value_name = Component(card).text_for(reader), reader.title_word("values", what)
    after = lookup.format_reading(row, reader)
    if before:
        old = lookup.format_reading(before, reader)
        tell("sheet.reset", card=name, what=value_name, before=old, after=after, place=str(path))
    else:
        tell("sheet.set", card=name, what=value_name, after=after)


def _edit_in_editor(session: Session, path: Path, sheet: Sheet, cards: Sequence[str], signature: Signature) -> None:
    """Open values in the user's editor, save those that were changed, and list them."""
    changed_rows = edit_values(session.title, sheet, lookup.select_rows(sheet, cards), signature)
    if changed_rows:
        save_readings(session, session.title, path, changed_rows, signature.by)
        _write_differences(session, compare_sheets(sheet, sheet.with_readings(*changed_rows)), "table")
    if changed_rows:
        tell("said.values-changed", values=Count(len(changed_rows), "value"), place=str(path))
    else:
        tell("said.nothing-changed")


VERIFIES = """\b
Examples:
  spyrium sheet verify
  spyrium sheet verify mine workshop
  spyrium sheet verify crane --all < answers.txt

Enter: that is what is printed. A number, or words with + between them: that is printed instead. s: skip it. q: enough.
What was read already is asked again only with --all, so that you may stop and go on. Every answer is on the disk
before the next question."""


@manage_sheets.command("verify", epilog=VERIFIES)
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@option("--all", "again", is_flag=True)
@file_option
@by_option
@day_option
@wait_option
@title_option
@pass_session
def verify_values(
    session: Session, cards: Sequence[str], again: bool, file: Path | None, by: str | None, day: str | None
) -> None:
    """Go through the values card by card.

    Needs the printed cards at hand. CARD is an id, or the beginning of some.
    """
    title, path = session.title, file or lookup.own_sheet_path(session, session.title)
    sheet = lookup.read_own_sheet(title, path)
    unchecked = [row for row in lookup.select_rows(sheet, cards) if again or row.source != "read"]
    signature = Signature.of_call(by, day)
    language = session.language_of(title)
    verification = Verification(
        title,
        sheet,
        lambda row: save_readings(session, session.title, path, [row], signature.by),
        signature,
        lambda component: title.words.component(component, language),
        _make_reader(session),
    )
    try:
        verification.run(unchecked)
    finally:
        # also of answers that an interruption ended: they are on the disk
        if verification.kept or verification.corrected:
            assumed = sum(row.source == "assumed" for row in lookup.read_own_sheet(title, path).printed)
            tell(
                "said.verified",
                kept=verification.kept,
                corrected=verification.corrected,
                skipped=verification.skipped,
                left=Count(assumed, "assumed value"),
                place=str(path),
            )
    if not unchecked:
        tell("said.all-verified")
    elif not (verification.kept or verification.corrected or verification.skipped):
        tell("said.nothing-verified" if sys.stdin.isatty() else "said.nothing-verified-here")


CHECKS = """\b
Examples:
  spyrium sheet check
  spyrium sheet check cards.toml
  spyrium sheet check --format csv

Wrong is what cannot be read, or contradicts what is known of every copy of the game; missing is what a sheet does not
say. Exit code 0: nothing is wrong. 1: something is."""


@manage_sheets.command("check", epilog=CHECKS)
@click.argument("sheet_name", default=lookup.OWN, metavar="[SHEET]")
@title_option
@formats()
@pass_session
def check_sheet(session: Session, sheet_name: str, form: str) -> int:
    """List what is wrong with a sheet, and what it lacks."""
    title = session.title
    sheet = lookup.find_sheet(session, title, sheet_name)
    flaws, remarks = title.check(sheet)
    language = session.language_of(title, form)
    reader = Reader(language, words=title.words.vocabulary(language)) if form in FOR_PEOPLE else RECORDED
    kinds = {kind: translate_word(kind, "sheet", language) for kind in ("wrong", "missing")}
    by_kind = (("wrong", flaws), ("missing", remarks))
    rows = [(kinds[kind], each.text_for(reader)) for kind, messages in by_kind for each in messages]
    if rows or form not in FOR_PEOPLE:
        write(translate_headings(("kind", "message"), "sheet", form, language), rows, form)
    if rows:
        tell("sheet.checked", name=sheet.name, wrong=len(flaws), missing=len(remarks))
    else:
        tell("sheet.whole", name=sheet.name)
    return REFUSED if flaws else 0


@manage_sheets.command(
    "import", epilog="\b\nExamples:\n  spyrium sheet import cards.csv --dry-run\n  spyrium sheet import @last"
)
@click.argument("source", metavar="FILE|GAME")
@file_option
@by_option
@force_option
@dry_run_option
@title_option
@formats()
@wait_option
@pass_session
def import_values(
    session: Session, source: str, file: Path | None, by: str | None, force: bool, dry_run: bool, form: str
) -> None:
    """Take the values of a CSV or TOML file, or those read off in a game, into your own sheet.

    Only values that differ are taken, and no assumed one in the place of one that is certain. Where your sheet has
    another reading of a value, both are shown: it is taken if you say so, or with --force.
    """
    path = file or lookup.own_sheet_path(session, session.title)
    sheet = lookup.read_own_sheet(session.title, path)
    imported = lookup.find_values(session, session.title, source)
    lookup.check_rows(session.title, sheet, imported)
    changes = compare_sheets(
        sheet, sheet.with_readings(*choose_readings(sheet, imported, _make_reader(session), anyway=force))
    )
    if changes:
        if not dry_run:
            save_readings(
                session, session.title, path, [change.after for change in changes if change.after], reader_name(by)
            )
        _write_differences(session, changes, form)
    taken, unchanged = Count(len(changes), "value"), len(imported) - len(changes)
    if dry_run:
        tell("sheet.taken-dry", values=taken, n=unchanged)
    else:
        tell("sheet.taken", values=taken, n=unchanged, place=str(path))


@manage_sheets.command(
    "export", epilog="\b\nExamples:\n  spyrium sheet export\n  spyrium sheet export @last --format toml"
)
@click.argument("sheet_name", default=lookup.OWN, metavar="[SHEET]")
@format_option(["csv", "toml"], "csv")
@title_option
@pass_session
def print_sheet(session: Session, sheet_name: str, form: str) -> None:
    """Write a whole sheet to stdout, for a spreadsheet or an editor."""
    sheet = lookup.find_sheet(session, session.title, sheet_name)
    write_data(format_sheet_csv(sheet) if form == "csv" else format_sheet(sheet))


@manage_sheets.command("affects", epilog="\b\nExample:\n  spyrium sheet affects --sheet cards.csv games/")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@option("--sheet", "sheet_name", default=lookup.OWN, show_default=True, metavar="SHEET")
@format_option(["table", "json", "jsonl"])
@title_option
@pass_session
def list_affected_games(session: Session, paths: Sequence[str], sheet_name: str, form: str) -> int:
    """List the games whose result another sheet would change.

    A log keeps the values it was played with: nothing is written. PATH is as in `whatif`.
    """
    from spyrium_cli.games.experiments import Trial, write_outcomes

    title = session.title
    trial = Trial(sheet=lookup.find_sheet(session, title, sheet_name), title=title.key)
    return write_outcomes(session, paths, trial, form, reads_all=True)
