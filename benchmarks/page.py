"""The last table stands on the page about speed, between two marks, with its date."""

from __future__ import annotations

import re
import time
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "speed.md"
BEGIN, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
SECTION = re.compile(rf"^{BEGIN}$.*?^{END}$", re.MULTILINE | re.DOTALL)


def block(table: str, date: str) -> str:
    return f"{BEGIN}\n\n`make bench` on {date}:\n\n```text\n{table}\n```\n\n{END}"


def with_table(text: str, table: str, date: str) -> str:
    """The page with a new table; it must have one."""
    if len(SECTION.findall(text)) != 1:
        raise ValueError(f"expected {BEGIN} and {END} once, each on a line of its own")
    return SECTION.sub(lambda _: block(table, date), text)


def write(table: str) -> None:
    date = time.strftime("%Y-%m-%d")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), table, date), encoding="utf-8")
