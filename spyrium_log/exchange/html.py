"""HTML pages that need nothing but themselves, from templates that escape every value."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from spyrium_log.shown import plain


def environment(templates: Mapping[str, str]) -> Environment:
    """Templates by name. What they print cannot open a tag, end an attribute or change the direction of a line."""
    return Environment(
        loader=DictLoader(templates),
        autoescape=True,
        finalize=_printed_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _printed_value(value: object) -> object:
    """Markup as it stands, anything else without control characters; None prints nothing."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else plain(str(value))


def security_policy(script: str, style: str) -> str:
    """A Content-Security-Policy that allows this script and this style, and no network."""
    return (
        f"default-src 'none'; script-src {_source_hash(script)}; style-src {_source_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _source_hash(text: str) -> str:
    """How a Content-Security-Policy names a script or a style by its content."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def script_data(value: Any) -> Markup:
    """JSON for a script element: no text in it can end the element or open a comment."""
    text = msgspec.json.encode(value).decode()
    for sign in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - every sign of markup is replaced
