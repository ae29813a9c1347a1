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


def make_code(link: str) -> segno.QRCode:
    """The code with the least redundancy: a link with a whole play in it is long, and a screen is clean."""
    try:
        return segno.make_qr(link, error="l", boost_error=False)
    except (DataOverflowError, UnicodeEncodeError) as error:
        raise ExchangeError("long-link", found=len(link)) from error


def list_modules(link: str) -> list[list[int]]:
    """The rows of the code: 1 for each dark module, 0 for a white one; the white border is included."""
    return [[int(bool(module)) for module in row] for row in make_code(link).matrix_iter(border=BORDER)]


def terminal_text(link: str) -> str:
    """The code as text, for a terminal of light characters on a dark ground."""
    rows = list_modules(link)
    # a line of text holds two rows
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return "\n".join(
        "".join(_HALVES[modules] for modules in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


def make_svg(link: str, scale: int = 4) -> str:
    """The code as a whole SVG document; `scale` is the pixels of a module."""
    inline = make_code(link).svg_inline(scale=scale, border=BORDER, light="#fff")
    return inline.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def make_png(link: str, scale: int = 4) -> bytes:
    """The code as the bytes of a PNG; `scale` is the pixels of a module."""
    uri = make_code(link).png_data_uri(scale=scale, border=BORDER)
    return b64decode(uri.partition(",")[2])
