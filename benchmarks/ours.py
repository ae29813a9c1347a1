"""What we do to a log: decode it, fold it, audit it."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module

import msgspec

from benchmarks.contender import Contender
from benchmarks.inputs import SPYRIUM, Inputs, events_of, folded
from spyrium_log.audit import audit_event
from spyrium_log.header import make_table
from spyrium_log.log import codec
from spyrium_log.log.line_types import line_type
from spyrium_log.replay import replay
from spyrium_log.titles import TITLES


def is_compiled() -> bool:
    """Whether the hot modules run as machine code."""
    return not str(import_module("spyrium_log.titles.spyrium.evolve").__file__).endswith(".py")


def contenders(inputs: Inputs) -> list[Contender]:
    raws, logs = inputs.raws, inputs.logs
    decoder = msgspec.json.Decoder(line_type(SPYRIUM))

    def decode() -> None:
        for raw in raws:
            decoder.decode_lines(raw)

    def fold() -> None:
        for log in logs:
            folded(log)

    def read_and_fold(*, verify: bool) -> None:
        for raw in raws:
            folded(codec.read(io.BytesIO(raw), TITLES, verify=verify))

    def audit() -> None:
        for log in logs:
            state = SPYRIUM.setup(make_table(log.header, log.sheet))
            for event in events_of(log):
                assert not audit_event(SPYRIUM, state, event)  # noqa: S101 - a benchmark of wrong work measures nothing
                SPYRIUM.evolve(state, event.do, event.moved, event.facts)

    def validate() -> None:
        for raw in raws:
            done = replay(codec.read(io.BytesIO(raw), TITLES))
            assert done.verdict == "clean"  # noqa: S101 - as above

    def row(name: str, fed: str, run: Callable[[], None]) -> Contender:
        return Contender(name, fed, "decision", inputs.decisions, run)

    return [
        row("msgspec decode", "bytes, one buffer a game, typed", decode),
        row("fold", "lines", fold),
        row("decode + fold", "bytes, envelope checked, hashes not", lambda: read_and_fold(verify=False)),
        row(
            "decode + fold, hashes", "bytes, envelope, spelling and hashes checked", lambda: read_and_fold(verify=True)
        ),
        row("audit + fold", "lines; breaches and effects compared", audit),
        row("validate", "bytes, all of the above", validate),
    ]
