"""`spyrium sheet`: the values printed on the components, and their sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from spyrium_cli.command import Group, pass_session
from spyrium_cli.commands.setup.cards import command as cards
from spyrium_cli.options import (
    LONGEST_ID,
    by_option,
    dry_run_option,
    format_option,
    option,
    patience_of,
    title_option,
    wait_option,
)
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.sheets.lookup import OWN, SHIPPED
from spyrium_cli.terminal import write_data
from spyrium_log.sheet import Source

if TYPE_CHECKING:
    from spyrium_log.sheet import Difference, Printed, Sheet

SOURCES = get_args(Source)
PEOPLE = frozenset({"table", "md"})

EPILOG = """\b
Examples:
  spyrium sheet show mine-1
  spyrium sheet verify
  spyrium sheet edit mine-1 price 4 --by Anna
  spyrium sheet affects

SHEET is own, shipped, a file (TOML or CSV), or a game, for the values it was played with. Your own sheet overrides the
one that ships; it is the file `sheet` in spyrium.toml, or sheet-TITLE.toml beside it. ~ marks a value that nobody has
checked against the printed component."""


file_option = option("--sheet", "file", type=click.Path(dir_okay=False, path_type=Path))
day_option = option("--date", "day", metavar="DAY")


@click.group("sheet", cls=Group, epilog=EPILOG)
def command() -> None:
    """Show and check the values printed on the components."""


command.add_command(cards)


# --- reading ------------------------------------------------------------------------------------


@command.command("show", epilog="\b\nExamples:\n  spyrium sheet show mine-1\n  spyrium sheet show mine --format md")
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@option("--sheet", "word", default=OWN, show_default=True, metavar="SHEET")
@title_option
@formats()
@pass_session
def show(session: Session, cards: Sequence[str], word: str, form: str) -> None:
    """List printed values, each with its source.

    CARD is an id, or the beginning of some.
    """
    from spyrium_cli.render.rows import write
    from spyrium_cli.render.surface import say
    from spyrium_cli.sheets.lookup import find_sheet, select_rows, value_text

    title = session.title
    rows = select_rows(find_sheet(session, title, word), cards)
    language = session.language_of(title, form)
    shown_value = value_text if form in PEOPLE else _value
    write(
        ("card", "name", "what", "value", "source", "by", "at"),
        [
            (row.of, title.words.component(row.of, language), row.what, shown_value(row), row.source, row.by, row.at)
            for row in rows
        ],
        form,
    )
    say(_summary(rows))


def _value(row: Printed) -> int | str:
    return row.value


def _summary(rows: Sequence[Printed]) -> str:
    """`7 values: 1 read, 1 rulebook, 5 assumed`."""
    from spyrium_cli.render.text import count_text

    sources = Counter(row.source for row in rows)
    order = ("read", *(source for source in SOURCES if source != "read"))
    parts = [f"{sources[source]} {source}" for source in order if sources[source]]
    return f"{count_text(len(rows), 'value')}: {', '.join(parts)}"


@command.command(
    "diff", epilog="\b\nExample:\n  spyrium sheet diff @last own\n\nExit code 0: the same. 1: they differ."
)
@click.argument("before", default=SHIPPED, metavar="[SHEET]")
@click.argument("after", default=OWN, metavar="[SHEET]")
@title_option
@formats()
@pass_session
@click.pass_context
def diff(ctx: click.Context, session: Session, before: str, after: str, form: str) -> None:
    """List the differences of two sheets, in values and in sources.

    Without sheets: what your own changes in the one that ships.
    """
    from spyrium_cli.render.surface import say
    from spyrium_cli.sheets.lookup import find_sheet
    from spyrium_log.sheet import differences

    differing = differences(*(find_sheet(session, session.title, word) for word in (before, after)))
    if differing or form != "table":
        _write_differences(differing, form)
    words = {"value": "with another value", "source": "from another source", "added": "new", "removed": "gone"}
    kinds: Counter[str] = Counter(one.kind for one in differing)
    say(", ".join(f"{kinds[kind]} {phrase}" for kind, phrase in words.items() if kinds[kind]) or "the same")
    ctx.exit(int(bool(differing)))


def _write_differences(differing: Sequence[Difference], form: str) -> None:
    """Write the differences of two sheets: short for people, in full for programs."""
    from spyrium_cli.render.rows import write

    if form in PEOPLE:
        rows = [(one.of, one.what, _described(one.before), _described(one.after)) for one in differing]
        write(("card", "what", "before", "after"), rows, form)
    else:
        columns = ("card", "what", "kind", "before", "source_before", "after", "source_after", "by", "at")
        write(columns, [_fields(one) for one in differing], form, null="")


def _described(row: Printed | None) -> str:
    """`4 (Anna, 2026-11-18)`."""
    from spyrium_cli.sheets.lookup import value_text

    if row is None:
        return ""
    who = ", ".join(word for word in (row.by, row.at) if word) or row.source
    return value_text(row) if row.source == "assumed" else f"{value_text(row)} ({who})"


def _fields(one: Difference) -> tuple[object, ...]:
    before, after = one.before, one.after
    return (
        one.of,
        one.what,
        one.kind,
        before and before.value,
        before and before.source,
        after and after.value,
        after and after.source,
        after and after.by,
        after and after.at,
    )


# --- writing -------------------------------------------------------------------------------------


EDITS = """\b
Examples:
  spyrium sheet edit mine-1 price 4 --by Anna
  spyrium sheet edit palace symbols -
  spyrium sheet edit mine-1

Without WHAT and VALUE the values of CARD, or all of them, are opened in your editor (VISUAL, EDITOR). WHAT is price,
points, symbols or what else `show` lists; a VALUE of several symbols has + between them, - is none."""


@command.command("edit", epilog=EDITS)
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
def edit(
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
    from spyrium_cli.render.surface import say
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path, parse_value
    from spyrium_log.sheet import Printed

    path = file or own_sheet_path(session)
    sheet = own_sheet(session.title, path)
    who, when = _reader(by), _day(day)
    if card is None or what is None:
        _edit(session, path, sheet, [card] if card else [], (source, who, when))
        return
    if value is None:
        raise click.UsageError(f"expected a value for the {what} of '{card}', found none")
    row = Printed(card, what, parse_value(sheet, card, what, value), source, who, when)
    take(session, path, [row], who)
    before = sheet.table().get((card, what))
    say(
        f"{card} {what}: {_described(before)} is now {_described(row)}, at {path}"
        if before
        else f"{card} {what}: {_described(row)}"
    )


def _edit(session: Session, path: Path, sheet: Sheet, cards: Sequence[str], signature: tuple[Source, str, str]) -> None:
    """Open values in an editor, and list what was changed."""
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.sheets.editor import edit_values
    from spyrium_cli.sheets.lookup import select_rows
    from spyrium_log.sheet import differences

    differing = edit_values(sheet, select_rows(sheet, cards), *signature)
    if differing:
        take(session, path, differing, signature[1])
        _write_differences(differences(sheet, sheet.overlaid(*differing)), "table")
    say(f"{count_text(len(differing), 'value')} changed, at {path}" if differing else "nothing was changed")


def take(session: Session, path: Path, rows: Sequence[Printed], who: str) -> None:
    """Write values into a sheet file."""
    from spyrium_log.store import take_readings

    over = session.title.sheet()
    take_readings(path, rows, over=over, name=f"{who}'s own", patience=patience_of(session))


def _reader(by: str | None) -> str:
    from spyrium_cli.identity import user_name

    who = by or user_name()
    if len(who) > LONGEST_ID:
        raise click.UsageError(f"expected at most {LONGEST_ID} characters in --by, found {len(who)}")
    return who


def _day(text: str | None) -> str:
    from spyrium_cli.identity import today
    from spyrium_log.exchange.values import parse_day

    return today() if text is None else parse_day(text)


VERIFIES = """\b
Examples:
  spyrium sheet verify
  spyrium sheet verify mine workshop
  spyrium sheet verify crane --all < answers.txt

Enter: that is what is printed. A number, or words with + between them: that is printed instead. s: skip it. q: enough.
What was read already is asked again only with --all, so that you may stop and go on. Every answer is on the disk
before the next question."""


@command.command("verify", epilog=VERIFIES)
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@option("--all", "again", is_flag=True)
@file_option
@by_option
@day_option
@wait_option
@title_option
@pass_session
def verify(
    session: Session, cards: Sequence[str], again: bool, file: Path | None, by: str | None, day: str | None
) -> None:
    """Go through the values card by card.

    Needs the printed cards at hand. CARD is an id, or the beginning of some.
    """
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path, select_rows
    from spyrium_cli.sheets.verification import Verification

    title = session.title
    path = file or own_sheet_path(session)
    sheet = own_sheet(title, path)
    unchecked = [row for row in select_rows(sheet, cards) if again or row.source != "read"]
    who = _reader(by)
    language = session.language_of(title)

    def name_of(component: str) -> str:
        return title.words.component(component, language)

    verification = Verification(sheet, lambda row: take(session, path, [row], who), who, _day(day), name_of)
    try:
        verification.run(unchecked)
    finally:
        if verification.kept or verification.corrected:
            left = sum(row.source == "assumed" for row in own_sheet(title, path).printed)
            counts = f"{verification.kept} as shown, {verification.corrected} corrected, {verification.skipped} skipped"
            say(f"{counts}; {count_text(left, 'assumed value')} left, at {path}")
    if not unchecked:
        say("every value was read off a component (--all asks again)")


# --- spreadsheets --------- --------------------------------------------------------------------


@command.command("import", epilog="\b\nExample:\n  spyrium sheet import cards.csv --dry-run")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@file_option
@by_option
@dry_run_option
@title_option
@formats()
@wait_option
@pass_session
def import_(session: Session, source: Path, file: Path | None, by: str | None, dry_run: bool, form: str) -> None:
    """Take the values of a CSV or TOML file into your own sheet.

    Only values that differ are taken.
    """
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path, parse_value, read_sheet_file
    from spyrium_log.sheet import differences

    path = file or own_sheet_path(session)
    sheet = own_sheet(session.title, path)
    imported = read_sheet_file(source)
    for row in imported.printed:
        parse_value(sheet, row.of, row.what, str(row.value))
    differing = differences(sheet, sheet.overlaid(*imported.printed))
    if differing:
        if not dry_run:
            take(session, path, [one.after for one in differing if one.after], _reader(by))
        _write_differences(differing, form)
    summary = f"{count_text(len(differing), 'value')} taken, {len(imported.printed) - len(differing)} as they were"
    say(summary + (" (nothing was written)" if dry_run else f", at {path}"))


@command.command("export", epilog="\b\nExamples:\n  spyrium sheet export\n  spyrium sheet export @last --format toml")
@click.argument("word", default=OWN, metavar="[SHEET]")
@format_option(["csv", "toml"], "csv")
@title_option
@pass_session
def export(session: Session, word: str, form: str) -> None:
    """Write a whole sheet to stdout, for a spreadsheet or an editor."""
    from spyrium_cli.sheets.lookup import find_sheet
    from spyrium_log.exchange.sheets import csv_of
    from spyrium_log.sheet import toml_of

    sheet: Sheet = find_sheet(session, session.title, word)
    write_data(csv_of(sheet) if form == "csv" else toml_of(sheet))


# --- consequences --- ----------------------------------------------------------------------------


@command.command("affects", epilog="\b\nExample:\n  spyrium sheet affects --sheet cards.csv games/")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@option("--sheet", "word", default=OWN, show_default=True, metavar="SHEET")
@format_option(["table", "json", "jsonl"])
@title_option
@pass_session
@click.pass_context
def affects(ctx: click.Context, session: Session, paths: Sequence[str], word: str, form: str) -> None:
    """List the games whose result another sheet would change.

    A log keeps the values it was played with: nothing is written. PATH is as in `whatif`.
    """
    from spyrium_cli.games.experiments import Trial
    from spyrium_cli.render.experiments import write_outcomes
    from spyrium_cli.sheets.lookup import find_sheet

    title = session.title
    trial = Trial(sheet=find_sheet(session, title, word), title=title.key)
    ctx.exit(write_outcomes(session, paths, trial, form, reads_all=True))
