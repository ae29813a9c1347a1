"""A link as QR code. Nothing here reads one: what is drawn is compared with the matrix, which segno answers for."""

from __future__ import annotations

import re
import struct
import zlib
from xml.parsers import expat

import pytest
from msgspec.structs import replace

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import qr
from spyrium_log.exchange.bgstats import push_link
from spyrium_log.titles import TITLES
from tests.exchange.made_up import GAMES

LINK = push_link(GAMES[0], TITLES)
MODULES = [[int(bool(module)) for module in row] for row in qr.make_code(LINK).matrix]


def bordered(rows: list[list[int]]) -> list[list[int]]:
    width = len(rows[0]) + 2 * qr.BORDER
    edge = [[0] * width for _ in range(qr.BORDER)]
    return [*edge, *([0] * qr.BORDER + row + [0] * qr.BORDER for row in rows), *edge]


def test_a_code_is_a_full_one_with_white_around_it() -> None:
    assert qr.list_modules(LINK) == bordered(MODULES)
    finder = [row[:7] for row in MODULES[:7]]
    assert finder[0] == [1] * 7
    assert finder[3] == [1, 0, 1, 1, 1, 0, 1]


def test_a_terminal_shows_two_rows_in_one() -> None:
    rows = []
    for line in qr.terminal_text(LINK).split("\n"):
        rows.append([0 if half in "█▀" else 1 for half in line])
        rows.append([0 if half in "█▄" else 1 for half in line])
    assert rows[: len(bordered(MODULES))] == bordered(MODULES)
    assert not any(map(any, rows[len(bordered(MODULES)) :]))


def test_svg_is_a_document_of_that_size() -> None:
    svg = qr.make_svg(LINK, scale=3)
    parser = expat.ParserCreate()
    parser.Parse(svg)
    parser.Parse(b"", True)  # noqa: FBT003 - expat takes it by place only
    side = 3 * len(bordered(MODULES))
    assert re.match(rf'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"', svg)


def test_png_holds_the_modules() -> None:
    raw = qr.make_png(LINK, scale=1)
    assert raw.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, colour = struct.unpack(">IIBB", raw[16:26])
    side = len(bordered(MODULES))
    assert (width, height, depth, colour) == (side, side, 1, 0)
    data = b"".join(
        raw[found.end() : found.end() + struct.unpack(">I", raw[found.start() - 4 : found.start()])[0]]
        for found in re.finditer(b"IDAT", raw)
    )
    stride = 1 + (side + 7) // 8
    lines = zlib.decompress(data)
    rows = [lines[at : at + stride] for at in range(0, len(lines), stride)]
    assert all(row[0] == 0 for row in rows)
    bits = [[1 - (row[1 + x // 8] >> (7 - x % 8) & 1) for x in range(side)] for row in rows]
    assert bits == bordered(MODULES)


def test_the_longest_link_of_a_game_of_five_fits() -> None:
    seats = tuple(replace(GAMES[0].seats[0], player=f"{n} Ławrynowicz-Łągiewka, the {n}th") for n in range(5))
    assert len(qr.list_modules(push_link(replace(GAMES[0], seats=seats), TITLES))) > 100


def test_a_link_that_does_not_fit_is_said() -> None:
    with pytest.raises(ExchangeError, match="expected a link that fits a QR code, found one of 3000 characters"):
        qr.make_code("x" * 3000)
