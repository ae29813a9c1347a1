"""How Sphinx builds the pages: `make docs`.

The pages are plain Markdown. Whatever is Sphinx's own stands in this file, so that something else could build them.
"""

from __future__ import annotations

import posixpath
import re
import sys

from sphinx.application import Sphinx

project = "Spyrium Log"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Spyrium Log"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
exclude_patterns = ["_build"]
# Headings can be linked to as on a forge: `page.md#a-heading`.
myst_heading_anchors = 3
# Blocks of a notation of ours have no colours.
suppress_warnings = ["misc.highlighting_failure"]

INDEX = re.compile(r"(?:^|/)index$")
LISTED = re.compile(r"^- \[[^\]]+\]\((?!\w+:)([^)#]+)\.md\)", re.MULTILINE)


def add_contents(_: Sphinx, page: str, source: list[str]) -> None:
    """An index gets a table of contents: the pages of its list, in that order."""
    if INDEX.search(page):
        folder = posixpath.dirname(page)
        listed = (posixpath.normpath(posixpath.join(folder, name)) for name in LISTED.findall(source[0]))
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "".join(f"/{name}\n" for name in listed) + "```\n"


def refuse_network(event: str, _: object) -> None:
    if event in {"socket.connect", "socket.getaddrinfo"}:
        raise PermissionError(f"the pages are built offline, found {event}")


def setup(app: Sphinx) -> None:
    sys.addaudithook(refuse_network)
    app.connect("source-read", add_contents)
