"""Text from anybody, in a page of ours."""

from __future__ import annotations

from html import escape

from spyrium_log.shown import plain


def as_html(text: object, *, keep: str = "") -> str:
    """In an element or in a quoted attribute: nothing in it is a tag, and nothing steers what shows it but `keep`."""
    return escape(plain(str(text), keep=keep))
