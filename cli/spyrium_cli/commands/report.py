"""`spyrium report`: questions that are asked often."""

from __future__ import annotations

import click

from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, pass_session

EPILOG = """\b
Examples:
  spyrium report
  spyrium report scores --format md"""


@click.command("report", cls=Verb, epilog=EPILOG)
@click.argument("name", required=False)
@formats()
@pass_session
def command(session: Session, name: str | None, form: str) -> None:
    """Answer a question that is asked often.

    Without NAME, list them.
    """
    from spyrium_cli.index import index_of
    from spyrium_cli.render.rows import write
    from spyrium_log.readmodel import report, reports

    if name is None:
        write(("report", "answers"), [(known.name, _first_sentence(known.help)) for known in reports()], form)
        return
    answer = report(index_of(session), name)
    write(answer.columns, answer.rows, form, null="-")


def _first_sentence(text: str) -> str:
    return text.partition("\n\n")[0].replace("\n", " ").partition(". ")[0].rstrip(".") + "."
