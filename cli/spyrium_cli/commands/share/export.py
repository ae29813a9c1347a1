"""`spyrium export`: write games in other formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from spyrium_cli.command import LAST, Command, pass_session
from spyrium_cli.complaint import UNUSABLE, Refusal, WrongCall, call_message, shell_message, spoken
from spyrium_cli.exporting import forms
from spyrium_cli.files import STDOUT, check_target, write_output
from spyrium_cli.games.lookup import select_games
from spyrium_cli.options import force_option, format_option, option, raw_option
from spyrium_cli.render.surface import tell, with_progress
from spyrium_cli.session import Session
from spyrium_log.messages import Count
from spyrium_log.store import Folder

if TYPE_CHECKING:
    from spyrium_cli.exporting.anonymise import Anonymiser

CODES = (".svg", ".png")
DATASET = "dataset"

EPILOG = """\b
Examples:
  spyrium export --to game.html
  spyrium export --to club.jsonl.zst
  spyrium export --to evenings.csv --format scores
  spyrium export games/ --to forum.jsonl.zst --anonymise
  spyrium export --format dataset --to evenings-data --anonymise
  spyrium export --qr code.svg

One game: html is one page that needs no network, with the board after each move and the log itself; json the replay
with the log; csv the ledger; jsonl the log as it is; txt the game in notation. `spyrium import` reads all of them but
csv. Many games: pack is logs with their notes in one file (.jsonl.zst: compressed); scores has a row for each seat;
bgstats is for the app BG Stats (.bgsplay), bgstats-link a link to add a play there; dataset is a folder of Parquet
files with all tables of query. What a format leaves out of a game is printed on stderr.

Of one damaged log, the readable part is exported: exit code 2, or 0 where only its last line is unfinished. Of many
games, a damaged one is left out: 2. One without final scores or a day, where the format needs them, is left out: 1.
The salt of --anonymise is in your data directory; with one salt, a name gets the same pseudonym in every file."""


@click.command("export", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[GAME]...")
@option("--to", default=STDOUT, metavar="FILE")
@format_option([*forms.FORMS, *forms.BUNDLES, DATASET], None)
@click.option("--qr", metavar="FILE", help="The link of bgstats-link as a QR code, too: .svg or .png.")
@force_option
@click.option("--anonymise", is_flag=True, help="Replace names; leave out places, days, notes and reasons.")
@click.option(
    "--salt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Salt that names are replaced with (default: your own).",
)
@click.option("--keep-texts", is_flag=True, help="With --anonymise, keep notes and reasons, word for word.")
@raw_option
@pass_session
def export_games(
    session: Session,
    paths: Sequence[str],
    to: str,
    form: str | None,
    qr: str | None,
    force: bool,
    anonymise: bool,
    salt: Path | None,
    keep_texts: bool,
) -> int:
    """Write games in formats that others read.

    html, json, csv, jsonl and txt hold one game (default: @last). The others hold all games of a folder or a pack, any
    number of them (default: the whole archive).
    """
    # a QR code is of a link
    name = _find_format(form or ("bgstats-link" if qr else None), to, paths)
    _check_options(name, qr=qr, anonymise=anonymise, salt=salt, keep_texts=keep_texts)
    anonymiser: Anonymiser | None = None
    if anonymise:
        from spyrium_cli.exporting.anonymise import Anonymiser

        anonymiser = Anonymiser(salt, session.folder().read_aliases(), keep_texts=keep_texts)
    if name in forms.FORMS:
        code = _export_game(session, paths, name, to, anonymiser, force=force)
    elif name == DATASET:
        code = _export_dataset(session, paths, to, anonymiser)
    else:
        tally = _export_bundle(session, paths, name, to, anonymiser, force=force, qr=qr)
        _print_summary(name, to, tally)
        code = tally.exit_code
    if anonymiser is not None:
        anonymiser.print_report()
    return code


def _find_format(form: str | None, to: str, paths: Sequence[str]) -> str:
    """The form that the call names, else that of the file's ending, by which packs are compressed; refused for none."""
    if to == STDOUT and not form:
        # such as `export game.html`, where --to is missing
        targets = [path for path in paths if path.endswith(tuple(f".{name}" for name in forms.FORMS))]
        misplaced = next((path for path in targets if not Path(path).exists()), "")
        hint = call_message("near-to", near=misplaced) if misplaced else ""
        raise WrongCall("no-target", hint=hint)
    by_ending = next((name for ending, name in forms.FORM_BY_ENDING.items() if to.casefold().endswith(ending)), "")
    form = form or by_ending or Path(to).suffix.removeprefix(".").casefold()
    if form not in forms.FORMS and form not in forms.BUNDLES and form != DATASET:
        endings = ", ".join((*(f".{name}" for name in forms.FORMS), *forms.FORM_BY_ENDING))
        raise WrongCall("ending", known=endings, found=to)
    form = "pack.zst" if form == "pack" and to.endswith(".zst") else form
    if form == "pack.zst" and to == STDOUT and sys.stdout.isatty():
        raise WrongCall("pack-terminal")
    return form


def _check_options(form: str, *, qr: str | None, anonymise: bool, salt: Path | None, keep_texts: bool) -> None:
    """Refuse options that the form does not have, or that need another one."""
    if qr and (form != "bgstats-link" or Path(qr).suffix not in CODES):
        raise WrongCall("qr", found=qr)
    if (salt or keep_texts) and not anonymise:
        raise WrongCall("needs-anonymise", option="--salt" if salt else "--keep-texts")
    if form in forms.BUNDLES and anonymise and not forms.BUNDLES[form].may_hide:
        raise WrongCall("names-needed", form=form)


def _export_game(
    session: Session, paths: Sequence[str], form: str, to: str, anonymiser: Anonymiser | None, *, force: bool
) -> int:
    """Write the one game that is named, by default the last one, and say what the form leaves out; the exit code."""
    if len(paths) > 1:
        raise WrongCall("one-game", form=form, found=len(paths), known=", ".join(forms.BUNDLES))
    game = forms.read_game(session, paths[0] if paths else LAST, anonymiser)
    write_output([forms.make_file(game, form)], to, force=force)
    if to != STDOUT:
        tell("said.exported", game=game.replay.header.game, form=form, place=str(to))
    if omissions := forms.list_omissions(game, form):
        tell("said.omitted", form=form, what=", ".join(map(spoken, omissions)))
    return UNUSABLE if game.replay.verdict == "unusable" else 0


def _export_bundle(
    session: Session,
    paths: Sequence[str],
    form: str,
    to: str,
    anonymiser: Anonymiser | None,
    *,
    force: bool = False,
    qr: str | None = None,
) -> forms.Tally:
    """Write many games into one file, and count them."""
    tally = forms.Tally()
    games = with_progress(select_games(session, paths), None, "exported")
    whole_games = forms.read_whole_games(games, tally, anonymiser, session.folder().read_aliases())
    # before the code is written, which would else be left alone
    check_target(to, force=force)
    parts = forms.BUNDLES[form].write(whole_games, tally)
    write_output(parts if qr is None else _write_qr_code(parts, qr, force=force), to, force=force)
    return tally


def _print_summary(form: str, to: str, tally: forms.Tally) -> None:
    """Print how many games were written, and what the form leaves out of them."""
    written, left_out = tally.taken - tally.unfit, tally.unfit + tally.unread
    bundle = forms.BUNDLES[form]
    omissions = ["moves"] * tally.has_moves + ["notes"] * (tally.has_notes and not bundle.has_comments)
    if bundle.scores_only and written and omissions:
        tell("said.omitted-these", form=form, what=shell_message(f"said.{'-and-'.join(omissions)}"))
    games, place = Count(written, "game"), str(to)
    if left_out and to == STDOUT:
        tell("said.written-some", games=games, n=left_out)
    elif left_out:
        tell("said.written-some-at", games=games, place=place, n=left_out)
    elif to == STDOUT:
        tell("said.written", games=games)
    else:
        tell("said.written-at", games=games, place=place)


def _export_dataset(session: Session, paths: Sequence[str], to: str, anonymiser: Anonymiser | None) -> int:
    """Write all tables as Parquet; the exit code. Chosen or anonymised games get an index of their own first."""
    from spyrium_cli.sql.index import INDEX_FILE, refresh_index, warn_if_held
    from spyrium_log.readmodel.dataset import write_dataset

    if to == STDOUT:
        raise WrongCall("dataset")
    code = 0
    with TemporaryDirectory(prefix="spyrium-") as folder:
        if paths or anonymiser is not None:
            index = Path(folder) / INDEX_FILE
            code = _index_chosen_games(session, paths, index, anonymiser)
        else:
            index = refresh_index(session)
        dataset = write_dataset(index, Path(to), anonymised=anonymiser is not None)
    warn_if_held(dataset.held)
    rows = dataset.rows
    counts = Count(rows["game"], "game"), Count(sum(rows.values()), "row"), Count(len(rows), "table")
    tell("said.dataset", games=counts[0], rows=counts[1], tables=counts[2], place=str(to))
    return code


def _index_chosen_games(session: Session, paths: Sequence[str], index: Path, anonymiser: Anonymiser | None) -> int:
    """Make an index of these games alone, anonymised if there is an anonymiser. Returns the exit code."""
    from spyrium_log.readmodel.load import bring_up_to_date
    from spyrium_log.readmodel.sources import sources_of

    # an index is made of a folder of logs: the pack in it is what is indexed
    pack = index.with_name("games.jsonl.zst")
    code = _export_bundle(session, paths, "pack.zst", str(pack), anonymiser).exit_code
    bring_up_to_date(index, sources_of(Folder(pack.parent)), aliases=session.folder().read_aliases())
    return code


def _write_qr_code(links: Iterable[bytes], to: str, *, force: bool) -> list[bytes]:
    """Write the only link also as a QR code, and return it."""
    from spyrium_log.exchange import qr

    lines = list(links)
    if len(lines) != 1:
        raise Refusal(call_message("qr-games", found=len(lines)))
    link = lines[0].decode().rstrip("\n")
    image = qr.make_svg(link).encode() if to.endswith(".svg") else qr.make_png(link)
    write_output([image], to, force=force)
    return lines
