"""`spyrium export`: write games in other formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import LAST, Command, pass_session
from spyrium_cli.complaint import UNUSABLE, Complaint, Refusal
from spyrium_cli.exporting.bundles import BUNDLES, FORM_BY_ENDING
from spyrium_cli.files import STDOUT, write_output
from spyrium_cli.options import force_option, format_option, option, raw_option
from spyrium_cli.session import Session, wants_raw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spyrium_cli.exporting.anonymise import Anonymiser
    from spyrium_cli.exporting.bundles import WholeGame
    from spyrium_log.edit.annotate import Remark
    from spyrium_log.replay import Replay

CODES = (".svg", ".png")
DATASET = "dataset"

EPILOG = """\b
Examples:
  spyrium export --to game.html
  spyrium export --to gra.html --lang pl
  spyrium export --to game.txt
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game, with all that a format may need of it."""

    done: Replay
    players: Sequence[str]
    notes: Any
    raw: bytes
    remarks: Sequence[Remark]
    language: str


def _html(game: Game) -> bytes:
    from spyrium_log.exchange.page import page

    return page(game.done, game.raw, remarks=game.remarks, language=game.language)


def _json(game: Game) -> bytes:
    from spyrium_log.exchange.tables import replay_json

    return replay_json(game.done, game.raw, remarks=game.remarks)


def _jsonl(game: Game) -> bytes:
    return game.raw


def _csv(game: Game) -> bytes:
    from spyrium_log.exchange.tables import ledger_csv

    return ledger_csv(game.done, game.players, raw=wants_raw())


def _notation(game: Game) -> bytes:
    from spyrium_log.transcript import transcribe

    return "".join(f"{line}\n" for line in transcribe(game.done.log)).encode()


# Formats of one game, by the extension of their files.
FORMS: Mapping[str, Callable[[Game], bytes]] = {
    "html": _html,
    "json": _json,
    "csv": _csv,
    "jsonl": _jsonl,
    "txt": _notation,
}


@click.command("export", cls=Command, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[GAME]...")
@option("--to", default=STDOUT, metavar="FILE")
@format_option([*FORMS, *BUNDLES, DATASET], None)
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
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    paths: Sequence[str],
    to: str,
    form: str | None,
    qr: str | None,
    force: bool,
    anonymise: bool,
    salt: Path | None,
    keep_texts: bool,
) -> None:
    """Write games in formats that others read.

    html, json, csv, jsonl and txt hold one game (default: @last). The others hold all games of a folder or a pack, any
    number of them (default: the whole archive).
    """
    from spyrium_cli.exporting.anonymise import Anonymiser

    if to == STDOUT and not (form or qr):
        misplaced = next(
            (path for path in paths if FORMS.keys() & {Path(path).suffix[1:]} and not Path(path).exists()), ""
        )
        hint = f": did you mean --to {misplaced}?" if misplaced else ""
        raise click.UsageError(f"expected --to FILE or --format, found neither{hint}")
    name = _format(form or ("bgstats-link" if qr else None), to)
    if qr and (name != "bgstats-link" or Path(qr).suffix not in CODES):
        raise click.UsageError(f"expected --qr with bgstats-link, and a file that ends in .svg or .png, found '{qr}'")
    if (salt or keep_texts) and not anonymise:
        raise click.UsageError(f"expected --anonymise with {'--salt' if salt else '--keep-texts'}, found it alone")
    if name in BUNDLES and anonymise and not BUNDLES[name].may_hide:
        raise click.UsageError(f"expected a form that needs no names with --anonymise, found {name}")
    if name in FORMS and not paths:
        paths = [LAST]
    if name in FORMS and len(paths) > 1:
        raise click.UsageError(
            f"expected one game for {name}, found {len(paths)}; several go into {', '.join(BUNDLES)}"
        )
    anonymiser = Anonymiser(salt, session.folder().aliases(), keep_texts=keep_texts) if anonymise else None
    if name in FORMS:
        game = _game(session, paths[0], anonymiser)
        write_output([FORMS[name](game)], to, force=force)
        _print_omissions(name, game)
        code = UNUSABLE if game.done.verdict == "unusable" else 0
    elif name == DATASET:
        code = _dataset(session, paths, to, anonymiser)
    else:
        code = _bundled(session, paths, name, to, anonymiser, force=force, code=qr)
    if anonymiser is not None:
        anonymiser.report()
    ctx.exit(code)


def _format(name: str | None, to: str) -> str:
    """The format of the call, or of the extension of the file."""
    ended = next((form for end, form in FORM_BY_ENDING.items() if to.casefold().endswith(end)), "")
    form = name or ended or Path(to).suffix.removeprefix(".").casefold()
    if form not in FORMS and form not in BUNDLES and form != DATASET:
        ends = ", ".join(f".{end}" for end in (*FORMS, *(end.removeprefix(".") for end in FORM_BY_ENDING)))
        raise click.UsageError(f"expected a file that ends in {ends}, or --format, found '{to}'")
    form = "pack.zst" if form == "pack" and to.endswith(".zst") else form
    if form == "pack.zst" and to == STDOUT and sys.stdout.isatty():
        raise click.UsageError("expected --to FILE for a compressed pack, found a terminal")
    return form


# --- many games ----------------------------------------------------------------------------------


def _bundled(
    session: Session,
    paths: Sequence[str],
    form: str,
    to: str,
    anonymiser: Anonymiser | None,
    *,
    force: bool,
    code: str | None,
    aside: bool = False,
) -> int:
    """Write many games into one file, and count them; with `aside` for a temporary file, without a summary."""
    from spyrium_cli.complaint import warn_left_out
    from spyrium_cli.exporting.bundles import whole_games
    from spyrium_cli.games.lookup import select_games
    from spyrium_cli.render.progress import with_progress
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text

    unread: list[str] = []
    left_out: list[str] = []
    dropped: set[str] = set()
    taken = 0

    def leave_out(into: list[str], name: str, why: str) -> None:
        into.append(name)
        warn_left_out(name, why)

    def each() -> Iterator[WholeGame]:
        nonlocal taken
        for game in whole_games(games, partial(leave_out, unread), anonymiser, session.folder().aliases()):
            taken += 1
            dropped.update(["moves"] if game.log.header.source != "scoresheet" else [])
            dropped.update(["notes"] if game.raw.notes else [])
            yield game
        if not taken:
            error = Complaint if unread else Refusal
            raise error("expected a game, found none: nothing was written")

    games = with_progress(select_games(session, paths), None, "exported")
    parts = BUNDLES[form].write(each(), partial(leave_out, left_out))
    write_output(parts if code is None else _coded(parts, code, force=force), to, force=force)
    if not aside:
        where = "" if to == STDOUT else f" at {to}"
        rest = f", {len(left_out) + len(unread)} left out" if left_out or unread else ""
        if BUNDLES[form].scores_only and dropped and taken > len(left_out):
            say(f"left out of {form}: {' and '.join(sorted(dropped))}; a pack keeps them")
        say(f"{count_text(taken - len(left_out), 'game')}{where}{rest}")
    return UNUSABLE if unread else int(bool(left_out))


def _dataset(session: Session, paths: Sequence[str], to: str, anonymiser: Anonymiser | None) -> int:
    """Write all tables as Parquet. Chosen or anonymised games get an index of their own first."""
    from tempfile import TemporaryDirectory

    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import count_text
    from spyrium_cli.sql.index import INDEX_FILE, index_of, warn_if_held
    from spyrium_log.readmodel import bring_up_to_date, sources_of, write_dataset
    from spyrium_log.store import Folder

    if to == STDOUT:
        raise click.UsageError("expected --to FOLDER for a dataset, found none")
    code = 0
    with TemporaryDirectory(prefix="spyrium-") as name:
        if paths or anonymiser is not None:
            index = Path(name) / INDEX_FILE
            code = _bundled(
                session,
                paths,
                "pack.zst",
                str(Path(name) / "games.jsonl.zst"),
                anonymiser,
                force=False,
                code=None,
                aside=True,
            )
            bring_up_to_date(index, sources_of(Folder(Path(name))), aliases=session.folder().aliases())
        else:
            index = index_of(session)
        dataset = write_dataset(index, Path(to), anonymised=anonymiser is not None)
    warn_if_held(dataset.held)
    rows = dataset.rows
    say(f"{count_text(rows['game'], 'game')}, {count_text(sum(rows.values()), 'row')} in {len(rows)} tables at {to}")
    return code


def _coded(links: Iterable[bytes], file: str, *, force: bool) -> list[bytes]:
    """Write the only link also as a QR code, and return it."""
    from spyrium_log.exchange import qr

    all_links = list(links)
    if len(all_links) != 1:
        raise Refusal(f"expected one game for a QR code, found {len(all_links)}: nothing was written")
    link = all_links[0].decode().rstrip("\n")
    write_output([qr.svg(link).encode() if Path(file).suffix == ".svg" else qr.png(link)], file, force=force)
    return all_links


# --- one game ------------------------------------------------------------------------------------


def _print_omissions(form: str, game: Game) -> None:
    from spyrium_cli.exporting.omissions import omissions
    from spyrium_cli.render.surface import say

    if left_out := omissions(form, game.done.log, game.notes):
        say(f"left out of {form}: {', '.join(left_out)}; a pack keeps all")


def _game(session: Session, name: str, anonymiser: Anonymiser | None) -> Game:
    """Read a game once, for any format."""
    from spyrium_cli.games.lookup import find_game, warn_of_damage
    from spyrium_log.edit.annotate import list_game_remarks
    from spyrium_log.replay import replay
    from spyrium_log.store import read_bytes
    from spyrium_log.store.sidecar import read_notes_bytes

    game = find_game(session, name)
    file, log, notes = game.name, game.log(), game.notes()
    if log.complaint is not None:
        warn_of_damage(log, "line", session.language)
    if notes.complaint is not None:
        warn_of_damage(notes, "note", session.language)
    raw = game.raw().log
    if anonymiser is not None:
        copy = anonymiser.copy(log, notes)
        raw, log, notes = copy.log, read_bytes(copy.log, file), read_notes_bytes(copy.notes, file)
    done = replay(log)
    language = session.language_of(done.title)
    players = session.folder().aliases().persons(done.players)
    return Game(
        done=done,
        players=players,
        notes=notes,
        raw=raw,
        remarks=list_game_remarks(done, notes.notes),
        language=language,
    )
