"""Small logs, made by hand: their lines are chained, what they say need not be legal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from spyrium_log.log import chain, codec
from spyrium_log.log.lines import FORMAT, AnyHeader, Decided, Declared, Header, Line, Result, SeatAt, Undone
from spyrium_log.sheet import Sheet
from spyrium_log.store import Folder
from spyrium_log.title import AnyTitle, Posting
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import PlaceWorker

SPYRIUM = TITLES["spyrium"]
GAME = "0190f5fe-7c00-7a00-8000-000000000001"
EMPTY = Sheet(name="empty", printed=())
UNCHAINED: dict[str, Any] = {"by": "ann", "prev": chain.GENESIS, "hash": chain.GENESIS}


def header(
    game: str = GAME, *, seats: int = 2, sheet: Sheet | None = None, title: AnyTitle = SPYRIUM, **said: Any
) -> AnyHeader:
    """A header with the title's own start and, unless another one is given, its own sheet."""
    sheet = sheet or title.sheet()
    return Header(
        n=0,
        format=FORMAT,
        title=title.key,
        title_format=title.title_format,
        game=game,
        rules=title.rules_version,
        options=title.options(),
        seats=tuple(
            SeatAt(player=f"player {seat}", colour=title.colours[seat - 1], start=tuple(title.start))
            for seat in range(1, seats + 1)
        ),
        first=1,
        sheet_digest=sheet.digest(),
        sheet=codec.sheet_bytes(sheet),
        **{**UNCHAINED, **said},
    )


def short_header(game: str = GAME, **said: Any) -> AnyHeader:
    """A header of a few hundred bytes."""
    return header(game, sheet=EMPTY, **said)


def place(n: int, **said: Any) -> Line:
    """A decision without effects."""
    return Decided(n=n, do=PlaceWorker(seat=1, gap=12), **{**UNCHAINED, **said})


def paid(n: int, amount: int = -1, **said: Any) -> Line:
    """A decision with one posting."""
    return place(n, moved=(Posting(1, "money", amount, "gain"),), **said)


def undo(n: int, to: int, **said: Any) -> Line:
    return Undone(n=n, to=to, **{**UNCHAINED, **said})


def chained(*lines: Line, prev: str = chain.GENESIS) -> list[bytes]:
    """Each line's bytes, after the ones before."""
    raws = []
    for line in lines:
        raws.append(codec.hashed_bytes(replace(line, prev=prev, hash="")))
        prev = hash_of(raws[-1])
    return raws


def small_log(events: int = 3) -> list[bytes]:
    """The bytes of a short header and so many decisions."""
    return chained(short_header(), *(paid(n, -n) for n in range(1, events + 1)))


def mere_scores(game: str, scores: Sequence[tuple[str, int]], **said: Any) -> bytes:
    """An old score sheet as a reader takes it: names may be empty or doubled, and a table may be one player's."""
    line = header(game, seats=len(scores), source="scoresheet", **said)
    seats = tuple(replace(seat, player=name) for seat, (name, _) in zip(line.seats, scores, strict=True))
    results = tuple(Result(seat=seat, points=points) for seat, (_, points) in enumerate(scores, 1))
    return b"".join(chained(replace(line, seats=seats), Declared(n=1, results=results, **UNCHAINED)))


def begin(folder: Folder, line: AnyHeader) -> Path:
    """The file of a log that holds nothing else."""
    return folder.write_whole(chained(line)[0])


def hash_of(raw: bytes) -> str:
    """The hash that a line's bytes carry."""
    return raw[-35:-3].decode()


def closed(text: bytes, prev: str | None = None) -> bytes:
    """Any bytes that look like the beginning of a line, with `prev` and the right hash: hostile, and well chained."""
    link = b"" if prev is None else b',"prev":"' + prev.encode() + b'"'
    body = text + link
    return body + b',"hash":"' + chain.short_digest(body).encode() + b'"}\n'
