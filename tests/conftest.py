"""Laws count what they executed; the counts are printed at the end, and nothing executed is a failure."""

from __future__ import annotations

from collections import Counter

import pytest

COUNTS: Counter[str] = Counter()


@pytest.fixture
def counts() -> Counter[str]:
    return COUNTS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COUNTS:
        terminalreporter.section("executed")
        for name, n in sorted(COUNTS.items()):
            terminalreporter.write_line(f"{n:>9,}  {name}")
