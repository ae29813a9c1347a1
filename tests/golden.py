"""Golden logs: the stories that make them, by title, and everything that a reader of one should find in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from spyrium_log.audit import Finding
from spyrium_log.errors import LogError
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay, replay
from spyrium_log.store import read_bytes
from tests.scribe import Scribe

UNTOLD = (("i", 0), ("unchecked", ()))


class Stories(dict[str, Callable[[], bytes]]):
    """The stories of one title by the names of their examples, and the folder where the examples lie."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.folder = Path(__file__).parents[1] / "examples" / title

    def story(self, make: Callable[[], bytes | Scribe]) -> Callable[[], bytes]:
        """A function that makes a log; its name with dashes is the example's."""

        def made() -> bytes:
            result = make()
            return result if isinstance(result, bytes) else result.raw()

        self[make.__name__.replace("_", "-")] = made
        return made

    def list_examples(self) -> list[str]:
        """The names of the logs in the folder."""
        return sorted(path.name.removesuffix(".jsonl") for path in self.folder.glob("*.jsonl"))

    def read(self, name: str) -> bytes:
        """The log of this name in the folder."""
        return self.folder.joinpath(f"{name}.jsonl").read_bytes()

    def write(self, names: Iterable[str]) -> None:
        """Make these examples, and what each comes to."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            raw = self[name]()
            self.folder.joinpath(f"{name}.jsonl").write_bytes(raw)
            self.folder.joinpath(f"{name}.expected.json").write_text(text_of(expected(raw)), encoding="utf-8")
            print(f"{len(raw):>8,} bytes  {self.folder.name}/{name}")


def expected(raw: bytes) -> dict[str, Any]:
    """Everything a reader of the log should find, as plain data."""
    try:
        log = read_bytes(raw, "<bytes>")
    except LogError as error:
        return {"refused": error.code, "line": error.line}
    done = replay(log)
    complaint = done.complaint
    return {
        "verdict": done.verdict,
        "complaint": None if complaint is None else {"code": complaint.code, "line": complaint.line},
        "damage": log.damage.kind if log.damage else "none",
        "assumed": done.assumed_value_count,
        "players": done.players,
        "scores": msgspec.to_builtins(done.scores()),
        "parts": [done.sum_score_parts(seat) for seat in range(1, len(done.players) + 1)],
        "findings": [_found(finding) for finding in done.findings],
        **({"seals": [structs.asdict(seal) for seal in done.seals], "unsealed": done.unsealed} if done.seals else {}),
        "said": [f"{ref_of(event)}: {sentence}" for event, sentence in done.describe_events()],
        "moved": _moved(done),
        "awaits": _awaited(done),
    }


def _found(finding: Finding) -> dict[str, Any]:
    """A finding's fields; `i` and the unchecked values only where they say something."""
    return {name: value for name, value in structs.asdict(finding).items() if (name, value) not in UNTOLD}


def _awaited(done: Replay) -> dict[str, Any]:
    awaited = done.title.awaits(done.state_at(len(done.events)))
    return {"kind": awaited.kind, "seat": awaited.seat}


def _moved(done: Replay) -> list[str]:
    return [
        f"{entry.ref}: seat {entry.who} {entry.what} {entry.amount:+d} {entry.why} {entry.number}"
        for entry in done.ledger
    ]


def text_of(result: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(result, enc_hook=str), indent=1).decode() + "\n"
