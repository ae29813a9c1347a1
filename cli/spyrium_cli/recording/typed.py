"""Lines that somebody typed, into a file or a pipe: each as it comes, and none longer than a line can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spyrium_cli.complaint import Complaint

# As long as a line of a log: no text of one is longer.
LONGEST = 1 << 20


def lines_of(readline: Callable[[int], str], name: str) -> Iterator[tuple[int, str]]:
    """Each line with its number. A longer one is never held: somebody named the wrong file."""
    number = 0
    while text := readline(LONGEST + 1):
        number += 1
        if len(text) > LONGEST:
            raise Complaint(f"expected a line of at most {LONGEST} characters, found a longer one, at {name}:{number}")
        yield number, text
