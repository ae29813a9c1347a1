"""No file takes more memory than a bound, whatever whoever made it chose: each bomb in a process of its own.

All bombs with all of their readers, and how long they take: `python -m tests.cli.bombs N`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.cli.bombs import KINDS, MEGABYTE, MOST_MEMORY, lay, taken
from tests.shares import share

# An end to what does not end; these take a second or two.
DEADLINE = 120
# More than twice what a process may use, because not all that is asked for is used.
ADDRESSES = 3 << 30
# Each kind of bomb with one of its readers, in turn; what is beyond all bounds with the first.
PAIRS = [
    (kind, bomb.readers[0 if "beyond" in kind else at % len(bomb.readers)])
    for at, (kind, bomb) in share(enumerate(KINDS.items()), 7)
]


@pytest.mark.parametrize(("kind", "reader"), PAIRS, ids=map(" of ".join, PAIRS))
def test_a_bomb_takes_no_more_than_a_bound(tmp_path: Path, counts: Counter[str], kind: str, reader: str) -> None:
    file, _ = lay(kind, tmp_path / "archive")
    took = taken(reader, file, memory=ADDRESSES, seconds=DEADLINE)
    assert took.code in {0, 1, 2}, took.said
    assert "Traceback" not in took.said
    assert took.memory <= MOST_MEMORY, f"{took.memory // MEGABYTE} MB"
    counts["bombs"] += 1


def test_a_reader_that_takes_too_much_is_seen(tmp_path: Path) -> None:
    """The limits hold, and the peak is the process's own."""
    hog = tmp_path / "hog"
    hog.write_text("#!/bin/sh\nexec python3 -c 'x = b\"1\" * (500 << 20)'\n", encoding="utf-8")
    hog.chmod(0o755)
    (tmp_path / "archive").mkdir()
    assert taken("games", tmp_path / "archive" / "none", str(hog), memory=ADDRESSES).memory > MOST_MEMORY
    assert taken("games", tmp_path / "archive" / "none", str(hog), memory=MOST_MEMORY).code != 0
