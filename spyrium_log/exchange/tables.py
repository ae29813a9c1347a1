"""A game as JSON and as CSV: everything that its replay says, for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from spyrium_log.edit.annotate import Remark
from spyrium_log.replay import Replay
from spyrium_log.spreadsheet import csv_rows

LEDGER = ("n", "i", "ref", "seat", "player", "what", "amount", "why", "rule", "seen")


def ledger_csv(done: Replay, players: Sequence[str], *, raw: bool = False) -> bytes:
    """A row for each change of a resource. `players` are the names of the seats; `raw`: no guard against formulas."""
    names = ["", *players]
    rows = (
        (
            entry.n,
            entry.i,
            entry.ref,
            entry.who,
            names[entry.who],
            entry.what,
            entry.amount,
            entry.why,
            entry.number,
            entry.seen,
        )
        for entry in done.ledger
    )
    return "".join(csv_rows([LEDGER, *rows], raw=raw)).encode()


def replay_json(done: Replay, raw: bytes, *, remarks: Sequence[Remark] = ()) -> bytes:
    """The whole replay as one object; keys never change their meaning, new ones may be added.

    `raw` are the bytes of the log: its lines are in the object, too, as far as they can be read.
    """
    exported = {
        "header": done.header,
        "verdict": done.verdict,
        "complaint": None if done.complaint is None else str(done.complaint),
        "assumed": done.assumed,
        # as bytes: the objects of a long log take ten times as much memory
        "events": [msgspec.Raw(msgspec.json.encode(event)) for event in events(done, "en")],
        "ledger": done.ledger,
        "findings": done.findings,
        "notes": remarks,
        "scores": [
            {"player": name, **msgspec.to_builtins(score), "parts": done.score_parts(score.seat)}
            for name, score in zip(done.players, done.scores(), strict=True)
        ],
        "board": done.title.screens.view(done.state_at(len(done.events))),
        "log": _lines(done, raw),
        "hash": done.log.last_digest,
    }
    return msgspec.json.format(msgspec.json.encode(exported, enc_hook=str), indent=2) + b"\n"


def _lines(done: Replay, raw: bytes) -> list[str]:
    """The lines of the log that can be read."""
    damage = done.log.damage
    good = raw[: done.log.good_bytes + (damage.keep if damage else 0)]
    return good.decode().removesuffix("\n").split("\n")


def events(done: Replay, language: str) -> Iterator[dict[str, Any]]:
    """Every standing event with what it moved and the scores after it."""
    title = done.title
    state = title.copy(done.snapshots[0])
    for event in done.events:
        sentence = title.words.describe(state, event.do, event.moved, event.facts, done.players, language)
        title.evolve(state, event.do, event.moved, event.facts)
        yield {
            "n": event.n,
            "ref": done.name_of(event),
            "by": event.by,
            "at": event.at,
            "verb": title.tables.verb(event.do),
            "sentence": sentence,
            "act": event.do,
            "moved": event.moved,
            "facts": event.facts,
            "scores": title.score(state),
        }
