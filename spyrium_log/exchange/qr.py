"""A link as a QR code: for a terminal, as SVG, as PNG."""

from __future__ import annotations

from base64 import b64decode

import segno
from segno.encoder import DataOverflowError

from spyrium_log.errors import ExchangeError

# Modules of white around the code, which phones need to find it.
BORDER = 4
# Two rows of modules in one row of characters.
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}


def code(link: str) -> segno.QRCode:
    """The code with the least redundancy: a link with a whole play in it is long, and a screen is clean."""
    try:
        return segno.make_qr(link, error="l", boost_error=False)
    except (DataOverflowError, UnicodeEncodeError) as error:
        raise ExchangeError(f"expected a link that fits a QR code, found one of {len(link)} characters") from error


def matrix(link: str) -> list[list[int]]:
    """1 for each dark module; the white border is included."""
    rows = code(link).matrix_iter(border=BORDER)
    return [[int(bool(module)) for module in row] for row in rows]


def terminal(link: str) -> str:
    """As text, for a terminal of light characters on a dark ground."""
    rows = matrix(link)
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return "\n".join(
        "".join(_HALVES[upper, lower] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


def svg(link: str, scale: int = 4) -> str:
    """A whole SVG document."""
    inline = code(link).svg_inline(scale=scale, border=BORDER, light="#fff")
    return inline.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def png(link: str, scale: int = 4) -> bytes:
    """The bytes of a PNG."""
    uri = code(link).png_data_uri(scale=scale, border=BORDER)
    return b64decode(uri.partition(",")[2])
