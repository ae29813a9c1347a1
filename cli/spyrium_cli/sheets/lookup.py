"""Component sheets by name: the one that ships, the user's own, one in a file, the one of a game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from spyrium_cli.complaint import Complaint, call_message, did_you_mean
from spyrium_cli.files import fill_in_title
from spyrium_cli.games.lookup import read_log
from spyrium_cli.session import Session
from spyrium_cli.settings.file import directory
from spyrium_log.exchange.sheets import read_csv
from spyrium_log.messages import Alternatives, Argument, Reader, SourceOf
from spyrium_log.printed import value_text
from spyrium_log.replay import Replay, list_readings, replay
from spyrium_log.sheet import Printed, Sheet, parse_sheet
from spyrium_log.store import read_sheet, read_whole
from spyrium_log.title import AnyTitle

OWN = "own"
SHIPPED = "shipped"
NOTHING = "–"
ENGLISH_READER = Reader()
# Twenty times the sheet that ships.
MOST_BYTES = 1 << 20

# A whole number with its sign; no printed value has as many digits.
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


def own_sheet_path(session: Session, title: AnyTitle) -> Path:
    """Where the user's own sheet of the title is, or would be."""
    return settled_sheet_path(session, title) or directory("config") / f"sheet-{title.key}.toml"


def settled_sheet_path(session: Session, title: AnyTitle) -> Path | None:
    """The user's own sheet of a title, as the settings have it: `{title}` in the path is its key."""
    path = session.settings.get("sheet").value
    return fill_in_title(path, title.key) if path else None


def read_own_sheet(title: AnyTitle, path: Path) -> Sheet:
    """The sheet that ships, with the values of the user's file, if it exists, in their place."""
    user_sheet = read_sheet(path)
    return title.with_own_values(user_sheet) if user_sheet else title.sheet()


def find_sheet(session: Session, title: AnyTitle, name: str) -> Sheet:
    """`own`, `shipped` or the name of one that ships, a file of TOML or CSV over the usual one, or a game's sheet."""
    if name == SHIPPED:
        return title.sheet()
    if name in title.sheets:
        return title.sheet(name)
    if name == OWN:
        return read_own_sheet(title, own_sheet_path(session, title))
    if Path(name).suffix in {".toml", ".csv"}:
        return title.with_own_values(read_sheet_file(Path(name)))
    game = replay(read_log(session, name), audit=False)
    if game.title.key != title.key:
        raise _make_other_title(title, game)
    return game.sheet


def read_sheet_file(path: Path) -> Sheet:
    """The sheet in a file of TOML or CSV, without the one that ships."""
    text = read_whole(path, MOST_BYTES, is_named=True).decode()
    return read_csv(text, path.stem, str(path)) if path.suffix == ".csv" else parse_sheet(text, str(path))


def find_values(session: Session, title: AnyTitle, source: str) -> Sequence[Printed]:
    """The values in a file of TOML or CSV, or those that were read off in a game."""
    path = Path(source)
    if path.suffix in {".toml", ".csv"} or (path.is_file() and path.suffix != ".jsonl"):
        return read_sheet_file(path).printed
    game = replay(read_log(session, source), audit=False)
    if game.title.key != title.key:
        raise _make_other_title(title, game)
    return list_readings(game.log)


def _make_other_title(title: AnyTitle, game: Replay) -> Complaint:
    """The complaint about a game of another title."""
    return Complaint(call_message("other-title", title=title.name, found=game.title.name, place=game.log.file))


def select_rows(sheet: Sheet, cards: Sequence[str]) -> list[Printed]:
    """The values of these components, or of all that begin so; of every one if none is named. Refuses unknown ones."""
    known = {row.of for row in sheet.printed}
    selected: set[str] = set()
    for card in cards:
        matches = [card] if card in known else [name for name in known if card and name.startswith(card)]
        if not matches:
            check_component(sheet, card)
        selected.update(matches)
    return [row for row in sheet.rows_by_key().values() if not cards or row.of in selected]


def check_component(sheet: Sheet, card: str) -> str:
    """The name, if the sheet has such a component; Complaint otherwise."""
    known = list(dict.fromkeys(row.of for row in sheet.printed))
    if card not in known:
        raise Complaint(call_message("component", found=card, hint=did_you_mean(card, known)))
    return card


def parse_value(title: AnyTitle, sheet: Sheet, card: str, what: str, text: str) -> int | str:
    """A printed value as somebody types it, if the `what` of such a component can have it; `-` for an empty text."""
    if title.values_of is None:
        return _parse_like_others(sheet, card, what, text)
    known = title.values_of(sheet, card)
    if not known:
        raise Complaint(call_message("title-component", title=title.name, found=card))
    if what not in known:
        hint = did_you_mean(what, known)
        raise Complaint(call_message("what", known=", ".join(known), card=card, found=what, hint=hint))
    if known[what] == "number":
        return _parse_number(card, what, text)
    return "" if text in {"-", NOTHING} else text


def check_rows(title: AnyTitle, sheet: Sheet, rows: Sequence[Printed]) -> None:
    """Complaint for a value that no such component can have; the rows may bring components of their own."""
    known = sheet if title.values_of is None else sheet.with_readings(*rows)
    for row in rows:
        parse_value(title, known, row.of, row.what, str(row.value))


def _parse_like_others(sheet: Sheet, card: str, what: str, text: str) -> int | str:
    """A value of the kind that other components of the sheet have there."""
    known = [row.what for row in sheet.printed if row.of == check_component(sheet, card)]
    rows = sheet.similar_rows(what)
    if not any(row.of == card for row in rows):
        hint = did_you_mean(what, known)
        raise Complaint(call_message("what", known=", ".join(known), card=card, found=what, hint=hint))
    if all(isinstance(row.value, int) for row in rows):
        return _parse_number(card, what, text)
    text = "" if text in {"-", NOTHING} else text
    symbols = sorted({symbol for row in rows if row.value for symbol in str(row.value).split("+")})
    if text and not set(text.split("+")) <= set(symbols):
        alternatives: Argument = Alternatives(tuple(symbols))
        if any("+" in str(row.value) for row in rows):
            alternatives = call_message("several-symbols", known=alternatives)
        raise Complaint(call_message("symbols", known=alternatives, what=what, card=card, found=text))
    return text


def _parse_number(card: str, what: str, text: str) -> int:
    """The number that was typed for a printed value; Complaint for anything else."""
    if not _NUMBER.fullmatch(text):
        raise Complaint(call_message("number", what=what, card=card, found=text))
    return int(text)


def format_value(row: Printed, reader: Reader = ENGLISH_READER) -> str:
    """The value for people: `~` before one that nobody has checked, a dash for an empty text."""
    value = NOTHING if row.value == "" else value_text(row.value, reader)
    return f"{'~' if row.source == 'assumed' else ''}{value}"


def format_reading(row: Printed | None, reader: Reader) -> str:
    """A value with who read it and when, `4 (Anna, 2026-11-18)`; empty where there is none."""
    if row is None:
        return ""
    who_and_when = ", ".join(word for word in (row.by, row.at) if word) or SourceOf(row.source).text_for(reader)
    value = format_value(row, reader)
    return value if row.source == "assumed" else f"{value} ({who_and_when})"
