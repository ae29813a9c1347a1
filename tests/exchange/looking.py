"""What it takes to look at pages: a browser, axe-core, and a folder for the pictures.

CHROMIUM names the browser where it is not on the PATH, AXE the file axe.min.js of axe-core. Where either is missing,
nothing is checked, and the exit code says so.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.exchange.devtools import Tab, browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"
NOTHING = 2


class Looking(NamedTuple):
    """A tab, the source of axe-core, where pictures go, and a folder that is gone afterwards."""

    tab: Tab
    axe: str
    pictures: Path
    folder: Path

    def accessible(self, url: str, where: str) -> list[str]:
        """axe-core writes into the page, which the page's policy forbids: for it alone the policy is set aside."""
        tab = self.tab
        tab.ask("Page.setBypassCSP", enabled=True)
        tab.goto(url)
        tab.run(self.axe)
        found = tab.run(
            f"axe.run(document, {RULES}).then((said) => said.violations.map((one) => [one.id, one.help, "
            "one.nodes.length, one.nodes[0].html, one.nodes[0].failureSummary]))"
        )
        tab.ask("Page.setBypassCSP", enabled=False)
        return [f"axe, {where}: {each}" for each in found]


def looked(out: str | None, look: Callable[[Looking], int]) -> int:
    """The exit code of who looks."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    axe = Path(os.environ.get("AXE", "axe.min.js"))
    if program is None or not axe.is_file():
        print(f"nothing was checked: browser {program or 'not found'}, axe-core {axe}: {axe.is_file()}")
        return NOTHING
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pictures = Path(out) if out else folder / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        with browser(program, folder) as tab:
            print(tab.ask("Browser.getVersion")["product"])
            return look(Looking(tab, axe.read_text(encoding="utf-8"), pictures, folder))
