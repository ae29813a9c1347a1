"""`spyrium report`: reports about the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint
from spyrium_cli.files import write_output
from spyrium_cli.games.lookup import find_game
from spyrium_cli.options import force_option, option
from spyrium_cli.render.reports import write_report
from spyrium_cli.render.rows import formats, write
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session, language_of_form
from spyrium_cli.sql.index import refresh_index, warn_if_held
from spyrium_log.analysis.words import word
from spyrium_log.catalogue import ENGLISH
from spyrium_log.errors import SpyriumLogError
from spyrium_log.readmodel.catalogue import find_report, question_text, reports

if TYPE_CHECKING:
    from spyrium_log.analysis.figures import Reported
    from spyrium_log.analysis.translation import FindingTexts

EPILOG = """\b
Examples:
  spyrium report
  spyrium report scores --seats 3 --format md
  spyrium report scores --to scores.html

Every report names the games that it leaves out, and why. CSV holds one table, chosen by --figure."""


@click.command("report", cls=Command, epilog=EPILOG)
@click.argument("name", required=False)
@option("--title")
@option("--seats", "players", type=click.IntRange(1, 9))
@option("--player")
@click.option("--against", help="The other player of a head to head.")
@click.option("--card", help="Only this card, by its id.")
@click.option("--game", help="Only this game: its id, or the beginning of it.")
@option("--since", metavar="DAY")
@option("--until", metavar="DAY")
@option("--grade", type=click.Choice(["clean", "open", "exact", "invented"]))
@option("--source", type=click.Choice(["real", "table", "notation", "service", "scoresheet", "simulated"]))
@click.option(
    "--repeated",
    is_flag=True,
    default=None,
    help="Count score sheets of one day with the same players and scores each time.",
)
@option("--as-recorded", is_flag=True, default=None)
@click.option("--least", type=click.IntRange(1), help="Groups of fewer games are listed, not ranked.")
@click.option("--figure", help="Only this table of the report.")
@click.option("--wide", is_flag=True, help="Show all columns on a screen; csv and json always have them.")
@option("--to", metavar="FILE", type=click.Path(dir_okay=False))
@force_option
@formats()
@pass_session
def print_report(
    session: Session,
    /,
    name: str | None,
    form: str,
    figure: str | None,
    wide: bool,
    to: str | None,
    force: bool,
    **filters: Any,
) -> None:
    """Print a report about the archive.

    Without NAME, list them.
    """
    from spyrium_log.analysis.reports import run_report

    if (filters["game"] or "").startswith("@"):
        filters["game"] = find_game(session, filters["game"]).game
    title = filters["title"] or session.title.key
    if name is None:
        _list_reports(title, form, session.language)
        return
    # an unknown report is refused before the index is brought up to date
    find_report(name, title)
    chosen = {option: value for option, value in filters.items() if value is not None}
    reported = run_report(refresh_index(session), name, chosen, title)
    warn_if_held(reported.held)
    findings = _translate_findings(session, reported)
    if to is None:
        write_report(reported, form, figure, wide=wide, language=session.language, findings=findings)
        return
    # loaded late: a screen needs no templates
    from spyrium_log.analysis.page import report_page

    write_output([report_page(reported, session.language, findings)], to, force=force)
    tell("said.report-written", place=str(to))


def _translate_findings(session: Session, reported: Reported) -> FindingTexts:
    """The findings of the game that the report is of, in the language of the call; none where it lists none."""
    from spyrium_log.analysis.translation import translate_findings
    from spyrium_log.replay import replay

    if session.language == ENGLISH or not any(figure.name == "findings" for figure in reported.figures):
        return {}
    try:
        log = find_game(session, str(reported.options["game"])).log()
    except (Complaint, SpyriumLogError):
        # its rows are there all the same, in English
        return {}
    return translate_findings(replay(log, amended=not reported.options["as_recorded"]), session.language)


def _list_reports(title: str, form: str, language: str) -> None:
    """Write the general reports and those of a title, each with what it answers and its options."""
    shown_in = language_of_form(form, language)
    rows = [
        (report.name, question_text(report, shown_in), " ".join(option.name for option in report.options))
        for report in reports(title)
    ]
    write([word("list", head, shown_in) for head in ("report", "answers", "options")], rows, form)
