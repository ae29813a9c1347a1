"""Laws count what they executed; the counts are printed at the end, and a law that executed nothing fails."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

COUNTS: Counter[str] = Counter()

# Whoever runs the tests may have settled things for himself.
for settled in [name for name in os.environ if name.startswith("SPYRIUM_") or name in {"NO_COLOR", "FORCE_COLOR"}]:
    del os.environ[settled]


@pytest.fixture
def counts() -> Iterator[Counter[str]]:
    before = COUNTS.total()
    yield COUNTS
    assert COUNTS.total() > before, "this law executed nothing"


@pytest.fixture
def interrupts() -> Iterator[None]:
    """^C is heard, here and in what is started here: in the background of a script, and under nohup, it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One of several processes hands over what it counted."""
    handed = getattr(session.config, "workeroutput", None)
    if handed is not None:
        handed["executed"] = dict(COUNTS)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """The process that prints hears from the others (pytest-xdist)."""
    COUNTS.update(getattr(node, "workeroutput", {}).get("executed", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COUNTS:
        terminalreporter.section("executed")
        for name, n in sorted(COUNTS.items()):
            terminalreporter.write_line(f"{n:>9,}  {name}")
