"""A durable append: our writer's, and the least that any writer must do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

from msgspec import structs

from benchmarks.contender import Contender
from benchmarks.inputs import Inputs
from spyrium_log.log import codec
from spyrium_log.log.lines import Decided
from spyrium_log.store import Folder


@contextmanager
def contenders(inputs: Inputs, folder: Path) -> Iterator[list[Contender]]:
    """Both append the same decisions again and again, each to a file of its own on the same disk."""
    log = inputs.logs[0]
    decided = [line for line in log.lines if isinstance(line, Decided)][: inputs.scale.appended]
    archive = Folder(folder / "archive")
    name = archive.write_whole(codec.encode(log.header))
    plain = os.open(folder / "plain", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    raws = [codec.encode(line) for line in decided]
    try:
        with archive.open_writer(name) as writer:
            numbers = count(1)

            def append(times: int) -> None:
                for line in decided[:times]:
                    writer.append(structs.replace(line, n=next(numbers)))

            def write(times: int) -> None:
                for raw in raws[:times]:
                    os.write(plain, raw)
                    os.fdatasync(plain)

            # The first of a run pays for what others left behind: the disk's journal is everybody's.
            yield [
                Contender(name, fed, "append", len(decided), partial(run, len(decided)), partial(run, 1))
                for name, fed, run in (
                    ("durable append", "lines, one writer", append),
                    ("write + fdatasync", "bytes of the same lines", write),
                )
            ]
    finally:
        os.close(plain)
