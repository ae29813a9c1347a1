"""Forms that hold one game: the bytes of their files, and what such a file leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.games.lookup import find_game, warn_of_damage
from spyrium_cli.render.text import count_text
from spyrium_cli.session import Session, wants_raw
from spyrium_log.replay import Replay, replay
from spyrium_log.store import read_bytes
from spyrium_log.store.writer import read_notes_bytes

if TYPE_CHECKING:
    from spyrium_cli.exporting.anonymise import Anonymiser

# The forms, which are also the extensions of their files.
FORMS = ("html", "json", "csv", "jsonl", "txt")


class ExportedGame(NamedTuple):
    """A game with all that a form may need of it. `raw`: the bytes of its log."""

    replay: Replay
    players: Sequence[str]
    notes: Any
    raw: bytes
    language: str


def read_game(session: Session, name: str, anonymiser: Anonymiser | None) -> ExportedGame:
    """Read a game and its notes, as far as they can be read; anonymised if there is an anonymiser."""
    game = find_game(session, name)
    log, notes = game.log(), game.notes()
    if log.complaint is not None:
        warn_of_damage(log, "line", session.language)
    if notes.complaint is not None:
        warn_of_damage(notes, "note", session.language)
    raw = game.raw().log
    if anonymiser is not None:
        copy = anonymiser.copy(log, notes)
        raw, log, notes = copy.log, read_bytes(copy.log, game.name), read_notes_bytes(copy.notes, game.name)
    replayed = replay(log)
    players = session.folder().read_aliases().resolve_names(replayed.players)
    return ExportedGame(replayed, players, notes, raw, session.language_of(replayed.title))


def make_file(game: ExportedGame, form: str) -> bytes:
    """The bytes of the file that holds a game in this form."""
    if form in {"html", "json"}:
        from spyrium_log.edit.annotate import list_game_remarks

        remarks = list_game_remarks(game.replay, game.notes.notes)
        if form == "html":
            from spyrium_log.exchange.page import make_page

            return make_page(game.replay, game.raw, remarks=remarks, language=game.language)
        from spyrium_log.exchange.tables import replay_json

        return replay_json(game.replay, game.raw, remarks=remarks)
    if form == "csv":
        from spyrium_log.exchange.tables import ledger_csv

        return ledger_csv(game.replay, game.players, raw=wants_raw())
    if form == "txt":
        from spyrium_log.transcript import transcribe

        return "".join(f"{line}\n" for line in transcribe(game.replay.log)).encode()
    return game.raw


def list_omissions(game: ExportedGame, form: str) -> list[str]:
    """What a file of this form leaves out of a game, in words such as `3 notes`."""
    lines, notes = game.replay.log.lines, len(game.notes.notes.standing())
    omissions = []
    if form == "txt":
        signatures = sum(getattr(line, "signed", None) is not None for line in lines)
        omissions += ["when each line was recorded"] if any(line.at is not None for line in lines) else []
        omissions += ["by which commands"] if any(line.cmd is not None for line in lines) else []
        omissions += [count_text(signatures, "signature")] if signatures else []
    if form == "csv" and any(line.__struct_config__.tag in {"undo", "amendment"} for line in lines):
        omissions.append("what was undone or amended")
    if form in {"html", "json"}:
        # they hold the notes as they stand, without their history
        earlier = len(game.notes.lines) - notes
        omissions += [f"{count_text(earlier, 'line')} of notes that were changed or withdrawn"] if earlier else []
    elif notes:
        omissions.append(count_text(notes, "note"))
    return omissions
